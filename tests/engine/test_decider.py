"""Every refusal with its code, and that a refused command makes nothing happen."""

import pytest
from msgspec.structs import replace

from domain.engine.decider import (
    Choose,
    Command,
    Concede,
    CreateMatch,
    ExpireChoice,
    StartMatch,
    TakeSeat,
    carry_out,
    create,
    decide,
    fold,
    is_window,
    open_choice,
)
from domain.engine.effects import Ask, Who
from domain.engine.errors import DomainError
from domain.engine.events import (
    ChoiceExpired,
    ChoiceMade,
    ChoiceOffered,
    MatchCreated,
    MatchEnded,
    MatchStarted,
    SeatConceded,
    SeatFilled,
)
from domain.engine.match import Match
from tests.engine.lab import (
    SEED,
    Bench,
    Draw,
    Finish,
    Hand,
    Menu,
    Report,
    Said,
    Say,
    answer,
    ask,
    begin,
    offered,
)

START = StartMatch(seed=SEED, salt=SEED * 2)


def table(taken: int = 0, seats: int = 2) -> Match[Bench]:
    _, match = create(CreateMatch(game="lab", seats=seats))
    for seat in range(taken):
        match = carry_out(match, TakeSeat(seat=seat, player="somebody")).match
    return match


def over() -> Match[Bench]:
    return begin(Finish())


WAITING = begin(ask("word", words=("a", "b", "c"), max=2), Report(), Finish())
LEFT = carry_out(begin(ask("word", Who.ALL), Finish(), seats=3), Concede(1)).match
WINDOW = begin(Ask(Menu(min=0), "word", Who.OTHERS, window=True), Report(), Finish())


def choose(match: Match[Bench], seat: int, *steps: str) -> Choose:
    return Choose(seat, match.choice, tuple(tuple(step) for step in steps))


REFUSALS: dict[str, tuple[Match[Bench], Command, str]] = {
    "a seat that does not exist": (table(), TakeSeat(2, "x"), "unknown_seat"),
    "a negative seat": (table(), TakeSeat(-1, "x"), "unknown_seat"),
    "a taken seat": (table(1), TakeSeat(0, "x"), "seat_taken"),
    "a name that clears the screen": (table(), TakeSeat(0, "\x1b[2J"), "malformed_command"),
    "a name read backwards": (table(), TakeSeat(0, "\u202eevil"), "malformed_command"),
    "no name": (table(), TakeSeat(0, ""), "malformed_command"),
    "a long name": (table(), TakeSeat(0, "x" * 65), "malformed_command"),
    "an unknown bot": (table(), TakeSeat(0, "x", bot="evil"), "malformed_command"),
    "a seat after the start": (WAITING, TakeSeat(0, "x"), "match_not_open"),
    "a start with free seats": (table(1), START, "seats_empty"),
    "a second start": (WAITING, START, "match_not_open"),
    "a choice before the start": (table(2), Choose(0, 0, ((),)), "match_not_started"),
    "a choice of a seat that does not exist": (WAITING, Choose(5, 1, ((),)), "unknown_seat"),
    "a choice out of turn": (WAITING, choose(WAITING, 1, "a"), "not_your_turn"),
    "a choice of a seat that left": (LEFT, choose(LEFT, 1, "a"), "seat_gone"),
    "a stale choice": (WAITING, Choose(0, WAITING.choice - 1, (("a",),)), "unknown_choice"),
    "an unknown option": (WAITING, choose(WAITING, 0, "z"), "illegal_choice"),
    "an option picked twice": (WAITING, choose(WAITING, 0, "aa"), "illegal_choice"),
    "too few picks": (WAITING, choose(WAITING, 0, ""), "illegal_choice"),
    "too many picks": (WAITING, choose(WAITING, 0, "abc"), "illegal_choice"),
    "no steps": (WAITING, choose(WAITING, 0), "illegal_choice"),
    "more steps than choices": (WAITING, choose(WAITING, 0, "a", "b"), "illegal_choice"),
    "the end of a choice without time limit": (
        WAITING,
        ExpireChoice(WAITING.choice),
        "illegal_choice",
    ),
    "the end of a stale window": (WINDOW, ExpireChoice(WINDOW.choice - 1), "unknown_choice"),
    "the end of a window before the start": (table(2), ExpireChoice(0), "unknown_choice"),
    "a concession before the start": (table(2), Concede(0), "match_not_started"),
    "a concession of a seat that does not exist": (WAITING, Concede(9), "unknown_seat"),
    "a second concession": (LEFT, Concede(1), "seat_gone"),
    "a seat when it is over": (over(), TakeSeat(0, "x"), "match_finished"),
    "a start when it is over": (over(), START, "match_finished"),
    "a choice when it is over": (over(), Choose(0, 0, ((),)), "match_finished"),
    "a concession when it is over": (over(), Concede(0), "match_finished"),
    "the end of a window when it is over": (over(), ExpireChoice(0), "match_finished"),
}


