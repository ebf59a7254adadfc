"""A board in letters, for terminals and for the messages of failing tests.

Each hex takes two lines: its number with the sign of its terrain, and below them what stands in it. What lies on
hexsides and along roads is listed under the board.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from kessel.core.board import NOWHERE, Board
from kessel.core.terrain import Map
from kessel.core.view import SideView
from kessel.render.canvas import Canvas
from kessel.render.geometry import ACROSS, RADIUS
from kessel.render.style import TERRAINS, spoken, terrain_style

CELL = 6
"""Letters from one line of hexes to the next."""
MOST_LISTED = 40


def text_board(
    board: Board | Map,
    *,
    area: str | Iterable[str] | None = None,
    view: SideView | None = None,
    marks: Mapping[str, str] | None = None,
) -> str:
    """The board as text. Marks (number to a word) stand in place of the pieces; a view shows what one side sees."""
    map = board.map if isinstance(board, Board) else board
    canvas = Canvas(map, area)
    inside = [h for h in canvas.shown if area is None or canvas.frame.contains(canvas.sheet.centre(h))]
    what = _contents(board, view) | dict(marks or {})
    flat = canvas.sheet.flat_top
    across, down = (RADIUS * 1.5, ACROSS / 2) if flat else (ACROSS / 2, RADIUS * 1.5)
    step_x, step_y = (CELL, 1) if flat else (CELL // 2 + 1, 2)
    centres = {h: canvas.sheet.centre(h) for h in inside}
    left, top = min(x for x, _ in centres.values()), min(y for _, y in centres.values())
    rows: dict[int, dict[int, str]] = {}
    for h in inside:
        x, y = centres[h]
        row, col = round((y - top) / down) * step_y, round((x - left) / across) * step_x
        name = map.grid.name(h)
        _write(rows, row, col, name + terrain_style(map.terrain[h]).sign)
        room = CELL - 1 if flat else 2 * step_x - 1
        _write(rows, row + 1, col, what.get(name, "")[:room])
    lines = []
    for row in range(max(rows) + 1):
        cells = rows.get(row, {})
        lines.append("".join(cells.get(c, " ") for c in range(max(cells, default=-1) + 1)).rstrip())
    return "\n".join([*lines, "", *_listed(canvas, view)]).rstrip() + "\n"


def _write(rows: dict[int, dict[int, str]], row: int, col: int, text: str) -> None:
    for i, letter in enumerate(text):
        rows.setdefault(row, {})[col + i] = letter


def _contents(board: Board | Map, view: SideView | None) -> dict[str, str]:
    """What stands in each place: the top unit's name, and a plus where there are more."""
    found: dict[str, list[str]] = {}
    if view is not None:
        for piece in view.pieces:
            found.setdefault(piece.place, []).append(piece.id)
    elif isinstance(board, Board):
        for u, place in enumerate(board.place):
            if place != NOWHERE:
                found.setdefault(board.map.place_name(place), []).append(board.forces.ids[u])
    return {place: ids[0] if len(ids) == 1 else f"{ids[0][:4]}+" for place, ids in found.items()}


def _listed(canvas: Canvas, view: SideView | None) -> list[str]:
    map, grid = canvas.map, canvas.grid
    lines = []
    seen = {map.terrain[h] for h in canvas.shown}
    signs = [f"{terrain_style(t).sign} {terrain_style(t).name.lower()}" for t in TERRAINS if t in seen]
    signs += [f"? {spoken(t).lower()}" for t in sorted(seen) if t not in TERRAINS]
    lines.append("; ".join(signs))
    sides: dict[str, list[str]] = {}
    for side in canvas.sides:
        for f in side.features:
            sides.setdefault(f, []).append(grid.hexside_name(side.hex * 6 + side.direction))
    for f, found in sorted(sides.items()):
        lines.append(f"{spoken(f).lower()}: {_shortened(sorted(found))}")
    for link in map.doc.links:
        if any(grid.find(n) in canvas.shown_set for n in link.path.split()):
            lines.append(f"{spoken(link.kind).lower()}: {link.path}")
    named = [f"{grid.name(h)} {map.name[h]}" for h in canvas.shown if h in map.name]
    if named:
        lines.append(f"names: {_shortened(named, '; ')}")
    if view is not None:
        lines.append(f"{view.turn} {view.phase}".strip())
    return lines


def _shortened(words: list[str], sep: str = " ") -> str:
    more = f"{sep}and {len(words) - MOST_LISTED} more" if len(words) > MOST_LISTED else ""
    return sep.join(words[:MOST_LISTED]) + more
