"""2.5, 2.6 Everything that changes in a game: units, markers, bridges, works, tracks, as flat columns.

Units on the map stand in `place`; SDMs lie in `sdm_at`, air counters in `air`, so that `g.units(h)` are combat units
only. What a counter is that stands nowhere says `box`. Alarm units are one counter a hex; which strength one has is a
chit drawn for it (`alarm`), so that no name tells it.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from itertools import compress
from typing import Any

from kessel.core.board import NOWHERE
from kessel.core.facts import FOREVER, GAME, Lifetimes, amend, fact, keep, touched
from kessel.core.forces import NO_UNIT, Side, Unit
from kessel.core.hexes import Bits, Hex, Hexside
from kessel.core.hexset import bits, filled, within
from kessel.core.terrain import Map
from kessel.games.korsun44.data.charts import GROUNDS, POINT, VISIBILITIES, Charts
from kessel.games.korsun44.data.forces import ALARM, GERMAN, PART, PARTISANS, SIDES, SOVIET, Forces
from kessel.games.korsun44.data.scenario import Scenario
from kessel.games.korsun44.data.terrain import Ground
from kessel.wargame.board import Board as SidesBoard
from kessel.wargame.marks import flagged

__all__ = ["GERMAN", "POINT", "SIDES", "SOVIET", "Board"]

# --- statuses of units ---------------------------------------------------------------------------------------------

DISORGANIZED = 1 << 0
REGROUP = 1 << 1
OOS1 = 1 << 2
OOS2 = 1 << 3
BACK = 1 << 4
"""4.4.1 An artillery unit on its back side; a barrage unit that has fired."""
OUT_OF_AMMO = 1 << 5
"""12.10.5 The marker on a German artillery regiment."""
NO_FIRE_1 = 1 << 6
NO_FIRE_2 = 1 << 7
RESERVE = 1 << 8
BREAKTHROUGH = 1 << 9
ALERT = 1 << 10
"""4.8 An alarm unit on its deployed side: it stands still and shows no strength."""
STEMMERMANN = 1 << 11
"""14.5.1 A unit of Gruppe Stemmermann."""
ON_FOOT = 1 << 12
"""9.2.1.2 Its vehicles are left behind an unbridged river."""
MOVED = 1 << 13
"""It has moved in this phase or segment, or was told to stay."""
ATTACKED = 1 << 14
"""12.3.3 It has attacked in this Combat Phase."""
DEFENDED = 1 << 15
"""12.3.3 It has been attacked in this segment."""
STRUCK = 1 << 16
"""12.1.4, 12.1.6 It was attacked in an earlier segment of this Combat Phase."""
GUEST = 1 << 17
"""12.3.1 It retreated here in this segment."""
SEEN = 1 << 18
"""4.4.4 Its strength chit lies open: odds are being determined."""
REPLACED = 1 << 19
"""8.4 It took replacements this turn."""
ENTERED = 1 << 20
"""7.1 A reinforcement of this turn: in supply."""
BROKE_THROUGH = 1 << 21
"""9.8 It has moved or fought in a Breakthrough Segment this turn."""
FREE_MOVE = 1 << 22
"""16.2.4 It may make the special move of an isolated korps."""
BUILT = 1 << 23
"""15.0 An engineer that has worked in this phase."""
STAYS = 1 << 24
"""8.4, 17.1.5 It may not move in this turn."""
TRUCK = 1 << 25
"""18.5 A Truck marker lies on it."""
TRANSFERRING = 1 << 26
"""13.4.3 It was named for transfer and may trace to the other command from the next turn on."""
MINED = 1 << 27
"""15.3.2 It stopped in a minefield this turn."""
SUPPORTED = 1 << 28
"""12.1.4 Its attack in this Combat Phase was supported: so is its breakthrough combat."""
DOTTED = 1 << 29
"""4.6 The breakdown battalion that keeps its regiment's black dot, where the owner names it (switch second_dot)."""

