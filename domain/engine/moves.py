"""Everything that answers an open choice: the named moves of its game, then `choose` for the rest.

So whoever has to choose finds something to send, in every game and for every question.
"""

from collections.abc import Iterator
from typing import Any, Final

from msgspec.structs import replace

from domain.engine.choices import Choice, answers
from domain.engine.game import Domain, Move, Refused, game_of
from domain.engine.ids import Json, Picks
from domain.engine.match import Match
from domain.engine.stumbles import Guarded

CHOOSE: Final = "choose"


def all_moves(match: Match[Any], choice: Choice) -> tuple[Move, ...]:
    """Return the moves that answer a choice, complete and ready to send; there is at least one.

    Named moves come first. `choose` follows for every answer that none of them begins with; where
    several options are picked and the game names moves, a domain of theirs holds every answer.

    Raises:
        IllegalPosition: the match was laid out, and the rules cannot tell what they allow.
    """
    with Guarded(match):
        return _all_moves(match, choice)


def refusals(match: Match[Any], choice: Choice) -> tuple[Refused, ...]:
    """Return the named moves that do not answer a choice, and why not.

    Raises:
        IllegalPosition: the match was laid out, and the rules cannot tell what they allow.
    """
    with Guarded(match):
        return tuple(game_of(match.game).refused(match, choice))


def _all_moves(match: Match[Any], choice: Choice) -> tuple[Move, ...]:
    named = game_of(match.game).moves(match, choice)
    begun = {move.steps[0] for move in named}
    rest = [] if named and choice.max > 1 else [*_some(choice)]
    if choice.min == 0:
        rest.append(_choose(choice, ()))
    return (*named, *(move for move in rest if move.steps[0] not in begun))


def _some(choice: Choice) -> Iterator[Move]:
    """Yield every answer that picks something: one by one, or as a domain."""
    if choice.max <= 1:
        one_by_one = choice.options if choice.max else ()
        yield from (_choose(choice, (option.id,)) for option in one_by_one)
        return
    least = max(1, choice.min)
    limits = tuple(option.limit for option in choice.options)
    ids = tuple(option.id for option in choice.options)
    domain = Domain(source=ids, limits=limits, min=least, max=choice.max)
    domains = {"picks": domain} if least < sum(limits) else {}
    yield _choose(choice, next(answers(replace(choice, min=least))), domains)


def _choose(choice: Choice, picks: Picks, domains: dict[str, Domain] | None = None) -> Move:
    arguments: dict[str, Json] = {"choice": choice.id, "picks": picks}
    return Move(CHOOSE, arguments, (picks,), domains or {})
