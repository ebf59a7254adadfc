"""12.5, 12.6, 12.17.2 Combat strengths: halving and its cap, zones, disorder, what terrain adds."""

from __future__ import annotations

from kessel.core.breakdown import Breakdown
from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.games.korsun44.board import DECLARED, DEFENDED, DISORDER, GERMAN, STRUCK, Board
from kessel.games.korsun44.combat.battle import COMBAT_SEGMENT, RESERVE_SEGMENT, Battle, in_hex
from kessel.games.korsun44.combat.support import is_supported
from kessel.games.korsun44.combat.terrain import hex_rows, side_rows
from kessel.games.korsun44.data.forces import ALARM
from kessel.games.korsun44.movement.costs import crosses_river
from kessel.games.korsun44.units.strength import (
    has_star,
    infantry_steps,
    is_attack_capable,
    strength,
    zone_steps,
)

Halving = tuple[str, str]
"""Why a strength is halved, and the rule."""

# --- the attacker --------------------------------------------------------------------------------------------------


def attack_strength(g: Board, b: Battle) -> Breakdown:
    """12.1.3.B1 All attackers together."""
    total = Breakdown("attack")
    for u in b.attackers:
        total.join(attack_of(g, b, u))
    return total


def attack_of(g: Board, b: Battle, u: Unit) -> Breakdown:
    """12.5 One attacker: at most two halvings, each rounded up; Disorganized comes on top (12.17.2)."""
    name, most = g.name(u), g.charts.constants.halvings
    found = Breakdown(name).add(name, strength(g, u), "4.4")
    reasons = halvings(g, b, u)
    for what, rule in reasons[:most]:
        found.halve(f"{name} {what}", rule)
    for what, _ in reasons[most:]:
        found.note(f"{name} {what}, but is halved {most} times already", "12.5")
    return _disordered(g, u, found)


def _disordered(g: Board, u: Unit, found: Breakdown) -> Breakdown:
    if g.status[u] & DISORDER:
        found.halve(f"{g.name(u)} is Disorganized or in Regroup", "12.17.2")
    return found


def halvings(g: Board, b: Battle, u: Unit) -> list[Halving]:
    """12.1.3.B1 All that halves an attacker, in the book's order: support, terrain, zones."""
    found: list[Halving] = []
    if not is_supported(g, b, u):
        found.append(("is unsupported", "12.4"))
    into, over = _into(g, b, u), _over(g, b, u)
    found += into if g.reads("hex_and_side") == "both" or not over else []
    found += over
    if in_foreign_zoc(g, b, g.place[u]):
        found.append(("is in the ZOC of units that are not attacked", "12.6"))
    return found


def _into(g: Board, b: Battle, u: Unit) -> list[Halving]:
    """12.5.1, 12.5.2 Armor attacks woods, forests and towns with half: the worst hex counts, once."""
    for h in b.targets:
        for word, row in hex_rows(g, h, b.enemy):
            if row.halved == "armor" and g.forces.armor[u]:
                return [(f"is armor and attacks into {word}", "12.5.2")]
    return []


def _over(g: Board, b: Battle, u: Unit) -> list[Halving]:
    """12.5.1, 12.5.2, Q39 Rivers and streams halve all units, swamps armor: the worst hexside counts, once."""
    found: list[Halving | None] = []
    for h in b.targets:
        rows = side_rows(g, b.side, g.place[u], h)
        words = [w for w, r in rows if r.halved == "all" or (r.halved == "armor" and g.forces.armor[u])]
        found.append((f"attacks across a {words[0]}", "12.5.2") if words else None)
    some = [one for one in found if one is not None]
    if not some or (g.reads("worst_hexside") == "best" and len(some) < len(found)):
        return []
    return some[:1]


