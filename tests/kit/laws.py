"""The laws that hold in every game, each as a function that fails where it is broken.

The secrecy law compares two worlds. `other_world` exchanges the cards that a viewer cannot see:
only cards of one deck are exchanged, and what the viewer knows through its own
open choice stays as it is. Whatever the viewer gets to know must then be equal in both worlds.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.engine.agenda import offer
from domain.engine.chance import Chance
from domain.engine.choices import Choice, is_legal, to_choice
from domain.engine.codec import codec, encode
from domain.engine.decider import (
    Choose,
    Command,
    Concede,
    ExpireChoice,
    carry_out,
    is_window,
    open_choice,
)
from domain.engine.effects import Ask, Who
from domain.engine.errors import DomainError
from domain.engine.events import Event
from domain.engine.game import Domain, Move, game_of
from domain.engine.ids import CardId, Json, Picks, Viewer
from domain.engine.match import Match, evolve
from domain.engine.moves import CHOOSE, all_moves
from domain.engine.redaction import redact, redact_event
from domain.engine.worlds import Path, Spot, face_down, with_cards
from schema.inputs import MoveInput
from schema.operations import BY_NAME, Kind
from service.moves import said
from tests.kit.matches import legal_answers

ANNOUNCEMENTS = frozenset({"chrononauts.victory_claimed"})
"""Events that happen or not depending on hidden cards, because the rules want them announced."""


def viewers(match: Match[Any]) -> tuple[Viewer, ...]:
    """Return every seat, the spectator and everybody's eyes."""
    return (*match.seats, None, "all")


# Redaction and round trip.


def check_redaction(before: Match[Any], event: Event, after: Match[Any]) -> None:
    """A viewer that folds its own feed holds what a fresh read gives; its bytes can be read."""
    for viewer in viewers(before):
        check_hiding(after.board, redact(after, viewer).board)
        shown = redact_event(event, viewer, before.game)
        assert type(shown) is type(event)
        assert redact(after, viewer) == evolve(redact(before, viewer), shown), (viewer, event)


def check_round_trip(match: Match[Any], events: tuple[Event, ...]) -> None:
    """Match and events are the same after a way through bytes, whoever sees them."""
    words = codec(match.game)
    assert words.match(encode(match)) == match
    for viewer in viewers(match):
        seen = redact(match, viewer)
        assert words.match(encode(seen)) == seen
        shown = tuple(redact_event(event, viewer, match.game) for event in events)
        assert words.events(encode(shown)) == shown
    assert tuple(words.event(msgspec.json.decode(encode(one))) for one in events) == events


# Conservation.


POINTERS = frozenset({"targets", "declining"})
"""Fields that name cards which lie elsewhere on the board."""


def cards_on(match: Match[Any]) -> list[CardId]:
    """Return every card that lies anywhere on the board of a match, sorted."""
    decks = decks_of(match)
    return sorted(word for word in _words(match.board) if word in decks)


def _words(node: object) -> Iterator[str]:
    if isinstance(node, Struct):
        for name in node.__struct_fields__:
            if name not in POINTERS:
                yield from _words(getattr(node, name))
    elif isinstance(node, tuple):
        for item in node:
            yield from _words(item)
    elif isinstance(node, str):
        yield node


# Legality.


def outcome_of(match: Match[Any], command: Command) -> object:
    """Return the events of a command, or what the refusal says."""
    try:
        return tuple(carry_out(match, command).events)
    except DomainError as error:
        return (error.code, error.message, encode(error.detail))


