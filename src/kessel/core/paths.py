"""Movement: where a piece can go, at what cost, by which way.

`Costs` is the price list of one kind of mover on one map in one weather: what a step from hex to hex costs, as whole
numbers of a fraction of a movement point the game chooses. It is filled once by a function of the game (the rule) and
kept on the map. `reach` then searches with what depends on the moment: where the mover may enter, where it must stop,
which hexsides are barred or opened, what leaving the first hex costs.

A step may be `first_only`: allowed only as the first step of a move (an unbridged river that must be crossed from a hex
next to it). Costs of a step may depend on the direction. Searching never relies on symmetry.

    costs = Costs(grid, lambda a, d, b: 2 if swamp(b) else 1)
    r = reach(costs, start, budget=6, stop=enemy_zone)
    r.cost[h], r.path(h)

The search goes outward cost by cost with whole sets of hexes: all hexes reached for exactly k points take their next
step at once. Most steps cost what the hex entered costs (`Costs.base`): one shift of the set in each direction.
Steps with an extra (a river) or at a flat rate (a road) are kept apart and looked at only where the set touches one.
The sets of the price list are cut to a `Window` of lines around the mover once and kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import copy
from functools import cached_property
from typing import NamedTuple

from kessel.core.breakdown import Refusal
from kessel.core.hexes import Bits, Direction, Grid, Hex, Hexside
from kessel.core.hexset import NO_SIDES, Sides, bits, members, shift

ALL = 1 << 20
"""A step that takes the whole allowance: only as the first step, and nothing after it."""


class StepCost(NamedTuple):
    """What a rule says about one step."""

    cost: int
    first_only: bool = False


Edge = tuple[Hex, int, Hexside]
StepRule = Callable[[Hex, Direction, Hex], "StepCost | int | Refusal"]


class Ways(NamedTuple):
    """Steps of one sort: from which hexes in which direction, and all those hexes together."""

    amount: int
    """What is added to the cost of the hex entered; or the cost itself for steps at a flat rate."""
    sides: tuple[Bits, ...]
    touch: Bits


class Window(NamedTuple):
    """The prices of a part of the board, from hex `low` on, as a search uses them.

    Steps of one sort: their amount, the hexes entered by direction, the hexes left.
    """

    low: Hex
    base: list[tuple[int, Bits]]
    usual: tuple[int, ...]
    """Steps at the price of the hex entered."""
    flat: list[tuple[int, ...]]
    """Steps that cost the amount, which is below that price."""
    extra: list[tuple[int, ...]]
    """Steps at that price and an amount."""
    dear: tuple[int, ...]
    """Those of the greatest amount."""
    rough: Bits
    """The hexes left by steps at more than that price, or closed, or odd."""
    tight: Bits
    """The hexes left by steps closed or odd: out of the other ones no step costs more than `dear`."""
    odd: Bits
    """The hexes left by odd steps (`Costs.odd`)."""


LINES = 4
"""Windows begin at every fourth line of the grid, so that there are few of them to keep."""
FEW = 8
"""Sorts of no more steps than this are not worth a look at the whole set each time: they are odd steps."""


class Costs:
    """The price of every step, by hex left."""

    def __init__(self, grid: Grid, rule: StepRule, base: Callable[[Hex], int] | None = None) -> None:
        """`base` tells what entering a hex costs without road or river; it only makes searching faster."""
        self.grid, self.rule = grid, rule
        self.edges: list[tuple[Edge, ...]] = [()] * grid.size
        self.first: dict[Hex, tuple[Edge, ...]] = {}
        """Steps allowed only as the first of a move."""
        for h in grid.hexes:
            self._price(h)
        self._sort(base)

    def _price(self, h: Hex) -> None:
        """Ask the rule about all steps out of a hex."""
        always: list[Edge] = []
        first: list[Edge] = []
        for d, n in enumerate(self.grid.neighbours[h]):
            if n < 0:
                continue
            step = self.rule(h, d, n)
            if isinstance(step, Refusal):
                continue
            if isinstance(step, int):
                step = StepCost(step)
            (first if step.first_only or step.cost >= ALL else always).append((n, step.cost, h * 6 + d))
        self.edges[h] = tuple(always)
        self.first.pop(h, None)
        if first:
            self.first[h] = tuple(first)

    def altered(self, rule: StepRule, sides: Collection[Hexside]) -> Costs:
        """The same prices but for the steps over these hexsides, which the rule prices anew."""
        new = copy(self)
        new.rule, new.edges, new.first = rule, self.edges[:], self.first.copy()
        ways = {(False, w.amount): list(w.sides) for w in (self.usual, *self.extra)}
        ways.update(((True, w.amount), list(w.sides)) for w in self.flat)
        for h in {side // 6 for side in sides}:
            for six in ways.values():
                for d in range(6):
                    six[d] &= ~(1 << h)
            new._price(h)
            new._add_ways(h, ways)
            new.closed = new.closed & ~(1 << h) | new._is_closed(h) << h
        new._keep_ways(ways)
        new.cheapest = min((self.cheapest, *(c for side in sides for _, c, _ in new.edges[side // 6])))
        return new

    def _sort(self, told: Callable[[Hex], int] | None) -> None:
        """Sort the steps: at the usual price of the hex entered, with an extra to it, or at a flat rate below it."""
        into: dict[Hex, Counter[int]] = {}
        for h in self.grid.hexes:
            for n, c, _ in self.edges[h]:
                into.setdefault(n, Counter())[c] += 1
        usual = {n: told(n) if told else min(c.items(), key=lambda x: (-x[1], -x[0]))[0] for n, c in into.items()}
        base: dict[int, Bits] = {}
        for n, c in usual.items():
            base[c] = base.get(c, 0) | 1 << n
        self.base = tuple(sorted(base.items()))
        """Hexes by what entering them usually costs."""
        self._usually = usual
        self.closed = bits(h for h in self.grid.hexes if self._is_closed(h))
        """Hexes out of which some step is not allowed."""
        ways: dict[tuple[bool, int], list[Bits]] = {}
        for h in self.grid.hexes:
            self._add_ways(h, ways)
        self._keep_ways(ways)
        self.cheapest = min((c for h in self.grid.hexes for _, c, _ in self.edges[h]), default=1)

    def _add_ways(self, h: Hex, ways: dict[tuple[bool, int], list[Bits]]) -> None:
        for n, c, side in self.edges[h]:
            usual = self._usually.get(n)
            key = (False, c - usual) if usual is not None and c >= usual else (True, c)
            ways.setdefault(key, [0] * 6)[side % 6] |= 1 << h

    def _keep_ways(self, ways: dict[tuple[bool, int], list[Bits]]) -> None:
        made = {k: Ways(k[1], tuple(s), s[0] | s[1] | s[2] | s[3] | s[4] | s[5]) for k, s in ways.items()}
        self.usual = made.pop((False, 0), Ways(0, (0,) * 6, 0))
        self.extra = sorted(w for (flat, _), w in made.items() if not flat)
        self.flat = [w for (flat, _), w in made.items() if flat]
        self.odd: dict[Hex, tuple[Edge, ...]] = {}
        """Steps of sorts that there are few of, by hex left."""
        for w in (*self.extra, *self.flat):
            if _is_rare(w):
                for d, s in enumerate(w.sides):
                    for h in members(s):
                        self.odd[h] = (*self.odd.get(h, ()), *(e for e in self.edges[h] if e[2] == h * 6 + d))
        self._windows: dict[Hex, Window] = {}
        self._around: dict[Hex, tuple[tuple[int, Bits], ...]] = {}
        self._into: dict[Hex, tuple[Edge, ...]] = {}

    def _is_closed(self, h: Hex) -> bool:
        """Whether a step out of the hex into one that can be entered is not allowed."""
        return len(self.edges[h]) < sum(n in self._usually for n in self.grid.neighbours[h])

    def window(self, line: int) -> Window:
        """The steps as a search sees them that never goes behind that line of the grid."""
        low = max(line, 0) // LINES * LINES * self.grid.stride
        found = self._windows.get(low)
        if found is None:
            base = [(c, s >> low) for c, s in self.base if s >> low]
            extra, flat = ([self._cut(w, low) for w in ways if not _is_rare(w)] for ways in (self.extra, self.flat))
            odd = bits(self.odd) >> low
            tight = rough = self.closed >> low | odd
            for w in extra:
                rough |= w[-1]
            dear = extra.pop() if extra else (ALL, *[0] * 7)
            usual = self._cut(self.usual, low)
            found = self._windows[low] = Window(low, base, usual, flat, extra, dear, rough, tight, odd)
        return found

    def _cut(self, w: Ways, low: int) -> tuple[int, ...]:
        into = (shift(self.grid, s, d) >> low for d, s in enumerate(w.sides))
        return (w.amount, *into, w.touch >> low)

    def around(self, h: Hex) -> tuple[tuple[int, Bits], ...]:
        """The hexes next to a hex by what the step into them costs, cheapest first; any step may be the first one."""
        found = self._around.get(h)
        if found is None:
            by_cost: dict[int, Bits] = {}
            for n, c, _ in self.edges[h]:
                by_cost[c] = by_cost.get(c, 0) | 1 << n
            found = self._around[h] = tuple(sorted(by_cost.items()))
        return found

    def into(self, h: Hex) -> tuple[Edge, ...]:
        """The steps into a hex, as edges that name the hex left."""
        found = self._into.get(h)
        if found is None:
            around = [p for p in self.grid.neighbours[h] if p >= 0]
            found = self._into[h] = tuple((p, c, side) for p in around for n, c, side in self.edges[p] if n == h)
        return found

    def step(self, h: Hex, d: Direction) -> StepCost | Refusal:
        """The rule's word on one step, for explanations."""
        n = self.grid.neighbours[h][d]
        if n < 0:
            return Refusal("map", "the board ends there")
        step = self.rule(h, d, n)
        return StepCost(step) if isinstance(step, int) else step


