"""What boards and events of Ancient Knowledge look like as text.

`python -m tests.text.ancient_knowledge.cases` writes the files beside this one again; read the
difference before committing it: these files are what users see.
"""

from collections.abc import Callable
from pathlib import Path

from domain.engine.events import Event
from domain.engine.game import register
from domain.engine.ids import Viewer
from domain.engine.redaction import redact_event
from domain.games.ancient_knowledge import GAME
from domain.games.ancient_knowledge import events as e
from service.text import LOCALES, Words, board, tell
from tests.games.ancient_knowledge.scenario import opening, scenario
from tests.games.ancient_knowledge.table import Table

HERE = Path(__file__).parent

# One event of each shape that has words of its own; the deal has its place in the boards.
EVENTS: tuple[Event, ...] = (
    e.HandKept(seat=0, cards=("city_01", "city_02")),
    e.TurnStarted(seat=0),
    *(
        e.ActionTaken(action=action)
        for action in ("create", "learn", "archive", "excavate", "search")
    ),
    e.CardsDrawn(seat=0, cards=("city_01",)),
    e.CardsDrawn(seat=0, cards=("city_01", "city_02")),
    e.DeckShuffled(cards=("city_01", "city_02")),
    e.CardsDiscarded(seat=0, cards=("city_01",)),
    e.CardsDiscarded(seat=0, cards=("city_01", "city_02")),
    e.CardsDiscarded(seat=0, cards=("city_01", "city_02", "city_03")),
    e.MonumentCreated(seat=0, card="megalith_01", space=3, knowledge=2),
    e.ArtifactCreated(seat=0, card="artifact_03"),
    e.ArtifactCreated(seat=0, card="artifact_03", aside=True),
    e.ArtifactDiscarded(seat=1, card="artifact_03"),
    e.MonumentDiscarded(seat=1, card="megalith_01"),
    e.KnowledgeRemoved(seat=0, tokens={"megalith_01": 2, "city_09": 1}),
    e.KnowledgeAdded(seat=1, card="megalith_01", tokens=2),
    e.KnowledgeAdded(seat=1, card="megalith_01", tokens=3, giver=0),
    e.LostReduced(seat=0, tokens=4),
    e.MonumentsRotated(seat=0, cards=("city_01", "city_02")),
    e.MonumentsStraightened(seat=0, cards=("city_01",)),
    e.MonumentMoved(seat=0, card="megalith_01", space=5),
    e.MonumentsSwapped(seat=0, one="megalith_01", other="city_09"),
    e.TechnologyLearned(seat=0, card="tech_07", tile=1),
    e.TechnologyLearned(seat=0, card="tech_43"),
    e.TileRefilled(tile=1, discarded=(), dealt=("tech_01", "tech_02")),
    e.TileRefilled(tile=1, discarded=("tech_03",), dealt=("tech_01", "tech_02", "tech_04")),
    e.TileRefilled(tile=1, discarded=("tech_03",), dealt=()),
    e.TileFlipped(tile=0, discarded=(), dealt=("tech_29", "tech_30", "tech_31")),
    e.TileFlipped(tile=0, discarded=("tech_01",), dealt=("tech_29", "tech_30", "tech_31")),
    e.TechDeckShuffled(level=2, cards=("tech_29", "tech_30")),
    e.TechnologyBottomed(level=1, card="tech_05", under=("tech_05",), looker=0, tile=0),
    e.TechnologyBottomed(level=2, card="tech_43", under=("tech_43",), looker=0),
    e.CardsSetAside(seat=0, deck="builder", cards=("city_01", "city_02")),
    e.CardsSetAside(seat=0, deck="tech_deck_2", cards=("tech_43",)),
    e.CardsSetAside(seat=0, deck="builder", cards=("city_01",), public=True, more=True),
    e.CardsSetAside(seat=0, deck="builder", cards=()),
    e.CardTaken(seat=0, card="city_01", into=("city_01",), looker=0),
    e.CardTaken(seat=1, card="city_02", into=("city_02",), looker=0, public=True),
    e.AsideClosed(cards=("city_01", "city_02"), looker=0),
    e.AsideClosed(cards=("city_01", "city_02"), looker=0, public=True),
    e.AsideClosed(cards=(), looker=0),
    e.HandLookedAt(seat=0, victim=1, cards=("city_01", "city_02")),
    e.CardStolen(seat=0, victim=1, card="city_01", into=("city_01",)),
    e.DeclineSkipped(),
    e.DeclineStarted(),
    e.MonumentDeclining(seat=0, card="megalith_01"),
    e.MonumentDeclined(seat=0, card="megalith_01", lost=2),
    e.TimelineSlid(seat=0),
    e.SeatLeft(seat=1),
)


