from domain.engine.decider import Choose, carry_out, open_choice
from domain.engine.game import Move
from domain.games.chrononauts import GAME
from tests.games.chrononauts.scenario import Table, scenario


def moves(table: Table, seat: int) -> set[str]:
    """Return the named moves of a seat as words: type, arguments, steps."""
    choice = open_choice(table.match, seat)
    assert choice is not None
    return {_line(move) for move in GAME.moves(table.match, choice)}


def sends(table: Table, seat: int, type: str, **arguments: object) -> Table | None:
    """Send a named move, and return the table after it, or nothing if it answers no choice."""
    choice = open_choice(table.match, seat)
    assert choice is not None
    steps = GAME.translate(table.match, choice, type, arguments)  # type: ignore[arg-type]  # JSON
    if steps is None:
        return None
    return Table(carry_out(table.match, Choose(seat, choice.id, steps)).match)


def _line(move: Move) -> str:
    arguments = " ".join(f"{name}={value}" for name, value in move.arguments.items())
    return f"{move.type} {arguments}"


def test_each_play_is_offered_with_each_of_its_targets() -> None:
    table = scenario(hands={0: "I-HALT-ATTACK X-DISCONTINUITY A-REX X-PARENTS P1868"})
    assert moves(table, 0) == {
        *(f"playCard card=I-HALT-ATTACK linchpin={year}" for year in (1915, 1941, 1993)),
        *(f"playCard card=X-DISCONTINUITY direction={way}" for way in ("left", "right")),
        *(f"playCard card=X-PARENTS player={seat}" for seat in (0, 1)),
        "playCard card=A-REX",
        *(
            f"discardCards cards=['{card}']"
            for card in ("A-REX", "I-HALT-ATTACK", "P1868", "X-DISCONTINUITY", "X-PARENTS")
        ),
        *(
            f"killTime cards=['{one}', '{two}']"
            for one, two in (
                ("A-REX", "I-HALT-ATTACK"),
                ("A-REX", "P1868"),
                ("A-REX", "X-DISCONTINUITY"),
                ("A-REX", "X-PARENTS"),
                ("I-HALT-ATTACK", "P1868"),
                ("I-HALT-ATTACK", "X-DISCONTINUITY"),
                ("I-HALT-ATTACK", "X-PARENTS"),
                ("P1868", "X-DISCONTINUITY"),
                ("P1868", "X-PARENTS"),
                ("X-DISCONTINUITY", "X-PARENTS"),
            )
        ),
    }


def test_a_play_is_sent_whole() -> None:
    table = scenario(hands={0: "I-HALT-ATTACK"})
    after = sends(table, 0, "playCard", card="I-HALT-ATTACK", linchpin=1915, artifact=None)
    assert after is not None
    assert after.prompt(1) == "respond"
    assert sends(table, 0, "playCard", card="I-HALT-ATTACK", linchpin=1912) is None
    assert sends(table, 0, "playCard", card="I-HALT-ATTACK") is None
    assert sends(table, 0, "playCard", card="A-REX") is None


def test_discarding_one_card_kills_no_time() -> None:
    after = sends(scenario(hands={0: "A-REX A-ARK"}), 0, "discardCards", cards=["A-REX"])
    assert after is not None
    assert after.hand(0) == "A-ARK"
    assert after.asked() == (1,)


def test_the_last_card_of_a_hand_is_discarded_alone() -> None:
    table = scenario(hands={0: "A-REX"})
    assert moves(table, 0) == {"discardCards cards=['A-REX']", "playCard card=A-REX"}
    after = sends(table, 0, "discardCards", cards=["A-REX"])
    assert after is not None
    assert after.asked() == (1,)


def test_time_is_killed_with_both_cards_in_either_order() -> None:
    table = scenario(hands={0: "A-REX A-ARK P1868"}, draw="A-CURE")
    for one, two in (("A-REX", "A-ARK"), ("A-ARK", "A-REX")):
        after = sends(table, 0, "killTime", cards=[one, two])
        assert after is not None
        assert after.discards() == f"{one} {two}"
        assert after.hand(0) == "A-CURE P1868"


