"""What a position is worth, fitted: the parts of positions of many games against how these games ended.

Positions are taken at the start of every player turn of games between the reference and itself, as the side that moves
knows them. Whether the fitted sum foretells more than the points as they stand is measured on games it has not seen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from math import exp, log
from pathlib import Path
from statistics import fmean

import msgspec
import numpy as np
from numpy.typing import NDArray

from kessel.bots import decide, player
from kessel.bots.search.worth import Parts, Weight, Worth
from kessel.core.errors import BadInput
from kessel.core.game import Game
from kessel.core.pack import Pack
from kessel.core.procedure import asked, push
from kessel.core.registry import PLAYERS, installed
from kessel.core.title import title
from kessel.lab.arena.series import mean_and_error
from kessel.lab.arena.suite import STEP_LIMIT, result_of, turn_key

Floats = NDArray[np.float64]
RIDGE = 1.0
"""How strongly weights are held back, in standard deviations: parts hang together and games are few."""
POINTS = "points"
"""The part that is Victory Points as they stand."""
STEPS, SWEEPS = 500, 5000
BASE = 2
"""Columns of the base, which may be anything."""
FOLDS = 5
"""Parts the games are cut into, of which each is foretold by the others."""


class Row(msgspec.Struct, frozen=True):
    """A position, and how its game ended."""

    seed: int
    turn: int
    left: float
    parts: dict[str, float]
    margin: float
    """For the first played side, at the end."""


def parts_of(game: str) -> Parts:
    """What the game's programs say of a position; BadInput where they say nothing."""
    entry = installed(PLAYERS).get(game)
    try:
        found: Parts = import_module(f"{entry.module}.parts").PARTS if entry is not None else _none(game)
    except ModuleNotFoundError:
        return _none(game)
    return found


def _none(game: str) -> Parts:
    raise BadInput(f"the programs of {game} do not say what a position consists of")


def rows_of_game(game: str, scenario: str, seed: int, reference: str = "greedy") -> list[Row]:
    """The positions of one game at the start of its player turns."""
    t, parts = title(game), parts_of(game)
    playing = Game.new(game, scenario, seed=seed, pack=Pack(game))
    g = playing.board
    g.events = None
    programs = {s: player(game, reference, seed * 31 + s) for s in t.played}
    found: list[tuple[int, float, dict[str, float]]] = []
    last = None
    for _ in range(STEP_LIMIT):
        if not g.stack:
            break
        side, now = asked(g), turn_key(t, g)
        if now != last and now[1] == side:
            last = now
            known = t.known_to(g, side)
            found.append((g.turn, parts.left(known), parts.parts(known)))
        push(g, decide(programs[side], t, g, side))
    margin = result_of(t, g, t.played[0])
    return [Row(seed, turn, left, x, margin) for turn, left, x in found]


def gather(
    path: Path, game: str, scenario: str, seeds: Sequence[int], each: Callable[[], None] = lambda: None
) -> list[Row]:
    """The rows of these games; those the file has already are not played again."""
    known = read_rows(path)
    done = {r.seed for r in known}
    with path.open("ab") as file:
        for seed in seeds:
            if seed not in done:
                rows = rows_of_game(game, scenario, seed)
                file.write(b"".join(msgspec.json.encode(r) + b"\n" for r in rows))
                file.flush()
                known += rows
            each()
    return known


def read_rows(path: Path) -> list[Row]:
    if not path.exists():
        return []
    return [msgspec.json.decode(line, type=Row) for line in path.read_bytes().splitlines() if line]


# --- fitting -------------------------------------------------------------------------------------------------------


def fit(rows: Sequence[Row], scenario: str, names: Sequence[str] | None = None) -> Worth:
    """Least squares of the final margin on the parts, each with a weight at the beginning and one at the end.

    A part counts for a side by its meaning, so that no weight is below 0: with few games, parts that hang together
    would else be played off against each other.
    """
    names = list(names if names is not None else rows[0].parts)
    x, y = _matrix(rows, names), np.array([r.margin for r in rows])
    spread = x.std(axis=0)
    spread[spread == 0] = 1.0
    weights = _least_squares(x / spread, y) / spread
    end, begin = weights[0::2], weights[1::2]
    all_ = [Weight(float(e), float(b - e)) for e, b in zip(end, begin, strict=True)]
    found = dict(zip(names, all_[1:], strict=True))
    return Worth(scenario, len({r.seed for r in rows}), len(rows), all_[0], found)


def _matrix(rows: Sequence[Row], names: Sequence[str]) -> Floats:
    """A column for the base and each part at the end of the game, and one at the beginning."""
    left = np.array([r.left for r in rows])
    columns = [np.ones(len(rows)), *(np.array([r.parts[n] for r in rows]) for n in names)]
    return np.column_stack([c for column in columns for c in (column * (1 - left), column * left)])


