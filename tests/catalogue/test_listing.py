"""What the operations `games`, `game` and `cards` answer."""

from pathlib import Path

import msgspec
import pytest

from domain.engine.errors import MalformedCommand, UnknownGame
from domain.engine.game import game_of
from domain.games import GAMES
from schema.types import OptionInfo
from service import catalogue
from service.catalogue import texts
from service.catalogue.listing import cards_in
from service.catalogue.texts import locales
from tests.catalogue.conftest import Operator
from tests.kit.matches import ALL_GAMES

PLACES = [(game.name, locale) for game in GAMES for locale in locales(game.name)]


def test_games_say_who_can_play_what() -> None:
    (game,) = (one for one in catalogue.games() if one.name == "chrononauts")
    assert (game.title, game.min_seats, game.max_seats) == ("Chrononauts", 1, 6)
    assert game.ruleset == game_of("chrononauts").ruleset
    assert [preset.name for preset in game.presets] == ["published", "sheet"]
    assert game == catalogue.game("chrononauts")


@pytest.mark.parametrize("game", [game.name for game in ALL_GAMES])
def test_every_option_is_described_and_bounded(game: str) -> None:
    for option in catalogue.game(game).options:
        assert option.description.endswith((".", ")")), option.name
        match option.type:
            case "boolean":
                assert isinstance(option.default, bool)
            case "integer":
                assert option.min is not None
                assert option.max is not None
                assert option.min <= option.default <= option.max
            case "string":
                assert option.values is not None
                assert option.default in option.values


def test_options_are_those_of_a_match() -> None:
    game = catalogue.game("chrononauts")
    options = {option.name: option for option in game.options}
    assert {name: option.default for name, option in options.items()} == game_of(
        "chrononauts"
    ).configure(2, {}, ())
    assert options["handVictory"] == OptionInfo(
        name="handVictory",
        type="integer",
        default=10,
        description="Cards in hand at the end of the own turn that win; 0: off. "
        "artifaxx plays with 0. (rules 10, 18)",
        min=0,
        max=80,
    )
    assert all(name in options for preset in game.presets for name in preset.options)


def test_an_unknown_game_and_an_unknown_locale_are_refused() -> None:
    with pytest.raises(UnknownGame, match="there is no game 'go'"):
        catalogue.game("go")
    with pytest.raises(UnknownGame, match="there is no game 'go'"):
        catalogue.cards("go")
    with pytest.raises(MalformedCommand, match=r"no texts in '\.\./en'; use en or ja"):
        catalogue.cards("chrononauts", "../en")


@pytest.mark.parametrize(("game", "locale"), PLACES)
def test_every_card_has_a_name_and_no_text_is_empty(game: str, locale: str) -> None:
    cards = catalogue.cards(game, locale).cards
    assert [card.id for card in cards] == [card.id for card in game_of(game).cards(())]
    for card in cards:
        own = {text.key: text.value for text in card.texts}
        assert card.name == own["name"]
        assert all(value.strip() for value in own.values())


@pytest.mark.parametrize("locale", ["en", "ja"])
def test_every_card_of_chrononauts_says_what_it_does(locale: str) -> None:
    for card in catalogue.cards("chrononauts", locale).cards:
        keys = ["name", "altered", "effect"] if card.kind == "linchpin" else ["name", "effect"]
        assert [text.key for text in card.texts] == keys


def test_japanese_texts_are_japanese() -> None:
    for card in catalogue.cards("chrononauts", "ja").cards:
        assert not card.name.isascii(), card.id


@pytest.mark.parametrize(("game", "locale"), PLACES)
def test_the_answer_is_always_the_same_bytes(game: str, locale: str) -> None:
    once = msgspec.json.encode(catalogue.cards(game, locale))
    cards_in.cache_clear()
    assert msgspec.json.encode(catalogue.cards(game, locale)) == once


def test_an_operators_facts_and_texts_are_published(own: Operator) -> None:
    own(
        facts="card,fact,value\nT-MEMO,count,5\n",
        texts_ja="card,text,value\nT-MEMO,name,メモ\n",
    )
    catalogue.load()
    memo = next(card for card in catalogue.cards("chrononauts", "ja").cards if card.id == "T-MEMO")
    assert (memo.name, memo.count, memo.provenance) == ("メモ", 5, {"count": "operator"})
    english = next(card for card in catalogue.cards("chrononauts").cards if card.id == "T-MEMO")
    assert english.name == "Memo From Your Future Self"


@pytest.mark.parametrize("name", ["nowhere", "n" * 5000, "\udcff"])
def test_a_missing_directory_stops_the_start(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("STELE_CATALOGUE_DIR", f"/{name}")
    with pytest.raises(
        catalogue.CatalogueInvalid, match=r"^STELE_CATALOGUE_DIR: there is no such directory; "
    ):
        catalogue.load()


def test_a_folder_of_no_game_stops_the_start(own: Operator) -> None:
    root = own(facts="card,fact,value\n").parent
    (root / "chrononuats").mkdir()
    (root / "..data").mkdir()
    with pytest.raises(
        catalogue.CatalogueInvalid, match=r"chrononuats: there is no such game; use"
    ) as caught:
        catalogue.load()
    assert len(caught.value.faults) == 1


def clear() -> None:
    texts.locales.cache_clear()
    texts.built_in.cache_clear()
    cards_in.cache_clear()


def test_a_game_without_texts_is_listed_by_the_ids_of_its_cards(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(texts, "_tables", lambda _: tmp_path / "texts")
    clear()
    try:
        assert texts.locales("chrononauts") == ("en",)
        cards = catalogue.cards("chrononauts").cards
        assert {(card.name, card.texts) for card in cards} == {(card.id, ()) for card in cards}
    finally:
        clear()
