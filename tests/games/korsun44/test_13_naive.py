"""Supply paths against a second implementation, on random boards."""

from __future__ import annotations

import random

import pytest

from kessel.games.korsun44.board import Board
from kessel.games.korsun44.supply.determination import supply_of
from kessel.games.korsun44.supply.markers import traced
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


SDMS = ("SDM1.42K", "SDM.16Pz", "SDM1.27A", "SDM2.27A")


def with_network(seed: int) -> Board:
    """A random board with sources in two corners and SDMs on roads."""
    g = random_position(seed)
    rng = random.Random(seed * 7 + 1)
    hexes = list(g.map.grid.hexes)
    g.ground.sources.clear()
    g.ground.sources.update({"1PzA": 1 << hexes[0] | 1 << hexes[7], "27A": 1 << hexes[-1] | 1 << hexes[-8]})
    roads = [h for h in hexes if g.ground.on_road >> h & 1] or hexes
    for name in SDMS:
        g.steps[g.forces.unit(name)] = 1
        g.place_sdm(g.forces.unit(name), rng.choice(roads))
    g.changed()
    return g


@pytest.mark.rule("korsun44", "13.2.1c", "13.2.1d", "14.2.1", "14.2.3", "14.2.4", "14.2.5")
@pytest.mark.parametrize("seed", range(30))
def test_sdms_trace_and_receive_as_the_text_says(seed: int) -> None:
    g = with_network(seed)
    for name in SDMS:
        s = g.forces.unit(name)
        side, army = (0, "1PzA") if not g.forces.side[s] else (1, "27A")
        theirs = g.hexes_of(1 - side)
        ends = {h for h in g.map.grid.hexes if g.ground.sources[army] >> h & 1 and not theirs >> h & 1}
        card = g.forces.counters[s]
        for h in g.map.grid.hexes:
            if not g.ground.on_road >> h & 1 or theirs >> h & 1:
                continue
            length = naive.road_way(g, side, h, ends)
            found = traced(g, s, h)
            if length is None:
                assert found is None
                continue
            n = max(1, -(-length // card.increments[g.condition]))
            if n > card.capacity + 1:
                assert found is None
            else:
                assert found is not None
                assert (found.length, found.points) == (length, max(0, card.capacity - (n - 1)))


@pytest.mark.rule("korsun44", "13.4.1a", "13.4.1b", "13.4.1c", "13.4.1d")
@pytest.mark.parametrize("seed", range(30))
def test_units_are_in_supply_as_the_text_says(seed: int) -> None:
    g = with_network(seed)
    serves = {"SDM1.42K": "42K", "SDM.16Pz": "16Pz", "SDM1.27A": "27A", "SDM2.27A": "27A"}
    for name in (*GERMANS, *SOVIETS):
        u = g.forces.unit(name)
        if g.forces.role[u] != 0:
            continue
        side = g.forces.side[u]
        most = ((6, 4), (10, 8))[side][g.condition]
        army = ("1PzA", "27A")[side]
        mine = army in g.forces.formations[u]
        theirs = g.hexes_of(1 - side)
        ends = (
            {h for h in g.map.grid.hexes if g.ground.sources[army] >> h & 1 and not theirs >> h & 1} if mine else set()
        )
        lengths = [naive.trace(g, u, ends, across=False)] if ends else []
        own = [g.forces.unit(s) for s, f in serves.items() if f in g.forces.formations[u]]
        own = [s for s in own if traced(g, s, g.sdm_at[s]) is not None]
        lengths += [naive.trace(g, u, {g.sdm_at[s]}, across=True) for s in own]
        inside = any(n is not None and n <= most for n in lengths)
        found = supply_of(g, u)
        assert bool(found.sdms or found.source is not None) == inside, name
