"""Arguments for the functions of the rules, by the types and names of their parameters.

All arguments of one call have to do with each other: they are made around one unit and one of its enemies.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from inspect import Parameter
from typing import Any

from kessel.core.breakdown import Breakdown
from kessel.core.hexset import bits, members
from kessel.core.zones import Bond
from kessel.games.stalingrad42.board import REPLACEMENT_KINDS, Board
from kessel.games.stalingrad42.combat.after.advance_paths import Trip
from kessel.games.stalingrad42.combat.after.retreat_paths import Flight, country
from kessel.games.stalingrad42.combat.chances import final_chances
from kessel.games.stalingrad42.combat.crt import Outcome, Result, tables
from kessel.games.stalingrad42.combat.strength.strengths import Attack
from kessel.games.stalingrad42.data.charts import WEATHERS
from kessel.games.stalingrad42.data.scenario import Arrival, Entrant, Frozen
from kessel.games.stalingrad42.data.terrain import FORT_GROUPS
from kessel.games.stalingrad42.movement.ways.costs import Footing, footing
from kessel.games.stalingrad42.movement.ways.modes import LIMITS, MODES
from kessel.games.stalingrad42.movement.ways.reach import Group, way_to
from kessel.games.stalingrad42.movement.ways.zones import possible_bonds


@dataclass
class Maker:
    """Makes the arguments of one call."""

    r: random.Random
    g: Board
    u: int
    """What the call is about."""
    foe: int
    """A Combat Unit of the other side, a near one if there is one."""

    def make(self, p: Parameter) -> Any:
        by_name = NAMES.get(f"{p.annotation} {p.name}")
        return (by_name or TYPES[p.annotation])(self)

    @property
    def here(self) -> int:
        return self.g.place[self.u]

    def unit(self) -> int:
        g, r = self.g, self.r
        if r.random() < 0.6:
            return self.u
        if r.random() < 0.5 and self.here >= 0:
            return r.choice(list(g.units(self.here)))
        return r.choice((self.foe, r.randrange(len(g.forces))))

    def side(self) -> int:
        return self.g.forces.side[self.u] ^ (self.r.random() < 0.25)

    def hex(self) -> int:
        g, r = self.g, self.r
        near = self.here if 0 <= self.here < g.map.grid.size else g.place[self.foe]
        if not 0 <= near < g.map.grid.size or r.random() < 0.15:
            return r.choice(g.map.grid.hexes)
        if r.random() < 0.2:
            return g.place[self.foe] if g.on_map(self.foe) else near
        return r.choice((near, *(n for n in g.map.grid.around[near] if n >= 0)))

    def place(self) -> int:
        boxes = range(self.g.map.grid.size, self.g.map.grid.size + len(self.g.map.boxes))
        return self.r.choice(boxes) if boxes and self.r.random() < 0.2 else self.hex()

    def units(self) -> tuple[int, ...]:
        if self.here < 0:
            return (self.u,)
        there = [u for u in self.g.units(self.here) if u != self.u]
        return tuple(sorted((self.u, *self.r.sample(there, self.r.randint(0, len(there))))))

    def attack(self) -> Attack:
        g, r = self.g, self.r
        target, side = g.place[self.foe], g.forces.side[self.foe] ^ 1
        around = [n for n in g.map.grid.around[target] if n >= 0] if g.on_map(self.foe) else []
        near = [v for n in around for v in g.units(n) if g.forces.side[v] == side and g.forces.combat[v]]
        units = tuple(sorted(r.sample(near, r.randint(min(1, len(near)), min(3, len(near))))))
        return Attack(side, target, units, r.random() < 0.2)

    def group(self) -> Group:
        g, r = self.g, self.r
        units = tuple(u for u in self.units() if g.forces.side[u] == g.forces.side[self.u])
        mode = r.choice((0, 0, MODES["normal"], MODES["tactical"], MODES["extended"]))
        spent = tuple(r.choice((0, 2, 4, 5)) for _ in units) if mode else ()
        exposed, extended = r.random() < 0.2, mode == MODES["extended"] or r.random() < 0.2
        return Group(units, self.here, spent, int(bool(mode)), mode, exposed, extended, r.choice(("", "", *LIMITS)))

    def way(self) -> tuple[int, ...]:
        group = Group((self.u,), self.here)
        try:
            return way_to(self.g, group, self.hex(), MODES["normal"])
        except (AssertionError, KeyError, ValueError, IndexError):
            return (self.hex(),)

    def flight(self) -> Flight:
        g, r = self.g, self.r
        side = g.forces.side[self.u]
        leaving = tuple(u for u in g.units(self.here) if g.forces.side[u] == side) if self.here >= 0 else ()
        lengths = r.choice(((1,), (2,), (2,), (3,), (4,), (1, 2)))
        return Flight(side, self.here, lengths, leaving, r.random() < 0.2, r.random() < 0.3)

    def trip(self) -> Trip:
        r = self.r
        vacated = self.hex() if r.random() < 0.6 else -1
        return Trip(self.here, r.randint(0, 4), vacated, r.random() < 0.1, r.random() < 0.6, r.random() < 0.8)

    def result(self) -> Result:
        return self.r.choice([x for cells in tables(self.g.charts).columns.values() for x in cells])

    def outcome(self) -> Outcome:
        return self.r.choice([x for cells in tables(self.g.charts).defense.values() for x in cells])

    def footing(self) -> Footing:
        return footing(self.g, self.u)

    def bond(self) -> Bond:
        return self.r.choice(list(possible_bonds(self.g, self.g.forces.side[self.u])))

    def arrival(self) -> Arrival:
        return self.r.choice(self.g.scenario.arrivals)

    def entrant(self) -> Entrant:
        return Entrant(self.g.id(self.r.randrange(len(self.g.forces))), self.r.choice((0, 1)), self.r.random() < 0.2)

    def port(self) -> int:
        ports = list(members(self.g.ground.port))
        return self.r.choice(ports) if ports and self.r.random() < 0.8 else self.hex()

    def special(self, fits: Callable[[int], Any]) -> int:
        """A unit in play of a kind, mostly of the same side."""
        g = self.g
        found = [u for u in range(len(g.forces)) if g.place[u] >= 0 and fits(u)]
        own = [u for u in found if g.forces.side[u] == g.forces.side[self.u]]
        return self.r.choice(own or found or [self.u])

    def frozen(self) -> Frozen:
        return self.r.choice(self.g.scenario.frozen)


Make = Callable[[Maker], Any]
TYPES: dict[str, Make] = {
    "Board": lambda m: m.g,
    "Ground": lambda m: m.g.ground,
    "Charts": lambda m: m.g.charts,
    "Season": lambda m: m.g.season,
    "Unit": Maker.unit,
    "Unit | None": lambda m: m.unit() if m.r.random() < 0.7 else None,
    "Side": Maker.side,
    "Side | None": lambda m: m.side() if m.r.random() < 0.7 else None,
    "Hex": Maker.hex,
    "Place": Maker.place,
    "Direction": lambda m: m.r.randrange(6),
    "Hexside": lambda m: m.hex() * 6 + m.r.randrange(6),
    "Bits": lambda m: bits({m.hex() for _ in range(3)}),
    "AirUnit": lambda m: m.r.randrange(len(m.g.air)),
    "Attack": Maker.attack,
    "Group": Maker.group,
    "Flight": Maker.flight,
    "Country": lambda m: country(m.g, m.flight()),
    "Trip": Maker.trip,
    "Result": Maker.result,
    "list[Case]": lambda m: final_chances(m.g, m.attack()),
    "Outcome": Maker.outcome,
    "Footing": Maker.footing,
    "Bond": Maker.bond,
    "Arrival": Maker.arrival,
    "Entrant": Maker.entrant,
    "Frozen": Maker.frozen,
    "Breakdown": lambda m: Breakdown("made"),
    "int": lambda m: m.r.choice((0, 1, 1, 2, 3, 4, 8, 16)),
    "int | None": lambda m: m.r.choice((None, 1, 2)),
    "bool": lambda m: m.r.random() < 0.5,
    "str": lambda m: m.r.choice((*REPLACEMENT_KINDS, "crt", "defense", "", "tactical")),
    "list[Unit]": lambda m: list(m.units()),
    "Sequence[Unit]": Maker.units,
    "Iterable[Unit]": Maker.units,
    "tuple[Unit, ...]": Maker.units,
    "tuple[Place, ...]": Maker.way,
    "tuple[int, ...]": lambda m: (),
    "tuple[str, ...]": lambda m: m.r.choice((("A", "B", "C", "D"), ("A", "B", "C", "D", "E"), ("Z",), ("E",))),
}
NAMES: dict[str, Make] = {
    "int mode": lambda m: m.r.choice(sorted(MODES.values())),
    "str limit": lambda m: m.r.choice(LIMITS) if m.r.random() < 0.5 else "",
    "str state": lambda m: m.r.choice(("", "disrupted", "full_retreat")),
    "str sea": lambda m: m.r.choice(("azov", "black", "caspian")),
    "str phase": lambda m: m.r.choice(("movement", "pre_move", "initial")),
    "str word": lambda m: m.r.choice(WEATHERS),
    "str rule": lambda m: "0.0",
    "str kind": lambda m: m.r.choice((*REPLACEMENT_KINDS, *REPLACEMENT_KINDS, "crt", "defense", "panzer")),
    "str group": lambda m: m.r.choice(FORT_GROUPS),
    "str name": lambda m: m.r.choice([x.id for x in m.g.scenario.frozen] or ["none"]),
    "str outcome": lambda m: m.r.choice(("S", "P", "F", "A1", "D1", "DR", "DS", "EX")),
    "int dice": lambda m: m.r.choice((1, 1, 2)),
    "int side": Maker.side,
    "int defender": Maker.side,
    "int h": Maker.hex,
    "int d": lambda m: m.r.randrange(6),
    "int how": lambda m: m.r.randrange(4),
    "int turn": lambda m: m.g.turn + m.r.choice((-1, 0, 0, 1)),
    "int hexes": lambda m: m.r.choice((0, 1, 2, 3, 4)),
    "int radius": lambda m: m.r.choice((1, 2, 3)),
    "int steps": lambda m: m.r.choice((1, 2, 3)),
    "int purse": lambda m: m.r.choice((0, 1, 4, 8)),
    "Unit army": lambda m: m.r.choice(m.g.forces.reserve_armies or (m.u,)),
    "Unit a": lambda m: m.r.choice(m.g.forces.reserve_armies or (m.u,)),
    "Unit b": lambda m: m.r.choice(m.g.forces.reserve_armies or (m.u,)),
    "Unit point": lambda m: m.special(m.g.forces.is_supply_point),
    "Unit asu": lambda m: m.special(lambda u: m.g.forces.is_asu[u]),
    "Unit hq": lambda m: m.special(lambda u: m.g.forces.is_asu[u]),
    "Hex port": Maker.port,
    "Place port": Maker.port,
}


class Stock:
    """The units of a board to make arguments of."""

    def __init__(self, g: Board) -> None:
        every = range(len(g.forces))
        self.placed = [u for u in every if g.place[u] >= 0]
        self.fighting = [u for u in self.placed if g.on_map(u) and g.forces.combat[u]]
        self.liked = {module: [u for u in every if about(g, u)] for module, about in ABOUT.items()}

    def maker(self, r: random.Random, g: Board, module: str) -> Maker:
        """About a unit, mostly one on the map of a kind the module is about, and an enemy."""
        liked = self.liked.get(module) if r.random() < 0.7 else []
        u = r.choice(liked or self.placed) if r.random() < 0.9 else r.randrange(len(g.forces))
        enemies = [v for v in self.fighting if g.forces.side[v] != g.forces.side[u]]
        around = g.map.grid.around[g.place[u]] if g.on_map(u) else ()
        near = [v for v in enemies if g.place[v] in around]
        return Maker(r, g, u, r.choice(near or enemies))


ABOUT: dict[str, Callable[[Board, int], Any]] = {
    "sea": lambda g, u: (g.on_map(u) and g.ground.port >> g.place[u] & 1) or g.place[u] in g.ground.kerch_boxes,
    "maskirovka": lambda g, u: g.inside[u] > 0 or g.forces.type[u] == "reserve_army",
    "entry": lambda g, u: g.place[u] >= g.map.grid.size,
    "resources": lambda g, u: g.place[u] >= 0 and (g.forces.is_asu[u] or g.forces.is_supply_point(u)),
    "artillery": lambda g, u: g.place[u] >= 0 and (g.forces.is_asu[u] or g.forces.is_supply_point(u)),
    "leaders": lambda g, u: g.place[u] >= 0 and g.forces.type[u] == "leader",
    "replacements": lambda g, u: g.steps[u] < g.forces.full_steps[u],
    "city_battles": lambda g, u: g.on_map(u) and g.ground.city >> g.place[u] & 1,
    "fortifications": lambda g, u: g.on_map(u) and (g.fort_hexes[0] | g.fort_hexes[1]) >> g.place[u] & 1,
}
