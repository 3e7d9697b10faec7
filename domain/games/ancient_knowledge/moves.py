"""Named moves: what clients send instead of picks, and the picks that each stands for.

| move | answers | arguments |
|---|---|---|
| playCard | action, create | card, space (monuments), payment (cards to discard; or asked for) |
| learnTechnology | action, learn | technology |
| recordKnowledge | action, archive | cards to discard, from: monument and tokens |
| tapMonuments | action, excavate | monuments to rotate |
| searchDeck | action | |
"""

from collections.abc import Iterator, Mapping, Sequence

from domain.engine.choices import Choice
from domain.engine.errors import IllegalMove
from domain.engine.game import Domain, Move
from domain.engine.ids import Json, Picks
from domain.engine.match import Match
from domain.engine.zones import seen
from domain.games.ancient_knowledge.board import Board, SeatBoard
from domain.games.ancient_knowledge.catalogue import BUILDER
from domain.games.ancient_knowledge.reasons import RULES, WRONG_PAYMENT, WRONG_TOKENS


def moves(match: Match[Board], choice: Choice) -> tuple[Move, ...]:
    """Return every named move that answers the choice, complete and ready to send."""
    return tuple(_moves(match.board.seats[choice.seat], choice))


def _moves(one: SeatBoard, choice: Choice) -> Iterator[Move]:
    prompt = choice.prompt
    for option in choice.options:
        verb, _colon, rest = (
            option.id.partition(":") if prompt == "action" else (prompt, "", option.id)
        )
        first: tuple[Picks, ...] = ((option.id,),)
        match verb:
            case "search":
                yield Move("searchDeck", {}, first)
            case "learn":
                yield Move("learnTechnology", {"technology": rest}, first)
            case "create":
                yield _play(one, choice, rest, first)
            case "archive" if prompt == "action":
                yield _record(one, first)
            case "excavate" if prompt == "action":
                yield _tap(one, first)
            case _:
                continue
    if prompt == "archive" and choice.options:
        yield _record(one, ())
    if prompt == "excavate":
        yield _tap(one, ())


def _play(one: SeatBoard, choice: Choice, pick: str, first: tuple[Picks, ...]) -> Move:
    card, _at, space = pick.partition("@")
    cost = _cost(card, space)
    # Cards set aside are shown, and do not pay; a card of the hand never pays for itself.
    purse = tuple(sorted(held for held in seen(one.hand) if choice.shown or held != card))
    arguments: dict[str, Json] = {"card": card, "payment": purse[:cost]}
    if space:
        arguments["space"] = int(space)
    steps = (*first, purse[:cost]) if cost else first
    return Move("playCard", arguments, steps, {"payment": _set(purse, cost, cost)}, cost)


def _cost(card: str, space: str) -> int:
    facts = BUILDER[card]
    return facts.cost + (abs(int(space) - facts.space) if space else 0)


def _set(cards: tuple[str, ...], least: int, most: int) -> Domain:
    return Domain(source=cards, limits=(1,) * len(cards), min=least, max=most)


def _record(one: SeatBoard, first: tuple[Picks, ...]) -> Move:
    """Offer an archive of one card; the domains tell what else may be sent."""
    hand = tuple(sorted(seen(one.hand)))
    loaded = sorted((cell.card, cell.knowledge) for _, cell in one.cells() if cell.knowledge)
    most = min(len(hand), one.knowledge())
    sources = Domain(
        source=tuple(card for card, _ in loaded),
        limits=tuple(tokens for _, tokens in loaded),
        min=1,
        max=most,
    )
    monument = loaded[0][0]
    arguments: dict[str, Json] = {
        "cards": hand[:1],
        "from": [{"monument": monument, "tokens": 1}],
    }
    domains = {"cards": _set(hand, 1, most), "from": sources}
    return Move("recordKnowledge", arguments, (*first, hand[:1], (monument,)), domains, 1)


