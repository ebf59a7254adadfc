"""RX-5.6 Effectiveness Checks: one die and its modifiers against the rating of a unit."""

from __future__ import annotations

from fractions import Fraction

from kessel.core.breakdown import Breakdown
from kessel.core.forces import Side, Unit
from kessel.games.bug41.board import Board
from kessel.games.bug41.data.forces import SOVIET
from kessel.games.bug41.movement.pillboxes import is_sheltered


def is_surprised(g: Board, side: Side) -> bool:
    """PA-T1.surprise.6 Whether the checks of that side suffer from the surprise now."""
    if side != SOVIET or not g.scenario.surprise.activations:
        return False
    if g.reads("surprise_checks") == "whole_first_turn":
        return g.turn == g.scenario.first_turn
    return bool(g.track("surprise"))


def check_modifiers(g: Board, u: Unit, *, shelter: bool = False) -> Breakdown:
    """What is added to the die; `shelter`: a check a pillbox helps with."""
    found = Breakdown("modifier")
    if shelter and is_sheltered(g, u):
        found.add("pillbox", g.numbers.checks.pillbox, "PA-TEC.c3")
    if is_surprised(g, g.forces.side[u]):
        found.add("surprise", g.numbers.checks.surprise, "PA-T1.surprise.6")
    return found


def passes(g: Board, u: Unit, what: str, rule: str, *, shelter: bool = False) -> bool:
    """Roll the check of a unit: passed at its Effectiveness or less."""
    added, rating, die = check_modifiers(g, u, shelter=shelter).total, g.forces.effectiveness[u], g.d10()
    good = die + added <= rating
    sign = f"{added:+d}" if added else ""
    word = "passes" if good else "fails"
    g.tell(f"{g.name(u)} {word} its check {what}: {die}{sign} against {rating}", rule, unit=g.id(u), die=die)
    return good


def chance_to_pass(g: Board, u: Unit, *, shelter: bool = False) -> Fraction:
    sides = g.numbers.die.sides
    good = g.forces.effectiveness[u] - check_modifiers(g, u, shelter=shelter).total
    return Fraction(min(max(good, 0), sides), sides)