def draft() -> Table:
    """Return a table at which one seat has kept its first hand."""
    table = opening(2)
    return table.picks(0, *sorted(table.options(0))[:6])


def action() -> Table:
    """Return a table in the middle of a match, an archive under way."""
    table = (
        scenario(3)
        .hand(0, "city_05", "megalith_02", "artifact_09")
        .timeline(0, "megalith_01", knowledge=2)
        .timeline(0, "pyramid_30", 4, knowledge=3)
        .timeline(0, "city_18", 4, knowledge=1)
        .past(0, "city_09", "pyramid_35", "megalith_05")
        .past(0, "city_14", "megalith_24", rotated=True)
        .artifacts(0, "artifact_28", "artifact_04")
        .techs(0, "tech_10", "tech_19")
        .lost(0, 3)
        .hand(1, "city_33", "pyramid_01")
        .timeline(1, "pyramid_34", 1, knowledge=0)
        .past(1, "city_01")
        .tile(0, "tech_05", "tech_15")
        .tile(1, "tech_07", "tech_08", "tech_16")
        .tile(2, "tech_37", "tech_29", "tech_36")
        .tech_discard(1, "tech_01", "tech_02")
        .discard("city_25", "city_26")
        .set(turns=9)
        .at_action(0, number=2)
    )
    return table.picks(0, "archive").picks(0, "artifact_09")


def look() -> Table:
    """Return a table at which a seat looks at eight cards and takes one."""
    table = scenario(2).tile(0, "tech_04", "tech_05", "tech_10").hand(1, "city_33")
    return table.at_action(0).picks(0, "learn:tech_04")


def reveal() -> Table:
    """Return a table at which everybody takes one of five open cards."""
    laid = scenario(2).tile(0, "tech_03", "tech_05", "tech_10").hand(1, "city_33")
    table = laid.at_action(0).picks(0, "learn:tech_03")
    return table.picks(0, sorted(table.options(0))[0])


def decline() -> Table:
    """Return a table in its last round, a monument declining."""
    table = (
        scenario(2)
        .timeline(0, "city_15", 1, knowledge=3)
        .timeline(0, "city_21", 1, knowledge=1)
        .timeline(0, "pyramid_34", 5, knowledge=2)
        .past_of(1, cities=5, megaliths=5, pyramids=4)
        .set(turns=40, flipped=True)
        .at_decline_phase(0)
    )
    return table.picks(0, "city_15")


CASES: dict[str, tuple[Callable[[], Table], Viewer]] = {
    "draft-as-1": (draft, 1),
    "action-as-0": (action, 0),
    "action-as-1": (action, 1),
    "action-all": (action, "all"),
    "look-as-0": (look, 0),
    "look-as-1": (look, 1),
    "reveal-as-spectator": (reveal, None),
    "decline-as-0": (decline, 0),
}


def printed(name: str, locale: str) -> str:
    """Return the board of a case, with the events of the last act."""
    make, viewer = CASES[name]
    table = make()
    told = table.seen_by(viewer)
    recent = list(enumerate(told, table.match.version - len(told) + 1))
    return board("m1", table.match, viewer, Words(GAME.name, locale), recent)


def story(locale: str) -> str:
    """Return every event in words: as seat 0 is told it, then, where it differs, a spectator."""
    words = Words(GAME.name, locale)
    lines = []
    for event in EVENTS:
        told = [tell(GAME.name, redact_event(event, eyes, GAME.name), words) for eyes in (0, None)]
        lines.append(told[0])
        if told[1] != told[0]:
            lines.append(f"    {told[1]}")
    return "\n".join(lines) + "\n"


def files() -> dict[str, str]:
    """Return every golden file by its name."""
    return {
        f"{name}.{locale}.txt": printed(name, locale) for name in CASES for locale in LOCALES
    } | {f"story.{locale}.txt": story(locale) for locale in LOCALES}


if __name__ == "__main__":
    register(GAME)
    for file, text in files().items():
        (HERE / file).write_text(text, encoding="utf-8")
