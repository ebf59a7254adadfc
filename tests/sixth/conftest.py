"""The Ford is installed for these tests as any package with a game would be: found by its entry points."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kessel.core import registry


@pytest.fixture(autouse=True)
def ford_installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    here = str(Path(__file__).parent)
    monkeypatch.syspath_prepend(here)
    monkeypatch.setenv("PYTHONPATH", here)
    registry.installed.cache_clear()
    yield
    registry.installed.cache_clear()
