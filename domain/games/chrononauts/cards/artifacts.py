"""The 15 artifacts, one copy each. Mona Lisas have a rank: 1 is the most convincing."""

from domain.games.chrononauts.words import LIKELY, STAND_IN, Kind, PlayCard

ARTIFACT = Kind.ARTIFACT

ARTIFACTS = (
    PlayCard(id="A-MONA-REAL", kind=ARTIFACT, family="mona-lisa", rank=1),
    PlayCard(id="A-MONA-EXCELLENT", kind=ARTIFACT, family="mona-lisa", rank=2),
    PlayCard(id="A-MONA-OBVIOUS", kind=ARTIFACT, family="mona-lisa", rank=3),
    PlayCard(id="A-REX", kind=ARTIFACT, family="dinosaur", provenance={"family": LIKELY}),
    PlayCard(id="A-RONGO", kind=ARTIFACT, family="mystery", provenance={"family": STAND_IN}),
    PlayCard(id="A-ARK", kind=ARTIFACT, family="relic", provenance={"family": LIKELY}),
    PlayCard(id="A-VIDEO", kind=ARTIFACT, family="mystery", provenance={"family": STAND_IN}),
    PlayCard(id="A-CURE", kind=ARTIFACT, family="wisdom", provenance={"family": LIKELY}),
    PlayCard(id="A-SHAKESPEARE", kind=ARTIFACT, family="mystery", provenance={"family": STAND_IN}),
    PlayCard(
        id="A-DINO-2",
        kind=ARTIFACT,
        family="dinosaur",
        provenance={"name": STAND_IN, "family": LIKELY},
    ),
    PlayCard(
        id="A-DINO-3",
        kind=ARTIFACT,
        family="dinosaur",
        provenance={"name": STAND_IN, "family": STAND_IN},
    ),
    PlayCard(id="A-CROWN", kind=ARTIFACT, family="relic", provenance={"family": LIKELY}),
    PlayCard(
        id="A-RELIC-3",
        kind=ARTIFACT,
        family="relic",
        provenance={"name": STAND_IN, "family": STAND_IN},
    ),
    PlayCard(
        id="A-WISDOM-2",
        kind=ARTIFACT,
        family="wisdom",
        provenance={"name": STAND_IN, "family": STAND_IN},
    ),
    PlayCard(
        id="A-WISDOM-3",
        kind=ARTIFACT,
        family="wisdom",
        provenance={"name": STAND_IN, "family": STAND_IN},
    ),
)
