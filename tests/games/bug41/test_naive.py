"""Zones, reach, command and supply against slow versions of the same rules on random boards."""

from __future__ import annotations

import pytest

from kessel.core.hexset import members
from kessel.games.bug41.movement.reach import Group, ways_of
from kessel.games.bug41.movement.zones import is_in_zone_of, zone_of
from kessel.games.bug41.supply.command import command_distance
from kessel.games.bug41.supply.supply import in_supply

from . import naive

SEEDS = range(60)


@pytest.mark.parametrize("seed", SEEDS)
def test_zones_command_and_supply(seed: int) -> None:
    g = naive.random_board(seed)
    for side in naive.SIDES:
        expected = naive.zone(g, side)
        assert set(members(zone_of(g, side))) == expected
        single = {h for u in g.forces.of_side(side) for h in g.map.grid.hexes if is_in_zone_of(g, u, h)}
        assert single == expected
    for u in range(len(g.forces)):
        if g.forces.hq[u]:
            assert in_supply(g, u) == naive.supplied(g, u)
        else:
            assert command_distance(g, u) == naive.command(g, u)


@pytest.mark.parametrize("seed", SEEDS)
def test_reach(seed: int) -> None:
    g = naive.random_board(seed)
    for u in range(len(g.forces)):
        if g.forces.hq[u]:
            continue
        ways = ways_of(g, Group((u,)))
        assert {h: s[0] for h, s in ways.spent.items()} == naive.reach(g, u)
        for h in ways.spent:
            path = ways.path(h)
            assert path[-1] == h
            assert all(g.map.grid.adjacent(a, b) for a, b in zip((g.place[u], *path), path, strict=False))
