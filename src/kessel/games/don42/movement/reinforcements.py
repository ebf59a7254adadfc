"""15.0 Reinforcements: road columns, blocked entries, and HQs that come back (13.2.2-13.2.4)."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass

from kessel.core.board import NOWHERE
from kessel.core.breakdown import Refusal
from kessel.core.facts import NOW, amend, fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import members
from kessel.core.procedure import DONE, Out, Procedure
from kessel.core.verbs import Choice
from kessel.games.don42.board import ACTIVE, ARRIVALS, ATTACK, ENTERED, LEFT, MOVED, OTHER, Board
from kessel.games.don42.data.charts import POINT, turn_name
from kessel.games.don42.data.forces import GERMAN, SOVIET
from kessel.games.don42.data.scenario import ScheduledLine
from kessel.games.don42.movement.movement import Move, allowance, is_roadbound, may_enter
from kessel.games.don42.movement.zones import enemy_zone
from kessel.games.don42.supply.activation import entering_hq
from kessel.games.don42.supply.headquarters import returning_hqs

NO_WAY = sys.maxsize


def lines_for(g: Board, u: Unit) -> Iterator[ScheduledLine]:
    """The lines that may bring in a unit now."""
    left = bool(g.status[u] & LEFT)
    for x in g.schedule.of_unit.get(u, ()):
        if x.line.turn <= g.turn and x.line.returning == left and g.entered[x.number] < x.limit:
            yield x


def arrivals(g: Board, side: Side) -> list[Unit]:
    """The units that can enter in this phase. Their own side's moves on the map change nothing about it."""
    return _arrivals(g, OTHER[side])


@fact(ARRIVALS)
def _arrivals(g: Board, enemy: Side) -> list[Unit]:
    side = OTHER[enemy]
    found: dict[Unit, None] = {}
    if any(g.due):
        found = dict.fromkeys(u for u in returning_hqs(g, side) if not g.status[u] & MOVED)
    place, steps, status, value, gun = g.place, g.steps, g.status, g.forces.value, g.forces.artillery
    turn = g.turn
    for x in g.schedule.of_side[side]:
        if x.line.turn > turn:
            break
        if g.entered[x.number] >= x.limit:
            continue
        still = LEFT if x.line.returning else 0
        units = [u for u in x.units if place[u] == NOWHERE and steps[u] and status[u] & (MOVED | LEFT) == still]
        if not units:
            continue
        ways = line_entries(g, side, x.hexes)[1]
        if x.line.company:
            ways = [(h, cost) for h, cost in ways if _has_met(g, h, x.line.company)]
        least = min([cost for _, cost in ways], default=NO_WAY)
        for u in units:
            if u in found:
                continue
            points = value[u][steps[u]][2] * POINT
            if points >= least and (not gun[u] or points >= _least_for_gun(g, u, ways)):
                found[u] = None
    return list(found)


def _least_for_gun(g: Board, u: Unit, ways: list[tuple[Hex, int]]) -> int:
    """The least cost of an entry hex that the road limit of guns (10.3) allows."""
    may = may_enter(g, u) if is_roadbound(g, u) else -1
    return min([cost for h, cost in ways if may >> h & 1], default=NO_WAY)


# --- 15.1, 15.2 the entry hex --------------------------------------------------------------------------------------


def entry_hexes(g: Board, side: Side, names: tuple[str, ...]) -> Bits:
    """15.2 The named hexes free of enemies and EZOC; if all are blocked, the nearest ones on the same edge."""
    named = g.ground.named(names)
    free = ~(enemy_zone(g, side) | g.hexes_of(1 - side))
    if named & free:
        return named & free
    return next((ring & free for ring in g.ground.along_edge(names) if ring & free), 0)


@fact(NOW)
def line_entries(g: Board, side: Side, names: tuple[str, ...]) -> tuple[Bits, list[tuple[Hex, int]]]:
    """The hexes where units of a line can come in now, with what it costs.

    15.1 Half MPs to enter a hex from off the map: the road's cost, times the place in the column.
    """
    s, each, queue = entry_hexes(g, side, names), g.ground.entry[g.weather], g.queue
    return s, [(h, each[h] * (queue[h] + 1)) for h in g.ground.in_order(s)]


