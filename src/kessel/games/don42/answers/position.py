"""Hand-written positions: see docs/positions-don42.md. Everything is checked; an error names its JSON path."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Literal

import msgspec

from kessel.core.analysis import board_of
from kessel.core.board import NOWHERE
from kessel.core.errors import BadInput
from kessel.core.forces import Side
from kessel.core.pack import Pack
from kessel.core.procedure import Procedure, run
from kessel.core.terrain import BoardDoc
from kessel.games.don42.answers.faults import faults
from kessel.games.don42.board import (
    ACTIVE,
    C_ACTIVE,
    C_RELEASED,
    DEFENDED,
    DESTROYED,
    DISORDER,
    FLAG_WORDS,
    G_COMBAT,
    G_MOTORIZED,
    G_MOVEMENT,
    GENERAL,
    NOBODY,
    PONTOON_WORDS,
    POSITION_PHASE,
    POSITION_WORDS,
    RECOVERY,
    S_BOMBARDMENT,
    S_COMBAT,
    S_MOVEMENT,
    STATUS_WORDS,
    SUPPLY_WORDS,
    Board,
)
from kessel.games.don42.combat.air import ALL_UNITS, AirPhase
from kessel.games.don42.combat.bombardment import BombardmentPhase
from kessel.games.don42.combat.combat import CombatPhase, let_answer
from kessel.games.don42.data.charts import QUALITIES, WEATHERS, Charts, charts_of, turn_name, turn_number
from kessel.games.don42.data.forces import GERMAN, SIDES, SIZES, SOVIET, Counter, Forces, parse_faces, read_counters
from kessel.games.don42.data.scenario import Scenario, read_scenario
from kessel.games.don42.data.terrain import DON, GORGE, MAJOR_ROAD, MINOR_ROAD, RAILROAD, VOLGA, canonical
from kessel.games.don42.movement.defensive_positions import PositionPhase
from kessel.games.don42.movement.movement_phase import MovementPhase
from kessel.games.don42.movement.weather import WeatherPhase
from kessel.games.don42.supply.activation import ActivationPhase
from kessel.games.don42.supply.airlift import SpendPoints
from kessel.games.don42.supply.supply import state_now
from kessel.games.don42.turn.recovery import RecoveryPhase
from kessel.wargame import positions as wargame
from kessel.wargame.reading import at_path, index_of, named_side, one_of

WORDS = {**STATUS_WORDS, **FLAG_WORDS}
FEATURES = ("soviet_source", "german_source", "road_exit", "entry", "airfield", "pontoon_site", "vp")
HEXSIDES = (DON, VOLGA, GORGE, "don", "volga")
"""Those of the rules, and the names of the rivers, which the drawing uses."""
LINKS = (MAJOR_ROAD, MINOR_ROAD, RAILROAD)
AIR_TYPES = ("dive_bomber", "bomber", "transport")
PLAIN_TURN = "Aug 25 AM"
"""A turn with no rule of its own: Operational Reserve is over (9.7), the priority die not yet due (9.6)."""
NO_SCENARIO = Scenario("position", 0, "Position", "17.0", "", 1, 38)
"""A position that names no scenario has no special rules."""


Count = Annotated[int, msgspec.Meta(ge=0, le=9999)]
Value = Annotated[int, msgspec.Meta(ge=0, le=99)]


class UnitDoc(wargame.UnitDoc, kw_only=True):
    """One unit: by the id of its counter, or with values of its own. `status`: DRG, DPT or RTD, and FLAG_WORDS."""

    side: str = ""
    type: str = ""
    size: str = ""
    faces: str = ""
    quality: str = ""
    motorized: bool | None = None
    division: str = ""
    corps: str = ""
    army: str = ""
    bombard: Value = 0
    sp: Value = 0
    supply: str = ""
    active: bool | None = None
    supply_points: Count = 0
    fuel: Count = 0
    ammo: Count = 0
    due: str = ""
    """Turn on which an eliminated HQ comes back."""


class PontoonDoc(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    hexside: str
    state: str = "ready"


class AirDoc(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    side: str
    units: Count | Literal["all"] = "all"
    """Air units still available besides transports."""
    supply_points_flown: Count = 0


class PositionDoc(wargame.PositionDoc, kw_only=True):
    turn: str | int = ""
    """Its name on the track, or its number (Aug 21 AM is 1); left out: the scenario's first, or a plain turn."""
    weather: str = "clear"
    units: list[UnitDoc] = msgspec.field(default_factory=list)
    supply: str = "assumed"
    """assumed: units are in Attack Supply unless they say otherwise; traced: their states are worked out."""
    activated: list[str] | None = None
    """Armies and Tank Corps that are activated; left out: all Soviets are."""
    released: list[str] = msgspec.field(default_factory=list)
    """Armies and Tank Corps out of Operational Reserve."""
    positions: dict[str, str] = msgspec.field(default_factory=dict)
    destroyed_bridges: list[str] = msgspec.field(default_factory=list)
    pontoons: list[PontoonDoc] = msgspec.field(default_factory=list)
    air: AirDoc | None = None
    control: dict[str, str] = msgspec.field(default_factory=dict)
    victory_points: dict[str, Count] = msgspec.field(default_factory=dict)
    volga_reached: bool = False
    """17.1.8 The XIV Panzer Corps has met its objective before."""
    contact: list[str] = msgspec.field(default_factory=list)
    """17.3.3 Divisions a supplied unit of 60 Mot reached last turn."""


