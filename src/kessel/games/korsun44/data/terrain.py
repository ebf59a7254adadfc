"""2.2 The map as printed: what lies where, and what a step costs on it (9.2).

`Ground` knows only what is printed. Bridges blown or built, minefields and improved positions belong to a game; whoever
keeps them asks `step` with the crossings that stand.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from kessel.core.breakdown import Refusal
from kessel.core.errors import BadPack
from kessel.core.hexes import NO_HEX, Bits, Direction, Hex, Hexside
from kessel.core.hexset import Sides, bits, flood, flood_links, members, shift
from kessel.core.pack import Pack
from kessel.core.terrain import Map
from kessel.games.korsun44.data.charts import ALL, CLASSES, GROUNDS, NO, Charts

PRIMARY, SECONDARY, TRAIL, RAILROAD = "primary", "secondary", "trail", "railroad"
LINKS = (PRIMARY, SECONDARY, TRAIL, RAILROAD)
"""Best first: of several links over one hexside a unit uses the cheapest."""
ROADS = (PRIMARY, SECONDARY, TRAIL)
STREAM, RIVER, SWAMP, LAKE = "stream", "river", "swamp", "lake"
TERRAINS = ("clear", "woods", "forest", "town")
DNEPR = "dnepr"
SHEETS = ("map_a", "map_b")


class Ground:
    """What is printed on the map, as hex sets."""

    def __init__(self, map: Map, charts: Charts) -> None:
        self.map, self.charts, self.grid = map, charts, map.grid
        self.dnepr = map.of_terrain(DNEPR)
        """10.6.3 Hexes beyond the edge; nobody enters them."""
        self.playable = self.grid.all & ~self.dnepr
        self.woods, self.forest, self.town = (map.of_terrain(t) for t in ("woods", "forest", "town"))
        self.village = map.with_feature("village")
        self.hilltop = map.with_feature("hilltop")
        self.clear = map.of_terrain("clear")
        """Clear terrain, villages included (9.11)."""
        self.stream, self.river = map.sides(STREAM), map.sides(RIVER)
        self.swamp, self.lake = map.sides(SWAMP), map.sides(LAKE)
        self.roads, self.railroad = map.links(*ROADS), map.links(RAILROAD)
        self.links = map.links(*LINKS)
        self.on_road, self.on_railroad = map.on_link(*ROADS), map.on_link(RAILROAD)
        self.terminals = map.with_feature("rail_terminal")
        self.airfield = map.with_feature("airfield")
        self.korsun = self._named("Korsun")
        """NO_HEX on a small board without it."""
        self.bridges = tuple(self._crossed(self.links, self.stream, self.river))
        """15.2 Hexsides where a road, trail or railroad crosses a stream or river."""
        self.railroad_bridges = frozenset(self._crossed(self.railroad, self.river))
        """15.2.1 Of them, railroad bridges over a river."""
        self.primary_bridges = frozenset(self._crossed(map.links(PRIMARY), self.stream, self.river))
        """18.3 Of them, those a primary road crosses."""
        better = frozenset(self._crossed(map.links(PRIMARY, SECONDARY, RAILROAD), self.stream, self.river))
        self.trail_bridges = frozenset(self.bridges) - better
        """9.2.2, Q68 Of them, those nothing but a trail crosses."""
        self.fordable = frozenset(self._fordable())
        """18.6 Hexsides of the fordable rivers; where a bridge is down a ford may be, too."""
        self.ford_sides = tuple(sorted(self.fordable))
        self.sources = self._sources()
        """13.1 Edge hexes by the army or armee they serve."""
        self.sheet = {s: map.area(s) & self.playable for s in SHEETS}
        self.german_lines = map.area("german_lines") & self.playable
        """What the Germans held on 24 January."""
        self._printed: dict[tuple[int, int, bool], tuple[list[int], ...]] = {}

    @classmethod
    def of(cls, map: Map, charts: Charts) -> Ground:
        """What is printed on a map, kept with it."""
        found = map.cache.get(cls)
        if not isinstance(found, Ground) or found.charts is not charts:
            found = map.cache[cls] = cls(map, charts)
        return found

    def in_play(self, sheets: Collection[str]) -> Bits:
        """The hexes of these sheets; the whole board where it has none."""
        found = 0
        for s in sheets:
            found |= self.sheet[s]
        return found or self.playable

    def _named(self, name: str) -> Hex:
        return next((h for h, found in self.map.name.items() if found == name), NO_HEX)

    def _crossed(self, links: Sides, *water: Sides) -> Iterator[Hexside]:
        for d in range(3):
            wet = 0
            for w in water:
                wet |= w[d]
            for h in members(links[d] & wet):
                yield self.grid.canonical(h * 6 + d)

    def _fordable(self) -> Iterator[Hexside]:
        names = self.charts.game.fordable
        for name, side in self.map.doc.hexsides.items():
            if not isinstance(side, list | str) and side.name in names and RIVER in side.features:
                yield self.grid.canonical(self.grid.parse_hexside(name))

    def _sources(self) -> dict[str, Bits]:
        found: dict[str, Bits] = {}
        for feature in ("german_source", "soviet_source"):
            for h in members(self.map.with_feature(feature)):
                who = self.map.facts.get(h, {}).get("source")
                if not isinstance(who, str):
                    raise BadPack(f"the source {self.grid.name(h)} does not say whom it serves", "korsun44/board.json")
                found[who] = found.get(who, 0) | 1 << h
        return found

    # --- what lies in a hex ----------------------------------------------------------------------------------------

    def name(self, h: Hex) -> str:
        """The number, with the place's name if it has one."""
        found = self.map.name.get(h)
        return f"{self.grid.name(h)} ({found})" if found else self.grid.name(h)

    def column(self, h: Hex) -> int:
        return int(self.grid.name(h)[:2])

    def river_name(self, side: Hexside) -> str:
        found = self.map.doc.hexsides.get(self.grid.hexside_name(side))
        return "" if found is None or isinstance(found, list | str) else found.name

    # --- 9.2 what a step costs -------------------------------------------------------------------------------------

    def step(
        self, cls: int, ground: int, a: Hex, d: Direction, b: Hex, *, strategic: bool = False,
        destroyed: Collection[Hexside] = (), built: Collection[Hexside] = (),
    ) -> int | Refusal:  # fmt: skip
        """Sixths of a Movement Point to go from a to b, ALL for the whole allowance, or why not.

        Zones are not in it. A bridge in `destroyed` carries no road (9.2.2); one in `built` has no road of its own
        (15.2.3): what its hexside costs is for the caller's switch `bare_bridge`, here it costs nothing.
        """
        if b == NO_HEX or not self.playable >> b & 1:
            return Refusal("10.6.3", "the Dnepr and the edge end the map")
        if self.lake[d] >> a & 1:
            return Refusal("9.2.3", "nobody crosses a lake")
        side = self.grid.canonical(a * 6 + d) if destroyed or built else -1
        if self.links[d] >> a & 1 and side not in destroyed:
            along = self.along_links(cls, ground, a, d, strategic=strategic)
            if along is not None:
                return along
        return self.overland(cls, ground, a, d, b, bridged=side in built)

    def along_links(self, cls: int, ground: int, a: Hex, d: Direction, *, strategic: bool) -> int | None:
        """9.2.2, 9.4.2 The cheapest road or railroad over the hexside; None where there is none."""
        costs = self._link_costs(cls, ground, strategic)
        return min((cost for cost, kind in costs if self.map.linked(a, d, kind)), default=None)

    def _link_costs(self, cls: int, ground: int, strategic: bool) -> list[tuple[int, str]]:
        """What going along each sort of link costs those who may."""
        chart = self.charts.terrain
        rows = ((f"{kind}_strategic" if strategic and f"{kind}_strategic" in chart else kind, kind) for kind in LINKS)
        return [(cost, kind) for row, kind in rows if (cost := chart[row].cost[cls][ground]) >= 0]

    def cheapest(self, cls: int, ground: int, strategic: bool) -> int:
        """No step costs less than this."""
        hexes = (self.charts.terrain[t].cost[cls][ground] for t in TERRAINS)
        links = (cost for cost, _ in self._link_costs(cls, ground, strategic))
        return min(cost for cost in (*hexes, *links) if cost >= 0)

    def overland(self, cls: int, ground: int, a: Hex, d: Direction, b: Hex, *, bridged: bool) -> int | Refusal:
        """The cost of the hex and of the hexsides."""
        total = self.charts.terrain[self.map.terrain[b]].cost[cls][ground]
        if total == NO:
            return self._refused(cls, ground, self.map.terrain[b])
        for word, sides in ((STREAM, self.stream), (RIVER, self.river), (SWAMP, self.swamp)):
            if not sides[d] >> a & 1 or bridged:
                continue
            cost = self.charts.terrain[word].cost[cls][ground]
            if cost == NO:
                return self._refused(cls, ground, f"{word} hexside")
            if cost == ALL:
                return ALL
            total += cost
        return total

    def printed(self, cls: int, ground: int, strategic: bool) -> tuple[list[int], ...]:
        """What `step` says of every step as printed, by direction and hex left; NO where it refuses."""
        found = self._printed.get((cls, ground, strategic))
        if found is None:
            six = (self._printed_one_way(cls, ground, strategic, d) for d in range(6))
            found = self._printed[cls, ground, strategic] = tuple(six)
        return found

    def _printed_one_way(self, cls: int, ground: int, strategic: bool, d: Direction) -> list[int]:
        chart, around = self.charts.terrain, self.grid.neighbours
        landward = shift(self.grid, self.playable, (d + 3) % 6)
        into = {t: chart[t].cost[cls][ground] for t in TERRAINS}
        into[DNEPR] = into[""] = NO
        hexes = [into[t] for t in self.map.terrain]
        found = [hexes[six[d]] if six and six[d] != NO_HEX else NO for six in around]
        for word, sides in ((STREAM, self.stream), (RIVER, self.river), (SWAMP, self.swamp)):
            cost = chart[word].cost[cls][ground]
            for h in members(sides[d]):
                if found[h] >= 0:
                    found[h] = found[h] + cost if cost >= 0 else cost
        for cost, kind in sorted(self._link_costs(cls, ground, strategic), reverse=True):
            for h in members(self.map.links(kind)[d] & landward):
                found[h] = cost
        for h in members(self.lake[d]):
            found[h] = NO
        return found

    def _refused(self, cls: int, ground: int, what: str) -> Refusal:
        where = "in" if what in TERRAINS else "over a"
        return Refusal("9.2.3", f"{CLASSES[cls]} units go {where} {what} only by road ({GROUNDS[ground].lower()})")

    # --- nets ------------------------------------------------------------------------------------------------------

    def road_net(self, start: Bits, closed: Bits = 0) -> Bits:
        """All hexes joined to the start by roads and trails that enter no closed hex."""
        return flood_links(self.grid, start & ~closed, self.roads, self.playable & ~closed)

    def rail_net(self, start: Bits, closed: Bits = 0) -> Bits:
        return flood_links(self.grid, start & ~closed, self.railroad, self.playable & ~closed)

    def land(self, start: Hex) -> Bits:
        """All hexes that can be reached from one over any hexside but lakes."""
        return flood(self.grid, 1 << start, self.playable, self.lake)

    def hexes(self, names: Collection[str]) -> Bits:
        return bits(self.grid.hex(n) for n in names)


def ground_of(pack: Pack, charts: Charts) -> Ground:
    """The printed map of a pack."""
    return Ground.of(pack.map, charts)
