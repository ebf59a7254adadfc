"""Attacks planned before moves: who goes where beside a target, and who then attacks it how."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from kessel.bots.bug41 import fights
from kessel.bots.bug41.goals import places
from kessel.bots.bug41.marches import Marches
from kessel.bots.bug41.weights import Weights
from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.core.hexset import members, within
from kessel.games.bug41.board import Board, Formation
from kessel.games.bug41.combat.attack import why_not_attack, why_not_attack_from
from kessel.games.bug41.combat.strength import HASTY, PREPARED, REGULAR
from kessel.games.bug41.movement.move import why_stays
from kessel.games.bug41.movement.stacking import fits
from kessel.games.bug41.movement.zones import zone_of
from kessel.games.bug41.supply.command import is_commanded, is_isolated
from kessel.games.bug41.turn.actions import price_of
from kessel.wargame.board import other

MOST_MOVES = 3
"""Stacks that are brought up for one attack."""
KINDS = (PREPARED, REGULAR, HASTY)
LIKELY_TARGETS = 8
"""Targets for which stacks may be brought up: those worth most."""
SEEN = 5
"""Hexes around the formation in which targets are looked for."""


@dataclass(slots=True)
class Plan:
    rate: float = 0.0
    """Gain for each Action Point."""
    kind: str = ""
    target: Hex = -1
    units: tuple[Unit, ...] = ()
    moves: tuple[tuple[tuple[Unit, ...], Hex], ...] = ()
    """Stacks to bring up first, and where to."""


@dataclass(slots=True)
class Planner:
    g: Board
    w: Weights
    f: Formation
    points: int
    boats: int
    marches: Marches
    stayed: Collection[tuple[Unit, ...]] = ()
    """Stacks that have found no way."""

    def stacks(self) -> dict[Hex, tuple[Unit, ...]]:
        """The undisrupted units of the formation by hex."""
        found: dict[Hex, list[Unit]] = {}
        for u in self.g.of_formation(self.f):
            if not self.g.is_disrupted(u) and not is_isolated(self.g, u):
                found.setdefault(self.g.place[u], []).append(u)
        return {h: tuple(us) for h, us in found.items()}

    def best(self, *, moving: bool = True) -> Plan:
        """The best attack the points allow, with moves before it or without."""
        g, side = self.g, self.marches.side
        stacks = self.stacks()
        found = Plan()
        beside = 0
        for h in stacks:
            beside |= 1 << h
        enemies = g.hexes_with_combat_units(other(side))
        near = within(g.map.grid, beside, SEEN if moving else 1)
        prizes = sorted(((self.prize(h), h) for h in members(enemies & near)), reverse=True)
        for n, (prize, target) in enumerate(prizes):
            around = g.map.grid.around[target]
            now = {h: stacks[h] for h in around if h in stacks and why_not_attack_from(g, h, target) is None}
            self.try_all(g, found, target, prize, now, ())
            if moving and self.points > 1 and n < LIKELY_TARGETS:
                self.bring_up(found, target, prize, stacks, now)
        return found

    def now(self) -> list[Plan]:
        """The best attack on each hex by units that stand beside it."""
        g, side, stacks = self.g, self.marches.side, self.stacks()
        beside = 0
        for h in stacks:
            beside |= 1 << h
        found = []
        for target in members(g.hexes_with_combat_units(other(side)) & within(g.map.grid, beside, 1)):
            near = {h: stacks[h] for h in g.map.grid.around[target] if h in stacks}
            near = {h: units for h, units in near.items() if why_not_attack_from(g, h, target) is None}
            plan = Plan()
            self.try_all(g, plan, target, self.prize(target), near, ())
            if plan.units:
                found.append(plan)
        return found

    def prize(self, target: Hex) -> float:
        """What it is worth to clear a hex."""
        g, w = self.g, self.w
        found = w.clear
        units = g.of_formation(self.f)
        if units and self.marches.goal.hexes:
            away = self.marches.goals.distances(g, self.f, 0)
            here = [
                away[n] for n in g.map.grid.around[target] if any(g.command[u] == self.f for u in g.combat_units(n))
            ]
            if here and away[target] < min(here):
                found += w.forward
        if (vp := places(g).get(target)) and g.owner[target] != self.marches.side:
            found += vp * w.victory_point
        if g.hqs_in(target):
            found += w.forward
        return found

    def try_all(
        self,
        g: Board,
        found: Plan,
        target: Hex,
        prize: float,
        stacks: dict[Hex, tuple[Unit, ...]],
        moves: tuple[tuple[tuple[Unit, ...], Hex], ...],
    ) -> None:
        """Every stack beside the target in every kind of attack; the best goes into `found`."""
        spent = sum(price_of(self.g, "movement", us) for us, _ in moves)
        strongest = sorted(stacks.values(), key=lambda us: -sum(g.steps[u] for u in us))[:3]
        for units in strongest:
            for kind in KINDS:
                if why_not_attack(g, self.f, kind, target, units, self.points - spent) is not None:
                    continue
                paid = spent + price_of(g, f"{kind}_attack", units)
                gain = fights.worth(g, self.w, self.f, kind, target, units, prize)
                if gain / paid > found.rate:
                    found.rate, found.kind, found.target = gain / paid, kind, target
                    found.units, found.moves = units, moves

    def bring_up(
        self,
        found: Plan,
        target: Hex,
        prize: float,
        stacks: dict[Hex, tuple[Unit, ...]],
        now: dict[Hex, tuple[Unit, ...]],
    ) -> None:
        """Look at the board after one, two or three stacks have come beside the target."""
        g = self.g.copy()
        moves: tuple[tuple[tuple[Unit, ...], Hex], ...] = ()
        there = dict(now)
        for units, h in self.comers(target, stacks):
            if len(moves) >= min(MOST_MOVES, self.points - 1) or h in there or not fits(g, h, units):
                continue
            for u in units:
                g.move(u, h)
            moves = (*moves, (units, h))
            there[h] = units
            self.try_all(g, found, target, prize, there, moves)

    def comers(self, target: Hex, stacks: dict[Hex, tuple[Unit, ...]]) -> Iterator[tuple[tuple[Unit, ...], Hex]]:
        """Stacks that can come beside the target, the strongest first, each with the best hexes."""
        g = self.g
        order = sorted(stacks.items(), key=lambda item: -sum(g.steps[u] for u in item[1]))
        for here, units in order:
            if g.map.grid.distance(here, target) > 8 or g.map.grid.adjacent(here, target):
                continue
            if self.boats and is_west(g, here) and not is_west(g, target):
                units = tuple(u for u in units if not g.forces.motorized[u]) or units
            if units in self.stayed or any(why_stays(g, self.f, u) for u in units) or not self._free_to_go(units, here):
                continue
            reach = self.marches.goals.reach(g, units, self.boats, bonus=False)
            hexes = [h for h in g.map.grid.around[target] if h in reach and not g.enemies_in(h, self.marches.side)]
            for h in sorted(hexes, key=lambda h: (self._water(h, target), reach[h])):
                yield units, h

    def _free_to_go(self, units: Sequence[Unit], here: Hex) -> bool:
        """Whoever already stands before an enemy is left there."""
        g = self.g
        return all(is_commanded(g, u) for u in units) and not zone_of(g, other(self.marches.side)) >> here & 1

    def _water(self, h: Hex, target: Hex) -> int:
        row = self.g.ground.side_row(h, self.g.map.grid.direction(h, target))
        return 0 if row is None else 9 if row.no_attack else -row.modifier


def is_west(g: Board, h: Hex) -> bool:
    """Whether a hex lies on the German bank of the Bug."""
    return bool(g.ground.west_bank >> h & 1)