class Reach:
    """Where a mover can go: hexes by cost, and the cheapest way to each."""

    low: Hex = 0
    levels: list[Bits]
    """`at` as it was searched: from hex `low` on."""
    ends: Bits = 0
    """Hexes that end the move."""
    _first: list[tuple[int, Bits]]
    """Costs of a first step, and the hexes it can lead to."""
    _rounds: Sequence[dict[Hex, Hex]] = ()
    """By hexes entered: where each hex was entered from. Filled where their number is limited."""

    def __init__(self, costs: Costs, start: Hex, barred: Sides, opened: Mapping[Hex, Iterable[Edge]]) -> None:
        self.start = start
        self.over: dict[Hex, int] = {}
        """Hexes entered by a single step that costs more than the whole allowance, which it takes."""
        self._costs, self._barred, self._opened = costs, barred, opened

    def __eq__(self, other: object) -> bool:
        """Whether the same hexes are reached at the same cost."""
        if not isinstance(other, Reach):
            return NotImplemented
        mine, theirs = ((r.start, r.at, r.ends, r.over) for r in (self, other))
        return mine == theirs

    @cached_property
    def at(self) -> list[Bits]:
        """`at[k]` holds the hexes whose cheapest way costs exactly k; the start is in none."""
        return [s << self.low for s in self.levels]

    @cached_property
    def first(self) -> dict[Hex, int]:
        """What the hexes that can be entered by the first step cost, in the order of the steps."""
        costs = {h: cost for cost, s in self._first for h in members(s)}
        return {n: costs[n] for n, _, _ in self._costs.edges[self.start] if n in costs}

    @cached_property
    def hexes(self) -> Bits:
        """All hexes the mover can end in, the start not included."""
        s = 0
        for here in self.levels:
            s |= here
        s <<= self.low
        for h in self.over:
            s |= 1 << h
        return s

    @cached_property
    def cost(self) -> dict[Hex, int]:
        """The least cost of every hex, the start included."""
        found = {self.start: 0}
        for k, here in enumerate(self.at):
            if here:
                found.update(dict.fromkeys(members(here), k))
        found.update(self.over)
        return found

    def __contains__(self, h: Hex) -> bool:
        return h == self.start or bool(self.hexes >> h & 1)

    def stops(self, h: Hex) -> bool:
        """Whether entering that hex ends the move."""
        return h in self.over or bool(self.ends >> h & 1)

    def level(self, h: Hex) -> int:
        """The least cost of a hex within the allowance; -1 if there is none."""
        here = h - self.low
        return next((k for k, s in enumerate(self.levels) if s >> here & 1), -1) if here >= 0 else -1

    def path(self, h: Hex) -> tuple[Hex, ...]:
        """The cheapest way, first hex entered first."""
        way: list[Hex] = []
        spent = self.level(h)
        n = max((i for i, came in enumerate(self._rounds) if h in came), default=-1)
        while h != self.start:
            way.append(h)
            if n >= 0:
                h, n = self._rounds[n][h], n - 1
            elif self.first.get(h) == spent or h in self.over:
                break
            else:
                h, spent = self._before(h, spent)
        return tuple(reversed(way))

    def _before(self, h: Hex, spent: int) -> tuple[Hex, int]:
        """The hex left on a cheapest way into h, and what has been spent there."""
        steps, low = self._costs.into(h), self.low
        if self._opened:
            around = self._costs.grid.neighbours[h]
            more = [(p, c, side) for p in around for n, c, side in self._opened.get(p, ()) if n == h]
            steps = tuple(sorted((*steps, *more), key=lambda e: around.index(e[0]))) if more else steps
        for p, c, side in steps:
            if c > spent or p < low or p == self.start or not self.levels[spent - c] >> p - low & 1:
                continue
            if not self.stops(p) and not self._barred[side % 6] >> p & 1:
                return p, spent - c
        raise AssertionError("the layers of a move do not join")


