"""The whole map as one SVG document.

    svg = map_svg(Pack("kharkov43").map, title="Kharkov '43")
    write_picture(svg, Path("kharkov43.png"))

`kessel map GAME -o FILE.svg|.png [--area ...] [--position FILE]` calls

    map_svg(map, area=AREA, view=title.view(board, None), title=title.name, embed_fonts=True)

with the map of the pack (or of the position's board) and, for a position, the view of its board. AREA is text:
hex numbers, corners `0807-1314` of a rectangle, names of the map's areas, separated by blanks.

The document is made of layers (`<g class="land">`, ...; `LAYERS` lists them from the bottom up), so that a client can
show or hide them by zoom. Every hex is one path in the layer `hexes` with its number in `data-hex`; off-map boxes carry
`data-place`. The same input gives the same bytes. `layout` tells a client where hexes and boxes lie.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from kessel.core.terrain import Map
from kessel.core.view import SideView
from kessel.render.canvas import Canvas, group, tag, words
from kessel.render.fonts import font_faces
from kessel.render.furniture import (
    MARGIN,
    PlacedBox,
    areas_layer,
    arrows_layer,
    boxes_layer,
    legend,
    lines_layer,
    place_boxes,
    samples,
)
from kessel.render.geometry import RADIUS, Box, Knot, curve
from kessel.render.labels import (
    line_names_layer,
    names_layer,
    place_names,
    place_river_names,
    regions_layer,
    river_names_layer,
)
from kessel.render.land import (
    coast_layer,
    grid_layer,
    hexes_layer,
    land_layer,
    numbers_layer,
    straight_region,
    terrain_layer,
)
from kessel.render.links import links_layers
from kessel.render.pieces import control_layer, pieces_layer
from kessel.render.signs import signs_layer
from kessel.render.style import HIGHLIGHTS, INK, PAPER, SANS
from kessel.render.water import hexsides_layer, rivers_layer

LAYERS = (
    "land", "terrain", "coast", "regions", "grid", "areas", "control", "rivers", "hexsides", "roads", "bridges",
    "lines", "arrows", "signs", "numbers", "river-names", "line-names", "names", "boxes", "legend", "highlights",
    "pieces", "hexes",
)  # fmt: skip


class Highlight(NamedTuple):
    """Hexes to be shown: their kind says how, texts are written in them, a path is drawn through them."""

    kind: str
    hexes: Sequence[str] = ()
    texts: Mapping[str, str] = {}
    path: Sequence[str] = ()


class Layout(msgspec.Struct):
    """Where things lie in the coordinates of the map's SVG."""

    width: float
    height: float
    left: float
    top: float
    radius: float
    """From a hex's centre to its corners."""
    corners: list[tuple[float, float]]
    """The six corners from a hex's centre; corner i lies between directions i and i + 1."""
    hexes: dict[str, tuple[float, float]]
    boxes: dict[str, tuple[float, float, float, float]]
    """Left, top, width, height of each off-map box."""


def map_svg(
    map: Map,
    *,
    area: str | Iterable[str] | None = None,
    part: str = "",
    view: SideView | None = None,
    highlights: Sequence[Highlight] = (),
    areas: Iterable[str] = (),
    layers: Collection[str] = LAYERS,
    title: str = "",
    scale: str = "",
    name_scale: float = 1.0,
    least_rank: int = 0,
    embed_fonts: bool = False,
) -> str:
    """The map with the pieces of a view and highlights if there are any. `part` names the areas a scenario is played
    on: nothing else is drawn. `area` crops the drawing to some hexes and their surroundings. `name_scale` enlarges
    names and `least_rank` leaves out those of lesser places (2 towns, 3 minor cities, 4 major ones), for pictures that
    will be looked at from afar."""
    canvas = Canvas(map, area, part)
    boxes = place_boxes(canvas)
    drawn, frame = _layers(canvas, boxes, set(layers), areas, title, scale, name_scale, least_rank)
    drawn["highlights"] = highlights_layer(canvas, highlights)
    if view is not None:
        drawn["control"] = control_layer(canvas, view)
        drawn["pieces"] = pieces_layer(canvas, boxes, view)
    body = [drawn.get(name, "") for name in LAYERS if name in layers]
    return _document(body, frame, embed_fonts)


