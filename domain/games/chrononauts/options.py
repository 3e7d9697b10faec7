"""The options of Chrononauts: every rule value that its sources dispute, with its default."""

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from domain.engine.errors import InvalidOptions
from domain.engine.events import Fact
from domain.engine.ids import Scalar
from domain.engine.options import chosen, to_options
from domain.games.chrononauts.publish import published


class Options(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """How this match is played; a paragraph of the rules stands behind every value."""

    variant: Annotated[
        Literal["standard", "artifaxx", "solonauts"],
        Meta(
            description="standard: the whole game. artifaxx: artifacts and missions only, 2 to 4 "
            "seats. solonauts: one seat brings eight characters home. (rules 16)"
        ),
    ] = "standard"
    hand_victory: Annotated[
        int,
        Meta(
            ge=0,
            le=80,
            description="Cards in hand at the end of the own turn that win; 0: off. "
            "artifaxx plays with 0. (rules 10, 18)",
        ),
    ] = 10
    paradox_limit: Annotated[
        int,
        Meta(
            ge=0,
            le=19,
            description="Open paradoxes that destroy the universe; 19 means all of "
            "them, 0 off. (rules 8, 18)",
        ),
    ] = 13
    kill_time: Annotated[
        Literal["discard-first", "draw-first"],
        Meta(
            description="Killing time: second discard before the draw, or after it. (rules 3, 18)"
        ),
    ] = "discard-first"
    mona_lisa: Annotated[
        Literal["by-mission", "genuine-only"],
        Meta(
            description="genuine-only: a mission that names a Mona Lisa takes only the most "
            "genuine one on the table; the all-three and forgery missions keep their reading. "
            "(rules 11, 18)"
        ),
    ] = "by-mission"
    courtesy_swap: Annotated[
        bool,
        Meta(description="Each seat may swap the identity dealt, once, before play. (rules 2.6)"),
    ] = False
    window_seconds: Annotated[
        int,
        Meta(
            ge=1,
            le=86_400,
            description="Seconds in which the other seats may answer a play with "
            "a Memo. (rules 12)",
        ),
    ] = 30
    late_paradoxes_count: Annotated[
        bool,
        Meta(
            description="Paradoxes after 1962 count towards the limit during World War III. "
            "(rules 9.4, 19.3)"
        ),
    ] = False
    misfit_1945: Annotated[
        Literal["forbidden", "wasted"],
        Meta(
            description="A 1945 patch that does not fit: cannot be played, or is nullified at once "
            "and still pays its card. (rules 7, 19.2)"
        ),
    ] = "forbidden"
    ripple_1944: Annotated[
        Literal["and", "or"],
        Meta(
            description="1944 is a paradox while both or any of 1936 and 1941 are altered. "
            "(rules 19.15)"
        ),
    ] = "and"
    restoring_targets: Annotated[
        bool,
        Meta(
            description="Limited inverters also restore: 1936 and 1981 by Prevent Assassination, "
            "1937 by Sabotage. (rules 19.9)"
        ),
    ] = True
    new_mission_target: Annotated[
        Literal["any", "self"],
        Meta(description="Whom New Mission may be aimed at. (rules 14)"),
    ] = "any"
    discontinuity: Annotated[
        Literal["choice", "left"],
        Meta(
            description="Which way the hands go: the player of the card says, or always left. "
            "(rules 19.14)"
        ),
    ] = "choice"
    sell_draws: Annotated[
        int, Meta(ge=1, le=10, description="Cards for a sold artifact. (rules 19.13)")
    ] = 2
    sell_bonus_draws: Annotated[
        int, Meta(ge=1, le=10, description="Cards for one on the card's bonus list. (rules 19.13)")
    ] = 3
    turn_cap: Annotated[
        int,
        Meta(
            ge=0,
            le=100_000,
            description="Turns of all seats together after which nobody wins; 0: off. (rules 20)",
        ),
    ] = 0
    solo_characters: Annotated[
        int, Meta(ge=1, le=14, description="solonauts: characters to bring home. (rules 16)")
    ] = 8
    solo_hand: Annotated[
        int, Meta(ge=1, le=20, description="solonauts: size of the open hand. (rules 16)")
    ] = 5


PRESETS: Mapping[str, Mapping[str, Scalar]] = {
    "published": {},
    "sheet": {
        "handVictory": 11,
        "paradoxLimit": 19,
        "killTime": "draw-first",
        "monaLisa": "genuine-only",
    },
}

_SEATS = {"standard": range(2, 7), "artifaxx": range(2, 5), "solonauts": range(1, 2)}


def configure(
    seats: int, given: Mapping[str, Scalar], facts: tuple[Fact, ...]
) -> dict[str, Scalar]:
    """Return the complete options of a match.

    Raises:
        InvalidOptions: an unknown name or preset, a value out of range, seats that the variant does
            not take, or a fact that no card has.
    """
    wanted = chosen(given, PRESETS, "published")
    if wanted.get("variant") == "artifaxx":
        wanted["handVictory"] = given.get("handVictory", 0)
    options = to_options(wanted, Options)
    if seats not in _SEATS[options.variant]:
        allowed = _SEATS[options.variant]
        raise InvalidOptions(
            f"options: variant {options.variant} takes {allowed[0]} to {allowed[-1]} seats",
            seats=[allowed[0], allowed[-1]],
        )
    published(facts)  # refuses bad facts
    complete: dict[str, Scalar] = msgspec.to_builtins(options)
    return complete
