from msgspec.structs import replace

from domain.engine.decider import ExpireChoice, carry_out
from domain.engine.effects import Ask, Who
from domain.engine.events import ChoiceMade, ChoiceOffered, Event, MatchStarted
from domain.engine.match import NOTHING, evolve
from domain.engine.redaction import redact, redact_event
from tests.engine.lab import SEED, Draw, Drawn, Finish, Menu, Report, answer, ask, begin

OPEN = answer(begin(Draw(), ask("word", Who.ALL), Finish(), seats=3), 1, "a")


def test_seed_salt_and_agenda_are_nobodys_while_the_match_runs() -> None:
    for viewer in (0, 1, 2, None):
        seen = redact(OPEN, viewer)
        assert (seen.seed, seen.salt, seen.agenda) == (None, None, NOTHING)


def test_seed_and_salt_show_when_the_match_is_over() -> None:
    seen = redact(begin(Finish()), None)
    assert (seen.seed, seen.salt) == (SEED, SEED * 2)


def test_who_has_answered_shows_and_what_only_to_the_seat() -> None:
    assert redact(OPEN, 1).answers == ((1, ("a",)),)
    assert redact(OPEN, 0).answers == ((1, None),)
    assert redact(OPEN, None).answers == ((1, None),)


def test_the_prompt_shows_to_those_who_are_or_were_asked() -> None:
    match = answer(begin(ask("word", Who.OTHERS), Finish(), seats=3), 1, "a")
    assert [redact(match, viewer).prompt for viewer in (0, 1, 2, None)] == [
        None,
        "menu",
        "menu",
        None,
    ]


def test_the_board_is_redacted_by_its_game() -> None:
    assert redact(OPEN, 0).board.hands[0] != (None,)
    assert redact(OPEN, 1).board.hands[0] == (None,)


def test_everybodys_eyes_see_everything() -> None:
    assert redact(OPEN, "all") is OPEN
    event = ChoiceMade(seat=0, picks=("a",))
    assert redact_event(event, "all", "lab") is event


def shown(event: Event, viewer: int | None) -> Event:
    return redact_event(event, viewer, "lab")


def test_a_choice_offered_shows_its_prompt_to_those_asked_and_its_agenda_to_nobody() -> None:
    event = ChoiceOffered(seats=(1,), agenda=OPEN.agenda, prompt="menu")
    assert shown(event, 1) == replace(event, agenda=NOTHING)
    assert shown(event, 0) == replace(event, agenda=NOTHING, prompt=None)


def test_picks_show_to_their_seat_only() -> None:
    event = ChoiceMade(seat=0, picks=("a",))
    assert shown(event, 0) == event
    assert shown(event, 1) == ChoiceMade(seat=0)


def test_the_start_shows_the_commitment_only() -> None:
    event = MatchStarted(commitment="c", seed="s", salt="t")
    assert shown(event, 0) == MatchStarted(commitment="c")


def test_events_of_a_game_are_redacted_by_it() -> None:
    assert shown(Drawn(0, ("ace",)), 1) == Drawn(0, (None,))
    assert shown(Drawn(0, ("ace",)), 0) == Drawn(0, ("ace",))


def test_a_feed_agrees_with_a_fresh_read_when_a_window_expires() -> None:
    window = Ask(Menu(min=0), "word", Who.OTHERS, window=True)
    match = begin(window, Report(), Finish(), seats=3)
    event = carry_out(match, ExpireChoice(match.choice)).events[0]
    for viewer in (0, 1, 2, None):
        after = evolve(redact(match, viewer), redact_event(event, viewer, "lab"))
        assert after == redact(evolve(match, event), viewer)
