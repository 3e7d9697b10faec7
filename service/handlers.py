"""One function for each operation of the table: who may do it, what it commits, what it answers.

`Handlers.table` pairs them with the operations; importing this module checks that every row has a
handler of its name whose annotations are the row's arguments and result.
"""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from functools import wraps
from typing import Any, get_type_hints

from domain.engine.decider import Concede, carry_out, is_window
from domain.engine.errors import (
    DomainError,
    IllegalMove,
    MatchFinished,
    MatchNotStarted,
    NotYourTurn,
    SeatGone,
    UnknownChoice,
)
from domain.engine.ids import Seat
from domain.engine.match import Match
from schema import errors
from schema import inputs as i
from schema import reads as r
from schema import types as t
from schema import webhooks as w
from schema.operations import OPERATIONS, Kind, Operation
from service import auth, catalogue, explain, position, transfer, undo, views
from service.access import Access
from service.auth import Principal
from service.creation import Creation
from service.failures import told
from service.feeds import Feeds
from service.history import events_after, situated
from service.listing import Lister
from service.live import check_reached
from service.matches import Matches
from service.moves import Moves, to_order
from service.roles import Roles
from service.seating import Seating, start
from service.snapshots import Snapshot
from service.standing import wish, wish_of
from service.tokens import Keyring
from service.webhooks.registry import Webhooks

Handler = Callable[[Principal, Any], Awaitable[object]]


_log = logging.getLogger(__name__)


