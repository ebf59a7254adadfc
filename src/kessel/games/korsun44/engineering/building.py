"""15.2.2-15.2.5, 18.3.1 Repairing and building bridges and railroads."""

from __future__ import annotations

from kessel.core.breakdown import Refusal
from kessel.core.facts import FOREVER, NOW, fact
from kessel.core.forces import NO_UNIT, Side, Unit
from kessel.core.hexes import Hex, Hexside
from kessel.core.hexset import filled
from kessel.games.korsun44.board import (
    BRIDGE_OK,
    BUILDING,
    BUILT,
    DESTROYED,
    DISORDER,
    GERMAN,
    INTACT,
    J_BRIDGE,
    K_BRIDGE,
    NEW,
    NO_BRIDGE,
    ON_BRIDGES,
    OUT,
    PRINTED,
    RAIL_CUT,
    RAIL_REPAIR,
    REPAIRING,
    SOVIET,
    Board,
)
from kessel.games.korsun44.data.forces import BARRAGE
from kessel.games.korsun44.engineering.bridges import (
    break_bridge,
    ends_of,
    engineers,
    is_river,
    standing,
)
from kessel.games.korsun44.movement.zones import zone_of
from kessel.games.korsun44.supply.stage import paying_sdm

BRIDGERS = {"bridge_K": K_BRIDGE, "bridge_J": J_BRIDGE}

# --- who works -----------------------------------------------------------------------------------------------------


def why_not_work(g: Board, side: Side, u: Unit, rule: str, points: int = 0) -> Refusal | None:
    """15.0, 14.3 Why an engineer may not work: each once a phase, in supply, with points from its SDM."""
    if g.forces.side[u] != side or not g.on_map(u) or not g.forces.engineer[u]:
        return Refusal(rule, f"{g.name(u)} is no engineer of yours on the map")
    if g.status[u] & BUILT:
        return Refusal(rule, f"{g.name(u)} has worked in this phase")
    if g.status[u] & DISORDER:
        return Refusal("12.17.2", f"{g.name(u)} is Disorganized or in Regroup")
    if g.status[u] & OUT:
        return Refusal("13.5.1", f"{g.name(u)} is out of supply")
    if points and paying_sdm(g, u, points) == NO_UNIT:
        return Refusal("14.3", f"the SDM that supplies {g.name(u)} has not enough Supply Points")
    return None


def spend(g: Board, u: Unit, points: int) -> None:
    """14.3 The SDM that supplies an engineer pays; the engineer has worked."""
    if points:
        s = paying_sdm(g, u, points)
        g.set_sp(s, g.sdm_sp[s] - points)
    g.set_status(u, BUILT)


def why_not_control(g: Board, side: Side, bridge: Hexside, rule: str) -> Refusal | None:
    """15.2.2, 18.3.1 Both hexes must be controlled."""
    if any(h < 0 or g.control[h] != side or g.enemies_in(h, side) for h in ends_of(g, bridge)):
        return Refusal(rule, "both hexes of the hexside must be under your control")
    return None


def why_not_hold(g: Board, side: Side, bridge: Hexside, rule: str) -> Refusal | None:
    """15.2.2 Both hexes must be controlled, and held by a unit where the enemy has a zone."""
    if why := why_not_control(g, side, bridge, rule):
        return why
    for h in ends_of(g, bridge):
        if zone_of(g, 1 - side) >> h & 1 and not g.of_side(h, side):
            return Refusal(rule, f"{g.hex_name(h)} is in an enemy zone and needs a unit of yours")
    return None


def beside(g: Board, u: Unit, bridge: Hexside) -> bool:
    return g.place[u] in ends_of(g, bridge)


# --- 15.2.2 repair -------------------------------------------------------------------------------------------------


def is_railroad_only(g: Board, i: int) -> bool:
    """15.2.2 A railroad bridge: no road crosses there."""
    h, d = divmod(g.bridge_at[i], 6)
    return bool(g.ground.railroad[d] >> h & 1) and not g.ground.roads[d] >> h & 1


def destroyed(g: Board, bridge: Hexside) -> int:
    return next((i for i in g.bridge_of(bridge) if g.bridge_state[i] == DESTROYED), -1)


def repair_streams(g: Board, side: Side) -> None:
    """15.2.2 Destroyed bridges over streams are repaired by themselves where their conditions hold."""
    for i in filled(g.bridge_state):
        bridge = g.bridge_at[i]
        if g.bridge_state[i] != DESTROYED or is_river(g, bridge) or is_railroad_only(g, i):
            continue
        if why_not_hold(g, side, bridge, "15.2.2") is None and _stream_workers(g, side, bridge):
            _finish(g, side, i, "15.2.2", "repaired")


