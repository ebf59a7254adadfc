"""Where stacks go: nearer to the objective of their formation, in command, not into the jaws of the enemy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kessel.bots.bug41.fights import chance_to_fail
from kessel.bots.bug41.goals import Goals, places
from kessel.bots.bug41.weights import Weights
from kessel.core.forces import NO_UNIT, Unit
from kessel.core.hexes import Hex
from kessel.core.hexset import within
from kessel.games.bug41.board import IMPROVED, Board, Formation
from kessel.games.bug41.data.charts import HALF
from kessel.games.bug41.movement.move import why_not_infiltrate
from kessel.games.bug41.movement.stacking import fits
from kessel.games.bug41.movement.zones import near_units, zone_of
from kessel.games.bug41.supply.command import command_ways
from kessel.wargame.board import other

BATTALION = 8
LIKELY = 12
"""Hexes looked at when it is only to be known who has a good way."""
LOOK = 6
"""Hexes from which the enemy may come for a place."""


class Marches:
    """The worth of moves of one formation."""

    def __init__(self, g: Board, w: Weights, goals: Goals, f: Formation) -> None:
        self.g, self.w, self.goals, self.f = g, w, goals, f
        self.side = goals.side
        self.goal = goals.of(g, f)
        hq = g.hq_of(f)
        self.range = g.forces.range[hq] if hq != NO_UNIT else 0
        self.hq = g.place[hq] if hq != NO_UNIT else -1
        self.ways = command_ways(g, f)
        self.near = near_units(g, other(self.side))
        self.fields: dict[int, list[int]] = {}
        self.places = places(g)

    def words(self, units: Sequence[Unit]) -> str:
        """What a stack is to do."""
        return self.goal.words

    def far(self, units: Sequence[Unit], h: Hex) -> int:
        """Halves of a movement point to the objective."""
        return self.field(units)[h]

    def field(self, units: Sequence[Unit]) -> list[int]:
        """The same from every hex; guards are content with standing near."""
        motorized = int(all(self.g.forces.motorized[u] for u in units))
        if motorized not in self.fields:
            found, less = self.goals.distances(self.g, self.f, motorized), self.w.guard_hexes
            self.fields[motorized] = [max(0, d - less) for d in found] if self.goal.guard else found
        return self.fields[motorized]

    def stands(self, units: Sequence[Unit], h: Hex) -> float:
        """How good a hex is to stand in, the way there left aside."""
        g, w = self.g, self.w
        value = 0.0
        if self.hq >= 0:
            value -= w.out_of_command * max(0, g.map.grid.distance(h, self.hq) - self.range)
        if self.near >> h & 1:
            mine = sum(g.steps[u] for u in {*units, *(v for v in g.combat_units(h))})
            foes = [u for n in g.map.grid.around[h] for u in g.combat_units(n) if g.forces.side[u] != self.side]
            threat = sum(g.steps[u] for u in foes if not g.is_disrupted(u))
            careful = 1.0 if self.goal.guard else w.exposed_in_attack
            value -= w.exposed * careful * max(0.0, threat - 1.5 * mine)
            if g.ground.rows[h].name not in ("clear", "marsh"):
                value += w.cover
        if (vp := self.places.get(h)) and g.owner[h] != self.side:
            value += vp * w.victory_point
        return value

    def loss(self, units: Sequence[Unit]) -> float:
        """What leaving the hex gives away."""
        g, here = self.g, self.g.place[units[0]]
        dug_in = self.w.leave_improved * any(g.status[u] & IMPROVED for u in units) * (self.near >> here & 1)
        return dug_in + self._gives_away(units, here)

    def _gives_away(self, units: Sequence[Unit], here: Hex) -> float:
        """What an empty hex leaves to the enemy."""
        g = self.g
        if any(u not in units for u in g.combat_units(here)):
            return 0.0
        enemy = g.hexes_with_combat_units(other(self.side))
        if here in self.places and enemy & within(g.map.grid, 1 << here, LOOK):
            return self.w.leave_place
        strong = g.ground.pillboxes >> here & 1 or g.ground.towns >> here & 1
        return self.w.leave_cover if strong and self.goal.guard and self.near >> here & 1 else 0.0

    def value(self, units: Sequence[Unit], h: Hex) -> float:
        """The gain of a move there."""
        return self._gain(units, h) - min(0.0, self.stands(units, self.g.place[units[0]])) - self.loss(units)

    def _gain(self, units: Sequence[Unit], h: Hex) -> float:
        g, field = self.g, self.field(units)
        progress = (field[g.place[units[0]]] - field[h]) / HALF
        weight = min(2.0, sum(g.steps[u] for u in units) / BATTALION)
        return self.w.progress * progress * weight + self.stands(units, h)

    def best(self, units: Sequence[Unit], hexes: Iterable[Hex]) -> tuple[float, Hex]:
        """The best hex to end in that brings the stack nearer, or takes a place; -1 where none does."""
        g, field = self.g, self.field(units)
        start = g.place[units[0]]
        here, best, most = field[start], -1, 0.0
        given = min(0.0, self.stands(units, start)) + self.loss(units)
        for h in hexes:
            if field[h] >= here and not (h in self.places and g.owner[h] != self.side):
                continue
            value = self._gain(units, h) - given
            if value > most:
                best, most = h, value
        return most, best

    def through(self, units: Sequence[Unit]) -> tuple[float, Hex]:
        """PA-infil The best hex to infiltrate to, its gain less the risk to be Disrupted where one stands."""
        g, here = self.g, self.g.place[units[0]]
        zone = zone_of(g, other(self.side))
        if not zone >> here & 1:
            return 0.0, -1
        likely = 1.0
        for u in units:
            likely *= 1 - chance_to_fail(g, u)
        hexes = [h for h in g.map.grid.around[here] if zone >> h & 1 and why_not_infiltrate(g, units, h) is None]
        value, h = self.best(units, hexes)
        return likely * value - (1 - likely) * self.w.disruption * len(units), h

    def quick(self, units: Sequence[Unit], boats: int) -> tuple[float, Hex]:
        """The same by a quick look, to choose who moves."""
        g = self.g
        if not self.far(units, g.place[units[0]]):
            return 0.0, -1
        reached = self.goals.reach(g, tuple(units), boats, bonus=True)
        enemy = g.hexes_of(other(self.side))
        found = sorted(reached, key=self.field(units).__getitem__)[:LIKELY]
        return self.best(units, [h for h in found if enemy >> h & 1 or fits(g, h, units)])
