"""Attacks planned before moves: who goes where beside a target; and, later, which stacks attack it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from kessel.bots.korsun44.fights import battle, prospect
from kessel.bots.korsun44.situation import Situation, is_mobile
from kessel.core.forces import Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import members, spread
from kessel.games.korsun44.board import DECLARED, SOVIET
from kessel.games.korsun44.combat.battle import (
    COMBAT_SEGMENT,
    defenders_in,
    stack_at,
    stacks_beside,
    why_not_attack_with,
)
from kessel.games.korsun44.movement.movement import why_not_end
from kessel.games.korsun44.movement.stacking import why_not_stack
from kessel.games.korsun44.units.strength import is_attack_capable, strength

MOST_COMERS = 7
"""Groups that are thought of for one attack."""
MORE = 0.1
"""What another stack must add to an attack."""
MORE_TANKS = 0.3
"""The same for tanks."""
OPENS = 0.5
"""Hexes nearer to the objective that make a target one on the way to it."""
Group = tuple[Unit, ...]


@dataclass(slots=True)
class Attack:
    """An attack that is planned."""

    target: Hex
    value: float
    moves: dict[Group, Hex] = field(default_factory=dict)
    stacks: tuple[Hex, ...] = ()


def prize_of(s: Situation, target: Hex, units: Iterable[Unit]) -> float:
    """What it is worth to clear a hex: for the place, for the way it opens and for the road it cuts."""
    w = s.w
    best = max((s.nearer(u, s.g.place[u], target) for u in units if s.task(u).attack), default=0.0)
    road = w.road * s.roads.blocks.get(target, 0.0)
    return w.clear + s.prize(target) + (w.forward if best > OPENS else 0.0) + road


def least(s: Situation, target: Hex, units: Iterable[Unit]) -> float:
    """What an attack must promise: less where it opens the way."""
    forward = any(s.task(u).attack and s.nearer(u, s.g.place[u], target) > OPENS for u in units)
    return s.w.least_attack if forward or s.prize(target) or target in s.roads.blocks else s.w.least_holding


class Planner:
    """Attacks by groups that can still move. Works on a board of its own, on which planned moves are made."""

    def __init__(self, s: Situation, reach: dict[Group, Bits]) -> None:
        self.s, self.g, self.reach = s, s.g, reach
        self.free = {group for group in reach if any(is_attack_capable(self.g, u) for u in group)}
        self.planned: list[Attack] = []

    def plan(self) -> list[Attack]:
        """The best attack again and again, until none is worth it; others are looked at again when they come up."""
        found = [a for t in self.targets() if (a := self.best(t)) is not None]
        while found:
            found.sort(key=lambda a: (a.value, -a.target))
            first = found.pop()
            again = self.best(first.target)
            if again is None:
                continue
            if found and again.value < found[-1].value - 1e-9:
                found.append(again)
                continue
            self.commit(again)
        return self.planned

    def targets(self) -> list[Hex]:
        enemies, near = self.g.hexes_of(self.s.enemy), 0
        for group in self.free:
            near |= spread(self.g.map.grid, self.reach[group])
        return members(enemies & near)

    def commit(self, a: Attack) -> None:
        g = self.g
        for group, h in a.moves.items():
            for u in group:
                g.move(u, h)
            self.free.discard(group)
        g.mark_combat(a.target, DECLARED)
        self.planned.append(a)

    def best(self, target: Hex) -> Attack | None:
        """The best attack on a hex with the groups that are free, strongest first."""
        g, s = self.g, self.s
        if g.combats[target] & DECLARED:
            return None
        near = g.map.grid.near[target]
        comers = [group for group in self.free if self.reach[group] & near and self.goes(group, target)]
        comers.sort(key=lambda group: self.order(group, near))
        came: dict[Group, Hex] = {}
        units: list[Unit] = []
        most = -9.0
        for group in comers[:MOST_COMERS]:
            h, here = self.hex_for(group, target, self.reach[group] & near), g.place[group[0]]
            if h < 0:
                continue
            for u in group:
                g.move(u, h)
            able = [u for u in group if why_not_attack_with(g, u, s.side, COMBAT_SEGMENT, (target,)) is None]
            value = self.value(target, [*units, *able]) if able else -9.0
            if value > most + (MORE_TANKS if self.spares(group) else MORE):
                most, came[group] = value, here
                units += able
            else:
                for u in group:
                    g.move(u, here)
        moves = {group: g.place[group[0]] for group in came}
        worth_it = most > least(s, target, units) if units else False
        for group, h in reversed(came.items()):
            for u in group:
                g.move(u, h)
        return Attack(target, most, moves) if worth_it else None

    def order(self, group: Group, near: Bits) -> tuple[bool, bool, int, Group]:
        """Infantry first, so that tanks are free to go on; those who are there already; the strongest."""
        g, u = self.g, group[0]
        return self.spares(group), not near >> g.place[u] & 1, -sum(strength(g, v) for v in group), group

    def spares(self, group: Group) -> bool:
        """Soviet tanks on their way are spared; panzers lead the attack."""
        return self.s.side == SOVIET and is_mobile(self.g, group[0]) and self.s.task(group[0]).attack

    def goes(self, group: Group, target: Hex) -> bool:
        """Whoever is to go somewhere attacks only what lies that way; infantry also who cuts a road."""
        s, u = self.s, group[0]
        if not s.task(u).attack or s.nearer(u, self.g.place[u], target) > 0:
            return True
        return target in s.roads.blocks and not is_mobile(self.g, u)

    def value(self, target: Hex, units: Sequence[Unit]) -> float:
        s = self.s
        b = battle(self.g, s.side, COMBAT_SEGMENT, target, units, s.guns_near(target))
        return prospect(self.g, s.w, b, prize_of(s, target, units)).value

    def hex_for(self, group: Group, target: Hex, hexes: Bits) -> Hex:
        """The best hex beside the target for a group: no water between, room, few enemies; -1 for none."""
        g, s = self.g, self.s
        best, most = -1, -1e9
        for h in members(hexes):
            if h != g.place[group[0]] and (why_not_end(g, group, h) or why_not_stack(g, s.side, h, group)):
                continue
            d = g.map.grid.direction(h, target)
            wet = (g.ground.river[d] | g.ground.stream[d]) >> h & 1
            value = -3.0 * wet - s.w.exposed * (s.beside.get(h, 0.0) - s.enemy_at.get(target, 0.0))
            value += 0.5 * (h == g.place[group[0]]) + 0.1 * s.nearer(group[0], g.place[group[0]], h)
            if value > most:
                best, most = h, value
        return best


# --- which stacks attack what --------------------------------------------------------------------------------------


def assignment(s: Situation, segment: int, targets: Iterable[Hex]) -> list[Attack]:
    """Of units that stand where they are: the attacks worth making, best first; each stack is used once."""
    used: set[Hex] = set()
    found: list[Attack] = []
    known = {t: a for t in targets if (a := best_stacks(s, segment, t, used)) is not None}
    while known:
        best = max(known.values(), key=lambda a: (a.value, -a.target))
        found.append(best)
        used |= set(best.stacks)
        del known[best.target]
        for t in [t for t, a in known.items() if used & set(a.stacks)]:
            again = best_stacks(s, segment, t, used)
            if again is None:
                del known[t]
            else:
                known[t] = again
    return found


def best_stacks(s: Situation, segment: int, target: Hex, used: set[Hex]) -> Attack | None:
    """The stacks beside a hex that make the best attack on it; None where none is worth it."""
    g, guns = s.g, s.guns_near(target)
    if not defenders_in(g, target, s.enemy):
        return None
    stacks = [h for h in stacks_beside(g, s.side, segment, (target,)) if h not in used]
    by_power = sorted(stacks, key=lambda h: (-s.power(stack_at(g, h, s.side, segment, (target,))), h))
    units: list[Unit] = []
    chosen: tuple[Hex, ...] = ()
    most = -9.0
    for h in by_power:
        some = [*units, *stack_at(g, h, s.side, segment, (target,))]
        b = battle(g, s.side, segment, target, some, guns)
        value = prospect(g, s.w, b, prize_of(s, target, some)).value
        if value > most + MORE:
            units, chosen, most = some, (*chosen, h), value
    return Attack(target, most, {}, chosen) if units and most > least(s, target, units) else None
