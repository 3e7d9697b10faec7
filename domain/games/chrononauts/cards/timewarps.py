"""The 10 timewarps; none of them can be fetched by another."""

from domain.engine.effects import Ask
from domain.games.chrononauts.words import (
    LIKELY,
    STAND_IN,
    Draw,
    Fetch,
    GrantPlays,
    Kind,
    PlayCard,
    PlayFetched,
    ShuffleDraw,
)

COUNT = {"count": STAND_IN}

TIMEWARPS = (
    PlayCard(
        id="T-REWIND",
        kind=Kind.TIMEWARP,
        count=3,
        needs=(Fetch("discard"),),
        does=(Ask(Fetch("discard"), "fetch"), PlayFetched("discard")),
        provenance=COUNT,
    ),
    PlayCard(
        id="T-QUICK-TRIP",
        kind=Kind.TIMEWARP,
        count=2,
        needs=(Fetch("draw"),),
        does=(Ask(Fetch("draw"), "fetch"), PlayFetched("draw"), ShuffleDraw()),
        provenance={"count": STAND_IN, "does": LIKELY},
    ),
    PlayCard(
        id="T-FAST-FORWARD",
        kind=Kind.TIMEWARP,
        count=2,
        does=(Draw(2), GrantPlays(2)),
        provenance=COUNT,
    ),
    PlayCard(id="T-MEMO", kind=Kind.TIMEWARP, count=3, out_of_turn=True, provenance=COUNT),
)
