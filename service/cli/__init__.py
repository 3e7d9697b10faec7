"""The command line `stele`: one module a command, imported when the command is given."""

from service.cli.main import main

__all__ = ["main"]
