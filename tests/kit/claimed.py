"""Tests that are run once more by a test: does one of them fail?"""

import inspect
from collections.abc import Callable, Iterable, Iterator
from itertools import product


def fails(test: Callable[..., None]) -> bool:
    """Tell whether a test fails in one of its cases."""
    cases = list(_cases(test))
    try:
        for arguments in cases:
            test(**arguments)
    except Exception:
        return True
    return False


def _cases(test: Callable[..., None]) -> Iterator[dict[str, object]]:
    """Yield the arguments of every case of a test, as pytest would."""
    axes = [_rows(*mark.args) for mark in getattr(test, "pytestmark", ())]
    for chosen in product(*axes):
        arguments = {name: value for one in chosen for name, value in one.items()}
        assert arguments.keys() == inspect.signature(test).parameters.keys()
        yield arguments


def _rows(names: str | tuple[str, ...], values: Iterable[object]) -> list[dict[str, object]]:
    if isinstance(names, str):
        return [{names: value} for value in values]
    return [dict(zip(names, value, strict=True)) for value in values if isinstance(value, tuple)]
