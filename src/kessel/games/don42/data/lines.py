"""4.1 Lines of supply and of command: the hexes from which a line leads to a goal, found backwards, cost by cost."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from kessel.core.hexes import NO_HEX, Bits, Hex
from kessel.core.hexset import shift, union

if TYPE_CHECKING:
    from kessel.games.don42.data.terrain import Crossings

NO_CHARGE = sys.maxsize
EVERY_HEX: Bits = -1
Wave = tuple[Bits, Bits, Bits, Bits, Bits, Bits, Bits]
"""A set of hexes and where a step into it may come from, by the direction of the step."""


class LineCosts:
    """Steps of lines grouped by price: price, hexes entered, hexes left by direction; cheapest first."""

    __slots__ = ("crossings", "dear", "grid", "groups", "kind", "weather")

    def __init__(self, crossings: Crossings, kind: str, weather: int) -> None:
        self.crossings, self.grid, self.kind, self.weather = crossings, crossings.grid, kind, weather
        by_price = {p: list(six) for p, six in crossings.ground.line_prices(kind, weather).items()}
        for side in crossings.altered:
            a, d = divmod(side, 6)
            for six in by_price.values():
                six[d] &= ~(1 << a)
            price = crossings.line_step(kind, weather, a, d, self.grid.neighbours[a][d])
            if price < NO_CHARGE:
                by_price.setdefault(price, [0] * 6)[d] |= 1 << a
        self.groups = tuple(self._group(price, six) for price, six in sorted(by_price.items()) if any(six))
        dearest = self.groups[-1][0] if self.groups else 0
        self.dear = tuple(union(entered for p, entered, _ in self.groups if p > price) for price in range(dearest))
        """By price: the hexes entered by dearer steps."""

    def _group(self, price: int, six: list[Bits]) -> tuple[int, Bits, tuple[Bits, ...]]:
        return price, union(shift(self.grid, s, d) for d, s in enumerate(six)), tuple(six)

    def start(self, goal: Bits, open_: Bits) -> Lines:
        """Lines of length 0."""
        return Lines(self, goal, open_, (goal,))

    def flood(self, goal: Bits, limit: int, open_: Bits) -> Lines:
        """All lines to the goal up to a length."""
        return self.start(goal, open_).grow(0, limit, open_, EVERY_HEX)

    def wave(self, x: Bits) -> Wave | None:
        wide = self.grid.stride
        slant = wide - 1
        return (x, x << 1, x >> slant, x >> wide, x >> 1, x << slant, x << wide) if x else None

    def nearest(self, seeds: Sequence[Bits], goal: Bits, open_: Bits, limit: int) -> int | None:
        """The least cost from the seeds (`seeds[k]` stand at cost k) to the goal; steps cost alike both ways."""
        at = [*seeds, *([0] * (limit + 1 - len(seeds)))]
        done, groups, wide, last = 0, self.groups, self.grid.stride, len(seeds) - 1
        slant, k = wide - 1, 0
        while k <= last:
            if not at[k]:
                k += 1
                continue
            x = at[k] & ~done & open_
            if x & goal:
                return k
            done |= x
            for price, entered, (n, ne, se, s, sw, nw) in groups if x else ():
                y = x & entered
                if y and k + price <= limit:
                    at[k + price] |= (
                        y << 1 & n | y >> slant & ne | y >> wide & se | y >> 1 & s | y << slant & sw | y << wide & nw
                    )
                    last = max(last, k + price)
            k += 1
        return None


@dataclass(slots=True)
class Lines:
    """The hexes from which lines lead to a goal: `by[k]` are those whose cheapest line costs at most k half MPs.

    Made backwards from the goal, cost by cost. Never altered once made: `grow` and `cut` give new ones.
    """

    costs: LineCosts
    goal: Bits
    open: Bits
    by: tuple[Bits, ...]

    @property
    def limit(self) -> int:
        return len(self.by) - 1

    @property
    def reached(self) -> Bits:
        return self.by[-1]

    def __contains__(self, h: Hex) -> bool:
        return bool(self.by[-1] >> h & 1)

    def cost(self, h: Hex) -> int | None:
        """The price of the cheapest line from there, in half MPs; None if there is none."""
        return self._first(1 << h) if self.by[-1] >> h & 1 else None

    def _first(self, s: Bits) -> int:
        """The least cost of any hex of the set; at least one is reached."""
        by, low, high = self.by, 0, len(self.by) - 1
        while low < high:
            k = (low + high) // 2
            if by[k] & s:
                high = k
            else:
                low = k + 1
        return low

    @property
    def layers(self) -> list[tuple[int, Bits]]:
        """The costs that occur, with their hexes."""
        dearer = enumerate(pairwise(self.by), start=1)
        return [(0, self.goal), *((k, x) for k, (less, s) in dearer if (x := s & ~less))]

    def within(self, limit: int) -> Bits:
        """The hexes with a line of at most that many half MPs."""
        return self.by[limit] if limit < len(self.by) else self.by[-1]

    def cut(self, limit: int) -> Lines:
        """The same lines without the longer ones."""
        if limit >= self.limit:
            return self
        return Lines(self.costs, self.goal, self.open, self.by[: limit + 1])

    def grow(self, sound: int, limit: int, open_: Bits, wanted: Bits) -> Lines:
        """Lines through other open hexes up to a limit, or until all wanted hexes are reached.

        Of these lines those up to the cost `sound` are taken over, except that the last hexes may be open or not.
        """
        by, groups, wide = list(self.by[: sound + 1]), self.costs.groups, self.costs.grid.stride
        slant, done, waves = wide - 1, by[-1], self._waves(sound, open_)
        wanted ^= wanted & done
        for k in range(sound + 1, limit + 1):
            if not wanted:
                break
            new = 0
            for price, entered, six in groups:
                if price > k:
                    break
                wave = waves[k - price]
                if wave is not None and wave[0] & entered:
                    n, ne, se, s, sw, nw = six
                    _, a, b, c, d, e, f = wave
                    new |= a & n | b & ne | c & se | d & s | e & sw | f & nw
            x = new ^ new & done
            done |= x
            wanted ^= wanted & x
            by.append(done)
            x &= open_
            waves.append((x, x << 1, x >> slant, x >> wide, x >> 1, x << slant, x << wide) if x else None)
        return Lines(self.costs, self.goal, open_, tuple(by))

    def _waves(self, last: int, open_: Bits) -> list[Wave | None]:
        """By cost: the open hexes of exactly that cost, as far back as a step may lead that costs more than `last`."""
        wave, dear = self.costs.wave, self.costs.dear
        first = max(last + 1 - len(dear), 0)
        found: list[Wave | None] = [None] * first
        before = self.by[first - 1] if first else 0
        for k in range(first, last + 1):
            s = self.by[k]
            found.append(wave((s ^ before) & open_ & dear[last - k]))
            before = s
        return found

    def stands_to(self, open_: Bits) -> int:
        """The cost up to which these lines are right where other hexes are open.

        A line runs through hexes that cost less than its start: it stands up to the first hex opened or closed since.
        """
        altered = open_ ^ self.open
        return self._first(altered) if altered & self.by[-1] else self.limit

    def settles(self, open_: Bits, wanted: Bits, limit: int) -> Bits | None:
        """Those of the wanted hexes with a line where other hexes are open than here; None if that cannot be told.

        A hex closed since breaks no shorter lines; where none was opened no line has become possible.
        """
        by, last = self.by, len(self.by) - 1
        reached = by[limit] if limit < last else by[last]
        stands, altered = reached, (open_ ^ self.open) & reached
        shut = altered & self.open
        if shut:
            stands = by[self._first(shut)]
        doubtful = wanted & ~stands
        if not doubtful:
            return wanted
        if limit <= last and altered == shut:
            doubtful &= reached
        return None if doubtful else wanted & stands

    def path(self, h: Hex) -> tuple[Hex, ...] | None:
        """A cheapest line from h, first hex entered first; () at the goal."""
        left = self.cost(h)
        if left is None:
            return None
        crossings, way = self.costs.crossings, []
        while left:
            for d, n in enumerate(self.costs.grid.neighbours[h]):
                if n == NO_HEX or not self.open >> n & 1:
                    continue
                price = crossings.line_step(self.costs.kind, self.costs.weather, h, d, n)
                if price <= left and self.by[left - price] >> n & 1:
                    way.append(n)
                    h, left = n, left - price
                    break
            else:
                raise AssertionError("a line of supply leads nowhere")
        return tuple(way)
