"""Zones of control as hex sets, and bonds between pieces two hexes apart.

Which pieces exert a zone, how far, across which hexsides and with what effect is each game's own; here is only the
geometry. A game with two grades of zones (ZOC and ZOI) keeps two sets.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from kessel.core.hexes import NO_HEX, Bits, Grid, Hex
from kessel.core.hexset import Sides, members, spread, spread_through


def zone(grid: Grid, sources: Bits, blocked: Sides | None = None) -> Bits:
    """The hexes next to the sources, not across blocked hexsides."""
    return spread(grid, sources) if blocked is None else spread_through(grid, sources, blocked)


class Bond(NamedTuple):
    """Two places two hexes apart, over a hex (`via`) or over a hexside (`via` are the two hexes beside it)."""

    a: Hex
    b: Hex
    via: tuple[Hex, ...]

    @property
    def over_hex(self) -> bool:
        return len(self.via) == 1


def bonds(grid: Grid, holders: Bits) -> Iterator[Bond]:
    """All pairs of holders two hexes apart, each once. Hexes off the board never lie between."""
    for a in members(holders):
        six = grid.neighbours[a]
        for d in range(3):
            m = six[d]
            b = grid.neighbours[m][d] if m != NO_HEX else NO_HEX
            if b != NO_HEX and holders >> b & 1:
                yield Bond(a, b, (m,))
        for d in range(3):
            left, right = six[d], six[d + 1]
            b = grid.neighbours[left][d + 1] if left != NO_HEX and right != NO_HEX else NO_HEX
            if b != NO_HEX and holders >> b & 1:
                yield Bond(a, b, (left, right))
