"""Compare the catalogue, card by card and fact by fact, with a folder of researched facts.

    python -m scripts.compare_catalogue DIR

DIR holds a folder for each game. Every difference is a line, and the exit code is then 1. The
catalogue has to say how sure it is as well: what is `confirmed` there has no provenance here, what
is `unknown` there is a stand-in here.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import msgspec

from scripts.compared.ancient_knowledge import ancient_knowledge
from scripts.compared.chrononauts import chrononauts
from scripts.compared.facts import Fact

GAMES: Mapping[str, Callable[[Path], Iterator[Fact]]] = {
    "chrononauts": chrononauts,
    "ancient_knowledge": ancient_knowledge,
}


def differences(folder: Path) -> tuple[int, list[str]]:
    """Return how many facts agree, and a line for each that does not."""
    passed, lines = 0, []
    for name, facts in GAMES.items():
        for of, wanted, found in facts(folder / name):
            if wanted == found:
                passed += 1
            else:
                lines.append(f"{name}: {of}: the folder says {wanted}, the catalogue {found}")
    return passed, lines


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("usage: python -m scripts.compare_catalogue DIR", file=sys.stderr)
        return 2
    try:
        passed, lines = differences(Path(arguments[0]))
    except (OSError, msgspec.MsgspecError) as error:
        print(f"compare_catalogue: {error}; name a folder of researched facts", file=sys.stderr)
        return 2
    for line in lines:
        print(line)
    print(f"{passed} passed, {len(lines)} failed")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
