"""15.2 Bridges: control, destruction, repair, construction."""

from __future__ import annotations

from kessel.core.forces import Side
from kessel.core.hexes import Hex
from kessel.core.procedure import Procedure
from kessel.games.korsun44.board import Board


def note_crossing(g: Board, side: Side, a: Hex, b: Hex) -> None:
    """15.2 The side whose unit last crossed a bridge controls it."""
    if not g.map.grid.adjacent(a, b):
        return
    for i in g.bridge_of(g.map.grid.hexside(a, b)):
        if g.bridge_owner[i] != side:
            g.bridge_owner[i] = side
            g.cache.clear()


def bridge_attempts(g: Board, side: Side, h: Hex) -> Procedure | None:
    """15.2.1 `side` may try to destroy bridges it controls on the hexsides of h, which an enemy has just entered.

    Not there yet: returns None.
    """
    return None
