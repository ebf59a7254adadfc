"""Hand-written positions: units by their ids or written out, levels, control, and what is going on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import msgspec

from kessel.core.analysis import board_of
from kessel.core.errors import BadInput
from kessel.core.hexset import members
from kessel.core.pack import Pack
from kessel.core.procedure import Procedure
from kessel.games.bug41.board import EMERGENCY, EXPENDED, STATUS, Board
from kessel.games.bug41.data.charts import AFV, INFANTRY, LEVELS, Charts
from kessel.games.bug41.data.forces import GERMAN, SIDES, SIZES, SOVIET, Counter, Forces, read_counters
from kessel.games.bug41.data.scenario import read_scenario
from kessel.games.bug41.data.terrain import BUG, LAKE, RAILWAY, ROAD, STREAM
from kessel.games.bug41.sequence import Play
from kessel.games.bug41.turn.activation import Activation
from kessel.games.bug41.turn.initiative import Operations, SurpriseAttack, able
from kessel.games.bug41.turn.recovery import Recovery
from kessel.games.bug41.turn.reinforcements import Arrivals, Reassignment, Reinforcement, Reorganization, Replacements
from kessel.wargame.positions import PositionDoc as SidesPositionDoc
from kessel.wargame.positions import UnitDoc as SidesUnitDoc
from kessel.wargame.positions import (
    begin,
    between,
    by_hex,
    check_words,
    counters_of,
    known_scenario,
    set_statuses,
    steps_left,
)
from kessel.wargame.reading import Words, at_path, index_of, named_hex, named_side, one_of, words

RULES_OF = "campaign"
"""The scenario whose rules hold where a position names none."""


class UnitDoc(SidesUnitDoc, kw_only=True):
    """A counter by its id, any number of it changed; or one of your own with formation and type."""

    formation: str = ""
    type: str = ""
    size: str = ""
    effectiveness: int | None = None
    ma: int | None = None
    strength: int | None = None
    at_points: int | None = None
    tank_points: int | None = None
    reaction: int | None = None
    relocation: int | None = None
    range: int | None = None
    support: int | None = None
    under: str = ""
    """The formation it is lent to."""
    moved: bool = False
    """Whether it has made its Movement Action in the activation that is going on."""
    due: int | None = None
    """The turn a unit off the map comes."""


class Active(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The formation that is acting: needed in the phases `activation` and `reaction`."""

    formation: str
    points: int
    reaction: bool = False
    boats: int | None = None
    """Boats left; left out: all of them."""
    bonus: int = 0
    """Points from battle victories so far."""
    failed: Words = []
    """Enemy formations that have failed to react."""
    reacted: int = 0
    """Enemy Reactions so far."""
    moved_to: str = ""
    """In the phase `reaction`: the hex in which a move has just ended."""


