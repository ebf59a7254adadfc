"""What surrounds and overlies a map: lines, arrows, off-map boxes, title, compass, legend and provenance."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from kessel.core.hexes import Bits, Grid, Hex
from kessel.core.hexset import members
from kessel.core.terrain import Box as MapBox
from kessel.core.terrain import SideDoc
from kessel.render.canvas import FAMILIES, Canvas, group, tag, words
from kessel.render.fonts import text_width
from kessel.render.geometry import ACROSS, Box, Knot, Node, Pen, Sheet, curve, middle, trails
from kessel.render.land import straight_region, terrain_words
from kessel.render.links import strokes
from kessel.render.style import (
    GROUND,
    INK,
    PAPER,
    WATER,
    WATER_DARK,
    WATER_INK,
    SideStyle,
    link_style,
    side_ink,
    side_style,
    spoken,
    terrain_style,
)
from kessel.render.texture import TEXTURES, texture_paths
from kessel.render.water import BOAT, DRAWINGS, Stream

BOX_WIDTH, BOX_HEIGHT, BOX_GAP = 2.7 * ACROSS, 1.7 * ACROSS, 26.0
MARGIN = 46.0
LINE_COLOURS = ("#7a3e8f", "#a0522d", "#2f6f5e", "#8f2f4a", "#46558f", "#7d6b1f")

# --- lines and arrows ----------------------------------------------------------------------------------------------


def _line_edges(canvas: Canvas, inside: Bits) -> list[tuple[Node, Node]]:
    """The hexsides between the area and the rest of the board."""
    edges = []
    for h in members(inside):
        if h not in canvas.shown_set:
            continue
        for d, n in enumerate(canvas.grid.neighbours[h]):
            if n in canvas.shown_set and not inside >> n & 1:
                a, b = canvas.sheet.side(h, d)
                edges.append((min(a, b), max(a, b)))
    return edges


def lines_layer(canvas: Canvas) -> tuple[str, list[Stream]]:
    """Lines that divide the map, and their courses for their names to follow."""
    parts, courses = [], []
    for i, (key, line) in enumerate(canvas.map.doc.lines.items()):
        colour = LINE_COLOURS[i % len(LINE_COLOURS)]
        data = ""
        for trail in trails(_line_edges(canvas, canvas.map.areas[line.inside]), canvas.sheet.at):
            knots = [Knot(canvas.sheet.at(n)) for n in trail.nodes]
            data += curve(knots)
            courses.append(Stream(3.0, line.name or spoken(key), knots))
        if data:
            body = [
                tag("path", d=data, stroke=PAPER, stroke_width=7.5, stroke_opacity=0.55),
                tag("path", d=data, stroke=colour, stroke_width=4.0, stroke_dasharray="14 5 3 5", stroke_opacity=0.85),
            ]
            parts.append(group(f"line-{key}", body, data_line=key))
    return group("lines", parts, fill="none", stroke_linejoin="round"), courses


def arrows_layer(canvas: Canvas) -> str:
    """Printed arrows: solid for primary ones, hollow for others, with the mark of those they hold for."""
    parts = []
    for h, arrows in sorted(canvas.map.arrows.items()):
        if h not in canvas.shown_set:
            continue
        x, y = canvas.sheet.centre(h)
        for arrow in arrows:
            sx, sy = canvas.sheet.side_middle(h, arrow.direction)
            turn = math.degrees(math.atan2(sy - y, sx - x))
            px, py = x + (sx - x) * 0.8, y + (sy - y) * 0.8
            at = f"translate({px:.0f} {py:.0f}) rotate({turn:.0f})"
            canvas.obstacles.append(Box(px - 7, py - 7, px + 7, py + 7))
            solid = arrow.kind == "primary"
            paint: dict[str, str | float] = {
                "fill": "#b5603a" if solid else PAPER, "stroke": "#84401c", "stroke_width": 1.1}  # fmt: skip
            parts.append(tag("path", d="M7 0-2-5.6v2.8h-5.5v5.6h5.5v2.8z", transform=at, fill_opacity=0.85, **paint))
            if arrow.only:
                tx, ty = x + (sx - x) * 0.55, y + (sy - y) * 0.55
                parts.append(words(arrow.only, tx, ty + 3, 9.5, fill="#84401c"))
    return group("arrows", parts, text_anchor="middle", font_weight="700")


def areas_layer(canvas: Canvas, areas: Iterable[str]) -> str:
    """Borders of the areas asked for."""
    parts = []
    for i, key in enumerate(areas):
        hexes = {h for h in members(canvas.map.area(key)) if h in canvas.shown_set}
        if hexes:
            colour = LINE_COLOURS[i % len(LINE_COLOURS)]
            parts.append(
                tag("path", data_area=key, d=straight_region(canvas, hexes), stroke=colour, stroke_width=5.0,
                    stroke_opacity=0.7, fill=colour, fill_opacity=0.08)
            )  # fmt: skip
    return group("areas", parts)


# --- boxes ---------------------------------------------------------------------------------------------------------


class PlacedBox(NamedTuple):
    box: MapBox
    rect: Box


def place_boxes(canvas: Canvas) -> list[PlacedBox]:
    """Off-map boxes: beside the hexes they adjoin, those that adjoin none in rows below the map. A box that adjoins
    hexes inside the shown board, or none of it, belongs to another part of the map and is left out."""
    if canvas.cropped:
        return []
    frame = canvas.bounds
    by_edge: dict[str, list[tuple[float, MapBox]]] = {"W": [], "E": [], "N": [], "S": []}
    loose = []
    for box in canvas.map.boxes:
        if not box.hexes:
            loose.append(box)
            continue
        centres = [canvas.sheet.centre(h) for h in edge_hexes(canvas, box)]
        if not centres:
            continue
        x, y = sum(p[0] for p in centres) / len(centres), sum(p[1] for p in centres) / len(centres)
        edge = min(
            (("W", x - frame.x0), ("E", frame.x1 - x), ("N", y - frame.y0), ("S", frame.y1 - y)), key=lambda e: e[1]
        )[0]
        by_edge[edge].append((y if edge in "WE" else x, box))
    found = []
    for edge, boxes in by_edge.items():
        upright = edge in "WE"
        length = BOX_HEIGHT if upright else BOX_WIDTH
        low, high = (frame.y0, frame.y1) if upright else (frame.x0, frame.x1)
        for start, box in _spaced(sorted(boxes, key=lambda b: (b[0], b[1].id)), length, low, high):
            if edge == "W":
                rect = Box(frame.x0 - MARGIN - BOX_WIDTH, start, frame.x0 - MARGIN, start + length)
            elif edge == "E":
                rect = Box(frame.x1 + MARGIN, start, frame.x1 + MARGIN + BOX_WIDTH, start + length)
            elif edge == "N":
                rect = Box(start, frame.y0 - MARGIN - BOX_HEIGHT, start + length, frame.y0 - MARGIN)
            else:
                rect = Box(start, frame.y1 + MARGIN, start + length, frame.y1 + MARGIN + BOX_HEIGHT)
            found.append(PlacedBox(box, rect))
    top = frame.y1 + MARGIN + (BOX_HEIGHT + BOX_GAP if by_edge["S"] else 0)
    a_row = max(1, int((frame.width + BOX_GAP) // (BOX_WIDTH + BOX_GAP)))
    for i, box in enumerate(loose):
        x = frame.x0 + (i % a_row) * (BOX_WIDTH + BOX_GAP)
        y = top + (i // a_row) * (BOX_HEIGHT + BOX_GAP)
        found.append(PlacedBox(box, Box(x, y, x + BOX_WIDTH, y + BOX_HEIGHT)))
    return found


def edge_hexes(canvas: Canvas, box: MapBox) -> list[Hex]:
    """The hexes of a box that lie at the end of the shown board."""
    near = [h for h in members(box.hexes) if h in canvas.shown_set]
    return [h for h in near if any(n not in canvas.shown_set for n in canvas.grid.neighbours[h])]


def _spaced(boxes: list[tuple[float, MapBox]], length: float, low: float, high: float) -> list[tuple[float, MapBox]]:
    """Starts of boxes along an edge, near where they belong, none over another."""
    starts: list[float] = []
    for centre, _ in boxes:
        at = max(centre - length / 2, low)
        starts.append(max(at, starts[-1] + length + BOX_GAP) if starts else at)
    limit = high
    for i in range(len(starts) - 1, -1, -1):
        starts[i] = min(starts[i], limit - length)
        limit = starts[i] - BOX_GAP
    return [(s, b) for s, (_, b) in zip(starts, boxes, strict=True)]


def boxes_layer(canvas: Canvas, boxes: list[PlacedBox]) -> str:
    parts = []
    for box, r in boxes:
        ink = side_ink(box.side)
        size = min(19.0, 19.0 * (r.width - 20) / max(text_width(box.name, 19.0, weight=700), 1))
        body = [
            f'<rect x="{r.x0:.0f}" y="{r.y0:.0f}" width="{r.width:.0f}" height="{r.height:.0f}" rx="8" fill="#fbf7ea" '
            f'stroke="{ink}" stroke-width="2.5"/>',
            f'<path d="M{r.x0:.0f} {r.y0 + 30:.0f}h{r.width:.0f}" stroke="{ink}" stroke-width="1.2"/>',
            words(box.name, (r.x0 + r.x1) / 2, r.y0 + 21, round(size, 1), fill=ink),
        ]
        if box.hexes:
            body.append(_tether(canvas, box, r, ink))
        parts.append(f'<g data-place="{box.id}">{"".join(body)}</g>')
    return group("boxes", parts, text_anchor="middle", font_weight="700")


def _tether(canvas: Canvas, box: MapBox, r: Box, ink: str) -> str:
    """The stretch of the map's edge that belongs to a box, and a line from the box to its middle."""
    hexes = edge_hexes(canvas, box)
    sides = [
        canvas.sheet.side(h, d)
        for h in hexes
        for d, n in enumerate(canvas.grid.neighbours[h])
        if n not in canvas.shown_set
    ]
    data = ""
    for trail in trails([(min(s), max(s)) for s in sides], canvas.sheet.at):
        pen = Pen().move(canvas.sheet.at(trail.nodes[0]))
        for node in trail.nodes[1:]:
            pen.line(canvas.sheet.at(node))
        data += pen.data
    near = (min(max((r.x0 + r.x1) / 2, canvas.bounds.x0), canvas.bounds.x1), (r.y0 + r.y1) / 2)
    to = min((middle(canvas.sheet.at(a), canvas.sheet.at(b)) for a, b in sides), key=lambda p: math.dist(p, near))
    start = (min(max(to[0], r.x0), r.x1), min(max(to[1], r.y0), r.y1))
    return tag(
        "path", d=data, fill="none", stroke=ink, stroke_width=7.0, stroke_opacity=0.5, stroke_linejoin="round"
    ) + tag("path", d=Pen().move(start).line(to).data, stroke=ink, stroke_width=2.0, stroke_dasharray="2 5")


