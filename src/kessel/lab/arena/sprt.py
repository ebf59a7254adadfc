"""The sequential test: is the first program stronger, by pairs of games, and when may one stop?

The unit is the pair, not the game: both games of it share the set-up and the side's advantage cancels out, so their
scores are not independent and have less spread together. A pair scores 0, 1/4, 1/2, 3/4 or 1 (five kinds; three where
there are no draws). The likelihood of a mean score is that of the kinds' most likely frequencies with this mean (the
generalized likelihood ratio), and the test ends where the logarithm of the ratio leaves its bounds.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

UNSEEN = 1e-3
"""Counted for a kind that never came up, so that no frequency is nought."""
KINDS = (0.0, 0.25, 0.5, 0.75, 1.0)
TINY = 1e-12


def score_of(elo: float) -> float:
    """The expected score of a program that much stronger."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(score: float) -> float:
    """And back; a sure thing is cut off."""
    s = min(max(score, 1e-4), 1 - 1e-4)
    return -400 * math.log10(1 / s - 1)


def frequencies(counts: Mapping[float, float]) -> tuple[float, dict[float, float]]:
    """How many there are, and the share of each kind."""
    filled = {k: counts.get(k, 0) or UNSEEN for k in KINDS}
    n = sum(filled.values())
    return n, {k: c / n for k, c in filled.items()}


def likeliest(shares: Mapping[float, float], mean: float) -> dict[float, float]:
    """The frequencies of that mean under which these shares are most likely: p / (1 + x (kind - mean)), with the x for
    which their sum is 1.
    """
    low, high = -1 / (max(shares) - mean), -1 / (min(shares) - mean)

    def slope(x: float) -> float:
        return sum(p * (k - mean) / (1 + x * (k - mean)) for k, p in shares.items())

    low, high = low + TINY * abs(low), high - TINY * abs(high)
    for _ in range(200):
        x = (low + high) / 2
        if slope(x) > 0:
            low = x
        else:
            high = x
    x = (low + high) / 2
    return {k: p / (1 + x * (k - mean)) for k, p in shares.items()}


def llr(counts: Mapping[float, float], elo0: float, elo1: float) -> float:
    """The logarithm of how much likelier the scores of pairs are if the program is `elo1` stronger than if `elo0`."""
    n, shares = frequencies(counts)
    p0, p1 = likeliest(shares, score_of(elo0)), likeliest(shares, score_of(elo1))
    return n * sum(p * math.log(p1[k] / p0[k]) for k, p in shares.items())


@dataclass(frozen=True, slots=True)
class Test:
    """H0: at most `elo0` stronger; H1: at least `elo1`."""

    elo0: float = 0.0
    elo1: float = 60.0
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def verdict(self, counts: Mapping[float, float]) -> str:
        """stronger, not stronger, or open."""
        low, high = self.bounds
        now = llr(counts, self.elo0, self.elo1)
        return "stronger" if now >= high else "not stronger" if now <= low else "open"


def counted(scores: Iterable[float]) -> Counter[float]:
    """How many pairs of each kind."""
    return Counter(round(4 * s) / 4 for s in scores)


def interval(scores: list[float], z: float = 1.96) -> tuple[float, float, float]:
    """The mean score of pairs, and where it lies with 95 %: one pair won and one lost are added for that, so that a few
    equal scores do not look like certainty.
    """
    if not scores:
        return 0.5, 0.0, 1.0
    more = [*scores, 0.0, 1.0]
    middle = sum(more) / len(more)
    error = math.sqrt(sum((s - middle) ** 2 for s in more)) / len(more)
    return sum(scores) / len(scores), max(0.0, middle - z * error), min(1.0, middle + z * error)
