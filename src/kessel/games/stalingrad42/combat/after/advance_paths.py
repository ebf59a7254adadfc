"""14.1-14.5 Who may advance, how far, and over what."""

from __future__ import annotations

from typing import NamedTuple

from kessel.core.board import NOWHERE, Place
from kessel.core.breakdown import Breakdown, Refusal
from kessel.core.facts import NOW, fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import NO_HEX, Bits, Hex
from kessel.core.hexset import members
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import (
    ADVANCED,
    ARRIVED,
    ATTACKED,
    AUTO_DS,
    BAD_ORDER,
    COMBAT,
    FROZEN,
    OOS,
    PRESENT,
    REPLACED,
    RESERVE,
    TRAIN,
)
from kessel.games.stalingrad42.combat.strength.strengths import sheet
from kessel.games.stalingrad42.movement.ways.costs import footing, ways
from kessel.games.stalingrad42.movement.ways.crossings import is_at_flotilla, may_step, next_to, passable
from kessel.games.stalingrad42.movement.ways.modes import frozen_rule
from kessel.games.stalingrad42.movement.ways.reach import field, why_not_enter_area
from kessel.games.stalingrad42.movement.ways.stacking import why_not_stack
from kessel.games.stalingrad42.movement.ways.zones import enemy_bonds, enemy_zoc
from kessel.wargame.board import other

FULL, LIMITED, ONE_HEX = "full", "limited", "one hex"
"""Kinds of Advance After Combat (14.3, 15.1)."""

# --- 14.1, 14.2 who and how far --------------------------------------------------------------------------------------


def why_not_advance(g: Board, u: Unit, *, took_part: bool) -> Refusal | None:
    """14.1 Why a unit may not Advance After Combat; units that did not attack must be free to (`took_part`)."""
    s, name = g.status[u], g.name(u)
    if g.place[u] == NOWHERE:
        return Refusal("14.1", f"{name} is not on the map")
    if s & ADVANCED:
        return Refusal("14.1", f"{name} has advanced in this Combat Phase")
    if s & FROZEN:
        return Refusal(frozen_rule(g, u), f"{name} may not move until it is released")
    if took_part:
        return None
    if s & ATTACKED:
        return Refusal("14.1", f"{name} attacked another hex")
    if s & BAD_ORDER:
        return Refusal("14.1", f"{name} is not in Good Order")
    if s & (REPLACED | ARRIVED):
        return Refusal("21.4" if s & REPLACED else "20.8", f"{name} may not advance in this turn")
    if s & TRAIN:
        return Refusal("5.6.3", f"{name} is under a Train marker")
    if s & AUTO_DS:
        return Refusal("8.6.2", f"{name} advances after its own Automatic DS")
    if s & RESERVE:
        return Refusal("25.2.1", f"{name} is in Reserve")
    if g.forces.is_immobile(u):
        return Refusal("18.6.8", f"{name} moves only by rail or sea")
    return None


def advance_rate(g: Board, u: Unit) -> int:
    """14.2.2 Mechanized units four hexes, Cavalry three, others two; Army HQs with an MA of 3 two (20.1.3)."""
    f = g.forces
    if f.type[u] == "army_hq" and g.ma(u) <= 3:
        kind = "army_hq_ma3"
    else:
        kind = "mechanized" if f.mech[u] else "cavalry" if f.type[u] == "cavalry" else "other"
    return g.charts.table("advance_rates").number(kind, "hexes")


