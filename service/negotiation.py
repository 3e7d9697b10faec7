"""Which media type a client likes best: what `Accept` says."""

from functools import lru_cache


@lru_cache(maxsize=256)
def choose(accept: str, offers: tuple[str, ...]) -> str | None:
    """Return the offer that the client likes best, the earlier of two equals."""
    best, chosen = 0.0, None
    for offer in offers:
        like = _like(accept, offer)
        if like > best:
            best, chosen = like, offer
    return chosen


def _like(accept: str, offer: str) -> float:
    """Return how much (0 to 1) an Accept header wants a media type; the closest word counts."""
    kind = offer.partition("/")[0]
    likes: dict[str, float] = {}
    for word in accept.lower().split(","):
        name, *parameters = (part.strip() for part in word.split(";"))
        weight = next((part[2:] for part in parameters if part.startswith("q=")), "1")
        try:
            likes[name] = float(weight)
        except ValueError:
            likes[name] = 0.0
    for name in (offer, f"{kind}/*", "*/*"):
        if name in likes:
            return likes[name]
    return 0.0
