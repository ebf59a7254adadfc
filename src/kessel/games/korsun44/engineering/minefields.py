"""15.3 Soviet minefields."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.forces import Side, Unit
from kessel.core.hexes import Hex
from kessel.core.procedure import Out, Procedure, Return, auto
from kessel.games.korsun44.board import Board


@dataclass(slots=True)
class MineCheck(Procedure):
    """15.3.2 Germans have moved over a minefield hexside. Hands over whether they must halt. Not there yet."""

    @auto("15.3.2")
    def roll(self, g: Board) -> Out:
        return Return(False)


def mine_check(g: Board, side: Side, units: tuple[Unit, ...], a: Hex, b: Hex) -> MineCheck | None:
    """15.3.2 The die rolls for units that went from a to b, where a minefield hexside lies between. Not there yet."""
    return None
