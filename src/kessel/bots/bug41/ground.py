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
    full, zones = g.map.mask(hard), g.map.mask(zone)
    far = [FAR] * g.map.grid.size
    heap = []
    for h in goals:
        far[h] = 0
        heap.append((0, h))
    while heap:
        d, h = heapq.heappop(heap)
        if d > far[h]:
            continue
        here = zones[h]
        d += in_hex if full[h] else in_zone if here else 0
        for n, off, road, boat in out[h]:
            price = d + (off if here or zones[n] else road) + (by_boat if boat else 0)
            if price < far[n]:
                far[n] = price
                heapq.heappush(heap, (price, n))
    return far


def quick_reach(g: Board, units: Sequence[Unit], boats: int, *, bonus: bool) -> dict[Hex, int]:
    """The hexes a stack can get to and a measure of the cost: parts of the allowance, for the class that pays most."""
    forces = g.forces
    side, start = forces.side[units[0]], g.place[units[0]]
    enemy = other(side)
    zone, closed = g.map.mask(zone_of(g, enemy)), g.map.mask(g.hexes_with_combat_units(enemy))
    near = near_units(g, enemy)
    by_boat = side == GERMAN and len(units) <= boats and not any(forces.motorized[u] for u in units)
    kinds = []
    for kind in (0, 1):
        some = [forces.ma[u] for u in units if forces.motorized[u] == kind]
        if some:
            extra = g.numbers.movement.leg_bonus if bonus and not kind and not near >> start & 1 else 0
            kinds.append((steps(g, kind, by_boat), (min(some) + extra) * HALF))
    found: dict[Hex, int] = {start: 0}
    heap = [(0, start)]
    (first, most), (second, least) = kinds[0], kinds[-1]
    mixed = len(kinds) > 1
    while heap:
        spent, h = heapq.heappop(heap)
        slow = zone[h]
        if spent > found[h] or (slow and h != start):
            continue
        for i, (n, off, road, boat) in enumerate(first[h]):
            if closed[n] or (slow and zone[n]) or (boat and h != start):
                continue
            after = spent + (off if slow or zone[n] else road) * 1000 // most
            if mixed:
                other_way = second[h][i]
                after = max(after, spent + (other_way.off if slow or zone[n] else other_way.road) * 1000 // least)
            if after <= 1000 and after < found.get(n, FAR):
                found[n] = after
                heapq.heappush(heap, (after, n))
    del found[start]
    return found
