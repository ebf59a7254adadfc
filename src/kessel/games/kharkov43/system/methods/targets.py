"""9.2 What the movement methods look for: threatened towns, lone approaches, surrounds, lines of supply to open."""

from __future__ import annotations

from kessel.core.facts import FOREVER, fact
from kessel.core.forces import Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import members, spread, union, within
from kessel.games.kharkov43.board import OWNERS, POSITION, Board
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.movement.movement import farthest
from kessel.games.kharkov43.movement.proximity import is_german_proximate
from kessel.games.kharkov43.movement.zones import scene_if, zoc
from kessel.games.kharkov43.supply.supply import can_trace, field_if, field_of, field_without
from kessel.games.kharkov43.system.methods.methods import Check, Go, Order, Why
from kessel.games.kharkov43.system.terms.choosing import Preference, most, those
from kessel.games.kharkov43.system.terms.terminology import (
    beside,
    beside_germans,
    caused_by,
    hemmed_in_hexes,
    other_soviets,
    surrounded_hexes,
    surrounding_hexes,
)

# --- strength and neighbours -----------------------------------------------------------------------------------------


def german_strength(g: Board, h: Hex) -> int:
    """The printed strength of the German units in a hex; 0 where there is none."""
    return g.strength_in(h, GERMAN)


def units_beside(g: Board, hexes: Bits) -> Bits:
    """The hexes adjacent to these hexes: here a blocked Dniepr hexside does not matter (9.3)."""
    return spread(g.map.grid, hexes) if hexes else 0


@fact(OWNERS)
def beside_german_towns(g: Board) -> Bits:
    """The hexes adjacent to German towns and cities."""
    return units_beside(g, g.towns_of(GERMAN))


@fact(POSITION)
def armor_only_hexes(g: Board) -> Bits:
    """9.21.5, 9.22.3 VP hexes occupied only by Soviet armor units."""
    found = 0
    for h in members(g.ground.vp_hexes & g.hexes_of(SOVIET)):
        if all(g.is_armor(v) for v in g.units(h)):
            found |= 1 << h
    return found


# --- whom a method concerns (`Method.near`) --------------------------------------------------------------------------


def near_vp_hexes_to_take(g: Board, front: str) -> Bits:
    return g.towns_of(GERMAN) & ~g.hexes_of(GERMAN) | g.ground.edge_vps


def near_german_towns(g: Board, front: str) -> Bits:
    return beside_german_towns(g)


def near_cut_off(g: Board, front: str) -> Bits:
    """Anywhere, if there is somebody to open a line of supply for."""
    return g.ground.all if any(g.forces.higher[v] == front for v in cut_off(g)) else 0


def near_surrounds(g: Board, front: str) -> Bits:
    return _near_surrounds(g)


@fact(POSITION)
def _near_surrounds(g: Board) -> Bits:
    """Two hexes around the German units with few hexes left to them."""
    found = hemmed_in_hexes(g, GERMAN)
    return within(g.map.grid, found, 2) if found else 0


def near_own_vp_hexes(g: Board, front: str) -> Bits:
    return g.towns_of(SOVIET) | g.ground.vp_hexes & g.hexes_of(SOVIET)


def near_germans(g: Board, front: str) -> Bits:
    return beside_germans(g)


# --- threats ---------------------------------------------------------------------------------------------------------


def is_threatened(g: Board, h: Hex, *, by_supply: bool) -> bool:
    """A German unit is proximate to the hex or German supply is traceable to it."""
    return is_german_proximate(g, h) or (by_supply and can_trace(g, h, GERMAN))


# --- 9.21.3, 9.22.2 opening a line of supply -------------------------------------------------------------------------


@fact(POSITION)
def cut_off(g: Board) -> tuple[Unit, ...]:
    """The Soviet units that can't trace supply."""
    if not g.hexes_of(SOVIET) & ~field_of(g, SOVIET).hexes:
        return ()
    return tuple(v for v in g.on_map_of(SOVIET) if g.place[v] not in field_of(g, SOVIET))


