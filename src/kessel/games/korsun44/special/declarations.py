"""13.1.3, 14.5.1, 16.2, 16.3, 16.4, 18.2 What the German player declares in his Event Phase."""

from __future__ import annotations

from kessel.core.procedure import Procedure
from kessel.games.korsun44.board import Board


def declaration_segment(g: Board) -> Procedure | None:
    """3.2.F1B Korsun Isolation, Korps Isolation, Wanda, Breakout. Not there yet: returns None."""
    return None


def reliability_segment(g: Board) -> Procedure | None:
    """18.2, 3.2.F1C Panthers and Tigers break down. Not there yet: returns None."""
    return None


def wanda_modifier(g: Board) -> int:
    """16.3 What Operation Wanda adds to the German availability roll (Q31: on the end turn too)."""
    start, end = g.track("wanda_start"), g.track("wanda_end")
    last = g.turn <= end if g.reads("wanda_last") == "counts" else g.turn < end
    return g.charts.constants.wanda_modifier if end and g.turn > start and last else 0
