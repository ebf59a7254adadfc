"""PA-command.broken, PA-supply.broken: paths from hex to hex, and what breaks them."""

from __future__ import annotations

from kessel.core.facts import LAST, fact
from kessel.core.forces import Side
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import NO_SIDES, Sides, members, spread, spread_through
from kessel.games.bug41.board import POSITION, Board, Formation
from kessel.games.bug41.movement.zones import zone_of
from kessel.wargame.board import other


@fact(POSITION)
def open_hexes(g: Board, side: Side) -> Bits:
    """The hexes a path of that side may enter: no enemy unit, no enemy zone unless a friend is there."""
    friends = g.hexes_of(side) if g.reads("path_friends") == "any_unit" else g.hexes_with_combat_units(side)
    return g.map.grid.all & ~g.hexes_of(other(side)) & ~(zone_of(g, other(side)) & ~friends)


@fact(POSITION)
def rings_of(g: Board, start: Hex, side: Side, dry: bool) -> tuple[Bits, ...]:
    """The hexes a path from there reaches, by its length. `dry`: unbridged Bug and lake hexsides break it."""
    return tuple(_rings(g, start, open_hexes(g, side), dry, g.map.grid.size))


@fact(LAST)
def reached_within(g: Board, of: tuple[Formation, bool], start: Hex, through: Bits, most: int) -> Bits:
    """All hexes a path of a formation, dry or not, reaches in so many steps."""
    found = 0
    for ring in _rings(g, start, through, of[1], most):
        found |= ring
    return found


def _rings(g: Board, start: Hex, through: Bits, dry: bool, most: int) -> list[Bits]:
    grid, left, frontier = g.map.grid, through & ~(1 << start), 1 << start
    found: list[Bits] = []
    while frontier and len(found) <= most:
        found.append(frontier)
        near = spread_through(grid, frontier, g.ground.path_blocked) if dry else spread(grid, frontier)
        frontier = near & left
        left ^= frontier
    return found


def way_back(g: Board, rings: tuple[Bits, ...], h: Hex, blocked: Sides = NO_SIDES) -> tuple[Hex, ...]:
    """A shortest path from the middle of the rings to a hex of them, both ends included."""
    n = next(i for i, ring in enumerate(rings) if ring >> h & 1)
    found = [h]
    for ring in reversed(rings[:n]):
        h = next(a for a in members(ring) if spread_through(g.map.grid, 1 << a, blocked) >> h & 1)
        found.append(h)
    return tuple(reversed(found))
