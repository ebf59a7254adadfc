"""One counter that becomes several, and back: breakdown, recombination, extension, replacement counters.

All counters of the pack are units from the start, most of them nowhere; no unit is ever made or destroyed, so columns
stay flat. `Family` says which counters stand for which; the steps of the whole are shared out among its parts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from kessel.core.board import NOWHERE, Board
from kessel.core.forces import Unit


@dataclass(frozen=True, slots=True)
class Family:
    """Which counters can stand for which: the parts of each whole, and the whole of each part."""

    parts: Mapping[Unit, tuple[Unit, ...]]
    whole: Mapping[Unit, Unit] = field(default_factory=dict)

    @classmethod
    def of(cls, parts: Mapping[Unit, Sequence[Unit]]) -> Family:
        whole: dict[Unit, Unit] = {}
        for u, some in parts.items():
            for v in some:
                if v in whole:
                    raise ValueError(f"unit {v} is a part of two others")
                whole[v] = u
        return cls({u: tuple(some) for u, some in parts.items()}, whole)

    def whole_of(self, u: Unit) -> Unit:
        """The counter this one is a part of, or itself."""
        return self.whole.get(u, u)

    def in_play(self, g: Board, u: Unit) -> tuple[Unit, ...]:
        """The parts of a whole that are in a place."""
        return tuple(v for v in self.parts.get(u, ()) if g.place[v] != NOWHERE)


def break_down(g: Board, u: Unit, into: Mapping[Unit, int]) -> None:
    """Exchange a counter for parts of it, each with that many steps. Who may be exchanged for what is the rule's."""
    where = g.place[u]
    g.move(u, NOWHERE)
    g.steps[u] = 0
    for v, steps in into.items():
        g.steps[v] = steps
        g.move(v, where)


def recombine(g: Board, parts: Sequence[Unit], u: Unit, steps: int) -> None:
    """Exchange counters in one place for the whole with that many steps."""
    where = g.place[parts[0]]
    for v in parts:
        g.move(v, NOWHERE)
        g.steps[v] = 0
    g.steps[u] = steps
    g.move(u, where)


def faults(g: Board, family: Family) -> list[str]:
    """A whole and one of its parts in play together."""
    return [
        f"{g.name(u)} is in play together with its part {g.name(v)}"
        for u in family.parts
        if g.place[u] != NOWHERE
        for v in family.in_play(g, u)
    ]
