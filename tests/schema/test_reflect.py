from typing import Annotated, Any, Literal

import msgspec
import pytest
import strawberry
from msgspec import Struct
from pydantic import Field
from strawberry.schema.config import StrawberryConfig

from schema import reflect
from schema.inputs import Arguments
from schema.reflect import SCALARS, described, input_type, output, parameters
from schema.types import Milliseconds


class Round(Struct, frozen=True, tag="round", tag_field="game"):
    """A round board."""

    size: int


class Square(Struct, frozen=True, tag="square", tag_field="game"):
    """A square board."""

    side_: float


class Table(Struct, frozen=True, rename="camel"):
    """A table
    of everything.

    And more.
    """

    board_one: Round | Square
    board_two: Round | Square | None
    zone: tuple[str | None, ...]
    word: Literal["true", "false"] | None
    mixed: int | str
    anything: Any
    mapping: dict[str, int]
    small: Annotated[int, msgspec.Meta(ge=1, description="few")]
    when: Milliseconds


def sdl(kind: object) -> str:
    query = type("Query", (), {"__annotations__": {"it": kind}})
    config = StrawberryConfig(auto_camel_case=False, scalar_map=SCALARS)
    return strawberry.Schema(strawberry.type(query), config=config).as_str()


def test_a_struct_becomes_a_type_with_its_encoded_names() -> None:
    text = sdl(output(Table))
    assert '"""\nA table of everything.\n\nAnd more.\n"""\ntype Table {' in text
    for line in (
        "  boardOne: Board!",
        "  boardTwo: Board",
        "  zone: [String]!",
        '  """One of: false, true."""\n  word: String',
        "  mixed: JSON!",
        "  anything: JSON!",
        "  mapping: JSON!",
        "  small: Int!",
        "  when: Milliseconds!",
        "type Round {\n  size: Int!\n  game: String!\n}",
        "union Board = Round | Square",
    ):
        assert line in text


def test_a_member_of_a_union_tells_itself_apart() -> None:
    def it() -> Any:
        return Square(1.5)

    it.__annotations__ = {"return": output(Round | Square)}
    query = type("Query", (), {"it": strawberry.field(it)})
    schema = strawberry.Schema(
        strawberry.type(query), config=StrawberryConfig(auto_camel_case=False)
    )
    result = schema.execute_sync("{ it { __typename ... on Square { game side_ } } }")
    assert result.data == {"it": {"__typename": "Square", "game": "square", "side_": 1.5}}


class Wish(Arguments):
    """What may be wished for."""

    must_have: str
    nice: Annotated[int, Field(ge=0, description="How many.")] | None = None
    size: Literal["big", "small"] = "small"
    flags: list[bool] = Field(default_factory=list)
    free: dict[str, int] = Field(default_factory=dict)
    either: int | str | None = None


def test_a_model_becomes_an_input() -> None:
    def it(wish: Any) -> str:
        assert wish == {"mustHave": "x", "size": "small", "flags": []}
        return "fine"

    it.__annotations__ = {"wish": input_type(Wish), "return": str}
    query = type("Query", (), {"it": strawberry.field(it)})
    schema = strawberry.Schema(
        strawberry.type(query), config=StrawberryConfig(auto_camel_case=False)
    )
    text = schema.as_str()
    for line in (
        '"""What may be wished for."""\ninput Wish {\n  mustHave: String!\n  nice: Int\n',
        '"""One of: big, small."""\n  size: String! = "small"',
        "  flags: [Boolean!]! = []",
        "  free: JSON",
        "  either: JSON",
    ):
        assert line in text
    assert schema.execute_sync('{ it(wish: {mustHave: "x"}) }').data == {"it": "fine"}


def test_a_model_becomes_arguments() -> None:
    made = parameters(Wish, {"size": "extent"})
    assert [parameter.name for parameter in made] == [
        "mustHave",
        "nice",
        "extent",
        "flags",
        "free",
        "either",
    ]


def test_an_undocumented_type_has_an_empty_description() -> None:
    assert described(type("Bare", (), {})) == ""


def test_a_type_that_no_scalar_carries_is_refused() -> None:
    with pytest.raises(KeyError):
        output(bytes)
    assert reflect.Milliseconds.__doc__ is not None
