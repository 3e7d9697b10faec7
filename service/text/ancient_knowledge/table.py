"""The table of Ancient Knowledge as text."""

from collections.abc import Iterable

from domain.engine.ids import CardId
from domain.engine.match import Match
from domain.games.ancient_knowledge.board import END_AT, SPACES, Board, category
from domain.games.ancient_knowledge.catalogue import TECHNOLOGY
from domain.games.ancient_knowledge.view import (
    AncientKnowledgeBoard,
    AncientKnowledgeSeat,
    MonumentView,
    ScoreView,
    TileView,
    view,
)
from service.text.frame import fitted, grid, listed, pair
from service.text.places import heading
from service.text.words import Words

CELL = 11
NAME_LINES = 2
LABEL = 20
ACTIONS = 2
CATEGORIES = ("city", "megalith", "pyramid")


def lay_out(match: Match[Board], words: Words) -> list[str]:
    """Return the lines of the table: turn, market, seats, cards set aside, piles."""
    # The match is redacted already; to its own viewer everything left in it is open.
    table = view(match, "all")
    lines = [*pair(_turn(table, words), _phase(table, words)), "", *_market(table.tiles, words)]
    lines += ["", words.say("timeline_legend")]
    for one in table.seats:
        lines += ["", *_seat(one, table, match, words)]
    lines.append("")
    between = words.say("between_cards")
    # The view sorts cards set aside; the board tells for whom they are open.
    for shown, aside in zip(table.asides, match.board.asides, strict=True):
        eyes = words.say("open_to_all") if aside.public else words.seat(aside.seat)
        cards = words.cards(shown.cards) or (words.say("nothing"),)
        lines += listed(words.say("aside", eyes=eyes), cards, between, 0, LABEL)
    return [*lines, *listed(words.say("piles"), _piles(table, words), between, 0, LABEL)]


def _turn(table: AncientKnowledgeBoard, words: Words) -> str:
    if table.phase == "draft":
        return words.say("before_turns", seat=words.seat(table.start))
    return words.say("turn", turns=table.turns, seat=words.seat(table.turn))


def _phase(table: AncientKnowledgeBoard, words: Words) -> str:
    parts = [words.say(f"phase_{table.phase}", begun=table.action, all=ACTIONS)]
    if table.skip_decline:
        parts.append(words.say("no_decline"))
    if table.last_round:
        parts.append(words.say("last_round"))
    return words.join(parts)


def _market(tiles: Iterable[TileView], words: Words) -> list[str]:
    """Name what each tile shows, a line for each technology, with what learning it asks for."""
    lines: list[str] = []
    for number, tile in enumerate(tiles):
        label = words.say("tile", tile=number, level=words.say(f"level_{tile.level}"))
        for technology in tile.technologies or (None,):
            said = words.say("nothing") if technology is None else _offer(technology, words)
            lines += listed(label, (said,), "", 0, LABEL)
            label = ""
    return lines


def _offer(technology: CardId, words: Words) -> str:
    needs = words.text(technology, "requirement")
    named = _technology(technology, words)
    return named if needs is None else words.say("technology_needs", technology=named, needs=needs)


def _technology(technology: CardId, words: Words) -> str:
    kind = words.say(f"kind_{TECHNOLOGY[technology].tech_type}")
    return words.say("technology", card=words.card(technology), kind=kind)


def _seat(
    one: AncientKnowledgeSeat, table: AncientKnowledgeBoard, match: Match[Board], words: Words
) -> list[str]:
    comma = words.say("comma")
    lines = heading(match, one.seat, table.turns > 0 and one.seat == table.turn, words, LABEL)
    score = words.say("score", total=one.score.total)
    lines += listed(score, _score(one.score, words), comma, 2, LABEL - 2)

    def add(label: str, parts: Iterable[str], indent: int = 2) -> None:
        shown = tuple(parts) or (words.say("nothing"),)
        lines.extend(listed(label, shown, words.say("between_cards"), indent, LABEL - indent))

    add(words.say("lost_knowledge"), (str(one.lost_knowledge),))
    knowledge = sum(monument.knowledge for monument in one.timeline)
    add(words.say("monuments"), (words.say("knowledge", count=knowledge),) if one.timeline else ())
    if one.timeline:
        lines += [f"  {line}" for line in timeline(one.timeline, table.declining, words)]
    straight = sum(not monument.rotated for monument in one.past)
    past = words.say("straight", count=straight)
    add(words.say("past", count=len(one.past), end=END_AT), (past,) if one.past else ())
    for kind in CATEGORIES:
        names = [
            words.say("turned" if monument.rotated else "upright", card=words.card(monument.card))
            for monument in one.past
            if category(monument.card) == kind
        ]
        if names:
            add(words.say(f"past_{kind}", count=len(names)), names, 4)
    add(words.say("artifacts"), words.cards(one.artifacts))
    technologies = [_technology(technology, words) for technology in one.technologies]
    add(words.say("technologies", count=len(technologies)), technologies)
    add(words.say("hand", count=one.hand_size), words.cards(one.hand))
    return lines


def _score(score: ScoreView, words: Words) -> tuple[str, ...]:
    points = {
        "past": score.past,
        "endgame": score.endgame,
        "technologies": score.technologies,
        "timeline": score.timeline,
        "lost": score.lost,
    }
    return tuple(words.say(f"score_{source}", points=one) for source, one in points.items())


def timeline(
    monuments: Iterable[MonumentView], declining: CardId | None, words: Words
) -> list[str]:
    """Return the six spaces, the one next to the past first, the upper slots above the lower.

    A row without monuments is one line high.
    """
    at = {(monument.row, monument.space): monument for monument in monuments}
    rows: list[list[tuple[str, ...]]] = []
    for row in (1, 0):
        found = [at.get((row, space)) for space in SPACES]
        height = NAME_LINES + 1 if any(found) else row ^ 1
        cells = [_monument(monument, declining, height, words) for monument in found]
        if row == 1:
            cells = [(f" {space}", *cell) for space, cell in zip(SPACES, cells, strict=True)]
        rows.append(cells)
    return grid(rows, CELL)


def _monument(
    monument: MonumentView | None, declining: CardId | None, height: int, words: Words
) -> tuple[str, ...]:
    """Return the name, shortened, above category, tokens and the mark of decline."""
    if monument is None:
        return ("",) * height
    name = fitted(words.card(monument.card), CELL, NAME_LINES)
    letter = words.say(f"letter_{category(monument.card)}")
    tokens = words.say("tokens", count=monument.knowledge)
    mark = " !" if monument.card == declining else ""
    return (*name, f" {letter} {tokens}{mark}")


def _piles(table: AncientKnowledgeBoard, words: Words) -> list[str]:
    top = table.discard_top
    card = "" if top is None else words.card(top)
    key = "pile_discards" if top is None else "pile_top"
    parts = [
        words.say("pile_draw", count=table.deck),
        words.say(key, count=table.discard_pile, card=card),
    ]
    discards = (len(table.technology_discards_1), len(table.technology_discards_2))
    for number, left in enumerate(table.technology_decks):
        level = words.say(f"level_{number + 1}")
        parts.append(
            words.say("pile_technologies", level=level, count=left, discards=discards[number])
        )
    return parts
