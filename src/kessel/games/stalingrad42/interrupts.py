"""What interrupts a move, advance or retreat when a hex is entered: units in Full Retreat that must run (13.3.2)."""

from __future__ import annotations

from kessel.core.forces import Side
from kessel.core.hexes import Hex
from kessel.core.procedure import Procedure
from kessel.games.stalingrad42.board import COMBAT, Board, other
from kessel.games.stalingrad42.disruption import retreating_next_to


def interruption(g: Board, side: Side, h: Hex) -> Procedure | None:
    """The procedure to carry out before that side's units, having entered h, go on; None if nothing interrupts."""
    if not g.map.is_hex(h) or not g.sets[COMBAT + side] >> h & 1:
        return None
    if not retreating_next_to(g, h, other(side)):
        return None
    return None
