"""17.2.8 The roads home: each turn in which the HQ of a Corps has no line to the Don costs the Germans a point.

The way taken is the one that wants the fewest posts: hexes in Soviet zones where a German must stand.
"""

from __future__ import annotations

from typing import NamedTuple

from kessel.bots.don42.corridor import Search, back_from
from kessel.core.forces import NO_UNIT, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import members
from kessel.games.don42.board import Board
from kessel.games.don42.data.charts import POINT
from kessel.games.don42.data.forces import GERMAN, SOVIET
from kessel.games.don42.movement.movement import allowance, ends_of, why_not_move
from kessel.games.don42.movement.zones import enemy_zone

FAR = 1 << 20


class Roads(NamedTuple):
    """Where a German must stand so that roads are open, and where Soviets stand on them."""

    posts: frozenset[Hex]
    blocks: frozenset[Hex]


def counted(g: Board) -> list[Unit]:
    """The HQs whose roads count."""
    doc = g.scenario.victory.get("interruption")
    hqs = [g.forces.command_hq[g.command_index(c)] for c in doc["corps"]] if doc else []
    return [u for u in hqs if u != NO_UNIT and g.on_map(u)]


def ways_home(g: Board) -> dict[Hex, tuple[int, Hex]]:
    """By road hex: what the way from a bridge weighs, and the hex before it."""
    search = Search(g)
    return {h: (weight, before) for weight, _, h, before in search.spread("road", search.bridges(), FAR)}


def find_roads(g: Board) -> Roads:
    """For each HQ from where it stands, or from the best road it can get to."""
    ways = ways_home(g)
    on: set[Hex] = set()
    for u in counted(g):
        ends: Bits = 1 << g.place[u]
        if g.place[u] not in ways and why_not_move(g, u) is None:
            ends |= ends_of(g, u, allowance(g, u).total * POINT, True)
        best = min((h for h in members(ends) if h in ways), key=lambda h: (ways[h][0], h), default=None)
        if best is not None:
            on.update(back_from(ways, best))
    soviets, zone = g.hexes_of(SOVIET), enemy_zone(g, GERMAN)
    blocks = frozenset(h for h in on if soviets >> h & 1)
    return Roads(frozenset(h for h in on if zone >> h & 1) - blocks, blocks)
