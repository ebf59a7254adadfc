"""9.22.11 From which hexes a unit could get to a goal in one move: the search of `movement`, run backwards.

One search answers for every hex the unit might stand in, where `reach_of` would be asked once for each of them.
"""

from __future__ import annotations

import heapq

from kessel.core.breakdown import Refusal
from kessel.core.forces import Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import members
from kessel.core.paths import ALL
from kessel.games.kharkov43.board import OOS, Board
from kessel.games.kharkov43.movement import MP, REGULAR, Mover, costs_of, going, reach_of
from kessel.games.kharkov43.stacking import room_for
from kessel.games.kharkov43.terminology import suppose
from kessel.games.kharkov43.zones import enemy_of, zoc


def starts_reaching(g: Board, u: Unit, goal: Bits, among: Bits) -> Bits:
    """Those hexes among the given ones from which u could move to and enter a hex of the goal, or that are in it."""
    goal = _with_room(g, u, goal)
    found = among & goal
    if g.status[u] & OOS and g.is_mech(u):
        return found | _one_by_one(g, u, goal, among & ~found)
    way = going(g, u)
    if isinstance(way, Refusal):
        return found
    rest = _rest(g, u, way.mover, goal, way.allowance.total)
    for h in members(among & ~found):
        if _can_start(g, u, way.mover, h, goal, rest, way.allowance.total):
            found |= 1 << h
    return found


def _with_room(g: Board, u: Unit, goal: Bits) -> Bits:
    s = 0
    for h in members(goal):
        if room_for(g, h, [u]) is None:
            s |= 1 << h
    return s


def _one_by_one(g: Board, u: Unit, goal: Bits, among: Bits) -> Bits:
    """13.21 limits the hexes entered, not the cost."""
    s = 0
    for h in members(among):
        if reach_of(suppose(g, u, h), u, REGULAR).hexes & goal:
            s |= 1 << h
    return s


def _rest(g: Board, u: Unit, mover: Mover, goal: Bits, budget: int) -> dict[Hex, int]:
    """What the way to the goal costs from each hex a move may pass through."""
    enemy = enemy_of(g.forces.side[u])
    edges = costs_of(g, mover).edges
    passable = g.ground.all & ~(g.hexes_of(enemy) | zoc(g, enemy) | g.towns_of(enemy))
    rest: dict[Hex, int] = {}
    todo = [(0, h) for h in members(goal & ~g.hexes_of(enemy))]
    done: set[Hex] = set()
    while todo:
        spent, m = heapq.heappop(todo)
        if m in done:
            continue
        done.add(m)
        for p in g.map.grid.around[m]:
            if not passable >> p & 1 or p in done:
                continue
            for n, cost, _ in edges[p]:
                if n == m and spent + cost <= budget and spent + cost < rest.get(p, ALL):
                    rest[p] = spent + cost
                    heapq.heappush(todo, (spent + cost, p))
    return rest


def _can_start(g: Board, u: Unit, mover: Mover, h: Hex, goal: Bits, rest: dict[Hex, int], budget: int) -> bool:
    """The first step: it costs more out of an enemy-controlled hex and does not lead into another one (10.1)."""
    enemy = enemy_of(g.forces.side[u])
    costs, control, closed = costs_of(g, mover), zoc(g, enemy), g.hexes_of(enemy)
    controlled = bool(control >> h & 1)
    extra = g.charts.constants.zoc_exit * MP if controlled else 0
    for n, cost, _ in (*costs.edges[h], *costs.first.get(h, ())):
        if closed >> n & 1 or (controlled and control >> n & 1):
            continue
        if goal >> n & 1 or (cost < ALL and n in rest and extra + cost + rest[n] <= budget):
            return True
    return False
