"""A program that plans its attacks before it moves: greedy's moves for everybody else."""

from __future__ import annotations

from typing import Any

from kessel.bots.don42.attacks import AttackPlanner, Order
from kessel.bots.don42.greedy import Greedy, Seat
from kessel.bots.don42.moves import followers, moving_order
from kessel.bots.don42.plans import centre_of, distances, enemies_near, far_from
from kessel.bots.program import on
from kessel.bots.weights import Changes
from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.core.procedure import Action, Options
from kessel.games.don42.board import G_MOTORIZED, Board
from kessel.games.don42.data.forces import SOVIET
from kessel.games.don42.movement.movement import Move
from kessel.games.don42.movement.movement_phase import MovementPhase
from kessel.games.don42.movement.withdrawal import must_leave

HALT: Action = ("halt",)
STRIKE = 4
"""Hexes from the enemy within which a unit could attack in this turn."""
REACH = 6
"""Hexes within which an HQ surely gives Attack Supply."""
LED = 0.5
"""What a point of attack strength in its reach is worth to an HQ."""


class Massed(Greedy):
    def __init__(self, seed: int = 0, changes: Changes | None = None) -> None:
        super().__init__(seed, changes)
        self._attacks: dict[Unit, Order] = {}
        self._planned: tuple[int, int] = (0, 0)

    def forget(self) -> None:
        self._planned = (0, 0)

    def attacks(self, seat: Seat) -> dict[Unit, Order]:
        """Who goes where to attack in this phase."""
        g, side = seat
        if g.phase == G_MOTORIZED:
            return {}
        if self._planned != (g.turn, g.phase):
            self._planned = (g.turn, g.phase)
            self._attacks = AttackPlanner(g, self.weights, side).run()
        return self._attacks

    @on(MovementPhase.move)
    def choose_mover(self, seat: Seat, p: Any, found: Options) -> Action:
        g, side = seat
        first = [a[1] for a in found if a[0] == "move" and g.forces.is_command_hq(a[1])] if side == SOVIET else []
        if first:
            return self.say(("move", first[0]), "Attack Supply comes from the HQ: it goes first")
        orders = self.attacks(seat)
        going = [a[1] for a in found if a[0] == "move" and a[1] in orders and orders[a[1]].place != g.place[a[1]]]
        if going:
            u = moving_order(g, going)[0]
            return self.say(("move", u), f"{g.name(u)} goes to attack {g.ground.name(orders[u].target)}")
        staying = [a[1] for a in found if a[0] == "move" and a[1] in orders]
        if staying:
            return ("move", staying[0])
        return super().choose_mover(seat, p, found)

    @on(Move.go)
    def move(self, seat: Seat, p: Any, found: Options) -> Action:
        g, side = seat
        if side == SOVIET and g.forces.is_command_hq(p.unit) and not must_leave(g, p.unit):
            return self._lead(g, p, found)
        order = self.attacks(seat).pop(p.unit, None)
        if order is None:
            return super().move(seat, p, found)
        if order.place == g.place[p.unit]:
            if found.allows(HALT):
                return self.say(HALT, f"it stays to attack {g.ground.name(order.target)}")
        elif found.allows(("to", order.place)) and self.mover._fits(g, p.unit, order.place):
            return self.say(("to", order.place), f"{g.name(p.unit)} goes to attack {g.ground.name(order.target)}")
        return super().move(seat, p, found)

    def _lead(self, g: Board, p: Any, found: Options) -> Action:
        """An Army HQ goes where most of those that could attack are in its reach, if it is safe there."""
        here = g.place[p.unit]
        units = followers(g, p.unit)
        if not units:
            return super().move(Seat(g, p.side), p, found)
        middle = distances(g, centre_of(g, units))
        ready = [u for u in units if g.attack_value(u) and enemies_near(g, p.side, g.place[u], STRIKE)]
        ends = [a[1] for a in found if a[0] == "to" and self.mover._fits(g, p.unit, a[1])]

        def score(h: Hex) -> float:
            far = far_from(g, h)
            led = sum(g.attack_value(u) for u in ready if far[g.place[u]] <= REACH)
            return self.mover._hq_score(g, p.unit, h, units, middle) + LED * led

        best = max([*ends, here], key=lambda h: (score(h), h == here))
        if best == here:
            return self.say(HALT, "the HQ stays with its units")
        return self.say(("to", best), "the HQ goes where it can supply an attack")