def newly_supplied(g: Board, u: Unit, ends: Bits, front: str) -> dict[Hex, int]:
    """The hexes from which u would let units trace supply that can't now, and how many Soviet units.

    At least one of them must be of the active front. A unit helps others only by standing in an enemy-controlled hex
    or by taking a German town; itself it helps by going where supply is.
    """
    cut = cut_off(g)
    if not any(g.forces.higher[v] == front for v in cut):
        return {}
    found: dict[Hex, int] = {}
    opening = (zoc(g, GERMAN) | g.towns_of(GERMAN)) & ends
    for h in members(opening):
        after = field_if(g, scene_if(g, u, h), SOVIET)
        helped = [v for v in cut if (h if v == u else g.place[v]) in after]
        if any(g.forces.higher[v] == front for v in helped):
            found[h] = len(helped)
    if u in cut and g.forces.higher[u] == front:
        for h in members(field_without(g, u).hexes & ends & ~opening):
            found[h] = 1
    return found


# --- 9.21.4, 9.22.7 surround -----------------------------------------------------------------------------------------


def surround_orders(c: Check, rule: str, within: Bits = -1, require: Why | None = None) -> tuple[Order, ...]:
    """A new surround first; then, for a unit that causes one from afar, a hex adjacent to the surrounded unit."""
    g, u = c.g, c.unit
    if not surrounding_hexes(g, u):
        return ()
    held = surrounded_hexes(g, GERMAN)
    new = {x: s & c.ends & within for x, s in surrounding_hexes(g, u).items() if not held >> x & 1}
    hexes = 0
    for s in new.values():
        hexes |= s
    orders: list[Order] = []
    if hexes:
        orders.append(Go(hexes, surround_preferences(c, rule, new), require, "surrounds a German unit"))
    caused = caused_by(g, u)
    if caused and not caused & g.ground.adjacent_units(c.start):
        goal = {x: s for x, s in surrounding_hexes(g, u).items() if caused >> x & 1}
        close = 0
        for x, s in goal.items():
            close |= s & g.ground.adjacent_units(x) & c.ends & within
        if close:
            orders.append(Go(close, surround_preferences(c, rule, goal), require, "beside the unit it surrounds"))
    return tuple(orders)


def surround_preferences(c: Check, rule: str, by_german: dict[Hex, Bits]) -> tuple[Preference, ...]:
    """a) most German units; b) adjacent to one of them; c) cuts a German unit's supply; d) away from Soviet units."""
    g, u = c.g, c.unit

    def caught(h: Hex) -> int:
        return sum(len(g.units(x)) for x, s in by_german.items() if s >> h & 1)

    def adjacent() -> Bits:
        found = 0
        for x, s in by_german.items():
            found |= s & g.ground.adjacent_units(x)
        return found

    def cuts(s: Bits) -> Bits:
        found = 0
        for h in members(s):
            if can_cut_german_supply(g, u, h):
                found |= 1 << h
        return found

    return (
        most(f"{rule}a", "surrounds the most German units", caught),
        those(f"{rule}b", "adjacent to the surrounded unit", adjacent),
        Preference(f"{rule}c", "keeps a German unit from tracing supply", cuts),
        those(f"{rule}d", "not adjacent to a Soviet unit", lambda: g.ground.all & ~beside(g, other_soviets(g, u))),
    )


def can_cut_german_supply(g: Board, u: Unit, h: Hex) -> bool:
    """Whether a German unit that can trace supply now could not with u in h."""
    before, after = field_of(g, GERMAN), field_if(g, scene_if(g, u, h), GERMAN)
    return any(x in before and x not in after for x in members(g.hexes_of(GERMAN)))


# --- 9.21.8, 9.22.8 lone approaches ----------------------------------------------------------------------------------


@fact(POSITION)
def lone_approaches(g: Board, u: Unit) -> dict[Hex, Bits]:
    """Hexes beside a German unit and not beside a Soviet unit that is beside the same one; with those German hexes.

    Only hexes that u might reach.
    """
    others, beside_it, here = other_soviets(g, u), g.ground.adjacent_units, g.place[u]
    known, found = _memo_of_approaches(g), dict[Hex, Bits]()
    for x in members(g.hexes_of(GERMAN) & g.ground.around(here, farthest(g, u) + 1)):
        around = beside_it(x)
        beside = around & others
        apart = known.get((x, beside))
        if apart is None:
            touched = union(beside_it(other) for other in members(beside))
            apart = known[x, beside] = members(around & ~touched)
        for h in apart:
            found[h] = found.get(h, 0) | 1 << x
    return found


@fact(FOREVER)
def _memo_of_approaches(g: Board) -> dict[tuple[Hex, Bits], list[Hex]]:
    """By a hex and where units beside it stand: the hexes beside it that are beside none of them."""
    return {}
