"""13.0-13.4 Supply: tracing it from a hex, its effects on units, surrender, air resupply.

A unit's supply is a marker (`OOS`, `ISOLATED`) fixed in the Supply Phase; a hex's supply is a question asked at the
moment (13.0). Both use `field_of`: for one side, all hexes from which a path can be traced now.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from kessel.core.breakdown import Refusal
from kessel.core.facts import FOREVER, GAME, fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import bits, flood, flood_links, spread_along
from kessel.core.supply import overland, starts
from kessel.core.zones import zone
from kessel.games.kharkov43.board import ISOLATED, OOS, POSITION, UNSUPPLIED, Board
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.data.terrain import Ground
from kessel.games.kharkov43.movement.zones import Scene, distant_from_germans, enemy_of, garrison_zoc, scene_of

MOST_KEPT = 2_000
"""Supply fields kept with a map."""
MOST_HEADS = 16
"""Sets of supply heads kept with a map for the same ends of roads."""


@dataclass(slots=True)
class Obstacles:
    """What stops a side's supply now."""

    side: Side
    friends: Bits
    """Hexes with friendly units."""
    enemies: Bits
    towns: Bits
    """Enemy towns and cities."""
    garrisons: Bits
    zoc: Bits
    """Enemy-controlled hexes."""
    reserve: bool = False
    """13.3 Reserve supply: friendly units do not negate enemy control."""

    @property
    def controlled(self) -> Bits:
        """Hexes closed by enemy control (13.1, 11.1)."""
        return self.zoc if self.reserve else self.zoc & ~self.friends

    @property
    def closed(self) -> Bits:
        return self.enemies | self.towns | self.garrisons | self.controlled


@dataclass(slots=True)
class Field:
    """All hexes of one side's supply at one moment."""

    ground: Ground
    lengths: tuple[int, int]
    """13.1 The hexes of a path that does not cross the Dniepr off a bridge, and of one that does."""
    obstacles: Obstacles
    heads: Bits
    """13.1 Supply heads: every friendly map-edge hex, and road hexes with a road home."""
    hexes: Bits
    """The hexes from which supply can be traced."""

    def __contains__(self, h: Hex) -> bool:
        return bool(self.hexes >> h & 1)

    def path(self, h: Hex) -> list[Hex] | None:
        """A shortest path from h, first hex entered first; [] in a supply head, None if there is none."""
        ground, o = self.ground, self.obstacles
        if ground.edge(o.side) >> h & 1:
            return []
        grid, through = ground.map.grid, ground.map.grid.all & ~o.closed
        for length, blocked in zip(self.lengths, (ground.dniepr_or_blocked, ground.blocked), strict=True):
            found = overland(grid, self.heads, length, enter=through, blocked=blocked).path(h)
            if found is not None:
                return found
        return None


def obstacles_of(
    g: Board,
    side: Side,
    *,
    reserve: bool = False,
    placing_garrisons: bool = False,
    soviets: Scene | None = None,
) -> Obstacles:
    """13.1 for a side, where the Soviets stand or would stand.

    While garrisons are placed or checked, those away from Germans have zones of control (15.21).
    """
    s = soviets or scene_of(g, SOVIET)
    if side == SOVIET:
        germans = scene_of(g, GERMAN)
        return Obstacles(side, s.hexes, germans.hexes, germans.towns & ~s.towns, 0, germans.control, reserve)
    garrisons, control = s.garrisons, s.control
    if placing_garrisons:
        garrisons = distant_from_germans(g, garrisons)
        control |= zone(g.map.grid, garrisons)
    return Obstacles(side, g.hexes_of(GERMAN), s.hexes, s.towns, garrisons, control, reserve)


def trace(g: Board, o: Obstacles) -> Field:
    """13.1 The whole map at once, from the edge inward."""
    through = g.map.grid.all & ~o.closed
    lengths, kept = _kept_paths(g)
    key = (o.side, through)
    paths = kept.get(key)
    if paths is None:
        if len(kept) >= MOST_KEPT:
            kept.clear()
        paths = kept[key] = _paths(g, g.ground.edge(o.side), through, lengths)
    return Field(g.ground, lengths, o, *paths)


@fact(GAME)
def _kept_paths(g: Board) -> tuple[tuple[int, int], dict[tuple[Side, Bits], tuple[Bits, Bits]]]:
    """The lengths of paths, and the supply heads and fields of such paths kept with the map."""
    most = g.charts.constants
    lengths = most.supply_path, most.supply_path_over_dniepr
    return lengths, _memo_of_paths(g, lengths)


@fact(FOREVER)
def _memo_of_paths(g: Board, lengths: tuple[int, int]) -> dict[tuple[Side, Bits], tuple[Bits, Bits]]:
    return {}


