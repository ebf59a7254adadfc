"""9.22.11 From which hexes a unit could get to a goal in one move: `movement` asked for each hex near enough."""

from __future__ import annotations

from kessel.core.breakdown import Refusal
from kessel.core.forces import Unit
from kessel.core.hexes import Bits
from kessel.core.hexset import members, within
from kessel.games.kharkov43.board import Board
from kessel.games.kharkov43.data.charts import POINT
from kessel.games.kharkov43.movement.movement import REGULAR, going, reach_of
from kessel.games.kharkov43.movement.stacking import why_not_fit
from kessel.games.kharkov43.system.terms.terminology import suppose


def starts_reaching(g: Board, u: Unit, goal: Bits, among: Bits) -> Bits:
    """Those hexes among the given ones from which u could move to and enter a hex of the goal, or that are in it."""
    goal = _with_room(g, u, goal)
    found = among & goal
    way = going(g, u)
    if isinstance(way, Refusal):
        return found
    near = within(g.map.grid, goal, max(way.allowance // POINT, 1))
    return found | _one_by_one(g, u, goal, among & near & ~found)


def _with_room(g: Board, u: Unit, goal: Bits) -> Bits:
    s = 0
    for h in members(goal):
        if why_not_fit(g, h, [u]) is None:
            s |= 1 << h
    return s


def _one_by_one(g: Board, u: Unit, goal: Bits, among: Bits) -> Bits:
    """By the search forwards from each: the only one that knows every rule of a move."""
    s = 0
    for h in members(among):
        if reach_of(suppose(g, u, h), u, REGULAR).hexes & goal:
            s |= 1 << h
    return s