PHASES: dict[str, tuple[int, Callable[[], Procedure], str]] = {
    "weather": (1, WeatherPhase, ""),
    "air": (2, AirPhase, "missions"),
    "positions": (POSITION_PHASE, PositionPhase, "build"),
    "activation": (4, ActivationPhase, "priority"),
    "soviet_movement": (S_MOVEMENT, lambda: MovementPhase(SOVIET, S_MOVEMENT), "move"),
    "soviet_bombardment": (S_BOMBARDMENT, BombardmentPhase, "choose_target"),
    "soviet_combat": (S_COMBAT, lambda: CombatPhase(SOVIET, S_COMBAT), "attack"),
    "german_movement": (G_MOVEMENT, lambda: MovementPhase(GERMAN, G_MOVEMENT), "move"),
    "german_combat": (G_COMBAT, lambda: CombatPhase(GERMAN, G_COMBAT), "attack"),
    "german_motorized": (G_MOTORIZED, lambda: MovementPhase(GERMAN, G_MOTORIZED), "move"),
    "recovery": (RECOVERY, RecoveryPhase, ""),
}
"""Number, procedure and first step of a phase a position can stand in; states are as given, not checked anew."""


def from_position(doc: PositionDoc, pack: Pack) -> Board:
    charts = charts_of(pack)
    m = board_of(doc, pack)
    if isinstance(doc.board, BoardDoc):
        hexes = sorted(w for w, row in charts.terrain.items() if row.kind == "hex")
        wargame.check_words(m, terrain=hexes, features=(*FEATURES, *hexes), hexsides=HEXSIDES, links=LINKS)
    name = wargame.known_scenario(doc, pack)
    scenario = read_scenario(pack, name) if name else NO_SCENARIO
    if one_of(("assumed", "traced"), doc.supply, "supply", "$.supply") == "assumed":
        scenario = replace(scenario, special={**scenario.special, "supply_assumed": True})
    forces = _forces(doc, pack, charts)
    charts.readings.chosen(doc.options, "$.options")
    g = Board(m, forces, charts, scenario, {**scenario.options, **doc.options})
    turn = (scenario.first_turn if doc.scenario else PLAIN_TURN) if doc.turn == "" else doc.turn
    g.set_track("turn", at_path("$.turn", turn_number, turn_name(turn) if isinstance(turn, int) else turn))
    g.set_track("weather", index_of(WEATHERS, doc.weather, "weather", "$.weather"))
    for u, unit in enumerate(doc.units):
        at_path(f"$.units[{u}]", _place_unit, g, u, unit)
    _count_arrivals(g)
    if scenario.says("attack_only_back"):
        for u in g.units_with(DEFENDED):
            let_answer(g, g.place[u])
    _place_markers(g, doc)
    _set_commands(g, doc)
    _set_supply(g, doc)
    if found := faults(g, stacking=False):
        raise BadInput(found[0], "$")
    _begin_phase(g, doc)
    return g


def _forces(doc: PositionDoc, pack: Pack, charts: Charts) -> Forces:
    printed = {c.id: c for c in pack.once(read_counters)}
    counters = wargame.counters_of(doc.units, printed, lambda unit, base: _counter(unit, base, charts))
    return at_path("$.units", Forces, counters, charts)