def _paths(g: Board, edge: Bits, through: Bits, lengths: tuple[int, int]) -> tuple[Bits, Bits]:
    """Supply heads, and the hexes in supply, where lines may pass only through these hexes."""
    grid, ground = g.map.grid, g.ground
    goal = edge | _heads(g, edge & ground.exits, through & ground.road_hexes)
    long = starts(grid, goal, lengths[0], enter=through, blocked=ground.dniepr_or_blocked)
    short = starts(grid, goal, lengths[1], enter=through, blocked=ground.blocked)
    return goal, edge | long | short


def _heads(g: Board, exits: Bits, through: Bits) -> Bits:
    """13.1 The road hexes with a road home through these hexes: kept by what is there of them and next to them.

    Heads kept for other hexes, all of which are open here, have their road home: the search goes on from them.
    """
    kept = _memo_of_heads(g).setdefault(exits, [])
    start = exits & through
    for looked_at, there, found in kept:
        if through & looked_at == there:
            return found
        if not found & ~through:
            start |= found
    roads = g.ground.roads
    found = flood_links(g.map.grid, start, roads, through)
    looked_at = exits | found | spread_along(g.map.grid, found, roads)
    kept.insert(0, (looked_at, through & looked_at, found))
    del kept[MOST_HEADS:]
    return found


@fact(FOREVER)
def _memo_of_heads(g: Board) -> dict[Bits, list[tuple[Bits, Bits, Bits]]]:
    return {}


def field_of(g: Board, side: Side, *, reserve: bool = False, placing_garrisons: bool = False) -> Field:
    """The supply (13.1) or reserve supply (13.3) of a side as the board stands."""
    return _field(g, side, reserve, placing_garrisons)


@fact(POSITION)
def _field(g: Board, side: Side, reserve: bool, placing_garrisons: bool) -> Field:
    return trace(g, obstacles_of(g, side, reserve=reserve, placing_garrisons=placing_garrisons))


def field_if(g: Board, soviets: Scene, side: Side, *, placing_garrisons: bool = False) -> Field:
    """The supply of a side if the Soviets stood so."""
    return trace(g, obstacles_of(g, side, placing_garrisons=placing_garrisons, soviets=soviets))


@fact(POSITION)
def field_without(g: Board, u: Unit) -> Field:
    """The supply of u's side as if u were not on the map: what a move of u can count on (10.5)."""
    side, h = g.forces.side[u], g.place[u]
    o = obstacles_of(g, side)
    if len(g.units(h)) > 1 or not o.zoc >> h & 1:
        return field_of(g, side)
    gone = Obstacles(side, o.friends & ~(1 << h), o.enemies, o.towns, o.garrisons, o.zoc)
    return trace(g, gone)


@fact(POSITION)
def field_without_all(g: Board, units: tuple[Unit, ...]) -> Field:
    """The supply of the side of several units as if none of them were on the map."""
    side = g.forces.side[units[0]]
    o = obstacles_of(g, side)
    left = bits(h for u in units if (h := g.place[u]) >= 0 and all(v in units for v in g.units_of(h, side)))
    if not o.zoc & left:
        return field_of(g, side)
    return trace(g, Obstacles(side, o.friends & ~left, o.enemies, o.towns, o.garrisons, o.zoc))


@fact(POSITION)
def _imagined(g: Board, h: Hex, side: Side, reserve: bool, placing_garrisons: bool) -> Field:
    """13.0 The field for an enemy-occupied hex: a friendly unit is imagined there instead of the enemy units."""
    o = obstacles_of(g, side, reserve=reserve, placing_garrisons=placing_garrisons)
    control = zone(g.map.grid, g.controllers(enemy_of(side)) & ~(1 << h))
    if placing_garrisons and side == GERMAN:
        control |= garrison_zoc(g)
    return trace(g, Obstacles(side, o.friends, o.enemies & ~(1 << h), o.towns, o.garrisons, control, reserve))


def field_for(g: Board, h: Hex, side: Side, *, reserve: bool = False, placing_garrisons: bool = False) -> Field:
    """The field that answers for that hex (13.0)."""
    if g.hexes_of(enemy_of(side)) >> h & 1:
        return _imagined(g, h, side, reserve, placing_garrisons)
    return _field(g, side, reserve, placing_garrisons)


def can_trace(g: Board, h: Hex, side: Side, *, reserve: bool = False, placing_garrisons: bool = False) -> bool:
    """13.0, 13.1: is the hex in supply for that side at this moment?"""
    return h in field_for(g, h, side, reserve=reserve, placing_garrisons=placing_garrisons)


