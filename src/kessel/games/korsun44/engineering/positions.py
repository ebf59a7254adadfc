"""15.1 German improved positions."""

from __future__ import annotations

from kessel.core.breakdown import Refusal
from kessel.core.forces import NO_UNIT, Side, Unit
from kessel.core.hexes import Hex
from kessel.games.korsun44.board import ATTACKED, BUILT, GERMAN, IP, OUT, SOVIET, Board
from kessel.games.korsun44.engineering.bridges import engineers
from kessel.games.korsun44.engineering.building import spend, why_not_work
from kessel.games.korsun44.supply.stage import paying_sdm


def overrun_position(g: Board, side: Side, h: Hex) -> None:
    """15.1.3 An improved position goes as soon as a Soviet unit enters its hex."""
    if side == SOVIET and g.works[h] & IP:
        g.set_works(h, IP, on=False)
        g.tell(f"the improved position in {g.hex_name(h)} is overrun", "15.1.3", place=g.hex_name(h))


def price_of_position(g: Board) -> int:
    """15.1.1, Q48 A Supply Point, or nothing."""
    return g.charts.constants.ip_points if g.reads("ip_point") == "supply_point" else 0


def why_not_dig(g: Board, side: Side, u: Unit) -> Refusal | None:
    """15.1.1 Why an engineer may not build an improved position in its hex."""
    if side != GERMAN:
        return Refusal("15.1", "only Germans build improved positions")
    if why := why_not_work(g, side, u, "15.1.1", price_of_position(g)):
        return why
    h = g.place[u]
    if g.status[u] & ATTACKED:
        return Refusal("15.1.1", f"{g.name(u)} has attacked this turn")
    if not g.ground.clear >> h & 1 or g.ground.village >> h & 1:
        return Refusal("15.1.1", f"{g.hex_name(h)} is not clear, or a village")
    return Refusal("15.1.1", f"{g.hex_name(h)} has an improved position") if g.works[h] & IP else None


def diggers(g: Board) -> list[Unit]:
    """The engineers that could work."""
    price = price_of_position(g)
    idle = [u for u in engineers(g, GERMAN) if not g.status[u] & (BUILT | OUT)]
    return [u for u in idle if not price or paying_sdm(g, u, price) != NO_UNIT]


def dig(g: Board, u: Unit) -> None:
    spend(g, u, price_of_position(g))
    g.set_works(g.place[u], IP)
    g.tell(f"{g.name(u)} builds an improved position in {g.hex_name(g.place[u])}", "15.1.1", unit=g.id(u))


def why_not_level(g: Board, side: Side, h: Hex) -> Refusal | None:
    """15.1.3 The German player may take an improved position off."""
    if side == GERMAN and g.works[h] & IP:
        return None
    return Refusal("15.1.3", f"no improved position of yours is in {g.hex_name(h)}")
