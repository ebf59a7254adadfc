"""Distances over the map and quick reaches: a little coarser than the rules, which have the last word."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kessel.core.facts import FOREVER, fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import NO_HEX, Bits, Hex
from kessel.games.bug41.board import Board
from kessel.games.bug41.data.charts import HALF
from kessel.games.bug41.data.forces import GERMAN
from kessel.games.bug41.data.terrain import ALL_POINTS, NO_ENTRY
from kessel.games.bug41.movement.reach import is_boat_step
from kessel.games.bug41.movement.zones import near_units, zone_of
from kessel.wargame.board import other

FAR = 9999
WHOLE_MOVE = 16
"""What a step that takes all points counts in a distance."""


class Step(NamedTuple):
    to: Hex
    off: int
    """Price beside the road; FAR where nobody goes."""
    road: int
    """Price along it; that beside it where there is none."""
    boat: bool


@fact(FOREVER)
def steps(g: Board, motorized: int, boats: bool) -> tuple[tuple[Step, ...], ...]:
    """The ways out of each hex for a class of units."""
    found = []
    for h in range(g.map.grid.size):
        ways = []
        for d, n in enumerate(g.map.grid.neighbours[h]):
            if n == NO_HEX:
                continue
            off = g.ground.step_price(h, d, motorized=bool(motorized), pillbox=True, boat=boats)
            off = FAR if off == NO_ENTRY else WHOLE_MOVE if off == ALL_POINTS else off
            link = g.ground.link_price(h, d, motorized=bool(motorized))
            ways.append(Step(n, off, off if link is None else link, is_boat_step(g, h, d)))
        found.append(tuple(ways))
    return tuple(found)


def field(
    g: Board,
    goals: Iterable[Hex],
    motorized: int,
    side: Side,
    hard: Bits = 0,
    zone: Bits = 0,
    *,
    prices: tuple[int, int, int],
) -> list[int]:
    """Halves of a movement point from every hex to the nearest goal; enemies and boats on the way cost extra."""
    in_hex, in_zone, by_boat = prices
    out = steps(g, motorized, side == GERMAN and not motorized)
    far = [FAR] * g.map.grid.size
    heap = []
    for h in goals:
        far[h] = 0
        heap.append((0, h))
    while heap:
        d, h = heapq.heappop(heap)
        if d > far[h]:
            continue
        extra = in_hex if hard >> h & 1 else in_zone if zone >> h & 1 else 0
        for s in out[h]:
            price = d + extra + (s.off if (zone >> h | zone >> s.to) & 1 else s.road)
            if s.boat:
                price += by_boat
            if price < far[s.to]:
                far[s.to] = price
                heapq.heappush(heap, (price, s.to))
    return far


def quick_reach(g: Board, units: Sequence[Unit], boats: int, *, bonus: bool) -> dict[Hex, int]:
    """The hexes a stack can get to and a measure of the cost: parts of the allowance, for the class that pays most."""
    forces = g.forces
    side, start = forces.side[units[0]], g.place[units[0]]
    enemy = other(side)
    zone, closed, near = zone_of(g, enemy), g.hexes_with_combat_units(enemy), near_units(g, enemy)
    by_boat = side == GERMAN and len(units) <= boats and not any(forces.motorized[u] for u in units)
    kinds = []
    for kind in (0, 1):
        some = [forces.ma[u] for u in units if forces.motorized[u] == kind]
        if some:
            extra = g.numbers.movement.leg_bonus if bonus and not kind and not near >> start & 1 else 0
            kinds.append((steps(g, kind, by_boat), (min(some) + extra) * HALF))
    found: dict[Hex, int] = {start: 0}
    heap = [(0, start)]
    while heap:
        spent, h = heapq.heappop(heap)
        if spent > found[h] or (h != start and zone >> h & 1):
            continue
        for ways in zip(*(out[h] for out, _ in kinds), strict=False):
            n = ways[0].to
            if closed >> n & 1 or (h == start and zone >> h & zone >> n & 1) or (ways[0].boat and h != start):
                continue
            slow = (zone >> h | zone >> n) & 1
            part = max((w.off if slow else w.road) * 1000 // most for w, (_, most) in zip(ways, kinds, strict=True))
            after = spent + part
            if after <= 1000 and after < found.get(n, FAR):
                found[n] = after
                heapq.heappush(heap, (after, n))
    del found[start]
    return found
