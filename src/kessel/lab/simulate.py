"""Many games between programs, with everything checked that can be: faults, dead ends, replays."""

from __future__ import annotations

import contextlib
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from typing import IO, Any

import msgspec

from kessel.bots import decide, player
from kessel.core.errors import BadInput, KesselError
from kessel.core.game import Game
from kessel.core.pack import Pack
from kessel.core.procedure import asked
from kessel.core.title import title
from kessel.lab.on_ray import shared
from kessel.report.course import Turn, Watch
from kessel.report.words import counted

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
    turns: list[Turn] = field(default_factory=list)
    """How it stood at the end of each turn."""
    seen: dict[str, int] = field(default_factory=dict)
    """How often the log told of a rule, and who did what how often; only where it was asked for."""
    first: dict[str, int] = field(default_factory=dict)
    """By rule: the turn in which the log first told of it; only where it was asked for."""
    been: dict[str, dict[str, int]] = field(default_factory=dict)
    """By side and unit: the turn in which it first came to a place with a name; only where it was asked for."""
    margin: float = 0.0
    """Victory Points at the end as they count for the first played side, the other's taken off."""
    thought: dict[str, list[float]] = field(default_factory=dict)
    """CPU seconds the program of each side thought, by game turn."""


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
    wide: bool = False,
) -> tuple[Result, Game]:
    """Play one game to its end. `levels` names the programs of the played sides in order. `wide`: keep who holds what
    at the end of each turn, too."""
    t = title(game)
    result = Result(seed)
    begun = time.process_time()
    playing = Game.new(game, scenario, seed=seed, options=options, pack=_pack(game, packs))
    sides = {side: player(game, level, seed * 31 + side) for side, level in zip(t.played, levels, strict=True)}
    watch = Watch(playing, wide=wide)
    spent: dict[int, dict[int, float]] = {side: {} for side in t.played}
    while not playing.over and result.steps < step_limit:
        side, turn = asked(playing.board), playing.board.turn
        try:
            asked_at = time.process_time()
            action = decide(sides[side], t, playing.board, side)
            spent[side][turn] = spent[side].get(turn, 0.0) + time.process_time() - asked_at
            watch.saw(playing.play(action, side))
        except (KesselError, IndexError) as e:
            result.faults.append(f"step {result.steps}: {type(e).__name__}: {e}")
            break
        result.steps += 1
        if result.steps % 100 == 0:
            result.faults.extend(t.faults(playing.board))
            if result.faults:
                break
    result.faults.extend(t.faults(playing.board))
    result.finished, result.turns, result.seen = playing.over, watch.end(), dict(watch.seen)
    result.been, result.first = watch.been, watch.first
    result.margin = t.standing(playing.board, t.played[0])
    result.thought = {t.sides[side]: [round(s, 4) for s in by.values()] for side, by in spent.items()}
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
    resume: Path | None = None,
    wide: bool = False,
    ray: str = "",
) -> list[Result]:
    """Play many games with seeds seed, seed + 1, ...; `each` is called as they finish. In the file `resume` every
    finished game is kept, and those it has already are not played again. `wide` as for `play_game`. `ray`: on the
    cluster of that address, or one that is started here (`local`).
    """
    one = partial(play, game, scenario, levels, options=options, verify=verify, packs=packs, wide=wide)
    seeds = range(seed, seed + games)
    about = [
        game,
        scenario,
        *levels,
        _pack(game, packs).digest,
        str(verify),
        *map(str, sorted((options or {}).items())),
        *(["wide"] if wide else []),
    ]
    with _kept(resume, about) as (results, keep):
        results = [r for r in results if r.seed in seeds]
        done = {r.seed for r in results}
        for result in results:
            if each is not None:
                each(result)
        left = [s for s in seeds if s not in done]
        for result in shared(one, left, workers, ray):
            keep(result)
            results.append(result)
            if each is not None:
                each(result)
    return sorted(results, key=lambda r: r.seed)


@contextlib.contextmanager
def _kept(path: Path | None, about: list[str]) -> Iterator[tuple[list[Result], Callable[[Result], None]]]:
    """The games of a series that was broken off, and how to keep one more. A line half written when it was is gone."""
    if path is None:
        yield [], lambda _: None
        return
    found, file, fresh = _open_series(path, about)
    with file:

        def write(doc: Any) -> None:
            file.write(msgspec.json.encode(doc) + b"\n")
            file.flush()

        if fresh:
            write(about)
        yield found, write


def _open_series(path: Path, about: list[str]) -> tuple[list[Result], IO[bytes], bool]:
    """The games it has, the file to write on, and whether it is new."""
    try:
        raw = path.read_bytes() if path.exists() else b""
        whole = raw[: raw.rfind(b"\n") + 1]
        head, *lines = whole.splitlines() or [b""]
        if head and msgspec.json.decode(head) != about:
            raise BadInput("it holds games of another series: other programs, options, data or scenario", str(path))
        found = [msgspec.json.decode(x, type=Result) for x in lines]
        file = path.open("r+b" if raw else "wb")
        file.truncate(len(whole))
        file.seek(len(whole))
    except msgspec.MsgspecError:
        raise BadInput("this is no file of a series of games", str(path)) from None
    except OSError as e:
        raise BadInput(f"the games cannot be kept there: {e.strerror}", str(path)) from None
    return found, file, not head


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


def tell_summary(doc: dict[str, Any]) -> list[str]:
    """The same in words, for a person.

    >>> tell_summary({"games": 2, "finished": 2, "faults": [], "steps": 390, "wins": {"german": 2, "soviet": 0},
    ...               "levels": {"German victory": 2},
    ...               "vp": {"german": {"mean": 4.5, "median": 4.5, "low": 4, "high": 5}},
    ...               "replayed": 2, "replay_mismatches": 0, "cpu_s": 1.2}) == [
    ...     "2 games played, 2 finished, without a fault; 2 replayed, all as recorded.", "won: German 2, Soviet 0",
    ...     "ended as: German victory 2", "points of the German side: 4 to 5, median 4.5, mean 4.5",
    ...     "390 actions, 1.2 CPU seconds"]
    True
    """
    bad = doc["replay_mismatches"]
    replays = (
        f"; {doc['replayed']} replayed, {f'{bad} of them not' if bad else 'all'} as recorded" if doc["replayed"] else ""
    )
    faults = f"with {counted(len(doc['faults']), 'fault')}" if doc["faults"] else "without a fault"
    some = "game" if doc["games"] == 1 else "games"
    said = [f"{doc['games']} {some} played, {doc['finished']} finished, {faults}{replays}."]
    said += [f"  {fault}" for fault in doc["faults"]]
    said.append("won: " + ", ".join(f"{_named(side)} {n}" for side, n in doc["wins"].items()))
    if doc["levels"]:
        said.append("ended as: " + ", ".join(f"{_named(level)} {n}" for level, n in doc["levels"].items()))
    for side, x in doc["vp"].items():
        spread = f"{x['low']:g} to {x['high']:g}, median {x['median']:g}, mean {x['mean']:g}"
        said.append(f"points of the {_named(side)} side: {spread}")
    return [*said, f"{doc['steps']:,} actions, {doc['cpu_s']:g} CPU seconds"]


def _named(word: str) -> str:
    return word[:1].upper() + word[1:].replace("_", " ")


def _spread(values: list[int]) -> dict[str, float]:
    return {
        "mean": round(statistics.fmean(values), 2),
        "median": statistics.median(values),
        "low": min(values),
        "high": max(values),
    }
