"""7.0 Reinforcements."""

from __future__ import annotations

from kessel.core.forces import Side
from kessel.core.procedure import Procedure
from kessel.games.korsun44.board import Board


def reinforcement_segment(g: Board, side: Side) -> Procedure | None:
    """7.0 Not there yet: returns None."""
    return None
