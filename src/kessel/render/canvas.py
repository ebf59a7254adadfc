"""Canvas: what the parts of a map drawing share: the map, where things lie, what is shown, what is in the way."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple
from xml.sax.saxutils import escape

from kessel.core.errors import BadInput
from kessel.core.hexes import NO_HEX, Direction, Hex
from kessel.core.hexset import members
from kessel.core.terrain import Map, SideDoc
from kessel.render.fonts import text_width
from kessel.render.geometry import Box, Node, Point, Sheet
from kessel.render.style import SANS, SERIF, SideStyle, side_style, terrain_style

NUMBER_SIZE = 11.5


class Side(NamedTuple):
    """A hexside with something on it."""

    hex: Hex
    direction: Direction
    ends: tuple[Node, Node]
    features: tuple[str, ...]
    name: str


class Canvas:
    def __init__(self, map: Map, area: str | Iterable[str] | None = None, part: str = "") -> None:
        """The whole map, or only the hexes of the areas of `part`; `area` then crops the drawing."""
        self.map = map
        self.grid = map.grid
        self.sheet = Sheet(map.grid)
        self.cropped = area is not None
        self.shown: list[Hex] = self._hexes_of(part) if part else list(self.grid.hexes)
        self.bounds = _around(self.sheet, self.shown) if part else self.sheet.bounds
        """The board, whether cropped or not."""
        self.frame = self.bounds
        if area is not None:
            self.frame = self._frame_of(area)
            near = self.frame.grown(30)
            self.shown = [h for h in self.shown if self.sheet.hex_box(h).overlaps(near)]
        self.shown_set = frozenset(self.shown)
        across = self.sheet.half_height
        self.number_at: Point = (0.0, -across + (11.0 if self.sheet.flat_top else 20.0))
        """Middle of the hex number, from the hex's centre."""
        self.obstacles: list[Box] = []
        """Where signs and words stand already: no label may go there."""
        self.lines: list[Point] = []
        """Points of rivers and roads: labels avoid them when they can."""

    def _hexes_of(self, part: str) -> list[Hex]:
        within = 0
        for word in part.split():
            if word not in self.map.areas:
                raise BadInput(f"this map has no area {word!r}; it has {', '.join(self.map.areas) or 'none'}")
            within |= self.map.areas[word]
        return members(within)

    def _frame_of(self, area: str | Iterable[str]) -> Box:
        names: list[str] = []
        for word in area.split() if isinstance(area, str) else area:
            if word in self.map.areas:
                names.extend(self.grid.names(members(self.map.areas[word])))
            else:
                names.extend(word.split("-") if "," not in word else [word])
        if not names:
            raise BadInput("an area to draw needs at least one hex")
        for name in names:
            if self.grid.find(name) == NO_HEX:
                areas = f"; its areas are {', '.join(self.map.areas)}" if self.map.areas else ""
                raise BadInput(f"this map has no hex and no area {name!r}{areas}", "area")
        return _around(self.sheet, [self.grid.hex(n) for n in names]).grown(12)

    @cached_property
    def sides(self) -> list[Side]:
        """All hexsides with features that touch a shown hex."""
        found = []
        for key, doc in self.map.doc.hexsides.items():
            h, d = divmod(self.grid.parse_hexside(key), 6)
            if h in self.shown_set or self.grid.neighbours[h][d] in self.shown_set:
                features = doc.features if isinstance(doc, SideDoc) else [doc] if isinstance(doc, str) else doc
                a, b = self.sheet.side(h, d)
                name = doc.name if isinstance(doc, SideDoc) else ""
                found.append(Side(h, d, (min(a, b), max(a, b)), tuple(features), name))
        return found

    @cached_property
    def water_width(self) -> dict[tuple[Node, Node], tuple[float, str]]:
        """How wide the water of each wet hexside is, and its name."""
        found = {}
        for side in self.sides:
            style = self.wet_style(side)
            if style is not None:
                found[side.ends] = (style.width, side.name)
        return found

    @staticmethod
    def wet_style(side: Side) -> SideStyle | None:
        wet = [s for f in side.features if (s := side_style(f)).drawing == "water"]
        return max(wet, key=lambda s: s.width, default=None)

    @cached_property
    def water(self) -> frozenset[Hex]:
        """The shown hexes that are sea or lake."""
        return frozenset(h for h in self.shown if terrain_style(self.map.terrain[h]).water)

    def number_box(self, h: Hex) -> Box:
        x, y = self.sheet.centre(h)
        x, y = x + self.number_at[0], y + self.number_at[1]
        half = text_width(self.grid.name(h), NUMBER_SIZE) / 2
        return Box(x - half, y - NUMBER_SIZE * 0.42, x + half, y + NUMBER_SIZE * 0.42)


def _around(sheet: Sheet, hexes: list[Hex]) -> Box:
    found = sheet.hex_box(hexes[0])
    for h in hexes[1:]:
        found = found.joined(sheet.hex_box(h))
    return found


def group(name: str, body: Iterable[str], **attributes: str | float) -> str:
    """A layer; nothing where there is nothing in it."""
    parts = "\n".join(b for b in body if b)
    called = f' class="{name}"' if name else ""
    return f"<g{called}{attrs(attributes)}>\n{parts}\n</g>" if parts else ""


def attrs(attributes: dict[str, str | float]) -> str:
    text = ""
    for key, value in attributes.items():
        shown = f"{value:g}" if isinstance(value, float) else str(value)
        text += f' {key.rstrip("_").replace("_", "-")}="{escape(shown, {chr(34): "&quot;"})}"'
    return text


def tag(name: str, **attributes: str | float) -> str:
    return f"<{name}{attrs(attributes)}/>"


def words(text: str, x: float, y: float, size: float, **attributes: str | float) -> str:
    """A line of text; x, y rounded to tenths."""
    return f'<text x="{x:.4g}" y="{y:.5g}" font-size="{size:g}"{attrs(attributes)}>{escape(text)}</text>'


FAMILIES = {"sans": SANS, "serif": SERIF}
