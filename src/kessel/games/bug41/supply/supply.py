"""PA-supply, RX-5.9: whether an HQ is in supply, and what its emergency supply still gives."""

from __future__ import annotations

from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.games.bug41.board import EMERGENCY, EXPENDED, Board
from kessel.games.bug41.supply.paths import rings_of, way_back


def supply_path(g: Board, hq: Unit) -> tuple[Hex, ...]:
    """PA-supply.1, .2 The hexes of a shortest path to a map edge hex beside an own supply area; () if there is none."""
    side = g.forces.side[hq]
    rings, edge = rings_of(g, g.place[hq], side, True), g.ground.supply[side]
    for ring in rings:
        if ends := ring & edge:
            return way_back(g, rings, (ends & -ends).bit_length() - 1, g.ground.path_blocked)
    return ()


def in_supply(g: Board, hq: Unit) -> bool:
    edge = g.ground.supply[g.forces.side[hq]]
    return any(ring & edge for ring in rings_of(g, g.place[hq], g.forces.side[hq], True))


def can_support(g: Board, hq: Unit) -> bool:
    """RX-5.9 An HQ gives Attack Support in supply, on its front side, or in the turn of its emergency supply."""
    return not g.status[hq] & EXPENDED or bool(g.status[hq] & EMERGENCY) or in_supply(g, hq)
