"""How good a position is for a side, for programs that play."""

from __future__ import annotations

from kessel.core.forces import Side
from kessel.games.bug41.board import Board
from kessel.games.bug41.data.forces import GERMAN
from kessel.games.bug41.turn.victory import loss_points, victory_points

STRENGTH, DISRUPTION, LEVEL = 1 / 30, 1 / 20, 1 / 5
"""Victory Points a strength point, a Disrupted unit and an Activation Level are worth."""


def evaluate(g: Board, side: Side) -> float:
    """In German Victory Points: places and losses as they count, and what is left to fight with."""
    points = float(victory_points(g).total) + float(loss_points(g) % 1)
    for hold in g.scenario.victory.holds:
        held = [g.owner[g.map.grid.hex(h)] == GERMAN for h in (*hold.german, *hold.soviet)]
        points += sum(held)
    for u, h in enumerate(g.place):
        if h >= 0 and not g.forces.hq[u]:
            worth = g.steps[u] * STRENGTH - DISRUPTION * g.is_disrupted(u)
            points += worth if g.forces.side[u] == GERMAN else -worth
    for f, s in enumerate(g.forces.side_of_command):
        points += g.levels[f] * (LEVEL if s == GERMAN else -LEVEL)
    return points if side == GERMAN else -points
