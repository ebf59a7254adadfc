"""15.0 The Engineering Phase."""

from __future__ import annotations

from kessel.core.forces import Side
from kessel.core.procedure import Procedure
from kessel.games.korsun44.board import Board


def engineering_phase(g: Board, side: Side) -> Procedure | None:
    """15.0 Destroy and repair bridges, build new ones, improved positions, minefields. Not there yet: returns None."""
    return None
