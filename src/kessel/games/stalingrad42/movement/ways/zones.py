"""6.0 Zones of Control and 7.0 ZOC Bonds.

Zones and bonds are computed for the whole map at once as hex sets. `why_not_bond` tests one bond by the sentences of
chapter 7; a property test holds the two together.

A Hexside Bond between two holders runs over the hexside between the two hexes beside them, the left and the right one.
Of one of these hexes the map may end: then the bond lies on the map's edge and bars entry there (22.3.2).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from kessel.core.breakdown import Refusal
from kessel.core.facts import FOREVER, LAST, fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import NO_HEX, Bits, Direction, Hex, Hexside
from kessel.core.hexset import members, shift, spread_through
from kessel.core.zones import Bond
from kessel.games.stalingrad42.board import POSITION, ZONES, Board
from kessel.games.stalingrad42.columns import COMBAT, HOLDER, NO_BOND, NO_ZOC, PRESENT, ZOC
from kessel.games.stalingrad42.data.terrain import Season
from kessel.wargame.board import other

# --- 6.0 Zones of Control ------------------------------------------------------------------------------------------


def has_zoc(g: Board, u: Unit) -> bool:
    """6.1 Combat Units have a ZOC, but not under a Train marker, in Full Retreat (13.3.2) or in a Contested City."""
    if not g.forces.combat[u] or g.status[u] & NO_ZOC or not g.on_map(u):
        return False
    return not is_contested(g, g.place[u])


def is_contested(g: Board, h: Hex) -> bool:
    """29.1.1 Both sides have Combat Units in the hex."""
    return bool(g.sets[COMBAT] & g.sets[COMBAT + 1] & 1 << h)


@fact(ZONES)
def zoc(g: Board, side: Side) -> Bits:
    """6.1 The hexes in that side's Zones of Control: not across the Volga or impassable hexsides."""
    return spread_through(g.map.grid, g.sets[ZOC + side], g.season.closed)


def enemy_zoc(g: Board, side: Side) -> Bits:
    """The EZOCs of a side: all hexes in its enemy's Zones of Control."""
    return zoc(g, 1 - side)


def is_in_ezoc(g: Board, h: Hex, side: Side) -> bool:
    return bool(zoc(g, 1 - side) >> h & 1)


def zoc_exerters(g: Board, h: Hex, side: Side) -> list[Unit]:
    """The units of a side whose ZOC reaches a hex: why it is an EZOC."""
    found: list[Unit] = []
    for n in g.map.grid.around[h]:
        if g.sets[ZOC + side] >> n & 1 and g.adjacent(h, n):
            found.extend(u for u in g.units(n) if g.forces.side[u] == side and has_zoc(g, u))
    return found


def next_to_enemies(g: Board, side: Side) -> Bits:
    """5.3, 16.5.1 The hexes adjacent to an enemy Combat Unit in any state; not across Volga or impassable hexsides."""
    return _next_to(g, 1 - side)


@fact(ZONES)
def _next_to(g: Board, side: Side) -> Bits:
    return spread_through(g.map.grid, g.sets[COMBAT + side], g.season.closed)


# --- 7.0 ZOC Bonds -------------------------------------------------------------------------------------------------


def holds_bond(g: Board, u: Unit) -> int:
    """7.1 What a unit adds to a hex that wants to hold a bond: 2 are needed, a Free Stacking Unit adds 1."""
    return 0 if g.status[u] & NO_BOND else g.forces.bond_weight[u]


@dataclass(slots=True)
class Bonds:
    """The bonds of one side: what its enemy may not enter or cross (7.2)."""

    hexes: Bits
    """Hexes inside a Hex Bond."""
    sides: tuple[Bits, ...]
    """Hexsides inside a Hexside Bond, as six hex sets by direction, from either hex."""
    edges: frozenset[Hexside]
    """Hexsides at the map's edge inside a Hexside Bond."""


ORIENTATIONS = (0, 1, 2, 0, 1, 2, 3, 4, 5)
"""Of Hexside Bonds: three between units, six with the map edge. The left hex lies in this direction of the first unit,
the right one in the next, and the hexside between them in this direction + 2 of the left one."""


class _Raw(NamedTuple):
    """Bonds of given holders before any unit negates them."""

    hexes: Bits
    left: tuple[Bits, ...]
    """As ORIENTATIONS, indexed by the left hex: bonds whose left route is good."""
    right: tuple[Bits, ...]
    """The same bonds' right routes, indexed by the left hex too."""
    left_edge: tuple[Bits, ...]
    """Bonds whose left hex is off the map, indexed by the right one."""
    sides: tuple[Bits, ...]
    edges: frozenset[Hexside]
    near: Bits
    """Where an enemy unit can negate one of them."""


