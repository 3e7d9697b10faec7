"""Everything a client can be told went wrong: the refusals of the API, and one table of all codes.

The core refuses with a `DomainError`, everything around it with an `ApiError`. Both carry a stable
code, a sentence for a person and details for a program; `ERRORS` says what a code means for a
client. A message never says what the caller may not know.
"""

from typing import ClassVar, TypeAlias

from msgspec import Struct

from domain.engine import errors as domain
from domain.engine.ids import Json


class ApiError(Exception):
    """A request that is refused or failed before or after the core; nothing has happened."""

    code: ClassVar[str]

    def __init__(self, message: str, **detail: Json) -> None:
        """Keep a sentence for a person and the details for a program."""
        super().__init__(message)
        self.message = message
        self.detail = detail


class Malformed(ApiError):
    """The request is not well formed; `errors` names every fault by its path."""

    code = "malformed"


class Unauthenticated(ApiError):
    """The request carries no token where one is needed, or one that is not valid."""

    code = "unauthenticated"


class Forbidden(ApiError):
    """Whoever sends this may not do it."""

    code = "forbidden"


class MatchNotFound(ApiError):
    """There is no such match."""

    code = "match_not_found"


class NotFound(ApiError):
    """There is nothing at this address."""

    code = "not_found"


class MethodNotAllowed(ApiError):
    """The address exists, but not for this method."""

    code = "method_not_allowed"


class NotAcceptable(ApiError):
    """The answer exists only in media types that the request does not accept."""

    code = "not_acceptable"


class VersionConflict(ApiError):
    """The match is not at the version that was named; `version` is the current one."""

    code = "version_conflict"


class CommandReused(ApiError):
    """The command id was used before, for another command."""

    code = "command_reused"


class Busy(ApiError):
    """Others changed the match at the same time, again and again; nothing was changed."""

    code = "busy"


class TooSlow(ApiError):
    """The request has not come in time, its head or its body."""

    code = "too_slow"


class TooManyWebhooks(ApiError):
    """This seat, or the owner, has as many webhooks in the match as it may."""

    code = "too_many_webhooks"


class TooLarge(ApiError):
    """The body is larger than the service takes."""

    code = "too_large"


class WrongMediaType(ApiError):
    """The body is of a media type that the service does not read here."""

    code = "wrong_media_type"


class Misdirected(ApiError):
    """The request names a host that this service does not go by."""

    code = "misdirected"


class HeadersTooLarge(ApiError):
    """Address and headers of the request are larger than the service takes."""

    code = "headers_too_large"


class InvalidLog(ApiError):
    """The log does not verify; `line` and `reason` name the first fault."""

    code = "invalid_log"


class RateLimited(ApiError):
    """There were too many requests; `Retry-After` says when to go on."""

    code = "rate_limited"


class Overloaded(ApiError):
    """The service has as much to do as it can; nothing was changed."""

    code = "overloaded"


class StoreUnavailable(ApiError):
    """The store gave no answer; a repeat with the same command id is safe."""

    code = "store_unavailable"


class StoreRegressed(ApiError):
    """The store has lost events that were seen before, so the match is closed to changes."""

    code = "store_regressed"


class ProviderUnavailable(ApiError):
    """The identity provider gave no answer, so the token of an account could not be checked."""

    code = "provider_unavailable"


class MatchDamaged(ApiError):
    """What is stored of the match cannot be read, so it is closed; other matches go on."""

    code = "match_damaged"


class Internal(ApiError):
    """The service failed; it is our mistake."""

    code = "internal"


class ErrorRow(Struct, frozen=True):
    """What a code means for a client; `doc` is the page that explains it."""

    code: str
    status: int
    retryable: bool
    meaning: str

    @property
    def doc(self) -> str:
        """The address of the page that explains the code."""
        return f"/docs/errors#{self.code}"


def _row(
    reason: type[ApiError | domain.DomainError], status: int, retryable: bool = False
) -> ErrorRow:
    meaning = " ".join((reason.__doc__ or "").split())
    return ErrorRow(reason.code, status, retryable, meaning)


# Retryable: the same request, sent again unchanged, can succeed.
ROWS: tuple[ErrorRow, ...] = (
    _row(Malformed, 400),
    _row(domain.MalformedCommand, 400),
    _row(Unauthenticated, 401),
    _row(Forbidden, 403),
    _row(NotFound, 404),
    _row(MatchNotFound, 404),
    _row(domain.UnknownGame, 404),
    _row(domain.UnknownSeat, 404),
    _row(MethodNotAllowed, 405),
    _row(NotAcceptable, 406),
    _row(TooSlow, 408, retryable=True),
    _row(domain.MatchNotOpen, 409),
    _row(domain.MatchNotStarted, 409),
    _row(domain.MatchFinished, 409),
    _row(domain.SeatTaken, 409),
    _row(domain.SeatsEmpty, 409),
    _row(domain.SeatGone, 409),
    _row(domain.NotYourTurn, 409),
    _row(domain.UnknownChoice, 409),
    _row(CommandReused, 409),
    _row(Busy, 409, retryable=True),
    _row(TooManyWebhooks, 409),
    _row(VersionConflict, 412),
    _row(TooLarge, 413),
    _row(WrongMediaType, 415),
    _row(Misdirected, 421),
    _row(domain.DomainError, 422),
    _row(domain.InvalidOptions, 422),
    _row(domain.IllegalChoice, 422),
    _row(domain.IllegalMove, 422),
    _row(domain.IllegalPosition, 422),
    _row(domain.IllegalUndo, 409),
    _row(InvalidLog, 422),
    _row(RateLimited, 429, retryable=True),
    _row(HeadersTooLarge, 431),
    _row(Internal, 500),
    _row(MatchDamaged, 500),
    _row(Overloaded, 503, retryable=True),
    _row(StoreUnavailable, 503, retryable=True),
    _row(StoreRegressed, 503),
    _row(ProviderUnavailable, 503, retryable=True),
)

ERRORS: dict[str, ErrorRow] = {row.code: row for row in ROWS}

Refusal: TypeAlias = ApiError | domain.DomainError
"""What may be told to a client; any other exception is a mistake of ours and tells nothing."""


def row_of(error: Refusal) -> ErrorRow:
    """Return what the code of an error means."""
    return ERRORS[error.code]
