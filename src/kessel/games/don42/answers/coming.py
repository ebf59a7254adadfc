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
        formation = g.forces.called.get(r.formation, r.formation)
        named = ", ".join(g.name(g.forces.unit(u)) for u in r.units)
        who = f"{r.any} units of {formation}" if r.any and r.formation else named or formation
        first, *others = r.hexes or ("",)
        where = f", at {first}" if first else ""
        if others:
            where += f" or {others[0]}" if len(others) == 1 else f" or one of {len(others)} other hexes"
        if who:
            yield Coming(r.turn, SIDES[r.side], f"{who}{' come back' if r.returning else ''}{where}", r.rule)
