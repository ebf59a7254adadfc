"""Reaches kept with the map by what bears on them: most of what happens is too far away to change a reach."""

from __future__ import annotations

from typing import Any

from kessel.core.facts import FOREVER, GAME, fact
from kessel.core.forces import Unit
from kessel.core.hexes import Bits
from kessel.core.hexset import spread
from kessel.core.paths import Reach
from kessel.games.kharkov43.board import OF_POSITION, Board

MOST_KEPT = 16
"""Reaches kept for units of one kind in one place."""


class Kept:
    """A reach and what bears on it: what it looks at of a scene, and what was there."""

    __slots__ = ("arrows", "looked_at", "reach", "there")

    def __init__(self, reach: Reach, looked_at: Bits, scene: Bits) -> None:
        self.reach, self.looked_at, self.there = reach, looked_at, scene & looked_at
        self.arrows: dict[str, Any] = {}
        """9.21.10 The moves along the arrows of a front."""


def known(starts: list[Kept], scene: Bits) -> Kept | None:
    """The reach kept that this scene leaves as it is."""
    for n, one in enumerate(starts):
        if scene & one.looked_at == one.there:
            if n:
                starts.insert(0, starts.pop(n))
            return one
    return None


def keep(starts: list[Kept], found: Kept) -> Kept:
    starts.insert(0, found)
    del starts[MOST_KEPT:]
    return found


def starts_of(g: Board, u: Unit, mode: str, early: bool) -> list[Kept]:
    """The reaches kept for units of that kind in that state and place."""
    kept, kinds = _reaches_of_map(g)
    key = kinds[u][g.steps[u]], g.place[u], g.status[u] & OF_POSITION, mode, g.tracks[2], early
    found = kept.get(key)
    if found is None:
        found = kept[key] = []
    return found


@fact(GAME)
def _reaches_of_map(g: Board) -> tuple[dict[Any, list[Kept]], tuple[tuple[int, ...], ...]]:
    """The reaches kept with the map for these charts; and by unit and steps what kind of unit it is."""
    forces = g.forces
    kinds = tuple(
        tuple(side | mech << 1 | points << 2 for mech, points in zip(mechs, allowances, strict=True))
        for side, mechs, allowances in zip(forces.side, forces.mech, forces.movement, strict=True)
    )
    return _memo_of_reaches(g).setdefault(g.charts, {}), kinds


@fact(FOREVER)
def _memo_of_reaches(g: Board) -> dict[Any, dict[Any, list[Kept]]]:
    return {}


def looked_at(g: Board, u: Unit, found: Reach, strategic: bool) -> Bits:
    """What a reach looks at of a scene (`Scene.all`).

    Enemies close the hexes beside those it goes on from, control and towns end it where it gets to, garrisons end it
    one hex away. The first step looks at all hexes around it. Strategic movement looks at what is beside those beside
    its reach (10.6), and a unit out of order has rules of its own: there it is all that is near.
    """
    if found.start < 0:
        return 0
    grid = g.map.grid
    here = 1 << found.start
    first = grid.near[found.start] | here
    reached = found.hexes | first
    seen = reached | spread(grid, reached)
    if strategic:
        seen |= spread(grid, seen)
    if strategic or g.status[u] & OF_POSITION:
        enemies = held = seen
    else:
        enemies, held = reached | spread(grid, found.hexes & ~found.ends), reached
    n = grid.size
    return enemies | held << n | held << 2 * n | seen << 3 * n
