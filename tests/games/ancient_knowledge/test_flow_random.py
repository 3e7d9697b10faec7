"""Matches of random legal answers: they end, and no invariant breaks on the way."""

from collections import Counter

import pytest

from domain.engine.chance import Chance
from domain.engine.choices import Choice
from domain.engine.codec import codec, encode
from domain.engine.decider import fold
from domain.engine.events import Event
from domain.engine.ids import Picks, Scalar
from domain.engine.match import Match
from domain.engine.playout import opening
from domain.games.ancient_knowledge import GAME
from domain.games.ancient_knowledge.board import Board
from domain.games.ancient_knowledge.catalogue import BUILDER, TECHNOLOGY
from tests.games.ancient_knowledge.table import check_board
from tests.kit.laws import check_legality, check_moves, check_redaction, check_secrecy
from tests.kit.matches import Case, by_liking, seed_of, walk

ALL = Counter([*BUILDER, *TECHNOLOGY])
OPTIONS: tuple[dict[str, Scalar], ...] = (
    {},
    {"startingHands": "ready-made"},
    {"extraCard": False},
    {"lostUpTo": "maximum"},
    {"turnCap": 30},
)
WEIGHTS = {"create": 5, "learn": 5, "excavate": 3, "archive": 2, "search": 1}


def eager(_: Match[Board], choice: Choice, chance: Chance) -> Picks:
    """Pick any number of anything, but rather a creation than another action."""
    if choice.prompt == "action":
        verbs = {option.id.partition(":")[0] for option in choice.options}
        hat = [verb for verb in sorted(verbs) for _ in range(WEIGHTS[verb])]
        verb = hat[chance.below(len(hat))]
        fitting = [one.id for one in choice.options if one.id.partition(":")[0] == verb]
        return (fitting[chance.below(len(fitting))],)
    pool = [option.id for option in choice.options for _ in range(option.limit)]
    count = choice.min + chance.below(choice.max - choice.min + 1)
    return chance.shuffled(pool)[:count]


@pytest.mark.parametrize("number", range(20))
def test_a_random_match_ends_and_keeps_every_invariant(number: int) -> None:
    case = Case(GAME.name, 2 + number % 3, OPTIONS[number // 3 % len(OPTIONS)])
    log, _ = opening(case.game, case.seats, seed_of(number), case.options)
    events: list[Event] = list(log)
    match = fold(events)
    for step in walk(case, number, eager, concede=2 if number % 4 == 0 else 0, limit=5_000):
        for _before, _event, after in step.folds():
            check_board(after.board, ALL)
        events += step.events
        match = step.after
    assert match.outcome is not None
    assert fold(codec(case.game).events(encode(events))) == match


@pytest.mark.parametrize("number", range(3))
def test_every_viewer_can_follow_a_random_match(number: int) -> None:
    case = Case(GAME.name, 2 + number, {})
    for step in walk(case, number, eager, concede=3, limit=150):
        for before, event, after in step.folds():
            check_redaction(before, event, after)


@pytest.mark.parametrize("number", range(3))
def test_choices_and_named_moves_are_legal_in_a_random_match(number: int) -> None:
    case = Case(GAME.name, 2 + number, {})
    for count, step in enumerate(walk(case, 50 + number, eager, limit=220)):
        if count % 20 == 0 and step.after.outcome is None:
            check_legality(step.after)
            check_moves(step.after)


@pytest.mark.parametrize("number", range(4))
def test_nobody_learns_what_lies_face_down(number: int) -> None:
    case = Case(GAME.name, 2 + number % 3, {})
    compared = 0
    for count, step in enumerate(walk(case, 90 + number, eager, limit=400)):
        match, chance = step.after, Chance(f"secrecy {number}", count)
        if match.outcome is None and (count % 20 == 0 or match.prompt in ("take", "steal", "may")):
            viewer = chance.below(case.seats + 1)
            compared += check_secrecy(match, None if viewer == case.seats else viewer, chance)
    assert compared > 20


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_bots_finish_a_match_with_points(seats: int) -> None:
    last = None
    for last in walk(Case(GAME.name, seats, {}), 7, by_liking, limit=5_000):
        check_board(last.after.board, ALL)
    assert last is not None
    outcome = last.after.outcome
    assert outcome is not None
    assert outcome.scores is not None
    assert outcome.reasons == ("fourteen_monuments",)
    assert max(outcome.scores) > 0
