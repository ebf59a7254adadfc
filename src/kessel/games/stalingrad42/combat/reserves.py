"""25.0 Reserves: units that may advance in the Combat Phase without having attacked."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.board import NOWHERE, Place
from kessel.core.breakdown import Refusal
from kessel.core.forces import NO_UNIT, Side, Unit
from kessel.core.hexes import Hex
from kessel.core.procedure import Call, Goto, Out, Procedure, auto
from kessel.core.verbs import Choice
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import ACTIVATED, ADVANCED, IN_PLAY, RESERVE
from kessel.games.stalingrad42.combat.after.advance_paths import (
    Trip,
    advance_allowance,
    ends_at,
    in_weather,
    vacated_hex,
    ways_of,
    why_not_stack_there,
    why_not_step,
)
from kessel.games.stalingrad42.combat.after.retreat import interruption
from kessel.games.stalingrad42.combat.disruption import disrupt
from kessel.games.stalingrad42.movement.entering import enter
from kessel.games.stalingrad42.movement.maskirovka import challenge


def reserve_hexes(g: Board, side: Side) -> list[Hex]:
    """The hexes with Reserve markers of a side."""
    return sorted({g.place[u] for u in g.reserves(side)})


def why_not_activate(g: Board, h: Hex, side: Side) -> Refusal | None:
    """25.2.3 Why the Reserves of a hex may not be activated."""
    if h not in reserve_hexes(g, side):
        return Refusal("25.2.3", "there is no Reserve marker of yours in that hex")
    return None


def activate(g: Board, side: Side, h: Hex, vacated: Place) -> ReserveAdvance:
    """25.2.3 The Reserves of a hex come out; `vacated` is the hex the last combat left empty."""
    units = tuple(u for u in g.units(h) if g.status[u] & RESERVE and g.forces.side[u] == side)
    for u in units:
        g.set_status(u, RESERVE, False)
        g.set_status(u, ACTIVATED)
    return ReserveAdvance(side, units, vacated)


@dataclass(slots=True)
class ReserveAdvance(Procedure):
    """25.2.3 Activated units advance up to two hexes; they may not fight."""

    side: int
    units: tuple[int, ...]
    vacated: int = NOWHERE
    mover: int = NO_UNIT
    left: int = 0
    first: bool = True
    path: tuple[int, ...] = ()
    trail: tuple[int, ...] = ()
    """The places of the unit on its way, its start first."""
    challenged: int = NOWHERE
    """34.6.2 The hex whose Reserve Army has been asked to bring its units out."""

    about_units = ("mover", "units")

    def trip(self, g: Board) -> Trip:
        v = vacated_hex(g, self.side, self.vacated)
        return Trip(g.place[self.mover], self.left, v, first=self.first, rivers=False)

    choose = Choice("side", "25.2.3", "Choose a Reserve unit to advance, or end the advance.", passing=Goto("finish"))

    @choose.verb(
        "advance",
        legal=lambda p, g: [u for u in p.units if g.pool[u] == IN_PLAY and not g.status[u] & ADVANCED],
    )
    def advance(self, g: Board, u: Unit) -> Out:
        self.mover, self.first = u, True
        hexes = g.charts.table("advance_rates").number("reserve", "hexes")
        self.left = advance_allowance(g, u, in_weather(g, hexes)).total
        return None

    where = Choice("side", "25.2.3", "Say where the Reserve unit goes.", when=lambda p, g: p.mover != NO_UNIT)

    @where.verb("halt")
    def halt(self, g: Board) -> Out:
        self.left = 0
        return None

    def why_not_go(self, g: Board, way: tuple[Place, ...]) -> Refusal | None:
        trip = self.trip(g)
        for n in way:
            if why := why_not_step(g, self.mover, trip, n):
                return why
            trip = trip._replace(place=n, left=trip.left - 1, first=False)
        if way and (why := why_not_stack_there(g, self.mover, way[-1])):
            return why
        no_way = Refusal("25.2.3", f"{g.name(self.mover)} does not advance along that way")
        return None if way in ways_of(g, self.mover, self.trip(g)) else no_way

    @where.verb("go", legal=lambda p, g: ways_of(g, p.mover, p.trip(g)), why_not=why_not_go)
    def set_out(self, g: Board, way: tuple[Place, ...]) -> Out:
        self.path = way
        return None

    @auto("25.2.3")
    def go(self, g: Board) -> Out:
        u = self.mover
        if u == NO_UNIT:
            return None
        while self.path and g.pool[u] == IN_PLAY:
            n, here = self.path[0], g.place[u]
            if why_not_step(g, u, self.trip(g), n) is not None:
                self.path = ()
                break
            if n != self.challenged and g.map.is_hex(n):
                self.challenged = n
                if defend := challenge(g, n, self.side):
                    return Call(defend, again=True)
            self.path = self.path[1:]
            self.trail = (*(self.trail or (here,)), n)
            stopped = ends_at(g, u, here, n, self.vacated)
            self.left, self.first = 0 if stopped else self.left - 1, False
            if g.map.is_hex(n):
                enter(g, (u,), n)
            else:
                g.move(u, n)
            if interrupt := interruption(g, self.side, n):
                return Call(interrupt, again=True)
        if self.left and not self.first and g.pool[u] == IN_PLAY:
            return Goto("where")
        if g.pool[u] == IN_PLAY:
            if self.trail:
                g.tell_move(u, "advances from Reserve to {}", "25.2.3", self.trail[0], self.trail[1:])
            g.set_status(u, ADVANCED)
            if g.forces.is_asu[u] and not self.first:
                disrupt(g, u, "18.2.2")
        self.mover, self.trail = -1, ()
        return Goto("choose")

    @auto("25.2.3")
    def finish(self, g: Board) -> Out:
        for u in self.units:
            if g.pool[u] == IN_PLAY:
                g.set_status(u, ADVANCED)
        return None
