"""The board: what changes in a game of Kharkov '43 (2.1-2.3), as flat columns.

Units on the map have a hex; all others have no place and stand in a box (`box`). Markers on hexes are flags (`marks`),
owners of towns and cities a column (`owner`). A card or a combat chit is an index, and its column says in which pile it
lies: piles have no order, drawing picks one of those left (`kessel.core.dice`).

Facts live as long as what they are derived from (`kessel.core.facts`); cards, chits and what units do in an activation
leave the map position alone.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kessel.core.board import NOWHERE
from kessel.core.facts import Lifetimes, amend, fact
from kessel.core.forces import NO_UNIT, Side, Unit
from kessel.core.hexes import NO_HEX, Bits, Hex
from kessel.core.hexset import bits
from kessel.core.terrain import Map
from kessel.games.kharkov43.data.charts import Charts
from kessel.games.kharkov43.data.forces import FORMATIONS, GERMAN, SOVIET, Forces, ascending, descending
from kessel.games.kharkov43.data.scenario import Scenario
from kessel.games.kharkov43.data.terrain import Ground, ground_of
from kessel.wargame.board import Board as WargameBoard
from kessel.wargame.readings import Readings

# --- unit statuses (2.23 markers on units, and what a unit has done in the activation) ------------------------------

DISPERSED = 1 << 0
OOS = 1 << 1
ISOLATED = 1 << 2
ACTIVE = 1 << 3
MOVED = 1 << 4
ATTACKED = 1 << 5
"""It took part in an attack in this activation."""
DEFENDED = 1 << 6
"""It was attacked in this activation (12.1: only once)."""
RETREATED = 1 << 7
"""It retreated in this activation (12.74)."""
PLACED = 1 << 8
"""It was placed from the Reserve Units box in this activation."""
DISPERSED_ATTACKING = 1 << 9
"""It was dispersed by attacking in this activation and stays so at its end (12.9)."""
STRUCK = 1 << 10
"""It was attacked in this impulse (12.41 Defender Adjacent)."""
STAYED = 1 << 11
"""A Soviet unit told not to move by any later method in this activation (9.2)."""
CANNOT_ATTACK = 1 << 12
"""Activated as the one unit of 6.1, or moved strategically (10.6)."""

UNSUPPLIED = OOS | ISOLATED
OF_POSITION = DISPERSED | OOS | ISOLATED
"""What bears on zones, movement and supply."""
FOR_ACTIVATION = (
    ACTIVE | MOVED | ATTACKED | DEFENDED | RETREATED | PLACED | DISPERSED_ATTACKING | STAYED | CANNOT_ATTACK
)
FOR_IMPULSE = STRUCK
STATUS_WORDS = {
    "dispersed": DISPERSED,
    "out_of_supply": OOS,
    "isolated": ISOLATED,
    "active": ACTIVE,
    "moved": MOVED,
    "attacked": ATTACKED,
    "defended": DEFENDED,
    "retreated": RETREATED,
    "placed": PLACED,
    "struck": STRUCK,
}
"""The words a position may use."""

# --- boxes (2.1) ---------------------------------------------------------------------------------------------------

ON_MAP, RESERVE, ELIMINATED, CALENDAR, DESTROYED = range(5)
BOXES = ("map", "reserve", "eliminated", "calendar", "destroyed")

# --- markers on hexes (2.23) ---------------------------------------------------------------------------------------

IP = 1
GARRISON = 2
FORWARD_SUPPORT = 4
EDGE_HELD = 8
"""A map-edge VP hex whose VPs the Soviets have now (17.1)."""
KG = 16
ENTERED = 32
"""A front's third objective hex that a Soviet unit has entered in this activation (9.12)."""
_WITH_MARK = {
    flag: bytes(bool(m & flag) for m in range(256)) for flag in (IP, GARRISON, FORWARD_SUPPORT, EDGE_HELD, KG, ENTERED)
}
"""Marks of a hex to 1 or 0."""

# --- objectives (9.1) ----------------------------------------------------------------------------------------------

OBJECTIVES = ("Voronezh", "Southwest", "40", "1G")
NOT_PLACED, REMOVED = 0, 9
"""`stage` of an objective marker: not yet placed, its first to third hex (1-3), or removed from play."""
NO_FACING, WEST, SOUTH = range(3)
FACINGS = ("", "west", "south")

