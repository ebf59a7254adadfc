"""Distances from objectives over the ground as it is, enemies on the way counted."""

from __future__ import annotations

import heapq

from kessel.core.facts import FOREVER, fact
from kessel.core.forces import Side
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import mask
from kessel.core.paths import ALL
from kessel.games.korsun44.board import POINT, Board
from kessel.games.korsun44.data.charts import FOOT
from kessel.games.korsun44.movement.costs import prices

FAR = 10_000
WHOLE = 6 * POINT
"""What a step that takes the whole allowance counts."""


@fact(FOREVER)
def plain_field(g: Board, side: Side, goal: Hex, cls: int, condition: int) -> list[int]:
    """Distances on the map without enemies."""
    return field(g, side, goal, cls, 0, 0, (0, 0))


def field(g: Board, side: Side, goal: Hex, cls: int, enemies: Bits, zone: Bits, dear: tuple[int, int]) -> list[int]:
    """Sixths of a Movement Point from every hex to the goal; `dear`: hexes that an enemy and his zone are worth."""
    table = prices(g, side, (cls, cls == FOOT, False, False), False)
    there, near = mask(g.map.grid, enemies), mask(g.map.grid, zone)
    occupied, zoned = dear[0] * POINT, dear[1] * POINT
    found = [FAR] * g.map.grid.size
    found[goal] = 0
    heap = [(0, goal)]
    while heap:
        d, h = heapq.heappop(heap)
        if d > found[h]:
            continue
        here = d + (occupied if there[h] else zoned if near[h] else 0)
        for n, cost, _ in table.moves(h):
            total = here + (WHOLE if cost == ALL else cost)
            if total < found[n]:
                found[n] = total
                heapq.heappush(heap, (total, n))
    return found