DISORDER = DISORGANIZED | REGROUP
OUT = OOS1 | OOS2
FOR_PHASE = MOVED | ATTACKED | DEFENDED | STRUCK | GUEST | SEEN | BREAKTHROUGH | BUILT | SUPPORTED
"""What a player-turn's phases put on units and take off again."""
FOR_TURN = FOR_PHASE | REPLACED | ENTERED | BROKE_THROUGH | RESERVE | STAYS | TRUCK | FREE_MOVE | MINED
STATUS_WORDS = {
    "disorganized": DISORGANIZED, "regroup": REGROUP, "OOS1": OOS1, "OOS2": OOS2, "back": BACK,
    "out_of_ammo": OUT_OF_AMMO, "no_fire_1": NO_FIRE_1, "no_fire_2": NO_FIRE_2, "reserve": RESERVE,
    "breakthrough": BREAKTHROUGH, "alarm": ALERT, "Stemmermann": STEMMERMANN, "on_foot": ON_FOOT, "truck": TRUCK,
    "replaced": REPLACED, "entered": ENTERED, "moved": MOVED, "attacked": ATTACKED,
}  # fmt: skip
"""Markers a player sees; also the words of a hand-written position."""

# --- where a counter is that stands nowhere -------------------------------------------------------------------------

UNUSED, WAITING, DEAD, HOLDING, ON_TRACK, LEFT, SAVED, GONE = range(8)
BOXES = ("unused", "waiting", "eliminated", "holding", "track", "left", "saved", "gone")
"""unused: a counter that is not in play (parts, extensions). waiting: a reinforcement. eliminated: may come back by
replacements. holding: a component of a barrage unit (17.1.1). track: comes back on turn `due`. left: withdrawn, or
retreated off the map (`due`: the turn it may come back, 12.16.1). saved: out of the pocket, it scores (16.5.3).
gone: removed for good."""

# --- bridges, works, SDMs ------------------------------------------------------------------------------------------

INTACT, DESTROYED, REPAIRING, BUILDING, NO_BRIDGE = range(5)
"""15.2 States of a bridge: a printed one is intact, destroyed or under repair; a slot for a new one may be empty,
building or intact."""
PRINTED, NEW, K_BRIDGE, J_BRIDGE = range(4)
BRIDGE_OK = 1
"""18.3 The bridge carries heavy tanks."""
NEW_BRIDGES = 16
"""Slots for bridges that are built."""
NOBODY = 2
"""Who controls a bridge or hex that nobody controls."""

IP, RAIL_CUT, RAIL_REPAIR, MINES_BUILDING, MINES = 1, 2, 4, 8, 16
FACING = 5
"""Bits of `works`; a completed minefield's first hexside stands from bit FACING on, it and the next two are mined."""

DISPLACED, SDM_LOST, RELAY, FIXED_SDM, TRUCKED = 1, 2, 4, 8, 16
"""Flags of an SDM: 13.2.4 displaced this turn; 13.2.4 removed until next turn; 18.14 relay; 16.2 set up for an isolated
korps; 18.5.2 its truck move was made."""
FROM_KORSUN, FROM_AIRFIELD, FROM_DEPOT, FROM_RELAY = 32, 64, 128, 256
"""Where an SDM draws its points from, if not from an edge or a rail terminal: 14.5.1, 18.8, 18.9, 18.14."""
STORED = 512
"""8.6.4 An SDM that keeps its points from turn to turn: they came from Korsun when it was abandoned."""
OWN = 1 << 10
"""14.6.4, 8.6.4 From this bit on the points of its own an SDM still has, dropped to it or kept: no track pays them."""
DRAWN_FROM = {FROM_KORSUN: "korsun_sp", FROM_AIRFIELD: "airfield_sp", FROM_DEPOT: "depot_sp"}
"""The track whose points an SDM spends."""

