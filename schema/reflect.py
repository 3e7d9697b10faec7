"""Types of ours to types of GraphQL: the only dynamic module.

What goes out: a Struct becomes an object type with the names it is encoded with, a tagged Struct a
member of the union of its tag field, a tuple a list, anything of open shape the scalar `JSON`, and
a number of milliseconds, which does not fit GraphQL's 32-bit `Int`, a scalar of its own. What comes
in: the model of the arguments becomes an input type, or the arguments of a field; their values stay
the plain words that the model then checks, exactly as over REST.

Words out of a fixed list are `String`, not enums: one of them is `true`, which no enum can hold,
and a list that grows then breaks nobody. The description names them.
"""

import types
from collections.abc import Callable, Mapping
from functools import cache, reduce
from inspect import Parameter
from operator import or_
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import strawberry
from msgspec import inspect
from pydantic.fields import FieldInfo
from strawberry.scalars import JSON
from strawberry.types.arguments import StrawberryArgumentAnnotation
from strawberry.types.scalar import ScalarDefinition

from schema.inputs import Arguments
from schema.types import MILLISECONDS, UNIONS


class Milliseconds:
    """Stands for the scalar in annotations."""


SCALARS: Mapping[object, ScalarDefinition] = {
    Milliseconds: strawberry.scalar(
        name="Milliseconds",
        description="A point in time: milliseconds since 1970 UTC.",
        serialize=int,
    ),
}

_PLAIN: Mapping[type, object] = {
    inspect.BoolType: bool,
    inspect.IntType: int,
    inspect.FloatType: float,
    inspect.StrType: str,
    inspect.LiteralType: str,
    inspect.AnyType: JSON,
    inspect.DictType: JSON,
}


def output(annotation: object) -> Any:
    """Return the annotation that gives strawberry the GraphQL type of a result."""
    return _output(inspect.type_info(annotation))


def _output(kind: inspect.Type) -> Any:
    match kind:
        case inspect.Metadata(extra={"scalar": scalar}) if scalar == MILLISECONDS:
            return Milliseconds
        case inspect.Metadata(type=inner):
            return _output(inner)
        case inspect.StructType(cls=cls, tag_field=str(field)):
            return _union(field, (cls,))
        case inspect.StructType(cls=cls):
            return _object(cls)
        case inspect.VarTupleType(item_type=item):
            return list[_output(item)]  # type: ignore[misc] # the item is known only now
        case inspect.UnionType(types=arms):
            return _choice(arms)
        case _:
            return _PLAIN[type(kind)]


def _choice(arms: tuple[inspect.Type, ...]) -> Any:
    present = [arm for arm in arms if not isinstance(arm, inspect.NoneType)]
    tagged = [arm for arm in present if isinstance(arm, inspect.StructType) and arm.tag_field]
    if len(tagged) == len(present):
        field = str(tagged[0].tag_field)
        inner = _union(field, tuple(arm.cls for arm in tagged))
    elif len(present) == 1:
        inner = _output(present[0])
    else:
        inner = JSON
    return inner | None if len(present) < len(arms) else inner


@cache
def _union(field: str, members: tuple[type, ...]) -> Any:
    name = UNIONS[field]
    inner = reduce(or_, [_object(member) for member in members])
    return Annotated[inner, strawberry.union(name, description=f"Told apart by `{field}`.")]


@cache
def _object(struct: type) -> Any:
    info = inspect.type_info(struct)
    assert isinstance(info, inspect.StructType)
    body: dict[str, object] = {"__annotations__": {}, "__doc__": struct.__doc__}
    annotations: dict[str, object] = {}
    if info.tag_field is not None:
        body[info.tag_field] = strawberry.field(_constant(str(info.tag)), name=info.tag_field)
        # A union asks its members which of them a value is.
        body["is_type_of"] = classmethod(lambda cls, value, info: isinstance(value, struct))
    for field in info.fields:
        annotations[field.name] = _output(field.type)
        body[field.name] = strawberry.field(
            name=field.encode_name, description=_words(_literals(field.type))
        )
    body["__annotations__"] = annotations
    return strawberry.type(
        type(struct.__name__, (), body), name=struct.__name__, description=described(struct)
    )


