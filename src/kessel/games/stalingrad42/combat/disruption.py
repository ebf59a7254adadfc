"""13.1-13.3 Disrupted, Full Retreat and Good Order: how units get into these states."""

from __future__ import annotations

from kessel.core.forces import Side, Unit
from kessel.core.hexes import Hex
from kessel.core.hexset import members
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import COMBAT, DISRUPTED, FULL_RETREAT, RETREATING
from kessel.games.stalingrad42.combat.losses import eliminate
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET
from kessel.games.stalingrad42.movement.ways.zones import next_to_enemies
from kessel.wargame.board import other


def disrupt(g: Board, u: Unit, rule: str) -> None:
    """13.1.1 Only Combat Units are ever Disrupted; one in Full Retreat stays so."""
    if g.forces.combat[u] and not g.status[u] & (DISRUPTED | FULL_RETREAT):
        g.set_status(u, DISRUPTED)
        g.tell(f"{g.name(u)} is Disrupted", rule, unit=g.id(u))


def put_in_full_retreat(g: Board, u: Unit, rule: str) -> None:
    """13.1.3"""
    if g.forces.combat[u] and not g.status[u] & FULL_RETREAT:
        g.set_status(u, DISRUPTED, False)
        g.set_status(u, FULL_RETREAT)
        g.tell(f"{g.name(u)} goes into Full Retreat", rule, unit=g.id(u))


def retreating_next_to(g: Board, h: Hex, side: Side) -> list[Hex]:
    """13.3.2 Hexes with a side's Full Retreat units alone that are adjacent to h: they must run when an enemy comes."""
    near = g.sets[RETREATING + side] & g.map.grid.near[h]
    return [n for n in members(near) if g.adjacent(h, n)] if near else []


def caught_in_full_retreat(g: Board) -> list[Unit]:
    """13.3.2 Full Retreat units alone and adjacent to an enemy Combat Unit when a Movement or Combat Phase begins."""
    found: list[Unit] = []
    for side in (AXIS, SOVIET):
        if not g.sets[RETREATING + side] or not g.sets[COMBAT + other(side)]:
            continue
        near = next_to_enemies(g, side) | g.sets[COMBAT + other(side)]  # 29.1.1: or in one City hex with him
        for h in members(g.sets[RETREATING + side] & near):
            found.extend(u for u in g.units(h) if g.forces.side[u] == side and g.status[u] & FULL_RETREAT)
    return found


def eliminate_caught(g: Board) -> None:
    """13.3.2 Elimination at the beginning of any Movement or Combat Phase."""
    for u in caught_in_full_retreat(g):
        eliminate(g, u, "13.3.2")
