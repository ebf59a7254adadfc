"""The scenarios (S1-S4): what a set-up card, a turn track and the special rules of a scenario say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from kessel.core.board import Place
from kessel.core.forces import Side
from kessel.core.hexes import Bits
from kessel.core.terrain import Map
from kessel.games.stalingrad42.forces import SIDES


@dataclass(frozen=True, eq=False)
class Scenario:
    id: str = "position"
    name: str = "a position"
    first_turn: int = 1
    last_turn: int = 36
    track: str = "turns"
    """The Turn Record Track: a table of the pack."""
    areas: Mapping[str, str] = field(default_factory=dict)
    """Entry Areas that belong to another side than the board says: id to side, "" for nobody."""
    exits: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Entry Areas a side may leave the map by though they are not its own: id to sides."""
    supplying: Mapping[str, Bits] = field(default_factory=dict)
    """Entry Areas that supply only through some of their hexes."""
    railhead_moves: int = 0
    """Railheads that may move in a turn, 0 as the rules say (17.2.1, S2.2)."""
    rules: frozenset[str] = frozenset()
    """Special rules in force, by their number: S1.2b, 31.0, ..."""

    def box_side(self, m: Map, place: Place) -> Side | None:
        box = m.box(place)
        word = self.areas.get(box.id, box.side)
        return SIDES.index(word) if word in SIDES else None

    def is_exit(self, m: Map, place: Place, side: Side) -> bool:
        """An Entry Area of nobody or the enemy through which a side's units may leave the map (S1.2, 24.1.2)."""
        return SIDES[side] in self.exits.get(m.box(place).id, ())

    def supply_hexes(self, m: Map, place: Place) -> Bits:
        """The hexes through which an Entry Area supplies: all its hexes, where the scenario names none (S2.2)."""
        return self.supplying.get(m.box(place).id, m.grid.all)

    def has(self, rule: str) -> bool:
        return rule in self.rules


FREE = Scenario()
"""The scenario of a hand-written position: no special rules."""
