"""A match as one document in the players' words, and the state that such a document stands for.

The board is in the words of its game. What is pending is told by prompt and seats; the program that
goes on with the answers comes along, since nothing else could say what is half done. A document
without it begins with the decision of the seat whose turn it is.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, get_args, get_origin

import msgspec
from msgspec import Meta, Raw, Struct
from msgspec.structs import replace

from domain.engine.agenda import Run, settle
from domain.engine.codec import codec, encode
from domain.engine.errors import DomainError
from domain.engine.events import Fact
from domain.engine.game import Fault, Layout, game_of
from domain.engine.ids import Json, Picks, Scalar, Seat
from domain.engine.match import Match, State, to_state
from domain.engine.stumbles import STUMBLES

FORMAT: Final = "stele-position"
VERSION: Final = 1
_SEED: Final = "00" * 16  # what is known to everybody may be drawn by a seed known to everybody

SeatNumber = Annotated[int, Meta(ge=0, le=15)]


class Answered(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """What a seat has answered already; no picks: its time was up."""

    seat: SeatNumber
    picks: Picks | None = None


class Pending(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """The open choice: its prompt, who still has to answer, what the others have answered.

    `program` is what remains to be done, as an export writes it.
    """

    prompt: str
    asked: tuple[SeatNumber, ...]
    program: list[Any]  # compact effects, which the codec of the game reads
    answers: tuple[Answered, ...] = ()


class Position(Struct, frozen=True, rename="camel", forbid_unknown_fields=True, kw_only=True):
    """The document. `board` is in the words of the game; `facts` are those of cards replaced."""

    format: Literal["stele-position"] = "stele-position"
    v: Literal[1] = 1
    game: str
    ruleset: int
    seats: Annotated[int, Meta(ge=1, le=16)]
    options: dict[str, Scalar] = {}
    facts: tuple[Fact, ...] = ()
    conceded: tuple[SeatNumber, ...] = ()
    board: dict[str, Any]
    pending: Pending | None = None


def layout_of(game: str) -> Layout[Any]:
    """Return how a game puts its tables into words.

    Raises:
        LookupError: it does not.
    """
    layout = game_of(game).layout
    if layout is None:
        raise LookupError(f"{game} has no positions")
    return layout


def to_position(match: Match[Any]) -> Position:
    """Return the document of a match, at any of its versions but those before the deal."""
    pending = None
    if match.asked:
        pending = Pending(
            prompt=str(match.prompt),
            asked=match.asked,
            program=msgspec.json.decode(match.agenda),
            answers=tuple([Answered(seat, picks) for seat, picks in match.answers]),
        )
    board = layout_of(match.game).to_words(match.board)
    return Position(
        game=match.game,
        ruleset=match.ruleset,
        seats=len(match.places),
        options=match.options,
        facts=match.facts,
        conceded=to_state(match).gone,
        board=msgspec.json.decode(encode(board)),
        pending=pending,
    )


def to_board(position: Position, match: Match[Any]) -> State[Any] | tuple[Fault, ...]:
    """Return the state that a document stands for on a table laid out for it, or its faults.

    These are faults of shape; whether the table can stand so is for `layout.faults` to say.
    """
    layout = layout_of(match.game)
    words, found = converted(position.board, layout.words, "board")
    if found:
        return found
    board = layout.from_words(words, match.board, position.conceded)
    pending = position.pending
    if pending is None:
        return _begun(match, layout, board, position.conceded)
    try:
        agenda = codec(match.game).agenda(codec(match.game).frames(Raw(encode(pending.program))))
        is_read = not _says_more(pending.program, msgspec.json.decode(agenda))
    except STUMBLES:
        is_read = False
    if not is_read:
        return (Fault("pending.program", "is none that an export has written"),)
    return State(
        board=board,
        agenda=agenda,
        prompt=pending.prompt,
        asked=pending.asked,
        answers=tuple([(one.seat, one.picks) for one in pending.answers]),
        gone=position.conceded,
    )


def _says_more(written: Json, read: Json) -> bool:
    """Tell whether a document holds more than what was read out of it."""
    if isinstance(written, list) and isinstance(read, list):
        return len(written) > len(read) or any(map(_says_more, written, read))
    if isinstance(written, dict) and isinstance(read, dict):
        return any(
            key not in read or _says_more(value, read[key]) for key, value in written.items()
        )
    return False


def _begun(
    match: Match[Any], layout: Layout[Any], board: Any, gone: tuple[Seat, ...]
) -> State[Any] | tuple[Fault, ...]:
    state = State(board=board, gone=gone)
    places = tuple(
        [replace(place, conceded=seat in gone) for seat, place in enumerate(match.places)]
    )
    run = Run(replace(match, board=board, places=places, seed=_SEED, salt=_SEED))
    try:
        layout.begin(run)
        settle(run)
    except (DomainError, *STUMBLES):
        # A board that cannot stand is refused for its own faults, all of them.
        return state
    return state if run.match.outcome is not None else to_state(run.match)


def converted(value: Json, kind: Any, path: str) -> tuple[Any, tuple[Fault, ...]]:
    """Return the value as a Struct, or every place at which it is not of its type."""
    try:
        return msgspec.convert(value, kind), ()
    except msgspec.ValidationError as error:
        message = str(error).partition(" - at ")[0]
        return None, tuple(_faults(value, kind, path)) or (Fault(path, _plain(message)),)


def _faults(value: Any, kind: Any, path: str) -> list[Fault]:
    """Go down to the places that are wrong."""
    found: list[Fault] = []
    if isinstance(kind, type) and issubclass(kind, Struct) and isinstance(value, Mapping):
        fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
        for name, field in fields.items():
            place = f"{path}.{name}".lstrip(".")
            if name in value:
                found += converted(value[name], field.type, place)[1]
            elif field.required:
                found.append(Fault(place, "is missing"))
        for name in sorted(value.keys() - fields.keys()):
            found.append(Fault(f"{path}.{name}".lstrip("."), "is unknown"))
    elif get_origin(kind) is tuple and isinstance(value, list):
        for at, item in enumerate(value):
            found += converted(item, get_args(kind)[0], f"{path}[{at}]")[1]
    return found


def _plain(message: str) -> str:
    """Return the complaint with the words of JSON."""
    return message[:1].lower() + message[1:200].replace("`", "")
