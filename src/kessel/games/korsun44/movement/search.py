"""9.0, 10.2-10.4 Where units can go: the search that knows zones.

A party is one unit or a stack that moves together. Each unit pays by its own class, none may spend more than the unit
with the lowest allowance (9.9.4), so that a way is legal if every class of the party can pay it: labels are vectors
of what each class has spent, and a hex keeps those that no other one betters.
"""

from __future__ import annotations

import heapq
import operator
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from kessel.core.breakdown import Refusal
from kessel.core.facts import NOW, fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Direction, Hex, Hexside
from kessel.core.hexset import bits, mask, within
from kessel.core.paths import ALL, Reach
from kessel.games.korsun44.board import GOING, Board
from kessel.games.korsun44.data.forces import GERMAN, PARTISANS, SOVIET
from kessel.games.korsun44.movement.costs import (
    STRATEGIC,
    Kind,
    Prices,
    crosses_river,
    fords_of,
    kind_of,
    prices,
    prices_with,
    zone_costs,
)
from kessel.games.korsun44.movement.zones import river_zoc_of, zoc_of, zone_classes, zone_of
from kessel.games.korsun44.units.strength import has_star

Spent = tuple[int, ...]
"""Parts of a Movement Point by kind of the party."""


class Party(NamedTuple):
    """Units in one hex that move together."""

    side: Side
    units: tuple[Unit, ...]
    mode: int
    left: int
    """Parts of a Movement Point each may still spend."""
    spent: tuple[int, ...]
    """What each unit has spent."""
    first: bool
    """They have not left their hex yet."""


class Step(NamedTuple):
    """What one step costs each kind, and what it does."""

    cost: Spent
    ends: bool
    """The move ends with it."""
    from_zoc_to_zoc: bool
    whole: bool = False
    """9.2.1.1 It takes the whole allowance."""


class Way(Reach):
    """Where a party can go; `spent_at` by kind."""

    def __init__(self, start: Hex, kinds: tuple[Kind, ...]) -> None:
        self.start, self.kinds = start, kinds
        self.over = {}
        self.spent_at: dict[Hex, Spent] = {}
        self.came: Mapping[Hex, tuple[Hex, ...]] = {}

    def finish(self, ends: Bits) -> None:
        self.ends = ends
        self.cost = {self.start: 0, **{h: max(s) for h, s in self.spent_at.items()}}
        self.hexes = bits(self.spent_at)

    def path(self, h: Hex) -> tuple[Hex, ...]:
        return self.came.get(h, ())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Way) and (self.spent_at, self.came) == (other.spent_at, other.came)


def charged(party: Party, cost: int) -> int:
    """9.9.2 What a way takes of the allowance: the one hex a unit may always enter takes no more than all of it."""
    return min(cost, party.left)


def kinds_of(g: Board, party: Party) -> tuple[Kind, ...]:
    return tuple(dict.fromkeys(kind_of(g, u, party.mode) for u in party.units))


def budgets_of(g: Board, party: Party, kinds: tuple[Kind, ...]) -> Spent:
    """What each kind has left: the least of its units."""
    found = [party.left] * len(kinds)
    for u, spent in zip(party.units, party.spent, strict=True):
        k = kinds.index(kind_of(g, u, party.mode))
        found[k] = min(found[k], party.left - spent)
    return tuple(found)


# --- 10.3 ZOC to ZOC -----------------------------------------------------------------------------------------------


def ignores_zones(g: Board, party: Party) -> bool:
    """18.1.2 Partisans do."""
    return all(g.forces.role[u] == PARTISANS for u in party.units)


def why_not_zoc_to_zoc(g: Board, u: Unit, units: tuple[Unit, ...]) -> Refusal | None:
    """10.3 Why a unit of a party may not go from one enemy ZOC into another; None if it may."""
    f = g.forces
    if f.side[u] == GERMAN:
        if f.armor[u] or (f.infantry_type[u] and f.attacks[u]):
            return None
        return Refusal("10.3.2", f"{g.name(u)} may not move from ZOC to ZOC: only armor and infantry may")
    if has_star(g, u):
        return None
    brigade = any(has_star(g, v) and f.corps[v] == f.corps[u] and f.army[v] == f.army[u] for v in units)
    if brigade and (g.charts.types[f.type[u]].zoc_pair and not f.star[u]):
        return None
    if f.type[u] == "cavalry" and any(f.stays_with[v] == u for v in units):
        return None
    if f.stays_with[u] in units and f.type[f.stays_with[u]] == "cavalry":
        return None
    return Refusal("10.3.1", f"{g.name(u)} may not move from ZOC to ZOC and halts where it enters one")