def reach(
    costs: Costs,
    start: Hex,
    budget: int,
    *,
    enter: Bits | None = None,
    stop: Bits = 0,
    first_enter: Bits | None = None,
    first_extra: int = 0,
    barred: Sides = NO_SIDES,
    opened: Mapping[Hex, Iterable[Edge]] | None = None,
    at_least_one: bool = False,
    most_hexes: int = 0,
) -> Reach:
    """All hexes the mover can get to.

    `enter`: the hexes it may enter (None: all); `first_enter` replaces it for the first step, whose cost `first_extra`
    is added to. `stop`: the hexes where a move ends. `barred`: closed hexsides, as six sets by direction left. `opened`
    adds steps by hex left. `at_least_one` allows any single step whatever it costs. `most_hexes` limits the hexes
    entered (0: no limit).
    """
    fenced = barred[0] | barred[1] | barred[2] | barred[3] | barred[4] | barred[5]
    found = Reach(costs, start, barred, opened or {})
    may = costs.grid.all if enter is None else enter
    first_may = may if first_enter is None else first_enter
    around = costs.around(start)
    too_dear = at_least_one and bool(around) and around[-1][0] + first_extra > budget
    if too_dear or start in found._opened or start in costs.first or (start >= 0 and fenced >> start & 1):
        found._first = _first_steps(found, budget, first_may, first_extra, at_least_one)
    else:
        found._first = [(c + first_extra, s & first_may) for c, s in around if c + first_extra <= budget]
    whole, found.ends = found.ends, stop
    if most_hexes:
        _few_steps(found, budget, may, most_hexes)
    else:
        _go_on(found, budget, may, fenced)
    if whole:
        # A step that takes the whole allowance ends the move; another way to the same hex may leave points to go on.
        found.ends |= whole & found.levels[budget] << found.low
    return found