def in_weather(g: Board, hexes: int) -> int:
    """23.2.3, 23.2.4 An Adv number in Rain or Mud (halved, rounded up) and in Snow (one less, at least one)."""
    word = g.effects.advance
    if word == "halve_up":
        return -(-hexes // 2)
    return max(1, hexes - 1) if word == "minus_1" and hexes else hexes


def advance_allowance(g: Board, u: Unit, hexes: int, quiet: bool = True) -> Breakdown:
    """14.2.1 The result's number of hexes, capped by the unit's rate, and by two if it is Out of Supply (16.4)."""
    b = sheet("advance", quiet)
    b.add("result", hexes, "14.2.1")
    b.cap(f"rate of {g.name(u)}", advance_rate(g, u), "14.2.2")
    if g.status[u] & OOS:
        b.cap("Out of Supply", g.charts.table("advance_rates").number("out_of_supply", "hexes"), "16.4")
    return b


# --- 14.3-14.5 where -------------------------------------------------------------------------------------------------


class Trip(NamedTuple):
    """The rest of one unit's advance."""

    place: Place
    left: int
    vacated: Hex = NO_HEX
    """14.4 The defender's vacated hex, NO_HEX where there is none (any more)."""
    limited: bool = False
    """14.2.3 Into the vacated hex and no farther."""
    first: bool = True
    """No hex has been entered yet."""
    rivers: bool = True
    """Whether an unbridged Major River may be crossed into the vacated hex (14.5; not by Reserves, 25.2.3)."""


class Terrain(NamedTuple):
    """What an advancing unit meets."""

    enter: Bits
    sides: tuple[Bits, ...]
    stop: Bits
    """EZOCs; the vacated hex is none (14.4.2)."""
    heavy: Bits
    """14.5 Marsh and Mountain: the advance ends there unless the hex is entered along a road."""
    vacated: Bits


def vacated_hex(g: Board, side: Side, h: Hex) -> Hex:
    """A39: a hex stays the defender's vacated hex unless an enemy Combat Unit is in it again."""
    return NO_HEX if h == NO_HEX or g.sets[COMBAT + other(side)] >> h & 1 else h


def terrain(g: Board, u: Unit, vacated: Hex) -> Terrain:
    f = g.forces
    side = f.side[u]
    known, key = _memo_of_terrain(g), (f.mech[u], f.mountain[u], side, bool(f.combat[u]), vacated)
    if key not in known:
        known[key] = _make_terrain(g, u, side, vacated)
    return known[key]


@fact(NOW)
def _memo_of_terrain(g: Board) -> dict[tuple[int, ...], Terrain]:
    """By class of unit and vacated hex."""
    return {}


def _make_terrain(g: Board, u: Unit, side: Side, vacated: Hex) -> Terrain:
    p, bonds = passable(g, u), enemy_bonds(g, side)
    friends = g.sets[COMBAT + side]
    v = 1 << vacated if vacated != NO_HEX else 0
    enter = g.ground.playable & ~(g.sets[COMBAT + other(side)] & ~friends) & ~bonds.hexes | v
    sides = []
    for d in range(6):
        beyond = next_to(g, friends, d)
        if not g.forces.combat[u]:
            beyond &= friends  # 5.5.5, 7.3: without a Combat Unit of its own it needs friends on both banks
        sides.append((p.land[d] | p.volga[d] | p.river[d] & beyond) & ~(bonds.sides[d] & ~beyond))
    heavy = g.ground.mountain | g.ground.marsh | (g.ground.seasonal if g.marsh else 0)
    return Terrain(enter, tuple(sides), enemy_zoc(g, side) & ~v, heavy, v)


def why_not_step(g: Board, u: Unit, trip: Trip, n: Place) -> Refusal | None:
    """14.3-14.5 Why a unit may not enter the next place of its advance."""
    here, side, name = trip.place, g.forces.side[u], g.place_name(n)
    if trip.left < 1:
        return Refusal("14.2.1", f"{g.name(u)} has no hexes of its advance left")
    if trip.limited and n != trip.vacated:
        return Refusal("14.2.3", "a Limited Advance leads into the defender's vacated hex and no farther")
    if not g.map.is_hex(n):
        return _why_not_area(g, u, trip, n)
    if not g.map.is_hex(here):
        return _why_not_entry(g, u, trip, n)
    if not g.map.grid.near[here] >> n & 1:
        return Refusal("14.1", f"{name} is not next to {g.where(here)}")
    t = terrain(g, u, trip.vacated)
    d = g.map.grid.offsets.index(n - here)
    if not t.enter >> n & 1:
        if enemy_bonds(g, side).hexes >> n & 1:
            return Refusal("14.4.1", f"{name} lies in an enemy Hex Bond")
        return Refusal("5.1", f"an enemy Combat Unit is in {name}")
    if t.sides[d] >> here & 1 or is_at_flotilla(g, side, here, d):
        return None
    if not may_step(g, u, here, d):
        return Refusal("14.5", f"{g.name(u)} may not enter {name} there in regular movement")
    beyond = g.sets[COMBAT + side] >> n & 1 and g.forces.combat[u]
    if passable(g, u).river[d] >> here & 1 and not beyond and not (trip.first and trip.rivers and n == trip.vacated):
        return Refusal("14.5", "an unbridged Major River is crossed only as the first hex, into the vacated hex")
    if n == trip.vacated:
        return None
    return Refusal("14.4.1", f"an enemy Hexside Bond lies between {g.where(here)} and {name}")


def _why_not_area(g: Board, u: Unit, trip: Trip, n: Place) -> Refusal | None:
    side = g.forces.side[u]
    if not g.map.is_hex(trip.place) or not g.map.box(n).hexes >> trip.place & 1:
        return Refusal("22.3.1", f"{g.where(n, 'Entry Area {}')} is not next to {g.where(trip.place)}")
    if why := why_not_enter_area(g, side, n):
        return why
    if field(g, side).shut >> trip.place & 1:
        return Refusal("22.3.2", "an enemy ZOC Bond lies along the map edge there")
    return None


def _why_not_entry(g: Board, u: Unit, trip: Trip, n: Hex) -> Refusal | None:
    """22.7 Units that attacked onto the map advance onto it."""
    side = g.forces.side[u]
    edges = ways(g, footing(g, u)).normal.edges[trip.place]
    if not any(h == n for h, _, _ in edges):
        return Refusal("22.7", f"{g.where(n)} cannot be entered from {g.where(trip.place, 'Entry Area {}')}")
    if n == trip.vacated:
        return None
    if field(g, side).shut >> n & 1:
        return Refusal("22.3.2", "an enemy ZOC Bond lies along the map edge there")
    if not terrain(g, u, trip.vacated).enter >> n & 1:
        return Refusal("5.1", f"{g.where(n)} is held or barred by the enemy")
    return None


def ends_at(g: Board, u: Unit, here: Place, n: Place, vacated: Hex) -> str:
    """14.4.2, 14.5 Why an advance ends in the hex just entered: "ezoc", "terrain", "area", or "" if it does not."""
    if not g.map.is_hex(n):
        return "area"
    t = terrain(g, u, vacated)
    if t.heavy >> n & 1:
        road = g.map.is_hex(here) and g.ground.road(here, g.map.grid.offsets.index(n - here))
        if not road:
            return "terrain"
    return "ezoc" if t.stop >> n & 1 else ""


def trips(g: Board, u: Unit, trip: Trip) -> dict[Place, tuple[Place, ...]]:
    """All places a unit can advance to, each with one way; stacking apart."""
    found: dict[Place, tuple[Place, ...]] = {}
    free: list[tuple[Place, tuple[Place, ...]]] = [(trip.place, ())]
    passed = {trip.place}
    for k in range(trip.left):
        layer: list[tuple[Place, tuple[Place, ...]]] = []
        for here, way in free:
            at = trip._replace(place=here, left=trip.left - k, first=trip.first and not k)
            for n in _steps(g, u, at):
                if n in passed:
                    continue
                found.setdefault(n, (*way, n))
                if not trip.limited and not ends_at(g, u, here, n, trip.vacated):
                    passed.add(n)
                    layer.append((n, (*way, n)))
        free = layer
    found.pop(trip.place, None)
    return found


def ways_of(g: Board, u: Unit, trip: Trip) -> list[tuple[Place, ...]]:
    """A way to each place a unit can advance to and may end in."""
    return [way for place, way in trips(g, u, trip).items() if why_not_stack_there(g, u, place) is None]


def _steps(g: Board, u: Unit, trip: Trip) -> list[Place]:
    """The places a unit may enter next."""
    here, t = trip.place, terrain(g, u, trip.vacated)
    if not g.map.is_hex(here):
        return [n for n in members(g.map.box(here).hexes) if why_not_step(g, u, trip, n) is None]
    if trip.limited:
        return [trip.vacated] if why_not_step(g, u, trip, trip.vacated) is None else []
    found: list[Place] = []
    for d, n in enumerate(g.map.grid.neighbours[here]):
        if n == NO_HEX:
            continue
        if (t.sides[d] >> here & 1 and t.enter >> n & 1) or (
            (n == trip.vacated or g.flotilla) and why_not_step(g, u, trip, n) is None
        ):
            found.append(n)
    if g.ground.edge_hexes >> here & 1:
        boxes = (p for p in g.ground.entry_boxes if g.map.box(p).hexes >> here & 1)
        found.extend(p for p in boxes if why_not_step(g, u, trip, p) is None)
    return found


def why_not_stack_there(g: Board, u: Unit, place: Place) -> Refusal | None:
    """14.1 Stacking limits must be observed at the end of each advance (reading A62)."""
    side = g.forces.side[u]
    if not g.map.is_hex(place) or not g.sets[PRESENT + side] >> place & 1:
        return None
    there = [v for v in g.units(place) if g.forces.side[v] == side and v != u]
    why = why_not_stack(g, [*there, u], side)
    return Refusal("14.1", f"{g.where(place)}: {why.reason}") if why else None
