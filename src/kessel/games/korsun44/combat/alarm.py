"""9.12 Combat against a lone alarm unit in the Soviet Movement Phase."""

from __future__ import annotations

from kessel.core.forces import Side, Unit
from kessel.core.hexes import Hex
from kessel.core.procedure import Procedure
from kessel.games.korsun44.board import Board


def alarm_combat(g: Board, side: Side, units: tuple[Unit, ...], target: Hex) -> Procedure | None:
    """9.12 A moving Soviet stack attacks a lone alarm unit, free and supported, without air, artillery and engineers.

    The procedure hands over whether the attackers may go on moving: no retreat, step loss or D (9.12). Not there yet:
    returns None, and the attack is not offered.
    """
    return None
