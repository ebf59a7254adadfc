"""Movement points in any fraction: whole numbers of the smallest part a game needs (2 to a point, 6 for thirds)."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from kessel.core.errors import BadPack
from kessel.core.tables import Table


@cache
def points(text: str, point: int, where: str = "") -> int:
    """A printed number of movement points as whole parts.

    >>> points("1/3", 6), points("1.5", 6), points("2", 6)
    (2, 9, 12)
    """
    try:
        found = Fraction(text.strip()) * point
    except (ValueError, ZeroDivisionError):
        raise BadPack(f"{text!r} is not a number of movement points", where) from None
    if found.denominator != 1 or found < 0:
        raise BadPack(f"{text} movement points are not a multiple of 1/{point}", where)
    return int(found)


def cell_points(table: Table, row: str, column: str, point: int) -> int:
    """The movement points in a cell of a table."""
    return points(table.at(row, column), point, f"{table.name}: {row}/{column}")


def shown(parts: int, point: int) -> float:
    """As a number of movement points in an answer: 3.0, 2.5."""
    return round(parts / point, 4)


def written(parts: int, point: int) -> str:
    """As a person writes it.

    >>> written(8, 6), written(12, 6), written(2, 6)
    ('1 1/3', '2', '1/3')
    """
    whole, rest = divmod(parts, point)
    part = str(Fraction(rest, point)) if rest else ""
    return " ".join(filter(None, (str(whole) if whole or not part else "", part)))
