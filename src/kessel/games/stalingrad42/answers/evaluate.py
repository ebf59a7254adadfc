"""How good a position is for a side: what a program that plays looks at when it compares positions."""

from __future__ import annotations

from kessel.core.forces import Side
from kessel.core.hexes import Hex
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import BAD_ORDER, IN_PLAY
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET
from kessel.games.stalingrad42.supply.supply import supply
from kessel.games.stalingrad42.turn.victory import victory_points

STEP = 0.08
"""A step of an ordinary division, in Victory Points."""
UNSUPPLIED, DISORDERED = 0.5, 0.85
"""What is left of a step's worth without supply, and in disorder."""
WITHIN_REACH = 0.4
"""The chance that an objective is taken that three Mechanized units stand beside."""
FAR = 12
"""Hexes from which they do not count any more."""


def strength(g: Board, side: Side) -> float:
    """Steps in play by their worth: that of a rifle division is about one."""
    supplied, f = supply(g, side).starts, g.forces
    found = 0.0
    for u in f.units_of[side]:
        if g.pool[u] != IN_PLAY or not f.combat[u]:
            continue
        face = f.faces[u][-1]
        worth = ((face.attack + face.defense) / 4 / max(1, f.full_steps[u]) + 0.1) * g.steps[u]
        if g.on_map(u):
            worth *= 1.0 if supplied >> g.place[u] & 1 else UNSUPPLIED
            worth *= DISORDERED if g.status[u] & BAD_ORDER else 1.0
        found += worth
    return found


def prospects(g: Board, side: Side) -> float:
    """Victory Points of the other side's objectives by how near the side's Mechanized units are."""
    f, distance = g.forces, g.map.grid.distance
    fast = [g.place[u] for u in f.units_of[side] if g.pool[u] == IN_PLAY and f.mech[u] and f.combat[u] and g.on_map(u)]

    def near(h: Hex) -> float:
        away = sorted(distance(h, x) for x in fast)[:3]
        return sum(max(0.0, 1 - d / FAR) for d in away) / 3

    theirs = [(h, vp) for h, vp in g.ground.vp.items() if (g.controller(h) == AXIS) == (side == SOVIET)]
    return WITHIN_REACH * sum(vp * near(h) for h, vp in theirs)


def evaluate(g: Board, side: Side) -> float:
    """The Axis' Victory Points, what may change hands next, and what is left to fight with. The fewer turns are left,
    the less the rest counts.
    """
    left = min(1.0, max(0, g.scenario.last_turn - g.turn + 1) / 4)
    value = float(victory_points(g).total)
    value += left * (prospects(g, AXIS) - prospects(g, SOVIET) + STEP * (strength(g, AXIS) - strength(g, SOVIET)))
    return value if side == AXIS else -value
