"""A first estimate of an attack, much cheaper than the exact chances of `odds`."""

from __future__ import annotations

from math import exp

from kessel.core.hexes import Hex
from kessel.games.kharkov43.board import DISPERSED, UNSUPPLIED, Board
from kessel.games.kharkov43.forces import SOVIET

TERRAIN = {"town": 1.6, "city": 1.6, "woods": 1.35, "broken": 1.25, "marsh": 1.2}
ATTACKER_HITS = ((3.0, 0.15), (2.0, 0.19), (1.5, 0.27), (0.0, 0.35))
DEFENDER_HITS = ((8.0, 0.50), (6.0, 0.45), (5.0, 0.42), (4.0, 0.38), (3.0, 0.33), (2.0, 0.24), (1.5, 0.17), (0.0, 0.11))
"""Hits of one chit by odds in the open (docs/reconstruction-kharkov43.md), for a first estimate."""


def by_odds(table: tuple[tuple[float, float], ...], odds: float) -> float:
    return next(value for least, value in table if odds >= least)


def expected(g: Board, target: Hex, strength: float, chits: int) -> tuple[float, float]:
    """About how many hits an attack brings, and how likely it drives the defenders out."""
    defenders = g.units_of(target, SOVIET)
    steps = sum(g.steps[v] for v in defenders)
    odds = strength / max(1, sum(g.strength(v) for v in defenders))
    weak = all(g.status[v] & (UNSUPPLIED | DISPERSED) for v in defenders)
    drawn = max(steps, min(chits + weak, 8))
    hits = drawn * by_odds(DEFENDER_HITS, odds) / TERRAIN.get(g.map.terrain[target], 1.0) * (1.3 if weak else 1.0)
    if g.ground.towns >> target & 1 or g.improved_positions >> target & 1:
        hits = beyond_one(hits)
    return hits, min(1.0, hits / (steps + 0.7))


def beyond_one(hits: float) -> float:
    """The hits left when the first one does not count, if about so many are expected."""
    return hits - 1 + exp(-hits)
