"""15.0 Who is still to come, as the scenario's list says."""

from __future__ import annotations

from collections.abc import Iterator

from kessel.core.title import Coming
from kessel.games.don42.board import Board
from kessel.games.don42.data.forces import SIDES


def coming(g: Board) -> Iterator[Coming]:
    for r in g.scenario.reinforcements:
        if r.turn < g.turn:
            continue
        who = f"{r.any} units of {r.formation}" if r.any and r.formation else ", ".join(r.units) or r.formation
        where = f", at {' or '.join(r.hexes)}" if r.hexes else ""
        if who:
            yield Coming(r.turn, SIDES[r.side], f"{who}{' come back' if r.returning else ''}{where}", r.rule)
