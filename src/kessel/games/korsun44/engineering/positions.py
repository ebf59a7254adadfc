"""15.1 German improved positions."""

from __future__ import annotations

from kessel.core.forces import Side
from kessel.core.hexes import Hex
from kessel.games.korsun44.board import IP, SOVIET, Board


def overrun_position(g: Board, side: Side, h: Hex) -> None:
    """15.1.3 An improved position goes as soon as a Soviet unit enters its hex."""
    if side == SOVIET and g.works[h] & IP:
        g.set_works(h, IP, on=False)
        g.tell(f"the improved position in {g.hex_name(h)} is overrun", "15.1.3", place=g.hex_name(h))