def all_may_zoc_to_zoc(g: Board, units: tuple[Unit, ...]) -> bool:
    return all(why_not_zoc_to_zoc(g, u, units) is None for u in units)


def needs_regroup(g: Board, u: Unit, units: tuple[Unit, ...]) -> bool:
    """10.3.2 Germans that need a Regroup marker after ZOC-to-ZOC movement: infantry, but for that of a panzer
    division with armor in its stack."""
    f = g.forces
    if f.side[u] == SOVIET or f.armor[u]:
        return False
    panzer = f.division[u] in g.charts.game.formations.panzer_divisions
    with_armor = any(f.armor[v] for v in units)
    return not (panzer and with_armor and g.charts.types[f.type[u]].zoc_pair)


# --- single steps --------------------------------------------------------------------------------------------------


class Rules(NamedTuple):
    """All of a position that steps of one party depend on."""

    kinds: tuple[Kind, ...]
    tables: tuple[Prices, ...]
    zone_costs: tuple[tuple[int, int, int, int], ...]
    open: Bits
    zoc: Bits
    zone: Bits
    river_zoc: Bits
    may_zz: bool
    halts: bool
    mines: bool
    ignores: bool


def rules_of(g: Board, party: Party) -> Rules:
    enemy = 1 - party.side
    kinds = kinds_of(g, party)
    strategic = party.mode == STRATEGIC
    tables = tuple(prices(g, party.side, k, strategic) for k in kinds)
    free = g.playable & ~g.hexes_of(enemy)
    if strategic:
        free &= ~within(g.map.grid, g.hexes_of(enemy), g.charts.constants.strategic_distance - 1)
    if any(g.forces.role[u] == PARTISANS for u in party.units):
        free &= g.ground.woods | g.ground.forest
    ignores = ignores_zones(g, party)
    zoc, zone, river = (0, 0, 0) if ignores else (zoc_of(g, enemy), zone_of(g, enemy), river_zoc_of(g, enemy))
    may = all_may_zoc_to_zoc(g, party.units)
    halts = party.side == SOVIET and not may
    mines = party.side == GERMAN and g.has_mines()
    costs = tuple(zone_costs(g, k[0]) for k in kinds)
    return Rules(kinds, tables, costs, free, zoc, zone, river, may, halts, mines, ignores)


def is_held(g: Board, r: Rules, start: Hex) -> bool:
    """10.3.1 Whether a party that halts in a ZOC may not even leave one, as the switch zoc_halt reads it."""
    return r.halts and bool(r.zoc >> start & 1) and g.reads("zoc_halt") == "always"


def step_of(g: Board, party: Party, r: Rules, a: Hex, d: Direction, b: Hex, *, first: bool) -> Step | Refusal:
    """The step from a to b: its cost for each kind with zones, or the rule that forbids it."""
    if not r.open >> b & 1:
        return _why_closed(g, party, b)
    priced = []
    for table in r.tables:
        cost = table.step(a, d)
        if isinstance(cost, Refusal):
            return cost
        priced.append(cost)
    whole = ALL in priced
    if whole and (not first or party.mode == STRATEGIC):
        return Refusal("9.2.1.1", "an unbridged river takes the whole allowance, from a hex next to it")
    if first and is_held(g, r, a):
        return next(why for u in party.units if (why := why_not_zoc_to_zoc(g, u, party.units)))
    leaves_zoc = bool(r.zoc >> a & 1) or (crosses_river(g, a, d) and bool(r.river_zoc >> a & 1))
    enters_zoc = bool(r.zoc >> b & 1)
    if leaves_zoc and enters_zoc and not r.may_zz:
        return next(why for u in party.units if (why := why_not_zoc_to_zoc(g, u, party.units)))
    if r.mines and (mined := _mined(g, party, b, (d + 3) % 6)) is not None:
        return mined
    ends = whole or (r.halts and enters_zoc)
    if whole:
        return Step(tuple(priced), True, leaves_zoc and enters_zoc, whole=True)
    total = []
    for c, (enter_zoc, leave_zoc, enter_zoi, leave_zoi) in zip(priced, r.zone_costs, strict=True):
        c += leave_zoc if leaves_zoc else leave_zoi if r.zone >> a & 1 else 0
        c += enter_zoc if enters_zoc else enter_zoi if r.zone >> b & 1 else 0
        total.append(c)
    if r.mines and g.mined(b, (d + 3) % 6):
        return _through_mines(g, party, tuple(total), ends, leaves_zoc and enters_zoc)
    return Step(tuple(total), ends, leaves_zoc and enters_zoc)


