"""Supply paths against a second implementation, on random boards."""

from __future__ import annotations

import random

import pytest

from kessel.games.korsun44.supply.paths import ANY, free_of, path_length

from . import naive
from .test_09_naive import GERMANS, SOVIETS, random_position


@pytest.mark.parametrize("seed", range(40))
def test_paths_as_found_by_trying_all_ways(seed: int) -> None:
    g = random_position(seed)
    rng = random.Random(seed)
    for name in (*GERMANS, *SOVIETS):
        u = g.forces.unit(name)
        side = g.forces.side[u]
        ends = {h for h in rng.sample(list(g.map.grid.hexes), 3) if free_of(g, side) >> h & 1}
        for across in (False, True):
            starts = sum(1 << h for h in ends)
            found = path_length(g, side, g.place[u], starts, ANY, across=across)
            assert found == naive.trace(g, u, ends, across=across), name
