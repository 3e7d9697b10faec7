from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from domain.engine.audit import Problem, audit, audit_redacted
from domain.engine.chance import Chance
from domain.engine.choices import answers
from domain.engine.decider import (
    Choose,
    Command,
    Concede,
    ExpireChoice,
    carry_out,
    is_window,
    open_choice,
)
from domain.engine.events import (
    ChoiceMade,
    ChoiceOffered,
    Event,
    MatchCreated,
    MatchEnded,
    MatchStarted,
    SeatConceded,
)
from domain.engine.game import game_of
from domain.engine.ids import Scalar, Viewer
from domain.engine.match import Match
from domain.engine.playout import at_random, opening, plies
from domain.engine.redaction import redact_event
from domain.games.chrononauts import events as e

Commits = list[tuple[Event, ...]]
SEED = "0af1" * 8
RULESET = game_of("chrononauts").ruleset


def _begun(seats: int, seed: str, options: dict[str, Scalar]) -> tuple[Commits, Match[Any]]:
    events, match = opening("chrononauts", seats, seed, options)
    commits: Commits = [(event,) for event in events[: 1 + seats]]
    return [*commits, tuple(events[1 + seats :])], match


def _played(seats: int = 3, seed: str = SEED, **options: Scalar) -> tuple[Commits, Match[Any]]:
    commits, match = _begun(seats, seed, options)
    for _, events, after in plies(match, seed):
        commits.append(events)
        match = after
    return commits, match


@pytest.fixture(scope="module")
def played() -> Commits:
    return _played()[0]


def _flat(commits: Sequence[Sequence[Event]]) -> list[Event]:
    return [event for commit in commits for event in commit]


def _at(commits: Commits, kind: type[Event], number: int = 0) -> tuple[int, int, int]:
    """Return commit, place in it and version of the event of that kind."""
    version, seen = 0, 0
    for at, commit in enumerate(commits):
        for place, event in enumerate(commit):
            version += 1
            if isinstance(event, kind):
                if seen == number:
                    return at, place, version
                seen += 1
    raise AssertionError(f"no {kind.__name__}")


def _changed(commits: Commits, at: int, place: int, *events: Event) -> Commits:
    commit = commits[at]
    return [*commits[:at], (*commit[:place], *events, *commit[place + 1 :]), *commits[at + 1 :]]


def _problem(commits: Commits) -> Problem:
    result = audit(commits)
    assert result.replayed
    (problem,) = result.problems
    return problem


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (2, {}),
        (6, {}),
        (4, {"preset": "sheet", "courtesySwap": True}),
        (3, {"variant": "artifaxx"}),
        (1, {"variant": "solonauts"}),
    ],
)
def test_a_match_that_was_played_passes(seats: int, options: dict[str, Scalar]) -> None:
    commits, match = _played(seats, "ab12" * 8, **options)
    result = audit(commits)
    assert result.problems == ()
    assert result.match == match
    assert match.outcome is not None


@pytest.mark.parametrize("number", range(20))
def test_concessions_and_closed_windows_pass(number: int) -> None:
    seed = f"{number:032x}"
    commits, match = _begun(4, seed, {})
    while match.outcome is None:
        chance = Chance(seed, match.version)
        run = carry_out(match, _command(match, chance))
        match = run.match
        commits.append(tuple(run.events))
    result = audit(commits)
    assert result.problems == ()
    assert result.match == match
    kinds = {type(event) for event in _flat(commits)}
    assert SeatConceded in kinds


def _command(match: Match[Any], chance: Chance) -> Command:
    luck = chance.below(40)
    if luck < 4 and is_window(match):
        return ExpireChoice(match.choice)
    if luck == 39 and match.version > 60:
        here = [seat for seat in match.seats if not match.places[seat].conceded]
        return Concede(here[chance.below(len(here))])
    seat = match.asked[chance.below(len(match.asked))]
    choice = open_choice(match, seat)
    assert choice is not None
    return Choose(seat, choice.id, (at_random(match, choice, chance),))


def test_a_move_of_several_steps_passes_as_one_commit() -> None:
    commits, match = _begun(2, SEED, {})
    seat = match.asked[0]
    first = open_choice(match, seat)
    assert first is not None
    pick = next(one for one in answers(first) if one[0].startswith("discard:"))
    after = carry_out(match, Choose(seat, first.id, (pick,))).match
    second = open_choice(after, seat)
    assert second is not None
    other = next(one for one in answers(second) if one)
    run = carry_out(match, Choose(seat, first.id, (pick, other)))
    assert audit([*commits, tuple(run.events)]).problems == ()


def test_a_running_match_passes() -> None:
    commits, match = _begun(2, SEED, {})
    assert audit(commits).match == match
    assert audit(commits[:1]).problems == ()


def test_an_illegal_answer_is_named(played: Commits) -> None:
    at, place, version = _at(played, ChoiceMade, 4)
    made = played[at][place]
    assert isinstance(made, ChoiceMade)
    problem = _problem(_changed(played, at, place, replace(made, picks=("play:X-NOTHING",))))
    assert problem.version == version
    assert problem.reason.startswith("choice.made is not allowed here: pick between")


def test_an_answer_out_of_turn_is_named(played: Commits) -> None:
    at, place, version = _at(played, ChoiceMade)
    made = played[at][place]
    assert isinstance(made, ChoiceMade)
    wrong = replace(made, seat=(made.seat + 1) % 3)
    assert _problem(_changed(played, at, place, wrong)) == Problem(
        version, "choice.made is not allowed here: this seat has nothing to choose now"
    )


