"""5.0 The Movement Phases: 5 (Soviet), 8 (German) and 10 (German motorized)."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from kessel.core.breakdown import Refusal
from kessel.core.forces import Side
from kessel.core.procedure import PASS, Action, Call, Options, Out, Procedure, ask, auto
from kessel.games.don42 import supply
from kessel.games.don42.airlift import SpendPoints
from kessel.games.don42.board import G_MOTORIZED, G_MOVEMENT, MOVED, Board
from kessel.games.don42.charts import HALF
from kessel.games.don42.defensive_positions import remove_vacated
from kessel.games.don42.forces import GERMAN
from kessel.games.don42.listing import ENTER, MOVE, Listed
from kessel.games.don42.movement import Move, allowance, can_leave, leave_map, movers, why_stays
from kessel.games.don42.reinforcements import Enter, arrivals, why_not_enter
from kessel.games.don42.stacking import Overstacked


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

    @ask("side", "10.0")
    def move(self, g: Board) -> Generator[Options, Action, Out]:
        """Choose a unit to move or to bring in, or end the phase."""
        action = yield Options(Listed(lambda: self._actions(g)), PASS, guard=lambda a: self._why_not(g, a))
        if action == PASS:
            return None
        verb, u = action
        if verb == "enter":
            return Call(Enter(self.side, u), again=True)
        return Call(Move(self.side, u, allowance(g, u).total * HALF), again=True)

    def _actions(self, g: Board) -> list[Action]:
        move, enter = MOVE.up_to(len(g.forces)), ENTER.up_to(len(g.forces))
        found = [move[u] for u in movers(g, self.side)]
        if self.phase != G_MOTORIZED:
            found += [enter[u] for u in arrivals(g, self.side)]
        return found

    def _why_not(self, g: Board, action: Action) -> Refusal | None:
        if action[0] == "move":
            if g.forces.side[action[1]] != self.side:
                return Refusal("5.0", f"{g.name(action[1])} is not a unit of the phasing player")
            return why_stays(g, action[1])
        if action[0] == "enter":
            if self.phase == G_MOTORIZED:
                return Refusal("15.0", "reinforcements enter in the Movement Phase")
            return why_not_enter(g, self.side, action[1])
        return None

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
            for u in g.schedule.leaving(g.turn):
                if g.forces.side[u] == GERMAN and g.on_map(u) and can_leave(g, u):
                    leave_map(g, u, "17.1.5")
            supply.note_contact(g)
        return None

    @auto("3.1")
    def stacking(self, g: Board) -> Out:
        return Overstacked(self.side)

    @auto("10.0")
    def end(self, g: Board) -> Out:
        g.clear_flags(MOVED)
        return None
