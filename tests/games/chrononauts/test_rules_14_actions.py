from domain.engine.events import Outcome
from domain.engine.redaction import redact, redact_event
from domain.games.chrononauts.events import (
    CardPlayed,
    CardsDrawn,
    HandsMoved,
    HandTakenBack,
    PlayEnded,
    SecretReplaced,
)
from tests.games.chrononauts.scenario import scenario


def test_an_artifact_taken_can_win_in_the_same_turn() -> None:
    table = scenario(
        hands={0: "X-GET-THERE-FIRST"},
        missions={0: "M-RELICS"},
        artifacts={0: "A-ARK A-CROWN", 1: "A-RELIC-3"},
    )
    table.plays_out(0, "X-GET-THERE-FIRST", artifact="A-RELIC-3")
    assert table.outcome() == Outcome((0,), ("mission",))


def test_it_never_existed_may_hit_the_own_artifact() -> None:
    table = scenario(hands={0: "X-IT-NEVER-EXISTED"}, artifacts={0: "A-ARK"})
    assert table.plays_out(0, "X-IT-NEVER-EXISTED", artifact="A-ARK").artifacts(0) == ""


def test_only_an_own_artifact_can_be_sold() -> None:
    table = scenario(hands={0: "X-SELL"}, artifacts={0: "A-ARK", 1: "A-REX"})
    assert table.targets(0, "X-SELL") == {"A-ARK"}


# Miracle


def test_the_set_aside_hand_cannot_be_used_for_plays_or_discards() -> None:
    table = scenario(hands={0: "A-VIDEO P1868"}, small={0: "A-REX P1917"})
    assert table.options(0) == {"play:A-REX", "discard:A-REX", "discard:P1917"}
    table.plays_out(0, "A-REX")
    assert table.options(0) == {"discard:P1917"}


def test_a_patch_bonus_during_a_miracle_goes_to_the_set_aside_hand() -> None:
    table = scenario(hands={0: "A-VIDEO"}, small={0: "P1868 P1917"}, altered="1865", draw="A-REX")
    table.plays_out(0, "P1868")
    assert CardsDrawn(seat=0, cards=("A-REX",)) in table.events()
    assert table.hand(0) == "A-REX A-VIDEO"
    assert table.small(0) == "P1917"


def test_a_fast_forward_out_of_a_miracle_draws_into_the_main_hand_and_plays_afterwards() -> None:
    table = scenario(hands={0: "A-VIDEO"}, small={0: "T-FAST-FORWARD P1917"}, draw="A-REX A-ARK")
    table.plays_out(0, "T-FAST-FORWARD")
    assert table.hand(0) == "A-ARK A-REX A-VIDEO"
    assert table.options(0) == {"discard:P1917"}
    table.throws(0, "P1917")
    assert table.events()[-2:] == (
        HandTakenBack(seat=0),
        PlayEnded(seat=0, card="X-MIRACLE-FUTURE"),
    )
    assert table.playable(0) == {"A-ARK", "A-REX", "A-VIDEO"}
    table.plays_out(0, "A-REX").plays_out(0, "A-ARK")
    assert table.asked() == (1,)


def test_with_nothing_playable_in_the_small_hand_a_card_is_discarded_instead() -> None:
    table = scenario(small={0: "P1868 T-MEMO"})
    assert table.options(0) == {"discard:P1868", "discard:T-MEMO"}
    table.throws(0, "P1868")
    assert table.prompt(0) == "small_discard"
    assert table.options(0) == {"discard:T-MEMO"}


def test_time_cannot_be_killed_with_the_small_hand() -> None:
    table = scenario(hands={0: "P1917 P1918"}, small={0: "A-REX T-MEMO P1868"})
    table.picks(0, ("discard:P1868",))
    assert table.prompt(0) == "small_discard"


def test_the_small_hand_is_secret() -> None:
    table = scenario(small={0: "A-REX T-MEMO"})
    assert redact(table.match, 1).board.seats[0].small == ((None, None),)
    assert redact(table.match, 0).board.seats[0].small == (("A-REX", "T-MEMO"),)


# Hands on the move


def test_with_two_players_discontinuity_swaps_the_hands() -> None:
    for direction in ("left", "right"):
        table = scenario(hands={0: "X-DISCONTINUITY P1868", 1: "A-REX A-ARK"}, draw="P1917")
        table.plays_out(0, "X-DISCONTINUITY", direction=direction)
        assert (table.hand(0), table.hand(1)) == ("A-ARK A-REX", "P1868 P1917")


