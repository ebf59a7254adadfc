"""Everything that changes in a game: units, statuses, markers, crossings, tracks, as flat columns."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Self, TypeVar

from kessel.core.board import NOWHERE
from kessel.core.board import Board as CoreBoard
from kessel.core.forces import NO_UNIT, Side, Unit
from kessel.core.hexes import Bits, Hex, Hexside
from kessel.core.hexset import bits, members
from kessel.core.terrain import Map
from kessel.games.don42.charts import WEATHERS, Charts, turn_name
from kessel.games.don42.forces import GERMAN, NO_COMMAND, SIDES, SOVIET, Forces
from kessel.games.don42.scenario import Scenario, Schedule
from kessel.games.don42.terrain import Crossings, Ground, crossings_of, ground_of

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

ON_ENTRIES = ("states",)
"""15.0 The lasting facts that depend on who has entered this turn."""
ON_DISORDER = ("stopping zone", "able to dig")
"""3.2.5, 8.1.1 The lasting facts that depend on whether units are in good order, routed or not."""

T = TypeVar("T")


class Board(CoreBoard):
    columns = (
        *CoreBoard.columns,
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
        super().__init__(map, forces, options)
        self.charts = charts
        self.scenario = scenario
        self.ground: Ground = ground_of(map, charts)
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
        self.control = bytearray([NOBODY]) * len(self.objectives)
        self.commands = bytearray(len(forces.commands))
        self.entered = bytearray(len(scenario.reinforcements))
        """How many units each reinforcement line has brought in."""
        self.queue = bytearray(map.grid.size)
        """How many units have entered at a hex in this phase (15.1)."""
        self.schedule = Schedule(scenario, forces)
        self._occupied: list[Bits] | None = None
        self._present: list[tuple[Unit, ...] | None] = [None, None]
        self._contested: tuple[bytes, list[Bits]] = (b"", [0, 0])
        self._sources: list[Bits] | None = None
        self._zones: list[Bits | None] = [None, None]
        self._crossings: Crossings | None = None
        self._lasting: dict[Any, Any] = {}
        self._readings = {s: self._reading(s) for s in charts.switches}
        self.arriving: list[list[Unit] | None] = [None, None]
        """15.0 The units of each side that can enter, while nothing changes there."""
        self.unmoved: list[Unit] | None = None
        """10.0 The Germans that may still move in this phase, as far as that has been asked."""

    def copy(self) -> Self:
        new = super().copy()
        new.charts, new.scenario, new.ground, new.objectives = self.charts, self.scenario, self.ground, self.objectives
        new.schedule = self.schedule
        new._occupied = None if self._occupied is None else self._occupied[:]
        new._present = self._present[:]
        new._contested = self._contested
        new._sources = None if self._sources is None else self._sources[:]
        new._zones = self._zones[:]
        new._crossings = self._crossings
        new._lasting = self._lasting.copy()
        new._readings = self._readings
        new.arriving = self.arriving[:]
        new.unmoved = self.unmoved
        return new

    def lean(self) -> Self:
        new = super().lean()
        new._lasting = {}
        return new

    # --- what is derived and kept longer than the cache: it changes with one side's units or with the bridges ------

    def changed(self) -> None:
        super().changed()
        self._occupied = None
        self._present = [None, None]
        self._sources = None
        self._zones = [None, None]
        self._crossings = None
        self._lasting.clear()
        self.arriving = [None, None]
        self.unmoved = None

    def lasting(self, key: Any, make: Callable[[], T]) -> T:
        """A derived fact that holds until a unit moves or routs, or a command, a crossing or the weather changes.

        One that depends on more is dropped by name (ON_ENTRIES, ON_DISORDER).
        """
        found: T | None = self._lasting.get(key)
        if found is None:
            found = self._lasting[key] = make()
        return found

    def touched(self) -> None:
        """After a change that moves no unit, routs none and leaves all crossings as they are."""
        self.cache.clear()

    def move(self, u: Unit, place: int) -> None:
        old = self.place[u]
        super().move(u, place)
        side, size = self.forces.side[u], self.map.grid.size
        self._lasting.clear()
        occupied = self._occupied
        if occupied is not None:
            if 0 <= old < size and self._top[old] == NO_UNIT:
                occupied[side] &= ~(1 << old)
            if 0 <= place < size:
                occupied[side] |= 1 << place
        if not 0 <= old < size or not 0 <= place < size:
            self._present[side] = self.unmoved = None
        self._zones[side] = None
        if self._sources is not None:
            self._watch(side, old)
            self._watch(side, place)

    def _watch(self, side: Side, h: int) -> None:
        """Note whether a zone of control goes out from a hex (3.2, 3.2.6): not from HQs and routed units."""
        sources = self._sources
        if sources is None or not 0 <= h < self.map.grid.size:
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
        if self._sources is None:
            self._sources = [0, 0]
            for h in members(self.hexes_of(GERMAN)):
                self._watch(GERMAN, h)
            for h in members(self.hexes_of(SOVIET)):
                self._watch(SOVIET, h)
        return self._sources[side]

    def hexes_of(self, side: Side) -> Bits:
        """All hexes with a unit of that side."""
        occupied = self._occupied
        if occupied is None:
            occupied = self._occupied = [0, 0]
            size, sides = self.map.grid.size, self.forces.side
            for u, h in enumerate(self.place):
                if 0 <= h < size:
                    occupied[sides[u]] |= 1 << h
        return occupied[side]

    def set_status(self, u: Unit, flag: int, on: bool = True) -> None:
        before = self.status[u]
        super().set_status(u, flag, on)
        if flag & DISORDER:
            self._disordered(u, before)
        if flag & ENTERED:
            self._forget(ON_ENTRIES)
        if flag & MOVED and self.unmoved is not None:
            self.unmoved = [v for v in self.unmoved if v != u] if on else None

    def _forget(self, names: tuple[str, ...]) -> None:
        """Drop the lasting facts of these names."""
        for key in [k for k in self._lasting if isinstance(k, tuple) and k[0] in names]:
            del self._lasting[key]

    def set_track(self, name: str, value: int) -> None:
        if name == "weather" and value != self.weather:
            self._lasting.clear()
        self.unmoved = None
        super().set_track(name, value)

    # --- readings ----------------------------------------------------------------------------------------------

    def reads(self, switch: str) -> str:
        """The reading in force of a point the text leaves open."""
        return self._readings[switch]

    def _reading(self, switch: str) -> str:
        found = self.options.get(switch)
        return str(found) if found is not None else self.charts.switches[switch].choices[0]

    def plays(self, option: str) -> bool:
        """Whether an optional rule is in force."""
        found = self.options.get(option)
        return (found if found is not None else self.charts.optional[option].default) == "on"

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
    def crossings(self) -> Crossings:
        """Bridges and pontoons as they stand."""
        found = self._crossings
        if found is None:
            ground = self.ground
            destroyed = tuple(s for i, s in enumerate(ground.bridges) if self.bridges[i] & DESTROYED)
            pontoons = zip(self.pontoon_at, self.pontoon_state, strict=True)
            laid = tuple(s for s, state in pontoons if state & 3 == READY)
            found = self._crossings = crossings_of(ground, destroyed, laid)
        return found

    # --- units -----------------------------------------------------------------------------------------------------

    def side_of(self, u: Unit) -> Side:
        return self.forces.side[u]

    def enemies_in(self, h: Hex, side: Side) -> bool:
        u = self._top[h]
        return u != NO_UNIT and self.forces.side[u] != side

    def units_on_map(self, side: Side) -> tuple[Unit, ...]:
        """A side's ground units on the map, in ascending order; kept until one of its units enters or leaves it."""
        found = self._present[side]
        if found is None:
            size, place = self.map.grid.size, self.place
            found = self._present[side] = tuple([u for u in self.forces.ground[side] if 0 <= place[u] < size])
        return found

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
        self.cache.clear()
        self._disordered(u, before)

    def _disordered(self, u: Unit, before: int) -> None:
        """Rout alone changes zones of control (3.2.6) and lines of supply (4.1)."""
        self.unmoved = None
        if not (before ^ self.status[u]) & RTD:
            self._forget(ON_DISORDER)
            return
        side = self.forces.side[u]
        self._zones[side] = None
        self._watch(side, self.place[u])
        self._lasting.clear()

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
        self.cache.clear()
        self.unmoved = None
        if flags & ENTERED:
            self._forget(ON_ENTRIES)

    def command_name(self, u: Unit) -> str:
        c = self.command[u]
        return "" if c == NO_COMMAND else self.forces.commands[c]

    def command_index(self, name: str) -> int:
        return self.forces.commands.index(name)

    def is_alive(self, u: Unit) -> bool:
        return self.steps[u] > 0

    def waiting(self, u: Unit) -> bool:
        """Off the map and not lost: it may still enter."""
        return self.place[u] == NOWHERE and self.steps[u] > 0

    def tell_way(self, u: Unit, does: str, path: Sequence[Hex], rule: str) -> None:
        """A line in the log about a unit that goes from where it stands along a path, so that it can be drawn."""
        if self.events is not None:
            way = [self.hex_name(h) for h in path]
            from_ = {} if self.place[u] == NOWHERE else {"from": self.place_name(self.place[u])}
            start = {**from_, "to": way[-1]}
            self.tell(f"{self.name(u)} {does} {way[-1]}", rule, unit=self.name(u), **start, path=way)

    # --- hexes -----------------------------------------------------------------------------------------------------

    def control_hex(self, h: Hex, side: Side) -> None:
        """16.1 The last unit to occupy or pass a Victory Point hex controls it."""
        i = self.objective_index.get(h)
        if i is not None and self.control[i] != side:
            self.control[i] = side
            name = self.ground.name(h)
            self.tell(f"{SIDES[side].capitalize()} control of {name}", "16.1", hex=self.hex_name(h))

    def contested(self, side: Side) -> Bits:
        """The Victory Point hexes a side does not control."""
        owners = bytes(self.control)
        if self._contested[0] != owners:
            held = [(h, owner) for (h, _), owner in zip(self.objectives, owners, strict=True)]
            found = [bits(h for h, owner in held if owner != s) for s in (GERMAN, SOVIET)]
            self._contested = (owners, found)
        return self._contested[1][side]

    @property
    def objective_index(self) -> dict[Hex, int]:
        kept: dict[Hex, int] | None = self.map.cache.get("don42 objectives")
        if kept is None:
            kept = self.map.cache["don42 objectives"] = {h: i for i, (h, _) in enumerate(self.objectives)}
        return kept

    def place_in(self, u: Unit, h: Hex) -> None:
        """Put a unit on the map with all its steps, as at set-up or on arrival."""
        self.steps[u] = self.forces.full_steps[u]
        self.move(u, h)


OTHER = (SOVIET, GERMAN)