def _stream_workers(g: Board, side: Side, bridge: Hexside) -> bool:
    ends = ends_of(g, bridge)
    near = [u for h in ends for u in g.of_side(h, side) if g.forces.role[u] != BARRAGE]
    if side == SOVIET and any(g.forces.counters[u].size == "division" for u in near):
        return True
    most, far = g.charts.constants.engineer_distance, g.map.grid.distance
    return any(far(g.place[u], h) <= most for u in engineers(g, side) for h in ends)


def _finish(g: Board, side: Side, i: int, rule: str, word: str) -> None:
    name = g.map.grid.hexside_name(g.bridge_at[i])
    g.set_bridge(i, INTACT)
    g.bridge_owner[i] = side
    g.tell(f"the bridge {g.map.grid.between(g.bridge_at[i])} is {word}", rule, hexside=name)


def go_on_building(g: Board, side: Side) -> None:
    """15.2.2-15.2.4 Bridges begun in an earlier phase: a die for repairs and new bridges, none for K and J bridges."""
    for i in filled(g.bridge_state):
        if g.bridge_state[i] not in (REPAIRING, BUILDING) or g.bridge_owner[i] != side:
            continue
        bridge, kind = g.bridge_at[i], g.bridge_kind[i]
        if kind in (K_BRIDGE, J_BRIDGE):
            _finish(g, side, i, "15.2.4", "completed")
            continue
        rule = "15.2.2" if kind == PRINTED else "15.2.3"
        if why_not_hold(g, side, bridge, rule) is not None:
            continue
        die = g.die()
        if g.charts.bridges.at(str(die), "repair") == "done":
            _finish(g, side, i, rule, f"{'repaired' if kind == PRINTED else 'completed'}: {die}")
        else:
            g.tell(f"the bridge {g.map.grid.between(bridge)} is not ready: {die}", rule)


def why_not_repair(g: Board, side: Side, bridge: Hexside, u: Unit) -> Refusal | None:
    """15.2.2 Why an engineer may not begin to repair a river bridge."""
    i = destroyed(g, bridge)
    if i < 0 or not is_river(g, bridge):
        return Refusal("15.2.2", f"no destroyed river bridge is {g.map.grid.between(bridge)}")
    if is_railroad_only(g, i):
        return Refusal("15.2.2", "railroad bridges are not repaired")
    if why := why_not_work(g, side, u, "15.2.2", g.charts.constants.bridge_points):
        return why
    if not beside(g, u, bridge):
        return Refusal("15.2.2", f"{g.name(u)} is not next to the bridge")
    return why_not_hold(g, side, bridge, "15.2.2")


def repair(g: Board, side: Side, bridge: Hexside, u: Unit) -> None:
    spend(g, u, g.charts.constants.bridge_points)
    i = destroyed(g, bridge)
    g.set_bridge(i, REPAIRING)
    g.bridge_owner[i] = side
    g.tell(f"{g.name(u)} begins to repair the bridge {g.map.grid.between(bridge)}", "15.2.2", unit=g.id(u))


# --- 15.2.3, 15.2.4 new bridges --------------------------------------------------------------------------------------


def free_slot(g: Board) -> int:
    first = len(g.ground.bridges)
    return g.bridge_state.find(NO_BRIDGE, first)


def is_bridged(g: Board, bridge: Hexside) -> bool:
    """15.2 Whether a bridge stands over a hexside or is being made."""
    return any(g.bridge_state[i] != DESTROYED for i in g.bridge_of(bridge))


def why_not_bridge(g: Board, bridge: Hexside, rule: str) -> Refusal | None:
    """15.2.3 A new bridge goes over a stream or river that has none, or a destroyed one."""
    h, d = divmod(bridge, 6)
    if not (g.ground.river[d] | g.ground.stream[d]) >> h & 1:
        return Refusal(rule, "no stream or river is there")
    if is_bridged(g, bridge):
        return Refusal(rule, "a bridge is there, or being made")
    return Refusal(rule, "no bridge marker is left") if free_slot(g) < 0 else None


def builders(g: Board, side: Side) -> frozenset[str]:
    """15.2.3 Soviet army and German korps level engineers; construction engineers with that reading."""
    if side == SOVIET:
        return frozenset({"army"})
    more = {"construction"} if g.reads("construction_builds") == "yes" else set()
    return frozenset({"korps", *more})


