"""Marks name statements that exist; tests/conftest.py refuses any other for the whole run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .conftest import pytest_collection_modifyitems, statements, unknown_marks


class Item:
    """As much of a collected test as the check reads."""

    nodeid = "tests/test_x.py::test_x"

    def __init__(self, *marks: tuple[str, ...]) -> None:
        self.marks = marks

    def iter_markers(self, name: str) -> Iterator[pytest.Mark]:
        assert name == "rule"
        return (getattr(pytest.mark, name)(*args).mark for args in self.marks)


def test_every_game_has_its_statements() -> None:
    for game in ("stalingrad42", "kharkov43", "don42"):
        assert len(statements(game)) > 600


def test_a_known_mark_is_no_error() -> None:
    item = Item(("stalingrad42", "4.1a"), ("stalingrad42", "13.1.3a", "13.1.3b"))
    assert unknown_marks(item) == []  # type: ignore[arg-type]
    pytest_collection_modifyitems([item])  # type: ignore[list-item]


@pytest.mark.parametrize("mark", [("stalingrad42", "13.1.3"), ("stalingrad42",), ("nogame", "1.0")])
def test_an_unknown_mark_stops_the_run(mark: tuple[str, ...]) -> None:
    assert len(unknown_marks(Item(mark))) == 1  # type: ignore[arg-type]
    with pytest.raises(pytest.UsageError, match="has no statement"):
        pytest_collection_modifyitems([Item(("stalingrad42", "4.1a")), Item(mark)])  # type: ignore[list-item]
