"""Figures of play between the programs: who wins, by how much, and when the Volga is reached.

    python -m kessel.bots.don42.figures --bots greedy:greedy --games 100 --workers 2

prints the table that stands in docs/reconstruction-don42.md.
"""

from __future__ import annotations

import argparse
import statistics
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from typing import cast

from kessel.bots import decide, player
from kessel.core.game import Game
from kessel.core.pack import Pack
from kessel.core.procedure import asked
from kessel.games.don42.board import Board
from kessel.games.don42.data.charts import turn_name, turn_number
from kessel.games.don42.data.forces import GERMAN, SIDES, SOVIET
from kessel.games.don42.turn.victory import at_the_volga

NEVER = 99
IN_TIME = "Aug 24 PM"
"""The turn by which the panzer corps stood at the Volga in history, with a day to spare."""


@dataclass(frozen=True, slots=True)
class Played:
    """What one game came to."""

    german: int
    soviet: int
    reached: int
    """The turn on which two units of the XIV Panzer Corps stood at the Volga."""
    joined: int
    """The turn on which they stood there with a line to the Don (17.1.8)."""

    @property
    def share(self) -> float:
        """The Germans' share of all Victory Points, in percent."""
        return 100 * self.german / max(self.german + self.soviet, 1)


def play(scenario: str, levels: tuple[str, str], seed: int) -> Played:
    game = Game.new("don42", scenario, seed=seed, pack=Pack("don42"))
    sides = {
        side: player("don42", level, seed * 31 + side) for side, level in zip((GERMAN, SOVIET), levels, strict=True)
    }
    volga = cast(Board, game.board).scenario.victory.get("volga")
    reached = joined = NEVER
    at = (0, 0)
    while not game.over:
        g = cast(Board, game.board)
        if volga and at != (g.turn, g.phase):
            at = (g.turn, g.phase)
            if reached == NEVER and len(at_the_volga(g, volga)) >= volga["units"]:
                reached = g.turn
            if joined == NEVER and g.track("volga_met"):
                joined = g.turn - 1  # noted at the end of the turn before
        side = asked(g)
        game.play(decide(sides[side], game.title, g, side), side)
    points = game.outcome()
    assert points is not None
    return Played(points.points[SIDES[GERMAN]], points.points[SIDES[SOVIET]], reached, joined)


def played(scenario: str, levels: tuple[str, str], seeds: range, workers: int) -> Iterator[Played]:
    one = partial(play, scenario, levels)
    if workers <= 1:
        yield from map(one, seeds)
        return
    with get_context("spawn").Pool(workers) as pool:
        yield from pool.imap(one, seeds)


def table(games: list[Played]) -> str:
    """The figures as a table of Markdown."""
    wins = Counter("German" if p.german > p.soviet else "Soviet" if p.soviet > p.german else "draw" for p in games)
    shares = [p.share for p in games]
    lines = ["| figure | value |", "| --- | --- |", f"| games | {len(games)} |"]
    lines += [f"| won: {side} | {wins[side]} |" for side in ("German", "Soviet", "draw") if wins[side]]
    lines.append(f"| {_spread('German VP', [p.german for p in games])} |")
    lines.append(f"| {_spread('Soviet VP', [p.soviet for p in games])} |")
    lines.append(f"| {_spread('German share of all VP, percent', shares)} |")
    for what, turns in (
        ("two units of the XIV Panzer Corps at the Volga", [p.reached for p in games]),
        ("the same with a line to the Don (17.1.8)", [p.joined for p in games]),
    ):
        early = sum(t <= turn_number(IN_TIME) for t in turns)
        dates = ", ".join(f"{turn_name(t) if t != NEVER else 'never'} {n}" for t, n in sorted(Counter(turns).items()))
        lines += [f"| {what}: by {IN_TIME} | {early} |", f"| {what}: dates | {dates} |"]
    return "\n".join(lines)


def _spread(what: str, values: list[int] | list[float]) -> str:
    cut = statistics.quantiles(values, n=10, method="inclusive") if len(values) > 1 else [values[0]] * 9
    middle = f"{cut[0]:.0f} / {cut[4]:.0f} / {cut[8]:.0f}"
    return f"{what}: mean; tenth / median / ninetieth of a hundred | {statistics.fmean(values):.1f}; {middle}"


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Figures of play between programs of Strike of the Heron.")
    parser.add_argument("--scenario", default="crossing-the-don")
    parser.add_argument("--bots", default="greedy:greedy", help="the Germans' program and the Soviets'")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=1)
    told = parser.parse_args(words)
    german, soviet = told.bots.split(":")
    seeds = range(told.seed, told.seed + told.games)
    print(f"### {told.scenario}, {told.bots}, seeds {seeds[0]} to {seeds[-1]}\n")
    print(table(list(played(told.scenario, (german, soviet), seeds, told.workers))))


if __name__ == "__main__":
    main()
