"""17.0 Setting up: the stated areas, the automatic set-up, and the players' own choices within them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import compress

from kessel.core.breakdown import Refusal
from kessel.core.forces import Side, Unit
from kessel.core.hexes import NO_HEX, Bits, Hex, Hexside
from kessel.core.hexset import bits, mask, members, within
from kessel.core.procedure import AGAIN, DONE, Out, Procedure, auto
from kessel.core.verbs import NOT_NOW, Choice
from kessel.games.don42.board import NO_SIDE, NOBODY, ON_CROSSING, PREPARED, READY, Board
from kessel.games.don42.data.charts import turn_name
from kessel.games.don42.data.forces import GERMAN, SIDES, SOVIET
from kessel.games.don42.data.scenario import Entry
from kessel.games.don42.data.terrain import canonical
from kessel.games.don42.movement.stacking import excess, too_many, why_not_fit

# --- which units, which hexes --------------------------------------------------------------------------------------


def entries_of(g: Board, side: Side) -> list[Entry]:
    """A side's lines of the set-up; those that depend on where others stand come last."""
    mine = [e for e in g.scenario.setup if e.side == side]
    return sorted(mine, key=lambda e: e.kind in ("with", "beside"))


def candidates(g: Board, e: Entry) -> list[Unit]:
    """The units a line is about that are not yet on the map."""
    if e.units:
        units = [g.forces.unit(name) for name in e.units]
    else:
        named = {name for other in g.scenario.setup for name in other.units}
        units = [u for u in g.forces.of(e.formation) if g.id(u) not in named]
        units = [u for u in units if not e.type or g.forces.type[u] == e.type]
    return [u for u in units if not g.on_map(u)]


def count_of(g: Board, e: Entry) -> int:
    return e.any or len(e.units)


def hexes_of(g: Board, e: Entry) -> tuple[str, ...]:
    """The hexes a line names: as corrected, or as printed (switch doubtful_hexes)."""
    return e.printed if e.printed and g.reads("doubtful_hexes") == "printed" else e.hexes


def area_of(g: Board, e: Entry) -> Bits:
    """All hexes a line allows, whoever stands there."""
    grid = g.map.grid
    if e.kind in ("in", "near", "each"):
        s = within(grid, bits(grid.hex(h) for h in hexes_of(g, e)), e.within)
    elif e.kind == "area":
        s = within(grid, g.map.area(e.word), e.within)
    elif e.kind == "bank":
        s = g.ground.west_bank if e.word == "west" else g.ground.east_bank
    else:
        theirs = bits(g.place[u] for u in g.forces.of(e.word) if g.on_map(u))
        s = theirs if e.kind == "with" else within(grid, theirs, 1) & ~theirs
    return s & ~g.map.area("volga_east_bank")


def room_for(g: Board, e: Entry, u: Unit, used: Bits) -> Bits:
    """Where a unit may be placed now. Stacks printed hex by hex stand as printed; failing all, the nearest hex."""
    side = e.side
    area = area_of(g, e) & ~used if e.kind == "each" else area_of(g, e)
    printed = e.kind in ("in", "each")
    free = _free(g, side, area, u, printed and side == GERMAN)
    if not free and e.kind == "with":
        # Every stack it may join is full as printed: the one where it adds nothing to the excess.
        free = bits(h for h in members(area & ~g.hexes_of(1 - side)) if not _adds(g, side, h, u))
    reach = 0
    while not free and reach < 12:
        reach += 1
        ring = within(g.map.grid, area, reach) & ~g.map.area("volga_east_bank")
        free = _free(g, side, ring, u, False)
    return free


def _free(g: Board, side: Side, area: Bits, u: Unit, printed: bool) -> Bits:
    """The hexes of an area without enemies where the unit fits (or all of them, where the stack is printed)."""
    open_ = area & ~g.hexes_of(1 - side)
    mine = open_ & g.hexes_of(side)
    if printed or not mine:
        return open_
    if side == SOVIET:
        return open_ & ~mine  # 3.1.2: Soviet ground units never stack
    return open_ & ~mine | bits(h for h in members(mine) if why_not_fit(g, side, h, [u]) is None)


def _adds(g: Board, side: Side, h: Hex, u: Unit) -> bool:
    """Whether one more unit must go from a stack over the limit when this unit joins it."""
    there = g.units(h)
    return excess(g, side, [*there, u]) > excess(g, side, there)


# --- the automatic set-up ------------------------------------------------------------------------------------------


def automatic_hex(g: Board, e: Entry, u: Unit, used: Bits) -> Hex:
    """The hex the scenario file gives the unit, or the allowed one nearest to it."""
    room = room_for(g, e, u, used)
    wish = g.map.grid.find(g.scenario.automatic.get(g.id(u), ""))
    if wish != NO_HEX and room >> wish & 1:
        return wish
    from_ = wish if wish != NO_HEX else members(area_of(g, e))[0]
    return min(members(room), key=lambda h: (g.map.grid.distance(h, from_), g.hex_name(h)))


