"""9.12 Combat against a lone alarm unit in the Soviet Movement Phase."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.forces import Unit
from kessel.core.procedure import Out, Procedure, Return, auto
from kessel.games.korsun44.board import DEFENDED, DISORDER, DISORGANIZED, FOUGHT, Board
from kessel.games.korsun44.combat.battle import ALARM_COMBAT, neighbours_of, stack_at
from kessel.games.korsun44.combat.combat import Combat


@dataclass(slots=True)
class AlarmCombat(Procedure):
    """9.12 A moving Soviet stack attacks a lone alarm unit: free, supported, without air, artillery and engineers, no
    Breakthrough markers. Hands over whether the attackers may go on moving: no retreat, step loss or D. Who enters the
    hex afterwards is the move's business.
    """

    side: int
    units: tuple[int, ...]
    target: int
    came: int = -1
    had: int = 0
    """Steps of the movers before it."""
    unfit: tuple[int, ...] = ()
    """Movers that were Disorganized or in Regroup before it: a D does no more to them."""

    @auto("9.12")
    def fight(self, g: Board) -> Out:
        self.came, self.had = g.place[self.units[0]], sum(g.steps[u] for u in self.units)
        self.unfit = tuple(u for u in self.units if g.status[u] & DISORDER)
        attackers = tuple(sorted((*self.units, *self._helpers(g))))
        defenders = tuple(g.of_side(self.target, 1 - self.side))
        return Combat(self.side, 1 - self.side, ALARM_COMBAT, (self.target,), attackers, defenders)

    def _helpers(self, g: Board) -> list[Unit]:
        """Q32 Only the moving stack attacks, or Soviet units already next to the alarm unit join in."""
        if g.reads("alarm_helpers") == "mover_only":
            return []
        near = (stack_at(g, h, self.side, ALARM_COMBAT, (self.target,)) for h in neighbours_of(g, (self.target,)))
        return [u for units in near for u in units if u not in self.units]

    @auto("9.12")
    def done(self, g: Board) -> Out:
        g.clear_flags(DEFENDED)
        g.mark_combat(self.target, FOUGHT, on=False)
        sound = (u in self.unfit or not g.status[u] & DISORGANIZED for u in self.units)
        unhurt = all(sound) and all(g.place[u] == self.came for u in self.units)
        return Return(unhurt and sum(g.steps[u] for u in self.units) == self.had)
