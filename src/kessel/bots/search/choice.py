"""Which plan is best, by as few trials as possible.

All plans are tried with the same luck and compared with doing nothing special (PLAIN), which is never dropped; after
each round the worse half is. A plan is chosen if it leads by more than its error: the best of many noisy means is
mostly noise, and a search without this rule plays worse than the program it starts from.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf, sqrt
from statistics import fmean

from kessel.bots.search.plans import PLAIN, Plan, join

LEAST = 3
"""Trials a plan must have had to be chosen."""
SURE = 3.0


@dataclass(slots=True)
class Chosen:
    plan: Plan = PLAIN
    lead: float = 0.0
    """How much better than PLAIN it did on average."""
    trials: int = 0
    """Of this plan."""
    beaten: list[tuple[Plan, float, int]] = field(default_factory=list)
    """The others: their leads and trials, best first."""


class Halving:
    """`value(plan, salt)` is what a trial came to; `may_go_on(n)` whether there is time for n more. A plan must lead by
    `caution` errors, and by `least`."""

    def __init__(
        self, value: Callable[[Plan, int], float], may_go_on: Callable[[int], bool], caution: float, least: float = 0.0
    ) -> None:
        self.value, self.may_go_on, self.caution, self.least = value, may_go_on, caution, least
        self.plain: list[float] = []
        self.scores: dict[Plan, list[float]] = {}

    def run(self, plans: list[Plan], most: int) -> Chosen:
        alive = [p for p in dict.fromkeys(plans) if p][:most]
        rounds = 0
        while alive and not self._is_sure(alive, rounds) and self.may_go_on(len(alive) + 1):
            self.plain.append(self.value(PLAIN, rounds))
            for plan in alive:
                self.scores.setdefault(plan, []).append(self.value(plan, rounds))
            rounds += 1
            alive = self._go_on_with(alive, rounds)
        return self._best()

    def _is_sure(self, alive: list[Plan], rounds: int) -> bool:
        """Whether more trials would hardly change the choice: the best leads, or lags, by SURE errors."""
        if rounds < LEAST:
            return False
        best = max(map(self.lead, alive))
        doubt = SURE * self.caution * self.error(alive[0])
        return best > self.least + doubt or best < -doubt

    def _go_on_with(self, alive: list[Plan], rounds: int) -> list[Plan]:
        """The better half, at least two; once, the best orders joined, which catches up on the rounds it missed."""
        ranked = sorted(alive, key=lambda p: -self.lead(p))
        kept = ranked[: max(2, (len(ranked) + 1) // 2)]
        if rounds == 2:
            good = [p for p in sorted(self.scores, key=lambda p: -self.lead(p)) if self.lead(p) > 0]
            joined = join(good)
            if len(joined) > 1 and joined not in self.scores and self.may_go_on(rounds):
                self.scores[joined] = [self.value(joined, salt) for salt in range(rounds)]
                kept.append(joined)
        return kept

    def differences(self, plan: Plan) -> list[float]:
        return [x - self.plain[i] for i, x in enumerate(self.scores[plan])]

    def lead(self, plan: Plan) -> float:
        return fmean(self.differences(plan))

    def error(self, plan: Plan) -> float:
        """The standard error of a lead, by the spread of all leads together: single ones have too few trials."""
        squares, free = 0.0, 0
        for some in map(self.differences, self.scores):
            mean = fmean(some)
            squares += sum((x - mean) ** 2 for x in some)
            free += len(some) - 1
        spread = sqrt(squares / free) if free else inf
        return spread / sqrt(len(self.scores[plan]))

    def _best(self) -> Chosen:
        able = [p for p, some in self.scores.items() if len(some) >= LEAST]
        best = max(able, key=lambda p: self.lead(p) - self.caution * self.error(p), default=PLAIN)
        if best == PLAIN or self.lead(best) <= max(self.least, self.caution * self.error(best)):
            best = PLAIN
        rest = sorted(((p, self.lead(p), len(s)) for p, s in self.scores.items() if p != best), key=lambda x: -x[1])
        if best == PLAIN:
            return Chosen(PLAIN, 0.0, len(self.plain), rest)
        return Chosen(best, self.lead(best), len(self.scores[best]), rest)
