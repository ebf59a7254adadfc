"""RX-7.3 The Movement Action, hex by hex; PA-infil Infiltration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, compress
from typing import TypeAlias

from kessel.core.breakdown import Refusal
from kessel.core.facts import LAST, fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import bits, members
from kessel.core.procedure import AGAIN, Call, Goto, Out, Procedure, Return, auto, takes
from kessel.core.verbs import Choice
from kessel.games.bug41.board import DISRUPTED, FIGHTERS, IMPROVED, Board, Formation
from kessel.games.bug41.combat.checks import passes
from kessel.games.bug41.movement.displacement import Displacement
from kessel.games.bug41.movement.reach import (
    Group,
    Spent,
    Ways,
    has_marsh_check,
    is_barred,
    is_boat_step,
    payers_of,
    ways_of,
    why_no_way,
)
from kessel.games.bug41.movement.stacking import why_not_stack
from kessel.games.bug41.movement.zones import near_units, zone_of
from kessel.games.bug41.turn.actions import Preparation, payable_hexes, preparation, price_of, why_not_pay
from kessel.wargame.board import other

Stacks: TypeAlias = "tuple[tuple[Hex, tuple[Unit, ...]], ...]"
"""Hexes, and units in each."""


def why_not_move(g: Board, f: Formation, units: Sequence[Unit], points: int) -> Refusal | None:
    """Why these units may not move together for so many Action Points."""
    if not units or len({g.place[u] for u in units}) > 1:
        return Refusal("RX-6.3", "an Action is one unit's, or that of several that start in one hex")
    for u in units:
        if refusal := why_stays(g, f, u):
            return refusal
    return why_not_pay(g, "movement", units, points)


def why_stays(g: Board, f: Formation, u: Unit) -> Refusal | None:
    """Why a unit may not take part in a Movement Action of that formation."""
    if g.forces.hq[u]:
        return Refusal("RX-7.4", f"{g.name(u)} is an HQ, which relocates")
    if g.command[u] != f or not g.on_map(u):
        return Refusal("RX-6.3", f"{g.name(u)} is no unit of {g.formation_name(f)} on the map")
    if g.status[u] & DISRUPTED:
        return Refusal("PA-disruption.1", f"{g.name(u)} is Disrupted")
    if g.moves[u] >= g.numbers.actions.moves_per_activation:
        return Refusal("RX-6.3", f"{g.name(u)} has moved in this activation")
    return None


@lru_cache(maxsize=10_000)
def groups_in(units: tuple[Unit, ...]) -> tuple[tuple[Unit, ...], ...]:
    """All groups that units of one hex can form."""
    found: list[tuple[Unit, ...]] = []
    for u in units:
        found += [(u,), *((*some, u) for some in list(found))]
    return tuple(sorted(found, key=lambda some: (-len(some), some)))


def movers(g: Board, f: Formation, points: int) -> tuple[tuple[Unit, ...], ...]:
    """All groups of a formation that may move."""
    hexes = payable_hexes(g, "movement", f, points)
    return _movers(g, f, undisrupted(g, f), hexes, bytes(g.moves)) if hexes else ()


@fact(LAST)
def _movers(g: Board, f: Formation, stacks: Stacks, hexes: Bits, moves: bytes) -> tuple[tuple[Unit, ...], ...]:
    """Those in some hexes, after so many Movement Actions of each unit."""
    most, command = g.numbers.actions.moves_per_activation, g.command
    tired = {u for u in compress(range(len(moves)), moves) if command[u] == f and moves[u] >= most}
    everywhere = hexes == g.map.grid.all
    able = [units for h, units in stacks if everywhere or hexes >> h & 1]
    if tired:
        able = [units if tired.isdisjoint(units) else tuple(u for u in units if u not in tired) for units in able]
    return tuple(chain.from_iterable(map(groups_in, able)))


def undisrupted(g: Board, f: Formation) -> Stacks:
    """The undisrupted combat units of a formation, hex by hex."""
    return stacks_of(g, g.forces.side_of_command[f], f)[0]


def disrupted(g: Board, f: Formation) -> Stacks:
    return stacks_of(g, g.forces.side_of_command[f], f)[1]


@fact(FIGHTERS)
def stacks_of(g: Board, side: Side, f: Formation) -> tuple[Stacks, Stacks]:
    """The combat units of a formation hex by hex: the undisrupted, the Disrupted."""
    found: tuple[dict[Hex, list[Unit]], dict[Hex, list[Unit]]] = ({}, {})
    place, status = g.place, g.status
    for u in g.census(side).formations[f]:
        found[status[u] & DISRUPTED].setdefault(place[u], []).append(u)
    fit, weak = found
    return (
        tuple([(h, tuple(units)) for h, units in fit.items()]),
        tuple([(h, tuple(units)) for h, units in weak.items()]),
    )


def why_not_end(g: Board, group: Group, h: Hex, ways: Ways | None = None) -> Refusal | None:
    """Why a group may not end its move in a hex."""
    found = ways_of(g, group) if ways is None else ways
    if not found.hexes >> h & 1:
        return why_no_way(g, group, h)
    there = [u for u in g.units(h) if g.forces.side[u] != g.forces.side[group.units[0]]]
    return None if there else why_not_stack(g, g.forces.side[group.units[0]], h, group.units)


def why_not_infiltrate(g: Board, units: Sequence[Unit], h: Hex, boats: int = 0) -> Refusal | None:
    """PA-infil.1 From an enemy zone straight into the next hex in an enemy zone."""
    side, start, grid = g.forces.side[units[0]], g.place[units[0]], g.map.grid
    zone, name = zone_of(g, other(side)), g.hex_name(h)
    if not grid.adjacent(start, h) or not zone >> start & 1 or not zone >> h & 1:
        return Refusal("PA-infil.1", f"infiltration leads from an enemy zone into the next hex in one, not to {name}")
    if g.hexes_with_combat_units(other(side)) >> h & 1:
        return Refusal("RX-7.3.6", f"enemy combat units are in {name}")
    by_boat = boats if g.reads("boats_in_infiltration") == "yes" else 0
    if is_barred(g, units, start, grid.direction(start, h), by_boat):
        return Refusal("PA-TEC.bug.move", f"the water before {name} stops an infiltration")
    if g.hexes_of(other(side)) >> h & 1:
        return None
    return why_not_stack(g, side, h, units)


def infiltrations(g: Board, units: Sequence[Unit], boats: int = 0) -> Bits:
    """All hexes for which `why_not_infiltrate` finds nothing against it."""
    start, enemy = g.place[units[0]], other(g.forces.side[units[0]])
    zone = zone_of(g, enemy)
    near = g.map.grid.near[start] & zone & ~g.hexes_with_combat_units(enemy) if zone >> start & 1 else 0
    return bits(h for h in members(near) if why_not_infiltrate(g, units, h, boats) is None)


@dataclass(slots=True)
class Move(Procedure):
    """PA-AP.move One Movement Action; hands over the points paid, the boats used and the hex it ended in."""

    side: int
    formation: int
    units: tuple[int, ...]
    points: int
    boats: int
    spent: tuple[int, ...] = ()
    path: tuple[int, ...] = ()
    near: bool = False
    entered: int = 0
    paid: int = 0
    crossed: int = 0
    ended: bool = False
    infiltrating: int = -1
    began: tuple[int, ...] = ()

    about_units = ("units",)

    def group(self) -> Group:
        return Group(self.units, self.spent, self.near, not self.entered, self.boats)

    def ways(self, g: Board) -> Ways:
        return ways_of(g, self.group())

    def why_not_to(self, g: Board, h: Hex) -> Refusal | None:
        return why_not_end(g, self.group(), h, self.ways(g))

    def why_not_step(self, g: Board, h: Hex) -> Refusal | None:
        """One hex, to go on from there: nothing that ends the move, and no nearer way round."""
        ways = self.ways(g)
        if not g.map.grid.adjacent(g.place[self.units[0]], h):
            return Refusal("RX-7.3.2", f"{g.hex_name(h)} is not the next hex")
        if not ways.hexes >> h & 1 or ways.path(h) != (h,):
            return why_no_way(g, self.group(), h)
        if ways.stops(h):
            return Refusal("RX-5.3", f"the move would end in {g.hex_name(h)}")
        return why_not_end(g, self.group(), h, ways)

    def why_not_infiltrate(self, g: Board, h: Hex) -> Refusal | None:
        if self.entered:
            return Refusal("PA-infil.2", "infiltration takes the whole movement allowance")
        return why_not_infiltrate(g, self.units, h, self.boats)

    choose = Choice("side", "RX-7.3.1", "Choose where the units go.")

    @choose.verb(
        "stay",
        legal=lambda p, g: not p.paid,
        why_not=lambda p, g: Refusal("RX-7.3.1", "the move has begun") if p.paid else None,
    )
    def stay(self, g: Board) -> Out:
        return Return((0, 0, -1))

    @choose.verb(
        "halt", legal=lambda p, g: p.entered and p.why_not_halt(g) is None, why_not=lambda p, g: p.why_not_halt(g)
    )
    def halt(self, g: Board) -> Out:
        return Goto("finish")

    def why_not_halt(self, g: Board) -> Refusal | None:
        if not self.entered:
            return Refusal("RX-7.3.1", "the units have not moved yet")
        return why_not_stack(g, self.side, g.place[self.units[0]], self.units)

    @choose.verb("to", legal=lambda p, g: p.ways(g).ends, why_not=why_not_to)
    def go_to(self, g: Board, h: Hex) -> Out:
        self.ended = True
        ways = self.ways(g)
        return self.go(g, ways.path(h), ways.spent_in(h))

    @choose.verb("step", legal=lambda p, g: p.ways(g).steps, why_not=why_not_step)
    def go_one_hex(self, g: Board, h: Hex) -> Out:
        return self.go(g, (h,), self.ways(g).spent_in(h))

    @choose.verb(
        "infiltrate",
        legal=lambda p, g: 0 if p.entered else infiltrations(g, p.units, p.boats),
        why_not=why_not_infiltrate,
    )
    def try_to_infiltrate(self, g: Board, h: Hex) -> Out:
        self.infiltrating, self.ended = h, True
        return self.go(g, (h,), (0,) * len(payers_of(g, self.units)))

    def go(self, g: Board, path: tuple[Hex, ...], spent: Spent) -> Out:
        self.path, self.spent = path, spent
        if self.paid:
            return Goto("walk")
        self.paid, self.began = price_of(g, "movement", self.units), self.units
        if g.events is not None:
            g.tell(f"{told_group(g, self.units)} for {self.paid} AP: a Movement Action", "PA-AP.move")
        return preparation(g, self.side, self.units)

    @takes(Preparation)
    def taking_part(self, g: Board, value: tuple[Unit, ...]) -> None:
        """What is spent goes on for the classes of those that take part."""
        before, self.units = payers_of(g, self.units), value
        left = payers_of(g, value)
        if len(left) < len(before):
            self.spent = tuple(s for kind, s in zip(before, self.spent, strict=True) if kind in left)

    @auto("PA-infil.3")
    def infiltrate(self, g: Board) -> Out:
        if not self.units:
            return Goto("finish")
        if self.infiltrating >= 0:
            passed = []
            for u in self.units:
                if passes(g, u, "to infiltrate", "PA-infil.3"):
                    passed.append(u)
                else:
                    g.disrupt(u, "PA-infil.4")
            self.units = tuple(passed)
            if not passed:
                return Goto("finish")
        return None

    @auto("RX-7.3.1")
    def walk(self, g: Board) -> Out:
        """RX-7.3.6 Go on until somebody has to check or an enemy HQ is in the way, which is displaced first."""
        if not self.path:
            return None
        if g.enemies_in(self.path[0], self.side):
            return Call(Displacement(other(self.side), self.path[0]), again=True)
        start, way = g.place[self.units[0]], self._open_way(g)
        if is_boat_step(g, start, g.map.grid.direction(start, way[0])):
            self.crossed += len(self.units)
            g.tell(f"{told_group(g, self.units)}: over the Bug by boat", "PA-TEC.e1")
        self.near = self.near or bool(near_units(g, other(self.side)) & bits((start, *way)))
        self.path, self.entered = self.path[len(way) :], self.entered + len(way)
        for u in self.units:
            g.tell_way(u, "moves to", way, "PA-AP.move")
            g.set_status(u, IMPROVED, on=False)
            g.enter(u, *way)
        before, last = (start, *way)[-2:]
        for u in self.units:
            in_marsh = has_marsh_check(g, u, before, g.map.grid.direction(before, last))
            if in_marsh and not passes(g, u, "in the marsh", "PA-TEC.a"):
                g.disrupt(u, "PA-TEC.a")
                self.path, self.ended = (), True
        return AGAIN

    def _open_way(self, g: Board) -> tuple[Hex, ...]:
        """The hexes up to the next check in marsh, or to one before an enemy HQ."""
        start, n = g.place[self.units[0]], 0
        tracked = [u for u in self.units if g.forces.afv[u]]
        for h in self.path:
            if g.enemies_in(h, self.side):
                break
            n += 1
            if tracked and any(has_marsh_check(g, u, start, g.map.grid.direction(start, h)) for u in tracked):
                break
            start = h
        return self.path[:n]

    @auto("RX-5.3")
    def go_on(self, g: Board) -> Out:
        here = g.place[self.units[0]]
        if self.ended or zone_of(g, other(self.side)) >> here & 1 or not self.ways(g).ends:
            return None
        return Goto("choose")

    @auto("RX-6.3")
    def finish(self, g: Board) -> Out:
        for u in self.began:
            g.moves[u] += 1
        g.cache.clear()
        here = g.place[self.units[0]] if self.units and self.entered else -1
        return Return((self.paid, self.crossed, here))


def told_group(g: Board, units: Sequence[Unit]) -> str:
    return ", ".join(map(g.name, units))


def destinations(g: Board, units: Sequence[Unit], boats: int = 0) -> Bits:
    """Where a group that has not moved yet may end a Movement Action, without infiltration."""
    return ways_of(g, Group(tuple(units), boats=boats)).ends
