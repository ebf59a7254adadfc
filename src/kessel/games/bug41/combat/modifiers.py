"""PA-CS.E, PA-DRM Modifiers of the combat roll: hexside, support, HQ, armor, engineers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import prod

from kessel.core.breakdown import Breakdown
from kessel.core.forces import NO_UNIT, Unit
from kessel.core.hexes import Hex
from kessel.games.bug41.board import IMPROVED, Board, Formation
from kessel.games.bug41.combat.strength import HASTY
from kessel.games.bug41.data.forces import GERMAN
from kessel.games.bug41.data.terrain import BRIDGED_BUG, MARSH
from kessel.games.bug41.movement.pillboxes import pillbox_works, row_of
from kessel.games.bug41.movement.zones import is_in_zone_of
from kessel.games.bug41.supply.supply import can_support


def is_brandenburg(g: Board, a: Hex, b: Hex) -> bool:
    """PA-T1.zbv.1 A German attack over one of the two bridges seized on the first turn."""
    d = g.map.grid.direction(a, b)
    if g.turn > g.numbers.brandenburg.through or not g.ground.brandenburg[d] >> a & 1:
        return False
    if not any(g.forces.side[u] == GERMAN for u in g.units(a)):
        return False
    return g.reads("brandenburg") == "from_either_bank" or bool(g.ground.west_bank >> a & 1)


def hexside_modifier(g: Board, a: Hex, b: Hex) -> Breakdown:
    """PA-CS.E1 What the water between the hexes gives the defender."""
    found = Breakdown("hexside")
    row = g.ground.side_row(a, g.map.grid.direction(a, b))
    if row is None:
        return found
    if row.name == BRIDGED_BUG and is_brandenburg(g, a, b):
        return found.add("a bridge held by the Brandenburgers", g.numbers.brandenburg.modifier, "PA-T1.zbv.1")
    return found.add(row.name.replace("_", " "), row.modifier, "PA-CS.E1") if row.modifier else found


def supporters(g: Board, h: Hex, side: int, without: Iterable[Hex]) -> dict[Hex, list[Unit]]:
    """RX-7.5.sup By hex: undisrupted units of a side whose zones reach into a hex."""
    left_out = set(without)
    found = {}
    for n in g.map.grid.around[h]:
        some = [u for u in g.combat_units(n) if g.forces.side[u] == side and is_in_zone_of(g, u, h)]
        if some and n not in left_out:
            found[n] = some
    return found


def attack_support(g: Board, f: Formation, kind: str, a: Hex, b: Hex) -> Breakdown:
    """PA-CS.E2 Each other hex whose zone covers the target, once, at its better rate."""
    same, another = g.charts.support[kind]
    found = Breakdown("support")
    for n, units in supporters(g, b, g.forces.side_of_command[f], (a,)).items():
        ours = any(g.command[u] == f for u in units)
        if value := same if ours else another:
            rule = f"PA-DRM.same.{kind}" if ours else "PA-DRM.other.att"
            found.add(f"support from {g.hex_name(n)}", value, rule)
    return found


def state_of_defence(g: Board, h: Hex) -> str:
    """RX-7.7 disrupted, defense or improved: as the modifiers ask of the units of a hex."""
    whole = [u for u in g.combat_units(h) if not g.is_disrupted(u)]
    if not whole:
        return "disrupted"
    marked = [bool(g.status[u] & IMPROVED) for u in whole]
    dug_in = any(marked) if g.reads("mixed_defense") == "any_marked" else all(marked)
    return "improved" if dug_in else "defense"


def defence_support(g: Board, a: Hex, b: Hex) -> Breakdown:
    """PA-CS.E2 Each other hex of the defender whose zone covers the attacking hex; none for Disrupted defenders."""
    found, word = Breakdown("support"), state_of_defence(g, b)
    same, another = g.charts.support[word]
    defenders = [u for u in g.combat_units(b) if not g.is_disrupted(u)]
    if not defenders:
        return found
    formations = {g.command[u] for u in defenders}
    for n, units in supporters(g, a, g.forces.side[defenders[0]], (b,)).items():
        ours = any(g.command[u] in formations for u in units)
        if value := same if ours else another:
            rule = f"PA-DRM.same.{'imp' if word == 'improved' else 'def'}" if ours else "PA-DRM.other.def"
            found.add(f"support of the defender from {g.hex_name(n)}", value, rule)
    return found


def hq_support(g: Board, f: Formation, kind: str) -> Breakdown:
    """PA-CS.E3 Attack Support Points of the formation's HQ: all, half or none by the kind of attack."""
    found, hq, part = Breakdown("HQ"), g.hq_of(f), g.charts.hq_support[kind]
    if hq == NO_UNIT or not part:
        return found
    if not can_support(g, hq):
        return found.note(f"{g.name(hq)} has no supply", "RX-5.9")
    points = g.forces.support[hq] * part
    value = -(-points.numerator // points.denominator) if g.reads("hq_half") == "up" else int(points)
    return found.add(f"{g.name(hq)}", value, f"PA-DRM.hq.{kind}") if value else found


def tank_part(g: Board, a: Hex, b: Hex) -> Fraction:
    """PA-TEC, PA-TEC.b The part of the attackers' Tank Points that counts: the hex attacked, marsh left, water."""
    rows = [row_of(g, b), *(row for row in [row_of(g, a)] if row.name == MARSH)]
    parts = [row.tank_part for row in rows if row.tank_part is not None]
    water = g.ground.side_row(a, g.map.grid.direction(a, b))
    if water is not None and water.tank_part is not None:
        held = water.name == BRIDGED_BUG and is_brandenburg(g, a, b)
        parts.append(g.numbers.brandenburg.tank_fraction if held else water.tank_part)
    return Fraction(prod(parts) if g.reads("tank_factors") == "multiplied" else min(parts))


def armor(g: Board, units: Sequence[Unit], h: Hex) -> Breakdown:
    """PA-CS.E4, RX-7.5.1.2 Armor superiority of one side over what the other has against it."""
    forces, a = g.forces, g.place[units[0]]
    counts = [u for u in units if g.reads("disrupted_points") == "count" or not g.is_disrupted(u)]
    against = [u for u in g.combat_units(h) if g.reads("disrupted_points") == "count" or not g.is_disrupted(u)]
    part = tank_part(g, a, h)
    if g.reads("tank_rounding") == "each_unit_down":
        tanks = sum(int(forces.tank[u] * part) for u in counts)
    else:
        tanks = int(sum(forces.tank[u] for u in counts) * part)
    guns = sum(forces.at[u] for u in against)
    theirs = sum(forces.tank[u] for u in against)
    cover = row_of(g, h).at_points or 0
    if g.reads("hex_at_bonus") == "with_at_points" and not guns:
        cover = 0
    found, most = Breakdown("armor"), g.numbers.armor.most
    if tanks > guns + theirs + cover:
        told = f"armor: {tanks} Tank Points against {guns + theirs + cover}"
        return found.add(told, min(most, tanks - guns - theirs - cover), "PA-CS.E4")
    ours = sum(forces.at[u] for u in counts) + tanks
    if theirs > ours:
        return found.add(
            f"the defender's armor: {theirs} Tank Points against {ours}", -min(most, theirs - ours), "PA-CS.E4"
        )
    return found


def engineers(g: Board, f: Formation, units: Sequence[Unit], kind: str, h: Hex) -> Breakdown:
    """PA-DRM.eng, PA-TEC.d Engineers of the activated formation that attack a pillbox, or support the attack."""
    found = Breakdown("engineers")
    if not pillbox_works(g, h) or g.forces.side[units[0]] != GERMAN:
        return found
    some = [u for u in units if g.forces.engineer[u]]
    if kind != HASTY:
        near = supporters(g, h, GERMAN, (g.place[units[0]],))
        some += [u for us in near.values() for u in us if g.forces.engineer[u] and g.command[u] == f]
    if not some:
        return found
    times = len(some) if g.reads("engineer_bonus") == "each_unit" else 1
    return found.add(
        f"engineers against a pillbox: {g.name(some[0])}", times * g.numbers.combat.engineers, "PA-DRM.eng"
    )


def modifiers(g: Board, f: Formation, units: Sequence[Unit], kind: str, h: Hex) -> Breakdown:
    """PA-CS.E All modifiers of an attack, in the order of the combat sequence."""
    a = g.place[units[0]]
    found = Breakdown("modifier").join(hexside_modifier(g, a, h))
    found.join(attack_support(g, f, kind, a, h)).join(defence_support(g, a, h))
    return found.join(hq_support(g, f, kind)).join(armor(g, units, h)).join(engineers(g, f, units, kind, h))
