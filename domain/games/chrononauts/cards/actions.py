"""The 14 actions."""

from domain.engine.effects import Ask
from domain.games.chrononauts.words import (
    LIKELY,
    STAND_IN,
    DealHands,
    DestroyArtifact,
    Kind,
    Miracle,
    NewSecret,
    PassHands,
    PlayCard,
    SellArtifact,
    TakeArtifact,
    WhichArtifact,
    WhichDirection,
    WhichPlayer,
)

OWN_ARTIFACT = (Ask(WhichArtifact("own"), "artifact"),)

ACTIONS = (
    PlayCard(
        id="X-GET-THERE-FIRST",
        kind=Kind.ACTION,
        count=3,
        targets=(Ask(WhichArtifact("opponents"), "artifact"),),
        does=(TakeArtifact(),),
        provenance={"count": STAND_IN, "does": LIKELY},
    ),
    PlayCard(
        id="X-IT-NEVER-EXISTED",
        kind=Kind.ACTION,
        count=2,
        targets=(Ask(WhichArtifact("any"), "artifact"),),
        does=(DestroyArtifact(),),
        provenance={"count": STAND_IN, "does": LIKELY},
    ),
    PlayCard(
        id="X-SELL",
        kind=Kind.ACTION,
        count=2,
        targets=OWN_ARTIFACT,
        does=(SellArtifact(),),
        bonus=("mona-lisa", "dinosaur"),
        provenance={"name": STAND_IN, "count": STAND_IN, "does": LIKELY, "bonus": STAND_IN},
    ),
    PlayCard(
        id="X-MIRACLE-BIBLICAL",
        kind=Kind.ACTION,
        count=1,
        targets=OWN_ARTIFACT,
        does=(Miracle(),),
        bonus=("relic",),
        provenance={"count": STAND_IN},
    ),
    PlayCard(
        id="X-MIRACLE-FUTURE",
        kind=Kind.ACTION,
        count=1,
        targets=OWN_ARTIFACT,
        does=(Miracle(),),
        bonus=("wisdom",),
        provenance={"count": STAND_IN},
    ),
    PlayCard(
        id="X-DISCONTINUITY",
        kind=Kind.ACTION,
        count=2,
        targets=(Ask(WhichDirection(), "direction"),),
        does=(PassHands(),),
        provenance={"count": STAND_IN, "targets": LIKELY},
    ),
    PlayCard(
        id="X-TIME-VORTEX",
        kind=Kind.ACTION,
        count=1,
        does=(DealHands(),),
        provenance={"count": LIKELY},
    ),
    PlayCard(
        id="X-PARENTS",
        kind=Kind.ACTION,
        count=1,
        targets=(Ask(WhichPlayer(), "player"),),
        does=(NewSecret("identity"),),
        provenance={"count": LIKELY},
    ),
    PlayCard(
        id="X-NEW-MISSION",
        kind=Kind.ACTION,
        count=1,
        targets=(Ask(WhichPlayer(mission=True), "player"),),
        does=(NewSecret("mission"),),
        provenance={"count": STAND_IN, "does": LIKELY},
    ),
)
