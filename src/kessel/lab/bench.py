"""Benchmarks: every figure beside a reference measured in the same run, since machines differ and are noisy."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

from rich.console import Console
from rich.table import Table

from kessel.bots import RandomPlayer, decide
from kessel.core.board import Board
from kessel.core.breakdown import Refusal
from kessel.core.dice import Dice
from kessel.core.errors import BadInput
from kessel.core.forces import Forces
from kessel.core.game import Game
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import bits, members
from kessel.core.pack import Pack
from kessel.core.paths import Costs, Reach, reach
from kessel.core.procedure import asked, push
from kessel.core.supply import heads, overland
from kessel.core.terrain import Map
from kessel.core.title import title
from kessel.core.zones import zone

Found = dict[str, dict[str, Any]]
BUDGET = 18
"""Halves of a movement point: six and three more by extended movement."""
CLOSED = ("sea", "lake", "unplayable")
COSTS = {"clear": 2, "desert": 2, "rough": 4, "woods": 4, "wooded_rough": 6, "marsh": 6, "mountain": 8, "alpine": 8}


TURN = 0.2
"""Seconds after which a playout gives way to its reference."""
RALLY = 6500.0
"""Steps a CPU second of random playouts of a hex game at Rally the Troops (JavaScript)."""
ELSEWHERE = "not of this run: where it was measured ours made 11,800"
BESIDE_RALLY = "playout-stalingrad42-fall-blau"


def best(job: Callable[[], object], seconds: float = 0.4, least: int = 5) -> float:
    """The least time of one call, in microseconds."""
    times: list[float] = []
    until = time.perf_counter() + seconds
    while len(times) < least or time.perf_counter() < until:
        begun = time.perf_counter()
        job()
        times.append(time.perf_counter() - begun)
    return min(times) * 1e6


def entry(value: float, unit: str, reference: float, ratio: float, what: str) -> dict[str, Any]:
    return {
        "value": round(value, 2),
        "unit": unit,
        "reference": round(reference, 2),
        "ratio": round(ratio, 3) if ratio < 0.1 else round(ratio, 2),
        "against": what,
    }


class Scene:
    """The full Stalingrad '42 grid with 130 stacks of each side along a front, and the same thing as graphs."""

    def __init__(self) -> None:
        self.map: Map = Pack("stalingrad42").map
        grid = self.grid = self.map.grid
        self.open: Bits = grid.all & ~self.map.of_terrain(*CLOSED)
        rng = random.Random(1)
        front = [h for h in members(self.open) if abs(grid.centre(h)[0] - grid.centre(grid.hex("2520"))[0]) < 9]
        placed = rng.sample(front, 260)
        placed.sort(key=lambda h: grid.centre(h)[0])
        self.friends, self.enemies = bits(placed[:130]), bits(placed[130:])
        self.blocked = self.map.sides("volga", "lake", "sea", "impassable")
        self.roads = self.map.links("primary_road", "secondary_road")
        self.costs = Costs(grid, self._cost, lambda h: COSTS.get(self.map.terrain[h], 2))
        self.start = min(placed[:130], key=lambda h: abs(grid.centre(h)[1] - grid.centre(grid.hex("2520"))[1]))
        self.sources = bits([h for h in members(self.open) if grid.q[h] <= grid.q[grid.hexes[0]] + 1])

    def _cost(self, h: Hex, d: int, n: Hex) -> int | Refusal:
        if not self.open >> n & 1 or not self.open >> h & 1:
            return Refusal("map", "water")
        if self.map.linked(h, d, "primary_road", "secondary_road"):
            return 1
        return COSTS.get(self.map.terrain[n], 2) + (3 if self.map.side_has(h, d, "major_river") else 0)

    def zoc(self) -> Bits:
        return zone(self.grid, self.enemies, self.blocked) & self.open

    def reach(self) -> Reach:
        """The reach of a mechanized unit with extended movement, costs and ways; the enemy's zone worked out anew."""
        zoc = self.zoc()
        return reach(
            self.costs,
            self.start,
            BUDGET,
            enter=self.open & ~self.enemies,
            stop=zoc,
            first_extra=4 if zoc >> self.start & 1 else 0,
        )

    def supply(self) -> Bits:
        zoc = self.zoc() & ~self.friends
        free = self.open & ~self.enemies
        on_road = heads(self.grid, self.sources, self.roads, free & ~zoc)
        return (
            overland(self.grid, on_road | self.sources & free, 5, enter=free, blocked=self.blocked, lone=zoc).starts()
            & self.open
        )


def graph_benchmarks() -> Found:
    """Reach, whole-map zones and whole-map supply against networkx and scipy on the same map."""
    from kessel.lab.bench_graphs import NetworkxScene, ScipyScene

    scene = Scene()
    found: Found = {}
    for make, name, seconds in ((NetworkxScene, "networkx", 1.0), (ScipyScene, "scipy", 0.6)):
        other = make(scene)
        for job, same in (("reach", scene.reach), ("zoc", scene.zoc), ("supply", scene.supply)):
            theirs: Callable[[], object] = getattr(other, job)
            if _plain(theirs()) != _plain(same()):
                raise BadInput(f"{name} and our own {job} disagree; the benchmark would compare different jobs")
            before, reference = best(same), best(theirs, seconds, 3)
            ours = min(before, best(same))
            found[f"{job}-{name}"] = entry(ours, "us", reference, reference / ours, f"{name} time / ours")
    return found


