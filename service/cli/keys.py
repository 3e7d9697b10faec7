"""Walking through versions with keys, on a terminal."""

import os
import sys
import termios
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from service.cli.console import WrongUsage
from service.terminal import show
from service.text import Words

BACK = {b"p", b"\x1b[D", b"\x1b[A", b"\x1bOD", b"\x1bOA", b"\x7f"}
ON = {b"n", b" ", b"\r", b"\n", b"\x1b[C", b"\x1b[B", b"\x1bOC", b"\x1bOB"}
QUIT = {b"q", b"\x1b", b"\x03", b"\x04", b""}
FAR_BACK = {b"P", b"\x1b[5~"}
FAR_ON = {b"N", b"\x1b[6~"}
FIRST = {b"g", b"\x1b[H", b"\x1b[1~"}
LAST = {b"G", b"\x1b[F", b"\x1b[4~"}
FAR = 20
KNOWN = BACK | ON | FAR_BACK | FAR_ON | FIRST | LAST

_CLEAR = "\x1b[H\x1b[2J"


def walk(text: Callable[[int], str], at: int, last: int, words: Words) -> None:
    """Show versions as the keys say, until `q`; the keys are told below, in the words' language.

    Raises:
        WrongUsage: input or output is no terminal.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise WrongUsage("--step needs a terminal; use --at V to see one version without it")
    strange = ""
    with _raw_keys():
        while True:
            help = words.say("keys", far=FAR, at=at, last=last)
            sys.stdout.write(_CLEAR)
            show(f"{text(at)}\n{strange}{help}\n")
            key = os.read(sys.stdin.fileno(), 8)
            if key in QUIT:
                return
            strange = "" if key in KNOWN else words.say("strange_key") + "\n"
            at = max(1, min(last, _moved(at, last, key)))


def _moved(at: int, last: int, key: bytes) -> int:
    if key in FIRST:
        return 1
    if key in LAST:
        return last
    steps = ((ON, 1), (BACK, -1), (FAR_ON, FAR), (FAR_BACK, -FAR))
    return at + next((step for keys, step in steps if key in keys), 0)


@contextmanager
def _raw_keys() -> Iterator[None]:
    """Let single keys through without echo; the terminal is as it was afterwards."""
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal)
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
