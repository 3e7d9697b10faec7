"""A schema whose handlers the tests choose."""

from collections.abc import Mapping

from schema.graphql import Api, Handler, build_schema
from schema.operations import OPERATIONS


class Reports:
    """Keeps the mistakes that a schema reported."""

    def __init__(self) -> None:
        self.seen: list[BaseException] = []

    def __call__(self, error: BaseException) -> str:
        self.seen.append(error)
        return f"incident-{len(self.seen)}"


async def unexpected(principal: object, arguments: object) -> object:
    raise AssertionError("this operation was not to be called")


def schema(
    handlers: Mapping[str, Handler], reports: Reports | None = None, introspection: bool = False
) -> Api:
    every = {row.name: unexpected for row in OPERATIONS}
    return build_schema({**every, **handlers}, reports or Reports(), introspection)
