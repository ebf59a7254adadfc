"""9.21.10, 9.22.10 Moves along the movement arrows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from kessel.core.breakdown import Refusal
from kessel.core.forces import Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.paths import ALL
from kessel.games.kharkov43.board import Board
from kessel.games.kharkov43.data.forces import GERMAN
from kessel.games.kharkov43.movement.movement import (
    MOVING,
    REGULAR,
    Barrier,
    Going,
    costs_of,
    going,
    kept_reach,
)
from kessel.games.kharkov43.movement.zones import scene_of

PRIMARY = "primary"


class ArrowMove(NamedTuple):
    """A move along arrows that spends the whole allowance."""

    path: tuple[Hex, ...]
    secondary: int
    """How many of its steps follow a secondary arrow."""


def arrows_at(g: Board, h: Hex, front: str) -> list[tuple[Hex, str]]:
    """The hexes the arrows in h point to and their kinds; arrows of the other front do not exist."""
    found = []
    for arrow in g.map.arrows.get(h, ()):
        to = g.map.grid.neighbours[h][arrow.direction]
        if to >= 0 and arrow.only in ("", front[0]):
            found.append((to, arrow.kind))
    return found


def arrow_moves(g: Board, u: Unit, front: str) -> dict[Hex, ArrowMove]:
    """The ends of all such moves; to each the way with the fewest secondary arrows. Kept as a reach is."""
    kept = kept_reach(g, u, scene_of(g, GERMAN), REGULAR, MOVING).arrows
    found: dict[Hex, ArrowMove] | None = kept.get(front)
    if found is None:
        found = kept[front] = _arrow_moves(g, u, front)
    return found


def _arrow_moves(g: Board, u: Unit, front: str) -> dict[Hex, ArrowMove]:
    way = going(g, u)
    if isinstance(way, Refusal):
        return {}
    found: dict[Hex, ArrowMove] = {}
    for move in _moves(way, front):
        h = move.path[-1]
        if h != way.start and (h not in found or move.secondary < found[h].secondary):
            found[h] = move
    return found


def _moves(way: Going, front: str) -> Iterator[ArrowMove]:
    """Depth first; a way that ends before all movement points are spent is not one (9.21.10)."""
    g = way.g
    costs = costs_of(g, way.mover)
    closed, stops, first = _hexes(way.closed), _hexes(way.stops), _hexes(way.first)
    budget = way.allowance
    todo: list[tuple[tuple[Hex, ...], int, int]] = [((), 0, 0)]
    while todo:
        path, spent, secondary = todo.pop()
        here = path[-1] if path else way.start
        if path and (stops >> here & 1 or spent >= budget or len(path) == (way.most_hexes or -1)):
            if spent >= budget:
                yield ArrowMove(path, secondary)
            continue
        for to, kind in arrows_at(g, here, front):
            if closed >> to & 1 or (not path and first >> to & 1):
                continue
            edges = (*costs.edges[here], *(costs.first.get(here, ()) if not path else ()))
            price = next((c for n, c, _ in edges if n == to), None)
            if price is None:
                continue
            total = budget if price >= ALL else spent + price + (0 if path else way.leave)
            if total <= budget or not path:
                todo.append(((*path, to), total, secondary + (kind != PRIMARY)))


def _hexes(barriers: tuple[Barrier, ...]) -> Bits:
    s = 0
    for _, hexes in barriers:
        s |= hexes
    return s
