"""Magpies: a whole game for three seats, and the tutorial for the next one.

Rules, by paragraph:

1. Every seat holds three cards that nobody else sees.
2. On your turn draw a card and play one.
3. Everybody else may answer with a hush, which cancels it. A gem goes into your nest.
4. A storm makes all others discard a card at the same time.
5. A spyglass lets you look through the pile and take a card, whereupon the pile is shuffled. An
   empty pile is made anew from the discards.
6. The third gem in a nest ends the match, and so does the last turn; the most valuable nest wins.

`docs/add-a-game.md` walks through `words.py` and this file from top to bottom.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.engine.agenda import Run, Scope
from domain.engine.choices import Choice, Offer, Option
from domain.engine.errors import InvalidOptions
from domain.engine.events import Event, Fact, MatchCreated, Outcome
from domain.engine.game import Game, Move, Rulebook, Turn, register
from domain.engine.ids import CardId, Json, Picks, Scalar, Seat, Viewer
from domain.engine.match import Match
from domain.engine.redaction import redact
from domain.engine.zones import Zone, hide, seen, without
from tests.games.toy import words as w

WORTH = {card.id: card.worth for card in w.CARDS}
DOES = {card.id: card.does for card in w.CARDS}


class Options(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """How a match is played."""

    last_turn: Annotated[
        int, Meta(ge=1, le=1000, description="The turn that ends the match. (rules 6)")
    ] = 60


class Table(Struct, frozen=True, omit_defaults=True):
    """What lies where; zones by seat. `pile` has its top card first, `table` the card played."""

    options: Options
    hands: tuple[Zone, ...] = ()
    nests: tuple[tuple[CardId, ...], ...] = ()
    pile: Zone = ()
    discards: tuple[CardId, ...] = ()
    table: tuple[CardId, ...] = ()
    turn: Seat = 0
    turns: int = 0


def configure(
    seats: int, given: Mapping[str, Scalar], facts: tuple[Fact, ...]
) -> dict[str, Scalar]:
    """Return the complete options of a match.

    Raises:
        InvalidOptions: one is not known, or not of its kind.
    """
    try:
        options = msgspec.convert(given, Options)
    except msgspec.ValidationError as error:
        raise InvalidOptions(f"options: {error}") from None
    complete: dict[str, Scalar] = msgspec.to_builtins(options)
    return complete


def blank(event: MatchCreated) -> Table:
    """Return the table before the deal."""
    nothing = ((),) * event.seats
    return Table(msgspec.convert(event.options, Options), hands=nothing, nests=nothing)


# Evolvers: how each event changes the table. They check nothing and know no rule.


def put(zones: tuple[Zone, ...], seat: Seat, zone: Zone) -> tuple[Zone, ...]:
    """Return the zones with that of a seat replaced."""
    return (*zones[:seat], zone, *zones[seat + 1 :])


def shuffled(table: Table, event: w.PileShuffled) -> Table:
    """Put the pile in its new order."""
    return replace(table, pile=event.pile, discards=() if event.discards else table.discards)


def taken(table: Table, event: w.CardTaken) -> Table:
    """Move a card from the pile to a hand."""
    hand = table.hands[event.seat] + event.card
    pile = without(table.pile, event.card[0])
    return replace(table, hands=put(table.hands, event.seat, hand), pile=pile)


def discarded(table: Table, event: w.CardDiscarded) -> Table:
    """Move a card from a hand to the discards."""
    hand = without(table.hands[event.seat], event.card)
    hands, discards = put(table.hands, event.seat, hand), (*table.discards, event.card)
    return replace(table, hands=hands, discards=discards)


def played(table: Table, event: w.CardPlayed) -> Table:
    """Lay a card of a hand on the table."""
    hand = without(table.hands[event.seat], event.card)
    return replace(table, hands=put(table.hands, event.seat, hand), table=(event.card,))


def play_ended(table: Table, event: w.PlayEnded) -> Table:
    """Move the card on the table to a nest or to the discards."""
    if not event.kept:
        return replace(table, table=(), discards=(*table.discards, event.card))
    nests, seat = table.nests, event.seat
    nests = (*nests[:seat], (*nests[seat], event.card), *nests[seat + 1 :])
    return replace(table, table=(), nests=nests)


# Offers: what each question offers a seat. Options are sorted, never in the order of the cards.


def cards_of(zone: Zone) -> tuple[Option, ...]:
    """Return an option for each kind of card in a zone."""
    return tuple([Option(card, card=card) for card in sorted(set(seen(zone)))])


def own_hand(scope: Scope[Table], question: w.WhichPlay | w.WhichDiscard) -> Offer:
    """Offer the cards of the own hand."""
    return Offer(cards_of(scope.board.hands[scope.seat]))


def hushes(scope: Scope[Table], question: w.Respond) -> Offer:
    """Offer the hushes of the own hand, or to pass."""
    hand = scope.board.hands[scope.seat]
    # Everybody is asked, so that being asked does not tell who holds one.
    return Offer(tuple(o for o in cards_of(hand) if o.id == "hush"), min=0, always=True)


def pile(scope: Scope[Table], question: w.Look) -> Offer:
    """Offer the cards of the pile, all of which are shown."""
    return Offer(cards_of(scope.board.pile), shown=tuple(sorted(seen(scope.board.pile))))


# Resolvers: what each effect makes happen.


def start(run: Run[Table]) -> None:
    """Deal, and begin the first turn."""
    deck = run.chance().shuffled(card.id for card in w.CARDS for _ in range(card.count))
    seats = len(run.match.places)
    hands = tuple(deck[3 * seat : 3 * seat + 3] for seat in range(seats))
    run.emit(w.Dealt(hands=hands, pile=deck[3 * seats :]))
    begin_turn(run, 0)


def begin_turn(run: Run[Table], seat: Seat) -> None:
    """Drop what was left to do and begin the turn of a seat."""
    run.agenda.clear()
    run.emit(w.TurnStarted(seat=seat))
    run.push(seat, w.TURN)


def draw(run: Run[Table], _: w.DrawCard) -> None:
    """Take the top card, of a new pile if the old one is empty."""
    if not run.board.pile and run.board.discards:
        run.emit(w.PileShuffled(pile=run.chance().shuffled(run.board.discards), discards=True))
    if run.board.pile:
        run.emit(w.CardTaken(seat=run.frame.seat, card=run.board.pile[:1]))


def play(run: Run[Table], _: w.PlayNamed) -> None:
    """Announce the card that was named, and open the window for answers."""
    card = run.frame.pick("card")
    if card is not None:
        run.emit(w.CardPlayed(seat=run.frame.seat, card=card))
        run.push(run.frame.seat, w.WINDOW, card)


def resolve(run: Run[Table], _: w.Resolve) -> None:
    """End the play; unless it was hushed, do what the card says."""
    seat, card = run.frame.seat, str(run.frame.card)
    hushed = [other for other in run.live() if run.frame.picks(f"hush@{other}")]
    for other in hushed:
        run.emit(w.CardDiscarded(seat=other, card="hush"))
    run.emit(w.PlayEnded(seat=seat, card=card, kept=bool(WORTH[card]) and not hushed))
    if not hushed:
        run.prepend(*DOES[card])


def discard(run: Run[Table], _: w.DiscardNamed) -> None:
    """Discard what each seat named."""
    for seat in run.live():
        if lost := run.frame.pick(f"lost@{seat}"):
            run.emit(w.CardDiscarded(seat=seat, card=lost))


def take(run: Run[Table], _: w.TakeNamed) -> None:
    """Take the card that was named, and shuffle the pile."""
    if found := run.frame.pick("found"):
        run.emit(w.CardTaken(seat=run.frame.seat, card=(found,)))
        run.emit(w.PileShuffled(pile=run.chance().shuffled(run.board.pile), discards=False))


def scores(table: Table) -> tuple[int, ...]:
    """Return the worth of each nest, by seat."""
    return tuple(sum(WORTH[card] for card in nest) for nest in table.nests)


def end_turn(run: Run[Table], _: w.EndTurn) -> None:
    """Begin the next turn, or end the match."""
    table = run.board
    if max(map(len, table.nests)) < 3 and table.turns < table.options.last_turn:
        begin_turn(run, next_seat(run))
        return
    best = max(scores(table)[seat] for seat in run.live())
    winners = tuple(seat for seat in run.live() if scores(table)[seat] == best)
    run.end(Outcome(winners=winners, reasons=("most_valuable_nest",), scores=scores(table)))


def next_seat(run: Run[Table]) -> Seat:
    """Return the next seat that is still in play."""
    return min(run.live(), key=lambda seat: (seat <= run.board.turn, seat))


def concede(run: Run[Table], seat: Seat) -> None:
    """Take a seat out of play, with its cards."""
    for card in seen(run.board.hands[seat]):
        run.emit(w.CardDiscarded(seat=seat, card=card))
    on_turn = run.board.turn == seat
    for card in run.board.table if on_turn else ():
        run.emit(w.PlayEnded(seat=seat, card=card))
    if len(run.live()) == 1:
        run.end(Outcome(winners=run.live(), reasons=("last_one_left",)))
    elif on_turn:
        begin_turn(run, next_seat(run))


# Secrecy and what clients read.


def hide_others(hands: tuple[Zone, ...], viewer: Viewer) -> tuple[Zone, ...]:
    """Return the hands with all but the viewer's own face down."""
    return tuple(hand if seat == viewer else hide(hand) for seat, hand in enumerate(hands))


