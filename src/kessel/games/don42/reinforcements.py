"""15.0 Reinforcements: road columns, blocked entries, and HQs that come back (13.2.2-13.2.4)."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass

from kessel.core.breakdown import Refusal
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import bits, members
from kessel.core.procedure import DONE, Action, Options, Out, Procedure, ask
from kessel.games.don42.activation import entering_hq
from kessel.games.don42.board import ACTIVE, ATTACK, ENTERED, LEFT, MOVED, Board
from kessel.games.don42.charts import HALF, turn_name
from kessel.games.don42.forces import GERMAN, SOVIET
from kessel.games.don42.headquarters import returning_hqs
from kessel.games.don42.movement import Move, allowance, may_enter
from kessel.games.don42.scenario import Reinforcement
from kessel.games.don42.terrain import EDGES, MAJOR_ROAD, MINOR_ROAD
from kessel.games.don42.zones import enemy_zone

STAY_OUT: Action = ("halt",)


def members_of(g: Board, r: Reinforcement) -> list[Unit]:
    """The units a line of the reinforcement list is about."""
    if r.formation:
        return g.forces.of(r.formation)
    return [u for name in r.units if (u := g.forces.find(name)) >= 0]


def limit_of(g: Board, r: Reinforcement) -> int:
    """How many units a line brings: those picked, the rest of a formation, or all."""
    if r.any:
        return r.any
    if r.rest:
        picked = sum(o.any for o in g.scenario.reinforcements if o.any and set(o.units) & _ids(g, r))
        return len(members_of(g, r)) - picked
    return len(members_of(g, r))


def _ids(g: Board, r: Reinforcement) -> set[str]:
    return {g.name(u) for u in members_of(g, r)}


def lines_for(g: Board, u: Unit) -> Iterator[tuple[int, Reinforcement]]:
    """The lines that may bring in a unit now."""
    for i, r in enumerate(g.scenario.reinforcements):
        if r.side != g.forces.side[u] or r.turn > g.turn or u not in members_of(g, r):
            continue
        if bool(g.status[u] & LEFT) == r.returning and g.entered[i] < limit_of(g, r):
            yield i, r


def arrivals(g: Board, side: Side) -> list[Unit]:
    """The units that can enter in this phase."""
    if not _anything_due(g, side):
        return []
    found = list(returning_hqs(g, side))
    found += [u for u in g.forces.ground[side] if g.waiting(u) and any(True for _ in lines_for(g, u))]
    return [u for u in found if not g.status[u] & MOVED and any(True for _ in entries(g, u))]


def _anything_due(g: Board, side: Side) -> bool:
    if any(r.side == side and r.turn <= g.turn for r in g.scenario.reinforcements):
        return True
    return any(g.due)


# --- 15.1, 15.2 the entry hex --------------------------------------------------------------------------------------


def entry_hexes(g: Board, u: Unit, names: tuple[str, ...]) -> Bits:
    """15.2 The named hexes free of enemies and EZOC; if all are blocked, the nearest ones on the same edge."""
    side = g.forces.side[u]
    grid = g.map.grid
    named = bits(grid.hex(n) for n in names if n in grid)
    free = ~enemy_zone(g, side) & ~g.hexes_of(1 - side) & may_enter(g, u)
    if named & free:
        return named & free
    edge = 0
    for e in EDGES:
        if g.ground.edges[e] & named:
            edge |= g.ground.edges[e]
    options = [(min(grid.distance(h, n) for n in members(named)), h) for h in members(edge & free)]
    least = min((far for far, _ in options), default=0)
    return bits(h for far, h in options if far == least)


def entry_cost(g: Board, h: Hex) -> int:
    """15.1 Half MPs to enter a hex from off the map: the road's cost, times the place in the column."""
    on_road = [k for k in (MAJOR_ROAD, MINOR_ROAD) if g.map.on_link(k) >> h & 1]
    each = g.charts.terrain[on_road[0]].cost[g.weather] if on_road else g.ground.hex_cost(h, g.weather)
    return each * (g.queue[h] + 1)


