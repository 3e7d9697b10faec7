"""The 10 missions: the artifacts to lay down."""

from domain.games.chrononauts.words import LIKELY, STAND_IN, Mission

MISSIONS = (
    Mission(
        id="M-GREAT-MYSTERIES",
        slots=("A-RONGO", "A-VIDEO", "A-SHAKESPEARE"),
        provenance={"slots": STAND_IN},
    ),
    Mission(
        id="M-MONA-DINOSAUR",
        slots=("mona-lisa", "A-REX", "A-SHAKESPEARE"),
        provenance={"slots": LIKELY},
    ),
    Mission(
        id="M-ALL-MONAS",
        slots=("A-MONA-REAL", "A-MONA-EXCELLENT", "A-MONA-OBVIOUS"),
        provenance={"name": LIKELY},
    ),
    Mission(
        id="M-FORGERY",
        slots=("forgery", "A-CURE", "A-DINO-2"),
        provenance={"name": STAND_IN, "slots": STAND_IN},
    ),
    Mission(
        id="M-DINOSAURS",
        slots=("A-REX", "A-DINO-2", "A-DINO-3"),
        provenance={"name": STAND_IN, "slots": STAND_IN},
    ),
    Mission(
        id="M-RELICS",
        slots=("A-ARK", "A-CROWN", "A-RELIC-3"),
        provenance={"name": STAND_IN, "slots": STAND_IN},
    ),
    Mission(
        id="M-WISDOM",
        slots=("A-CURE", "A-WISDOM-2", "A-WISDOM-3"),
        provenance={"name": STAND_IN, "slots": STAND_IN},
    ),
    Mission(
        id="M-MIXED-1",
        slots=("A-VIDEO", "A-CROWN", "A-WISDOM-2"),
        provenance={"name": STAND_IN, "slots": STAND_IN},
    ),
    Mission(
        id="M-MIXED-2",
        slots=("A-RONGO", "A-ARK", "A-DINO-3"),
        provenance={"name": STAND_IN, "slots": STAND_IN},
    ),
    Mission(
        id="M-MIXED-3",
        slots=("A-SHAKESPEARE", "A-RELIC-3", "A-WISDOM-3"),
        provenance={"name": STAND_IN, "slots": STAND_IN},
    ),
)
