"""Which texts every card of a game has to have, in every language."""

from collections.abc import Callable, Iterator, Mapping

from domain.engine.game import PublishedCard, game_of
from domain.engine.ids import CardId

EVERY = ("name", "effect")


def needed(game: str) -> Iterator[tuple[CardId, str]]:
    """Yield each card with the name of each text that it needs, in catalogue order.

    Raises:
        UnknownGame: no such game.
    """
    more = _MORE.get(game, _nothing)
    for card in game_of(game).cards(()):
        for text in (*EVERY, *more(card)):
            yield card.id, text


def _nothing(_: PublishedCard) -> Iterator[str]:
    return iter(())


def _of_chrononauts(card: PublishedCard) -> Iterator[str]:
    if card.kind == "linchpin":
        yield "altered"


def _of_ancient_knowledge(card: PublishedCard) -> Iterator[str]:
    if card.kind != "technology":
        yield "country"
    if card.effects.get("requirement") is not None:
        yield "requirement"


_MORE: Mapping[str, Callable[[PublishedCard], Iterator[str]]] = {
    "chrononauts": _of_chrononauts,
    "ancient_knowledge": _of_ancient_knowledge,
}
