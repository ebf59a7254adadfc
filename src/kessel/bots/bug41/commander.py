"""A stronger opponent for Across the Bug River: `greedy` that keeps what it has taken, attacks where it pays, and lets
the enemy act first on the last turn.
"""

from __future__ import annotations

from typing import Any

from kessel.bots.bug41.goals import Goals
from kessel.bots.bug41.greedy import Greedy, Situation, parts_of
from kessel.bots.bug41.posts import Guarding, Keeping, LastGoals, Raiding, is_post
from kessel.bots.bug41.waiting import Watch, goes_on
from kessel.bots.bug41.weights import COMMANDER, COMMANDER_BY_PLACES, LAST_TURN
from kessel.bots.program import on
from kessel.bots.weights import Changes
from kessel.core.forces import Unit
from kessel.core.procedure import PASS, Action, Options
from kessel.games.bug41.board import Formation
from kessel.games.bug41.data.forces import SIDES
from kessel.games.bug41.turn.initiative import Operations

ABOUT = (
    "Keeps somebody in each place it holds, spends its strength on attacks that pay, and on the last turn lets you act "
    "first and has the last word. It does not play the turn through in its head."
)


class Commander(Greedy):
    planner = Keeping

    def __init__(self, seed: int = 0, changes: Changes | None = None) -> None:
        super().__init__(seed, changes)
        self._watch = Watch()

    def look(self, g: Any, side: int) -> Situation:
        last = g.turn >= g.scenario.last_turn
        by_turns = COMMANDER if g.scenario.victory.losses else COMMANDER_BY_PLACES
        w = self.tuned((LAST_TURN if last else by_turns)[side])
        if side not in self._goals or self._goals[side].weights is not w:
            self._goals[side] = (LastGoals if last else Goals)(side, w)
        return Situation(g, side, w)

    def marches(self, s: Situation, f: Formation) -> Guarding:
        return (Raiding if s.g.turn >= s.g.scenario.last_turn else Guarding)(s.g, s.w, self._goals[s.side], f)

    def parts(self, s: Situation, stack: tuple[Unit, ...]) -> list[tuple[Unit, ...]]:
        """All but the weakest go where the stack would leave a place empty."""
        g, found = s.g, parts_of(s.g, stack)
        if len(stack) > 1 and is_post(g, s.side, g.place[stack[0]], stack):
            stays = min(stack, key=lambda u: (g.steps[u] * (1 + g.forces.tank[u]), u))
            found.append(tuple(u for u in stack if u != stays))
        return found

    def _reserve(self, s: Situation, f: Formation) -> float:
        """On the turn before the last: what recovery fills up again and no more is spent."""
        g, found = s.g, super()._reserve(s, f)
        if g.turn != g.scenario.last_turn - 1:
            return found
        most = g.forces.reaction[g.hq_of(f)]
        spent = g.charts.recovery_of(SIDES[s.side], most, g.track("interdiction"))
        return max(found, min(most - spent, s.w.saved))

    @on(Operations.choose)
    def activate(self, s: Situation, p: Operations, found: Options) -> Action | None:
        doubtful = self._watch.look(s.g, s.side)
        action = super().activate(s, p, found)
        if action is None or action == PASS or p.passes or s.g.turn < s.g.scenario.last_turn:
            return action
        return self.say(PASS, "the enemy is to act first") if goes_on(s.g, s.side, doubtful) else action