def check_legality(match: Match[Any]) -> None:
    """Every legal answer is accepted; anything else is refused with its code."""
    for seat in match.seats:
        choice = open_choice(match, seat)
        assert choice == open_choice(replace(match), seat), "what is remembered is what is offered"
        if choice is None:
            said = outcome_of(match, Choose(seat, match.choice, ((),)))
            expected = "seat_gone" if match.places[seat].conceded else "not_your_turn"
            assert isinstance(said, tuple)
            assert said[0] == expected
            continue
        legal = legal_answers(choice)
        assert len(set(legal)) == len(legal) > 0
        for picks in legal:
            assert is_legal(choice, picks)
            assert carry_out(match, Choose(seat, choice.id, (picks,))).events
        for picks in illegal_answers(choice):
            said = outcome_of(match, Choose(seat, choice.id, (picks,)))
            assert isinstance(said, tuple)
            assert said[0] == "illegal_choice"


def illegal_answers(choice: Choice) -> Iterator[Picks]:
    """Yield answers that no choice of this kind takes: foreign, too few, too many, too often."""
    yield ("no such option",)
    if choice.min:
        yield ()
    for option in choice.options:
        yield (option.id,) * (option.limit + 1)
        yield (*(option.id,) * choice.max, option.id)


def check_moves(match: Match[Any]) -> None:
    """Moves are accepted as they stand, named ones first; together they hold every answer."""
    game = game_of(match.game)
    for seat in match.asked:
        choice = open_choice(match, seat)
        assert choice is not None
        moves, named = all_moves(match, choice), game.moves(match, choice)
        assert moves
        assert moves[: len(named)] == named
        for move in moves:
            assert carry_out(match, Choose(seat, choice.id, move.steps)).events
        for move in named:
            assert game.translate(match, choice, move.type, move.arguments) == move.steps
            assert game.translate(match, choice, "noSuchMove", move.arguments) is None
            assert game.translate(match, choice, move.type, sent(move)) == move.steps
        for move in moves[len(named) :]:
            assert move.type == CHOOSE
            assert move.arguments == {"choice": choice.id, "picks": move.steps[0]}
        begun = [move.steps[0] for move in moves]
        assert begun.count(()) == (choice.min == 0)
        domains = [domain for move in moves for domain in move.domains.values()]
        for answer in legal_answers(choice):
            assert answer in begun or any(_holds(domain, answer) for domain in domains), answer


def sent(move: Move) -> dict[str, Json]:
    """Return what arrives of a move that a client sends back as it got it: an operation's input."""
    operation = BY_NAME[move.type]
    assert operation.kind is Kind.MOVE
    arguments = {"matchId": "m", **msgspec.json.decode(encode(move.arguments))}
    body = operation.arguments.model_validate(arguments)
    assert isinstance(body, MoveInput)
    return said(body)


def _holds(domain: Domain, answer: Picks) -> bool:
    limits = dict(zip(domain.source, domain.limits, strict=True))
    few = all(answer.count(pick) <= limits.get(pick, 0) for pick in answer)
    return few and domain.min <= len(answer) <= domain.max


# Secrecy.


def check_hiding(full: object, seen: object) -> None:
    """Redaction turns cards face down and changes nothing else."""
    if isinstance(full, Struct):
        for name in full.__struct_fields__:
            check_hiding(getattr(full, name), getattr(seen, name))
    elif isinstance(full, tuple) and isinstance(seen, tuple):
        for one, other in zip(full, seen, strict=True):
            check_hiding(one, other)
    else:
        assert full == seen or (isinstance(full, str) and seen is None)


def decks_of(match: Match[Any]) -> Mapping[CardId, str]:
    """Return the deck that each card of a match comes from."""
    return game_of(match.game).decks(match.board)