def _constant(value: str) -> Callable[[], str]:
    def constant() -> str:
        return value

    return constant


def _literals(kind: inspect.Type) -> tuple[object, ...]:
    match kind:
        case inspect.LiteralType(values=values):
            return values
        case inspect.UnionType(types=arms):
            return tuple(value for arm in arms for value in _literals(arm))
        case _:
            return ()


def _words(values: tuple[object, ...]) -> str | None:
    return f"One of: {', '.join(str(value) for value in values)}." if values else None


def described(documented: type) -> str:
    """Return the docstring with its lines joined, paragraphs apart."""
    paragraphs = (documented.__doc__ or "").strip().split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def parameters(arguments: type[Arguments], names: Mapping[str, str]) -> list[Parameter]:
    """Return the arguments of a query field: one for each field of the model.

    `names` are those that differ in GraphQL.
    """
    return [
        Parameter(
            names.get(alias(name, field), alias(name, field)),
            Parameter.KEYWORD_ONLY,
            annotation=Annotated[
                _taken(field),
                StrawberryArgumentAnnotation(
                    name=names.get(alias(name, field), alias(name, field)),
                    description=field.description or _words(_allowed(field.annotation)),
                ),
            ],
            default=_default(field),
        )
        for name, field in arguments.model_fields.items()
    ]


@cache
def input_type(arguments: type[Arguments]) -> Any:
    """Return the input type of a mutation; its values arrive as plain dictionaries."""
    annotations: dict[str, object] = {}
    body: dict[str, object] = {"__annotations__": annotations}
    for name, field in arguments.model_fields.items():
        annotations[name] = _taken(field)
        body[name] = strawberry.field(
            name=alias(name, field),
            description=field.description or _words(_allowed(field.annotation)),
            **_default_of(field),
        )
    made: Any = strawberry.input(
        type(arguments.__name__, (), body),
        name=arguments.__name__,
        description=described(arguments),
    )
    made.__strawberry_definition__.from_input = lambda cls, value, context: dict(value)
    return made


def alias(name: str, field: FieldInfo) -> str:
    """Return the name that clients write."""
    return field.alias or name


def _default(field: FieldInfo) -> object:
    """Return the default; none for what must be given, "unset" for what may be null."""
    if field.is_required():
        return Parameter.empty
    value = field.get_default(call_default_factory=True, validated_data={})
    # Introspection cannot print an object as the default of a scalar.
    return strawberry.UNSET if value is None or value == {} else value


def _default_of(field: FieldInfo) -> dict[str, Any]:
    default = _default(field)
    if default is Parameter.empty:
        return {}
    return {"default_factory": lambda: default} if default == [] else {"default": default}


def _taken(field: FieldInfo) -> Any:
    given = _input(field.annotation)
    return given | None if _default(field) is strawberry.UNSET else given


def _input(annotation: object) -> Any:
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _input(inner[0])
    if origin is Literal:
        return str
    if origin is list:
        return list[_input(inner[0])]  # type: ignore[misc] # the item is known only now
    if origin in (Union, types.UnionType):
        present = [arm for arm in inner if arm is not types.NoneType]
        one = _input(present[0]) if len(present) == 1 else JSON
        return one | None if len(present) < len(inner) else one
    if isinstance(annotation, type) and issubclass(annotation, Arguments):
        return input_type(annotation)
    return annotation if annotation in (bool, int, str) else JSON


def _allowed(annotation: object) -> tuple[object, ...]:
    if get_origin(annotation) is Literal:
        return get_args(annotation)
    return tuple(word for inner in get_args(annotation) for word in _allowed(inner))
