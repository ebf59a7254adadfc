"""The course of Across the Bug River between programs: who wins, when Volodymyr falls, how far the panzers come.

    python -m kessel.lab.calibrate_bug41 --scenario campaign --games 100

The figures stand in docs/reconstruction-bug41.md.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from kessel.bots import decide, player
from kessel.core.game import Game
from kessel.core.hexset import members
from kessel.core.pack import Pack
from kessel.core.procedure import asked, push
from kessel.core.title import title
from kessel.games.bug41.board import Board
from kessel.games.bug41.data.forces import GERMAN, SIDES
from kessel.games.bug41.turn.activation import Activation
from kessel.games.bug41.turn.victory import victory_points

GAME = "bug41"
ATTACKS = ("hasty", "regular", "prepared")
ROAD_EAST = {"3018": "Lokachi", "3116": "Voinitsa", "3816": "Zaturtsi", "4317": "Torchyn"}
"""The places on the roads to Torchyn and Lokachi."""
PANZERS = "14Pz"
RESERVES = ("1AT", "135RD", "19TD", "215MD")
SEEN = {
    "boat crossings": ("PA-TEC.e1",),
    "marsh checks": ("PA-TEC.a",),
    "infiltration checks": ("PA-infil.3",),
    "Reaction Checks": ("RX-6.4.2",),
    "Reactions": ("RX-6.4.3",),
    "checks of isolated units": ("PA-isolation.2",),
    "attacks over a bridge of the Brandenburgers": ("PA-T1.zbv.1",),
    "attacks with engineers on a pillbox": ("PA-DRM.eng",),
    "attacks with armor superiority": ("PA-CS.E4",),
    "HQ relocations": ("RX-7.4",),
    "HQs displaced": ("RX-7.8",),
    "checks to refit": ("RX-7.6",),
    "units in Improved Defense": ("RX-7.7",),
    "attrition checks": ("PA-attrition.1",),
    "HQs out of supply": ("RX-5.9",),
    "replacements": ("RX-8.4",),
    "reorganizations": ("RX-8.5",),
    "reassignments": ("RX-8.6",),
    "battle victories": ("PA-CS.H5",),
    "retreats": ("RX-7.5.ret",),
}
"""What the log tells, by rule."""


@dataclass(slots=True)
class Course:
    """One game."""

    seed: int
    winner: str = ""
    fell: int = 0
    """The turn in which the German first held a hex of Volodymyr-Volynskyi; 0: never."""
    vp: dict[int, int] = field(default_factory=dict)
    """German Victory Points at the end of each turn."""
    held: tuple[str, ...] = ()
    """Places that are German at the end."""
    panzers_at: tuple[str, ...] = ()
    """Places east of Volodymyr that units of 14. Panzer have entered."""
    attacks: Counter[str] = field(default_factory=Counter)
    """By side and kind."""
    reserves: Counter[str] = field(default_factory=Counter)
    """Attacks of the formations that come up, and how many hexes they won."""
    points: Counter[tuple[str, int]] = field(default_factory=Counter)
    """Action Points by side and turn, Reactions included."""
    seen: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    """Strength points by side."""
    marched: int = 0
    """Hexes of the longest march of a day."""
    cpu: float = 0.0


class Watch:
    """Looks at a game while it is played."""

    def __init__(self, g: Board, seed: int) -> None:
        self.g, self.found = g, Course(seed)
        self.entered: Counter[tuple[int, str]] = Counter()

    def before(self, action: tuple[Any, ...], side: int) -> None:
        g, found = self.g, self.found
        acting = next((p for p in reversed(g.stack) if isinstance(p, Activation)), None)
        if acting is not None and action[0] in ATTACKS:
            found.attacks[f"{SIDES[side]} {action[0]}"] += 1
            if g.forces.commands[acting.formation] in RESERVES:
                found.reserves["attacks"] += 1
        if action[0] == "advance" and acting is not None and g.forces.commands[acting.formation] in RESERVES:
            found.reserves["hexes won"] += 1

    def after(self, turn: int) -> None:
        g, found = self.g, self.found
        for event in g.events or ():
            self._told(event, turn)
        g.events = []
        if not found.fell and any(g.owner[h] == GERMAN for h in members(g.ground.volodymyr)):
            found.fell = turn
        if g.turn != turn or not g.stack:
            found.vp[turn] = victory_points(g).total

    def _told(self, event: dict[str, Any], turn: int) -> None:
        found = self.found
        rules = {event["rule"], *(item["rule"] for item in event.get("modifiers", {}).get("items", ()))}
        for what, of in SEEN.items():
            found.seen[what] += bool(rules & set(of))
        if event["rule"] in ("RX-6.2", "RX-6.4.3") and "formation" in event:
            side = self.g.charts.formations[event["formation"]].side
            found.points[side, turn] += int(event["what"].split()[-2])
        if event["rule"] == "PA-AP.move" and "path" in event:
            self.entered[turn, event["unit"]] += len(event["path"])
        if "unit" in event and event.get("to") in ROAD_EAST:
            u = self.g.forces.unit(event["unit"])
            if self.g.forces.commands[self.g.command[u]] == PANZERS and not self.g.forces.hq[u]:
                found.panzers_at = tuple(sorted({*found.panzers_at, ROAD_EAST[event["to"]]}))

    def end(self) -> Course:
        g, found = self.g, self.found
        out = title(GAME).outcome(g)
        assert out is not None
        found.winner = "draw" if out.winner is None else SIDES[out.winner]
        places = {v.hex: v.name for v in g.scenario.victory.hexes} or ROAD_EAST
        found.held = tuple(name for h, name in places.items() if g.owner[g.map.grid.hex(h)] == GERMAN)
        for u in range(len(g.forces)):
            found.lost[SIDES[g.forces.side[u]]] += g.forces.full_steps[u] - g.steps[u]
        found.marched = max((n for (_, unit), n in self.entered.items()), default=0)
        return found


def course(pack: Pack, scenario: str, levels: tuple[str, str], seed: int) -> Course:
    """Play one game to its end; no record is kept."""
    t, begun = title(GAME), time.process_time()
    g = Game.new(GAME, scenario, seed=seed, pack=pack).board
    assert isinstance(g, Board)
    g.events = []
    watch = Watch(g, seed)
    sides = [player(GAME, level, seed * 31 + side) for side, level in enumerate(levels)]
    while g.stack:
        turn, side = g.turn, asked(g)
        action = decide(sides[side], t, g, side)
        watch.before(action, side)
        push(g, action)
        watch.after(turn)
    found = watch.end()
    found.cpu = time.process_time() - begun
    return found


def report(courses: list[Course]) -> str:
    """The figures of a series as text."""
    n = len(courses)
    lines = [f"{n} games, {sum(c.cpu for c in courses):.0f} CPU seconds"]
    lines.append("won: " + _counted(c.winner for c in courses))
    lines.append("Volodymyr-Volynskyi falls in turn (0: never): " + _counted(c.fell for c in courses))
    lines.append("German at the end: " + _counted(name for c in courses for name in c.held))
    lines.append("reached by 14. Panzer: " + _counted(name for c in courses for name in c.panzers_at))
    lines.append(f"games in which 14. Panzer gets there: {sum(bool(c.panzers_at) for c in courses)}")
    lines.append("attacks a game: " + _means(n, (c.attacks for c in courses)))
    lines.append("attacks of the Soviet reserves a game: " + _means(n, (c.reserves for c in courses)))
    lines.append("strength points lost a game: " + _means(n, (c.lost for c in courses)))
    lines.append("seen a game: " + _means(n, (c.seen for c in courses)))
    lines.append("longest march of a turn in hexes: " + _spread([c.marched for c in courses]))
    for turn in sorted({t for c in courses for t in c.vp}):
        points = [f"{s} {statistics.mean(c.points[s, turn] for c in courses):.1f}" for s in SIDES]
        lines.append(
            f"turn {turn}: Victory Points {_spread([c.vp[turn] for c in courses])}; Action Points {', '.join(points)}"
        )
    return "\n".join(lines)


def _counted(values: Iterable[object]) -> str:
    return ", ".join(f"{k}: {n}" for k, n in sorted(Counter(values).items(), key=lambda x: str(x[0]))) or "none"


def _means(n: int, counters: Iterable[Counter[str]]) -> str:
    total: Counter[str] = Counter()
    for one in counters:
        total.update(one)
    return ", ".join(f"{k} {v / n:.1f}" for k, v in total.items())


def _spread(values: list[int]) -> str:
    few = sorted(values)
    return f"{few[0]} to {few[-1]}, median {statistics.median(few):g}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bots", default="greedy:greedy")
    parser.add_argument("--scenario", default="campaign")
    args = parser.parse_args()
    german, soviet = args.bots.split(":")
    pack = Pack(GAME)
    found = [course(pack, args.scenario, (german, soviet), args.seed + i) for i in range(args.games)]
    print(report(found))


if __name__ == "__main__":
    main()
