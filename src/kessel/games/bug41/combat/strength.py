"""PA-CS.C, RX-7.5.1.1 Combat Strength: strength points, multiplied by the column of a chit."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from kessel.core.breakdown import Breakdown
from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.games.bug41.board import Board
from kessel.games.bug41.data.charts import Chit
from kessel.games.bug41.movement.pillboxes import row_of

HASTY, REGULAR, PREPARED = "hasty", "regular", "prepared"


def attack_strengths(g: Board, units: Sequence[Unit]) -> Breakdown:
    """PA-CS.C.at Strength points of attackers; anti-tank units count a quarter, rounded up."""
    found, part = Breakdown("attack"), g.numbers.combat.attacking_at_part
    guns = [u for u in units if g.forces.anti_tank[u]]
    for u in units:
        if u not in guns:
            found.add(g.name(u), g.steps[u], "PA-CS.C")
        elif g.reads("at_quarter") == "each_unit":
            found.add(f"{g.name(u)}, a quarter", -(-g.steps[u] // part), "PA-CS.C.at")
    if guns and g.reads("at_quarter") == "all_together":
        found.add("anti-tank units, a quarter", -(-sum(g.steps[u] for u in guns) // part), "PA-CS.C.at")
    return found


def defence_strengths(g: Board, h: Hex) -> Breakdown:
    found = Breakdown("defence")
    for u in g.combat_units(h):
        found.add(g.name(u) + (", Disrupted" if g.is_disrupted(u) else ""), g.steps[u], "PA-CS.C")
    return found


def attack_value(g: Board, units: Sequence[Unit], kind: str, chit: Chit) -> Fraction:
    """RX-7.5.1.1 A Hasty Attack reads the left column of its chit, any other the right one."""
    by = chit.left if kind == HASTY and g.reads("hasty_chit") == "left" else chit.right
    return attack_strengths(g, units).total * by


def defence_value(g: Board, h: Hex, chit: Chit) -> Fraction:
    """PA-disruption.6 Disrupted defenders read the left column of the chit, the others the right one."""
    value = Fraction(0)
    for u in g.combat_units(h):
        value += g.steps[u] * (chit.left if g.is_disrupted(u) else chit.right)
    return value


def column_of(g: Board, h: Hex, ratio: Fraction) -> int:
    """PA-CS.D, RX-7.5.1.D The column of the table for a ratio in the terrain of the hex attacked."""
    return max(1, g.charts.column_of(row_of(g, h).name, ratio))


def is_below_the_table(g: Board, units: Sequence[Unit], h: Hex) -> bool:
    """Whether strengths without chits make a ratio below the first printed one."""
    ratio = Fraction(attack_strengths(g, units).total, defence_strengths(g, h).total)
    return g.charts.column_of(row_of(g, h).name, ratio) < 1
