"""What a client likes best: what `Accept` and `Accept-Encoding` say."""

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


@lru_cache(maxsize=256)
def takes(accept: str, coding: str) -> bool:
    """Tell whether an Accept-Encoding header wants a coding."""
    likes = _likes(accept)
    return likes.get(coding, likes.get("*", 0.0)) > 0


def _like(accept: str, offer: str) -> float:
    """Return how much (0 to 1) an Accept header wants a media type; the closest word counts."""
    kind = offer.partition("/")[0]
    likes = _likes(accept)
    for name in (offer, f"{kind}/*", "*/*"):
        if name in likes:
            return likes[name]
    return 0.0


def _likes(header: str) -> dict[str, float]:
    likes: dict[str, float] = {}
    for word in header.lower().split(","):
        name, *parameters = (part.strip() for part in word.split(";"))
        weight = next((part[2:] for part in parameters if part.startswith("q=")), "1")
        try:
            likes[name] = float(weight)
        except ValueError:
            likes[name] = 0.0
    return likes