def entries(g: Board, u: Unit) -> Iterator[tuple[Hex, int, int]]:
    """Where a unit can come in now: hex, cost in half MPs, line of the list (-1: an HQ that returns)."""
    points = g.forces.value[u][g.steps[u] or g.forces.full_steps[u]][2] * HALF
    if g.due[u]:
        sources = g.ground.german_sources if g.forces.side[u] == GERMAN else g.ground.soviet_sources
        names = tuple(g.hex_name(h) for h in members(sources))
        for h in members(entry_hexes(g, u, names)):
            yield h, entry_cost(g, h), -1
        return
    seen: Bits = 0
    for i, r in lines_for(g, u):
        names = r.hexes
        west = g.scenario.says("german_entry")
        if west and r.side == GERMAN and set(names) <= set(west.split()):
            names = tuple(west.split())
        for h in members(entry_hexes(g, u, names) & ~seen):
            if r.company and not _met(g, h, r.company):
                continue
            if entry_cost(g, h) <= points:
                seen |= 1 << h
                yield h, entry_cost(g, h), i


def _met(g: Board, h: Hex, formation: str) -> bool:
    """17.2.7 A unit of the formation has entered there in this phase."""
    return bool(g.queue[h]) and any(g.status[u] & ENTERED for u in g.forces.of(formation))


def why_not_enter(g: Board, side: Side, u: Unit) -> Refusal | None:
    if g.forces.side[u] != side:
        return Refusal("15.0", f"{g.name(u)} is not a unit of the phasing player")
    if g.due[u]:
        return Refusal("13.2", f"{g.name(u)} comes back on {turn_name(g.due[u])}") if g.due[u] > g.turn else None
    if not g.waiting(u):
        return Refusal("15.0", f"{g.name(u)} is not waiting to enter")
    mine = [r for r in g.scenario.reinforcements if u in members_of(g, r)]
    if not mine:
        return Refusal("15.0", f"{g.name(u)} is not a reinforcement of this scenario")
    if all(r.turn > g.turn for r in mine):
        return Refusal("15.0", f"{g.name(u)} enters on {turn_name(min(r.turn for r in mine))}")
    if any(True for _ in entries(g, u)):
        return None
    return Refusal("15.1", f"{g.name(u)} cannot reach its entry hex: the column is too long or the way is blocked")


@dataclass(slots=True)
class Enter(Procedure):
    """15.0 One unit enters the map and goes on moving."""

    side: Side
    unit: Unit

    @ask("side", "15.1")
    def enter(self, g: Board) -> Generator[Options, Action, Out]:
        """Choose the entry hex, or keep the unit off the map for this turn."""
        u = self.unit
        found = {h: (cost, line) for h, cost, line in entries(g, u)}
        action = yield Options((("at", h) for h in found), STAY_OUT, guard=lambda a: self._why_not(g, a))
        if action == STAY_OUT:
            g.set_status(u, MOVED)
            return DONE
        cost, line = found[action[1]]
        return self._arrive(g, action[1], cost, line)

    def _why_not(self, g: Board, action: Action) -> Refusal | None:
        if action[0] != "at":
            return None
        if enemy_zone(g, self.side) >> action[1] & 1:
            return Refusal("15.2", "a reinforcement never enters a zone of control as its first hex")
        return Refusal("15.1", f"{g.name(self.unit)} does not enter at {g.hex_name(action[1])}")

    def _arrive(self, g: Board, h: Hex, cost: int, line: int) -> Out:
        u, side = self.unit, self.side
        returns = bool(g.due[u])
        if g.steps[u] == 0:
            g.steps[u] = g.forces.full_steps[u]
        g.due[u] = 0
        g.queue[h] += 1
        g.supply[u] = ATTACK
        g.move(u, h)
        g.control_hex(h, side)
        g.set_status(u, LEFT, False)
        g.tell(f"{g.name(u)} enters at {g.hex_name(h)}", "15.1", unit=g.name(u), hex=g.hex_name(h))
        if returns:
            if side == SOVIET:
                g.set_status(u, MOVED)
                return DONE
        else:
            g.entered[line] += 1
            g.set_status(u, ENTERED | (ACTIVE if side == SOVIET else 0))
            if side == SOVIET and g.forces.hq[u]:
                entering_hq(g, u)
        left = allowance(g, u).total * HALF - cost
        if enemy_zone(g, side) >> h & 1 or left <= 0:
            g.set_status(u, MOVED)
            return DONE
        return Move(side, u, left, first=False)
