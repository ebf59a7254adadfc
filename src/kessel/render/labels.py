"""Names on the map, placed so that they stand clear of hex numbers, of signs and of each other.

Each place offers some positions around its sign; the best ones are taken in order of importance and then improved in
a few rounds. River names follow the river where it runs straight enough. The names of seas and regions lie in large
pale letters under the numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from xml.sax.saxutils import escape

from kessel.core.hexes import hex_list
from kessel.render.canvas import FAMILIES, Canvas, group
from kessel.render.fonts import text_width
from kessel.render.geometry import Box, Point, along
from kessel.render.signs import Place
from kessel.render.style import INK, PAPER, WATER_INK
from kessel.render.water import Stream

SIZES = (14.0, 14.5, 17.0, 19.5, 23.0)
WEIGHTS = (500, 500, 700, 700, 700)
CELL = 64
ROUNDS = 3


@dataclass(slots=True)
class Label:
    """A name where it stands. `x` is its middle, `y` the baseline of its first line."""

    text: tuple[str, ...]
    x: float
    y: float
    size: float
    weight: int
    rank: int
    boxes: list[Box] = field(default_factory=list)


class Crowd:
    """Boxes and points in a coarse raster, to ask quickly what is in the way."""

    def __init__(self) -> None:
        self._boxes: dict[tuple[int, int], list[Box]] = {}
        self._points: dict[tuple[int, int], list[Point]] = {}

    @staticmethod
    def _cells(b: Box) -> Iterator[tuple[int, int]]:
        for i in range(int(b.x0 // CELL), int(b.x1 // CELL) + 1):
            for j in range(int(b.y0 // CELL), int(b.y1 // CELL) + 1):
                yield i, j

    def add(self, box: Box) -> None:
        for cell in self._cells(box):
            self._boxes.setdefault(cell, []).append(box)

    def remove(self, box: Box) -> None:
        for cell in self._cells(box):
            self._boxes[cell].remove(box)

    def add_points(self, points: Iterable[Point]) -> None:
        for p in points:
            self._points.setdefault((int(p[0] // CELL), int(p[1] // CELL)), []).append(p)

    def overlap(self, box: Box) -> float:
        """How much of the box is taken, in square units (what lies in several cells counts more than once)."""
        area = 0.0
        for cell in self._cells(box):
            for b in self._boxes.get(cell, ()):
                if b.overlaps(box):
                    area += (min(b.x1, box.x1) - max(b.x0, box.x0)) * (min(b.y1, box.y1) - max(b.y0, box.y0)) + 1
        return area

    def touched(self, box: Box) -> int:
        """How many points of lines run through the box."""
        return sum(box.contains(p) for cell in self._cells(box) for p in self._points.get(cell, ()))


def place_names(canvas: Canvas, places: list[Place], *, scale: float = 1.0) -> list[Label]:
    """A label for every named place."""
    crowd = Crowd()
    for box in canvas.obstacles:
        crowd.add(box)
    crowd.add_points(canvas.lines)
    order = sorted(places, key=lambda p: (-p.rank, -len(p.name), p.name, p.hex))
    chosen: list[Label] = []
    for place in order:
        label = _best(canvas, crowd, place, scale)
        chosen.append(label)
        for b in label.boxes:
            crowd.add(b)
    for _ in range(ROUNDS):
        for i, place in enumerate(order):
            for b in chosen[i].boxes:
                crowd.remove(b)
            chosen[i] = _best(canvas, crowd, place, scale)
            for b in chosen[i].boxes:
                crowd.add(b)
    for label in chosen:
        canvas.obstacles.extend(label.boxes)
    return chosen


def _best(canvas: Canvas, crowd: Crowd, place: Place, scale: float) -> Label:
    best, least = None, math.inf
    for preference, label in _candidates(canvas, place, scale):
        cost = preference
        if cost >= least:
            continue
        for b in label.boxes:
            cost += 2.0 * crowd.overlap(b.grown(1.0)) + 0.5 * crowd.touched(b)
            if not (canvas.frame.contains((b.x0, b.y0)) and canvas.frame.contains((b.x1, b.y1))):
                cost += 40
        if cost < least:
            best, least = label, cost
    assert best is not None
    return best


def _candidates(canvas: Canvas, place: Place, scale: float) -> Iterator[tuple[float, Label]]:
    cx, cy = canvas.sheet.centre(place.hex)
    for broken, lines in enumerate(_lines(place.name)):
        for smaller, shrunk in enumerate((1.0, 0.9)):
            size, weight = SIZES[place.rank] * scale * shrunk, WEIGHTS[place.rank]
            width = max(text_width(line, size, weight=weight) for line in lines)
            up, step = size * 0.72, size * 0.98
            tall = up + step * (len(lines) - 1) + size * 0.2
            extra = 1.2 * broken + 2.5 * smaller
            for far, gap in enumerate((2.0, 7.0, 13.0, 20.0)):
                reach = place.reach + gap
                for k, (x, y) in enumerate(_around(reach, width, tall)):
                    at = (cx + x, cy + y + up)
                    yield k * 0.35 + far * 1.1 + extra, _label(lines, at, size, weight, place.rank)


def _around(reach: float, width: float, tall: float) -> list[Point]:
    """Offsets of (middle, top) of a text block of that size around a sign, the best first."""
    side, half = reach + width / 2, -tall / 2
    diagonal = reach * 0.6 + width / 2
    return [
        (0, reach),
        (side, half),
        (0, -reach - tall),
        (-side, half),
        (diagonal, reach * 0.5),
        (diagonal, -reach * 0.5 - tall),
        (-diagonal, reach * 0.5),
        (-diagonal, -reach * 0.5 - tall),
        (width * 0.25, reach),
        (-width * 0.25, reach),
        (width * 0.25, -reach - tall),
        (-width * 0.25, -reach - tall),
    ]


def _lines(name: str) -> list[tuple[str, ...]]:
    """The name on one line and, if it has several words, on two."""
    found: list[tuple[str, ...]] = [(name,)]
    parts = name.replace("-", "- ").split(" ")
    if len(parts) > 1 and len(name) > 8:
        cut = min(range(1, len(parts)), key=lambda i: abs(len(" ".join(parts[:i])) - len(" ".join(parts[i:]))))
        two = (" ".join(parts[:cut]).replace("- ", "-"), " ".join(parts[cut:]).replace("- ", "-"))
        found.append(two)
    return found


def _label(lines: tuple[str, ...], at: Point, size: float, weight: int, rank: int) -> Label:
    boxes = []
    for i, line in enumerate(lines):
        half = text_width(line, size, weight=weight) / 2
        y = at[1] + i * size * 0.98
        boxes.append(Box(at[0] - half, y - size * 0.72, at[0] + half, y + size * 0.2))
    return Label(lines, at[0], at[1], size, weight, rank, boxes)


def names_layer(labels: list[Label], *, scale: float = 1.0) -> str:
    parts = []
    for rank in sorted({label.rank for label in labels}):
        body = []
        for label in sorted((n for n in labels if n.rank == rank), key=lambda n: (n.y, n.x)):
            size = f' font-size="{label.size:g}"' if label.size != SIZES[rank] * scale else ""
            for i, line in enumerate(label.text):
                y = label.y + i * label.size * 0.98
                body.append(f'<text x="{round(label.x)}" y="{round(y)}"{size}>{escape(line)}</text>')
        parts.append(group(f"rank-{rank}", body, font_size=SIZES[rank] * scale, font_weight=str(WEIGHTS[rank])))
    return group("names", parts, **HALO | {"stroke_width": 3.4 * scale}, text_anchor="middle")


HALO: dict[str, str | float] = {
    "fill": INK,
    "stroke": PAPER,
    "stroke_width": 3.4,
    "stroke_opacity": 0.82,
    "stroke_linejoin": "round",
    "paint_order": "stroke",
}

# --- rivers --------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class RiverName:
    text: str
    x: float
    y: float
    turn: float
    size: float
    boxes: list[Box]


def place_river_names(
    canvas: Canvas, rivers: list[Stream], *, every: float = 1900.0, scale: float = 1.0
) -> list[RiverName]:
    """Names along the rivers, again and again on long ones."""
    crowd = Crowd()
    for box in canvas.obstacles:
        crowd.add(box)
    crowd.add_points(canvas.lines)
    found: list[RiverName] = []
    for stream in sorted(rivers, key=lambda s: (-s.width, s.name, -len(s.knots))):
        if not stream.name:
            continue
        points = along(stream.knots)
        options = sorted(_river_options(canvas, crowd, stream, points, scale), key=lambda o: (o[0], o[1].x, o[1].y))
        taken = [n for n in found if n.text == stream.name]
        for cost, option in options:
            if cost > 60:
                break
            if all(math.dist((n.x, n.y), (option.x, option.y)) > every for n in taken):
                if any(crowd.overlap(b) for b in option.boxes):
                    continue
                taken.append(option)
                found.append(option)
                for b in option.boxes:
                    crowd.add(b)
    for n in found:
        canvas.obstacles.extend(n.boxes)
    return found


def _river_options(
    canvas: Canvas, crowd: Crowd, stream: Stream, points: list[Point], scale: float
) -> Iterator[tuple[float, RiverName]]:
    size = scale * (15.0 if stream.width < 8 else 18.0 if stream.width < 15 else 22.0)
    spacing = size * 0.14
    length = text_width(stream.name, size, family="serif", spacing=spacing)
    for i in range(len(points)):
        j = i + 1
        while j < len(points) and math.dist(points[i], points[j]) < length * 1.08:
            j += 1
        if j >= len(points):
            return
        a, b = points[i], points[j]
        chord = math.dist(a, b)
        ux, uy = (b[0] - a[0]) / chord, (b[1] - a[1]) / chord
        leans = [(p[0] - a[0]) * -uy + (p[1] - a[1]) * ux for p in points[i : j + 1]]
        turn = math.degrees(math.atan2(uy, ux))
        flip = turn > 90 or turn < -90
        turn = turn - 180 if turn > 90 else turn + 180 if turn < -90 else turn
        bend = max(leans) - min(leans)
        middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
        edge = stream.width / 2 + 2.5
        offsets = {
            "above": (max(leans) if flip else -min(leans)) + edge + size * 0.18,
            "below": -((-min(leans) if flip else max(leans)) + edge + size * 0.62),
        }
        for where, off in offsets.items():
            up = (math.sin(math.radians(turn)), -math.cos(math.radians(turn)))
            x, y = middle[0] + up[0] * off, middle[1] + up[1] * off
            boxes = _turned_boxes(x, y, turn, length, size)
            cost = bend * 0.9 + (1.5 if where == "below" else 0) + abs(turn) * 0.06
            for box in boxes:
                cost += 4.0 * crowd.overlap(box) + 1.5 * crowd.touched(box)
                if not (canvas.frame.contains((box.x0, box.y0)) and canvas.frame.contains((box.x1, box.y1))):
                    cost += 100
            yield cost, RiverName(stream.name, x, y, turn, size, boxes)


def _turned_boxes(x: float, y: float, turn: float, length: float, size: float) -> list[Box]:
    """A turned line of text as a row of small boxes; (x, y) is the middle of its baseline."""
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    count = max(2, round(length / (size * 0.7)))
    rise = size * 0.28
    half = size * 0.46
    boxes = []
    for k in range(count):
        t = (k + 0.5) / count * length - length / 2
        px, py = x + c * t + s * rise, y + s * t - c * rise
        boxes.append(Box(px - half, py - half, px + half, py + half))
    return boxes


def river_names_layer(names: list[RiverName]) -> str:
    parts = []
    for n in names:
        parts.append(
            f'<text font-size="{n.size:g}" letter-spacing="{n.size * 0.14:.1f}" '
            f'transform="translate({round(n.x)} {round(n.y)}) rotate({n.turn:.1f})">{escape(n.text)}</text>'
        )
    paint = HALO | {"fill": WATER_INK, "stroke_width": 3.0, "stroke_opacity": 0.7}
    return group(
        "river-names", parts, **paint, text_anchor="middle", font_family=FAMILIES["serif"], font_style="italic"
    )


# --- regions -------------------------------------------------------------------------------------------------------

REGION_SIZES = {
    "sea": 54.0, "lake": 26.0, "water": 26.0, "region": 34.0, "mountains": 36.0, "country": 42.0, "river": 22.0,
    "balka": 17.0, "city": 34.0,
}  # fmt: skip


def regions_layer(canvas: Canvas) -> str:
    """The large pale names of seas and regions; rivers are named along their course instead."""
    parts = []
    rivers = {s.name for s in canvas.sides}
    scale = min(1.8, max(0.8, math.sqrt(len(canvas.grid)) / 32))
    for label in canvas.map.doc.labels:
        hexes = [canvas.grid.find(n) for n in (hex_list(label.hexes) if label.hexes else [label.hex])]
        known = [h for h in hexes if h in canvas.shown_set]
        if not known or label.text in rivers:
            continue
        wet = label.kind in ("sea", "lake", "river", "water")
        size = REGION_SIZES.get(label.kind, 30.0) * scale
        x, y, size, turn = _region_place(canvas, label.text, [canvas.sheet.centre(h) for h in known], size, wet)
        parts.append(
            f'<text font-size="{size:.3g}" letter-spacing="{size * 0.2:.1f}" fill="{WATER_INK if wet else "#6d5a3c"}" '
            f'transform="translate({round(x)} {round(y + size * 0.3)}) rotate({turn:.1f})">{escape(label.text)}</text>'
        )
    return group(
        "regions", parts, text_anchor="middle", font_family=FAMILIES["serif"], font_style="italic", fill_opacity=0.5
    )


def _region_place(
    canvas: Canvas, text: str, centres: list[Point], size: float, wet: bool
) -> tuple[float, float, float, float]:
    """Middle, size and turn of a large name: along its hexes if it has several; a sea's name where most sea is."""
    x, y = sum(p[0] for p in centres) / len(centres), sum(p[1] for p in centres) / len(centres)
    if len(centres) > 1:
        (ax, ay), (bx, by) = min(centres), max(centres)
        room = math.dist((ax, ay), (bx, by))
        size *= min(1.0, max(0.5, room / text_width(text, size, family="serif", spacing=size * 0.2)))
        return x, y, size, math.degrees(math.atan2(by - ay, bx - ax))
    if wet and canvas.water:
        return *_on_water(canvas, text, (x, y), size), 0.0
    half = text_width(text, size, family="serif", spacing=size * 0.2) / 2 + 12
    if canvas.frame.width > 2 * half:
        x = min(max(x, canvas.frame.x0 + half), canvas.frame.x1 - half)
    return x, y, size, 0.0


