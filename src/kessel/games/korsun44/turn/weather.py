"""5.0 Weather."""

from __future__ import annotations

from kessel.games.korsun44.board import Board
from kessel.games.korsun44.data.charts import GROUNDS, VISIBILITIES


def weather_stage(g: Board) -> None:
    """3.2.A Ground condition, then visibility."""
    _ground(g)
    _visibility(g)


def _ground(g: Board) -> None:
    """5.1 A die with the turn's modifier."""
    die, more = g.die(), g.charts.turn(g.turn).ground
    condition = g.charts.ground_of(die + more)
    g.set_track("condition", condition)
    g.tell(f"the ground is {GROUNDS[condition]}: {die}, {more:+d} for the turn", "5.1", die=die)


def _visibility(g: Board) -> None:
    """5.2 A die; on 5 or 6 a second one."""
    first = g.die()
    second = g.die() if g.charts.visibility_needs_second(first) else 0
    state = g.charts.visibility_of(first, second)
    g.set_track("visibility", state)
    rolls = f"{first}, then {second}" if second else str(first)
    g.tell(f"the visibility is {VISIBILITIES[state]}: {rolls}", "5.2")
