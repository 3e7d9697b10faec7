"""How options are read; what each game says of its own stands with its tests."""

import msgspec
import pytest

from domain.engine import options


class Odd(msgspec.Struct, frozen=True):
    name: str = "x"


def test_an_option_is_a_switch_a_number_or_a_named_value() -> None:
    (field,) = msgspec.inspect.type_info(Odd).fields  # type: ignore[attr-defined]  # a Struct has them
    with pytest.raises(AssertionError, match="option name"):
        options._allowed(field)
