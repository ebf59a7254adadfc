"""8.1, 8.2 Who may attack what."""

from __future__ import annotations

from collections.abc import Sequence

from kessel.core.board import NOWHERE, Place
from kessel.core.breakdown import Refusal
from kessel.core.facts import NOW, fact
from kessel.core.forces import NO_UNIT, Side, Unit
from kessel.core.hexes import NO_HEX, Bits, Hex
from kessel.core.hexset import bits, members, spread, spread_along
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import (
    ABLE,
    ACTIVATED,
    ARRIVED,
    ATTACKED,
    AUTO_DS,
    COMBAT,
    DEFENDED,
    DISENGAGED,
    DISRUPTED,
    EXTENDED,
    FROZEN,
    FULL_RETREAT,
    MOVED,
    REPLACED,
    RESERVE,
    RETREATED,
    RETREATING,
    TRAIN,
)
from kessel.games.stalingrad42.combat.strength.fortifications import is_under_construction
from kessel.games.stalingrad42.data.forces import AXIS, AXIS_ALLIES, SIDES
from kessel.games.stalingrad42.movement.ways.crossings import may_step, passable
from kessel.games.stalingrad42.movement.ways.stacking import stacking_limit
from kessel.games.stalingrad42.movement.ways.zones import enemy_bonds, is_contested
from kessel.wargame.board import other

BUSY = int(
    (DISRUPTED | FULL_RETREAT | TRAIN | REPLACED | ARRIVED | AUTO_DS | EXTENDED | ATTACKED | RESERVE | DISENGAGED)
    | ACTIVATED
)
"""States in which a unit does not attack; `why_not_join_attack` gives the rule for each."""


def why_not_join_attack(g: Board, u: Unit) -> Refusal | None:
    """Why a unit may not attack at all now."""
    f, s, name = g.forces, g.status[u], g.name(u)
    if g.place[u] == NOWHERE:
        return Refusal("8.1", f"{name} is not on the map")
    if not f.combat[u]:
        return Refusal("19.3", f"{name} is a Non-Combat Unit and may not attack")
    if s & BUSY:
        return _why_not_busy(g, u)
    if f.is_asu[u]:
        return Refusal("18.2.1", f"{name} is an Artillery Support Unit: it supports attacks")
    if not g.face(u).attack:
        return Refusal("8.1", f"{name} has no Attack Strength")
    if s & FROZEN and f.side[u] == AXIS:
        return Refusal("S1.2", f"{name} may not attack until it is released")
    return why_not_place(g, g.place[u], u)


def _why_not_busy(g: Board, u: Unit) -> Refusal:
    s, name = g.status[u], g.name(u)
    for flag, rule, reason in (
        (DISRUPTED, "13.2.1", "is Disrupted and may not attack"),
        (FULL_RETREAT, "13.3.2", "is in Full Retreat and may not attack"),
        (TRAIN, "5.6.4", "is under a Train marker and may not attack"),
        (REPLACED, "21.4", "received a Replacement and may not attack"),
        (ARRIVED, "20.8", "arrived in this turn and may not attack"),
        (AUTO_DS, "8.6.1", "made an Automatic DS and takes no part in regular combat"),
        (EXTENDED, "2.3.2", "used Extended Movement and may not attack"),
        (ATTACKED, "8.1", "has attacked in this Combat Phase"),
        (RESERVE, "25.2.3", "is in Reserve and may not attack"),
        (ACTIVATED, "25.2.3", "came out of Reserve and may not attack"),
        (DISENGAGED, "27.2.1", "tried to disengage and may not attack"),
    ):
        if s & flag:
            return Refusal(rule, f"{name} {reason}")
    raise AssertionError("a state of BUSY has no rule")


def why_not_place(g: Board, place: Place, u: Unit) -> Refusal | None:
    """What in its place keeps a unit from attacking out of it."""
    side = g.forces.side[u]
    if not g.map.is_hex(place):
        if g.status[u] & MOVED:
            return Refusal("22.7", f"{g.name(u)} moved and may not attack onto the map")
        if g.box_side(place) != side:
            return Refusal("22.7", "units attack onto the map from friendly Entry Areas")
        return None
    if is_under_construction(g, place, side):
        return Refusal("9.7.2", f"no attack is allowed out of {g.hex_name(place)}: a Fortification is being built")
    for v in g.units(place):
        if g.status[v] & REPLACED:
            return Refusal("21.4", f"{g.name(v)} received a Replacement: no attack is allowed out of its hex")
    return None


