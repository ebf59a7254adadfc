"""PA-stacking: how many units a hex holds."""

from __future__ import annotations

from collections.abc import Sequence

from kessel.core.breakdown import Refusal
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.games.bug41.board import Board


def why_not_together(g: Board, h: Hex, combat: Sequence[Unit]) -> Refusal | None:
    """PA-stacking.1, .2 Why a hex may not hold these combat units; border guards and AT units are no infantry here."""
    limits = g.numbers.stacking
    if len(combat) > limits.units:
        return Refusal("PA-stacking.1", f"{len(combat)} units would be in {g.hex_name(h)}; {limits.units} may")
    infantry = sum(g.forces.stacks_as_infantry[u] for u in combat)
    if infantry > limits.infantry:
        return Refusal("PA-stacking.2", f"{infantry} infantry units would be in {g.hex_name(h)}; {limits.infantry} may")
    return None


def why_not_stack(g: Board, side: Side, h: Hex, units: Sequence[Unit]) -> Refusal | None:
    """Why these units may not end an Action in the hex beside those there; without units: what is wrong with those."""
    forces = g.forces
    together = sorted({*g.units(h), *units})
    if any(forces.side[u] != side for u in together):
        return Refusal("RX-7.3.6", f"the enemy is in {g.hex_name(h)}")
    combat = [u for u in together if not forces.hq[u]]
    if refusal := why_not_together(g, h, combat):
        return refusal
    hqs, room = len(together) - len(combat), g.ground.hq_room(h)
    joins = not units or any(forces.hq[u] for u in units)
    if hqs > room and joins:
        rule = "PA-stacking.6" if g.ground.towns >> h & 1 else "PA-stacking.5"
        return Refusal(rule, f"{hqs} HQs would be in {g.hex_name(h)}, which has room for {room}")
    return None


def full_for(g: Board, units: Sequence[Unit]) -> Bits:
    """PA-stacking.1, .2 The hexes with friends in them that have no room for combat units that come from elsewhere."""
    limits, foot, infantry = g.numbers.stacking, g.forces.stacks_as_infantry, 0
    for u in units:
        infantry += foot[u]
    there = g.census(g.forces.side[units[0]])
    found = there.crowds[max(0, limits.units - len(units) + 1)]
    return found | there.infantry[max(0, limits.infantry - infantry + 1)] if infantry else found


def fits(g: Board, h: Hex, units: Sequence[Unit]) -> bool:
    return why_not_stack(g, g.forces.side[units[0]], h, units) is None