def _first_steps(found: Reach, budget: int, may: Bits, extra: int, at_least_one: bool) -> list[tuple[int, Bits]]:
    costs, start = found._costs, found.start
    first: dict[Hex, int] = {}
    found.first = first
    for n, c, side in (*costs.edges[start], *costs.first.get(start, ()), *found._opened.get(start, ())):
        if not may >> n & 1 or found._barred[side % 6] >> start & 1:
            continue
        total = budget if c >= ALL else c + extra
        if total > budget:
            if at_least_one:
                found.over[n] = budget
        elif total < first.get(n, ALL):
            first[n] = total
            if c >= ALL:
                found.ends |= 1 << n
            elif found.ends >> n & 1:
                found.ends ^= 1 << n
    return [(total, 1 << n) for n, total in first.items()]


def _few_steps(found: Reach, budget: int, may: Bits, most: int) -> None:
    """At most so many hexes: a few rounds of single steps, each remembering where it came from."""
    best = dict(found.first)
    rounds = [dict.fromkeys((*best, *found.over), found.start)]
    found._rounds = rounds
    last = dict(best)
    for _ in range(most - 1):
        new: dict[Hex, int] = {}
        came: dict[Hex, Hex] = {}
        rounds.append(came)
        for h, spent in last.items():
            if found.stops(h):
                continue
            for n, c, side in (*found._costs.edges[h], *found._opened.get(h, ())):
                total = spent + c
                if total > budget or not may >> n & 1 or found._barred[side % 6] >> h & 1 or n == found.start:
                    continue
                if total < best.get(n, ALL):
                    best[n] = new[n] = total
                    came[n] = h
        last = new
    found.levels = [0] * (budget + 1)
    for n, total in best.items():
        found.levels[total] |= 1 << n
        found.over.pop(n, None)


