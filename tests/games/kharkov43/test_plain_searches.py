"""Movement and supply on crowded boards, against searches written again from the rules, one hex at a time."""

from __future__ import annotations

import heapq
import random
from collections.abc import Iterator

import pytest

from kessel.core.hexes import Hex
from kessel.core.hexset import members
from kessel.games.kharkov43.board import ISOLATED, LIGHT_MUD, OOS, Board
from kessel.games.kharkov43.data.charts import POINT
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.movement.movement import reach_of
from kessel.games.kharkov43.supply.supply import can_trace
from tests.games.kharkov43.playthroughs import crowded_board

RULE = "kharkov43"
ENTER = {"clear": (1, 1), "broken": (1, 2), "marsh": (2, 3), "woods": (2, 3), "town": (1, 1), "city": (1, 1)}
CROSS = {"minor_river": ((0, 1), (1, 2)), "donets": ((1, 2), (2, 4))}
FAR = 99


def around(g: Board, h: Hex) -> Iterator[tuple[Hex, list[str], bool]]:
    """The hexes around with the rivers between and whether a road leads there; not over a blocked hexside."""
    for d, n in enumerate(g.map.grid.neighbours[h]):
        rivers = g.map.side_features(h, d)
        if n >= 0 and "blocked_dniepr" not in rivers:
            yield n, rivers, bool(g.map.links("road")[d] >> h & 1)


def near(g: Board, h: Hex) -> set[Hex]:
    return {n for n in g.map.grid.neighbours[h] if n >= 0}


def controlled(g: Board, side: int, without: Hex = -1) -> set[Hex]:
    found: set[Hex] = set()
    for u in g.on_map_of(side):
        if g.place[u] != without and not g.status[u] & ISOLATED:
            found |= near(g, g.place[u])
    return found


def plain_reach(g: Board, u: int) -> dict[Hex, int]:
    """10 Every hex the unit can get to, with the cheapest cost."""
    side, here, mech = g.forces.side[u], g.place[u], g.is_mech(u)
    zone, towns = controlled(g, 1 - side), set(members(g.towns_of(1 - side)))
    enemies = {g.place[v] for v in g.on_map_of(1 - side)}
    garrisons = set(members(g.garrisons)) if side == GERMAN else set()
    halt = zone | towns | {n for q in garrisons for n in near(g, q)}
    edge = set(members(g.ground.edge(GERMAN))) if side == GERMAN else set()
    found = {here: 0}
    isolated = g.is_isolated(u)
    if g.is_dispersed(u) or (isolated and (mech or here in zone)):
        return found
    most = 1 if isolated else 2 if g.status[u] & OOS and mech else FAR
    budget = g.allowance(u) * POINT
    queue, seen = [(0, 0, here)], set()
    while queue:
        spent, entered, h = heapq.heappop(queue)
        if (h, entered) in seen or (entered and h == here):
            continue
        seen.add((h, entered))
        found[h] = min(spent, budget, found.get(h, spent))  # 10.0: one hex always, for no more than the allowance
        if entered >= most or (entered and h in halt) or spent > budget:
            continue
        for n, rivers, road in around(g, h):
            free = h in edge and n in edge
            if n in enemies or n in garrisons or (isolated and n in towns):
                continue
            if not entered and h in zone and n in zone and not free:
                continue
            extra = POINT if not entered and h in zone else 0
            if road:
                total = spent + extra + POINT
            elif "dniepr" in rivers:
                if entered:
                    continue
                total = budget
            else:
                mud = g.ground_condition == LIGHT_MUD
                price = ENTER[g.map.terrain[n]][mech] + sum(CROSS[r][mud][mech] for r in rivers)
                total = spent + extra + price * POINT
            if total <= budget or not entered:
                heapq.heappush(queue, (total, entered + 1, n))
    return found


def plain_supply(g: Board, h: Hex, side: int, reserve: bool) -> bool:
    """13.1, 13.3 A path of seven hexes, of two over the Dniepr, to the edge or to a road that leads off the map."""
    edge = set(members(g.ground.edge(side)))
    zone = controlled(g, 1 - side, without=h)
    friends = {g.place[u] for u in g.on_map_of(side)} if not reserve else set()
    shut = {g.place[u] for u in g.on_map_of(1 - side)} - {h} | set(members(g.towns_of(1 - side))) | (zone - friends)
    shut |= set(members(g.garrisons)) if side == GERMAN else set()
    todo = [x for x in edge - shut if g.ground.exits >> x & 1]
    led = set(todo)
    while todo:
        for n, _, road in around(g, todo.pop()):
            if road and n not in shut | led:
                led.add(n)
                todo.append(n)
    heads = edge - shut | led
    if h in edge or h in heads:
        return True
    reached = {(h, False)}
    for length in range(1, 8):
        step = set()
        for x, over in reached:
            for n, rivers, road in around(g, x):
                crossing = over or ("dniepr" in rivers and not road)
                if n not in shut and not (crossing and length > 2):
                    step.add((n, crossing))
        if any(n in heads for n, _ in step):
            return True
        reached |= step
    return False


@pytest.mark.rule(RULE, "10.0d")
@pytest.mark.rule(RULE, "10.1a")
@pytest.mark.rule(RULE, "10.31c")
@pytest.mark.parametrize("seed", range(5000, 5020))
def test_every_reach_is_what_a_plain_search_finds(seed: int) -> None:
    g = crowded_board(seed)
    for side in (GERMAN, SOVIET):
        for u in g.on_map_of(side):
            assert dict(reach_of(g, u).cost) == plain_reach(g, u), g.id(u)


@pytest.mark.rule(RULE, "13.1a")
@pytest.mark.rule(RULE, "13.1e")
@pytest.mark.rule(RULE, "13.1j")
@pytest.mark.parametrize("seed", range(5120, 5132))
def test_supply_is_what_a_plain_search_finds(seed: int) -> None:
    g = crowded_board(seed)
    hexes = random.Random(seed).sample(list(g.map.grid.hexes), 12)
    for h in hexes:
        for side, reserve in ((GERMAN, False), (SOVIET, False), (SOVIET, True)):
            assert can_trace(g, h, side, reserve=reserve) == plain_supply(g, h, side, reserve), g.hex_name(h)
