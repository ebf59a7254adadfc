"""Hand-written positions: units by their ids or written out, levels, control, and what is going on."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import msgspec

from kessel.core.analysis import board_of
from kessel.core.errors import BadInput
from kessel.core.hexset import members
from kessel.core.pack import Pack
from kessel.core.procedure import Procedure
from kessel.games.bug41.board import STATUS, Board
from kessel.games.bug41.data.charts import LEVELS, Charts
from kessel.games.bug41.data.forces import GERMAN, SIDES, SIZES, Counter, Forces, read_counters
from kessel.games.bug41.data.scenario import read_scenario
from kessel.games.bug41.data.terrain import BUG, LAKE, RAILWAY, ROAD, STREAM
from kessel.games.bug41.sequence import Play
from kessel.games.bug41.turn.activation import Activation
from kessel.games.bug41.turn.initiative import Operations
from kessel.games.bug41.turn.recovery import Recovery
from kessel.games.bug41.turn.reinforcements import Reinforcement
from kessel.wargame.positions import PositionDoc as SidesPositionDoc
from kessel.wargame.positions import UnitDoc as SidesUnitDoc
from kessel.wargame.positions import begin, check_words, counters_of, known_scenario, set_statuses, steps_left
from kessel.wargame.reading import at_path, index_of, named_hex, one_of

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


class Active(msgspec.Struct, forbid_unknown_fields=True):
    """The formation that is acting in the phase `activation`."""

    formation: str
    points: int
    reaction: bool = False


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
    turn = doc.turn or scenario.first_turn
    if turn not in charts.turns:
        raise BadInput(f"there are turns 1 to {max(charts.turns)}, not {turn}", "$.turn")
    g.set_track("turn", turn)
    g.set_track("surprise", int(doc.surprise))
    for key, n in doc.lost.items():
        g.set_track(f"lost_{one_of(('afv', 'infantry'), key, 'kind of losses', '$.lost')}", n)
    for h in members(g.ground.area(scenario.control.german)):
        g.owner[h] = GERMAN
    for name, side in doc.control.items():
        g.owner[named_hex(g, name, "$.control")] = index_of(SIDES, side, "side", f"$.control.{name}")
    for i, unit in enumerate(doc.units):
        at_path(f"$.units[{i}]", _place, g, unit)
    _set_levels(g, doc)
    begin(g, doc, {name: partial(make, g, doc) for name, make in PHASES.items()})
    return g


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
        if not 0 <= v <= 99:
            raise BadInput(f"{key} is 0 to 99, not {v}", f"$.{key}")
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
    g.moves[u] = doc.moved
    if doc.at:
        g.enter(u, named_hex(g, doc.at, "$.at"))
    set_statuses(g, u, doc.status, STATUS)


def _set_levels(g: Board, doc: PositionDoc) -> None:
    for f, hq in enumerate(g.forces.hq_of):
        g.levels[f] = g.forces.reaction[hq] if hq >= 0 else 0
    for name, level in doc.levels.items():
        f = index_of(g.forces.commands, name, "formation", "$.levels")
        if not 0 <= level <= LEVELS:
            raise BadInput(f"a level is 0 to {LEVELS}, not {level}", f"$.levels.{name}")
        g.levels[f] = level


def _activation(g: Board, doc: PositionDoc) -> list[Procedure]:
    if doc.active is None:
        raise BadInput("the phase activation needs `active`: formation and points", "$.active")
    f = index_of(g.forces.commands, doc.active.formation, "formation", "$.active.formation")
    p = Activation(g.forces.side_of_command[f], f, doc.active.reaction, doc.active.points)
    p.boats, p.at = g.numbers.movement.boats_per_activation, Activation.index["act"]
    return [Play(at=Play.index["end"]), p]


PHASES = {
    "recovery": lambda g, doc: [Play(at=Play.index["reinforcement"]), Recovery()],
    "reinforcement": lambda g, doc: [Play(at=Play.index["operations"]), Reinforcement()],
    "operations": lambda g, doc: [Play(at=Play.index["end"]), Operations(at=Operations.index["determine"])],
    "activation": _activation,
}
