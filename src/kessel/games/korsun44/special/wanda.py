"""16.3 Operation Wanda."""

from __future__ import annotations

from kessel.core.breakdown import Refusal
from kessel.games.korsun44.board import Board


def why_not_wanda(g: Board) -> Refusal | None:
    """16.3 From turn 10 on, once."""
    first = g.charts.constants.wanda_from
    if g.turn < first:
        return Refusal("16.3", f"Operation Wanda begins on turn {first} or later")
    return Refusal("16.3", "Operation Wanda was declared before") if g.track("wanda_end") else None


def declare_wanda(g: Board) -> None:
    """16.3 Four missions now, and more until the end: two dice and three turns away."""
    c = g.charts.constants
    dice = g.die() + g.die()
    end = g.turn + dice + c.wanda_extra_turns
    g.set_track("wanda_start", g.turn)
    g.set_track("wanda_end", end)
    g.set_track("air_german", c.wanda_missions)
    g.tell(f"Operation Wanda begins: {c.wanda_missions} air missions now, until turn {end} ({dice})", "16.3")


def note_end(g: Board) -> None:
    """16.3 The end marker comes off in the German Event Phase of its turn."""
    if g.track("wanda_end") == g.turn:
        g.tell("Operation Wanda ends", "16.3")


def wanda_modifier(g: Board) -> int:
    """16.3 What Operation Wanda adds to the German availability roll (Q31: on the end turn too)."""
    start, end = g.track("wanda_start"), g.track("wanda_end")
    last = g.turn <= end if g.reads("wanda_last") == "counts" else g.turn < end
    return g.charts.constants.wanda_modifier if end and g.turn > start and last else 0
