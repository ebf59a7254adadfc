"""12.4, 12.41 What an attack is worth before any chit is drawn: strengths, rivers, flanks, armor, support, chits.

Attack checks (9.4), the placement of reserves (12.2) and combat (12.0) ask the same questions; each answer is given
once, here. Attackers are units on the map adjacent to the target; a check that imagines reserves asks on a copy.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kessel.core.breakdown import Breakdown
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.games.kharkov43.board import DEFENDED, ISOLATED, LIGHT_MUD, UNSUPPLIED, Board
from kessel.games.kharkov43.supply.support import supported

BIG_RIVERS = ("donets", "dniepr")


def defenders_of(g: Board, target: Hex, side: Side) -> list[Unit]:
    """12.1, 12.74 The units of that side that defend the hex: those not yet attacked in this activation."""
    return [u for u in g.units_of(target, side) if not g.status[u] & DEFENDED]


# --- 12.41 combat strength -------------------------------------------------------------------------------------------


def _crosses(g: Board, u: Unit, target: Hex, *rivers: str) -> bool:
    d = g.map.grid.direction(g.place[u], target)
    return any(g.map.side_has(g.place[u], d, river) for river in rivers)


def _in_halving_terrain(g: Board, u: Unit, *hexes: Hex) -> bool:
    """A mechanized unit, and one of the hexes is marsh."""
    return g.is_mech(u) and any(g.map.terrain[h] in g.charts.halving_terrains for h in hexes)


def halvings(g: Board, u: Unit, target: Hex) -> list[str]:
    """12.41 Why an attacker counts half: across the Dniepr, mechanized from or into marsh. Both: a quarter."""
    found = ["across the Dniepr"] if _crosses(g, u, target, *g.charts.halving_rivers) else []
    return [*found, "mechanized in or into marsh"] if _in_halving_terrain(g, u, g.place[u], target) else found


def _total(g: Board, name: str, units: Iterable[tuple[Unit, list[str]]]) -> Breakdown:
    """12.41 All units halved once are totalled first, then halved, fractions dropped; so are those halved twice."""
    total = Breakdown(name)
    groups: dict[int, Breakdown] = {}
    reasons: dict[int, list[str]] = {}
    for u, halved in units:
        if not halved:
            total.add(g.name(u), g.strength(u), "2.21")
            continue
        groups.setdefault(len(halved), Breakdown("")).add(g.name(u), g.strength(u), "2.21")
        reasons.setdefault(len(halved), []).extend(halved)
    for times, part in sorted(groups.items()):
        for _ in range(times):
            part.halve(", ".join(dict.fromkeys(reasons[times])), "12.41", up=False)
        total.join(part)
    return total


def attack_strength(g: Board, attackers: Iterable[Unit], target: Hex) -> Breakdown:
    return _total(g, "attack", ((u, halvings(g, u, target)) for u in attackers))


def defence_strength(g: Board, defenders: Iterable[Unit]) -> Breakdown:
    def why(u: Unit) -> list[str]:
        return ["mechanized in marsh"] if _in_halving_terrain(g, u, g.place[u]) else []

    return _total(g, "defence", ((u, why(u)) for u in defenders))


# --- situations of an attack -----------------------------------------------------------------------------------------


def hexes_of_units(g: Board, units: Iterable[Unit]) -> Bits:
    s = 0
    for u in units:
        s |= 1 << g.place[u]
    return s


def is_flank_attack(g: Board, attackers: Iterable[Unit], target: Hex) -> bool:
    return is_flanked_from(g, {g.place[u] for u in attackers}, target)


def is_flanked_from(g: Board, hexes: set[Hex], target: Hex) -> bool:
    """12.41 From three hexes, or from two that are not adjacent to each other; never against a town or city."""
    if len(hexes) < 2 or g.charts.table("terrain").at(g.map.terrain[target], "flank") == "no":
        return False
    if len(hexes) == 2:
        a, b = hexes
        return not g.map.grid.adjacent(a, b)
    return True


def all_across_river(g: Board, attackers: Iterable[Unit], target: Hex) -> bool:
    """9.4, 12.51 Every attacker attacks across a Donets or Dniepr hexside."""
    return all(_crosses(g, u, target, *BIG_RIVERS) for u in attackers)


def any_armor(g: Board, units: Iterable[Unit]) -> bool:
    return any(g.is_armor(u) for u in units)


def is_supported_attack(g: Board, attackers: Iterable[Unit], target: Hex) -> bool:
    """13.52 A Soviet attack is supported if the target or at least one attacker is in a hex in Soviet support."""
    return bool((hexes_of_units(g, attackers) | 1 << target) & supported(g))


def is_in_barrage_zone(g: Board, target: Hex) -> bool:
    """12.36 On game-turns 1 and 2, east of the artillery line."""
    return g.turn <= 2 and bool(g.ground.east_zone >> target & 1)


def all_isolated(g: Board, units: Sequence[Unit]) -> bool:
    return all(g.status[u] & ISOLATED for u in units)


def all_unsupplied(g: Board, units: Sequence[Unit]) -> bool:
    return all(g.status[u] & UNSUPPLIED for u in units)


# --- 12.4 how many chits ---------------------------------------------------------------------------------------------


def chit_maximum(
    g: Board, attackers: Iterable[Unit], defenders: Sequence[Unit], tactics: Sequence[str] = (), *, screen: bool = False
) -> Breakdown:
    """12.4 The most chits the attack may draw. `tactics`: the names of the tactics the attacker applies."""
    value = g.charts.table("chit_maximum").number
    b = Breakdown("chits")
    for u in attackers:
        row = "attacker_of_three_steps" if g.steps[u] == 3 else "attacker_of_one_or_two_steps"
        b.add(g.name(u), value(row, "value"), "12.4")
    for tactic in tactics:
        b.add(tactic, value("attacker_tactic", "value"), "12.4")
    if all_isolated(g, defenders):
        b.add("the defender is isolated", value("defender_isolated", "value"), "12.4")
    elif all_unsupplied(g, defenders):
        b.add("the defender is out of supply", value("defender_out_of_supply", "value"), "12.4")
    if screen:
        b.add("Screen", value("screen", "value"), "12.4")
    if g.ground_condition == LIGHT_MUD:
        b.cap("light mud", g.charts.constants.light_mud_chits, "18.34")
    return b


def chits_drawn(g: Board, maximum: Breakdown, defenders: Iterable[Unit]) -> int:
    """12.4 What a Soviet attack draws: the maximum, but never less than the steps of the defenders."""
    return max(maximum.total, sum(g.steps[u] for u in defenders))
