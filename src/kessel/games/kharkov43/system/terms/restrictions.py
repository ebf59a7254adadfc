"""9.23 Restrictions on Soviet movement, judged at the end of a unit's move by any method."""

from __future__ import annotations

from collections.abc import Iterable

from kessel.core.breakdown import Refusal
from kessel.core.facts import fact
from kessel.core.forces import Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import members
from kessel.games.kharkov43.board import GARRISON, ISOLATED, POSITION, Board
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.movement.movement import PROXIMITY, REGULAR, reach_of
from kessel.games.kharkov43.movement.proximity import could_enter, could_enter_against
from kessel.games.kharkov43.movement.zones import Scene, cover_without, scene_if, zoc
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
    """9.23 Why the unit will not end its move in h. The cheapest question comes first."""
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


def proximate_towns(g: Board, towns: Bits, units: Iterable[Unit], soviets: Scene | None = None) -> Bits:
    """Those of the open towns to which one of these German units is proximate, or would be if the Soviets stood so."""
    found = 0
    near, garrisons = g.map.grid.near, g.garrisons if soviets is None else soviets.garrisons
    for v in units:
        todo = towns & _close(g, v) & ~found
        if not todo:
            continue
        entered = could_enter(g, v) if soviets is None else could_enter_against(g, v, soviets)
        found |= entered & todo & ~garrisons
        for t in members(todo & garrisons):
            if entered & near[t]:
                found |= 1 << t
    return found


def _close(g: Board, v: Unit) -> Bits:
    """No hex outside can be one that the unit is proximate to."""
    return g.ground.around(g.place[v], g.allowance(v) + 1)


def let_loose(g: Board, units: Iterable[Unit], given_up: Bits) -> list[Unit]:
    """Those of the German units that could get further if these hexes were neither held nor controlled.

    They have to get there first, to stand there, or beside: from one controlled hex to another there is no step (10.1).
    """

    def touched(v: Unit) -> Bits:
        return reach_of(g, v, REGULAR, PROXIMITY).hexes | g.map.grid.near[g.place[v]] | 1 << g.place[v]

    return [v for v in units if _close(g, v) & given_up and touched(v) & given_up]


def supplied_towns(g: Board, towns: Bits) -> Bits:
    """Those of the open towns to which German supply can be traced."""
    return towns & field_of(g, GERMAN).hexes


@fact(POSITION)
def exposed_towns(g: Board) -> tuple[Bits, Bits]:
    """The open Soviet towns with a German unit proximate, and those in German supply, as the board stands."""
    towns = open_towns(g)
    return proximate_towns(g, towns, g.on_map_of(GERMAN)), supplied_towns(g, towns)


def why_not_expose(g: Board, u: Unit, h: Hex) -> Refusal | None:
    """9.23b No empty or garrisoned Soviet town or city comes within German reach or, GT4+, German supply."""
    start = g.place[u]
    lost = _given_up(g, u, h)
    towns = g.towns_of(SOVIET) & ~(other_soviets(g, u) | g.hexes_of(GERMAN) | 1 << h)
    if not lost or not towns:
        return None
    loose = [v for v in g.on_map_of(GERMAN) if towns & _close(g, v)]
    if not g.has_mark(h, GARRISON):
        loose = let_loose(g, loose, lost | g.map.grid.near[start] | 1 << start)
    if loose:
        near, _ = _exposed(g)
        if new := proximate_towns(g, towns & ~near, loose, scene_if(g, u, h)):
            name = g.ground.name(members(new)[0])
            return Refusal("9.23b", f"a German unit would become proximate to {name}")
    if g.turn < SUPPLY_FROM or not lost & field_of(g, GERMAN).hexes:
        return None
    _, supplied = _exposed(g)
    if new := towns & ~supplied & field_if(g, scene_if(g, u, h), GERMAN).hexes:
        return Refusal("9.23b", f"German supply could be traced to {g.ground.name(members(new)[0])}")
    return None


def _exposed(g: Board) -> tuple[Bits, Bits]:
    """The towns that are exposed already and do not count (a switch says whether the two situations are one)."""
    near, supplied = exposed_towns(g)
    if g.reads("town_exposure") == "one_situation":
        near = supplied = near | supplied * (g.turn >= SUPPLY_FROM)
    return near, supplied


def _given_up(g: Board, u: Unit, h: Hex) -> Bits:
    """The hexes that the move would leave without a Soviet unit or its control; the start, if nobody else is there.

    New German supply must come through one of them, so at least one must be in German supply already.
    """
    held = cover_without(g, u) | 1 << h | (g.map.grid.near[h] if not g.status[u] & ISOLATED else 0)
    lost = (g.hexes_of(SOVIET) | zoc(g, SOVIET)) & ~held
    return lost if other_soviets(g, u) >> g.place[u] & 1 else lost | 1 << g.place[u]