# --- legend --------------------------------------------------------------------------------------------------------


class Sample(NamedTuple):
    """One entry of the legend: what is drawn in a field 100 wide and 62 high, and what it is called."""

    drawing: str
    name: str


def legend(canvas: Canvas, *, title: str, scale: str, top: float, left: float, width: float) -> tuple[str, float]:
    """The block below the map; also where it ends."""
    parts = []
    y = top
    if title:
        parts.append(words(title, left, y + 40, 46.0, font_weight="700", fill=INK))
    parts.append(_compass(canvas, left + width - 40, y + 34))
    if scale:
        parts.append(words(scale, left + width - 90, y + 38, 19.0, text_anchor="end", fill=INK))
    y += 70
    x = left
    for sample in samples(canvas):
        room = 112 + text_width(sample.name, 18.0) + 34
        if x + room > left + width and x > left:
            x, y = left, y + 78
        parts.append(
            f'<g transform="translate({x:.0f} {y:.0f})">{sample.drawing}{words(sample.name, 112, 37, 18.0)}</g>'
        )
        x += room
    y += 92
    for line in _wrapped(provenance_note(canvas), 17.0, width):
        parts.append(words(line, left, y, 17.0, font_family=FAMILIES["serif"], font_style="italic", fill="#5d5343"))
        y += 24
    return group("legend", parts, fill=INK), y


