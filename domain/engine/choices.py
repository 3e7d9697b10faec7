"""Every decision of every game is a choice: pick between `min` and `max` of these options.

An answer is a bounded multiset: each option may be picked up to its `limit`, and the number of
picks lies between `min` and `max`. That covers pick one, pick some, yes or no (`min` 0), and the
distribution of tokens (`limit` = tokens there). Orders are successive single picks. Legality is a
matter of counting, so `is_legal` is linear and `answers` can be lazy.
"""

from collections.abc import Iterator

from msgspec import Struct

from domain.engine.ids import CardId, OptionId, Picks, Seat


class Option(Struct, frozen=True, rename="camel"):
    """One pickable thing; `card` is the card it stands for, if it stands for one.

    `hint` tells the chooser what the rules know already: a price, or that it would do nothing.
    """

    id: OptionId
    limit: int = 1
    card: CardId | None = None
    hint: str | None = None


class Offer(Struct, frozen=True, gc=False):
    """What a question offers one seat.

    `always` asks even where there is nothing to pick; `shown` are cards that the seat may look at
    while it chooses, in catalogue order, never in the order in which they lie.
    """

    options: tuple[Option, ...]
    min: int = 1
    max: int = 1
    always: bool = False
    shown: tuple[CardId, ...] = ()


class Choice(Struct, frozen=True, rename="camel"):
    """The open choice of one seat.

    `id` is the version at which it was offered; `prompt` names the question; `source` is the card
    that asks, if a card does; `shown` are cards that only this seat may look at meanwhile.
    """

    id: int
    seat: Seat
    prompt: str
    options: tuple[Option, ...]
    min: int
    max: int
    source: CardId | None = None
    shown: tuple[CardId, ...] = ()


def to_choice(id: int, seat: Seat, prompt: str, offer: Offer, source: CardId | None) -> Choice:
    """Return the choice that an offer makes: bounds cut to what there is to pick."""
    room = sum(option.limit for option in offer.options)
    return Choice(
        id=id,
        seat=seat,
        prompt=prompt,
        options=offer.options,
        min=min(offer.min, room),
        max=min(offer.max, room),
        source=source,
        shown=offer.shown,
    )


def is_legal(choice: Choice, picks: Picks) -> bool:
    """Tell whether the picks answer the choice."""
    if not choice.min <= len(picks) <= choice.max:
        return False
    limits = {option.id: option.limit for option in choice.options}
    return all(picks.count(pick) <= limits.get(pick, 0) for pick in picks)


def answers(choice: Choice) -> Iterator[Picks]:
    """Yield every legal answer once: fewest picks first, options in the order of the choice."""
    for size in range(choice.min, choice.max + 1):
        yield from _multisets(choice.options, size)


def _multisets(options: tuple[Option, ...], size: int) -> Iterator[Picks]:
    if size == 0:
        yield ()
    elif size == 1:
        for option in options:
            yield (option.id,)
    elif options:
        first, rest = options[0], options[1:]
        for count in range(min(first.limit, size), -1, -1):
            for others in _multisets(rest, size - count):
                yield (first.id,) * count + others
