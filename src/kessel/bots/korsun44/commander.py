"""A stronger opponent for The Jaws of Victory: `greedy` that knows what counts when the game ends."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kessel.bots.korsun44.attacks import Attack, Group
from kessel.bots.korsun44.greedy import Greedy
from kessel.bots.korsun44.marches import LINES, Marches, counts_at
from kessel.bots.korsun44.orders import ORDERS, Order
from kessel.bots.korsun44.situation import Situation
from kessel.bots.korsun44.weights import COMMANDER, LAST_TURN
from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.games.korsun44.board import GERMAN, OUT, POINT, RESERVE, SOVIET, Board
from kessel.games.korsun44.movement.costs import STRATEGIC, TACTICAL
from kessel.games.korsun44.movement.movement import reach_of, why_not_end, why_not_strategic
from kessel.games.korsun44.movement.stacking import why_not_stack
from kessel.games.korsun44.special.victory import is_brigade
from kessel.games.korsun44.units.strength import is_attack_capable

ABOUT = (
    "Sends reserves where Victory Points are at stake, and on the last turn takes what stands empty and attacks for "
    "whatever counts. It does not play the turn through in its head."
)
DRIVEN_OFF = 0.3
"""What of a brigade that counts is lost, on average, when it must retreat."""
GROUND = {"hexes", "brigades_west", "brigades_east", "brigades_cut"}
"""What counts for where one stands."""
MORE_ORDERS: dict[str, tuple[tuple[Order, ...], tuple[Order, ...]]] = {
    "kapitanovka": ((Order("5SSPz", "4225", False),), ()),
}
"""By scenario: orders that come before those for the whole campaign."""


class Aware(Situation):
    """Brigades that count where they stand are worth attacking."""

    def prize(self, h: Hex) -> float:
        found, g = super().prize(h), self.g
        if self.side == GERMAN and is_last(g):
            found += self.w.place * DRIVEN_OFF * counted(g, g.of_side(h, SOVIET), h)
        return found


class Errands(Marches):
    """Marches with the form of the last turn."""

    def cross_line(self) -> None:
        super().cross_line()
        if is_last(self.g):
            self.retake()

    def retake(self) -> None:
        """Somebody goes into each place of the enemy that stands empty."""
        g, s = self.g, self.s
        for h in sorted(s.places, key=lambda h: (-s.places[h], h)):
            if g.control[h] == s.side or g.of_side(h, s.enemy):
                continue
            ways = [(group, mode) for group in self.reach if (mode := self.way_to(group, h)) >= 0]
            if ways:
                group, mode = min(ways, key=lambda x: (s.power(x[0]), x[0]))
                for v in group:
                    g.move(v, h)
                self.plan.moves[group[0]] = (mode, h)
                self.plan.reasons[group[0]] = f"{g.place_words(h)} stands empty"
                del self.reach[group]

    def hold_back(self, attacks: list[Attack], busy: set[Group]) -> None:
        """9.6 On the last turn brigades that cannot cross the line now try again when the attacks have opened a way."""
        super().hold_back(attacks, busy)
        g = self.g
        if not attacks or not is_last(g):
            return
        self.plan.reserve -= set(self.plan.moves)
        for group in self.reach:
            u, here = group[0], g.place[group[0]]
            if group in busy or u in self.plan.moves or self.front >> here & 1 or g.status[u] & (OUT | RESERVE):
                continue
            if counted(g, group, here) == 0 and any(is_brigade(g, v) for v in group):
                self.plan.reserve.add(u)

    def way_to(self, group: Group, h: Hex) -> int:
        """How a group can get to a hex; -1 where it cannot."""
        g = self.g
        if not any(is_attack_capable(g, u) for u in group):
            return -1
        if why_not_end(g, group, h) or why_not_stack(g, self.s.side, h, group):
            return -1
        if self.reach[group] >> h & 1:
            return TACTICAL
        far = all(why_not_strategic(g, v) is None for v in group)
        return STRATEGIC if far and reach_of(g, group[0], STRATEGIC).hexes >> h & 1 else -1

    def value(self, group: Group, h: Hex) -> float:
        found, s = super().value(group, h), self.s
        if is_last(self.g):
            found += self.w.place * counted(self.g, group, h)
        far = s.field_of(group[0])
        if far is None or s.task(group[0]).attack:
            return found
        return found - self.w.pull * min(far[h] / POINT, 60)


class Commander(Greedy):
    marches = Errands

    def look(self, g: Any, side: int) -> Situation:
        w = self.tuned((LAST_TURN if is_last(g) else COMMANDER)[side])
        more = MORE_ORDERS.get(g.scenario.id)
        orders = (*more[side], *ORDERS[side]) if more is not None else None
        return Aware(g, side, w, self._kept[side], orders)

    def _gain(self, s: Situation, u: Unit, h: Hex) -> float:
        found, g = super()._gain(s, u, h), s.g
        return found + s.w.place * (counted(g, (u,), h) - counted(g, (u,), g.place[u])) if is_last(g) else found


def counted(g: Board, units: Iterable[Unit], h: Hex) -> float:
    """The Victory Points that units would count for in a hex."""
    brigades = sum(is_brigade(g, u) and not g.status[u] & OUT for u in units)
    return float(sum(brigades * r.points for r in g.scenario.points if r.kind in LINES and counts_at(g, r, h)))


def is_last(g: Board) -> bool:
    """Whether nothing comes after this turn, and places and brigades alone count: no steps that are left or lost."""
    kinds = {rule.kind for rule in g.scenario.points}
    return bool(g.turn >= g.scenario.last_turn) and kinds <= GROUND
