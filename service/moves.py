"""Moves of a seat: the command that each stands for, what it binds to, what it answers."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final

from msgspec.structs import replace

from domain.engine.agenda import Run
from domain.engine.choices import Choice
from domain.engine.decider import Choose, carry_out, open_choice
from domain.engine.errors import IllegalChoice, IllegalMove
from domain.engine.game import game_of
from domain.engine.ids import Json, Seat
from domain.engine.match import Match
from domain.engine.misfits import misfit, picked
from domain.engine.moves import CHOOSE
from domain.engine.stumbles import Guarded
from schema import errors
from schema import inputs as i
from schema import types as t
from service import auth, views
from service.auth import Principal
from service.matches import Decide, Matches, Order, new_command
from service.tokens import command_key, short

NOT_OFFERED: Final = "not_offered"  # the reason where a game knows no other


class Moves:
    """The moves of all seats."""

    def __init__(self, matches: Matches) -> None:
        self._matches = matches

    async def named(self, type: str, principal: Principal, arguments: i.MoveInput) -> t.MoveResult:
        """Translate a named move into the picks that it stands for, at each attempt anew."""
        seat = auth.seat_of(principal)
        given = said(arguments)

        def decide(match: Match[Any]) -> Run[Any]:
            choice = open_choice(match, seat) if match.outcome is None else None
            if choice is None:
                return carry_out(match, Choose(seat, match.choice, ((),)))  # says why not
            with Guarded(match):
                steps = game_of(match.game).translate(match, choice, type, given)
            if steps is None:
                message, why = _why_not(match, choice, type, given)
                raise IllegalMove(
                    message or f"{type} with these arguments does not answer the open choice",
                    prompt=choice.prompt,
                    choice=choice.id,
                    **why,
                )
            return _answered(match, choice, Choose(seat, choice.id, steps), type, given)

        bind = arguments.expected_version is None
        return await self.make(type, principal, arguments, decide, bind=bind)

    async def chosen(self, principal: Principal, arguments: i.ChooseInput) -> t.MoveResult:
        """Answer a choice by its id."""
        seat = auth.seat_of(principal)
        command = Choose(seat, arguments.choice, (tuple(arguments.picks),))

        def decide(match: Match[Any]) -> Run[Any]:
            choice = open_choice(match, seat) if match.outcome is None else None
            if choice is None:
                return carry_out(match, command)  # says why not
            return _answered(match, choice, command, CHOOSE, {"picks": command.steps[0]})

        return await self.make("choose", principal, arguments, decide)

    async def make(
        self,
        operation: str,
        principal: Principal,
        arguments: i.MoveInput,
        decide: Decide,
        bind: bool = False,
    ) -> t.MoveResult:
        """Commit a move of a seat; with `bind` it answers the choice open now or nothing.

        A dry run is decided like the move itself, and then forgotten.
        """
        seat, match_id = auth.seat_of(principal), arguments.match_id
        auth.check_access(principal, match_id)
        order = to_order(operation, principal, seat, arguments)
        if arguments.dry_run:
            return await self._rehearse(principal, match_id, order, decide)
        if bind:
            snapshot = await self._matches.admitted(principal, match_id)
            order = replace(order, choice=snapshot.match.choice)
        done = await self._matches.commit(match_id, order, decide)
        viewer = auth.viewer_of(principal, done.snapshot.match)
        return views.to_result(done, seat, viewer)

    async def _rehearse(
        self, principal: Principal, match_id: str, order: Order, decide: Decide
    ) -> t.MoveResult:
        snapshot = await self._matches.admitted(principal, match_id)
        if order.expected not in (None, snapshot.version):
            raise errors.VersionConflict(f"the match is at version {snapshot.version}")
        run = decide(snapshot.match)
        return views.to_rehearsal(
            snapshot, run, auth.seat_of(principal), max(self._matches.clock(), snapshot.at)
        )


def said(arguments: i.MoveInput) -> dict[str, Json]:
    """Return what a named move says, as its game gets it: every argument, null without a value."""
    return arguments.model_dump(by_alias=True, exclude={*i.MoveInput.model_fields, "standing"})


def _answered(
    match: Match[Any], choice: Choice, command: Choose, type: str, given: Mapping[str, Json]
) -> Run[Any]:
    """Answer a choice. Raises: IllegalChoice with reason and rule."""
    try:
        return carry_out(match, command)
    except IllegalChoice as error:
        message, why = _why_not(match, choice, type, given)
        raise IllegalChoice(message or error.message, **error.detail, **why) from None


def _why_not(
    match: Match[Any], choice: Choice, type: str, given: Mapping[str, Json]
) -> tuple[str | None, dict[str, Json]]:
    """Return what is wrong with a move that is refused, if one argument is, and details.

    Reason and rule are as the game says it, else the rule of what is asked.
    """
    game = game_of(match.game)
    moves = [picked(choice)] if type == CHOOSE else game.moves(match, choice)
    found = misfit([move for move in moves if move.type == type], given)
    details: dict[str, Json] = {
        "reason": NOT_OFFERED,
        "rule": game.rules.prompts.get(choice.prompt),
    }
    card = given.get("card", given.get("technology"))
    for one in views.to_refused(match, choice):
        if one.move == type and one.card in (card, None):
            details |= {"reason": one.code, "rule": one.rule}
            break
    if found is None:
        return None, details
    details["errors"] = [{"path": found.path, "message": found.reason}]
    return f"{found.path}: {found.reason}", details


def to_order(operation: str, principal: Principal, seat: Seat | None, arguments: Any) -> Order:
    """Return the order of a command; one without an id of the client's is never repeated."""
    id: str | None = arguments.command_id
    return Order(
        command=new_command() if id is None else command_key(principal.sender, id),
        digest="" if id is None else digest(operation, arguments),
        seat=seat,
        expected=getattr(arguments, "expected_version", None),
        bearer=principal,
    )


def digest(operation: str, arguments: i.Arguments) -> str:
    """Return what tells the body of one command from that of another with the same id."""
    body = arguments.model_dump_json(
        by_alias=True,
        exclude={"command_id", "expected_version", "dry_run"},
        exclude_defaults=True,  # what a later build may be told more does not change it
    )
    return short(sha256(f"{operation}\0{body}".encode()).digest())
