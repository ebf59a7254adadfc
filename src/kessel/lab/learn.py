"""A baseline that learns: a masked policy gradient on a small scenario, in numpy, on one processor in minutes.

    python -m kessel.lab.learn --rounds 30 --out docs/pictures/learning.svg

The policy gives every choice of the page a score, linear in what the choice is about (which verb, how near to an
objective it leads, who stands there and around), and takes one with the chance of its softmax: choices that are not
there have none. It begins by watching a few games of the program `greedy` and learns to choose alike; then it plays
itself, and after each round of games its weights go up the gradient of the Victory Points its choices brought
(REINFORCE). Left to itself from the beginning it meets points in one random game of thirty, and learns to do nothing.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from kessel.bots import decide, player
from kessel.lab.environment import Seat
from kessel.lab.environment.encoding import Array, Observation
from kessel.lab.simulate import play
from kessel.lab.study import share
from kessel.report.charts import Curve, curves

GAME, SCENARIO, SIDE = "bug41", "ustyluh", "german"
ABOUT = ("itself", "distance", "enemy there", "enemy around", "own around", "units")
AROUND = ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))
DISCOUNT = 0.99
CURIOUS = 0.01
"""How much it is worth to keep many choices open, so that it does not stop trying."""
BATCH = 64


class Features:
    """What a choice is about, as numbers: for each verb those of `ABOUT`."""

    def __init__(self, seat: Seat) -> None:
        encoding = seat.match.encoding
        self.verbs = len(encoding.verbs)
        self.size = self.verbs * len(ABOUT)
        at = {name: i for i, name in enumerate(encoding.planes)}
        self.own, self.enemy, self.held = at["own steps"], at["enemy steps"], at["enemy control"]
        self.shape = (encoding.height, encoding.width)

    def of(self, seen: Observation) -> Array:
        """A row for each choice of the page."""
        n = int(seen["action_mask"].sum())
        rows, planes = seen["choices"][:n], seen["planes"]
        verb = np.clip(rows[:, 0].astype(int), 0, self.verbs - 1)
        q, r = rows[:, 3].astype(int), rows[:, 4].astype(int)
        who = rows[:, 1].astype(int)
        stands = seen["units"][np.clip(who, 0, len(seen["units"]) - 1)]
        by_unit = (q < 0) & (who >= 0)  # a choice that names no place is about where its unit stands
        q, r = np.where(by_unit, stands[:, 3].astype(int), q), np.where(by_unit, stands[:, 4].astype(int), r)
        there = (q >= 0) & (r >= 0)
        cells = (np.clip(q, 0, self.shape[0] - 1), np.clip(r, 0, self.shape[1] - 1))
        about = np.zeros((n, len(ABOUT)), np.float64)
        about[:, 0] = 1
        about[:, 1] = np.where(there, self.far(seen, *cells), 0)
        about[:, 2] = np.where(there, planes[self.enemy][cells] / 10, 0)
        about[:, 3] = np.where(there, _around(planes[self.enemy])[cells] / 20, 0)
        about[:, 4] = np.where(there, _around(planes[self.own])[cells] / 20, 0)
        about[:, 5] = np.clip(rows[:, 2], 0, 6) / 3
        found = np.zeros((n, self.verbs, len(ABOUT)), np.float64)
        found[np.arange(n), verb] = about
        return found.reshape(n, self.size)

    def far(self, seen: Observation, q: Array, r: Array) -> Array:
        """Hexes to the nearest place that the enemy holds; nought where he holds none."""
        places = np.argwhere(seen["planes"][self.held] > 0)
        if not len(places):
            return np.zeros(len(q))
        dq, dr = q[:, None] - places[:, 0], r[:, None] - places[:, 1]
        found: Array = np.max([abs(dq), abs(dr), abs(dq + dr)], axis=0).min(axis=1)
        return found


def _around(plane: Array) -> Array:
    """The sum over the six neighbours of each cell."""
    found = np.zeros_like(plane)
    for dq, dr in AROUND:
        found += np.roll(plane, (-dq, -dr), (0, 1))
    return found


@dataclass(slots=True)
class Played:
    """One game: of each choice how it differed from the mean of all, and what came after it."""

    pulls: list[Array] = field(default_factory=list)
    open: list[Array] = field(default_factory=list)
    """Which way more choices stay open."""
    brought: list[float] = field(default_factory=list)
    stood: list[float] = field(default_factory=list)
    """The points before each choice."""
    points: float = 0.0
    won: bool = False


def points(seat: Seat) -> float:
    return seat.match.title.standing(seat.match.game.board, seat.side)


def softmax(scores: Array) -> Array:
    e = np.exp(scores - scores.max())
    found: Array = e / e.sum()
    return found


def play_seat(seat: Seat, features: Features, weights: Array, seed: int, rng: np.random.Generator) -> Played:
    """A game with that policy; what each choice brought is added up backwards, later things counting less."""
    found = Played()
    seen, _ = seat.reset(seed=seed)
    stood, over = [points(seat)], False
    while not over:
        rows = features.of(seen)
        chances = softmax(rows @ weights)
        at = int(rng.choice(len(chances), p=chances))
        mean = chances @ rows
        found.pulls.append(rows[at] - mean)
        found.open.append(-(chances * np.log(chances + 1e-12)) @ (rows - mean))
        seen, _, done, cut, _ = seat.step(at)
        over = done or cut
        stood.append(points(seat))
    gains = np.diff(stood)
    found.stood = stood[:-1]
    total = 0.0
    for gain in gains[::-1]:
        total = float(gain) + DISCOUNT * total
        found.brought.append(total)
    found.brought.reverse()
    out = seat.match.game.outcome()
    found.points = points(seat)
    found.won = out is not None and out.winner == seat.side
    return found


@dataclass(slots=True)
class Learner:
    """Weights that go up the gradient, each as fast as its own gradients allow (Adam)."""

    weights: Array
    rate: float = 0.05
    mean: Array = field(init=False)
    square: Array = field(init=False)
    steps: int = 0

    def __post_init__(self) -> None:
        self.mean, self.square = np.zeros_like(self.weights), np.zeros_like(self.weights)

    def learn(self, games: list[Played]) -> None:
        """What a choice brought is compared with what such a position usually brings."""
        pulls = np.concatenate([np.array(g.pulls) for g in games])
        brought = np.concatenate([np.array(g.brought) for g in games])
        stood = np.concatenate([np.array(g.stood) for g in games])
        past = np.concatenate([np.linspace(0, 1, len(g.stood)) for g in games])
        known = np.stack([np.ones_like(stood), stood, past, past**2, stood * past], axis=1)
        usual = known @ np.linalg.lstsq(known, brought, rcond=None)[0]
        worth = (brought - usual) / ((brought - usual).std() + 1e-9)
        gradient = (pulls * worth[:, None]).mean(axis=0)
        gradient += CURIOUS * np.concatenate([np.array(g.open) for g in games]).mean(axis=0)
        self.climb(gradient)

    def climb(self, gradient: Array) -> None:
        self.steps += 1
        self.mean = 0.9 * self.mean + 0.1 * gradient
        self.square = 0.99 * self.square + 0.01 * gradient**2
        fair = self.mean / (1 - 0.9**self.steps), self.square / (1 - 0.99**self.steps)
        self.weights = self.weights + self.rate * fair[0] / (np.sqrt(fair[1]) + 1e-8)


def watch(seat: Seat, features: Features, games: int, seed: int, level: str = "greedy") -> list[tuple[Array, int]]:
    """What a program chose, and among what."""
    found = []
    for i in range(games):
        seen, _ = seat.reset(seed=seed + i)
        teacher, m = player(GAME, level, seed + i), seat.match
        while not m.over:
            action = decide(teacher, m.title, m.game.board, seat.side)
            listed = list(m.listed(seat.side))
            at = listed.index(action) if action in listed else len(listed)  # on another page
            found.append((features.of(seen), at))
            seen = seat.step(at)[0]
    return found


def imitate(learner: Learner, watched: list[tuple[Array, int]], times: int, rng: np.random.Generator) -> float:
    """Go through what was watched so many times; how likely the program's choice is then, on the geometric mean."""
    for _ in range(times):
        order = rng.permutation(len(watched))
        for batch in np.array_split(order, max(1, len(order) // BATCH)):
            pulls = [rows[at] - softmax(rows @ learner.weights) @ rows for rows, at in (watched[k] for k in batch)]
            learner.climb(np.mean(pulls, axis=0) - 1e-4 * learner.weights)
    known = [np.log(softmax(rows @ learner.weights)[at]) for rows, at in watched]
    return float(np.exp(np.mean(known)))


def train(
    rounds: int, games: int, seed: int, *, watched: int = 6, times: int = 40, each: Any = None
) -> tuple[Array, list[dict[str, float]]]:
    """The weights after so many rounds, and how each went; the first is what it learned by watching."""
    seat = Seat(GAME, SCENARIO, SIDE, against="random", reward="points")
    features, rng = Features(seat), np.random.default_rng(seed)
    learner = Learner(np.zeros(features.size))
    if watched:
        imitate(learner, watch(seat, features, watched, seed + 500_000), times, rng)
    learner = Learner(learner.weights, rate=0.02)
    course = []
    for n in range(rounds):
        played = [play_seat(seat, features, learner.weights, seed + n * games + i, rng) for i in range(games)]
        mean, won = float(np.mean([p.points for p in played])), float(np.mean([p.won for p in played]))
        course.append({"round": n + 1, "points": mean, "won": won})
        if each is not None:
            each(course[-1])
        learner.learn(played)
    return learner.weights, course


def trial(weights: Array | None, games: int, seed: int) -> dict[str, float]:
    """How a policy does against `random` in games it has not seen; None is `random` itself."""
    seat = Seat(GAME, SCENARIO, SIDE, against="random", reward="points")
    features, rng = Features(seat), np.random.default_rng(seed)
    if weights is None:
        weights = np.zeros(features.size)
    played = [play_seat(seat, features, weights, seed + i, rng) for i in range(games)]
    return _figures([p.points for p in played], sum(p.won for p in played))


def program(level: str, games: int, seed: int) -> dict[str, float]:
    player(GAME, level)
    results = [play(GAME, SCENARIO, (level, "random"), seed + i, verify=False) for i in range(games)]
    return _figures([r.points.get(SIDE, 0) for r in results], sum(r.winner == SIDE for r in results))


def _figures(points: list[Any], won: int) -> dict[str, float]:
    n = len(points)
    low, high = share(won, n)[1:]
    error = float(np.std(points) / np.sqrt(n))
    found = {"games": n, "points": float(np.mean(points)), "error": error, "won": won, "low": low, "high": high}
    return {k: round(v, 3) for k, v in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--games", type=int, default=8, help="of a round")
    parser.add_argument("--trial", type=int, default=60, help="games it is judged by")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="where the curve is drawn")
    args = parser.parse_args()
    begun = time.process_time()
    weights, course = train(args.rounds, args.games, args.seed, each=lambda x: print(json.dumps(x), flush=True))
    print(f"learned in {time.process_time() - begun:.0f} CPU seconds")
    unseen = 1_000_000
    print("learned:", json.dumps(trial(weights, args.trial, unseen)))
    print("random: ", json.dumps(program("random", args.trial, unseen)))
    print("greedy: ", json.dumps(program("greedy", max(10, args.trial // 4), unseen)))
    if args.out is not None:
        points = [x["points"] for x in course]
        drawn = curves(
            [str(int(x["round"])) for x in course], [Curve("points a game, mean of a round", "#2b5a86", points)],
            title="Victory Points against random while it learns",
        )  # fmt: skip
        args.out.write_text(drawn.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1) + "\n")


if __name__ == "__main__":
    main()
