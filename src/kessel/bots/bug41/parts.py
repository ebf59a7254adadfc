"""The parts of a position of Across the Bug River, for the Germans: what its worth is made of."""

from __future__ import annotations

from typing import Any, cast

from kessel.bots.bug41.goals import places
from kessel.games.bug41.board import Board
from kessel.games.bug41.data.forces import GERMAN
from kessel.games.bug41.turn.victory import loss_points, victory_points

REACH = 8
"""Hexes from which units count for who will hold a place."""


class BugParts:
    def left(self, g: Any) -> float:
        board = cast(Board, g)
        first, last = board.scenario.first_turn, board.scenario.last_turn
        return max(0.0, (last - board.turn + 1) / (last - first + 1))

    def parts(self, g: Any) -> dict[str, float]:
        victory = g.scenario.victory
        points = sum(vp for h, vp in places(g).items() if g.owner[h] == GERMAN) if victory.holds else 0.0
        points += float(victory_points(g).total) + (float(loss_points(g) % 1) if victory.losses else 0.0)
        strength = disrupted = 0.0
        for u, h in enumerate(g.place):
            if h >= 0 and not g.forces.hq[u]:
                sign = 1 if g.forces.side[u] == GERMAN else -1
                strength += sign * g.steps[u]
                disrupted -= sign * g.is_disrupted(u)
        levels = sum(n if s == GERMAN else -n for n, s in zip(g.levels, g.forces.side_of_command, strict=False))
        return {
            "points": points,
            "grip": grip(g),
            "strength": strength,
            "disrupted": disrupted,
            "levels": float(levels),
        }


def grip(g: Board) -> float:
    """What places count by who is likely to hold them: the share of strength near, less what control says."""
    found = 0.0
    distance = g.map.grid.distance
    units = [(h, g.steps[u], g.forces.side[u] == GERMAN) for u, h in enumerate(g.place) if h >= 0]
    for place, vp in places(g).items():
        ours = theirs = 0.0
        for h, steps, german in units:
            d = distance(h, place)
            if d <= REACH:
                if german:
                    ours += steps / (1 + d)
                else:
                    theirs += steps / (1 + d)
        if ours or theirs:
            found += vp * (ours / (ours + theirs) - (g.owner[place] == GERMAN))
    return found


PARTS = BugParts()
