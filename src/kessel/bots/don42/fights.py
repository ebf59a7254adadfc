"""Which attacks are worth making, and how results are taken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from kessel.bots.don42.plans import held_value, objective_value, worth
from kessel.bots.don42.weights import Weights
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Hex
from kessel.games.don42.board import OTHER, Board
from kessel.games.don42.combat.air import strikers
from kessel.games.don42.combat.combat import attackers_of, supporters
from kessel.games.don42.combat.odds import Odds, attack_strength, work_out
from kessel.games.don42.combat.retreat import retreat_paths
from kessel.games.don42.data.charts import ADPT, ADRG, AE1, BRE, DE1, DRE, DRTD
from kessel.games.don42.data.forces import SOVIET
from kessel.games.don42.movement.stacking import why_not_together
from kessel.games.don42.movement.zones import enemy_zone

WeightsOf: TypeAlias = Callable[[Board, Unit], Weights]
"""By the formation of a unit."""


@dataclass(slots=True)
class Plan:
    """An attack as it would be made."""

    target: Hex
    attackers: tuple[Unit, ...]
    guns: tuple[Unit, ...]
    planes: int
    gain: float
    enough: float
    """What it must promise to be made."""


def gain_of(g: Board, w: Weights, side: Side, target: Hex, attackers: Sequence[Unit], odds: Odds) -> float:
    """The mean of what the six results are worth."""
    there = g.units(target)
    prize = sum(worth(g, u) * (w.hq if g.forces.hq[u] else 1.0) for u in there)
    least = min(worth(g, u) for u in attackers)
    many = len(attackers)
    ground = w.ground * objective_value(g, target, side)
    total = 0.0
    for result in odds.results:
        if result == AE1:
            total -= w.blood * (least + 1)
        elif result == ADPT:
            total -= w.blood * 1.6 * many
        elif result == ADRG:
            total -= w.blood * 0.7 * many
        elif result == BRE:
            total -= w.blood * 0.4 * many
        elif result in DRE:
            total += 0.5 * DRE[result] + 0.12 * prize + ground + _boxed_in(g, side, target, prize, DRE[result])
        elif result == DRTD:
            total += 2.0 + 0.3 * prize + ground + _boxed_in(g, side, target, prize, 3)
        elif result == DE1:
            total += (prize if len(there) == 1 else max(worth(g, u) for u in there) * 0.7) + ground
    return total / 6


def _boxed_in(g: Board, side: Side, target: Hex, prize: float, hexes: int) -> float:
    """A Soviet defender that can only retreat into zones of control is as good as lost."""
    owner = OTHER[side]
    if owner != SOVIET:
        return 0.0
    near = [n for n in g.map.grid.around[target] if any(g.forces.side[u] == side for u in g.units(n))]
    paths = retreat_paths(g, owner, target, 1, near)
    zone, friends = enemy_zone(g, owner), g.hexes_of(owner)
    free = [p for p in paths if not zone >> p[0] & ~(friends >> p[0]) & 1]
    return 0.0 if free else 0.6 * prize


def attacks_on(g: Board, weights: WeightsOf, side: Side, targets: Sequence[Hex]) -> list[Plan]:
    """The best attack on each hex."""
    return [p for t in targets if (p := plan_attack(g, weights, side, t)) is not None]


def best_attack(plans: Sequence[Plan]) -> Plan | None:
    """The attack with the highest expected gain, if any is good enough."""
    good = [p for p in plans if p.gain >= p.enough]
    return max(good, key=lambda p: (p.gain, -p.target), default=None)


def plan_attack(g: Board, weights: WeightsOf, side: Side, target: Hex) -> Plan | None:
    """All fighters next to the hex, guns in range, and air units where they tip the scale."""
    able = [u for u in attackers_of(g, side, target) if attack_strength(g, u) and not g.forces.hq[u]]
    fighters = [u for u in able if not g.forces.artillery[u]]
    if not fighters:
        return None
    fighters.sort(key=lambda u: (-attack_strength(g, u), u))
    w = weights(g, fighters[0])
    guns = tuple(supporters(g, side, target, fighters, attacking=True))[:4]
    planes = min(len(strikers(g, side)), g.charts.constants.air_support)
    best: Plan | None = None
    for n in range(1, len(fighters) + 1):
        group = tuple(fighters[:n])
        for flying in {0, planes}:
            odds = work_out(g, side, group, target, guns, range(flying))
            gain = gain_of(g, w, side, target, group, odds) - w.plane * flying - w.attacker * n
            if best is None or gain > best.gain:
                best = Plan(target, group, guns, flying, gain, w.good_enough)
    return best


def least_worth(g: Board, units: Sequence[Unit]) -> Unit:
    return min(units, key=lambda u: (worth(g, u), u))


def gives_way(g: Board, side: Side, here: Hex, units: Sequence[Unit], paths: Sequence[tuple[Hex, ...]]) -> bool:
    """Whether retreating is better than losing a step."""
    zone, friends = enemy_zone(g, side), g.hexes_of(side)
    bare = min((sum(zone >> h & ~(friends >> h) & 1 for h in p) for p in paths), default=9)
    two_steps = any(g.steps[u] > 1 for u in units)
    if not two_steps:
        return bool(paths) and (bare == 0 or side != SOVIET or True)
    if side == SOVIET and bare:
        return False
    return held_value(g, here, side) < 10 and bare < 2


def best_retreat(g: Board, side: Side, units: Sequence[Unit], paths: Sequence[tuple[Hex, ...]]) -> tuple[Hex, ...]:
    """Where there is room, good ground, and the enemy is far."""
    enemies = [g.place[u] for u in g.units_on_map(OTHER[side])]
    grid = g.map.grid

    def score(path: tuple[Hex, ...]) -> tuple[float, int]:
        end = path[-1]
        crowded = why_not_together(g, side, [*g.units(end), *(u for u in units if u not in g.units(end))]) is not None
        far = min((grid.distance(end, e) for e in enemies), default=9)
        shift, _ = g.ground.hex_shift(end)
        return (-3.0 * crowded + min(far, 4) + 0.5 * shift + 0.5 * bool(g.ground.on_road >> end & 1), -end)

    return max(paths, key=score)
