"""13.3 Supply paths: over land from unit to SDM, along roads from SDM to source."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from kessel.core.facts import FOREVER, fact
from kessel.core.forces import Side
from kessel.core.hexes import Bits, Hex, Hexside
from kessel.core.hexset import flood, members, shift, spread_along, union
from kessel.games.korsun44.board import GERMAN, LINES, MINES, WAYS, WORKS, Board
from kessel.games.korsun44.data.terrain import PRIMARY, RAILROAD, SECONDARY, TRAIL
from kessel.games.korsun44.movement.costs import fords_of
from kessel.games.korsun44.movement.zones import zone_of

ANY = 999
"""A path of any length."""

# --- hexes and hexsides --------------------------------------------------------------------------------------------


@fact(LINES)
def free_of(g: Board, side: Side) -> Bits:
    """13.3 The hexes a path of that side may use: no enemy, and no enemy zone unless a friend is there."""
    enemy = 1 - side
    return g.playable & ~g.hexes_of(enemy) & ~(zone_of(g, enemy) & ~g.hexes_of(side))


@fact(FOREVER)
def _roads(g: Board, trails: bool, railroads: bool) -> tuple[Bits, ...]:
    kinds = [PRIMARY, SECONDARY, *([TRAIL] if trails else []), *([RAILROAD] if railroads else [])]
    return tuple(g.map.links(*kinds))


def trails_count(g: Board) -> bool:
    """9.2.2, Q68 Whether a trail is a road for supply."""
    return g.reads("trails") == "roads"


def on_road(g: Board) -> Bits:
    """13.2.1 Road hexes."""
    return _on_roads(g, trails_count(g)) & g.playable


@fact(FOREVER)
def _on_roads(g: Board, trails: bool) -> Bits:
    found = 0
    for s in _roads(g, trails, False):
        found |= s
    return found


def _without(g: Board, sides: Iterable[Bits], gone: Iterable[Hexside]) -> tuple[Bits, ...]:
    """Hexsides without some of them, seen from either hex."""
    found = list(sides)
    for key in gone:
        for s in (key, g.map.grid.flip(key)):
            if s >= 0:
                found[s % 6] &= ~(1 << s // 6)
    return tuple(found)


@fact(WORKS)
def mined_sides(g: Board) -> list[Hexside]:
    """15.3.2 Hexsides of completed minefields, which no German path crosses."""
    grid = g.map.grid
    return [h * 6 + d for h in g.works_of(MINES) for d in range(6) if g.mined(h, d) and grid.neighbours[h][d] >= 0]


@fact(WAYS)
def roads_of(g: Board, side: Side) -> tuple[Bits, ...]:
    """13.2.1, 13.3 The roads an SDM's path may follow: standing bridges only; railroads with that reading (Q70)."""
    links = _roads(g, trails_count(g), g.reads("sdm_path") == "road_or_rail")
    gone = [*g.broken(), *(mined_sides(g) if side == GERMAN else ())]
    return _without(g, links, gone)


@fact(WAYS)
def barriers_of(g: Board, side: Side) -> tuple[Bits, ...]:
    """13.3 The hexsides no path over land crosses: lakes, rivers without bridge or ford, swamps without a road."""
    grid, ground = g.map.grid, g.ground
    links = _without(g, _roads(g, trails_count(g), True), g.broken())
    rivers = _without(g, ground.river, [s for s, _ in g.built()])
    rivers = _without(g, rivers, fords_of(g, side))
    roads_cross_swamps = g.reads("swamp_bridge") == "link"
    found = []
    for d in range(6):
        swamp = ground.swamp[d] & ~links[d] if roads_cross_swamps else ground.swamp[d]
        found.append(ground.lake[d] | rivers[d] & ~links[d] | swamp)
    if side == GERMAN:
        for key in mined_sides(g):
            for s in (key, grid.flip(key)):
                found[s % 6] |= 1 << s // 6
    return tuple(found)


@fact(WAYS)
def _passes_of(g: Board, side: Side) -> tuple[Bits, ...]:
    """13.3 All other hexsides."""
    return tuple(g.map.grid.all & ~barriers for barriers in barriers_of(g, side))


