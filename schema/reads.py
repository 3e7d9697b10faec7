"""What reads about matches answer: lists of them, why something happened, matches in words."""

from typing import Literal

from schema.types import EventView, Json, Milliseconds, Wire


class MatchSummary(Wire, frozen=True):
    """A match in a list; its seats, and how many of them nobody has taken yet."""

    match_id: str
    game: str
    status: Literal["open", "running", "finished"]
    visibility: Literal["public", "private"]
    created_at: Milliseconds
    seats: int
    free_seats: int


class MatchEdge(Wire, frozen=True):
    """A match in a list, and the cursor after which the list goes on."""

    cursor: str
    node: MatchSummary


class PageInfo(Wire, frozen=True):
    """Where a page lies: a search that takes long ends early, then there is a next page."""

    has_next_page: bool
    has_previous_page: bool
    start_cursor: str | None
    end_cursor: str | None


class MatchConnection(Wire, frozen=True):
    """A page of matches, newest first."""

    edges: tuple[MatchEdge, ...]
    page_info: PageInfo


class AnsweredChoice(Wire, frozen=True):
    """The answer that made something happen: prompt and picks where this viewer may see them."""

    version: int
    seat: int
    prompt: str | None
    picks: tuple[str, ...] | None


class Explanation(Wire, frozen=True):
    """Why an event happened.

    `rule` is a paragraph of the rules (`/docs/rules/{game}#rule-{rule}`) and `ruleTitle` what it is
    about; `card` is the card whose effect it was, if this viewer sees that card; `answer` is the
    choice answered; `text` says all of it in words.
    """

    match_id: str
    event: EventView
    rule: str | None
    rule_title: str | None
    card: str | None
    answer: AnsweredChoice | None
    text: str


class Description(Wire, frozen=True):
    """A match in words, line by line: board, the own options, the last events."""

    match_id: str
    version: int
    locale: str
    text: str


class PositionDocument(Wire, frozen=True):
    """A `stele-position`: the full state of a match, with a JSON Schema for each game (`games`).

    `board` holds every zone in the words of the game, decks in order; `pending` is the open choice,
    with the program that goes on with its answers, `null` where nobody has to choose.
    """

    format: Literal["stele-position"]
    v: int
    game: str
    ruleset: int
    seats: int
    options: Json
    facts: Json
    conceded: tuple[int, ...]
    board: Json
    pending: dict[str, Json] | None
