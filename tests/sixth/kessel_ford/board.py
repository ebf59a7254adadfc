"""The order of battle, the charts and the board: what changes in a game of The Ford."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kessel.core.board import NOWHERE
from kessel.core.facts import FOREVER, Lifetimes, fact
from kessel.core.forces import Forces as CoreForces
from kessel.core.hexes import Hex
from kessel.core.pack import Pack
from kessel.core.paths import Costs
from kessel.core.terrain import Map
from kessel.wargame.board import Board as SidesBoard
from kessel.wargame.points import cell_points
from kessel.wargame.readings import Readings

BLUE, RED = 0, 1
SIDES = ("blue", "red")
POINT = 2
MOVED, ATTACKED, STRUCK = 1, 2, 4
STATUS = {"moved": MOVED, "attacked": ATTACKED, "struck": STRUCK}

FACTS = Lifetimes()
PLACES = FACTS.until("place", by_side=True)
BOTH = FACTS.until("place")


class Charts:
    """What is printed."""

    def __init__(self, pack: Pack) -> None:
        terrain, self.crt = pack.table("terrain"), pack.table("crt")
        self.prices = {row: cell_points(terrain, row, "cost", POINT) for row in terrain.rows}
        self.readings = pack.once(Readings)
        self.counters = pack.rows("counters.csv")


class Forces(CoreForces):
    def __init__(self, charts: Charts) -> None:
        rows = charts.counters
        super().__init__([r["id"] for r in rows], [SIDES.index(r["side"]) for r in rows])
        self.strength, self.movement = (bytes(r.number(word) for r in rows) for word in ("strength", "movement"))


class Board(SidesBoard):
    track_names = ("turn", "phasing")
    constant = (*SidesBoard.constant, "charts", "scenario")
    lifetimes = FACTS
    forces: Forces

    def __init__(self, map: Map, charts: Charts, scenario: Mapping[str, Any], options: Mapping[str, str]) -> None:
        super().__init__(map, Forces(charts), charts.readings, options)
        self.charts, self.scenario = charts, scenario

    def eliminate(self, u: int, rule: str) -> None:
        self.tell(f"{self.name(u)} is eliminated", rule, unit=self.name(u))
        self.steps[u] = 0
        self.move(u, NOWHERE)

    @fact(FOREVER)
    def costs(self) -> Costs:
        """2 A hex costs what its terrain says, more over the river, half a point along a road."""
        prices, road = self.charts.prices, self.map.links("road")

        def step(a: Hex, d: int, b: Hex) -> int:
            river = prices["river"] if "river" in self.map.side_features(a, d) else 0
            return prices["road"] if road[d] >> a & 1 else prices[self.map.terrain[b]] + river

        return Costs(self.map.grid, step)
