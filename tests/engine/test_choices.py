from collections import Counter
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from domain.engine.choices import Choice, Offer, Option, answers, is_legal, to_choice
from domain.engine.ids import Picks


def choice(*limits: int, min: int = 1, max: int = 1) -> Choice:
    options = tuple(Option("abcdef"[at], limit=limit) for at, limit in enumerate(limits))
    return to_choice(7, 0, "menu", Offer(options, min, max), None)


def all_answers(*limits: int, min: int = 1, max: int = 1) -> list[str]:
    return ["".join(picks) for picks in answers(choice(*limits, min=min, max=max))]


offers = st.builds(
    lambda limits, low, more: choice(*limits, min=low, max=low + more),
    st.lists(st.integers(1, 3), max_size=4),
    st.integers(0, 4),
    st.integers(0, 3),
)


@given(offers)
def test_answers_are_exactly_what_is_legal(one: Choice) -> None:
    legal = list(answers(one))
    assert len(set(legal)) == len(legal)
    words = [option.id for option in one.options]
    for size in range(one.max + 2):
        wanted = {
            tuple(sorted(picks)) for picks in product(words, repeat=size) if is_legal(one, picks)
        }
        assert wanted == {tuple(sorted(picks)) for picks in legal if len(picks) == size}


@given(offers, st.lists(st.sampled_from("abcdefg"), max_size=8))
def test_legality_is_a_matter_of_counting(one: Choice, picks: list[str]) -> None:
    limits = {option.id: option.limit for option in one.options}
    fits = all(count <= limits.get(word, 0) for word, count in Counter(picks).items())
    assert is_legal(one, tuple(picks)) == (fits and one.min <= len(picks) <= one.max)


@given(offers)
def test_every_choice_has_a_legal_answer(one: Choice) -> None:
    assert next(answers(one), None) is not None


def test_one_of_some() -> None:
    assert all_answers(1, 1, 1) == ["a", "b", "c"]


def test_yes_or_no() -> None:
    assert all_answers(1, min=0) == ["", "a"]


def test_some_of_some_fewest_first_in_the_order_of_the_options() -> None:
    assert all_answers(1, 1, 1, min=2, max=3) == ["ab", "ac", "bc", "abc"]


def test_tokens_are_picked_up_to_the_limit() -> None:
    assert all_answers(3, 1, min=2, max=3) == ["aa", "ab", "aaa", "aab"]


def test_bounds_are_cut_to_what_there_is() -> None:
    one = choice(2, 1, min=5, max=9)
    assert (one.min, one.max) == (3, 3)
    assert list(answers(one)) == [("a", "a", "b")]


def test_an_empty_offer_takes_the_empty_answer_only() -> None:
    one = choice(min=1, max=2)
    assert list(answers(one)) == [()]
    assert is_legal(one, ())
    assert not is_legal(one, ("a",))


def test_an_option_picked_too_often_or_unknown_is_illegal() -> None:
    one = choice(2, 1, min=1, max=4)
    cases: dict[Picks, bool] = {
        ("a", "a"): True,
        ("a", "b", "a"): True,
        ("a", "a", "a"): False,
        ("b", "b"): False,
        ("z",): False,
        (): False,
    }
    assert {picks: is_legal(one, picks) for picks in cases} == cases


def test_the_order_of_picks_does_not_matter() -> None:
    one = choice(1, 1, min=2, max=2)
    assert is_legal(one, ("b", "a"))
    assert is_legal(one, ("a", "b"))
