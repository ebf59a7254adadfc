"""18.33, 18.34 Ground conditions.

The five markers lie face down on the calendar until they are revealed. Which marker lies where is settled by the draw
at the moment it is revealed: that is the same chance, and nothing hidden has to be kept.
"""

from __future__ import annotations

from kessel.core.breakdown import Refusal
from kessel.games.kharkov43.board import FROZEN, GROUND_CONDITIONS, HEAVY_MUD, Board

UNSEEN, SET_ASIDE = 0, 99
REMIX_TURN = 11
"""18.33 The markers are gathered at the end of game-turn 10 and mixed again for game-turns 11 to 13."""


def is_heavy_mud(g: Board) -> bool:
    return g.ground_condition == HEAVY_MUD


def why_not_in_mud(g: Board) -> Refusal | None:
    """18.34 In heavy mud the Command Phase is skipped."""
    if not is_heavy_mud(g):
        return None
    return Refusal("18.34", "in heavy mud no cards are played and no formations are activated")


def reveal_ground(g: Board, turn: int) -> None:
    """18.33 In the End of Turn Phase: the ground condition of the next game-turn."""
    if not g.charts.calendar[turn].ground_marker:
        g.set_track("ground", FROZEN)
        return
    if turn == REMIX_TURN:
        _remix(g)
    unseen = [i for i, where in enumerate(g.ground_markers) if where == UNSEEN]
    chosen = unseen[g.dice.pick(len(unseen))]
    g.ground_markers[chosen] = turn
    condition = g.charts.ground_markers[chosen]
    g.set_track("ground", condition)
    g.reveal()
    g.tell(f"game-turn {turn}: {GROUND_CONDITIONS[condition].replace('_', ' ')}", "18.33", turn=turn)


def _remix(g: Board) -> None:
    """18.33 End of game-turn 10: gather the five markers and set one frozen marker aside."""
    frozen = g.charts.ground_markers.index(FROZEN)
    for i in range(len(g.ground_markers)):
        g.ground_markers[i] = SET_ASIDE if i == frozen else UNSEEN
