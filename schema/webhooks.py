"""Webhooks: what a client sees of its own, and what their receivers are sent."""

from typing import Annotated, Literal

from msgspec import Struct
from pydantic import Field

from schema.inputs import Arguments, Id
from schema.types import Milliseconds, Wire

NewsType = Literal["turn.started", "match.finished"]


class Webhook(Wire, frozen=True):
    """A webhook of yours. `seat` is null for one of the owner, which hears of every person's turn.

    `failures` counts the failed attempts since the last success; `lastFailure` says what went wrong
    with the last one. A webhook is disabled for good when its receiver answers 410 (`gone`) or has
    failed for a day (`failing`), when its secret is lost with a signing key (`key_lost`), or when
    the token is replaced that it was made with (`token_replaced`). Until `previousSecretUntil`
    everything is signed with the secret before, too.
    """

    id: str
    url: str
    events: tuple[NewsType, ...]
    seat: int | None
    created_at: Milliseconds
    last_success_at: Milliseconds | None
    last_failure_at: Milliseconds | None
    last_failure: str | None
    failures: int
    previous_secret_until: Milliseconds | None
    disabled: Literal["gone", "failing", "key_lost", "token_replaced"] | None
    disabled_at: Milliseconds | None


class WebhookList(Wire, frozen=True):
    """Your webhooks of a match: those of your seat, or those of the owner."""

    match_id: str
    webhooks: tuple[Webhook, ...]


class WebhookSecret(Wire, frozen=True):
    """A webhook and its secret (`whsec_…`), which is shown here and never again."""

    match_id: str
    webhook: Webhook
    secret: str


class NewsData(Struct, frozen=True):
    """What is told: that a turn of a seat began at a version, or that the match was over then.

    `seat` is null where the match is over.
    """

    match: str
    game: str
    version: int
    seat: int | None


class News(Struct, frozen=True):
    """The body of a webhook; `timestamp` is when it happened, in UTC (ISO 8601)."""

    type: NewsType
    timestamp: str
    data: NewsData


class WebhooksArguments(Arguments):
    """A match; the webhooks are those of the seat or owner of the token."""

    match_id: Id


class CreateWebhookInput(Arguments):
    """Where to send what happens: all of it, or the `events` named.

    The URL is https, at a public address, without a user. A secret may stand in its path or query.
    """

    match_id: Id
    url: Annotated[str, Field(min_length=1, max_length=2048)]
    events: Annotated[list[NewsType], Field(min_length=1, max_length=2)] | None = None
    command_id: Id | None = None


class DeleteWebhookInput(Arguments):
    """A webhook of yours that is to hear nothing more."""

    match_id: Id
    webhook_id: Id


class RotateWebhookSecretInput(Arguments):
    """A webhook of yours that gets another secret; the old one signs, too, for so many seconds."""

    match_id: Id
    webhook_id: Id
    overlap_seconds: Annotated[int, Field(ge=0, le=604_800)] = 86_400
    command_id: Id | None = None
