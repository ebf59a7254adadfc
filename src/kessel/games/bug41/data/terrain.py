"""The printed map as the terrain chart reads it: rows of hexes and hexsides, bridges, prices of a step.

Nothing here depends on where units stand, except that a caller says whether a pillbox works.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from kessel.core.errors import BadInput
from kessel.core.hexes import NO_HEX, Bits, Direction, Grid, Hex
from kessel.core.hexset import Sides, bits, members, shift
from kessel.core.terrain import Map
from kessel.games.bug41.data.charts import Charts, Cost, TerrainRow

ROAD, RAILWAY = "road", "railway"
CLEAR, MARSH, VILLAGE, TOWN, LIGHT_FOREST, DENSE_FOREST = (
    "clear",
    "marsh",
    "village",
    "town",
    "light_forest",
    "dense_forest",
)
PILLBOX_IN_CLEAR, PILLBOX_IN_FOREST = "pillbox_in_clear", "pillbox_in_forest"
STREAM, BRIDGED_STREAM, BUG, BRIDGED_BUG, LAKE = "stream", "bridged_stream", "bug", "bridged_bug", "lake"
SUPPLY_AREAS = (("german_supply",), ("north_soviet_supply", "south_soviet_supply", "east_soviet_supply"))
"""Areas of map-edge hexes beside a supply area, by side."""

READINGS = ("stream_bridges", "town_bridges", "village_pillbox")
"""The switches on which the ground depends."""

NO_ENTRY = -1
"""The price of a step nobody of that class may take."""
ALL_POINTS = -2
"""The price of a step that takes the whole allowance."""

LEG, MOTORIZED, SLOWEST, BOTH = 0, 1, -1, -2
"""Who pays: one class, both the dearer price, or each its own."""
PAIR = 1 << 10
"""Where each pays its own, one number stands for both prices: a half of the motorized units counts so much."""


class Ground:
    """One map with the readings that decide where bridges are and how pillboxes in villages fight."""

    def __init__(self, map: Map, charts: Charts, readings: Mapping[str, str] | None = None) -> None:
        self.map, self.charts, self.grid = map, charts, map.grid
        self.readings = charts.readings.chosen(readings or {})
        unknown = map.terrains() - set(charts.terrain)
        if unknown:
            raise BadInput(f"the terrain chart has no row {min(unknown)!r}")
        self.rows: tuple[TerrainRow, ...] = tuple(charts.terrain[w or CLEAR] for w in map.terrain)
        """The row of each hex without its pillbox."""
        self.pillboxes = map.with_feature("pillbox")
        self.villages, self.towns = map.of_terrain(VILLAGE), map.of_terrain(TOWN)
        self.hq_hexes = self.villages | self.towns
        self.forest = map.of_terrain(LIGHT_FOREST, DENSE_FOREST)
        self.marsh = map.of_terrain(MARSH)
        self.bug, self.stream, self.lake = map.sides(BUG), map.sides(STREAM), map.sides(LAKE)
        self.roads, self.railways = map.links(ROAD), map.links(RAILWAY)
        self.bridged_bug = self._bridged(self.bug, (self.roads, self.railways), self.towns)
        self.open_bug: Sides = tuple(self.bug[d] & ~self.bridged_bug[d] for d in range(6))
        """Hexsides of the Bug without a bridge."""
        carriers = (self.roads, self.railways) if self._reads("stream_bridges", "roads_and_railways") else (self.roads,)
        towns = self.towns if self._reads("town_bridges", "bug_and_streams") else 0
        self.bridged_stream = self._bridged(self.stream, carriers, towns)
        self.brandenburg: Sides = map.links_with(ROAD, "brandenburg")
        """Hexsides of the bridges seized on the first turn."""
        self.path_blocked: Sides = tuple(self.open_bug[d] | self.lake[d] for d in range(6))
        """PA-supply.broken.3: hexsides no supply path crosses."""
        self.path_open: Sides = tuple(self.grid.all & ~sides for sides in self.path_blocked)
        self.beside_water: Bits = _any_of(self.path_blocked)
        """The hexes with such a side."""
        self.zone_blocked: tuple[Sides, Sides] = (self._zone_blocked("infantry_zone"), self._zone_blocked("afv_zone"))
        """Hexsides no zone crosses, of infantry and of AFV and AT units."""
        self.zone_open = tuple(tuple(self.grid.all & ~sides for sides in blocked) for blocked in self.zone_blocked)
        self.zone_hexes = tuple(
            bits(h for h in self.grid.hexes if getattr(self.rows[h], column))
            for column in ("infantry_zone", "afv_zone")
        )
        """Hexes their zones reach into, pillboxes left aside."""
        boxed = {h: self.row_of(h, pillbox=True) for h in members(self.pillboxes)}
        self.zone_by_pillbox = bits(
            h
            for h, row in boxed.items()
            if (row.infantry_zone, row.afv_zone) != (self.rows[h].infantry_zone, self.rows[h].afv_zone)
        )
        """Hexes whose pillbox has a say on zones."""
        self.supply = tuple(self.area(*names) for names in SUPPLY_AREAS)
        self.west_bank, self.volodymyr = self.area("west_bank"), self.area("volodymyr")
        self.attackable = self._attackable()
        """By hex: those next to it that can be attacked from there."""
        self._near: dict[tuple[str, int], Bits] = {}
        self._priced: dict[int, PricedSteps] = {}

    def _reads(self, switch: str, choice: str) -> bool:
        return self.readings.get(switch) == choice

    def _bridged(self, water: Sides, carriers: tuple[Sides, ...], towns: Bits) -> Sides:
        """Hexsides of the water that a link crosses, and those of the towns beside it."""
        found = [water[d] & _any_of(c[d] for c in carriers) for d in range(6)]
        for h in members(towns):
            for d in range(6):
                if water[d] >> h & 1:
                    found[d] |= 1 << h
                    n = self.grid.neighbours[h][d]
                    found[self.grid.direction(n, h)] |= 1 << n
        return tuple(found)

    def _zone_blocked(self, column: str) -> Sides:
        found = [0] * 6
        for h in self.grid.hexes:
            for d in range(6):
                row = self.side_row(h, d)
                if row is not None and getattr(row, column) is False:
                    found[d] |= 1 << h
        return tuple(found)

    def _attackable(self) -> list[Bits]:
        found = [0] * self.grid.size
        for h in self.grid.hexes:
            for d, n in enumerate(self.grid.neighbours[h]):
                row = self.side_row(h, d)
                if n != NO_HEX and (row is None or not row.no_attack):
                    found[h] |= 1 << n
        return found

    # --- places ----------------------------------------------------------------------------------------------------

    def area(self, *names: str) -> Bits:
        """The hexes of these areas; an area the map does not have is empty."""
        return _any_of(self.map.areas.get(name, 0) for name in names)

    def near(self, area: str, hexes: int) -> Bits:
        """All hexes within a distance of an area, whatever lies between."""
        key = (area, hexes)
        if key not in self._near:
            inside = members(self.area(area))
            near = (h for h in self.grid.hexes if any(self.grid.distance(h, a) <= hexes for a in inside))
            self._near[key] = bits(near)
        return self._near[key]

    def hq_room(self, h: Hex) -> int:
        """How many HQs may stand in a hex."""
        stacking = self.charts.constants.stacking
        if self.villages >> h & 1:
            return stacking.hqs_in_village
        return stacking.hqs_in_town if self.towns >> h & 1 else 0

    # --- rows ------------------------------------------------------------------------------------------------------

    def row_of(self, h: Hex, *, pillbox: bool) -> TerrainRow:
        """The row of the chart a hex uses; `pillbox` says whether one in it works."""
        if not pillbox or not self.pillboxes >> h & 1:
            return self.rows[h]
        if self.forest >> h & 1:
            return self.charts.terrain[PILLBOX_IN_FOREST]
        if self.hq_hexes >> h & 1 and self._reads("village_pillbox", "as_the_village"):
            return self.rows[h]
        return self.charts.terrain[PILLBOX_IN_CLEAR]

    def side_row(self, h: Hex, d: Direction) -> TerrainRow | None:
        """The row of the chart a hexside uses; None where there is no water."""
        for water, bridged, names in (
            (self.bug, self.bridged_bug, (BUG, BRIDGED_BUG)),
            (self.stream, self.bridged_stream, (STREAM, BRIDGED_STREAM)),
        ):
            if water[d] >> h & 1:
                return self.charts.terrain[names[bridged[d] >> h & 1]]
        return self.charts.terrain[LAKE] if self.lake[d] >> h & 1 else None

    @cached_property
    def steps(self) -> list[tuple[Steps, ...]]:
        """All steps out of each hex."""
        found: list[tuple[Steps, ...]] = [()] * self.grid.size
        for h in self.grid.hexes:
            some = []
            for d, n in enumerate(self.grid.neighbours[h]):
                if n == NO_HEX:
                    continue
                leg, wheels = (self.link_price(h, d, motorized=m) for m in (False, True))
                plain, boxed = (
                    tuple(self.step_price(h, d, motorized=m, pillbox=box) for m in (False, True))
                    for box in (False, True)
                )
                links = None if leg is None or wheels is None else (leg, wheels)
                boxed = plain if boxed == plain else boxed
                some.append(Steps(n, d, links, plain, boxed))  # type: ignore[arg-type]
            found[h] = tuple(some)
        return found

    def priced_steps(self, payer: int) -> PricedSteps:
        """All steps as those pay them."""
        found = self._priced.get(payer)
        if found is None:
            found = self._priced[payer] = PricedSteps(self.grid, self.steps, payer)
        return found

    # --- prices ----------------------------------------------------------------------------------------------------

    def link_price(self, h: Hex, d: Direction, *, motorized: bool) -> int | None:
        """Halves of a movement point along the road, else the railway, over a hexside; None without either."""
        for name, sides in ((ROAD, self.roads), (RAILWAY, self.railways)):
            if sides[d] >> h & 1:
                return _cost(self.charts.terrain[name], motorized).halves
        return None

    def step_price(self, h: Hex, d: Direction, *, motorized: bool, pillbox: bool, boat: bool = False) -> int:
        """Halves of a movement point for a step off roads, or NO_ENTRY, or ALL_POINTS."""
        n = self.grid.neighbours[h][d]
        base = _cost(self.row_of(n, pillbox=pillbox), motorized).halves
        water = self.side_row(h, d)
        if water is None:
            return base
        crossing = _cost(water, motorized)
        if crossing.kind == "no" or (crossing.kind == "boat" and not boat):
            return NO_ENTRY
        return ALL_POINTS if crossing.kind == "all" else base + crossing.halves


def ground_of(map: Map, charts: Charts, readings: Mapping[str, str]) -> Ground:
    """One for all boards of a map that read it alike."""
    key = (Ground, charts, *(readings[switch] for switch in READINGS))
    found: Ground | None = map.cache.get(key)
    if found is None:
        found = map.cache[key] = Ground(map, charts, readings)
    return found


class Steps(NamedTuple):
    """A step out of a hex as a search reads it: where it leads and what it costs along a link, else off it."""

    to: Hex
    direction: Direction
    links: tuple[int, int] | None
    """By class, leg and motorized."""
    prices: tuple[int, int]
    with_pillbox: tuple[int, int]


def _cost(row: TerrainRow, motorized: bool) -> Cost:
    return row.motorized if motorized else row.leg


def _any_of(sets: Iterable[Bits]) -> Bits:
    found = 0
    for s in sets:
        found |= s
    return found


class PricedSteps:
    """The steps of a map at the prices of one class, sorted so that sets of hexes can take them at once."""

    def __init__(self, grid: Grid, steps: list[tuple[Steps, ...]], payer: int) -> None:
        self.out: list[tuple[tuple[Hex, Direction, int | None, int, int], ...]] = [
            tuple(
                (
                    *(s.to, s.direction, None if s.links is None else _for_one(s.links, payer)),
                    *(_for_one(s.prices, payer), _for_one(s.with_pillbox, payer)),
                )
                for s in some
            )
            for some in steps
        ]
        """Steps out of each hex: to, direction, price along a link, beside it, and with the pillbox of the hex."""
        enter: dict[Hex, tuple[int, int]] = {}
        for n, _, _, price, boxed in (step for some in self.out for step in some if step[3] >= 0):
            enter[n] = min(enter.get(n, (price, boxed)), (price, boxed))
        usual = [0] * 6
        flat: dict[int, list[Bits]] = {}
        extra: dict[int, list[Bits]] = {}
        for h, some in enumerate(self.out):
            for n, d, link, price, boxed in some:
                if price >= 0:
                    more = boxed - enter[n][1]
                    (extra.setdefault(more, [0] * 6) if more else usual)[d] |= 1 << h
                if link is not None:
                    flat.setdefault(link, [0] * 6)[d] |= 1 << h
        self.rough = bits(h for h, some in enumerate(self.out) if any(not usual[d] >> h & 1 for _, d, *_ in some))
        """The hexes that some step leaves at another price, or not at all."""
        self.usual = _into(grid, usual)
        """Steps at the price of the hex entered, each set by the hexes they lead to."""
        self.extra = [(more, _into(grid, sides), _any_of(sides)) for more, sides in sorted(extra.items())]
        """Steps at that price and more; by which hexes they leave."""
        self.flat = [(price, _into(grid, sides), _any_of(sides)) for price, sides in sorted(flat.items())]
        """Steps along links at a price of their own."""
        self.enter = enter
        self.base = self._sorted({n: boxed for n, (_, boxed) in enter.items()})
        """The hexes by the price to enter them, pillboxes counted."""
        self._bases: dict[Bits, list[tuple[int, Bits]]] = {0: self.base}
        self._into: list[list[tuple[Hex, int | None, int, int]]] = [[] for _ in steps]
        for h, some in enumerate(self.out):
            for n, _, link, price, boxed in some:
                self._into[n].append((h, link, price, boxed))

    def into(self, h: Hex) -> list[tuple[Hex, int | None, int, int]]:
        """The steps into a hex: from, price along a link, beside it, and with the pillbox of the hex."""
        return self._into[h]

    def base_with(self, cheap: Bits) -> list[tuple[int, Bits]]:
        """The same if the pillboxes of some hexes cost nothing more."""
        found = self._bases.get(cheap)
        if found is None:
            now = {n: price if cheap >> n & 1 else boxed for n, (price, boxed) in self.enter.items()}
            found = self._bases[cheap] = self._sorted(now)
        return found

    def _sorted(self, prices: Mapping[Hex, int]) -> list[tuple[int, Bits]]:
        return [(p, bits(n for n, price in prices.items() if price == p)) for p in sorted(set(prices.values()))]


def _into(grid: Grid, sides: Sequence[Bits]) -> Sides:
    """The hexes entered by steps over these hexsides."""
    return tuple(shift(grid, s, d) for d, s in enumerate(sides))


def _for_one(prices: tuple[int, int], payer: int) -> int:
    if payer == BOTH and min(prices) >= 0:
        return prices[0] + PAIR * prices[1]
    return prices[payer] if payer >= 0 else dearer(prices)


def dearer(prices: tuple[int, int]) -> int:
    """What leg and motorized units pay who move as the slowest of them."""
    return next((p for p in (NO_ENTRY, ALL_POINTS) if p in prices), max(prices))
