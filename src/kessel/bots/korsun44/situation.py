"""What the program makes of a position: tasks, places, strengths near every hex, distances."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from kessel.bots.korsun44.fields import field, plain_field
from kessel.bots.korsun44.orders import Order, Task, places, task_of, tasks
from kessel.bots.korsun44.roads import Roads, needed_roads
from kessel.bots.korsun44.weights import Weights
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Hex
from kessel.core.hexset import members
from kessel.games.korsun44.board import (
    BACK,
    DISORDER,
    NO_FIRE_1,
    NO_FIRE_2,
    ON_FOOT,
    OUT_OF_AMMO,
    POINT,
    Board,
)
from kessel.games.korsun44.data.charts import FOOT
from kessel.games.korsun44.data.forces import FIXED
from kessel.games.korsun44.movement.zones import zone_of
from kessel.games.korsun44.units.strength import is_attack_capable, strength

Kept = dict[tuple[Hex, int], tuple[tuple[int, Side, int], list[int]]]
"""Fields by goal and class, and when they were made."""


def is_mobile(g: Board, u: Unit) -> bool:
    """Tanks, motorized units and cavalry."""
    return g.forces.move[u] != FOOT or g.forces.type[u] == "cavalry"


class Situation:
    def __init__(self, g: Board, side: Side, w: Weights, kept: Kept, orders: Sequence[Order] | None = None) -> None:
        self.g, self.side, self.w, self.kept = g, side, w, kept
        self.orders = orders
        self.enemy: Side = 1 - side

    def on(self, g: Board) -> Situation:
        """The same on another board."""
        return type(self)(g, self.side, self.w, self.kept, self.orders)

    @cached_property
    def tasks(self) -> dict[str, Task]:
        return tasks(self.g, self.side, self.orders)

    @cached_property
    def places(self) -> dict[Hex, int]:
        return places(self.g)

    @cached_property
    def roads(self) -> Roads:
        return needed_roads(self.g, self.side)

    def task(self, u: Unit) -> Task:
        return task_of(self.g, self.tasks, u)

    # --- distances ---------------------------------------------------------------------------------------------------

    def field(self, goal: Hex, cls: int) -> list[int]:
        """Sixths of a Movement Point from every hex to a goal; made once in a player-turn."""
        g, now = self.g, (self.g.turn, self.g.phasing, self.g.condition)
        kept = self.kept.get((goal, cls))
        if kept is None or kept[0] != now:
            enemies, dear = g.hexes_of(self.enemy), (self.w.enemy_hex, self.w.enemy_zone)
            kept = now, field(g, self.side, goal, cls, enemies, zone_of(g, self.enemy), dear)
            self.kept[goal, cls] = kept
        return kept[1]

    @cached_property
    def guns(self) -> list[Unit]:
        """Those that can support an attack."""
        g, silent = self.g, DISORDER | BACK | OUT_OF_AMMO | NO_FIRE_1 | NO_FIRE_2
        return [u for u in g.on_the_map(self.side) if g.forces.counters[u].obs and not g.status[u] & silent]

    def guns_near(self, h: Hex) -> list[Unit]:
        g = self.g
        return [u for u in self.guns if g.map.grid.distance(g.place[u], h) <= g.forces.counters[u].range]

    def field_of(self, u: Unit) -> list[int] | None:
        """Distances to what a unit is to reach; None where it has no goal."""
        goal, cls = self.task(u).goal, self.g.forces.move[u]
        if goal < 0 or cls == FIXED:
            return None
        return self.field(goal, FOOT if self.g.status[u] & ON_FOOT else cls)

    def delay(self, u: Unit, h: Hex) -> float:
        """How many hexes longer enemies make the way of a unit from a hex to its goal."""
        far = self.field_of(u)
        if far is None:
            return 0.0
        plain = plain_field(self.g, self.side, self.task(u).goal, self.g.forces.move[u], self.g.condition)
        return (far[h] - plain[h]) / POINT

    def nearer(self, u: Unit, a: Hex, b: Hex) -> float:
        """How many hexes b is nearer to the goal of a unit than a."""
        found = self.field_of(u)
        return 0.0 if found is None else (found[a] - found[b]) / POINT

    # --- strengths ---------------------------------------------------------------------------------------------------

    def power(self, units: Sequence[Unit]) -> float:
        """The strength of units that can attack; disorder halves it."""
        g = self.g
        return sum(strength(g, u) / (2 if g.status[u] & DISORDER else 1) for u in units if is_attack_capable(g, u))

    @cached_property
    def enemy_at(self) -> dict[Hex, float]:
        g = self.g
        return {h: self.power(g.of_side(h, self.enemy)) for h in members(g.hexes_of(self.enemy))}

    @cached_property
    def beside(self) -> dict[Hex, float]:
        """The strength of enemies next to each hex."""
        found: dict[Hex, float] = {}
        for h, power in self.enemy_at.items():
            for n in self.g.map.grid.around[h]:
                found[n] = found.get(n, 0.0) + power
        return found

    @cached_property
    def near(self) -> dict[Hex, float]:
        """The strength of enemies within two hexes."""
        found: dict[Hex, float] = dict(self.beside)
        for h, power in self.enemy_at.items():
            for n in self.g.map.grid.around[h]:
                for x in self.g.map.grid.around[n]:
                    if not self.g.map.grid.near[h] >> x & 1:
                        found[x] = found.get(x, 0.0) + power / 2
        return found

    def friends(self, h: Hex, but: Sequence[Unit] = ()) -> float:
        """The strength of friends in a hex and, by half, next to it."""
        g = self.g
        found = self.power([u for u in g.of_side(h, self.side) if u not in but])
        for n in g.map.grid.around[h]:
            if g.occupied(n):
                found += self.power([u for u in g.of_side(n, self.side) if u not in but]) / 2
        return found

    def prize(self, h: Hex) -> float:
        """What taking a hex is worth by itself."""
        return self.w.place * self.places.get(h, 0)
