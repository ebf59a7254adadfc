"""Hex grids: printed numbers to indices and back, neighbours, directions, distance.

All five games number their hexes by two digit pairs: the first names a line of hexes, the second counts along that
line, and every other line lies half a hex further along. Small test boards may use axial names ("0,-1") instead.

A hex is an int: its place in an axial storage with one guard cell at the end of each line, so that stepping in a
direction adds a constant to the index and a step off the board lands on a cell that no board contains. The same
index is the hex's bit in a hex set (`kessel.core.hexset`).

Directions are numbered 0..5 around the hex; `d` and `d + 3` are opposite. In a grid whose first pair runs east and
whose second runs south they are N, NE, SE, S, SW, NW.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from kessel.core.errors import BadInput

Hex: TypeAlias = int
Direction: TypeAlias = int
Hexside: TypeAlias = int
"""`hex * 6 + direction`; the same hexside has two such numbers, one from either hex."""

Bits: TypeAlias = int
"""A set of hexes as the bits of an int."""

NO_HEX: Hex = -1
STEPS: tuple[tuple[int, int], ...] = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
"""Axial (q, r) of the six directions."""

COMPASS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
BEARINGS = {name: 45.0 * i for i, name in enumerate(COMPASS)}
_PRINTED = re.compile(r"\d{4}")
_AXIAL = re.compile(r"(-?\d+),(-?\d+)")


class Grid:
    """The hexes of one board and how they touch."""

    def __init__(
        self, cells: Iterable[tuple[str, int, int]], *, first_runs: float = 90.0, second_runs: float = 180.0
    ) -> None:
        cells = sorted(cells, key=lambda c: (c[1], c[2]))
        if not cells:
            raise BadInput("a board needs at least one hex")
        q0, r0 = cells[0][1], min(c[2] for c in cells)
        self.stride = max(c[2] for c in cells) - r0 + 2
        self.size = (cells[-1][1] - q0 + 1) * self.stride
        self.first_runs, self.second_runs = first_runs, second_runs
        self._names = [""] * self.size
        self._index: dict[str, Hex] = {}
        self.q = [0] * self.size
        self.r = [0] * self.size
        self.all: Bits = 0
        for name, q, r in cells:
            h = (q - q0) * self.stride + (r - r0)
            if name in self._index or self._names[h]:
                raise BadInput(f"hex {name} is listed twice")
            self._names[h], self._index[name] = name, h
            self.q[h], self.r[h] = q, r
            self.all |= 1 << h
        self.hexes: tuple[Hex, ...] = tuple(self._index[c[0]] for c in cells)
        self.field: Bits = sum(((1 << self.stride - 1) - 1) << h for h in range(0, self.size, self.stride))
        """All places of the field the board lies in, its gaps included."""
        self.offsets = tuple(dq * self.stride + dr for dq, dr in STEPS)
        self.neighbours: list[tuple[Hex, ...]] = [()] * self.size
        """Six entries per hex, by direction; NO_HEX where the board ends."""
        self.around: list[tuple[Hex, ...]] = [()] * self.size
        """The neighbours that exist."""
        for h in self.hexes:
            six = tuple(n if self._is_hex(n := h + o) else NO_HEX for o in self.offsets)
            self.neighbours[h] = six
            self.around[h] = tuple(n for n in six if n != NO_HEX)
        self.direction_names = self._name_directions()
        self.near: list[Bits] = [0] * self.size
        """The neighbours of each hex as bits."""
        for h in self.hexes:
            for n in self.around[h]:
                self.near[h] |= 1 << n

    @classmethod
    def printed(
        cls,
        names: Iterable[str],
        *,
        shifted: str = "even",
        first_runs: float | str = "E",
        second_runs: float | str = "S",
    ) -> Grid:
        """A grid of four-digit numbers; `shifted` says which first pairs lie half a hex further along."""
        if shifted not in ("even", "odd"):
            raise BadInput(f"shifted must be even or odd, not {shifted!r}")
        names = list(names)
        bad = next((n for n in names if not _PRINTED.fullmatch(n)), None)
        if bad is not None:
            raise BadInput(f"{bad!r} is not a four-digit hex number")
        parity = 0 if shifted == "even" else 1
        a0 = min((int(n[:2]) for n in names), default=0)
        s0 = int(a0 % 2 == parity)

        def axial(name: str) -> tuple[str, int, int]:
            a, b = int(name[:2]), int(name[2:])
            return name, a, (2 * b + int(a % 2 == parity) - (a - a0) - s0) // 2

        return cls(map(axial, names), first_runs=bearing(first_runs), second_runs=bearing(second_runs))

    @classmethod
    def axial(cls, names: Iterable[str]) -> Grid:
        """A small grid whose hexes are named `q,r`."""

        def cell(name: str) -> tuple[str, int, int]:
            m = _AXIAL.fullmatch(name)
            if m is None:
                raise BadInput(f"{name!r} is not an axial hex name like 0,-1")
            return name, int(m[1]), int(m[2])

        return cls(map(cell, names))

    def _is_hex(self, n: int) -> bool:
        return 0 <= n < self.size and self._names[n] != ""

    def _name_directions(self) -> tuple[str, ...]:
        """Compass names as on the sheet, which may be turned against true north by less than 30 degrees."""
        up = self.first_runs % 30
        first, second = (round((b - up) / 30) * 30 for b in (self.first_runs, self.second_runs))
        names = []
        for dq, dr in STEPS:
            x = dq * math.sqrt(3) / 2 * _sin(first) + (dr + dq / 2) * _sin(second)
            y = dq * math.sqrt(3) / 2 * _cos(first) + (dr + dq / 2) * _cos(second)
            names.append(COMPASS[round(math.degrees(math.atan2(x, y)) / 45) % 8])
        return tuple(names)

    # --- names -----------------------------------------------------------------------------------------------------

    def name(self, h: Hex) -> str:
        return self._names[h]

    def names(self, hexes: Iterable[Hex]) -> list[str]:
        return [self._names[h] for h in hexes]

    def hex(self, name: str) -> Hex:
        """The hex of that printed number; BadInput where the board has none."""
        h = self._index.get(name)
        if h is None:
            raise BadInput(f"there is no hex {name} on this board")
        return h

    def find(self, name: str) -> Hex:
        """As `hex`, but NO_HEX where there is none."""
        return self._index.get(name, NO_HEX)

    def __contains__(self, name: object) -> bool:
        return name in self._index

    def __iter__(self) -> Iterator[Hex]:
        return iter(self.hexes)

    def __len__(self) -> int:
        return len(self.hexes)

    # --- geometry --------------------------------------------------------------------------------------------------

    def step(self, h: Hex, d: Direction) -> Hex:
        return self.neighbours[h][d % 6]

    def direction(self, a: Hex, b: Hex) -> Direction:
        """The direction from a to its neighbour b."""
        try:
            return self.offsets.index(b - a)
        except ValueError:
            raise BadInput(f"hexes {self.name(a)} and {self.name(b)} are not adjacent") from None

    def toward(self, name: str) -> Direction:
        """The direction of that compass name on this grid."""
        try:
            return self.direction_names.index(name)
        except ValueError:
            raise BadInput(f"this grid has the directions {', '.join(self.direction_names)}, not {name}") from None

    def adjacent(self, a: Hex, b: Hex) -> bool:
        return b in self.around[a]

    def distance(self, a: Hex, b: Hex) -> int:
        dq, dr = self.q[a] - self.q[b], self.r[a] - self.r[b]
        return max(abs(dq), abs(dr), abs(dq + dr))

    def ring(self, h: Hex, n: int) -> list[Hex]:
        """The hexes at exactly that distance."""
        return [x for x in self.hexes if self.distance(h, x) == n]

    def hexside(self, a: Hex, b: Hex) -> Hexside:
        return a * 6 + self.direction(a, b)

    def flip(self, side: Hexside) -> Hexside:
        """The same hexside seen from the other hex."""
        h, d = divmod(side, 6)
        return self.neighbours[h][d] * 6 + (d + 3) % 6

    def canonical(self, side: Hexside) -> Hexside:
        """The one of a hexside's two numbers that its name is read as: use it in actions."""
        h, d = divmod(side, 6)
        n = self.neighbours[h][d]
        return side if self._names[h] < self._names[n] else n * 6 + (d + 3) % 6

    def hexside_name(self, side: Hexside) -> str:
        h, d = divmod(side, 6)
        return "|".join(sorted((self.name(h), self.name(self.neighbours[h][d]))))

    def between(self, side: Hexside) -> str:
        """A hexside as a person says it."""
        return "between " + self.hexside_name(side).replace("|", " and ")

    def parse_hexside(self, text: str) -> Hexside:
        a, bar, b = text.partition("|")
        if not bar:
            raise BadInput(f"{text!r} is not a hexside like 2403|2503")
        return self.hexside(self.hex(a), self.hex(b))

    def centre(self, h: Hex) -> tuple[float, float]:
        """Where the hex lies on the sheet, x to the right and y down, hex width (flat to flat) = 1."""
        up = self.first_runs % 30
        first, second = (round((b - up) / 30) * 30 for b in (self.first_runs, self.second_runs))
        u, v = self.q[h] * math.sqrt(3) / 2, self.r[h] + self.q[h] / 2
        return u * _sin(first) + v * _sin(second), -(u * _cos(first) + v * _cos(second))


def bearing(runs: float | str) -> float:
    """Degrees of a compass name or of degrees already."""
    if isinstance(runs, str):
        if runs not in BEARINGS:
            raise BadInput(f"{runs!r} is not a compass direction")
        return BEARINGS[runs]
    return float(runs)


def hex_list(text: str) -> list[str]:
    """The numbers of a list like `1000-1003 1105`; a range runs along one line.

    >>> hex_list("1000-1003 1105")
    ['1000', '1001', '1002', '1003', '1105']
    """
    names: list[str] = []
    for word in text.split():
        low, dash, high = word.partition("-")
        if not dash or "," in word:
            names.append(word)
        elif _PRINTED.fullmatch(low) and _PRINTED.fullmatch(high) and low[:2] == high[:2] and low <= high:
            names.extend(f"{low[:2]}{n:02d}" for n in range(int(low[2:]), int(high[2:]) + 1))
        else:
            raise BadInput(f"{word!r} is not a hex or a range along one line")
    return names


def _sin(degrees: float) -> float:
    return math.sin(math.radians(degrees))


def _cos(degrees: float) -> float:
    return math.cos(math.radians(degrees))
