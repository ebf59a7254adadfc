"""The course of Kharkov '43 with a program as the German player: when Kharkov falls, how the victory points go.

    python -m kessel.lab.calibrate_kharkov43 --games 100 --level greedy

The figures stand in docs/reconstruction-kharkov43.md.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from kessel.bots import decide, player
from kessel.core.game import Game
from kessel.core.pack import Pack
from kessel.core.procedure import push
from kessel.core.title import title
from kessel.games.kharkov43.board import Board
from kessel.games.kharkov43.data.forces import GERMAN
from kessel.games.kharkov43.turn.victory import is_kharkov_soviet

GAME = "kharkov43"


@dataclass(slots=True)
class Course:
    """One game."""

    seed: int
    fell: int = 0
    """The game-turn in which Kharkov became Soviet first; 0: never."""
    back: int = 0
    """The game-turn in which it was taken back first."""
    vp: dict[int, int] = field(default_factory=dict)
    """Soviet victory points at the end of each game-turn."""
    level: str = ""
    cpu: float = 0.0


def course(pack: Pack, scenario: str, level: str, seed: int) -> Course:
    """Play one game to its end; no record is kept."""
    t = title(GAME)
    found = Course(seed)
    begun = time.process_time()
    g = Game.new(GAME, scenario, seed=seed, pack=pack).board
    assert isinstance(g, Board)
    g.events = None
    program = player(GAME, level, seed * 31)
    while g.stack:
        turn = g.turn
        push(g, decide(program, t, g, GERMAN))
        if g.turn != turn or not g.stack:
            found.vp[turn] = g.vp
        lost = is_kharkov_soviet(g)
        if lost and not found.fell:
            found.fell = turn
        if found.fell and not found.back and not lost:
            found.back = turn
    out = t.outcome(g)
    found.level = out.level if out is not None else ""
    found.cpu = time.process_time() - begun
    return found


def report(courses: list[Course]) -> str:
    """The figures of a series as text."""
    lines = [f"{len(courses)} games, {sum(c.cpu for c in courses):.0f} CPU seconds"]
    lines.append("Kharkov falls in game-turn (0: never): " + _counted(c.fell for c in courses))
    lines.append("Kharkov is taken back in game-turn: " + _counted(c.back for c in courses if c.fell))
    lines.append("levels: " + _counted(c.level for c in courses))
    lines.append("")
    lines.append("| game-turn | games | VP least | lower quarter | median | upper quarter | most |")
    lines.append("| --- | --- | --- | --- | --- | --- | --- |")
    for turn in sorted({t for c in courses for t in c.vp}):
        vp = sorted(c.vp[turn] for c in courses if turn in c.vp)
        quarter = statistics.quantiles(vp, n=4) if len(vp) > 1 else [vp[0]] * 3
        cells = (turn, len(vp), vp[0], *(f"{q:g}" for q in quarter), vp[-1])
        lines.append("| " + " | ".join(str(x) for x in cells) + " |")
    return "\n".join(lines)


def _counted(values: Iterable[object]) -> str:
    return ", ".join(f"{k}: {n}" for k, n in sorted(Counter(values).items(), key=lambda x: str(x[0]).zfill(2)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--level", default="greedy")
    parser.add_argument("--scenario", default="campaign")
    args = parser.parse_args()
    pack = Pack(GAME)
    print(report([course(pack, args.scenario, args.level, args.seed + i) for i in range(args.games)]))


if __name__ == "__main__":
    main()
