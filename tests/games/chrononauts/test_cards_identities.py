import pytest

from domain.engine.events import Outcome
from domain.games.chrononauts.cards.identities import IDENTITIES
from domain.games.chrononauts.events import SecretShown, VictoryClaimed
from domain.games.chrononauts.timeline import POINT, WAR
from tests.games.chrononauts.scenario import Table, scenario

# Each identity: the three years of its home, and the altered linchpins of its easiest way there.
HOMES = {
    "ID-ANDY": ("1939' 1969 1986'", "1936 1980 1981"),
    "ID-BETTY": ("1945 1968' 1969'", "1963"),
    "ID-FRUITY": ("1868' 1933' 1986", "1865 1912"),
    "ID-GINOHN": ("1868 1944' 1999'", "1936 1941 1980"),
    "ID-GUNTHER": ("1917' 1918' 1950", "1914 1915"),
    "ID-MR-X": ("1950' 1968 1995'", "1937 1993"),
    "ID-OLIVER": ("1917' 1929 1974'", "1865 1915 1963"),
    "ID-RAINBOW": ("1948 1968' 1986'", "1963 1980 1981"),
    "ID-RENEE": ("1917 1929' 1948'", "1912 1936"),
    "ID-SQUA-TRONT": ("1933 1950' 1962'", "1937 1943"),
    "ID-TIMMY": ("1918' 1944 1999'", "1914 1980"),
    "ID-WERNER": ("1939' 1974' 1991", "1865 1936 1963"),
    "ID-YITZCHAK": ("1918 1942' 1995'", "1936 1993"),
    "ID-YURI": ("1969' 1991' 1995", "1957 1981"),
}
YEARS = [(name, word) for name, (years, _) in HOMES.items() for word in years.split()]


def throws_at_home(name: str, altered: str, patches: tuple[str, ...]) -> Table:
    """Return the table after a turn in which nothing but a discard was made."""
    table = scenario(
        hands={0: "T-MEMO"}, identities={0: name}, altered=altered, patches=" ".join(patches)
    )
    return table.throws(0, "T-MEMO")


def patches_of(name: str, but: str = "") -> tuple[str, ...]:
    years = HOMES[name][0].split()
    return tuple(f"P{year[:-1]}" for year in years if year.endswith("'") and year != but)


@pytest.mark.parametrize("name", HOMES)
def test_an_identity_is_home_when_its_three_years_match(name: str) -> None:
    table = throws_at_home(name, HOMES[name][1], patches_of(name))
    assert table.events()[-2:] == (
        VictoryClaimed(seat=0, ways=("home",)),
        SecretShown(which="identity", seat=0, card=name),
    )
    assert table.outcome() == Outcome(winners=(0,), reasons=("home",))


@pytest.mark.parametrize(("name", "word"), YEARS)
def test_an_identity_is_not_home_while_one_of_its_years_is_an_open_paradox(
    name: str, word: str
) -> None:
    altered = set(HOMES[name][1].split())
    if not word.endswith("'"):
        altered |= _fewest_causes(int(word))
    assert throws_at_home(name, " ".join(sorted(altered)), patches_of(name, word)).outcome() is None


@pytest.mark.parametrize(("name", "word"), [item for item in YEARS if item[1].endswith("'")])
def test_an_identity_is_not_home_while_a_patched_year_of_its_is_true(name: str, word: str) -> None:
    year = int(word[:-1])
    altered = set(HOMES[name][1].split()) - {str(cause) for cause in POINT[year].hangs_on}
    kept = [card for card in patches_of(name, word) if _stands(int(card[1:]), altered)]
    assert throws_at_home(name, " ".join(sorted(altered)), tuple(kept)).outcome() is None


@pytest.mark.parametrize(("name", "word"), [item for item in YEARS if item[1][-1] != "'"])
def test_an_identity_is_not_home_while_a_true_year_of_its_is_patched(name: str, word: str) -> None:
    altered = set(HOMES[name][1].split()) | _fewest_causes(int(word))
    fitting = {"1945": "P1945-3" if "1936" in altered else "P1945-2"}.get(word, f"P{word}")
    patches = (*patches_of(name), fitting)
    assert throws_at_home(name, " ".join(sorted(altered)), patches).outcome() is None


@pytest.mark.parametrize("name", HOMES)
def test_during_the_war_only_identities_without_a_later_year_get_home(name: str) -> None:
    years, altered = HOMES[name]
    war = () if "P1962" in patches_of(name) else ("P1962",)
    cause = {"ID-BETTY": "1957"}.get(name, "1943")
    both = " ".join(sorted({*altered.split(), cause}))
    early = all(int(word[:4]) <= WAR for word in years.split())
    table = throws_at_home(name, both, (*patches_of(name), *war))
    assert (table.outcome() is not None) == early == (name in EARLY)


EARLY = ("ID-GUNTHER", "ID-RENEE", "ID-SQUA-TRONT")


def test_every_identity_has_its_test() -> None:
    assert {card.id: card.years for card in IDENTITIES} == {
        name: years for name, (years, _) in HOMES.items()
    }
    assert len(HOMES) == 14


def _fewest_causes(year: int) -> set[str]:
    point = POINT[year]
    causes = point.hangs_on if point.condition == "and" else point.hangs_on[-1:]
    return {str(cause) for cause in causes}


def _stands(year: int, altered: set[str]) -> bool:
    test = all if POINT[year].condition == "and" else any
    return test(str(cause) in altered for cause in POINT[year].hangs_on)
