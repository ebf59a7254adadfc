"""Terrain textures: small strokes scattered over a hex, never twice the same way and always the same way again.

A texture says which marks to make and how densely; all marks of one kind on the whole map become one path.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from kessel.core.hexes import Hex
from kessel.render.geometry import RADIUS, Point, Sheet, noise
from kessel.render.style import RELIEF_INK

TREE, TREE_LIGHT = "#93a56d", "#b4c290"
FIR, FIR_LIGHT = "#6d8752", "#8ea56f"
MARSH_INK = "#7fa3a0"


VARIANTS = 11
"""Different arrangements of the marks in a hex."""


class Mark(NamedTuple):
    """One kind of mark: path data from where it starts, and how the path of all of them is painted."""

    shape: str
    paint: str
    spacing: float
    """Distance of neighbours, in units of the drawing."""
    shift: Point = (0.0, 0.0)
    every: float = 1.0
    """Share of the places that get one."""
    margin: float = 8.0
    """Kept free along the hex's border."""


def _round(colour: str, width: float) -> str:
    return f'stroke="{colour}" stroke-width="{width:g}" stroke-linecap="round"'


def _pen(colour: str, width: float) -> str:
    return f'fill="none" stroke="{colour}" stroke-width="{width:g}" stroke-linecap="round" stroke-linejoin="round"'


def _trees(
    spacing: float, size: float, every: float = 1.0, inks: tuple[str, str] = (TREE, TREE_LIGHT)
) -> tuple[Mark, ...]:
    return (
        Mark("h0", _round(inks[0], size), spacing, every=every, margin=5.0),
        Mark("h0", _round(inks[1], size * 0.62), spacing, (-size * 0.12, -size * 0.16), every, margin=5.0),
    )


_ROUGH = Mark("q4-8 9-1m-4-1q3-4 7 3", _pen(RELIEF_INK, 1.3), 24, (-4, 2))
_PEAK_LIGHT = Mark("l9-17 10 17z", 'fill="#efe3c8"', 27, (-9, 8), 0.85)
_PEAK_SHADE = Mark("l3 7-1 4 3 6h5z", 'fill="#b39a72"', 27, (0, -9), 0.85)
_PEAK_LINE = Mark("l9-17 10 17", _pen("#8d7450", 1.3), 27, (-9, 8), 0.85)
_TUFT = Mark("h13m-9-1l-2-6m5 6v-8m4 8l2-6", _pen(MARSH_INK, 1.3), 25, (-6, 3), margin=10)
_WATERLINE = Mark("h11", _pen("#9dbfc4", 1.3), 25, (-3, 8), 0.8, margin=10)

TEXTURES: dict[str, tuple[Mark, ...]] = {
    "woods": _trees(15, 13),
    "forest": _trees(13, 12, inks=(FIR, FIR_LIGHT)),
    "light_woods": _trees(19, 10, 0.7),
    "dense_woods": _trees(12.5, 14),
    "rough": (_ROUGH,),
    "broken": (Mark("q4-7 9-1", _pen(RELIEF_INK, 1.3), 26, (-4, 2)), Mark("l4 5m3-4l3 5", _pen(RELIEF_INK, 1.1), 39)),
    "hill": (
        Mark("q7-13 17-1", _pen("#a98c5e", 1.5), 31, (-8, 4)),
        Mark("l-1 4m-5-3l-1 4m-5-1l-1 3", _pen("#bda67c", 1.1), 31, (8, 5)),
    ),
    "wooded_rough": (*(m._replace(spacing=20.0) for m in _trees(20, 12, 0.75)), _ROUGH._replace(spacing=30.0)),
    "marsh": (_TUFT, _WATERLINE),
    "seasonal_marsh": (_TUFT._replace(spacing=34.0, every=0.8), Mark("h10", _pen("#a9c3bd", 1.2), 30, (-5, 0), 0.6)),
    "mountain": (_PEAK_LIGHT, _PEAK_SHADE, _PEAK_LINE),
    "alpine": (
        Mark("l12-22 12 22z", 'fill="#fbfaf5"', 33, (-12, 10)),
        Mark("l4 9-2 5 4 8h6z", 'fill="#a59b8d"', 33, (0, -12)),
        Mark("l12-22 12 22", _pen("#7b7064", 1.4), 33, (-12, 10)),
    ),
    "desert": (
        Mark("h0", _round("#cdb273", 2.3), 15, every=0.7, margin=3),
        Mark("q6-4 12 0 6 3 11 0", _pen("#d3b877", 1.1), 44, (-11, 0), 0.7),
    ),
    "unplayable": (Mark("l9-9", _pen("#c3b9a4", 1.2), 17, (-4, 4), margin=2),),
    "village": (Mark("h5v4h-5z", 'fill="#c4ae94"', 15, (-2, -2), 0.3, margin=16),),
    "town": (Mark("h6v5h-6z", 'fill="#b59a86"', 17, (-3, -2), 0.35, margin=14),),
    "city": (Mark("h8v6h-8z", 'fill="#a5826f"', 14, (-4, -3), 0.75, margin=12),),
    "major_city": (Mark("h9v7h-9z", 'fill="#8d6755"', 13.5, (-4, -3), 0.9, margin=6),),
}


