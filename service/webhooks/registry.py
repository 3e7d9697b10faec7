"""What clients do with webhooks: register, look, rotate the secret, delete."""

from typing import Final, get_args

from msgspec.structs import replace

from domain.engine.errors import MatchFinished
from domain.engine.ids import Seat
from schema import errors
from schema.validation import faulty
from schema.webhooks import (
    CreateWebhookInput,
    DeleteWebhookInput,
    NewsType,
    RotateWebhookSecretInput,
    Webhook,
    WebhookList,
    WebhookSecret,
)
from service import auth
from service.auth import Principal
from service.edge import client_network
from service.matches import Matches, Order, new_command, reused
from service.moves import digest
from service.tokens import command_key
from service.webhooks import hooks as h
from service.webhooks.addresses import Allowed
from service.webhooks.signing import Signer
from service.webhooks.urls import UrlFault

Sides = tuple[Seat | None, ...]

MOST_OF_A_SEAT: Final = 4
MOST_OF_THE_OWNER: Final = 8


class Webhooks:
    """The webhooks of the matches of one store."""

    def __init__(self, matches: Matches, signer: Signer, allowed: Allowed) -> None:
        self._matches = matches
        self._signer = signer
        self._allowed = allowed

    async def list(self, principal: Principal, match_id: str) -> WebhookList:
        """Return the webhooks of whoever asks. Raises: Unauthenticated, Forbidden."""
        sides = _sides(principal)
        await self._matches.admitted(principal, match_id)
        return await self._listed(match_id, sides, await h.load(self._matches.store, match_id))

    async def create(self, principal: Principal, arguments: CreateWebhookInput) -> WebhookSecret:
        """Register a webhook; it hears of what comes from now on.

        Raises: Unauthenticated, Forbidden, Malformed, MatchFinished, TooManyWebhooks,
            CommandReused.
        """
        match_id, (seat, *_) = arguments.match_id, _sides(principal)
        try:
            url = str(self._allowed.read(arguments.url))
        except UrlFault as fault:
            raise faulty({"url": str(fault)}) from None
        snapshot = await self._matches.admitted(principal, match_id)
        order = _order("createWebhook", principal, seat, arguments)
        new = h.Hook(
            id=order.command,
            seat=seat,
            url=url,
            events=tuple(dict.fromkeys(arguments.events or get_args(NewsType))),
            created_at=self._matches.clock(),
            since=snapshot.version,
            key=self._signer.current,
            bearer=principal.generation if principal.kind in ("seat", "owner") else None,
            by=self._client(principal),
        )

        def edit(book: h.Book) -> tuple[h.Book, h.Hook]:
            known = next((hook for hook in book.hooks if hook.id == new.id), None)
            carried = book.find(order)
            if carried is not None:
                # It may be deleted since: then the repeat has all that the first answer had.
                return book, _answered(known or replace(new, created_at=carried.at), carried)
            if known is not None:
                raise reused()
            if snapshot.match.outcome is not None:
                raise MatchFinished("the match is over")
            most = MOST_OF_THE_OWNER if seat is None else MOST_OF_A_SEAT
            if sum(hook.seat == seat for hook in book.hooks) >= most:
                raise errors.TooManyWebhooks(f"there are {most} already; delete one", most=most)
            return book.after((*book.hooks, new), new, order, new.created_at), new

        _, hook = await h.change(self._matches.store, match_id, edit)
        return await self._with_secret(match_id, hook)

    async def delete(self, principal: Principal, arguments: DeleteWebhookInput) -> WebhookList:
        """Remove a webhook; return those left. Raises: Unauthenticated, Forbidden, NotFound."""
        match_id, hook_id = arguments.match_id, arguments.webhook_id
        sides = _sides(principal)
        await self._matches.admitted(principal, match_id)

        def edit(book: h.Book) -> tuple[h.Book, None]:
            _own(book.hooks, sides, hook_id)
            left = tuple(hook for hook in book.hooks if hook.id != hook_id)
            return h.Book(left, book.carried), None

        left, _ = await h.change(self._matches.store, match_id, edit)
        await h.set_status(self._matches.store, match_id, hook_id, None)
        return await self._listed(match_id, sides, left)

    async def rotate(
        self, principal: Principal, arguments: RotateWebhookSecretInput
    ) -> WebhookSecret:
        """Give a webhook another secret. Raises: Unauthenticated, Forbidden, NotFound."""
        match_id, sides = arguments.match_id, _sides(principal)
        await self._matches.admitted(principal, match_id)
        order = _order("rotateWebhookSecret", principal, sides[0], arguments)
        now = self._matches.clock()

        def edit(book: h.Book) -> tuple[h.Book, h.Hook]:
            carried = book.find(order)
            old = _own(book.hooks, sides, arguments.webhook_id)
            if carried is not None:
                return book, _answered(old, carried)
            new = replace(
                old,
                key=self._signer.current,
                generation=old.generation + 1,
                previous_key=old.key,
                overlap_end=now + arguments.overlap_seconds * 1000,
                disabled=None if old.disabled == "key_lost" else old.disabled,
            )
            hooks = tuple(new if hook is old else hook for hook in book.hooks)
            return book.after(hooks, new, order, now), new

        _, hook = await h.change(self._matches.store, match_id, edit)
        return await self._with_secret(match_id, hook)

    def _client(self, principal: Principal) -> str:
        """Return what stands for whoever asks: an account, or the network of an address."""
        if principal.kind == "admin":
            return h.ADMIN
        account = principal.account
        return self._signer.alias(client_network() if account is None else f"account.{account}")

    async def _listed(self, match_id: str, sides: Sides, all: h.Hooks) -> WebhookList:
        own = [await self._shown(match_id, hook) for hook in all if hook.seat in sides]
        return WebhookList(match_id=match_id, webhooks=tuple(own))

    async def _with_secret(self, match_id: str, hook: h.Hook) -> WebhookSecret:
        secret = self._signer.secret(hook.key, match_id, hook.id, hook.generation)
        if secret is None:
            raise errors.NotFound("the secret was lost with a signing key; rotate it")
        return WebhookSecret(
            match_id=match_id, webhook=await self._shown(match_id, hook), secret=secret
        )

    async def _shown(self, match_id: str, hook: h.Hook) -> Webhook:
        status = await h.status(self._matches.store, match_id, hook.id)
        overlaps = hook.overlap_end > self._matches.clock()
        return Webhook(
            id=hook.id,
            url=hook.url,
            events=hook.events,
            seat=hook.seat,
            created_at=hook.created_at,
            last_success_at=status.succeeded_at or None,
            last_failure_at=status.failed_at or None,
            last_failure=status.reason or None,
            failures=status.failures,
            previous_secret_until=hook.overlap_end if overlaps else None,
            disabled=hook.disabled,
            disabled_at=hook.disabled_at or None,
        )


