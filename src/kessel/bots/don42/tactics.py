"""What Strike of the Heron tells the tactician."""

from __future__ import annotations

from typing import Any

from kessel.bots.don42.greedy import Greedy
from kessel.bots.don42.worth import worth
from kessel.bots.purpose import Weighed
from kessel.core.forces import Side
from kessel.core.procedure import PASS, Action
from kessel.games.don42.combat.combat import CombatPhase


class HeronFights:
    program = Greedy
    chooses = (CombatPhase.attack,)

    def attacks(self, program: Greedy, g: Any, side: Side, chosen: Action) -> list[Weighed]:
        return [w for w in program.weighed() if w.action != PASS]

    def instead(self, program: Greedy, chosen: Action) -> Action:
        return PASS

    def price(self, g: Any, action: Action) -> float:
        return 1.0

    def worth(self, g: Any, side: Side) -> float:
        return worth(g, side)


FIGHTS = HeronFights()