def scatter(sheet: Sheet, variant: int, mark: Mark, free: Point) -> Iterator[Point]:
    """Irregular places over a hex, from its centre, about as far apart as the mark wants, off the hex number."""
    rows = int(RADIUS // (mark.spacing * 0.87)) + 1
    for j in range(-rows, rows + 1):
        for i in range(-rows - 1, rows + 2):
            key = (variant * 31 + i, variant * 37 + j)
            if noise(key, 3) > 2 * mark.every - 1:
                continue
            x = (i + (j % 2) / 2) * mark.spacing + noise(key, 4) * mark.spacing * 0.3
            y = j * mark.spacing * 0.87 + noise(key, 5) * mark.spacing * 0.3
            if _in_hex(sheet, x, y, RADIUS - mark.margin) and (abs(x - free[0]) > 17 or abs(y - free[1]) > 9):
                yield x, y


def _in_hex(sheet: Sheet, x: float, y: float, reach: float) -> bool:
    if not sheet.flat_top:
        x, y = y, x
    x, y = abs(x), abs(y)
    flat = reach * 0.866
    return y <= flat and x <= reach - y / 1.732


def texture_paths(sheet: Sheet, texture: str, hexes: list[Hex], number_at: Point) -> list[str]:
    """The painted paths of one texture over those hexes. A few variants take turns, so that the drawing stays small
    when it is compressed; which hex gets which looks random."""
    found = []
    for mark in TEXTURES[texture]:
        variants = [_variant(sheet, v, mark, number_at) for v in range(VARIANTS)]
        paths = []
        for block in sheet.blocks(hexes):
            data = ""
            for h in block:
                x, y = sheet.centre(h)
                chosen = variants[int((noise(sheet.node(h), 9) + 1) / 2 * VARIANTS) % VARIANTS]
                data += f"M{round(x)} {round(y)}{chosen}" if chosen else ""
            if data:
                paths.append(f'<path d="{data}"/>')
        if paths:
            found.append(f'<g class="texture" {mark.paint}>{"".join(paths)}</g>')
    return found


def _variant(sheet: Sheet, variant: int, mark: Mark, free: Point) -> str:
    """All marks of one hex as relative path data."""
    end = path_end(mark.shape)
    data, at = "", (0, 0)
    for x, y in scatter(sheet, variant, mark, free):
        to = round(x + mark.shift[0]), round(y + mark.shift[1])
        dx, dy = to[0] - at[0], to[1] - at[1]
        data += f"m{dx:g} {dy:g}{mark.shape}".replace(" -", "-")
        at = (round(to[0] + end[0]), round(to[1] + end[1]))
    return data


def path_end(shape: str) -> Point:
    """Where the pen stands after relative path data of m, l, h, v, q and z."""
    x = y = sx = sy = 0.0
    for command, text in re.findall(r"([a-z])([^a-z]*)", shape):
        numbers = [float(n) for n in re.findall(r"-?(?:\d+\.?\d*|\.\d+)", text)]
        if command == "z":
            x, y = sx, sy
        elif command == "h":
            x += sum(numbers)
        elif command == "v":
            y += sum(numbers)
        else:
            step = 4 if command == "q" else 2
            for i in range(0, len(numbers), step):
                x, y = x + numbers[i + step - 2], y + numbers[i + step - 1]
                if command == "m" and i == 0:
                    sx, sy = x, y
    return x, y
