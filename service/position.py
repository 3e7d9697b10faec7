"""Positions: a match written down as one document, and a match that begins with one."""

from typing import Any

import msgspec

from domain.engine.decider import CreateMatch, carry_out, create
from domain.engine.errors import MatchNotStarted
from domain.engine.events import Event, Fact, Spectators, TurnLimit
from domain.engine.game import Fault, game_of
from domain.engine.ids import Scalar
from domain.engine.layout import LayOut, illegal
from domain.engine.match import Match
from domain.engine.position import Position, converted, to_board, to_position
from schema import errors
from schema import inputs as i
from schema import reads as r
from service import auth
from service.auth import Principal
from service.snapshots import Snapshot


def check_owns(principal: Principal, match: Match[Any]) -> None:
    """Refuse whoever may not have the full state: the owner has to wait for the end.

    Raises: Unauthenticated, Forbidden.
    """
    auth.check_owner(principal)
    if principal.kind != "admin" and match.outcome is None:
        raise errors.Forbidden("the position is the owner's once the match is over")


def to_document(snapshot: Snapshot) -> r.PositionDocument:
    """Return the document of a match.

    Raises:
        NotFound: the game has no positions.
        MatchNotStarted: nothing lies on the table yet.
    """
    match = snapshot.match
    if game_of(match.game).layout is None:
        raise errors.NotFound(f"{match.game} has no positions")
    if not match.started and not match.laid:
        raise MatchNotStarted("nothing lies on the table yet")
    position = to_position(match)
    words: dict[str, Any] = msgspec.to_builtins(position)
    return msgspec.convert(words, r.PositionDocument)


def check_may_begin(principal: Principal, arguments: i.CreateMatchInput) -> None:
    """Refuse a public match that begins with a position, unless an admin wants it.

    Raises: Unauthenticated, Forbidden.
    """
    if arguments.visibility == "public" and principal.kind != "admin":
        why = "only a private match can begin with a position, but for admins"
        is_nobody = principal.kind == "anonymous"
        raise errors.Unauthenticated(why) if is_nobody else errors.Forbidden(why)


def begun(
    arguments: i.CreateMatchInput,
    options: dict[str, Scalar] | None,
    facts: tuple[Fact, ...],
    account: str | None = None,
) -> tuple[tuple[Event, ...], Match[Any]]:
    """Return the first events of a match that begins with a position, and the match.

    `options` are those that the client names beside it, if it does. Raises: InvalidOptions, and
        IllegalPosition: it cannot be set up here; `errors` names every fault.
    """
    document, found = converted(arguments.position, Position, "")
    if found:
        raise illegal(found)
    assert isinstance(document, Position), "it was converted"
    found = tuple(_elsewhere(document, arguments, facts))
    if found:
        raise illegal(found)
    wanted = document.options if options is None else options
    agreed = (document.facts, account, *terms(arguments))
    event, match = create(CreateMatch(document.game, document.seats, wanted, *agreed))
    if match.options != document.options:
        raise illegal((Fault("options", "are not all of them, or not those of the match"),))
    state = to_board(document, match)
    if isinstance(state, tuple):
        raise illegal(state)
    run = carry_out(match, LayOut("position", state))
    return (event, *run.events), run.match


def terms(arguments: i.CreateMatchInput) -> tuple[TurnLimit | None, Spectators | None]:
    """Return the time limit that a client wants for a match, and what spectators may see."""
    limit, spectators = arguments.turn_limit, arguments.spectators
    return (
        None if limit is None else TurnLimit(limit.seconds, limit.then),
        None
        if spectators is None or spectators.policy == "public"
        else Spectators((spectators.turns or 1) if spectators.policy == "delayed" else None),
    )


def _elsewhere(
    document: Position, arguments: i.CreateMatchInput, facts: tuple[Fact, ...]
) -> list[Fault]:
    """Return what makes it a position of another match than the one that is asked for."""
    found: list[Fault] = []
    game = game_of(arguments.game)
    if game.layout is None:
        return [Fault("game", f"{game.name} has no positions")]
    if document.game != game.name:
        found.append(Fault("game", f"is not {game.name}"))
    elif document.ruleset != game.ruleset:
        found.append(Fault("ruleset", f"is not {game.ruleset}, the one of this build"))
    if document.seats != arguments.seats:
        found.append(Fault("seats", f"are not {arguments.seats}"))
    if document.facts != facts:
        found.append(Fault("facts", "are not those of the cards here"))
    seats = range(document.seats)
    if not set(document.conceded) <= set(seats) or len(set(document.conceded)) == len(seats):
        found.append(Fault("conceded", "names a seat that is not there, or all of them"))
    return found
