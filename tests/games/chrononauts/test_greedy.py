import pytest

from domain.engine.chance import Chance
from domain.engine.choices import answers
from domain.engine.decider import open_choice
from domain.engine.ids import Picks
from domain.engine.redaction import redact
from domain.games.chrononauts import GAME
from tests.games.chrononauts.scenario import Table, opening, scenario


def likes(table: Table, seat: int) -> Picks:
    """Return the answer that the bot likes best; of equals the first."""
    choice = open_choice(table.match, seat)
    assert choice is not None
    seen = redact(table.match, seat)
    return max(answers(choice), key=lambda picks: GAME.greedy(seen, choice, picks))


def test_it_plays_a_patch_of_its_own_home_before_others() -> None:
    table = scenario(
        hands={0: "P1868 P1968 A-REX"}, identities={0: "ID-BETTY"}, altered="1865 1963"
    )
    assert likes(table, 0) == ("play:P1968",)


def test_it_plays_an_artifact_of_its_mission_before_a_useless_patch() -> None:
    table = scenario(hands={0: "P1868 A-ARK"}, missions={0: "M-RELICS"}, altered="1865")
    assert likes(table, 0) == ("play:A-ARK",)


def test_a_mona_lisa_is_worth_playing_for_the_mission_that_wants_the_best() -> None:
    table = scenario(
        hands={0: "P1868 A-MONA-REAL"}, missions={0: "M-MONA-DINOSAUR"}, altered="1865"
    )
    assert likes(table, 0) == ("play:A-MONA-REAL",)


def test_it_turns_the_linchpin_that_brings_its_home_nearer() -> None:
    table = scenario(hands={0: "I-REVERSE-FATE"}, identities={0: "ID-BETTY"})
    assert likes(table.picks(0, ("play:I-REVERSE-FATE",)), 0) == ("1963",)


def test_it_does_not_go_near_the_limit() -> None:
    table = scenario(
        hands={0: "I-REVERSE-FATE"}, identities={0: "ID-BETTY"}, altered="1936", paradox_limit=7
    )
    picked = likes(table.picks(0, ("play:I-REVERSE-FATE",)), 0)
    assert picked == ("1936",)


@pytest.mark.parametrize(
    ("card", "liked"), [("X-SELL", ("A-VIDEO",)), ("X-MIRACLE-FUTURE", ("A-VIDEO",))]
)
def test_it_gives_up_an_artifact_that_it_does_not_need(card: str, liked: Picks) -> None:
    table = scenario(hands={0: card}, missions={0: "M-RELICS"}, artifacts={0: "A-ARK A-VIDEO"})
    assert likes(table.picks(0, (f"play:{card}",)), 0) == liked


def test_it_takes_the_artifact_that_it_needs() -> None:
    table = scenario(
        hands={0: "X-GET-THERE-FIRST"}, missions={0: "M-RELICS"}, artifacts={1: "A-ARK A-VIDEO"}
    )
    assert likes(table.picks(0, ("play:X-GET-THERE-FIRST",)), 0) == ("A-ARK",)


def test_it_makes_somebody_else_change_the_identity() -> None:
    table = scenario(hands={0: "X-PARENTS"})
    assert likes(table.picks(0, ("play:X-PARENTS",)), 0) == ("seat:1",)


def test_it_keeps_its_memo_until_somebody_is_strong() -> None:
    weak = scenario(hands={0: "A-REX", 1: "T-MEMO"}).plays(0, "A-REX")
    assert likes(weak, 1) == ()
    strong = scenario(
        hands={0: "A-REX P1868", 1: "T-MEMO"}, artifacts={0: "A-ARK A-CURE A-VIDEO"}
    ).plays(0, "A-REX")
    assert likes(strong, 1) == ("hand:T-MEMO",)


def test_it_throws_away_what_is_worth_least() -> None:
    table = scenario(small={0: "P1868 X-SELL T-MEMO"})
    assert likes(table, 0) == ("discard:X-SELL",)


def test_it_has_no_opinion_on_directions_and_swaps() -> None:
    table = scenario(hands={0: "X-DISCONTINUITY"}).picks(0, ("play:X-DISCONTINUITY",))
    assert likes(table, 0) == ("left",)
    swap = Table(opening(2, courtesy_swap=True))
    assert likes(swap, 0) == ()


def test_drawing_first_it_may_kill_time() -> None:
    table = scenario(hands={0: "P1868 X-SELL"}, kill_time="draw-first")
    assert likes(table.picks(0, ("discard:X-SELL",)), 0) == ("kill_time",)


@pytest.mark.parametrize("seats", [2, 4])
def test_greedy_players_finish_their_match(seats: int) -> None:
    table = Table(opening(seats, turn_cap=400))
    for _ in range(4000):
        if table.outcome() is not None:
            break
        seat = table.asked()[0]
        choice = open_choice(table.match, seat)
        assert choice is not None
        seen = redact(table.match, seat)
        legal = list(answers(choice))
        best = max(GAME.greedy(seen, choice, picks) for picks in legal)
        good = [picks for picks in legal if GAME.greedy(seen, choice, picks) == best]
        table.picks(seat, good[Chance("5eed", table.match.version).below(len(good))])
    assert table.outcome() is not None
