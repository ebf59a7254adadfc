"""What holds for all tests. A rule mark that names no statement of its game's list is an error of the whole run."""

from __future__ import annotations

import csv
import gc
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("kessel", deadline=None)  # a busy machine is no fault
settings.load_profile("kessel")

gc.disable()  # what is made while tests are collected stays

GAMES = Path(__file__).resolve().parents[1] / "src" / "kessel" / "games"


@cache
def statements(game: str) -> frozenset[str]:
    path = GAMES / game / "pack" / "rules.csv"
    if not path.exists():
        return frozenset()
    with path.open(newline="") as lines:
        return frozenset(row["rule"] for row in csv.DictReader(lines))


def unknown_marks(item: pytest.Item) -> list[str]:
    """The rule marks of a test that name nothing."""
    return [
        f"{item.nodeid}: {mark.args[0]} has no statement {number}"
        for mark in item.iter_markers("rule")
        for number in mark.args[1:] or ("(none named)",)
        if number not in statements(mark.args[0])
    ]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    unknown = [line for item in items for line in unknown_marks(item)]
    if unknown:
        raise pytest.UsageError(*unknown[:20])


def pytest_collection_finish() -> None:
    """From here on; and it need not walk through all tests and modules again and again: they stay to the end."""
    gc.freeze()
    gc.enable()
    gc.set_threshold(20_000, 20, 20)
