"""Fetch GraphiQL with npm and put it among the pages, without fonts and source maps.

    python -m scripts.vendor_graphiql

Everything stands in its bundles, so nothing is built. The notice names every package inside.
"""

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

TARGET = Path(__file__).resolve().parents[1] / "service" / "pages" / "static" / "graphiql"
PACKAGES = ("graphiql@3.9.0", "react@18.3.1", "react-dom@18.3.1", "graphql@16.15.0")
NOT_INSIDE = {"argparse"}  # of a command line that nobody calls here
FILES = {
    "graphiql/graphiql.min.js": "graphiql.js",
    "graphiql/graphiql.min.css": "graphiql.css",
    "react/umd/react.production.min.js": "react.js",
    "react-dom/umd/react-dom.production.min.js": "react-dom.js",
}
# Fonts are those of the reader; maps are for who changes GraphiQL.
LEFT_OUT = re.compile(r"@font-face\s*\{[^}]*\}|/[/*][#@] sourceMappingURL=[^\n]*")
NOTICE = """GraphiQL, with what is bundled in it; unchanged, but fonts and source maps are left out.
Written by `python -m scripts.vendor_graphiql`. Packages, versions, licences and copyright:

{packages}

The MIT licence

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and
associated documentation files (the "Software"), to deal in the Software without restriction,
including without limitation the rights to use, copy, modify, merge, publish, distribute,
sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial
portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT
NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES
OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN
CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
"""


def main() -> int:
    with tempfile.TemporaryDirectory() as directory:
        install = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", *PACKAGES]
        subprocess.run(install, cwd=directory, check=True)
        modules = Path(directory) / "node_modules"
        for source, name in FILES.items():
            text = LEFT_OUT.sub("", (modules / source).read_text("utf-8"))
            (TARGET / name).write_text(text.strip() + "\n", "utf-8")
        packages = "\n".join(sorted(set(licences(modules))))
        texts = "".join(f"\n{name}\n\n{text}" for name, text in sorted(others(modules)))
        (TARGET / "NOTICE.txt").write_text(NOTICE.format(packages=packages) + texts, "utf-8")
    return 0


def licences(modules: Path) -> Iterator[str]:
    """Yield a line for each package that brings code of its own."""
    for package, text in packages_in(modules):
        owner = next(iter(copyright_lines(text)), "copyright as in its repository")
        yield f"{package['name']} {package['version']} ({package['license']}): {owner}"


def others(modules: Path) -> Iterator[tuple[str, str]]:
    """Yield the licences that are not the MIT licence, by package."""
    for package, text in packages_in(modules):
        if package["license"] != "MIT":
            yield package["name"], text.strip() + "\n"


def packages_in(modules: Path) -> Iterator[tuple[dict[str, str], str]]:
    """Yield what each package says of itself, and its licence."""
    for manifest in modules.rglob("package.json"):
        package = json.loads(manifest.read_text("utf-8"))
        if not {"name", "version", "license"} <= set(package) or "/@types/" in str(manifest):
            continue
        if package["name"] not in NOT_INSIDE:
            texts = [file.read_text("utf-8") for file in manifest.parent.glob("LICEN[CS]E*")]
            yield package, "".join(texts[:1])


def copyright_lines(text: str) -> list[str]:
    return re.findall(r"^[ *]*(Copyright (?:\(c\) )?.*)$", text, re.MULTILINE | re.IGNORECASE)


if __name__ == "__main__":
    sys.exit(main())
