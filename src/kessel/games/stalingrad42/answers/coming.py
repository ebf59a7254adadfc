"""22.1 Who is still to come, as the scenario's schedule says."""

from __future__ import annotations

from collections.abc import Iterator

from kessel.core.title import Coming
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.data.forces import SIDES


def coming(g: Board) -> Iterator[Coming]:
    for a in g.scenario.arrivals:
        if a.turn >= g.turn:
            found = [g.forces.unit(e.id) for e in a.units]
            units = ", ".join(g.name(u) for u in found if g.plays("leaders") or not g.forces.is_leader(u))
            where = " or ".join(g.where(g.map.place(area)) for area in a.areas) or "the map"
            if units:
                yield Coming(a.turn, SIDES[a.side], f"{units}, in {where}", a.rule)
