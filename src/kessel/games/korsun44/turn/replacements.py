"""8.0 Replacements."""

from __future__ import annotations

from kessel.core.forces import Side
from kessel.core.procedure import Procedure
from kessel.games.korsun44.board import Board


def replacement_segment(g: Board, side: Side) -> Procedure | None:
    """8.0 Not there yet: returns None."""
    return None