def _on_water(canvas: Canvas, text: str, at: Point, size: float) -> tuple[float, float, float]:
    best = (math.inf, at[0], at[1], size)
    near = [canvas.sheet.centre(h) for h in sorted(canvas.water)]
    near = [p for p in near if math.dist(p, at) < 700] or [at]
    for scale in (1.0, 0.8, 0.62, 0.48):
        half = text_width(text, size * scale, family="serif", spacing=size * scale * 0.2) / 2
        for x, y in near:
            spots = [(x + half * k / 4, y + j * size * scale * 0.4) for k in range(-4, 5) for j in (-1, 1)]
            dry = sum(canvas.sheet.hex_at(p) not in canvas.water for p in spots)
            cost = 30 * dry + math.dist((x, y), at) / 40 + 60 * (1 - scale)
            best = min(best, (cost, x, y, size * scale))
    return best[1:]


def line_names_layer(names: list[RiverName]) -> str:
    """The names of the lines that divide the map."""
    parts = [
        f'<text transform="translate({round(n.x)} {round(n.y)}) rotate({n.turn:.1f})">{escape(n.text)}</text>'
        for n in names
    ]
    paint = HALO | {"fill": "#5b3a4a", "stroke_width": 3.0}
    return group("line-names", parts, **paint, text_anchor="middle", font_size=14.0, font_weight="700")
