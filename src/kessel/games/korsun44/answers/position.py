"""Hand-written positions."""

from __future__ import annotations

from typing import Any

import msgspec

from kessel.core.analysis import board_of
from kessel.core.errors import BadInput
from kessel.core.pack import Pack
from kessel.games.korsun44.board import COMBAT, MOVEMENT, SIDES, STATUS_WORDS, Board
from kessel.games.korsun44.combat.phase import CombatPhase
from kessel.games.korsun44.data.charts import FROZEN, GROUNDS, VISIBILITIES, charts_of
from kessel.games.korsun44.data.forces import SDM, forces_of
from kessel.games.korsun44.data.scenario import Level, Scenario, read_scenario
from kessel.games.korsun44.movement.phase import MovementPhase
from kessel.wargame.positions import PositionDoc as WargamePositionDoc
from kessel.wargame.positions import UnitDoc, begin, known_scenario, set_statuses, steps_left
from kessel.wargame.reading import at_path, index_of, named_hex, named_unit

NO_SCENARIO = Scenario(
    id="", number=0, title="", dates="", summary="", aims=("", ""), first_turn=1, last_turn=25,
    areas=(), control="nearest", minefields=0, options={}, setup=(), levels=(Level("draw", "", -999),),
)  # fmt: skip
PHASES = {
    f"{side}_{word}": (s, phase, procedure)
    for s, side in enumerate(SIDES)
    for word, phase, procedure in (("movement", MOVEMENT, MovementPhase), ("combat", COMBAT, CombatPhase))
}


class PositionDoc(WargamePositionDoc, kw_only=True):
    turn: int = 1
    ground: str = GROUNDS[FROZEN]
    visibility: str = VISIBILITIES[0]
    units: list[UnitDoc] = msgspec.field(default_factory=list)


def from_position(doc: PositionDoc, pack: Pack) -> Board:
    charts = charts_of(pack)
    scenario = read_scenario(pack, known_scenario(doc, pack)) if doc.scenario else NO_SCENARIO
    options = charts.readings.chosen(doc.options, "$.options")
    g = Board(board_of(doc, pack), forces_of(pack, charts), charts, scenario, options)
    if not 1 <= doc.turn <= len(charts.turns):
        raise BadInput(f"the track has turns 1 to {len(charts.turns)}", "$.turn")
    g.set_track("turn", doc.turn)
    g.set_track("condition", index_of(GROUNDS, doc.ground, "ground", "$.ground"))
    g.set_track("visibility", index_of(VISIBILITIES, doc.visibility, "visibility", "$.visibility"))
    for i, unit in enumerate(doc.units):
        at_path(f"$.units[{i}]", _place, g, unit)
    if doc.phase in PHASES:
        g.set_track("phasing", PHASES[doc.phase][0])
        g.set_track("phase", PHASES[doc.phase][1])
    begin(g, doc, {name: _beginner(side, make) for name, (side, _, make) in PHASES.items()})
    return g


def _beginner(side: int, make: Any) -> Any:
    return lambda: [make(side)]


def _place(g: Board, doc: UnitDoc) -> None:
    u = named_unit(g, doc.id, "$.id", on_map=False)
    g.steps[u] = steps_left(g, u, doc)
    if g.forces.role[u] == SDM:
        if doc.at:
            g.place_sdm(u, named_hex(g, doc.at, "$.at"))
    elif doc.at:
        g.put(u, named_hex(g, doc.at, "$.at"))
    set_statuses(g, u, doc.status, STATUS_WORDS)
