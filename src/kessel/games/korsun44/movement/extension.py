"""4.7 Extension of Soviet divisions: a second counter in the next hex."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.breakdown import Refusal
from kessel.core.forces import NO_UNIT, Unit
from kessel.core.hexes import Hex
from kessel.core.procedure import Call, Goto, Out, Procedure, auto, takes
from kessel.core.verbs import Choice
from kessel.games.korsun44.board import MOVED, SOVIET, Board
from kessel.games.korsun44.data.charts import POINT
from kessel.games.korsun44.data.forces import EXTENSION
from kessel.games.korsun44.movement.allowance import points
from kessel.games.korsun44.movement.arrival import Arrival
from kessel.games.korsun44.movement.costs import TACTICAL
from kessel.games.korsun44.movement.groups import group_of
from kessel.games.korsun44.movement.movement import tire, why_not_end, why_not_move
from kessel.games.korsun44.movement.search import Party, Rules, Step, budgets_of, rules_of, step_of
from kessel.games.korsun44.movement.zones import zoc_sources
from kessel.games.korsun44.units.extension import take_in
from kessel.games.korsun44.units.strength import is_cadre, is_extended, whole_of


def why_not_extend(g: Board, u: Unit) -> Refusal | None:
    """4.7 Why a division may not begin to extend."""
    f = g.forces
    if f.side[u] != SOVIET or f.extension[u] == NO_UNIT:
        return Refusal("4.7", f"{g.name(u)} is no Soviet division that can extend")
    if is_extended(g, u):
        return Refusal("4.7", f"{g.name(u)} is extended already")
    if why := why_not_move(g, u):
        return why
    if is_cadre(g, u):
        return Refusal("4.7", f"{g.name(u)} is a cadre")
    return None


@dataclass(slots=True)
class ExtendedMove(Procedure):
    """4.7.1 A division and its marker move hex by hex, on or next to each other all the time."""

    about_units = ("unit",)
    side: int
    unit: int
    spent: tuple[int, ...] = (0, 0)
    """What the division and the marker have spent."""
    entered: tuple[int, ...] = (0, 0)
    stopped: tuple[int, ...] = (0, 0)
    reserve: bool = False
    fired: tuple[int, ...] = ()
    """9.11 Hexes that have intercepted the armor of the division."""

    def marker(self, g: Board) -> Unit:
        return g.forces.extension[self.unit]

    def movers(self, g: Board, i: int) -> tuple[Unit, ...]:
        return group_of(g, self.unit) if i == 0 else (self.marker(g),)

    def party(self, g: Board, i: int) -> Party:
        units = self.movers(g, i)
        left = min(points(g, u, TACTICAL, self.reserve) for u in (self.unit, *units)) * POINT
        return Party(self.side, units, TACTICAL, left, (self.spent[i],) * len(units), not self.entered[i])

    def step_for(self, g: Board, i: int, h: Hex) -> Step | Refusal:
        """The step of the division (0) or of the marker (1) into a hex."""
        mover, other = (self.unit, self.marker(g)) if i == 0 else (self.marker(g), self.unit)
        here, grid = g.place[mover], g.map.grid
        if g.status[mover] & MOVED:
            return Refusal("9.0", f"{g.name(mover)} has moved")
        if self.stopped[i]:
            return Refusal("10.3.1", f"{g.name(mover)} must halt")
        if not grid.adjacent(here, h):
            return Refusal("4.7", "an extended division moves hex by hex")
        if h != g.place[other] and not grid.adjacent(h, g.place[other]):
            return Refusal("4.7", "division and marker must stay on or next to each other")
        party = self.party(g, i)
        return self._step_of(g, party, rules_of(g, party), here, h)

    def _step_of(self, g: Board, party: Party, rules: Rules, here: Hex, h: Hex) -> Step | Refusal:
        found = step_of(g, party, rules, here, g.map.grid.direction(here, h), h, first=party.first)
        if isinstance(found, Refusal):
            return found
        return self._why_not_two_zones(g, here, h) or self._paid(g, party, rules, found)

    def _paid(self, g: Board, party: Party, rules: Rules, found: Step) -> Step | Refusal:
        budget = budgets_of(g, party, rules.kinds)
        if not found.whole and not party.first and any(c > b for c, b in zip(found.cost, budget, strict=True)):
            return Refusal("4.7.1", "there are not enough Movement Points left")
        return found

    def _why_not_two_zones(self, g: Board, here: Hex, h: Hex) -> Refusal | None:
        """Q10, the other reading: no extending into a hex that two German hexes cover."""
        if g.reads("extended_zoc") != "two_zones" or here != g.place[self.unit] or is_apart(g, self.unit):
            return None
        covering = g.map.grid.near[h] & zoc_sources(g, 1 - self.side)
        return Refusal("4.7.1", "two German hexes exert a ZOC there") if covering.bit_count() > 1 else None

    def hexes(self, g: Board, i: int) -> list[Hex]:
        mover, other = (self.unit, self.marker(g)) if i == 0 else (self.marker(g), self.unit)
        if g.status[mover] & MOVED or self.stopped[i]:
            return []
        grid, here, there = g.map.grid, g.place[mover], g.place[other]
        party, near = self.party(g, i), grid.near[there] | 1 << there
        rules = rules_of(g, party)
        around = (h for h in grid.around[here] if near >> h & 1)
        return [h for h in around if isinstance(self._step_of(g, party, rules, here, h), Step)]

    def why_not(self, g: Board, i: int, h: Hex) -> Refusal | None:
        found = self.step_for(g, i, h)
        return found if isinstance(found, Refusal) else None

    def why_not_halt(self, g: Board) -> Refusal | None:
        return why_not_end(g, (self.unit,), g.place[self.unit])

    go = Choice("side", "4.7.1", "Move the division or its marker by a hex, or halt.")

    @go.verb("halt", why_not=lambda p, g: p.why_not_halt(g))
    def halt(self, g: Board) -> Out:
        return Goto("finish")

    @go.verb("to", legal=lambda p, g: p.hexes(g, 0), why_not=lambda p, g, h: p.why_not(g, 0, h))
    def to(self, g: Board, h: Hex) -> Out:
        return self._go(g, 0, h)

    @go.verb("marker_to", legal=lambda p, g: p.hexes(g, 1), why_not=lambda p, g, h: p.why_not(g, 1, h))
    def marker_to(self, g: Board, h: Hex) -> Out:
        return self._go(g, 1, h)

    def _go(self, g: Board, i: int, h: Hex) -> Out:
        party, found = self.party(g, i), self.step_for(g, i, h)
        if isinstance(found, Refusal):
            raise AssertionError(found)
        mover = party.units[0] if i else self.unit
        cost = party.left if found.whole else max(found.cost)  # tanks that stay with the division pay theirs (9.9.4)
        a = g.place[mover]
        for u in party.units:
            g.tell_way(u, "moves to", (h,), "4.7.1")
            g.put(u, h)
        self.spent = tuple(s + cost * (k == i) for k, s in enumerate(self.spent))
        self.entered = tuple(n + (k == i) for k, n in enumerate(self.entered))
        if g.reads("oos2_when") == "at_once":
            self._tire(g)
        over = self.spent[i] >= party.left
        self.stopped = tuple(int(bool(n) or (k == i and (found.ends or over))) for k, n in enumerate(self.stopped))
        return Call(Arrival(self.side, party.units, a, h, self.fired, self.reserve), again=True)

    def _tire(self, g: Board) -> None:
        """13.4.1 The tanks that stay with the division may be out of supply."""
        for u in group_of(g, self.unit):
            tire(g, u, TACTICAL, self.entered[0])

    @takes(Arrival)
    def after(self, g: Board, value: tuple[tuple[int, ...], tuple[int, ...], bool]) -> None:
        """9.11 Armor that has returned fire halts, and the division it stays with (4.5.4)."""
        self.fired, halted, _ = value
        if halted:
            self.stopped = (1, self.stopped[1])

    @auto("4.7")
    def finish(self, g: Board) -> Out:
        self._tire(g)
        for u in (*group_of(g, self.unit), self.marker(g)):
            g.set_status(u, MOVED)
        if not is_apart(g, self.unit):
            take_in(g, self.unit, "4.7")
        else:
            here, there = g.hex_name(g.place[self.unit]), g.hex_name(g.place[self.marker(g)])
            g.tell(f"{g.name(self.unit)} holds {here} and {there}", "4.7", unit=g.id(self.unit))
        return None


def is_apart(g: Board, u: Unit) -> bool:
    """Whether a division and its marker stand in two hexes."""
    marker = g.forces.extension[u]
    return g.on_map(marker) and g.place[marker] != g.place[u]


def division_of(g: Board, u: Unit) -> Unit:
    """The division to move when a division or its marker is named."""
    return whole_of(g, u) if g.forces.role[u] == EXTENSION else u