def _counter(doc: UnitDoc, base: Counter | None, charts: Charts) -> Counter:
    if base is None:
        for key in ("side", "type", "faces"):
            if not getattr(doc, key) and not (key == "faces" and doc.type in AIR_TYPES):
                raise BadInput(
                    f"there is no counter {doc.id}; a unit of your own needs side, type and faces", f"$.{key}"
                )
    side = named_side(SIDES, doc.side or (SIDES[base.side] if base else ""))
    kind = one_of(charts.types, doc.type or (base.type if base else ""), "type", "$.type")
    division = doc.division or (base.division if base else "")
    corps = doc.corps or (base.corps if base else "") or _corps_of(division, charts)
    faces = at_path("$.faces", parse_faces, doc.faces) if doc.faces else base.faces if base else ()
    if len(faces) > 2:
        raise BadInput("a counter has two sides at most", "$.faces")
    if any(value > 99 for face in faces for value in face):
        raise BadInput("a printed value is 99 at most", "$.faces")
    by_type = charts.types[kind].advance == "retreat" or (kind == "hq" and side == GERMAN)
    motorized = base.motorized if base else by_type
    return Counter(
        id=doc.id,
        side=side,
        type=kind,
        size=one_of(SIZES, doc.size or (base.size if base else _usual_size(doc, side)), "size", "$.size"),
        faces=faces,
        quality=one_of(QUALITIES, doc.quality or (base.quality if base else "C"), "quality", "$.quality"),
        motorized=motorized if doc.motorized is None else doc.motorized,
        name=base.name if base else doc.id,
        division=division,
        corps=_command(corps, charts, "$.corps"),
        army=_command(doc.army or (base.army if base else ""), charts, "$.army"),
        bombard=doc.bombard or (base.bombard if base else 0),
        sp=doc.sp or (base.sp if base else 0),
    )


def _usual_size(doc: UnitDoc, side: Side) -> str:
    """The size of a unit that does not tell it."""
    if doc.type == "hq":
        return "division" if doc.division else "army" if doc.army and not doc.corps else "corps"
    if doc.type in AIR_TYPES:
        return "air"
    return "battalion" if side == GERMAN else "brigade"


def _corps_of(division: str, charts: Charts) -> str:
    """4.3.1 The Corps of a German division."""
    return next((corps for corps, members in charts.divisions.items() if division in members), "")


def _command(name: str, charts: Charts, where: str) -> str:
    known = ("", "Kvch", *charts.german_corps, *charts.armies, *charts.tank_corps)
    return one_of(known, name, "command", where)


def _place_unit(g: Board, u: int, doc: UnitDoc) -> None:
    if doc.due:
        g.due[u] = at_path("$.due", turn_number, doc.due)
    g.steps[u] = 0 if doc.due else wargame.steps_left(g, u, doc)
    if doc.at:
        g.move(u, at_path("$.at", g.map.place if g.forces.air[u] else g.map.grid.hex, doc.at))
    else:
        g.move(u, NOWHERE)
    wargame.set_statuses(g, u, doc.status, WORDS)
    if (g.status[u] & DISORDER).bit_count() > 1:
        raise BadInput(f"{doc.id} has more than one of DRG, DPT and RTD", "$.status")
    if doc.due and (doc.at or not g.forces.hq[u]):
        raise BadInput(f"{doc.id} cannot be due to return: only an HQ off the map can", "$.due")
    g.sp[u], g.fuel[u], g.ammo[u] = doc.supply_points, doc.fuel, doc.ammo


def _count_arrivals(g: Board) -> None:
    """Of a line that brings in so many units of a formation, those on the map have come."""
    for x in g.schedule.lines:
        if x.line.any and x.line.turn < g.turn:
            g.entered[x.number] = min(x.limit, sum(g.on_map(u) for u in x.units))