def _sides(principal: Principal) -> Sides:
    """Return the seats whose webhooks the bearer has, None for those of the owner.

    The first one gets new ones; an account may have both. Raises: Unauthenticated, Forbidden.
    """
    if principal.issued:
        # Webhooks outlive such a token, and their addresses may hold secrets.
        raise errors.Forbidden("a token that was issued has no webhooks; the seat's own one does")
    seat = auth.own_seat(principal)
    if seat is None:
        auth.check_owner(principal, "a seat or the owner")
        return (None,)
    return (seat, None) if principal.owns else (seat,)


def _own(all: h.Hooks, sides: Sides, hook_id: str) -> h.Hook:
    for hook in all:
        if hook.id == hook_id and hook.seat in sides:
            return hook
    raise errors.NotFound("you have no such webhook")


def _answered(hook: h.Hook, carried: h.Carried) -> h.Hook:
    """Return the webhook with the secret that it had after a command."""
    return replace(
        hook,
        key=carried.key,
        generation=carried.generation,
        overlap_end=carried.overlap_end,
    )


def _order(
    operation: str,
    principal: Principal,
    seat: Seat | None,
    arguments: CreateWebhookInput | RotateWebhookSecretInput,
) -> Order:
    """Return the order of a command about webhooks; its id is none of those of moves."""
    id = arguments.command_id
    return Order(
        command=new_command() if id is None else command_key(f"webhook:{principal.sender}", id),
        digest="" if id is None else digest(operation, arguments),
        seat=seat,
    )
