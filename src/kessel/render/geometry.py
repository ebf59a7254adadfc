"""Where things lie on the drawing, and the curves that join them.

All points of a board, hex centres and hex corners alike, lie on one triangular lattice: a hex is the lattice point
(3q, 3r), a corner the sum of the axial coordinates of the three hexes that meet there. A lattice point is therefore an
exact key; its position is computed from it and nothing is compared in floating point.

A hex is 112 units from corner to opposite corner, which puts all coordinates within half a unit of an integer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from functools import cached_property
from typing import NamedTuple, TypeAlias

from kessel.core.hexes import NO_HEX, STEPS, Direction, Grid, Hex

RADIUS = 56.0
"""Centre to corner."""
ACROSS = RADIUS * math.sqrt(3)
"""Flat to flat: the distance of neighbouring centres."""

BLOCK = 560.0
"""Side of the blocks that large layers are cut into."""

Point: TypeAlias = tuple[float, float]
Node: TypeAlias = tuple[int, int]
"""A lattice point: hex centre or hex corner."""


class Box(NamedTuple):
    """A rectangle on the drawing."""

    x0: float
    y0: float
    x1: float
    y1: float

    def overlaps(self, other: Box) -> bool:
        return self.x0 < other.x1 and other.x0 < self.x1 and self.y0 < other.y1 and other.y0 < self.y1

    def contains(self, p: Point) -> bool:
        return self.x0 <= p[0] <= self.x1 and self.y0 <= p[1] <= self.y1

    def grown(self, by: float) -> Box:
        return Box(self.x0 - by, self.y0 - by, self.x1 + by, self.y1 + by)

    def joined(self, other: Box) -> Box:
        return Box(min(self.x0, other.x0), min(self.y0, other.y0), max(self.x1, other.x1), max(self.y1, other.y1))

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        return self.y1 - self.y0


class Sheet:
    """The drawing of one grid: positions of hexes, corners and hexsides."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        first, second = sheet_bearings(grid)
        self._q = (ACROSS * (math.sqrt(3) / 2 * _sin(first) + _sin(second) / 2),
                   -ACROSS * (math.sqrt(3) / 2 * _cos(first) + _cos(second) / 2))  # fmt: skip
        self._r = (ACROSS * _sin(second), -ACROSS * _cos(second))
        self._steps = [(STEPS[d][0] + STEPS[(d + 1) % 6][0], STEPS[d][1] + STEPS[(d + 1) % 6][1]) for d in range(6)]
        self._origin = (0.0, 0.0)
        centres = [self.centre(h) for h in grid.hexes]
        corners = [self.at(self.corner(grid.hexes[0], d)) for d in range(6)]
        cx, cy = self.centre(grid.hexes[0])
        self.half_width = max(x - cx for x, _ in corners)
        self.half_height = max(y - cy for _, y in corners)
        left, top = min(x for x, _ in centres), min(y for _, y in centres)
        self._origin = (self.half_width - left, self.half_height - top)
        self.bounds = Box(
            0,
            0,
            max(x for x, _ in centres) - left + 2 * self.half_width,
            max(y for _, y in centres) - top + 2 * self.half_height,
        )
        self.flat_top = self.half_width > self.half_height
        self.outline = [(x - cx, y - cy) for x, y in corners]
        """The six corners, relative to the centre; entry d lies between directions d and d + 1."""

    def at(self, node: Node) -> Point:
        a, b = node[0] / 3, node[1] / 3
        return (
            self._origin[0] + a * self._q[0] + b * self._r[0],
            self._origin[1] + a * self._q[1] + b * self._r[1],
        )

    def node(self, h: Hex) -> Node:
        return 3 * self.grid.q[h], 3 * self.grid.r[h]

    def centre(self, h: Hex) -> Point:
        return self.at(self.node(h))

    def corner(self, h: Hex, d: Direction) -> Node:
        """The corner between directions d and d + 1."""
        dq, dr = self._steps[d % 6]
        return 3 * self.grid.q[h] + dq, 3 * self.grid.r[h] + dr

    def side(self, h: Hex, d: Direction) -> tuple[Node, Node]:
        """The two corners of the hexside in direction d."""
        return self.corner(h, d - 1), self.corner(h, d)

    def side_middle(self, h: Hex, d: Direction) -> Point:
        a, b = self.side(h, d)
        return middle(self.at(a), self.at(b))

    def blocks(self, hexes: Iterable[Hex]) -> list[list[Hex]]:
        """The hexes by square blocks of the drawing: one path a block lets a browser skip what is out of sight."""
        by: dict[tuple[int, int], list[Hex]] = {}
        for h in hexes:
            x, y = self.centre(h)
            by.setdefault((int(y // BLOCK), int(x // BLOCK)), []).append(h)
        return [by[k] for k in sorted(by)]

    def pieces(self, hexes: Collection[Hex]) -> list[set[Hex]]:
        """The connected parts of a set of hexes."""
        left, found = set(hexes), []
        for start in sorted(hexes):
            if start not in left:
                continue
            part, edge = {start}, [start]
            left.discard(start)
            while edge:
                for n in self.grid.around[edge.pop()]:
                    if n in left:
                        left.discard(n)
                        part.add(n)
                        edge.append(n)
            found.append(part)
        return found

    def hex_box(self, h: Hex) -> Box:
        x, y = self.centre(h)
        return Box(x - self.half_width, y - self.half_height, x + self.half_width, y + self.half_height)

    def hex_at(self, p: Point) -> Hex:
        """The hex that point lies in, NO_HEX beside the board."""
        x, y = p[0] - self._origin[0], p[1] - self._origin[1]
        det = self._q[0] * self._r[1] - self._r[0] * self._q[1]
        q, r = (x * self._r[1] - y * self._r[0]) / det, (y * self._q[0] - x * self._q[1]) / det
        near = min(
            ((math.floor(q) + i, math.floor(r) + j) for i in (0, 1) for j in (0, 1)),
            key=lambda c: math.dist(self.at((3 * c[0], 3 * c[1])), p),
        )
        return self._by_axial.get(near, NO_HEX)

    @cached_property
    def _by_axial(self) -> dict[tuple[int, int], Hex]:
        return {(self.grid.q[h], self.grid.r[h]): h for h in self.grid.hexes}

    def north(self) -> float:
        """How far true north is turned clockwise from the sheet's top, in degrees."""
        return -(self.grid.first_runs % 30)


def sheet_bearings(grid: Grid) -> tuple[float, float]:
    """The bearings of the two numbering axes as drawn, the sheet turned so that hexes stand straight."""
    turned = grid.first_runs % 30
    first, second = (round((b - turned) / 30) * 30.0 for b in (grid.first_runs, grid.second_runs))
    return first, second


# --- deterministic irregularity ------------------------------------------------------------------------------------


def noise(node: Node, salt: int = 0) -> float:
    """A number in -1..1 that looks random and depends on nothing but its arguments."""
    n = (node[0] * 73856093 ^ node[1] * 19349663 ^ salt * 83492791) & 0xFFFFFFFF
    n = ((n >> 16 ^ n) * 0x45D9F3B) & 0xFFFFFFFF
    n = ((n >> 16 ^ n) * 0x45D9F3B) & 0xFFFFFFFF
    return ((n >> 16 ^ n) & 0xFFFF) / 0x7FFF - 1


def jittered(p: Point, node: Node, by: float) -> Point:
    return p[0] + by * noise(node, 1), p[1] + by * noise(node, 2)


def middle(a: Point, b: Point) -> Point:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


# --- curves --------------------------------------------------------------------------------------------------------


class Knot(NamedTuple):
    """One point that steers a curve; a sharp one lies on it and may be a corner."""

    p: Point
    sharp: bool = False


def curve(knots: Sequence[Knot], *, closed: bool = False) -> str:
    """Path data of a smooth curve steered by the knots (a quadratic spline; ends and sharp knots lie on it)."""
    if closed:
        return _closed_curve(knots)
    pen = Pen().move(knots[0].p)
    for i in range(1, len(knots) - 1):
        k = knots[i]
        if k.sharp:
            pen.line(k.p)
        else:
            after = knots[i + 1]
            end = after.p if after.sharp or i == len(knots) - 2 else middle(k.p, after.p)
            pen.quad(k.p, end)
    if len(knots) == 2 or knots[-2].sharp:
        pen.line(knots[-1].p)
    return pen.data


def _closed_curve(knots: Sequence[Knot]) -> str:
    start = next((i for i, k in enumerate(knots) if k.sharp), None)
    if start is not None:
        turned = [*knots[start:], *knots[: start + 1]]
        return curve(turned) + "z"
    pen = Pen().move(middle(knots[-1].p, knots[0].p))
    for i, k in enumerate(knots):
        pen.quad(k.p, middle(k.p, knots[(i + 1) % len(knots)].p))
    return pen.data + "z"


def along(knots: Sequence[Knot]) -> list[Point]:
    """Points on the curve of these knots, a few per knot, for labels and obstacles."""
    points = [knots[0].p]
    for i in range(1, len(knots) - 1):
        k = knots[i]
        before = knots[i - 1].p if knots[i - 1].sharp or i == 1 else middle(knots[i - 1].p, k.p)
        after = knots[i + 1].p if knots[i + 1].sharp or i == len(knots) - 2 else middle(k.p, knots[i + 1].p)
        if k.sharp:
            points.append(k.p)
        else:
            points.extend((_on_quad(before, k.p, after, 0.5), after))
    if points[-1] != knots[-1].p:
        points.append(knots[-1].p)
    return points


def _on_quad(a: Point, k: Point, b: Point, t: float) -> Point:
    u = 1 - t
    return u * u * a[0] + 2 * u * t * k[0] + t * t * b[0], u * u * a[1] + 2 * u * t * k[1] + t * t * b[1]


class Pen:
    """Path data in relative integers, each point rounded where it is, so that errors never add up."""

    def __init__(self) -> None:
        self.data = ""
        self._x = self._y = 0
        self._last = ""

    def move(self, p: Point) -> Pen:
        self._x, self._y = round(p[0]), round(p[1])
        self.data += f"M{self._x} {self._y}"
        self._last = "m"
        return self

    def line(self, p: Point) -> Pen:
        x, y = round(p[0]), round(p[1])
        dx, dy = x - self._x, y - self._y
        if dy == 0:
            self._put("h", dx)
        elif dx == 0:
            self._put("v", dy)
        else:
            self._put("l", dx, dy)
        self._x, self._y = x, y
        return self

    def quad(self, k: Point, p: Point) -> Pen:
        x, y = round(p[0]), round(p[1])
        self._put("q", round(k[0]) - self._x, round(k[1]) - self._y, x - self._x, y - self._y)
        self._x, self._y = x, y
        return self

    def _put(self, command: str, *numbers: int) -> None:
        text = "" if command == self._last and command in "lq" else command
        for n in numbers:
            text += str(n) if n < 0 or (text in ("", command) and text) else f" {n}"
        self.data += text
        self._last = command


# --- joining pieces ------------------------------------------------------------------------------------------------


class Trail(NamedTuple):
    """A chain of edges drawn in one stroke."""

    nodes: list[Node]
    closed: bool


def trails(
    edges: Iterable[tuple[Node, Node]],
    at: Callable[[Node], Point],
    *,
    tag: Callable[[Node, Node], Hashable] | None = None,
    cross: bool = False,
) -> list[Trail]:
    """Chain edges into long strokes. Where more than two meet, the pair of one tag and the straightest way goes on;
    the others end there (or, with `cross`, pair up in turn)."""
    around: dict[Node, list[Node]] = {}
    for a, b in sorted(edges):
        around.setdefault(a, []).append(b)
        around.setdefault(b, []).append(a)
    onward: dict[tuple[Node, Node], Node] = {}
    for node, ends in around.items():
        _pair_up(node, ends, at, tag, cross, onward)
    done: set[tuple[Node, Node]] = set()
    found = []
    starts = [(n, m) for n, ends in around.items() for m in ends if (m, n) not in onward]
    for a, b in starts + [(n, m) for n, ends in around.items() for m in ends]:
        if (a, b) in done:
            continue
        nodes = [a, b]
        done |= {(a, b), (b, a)}
        while (nxt := onward.get((nodes[-2], nodes[-1]))) is not None and (nodes[-1], nxt) not in done:
            done |= {(nodes[-1], nxt), (nxt, nodes[-1])}
            nodes.append(nxt)
        closed = nodes[0] == nodes[-1] and len(nodes) > 3 and onward.get((nodes[-2], nodes[-1])) == nodes[1]
        found.append(Trail(nodes, closed))
    return found


def _pair_up(
    node: Node,
    ends: list[Node],
    at: Callable[[Node], Point],
    tag: Callable[[Node, Node], Hashable] | None,
    cross: bool,
    onward: dict[tuple[Node, Node], Node],
) -> None:
    left = list(ends)
    while len(left) >= 2:
        pairs = [(a, b) for i, a in enumerate(left) for b in left[i + 1 :]]

        def straightness(pair: tuple[Node, Node]) -> tuple[int, float, tuple[Node, Node]]:
            a, b = pair
            same = 0 if tag is None or tag(a, node) == tag(node, b) else 1
            (ax, ay), (nx, ny), (bx, by) = at(a), at(node), at(b)
            cosine = (ax - nx) * (bx - nx) + (ay - ny) * (by - ny)
            return same, round(cosine / (math.dist((ax, ay), (nx, ny)) * math.dist((bx, by), (nx, ny))), 6), pair

        a, b = min(pairs, key=straightness)
        onward[a, node] = b
        onward[b, node] = a
        left.remove(a)
        left.remove(b)
        if not cross:
            return


def outlines(sheet: Sheet, inside: Collection[Hex], board: Collection[Hex]) -> list[list[tuple[Node, Node, bool]]]:
    """The closed borders of a set of hexes, as loops of edges; the flag marks edges at the end of the board."""
    members = inside if isinstance(inside, (set, frozenset)) else set(inside)
    onward: dict[Node, tuple[Node, bool]] = {}
    for h in sorted(members):
        for d, n in enumerate(sheet.grid.neighbours[h]):
            if n not in members:
                a, b = sheet.side(h, d)
                onward[a] = (b, n not in board)
    loops = []
    while onward:
        start = node = next(iter(onward))
        loop = []
        while True:
            after, edge = onward.pop(node)
            loop.append((node, after, edge))
            node = after
            if node == start:
                break
        loops.append(loop)
    return loops


def _sin(degrees: float) -> float:
    return math.sin(math.radians(degrees))


def _cos(degrees: float) -> float:
    return math.cos(math.radians(degrees))
