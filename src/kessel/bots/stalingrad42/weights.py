"""All numbers of the program that a copy of it or an order may change. A step of an ordinary division is worth one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple


class Temper(NamedTuple):
    """What a side cares for."""

    lure: float
    guard: float
    danger: float
    front: float
    line: float


TEMPERS = (Temper(1.2, 0.7, 0.15, 0.14, 0.45), Temper(0.25, 1.0, 1.1, 0.10, 0.55))
"""The Axis drives on; the Soviets hold what is theirs and keep a line."""

HURRY = Temper(1.6, 0.5, 0.08, 0.14, 0.35)
"""In the last turns before that the Axis dares more."""

LAST_TURN = Temper(2.0, 0.3, 0.0, 0.14, 0.1)
"""Nothing comes after: the Axis takes what it can."""

HOLDING = Temper(0.5, 1.0, 0.6, 0.12, 0.55)
"""The Axis when it has what it needs."""

LAST_WORD = Temper(2.0, 0.2, 0.0, 0.14, 0.1)
"""The Soviets in a turn after which the points are counted."""

STRIKING = Temper(0.8, 0.7, 0.4, 0.14, 0.5)
"""The Soviets when they must take it back."""


@dataclass(frozen=True, slots=True)
class Weights:
    # --- how much of its temper
    lure: float = 1.0
    guard: float = 1.0
    danger: float = 1.0
    front: float = 1.0
    line: float = 1.0
    # --- goals
    point: float = 6.0
    """A Victory Point."""
    enough: float = 10.0
    """Attack Strength that is sent even to an undefended goal."""
    effort: float = 20.0
    """A goal that calls for so much strength is worth half."""
    hold: float = 5.0
    """Holding a Victory Point."""
    slope: float = 0.2
    """The steady pull of a unit's own goal, a hex."""
    focus: int = -1
    """A hex that is worth more than its Victory Points, or none."""
    focus_worth: float = 3.0
    """How many times as much."""
    rouse: int = 7
    """Units farther than that from the enemy march by Extended Movement or rail."""
    edge: float = 0.0
    """A way off the map that brings Victory Points (S1.3), for each of them, in Victory Points."""
    keep: float = 0.0
    """What an objective of its own is worth that anybody holds at all, in its Victory Points; 0: by strength alone, and
    as the temper says."""
    depart: int = 4
    """So many turns before the last one units set out for the edge of the map."""
    brink: float = 0.0
    """What the map edge of the Axis is worth where the enemy is near, in its Victory Points (24.1.4)."""
    behind: int = -99
    """So many points above the benchmark the Axis is in a hurry (24.2)."""
    last: int = 0
    """Whether the Soviets risk everything in a turn after which the points are counted against them."""
    # --- fights
    use: float = 0.02
    """What binding a point of Attack Strength to an attack costs."""
    ground: float = 0.7
    """Any hex taken."""
    care: float = 0.8
    """What own steps count against the enemy's."""
    least: float = 0.1
    """An attack must promise so much."""
    strike: float = 0.2
    """A Breakthrough Combat must promise so much."""

    def temper(self, base: Temper) -> Temper:
        by = (self.lure, self.guard, self.danger, self.front, self.line)
        return Temper(*(a * b for a, b in zip(base, by, strict=True)))


WEIGHTS = (Weights(), Weights(care=1.1, least=0.5))
"""Of the Axis, of the Soviets."""

COMMANDER = (Weights(edge=0.7, keep=0.6), Weights(care=1.1, least=0.5, keep=0.6, last=1))
"""The same of the stronger program."""

CAMPAIGN = (replace(COMMANDER[0], brink=1.0, behind=1), COMMANDER[1])
"""The same where the game goes on until winter."""
