"""Zones and reach against second implementations, on random boards."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import pytest

from kessel.core.hexset import members
from kessel.games.korsun44.board import GERMAN, SOVIET, Board
from kessel.games.korsun44.data.charts import POINT
from kessel.games.korsun44.movement.allowance import allowance
from kessel.games.korsun44.movement.costs import TACTICAL
from kessel.games.korsun44.movement.search import Party, ways_of
from kessel.games.korsun44.movement.zones import zoc_of, zoi_of

from . import naive
from .helpers import board, disc, position, unit

GERMANS = ("245.88ID", "246.88ID", "Fus.88ID", "II-2.16Pz", "64.16Pz", "Art188.88ID", "Flak.16Pz", "Alarm1")
SOVIETS = ("180.27A", "206.27A", "110.18TkC", "32.18TkC", "1438.18TkC", "gun.27A", "AT1.27A", "54FAa.27A")


def random_position(seed: int) -> Board:
    rng = random.Random(seed)
    hexes = disc(4)
    terrain = {x: rng.choice(["woods", "forest", "town"]) for x in rng.sample(hexes, 14)}
    sides: dict[str, str] = {}
    roads: list[tuple[str, str]] = []
    for x in hexes:
        q, r = map(int, x.split(","))
        for dq, dr in ((0, 1), (1, 0), (1, -1)):
            y = f"{q + dq},{r + dr}"
            if y not in hexes:
                continue
            if rng.random() < 0.3:
                sides[f"{x}|{y}"] = rng.choice(["river", "stream", "swamp", "river"])
            if rng.random() < 0.25:
                roads.append((rng.choice(["primary", "secondary", "trail", "railroad"]), f"{x} {y}"))
    places = rng.sample(hexes, len(GERMANS) + len(SOVIETS))
    units: list[dict[str, Any]] = []
    for name, at in zip((*GERMANS, *SOVIETS), places, strict=True):
        status = rng.choice([[], [], [], ["disorganized"], ["regroup"], ["OOS1"]])
        units.append(unit(name, at, status=status))
    g = position(*units, on=board(4, terrain=terrain, sides=sides, roads=roads), ground=rng.choice(["Frozen", "Mud"]))
    for name in (*GERMANS, *SOVIETS):
        u = g.forces.unit(name)
        g.set_steps(u, rng.randint(1, g.forces.full_steps[u]))
    for i in range(len(g.ground.bridges)):
        if rng.random() < 0.2:
            g.set_bridge(i, 1)
    return g


@pytest.mark.parametrize("seed", range(25))
def test_zones_as_found_hex_by_hex(seed: int) -> None:
    g = random_position(seed)
    for side in (GERMAN, SOVIET):
        zoc, zoi = naive.zones(g, side)
        assert set(members(zoc_of(g, side))) == zoc
        assert set(members(zoi_of(g, side))) == zoi


@pytest.mark.parametrize("seed", range(25))
def test_reach_as_found_by_trying_all_ways(seed: int) -> None:
    g = random_position(seed)
    for name in (*GERMANS, *SOVIETS):
        u = g.forces.unit(name)
        left = allowance(g, u).total * POINT
        found = ways_of(g, Party(g.forces.side[u], (u,), TACTICAL, left, (0,), True))
        expected = naive.reach(g, u, left)
        assert set(found.spent_at) == set(expected), name
        cheap = {h: c for h, c in expected.items() if c <= left}
        assert {h: found.spent_at[h][0] for h in cheap} == cheap, name
        for h in found.spent_at:
            path = (g.place[u], *found.path(h))
            assert all(g.map.grid.adjacent(a, b) for a, b in pairwise(path))
