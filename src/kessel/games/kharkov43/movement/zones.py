"""11 Zones of control."""

from __future__ import annotations

from kessel.core.facts import fact
from kessel.core.forces import Side
from kessel.core.hexes import Bits, Hex
from kessel.core.zones import zone
from kessel.games.kharkov43.board import GARRISON, ISOLATED, ON_MAP, POSITION, UNITS, Board
from kessel.games.kharkov43.data.forces import GERMAN


def enemy_of(side: Side) -> Side:
    return 1 - side


@fact(UNITS)
def controllers(g: Board, side: Side) -> Bits:
    """11.0 The hexes with at least one non-isolated unit of that side."""
    s, status, sides = 0, g.status, g.forces.side
    for u, h in enumerate(g.place):
        if g.box[u] == ON_MAP and sides[u] == side and not status[u] & ISOLATED:
            s |= 1 << h
    return s


@fact(UNITS)
def zoc(g: Board, side: Side) -> Bits:
    """11.0 The hexes that side controls: the six around each non-isolated unit, over all terrain and hexsides."""
    return zone(g.map.grid, controllers(g, side))


def is_in_enemy_zoc(g: Board, h: Hex, side: Side) -> bool:
    return bool(zoc(g, enemy_of(side)) >> h & 1)


def sources(g: Board, h: Hex, side: Side) -> list[Hex]:
    """The hexes from which that side controls h, for explanations."""
    return [n for n in g.map.grid.around[h] if controllers(g, side) >> n & 1]


def distant_garrisons(g: Board) -> Bits:
    """15.21 The garrisons not adjacent to a German unit."""
    return g.garrisons & ~zone(g.map.grid, g.hexes_of(GERMAN))


@fact(POSITION)
def garrison_zoc(g: Board) -> Bits:
    """15.21 The provisional zone of control of garrisons not adjacent to a German unit."""
    return zone(g.map.grid, distant_garrisons(g))


@fact(POSITION)
def beside_garrison(g: Board) -> Bits:
    """The hexes next to a garrisoned hex (10.1, 15.22)."""
    return zone(g.map.grid, g.garrisons)


def is_garrisoned(g: Board, h: Hex) -> bool:
    return g.has_mark(h, GARRISON)


def is_surrounded(g: Board, h: Hex, side: Side) -> bool:
    """9.3 Surround: every adjacent hex on the map is occupied by an enemy unit or in an enemy zone of control."""
    enemy = enemy_of(side)
    return not g.map.grid.near[h] & ~(g.hexes_of(enemy) | zoc(g, enemy))
