"""What an attack is worth: the odds as the rules count them, and the average of what the table says."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from kessel.bots.korsun44.weights import Weights
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Hex
from kessel.games.korsun44.board import DISORDER, Board
from kessel.games.korsun44.combat.artillery import barrage_strength, why_not_fire
from kessel.games.korsun44.combat.battle import COMBAT_SEGMENT, Battle, barrage_shift, defenders_in
from kessel.games.korsun44.combat.odds import armor_fire, first_column, gun_chances
from kessel.games.korsun44.combat.shifts import standing_shifts, why_not_engineer
from kessel.games.korsun44.combat.strengths import attack_strength, defence_strength
from kessel.games.korsun44.combat.support import formation_of, payers
from kessel.games.korsun44.data.charts import Charts
from kessel.games.korsun44.movement.zones import zone_of

DICE = 6


class Averages(NamedTuple):
    """What a column of the table brings on average."""

    own_steps: float
    own_disorder: float
    own_retreat: float
    steps: float
    disorder: float
    retreat: float
    breakthrough: float


@lru_cache(maxsize=64)
def averages(charts: Charts, column: int) -> Averages:
    """By exact chances of two dice."""
    total = [0.0] * 7
    for black in range(1, DICE + 1):
        for red in range(1, DICE + 1):
            mine, theirs, _ = charts.crt[black + red, charts.odds[column]]
            for i, x in enumerate(
                (mine.steps, mine.disorganized, mine.retreat > 0, theirs.steps, theirs.disorganized,
                 theirs.retreat > 0, theirs.breakthrough)
            ):  # fmt: skip
                total[i] += x / DICE**2
    return Averages(*total)


def step_worth(g: Board, w: Weights, u: Unit) -> float:
    return w.armor if g.forces.armor[u] or g.forces.star[u] else 1.0 if g.forces.attacks[u] else 0.5


def mean_worth(g: Board, w: Weights, units: Sequence[Unit]) -> float:
    return sum(step_worth(g, w, u) for u in units) / len(units) if units else 1.0


def guns_for(g: Board, b: Battle, side: Side, guns: Sequence[Unit]) -> list[Unit]:
    """The guns that could support a side, strongest first, as many as may."""
    attack = side == b.side
    c = g.charts.constants
    able = [u for u in guns if why_not_fire(g, b, u, side, 0) is None]
    able.sort(key=lambda u: (-barrage_strength(g, u, attack), u))
    return able[: c.attack_guns if attack else c.defence_guns]


def battle(g: Board, side: Side, segment: int, target: Hex, units: Sequence[Unit], guns: Sequence[Unit] = ()) -> Battle:
    """The attack as it would be declared: supported where somebody can pay, with the guns at hand."""
    defenders = defenders_in(g, target, 1 - side)
    paid = tuple(f for f in sorted({formation_of(g, u) for u in units}) if payers(g, units, f))
    b = Battle(side, segment, (target,), tuple(sorted(units)), defenders, paid)
    if segment != COMBAT_SEGMENT or not paid:
        return b
    engineer = next((u for u in b.attackers if why_not_engineer(g, b, u) is None), -1)
    points = sum(barrage_strength(g, u, True) for u in guns_for(g, b, side, guns)) if guns else 0
    return b._replace(points=points, engineer=engineer)


class Prospect(NamedTuple):
    """What an attack promises."""

    value: float
    column: float
    """The average column."""
    retreat: float


def prospect(g: Board, w: Weights, b: Battle, prize: float) -> Prospect:
    """The gain an attack promises; `prize` is what it is worth that the defenders leave."""
    attack, defence = attack_strength(g, b).total, defence_strength(g, b).total
    first = first_column(g, attack, defence) + standing_shifts(g, b).total
    last = len(g.charts.odds) - 1
    theirs, ours = mean_worth(g, w, b.defenders), mean_worth(g, w, b.attackers)
    steps = sum(g.steps[u] for u in b.defenders)
    value = column = leaves = 0.0
    trapped = steps * w.trapped * theirs if is_trapped(g, b) else 0.0
    for shift, chance in gun_chances(g, b).items() if b.points or b.gun_points else [(0, 1)]:
        at, p = min(max(first + shift, 0), last), float(chance)
        a = averages(g.charts, at)
        value += p * (
            min(a.steps, steps) * theirs * w.enemy_step
            + a.retreat * (prize + trapped)
            + a.breakthrough * w.breakthrough
            + a.disorder * w.disorder
            - a.own_steps * ours * w.own_step
            - a.own_disorder * w.disorder * 0.5
        )
        column += p * at
        leaves += p * a.retreat
    return Prospect(value + _armor(g, w, b) - len(b.paid) * w.supply_point, column, leaves)


def _armor(g: Board, w: Weights, b: Battle) -> float:
    """12.12.1 Tanks against tanks."""
    fire = armor_fire(g, b)
    gain = fire.attack / DICE * w.armor * w.enemy_step if fire.targets else 0.0
    return gain - (fire.defence / DICE * w.armor * w.own_step if fire.victims else 0.0)


def is_trapped(g: Board, b: Battle) -> bool:
    """Whether defenders that must retreat find only enemies and their zones around them."""
    zone = zone_of(g, b.side) | g.hexes_of(b.side) | g.hexes_of(b.enemy)
    return not any(g.playable >> n & 1 and not zone >> n & 1 for n in g.map.grid.around[b.targets[0]])


def is_disordered(g: Board, u: Unit) -> bool:
    return bool(g.status[u] & DISORDER)


def shelled(g: Board, h: Hex) -> bool:
    return bool(barrage_shift(g, h))
