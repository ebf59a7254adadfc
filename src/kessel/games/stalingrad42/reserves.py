"""25.0 Reserves: units that may advance in the Combat Phase without having attacked."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass

from kessel.core.board import NOWHERE
from kessel.core.breakdown import Refusal
from kessel.core.forces import NO_UNIT, Side
from kessel.core.hexes import Hex
from kessel.core.procedure import NOTHING, PASS, Action, Call, Goto, Options, Out, Procedure, ask, auto
from kessel.games.stalingrad42.advance_paths import (
    Trip,
    advance_allowance,
    ends_at,
    in_weather,
    overstacks,
    step_refusal,
    trips,
    vacated_hex,
)
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import ACTIVATED, ADVANCED, IN_PLAY, RESERVE
from kessel.games.stalingrad42.combat import EXTRAS, CombatPhase, Extra
from kessel.games.stalingrad42.disruption import disrupt
from kessel.games.stalingrad42.entering import enter
from kessel.games.stalingrad42.maskirovka import challenge
from kessel.games.stalingrad42.retreat import interruption

HALT: Action = ("halt",)


def reserve_hexes(g: Board, side: Side) -> list[Hex]:
    """The hexes with Reserve markers of a side."""
    return sorted({g.place[u] for u in g.marked_with(side, RESERVE)})


def activation_refusal(g: Board, h: Hex, side: Side) -> Refusal | None:
    """25.2.3 Why the Reserves of a hex may not be activated."""
    if h not in reserve_hexes(g, side):
        return Refusal("25.2.3", "there is no Reserve marker of yours in that hex")
    return None


def choices(g: Board, side: Side) -> Iterator[Action]:
    if g.uses("reserves"):
        for h in reserve_hexes(g, side):
            yield ("activate", h)


def carry_out(g: Board, side: Side, action: Action) -> Out:
    units = tuple(u for u in g.units(action[1]) if g.status[u] & RESERVE and g.forces.side[u] == side)
    for u in units:
        g.set_status(u, RESERVE, False)
        g.set_status(u, ACTIVATED)
    phase = next((p for p in reversed(g.stack) if isinstance(p, CombatPhase)), None)
    return ReserveAdvance(side, units, phase.vacated if phase is not None else NOWHERE)


EXTRAS["activate"] = Extra(
    choices, lambda g, side, a: activation_refusal(g, a[1], side) if len(a) == 2 else None, carry_out
)


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
    challenged: int = NOWHERE
    """34.6.2 The hex whose Reserve Army has been asked to bring its units out."""
    """The places of the unit on its way, its start first."""

    def trip(self, g: Board) -> Trip:
        v = vacated_hex(g, self.side, self.vacated)
        return Trip(g.place[self.mover], self.left, v, first=self.first, rivers=False)

    @ask("side", "25.2.3")
    def choose(self, g: Board) -> Generator[Options, Action, Out]:
        """Choose a Reserve unit to advance, or stop."""
        ready = [u for u in self.units if g.pool[u] == IN_PLAY and not g.status[u] & ADVANCED]
        action = yield Options([("advance", u) for u in ready], *([PASS] if ready else []))
        if action == PASS:
            return Goto("finish")
        self.mover, self.first = action[1], True
        hexes = g.charts.table("advance_rates").number("reserve", "hexes")
        self.left = advance_allowance(g, self.mover, in_weather(g, hexes)).total
        return None

    @ask("side", "25.2.3")
    def where(self, g: Board) -> Generator[Options, Action, Out]:
        """Say where the Reserve unit goes."""
        if self.mover == NO_UNIT:
            yield NOTHING
            return None
        action = yield Options(self._ways(g), HALT, guard=lambda a: self._why_not(g, a))
        if action == HALT:
            self.left = 0
            return None
        self.path = action[1]
        return None

    def _ways(self, g: Board) -> Iterator[Action]:
        for place, way in trips(g, self.mover, self.trip(g)).items():
            if overstacks(g, self.mover, place) is None:
                yield ("go", way)

    def _why_not(self, g: Board, action: Action) -> Refusal | None:
        if action[0] != "go" or not action[1]:
            return None
        trip = self.trip(g)
        for n in action[1]:
            if why := step_refusal(g, self.mover, trip, n):
                return why
            trip = trip._replace(place=n, left=trip.left - 1, first=False)
        return overstacks(g, self.mover, action[1][-1])

    @auto("25.2.3")
    def go(self, g: Board) -> Out:
        u = self.mover
        if u == NO_UNIT:
            return None
        while self.path and g.pool[u] == IN_PLAY:
            n, here = self.path[0], g.place[u]
            if step_refusal(g, u, self.trip(g), n) is not None:
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
                g.tell_way(u, "advances from Reserve to {}", "25.2.3", self.trail[0], self.trail[1:])
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