@pytest.mark.parametrize("what", REFUSALS)
def test_is_refused_and_nothing_happens(what: str) -> None:
    match, command, code = REFUSALS[what]
    before = replace(match)
    with pytest.raises(DomainError) as refusal:
        decide(match, command)
    assert refusal.value.code == code
    assert refusal.value.message
    assert match == before


def test_a_refused_choice_says_how_many_to_pick_and_at_which_step() -> None:
    with pytest.raises(DomainError) as refusal:
        decide(WAITING, choose(WAITING, 0, "abc"))
    assert refusal.value.detail == {"choice": WAITING.choice, "min": 1, "max": 2, "step": 0}
    with pytest.raises(DomainError) as refusal:
        decide(WAITING, choose(WAITING, 0, "a", "b"))
    assert refusal.value.detail == {"step": 1}


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (CreateMatch(game="nothing", seats=2), "unknown_game"),
        (CreateMatch(game="lab", seats=0), "invalid_options"),
        (CreateMatch(game="lab", seats=5), "invalid_options"),
    ],
)
def test_a_match_that_cannot_be_is_refused(command: CreateMatch, code: str) -> None:
    with pytest.raises(DomainError) as refusal:
        create(command)
    assert refusal.value.code == code


def test_a_match_begins_with_every_option() -> None:
    event, match = create(CreateMatch(game="lab", seats=2))
    assert event == MatchCreated(
        game="lab", ruleset=1, seats=2, options={"program": "[]", "ends": False}
    )
    assert match.version == 1
    assert match.seats == range(2)
    assert fold([event]) == match


def test_a_seat_can_be_taken_by_a_bot() -> None:
    assert decide(table(), TakeSeat(1, "robot", bot="greedy")) == (
        SeatFilled(seat=1, player="robot", bot="greedy"),
    )


def test_a_choice_is_made_and_its_consequences_follow() -> None:
    events = decide(WAITING, choose(WAITING, 0, "cb"))
    assert events[:2] == (
        ChoiceMade(seat=0, picks=("c", "b")),
        Said(seat=0, word="None:word=c+b"),
    )
    assert isinstance(events[2], MatchEnded)
    assert events[2].seed == SEED


def test_the_first_of_several_answers_waits_for_the_last() -> None:
    match = begin(ask("word", Who.ALL), Report(), Finish())
    assert decide(match, choose(match, 0, "a")) == (ChoiceMade(seat=0, picks=("a",)),)


def test_a_window_ends_for_those_who_have_not_answered() -> None:
    assert is_window(WINDOW)
    assert not is_window(WAITING)
    assert not is_window(over())
    assert decide(WINDOW, ExpireChoice(WINDOW.choice))[0] == ChoiceExpired(seats=(1,))


def test_a_concession_answers_for_the_seat() -> None:
    events = decide(WAITING, Concede(0))
    assert events[:3] == (
        SeatConceded(seat=0),
        ChoiceMade(seat=0, picks=()),
        Said(seat=0, word="None:word="),
    )


def test_steps_answer_one_choice_after_the_other() -> None:
    match = begin(ask("one"), Say("between"), ask("two"), Report(), Finish())
    assert carry_out(match, choose(match, 0, "a", "b")).match.board.said == (
        "between",
        "None:one=a,two=b",
    )


