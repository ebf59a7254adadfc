"""The library of every game: charts whose rows fit their heads, and all its rules."""

from __future__ import annotations

import re

import pytest

from kessel.core.library import library_of
from kessel.core.pack import Pack
from kessel.core.registry import GAMES, installed
from kessel.core.rules import statements
from kessel.core.title import title


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


@pytest.mark.parametrize("game", sorted(set(installed(GAMES)) - {"kharkov43"}))
def test_every_result_of_the_combat_tables_has_words(game: str) -> None:
    pack, t = Pack(game), title(game)
    cells = {
        (c.id, cell) for c in library_of(pack).charts if c.id.startswith("crt") for row in c.rows for cell in row[1:]
    }
    codes = {(chart, cell) for chart, cell in cells if cell and chart != "crt-ratios"}
    assert codes
    assert not {(chart, cell) for chart, cell in codes if not t.cell(pack, chart, cell)}