def _tap(one: SeatBoard, first: tuple[Picks, ...]) -> Move:
    straight = tuple(sorted(card.card for card in one.past if not card.rotated))
    domains = {"monuments": _set(straight, 1, len(straight))}
    arguments: dict[str, Json] = {"monuments": straight[:1]}
    return Move("tapMonuments", arguments, (*first, straight[:1]), domains)


def translate(
    match: Match[Board], choice: Choice, type: str, arguments: Mapping[str, Json]
) -> tuple[Picks, ...] | None:
    """Return the steps of a named move, or `None` if it does not answer the choice.

    The picks are not checked here: the choices that they answer do that. Only a payment has to be
    of the right size: what is paid too much would answer the choice that comes next. And of tokens
    there have to be as many as cards, which no choice can say before the cards are discarded.

    Raises:
        IllegalMove: a payment is given, and it is not the price of the card; tokens are not as many
            as cards.
    """
    given = {name: value for name, value in arguments.items() if value is not None}
    acting = choice.prompt == "action"
    match type:
        case "searchDeck" if acting and not given:
            return (("search",),)
        case "learnTechnology" if given.keys() == {"technology"}:
            tech = str(given["technology"])
            return _step(choice, "learn", tech)
        case "playCard" if "card" in given and given.keys() <= {"card", "space", "payment"}:
            return _played(choice, given)
        case "tapMonuments" if given.keys() == {"monuments"}:
            return _after(choice, "excavate", (_words(given["monuments"]),))
        case "recordKnowledge" if given.keys() == {"cards", "from"}:
            return _archived(choice, _words(given["cards"]), _tokens(given["from"]))
        case _:
            return None


def _played(choice: Choice, given: Mapping[str, Json]) -> tuple[Picks, ...] | None:
    """Return the steps of a play; one without a payment is asked for it afterwards."""
    card, space = str(given["card"]), str(given.get("space", ""))
    played = _step(choice, "create", f"{card}@{space}" if space else card)
    if played is None or "payment" not in given:
        return played
    payment = _words(given["payment"])
    if all(option.id != played[0][0] for option in choice.options):
        return (*played, payment)  # the choice refuses it
    cost = _cost(card, space)
    if len(payment) != cost:
        raise IllegalMove(
            f"payment: names {len(payment)} cards, the price is {cost}",
            prompt=choice.prompt,
            choice=choice.id,
            cost=cost,
            reason=WRONG_PAYMENT,
            rule=RULES.refusals[WRONG_PAYMENT],
        )
    return (*played, payment) if cost else played


def _archived(choice: Choice, cards: Picks, tokens: Picks) -> tuple[Picks, ...] | None:
    steps = _after(choice, "archive", (cards, tokens))
    if steps is not None and len(tokens) != len(cards):
        raise IllegalMove(
            f"from: {len(tokens)} tokens leave, for {len(cards)} cards discarded",
            prompt=choice.prompt,
            choice=choice.id,
            cards=len(cards),
            reason=WRONG_TOKENS,
            rule=RULES.refusals[WRONG_TOKENS],
        )
    return steps


def _step(choice: Choice, verb: str, rest: str) -> tuple[Picks, ...] | None:
    if choice.prompt == "action":
        return ((f"{verb}:{rest}",),)
    return ((rest,),) if choice.prompt == verb else None


def _after(choice: Choice, verb: str, steps: tuple[Picks, ...]) -> tuple[Picks, ...] | None:
    if choice.prompt == "action":
        return ((verb,), *steps)
    return steps if choice.prompt == verb else None


def _words(value: Json) -> Picks:
    return tuple(str(word) for word in value) if isinstance(value, Sequence) else ()


def _tokens(value: Json) -> Picks:
    """Spell out where tokens leave: `[{"monument": m, "tokens": 2}]` gives `(m, m)`."""
    picks: list[str] = []
    for entry in value if isinstance(value, Sequence) else ():
        if isinstance(entry, Mapping):
            tokens = entry.get("tokens")
            picks += [str(entry.get("monument"))] * (tokens if isinstance(tokens, int) else 0)
    return tuple(picks)
