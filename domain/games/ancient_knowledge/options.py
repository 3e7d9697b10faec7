"""The options of Ancient Knowledge: every rule value that its sources dispute, with its default."""

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from domain.engine.errors import InvalidOptions
from domain.engine.events import Fact
from domain.engine.ids import Scalar
from domain.engine.options import chosen, to_options


class Options(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """How this match is played; a paragraph of the rules stands behind every value."""

    starting_hands: Annotated[
        Literal["draft", "ready-made"],
        Meta(
            description="draft: 10 cards, keep 6, all at the same time. ready-made: one of four "
            "fixed hands at random. (rules 4)"
        ),
    ] = "draft"
    extra_card: Annotated[
        bool,
        Meta(description="The third and the fourth seat in turn order draw one more. (rules 4.5)"),
    ] = True
    lost_up_to: Annotated[
        Literal["choice", "maximum"],
        Meta(
            description="An 'up to' on own lost knowledge is the player's choice, or as much "
            "as possible. (rules OQ-4, OQ-5)"
        ),
    ] = "choice"
    turn_cap: Annotated[
        int,
        Meta(
            ge=0,
            le=100_000,
            description="Turns of all seats together after which the match is scored; 0: off.",
        ),
    ] = 0


PRESETS: Mapping[str, Mapping[str, Scalar]] = {
    "published": {},
    "first-game": {"startingHands": "ready-made"},
}


def configure(
    seats: int, given: Mapping[str, Scalar], facts: tuple[Fact, ...]
) -> dict[str, Scalar]:
    """Return the complete options of a match.

    Raises:
        InvalidOptions: an unknown name or preset, a value out of range, or any fact: all facts of
            this game are known, so there is none to replace.
    """
    options = to_options(chosen(given, PRESETS, "published"), Options)
    if facts:
        raise InvalidOptions("facts: this game has no facts to replace")
    complete: dict[str, Scalar] = msgspec.to_builtins(options)
    return complete
