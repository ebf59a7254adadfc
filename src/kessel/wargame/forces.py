"""The order of battle of a game whose counters are read as records: id, side and name are columns of all games."""

from __future__ import annotations

from collections import Counter as Count
from collections.abc import Callable, Iterable, Mapping, Sequence
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
        self,
        counters: Sequence[C],
        *,
        steps: Callable[[C], int],
        formations: Callable[[C], Iterable[str]],
        said: Callable[[Sequence[C]], Sequence[str]] = lambda counters: (),
        called: Callable[[Sequence[C]], Mapping[str, str]] = lambda counters: {},
    ) -> None:
        super().__init__(
            [c.id for c in counters],
            [c.side for c in counters],
            names=[c.name or c.id for c in counters],
            said=said(counters),
            called=called(counters),
            steps=[steps(c) for c in counters],
            formations=[tuple(filter(None, formations(c))) for c in counters],
        )
        self.counters = tuple(counters)
        """As they are printed."""


def short_names(counters: Sequence[Counter], whole: str) -> list[str]:
    """Names as a sentence has them: "245 Infantry Regiment, 88th Infantry Division" is the 245 Infantry Regiment where
    there is only one of that number, and else `whole`, which has a gap for each half."""
    halves = [(c.name or c.id).partition(", ") for c in counters]
    times = Count(first for first, _, _ in halves)
    return [first if times[first] == 1 or not rest else whole.format(first, rest) for first, _, rest in halves]
