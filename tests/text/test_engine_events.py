import pytest
from msgspec.structs import replace

from domain.engine.events import ENGINE_EVENTS, Event, MatchRestored, TokenReplaced, UndoAnswered
from service.text import LOCALES, Words, tell
from tests.kit.samples import sample

GAME = "chrononauts"


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("kind", ENGINE_EVENTS, ids=lambda kind: kind.__name__)
def test_every_event_of_the_engine_has_words(kind: type[Event], locale: str) -> None:
    event = sample(GAME, kind)
    said = [tell(GAME, one, Words(GAME, locale)) for one in (event, *_variants(event))]
    assert all(said)
    assert len(set(said)) == len(said)
    assert not any("{" in line or "None" in line for line in said)


def _variants(event: Event) -> tuple[Event, ...]:
    """Return what an event with the other values of its fields looks like, where they matter."""
    match event:
        case MatchRestored():
            return (replace(event, why="fork"), replace(event, why="position"))
        case TokenReplaced():
            return (replace(event, seat=None),)
        case UndoAnswered():
            return (replace(event, agreed=not event.agreed),)
        case _:
            return ()
