"""`stele openapi` and `stele sdl`: the contract in both its forms."""

import argparse
import json
from importlib.resources import files

from service.cli.console import DONE, Subparsers, command
from service.terminal import show


def add_parser(subparsers: Subparsers) -> None:
    """Add both commands."""
    command(
        subparsers,
        "openapi",
        "Print the OpenAPI document of the REST interface, as JSON.",
        "stele openapi > openapi.json",
        openapi,
    )
    command(
        subparsers,
        "sdl",
        "Print the GraphQL schema in its definition language.",
        "stele sdl > schema.graphql",
        sdl,
    )


def openapi(_: argparse.Namespace) -> int:
    """Print what `/openapi.json` answers."""
    from schema.openapi import build_openapi  # it loads the whole of GraphQL

    show(json.dumps(build_openapi(), indent=2, ensure_ascii=False) + "\n")
    return DONE


def sdl(_: argparse.Namespace) -> int:
    """Print the generated schema, which a check keeps current."""
    show((files("schema") / "schema.graphql").read_text(encoding="utf-8"))
    return DONE
