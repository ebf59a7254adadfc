"""14.0 Advance After Combat: step 3, the units that are not (or no longer) part of a Breakthrough Group."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass

from kessel.core.breakdown import Refusal
from kessel.core.forces import NO_UNIT
from kessel.core.procedure import NOTHING, PASS, Action, Call, Goto, Options, Out, ask, auto
from kessel.games.stalingrad42.advance_paths import Trip, ends_at, overstacks, step_refusal, trips, vacated_hex
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.breakthrough import HALT, LIMITED, Breakthrough
from kessel.games.stalingrad42.columns import IN_PLAY, RETREATED
from kessel.games.stalingrad42.entering import enter
from kessel.games.stalingrad42.retreat import interruption
from kessel.games.stalingrad42.stacking import CorrectStacking, excess_victims


@dataclass(slots=True)
class Advance(Breakthrough):
    """14.1 Units of a successful attack advance, the Breakthrough Group first (15.2.1)."""

    mover: int = NO_UNIT
    left: int = 0
    first: bool = True
    halted: str = ""

    def trip(self, g: Board) -> Trip:
        v = vacated_hex(g, self.side, self.target)
        return Trip(g.place[self.mover], self.left, v, self.mode == LIMITED, self.first)

    @ask("side", "14.1")
    def choose(self, g: Board) -> Generator[Options, Action, Out]:
        """Choose a unit to advance, or end the advance."""
        found = [("advance", u) for u, left in self.open if left > 0 and g.pool[u] == IN_PLAY]
        if not found:
            yield NOTHING
            return None
        action = yield Options(found, PASS, guard=lambda a: self._choose_refusal(g, a))
        if action == PASS:
            return Goto("finish")
        self.mover = action[1]
        self.left = dict(self.open)[self.mover]
        self.first = self.mover not in self.walked
        self.halted = ""
        return None

    def _choose_refusal(self, g: Board, action: Action) -> Refusal | None:
        if action[0] == "advance":
            return Refusal("14.1", f"{g.name(action[1])} may not advance after this combat")
        return None

    @ask("side", "14.3")
    def where(self, g: Board) -> Generator[Options, Action, Out]:
        """Say where the unit advances."""
        if self.mover == NO_UNIT or g.pool[self.mover] != IN_PLAY or self.halted or not self.left:
            yield NOTHING
            return None
        action = yield Options(self._ways(g), HALT, guard=lambda a: self._go_refusal_of(g, a))
        if action == HALT:
            self.halted = "halt"
            return None
        self.path = action[1]
        return None

    def _ways(self, g: Board) -> Iterator[Action]:
        for place, way in trips(g, self.mover, self.trip(g)).items():
            if overstacks(g, self.mover, place) is None:
                yield ("go", way)

    def _go_refusal_of(self, g: Board, action: Action) -> Refusal | None:
        if action[0] != "go" or not action[1]:
            return None
        trip = self.trip(g)
        for n in action[1]:
            if why := step_refusal(g, self.mover, trip, n):
                return why
            if n != action[1][-1] and (end := ends_at(g, self.mover, trip.place, n, trip.vacated)):
                rule = {"ezoc": "14.4.2", "terrain": "14.5", "area": "22.3.1"}[end]
                return Refusal(rule, f"the advance ends in {g.place_name(n)}")
            trip = trip._replace(place=n, left=trip.left - 1, first=False)
        if why := overstacks(g, self.mover, action[1][-1]):
            return why
        return Refusal("14.3", f"another way leads to {g.place_name(action[1][-1])}; the listed one serves")

    @auto("14.1")
    def go(self, g: Board) -> Out:
        """Hex by hex; Full Retreat units of the enemy run from the advance (13.3.2)."""
        u = self.mover
        if u == NO_UNIT:
            return Goto("finish")
        while self.path:
            n, here = self.path[0], g.place[u]
            why = step_refusal(g, u, self.trip(g), n)
            if why is not None:  # what interrupted has closed the way
                self.path = ()
                break
            if n != self.challenged and (defend := self._challenge(g, n)):
                return Call(defend, again=True)
            self.path = self.path[1:]
            self.halted = ends_at(g, u, here, n, self.target)
            self.left, self.first, self.walked = self.left - 1, False, (*self.walked, u)
            self.trail = (*(self.trail or (here,)), n)
            if g.map.is_hex(n):
                enter(g, (u,), n)
            else:
                g.move(u, n)
            if u == self.escort:
                self._follow(g)
            if interrupt := interruption(g, self.side, n):
                return Call(interrupt, again=True)
        if self.mode == LIMITED and not self.first:
            self.halted = "limited"
        if self.left and not self.halted and g.pool[u] == IN_PLAY:
            return Goto("where")
        if self.trail and g.pool[u] == IN_PLAY:
            g.tell_move(u, "advances to {}", "14.1", self.trail[0], self.trail[1:])
        self.trail = ()
        self._close(g, u)
        self.mover = NO_UNIT
        return Goto("choose")

    @auto("14.1")
    def finish(self, g: Board) -> Out:
        """Stacking limits must be observed when the whole attack has advanced (reading A62)."""
        at_once = g.reads("overstack_after_disengagement") == "at_once"
        for h in sorted({g.place[u] for u in self.walked if g.pool[u] == IN_PLAY and g.map.is_hex(g.place[u])}):
            if excess_victims(g, h, self.side, spared=0 if at_once else RETREATED):
                return Call(CorrectStacking(self.side, h, retreated=at_once), again=True)
        return None
