"""Setting up a scenario."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from kessel.core.dice import Dice
from kessel.core.errors import BadPack
from kessel.core.hexes import NO_HEX, Bits, Hex, hex_list
from kessel.core.hexset import bits, members
from kessel.core.pack import Pack
from kessel.core.terrain import Map
from kessel.games.stalingrad42.board import ELSEWHERE, Board
from kessel.games.stalingrad42.columns import AIR_AWAY, AIR_READY, BUILT, ELIMINATED, FLIPPED, FROZEN
from kessel.games.stalingrad42.combat.strength.air import available_air
from kessel.games.stalingrad42.data.charts import WEATHERS, charts
from kessel.games.stalingrad42.data.forces import AXIS, SIDES, SOVIET, Forces, UnitSpec, read_counters
from kessel.games.stalingrad42.data.scenario import Entrant, Frozen, Scenario, read_scenario, sheets
from kessel.games.stalingrad42.data.terrain import FORT_GROUPS, ground
from kessel.games.stalingrad42.movement.entering import settle_control
from kessel.games.stalingrad42.sequence import opening
from kessel.games.stalingrad42.supply.railheads import repair_plain_lines
from kessel.games.stalingrad42.supply.railroads import rail_hexes


def new_board(pack: Pack, name: str, options: Mapping[str, str], dice: Dice) -> Board:
    """A board set up for a scenario, its main procedure on the stack."""
    c = charts(pack)
    scenario = read_scenario(pack, name)
    m = sheets(pack.map, scenario)
    supplying, frozen = _supplying(pack.map, m, scenario), (*scenario.frozen, *_idle(scenario))
    scenario = replace(scenario, supplying=supplying, frozen=frozen)
    forces = Forces(_specs(pack, scenario), c, pack.where("counters.csv"))
    g = Board(m, forces, c, scenario, c.readings.chosen({**options, **scenario.forced}))
    g.dice = dice
    g.turn = scenario.first_turn - 1
    g.weather = g.rolled = WEATHERS.index(scenario.weather)
    g.marsh = int(scenario.seasonal_marsh == "marsh")
    g.vp = scenario.victory.start_vp
    g.first = AXIS
    _units(g, scenario, pack)
    _markers(g, scenario)
    g.stack = opening(g)
    return g


def _supplying(whole: Map, m: Map, scenario: Scenario) -> dict[str, Bits]:
    """S2.2 In the Caucasus Campaign roads leading off the north edge supply the Axis west of hex 4440."""
    edge = scenario.special.get("north_edge")
    if not edge:
        return {}
    west = edge["supply_west_of"][:2]

    def leads_off(h: Hex) -> bool:
        here = whole.grid.hex(m.grid.name(h))
        six = enumerate(whole.grid.neighbours[here])
        roads = ground(whole).any_road
        return any(n != NO_HEX and roads[d] >> here & 1 and m.grid.find(whole.grid.name(n)) == NO_HEX for d, n in six)

    return {
        b.id: bits(h for h in members(b.hexes) if m.grid.name(h)[:2] < west and leads_off(h))
        for b in m.boxes
        if b.id == "NORTH_EDGE"
    }


def _idle(scenario: Scenario) -> list[Frozen]:
    """S1.2 Divisions of 1st Panzer Army that may not move or attack on Turn 1."""
    units = scenario.special.get("idle_first_turn", ())
    release = ({"kind": "turn", "turn": scenario.first_turn + 1},)
    return [Frozen("idle", "S1.2", tuple(units), release)] if units else []


def _specs(pack: Pack, scenario: Scenario) -> list[UnitSpec]:
    """The counters the scenario uses, and all Supply Points."""
    known = read_counters(pack)
    used = {e.id for _, e in scenario.setup} | set(scenario.eliminated)
    used |= {e.id for a in scenario.arrivals for e in a.units}
    used |= {e.id for several in scenario.boxes.values() for e in several}
    used |= {x for upgrade in scenario.upgrades for x in (upgrade.old, upgrade.new)}
    missing = sorted(used - set(known))
    if missing:
        raise BadPack(f"there is no counter {missing[0]}", pack.where(f"scenarios/{scenario.id}.toml"))
    return [s for s in known.values() if s.id in used or s.type == "supply"]


def place_entrant(g: Board, e: Entrant, place: int) -> int:
    """Bring a unit into play as a list names it."""
    u = g.forces.unit(e.id)
    g.put(u, place, steps=e.steps)
    if e.back:
        g.set_status(u, FLIPPED)
    return u


def _units(g: Board, scenario: Scenario, pack: Pack) -> None:
    for place, e in scenario.setup:
        if g.plays("leaders") or not g.forces.is_leader(g.forces.unit(e.id)):  # 28.0
            place_entrant(g, e, g.map.place(place))
    for name in scenario.eliminated:
        g.pool[g.forces.unit(name)] = ELIMINATED
    for e in scenario.boxes.get("bluecher", ()):
        if g.ground.kerch_boxes:
            place_entrant(g, e, g.ground.kerch_boxes[0])
    for group in scenario.frozen:
        for name in group.units:
            g.set_status(g.forces.unit(name), FROZEN)
    del pack


def _markers(g: Board, scenario: Scenario) -> None:
    doc = scenario.doc
    for h in members(g.ground.controllable):
        g.set_control(h, SOVIET)
    for name in doc.get("control", {}).get("axis", []):
        g.set_control(g.map.grid.hex(name), AXIS)
    settle_control(g)
    for side, word in enumerate(SIDES):
        for name in doc.get("fortifications", {}).get(word, []):
            g.set_fort(g.map.grid.hex(name), side, BUILT)
        for name in doc.get("planned_offensives", {}).get(word, []) if g.plays("planned_offensive") else ():
            g.offensives[g.forces.unit(name)] += 16
    for group in doc.get("forts", {}).get("deactivated", []):
        g.deactivated |= 1 << FORT_GROUPS.index(group)
    for name, battle in doc.get("contested", {}).items():
        g.city_battle[g.map.grid.hex(name)] = battle["level"] + 4 * (1 + SIDES.index(battle["defender"]))
    _rails(g, doc.get("railheads", {}))
    flying = available_air(g)  # S3.4: none in Overcast-W
    for i, name in enumerate(g.charts.table("air_units").rows):
        g.air[i] = AIR_READY if name in scenario.air and i in flying else AIR_AWAY
    g.happened(ELSEWHERE)


def _rails(g: Board, doc: Mapping[str, object]) -> None:
    rails = rail_hexes(g)
    start = g.map.area(str(doc.get("repaired_area", ""))) & rails
    for six in g.map.links_with("rail", "start_repaired"):
        start |= six
    for name in hex_list(str(doc.get("repaired", ""))):
        start |= 1 << g.map.grid.hex(name)
    heads = doc.get("hexes", [])
    assert isinstance(heads, list)
    for i, name in enumerate(heads):
        g.railheads[i] = g.map.grid.hex(name)
        start |= 1 << g.railheads[i]
    for h in members(start & rails):
        g.set_repaired(h)
    repair_plain_lines(g)
