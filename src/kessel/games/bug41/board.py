"""What changes in a game: where units stand and in what state, levels of formations, whose hexes are whose."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from kessel.core.board import NOWHERE, Place
from kessel.core.facts import Lifetimes, amend, fact
from kessel.core.forces import NO_UNIT, Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import bits
from kessel.core.terrain import Map
from kessel.games.bug41.data.charts import AFV, Charts
from kessel.games.bug41.data.constants import Constants
from kessel.games.bug41.data.forces import GERMAN, SOVIET, Forces
from kessel.games.bug41.data.scenario import Scenario
from kessel.games.bug41.data.terrain import Ground, ground_of
from kessel.wargame.board import Board as SidesBoard

Formation = int
"""A formation is an index into `forces.commands`."""

DISRUPTED, IMPROVED, EXPENDED, EMERGENCY = 1, 2, 4, 8
STATUS = {"disrupted": DISRUPTED, "improved": IMPROVED, "expended": EXPENDED, "emergency": EMERGENCY}
"""Markers: on combat units the first two, on HQs Emergency Supply Expended and that it serves in this turn."""

FACTS = Lifetimes()
POSITION = FACTS.until("place", "state")
"""Until a unit moves, is Disrupted or not any more, loses strength, or changes its formation."""
OF_SIDE = FACTS.until("place", "state", by_side=True)
"""The same, of the units of one side."""
FIGHTERS = FACTS.until("fighters", "state", by_side=True)
"""The same, of the combat units of one side: what an HQ does leaves it alone."""
HQS = FACTS.until("hqs", by_side=True)
"""Until an HQ of that side moves."""
FRONT = FACTS.until("fighters", "state")
"""Of the combat units of both."""
MARKED = FACTS.until("fighters", "state", "improved", by_side=True)
"""Of those of one side, and until a unit of it goes into Improved Defense or leaves it."""
KEPT_UP = FACTS.until(by_side=True)
"""As long as the game: what is brought up to date whenever anything it is made of changes."""
ON_FIGHTERS = tuple(FACTS.ended_by("fighters", side=side) for side in (GERMAN, SOVIET))
ON_HQS = tuple(FACTS.ended_by("hqs", side=side) for side in (GERMAN, SOVIET))
ON_IMPROVED = tuple(FACTS.ended_by("improved", side=side) for side in (GERMAN, SOVIET))
ON_STATE = tuple(FACTS.ended_by("state", side=side) for side in (GERMAN, SOVIET))

TRACKS = ("turn", "interdiction", "space", "shown", "surprise", "lost_afv", "lost_infantry", "tether_over")


class Census(NamedTuple):
    """The combat units of one side on the map."""

    formations: dict[Formation, tuple[Unit, ...]]
    infantry_zone: Bits
    """The hexes of undisrupted units, by the class of their zones."""
    afv_zone: Bits
    crowds: tuple[Bits, ...]
    """The hexes with so many units or more; the first two are all hexes with any."""
    infantry: tuple[Bits, ...]
    """Those of them with so many or more that stack as infantry."""
    foot: Bits
    """The hexes with any unit that is infantry, and those with any that is none."""
    others: Bits


class Board(SidesBoard):
    track_names = TRACKS
    columns = (*SidesBoard.columns, "command", "levels", "moves", "due", "owner", "chits")
    constant = (*SidesBoard.constant, "charts", "ground", "numbers", "scenario")
    lifetimes = FACTS
    forces: Forces

    def __init__(
        self, map: Map, forces: Forces, charts: Charts, scenario: Scenario, options: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(map, forces, charts.readings, options)
        self.charts, self.scenario = charts, scenario
        self.numbers: Constants = charts.constants
        self.ground: Ground = ground_of(map, charts, self.readings)
        self.command = bytearray(forces.command)
        """The formation each unit belongs to now."""
        self.levels = bytearray(len(forces.commands))
        """Activation Level by formation."""
        self.moves = bytearray(len(forces))
        """Movement Actions in the activation that is going on."""
        self.due = bytearray(len(forces))
        """The turn a unit off the map comes; 0 for an HQ that found no place when it was displaced."""
        self.owner = bytearray([SOVIET]) * map.places
        """The side whose combat unit was last in a hex."""
        self.chits = bytearray(len(charts.chits))

    def d10(self) -> int:
        return self.die(self.numbers.die.sides)

    def move(self, u: Unit, place: Place) -> None:
        old = self.place[u]
        super().move(u, place)
        if self.forces.hq[u]:
            self.happened(ON_HQS[self.forces.side[u]])
            return
        self.happened(ON_FIGHTERS[self.forces.side[u]])
        self._recount(u, old, place)

    # --- units -----------------------------------------------------------------------------------------------------

    def set_status(self, u: Unit, flag: int, on: bool = True) -> None:
        before = self.status[u]
        self.status[u] = before | flag if on else before & ~flag
        changed = self.status[u] ^ before
        if changed & DISRUPTED:
            self.happened(ON_STATE[self.forces.side[u]])
            if self.on_map(u):
                here = (self.place[u],)
                amend(self, Board.census, self.forces.side[u], by=lambda found: self._counted(found, here))
        elif changed:
            self.happened(ON_IMPROVED[self.forces.side[u]])

    def is_disrupted(self, u: Unit) -> bool:
        return bool(self.status[u] & DISRUPTED)

    def combat_units(self, h: Hex) -> list[Unit]:
        """The units of a hex that are no HQs."""
        hq = self.forces.hq
        return [u for u in self.units(h) if not hq[u]]

    def hqs_in(self, h: Hex) -> list[Unit]:
        return [u for u in self.units(h) if self.forces.hq[u]]

    def of_formation(self, f: Formation, h: Hex | None = None) -> list[Unit]:
        """The combat units of a formation on the map, or in one hex."""
        if h is None:
            return list(self.census(self.forces.side_of_command[f]).formations[f])
        return [u for u in self.units(h) if self.command[u] == f and not self.forces.hq[u]]

    @fact(KEPT_UP)
    def census(self, side: Side) -> Census:
        """Who of a side stands where, found in one round over its units."""
        on_map = [u for u in self.forces.combat_units(side) if self.on_map(u)]
        formations = {f: tuple(u for u in on_map if self.command[u] == f) for f in self.formations_of(side)}
        limits = self.numbers.stacking
        empty = Census(formations, 0, 0, (0,) * (limits.units + 1), (0,) * (limits.infantry + 1), 0, 0)
        return self._counted(empty, {self.place[u] for u in on_map})

    def _counted(self, found: Census, hexes: Iterable[Hex]) -> Census:
        """A census with these hexes counted anew."""
        forces, under = self.forces, self._under
        crowds, infantry = list(found.crowds), list(found.infantry)
        kinds = [found.infantry_zone, found.afv_zone, found.others, found.foot]
        for h in hexes:
            bit, units, feet, seen = 1 << h, 0, 0, 0
            u = self._top[h]
            while u != NO_UNIT:
                if not forces.hq[u]:
                    units += 1
                    feet += forces.stacks_as_infantry[u]
                    seen |= self._kinds_of(u)
                u = under[u]
            for k in range(4):
                kinds[k] = kinds[k] | bit if seen >> k & 1 else kinds[k] & ~bit
            for k in range(len(crowds)):
                crowds[k] = crowds[k] | bit if units and units >= k else crowds[k] & ~bit
            for k in range(len(infantry)):
                infantry[k] = infantry[k] | bit if units and feet >= k else infantry[k] & ~bit
        return Census(found.formations, kinds[0], kinds[1], tuple(crowds), tuple(infantry), kinds[3], kinds[2])

    def _recount(self, u: Unit, old: Place, new: Place) -> None:
        """Bring the census of a unit's side up to date after it has moved."""

        def anew(found: Census) -> Census:
            crowds, infantry = list(found.crowds), list(found.infantry)
            kinds = [found.infantry_zone, found.afv_zone, found.others, found.foot]
            for h in (old, new):
                if 0 <= h < self.map.grid.size:
                    self._toggle(u, h, kinds, crowds, infantry)
            formations, f = found.formations, self.command[u]
            if (u in formations[f]) != self.on_map(u):
                formations = self._with_formation(found, f, u)
            return Census(formations, kinds[0], kinds[1], tuple(crowds), tuple(infantry), kinds[3], kinds[2])

        amend(self, Board.census, self.forces.side[u], by=anew)

    def _toggle(self, u: Unit, h: Hex, kinds: list[Bits], crowds: list[Bits], infantry: list[Bits]) -> None:
        """What changes in the sets of a census if a unit joins those in a hex, or leaves them."""
        forces, bit, units, feet, seen = self.forces, 1 << h, 0, 0, 0
        hq, foot, sides, under, v = forces.hq, forces.stacks_as_infantry, forces.side, self._under, self._top[h]
        while v != NO_UNIT:
            if v != u and not hq[v] and sides[v] == sides[u]:
                units += 1
                feet += foot[v]
                seen |= self._kinds_of(v)
            v = under[v]
        if not units:
            crowds[0] ^= bit
            infantry[0] ^= bit
        if units + 1 < len(crowds):
            crowds[units + 1] ^= bit
        if foot[u] and feet + 1 < len(infantry):
            infantry[feet + 1] ^= bit
        new = self._kinds_of(u) & ~seen
        for k in range(4) if new else ():
            if new >> k & 1:
                kinds[k] ^= bit

    def _kinds_of(self, u: Unit) -> int:
        """Which of the sets of a census by kind a unit belongs to, as bits."""
        zone = 0 if self.status[u] & DISRUPTED else 1 << self.forces.afv_zone[u]
        return zone | 4 << self.forces.infantry[u]

    def _with_formation(self, found: Census, f: Formation, u: Unit) -> dict[Formation, tuple[Unit, ...]]:
        """The formations of a census after a unit has come to one, or left it."""
        now = {*found.formations[f]} ^ {u}
        return {**found.formations, f: tuple(sorted(now))}

    @fact(OF_SIDE)
    def hexes_of(self, side: Side) -> Bits:
        """All hexes with a unit of that side."""
        return self.census(side).crowds[0] | self.hexes_with_hqs(side)

    @fact(HQS)
    def hexes_with_hqs(self, side: Side) -> Bits:
        return bits(self.hq_stands(side))

    def hq_stands(self, side: Side) -> list[Hex]:
        """The hexes of the HQs of a side, one for each that is on the map."""
        place = self.place
        return [place[u] for u in self.forces.hqs(side) if place[u] != NOWHERE]

    def hexes_with_combat_units(self, side: Side) -> Bits:
        return self.census(side).crowds[0]

    def enter(self, u: Unit, *way: Hex) -> None:
        """RX-9: a hex belongs to the side whose combat unit was last in it, the hexes passed through among them."""
        self.move(u, way[-1])
        if self.forces.hq[u]:
            return
        side, area = self.forces.side[u], self.ground.volodymyr
        for h in way:
            self.owner[h] = side
            if side == GERMAN and area >> h & 1:
                self.set_track("tether_over", 1)

    def disrupt(self, u: Unit, rule: str) -> None:
        """PA-disruption.5: a Disrupted unit loses its Improved Defense."""
        if not self.is_disrupted(u):
            self.tell(f"{self.name(u)} is Disrupted", rule, unit=self.id(u))
        self.set_status(u, DISRUPTED)
        self.set_status(u, IMPROVED, on=False)

    def rally(self, u: Unit, rule: str) -> None:
        self.tell(f"{self.name(u)} recovers from Disruption", rule, unit=self.id(u))
        self.set_status(u, DISRUPTED, on=False)

    def lose(self, u: Unit, points: int, rule: str) -> None:
        """Strength points lost by a unit; Soviet ones are counted for Victory Points (PA-VP.afv, PA-VP.inf)."""
        lost = min(points, self.steps[u])
        if not lost:
            return
        self.steps[u] -= lost
        if self.forces.side[u] == SOVIET:
            kind = "lost_afv" if self.charts.types[self.forces.type[u]].losses == AFV else "lost_infantry"
            self.set_track(kind, self.track(kind) + lost)
        left = self.steps[u]
        what = f"loses {lost} strength {'point' if lost == 1 else 'points'}, {left} left" if left else "is eliminated"
        self.tell(f"{self.name(u)} {what}", rule, unit=self.id(u))
        self.happened(ON_STATE[self.forces.side[u]])
        if not left:
            self.take_off(u)

    def take_off(self, u: Unit) -> None:
        """Off the map for good, or until an HQ comes back."""
        self.move(u, NOWHERE)
        self.status[u] &= EXPENDED | EMERGENCY

    # --- formations ------------------------------------------------------------------------------------------------

    def hq_of(self, f: Formation) -> Unit:
        """The HQ of a formation that is on the map, else NO_UNIT."""
        hq = self.forces.hq_of[f]
        return hq if hq != NO_UNIT and self.place[hq] != NOWHERE else NO_UNIT

    def formation_name(self, f: Formation) -> str:
        return self.charts.formations[self.forces.commands[f]].name

    def lower_level(self, f: Formation, by: int) -> None:
        self.levels[f] = max(self.numbers.activation.lowest_level, self.levels[f] - by)
        self.cache.clear()

    def assign(self, u: Unit, f: Formation) -> None:
        before, self.command[u] = self.command[u], f
        self.happened(ON_STATE[self.forces.side[u]])
        if before == f or not self.on_map(u) or self.forces.hq[u]:
            return

        def anew(found: Census) -> Census:
            left = found._replace(formations=self._with_formation(found, before, u))
            return left._replace(formations=self._with_formation(left, f, u))

        amend(self, Board.census, self.forces.side[u], by=anew)

    def formations_of(self, side: Side) -> tuple[Formation, ...]:
        return self.forces.commands_of[side]