def other_world(match: Match[Any], viewer: Viewer, chance: Chance) -> Match[Any]:
    """Return a match that the viewer cannot tell from this one.

    Cards that lie face down for the viewer are exchanged within their deck; seed, salt and, where
    they need not stay, the secret answers of others change too. What stays in its place:

    - cards that the viewer's own open choice shows: a pile that it looks through is shuffled in
      itself, other cards that it is shown stay;
    - cards that the seat which is just choosing has named before (a play half announced).
    """
    spots = list(face_down(match.board, redact(match, viewer).board))
    groups: dict[object, list[Spot]] = defaultdict(list)
    decks, fixed = decks_of(match), _named(match)
    shown = _shown(match, viewer)
    for spot in spots:
        zone = spot.path[:-1]
        pile = sorted(one.card for one in spots if one.path[:-1] == zone) if shown else []
        if pile and pile == sorted(shown):
            groups[zone].append(spot)
        elif spot.card not in fixed and spot.card not in shown:
            groups[decks[spot.card]].append(spot)
    cards: dict[Path, CardId] = {}
    for group in groups.values():
        dealt = chance.shuffled(spot.card for spot in group)
        if fixed:
            dealt = tuple(card for card in dealt if card not in fixed)
            group = [spot for spot in group if spot.card not in fixed]
        cards.update(zip((spot.path for spot in group), dealt, strict=True))
    world = replace(match, board=with_cards(match.board, cards))
    if match.outcome is not None:
        return world
    seed, salt = f"{chance.below(1 << 62):032x}", f"{chance.below(1 << 62):064x}"
    world = replace(world, seed=seed, salt=salt)
    return replace(world, answers=_other_answers(world, viewer, chance))


def _shown(match: Match[Any], viewer: Viewer) -> tuple[CardId, ...]:
    choice = open_choice(match, viewer) if isinstance(viewer, int) else None
    return choice.shown if choice else ()


def _named(match: Match[Any]) -> frozenset[CardId]:
    """Return the cards that the seat which is just choosing has named already."""
    if not match.asked:
        return frozenset()
    frame = codec(match.game).frames(match.agenda)[-1]
    ask = frame.todo[0]
    assert isinstance(ask, Ask)
    if ask.who is not Who.OWNER:
        return frozenset()
    picks = [pick for picks in frame.bound.values() for pick in picks]
    return frozenset([str(frame.card), *(pick.rpartition(":")[2] for pick in picks)])


def _other_answers(
    world: Match[Any], viewer: Viewer, chance: Chance
) -> tuple[tuple[int, Picks | None], ...]:
    """Keep the secret answers that are still legal in half of the worlds, else give others."""
    if not world.asked:
        return world.answers
    frame = codec(world.game).frames(world.agenda)[-1]
    ask = frame.todo[0]
    assert isinstance(ask, Ask)
    answers = []
    for seat, picks in world.answers:
        if seat != viewer and not world.places[seat].conceded:
            offered = offer(world, seat, frame, ask)
            choice = to_choice(world.choice, seat, str(world.prompt), offered, frame.card)
            if not is_legal(choice, picks or ()) or chance.below(2):
                legal = legal_answers(choice)
                picks = legal[chance.below(len(legal))]
        answers.append((seat, picks))
    return tuple(answers)


def check_secrecy(match: Match[Any], viewer: Viewer, chance: Chance) -> int:
    """Compare everything that a viewer gets to know in this world and in another one.

    Byte for byte: the redacted match; the view of the game; for a seat its open choice (options,
    ids, bounds, order, cards shown) and its named moves; what it is told when it picks something
    that is not offered, face-down cards by name included, or adds a guess as a second step.
    Then, for every seat that is asked, answers that are legal in both worlds, the end of a window,
    and a concession: the redacted events in number, order, type and content. They are compared up
    to and including the first one that differs: it shows the viewer cards that lay face down, so
    that it may differ in cards only, and what follows may depend on them. `ANNOUNCEMENTS` may take
    another event's place. Returns how many commands were compared.
    """
    other = other_world(match, viewer, chance)
    game = game_of(match.game)
    assert encode(redact(match, viewer)) == encode(redact(other, viewer))
    assert encode(game.view(match, viewer)) == encode(game.view(other, viewer))
    secrets = _secrets(match, viewer) | _secrets(other, viewer)
    if isinstance(viewer, int):
        choice = open_choice(match, viewer)
        assert encode(choice) == encode(open_choice(other, viewer))
        if choice is not None:
            assert encode(all_moves(match, choice)) == encode(all_moves(other, choice))
            refusals = [tuple(game.refused(world, choice)) for world in (match, other)]
            assert refusals[0] == refusals[1]
        for guess in _guesses(match, viewer, choice, secrets, chance):
            said, otherwise = _refusal(match, guess), _refusal(other, guess)
            assert said == otherwise, guess
    compared = 0
    for command in _commands(match, other, chance):
        _compare(match, other, command, viewer)
        compared += 1
    return compared