def can_unit_trace(g: Board, u: Unit) -> bool:
    return can_trace(g, g.place[u], g.forces.side[u])


def supply_heads(g: Board, side: Side) -> Bits:
    """13.1 The friendly supply heads."""
    return field_of(g, side).heads


def why_not_in_supply(g: Board, h: Hex, side: Side, *, reserve: bool = False) -> Refusal | None:
    """None if supply can be traced from h, else what stops it: the first obstacle without which there is a path."""
    field = field_for(g, h, side, reserve=reserve)
    if h in field:
        return None
    o = field.obstacles
    fewer = (
        (
            "13.3",
            "reserve supply is not traced through enemy-controlled hexes, occupied or not",
            replace(o, reserve=False),
        ),
        ("13.1", "enemy-controlled hexes without a friendly unit close every path", replace(o, zoc=0)),
        ("15.2", "garrisons close every path", replace(o, garrisons=0)),
        ("13.1", "enemy towns or cities close every path", replace(o, towns=0)),
        ("13.1", "enemy units close every path", replace(o, enemies=0)),
        ("13.1", "enemy units and their zones close every path", replace(o, enemies=0, zoc=0)),
    )
    for rule, reason, without in fewer:
        if h in trace(g, without):
            return Refusal(rule, reason)
    ground = g.ground
    ways = flood(g.map.grid, field.heads, g.map.grid.all & ~o.closed, ground.dniepr_or_blocked)
    if not (ways | zone(g.map.grid, ways, ground.dniepr_or_blocked)) >> h & 1 and any(ground.dniepr):
        return Refusal("13.1", "a path over an unbridged Dniepr hexside has at most two hexes")
    return Refusal("13.1", f"no supply head or friendly map edge is within {g.charts.constants.supply_path} hexes")


def explain(g: Board, h: Hex, side: Side, *, reserve: bool = False) -> dict[str, Any]:
    """The answer with its path or its reason."""
    refusal = why_not_in_supply(g, h, side, reserve=reserve)
    if refusal is not None:
        return {"traced": False, "refusal": refusal.as_json()}
    path = field_for(g, h, side, reserve=reserve).path(h) or []
    names = [g.hex_name(x) for x in path]
    return {"traced": True, "path": names, "length": len(path), "rule": "13.3" if reserve else "13.1"}


# --- 13.2 effects of unsupply --------------------------------------------------------------------------------------


def must_check_supply(g: Board, side: Side) -> bool:
    """13.0 Supply of units is determined from game-turn 2 (German) and 4 (Soviet) on."""
    return g.turn >= (2 if side == GERMAN else g.charts.constants.soviet_supply_from)


def supplied_units(g: Board, side: Side) -> tuple[list[Unit], list[Unit]]:
    """4.III step 2: the on-map units of a side that can and cannot trace supply now."""
    field = field_of(g, side)
    can: list[Unit] = []
    cannot: list[Unit] = []
    for u in g.on_map_of(side):
        (can if g.place[u] in field else cannot).append(u)
    return can, cannot


def restore(g: Board, u: Unit, rule: str) -> None:
    """Remove the Out of Supply or Isolated marker."""
    if g.status[u] & UNSUPPLIED:
        g.set_status(u, UNSUPPLIED, False)
        g.tell(f"{g.name(u)} is in supply again", rule, unit=g.id(u))


def worsen(g: Board, u: Unit) -> bool:
    """13.2 One state down; True if the unit was isolated already and must surrender (13.23)."""
    if g.status[u] & ISOLATED:
        return True
    if g.status[u] & OOS:
        g.set_status(u, OOS, False)
        g.set_status(u, ISOLATED)
        g.tell(f"{g.name(u)} is isolated", "13.22", unit=g.id(u))
    else:
        g.set_status(u, OOS)
        g.tell(f"{g.name(u)} is out of supply", "13.21", unit=g.id(u))
    return False


def surrendering_soviets(g: Board, units: list[Unit]) -> list[Unit]:
    """13.23 Of each stack of still isolated Soviets adjacent to a German unit, the unit with the highest selector."""
    ground, germans = g.ground, g.hexes_of(GERMAN)
    stacks: dict[Hex, list[Unit]] = {}
    for u in units:
        if g.forces.side[u] == SOVIET and ground.adjacent_units(g.place[u]) & germans:
            stacks.setdefault(g.place[u], []).append(u)
    return [g.descending(stack)[0] for _, stack in sorted(stacks.items())]


def air_resupply(g: Board, h: Hex, side: Side) -> None:
    """13.4 The stack returns to supply at once, until the next Supply Phase."""
    for u in g.units_of(h, side):
        restore(g, u, "13.4")
