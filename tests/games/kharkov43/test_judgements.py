"""What the rules say of units, hexes and combats stays the same."""

from __future__ import annotations

import json

import pytest

from .judgements import FILE, SEEDS, judge

KEPT = json.loads(FILE.read_text())


@pytest.mark.golden
@pytest.mark.parametrize("seed", SEEDS)
def test_judgements_stay_the_same(seed: int):
    found = judge(seed)
    both = sorted(KEPT.keys() & found.keys())
    assert len(both) > 250
    differ = [name for name in both if KEPT[name].split()[seed] != found[name]]
    assert differ == [], "if wanted, write the judgements anew"
