"""22.1 Reinforcements, and other units that come into play: 19.4, 20.8, 30.0."""

from __future__ import annotations

from kessel.core.board import NOWHERE, Place
from kessel.core.breakdown import Refusal
from kessel.core.facts import FOREVER, GAME, fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import NO_HEX
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import ARRIVED, FLIPPED, RETURNING, WAITING
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET
from kessel.games.stalingrad42.data.scenario import Arrival, Entrant
from kessel.games.stalingrad42.supply.supply import why_not_use_area


def arrivals(g: Board, side: Side) -> list[tuple[Arrival, Entrant]]:
    """22.1.1 The units due on this turn that have not been placed."""
    return [(a, e) for a, e, _ in still_due(g, side)]


def still_due(g: Board, side: Side) -> list[tuple[Arrival, Entrant, Unit]]:
    pool = g.pool
    return [x for x in due(g, side, g.turn) if pool[x[2]] == WAITING]


@fact(GAME)
def due(g: Board, side: Side, turn: int) -> list[tuple[Arrival, Entrant, Unit]]:
    """What the scenario's schedule says for a turn; Leaders come only where they are used (28.0)."""
    now = [a for a in g.scenario.arrivals if a.side == side and a.turn == turn]
    units = [(a, e, g.forces.unit(e.id)) for a in now for e in a.units]
    return [x for x in units if g.plays("leaders") or not g.forces.is_leader(x[2])]


def arrival_places(g: Board, a: Arrival) -> list[Place]:
    """The Entry Areas named for the units, as far as they are open (23.4) and still friendly (24.1.3)."""
    return [p for name in a.areas if (p := _box(g, name)) != NOWHERE and why_not_arrive(g, a, p) is None]


def why_not_arrive(g: Board, a: Arrival, place: Place) -> Refusal | None:
    if g.map.is_hex(place) or g.map.box(place).id not in a.areas:
        return Refusal("22.1.1", f"these units arrive in Entry Area {', '.join(a.areas)}")
    return why_not_use_area(g, place, a.side)


def arrive(g: Board, e: Entrant, place: Place, rule: str) -> Unit:
    u = g.forces.unit(e.id)
    g.put(u, place, steps=e.steps)
    if e.back:
        g.set_status(u, FLIPPED)
    where = g.place_name(place)
    g.tell(f"{g.name(u)} arrives in {g.where(place)}", rule, unit=e.id, place=where, to=where)
    return u


def _box(g: Board, name: str) -> Place:
    return _boxes(g).get(name, NOWHERE)


@fact(FOREVER)
def _boxes(g: Board) -> dict[str, Place]:
    return {g.map.box(p).id: p for p in reversed(g.ground.entry_boxes)}


# --- 20.8 North Caucasian Volunteers -------------------------------------------------------------------------------


def volunteers(g: Board) -> list[Entrant]:
    """20.8 One of those left arrives each turn while Krasnodar and Voroshilovsk are both Axis controlled."""
    homes = volunteer_homes(g)
    if len(homes) < 2 or any(g.controller(h) != AXIS for h in homes):
        return []
    return [e for e in g.scenario.boxes.get("volunteers", ()) if g.pool[g.forces.unit(e.id)] == WAITING]


def volunteer_homes(g: Board) -> list[Place]:
    names = (g.charts.hex("krasnodar"), g.charts.hex("voroshilovsk"))
    return [h for h in map(g.map.grid.find, names) if h != NO_HEX]


def enlist(g: Board, e: Entrant, place: Place) -> None:
    u = arrive(g, e, place, "20.8")
    g.set_status(u, ARRIVED)


def end_arrival(g: Board, side: Side) -> None:
    """Volunteers move normally from the following turn on."""
    for u in g.marked_with(side, ARRIVED):
        g.set_status(u, ARRIVED, False)


# --- 30.0 Trans-Caucasus Front Box ---------------------------------------------------------------------------------


def trans_caucasus(g: Board) -> list[Entrant]:
    """30.0 One unit of the Soviet player's choice a turn once an Axis unit has come to row xx40 or south of it."""
    if not g.trans_caucasus:
        return []
    return [e for e in g.scenario.boxes.get("trans_caucasus", ()) if g.pool[g.forces.unit(e.id)] == WAITING]


def southern_areas(g: Board) -> list[Place]:
    """The Soviet Entry Areas south of the Caspian Sea."""
    return [
        p
        for p in g.ground.land_boxes
        if g.map.box(p).facts.get("south_of_caspian") and why_not_use_area(g, p, SOVIET) is None
    ]


# --- 19.4 returning Non-Combat Units -------------------------------------------------------------------------------


def returning(g: Board, side: Side) -> list[Unit]:
    """19.4 Leaders and HQs whose two turns are over."""
    return [u for u in g.forces.non_combat[side] if g.pool[u] == RETURNING and g.returns[u] <= g.turn]
