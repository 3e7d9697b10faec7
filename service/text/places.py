"""Who sits where, in words."""

from typing import Any

from domain.engine.ids import Seat
from domain.engine.match import Match
from service.text.frame import listed
from service.text.words import Words


def heading(match: Match[Any], seat: Seat, turn: bool, words: Words, column: int) -> list[str]:
    """Return the line above what lies before a seat; while it has the `turn`, it is marked."""
    place = match.places[seat]
    mark = ">" if turn and match.outcome is None else " "
    who = [place.player or ""]
    if place.bot is not None:
        who.append(words.say("bot", bot=place.bot))
    if place.conceded:
        who.append(words.say("gone"))
    return listed(f"{mark} {words.seat(seat)}", who, words.say("comma"), 0, column)
