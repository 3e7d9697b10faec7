"""Markdown to HTML: CommonMark with tables; headings get anchors, links to files lead to pages."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from scripts.site.frame import PAGES, Heading, address

_NAMES: Final = {page.name for page in PAGES}
_FILES: Final = {"verify_log.py"}  # what is handed out beside the pages


def rendered(text: str) -> tuple[str, tuple[Heading, ...]]:
    """Return the HTML of a text and its headings of the second level.

    Raises:
        LookupError: it links to a file that is no page.
    """
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = parser.parse(text)
    headings = tuple(_anchored(tokens))
    for token in tokens:
        for inner in token.children or ():
            if inner.type == "link_open":
                inner.attrSet("href", target(str(inner.attrGet("href"))))
    html: str = parser.renderer.render(tokens, parser.options, {})
    # A wide table scrolls by itself, not the page.
    html = html.replace("<table>", '<div class="wide"><table>')
    return html.replace("</table>", "</table></div>"), headings


def target(link: str) -> str:
    """Return where a link leads on the pages."""
    if link in _FILES:
        return address(link)
    file, mark, anchor = link.partition("#")
    if not file.endswith(".md") or "://" in link:
        return link
    name = file.removesuffix(".md")
    if name not in _NAMES:
        raise LookupError(f"{link}: there is no page of that name")
    return address(name) + mark + anchor


def slug(text: str) -> str:
    """Return the anchor of a heading."""
    return "-".join(re.findall(r"[a-z0-9_]+", text.lower()))


def _anchored(tokens: Sequence[Token]) -> list[Heading]:
    """Give every heading its anchor; return those of the second level."""
    found = []
    for opening, inline in pairwise(tokens):
        if opening.type != "heading_open":
            continue
        words = "".join(one.content for one in inline.children or ())
        opening.attrSet("id", slug(words))
        if opening.tag == "h2":
            found.append(Heading(slug(words), words))
    return found
