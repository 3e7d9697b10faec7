"""`stele catalogue`: what the cards say, in every language, and the files that change it."""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct
from rich.console import Console
from rich.table import Table
from rich.text import Text

from domain.engine.errors import MalformedCommand
from domain.games import GAMES
from schema.types import CardInfo
from service.catalogue import CatalogueInvalid
from service.catalogue.directory import SETTING, checked, directory
from service.catalogue.listing import cards_in
from service.catalogue.replacements import facts_in
from service.catalogue.tables import parse, write
from service.catalogue.texts import (
    COLUMNS,
    ENGLISH,
    faults_in_use,
    from_translation,
    locales,
    path_of,
    to_translation,
    translation,
)
from service.cli.console import (
    DONE,
    NO,
    Subparsers,
    WrongUsage,
    add_json,
    command,
    print_json,
)
from service.terminal import complain, escaped, put, say

NARROWEST_TABLE = 60
"""Columns of a terminal; below, and where no terminal is, cards are printed as plain lines."""


class Written(Struct, frozen=True):
    """What `export` and `import` answer with `--json`."""

    game: str
    locale: str
    file: str


class Report(Struct, frozen=True):
    """What `check` answers with `--json`."""

    game: str
    locales: tuple[str, ...]
    ok: bool
    problems: tuple[str, ...]


