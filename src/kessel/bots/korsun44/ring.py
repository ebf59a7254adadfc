"""The ring: by which way the Germans round Korsun still reach the edge of the map."""

from __future__ import annotations

from kessel.core.hexes import Bits
from kessel.core.hexset import bits, spread_through
from kessel.games.korsun44.board import GERMAN, Board
from kessel.games.korsun44.supply.paths import barriers_of, free_of, road_path
from kessel.games.korsun44.supply.sources import all_edges


def road_out(g: Board) -> Bits:
    """The hexes of a shortest free road from Korsun to a German edge source; none where there is none."""
    korsun, edges = g.ground.korsun, all_edges(g, GERMAN)
    if korsun < 0 or not g.playable >> korsun & 1 or not edges or g.enemies_in(korsun, GERMAN):
        return 0
    return bits(road_path(g, GERMAN, korsun, edges))


def way_out(g: Board) -> Bits:
    """The hexes of a shortest free way from Korsun to a German edge source; none where there is none."""
    korsun, edges = g.ground.korsun, all_edges(g, GERMAN)
    if korsun < 0 or not g.playable >> korsun & 1 or not edges or g.enemies_in(korsun, GERMAN):
        return 0
    free, barriers = free_of(g, GERMAN), barriers_of(g, GERMAN)
    layers = [1 << korsun]
    seen = layers[0]
    while not seen & edges:
        front = spread_through(g.map.grid, layers[-1], barriers) & free & ~seen
        if not front:
            return 0
        layers.append(front)
        seen |= front
    last = layers[-1] & edges
    found = here = last & -last
    for layer in reversed(layers[:-1]):
        here = spread_through(g.map.grid, here, barriers) & layer
        here &= -here
        found |= here
    return found
