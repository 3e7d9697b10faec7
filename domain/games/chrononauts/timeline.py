"""The TimeLine as a function of its linchpins: never turned card by card, always computed whole.

A ripplepoint is a paradox while the linchpins that it hangs on are altered (any of them, or all).
So which side shows never depends on the order of events, and ripples need no state of their own.
"""

from functools import lru_cache
from typing import TypeAlias

from msgspec import Struct

from domain.engine.ids import CardId
from domain.games.chrononauts.cards.timeline import POINTS
from domain.games.chrononauts.catalogue import to_sides
from domain.games.chrononauts.words import PlayCard, Point, Year

Patches: TypeAlias = tuple[tuple[Year, CardId], ...]

POINT: dict[Year, Point] = {point.year: point for point in POINTS}
LINCHPINS: tuple[Year, ...] = tuple(point.year for point in POINTS if point.linchpin)
RIPPLEPOINTS: tuple[Year, ...] = tuple(point.year for point in POINTS if not point.linchpin)
WAR: Year = 1962
"""The year whose patch is World War III and puts every later year out of reach."""


class Timeline(Struct, frozen=True, gc=False):
    """What shows on the table. Years in order.

    `paradoxes` show their paradox side, patched or not; `open` are those without a patch that count
    towards the limit; `war` tells whether the years after 1962 are out of reach.
    """

    altered: frozenset[Year]
    paradoxes: frozenset[Year]
    patched: dict[Year, CardId]
    open: tuple[Year, ...]
    war: bool

    def reachable(self, year: Year) -> bool:
        """Tell whether the year can be played on and counts for anybody's home."""
        return not self.war or year <= WAR

    def shows(self, year: Year, primed: bool) -> bool:
        """Tell whether a year shows what a condition or a home asks for.

        A linchpin primed is altered; a ripplepoint primed carries a patch, otherwise it shows its
        true side. A year out of reach shows neither.
        """
        if not self.reachable(year):
            return False
        if POINT[year].linchpin:
            return (year in self.altered) == primed
        return year in self.patched if primed else year not in self.paradoxes


@lru_cache(maxsize=16384)
def timeline(
    altered: tuple[Year, ...], patches: Patches, ripple_1944: str, late_count: bool
) -> Timeline:
    """Return the TimeLine for these altered linchpins and patches.

    Source: rules, sections 5, 8 and 9; the options "ripple1944" and "lateParadoxesCount".
    """
    turned = frozenset(altered)
    paradoxes = frozenset(
        year for year in RIPPLEPOINTS if _is_paradox(POINT[year], turned, ripple_1944)
    )
    patched = dict(patches)
    war = WAR in patched
    counting = (
        year
        for year in RIPPLEPOINTS
        if year in paradoxes and year not in patched and (late_count or not war or year <= WAR)
    )
    return Timeline(turned, paradoxes, patched, tuple(counting), war)


def _is_paradox(point: Point, altered: frozenset[Year], ripple_1944: str) -> bool:
    condition = ripple_1944 if point.year == 1944 else point.condition
    test = all if condition == "and" else any
    return test(year in altered for year in point.hangs_on)


def fits(line: Timeline, requires: str) -> bool:
    """Tell whether the linchpins stand as a card requires (`1936 1941 1943'`)."""
    return all(line.shows(year, primed) for year, primed in to_sides(requires))


def lost_patches(line: Timeline, cards: dict[CardId, PlayCard]) -> Patches:
    """Return the patches that have lost their footing, in order of year.

    A patch goes when its paradox has closed, or when the linchpins that it requires have moved.
    Years out of reach are judged all the same, silently (rules 9).
    """
    return tuple(
        (year, card)
        for year, card in sorted(line.patched.items())
        if year not in line.paradoxes or not _stands(line, cards[card].requires)
    )


def _stands(line: Timeline, requires: str) -> bool:
    return all((year in line.altered) == primed for year, primed in to_sides(requires))


@lru_cache(maxsize=4096)
def legal_linchpins(
    turns: str, toward: str, restoring: bool, altered: frozenset[Year], war: bool
) -> tuple[Year, ...]:
    """Return the linchpins that an inverter may turn now, in order of year.

    A limited inverter works towards the sides that it names only (rules 19.9); `toward` bounds the
    others. Late linchpins are out of reach during the war.
    """
    sides = to_sides(turns) or tuple(
        (year, primed) for year in LINCHPINS for primed in _SIDES[toward]
    )
    limited = bool(turns)
    return tuple(
        sorted(
            year
            for year, primed in sides
            if (year in altered) != primed
            and (primed or restoring or not limited)
            and (not war or year <= WAR)
        )
    )


_SIDES = {"any": (True, False), "true": (False,), "altered": (True,)}
