"""3.2.G, 19.0-21.0 Victory."""

from __future__ import annotations

from kessel.core.breakdown import Breakdown
from kessel.core.title import Outcome
from kessel.games.korsun44.board import GERMAN, SIDES, Board


def score(g: Board) -> Breakdown:
    """German points less Soviet points. Of the kinds of points only `hexes` is there yet."""
    b = Breakdown("German points less Soviet points")
    for rule in g.scenario.points:
        side = SIDES.index(rule.side)
        sign = 1 if side == GERMAN else -1
        if rule.kind == "hexes":
            for name in rule.places:
                if g.control[g.map.grid.hex(name)] == side:
                    b.add(f"{rule.side} control of {name}", sign * rule.points, "3.2.G")
    return b


def outcome(g: Board) -> Outcome:
    total = score(g).total
    level = g.scenario.level(total)
    winner = SIDES.index(level.winner) if level.winner else None
    return Outcome(winner, level.name, "3.2.G", {"german": max(total, 0), "soviet": max(-total, 0)})
