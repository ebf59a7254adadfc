"""Everything that changes in a game: units, statuses, markers, crossings, tracks, as flat columns."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Mapping
from typing import Any

from kessel.core.board import NOWHERE
from kessel.core.facts import Lifetimes, amend, fact
from kessel.core.forces import NO_UNIT, Side, Unit
from kessel.core.hexes import Bits, Hex, Hexside
from kessel.core.hexset import bits, members
from kessel.core.terrain import Map
from kessel.games.don42.data.charts import WEATHERS, Charts, turn_name
from kessel.games.don42.data.forces import GERMAN, NO_COMMAND, SIDES, SOVIET, Forces
from kessel.games.don42.data.scenario import Scenario, Schedule
from kessel.games.don42.data.terrain import Crossings, Ground, ground_of
from kessel.wargame import board as wargame

# --- statuses of units ---------------------------------------------------------------------------------------------

DRG = 1 << 0
DPT = 1 << 1
RTD = 1 << 2
ACTIVE = 1 << 3
"""A Soviet unit that may act this turn (9.0)."""
MOVED = 1 << 4
"""It has moved in this phase, or was told to stay."""
ATTACKED = 1 << 5
"""It has attacked in this phase (12.0)."""
DEFENDED = 1 << 6
"""It has been attacked in this phase (12.0)."""
BOMBED = 1 << 7
"""It suffered aerial bombardment this turn (7.3.1)."""
SHELLED = 1 << 8
"""It suffered artillery bombardment this turn (11.0)."""
FIRED = 1 << 9
"""A gun that has bombarded or supported (5.0.6, 12.3.1)."""
ENTERED = 1 << 10
"""A reinforcement of this turn (15.0)."""
GUEST = 1 << 11
"""It retreated here in this phase and adds no strength (13.3.4)."""
LEFT = 1 << 12
"""It has left the map."""
RELEASED = 1 << 13
"""It is out of Operational Reserve (9.7)."""
ANSWERS = 1 << 14
"""It was attacked, or was next to one that was, and may attack back (17.3.3)."""
FLOWN = 1 << 15
"""An air unit that has flown this turn."""

DISORDER = DRG | DPT | RTD
FOR_TURN = ACTIVE | MOVED | ATTACKED | DEFENDED | BOMBED | SHELLED | FIRED | ENTERED | GUEST | ANSWERS | FLOWN
STATUS_WORDS = {"DRG": DRG, "DPT": DPT, "RTD": RTD}
FLAG_WORDS = {
    "active": ACTIVE,
    "moved": MOVED,
    "attacked": ATTACKED,
    "defended": DEFENDED,
    "bombed": BOMBED,
    "shelled": SHELLED,
    "fired": FIRED,
    "entered": ENTERED,
    "guest": GUEST,
    "released": RELEASED,
    "answers": ANSWERS,
    "flown": FLOWN,
}
"""Words a position may use besides the three markers."""

# --- supply states (4.0) -------------------------------------------------------------------------------------------

OOS, GENERAL, ATTACK = range(3)
SUPPLY_WORDS = ("out of supply", "general", "attack")

# --- positions (8.0) -----------------------------------------------------------------------------------------------

NO_POSITION, HASTY, PREPARED = range(3)
POSITION_WORDS = ("", "hasty", "prepared")

# --- crossings -----------------------------------------------------------------------------------------------------

INTACT, DESTROYED = 0, 1
TRIED = 2
"""Flag of a bridge or pontoon bombarded this turn (7.4)."""
IN_HAND, BUILDING, READY, LOST = range(4)
PONTOON_WORDS = ("in_hand", "building", "ready", "destroyed")
NO_SIDE: Hexside = -1

# --- commands (9.0) ------------------------------------------------------------------------------------------------

C_ACTIVE = 1
C_TRIED = 2
C_RELEASED = 4
"""Its units are out of Operational Reserve (9.7)."""
C_ATTACKED = 8
"""A Tank Corps attacked since its last chance to activate (17.2.2)."""
C_MOTHERLESS = 16
"""A Corps whose HQ is gone for good (13.2.1) or for the moment (13.2.3)."""

NOBODY = 2

PHASES = (
    "Set-up",
    "Weather Determination Phase",
    "Air Initiative Phase",
    "German Defensive Position Phase",
    "Soviet HQ Activation Phase",
    "Soviet Movement Phase",
    "Soviet Artillery Bombardment Phase",
    "Soviet Combat Phase",
    "German Movement Phase",
    "German Combat Phase",
    "German Motorized Movement Phase",
    "Mutual Recovery Phase",
)
"""5.0; index 0 is the set-up."""
POSITION_PHASE, S_MOVEMENT, S_BOMBARDMENT, S_COMBAT = 3, 5, 6, 7
G_MOVEMENT, G_COMBAT, G_MOTORIZED, RECOVERY = 8, 9, 10, 11

# --- how long facts hold -------------------------------------------------------------------------------------------

FACTS = Lifetimes()
CROSSINGS = FACTS.until("crossing")
GOING = FACTS.until("crossing", "weather")
ZONES = FACTS.until("place", "rout", "crossing", by_side=True)
"""3.2 Until a unit of that side moves or routs, or a crossing changes."""
POSITION = FACTS.until("place", "rout", "command", "crossing", "weather")
"""Until any unit moves or routs, or a command, a crossing or the weather changes."""
ENTRIES = FACTS.until(*POSITION.causes, "entry")
"""15.0 The same, and until another unit counts as one that entered this turn, or as one that left the map."""
ORDER = FACTS.until(*POSITION.causes, "disorder")
"""3.2.5, 8.1.1 The same, and until a unit comes into good order or out of it."""
PRESENCE = FACTS.until("presence", by_side=True)
"""Until a unit of that side comes on the map or leaves it."""
ARRIVALS = FACTS.until("place", "rout", "crossing", "entry", "moved", "track", by_side=True)
"""15.0 Until that side moves or routs, or anybody enters, or the turn goes on."""
UNMOVED = FACTS.until("entry", "disorder", "moved", "track")
CONTROL = FACTS.until("control", by_side=True)

ON_ROUT = tuple(FACTS.ended_by("rout", "disorder", side=s) for s in (GERMAN, SOVIET))
ON_PRESENCE = tuple((*FACTS.ended_by("presence", side=s), *FACTS.ended_by("entry")[1:]) for s in (GERMAN, SOVIET))
ON_ENTRY, ON_DISORDER, ON_MOVED = FACTS.ended_by("entry"), FACTS.ended_by("disorder"), FACTS.ended_by("moved")
ON_CROSSING, ON_COMMAND, ON_CONTROL = FACTS.ended_by("crossing"), FACTS.ended_by("command"), FACTS.ended_by("control")
ON_TRACK, ON_WEATHER = FACTS.ended_by("track"), FACTS.ended_by("track", "weather")


class Board(wargame.Board):
    columns = (
        *wargame.Board.columns,
        "supply",
        "command",
        "due",
        "sp",
        "fuel",
        "ammo",
        "position",
        "bridges",
        "pontoon_at",
        "pontoon_state",
        "control",
        "commands",
        "entered",
        "queue",
    )
    derived = (*wargame.Board.derived, "_occupied", "_sources")
    constant = (
        *wargame.Board.constant,
        "charts",
        "scenario",
        "ground",
        "objectives",
        "objective_index",
        "schedule",
    )
    lifetimes = FACTS
    track_names = (
        "turn",
        "weather",
        "phase",
        "air_side",
        "air_left",
        "vp_german",
        "vp_soviet",
        "flown_sp",
        "volga_met",
        "contact",
    )
    map: Map
    forces: Forces

    def __init__(
        self, map: Map, forces: Forces, charts: Charts, scenario: Scenario, options: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(map, forces, charts.readings, options)
        self.charts = charts
        self.scenario = scenario
        self.ground: Ground = ground_of(self, charts)
        n = len(forces)
        self.supply = bytearray([ATTACK]) * n
        self.command = bytearray(forces.command)
        """The Corps, Army or Tank Corps each unit is under now (13.2.1 may change it)."""
        self.due = bytearray(n)
        """Turn on which an eliminated HQ comes back (13.2.2-13.2.4)."""
        self.sp = array("H", [0]) * n
        """4.4 Supply Points stored at each HQ."""
        self.fuel = array("H", [0]) * n
        self.ammo = array("H", [0]) * n
        """19.1 The same as Fuel and Ammo Points, where that option is played."""
        self.position = bytearray(map.grid.size)
        self.bridges = bytearray(len(self.ground.bridges))
        self.pontoon_at = array("i", [NO_SIDE]) * charts.constants.pontoons
        self.pontoon_state = bytearray(charts.constants.pontoons)
        self.objectives: tuple[tuple[Hex, int], ...] = tuple(
            (map.grid.hex(h), vp) for h, (_, vp) in charts.objectives.items() if h in map.grid
        )
        self.objective_index = {h: i for i, (h, _) in enumerate(self.objectives)}
        self.control = bytearray([NOBODY]) * len(self.objectives)
        self.commands = bytearray(len(forces.commands))
        self.entered = bytearray(len(scenario.reinforcements))
        """How many units each reinforcement line has brought in."""
        self.queue = bytearray(map.grid.size)
        """How many units have entered at a hex in this phase (15.1)."""
        self.schedule = Schedule(scenario, forces)
        self._occupied: list[Bits] = []
        """The hexes of each side; empty while they are not known."""
        self._sources: list[Bits] = []
        """3.2 Of these the ones a zone of control goes out from; empty while they are not known."""

    # --- what changes, and which facts that ends -------------------------------------------------------------------

    def changed(self) -> None:
        super().changed()
        self._occupied, self._sources = [], []

    def touched(self) -> None:
        """After a change that moves no unit, routs none and leaves all crossings as they are."""
        self.cache.clear()

    def move(self, u: Unit, place: int) -> None:
        old = self.place[u]
        super().move(u, place)
        side, size = self.forces.side[u], self.map.grid.size
        occupied = self._occupied
        if occupied:
            if 0 <= old < size and self._top[old] == NO_UNIT:
                occupied[side] &= ~(1 << old)
            if 0 <= place < size:
                occupied[side] |= 1 << place
        if not 0 <= old < size or not 0 <= place < size:
            self.happened(ON_PRESENCE[side])
        if self._sources:
            self._watch(side, old)
            self._watch(side, place)

    def _watch(self, side: Side, h: int) -> None:
        """Note whether a zone of control goes out from a hex (3.2, 3.2.6): not from HQs and routed units."""
        sources = self._sources
        if not sources or not 0 <= h < self.map.grid.size:
            return
        bit, u, hq, status, under = 1 << h, self._top[h], self.forces.hq, self.status, self._under
        while u != NO_UNIT:
            if not hq[u] and not status[u] & RTD:
                sources[side] |= bit
                return
            u = under[u]
        sources[side] &= ~bit

    def zone_sources(self, side: Side) -> Bits:
        """3.2 All hexes with a unit of that side that exerts a zone of control."""
        if not self._sources:
            self._sources = [0, 0]
            for s in (GERMAN, SOVIET):
                for h in members(self.hexes_of(s)):
                    self._watch(s, h)
        return self._sources[side]

    def hexes_of(self, side: Side) -> Bits:
        """All hexes with a unit of that side."""
        occupied = self._occupied
        if not occupied:
            occupied = self._occupied = [0, 0]
            size, sides = self.map.grid.size, self.forces.side
            for u, h in enumerate(self.place):
                if 0 <= h < size:
                    occupied[sides[u]] |= 1 << h
        return occupied[side]

    def set_status(self, u: Unit, flag: int, on: bool = True) -> None:
        before = self.status[u]
        self.status[u] = before | flag if on else before & ~flag
        self.cache.clear()
        if flag & DISORDER:
            self._disordered(u, before)
        if flag & (ENTERED | LEFT):
            self.happened(ON_ENTRY)
        if flag & MOVED:
            if on:
                amend(self, Board.unmoved, by=lambda found: [v for v in found if v != u])
            else:
                self.happened(ON_MOVED)

    def set_track(self, name: str, value: int) -> None:
        self.happened(ON_WEATHER if name == "weather" and value != self.weather else ON_TRACK)
        super().set_track(name, value)

    # --- tracks ----------------------------------------------------------------------------------------------------

    @property
    def weather(self) -> int:
        return self.tracks[1]

    @property
    def weather_name(self) -> str:
        return WEATHERS[self.tracks[1]]

    @property
    def phase(self) -> int:
        return self.tracks[2]

    @property
    def turn_name(self) -> str:
        return turn_name(self.tracks[0])

    def points(self, side: Side) -> int:
        """Victory Points awarded so far; those of hexes are counted at the end (16.0)."""
        return self.tracks[5 + side]

    def award(self, side: Side, vp: int, rule: str, why: str) -> None:
        self.tracks[5 + side] += vp
        self.tell(f"{SIDES[side].capitalize()} player receives {vp} VP: {why}", rule, side=SIDES[side], vp=vp)

    # --- crossings -------------------------------------------------------------------------------------------------

    @property
    @fact(CROSSINGS)
    def crossings(self) -> Crossings:
        """Bridges and pontoons as they stand."""
        ground = self.ground
        destroyed = tuple(s for i, s in enumerate(ground.bridges) if self.bridges[i] & DESTROYED)
        pontoons = zip(self.pontoon_at, self.pontoon_state, strict=True)
        return ground.crossings(destroyed, tuple(s for s, state in pontoons if state & 3 == READY))

    # --- units -----------------------------------------------------------------------------------------------------

    @fact(PRESENCE)
    def units_on_map(self, side: Side) -> tuple[Unit, ...]:
        """A side's ground units on the map, in ascending order."""
        size, place = self.map.grid.size, self.place
        return tuple([u for u in self.forces.ground[side] if 0 <= place[u] < size])

    @fact(UNMOVED)
    def unmoved(self) -> list[Unit]:
        """10.0 The Germans that may still move in this phase."""
        status, motorized, all_ = self.status, self.forces.motorized, self.phase != G_MOTORIZED
        never = MOVED | DPT | (RTD if self.reads("rtd_moves") == "never" else 0)
        return [u for u in self.units_on_map(GERMAN) if not status[u] & never and (all_ or motorized[u])]

    def attack_value(self, u: Unit) -> int:
        return self.forces.value[u][self.steps[u]][0]

    def defence_value(self, u: Unit) -> int:
        return self.forces.value[u][self.steps[u]][1]

    def allowance(self, u: Unit) -> int:
        return self.forces.value[u][self.steps[u]][2]

    def disorder(self, u: Unit) -> int:
        return self.status[u] & DISORDER

    def set_disorder(self, u: Unit, status: int) -> None:
        before = self.status[u]
        self.status[u] = (before & ~DISORDER) | status
        self._disordered(u, before)

    def _disordered(self, u: Unit, before: int) -> None:
        """Rout alone changes zones of control (3.2.6) and lines of supply (4.1)."""
        if not (before ^ self.status[u]) & RTD:
            self.happened(ON_DISORDER)
            return
        side = self.forces.side[u]
        self._watch(side, self.place[u])
        self.happened(ON_ROUT[side])

    def units_with(self, flags: int) -> set[Unit]:
        """The units with one of the flags."""
        left = int.from_bytes(self.status.tobytes(), sys.byteorder) & self.forces.each * flags
        found, last = set(), len(self.status) - 1
        while left:
            at = ((left & -left).bit_length() - 1) // 16
            found.add(at if sys.byteorder == "little" else last - at)
            left &= ~(0xFFFF << 16 * at)
        return found

    def clear_flags(self, flags: int, units: Iterable[Unit] | None = None) -> None:
        keep = 0xFFFF & ~flags
        if units is None:
            kept = int.from_bytes(self.status.tobytes(), sys.byteorder) & self.forces.each * keep
            self.status = array("H", kept.to_bytes(2 * len(self.status), sys.byteorder))
        else:
            for u in units:
                self.status[u] &= keep
        self.happened(ON_MOVED)
        if flags & ENTERED:
            self.happened(ON_ENTRY)

    def command_name(self, u: Unit) -> str:
        c = self.command[u]
        return "" if c == NO_COMMAND else self.forces.commands[c]

    def command_index(self, name: str) -> int:
        return self.forces.commands.index(name)

    def is_alive(self, u: Unit) -> bool:
        return self.steps[u] > 0

    def is_waiting(self, u: Unit) -> bool:
        """Off the map and not lost: it may still enter."""
        return self.place[u] == NOWHERE and self.steps[u] > 0

    # --- hexes -----------------------------------------------------------------------------------------------------

    def control_hex(self, h: Hex, side: Side) -> None:
        """16.1 The last unit to occupy or pass a Victory Point hex controls it."""
        i = self.objective_index.get(h)
        if i is not None and self.control[i] != side:
            self.control[i] = side
            self.happened(ON_CONTROL)
            name = self.ground.name(h)
            self.tell(f"{SIDES[side].capitalize()} control of {name}", "16.1", hex=self.hex_name(h))

    @fact(CONTROL)
    def contested(self, side: Side) -> Bits:
        """The Victory Point hexes a side does not control."""
        return bits(h for (h, _), owner in zip(self.objectives, self.control, strict=True) if owner != side)

    def place_in(self, u: Unit, h: Hex) -> None:
        """Put a unit on the map with all its steps, as at set-up or on arrival."""
        self.steps[u] = self.forces.full_steps[u]
        self.move(u, h)


OTHER = (SOVIET, GERMAN)