FORD_GERMAN, FORD_SOVIET, FORD_TRIED_GERMAN, FORD_TRIED_SOVIET = 1, 2, 4, 8

DECLARED, AIR_1UK, AIR_2UK, FOUGHT, STUBBORN = 1, 2, 4, 8, 16
"""Bits of `combats`: 12.1.1 a combat marker; whose aircraft support it; the hex was attacked in this segment; No
Retreat was declared in the Declaration Segment (Q16)."""
AIR_SPENT = -1
"""Where an air counter lies that was turned over: beside the map until the end of the turn (6.2)."""
NO_COMMAND = 255

PHASES = (
    "Set-up",
    "Weather Stage",
    "Mutual Air Stage",
    "Mutual Supply Stage",
    "German Air Supply Stage",
    "Event Phase",
    "Replacement/Reinforcement Phase",
    "Movement Phase",
    "Combat Phase",
    "Engineering Phase",
    "Disorganization/Regroup Phase",
    "Breakout Phase",
    "Game-Turn Stage",
)
(SETUP, WEATHER, AIR_STAGE, SUPPLY_STAGE, AIR_SUPPLY, EVENTS, REPLACEMENTS, MOVEMENT, COMBAT, ENGINEERING, RECOVERY,
 BREAKOUT, TURN_END) = range(13)  # fmt: skip
"""3.2; whose phase it is says the track `phasing`."""

# --- how long facts hold -------------------------------------------------------------------------------------------

FACTS = Lifetimes()
STANDING = FACTS.until("standing", by_side=True)
"""Who is on the map, of one side; the hexes held are kept up."""
DAY = FACTS.until("standing", "turn", by_side=True)
"""The same in one turn."""
NEAR = FACTS.near("turn", "barrage")
"""What the units in a hex and around it may do (9.0, 12.1)."""
NEXT = FACTS.near("bridges", "ground", "turn", "barrage")
"""The hexes next to them they may go to (9.8, 12.1)."""
NEAREST = FACTS.near()
"""What the units in a hex and around it are, whatever else happens (10.1, 11.0)."""
ZONED = FACTS.until("place", "steps", "order", by_side=True)
"""Zones of one side: places, steps, disorder (10.1)."""
GOING = FACTS.until("bridges", "ground")
"""Prices of steps (9.2, 9.3)."""
SPANS = FACTS.until("spans")
"""Where a bridge stands, stood or is built (15.2)."""
WORKS = FACTS.until("works")
"""Minefields and other works (15.0)."""
WAYS = FACTS.until("bridges", "ground", "works", "control")
"""Where a path may run, whoever stands there (13.3)."""
LINES = FACTS.until("place", "steps", "order", "bridges", "ground", "works", "control")
"""Paths of supply and rail (13.1, 13.3)."""
NETWORK = FACTS.until("place", "steps", "order", "bridges", "ground", "works", "control", "sdm")
"""The same with SDMs (13.2, 13.4)."""
SOURCES = FACTS.until(*LINES.causes, "tracks")
"""Lines and the sources in the pocket, which tracks speak of (13.1.3, 14.5)."""
SUPPLY = FACTS.until(*SOURCES.causes, "sdm")
"""All of it (13.4)."""
MARKERS = FACTS.until("sdm")
"""Where SDMs lie (13.2)."""
MARKS = FACTS.until("combats")
"""Combat markers (12.1.1)."""
RULES = FACTS.until("place", "steps", "order", "bridges", "ground", "works", by_side=True)
"""What moving costs the enemies of one side (9.0, 10.2)."""

