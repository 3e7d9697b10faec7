"""Addresses of the web, as people write them."""

from urllib.parse import urlsplit


def is_url(text: str) -> bool:
    """Say whether a text is a URL of http or https that clients can ask."""
    if not text.isprintable() or " " in text:
        return False  # `urlsplit` passes over some of them
    try:
        parts = urlsplit(text)
        host = (parts.hostname or "").encode("idna")
        return parts.scheme in ("http", "https") and bool(host) and parts.port != 0
    except ValueError:
        return False
