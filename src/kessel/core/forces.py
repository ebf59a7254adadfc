"""Forces: the static order of battle of one game, as columns indexed by unit.

A game subclasses `Forces` with its own columns (strengths, types, nationalities). Units are ints; their ids are what
the notation writes. `formations` lists, for each unit, the formations it belongs to, the closest first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from kessel.core.errors import BadInput

Unit: TypeAlias = int
Side: TypeAlias = int
NO_UNIT: Unit = -1


class Forces:
    def __init__(
        self,
        ids: Sequence[str],
        sides: Sequence[Side],
        *,
        names: Sequence[str] = (),
        said: Sequence[str] = (),
        steps: Sequence[int] = (),
        formations: Sequence[tuple[str, ...]] = (),
        called: Mapping[str, str] | None = None,
    ) -> None:
        self.ids = tuple(ids)
        self.side = bytes(sides)
        self._of_side = tuple(tuple(u for u, s in enumerate(sides) if s == side) for side in (0, 1))
        self.names = tuple(names) or self.ids
        self.said = tuple(said) or self.ids
        """How a sentence calls each: as its counter shows it, or in words where that would be a code."""
        self.called: Mapping[str, str] = called or {}
        """How a sentence calls a formation, where its short name is a code."""
        self.full_steps = bytes(steps) if steps else bytes([1] * len(self.ids))
        self.formations = tuple(formations) or ((),) * len(self.ids)
        self.shown: dict[Any, Any] = {}
        """Counters as they were last drawn (`kessel.wargame.views`): a memory of views, no part of the game."""
        self._index = {name: u for u, name in enumerate(self.ids)}
        if len(self._index) != len(self.ids):
            twice = next(n for n in self.ids if self.ids.count(n) > 1)
            raise BadInput(f"unit {twice} is listed twice")
        columns = (self.side, self.names, self.said, self.full_steps, self.formations)
        if any(len(c) != len(self.ids) for c in columns):
            raise BadInput("the order of battle's columns differ in length")

    def __len__(self) -> int:
        return len(self.ids)

    def words(self) -> dict[str, str]:
        """How a sentence calls whatever the notation writes otherwise: units and formations."""
        units = {i: said for i, said in zip(self.ids, self.said, strict=True) if said != i}
        return {**self.called, **units}

    def unit(self, name: str) -> Unit:
        u = self._index.get(name)
        if u is None:
            raise BadInput(f"there is no unit {name}")
        return u

    def find(self, name: str) -> Unit:
        return self._index.get(name, NO_UNIT)

    def of(self, formation: str) -> list[Unit]:
        """All units of that formation, at whatever level."""
        return [u for u, f in enumerate(self.formations) if formation in f]

    def of_side(self, side: Side) -> tuple[Unit, ...]:
        return self._of_side[side]

    def by_side(self, holds: Callable[[Unit], object]) -> tuple[tuple[Unit, ...], ...]:
        """The units of each side of which something holds."""
        return tuple(tuple(u for u in self.of_side(side) if holds(u)) for side in (0, 1))
