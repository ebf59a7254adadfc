"""Named layers for the map: zones, bonds, supply, victory hexes, threatened units."""

from __future__ import annotations

from typing import Any

from kessel.core.forces import Side, Unit
from kessel.core.hexes import NO_HEX, Bits, Hex
from kessel.core.hexset import members, spread
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import BAD_ORDER, COMBAT, FROZEN, IN_PLAY, TRAIN
from kessel.games.stalingrad42.combat.crt import column_name, odds, tables
from kessel.games.stalingrad42.combat.strength.shifts import all_shifts
from kessel.games.stalingrad42.combat.strength.strengths import Attack, defense_strength
from kessel.games.stalingrad42.data.forces import AXIS, SIDES, SOVIET
from kessel.games.stalingrad42.movement.ways.reach import Group, plan
from kessel.games.stalingrad42.movement.ways.zones import possible_bonds, why_not_bond, zoc
from kessel.games.stalingrad42.supply.supply import in_supply_hexes, los, unlimited_starts
from kessel.wargame.board import other
from kessel.wargame.overlays import danger, layer, owners
from kessel.wargame.reading import hex_names

NAMES = ("Axis", "Soviet")
PLACES = 3
"""Units of a side that can attack out of one hex, as a rule (4.1)."""


ABOUT = (
    "Hexes that units able to attack can march to next turn (5.1).",
    "Hexes of units that can be attacked next turn, and the best odds without air, artillery and bonds.",
)


def overlays(g: Board, side: Side | None) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for s in (AXIS, SOVIET):
        found[f"{NAMES[s]} zones"] = layer(g, zoc(g, s) & g.ground.playable)
        found[f"{NAMES[s]} ZOC bonds"] = _bonds(g, s)
        found[f"{NAMES[s]} supply"] = _supply(g, s)
    held = ((h, g.controller(h)) for h in sorted(g.ground.vp))
    found["Victory hexes"] = owners(g, held, SIDES, "Victory Point hexes and who controls them (24.1).")
    for s in (AXIS, SOVIET) if side is None else (side,):
        reach = reach_of_side(g, other(s))
        columns = {h: column_name(at) for h, at in threats(g, s, reach).items()}
        found |= danger(g, s, NAMES, reach, columns, ABOUT)
    return found


def _bonds(g: Board, side: Side) -> dict[str, Any]:
    """7.0 The bonds as lines from holder to holder, and the hexes they close."""
    lines, hexes = [], 0
    for b in possible_bonds(g, side):
        if why_not_bond(g, side, b) is not None:
            continue
        ends = [h for h in (b.a, b.b) if h != NO_HEX]
        via = [h for h in b.via if h != NO_HEX]
        if b.over_hex:
            hexes |= 1 << via[0]
        ends = [ends[0], *via[:1], *ends[1:]] if b.over_hex or len(ends) == 1 else ends
        lines.append([g.hex_name(h) for h in ends])
    foe = SIDES[other(side)].capitalize()
    about = f"No {foe} unit enters these hexes or crosses between the units that hold a bond (7.2)."
    return {"hexes": hex_names(g, hexes & g.ground.playable), "lines": lines, "about": about}


def _supply(g: Board, side: Side) -> dict[str, Any]:
    good = in_supply_hexes(g, side)
    words = dict.fromkeys(hex_names(g, good & g.ground.playable), "supplied")
    far = unlimited_starts(g, side)
    for u in g.forces.units_of[side]:
        if g.pool[u] == IN_PLAY and g.on_map(u) and not los(g, u):
            isolated = not far >> g.place[u] & 1
            words[g.hex_name(g.place[u])] = "isolated" if isolated else "out of supply"
    return {"hexes": words, "about": "Where a Line of Supply can be traced now (16.3), and the units that have none."}


def reach_of_side(g: Board, side: Side) -> dict[Unit, Bits]:
    """By Combat Unit of a side that can attack: the hexes it can get to, its own included."""
    reach = {}
    for u in g.forces.units_of[side]:
        if g.pool[u] != IN_PLAY or not g.on_map(u) or g.status[u] & (BAD_ORDER | TRAIN | FROZEN):
            continue
        if g.forces.combat[u] and g.face(u).attack:
            found = plan(g, Group((u,), g.place[u]))
            reach[u] = found.marched | found.tactical | 1 << g.place[u]
    return reach


def threats(g: Board, side: Side, reach: dict[Unit, Bits]) -> dict[Hex, int]:
    """By hex with Combat Units of a side: the best column of an attack on it by enemies with that reach."""
    grid = g.map.grid
    near: dict[Hex, list[tuple[Unit, Bits]]] = {}
    own = g.sets[COMBAT + side]
    for u, there in reach.items():
        for h in members(own & spread(grid, there)):
            near.setdefault(h, []).append((u, there & grid.near[h]))
    return {h: at for h, who in near.items() if (at := _best(g, h, side, who)) >= tables(g.charts).lowest}


def _best(g: Board, h: Hex, side: Side, who: list[tuple[Unit, Bits]]) -> int:
    """The strongest first, three to a hex beside the target."""
    room = dict.fromkeys(g.map.grid.around[h], PLACES)
    total = 0
    for u, places in sorted(who, key=lambda x: -g.face(x[0]).attack):
        n = next((n for n in members(places) if room.get(n)), None)
        if n is not None:
            room[n] -= 1
            total += g.face(u).attack
    total = min(total, g.charts.constant("attack_cap"))
    a = Attack(other(side), h, ())
    defense = defense_strength(g, a).total
    return odds(total, defense) + all_shifts(g, a).total
