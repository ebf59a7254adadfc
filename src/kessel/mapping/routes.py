"""Drawing a road or rail through a list of places: the cheapest way over the board that keeps to a guide."""

from __future__ import annotations

import heapq
from collections.abc import Callable

from kessel.mapping.grid import Grid, Hex, Side, side_of

PLAIN_STEP = 100
GUIDED_STEP = 45


def cheapest(grid: Grid, start: Hex, goal: Hex, step_cost: Callable[[Hex, Hex], int | None]) -> list[Hex] | None:
    """Least total cost from start to goal; `step_cost` is None where there is no way. Ties fall to the lower hex."""
    best = {start: 0}
    came: dict[Hex, Hex] = {}
    queue = [(0, start)]
    while queue:
        cost, h = heapq.heappop(queue)
        if h == goal:
            path = [h]
            while path[-1] != start:
                path.append(came[path[-1]])
            return path[::-1]
        if cost > best[h]:
            continue
        for n in grid.neighbours(h):
            step = step_cost(h, n)
            if step is not None and cost + step < best.get(n, 1 << 60):
                best[n] = cost + step
                came[n] = h
                heapq.heappush(queue, (cost + step, n))
    return None


def guided(guide: set[Side], extra: Callable[[Hex, Hex], int | None]) -> Callable[[Hex, Hex], int | None]:
    """A step cost that is low along the guide; `extra` adds for rivers and mountains or forbids."""

    def step_cost(a: Hex, b: Hex) -> int | None:
        more = extra(a, b)
        if more is None:
            return None
        return GUIDED_STEP if side_of(a, b) in guide else PLAIN_STEP + more

    return step_cost


def chains(edges: set[Side], key: Callable[[Side], object]) -> list[list[Hex]]:
    """Join edges into long paths that break at junctions and where `key` changes; in stable order."""
    at: dict[Hex, list[Side]] = {}
    for edge in sorted(edges):
        for h in edge:
            at.setdefault(h, []).append(edge)

    def goes_on(h: Hex) -> bool:
        return len(at[h]) == 2 and key(at[h][0]) == key(at[h][1])

    paths: list[list[Hex]] = []
    left = set(edges)
    ends_first = sorted(at, key=lambda h: (goes_on(h), h))
    for start in ends_first:
        for edge in at[start]:
            if edge not in left:
                continue
            path = [start]
            step: Side | None = edge
            while step is not None:
                left.discard(step)
                h = step[1] if step[0] == path[-1] else step[0]
                path.append(h)
                onward = [e for e in at[h] if e in left] if goes_on(h) else []
                step = onward[0] if onward else None
            paths.append(path)
    return paths
