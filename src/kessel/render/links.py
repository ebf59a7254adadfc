"""Roads, rails and ferries as smooth lines through the hexes, with their bridges."""

from __future__ import annotations

import itertools
import math
from typing import NamedTuple

from kessel.core.hexes import Hex, hex_list
from kessel.render.canvas import Canvas, group, tag
from kessel.render.geometry import Box, Knot, Node, Pen, Point, along, curve, jittered, middle, noise, trails
from kessel.render.land import side_point
from kessel.render.style import FEATURE_SIGNS, INK, PAPER, WATER_INK, LinkStyle, link_style, terrain_style

SHARED_OFFSET = 5.0
"""How far a road and a rail that run together keep apart, each from the middle."""
PLACES = ("town", "city", "village", "station")


class Link(NamedTuple):
    kind: str
    edges: frozenset[tuple[Node, Node]]


def _links(canvas: Canvas) -> list[Link]:
    of: dict[str, set[tuple[Node, Node]]] = {}
    for link in canvas.map.doc.links:
        if link.special:
            continue
        path = [canvas.grid.hex(n) for n in hex_list(link.path)]
        for a, b in itertools.pairwise(path):
            if a in canvas.shown_set and b in canvas.shown_set:
                na, nb = canvas.sheet.node(a), canvas.sheet.node(b)
                of.setdefault(link.kind, set()).add((min(na, nb), max(na, nb)))
    return [Link(k, frozenset(of[k])) for k in sorted(of, key=lambda k: (link_style(k).rank, k))]


class _Net:
    """All links together: where they meet, and which hexsides roads and rails share."""

    def __init__(self, canvas: Canvas, links: list[Link]) -> None:
        self.canvas = canvas
        self.busy: dict[Node, set[Node]] = {}
        families: dict[tuple[Node, Node], set[str]] = {}
        for link in links:
            for a, b in link.edges:
                self.busy.setdefault(a, set()).add(b)
                self.busy.setdefault(b, set()).add(a)
                families.setdefault((a, b), set()).add(_family(link.kind))
        self.shared = {e for e, kinds in families.items() if len(kinds) > 1}
        self.places = {canvas.sheet.node(h) for h in canvas.shown if is_place(canvas, h)}

    def offset(self, kind: str, a: Node, b: Node) -> Point:
        """How far a line moves aside on the way between two hexes because another runs there too."""
        if (min(a, b), max(a, b)) not in self.shared:
            return 0.0, 0.0
        (ax, ay), (bx, by) = self.canvas.sheet.at(min(a, b)), self.canvas.sheet.at(max(a, b))
        by_how = SHARED_OFFSET / math.dist((ax, ay), (bx, by)) * (1 if _family(kind) == "rail" else -1)
        return -(by - ay) * by_how, (bx - ax) * by_how

    def knots(self, kind: str, nodes: list[Node]) -> list[Knot]:
        found = []
        at = self.canvas.sheet.at
        for i, node in enumerate(nodes):
            exact = node in self.places or len(self.busy[node]) != 2 or i in (0, len(nodes) - 1)
            if exact:
                found += [Knot(at(node))] * (1 if i in (0, len(nodes) - 1) else 2)
            else:
                before, after = self.offset(kind, nodes[i - 1], node), self.offset(kind, node, nodes[i + 1])
                x, y = jittered(at(node), node, 5.0)
                found.append(Knot((x + (before[0] + after[0]) / 2, y + (before[1] + after[1]) / 2)))
            if i + 1 < len(nodes):
                found.append(Knot(self.crossing(kind, node, nodes[i + 1])))
        return found

    def crossing(self, kind: str, a: Node, b: Node) -> Point:
        """Where the line crosses from one hex to the next: near the hexside's middle, on its river if it has one."""
        x, y = middle(self.canvas.sheet.at(a), self.canvas.sheet.at(b))
        side = self.side_between(a, b)
        if side in self.canvas.water_width:
            x, y = side_point(self.canvas, *side)
        else:
            (ax, ay), (bx, by) = self.canvas.sheet.at(side[0]), self.canvas.sheet.at(side[1])
            slide = 0.12 * noise((a[0] + b[0], a[1] + b[1]), 11)
            x, y = x + (bx - ax) * slide, y + (by - ay) * slide
        dx, dy = self.offset(kind, a, b)
        return x + dx, y + dy

    @staticmethod
    def side_between(a: Node, b: Node) -> tuple[Node, Node]:
        """The corners of the hexside between two neighbouring hexes."""
        q, r = (b[0] - a[0]) // 3, (b[1] - a[1]) // 3
        # The hexes beside both lie a sixth of a turn either way; a corner is the sum of three hexes.
        left = (a[0] + q - r, a[1] + r + q + r)
        right = (a[0] + q + q + r, a[1] + r - q)
        return min(left, right), max(left, right)


