"""Taking moves back: freely, by consent, and what the log says of it."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.engine.agenda import Run
from domain.engine.audit import audit
from domain.engine.chance import Chance
from domain.engine.decider import Choose, Command, Concede, ExpireChoice, carry_out, fold, is_window
from domain.engine.effects import Who
from domain.engine.errors import IllegalUndo, MatchNotStarted, NotYourTurn, SeatGone
from domain.engine.events import Event, MatchRestored, UndoAnswered, UndoAsked
from domain.engine.ids import Seat
from domain.engine.match import Match, evolve, to_state
from domain.engine.playout import at_random, opening
from domain.engine.undo import AnswerUndo, Undo, last_move
from tests.engine.lab import SEED, Draw, Finish, Say, answer, ask, begin, offered
from tests.games.toy.game import TOY
from tests.kit.laws import check_redaction, check_round_trip
from tests.kit.matches import CASES, Case, next_command, seed_of


class Log:
    """A match with its commits, as a service keeps them."""

    def __init__(self, match: Match[Any], commits: list[tuple[Event, ...]]) -> None:
        self.match = match
        self.commits = commits

    def do(self, command: Command) -> Run[Any]:
        run = carry_out(self.match, command)
        self.match = run.match
        self.commits.append(tuple(run.events))
        return run

    def choose(self, seat: Seat, *picks: str) -> None:
        self.do(Choose(seat, self.match.choice, (picks,)))

    def undo(self, seat: Seat) -> Run[Any]:
        move = last_move(self.commits, seat)
        if move is None:
            raise IllegalUndo("no move")
        return self.do(Undo(seat, self.at(move.version), move.since))

    def agree(self, seat: Seat, agreed: bool = True) -> Run[Any]:
        undo = self.match.undo
        return self.do(
            AnswerUndo(seat, agreed, self.match if undo is None else self.at(undo.version))
        )

    def at(self, version: int) -> Match[Any]:
        return fold([event for commit in self.commits for event in commit][:version])


def lab(*program: Any, seats: int = 2) -> Log:
    begun = begin(*program, seats=seats)
    options = {"program": begun.options["program"], "ends": False}
    events, match = opening("lab", seats, SEED, options)
    created = [(event,) for event in events[: 1 + seats]]
    return Log(match, [*created, tuple(events[1 + seats :])])


TWICE = (ask("one"), Say("x"), ask("two"), Say("y"), ask("three"), Finish())


def test_a_move_that_revealed_nothing_is_taken_back_at_once() -> None:
    log = lab(*TWICE)
    before = log.match
    log.choose(0, "a")
    (event,) = log.undo(0).events
    assert isinstance(event, MatchRestored)
    assert (event.why, event.version, event.match) == ("undo", before.version, None)
    assert to_state(log.match) == to_state(before)
    assert log.match.version == before.version + 4
    assert log.match.choice == log.match.version
    assert offered(log.match, 0) == ("a", "b")
    log.choose(0, "b")
    assert log.match.board.said == ("x",)


def test_one_undo_after_the_other_goes_further_back() -> None:
    log = lab(*TWICE)
    first = to_state(log.match)
    log.choose(0, "a")
    second = to_state(log.match)
    log.choose(0, "b")
    log.undo(0)
    assert to_state(log.match) == second
    log.undo(0)
    assert to_state(log.match) == first
    with pytest.raises(IllegalUndo):
        log.undo(0)
    log.choose(0, "b")
    log.undo(0)
    assert to_state(log.match) == first
    assert audit(log.commits).problems == ()


def test_who_has_not_moved_has_nothing_to_take_back() -> None:
    log = lab(*TWICE)
    with pytest.raises(IllegalUndo):
        log.undo(0)
    log.choose(0, "a")
    with pytest.raises(IllegalUndo):
        log.undo(1)
    with pytest.raises(IllegalUndo, match="no move of this seat"):
        log.do(Undo(1, log.match, log.commits[-1]))


def test_a_drawn_card_needs_consent() -> None:
    log = lab(ask("one"), Draw(), ask("two"), Finish(), seats=3)
    before = log.match
    log.choose(0, "a")
    (asked,) = log.undo(0).events
    assert asked == UndoAsked(seat=0, version=before.version)
    assert log.match.undo is not None
    with pytest.raises(IllegalUndo, match="already"):
        log.undo(0)
    with pytest.raises(IllegalUndo, match="nobody asks"):
        log.agree(0)
    assert log.agree(2).events == [UndoAnswered(seat=2, agreed=True)]
    with pytest.raises(IllegalUndo, match="nobody asks"):
        log.agree(2)
    agreed, restored = log.agree(1).events
    assert agreed == UndoAnswered(seat=1, agreed=True)
    assert isinstance(restored, MatchRestored)
    assert to_state(log.match) == to_state(before)
    assert log.match.undo is None
    with pytest.raises(IllegalUndo, match="nobody asks"):
        log.agree(1)
    assert audit(log.commits).problems == ()


def test_one_refusal_is_enough() -> None:
    log = lab(ask("one"), Draw(), ask("two"), Finish(), seats=3)
    log.choose(0, "a")
    log.undo(0)
    assert log.agree(1, agreed=False).events == [UndoAnswered(seat=1, agreed=False)]
    assert log.match.undo is None
    log.undo(0)
    assert log.match.undo is not None, "it may be asked again"
    assert audit(log.commits).problems == ()


def test_who_plays_alone_asks_nobody() -> None:
    log = lab(ask("one"), Draw(), ask("two"), Finish(), seats=1)
    before = to_state(log.match)
    log.choose(0, "a")
    asked, restored = log.undo(0).events
    assert isinstance(asked, UndoAsked)
    assert isinstance(restored, MatchRestored)
    assert to_state(log.match) == before


def test_an_answer_of_somebody_else_needs_consent() -> None:
    log = lab(ask("all", Who.ALL, words=("a", "b")), Say("x"), ask("two"), Finish(), seats=3)
    log.choose(1, "a")
    log.choose(0, "a")
    assert isinstance(log.undo(0).events[-1], MatchRestored), "only its own answer is taken back"
    log.choose(0, "b")
    log.choose(2, "b")
    assert isinstance(log.undo(0).events[-1], UndoAsked)
    log.agree(1, agreed=False)
    assert isinstance(log.undo(2).events[-1], UndoAsked), "its answer brought all to light"


def test_whatever_goes_on_ends_the_question() -> None:
    log = lab(ask("one"), Draw(), ask("two"), ask("three"), Finish(), seats=3)
    log.choose(0, "a")
    log.undo(0)
    log.choose(0, "a")
    assert log.match.undo is None
    log.undo(0)
    log.do(Concede(2))
    assert log.match.undo is None
    with pytest.raises(IllegalUndo, match="no move of this seat"):
        log.undo(0)
    with pytest.raises(SeatGone):
        log.agree(2)
    assert audit(log.commits).problems == ()


def test_a_match_that_has_not_started_knows_no_undo() -> None:
    _, match = opening(TOY.name, 3, seed_of(1))
    match = replace(match, started=False)
    with pytest.raises(MatchNotStarted):
        carry_out(match, Undo(0, match, ()))
    with pytest.raises(MatchNotStarted):
        carry_out(match, AnswerUndo(0, True, match))


def test_a_closed_window_needs_consent() -> None:
    log = toy(1)
    while not is_window(log.match):
        log.do(next_command(log.match, Chance("toy", log.match.version), _first))
    seat = log.match.board.turn
    log.do(ExpireChoice(log.match.choice))
    run = log.undo(seat)
    assert isinstance(run.events[0], UndoAsked)
    assert audit(log.commits).problems == ()


def test_a_look_through_the_pile_is_no_free_undo() -> None:
    """The open choice alone shows the cards: no event says which."""
    found = 0
    for number in range(40):
        log = toy(number)
        for _ in range(30):
            if log.match.outcome is not None:
                break
            if log.match.prompt == "look":
                (seat,) = log.match.asked
                move = last_move(log.commits, seat)
                assert move is not None
                run = carry_out(log.match, Undo(seat, log.at(move.version), move.since))
                assert isinstance(run.events[0], UndoAsked)
                found += 1
            log.do(next_command(log.match, Chance(f"look {number}", log.match.version), _first))
    assert found


def toy(number: int) -> Log:
    events, match = opening(TOY.name, 3, seed_of(number))
    return Log(match, [*[(event,) for event in events[:4]], tuple(events[4:])])


def _first(match: Match[Any], choice: Any, chance: Chance) -> tuple[str, ...]:
    options = [option.id for option in choice.options]
    return tuple(options[:: max(1, len(options))][: choice.max]) if options else ()


@pytest.mark.parametrize("case", CASES, ids=str)
def test_undone_matches_keep_the_laws(case: Case) -> None:
    """Random matches with undos, until one was taken back, whatever is dealt."""
    assert any("MatchRestored" in _checked_kinds(case, seed) for seed in range(7, 27))


def _checked_kinds(case: Case, seed: int) -> set[str]:
    """Check redaction, round trip and the audit of a match; return what happened in it."""
    events, match = opening(case.game, case.seats, seed_of(seed), case.options)
    count = 1 + case.seats
    log = Log(match, [*[(event,) for event in events[:count]], tuple(events[count:])])
    kinds: set[str] = set()
    for number in range(60):
        if log.match.outcome is not None:
            break
        before, chance = log.match, Chance(f"undo {seed} {number}", log.match.version)
        done = _undone(log, chance)
        run = done or log.do(_random(log.match, chance))
        kinds |= {type(event).__name__ for event in run.events}
        match = before
        for event in run.events if done else ():
            after = fold([event], match)
            check_redaction(match, event, after)
            match = after
        check_round_trip(log.match, tuple(run.events))
    assert log.at(log.match.version) == log.match
    found = audit(log.commits)
    assert found.problems == ()
    assert found.match == log.match
    return kinds


def _undone(log: Log, chance: Chance) -> Run[Any] | None:
    """Answer an undo that is asked for, or ask for one now and then."""
    live = [seat for seat in log.match.seats if not log.match.places[seat].conceded]
    undo = log.match.undo
    if undo is not None and chance.below(3):
        rest = [seat for seat in live if seat not in (undo.seat, *undo.agreed)]
        return log.agree(rest[0], agreed=bool(chance.below(4)))
    if undo is None and not chance.below(3):
        try:
            return log.undo(live[chance.below(len(live))])
        except IllegalUndo:
            return None
    return None


def _random(match: Match[Any], chance: Chance) -> Command:
    return next_command(match, chance, at_random)


def test_a_log_made_by_hand_goes_back_nowhere() -> None:
    log = lab(*TWICE)
    log.choose(0, "a")
    log.undo(0)
    (restored,) = log.commits[-1]
    assert isinstance(restored, MatchRestored)
    odd = [*log.commits[:-1], (replace(restored, version=restored.version + 1),)]
    assert last_move(odd, 0) is None
    assert audit(odd).problems[0].reason == (
        "no command begins with match.restored: there is no such move"
    )


def test_an_undo_that_nobody_made_is_found() -> None:
    log = lab(ask("one"), Draw(), ask("two"), Finish(), seats=2)
    log.choose(0, "a")
    base = list(log.commits)
    version = log.match.version + 1
    for event, reason in (
        (UndoAsked(seat=1, version=1), "no command begins with match.undo_asked: there is no"),
        (UndoAnswered(seat=1, agreed=True), "match.undo_answered is not allowed here: nobody"),
        (UndoAnswered(seat=7, agreed=True), "match.undo_answered is not allowed here: there is no"),
    ):
        (problem,) = audit([*base, (event,)]).problems
        assert problem.version == version
        assert problem.reason.startswith(reason)
    log.undo(0)
    log.agree(1)
    agreed, restored = log.commits[-1]
    assert isinstance(restored, MatchRestored)
    false = replace(restored, state=log.commits[-3][-1].agenda)  # type: ignore[attr-defined]  # an offer
    (problem,) = audit([*log.commits[:-1], (agreed, false)]).problems
    assert problem.reason == "match.restored has another result than the rules make: state"


def test_the_seat_that_took_back_is_asked_again_and_nobody_else() -> None:
    log = lab(*TWICE)
    log.choose(0, "a")
    log.undo(0)
    with pytest.raises(NotYourTurn):
        log.choose(1, "a")
    assert answer(log.match, 0, "a").board.said == ("x",)


def test_an_answer_to_an_undo_that_nobody_asked_changes_nothing() -> None:
    """`evolve` never fails, whatever a log made by hand says."""
    match = begin(ask("one"))
    assert evolve(match, UndoAnswered(1, True)) == replace(match, version=match.version + 1)
