"""9.12 Combat against a lone alarm unit in the Soviet Movement Phase."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.procedure import Out, Procedure, Return, auto
from kessel.games.korsun44.board import Board

READY = False
"""Whether this combat is there: until then the attack is not offered."""


@dataclass(slots=True)
class AlarmCombat(Procedure):
    """9.12 A moving Soviet stack attacks a lone alarm unit: free, supported, without air, artillery and engineers, no
    Breakthrough markers. Hands over whether the attackers may go on moving: no retreat, step loss or D. Who enters the
    hex afterwards is the move's business. Not there yet.
    """

    side: int
    units: tuple[int, ...]
    target: int

    @auto("9.12")
    def fight(self, g: Board) -> Out:
        return Return(False)
