"""9.4, 18.2-18.6 Artillery in combat: shifts for the attacker, +1 in a Determined Defense, range, Massive Barrage."""

from __future__ import annotations

from collections.abc import Iterable

from kessel.core.board import NOWHERE
from kessel.core.breakdown import Refusal
from kessel.core.facts import GAME, NOW, fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits
from kessel.core.hexset import bits, spread_through
from kessel.core.supply import Overland, overland
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import BAD_ORDER, COMBAT, FLIPPED, REMOVED, REPLACED, TRAIN, UNUSABLE, WAITING
from kessel.games.stalingrad42.combat.strength.strengths import Attack
from kessel.games.stalingrad42.data.forces import SOVIET
from kessel.games.stalingrad42.movement.ways.reach import vicinity
from kessel.games.stalingrad42.movement.ways.zones import enemy_bonds
from kessel.games.stalingrad42.supply.supply import trace
from kessel.wargame.board import other

OWN_NATION_ONLY = ("romanian", "hungarian", "italian")
"""18.3.3 HQs that help only with a unit of their own nationality."""


# --- 18.4 range ----------------------------------------------------------------------------------------------------


def in_a_box(g: Board, u: Unit) -> Refusal | None:
    """34.6.3 ASUs and Supply Points in a Holding Box serve nobody."""
    return Refusal("34.6.3", f"{g.name(u)} is not on the board") if g.place[u] == NOWHERE else None


def in_range(g: Board, side: Side, goal: Bits, hexes: int) -> Bits:
    """18.4 The hexes from which a path of so many hexes leads to one of the goal's.

    It enters no enemy-occupied hex, no enemy bond and no two EZOCs in a row, and crosses neither impassable hexsides
    nor Alpine ones off a road.
    """
    found, near = _ways_to(g, side, goal, max(g.forces.longest_range, hexes)), 0
    for here in found.at[:hexes]:
        near |= here
    return found.at[0] | spread_through(g.map.grid, near, found.blocked)


@fact(NOW)
def _ways_to(g: Board, side: Side, goal: Bits, most: int) -> Overland:
    t = trace(g, side)
    enter = g.ground.playable & ~g.sets[COMBAT + other(side)] & ~enemy_bonds(g, side).hexes | goal
    return overland(g.map.grid, goal, most, enter=enter, blocked=t.walls, lone=t.zone)


def can_reach(g: Board, u: Unit, units: Iterable[Unit]) -> bool:
    """18.4, 28.1.2 Whether an ASU or leader is in range of at least one of these units."""
    here, side = g.place[u], g.forces.side[u]
    units = list(units)
    if not g.map.is_hex(here):
        return any(g.place[v] == here for v in units)
    goal = bits(g.place[v] for v in units if g.on_map(v))
    hexes = g.forces.range[u]
    if not goal or not any(g.map.grid.distance(here, g.place[v]) <= hexes for v in units if g.on_map(v)):
        return False
    return bool(in_range(g, side, goal, hexes) >> here & 1)


# --- who can give support --------------------------------------------------------------------------------------------


def why_not_fit(g: Board, u: Unit) -> Refusal | None:
    """18.2.3, 13.2.1 Why an ASU is in no state to give any combat benefit."""
    s, name = g.status[u], g.name(u)
    if g.place[u] == NOWHERE:
        return Refusal("34.6.3", f"{name} is not on the map")
    if s & BAD_ORDER:
        return Refusal("18.2.3", f"{name} is not in Good Order")
    if s & TRAIN:
        return Refusal("18.2.3", f"{name} is under a Train marker")
    if s & REPLACED:
        return Refusal("18.2.3", f"{name} is under a Replacement marker")
    return None


def is_ready_point(g: Board, u: Unit) -> bool:
    """18.6.2, 18.6.8 A Supply Point on its Ready side, or a non-mobile one, neither railed nor shipped (18.6.7)."""
    if not g.forces.is_supply_point(u) or g.status[u] & (TRAIN | UNUSABLE):
        return False
    return g.forces.is_immobile(u) or g.face(u).support