def _plain(answer: object) -> object:
    """Costs by hex, however the answer holds them."""
    if isinstance(answer, Reach):
        return answer.cost
    return answer[0] if isinstance(answer, tuple) else answer


def copy_benchmark() -> Found:
    """Copy a board of 400 units on the full grid and move one unit, against copying bytearray(15000) twice."""
    m = Pack("stalingrad42").map
    g = Board(m, Forces([f"u{i}" for i in range(400)], [i % 2 for i in range(400)]))
    rng = random.Random(1)
    for u in range(400):
        g.move(u, rng.choice(m.grid.hexes))
    g.dice = Dice(0)
    target = m.grid.hexes[100]
    block = bytearray(15000)

    def ours() -> None:
        h = g.copy()
        h.move(17, target)

    def twice() -> None:
        bytearray(block)
        bytearray(block)

    mine = min(best(_many(ours, 200), 0.3) for _ in range(3)) / 200
    reference = min(best(_many(twice, 200), 0.3) for _ in range(3)) / 200
    return {"copy-apply": entry(mine, "us", reference, mine / reference, "ours / two copies of bytearray(15000)")}


def _many(job: Callable[[], object], n: int) -> Callable[[], None]:
    def loop() -> None:
        for _ in range(n):
            job()

    return loop


def chess_steps_per_second(seconds: float = 3.0) -> float:
    """Random playouts with python-chess: legal_moves, push, is_game_over."""
    import chess

    rng = random.Random(1)
    steps = 0
    begun = time.process_time()
    while time.process_time() - begun < seconds:
        board = chess.Board()
        while not board.is_game_over():
            board.push(rng.choice(list(board.legal_moves)))
            steps += 1
    return steps / (time.process_time() - begun)


def playout_steps_per_second(game: str, scenario: str, seconds: float = 4.0) -> tuple[float, float]:
    """Random legal playouts without checks or records, and those of python-chess in the same time.

    List the choices, take one, go on. The first game warms up. A machine's speed changes from second to second: the two
    take turns, and each turn of ours is held against the chess next to it.
    """
    pack = Pack(game)
    _playout(game, scenario, pack, 0, seconds)
    steps, spent, seed, chess = 0, 0.0, 1, 0.0
    while spent < seconds:
        begun = spent
        while spent < begun + TURN:
            n, took = _playout(game, scenario, pack, seed, seconds)
            steps, spent, seed = steps + n, spent + took, seed + 1
        chess += chess_steps_per_second(TURN) * (spent - begun)
    return steps / spent, chess / spent


def _playout(game: str, scenario: str, pack: Pack, seed: int, seconds: float) -> tuple[int, float]:
    """Steps and CPU seconds of one game, or of the part of it that fits the time."""
    t = title(game)
    g = Game.new(game, scenario, seed=seed, pack=pack).board
    g.events = None
    program = RandomPlayer(seed)
    steps = 0
    begun = time.process_time()
    while g.stack and (steps % 64 or time.process_time() - begun < 2 * seconds):
        push(g, decide(program, t, g, asked(g)))
        steps += 1
    return steps, time.process_time() - begun


def playout_benchmarks(only: str) -> Found:
    from kessel.core.title import titles

    names = [(t.id, s.id) for t in titles().values() for s in t.scenarios(Pack(t.id))]
    names = [(g, s) for g, s in names if only in f"playout-{g}-{s}"]
    if not names:
        return {}
    found: Found = {}
    for game, scenario in names:
        mine, reference = playout_steps_per_second(game, scenario)
        what = "ours / python-chess random playouts"
        found[f"playout-{game}-{scenario}"] = entry(mine, "steps/cpu s", reference, mine / reference, what)
    if BESIDE_RALLY in found:
        mine, what = found[BESIDE_RALLY]["value"], f"ours / Rally the Troops' hex game, {ELSEWHERE}"
        found[f"{BESIDE_RALLY}-rally"] = entry(mine, "steps/cpu s", RALLY, mine / RALLY, what)
    return found


def run_benchmarks(only: str = "") -> Found:
    from kessel.lab.bench_kharkov43 import impulse_benchmarks, seek_benchmarks
    from kessel.lab.bench_table import table_benchmarks

    found: Found = {}
    if any(only in f"{job}-{lib}" for job in ("reach", "zoc", "supply") for lib in ("networkx", "scipy")):
        found.update(graph_benchmarks())
    if only in "copy-apply":
        found.update(copy_benchmark())
    found.update(playout_benchmarks(only))
    found.update(impulse_benchmarks(only))
    found.update(seek_benchmarks(only))
    found.update(table_benchmarks(only))
    return {k: v for k, v in found.items() if only in k}


def show_benchmarks(found: Found, out: Console) -> None:
    """A table for each reference: what a ratio is stands above it, so that names have room on any terminal."""
    tables: dict[tuple[str, str], Table] = {}
    for name, e in found.items():
        about = e["against"], e["unit"]
        if about not in tables:
            table = tables[about] = Table(box=None, padding=(0, 2, 0, 0))
            table.add_column("benchmark", no_wrap=True)
            for column in ("value", "reference", "ratio"):
                table.add_column(column, justify="right", no_wrap=True)
        tables[about].add_row(name, *(f"{e[x]:,g}" for x in ("value", "reference", "ratio")))
    for (against, unit), table in tables.items():
        out.print(f"\n[bold]{against}[/bold] ({unit})", highlight=False)
        out.print(table)
