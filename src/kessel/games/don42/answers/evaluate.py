"""How good a position is for a side: what a program that plays looks at when it compares positions."""

from __future__ import annotations

from kessel.core.forces import Side
from kessel.games.don42.board import DPT, DRG, OOS, RTD, Board
from kessel.games.don42.data.forces import GERMAN, SOVIET
from kessel.games.don42.turn.victory import total

STEP = 1.0
HQ_WORTH = 2.0
DISORDER_COST = {DRG: 0.2, DPT: 0.6, RTD: 1.0}
OOS_COST = 0.5


def strength(g: Board, side: Side) -> float:
    """Steps on the map by their values, less for disorder and lack of supply."""
    worth = 0.0
    for u in g.units_on_map(side):
        value = g.forces.value[u][g.steps[u]]
        here = HQ_WORTH if g.forces.hq[u] else STEP * (value[0] + value[1]) / 4
        here -= DISORDER_COST.get(g.disorder(u), 0.0) + (OOS_COST if g.supply[u] == OOS else 0.0)
        worth += max(0.1, here)
    return worth


def evaluate(g: Board, side: Side) -> float:
    """Victory Points as they stand, and what is left to win more with."""
    points = total(g, GERMAN) - total(g, SOVIET)
    forces = strength(g, GERMAN) - strength(g, SOVIET)
    value = points + 0.5 * forces
    return value if side == GERMAN else -value
