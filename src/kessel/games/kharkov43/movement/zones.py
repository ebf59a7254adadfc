"""11 Zones of control."""

from __future__ import annotations

from typing import NamedTuple

from kessel.core.facts import fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.zones import zone
from kessel.games.kharkov43.board import GARRISON, ISOLATED, POSITION, UNITS, Board
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET


def enemy_of(side: Side) -> Side:
    return 1 - side


@fact(UNITS)
def zoc(g: Board, side: Side) -> Bits:
    """11.0 The hexes that side controls: the six around each non-isolated unit, over all terrain and hexsides."""
    return zone(g.map.grid, g.controllers(side))


class Scene(NamedTuple):
    """What a side has on the map against the moves and the supply of the other: as it stands, or as it would be."""

    hexes: Bits
    control: Bits
    towns: Bits
    garrisons: Bits
    all: Bits
    """The four as one number, one map above the other: to compare parts of them at once."""


def scene(g: Board, hexes: Bits, control: Bits, towns: Bits, garrisons: Bits) -> Scene:
    n = g.map.grid.size
    return Scene(hexes, control, towns, garrisons, hexes | control << n | towns << 2 * n | garrisons << 3 * n)


@fact(POSITION)
def scene_of(g: Board, side: Side) -> Scene:
    return scene(g, g.hexes_of(side), zoc(g, side), g.towns_of(side), g.garrisons if side == SOVIET else 0)


@fact(POSITION)
def scene_if(g: Board, u: Unit, h: Hex) -> Scene:
    """The Soviet scene if that Soviet unit stood in h: the town would be Soviet and the garrison gone."""
    there = 1 << h
    alone, last = _stands_alone(g, u)
    hexes, control = (g.hexes_of(SOVIET) & ~alone) | there, g.controllers(SOVIET) & ~last
    if not g.status[u] & ISOLATED:
        control |= there
    towns = g.towns_of(SOVIET) | there & g.ground.towns
    return scene(g, hexes, zone(g.map.grid, control), towns, g.garrisons & ~there)


def scene_without(g: Board, u: Unit, relieved: Hex) -> Scene:
    """The Soviet scene if that Soviet unit were not there, nor a garrison in that hex."""
    alone, last = _stands_alone(g, u)
    control = zone(g.map.grid, g.controllers(SOVIET) & ~last) if last else zoc(g, SOVIET)
    gone = 1 << relieved if relieved >= 0 else 0
    return scene(g, g.hexes_of(SOVIET) & ~alone, control, g.towns_of(SOVIET), g.garrisons & ~gone)


def scene_without_stack(g: Board, h: Hex) -> Scene:
    """The Soviet scene if no Soviet unit stood in h."""
    control = zone(g.map.grid, g.controllers(SOVIET) & ~(1 << h))
    return scene(g, g.hexes_of(SOVIET) & ~(1 << h), control, g.towns_of(SOVIET), g.garrisons)


def scene_without_garrison(g: Board, h: Hex) -> Scene:
    """The Soviet scene with only the other garrisons."""
    s = scene_of(g, SOVIET)
    return scene(g, s.hexes, s.control, s.towns, g.garrisons & ~(1 << h))


def _stands_alone(g: Board, u: Unit) -> tuple[Bits, Bits]:
    """The unit's hex, if no other unit is there, and if no other one controls hexes from there; else 0."""
    h = g.place[u]
    if h < 0:
        return 0, 0
    if g.is_alone(u):
        return 1 << h, 1 << h
    return 0, 0 if any(v != u and not g.status[v] & ISOLATED for v in g.units(h)) else 1 << h


@fact(POSITION)
def cover_without(g: Board, u: Unit) -> Bits:
    """The hexes with a unit of u's side or in its zone of control, if u were not there."""
    side = g.forces.side[u]
    alone, last = _stands_alone(g, u)
    control = zone(g.map.grid, g.controllers(side) & ~last) if last else zoc(g, side)
    return g.hexes_of(side) & ~alone | control


def is_in_enemy_zoc(g: Board, h: Hex, side: Side) -> bool:
    return bool(zoc(g, enemy_of(side)) >> h & 1)


def sources(g: Board, h: Hex, side: Side) -> list[Hex]:
    """The hexes from which that side controls h, for explanations."""
    return [n for n in g.map.grid.around[h] if g.controllers(side) >> n & 1]


def distant_garrisons(g: Board) -> Bits:
    """15.21 The garrisons not adjacent to a German unit."""
    return distant_from_germans(g, g.garrisons)


def distant_from_germans(g: Board, garrisons: Bits) -> Bits:
    return garrisons & ~zone(g.map.grid, g.hexes_of(GERMAN))


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