@fact(WAYS)
def _over_river(g: Board, side: Side) -> tuple[Bits, ...]:
    """13.3 The hexsides that only the unit beside them may trace across: rivers without a bridge."""
    barriers, ground = barriers_of(g, side), g.ground
    mined = set(mined_sides(g)) if side == GERMAN else set()
    found = [ground.river[d] & barriers[d] & ~ground.lake[d] & ~ground.swamp[d] for d in range(6)]
    return _without(g, found, mined)


@fact(WAYS)
def _from_over_river(g: Board, side: Side) -> tuple[Bits, ...]:
    """The same hexsides seen from the hexes beyond."""
    over, grid = _over_river(g, side), g.map.grid
    return tuple(shift(grid, over[(d + 3) % 6], (d + 3) % 6) for d in range(6))


@fact(WAYS)
def banks_of(g: Board, side: Side) -> Bits:
    """The hexes beside such a river."""
    return union(_over_river(g, side))


# --- lengths -------------------------------------------------------------------------------------------------------


class Measure:
    """The hexes around a start, ring by ring, as far as somebody has asked."""

    __slots__ = ("_step", "known")

    def __init__(self, starts: Bits, step: Callable[[Bits], Bits], through: Bits) -> None:
        self._step = step
        self.known: tuple[tuple[Bits, ...], Bits] = (starts,), through & ~starts
        """The rings, by how far away they are, and what is further. Both change at once: boards share it."""

    def ring(self, n: int) -> Bits:
        """The hexes so far away; none where nothing is."""
        rings, left = self.known
        while len(rings) <= n:
            front = self._step(rings[-1]) & left
            if not front:
                return 0
            self.known = rings, left = (*rings, front), left ^ front
        return rings[n]

    def to(self, most: int) -> tuple[Bits, ...]:
        """The rings up to a length."""
        self.ring(most)
        return self.known[0][: most + 1]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Measure) and self.to(ANY) == other.to(ANY)

    __hash__ = None  # type: ignore[assignment]


class Lengths(Mapping[Hex, int]):
    """How far hexes are from a start, up to a length."""

    __slots__ = ("_measure", "_most")

    def __init__(self, measure: Measure, most: int) -> None:
        self._measure, self._most = measure, most

    def get(self, h: Hex, default: Any = None) -> Any:
        measure, most, n = self._measure, self._most, 0
        for n, ring in enumerate(measure.known[0]):
            if ring >> h & 1:
                return n if n <= most else default
        while n < most and (ring := measure.ring(n + 1)):
            n += 1
            if ring >> h & 1:
                return n
        return default

    def rings(self, most: int = ANY) -> tuple[Bits, ...]:
        return self._measure.to(min(most, self._most))

    def within(self, most: int = ANY) -> Bits:
        return union(self.rings(most))

    def __getitem__(self, h: Hex) -> int:
        found = self.get(h)
        if found is None:
            raise KeyError(h)
        return int(found)

    def __contains__(self, h: object) -> bool:
        return isinstance(h, int) and self.get(h) is not None

    def __iter__(self) -> Iterator[Hex]:
        return (h for ring in self.rings() for h in members(ring))

    def __len__(self) -> int:
        return self.within().bit_count()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Lengths) and self.rings() == other.rings()

    __hash__ = None  # type: ignore[assignment]


@fact(LINES)
def road_lengths(g: Board, side: Side, starts: Bits) -> Lengths:
    """13.2.1 How far the hexes are from the start along free roads; the start itself need not be free."""
    step = partial(spread_along, g.map.grid, links=roads_of(g, side))
    return Lengths(Measure(starts, step, free_of(g, side)), ANY)


@fact(LINES)
def road_within(g: Board, side: Side, starts: Bits, most: int) -> Bits:
    """The hexes that are not further along free roads."""
    return road_lengths(g, side, starts).within(most)


@fact(LINES)
def path_lengths(g: Board, side: Side, starts: Bits, most: int) -> Lengths:
    """13.3 How far the hexes are from the start over free land, up to a length."""
    return Lengths(_over_land(g, side, starts), most)


