"""Board: what games of two sides add to the columns of the core: readings, who stands where, lines of the log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kessel.core.board import NOWHERE, Place
from kessel.core.board import Board as CoreBoard
from kessel.core.forces import NO_UNIT, Forces, Side, Unit
from kessel.core.hexes import Hex
from kessel.core.terrain import Map
from kessel.wargame.readings import Readings


class Board(CoreBoard):
    constant = (*CoreBoard.constant, "readings")

    def __init__(self, map: Map, forces: Forces, readings: Readings, options: Mapping[str, Any] | None = None) -> None:
        super().__init__(map, forces, options)
        known = {key: str(value) for key, value in self.options.items() if key in readings.all}
        self.readings = readings.chosen(known)
        """Every switch and optional rule as it is played."""

    def reads(self, switch: str) -> str:
        """How a point the rules leave open is read."""
        return self.readings[switch]

    def plays(self, option: str) -> bool:
        """Whether an optional rule is in force."""
        return self.readings[option] == "on"

    def side_of(self, u: Unit) -> Side:
        return self.forces.side[u]

    def enemies_in(self, place: Place, side: Side) -> bool:
        """Whether the place is held by the other side; for games in which a hex never holds both."""
        u = self._top[place]
        return u != NO_UNIT and self.forces.side[u] != side

    def tell_way(self, u: Unit, does: str, path: Sequence[Hex], rule: str, **facts: Any) -> None:
        """A line in the log about a unit that goes from where it stands along a path, so that it can be drawn."""
        if self.events is None:
            return
        way = [self.place_name(p) for p in path]
        start = {} if self.place[u] == NOWHERE else {"from": self.place_name(self.place[u])}
        about = {"unit": self.id(u), **start, "to": way[-1], "path": way, **facts}
        self.tell(f"{self.name(u)} {does} {way[-1]}", rule, **about)


def other(side: Side) -> Side:
    return 1 - side
