"""Signs in a hex: towns, ports, forts, airfields, victory points and the like, and where each stands."""

from __future__ import annotations

import math
from typing import NamedTuple

from kessel.core.hexes import NO_HEX, Hex
from kessel.render.canvas import Canvas, group, tag, words
from kessel.render.geometry import Box, Point
from kessel.render.style import FEATURE_SIGNS, INK, PAPER, WATER_INK, side_ink, terrain_style

VP_RED = "#a3262a"
SLOTS: tuple[Point, ...] = ((29, 22), (-29, 22), (29, -19), (-29, -19), (0, 36))
"""Places for the smaller signs, from the hex's centre."""
CENTRAL = ("village", "town", "city", "landmark", "station", "pass", "peak")

SHAPES: dict[str, tuple[str, str, str, float]] = {
    "port": ("m0-8.5v15m-4-11h8m-11 6q1 6 7 6.5 6-.5 7-6.5", "none", WATER_INK, 2.2),
    "fort": ("m-8 6v-11h4v3h2.5v-3h3v3h2.5v-3h4v11z", "#c9b79c", INK, 1.5),
    "pillbox": ("m-9.5 6 3.5-11h12l3.5 11zm4-6h11v2.6h-11z", "#6b6154", INK, 1.3),
    "trench": ("m-10 4v-6h5v6h5v-6h5v6h5", "none", INK, 2.0),
    "airfield": ("m0-9v15m-9-6 9-4 9 4m-12 8 3-3 3 3", "none", INK, 2.0),
    "oil": ("m-6 8 6-17 6 17m-10-5h8m-6-5h4", "none", INK, 1.8),
    "factory": ("m-9 7v-9l5 3v-3l5 3v-8h6v14z", "#8d6755", INK, 1.2),
    "ferry": ("m-9 1h18l-4 6h-10zm9-10v9m0-8 6 6h-6", PAPER, WATER_INK, 1.6),
    "pontoon": ("m-9-3h18m-18 6h18m-14-9v12m5-12v12m5-12v12", "none", WATER_INK, 1.6),
    "hilltop": ("m-10 6q4-12 10-12 6 0 10 12zm4 0q2-6 6-6 4 0 6 6", "#dcbf86", "#7d5f35", 1.5),
    "terminal": ("m-8-5h16v10h-16zm4 0v10m4-10v10m4-10v10", PAPER, INK, 1.4),
    "rally": ("m-4 9v-18l12 5-12 5", "#efd9a6", INK, 1.6),
    "supply": ("m-7-7h14v14h-14zm0 0 14 14m0-14-14 14", PAPER, INK, 1.5),
    "entry": ("m-8-6 8 6-8 6m6-12 8 6-8 6", "none", INK, 2.2),
}
"""Path, fill, stroke and stroke width of the smaller signs."""


class Place(NamedTuple):
    """A named hex: how important its name is and how far its sign reaches from the centre."""

    hex: Hex
    name: str
    rank: int
    """0 a spot, 1 village, 2 town, 3 minor city, 4 major city."""
    reach: float


def place_rank(canvas: Canvas, h: Hex) -> int:
    texture = terrain_style(canvas.map.terrain[h]).texture
    signs = {FEATURE_SIGNS.get(f, "") for f in canvas.map.features(h)}
    if texture == "major_city":
        return 4
    if texture == "city" or "city" in signs:
        return 3
    if texture == "town" or "town" in signs:
        return 2
    return 1 if texture == "village" or signs & {"village", "station"} else 0


def signs_layer(canvas: Canvas) -> tuple[str, list[Place]]:
    """All signs, and the named places for the labels."""
    parts, places = [], []
    for h in canvas.shown:
        drawn, reach = _central(canvas, h)
        parts += drawn
        parts += _beside(canvas, h)
        name = canvas.map.name.get(h)
        if name:
            places.append(Place(h, name, place_rank(canvas, h), reach))
    return group("signs", parts, stroke_linejoin="round", font_weight="700", text_anchor="middle"), places


