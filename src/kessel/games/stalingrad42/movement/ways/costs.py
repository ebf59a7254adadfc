"""5.1, 5.2, 5.5 What a step from hex to hex costs.

`price` is the rule: the items of one step's cost, or the refusal. The tables that searches run on are filled by calling
it once for every step of the map, per class of mover and state of the ground, and kept on the map.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field
from typing import NamedTuple

from kessel.core.breakdown import Item, Refusal
from kessel.core.facts import FOREVER, GAME, fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Direction, Hex
from kessel.core.hexset import members
from kessel.core.paths import Costs, Edge, StepCost
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.data.charts import POINT, Charts
from kessel.games.stalingrad42.data.forces import AXIS
from kessel.games.stalingrad42.data.terrain import Ground, Season


class Footing(NamedTuple):
    """What the price of a step depends on besides the map: the kind of mover and the state of the ground."""

    mech: bool
    mountain: bool
    side: Side
    wet: bool
    winter: bool
    marsh: bool
    road_ignores_terrain: bool
    rail_stage: int
    """Which unfinished railroads are completed (17.5): they bridge rivers (5.2)."""


def footing(g: Board, u: Unit) -> Footing:
    f = g.forces
    return Footing(
        bool(f.mech[u]),
        bool(f.mountain[u]),
        f.side[u],
        g.wet,
        g.winter,
        bool(g.marsh),
        g.reads("road_ignores_terrain") == "yes",
        g.ground.rail_stage[g.turn],
    )


@dataclass(slots=True)
class Price:
    """The cost of one step in half Movement Points, with its reasons."""

    items: list[Item] = field(default_factory=list)
    first_only: bool = False

    @property
    def total(self) -> int:
        return sum(int(i.value) for i in self.items)

    def add(self, what: str, value: int, rule: str) -> None:
        self.items.append(Item(what, rule, value))


def price(ground: Ground, charts: Charts, foot: Footing, a: Hex, d: Direction, b: Hex) -> Price | Refusal:
    """5.1 The cost to enter hex b from a over hexside d of a."""
    season = ground.seasons[foot.winter]
    if ground.water >> b & 1:
        return Refusal("2.2.3", f"{ground.grid.name(b)} is {'Sea' if ground.map.terrain[b] == 'sea' else 'unplayable'}")
    if season.impassable[d] >> a & 1:
        return Refusal("2.2.3", f"the hexside {_name(ground, a, d)} is impassable")
    road = ground.road(a, d)
    ferry = ground.ferry[d] >> a & 1
    if season.alpine[d] >> a & 1 and not road and not foot.mountain:
        return Refusal("20.2", "only Mountain units may cross an Alpine hexside off a road")
    found = Price()
    if road and not ferry and not ground.volga[d] >> a & 1:
        _pay_road(found, ground, charts, foot, b, road)
        return found
    if refusal := _pay_terrain(found, ground, charts, foot, b):
        return refusal
    if refusal := _pay_crossing(found, ground, charts, foot, season, a, d):
        return refusal
    return found


def _pay_road(found: Price, ground: Ground, charts: Charts, foot: Footing, b: Hex, road: str) -> None:
    """5.2, 5.5.4 Along a road: its rate, whatever else is in the hex; rivers are bridged without extra cost."""
    kind = road.removesuffix("_road")
    rate = charts.road_cost(kind, foot.mech, foot.wet)
    if not foot.mech and not foot.road_ignores_terrain:
        cost = charts.terrain[_terrain(ground, foot, b)].foot
        rate = max(rate, cost if cost is not None else rate)
    found.add(f"{kind} road", rate, "23.2.3" if foot.wet and kind == "secondary" and foot.mech else "5.2")


def _pay_terrain(found: Price, ground: Ground, charts: Charts, foot: Footing, b: Hex) -> Refusal | None:
    word = _terrain(ground, foot, b)
    row = charts.terrain[word]
    cost = row.mech if foot.mech else row.foot
    name = word.replace("_", " ")
    if cost is None:
        return Refusal("5.1", f"Mechanized units may not enter {name} hexes off a road")
    found.add(name, cost, "5.1")
    return None


def _pay_crossing(
    found: Price, ground: Ground, charts: Charts, foot: Footing, season: Season, a: Hex, d: Direction
) -> Refusal | None:
    """5.5 Rivers crossed off the road."""
    key = crossing(ground, foot, season, a, d)
    if not key:
        return None
    row = charts.crossings[key]
    cost = row.cost(foot.mech, foot.wet)
    if cost is None:
        return Refusal(row.rule, _no_crossing(key, foot))
    if cost:
        found.add(key.replace("_", " "), cost, row.rule)
    found.first_only = row.start_adjacent
    return None


def crossing(ground: Ground, foot: Footing, season: Season, a: Hex, d: Direction) -> str:
    """How a river hexside is crossed off the road: a row of the hexside chart, "" where there is no river."""
    rail = ground.rail(foot.rail_stage)[d] >> a & 1
    if ground.volga[d] >> a & 1:
        if ground.ferry[d] >> a & 1:
            return "volga_ferry"
        return "volga_rail_bridge" if rail and foot.side != AXIS else "volga"
    if season.major[d] >> a & 1:
        if rail:
            return "major_river_rail_bridge"
        return "major_river_ferry" if ground.ferry[d] >> a & 1 else "major_river"
    if season.frozen[d] >> a & 1:
        return "major_river_frozen" if ground.map.side_has(a, d, "major_river") else "lake_frozen"
    if ground.minor[d] >> a & 1:
        return "minor_river_bridge" if rail else "minor_river"
    return ""


def _no_crossing(key: str, foot: Footing) -> str:
    if foot.side == AXIS:
        return "Axis units cross the Volga only at Ferries"
    return "the Volga is crossed only at Ferries, the Saratov bridge and the Volga Flotilla"


def _terrain(ground: Ground, foot: Footing, h: Hex) -> str:
    word = ground.map.terrain[h]
    if word == "seasonal_marsh":
        return "marsh" if foot.marsh else "clear"
    return word


def _name(ground: Ground, a: Hex, d: Direction) -> str:
    return ground.grid.hexside_name(a * 6 + d)


def entry_price(ground: Ground, charts: Charts, foot: Footing, b: Hex) -> Price | Refusal:
    """22.3.1 Entering the map costs the first hex; along a road its rate."""
    found = Price()
    if road := ground.road_in(b):
        _pay_road(found, ground, charts, foot, b, road)
        return found
    return _pay_terrain(found, ground, charts, foot, b) or found


def area_price(charts: Charts) -> Price:
    """22.3.1 Entering an Entry Area costs 1 MP."""
    return Price([Item("Entry Area", "22.3.1", charts.constant("entry_area_cost") * POINT)])


# --- tables --------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Ways:
    """The price lists for one footing: by Movement Points, and by hexes for Tactical Movement (5.4)."""

    normal: Costs
    tactical: Costs
    normal_later: Costs
    """As `normal`, for the rest of a move: an unbridged Major River must be crossed first (5.5.2)."""
    tactical_later: Costs
    into: dict[Hex, tuple[tuple[Hex, Edge, Edge], ...]]
    """Unbridged Major River crossings by the hex entered: hex left, normal edge, tactical edge."""
    banks: Bits
    """The hexes of `into`."""


def ways(g: Board, foot: Footing) -> Ways:
    return _ways(g, g.charts, foot)


@fact(FOREVER)
def _ways(g: Board, charts: Charts, foot: Footing) -> Ways:
    return _make_ways(g.ground, charts, foot)


def ways_of(g: Board, u: Unit) -> Ways:
    """The price lists of a unit's class now."""
    f = g.forces
    known = _memo_of_ways(g)
    key = (f.mech[u], f.mountain[u], f.side[u], g.weather, g.winter, g.marsh, g.ground.rail_stage[g.turn])
    if key not in known:
        known[key] = ways(g, footing(g, u))
    return known[key]