def why_not_build(g: Board, side: Side, bridge: Hexside, u: Unit) -> Refusal | None:
    """15.2.3 Why an engineer may not begin a new bridge."""
    if why := why_not_work(g, side, u, "15.2.3", g.charts.constants.bridge_points):
        return why
    if not g.forces.engineer[u] & builders(g, side):
        return Refusal("15.2.3", "only Soviet army and German korps engineers build new bridges")
    if not beside(g, u, bridge):
        return Refusal("15.2.3", f"{g.name(u)} is not next to the hexside")
    return why_not_bridge(g, bridge, "15.2.3") or why_not_hold(g, side, bridge, "15.2.3")


def _begin(g: Board, side: Side, bridge: Hexside, kind: int, state: int) -> int:
    i = free_slot(g)
    g.bridge_at[i] = g.map.grid.canonical(bridge)
    g.bridge_kind[i], g.bridge_owner[i], g.bridge_flags[i] = kind, side, BRIDGE_OK
    g.set_bridge(i, state)
    return i


def build(g: Board, side: Side, bridge: Hexside, u: Unit) -> None:
    spend(g, u, g.charts.constants.bridge_points)
    _begin(g, side, bridge, NEW, BUILDING)
    g.tell(f"{g.name(u)} begins a bridge {g.map.grid.between(bridge)}", "15.2.3", unit=g.id(u))


def bridger_kind(g: Board, u: Unit) -> int:
    """15.2.4 The kind of bridge a bridge engineer lays; PRINTED for none."""
    return next((kind for word, kind in BRIDGERS.items() if word in g.forces.engineer[u]), PRINTED)


def why_not_lay(g: Board, side: Side, bridge: Hexside, u: Unit) -> Refusal | None:
    """15.2.4 Why a bridge engineer may not lay its bridge."""
    if side != GERMAN or not g.on_map(u) or bridger_kind(g, u) == PRINTED:
        return Refusal("15.2.4", f"{g.name(u)} is no German bridge engineer on the map")
    if g.status[u] & (BUILT | DISORDER):
        return Refusal("15.2.4", f"{g.name(u)} has worked in this phase, or is in disorder")
    if not beside(g, u, bridge):
        return Refusal("15.2.4", f"{g.name(u)} is not next to the hexside")
    if why := why_not_bridge(g, bridge, "15.2.4"):
        return why
    a, b = ends_of(g, bridge)
    far = b if g.place[u] == a else a
    if g.enemies_in(far, side):
        return Refusal("15.2.4", f"an enemy unit is in {g.hex_name(far)}")
    if zone_of(g, SOVIET) >> far & 1 and not g.of_side(far, side):
        return Refusal("15.2.4", f"{g.hex_name(far)} is in an enemy zone and needs a German unit")
    return None


def lay(g: Board, side: Side, bridge: Hexside, u: Unit) -> None:
    """15.2.4 One to five: the bridge is ready; six: in the next phase."""
    die = g.die()
    ready = g.charts.bridges.at(str(die), "brucke") == "done"
    kind = bridger_kind(g, u)
    _begin(g, side, bridge, kind, INTACT if ready else BUILDING)
    g.set_status(u, BUILT)
    word = "stands" if ready else "is ready next turn"
    letter = "K" if kind == K_BRIDGE else "J"
    g.tell(f"the {letter} bridge {g.map.grid.between(bridge)} {word}: {die}", "15.2.4", unit=g.id(u))


def why_not_remove(g: Board, side: Side, bridge: Hexside, u: Unit) -> Refusal | None:
    """15.2.4 A bridge engineer beside it takes up a K or J bridge."""
    if side != GERMAN or not g.on_map(u) or bridger_kind(g, u) == PRINTED or g.status[u] & (BUILT | DISORDER):
        return Refusal("15.2.4", f"{g.name(u)} is no bridge engineer that can work")
    if not beside(g, u, bridge):
        return Refusal("15.2.4", f"{g.name(u)} is not next to the bridge")
    if not any(g.bridge_kind[i] == bridger_kind(g, u) for i in g.bridge_of(bridge)):
        return Refusal("15.2.4", "no bridge of its kind is there")
    return None


def remove(g: Board, bridge: Hexside, u: Unit) -> None:
    for i in g.bridge_of(bridge):
        if g.bridge_kind[i] == bridger_kind(g, u):
            break_bridge(g, i)
            break
    g.set_status(u, BUILT)
    g.tell(f"{g.name(u)} takes up the bridge {g.map.grid.between(bridge)}", "15.2.4", unit=g.id(u))


# --- 18.3.1 improvement --------------------------------------------------------------------------------------------


