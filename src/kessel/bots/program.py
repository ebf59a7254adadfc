"""The frame of a program: for every question of the game one way to answer it.

    class Greedy(Program[Situation]):
        @on(MovementPhase.move)
        def march(self, s, p, found): ...

A way to answer names the step it answers by the step itself, gets what the program made of the position (`look`), the
procedure that asks and the choices, and returns an action; or None where it knows none better.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, ClassVar, Generic, TypeVar

from kessel.bots.purpose import Adviser, Weighed
from kessel.bots.weights import Changes, W, changed, check_changes
from kessel.core.board import Board
from kessel.core.procedure import Action, Options, Step, options
from kessel.core.title import Title

S = TypeVar("S")
T = TypeVar("T")
Way = TypeVar("Way", bound=Callable[..., Any])


def nothing() -> Iterable[Weighed]:
    return ()


def on(*steps: Step) -> Callable[[Way], Way]:
    """The method below answers these questions."""

    def mark(way: Way) -> Way:
        way.answers = steps  # type: ignore[attr-defined]
        return way

    return mark


class Memory:
    """What one player remembers from decision to decision: the last few things it made, by what they were made of.

    It is never shared: two players that begin in one position with empty memories play alike.
    """

    __slots__ = ("kept", "memo", "most")

    def __init__(self, most: int) -> None:
        self.kept: dict[Any, Any] = {}
        self.memo: dict[Any, Any] = {}
        """What was worked out of single things, and is not forgotten for newer plans."""
        self.most = most

    def keep(self, key: Any, make: Callable[[], T]) -> T:
        """What was made for this key, or is made now; the oldest is forgotten for it."""
        if key not in self.kept:
            if len(self.kept) >= self.most:
                del self.kept[next(iter(self.kept))]
            self.kept[key] = make()
        found: T = self.kept[key]
        return found


class Program(Generic[S]):
    """A player that answers question by question. Its numbers are data, what it remembers is its own, and it leaves
    the board it is given as it is.
    """

    ways: ClassVar[dict[Step, Callable[..., Action | None]]] = {}
    numbers: ClassVar[type[Any] | None] = None
    """The form of its numbers."""
    adviser: ClassVar[Adviser] = Adviser()
    """Says what it means by what it does."""

    def __init__(self, seed: int = 0, changes: Changes | None = None) -> None:
        check_changes(self.numbers, changes or {})
        self.seed = seed
        self.reason = ""
        self.weighed: Callable[[], Iterable[Weighed]] = nothing
        """What was thought of in the last decision; found when somebody asks."""
        self.changes = dict(changes or {})
        """How its numbers differ from those of its kind."""
        self.orders: dict[Hashable, Changes] = {}
        """The same for single formations: what they are to do in this turn."""
        self._tuned: dict[Any, Any] = {}

    def tuned(self, base: W, formation: Hashable = None) -> W:
        """The numbers to play by, of that formation; an order for None is one for all that have none of their own."""
        name = formation if formation in self.orders else None
        key = (id(base), name)
        known: tuple[W, W] | None = self._tuned.get(key)
        if known is None:
            known = self._tuned[key] = base, changed(base, {**self.changes, **self.orders.get(name, {})})
        return known[1]

    def order(self, orders: Mapping[Hashable, Changes]) -> None:
        """What formations are to do from now on; whoever is not named does what it always does."""
        self.orders = dict(orders)
        self._tuned.clear()
        self.forget()

    def forget(self) -> None:
        """Plans made by other orders are forgotten."""

    def __init_subclass__(cls) -> None:
        cls.ways = dict(cls.ways)
        for name, way in vars(cls).items():
            for step in getattr(way, "answers", ()):
                if hasattr(Program, name):
                    raise TypeError(f"{cls.__name__}.{name} answers a question under a name of the frame")
                cls.ways[step] = way

    def look(self, g: Any, side: int) -> S:
        """What the program makes of the position before it answers."""
        raise NotImplementedError

    def choose(self, t: Title, g: Board, side: int) -> Action:
        found = options(g)
        self.reason, self.weighed = "", nothing
        chosen = self.wanted(g, side, found)
        return chosen if chosen is not None and found.allows(chosen) else self.fall_back(found, chosen)

    def wanted(self, g: Board, side: int, found: Options) -> Action | None:
        """What the way to answer this question says; None where there is no such way."""
        p = g.stack[-1]
        assert p.step is not None
        seen, way = self.look(g, side), self.ways.get(p.step)
        return way(self, seen, p, found) if way is not None else None

    def fall_back(self, found: Options, wanted: Action | None) -> Action:
        """What is done where nothing better is known, or what was wanted is not allowed: end the phase, or the first
        choice."""
        self.reason = "nothing better to do"
        plain = found.plain()
        return plain[0] if plain else next(iter(found))

    def say(self, action: Action, reason: str) -> Action:
        """The action, with what it is meant for."""
        self.reason = reason
        return action
