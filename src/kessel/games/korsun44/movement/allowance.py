"""9.1, 9.3, 9.7, 12.17.2, 13.5 How many Movement Points a unit has."""

from __future__ import annotations

from kessel.core.breakdown import Breakdown
from kessel.core.facts import GAME, fact
from kessel.core.forces import Unit
from kessel.games.korsun44.board import DISORDER, ON_FOOT, OOS1, OOS2, TRUCK, Board
from kessel.games.korsun44.data.charts import FOOT, MUD
from kessel.games.korsun44.movement.costs import class_of
from kessel.games.korsun44.units.strength import whole_of


def printed(g: Board, u: Unit, mode: int) -> Breakdown:
    """9.1, 9.1.1, 18.5.2 The allowance on the counter, on foot, or on the truck."""
    b = Breakdown("Movement Points")
    cls = class_of(g, u, mode)
    if cls == FOOT and g.forces.move[u] != FOOT:
        return b.add(f"{g.name(u)} on foot", g.charts.constants.foot_rate, "9.1.1")
    if g.status[u] & TRUCK:
        return b.add(f"{g.name(u)} on trucks", g.charts.game.truck_ma, "18.5.2")
    return b.add(f"{g.name(u)} printed", g.forces.ma[whole_of(g, u)], "9.0")


def allowance(g: Board, u: Unit, mode: int = 0, reserve: bool = False) -> Breakdown:
    """The points a unit may spend now; by Q08 it is divided before mud and reserve are taken off."""
    b = printed(g, u, mode)
    if g.reads("allowance_order") == "divide_first":
        _divide(g, u, mode, b)
        _subtract(g, u, mode, b, reserve)
    else:
        _subtract(g, u, mode, b, reserve)
        _divide(g, u, mode, b)
    return b


def points(g: Board, u: Unit, mode: int = 0, reserve: bool = False) -> int:
    """The total of it."""
    known, key = _memo_of_points(g), (u, mode, reserve, g.status[u] & WEIGHS, g.condition)
    found = known.get(key)
    if found is None:
        found = known[key] = allowance(g, u, mode, reserve).total
    return found


WEIGHS = DISORDER | OOS1 | OOS2 | TRUCK | ON_FOOT
"""The statuses an allowance depends on."""


@fact(GAME)
def _memo_of_points(g: Board) -> dict[tuple[int, ...], int]:
    return {}


def _divide(g: Board, u: Unit, mode: int, b: Breakdown) -> None:
    status, vehicle = g.status[u], class_of(g, u, mode) != FOOT
    if vehicle and status & OOS2:
        b.halve("OOS2", "13.5.2").halve("OOS2", "13.5.2")
    elif vehicle and status & OOS1:
        b.halve("OOS1", "13.5.1")
    if status & DISORDER:
        b.halve("Disorganized or in Regroup", "12.17.2")


def _subtract(g: Board, u: Unit, mode: int, b: Breakdown, reserve: bool) -> None:
    c, vehicle = g.charts.constants, class_of(g, u, mode) != FOOT
    if g.condition == MUD and g.reads("mud_costs") == "allowance_and_column":
        _less(b, "mud", c.mud_vehicle if vehicle else c.mud_foot, "9.3")
    if reserve:
        _less(b, "reserve movement", c.reserve_vehicle if vehicle else c.reserve_foot, "9.7")


def _less(b: Breakdown, what: str, points: int, rule: str) -> None:
    b.add(what, -min(points, b.total), rule)
