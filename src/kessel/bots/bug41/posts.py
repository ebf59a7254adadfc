"""Garrisons: no place is left to the enemy. And on the last turn nobody goes for what cannot be reached any more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kessel.bots.bug41.goals import Goal, Goals, places, plain_field
from kessel.bots.bug41.marches import Marches
from kessel.bots.bug41.plans import Planner
from kessel.bots.purpose import place_words
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Hex
from kessel.core.hexset import within
from kessel.games.bug41.board import Board, Formation
from kessel.games.bug41.data.charts import HALF
from kessel.wargame.board import other

THREAT = 14
"""Hexes from which the enemy may come for an empty place."""


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
    """On the last turn: the enemy's places that a formation can still come to."""

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
        units = [u for u in g.of_formation(f) if not g.is_disrupted(u)]
        away = [plain_field(g, h, g.forces.motorized[u], self.side)[g.place[u]] for u in units]
        return sorted(d / (HALF * max(1, g.forces.ma[u])) for u, d in zip(units, away, strict=True))
