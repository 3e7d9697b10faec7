from itertools import product

import pytest

from domain.games.chrononauts.events import CardsDrawn, PatchNullified, PointPatched
from tests.games.chrononauts.scenario import scenario

THREE = "P1945-1 P1945-2 P1945-3"


def test_a_1945_patch_leaves_while_its_paradox_stays_open() -> None:
    table = scenario(hands={0: "I-REVERSE-FATE"}, altered="1943", patches="P1945-1")
    assert 1945 not in table.open()
    table.plays_out(0, "I-REVERSE-FATE", linchpin=1941)
    assert table.happened(PatchNullified) == (PatchNullified(year=1945, card="P1945-1"),)
    assert 1945 in table.open()
    assert table.patches() == {}


@pytest.mark.parametrize(
    ("patch", "altered", "turned", "stays"),
    [
        ("P1945-1", "1943", 1936, False),
        ("P1945-1", "1943", 1941, False),
        ("P1945-1", "1943", 1943, False),
        ("P1945-1", "1943", 1957, True),
        ("P1945-2", "1941", 1936, False),
        ("P1945-2", "1941", 1941, False),
        ("P1945-2", "1941", 1943, True),
        ("P1945-2", "1941 1943", 1943, True),
        ("P1945-2", "1941 1943", 1941, False),
        ("P1945-3", "1936", 1936, False),
        ("P1945-3", "1936", 1941, True),
        ("P1945-3", "1936", 1943, True),
        ("P1945-3", "1936 1941 1943", 1936, False),
    ],
)
def test_a_1945_patch_stays_only_while_its_states_hold(
    patch: str, altered: str, turned: int, stays: bool
) -> None:
    table = scenario(hands={0: "I-REVERSE-FATE"}, altered=altered, patches=patch)
    table.plays_out(0, "I-REVERSE-FATE", linchpin=turned)
    assert (table.patches() == {1945: patch}) == stays


def test_every_paradox_state_of_1945_takes_exactly_one_patch() -> None:
    for sides in product((False, True), repeat=3):
        years = zip(("1936", "1941", "1943"), sides, strict=True)
        altered = " ".join(year for year, turned in years if turned)
        table = scenario(hands={0: THREE}, altered=altered)
        assert len(table.playable(0)) == (1 if altered else 0)


def test_a_patch_that_does_not_fit_is_forbidden() -> None:
    table = scenario(hands={0: "P1945-2"}, altered="1943")
    assert 1945 in table.open()
    assert table.options(0) == {"discard:P1945-2"}


def test_by_option_a_patch_that_does_not_fit_is_wasted_and_pays() -> None:
    table = scenario(hands={0: "P1945-2"}, altered="1943", draw="A-REX", misfit_1945="wasted")
    assert table.playable(0) == {"P1945-2"}
    table.plays_out(0, "P1945-2")
    assert table.events()[:3] == (
        PointPatched(year=1945, card="P1945-2"),
        PatchNullified(year=1945, card="P1945-2"),
        CardsDrawn(seat=0, cards=("A-REX",)),
    )
    assert table.discards() == "P1945-2"
    assert 1945 in table.open()


def test_by_option_a_patch_is_still_forbidden_on_a_true_or_patched_1945() -> None:
    true = scenario(hands={0: THREE}, misfit_1945="wasted")
    patched = scenario(
        hands={0: "P1945-1 P1945-2"}, altered="1936", patches="P1945-3", misfit_1945="wasted"
    )
    assert true.playable(0) == patched.playable(0) == set()
