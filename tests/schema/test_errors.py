from collections.abc import Iterator

import pytest

from domain.engine.errors import DomainError
from schema.errors import ERRORS, ROWS, ApiError, Malformed, VersionConflict


def tree(reason: type[ApiError | DomainError]) -> Iterator[type[ApiError | DomainError]]:
    for below in reason.__subclasses__():
        if below.__module__.startswith(("domain.", "schema.")):
            yield below
            yield from tree(below)


REASONS = [*tree(ApiError), DomainError, *tree(DomainError)]


def test_the_table_has_every_code_of_both_trees_once() -> None:
    assert sorted(row.code for row in ROWS) == sorted(reason.code for reason in REASONS)
    assert len(ERRORS) == len(ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row.code))
def test_a_row_can_be_answered(row: object) -> None:
    assert isinstance(row, type(ROWS[0]))
    assert 400 <= row.status < 600
    assert row.meaning.endswith(".")
    assert row.doc == f"/docs/errors#{row.code}"


@pytest.mark.parametrize(
    ("code", "status", "retryable"),
    [
        ("malformed", 400, False),
        ("unauthenticated", 401, False),
        ("forbidden", 403, False),
        ("match_not_found", 404, False),
        ("not_your_turn", 409, False),
        ("busy", 409, True),
        ("version_conflict", 412, False),
        ("too_large", 413, False),
        ("wrong_media_type", 415, False),
        ("illegal_move", 422, False),
        ("rate_limited", 429, True),
        ("internal", 500, False),
        ("store_unavailable", 503, True),
    ],
)
def test_clients_may_rely_on(code: str, status: int, retryable: bool) -> None:
    assert (ERRORS[code].status, ERRORS[code].retryable) == (status, retryable)


def test_an_error_keeps_its_words_and_details() -> None:
    error = VersionConflict("the match is at version 18", version=18)
    assert (str(error), error.message, error.detail) == (
        "the match is at version 18",
        "the match is at version 18",
        {"version": 18},
    )


def test_malformed_names_every_fault() -> None:
    error = Malformed("two faults", errors=[{"path": "seats", "message": "too many"}])
    assert error.detail["errors"] == [{"path": "seats", "message": "too many"}]
