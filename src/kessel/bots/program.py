"""The frame of a program: for every question of the game one way to answer it.

    class Greedy(Program[Situation]):
        @on(MovementPhase.move)
        def march(self, s, p, found): ...

A way to answer names the step it answers by the step itself, gets what the program made of the position (`look`), the
procedure that asks and the choices, and returns an action; or None where it knows none better.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Generic, TypeVar

from kessel.core.board import Board
from kessel.core.procedure import Action, Options, Step, options
from kessel.core.title import Title

S = TypeVar("S")
Way = TypeVar("Way", bound=Callable[..., Any])


def on(*steps: Step) -> Callable[[Way], Way]:
    """The method below answers these questions."""

    def mark(way: Way) -> Way:
        way.answers = steps  # type: ignore[attr-defined]
        return way

    return mark


class Program(Generic[S]):
    """A player that answers question by question. What it remembers is its own."""

    ways: ClassVar[dict[Step, Callable[..., Action | None]]] = {}

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        self.reason = ""

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
