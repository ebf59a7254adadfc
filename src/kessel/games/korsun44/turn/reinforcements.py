"""7.0 Reinforcements."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.board import NOWHERE
from kessel.core.breakdown import Refusal
from kessel.core.facts import GAME, NOW, fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import bits, members, shift
from kessel.core.procedure import AGAIN, DONE, Out, Procedure, auto
from kessel.core.verbs import Choice
from kessel.games.korsun44.board import ENTERED, LEFT, UNUSED, WAITING, Board, hexes_within
from kessel.games.korsun44.combat.off_map import has_left, returns, why_not_return
from kessel.games.korsun44.data.forces import SDM
from kessel.games.korsun44.movement.rail import terminals_from
from kessel.games.korsun44.movement.zones import zoc_of

OWN_RULE = ("pz24",)
"""Arrivals of optional rules that roll for their units themselves (18.7)."""


@fact(GAME)
def edge_hexes(g: Board) -> Bits:
    """Hexes in play on the edge of the map."""
    inner = g.playable
    for d in range(6):
        inner &= shift(g.map.grid, g.playable, d)
    return g.playable & ~inner


@fact(NOW)
def entry_hexes(g: Board, side: Side, entry: Hex) -> Bits:
    """7.1 Edge hexes within two of the one designated that are free of enemies and their ZOC; where all are taken the
    nearest free road hexes along the edge (7.1.4)."""
    grid, most = g.map.grid, g.charts.constants.entry_distance
    free = edge_hexes(g) & ~g.hexes_of(1 - side) & ~zoc_of(g, 1 - side)
    near = free & hexes_within(g, entry, most)
    if near or g.reads("entry_blocked") == "wait":
        return near
    roads = members(free & g.ground.on_road)
    least = min((grid.distance(h, entry) for h in roads), default=0)
    return bits(h for h in roads if grid.distance(h, entry) == least)


def why_not_due(g: Board, side: Side, u: Unit) -> Refusal | None:
    """7.0 Why a unit does not enter this turn."""
    if g.forces.side[u] != side or u not in g.schedule or g.box[u] != WAITING:
        return Refusal("7.0", f"{g.name(u)} is no reinforcement that waits")
    arrival = g.scenario.arrivals[g.schedule[u]]
    if arrival.option in OWN_RULE:
        return Refusal("18.7", f"{g.name(u)} arrives by its own rule")
    if g.turn < arrival.turn:
        return Refusal("7.0", f"{g.name(u)} enters on turn {arrival.turn}")
    return None


def why_not_enter(g: Board, side: Side, u: Unit, h: Hex) -> Refusal | None:
    if why := why_not_due(g, side, u):
        return why
    arrival = g.scenario.arrivals[g.schedule[u]]
    if g.forces.role[u] == SDM:
        return _why_not_sdm(g, side, u, h)
    if entry_hexes(g, side, arrival.hex) >> h & 1:
        return None
    return Refusal("7.1", f"{g.name(u)} enters within two hexes of {g.hex_name(arrival.hex)}")


def _why_not_sdm(g: Board, side: Side, u: Unit, h: Hex) -> Refusal | None:
    """9.5.1, 7.1.6 An SDM enters by road, or by rail into a terminal."""
    arrival = g.scenario.arrivals[g.schedule[u]]
    if entry_hexes(g, side, arrival.hex) & g.ground.on_road & 1 << h:
        return None
    if arrival.rail and terminals_from(g, arrival.hex) >> h & 1:
        return None
    return Refusal("7.1", f"{g.name(u)} enters by road near {g.hex_name(arrival.hex)}, or by rail into a terminal")


def due(g: Board, side: Side) -> list[Unit]:
    return [u for u in _scheduled(g, side, g.turn) if g.box[u] == WAITING]


@fact(GAME)
def _scheduled(g: Board, side: Side, turn: int) -> list[Unit]:
    """7.0 The units that may enter by a turn, those that have come among them."""
    arrivals, sides = g.scenario.arrivals, g.forces.side
    mine = ((u, arrivals[line]) for u, line in g.schedule.items() if sides[u] == side)
    return [u for u, arrival in mine if arrival.option not in OWN_RULE and arrival.turn <= turn]


def entries(g: Board, side: Side) -> list[tuple[Unit, Hex]]:
    """7.0 All units that may be placed, with their hexes."""
    found = []
    for u in due(g, side):
        entry = g.scenario.arrivals[g.schedule[u]].hex
        hexes = entry_hexes(g, side, entry)
        if g.forces.role[u] == SDM:
            rail = g.scenario.arrivals[g.schedule[u]].rail
            hexes = hexes & g.ground.on_road | (terminals_from(g, entry) if rail else 0)
        found += [(u, h) for h in members(hexes)]
    return found


@dataclass(slots=True)
class ReinforcementSegment(Procedure):
    """7.0 Reinforcements are placed on the map edge; those not placed may come later."""

    side: int

    @auto("7.0")
    def withdraw(self, g: Board) -> Out:
        """Units the scenario calls away leave."""
        for w in g.scenario.withdrawals:
            if w.turn == g.turn and w.side == self.side:
                for u in w.units:
                    if g.on_map(u):
                        g.tell(f"{g.name(u)} is withdrawn", "7.0", unit=g.id(u))
                        g.take_off(u, LEFT)
        return None

    pick = Choice("side", "7.0", "Place a reinforcement on the map edge, or bring in no more.", passing=DONE)

    @pick.verb(
        "enter",
        legal=lambda p, g: [*entries(g, p.side), *returns(g, p.side)],
        why_not=lambda p, g, u, h: (why_not_return if has_left(g, u) else why_not_enter)(g, p.side, u, h),
    )
    def enter(self, g: Board, u: Unit, h: Hex) -> Out:
        if g.forces.role[u] == SDM:
            g.steps[u], g.box[u] = 1, UNUSED
            g.place_sdm(u, h)
        else:
            g.put(u, h)
            g.left_at[u] = NOWHERE
            g.set_status(u, ENTERED)
        g.tell(f"{g.name(u)} enters in {g.hex_name(h)}", "7.0", unit=g.id(u), to=g.hex_name(h))
        return AGAIN


def reinforcement_segment(g: Board, side: Side) -> Procedure | None:
    return ReinforcementSegment(side)
