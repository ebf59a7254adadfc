"""PA-command.broken, PA-supply.broken: paths from hex to hex, and what breaks them."""

from __future__ import annotations

from bisect import bisect_left

from kessel.core.facts import FOREVER, LAST, fact
from kessel.core.forces import Side
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import NO_SIDES, Sides, members, spread_along, spread_through, within
from kessel.games.bug41.board import POSITION, Board, Formation
from kessel.games.bug41.data.terrain import Ground
from kessel.games.bug41.movement.zones import zone_of
from kessel.wargame.board import other

FARTHER = 3
"""Steps a path is followed at a time that is to lead to one hex."""


@fact(POSITION)
def open_hexes(g: Board, side: Side) -> Bits:
    """The hexes a path of that side may enter: no enemy unit, no enemy zone unless a friend is there."""
    friends = g.hexes_of(side) if g.reads("path_friends") == "any_unit" else g.hexes_with_combat_units(side)
    zone = zone_of(g, other(side))
    return g.map.grid.all & ~(g.hexes_of(other(side)) | zone ^ zone & friends)


@fact(POSITION)
def rings_of(g: Board, start: Hex, side: Side, dry: bool) -> tuple[Bits, ...]:
    """The hexes a path from there reaches, by its length. `dry`: unbridged Bug and lake hexsides break it."""
    found = _reach_from(g, start, open_hexes(g, side), dry)
    found.within(g.map.grid.size)
    return tuple(found.rings)


def reach_of(g: Board, f: Formation, start: Hex, through: Bits, *, dry: bool) -> Reach:
    """What paths of a formation reach, kept until they begin elsewhere or may enter other hexes."""
    return _memo_reach(g, (f, dry), start, through)


@fact(LAST)
def _memo_reach(g: Board, of: tuple[Formation, bool], start: Hex, through: Bits) -> Reach:
    return _reach_from(g, start, through, of[1])


@fact(FOREVER)
def is_dry(g: Board, ground: Ground, start: Hex, most: int) -> bool:
    """Whether no water breaks a path of so many steps from there: paths that it breaks and others are the same."""
    return not within(ground.grid, 1 << start, most) & ground.beside_water


@fact(FOREVER)
def _open_rings(g: Board, ground: Ground, start: Hex, dry: bool) -> tuple[list[Bits], list[Bits]]:
    """Rings and all hexes within them where no enemy is in the way."""
    found = Reach(ground, [1 << start], [1 << start], ground.grid.all, dry)
    found.within(ground.grid.size)
    return found.rings, found.reached


def _reach_from(g: Board, start: Hex, through: Bits, dry: bool) -> Reach:
    return Reach(g.ground, *_open_rings(g, g.ground, start, dry), through, dry)


class Reach:
    """Where paths from a hex lead, followed only as far as somebody asks."""

    __slots__ = ("ground", "left", "reached", "rings", "shut", "wet")

    def __init__(self, ground: Ground, rings: list[Bits], reached: list[Bits], through: Bits, dry: bool) -> None:
        self.ground, self.wet = ground, ground.beside_water if dry else 0
        self.rings = rings
        """The hexes by the number of steps."""
        self.reached = reached
        """All hexes within so many steps."""
        self.left = through ^ through & reached[0]
        """The hexes that may be entered and have not been."""
        self.shut = ground.grid.all ^ (through | reached[0])
        """Those that may not, while rings without an enemy are looked at; 0 as soon as paths were led round them."""

    def within(self, most: int) -> Bits:
        """All hexes reached in so many steps at most."""
        if self.shut:
            found = self.reached[most if most < len(self.reached) else -1]
            if not found & self.shut:
                return found
            self._meet()
        reached = self.reached
        if most >= len(reached) and self.rings[-1]:
            self._go_on(most)
        return reached[most if most < len(reached) else -1]

    def _meet(self) -> None:
        """The first rings, which no enemy touches, are always the same."""
        shut = self.shut
        n = bisect_left(self.reached, 1, key=lambda s: s & shut != 0)
        self.rings, self.reached, self.shut = self.rings[:n], self.reached[:n], 0
        self.left &= ~self.reached[-1]

    def steps_to(self, h: Hex, most: int) -> int:
        """How many steps lead to a hex; -1 if that is more than allowed, or none do."""
        if not self.within(most) >> h & 1:
            return -1
        return next(n for n, reached in enumerate(self.reached) if reached >> h & 1)

    def leads_to(self, h: Hex) -> bool:
        """Whether any number of steps leads to a hex."""
        if self.shut:
            self._meet()
        while self.rings[-1] and not self.reached[-1] >> h & 1:
            self._go_on(len(self.reached) + FARTHER)
        return bool(self.reached[-1] >> h & 1)

    def _go_on(self, most: int) -> None:
        grid, wet, left = self.ground.grid, self.wet, self.left
        f, seen, slant = self.rings[-1], self.reached[-1], grid.stride - 1
        for _ in range(most + 1 - len(self.reached)):
            if f & wet:
                f = spread_along(grid, f, self.ground.path_open) & left
            else:
                up, down = f | f << 1, f | f >> 1
                f = (up | down | up << slant | down >> slant) & left
            left ^= f
            seen |= f
            self.rings.append(f)
            self.reached.append(seen)
            if not f:
                break
        self.left = left


def way_back(g: Board, rings: tuple[Bits, ...], h: Hex, blocked: Sides = NO_SIDES) -> tuple[Hex, ...]:
    """A shortest path from the middle of the rings to a hex of them, both ends included."""
    n = next(i for i, ring in enumerate(rings) if ring >> h & 1)
    found = [h]
    for ring in reversed(rings[:n]):
        h = next(a for a in members(ring) if spread_through(g.map.grid, 1 << a, blocked) >> h & 1)
        found.append(h)
    return tuple(reversed(found))