def hosts(g: Board, point: Unit) -> list[Unit]:
    """18.6.5 The Good Order ASUs a Supply Point is stacked with."""
    side = g.forces.side[point]
    return [
        u
        for u in g.units(g.place[point])
        if g.forces.is_asu[u] and g.forces.side[u] == side and why_not_fit(g, u) is None
    ]


@fact(NOW)
def candidates(g: Board, side: Side) -> list[Unit]:
    """ASUs and Supply Points of a side that could give support: Ready and fit."""
    f, found = g.forces, []
    for u in support_units(g, side):
        if g.place[u] == NOWHERE:
            continue
        if f.is_asu[u]:
            if not g.status[u] & FLIPPED and why_not_fit(g, u) is None:
                found.append(u)
        elif is_ready_point(g, u) and hosts(g, u):
            found.append(u)
    return found


@fact(GAME)
def support_units(g: Board, side: Side) -> tuple[Unit, ...]:
    """All ASUs and Supply Points of a side's order of battle."""
    f = g.forces
    return tuple(u for u in f.units_of[side] if f.is_asu[u] or f.is_supply_point(u))


def _why_not_state(g: Board, u: Unit, side: Side) -> Refusal | None:
    f = g.forces
    if f.side[u] != side or not (f.is_asu[u] or f.is_supply_point(u)):
        return Refusal("9.4", f"{g.name(u)} is no Artillery Support Unit or Supply Point of yours")
    if f.is_asu[u]:
        if why := why_not_fit(g, u):
            return why
        if g.status[u] & FLIPPED:
            return Refusal("18.2.1", f"{g.name(u)} is on its Used side")
        return None
    if not is_ready_point(g, u):
        return Refusal("18.6.2", f"{g.name(u)} is not a Ready Supply Point")
    if not hosts(g, u):
        return Refusal("18.6.5", f"{g.name(u)} is not stacked with a Good Order ASU")
    return None


def _voices(g: Board, u: Unit) -> list[Unit]:
    """The ASUs that speak for a piece of artillery: itself, or those its Supply Point is stacked with."""
    return [u] if g.forces.is_asu[u] else hosts(g, u)


def _why_not_nation(g: Board, asu: Unit, units: Iterable[Unit]) -> Refusal | None:
    nation = g.forces.nation[asu]
    if nation in OWN_NATION_ONLY and not any(g.forces.nation[v] == nation for v in units):
        return Refusal("18.3.3", f"{g.name(asu)} helps only units of its own nationality")
    return None


# --- 18.3.1 offensive support ----------------------------------------------------------------------------------------


def why_not_shift(g: Board, u: Unit, a: Attack) -> Refusal | None:
    """Why an ASU or Supply Point may not give this attack an Artillery Shift."""
    if a.breakthrough:
        return Refusal("15.2.9", "Artillery Shifts are not allowed in Breakthrough Combat")
    if u in a.guns:
        return Refusal("18.3.1", f"{g.name(u)} supports this attack already")
    if why := _why_not_state(g, u, a.side):
        return why
    if a.guns and (why := _why_not_barrage(g, u, a.guns)):
        return why
    reasons = [_why_not_asu(g, asu, a) for asu in _voices(g, u)]
    return None if None in reasons else reasons[0]


def _why_not_asu(g: Board, asu: Unit, a: Attack) -> Refusal | None:
    if why := _why_not_nation(g, asu, a.units):
        return why
    here = g.place[asu]
    if not g.map.is_hex(here):
        if not g.map.box(here).hexes >> a.target & 1:
            return Refusal("18.3.3", f"{g.name(asu)} supports from its Entry Area only hexes at the map edge")
        return None
    if not can_reach(g, asu, a.units):
        return Refusal("18.4", f"no attacking unit is in range of {g.name(asu)}")
    return None