def _layers(
    canvas: Canvas,
    boxes: list[PlacedBox],
    wanted: set[str],
    areas: Iterable[str],
    title: str,
    scale: str,
    name_scale: float,
    least_rank: int,
) -> tuple[dict[str, str], Box]:
    """Every layer of the map itself. The order matters: what is drawn earlier is what later labels avoid."""
    drawn = {
        "land": land_layer(canvas),
        "terrain": terrain_layer(canvas),
        "coast": coast_layer(canvas),
        "regions": regions_layer(canvas),
        "grid": grid_layer(canvas),
        "areas": areas_layer(canvas, areas),
        "hexsides": hexsides_layer(canvas),
    }
    drawn["rivers"], streams = rivers_layer(canvas)
    drawn["roads"], drawn["bridges"] = links_layers(canvas)
    drawn["lines"], courses = lines_layer(canvas)
    drawn["arrows"] = arrows_layer(canvas)
    drawn["signs"], places = signs_layer(canvas)
    if "numbers" in wanted:
        drawn["numbers"] = numbers_layer(canvas)
    ranked = [p for p in places if p.rank >= least_rank]
    drawn["names"] = names_layer(place_names(canvas, ranked, scale=name_scale), scale=name_scale)
    drawn["river-names"] = river_names_layer(place_river_names(canvas, streams, scale=name_scale))
    drawn["line-names"] = line_names_layer(place_river_names(canvas, courses, every=3000.0))
    drawn["boxes"] = boxes_layer(canvas, boxes)
    if "hexes" in wanted:
        drawn["hexes"] = hexes_layer(canvas)
    frame = sheet_frame(canvas, boxes)
    if "legend" in wanted and not canvas.cropped:
        width = max(frame.width - 2 * MARGIN, 900)
        drawn["legend"], bottom = legend(
            canvas, title=title, scale=scale, top=frame.y1, left=frame.x0 + MARGIN, width=width
        )
        frame = Box(frame.x0, frame.y0, frame.x0 + width + 2 * MARGIN, bottom + 10)
    return drawn, frame


def sheet_frame(canvas: Canvas, boxes: list[PlacedBox]) -> Box:
    """The part of the drawing that is seen: map and boxes with a margin, or the cropped part alone."""
    if canvas.cropped:
        return canvas.frame
    frame = canvas.frame
    for placed in boxes:
        frame = frame.joined(placed.rect)
    return frame.grown(MARGIN)


def highlights_layer(canvas: Canvas, highlights: Sequence[Highlight]) -> str:
    parts = []
    for light in highlights:
        style = HIGHLIGHTS.get(light.kind, HIGHLIGHTS["choice"])
        hexes = {h for n in light.hexes if (h := canvas.grid.hex(n)) in canvas.shown_set}
        body = []
        dash: dict[str, str | float] = {"stroke_dasharray": style.dash} if style.dash else {}
        if hexes:
            body.append(
                tag("path", d=straight_region(canvas, hexes), fill=style.fill, fill_opacity=style.opacity,
                    stroke=style.stroke, stroke_width=style.width, stroke_linejoin="round", **dash)
            )  # fmt: skip
        if len(light.path) > 1:
            knots = [Knot(canvas.sheet.centre(canvas.grid.hex(n))) for n in light.path]
            paint: dict[str, str | float] = {"fill": "none", "stroke_linecap": "round", "stroke_opacity": 0.85}
            body.append(tag("path", d=curve(knots), stroke=PAPER, stroke_width=style.width + 4, **paint))
            body.append(tag("path", d=curve(knots), stroke=style.stroke, stroke_width=style.width, **paint))
        for name, text in light.texts.items():
            x, y = canvas.sheet.centre(canvas.grid.hex(name))
            body.append(words(text, x, y + 8, 22.0, fill=style.stroke))
        parts.append(group(f"highlight-{light.kind}", body))
    return group(
        "highlights", parts, text_anchor="middle", font_weight="700", stroke_linejoin="round", paint_order="stroke"
    )


def map_signs(map: Map) -> list[tuple[str, str]]:
    """What is drawn on a map, for a legend: each sign in a field 100 wide and 62 high, and what it is called."""
    return [(sample.drawing, sample.name) for sample in samples(Canvas(map))]


def layout(map: Map, *, part: str = "") -> Layout:
    """Where hexes and boxes lie in the drawing that `map_svg` makes of the same part without a legend."""
    canvas = Canvas(map, part=part)
    boxes = place_boxes(canvas)
    frame = sheet_frame(canvas, boxes)
    sheet = canvas.sheet
    return Layout(
        width=round(frame.width),
        height=round(frame.height),
        left=round(frame.x0),
        top=round(frame.y0),
        radius=RADIUS,
        corners=[(round(x, 1), round(y, 1)) for x, y in sheet.outline],
        hexes={map.grid.name(h): (round(sheet.centre(h)[0], 1), round(sheet.centre(h)[1], 1)) for h in canvas.shown},
        boxes={
            p.box.id: (round(p.rect.x0), round(p.rect.y0), round(p.rect.width), round(p.rect.height)) for p in boxes
        },
    )


def _document(body: list[str], frame: Box, embed_fonts: bool) -> str:
    x, y, w, h = round(frame.x0), round(frame.y0), round(frame.width), round(frame.height)
    faces = f"<style>{font_faces()}</style>\n" if embed_fonts else ""
    parts = "\n".join(b for b in body if b)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{x} {y} {w} {h}" width="{w}" height="{h}" '
        f'font-family="{SANS}" font-weight="500" fill="{INK}">\n{faces}'
        f'<rect class="paper" x="{x}" y="{y}" width="{w}" height="{h}" fill="{PAPER}"/>\n{parts}\n</svg>\n'
    )
