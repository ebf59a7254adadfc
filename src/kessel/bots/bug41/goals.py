"""What each formation is to do: a place to take or to guard, and the distance of every hex from it."""

from __future__ import annotations

from dataclasses import dataclass, field

from kessel.bots.bug41 import ground
from kessel.bots.bug41.weights import WEIGHTS, Weights
from kessel.bots.purpose import place_words
from kessel.core.facts import FOREVER, NOW, fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import members
from kessel.games.bug41.board import Board, Formation
from kessel.games.bug41.movement.zones import zone_of
from kessel.wargame.board import other

HELD = 2
"""What a place is worth for each way in which it decides a scenario without points."""


@fact(NOW)
def places(g: Board) -> dict[Hex, int]:
    """The places that count and their Victory Points."""
    victory, grid = g.scenario.victory, g.map.grid
    found = {grid.hex(v.hex): v.vp for v in victory.hexes if v.hex in grid}
    for line in victory.holds:
        for name in (*line.german, *line.soviet):
            if name in grid:
                found[grid.hex(name)] = found.get(grid.hex(name), 0) + HELD
    return found


@fact(FOREVER)
def plain_field(g: Board, goal: Hex, motorized: int, side: Side) -> list[int]:
    """Distances on an empty map."""
    return ground.field(g, (goal,), motorized, side, prices=(0, 0, WEIGHTS[side].boat))


@dataclass(slots=True)
class Goal:
    hexes: tuple[Hex, ...]
    guard: bool
    words: str


@dataclass(slots=True)
class Goals:
    """The objectives of a side's formations, chosen once a turn and anew when one is reached."""

    side: Side
    weights: Weights
    chosen: dict[Formation, Goal] = field(default_factory=dict)
    turn: int = 0
    owned: tuple[int, ...] = ()
    fields: dict[tuple[tuple[Hex, ...], int], tuple[tuple[Bits, Bits], list[int]]] = field(default_factory=dict)

    seen: tuple[Bits, Bits] = (0, 0)
    reaches: dict[tuple[tuple[Unit, ...], Hex, int, bool], dict[Hex, int]] = field(default_factory=dict)

    def of(self, g: Board, f: Formation) -> Goal:
        owned = tuple(g.owner[h] for h in places(g))
        if (g.turn, owned) != (self.turn, self.owned):
            self.turn, self.owned = g.turn, owned
            self.chosen = {}
            for x in g.formations_of(self.side):
                if g.of_formation(x):
                    self.chosen[x] = self._choose(g, x)
        if f not in self.chosen:
            self.chosen[f] = self._choose(g, f)
        return self.chosen[f]

    def distances(self, g: Board, f: Formation, motorized: int) -> list[int]:
        """From every hex to the objective of a formation, enemies on the way counted."""
        return self.to(g, self.of(g, f).hexes, motorized)

    def to(self, g: Board, hexes: tuple[Hex, ...], motorized: int) -> list[int]:
        """The same to some hexes."""
        enemy, w = other(self.side), self.weights
        seen = (g.hexes_with_combat_units(enemy), zone_of(g, enemy))
        kept = self.fields.get((hexes, motorized))
        if kept is None or kept[0] != seen:
            prices = (w.enemy_hex, w.enemy_zone, w.boat)
            kept = seen, ground.field(g, hexes, motorized, self.side, *seen, prices=prices)
            self.fields[hexes, motorized] = kept
        return kept[1]

    def reach(self, g: Board, units: tuple[Unit, ...], boats: int, *, bonus: bool) -> dict[Hex, int]:
        """A quick reach, kept while no enemy moves: friends do not bar the way."""
        enemy = other(self.side)
        seen = (g.hexes_of(enemy), zone_of(g, enemy))
        if seen != self.seen:
            self.seen, self.reaches = seen, {}
        key = (units, g.place[units[0]], min(boats, 2), bonus)
        if key not in self.reaches:
            self.reaches[key] = ground.quick_reach(g, units, boats, bonus=bonus)
        return self.reaches[key]

    def _choose(self, g: Board, f: Formation) -> Goal:
        units, w = g.of_formation(f), self.weights
        enemy = members(g.hexes_with_combat_units(other(self.side)))
        best, most = None, 0.0
        for h, vp in places(g).items() if units else ():
            value = float(vp)
            mine = g.owner[h] == self.side
            if mine:
                near = min((g.map.grid.distance(h, e) for e in enemy), default=99)
                value *= (w.guard_decisive if g.scenario.victory.holds else w.guard) * max(0.0, 1 - near / 15)
            far = sorted(plain_field(g, h, g.forces.motorized[u], self.side)[g.place[u]] for u in units)
            value /= w.near + far[len(far) // 3]
            for x, goal in self.chosen.items():
                if x != f and h in goal.hexes:
                    value *= w.crowd
            if value > most:
                best, most = Goal((h,), mine, f"{'is to hold' if mine else 'is to take'} {place_words(g, h)}"), value
        if best is None:
            return Goal(tuple(enemy), False, "goes for the enemy")
        return best
