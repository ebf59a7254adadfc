"""Attacks planned before moves: targets by their exact odds, and the units that go beside them for it."""

from __future__ import annotations

from typing import NamedTuple

from kessel.bots.don42.fights import WeightsOf, gain_of
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import members, spread
from kessel.games.don42.board import ACTIVE, ATTACK, OTHER, Board
from kessel.games.don42.combat.air import strikers
from kessel.games.don42.combat.combat import has_defended, is_across_volga, supporters
from kessel.games.don42.combat.odds import attack_strength, work_out
from kessel.games.don42.data.charts import POINT
from kessel.games.don42.data.forces import SOVIET
from kessel.games.don42.movement.movement import ends_of, movers
from kessel.games.don42.movement.stacking import why_not_together
from kessel.games.don42.supply.supply import state_now

MOST = 9
"""Units thought of for one attack, the strongest first."""
BOUND = 0.1
"""What it costs that a unit is bound to an attack."""


class Order(NamedTuple):
    place: Hex
    target: Hex


class AttackPlanner:
    """Chooses attacks one after the other, the most promising first, and binds units to them."""

    def __init__(self, g: Board, weights: WeightsOf, side: Side) -> None:
        self.g, self.weights, self.side = g.copy(), weights, side
        g = self.g
        able = [u for u in g.units_on_map(side) if self._can_attack(u)]
        free = set(movers(g, side))
        self.reach: dict[Unit, Bits] = {}
        for u in able:
            found = 1 << g.place[u]
            if u in free:
                found |= ends_of(g, u, g.allowance(u) * POINT, True)
            self.reach[u] = found
        self.home = {u: g.place[u] for u in able}
        self.orders: dict[Unit, Order] = {}

    def _can_attack(self, u: Unit) -> bool:
        g = self.g
        f = g.forces
        if f.hq[u] or f.gun[u] or f.air[u] or g.disorder(u) or not g.attack_value(u):
            return False
        return self.side != SOVIET or bool(g.status[u] & ACTIVE)

    def run(self, among: Bits = -1) -> dict[Unit, Order]:
        """On enemies in these hexes. Lazily: an attack is worked out again only when it has come to the top."""
        g = self.g
        near = 0
        for bits in self.reach.values():
            near |= bits
        there = spread(g.map.grid, near) & g.hexes_of(OTHER[self.side]) & among
        targets = [t for t in members(there) if not has_defended(g, t)]
        queue = {t: self.work_out(t) for t in targets}
        while queue:
            t = max(queue, key=lambda x: (queue[x][0], -x))
            gain, orders = queue[t]
            if gain <= 0 or not orders:
                break
            if any(u in self.orders for u in orders):
                queue[t] = self.work_out(t)
                continue
            del queue[t]
            for u, order in orders.items():
                self.orders[u] = order
                g.move(u, order.place)
        return self.orders

    def work_out(self, target: Hex) -> tuple[float, dict[Unit, Order]]:
        """The best attack on a hex with units still free, beyond what it must promise."""
        g, side = self.g, self.side
        spots = [
            n for n in g.map.grid.around[target] if not g.enemies_in(n, side) and not is_across_volga(g, n, target)
        ]
        near = sum(1 << n for n in spots)
        who = [u for u, bits in self.reach.items() if bits & near and u not in self.orders]
        who.sort(key=lambda u: (-attack_strength(g, u), u))
        planes = min(len(strikers(g, side)), g.charts.constants.air_support)
        best: tuple[float, dict[Unit, Order]] = (0.0, {})
        orders: dict[Unit, Order] = {}
        for u in who[:MOST]:
            place = self._spot(u, spots)
            if place is None:
                continue
            g.move(u, place)
            if state_now(g, u) != ATTACK and side == SOVIET:
                g.move(u, self.home[u])
                continue
            orders[u] = Order(place, target)
            group = tuple(orders)
            w = self.weights(g, group[0])
            guns = tuple(supporters(g, side, target, group, attacking=True))[:4]
            odds = work_out(g, side, group, target, guns, range(planes))
            gain = gain_of(g, w, side, target, group, odds) - w.plane * planes - BOUND * len(group) - w.good_enough
            if gain > best[0]:
                best = gain, dict(orders)
        for u in orders:
            g.move(u, self.home[u])
        return best

    def _spot(self, u: Unit, spots: list[Hex]) -> Hex | None:
        """Beside the target where there is room: where it stands already, or on the best ground."""
        g, here = self.g, self.home[u]
        found = []
        for n in spots:
            there = [v for v in g.units(n) if v != u]
            if self.reach[u] >> n & 1 and (not there or why_not_together(g, self.side, [*there, u]) is None):
                found.append((n == here, g.ground.hex_shift(n)[0], -len(there), -n))
        return -max(found)[-1] if found else None
