"""9.23 Restrictions on Soviet movement, judged at the end of a unit's move by any method."""

from __future__ import annotations

from collections.abc import Iterable

from kessel.core.breakdown import Refusal
from kessel.core.facts import NOW, fact
from kessel.core.forces import Unit
from kessel.core.hexes import NO_HEX, Bits, Hex
from kessel.core.hexset import members
from kessel.games.kharkov43.board import GARRISON, ISOLATED, Board
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.movement.proximity import Stalker, could_enter_against, reach_of_stalker, stalkers
from kessel.games.kharkov43.movement.zones import Scene, cover_without, scene_if, scene_of, zoc
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


def proximate_towns(g: Board, towns: Bits, units: Iterable[Stalker], soviets: Scene) -> Bits:
    """Those of the open towns to which one of these German units is proximate where the Soviets stand so."""
    found = 0
    near, garrisons = g.map.grid.near, soviets.garrisons
    for v in units:
        todo = towns & v.close & ~found
        if not todo:
            continue
        entered = could_enter_against(g, v, soviets)
        found |= entered & todo & ~garrisons
        for t in members(todo & garrisons):
            if entered & near[t]:
                found |= 1 << t
    return found


def let_loose(g: Board, units: Iterable[Stalker], given_up: Bits) -> list[Stalker]:
    """Those of the German units that could get further if these hexes were neither held nor controlled.

    They have to get there first, to stand there, or beside: from one controlled hex to another there is no step (10.1).
    """
    soviets = scene_of(g, SOVIET)
    return [
        v
        for v in units
        if v.close & given_up and (v.beside & given_up or reach_of_stalker(g, v, soviets).hexes & given_up)
    ]


def supplied_towns(g: Board, towns: Bits) -> Bits:
    """Those of the open towns to which German supply can be traced."""
    return towns & field_of(g, GERMAN).hexes


def proximate_already(g: Board, towns: Bits) -> Bits:
    """Those of the towns that are open and have a German unit proximate as the board stands."""
    return proximate_towns(g, towns & open_towns(g), stalkers(g), scene_of(g, SOVIET))


def exposed_towns(g: Board) -> tuple[Bits, Bits]:
    """The open Soviet towns with a German unit proximate, and those in German supply, as the board stands."""
    return proximate_already(g, -1), supplied_towns(g, open_towns(g))


def why_not_expose(g: Board, u: Unit, h: Hex) -> Refusal | None:
    """9.23b No empty or garrisoned Soviet town or city comes within German reach or, GT4+, German supply."""
    start = g.place[u]
    lost = _given_up(g, u, h)
    towns = g.towns_of(SOVIET) & ~(other_soviets(g, u) | g.hexes_of(GERMAN) | 1 << h)
    if not lost or not towns:
        return None
    loose = [v for v in stalkers(g) if towns & v.close]
    if not g.has_mark(h, GARRISON):
        loose = let_loose(g, loose, lost | g.map.grid.near[start] | 1 << start)
    town = _newly_proximate(g, towns, loose, scene_if(g, u, h)) if loose else NO_HEX
    if town != NO_HEX:
        return Refusal("9.23b", f"a German unit would become proximate to {g.ground.name(town)}")
    if g.turn < SUPPLY_FROM or not lost & field_of(g, GERMAN).hexes:
        return None
    if new := towns & field_if(g, scene_if(g, u, h), GERMAN).hexes:
        new &= ~_supplied_already(g, new)
    if new:
        return Refusal("9.23b", f"German supply could be traced to {g.ground.name(members(new)[0])}")
    return None


def _newly_proximate(g: Board, towns: Bits, loose: list[Stalker], soviets: Scene) -> Hex:
    """The first of the towns to which one of these German units is proximate only where the Soviets stand so."""
    close = 0
    for v in loose:
        close |= v.close
    entered: dict[Unit, Bits] = {}
    for t in members(towns & close):
        there = 1 << t
        goal = g.map.grid.near[t] if soviets.garrisons & there else there
        for v in loose:
            if not v.close & there:
                continue
            if v.unit not in entered:
                entered[v.unit] = could_enter_against(g, v, soviets)
            if entered[v.unit] & goal:
                if not _near_already(g, there):
                    return t
                break
    return NO_HEX


def _near_already(g: Board, towns: Bits) -> Bits:
    """Those of the towns to which a German unit is proximate as the board stands: they do not count.

    A switch says whether reach and supply are one situation.
    """
    found = proximate_already(g, towns)
    if g.reads("town_exposure") == "one_situation" and g.turn >= SUPPLY_FROM:
        found |= supplied_towns(g, towns & open_towns(g))
    return found


def _supplied_already(g: Board, towns: Bits) -> Bits:
    """The same for German supply, from the game-turn on that it counts."""
    found = supplied_towns(g, towns & open_towns(g))
    return found | proximate_already(g, towns) if g.reads("town_exposure") == "one_situation" else found


def _given_up(g: Board, u: Unit, h: Hex) -> Bits:
    """The hexes that the move would leave without a Soviet unit or its control; the start, if nobody else is there.

    New German supply must come through one of them, so at least one must be in German supply already.
    """
    held = cover_without(g, u) | 1 << h | (g.map.grid.near[h] if not g.status[u] & ISOLATED else 0)
    lost = (g.hexes_of(SOVIET) | zoc(g, SOVIET)) & ~held
    return lost if other_soviets(g, u) >> g.place[u] & 1 else lost | 1 << g.place[u]
