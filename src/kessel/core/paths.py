"""Movement: where a piece can go, at what cost, by which way.

`Costs` is the price list of one kind of mover on one map in one weather: what a step from hex to hex costs, as whole
numbers of a fraction of a movement point the game chooses. It is filled once by a function of the game (the rule) and
kept on the map. `reach` then searches with what depends on the moment: where the mover may enter, where it must stop,
which hexsides are barred or opened, what leaving the first hex costs.

A step may be `first_only`: allowed only as the first step of a move (an unbridged river that must be crossed from a hex
next to it). Costs of a step may depend on the direction. Searching never relies on symmetry.

    costs = Costs(grid, lambda a, d, b: 2 if swamp(b) else 1)
    r = reach(costs, start, budget=6, stop=enemy_zone_mask)
    r.cost[h], r.path(h)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from kessel.core.breakdown import Refusal
from kessel.core.hexes import Direction, Grid, Hex, Hexside

ALL = 1 << 20
"""A step that takes the whole allowance: only as the first step, and nothing after it."""


class StepCost(NamedTuple):
    """What a rule says about one step."""

    cost: int
    first_only: bool = False


Edge = tuple[Hex, int, Hexside]
StepRule = Callable[[Hex, Direction, Hex], "StepCost | int | Refusal"]


class Costs:
    """The price of every step, by hex left."""

    __slots__ = ("edges", "first", "grid", "rule")

    def __init__(self, grid: Grid, rule: StepRule) -> None:
        self.grid, self.rule = grid, rule
        self.edges: list[tuple[Edge, ...]] = [()] * grid.size
        self.first: dict[Hex, tuple[Edge, ...]] = {}
        """Steps allowed only as the first of a move."""
        for h in grid.hexes:
            always: list[Edge] = []
            first: list[Edge] = []
            for d, n in enumerate(grid.neighbours[h]):
                if n < 0:
                    continue
                step = rule(h, d, n)
                if isinstance(step, Refusal):
                    continue
                if isinstance(step, int):
                    step = StepCost(step)
                (first if step.first_only or step.cost >= ALL else always).append((n, step.cost, h * 6 + d))
            self.edges[h] = tuple(always)
            if first:
                self.first[h] = tuple(first)

    def step(self, h: Hex, d: Direction) -> StepCost | Refusal:
        """The rule's word on one step, for explanations."""
        n = self.grid.neighbours[h][d]
        if n < 0:
            return Refusal("map", "the board ends there")
        step = self.rule(h, d, n)
        return StepCost(step) if isinstance(step, int) else step


@dataclass(slots=True)
class Reach:
    """Where a mover can go: the cost and the last step of the cheapest way to each hex."""

    start: Hex
    cost: dict[Hex, int]
    came: dict[Hex, Hex]
    stopped: dict[Hex, bool]
    """Hexes that end the move."""

    def __contains__(self, h: Hex) -> bool:
        return h in self.cost

    def path(self, h: Hex) -> tuple[Hex, ...]:
        """The cheapest way, first hex entered first."""
        way = []
        while h != self.start:
            way.append(h)
            h = self.came[h]
        return tuple(reversed(way))


def reach(
    costs: Costs,
    start: Hex,
    budget: int,
    *,
    enter: bytes | None = None,
    stop: bytes | None = None,
    first_enter: bytes | None = None,
    first_extra: int = 0,
    barred: frozenset[Hexside] | None = None,
    opened: Mapping[Hex, Iterable[Edge]] | None = None,
    at_least_one: bool = False,
) -> Reach:
    """All hexes the mover can get to.

    `enter` and `stop` hold one byte per hex: may it be entered, must the move end there. `first_enter` replaces
    `enter` for the first step, `first_extra` is added to its cost. `barred` hexsides are closed; `opened` adds
    steps by hex left. `at_least_one` allows any single step whatever it costs.
    """
    edges = costs.edges
    cost = {start: 0}
    came: dict[Hex, Hex] = {}
    stopped: dict[Hex, bool] = {}
    buckets: list[list[Hex]] = [[] for _ in range(budget + 1)]

    def first_steps() -> None:
        may = first_enter if first_enter is not None else enter
        ways = edges[start] + costs.first.get(start, ())
        for n, c, side in (*ways, *opened.get(start, ())) if opened else ways:
            if (may is not None and not may[n]) or (barred is not None and side in barred):
                continue
            whole = c >= ALL
            total = budget if whole else c + first_extra
            over = total > budget
            if over and not at_least_one:
                continue
            if total < cost.get(n, ALL):
                cost[n], came[n] = total, start
                ends = whole or over or (stop is not None and bool(stop[n]))
                stopped[n] = ends
                if not ends:
                    buckets[total].append(n)

    first_steps()
    for spent, bucket in enumerate(buckets):
        for h in bucket:
            if cost[h] != spent or stopped[h]:
                continue
            ways = edges[h]
            if opened and h in opened:
                ways = (*ways, *opened[h])
            for n, c, side in ways:
                total = spent + c
                if total > budget or (enter is not None and not enter[n]) or total >= cost.get(n, ALL):
                    continue
                if barred is not None and side in barred:
                    continue
                cost[n], came[n] = total, h
                ends = stop is not None and bool(stop[n])
                stopped[n] = ends
                if not ends:
                    buckets[total].append(n)
    return Reach(start, cost, came, stopped)
