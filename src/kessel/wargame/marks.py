"""Which units carry a marker: a column of flags is looked at as one number, since most units carry none."""

from __future__ import annotations

import sys
from array import array
from functools import cache

from kessel.core.forces import Unit


def flagged(column: array[int], flags: int) -> list[Unit]:
    """The units with any of these flags, in ascending order."""
    size = column.itemsize * 8
    if sys.byteorder == "big":
        column = column[:]
        column.byteswap()
    found = int.from_bytes(column.tobytes(), "little") & flags * _ones(len(column), size)
    units = []
    while found:
        u = (found.bit_length() - 1) // size
        units.append(u)
        found &= (1 << u * size) - 1
    units.reverse()
    return units


@cache
def _ones(n: int, size: int) -> int:
    """The number whose words of so many bits are 1."""
    return sum(1 << size * i for i in range(n))
