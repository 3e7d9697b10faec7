"""A new match from the state of another one, without what its maker may not know.

Cards that lie face down are dealt anew (`worlds.py`). What others have half decided cannot be dealt
anew: it stands in the agenda and among the answers, and whoever makes a fork may read all of its
log. So a match is forked only where no such thing is under way; whoever forks goes back to there.
"""

import re
from typing import Any

from msgspec.structs import replace

from domain.engine.chance import Chance
from domain.engine.codec import codec
from domain.engine.game import game_of
from domain.engine.ids import Viewer
from domain.engine.match import Match, State, to_state
from domain.engine.worlds import cards_seen, deal_anew

_WORDS = re.compile(r"[A-Za-z0-9_-]+")


def is_forkable(match: Match[Any], viewer: Viewer) -> bool:
    """Tell whether somebody has to choose, and nothing is under way that the viewer may not know.

    Under way are answers that others have given, cards that they have named and picks of theirs
    that the agenda still remembers. For everybody's eyes there is no secret.
    """
    if not match.asked or viewer == "all":
        return bool(match.asked)
    if any(seat != viewer for seat, _ in match.answers):
        return False
    for frame in codec(match.game).frames(match.agenda):
        others = [name for name in frame.bound if "@" in name or frame.seat != viewer]
        if others:
            return False
    decks = game_of(match.game).decks(match.board)
    named = decks.keys() & set(_WORDS.findall(bytes(match.agenda).decode()))
    return named <= cards_seen(match, viewer).keys()


def forked(match: Match[Any], viewer: Viewer, chance: Chance) -> State[Any]:
    """Return the state of a forkable match, with what lies face down for the viewer dealt anew."""
    state = to_state(match)
    return state if viewer == "all" else replace(state, board=deal_anew(match, viewer, chance))
