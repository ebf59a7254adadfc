"""22.1 Who is still to come, as the scenario's schedule says."""

from __future__ import annotations

from collections.abc import Iterator

from kessel.core.title import Coming
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.data.forces import SIDES


def coming(g: Board) -> Iterator[Coming]:
    for a in g.scenario.arrivals:
        if a.turn >= g.turn:
            units = ", ".join(
                e.id for e in a.units if g.plays("leaders") or not g.forces.is_leader(g.forces.unit(e.id))
            )
            where = f"Entry {'Areas' if len(a.areas) > 1 else 'Area'} {' or '.join(a.areas)}" if a.areas else "the map"
            if units:
                yield Coming(a.turn, SIDES[a.side], f"{units}, in {where}", a.rule)
