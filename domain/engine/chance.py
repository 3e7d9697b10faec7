"""Randomness as a function: the same seed and version always give the same draws.

BLAKE2b in counter mode yields 64-bit words; rejection sampling makes `below` uniform and a plain
Fisher-Yates makes `shuffled`. Nothing here depends on the interpreter's own generator, whose
shuffles may change between versions of Python. Results are recorded in events, so folding a log
never comes here.
"""

from collections.abc import Iterable
from hashlib import blake2b, sha256
from typing import TypeVar

T = TypeVar("T")
_SPAN = 1 << 64


class Chance:
    """A stream of draws for one event of one match."""

    __slots__ = ("_counter", "_key", "_words")

    def __init__(self, seed: str, version: int) -> None:
        """Start the stream of `version`; `seed` is the match's secret in hexadecimal."""
        self._key = f"{seed}:{version}".encode()
        self._counter = 0
        self._words: list[int] = []

    def _word(self) -> int:
        if not self._words:
            block = blake2b(self._key + b":%d" % self._counter).digest()
            self._counter += 1
            self._words = [int.from_bytes(block[at : at + 8], "big") for at in range(0, 64, 8)]
        return self._words.pop()

    def below(self, bound: int) -> int:
        """Return a uniform number from 0 to `bound - 1`; `bound` is at least 1."""
        limit = _SPAN - _SPAN % bound
        while True:
            word = self._word()
            if word < limit:
                return word % bound

    def shuffled(self, items: Iterable[T]) -> tuple[T, ...]:
        """Return the items in a uniformly random order."""
        deck = list(items)
        for last in range(len(deck) - 1, 0, -1):
            other = self.below(last + 1)
            deck[last], deck[other] = deck[other], deck[last]
        return tuple(deck)


def commitment(seed: str, salt: str) -> str:
    """Return the SHA-256 (hexadecimal) over the bytes of seed and salt, both hexadecimal."""
    return sha256(bytes.fromhex(seed) + bytes.fromhex(salt)).hexdigest()
