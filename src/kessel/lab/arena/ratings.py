"""Ratings over a pool: Bradley-Terry by maximum likelihood, with what the first side of each scenario has in advance.

    P(a beats b in s, a on the first side) = 1 / (1 + 10 ** -((rating a - rating b + advantage s) / 400))

A draw is half a win and half a loss. A weak prior keeps a program that won everything at a finite rating. Intervals are
found by drawing the pairs anew (bootstrap), pairs of games being what is independent.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

SCALE = 400 / float(np.log(10))
"""Elo in one unit of the logarithm of odds."""
PRIOR = 700.0
"""The standard deviation of ratings and advantages before anything was played, in Elo."""
NO_SIDES = ""
"""Stands for the scenario of results that have no side: two programs that played the same solitaire game."""


@dataclass(frozen=True, slots=True)
class Game:
    """One result: who was on the first side, who on the second, where, and the first side's score."""

    a: str
    b: str
    where: str
    score: float


@dataclass(frozen=True, slots=True)
class Rating:
    elo: float
    low: float
    high: float


@dataclass(slots=True)
class Ratings:
    players: dict[str, Rating]
    """Strongest first; the reference has 0."""
    advantages: dict[str, Rating]
    """Of the first side, by scenario."""
    residuals: dict[tuple[str, str, str], tuple[float, float, int]] = field(default_factory=dict)
    """By two programs and scenario: the first one's score, the expected one, games. What the ratings do not explain."""


def fit(games: Iterable[Game], reference: str) -> tuple[dict[str, float], dict[str, float]]:
    """The ratings and advantages under which these results are most likely, the reference at 0."""
    counts: dict[tuple[str, str, str], list[float]] = {}
    for game in games:
        got = counts.setdefault((game.a, game.b, game.where), [0.0, 0.0])
        got[0] += game.score
        got[1] += 1
    players = sorted({p for a, b, _ in counts for p in (a, b)} | {reference})
    wheres = sorted({w for _, _, w in counts if w != NO_SIDES})
    at = {p: i for i, p in enumerate(players)}
    side = {w: len(players) + i for i, w in enumerate(wheres)}
    x = _newton(counts, at, side)
    zero = x[at[reference]]
    return (
        {p: float(x[i] - zero) * SCALE for p, i in at.items()},
        {w: float(x[i]) * SCALE for w, i in side.items()},
    )


def _newton(
    counts: Mapping[tuple[str, str, str], Sequence[float]], at: dict[str, int], side: dict[str, int]
) -> np.ndarray:
    n = len(at) + len(side)
    rows = np.zeros((len(counts), n))
    won, played = np.zeros(len(counts)), np.zeros(len(counts))
    for i, ((a, b, where), (score, games)) in enumerate(counts.items()):
        rows[i, at[a]] += 1
        rows[i, at[b]] -= 1
        if where in side:
            rows[i, side[where]] = 1
        won[i], played[i] = score, games
    prior = (SCALE / PRIOR) ** 2
    x = np.zeros(n)
    for _ in range(100):
        p = 1 / (1 + np.exp(-rows @ x))
        slope = rows.T @ (won - played * p) - prior * x
        curve = rows.T @ (rows * (played * p * (1 - p))[:, None]) + prior * np.eye(n)
        step = np.linalg.solve(curve, slope)
        x = x + np.clip(step, -3, 3)
        if float(np.abs(step).max()) < 1e-9:
            break
    return x


def rate(pairs: Sequence[Sequence[Game]], reference: str, *, draws: int = 200, seed: int = 0) -> Ratings:
    """Ratings with intervals of 95 %. Each of `pairs` holds the games of one pair."""
    games = [x for pair in pairs for x in pair]
    elo, side = fit(games, reference)
    chance = random.Random(seed)
    again: list[tuple[dict[str, float], dict[str, float]]] = []
    for _ in range(draws if pairs else 0):
        drawn = [chance.choice(pairs) for _ in pairs]
        again.append(fit([x for pair in drawn for x in pair], reference))

    def between(now: float, values: list[float]) -> Rating:
        values = sorted(values) or [now]
        low, high = values[int(0.025 * (len(values) - 1))], values[int(np.ceil(0.975 * (len(values) - 1)))]
        return Rating(now, min(low, now), max(high, now))

    players = {p: between(x, [e[p] for e, _ in again if p in e]) for p, x in elo.items()}
    advantages = {w: between(x, [s[w] for _, s in again if w in s]) for w, x in side.items()}
    ranked = dict(sorted(players.items(), key=lambda item: (-item[1].elo, item[0])))
    return Ratings(ranked, advantages, _residuals(games, elo, side))


def expected(elo: Mapping[str, float], side: Mapping[str, float], x: Game) -> float:
    """The first side's score by the ratings."""
    lead = elo[x.a] - elo[x.b] + side.get(x.where, 0.0)
    return 1 / (1 + float(np.exp(-lead / SCALE)))


def _residuals(
    games: list[Game], elo: Mapping[str, float], side: Mapping[str, float]
) -> dict[tuple[str, str, str], tuple[float, float, int]]:
    found: dict[tuple[str, str, str], list[float]] = {}
    for x in games:
        if x.a == x.b:
            continue
        flip = x.a > x.b
        got = found.setdefault((*sorted((x.a, x.b)), x.where), [0.0, 0.0, 0])  # type: ignore[arg-type]
        wanted = expected(elo, side, x)
        got[0] += 1 - x.score if flip else x.score
        got[1] += 1 - wanted if flip else wanted
        got[2] += 1
    return {k: (s / n, e / n, int(n)) for k, (s, e, n) in found.items()}
