"""17.1, 17.4 Railroads: which are in use, which are repaired, which connect with a Supply Source."""

from __future__ import annotations

from kessel.core.forces import Side
from kessel.core.hexes import Bits
from kessel.core.hexset import Sides, flood_links
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import COMBAT
from kessel.games.stalingrad42.forces import AXIS
from kessel.games.stalingrad42.supply import negators, source_edges, source_ports
from kessel.games.stalingrad42.zones import enemy_zoc


def rails(g: Board) -> Sides:
    """The railroads in use on this turn: not the Caspian line (5.6.6), unfinished ones when completed (17.5)."""
    return g.ground.rail(g.turn)


def rail_hexes(g: Board) -> Bits:
    key = ("rail hexes", g.turn)
    found: Bits | None = g.map.cache.get(key)
    if found is None:
        found = 0
        for six in rails(g):
            found |= six
        g.map.cache[key] = found
    return found


def repaired_hexes(g: Board) -> Bits:
    """The rail hexes the Axis may use (17.1)."""
    return g.repaired_hexes & rail_hexes(g)


def railhead_hexes(g: Board) -> Bits:
    s = 0
    for h in g.railheads:
        if h >= 0:
            s |= 1 << h
    return s


def connecting_rail(g: Board, side: Side) -> Bits:
    """17.4 Rail hexes joined to a Supply Source by an open line, repaired for the Axis; friends negate EZOCs."""
    found: Bits | None = g.cache.get(("connecting rail", side))
    if found is not None:
        return found
    shut = enemy_zoc(g, side) & ~negators(g, side) | g.sets[COMBAT + 1 - side]
    through = (repaired_hexes(g) if side == AXIS else rail_hexes(g)) & ~shut
    sources = (source_edges(g, side) | source_ports(g, side)) & through
    made_of = (sources, rails(g), through)
    known = g.memo.get(("connecting rail", side))
    if known is None or known[0] != made_of:
        known = g.memo["connecting rail", side] = (made_of, flood_links(g.map.grid, *made_of))
    found = g.cache["connecting rail", side] = known[1]
    return found
