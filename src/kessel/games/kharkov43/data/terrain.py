"""2.1 The map: its hexes, edges, lines and targets as hex sets, read once from the board and shared.

The words a board may use are listed in docs/positions-kharkov43.md.
"""

from __future__ import annotations

from itertools import pairwise

from kessel.core.board import Board
from kessel.core.facts import FOREVER, fact
from kessel.core.forces import Side
from kessel.core.hexes import Bits, Direction, Hex
from kessel.core.hexset import any_side, members, minus, spread_through, within
from kessel.core.terrain import Map
from kessel.games.kharkov43.data.forces import FRONTS, KEMPF, PANZER_1, PANZER_4

TERRAINS = ("clear", "broken", "marsh", "woods", "town", "city")
FEATURES = (
    "village",
    "vp",
    "map_edge_vp",
    "road_exit",
    "target_voronezh",
    "target_southwest",
    "logistics_voronezh",
    "logistics_southwest",
)
RIVERS = ("minor_river", "donets", "dniepr", "blocked_dniepr")
LINKS = ("road",)
AREAS = (
    "soviet_edge",
    "german_edge",
    "east_support_zone",
    "west_support_zone",
    "far_limit_zone",
    "deploy_raus",
    "deploy_4pz",
    "deploy_1pz",
    "soviet_start",
    "logistics_voronezh",
    "logistics_southwest",
)
ARROW_KINDS = ("primary", "secondary")
FAR_AWAY = 255