def why_not_improve(g: Board, side: Side, bridge: Hexside, u: Unit) -> Refusal | None:
    """18.3.1, Q50 Why an engineer may not make a bridge fit for heavy tanks."""
    if side != GERMAN or not g.plays("bridge_collapse"):
        return Refusal("18.3.1", "bridges are not improved in this game")
    if why := why_not_work(g, side, u, "18.3.1", g.charts.constants.improve_points):
        return why
    able = {"korps", "construction"}
    if g.reads("bridge_improvers") == "all_three":
        able |= set(BRIDGERS)
    if not g.forces.engineer[u] & able:
        return Refusal("18.3.1", f"{g.name(u)} does not improve bridges")
    i = standing(g, bridge)
    if i < 0 or g.bridge_kind[i] != PRINTED or g.bridge_flags[i] & BRIDGE_OK:
        return Refusal("18.3.1", "no bridge that can be improved stands there")
    if not beside(g, u, bridge):
        return Refusal("18.3.1", f"{g.name(u)} is not next to the bridge")
    return why_not_control(g, side, bridge, "18.3.1")


def improve(g: Board, bridge: Hexside, u: Unit) -> None:
    spend(g, u, g.charts.constants.improve_points)
    g.bridge_flags[standing(g, bridge)] |= BRIDGE_OK
    g.happened(ON_BRIDGES)
    g.tell(f"the bridge {g.map.grid.between(bridge)} carries heavy tanks", "18.3.1", unit=g.id(u))


# --- 15.2.5 railroads ----------------------------------------------------------------------------------------------


def why_not_repair_rail(g: Board, side: Side, u: Unit) -> Refusal | None:
    """15.2.5 Why a construction engineer may not work on a cut railroad."""
    if side != GERMAN or not g.on_map(u) or "construction" not in g.forces.engineer[u]:
        return Refusal("15.2.5", f"{g.name(u)} is no German construction engineer on the map")
    if not g.works[g.place[u]] & (RAIL_CUT | RAIL_REPAIR):
        return Refusal("15.2.5", f"the railroad is not cut in {g.hex_name(g.place[u])}")
    return why_not_work(g, side, u, "15.2.5", g.charts.constants.rail_points)


def repair_rail(g: Board, u: Unit) -> None:
    """15.2.5 The first point turns the marker over, the second takes it off."""
    h = g.place[u]
    spend(g, u, g.charts.constants.rail_points)
    if g.works[h] & RAIL_CUT:
        g.set_works(h, RAIL_CUT, on=False)
        g.set_works(h, RAIL_REPAIR)
        g.tell(f"{g.name(u)} begins to repair the railroad in {g.hex_name(h)}", "15.2.5", unit=g.id(u))
    else:
        g.set_works(h, RAIL_REPAIR, on=False)
        g.tell(f"the railroad in {g.place_words(h)} is repaired", "15.2.5", unit=g.id(u))


def rail_menders(g: Board) -> list[Unit]:
    """The engineers where a railroad is cut."""
    cut = g.works_of(RAIL_CUT | RAIL_REPAIR)
    return [u for u in engineers(g, GERMAN) if g.place[u] in cut] if cut else []


# --- lists ---------------------------------------------------------------------------------------------------------


@fact(NOW)
def water_beside(g: Board, side: Side) -> list[tuple[Hexside, Unit]]:
    """Every stream and river hexside beside an engineer that has not worked in this phase, with the engineer."""
    idle = [u for u in engineers(g, side) if not g.status[u] & BUILT]
    return [(s, u) for u in idle for s in _water_around(g, g.place[u])]


def at_broken(g: Board, side: Side) -> list[tuple[Hexside, Unit]]:
    """Those of them where a printed bridge is down."""
    broken = g.broken()
    return [one for one in water_beside(g, side) if one[0] in broken] if broken else []


def for_builders(g: Board, side: Side) -> list[tuple[Hexside, Unit]]:
    """Those of engineers that build new bridges, where there is none."""
    able = builders(g, side)
    return [(s, u) for s, u in water_beside(g, side) if g.forces.engineer[u] & able and not is_bridged(g, s)]


def for_bridgers(g: Board, side: Side) -> list[tuple[Hexside, Unit]]:
    """Those of German bridge engineers."""
    if side != GERMAN:
        return []
    return [one for one in water_beside(g, side) if bridger_kind(g, one[1]) != PRINTED]


def for_improvers(g: Board, side: Side) -> list[tuple[Hexside, Unit]]:
    """All of the Germans where bridges are improved, and one stands."""
    if side != GERMAN or not g.plays("bridge_collapse"):
        return []
    there = g.bridges()
    return [one for one in water_beside(g, side) if one[0] in there]


@fact(FOREVER)
def _water_around(g: Board, h: Hex) -> tuple[Hexside, ...]:
    around = enumerate(g.map.grid.neighbours[h])
    wet = [d for d, n in around if n >= 0 and (g.ground.river[d] | g.ground.stream[d]) >> h & 1]
    return tuple(g.map.grid.canonical(h * 6 + d) for d in wet)
