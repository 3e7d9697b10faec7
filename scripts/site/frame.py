"""What is around the text of every page: head, list of pages, list of headings; no script."""

from html import escape
from typing import Final, NamedTuple


class Page(NamedTuple):
    """A page: its address below `/docs`, its name in the list, what it is for."""

    name: str
    title: str
    about: str


PAGES: Final[tuple[Page, ...]] = (
    Page("index", "Start", "What there is to read"),
    Page("first-use", "First use", "A match from the command line, with curl and GraphQL"),
    Page("api", "The API", "Tokens, moves, versions, repeats, errors"),
    Page("identity", "Identity", "Roles, tokens, accounts; what is lost and what ends"),
    Page("authorisation", "Authorisation", "Who may call what, in which state of a match"),
    Page("rest", "REST reference", "Every operation over REST"),
    Page("graphql", "GraphQL reference", "Every field, argument and type"),
    Page("events", "Events", "What is in an event, type by type"),
    Page("errors", "Errors", "Every code, and what to do about it"),
    Page("live", "Live feeds", "Subscriptions, streams and long polls"),
    Page("webhooks", "Webhooks", "Be told when a turn begins"),
    Page("mobile", "Mobile clients", "Bad networks, lost phones, small answers"),
    Page("rules/chrononauts", "Rules of Chrononauts", "Paragraph by paragraph, as played here"),
    Page("rules/ancient_knowledge", "Rules of Ancient Knowledge", "The same of the other game"),
    Page("catalogue", "Catalogue of cards", "Facts, texts and effects of cards"),
    Page("logs", "Logs", "The portable log and how to check it"),
    Page("settings", "Running the service", "Settings, and what happens when things fail"),
)


class Heading(NamedTuple):
    """A heading of the second level, to be listed."""

    anchor: str
    text: str


def framed(page: Page, body: str, headings: tuple[Heading, ...] = ()) -> str:
    """Return the whole page around its text, which is HTML already."""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(page.title)} – Stele</title>
<link rel="icon" href="/docs/static/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/static/style.css">
</head>
<body>
<a class="skip" href="#text">Skip to the text</a>
<header>
<a class="name" href="/docs">Stele</a> <span>for card games with hidden information</span>
</header>
<div class="columns">
<nav aria-label="Pages">
<ul>
{_list(page)}
</ul>
</nav>
<main id="text">
{body.strip()}
</main>
{_contents(headings)}</div>
</body>
</html>
"""


def address(name: str) -> str:
    """Return the address of a page."""
    return "/docs" if name == "index" else f"/docs/{name}"


def _list(current: Page) -> str:
    def item(page: Page) -> str:
        here = ' aria-current="page"' if page == current else ""
        link = f'<a href="{address(page.name)}"{here}>{escape(page.title)}</a>'
        return f"<li>{link}</li>"

    return "\n".join(map(item, PAGES))


def _contents(headings: tuple[Heading, ...]) -> str:
    if len(headings) < 3:
        return ""
    items = "\n".join(
        f'<li><a href="#{escape(one.anchor)}">{escape(one.text)}</a></li>' for one in headings
    )
    return f'<nav class="contents" aria-label="On this page">\n<ul>\n{items}\n</ul>\n</nav>\n'