def _place_markers(g: Board, doc: PositionDoc) -> None:
    for name, kind in doc.positions.items():
        h = at_path(f"$.positions.{name}", g.map.grid.hex, name)
        g.position[h] = 1 + index_of(POSITION_WORDS[1:], kind, "position", f"$.positions.{name}")
    for i, name in enumerate(doc.destroyed_bridges):
        side = at_path(f"$.destroyed_bridges[{i}]", g.map.grid.parse_hexside, name)
        if side not in g.ground.bridge_index:
            raise BadInput(f"there is no bridge at {name}", f"$.destroyed_bridges[{i}]")
        g.bridges[g.ground.bridge_index[side]] = DESTROYED
    if len(doc.pontoons) > len(g.pontoon_at):
        raise BadInput(f"there are {len(g.pontoon_at)} pontoon bridges", "$.pontoons")
    for i, p in enumerate(doc.pontoons):
        side = at_path(f"$.pontoons[{i}].hexside", g.map.grid.parse_hexside, p.hexside)
        if not g.ground.don[side % 6] >> side // 6 & 1:
            raise BadInput(f"{p.hexside} is no Minor River hexside", f"$.pontoons[{i}].hexside")
        if canonical(g.map.grid, side) in g.pontoon_at[:i]:
            raise BadInput(f"a pontoon is at {p.hexside} already", f"$.pontoons[{i}].hexside")
        g.pontoon_at[i] = canonical(g.map.grid, side)
        g.pontoon_state[i] = 1 + index_of(PONTOON_WORDS[1:], p.state, "state", f"$.pontoons[{i}].state")
    if doc.air is not None:
        g.set_track("air_side", named_side(SIDES, doc.air.side, "$.air.side") + 1)
        g.set_track("air_left", ALL_UNITS if doc.air.units == "all" else doc.air.units)
        g.set_track("flown_sp", doc.air.supply_points_flown)
    g.control[:] = bytes([NOBODY]) * len(g.control)
    for name, side_name in doc.control.items():
        h = at_path(f"$.control.{name}", g.map.grid.hex, name)
        index = next((i for i, (o, _) in enumerate(g.objectives) if o == h), None)
        if index is None:
            raise BadInput(f"{name} is no Victory Point hex", f"$.control.{name}")
        g.control[index] = named_side(SIDES, side_name, f"$.control.{name}")
    for u in range(len(g.forces)):
        if g.on_map(u) and not g.forces.air[u]:
            g.control_hex(g.place[u], g.forces.side[u])
    for side_name, vp in doc.victory_points.items():
        g.tracks[5 + named_side(SIDES, side_name, "$.victory_points")] = vp
    g.set_track("volga_met", int(doc.volga_reached))
    for i, division in enumerate(doc.contact):
        known = g.scenario.says("contact_supply") or ()
        if division not in known:
            raise BadInput(f"the scenario has no contact rule for {division}", f"$.contact[{i}]")
        g.set_track("contact", g.track("contact") | 1 << known.index(division))
    g.changed()


def _set_commands(g: Board, doc: PositionDoc) -> None:
    for name, command in g.scenario.commands.items():
        if (u := g.forces.find(name)) >= 0:
            g.command[u] = g.command_index(command)
    for key, names, flag in (("activated", doc.activated or [], C_ACTIVE), ("released", doc.released, C_RELEASED)):
        for i, name in enumerate(names):
            one_of((*g.charts.armies, *g.charts.tank_corps), name, "command", f"$.{key}[{i}]")
            g.commands[g.command_index(name)] |= flag
    for u, unit in enumerate(doc.units):
        if g.forces.side[u] != SOVIET:
            continue
        active = doc.activated is None or g.command_name(u) in doc.activated
        if unit.active if unit.active is not None else active:
            g.status[u] |= ACTIVE


def _set_supply(g: Board, doc: PositionDoc) -> None:
    for u, unit in enumerate(doc.units):
        if unit.supply:
            word = "out of supply" if unit.supply == "OOS" else unit.supply
            g.supply[u] = index_of(SUPPLY_WORDS, word, "supply", f"$.units[{u}].supply")
            if g.supply[u] == GENERAL and g.forces.side[u] == GERMAN:
                raise BadInput("German units have no General Supply (4.3)", f"$.units[{u}].supply")
        elif doc.supply == "traced" and g.on_map(u) and not g.forces.air[u]:
            g.supply[u] = state_now(g, u)
    g.changed()


def _begin_phase(g: Board, doc: PositionDoc) -> None:
    if not doc.phase:
        return
    number, _, step = PHASES[one_of(PHASES, doc.phase, "phase", "$.phase")]
    if doc.phase == "air" and doc.air is None:
        raise BadInput("the Air Phase needs the side that holds Air Superiority in air", "$.air")
    g.set_track("phase", number)
    g.stack = [phase_at_hand(g)]
    if number in (G_MOVEMENT, G_COMBAT, G_MOTORIZED) and any((*g.sp, *g.fuel, *g.ammo)):
        g.stack.append(SpendPoints())
    if step:
        run(g)


def phase_at_hand(g: Board) -> Procedure:
    """The phase a position stands in, at the step where somebody is asked."""
    _, make, step = next(row for row in PHASES.values() if row[0] == g.phase)
    p = make()
    if isinstance(p, AirPhase):
        p.side = g.track("air_side") - 1
    if step:
        p.at = p.index[step]
    return p
