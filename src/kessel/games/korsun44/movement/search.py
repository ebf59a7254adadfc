"""9.0, 10.2-10.4 Where units can go: the search that knows zones.

A party is one unit or a stack that moves together. Each unit pays by its own class, none may spend more than the unit
with the lowest allowance (9.9.4), so that a way is legal if every class of the party can pay it: labels are vectors
of what each class has spent, and a hex keeps those that no other one betters.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping
from functools import cached_property
from operator import itemgetter
from typing import Any, NamedTuple

from kessel.core.breakdown import Refusal
from kessel.core.facts import NOW, fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import NO_HEX, Bits, Direction, Hex, Hexside
from kessel.core.hexset import bits, mask, spread, within
from kessel.core.paths import ALL, Reach
from kessel.games.korsun44.board import MINES, RULES, WORKS, Board
from kessel.games.korsun44.data.charts import MOTORIZED
from kessel.games.korsun44.data.forces import GERMAN, PARTISANS, SOVIET
from kessel.games.korsun44.movement.costs import (
    STRATEGIC,
    Kind,
    Prices,
    crosses_river,
    fords_of,
    kind_of,
    prices_with,
    zone_costs,
)
from kessel.games.korsun44.movement.labels import CROSSINGS, Labels, Spent, Trail
from kessel.games.korsun44.movement.stacking import why_not_together
from kessel.games.korsun44.movement.zones import river_zoc_of, zoc_of, zone_classes, zone_of
from kessel.games.korsun44.units.strength import has_star


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
    onward: int = 0
    """15.3.2 What each unit must pay to go on after it."""


Joint = tuple[Hex, Step, int]
"""A hex entered by several kinds together, the step, and its cost packed into one number."""


class Way(Reach):
    """Where a party can go; `spent_at` by kind."""

    def __init__(
        self, start: Hex, kinds: tuple[Kind, ...], spent: Mapping[Hex, Spent], came: Mapping[Hex, tuple[Hex, ...]],
        ends: Bits,
    ) -> None:  # fmt: skip
        self.start, self.kinds, self.ends = start, kinds, ends
        self.spent_at, self.came = spent, came
        self.over = {}

    @cached_property
    def hexes(self) -> Bits:
        return bits(self.spent_at)

    @cached_property
    def cost(self) -> dict[Hex, int]:
        return {self.start: 0, **{h: max(s) for h, s in self.spent_at.items()}}

    def path(self, h: Hex) -> tuple[Hex, ...]:
        return self.came.get(h, ())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Way) and (self.spent_at, self.came) == (other.spent_at, other.came)


def charged(party: Party, cost: int) -> int:
    """9.9.2 What a way takes of the allowance: the one hex a unit may always enter takes no more than all of it."""
    return min(cost, party.left)


def kinds_of(g: Board, party: Party) -> tuple[Kind, ...]:
    if len(party.units) == 1:
        return (kind_of(g, party.units[0], party.mode),)
    return tuple(dict.fromkeys(kind_of(g, u, party.mode) for u in party.units))


def budgets_of(g: Board, party: Party, kinds: tuple[Kind, ...]) -> Spent:
    """What each kind has left: the least of its units."""
    if len(kinds) == 1:
        return (party.left - max(party.spent),)
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
    if g.charts.types[f.type[u]].zoc_pair and any(has_star(g, v) and why_not_together(g, u, v) is None for v in units):
        return None
    if f.type[u] == "cavalry" and any(f.stays_with[v] == u for v in units):
        return None
    if f.stays_with[u] in units and f.type[f.stays_with[u]] == "cavalry":
        return None
    return Refusal("10.3.1", f"{g.name(u)} may not move from ZOC to ZOC and halts where it enters one")


def all_may_zoc_to_zoc(g: Board, units: tuple[Unit, ...]) -> bool:
    if len(units) == 1 and g.forces.side[units[0]] == SOVIET:
        return has_star(g, units[0])  # nobody is with it
    return all(why_not_zoc_to_zoc(g, u, units) is None for u in units)


def needs_regroup(g: Board, u: Unit, units: tuple[Unit, ...]) -> bool:
    """10.3.2 Germans that need a Regroup marker after ZOC-to-ZOC movement: infantry, but for mechanized, motorized and
    reconnaissance infantry type units of a panzer division, engineers among them (2.8), with armor in their stack."""
    f = g.forces
    if f.side[u] == SOVIET or f.armor[u]:
        return False
    panzer = f.division[u] in g.charts.game.formations.panzer_divisions
    return not (panzer and f.move[u] == MOTORIZED and any(f.armor[v] for v in units))


# --- single steps --------------------------------------------------------------------------------------------------


NO_MINES, BARRED, SLOWED, HALTED = range(4)
SHUT = 3
"""The class of a hex nobody may enter."""


class Fences(NamedTuple):
    """Where the enemy is and has zones, for all who heed them alike."""

    open: Bits
    zoc: Bits
    zone: Bits
    river_zoc: Bits
    classes: bytes
    """By hex: SHUT where nobody may enter, 2 in a ZOC, 1 in a ZOI alone, 0 else."""
    busy: bytes
    """By hex: whether zones, enemies, the edge of what is open or a bridge that is not as printed have a say in the
    steps out of it."""


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
    mines: int
    """15.3.2 What minefields do to the party: NO_MINES, BARRED, SLOWED or HALTED."""
    steps: Steps
    each: Any = ()
    """The same for each kind alone, where there are several."""


def rules_of(g: Board, party: Party) -> Rules:
    role, side = g.forces.role, party.side
    partisans = side == SOVIET and any(role[u] == PARTISANS for u in party.units)
    ignores = partisans and ignores_zones(g, party)
    may = all_may_zoc_to_zoc(g, party.units)
    mines = _mines_for(g, party.units) if side == GERMAN and g.has_mines() else NO_MINES
    return _rules(
        g, 1 - side, kinds_of(g, party), party.mode == STRATEGIC, fords_of(g, side), may, partisans, ignores, mines
    )  # fmt: skip


def _mines_for(g: Board, units: tuple[Unit, ...]) -> int:
    """15.3.2 Artillery, anti-air and anti-armor units do not cross a minefield hexside; armor alone pays more to go on;
    others halt."""
    f = g.forces
    if any(f.artillery[u] or f.anti_armor[u] for u in units):
        return BARRED
    return SLOWED if all(f.armor[u] for u in units) else HALTED


@fact(RULES)
def _rules(
    g: Board, enemy: Side, kinds: tuple[Kind, ...], strategic: bool, fords: frozenset[Hexside], may: bool,
    partisans: bool, ignores: bool, mines: int,
) -> Rules:  # fmt: skip
    tables = tuple(prices_with(g, fords, k, strategic) for k in kinds)
    barred = mines == BARRED
    fences = _fences(g, enemy, tables[0].altered_at, strategic, partisans, ignores, barred)
    halts = enemy == GERMAN and not may
    costs = tuple(zone_costs(g, k[0]) for k in kinds)
    each = tuple(
        _rules(g, enemy, (k,), strategic, fords, may, partisans, ignores, mines) for k in kinds[len(kinds) == 1 :]
    )
    shut = _mined_steps(g) if barred else frozenset()
    steps = Steps(g.map.grid.size, tables[0], fences, shut, costs[0], may_zz=may, halts=halts)
    return Rules(kinds, tables, costs, *fences[:4], may, halts, mines, steps, each)


@fact(RULES)
def _fences(
    g: Board, enemy: Side, altered: Bits, strategic: bool, partisans: bool, ignores: bool, barred: bool
) -> Fences:
    grid, there = g.map.grid, g.hexes_of(enemy)
    free = g.playable & ~there
    if strategic:
        free &= ~within(grid, there, g.charts.constants.strategic_distance - 1)
    if partisans:
        free &= g.ground.woods | g.ground.forest
    zoc, zone, river = (0, 0, 0) if ignores else (zoc_of(g, enemy), zone_of(g, enemy), river_zoc_of(g, enemy))
    near = grid.all & ~free | zone
    mined = bits(h for h, _ in _mined_steps(g)) if barred else 0
    busy = mask(grid, near | spread(grid, near) | river | mined | altered)
    zones = 0 if ignores else int.from_bytes(zone_classes(g, enemy), "little")
    closed = int.from_bytes(mask(grid, grid.all & ~free), "little") * SHUT
    return Fences(free, zoc, zone, river, (zones | closed).to_bytes(grid.size, "little"), busy)


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
    mined = r.mines != NO_MINES and g.mined(b, (d + 3) % 6)
    if mined and r.mines == BARRED:
        return Refusal("15.3.2", "artillery, anti-air and anti-armor units may not cross a minefield hexside")
    ends = whole or (r.halts and enters_zoc)
    if whole:
        return Step(tuple(priced), True, leaves_zoc and enters_zoc, whole=True)
    total = []
    for c, (enter_zoc, leave_zoc, enter_zoi, leave_zoi) in zip(priced, r.zone_costs, strict=True):
        c += leave_zoc if leaves_zoc else leave_zoi if r.zone >> a & 1 else 0
        c += enter_zoc if enters_zoc else enter_zoi if r.zone >> b & 1 else 0
        total.append(c)
    onward = mine_cost(g) if mined and r.mines == SLOWED else 0
    ends |= mined and r.mines == HALTED
    return Step(tuple(total), ends, leaves_zoc and enters_zoc, onward=onward)


def _why_closed(g: Board, party: Party, b: Hex) -> Refusal:
    if not g.playable >> b & 1:
        return Refusal("9.10.5", "units may not move off the map")
    if g.enemies_in(b, party.side):
        return Refusal("9.10.4", f"an enemy unit is in {g.hex_name(b)}")
    if party.mode == STRATEGIC:
        return Refusal("9.4.2", f"{g.hex_name(b)} is less than three hexes from an enemy unit")
    return Refusal("18.1.2", "partisans move into woods and forests only")


def mine_cost(g: Board) -> int:
    """15.3.2 What armor pays more to go on through a minefield hexside, in parts of a Movement Point."""
    return g.charts.constants.mine_armor_cost * g.charts.constants.sixths


@fact(WORKS)
def _mined_steps(g: Board) -> frozenset[tuple[Hex, Hex]]:
    """15.3.2 The steps over a minefield hexside into the hex of the field."""
    around = g.map.grid.neighbours
    steps = ((around[h][d], h) for h in g.works_of(MINES) for d in range(6) if g.mined(h, d))
    return frozenset(step for step in steps if step[0] != NO_HEX)


# --- the search ----------------------------------------------------------------------------------------------------

NOWAY = -1
"""What zones add where they let nobody through."""


@fact(NOW)
def ways_of(g: Board, party: Party) -> Way:
    """All hexes a party can get to from where it stands, with the cheapest way to each."""
    r = rules_of(g, party)
    if party.first and is_held(g, r, g.place[party.units[0]]):
        return Way(g.place[party.units[0]], r.kinds, {}, {}, 0)
    if len(r.kinds) == 1:
        way = _ways_of_one_kind(g, party, r)
        if r.mines <= BARRED or not _meets_mines(g, way):
            return way
    return _ways_of_several_kinds(g, party, r)


def _meets_mines(g: Board, way: Way) -> bool:
    """Whether a minefield hexside lies on some way that was found as if there were none."""
    found = way.spent_at
    return any(b in found and (a in found or a == way.start) for a, b in _mined_steps(g))


class Steps:
    """What the steps of one kind cost with zones, worked out when a search first comes by.

    A label of the search is what was spent, how often the way went from ZOC to ZOC, and the hex, as one number: smaller
    is better. A step is the hex entered, what it adds to the label of the hex it leaves, and whether the move ends.
    """

    __slots__ = ("_barred", "_halts", "_joint", "_leaving", "busy", "known", "least", "quiet", "size", "zones")

    def __init__(
        self, size: int, table: Prices, fences: Fences, barred: frozenset[tuple[Hex, Hex]],
        costs: tuple[int, int, int, int], *, may_zz: bool, halts: bool,
    ) -> None:  # fmt: skip
        self.size, self.zones, self.busy, self._barred = size, fences.classes, fences.busy, barred
        each, (enter_zoc, leave_zoc, enter_zoi, leave_zoi) = size * CROSSINGS, costs
        self.least = table.least * each
        """No step adds less to a label."""
        over_zoc = (leave_zoc + enter_zoc) * each + size if may_zz else NOWAY
        self._leaving = (
            *((out * each, (out + enter_zoi) * each, (out + enter_zoc) * each, NOWAY) for out in (0, leave_zoi)),
            (leave_zoc * each, (leave_zoc + enter_zoi) * each, over_zoc, NOWAY),
        )
        """What zones add to a step, by the class of the hex left and of the hex entered."""
        self._halts = (False, False, halts)
        self.known: dict[Hex, tuple[tuple[Hex, int, bool], ...]] = {}
        """The steps out of such hexes that a search has come by."""
        self.quiet = table.printed_labels(CROSSINGS * self.size)
        """The steps out of other hexes that any search has come by."""
        self._joint: dict[Hex, tuple[Joint, ...]] = {}

    def out_of(self, h: Hex, r: Rules) -> tuple[tuple[Hex, int, bool], ...]:
        kept = self.known if self.busy[h] else self.quiet
        found = kept.get(h)
        if found is None:
            found = kept[h] = self.priced(h, r, None)
        return found

    def joint(self, h: Hex, r: Rules) -> tuple[Joint, ...]:
        """The same for several kinds together: what all of them can do."""
        found = self._joint.get(h)
        if found is None:
            found = self._joint[h] = tuple(self._together(h, r))
        return found

    def _together(self, h: Hex, r: Rules) -> Iterator[Joint]:
        size, each = self.size, self.size * CROSSINGS
        first, *others = (one.steps.out_of(h, one) for one in r.each)
        costs = [{n: more // each for n, more, _ in one} for one in others]
        for n, more, ends in first:
            rest = [of[n] for of in costs if n in of]
            if len(rest) == len(costs):
                cost = (more // each, *rest)
                yield n, Step(cost, ends, bool(more // size % CROSSINGS)), _packed(cost)

    def priced(self, h: Hex, r: Rules, whole: int | None) -> tuple[tuple[Hex, int, bool], ...]:
        """The steps out of a hex; those that take the whole allowance only where it is given."""
        zones, halts, barred, each, found = self.zones, self._halts, self._barred, self.size * CROSSINGS, []
        left = zones[h]
        if left == SHUT:  # the enemy is in it too (16.5.3)
            left = 2 if r.zoc >> h & 1 else r.zone >> h & 1
        dry = self._leaving[left]
        wet = self._leaving[2] if r.river_zoc >> h & 1 else dry
        for n, cost, swims in r.tables[0].moves(h):
            zone = zones[n]
            more = (wet if swims else dry)[zone]
            if more == NOWAY or (barred and (h, n) in barred):
                continue
            if cost != ALL:
                found.append((n, cost * each + more + n, halts[zone]))
            elif whole is not None:
                found.append((n, whole * each + more % each + n, True))
        return tuple(found)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Steps) and self.zones == other.zones

    __hash__ = None  # type: ignore[assignment]


def _ways_of_one_kind(g: Board, party: Party, r: Rules) -> Way:
    """The search where all units pay alike and no minefield slows them: what is spent is one number."""
    start, (budget,), steps = g.place[party.units[0]], budgets_of(g, party, r.kinds), r.steps
    size, busy, known, quiet = steps.size, steps.busy, steps.known.get, steps.quiet.get
    pop, push = heapq.heappop, heapq.heappush
    limit = (budget + 1) * CROSSINGS * size
    last = limit - steps.least
    best = {start: start}
    so_far = best.get
    came: dict[int, int] = {}
    stopped: set[int] = set()
    over: list[int] = []
    heap: list[int] = []
    if party.first:
        whole = None if party.mode == STRATEGIC else budget
        for n, new, stops in steps.priced(start, r, whole):
            came[new] = start
            if new >= limit:
                over.append(new)
            else:
                best[n] = new
                if stops:
                    stopped.add(new)
                elif new < last:
                    push(heap, new)
    else:
        heap.append(start)
    while heap:
        label = pop(heap)
        h = label % size
        if best[h] != label:
            continue
        base = label - h
        for n, more, stops in (known(h) if busy[h] else quiet(h)) or steps.out_of(h, r):
            new = base + more
            if new < so_far(n, limit):
                best[n], came[new] = new, label
                if stops:
                    stopped.add(new)
                elif new < last:
                    push(heap, new)
    del best[start]
    found = dict(sorted(best.items(), key=_label_of))
    for label in sorted(over):  # 9.9.2 one hex may always be entered
        if found.setdefault(label % size, label) == label:
            stopped.add(label)
    ends = bits(h for h, label in found.items() if label in stopped) if stopped else 0
    return Way(start, r.kinds, Labels(found, size), Trail(start, found, came, size), ends)


_label_of = itemgetter(1)


def _ways_of_several_kinds(g: Board, party: Party, r: Rules) -> Way:
    """The same where units pay differently, or a minefield slows them: a hex has several labels."""
    start, budget, size = g.place[party.units[0]], budgets_of(g, party, r.kinds), r.steps.size
    if min(budget) < 0:  # what has happened on the way has lowered an allowance
        return Way(start, r.kinds, {}, {}, 0)
    room = _packed(budget)
    guards = _packed((GUARD,) * len(budget))
    spent_at: dict[Hex, Spent] = {}
    found: dict[Hex, int] = {}
    came: dict[int, int] = {}
    best: dict[Hex, list[Label]] = {start: [(0, 0, GOES_ON)]}
    ends = 0
    heap = [start]
    while heap:
        label = heapq.heappop(heap)
        rest, h = divmod(label, size)
        spent, crossed, end = rest // (CROSSINGS * ENDINGS), rest // ENDINGS % CROSSINGS, rest % ENDINGS
        if h != start and h not in found:
            found[h], spent_at[h] = label, _unpacked(spent, len(budget))
            ends |= (end == HALTS) << h
        if end != GOES_ON:
            continue
        first = party.first and h == start
        for n, step, cost in _steps(g, party, r, h, first=first):
            total = room if step.whole else spent + cost
            over = (room + guards - total) & guards != guards
            if over and not first:
                continue
            if over:
                total = _packed(tuple(map(max, _unpacked(total, len(budget)), budget)))
            onward = total + _packed((step.onward,) * len(budget)) if step.onward else total
            halts = step.ends or over or (room + guards - onward) & guards != guards
            labels = [(total, HALTS)] if halts else [(onward, GOES_ON)]
            if step.onward and not halts:
                labels.append((total, STAYS))
            known, crossings = best.setdefault(n, []), crossed + step.from_zoc_to_zoc
            for paid, end in labels:
                if not _is_bettered(known, paid, crossings, end, guards):
                    known.append((paid, crossings, end))
                    new = ((paid * CROSSINGS + crossings) * ENDINGS + end) * size + n
                    came[new] = label
                    heapq.heappush(heap, new)
    return Way(start, r.kinds, spent_at, Trail(start, found, came, size), ends)


FIELD = 16
GUARD = 1 << FIELD - 1
"""What each kind has spent stands in bits of its own, the first kind's above the others'. A guard above each shows in
one subtraction whether any kind would have less than nothing left."""


def _packed(spent: Spent) -> int:
    found = 0
    for x in spent:
        found = found << FIELD | x
    return found


def _unpacked(packed: int, kinds: int) -> Spent:
    return tuple(packed >> FIELD * k & (1 << FIELD) - 1 for k in reversed(range(kinds)))


Label = tuple[int, int, int]
"""What a way has spent, how often it went from ZOC to ZOC, and how it ends."""
GOES_ON, HALTS, STAYS = range(3)
"""A way goes on, must halt, or would have to pay more to go on."""
ENDINGS = 3


def _is_bettered(known: list[Label], spent: int, crossed: int, end: int, guards: int) -> bool:
    """Whether a label known already is at least as good: as cheap for every kind, of equals the one that goes less
    often from ZOC to ZOC, and it goes on if the other does."""
    most = spent + guards
    for less, zz, old in known:
        if (most - less) & guards == guards and (less != spent or zz <= crossed) and (old == GOES_ON or end != GOES_ON):
            return True
    return False


def _steps(g: Board, party: Party, r: Rules, h: Hex, *, first: bool) -> tuple[Joint, ...]:
    """The steps of a party out of a hex; they are kept where they do not depend on who it is."""
    if not first and r.mines <= BARRED:
        return r.steps.joint(h, r)
    some = ((n, step_of(g, party, r, h, d, n, first=first)) for d, n, _ in r.tables[0].steps(h) if r.open >> n & 1)
    return tuple((n, step, _packed(step.cost)) for n, step in some if isinstance(step, Step))
