"""The cards that Ancient Knowledge publishes."""

from collections import Counter
from collections.abc import Iterator

import msgspec
import pytest

from domain.engine.errors import InvalidOptions
from domain.engine.events import Fact
from domain.engine.game import PublishedCard, register
from domain.games.ancient_knowledge import GAME
from domain.games.ancient_knowledge.catalogue import BUILDER, TECHNOLOGY
from domain.games.ancient_knowledge.publish import to_vocabulary
from service import catalogue
from service.catalogue.texts import faults_in_use, locales

VERBS = (
    "seq if may each_opponent each_player passive replace draw draw_keep look_top take_card "
    "reveal_until steal_card discard remove_knowledge add_knowledge discard_lost_knowledge "
    "enter_with_less create learn archive move_monument swap straighten bottom_cards skip_phase "
    "score"
)
VALUES = (
    "count knowledge_on lost_knowledge knowledge_lost_this_decline_phase rotated_now free_slots "
    "min max mul floor_div steps any_number bound"
)
MODIFICATIONS = "entry_knowledge learn_requirement_value excavate_draw_per_card"
EVENTS = "create learn excavate decline_phase_end"


@pytest.fixture(autouse=True)
def registered() -> None:
    register(GAME)


def published() -> dict[str, PublishedCard]:
    return {card.id: card for card in GAME.cards(())}


def words(data: object, key: str) -> Iterator[object]:
    if isinstance(data, dict):
        if key in data:
            yield data[key]
        for value in data.values():
            yield from words(value, key)
    elif isinstance(data, list):
        for value in data:
            yield from words(value, key)


def test_every_card_is_published_once() -> None:
    assert Counter(card.kind for card in GAME.cards(())) == {
        "city": 36,
        "megalith": 36,
        "pyramid": 36,
        "artifact": 36,
        "technology": 45,
    }
    assert len(published()) == len(GAME.cards(())) == 189
    assert {card.count for card in GAME.cards(())} == {1}
    assert [card.id for card in catalogue.cards(GAME.name).cards] == list(published())


def test_facts_are_those_of_the_printed_card() -> None:
    cards = published()
    assert cards["city_21"].facts == {
        "category": "city",
        "cost": 1,
        "space": 6,
        "locked": True,
        "knowledge": 4,
        "vp": 0,
        "startingHand": None,
        "timing": "decline",
    }
    assert cards["artifact_14"].facts == {"cost": 0, "startingHand": 4, "timing": "timeline"}
    assert cards["tech_45"].facts == {"techType": "writing", "level": 2, "timing": "endgame"}


def test_facts_and_effects_are_plain_data() -> None:
    for card in GAME.cards(()):
        assert msgspec.json.decode(msgspec.json.encode(card.effects)) == card.effects, card.id
        assert msgspec.json.decode(msgspec.json.encode(card.facts)) == card.facts, card.id


@pytest.mark.parametrize(
    ("key", "known"),
    [
        ("verb", VERBS),
        ("value", VALUES),
        ("op", ">= <= == and"),
        ("mod", MODIFICATIONS),
        ("event", EVENTS),
    ],
)
def test_effects_use_every_word_of_the_vocabulary_and_no_other(key: str, known: str) -> None:
    effects = [card.effects for card in GAME.cards(())]
    assert {word for one in effects for word in words(one, key)} == set(known.split())


def test_a_passive_effect_says_where_it_is_active() -> None:
    cards = published()
    for card in cards.values():
        where = "on_own_board" if card.kind == "artifact" else "in_own_timeline"
        found = list(words(card.effects, "active_while"))
        assert found == ([where] if card.facts["timing"] == "passive" else []), card.id


def test_effects_say_what_their_words_imply() -> None:
    cards = published()
    assert cards["artifact_20"].effects["does"] == {
        "verb": "passive",
        "active_while": "on_own_board",
        "on": {"event": "learn", "by": "owner"},
        "do": {"verb": "draw", "n": 1, "deck": "builder"},
    }
    assert cards["tech_10"].effects == {
        "requirement": None,
        "does": {
            "verb": "move_monument",
            "n": 1,
            "target": {"zone": "own_timeline", "kind": "monument"},
            "to": {"space": "any_other"},
        },
    }


def test_a_requirement_is_a_list_of_comparisons() -> None:
    assert published()["tech_23"].effects["requirement"] == {
        "op": "and",
        "all": [{"op": ">=", "left": {"value": "lost_knowledge", "of": "owner"}, "right": 5}],
    }


def test_the_vocabulary_has_no_form_for_anything_else() -> None:
    with pytest.raises(TypeError, match="no form for float"):
        to_vocabulary(0.5)


def test_there_is_no_fact_to_replace() -> None:
    with pytest.raises(InvalidOptions, match="no facts to replace"):
        GAME.cards((Fact("city_01", "vp", "3"),))


def test_the_texts_are_english_and_japanese() -> None:
    assert locales(GAME.name) == ("en", "ja")


@pytest.mark.parametrize("locale", ["en", "ja"])
def test_the_texts_of_every_card_are_complete(locale: str) -> None:
    for card in catalogue.cards(GAME.name, locale).cards:
        keys = ["name", "effect"] if card.kind == "technology" else ["name", "country", "effect"]
        if card.id in TECHNOLOGY and TECHNOLOGY[card.id].requirement is not None:
            keys.append("requirement")
        assert [text.key for text in card.texts] == keys, card.id
        assert all(text.value.strip() for text in card.texts), card.id
    assert faults_in_use(GAME.name, locale, None) == []


def test_english_names_and_countries_are_those_of_the_cards() -> None:
    for card in catalogue.cards(GAME.name).cards:
        texts = {text.key: text.value for text in card.texts}
        if card.id in TECHNOLOGY:
            assert texts["name"] == TECHNOLOGY[card.id].name
        else:
            told = BUILDER[card.id]
            assert (texts["name"], texts["country"]) == (told.name, told.country)


def test_japanese_names_are_japanese() -> None:
    for card in catalogue.cards(GAME.name, "ja").cards:
        assert not card.name.isascii(), card.id
