"""4.7 The second counter of a Soviet division: laid down and taken up."""

from __future__ import annotations

from kessel.core.forces import Unit
from kessel.games.korsun44.board import UNUSED, Board
from kessel.games.korsun44.units.breakdown import worst_of


def extend(g: Board, u: Unit) -> Unit:
    """Place the marker in the division's hex; it shares supply and order with it."""
    marker = g.forces.extension[u]
    g.steps[marker] = 1
    g.put(marker, g.place[u])
    g.become(marker, g.status[u])
    return marker


def take_in(g: Board, u: Unit, rule: str) -> None:
    """The marker comes off: the division is one again. It keeps the worse order of the two."""
    marker = g.forces.extension[u]
    g.become(u, worst_of(g.status[u] | g.status[marker]))
    g.steps[marker] = 0
    g.take_off(marker, UNUSED)
    g.tell(f"{g.name(u)} is no longer extended", rule, unit=g.id(u))