def why_not_way(g: Board, u: Unit, target: Hex) -> Refusal | None:
    """Why a unit may not attack from its place into a hex: adjacency, terrain, Contested Cities, Entry Areas."""
    here = g.place[u]
    name, where = g.name(u), g.hex_name(target)
    if not g.map.is_hex(here):
        if not g.map.box(here).hexes >> target & 1:
            return Refusal("22.7", f"{where} is not next to {g.where(here, 'Entry Area {}')}")
        return None
    if here == target:
        return None
    if is_contested(g, here):
        return Refusal("29.1.3", f"{name} is in a Contested City hex and may not attack out of it")
    grid = g.map.grid
    if not grid.near[here] >> target & 1:
        return Refusal("8.1", f"{name} is not next to {where}")
    d = grid.offsets.index(target - here)
    if not may_step(g, u, here, d):
        return _why_not_hexside(g, u, target, d)
    if g.reads("bonds_bar_attacks") == "yes":
        bonds = enemy_bonds(g, g.forces.side[u])
        if bonds.sides[d] >> here & 1 or bonds.hexes >> target & 1:
            return Refusal("8.1", f"an enemy ZOC Bond lies between {name} and {where}")
    return None


def _why_not_hexside(g: Board, u: Unit, target: Hex, d: int) -> Refusal:
    here, name = g.place[u], g.name(u)
    where = g.map.grid.between(here * 6 + d)
    if g.ground.volga[d] >> here & 1:
        return Refusal("9.5.3", f"the Volga may be attacked across only where {name} could cross it")
    if g.map.side_has(here, d, "lake"):
        return Refusal("9.5.6", f"the lake {where} is not frozen")
    if (g.season.alpine[d] | g.map.sides("alpine")[d]) >> here & 1 or g.map.terrain[target] == "alpine":
        return Refusal("9.6.2", f"only Mountain units may attack across the Alpine hexside {where}, before Winter")
    return Refusal("8.1", f"{name} may not enter {g.hex_name(target)} over the side {where} in the Movement Phase")


def why_not_target(g: Board, target: Hex, side: Side, *, again: bool = False) -> Refusal | None:
    """Why a hex may not be attacked; `again` for Breakthrough Combat, which may attack units a second time (15.3)."""
    if not g.map.is_hex(target) or not exposed(g, side) >> target & 1:
        if g.map.is_hex(target) and g.sets[COMBAT + other(side)] >> target & 1:
            return Refusal("13.3.2", "the units there are in Full Retreat and give way by themselves")
        return Refusal("8.1", "there is no enemy Combat Unit in that hex")
    if not g.sets[COMBAT + other(side)] >> target & 1:
        return Refusal("8.1", f"only a Reserve Army is in {g.hex_name(target)}: it is entered") if again else None
    if again:
        return None
    units = [u for u in g.units(target) if g.forces.side[u] != side and g.forces.combat[u]]
    met = [u for u in units if g.status[u] & DEFENDED]
    if len(met) == len(units) or any(not g.status[u] & RETREATED for u in met):
        return Refusal("8.1", f"{g.name(met[0])} has been attacked in this Combat Phase")
    return None


def exposed(g: Board, side: Side) -> Bits:
    """The hexes a side may attack: those with enemy Combat Units, and Reserve Armies, which hide units (34.6.2)."""
    found = g.sets[COMBAT + other(side)]
    if g.reads("full_retreat_attacked") == "no":
        found &= ~g.sets[RETREATING + other(side)]
    if side == AXIS and any(g.assigned):
        found |= bits(g.place[a] for a in g.forces.reserve_armies if g.on_map(a))
    return found


def _is_fresh(g: Board, target: Hex, side: Side) -> bool:
    """`why_not_target` for a hex known to hold enemy Combat Units."""
    f, status, under = g.forces, g.status, g._under
    fresh = not g.sets[COMBAT + other(side)] >> target & 1  # only a Reserve Army
    u = g._top[target]
    while u >= 0:
        if f.side[u] != side and f.combat[u]:
            s = status[u]
            if not s & DEFENDED:
                fresh = True
            elif not s & RETREATED:
                return False
        u = under[u]
    return fresh


def may_not_mix(g: Board, units: Sequence[Unit]) -> bool:
    """Whether `why_not_mix` can have anything against some of these units attacking together."""
    nation, place, size = g.forces.nation, g.place, g.map.grid.size
    return any(place[u] >= size or nation[u] in AXIS_ALLIES for u in units)


def why_not_mix(g: Board, units: Sequence[Unit], target: Hex) -> Refusal | None:
    """Why these units may not attack together: Axis Allies (20.5.1), the edge of an Entry Area (22.7)."""
    nation, place, size = g.forces.nation, g.place, g.map.grid.size
    nations = {n for u in units if (n := nation[u]) in AXIS_ALLIES}
    if len(nations) > 1:
        one, two = sorted(nations)[:2]
        return Refusal("20.5.1", f"{one.title()} and {two.title()} units may not take part in the same attack")
    boxes = {p for u in units if (p := place[u]) >= size}
    for box in boxes:
        if why := _why_not_edge(g, [u for u in units if g.place[u] == box], target):
            return why
    return None