# --- piles ---------------------------------------------------------------------------------------------------------

HAND, DRAW, AVAILABLE, DISCARD, ENTERING, OUT, IN_PLAY, COMMAND, AUXILIARY, TACTICS_ONLY = range(10)
PILES = (
    "hand",
    "draw",
    "available",
    "discard",
    "entering",
    "out",
    "in_play",
    "command",
    "auxiliary",
    "tactics_only",
)
CUP, ASIDE, DRAWN = range(3)
"""Chits: in the cup, drawn in an earlier combat, drawn in the current one (12.42)."""

# --- tracks --------------------------------------------------------------------------------------------------------

FROZEN, LIGHT_MUD, HEAVY_MUD = range(3)
GROUND_CONDITIONS = ("frozen", "light_mud", "heavy_mud")
WHOLE_MAP, WEST_LINE, EAST_LINE = range(3)
SUPPORT_LINES = ("whole_map", "west", "east")

# --- facts ---------------------------------------------------------------------------------------------------------

FACTS = Lifetimes()
POSITION = FACTS.until("place", "steps", "status", "owner", "mark", "turn", "ground")
"""Until the map position changes: who stands where with how many steps, supply and dispersal (`OF_POSITION`), owners of
towns, markers in hexes, the ground and the game-turn."""
UNITS = FACTS.until("place", "steps", "status", by_side=True)
"""Until the units of that side on the map change."""
REACHES = FACTS.until("place", "steps", "status", "owner", "turn", "ground", by_side=True)
"""Until the units of that side on the map, the towns or the ground change: what its enemies' moves meet."""
PRESENT = FACTS.until("arrival", "status", by_side=True)
"""Until a unit of that side comes onto the map or leaves it, or changes its status; where they stand is kept up."""
MARKS, OWNERS = FACTS.until("mark"), FACTS.until("owner")
ACTIVATION = FACTS.until("active", "arrival")
"""Until units become active or no longer are."""

BOTH = (GERMAN, SOVIET)
ON_ARRIVAL = tuple(FACTS.ended_by("arrival", side=side) for side in BOTH)
ON_STATUS = tuple(FACTS.ended_by("status", side=side) for side in BOTH)
ON_STEPS = tuple(FACTS.ended_by("steps", side=side) for side in BOTH)
ON_MARK, ON_OWNER, ON_TURN = FACTS.ended_by("mark"), FACTS.ended_by("owner"), FACTS.ended_by("turn", "ground")
ON_ACTIVE = FACTS.ended_by("active")
OFF_MAP = FACTS.ended_by()
"""Something changed that bears on no map position."""


