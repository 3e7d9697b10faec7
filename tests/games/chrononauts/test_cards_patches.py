import pytest

from domain.games.chrononauts.cards.patches import PATCHES
from domain.games.chrononauts.events import (
    CardPlayed,
    CardsDrawn,
    LinchpinTurned,
    PatchNullified,
    PointPatched,
)
from domain.games.chrononauts.timeline import POINT
from tests.games.chrononauts.scenario import scenario

# Each patch: its year, linchpins under which it fits, one of them whose restoring takes it off.
FITS = {
    "P1868": (1868, "1865", 1865),
    "P1917": (1917, "1915", 1915),
    "P1918": (1918, "1914", 1914),
    "P1929": (1929, "1912", 1912),
    "P1933": (1933, "1915", 1915),
    "P1939": (1939, "1936", 1936),
    "P1942": (1942, "1936", 1936),
    "P1944": (1944, "1936 1941", 1941),
    "P1945-1": (1945, "1943", 1943),
    "P1945-2": (1945, "1941", 1941),
    "P1945-3": (1945, "1936", 1936),
    "P1948": (1948, "1936", 1936),
    "P1950": (1950, "1937", 1937),
    "P1962": (1962, "1943", 1943),
    "P1968": (1968, "1963", 1963),
    "P1969": (1969, "1957", 1957),
    "P1974": (1974, "1865 1963", 1865),
    "P1986": (1986, "1980 1981", 1980),
    "P1991": (1991, "1981", 1981),
    "P1995": (1995, "1993", 1993),
    "P1999": (1999, "1980", 1980),
}
OTHERS = {"P1945-1", "P1945-2", "P1945-3"}


@pytest.mark.parametrize("card", FITS)
def test_a_patch_on_its_open_paradox_pays_a_card(card: str) -> None:
    year, altered, _ = FITS[card]
    table = scenario(hands={0: card}, altered=altered, draw="T-REWIND T-MEMO")
    assert table.options(0) == {f"play:{card}", f"discard:{card}"}
    table.plays(0, card)
    assert table.events() == (CardPlayed(seat=0, card=card),)
    assert table.patches() == {}
    table.passes()
    assert table.events()[:2] == (
        PointPatched(year=year, card=card),
        CardsDrawn(seat=0, cards=("T-REWIND",)),
    )
    assert table.patches() == {year: card}
    assert table.hand(0) == "T-REWIND"
    assert year in table.paradoxes()
    assert year not in table.open()
    assert table.discards() == ""


@pytest.mark.parametrize("card", FITS)
def test_a_patch_cannot_be_played_on_an_undisturbed_timeline(card: str) -> None:
    assert scenario(hands={0: card}).options(0) == {f"discard:{card}"}


@pytest.mark.parametrize("card", FITS)
def test_a_patch_goes_when_its_cause_is_restored(card: str) -> None:
    year, altered, cause = FITS[card]
    table = scenario(hands={0: "I-RESTORE-HISTORY"}, altered=altered, patches=card)
    table.plays_out(0, "I-RESTORE-HISTORY", linchpin=cause)
    assert table.events()[:2] == (
        LinchpinTurned(year=cause, side="true"),
        PatchNullified(year=year, card=card),
    )
    assert table.patches() == {}
    assert table.discards() == f"{card} I-RESTORE-HISTORY"
    assert table.hand(0) == ""


@pytest.mark.parametrize("card", [card for card in FITS if card not in OTHERS])
def test_a_patch_fits_no_other_year(card: str) -> None:
    every = "1865 1912 1914 1915 1936 1937 1941 1943 1957 1963 1980 1981 1993"
    causes = POINT[FITS[card][0]].hangs_on
    altered = " ".join(year for year in every.split() if int(year) not in causes)
    table = scenario(hands={0: card}, altered=altered, paradox_limit=0)
    assert table.options(0) == {f"discard:{card}"}


@pytest.mark.parametrize(
    ("altered", "fitting"),
    [
        ("1943", "P1945-1"),
        ("1941", "P1945-2"),
        ("1941 1943", "P1945-2"),
        ("1936", "P1945-3"),
        ("1936 1943", "P1945-3"),
        ("1936 1941", "P1945-3"),
        ("1936 1941 1943", "P1945-3"),
    ],
)
def test_each_paradox_state_of_1945_is_closed_by_exactly_one_patch(
    altered: str, fitting: str
) -> None:
    table = scenario(hands={0: "P1945-1 P1945-2 P1945-3"}, altered=altered)
    assert table.playable(0) == {fitting}


def test_every_patch_has_its_test() -> None:
    assert {card.id for card in PATCHES} == set(FITS)
    assert sum(card.count for card in PATCHES) == 21
    assert {card.id: card.year for card in PATCHES} == {card: FITS[card][0] for card in FITS}
