"""Nothing that others see may depend on hidden cards, unless it shows them."""

from collections.abc import Callable

import pytest

from domain.engine.audit import causes
from domain.engine.decider import Concede, decide
from domain.engine.events import ChoiceMade, ChoiceOffered, Event, SeatConceded
from domain.engine.match import evolve
from domain.engine.redaction import redact, redact_event
from domain.games.chrononauts.events import (
    CardDiscarded,
    CardPlayed,
    CardsDrawn,
    DrawPileShuffled,
    IdentitySwapped,
    SeatLeft,
    SecretReplaced,
    SecretsShuffled,
    SetUp,
)
from tests.games.chrononauts.scenario import Table, opening, scenario

GAME = "chrononauts"


def seen(event: Event, viewer: int | None) -> Event:
    return redact_event(event, viewer, GAME)


def test_cards_drawn_are_seen_by_their_owner_only() -> None:
    drawn = CardsDrawn(seat=0, cards=("A-REX", "P1868"), small=True)
    hidden = CardsDrawn(seat=0, cards=(None, None), small=True)
    assert seen(drawn, 0) == drawn
    assert seen(drawn, 1) == seen(drawn, None) == hidden


def test_cards_drawn_face_up_are_seen_by_all() -> None:
    drawn = CardsDrawn(seat=0, cards=("P1868",), open=True)
    assert seen(drawn, None) == drawn


def test_the_order_of_a_shuffled_pile_is_seen_by_nobody() -> None:
    for viewer in (0, 1, None):
        shuffled = DrawPileShuffled(cards=("A-REX", "P1868"), discards=True)
        assert seen(shuffled, viewer) == DrawPileShuffled(cards=(None, None), discards=True)
        secrets = SecretsShuffled(which="mission", cards=("M-RELICS",))
        assert seen(secrets, viewer) == SecretsShuffled(which="mission", cards=(None,))


def test_an_identity_swapped_is_seen_by_its_owner_and_the_pile_by_nobody() -> None:
    swapped = IdentitySwapped(seat=0, drawn=("ID-ANDY",), pile=("ID-YURI", "ID-BETTY"))
    own = IdentitySwapped(seat=0, drawn=("ID-ANDY",), pile=(None, None))
    assert seen(swapped, 0) == own
    assert seen(swapped, 1) == IdentitySwapped(seat=0, drawn=(None,), pile=(None, None))


def test_a_replaced_secret_is_seen_by_its_owner_only() -> None:
    replaced = SecretReplaced(which="mission", seat=1, shown="M-RELICS", drawn=("M-WISDOM",))
    assert seen(replaced, 1) == replaced
    assert seen(replaced, 0) == SecretReplaced(
        which="mission", seat=1, shown="M-RELICS", drawn=(None,)
    )


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_the_deal_shows_each_seat_its_own_cards(viewer: int | None) -> None:
    board = opening().board
    deal = SetUp(
        seats=board.seats,
        draw=("A-REX",),
        identities=("ID-ANDY",),
        missions=("M-RELICS",),
        turn=0,
    )
    shown = seen(deal, viewer)
    assert isinstance(shown, SetUp)
    assert shown.draw == shown.identities == shown.missions == (None,)
    for seat, one in enumerate(shown.seats):
        assert (one == board.seats[seat]) == (seat == viewer)


def test_the_deal_of_solonauts_is_open_but_for_the_draw_pile() -> None:
    board = opening(1, variant="solonauts").board
    deal = SetUp(
        seats=board.seats,
        draw=("P1868",),
        identities=(),
        missions=(),
        turn=0,
        waiting=board.waiting,
    )
    shown = seen(deal, None)
    assert isinstance(shown, SetUp)
    assert (shown.seats, shown.waiting, shown.draw) == (board.seats, board.waiting, (None,))


def test_what_is_laid_or_thrown_for_all_to_see_is_seen_by_all() -> None:
    for event in (CardPlayed(seat=0, card="A-REX"), CardDiscarded(seat=0, card="P1868")):
        assert seen(event, None) == seen(event, 1) == event


def test_an_event_that_nobody_has_decided_about_is_not_shown() -> None:
    class Unheard(Event):
        pass

    with pytest.raises(TypeError, match="Unheard"):
        seen(Unheard(), 0)