def samples(canvas: Canvas) -> list[Sample]:
    found = [Sample(_terrain_sample(t), terrain_style(t).name) for t in terrain_words(canvas)]
    features = {f for s in canvas.sides for f in s.features}
    for f in sorted(features, key=lambda f: (side_style(f).drawing != "water", side_style(f).width, f)):
        found.append(Sample(_side_sample(side_style(f)), side_style(f).name))
    kinds = {link.kind for link in canvas.map.doc.links if not link.special}
    for k in sorted(kinds, key=lambda k: (link_style(k).rank, k)):
        drawn = "".join(strokes(link_style(k), [tag("path", d="M4 40q24-22 46-8t46-12")]))
        found.append(Sample(f'<g fill="none">{drawn}</g>', link_style(k).name))
    for i, (key, line) in enumerate(canvas.map.doc.lines.items()):
        stroke = tag(
            "path", d="M4 32h92", fill="none", stroke=LINE_COLOURS[i % len(LINE_COLOURS)], stroke_width=4.0,
            stroke_dasharray="14 5 3 5", stroke_opacity=0.85)  # fmt: skip
        found.append(Sample(stroke, line.name or spoken(key)))
    return found


def _terrain_sample(terrain: str) -> str:
    style = terrain_style(terrain)
    sheet = Sheet(Grid.printed(["0101"]))
    only: Hex = sheet.grid.hexes[0]
    pen = Pen().move(sheet.at(sheet.corner(only, 0)))
    for d in range(1, 6):
        pen.line(sheet.at(sheet.corner(only, d)))
    fill = WATER if style.water else style.fill or GROUND
    body = tag("path", d=pen.data + "z", fill=fill, stroke="#6f6450", stroke_width=1.5)
    if style.texture in TEXTURES:
        body += "".join(texture_paths(sheet, style.texture, [only], (0, 0)))
    return f'<g transform="translate(14 0) scale(.66)">{body}</g>'


