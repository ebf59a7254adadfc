"""9.23 Restrictions on Soviet movement, judged at the end of a unit's move by any method."""

from __future__ import annotations

from kessel.core.breakdown import Refusal
from kessel.core.facts import NOW, fact
from kessel.core.forces import Unit
from kessel.core.hexes import NO_HEX, Bits, Hex
from kessel.core.hexset import bits, members
from kessel.games.kharkov43.board import GARRISON, ISOLATED, POSITION, Board
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.movement.proximity import (
    Stalker,
    could_enter_against,
    is_german_proximate,
    reach_of_stalker,
    stalkers_near,
)
from kessel.games.kharkov43.movement.zones import cover_without, scene_if, scene_of, scene_without, zoc
from kessel.games.kharkov43.supply.supply import can_trace, field_if, field_of
from kessel.games.kharkov43.supply.support import limit_of
from kessel.games.kharkov43.system.terms.terminology import (
    caused_by,
    caused_from,
    other_soviets,
)

SUPPLY_FROM = 4
"""9.23b, d: restrictions that speak of supply begin on this game-turn."""
MARSH_UNTIL = 6


def why_not_permitted(g: Board, u: Unit, h: Hex) -> Refusal | None:
    """9.23 Why the unit will not end its move in h: often asked by one method after the other."""
    kept = _memo_of_permits(g)
    if (u, h) not in kept:
        kept[u, h] = _why_not_permitted(g, u, h)
    return kept[u, h]


@fact(NOW)
def _memo_of_permits(g: Board) -> dict[tuple[Unit, Hex], Refusal | None]:
    return {}


def _why_not_permitted(g: Board, u: Unit, h: Hex) -> Refusal | None:
    """The cheapest question comes first."""
    return (
        _why_not_marsh(g, u, h)
        or _why_not_unsurround(g, u, h)
        or why_not_leave_edge(g, u)
        or _why_not_cut_supply(g, u, h)
        or why_not_expose(g, u, h)
    )


def _why_not_unsurround(g: Board, u: Unit, h: Hex) -> Refusal | None:
    """9.23a A surrounded German unit stays surrounded, unless it is isolated or the unit starts beyond the limit."""
    causing = caused_by(g, u)
    freed = causing and causing & ~caused_from(g, u, h)
    if not freed or not limit_of(g, g.forces.higher[u]) >> g.place[u] & 1:
        return None
    for x in members(freed):
        if not all(g.status[v] & ISOLATED for v in g.units_of(x, GERMAN)):
            return Refusal("9.23a", f"the German unit in {g.hex_name(x)} would no longer be surrounded")
    return None


def why_not_leave_edge(g: Board, u: Unit) -> Refusal | None:
    """9.23c A map-edge VP hex to which Soviet supply can be traced is not left vacant."""
    start = g.place[u]
    if g.ground.edge_vps >> start & 1 and g.is_alone(u) and can_trace(g, start, SOVIET):
        return Refusal("9.23c", f"the map-edge VP hex {g.hex_name(start)} would become vacant")
    return None


def _why_not_marsh(g: Board, u: Unit, h: Hex) -> Refusal | None:
    """9.23e"""
    if g.turn <= MARSH_UNTIL and g.map.terrain[h] == "marsh" and g.is_mech(u):
        return Refusal("9.23e", "a mechanized unit does not end its move in marsh")
    return None


def _why_not_cut_supply(g: Board, u: Unit, h: Hex) -> Refusal | None:
    """9.23d No Soviet unit loses its line of supply; a move into a German VP hex is free of this.

    A unit matters to others only where it stands alone in an enemy-controlled hex.
    """
    if g.turn < SUPPLY_FROM or g.towns_of(GERMAN) >> h & 1:
        return None
    before, start = field_of(g, SOVIET), g.place[u]
    alone = zoc(g, GERMAN) >> start & 1 and g.is_alone(u)
    after = field_if(g, scene_if(g, u, h), SOVIET) if alone else before
    if start in before and h not in after:
        return _loses(g, u)
    if before.hexes & ~after.hexes:
        for v in g.on_map_of(SOVIET):
            if v != u and g.place[v] in before and g.place[v] not in after:
                return _loses(g, v)
    return None


def _loses(g: Board, u: Unit) -> Refusal:
    return Refusal("9.23d", f"{g.name(u)} would be unable to trace supply")


# --- 9.23b exposed towns ---------------------------------------------------------------------------------------------


def open_towns(g: Board) -> Bits:
    """Empty or garrisoned Soviet towns and cities."""
    return g.towns_of(SOVIET) & ~g.hexes_of(SOVIET) & ~g.hexes_of(GERMAN)


def supplied_towns(g: Board, towns: Bits) -> Bits:
    """Those of the open towns to which German supply can be traced."""
    return towns & field_of(g, GERMAN).hexes