class Handlers:
    """The operations, on the matches of one store."""

    def __init__(
        self,
        matches: Matches,
        keys: Keyring,
        roles: Roles,
        feeds: Feeds,
        webhooks: Webhooks,
    ) -> None:
        self._matches = matches
        self._roles = roles
        self._moves = Moves(matches)
        self._access = Access(matches, keys)
        self._creation = Creation(matches, keys)
        self._seating = Seating(matches, keys)
        self._lister = Lister(matches, keys)
        self._keys = keys
        self._feeds = feeds
        self._webhooks = webhooks

    def table(self) -> Mapping[str, Handler]:
        """Return the handlers by the names of their operations."""
        return {
            row.name: self._admitting(row, getattr(self, snake(row.name))) for row in OPERATIONS
        }

    async def version_of(self, principal: object, arguments: i.Arguments) -> int:
        """Return the version that a read of a match would have; cheaper than the read."""
        assert isinstance(principal, Principal)
        with told():
            return await self._version_of(principal, arguments)

    async def _version_of(self, principal: Principal, arguments: i.Arguments) -> int:
        match_id = getattr(arguments, "match_id", "")
        at: int | None = getattr(arguments, "at", None)
        principal = await self._roles.of(principal, match_id)
        if isinstance(arguments, i.LegalMovesArguments):
            auth.seat_of(principal)
        snapshot = await self._visible(principal, match_id)
        if isinstance(arguments, i.EventsArguments):
            check_reached(snapshot, arguments.after)
        return snapshot.version if at is None else _existing(snapshot, at)

    async def games(self, principal: Principal, arguments: i.NoArguments) -> tuple[t.GameInfo, ...]:
        return catalogue.games()

    async def game(self, principal: Principal, arguments: i.GameArguments) -> t.GameInfo:
        return catalogue.game(arguments.game)

    async def cards(self, principal: Principal, arguments: i.CardsArguments) -> t.CardList:
        locale = catalogue.spoken(arguments.game, arguments.locale)
        return catalogue.cards(arguments.game, locale)

    async def create_match(
        self, principal: Principal, arguments: i.CreateMatchInput
    ) -> t.CreatedMatch:
        if arguments.position is not None:
            position.check_may_begin(principal, arguments)
        return await self._creation.lay_out(principal, arguments)

    async def take_seat(self, principal: Principal, arguments: i.TakeSeatInput) -> t.TakenSeat:
        return await self._seating.take(principal, arguments)

    async def rotate_token(
        self, principal: Principal, arguments: i.RotateTokenInput
    ) -> t.RotatedToken:
        return await self._access.rotate(principal, arguments)

    async def issue_token(
        self, principal: Principal, arguments: i.IssueTokenInput
    ) -> t.IssuedToken:
        snapshot = await self._visible(principal, arguments.match_id)
        return self._access.issue(principal, snapshot, arguments)

    async def start_match(self, principal: Principal, arguments: i.StartMatchInput) -> t.MoveResult:
        auth.check_access(principal, arguments.match_id)
        auth.check_owner(principal)
        order = to_order("startMatch", principal, None, arguments)
        done = await self._matches.commit(
            arguments.match_id, order, lambda match: carry_out(match, start())
        )
        return views.to_result(done, None, auth.viewer_of(principal, done.snapshot.match))

    async def matches(
        self, principal: Principal, arguments: i.MatchesArguments
    ) -> r.MatchConnection:
        if principal.match_id is not None:
            await self._matches.admitted(principal, principal.match_id)
        return await self._lister.page(principal, arguments)

    async def match(self, principal: Principal, arguments: i.MatchArguments) -> t.MatchView:
        snapshot = await self._visible(principal, arguments.match_id)
        viewer = auth.viewer_of(principal, snapshot.match)
        if arguments.at is not None and _existing(snapshot, arguments.at) != snapshot.version:
            snapshot = await self._matches.at(snapshot, arguments.at)
        return views.to_view(snapshot, auth.own_seat(principal), viewer)

    async def legal_moves(
        self, principal: Principal, arguments: i.LegalMovesArguments
    ) -> t.LegalMoves:
        auth.check_access(principal, arguments.match_id)
        seat = auth.seat_of(principal)
        return views.to_moves(await self._matches.admitted(principal, arguments.match_id), seat)

    async def events(self, principal: Principal, arguments: i.EventsArguments) -> t.EventPage:
        if arguments.wait:
            await self._feeds.news(principal, arguments.match_id, arguments.after, arguments.wait)
        snapshot = await self._visible(principal, arguments.match_id)
        check_reached(snapshot, arguments.after)
        events = await events_after(
            self._matches, principal, snapshot, arguments.after, arguments.limit
        )
        return t.EventPage(match_id=snapshot.match_id, version=snapshot.version, events=events)

    async def explain(self, principal: Principal, arguments: i.ExplainArguments) -> r.Explanation:
        snapshot = await self._visible(principal, arguments.match_id)
        viewer = auth.viewer_of(principal, snapshot.match)
        return await explain.explain(
            self._matches, snapshot, viewer, arguments.version, arguments.locale
        )

    async def describe(self, principal: Principal, arguments: i.DescribeArguments) -> r.Description:
        snapshot = await self._visible(principal, arguments.match_id)
        viewer = auth.viewer_of(principal, snapshot.match)
        if arguments.at is not None and _existing(snapshot, arguments.at) != snapshot.version:
            snapshot = await self._matches.at(snapshot, arguments.at)
        choice = views.choice_of(snapshot.match, auth.own_seat(principal))
        return await explain.describe(
            self._matches, snapshot, viewer, choice, arguments.locale, arguments.recent
        )

    async def play_card(self, principal: Principal, arguments: i.PlayCardInput) -> t.MoveResult:
        return await self._moves.named("playCard", principal, arguments)

    async def discard_cards(
        self, principal: Principal, arguments: i.DiscardCardsInput
    ) -> t.MoveResult:
        return await self._moves.named("discardCards", principal, arguments)

    async def tap_monuments(
        self, principal: Principal, arguments: i.TapMonumentsInput
    ) -> t.MoveResult:
        return await self._moves.named("tapMonuments", principal, arguments)

    async def record_knowledge(
        self, principal: Principal, arguments: i.RecordKnowledgeInput
    ) -> t.MoveResult:
        return await self._moves.named("recordKnowledge", principal, arguments)

    async def learn_technology(
        self, principal: Principal, arguments: i.LearnTechnologyInput
    ) -> t.MoveResult:
        return await self._moves.named("learnTechnology", principal, arguments)

    async def search_deck(self, principal: Principal, arguments: i.SearchDeckInput) -> t.MoveResult:
        return await self._moves.named("searchDeck", principal, arguments)

    async def kill_time(self, principal: Principal, arguments: i.KillTimeInput) -> t.MoveResult:
        return await self._moves.named("killTime", principal, arguments)

    async def respond(self, principal: Principal, arguments: i.RespondInput) -> t.MoveResult:
        """A standing pass is no part of the log; with no window open it is all there is to do.

        Asking to be asked again (`standing` false) answers nothing by itself.
        """
        seat = auth.seat_of(principal)
        if arguments.standing is None:
            return await self._moves.named("respond", principal, arguments)
        match_id, store = arguments.match_id, self._matches.store
        snapshot = await self._matches.admitted(principal, match_id)
        order = to_order("respond", principal, seat, arguments)
        used = order.command in snapshot.records
        if not used and not arguments.dry_run:
            version = (await wish_of(store, match_id, seat)).version_of(order)
            if version is not None:
                return views.unchanged(await self._matches.at(snapshot, version), seat)
        passes = arguments.standing and _responds(snapshot.match, seat)
        if arguments.card is not None or used or passes:
            try:
                result = await self._moves.named("respond", principal, arguments)
            except (NotYourTurn, UnknownChoice, IllegalMove):
                # The window closed in between.
                if arguments.card is not None:
                    raise
                result = views.unchanged(await self._matches.newest(match_id), seat)
        else:
            _check_plays(snapshot.match, seat)
            if arguments.expected_version not in (None, snapshot.version):
                raise errors.VersionConflict("the match has moved on")
            result = views.unchanged(snapshot, seat)
        if not arguments.dry_run:
            await wish(store, match_id, seat, arguments.standing, order, result.version)
        return result

    async def choose(self, principal: Principal, arguments: i.ChooseInput) -> t.MoveResult:
        return await self._moves.chosen(principal, arguments)

    async def concede(self, principal: Principal, arguments: i.ConcedeInput) -> t.MoveResult:
        command = Concede(auth.seat_of(principal))
        return await self._moves.make(
            "concede", principal, arguments, lambda match: carry_out(match, command)
        )

    async def undo(self, principal: Principal, arguments: i.UndoInput) -> t.MoveResult:
        return await undo.undo(self._matches, self._moves, principal, arguments)

    async def position(
        self, principal: Principal, arguments: i.PositionArguments
    ) -> r.PositionDocument:
        """Every card shows: only who may have the full state gets it."""
        snapshot = await self._visible(principal, arguments.match_id)
        position.check_owns(principal, snapshot.match)
        if snapshot.match.outcome is None:
            _log.warning("the position of running match %s was given away", snapshot.match_id)
        if arguments.at is not None and _existing(snapshot, arguments.at) != snapshot.version:
            snapshot = await self._matches.at(snapshot, arguments.at, whole=True)
        return position.to_document(snapshot)

    async def export_log(self, principal: Principal, arguments: i.ExportLogArguments) -> t.LogFile:
        """The owner of a private match gets the full log even while it runs, cards and all.

        That stands in the log, then, for all seats to see.
        """
        snapshot = await self._visible(principal, arguments.match_id)
        viewer = auth.viewer_of(principal, snapshot.match)
        owns = auth.is_owner(principal) and not snapshot.public
        if viewer != "all" and owns:
            snapshot = await self._access.open_log(principal, snapshot)
        if viewer != "all" and (owns or principal.kind == "admin"):
            viewer = "all"
            _log.warning(
                "the full log of running match %s was given to its %s",
                snapshot.match_id,
                principal.kind,
            )
        commits = await self._matches.store.load(snapshot.match_id, until=snapshot.version)
        text = await asyncio.to_thread(transfer.to_text, snapshot, commits, viewer)
        return t.LogFile(match_id=snapshot.match_id, text=text)

    async def import_match(
        self, principal: Principal, arguments: i.ImportMatchInput
    ) -> t.CreatedMatch:
        return await self._creation.take_in(arguments)

    async def fork_match(self, principal: Principal, arguments: i.ForkMatchInput) -> t.ForkedMatch:
        """Whoever sees a match may fork it; it gets what it may see, and is the new owner."""
        snapshot = await self._visible(principal, arguments.match_id)
        return await self._creation.fork(principal, snapshot, arguments)

    def _admitting(self, row: Operation, handler: Handler) -> Handler:
        """Return the handler behind what holds for every operation."""

        @wraps(handler)
        async def admitting(principal: Principal, arguments: Any) -> object:
            with told():
                if principal.reads and row.kind is not Kind.QUERY:
                    raise errors.Forbidden("this token only reads")
                if match_id := getattr(arguments, "match_id", None):
                    principal = await self._roles.of(principal, match_id)
                try:
                    return await handler(principal, arguments)
                except (errors.ApiError, DomainError) as error:
                    raise await situated(self._matches, principal, arguments, error) from None

        return admitting

    async def webhooks(self, principal: Principal, arguments: w.WebhooksArguments) -> w.WebhookList:
        return await self._webhooks.list(principal, arguments.match_id)

    async def create_webhook(
        self, principal: Principal, arguments: w.CreateWebhookInput
    ) -> w.WebhookSecret:
        return await self._webhooks.create(principal, arguments)

    async def delete_webhook(
        self, principal: Principal, arguments: w.DeleteWebhookInput
    ) -> w.WebhookList:
        return await self._webhooks.delete(principal, arguments)

    async def rotate_webhook_secret(
        self, principal: Principal, arguments: w.RotateWebhookSecretInput
    ) -> w.WebhookSecret:
        return await self._webhooks.rotate(principal, arguments)

    async def _visible(self, principal: Principal, match_id: str) -> Snapshot:
        return await self._matches.visible(principal, match_id)


def snake(name: str) -> str:
    """Return a camelCase name in snake_case."""
    return re.sub(r"[A-Z]", lambda letter: f"_{letter[0].lower()}", name)


def _responds(match: Match[Any], seat: Seat) -> bool:
    return seat in match.asked and is_window(match)


def _existing(snapshot: Snapshot, version: int) -> int:
    if not 1 <= version <= snapshot.version:
        raise errors.NotFound(
            f"the match has versions 1 to {snapshot.version}", version=snapshot.version
        )
    return version


def _check_plays(match: Match[Any], seat: Seat) -> None:
    if match.outcome is not None:
        raise MatchFinished("the match is over")
    if not match.started:
        raise MatchNotStarted("the match has not started")
    if match.places[seat].conceded:
        raise SeatGone("this seat has conceded")


def _check_table() -> None:
    """Compare every handler with its row."""
    for row in OPERATIONS:
        hints = get_type_hints(getattr(Handlers, snake(row.name)))
        assert hints["arguments"] is row.arguments, row.name
        assert hints["return"] == row.result, row.name


_check_table()
