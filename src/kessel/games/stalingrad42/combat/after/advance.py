"""14.0 Advance After Combat: step 3, the units that are not (or no longer) part of a Breakthrough Group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from kessel.core.board import Place
from kessel.core.breakdown import Refusal
from kessel.core.forces import NO_UNIT, Unit
from kessel.core.procedure import Call, Goto, Out, auto
from kessel.core.verbs import Choice
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import IN_PLAY, RETREATED
from kessel.games.stalingrad42.combat.after.advance_paths import (
    LIMITED,
    Trip,
    ends_at,
    vacated_hex,
    ways_of,
    why_not_stack_there,
    why_not_step,
)
from kessel.games.stalingrad42.combat.after.breakthrough import Breakthrough
from kessel.games.stalingrad42.combat.after.retreat import interruption
from kessel.games.stalingrad42.movement.entering import enter
from kessel.games.stalingrad42.movement.ways.stacking import CorrectStacking, excess_victims


@dataclass(slots=True)
class Advance(Breakthrough):
    """14.1 Units of a successful attack advance, the Breakthrough Group first (15.2.1)."""

    mover: int = NO_UNIT
    left: int = 0
    first: bool = True
    halted: str = ""

    about_units: ClassVar[tuple[str, ...]] = ("mover", "group", "units")

    def trip(self, g: Board) -> Trip:
        v = vacated_hex(g, self.side, self.target)
        return Trip(g.place[self.mover], self.left, v, self.mode == LIMITED, self.first)

    choose = Choice("side", "14.1", "Choose a unit to advance, or end the advance.", passing=Goto("finish"))

    def _ready(self, g: Board) -> list[Unit]:
        return [u for u, left in self.open if left > 0 and g.pool[u] == IN_PLAY]

    def why_not_advance(self, g: Board, u: Unit) -> Refusal | None:
        return None if u in self._ready(g) else Refusal("14.1", f"{g.name(u)} may not advance after this combat")

    @choose.verb("advance", legal=_ready, why_not=why_not_advance)
    def advance(self, g: Board, u: Unit) -> Out:
        self.mover, self.left = u, dict(self.open)[u]
        self.first = u not in self.walked
        self.halted = ""
        return None

    def _on_its_way(self, g: Board) -> bool:
        return self.mover != NO_UNIT and g.pool[self.mover] == IN_PLAY and not self.halted and self.left > 0

    where = Choice("side", "14.3", "Say where the unit advances.", when=_on_its_way)

    @where.verb("halt")
    def stop(self, g: Board) -> Out:
        self.halted = "halt"
        return None

    def why_not_along(self, g: Board, way: tuple[Place, ...]) -> Refusal | None:
        if not way:
            return Refusal("14.3", "an advance enters a hex")
        trip = self.trip(g)
        if way in ways_of(g, self.mover, trip):
            return None
        for n in way:
            if why := why_not_step(g, self.mover, trip, n):
                return why
            if n != way[-1] and (end := ends_at(g, self.mover, trip.place, n, trip.vacated)):
                rule = {"ezoc": "14.4.2", "terrain": "14.5", "area": "22.3.1"}[end]
                return Refusal(rule, f"the advance ends in {g.where(n)}")
            trip = trip._replace(place=n, left=trip.left - 1, first=False)
        if why := why_not_stack_there(g, self.mover, way[-1]):
            return why
        return Refusal("14.3", f"another way leads to {g.where(way[-1])}; the listed one serves")

    @where.verb("go", legal=lambda p, g: ways_of(g, p.mover, p.trip(g)), why_not=why_not_along)
    def go_along(self, g: Board, way: tuple[Place, ...]) -> Out:
        self.path = way
        return None

    @auto("14.1")
    def go(self, g: Board) -> Out:
        """Hex by hex; Full Retreat units of the enemy run from the advance (13.3.2)."""
        u = self.mover
        if u == NO_UNIT:
            return Goto("finish")
        while self.path:
            n, here = self.path[0], g.place[u]
            why = why_not_step(g, u, self.trip(g), n)
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