def _why_not_barrage(g: Board, u: Unit, guns: tuple[Unit, ...]) -> Refusal | None:
    """18.3.1, 18.5 One shift a combat; two with two Artillery Divisions, or one and a Front HQ."""
    if len(guns) > 1:
        return Refusal("18.5", "a Massive Barrage gives two shifts and no more")
    kinds = sorted(g.forces.asu[v] for v in (u, guns[0]))
    if kinds in (["artillery_division", "artillery_division"], ["artillery_division", "front_hq"]):
        return None
    if "artillery_division" in kinds:
        return Refusal("18.5", "an Artillery Division combines with another one or with a Front HQ")
    return Refusal("18.3.1", "no more than one column shift is allowed without an Artillery Division")


def offensive_guns(g: Board, a: Attack) -> list[Unit]:
    """All that may give this attack an Artillery Shift; those too far away are passed over at a glance."""
    size, place = g.map.grid.size, g.place
    near = vicinity(g, a.target, g.forces.longest_range + 1)
    able = [u for u in candidates(g, a.side) if (h := place[u]) >= size or near >> h & 1]
    return [u for u in able if why_not_shift(g, u, a) is None]


def fire(g: Board, u: Unit) -> None:
    """18.2.1, 18.5, 18.6.5 What an Artillery Shift costs: HQs flip, Artillery Divisions and Supply Points go."""
    f = g.forces
    if f.is_supply_point(u):
        g.tell(f"{g.name(u)} is spent for an Artillery Shift", "18.6.5", unit=g.id(u))
        g.take(u, WAITING)
    elif f.asu[u] == "artillery_division":
        g.tell(f"{g.name(u)} gives an Artillery Shift and leaves the game", "18.5", unit=g.id(u))
        g.take(u, REMOVED)
    else:
        g.tell(f"{g.name(u)} gives an Artillery Shift", "18.2.1", unit=g.id(u))
        g.set_status(u, FLIPPED)


# --- 18.3.2 defensive support ----------------------------------------------------------------------------------------


def why_not_lead_gun(g: Board, u: Unit, lead: Unit) -> Refusal | None:
    """11.3, 18.3.2 Why an ASU or Supply Point may not help a Determined Defense of that Lead Unit."""
    if g.forces.is_supply_point(u) and g.reads("sp_defensive_support") == "no":
        return Refusal("11.3", "only Air Units and ASUs give Defensive Support")
    if why := _why_not_state(g, u, g.forces.side[lead]):
        return why
    reasons = [_why_not_lead_asu(g, asu, lead) for asu in _voices(g, u)]
    return None if None in reasons else reasons[0]


def _why_not_lead_asu(g: Board, asu: Unit, lead: Unit) -> Refusal | None:
    if why := _why_not_nation(g, asu, (lead,)):
        return why
    here = g.place[asu]
    if not g.map.is_hex(here):
        if not g.map.box(here).hexes >> g.place[lead] & 1:
            return Refusal("18.3.3", f"{g.name(asu)} supports from its Entry Area only hexes at the map edge")
        return None
    if not can_reach(g, asu, (lead,)):
        return Refusal("18.4", f"{g.name(lead)} is out of the range of {g.name(asu)}")
    return None


def lead_guns(g: Board, lead: Unit) -> list[Unit]:
    return [u for u in candidates(g, g.forces.side[lead]) if why_not_lead_gun(g, u, lead) is None]


def defend_with(g: Board, u: Unit) -> None:
    """11.3 The ASU is flipped, a Supply Point is spent; an Artillery Division flips too (reading A49)."""
    f = g.forces
    if f.asu[u] == "artillery_division" and g.reads("defensive_artillery_division") == "removed":
        fire(g, u)
    elif f.is_supply_point(u):
        g.tell(f"{g.name(u)} is spent for Defensive Support", "18.3.2", unit=g.id(u))
        g.take(u, WAITING)
    else:
        g.tell(f"{g.name(u)} gives Defensive Support", "11.3", unit=g.id(u))
        g.set_status(u, FLIPPED)


def is_front(g: Board, u: Unit) -> bool:
    return g.forces.asu[u] == "front_hq" and g.forces.side[u] == SOVIET
