"""Markdown to HTML: CommonMark with tables; headings get anchors, links to files lead to pages."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from scripts.site.frame import PAGES, Heading, address

_NAMES: Final = {page.name for page in PAGES}
_PARAGRAPH: Final = re.compile(r"(?:OQ-)?\d+(?:\.\d+)*")
_FILES: Final = {"verify_log.py"}  # what is handed out beside the pages


def rendered(text: str) -> tuple[str, tuple[Heading, ...]]:
    """Return the HTML of a text and its headings of the second level.

    Raises:
        LookupError: it links to a file that is no page.
    """
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = parser.parse(text)
    headings = tuple(_anchored(tokens))
    _number(tokens)
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


def _number(tokens: Sequence[Token]) -> None:
    """Give every paragraph of the rules its anchor, `rule-6.1`: where a column "rules" names it.

    The first place counts: tables of paragraphs come before those of options.
    """
    seen: set[str] = set()
    columns: list[str] = []
    column = 0
    for opening, inline in pairwise(tokens):
        if opening.type == "table_open":
            columns = []
        elif opening.type == "tr_open":
            column = 0
        elif opening.type == "th_open":
            columns.append(inline.content)
        elif opening.type == "td_open":
            if columns[column] == "rules":
                inline.children = list(_marked(inline.content, seen))
            column += 1


def _marked(text: str, seen: set[str]) -> Iterator[Token]:
    """Yield the text with an anchor around each paragraph that has none yet."""
    at = 0
    for found in _PARAGRAPH.finditer(text):
        if found[0] not in seen:
            seen.add(found[0])
            yield Token("text", "", 0, content=text[at : found.start()])
            yield Token("html_inline", "", 0, content=f'<span id="rule-{found[0]}">')
            yield Token("text", "", 0, content=found[0])
            yield Token("html_inline", "", 0, content="</span>")
            at = found.end()
    yield Token("text", "", 0, content=text[at:])
