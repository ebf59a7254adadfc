"""Zones and reach against second implementations, on random boards."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import pytest

from kessel.core.breakdown import Refusal
from kessel.core.hexset import members
from kessel.core.paths import ALL
from kessel.games.korsun44.board import GERMAN, SOVIET, Board
from kessel.games.korsun44.combat.advance import Advance
from kessel.games.korsun44.combat.retreat import retreat_paths
from kessel.games.korsun44.data.charts import CLASSES, POINT
from kessel.games.korsun44.movement.allowance import allowance
from kessel.games.korsun44.movement.costs import STRATEGIC, TACTICAL, kind_of, prices
from kessel.games.korsun44.movement.search import Party, ways_of
from kessel.games.korsun44.movement.stacking import why_not_stack
from kessel.games.korsun44.movement.zones import zoc_of, zoi_of
from kessel.games.korsun44.units.strength import is_attack_capable

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


@pytest.mark.rule("korsun44", "9.2.2a", "9.2.1.1a", "9.9.1", "9.3a")
@pytest.mark.parametrize("seed", range(12))
def test_steps_cost_what_the_chart_says(seed: int) -> None:
    g = random_position(seed)
    rows = naive.chart()
    kinds = [(0, True), (0, False), (1, False), (2, False)]
    for (cls, swims), strategic in product(kinds, (False, True)):
        table = prices(g, GERMAN, (cls, swims, False, False), strategic)
        for a in g.map.grid.hexes:
            for d, b in enumerate(g.map.grid.neighbours[a]):
                if b < 0:
                    continue
                found = table.step(a, d)
                said = "no" if isinstance(found, Refusal) else "all" if found == ALL else str(Fraction(found, POINT))
                told = naive.step_cost(g, rows, CLASSES[cls], swims, a, d, strategic=strategic)
                assert said == told, (g.hex_name(a), g.hex_name(b), CLASSES[cls], strategic)


@pytest.mark.rule("korsun44", "12.13.1.3", "12.13.1.5b", "12.13.1.5c", "12.13.1.5d", "12.13.1.5e")
@pytest.mark.parametrize("seed", range(30))
def test_retreats_as_found_by_trying_all_ways(seed: int) -> None:
    g = random_position(seed)
    for name in (*GERMANS, *SOVIETS):
        u = g.forces.unit(name)
        for n in (1, 2):
            assert set(retreat_paths(g, u, g.place[u], n)) == naive.retreats(g, u, n), (name, n)


STACKS = (("245.88ID", "II-2.16Pz"), ("64.16Pz", "II-2.16Pz"), ("110.18TkC", "32.18TkC"), ("180.27A", "gun.27A"),
          ("245.88ID", "Art188.88ID"), ("110.18TkC", "1438.18TkC"))  # fmt: skip


@pytest.mark.rule("korsun44", "9.9.4a", "9.9.4b", "9.4.2a", "9.4.2b", "10.3.1.2")
@pytest.mark.parametrize("strategic", [False, True])
@pytest.mark.parametrize("seed", range(15))
def test_stacks_go_where_all_their_units_can(seed: int, strategic: bool) -> None:
    for names in STACKS:
        g = random_position(seed)
        units = tuple(sorted(g.forces.unit(n) for n in names))
        g.put(units[1], g.place[units[0]])
        mode = STRATEGIC if strategic else TACTICAL
        left = min(allowance(g, u, mode).total for u in units) * POINT
        found = ways_of(g, Party(g.forces.side[units[0]], units, mode, left, (0,) * 2, True))
        expected = naive.reach_together(g, units, left, strategic=strategic)
        assert set(found.spent_at) == set(expected), names
        kinds = [found.kinds.index(kind_of(g, u, mode)) for u in units]
        for h, spent in found.spent_at.items():
            assert tuple(spent[k] for k in kinds) in expected[h], (names, g.hex_name(h))


@pytest.mark.rule("korsun44", "12.15.1.3a", "12.15.1.4", "12.15.3", "12.16.2", "12.16.4", "12.16.6", "12.17.2.6")
@pytest.mark.parametrize("result", ["retreat", "breakthrough", "eliminated"])
@pytest.mark.parametrize("seed", range(12))
def test_advances_as_the_text_says(seed: int, result: str) -> None:
    g = random_position(seed)
    rng = random.Random(seed)
    for name in (*GERMANS, *SOVIETS):
        u = g.forces.unit(name)
        side = g.forces.side[u]
        for first in g.map.grid.around[g.place[u]]:
            if g.of_side(first, side):
                continue
            after = g.copy()
            for v in list(after.of_side(first, 1 - side)):
                after.move(v, -1)
            after.changed()
            trail = set(rng.sample(list(g.map.grid.around[first]), 2))
            far = (first,) if result != "retreat" else ()
            wiped = (first,) if result == "eliminated" else ()
            p = Advance(side, (u,), (first,), far, wiped, tuple(trail))
            found = {path for _, path in p.ways(after)}
            told = naive.advances(after, u, first, result, trail)
            told = {path for path in told if why_not_stack(after, side, path[-1], (u,)) is None}
            able = is_attack_capable(after, u)
            assert found == (told if able else set()), (name, g.hex_name(first))
