"""A match as text: the board for a viewer at a version, and what happened last, in words.

Everything comes from the redacted match, so no text can tell more than its viewer may know.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Protocol

from domain.engine.choices import Choice
from domain.engine.events import (
    ChoiceExpired,
    ChoiceMade,
    ChoiceOffered,
    Event,
    LogOpened,
    MatchCreated,
    MatchEnded,
    MatchRestored,
    MatchStarted,
    Outcome,
    SeatConceded,
    SeatFilled,
    TimeRanOut,
    TokenReplaced,
    UndoAnswered,
    UndoAsked,
)
from domain.engine.game import game_of
from domain.engine.ids import Picks, Viewer
from domain.engine.match import Match
from domain.engine.redaction import redact
from service.text import ancient_knowledge, chrononauts, plain
from service.text.frame import listed, pair
from service.text.words import LOCALES, Words

__all__ = ["LOCALES", "Words", "board", "options", "picks", "tell"]


class GameText(Protocol):
    """What a game's module supplies."""

    def lay_out(self, match: Match[Any], words: Words) -> list[str]:
        """Return the lines of the table of a match that has started, already redacted."""

    def tell(self, event: Event, words: Words) -> str:
        """Say what happened."""

    def name_pick(self, pick: str, words: Words) -> str:
        """Name an option that was picked."""


GAMES: dict[str, GameText] = {"ancient_knowledge": ancient_knowledge, "chrononauts": chrononauts}


def board(
    match_id: str,
    match: Match[Any],
    viewer: Viewer,
    words: Words,
    recent: Sequence[tuple[int, Event]] = (),
) -> str:
    """Return the board for a viewer, with events (version, event), already redacted, in words."""
    seen = redact(match, viewer)
    title = words.say(
        "title", game=game_of(match.game).title, match=match_id, version=match.version
    )
    lines = [*pair(title, _eyes(viewer, words)), *_status(seen, words), ""]
    if seen.started:
        lines += GAMES.get(match.game, plain).lay_out(seen, words)
    else:
        for seat, place in enumerate(seen.places):
            player = place.player or words.say("nobody")
            lines += listed(words.seat(seat), (player,), "", 0, 10)
    if recent:
        lines += ["", words.say("last_events")]
        for version, event in recent:
            lines += listed(f"{version:>5}", (tell(match.game, event, words),), "", 0, 7)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def tell(game: str, event: Event, words: Words) -> str:
    """Say what happened."""
    match event:
        case MatchCreated():
            return words.say("match.created", count=event.seats)
        case SeatFilled():
            return words.say("match.seat_taken", player=event.player, seat=words.seat(event.seat))
        case MatchStarted():
            return words.say("match.started")
        case ChoiceOffered():
            seats = words.seats(event.seats)
            if event.prompt is None:
                return words.say("choice.offered_hidden", seats=seats)
            return words.say("choice.offered", seats=seats, prompt=_prompt(event.prompt, words))
        case ChoiceMade():
            return _made(game, event, words)
        case ChoiceExpired():
            return words.say("choice.expired", seats=words.seats(event.seats))
        case TimeRanOut():
            return words.say("match.time_ran_out", seat=words.seat(event.seat))
        case SeatConceded():
            return words.say("match.seat_conceded", seat=words.seat(event.seat))
        case UndoAsked():
            return words.say("match.undo_asked", seat=words.seat(event.seat), version=event.version)
        case UndoAnswered():
            answer = "yes" if event.agreed else "no"
            return words.say(f"match.undo_answered_{answer}", seat=words.seat(event.seat))
        case TokenReplaced():
            if event.seat is None:
                return words.say("match.token_replaced_owner")
            return words.say("match.token_replaced", seat=words.seat(event.seat))
        case LogOpened():
            return words.say("match.log_opened")
        case MatchRestored():
            return words.say(f"match.restored_{event.why}", version=event.version)
        case MatchEnded():
            return _outcome("match.finished", event.outcome, words)
        case _:
            return GAMES.get(game, plain).tell(event, words)


def _eyes(viewer: Viewer, words: Words) -> str:
    if viewer == "all":
        return words.say("viewer_all")
    if viewer is None:
        return words.say("viewer_spectator")
    return words.say("viewer_seat", seat=words.seat(viewer))


def _status(match: Match[Any], words: Words) -> list[str]:
    if match.outcome is not None:
        return [_outcome("over", match.outcome, words)]
    if not match.started:
        return [words.say("open")]
    if not match.asked:
        return []
    seats = words.seats(match.asked)
    if match.prompt is None:
        return [words.say("waiting_hidden", seats=seats)]
    return [words.say("waiting", seats=seats, prompt=_prompt(match.prompt, words))]


def _outcome(key: str, outcome: Outcome, words: Words) -> str:
    reasons = words.reasons(outcome.reasons)
    if outcome.winners:
        return words.say(f"{key}_won", winners=words.seats(outcome.winners), reasons=reasons)
    return words.say(f"{key}_lost", reasons=reasons)


def _prompt(prompt: str, words: Words) -> str:
    key = f"prompt_{prompt}"
    return words.say(key) if words.knows(key) else prompt


def _made(game: str, event: ChoiceMade, words: Words) -> str:
    seat = words.seat(event.seat)
    if event.picks is None:
        return words.say("choice.made_hidden", seat=seat)
    if not event.picks:
        return words.say("choice.made_passed", seat=seat)
    return words.say("choice.made", seat=seat, picks=picks(game, event.picks, words))


def picks(game: str, picked: Picks, words: Words) -> str:
    """Name the options that were picked."""
    return words.join(_pick(game, pick, count, words) for pick, count in Counter(picked).items())


def options(game: str, choice: Choice, words: Words) -> str:
    """Return the lines of an open choice: how many to pick, and each option with its id."""
    lines = [
        words.say(
            "options_exactly" if choice.min == choice.max else "options_between",
            prompt=_prompt(choice.prompt, words),
            min=choice.min,
            max=choice.max,
        )
    ]
    for option in choice.options:
        named = _pick(game, option.id, 1, words)
        said = words.say("option", pick=named, id=option.id)
        if option.limit > 1:
            said = words.say("option_limit", option=said, count=option.limit)
        lines += listed("-", (said,), "", 0, 3)
    if choice.shown:
        lines += listed(words.say("options_shown"), words.cards(choice.shown), "; ", 0, 10)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _pick(game: str, pick: str, count: int, words: Words) -> str:
    verb, _, thing = pick.partition(":")
    if verb == "seat":
        return words.seat(int(thing))
    named = GAMES.get(game, plain).name_pick(pick, words)
    return named if count == 1 else words.say("times", count=count, pick=named)