def test_a_wrong_second_step_undoes_the_first() -> None:
    match = begin(ask("one"), ask("two"), Finish())
    with pytest.raises(DomainError) as refusal:
        decide(match, choose(match, 0, "a", "z"))
    assert refusal.value.detail["step"] == 1
    assert offered(match, 0) == ("a", "b")


def test_no_step_follows_a_card_just_drawn() -> None:
    """Otherwise a seat could name one card after the other until it is not refused."""
    match = begin(ask("go"), Draw(), Ask(Hand(), "card"), Finish())
    drawn = answer(match, 0, "a").board.hands[0][0]
    for guess in ("ace", "king", "queen", "swap"):
        with pytest.raises(DomainError) as refusal:
            decide(match, Choose(0, match.choice, (("a",), (guess,))))
        assert refusal.value.detail == {"step": 1}
    assert drawn in {"ace", "king", "queen"}


def test_no_step_follows_an_answer_that_brings_those_of_others_to_light() -> None:
    match = begin(ask("word", Who.ALL), ask("next"), Finish())
    match = answer(match, 1, "a")
    with pytest.raises(DomainError) as refusal:
        decide(match, choose(match, 0, "a", "b"))
    assert refusal.value.detail == {"step": 1}


def test_a_seat_that_is_not_asked_has_no_choice() -> None:
    assert open_choice(WAITING, 1) is None
    assert open_choice(table(2), 0) is None


REVISABLE = Ask(Menu(), "word", Who.ALL, revisable=True)


def test_a_revisable_answer_may_be_given_again_until_the_last_one_is_in() -> None:
    match = answer(begin(REVISABLE, Report(), Finish()), 1, "a")
    assert match.asked == (0,)
    assert offered(match, 1) == ("a", "b")
    match = answer(match, 1, "b")
    assert match.asked == (0,)
    assert answer(match, 0, "a").board.said == ("None:word@1=b,word@0=a",)


def test_a_seat_that_left_revises_nothing() -> None:
    match = answer(begin(REVISABLE, Report(), Finish(), seats=3), 1, "a")
    match = carry_out(match, Concede(1)).match
    assert offered(match, 1) is None
    assert offered(match, 2) == ("a", "b")


def test_other_answers_are_final() -> None:
    match = answer(begin(ask("word", Who.ALL), Report(), Finish()), 1, "a")
    assert offered(match, 1) is None


def test_the_others_pass_where_nothing_is_left_to_pick() -> None:
    """A seat that leaves may take along what the others were offered."""
    match = begin(Ask(Menu(), "word", Who.ALL), Report(), Finish(), seats=3)
    emptied = replace(match, agenda=_without_words(match))
    events = decide(emptied, Concede(2))
    assert events[:4] == (
        SeatConceded(seat=2),
        ChoiceMade(seat=2, picks=()),
        ChoiceMade(seat=1, picks=()),
        ChoiceMade(seat=0, picks=()),
    )


def _without_words(match: Match[Bench]) -> object:
    return type(match.agenda)(bytes(match.agenda).replace(b'["a","b"]', b"[]"))


def test_a_log_folds_to_its_match_from_the_start_or_from_any_point() -> None:
    first, match = create(CreateMatch(game="lab", seats=1, options={"program": "[]"}))
    taken = decide(match, TakeSeat(0, "x"))
    assert fold([first, *taken]) == fold(taken, match)


def test_a_log_begins_with_its_creation() -> None:
    with pytest.raises(AssertionError, match=r"begins with match\.created"):
        fold([SeatConceded(seat=0)])


def test_the_start_commits_to_seed_and_salt() -> None:
    match = table(2)
    match = replace(match, options={"program": '[[0,null,[["ask",["menu"],"w"]],{}]]'})
    events = decide(match, START)
    assert isinstance(events[0], MatchStarted)
    assert isinstance(events[1], ChoiceOffered)
    assert events[0].commitment not in {SEED, SEED * 2}