def _why_closed(g: Board, party: Party, b: Hex) -> Refusal:
    if not g.playable >> b & 1:
        return Refusal("9.10.5", "units may not move off the map")
    if g.enemies_in(b, party.side):
        return Refusal("9.10.4", f"an enemy unit is in {g.hex_name(b)}")
    if party.mode == STRATEGIC:
        return Refusal("9.4.2", f"{g.hex_name(b)} is less than three hexes from an enemy unit")
    return Refusal("18.1.2", "partisans move into woods and forests only")


def _mined(g: Board, party: Party, b: Hex, d: Direction) -> Refusal | None:
    """15.3.2 Artillery, anti-air and anti-armor units do not cross a minefield hexside."""
    f = g.forces
    if g.mined(b, d) and any(f.artillery[u] or f.anti_armor[u] for u in party.units):
        return Refusal("15.3.2", "artillery, anti-air and anti-armor units may not cross a minefield hexside")
    return None


def _through_mines(g: Board, party: Party, cost: Spent, ends: bool, zz: bool) -> Step:
    """15.3.2 Armor pays three points more to go on; infantry and engineers halt."""
    armor_only = all(g.forces.armor[u] for u in party.units)
    more = g.charts.constants.mine_armor_cost * g.charts.constants.sixths if armor_only else 0
    return Step(tuple(c + more for c in cost), ends or not armor_only, zz)


# --- the search ----------------------------------------------------------------------------------------------------


@fact(NOW)
def ways_of(g: Board, party: Party) -> Way:
    """All hexes a party can get to from where it stands, with the cheapest way to each."""
    r = rules_of(g, party)
    if party.first and is_held(g, r, g.place[party.units[0]]):
        way = Way(g.place[party.units[0]], r.kinds)
        way.finish(0)
        return way
    if len(r.kinds) == 1 and not r.mines:
        return _ways_of_one_kind(g, party, r)
    if r.mines:
        return _ways_through_mines(g, party, r)
    return _ways_of_several_kinds(g, party, r)


def _ways_through_mines(g: Board, party: Party, r: Rules) -> Way:
    start = g.place[party.units[0]]
    budget = budgets_of(g, party, r.kinds)
    way = Way(start, r.kinds)
    came: dict[Hex, tuple[Hex, ...]] = {}
    way.came = came
    zero = (0,) * len(budget)
    best: dict[Hex, list[tuple[Spent, int]]] = {start: [(zero, 0)]}
    ends = 0
    heap: list[tuple[Spent, int, Hex, tuple[Hex, ...]]] = [(zero, 0, start, ())]
    stopped: set[tuple[Hex, Spent]] = set()
    while heap:
        spent, zz, h, path = heapq.heappop(heap)
        if h != start:
            if h not in way.spent_at:
                way.spent_at[h], came[h] = spent, path
                if (h, spent) in stopped:
                    ends |= 1 << h
            if (h, spent) in stopped:
                continue
        for n, step in _steps(g, party, r, h, first=party.first and h == start):
            total = budget if step.whole else tuple(a + b for a, b in zip(spent, step.cost, strict=True))
            over = any(t > b for t, b in zip(total, budget, strict=True))
            if over and not (party.first and h == start):
                continue
            if over:
                total = tuple(max(t, b) for t, b in zip(total, budget, strict=True))
            crossed = zz + step.from_zoc_to_zoc
            if any(_is_no_worse(known, total, crossed) for known in best.get(n, ())):
                continue
            best.setdefault(n, []).append((total, crossed))
            if step.ends or over:
                stopped.add((n, total))
            heapq.heappush(heap, (total, crossed, n, (*path, n)))
    way.finish(ends)
    return way