def _go_on(found: Reach, budget: int, may: Bits, fenced: Bits) -> None:
    """Level by level from the hexes of the first step. Sets are cut to the lines that can be reached at all.

    The start may be a box whose first steps lead to several hexes far apart.
    """
    costs = found._costs
    stride = costs.grid.stride
    begun = 0
    for _, s in found._first:
        begun |= s
    found.levels = levels = [0] * (budget + 1)
    if not begun:
        return
    most = budget // costs.cheapest
    window = costs.window(((begun & -begun).bit_length() - 1) // stride - most)
    low = found.low = window[0]
    for cost, s in found._first:
        levels[cost] |= s >> low
    within = (1 << begun.bit_length() + most * stride) - 1
    todo = may & within
    if found.start >= 0:
        todo &= ~(1 << found.start)
    going = todo ^ todo & found.ends
    found.hexes = _spread(found, budget, window, todo >> low, going >> low, fenced >> low) << low
    if found.over:
        found.over = {h: cost for h, cost in found.over.items() if not found.hexes >> h & 1}
        found.hexes |= bits(found.over)


def _spread(found: Reach, budget: int, window: Window, todo: Bits, going: Bits, fenced: Bits) -> Bits:
    """Fill the levels; the hexes they reach. Six shifted copies of a level serve all sorts of steps; written out, since
    this is where the time goes. A hex entered at a lower price is never entered again, so a sort may hold cheaper steps
    as well: where nothing is closed the dearest one takes all six copies whole."""
    levels, stride = found.levels, found._costs.grid.stride
    slant = stride - 1
    low, base, usual, flat, extra, dear, rough, tight, odd = window
    if found._opened:
        opened = bits(found._opened) >> low
        odd, rough = odd | opened, rough | opened
    _, un, une, use, us, usw, unw, _ = usual
    much, dn, dne, dse, ds, dsw, dnw, _ = dear
    least = base[0][0] if base else ALL
    due = [0] * (budget + 1)
    all_ = todo
    for k in range(budget):
        here, out, left = levels[k], due[k], budget - k
        if here:
            levels[k] = here = here & todo
            todo ^= here
        f = here & going
        if f:
            if fenced and f & fenced:
                n, ne, se, s, sw, nw = _unbarred(f, found._barred, low)
                n, ne, se = n >> 1, ne << slant, se << stride
                s, sw, nw = s << 1, sw >> slant, nw >> stride
            else:
                n, ne, se = f >> 1, f << slant, f << stride
                s, sw, nw = f << 1, f >> slant, f >> stride
            for amount, tn, tne, tse, ts, tsw, tnw, touch in flat:
                if amount <= left and f & touch:
                    levels[k + amount] |= n & tn | ne & tne | se & tse | s & ts | sw & tsw | nw & tnw
            if not f & rough:
                if least <= left:
                    out |= n | ne | se | s | sw | nw
            else:
                if much + least <= left:
                    if f & tight:
                        due[k + much] |= n & dn | ne & dne | se & dse | s & ds | sw & dsw | nw & dnw
                    else:
                        due[k + much] |= n | ne | se | s | sw | nw
                for amount, tn, tne, tse, ts, tsw, tnw, touch in extra:
                    if amount + least <= left and f & touch:
                        due[k + amount] |= n & tn | ne & tne | se & tse | s & ts | sw & tsw | nw & tnw
                if odd and f & odd:
                    _odd_steps(found, f & odd, k, left)
                if least <= left:
                    out |= n & un | ne & une | se & use | s & us | sw & usw | nw & unw
        out &= todo
        for c, hexes in base:
            if not out or c > left:
                break
            entered = out & hexes
            if entered:
                levels[k + c] |= entered
                out ^= entered
    levels[budget] &= todo
    return all_ ^ todo | levels[budget]


def _unbarred(f: Bits, barred: Sides, low: Hex) -> list[Bits]:
    """The hexes of a level that can be left in each direction."""
    return [f ^ f & (shut >> low) for shut in barred]


def _odd_steps(found: Reach, f: Bits, spent: int, left: int) -> None:
    """The odd and the opened steps out of these hexes of a level; rare, so hex by hex."""
    low, odd, opened = found.low, found._costs.odd, found._opened
    for h in members(f << low):
        for to, c, side in (*odd.get(h, ()), *opened.get(h, ())):
            if c <= left and not found._barred[side % 6] >> h & 1:
                found.levels[spent + c] |= 1 << to - low


def _is_rare(w: Ways) -> bool:
    return sum(s.bit_count() for s in w.sides) <= FEW
