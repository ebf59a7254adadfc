"""The library of every game: charts whose rows fit their heads, and all its rules."""

from __future__ import annotations

import re

import pytest

from kessel.core.library import library_of
from kessel.core.pack import Pack
from kessel.core.registry import GAMES, installed
from kessel.core.rules import statements


@pytest.mark.parametrize("game", sorted(installed(GAMES)))
def test_charts_and_rules_can_be_looked_up(game: str) -> None:
    pack = Pack(game)
    found = library_of(pack)
    assert any(c.id.startswith("terrain") for c in found.charts)
    for chart in found.charts:
        assert chart.rows, chart.id
        assert {len(row) for row in chart.rows} == {len(chart.columns)}, chart.id
        assert chart.provenance in ("stated", "public", "reconstructed"), chart.id
        shown = [chart.title, *chart.columns, *(cell for row in chart.rows for cell in row)]
        assert not [text for text in shown if re.search(r"[a-z]_[a-z]", text)], chart.id
    assert [r.rule for r in found.rules] == [s.rule for s in statements(pack)]
