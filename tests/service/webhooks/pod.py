"""What one process does with webhooks, step by step and by a clock that is told the time."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from ssl import SSLContext

from msgspec.structs import replace

from domain.engine.codec import encode
from domain.engine.decider import Command, CreateMatch, StartMatch, TakeSeat, carry_out, create
from service.deadlines import Deadlines
from service.matches import Matches, Order, new_command
from service.store import Commit, EventStore
from service.tokens import Keyring
from service.webhooks import delivery, hooks, relay
from service.webhooks.addresses import Allowed, Resolve, resolve
from service.webhooks.delivery import Delivery
from service.webhooks.hooks import Hook, Status
from service.webhooks.relay import Notice, Relay
from service.webhooks.sender import Sender
from service.webhooks.shares import Shares
from service.webhooks.signing import Signer
from tests.kit.service import SIGNING_KEY, Clock

MATCH = "m"
KEYS = (SIGNING_KEY.encode(),)


class Pod:
    """The loops of a process, each of which runs when it is told to."""

    def __init__(
        self,
        store: EventStore,
        clock: Clock,
        allow: Sequence[str] = ("127.0.0.0/8",),
        resolve: Resolve = resolve,
        trusted: SSLContext | None = None,
        keys: tuple[bytes, ...] = KEYS,
    ) -> None:
        self.store = store
        self.clock = clock
        self.matches = Matches(store, clock)
        self.signer = Signer(keys)
        self.sender = Sender(Allowed(allow), Shares(store.outbox, clock), resolve, trusted)
        self.delivery = Delivery(self.matches, self.signer, self.sender, lambda: 0.5)
        self.matches.alerts = self.relay = Relay(self.matches, self.delivery.wake)
        others = {relay.DEADLINE: self.relay.due, delivery.DEADLINE: self.delivery.due}
        self.deadlines = Deadlines(self.matches, Keyring(keys), (1, 1), others)

    async def hook(self, url: str, id: str = "h", **more: object) -> str:
        """Register a webhook, past the rules; return its secret."""
        await self.seated()
        given = {"seat": None, "events": ("turn.started", "match.finished"), "since": 0, **more}
        hook = Hook(id=id, url=url, created_at=0, key=self.signer.current, **given)  # type: ignore[arg-type]  # as named
        await hooks.change(
            self.store, MATCH, lambda book: (replace(book, hooks=(*book.hooks, hook)), None)
        )
        secret = self.signer.secret(hook.key, MATCH, id, hook.generation)
        assert secret is not None
        return secret

    async def seated(self) -> None:
        """Lay out a match whose two seats are taken, unless there is one."""
        if await self.store.exists(MATCH):
            return
        event, _ = create(CreateMatch("chrononauts", 2))
        first = Commit(1, 1, self.clock(), None, "create", "", encode((event,)))
        await self.matches.create(MATCH, first, False)
        for seat in range(2):
            await self.command(TakeSeat(seat, "somebody"))

    async def start(self) -> int:
        """Start that match, so that a turn begins; return the first version of the commit."""
        return await self.command(StartMatch("5e" * 16, "5a" * 32))

    async def command(self, command: Command) -> int:
        """Carry out a command; return the first version of its commit."""
        order = Order(command=new_command(), digest="", seat=None)
        done = await self.matches.commit(MATCH, order, lambda match: carry_out(match, command))
        return done.first

    async def notice(self, version: int = 7, hook: str = "h") -> None:
        """Put a notice of a turn that begins now into the outbox."""
        notice = Notice(hook, "chrononauts", "turn.started", version, self.clock(), 0)
        await self.store.outbox.put(MATCH, notice.words())

    async def step(self) -> None:
        """Do all that is due."""
        while await self.deadlines.settle():
            pass
        while await self.delivery.take():
            await self.delivery.drain()

    async def next(self) -> int | None:
        """Go to the time of the next attempt and do it; return how long that was, in seconds."""
        due = await self.store.next_due()
        if due is None:
            return None
        before, self.clock.now = self.clock(), due
        await self.step()
        return (due - before) // 1000

    async def status(self, id: str = "h") -> Status:
        return await hooks.status(self.store, MATCH, id)

    async def disabled(self, id: str = "h") -> str | None:
        return next(one.disabled for one in await hooks.load(self.store, MATCH) if one.id == id)


@asynccontextmanager
async def running_pod(
    store: EventStore,
    allow: Sequence[str] = ("127.0.0.0/8",),
    resolve: Resolve = resolve,
    trusted: SSLContext | None = None,
    keys: tuple[bytes, ...] = KEYS,
) -> AsyncIterator[Pod]:
    yield Pod(store, Clock(), allow, resolve, trusted, keys)
