"""PA-supply, RX-5.9: whether an HQ is in supply, and what its emergency supply still gives."""

from __future__ import annotations

from kessel.core.facts import fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import flood, spread_through
from kessel.games.bug41.board import EMERGENCY, EXPENDED, POSITION, Board
from kessel.games.bug41.supply.paths import open_hexes, rings_of, way_back


def supply_path(g: Board, hq: Unit) -> tuple[Hex, ...]:
    """PA-supply.1, .2 The hexes of a shortest path to a map edge hex beside an own supply area; () if there is none."""
    side = g.forces.side[hq]
    rings, edge = rings_of(g, g.place[hq], side, True), g.ground.supply[side]
    for ring in rings:
        if ends := ring & edge:
            return way_back(g, rings, (ends & -ends).bit_length() - 1, g.ground.path_blocked)
    return ()


@fact(POSITION)
def supplied_hexes(g: Board, side: Side) -> Bits:
    """All hexes a supply path may begin in: the edge itself, and whatever is next to an open hex that leads there."""
    edge, blocked = g.ground.supply[side], g.ground.path_blocked
    through = open_hexes(g, side)
    return edge | spread_through(g.map.grid, flood(g.map.grid, edge & through, through, blocked), blocked)


def in_supply(g: Board, hq: Unit) -> bool:
    return bool(supplied_hexes(g, g.forces.side[hq]) >> g.place[hq] & 1)


def can_support(g: Board, hq: Unit) -> bool:
    """RX-5.9 An HQ gives Attack Support in supply, on its front side, or in the turn of its emergency supply."""
    return not g.status[hq] & EXPENDED or bool(g.status[hq] & EMERGENCY) or in_supply(g, hq)
