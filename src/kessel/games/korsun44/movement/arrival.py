"""9.0 What happens when units enter a hex: control, bridges, mines, SDMs, armor that intercepts."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.forces import Side
from kessel.core.hexes import Hex
from kessel.core.procedure import Out, Procedure, Return, auto, takes
from kessel.games.korsun44.board import Board
from kessel.games.korsun44.engineering.bridges import bridge_attempts, has_bridges, note_crossing
from kessel.games.korsun44.engineering.minefields import MineCheck, mine_check
from kessel.games.korsun44.engineering.positions import overrun_position
from kessel.games.korsun44.movement.interception import Interception, interceptors
from kessel.games.korsun44.special.breakout import is_last_soviet_turn
from kessel.games.korsun44.supply.displacement import displacement, sdm_places


def is_quiet(g: Board, side: Side, h: Hex) -> bool:
    """Whether nothing at all can happen when units of a side enter a hex: no work or bridge there, no enemy unit or SDM
    in it or next to it."""
    near = g.map.grid.near[h] | 1 << h
    return not (g.works[h] or has_bridges(g, h) or near & g.hexes_of(1 - side) or near & sdm_places(g, 1 - side))


@dataclass(slots=True)
class Arrival(Procedure):
    """Units have moved from a to b. Hands over the hexes that intercepted, the units halted, and whether all stop."""

    side: int
    units: tuple[int, ...]
    a: int
    stood: int
    fired: tuple[int, ...] = ()
    reserve: bool = False
    halted: tuple[int, ...] = ()
    stop: bool = False

    @auto("15.2")
    def bridge(self, g: Board) -> Out:
        """The side that crosses a bridge controls it; Soviets remove improved positions they enter (15.1.3)."""
        note_crossing(g, self.side, self.a, self.stood)
        overrun_position(g, self.side, self.stood)
        return None

    @auto("15.3.2")
    def mines(self, g: Board) -> Out:
        return mine_check(g, self.side, self.units, self.a, self.stood)

    @takes(MineCheck)
    def mined(self, g: Board, value: bool) -> None:
        self.stop = value

    @auto("15.2.1")
    def destroy(self, g: Board) -> Out:
        return bridge_attempts(g, 1 - self.side, self.stood)

    @auto("13.2.4")
    def displace(self, g: Board) -> Out:
        return displacement(g, 1 - self.side, self.stood)

    @auto("9.11")
    def intercept(self, g: Board) -> Out:
        """Armor may be intercepted; in reserve movement too (Q35); not in the last Soviet turn (16.5.4)."""
        if is_last_soviet_turn(g):
            return None
        if self.reserve and g.reads("intercept_reserve") == "no":
            return None
        moving = tuple(u for u in self.units if g.on_map(u))
        if not any(g.forces.armor[u] for u in moving):
            return None
        if not interceptors(g, 1 - self.side, self.a, self.stood, self.fired):
            return None
        return Interception(1 - self.side, self.side, moving, self.a, self.stood, self.fired)

    @takes(Interception)
    def intercepted(self, g: Board, value: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
        self.fired, self.halted = value

    @auto("9.0")
    def done(self, g: Board) -> Out:
        return Return((self.fired, self.halted, self.stop))
