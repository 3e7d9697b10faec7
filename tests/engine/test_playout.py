from domain.engine.choices import answers
from domain.engine.decider import fold, open_choice
from domain.engine.effects import Who
from domain.engine.playout import opening, perft, plies
from tests.engine.lab import Finish, ask, begin
from tests.games.toy.game import TOY

SEED = "5eed0001" * 4


def test_an_opening_is_the_log_of_its_match() -> None:
    events, match = opening(TOY.name, 3, SEED)
    assert fold(events) == match
    assert [place.player for place in match.places] == ["player 0", "player 1", "player 2"]


def test_a_playout_is_a_function_of_its_seed() -> None:
    _, match = opening(TOY.name, 3, SEED)
    one, two = list(plies(match, SEED)), list(plies(match, SEED))
    assert one == two
    assert one != list(plies(match, SEED[::-1]))
    assert one[-1][2].outcome is not None


def test_a_playout_stops_at_its_limit() -> None:
    _, match = opening(TOY.name, 3, SEED)
    assert len(list(plies(match, SEED, limit=4))) == 4


def test_a_chooser_may_be_given() -> None:
    _, match = opening(TOY.name, 3, SEED)
    first = next(plies(match, SEED, lambda _, choice, __: next(answers(choice))))
    choice = open_choice(match, match.asked[0])
    assert choice is not None
    assert first[0].steps == (next(answers(choice)),)


def test_perft_counts_sequences_of_answers() -> None:
    match = begin(ask("one"), ask("two", words=("a", "b", "c")), Finish())
    assert [perft(match, depth) for depth in range(4)] == [1, 2, 6, 6]


def test_perft_counts_the_answers_of_several_seats_one_after_the_other() -> None:
    match = begin(ask("word", Who.ALL, min=0, max=2), Finish())
    assert perft(match, 2) == 16