def pick(g: Board, e: Entry, units: list[Unit], used: Bits) -> Unit:
    """The unit an automatic set-up places next: one whose own hex the line allows, if there is one."""
    for u in units:
        wish = g.map.grid.find(g.scenario.automatic.get(g.id(u), ""))
        if wish != NO_HEX and room_for(g, e, u, used) >> wish & 1:
            return u
    return units[0]


def place_automatically(g: Board, side: Side, *, done: int = 0, placed: int = 0, used: Bits = 0) -> None:
    """Place what is left of a side, from a line of its set-up on."""
    for i, e in enumerate(entries_of(g, side)):
        if i < done:
            continue
        start, taken = (placed, used) if i == done else (0, 0)
        units = candidates(g, e)
        for _ in range(start, count_of(g, e)):
            if not units:
                break
            u = pick(g, e, units, taken)
            h = automatic_hex(g, e, u, taken)
            g.place_in(u, h)
            units.remove(u)
            taken |= 1 << h


# --- the procedure -------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class SetUp(Procedure):
    """17.0 Germans first, then Soviets (17.1.4, 17.2.3, 17.3.4)."""

    german: Side = GERMAN
    soviet: Side = SOVIET
    line: int = 0
    placed: int = 0
    used: tuple[Hex, ...] = ()

    @auto("17.0")
    def begin(self, g: Board) -> Out:
        """Reinforcements wait, air units go to their boxes; without the option free_setup the file places all units."""
        for r in g.scenario.reinforcements:
            units = g.forces.of(r.formation) if r.formation else [g.forces.unit(n) for n in r.units]
            for u in units:
                g.steps[u] = g.forces.full_steps[u]
        for side in (GERMAN, SOVIET):
            for plane in g.forces.air_units[side]:
                g.steps[plane] = 1
                if f"{SIDES[side]}_air" in {b.id for b in g.map.boxes}:
                    g.move(plane, g.map.box_place(f"{SIDES[side]}_air"))
        for name, command in g.scenario.commands.items():
            g.command[g.forces.unit(name)] = g.command_index(command)
        if not g.plays("free_setup"):
            place_automatically(g, GERMAN)
            place_automatically(g, SOVIET)
        return None

    german_units = Choice("german", "17.0", "Place a German unit, or let the rest be set up automatically.")

    @auto("17.0")
    def next_side(self, g: Board) -> Out:
        self.line = self.placed = 0
        self.used = ()
        return None

    soviet_units = Choice("soviet", "17.0", "Place a Soviet unit, or let the rest be set up automatically.")

    @german_units.verb(
        "place",
        legal=lambda p, g: p._places(g, GERMAN),
        why_not=lambda p, g, u, h: p._why_not_place(g, GERMAN, u, h),
    )
    @soviet_units.verb(
        "place",
        legal=lambda p, g: p._places(g, SOVIET),
        why_not=lambda p, g, u, h: p._why_not_place(g, SOVIET, u, h),
    )
    def place(self, g: Board, u: Unit, h: Hex) -> Out:
        side = g.forces.side[u]
        e = self._entry(g, side)
        assert e is not None
        index = entries_of(g, side).index(e)
        if index != self.line:
            self.line, self.placed, self.used = index, 0, ()
        g.place_in(u, h)
        self.placed += 1
        self.used = (*self.used, h)
        return AGAIN

    @german_units.verb("automatic", legal=lambda p, g: p._entry(g, GERMAN) is not None)
    def place_germans(self, g: Board) -> Out:
        return self._place_rest(g, GERMAN)

    @soviet_units.verb("automatic", legal=lambda p, g: p._entry(g, SOVIET) is not None)
    def place_soviets(self, g: Board) -> Out:
        return self._place_rest(g, SOVIET)

    pontoon_sites = Choice("german", "17.4", "Choose where a pontoon bridge stands.")

    @pontoon_sites.verb("automatic", legal=lambda p, g: bool(p._river(g)))
    def lay_as_printed(self, g: Board) -> Out:
        return self.lay(g, g.map.grid.parse_hexside(g.scenario.pontoons[_unlaid(g)[0]].hexside))

    @pontoon_sites.verb("pontoon", legal=lambda p, g: p._river(g))
    def lay(self, g: Board, side: Hexside) -> Out:
        _lay(g, _unlaid(g)[0], side)
        return AGAIN

    def _river(self, g: Board) -> list[Hexside]:
        """The Don hexsides without a bridge, each once, while there is a pontoon to lay."""
        if not g.plays("free_setup") or not _unlaid(g):
            return []
        return sorted({canonical(g.map.grid, h * 6 + d) for d in range(6) for h in members(g.crossings.unbridged[d])})

    fortifications = Choice("german", "17.3.4", "Choose a unit that begins in a Prepared Position.")

    @fortifications.verb("automatic", legal=lambda p, g: g.plays("free_setup") and bool(_unprepared(g)))
    def leave_unprepared(self, g: Board) -> Out:
        return None

    @fortifications.verb("entrench", legal=lambda p, g: _unprepared(g) if g.plays("free_setup") else ())
    def entrench(self, g: Board, h: Hex) -> Out:
        g.position[h] = PREPARED
        return AGAIN

    @auto("16.0")
    def finish(self, g: Board) -> Out:
        """Pontoons, positions, and who owns the Victory Point hexes; then the first turn."""
        for i, p in enumerate(g.scenario.pontoons):
            if g.pontoon_at[i] == NO_SIDE:
                _lay(g, i, g.map.grid.parse_hexside(p.hexside))
        _prepare(g)
        _own_objectives(g)
        g.set_track("turn", g.scenario.first_turn)
        g.changed()
        g.tell(f"{g.scenario.title}: {turn_name(g.scenario.first_turn)} to {turn_name(g.scenario.last_turn)}", "17.0")
        for side in (GERMAN, SOVIET):
            if said := too_many(g, side):
                g.tell(said, "3.1", side=SIDES[side])
        return DONE

    def _entry(self, g: Board, side: Side) -> Entry | None:
        if not g.plays("free_setup"):
            return None
        lines = entries_of(g, side)
        i = self.line
        placed = self.placed
        while i < len(lines) and (placed >= count_of(g, lines[i]) or not candidates(g, lines[i])):
            i, placed = i + 1, 0
        return lines[i] if i < len(lines) else None

    def _places(self, g: Board, side: Side) -> list[tuple[Unit, Hex]]:
        e = self._entry(g, side)
        if e is None:
            return []
        used = self._used(g, e)
        found: list[tuple[Unit, Hex]] = []
        for u in self._to_place(g, e):
            room = mask(g.map.grid, room_for(g, e, u, used))  # mostly many hexes
            found += [(u, h) for h in compress(range(len(room)), room)]
        return found

    def _to_place(self, g: Board, e: Entry) -> list[Unit]:
        units = candidates(g, e)
        return units if e.any else units[:1]

    def _used(self, g: Board, e: Entry) -> Bits:
        lines = entries_of(g, e.side)
        return bits(self.used) if self.line < len(lines) and lines[self.line] is e else 0

    def _why_not_place(self, g: Board, side: Side, u: Unit, h: Hex) -> Refusal | None:
        e = self._entry(g, side)
        if e is None:
            return NOT_NOW
        if u not in candidates(g, e):
            return Refusal(e.rule, f"{g.name(u)} is not the unit to be placed now")
        if u in self._to_place(g, e) and room_for(g, e, u, self._used(g, e)) >> h & 1:
            return None
        if not area_of(g, e) >> h & 1:
            return Refusal(e.rule, f"{g.name(u)} may not be set up in {g.hex_name(h)}")
        return why_not_fit(g, side, h, [u]) or Refusal(e.rule, "place the units of a line one by one")

    def _place_rest(self, g: Board, side: Side) -> Out:
        used = bits(self.used) if self.line < len(entries_of(g, side)) else 0
        place_automatically(g, side, done=self.line, placed=self.placed, used=used)
        return None


