"""9.12 Combat against a lone alarm unit in the Soviet Movement Phase."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.forces import Side, Unit
from kessel.core.hexes import Hex
from kessel.core.procedure import Call, Out, Procedure, Return, auto
from kessel.games.korsun44.board import DEFENDED, DISORGANIZED, Board
from kessel.games.korsun44.combat.battle import ALARM_COMBAT, neighbours_of, stack_at, why_not_attack_with
from kessel.games.korsun44.combat.combat import Combat
from kessel.games.korsun44.combat.entering import Entering
from kessel.games.korsun44.data.forces import ALARM


@dataclass(slots=True)
class AlarmCombat(Procedure):
    """9.12 A free, supported combat without aircraft, guns and engineers. Hands over whether the movers go on."""

    side: int
    units: tuple[int, ...]
    helpers: tuple[int, ...]
    target: int
    came: int
    had: int
    """Steps of the movers before it."""

    @auto("9.12")
    def fight(self, g: Board) -> Out:
        defenders = tuple(g.of_side(self.target, 1 - self.side))
        attackers = tuple(sorted((*self.units, *self.helpers)))
        return Combat(self.side, 1 - self.side, ALARM_COMBAT, (self.target,), attackers, defenders)

    @auto("9.12")
    def enter(self, g: Board) -> Out:
        """The attackers must enter a hex the alarm unit has left; those that advanced are there."""
        g.clear_flags(DEFENDED)
        left = tuple(u for u in self.units if g.place[u] == self.came)
        if not self.goes_on(g) or not left or g.of_side(self.target, 1 - self.side):
            return None
        for u in left:
            g.tell_way(u, "enters", (self.target,), "9.12")
            g.put(u, self.target)
        return Call(Entering(self.side, left, self.came, self.target))

    @auto("9.12")
    def done(self, g: Board) -> Out:
        there = all(g.place[u] == self.target for u in self.units)
        return Return(self.goes_on(g) and there)

    def goes_on(self, g: Board) -> bool:
        """No retreat, step loss or D."""
        alive = all(g.on_map(u) and not g.status[u] & DISORGANIZED for u in self.units)
        return alive and sum(g.steps[u] for u in self.units) == self.had


def alarm_combat(g: Board, side: Side, units: tuple[Unit, ...], target: Hex) -> Procedure | None:
    """9.12 A moving Soviet stack attacks a lone alarm unit; None where it may not. Q32 neighbours may join in."""
    there = g.of_side(target, 1 - side)
    if len(there) != 1 or g.forces.role[there[0]] != ALARM:
        return None
    if any(why_not_attack_with(g, u, side, ALARM_COMBAT, (target,)) for u in units):
        return None
    helpers: tuple[Unit, ...] = ()
    if g.reads("alarm_helpers") == "neighbours":
        near = (u for h in neighbours_of(g, (target,)) for u in stack_at(g, h, side, ALARM_COMBAT, (target,)))
        helpers = tuple(u for u in near if u not in units)
    steps = sum(g.steps[u] for u in units)
    return AlarmCombat(side, units, helpers, target, g.place[units[0]], steps)
