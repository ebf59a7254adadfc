"""The parts of a position of Strike of the Heron, for the Germans: what its worth is made of."""

from __future__ import annotations

from typing import Any, cast

from kessel.bots.don42.plans import far_from
from kessel.games.don42.answers.evaluate import strength
from kessel.games.don42.board import Board
from kessel.games.don42.data.forces import GERMAN, SOVIET
from kessel.games.don42.turn.victory import total

REACH = 7
"""Hexes from which units count for who will hold a Victory Point hex."""


class HeronParts:
    def left(self, g: Any) -> float:
        board = cast(Board, g)
        return max(0.0, (board.scenario.last_turn - board.turn + 1) / board.scenario.turns)

    def parts(self, g: Any) -> dict[str, float]:
        return {
            "points": float(total(g, GERMAN) - total(g, SOVIET)),
            "grip": grip(g),
            "strength": strength(g, GERMAN) - strength(g, SOVIET),
            "hqs": float(_hqs(g, GERMAN) - _hqs(g, SOVIET)),
        }


def grip(g: Board) -> float:
    """Victory Points of hexes by who is likely to hold them: the share of strength near, less what control says."""
    units = [
        (g.place[u], g.attack_value(u) + g.defence_value(u), g.forces.side[u] == GERMAN)
        for side in (GERMAN, SOVIET)
        for u in g.units_on_map(side)
        if not g.forces.hq[u]
    ]
    found = 0.0
    for (h, vp), owner in zip(g.objectives, g.control, strict=True):
        far = far_from(g, h)
        ours = theirs = 0.0
        for place, value, german in units:
            d = far[place]
            if d <= REACH:
                if german:
                    ours += value / (1 + d)
                else:
                    theirs += value / (1 + d)
        if ours or theirs:
            found += vp * (2 * ours / (ours + theirs) - 1 - (1 if owner == GERMAN else -1))
    return found


def _hqs(g: Board, side: int) -> int:
    return sum(1 for u in g.units_on_map(side) if g.forces.hq[u])


PARTS = HeronParts()
