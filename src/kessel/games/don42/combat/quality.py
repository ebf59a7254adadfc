"""3.3 Troop Quality Rating (TQR)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor

from kessel.core.forces import Side, Unit
from kessel.games.don42.board import Board
from kessel.games.don42.data.charts import QUALITIES
from kessel.games.don42.data.forces import GERMAN


def rating(g: Board, side: Side, units: Sequence[Unit], strengths: Sequence[int]) -> tuple[int, str, str]:
    """The rating of several units in one combat, the rule it comes from, and how it was found.

    3.3.1: the rating most units share; tied, Germans take the highest and Soviets the lowest. 19.2 (option): the
    average weighted by Combat Strength.
    """
    if g.plays("average_quality") and any(strengths):
        return _average(g, side, units, strengths)
    quality = g.forces.quality
    counts = Counter(quality[u] for u in units)
    most = max(counts.values())
    tied = sorted(q for q, n in counts.items() if n == most)
    found = tied[0] if side == GERMAN else tied[-1]
    how = f"{most} of {len(units)} units are {QUALITIES[found]}"
    if len(tied) > 1:
        how += ", tied: the highest for Germans" if side == GERMAN else ", tied: the lowest for Soviets"
    return found, "3.3.1", how


def _average(g: Board, side: Side, units: Sequence[Unit], strengths: Sequence[int]) -> tuple[int, str, str]:
    """19.2 A = 3, B = 2, C = 1, weighted by strength; a half is rounded up for Germans, down for Soviets."""
    total = sum(strengths)
    mean = Fraction(sum((3 - g.forces.quality[u]) * s for u, s in zip(units, strengths, strict=True)), total)
    half = Fraction(1, 2)
    points = floor(mean + half) if side == GERMAN else ceil(mean - half)
    return 3 - points, "19.2", f"average {float(mean):.2f} with A = 3, B = 2, C = 1"


def quality_shift(g: Board, attacker: int, defender: int) -> int:
    """3.3.1 The TQR Column Shift Table."""
    return g.charts.quality[attacker][defender]
