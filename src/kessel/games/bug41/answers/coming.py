"""Who is still to come, as the scenario's list says."""

from __future__ import annotations

from collections.abc import Iterator

from kessel.core.title import Coming
from kessel.games.bug41.board import Board
from kessel.games.bug41.data.forces import SIDES


def coming(g: Board) -> Iterator[Coming]:
    for a in g.scenario.arrivals:
        if a.turn >= g.turn and a.formation in g.forces.commands:
            f = g.forces.commands.index(a.formation)
            where = f"{g.formation_name(f)} at level {a.level}, from {a.entry}"
            yield Coming(a.turn, SIDES[g.forces.side_of_command[f]], where)