def test_another_card_drawn_is_named(played: Commits) -> None:
    at, place, version = _at(played, e.CardsDrawn)
    drawn = played[at][place]
    assert isinstance(drawn, e.CardsDrawn)
    problem = _problem(_changed(played, at, place, replace(drawn, cards=("T-MEMO",) * 2)))
    reason = "chrononauts.cards_drawn has another result than the rules make: cards"
    assert problem == Problem(version, reason)


def test_another_deal_is_named(played: Commits) -> None:
    at, place, version = _at(played, e.SetUp)
    dealt = played[at][place]
    assert isinstance(dealt, e.SetUp)
    stacked = replace(dealt, draw=dealt.draw[::-1])
    assert _problem(_changed(played, at, place, stacked)).version == version


def test_another_agenda_is_named(played: Commits) -> None:
    at, place, version = _at(played, ChoiceOffered)
    _, _, later = _at(played, ChoiceOffered, 1)
    offered, other = played[at][place], _flat(played)[later - 1]
    assert isinstance(offered, ChoiceOffered)
    assert isinstance(other, ChoiceOffered)
    problem = _problem(_changed(played, at, place, replace(offered, agenda=other.agenda)))
    assert problem == Problem(
        version, "choice.offered has another result than the rules make: agenda"
    )


def test_an_event_left_out_is_named(played: Commits) -> None:
    at, place, version = _at(played, e.CardsDrawn)
    problem = _problem(_changed(played, at, place))
    assert problem == Problem(
        version, "choice.offered where the rules make chrononauts.cards_drawn"
    )


def test_a_commit_cut_short_is_named(played: Commits) -> None:
    at, place, version = _at(played, e.TurnStarted, 1)
    commit = played[at]
    torn = [*played[:at], commit[:place], commit[place:], *played[at + 1 :]]
    reason = "chrononauts.turn_started is missing: the commit ends before it"
    assert _problem(torn) == Problem(version, reason)


def test_an_event_too_many_is_named(played: Commits) -> None:
    extra = e.TurnStarted(seat=0)
    _, _, version = _at(played, MatchStarted)
    commits = [*played[:4], (*played[4], extra), *played[5:]]
    reason = "no command begins with chrononauts.turn_started: it is one event too many"
    assert _problem(commits) == Problem(version + len(played[4]), reason)


def test_what_comes_after_the_end_is_named(played: Commits) -> None:
    version = len(_flat(played)) + 1
    reason = "match.seat_conceded is not allowed here: the match is over"
    assert _problem([*played, (SeatConceded(seat=0),)]) == Problem(version, reason)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"salt": "00" * 32}, "the shuffle commitment is not that of seed and salt"),
        ({"seed": "11" * 16}, "the shuffle commitment is not that of seed and salt"),
        ({"commitment": "00" * 32}, "the shuffle commitment is not that of seed and salt"),
        ({"seed": "hello"}, "seed and salt are not hexadecimal"),
        ({"salt": None}, "seed and salt are missing: the log is not full"),
    ],
)
def test_a_false_commitment_is_named(
    played: Commits, change: dict[str, str | None], reason: str
) -> None:
    at, place, version = _at(played, MatchStarted)
    started = played[at][place]
    assert isinstance(started, MatchStarted)
    assert _problem(_changed(played, at, place, replace(started, **change))) == Problem(
        version, reason
    )


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            {"ruleset": 99},
            f"ruleset 99 is not the one of this build, {RULESET}; "
            "only a build that has it can play the match again",
        ),
        ({"seats": 9}, "match.created is not allowed here: chrononauts takes 1 to 6 seats"),
        ({"options": {}}, "match.created has another result than the rules make: options"),
        ({"game": "chess"}, "match.created is not allowed here: there is no game 'chess'"),
    ],
)
def test_a_match_that_this_build_would_not_lay_out_is_named(
    played: Commits, change: dict[str, Any], reason: str
) -> None:
    created = played[0][0]
    assert isinstance(created, MatchCreated)
    commits = _changed(played, 0, 0, replace(created, **change))
    assert _problem(commits) == Problem(1, reason)
    assert audit_redacted(_flat(commits)).problems == (Problem(1, reason),)


@pytest.mark.parametrize("commits", [[], [()]])
def test_nothing_is_no_match(commits: Commits) -> None:
    assert _problem(commits) == Problem(1, "there are no events")
    assert audit_redacted(_flat(commits)).problems == (Problem(1, "there are no events"),)


def test_a_log_begins_with_the_creation(played: Commits) -> None:
    reason = "a log begins with match.created"
    assert _problem(played[1:]) == Problem(1, reason)
    assert audit_redacted(_flat(played)[1:]).problems == (Problem(1, reason),)


def test_a_match_is_created_once(played: Commits) -> None:
    problem = _problem([played[0], played[0]])
    assert problem == Problem(2, "no command begins with match.created: it is one event too many")
    assert audit_redacted(_flat([played[0], played[0]])).problems == (
        Problem(2, "match.created cannot happen to this match"),
    )


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_a_redacted_log_is_folded_and_its_commitment_checked(
    played: Commits, viewer: Viewer
) -> None:
    events = [redact_event(event, viewer, "chrononauts") for event in _flat(played)]
    result = audit_redacted(events)
    assert result.problems == ()
    assert not result.replayed
    ended = events[-1]
    assert isinstance(ended, MatchEnded)
    wrong = audit_redacted([*events[:-1], replace(ended, salt="00" * 32)])
    assert wrong.problems == (
        Problem(len(events), "the shuffle commitment is not that of seed and salt"),
    )


def test_an_event_that_cannot_happen_is_named_in_a_redacted_log(played: Commits) -> None:
    events = _flat(played)
    result = audit_redacted([*events[:-1], e.TurnStarted(seat=0), SeatConceded(seat=17)])
    assert result.problems == (
        Problem(len(events) + 1, "match.seat_conceded cannot happen to this match"),
    )
