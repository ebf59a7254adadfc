"""RX-7.3.2 Where units of one class can go: whole sets of hexes at a time, from no cost to the whole allowance."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from kessel.core.hexes import Bits, Direction, Hex
from kessel.core.hexset import members, spread_along
from kessel.games.bug41.data.terrain import ALL_POINTS, NO_ENTRY, Ground

FirstPrice = Callable[[Direction], int]
"""What the first step in a direction costs: boats may carry it, a stream may take all points."""


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

    def go(self, begun: int, most: int, bogs: Bits, first: FirstPrice, *, minimum: bool) -> Flood:
        """Search. `bogs` are entered along roads and railways only; `minimum`: one hex may be entered at any price."""
        self.levels = [0] * (most + 1)
        if begun <= most:
            self._first_steps(begun, most, first, minimum)
            self._go_on(begun, most, bogs)
        return self

    def _first_steps(self, begun: int, most: int, first: FirstPrice, minimum: bool) -> None:
        in_zone = self.zone >> self.start & 1
        for n, d, *_ in self.ground.priced_steps(self.payer).out[self.start]:
            if not self.may >> n & 1 or (in_zone and self.zone >> n & 1):
                continue
            price = first(d)
            after = begun + price
            if price == NO_ENTRY or ((price == ALL_POINTS or after > most) and not minimum):
                continue
            if price == ALL_POINTS or after > most:
                after, self.whole = most, self.whole | 1 << n
            self.first[n] = after
            self.levels[after] |= 1 << n

    def _go_on(self, begun: int, most: int, bogs: Bits) -> None:
        prices, grid, levels, zone = self.ground.priced_steps(self.payer), self.ground.grid, self.levels, self.zone
        base = prices.base_with(self.cheap)
        dry, seen, free = self.may & ~bogs, 1 << self.start, self.may & ~self.zone
        for cost in range(begun, most + 1):
            here = levels[cost] & ~seen
            levels[cost] = here
            seen |= here
            out = here & ~zone & ~(self.whole if cost == most else 0)
            if not out:
                continue
            near = spread_along(grid, out, prices.usual) & dry & ~seen
            for price, hexes in base if near else ():
                if cost + price <= most:
                    levels[cost + price] |= near & hexes
            for amount, sides, touch in prices.extra:
                if out & touch:
                    near = spread_along(grid, out, sides) & dry & ~seen
                    for price, hexes in base if near else ():
                        if cost + price + amount <= most:
                            levels[cost + price + amount] |= near & hexes
            for price, sides, touch in prices.flat:
                if cost + price <= most and out & touch:
                    levels[cost + price] |= spread_along(grid, out, sides) & free & ~seen
        self.hexes = seen ^ 1 << self.start
        # Another way to a hex at the same price or less leaves it open.
        self.whole &= levels[most]

    @cached_property
    def spent(self) -> dict[Hex, tuple[int, ...]]:
        return {h: (cost,) for cost, here in enumerate(self.levels) for h in members(here)}

    def path(self, h: Hex) -> tuple[Hex, ...]:
        """The cheapest way, first hex entered first; of equal ones that over the hex reached sooner."""
        found = [h]
        while self.first.get(h) != self.spent[h][0]:
            h = self._before(h)
            found.append(h)
        return tuple(reversed(found))

    def _before(self, h: Hex) -> Hex:
        steps, spent = self.ground.priced_steps(self.payer).out, self.spent
        closed, cost = self.zone | self.whole, spent[h][0]
        found = [
            (spent[n][0], n)
            for n in self.ground.grid.around[h]
            if n in spent and not closed >> n & 1
            for to, _, link, price, boxed in steps[n]
            if to == h and spent[n][0] + self._price(h, link, price, boxed) == cost
        ]
        return min(found)[1]

    def _price(self, h: Hex, link: int | None, price: int, boxed: int) -> int:
        """A step that is not the first into a hex; it comes from outside of zones."""
        if link is not None and not self.zone >> h & 1:
            return link
        return price if self.cheap >> h & 1 else boxed
