"""Hand-written positions (docs/positions-korsun44.md)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from kessel.core.analysis import board_of
from kessel.core.errors import BadInput
from kessel.core.pack import Pack
from kessel.core.procedure import Procedure
from kessel.core.terrain import BoardDoc
from kessel.games.korsun44.answers.counters import UnitDoc, forces_for
from kessel.games.korsun44.board import (
    BOXES,
    BREAKOUT,
    BRIDGE_OK,
    BUILDING,
    COMBAT,
    DECLARED,
    DESTROYED,
    DISPLACED,
    ENGINEERING,
    EVENTS,
    FACING,
    FIXED_SDM,
    FORD_GERMAN,
    FORD_SOVIET,
    INTACT,
    IP,
    J_BRIDGE,
    K_BRIDGE,
    MINES,
    MINES_BUILDING,
    MOVEMENT,
    NEW,
    OWN,
    PRINTED,
    RAIL_CUT,
    RAIL_REPAIR,
    RELAY,
    REPAIRING,
    REPLACEMENTS,
    SIDES,
    STATUS_WORDS,
    STORED,
    STRUCK,
    SUPPLY_STAGE,
    Board,
)
from kessel.games.korsun44.combat.phase import CombatPhase
from kessel.games.korsun44.data.charts import FROZEN, GROUNDS, VISIBILITIES, charts_of
from kessel.games.korsun44.data.forces import ALARM, GERMAN, SDM, SOVIET
from kessel.games.korsun44.data.scenario import Level, Scenario, read_scenario
from kessel.games.korsun44.data.terrain import LAKE, LINKS, RIVER, STREAM, SWAMP
from kessel.games.korsun44.engineering.building import free_slot
from kessel.games.korsun44.engineering.phase import EngineeringPhase
from kessel.games.korsun44.movement.phase import MovementPhase
from kessel.games.korsun44.special.barrage import BarrageSegment
from kessel.games.korsun44.special.declarations import SpecialDeclarations
from kessel.games.korsun44.special.waves import BreakoutPhase
from kessel.games.korsun44.supply.air_supply import AirSupplyStage
from kessel.games.korsun44.supply.determination import determine
from kessel.games.korsun44.supply.phases import SupplyStage, note_sources
from kessel.games.korsun44.turn.reinforcements import ReinforcementSegment
from kessel.games.korsun44.turn.replacements import ReplacementSegment
from kessel.games.korsun44.turn.special_replacements import SpecialReplacements
from kessel.wargame.positions import PositionDoc as WargamePositionDoc
from kessel.wargame.positions import begin, check_words, known_scenario, set_statuses, steps_left
from kessel.wargame.reading import Words, at_path, index_of, named_hex, named_unit, one_of, words

NO_SCENARIO = Scenario(
    id="", number=0, title="", dates="", summary="", aims=("", ""), first_turn=1, last_turn=25,
    areas=(), control="nearest", minefields=0, options={}, setup=(), levels=(Level("draw", "", -999),),
)  # fmt: skip
Begun = tuple[int, int, Callable[[], Sequence[Procedure]]]


def _both(word: str, phase: int, make: Callable[[int], Procedure]) -> dict[str, Begun]:
    return {f"{side}_{word}": (s, phase, lambda s=s: [make(s)]) for s, side in enumerate(SIDES)}  # type: ignore[misc]


PHASES: dict[str, Begun] = {
    "supply": (SOVIET, SUPPLY_STAGE, lambda: [SupplyStage()]),
    "air_supply": (SOVIET, SUPPLY_STAGE + 1, lambda: [AirSupplyStage()]),
    "soviet_barrage": (SOVIET, EVENTS, lambda: [BarrageSegment()]),
    "german_declarations": (GERMAN, EVENTS, lambda: [SpecialDeclarations()]),
    **_both("replacements", REPLACEMENTS, ReplacementSegment),
    "german_special_replacements": (GERMAN, REPLACEMENTS, lambda: [SpecialReplacements(GERMAN)]),
    **_both("reinforcements", REPLACEMENTS, ReinforcementSegment),
    **_both("movement", MOVEMENT, MovementPhase),
    **_both("combat", COMBAT, CombatPhase),
    **_both("engineering", ENGINEERING, EngineeringPhase),
    "breakout": (GERMAN, BREAKOUT, lambda: [BreakoutPhase()]),
}
"""Whose phase it is, its number, and what is then going on."""
WORDS = {**STATUS_WORDS, "struck": STRUCK}
"""The statuses of a unit in a position: its markers, and what 12.1.4 and 12.1.6 remember of earlier segments."""
SDM_WORDS = {"displaced": DISPLACED, "relay": RELAY, "isolated": FIXED_SDM, "stored": STORED}
STATES = {"intact": INTACT, "destroyed": DESTROYED, "repairing": REPAIRING, "building": BUILDING}
KINDS = {"printed": PRINTED, "new": NEW, "K": K_BRIDGE, "J": J_BRIDGE}
TERRAINS = ("clear", "woods", "forest", "town", "dnepr")
FEATURES = ("village", "hilltop", "rail_terminal", "airfield", "german_source", "soviet_source")


class BridgeDoc(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    state: str = "intact"
    kind: str = "printed"
    """new, K and J bridges need no road."""
    owner: str = ""
    ok: bool = False
    """18.3 It carries heavy tanks."""


class BarrageDoc(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    hex: str
    shifts: int
    army: str


class MinesDoc(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    facing: str = ""
    """The first of its three hexsides, clockwise: a direction of the grid, or the hex beyond it. Left out: the field is
    under construction."""


class PositionDoc(WargamePositionDoc, kw_only=True):
    turn: int = 1
    ground: str = GROUNDS[FROZEN]
    visibility: str = VISIBILITIES[0]
    units: list[UnitDoc] = msgspec.field(default_factory=list)
    supply: str = "stated"
    """stated: as the units say; determined: the Supply Determination Phase has just been held."""
    bridges: dict[str, BridgeDoc] = msgspec.field(default_factory=dict)
    improved_positions: Words = msgspec.field(default_factory=list)
    minefields: dict[str, MinesDoc] = msgspec.field(default_factory=dict)
    rail_cuts: Words = msgspec.field(default_factory=list)
    rail_repairs: Words = msgspec.field(default_factory=list)
    fords: dict[str, str] = msgspec.field(default_factory=dict)
    control: dict[str, str] = msgspec.field(default_factory=dict)
    combats: Words = msgspec.field(default_factory=list)
    """Hexes with a combat marker."""
    barrage: list[BarrageDoc] = msgspec.field(default_factory=list)
    air: dict[str, int] = msgspec.field(default_factory=dict)
    replacement_points: dict[str, dict[str, int]] = msgspec.field(default_factory=dict)
    tracks: dict[str, int | str] = msgspec.field(default_factory=dict)
    released: Words = msgspec.field(default_factory=list)
    """Korps that need not hold a continuous front."""


def from_position(doc: PositionDoc, pack: Pack) -> Board:
    charts = charts_of(pack)
    scenario = read_scenario(pack, known_scenario(doc, pack)) if doc.scenario else NO_SCENARIO
    options = charts.readings.chosen({**scenario.options, **doc.options}, "$.options")
    m = board_of(doc, pack)
    if isinstance(doc.board, BoardDoc):
        check_words(m, terrain=TERRAINS, features=FEATURES, hexsides=(STREAM, RIVER, SWAMP, LAKE), links=LINKS)
    g = Board(m, forces_for(doc.units, pack, charts), charts, scenario, options)
    _set_tracks(g, doc)
    for i, unit in enumerate(doc.units):
        at_path(f"$.units[{i}]", _place, g, unit)
    for i, unit in enumerate(doc.units):
        if unit.supplied_by:
            s = named_unit(g, unit.supplied_by, f"$.units[{i}].supplied_by", on_map=False)
            g.supplier[g.forces.unit(unit.id)] = s
    _set_works(g, doc)
    _set_bridges(g, doc)
    _set_markers(g, doc)
    for side in (SOVIET, GERMAN):
        note_sources(g, side)
    if one_of(("stated", "determined"), doc.supply, "way of supply", "$.supply") == "determined":
        for side in (SOVIET, GERMAN):
            determine(g, side)
    if doc.phase in PHASES:
        g.set_track("phasing", PHASES[doc.phase][0])
        g.set_track("phase", PHASES[doc.phase][1])
    g.changed()
    begin(g, doc, {name: make for name, (_, _, make) in PHASES.items()})
    return g


def _set_tracks(g: Board, doc: PositionDoc) -> None:
    if not 1 <= doc.turn <= len(g.charts.turns):
        raise BadInput(f"the track has turns 1 to {len(g.charts.turns)}", "$.turn")
    g.set_track("turn", doc.turn)
    g.set_track("condition", index_of(GROUNDS, doc.ground, "ground", "$.ground"))
    g.set_track("visibility", index_of(VISIBILITIES, doc.visibility, "visibility", "$.visibility"))
    for name, value in doc.tracks.items():
        where = f"$.tracks.{name}"
        one_of(g.track_names[5:], name, "track", where)
        if isinstance(value, str):
            value = named_hex(g, value, where) + 1
        if not 0 <= value < 30000:
            raise BadInput(f"a track shows 0 or more, not {value}", where)
        g.set_track(name, value)
    for name, n in doc.air.items():
        one_of(("german", "1Uk", "2Uk"), name, "air force", f"$.air.{name}")
        g.set_track(f"air_{name}", _number(n, 10, f"$.air.{name}"))
    for name, points in doc.replacement_points.items():
        where = f"$.replacement_points.{name}"
        one_of(g.commands, name, "command", where)
        for kind, n in points.items():
            armor = one_of(("infantry", "armor"), kind, "kind of points", f"{where}.{kind}") == "armor"
            g.set_rp(name, armor, _number(n, g.charts.game.tracks.replacement, f"{where}.{kind}"))
    for name in words(doc.released):
        g.released[index_of(g.commands, name, "korps", "$.released")] = 1


def _number(n: int, most: int, where: str) -> int:
    if not 0 <= n <= most:
        raise BadInput(f"this is 0 to {most}, not {n}", where)
    return n


def _place(g: Board, doc: UnitDoc) -> None:
    u = g.forces.unit(doc.id)
    if g.forces.role[u] == SDM:
        g.steps[u] = 1
        g.sdm_sp[u] = _number(doc.sp or 0, 20, "$.sp")
        for word in words(doc.status):
            g.sdm_flags[u] |= SDM_WORDS[one_of(SDM_WORDS, word, "status of an SDM", "$.status")]
        if g.sdm_flags[u] & STORED:
            g.sdm_flags[u] += g.sdm_sp[u] * OWN
        if doc.at:
            g.place_sdm(u, named_hex(g, doc.at, "$.at"))
        return
    if doc.sp is not None:
        raise BadInput(f"{doc.id} is no SDM and has no Supply Points", "$.sp")
    g.steps[u] = steps_left(g, u, doc)
    if doc.at:
        h = named_hex(g, doc.at, "$.at")
        if g.enemies_in(h, g.forces.side[u]) and not g.track("breakout"):
            raise BadInput(f"both sides stand in {doc.at}", "$.at")
        g.put(u, h)
    elif doc.box:
        g.box[u], g.due[u] = index_of(BOXES, doc.box, "box", "$.box"), doc.turns
        if BOXES[g.box[u]] == "eliminated":
            g.steps[u] = 0
    set_statuses(g, u, doc.status, WORDS)
    if doc.strength is not None:
        _draw_alarm(g, u, doc)


def _draw_alarm(g: Board, u: int, doc: UnitDoc) -> None:
    """4.8.1 The strength of an alarm unit is one of the chits in the cup."""
    if g.forces.role[u] != ALARM:
        raise BadInput("only an alarm unit is given a strength; others have faces", "$.strength")
    chits = [c for c in g.forces.of_role[GERMAN][ALARM] if not g.alarm[c]]
    found = [c for c in chits if g.forces.strength[c][1] == doc.strength]
    if not found:
        left = sorted({g.forces.strength[c][1] for c in chits})
        raise BadInput(
            f"no alarm chit of {doc.strength} is in the cup; there are {', '.join(map(str, left))}", "$.strength"
        )
    g.alarm[found[0]] = u + 1


def _set_works(g: Board, doc: PositionDoc) -> None:
    for field, flag in (("improved_positions", IP), ("rail_cuts", RAIL_CUT), ("rail_repairs", RAIL_REPAIR)):
        for i, name in enumerate(words(getattr(doc, field))):
            g.set_works(named_hex(g, name, f"$.{field}[{i}]"), flag)
    for name, mines in doc.minefields.items():
        h = named_hex(g, name, f"$.minefields.{name}")
        if mines.facing:
            g.set_works(h, MINES | _direction(g, h, mines.facing, f"$.minefields.{name}.facing") << FACING)
        else:
            g.set_works(h, MINES_BUILDING)


def _direction(g: Board, h: int, word: str, where: str) -> int:
    """A direction by its name, or by the hex that lies there."""
    if word in g.map.grid:
        return at_path(where, g.map.grid.direction, h, g.map.grid.hex(word))
    return at_path(where, g.map.grid.toward, word)


def _hexside(g: Board, name: str, where: str) -> int:
    return g.map.grid.canonical(at_path(where, g.map.grid.parse_hexside, name))


def _set_bridges(g: Board, doc: PositionDoc) -> None:
    for name, bridge in doc.bridges.items():
        where = f"$.bridges.{name}"
        side = _hexside(g, name, where)
        state = STATES[one_of(STATES, bridge.state, "state of a bridge", f"{where}.state")]
        kind = KINDS[one_of(KINDS, bridge.kind, "kind of bridge", f"{where}.kind")]
        if kind == PRINTED:
            if side not in g.ground.bridges:
                raise BadInput("no road, trail or railroad crosses water there; a built bridge has a kind", where)
            i = g.ground.bridges.index(side)
        else:
            i = free_slot(g)
            if i < 0:
                raise BadInput("there are no more bridge markers", where)
            g.bridge_at[i], g.bridge_kind[i] = side, kind
            g.bridge_flags[i] = BRIDGE_OK
        g.set_bridge(i, state)
        if bridge.owner:
            g.bridge_owner[i] = index_of(SIDES, bridge.owner, "side", f"{where}.owner")
        if bridge.ok:
            g.bridge_flags[i] |= BRIDGE_OK
    for name, owner in doc.fords.items():
        where = f"$.fords.{name}"
        side = _hexside(g, name, where)
        if side not in g.ground.ford_sides:
            raise BadInput("no fordable river is at that hexside", where)
        flags = {"german": FORD_GERMAN, "soviet": FORD_SOVIET}
        g.fords[g.ground.ford_sides.index(side)] |= flags[one_of(flags, owner, "side", where)]


def _set_markers(g: Board, doc: PositionDoc) -> None:
    for name, side in doc.control.items():
        h = named_hex(g, name, f"$.control.{name}")
        g.take_control(h, index_of(SIDES, side, "side", f"$.control.{name}"))
    for i, name in enumerate(words(doc.combats)):
        g.mark_combat(named_hex(g, name, f"$.combats[{i}]"), DECLARED)
    armies = [b.army for b in g.charts.game.barrage.values()]
    each = g.charts.constants.barrage_markers
    for i, one in enumerate(doc.barrage):
        first = armies.index(one_of(armies, one.army, "army with a barrage unit", f"$.barrage[{i}].army")) * each
        free = [k for k in range(first, first + each) if g.barrage_at[k] < 0]
        if not free:
            raise BadInput(f"{one.army} has {each} Barrage Effects markers", f"$.barrage[{i}]")
        g.barrage_at[free[0]] = named_hex(g, one.hex, f"$.barrage[{i}].hex")
        g.barrage_shift[free[0]] = _number(one.shifts, 3, f"$.barrage[{i}].shifts")


__all__ = ["PHASES", "PositionDoc", "from_position"]
