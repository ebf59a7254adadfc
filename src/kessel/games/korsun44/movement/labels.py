"""9.0 What a search of moves has found: labels, read when somebody asks.

A label is what was spent, how often the way went from ZOC to ZOC, and the hex, as one number: smaller is better.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kessel.core.hexes import Hex

Spent = tuple[int, ...]
"""Parts of a Movement Point by kind of the party."""
CROSSINGS = 1 << 8
"""More than a move can go from ZOC to ZOC."""


class Labels(Mapping[Hex, Spent]):
    """What is spent on the way to each hex, read off the labels of a search."""

    __slots__ = ("found", "size")

    def __init__(self, found: dict[Hex, int], size: int) -> None:
        self.found, self.size = found, size

    def __getitem__(self, h: Hex) -> Spent:
        return (self.found[h] // self.size // CROSSINGS,)

    def __iter__(self) -> Iterator[Hex]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)

    def __contains__(self, h: object) -> bool:
        return h in self.found


class Trail(Mapping[Hex, tuple[Hex, ...]]):
    """The way to each hex, put together when somebody asks for it."""

    __slots__ = ("came", "found", "size", "start")

    def __init__(self, start: Hex, found: dict[Hex, int], came: dict[int, int], size: int) -> None:
        self.start, self.found, self.came, self.size = start, found, came, size

    def __getitem__(self, h: Hex) -> tuple[Hex, ...]:
        label, path = self.found[h], [h]
        while (label := self.came[label]) != self.start:
            path.append(label % self.size)
        return tuple(reversed(path))

    def __iter__(self) -> Iterator[Hex]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)