def _secrets(match: Match[Any], viewer: Viewer) -> frozenset[str]:
    spots = face_down(match.board, redact(match, viewer).board)
    return frozenset([str(match.seed), str(match.salt), *(spot.card for spot in spots)])


def _refusal(match: Match[Any], command: Command) -> object:
    said = outcome_of(match, command)
    return said if isinstance(said, tuple) and said and isinstance(said[0], str) else "accepted"


def _guesses(
    match: Match[Any],
    viewer: int,
    choice: Choice | None,
    secrets: frozenset[str],
    chance: Chance,
) -> Iterator[Choose]:
    """Yield commands with which a seat might try to find out what it may not know."""
    yield Choose(viewer, match.choice, (("no such option",),))
    yield Choose(viewer, match.choice + 1, ((),))
    cards = sorted(secrets - {str(match.seed), str(match.salt)})
    picks = chance.shuffled(
        f"{verb}{card}" for card in cards for verb in ("", "play:", "discard:", "hand:")
    )
    for pick in picks[:12]:
        yield Choose(viewer, match.choice, ((pick,),))
    if choice is not None:
        legal = legal_answers(choice)
        for first in {legal[0]: 0, legal[-1]: 0}:
            yield Choose(viewer, choice.id, (first, ()))
            for pick in picks[:4]:
                yield Choose(viewer, choice.id, (first, (pick,)))


def _commands(match: Match[Any], other: Match[Any], chance: Chance) -> Iterator[Command]:
    """Yield commands that are legal in both worlds.

    Where secret answers differ, none that would end the choice and bring them to light.
    """
    if match.outcome is not None:
        return
    if match.answers == other.answers or len(match.asked) > 1:
        for seat in match.asked:
            here, there = open_choice(match, seat), open_choice(other, seat)
            assert here is not None
            assert there is not None
            both = [picks for picks in legal_answers(here) if is_legal(there, picks)]
            for picks in chance.shuffled(both)[:3]:
                yield Choose(seat, here.id, (picks,))
    if match.answers == other.answers:
        if is_window(match):
            yield ExpireChoice(match.choice)
        live = [seat for seat, place in enumerate(match.places) if not place.conceded]
        yield Concede(live[chance.below(len(live))])


def _compare(match: Match[Any], other: Match[Any], command: Command, viewer: Viewer) -> None:
    one, two = carry_out(match, command).events, carry_out(other, command).events
    for event, instead in zip(one, two, strict=False):
        here = redact_event(event, viewer, match.game)
        there = redact_event(instead, viewer, match.game)
        if encode(here) != encode(there):
            if not ANNOUNCEMENTS & {_tag(here), _tag(there)}:
                secrets = _secrets(match, viewer) | _secrets(other, viewer)
                cards = secrets | decks_of(match).keys()
                assert _masked(here, cards) == _masked(there, cards), (here, there)
            return
        match, other = evolve(match, event), evolve(other, instead)
    assert len(one) == len(two), (one, two)


def _tag(event: Event) -> str:
    assert isinstance(event, Struct)
    return str(event.__struct_config__.tag)


def _masked(event: Event, secrets: frozenset[str]) -> object:
    return _mask(msgspec.json.decode(encode(event)), secrets)


def _mask(node: object, secrets: frozenset[str]) -> object:
    if isinstance(node, dict):
        return {key: _mask(value, secrets) for key, value in node.items()}
    if isinstance(node, list | tuple):
        return [_mask(item, secrets) for item in node]
    return "?" if isinstance(node, str) and node in secrets else node
