"""The greedy bot: creates what costs little, lets nothing decline with tokens; no lookahead.

It judges by the redacted match only, so it knows what a person on its seat would know.
"""

from domain.engine.choices import Choice
from domain.engine.ids import CardId, Picks
from domain.engine.match import Match
from domain.games.ancient_knowledge.board import Board, SeatBoard, space_of
from domain.games.ancient_knowledge.catalogue import BUILDER, TECHNOLOGY


def greedy(match: Match[Board], choice: Choice, picks: Picks) -> float:
    """Return how much the bot on the seat of the choice likes the answer; more is better."""
    one = match.board.seats[choice.seat]
    match choice.prompt:
        case "action":
            return _action(one, picks[0])
        case "keep":
            return sum([_worth(card) for card in picks])
        case "payment" | "discard" | "forced_discard" | "archive":
            return -sum([_worth(card) for card in picks])
        case "create":
            return sum([_create(one, pick) for pick in picks])
        case "learn":
            return sum([3.0 * TECHNOLOGY[pick].level for pick in picks])
        case "remove" | "swap" | "move":
            return sum([_urgency(one, pick) for pick in picks])
        case "take" | "steal":
            return sum([_worth(pick) for pick in picks])
        case "excavate":
            return float(min(len(picks), (one.room() + 1) // 2))
        case _:
            return float(len(picks))


def _worth(card: CardId) -> float:
    facts = BUILDER[card]
    if facts.kind == "artifact":
        return 2.0 - facts.cost
    return facts.vp + 2.0 - facts.knowledge / 2 - facts.cost


def _action(one: SeatBoard, pick: str) -> float:
    verb, _, rest = pick.partition(":")
    match verb:
        case "create":
            return 3.0 + _create(one, rest)
        case "learn":
            return 2.0 + 2.0 * TECHNOLOGY[rest].level
        case "archive":
            burning = sum([cell.knowledge for cell in one.timeline[:4] if cell is not None])
            return 1.0 + burning if len(one.hand) > 3 else 0.5
        case "excavate":
            return 3.0 if one.room() >= 4 else 0.2
        case _:
            return 1.0 if one.room() else 0.0


def _create(one: SeatBoard, pick: str) -> float:
    card, _, space = pick.partition("@")
    facts = BUILDER[card]
    distance = abs(int(space) - facts.space) if space else 0
    return _worth(card) - distance - (0.5 if len(one.hand) < 3 else 0.0)


def _urgency(one: SeatBoard, pick: str) -> float:
    """Tokens near the past are the ones to save."""
    at = one.where(pick.partition(":")[0].partition(">")[0])
    return 0.0 if at is None else 7.0 - space_of(at)
