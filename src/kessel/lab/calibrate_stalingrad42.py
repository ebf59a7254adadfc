"""The course of Stalingrad '42 between programs: who wins, by how much, and how far the railroads are repaired.

    python -m kessel.lab.calibrate_stalingrad42 --scenario fall-blau --games 200 --keep games.jsonl

The figures stand in docs/reconstruction-stalingrad42.md. Every finished game is kept in the file; those it has already
are not played again.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from kessel.bots import decide, player
from kessel.core.game import Game
from kessel.core.pack import Pack
from kessel.core.procedure import asked, push
from kessel.core.title import title
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.data.forces import SIDES
from kessel.games.stalingrad42.supply.railheads import RailroadRepair, needs_repair
from kessel.games.stalingrad42.turn.victory import victory_points

GAME = "stalingrad42"


@dataclass(slots=True)
class Course:
    """One game."""

    seed: int
    winner: str = ""
    level: str = ""
    ended: int = 0
    """The last turn played."""
    vp: dict[int, int] = field(default_factory=dict)
    """Axis Victory Points at the end of each turn."""
    moved: dict[int, int] = field(default_factory=dict)
    """Hexes that Railheads moved forward in each turn (17.2.1)."""
    used: dict[int, int] = field(default_factory=dict)
    """How many Railheads did."""
    repaired: dict[int, int] = field(default_factory=dict)
    """Green hexes east of the start line that are repaired at the end of each turn: 17.3 takes some back."""
    cpu: float = 0.0


def course(pack: Pack, scenario: str, levels: tuple[str, str], seed: int) -> Course:
    """Play one game to its end; no record is kept."""
    t, begun, found = title(GAME), time.process_time(), Course(seed)
    g = Game.new(GAME, scenario, seed=seed, pack=pack).board
    assert isinstance(g, Board)
    sides = [player(GAME, level, seed * 31 + side) for side, level in enumerate(levels)]
    while g.stack:
        turn, side, p = g.turn, asked(g), g.stack[-1]
        action = decide(sides[side], t, g, side)
        if isinstance(p, RailroadRepair) and action[0] == "repair":
            found.moved[turn] = found.moved.get(turn, 0) + 1
        push(g, action)
        if isinstance(p, RailroadRepair):
            found.used[turn] = sum(n > 0 for n in p.moved)
        if g.turn != turn or not g.stack:
            found.vp[turn] = victory_points(g).total
            found.repaired[turn] = (needs_repair(g) & g.repaired_hexes()).bit_count()
    out = t.outcome(g)
    assert out is not None
    found.winner = "draw" if out.winner is None else SIDES[out.winner]
    found.level, found.ended, found.cpu = out.level, g.turn, time.process_time() - begun
    return found


def report(courses: list[Course]) -> str:
    """The figures of a series as text."""
    lines = [f"{len(courses)} games, {sum(c.cpu for c in courses):.0f} CPU seconds"]
    lines.append("won: " + _counted([c.winner for c in courses]))
    lines.append("how: " + _counted([c.level for c in courses]))
    lines.append("last turn: " + _counted([c.ended for c in courses]))
    lines.append("Axis VP at the end: " + _spread([c.vp[c.ended] for c in courses]))
    lines += ["", "| turn | games | Railheads moved | hexes moved | hexes repaired by now | Axis VP |"]
    lines.append("| --- | --- | --- | --- | --- | --- |")
    for turn in sorted({t for c in courses for t in c.vp}):
        there = [c for c in courses if turn in c.vp]
        used = statistics.fmean(c.used.get(turn, 0) for c in there)
        moved = statistics.fmean(c.moved.get(turn, 0) for c in there)
        so_far, vp = _spread([c.repaired[turn] for c in there]), _spread([c.vp[turn] for c in there])
        lines.append(f"| {turn} | {len(there)} | {used:.1f} | {moved:.1f} | {so_far} | {vp} |")
    return "\n".join(lines)


def _counted(values: list[str] | list[int]) -> str:
    return ", ".join(f"{k}: {n}" for k, n in sorted(Counter(values).items()))


def _spread(values: list[int]) -> str:
    return f"{min(values)} to {max(values)}, median {statistics.median(values):g}"


def series(scenario: str, levels: tuple[str, str], seeds: range, keep: Path | None) -> list[Course]:
    """The games of these seeds, those that are kept already and the others."""
    lines = keep.read_bytes().splitlines() if keep is not None and keep.exists() else []
    found = {c.seed: c for c in (msgspec.json.decode(line, type=Course) for line in lines)}
    pack = Pack(GAME)
    for seed in seeds:
        if seed not in found:
            found[seed] = course(pack, scenario, levels, seed)
            if keep is not None:
                with keep.open("ab") as file:
                    file.write(msgspec.json.encode(found[seed]) + b"\n")
    return [found[seed] for seed in seeds]


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--bots", default="greedy:greedy", help="the Axis' program and the Soviets'")
    parser.add_argument("--scenario", default="fall-blau")
    parser.add_argument("--keep", type=Path, help="keep finished games in this file, and go on from there")
    args = parser.parse_args(words)
    axis, soviet = args.bots.split(":")
    print(report(series(args.scenario, (axis, soviet), range(args.seed, args.seed + args.games), args.keep)))


if __name__ == "__main__":
    main()
