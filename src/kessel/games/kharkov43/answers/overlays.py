"""Named layers for the map: zones, supply, support, victory hexes with their owners, Soviet reach and threat."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kessel.core.forces import Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import members
from kessel.games.kharkov43.board import ATTACKED, CANNOT_ATTACK, MOVED, Board
from kessel.games.kharkov43.combat.battle import rounded, why_not_attacker
from kessel.games.kharkov43.combat.strengths import attack_strength, defence_strength, defenders_of
from kessel.games.kharkov43.data.forces import GERMAN, SIDES, SOVIET
from kessel.games.kharkov43.movement.movement import reach_of
from kessel.games.kharkov43.movement.stacking import why_not_fit
from kessel.games.kharkov43.movement.zones import zoc
from kessel.games.kharkov43.supply.supply import field_of
from kessel.games.kharkov43.supply.support import supported
from kessel.wargame.overlays import danger, gathered, layer, owners, targets

ABOUT = (
    "Hexes that Soviet units can move to (10.0).",
    "Hexes of units that can be attacked next, and the best ratio of one formation before tactics.",
)


def overlays(g: Board) -> dict[str, Any]:
    layers = {
        "German zones": zoc(g, GERMAN),
        "Soviet zones": zoc(g, SOVIET),
        "German supply": field_of(g, GERMAN).hexes,
        "Soviet supply": field_of(g, SOVIET).hexes,
        "Soviet support": supported(g),
    }
    held = ((h, g.owner[h] - 1 if g.owner[h] else None) for h in members(g.ground.vp_hexes))
    reach = soviet_reach(g)
    ratios = {h: _ratio(*odds) for h, odds in threats(g, reach).items()}
    return {
        **{name: layer(g, s) for name, s in layers.items()},
        "Victory hexes": owners(g, held, SIDES, "Victory Point hexes and who owns them (14.1)."),
        **danger(g, GERMAN, ("German", "Soviet"), reach, ratios, ABOUT),
    }


def _ratio(attack: int, defence: int) -> str:
    simple = rounded(attack, defence)
    return f"{float(simple):g}:1" if simple >= 1 else "under 1:1"


# --- threat ----------------------------------------------------------------------------------------------------------


def soviet_reach(g: Board) -> dict[Unit, Bits]:
    """By Soviet unit that can move: where it can go, its own hex included."""
    h = _fresh(g)
    return {u: reach_of(h, u).hexes | 1 << g.place[u] for u in g.on_map_of(SOVIET)}


def threats(g: Board, reach: dict[Unit, Bits]) -> dict[Hex, tuple[int, int]]:
    """By hex with German units: the strengths of the best attack on it by one Soviet formation (8.1)."""
    h = _fresh(g)
    found = {}
    for target, who in targets(g, GERMAN, reach, lambda u: why_not_attacker(h, u) is None).items():
        by: dict[str, list[Unit]] = {}
        for u in who:
            by.setdefault(g.forces.formation[u], []).append(u)
        found[target] = max((_attack(h, target, units, reach) for units in by.values()), key=lambda odds: odds[0])
    return found


def _attack(g: Board, target: Hex, who: Iterable[Unit], reach: dict[Unit, Bits]) -> tuple[int, int]:
    """The strongest first, each where it fits beside the target."""
    h, attackers = gathered(
        *(g, target, who, reach, g.strength),
        lambda h, n, u: why_not_fit(h, n, (u,)) is None,
        beside=g.ground.adjacent_units(target),
    )
    attack = attack_strength(h, attackers, target).total
    return attack, defence_strength(h, defenders_of(h, target, GERMAN)).total


def _fresh(g: Board) -> Board:
    """As all units will be when the next activation begins."""
    h = g.copy()
    for u in range(len(g.forces)):
        h.set_status(u, MOVED | ATTACKED | CANNOT_ATTACK, on=False)
    return h
