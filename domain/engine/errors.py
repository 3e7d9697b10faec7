"""What can be refused, one class per reason to act; every class has one stable code.

A message never says what the caller may not know: it names the caller's own words, public facts
and the rule, nothing else.
"""

from typing import ClassVar

from domain.engine.ids import Json


class DomainError(Exception):
    """A command that the core refuses; nothing has happened."""

    code: ClassVar[str] = "refused"

    def __init__(self, message: str, **detail: Json) -> None:
        """Keep a sentence for a person and the details for a program."""
        super().__init__(message)
        self.message = message
        self.detail = detail


class MalformedCommand(DomainError):
    """The command is not well formed: a mistake of the client."""

    code = "malformed_command"


class UnknownGame(DomainError):
    """No game of that name is played here."""

    code = "unknown_game"


class InvalidOptions(DomainError):
    """The options, seats or facts asked for do not fit the game."""

    code = "invalid_options"


class MatchNotOpen(DomainError):
    """The match has started already, so nobody can be seated or start it again."""

    code = "match_not_open"


class MatchNotStarted(DomainError):
    """The match has not started yet."""

    code = "match_not_started"


class MatchFinished(DomainError):
    """The match is over."""

    code = "match_finished"


class SeatTaken(DomainError):
    """Somebody sits there already."""

    code = "seat_taken"


class SeatsEmpty(DomainError):
    """The match cannot start before every seat is taken."""

    code = "seats_empty"


class UnknownSeat(DomainError):
    """There is no such seat."""

    code = "unknown_seat"


class SeatGone(DomainError):
    """The seat has conceded and takes no more part."""

    code = "seat_gone"


class NotYourTurn(DomainError):
    """The seat has no open choice now."""

    code = "not_your_turn"


class UnknownChoice(DomainError):
    """The choice named is not the open one of this seat."""

    code = "unknown_choice"


class IllegalChoice(DomainError):
    """The picks are well formed, but the rules do not allow them now."""

    code = "illegal_choice"


class IllegalUndo(DomainError):
    """There is nothing to take back, or no undo to answer."""

    code = "illegal_undo"


class IllegalPosition(DomainError):
    """The position cannot stand on a table; every reason is given."""

    code = "illegal_position"


class IllegalMove(DomainError):
    """The named move does not answer the open choice of this seat."""

    code = "illegal_move"
