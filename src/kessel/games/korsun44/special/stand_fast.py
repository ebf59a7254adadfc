"""16.1, 22.1 Stand Fast: 11th and 42nd Korps keep a continuous front until they are released."""

from __future__ import annotations

from kessel.core.breakdown import Refusal
from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.core.procedure import Procedure
from kessel.games.korsun44.board import Board


def why_not_leave(g: Board, u: Unit, h: Hex) -> Refusal | None:
    """22.1 Why a unit of a korps that must stand fast may not move to h. Not there yet: returns None."""
    return None


def release_segment(g: Board) -> Procedure | None:
    """22.1.4, 3.2.F1A The German player rolls for release. Not there yet: returns None."""
    return None