class _Routes(NamedTuple):
    """Which terrain lets a bond through, for a season (7.6.1)."""

    straight: tuple[Bits, ...]
    left: tuple[Bits, ...]
    right: tuple[Bits, ...]


@fact(POSITION)
def bonds(g: Board, side: Side) -> Bonds:
    """7.1-7.6 The bonds that a side holds against its enemy, at this instant."""
    enemy = g.sets[(COMBAT if g.reads("negating_units") == "combat" else PRESENT) + 1 - side]
    raw = _raw(g, side, g.sets[HOLDER + side], g.winter)
    return _negate(g, side, raw, enemy & raw.near, g.sets[COMBAT + side] & raw.hexes)


def enemy_bonds(g: Board, side: Side) -> Bonds:
    return bonds(g, 1 - side)


def shut_edges(g: Board, held: Bonds) -> Bits:
    """22.3.2 The hexes closed to and from Entry Areas: every hexside there at the map's edge lies in a bond."""
    found = 0
    for h in {s // 6 for s in held.edges}:
        if all(h * 6 + d in held.edges for d in range(6) if g.ground.edge[d] >> h & 1):
            found |= 1 << h
    return found


@fact(LAST)
def _raw(g: Board, side: Side, holders: Bits, winter: bool) -> _Raw:
    grid, ground = g.map.grid, g.ground
    routes = _routes(g, winter)
    moved = [shift(grid, holders, d) for d in range(6)]
    hexes = 0
    for d in range(3):
        hexes |= moved[d] & moved[d + 3] & routes.straight[d]
    left, right, left_edge = [], [], []
    sides = [0] * 6
    near = hexes
    for d in range(3):
        pairs = moved[d] & moved[(d + 4) % 6]
        over_left = pairs & routes.left[d]
        over_right = pairs & shift(grid, routes.right[d], (d + 5) % 6)
        left.append(over_left)
        right.append(over_right)
        left_edge.append(moved[d + 1] & moved[d + 3] & routes.right[d] & ground.edge[(d + 5) % 6])
    for d in ORIENTATIONS[3:]:  # 7.5: with the friendly map edge
        over_left, over_right = _edge_bonds(g, moved[d], g.friendly_edges[side], d)
        left.append(over_left)
        right.append(over_right)
    edges: set[Hexside] = set()
    for d, a, b in zip(ORIENTATIONS, left, right, strict=True):
        both = a | b
        near |= a | shift(grid, b, (d + 2) % 6)
        sides[(d + 2) % 6] |= both & ~ground.edge[(d + 2) % 6]
        edges.update(h * 6 + (d + 2) % 6 for h in members(both & ground.edge[(d + 2) % 6]))
    for d, s in enumerate(left_edge):
        near |= s
        edges.update(h * 6 + (d + 5) % 6 for h in members(s))
    sides = [s | shift(grid, sides[(d + 3) % 6], (d + 3) % 6) for d, s in enumerate(sides)]
    return _Raw(hexes, tuple(left), tuple(right), tuple(left_edge), tuple(sides), frozenset(edges), near)


def _edge_bonds(g: Board, moved: Bits, friendly: Bits, d: Direction) -> tuple[Bits, Bits]:
    """7.5 Bonds with the map edge over left and right hexes that both lie at it, indexed by the left hex."""
    grid, ground, closed = g.map.grid, g.ground, g.season.closed
    left = moved & friendly & ground.edge[(d + 1) % 6] & shift(grid, friendly, (d + 5) % 6)
    if not left:
        return 0, 0
    right_open = shift(grid, grid.all & ~closed[(d + 4) % 6], (d + 5) % 6)
    return left & ~closed[(d + 3) % 6], left & right_open


@fact(FOREVER)
def _routes(g: Board, winter: bool) -> _Routes:
    season, every = g.ground.seasons[winter], g.map.grid.all
    return _Routes(
        tuple(every & ~_broken(season, d, (d + 3) % 6) for d in range(3)),
        tuple(every & ~_broken(season, (d + 3) % 6, (d + 1) % 6) for d in range(3)),
        tuple(every & ~_broken(season, (d + 4) % 6, d) for d in range(3)),
    )


def _broken(season: Season, one: Direction, two: Direction) -> Bits:
    """7.6.1 Hexes that a bond entering over `one` and leaving over `two` cannot pass."""
    return season.closed[one] | season.closed[two] | season.major[one] & season.major[two]


@fact(LAST)
def _negate(g: Board, side: Side, raw: _Raw, enemy: Bits, friends: Bits) -> Bonds:
    """7.3 Take away what enemy units negate; 7.1: a friendly Combat Unit inside a Hex Bond leaves it without effect."""
    grid = g.map.grid
    hexes = raw.hexes & ~enemy & ~friends
    sides, edges = list(raw.sides), raw.edges
    for d, over_left, over_right in zip(ORIENTATIONS, raw.left, raw.right, strict=True):
        both = over_left | over_right
        if not both:
            continue
        gone = both & ~(over_left & ~enemy | over_right & ~shift(grid, enemy, (d + 5) % 6))
        if gone:
            out = (d + 2) % 6
            sides[out] &= ~gone
            sides[(d + 5) % 6] &= ~shift(grid, gone, out)
            edges -= {h * 6 + out for h in members(gone)}
    for d, s in enumerate(raw.left_edge):
        if s & enemy:
            edges -= {h * 6 + (d + 5) % 6 for h in members(s & enemy)}
    return Bonds(hexes, tuple(sides), edges)


# --- the same, one bond at a time, with reasons --------------------------------------------------------------------


def possible_bonds(g: Board, side: Side) -> Iterator[Bond]:
    """All pairs of bond geometry among a side's Combat Units and its map edge (NO_HEX), good or not."""
    grid = g.map.grid
    units = g.sets[COMBAT + side]
    edge = g.friendly_edges[side]
    for a in members(units):
        six = grid.neighbours[a]
        for d in range(6):
            m, left, right = six[d], six[d], six[(d + 1) % 6]
            b = grid.neighbours[m][d] if m != NO_HEX else NO_HEX
            if d < 3 and b != NO_HEX and units >> b & 1:
                yield Bond(a, b, (m,))
            b = _over(g, left, right, d)
            if d < 3 and b != NO_HEX and units >> b & 1:
                yield Bond(a, b, (left, right))
            elif b == NO_HEX and left != NO_HEX and right != NO_HEX and edge >> left & edge >> right & 1:
                yield Bond(a, NO_HEX, (left, right))


def _over(g: Board, left: Hex, right: Hex, d: Direction) -> Hex:
    """The hex beyond the hexside between left and right, seen from where they lie in directions d and d + 1."""
    if left != NO_HEX:
        return g.map.grid.neighbours[left][(d + 1) % 6]
    return g.map.grid.neighbours[right][d] if right != NO_HEX else NO_HEX


def why_not_bond(g: Board, side: Side, bond: Bond) -> Refusal | None:
    """Why that side has no such bond; None if it has."""
    for end in (bond.a, bond.b):
        if end != NO_HEX and sum(holds_bond(g, u) for u in g.units(end) if g.forces.side[u] == side) < 2:
            return Refusal("7.1", f"the units in {g.hex_name(end)} cannot hold a bond")
        if end != NO_HEX and is_contested(g, end):
            return Refusal("29.1.1", f"{g.hex_name(end)} is contested")
    if bond.over_hex and g.sets[COMBAT + side] >> bond.via[0] & 1:
        return Refusal("7.1", f"{g.hex_name(bond.via[0])} is not vacant")
    reasons = [_why_not_route(g, side, bond.a, m, bond.b) for m in bond.via]
    return None if None in reasons else next(r for r in reasons if r is not None)


def _why_not_route(g: Board, side: Side, a: Hex, m: Hex, b: Hex) -> Refusal | None:
    if m == NO_HEX:
        return Refusal("7.1", "the map ends there")
    negating = COMBAT if g.reads("negating_units") == "combat" else PRESENT
    if g.sets[negating + other(side)] >> m & 1:
        return Refusal("7.3", f"an enemy unit in {g.hex_name(m)} negates the bond")
    season, grid, rivers = g.season, g.map.grid, 0
    for end in (a, b):
        if end == NO_HEX:
            continue
        d = grid.direction(m, end)
        where = grid.between(m * 6 + d)
        if g.ground.volga[d] >> m & 1:
            return Refusal("7.6.1", f"the bond would cross the Volga {where}")
        if season.impassable[d] >> m & 1:
            return Refusal("7.6.1", f"the bond would cross the impassable hexside {where}")
        rivers += season.major[d] >> m & 1
    if rivers == 2:
        return Refusal("7.6.1", f"the bond would cross two Major River hexsides at {g.hex_name(m)}")
    return None


def bond_list(g: Board, side: Side) -> list[Bond]:
    """The bonds of a side one by one, for showing and explaining."""
    return [b for b in possible_bonds(g, side) if why_not_bond(g, side, b) is None]
