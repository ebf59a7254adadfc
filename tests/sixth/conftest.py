"""The Ford is installed for these tests as any package with a game would be: found by its entry points."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kessel.core import registry
from kessel.table import calls_games


@pytest.fixture(autouse=True)
def ford_installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    here = str(Path(__file__).parent)
    monkeypatch.syspath_prepend(here)
    monkeypatch.setenv("PYTHONPATH", here)
    forget()
    yield
    forget()


def forget() -> None:
    """What was found of the installed games, and listed for the page."""
    registry.installed.cache_clear()
    calls_games._games_doc.cache_clear()
    calls_games.packed_games.cache_clear()
