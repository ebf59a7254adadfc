"""16.4, 16.5 Breakout: every man for himself."""

from __future__ import annotations

from kessel.core.procedure import Procedure
from kessel.games.korsun44.board import Board


def breakout_phase(g: Board) -> Procedure | None:
    """16.5 The Breakout Phase of the turn it was declared. Not there yet: returns None."""
    return None


def is_last_soviet_turn(g: Board) -> bool:
    """16.5.4 The Soviet player-turn after a Breakout: no Event and Replacement Phases, then the game ends."""
    declared = g.track("breakout")
    return bool(declared) and g.turn > declared
