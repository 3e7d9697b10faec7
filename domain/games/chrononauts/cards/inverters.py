"""The 20 inverters. A limited one turns its linchpins towards the named outcome only."""

from domain.engine.effects import Ask
from domain.games.chrononauts.words import (
    LIKELY,
    STAND_IN,
    Kind,
    PlayCard,
    TurnLinchpin,
    WhichLinchpin,
)

LINCHPIN = (Ask(WhichLinchpin(), "linchpin"),)
TURN = (TurnLinchpin(),)

INVERTERS = (
    PlayCard(id="I-REVERSE-FATE", kind=Kind.INVERTER, count=9, targets=LINCHPIN, does=TURN),
    PlayCard(
        id="I-RESTORE-HISTORY",
        kind=Kind.INVERTER,
        count=3,
        targets=LINCHPIN,
        does=TURN,
        toward="true",
        provenance={"count": STAND_IN},
    ),
    PlayCard(
        id="I-PREVENT-ASSASSINATION",
        kind=Kind.INVERTER,
        count=3,
        targets=LINCHPIN,
        does=TURN,
        turns="1865' 1914' 1936 1963' 1980' 1981",
        provenance={"count": STAND_IN, "turns": LIKELY},
    ),
    PlayCard(
        id="I-AVERT-DISASTER",
        kind=Kind.INVERTER,
        count=3,
        targets=LINCHPIN,
        does=TURN,
        turns="1912' 1915' 1937'",
        provenance={"count": STAND_IN},
    ),
    PlayCard(
        id="I-HALT-ATTACK",
        kind=Kind.INVERTER,
        count=1,
        targets=LINCHPIN,
        does=TURN,
        turns="1915' 1941' 1993'",
        provenance={"count": STAND_IN, "turns": LIKELY},
    ),
    PlayCard(
        id="I-SABOTAGE",
        kind=Kind.INVERTER,
        count=1,
        targets=LINCHPIN,
        does=TURN,
        turns="1937 1943' 1957'",
        provenance={"count": STAND_IN, "turns": LIKELY},
    ),
)