@fact(GAME)
def _memo_of_ways(g: Board) -> dict[tuple[int, ...], Ways]:
    """By class of unit, weather, season and the railroads there are."""
    return {}


def _make_ways(ground: Ground, charts: Charts, foot: Footing) -> Ways:
    known: dict[tuple[Hex, Direction], StepCost | Refusal] = {}

    def step(a: Hex, d: Direction, b: Hex) -> StepCost | Refusal:
        found = price(ground, charts, foot, a, d, b)
        cost = found if isinstance(found, Refusal) else StepCost(found.total, found.first_only)
        known[a, d] = cost
        return cost

    def tactical_step(a: Hex, d: Direction, b: Hex) -> StepCost | Refusal:
        cost = known[a, d]
        return cost if isinstance(cost, Refusal) else StepCost(1, cost.first_only)

    normal = Costs(ground.grid, step)
    tactical = Costs(ground.grid, tactical_step)
    _add_boxes(ground, charts, foot, normal, tactical)
    into: dict[Hex, list[tuple[Hex, Edge, Edge]]] = {}
    for a, edges in normal.first.items():
        for one, two in zip(edges, tactical.first[a], strict=True):
            into.setdefault(one[0], []).append((a, one, two))
    banks = 0
    for h in into:
        banks |= 1 << h
    return Ways(
        normal, tactical, _later(normal), _later(tactical), {h: tuple(found) for h, found in into.items()}, banks
    )


def _add_boxes(ground: Ground, charts: Charts, foot: Footing, normal: Costs, tactical: Costs) -> None:
    """22.3 Steps out of Entry Areas, kept as rows after those of the hexes."""
    for i, box in enumerate(ground.map.boxes):
        out: list[Edge] = []
        for h in members(box.hexes) if ground.grid.size + i in ground.land_boxes else ():
            first = entry_price(ground, charts, foot, h)
            if not isinstance(first, Refusal):
                out.append((h, first.total, h * 6))
        normal.edges.append(tuple(out))
        tactical.edges.append(tuple((h, 1, side) for h, _, side in out))


def _later(costs: Costs) -> Costs:
    new = copy(costs)
    new.first = {}
    return new


def price_at_flotilla(g: Board, u: Unit, b: Hex) -> Price | None:
    """5.5.3 Crossing the Volga with the Flotilla costs as a Ferry does."""
    foot, found = footing(g, u), Price()
    row = g.charts.crossings["volga_flotilla"]
    cost = row.cost(foot.mech, foot.wet)
    if cost is None or _pay_terrain(found, g.ground, g.charts, foot, b) is not None:
        return None
    found.add("Volga Flotilla", cost, row.rule)
    return found
