"""22.11, 18.13 The boundary between the Fronts."""

from __future__ import annotations

from kessel.core.breakdown import Refusal
from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.core.procedure import Procedure
from kessel.games.korsun44.board import Board


def why_not_cross(g: Board, u: Unit, h: Hex) -> Refusal | None:
    """22.11 Why a Soviet unit may not end a move beyond its Front's boundary. Not there yet: returns None."""
    return None


def boundary_segment(g: Board) -> Procedure | None:
    """22.11, 3.2.E1D The boundary may be moved. Not there yet: returns None."""
    return None