def test_two_copies_of_a_card_kill_time_too() -> None:
    after = sends(scenario(hands={0: "T-MEMO T-MEMO"}), 0, "killTime", cards=["T-MEMO", "T-MEMO"])
    assert after is not None
    assert after.discards() == "T-MEMO T-MEMO"
    assert (
        sends(scenario(hands={0: "T-MEMO A-REX"}), 0, "killTime", cards=["T-MEMO", "T-MEMO"])
        is None
    )


def test_after_a_first_discard_the_second_one_kills_time() -> None:
    table = scenario(hands={0: "A-REX A-ARK"}).picks(0, ("discard:A-REX",))
    assert moves(table, 0) == {"killTime cards=['A-ARK']"}


def test_drawing_first_time_is_killed_with_one_card_and_then_the_other() -> None:
    table = scenario(hands={0: "A-REX A-ARK"}, draw="A-CURE", kill_time="draw-first")
    assert {line for line in moves(table, 0) if line.startswith("killTime")} == {
        "killTime cards=['A-ARK']",
        "killTime cards=['A-REX']",
    }
    after = sends(table, 0, "killTime", cards=["A-REX"])
    assert after is not None
    assert moves(after, 0) == {"killTime cards=['A-ARK']", "killTime cards=['A-CURE']"}
    done = sends(after, 0, "killTime", cards=["A-CURE"])
    assert done is not None
    assert done.hand(0) == "A-ARK"
    waits = scenario(hands={0: "A-REX A-ARK"}, kill_time="draw-first")
    waits.picks(0, ("discard:A-REX",))
    assert moves(waits, 0) == set()


def test_a_window_is_answered_with_a_card_or_passed() -> None:
    table = scenario(hands={0: "A-REX", 1: "T-MEMO"}).plays(0, "A-REX")
    assert moves(table, 1) == {"respond card=None", "respond card=T-MEMO"}
    assert sends(table, 1, "respond", card=None) is not None
    answered = sends(table, 1, "respond", card="T-MEMO")
    assert answered is not None
    assert moves(answered, 0) == {"respond card=None"}


def test_a_memo_in_both_hands_is_named_with_its_source() -> None:
    table = scenario(hands={0: "T-MEMO", 1: "T-MEMO"}, small={0: "A-REX T-MEMO"})
    table.plays(0, "A-REX").answers(1, "T-MEMO")
    assert moves(table, 0) == {
        "respond card=None",
        "respond card=T-MEMO source=hand",
        "respond card=T-MEMO source=small",
    }
    after = sends(table, 0, "respond", card="T-MEMO", source="small")
    assert after is not None
    assert after.hand(0) == "T-MEMO"


def test_a_small_hand_is_played_or_discarded_without_killing_time() -> None:
    table = scenario(small={0: "A-REX P1868"})
    assert moves(table, 0) == {
        "playCard card=A-REX",
        "discardCards cards=['A-REX']",
        "discardCards cards=['P1868']",
    }
    after = sends(table, 0, "discardCards", cards=["P1868"])
    assert after is not None
    assert moves(after, 0) == {"discardCards cards=['A-REX']"}


def test_a_card_is_fetched_with_its_targets() -> None:
    table = scenario(hands={0: "T-REWIND"}, discards="A-REX I-AVERT-DISASTER")
    table.plays_out(0, "T-REWIND")
    assert moves(table, 0) == {
        "playCard card=A-REX",
        *(f"playCard card=I-AVERT-DISASTER linchpin={year}" for year in (1912, 1915, 1937)),
    }


def test_solonauts_plays_and_discards_only() -> None:
    table = scenario(
        seats=1, variant="solonauts", hands={0: "I-AVERT-DISASTER P1868"}, waiting="ID-ANDY"
    )
    assert moves(table, 0) == {
        *(f"playCard card=I-AVERT-DISASTER linchpin={year}" for year in (1912, 1915, 1937)),
        "discardCards cards=['I-AVERT-DISASTER']",
        "discardCards cards=['P1868']",
    }


def test_targets_asked_on_their_own_and_swaps_have_no_named_move() -> None:
    table = scenario(hands={0: "I-AVERT-DISASTER"}).picks(0, ("play:I-AVERT-DISASTER",))
    assert moves(table, 0) == set()
    assert sends(table, 0, "playCard", card="I-AVERT-DISASTER", linchpin=1912) is None
