"""Land and sea, terrain, the hex grid, hex numbers and the invisible hexes a client points at."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from xml.sax.saxutils import quoteattr

from kessel.core.hexes import Hex
from kessel.render.canvas import NUMBER_SIZE, Canvas, group, tag
from kessel.render.geometry import Knot, Node, Pen, curve, jittered, middle, noise, outlines
from kessel.render.style import FEATURE_SIGNS, GROUND, TERRAINS, WATER, WATER_DARK, spoken, terrain_style
from kessel.render.texture import TEXTURES, texture_paths

VERTEX_JITTER = 6.0
SIDE_JITTER = 8.0
ROUNDING = 0.45
"""How far a region's corners are drawn in."""


def border_knots(canvas: Canvas, loop: list[tuple[Node, Node, bool]]) -> list[Knot]:
    """A region's border as a natural line: irregular, but exact along the end of the board."""
    at = canvas.sheet.at
    knots = []
    before = loop[-1]
    for edge in loop:
        a, b, end_of_board = edge
        if before[2] or end_of_board:
            knots.append(Knot(at(a), True))
        else:
            x, y = jittered(at(a), a, VERTEX_JITTER)
            mx, my = middle(side_point(canvas, before[0], a), side_point(canvas, a, b))
            knots.append(Knot((x + (mx - x) * ROUNDING, y + (my - y) * ROUNDING)))
        if not end_of_board:
            knots.append(Knot(side_point(canvas, a, b)))
        before = edge
    return knots


def side_point(canvas: Canvas, a: Node, b: Node) -> tuple[float, float]:
    """The middle of a hexside, moved a little; the same for whatever runs there."""
    (ax, ay), (bx, by) = canvas.sheet.at(a), canvas.sheet.at(b)
    x, y = middle((ax, ay), (bx, by))
    lean = SIDE_JITTER * noise((a[0] + b[0], a[1] + b[1]), 7) / 56
    if a > b:
        lean = -lean
    return x - (by - ay) * lean, y + (bx - ax) * lean


def region(canvas: Canvas, hexes: Collection[Hex]) -> str:
    """Path data of a region's natural border."""
    return "".join(
        curve(border_knots(canvas, loop), closed=True) for loop in outlines(canvas.sheet, hexes, canvas.shown_set)
    )


def straight_region(canvas: Canvas, hexes: Collection[Hex]) -> str:
    """Path data of a region's exact border along the hexsides."""
    data = ""
    for loop in outlines(canvas.sheet, hexes, canvas.shown_set):
        pen = Pen().move(canvas.sheet.at(loop[0][0]))
        for _, b, _ in loop[:-1]:
            pen.line(canvas.sheet.at(b))
        data += pen.data + "z"
    return data


def land_layer(canvas: Canvas) -> str:
    """Sea and lakes, the shore's lighter bands, and the land over them."""
    dry = canvas.shown_set - canvas.water
    parts = []
    if canvas.water:
        coast = region(canvas, dry)
        parts.append(tag("path", fill=WATER, d=straight_region(canvas, canvas.shown)))
        shore = shoreline(canvas)
        for width, colour in ((44.0, "#bcd6de"), (28.0, "#c6dde3"), (14.0, "#d3e5e9")):
            parts.append(tag("path", fill="none", stroke=colour, stroke_width=width, stroke_linejoin="round", d=shore))
        parts.append(tag("path", fill=GROUND, d=coast))
    else:
        parts.append(tag("path", fill=GROUND, d=straight_region(canvas, canvas.shown)))
    return group("land", parts)


def coast_layer(canvas: Canvas) -> str:
    """The shoreline, drawn over the terrain that reaches it."""
    data = shoreline(canvas)
    return group("coast", [tag("path", d=data)] if data else [], fill="none", stroke=WATER_DARK, stroke_width=1.8)


def shoreline(canvas: Canvas) -> str:
    """Path data of all shores."""
    data = ""
    for loop in outlines(canvas.sheet, canvas.shown_set - canvas.water, canvas.shown_set) if canvas.water else []:
        for stretch in _shores(loop):
            data += curve(stretch_knots(canvas, stretch), closed=len(stretch) == len(loop))
    return data


def _shores(loop: list[tuple[Node, Node, bool]]) -> list[list[tuple[Node, Node, bool]]]:
    """The parts of a border that are shore, not the end of the board."""
    if not any(edge for _, _, edge in loop):
        return [loop]
    start = next(i for i, (_, _, edge) in enumerate(loop) if edge)
    stretches: list[list[tuple[Node, Node, bool]]] = [[]]
    for side in [*loop[start:], *loop[:start]]:
        if side[2]:
            stretches.append([])
        else:
            stretches[-1].append(side)
    return [s for s in stretches if s]


