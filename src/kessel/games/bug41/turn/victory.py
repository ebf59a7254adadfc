"""RX-9 Victory: points for Soviet losses and for places, and the levels of each scenario."""

from __future__ import annotations

from fractions import Fraction

from kessel.core.breakdown import Breakdown
from kessel.core.hexes import NO_HEX
from kessel.core.title import Outcome
from kessel.games.bug41.board import Board
from kessel.games.bug41.data.charts import AFV, INFANTRY
from kessel.games.bug41.data.forces import GERMAN, SIDES, SOVIET


def loss_points(g: Board) -> Fraction:
    """PA-VP.afv, PA-VP.inf Victory Points for Soviet strength points lost, before they are rounded."""
    worth = g.charts.losses
    return g.track("lost_afv") * worth[AFV] + g.track("lost_infantry") * worth[INFANTRY]


def victory_points(g: Board) -> Breakdown:
    """RX-9 The German Victory Points if the game ended now."""
    found = Breakdown("German Victory Points")
    if g.scenario.victory.losses:
        worth = g.charts.losses
        kinds = (g.track("lost_afv") * worth[AFV], g.track("lost_infantry") * worth[INFANTRY])
        total = int(sum(kinds)) if g.reads("vp_rounding") == "sum_then_down" else sum(map(int, kinds))
        lost = f"{g.track('lost_afv')} AFV and {g.track('lost_infantry')} other strength points lost"
        found.add(lost, total, "PA-VP.inf")
    for v in g.scenario.victory.hexes:
        h = g.map.grid.find(v.hex)
        if h != NO_HEX and g.owner[h] == GERMAN:
            found.add(f"{v.name} {v.hex}", v.vp, "RX-9")
    return found


def holds(g: Board, side: int, hexes: tuple[str, ...]) -> bool:
    return all(h in g.map.grid and g.owner[g.map.grid.hex(h)] == side for h in hexes)


def result(g: Board) -> Outcome:
    """RX-9 The result if the game ended now."""
    victory, points = g.scenario.victory, victory_points(g).total
    for line in victory.holds:
        if holds(g, GERMAN, line.german) and holds(g, SOVIET, line.soviet):
            return Outcome(_side(line.winner), line.level, victory.rule, {})
    level = next(v for v in victory.levels if points >= v.at_least)
    return Outcome(_side(level.winner), level.level, victory.rule, {SIDES[GERMAN]: points})


def _side(winner: str) -> int | None:
    return SIDES.index(winner) if winner in SIDES else None


def standing(g: Board, side: int) -> float:
    """The points of a side as they would count now, less the other's: only the Germans score."""
    points = float(victory_points(g).total)
    return points if side == GERMAN else -points
