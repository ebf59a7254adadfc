"""The order of battle of a game whose counters are read as records: id, side and name are columns of all games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, Protocol, TypeVar

from kessel.core.forces import Forces as CoreForces
from kessel.core.forces import Side


class Counter(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def side(self) -> Side: ...
    @property
    def name(self) -> str: ...


C = TypeVar("C", bound=Counter)


class Forces(CoreForces, Generic[C]):
    """`formations` names those a counter belongs to, the closest first; an empty name is none."""

    def __init__(
        self, counters: Sequence[C], *, steps: Callable[[C], int], formations: Callable[[C], Iterable[str]]
    ) -> None:
        super().__init__(
            [c.id for c in counters],
            [c.side for c in counters],
            names=[c.name or c.id for c in counters],
            steps=[steps(c) for c in counters],
            formations=[tuple(filter(None, formations(c))) for c in counters],
        )
        self.counters = tuple(counters)
        """As they are printed."""