def add_parser(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = command(
        subparsers,
        "catalogue",
        "Show the cards of a game; export, import and check their texts.\n\n"
        "show    print every card\n"
        "export  write the CSV that translators fill in: card,text,source,value\n"
        "import  check such a CSV, and put what differs from the built-in texts in place\n"
        "check   check the texts and facts in use, or such a CSV, and name every fault",
        "stele catalogue export --game chrononauts --locale ja --csv ja.csv",
        run,
    )
    parser.add_argument("action", choices=sorted(ACTIONS), help="what to do")
    parser.add_argument(
        "--game", required=True, choices=[game.name for game in GAMES], help="the game"
    )
    parser.add_argument("--locale", help=f"language (default: {ENGLISH}; check: all of them)")
    parser.add_argument(
        "--csv", type=Path, metavar="FILE", help="the translators' CSV to write, read or check"
    )
    parser.add_argument(
        "--dir", type=Path, help=f"the operator's own catalogue (default: ${SETTING})"
    )
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Carry out the action; name every fault on standard error."""
    try:
        return ACTIONS[arguments.action](arguments)
    except CatalogueInvalid as error:
        return _report(error.faults)
    except MalformedCommand as error:
        raise WrongUsage(error.message) from None


def _report(faults: Sequence[str]) -> int:
    for fault in faults:
        complain(fault)
    return NO if faults else DONE


def show(arguments: argparse.Namespace) -> int:
    """Print every card as a table, or what the operation `cards` answers."""
    answer = cards_in(arguments.game, arguments.locale or ENGLISH, _directory(arguments))
    if arguments.json:
        print_json(answer)
    else:
        _print(answer.cards)
    return DONE


def _print(cards: Sequence[CardInfo]) -> None:
    console = Console()
    if console.is_terminal and console.width >= NARROWEST_TABLE:
        console.print(_table(cards))
        return
    for card in cards:
        say(f"{card.id} ({card.kind})")
        for line in (*_texts(card), *_facts(card)):
            say(f"  {line}")
        say()


def _table(cards: Sequence[CardInfo]) -> Table:
    table = Table(show_lines=True)
    for title in ("card", "text", "facts"):
        # Japanese has no spaces to wrap at, and what does not wrap is cut unless it is folded.
        table.add_column(title, overflow="fold")
    for card in cards:
        columns = ((card.id, card.kind), _texts(card), _facts(card))
        # Text, so that brackets in a text are no markup.
        table.add_row(*(Text("\n".join(map(escaped, lines))) for lines in columns))
    return table


def _texts(card: CardInfo) -> list[str]:
    return [text.value for text in card.texts]


def _facts(card: CardInfo) -> list[str]:
    facts = {"copies": card.count, **card.facts}
    lines = [f"{name}: {_written(value)}" for name, value in facts.items() if value]
    return lines + [f"{name} is {how}" for name, how in card.provenance.items()]


def _written(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def export(arguments: argparse.Namespace) -> int:
    """Write the translators' CSV to the file, or to standard output."""
    locale = arguments.locale or ENGLISH
    data = to_translation(arguments.game, locale, _directory(arguments))
    if arguments.csv is None:
        if arguments.json:
            raise WrongUsage("with --json, say with --csv FILE where the CSV goes")
        put(data)
        return DONE
    _write(arguments.csv, data)
    if arguments.json:
        print_json(Written(arguments.game, locale, str(arguments.csv)))
    return DONE


def import_(arguments: argparse.Namespace) -> int:
    """Check a translators' CSV and put it in place whole, or not at all."""
    if arguments.csv is None or arguments.locale is None:
        raise WrongUsage("an import needs --csv FILE and the --locale that it is in")
    place: Path | None = arguments.dir or directory()
    if place is None:
        raise WrongUsage(f"say with --dir or {SETTING} where the texts go")
    # A directory that does not exist yet is made; there is nothing to read in it.
    where = _directory(arguments) if place.exists() else None
    _check_file(arguments.csv)
    data = from_translation(arguments.game, arguments.locale, arguments.csv, where)
    path = path_of(arguments.game, arguments.locale, place)
    _write(path, data)
    if arguments.json:
        print_json(Written(arguments.game, arguments.locale, str(path)))
    else:
        count = len(parse(str(path), data, COLUMNS).rows)
        texts = "1 text" if count == 1 else f"{count} texts"
        say(f"{texts} replaced in {path}; restart the service to use them")
    return DONE


def check(arguments: argparse.Namespace) -> int:
    """Say whether the catalogue in use, or a translators' CSV, is complete and sound."""
    where = _directory(arguments)
    if arguments.csv is None:
        chosen = (arguments.locale,) if arguments.locale else locales(arguments.game)
        faults = [
            *(fault for locale in chosen for fault in faults_in_use(arguments.game, locale, where)),
            *_faults_of_facts(arguments.game, where),
        ]
    elif arguments.locale is None:
        raise WrongUsage("say with --locale which language the CSV is in")
    else:
        chosen = (arguments.locale,)
        _check_file(arguments.csv)
        _, faults = translation(arguments.game, arguments.locale, arguments.csv, where)
    # A fault of the English table shows up in every language that is checked against it.
    problems = tuple(dict.fromkeys(faults))
    if arguments.json:
        print_json(Report(arguments.game, chosen, not problems, problems))
    elif not problems:
        say(f"{arguments.game}: {', '.join(chosen)}: complete")
    return _report(problems)


def _faults_of_facts(game: str, where: Path | None) -> tuple[str, ...]:
    try:
        facts_in(game, where)
    except CatalogueInvalid as error:
        return error.faults
    return ()


def _directory(arguments: argparse.Namespace) -> Path | None:
    if arguments.dir is None:
        return directory()
    if not arguments.dir.is_dir():
        raise WrongUsage(f"--dir: there is no directory {arguments.dir}; name one, or leave it out")
    return checked(arguments.dir)


def _check_file(path: Path) -> None:
    try:
        path.open("rb").close()
    except OSError as error:
        raise WrongUsage(
            f"--csv: {path} cannot be read ({error.strerror}); name the translators' CSV"
        ) from None


def _write(path: Path, data: bytes) -> None:
    try:
        write(path, data)
    except OSError as error:
        raise WrongUsage(f"{path}: the file cannot be written: {error.strerror}") from None


ACTIONS: dict[str, Callable[[argparse.Namespace], int]] = {
    "show": show,
    "export": export,
    "import": import_,
    "check": check,
}