def redact_table(table: Table, viewer: Viewer) -> Table:
    """Turn face down what the viewer may not see."""
    return replace(table, hands=hide_others(table.hands, viewer), pile=hide(table.pile))


def redact_event(event: Event, viewer: Viewer) -> Event:
    """Return the event as the viewer may see it."""
    match event:
        case w.Dealt():
            return replace(event, hands=hide_others(event.hands, viewer), pile=hide(event.pile))
        case w.CardTaken() if event.seat != viewer:
            return replace(event, card=hide(event.card))
        case w.PileShuffled():
            return replace(event, pile=hide(event.pile))
        case w.CardTaken() | w.TurnStarted() | w.CardDiscarded() | w.CardPlayed() | w.PlayEnded():
            return event
        case _:
            raise TypeError(f"nobody has decided what {type(event).__name__} shows")


class View(Struct, frozen=True, rename="camel", tag="toy", tag_field="game"):
    """The table for one viewer; what lies face down is null."""

    turn: Seat
    hands: tuple[Zone, ...]
    nests: tuple[tuple[CardId, ...], ...]
    scores: tuple[int, ...]
    pile: int
    discards: tuple[CardId, ...]
    table: tuple[CardId, ...]


def view(match: Match[Table], viewer: Viewer) -> View:
    """Return what a client of the viewer reads."""
    table = redact(match, viewer).board
    return View(
        turn=table.turn,
        hands=table.hands,
        nests=table.nests,
        scores=scores(table),
        pile=len(table.pile),
        discards=table.discards,
        table=table.table,
    )


