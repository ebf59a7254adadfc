"""RX-11 The board of a scenario at its start."""

from __future__ import annotations

from collections.abc import Mapping

from kessel.core.hexset import members
from kessel.core.pack import Pack
from kessel.games.bug41.board import Board
from kessel.games.bug41.data.charts import Charts
from kessel.games.bug41.data.forces import GERMAN, SIDES, Forces, read_counters
from kessel.games.bug41.data.scenario import NOBODY, Scenario, read_scenario
from kessel.games.bug41.sequence import Play
from kessel.games.bug41.turn.initiative import put_marker


def all_forces(pack: Pack) -> Forces:
    charts = pack.once(Charts)
    return Forces(read_counters(pack, charts), charts)


def board_of(pack: Pack, scenario: str, options: Mapping[str, str]) -> Board:
    """The board of a scenario, with its units in their hexes and its main procedure on the stack."""
    charts, s = pack.once(Charts), read_scenario(pack, scenario)
    units = s.units(pack.once(all_forces))
    g = Board(pack.map, Forces(read_counters(pack, charts, units), charts), charts, s, options)
    g.set_track("turn", s.first_turn)
    _set_levels(g, s)
    for h in members(g.ground.area(s.control.german)):
        g.owner[h] = GERMAN
    for unit, formation in s.commands.items():
        g.assign(g.forces.unit(unit), g.forces.commands.index(formation))
    for u in range(len(g.forces)):
        g.steps[u] = g.forces.full_steps[u]
    for unit, name in s.setup.items():
        g.enter(g.forces.unit(unit), g.map.grid.hex(name))
    if s.initiative.side != NOBODY:
        put_marker(g, s.initiative.space, SIDES.index(s.initiative.side))
    g.stack = [Play()]
    return g


def _set_levels(g: Board, s: Scenario) -> None:
    """Levels at the start, or on arrival; and when the units of each formation come."""
    names = g.forces.commands
    for start in s.formations:
        g.levels[names.index(start.id)] = start.level
    for a in s.arrivals:
        g.levels[names.index(a.formation)] = a.level
        for u, own in enumerate(g.forces.command):
            if names[own] == a.formation:
                g.due[u] = a.turn
