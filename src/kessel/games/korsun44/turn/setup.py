"""4.8.1, 19.0-22.0 Set-up: the position a scenario begins with."""

from __future__ import annotations

from collections.abc import Mapping

from kessel.core.board import NOWHERE
from kessel.core.dice import Dice
from kessel.core.facts import Store
from kessel.core.hexes import Hex
from kessel.core.hexset import members
from kessel.core.pack import Pack
from kessel.games.korsun44.board import (
    ALERT,
    GERMAN,
    HOLDING,
    NOBODY,
    SOVIET,
    STEMMERMANN,
    WAITING,
    Board,
)
from kessel.games.korsun44.data.charts import charts_of
from kessel.games.korsun44.data.forces import ALARM, SDM, forces_of
from kessel.games.korsun44.data.scenario import read_scenario
from kessel.wargame.cups import draw


def new_board(pack: Pack, scenario: str, options: Mapping[str, str], dice: Dice) -> Board:
    """A board with everything where the scenario puts it."""
    charts = charts_of(pack)
    s = read_scenario(pack, scenario)
    g = Board(pack.map, forces_of(pack, charts), charts, s, dict(options))
    g.dice = dice
    g.settled = pack.once(_settled).setdefault((scenario, *g.readings.values()), {})
    set_up(g)
    return g


def _settled(pack: Pack) -> dict[tuple[str, ...], Store]:
    """What holds as long as a game holds for all games with its scenario and readings."""
    return {}


def set_up(g: Board) -> None:
    s = g.scenario
    for p in s.setup:
        g.steps[p.unit] = p.steps
        g.put(p.unit, p.hex)
    for u in s.holding:
        g.steps[u], g.box[u] = g.forces.full_steps[u], HOLDING
    if g.plays("partisans"):
        for u, h in s.partisans.items():
            g.steps[u] = g.forces.full_steps[u]
            g.put(u, h)
    _arrivals(g)
    _alarms(g)
    _control(g)
    _tracks(g)
    if s.pocket:
        for u in g.on_the_map(GERMAN):
            if g.forces.corps[u] in s.pocket:
                g.set_status(u, STEMMERMANN)
    g.changed()


def _arrivals(g: Board) -> None:
    """7.0 What the Reinforcement Schedule brings waits."""
    for a in g.scenario.arrivals:
        if a.option and not g.plays(a.option):
            continue
        for u, steps in a.units:
            g.steps[u], g.box[u] = steps, WAITING
        for u in a.sdms:
            g.box[u] = WAITING
    mine = {*g.scenario.sdms[GERMAN], *g.scenario.sdms[SOVIET]}
    for side in (GERMAN, SOVIET):
        for u in g.forces.of_role[side][SDM]:
            g.steps[u] = int(u in mine)


def _alarms(g: Board) -> None:
    """4.8.1 An alarm unit of unknown strength in each hex the scenario names, on its alarm side."""
    chits = g.forces.of_role[GERMAN][ALARM]
    for u, h in zip(chits, g.scenario.alarm, strict=False):
        draw(g, g.alarm, u + 1, chits, secret=True)
        g.steps[u] = 1
        g.put(u, h)
        g.set_status(u, ALERT)


def _control(g: Board) -> None:
    """Who holds each hex: the German lines of the map, or the side of the nearest unit (scenario); bridges by Q58."""
    for h in members(g.playable):
        g.control[h] = _holder(g, h)
    for u in (*g.on_the_map(GERMAN), *g.on_the_map(SOVIET)):
        g.control[g.place[u]] = g.forces.side[u]
    for i, side in enumerate(g.bridge_at):
        if side >= 0:
            a, d = divmod(side, 6)
            b = g.map.grid.neighbours[a][d]
            same = b == NOWHERE or g.control[a] == g.control[b]
            near = g.reads("bridge_control") == "near_end"
            g.bridge_owner[i] = g.control[a] if same or near else NOBODY


def _holder(g: Board, h: Hex) -> int:
    if g.scenario.control == "german_lines":
        return GERMAN if g.ground.german_lines >> h & 1 else SOVIET
    near = [min((g.map.grid.distance(h, g.place[u]) for u in g.on_the_map(s)), default=999) for s in (GERMAN, SOVIET)]
    return GERMAN if near[GERMAN] <= near[SOVIET] else SOVIET


def _tracks(g: Board) -> None:
    s, start = g.scenario, g.scenario.start
    g.set_track("turn", s.first_turn)
    g.set_track("korsun_declared", start.korsun_isolated)
    g.set_track("korsun_active", int(bool(start.korsun_isolated)))
    g.set_track("korsun_sp", start.korsun_points)
    g.set_track("wanda_end", start.wanda_ends)
    g.set_track("mines_left", s.minefields)
    g.set_track("boundary", g.charts.game.front_boundary.column)
    for korps in start.korps_isolated:
        g.isolated[g.commands.index(korps)] = s.first_turn
        g.released[g.commands.index(korps)] = 1
