"""7.0 Who is still to come, as the scenario's list says."""

from __future__ import annotations

from collections.abc import Iterator

from kessel.core.title import Coming
from kessel.games.korsun44.board import SIDES, Board


def coming(g: Board) -> Iterator[Coming]:
    for a in g.scenario.arrivals:
        if a.turn >= g.turn and (not a.option or g.options.get(a.option) == "on"):
            units = ", ".join(g.name(u) for u in (*(u for u, _ in a.units), *a.sdms))
            yield Coming(
                a.turn, SIDES[a.side], f"{units}, near {g.hex_name(a.hex)}{', also by rail' if a.rail else ''}", "7.0"
            )
