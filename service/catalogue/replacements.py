"""The facts of cards that an operator replaced, checked by the game itself."""

from functools import lru_cache
from pathlib import Path
from typing import Any

from domain.engine.errors import InvalidOptions
from domain.engine.events import Fact
from domain.engine.game import Game, PublishedCard, game_of
from domain.engine.ids import CardId
from service.catalogue.directory import directory
from service.catalogue.tables import CatalogueInvalid, read

COLUMNS = ("card", "fact", "value")
MAX_VALUE = 200


def facts(game: str) -> tuple[Fact, ...]:
    """Return the facts that new matches of the game carry, in order of card and name.

    Raises:
        UnknownGame: no such game.
        CatalogueInvalid: the directory or the table of facts has a fault.
    """
    return facts_in(game, directory())


@lru_cache(maxsize=16)
def facts_in(game: str, where: Path | None) -> tuple[Fact, ...]:
    """Return the facts in a directory that differ from the built-in ones; see `facts`."""
    rules = game_of(game)
    path = None if where is None else where / game / "facts.csv"
    if path is None or not path.exists():
        return ()
    table = read(path, COLUMNS)
    faults = list(table.faults)
    seen: dict[tuple[CardId, str], str] = {}
    kept: list[Fact] = []
    built_in = {card.id: card for card in rules.cards(())}
    for row in table.rows:
        fact = Fact(row.cells["card"], row.cells["fact"], row.cells["value"])
        key = (fact.card, fact.name)
        reason = _repeated(seen.get(key), fact) or _refusal(rules, built_in, fact)
        if reason is not None:
            faults.append(f"{row.place}: {reason}")
        elif _replaces(rules, built_in, fact):
            kept.append(fact)
        seen.setdefault(key, row.place)
    kept.sort(key=lambda fact: (fact.card, fact.name))
    if not faults:
        faults += _faults_together(rules, path, tuple(kept))
    if faults:
        raise CatalogueInvalid(faults)
    return tuple(kept)


def _repeated(place: str | None, fact: Fact) -> str | None:
    return None if place is None else f"{fact.card} {fact.name} stands already in {place}"


# Each game has a board type of its own, hence Any here.
def _refusal(rules: Game[Any], built_in: dict[CardId, PublishedCard], fact: Fact) -> str | None:
    """Return why the game does not take the fact, `None` if it does."""
    if fact.card not in built_in:
        return f"there is no card {fact.card!r}"
    if len(fact.value) > MAX_VALUE:
        return f"a value has at most {MAX_VALUE} characters"
    try:
        rules.cards((fact,))
    except InvalidOptions as error:
        known = error.detail.get("facts")
        names = ", ".join(str(name) for name in known) if isinstance(known, list) else ""
        return f"{_bare(error)}; it has {names}" if names else _bare(error)
    return None


def _replaces(rules: Game[Any], built_in: dict[CardId, PublishedCard], fact: Fact) -> bool:
    """Tell whether the value says anything else than the built-in one."""
    old = built_in[fact.card]
    new = next(card for card in rules.cards((fact,)) if card.id == fact.card)
    return (new.count, new.facts) != (old.count, old.facts)


def _faults_together(rules: Game[Any], path: Path, kept: tuple[Fact, ...]) -> list[str]:
    """Return what is wrong with facts that are right one by one: a deck without cards."""
    try:
        rules.cards(kept)
        rules.configure(rules.seats[-1], {}, kept)
    except InvalidOptions as error:
        return [f"{path}: {_bare(error)}"]
    return []


def _bare(error: InvalidOptions) -> str:
    return error.message.removeprefix("facts: ")
