"""What changes in a game: where units stand and in what state, levels of formations, whose hexes are whose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from kessel.core.board import NOWHERE, Place
from kessel.core.facts import Lifetimes, fact
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
FRONT = FACTS.until("fighters", "state")
"""Of the combat units of both."""
ON_FIGHTERS = tuple(FACTS.ended_by("fighters", side=side) for side in (GERMAN, SOVIET))
ON_STATE = tuple(FACTS.ended_by("state", side=side) for side in (GERMAN, SOVIET))

VOLODYMYR = "volodymyr"
TRACKS = ("turn", "interdiction", "space", "shown", "surprise", "lost_afv", "lost_infantry", "tether_over")


class Census(NamedTuple):
    """The combat units of one side on the map."""

    formations: dict[Formation, list[Unit]]
    hexes: dict[Hex, list[Unit]]
    infantry_zone: Bits
    """The hexes of undisrupted units, by the class of their zones."""
    afv_zone: Bits
    combat: Bits


class Board(SidesBoard):
    track_names = TRACKS
    columns = (*SidesBoard.columns, "command", "levels", "moves", "due", "owner", "chits")
    constant = (*SidesBoard.constant, "charts", "ground", "scenario")
    lifetimes = FACTS
    forces: Forces

    def __init__(
        self, map: Map, forces: Forces, charts: Charts, scenario: Scenario, options: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(map, forces, charts.readings, options)
        self.charts, self.scenario = charts, scenario
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

    @property
    def numbers(self) -> Constants:
        return self.charts.constants

    def d10(self) -> int:
        return self.die(self.numbers.die.sides)

    def move(self, u: Unit, place: Place) -> None:
        super().move(u, place)
        if not self.forces.hq[u]:
            self.happened(ON_FIGHTERS[self.forces.side[u]])

    # --- units -----------------------------------------------------------------------------------------------------

    def set_status(self, u: Unit, flag: int, on: bool = True) -> None:
        before = self.status[u]
        self.status[u] = before | flag if on else before & ~flag
        if (self.status[u] ^ before) & DISRUPTED:
            self.happened(ON_STATE[self.forces.side[u]])
        else:
            self.cache.clear()

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
            return self.census(self.forces.side_of_command[f]).formations[f][:]
        return [u for u in self.units(h) if self.command[u] == f and not self.forces.hq[u]]

    @fact(FIGHTERS)
    def census(self, side: Side) -> Census:
        """Who of a side stands where, found in one round over its units."""
        place, size, status, command = self.place, self.map.grid.size, self.status, self.command
        kinds = self.forces.afv_zone
        stands = [0, 0]
        weak: Bits = 0
        formations: dict[Formation, list[Unit]] = {f: [] for f in self.formations_of(side)}
        crowds: dict[Hex, list[Unit]] = {}
        for u in self.forces.combat_units(side):
            if 0 <= (h := place[u]) < size:
                formations[command[u]].append(u)
                if status[u] & DISRUPTED:
                    weak |= 1 << h
                else:
                    stands[kinds[u]] |= 1 << h
                if h in crowds:
                    crowds[h].append(u)
                else:
                    crowds[h] = [u]
        return Census(formations, crowds, stands[0], stands[1], stands[0] | stands[1] | weak)

    @fact(OF_SIDE)
    def hexes_of(self, side: Side) -> Bits:
        """All hexes with a unit of that side."""
        return self.census(side).combat | bits(self.place[u] for u in self.forces.hqs(side) if self.on_map(u))

    def hexes_with_combat_units(self, side: Side) -> Bits:
        return self.census(side).combat

    def enter(self, u: Unit, *way: Hex) -> None:
        """RX-9: a hex belongs to the side whose combat unit was last in it, the hexes passed through among them."""
        self.move(u, way[-1])
        if self.forces.hq[u]:
            return
        side, area = self.forces.side[u], self.ground.area(VOLODYMYR)
        for h in way:
            self.owner[h] = side
            if side == GERMAN and area >> h & 1:
                self.set_track("tether_over", 1)

    def disrupt(self, u: Unit, rule: str) -> None:
        """PA-disruption.5: a Disrupted unit loses its Improved Defense."""
        if not self.is_disrupted(u):
            self.tell(f"{self.name(u)} is Disrupted", rule, unit=self.name(u))
        self.set_status(u, DISRUPTED)
        self.set_status(u, IMPROVED, on=False)

    def rally(self, u: Unit, rule: str) -> None:
        self.tell(f"{self.name(u)} recovers from Disruption", rule, unit=self.name(u))
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
        self.tell(f"{self.name(u)} {what}", rule, unit=self.name(u))
        self.happened(ON_STATE[self.forces.side[u]])
        if not left:
            self.take_off(u)

    def take_off(self, u: Unit) -> None:
        """Off the map for good, or until an HQ comes back."""
        self.status[u] &= EXPENDED | EMERGENCY
        self.move(u, NOWHERE)

    # --- formations ------------------------------------------------------------------------------------------------

    def hq_of(self, f: Formation) -> Unit:
        """The HQ of a formation that is on the map, else NO_UNIT."""
        hq = self.forces.hq_of[f]
        return hq if hq != NO_UNIT and self.on_map(hq) else NO_UNIT

    def formation_name(self, f: Formation) -> str:
        return self.charts.formations[self.forces.commands[f]].name

    def lower_level(self, f: Formation, by: int) -> None:
        self.levels[f] = max(self.numbers.activation.lowest_level, self.levels[f] - by)
        self.cache.clear()

    def assign(self, u: Unit, f: Formation) -> None:
        self.command[u] = f
        self.happened(ON_STATE[self.forces.side[u]])

    def formations_of(self, side: Side) -> list[Formation]:
        return [f for f, s in enumerate(self.forces.side_of_command) if s == side]