def _why_not_edge(g: Board, units: list[Unit], target: Hex) -> Refusal | None:
    """22.7 Attackers in an Entry Area stack at its edge as if hexes went on there."""
    free = [u for u in units if g.forces.free_stacking[u]]
    side = g.forces.side[units[0]]
    hqs = g.units(g.place[units[0]])
    limit, slots, _ = stacking_limit(g, hqs, side)
    edges = sum(1 for n in g.map.grid.neighbours[target] if n == NO_HEX) or 1
    if len(units) - min(len(free), slots * edges) > limit * edges:
        return Refusal("22.7", f"no more than {limit} units may attack from each hex beyond the {SIDES[side]} map edge")
    return None


def why_not_attack(g: Board, u: Unit, target: Hex, side: Side) -> Refusal | None:
    """Everything that keeps one unit out of an attack on a hex."""
    if g.forces.side[u] != side:
        return Refusal("8.1", f"{g.name(u)} is not yours")
    return why_not_join_attack(g, u) or why_not_way(g, u, target)


# --- lists ---------------------------------------------------------------------------------------------------------


@fact(NOW)
def able(g: Board, side: Side) -> dict[Place, list[Unit]]:
    """The units of a side that may attack now, by place: those `why_not_join_attack` has nothing against."""
    found = {}
    enemy = exposed(g, side)
    near = (spread(g.map.grid, enemy) | enemy) & g.sets[COMBAT + side]
    known = _known_able(g, side)
    for h in members(near):
        units = known.get(h)
        if units is None:
            units = known[h] = _able_in(g, h, side)
        if units:
            found[h] = units
    for place in g.ground.entry_boxes:
        if g.map.box(place).hexes & enemy and g._top[place] != NO_UNIT:
            units = [u for u in g.units(place) if g.forces.side[u] == side and why_not_join_attack(g, u) is None]
            if units:
                found[place] = units
    return found


def _known_able(g: Board, side: Side) -> dict[Hex, list[Unit]]:
    """What `_able_in` said of hexes in which nothing has changed since."""
    key, touched = (*g.fort_hexes,), g.take_touched(ABLE + side)
    known: tuple[tuple[int, ...], dict[Hex, list[Unit]]] | None = g.old.get(("able", side))
    if known is None or known[0] != key:
        found: dict[Hex, list[Unit]] = {}
    elif touched:
        found = {h: units for h, units in known[1].items() if not touched >> h & 1}
    else:
        found = known[1].copy()
    g.old["able", side] = (key, found)
    return found


def _able_in(g: Board, h: Hex, side: Side) -> list[Unit]:
    """`why_not_join_attack` for all units of a hex at once."""
    f, status, under, steps = g.forces, g.status, g._under, g.steps
    found: list[Unit] = []
    u = g._top[h]
    while u >= 0:
        s = status[u]
        if s & REPLACED:
            return []
        able_ = not s & BUSY and f.side[u] == side and f.combat[u] and not f.is_asu[u] and f.faces[u][steps[u]].attack
        if able_ and not (s & FROZEN and side == AXIS):
            found.append(u)
        u = under[u]
    return [] if found and g.fort_hexes[side] and is_under_construction(g, h, side) else found


@fact(NOW)
def attackers_of(g: Board, target: Hex, side: Side) -> list[Unit]:
    """The units that may attack a hex now."""
    ready, slow = able(g, side), must_look(g)
    found: list[Unit] = []
    for d, n in enumerate(g.map.grid.neighbours[target]):
        units = ready.get(n)
        if not units:
            continue
        back = (d + 3) % 6
        for u in units:
            if (slow and why_not_way(g, u, target) is None) or (not slow and passable(g, u).all[back] >> n & 1):
                found.append(u)
    found.extend(ready.get(target, ()))
    for place in g.ground.entry_boxes:
        if place in ready and g.map.box(place).hexes >> target & 1:
            found.extend(ready[place])
    return found


def must_look(g: Board) -> bool:
    """Whether more than the terrain may bar an attack: Contested Cities, the Flotilla, a reading of bonds."""
    if g.flotilla or g.reads("bonds_bar_attacks") == "yes":
        return True
    return bool(g.sets[COMBAT] & g.sets[COMBAT + 1])


@fact(NOW)
def targets(g: Board, side: Side) -> list[Hex]:
    """The hexes that may be attacked now."""
    slow = must_look(g)
    return [
        h
        for h in members(_reach_of(g, side) & exposed(g, side))
        if _is_fresh(g, h, side) and (not slow or attackers_of(g, h, side))
    ]


def _reach_of(g: Board, side: Side) -> Bits:
    """All hexes next to units that may attack, over hexsides they may cross."""
    grid, f, reach = g.map.grid, g.forces, 0
    one, places = [-1] * 4, [0] * 4
    slow = must_look(g)
    for place, units in able(g, side).items():
        if place >= grid.size:
            reach |= g.map.box(place).hexes
        elif slow:
            reach |= grid.near[place] | 1 << place
        else:
            here = 1 << place
            for u in units:
                kind = f.mech[u] + 2 * f.mountain[u]
                one[kind] = u
                places[kind] |= here
    for u, hexes in zip(one, places, strict=True):
        if hexes:
            reach |= spread_along(grid, hexes, passable(g, u).all)
    return reach
