"""Rivers along the hexsides, as smooth strokes of their width, and the other things a hexside can carry."""

from __future__ import annotations

import itertools
import math
from typing import NamedTuple

from kessel.render.canvas import Canvas, group, tag
from kessel.render.geometry import Box, Knot, Node, Point, along, curve, jittered, middle, trails
from kessel.render.land import VERTEX_JITTER, side_point
from kessel.render.style import PAPER, WATER, WATER_DARK, WATER_INK, side_style


class Stream(NamedTuple):
    """A stretch of river drawn in one stroke."""

    width: float
    name: str
    knots: list[Knot]


def streams(canvas: Canvas) -> list[Stream]:
    """All rivers as strokes, the broadest first; a tributary ends on the curve of the river it joins."""
    widths = canvas.water_width
    mouths: dict[Node, Point] = {}
    found = []
    for width in sorted({w for w, _ in widths.values()}, reverse=True):
        edges = [e for e, (w, _) in widths.items() if w == width]

        def name_of(a: Node, b: Node) -> str:
            return widths[min(a, b), max(a, b)][1]

        for trail in trails(edges, canvas.sheet.at, tag=name_of):
            knots = _stream_knots(canvas, trail.nodes, mouths)
            names = [name_of(a, b) for a, b in itertools.pairwise(trail.nodes)]
            found.append(Stream(width, max(sorted(set(names)), key=names.count), knots))
            for node, p in _bends(trail.nodes, knots):
                mouths.setdefault(node, p)
    return found


def _stream_knots(canvas: Canvas, nodes: list[Node], mouths: dict[Node, Point]) -> list[Knot]:
    at = canvas.sheet.at
    knots = []
    for i, node in enumerate(nodes):
        p = jittered(at(node), node, VERTEX_JITTER)
        if i in (0, len(nodes) - 1):
            p = mouths.get(node, p)
        knots.append(Knot(p))
        if i + 1 < len(nodes):
            knots.append(Knot(side_point(canvas, node, nodes[i + 1])))
    return knots


def _bends(nodes: list[Node], knots: list[Knot]) -> list[tuple[Node, Point]]:
    """Where the curve passes each of its nodes."""
    found = [(nodes[0], knots[0].p), (nodes[-1], knots[-1].p)]
    for i in range(1, len(nodes) - 1):
        k = 2 * i
        a, b = middle(knots[k - 1].p, knots[k].p), middle(knots[k].p, knots[k + 1].p)
        found.append((nodes[i], ((a[0] + 2 * knots[k].p[0] + b[0]) / 4, (a[1] + 2 * knots[k].p[1] + b[1]) / 4)))
    return found


def rivers_layer(canvas: Canvas) -> tuple[str, list[Stream]]:
    """The rivers, and their strokes for labels to follow."""
    found = streams(canvas)
    banks, beds = [], []
    for width in sorted({s.width for s in found}):
        paths = [tag("path", d=curve(s.knots)) for s in found if s.width == width]
        bank = max(1.6, 2.6 - width / 20)
        banks.append(group("", paths, stroke_width=width + bank))
        beds.append(group("", paths, stroke_width=max(width - bank, 1.5)))
    for s in found:
        points = along(s.knots)
        canvas.lines.extend(points)
        if s.width >= 15:
            canvas.lines.extend(middle(a, b) for a, b in itertools.pairwise(points))
    body = [
        group("banks", banks, stroke=WATER_DARK),
        group("beds", beds, stroke=WATER, stroke_linecap="round"),
        group("barred", [_barred(canvas)], stroke="#9b2d1f", stroke_width=2.4, stroke_dasharray="3 7"),
    ]
    return group("rivers", body, fill="none", stroke_linejoin="round"), found


def _barred(canvas: Canvas) -> str:
    edges = [s.ends for s in canvas.sides if any(side_style(f).barred for f in s.features)]
    data = ""
    for trail in trails(edges, canvas.sheet.at):
        data += curve(_stream_knots(canvas, trail.nodes, {}))
    return tag("path", d=data) if data else ""


DRAWINGS: dict[str, list[dict[str, str | float]]] = {
    "gorge": [
        {"stroke": "#a5834f", "stroke_width": 13.0, "stroke_dasharray": "1.6 4.2"},
        {"stroke": "#efe4c6", "stroke_width": 5.0},
        {"stroke": "#7d5f35", "stroke_width": 1.4, "transform": "translate(0 -1.5)"},
    ],
    "alpine": [
        {"stroke": "#8d7a63", "stroke_width": 14.0, "stroke_dasharray": "3 5.5"},
        {"stroke": "#f7f4ec", "stroke_width": 5.5},
        {"stroke": "#6c5d4b", "stroke_width": 1.8},
    ],
    "marsh": [
        {"stroke": "#cfdfcb", "stroke_width": 15.0, "stroke_linecap": "round"},
        {"stroke": "#5d8f7c", "stroke_width": 9.0, "stroke_dasharray": "1.5 5.5"},
        {"stroke": "#5d8f7c", "stroke_width": 1.5, "stroke_dasharray": "8 4"},
    ],
    "canal": [{"stroke": WATER_DARK, "stroke_width": 4.5}, {"stroke": "#d9ecf2", "stroke_width": 1.8}],
    "wall": [{"stroke": "#8f2f22", "stroke_width": 4.0, "stroke_dasharray": "9 3", "stroke_opacity": 0.8}],
}


def hexsides_layer(canvas: Canvas) -> str:
    """What hexsides carry besides water: gorges, alpine crests, closed borders."""
    of: dict[str, list[tuple[Node, Node]]] = {}
    for side in canvas.sides:
        for f in side.features:
            drawing = side_style(f).drawing
            if drawing != "water":
                of.setdefault(drawing, []).append(side.ends)
    parts = [_boats(canvas, of.pop("boat", []))]
    for drawing in sorted(of):
        data = "".join(
            curve(_stream_knots(canvas, t.nodes, {})) for t in trails(sorted(set(of[drawing])), canvas.sheet.at)
        )
        strokes = [tag("path", d=data, **paint) for paint in DRAWINGS[drawing]]
        parts.append(group(f"hexside-{drawing}", strokes))
    return group("hexsides", parts, fill="none", stroke_linejoin="round")


def _boats(canvas: Canvas, edges: list[tuple[Node, Node]]) -> str:
    """A small boat on every hexside that has a ferry."""
    data = ""
    for a, b in sorted(edges):
        x, y = side_point(canvas, a, b)
        data += f"M{round(x)} {round(y)}{BOAT}"
        canvas.obstacles.append(Box(x - 9, y - 9, x + 9, y + 9))
    return tag("path", d=data, stroke=WATER_INK, fill=PAPER, stroke_width=1.6) if data else ""


BOAT = "m-9 1h18l-4 6h-10zm9-10v9m0-8 6 6h-6"


def direction_of(points: list[Point], i: int) -> float:
    """The course of a line at one of its points, in degrees."""
    a, b = points[max(i - 1, 0)], points[min(i + 1, len(points) - 1)]
    return math.degrees(math.atan2(b[1] - a[1], b[0] - a[0]))
