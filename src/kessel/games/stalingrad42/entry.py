"""22.0 Entry Areas: movement between them."""

from __future__ import annotations

from kessel.core.board import Place
from kessel.core.breakdown import Refusal
from kessel.core.forces import Side, Unit
from kessel.games.stalingrad42.board import IN_PLAY, Board
from kessel.games.stalingrad42.forces import SOVIET
from kessel.games.stalingrad42.modes import TRANSFER, mode_refusal

NORTH_OF_CASPIAN, SOUTH_OF_CASPIAN = frozenset("ABCDE"), frozenset("GHIJKL")
"""22.6.3 The Soviet Entry Areas on either side of the Caspian Sea."""


def is_transit(g: Board, place: Place) -> bool:
    """22.6.4 The Caspian Sea Transit Box."""
    return not g.map.is_hex(place) and g.map.box(place).kind == "transit"


def shores(g: Board, place: Place) -> frozenset[str]:
    """The Entry Areas of the same shore; empty where the board has no such division."""
    box = g.map.box(place).id
    return next((s for s in (NORTH_OF_CASPIAN, SOUTH_OF_CASPIAN) if box in s), frozenset())


def transfer_refusal(g: Board, units: tuple[Unit, ...], place: Place, limit: str = "") -> Refusal | None:
    """22.6 Why these units may not move from their Entry Area to another."""
    for u in units:
        if why := mode_refusal(g, u, TRANSFER, limit):
            return why
    here, side = g.place[units[0]], g.forces.side[units[0]]
    if g.map.is_hex(place) or place == here or place not in g.ground.entry_boxes:
        return Refusal("22.6.1", "there is no other Entry Area of that name")
    if g.box_side(place) != side or g.box_side(here) != side:
        return Refusal("22.6.1", "units move between friendly Entry Areas")
    if side == SOVIET and not is_transit(g, place) and not is_transit(g, here):
        home = shores(g, here)
        if home and shores(g, place) and g.map.box(place).id not in home:
            return Refusal("22.6.3", "from one shore of the Caspian Sea to the other units go through the Transit Box")
    if is_transit(g, place) and _in_box(g, place, side) + sum(map(g.forces.combat.__getitem__, units)) > (
        g.charts.table("stacking").number("caspian_box", "combat_units")
    ):
        return Refusal("22.6.4", "no more than two Combat Units may be in the Caspian Sea Transit Box")
    return area_closed(g, place)


def _in_box(g: Board, place: Place, side: Side) -> int:
    return sum(1 for u in g.units(place) if g.forces.combat[u] and g.forces.side[u] == side and g.pool[u] == IN_PLAY)


def area_closed(g: Board, place: Place) -> Refusal | None:
    """23.4 Entry Area K is no longer usable in Winter."""
    if g.winter and not g.map.is_hex(place) and g.map.box(place).id == "K":
        return Refusal("23.4", "Entry Area K is closed in Winter")
    return None
