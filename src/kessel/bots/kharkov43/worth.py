"""What a position of Kharkov '43 is worth, by weights fitted on campaigns of the arena (`worth.json`)."""

from __future__ import annotations

from math import exp
from pathlib import Path

from kessel.bots.kharkov43.parts import PARTS
from kessel.bots.search.worth import read_worth
from kessel.core.forces import Side
from kessel.games.kharkov43.board import Board
from kessel.games.kharkov43.data.forces import GERMAN
from kessel.games.kharkov43.turn.victory import is_kharkov_soviet, outcome

WORTH = read_worth(Path(__file__).with_name("worth.json"))


VICTORY, DEFEAT = 6.0, 3.0
"""What it is worth to have won, and what it costs to be beaten, beside the points."""
NEXT = 0.6
"""How much of that counts for the victory check of the game-turn after this one."""
WIDE = 1.0
"""Points from a level of the calendar at which it still matters."""


def worth(g: Board, side: Side) -> float:
    """The final margin in Victory Points that the position foretells for a side, and what deciding the game adds."""
    margin = WORTH.margin(PARTS.parts(g), PARTS.left(g)) + decision(g)
    return margin if side == GERMAN else -margin


def decision(g: Board) -> float:
    """18.35 Near a level of the calendar each point counts more, as long as Kharkov is held."""
    if (found := outcome(g)) is not None:
        return VICTORY if found.winner == GERMAN else -DEFEAT if found.winner is not None else 0.0
    wins, losses, held = 0.0, 0.0, not is_kharkov_soviet(g)
    for turn, share in ((g.turn, 1.0), (g.turn + 1, NEXT)):
        space = g.charts.calendar.get(turn)
        if space is None:
            continue
        if space.victory_below is not None and held:
            wins = max(wins, share * near(space.victory_below - 1 - g.vp))
        if space.defeat_above is not None:
            losses = max(losses, share * near(g.vp - space.defeat_above - 1))
    return VICTORY * wins - DEFEAT * losses


def near(points: float) -> float:
    """A half at that level, 0 far below it and 1 far above."""
    return 1 / (1 + exp(-points / WIDE))
