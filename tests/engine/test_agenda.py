"""The machine: programs that suspend, resume, nest and skip."""

import pytest

from domain.engine.agenda import Run, asked
from domain.engine.codec import codec
from domain.engine.decider import Concede, ExpireChoice, carry_out, open_choice
from domain.engine.effects import Ask, Seq, Who
from domain.engine.match import Match
from tests.engine.lab import (
    Bench,
    Finish,
    Menu,
    Nest,
    Remember,
    Report,
    Say,
    answer,
    ask,
    begin,
    offered,
)


def test_effects_are_done_in_order_and_a_sequence_completely() -> None:
    match = begin(Say("1"), Seq((Say("2"), Seq((Say("3"),)))), Say("4"), Finish())
    assert match.board.said == ("1", "2", "3", "4")
    assert match.outcome is not None


def test_a_question_suspends_and_its_answer_resumes() -> None:
    match = begin(Say("before"), ask("word"), Report(), Finish())
    assert match.board.said == ("before",)
    assert match.asked == (0,)
    assert match.prompt == "menu"
    assert answer(match, 0, "b").board.said == ("before", "None:word=b")


def test_a_suspended_agenda_has_its_question_on_top() -> None:
    match = begin(Nest((ask("inner"), Say("after")), seat=1), Say("last"), Finish())
    frames = codec("lab").frames(match.agenda)
    assert [frame.seat for frame in frames] == [0, 1]
    assert frames[0].todo == (Say("last"), Finish())
    assert frames[1].todo == (Ask(Menu(), "inner"), Say("after"))


def test_a_question_that_offers_nobody_anything_is_skipped() -> None:
    match = begin(ask("word", words=()), Report(), Finish())
    assert match.board.said == ("None:word=",)
    match = begin(ask("word", Who.ALL, words=()), Report(), Finish())
    assert match.board.said == ("None:",)


def test_a_question_that_is_always_asked_is_asked_without_options() -> None:
    match = begin(ask("word", words=(), always=True), Report(), Finish())
    assert offered(match, 0) == ()
    assert answer(match, 0).board.said == ("None:word=",)


def test_seats_are_asked_in_turn_order_from_the_left_of_the_owner() -> None:
    match = begin(ask("word"), Finish(), seats=4)
    assert asked(match, 2, Who.OWNER) == (2,)
    assert asked(match, 2, Who.OTHERS) == (3, 0, 1)
    assert asked(match, 2, Who.ALL) == (3, 0, 1, 2)
    gone = carry_out(match, Concede(3)).match
    assert asked(gone, 2, Who.ALL) == (0, 1, 2)
    assert asked(gone, 3, Who.OWNER) == ()


def test_only_seats_that_are_offered_something_are_asked() -> None:
    match = begin(ask("word", Who.ALL, seats=(1, 3)), Report(), Finish(), seats=4)
    assert match.asked == (1, 3)
    match = answer(match, 3, "b")
    assert match.board.said == ()
    assert answer(match, 1, "a").board.said == ("None:word@3=b,word@1=a",)


def test_asking_several_again_forgets_their_earlier_answers() -> None:
    twice = ask("word", Who.OTHERS), ask("word", Who.OTHERS, seats=(2,))
    match = begin(*twice, Report(), Finish(), seats=3)
    match = answer(answer(match, 1, "a"), 2, "a")
    assert answer(match, 2, "b").board.said == ("None:word@2=b",)


def test_answers_of_a_frame_die_with_it() -> None:
    inner = (ask("inner"), Report())
    match = begin(ask("outer"), Nest(inner, card="card"), Report(), Finish())
    match = answer(answer(match, 0, "a"), 0, "b")
    assert match.board.said == ("card:inner=b", "None:outer=a")


def test_nested_frames_come_first_and_the_outer_goes_on() -> None:
    innermost = Nest((Say("3"),))
    match = begin(Say("1"), Nest((Say("2"), innermost, Say("4"))), Say("5"), Finish())
    assert match.board.said == ("1", "2", "3", "4", "5")


def test_a_frame_may_be_pushed_below_the_one_at_hand() -> None:
    below = Nest((Say("below"),), depth=1)
    match = begin(Nest((below, Say("first"))), Say("last"), Finish())
    assert match.board.said == ("first", "below", "last")
    bottom = Nest((Finish(),), depth=0)
    assert begin(bottom, Say("top")).board.said == ("top",)


def test_words_can_be_bound_without_asking() -> None:
    match = begin(Remember("word", ("x", "y")), Report(), Finish())
    assert match.board.said == ("None:word=x+y",)


def test_the_choice_names_the_card_that_asks_and_what_it_shows() -> None:
    match = begin(Nest((ask("word", shown=("ace",)),), card="spyglass"), Finish())
    choice = open_choice(match, 0)
    assert choice is not None
    assert choice.source == "spyglass"
    assert choice.shown == ("ace",)
    assert choice.id == match.choice == match.version


def test_a_program_that_just_stops_is_a_mistake_of_its_game() -> None:
    with pytest.raises(AssertionError, match="without ending the match"):
        begin(Say("1"))


def test_nothing_can_be_drawn_before_the_start() -> None:
    match = Match(
        game="lab", ruleset=1, version=1, options={}, places=(), board=Bench(), started=False
    )
    with pytest.raises(AssertionError, match="no draws"):
        Run(match).chance()


def window(bind: str, who: Who = Who.OTHERS) -> Ask:
    return Ask(Menu(min=0), bind, who, window=True)


def test_an_expired_window_counts_as_passed() -> None:
    match = begin(window("word"), Report(), Finish(), seats=3)
    match = answer(match, 2, "b")
    match = carry_out(match, ExpireChoice(match.choice)).match
    assert match.board.said == ("None:word@2=b,word@1=",)


def test_a_seat_that_leaves_has_passed_and_the_others_keep_their_choice() -> None:
    match = begin(ask("word", Who.ALL), Report(), Finish(), seats=3)
    choice = open_choice(match, 1)
    match = carry_out(match, Concede(2)).match
    assert open_choice(match, 1) == choice
    assert match.asked == (1, 0)
    match = answer(answer(match, 1, "a"), 0, "b")
    assert match.board.said == ("None:word@2=,word@1=a,word@0=b",)


def test_the_last_seat_asked_leaves_and_the_match_goes_on() -> None:
    match = begin(ask("word"), Report(), ask("other", Who.OTHERS), Finish())
    match = carry_out(match, Concede(0)).match
    assert match.board.said == ("None:word=",)
    assert match.asked == (1,)


def test_a_game_may_put_another_program_in_place_when_a_seat_leaves() -> None:
    match = begin(ask("word"), Finish(), ends=True)
    assert carry_out(match, Concede(1)).match.board.said == ("gone",)