def _ways_of_several_kinds(g: Board, party: Party, r: Rules) -> Way:
    """The same search where no minefield matters."""
    start, budget = g.place[party.units[0]], budgets_of(g, party, r.kinds)
    table = _joint(g, fords_of(g, party.side), r.kinds, party.mode == STRATEGIC)
    free, zones = mask(g.map.grid, r.open), bytes(g.map.grid.size) if r.ignores else zone_classes(g, 1 - party.side)
    extra = tuple(
        tuple(tuple(map(operator.add, a, b)) for b in zip(*((0, c[2], c[0]) for c in r.zone_costs), strict=True))
        for a in zip(*((0, c[3], c[1]) for c in r.zone_costs), strict=True)
    )
    """What zones add, by the zone that is left and the one that is entered."""
    zero = (0,) * len(budget)
    best: dict[Hex, list[tuple[Spent, int]]] = {start: [(zero, 0)]}
    came: dict[Hex, tuple[Hex, ...]] = {}
    way, ends = Way(start, r.kinds), 0
    heap: list[tuple[Spent, int, Hex, tuple[Hex, ...]]] = [(zero, 0, start, ())]
    stopped: set[tuple[Hex, Spent]] = set()
    while heap:
        spent, crossed, h, path = heapq.heappop(heap)
        if h != start:
            if h not in way.spent_at:
                way.spent_at[h], came[h] = spent, path
                if (h, spent) in stopped:
                    ends |= 1 << h
            if (h, spent) in stopped:
                continue
        first = party.first and h == start
        for n, cost, swims, whole in table.moves(h):
            if not free[n] or (whole and (not first or party.mode == STRATEGIC)):
                continue
            leaves = 2 if zones[h] == 2 or (swims and r.river_zoc >> h & 1) else zones[h]
            over_zoc = leaves == 2 and zones[n] == 2
            if over_zoc and not r.may_zz:
                continue
            stops = whole or (r.halts and zones[n] == 2)
            total = (
                budget if whole else tuple(map(operator.add, map(operator.add, spent, cost), extra[leaves][zones[n]]))
            )
            if any(map(operator.gt, total, budget)):
                if not first:
                    continue
                total, stops = tuple(map(max, total, budget)), True
            known = best.get(n)
            if known is None:
                known = best[n] = []
            elif any(_is_no_worse(k, total, crossed + over_zoc) for k in known):
                continue
            known.append((total, crossed + over_zoc))
            if stops:
                stopped.add((n, total))
            heapq.heappush(heap, (total, crossed + over_zoc, n, (*path, n)))
    way.came = came
    way.finish(ends)
    return way


class Joint:
    """What steps cost several kinds together; those that one of them cannot make are left out."""

    def __init__(self, tables: tuple[Prices, ...]) -> None:
        self.tables = tables
        self._known: dict[Hex, tuple[tuple[Hex, Spent, bool, bool], ...]] = {}

    def moves(self, h: Hex) -> tuple[tuple[Hex, Spent, bool, bool], ...]:
        """Hex entered, prices, whether a river is crossed, whether it takes the whole allowance."""
        found = self._known.get(h)
        if found is None:
            first, *rest = ({n: (c, swims) for n, c, swims in t.moves(h)} for t in self.tables)
            some = [
                (n, (c, *(r[n][0] for r in rest)), swims)
                for n, (c, swims) in first.items()
                if all(n in r for r in rest)
            ]
            found = self._known[h] = tuple((n, c, swims, ALL in c) for n, c, swims in some)
        return found

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Joint) and self.tables == other.tables

    __hash__ = None  # type: ignore[assignment]


