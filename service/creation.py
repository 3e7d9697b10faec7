"""New matches: laid out, taken in from a log, forked off another one, set up from a position."""

import asyncio
import secrets
from collections.abc import Sequence
from typing import Any

from domain.engine.chance import Chance
from domain.engine.codec import codec, encode
from domain.engine.decider import Command, CreateMatch, TakeSeat, carry_out, create, fold
from domain.engine.errors import IllegalPosition, InvalidOptions, MatchNotOpen, MatchNotStarted
from domain.engine.events import Event, MatchRestored
from domain.engine.fork import forked, is_forkable
from domain.engine.game import game_of
from domain.engine.ids import Scalar
from domain.engine.layout import LayOut
from domain.engine.match import Match
from schema import errors
from schema import inputs as i
from schema import types as t
from service import auth, catalogue, position, transfer
from service import store as s
from service.auth import Principal
from service.listing import summary
from service.matches import UNTIMED, Matches, Order, new_command
from service.moves import digest
from service.position import terms
from service.seating import is_full, start
from service.snapshots import Snapshot
from service.tokens import Keyring, command_key, short


class Creation:
    """Makes the matches of one store.

    A command id of a creation is a secret of the client: whoever knows it gets the same tokens.
    """

    def __init__(self, matches: Matches, keys: Keyring) -> None:
        self._matches = matches
        self._keys = keys

    async def lay_out(self, principal: Principal, arguments: i.CreateMatchInput) -> t.CreatedMatch:
        """Create a match that waits for its players.

        Raises: UnknownGame, InvalidOptions, IllegalPosition, CommandReused, Malformed.
        """
        options, facts = _options(arguments), catalogue.facts(arguments.game)
        match_id, stored_id = await self._new_match(arguments.command_id)
        account = self._account(principal, match_id)
        events: tuple[Event, ...]
        if arguments.position is None:
            command = CreateMatch(
                arguments.game, arguments.seats, options, facts, account, *terms(arguments)
            )
            event, match = create(command)
            events = (event,)
        else:
            named = bool(arguments.options or arguments.preset)
            given = options if named else None
            work = asyncio.to_thread(position.begun, arguments, given, facts, account)
            events, match = await work
        commit = self._first("createMatch", arguments, stored_id, events)
        public = arguments.visibility == "public"
        await self._matches.create(match_id, commit, public, summary(match))
        return self._created(match_id, commit.last, match)

    async def take_in(self, arguments: i.ImportMatchInput) -> t.CreatedMatch:
        """Take in a match from its log; repeated after a failure, it goes on where it broke off.

        Raises: InvalidLog, CommandReused, Malformed.
        """
        loaded = await asyncio.to_thread(transfer.from_text, arguments.text, self._matches.clock())
        match_id, _ = await self._new_match(arguments.command_id)
        commits = transfer.to_commits(loaded, digest("importMatch", arguments))
        match = fold(entry.event for entry in loaded.entries)
        if match.limit is not None:
            # Nobody has a seat of a match that is taken in: its clocks stand still.
            await self._matches.store.set_setting(match_id, UNTIMED, "1")
        stored = 1
        if await self._matches.create(match_id, commits[0], False, summary(match)):
            stored = len(await self._matches.store.load(match_id))
        for commit in commits[stored:]:
            await self._matches.store.append(match_id, commit.first - 1, commit)
        snapshot = await self._matches.newest(match_id)
        return self._created(match_id, commits[-1].last, snapshot.match)

    async def fork(
        self, principal: Principal, snapshot: Snapshot, arguments: i.ForkMatchInput
    ) -> t.ForkedMatch:
        """Create a match that begins as the other one stood, with what the viewer may know.

        It goes back from the version asked for to the newest one that can be forked for the viewer.
        Bots sit down at once where the client wants them; where nobody else is waited for, the
        match starts.

        Raises: NotFound, MatchNotStarted, UnknownSeat, SeatGone, SeatTaken, CommandReused.
        """
        if not 1 <= arguments.at <= snapshot.version:
            raise errors.NotFound(
                f"the match has versions 1 to {snapshot.version}", version=snapshot.version
            )
        points = await self._points(snapshot, arguments.at)
        viewer = auth.viewer_of(principal, snapshot.match)
        match_id, stored_id = await self._new_match(arguments.command_id)
        account = self._account(principal, match_id)
        for match in reversed(points):
            if not is_forkable(match, viewer):
                continue
            state = forked(match, viewer, Chance(secrets.token_hex(16), match.version))
            laid = LayOut("fork", state, snapshot.match_id, match.version)
            bots = [TakeSeat(one.seat, one.bot, one.bot) for one in arguments.seats]
            try:
                events, table = _begun(match, laid, bots, account)
            except IllegalPosition:
                # Dealt anew, a seat can be left without an option; the point before will do.
                continue
            commit = self._first("forkMatch", arguments, stored_id, events)
            return await self._fork(match_id, arguments.match_id, commit, table)
        raise MatchNotStarted("up to that version nobody has had to choose")

    async def _points(self, snapshot: Snapshot, at: int) -> Sequence[Match[Any]]:
        """Return the match after each commit up to a version."""
        decode = codec(snapshot.match.game).events
        points: list[Match[Any]] = []
        for commit in await self._matches.store.load(snapshot.match_id, until=at):
            if commit.last > at:
                break
            points.append(fold(decode(commit.events), points[-1] if points else None))
        return points

    async def _fork(
        self, match_id: str, source: str, commit: s.Commit, table: Match[Any]
    ) -> t.ForkedMatch:
        if await self._matches.create(match_id, commit, False, summary(table)):
            # A repeat: the cards were dealt the first time.
            (commit, *_) = await self._matches.store.load(match_id)
        events = codec(table.game).events(commit.events)
        restored = next(event for event in events if isinstance(event, MatchRestored))
        forked = fold(events)
        version = await self._started(match_id) if is_full(forked) else commit.last
        made = self._created(match_id, version, forked)
        return t.ForkedMatch(
            **{name: getattr(made, name) for name in made.__struct_fields__},
            source=source,
            at=restored.version,
        )

    async def _started(self, match_id: str) -> int:
        """Start a match whose seats are all taken; return its version then, also upon a repeat."""
        command = short(self._keys.derive("started", match_id))
        order = Order(command=command, digest="", seat=None)
        try:
            done = await self._matches.commit(
                match_id, order, lambda match: carry_out(match, start())
            )
        except MatchNotOpen:
            # A repeat of what broke off here, after its owner has started it.
            return (await self._matches.newest(match_id)).version
        return done.snapshot.version

    def _first(
        self, operation: str, arguments: i.Arguments, stored_id: str, events: tuple[Event, ...]
    ) -> s.Commit:
        """Return the first commit of a match."""
        return s.Commit(
            first=1,
            count=len(events),
            at=self._matches.clock(),
            seat=None,
            command=stored_id,
            digest=digest(operation, arguments),
            events=encode(events),
        )

    def _account(self, principal: Principal, match_id: str) -> str | None:
        """Return what stands for the account of whoever creates the match."""
        if principal.account is None:
            return None
        return self._keys.bindings(match_id, principal.account)[0]

    async def _new_match(self, command_id: str | None) -> tuple[str, str]:
        """Return the id of a match to create, and the id under which its creation is stored."""
        if command_id is None:
            return self._keys.match_ids(secrets.token_urlsafe(32))[0], new_command()
        auth.check_secret(command_id)
        match_ids = self._keys.match_ids(command_id)
        for match_id in match_ids[1:]:
            if await self._matches.store.exists(match_id):
                return match_id, command_key("create", command_id)
        return match_ids[0], command_key("create", command_id)

    def _created(self, match_id: str, version: int, match: Match[Any]) -> t.CreatedMatch:
        """Return the tokens, and invites to the seats that are free."""
        return t.CreatedMatch(
            match_id=match_id,
            version=version,
            owner_token=self._keys.owner_token(match_id, match.generation),
            invites=tuple(
                t.Invite(seat=seat, invite=self._keys.invite(match_id, seat))
                for seat, place in enumerate(match.places)
                if place.player is None and not place.conceded
            ),
        )


def _options(arguments: i.CreateMatchInput) -> dict[str, Scalar]:
    """Return the options asked for, upon those of the preset."""
    game = game_of(arguments.game)
    if arguments.preset is None:
        return dict(arguments.options)
    if arguments.preset not in game.presets:
        raise InvalidOptions(
            f"preset: one of {', '.join(sorted(game.presets))}, not {arguments.preset!r}",
            known=sorted(game.presets),
            options=["preset"],
        )
    return {**game.presets[arguments.preset], **arguments.options}


def _begun(
    match: Match[Any], laid: LayOut, more: Sequence[Command], account: str | None
) -> tuple[tuple[Event, ...], Match[Any]]:
    """Return the events that set the table of a match like this one, and the new match."""
    command = CreateMatch(match.game, len(match.places), match.options, match.facts, account)
    event, table = create(command)
    events: list[Event] = [event]
    for step in (laid, *more):
        run = carry_out(table, step)
        events += run.events
        table = run.match
    return tuple(events), table
