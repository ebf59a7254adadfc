"""What Across the Bug River tells the tactician."""

from __future__ import annotations

from typing import Any

from kessel.bots.bug41.greedy import Greedy
from kessel.bots.bug41.plans import KINDS, Planner
from kessel.bots.bug41.worth import worth
from kessel.bots.purpose import Weighed, place_words
from kessel.core.forces import Side
from kessel.core.procedure import PASS, Action, options
from kessel.games.bug41.turn.actions import price_of
from kessel.games.bug41.turn.activation import Activation


class BugFights:
    program = Greedy
    chooses = (Activation.act,)

    def attacks(self, program: Greedy, g: Any, side: Side, chosen: Action) -> list[Weighed]:
        """Where the program would attack: on whom it could, each by the units that do it best."""
        p = g.stack[-1]
        if chosen[0] not in KINDS:
            return []
        s, found = program.look(g, side), options(g)
        plans = Planner(g, s.w, p.formation, p.points, p.boats, program.marches(s, p.formation)).now()
        return [
            Weighed(plan.rate, f"a {plan.kind} attack on {place_words(g, plan.target)}", action)
            for plan in plans
            if found.allows(action := (plan.kind, plan.target, plan.units))
        ]

    def instead(self, program: Greedy, chosen: Action) -> Action:
        """The best of the other Actions."""
        others = [w for w in program.weighed() if w.action[0] not in KINDS]
        return max(others, key=lambda w: w.worth).action if others else PASS

    def price(self, g: Any, action: Action) -> float:
        return float(price_of(g, f"{action[0]}_attack", action[2]))

    def worth(self, g: Any, side: Side) -> float:
        return worth(g, side)


FIGHTS = BugFights()
