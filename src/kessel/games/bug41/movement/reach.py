"""RX-7.3, PA-TEC, PA-road: what a step costs, and where a unit or stack can go.

A stack goes one way together; leg and motorized units pay their own costs from their own allowances, so a way has a
price for each class. Costs are halves of a movement point.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple, TypeAlias

from kessel.core.breakdown import Breakdown, Refusal
from kessel.core.facts import NOW, fact
from kessel.core.forces import Unit
from kessel.core.hexes import Bits, Direction, Hex
from kessel.core.hexset import bits
from kessel.games.bug41.board import Board
from kessel.games.bug41.data.charts import HALF
from kessel.games.bug41.data.forces import GERMAN
from kessel.games.bug41.data.terrain import NO_ENTRY, Steps, dearer
from kessel.games.bug41.movement.flood import Flood
from kessel.games.bug41.movement.pillboxes import cheap_pillboxes, has_pillbox_cost
from kessel.games.bug41.movement.stacking import fits, full_for
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


SLOWEST = -1
"""Who pays where leg and motorized units are read to pay alike: the dearer of both."""


def payers_of(g: Board, units: Sequence[Unit]) -> tuple[int, ...]:
    """The classes in a group, each of which pays for itself."""
    found = tuple(sorted({g.forces.motorized[u] for u in units}))
    return (SLOWEST,) if len(found) > 1 and g.reads("mixed_stacks") == "slowest" else found


def allowance(g: Board, u: Unit, *, bonus: bool = False) -> Breakdown:
    """The movement points of a unit; PA-TEC.leg2: leg units have more while they stay away from enemies."""
    found = Breakdown("movement points").add("printed", g.forces.ma[u], "PA-AP.move")
    if bonus and not g.forces.motorized[u]:
        found.add("a leg unit away from enemies", g.numbers.movement.leg_bonus, "PA-TEC.leg2")
    return found


def budgets(g: Board, units: Sequence[Unit], *, bonus: bool) -> Spent:
    """RX-7.3.1 The halves each class of a group may spend: the least `allowance` among its units."""
    ma, motorized, more = g.forces.ma, g.forces.motorized, g.numbers.movement.leg_bonus if bonus else 0
    found = {}
    for kind in payers_of(g, units):
        some = [ma[u] + (0 if motorized[u] else more) for u in units if kind in (SLOWEST, motorized[u])]
        found[kind] = min(some) * HALF
    return tuple(found.values())


def has_road_rate(g: Board, units: Sequence[Unit], h: Hex, d: Direction) -> bool:
    """PA-road.3 The rate of a road or railway is not to be had into or out of an enemy zone."""
    zones = zone_of(g, other(g.forces.side[units[0]]))
    return not (zones >> h | zones >> g.map.grid.neighbours[h][d]) & 1


def step_prices(g: Board, units: Sequence[Unit], h: Hex, d: Direction, boats: int) -> Spent:
    """What a step costs each class; NO_ENTRY or ALL_POINTS among them. The boats left carry leg units over the Bug."""
    leg = sum(not g.forces.motorized[u] for u in units)
    if leg == len(units) <= boats and is_boat_step(g, h, d) and g.forces.side[units[0]] == GERMAN:
        pillbox = has_pillbox_cost(g, g.map.grid.neighbours[h][d])
        return (g.ground.step_price(h, d, motorized=False, pillbox=pillbox, boat=True),)
    zone = zone_of(g, other(g.forces.side[units[0]]))
    step = next(s for s in g.ground.steps[h] if s.direction == d)
    return _prices(g, step, bool((zone >> h | zone >> step.to) & 1), payers_of(g, units))


def _prices(g: Board, step: Steps, in_zone: bool, payers: tuple[int, ...]) -> Spent:
    found = step.links
    if found is None or in_zone:
        found = step.prices
        if step.with_pillbox != found and has_pillbox_cost(g, step.to):
            found = step.with_pillbox
    if len(payers) == 1 and payers[0] >= 0:
        return (found[payers[0]],)
    if payers == (SLOWEST,):
        return (dearer(found),)
    return found


def is_boat_step(g: Board, h: Hex, d: Direction) -> bool:
    """PA-TEC.e1 Whether a step goes over the Bug where there is no bridge."""
    return bool(g.ground.open_bug[d] >> h & 1)


def has_marsh_check(g: Board, u: Unit, h: Hex, d: Direction) -> bool:
    """PA-TEC.a AFV units check when they enter marsh not along a road or railway."""
    if not g.forces.afv[u] or not g.ground.marsh >> g.map.grid.neighbours[h][d] & 1:
        return False
    if g.ground.link_price(h, d, motorized=True) is None:
        return True
    return g.reads("marsh_on_road") == "check" and not has_road_rate(g, (u,), h, d)


class Run:
    """What a search for a mixed stack found: the least spent in each hex, where ways came from, where they ended."""

    def __init__(self, start: Hex) -> None:
        self.start = start
        self.spent: dict[Hex, Spent] = {}
        self.came: dict[tuple[Hex, Spent], tuple[Hex, Spent]] = {}
        self.whole: Bits = 0
        """Hexes entered by a step that took all points."""

    @cached_property
    def hexes(self) -> Bits:
        return bits(self.spent)

    @cached_property
    def beside(self) -> Bits:
        """The hexes to which the first step is the cheapest way."""
        return bits(h for h, spent in self.spent.items() if self.came[h, spent][0] == self.start)

    def spent_in(self, h: Hex) -> Spent:
        return self.spent[h]

    def path(self, h: Hex) -> tuple[Hex, ...]:
        """The way, first hex entered first."""
        found, at = [h], (h, self.spent[h])
        while (at := self.came[at])[0] != self.start:
            found.append(at[0])
        return tuple(reversed(found))


class Ways:
    """Where a group can get to, at what cost, by which way: within its allowance, else with the bonus of leg units."""

    def __init__(self, start: Hex, zone: Bits, usual: Run | Flood, away: Run | Flood | None) -> None:
        self.start, self.zone, self._usual, self._away = start, zone, usual, away
        self.usual: Bits = usual.hexes
        """Hexes within the printed allowance."""
        self.hexes: Bits = usual.hexes | (0 if away is None else away.hexes)

    @cached_property
    def spent(self) -> dict[Hex, Spent]:
        return {**({} if self._away is None else self._away.spent), **self._usual.spent}

    @cached_property
    def cost(self) -> dict[Hex, int]:
        """The halves the class pays that pays most."""
        return {h: max(s) for h, s in self.spent.items()}

    def __eq__(self, found: object) -> bool:
        return isinstance(found, Ways) and (self.start, self.spent) == (found.start, found.spent)

    __hash__ = None  # type: ignore[assignment]

    def _run(self, h: Hex) -> Run | Flood:
        return self._usual if self._away is None or self.usual >> h & 1 else self._away

    def has_bonus(self, h: Hex) -> bool:
        """Whether only leg units away from enemies get there."""
        return not self.usual >> h & 1

    def stops(self, h: Hex) -> bool:
        """Whether the move ends there: an enemy zone, or a step that takes all points."""
        return bool((self.zone | self._run(h).whole) >> h & 1)

    def path(self, h: Hex) -> tuple[Hex, ...]:
        """The way, first hex entered first."""
        return self._run(h).path(h)

    def spent_in(self, h: Hex) -> Spent:
        """What the way to a hex costs each class."""
        return self._run(h).spent_in(h)

    @cached_property
    def steps(self) -> Bits:
        """The hexes that can be entered next to go on from: no other way is cheaper, and no move ends there."""
        usual, away = self._usual, self._away
        found = usual.beside & ~usual.whole
        if away is not None:
            found |= away.beside & ~away.whole & ~self.usual
        return found & ~self.zone


@fact(NOW)
def ways_of(g: Board, group: Group) -> Ways:
    """RX-7.3.2, RX-5.3 All hexes the group can enter with what it has left, whether or not it may end there."""
    units = group.units
    enemy = other(g.forces.side[units[0]])
    start, near, zone = g.place[units[0]], near_units(g, enemy), zone_of(g, enemy)
    free = g.map.grid.all & ~g.hexes_with_combat_units(enemy)
    may = free & ~_full(g, units, zone & free)
    away = None
    if not group.near and not near >> start & 1 and not all(g.forces.motorized[u] for u in units):
        away = _search(g, group, zone, may & ~near, budgets(g, units, bonus=True), away=True)
    return Ways(start, zone, _search(g, group, zone, may, budgets(g, units, bonus=False), away=False), away)


def _full(g: Board, units: Sequence[Unit], stops: Bits) -> Bits:
    """Those of the hexes in which a group must stop that have no room for it."""
    return stops & full_for(g, units) & ~(1 << g.place[units[0]])


def _has_room(g: Board, h: Hex, units: Sequence[Unit]) -> bool:
    return g.place[units[0]] == h or fits(g, h, units)


def _bogs(g: Board, units: Sequence[Unit], may: Bits) -> Bits:
    """Marsh without room, which an AFV unit enters only where it needs no check: one that fails stays there."""
    return _full(g, units, g.ground.marsh & may) if any(g.forces.afv[u] for u in units) else 0


def _search(g: Board, group: Group, zone: Bits, may: Bits, most: Spent, *, away: bool) -> Run | Flood:
    """Cheapest ways first.

    `away`: within the greater allowance of leg units that keep away from enemies; steps that take all points and the
    one-hex minimum belong to the printed allowance.
    """
    payers = payers_of(g, group.units)
    if len(payers) > 1:
        return _search_for_two(g, group, zone, may, most, away=away)
    start, bogs, cheap = g.place[group.units[0]], _bogs(g, group.units, may), cheap_pillboxes(g)
    found = Flood(g.ground, payers[0], start, zone, may, cheap)
    begun = group.spent[0] if group.spent else 0
    first = _first_steps(g, group, payers[0], zone, may, bogs, cheap)
    return found.go(begun, most[0], bogs, first, minimum=group.first and not away)


def _first_steps(
    g: Board, group: Group, payer: int, zone: Bits, may: Bits, bogs: Bits, cheap: Bits
) -> list[tuple[Hex, int]]:
    """The hexes next to a group that it may enter, and what each costs; boats may carry it."""
    start = g.place[group.units[0]]
    in_zone, bug, near = zone >> start & 1, _boat_sides(g, group, start), g.map.grid.near[start]
    may, zone, bogs = may & near, zone & near, bogs & near
    if in_zone:
        may &= ~zone
    found = []
    for n, d, price, plain, boxed in g.ground.priced_steps(payer).out[start]:
        if not may >> n & 1:
            continue
        if bogs and bogs >> n & 1 and _checks(g, group.units, start, d):
            continue
        if bug >> d & 1:
            price = step_prices(g, group.units, start, d, group.boats)[0]
        elif price is None or in_zone or (zone and zone >> n & 1):
            price = plain if cheap >> n & 1 else boxed
        if price != NO_ENTRY:
            found.append((n, price))
    return found


def _boat_sides(g: Board, group: Group, h: Hex) -> int:
    """The directions in which boats may carry a group, as bits."""
    if not group.first or not group.boats:
        return 0
    return bits(d for d in range(6) if is_boat_step(g, h, d))


def _checks(g: Board, units: Sequence[Unit], h: Hex, d: Direction) -> bool:
    return any(has_marsh_check(g, u, h, d) for u in units)


def _search_for_two(g: Board, group: Group, zone: Bits, may: Bits, most: Spent, *, away: bool) -> Run:
    """Both classes pay: a way stays only if no other one to the hex is as cheap for each of them."""
    start, zones, open_ = g.place[group.units[0]], g.map.mask(zone), g.map.mask(may & ~(1 << g.place[group.units[0]]))
    steps, bogs, cheap = g.ground.steps, _bogs(g, group.units, may), cheap_pillboxes(g)
    begun = group.spent or (0,) * len(most)
    found = Run(start)
    kept: dict[Hex, list[Spent]] = {start: [begun]}
    heap = [(sum(begun), start, begun, False)] if _covers(begun, most) else []
    while heap:
        _, h, so_far, ended = heapq.heappop(heap)
        if so_far not in kept[h]:
            continue
        if h != start and h not in found.spent:
            found.spent[h] = so_far
            if ended:
                found.whole |= 1 << h
        here = zones[h]
        if ended or (h != start and here):
            continue
        (x, y), minimum = so_far, h == start and group.first and not away
        for n, d, links, plain, boxed in steps[h]:
            if not open_[n]:
                continue
            if links is None or here or zones[n]:
                if here and zones[n]:
                    continue
                links = boxed if plain is boxed or not cheap >> n & 1 else plain
            a, b = links
            after: Spent = (x + a, y + b)
            whole = a < 0 or b < 0 or after[0] > most[0] or after[1] > most[1]
            if whole:
                if not minimum or NO_ENTRY in links:
                    continue
                after = most
            if bogs and bogs >> n & 1 and _checks(g, group.units, h, d):
                continue
            if _is_new(kept, n, after):
                found.came[n, after] = (h, so_far)
                heapq.heappush(heap, (after[0] + after[1], n, after, whole))
    return found


def _is_new(kept: dict[Hex, list[Spent]], h: Hex, spent: Spent) -> bool:
    """Whether no way known is as cheap for each class; then this one takes the place of dearer ones."""
    known, (a, b) = kept.get(h), spent
    if known is None:
        kept[h] = [spent]
        return True
    for x, y in known:
        if x <= a and y <= b:
            return False
    kept[h] = [one for one in known if one[0] < a or one[1] < b]
    kept[h].append(spent)
    return True


def _covers(a: Spent, b: Spent) -> bool:
    return a[0] <= b[0] and a[1] <= b[1]


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
