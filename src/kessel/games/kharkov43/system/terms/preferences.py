"""9.24 Tiebreakers of the movement methods, and 9.25 tactical preferences when moving adjacent to German units."""

from __future__ import annotations

from collections.abc import Iterator

from kessel.core.facts import FOREVER, fact
from kessel.core.forces import Unit
from kessel.core.hexes import NO_HEX, Bits
from kessel.core.hexset import bits, members, spread_through
from kessel.games.kharkov43.board import FACINGS, OBJECTIVES, SOUTH, WEST, Board
from kessel.games.kharkov43.data.terrain import FAR_AWAY
from kessel.games.kharkov43.supply.support import limit_of, supported
from kessel.games.kharkov43.system.terms.choosing import Preference, closest, highest_number, least, most, those
from kessel.games.kharkov43.system.terms.terminology import (
    beside,
    empty_hexes,
    other_soviets,
    southing,
    surrounding_hexes,
    unoccupied_hexes,
    westing,
)

MOST_KEPT = 500


def marker_of(g: Board, u: Unit) -> int:
    """9.1 The objective marker of the unit: its army's while in play, else its front's; -1 if neither is."""
    for name in (g.forces.formation[u], g.forces.higher[u]):
        if name in OBJECTIVES and g.objective_of(name) != NO_HEX:
            return OBJECTIVES.index(name)
    return -1


def distance_to(g: Board, goal: Bits) -> bytes:
    """9.3 Hexes from every hex to the nearest one of a set, never across a blocked Dniepr hexside."""
    kept = _memo_of_distances(g)
    found = kept.get(goal)
    if found is None:
        grid = g.map.grid
        steps = bytearray([FAR_AWAY]) * grid.size
        seen = frontier = goal
        n = 0
        while frontier:
            for h in members(frontier):
                steps[h] = n
            frontier = spread_through(grid, frontier, g.ground.blocked) & ~seen
            seen |= frontier
            n += 1
        if len(kept) >= MOST_KEPT:
            kept.clear()
        found = kept[goal] = bytes(steps)
    return found


@fact(FOREVER)
def _memo_of_distances(g: Board) -> dict[Bits, bytes]:
    return {}


def tiebreakers(g: Board, u: Unit) -> Iterator[Preference]:
    """9.24 In their order; those of a marker only while the unit has one."""
    marker = marker_of(g, u)
    if marker >= 0:
        yield closest("9.24a", "closest to its objective marker", g, g.objective[marker])
    yield those("9.24b", "an empty hex", lambda: empty_hexes(g, u))
    facing = g.facing[marker] if marker >= 0 else 0
    if facing in (WEST, SOUTH):
        how_far = westing if facing == WEST else southing
        yield most("9.24c", f"furthest {FACINGS[facing]}", lambda h: how_far(g, h))
    zone = supported(g)
    if zone != g.ground.all:
        to_support = distance_to(g, zone)
        yield least("9.24d", "in or closest to Soviet support", lambda h: to_support[h])
    yield highest_number(g, "9.24e")


def surrounding_beside(g: Board, u: Unit) -> Bits:
    """The hexes from which u would cause the surround of a German unit adjacent to it."""
    s = 0
    for x, spots in surrounding_hexes(g, u).items():
        s |= spots & g.ground.adjacent_units(x)
    return s


def with_other_active(g: Board, u: Unit) -> Bits:
    return bits(g.place[v] for v in g.active_units() if v != u and g.on_map(v))


def tactical_preferences(g: Board, u: Unit) -> Iterator[Preference]:
    """9.25 For a unit that ends its move adjacent to a German unit."""
    everything = g.ground.all
    yield those("9.25a", "within the operational limit", lambda: limit_of(g, g.forces.higher[u]))
    yield those("9.25b", "surrounds the German unit", lambda: surrounding_beside(g, u))
    yield those("9.25c", "in Soviet support", lambda: supported(g))
    yield those("9.25d", "not adjacent to a Soviet unit", lambda: everything & ~beside(g, other_soviets(g, u)))
    yield those("9.25e", "an empty or garrisoned hex", lambda: unoccupied_hexes(g, u))
    yield those("9.25f", "without an active unit", lambda: everything & ~with_other_active(g, u))