@fact(LINES)
def _over_land(g: Board, side: Side, starts: Bits) -> Measure:
    """The same, measured once for all lengths."""
    step = partial(spread_along, g.map.grid, links=_passes_of(g, side))
    return Measure(starts, step, free_of(g, side))


def path_length(g: Board, side: Side, h: Hex, starts: Bits, most: int, *, across: bool) -> int | None:
    """13.3 The length of the shortest path from a unit's hex; `across`: it may cross a river beside the unit."""
    if not starts:
        return None
    lengths = path_lengths(g, side, starts, most)
    return shortest(g, side, h, lengths, most) if across else lengths.get(h)


def shortest(g: Board, side: Side, h: Hex, lengths: Lengths, most: int) -> int | None:
    """13.3 The same where it may cross a river beside the unit."""
    found: int | None = lengths.get(h)
    if banks_of(g, side) >> h & 1:
        for d, n in enumerate(g.map.grid.neighbours[h]):
            if n >= 0 and _over_river(g, side)[d] >> h & 1:
                other = lengths.get(n, most)
                if other < most and (found is None or other + 1 < found):
                    found = other + 1
    return found


@fact(LINES)
def in_reach(g: Board, side: Side, starts: Bits, most: int) -> Bits:
    """13.3 The hexes from which a unit has a path of at most that length, across a river beside it too."""
    lengths, over = path_lengths(g, side, starts, most), _from_over_river(g, side)
    return lengths.within() | spread_along(g.map.grid, lengths.within(most - 1), over)


@fact(LINES)
def joined(g: Board, side: Side, starts: Bits) -> Bits:
    """13.3 The hexes from which a free path of any length leads to one of the starts."""
    return flood(g.map.grid, starts, free_of(g, side), barriers_of(g, side))


@fact(LINES)
def connected(g: Board, side: Side, h: Hex) -> Bits:
    """13.3 The hexes from which a unit has a path of any length to a hex, across a river beside it too."""
    known = _memo_of_parts(g, side)
    found = next((s for s in known if s >> h & 1), 0)
    if not found:
        found = joined(g, side, 1 << h)
        if free_of(g, side) >> h & 1:
            known.append(found)
    return found | spread_along(g.map.grid, found, _from_over_river(g, side))


@fact(LINES)
def _memo_of_parts(g: Board, side: Side) -> list[Bits]:
    """The parts of the free ground that are known, each with all that is joined to it."""
    return []


def land_path(g: Board, side: Side, h: Hex, starts: Bits, most: int, *, across: bool) -> tuple[Hex, ...]:
    """A shortest path from a unit's hex to one of the hexes, the first hex entered first; () where there is none."""
    length = path_length(g, side, h, starts, most, across=across)
    if not length:
        return ()
    lengths, barriers, over = path_lengths(g, side, starts, most), barriers_of(g, side), _over_river(g, side)
    path = [h]
    while len(path) <= length:
        here, left = path[-1], length - len(path)
        for d, n in enumerate(g.map.grid.neighbours[here]):
            swims = across and len(path) == 1 and over[d] >> here & 1
            if n >= 0 and lengths.get(n) == left and (swims or not barriers[d] >> here & 1):
                path.append(n)
                break
        else:
            return ()
    return tuple(path[1:])


def road_path(g: Board, side: Side, h: Hex, starts: Bits) -> tuple[Hex, ...]:
    """A shortest free road from a hex to one of the starts; () where there is none."""
    lengths, links = road_lengths(g, side, starts), roads_of(g, side)
    path = [h]
    while lengths.get(path[-1], 0):
        here = path[-1]
        path.append(
            next(
                n
                for d, n in enumerate(g.map.grid.neighbours[here])
                if n >= 0 and links[d] >> here & 1 and lengths.get(n) == lengths[here] - 1
            )
        )
    return tuple(path[1:])


def supply_range(g: Board, side: Side) -> int:
    """13.4.1 The supply range of a side on this ground."""
    c = g.charts.constants
    german = (c.german_range_frozen, c.german_range_mud)
    return (german if side == GERMAN else (c.soviet_range_frozen, c.soviet_range_mud))[g.condition]
