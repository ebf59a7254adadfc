"""What is refused, and by which rule, stays the same."""

from __future__ import annotations

import json

import pytest

from .judgements import FILE, SEEDS, judge

KEPT = json.loads(FILE.read_text())


@pytest.mark.golden
@pytest.mark.parametrize("seed", SEEDS)
def test_refusals_stay_the_same(seed: int):
    kept, found = KEPT[str(seed)], judge(seed)
    both = kept.keys() & found.keys()
    assert len(both) > 50
    assert [name for name in sorted(both) if kept[name] != found[name]] == [], "if wanted, write the judgements anew"