class Board(WargameBoard):
    lifetimes = FACTS
    constant = (*WargameBoard.constant, "charts", "scenario", "ground")
    columns = (
        *WargameBoard.columns,
        "box",
        "owner",
        "marks",
        "cards",
        "chits",
        "objective",
        "facing",
        "stage",
        "activated",
        "ground_markers",
    )
    track_names = (
        "turn",
        "vp",
        "ground",
        "support_line",
        "one_unit_used",
        "result",
    )
    derived = (*WargameBoard.derived, "_held")
    map: Map
    forces: Forces
    phase_over: str = ""
    """The phase of a hand-written position in which nothing was to be decided."""

    def __init__(
        self,
        map: Map,
        forces: Forces,
        charts: Charts,
        options: Mapping[str, Any] | None = None,
        scenario: Scenario | None = None,
    ) -> None:
        super().__init__(map, forces, charts.pack.once(Readings), options)
        self.charts = charts
        self.scenario = scenario
        self.ground: Ground = ground_of(self)
        """What is printed on the map, as hex sets."""
        self._held = [0, 0]
        """The hexes with units of each side."""
        self.box = bytearray([CALENDAR]) * len(forces)
        self.owner = bytearray(map.grid.size)
        self.marks = bytearray(map.grid.size)
        self.cards = bytearray([OUT]) * len(charts.cards)
        self.chits = bytearray(len(charts.chits))
        self.objective = array("h", [NO_HEX]) * len(OBJECTIVES)
        self.facing = bytearray(len(OBJECTIVES))
        self.stage = bytearray(len(OBJECTIVES))
        self.activated = bytearray(len(FORMATIONS))
        """6.3 per formation: 1 activated in this German impulse, 2 in the one before."""
        self.ground_markers = bytearray(len(charts.ground_markers))
        """18.33 per marker: 0 unseen, else the game-turn it was revealed for; 99 set aside."""

    def set_status(self, u: Unit, flag: int, on: bool = True) -> None:
        super().set_status(u, flag, on)
        if flag & OF_POSITION:
            self.happened(ON_STATUS[self.forces.side[u]])
        if flag & ACTIVE:
            self.happened(ON_ACTIVE)

    def set_track(self, name: str, value: int) -> None:
        super().set_track(name, value)
        if name in ("turn", "ground"):
            self.happened(ON_TURN)

    def set_steps(self, u: Unit, steps: int) -> None:
        self.steps[u] = steps
        self.happened(ON_STEPS[self.forces.side[u]])

    def changed(self) -> None:
        super().changed()
        self._held = [bits(h for u, h in enumerate(self.place) if h >= 0 and self.forces.side[u] == s) for s in BOTH]

    def move(self, u: Unit, place: Hex) -> None:
        old, side = self.place[u], self.forces.side[u]
        super().move(u, place)
        in_control = 0
        if old != NOWHERE:
            here = self.units_of(old, side)
            if not here:
                self._held[side] &= ~(1 << old)
            elif not all(self.status[v] & ISOLATED for v in here):
                in_control = 1 << old
        if place != NOWHERE:
            self._held[side] |= 1 << place
        if old == NOWHERE or place == NOWHERE:
            self.happened(ON_ARRIVAL[side])
        else:
            comes = 0 if self.status[u] & ISOLATED else 1 << place
            amend(self, Board.controllers, side, by=lambda s: s & ~(1 << old) | in_control | comes)

    def hexes_of(self, side: Side) -> Bits:
        return self._held[side]

    @fact(PRESENT)
    def controllers(self, side: Side) -> Bits:
        """11.0 The hexes with at least one non-isolated unit of that side."""
        found, status = 0, self.status
        for u in self.on_map_of(side):
            if not status[u] & ISOLATED:
                found |= 1 << self.place[u]
        return found

    # --- the map ---------------------------------------------------------------------------------------------------

    @fact(MARKS)
    def marked(self, flag: int) -> Bits:
        s = 0
        marked = self.marks.translate(_WITH_MARK[flag])
        h = marked.find(1)
        while h >= 0:
            s |= 1 << h
            h = marked.find(1, h + 1)
        return s

    @property
    def garrisons(self) -> Bits:
        return self.marked(GARRISON)

    @property
    def improved_positions(self) -> Bits:
        return self.marked(IP)

    @property
    def forward_support(self) -> Bits:
        return self.marked(FORWARD_SUPPORT)

    @property
    def edges_held(self) -> Bits:
        return self.marked(EDGE_HELD)

    def has_mark(self, h: Hex, flag: int) -> bool:
        return bool(self.marks[h] & flag)

    def mark(self, h: Hex, flag: int, on: bool = True) -> None:
        self.marks[h] = self.marks[h] | flag if on else self.marks[h] & ~flag
        self.happened(ON_MARK)

    @fact(OWNERS)
    def towns_of(self, side: Side) -> Bits:
        """14.1 The towns and cities that side owns."""
        s = 0
        for h in self.ground.town_list:
            if self.owner[h] == side + 1:
                s |= 1 << h
        return s

    def set_owner(self, h: Hex, side: Side) -> None:
        self.owner[h] = side + 1
        self.happened(ON_OWNER)

    # --- units -----------------------------------------------------------------------------------------------------

    def put(self, u: Unit, h: Hex) -> None:
        """On the map, from wherever it was."""
        self.box[u] = ON_MAP
        self.move(u, h)

    def take_off(self, u: Unit, box: int) -> None:
        """Off the map into a box; its markers stay behind (2.23)."""
        self.box[u] = box
        self.status[u] = 0
        self.move(u, NOWHERE)

    @fact(PRESENT)
    def on_map_of(self, side: Side) -> Sequence[Unit]:
        sides, box = self.forces.side, self.box
        return tuple(u for u in range(len(box)) if box[u] == ON_MAP and sides[u] == side)

    def is_alone(self, u: Unit) -> bool:
        """On the map, and no other unit in its hex."""
        h = self.place[u]
        return h >= 0 and self._top[h] == u and self._under[u] == NO_UNIT

    def in_box(self, side: Side, box: int) -> list[Unit]:
        return [u for u, b in enumerate(self.box) if b == box and self.forces.side[u] == side]

    def units_of(self, h: Hex, side: Side) -> list[Unit]:
        found, sides, under = [], self.forces.side, self._under
        u = self._top[h]
        while u != NO_UNIT:
            if sides[u] == side:
                found.append(u)
            u = under[u]
        return found

    @fact(ACTIVATION)
    def active_units(self) -> Sequence[Unit]:
        return tuple(u for u, s in enumerate(self.status) if s & ACTIVE)

    def strength(self, u: Unit) -> int:
        return self.forces.strength[u][self.steps[u]]

    def allowance(self, u: Unit) -> int:
        return self.forces.movement[u][self.steps[u]]

    def selector(self, u: Unit) -> int:
        return self.forces.selector[u][self.steps[u]]

    def is_mech(self, u: Unit) -> bool:
        return bool(self.forces.mech[u][self.steps[u]])

    def is_armor(self, u: Unit) -> bool:
        """2.21 armor and armored cavalry; 13.22 an isolated armored unit is considered unarmored."""
        return bool(self.forces.armor[u][self.steps[u]]) and not self.status[u] & ISOLATED

    def is_supplied(self, u: Unit) -> bool:
        return not self.status[u] & UNSUPPLIED

    def is_dispersed(self, u: Unit) -> bool:
        return bool(self.status[u] & DISPERSED)

    def is_isolated(self, u: Unit) -> bool:
        return bool(self.status[u] & ISOLATED)

    def ascending(self, units: Iterable[Unit]) -> list[Unit]:
        return ascending(self.forces, self.steps, units)

    def descending(self, units: Iterable[Unit]) -> list[Unit]:
        return descending(self.forces, self.steps, units)

    def steps_in(self, h: Hex) -> int:
        return sum(self.steps[u] for u in self.units(h))

    def strength_in(self, h: Hex, side: Side) -> int:
        return sum(self.strength(u) for u in self.units_of(h, side))

    # --- tracks ----------------------------------------------------------------------------------------------------

    @property
    def vp(self) -> int:
        return self.tracks[1]

    @property
    def ground_condition(self) -> int:
        return self.tracks[2]

    # --- objectives ------------------------------------------------------------------------------------------------

    def objective_of(self, name: str) -> Hex:
        """The hex of that front's or army's objective marker; NO_HEX when it is not on the map."""
        return self.objective[OBJECTIVES.index(name)]

    def has_objective(self, front: str) -> bool:
        return self.objective_of(front) != NO_HEX

    # --- soundness -------------------------------------------------------------------------------------------------

    def faults(self) -> list[str]:
        found = super().faults()
        for u, b in enumerate(self.box):
            name = self.forces.ids[u]
            if (b == ON_MAP) != (self.place[u] != NOWHERE):
                found.append(f"{name} is in box {BOXES[b]} and in place {self.place[u]}")
            if b in (ON_MAP, RESERVE) and not self.steps[u]:
                found.append(f"{name} has no step left but is in play")
        for h in self.map.grid.hexes:
            sides = {self.forces.side[u] for u in self.units(h)}
            where = self.hex_name(h)
            if len(sides) > 1:
                found.append(f"both sides stand in {where}")
            if self.marks[h] & GARRISON and (sides or not (self.ground.villages | self.ground.vp_hexes) >> h & 1):
                found.append(f"there is a garrison in {where}")
            if self.marks[h] & IP and (not sides or self.ground.towns >> h & 1):
                found.append(f"there is an improved position in {where}")
            if self.ground.towns >> h & 1 and sides and self.owner[h] - 1 not in sides:
                found.append(f"{where} is not owned by the side that holds it")
        return found
