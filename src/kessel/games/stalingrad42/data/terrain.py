"""2.2 The map: what the rules ask of it, as hex sets made once per map.

This is the only module that knows the words of `board.json`:

* terrain: clear desert rough woods wooded_rough marsh seasonal_marsh mountain alpine minor_city major_city; sea and
  unplayable hexes are drawn and never entered
* features: town landmark port (with its `sea`: azov or black) fort (printed Fortifications)
* hexsides: minor_river major_river volga lake sea impassable alpine ferry
* links: primary_road secondary_road; rail with the features green (to be repaired), start_repaired, caspian, unfinished
  (`opens` on a turn); as special links ferry_rail (5.5.7) and shipping_path (5.7.1, with its `sea`)
* boxes of kind entry: Entry Areas; of kind transit: the Caspian Sea Transit Box
* areas: sheet_a sheet_b sheet_c1 sheet_c2, west_of_start_line, fort_group_north fort_group_south fort_group_rostov
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

from kessel.core.hexes import NO_HEX, Bits, Direction, Grid, Hex
from kessel.core.hexset import Sides, any_side, bits, both_ways, minus, union
from kessel.core.terrain import Map
from kessel.games.stalingrad42.data.forces import SIDES
from kessel.wargame.positions import check_words

ROAD_KINDS = ("primary_road", "secondary_road")
"""The better one first."""
LAST_TURN = 36
ENTRY_KINDS = ("entry", "transit")
WATER = ("sea", "unplayable")
TERRAINS = frozenset(
    (
        *("clear", "desert", "rough", "woods", "wooded_rough", "marsh", "seasonal_marsh", "mountain", "alpine"),
        *("minor_city", "major_city", *WATER),
    )
)
HEXSIDES = frozenset(("minor_river", "major_river", "volga", "lake", "sea", "impassable", "alpine", "ferry"))
LINKS = frozenset(("primary_road", "secondary_road", "rail", "ferry_rail", "shipping_path"))
FEATURES = ("town", "landmark", "port", "fort", "airfield", "vp", "kerch_landing", "naval_base", "volga_bridge")
"""Of hexes: those that rules ask for, then words on the printed map that say what a rule says by hex number."""
RAIL_FEATURES = ("green", "start_repaired", "caspian", "unfinished")
SEAS = ("", "azov", "black", "kerch_strait")
SPECIAL_LINKS = ("ferry_rail", "shipping_path")
FORT_GROUPS = ("fort_group_north", "fort_group_south", "fort_group_rostov")
"""9.7.7 The printed Fortifications that are deactivated together, as areas of the board."""


class Season(NamedTuple):
    """What freezes and closes in Winter (23.4)."""

    impassable: Sides
    """2.2.3: Sea, open Lakes, Alpine in Winter."""
    closed: Sides
    """Impassable or Volga: no ZOC, no adjacency."""
    major: Sides
    """Unfrozen Major Rivers."""
    frozen: Sides
    """Frozen Major Rivers and Lakes."""
    alpine: Sides
    """Alpine hexsides that Mountain units may still cross."""


class Ground:
    """The map in the words of the rulebook."""

    def __init__(self, m: Map) -> None:
        _check_words(m)
        self.map = m
        self.grid = grid = m.grid
        self.water = m.of_terrain(*WATER)
        self.playable = grid.all & ~self.water
        self.major_city = m.of_terrain("major_city")
        self.minor_city = m.of_terrain("minor_city")
        self.city = self.major_city | self.minor_city
        self.clear = m.of_terrain("clear")
        self.desert = m.of_terrain("desert")
        self.seasonal = m.of_terrain("seasonal_marsh")
        self.marsh = m.of_terrain("marsh")
        self.mountain = m.of_terrain("mountain", "alpine")
        self.town = m.with_feature("town")
        self.landmark = m.with_feature("landmark")
        self.port = m.with_feature("port")
        self.printed_fort = m.with_feature("fort")
        self.vp = m.vp
        self.vp_hexes = bits(self.vp)
        self.controllable = self.city | self.vp_hexes | self.port
        """16.3.4 Cities and VP hexes; Ports too, because Taman and Temryuk can be captured (16.2.4, 16.2.5)."""
        self.minor = m.sides("minor_river")
        self.volga = m.sides("volga")
        self.ferry = m.sides("ferry")
        self.roads = {kind: m.links(kind) for kind in ROAD_KINDS}
        self.any_road = any_side(*self.roads.values())
        self.on_road = union(self.any_road)
        self.north = m.area("maps_ab") or m.area("sheet_a") | m.area("sheet_b")
        if not any(key.startswith("sheet_") for key in m.areas):
            self.north = grid.all
        self.seasons = (self._season(winter=False), self._season(winter=True))
        self.rail_stage = _rail_stages(m)
        """By turn: the latest turn up to it on which an unfinished railroad was completed, 0 before (17.5)."""
        self._rails = {stage: _rails(m, stage) for stage in set(self.rail_stage)}
        self.edge = _off_map(grid)
        self.edge_hexes = union(self.edge)
        self.rows = _rows(m)
        self.entry_boxes = tuple(grid.size + i for i, b in enumerate(m.boxes) if b.kind in ENTRY_KINDS)
        self.kerch_boxes = tuple(p for p in self.entry_boxes if m.box(p).facts.get("kerch"))
        """Entry Area W, left only over the Kerch Strait (5.7.2)."""
        self.area_boxes = tuple(p for p in self.entry_boxes if m.box(p).kind == "entry")
        """All Entry Areas; the Caspian Sea Transit Box is none."""
        self.land_boxes = tuple(p for p in self.entry_boxes if p not in self.kerch_boxes and m.box(p).kind == "entry")
        """Entry Areas at the map's edge."""
        self.land_edges = tuple((p, m.box(p).hexes) for p in self.land_boxes)
        """The same, each with the hexes next to it."""

    def _season(self, *, winter: bool) -> Season:
        m, grid = self.map, self.grid
        lake = m.sides("lake")
        touching = both_ways(grid, tuple(six & self.desert for six in lake))
        frozen_lake = touching if winter else (0,) * 6
        alpine = any_side(m.sides("alpine"), both_ways(grid, (m.of_terrain("alpine"),) * 6))
        shore = both_ways(grid, (self.water,) * 6)
        impassable = any_side(
            shore, m.sides("sea", "impassable"), minus(lake, frozen_lake), alpine if winter else (0,) * 6
        )
        major = m.sides("major_river")
        in_north = tuple(six & self.north & _shift_back(grid, self.north, d) for d, six in enumerate(major))
        frozen_major = in_north if winter else (0,) * 6
        return Season(
            impassable=impassable,
            closed=any_side(impassable, self.volga),
            major=minus(major, frozen_major),
            frozen=any_side(frozen_major, frozen_lake),
            alpine=(0,) * 6 if winter else alpine,
        )

    def road(self, h: Hex, d: Direction) -> str:
        """The kind of road from a hex over a hexside, "" where there is none; the better one where both run."""
        for kind, six in self.roads.items():
            if six[d] >> h & 1:
                return kind
        return ""

    def road_in(self, h: Hex) -> str:
        """The best road in a hex."""
        for kind, six in self.roads.items():
            if any(s >> h & 1 for s in six):
                return kind
        return ""

    def rail(self, turn: int) -> Sides:
        """The railroads one may use on a turn (5.6.6, 17.5)."""
        return self._rails[self.rail_stage[turn]]

    def row(self, h: Hex) -> int:
        """The second pair of a hex number; 0 on boards without printed numbers (they count as north)."""
        return self.rows[h]


