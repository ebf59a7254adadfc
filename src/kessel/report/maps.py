"""The maps of a report: the land drawn once for all of them, and on it who stood where, went where, fought where.

A page holds the land and every counter's face once (`shared`); the picture of a turn only refers to them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import TypeAlias

from kessel.core.hexes import NO_HEX, Hex
from kessel.core.hexset import members
from kessel.core.terrain import Map
from kessel.core.view import Piece
from kessel.render import LAYERS, counter_svg, face_key, map_svg
from kessel.render.canvas import Canvas
from kessel.render.counters import SIZE
from kessel.render.geometry import Box, Point
from kessel.render.style import side_ink
from kessel.report.course import Turn
from kessel.report.story import Fight, Move, Part, Story

LEFT_OUT = {"control", "numbers", "legend", "boxes", "highlights", "pieces", "hexes"}
LEAST_WIDTH = 1500.0
"""Of what is shown of a turn: fifteen hexes or so."""
MOST_ARROWS = 60
TIP, WING = 28.0, 19.0
"""Of an arrow's head: how long it is, and how far it reaches to either side."""
LARGEST = 1.4
"""So much larger are counters where much of a map is shown: they still fit into their hexes."""
SOLID = 'stroke="#7a1f1f" stroke-width="9" stroke-opacity=".75"'
DASHED = 'stroke="#4a4337" stroke-width="7" stroke-opacity=".55" stroke-dasharray="16 20"'


Front: TypeAlias = "tuple[frozenset[Hex], frozenset[Hex]]"


class Land:
    """A part of a map, drawn once for all pictures of a page."""

    def __init__(self, map: Map, area: Sequence[str], name: str = "land") -> None:
        self.map, self.area, self.name = map, area, name
        self.canvas = Canvas(map, area)
        self.centre = self.canvas.sheet.centre
        self.faces: dict[str, tuple[str, str]] = {}

    def shared(self) -> str:
        """The land and all faces, to be put into the page once, after all pictures were drawn."""
        names = [x for x in LAYERS if x not in LEFT_OUT]
        drawn = map_svg(self.map, area=self.area, layers=names, name_scale=1.5)
        inner = drawn[drawn.index(">", drawn.index("<svg")) + 1 : drawn.rindex("</svg>")]
        inner = re.sub(r'\s+data-[a-z]+="[^"]*"', "", inner)
        faces = "".join(f'<g id="{name}">{face}</g>' for name, face in self.faces.values())
        head = drawn[drawn.index("font-family") : drawn.index(">", drawn.index("<svg"))]
        land = f'<g id="{self.name}" {head}>{inner}</g>'
        return f'<svg width="0" height="0" class="shared" aria-hidden="true"><defs>{land}{faces}</defs></svg>'

    def front(self, front: Front, paint: str) -> str:
        """The line between two sets of hexes."""
        sheet, grid, shown = self.canvas.sheet, self.map.grid, self.canvas.shown_set
        ours, theirs = front
        lines = []
        for h in sorted(ours & shown):
            for d, n in enumerate(grid.neighbours[h]):
                if n in theirs and n in shown:
                    (ax, ay), (bx, by) = (sheet.at(node) for node in sheet.side(h, d))
                    lines.append(f"M{ax:.0f} {ay:.0f}L{bx:.0f} {by:.0f}")
        return f'<path d="{"".join(lines)}" fill="none" stroke-linecap="round" {paint}/>' if lines else ""

    def tint(self, hexes: Iterable[Hex], ink: str) -> str:
        """These hexes in a colour through which the land is seen."""
        dots = "".join(f"M{x:.0f} {y:.0f}h0" for x, y in map(self.centre, sorted(self.canvas.shown_set & set(hexes))))
        return (
            f'<path d="{dots}" stroke="{ink}" stroke-width="112" stroke-linecap="round" opacity=".3"/>' if dots else ""
        )

    def picture(self, body: Iterable[str], title: str, box: Box | None = None, kind: str = "map") -> str:
        b = box or self.canvas.frame
        view = f"{b.x0:.0f} {b.y0:.0f} {b.width:.0f} {b.height:.0f}"
        inner = "".join([f'<use href="#{self.name}"/>', *body])
        return f'<svg class="{kind}" viewBox="{view}" role="img"><title>{escape(title)}</title>{inner}</svg>'


