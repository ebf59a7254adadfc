"""2.1 The map, 10.1 what a step costs, 4.1 what a line of supply costs.

`Ground` is what is printed: roads, rivers, gorges, cities, edges, the two banks of the Don. `Crossings` is the same map
with some bridges destroyed and some pontoons laid: roads in use, hexsides that stop zones of control, prices of steps
and of lines. Both are kept on the map; a game only says which crossings stand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from kessel.core.board import Board
from kessel.core.breakdown import Item, Refusal
from kessel.core.facts import FOREVER, fact
from kessel.core.hexes import NO_HEX, Bits, Direction, Grid, Hex, Hexside
from kessel.core.hexset import NO_SIDES, Sides, any_side, bits, flood, flood_links, members, minus, union, within
from kessel.core.paths import Costs
from kessel.core.terrain import Map
from kessel.games.don42.data.charts import CLEAR, POINT, RAIN, WEATHERS, Charts
from kessel.games.don42.data.lines import EVERY_HEX, NO_CHARGE, LineCosts, Lines

DON, VOLGA, GORGE = "minor_river", "major_river", "gorge"
"""Words of the board for hexsides: the Don is the Minor River, the Volga the Major River (10.1.2)."""
MAJOR_ROAD, MINOR_ROAD, RAILROAD = "major_road", "minor_road", "railroad"
CITY, HILL = "city", "hill"
EDGES = ("north", "east", "south", "west")
STALINGRAD = "stalingrad"

MOST_REMEMBERED = 512
MOST_RECENT = 3
MOST_CROSSINGS = 16
MOST_COSTS = 64


class Ground:
    """What is printed on the map, as hex sets."""

    def __init__(self, map: Map, charts: Charts) -> None:
        self.map, self.charts, self.grid = map, charts, map.grid
        self.major, self.minor = map.links(MAJOR_ROAD), map.links(MINOR_ROAD)
        self.roads = map.links(MAJOR_ROAD, MINOR_ROAD)
        self.on_road = map.on_link(MAJOR_ROAD, MINOR_ROAD)
        self.on_major = map.on_link(MAJOR_ROAD)
        self.don, self.volga, self.gorge = map.sides(DON), map.sides(VOLGA), map.sides(GORGE)
        self.city = self._marked(CITY)
        self.hill = self._marked(HILL)
        self.don_hexes = union(self.don)
        """Hexes beside the Don."""
        self.bridges = tuple(self._bridges())
        """7.4 Hexsides where a road crosses a river."""
        self.bridge_index = {side: i for i, side in enumerate(self.bridges)}
        for side, i in list(self.bridge_index.items()):
            self.bridge_index[self.grid.flip(side)] = i
        self.edges = {e: map.area(f"{e}_edge") or self._edge(e) for e in EDGES}
        self.west_bank = map.area("west_bank") or self._west_bank()
        self.east_bank = self.grid.all & ~self.west_bank
        north_east = (self.edges["north"] | self.edges["east"]) & self.on_road
        self.soviet_sources = map.with_feature("soviet_source") or north_east
        """4.2.1 Where roads lead off the northern or eastern edge."""
        self.german_sources = map.with_feature("german_source") or self.edges["west"] & self.on_road & self.west_bank
        """13.2.3 Where roads lead off the western edge."""
        self.stalingrad = map.area(STALINGRAD) or self.city
        self.bit = [*(1 << h for h in range(self.grid.size)), 0]
        """The place of a ground unit as a set of hexes: nothing for NOWHERE, the last."""
        self.attackable = [
            bits(n for d, n in enumerate(six) if n != NO_HEX and not self.volga[d] >> h & 1)
            for h, six in enumerate(self.grid.neighbours)
        ]
        """The hexes next to each that are not across the Volga."""
        self.charge = tuple(self._charges(w) for w in range(len(WEATHERS)))
        """What entering each hex costs off the road, by weather."""
        self.entry = tuple(self._entries(w) for w in range(len(WEATHERS)))
        """15.1 What entering each hex from off the map costs, by the road where there is one, by weather."""
        self._shifts: dict[Hex, tuple[int, str]] = {}
        self._named: dict[tuple[str, ...], Bits] = {}
        self._in_order: dict[Bits, list[Hex]] = {}
        self._around: dict[tuple[Hex, int], Bits] = {}
        self._along_edge: dict[tuple[str, ...], list[Bits]] = {}
        self._costs: dict[tuple[int, frozenset[Hexside]], Costs] = {}
        self._prices: dict[tuple[str, int], dict[int, list[Bits]]] = {}
        self._crossings: dict[tuple[tuple[Hexside, ...], tuple[Hexside, ...]], Crossings] = {}

    def named(self, names: tuple[str, ...]) -> Bits:
        """The hexes of these names, as far as the map has them."""
        if names not in self._named:
            self._named[names] = bits(self.grid.hex(n) for n in names if n in self.grid)
        return self._named[names]

    def in_order(self, s: Bits) -> list[Hex]:
        """The hexes of a set that is often asked for, in ascending order."""
        found = self._in_order.get(s)
        if found is None:
            if len(self._in_order) >= MOST_REMEMBERED:
                self._in_order.clear()
            found = self._in_order[s] = members(s)
        return found

    def around(self, h: Hex, n: int) -> Bits:
        """The hexes at most n away from a hex."""
        found = self._around.get((h, n))
        if found is None:
            found = self._around[h, n] = within(self.grid, 1 << h, n)
        return found

    def along_edge(self, names: tuple[str, ...]) -> list[Bits]:
        """The hexes on the same edge as those named, by how far they are from the nearest of these."""
        found = self._along_edge.get(names)
        if found is None:
            named = self.named(names)
            edge = union([s for s in self.edges.values() if s & named])
            by_distance: dict[int, Bits] = {}
            for h in members(edge):
                far = min(self.grid.distance(h, n) for n in members(named))
                by_distance[far] = by_distance.get(far, 0) | 1 << h
            found = self._along_edge[names] = [by_distance[far] for far in sorted(by_distance)]
        return found

    def _charges(self, weather: int) -> list[int]:
        found = [POINT] * self.grid.size
        for h in self.grid.hexes:
            found[h] = max((self.charts.terrain[w].cost[weather] for w in self.hex_row(h)), default=POINT)
        return found

    def _entries(self, weather: int) -> list[int]:
        found = self.charge[weather][:]
        for h in members(self.on_road):
            road = MAJOR_ROAD if self.on_major >> h & 1 else MINOR_ROAD
            found[h] = self.charts.terrain[road].cost[weather]
        return found

    def crossings(self, destroyed: tuple[Hexside, ...], pontoons: tuple[Hexside, ...]) -> Crossings:
        """The map without these bridges and with these pontoons."""
        found = self._crossings.get((destroyed, pontoons))
        if found is None:
            if len(self._crossings) >= MOST_CROSSINGS:
                self._crossings.clear()
            found = self._crossings[destroyed, pontoons] = Crossings(self, destroyed, pontoons)
        return found

    @cached_property
    def printed(self) -> Crossings:
        """The crossings as printed: every bridge stands, no pontoon."""
        return Crossings(self, (), ())

    def costs(self, weather: int, destroyed: frozenset[Hexside]) -> Costs:
        """Movement costs on the printed map without these bridges."""
        key = (weather, destroyed)
        if key not in self._costs:
            if len(self._costs) >= MOST_COSTS:
                self._costs.clear()
            crossings = Crossings(self, tuple(destroyed), ())
            if destroyed:
                printed = self.costs(weather, frozenset())
                made = printed.altered(lambda a, d, b: crossings.step(weather, a, d, b), destroyed)
            else:
                made = Costs(self.grid, lambda a, d, b: crossings.step(weather, a, d, b))
            self._costs[key] = made
        return self._costs[key]

    def line_prices(self, kind: str, weather: int) -> dict[int, list[Bits]]:
        """Steps of lines on the printed map: price to six sets of hexes left."""
        key = (kind, weather)
        if key not in self._prices:
            by_price: dict[int, list[Bits]] = {}
            for a in self.grid.hexes:
                for d, b in enumerate(self.grid.neighbours[a]):
                    if b != NO_HEX and (price := self.printed.line_step(kind, weather, a, d, b)) < NO_CHARGE:
                        by_price.setdefault(price, [0] * 6)[d] |= 1 << a
            self._prices[key] = by_price
        return self._prices[key]

    def _marked(self, word: str) -> Bits:
        return self.map.of_terrain(word) | self.map.with_feature(word)

    def _bridges(self) -> Iterator[Hexside]:
        for d in range(3):
            for h in members(self.roads[d] & self.don[d]):
                yield canonical(self.grid, h * 6 + d)

    def _edge(self, edge: str) -> Bits:
        """The border hexes of a printed board: first pairs grow to the south, second pairs to the west."""
        names = {h: self.grid.name(h) for h in self.grid.hexes}
        if not all(n.isdigit() for n in names.values()):
            return 0
        rows: dict[int, list[Hex]] = {}
        for h, n in names.items():
            rows.setdefault(int(n[:2]), []).append(h)
        if edge in ("north", "south"):
            return bits(rows[min(rows) if edge == "north" else max(rows)])
        pick = min if edge == "east" else max
        return bits(pick(line, key=lambda h: int(names[h][2:])) for line in rows.values())

    def _west_bank(self) -> Bits:
        """Everything on the western side of the Don, as far as the map shows the river."""
        edge = self.edges["west"] or self.map.with_feature("german_source")
        start = edge & ~self.edges["north"] & ~self.edges["south"] or edge
        if not self.don_hexes or not start:
            return 0
        return flood(self.grid, start, self.grid.all, self.don)

    def hex_row(self, h: Hex) -> tuple[str, ...]:
        """The lines of the chart that apply in a hex: its terrain and what else lies in it."""
        words = (self.map.terrain[h], *self.map.features(h))
        return tuple(w for w in words if w in self.charts.terrain and self.charts.terrain[w].kind == "hex")

    def hex_cost(self, h: Hex, weather: int) -> int:
        """10.1 The most expensive terrain of the hex, in half MPs."""
        return self.charge[weather][h]

    def hex_shift(self, h: Hex) -> tuple[int, str]:
        """12.5.2 Columns to the left for a defender there, and for which terrain."""
        found = self._shifts.get(h)
        if found is None:
            best = max(self.hex_row(h), key=lambda w: self.charts.terrain[w].shift, default="clear")
            found = self._shifts[h] = (self.charts.terrain[best].shift, best)
        return found

    def name(self, h: Hex) -> str:
        found = self.map.name.get(h)
        return f"{self.grid.name(h)} ({found})" if found else self.grid.name(h)


@fact(FOREVER)
def ground_of(g: Board, charts: Charts) -> Ground:
    return Ground(g.map, charts)


class Crossings:
    """The map with the crossings that stand now."""

    def __init__(self, ground: Ground, destroyed: tuple[Hexside, ...], pontoons: tuple[Hexside, ...]) -> None:
        self.ground, self.grid = ground, ground.grid
        flip = ground.grid.flip
        self.destroyed = frozenset(destroyed) | {flip(s) for s in destroyed}
        self.pontoons = frozenset(pontoons) | {flip(s) for s in pontoons}
        self.altered = tuple(sorted(self.destroyed | self.pontoons))
        """Hexsides where steps cost something else than on the printed map."""
        closed = _sides(s for s in self.destroyed if s not in self.pontoons)
        joining = _sides(s for s in self.pontoons if self._can_join_roads(s))
        laid = _sides(self.pontoons)
        self.roads = any_side(minus(ground.roads, closed), joining)
        """Road links in use: none over a destroyed bridge, one over a pontoon between two road hexes (19.4)."""
        self.unbridged = minus(ground.don, self.roads, laid)
        self.unbridged_volga = minus(ground.volga, self.roads)
        self.zone_blocked = any_side(self.unbridged, self.unbridged_volga)
        """3.2.2 Hexsides no zone of control crosses."""
        self.bridged = minus(ground.don, self.unbridged)
        self.bridge_ends = tuple((h, self.grid.neighbours[h][d]) for d in range(3) for h in members(self.bridged[d]))
        """The two end hexes of every bridge and pontoon over the Don that stands."""
        self._going: dict[tuple[int, bool], Going] = {}
        self._line_going: dict[int, Going] = {}
        self._lines: dict[tuple[str, int], LineCosts] = {}
        self.remembered: dict[Any, Any] = {}
        """Floods already made on these crossings, by what they depend on."""
        self._recent: dict[tuple[str, int, Bits], tuple[Lines, ...]] = {}
        """The last floods to each goal."""
        self._nets: tuple[tuple[Bits, Bits], ...] = ()
        """The last road nets, each after its start. What was connected stays so while none of its hexes is closed."""

    def _can_join_roads(self, side: Hexside) -> bool:
        h, d = divmod(side, 6)
        return bool(self.ground.on_road >> h & self.ground.on_road >> self.grid.neighbours[h][d] & 1)

    def remember(self, key: Any, value: Any) -> None:
        if len(self.remembered) >= MOST_REMEMBERED:
            self.remembered.clear()
        self.remembered[key] = value

    # --- 10.1 movement ---------------------------------------------------------------------------------------------

    def step(self, weather: int, a: Hex, d: Direction, b: Hex) -> int | Refusal:
        """10.1 What entering b from a costs, in half MPs."""
        if self.ground.volga[d] >> a & 1:
            return Refusal("10.1.2", "no unit ever crosses the Volga")
        return self._price(weather, a, d, b)

    def _price(self, weather: int, a: Hex, d: Direction, b: Hex) -> int:
        ground, chart = self.ground, self.ground.charts.terrain
        if self.roads[d] >> a & 1:
            kind = MAJOR_ROAD if ground.major[d] >> a & 1 else MINOR_ROAD
            return chart[kind].cost[weather]
        cost = ground.hex_cost(b, weather)
        if self.unbridged[d] >> a & 1:
            cost += chart[DON].cost[weather]
        if ground.gorge[d] >> a & 1:
            cost += chart[GORGE].cost[weather]
        return cost

    def explain(self, weather: int, a: Hex, d: Direction, b: Hex) -> list[Item]:
        """The same price item by item, in MPs."""
        ground, chart = self.ground, self.ground.charts.terrain
        rule = ("10.1", "6.1", "6.2")[weather]
        if self.roads[d] >> a & 1:
            kind = MAJOR_ROAD if ground.major[d] >> a & 1 else MINOR_ROAD
            road = "10.1.1" if weather == CLEAR else rule
            return [Item(kind.replace("_", " "), road, chart[kind].cost[weather] / POINT)]
        dearest = max(ground.hex_row(b), key=lambda w: chart[w].cost[weather], default="clear")
        found = [Item(dearest, "10.1", chart[dearest].cost[CLEAR] / POINT)]
        if weather != CLEAR:
            extra = chart[dearest].cost[weather] - chart[dearest].cost[CLEAR]
            found.append(Item(WEATHERS[weather], rule, extra / POINT))
        if self.unbridged[d] >> a & 1:
            found.append(Item("across the Don", "10.1.2", chart[DON].cost[weather] / POINT))
        if ground.gorge[d] >> a & 1:
            found.append(Item("across a gorge", "10.1.2", chart[GORGE].cost[weather] / POINT))
        return found

    def going(self, weather: int, *, is_don_closed: bool = False) -> Going:
        """What movement costs now; `is_don_closed` closes the river altogether (17.2.3)."""
        key = (weather, is_don_closed)
        found = self._going.get(key)
        if found is None:
            found = self._going[key] = self._make_going(weather, is_don_closed)
        return found

    def _make_going(self, weather: int, is_don_closed: bool) -> Going:
        """Prices depend on the bridges destroyed; pontoons only add steps to them."""
        costs = self.ground.costs(weather, self.destroyed - self.pontoons)
        if is_don_closed:
            return Going(costs, self.ground.don, {})
        opened: dict[Hex, list[tuple[Hex, int, Hexside]]] = {}
        for side in sorted(self.pontoons):
            h, d = divmod(side, 6)
            n = self.grid.neighbours[h][d]
            cost = self.step(weather, h, d, n)
            if isinstance(cost, int):
                opened.setdefault(h, []).append((n, cost, side))
        return Going(costs, NO_SIDES, {h: tuple(e) for h, e in opened.items()})

    def line_going(self, weather: int) -> Going:
        """What a Soviet line costs that is followed from its start: movement, and roads over the Volga (4.1)."""
        found = self._line_going.get(weather)
        if found is None:
            found = self._line_going[weather] = self._make_line_going(weather)
        return found

    def _make_line_going(self, weather: int) -> Going:
        going, volga = self.going(weather), self.ground.volga
        carried = [h * 6 + d for d in range(6) for h in members(volga[d] & self.roads[d])]
        if not carried:
            return going
        opened = dict(going.opened)
        for side in carried:
            h, d = divmod(side, 6)
            n = self.grid.neighbours[h][d]
            opened[h] = (*opened.get(h, ()), (n, self._price(weather, h, d, n), side))
        return Going(going.costs, going.barred, opened)

    # --- 4.1 lines -------------------------------------------------------------------------------------------------

    def line_step(self, kind: str, weather: int, a: Hex, d: Direction, b: Hex) -> int:
        """What a line pays to enter b from a, or NO_CHARGE where it may not.

        Soviet lines pay movement costs. German lines never cross an unbridged Don (4.3.3); in Rain they pay
        clear-weather costs and one MP more per hex (4.3). `road` lines keep to roads.
        """
        if kind == "road" and not self.roads[d] >> a & 1:
            return NO_CHARGE
        if kind == "german" and self.unbridged[d] >> a & 1:
            return NO_CHARGE
        if self.unbridged_volga[d] >> a & 1:
            return NO_CHARGE  # 4.1: but a road over the Volga would carry a line
        if kind == "german" and weather == RAIN:
            return self._price(CLEAR, a, d, b) + POINT
        return self._price(weather, a, d, b)

    def line_costs(self, kind: str, weather: int) -> LineCosts:
        key = (kind, weather)
        if key not in self._lines:
            self._lines[key] = LineCosts(self, kind, weather)
        return self._lines[key]

    def lines(self, kind: str, weather: int, goal: Bits, limit: int, open_: Bits, wanted: Bits = EVERY_HEX) -> Lines:
        """All hexes from which a line of at most `limit` half MPs leads to the goal through open hexes.

        Longer lines than those from the wanted hexes need not be among them.
        """
        return self._flooded(kind, weather, goal, limit, open_, wanted).cut(limit)

    def has_line(self, kind: str, weather: int, to: Hex, limit: int, open_: Bits, h: Hex) -> bool:
        """Whether a line of at most `limit` half MPs leads from h to a hex."""
        return bool(self.reaching(kind, weather, 1 << to, limit, open_, 1 << h))

    def reaching(self, kind: str, weather: int, goal: Bits, limit: int, open_: Bits, wanted: Bits) -> Bits:
        """Those of the wanted hexes from which a line leads to the goal; often an older flood answers for them."""
        for older in self._recent.get((kind, weather, goal), ()):
            found = older.settles(open_, wanted, limit)
            if found is not None:
                return found
        return wanted & self._flooded(kind, weather, goal, limit, open_, wanted).within(limit)

    def _flooded(self, kind: str, weather: int, goal: Bits, limit: int, open_: Bits, wanted: Bits) -> Lines:
        """Lines to the goal up to the limit, or until the wanted hexes are reached.

        A flood made before serves up to the first hex opened or closed since; only what lies beyond is made anew.
        """
        key = (kind, weather, goal)
        kept = self._recent.get(key, ())
        older, sound = None, -1
        for found in kept:
            stands = found.stands_to(open_)
            if stands > sound:
                older, sound = found, stands
        if older is None:
            older, sound = self.line_costs(kind, weather).start(goal, open_), 0
        elif sound >= limit:
            return older
        grown = older.grow(sound, limit, open_, wanted)
        if len(self._recent) >= MOST_REMEMBERED:
            self._recent.clear()
        if sound == older.limit:
            kept = tuple([x for x in kept if x is not older])  # it goes on in the new one
        self._recent[key] = (grown, *kept[: MOST_RECENT - 1])
        return grown

    def road_net(self, start: Bits, open_: Bits) -> Bits:
        """All hexes connected to the start along roads through open hexes."""
        open_ &= self.ground.on_road
        start &= open_
        key = (start, open_)
        found: Bits | None = self.remembered.get(key)
        if found is None:
            seed = next((net for s, net in self._nets if s == start and net & open_ == net), start)
            found = flood_links(self.grid, seed, self.roads, open_)
            self.remember(key, found)
            self._nets = ((start, found), *self._nets[: MOST_RECENT - 1])
        return found


@dataclass(frozen=True, slots=True)
class Going:
    """Movement costs of the moment: the printed map's prices, hexsides closed, steps opened instead."""

    costs: Costs
    barred: Sides
    opened: dict[Hex, tuple[tuple[Hex, int, Hexside], ...]]


def canonical(grid: Grid, side: Hexside) -> Hexside:
    """Of the two numbers of a hexside always the same one: that of its written name."""
    h, d = divmod(side, 6)
    return side if grid.name(h) < grid.name(grid.neighbours[h][d]) else grid.flip(side)


def _sides(hexsides: Iterable[Hexside]) -> Sides:
    six = [0] * 6
    for side in hexsides:
        h, d = divmod(side, 6)
        six[d] |= 1 << h
    return tuple(six)
