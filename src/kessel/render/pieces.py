"""Pieces, markers and control on the map: what a view adds to it."""

from __future__ import annotations

from collections.abc import Sequence

from kessel.core.hexes import NO_HEX
from kessel.core.view import Marker, Piece, SideView
from kessel.render.canvas import Canvas, group, tag
from kessel.render.counters import SIZE, counter_svg, marker_svg, stack_svg
from kessel.render.furniture import PlacedBox
from kessel.render.geometry import Box, middle
from kessel.render.land import straight_region
from kessel.render.style import side_ink


def control_layer(canvas: Canvas, view: SideView) -> str:
    """Known owners of hexes as a border inside the hex."""
    of: dict[str, set[int]] = {}
    for name, side in view.control.items():
        h = canvas.grid.find(name)
        if h in canvas.shown_set:
            of.setdefault(side, set()).add(h)
    parts = [
        tag("path", d=straight_region(canvas, hexes), stroke=side_ink(side), fill=side_ink(side), data_side=side)
        for side, hexes in sorted(of.items())
    ]
    return group("control", parts, stroke_width=5.0, stroke_opacity=0.65, fill_opacity=0.07)


def pieces_layer(canvas: Canvas, boxes: list[PlacedBox], view: SideView) -> str:
    """Stacks in their hexes, pieces side by side in their boxes, markers below and beside them."""
    at: dict[str, list[Piece]] = {}
    for piece in view.pieces:
        at.setdefault(piece.place, []).append(piece)
    marks: dict[str, list[Marker]] = {}
    for marker in view.markers:
        marks.setdefault(marker.hexside or marker.place, []).append(marker)
    rects = {p.box.id: p.rect for p in boxes}
    parts = []
    for place in sorted(set(at) | set(marks)):
        h = canvas.grid.find(place)
        if h in canvas.shown_set:
            x, y = canvas.sheet.centre(h)
            stack = stack_svg(at.get(place, ())) + _row(marks.get(place, ()))
            parts.append(f'<g data-place="{place}" transform="translate({x:.0f} {y:.0f})">{stack}</g>')
        elif place in rects:
            parts.append(f'<g data-place="{place}">{_in_box(at.get(place, ()), rects[place])}</g>')
        elif "|" in place and h == NO_HEX:
            parts.append(_on_hexside(canvas, place, marks.get(place, ())))
    return group("pieces", parts)


def _row(markers: Sequence[Marker]) -> str:
    return "".join(
        f'<g transform="translate(0 {40 - 15 * i:g})">{marker_svg(marker)}</g>' for i, marker in enumerate(markers)
    )


def _in_box(pieces: Sequence[Piece], r: Box) -> str:
    """Pieces in rows, made smaller until they fit."""
    room = Box(r.x0 + 8, r.y0 + 36, r.x1 - 8, r.y1 - 6)
    scale = 1.0
    while scale > 0.3:
        step = (SIZE + 6) * scale
        a_row = max(1, int(room.width // step))
        if -(-len(pieces) // a_row) * step <= room.height:
            break
        scale *= 0.9
    parts = []
    for i, piece in enumerate(pieces):
        x, y = room.x0 + (i % a_row) * step, room.y0 + (i // a_row) * step
        parts.append(f'<g transform="translate({x:.0f} {y:.0f}) scale({scale:.3g})">{counter_svg(piece)}</g>')
    return "".join(parts)


def _on_hexside(canvas: Canvas, hexside: str, markers: Sequence[Marker]) -> str:
    a, _, b = hexside.partition("|")
    ha, hb = canvas.grid.find(a), canvas.grid.find(b)
    if ha not in canvas.shown_set or hb not in canvas.shown_set:
        return ""
    x, y = middle(canvas.sheet.centre(ha), canvas.sheet.centre(hb))
    drawn = "".join(marker_svg(m) for m in markers)
    return f'<g data-hexside="{hexside}" transform="translate({x:.0f} {y:.0f})">{drawn}</g>'