def in_foreign_zoc(g: Board, b: Battle, a: Hex) -> bool:
    """12.6, 10.6.2 Whether an attacking hex is in the ZOC of enemies that are not being attacked."""
    if (g.ground.town | g.ground.forest) >> a & 1:
        return False
    grid = g.map.grid
    swims = any(crosses_river(g, a, grid.direction(a, h)) for h in b.targets if h != a)
    for d, e in enumerate(grid.neighbours[a]):
        if e not in grid.around[a] or e in b.targets or g.ground.lake[d] >> a & 1:
            continue
        if crosses_river(g, a, d) and not swims:
            continue
        if sum(zone_steps(g, v) for v in g.of_side(e, b.enemy) if not _is_attacked(g, b, v)) >= _needed(g):
            return True
    return False


def _needed(g: Board) -> int:
    return g.charts.constants.zoc_steps


def _is_attacked(g: Board, b: Battle, v: Unit) -> bool:
    """12.6, 12.1.4, Q66 Whether a unit's ZOC does not count: it is or was under attack."""
    if g.status[v] & STRUCK:
        return True
    if g.reads("being_attacked") == "same_combat":
        return v in b.defenders
    marked = b.segment in (COMBAT_SEGMENT, RESERVE_SEGMENT) and g.combats[g.place[v]] & DECLARED
    return bool(g.status[v] & DEFENDED or marked)


# --- the defender --------------------------------------------------------------------------------------------------


def defence_strength(g: Board, b: Battle) -> Breakdown:
    """12.1.3.B1 All defenders together; a gun that fires for its own hex adds no strength (12.10.7)."""
    total, fixed = Breakdown("defence"), dict(b.fixed)
    before = g.reads("terrain_points") == "before"
    for h in b.targets:
        units = [u for u in in_hex(g, b.defenders, h) if u != b.gun]
        points = terrain_points(g, b, h)
        if before and points.total and units and all(g.status[u] & DISORDER for u in units):
            points.halve("the defenders are Disorganized or in Regroup", "12.17.2")
        for u in units:
            power = fixed.get(u, strength(g, u))
            total.join(_disordered(g, u, Breakdown(g.name(u)).add(g.name(u), power, "4.4")))
        total.join(points)
    return total


def terrain_points(g: Board, b: Battle, h: Hex) -> Breakdown:
    """12.5.1, 12.5.2, 15.1.2 What the terrain of a hex adds: the best there is."""
    best = Breakdown("terrain")
    for word, row in hex_rows(g, h, b.enemy):
        found = _points(g, b, h, row.points)
        rule = "15.1.2" if word == "improved_position" else "12.5.2"
        if found > best.total:
            best = Breakdown("terrain").add(f"{word.replace('_', ' ')} in {g.hex_name(h)}", found, rule)
    return best


def _points(g: Board, b: Battle, h: Hex, kind: str) -> int:
    c, units = g.charts.constants, in_hex(g, b.defenders, h)
    if kind == "two":
        return _two(g, b, units) if any(_earns(g, u) for u in units) else 0
    if kind == "steps":
        steps = sum(infantry_steps(g, u) for u in units if g.forces.role[u] != ALARM)
        return max(steps * c.step_points, c.terrain_points) if steps else 0
    return 0


def _earns(g: Board, u: Unit) -> bool:
    """12.5.2, 4.8.2 Infantry type units, star brigades among them; alarm units never, unarmed engineers by a switch."""
    if g.forces.role[u] == ALARM:
        return False
    if g.forces.engineer[u] and not g.forces.attacks[u]:
        return g.reads("engineer_plus") == "earns"
    return bool(g.forces.infantry_type[u]) or has_star(g, u)


def _two(g: Board, b: Battle, units: list[Unit]) -> int:
    """12.5.2; 18.10 where it is played Germans have 3, 2 or 1 by the strength of their infantry."""
    if b.enemy != GERMAN or not g.plays("german_strengths"):
        return g.charts.constants.terrain_points
    infantry = sum(strength(g, u) for u in units if g.forces.infantry_type[u] and is_attack_capable(g, u))
    table = g.charts.game.german_strength
    return table.from_13 if infantry >= 13 else table.from_7 if infantry >= 7 else table.below_7