def _side_sample(style: SideStyle) -> str:
    data = "M4 38q22-24 46-8t46-6"
    if style.drawing == "boat":
        drawn = [tag("path", d=f"M50 32{BOAT}", stroke=WATER_INK, fill=PAPER, stroke_width=1.6)]
    elif style.drawing == "water":
        drawn = [
            tag("path", d=data, stroke=WATER_DARK, stroke_width=style.width + 2),
            tag("path", d=data, stroke=WATER, stroke_width=max(style.width - 2, 1.5)),
        ]
        if style.barred:
            drawn.append(tag("path", d=data, stroke="#9b2d1f", stroke_width=2.4, stroke_dasharray="3 7"))
    else:
        drawn = [tag("path", d=data, **paint) for paint in DRAWINGS[style.drawing]]
    return f'<g fill="none">{"".join(drawn)}</g>'


def _compass(canvas: Canvas, x: float, y: float) -> str:
    turn = canvas.sheet.north()
    return (
        f'<g transform="translate({x:.0f} {y:.0f}) rotate({turn:g})"><path d="M0-30 9 12 0 5-9 12z" fill="{INK}"/>'
        f'<text y="30" font-size="19" text-anchor="middle" font-weight="700" fill="{INK}">N</text></g>'
    )


def provenance_note(canvas: Canvas) -> str:
    """How much of the map the rules state, how much is public, how much is ours."""
    doc = canvas.map.doc
    cells = doc.hexes.values() if isinstance(doc.hexes, dict) else ()
    hexes = Counter(c.provenance or doc.provenance for c in cells)
    sides = Counter((s.provenance if isinstance(s, SideDoc) else "") or doc.provenance for s in doc.hexsides.values())

    def told(counts: Counter[str], what: str) -> str:
        listed = [f"{counts[p]} {p}" for p in ("stated", "public", "reconstructed") if counts[p]]
        return f"{what}: {', '.join(listed)}" if listed else ""

    parts = [told(hexes, "hexes"), told(sides, "hexsides with features")]
    text = "; ".join(p for p in parts if p)
    note = (
        "Stated: the rules name it. Public: read from public sources. Reconstructed: ours, from geography "
        "(Natural Earth, GeoNames, ETOPO) and history."
    )
    return f"{text[:1].upper()}{text[1:]}. {note}" if text else note


def _wrapped(text: str, size: float, width: float) -> list[str]:
    lines, line = [], ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if text_width(longer, size, family="serif") > width and line:
            lines.append(line)
            line = word
        else:
            line = longer
    return [*lines, line] if line else lines
