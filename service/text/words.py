"""Phrases and card names in one language."""

import csv
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from domain.engine.ids import CardId, Seat
from domain.engine.zones import Zone, seen
from service.catalogue.texts import spoken, texts

LOCALES = ("en", "ja")


class Words:
    """Says things about one game in one language."""

    def __init__(self, game: str, locale: str, where: Path | None = None) -> None:
        """Read the texts of the cards, in English where the game has no others.

        `where` is an operator's catalogue directory.
        """
        self.game = game
        self._phrases = phrases(locale)
        rows = texts(game, spoken(game, locale), where)
        self._texts = {key: row.cells["value"] for key, row in rows.items()}

    def say(self, key: str, **values: object) -> str:
        """Return a phrase with its gaps filled."""
        return self._phrases[key].format_map(values)

    def knows(self, key: str) -> bool:
        """Tell whether there is such a phrase."""
        return key in self._phrases

    def paragraph(self, number: str) -> str:
        """Return the title of a paragraph of the rules, its number where it has none."""
        key = f"rule_{self.game}_{number}"
        return self.say(key) if self.knows(key) else number

    def card(self, card: CardId) -> str:
        """Return the name of a card."""
        return self._texts.get((card, "name"), card)

    def text(self, card: CardId, key: str) -> str | None:
        """Return another text of a card, if it has one of that name."""
        return self._texts.get((card, key))

    def seat(self, seat: Seat) -> str:
        """Name a seat."""
        return self.say("seat", seat=seat)

    def seats(self, seats: Iterable[Seat]) -> str:
        """Name several seats."""
        return self.join(self.seat(seat) for seat in seats)

    def join(self, parts: Iterable[str]) -> str:
        """List things."""
        return self.say("comma").join(parts)

    def join_cards(self, zone: Zone) -> str:
        """List the cards of a zone; their names may have commas in them."""
        return self.say("between_cards").join(self.cards(zone))

    def cards(self, zone: Zone) -> tuple[str, ...]:
        """Name the cards of a zone; those that lie face down are counted."""
        names = tuple(self.card(card) for card in seen(zone))
        hidden = len(zone) - len(names)
        return (*names, self.say("unseen", count=hidden)) if hidden else names

    def reasons(self, reasons: Iterable[str]) -> str:
        """Say why a match ended."""
        return self.join(self.say(one) if self.knows(one) else one for one in reasons)


@lru_cache
def phrases(locale: str) -> Mapping[str, str]:
    """Return the phrases of a locale by key."""
    table = (files(__package__) / "phrases.csv").read_text(encoding="utf-8")
    return {row["key"]: row[locale] for row in csv.DictReader(table.splitlines())}
