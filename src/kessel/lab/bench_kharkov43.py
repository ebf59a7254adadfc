"""Benchmarks of Kharkov '43: an activation of a Soviet army, as a player waits for it, and a jump to another moment.

The positions are those of played games, whenever the German player is about to play a card and a Soviet army has ten
units in play. There that army is activated (9.0): objectives, all movement methods for every unit, attack checks,
the attacks with whatever the German player chooses in them, reserves, removals. Everything is told, as at the table.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Iterator
from typing import Any

from kessel.bots import decide, levels, player
from kessel.core.breakdown import Refusal
from kessel.core.game import Game
from kessel.core.pack import Pack
from kessel.core.procedure import asked, legal, push, run
from kessel.core.title import title
from kessel.games.kharkov43.board import COMMAND, Board
from kessel.games.kharkov43.data.forces import ARMIES, FORMATIONS
from kessel.games.kharkov43.system.soviet_activation import SovietActivation
from kessel.games.kharkov43.system.soviet_formations import army_and_stacked, in_play, make_active
from kessel.games.kharkov43.turn.german_cards import GermanImpulse

GAME, SCENARIO = "kharkov43", "campaign"
NAME = "impulse-kharkov43"
UNITS = 10
"""The size of the army activated."""
LEAST, MOST = 100, 400
"""How many activations are measured."""
CHESS_STEPS = 1000
SEEK, SOUGHT = "seek-kharkov43-campaign", 200
"""Jumps to any moment of a played campaign, and how many of them are measured."""


def positions(pack: Pack, seed: int, level: str) -> Iterator[Board]:
    """The board of one game whenever the German player is to play a card."""
    t = title(GAME)
    g = Game.new(GAME, SCENARIO, seed=seed, pack=pack).board
    assert isinstance(g, Board)
    g.events = None
    program = player(GAME, level, seed)
    while g.stack:
        if isinstance(g.stack[-1], GermanImpulse):
            yield g
        side = asked(g)
        push(g, decide(program, t, g, side))


def large_armies(g: Board) -> list[str]:
    """The armies with at least ten units on the map or in reserve."""
    return [name for name in ARMIES if len(in_play(g, g.forces.in_formation(name))) >= UNITS]


def activate(g: Board, name: str, seed: int) -> float:
    """CPU milliseconds of the army's whole activation on that board, which is used up."""
    rng = random.Random(seed)
    cards = [i for i in g.charts.soviet_cards if any(c.army == name for c in g.charts.cards[i].commands)]
    begun = time.process_time()
    found = army_and_stacked(g, name)
    if isinstance(found, Refusal):
        return 0.0
    g.cards[cards[0]] = COMMAND
    make_active(g, found)
    activation = SovietActivation(cards[0], FORMATIONS[name].higher, found.armies)
    g.stack.append(activation)
    run(g)
    while any(p is activation for p in g.stack):
        push(g, rng.choice(legal(g)))
    return (time.process_time() - begun) * 1000


def impulse_times(seconds: float = 20.0) -> list[float]:
    """Milliseconds of many activations, from games of every program in turn; the first one warms up."""
    pack = Pack(GAME)
    programs = levels(GAME)
    found: list[float] = []
    until = time.process_time() + seconds
    seed = 0
    while len(found) < LEAST or (len(found) < MOST and time.process_time() < until):
        for g in positions(pack, seed, programs[seed % len(programs)]):
            for name in large_armies(g):
                x = g.lean()
                x.dice = x.dice.fork(len(found))
                x.events = []
                took = activate(x, name, len(found))
                if took and seed:
                    found.append(took)
        seed += 1
    return found


def seek_times() -> list[float]:
    """CPU milliseconds of jumps to any moment of a campaign that a program played."""
    t, program, rng = title(GAME), player(GAME, "greedy", 1), random.Random(1)
    game = Game.new(GAME, SCENARIO, seed=1)
    while not game.over:
        side = asked(game.board)
        game.play(decide(program, t, game.board, side), side)
    found = []
    for _ in range(SOUGHT):
        n = rng.randrange(len(game.entries) + 1)
        begun = time.process_time()
        game.at(n)
        found.append((time.process_time() - begun) * 1000)
    return found


def seek_benchmarks(only: str) -> dict[str, dict[str, Any]]:
    from kessel.lab.bench import chess_steps_per_second, entry

    if only not in f"{SEEK}-median" and only not in f"{SEEK}-p99":
        return {}
    times = sorted(seek_times())
    chess = CHESS_STEPS / chess_steps_per_second(1.0) * 1000
    what = f"ours / {CHESS_STEPS} python-chess playout steps ({SOUGHT} jumps)"
    figures = {"median": statistics.median(times), "p99": times[int(len(times) * 0.99)]}
    return {f"{SEEK}-{k}": entry(v, "cpu ms", chess, v / chess, what) for k, v in figures.items()}


def impulse_benchmarks(only: str) -> dict[str, dict[str, Any]]:
    from kessel.lab.bench import chess_steps_per_second, entry

    if only not in f"{NAME}-median" and only not in f"{NAME}-p99":
        return {}
    before = chess_steps_per_second(1.0)
    times = sorted(impulse_times())
    chess = CHESS_STEPS / statistics.fmean((before, chess_steps_per_second(1.0))) * 1000
    what = f"ours / {CHESS_STEPS} python-chess playout steps ({len(times)} activations)"
    figures = {"median": statistics.median(times), "p99": times[int(len(times) * 0.99)]}
    return {f"{NAME}-{k}": entry(v, "cpu ms", chess, v / chess, what) for k, v in figures.items()}