def _central(canvas: Canvas, h: Hex) -> tuple[list[str], float]:
    x, y = canvas.sheet.centre(h)
    rank = place_rank(canvas, h) if h in canvas.map.name else 0
    features = {FEATURE_SIGNS.get(f, "") for f in canvas.map.features(h)}
    drawn, reach = [], 3.0
    if rank >= 3:
        size = 9.0 if rank == 4 else 7.5
        drawn = [
            tag("rect", x=f"{x - size:.1f}", y=f"{y - size:.1f}", width=2 * size, height=2 * size, fill=PAPER,
                stroke=INK, stroke_width=2.0),
            tag("rect", x=f"{x - size / 2:.1f}", y=f"{y - size / 2:.1f}", width=size, height=size, fill=INK),
        ]  # fmt: skip
        reach = size + 2
    elif rank == 2:
        drawn = [
            _ring(x, y, 6.5, PAPER, 2.0),
            tag("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=2.6, fill=INK),
        ]
        reach = 8.5
    elif rank == 1:
        drawn, reach = [_ring(x, y, 4.4, PAPER, 1.8)], 6.0
    elif "pass" in features:
        drawn = [_path(x, y, "m-9-6q9 7 18 0m-18 12q9-7 18 0", fill="none", stroke=INK, stroke_width=2.0)]
        reach = 9.0
    elif features & {"landmark", "peak"} or h in canvas.map.name:
        drawn, reach = [_path(x, y, "m0-6 5.5 9.5h-11z", fill=INK)], 7.0
    if drawn:
        canvas.obstacles.append(Box(x - reach, y - reach, x + reach, y + reach))
    return drawn, reach


def _beside(canvas: Canvas, h: Hex) -> list[str]:
    """Signs that stand beside the middle, each in its own slot."""
    cx, cy = canvas.sheet.centre(h)
    wanted: list[str] = []
    points = canvas.map.vp.get(h, 0)
    features = canvas.map.features(h)
    if points or "vp" in features:
        wanted.append("vp")
    for f in features:
        sign = FEATURE_SIGNS.get(f, "")
        if sign and sign not in CENTRAL and sign not in wanted:
            wanted.append(sign)
        elif f.startswith(("target_", "logistics_")) or f.endswith("_source"):
            wanted.append(f)
        elif f.endswith("exit"):
            wanted.append("exit")
    drawn = []
    near = [b for b in canvas.obstacles if b.overlaps(canvas.sheet.hex_box(h))] if wanted else []
    for sign in wanted:
        if sign == "exit":
            drawn.append(_exit(canvas, h))
            continue
        spots = [Box(cx + x - 9, cy + y - 9, cx + x + 9, cy + y + 9) for x, y in SLOTS]
        spot = next((s for s in spots if not any(s.overlaps(b) for b in near)), spots[0])
        near.append(spot)
        canvas.obstacles.append(spot)
        drawn.append(_sign(sign, (spot.x0 + spot.x1) / 2, (spot.y0 + spot.y1) / 2, points))
    return drawn


def _sign(sign: str, x: float, y: float, points: int) -> str:
    if sign == "vp":
        return _path(x, y, _star(10.5), fill=VP_RED, stroke=PAPER, stroke_width=1.2) + (
            words(str(points), x, y + 3.8, 10.5, fill="#fff") if points else ""
        )
    if sign.startswith("target_"):
        initial = sign.removeprefix("target_")[:1].upper()
        return _ring(x, y, 8.0, "#f7e9da", 2.0, "#a8430f") + words(initial, x, y + 3.7, 10.5, fill="#a8430f")
    if sign.startswith("logistics_"):
        initial = sign.removeprefix("logistics_")[:1].upper()
        return _path(x, y, "m-6-5h12v10h-12z", fill="#f7e9da", stroke="#a8430f", stroke_width=1.2) + words(
            initial, x, y + 3.1, 8.5, fill="#a8430f"
        )
    if sign.endswith("_source"):
        ink = side_ink(sign.removesuffix("_source"))
        return _path(x, y, "m-8-6h16v12h-16zm0 4h16", fill=PAPER, stroke=ink, stroke_width=1.8)
    shape, fill, stroke, width = SHAPES[sign]
    return _path(x, y, shape, fill=fill, stroke=stroke, stroke_width=width)


def _exit(canvas: Canvas, h: Hex) -> str:
    """A small arrow off the map, over a hexside where the board ends."""
    cx, cy = canvas.sheet.centre(h)
    open_sides = [d for d, n in enumerate(canvas.grid.neighbours[h]) if n == NO_HEX]
    if not open_sides:
        return ""
    x, y = canvas.sheet.side_middle(h, open_sides[len(open_sides) // 2])
    turn = math.degrees(math.atan2(y - cy, x - cx))
    at = f"translate({cx + (x - cx) * 0.8:.0f} {cy + (y - cy) * 0.8:.0f}) rotate({turn:.0f})"
    return tag("path", d="M-6-7 4 0-6 7z", fill="#86693f", stroke=PAPER, stroke_width=1.0, transform=at)


def _star(radius: float) -> str:
    corners = []
    for i in range(12):
        r = radius if i % 2 == 0 else radius * 0.74
        corners.append((r * math.sin(math.pi * i / 6), -r * math.cos(math.pi * i / 6)))
    (x0, y0), *rest = corners
    text, at = f"m{x0:.1f} {y0:.1f}", (x0, y0)
    for x, y in rest:
        text += f"l{x - at[0]:.1f} {y - at[1]:.1f}"
        at = (x, y)
    return text + "z"


def _ring(x: float, y: float, r: float, fill: str, width: float, stroke: str = INK) -> str:
    return tag("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=r, fill=fill, stroke=stroke, stroke_width=width)


def _path(x: float, y: float, shape: str, **paint: str | float) -> str:
    return tag("path", d=f"M{x:.1f} {y:.1f}{shape}", **paint)
