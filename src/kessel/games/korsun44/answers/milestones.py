"""What a study of games dates: the ring round Korsun, and how near to it the relief comes."""

from __future__ import annotations

from kessel.core.hexset import flood, members
from kessel.games.korsun44.board import GERMAN, Board
from kessel.games.korsun44.data.forces import UNIT
from kessel.games.korsun44.supply.paths import barriers_of, free_of
from kessel.games.korsun44.supply.sources import all_edges

RELIEF = ("3PzK", "47PzK")
"""The korps that came to open the ring."""
NEAR = 10
"""Hexes between them and the pocket."""
CLOSED, CLOSE = "the ring is closed", "the relief is within ten hexes of the pocket"


def milestones(g: Board) -> list[str]:
    """The ring is closed when no way over land that is free of Soviets and their zones (13.3) leads from Korsun to a
    German edge of the map; the relief is near when a unit of those korps outside stands ten hexes from one inside."""
    korsun, edges = g.ground.korsun, all_edges(g, GERMAN)
    if korsun < 0 or not edges or g.enemies_in(korsun, GERMAN):
        return []
    pocket = flood(g.map.grid, 1 << korsun, free_of(g, GERMAN), barriers_of(g, GERMAN))
    if pocket & edges:
        return []
    f, distance = g.forces, g.map.grid.distance
    germans = [u for u in g.on_the_map(GERMAN) if f.role[u] == UNIT]
    inside = members(pocket & g.hexes_of(GERMAN))
    outside = {g.place[u] for u in germans if f.corps[u] in RELIEF and not pocket >> g.place[u] & 1}
    near = any(distance(a, b) <= NEAR for a in outside for b in inside)
    return [CLOSED, CLOSE] if near else [CLOSED]
