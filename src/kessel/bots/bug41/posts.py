"""Garrisons: no place is left to the enemy. And on the last turn nobody goes for what cannot be reached any more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kessel.bots.bug41.goals import Goal, Goals, places, plain_field
from kessel.bots.bug41.marches import Marches
from kessel.bots.bug41.plans import Planner
from kessel.bots.bug41.weights import Weights
from kessel.bots.purpose import place_words
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Hex
from kessel.core.hexset import within
from kessel.games.bug41.board import Board, Formation
from kessel.games.bug41.data.charts import HALF
from kessel.wargame.board import other

THREAT = 14
"""Hexes from which the enemy may come for an empty place."""
DEFENDED, AGAIN = 0.4, 0.85
"""What is left of a place's worth where the enemy stands in it, and for each Movement Action on the way."""


def is_post(g: Board, side: Side, h: Hex, units: Sequence[Unit] = ()) -> bool:
    """Whether an own place stands empty but for these units, and the enemy can come."""
    if h not in places(g) or g.owner[h] != side or any(u not in units for u in g.combat_units(h)):
        return False
    return bool(g.hexes_with_combat_units(other(side)) & within(g.map.grid, 1 << h, THREAT))


class Guarding(Marches):
    """Marches also to own places that stand empty."""

    def stands(self, units: Sequence[Unit], h: Hex) -> float:
        found = super().stands(units, h)
        return found + self.w.garrison * self.places[h] if is_post(self.g, self.side, h, units) else found

    def best(self, units: Sequence[Unit], hexes: Iterable[Hex]) -> tuple[float, Hex]:
        ends = list(hexes)
        most, best = super().best(units, ends)
        given = min(0.0, self.stands(units, self.g.place[units[0]])) + self.loss(units)
        for h in ends:
            if is_post(self.g, self.side, h) and (value := self._gain(units, h) - given) > most:
                most, best = value, h
        return most, best


class Keeping(Planner):
    """Attacks for which nobody leaves a place."""

    def _free_to_go(self, units: Sequence[Unit], here: Hex) -> bool:
        return not is_post(self.g, self.marches.side, here, units) and super()._free_to_go(units, here)


class LastGoals(Goals):
    """On the last turn: the enemy's places that can still be come to, for each stack its own."""

    def _choose(self, g: Board, f: Formation) -> Goal:
        best, most = -1, 0.0
        for h, vp in places(g).items():
            if g.owner[h] == self.side:
                continue
            moves = self.moves_to(g, f, h)
            if not moves or moves[0] > g.levels[f] + 1:
                continue
            value = vp / (1.0 + moves[:2][-1])
            for x, goal in self.chosen.items():
                if x != f and h in goal.hexes:
                    value *= self.weights.crowd
            if value > most:
                best, most = h, value
        return Goal((best,), False, f"is to take {place_words(g, best)}") if best >= 0 else super()._choose(g, f)

    def moves_to(self, g: Board, f: Formation, h: Hex) -> list[float]:
        """How many Movement Actions each unit that can move needs, the nearest first."""
        return sorted(actions_to(g, u, h, self.side) for u in g.of_formation(f) if not g.is_disrupted(u))


def actions_to(g: Board, u: Unit, h: Hex, side: Side) -> float:
    """How many Movement Actions lie between a unit and a hex on an empty map."""
    return plain_field(g, h, g.forces.motorized[u], side)[g.place[u]] / (HALF * max(1, g.forces.ma[u]))


class Raiding(Guarding):
    """The last turn: each stack goes for a place it can still take."""

    def __init__(self, g: Board, w: Weights, goals: Goals, f: Formation) -> None:
        super().__init__(g, w, goals, f)
        self.raids: dict[tuple[Unit, ...], tuple[Hex, float]] = {}

    def raid(self, units: Sequence[Unit]) -> tuple[Hex, float]:
        """The place a stack goes for, and what that is worth; -1 for none."""
        key = tuple(units)
        if key not in self.raids:
            best, most, hope = -1, 0.0, 0.0
            for h, vp in self.places.items():
                moves = max(actions_to(self.g, u, h, self.side) for u in key)
                if self.g.owner[h] == self.side or moves > self.g.levels[self.f] + 1:
                    continue
                value = vp * self.w.raid * AGAIN**moves * (DEFENDED if self.g.combat_units(h) else 1.0)
                if value / max(1.0, moves) > most:
                    best, most, hope = h, value / max(1.0, moves), value
            self.raids[key] = best, hope
        return self.raids[key]

    def words(self, units: Sequence[Unit]) -> str:
        h, _ = self.raid(units)
        return f"is to take {place_words(self.g, h)}" if h >= 0 else super().words(units)

    def field(self, units: Sequence[Unit]) -> list[int]:
        h, _ = self.raid(units)
        if h < 0:
            return super().field(units)
        motorized = int(all(self.g.forces.motorized[u] for u in units))
        return self.goals.to(self.g, (h,), motorized)

    def _gain(self, units: Sequence[Unit], h: Hex) -> float:
        goal, hope = self.raid(units)
        if goal < 0:
            return super()._gain(units, h)
        away = self.field(units)
        here = max(1, away[self.g.place[units[0]]])
        return hope * (here - away[h]) / here + self.stands(units, h)
