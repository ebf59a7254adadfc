"""22.0 Entry Areas: movement between them."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from kessel.core.board import Place
from kessel.core.breakdown import Refusal
from kessel.core.forces import Side, Unit
from kessel.core.procedure import AGAIN, Action, Options, Out, Procedure, ask
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.combat.disruption import disrupt
from kessel.games.stalingrad42.movement.ways.modes import TRANSFER, why_not_mode
from kessel.games.stalingrad42.supply.supply import why_not_use_area

NORTH_OF_CASPIAN, SOUTH_OF_CASPIAN = frozenset("ABCDE"), frozenset("GHIJKL")
"""22.6.3 The Soviet Entry Areas on either side of the Caspian Sea."""


def is_transit(g: Board, place: Place) -> bool:
    """22.6.4 The Caspian Sea Transit Box."""
    return not g.map.is_hex(place) and g.map.box(place).kind == "transit"


def shores(g: Board, place: Place) -> frozenset[str]:
    """The Entry Areas of the same shore; empty where the board has no such division."""
    box = g.map.box(place).id
    return next((s for s in (NORTH_OF_CASPIAN, SOUTH_OF_CASPIAN) if box in s), frozenset())


def why_not_transfer(g: Board, units: tuple[Unit, ...], place: Place, limit: str = "") -> Refusal | None:
    """22.6 Why these units may not move from their Entry Area to another."""
    for u in units:
        if why := why_not_mode(g, u, TRANSFER, limit):
            return why
    return _why_not_between_areas(g, units, place)


def transfers(g: Board, units: tuple[Unit, ...]) -> list[Place]:
    """22.6 The Entry Areas these units, which may leave theirs, may move to."""
    side, here = g.forces.side[units[0]], g.place[units[0]]
    areas = [p for p in g.ground.entry_boxes if p != here and g.box_side(p) == side]
    return [p for p in areas if _why_not_between_areas(g, units, p) is None]


def _why_not_between_areas(g: Board, units: tuple[Unit, ...], place: Place) -> Refusal | None:
    here, side = g.place[units[0]], g.forces.side[units[0]]
    if g.map.is_hex(place) or place == here or place not in g.ground.entry_boxes:
        return Refusal("22.6.1", "there is no other Entry Area of that name")
    if g.box_side(place) != side or g.box_side(here) != side:
        return Refusal("22.6.1", "units move between friendly Entry Areas")
    home = shores(g, here)
    if home and shores(g, place) and g.map.box(place).id not in home:
        return Refusal("22.6.3", "from one shore of the Caspian Sea to the other units go through the Transit Box")
    if is_transit(g, place) and _in_box(g, place, side) + sum(map(g.forces.combat.__getitem__, units)) > (
        g.charts.table("stacking").number("caspian_box", "combat_units")
    ):
        return Refusal("22.6.4", "no more than two Combat Units may be in the Caspian Sea Transit Box")
    return why_not_use_area(g, place, side)


def _in_box(g: Board, place: Place, side: Side) -> int:
    return sum(1 for u in g.units(place) if g.forces.combat[u] and g.forces.side[u] == side)


@dataclass(slots=True)
class Displace(Procedure):
    """24.1.3 Soviet units in Entry Area G are shifted to an adjacent one and Disrupted when Axis units come."""

    side: int
    area: int

    @ask("side", "24.1.3")
    def shift(self, g: Board) -> Generator[Options, Action, Out]:
        """Axis units enter the Entry Area: move your units to an adjacent one."""
        names = g.map.box(self.area).facts.get("adjacent", ("H", "J"))
        there = [p for p in g.ground.land_boxes if g.map.box(p).id in names]
        units = [u for u in g.units(self.area) if g.forces.side[u] == self.side]
        _, u, place = yield Options([("displace", u, p) for u in units for p in there])
        g.move(u, place)
        g.tell_move(u, "is displaced to {}", "24.1.3", self.area)
        disrupt(g, u, "24.1.3")
        return AGAIN


def displacement(g: Board, place: Place, side: Side) -> Displace | None:
    """What interrupts a move into an enemy Entry Area."""
    enemy = 1 - side
    if g.map.is_hex(place) or g.box_side(place) != enemy:
        return None
    return Displace(enemy, place) if any(g.forces.side[u] == enemy for u in g.units(place)) else None
