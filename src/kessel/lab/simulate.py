"""Many games between programs, with everything checked that can be: faults, dead ends, replays."""

from __future__ import annotations

import multiprocessing
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from kessel.bots import RandomPlayer, player
from kessel.core.errors import KesselError
from kessel.core.game import Game
from kessel.core.pack import Pack
from kessel.core.procedure import asked
from kessel.core.title import title

STEP_LIMIT = 200_000


@dataclass(slots=True)
class Result:
    """One game played by programs."""

    seed: int
    finished: bool = False
    steps: int = 0
    winner: str | None = None
    level: str = ""
    points: dict[str, int] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    replayed: bool = False
    mismatch: str = ""
    cpu_s: float = 0.0


def play(game: str, scenario: str, levels: tuple[str, ...], seed: int, **how: Any) -> Result:
    """What came of one game (`play_game`)."""
    return play_game(game, scenario, levels, seed, **how)[0]


def play_game(
    game: str,
    scenario: str,
    levels: tuple[str, ...],
    seed: int,
    *,
    options: dict[str, str] | None = None,
    verify: bool = True,
    packs: tuple[Path, ...] | None = None,
    step_limit: int = STEP_LIMIT,
) -> tuple[Result, Game]:
    """Play one game to its end. `levels` names the programs of the played sides in order."""
    t = title(game)
    result = Result(seed)
    begun = time.process_time()
    playing = Game.new(game, scenario, seed=seed, options=options, pack=_pack(game, packs))
    sides = {side: player(game, level, seed * 31 + side) for side, level in zip(t.played, levels, strict=True)}
    while not playing.over and result.steps < step_limit:
        side = asked(playing.board)
        program = sides[side]
        board = playing.board if isinstance(program, RandomPlayer) else t.known_to(playing.board, side)
        try:
            playing.play(program.choose(t, board, side), side)
        except (KesselError, IndexError) as e:
            result.faults.append(f"step {result.steps}: {type(e).__name__}: {e}")
            break
        result.steps += 1
        if result.steps % 100 == 0:
            result.faults.extend(t.faults(playing.board))
            if result.faults:
                break
    result.faults.extend(t.faults(playing.board))
    result.finished = playing.over
    out = playing.outcome()
    if out is not None:
        result.winner = None if out.winner is None else t.sides[out.winner]
        result.level, result.points = out.level, out.points
    result.cpu_s = time.process_time() - begun
    if verify:
        result.replayed = True
        try:
            again = Game.replay(playing.record, pack=playing.pack)
            if again.board.digest() != playing.board.digest():
                result.mismatch = "the last position differs"
        except KesselError as e:
            result.mismatch = str(e)
    return result, playing


@lru_cache(maxsize=4)
def _pack(game: str, packs: tuple[Path, ...] | None) -> Pack:
    """One for all games of a series: what is worked out about its map is kept with it."""
    return Pack(game, packs)


def simulate(
    game: str,
    scenario: str,
    levels: tuple[str, ...],
    games: int,
    *,
    seed: int = 0,
    workers: int = 1,
    options: dict[str, str] | None = None,
    verify: bool = True,
    packs: tuple[Path, ...] | None = None,
    each: Callable[[Result], None] | None = None,
) -> list[Result]:
    """Play many games with seeds seed, seed + 1, ...; `each` is called as they finish."""
    one = partial(play, game, scenario, levels, options=options, verify=verify, packs=packs)
    results = []
    for result in _map(one, range(seed, seed + games), workers):
        results.append(result)
        if each is not None:
            each(result)
    return sorted(results, key=lambda r: r.seed)


def _map(one: Callable[[int], Result], seeds: range, workers: int) -> Iterator[Result]:
    if workers <= 1:
        yield from map(one, seeds)
        return
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        yield from pool.imap_unordered(one, seeds)


def summary(game: str, results: list[Result]) -> dict[str, Any]:
    """The figures of a simulation, as `kessel sim --json` prints them."""
    t = title(game)
    wins = Counter(r.winner or "draw" for r in results if r.finished)
    keys = sorted({k for r in results for k in r.points})
    return {
        "games": len(results),
        "finished": sum(r.finished for r in results),
        "faults": [f"seed {r.seed}: {f}" for r in results for f in r.faults],
        "steps": sum(r.steps for r in results),
        "wins": {side: wins.get(side, 0) for side in (*t.sides, "draw") if side != "draw" or wins.get("draw")},
        "levels": dict(Counter(r.level for r in results if r.finished)),
        "vp": {k: _spread([r.points[k] for r in results if k in r.points]) for k in keys},
        "replayed": sum(r.replayed for r in results),
        "replay_mismatches": sum(bool(r.mismatch) for r in results),
        "cpu_s": round(sum(r.cpu_s for r in results), 3),
    }


def _spread(values: list[int]) -> dict[str, float]:
    return {
        "mean": round(statistics.fmean(values), 2),
        "median": statistics.median(values),
        "low": min(values),
        "high": max(values),
    }
