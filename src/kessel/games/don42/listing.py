"""Lists of actions made only when somebody looks at them, of tuples made once."""

from __future__ import annotations

from collections.abc import Callable, Iterator

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
    """`verb[n]` is the action (name, n), the same tuple every time."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def __missing__(self, n: int) -> Action:
        found = self[n] = (self.name, n)
        return found


TO, MOVE, ENTER, BOMBARD, WITH = (Verbs(name) for name in ("to", "move", "enter", "bombard", "with"))
