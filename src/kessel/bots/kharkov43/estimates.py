"""A first estimate of an attack, much cheaper than the exact chances of `odds`."""

from __future__ import annotations

from functools import lru_cache
from math import exp
from typing import NamedTuple

TERRAIN = {"town": 1.6, "city": 1.6, "woods": 1.35, "broken": 1.25, "marsh": 1.2}
ATTACKER_HITS = ((3.0, 0.15), (2.0, 0.19), (1.5, 0.27), (0.0, 0.35))
DEFENDER_HITS = ((8.0, 0.50), (6.0, 0.45), (5.0, 0.42), (4.0, 0.38), (3.0, 0.33), (2.0, 0.24), (1.5, 0.17), (0.0, 0.11))
"""Hits of one chit by odds in the open (docs/reconstruction-kharkov43.md), for a first estimate."""
FLANKED, ARMOR, WEAKENED = 0.08, 0.06, 0.07
"""What a flank attack, the only armor, and scattered or unsupplied defenders add to the hits of one chit."""
SOVIET_CARD = 0.35
"""How many hits the card drawn for the defenders spares them or costs the attacker, about."""
MOST_HITS = 9
DIE = 10


class Expected(NamedTuple):
    """What so many hits bring, on the average: steps lost, and how likely the hex is given up, the stack scattered or
    wiped out."""

    lost: float
    gone: float
    scattered: float
    eliminated: float


def by_odds(table: tuple[tuple[float, float], ...], odds: float) -> float:
    return next(value for least, value in table if odds >= least)


@lru_cache(maxsize=4096)
def hits_done(mean: float, spared: int, steps: int, hold: int, trapped: bool, most_back: int) -> Expected:
    """12.53 What about `mean` hits do to a Soviet stack, `spared` of them left out (12.51)."""
    found = [0.0, 0.0, 0.0, 0.0]
    chance, sure = exp(-mean), 0.0
    for hits in range(MOST_HITS + 1):
        share = chance if hits < MOST_HITS else 1 - sure
        sure += chance
        chance *= mean / (hits + 1)
        for i, x in enumerate(_applied(max(0, hits - spared), steps, 0, hold, trapped, most_back)):
            found[i] += share * x
    return Expected(*found)


@lru_cache(maxsize=4096)
def _applied(hits: int, steps: int, back: int, hold: int, trapped: bool, most_back: int) -> Expected:
    """Hit after hit: first back if they are many, else a hold check."""
    if steps <= 0:
        return Expected(0.0, 1.0, 0.0, 1.0)
    if not hits:
        return Expected(0.0, float(back > 0), float(back > 1), 0.0)

    def lose() -> Expected:
        after = _applied(hits - 1, steps - 1, back, hold, trapped, most_back)
        return after._replace(lost=after.lost + 1)

    def give_way() -> Expected:
        after = _applied(hits - 1, steps - trapped, back + 1, hold, trapped, most_back)
        return after._replace(lost=after.lost + trapped)

    if back >= most_back:
        return lose()
    if hits >= steps:
        return give_way()
    stays = min(1.0, max(0.0, (hold + steps + 2 * back) / DIE))
    a, b = lose(), give_way()
    return Expected(*(stays * x + (1 - stays) * y for x, y in zip(a, b, strict=True)))


def beyond_one(hits: float) -> float:
    """The hits left when the first one does not count, if about so many are expected."""
    return hits - 1 + exp(-hits)
