"""Lists of actions made only when somebody looks at them, of tuples made once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, compress
from operator import getitem

from kessel.core.hexes import Bits
from kessel.core.procedure import Action


class Listed:
    """The actions a function lists; the function is called when they are wanted, each time anew."""

    __slots__ = ("make",)

    def __init__(self, make: Callable[[], list[Action]]) -> None:
        self.make = make

    def __iter__(self) -> Iterator[Action]:
        return iter(self.make())

    def __contains__(self, action: object) -> bool:
        return action in self.make()


class Verbs(dict[int, Action]):
    """`verb[n]` is the action (name, n), the same tuple every time; `verb.each(s)` one for each hex of a set."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
        self._rows: list[_Row] = []

    def each(self, s: Bits) -> list[Action]:
        """In ascending order: eight hexes at a time are looked up together, where there are any."""
        if not s:
            return []
        rows, low, high = self._rows, ((s & -s).bit_length() - 1) // 8, (s.bit_length() + 7) // 8
        while len(rows) < high:
            rows.append(_Row(self, 8 * len(rows)))
        data = (s >> 8 * low).to_bytes(high - low, "little")
        return list(chain.from_iterable(map(getitem, compress(rows[low:high], data), filter(None, data))))

    def __missing__(self, n: int) -> Action:
        found = self[n] = (self.name, n)
        return found


class _Row(dict[int, tuple[Action, ...]]):
    """The actions of eight hexes, by the byte that says which of them are meant."""

    def __init__(self, verb: Verbs, first: int) -> None:
        super().__init__()
        self.verb, self.first = verb, first

    def __missing__(self, byte: int) -> tuple[Action, ...]:
        found = self[byte] = tuple(self.verb[self.first + i] for i in range(8) if byte >> i & 1)
        return found


TO, MOVE, ENTER, BOMBARD, WITH = (Verbs(name) for name in ("to", "move", "enter", "bombard", "with"))
