"""13.5 Soviet support, and 9.8 the Soviet operational limit: both are zones bounded by the same lines."""

from __future__ import annotations

from kessel.core.breakdown import Breakdown
from kessel.core.facts import NOW, fact
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import within
from kessel.games.kharkov43.board import EAST_LINE, SUPPORT_LINES, WEST_LINE, WHOLE_MAP, Board
from kessel.games.kharkov43.data.charts import Charts

LINE_BY_VPS_FROM = 8
"""13.51 From this game-turn on the VPs decide which line is used."""


def line_for_turn(charts: Charts, turn: int, vp: int) -> int:
    """13.51 The support line of a game-turn that starts with these VPs."""
    if turn < charts.constants.support_from:
        return WHOLE_MAP
    if turn < LINE_BY_VPS_FROM:
        return WEST_LINE
    return WEST_LINE if vp >= charts.constants.west_support_vp else EAST_LINE


def set_support_line(g: Board) -> None:
    """4.III step 4: fixed for the whole game-turn."""
    line = line_for_turn(g.charts, g.turn, g.vp)
    if line != g.track("support_line"):
        g.tell(f"Soviet support: {SUPPORT_LINES[line].replace('_', ' ')}", "13.51", line=SUPPORT_LINES[line])
    g.set_track("support_line", line)


def support_zone(g: Board) -> Bits:
    """The Soviet side of the line in use."""
    line = g.track("support_line")
    if line == WHOLE_MAP:
        return g.ground.all
    return g.ground.west_zone if line == WEST_LINE else g.ground.east_zone


@fact(NOW)
def supported(g: Board) -> Bits:
    """13.51 All hexes in Soviet support."""
    return support_zone(g) | within(g.map.grid, g.forward_support, g.charts.constants.forward_support_range)


def is_in_support(g: Board, h: Hex) -> bool:
    return bool(supported(g) >> h & 1)


def explain_support(g: Board, h: Hex) -> Breakdown:
    """1 if the hex is in support, with the reason; 0 if not."""
    b = Breakdown("support")
    far = g.charts.constants.forward_support_range
    line = SUPPORT_LINES[g.track("support_line")].replace("_", " ")
    if g.track("support_line") == WHOLE_MAP:
        return b.add("before game-turn 5 all hexes are in support", 1, "2.1k")
    if support_zone(g) >> h & 1:
        return b.add(f"on the Soviet side of the {line} line", 1, "13.51")
    b.note(f"not on the Soviet side of the {line} line", "13.51")
    if is_in_support(g, h):
        return b.add(f"within {far} hexes of a Forward Support marker", 1, "13.51")
    return b.note(f"no Forward Support marker within {far} hexes", "13.51")


# --- 9.8 operational limit -----------------------------------------------------------------------------------------


def limit_in_force(g: Board) -> Bits:
    """9.8 The hexes within the limit by game-turn and VPs alone."""
    if g.turn < g.charts.constants.operational_limit_from:
        return g.ground.all
    return g.ground.far_zone if g.vp >= g.charts.constants.far_limit_vp else g.ground.west_zone


def limit_of(g: Board, front: str) -> Bits:
    """9.8 The hexes within the limit for a front: the whole map as long as its objective marker is in play."""
    return g.ground.all if g.has_objective(front) else limit_in_force(g)