def _family(kind: str) -> str:
    return "rail" if link_style(kind).drawing == "rail" else "road"


def is_place(canvas: Canvas, h: Hex) -> bool:
    """Whether a town or the like stands in the hex, which roads run through."""
    if any(FEATURE_SIGNS.get(f) in PLACES for f in canvas.map.features(h)):
        return True
    return terrain_style(canvas.map.terrain[h]).texture in ("town", "city", "major_city")


def links_layers(canvas: Canvas) -> tuple[str, str]:
    """The roads and rails, and the bridges over them."""
    links = _links(canvas)
    net = _Net(canvas, links)
    parts = []
    for link in links:
        paths = []
        for trail in trails(link.edges, canvas.sheet.at, cross=True):
            knots = net.knots(link.kind, trail.nodes)
            canvas.lines.extend(along(knots))
            paths.append(tag("path", d=curve(knots)))
        parts.append(group(f"link-{link.kind}", strokes(link_style(link.kind), paths)))
    roads = group("roads", parts, fill="none", stroke_linejoin="round")
    bridges = [_bridge(canvas, net, link.kind, e) for link in links for e in sorted(link.edges)]
    return roads, group("bridges", [*bridges, *_ferries(canvas)], fill="none", stroke_linecap="round")


def strokes(style: LinkStyle, paths: list[str]) -> list[str]:
    """The paths painted as a link of that style, in one or two passes."""
    if style.drawing == "road":
        return [
            group("", paths, stroke="#86693f", stroke_width=style.width + 2.2, stroke_linecap="round"),
            group("", paths, stroke=style.colour, stroke_width=style.width, stroke_linecap="round"),
        ]
    if style.drawing == "rail":
        return [
            group("", paths, stroke=style.colour, stroke_width=style.width),
            group("", paths, stroke=style.colour, stroke_width=style.width + 5.6, stroke_dasharray="1.6 9"),
        ]
    dash = "5 4" if style.drawing == "ferry" else "7 4"
    return [group("", paths, stroke=style.colour, stroke_width=style.width, stroke_dasharray=dash)]


def _bridge(canvas: Canvas, net: _Net, kind: str, edge: tuple[Node, Node]) -> str:
    """Two parapets where a link crosses water."""
    side = net.side_between(*edge)
    width = canvas.water_width.get(side, (0.0, ""))[0]
    style = link_style(kind)
    if not width or style.drawing == "ferry":
        return ""
    (ax, ay), (bx, by) = canvas.sheet.at(edge[0]), canvas.sheet.at(edge[1])
    cx, cy = net.crossing(kind, *edge)
    length = math.dist((ax, ay), (bx, by))
    ux, uy = (bx - ax) / length, (by - ay) / length
    half, apart = width / 2 + 3.5, style.width / 2 + 2.6
    data = ""
    for s in (1, -1):
        ox, oy = cx - uy * apart * s, cy + ux * apart * s
        flare = 3.2 * s
        pen = Pen().move((ox - ux * (half + 3) - uy * flare, oy - uy * (half + 3) + ux * flare))
        pen.line((ox - ux * half, oy - uy * half)).line((ox + ux * half, oy + uy * half))
        pen.line((ox + ux * (half + 3) - uy * flare, oy + uy * (half + 3) + ux * flare))
        data += pen.data
    canvas.obstacles.append(Box(cx - 6, cy - 6, cx + 6, cy + 6))
    return tag("path", stroke=INK, stroke_width=1.7, d=data)


def _ferries(canvas: Canvas) -> list[str]:
    """Special links jump over water or over nothing: dashes with a small boat or a ring at either end."""
    found = []
    for link in canvas.map.special_links:
        for a, b in itertools.pairwise(link.path):
            if a not in canvas.shown_set or b not in canvas.shown_set:
                continue
            (ax, ay), (bx, by) = canvas.sheet.centre(a), canvas.sheet.centre(b)
            x, y = middle((ax, ay), (bx, by))
            bow = 0.12
            knots = [Knot((ax, ay)), Knot((x - (by - ay) * bow, y + (bx - ax) * bow)), Knot((bx, by))]
            style = link_style(link.kind)
            colour = WATER_INK if style.drawing == "ferry" else style.colour
            found.append(tag("path", stroke=PAPER, stroke_width=style.width + 3, stroke_opacity=0.7, d=curve(knots)))
            found.append(tag("path", stroke=colour, stroke_width=style.width, stroke_dasharray="6 5", d=curve(knots)))
    return found
