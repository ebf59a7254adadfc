"""RX-7.3.2 Where units of one class can go: whole sets of hexes at a time, from no cost to the whole allowance."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import bits, members
from kessel.games.bug41.data.terrain import ALL_POINTS, Ground


class Flood:
    """The hexes units of one class reach, by cost; ways are found when somebody asks for one."""

    def __init__(self, ground: Ground, payer: int, start: Hex, zone: Bits, may: Bits, cheap: Bits) -> None:
        """`cheap`: hexes whose pillbox costs nothing more now."""
        self.ground, self.payer, self.start, self.zone, self.may, self.cheap = ground, payer, start, zone, may, cheap
        self.levels: list[Bits] = []
        """By halves of a movement point: the hexes whose cheapest way costs so much."""
        self.hexes: Bits = 0
        self.whole: Bits = 0
        """Hexes entered by a step that took all points."""
        self.first: dict[Hex, int] = {}

    def go(self, begun: int, most: int, bogs: Bits, first: Sequence[tuple[Hex, int]], *, minimum: bool) -> Flood:
        """Search. `bogs` are entered along roads and railways only; `first` are the hexes the first step may lead to
        and what it costs: boats may carry it, a stream may take all points. `minimum`: one may be entered at any price.
        """
        self.levels = [0] * (most + 1)
        if begun <= most:
            self._first_steps(begun, most, first, minimum)
            self._go_on(begun, most, bogs)
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
        time goes."""
        prices, levels, zone = self.ground.priced_steps(self.payer), self.levels, self.zone
        base, extra, flat, rough = prices.base_with(self.cheap), prices.extra, prices.flat, prices.rough
        un, une, use, us, usw, unw = prices.usual
        k = self.ground.grid.stride
        slant, left, bogs = k - 1, self.may & ~(1 << self.start), bogs & self.may
        for cost in range(begun, most + 1):
            here = levels[cost]
            if not here:
                continue
            levels[cost] = here = here & left
            left ^= here
            out = here & ~zone
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
                    near = (n & tn | ne & tne | se & tse | s & ts | sw & tsw | nw & tnw) & left & ~bogs
                    for price, hexes in base if near else ():
                        if cost + price + amount <= most:
                            levels[cost + price + amount] |= near & hexes
            for price, (tn, tne, tse, ts, tsw, tnw), touch in flat:
                if out & touch and cost + price <= most:
                    near = n & tn | ne & tne | se & tse | s & ts | sw & tsw | nw & tnw
                    levels[cost + price] |= near & left & ~zone
        self.hexes = self.may & ~(1 << self.start) & ~left
        # Another way to a hex at the same price or less leaves it open.
        self.whole &= levels[most]

    @cached_property
    def spent(self) -> dict[Hex, tuple[int, ...]]:
        return {h: (cost,) for cost, here in enumerate(self.levels) for h in members(here)}

    def spent_in(self, h: Hex) -> tuple[int, ...]:
        """What the cheapest way to a hex costs."""
        return (self._level(h),)

    def _level(self, h: Hex) -> int:
        return next(cost for cost, here in enumerate(self.levels) if here >> h & 1)

    @cached_property
    def beside(self) -> Bits:
        """The hexes entered by a first step to which no other way is cheaper."""
        return bits(h for h, cost in self.first.items() if self.levels[cost] >> h & 1)

    def path(self, h: Hex) -> tuple[Hex, ...]:
        """The cheapest way, first hex entered first; of equal ones that over the hex reached sooner."""
        found, cost = [h], self._level(h)
        while self.first.get(h) != cost:
            cost, h = self._before(h, cost)
            found.append(h)
        return tuple(reversed(found))

    def _before(self, h: Hex, cost: int) -> tuple[int, Hex]:
        """What is spent on a cheapest way to a hex when it is left for it, and from where."""
        levels, found = self.levels, []
        off_road, cheap = self.zone >> h & 1, self.cheap >> h & 1
        for n, link, price, boxed in self.ground.priced_steps(self.payer).into(h):
            if link is None or off_road:
                link = price if cheap else boxed
            if 0 <= link <= cost and levels[cost - link] >> n & 1:
                found.append((cost - link, n))
        closed = self.zone | self.whole
        return min(one for one in found if not closed >> one[1] & 1)
