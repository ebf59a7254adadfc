"""12.17.4, 9.10.3 The Disorganization/Regroup Phase."""

from __future__ import annotations

from kessel.core.forces import Side
from kessel.games.korsun44.board import DISORGANIZED, NO_FIRE_1, NO_FIRE_2, REGROUP, SOVIET, Board


def recovery_phase(g: Board, side: Side) -> None:
    """3.2.E6, 3.2.F6 The phasing side's Regroup markers come off, the other side's Disorganized ones are flipped."""
    for u in g.on_the_map(side):
        if g.status[u] & REGROUP:
            g.set_status(u, REGROUP, on=False)
    for u in g.on_the_map(1 - side):
        if g.status[u] & DISORGANIZED:
            g.set_status(u, DISORGANIZED, on=False)
            g.set_status(u, REGROUP)
    if side == SOVIET:
        _no_fire(g)


def _no_fire(g: Board) -> None:
    """9.10.3 In the Soviet phase No Fire 1 markers of both sides come off, then No Fire 2 becomes No Fire 1."""
    g.clear_flags(NO_FIRE_1)
    for u in g.flagged(NO_FIRE_2):
        g.set_status(u, NO_FIRE_2, on=False)
        g.set_status(u, NO_FIRE_1)
