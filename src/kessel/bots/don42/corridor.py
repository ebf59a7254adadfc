"""17.1.8 The corridor: the chain of HQs and posts by which the panzer corps stands at the Volga in supply.

A road from the Don to the Corps HQ, a line to the HQ of the spearhead and one to its van, all of it free of Soviets.
Where their zones reach into it a German must stand: a post. The way taken is the one that wants the fewest posts, with
HQs and van as near to their places as may be.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from typing import NamedTuple

from kessel.bots.don42.plans import distances, to_the_volga
from kessel.core.forces import NO_UNIT, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import bits, members, within
from kessel.games.don42.board import Board
from kessel.games.don42.data.charts import POINT
from kessel.games.don42.data.forces import GERMAN, SOVIET
from kessel.games.don42.data.lines import NO_CHARGE
from kessel.games.don42.movement.movement import allowance, ends_of, why_not_move
from kessel.games.don42.movement.zones import enemy_zone, open_hexes
from kessel.games.don42.supply.supply import don_bridges

CORPS = "14PzC"
POST = 8
"""Half MPs that a way may be longer to save a post."""
BLOCK = 20
"""Half MPs that it may be longer to go round Soviets who would have to be thrown out."""
LATER = 8
"""Half MPs that it may be longer so that an HQ or the van gets to its place in this phase."""
VAN = 2
"""17.1.8 Units that must stand at the Volga."""

Step = tuple[int, int, Hex, int]
"""Weight, half MPs so far, hex, hex before it."""


class Corridor(NamedTuple):
    """The hexes from the bridge to the van, where the HQs belong, and where a post is missing."""

    way: tuple[Hex, ...]
    corps: Hex
    division: Hex
    van: Hex
    hq: Unit
    """Of the division that goes to the Volga."""
    posts: tuple[Hex, ...]
    blocks: tuple[Hex, ...]
    """Where Soviets stand in the way."""


def corps_hq(g: Board) -> Unit:
    return g.forces.command_hq[g.command_index(CORPS)] if CORPS in g.forces.commands else NO_UNIT


def van_of(g: Board, hq: Unit) -> list[Unit]:
    """The units of a division that can be the van."""
    f = g.forces
    return [u for u in f.of(f.division[hq]) if g.on_map(u) and f.motorized[u] and not f.hq[u] and not f.gun[u]]


def find_corridor(g: Board) -> Corridor | None:
    """The way to the Volga; None when there is none, or no need any more."""
    goals, corps = to_the_volga(g), corps_hq(g)
    if not goals or corps == NO_UNIT or not g.on_map(corps):
        return None
    hqs = [u for u in g.forces.of(CORPS) if u != corps and g.forces.hq[u] and g.on_map(u)]
    return Search(g).run(corps, [u for u in hqs if len(van_of(g, u)) >= VAN], bits(goals))


class Search:
    """Two lines that meet where the HQ of the division belongs: one from a road, one from the Volga."""

    def __init__(self, g: Board) -> None:
        self.g = g
        self.soviets, self.open = g.hexes_of(SOVIET), open_hexes(g, GERMAN)

    def run(self, corps: Unit, hqs: list[Unit], goals: Bits) -> Corridor | None:
        g, soviets = self.g, self.soviets
        reach = g.charts.constants.german_trace * POINT
        roads = {h: (weight, before) for weight, _, h, before in self.spread("road", self.bridges(), 1 << 20)}
        off = self.ways_off(corps)
        start = [(weight + off(h), 0, h, -1) for h, (weight, _) in roads.items() if not soviets >> h & 1]
        behind = self.lines(start, reach - POINT)
        near = [h for h in members(within(g.map.grid, goals, 1)) if not soviets >> h & 1]
        best: tuple[int, Hex, Unit] | None = None
        ahead: dict[Unit, dict[Hex, tuple[int, Hex]]] = {}
        for hq in hqs:
            vans = [self.ways_off(u) for u in van_of(g, hq)]
            ahead[hq] = self.lines([(sorted(way(h) for way in vans)[VAN - 1], 0, h, -1) for h in near], reach)
            off = self.ways_off(hq)
            both = [h for h in behind if h in ahead[hq] and not soviets >> h & 1]
            found = min(((behind[h][0] + ahead[hq][h][0] + off(h), h, hq) for h in both), default=None)
            if found is not None and (best is None or found < best):
                best = found
        if best is None:
            return None
        _, division, hq = best
        return self.made(roads, back_from(behind, division), back_from(ahead[hq], division), hq)

    def made(self, roads: dict[Hex, tuple[int, Hex]], back: list[Hex], on: list[Hex], hq: Unit) -> Corridor:
        road = [back[-1]]
        while roads[road[-1]][1] >= 0:
            road.append(roads[road[-1]][1])
        way = (*reversed(road), *reversed(back[:-1]), *on[1:])
        blocks = tuple(h for h in way if self.soviets >> h & 1)
        posts = tuple(h for h in way if not (self.open | self.soviets) >> h & 1)
        return Corridor(way, back[-1], back[0], on[-1], hq, posts, blocks)

    def ways_off(self, u: Unit) -> Callable[[Hex], int]:
        """How much it weighs that a unit is not there yet: nothing where it can be in this phase."""
        g = self.g
        now = 1 << g.place[u]
        if why_not_move(g, u) is None:
            now |= ends_of(g, u, allowance(g, u).total * POINT, True)
        here = g.place[u]
        return lambda h: 0 if now >> h & 1 else LATER + distances(g, h)[here] // 2

    def bridges(self) -> list[Step]:
        found: list[Step] = []
        for a, b in don_bridges(self.g):
            found += [(self.post(a) + self.post(b), 0, h, -1) for h in (a, b) if self.g.ground.on_road >> h & 1]
        return found

    def post(self, h: Hex) -> int:
        return 0 if self.open >> h & 1 else BLOCK if self.soviets >> h & 1 else POST

    def lines(self, start: list[Step], limit: int) -> dict[Hex, tuple[int, Hex]]:
        """By hex: what a line there weighs, and the hex before it."""
        return {h: (weight, before) for weight, _, h, before in self.spread("german", start, limit)}

    def spread(self, kind: str, start: list[Step], limit: int) -> Iterator[Step]:
        """Hex by hex, the lightest first. A road may be of any length, a line may not."""
        todo, done, never = list(start), 0, kind == "soviet"
        steps = steps_of(self.g, kind)
        heapq.heapify(todo)
        while todo:
            step = heapq.heappop(todo)
            weight, spent, h, _ = step
            if done >> h & 1:
                continue
            done |= 1 << h
            yield step
            for n, cost in steps[h]:
                if done >> n & 1 or spent + cost > limit or (never and self.soviets >> n & 1):
                    continue
                length = cost // 2 if kind == "road" else cost
                heapq.heappush(todo, (weight + length + self.post(n), spent + cost, n, h))


def steps_of(g: Board, kind: str) -> list[list[tuple[Hex, int]]]:
    """By hex: where a line can go on, and what that costs in half MPs."""
    key = ("bot steps", kind, g.weather)
    found: list[list[tuple[Hex, int]]] | None = g.crossings.remembered.get(key)
    if found is None:
        grid, price, weather = g.map.grid, g.crossings.line_step, g.weather
        found = [[] for _ in range(grid.size)]
        for h in grid.hexes:
            six = ((n, price(kind, weather, h, d, n)) for d, n in enumerate(grid.neighbours[h]) if n >= 0)
            found[h] = [(n, cost) for n, cost in six if cost < NO_CHARGE]
        g.crossings.remember(key, found)
    return found


def marching(g: Board, goal: Hex) -> dict[Hex, int]:
    """Half MPs from every hex to the goal for Germans on the march: round Soviets, rather not through their zones."""
    return {h: weight for weight, _, h, _ in Search(g).spread("soviet", [(0, 0, goal, -1)], 1 << 20)}


def back_from(lines: dict[Hex, tuple[int, Hex]], h: Hex) -> list[Hex]:
    """The hexes of a line from there to where it begins."""
    way = [h]
    while lines[way[-1]][1] >= 0:
        way.append(lines[way[-1]][1])
    return way


def held_hexes(g: Board, corridor: Corridor) -> list[Hex]:
    """The hexes of the way that are open only because a German stands there."""
    held = enemy_zone(g, GERMAN) & g.hexes_of(GERMAN)
    return [h for h in corridor.way if held >> h & 1]