def exposed_towns(g: Board) -> tuple[Bits, Bits]:
    """The open Soviet towns with a German unit proximate, and those in German supply, as the board stands."""
    towns = open_towns(g)
    return bits(t for t in members(towns) if is_german_proximate(g, t)), supplied_towns(g, towns)


def why_not_expose(g: Board, u: Unit, h: Hex) -> Refusal | None:
    """9.23b No empty or garrisoned Soviet town or city comes within German reach or, GT4+, German supply."""
    lost = _given_up(g, u, h)
    if not lost:
        return None
    town = _newly_proximate(g, u, h)
    if town != NO_HEX:
        return Refusal("9.23b", f"a German unit would become proximate to {g.ground.name(town)}")
    if g.turn < SUPPLY_FROM or not lost & field_of(g, GERMAN).hexes:
        return None
    towns = _left_open(g, u) & ~(1 << h)
    towns &= ~supplied_towns(g, towns & open_towns(g))
    if new := towns and towns & field_if(g, scene_if(g, u, h), GERMAN).hexes:
        new &= ~_supplied_already(g, new)
    if new:
        return Refusal("9.23b", f"German supply could be traced to {g.ground.name(members(new)[0])}")
    return None


def _left_open(g: Board, u: Unit) -> Bits:
    """The Soviet towns that are open if u is in none of them."""
    return g.towns_of(SOVIET) & ~(other_soviets(g, u) | g.hexes_of(GERMAN))


def _newly_proximate(g: Board, u: Unit, h: Hex) -> Hex:
    """The first of the open towns to which a German unit is proximate only if u goes to h."""
    let_in = _let_in(g, u, h if g.has_mark(h, GARRISON) else NO_HEX)
    if not let_in:
        return NO_HEX
    soviets = scene_if(g, u, h)
    for t, goal, units in let_in:
        if t != h and any(could_enter_against(g, v, soviets) & goal for v in units):
            return t
    return NO_HEX


@fact(POSITION)
def _let_in(g: Board, u: Unit, relieved: Hex) -> tuple[tuple[Hex, Bits, tuple[Stalker, ...]], ...]:
    """The open towns that would be exposed if u stood nowhere, in ascending order: where a German unit has to get to,
    and the units that can.

    Wherever u goes, it is in the way of the Germans: they get no further than that. `relieved`: a garrisoned hex that
    it enters. What they gain is what u holds or controls, which they have to reach first.
    """
    near, start = g.map.grid.near, g.place[u]
    given_up = near[start] | 1 << start
    if relieved != NO_HEX:
        given_up |= near[relieved] | 1 << relieved
    towns, now = _left_open(g, u), scene_of(g, SOVIET)
    loose = [
        v
        for v in stalkers_near(g, given_up)
        if v.close & towns and (v.beside & given_up or reach_of_stalker(g, v, now).hexes & given_up)
    ]
    if not loose:
        return ()
    without = scene_without(g, u, relieved)
    garrisoned = towns & without.garrisons
    units: dict[Hex, list[Stalker]] = {}
    for v in loose:
        entered = could_enter_against(g, v, without)
        for t in members(entered & towns & ~garrisoned):
            units.setdefault(t, []).append(v)
        for t in members(garrisoned & v.close):
            if entered & near[t]:
                units.setdefault(t, []).append(v)
    return tuple(
        (t, near[t] if garrisoned >> t & 1 else 1 << t, tuple(units[t]))
        for t in sorted(units)
        if not _is_near_already(g, t)
    )


def _is_near_already(g: Board, t: Hex) -> bool:
    """Whether the town is open and has a German unit proximate as the board stands: then it does not count.

    A switch says whether reach and supply are one situation.
    """
    if not open_towns(g) >> t & 1:
        return False
    if is_german_proximate(g, t):
        return True
    return g.reads("town_exposure") == "one_situation" and g.turn >= SUPPLY_FROM and bool(supplied_towns(g, 1 << t))


def _supplied_already(g: Board, towns: Bits) -> Bits:
    """The same for German supply, from the game-turn on that it counts."""
    towns &= open_towns(g)
    found = supplied_towns(g, towns)
    if g.reads("town_exposure") == "one_situation":
        found |= bits(t for t in members(towns & ~found) if is_german_proximate(g, t))
    return found


def _given_up(g: Board, u: Unit, h: Hex) -> Bits:
    """The hexes that the move would leave without a Soviet unit or its control; the start, if nobody else is there.

    New German supply must come through one of them, so at least one must be in German supply already.
    """
    alone = _held_alone(g, u)
    lost = alone & ~(1 << h if g.status[u] & ISOLATED else g.map.grid.near[h] | 1 << h)
    return lost | 1 << g.place[u] if g.is_alone(u) else lost


@fact(POSITION)
def _held_alone(g: Board, u: Unit) -> Bits:
    """The hexes that no other Soviet unit stands in or controls."""
    return (g.hexes_of(SOVIET) | zoc(g, SOVIET)) & ~cover_without(g, u)
