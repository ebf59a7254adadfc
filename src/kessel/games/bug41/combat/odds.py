"""Exact odds of an attack: every pair of chits, every die, every check."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from typing import Any

from kessel.core.breakdown import Breakdown
from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.games.bug41.board import Board, Formation
from kessel.games.bug41.combat.checks import chance_to_pass
from kessel.games.bug41.combat.modifiers import modifiers, state_of_defence
from kessel.games.bug41.combat.retreat import retreat_paths
from kessel.games.bug41.combat.strength import (
    attack_strengths,
    attack_value,
    column_of,
    defence_strengths,
    defence_value,
)
from kessel.games.bug41.data.charts import Hits
from kessel.games.bug41.movement.pillboxes import row_of
from kessel.wargame.odds import chances


@dataclass(frozen=True, slots=True)
class Odds:
    attack: Breakdown
    defence: Breakdown
    modifier: Breakdown
    terrain: str
    state: str
    """Of the defence: disrupted, defense, improved."""
    columns: dict[int, Fraction]
    hits: dict[Hits, Fraction]
    disruption: dict[Unit, Fraction]
    """The chance of each unit that is not Disrupted yet to become so, if it lives to check."""
    must_go: Fraction
    """The chance that the defenders must retreat."""
    has_way: bool
    """Whether a way to retreat is open to them."""

    def expected(self) -> tuple[float, float]:
        """Mean hits on attacker and defender."""
        return tuple(float(sum(h[i] * p for h, p in self.hits.items())) for i in (0, 1))  # type: ignore[return-value]

    def as_json(self, g: Board) -> dict[str, Any]:
        mine, theirs = self.expected()
        return {
            "attack": self.attack.as_json(),
            "defence": self.defence.as_json(),
            "modifier": self.modifier.as_json(),
            "terrain": self.terrain,
            "state": self.state,
            "columns": chances(dict(sorted(self.columns.items()))),
            "hits": chances(dict(sorted(self.hits.items())), lambda h: f"{h.attacker}/{h.defender}"),
            "expected": {"attacker": round(mine, 3), "defender": round(theirs, 3)},
            "disruption": {g.id(u): round(float(p), 4) for u, p in self.disruption.items()},
            "must_retreat": round(float(self.must_go), 4),
            "can_retreat": self.has_way,
        }


def odds_of(g: Board, f: Formation, kind: str, h: Hex, units: Sequence[Unit]) -> Odds:
    """PA-CS What an attack as it stands can lead to."""
    added, sides = modifiers(g, f, units, kind, h), g.numbers.die.sides
    columns: dict[int, Fraction] = {}
    pairs = list(permutations(range(len(g.charts.chits)), 2))
    for ours, theirs in pairs:
        attack = attack_value(g, units, kind, g.charts.chits[ours])
        column = column_of(g, h, attack / defence_value(g, h, g.charts.chits[theirs]))
        columns[column] = columns.get(column, Fraction(0)) + Fraction(1, len(pairs))
    hits: dict[Hits, Fraction] = {}
    for column, p in columns.items():
        for die in range(1, sides + 1):
            found = g.charts.hits_of(die + added.total, column, g.reads("crt_row_7"))
            hits[found] = hits.get(found, Fraction(0)) + p / sides
    red = g.numbers.red.hits
    reds = [sum((p for hit, p in hits.items() if hit[i] >= red), Fraction(0)) for i in (0, 1)]
    defenders = g.combat_units(h)
    disruption = {u: reds[0] * (1 - chance_to_pass(g, u)) for u in units if not g.is_disrupted(u)}
    disruption |= {u: reds[1] * (1 - chance_to_pass(g, u, shelter=True)) for u in defenders if not g.is_disrupted(u)}
    return Odds(
        attack_strengths(g, units),
        defence_strengths(g, h),
        added,
        row_of(g, h).name,
        state_of_defence(g, h),
        columns,
        hits,
        disruption,
        _must_go(g, defenders, hits),
        bool(retreat_paths(g, defenders, g.place[units[0]])),
    )


def _must_go(g: Board, defenders: Sequence[Unit], hits: dict[Hits, Fraction]) -> Fraction:
    """RX-7.5.H Hit, alive, and everybody Disrupted; the first point lost is that of the strongest unit."""
    first = max(defenders, key=lambda u: (g.steps[u], -u))
    total = Fraction(0)
    for hit, p in hits.items():
        if not hit.defender and g.reads("forced_retreat") == "needs_a_hit":
            continue
        left = [u for u in defenders if g.steps[u] > (u == first and hit.defender > 0)]
        if not left:
            continue
        fails = Fraction(1)
        for u in left:
            if not g.is_disrupted(u):
                red = hit.defender >= g.numbers.red.hits
                fails *= 1 - chance_to_pass(g, u, shelter=True) if red else 0
        total += p * fails
    return total