def ground(m: Map) -> Ground:
    found: Ground | None = m.cache.get("ground")
    if found is None:
        found = m.cache["ground"] = Ground(m)
    return found


def _check_words(m: Map) -> None:
    check_words(
        m,
        terrain=TERRAINS,
        features=FEATURES,
        hexsides=HEXSIDES,
        links=LINKS,
        seas=SEAS,
        link_features=RAIL_FEATURES,
        boxes=(ENTRY_KINDS, ("", *SIDES)),
    )


def _rail_stages(m: Map) -> list[int]:
    opens = {x.opens for x in m.drawn_links if x.kind == "rail" and "unfinished" in x.features}
    return [max((t for t in opens if 0 < t <= turn), default=0) for turn in range(LAST_TURN + 2)]


def _rails(m: Map, turn: int) -> Sides:
    six = [0] * 6
    for link in m.drawn_links:
        if link.kind != "rail" or link.special or "caspian" in link.features:
            continue
        if "unfinished" in link.features and not 0 < link.opens <= turn:
            continue
        for a, b in itertools.pairwise(link.path):
            d = m.grid.direction(a, b)
            six[d] |= 1 << a
            six[(d + 3) % 6] |= 1 << b
    return tuple(six)


def _shift_back(grid: Grid, s: Bits, d: Direction) -> Bits:
    """The hexes whose neighbour in direction d is in s."""
    o = grid.offsets[d]
    return (s >> o if o > 0 else s << -o) & grid.all


def _off_map(grid: Grid) -> tuple[Bits, ...]:
    """The hexsides at which the board ends."""
    six = [0] * 6
    for h in grid.hexes:
        for d, n in enumerate(grid.neighbours[h]):
            if n == NO_HEX:
                six[d] |= 1 << h
    return tuple(six)


def _rows(m: Map) -> list[int]:
    names = (m.grid.name(h) for h in range(m.grid.size))
    return [int(n[2:]) if len(n) == 4 and n.isdigit() else 0 for n in names]
