"""Lines and areas in hex units onto the grid: rivers to chains of hexsides, rails to links, water to hexes."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from kessel.mapping.geodata import Line
from kessel.mapping.grid import ROOT3, Corner, Grid, Hex, Side, corner_point, side_of
from kessel.mapping.projection import Points

Node = TypeVar("Node", bound=Hashable)
Point = tuple[float, float]
CornerGraph = dict[Corner, list[tuple[Corner, Side]]]


# ---------------------------------------------------------------- lines


def join_lines(lines: Iterable[Line], tolerance: float = 0.0) -> list[list[Point]]:
    """Join polylines end to end where exactly two ends meet (within the tolerance, in the lines' own units)."""
    chains = _snap_ends([[(p[0], p[1]) for p in line] for line in lines if len(line) > 1], tolerance)
    alive = dict(enumerate(chains))
    ends: dict[Point, set[int]] = defaultdict(set)
    for i, chain in alive.items():
        ends[chain[0]].add(i)
        ends[chain[-1]].add(i)
    fresh = len(chains)
    for point in list(ends):
        meeting = sorted(i for i in ends[point] if i in alive)
        if len(meeting) != 2:
            continue
        a, b = (alive[i] for i in meeting)
        if a[0] == a[-1] or b[0] == b[-1]:
            continue
        a = a if a[-1] == point else a[::-1]
        b = b if b[0] == point else b[::-1]
        for i in meeting:
            del alive[i]
        alive[fresh] = a + b[1:]
        ends[a[0]].add(fresh)
        ends[b[-1]].add(fresh)
        fresh += 1
    return list(alive.values())


def _snap_ends(chains: list[list[Point]], tolerance: float) -> list[list[Point]]:
    if not tolerance:
        return chains
    known: dict[tuple[int, int], list[Point]] = defaultdict(list)

    def snapped(p: Point) -> Point:
        i, j = math.floor(p[0] / tolerance), math.floor(p[1] / tolerance)
        for a in (i - 1, i, i + 1):
            for b in (j - 1, j, j + 1):
                for q in known[a, b]:
                    if math.hypot(q[0] - p[0], q[1] - p[1]) <= tolerance:
                        return q
        known[i, j].append(p)
        return p

    return [[snapped(c[0]), *c[1:-1], snapped(c[-1])] for c in chains]


def densify(line: Points, step: float) -> list[Point]:
    """Points along the line, at most `step` apart, ends included."""
    lengths = np.hypot(*np.diff(line, axis=0).T)
    at = np.concatenate([[0.0], np.cumsum(lengths)])
    if at[-1] == 0:
        return [(float(line[0, 0]), float(line[0, 1]))]
    t = np.linspace(0, at[-1], max(2, math.ceil(at[-1] / step) + 1))
    return list(zip(np.interp(t, at, line[:, 0]).tolist(), np.interp(t, at, line[:, 1]).tolist(), strict=True))


def runs_on_map(line: Points, grid: Grid, step: float) -> Iterator[list[Point]]:
    """The stretches of a line that lie on the map, as close points."""
    run: list[Point] = []
    for p in densify(line, step):
        if grid.has(grid.nearest(*p)):
            run.append(p)
            continue
        if len(run) >= 2:
            yield run
        run = []
    if len(run) >= 2:
        yield run


# ---------------------------------------------------------------- matching a line to a path of a graph


Reach = dict[Node, tuple[int, Node | None]]


def spread(start: Node, neighbours: Callable[[Node], Iterable[Node]], depth: int) -> Reach[Node]:
    """Breadth first: each node within `depth` steps, with its distance and the node before it."""
    seen: dict[Node, tuple[int, Node | None]] = {start: (0, None)}
    frontier = [start]
    for d in range(1, depth + 1):
        reached = []
        for a in frontier:
            for b in neighbours(a):
                if b not in seen:
                    seen[b] = (d, a)
                    reached.append(b)
        frontier = reached
    return seen


def match_line(
    run: list[Point],
    candidates: Callable[[Point], Iterable[tuple[Node, float]]],
    neighbours: Callable[[Node], Iterable[Node]],
    depth: int,
    step_cost: float,
) -> list[Node]:
    """The path of nodes that keeps closest to the points (Viterbi): candidate costs + `step_cost` per step taken."""
    cost = dict(candidates(run[0]))
    back: list[dict[Node, Node]] = []
    reach: dict[Node, dict[Node, tuple[int, Node | None]]] = {}
    for p in run[1:]:
        layer = dict(candidates(p))
        new_cost: dict[Node, float] = {}
        came: dict[Node, Node] = {}
        for a, cost_a in cost.items():
            if a not in reach:
                reach[a] = spread(a, neighbours, depth)
            for b, (steps, _) in reach[a].items():
                if b in layer:
                    value = cost_a + layer[b] + step_cost * steps
                    if b not in new_cost or value < new_cost[b]:
                        new_cost[b], came[b] = value, a
        if not new_cost:
            break
        cost = new_cost
        back.append(came)
    if not cost:
        return []
    node = min(cost, key=lambda k: cost[k])
    chosen = [node]
    for came in reversed(back):
        node = came[node]
        chosen.append(node)
    chosen.reverse()
    return without_spurs(_single_steps(chosen, reach))


def _single_steps(chosen: list[Node], reach: dict[Node, dict[Node, tuple[int, Node | None]]]) -> list[Node]:
    path = [chosen[0]]
    for a, b in itertools.pairwise(chosen):
        tail: list[Node] = []
        node: Node | None = b
        while node is not None and node != a:
            tail.append(node)
            node = reach[a][node][1]
        path.extend(reversed(tail))
    return path


def without_spurs(path: list[Node]) -> list[Node]:
    """Drop steps that go out and straight back."""
    i = 1
    while i < len(path) - 1:
        if path[i - 1] == path[i + 1]:
            del path[i : i + 2]
            i = max(1, i - 1)
        else:
            i += 1
    return path


def line_to_corners(line: Points, grid: Grid, graph: CornerGraph) -> list[list[Corner]]:
    """A river's course as paths of hex corners, one for each stretch on the map."""

    def candidates(p: Point) -> list[tuple[Corner, float]]:
        h = grid.nearest(*p)
        near = {corner: None for x in [h, *grid.neighbours(h)] for corner in grid.corners(x) if corner in graph}
        found = []
        for corner in near:
            u, v = corner_point(corner)
            distance = math.hypot(u - p[0], v - p[1])
            if distance <= 0.95:
                found.append((corner, (distance / 0.33) ** 2))
        return found

    paths = []
    for run in runs_on_map(line, grid, 0.30):
        path = match_line(run, candidates, lambda c: [b for b, _ in graph[c]], depth=3, step_cost=0.55)
        if len(path) > 1:
            paths.append(path)
    return paths


def sides_along(path: list[Corner], graph: CornerGraph) -> list[Side]:
    return [side for a, b in itertools.pairwise(path) for corner, side in graph[a] if corner == b]


def line_to_hexes(line: Points, grid: Grid) -> list[list[Hex]]:
    """A railroad as paths of adjacent hexes; the line's two ends stay in their own hexes so that branches meet."""
    tips = {(float(line[0, 0]), float(line[0, 1])), (float(line[-1, 0]), float(line[-1, 1]))}

    def candidates(p: Point) -> list[tuple[Hex, float]]:
        h = grid.nearest(*p)
        if p in tips:
            return [(h, 0.0)]
        found = []
        for x in [h, *grid.neighbours(h)]:
            u, v = grid.center(x)
            distance = math.hypot(u - p[0], v - p[1])
            if distance <= 0.85 and grid.has(x):
                found.append((x, (distance / 0.40) ** 2))
        return found

    paths = []
    for run in runs_on_map(line, grid, 0.20):
        path = match_line(run, candidates, grid.neighbours, depth=2, step_cost=1.6)
        if len(path) > 1:
            paths.append(path)
    return paths


def links_along(path: list[Hex]) -> list[Side]:
    return [side_of(a, b) for a, b in itertools.pairwise(path)]


# ---------------------------------------------------------------- areas and heights


def inside(points: Points, ring: Points) -> NDArray[np.bool_]:
    """Even-odd rule."""
    hit = np.zeros(len(points), dtype=bool)
    x, y = points[:, 0], points[:, 1]
    for (x0, y0), (x1, y1) in zip(ring, np.roll(ring, -1, axis=0), strict=True):
        if y0 == y1:
            continue
        crosses = ((y0 > y) != (y1 > y)) & (x < (x1 - x0) * (y - y0) / (y1 - y0) + x0)
        hit ^= crosses
    return hit


def sample_points(grid: Grid, rings: int = 5) -> tuple[list[Hex], Points]:
    """For every hex of the grid the same pattern of points: array (hexes, points, 2)."""
    offsets = [
        (i / (2 * rings) * 1.1, j / (2 * rings))
        for i in range(-rings, rings + 1)
        for j in range(-rings, rings + 1)
        if abs(i / (2 * rings) * 1.1) * ROOT3 / 2 + abs(j / (2 * rings)) / 2 <= 0.5
    ]
    hexes = list(grid.hexes())
    centers = np.array([grid.center(h) for h in hexes])
    return hexes, centers[:, None, :] + np.array(offsets)[None]


def covered(polygons: Iterable[list[Points]], grid: Grid) -> dict[Hex, float]:
    """Share of each hex covered by polygons (outer ring, then holes) in hex units; dry hexes are left out."""
    hexes, pattern = sample_points(grid)
    points = pattern.reshape(-1, 2)
    hit = np.zeros(len(points), dtype=bool)
    for rings in polygons:
        low, high = rings[0].min(axis=0), rings[0].max(axis=0)
        near = np.where(((points >= low) & (points <= high)).all(axis=1))[0]
        if not len(near):
            continue
        wet = inside(points[near], rings[0])
        for hole in rings[1:]:
            wet &= ~inside(points[near], hole)
        hit[near] |= wet
    shares = hit.reshape(len(hexes), -1).mean(axis=1)
    return {h: float(share) for h, share in zip(hexes, shares, strict=True) if share > 0}
