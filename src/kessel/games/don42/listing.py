"""Lists of actions made only when somebody looks at them, of tuples made once."""

from __future__ import annotations

from collections.abc import Callable, Iterator

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


class Verb:
    """The actions (name, n): each the same tuple every time, made in order, so that they lie side by side."""

    __slots__ = ("_made", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        self._made: list[Action] = []

    def up_to(self, n: int) -> list[Action]:
        """The actions of all numbers below n at least."""
        made = self._made
        if len(made) < n:
            made = self._made = [*made, *((self.name, i) for i in range(len(made), n))]
        return made

    def each(self, s: Bits) -> list[Action]:
        """The actions of the hexes of a set in ascending order: eight hexes at a time, where there are any."""
        found: list[Action] = []
        if s:
            made = self.up_to(s.bit_length())
            first = ((s & -s).bit_length() - 1) // 8 * 8
            for byte in (s >> first).to_bytes((s.bit_length() - first + 7) // 8, "little"):
                if byte:
                    for i in IN_BYTE[byte]:
                        found.append(made[first + i])
                first += 8
        return found


IN_BYTE = tuple(tuple(i for i in range(8) if byte >> i & 1) for byte in range(256))
"""The bits set in each byte."""
TO, MOVE, ENTER, ENTRENCH, BOMBARD = (Verb(name) for name in ("to", "move", "enter", "entrench", "bombard"))