class Maps(Land):
    """The maps of one game."""

    def __init__(self, story: Story) -> None:
        map = story.game.board.map
        self.sides = story.game.title.sides
        self.scale = 1.0
        stood = {p.place for part in story.parts for p in part.pieces} | {p.place for p in story.begun}
        super().__init__(map, sorted(n for n in stood if map.grid.find(n) != NO_HEX))

    def turn(self, part: Part, before: Turn, title: str) -> str:
        """One turn: the front before (dashed) and after it, marches as arrows, fights, and the counters at its end."""
        view = self._view(part)
        self.scale = min(max(view.width / 2600, 1.0), LARGEST)
        body = [self.front(front_of(before), DASHED), self.front(front_of(part.row), SOLID)]
        body += self._arrows(part.moves)
        body += [self._counters(part.pieces)]
        body += [self._fight(f, part) for f in part.fights]
        return self.picture(body, title, view)

    def fight(self, fight: Fight, part: Part) -> str:
        """The surroundings of one fight."""
        self.scale = 1.0
        x, y = self._at(fight.hexes[0])
        around = Box(x, y, x, y).grown(300)
        near = [p for p in part.pieces if around.grown(60).contains(self._at(p.place))]
        return self.picture([self._counters(near), self._fight(fight, part)], fight.where, around, "close")

    def _at(self, place: str) -> Point:
        return self.centre(self.map.grid.hex(place))

    def _view(self, part: Part) -> Box:
        """What is shown: where something happened, and a little around it."""
        places = [h for f in part.fights for h in f.hexes]
        places += [p for m in part.moves if self._distance(m) > 1 for p in (m.start, m.end)]
        places = [p for p in places if self.map.grid.find(p) in self.canvas.shown_set] or list(self.area)
        points = [self._at(p) for p in places]
        box = Box(
            min(x for x, _ in points), min(y for _, y in points), max(x for x, _ in points), max(y for _, y in points)
        ).grown(150)
        width = max(box.width, LEAST_WIDTH, box.height * 1.1)
        height = max(box.height, width * 0.5)
        x, y = (box.x0 + box.x1 - width) / 2, (box.y0 + box.y1 - height) / 2
        return _inside(Box(x, y, x + width, y + height), self.canvas.frame)

    def _distance(self, m: Move) -> int:
        grid = self.map.grid
        return grid.distance(grid.hex(m.start), grid.hex(m.end))

    # --- what is drawn -----------------------------------------------------------------------------------------------

    def _arrows(self, moves: Sequence[Move]) -> list[str]:
        far = sorted((m for m in moves if self._distance(m) > 1), key=lambda m: -self._distance(m))[:MOST_ARROWS]
        return [self._arrow(m) for m in reversed(far)]

    def _arrow(self, m: Move) -> str:
        """A bent arrow; its head ends before the counter it leads to."""
        (ax, ay), (bx, by) = self._at(m.start), self._at(m.end)
        dx, dy = bx - ax, by - ay
        long = (dx * dx + dy * dy) ** 0.5 or 1.0
        ux, uy = dx / long, dy / long
        cx, cy = (ax + bx) / 2 - uy * long * 0.1, (ay + by) / 2 + ux * long * 0.1
        short = min(TIP + SIZE * 0.62 * self.scale, long * 0.4)
        ex, ey = bx - ux * short, by - uy * short
        hx, hy = ex - cx, ey - cy
        head = (hx * hx + hy * hy) ** 0.5 or 1.0
        hx, hy = hx / head, hy / head
        ink = side_ink(self.sides[m.side])
        tip = f"{ex + hx * TIP:.0f},{ey + hy * TIP:.0f}"
        wings = f"{ex - hy * WING:.0f},{ey + hx * WING:.0f} {ex + hy * WING:.0f},{ey - hx * WING:.0f}"
        return (
            f'<g fill="{ink}" stroke="{ink}" opacity=".62">'
            f'<path d="M{ax:.0f} {ay:.0f}Q{cx:.0f} {cy:.0f} {ex:.0f} {ey:.0f}" fill="none" stroke-width="11" '
            f'stroke-linecap="round"/><polygon points="{tip} {wings}" stroke="none"/></g>'
        )

    def _counters(self, pieces: Iterable[Piece]) -> str:
        """The strongest counter of each stack, and how many lie there."""
        at: dict[str, list[Piece]] = {}
        for p in pieces:
            at.setdefault(p.place, []).append(p)
        parts = []
        for place, stack in sorted(at.items()):
            h = self.map.grid.find(place)
            if h not in self.canvas.shown_set:
                continue
            top = max(stack, key=lambda p: (p.kind not in ("headquarters", "supply"), p.steps, p.id))
            parts.append(self._stack(h, top, len(stack)))
        return "".join(parts)

    def _stack(self, h: Hex, top: Piece, number: int) -> str:
        key = face_key(top)
        if key not in self.faces:
            self.faces[key] = (f"f{len(self.faces)}", counter_svg(top))
        x, y = self.centre(h)
        half = SIZE / 2
        inner = f'<use href="#{self.faces[key][0]}" x="{-half:g}" y="{-half:g}"/>'
        if number > 1:
            box = f'x="{6 - half:g}" y="{-6 - half:g}" width="60" height="60" rx="5"'
            below = f'<rect {box} fill="#cfc6b0" stroke="#6b6350"/>'
            count = f'<text y="5.5" text-anchor="middle" font-size="16" font-weight="700">{number}</text>'
            disc = f'<circle r="12" fill="#fffdf6" stroke="#6b6350"/>{count}'
            inner = f'{below}{inner}<g transform="translate({half + 2:g} {-half:g})">{disc}</g>'
        larger = f" scale({self.scale:.3g})" if self.scale != 1 else ""
        return f'<g transform="translate({x:.0f} {y:.0f}){larger}">{inner}</g>'

    def _fight(self, fight: Fight, part: Part) -> str:
        """A star in the hex fought over, in the colour of the side that attacked; in a corner where counters lie."""
        h = self.map.grid.find(fight.hexes[0])
        if h not in self.canvas.shown_set:
            return ""
        x, y = self.centre(h)
        off = SIZE * 0.45 * self.scale if any(p.place == fight.hexes[0] for p in part.pieces) else 0
        at = f"translate({x - off:.0f} {y - off:.0f}) scale({self.scale:.3g})"
        paint = f'fill="{side_ink(self.sides[fight.side])}" stroke="#fffdf6" stroke-width="3"'
        return f'<path transform="{at}" d="{STAR}" {paint}/>'


STAR = "M0-21 5-7 19-9 9 2 15 16 2 9-9 19-8 5-21 1-9-6-13-18-2-10z"


def front_of(row: Turn) -> Front:
    """Which hexes each side came nearer to when a turn was over."""
    found = [frozenset(members(int(some, 16))) for some in row.front]
    return (found[0], found[1]) if found else (frozenset(), frozenset())


def _inside(box: Box, frame: Box) -> Box:
    """Moved and cut so that it lies in the frame."""
    width, height = min(box.width, frame.width), min(box.height, frame.height)
    x = min(max(box.x0, frame.x0), frame.x1 - width)
    y = min(max(box.y0, frame.y0), frame.y1 - height)
    return Box(x, y, x + width, y + height)