class Marker(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The initiative marker: 0 is off the track."""

    space: int
    side: str


class PositionDoc(SidesPositionDoc, kw_only=True):
    turn: int = 0
    units: list[UnitDoc] = msgspec.field(default_factory=list)
    levels: dict[str, int] = msgspec.field(default_factory=dict)
    """Activation Levels; left out: the class of the HQ."""
    control: dict[str, str] = msgspec.field(default_factory=dict)
    """Hex to side; whoever stands in a hex holds it."""
    lost: dict[str, int] = msgspec.field(default_factory=dict)
    """Soviet strength points lost so far: afv, infantry."""
    surprise: bool = False
    """Whether the surprise activations are going on."""
    initiative: Marker | None = None
    interdiction: int = 0
    tether_over: bool = False
    """Whether the German has held a hex of Volodymyr-Volynskyi (PA-restrict.a2)."""
    last_activated: str = ""
    active: Active | None = None


def from_position(doc: PositionDoc, pack: Pack) -> Board:
    charts = pack.once(Charts)
    scenario = read_scenario(pack, known_scenario(doc, pack) or RULES_OF)
    printed = {c.id: c for c in read_counters(pack, charts)}
    counters = counters_of(doc.units, printed, partial(_counter, charts))
    options = charts.readings.chosen({**scenario.options, **doc.options}, "$.options")
    m = board_of(doc, pack)
    if m is not pack.map:
        links, sides = (ROAD, RAILWAY), (BUG, STREAM, LAKE)
        terrain = [row for row, r in charts.terrain.items() if r.kind == "hex"]
        check_words(m, terrain=terrain, features=("pillbox",), hexsides=sides, links=links)
    g = Board(m, Forces(counters, charts), charts, scenario, options)
    _set_tracks(g, doc)
    for h in members(g.ground.area(scenario.control.german)):
        g.owner[h] = GERMAN
    for h, side, where in by_hex(g, doc.control, "$.control"):
        g.owner[h] = named_side(SIDES, side, where)
    for i, unit in enumerate(doc.units):
        at_path(f"$.units[{i}]", _place, g, unit)
    _set_levels(g, doc)
    if doc.phase in ROLLING:
        g.stack = PHASES[doc.phase](g, doc)
    else:
        begin(g, doc, {name: partial(make, g, doc) for name, make in PHASES.items()})
    return g


def _set_tracks(g: Board, doc: PositionDoc) -> None:
    turn, last = doc.turn or g.scenario.first_turn, max(g.charts.turns)
    if turn not in g.charts.turns:
        raise BadInput(f"there are turns 1 to {last}, not {turn}", "$.turn")
    g.set_track("turn", turn)
    g.set_track("surprise", int(doc.surprise))
    g.set_track("tether_over", int(doc.tether_over))
    g.set_track("interdiction", between(doc.interdiction, 0, 2, "a level of interdiction", "$.interdiction"))
    if doc.initiative is not None:
        spaces = len(g.charts.track)
        g.set_track("space", between(doc.initiative.space, 0, spaces, "a space of the track", "$.initiative.space"))
        g.set_track("shown", index_of(SIDES, doc.initiative.side, "side", "$.initiative.side"))
    for key, n in doc.lost.items():
        kind = one_of(("afv", "infantry"), key, "kind of losses", "$.lost")
        g.set_track(f"lost_{kind}", between(n, 0, 9999, "strength points lost", f"$.lost.{key}"))


def _counter(charts: Charts, doc: UnitDoc, own: Counter | None) -> Counter:
    if own is None:
        one_of(charts.formations, doc.formation, "formation", "$.formation")
        one_of(charts.types, doc.type, "type", "$.type")
        side = SIDES.index(charts.formations[doc.formation].side)
        wheels = doc.type in ("afv", "anti_tank") or doc.type.startswith("motorized")
        size = "division" if doc.type == "hq" else "battalion"
        own = Counter(doc.id, side, doc.formation, doc.type, size, wheels, doc.id)
    given: dict[str, Any] = {
        "at": doc.at_points,
        "tank": doc.tank_points,
        **{
            k: getattr(doc, k)
            for k in ("effectiveness", "ma", "strength", "reaction", "relocation", "range", "support")
        },
    }
    changed = {k: v for k, v in given.items() if v is not None}
    for key, v in changed.items():
        between(v, 0, LEVELS if key == "reaction" else 99, key, f"$.{key}")
    if doc.size:
        changed["size"] = one_of(SIZES, doc.size, "size", "$.size")
    made = replace(own, **changed)
    needed = ("reaction", "relocation", "range") if made.type == "hq" else ("effectiveness", "ma", "strength")
    missing = next((k for k in needed if not getattr(made, k)), None)
    if missing:
        raise BadInput(f"a unit of your own needs its {missing}", f"$.{missing}")
    return made


def _place(g: Board, doc: UnitDoc) -> None:
    u = g.forces.unit(doc.id)
    if not g.forces.hq[u]:
        g.steps[u] = steps_left(g, u, doc)
    if doc.under:
        g.assign(u, index_of(g.forces.commands, doc.under, "formation", "$.under"))
        if g.forces.side_of_command[g.command[u]] != g.forces.side[u]:
            raise BadInput(f"{doc.under} is a formation of the enemy", "$.under")
    g.moves[u] = doc.moved
    g.due[u] = NEVER if doc.due is None and not g.forces.hq[u] else between(doc.due or 0, 0, NEVER, "a turn", "$.due")
    if doc.at:
        h = named_hex(g, doc.at, "$.at")
        if g.enemies_in(h, g.forces.side[u]):
            raise BadInput(f"both sides stand in {doc.at}", "$.at")
        g.enter(u, h)
    set_statuses(g, u, doc.status, STATUS)
    if g.status[u] & EMERGENCY:
        g.set_status(u, EXPENDED)
    fits = HQ_STATUS if g.forces.hq[u] else UNIT_STATUS
    for word in words(doc.status):
        one_of(fits, word, f"status of {'an HQ' if g.forces.hq[u] else 'a combat unit'}", "$.status")
    if g.status[u] & STATUS["disrupted"] and g.status[u] & STATUS["improved"]:
        raise BadInput("a Disrupted unit is not in Improved Defense", "$.status")


def _set_levels(g: Board, doc: PositionDoc) -> None:
    for f, hq in enumerate(g.forces.hq_of):
        g.levels[f] = g.forces.reaction[hq] if hq >= 0 else 0
    for name, level in doc.levels.items():
        f = index_of(g.forces.commands, name, "formation", "$.levels")
        g.levels[f] = between(level, 0, LEVELS, "a level", f"$.levels.{name}")


def _last(g: Board, doc: PositionDoc) -> int:
    return (
        index_of(g.forces.commands, doc.last_activated, "formation", "$.last_activated") if doc.last_activated else -1
    )


def _choice_of(side: int) -> Callable[[Board, PositionDoc], list[Procedure]]:
    """A side has the initiative and is to activate a formation or pass."""

    def make(g: Board, doc: PositionDoc) -> list[Procedure]:
        both = all(able(g, s, _last(g, doc)) for s in (0, 1))
        p = Operations(side, 0, _last(g, doc), both, at=Operations.index["choose"])
        return [Play(at=Play.index["end"]), p]

    return make


def _operations(g: Board, doc: PositionDoc) -> list[Procedure]:
    last = _last(g, doc)
    return [Play(at=Play.index["end"]), Operations(last=last, at=Operations.index["determine"])]


def _surprise(g: Board, doc: PositionDoc) -> list[Procedure]:
    p = Operations(at=Operations.index["determine"])
    return [Play(at=Play.index["end"]), p, SurpriseAttack(GERMAN)]


def _activation(g: Board, doc: PositionDoc) -> list[Procedure]:
    a = doc.active
    if a is None:
        raise BadInput(f"the phase {doc.phase} needs `active`: formation and points", "$.active")
    f = index_of(g.forces.commands, a.formation, "formation", "$.active.formation")
    most = g.numbers.movement.boats_per_activation
    p = Activation(g.forces.side_of_command[f], f, a.reaction)
    p.points = between(a.points, 0, 99, "Action Points", "$.active.points")
    p.boats = most if a.boats is None else between(a.boats, 0, most, "boats left", "$.active.boats")
    p.bonus = between(a.bonus, 0, 99, "points from victories", "$.active.bonus")
    p.successes = between(a.reacted, 0, 99, "Reactions", "$.active.reacted")
    p.tried = tuple(index_of(g.forces.commands, w, "formation", "$.active.failed") for w in words(a.failed))
    p.at = Activation.index["act"]
    under = Operations(p.side, 0, f, at=Operations.index["determine" if a.reaction else "marker"])
    under.contested = all(able(g, s) for s in (0, 1))
    return [Play(at=Play.index["end"]), under, p]


def _reaction(g: Board, doc: PositionDoc) -> list[Procedure]:
    found = _activation(g, doc)
    p = found[-1]
    assert isinstance(p, Activation)
    assert doc.active is not None
    p.moved_to = named_hex(g, doc.active.moved_to, "$.active.moved_to")
    p.at = Activation.index["reactions"]
    return found


def _part(make: Callable[[Board], Procedure], after: str) -> Callable[[Board, PositionDoc], list[Procedure]]:
    """A part of the Reinforcement segment, and what comes after it."""

    def found(g: Board, doc: PositionDoc) -> list[Procedure]:
        return [Play(at=Play.index["operations"]), Reinforcement(at=Reinforcement.index[after]), make(g)]

    return found


def _replacements(g: Board) -> Procedure:
    points = g.charts.replacements.get(g.turn)
    if not points:
        raise BadInput(f"turn {g.turn} brings no replacement points", "$.phase")
    return Replacements(GERMAN, points[INFANTRY], points[AFV])


NEVER = 99
"""The turn on which nobody comes."""
UNIT_STATUS, HQ_STATUS = ("disrupted", "improved"), ("expended", "emergency")
ROLLING = ("recovery", "operations")
"""Phases that begin with dice: these fall when a question goes on from there."""

PHASES: dict[str, Callable[[Board, PositionDoc], list[Procedure]]] = {
    "recovery": lambda g, doc: [Play(at=Play.index["reinforcement"]), Recovery()],
    "german_arrivals": _part(lambda g: Arrivals(GERMAN), "soviet_arrivals"),
    "soviet_arrivals": _part(lambda g: Arrivals(SOVIET), "replacements"),
    "replacements": _part(_replacements, "reorganization"),
    "reorganization": _part(lambda g: Reorganization(SOVIET), "german_reassignment"),
    "german_reassignment": _part(lambda g: Reassignment(GERMAN), "soviet_reassignment"),
    "soviet_reassignment": lambda g, doc: [Play(at=Play.index["operations"]), Reassignment(SOVIET)],
    "reinforcement": lambda g, doc: [Play(at=Play.index["operations"]), Reinforcement()],
    "surprise": _surprise,
    "operations": _operations,
    "german_choice": _choice_of(GERMAN),
    "soviet_choice": _choice_of(SOVIET),
    "activation": _activation,
    "reaction": _reaction,
}
