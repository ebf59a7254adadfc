"""The board: everything that changes in a game of Stalingrad '42, as flat columns.

Which hexes hold Combat Units, exert a ZOC or can hold a bond is kept as hex sets per side and brought up to date hex by
hex whenever a unit moves or changes its state; so zones and bonds (6.0, 7.0) never need a look at single units. Facts
found from them are kept until one of these sets changes.
"""

from __future__ import annotations

from array import array
from bisect import insort
from collections.abc import Mapping, Sequence
from typing import Any, Self

from kessel.core.board import NOWHERE, Place
from kessel.core.facts import FOREVER, Ends, Lifetimes, amend, fact, forget
from kessel.core.forces import NO_UNIT, Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import bits, union
from kessel.core.terrain import Map
from kessel.games.stalingrad42.columns import (
    BAD_ORDER,
    BEGUN,
    BUILT,
    COMBAT,
    CROWDED,
    ELIMINATED,
    FLIPPED,
    FROZEN,
    FULL_RETREAT,
    HOLDER,
    IN_PLAY,
    ISOLATED,
    LISTED,
    MAX_RAILHEADS,
    NO_BOND,
    NO_FORT,
    NO_ZOC,
    NOBODY,
    OF_MOVEMENT,
    OOS,
    PASSING,
    PRESENT,
    RESERVE,
    RETREATING,
    SETS,
    STEADY,
    STUCK,
    TOUCHED,
    WATCHED,
    ZOC,
)
from kessel.games.stalingrad42.data.charts import WEATHERS, Charts, Terrain, WeatherEffects
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET, Face, Forces
from kessel.games.stalingrad42.data.scenario import Scenario
from kessel.games.stalingrad42.data.terrain import Season, ground
from kessel.wargame import board as wargame

FACTS = Lifetimes()
ZONES = FACTS.until("units", "turn", by_side=True)
"""Until Combat Units of that side stand, exert zones or hold bonds elsewhere, or Winter begins."""
POSITION = FACTS.until("place", "units", "turn", "weather", "marsh", "flotilla", "control")
"""Until a unit moves or changes what it exerts, or the control of a hex, the weather or the Flotilla changes."""
RAILS = FACTS.until(*POSITION.causes, "repair")
"""The same, and until a rail hex is repaired or lost."""
TURN = FACTS.until("turn")
WATCH = FACTS.until("frozen", "trans_caucasus", "elbrus")
"""Until a frozen unit moves or is released, or what an Axis move sets off has come about (24.3, 30.0)."""
LISTS = FACTS.until()
"""For good: the board brings these up to date."""

ELSEWHERE = FACTS.ended_by()
"""A change on which nothing depends that is kept longer than until anything changes."""
_ON_FROZEN = FACTS.ended_by("frozen")
_ON_CONTROL, _ON_REPAIR = FACTS.ended_by("control"), FACTS.ended_by("repair")
_ON_UNITS = (ELSEWHERE, *(FACTS.ended_by("units", side=side) for side in (AXIS, SOVIET, None)))
"""By whose hex sets of Combat Units change: nobody's, the Axis', the Soviets', both sides'."""
_UNITS_OF = tuple(sum(1 << k + side for k in (COMBAT, ZOC, STEADY, RETREATING, HOLDER)) for side in (AXIS, SOVIET))


class _Track:
    """A small number of the game, by name."""

    __slots__ = ("ends", "index")

    def __init__(self, index: int, ends: Ends) -> None:
        self.index, self.ends = index, ends

    def __get__(self, g: wargame.Board, owner: type | None = None) -> int:
        return g.tracks[self.index]

    def __set__(self, g: wargame.Board, value: int) -> None:
        if g.tracks[self.index] != value:
            g.tracks[self.index] = value
            g.happened(self.ends)


_TRACKS = (
    *("turn", "weather", "rolled", "marsh", "vp", "phasing", "phase", "first", "rail_used", "rail_from_map"),
    *("sea_azov", "sea_black", "kerch", "ferry_rail", "flotilla", "flotilla_set", "resource_points"),
    *("north_caucasus", "trans_caucasus", "elbrus", "baku", "winter_offensive", "vasilevsky", "interchange"),
    *("special_lost", "guards_replaced", "deactivated", "reserve_released", "mud_turn", "strategic_moves"),
    *("box_moves", "limited_rail", "result"),
)


