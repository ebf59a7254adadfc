"""2.1, 3.0 What the calendar and the counters say of the turns to come."""

from __future__ import annotations

from collections.abc import Iterator

from kessel.core.title import Coming
from kessel.games.kharkov43.board import Board
from kessel.games.kharkov43.data.forces import GERMAN, SIDES, SOVIET


def coming(g: Board) -> Iterator[Coming]:
    last = g.scenario.last_turn if g.scenario else max(g.charts.calendar)
    for turn in range(g.turn, last + 1):
        for side in (GERMAN, SOVIET):
            units = [u for u in g.forces.of_side(side) if g.forces.entry_turn[u] == turn > g.turn]
            if units:
                yield Coming(turn, SIDES[side], ", ".join(map(g.name, units)), "4.II")
        space = g.charts.calendar[turn]
        yield Coming(turn, SIDES[GERMAN], f"a hand of {space.hand} cards ({space.dates})", "2.1")
        cards = [c.name for c in g.charts.cards if c.is_german and c.enters == turn > g.turn]
        if cards:
            yield Coming(turn, SIDES[GERMAN], f"new cards: {', '.join(cards)}", "4.II")
