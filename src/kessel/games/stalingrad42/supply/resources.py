"""18.1, 18.6 Resource Points and Supply Points, outside of combat."""

from __future__ import annotations

from collections.abc import Iterator

from kessel.core.board import NOWHERE, Place
from kessel.core.breakdown import Refusal
from kessel.core.facts import NOW, fact
from kessel.core.forces import Side, Unit
from kessel.games.stalingrad42.board import ELSEWHERE, Board
from kessel.games.stalingrad42.columns import BAD_ORDER, FLIPPED, IN_PLAY, TRAIN, WAITING
from kessel.games.stalingrad42.data.forces import SIDES
from kessel.games.stalingrad42.supply.railroads import connecting_rail
from kessel.games.stalingrad42.supply.supply import los, why_not_use_area


def points_of(g: Board, side: Side) -> int:
    """18.1 Resource Points a side receives in its Initial Phase of this turn (S2.2, S2.3)."""
    points, first = g.scenario.resource_points[side]
    return points if g.turn >= first else 0


def why_not_pay(g: Board) -> Refusal | None:
    if g.resource_points < 1:
        return Refusal("18.1", "no Resource Point is left")
    return None


# --- 18.1 flip an ASU ----------------------------------------------------------------------------------------------


def used_asus(g: Board, side: Side) -> list[Unit]:
    return [u for u in g.forces.asus[side] if g.pool[u] == IN_PLAY and g.status[u] & FLIPPED and g.place[u] != NOWHERE]


def why_not_flip(g: Board, u: Unit, side: Side) -> Refusal | None:
    """Why an ASU cannot be flipped to its Ready side at all (18.2.1, 13.2.1)."""
    if not g.forces.is_asu[u] or g.forces.side[u] != side or g.pool[u] != IN_PLAY:
        return Refusal("18.2.1", f"{g.name(u)} is not an ASU of yours in play")
    if not g.status[u] & FLIPPED:
        return Refusal("18.2.1", f"{g.name(u)} is Ready already")
    if g.status[u] & BAD_ORDER:
        return Refusal("18.1", f"{g.name(u)} is not in Good Order")
    return None


def why_not_ready(g: Board, u: Unit, side: Side) -> Refusal | None:
    """18.1 A Resource Point flips a Good Order ASU on a Connecting Rail Hex."""
    if why := why_not_pay(g) or why_not_flip(g, u, side):
        return why
    here = g.place[u]
    if not g.map.is_hex(here) or not connecting_rail(g, side) >> here & 1:
        return Refusal("18.1", f"{g.name(u)} is not on a Connecting Rail Hex")
    return None


def make_ready(g: Board, u: Unit, rule: str) -> None:
    g.set_status(u, FLIPPED, False)
    g.tell(f"{g.name(u)} is Ready", rule, unit=g.id(u))


# --- 18.6.4 Supply Points flip ASUs --------------------------------------------------------------------------------


def why_not_refit(g: Board, point: Unit, asu: Unit, side: Side) -> Refusal | None:
    """18.6.4 A Supply Point flips the Good Order ASU it is stacked with, whichever side it shows."""
    if not g.forces.is_supply_point(point) or g.forces.side[point] != side or g.pool[point] != IN_PLAY:
        return Refusal("18.6.4", f"{g.name(point)} is not a Supply Point of yours in play")
    if why := why_not_flip(g, asu, side):
        return why
    if g.place[point] != g.place[asu]:
        return Refusal("18.6.4", f"{g.name(point)} is not stacked with {g.name(asu)}")
    if g.status[point] & TRAIN:
        return Refusal("18.6.7", f"{g.name(point)} is under a Train marker")
    return None


def spendable(g: Board, side: Side) -> Iterator[tuple[Unit, Unit]]:
    """All ways to flip an ASU with a Supply Point: the point and the ASU."""
    for asu in used_asus(g, side):
        for point in g.units(g.place[asu]):
            if g.forces.is_supply_point(point) and why_not_refit(g, point, asu, side) is None:
                yield point, asu


def why_not_spend(g: Board, point: Unit, asu: Unit, side: Side) -> Refusal | None:
    """The same for all units; those in a Holding Box (34.0) are stacked with nobody."""
    boxed = Refusal("34.6.3", f"{g.name(asu)} is not on the board") if g.place[asu] == NOWHERE else None
    return why_not_refit(g, point, asu, side) or boxed


def spend(g: Board, point: Unit, asu: Unit) -> None:
    g.take(point, WAITING)
    make_ready(g, asu, "18.6.4")


# --- 18.6 Supply Points --------------------------------------------------------------------------------------------


def mobile_points(g: Board, side: Side) -> int:
    """Mobile Supply Points of a side in play (18.6.8)."""
    f, pool = g.forces, g.pool
    return len([u for u in f.supply_points[side] if pool[u] == IN_PLAY and not f.is_immobile(u)])


