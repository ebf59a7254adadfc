"""3.2 Zones of control (ZOC)."""

from __future__ import annotations

from kessel.core.facts import fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits
from kessel.core.hexset import bits
from kessel.core.zones import zone
from kessel.games.don42.board import DISORDER, ORDER, OTHER, POSITION, RTD, ZONES, Board
from kessel.games.don42.data.forces import A


def has_zone(g: Board, u: Unit) -> bool:
    """3.2, 3.2.6 All ground units but HQs and routed ones; DRG, DPT and units out of supply keep theirs."""
    return not g.forces.hq[u] and not g.forces.air[u] and not g.status[u] & RTD


@fact(ZONES)
def zone_of(g: Board, side: Side) -> Bits:
    """3.2.2 The hexes in that side's zones: not across unbridged Don or Volga hexsides, never into a city."""
    return zone(g.map.grid, g.zone_sources(side), g.crossings.zone_blocked) & ~g.ground.city


def zone_from(g: Board, hexes: Bits) -> Bits:
    """3.2.2 The zones of control that go out from these hexes."""
    return zone(g.map.grid, hexes, g.crossings.zone_blocked) & ~g.ground.city


def enemy_zone(g: Board, side: Side) -> Bits:
    """The hexes in zones of that side's enemy (EZOC)."""
    return zone_of(g, OTHER[side])


@fact(ORDER)
def stopping_zone(g: Board, side: Side) -> Bits:
    """3.2.5, 3.3.2 Enemy zones an advance stops in: those of A-rated units in good order."""
    forces, theirs = g.forces, g.units_on_map(OTHER[side])
    good = [u for u in theirs if forces.quality[u] == A and not forces.hq[u] and not g.status[u] & DISORDER]
    return zone_from(g, bits(g.place[u] for u in good))


@fact(POSITION)
def open_hexes(g: Board, side: Side) -> Bits:
    """4.1 The hexes a line of that side may pass: no enemy unit, and no EZOC unless a friend stands there."""
    other = OTHER[side]
    blocked = zone_of(g, other) & ~g.hexes_of(side)
    return g.map.grid.all & ~g.hexes_of(other) & ~blocked