ON_STANDING = tuple(FACTS.ended_by("standing", side=s) for s in (GERMAN, SOVIET))
ON_TRACKS, ON_TURN = FACTS.ended_by("tracks"), FACTS.ended_by("tracks", "turn")
ON_COMBATS = FACTS.ended_by("combats")
ON_BARRAGE = FACTS.ended_by("barrage")
ON_STEPS = tuple(FACTS.ended_by("steps", side=s) for s in (GERMAN, SOVIET))
ON_ORDER = tuple(FACTS.ended_by("order", side=s) for s in (GERMAN, SOVIET))
ON_BRIDGES = FACTS.ended_by("bridges")
ON_SPANS = FACTS.ended_by("spans")
ON_GROUND = FACTS.ended_by("ground", "tracks")
ON_WORKS = FACTS.ended_by("works")
ON_CONTROL = FACTS.ended_by("control")
ON_SDM = FACTS.ended_by("sdm")

SDM_ROLE = 6
CAVALRY_CORPS = "5GCC"


class Board(SidesBoard):
    columns = (
        *SidesBoard.columns,
        "box", "due", "left_at", "supplier", "transferred", "sdm_at", "sdm_sp", "sdm_flags", "air", "alarm",
        "bridge_at", "bridge_state", "bridge_kind", "bridge_owner", "bridge_flags", "fords", "works", "control",
        "barrage_at", "barrage_shift", "combats", "infantry_rp", "armor_rp", "released", "isolated", "rail_marker",
    )  # fmt: skip
    constant = (*SidesBoard.constant, "charts", "scenario", "ground", "playable", "commands", "schedule")
    lifetimes = FACTS
    track_names = (
        "turn", "phase", "phasing", "condition", "visibility", "air_german", "air_1Uk", "air_2Uk",
        "korsun_declared", "korsun_sp", "korsun_abandoned", "korsun_active", "uman_korsun", "uman_drop",
        "uman_alternate", "wanda_start", "wanda_end", "breakout", "over", "mines_left", "boundary", "stalin",
        "airfield_at", "airfield_state", "airfield_sp", "depot_at", "depot_state", "depot_sp", "fords_german",
        "fords_soviet", "rail_used", "german_armor_lost", "steps_saved",
    )  # fmt: skip
    """korsun_declared: the turn Korsun was declared isolated, 0: never. korsun_active: its airfield takes supply.
    wanda_start and wanda_end: turns, 0: not declared. breakout: the turn it was declared. over: the game ends now.
    airfield_at and depot_at: 18.8, 18.9, hex + 1. boundary: 22.11, the last column of the 1st Ukrainian Front."""
    map: Map
    forces: Forces

    def __init__(
        self, map: Map, forces: Forces, charts: Charts, scenario: Scenario, options: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(map, forces, charts.readings, options)
        self.charts, self.scenario = charts, scenario
        self.ground = Ground.of(map, charts)
        self.playable = self.ground.in_play(scenario.areas)
        """The hexes of this scenario's sheets."""
        self.commands: tuple[str, ...] = (*charts.game.formations.german_korps, *charts.game.formations.fronts)
        """Who has Replacement Points (8.1.2)."""
        self.schedule = {u: i for i, a in enumerate(scenario.arrivals) for u in (*(v for v, _ in a.units), *a.sdms)}
        """The line of the Reinforcement Schedule each unit is on."""
        n, size, bridges = len(forces), map.grid.size, len(self.ground.bridges) + NEW_BRIDGES
        self.status = array("I", [0]) * n
        self.box = bytearray(n)
        self.due = bytearray(n)
        self.left_at = array("h", [NOWHERE]) * n
        """12.16.1 The edge hex each unit retreated off the map from."""
        self.supplier = array("h", [NO_UNIT]) * n
        """12.4, Q07 The SDM that placed each unit in supply."""
        self.transferred = bytearray([NO_COMMAND]) * n
        """13.4.3, 18.13 The army or korps a unit was transferred to, by its number in `armies`."""
        self.sdm_at = array("h", [NOWHERE]) * n
        self.sdm_sp = bytearray(n)
        self.sdm_flags = array("H", [0]) * n
        self.air = array("h", [0]) * n
        """6.2 Where each air counter lies: in the cup (0), or in hex h (h + 1)."""
        self.alarm = array("h", [0]) * n
        """4.8.1 Where the strength of each printed alarm counter lies: in the cup (0), or with unit u (u + 1)."""
        self.bridge_at = array("l", [*self.ground.bridges, *[-1] * NEW_BRIDGES])
        self.bridge_state = bytearray([INTACT]) * len(self.ground.bridges) + bytearray([NO_BRIDGE]) * NEW_BRIDGES
        if self.reads("trails") == "not_roads":
            for i, s in enumerate(self.ground.bridges):
                if s in self.ground.trail_bridges:
                    self.bridge_state[i] = NO_BRIDGE
        self.bridge_kind = bytearray(bridges)
        self.bridge_owner = bytearray([NOBODY]) * bridges
        self.bridge_flags = bytearray(bridges)
        self.fords = bytearray(len(self.ground.ford_sides))
        """18.6 By fordable hexside, in the order of `ground.ford_sides`."""
        self.works = bytearray(size)
        self.control = bytearray([NOBODY]) * size
        """Who was last in a hex."""
        self.barrage_at = array("h", [NOWHERE]) * 6
        """17.1.3 Barrage Effects markers: three for each barrage unit."""
        self.barrage_shift = bytearray(6)
        self.combats = bytearray(size)
        """12.1.1 Combat markers, by hex."""
        self.infantry_rp = bytearray(len(self.commands))
        self.armor_rp = bytearray(len(self.commands))
        self.released = bytearray(len(self.commands))
        """22.1 Korps that are freed from the continuous front."""
        self.isolated = bytearray(len(self.commands))
        """16.2 The turn Korps Isolation was declared; 0: never."""
        self.rail_marker = bytearray(len(scenario.rail_capacity))
        """18.4 What the Rail Capacity marker of each line takes off: 0, 1 or 2 Supply Points."""

    # --- who is where ----------------------------------------------------------------------------------------------

    @fact(STANDING)
    def hexes_of(self, side: Side) -> Bits:
        """All hexes with a combat unit of that side."""
        return bits(map(self.place.__getitem__, self.on_the_map(side)))

    @fact(STANDING)
    def on_the_map(self, side: Side) -> tuple[Unit, ...]:
        """All combat units of that side on the map, in ascending order."""
        mine = self._mine(side)
        return tuple(compress(mine, map(NOWHERE.__ne__, map(self.place.__getitem__, mine))))

    @fact(GAME)
    def _mine(self, side: Side) -> tuple[Unit, ...]:
        return tuple(self.forces.of_side(side))

    def of_side(self, h: Hex, side: Side) -> list[Unit]:
        """The units of one side in a hex: after a breakout both sides may be in one (16.5.3)."""
        found = []
        u, sides, under = self._top[h], self.forces.side, self._under
        while u != NO_UNIT:
            if sides[u] == side:
                found.append(u)
            u = under[u]
        return found

    def on_map(self, u: Unit) -> bool:
        return self.place[u] != NOWHERE

    def enemies_in(self, place: int, side: Side) -> bool:
        u, sides, under = self._top[place], self.forces.side, self._under
        while u != NO_UNIT:
            if sides[u] != side:
                return True
            u = under[u]
        return False

    def sdms_in(self, h: Hex, side: Side) -> list[Unit]:
        return [u for u in self.sdms(side) if self.sdm_at[u] == h]

    @fact(MARKERS)
    def sdms(self, side: Side) -> list[Unit]:
        """The SDMs of a side that lie on the map."""
        return [u for u in self.forces.of_role[side][SDM_ROLE] if self.sdm_at[u] != NOWHERE]

    def front_of(self, u: Unit) -> str:
        """The Front a Soviet unit belongs to; 5th Guards Cavalry by the switch cavalry_front (Q25)."""
        if self.forces.corps[u] == CAVALRY_CORPS:
            return self.charts.game.formations.fronts[self.reads("cavalry_front") == "second"]
        return self.forces.front[u]

    # --- changes ---------------------------------------------------------------------------------------------------

    def move(self, u: Unit, place: int) -> None:
        old, side = self.place[u], self.forces.side[u]
        if old == NOWHERE or place == NOWHERE:
            standing, held = self.on_the_map(side), self.hexes_of(side)
            super().move(u, place)
            self.happened(ON_STANDING[side])
            at = bisect_left(standing, u)
            among = (u,) if place != NOWHERE else ()
            keep(self, Board.on_the_map, side, found=standing[:at] + among + standing[at + (old != NOWHERE) :])
            keep(self, Board.hexes_of, side, found=self._held_after(held, side, old, place))
            touched(self, ~u, *(h for h in (old, place) if h != NOWHERE))
        else:
            super().move(u, place)
            amend(self, Board.hexes_of, side, by=lambda held: self._held_after(held, side, old, place))
            touched(self, old, place)

    def _held_after(self, held: Bits, side: Side, old: int, place: int) -> Bits:
        """The hexes a side holds when a unit of it has gone from one place to another."""
        if old != NOWHERE and not (self._top[old] != NO_UNIT and self.of_side(old, side)):
            held &= ~(1 << old)
        return held | 1 << place if place != NOWHERE else held

    def set_status(self, u: Unit, flag: int, on: bool = True) -> None:
        before = self.status[u]
        after = self.status[u] = before | flag if on else before & ~flag
        if before == after:
            return
        if self.place[u] != NOWHERE:
            touched(self, self.place[u])
        if (before ^ after) & (DISORDER | ALERT):
            self.happened(ON_ORDER[self.forces.side[u]])
        else:
            self.cache.clear()

    def become(self, u: Unit, status: int) -> None:
        """A counter that takes the place of another has its status; its steps may be others."""
        self.status[u] = status
        touched(self, self.place[u])
        self.happened(ON_ORDER[self.forces.side[u]])

    def clear_flags(self, flags: int, side: Side | None = None) -> None:
        """Take these flags off all units, or off all of a side."""
        sides = self.forces.side
        for u in self.flagged(flags):
            if side in (None, sides[u]):
                self.set_status(u, flags, on=False)
        self.cache.clear()

    def flagged(self, flags: int) -> list[Unit]:
        """All units with any of these flags, on the map or not."""
        return flagged(self.status, flags)

    def set_steps(self, u: Unit, steps: int) -> None:
        self.steps[u] = steps
        if self.place[u] != NOWHERE:
            touched(self, self.place[u])
        self.happened(ON_STEPS[self.forces.side[u]])

    def put(self, u: Unit, h: Hex) -> None:
        """Stand a unit in a hex, which its side controls from now on."""
        self.move(u, h)
        self.box[u] = UNUSED
        self.take_control(h, self.forces.side[u])

    def take_off(self, u: Unit, box: int, due: int = 0) -> None:
        """Take a unit off the map into a box; its markers come off."""
        self.move(u, NOWHERE)
        self.box[u], self.due[u] = box, due
        kept = STEMMERMANN if box == SAVED else BACK if box == HOLDING else 0
        self.status[u] &= kept
        self.supplier[u] = NO_UNIT
        self.cache.clear()

    def take_control(self, h: Hex, side: Side) -> None:
        if self.control[h] != side:
            self.control[h] = side
            self.happened(ON_CONTROL)

    def place_sdm(self, u: Unit, h: Hex) -> None:
        self.sdm_at[u] = h
        self.happened(ON_SDM)

    def set_sp(self, u: Unit, points: int) -> None:
        """An SDM has so many Supply Points; what one that draws on Korsun spends comes off its track (14.5.1), but for
        points of its own."""
        spent = self.sdm_sp[u] - points
        self.sdm_sp[u] = points
        own = min(max(spent, 0), self.sdm_flags[u] // OWN)
        self.sdm_flags[u] -= own * OWN
        spent -= own
        for flag, track in DRAWN_FROM.items():
            if spent > 0 and self.sdm_flags[u] & flag:
                left = max(0, self.track(track) - spent)
                self.set_track(track, left)
                for v in self.sdms(self.forces.side[u]):
                    if self.sdm_flags[v] & flag:
                        self.sdm_sp[v] = min(self.sdm_sp[v], left + self.sdm_flags[v] // OWN)
        self.happened(ON_SDM)

    def give_sp(self, u: Unit, points: int) -> None:
        """14.6.4, 8.6.4 An SDM is given Supply Points of its own."""
        self.sdm_sp[u] += points
        self.sdm_flags[u] += points * OWN
        self.happened(ON_SDM)

    def set_bridge(self, i: int, state: int) -> None:
        if NO_BRIDGE in (state, self.bridge_state[i]):
            self.happened(ON_SPANS)
        self.bridge_state[i] = state
        self.happened(ON_BRIDGES)

    def set_works(self, h: Hex, flag: int, on: bool = True) -> None:
        self.works[h] = self.works[h] | flag if on else self.works[h] & ~flag
        self.happened(ON_WORKS)

    def lay_barrage(self, i: int, h: Hex, shift: int = 0) -> None:
        """17.1.3 A Barrage Effects marker lies in a hex, or (NOWHERE) is taken off."""
        self.barrage_at[i], self.barrage_shift[i] = h, shift
        self.happened(ON_BARRAGE)

    def mark_combat(self, h: Hex, flag: int, on: bool = True) -> None:
        self.combats[h] = self.combats[h] | flag if on else self.combats[h] & ~flag
        self.happened(ON_COMBATS)

    def set_track(self, name: str, value: int) -> None:
        if name == "condition" and value != self.condition:
            self.tracks[self.track_names.index(name)] = value
            self.happened(ON_GROUND)
        else:
            super().set_track(name, value)
            if name not in ("phase", "phasing"):
                self.happened(ON_TURN if name == "turn" else ON_TRACKS)

    # --- bridges ---------------------------------------------------------------------------------------------------

    def bridge_of(self, side: Hexside) -> tuple[int, ...]:
        """15.2 The numbers of the bridges over a hexside, printed and built; destroyed ones too."""
        return self.bridges().get(side, ())

    @fact(SPANS)
    def bridges(self) -> dict[Hexside, tuple[int, ...]]:
        """15.2 The same by hexside, seen from either hex."""
        found: dict[Hexside, tuple[int, ...]] = {}
        for i, key in enumerate(self.bridge_at):
            if key >= 0 and self.bridge_state[i] != NO_BRIDGE:
                for side in (key, self.map.grid.flip(key)):
                    found[side] = (*found.get(side, ()), i)
        return found

    @fact(GOING)
    def broken(self) -> frozenset[Hexside]:
        """15.2 Hexsides whose printed bridge does not stand, or never did (trails, Q68)."""
        down, at, kind = (DESTROYED, REPAIRING, NO_BRIDGE), self.bridge_at, self.bridge_kind
        rows = [(i, self.bridge_state[i]) for i in filled(self.bridge_state)]
        return frozenset([at[i] for i, state in rows if at[i] >= 0 and kind[i] == PRINTED and state in down])

    @fact(GOING)
    def built(self) -> tuple[tuple[Hexside, int], ...]:
        """15.2.3, 15.2.4 Hexsides with a completed new bridge, and its kind."""
        rows = [i for i in filled(self.bridge_kind) if self.bridge_state[i] == INTACT]
        return tuple(sorted((self.bridge_at[i], self.bridge_kind[i]) for i in rows))

    @fact(WORKS)
    def works_of(self, flags: int) -> tuple[Hex, ...]:
        """15.0 The hexes with any of these works."""
        return tuple(h for h in filled(self.works) if self.works[h] & flags)

    def has_mines(self) -> bool:
        """15.3 Whether any minefield is completed."""
        return bool(self.works_of(MINES))

    def mined(self, h: Hex, d: int) -> bool:
        """15.3 Whether the hexside of h in direction d is mined by a completed field in h."""
        return bool(self.works[h] & MINES) and (d - (self.works[h] >> FACING)) % 6 < self.charts.constants.mine_sides

    # --- words -----------------------------------------------------------------------------------------------------

    @property
    def condition(self) -> int:
        """5.1 FROZEN or MUD."""
        return self.tracks[3]

    @property
    def visibility(self) -> int:
        return self.tracks[4]

    @property
    def phase(self) -> int:
        return self.tracks[1]

    @property
    def phasing(self) -> Side:
        return self.tracks[2]

    def weather_words(self) -> str:
        return f"{GROUNDS[self.condition]}, {VISIBILITIES[self.visibility]}"

    def place_words(self, h: Hex) -> str:
        """A hex by number and name, for sentences."""
        return self.ground.name(h)

    def list_of(self, units: Iterable[Unit]) -> str:
        return ", ".join(self.name(u) for u in units)

    def rp(self, command: str, armor: bool) -> int:
        return (self.armor_rp if armor else self.infantry_rp)[self.commands.index(command)]

    def set_rp(self, command: str, armor: bool, points: int) -> None:
        (self.armor_rp if armor else self.infantry_rp)[self.commands.index(command)] = points
        self.cache.clear()

    # --- losses ----------------------------------------------------------------------------------------------------

    def lose_step(self, u: Unit, rule: str) -> None:
        """4.4 A unit loses a step; the last one eliminates it."""
        left = self.steps[u] - 1
        if self.forces.armor[u] and self.forces.side[u] == GERMAN:
            self.set_track("german_armor_lost", self.track("german_armor_lost") + 1)
        if left <= 0:
            self.eliminate(u, rule)
            return
        self.set_steps(u, left)
        cadre = self.forces.is_cadre(u, left)
        if cadre:
            self.reveal()  # 4.4.5 its counter is turned over, for all to see
        self.tell(f"{self.name(u)} loses a step{' and is a cadre' if cadre else ''}", rule, unit=self.id(u))

    def eliminate(self, u: Unit, rule: str) -> None:
        """A unit leaves play; an extension marker goes with its division (4.7)."""
        self.tell(f"{self.name(u)} is eliminated", rule, unit=self.id(u))
        marker = self.forces.extension[u]
        if marker != NO_UNIT and self.on_map(marker):
            self.take_off(marker, UNUSED)
        self.steps[u] = 0
        if self.forces.role[u] == PARTISANS:
            self.take_off(u, ON_TRACK, self.turn + self.charts.constants.partisan_return)  # 18.1.4
            return
        self.take_off(u, DEAD)
        whole = self.forces.parent[u] if self.forces.role[u] == PART else NO_UNIT
        if whole != NO_UNIT and not self.on_map(whole) and not any(map(self.on_map, self.forces.parts[whole])):
            self.box[whole] = DEAD  # the last part is gone, and the formation with it

    def faults(self) -> list[str]:
        found = super().faults()
        for u in range(len(self.forces)):
            if self.on_map(u) and self.steps[u] == 0:
                found.append(f"{self.name(u)} is on the map without a step")
            if self.on_map(u) and not self.playable >> self.place[u] & 1:
                found.append(f"{self.name(u)} is in {self.hex_name(self.place[u])}, off the sheets in play")
            if not self.on_map(u) and self.forces.role[u] == ALARM and self.status[u] & ALERT:
                found.append(f"{self.name(u)} is alert but nowhere")
        return found


def hexes_within(g: Board, h: Hex, n: int) -> Bits:
    """The hexes in play at most n away."""
    return _hexes_within(g, h, n) & g.playable


@fact(FOREVER)
def _hexes_within(g: Board, h: Hex, n: int) -> Bits:
    return within(g.map.grid, 1 << h, n)