def _unlaid(g: Board) -> list[int]:
    """17.4 The pontoons whose place the player chooses, as far as it is still open."""
    return [i for i, p in enumerate(g.scenario.pontoons) if p.free and g.pontoon_at[i] == NO_SIDE]


def _lay(g: Board, i: int, side: int) -> None:
    g.pontoon_at[i] = canonical(g.map.grid, side)
    g.pontoon_state[i] = READY
    g.happened(ON_CROSSING)


def _unprepared(g: Board) -> list[Hex]:
    """17.3.4 The hexes of divisions that still have units to put in Prepared Positions."""
    found = []
    for division, most in g.scenario.prepared.items():
        hexes = sorted({g.place[u] for u in g.forces.of(division) if g.on_map(u)})
        if sum(g.position[h] == PREPARED for h in hexes) < most:
            found += [h for h in hexes if g.position[h] != PREPARED]
    return found


def _prepare(g: Board) -> None:
    """17.2.3 Whole divisions in Prepared Positions; 17.3.4 a few units where the file says."""
    for division in g.scenario.says("prepared_divisions") or ():
        for u in g.forces.of(division):
            if g.on_map(u):
                g.position[g.place[u]] = PREPARED
    if not any(g.position):
        for name in g.scenario.prepared_at:
            h = g.map.grid.hex(name)
            if any(g.forces.side[u] == GERMAN for u in g.units(h)):
                g.position[h] = PREPARED


def _own_objectives(g: Board) -> None:
    """16.0 As the scenario says, or by whose units are nearer."""
    for i, (h, _) in enumerate(g.objectives):
        if g.scenario.control is not None:
            g.control[i] = GERMAN if g.hex_name(h) in g.scenario.control else SOVIET
            continue
        near = [
            min((g.map.grid.distance(h, g.place[u]) for u in g.units_on_map(s)), default=999) for s in (GERMAN, SOVIET)
        ]
        g.control[i] = GERMAN if near[GERMAN] < near[SOVIET] else SOVIET
    assert NOBODY not in g.control