def test_discontinuity_moves_hands_only() -> None:
    table = scenario(
        hands={0: "X-DISCONTINUITY"}, artifacts={0: "A-REX"}, identities={0: "ID-YURI"}
    )
    before = table.board.seats
    table.plays_out(0, "X-DISCONTINUITY", direction="left")
    for one, other in zip(before, table.board.seats, strict=True):
        assert (one.identity, one.mission, one.artifacts) == (
            other.identity,
            other.mission,
            other.artifacts,
        )


def test_by_option_discontinuity_always_goes_to_the_left() -> None:
    table = scenario(hands={0: "X-DISCONTINUITY"}, discontinuity="left")
    assert table.targets(0, "X-DISCONTINUITY") == {"left"}


def test_a_vortex_does_not_deal_itself_and_favours_its_player_with_the_leftover() -> None:
    table = scenario(
        seats=4, hands={0: "X-TIME-VORTEX P1868", 2: "P1917 P1918 P1929 P1933 A-REX"}, draw="T-MEMO"
    )
    table.plays_out(0, "X-TIME-VORTEX")
    (moved,) = table.happened(HandsMoved)
    assert isinstance(moved, HandsMoved)
    assert [len(hand) for hand in moved.hands] == [2, 2, 1, 1]
    assert "X-TIME-VORTEX" not in [card for hand in moved.hands for card in hand]


def test_players_see_only_their_own_hand_when_hands_have_moved() -> None:
    moved = HandsMoved(how="left", hands=(("A-REX",), ("P1868", "P1917")))
    assert redact_event(moved, 0, "chrononauts") == HandsMoved(
        how="left", hands=(("A-REX",), (None, None))
    )
    assert redact_event(moved, None, "chrononauts") == HandsMoved(
        how="left", hands=((None,), (None, None))
    )


# Identities and missions


def test_the_card_shown_is_public_and_the_one_drawn_is_secret() -> None:
    table = scenario(hands={0: "X-PARENTS"}, identities={1: "ID-YURI"}, identity_pile="ID-ANDY")
    table.plays_out(0, "X-PARENTS", player=1)
    event = table.events()[0]
    assert redact_event(event, 0, "chrononauts") == SecretReplaced(
        which="identity", seat=1, shown="ID-YURI", drawn=(None,)
    )
    assert redact_event(event, 1, "chrononauts") == event
    assert redact(table.match, 0).board.identities.discards == ("ID-YURI",)


def test_by_option_a_new_mission_is_for_oneself_only() -> None:
    table = scenario(hands={0: "X-NEW-MISSION X-PARENTS"}, new_mission_target="self")
    assert table.targets(0, "X-NEW-MISSION") == {"seat:0"}
    assert table.targets(0, "X-PARENTS") == {"seat:0", "seat:1"}


# Fetching


def test_a_fetched_card_is_played_at_once_and_not_taken_into_the_hand() -> None:
    table = scenario(hands={0: "T-REWIND"}, discards="A-REX")
    table.plays_out(0, "T-REWIND").plays(0, "A-REX")
    assert table.events() == (CardPlayed(seat=0, card="A-REX", source="discard"),)
    assert table.hand(0) == ""


def test_no_timewarp_can_be_fetched() -> None:
    warps = "T-REWIND T-QUICK-TRIP T-FAST-FORWARD T-MEMO"
    rewind = scenario(hands={0: "T-REWIND"}, discards=f"{warps} A-REX").plays_out(0, "T-REWIND")
    assert rewind.options(0) == {"play:A-REX"}
    trip = scenario(hands={0: "T-QUICK-TRIP"}, draw=f"{warps} A-REX", bare=True)
    assert trip.plays_out(0, "T-QUICK-TRIP").options(0) == {"play:A-REX"}


def test_the_searcher_alone_sees_the_draw_pile_and_not_its_order() -> None:
    table = scenario(hands={0: "T-QUICK-TRIP"}, draw="P1917 A-REX A-ARK", bare=True)
    table.plays_out(0, "T-QUICK-TRIP")
    assert table.shown(0) == ("A-ARK", "A-REX", "P1917")
    assert table.shown(1) == ()
    assert redact(table.match, 1).prompt is None


def test_fast_forward_leaves_the_hand_as_large_as_any_other_turn() -> None:
    table = scenario(
        hands={0: "T-FAST-FORWARD A-REX P1868"}, draw="A-ARK P1917 P1918 P1929", drawn=False
    )
    table.plays_out(0, "T-FAST-FORWARD").plays_out(0, "A-REX").throws(0, "P1868")
    assert len(table.board.seats[0].hand) == 3 - 1 + 1