def _least_squares(x: Floats, y: Floats) -> Floats:
    """Weight after weight to its best value, none but the base's below 0, until nothing changes."""
    products, wanted = x.T @ x, x.T @ y
    weights = np.zeros(x.shape[1])
    for _ in range(SWEEPS):
        before = weights.copy()
        for i in range(len(weights)):
            held = RIDGE if i >= BASE else 0.0
            best = (wanted[i] - products[i] @ weights + products[i, i] * weights[i]) / (products[i, i] + held)
            weights[i] = best if i < BASE else max(0.0, best)
        if np.abs(weights - before).max() < 1e-9:
            break
    return weights


# --- does it foretell more? ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Foretold:
    """How well something foretells results it has not seen."""

    turns: str
    rows: int
    correlation: float
    error: float
    """Root of the mean square, in Victory Points."""
    log_loss: float
    """Of who wins, in nats; 0.69 is a coin."""


def held_out(rows: Sequence[Row], scenario: str, folds: int = FOLDS, spans: int = 4) -> dict[str, list[Foretold]]:
    """Fitted parts against points as they stand, on games left out of the fit; by parts of the game, and in all.

    Points get the same fit as everything else: a base and a weight that change with the time left.
    """
    ways = {"points": [POINTS], "fitted": list(rows[0].parts)}
    return {word: [*_judged(rows, _cross(rows, scenario, names, folds), spans)] for word, names in ways.items()}


def advantage(rows: Sequence[Row], scenario: str, folds: int = FOLDS) -> tuple[float, float]:
    """How much less the fitted parts lose (log loss) than points as they stand, game by game: the mean and its error.
    Positions of one game hang together, so that games are counted.
    """
    lost: list[dict[int, list[float]]] = []
    for names in ([POINTS], list(rows[0].parts)):
        by: dict[int, list[float]] = {}
        for r, (_, p) in zip(rows, _cross(rows, scenario, names, folds), strict=True):
            by.setdefault(r.seed, []).append(_loss(r.margin, p))
        lost.append(by)
    plain, fitted = lost
    return mean_and_error([fmean(plain[seed]) - fmean(fitted[seed]) for seed in plain])


def _loss(margin: float, p: float) -> float:
    """The log loss of a chance to win, by who won; a draw is half of it."""
    p, won = min(max(p, 1e-6), 1 - 1e-6), 1.0 if margin > 0 else 0.5 if margin == 0 else 0.0
    return -won * log(p) - (1 - won) * log(1 - p)


def _cross(rows: Sequence[Row], scenario: str, names: list[str], folds: int) -> list[tuple[float, float]]:
    """What is foretold of each row by the games of the other folds: the margin, and the chance that it is above 0."""
    seeds = sorted({r.seed for r in rows})
    fold = {seed: i % folds for i, seed in enumerate(seeds)}
    found: dict[int, tuple[float, float]] = {}
    for n in range(folds):
        seen = [r for r in rows if fold[r.seed] != n]
        worth = fit(seen, scenario, names)
        slope = _slope([worth.margin(r.parts, r.left) for r in seen], [r.margin for r in seen])
        for i, r in enumerate(rows):
            if fold[r.seed] == n:
                margin = worth.margin(r.parts, r.left)
                found[i] = margin, _logistic(slope * margin)
    return [found[i] for i in range(len(rows))]


def _slope(margins: Sequence[float], results: Sequence[float]) -> float:
    """How fast the chance to win grows with the margin foretold, by gradient on the log loss."""
    x, won = np.array(margins), np.array([1.0 if r > 0 else 0.5 if r == 0 else 0.0 for r in results])
    scale = float(np.abs(x).mean()) or 1.0
    slope = 1.0
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-np.clip(slope * x / scale, -30, 30)))
        slope += 0.5 * float(((won - p) * x / scale).mean())
    return slope / scale


def _logistic(x: float) -> float:
    return 1 / (1 + exp(-max(-30.0, min(30.0, x))))


def _judged(rows: Sequence[Row], told: Sequence[tuple[float, float]], spans: int) -> Iterator[Foretold]:
    first, last = min(r.turn for r in rows), max(r.turn for r in rows)
    wide = (last - first + 1) / spans
    edges = [(first + int(i * wide), first + int((i + 1) * wide) - 1) for i in range(spans)]
    for a, b in [*edges, (first, last)]:
        some = [(r, *x) for r, x in zip(rows, told, strict=True) if a <= r.turn <= b]
        if len(some) > 2:
            yield _one(f"{a} to {b}", some)


def _one(turns: str, some: list[tuple[Row, float, float]]) -> Foretold:
    real, guess = np.array([r.margin for r, _, _ in some]), np.array([m for _, m, _ in some])
    flat = guess.std() == 0 or real.std() == 0
    loss = sum(_loss(r.margin, p) for r, _, p in some)
    correlation = 0.0 if flat else float(np.corrcoef(real, guess)[0, 1])
    return Foretold(turns, len(some), correlation, float(np.sqrt(((real - guess) ** 2).mean())), loss / len(some))