def test_a_redacted_table_goes_along_with_redacted_events_on_every_kind_of_play() -> None:
    table = scenario(
        seats=3,
        hands={
            0: "T-FAST-FORWARD X-MIRACLE-FUTURE X-DISCONTINUITY A-VIDEO",
            1: "T-MEMO",
            2: "P1868",
        },
        artifacts={0: "A-CURE", 1: "A-REX"},
        draw="X-PARENTS P1917 A-RONGO T-REWIND P1918 P1929",
        discards="A-ARK",
    )
    viewers = (0, 1, 2, None)

    acts: tuple[Callable[[], Table], ...] = (
        lambda: table.plays(0, "T-FAST-FORWARD"),
        lambda: table.passes(),
        lambda: table.plays(0, "X-MIRACLE-FUTURE", artifact="A-CURE"),
        lambda: table.passes(),
        lambda: table.plays(0, "A-RONGO"),
        lambda: table.passes(),
        lambda: table.plays(0, "T-REWIND"),
        lambda: table.passes(),
        lambda: table.plays(0, "A-ARK"),
        lambda: table.answers(1, "T-MEMO").passes(2),
        lambda: table.passes(),
        lambda: table.throws(0, "P1918"),
        lambda: table.plays(0, "X-DISCONTINUITY", direction="left"),
        lambda: table.passes(),
    )
    for act in acts:
        folded = {viewer: redact(table.match, viewer) for viewer in viewers}
        act()
        for event in table.events():
            folded = {
                viewer: evolve(match, seen(event, viewer)) for viewer, match in folded.items()
            }
        for viewer, match in folded.items():
            assert match.board == redact(table.match, viewer).board


def kinds(table: Table, viewer: int) -> list[Event]:
    return [seen(event, viewer) for event in table.events()]


def test_a_quick_trip_asks_whatever_lies_in_the_draw_pile() -> None:
    tables = [
        scenario(hands={0: "T-QUICK-TRIP"}, draw=draw, bare=True).plays_out(0, "T-QUICK-TRIP")
        for draw in ("A-REX A-ARK", "P1868 T-MEMO")
    ]
    assert [table.asked() for table in tables] == [(0,), (0,)]
    assert kinds(tables[0], 1) == kinds(tables[1], 1)
    assert redact(tables[0].match, 1) == redact(tables[1].match, 1)


@pytest.mark.parametrize("hand", ["A-REX P1868", "T-MEMO P1868", "P1917 P1868"])
def test_a_turn_asks_whatever_the_hand_holds(hand: str) -> None:
    table = scenario(hands={0: hand, 1: "P1918"}, draw="P1929 P1933")
    assert (table.asked(), table.prompt(0)) == ((0,), "play")
    table.picks(0, ("discard:P1868",))
    assert (table.asked(), table.prompt(0)) == ((0,), "kill_time")
    assert redact(table.match, 1).prompt is None


def test_options_are_offered_in_the_order_of_their_names() -> None:
    one = scenario(hands={0: "A-REX P1868 A-ARK"})
    other = scenario(hands={0: "P1868 A-ARK A-REX"})
    assert one.options_in_order(0) == other.options_in_order(0) == sorted(one.options(0))


def test_fetching_out_of_the_draw_pile_does_not_tell_its_order() -> None:
    tables = [
        scenario(hands={0: "T-QUICK-TRIP"}, draw=draw, bare=True).plays_out(0, "T-QUICK-TRIP")
        for draw in ("A-REX P1868 A-ARK", "A-ARK A-REX P1868")
    ]
    assert tables[0].options_in_order(0) == tables[1].options_in_order(0)
    assert tables[0].shown(0) == tables[1].shown(0)


def test_the_agenda_and_other_seats_picks_are_nobodys_business() -> None:
    table = scenario(hands={0: "A-REX"}).plays(0, "A-REX")
    assert bytes(redact(table.match, 1).agenda) == b"[]"
    offered = ChoiceOffered(seats=(0,), agenda=table.match.agenda, prompt="play")
    assert redact_event(offered, 1, GAME) == ChoiceOffered(
        seats=(0,), agenda=redact(table.match, 1).agenda, prompt=None
    )
    made = ChoiceMade(seat=0, picks=("play:A-REX",))
    assert redact_event(made, 1, GAME) == ChoiceMade(seat=0)


def about_to_play(card: str) -> Table:
    """Return a table on which seat 0 has named a card and chooses its target."""
    hands = {0: "X-GET-THERE-FIRST I-REVERSE-FATE", 2: "X-GET-THERE-FIRST"}
    table = scenario(seats=3, hands=hands, artifacts={1: "A-ARK"})
    return table.picks(0, (f"play:{card}",))


def test_a_concession_does_not_tell_whether_somebody_aims_at_what_leaves() -> None:
    """Only one of the two cards has lost its last target."""
    tables = [about_to_play(card) for card in ("X-GET-THERE-FIRST", "I-REVERSE-FATE")]
    for viewer in (1, 2, None):
        feeds = [
            [seen(event, viewer) for event in decide(table.match, Concede(1))] for table in tables
        ]
        assert feeds[0] == feeds[1]
        assert [type(event) for event in feeds[0]] == [SeatConceded, SeatLeft, ChoiceOffered]


def test_a_concession_is_not_put_down_to_a_card_that_is_not_announced() -> None:
    """Whoever sees another copy of it would be told that it is the cause."""
    table = about_to_play("X-GET-THERE-FIRST")
    frames = causes(table.match, decide(table.match, Concede(1)))
    assert frames[:2] == (None, None)
    assert frames[2] is not None
    assert frames[2].card is None
