"""What can be left of a program: the programs that a pending choice may name.

A frame holds what remains of a program that the rules have put on the agenda: of a turn, or of what
a card says. A resolver takes the first effect and may put others in its place, so what can be left
is a closed set: the program, without its first effect, with each of the fronts that may follow it,
and so on. A game says what may follow each effect; numbers and cards that only the table knows are
wiped out first, and looked at by themselves.

One step: of `play, end_turn`, where `ask, played` may follow `play`, there can be left
`play, end_turn`, `ask, played, end_turn`, `played, end_turn`, `end_turn` and nothing.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from domain.engine.effects import Ask, Effect
from domain.engine.ids import Picks

Program: TypeAlias = tuple[Effect, ...]

MOST_FRAMES: Final = 64
"""Programs upon programs that may be pending: in thousands of random matches none came to ten."""


class Remainders(NamedTuple):
    """What can be left in a frame that waits for an answer, and in one that others lie upon."""

    asking: frozenset[Program]
    beneath: frozenset[Program]

    def hold(self, todo: Program, top: bool) -> bool:
        """Tell whether that can be left, in the frame on top or in another."""
        return todo in (self.asking if top else self.beneath)

    def __or__(self, other: "Remainders") -> "Remainders":
        """Return what can be left of the programs of either."""
        return Remainders(self.asking | other.asking, self.beneath | other.beneath)


def remainders(
    programs: Sequence[Program], follows: Callable[[Effect], Iterable[Program]]
) -> Remainders:
    """Return what can be left of programs while they are carried out.

    What puts another frame on top has been taken off then, and may have put something in its place,
    but no question: so what waits for the answer to one never comes first beneath.
    """
    found: set[Program] = set()
    unseen = [*programs]
    while unseen:
        todo = unseen.pop()
        if todo in found:
            continue
        found.add(todo)
        if todo:
            unseen.append(todo[1:])
            unseen += [(*front, *todo[1:]) for front in follows(todo[0])]
    asking = frozenset(todo for todo in found if todo and type(todo[0]) is Ask)
    taken = {todo[1:] for todo in found - asking if todo}
    in_place = found - asking - {todo[1:] for todo in asking}
    return Remainders(asking, frozenset(taken | in_place))


def is_bound(bound: Mapping[str, Picks], words: Mapping[str, re.Pattern[str]], most: int) -> bool:
    """Tell whether answers are of the kind that stands under their names, at most so many each.

    Those of several seats stand under `name@seat`.
    """
    return all(
        len(picks) <= most and all(_is_word(words, name, pick) for pick in picks)
        for name, picks in bound.items()
    )


def _is_word(words: Mapping[str, re.Pattern[str]], name: str, pick: str) -> bool:
    kind = words.get(re.sub(r"@[0-9]{1,2}$", "@", name))
    return kind is not None and kind.fullmatch(pick) is not None


def one_of(words: Iterable[str]) -> str:
    """Return a pattern that matches these words only."""
    return f"(?:{'|'.join(map(re.escape, words))})"


def nothing_strange(board: object, frames: object) -> Iterator[int]:
    """Find no strange frame: for a game whose boards nobody lays out."""
    return iter(())