def free_point(g: Board, side: Side, *, mobile: bool) -> Unit | None:
    """A Supply Point counter not in play; no more mobile ones than the limit (18.6.8)."""
    f = g.forces
    if mobile and mobile_points(g, side) >= g.charts.table("markers").number("mobile_supply_point", SIDES[side]):
        return None
    for u in f.supply_points[side]:
        if g.pool[u] == WAITING and f.is_immobile(u) != mobile:
            return u
    return None


@fact(NOW)
def has_free_point(g: Board, side: Side) -> bool:
    return free_point(g, side, mobile=False) is not None or free_point(g, side, mobile=True) is not None


def why_not_supply_area(g: Board, place: Place, side: Side) -> Refusal | None:
    """18.6.1 A Resource Point places a Supply Point in a friendly Entry Area."""
    if why := why_not_pay(g):
        return why
    if place not in g.ground.area_boxes or g.box_side(place) != side:
        return Refusal("18.6.1", "Supply Points are placed in friendly Entry Areas")
    if why := why_not_use_area(g, place, side):
        return why
    if not has_free_point(g, side):
        return Refusal("18.6.8", "all Supply Points of this side are in play")
    return None


def place_point(g: Board, place: Place, side: Side) -> None:
    """A mobile one while the limit allows, else a non-mobile one."""
    u = free_point(g, side, mobile=True)
    if u is None:
        u = free_point(g, side, mobile=False)
    assert u is not None
    g.put(u, place)
    g.tell(f"{g.name(u)} is placed in {g.where(place)}", "18.6.1", unit=g.id(u))


def why_not_switch(g: Board, u: Unit) -> Refusal | None:
    """18.6.8 A Supply Point may become non-mobile and vice versa before it moves."""
    if not g.forces.is_supply_point(u):
        return Refusal("18.6.8", f"{g.name(u)} is not a Supply Point")
    mobile = g.forces.is_immobile(u)
    if free_point(g, g.forces.side[u], mobile=mobile) is None:
        what = "mobile" if mobile else "non-mobile"
        return Refusal("18.6.8", f"no {what} Supply Point is left")
    return None


def switch(g: Board, u: Unit) -> Unit:
    """Swap the counter for one of the other kind; a mobile one comes up on its Full Movement side."""
    new = free_point(g, g.forces.side[u], mobile=g.forces.is_immobile(u))
    assert new is not None
    place, status = g.place[u], g.status[u] & ~(FLIPPED)
    g.take(u, WAITING)
    g.put(new, place)
    g.set_status(new, status)
    return new


# --- 26.0 Planned Offensives ---------------------------------------------------------------------------------------


def offensives_on_map(g: Board, side: Side) -> int:
    return sum(g.offensives[u] % 16 + g.offensives[u] // 16 for u in g.forces.asus[side])


def may_plan(g: Board, side: Side) -> bool:
    """26.2 Whether a side has a Planned Offensive marker left."""
    if not g.plays("planned_offensive"):
        return False
    return offensives_on_map(g, side) < g.charts.table("markers").number("planned_offensive", SIDES[side])


def why_not_offensive(g: Board, u: Unit, side: Side) -> Refusal | None:
    """18.1, 26.2 A marker goes on an Army or Front HQ in Good Order and in supply; two at most on the map."""
    if not g.plays("planned_offensive"):
        return Refusal("26.0", "Planned Offensives are not used in this game")
    if why := why_not_pay(g):
        return why
    if not may_plan(g, side):
        return Refusal("26.2", "two Planned Offensive markers are on the map")
    return why_not_plan(g, u, side)


def why_not_plan(g: Board, u: Unit, side: Side) -> Refusal | None:
    """26.2 Why a unit is not one that can plan an offensive."""
    if g.pool[u] != IN_PLAY or not g.forces.is_hq(u) or g.forces.side[u] != side:
        return Refusal("26.2", f"{g.name(u)} is not an Army or Front HQ of yours in play")
    if g.status[u] & BAD_ORDER:
        return Refusal("26.2", f"{g.name(u)} is not in Good Order")
    if not los(g, u):
        return Refusal("26.2", f"{g.name(u)} is not in supply")
    return None


def place_offensive(g: Board, u: Unit) -> None:
    g.offensives[u] += 1
    g.happened(ELSEWHERE)
    g.tell(f"{g.name(u)} plans an offensive", "26.2", unit=g.id(u))


def lose_offensives(g: Board, u: Unit) -> None:
    """26.2 An HQ that retreats or moves more than two hexes loses its Planned Offensives."""
    if g.offensives[u]:
        g.offensives[u] = 0
        g.tell(f"the Planned Offensive of {g.name(u)} is lost", "26.2", unit=g.id(u))


def ready_offensives(g: Board, side: Side) -> None:
    """26.2 Markers placed in the last Initial Phase become Ready."""
    for u in g.forces.asus[side]:
        if g.offensives[u] % 16:
            g.offensives[u] = g.offensives[u] // 16 * 16 + g.offensives[u] % 16 * 16
            g.happened(ELSEWHERE)
