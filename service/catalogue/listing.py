"""What the operations `games`, `game` and `cards` answer."""

from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from msgspec import inspect

from domain.engine.game import Game, PublishedCard, game_of
from domain.games import GAMES
from schema.positions import build_position
from schema.types import CardInfo, CardList, CardText, GameInfo, OptionInfo, PresetInfo
from service.catalogue.directory import directory
from service.catalogue.replacements import facts_in
from service.catalogue.tables import Row
from service.catalogue.texts import ENGLISH, Key, locales, texts


def games() -> tuple[GameInfo, ...]:
    """Return the games that are played here, in order of registration."""
    return tuple(game(one.name) for one in GAMES)


@lru_cache(maxsize=16)
def game(name: str) -> GameInfo:
    """Return a game with its options and presets.

    Raises:
        UnknownGame: no such game.
    """
    rules = game_of(name)
    return GameInfo(
        name=rules.name,
        title=rules.title,
        ruleset=rules.ruleset,
        min_seats=rules.seats[0],
        max_seats=rules.seats[-1],
        options=_options(rules),
        presets=tuple(PresetInfo(name=name, options=dict(o)) for name, o in rules.presets.items()),
        position_schema=False if rules.layout is None else build_position(name),
    )


# Each game has a board type of its own, hence Any here.
def _options(rules: Game[Any]) -> tuple[OptionInfo, ...]:
    described = inspect.type_info(rules.options)
    assert isinstance(described, inspect.StructType), "options are a Struct"
    return tuple(_option(field) for field in described.fields)


def _option(field: inspect.Field) -> OptionInfo:
    kind, description = field.type, ""
    if isinstance(kind, inspect.Metadata):
        description = str((kind.extra_json_schema or {}).get("description", ""))
        kind = kind.type
    name: Literal["boolean", "integer", "string"]
    values: tuple[str, ...] | None = None
    min: int | None = None
    max: int | None = None
    match kind:
        case inspect.BoolType():
            name = "boolean"
        case inspect.IntType(ge=min, le=max):
            name = "integer"
        case inspect.LiteralType():
            name, values = "string", tuple(str(value) for value in kind.values)
        case _:
            raise AssertionError(f"option {field.name}: a switch, a whole number or named values")
    return OptionInfo(
        name=field.encode_name,
        type=name,
        default=field.default,
        description=description,
        values=values,
        min=min,
        max=max,
    )


def cards(game: str, locale: str = ENGLISH) -> CardList:
    """Return the catalogue in a locale, with an operator's facts and texts in place.

    Raises:
        UnknownGame: no such game.
        MalformedCommand: the game has no texts in that locale.
        CatalogueInvalid: the operator's directory has a fault.
    """
    return cards_in(game, locale, directory())


@lru_cache(maxsize=32)
def cards_in(game: str, locale: str, where: Path | None) -> CardList:
    """Return the catalogue with what a directory replaces; see `cards`."""
    rows = texts(game, locale, where)
    return CardList(
        game=game,
        locale=locale,
        cards=tuple(_card(card, rows) for card in game_of(game).cards(facts_in(game, where))),
    )


def _card(card: PublishedCard, rows: dict[Key, Row]) -> CardInfo:
    own = {text: row.cells["value"] for (id, text), row in rows.items() if id == card.id}
    return CardInfo(
        id=card.id,
        kind=card.kind,
        name=own.get("name", card.id),
        count=card.count,
        texts=tuple(CardText(key=text, value=value) for text, value in own.items()),
        facts=card.facts,
        effects=card.effects,
        provenance=card.provenance,
    )


def load() -> None:
    """Read everything once, so that a fault stops the start and not a request.

    Raises:
        CatalogueInvalid: the operator's directory has a fault.
    """
    where = directory()
    for rules in GAMES:
        for locale in locales(rules.name):
            cards_in(rules.name, locale, where)
