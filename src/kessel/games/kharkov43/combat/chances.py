"""Chances as whole numbers of ways, and 12.42: the chances of what chits drawn from the cup hit.

Chits are drawn without putting back. The first dark one returns those set aside to the cup, and drawing goes on from
all that is in it then. `Sums` counts all ways that can go: of n light chits out of the cup and of m others after the
first dark one, whoever was drawn when.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from math import comb, lcm
from typing import Generic, TypeAlias, TypeVar

from kessel.games.kharkov43.combat.chits import Hits

K = TypeVar("K")
L = TypeVar("L")
Kinds: TypeAlias = tuple[tuple[Hits, int], ...]
"""Chits by what they hit in this combat, and their number."""


class Chances(Mapping[K, Fraction], Generic[K]):
    """How likely several things are: the ways to each out of every way. Read like a dict of fractions."""

    __slots__ = ("every", "ways")

    def __init__(self, ways: dict[K, int], every: int) -> None:
        self.ways, self.every = ways, every

    def __getitem__(self, key: K) -> Fraction:
        return Fraction(self.ways[key], self.every)

    def __iter__(self) -> Iterator[K]:
        return iter(self.ways)

    def __len__(self) -> int:
        return len(self.ways)

    def __repr__(self) -> str:
        return repr(dict(self))

    def floats(self) -> Iterator[tuple[K, float]]:
        """The nearest number to each chance."""
        every = self.every
        return ((key, ways / every) for key, ways in self.ways.items())

    def of(self, what: Callable[[K], L]) -> Chances[L]:
        """The chances of something that follows from it."""
        found: dict[L, int] = {}
        for key, ways in self.ways.items():
            then = what(key)
            found[then] = found.get(then, 0) + ways
        return Chances(found, self.every)


def mixed(parts: Sequence[tuple[Fraction, Chances[K]]]) -> Chances[K]:
    """The chances where one of several cases comes true, each with its share."""
    every = lcm(*(share.denominator * part.every for share, part in parts))
    found: dict[K, int] = {}
    for share, part in parts:
        times = share.numerator * (every // (share.denominator * part.every))
        for key, ways in part.ways.items():
            found[key] = found.get(key, 0) + times * ways
    return Chances(found, every)


# --- 12.42 drawing from the cup --------------------------------------------------------------------------------------


class Sums:
    """The hits of 0 to `most` chits. `aside` comes back into the cup with the first dark chit, if there is one.

    The ways to all sums of so many chits are the digits of one big number, so that adding up ways adds all sums at
    once and drawing a chit shifts them. A chit may take hits from the defender: each chit drawn counts `low` more than
    it hits, and the reader takes that off again.
    """

    def __init__(self, cup: Kinds, dark: Kinds, aside: Kinds, most: int) -> None:
        self.light, self.size = _number(cup), _number(cup) + _number(dark)
        self.cup, self.dark, self.aside, self.most = cup, dark, aside, most
        every = [v for kinds in (cup, dark, aside) for v, _ in kinds]
        self.low = -min((v.defender for v in every), default=0)
        self.row = most * (max((v.defender for v in every), default=0) + self.low) + 1
        self.every = [lcm(*self._without_dark(n), *self._with_dark(n)) for n in range(most + 1)]
        """By the number of chits: the ways all are counted in."""
        self.digit = (max(self.every).bit_length() + 7) // 8
        self._known: dict[int, Chances[Hits]] = {}

    def _without_dark(self, n: int) -> list[int]:
        """Of so many chits, none of them dark: the number of ways to draw them all."""
        return [comb(self.size, n)] if n <= self.light else []

    def _with_dark(self, n: int) -> list[int]:
        """The same by how many light chits come before the first dark one."""
        if not self.dark:
            return []
        size, back = self.size, _number(self.aside)
        before = range(min(n - 1, self.light) + 1)
        return [comb(size, x) * (size - x) * comb(size - x - 1 + back, n - 1 - x) for x in before]

    def _shift(self, v: Hits) -> int:
        return (v.attacker * self.row + v.defender + self.low) * 8 * self.digit

    def _drawn(self, kinds: Iterable[tuple[Hits, int]]) -> list[int]:
        """The ways to draw 0, 1, 2 ... of these chits, by what they hit."""
        ways = [1] + [0] * self.most
        for value, number in kinds:
            shift = self._shift(value)
            times = [comb(number, i) for i in range(min(number, self.most) + 1)]
            ways = [
                sum(ways[n - i] * w << i * shift for i, w in enumerate(times[: n + 1]) if ways[n - i])
                for n in range(self.most + 1)
            ]
        return ways

    @cached_property
    def _of_cup(self) -> list[int]:
        """The light chits of the cup."""
        return self._drawn(self.cup)

    @cached_property
    def _others(self) -> list[int]:
        """The first dark chit, and 0, 1, 2 ... of those that are in the cup after it and were not light in it."""
        found = [0] * (self.most + 1)
        for first, number in self.dark:
            left = [(v, n - (v == first)) for v, n in self.dark]
            for m, ways in enumerate(self._drawn((*left, *self.aside))):
                found[m] += number * ways << self._shift(first)
        return found

    def of(self, draws: int) -> Chances[Hits]:
        """The chances of all sums of so many chits."""
        known = self._known.get(draws)
        if known is None:
            known = self._known[draws] = self._read(self._ways(draws), draws)
        return known

    def _ways(self, draws: int) -> int:
        """Of n light chits x came before the first dark one: any x of them."""
        every = self.every[draws]
        found = sum(self._of_cup[draws] * (every // all_) for all_ in self._without_dark(draws))
        each = [every // all_ for all_ in self._with_dark(draws)]
        for n in range(draws if each else 0):
            weight = sum(comb(n, x) * w for x, w in enumerate(each[: n + 1]))
            found += self._of_cup[n] * (self._others[draws - 1 - n] * weight)
        return found

    def _read(self, number: int, draws: int) -> Chances[Hits]:
        wide = self.digit
        raw = number.to_bytes((number.bit_length() + 7) // 8 + wide, "little")
        found = {}
        for digit in range(len(raw) // wide):
            if ways := int.from_bytes(raw[digit * wide : (digit + 1) * wide], "little"):
                attacker, defender = divmod(digit, self.row)
                found[Hits(attacker, defender - draws * self.low)] = ways
        return Chances(found, self.every[draws])


def _number(kinds: Kinds) -> int:
    return sum(number for _, number in kinds)


@lru_cache(maxsize=256)
def sums_of(cup: Kinds, dark: Kinds, aside: Kinds, most: int) -> Sums:
    return Sums(cup, dark, aside, most)
