"""13.2.4 SDMs that enemies come near."""

from __future__ import annotations

from kessel.core.forces import Side
from kessel.core.hexes import Hex
from kessel.core.procedure import Procedure
from kessel.games.korsun44.board import Board


def displacement(g: Board, side: Side, h: Hex) -> Procedure | None:
    """13.2.4 SDMs of `side` next to h, which an enemy has just entered, displace. Not there yet: returns None."""
    return None
