"""Rules that come upon what they did not make themselves: a table that somebody else has laid out.

`layout.py` refuses what cannot stand. Whatever gets past it, or was stored before it was refused,
must not break more than its own match: the rules stumble, and that is told as a `DomainError`.
"""

from types import TracebackType
from typing import Any, Final

import msgspec

from domain.engine.errors import IllegalPosition
from domain.engine.match import Match

STUMBLES: Final = (
    *(ArithmeticError, AssertionError, AttributeError, LookupError, MemoryError, RuntimeError),
    *(StopIteration, TypeError, ValueError, msgspec.MsgspecError),
)
"""What `evolve` and the rules may raise over something that they did not make themselves."""


class Guarded:
    """Tell a stumble inside this block as `IllegalPosition`, for a match that was laid out.

    Over a match of its own the rules do not stumble: there it is our mistake, and stays one.
    """

    __slots__ = ("_laid",)

    def __init__(self, match: Match[Any]) -> None:
        """Look at where the match comes from."""
        self._laid = match.laid

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End. Raises: IllegalPosition."""
        if self._laid and isinstance(error, STUMBLES):
            raise IllegalPosition("the rules cannot go on from here") from error
