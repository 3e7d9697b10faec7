"""What to ask next: links of the OpenAPI document, from an answer to the request that uses it."""

from typing import Final, NamedTuple

MATCH: Final = "$response.body#/matchId"


class Link(NamedTuple):
    """From the answer of one operation to another; values are runtime expressions of OpenAPI."""

    origin: str
    name: str
    target: str
    doc: str
    body: object = None


LINKS: tuple[Link, ...] = (
    Link(
        "createMatch",
        "takeFirstSeat",
        "takeSeat",
        "Sit down with the first invite.",
        {"invite": "$response.body#/invites/0/invite"},
    ),
    Link("createMatch", "seatBot", "takeSeat", "Let a bot sit down.", {"bot": "greedy"}),
    Link("createMatch", "match", "match", "Look at the new match."),
    Link("importMatch", "match", "match", "Look at the match taken in."),
    Link("takeSeat", "match", "match", "See the board from the seat."),
    Link("takeSeat", "legalMoves", "legalMoves", "Ask what the seat may do."),
    Link("takeSeat", "startMatch", "startMatch", "Start, once all seats are taken."),
    Link(
        "legalMoves",
        "firstMove",
        "move",
        "Send the first legal move.",
        "$response.body#/moves/0/body",
    ),
    Link("match", "legalMoves", "legalMoves", "Ask what the seat may do."),
    Link("match", "events", "events", "Read what has happened."),
    Link("match", "exportLog", "exportLog", "Take the log home."),
    Link("move", "legalMoves", "legalMoves", "Ask what the seat may do next."),
    Link("move", "events", "events", "Read what has happened since."),
)


def links_from(origin: str) -> dict[str, dict[str, object]]:
    """Return the links of an operation's answer, by their names."""
    return {
        link.name: {
            "operationId": link.target,
            "description": link.doc,
            "parameters": {"matchId": MATCH},
            **({} if link.body is None else {"requestBody": link.body}),
        }
        for link in LINKS
        if link.origin == origin
    }