@fact(GOING)
def _joint(g: Board, fords: frozenset[Hexside], kinds: tuple[Kind, ...], strategic: bool) -> Joint:
    return Joint(tuple(prices_with(g, fords, k, strategic) for k in kinds))


CROSSINGS = 1 << 8
"""More than a move can go from ZOC to ZOC."""


def _ways_of_one_kind(g: Board, party: Party, r: Rules) -> Way:
    """The same search where all units pay alike and no minefield matters: what is spent is one number.

    A label is what was spent, how often the way went from ZOC to ZOC, and the hex, as one number: smaller is better.
    """
    start, (budget,), size = g.place[party.units[0]], budgets_of(g, party, r.kinds), g.map.grid.size
    (table,), ((enter_zoc, leave_zoc, enter_zoi, leave_zoi),) = r.tables, r.zone_costs
    free, zones = mask(g.map.grid, r.open), bytes(size) if r.ignores else zone_classes(g, 1 - party.side)
    entering, leaving = (0, enter_zoi, enter_zoc), (0, leave_zoi, leave_zoc)
    strategic, may_first = party.mode == STRATEGIC, party.first
    best: dict[Hex, int] = {start: 0}
    came: dict[int, int] = {}
    found: dict[Hex, int] = {}
    stopped: set[int] = set()
    ends = 0
    heap = [start]
    while heap:
        label = heapq.heappop(heap)
        key, h = divmod(label, size)
        if h != start:
            if h not in found:
                found[h] = label
                if label in stopped:
                    ends |= 1 << h
            if label in stopped:
                continue
        spent, crossed = divmod(key, CROSSINGS)
        first = may_first and h == start
        zone = zones[h]
        for n, cost, swims in table.moves(h):
            if not free[n]:
                continue
            leaves = zone == 2 or (swims and r.river_zoc >> h & 1)
            enters = zones[n]
            over_zoc = leaves and enters == 2
            if over_zoc and not r.may_zz:
                continue
            if cost == ALL:
                if not first or strategic:
                    continue
                total, stops = budget, True
            else:
                total = spent + cost + (leave_zoc if leaves else leaving[zone]) + entering[enters]
                stops = r.halts and enters == 2
                if total > budget:
                    if not first:
                        continue
                    stops = True
            after = total * CROSSINGS + crossed + over_zoc
            known = best.get(n)
            if known is not None and known <= after:
                continue
            best[n] = after
            new = after * size + n
            came[new] = label
            if stops:
                stopped.add(new)
            heapq.heappush(heap, new)
    return _way_of(start, r, Trail(start, found, came, size), ends)


def _way_of(start: Hex, r: Rules, trail: Trail, ends: Bits) -> Way:
    way = Way(start, r.kinds)
    way.spent_at = {h: (label // trail.size // CROSSINGS,) for h, label in trail.found.items()}
    way.came = trail
    way.finish(ends)
    return way


class Trail(Mapping[Hex, tuple[Hex, ...]]):
    """The way to each hex, put together when somebody asks for it."""

    __slots__ = ("came", "found", "size", "start")

    def __init__(self, start: Hex, found: dict[Hex, int], came: dict[int, int], size: int) -> None:
        self.start, self.found, self.came, self.size = start, found, came, size

    def __getitem__(self, h: Hex) -> tuple[Hex, ...]:
        label, path = self.found[h], [h]
        while (label := self.came[label]) != self.start:
            path.append(label % self.size)
        return tuple(reversed(path))

    def __iter__(self) -> Iterator[Hex]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)


def _is_no_worse(known: tuple[Spent, int], total: Spent, crossed: int) -> bool:
    """Whether a label known already is at least as good: as cheap for every kind, and of equals the one that goes
    less often from ZOC to ZOC."""
    spent, zz = known
    return all(x <= y for x, y in zip(spent, total, strict=True)) and (spent != total or zz <= crossed)


def _steps(g: Board, party: Party, r: Rules, h: Hex, *, first: bool) -> Iterator[tuple[Hex, Step]]:
    for d, n, _ in r.tables[0].steps(h):
        if r.open >> n & 1:
            step = step_of(g, party, r, h, d, n, first=first)
            if isinstance(step, Step):
                yield n, step
