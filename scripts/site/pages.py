"""All pages: the file that each becomes, by its name."""

import json
from pathlib import Path

from schema.openapi import build_openapi
from schema.shapes import build_shapes
from scripts.site import reference
from scripts.site.frame import PAGES, framed
from scripts.site.markdown import rendered
from scripts.site.sdl import graphql


def site(docs: Path, sdl: str, errors: str, matrix: str) -> dict[str, str]:
    """Return the pages by file name; `docs` holds the Markdown of those that are not made."""
    shapes = build_shapes()
    # Through JSON, so that the tuples of the models are lists.
    made = {
        "rest": reference.rest(json.loads(json.dumps(build_openapi()))),
        "events": reference.events(shapes),
        "graphql": graphql(sdl),
        "errors": rendered(errors),
        "authorisation": rendered(matrix),
    }
    pages = {
        f"{page.name}.html": framed(
            page,
            *(
                made[page.name]
                if page.name in made
                else rendered((docs / f"{page.name}.md").read_text("utf-8"))
            ),
        )
        for page in PAGES
    }
    return {
        **pages,
        "events.json": json.dumps(shapes, ensure_ascii=False) + "\n",
        # Text, not a module of the service.
        "verify_log.py.txt": (docs / "verify_log.py").read_text("utf-8"),
    }
