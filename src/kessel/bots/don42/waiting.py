"""Soviets who wait for the last blow: in scenario 2 a third of them can act in a turn (17.2.2), and what is taken early
is lost again. So they keep out of the enemy's way, come closer on the last turn but one, and take on the last turn what
stands empty.
"""

from __future__ import annotations

from kessel.bots.don42.moves import followers
from kessel.bots.don42.plans import centre_of, distances, to_enemy
from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.games.don42.board import Board
from kessel.games.don42.data.charts import POINT
from kessel.games.don42.data.forces import GERMAN, SOVIET
from kessel.games.don42.data.lines import Lines
from kessel.games.don42.movement.withdrawal import must_leave

OFF = 5
"""Hexes to keep from the enemy."""
CLOSE = 2
"""The same on the last turn but one."""
SAFER = 2
"""Hexes farther that HQs keep."""
CROWDED = 3.0
"""What a hex nearer than that costs."""
PULL = (0.2, 0.6)
"""What an MP to the next hex to be taken costs: early, and on the last turn but one."""
UNHEARD = 5.0
"""What it costs to be out of reach of the HQ."""


def lies_low(g: Board) -> bool:
    """Whether the Soviets of this scenario still wait."""
    return bool(g.scenario.activation) and g.turn < g.scenario.last_turn


def keeps_off(g: Board, u: Unit) -> bool:
    """Whether a unit waits: not those under orders, nor guns, nor the HQs of Armies, which have to be on roads."""
    staff = bool(g.forces.hq[u]) and g.command_name(u) in g.charts.armies
    return lies_low(g) and not staff and not g.forces.gun[u] and not must_leave(g, u)


def where_to_wait(g: Board, u: Unit, ends: list[Hex], lines: Lines | None) -> Hex:
    """Out of the enemy's way, where orders are heard, and not too far from what is to be taken."""
    here, far, near = g.place[u], to_enemy(g, SOVIET), g.turn >= g.scenario.last_turn - 1
    off, pull = (CLOSE if near else OFF), PULL[near]
    goals = [distances(g, h) for (h, _), owner in zip(g.objectives, g.control, strict=True) if owner == GERMAN]
    if g.forces.hq[u]:
        off, lines = off + SAFER, None
        units = followers(g, u)
        goals = [distances(g, centre_of(g, units))] if units else []

    def score(h: Hex) -> tuple[float, bool, Hex]:
        value = 0.3 * g.ground.hex_shift(h)[0] - CROWDED * max(0, off - far[h])
        value -= pull * min((d[h] for d in goals), default=0) / POINT
        if lines is not None and not lines.reached >> h & 1:
            value -= UNHEARD
        return value, h == here, -h

    return max(ends, key=score)
