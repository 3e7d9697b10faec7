"""Webhooks: what a client sees of its own, and what their receivers are sent."""

from typing import Literal

from msgspec import Struct

from schema.inputs import NewsType
from schema.types import Milliseconds, Wire


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
