"""What a position is worth by its parts, with weights fitted on games of the arena (`kessel arena fit`).

A part is a number that counts for the first played side (its strength less the other's, say). Its weight changes with
the share of the game that is left; the sum foretells the final margin, in Victory Points for that side.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import msgspec


class Parts(Protocol):
    """What a game gives for it."""

    def parts(self, g: Any) -> dict[str, float]:
        """For the first played side."""

    def left(self, g: Any) -> float:
        """The share of the game that is left: 1 at its beginning, 0 at its end."""


class Weight(msgspec.Struct, frozen=True):
    """Of one part: at the end of the game, and what comes to it at the beginning."""

    end: float
    more: float

    def at(self, left: float) -> float:
        return self.end + self.more * left


class Worth(msgspec.Struct, frozen=True):
    """Fitted numbers, as they stand in a program's `worth.json`."""

    scenario: str
    games: int
    positions: int
    base: Weight
    parts: dict[str, Weight]

    def margin(self, parts: Mapping[str, float], left: float) -> float:
        """The final margin it foretells, for the first played side."""
        return self.base.at(left) + sum(w.at(left) * parts[name] for name, w in self.parts.items())


def read_worth(path: Path) -> Worth:
    return msgspec.json.decode(path.read_bytes(), type=Worth)
