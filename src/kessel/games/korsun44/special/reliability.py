"""18.2 Panthers and Tigers break down."""

from __future__ import annotations

from kessel.games.korsun44.board import GERMAN, Board


def check_reliability(g: Board) -> None:
    """18.2 On marked turns two dice for each Panther and Tiger unit on the map."""
    c = g.charts.constants
    if not g.plays("reliability") or not g.charts.turn(g.turn).reliability:
        return
    bad = {"PzV": c.reliability_pzv, "PzVI": c.reliability_pzvi}
    for u in g.on_the_map(GERMAN):
        numbers = bad.get(g.forces.type[u])
        if numbers is None:
            continue
        dice = g.die() + g.die()
        g.tell(f"{g.name(u)} is checked: {dice}", "18.2", unit=g.id(u))
        if dice in numbers:
            g.lose_step(u, "18.2")
