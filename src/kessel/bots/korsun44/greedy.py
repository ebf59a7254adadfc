"""The player: moves by a plan made at the start of the phase; all other questions one by one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kessel.bots.korsun44.advice import KorsunAdviser
from kessel.bots.korsun44.attacks import Attack
from kessel.bots.korsun44.marches import Marches, Marching
from kessel.bots.korsun44.pocket import Pocket
from kessel.bots.korsun44.situation import Kept, Situation
from kessel.bots.korsun44.weights import WEIGHTS, Weights
from kessel.bots.program import on
from kessel.bots.weights import Changes
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Hex
from kessel.core.hexset import members
from kessel.core.procedure import PASS, Action, Options
from kessel.games.korsun44.movement.costs import STRATEGIC, TACTICAL
from kessel.games.korsun44.movement.extension import ExtendedMove
from kessel.games.korsun44.movement.groups import group_of
from kessel.games.korsun44.movement.movement import Move, reach_of, why_not_end
from kessel.games.korsun44.movement.phase import MovementPhase
from kessel.games.korsun44.movement.reserve import ReserveDeclaration, ReserveMovement
from kessel.games.korsun44.movement.stacking import overstacked, why_not_stack
from kessel.games.korsun44.units.strength import is_extended

HALT: Action = ("halt",)


class Greedy(Pocket):
    numbers = Weights
    adviser = KorsunAdviser()
    marches = Marches

    def __init__(self, seed: int = 0, changes: Changes | None = None) -> None:
        super().__init__(seed, changes)
        self._kept: tuple[Kept, Kept] = ({}, {})
        self._plan = Marching()
        self._planned: tuple[int, Side] = (0, -1)
        """Turn and side of the plan."""
        self._spreading: set[Unit] = set()
        """Who was sent away in this phase because too many stood together."""

    def look(self, g: Any, side: int) -> Situation:
        return Situation(g, side, self.tuned(WEIGHTS[side]), self._kept[side])

    def plan(self, s: Situation) -> Marching:
        """Made once in a phase, on a board of its own."""
        if self._planned != (s.g.turn, s.side):
            self._plan = self.marches(s.on(s.g.copy())).make()
            self._planned, self._wall = (s.g.turn, s.side), self._plan.wall
            self._spreading = set()
        return self._plan

    def planned_attacks(self, s: Situation) -> list[Attack]:
        """Those of this phase's plan."""
        return self._plan.attacks if self._planned == (s.g.turn, s.side) else []

    # --- 9.6 reserves ------------------------------------------------------------------------------------------------

    @on(ReserveDeclaration.pick)
    def hold_back(self, s: Situation, p: ReserveDeclaration, found: Options) -> Action | None:
        wanted = self.plan(s).reserve
        for a in found:
            if a[0] == "reserve" and a[1] in wanted:
                return self.say(a, "to follow the attack")
        return self.say(PASS, "all others move now")

    # --- 9.0 moves ---------------------------------------------------------------------------------------------------

    @on(MovementPhase.pick)
    def pick(self, s: Situation, p: MovementPhase, found: Options) -> Action | None:
        plan = self.plan(s)
        able = {a[1]: a for a in found if a[0] == "move"}
        rails = [a for a in found if a[0] == "rail"]
        if rails:
            return self.say(self._by_rail(s, rails), "by rail to the front")
        for u, (_, h) in plan.moves.items():
            if u in able and s.g.place[u] != h:
                return self.say(able[u], plan.reasons.get(u, ""))
        for u, h in self._spread(s, list(able)):
            plan.moves[u] = (TACTICAL, h)
            plan.reasons[u] = "too many stand together"
            return self.say(able[u], plan.reasons[u])
        return self.say(PASS, "everybody is where he is wanted")

    def _spread(self, s: Situation, able: list[Unit]) -> Iterator[tuple[Unit, Hex]]:
        """11.1.2 Who can still go, and where to, from a hex with more units than may stay there."""
        g, grid = s.g, s.g.map.grid
        for here in overstacked(g, s.side):
            for u in [v for v in able if g.place[v] == here and not is_extended(g, v) and v not in self._spreading]:
                self._spreading.add(u)
                group = group_of(g, u)
                ways = sorted(members(reach_of(g, u).hexes), key=lambda h: (grid.distance(h, here), h))
                free = (h for h in ways if not why_not_end(g, group, h) and not why_not_stack(g, s.side, h, group))
                if (found := next(free, None)) is not None:
                    yield u, found

    def _by_rail(self, s: Situation, rails: list[Action]) -> Action:
        u = rails[0][1]
        far = s.field_of(u)
        return min((a for a in rails if a[1] == u), key=lambda a: (far[a[2]] if far else 0, a[2]))

    @on(Move.go)
    def go(self, s: Situation, p: Move, found: Options) -> Action | None:
        if p.entered:
            return self.say(HALT, "there")
        planned = self._plan.moves.get(p.units[0]) if self._planned == (s.g.turn, s.side) else None
        if p.reserve or planned is None:
            return self._best(s, p, found)
        mode, h = planned
        if mode == STRATEGIC and p.mode != STRATEGIC:
            return self.say(("strategic",), "far from the enemy")
        self._plan.moves.pop(p.units[0], None)
        if found.allows(("to", h)):
            return self.say(("to", h), self._plan.reasons.get(p.units[0], ""))
        return self.say(HALT, "the way is closed")

    def _best(self, s: Situation, p: Move, found: Options) -> Action:
        """Without a plan: the best hex to stand in."""
        marches = self.marches(s.on(s.g.copy()))
        group, here = p.units, s.g.place[p.units[0]]
        reach = 0
        for a in found:
            if a[0] == "to":
                reach |= 1 << a[1]
        best, most = here, marches.value(group, here) + marches.loss(group)
        for h in marches.likely(group, reach):
            value = marches.value(group, h) - self._crowded(s, group, h)
            if value > most:
                best, most = h, value
        return self.say(HALT, "it stays") if best == here else self.say(("to", best), s.task(group[0]).words)

    def _crowded(self, s: Situation, group: tuple[Unit, ...], h: Hex) -> float:
        return 99.0 if why_not_stack(s.g, s.side, h, group) else 0.0

    @on(ExtendedMove.go)
    def extended(self, s: Situation, p: ExtendedMove, found: Options) -> Action | None:
        return self.say(HALT, "it stays extended")

    @on(ReserveMovement.pick)
    def reserves(self, s: Situation, p: ReserveMovement, found: Options) -> Action | None:
        able = [a for a in found if a[0] == "move"]
        return self.say(able[0], "the second echelon goes in") if able else None