def moves(match: Match[Table], choice: Choice) -> tuple[Move, ...]:
    """Return the named moves that answer a choice."""
    return tuple(named_moves(choice))


def named_moves(choice: Choice) -> Iterator[Move]:
    """Yield the named moves of each option, and to pass."""
    for option in choice.options:
        pick: tuple[Picks, ...] = ((option.id,),)
        match choice.prompt:
            case "play":
                yield Move("playCard", {"card": option.card}, pick)
            case "respond":
                yield Move("respond", {"card": option.card}, pick)
            case "discard":
                yield Move("discardCards", {"cards": [option.card]}, pick)
            case _:
                # No operation takes a card out of the pile: `choose` is the move.
                continue
    if choice.prompt == "respond":
        yield Move("respond", {"card": None}, ((),))


def translate(
    match: Match[Table], choice: Choice, type: str, arguments: Mapping[str, Json]
) -> tuple[Picks, ...] | None:
    """Return the steps of a named move, or `None` if it does not answer the choice."""
    meant = (move for move in moves(match, choice) if move.is_meant_by(type, arguments))
    return next((move.steps for move in meant), None)


def greedy(match: Match[Table], choice: Choice, picks: Picks) -> float:
    """Like gems in the own nest, and keep them in the hand."""
    worth = sum(WORTH[card] for card in picks)
    return -worth if choice.prompt == "discard" else worth


# Paragraphs of the rules, which a real game lists in `docs/rules/<game>.md`.
RULES = Rulebook(
    events={
        "toy.dealt": "1",
        "toy.turn_started": "2",
        "toy.card_taken": "2",
        "toy.card_played": "3",
        "toy.play_ended": "3",
        "toy.card_discarded": "4",
        "toy.pile_shuffled": "5",
    },
    prompts={"play": "3", "respond": "3", "discard": "4", "look": "5"},
)

TOY = Game(
    name="toy",
    title="Magpies",
    ruleset=1,
    seats=range(3, 4),
    options=Options,
    presets={"short": {"lastTurn": 12}},
    configure=configure,
    board=Table,
    events=w.EVENTS,
    effects=w.EFFECTS,
    questions=w.QUESTIONS,
    blank=blank,
    start=start,
    evolvers={
        w.Dealt: lambda table, event: replace(table, hands=event.hands, pile=event.pile),
        w.TurnStarted: lambda table, event: replace(table, turn=event.seat, turns=table.turns + 1),
        w.PileShuffled: shuffled,
        w.CardTaken: taken,
        w.CardDiscarded: discarded,
        w.CardPlayed: played,
        w.PlayEnded: play_ended,
    },
    resolvers={
        w.DrawCard: draw,
        w.PlayNamed: play,
        w.Resolve: resolve,
        w.DiscardNamed: discard,
        w.TakeNamed: take,
        w.EndTurn: end_turn,
    },
    offers={w.WhichPlay: own_hand, w.Respond: hushes, w.WhichDiscard: own_hand, w.Look: pile},
    turn=lambda table: Turn(table.turns, table.turn),
    begins=w.TurnStarted,
    redact=redact_table,
    redact_event=redact_event,
    view=view,
    moves=moves,
    translate=translate,
    concede=concede,
    greedy=greedy,
    decks=lambda table: dict.fromkeys(WORTH, "cards"),
    rules=RULES,
)

register(TOY)
