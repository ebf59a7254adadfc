"""Named layers for the map: zones, supply, support, victory hexes with their owners, Soviet reach and threat."""

from __future__ import annotations

from typing import Any

from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import members, spread
from kessel.games.kharkov43.board import ATTACKED, CANNOT_ATTACK, MOVED, Board
from kessel.games.kharkov43.combat.battle import is_adjacent, rounded, why_not_attacker
from kessel.games.kharkov43.combat.strengths import attack_strength, defence_strength, defenders_of
from kessel.games.kharkov43.data.forces import GERMAN, SIDES, SOVIET
from kessel.games.kharkov43.movement.movement import reach_of
from kessel.games.kharkov43.movement.stacking import why_not_fit
from kessel.games.kharkov43.movement.zones import zoc
from kessel.games.kharkov43.supply.supply import field_of
from kessel.games.kharkov43.supply.support import supported


def overlays(g: Board) -> dict[str, Any]:
    layers = {
        "German zones": zoc(g, GERMAN),
        "Soviet zones": zoc(g, SOVIET),
        "German supply": field_of(g, GERMAN).hexes,
        "Soviet supply": field_of(g, SOVIET).hexes,
        "Soviet support": supported(g),
    }
    reach = soviet_reach(g)
    entered = 0
    for s in reach.values():
        entered |= s
    return {
        **{name: _names(g, s) for name, s in layers.items()},
        "Victory hexes": _victory(g),
        "Soviet reach": {
            "hexes": _names(g, entered),
            "about": "Hexes that Soviet units can move to (10.0).",
        },
        "Threatened German units": {
            "hexes": {g.hex_name(h): _ratio(*odds) for h, odds in threats(g, reach).items()},
            "about": "Hexes of units that can be attacked next, and the best ratio of one formation before tactics.",
        },
    }


def _names(g: Board, s: Bits) -> list[str]:
    return sorted(g.map.grid.names(members(s & g.ground.all)))


def _victory(g: Board) -> dict[str, Any]:
    words = {g.hex_name(h): SIDES[g.owner[h] - 1] if g.owner[h] else "nobody" for h in members(g.ground.vp_hexes)}
    return {"hexes": words, "about": "Victory Point hexes and who owns them (14.1)."}


def _ratio(attack: int, defence: int) -> str:
    simple = rounded(attack, defence)
    return f"{float(simple):g}:1" if simple >= 1 else "under 1:1"


# --- threat ----------------------------------------------------------------------------------------------------------


def soviet_reach(g: Board) -> dict[Unit, Bits]:
    """By Soviet unit that can move: where it can go, its own hex included."""
    h = _fresh(g)
    return {u: reach_of(h, u).hexes | 1 << g.place[u] for u in _units(g, SOVIET)}


def threats(g: Board, reach: dict[Unit, Bits]) -> dict[Hex, tuple[int, int]]:
    """By hex with German units: the strengths of the best attack on it by one Soviet formation (8.1)."""
    h = _fresh(g)
    near: dict[Hex, dict[str, list[Unit]]] = {}
    own = 0
    for u in _units(g, GERMAN):
        own |= 1 << g.place[u]
    for u, s in reach.items():
        if why_not_attacker(h, u) is None:
            for target in members(own & spread(g.map.grid, s)):
                near.setdefault(target, {}).setdefault(g.forces.formation[u], []).append(u)
    return {
        target: max((_attack(h, target, who, reach) for who in by.values()), key=lambda odds: odds[0])
        for target, by in sorted(near.items())
    }


def _attack(g: Board, target: Hex, who: list[Unit], reach: dict[Unit, Bits]) -> tuple[int, int]:
    """The strongest first, each where it fits beside the target."""
    h = g.copy()
    attackers = []
    for u in sorted(who, key=lambda u: (-g.strength(u), u)):
        for n in members(reach[u] & g.map.grid.near[target]):
            if is_adjacent(h, n, target) and (h.place[u] == n or why_not_fit(h, n, (u,)) is None):
                if h.place[u] != n:
                    h.move(u, n)
                attackers.append(u)
                break
    attack = attack_strength(h, attackers, target).total
    return attack, defence_strength(h, defenders_of(h, target, GERMAN)).total


def _units(g: Board, side: Side) -> list[Unit]:
    return [u for u in range(len(g.forces)) if g.forces.side[u] == side and g.on_map(u)]


def _fresh(g: Board) -> Board:
    """As all units will be when the next activation begins."""
    h = g.copy()
    for u in range(len(g.forces)):
        h.set_status(u, MOVED | ATTACKED | CANNOT_ATTACK, on=False)
    return h
