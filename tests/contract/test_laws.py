"""The laws that every registered game obeys, on seeded walks through its matches.

A walk answers out of order, lets windows expire and seats concede; every third one is played by the
greedy bot. The laws themselves stand in `tests/kit/laws.py`.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from itertools import accumulate
from typing import Any

import pytest

from domain.engine.codec import codec, encode
from domain.engine.decider import carry_out, fold
from domain.engine.events import Event
from domain.engine.game import Turn, game_of
from domain.engine.match import Match, evolve, turn_of
from domain.engine.playout import at_random, opening, plies
from domain.engine.redaction import redact
from tests.kit.laws import (
    cards_on,
    check_legality,
    check_moves,
    check_redaction,
    check_round_trip,
    viewers,
)
from tests.kit.matches import CASES, Case, Step, by_liking, seed_of, walk

WALKS = range(3)
every_case = pytest.mark.parametrize("case", CASES, ids=str)


def steps(case: Case, number: int) -> Iterator[Step]:
    chooser = by_liking if number % 3 == 2 else at_random
    return walk(case, number, chooser, concede=4 * (number % 2), expire=10)


def folds(case: Case, number: int) -> Iterator[Match[Any]]:
    """Yield the match after each event of a walk, from its creation on."""
    log, _ = opening(case.game, case.seats, seed_of(number), case.options)
    yield from accumulate(log[1:], evolve, initial=fold(log[:1]))
    for step in steps(case, number):
        for _, _, after in step.folds():
            yield after


@every_case
def test_replay_gives_the_match_again(case: Case) -> None:
    for number in WALKS:
        log, match = opening(case.game, case.seats, seed_of(number), case.options)
        for step in steps(case, number):
            log += step.events
            match = step.after
        assert fold(log) == match
        assert fold(codec(case.game).events(encode(log))) == match


@every_case
def test_a_feed_agrees_with_a_fresh_read_after_every_event(case: Case) -> None:
    for number in WALKS:
        log, _ = opening(case.game, case.seats, seed_of(number), case.options)
        match = fold(log[:1])
        for event in log[1:]:
            after = fold([event], match)
            check_redaction(match, event, after)
            match = after
        for step in steps(case, number):
            for before, event, after in step.folds():
                check_redaction(before, event, after)


@every_case
def test_matches_and_events_survive_bytes(case: Case) -> None:
    for number in WALKS:
        for at, step in enumerate(steps(case, number)):
            if at % 5 == 0:
                check_round_trip(step.after, step.events)


@every_case
def test_no_card_is_lost_or_doubled(case: Case) -> None:
    for number in WALKS:
        _, match = opening(case.game, case.seats, seed_of(number), case.options)
        cards = cards_on(match)
        assert cards
        for step in steps(case, number):
            for _, event, after in step.folds():
                assert cards_on(after) == cards, event


@every_case
def test_legal_answers_are_accepted_and_others_refused(case: Case) -> None:
    for number in WALKS:
        for at, step in enumerate(steps(case, number)):
            if at % 7 == 0 and step.after.outcome is None:
                check_legality(step.after)


@every_case
def test_named_moves_are_accepted_and_cover_every_play(case: Case) -> None:
    for number in WALKS:
        for at, step in enumerate(steps(case, number)):
            if at % 7 == 0:
                check_moves(step.after)


@every_case
def test_the_same_command_makes_the_same_happen(case: Case) -> None:
    """Also in a process that has not seen the match before, so has no agenda at hand."""
    for number in WALKS:
        for at, step in enumerate(steps(case, number)):
            if at % 5 == 0:
                words = codec(case.game)
                cold = words.match(encode(step.before))
                words._remembered.clear()
                again = carry_out(cold, step.command)
                assert tuple(again.events) == step.events
                assert again.match == step.after


@every_case
def test_turns_count_up_one_by_one_for_everybody(case: Case) -> None:
    for number in WALKS:
        before = Turn(0, 0)
        for match in folds(case, number):
            turn = turn_of(match)
            assert turn.number - before.number in (0, 1)
            assert turn.number > before.number or turn.seat == before.seat or not turn.number
            assert turn.seat in match.seats
            assert all(turn_of(redact(match, viewer)) == turn for viewer in viewers(match))
            before = turn
        assert before.number > 0


@every_case
def test_a_turn_begins_with_the_event_that_the_game_names(case: Case) -> None:
    begins = game_of(case.game).begins
    assert begins is not None
    for number in WALKS:
        for step in steps(case, number):
            for match, event, then in step.folds():
                before, after = turn_of(match), turn_of(then)
                assert (after.number > before.number) == isinstance(event, begins)
                assert not isinstance(event, begins) or getattr(event, "seat", None) == after.seat


@every_case
def test_a_match_comes_to_its_end(case: Case) -> None:
    for number in WALKS:
        _, match = opening(case.game, case.seats, seed_of(number), case.options)
        for chooser in (at_random, by_liking):
            *_, (_, _, last) = plies(match, seed_of(number), chooser, limit=3_000)
            assert last.outcome is not None


def log_digest(case: Case) -> str:
    log: list[Event] = []
    for step in steps(case, 1):
        log += step.events
    return sha256(encode(log)).hexdigest()


def test_the_hash_seed_of_the_process_changes_nothing() -> None:
    program = (
        "from tests.contract.test_laws import CASES, log_digest\n"
        "for case in CASES: print(log_digest(case))"
    )
    for hash_seed in ("0", "20240607"):
        run = subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            check=True,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
        )
        assert run.stdout.split() == [log_digest(case) for case in CASES]
