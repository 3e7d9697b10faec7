"""Whatever facts the game takes, a match with them can be played."""

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from domain.engine.decider import (
    CreateMatch,
    StartMatch,
    TakeSeat,
    create,
    decide,
    fold,
    open_choice,
)
from domain.engine.errors import InvalidOptions
from domain.engine.events import Event, Fact
from domain.engine.playout import plies
from domain.games.chrononauts import GAME
from domain.games.chrononauts.publish import published

YEARS = [card.id for card in published() if card.kind in {"linchpin", "ripplepoint"}]
SIDES = st.lists(st.sampled_from([*YEARS, *(f"{year}'" for year in YEARS)]), max_size=4).map(
    " ".join
)
SLOTS = ["mona-lisa", "forgery", *(card.id for card in published() if card.kind == "artifact")]
FAMILIES = st.sampled_from(["mona-lisa", "dinosaur", "relic", "=x", "家", ""])
VALUES = {
    "count": st.integers(-1, 4).map(str),
    "turns": SIDES,
    "requires": SIDES,
    "years": SIDES,
    "family": FAMILIES,
    "bonus": st.lists(FAMILIES, max_size=3).map(" ".join),
    "slots": st.lists(st.sampled_from(SLOTS), min_size=2, max_size=5).map(" ".join),
    "needs": st.sampled_from(["2", "3", "4", "three"]),
}


@st.composite
def facts(draw: st.DrawFn) -> tuple[Fact, ...]:
    """Replace facts of some cards by values that the game takes one by one."""
    chosen = []
    for card in published():
        for name in sorted({"count", *card.facts} & set(VALUES)):
            if draw(st.integers(0, 2)) == 0:
                fact = Fact(card.id, name, draw(VALUES[name]))
                if is_taken((fact,)):
                    chosen.append(fact)
    return tuple(chosen)


def is_taken(facts: tuple[Fact, ...]) -> bool:
    try:
        GAME.cards(facts)
    except InvalidOptions:
        return False
    return True


@given(facts(), st.sampled_from(["standard", "artifaxx", "solonauts"]), st.integers(0, 999))
@settings(max_examples=40)
def test_a_match_with_any_facts_taken_can_be_played(
    facts: tuple[Fact, ...], variant: str, seed: int
) -> None:
    assume(is_taken(facts))
    seats = 1 if variant == "solonauts" else 3
    options: dict[str, bool | int | str] = {"variant": variant, "turnCap": 60}
    first, _ = create(CreateMatch(game="chrononauts", seats=seats, options=options, facts=facts))
    events: list[Event] = [first]
    for seat in range(seats):
        events += decide(fold(events), TakeSeat(seat, f"player {seat}"))
    events += decide(fold(events), StartMatch(seed=f"{seed:032}", salt="0" * 64))
    match = fold(events)
    for _, _, after in plies(match, str(seed), limit=5000):
        match = after
        for seat in match.asked:
            choice = open_choice(match, seat)
            assert choice is not None
            assert len({option.id for option in choice.options}) == len(choice.options)
    assert match.outcome is not None
