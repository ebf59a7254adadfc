"""8.4, 9.2-9.4, 9.7, 9.9 Column shifts, and the column a combat is resolved on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kessel.core.breakdown import Breakdown
from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import TRAIN
from kessel.games.stalingrad42.combat.crt import column_name, odds, tables
from kessel.games.stalingrad42.combat.strength.fortifications import has_fort, is_barred_to_tanks
from kessel.games.stalingrad42.combat.strength.strengths import (
    Attack,
    approach,
    attack_strength,
    contributors,
    defense_strength,
    sheet,
)
from kessel.games.stalingrad42.data.forces import AXIS
from kessel.wargame.board import other

TANK_DOTS = ("black", "red")


def dot(g: Board, u: Unit) -> str:
    """The dot beside the Attack Strength; a Remnant has its own."""
    kind = g.forces.remnant[u]
    return g.charts.remnants[kind].dot if kind and g.steps[u] == 1 else g.forces.dot[u]


def tank_shift_bar(g: Board, h: Hex, defender: int) -> tuple[str, str] | None:
    """9.2.3 What in the defender's hex prohibits Tank Shifts, and the rule; None where they can be gained."""
    if is_barred_to_tanks(g, h, defender):
        return "a Fortification", "9.7.1"
    word = g.terrain(h)
    if not g.charts.terrain[word].tank_shift:
        return word.replace("_", " ").title(), "9.2.3"
    return None


def tank_shifts(g: Board, a: Attack, b: Breakdown) -> None:
    """9.2 The Tank Shift (black and red dots), the Elite Tank Shift (red), and what denies them."""
    attacking = [u for u in a.units if dot(g, u) in TANK_DOTS]
    defending = [u for u in contributors(g, a) if dot(g, u) != "none" and not g.status[u] & TRAIN]
    tanks = [u for u in defending if dot(g, u) in TANK_DOTS]
    if not attacking and not tanks:
        return
    if bar := tank_shift_bar(g, a.target, other(a.side)):
        b.note(f"no Tank Shifts: {bar[0]}", bar[1])
        return
    able = [u for u in attacking if not approach(g, g.place[u], a.target).doubles]
    if attacking and not able:
        b.note("the attacking tanks come over a river or out of Marsh and earn no Tank Shift", "9.2.3")
    _basic(g, b, attacking, able, tanks, defending)
    if a.side == AXIS:
        if any(dot(g, u) == "red" for u in able):
            b.add("Elite Tank Shift", 1, "9.2.2")
    elif any(dot(g, u) == "red" for u in tanks):
        if attacking and not able and g.reads("elite_left_shift_over_river") == "denied":
            b.note("the Elite Tank Shift goes with the basic one", "9.2.3")
        else:
            b.add("Elite Tank Shift of the defender", -1, "9.2.2")


def _basic(
    g: Board, b: Breakdown, attacking: list[Unit], able: list[Unit], tanks: list[Unit], defending: list[Unit]
) -> None:
    if able and tanks:
        b.note("both sides have tanks: the Tank Shifts cancel out", "9.2.1")
    elif able:
        guns = [u for u in defending if dot(g, u) == "white"]
        if guns:
            b.note(f"{g.name(guns[0])} denies the Tank Shift", "9.2.4")
        else:
            b.add("Tank Shift", 1, "9.2.1")
    elif tanks:
        if attacking:
            b.note("attacking tanks deny the defender's Tank Shift", "9.2.3")
        else:
            b.add("Tank Shift of the defender", -1, "9.2.1")


def ground_shift(g: Board, h: Hex, defender: int, b: Breakdown) -> None:
    """9.7.1, 9.9 Shifts left for Fortifications, Rough and Wooded Rough."""
    word = g.terrain(h)
    if shift := g.charts.terrain[word].shift:
        b.add(word.replace("_", " ").title(), shift, "9.9")
    if has_fort(g, h, defender):
        b.add("Fortification", g.charts.constant("fortification_shift"), "9.7.1")


def support_shifts(a: Attack, b: Breakdown) -> None:
    """9.3, 9.4 What has been committed to this combat."""
    if a.air >= 0:
        b.add("Air Support", 1, "9.3.7" if a.breakthrough else "9.3.3")
    if a.guns:
        b.add("Massive Barrage" if len(a.guns) > 1 else "Artillery Shift", len(a.guns), "18.5" if a.guns[1:] else "9.4")
    if a.defensive_air >= 0:
        b.add("Defensive Air Support", -1, "9.3.4")


def all_shifts(g: Board, a: Attack, quiet: bool = True) -> Breakdown:
    b = sheet("shifts", quiet)
    tank_shifts(g, a, b)
    ground_shift(g, a.target, other(a.side), b)
    support_shifts(a, b)
    return b


@dataclass(slots=True)
class Assessment:
    """A combat before the die is rolled (8.3)."""

    attack: Breakdown
    defense: Breakdown
    shifts: Breakdown
    odds: int
    at: int
    """The column after all shifts, on the table or beyond."""
    column: int
    """The column of the table it is resolved on."""
    automatic: bool
    """8.4.1 10-1 or more: a DS without a roll."""
    too_low: bool
    """8.4.1 Less than 1-3 before Defensive Air Support; what that pushes lower is resolved on 1-3."""

    @property
    def name(self) -> str:
        return column_name(self.at) if self.automatic else column_name(self.column)

    def as_json(self) -> dict[str, Any]:
        return {
            "attack": self.attack.as_json(),
            "defense": self.defense.as_json(),
            "odds": column_name(self.odds),
            "shifts": self.shifts.as_json(),
            "shifted": column_name(self.at),
            "column": None if self.too_low else self.name,
            "automatic": self.automatic,
            "rule": "8.4.1" if self.automatic or self.too_low or self.at != self.column else "8.3",
        }


def is_well_above(g: Board, a: Attack) -> bool:
    """Whether the odds allow combat (8.4.1) even if all Tank Shifts went against the attacker: most do."""
    b = sheet("shifts", quiet=True)
    ground_shift(g, a.target, other(a.side), b)
    ratio = odds(attack_strength(g, a).total, defense_strength(g, a).total)
    return ratio + b.total - 2 - (a.defensive_air >= 0) >= tables(g.charts).lowest


def assess(g: Board, a: Attack, quiet: bool = True) -> Assessment:
    """8.3 Steps 1 and 2: strengths, odds, shifts, column."""
    attack, defense = attack_strength(g, a, quiet), defense_strength(g, a, quiet)
    shifts = all_shifts(g, a, quiet)
    ratio = odds(attack.total, defense.total)
    t = tables(g.charts)
    at = declared = ratio + shifts.total
    if a.defensive_air >= 0 and at < t.lowest:  # the defender's answer comes too late to forbid it (reading A09)
        declared = ratio + all_shifts(g, a._replace(defensive_air=-1)).total
    return Assessment(attack, defense, shifts, ratio, at, t.column(at), at >= t.automatic, declared < t.lowest)