def stretch_knots(canvas: Canvas, stretch: list[tuple[Node, Node, bool]]) -> list[Knot]:
    """The knots of a border, or of an open stretch of one that ends at the end of the board."""
    if stretch[0][0] == stretch[-1][1]:
        return border_knots(canvas, stretch)
    beyond = (stretch[-1][1], stretch[0][0], True)
    return border_knots(canvas, [*stretch, beyond])


def terrain_layer(canvas: Canvas) -> str:
    """Every terrain that is not the plain ground: its colour, then its texture."""
    of: dict[str, list[Hex]] = {}
    for h in canvas.shown:
        of.setdefault(canvas.map.terrain[h], []).append(h)
    known = [t for t in TERRAINS if t in of] + sorted(t for t in of if t not in TERRAINS)
    parts = []
    for terrain in known:
        style = terrain_style(terrain)
        if style.water or not style.fill:
            continue
        pieces = "".join(tag("path", d=region(canvas, part)) for part in canvas.sheet.pieces(of[terrain]))
        body = [f'<g fill="{style.fill}">{pieces}</g>']
        if style.texture in TEXTURES:
            body += texture_paths(canvas.sheet, style.texture, of[terrain], canvas.number_at)
        parts.append(group(f"terrain-{terrain}", body))
    return group("terrain", parts)


def grid_layer(canvas: Canvas) -> str:
    """All hexsides, each once, in long zigzags."""
    done = set()
    paths = []
    for block in canvas.sheet.blocks(canvas.shown):
        chains: list[list[Node]] = []
        for h in block:
            for d in range(6):
                a, b = canvas.sheet.side(h, d)
                edge = (min(a, b), max(a, b))
                if edge not in done:
                    done.add(edge)
                    if chains and chains[-1][-1] == a:
                        chains[-1].append(b)
                    else:
                        chains.append([a, b])
        paths.append(tag("path", d="".join(_zigzag(canvas, chain) for chain in chains)))
    return group("grid", paths, fill="none", stroke="#6f6450", stroke_width=1.0, stroke_opacity=0.42)


def _zigzag(canvas: Canvas, chain: Iterable[Node]) -> str:
    points = [canvas.sheet.at(n) for n in chain]
    pen = Pen().move(points[0])
    for p in points[1:]:
        pen.line(p)
    return pen.data


def numbers_layer(canvas: Canvas) -> str:
    dry: list[str] = []
    wet: list[str] = []
    for h in canvas.shown:
        x, y = canvas.sheet.centre(h)
        text = f'<text x="{round(x + canvas.number_at[0])}" y="{round(y + canvas.number_at[1] + 4)}">'
        (wet if h in canvas.water else dry).append(f"{text}{canvas.grid.name(h)}</text>")
        canvas.obstacles.append(canvas.number_box(h))
    return group(
        "numbers",
        [
            group("on-land", dry, fill="#6b6354", stroke=GROUND, stroke_opacity=0.6),
            group("on-water", wet, fill="#4d7f94", stroke="none"),
        ],
        font_size=NUMBER_SIZE,
        text_anchor="middle",
        paint_order="stroke",
        stroke_width=2.6,
        stroke_linejoin="round",
    )


def hexes_layer(canvas: Canvas) -> str:
    """One invisible shape per hex, for a client to point at and to colour."""
    parts = []
    for h in canvas.shown:
        cx, cy = canvas.sheet.centre(h)
        pen = Pen().move((cx + canvas.sheet.outline[0][0], cy + canvas.sheet.outline[0][1]))
        for x, y in canvas.sheet.outline[1:]:
            pen.line((cx + x, cy + y))
        about = quoteattr(describe(canvas, h))
        parts.append(f'<path data-hex="{canvas.grid.name(h)}" data-about={about} d="{pen.data}z"/>')
    return group("hexes", parts, fill="none", pointer_events="all")


def describe(canvas: Canvas, h: Hex) -> str:
    """What is printed in a hex, in words: terrain, signs, name."""
    signs = [spoken(f).lower() for f in canvas.map.features(h) if f in FEATURE_SIGNS and f != "vp"]
    points = canvas.map.vp.get(h, 0)
    told = [terrain_style(canvas.map.terrain[h]).name.lower(), *signs, f"{points} VP" if points else ""]
    return ", ".join(t for t in [canvas.map.name.get(h, ""), *told] if t)


def terrain_words(canvas: Canvas) -> list[str]:
    """The terrains in sight, in the style's order, for the legend."""
    seen = {canvas.map.terrain[h] for h in canvas.shown}
    return [t for t in TERRAINS if t in seen] + sorted((t for t in seen if t not in TERRAINS), key=spoken)
