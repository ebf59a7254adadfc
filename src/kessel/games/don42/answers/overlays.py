"""Named layers for the map: zones, supply, objectives with their owners, enemy reach and threat."""

from __future__ import annotations

from typing import Any

from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.games.don42.board import ACTIVE, ATTACKED, FIRED, MOVED, NOBODY, Board
from kessel.games.don42.combat.combat import why_not_attack
from kessel.games.don42.combat.odds import attack_strength, work_out
from kessel.games.don42.data.charts import POINT
from kessel.games.don42.data.forces import GERMAN, SIDES, SOVIET
from kessel.games.don42.movement.movement import allowance, ends_of, why_not_move
from kessel.games.don42.movement.stacking import why_not_fit
from kessel.games.don42.movement.zones import zone_of
from kessel.games.don42.supply.supply import general_lines, has_ground_supply
from kessel.wargame.overlays import danger, gathered, layer, owners, targets

NAMES = ("German", "Soviet")


def overlays(g: Board, side: Side | None) -> dict[str, Any]:
    supplied = 0
    for u in g.units_on_map(GERMAN):
        if has_ground_supply(g, u):
            supplied |= 1 << g.place[u]
    layers = {
        "German zones": zone_of(g, GERMAN),
        "Soviet zones": zone_of(g, SOVIET),
        "Germans in ground supply": supplied,
        "Soviet General Supply": general_lines(g).reached,
    }
    found: dict[str, Any] = {name: layer(g, s) for name, s in layers.items()}
    found["Victory hexes"] = _victory(g)
    for s in (GERMAN, SOVIET) if side is None else (side,):
        found.update(_danger(g, s))
    return found


def _victory(g: Board) -> dict[str, Any]:
    held = zip((h for h, _ in g.objectives), (None if o == NOBODY else o for o in g.control), strict=True)
    return owners(g, held, SIDES, "Objectives and who holds them (15.0).")


# --- threat --------------------------------------------------------------------------------------------------------


def _danger(g: Board, side: Side) -> dict[str, Any]:
    reach = reach_of_side(g, 1 - side)
    about = (
        f"Hexes that {NAMES[1 - side]} units can move to if active (10.0).",
        "Hexes of units that can be attacked next turn: the best odds and shifts without guns and aircraft.",
    )
    return danger(g, side, NAMES, reach, threats(g, side, reach), about)


def reach_of_side(g: Board, side: Side) -> dict[Unit, Bits]:
    """By unit of a side: the hexes it can move to in its own turn, where it stands included."""
    h = _fresh(g, side)
    found = {}
    for u in h.units_on_map(side):
        ends = ends_of(h, u, allowance(h, u).total * POINT, True) if why_not_move(h, u) is None else 0
        found[u] = ends | 1 << g.place[u]
    return found


def threats(g: Board, side: Side, reach: dict[Unit, Bits]) -> dict[Hex, str]:
    """By hex with units of a side: the best odds of an attack by enemies that can come beside it."""
    h = _fresh(g, 1 - side)
    near = targets(g, side, reach, lambda u: why_not_attack(h, u) is None and bool(attack_strength(h, u)))
    found = {target: _best(h, 1 - side, target, who, reach) for target, who in near.items()}
    return {target: text for target, text in found.items() if text}


def _best(g: Board, side: Side, target: Hex, who: list[Unit], reach: dict[Unit, Bits]) -> str:
    h, attackers = gathered(
        *(g, target, who, reach, lambda u: attack_strength(g, u)),
        lambda h, n, u: why_not_fit(h, side, n, (u,)) is None,
    )
    if not attackers:
        return ""
    found = work_out(h, side, attackers, target)
    return f"{found.ratio} {found.shifts.total:+d}" if found.shifts.total else found.ratio


def _fresh(g: Board, side: Side) -> Board:
    """As the side's units will be in its next turn, all of them activated."""
    h = g.copy()
    for u in g.units_on_map(side):
        h.set_status(u, MOVED | ATTACKED | FIRED, on=False)
        if side == SOVIET:
            h.set_status(u, ACTIVE)
    return h
