"""12.7-12.9, 12.5.2, 13.5.2, 15.3.2, 17.1.3 Column shifts that need no die, in the order of 12.1.3.C."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kessel.core.breakdown import Breakdown, Refusal
from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.games.korsun44.board import DECLARED, DISORDER, FOUGHT, GERMAN, OOS2, OUT, SOVIET, Board
from kessel.games.korsun44.combat.battle import (
    ALARM_COMBAT,
    COMBAT_SEGMENT,
    Battle,
    barrage_shift,
    in_hex,
    origins_of,
    with_partisans,
)
from kessel.games.korsun44.combat.strengths import halvings, in_foreign_zoc
from kessel.games.korsun44.combat.support import has_support, is_supported
from kessel.games.korsun44.combat.terrain import bars_armor, crosses_mines, hex_rows
from kessel.games.korsun44.data.forces import ALARM, EXTENSION
from kessel.games.korsun44.movement.stacking import is_division
from kessel.games.korsun44.units.strength import (
    has_star,
    is_attack_capable,
    is_cadre,
    is_extended,
    white_dots,
)


def standing_shifts(g: Board, b: Battle) -> Breakdown:
    """12.1.3.C3-C8 All shifts but those of artillery and aircraft; to the right is positive."""
    found = Breakdown("shifts")
    for part in (divisions, combined_arms, superiority, hilltop, engineer, oos2, mines, barrage):
        found.join(part(g, b))
    return found


# --- 12.9.2 Soviet divisions ---------------------------------------------------------------------------------------


def divisions(g: Board, b: Battle) -> Breakdown:
    """12.9.2, Q01 Each Soviet division that attacks with two steps or more: one right, or all together one."""
    found = Breakdown("Soviet divisions")
    if b.segment not in (COMBAT_SEGMENT, ALARM_COMBAT):
        return found
    for u in b.attackers:
        if gives_bonus(g, b, u) and not (found.total and g.reads("division_shift") == "once"):
            found.add(f"division {g.name(u)}", g.charts.constants.division_shift, "12.9.2")
    return found


def gives_bonus(g: Board, b: Battle, u: Unit) -> bool:
    """12.9.2, Q40 Neither cadre nor out of supply, extended, broken down, or in the ZOC of somebody else."""
    if g.forces.side[u] != SOVIET or g.forces.role[u] == EXTENSION or is_extended(g, u):
        return False
    fort = g.forces.type[u] == "fortified_area" and g.reads("fortified_area_parts") == "yes"
    if not is_division(g, u) and not fort:
        return False
    if g.steps[u] < g.charts.constants.division_steps or is_cadre(g, u) or g.status[u] & OUT:
        return False
    if not in_foreign_zoc(g, b, g.place[u]):
        return True
    spared = len(halvings(g, b, u)) > g.charts.constants.halvings
    return spared and g.reads("capped_zoc") == "bonus_kept"


# --- 12.7 combined arms --------------------------------------------------------------------------------------------


def combined_arms(g: Board, b: Battle) -> Breakdown:
    """12.7 One right for each attacking stack with combined arms, one left for each such defending hex."""
    found = Breakdown("combined arms")
    caps = [row.combined_arms for h in b.targets for _, row in hex_rows(g, h, b.enemy)]
    attack = [a for a in origins_of(g, b) if _has_both(g, b, in_hex(g, b.attackers, a)) and not bars_armor(g, b, a)]
    most = min([*caps, g.charts.constants.combined_arms])
    for a in attack[:most]:
        found.add(f"combined arms in {g.hex_name(a)}", 1, "12.7")
    if len(attack) > most:
        found.note(f"combined arms: at most {most} here", "12.7")
    defence = [h for h in b.targets if _has_both(g, b, in_hex(g, b.defenders, h)) and _hex_cap(g, b, h)]
    for h in defence[: max([1, *(_hex_cap(g, b, h) for h in defence)])]:
        found.add(f"combined arms in {g.hex_name(h)}", -1, "12.7")
    return found


def _hex_cap(g: Board, b: Battle, h: Hex) -> int:
    return min(row.combined_arms for _, row in hex_rows(g, h, b.enemy))


def _has_both(g: Board, b: Battle, units: Sequence[Unit]) -> bool:
    """12.7 A Soviet star brigade; German armor with attack-capable infantry. Cadres and disordered units never."""
    fit = [u for u in units if not g.status[u] & DISORDER and not is_cadre(g, u)]
    if any(has_star(g, u) and not (g.reads("star_alone") == "everything" and faces_armor_only(g, b)) for u in fit):
        return True
    if any(g.forces.side[u] == SOVIET for u in fit):
        return False
    tanks = any(_is_armor_half(g, u) for u in fit)
    return tanks and any(g.forces.infantry_type[u] and is_attack_capable(g, u) for u in fit if not _is_alarm(g, u))


def _is_armor_half(g: Board, u: Unit) -> bool:
    return bool(g.forces.armor[u]) and (g.forces.type[u] != "Marder" or g.reads("marder_arms") == "armor")


def _is_alarm(g: Board, u: Unit) -> bool:
    return g.forces.role[u] == ALARM


def faces_armor_only(g: Board, b: Battle) -> bool:
    """4.5.3.1 Whether all Germans in the combat are armor; anti-armor is no infantry either (12.12.1)."""
    germans = b.attackers if b.side == GERMAN else b.defenders
    return all(g.forces.armor[u] or g.forces.anti_armor[u] for u in germans)


# --- 12.8 armor superiority ----------------------------------------------------------------------------------------


def superiority(g: Board, b: Battle) -> Breakdown:
    """12.8 The best attacker's white dots against the best defender's."""
    found = Breakdown("armor superiority")
    attack, defence = best_white(g, attacking_armor(g, b)), best_white(g, defending_armor(g, b))
    if attack > defence:
        lead = min(attack - defence, 5)
        shift = g.charts.game.superiority[str(lead)]
        if g.reads("superiority_table") == "body" and 2 <= lead <= 4:
            shift = 1
        found.add(f"armor superiority, {attack} to {defence} white dots", shift, "12.8")
    elif defence > attack:
        left = g.charts.constants.superiority_left
        found.add(f"armor superiority of the defender, {defence} to {attack} white dots", -left, "12.8")
    return found


def best_white(g: Board, units: Iterable[Unit]) -> int:
    return max((white_dots(g, u) for u in units), default=0)


def attacking_armor(g: Board, b: Battle) -> list[Unit]:
    """12.8.1 Armor that neither attacks a town or forest nor across a river or swamp without a bridge."""
    if not all(row.superiority for h in b.targets for _, row in hex_rows(g, h, b.enemy)):
        return []
    return [u for u in b.attackers if g.forces.armor[u] and not bars_armor(g, b, g.place[u])]


def defending_armor(g: Board, b: Battle) -> list[Unit]:
    """12.8.1, Q13 Armor that defends neither in a town nor in a forest; behind a river too, or not."""
    if g.reads("river_superiority") == "nobody" and all(bars_armor(g, b, a) for a in origins_of(g, b)):
        return []
    good = [h for h in b.targets if all(row.superiority for _, row in hex_rows(g, h, b.enemy))]
    return [u for u in b.defenders if g.forces.armor[u] and g.place[u] in good]


# --- 12.5.2 hilltops -----------------------------------------------------------------------------------------------


def hilltop(g: Board, b: Battle) -> Breakdown:
    """12.5.2, Q38 One right for attackers alone on a hilltop, one left for defenders; one more for a gun on one."""
    found, one = Breakdown("hilltops"), g.charts.constants.hilltop_shift
    heights = [bool(g.ground.hilltop >> a & 1) for a in origins_of(g, b)]
    up = any(heights) if g.reads("hilltops") == "any_attacker" else all(heights)
    down = any(g.ground.hilltop >> h & 1 for h in b.targets)
    if with_partisans(g, b):  # 18.1.3 they have no benefit of terrain
        up, down = up and b.side == GERMAN, down and b.enemy == GERMAN
    if up and not down:
        found.add("the attacker is on a hilltop", one, "12.5.2")
    elif down and not up:
        found.add("the defender is on a hilltop", -one, "12.5.2")
    if gun_on_hill(g, b):
        found.add(f"{g.name(b.gun)} fires from a hilltop", -one, "12.5.2")
    return found


def gun_on_hill(g: Board, b: Battle) -> bool:
    """12.5.2 A supporting gun on a hilltop next to the defenders; in a hex under attack it helps only itself."""
    if b.gun < 0:
        return False
    h = g.place[b.gun]
    if not g.ground.hilltop >> h & 1:
        return False
    if h in b.targets:
        return g.reads("gun_hill") == "second"
    return not g.combats[h] & (DECLARED | FOUGHT) and any(g.map.grid.adjacent(h, t) for t in b.targets)


# --- 12.9.1 assault engineers --------------------------------------------------------------------------------------


def engineer(g: Board, b: Battle) -> Breakdown:
    """12.9.1 One right for a declared assault engineer, however many there are."""
    found = Breakdown("assault engineers")
    if b.engineer >= 0 and not b.cleared:
        found.add(f"assault engineer {g.name(b.engineer)}", g.charts.constants.engineer_shift, "12.9.1")
    return found


def why_not_engineer(g: Board, b: Battle, u: Unit) -> Refusal | None:
    """12.9.1 Why a unit may not give the Assault Engineer Combat Bonus."""
    if b.segment != COMBAT_SEGMENT:
        return Refusal("12.1.4", "no assault engineer helps in this segment")
    if u not in b.attackers:
        return Refusal("12.9.1", f"{g.name(u)} does not attack")
    if "assault" not in g.forces.engineer[u]:
        return Refusal("12.9.1", f"{g.name(u)} is no assault engineer")
    if b.engineer >= 0:
        return Refusal("12.9.1", "one assault engineer is declared already")
    if not has_support(g, b) or not is_supported(g, b, u):
        return Refusal("12.4", f"{g.name(u)} attacks unsupported")
    if g.status[u] & DISORDER:
        return Refusal("12.17.2", f"{g.name(u)} is Disorganized or in Regroup")
    f = g.forces
    own = f.division if f.side[u] == GERMAN else f.army
    with_it = [v for v in g.of_side(g.place[u], f.side[u]) if v != u and own[v] == own[u] and is_attack_capable(g, v)]
    if not own[u] or not with_it:
        word = "division" if f.side[u] == GERMAN else "army"
        return Refusal("12.9.1", f"{g.name(u)} is not stacked with attack-capable units of its {word}")
    return None


# --- 13.5.2, 15.3.2, 17.1.3 ----------------------------------------------------------------------------------------


def oos2(g: Board, b: Battle) -> Breakdown:
    """13.5.2 Two columns against a side that is all OOS2, one if some of it is."""
    found = Breakdown("out of supply")
    for units, sign, word in ((b.defenders, 1, "defenders"), (b.attackers, -1, "attackers")):
        bad = [u for u in units if g.status[u] & OOS2]
        if bad:
            c = g.charts.constants
            shift = c.oos2_shift if len(bad) == len(units) else c.oos2_mixed_shift
            found.add(f"{word} in OOS2", sign * shift, "13.5.2")
    return found


def mines(g: Board, b: Battle) -> Breakdown:
    """15.3.2 One left where Germans attack across a minefield that no engineer has cleared."""
    found = Breakdown("minefield")
    if not b.cleared and crosses_mines(g, b):
        found.add("minefield", -g.charts.constants.mine_shift, "15.3.2")
    return found


def barrage(g: Board, b: Battle) -> Breakdown:
    """17.1.3 The shifts of a Barrage Effects marker, in the Combat Segment alone; of several the greatest."""
    found = Breakdown("barrage")
    if b.side == SOVIET and b.segment == COMBAT_SEGMENT:
        best = max(barrage_shift(g, h) for h in b.targets)
        if best:
            found.add("artillery barrage", best, "17.1.3")
    return found
