"""Hand-written positions (docs/positions-kharkov43.md). Everything is checked; an error names its JSON path."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from kessel.core.analysis import board_of
from kessel.core.errors import BadInput
from kessel.core.hexes import Hex
from kessel.core.hexset import members
from kessel.core.pack import Pack
from kessel.core.procedure import Procedure, run
from kessel.core.terrain import BoardDoc, Map
from kessel.games.kharkov43.answers.names import named_card
from kessel.games.kharkov43.answers.questions import OF_COMMAND_PHASE
from kessel.games.kharkov43.board import (
    BOXES,
    EDGE_HELD,
    FACINGS,
    FORWARD_SUPPORT,
    GARRISON,
    GROUND_CONDITIONS,
    IP,
    NOT_PLACED,
    OBJECTIVES,
    ON_MAP,
    PILES,
    REMOVED,
    STATUS_WORDS,
    SUPPORT_LINES,
    Board,
)
from kessel.games.kharkov43.data.charts import Charts, charts_of
from kessel.games.kharkov43.data.forces import (
    CORPS,
    FORMATIONS,
    FRONTS,
    GERMAN,
    SOVIET,
    TYPES,
    Counter,
    Forces,
    designation,
    read_counters,
    read_faces,
)
from kessel.games.kharkov43.data.terrain import AREAS, ARROW_KINDS, FEATURES, LINKS, RIVERS, TERRAINS
from kessel.games.kharkov43.movement.arrival import check_edge_vps
from kessel.games.kharkov43.sequence import HeavyMudReplacements, SupplyPhase
from kessel.games.kharkov43.supply.support import line_for_turn
from kessel.games.kharkov43.system.objective_markers import LAST_STAGE, army_hexes
from kessel.games.kharkov43.turn.german_activation import GermanActivation
from kessel.games.kharkov43.turn.german_cards import GermanImpulse
from kessel.games.kharkov43.turn.german_reserves import DelayedReserves
from kessel.games.kharkov43.turn.ground_conditions import is_heavy_mud
from kessel.wargame import positions as wargame
from kessel.wargame.reading import Words, at_path, index_of, named_hexes, one_of, words
from kessel.wargame.readings import Readings

LAST_TURN = 14
GERMAN_ONLY = ("hand", "available")
SOVIET_ONLY = ("command", "auxiliary", "tactics_only")
"""Piles in which only cards of one side lie."""
ONE_STEP_SIDE = ("eliminated", "destroyed")
"""12.62 Boxes in which units lie on their one-step side."""


class UnitDoc(wargame.UnitDoc, kw_only=True):
    """One unit: by the id of its counter, or with any printed values (`faces`)."""

    at: str
    """A hex, or the box: reserve, eliminated, calendar, destroyed."""
    faces: str = ""
    type: str = ""
    formation: str = ""
    """Corps or army; left out, it is the last part of the id (679.333.XL)."""
    entry: int = 0
    """Game-turn of entry (7.3)."""


class ObjectiveDoc(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    hex: str
    facing: str = ""
    stage: int | None = None
    """Which of its hexes it is in: first, second, third. Left out: as the tables of 9.11 list the hex, else first."""


class PositionDoc(wargame.PhaseDoc, kw_only=True):
    turn: int = 1
    ground: str = "frozen"
    vp: int | None = None
    """Left out: the VPs of the towns, cities and map-edge hexes the Soviets hold."""
    support_line: str = ""
    """Left out: as the game-turn and the VPs say (13.51)."""
    units: list[UnitDoc] = msgspec.field(default_factory=list)
    soviet_towns: Words = ""
    """Hexes of the towns and cities the Soviets own besides those their units stand in; all others are German."""
    garrisons: Words = ""
    improved_positions: Words = ""
    forward_support: Words = ""
    objectives: dict[str, ObjectiveDoc] = msgspec.field(default_factory=dict)
    """By front (Voronezh, Southwest) and army (40, 1G); a marker that is not named is not in play."""
    cards: dict[str, Words] = msgspec.field(default_factory=dict)
    """Card ids by pile; cards not named are out of the game. Left out: all Soviet cards are in the draw pile."""
    activated: Words = ""
    """6.3 The corps activated in the immediately preceding German impulse."""
    one_unit_used: bool = False
    card: str = ""
    """The card that activated the active units."""


def from_position(doc: PositionDoc, pack: Pack) -> Board:
    m = board_of(doc, pack)
    if isinstance(doc.board, BoardDoc):
        _check_words(m)
    charts = charts_of(pack)
    forces = _forces(doc, pack)
    g = Board(m, forces, charts, pack.once(Readings).chosen(doc.options, "$.options"))
    if not 1 <= doc.turn <= LAST_TURN:
        raise BadInput(f"the game-turns are 1 to {LAST_TURN}", "$.turn")
    g.set_track("turn", doc.turn)
    g.set_track("ground", index_of(GROUND_CONDITIONS, doc.ground, "ground condition", "$.ground"))
    g.set_track("one_unit_used", doc.one_unit_used)
    _place_towns(g, doc)
    for i, unit in enumerate(doc.units):
        at_path(f"$.units[{i}]", _place_unit, g, i, unit)
    _check_towns(g, doc)
    _place_markers(g, doc)
    _place_objectives(g, doc)
    _place_cards(g, charts, doc)
    _set_vps(g, doc)
    line = line_for_turn(charts, doc.turn, g.vp)
    if doc.support_line:
        line = index_of(SUPPORT_LINES, doc.support_line, "support line", "$.support_line")
    g.set_track("support_line", line)
    if faults := g.faults():
        raise BadInput(faults[0], "$")
    _begin(g, doc)
    if not g.stack:
        g.phase_over = doc.phase
    return g


PHASES: dict[str, Callable[[int], Procedure]] = {
    "reserve_phase": lambda card: DelayedReserves(),
    "supply_phase": lambda card: SupplyPhase(),
    "heavy_mud_replacements": lambda card: HeavyMudReplacements(),
    "german_impulse": lambda card: GermanImpulse(),
    "german_activation": GermanActivation,
}
"""The procedures a position can stand in, each made with the index of the activating card."""


def _begin(g: Board, doc: PositionDoc) -> None:
    if not doc.phase:
        return
    make = PHASES[one_of(PHASES, doc.phase, "phase", "$.phase")]
    card = g.charts.card_index(named_card(g, doc.card, GERMAN).id) if doc.card else -1
    if doc.phase.endswith("activation") and card < 0:
        raise BadInput("an activation needs the card that made the units active", "$.card")
    if doc.phase == "heavy_mud_replacements" and not is_heavy_mud(g):
        raise BadInput("these replacements are those of a heavy_mud game-turn", "$.phase")
    if doc.phase not in OF_COMMAND_PHASE or not is_heavy_mud(g):
        g.stack = [make(card)]
        run(g)


def _check_words(m: Map) -> None:
    """An inline board uses the words of this game."""
    wargame.check_words(m, terrain=TERRAINS, features=FEATURES, hexsides=RIVERS, links=LINKS, areas=AREAS)
    for i, arrow in enumerate(m.doc.arrows):
        if arrow.kind not in ARROW_KINDS or arrow.only not in ("", "V", "S"):
            raise BadInput("an arrow is primary or secondary, and only for V, S or both", f"$.board.arrows[{i}]")
    if both := m.area("german_edge") & m.area("soviet_edge"):
        raise BadInput(f"{m.grid.name(members(both)[0])} is an edge hex of both sides", "$.board.areas")


def _forces(doc: PositionDoc, pack: Pack) -> Forces:
    printed: dict[str, Counter] = {}
    if any(not u.faces for u in doc.units):
        printed = {c.id: c for c in pack.once(read_counters)}
    return at_path("$.units", Forces, wargame.counters_of(doc.units, printed, _counter))


def _counter(doc: UnitDoc, printed: Counter | None) -> Counter:
    if not doc.faces:
        if printed is None:
            raise BadInput(f"there is no counter {doc.id}; a unit of your own needs faces and type", "$.id")
        if doc.type or doc.formation or doc.entry:
            raise BadInput("type, formation and entry are those of the counter; they go with faces of your own", "$")
        return printed
    formation = doc.formation or designation(doc.id).formation
    one_of(FORMATIONS, formation, "formation", "$.formation")
    types = doc.type or TYPES[0]
    faces = at_path("$.faces", read_faces, doc.faces, types)
    if not 1 <= len(faces) <= 3:
        raise BadInput(f"{doc.id} has {len(faces)} faces; a unit has one to three steps", "$.faces")
    for word in types.split():
        one_of(TYPES, word, "type", "$.type")
    if len(types.split()) > len(faces):
        raise BadInput(f"{doc.id} has more types than faces", "$.type")
    return Counter(doc.id, FORMATIONS[formation].side, formation, faces, entry=str(doc.entry or ""))


def _place_unit(g: Board, u: int, doc: UnitDoc) -> None:
    lies = doc.at in ONE_STEP_SIDE
    steps = wargame.steps_left(g, u, doc) if doc.steps or not lies else 1
    g.steps[u] = 1 if lies else steps
    if doc.at in BOXES and doc.at != BOXES[ON_MAP]:
        g.box[u] = BOXES.index(doc.at)
    else:
        h = at_path("$.at", g.map.grid.hex, doc.at)
        g.put(u, h)
        if g.ground.towns >> h & 1:
            g.set_owner(h, g.forces.side[u])
    wargame.set_statuses(g, u, doc.status, STATUS_WORDS)


def _place_towns(g: Board, doc: PositionDoc) -> None:
    soviet = named_hexes(g.map, doc.soviet_towns, "$.soviet_towns")
    for h in soviet:
        if not g.ground.towns >> h & 1:
            raise BadInput(f"{g.hex_name(h)} is neither a town nor a city", "$.soviet_towns")
    for h in g.ground.town_list:
        g.set_owner(h, SOVIET if h in soviet else 1 - SOVIET)


def _check_towns(g: Board, doc: PositionDoc) -> None:
    for h in named_hexes(g.map, doc.soviet_towns, "$.soviet_towns"):
        if g.units_of(h, GERMAN):
            raise BadInput(f"German units are in {g.hex_name(h)}, so the Soviets do not own it", "$.soviet_towns")


def _place_markers(g: Board, doc: PositionDoc) -> None:
    for field, flag, why_not in (
        ("garrisons", GARRISON, _why_no_garrison),
        ("improved_positions", IP, _why_no_position),
        ("forward_support", FORWARD_SUPPORT, _why_no_support),
    ):
        for h in named_hexes(g.map, getattr(doc, field), f"$.{field}"):
            if why := why_not(g, h):
                raise BadInput(why, f"$.{field}")
            g.mark(h, flag)


def _why_no_garrison(g: Board, h: Hex) -> str:
    """15.0"""
    if not (g.ground.villages | g.towns_of(SOVIET)) >> h & 1:
        return f"{g.hex_name(h)} is neither a village nor a Soviet town (soviet_towns): no garrison stands there"
    return f"units are in {g.hex_name(h)}: no garrison stands there" if g.occupied(h) else ""


def _why_no_position(g: Board, h: Hex) -> str:
    """14.22, 14.23"""
    if g.ground.towns >> h & 1:
        return f"{g.hex_name(h)} is a town or city: no improved position is built there"
    return "" if g.occupied(h) else f"no unit is in {g.hex_name(h)}: an improved position needs one"


def _why_no_support(g: Board, h: Hex) -> str:
    """13.53"""
    most = g.charts.constants.forward_support_markers
    return f"there are only {most} Forward Support markers" if g.forward_support.bit_count() >= most else ""


def _place_objectives(g: Board, doc: PositionDoc) -> None:
    for i, name in enumerate(OBJECTIVES):
        g.stage[i] = REMOVED if name in FRONTS else NOT_PLACED
    for name, o in doc.objectives.items():
        where = f"$.objectives.{name}"
        i = index_of(OBJECTIVES, name, "objective", where)
        stage = _stage(g, name, o.hex) if o.stage is None else o.stage
        if not 1 <= stage <= LAST_STAGE:
            raise BadInput("the stage of an objective is 1, 2 or 3", f"{where}.stage")
        g.objective[i] = at_path(f"{where}.hex", g.map.grid.hex, o.hex)
        g.facing[i], g.stage[i] = index_of(FACINGS, o.facing, "facing", f"{where}.facing"), stage
    for corps in words(doc.activated):
        one_of(CORPS, corps, "corps", "$.activated")
        g.activated[list(FORMATIONS).index(corps)] = 2


def _stage(g: Board, name: str, number: str) -> int:
    """9.11, 9.13 The stage at which the marker may be in a hex; the first where no table lists it."""
    if name not in FRONTS:
        hexes = [g.hex_name(h) for h in army_hexes(g, name)]
        return hexes.index(number) + 1 if number in hexes else 1
    second, third = (g.charts.table(f"{word}_objective") for word in ("second", "third"))
    if number in second.rows:
        return 1
    if number in third.rows:
        return 2
    cells = {third.at(row, column).partition(" ")[0] for row in third.rows for column in third.columns}
    return LAST_STAGE if number in cells else 1


def _place_cards(g: Board, charts: Charts, doc: PositionDoc) -> None:
    if not doc.cards:
        for i in charts.soviet_cards:
            card = charts.cards[i]
            if card.enters <= doc.turn and not (card.leaves and doc.turn > card.leaves):
                g.cards[i] = PILES.index("draw")
    named: set[str] = set()
    for pile, ids in doc.cards.items():
        where = f"$.cards.{pile}"
        p = index_of(PILES, pile, "pile", where)
        for name in words(ids):
            i = at_path(where, charts.card_index, name)
            if pile in (GERMAN_ONLY if not charts.cards[i].is_german else SOVIET_ONLY):
                side = "German" if charts.cards[i].is_german else "Soviet"
                raise BadInput(f"{name} is a {side} card; it has no place in the pile {pile!r}", where)
            g.cards[i] = p
            if name in named:
                raise BadInput(f"{name} is named twice", where)
            named.add(name)


def _set_vps(g: Board, doc: PositionDoc) -> None:
    """17.1 VPs that are given count the map-edge hexes in which Soviet units stand, whoever has cut them off since."""
    for h in g.ground.town_list:
        if g.owner[h] == SOVIET + 1:
            g.set_track("vp", g.vp + g.ground.vp_value(h))
    check_edge_vps(g)
    if doc.vp is not None:
        if not 0 <= doc.vp <= 99:
            raise BadInput("the VP track goes from 0 to 99", "$.vp")
        g.set_track("vp", doc.vp)
        for h in members(g.ground.edge_vps & g.hexes_of(SOVIET)):
            g.mark(h, EDGE_HELD)