def _t(name: str) -> _Track:
    ending = name in {*RAILS.causes, *WATCH.causes}
    return _Track(_TRACKS.index(name), FACTS.ended_by(name) if ending else ELSEWHERE)


class Board(wargame.Board):
    columns = (
        *(*wargame.Board.columns, "pool", "returns", "offensives", "inside", "auto_ds", "control", "fort"),
        *("city_battle", "repaired", "railheads", "air", "air_place", "points", "assigned"),
    )
    derived = (*wargame.Board.derived, "sets", "_marks", "control_hexes", "fort_hexes", "marked", "touched", "old")
    constant = (*wargame.Board.constant, "charts", "scenario", "ground", "winter_turn", "box_sides", "friendly_edges")
    lifetimes = FACTS
    track_names = _TRACKS

    turn = _t("turn")
    weather, rolled, marsh, vp = _t("weather"), _t("rolled"), _t("marsh"), _t("vp")
    phasing, phase, first = _t("phasing"), _t("phase"), _t("first")
    rail_used, rail_from_map = _t("rail_used"), _t("rail_from_map")
    sea_azov, sea_black, kerch, ferry_rail = _t("sea_azov"), _t("sea_black"), _t("kerch"), _t("ferry_rail")
    flotilla, flotilla_set = _t("flotilla"), _t("flotilla_set")
    """The Volga Flotilla's hexside + 1, 0 where it is not placed (5.5.3); whether it was placed in this phase."""
    resource_points = _t("resource_points")
    north_caucasus, trans_caucasus = _t("north_caucasus"), _t("trans_caucasus")
    elbrus, baku = _t("elbrus"), _t("baku")
    winter_offensive, vasilevsky, interchange = _t("winter_offensive"), _t("vasilevsky"), _t("interchange")
    special_lost, guards_replaced, deactivated = _t("special_lost"), _t("guards_replaced"), _t("deactivated")
    reserve_released, mud_turn = _t("reserve_released"), _t("mud_turn")
    strategic_moves, box_moves = _t("strategic_moves"), _t("box_moves")
    limited_rail, result = _t("limited_rail"), _t("result")

    map: Map
    forces: Forces

    def __init__(
        self, map: Map, forces: Forces, charts: Charts, scenario: Scenario, options: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(map, forces, charts.readings, options)
        self.charts, self.scenario, self.ground = charts, scenario, ground(map)
        n, places = len(forces), map.places
        self.status = array("I", [0]) * n
        self.pool = bytearray(n)
        self.returns = bytearray(n)
        self.offensives = bytearray(n)
        """Planned Offensive markers on an HQ: being prepared + 16 * Ready (26.2)."""
        self.inside = array("h", [-1]) * n
        """The Holding Box (1-6) the unit is in; -1 if in none (34.1)."""
        self.auto_ds = array("i", [-1]) * n
        """Under an Auto DS marker (8.6.1): hex it emptied + places * number of that Automatic DS; -1 without one."""
        self.control = bytearray(places)
        self.fort = bytearray(places)
        self.city_battle = bytearray(places)
        """City Battle marker (11.6.2): level, + 4 * original defender where the hex is contested (29.0)."""
        self.repaired = bytearray(places)
        """Rail hexes the Axis has repaired (17.2)."""
        self.railheads = array("h", [NOWHERE]) * MAX_RAILHEADS
        airs = len(charts.table("air_units").rows)
        self.air = bytearray(airs)
        self.air_place = array("h", [NOWHERE]) * airs
        self.points = bytearray(2 * len(REPLACEMENT_KINDS))
        """Replacements left in this phase: by side and kind (21.1)."""
        self.assigned = bytearray(6)
        """The Holding Box (1-6) each Reserve Army's Maskirovka marker names; 0 without one (34.1)."""
        self.winter_turn = charts.constant("winter_turn")
        self.box_sides = tuple(scenario.box_side(map, map.grid.size + i) for i in range(len(map.boxes)))
        self.friendly_edges = tuple(
            union(map.box(p).hexes for p in self.ground.land_boxes if self.box_sides[p - map.grid.size] == side)
            for side in (AXIS, SOVIET)
        )
        """By side: the hexes next to its Entry Areas (22.2)."""
        self.sets: list[Bits] = [0] * SETS
        """Seven hex sets per side, see PRESENT and the others above."""
        self._marks = array("H", [0]) * map.grid.size
        """The same by hex: bit k of a hex says whether it is in set k."""
        self.control_hexes: list[Bits] = [0, 0]
        """The column `control` as hex sets by side; write through `set_control`."""
        self.fort_hexes: list[Bits] = [0, 0]
        """Hexes with a Fortification marker, begun or built; write through `set_fort`."""
        self.marked: set[Unit] = set()
        """The units with markers of LISTED, and some that have had one."""
        self.touched: list[Bits] = [0] * (TOUCHED + 1)
        """Hexes where a unit came, went or changed its markers, since each last asked or anybody (`take_touched`)."""
        self.old: dict[Any, Any] = {}
        """Answers that are brought up to date when they are next asked for, with what they were made of."""

    # --- copies ----------------------------------------------------------------------------------------------------

    def without(self, h: Hex, side: Side) -> Self:
        """A thin copy for questions about hex sets, as if a side had no units in a hex. Its columns are shared."""
        new = object.__new__(type(self))
        new.__dict__.update(self.__dict__)
        new.sets = [s & ~(1 << h) if k % 2 == side else s for k, s in enumerate(self.sets)]
        new.old, new.touched = self.old.copy(), self.touched[:]
        self.share_facts(new)
        new.happened(_ON_UNITS[1 + side])
        return new

    def changed(self) -> None:
        """The hex sets too are made anew: the columns may have been replaced as a whole (a snapshot was read)."""
        super().changed()
        self.sets, self._marks = [0] * SETS, array("H", [0]) * self.map.grid.size
        self.old = {}
        self.marked = {u for u, s in enumerate(self.status) if s & LISTED}
        self.control_hexes, self.fort_hexes = [0, 0], [0, 0]
        for h in self.map.grid.hexes:
            self._refresh(h)
            if c := self.control[h]:
                self.control_hexes[c - 1] |= 1 << h
            if f := self.fort[h]:
                self.fort_hexes[(f - 1) // 2] |= 1 << h

    def take_touched(self, who: int) -> Bits:
        """The hexes touched since the last call with that number (SHATTERED or ABLE + side); they are forgotten."""
        touched = self.touched
        if new := touched[TOUCHED]:
            for k in range(TOUCHED):
                touched[k] |= new
            touched[TOUCHED] = 0
        found = touched[who]
        touched[who] = 0
        return found

    def _touch(self, place: Place) -> None:
        self.touched[TOUCHED] |= 1 << place if place < self.map.grid.size else self.map.box(place).hexes

    def faults(self) -> list[str]:
        found = super().faults()
        before = self.sets[:]
        for h in self.map.grid.hexes:
            self._refresh(h)
        if before != self.sets:
            found.append("the hex sets differ from the units")
        for u in range(len(self.forces)):
            if (self.place[u] != NOWHERE or self.inside[u] > 0) != (self.pool[u] == IN_PLAY):
                found.append(f"{self.name(u)} is both on the board and off it")
            if self.pool[u] == IN_PLAY and not self.steps[u]:
                found.append(f"{self.name(u)} is in play without a step")
        return found

    # --- pieces ----------------------------------------------------------------------------------------------------

    @fact(FOREVER)
    def actions(self, verb: str, *more: str) -> list[tuple[Any, ...]]:
        """The action with that verb for every place of the map, made once: lists of hundreds pick from it."""
        return [(verb, place, *more) for place in range(self.map.places)]

    def words(self) -> dict[str, str]:
        air = self.charts.table("air_units")
        return {**super().words(), **{unit: str(air.at(unit, "name")) for unit in air.rows}}

    def tell_move(self, u: Unit, what: str, rule: str, start: Place, way: Sequence[Place] = (), **facts: Any) -> None:
        """A line in the log about a unit that has come from a place to where it is now, so that it can be drawn."""
        if self.events is None:
            return
        to = self.place[u]
        facts |= {"from": self.place_name(start), "to": self.place_name(to)}
        if way:
            facts["path"] = [self.place_name(n) for n in way]
        self.tell(f"{self.name(u)} {what.format(self.where(to))}", rule, unit=self.id(u), **facts)

    def move(self, u: Unit, place: Place) -> None:
        old = self.place[u]
        super().move(u, place)
        if self.status[u] & FROZEN:
            self.happened(_ON_FROZEN)
        size = self.map.grid.size
        if NOWHERE in (old, place):
            self._regroup(u, gone=place == NOWHERE)
        if old != NOWHERE:
            self._touch(old)
            if old < size:
                self._refresh(old)
        if place != NOWHERE:
            self._touch(place)
            if place < size:
                self._refresh(place)

    def set_track(self, name: str, value: int) -> None:
        setattr(self, name, value)

    def set_status(self, u: Unit, flag: int, on: bool = True) -> None:
        before = self.status[u]
        after = before | flag if on else before & ~flag
        if after != before:
            self.happened(_ON_FROZEN if flag & FROZEN else ELSEWHERE)
            if flag & RESERVE:
                forget(self, Board.reserves, self.forces.side[u])
            if flag & STUCK:
                self._regroup(u, gone=on)
            self.marked.add(u)
            self.status[u] = after
            h = self.place[u]
            if h >= self.map.grid.size or (h != NOWHERE and flag & ~OF_MOVEMENT):
                self._touch(h)
            if (before ^ after) & WATCHED and 0 <= h < self.map.grid.size:
                self._refresh(h)

    def clear_status(self, flags: int) -> None:
        """Take these markers, none of which changes the hex sets, off all units at once."""
        assert not flags & ~PASSING
        status, place, telling = self.status, self.place, flags & ~OF_MOVEMENT
        for u in self.marked:
            s = status[u]
            if s & flags:
                status[u] = s & ~flags
                if s & telling and place[u] != NOWHERE:
                    self._touch(place[u])
        self.marked = {u for u in self.marked if status[u] & LISTED}
        for side in (AXIS, SOVIET):
            forget(self, Board.movers, side)
            forget(self, Board.reserves, side)
        self.happened(ELSEWHERE)

    def marked_with(self, side: Side, flags: int) -> list[Unit]:
        """The units of a side under one of these markers, all of which are LISTED."""
        status, sides = self.status, self.forces.side
        return sorted([u for u in self.marked if status[u] & flags and sides[u] == side])

    def set_steps(self, u: Unit, steps: int) -> None:
        """A unit in play loses or regains steps."""
        self.steps[u] = steps
        if self.place[u] != NOWHERE:
            self._touch(self.place[u])
        self._recount(u)
        self.happened(ELSEWHERE)

    @fact(LISTS)
    def losses(self, side: Side) -> tuple[list[Unit], list[Unit]]:
        """The reduced units of a side in play, and those in its Eliminated Box."""
        pool, steps, full, units = self.pool, self.steps, self.forces.full_steps, self.forces.units_of[side]
        reduced = [u for u in units if steps[u] < full[u] and pool[u] == IN_PLAY]
        return reduced, [u for u in units if pool[u] == ELIMINATED]

    def _recount(self, u: Unit) -> None:
        """Bring the lists of a side's losses up to date."""

        def after(known: tuple[list[Unit], list[Unit]]) -> tuple[list[Unit], list[Unit]]:
            reduced, gone = [v for v in known[0] if v != u], [v for v in known[1] if v != u]
            if self.pool[u] == ELIMINATED:
                insort(gone, u)
            elif self.pool[u] == IN_PLAY and self.steps[u] < self.forces.full_steps[u]:
                insort(reduced, u)
            return reduced, gone

        amend(self, Board.losses, self.forces.side[u], by=after)

    def mark_supply(self, u: Unit, flags: int) -> None:
        """16.1 The Out of Supply marker of a unit; supply does not depend on it, so what is cached stays valid."""
        self.status[u] = self.status[u] & ~(OOS | ISOLATED) | flags
        self.marked.add(u)
        if self.place[u] != NOWHERE:
            self._touch(self.place[u])

    @fact(LISTS)
    def movers(self, side: Side) -> Bits:
        """The units that may be picked to move, as a set."""
        status, place = self.status, self.place
        return bits(u for u in self.forces.units_of[side] if place[u] != NOWHERE and not status[u] & STUCK)

    def _regroup(self, u: Unit, *, gone: bool) -> None:
        """A unit can no longer be picked to move, or can again."""
        if gone:
            amend(self, Board.movers, self.forces.side[u], by=lambda known: known & ~(1 << u))
        else:
            forget(self, Board.movers, self.forces.side[u])

    @fact(LISTS)
    def reserves(self, side: Side) -> list[Unit]:
        """The units of a side with Reserve markers."""
        return self.marked_with(side, RESERVE)

    def put(self, u: Unit, place: Place, *, steps: int = 0) -> None:
        """Bring a unit into play there, at full strength unless told otherwise."""
        self.pool[u] = IN_PLAY
        self.steps[u] = steps or self.forces.full_steps[u]
        self._recount(u)
        self.move(u, place)

    def take(self, u: Unit, pool: int) -> None:
        """Take a unit off the board: Eliminated Box, out of the game, ..."""
        if self.status[u] & RESERVE:
            forget(self, Board.reserves, self.forces.side[u])
        if self.status[u] & FROZEN:
            self.happened(_ON_FROZEN)
        self.status[u] = 0
        self.inside[u] = -1
        self.auto_ds[u] = -1
        self.offensives[u] = 0
        self.pool[u] = pool
        self.steps[u] = 0
        self._recount(u)
        self.move(u, NOWHERE)

    def _refresh(self, h: Hex) -> None:
        """Bring the hex sets up to date for one hex."""
        forces, status, under = self.forces, self.status, self._under
        marks = weight = counted = 0
        u = self._top[h]
        while u != NO_UNIT:
            side = forces.side[u]
            marks |= 1 << PRESENT + side
            if forces.combat[u]:
                s = status[u]
                marks |= 1 << COMBAT + side
                if not s & NO_ZOC:
                    marks |= 1 << ZOC + side
                marks |= 1 << (RETREATING if s & FULL_RETREAT else STEADY) + side
                if not s & NO_BOND:
                    weight += forces.bond_weight[u] << 8 * side
                if not forces.is_asu[u]:
                    counted += 1 << 8 * side
            u = under[u]
        if counted & 0xFF > 2:
            marks |= 1 << CROWDED + AXIS
        if counted >> 8 > 2:
            marks |= 1 << CROWDED + SOVIET
        if weight & 0xFE:
            marks |= 1 << HOLDER + AXIS
        if weight >> 8 > 1:
            marks |= 1 << HOLDER + SOVIET
        if marks >> COMBAT & 3 == 3:  # 29.1.1: units in a Contested City hex exert no ZOC and hold no bond
            marks &= ~(3 << ZOC | 3 << HOLDER)
        marks &= ~(marks >> STEADY & 3) << RETREATING | ~(3 << RETREATING)
        changed = marks ^ self._marks[h]
        if changed:
            self._marks[h] = marks
            self.happened(_ON_UNITS[bool(changed & _UNITS_OF[AXIS]) + 2 * bool(changed & _UNITS_OF[SOVIET])])
            mask, sets = 1 << h, self.sets
            while changed:
                k = changed.bit_length() - 1
                sets[k] ^= mask
                changed ^= 1 << k

    def hexes_of(self, side: Side) -> Bits:
        return self.sets[PRESENT + side]

    # --- what a counter shows now ----------------------------------------------------------------------------------

    def face(self, u: Unit) -> Face:
        """The side of the counter that is up."""
        if self.status[u] & FLIPPED:
            back = self.forces.back[u]
            if back is not None:
                return back
        return self.forces.faces[u][self.steps[u]]

    def attack(self, u: Unit) -> int:
        return self.face(u).attack

    def defense(self, u: Unit) -> int:
        return self.face(u).defense

    def ma(self, u: Unit) -> int:
        return self.face(u).ma

    def is_remnant(self, u: Unit) -> bool:
        """10.4: the last step of a unit that has a Remnant is one."""
        return self.steps[u] == 1 and bool(self.forces.remnant[u])

    def is_full_strength(self, u: Unit) -> bool:
        return self.steps[u] == self.forces.full_steps[u]

    # --- the turn --------------------------------------------------------------------------------------------------

    @property
    def winter(self) -> bool:
        """23.4 Winter starts on Turn 28."""
        return self.tracks[0] >= self.winter_turn

    @property
    def season(self) -> Season:
        return self.ground.seasons[self.tracks[0] >= self.winter_turn]

    @property
    def weather_word(self) -> str:
        return WEATHERS[self.weather]

    @property
    def effects(self) -> WeatherEffects:
        return self.charts.weather_effects[self.weather]

    @property
    def wet(self) -> bool:
        """Rain or Mud (23.2.3, 23.3.3)."""
        return self.charts.weather_effects[self.weather].wet

    # --- the map ---------------------------------------------------------------------------------------------------

    def terrain(self, h: Hex) -> str:
        """The terrain as it is now: Seasonal Marsh is Clear until the first Rain, then Marsh (23.2.3)."""
        word = self.map.terrain[h]
        if word == "seasonal_marsh":
            return "marsh" if self.marsh else "clear"
        return word

    def chart(self, h: Hex) -> Terrain:
        """The line of the Terrain Effects Chart for a hex."""
        return self.charts.terrain[self.terrain(h)]

    def is_city(self, h: Hex) -> bool:
        return bool(self.ground.city >> h & 1)

    def controller(self, h: Hex) -> Side | None:
        """16.3.4: who controls a City, VP or Port hex."""
        c = self.control[h]
        return None if c == NOBODY else c - 1

    def set_control(self, h: Hex, side: Side) -> None:
        if self.control[h] != side + 1:
            self.control[h] = side + 1
            self.control_hexes[side] |= 1 << h
            self.control_hexes[1 - side] &= ~(1 << h)
            self.happened(_ON_CONTROL)

    def fort_of(self, h: Hex) -> tuple[Side, int] | None:
        """The Fortification marker in a hex: its side and whether it is BEGUN or BUILT."""
        f = self.fort[h]
        return None if f == NO_FORT else ((f - 1) // 2, BUILT if f % 2 == 0 else BEGUN)

    def set_fort(self, h: Hex, side: Side, state: int) -> None:
        self.fort[h] = NO_FORT if state == NO_FORT else side * 2 + state
        for s in (AXIS, SOVIET):
            self.fort_hexes[s] &= ~(1 << h)
        if state != NO_FORT:
            self.fort_hexes[side] |= 1 << h
        self._touch(h)
        self.happened(ELSEWHERE)

    def set_repaired(self, h: Hex, on: bool = True) -> None:
        """17.2 The Axis has repaired a rail hex, or lost it."""
        if self.repaired[h] != on:
            self.repaired[h] = on
            self.happened(_ON_REPAIR)
            amend(self, Board.repaired_hexes, by=lambda known: known ^ 1 << h)

    @fact(LISTS)
    def repaired_hexes(self) -> Bits:
        """The column `repaired` as a hex set; write through `set_repaired`."""
        return bits(h for h in self.map.grid.hexes if self.repaired[h])

    def adjacent(self, a: Hex, b: Hex) -> bool:
        """2.2.3: neighbours that no impassable or Volga hexside parts."""
        d = b - a
        if d not in self.map.grid.offsets or not self.map.grid.all >> b & 1:
            return False
        return not self.season.closed[self.map.grid.offsets.index(d)] >> a & 1

    def carrier(self, u: Unit) -> Unit:
        """34.2 The Reserve Army in play whose Holding Box a unit is in; -1 if there is none."""
        box = self.inside[u]
        if box <= 0 or box not in self.assigned:
            return NO_UNIT
        army = self.forces.reserve_armies[self.assigned.index(box)]
        return army if self.pool[army] == IN_PLAY else NO_UNIT

    def is_in_entry_area(self, u: Unit) -> bool:
        return self.place[u] >= self.map.grid.size

    def box_side(self, place: Place) -> Side | None:
        """22.2: whose Entry Area a box is in this scenario."""
        return self.box_sides[place - self.map.grid.size]


REPLACEMENT_KINDS = ("tank", "infantry", "cavalry", "special", "hun", "rom", "ital", "axis")


def is_in_good_order(g: Board, u: Unit) -> bool:
    """13.1.1: neither Disrupted nor in Full Retreat."""
    return not g.status[u] & BAD_ORDER