def entries(g: Board, u: Unit) -> Iterator[tuple[Hex, int, int]]:
    """Where a unit can come in now: hex, cost in half MPs, line of the list (-1: an HQ that returns)."""
    side = g.forces.side[u]
    if g.due[u]:
        sources = g.ground.german_sources if side == GERMAN else g.ground.soviet_sources
        names = tuple(g.hex_name(h) for h in members(sources))
        for h, cost in line_entries(g, side, names)[1]:
            yield h, cost, -1
        return
    points = g.forces.value[u][g.steps[u] or g.forces.full_steps[u]][2] * POINT
    barred = ~may_enter(g, u) if is_roadbound(g, u) else 0
    seen: Bits = 0
    for x in lines_for(g, u):
        s, found = line_entries(g, side, x.hexes)
        for h, cost in found:
            if cost > points or (seen | barred) >> h & 1 or (x.line.company and not _has_met(g, h, x.line.company)):
                continue
            yield h, cost, x.number
        seen |= s


def _has_met(g: Board, h: Hex, formation: str) -> bool:
    """17.2.7 A unit of the formation has entered there in this phase."""
    return bool(g.queue[h]) and any(g.status[u] & ENTERED for u in g.forces.of(formation))


def why_not_enter(g: Board, side: Side, u: Unit) -> Refusal | None:
    if g.forces.side[u] != side:
        return Refusal("15.0", f"{g.name(u)} is not a unit of the phasing player")
    if g.due[u]:
        return Refusal("13.2", f"{g.name(u)} comes back on {turn_name(g.due[u])}") if g.due[u] > g.turn else None
    if not g.is_waiting(u):
        return Refusal("15.0", f"{g.name(u)} is not waiting to enter")
    mine = [x.line for x in g.schedule.of_unit.get(u, ())]
    if not mine:
        return Refusal("15.0", f"{g.name(u)} is not a reinforcement of this scenario")
    if all(r.turn > g.turn for r in mine):
        return Refusal("15.0", f"{g.name(u)} enters on {turn_name(min(r.turn for r in mine))}")
    if any(True for _ in entries(g, u)):
        return None
    with_ = next((r.company for r in mine if r.company), "")
    if with_ and not any(g.status[v] & ENTERED for v in g.forces.of(with_)):
        return Refusal("17.2.7", f"{g.name(u)} enters with a unit of {with_}: none has entered before it")
    return Refusal("15.1", f"{g.name(u)} cannot reach its entry hex: the column is too long or the way is blocked")


@dataclass(slots=True)
class Enter(Procedure):
    """15.0 One unit enters the map and goes on moving."""

    side: Side
    unit: Unit

    about_units = ("unit",)

    enter = Choice("side", "15.1", "Choose the entry hex, or keep the unit off the map for this turn.")

    @enter.verb("halt")
    def stay_out(self, g: Board) -> Out:
        u = self.unit
        g.set_status(u, MOVED)
        amend(g, _arrivals, OTHER[self.side], by=lambda found: [v for v in found if v != u])
        return DONE

    def why_not_at(self, g: Board, h: Hex) -> Refusal | None:
        if enemy_zone(g, self.side) >> h & 1:
            return Refusal("15.2", "a reinforcement never enters a zone of control as its first hex")
        if any(h == x for x, _, _ in entries(g, self.unit)):
            return None
        return Refusal("15.1", f"{g.name(self.unit)} does not enter at {g.hex_name(h)}")

    @enter.verb("at", legal=lambda p, g: [h for h, _, _ in entries(g, p.unit)], why_not=why_not_at)
    def arrive(self, g: Board, h: Hex) -> Out:
        cost, line = next((c, i) for x, c, i in entries(g, self.unit) if x == h)
        u, side = self.unit, self.side
        returns = bool(g.due[u])
        if g.steps[u] == 0:
            g.steps[u] = g.forces.full_steps[u]
        g.due[u] = 0
        g.queue[h] += 1
        g.supply[u] = ATTACK
        g.tell_way(u, "enters at", (h,), "15.1")
        g.move(u, h)
        g.control_hex(h, side)
        g.set_status(u, LEFT, False)
        if returns:
            if side == SOVIET:
                g.set_status(u, MOVED)
                return DONE
        else:
            g.entered[line] += 1
            g.set_status(u, ENTERED | (ACTIVE if side == SOVIET else 0))
            if side == SOVIET and g.forces.hq[u]:
                entering_hq(g, u)
        left = allowance(g, u).total * POINT - cost
        if enemy_zone(g, side) >> h & 1 or left <= 0:
            g.set_status(u, MOVED)
            return DONE
        return Move(side, u, left, first=False)
