"""What an attack is worth: exact chances as the rules count them, in numbers quick enough to plan with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from kessel.bots.bug41.weights import Weights
from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.games.bug41.board import Board, Formation
from kessel.games.bug41.combat.checks import is_surprised
from kessel.games.bug41.combat.modifiers import modifiers
from kessel.games.bug41.combat.strength import HASTY, attack_strengths
from kessel.games.bug41.data.charts import Charts
from kessel.games.bug41.movement.pillboxes import is_sheltered, row_of


@dataclass(frozen=True, slots=True)
class Fight:
    """The chances of an attack: hits (mine, theirs) and how likely they are."""

    hits: tuple[tuple[int, int, float], ...]
    leaves: float
    """That the defenders must leave the hex, or die."""
    disrupted: float
    """How many defenders become Disrupted, on average."""
    disrupts_me: float

    def mean(self, who: int) -> float:
        return sum(hit[who] * hit[2] for hit in self.hits)


@lru_cache(maxsize=100_000)
def columns_of(charts: Charts, hasty: bool, attack: int, fit: int, weak: int, terrain: str) -> tuple[float, ...]:
    """The chance of each column: strength of the attack, of undisrupted and of Disrupted defenders."""
    kinds = Counter(charts.chits)
    pairs = len(charts.chits) * (len(charts.chits) - 1)
    found = [0.0] * 13
    for ours, n in kinds.items():
        by = ours.left if hasty else ours.right
        for theirs, m in kinds.items():
            both = n * (m - (ours == theirs))
            if both:
                ratio = attack * by / (fit * theirs.right + weak * theirs.left)
                found[max(1, charts.column_of(terrain, ratio))] += both / pairs
    return tuple(found)


@lru_cache(maxsize=100_000)
def hits_of(
    charts: Charts, columns: tuple[float, ...], added: int, sides: int, reading: str
) -> tuple[tuple[int, int, float], ...]:
    found: dict[tuple[int, int], float] = {}
    for column, p in enumerate(columns):
        for die in range(1, sides + 1) if p else ():
            hit = charts.hits_of(die + added, column, reading)
            found[hit] = found.get(hit, 0.0) + p / sides
    return tuple((*hit, p) for hit, p in found.items())


def chance_to_fail(g: Board, u: Unit, *, shelter: bool = False) -> float:
    """That a unit fails its check; the rules count it exactly, with their reasons (`chance_to_pass`)."""
    good = g.forces.effectiveness[u]
    if is_surprised(g, g.forces.side[u]):
        good -= g.numbers.checks.surprise
    if shelter and is_sheltered(g, u):
        good -= g.numbers.checks.pillbox
    return 1 - min(max(good, 0), g.numbers.die.sides) / g.numbers.die.sides


def fight(g: Board, f: Formation, kind: str, h: Hex, units: Sequence[Unit]) -> Fight:
    """The chances of an attack by units that stand beside the hex."""
    defenders = g.combat_units(h)
    fit = sum(g.steps[u] for u in defenders if not g.is_disrupted(u))
    weak = sum(g.steps[u] for u in defenders) - fit
    hasty = kind == HASTY and g.reads("hasty_chit") == "left"
    columns = columns_of(g.charts, hasty, attack_strengths(g, units).total, fit, weak, row_of(g, h).name)
    added = modifiers(g, f, units, kind, h).total
    hits = hits_of(g.charts, columns, added, g.numbers.die.sides, g.reads("crt_row_7"))
    least = g.numbers.red.hits
    fails = [chance_to_fail(g, u, shelter=True) for u in defenders if not g.is_disrupted(u)]
    all_fail = 1.0
    for p in fails:
        all_fail *= p
    leaves = 0.0
    for _, theirs, p in hits:
        if theirs >= fit + weak:
            leaves += p
        elif theirs and (theirs >= least or not fails):
            leaves += p * all_fail
    red = sum(p for _, theirs, p in hits if theirs >= least)
    mine = sum(p for ours, _, p in hits if ours >= least)
    own = sum(chance_to_fail(g, u) for u in units)
    return Fight(hits, leaves, red * sum(fails), mine * own)


def wear(g: Board, odds: Fight, h: Hex) -> float:
    """How far an attack that does not clear a hex brings the next one: strength lost, units Disrupted."""
    defenders = g.combat_units(h)
    return odds.mean(1) / sum(g.steps[u] for u in defenders) + 0.5 * odds.disrupted / len(defenders)


def price(g: Board, w: Weights, units: Sequence[Unit]) -> float:
    """What a strength point of these units is worth: that of armor more."""
    return sum(w.afv if g.forces.afv[u] else 1.0 for u in units) / len(units) if units else 1.0


def worth(g: Board, w: Weights, f: Formation, kind: str, h: Hex, units: Sequence[Unit], prize: float) -> float:
    """The gain an attack promises; `prize` is what the hex itself is worth."""
    odds = fight(g, f, kind, h, units)
    most = sum(g.steps[u] for u in g.combat_units(h))
    gain = min(most, odds.mean(1)) * w.enemy_strength * price(g, w, g.combat_units(h))
    gain += odds.disrupted * w.disruption + odds.leaves * prize
    gain += (1 - odds.leaves) * prize * w.wear * wear(g, odds, h)
    return gain - odds.mean(0) * w.own_strength * price(g, w, units) - odds.disrupts_me * w.disruption
