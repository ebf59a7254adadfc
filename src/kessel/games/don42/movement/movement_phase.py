"""5.0 The Movement Phases: 5 (Soviet), 8 (German) and 10 (German motorized)."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.breakdown import Refusal
from kessel.core.forces import Side, Unit
from kessel.core.procedure import Call, Out, Procedure, auto
from kessel.core.verbs import NOT_NOW, Choice
from kessel.games.don42.board import G_MOTORIZED, G_MOVEMENT, MOVED, Board
from kessel.games.don42.data.charts import POINT
from kessel.games.don42.data.forces import GERMAN
from kessel.games.don42.movement import withdrawal
from kessel.games.don42.movement.defensive_positions import remove_vacated
from kessel.games.don42.movement.movement import Move, allowance, movers, overdue, why_not_move
from kessel.games.don42.movement.reinforcements import Enter, arrivals, why_not_enter
from kessel.games.don42.movement.stacking import Overstacked, too_many
from kessel.games.don42.supply import supply
from kessel.games.don42.supply.airlift import SpendPoints


@dataclass(slots=True)
class MovementPhase(Procedure):
    """5.0 phases 5, 8 and 10. In phase 10 only motorized Germans move, and nobody enters."""

    side: Side
    phase: int

    @auto("5.0.8")
    def begin(self, g: Board) -> Out:
        """Check German supply at the start of the phase."""
        g.queue[:] = bytes(len(g.queue))
        g.clear_flags(MOVED)
        if self.side == GERMAN:
            supply.check(g, GERMAN, f"5.0.{self.phase}")
            return SpendPoints()
        return None

    move = Choice(
        "side",
        "10.0",
        "Choose a unit to move or to bring in, or end the Movement Phase.",
        notice=lambda p, g: " ".join(filter(None, (withdrawal.notice(g, p.side), too_many(g, p.side)))),
    )

    def why_not_end(self, g: Board) -> Refusal | None:
        u = overdue(g, self.side)
        if u is None:
            return None
        why = f"{g.name(u)} is under orders to leave the map and has not moved"
        return Refusal(withdrawal.rule_of(self.side), why)

    @move.verb("pass", why_not=why_not_end)
    def end_moves(self, g: Board) -> Out:
        return None

    def why_not_move_unit(self, g: Board, u: Unit) -> Refusal | None:
        if g.forces.side[u] != self.side:
            return Refusal("5.0", f"{g.name(u)} is not a unit of the phasing player")
        return why_not_move(g, u)

    @move.verb("move", legal=lambda p, g: movers(g, p.side), why_not=why_not_move_unit)
    def move_unit(self, g: Board, u: Unit) -> Out:
        return Call(Move(self.side, u, allowance(g, u).total * POINT), again=True)

    def entering(self, g: Board) -> list[Unit]:
        return arrivals(g, self.side) if self.phase != G_MOTORIZED else []

    def why_not_bring_in(self, g: Board, u: Unit) -> Refusal | None:
        if self.phase == G_MOTORIZED:
            return Refusal("15.0", "reinforcements enter in the Movement Phase")
        return why_not_enter(g, self.side, u) or (None if u in self.entering(g) else NOT_NOW)

    @move.verb("enter", legal=entering, why_not=why_not_bring_in)
    def bring_in(self, g: Board, u: Unit) -> Out:
        return Call(Enter(self.side, u), again=True)

    @auto("8.1")
    def positions(self, g: Board) -> Out:
        """At the end of the German Movement Phase positions without Germans are removed (8.1, 8.2)."""
        if self.phase == G_MOVEMENT:
            remove_vacated(g)
        return None

    @auto("17.1.5")
    def exits(self, g: Board) -> Out:
        """Units under orders to leave that stand where they may are taken off the map."""
        if self.side == GERMAN:
            withdrawal.take_off(g)
            supply.note_contact(g)
        return None

    @auto("3.1")
    def stacking(self, g: Board) -> Out:
        return Overstacked(self.side)

    @auto("10.0")
    def end(self, g: Board) -> Out:
        g.clear_flags(MOVED)
        return None
