"""What of a running match travels into a fork: nothing that its maker may not know."""

from typing import Any

import pytest

from domain.engine.chance import Chance
from domain.engine.codec import encode
from domain.engine.decider import CreateMatch, carry_out, create
from domain.engine.effects import Who
from domain.engine.fork import forked, is_forkable
from domain.engine.layout import LayOut
from domain.engine.match import Match, to_state
from domain.engine.redaction import redact
from tests.engine.lab import Finish, Report, answer, ask, begin
from tests.kit.laws import other_world, viewers
from tests.kit.matches import CASES, Case, walk


def test_a_match_that_asks_nobody_is_not_forked() -> None:
    match = begin(ask("one"), Finish())
    assert is_forkable(match, 0)
    over = answer(match, 0, "a")
    assert not is_forkable(over, "all")
    assert not is_forkable(over, 0)


def test_answers_of_others_do_not_travel() -> None:
    match = begin(ask("one", Who.ALL), Report(), Finish(), seats=3)
    assert is_forkable(match, 0)
    match = answer(match, 0, "a")
    assert [is_forkable(match, viewer) for viewer in (0, 1, None)] == [True, False, False]
    assert is_forkable(match, "all")
    match = answer(match, 1, "a")
    assert not is_forkable(match, 0)


def test_what_others_have_bound_does_not_travel() -> None:
    match = answer(begin(ask("one"), ask("two"), Finish()), 0, "a")
    assert is_forkable(match, 0)
    assert not is_forkable(match, 1)
    match = begin(ask("one", Who.ALL), ask("two"), Finish())
    for seat in (0, 1):
        match = answer(match, seat, "a")
    assert [is_forkable(match, viewer) for viewer in (0, 1, None)] == [False, False, False]


def test_a_card_that_is_named_under_way_does_not_travel() -> None:
    match = begin(ask("one", words=("ace",)), Finish())
    assert not is_forkable(match, 0)
    assert is_forkable(match, "all")


def _fork(match: Match[Any], viewer: int | None) -> bytes:
    return encode(forked(match, viewer, Chance("deal", match.version)))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_forks_of_two_worlds_are_the_same(case: Case) -> None:
    """Byte for byte, the whole state: so it holds nothing that the viewer cannot see."""
    count = 0
    for number in range(2):
        steps = list(walk(case, number, concede=4))
        for step in steps[:: max(6, len(steps) // 12)]:
            match = step.after
            for viewer in (*match.seats, None):
                chance = Chance(f"fork {number}", match.version)
                other = other_world(match, viewer, chance)
                able = is_forkable(match, viewer)
                assert able == is_forkable(other, viewer)
                if able:
                    count += 1
                    assert _fork(match, viewer) == _fork(other, viewer)
    assert count > 5


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_fork_can_be_set_up_and_looks_the_same_to_its_maker(case: Case) -> None:
    able = {True: 0, False: 0}
    steps = list(walk(case, 5))
    for step in steps[:: max(1, len(steps) // 20)]:
        match = step.after
        for viewer in viewers(match):
            if match.outcome is None and viewer != "all":
                able[is_forkable(match, viewer)] += 1
            if not is_forkable(match, viewer):
                continue
            state = forked(match, viewer, Chance("fork", match.version))
            _, table = create(CreateMatch(case.game, case.seats, case.options))
            laid = carry_out(table, LayOut("fork", state)).match
            assert redact(laid, viewer).board == redact(match, viewer).board
            if viewer == "all":
                assert to_state(laid) == to_state(match)
    assert able[True] > 5
