"""Named layers for the map: zones, supply, objectives with their owners, enemy reach and threat."""

from __future__ import annotations

from typing import Any

from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import members, spread
from kessel.games.don42.board import ACTIVE, ATTACKED, FIRED, MOVED, NOBODY, Board
from kessel.games.don42.combat.combat import why_not_attack
from kessel.games.don42.combat.odds import attack_strength, work_out
from kessel.games.don42.data.charts import POINT
from kessel.games.don42.data.forces import GERMAN, SIDES, SOVIET
from kessel.games.don42.movement.movement import allowance, ends_of, why_not_move
from kessel.games.don42.movement.stacking import why_not_fit
from kessel.games.don42.movement.zones import zone_of
from kessel.games.don42.supply.supply import general_lines, has_ground_supply

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
    found: dict[str, Any] = {name: _names(g, s) for name, s in layers.items()}
    found["Victory hexes"] = _victory(g)
    for s in (GERMAN, SOVIET) if side is None else (side,):
        found.update(_danger(g, s))
    return found


def _names(g: Board, s: Bits) -> list[str]:
    return sorted(g.map.grid.names(members(s & g.map.grid.all)))


def _victory(g: Board) -> dict[str, Any]:
    words = {
        g.hex_name(h): SIDES[owner] if owner != NOBODY else "nobody"
        for (h, _), owner in zip(g.objectives, g.control, strict=True)
    }
    return {"hexes": words, "about": "Objectives and who holds them (15.0)."}


# --- threat --------------------------------------------------------------------------------------------------------


def _danger(g: Board, side: Side) -> dict[str, Any]:
    reach = reach_of_side(g, 1 - side)
    entered = 0
    for s in reach.values():
        entered |= s
    enemy = NAMES[1 - side]
    reached = {
        "hexes": _names(g, entered),
        "about": f"Hexes that {enemy} units can move to if active (10.0).",
    }
    words = {g.hex_name(h): text for h, text in threats(g, side, reach).items()}
    about = "Hexes of units that can be attacked next turn: the best odds and shifts without guns and aircraft."
    return {f"{enemy} reach": reached, f"Threatened {NAMES[side]} units": {"hexes": words, "about": about}}


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
    own = 0
    for u in g.units_on_map(side):
        own |= 1 << g.place[u]
    near: dict[Hex, list[Unit]] = {}
    for u, s in reach.items():
        if why_not_attack(h, u) is None and attack_strength(h, u):
            for target in members(own & spread(g.map.grid, s)):
                near.setdefault(target, []).append(u)
    found = {target: _best(h, 1 - side, target, who, reach) for target, who in sorted(near.items())}
    return {target: text for target, text in found.items() if text}


def _best(g: Board, side: Side, target: Hex, who: list[Unit], reach: dict[Unit, Bits]) -> str:
    """The strongest first, each where it fits beside the target."""
    h = g.copy()
    attackers = []
    for u in sorted(who, key=lambda u: (-attack_strength(g, u), u)):
        for n in members(reach[u] & g.map.grid.near[target]):
            if h.place[u] == n or why_not_fit(h, side, n, (u,)) is None:
                if h.place[u] != n:
                    h.move(u, n)
                attackers.append(u)
                break
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
