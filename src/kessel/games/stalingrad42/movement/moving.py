"""Guards and bookkeeping of a move: who may be picked, what the ways cost, what a unit may do before it moves."""

from __future__ import annotations

from kessel.core.board import NOWHERE, Place
from kessel.core.breakdown import Refusal
from kessel.core.forces import Side, Unit
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import (
    ARRIVED,
    BAD_ORDER,
    DONE,
    EXTENDED,
    FLIPPED,
    FULL_RETREAT,
    JOINED,
    MOVED_FAR,
    OF_THE_PHASE,
    REPLACED,
)
from kessel.games.stalingrad42.combat.disruption import disrupt
from kessel.games.stalingrad42.data.forces import SIDES, SOVIET
from kessel.games.stalingrad42.movement.maskirovka import contents, has_received, is_army
from kessel.games.stalingrad42.movement.ways.costs import area_price
from kessel.games.stalingrad42.movement.ways.modes import why_not_leave
from kessel.games.stalingrad42.movement.ways.reach import Group, Toll, march_of, seekers
from kessel.games.stalingrad42.supply.resources import lose_offensives


def begin_movement(g: Board) -> None:
    """What counts by Movement Phase starts anew."""
    g.clear_status(OF_THE_PHASE | EXTENDED)
    for u in g.marked_with(SOVIET, JOINED):
        if not is_army(g, u):
            g.set_status(u, DONE)  # 34.4.1: joining took their whole Movement Allowance
    g.strategic_moves = g.box_moves = 0
    g.rail_used = g.rail_from_map = g.sea_azov = g.sea_black = g.kerch = g.ferry_rail = g.flotilla_set = 0


def why_not_select(g: Board, u: Unit, side: int) -> Refusal | None:
    """Why a unit may not be picked to move."""
    if g.forces.side[u] != side:
        return Refusal("3.B2", f"{g.name(u)} is not yours")
    if g.place[u] == NOWHERE:
        return Refusal("3.B2", f"{g.name(u)} is not on the map")
    if is_army(g, u) and has_received(g, u):
        return Refusal("34.3.1", f"{g.name(u)} has received units and may not move afterwards")
    return why_not_leave(g, u)


def reserved(g: Board, side: Side) -> set[Place]:
    """The hexes with Reserve markers of a side."""
    return {g.place[u] for u in g.reserves(side)}


def why_not_reserve(g: Board, units: tuple[Unit, ...], hexes: int) -> Refusal | None:
    """25.2 Good Order units that did not move, or moved one hex outside EZOCs; three markers a side."""
    if not g.plays("reserves"):
        return Refusal("25.0", "Reserves are not used in this game")
    here, side = g.place[units[0]], g.forces.side[units[0]]
    if not g.map.is_hex(here):
        return Refusal("25.2.1", "units in an Entry Area are not put in Reserve")
    for u in units:
        if g.status[u] & BAD_ORDER:
            return Refusal("25.2.1", f"{g.name(u)} is not in Good Order")
        if g.status[u] & (REPLACED | ARRIVED):
            return Refusal("25.2.1", f"{g.name(u)} has received a Replacement")
        if g.status[u] & MOVED_FAR or hexes > 1:
            return Refusal("25.2.1", f"{g.name(u)} has moved more than one hex or into an EZOC")
        if g.forces.is_immobile(u):
            return Refusal("18.6.8", f"{g.name(u)} moves only by rail or sea")
    if len(reserved(g, side) | {here}) > g.charts.table("markers").number("reserve", SIDES[side]):
        return Refusal("25.2.2", "all three Reserve markers are on the map")
    return None


def moved_far(g: Board, u: Unit) -> None:
    """18.2.2 An ASU that moves more than two hexes is Disrupted; 26.2 an HQ that does loses its Planned Offensive."""
    used = bool(g.status[u] & FLIPPED)
    if g.forces.is_asu[u] and (not used or g.reads("used_asu_disrupts") == "yes"):
        disrupt(g, u, "18.2.2")
    for hq in (u, *contents(g, u)) if is_army(g, u) else (u,):
        lose_offensives(g, hq)


def spend(g: Board, group: Group, way: tuple[Place, ...]) -> tuple[int, ...]:
    """What the way costs each unit, added to what it has spent."""
    by_class: dict[tuple[int, int], int] = {}
    areas, land = 0, way
    if not g.map.is_hex(way[-1]):
        areas, land = area_price(g.charts).total, way[:-1]
    if len(group.units) == 1:
        cost = level_of(g, group, land)
        return ((group.spent[0] if group.spent else 0) + cost + areas,)
    who = seekers(g, group)
    for s in who:
        paid = level_of(g, group, land) if len(who) == 1 else Toll(g, group, s).of(land)
        assert paid is not None
        by_class[g.forces.mech[s.unit], g.forces.mountain[s.unit]] = paid + areas
    before = group.spent or (0,) * len(group.units)
    return tuple(b + by_class[g.forces.mech[u], g.forces.mountain[u]] for b, u in zip(before, group.units, strict=True))


def level_of(g: Board, group: Group, land: tuple[Place, ...]) -> int:
    """The searched cost of a way: of its last hex, or of its only step."""
    march = march_of(g, group)
    assert march is not None
    if len(land) <= 1:
        return march.first[land[0]] if land else 0
    return march.level(land[-1])


def why_not_full_retreat(g: Board, units: tuple[Unit, ...]) -> Refusal | None:
    """13.1.3 Good Order and Disrupted Combat Units may go into Full Retreat of their own will before they move."""
    for u in units:
        if not g.forces.combat[u]:
            return Refusal("13.1.1", f"{g.name(u)} is a Non-Combat Unit and always in Good Order")
        if g.status[u] & FULL_RETREAT:
            return Refusal("13.1.3", f"{g.name(u)} is in Full Retreat already")
    return None


def why_not_flip(g: Board, u: Unit) -> Refusal | None:
    """18.6.2 A Supply Point may be flipped to either side before it moves."""
    if not g.forces.is_supply_point(u) or g.forces.back[u] is None:
        return Refusal("18.6.2", f"{g.name(u)} is not a Supply Point with two sides")
    return None
