"""9.0 The Movement Phase."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.breakdown import Refusal
from kessel.core.forces import Unit
from kessel.core.procedure import Call, Out, Procedure, auto
from kessel.core.verbs import Choice
from kessel.games.korsun44.board import GUEST, MOVED, Board
from kessel.games.korsun44.movement.movement import Move, group_of, why_not_move
from kessel.games.korsun44.movement.reserve import ReserveDeclaration
from kessel.games.korsun44.movement.stacking import Overstacked
from kessel.games.korsun44.special.breakout import is_last_soviet_turn
from kessel.games.korsun44.supply.stage import end_of_movement


@dataclass(slots=True)
class MovementPhase(Procedure):
    """3.2.E3, 3.2.F3 Reserves are declared, then units move one after the other."""

    side: int

    @auto("9.0")
    def begin(self, g: Board) -> Out:
        g.clear_flags(MOVED)
        g.clear_flags(GUEST, self.side)
        return None

    @auto("9.6")
    def reserves(self, g: Board) -> Out:
        return None if is_last_soviet_turn(g) else ReserveDeclaration(self.side)

    def why_not_move(self, g: Board, u: Unit) -> Refusal | None:
        if g.forces.side[u] != self.side:
            return Refusal("9.0", f"{g.name(u)} is not a unit of the phasing player")
        return next((why for v in group_of(g, u) if (why := why_not_move(g, v))), None)

    pick = Choice("side", "9.0", "Choose a unit to move, or end the Movement Phase.", passing=None)

    @pick.verb("move", among=lambda p, g: g.on_the_map(p.side), why_not=why_not_move)
    def move(self, g: Board, u: Unit) -> Out:
        return Call(Move(self.side, group_of(g, u)), again=True)

    @auto("13.1.2")
    def rails(self, g: Board) -> Out:
        end_of_movement(g, self.side)
        return None

    @auto("11.1.2")
    def stacking(self, g: Board) -> Out:
        return Overstacked(self.side)

    @auto("9.0")
    def end(self, g: Board) -> Out:
        g.clear_flags(MOVED)
        return None
