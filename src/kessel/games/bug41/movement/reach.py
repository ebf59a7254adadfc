"""RX-7.3, PA-TEC, PA-road: what a step costs, and where a unit or stack can go.

A stack goes one way together; leg and motorized units pay their own costs from their own allowances, so a way has a
price for each class. Costs are halves of a movement point.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from kessel.core.breakdown import Breakdown, Refusal
from kessel.core.facts import NOW, fact
from kessel.core.forces import Unit
from kessel.core.hexes import NO_HEX, Bits, Direction, Hex
from kessel.core.hexset import bits, members
from kessel.games.bug41.board import Board
from kessel.games.bug41.data.charts import HALF
from kessel.games.bug41.data.forces import GERMAN, LEG, MOTORIZED
from kessel.games.bug41.data.terrain import ALL_POINTS, NO_ENTRY
from kessel.games.bug41.movement.pillboxes import has_pillbox_cost
from kessel.games.bug41.movement.stacking import fits
from kessel.games.bug41.movement.zones import near_units, zone_of
from kessel.wargame.board import other

Spent: TypeAlias = tuple[int, ...]
"""Halves of a movement point, by class of the group."""


class Group(NamedTuple):
    """Units that move together, and what they have done so far in this Action."""

    units: tuple[Unit, ...]
    spent: Spent = ()
    near: bool = False
    """Whether the way so far came next to an enemy, its start included."""
    first: bool = True
    """Whether nothing has been entered yet."""
    boats: int = 0


def kinds_of(g: Board, units: Sequence[Unit]) -> tuple[int, ...]:
    """The classes in a group, each of which pays for itself; one where all pay as the slowest."""
    found = tuple(sorted({g.forces.motorized[u] for u in units}))
    return found[-1:] if g.reads("mixed_stacks") == "slowest" else found


def allowance(g: Board, u: Unit, *, bonus: bool = False) -> Breakdown:
    """The movement points of a unit; PA-TEC.leg2: leg units have more while they stay away from enemies."""
    found = Breakdown("movement points").add("printed", g.forces.ma[u], "PA-AP.move")
    if bonus and not g.forces.motorized[u]:
        found.add("a leg unit away from enemies", g.numbers.movement.leg_bonus, "PA-TEC.leg2")
    return found


def budgets(g: Board, units: Sequence[Unit], *, bonus: bool) -> Spent:
    """RX-7.3.1 The halves each class of a group may spend: the least allowance among its units."""
    if g.reads("mixed_stacks") == "slowest":
        return (min(allowance(g, u, bonus=bonus).total for u in units) * HALF,)
    by_kind = ([u for u in units if g.forces.motorized[u] == kind] for kind in kinds_of(g, units))
    return tuple(min(allowance(g, u, bonus=bonus).total for u in some) * HALF for some in by_kind)


def has_road_rate(g: Board, units: Sequence[Unit], h: Hex, d: Direction) -> bool:
    """PA-road.3 The rate of a road or railway is not to be had into or out of an enemy zone."""
    zones = zone_of(g, other(g.forces.side[units[0]]))
    return not (zones >> h | zones >> g.map.grid.neighbours[h][d]) & 1


def step_prices(g: Board, units: Sequence[Unit], h: Hex, d: Direction, boats: int) -> Spent:
    """What a step costs each class; NO_ENTRY or ALL_POINTS among them. The boats left carry leg units over the Bug."""
    n = g.map.grid.neighbours[h][d]
    rate = has_road_rate(g, units, h, d)
    pillbox = has_pillbox_cost(g, n)
    leg = [u for u in units if not g.forces.motorized[u]]
    boat = len(leg) == len(units) <= boats and g.forces.side[units[0]] == GERMAN
    found = []
    for kind in (LEG, MOTORIZED):
        link = g.ground.link_price(h, d, motorized=bool(kind)) if rate else None
        off = g.ground.step_price(h, d, motorized=bool(kind), pillbox=pillbox, boat=boat)
        found.append(off if link is None else link)
    if g.reads("mixed_stacks") == "slowest" and leg and len(leg) < len(units):
        worst = next((p for p in (NO_ENTRY, ALL_POINTS) if p in found), max(found))
        return (worst,)
    return tuple(found[kind] for kind in kinds_of(g, units))


def is_boat_step(g: Board, h: Hex, d: Direction) -> bool:
    """PA-TEC.e1 Whether a step goes over the Bug where there is no bridge."""
    return bool(g.ground.bug[d] & ~g.ground.bridged_bug[d] & 1 << h)


def has_marsh_check(g: Board, u: Unit, h: Hex, d: Direction) -> bool:
    """PA-TEC.a AFV units check when they enter marsh not along a road or railway."""
    if not g.forces.afv[u] or not g.ground.marsh >> g.map.grid.neighbours[h][d] & 1:
        return False
    if g.ground.link_price(h, d, motorized=True) is None:
        return True
    return g.reads("marsh_on_road") == "check" and not has_road_rate(g, (u,), h, d)


class Run(NamedTuple):
    """What one search found: the least spent in each hex, where each way came from, hexes that took all points."""

    spent: dict[Hex, Spent]
    came: dict[tuple[Hex, Spent], tuple[Hex, Spent]]
    whole: set[Hex]


class Ways:
    """Where a group can get to, at what cost, by which way: within its allowance, else with the bonus of leg units."""

    def __init__(self, start: Hex, zone: Bits, usual: Run, away: Run) -> None:
        self.start, self.zone, self._usual, self._away = start, zone, usual, away
        self.spent = {**away.spent, **usual.spent}
        self.hexes: Bits = bits(self.spent)
        self.cost = {start: 0, **{h: max(s) for h, s in self.spent.items()}}
        """The halves the class pays that pays most."""

    def __eq__(self, found: object) -> bool:
        return isinstance(found, Ways) and (self.start, self.spent) == (found.start, found.spent)

    __hash__ = None  # type: ignore[assignment]

    def _run(self, h: Hex) -> Run:
        return self._usual if h in self._usual.spent else self._away

    def has_bonus(self, h: Hex) -> bool:
        """Whether only leg units away from enemies get there."""
        return h not in self._usual.spent

    def stops(self, h: Hex) -> bool:
        """Whether the move ends there: an enemy zone, or a step that takes all points."""
        return bool(self.zone >> h & 1) or h in self._run(h).whole

    def path(self, h: Hex) -> tuple[Hex, ...]:
        """The way, first hex entered first."""
        came = self._run(h).came
        found, at = [h], (h, self.spent[h])
        while (at := came[at])[0] != self.start:
            found.append(at[0])
        return tuple(reversed(found))


@fact(NOW)
def ways_of(g: Board, group: Group) -> Ways:
    """RX-7.3.2, RX-5.3 All hexes the group can enter with what it has left, whether or not it may end there."""
    units = group.units
    enemy = other(g.forces.side[units[0]])
    start, near, zone = g.place[units[0]], near_units(g, enemy), zone_of(g, enemy)
    may = _enterable(g, units, zone)
    away = Run({}, {}, set())
    if not group.near and not near >> start & 1 and not all(g.forces.motorized[u] for u in units):
        away = _search(g, group, zone, may & ~near, budgets(g, units, bonus=True), away=True)
    return Ways(start, zone, _search(g, group, zone, may, budgets(g, units, bonus=False), away=False), away)


def _enterable(g: Board, units: Sequence[Unit], zone: Bits) -> Bits:
    """No enemy combat unit, and room wherever the group must stop: in a zone, in marsh that checks AFV units."""
    side = g.forces.side[units[0]]
    free = g.map.grid.all & ~g.hexes_with_combat_units(other(side))
    stops = zone | (g.ground.marsh if any(g.forces.afv[u] for u in units) else 0)
    full = bits(h for h in members(stops & g.hexes_of(side) & free) if not _has_room(g, h, units))
    return free & ~full


def _has_room(g: Board, h: Hex, units: Sequence[Unit]) -> bool:
    return g.place[units[0]] == h or fits(g, h, units)


def _search(g: Board, group: Group, zone: Bits, may: Bits, most: Spent, *, away: bool) -> Run:
    """Cheapest ways first; a way stays only if no other one to the hex is as cheap for every class.

    `away`: within the greater allowance of leg units that keep away from enemies; steps that take all points and the
    one-hex minimum belong to the printed allowance.
    """
    units, neighbours, start = group.units, g.map.grid.neighbours, g.place[group.units[0]]
    begun = group.spent or (0,) * len(most)
    found = Run({}, {}, set())
    kept: dict[Hex, list[Spent]] = {start: [begun]}
    heap = [(sum(begun), start, begun, False)] if _covers(begun, most) else []
    while heap:
        _, h, so_far, ended = heapq.heappop(heap)
        if so_far not in kept[h]:
            continue
        if h != start and h not in found.spent:
            found.spent[h] = so_far
            if ended:
                found.whole.add(h)
        if ended or (h != start and zone >> h & 1):
            continue
        for d, n in enumerate(neighbours[h]):
            if n in (NO_HEX, start) or not may >> n & 1 or (h == start and zone >> h & zone >> n & 1):
                continue
            first = h == start and group.first
            after = _paid(so_far, step_prices(g, units, h, d, group.boats * first), most, minimum=first and not away)
            if after is None or any(_covers(s, after[0]) for s in kept.get(n, ())):
                continue
            kept[n] = [s for s in kept.get(n, ()) if not _covers(after[0], s)] + [after[0]]
            found.came[n, after[0]] = (h, so_far)
            heapq.heappush(heap, (sum(after[0]), n, *after))
    return found


def _paid(so_far: Spent, prices: Spent, most: Spent, *, minimum: bool) -> tuple[Spent, bool] | None:
    """What is spent after a step, and whether it took all; None if it cannot be paid."""
    if NO_ENTRY in prices:
        return None
    after = tuple(s + p for s, p in zip(so_far, prices, strict=True))
    if ALL_POINTS not in prices and all(a <= m for a, m in zip(after, most, strict=True)):
        return after, False
    return (most, True) if minimum else None


def _covers(a: Spent, b: Spent) -> bool:
    return all(x <= y for x, y in zip(a, b, strict=True))


def why_no_way(g: Board, group: Group, h: Hex) -> Refusal:
    """Why a hex cannot be reached, as far as one reason tells it."""
    units, grid = group.units, g.map.grid
    side, start = g.forces.side[units[0]], g.place[units[0]]
    here, who = g.hex_name(h), g.name(units[0]) if len(units) == 1 else "the stack"
    if h == start:
        return Refusal("RX-7.3.1", f"{who} stands in {here}")
    if g.hexes_with_combat_units(other(side)) >> h & 1:
        return Refusal("RX-7.3.6", f"enemy combat units are in {here}")
    zone = zone_of(g, other(side))
    if zone >> h & 1 and not _has_room(g, h, units):
        return Refusal("RX-5.3", f"{who} would have to stop in {here}, which has no room")
    if grid.adjacent(start, h):
        d = grid.direction(start, h)
        if zone >> start & zone >> h & 1:
            return Refusal("PA-infil.1", f"from one enemy zone straight into another {who} can only infiltrate")
        if NO_ENTRY in step_prices(g, units, start, d, group.boats if group.first else 0):
            rule = "PA-TEC.lake.move" if g.ground.lake[d] >> start & 1 else "PA-TEC.bug.move"
            return Refusal(rule, f"{who} cannot cross the water between {g.hex_name(start)} and {here}")
    return Refusal("RX-7.3.2", f"{who} has not the movement points to get to {here}")