class Ground:
    """What the rules ask of the map."""

    def __init__(self, m: Map) -> None:
        self.map, self.all = m, m.grid.all
        self.towns = m.of_terrain("town", "city")
        """Town and city hexes."""
        self.cities = m.of_terrain("city")
        self.villages = m.with_feature("village")
        self.edge_vps = m.with_feature("map_edge_vp")
        """The map-edge VP hexes."""
        self.vp_hexes = self.towns | self.edge_vps
        """Towns, cities and map-edge VP hexes."""
        self.edges = (m.area("german_edge"), m.area("soviet_edge"))
        """The friendly map-edge hexes of each side."""
        self.exits = m.with_feature("road_exit")
        """Map-edge hexes with a road leading off the map."""
        self.blocked = m.sides("blocked_dniepr")
        """Blocked Dniepr hexsides."""
        self.roads = minus(m.links("road"), self.blocked)
        """Road hexsides, by direction."""
        self.road_hexes = m.on_link("road")
        self.dniepr = minus(m.sides("dniepr"), self.roads)
        """Unbridged Dniepr hexsides that can be crossed."""
        self.dniepr_or_blocked = any_side(self.dniepr, self.blocked)
        self.donets = minus(m.sides("donets"), self.roads)
        """Unbridged Donets hexsides."""
        self.targets = {f: m.with_feature(f"target_{f.lower()}") for f in FRONTS}
        self.logistics = {f: m.with_feature(f"logistics_{f.lower()}") for f in FRONTS}
        self.east_zone = m.area("east_support_zone")
        """The Soviet side of the artillery line, which is also the east support line."""
        self.west_zone = m.area("west_support_zone")
        """The Soviet side of the west support line, which is also the near operational limit."""
        self.far_zone = m.area("far_limit_zone")
        """The Soviet side of the far operational limit."""
        areas = {KEMPF: "deploy_raus", PANZER_4: "deploy_4pz", PANZER_1: "deploy_1pz"}
        self.deployment = {army: m.area(area) for army, area in areas.items()}
        self.town_list = tuple(members(self.towns))
        self._adjacent = [
            spread_through(m.grid, 1 << h, self.blocked) if m.grid.all >> h & 1 else 0 for h in range(m.grid.size)
        ]
        self._around: dict[tuple[Hex, int], Bits] = {}
        self.village_list = tuple(sorted(members(self.villages), key=m.grid.name, reverse=True))
        """15.1: in descending order of their numbers."""

    def line_zone(self, line: str) -> Bits:
        """The Soviet side of a line by its name on the board: east_support, west_support, far_limit."""
        return {"east_support": self.east_zone, "west_support": self.west_zone, "far_limit": self.far_zone}[line]

    def edge(self, side: Side) -> Bits:
        return self.edges[side]

    def name(self, h: Hex) -> str:
        """Its town's name, else its number."""
        return self.map.name.get(h) or self.map.grid.name(h)

    def vp_value(self, h: Hex) -> int:
        return self.map.vp.get(h, 0)

    def is_target(self, h: Hex, front: str) -> bool:
        return bool(self.targets[front] >> h & 1)

    def is_only_target(self, h: Hex, front: str) -> bool:
        """Targeted for that front and not for the other."""
        return self.is_target(h, front) and not any(self.is_target(h, f) for f in FRONTS if f != front)

    def is_bridged(self, h: Hex, d: Direction) -> bool:
        """10.32 A river hexside crossed by a road."""
        return bool(self.roads[d] >> h & 1)

    @fact(FOREVER)
    def distances(self, h: Hex) -> bytes:
        """Hexes from h to every hex, never across a blocked Dniepr hexside (9.3); FAR_AWAY where there is no way."""
        found = bytearray([FAR_AWAY]) * self.map.grid.size
        for n, (closer, close) in enumerate(pairwise(self.discs(h))):
            for at in members(close ^ closer):
                found[at] = n
        return bytes(found)

    @fact(FOREVER)
    def discs(self, h: Hex) -> tuple[Bits, ...]:
        """By n: the hexes less than n hexes away from h, as `distances` counts; the last of them are all that are."""
        found, seen, wider = [0], 0, 1 << h
        while wider != seen:
            found.append(wider)
            seen, wider = wider, wider | spread_through(self.map.grid, wider, self.blocked)
        return tuple(found)

    def closer(self, h: Hex, n: int) -> Bits:
        """The hexes less than n hexes away from h."""
        discs = self.discs(h)
        return discs[min(n, len(discs) - 1)]

    def closest(self, h: Hex, among: Bits) -> Bits:
        """Those of the hexes that are closest to h."""
        discs = self.discs(h)
        low, high = 0, len(discs) - 1
        if not among & discs[high]:
            return among
        while high - low > 1:
            middle = (low + high) // 2
            if among & discs[middle]:
                high = middle
            else:
                low = middle
        return among & discs[high]

    def farthest(self, h: Hex, among: Bits) -> Bits:
        """Those of the hexes that are farthest from h."""
        discs = self.discs(h)
        low, high = 0, len(discs) - 1
        if out := among & ~discs[high]:
            return out
        while high - low > 1:
            middle = (low + high) // 2
            if among & ~discs[middle]:
                low = middle
            else:
                high = middle
        return among & ~discs[low]

    def distance(self, a: Hex, b: Hex) -> int:
        """9.3 Closer and closest: counting hexes, not across a blocked Dniepr hexside."""
        discs, there = self.discs(a), 1 << b
        if not discs[-1] & there:
            return FAR_AWAY
        low, high = 0, len(discs) - 1
        while high - low > 1:
            middle = (low + high) // 2
            if discs[middle] & there:
                high = middle
            else:
                low = middle
        return low

    def around(self, h: Hex, n: int) -> Bits:
        """The hexes at most n away as the crow flies."""
        found = self._around.get((h, n))
        if found is None:
            found = self._around[h, n] = within(self.map.grid, 1 << h, n)
        return found

    def adjacent_units(self, h: Hex) -> Bits:
        """The hexes adjacent to h as units see it: not across a blocked Dniepr hexside (9.3)."""
        return self._adjacent[h]


@fact(FOREVER)
def ground_of(g: Board) -> Ground:
    """What the rules ask of that board's map."""
    return Ground(g.map)
