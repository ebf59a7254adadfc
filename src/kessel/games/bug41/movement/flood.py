"""RX-7.3.2 Where units can go: whole sets of hexes at a time, from no cost to the whole allowance.

A stack of leg and motorized units pays two prices for a way. Both are one number (`PAIR`), and a way to a hex stays
only if no other one is as cheap for each of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property
from heapq import heapify, heappop, heappush
from operator import and_

from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import bits, members, shift, union
from kessel.games.bug41.data.terrain import ALL_POINTS, PAIR, Ground


class Search:
    """The hexes units reach, by cost; ways are found when somebody asks for one."""

    def __init__(self, ground: Ground, payer: int, start: Hex, zone: Bits, may: Bits, cheap: Bits) -> None:
        """`cheap`: hexes whose pillbox costs nothing more now."""
        self.ground, self.zone, self.may, self.cheap = ground, zone, may & ~(1 << start), cheap
        self.prices = ground.priced_steps(payer)
        self.hexes: Bits = 0
        self.whole: Bits = 0
        """Hexes entered by a step that took all points."""
        self.first: dict[Hex, int] = {}
        """What the hexes cost that the first step leads to."""

    def level_of(self, h: Hex) -> int:
        """What the cheapest way to a hex costs."""
        raise NotImplementedError

    def path(self, h: Hex) -> tuple[Hex, ...]:
        """The cheapest way, first hex entered first; of equal ones that over the hex reached sooner."""
        found, cost, closed = [h], self.level_of(h), self.zone | self.whole
        while self.first.get(h) != cost:
            cost, h = self._before(h, cost, closed)
            found.append(h)
        return tuple(reversed(found))

    def _before(self, h: Hex, cost: int, closed: Bits) -> tuple[int, Hex]:
        """What is spent on a cheapest way to a hex when it is left for it, and from where."""
        raise NotImplementedError


class Flood(Search):
    """Units of one class."""

    levels: list[Bits]
    """By halves of a movement point: the hexes whose cheapest way costs so much."""

    def go(
        self,
        begun: tuple[int, ...],
        most: tuple[int, ...],
        bogs: Bits,
        first: Sequence[tuple[Hex, int]],
        *,
        minimum: bool,
    ) -> Flood:
        """Search. `bogs` are entered along roads and railways only; `first` are the hexes the first step may lead to
        and what it costs: boats may carry it, a stream may take all points. `minimum`: one may be entered at any price.
        """
        (spent,), (budget,) = begun, most
        self.levels = [0] * (budget + 1)
        if spent <= budget:
            self._first_steps(spent, budget, first, minimum)
            self._go_on(spent, budget, bogs)
        return self

    def _first_steps(self, begun: int, most: int, first: Sequence[tuple[Hex, int]], minimum: bool) -> None:
        for n, price in first:
            after = begun + price
            if price == ALL_POINTS or after > most:
                if not minimum:
                    continue
                after, self.whole = most, self.whole | 1 << n
            self.first[n] = after
            self.levels[after] |= 1 << n

    def _go_on(self, begun: int, most: int, bogs: Bits) -> None:
        """Level by level. Six shifted copies of a level serve all sorts of steps; written out, since this is where the
        time goes. `a ^ a & b` is what is in a and not in b, in half the time of `a & ~b`."""
        prices, levels, zone = self.prices, self.levels, self.zone
        base, extra, flat, rough = prices.base_with(self.cheap), prices.extra, prices.flat, prices.rough
        un, une, use, us, usw, unw = prices.usual
        k = self.ground.grid.stride
        slant, left, bogs = k - 1, self.may, bogs & self.may
        for cost in range(begun, most + 1):
            here = levels[cost]
            if not here:
                continue
            levels[cost] = here = here & left
            left ^= here
            out = here ^ here & zone
            if cost == most:
                break
            if not out:
                continue
            n, ne, se, s, sw, nw = out >> 1, out << slant, out << k, out << 1, out >> slant, out >> k
            if out & rough:
                near = (n & un | ne & une | se & use | s & us | sw & usw | nw & unw) & left
            else:
                near = (n | ne | se | s | sw | nw) & left
            if bogs:
                near &= ~bogs
            for price, hexes in base if near else ():
                if cost + price > most:
                    break
                levels[cost + price] |= near & hexes
            for amount, (tn, tne, tse, ts, tsw, tnw), touch in extra:
                if out & touch:
                    near = (n & tn | ne & tne | se & tse | s & ts | sw & tsw | nw & tnw) & left
                    if bogs:
                        near &= ~bogs
                    for price, hexes in base if near else ():
                        if cost + price + amount <= most:
                            levels[cost + price + amount] |= near & hexes
            for price, (tn, tne, tse, ts, tsw, tnw), touch in flat:
                if out & touch and cost + price <= most:
                    near = (n & tn | ne & tne | se & tse | s & ts | sw & tsw | nw & tnw) & left
                    levels[cost + price] |= near ^ near & zone
        self.hexes = self.may ^ left
        # Another way to a hex at the same price or less leaves it open.
        self.whole &= levels[most]

    @cached_property
    def spent(self) -> dict[Hex, tuple[int, ...]]:
        return {h: (cost,) for cost, here in enumerate(self.levels) for h in members(here)}

    def spent_in(self, h: Hex) -> tuple[int, ...]:
        return (self.level_of(h),)

    def level_of(self, h: Hex) -> int:
        return next(cost for cost, here in enumerate(self.levels) if here >> h & 1)

    @cached_property
    def beside(self) -> Bits:
        """The hexes entered by a first step to which no other way is cheaper."""
        return bits(h for h, cost in self.first.items() if self.levels[cost] >> h & 1)

    def _before(self, h: Hex, cost: int, closed: Bits) -> tuple[int, Hex]:
        levels, best = self.levels, (cost + 1, h)
        off_road, cheap = self.zone >> h & 1, self.cheap >> h & 1
        for n, link, price, boxed in self.prices.into(h):
            if link is None or off_road:
                link = price if cheap else boxed
            before = cost - link
            if 0 <= before <= cost and (before, n) < best and levels[before] >> n & 1 and not closed >> n & 1:
                best = before, n
        return best


class FloodForTwo(Search):
    """A stack of both classes."""

    levels: defaultdict[int, Bits]
    """By what both spend: the hexes to which no way is as cheap for each."""

    def go(
        self,
        begun: tuple[int, ...],
        most: tuple[int, ...],
        bogs: Bits,
        first: Sequence[tuple[Hex, int]],
        *,
        minimum: bool,
    ) -> FloodForTwo:
        """Search, as `Flood` does."""
        self.levels = defaultdict(int)
        (leg, wheels), (leg_most, wheels_most) = begun, most
        if leg > leg_most or wheels > wheels_most:
            return self
        for n, price in first:
            y, x = divmod(price, PAIR)
            if price == ALL_POINTS or leg + x > leg_most or wheels + y > wheels_most:
                if not minimum:
                    continue
                x, y, self.whole = leg_most - leg, wheels_most - wheels, self.whole | 1 << n
            cost = self.first[n] = leg + x + (wheels + y) * PAIR
            self.levels[cost] |= 1 << n
        self._go_on(begun, most, bogs)
        self.hexes = union(self.levels.values())
        self.whole &= self.levels[leg_most + wheels_most * PAIR]
        return self

    def _go_on(self, begun: tuple[int, ...], most: tuple[int, ...], bogs: Bits) -> None:
        """By what the motorized units spend and then the others: whatever is as cheap for both comes before."""
        levels, zone, may, (leg_most, wheels_most) = self.levels, self.zone, self.may, most
        reached = [0] * (leg_most + 1)
        """By what leg units may spend: the hexes reached so far for no more than that."""
        pending = list(levels)
        heapify(pending)
        while pending:
            cost = heappop(pending)
            leg = cost % PAIR
            here = levels[cost] = levels[cost] & may & ~reached[leg]
            if not here:
                continue
            for x in range(leg, leg_most + 1):
                if reached[x] & here == here:
                    break
                reached[x] |= here
            for price, hexes in self._steps(here & ~zone, bogs):
                after = cost + price
                y, x = divmod(after, PAIR)
                if x > leg_most or y > wheels_most or not hexes & ~reached[x]:
                    continue
                if after not in levels:
                    heappush(pending, after)
                levels[after] |= hexes

    def _steps(self, out: Bits, bogs: Bits) -> list[tuple[int, Bits]]:
        """The hexes next to some, by what it costs to enter them from there."""
        found: list[tuple[int, Bits]] = []
        if not out:
            return found
        grid, prices, base = self.ground.grid, self.prices, self.prices.base_with(self.cheap)
        moved = [shift(grid, out, d) for d in range(6)]
        near = union(map(and_, moved, prices.usual)) & ~bogs
        found += [(price, near & hexes) for price, hexes in base]
        for more, sides, touch in prices.extra:
            if out & touch:
                near = union(map(and_, moved, sides)) & ~bogs
                found += [(price + more, near & hexes) for price, hexes in base]
        for price, sides, touch in prices.flat:
            if out & touch:
                found.append((price, union(map(and_, moved, sides)) & ~self.zone))
        return found

    @cached_property
    def _by_cost(self) -> list[tuple[tuple[int, int], int, Bits]]:
        """All levels, the least that both spend together first."""
        found = [((cost % PAIR + cost // PAIR, cost % PAIR), cost, here) for cost, here in self.levels.items()]
        return sorted(found)

    @cached_property
    def spent(self) -> dict[Hex, tuple[int, ...]]:
        return {h: (cost % PAIR, cost // PAIR) for _, cost, here in reversed(self._by_cost) for h in members(here)}

    def spent_in(self, h: Hex) -> tuple[int, ...]:
        cost = self.level_of(h)
        return cost % PAIR, cost // PAIR

    def level_of(self, h: Hex) -> int:
        return next(cost for _, cost, here in self._by_cost if here >> h & 1)

    @cached_property
    def beside(self) -> Bits:
        """The hexes to which the first step is the cheapest way."""
        return bits(h for h, cost in self.first.items() if self.level_of(h) == cost)

    def _before(self, h: Hex, cost: int, closed: Bits) -> tuple[int, Hex]:
        found = []
        off_road, cheap = self.zone >> h & 1, self.cheap >> h & 1
        for n, link, price, boxed in self.prices.into(h):
            if link is None or off_road:
                link = price if cheap else boxed
            before = cost - link
            if link >= 0 and before in self.levels and self.levels[before] >> n & 1:
                found.append((before % PAIR + before // PAIR, n, before))
        _, n, before = min(one for one in found if not closed >> one[1] & 1)
        return before, n
