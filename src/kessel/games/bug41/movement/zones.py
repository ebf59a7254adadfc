"""RX-5.3, PA-TEC Zones of control, by class of unit."""

from __future__ import annotations

from kessel.core.facts import fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import members, spread, spread_along
from kessel.games.bug41.board import DISRUPTED, FIGHTERS, FRONT, OF_SIDE, Board
from kessel.games.bug41.movement.pillboxes import working_pillboxes

INFANTRY_ZONE, AFV_ZONE = 0, 1


def open_to(g: Board, kind: int) -> Bits:
    """PA-TEC The hexes a zone of that class reaches into; a pillbox that works has its own row."""
    found = g.ground.zone_hexes[kind]
    for h in members(working_pillboxes(g) & g.ground.zone_by_pillbox):
        row = g.ground.row_of(h, pillbox=True)
        opens = row.afv_zone if kind == AFV_ZONE else row.infantry_zone
        found = found & ~(1 << h) | bool(opens) << h
    return found


def has_zone(g: Board, u: Unit) -> bool:
    """PA-disruption.0 HQs and Disrupted units have none."""
    return g.on_map(u) and not g.forces.hq[u] and not g.status[u] & DISRUPTED


@fact(FIGHTERS)
def zones_by_class(g: Board, side: Side) -> tuple[Bits, Bits]:
    """What zones of either class would cover if every hex were open to them."""
    found, over = g.census(side), g.ground.zone_open
    infantry = spread_along(g.map.grid, found.infantry_zone, over[INFANTRY_ZONE])
    return infantry, spread_along(g.map.grid, found.afv_zone, over[AFV_ZONE])


@fact(FRONT)
def zone_of(g: Board, side: Side) -> Bits:
    """All hexes in a zone of that side."""
    infantry, afv = zones_by_class(g, side)
    return infantry & open_to(g, INFANTRY_ZONE) | afv & open_to(g, AFV_ZONE)


def is_in_zone_of(g: Board, u: Unit, h: Hex) -> bool:
    """Whether the zone of one unit reaches into a hex."""
    if not has_zone(g, u) or not g.map.grid.adjacent(g.place[u], h):
        return False
    kind, here = g.forces.afv_zone[u], g.place[u]
    d = g.map.grid.direction(here, h)
    return not g.ground.zone_blocked[kind][d] >> here & 1 and bool(open_to(g, kind) >> h & 1)


@fact(OF_SIDE)
def near_units(g: Board, side: Side) -> Bits:
    """All hexes next to a unit of that side, HQs counted unless the switch `leg_bonus_hq` leaves them out."""
    counts = g.hexes_of(side) if g.reads("leg_bonus_hq") == "hq_counts" else g.hexes_with_combat_units(side)
    return spread(g.map.grid, counts) | counts


@fact(FIGHTERS)
def beside_fighters(g: Board, side: Side) -> Bits:
    """All hexes next to a combat unit of that side."""
    return spread(g.map.grid, g.hexes_with_combat_units(side))
