"""Figures of the charts, for docs/reconstruction-bug41.md: `python -m kessel.lab.pack_statistics.bug41`.

Everything is counted exactly from the pack: every pair of chits, every die. Nothing is simulated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations

from kessel.core.pack import Pack
from kessel.games.bug41.data.charts import DICE, Charts, Hits
from kessel.games.bug41.data.forces import SIDES, SOVIET, Forces, read_counters
from kessel.lab.pack_statistics.pages import markdown, sections, write

TERRAINS = ("clear", "village", "town", "dense_forest", "pillbox_in_forest")


@dataclass(frozen=True, slots=True)
class Fight:
    """An attack with all that counts before the dice."""

    what: str
    attack: str
    """hasty, regular, prepared"""
    attacking: int
    """Strength, anti-tank units at their quarter."""
    defending: tuple[int, ...]
    effectiveness: tuple[int, ...]
    terrain: str
    modifier: int
    check: int = 0
    """Added to the defenders' Effectiveness Checks."""
    disrupted: bool = False


FIGHTS = (
    Fight("battalion over the Ustyluh bridge on turn 1, border guards", "regular", 8, (3,), (6,), "town", -1, 2),
    Fight("the same, Prepared, two battalions landed beside it", "prepared", 8, (3,), (6,), "town", 5, 2),
    Fight("pillbox in the open, machine guns, surprise: Prepared, two supports, engineers", "prepared", 8, (6,), (5,),
          "pillbox_in_clear", 8, 0),
    Fight("the same later, Regular over a stream, one support", "regular", 8, (6,), (5,), "pillbox_in_clear", 0, -2),
    Fight("battalion on a rifle battalion in a village, Hasty", "hasty", 8, (7,), (5,), "village", 0),
    Fight("the same, Regular, one support", "regular", 8, (7,), (5,), "village", 2),
    Fight("the same, Prepared, two supports", "prepared", 8, (7,), (5,), "village", 7),
    Fight("the same, Regular, on a Disrupted battalion", "regular", 8, (7,), (5,), "village", 2, disrupted=True),
    Fight("panzer stack on a rifle battalion in the open, Hasty", "hasty", 16, (7,), (5,), "clear", 3),
    Fight("panzer stack on a rifle battalion in the open, Regular", "regular", 16, (7,), (5,), "clear", 4),
    Fight("the same over a stream", "regular", 16, (7,), (5,), "clear", -1),
    Fight("rifle battalion on a German one in a village, Regular, one support", "regular", 7, (8,), (6,), "village", 2),
    Fight("T-26 and motor rifles on a German battalion in a village, Prepared, supported", "prepared", 13, (8,), (6,),
          "village", 9),
    Fight("two T-26 companies on a panzer stack in the open, Regular", "regular", 6, (4, 4, 8), (7, 7, 7), "clear", -1),
)  # fmt: skip
"""Modifiers: support, HQ Attack Support (3 German, 2 Soviet), armor, engineers, hexside."""


def outcomes(charts: Charts, fight: Fight) -> dict[Hits, Fraction]:
    """Chances of the hits over all pairs of chits and all dice."""
    found: Counter[Hits] = Counter()
    pairs = list(permutations(charts.chits, 2))
    for ours, theirs in pairs:
        by = ours.left if fight.attack == "hasty" else ours.right
        against = theirs.left if fight.disrupted else theirs.right
        ratio = Fraction(fight.attacking) * by / (sum(fight.defending) * against)
        column = max(1, charts.column_of(fight.terrain, ratio))
        for die in range(1, DICE + 1):
            found[charts.hits_of(die + fight.modifier, column, "mended")] += 1
    whole = len(pairs) * DICE
    return {hits: Fraction(n, whole) for hits, n in found.items()}


def leaves(charts: Charts, fight: Fight, chances: dict[Hits, Fraction]) -> Fraction:
    """The chance that the defender must go: hit, and every unit Disrupted."""
    fails = Fraction(1)
    for rating in fight.effectiveness:
        fails *= Fraction(DICE - min(max(rating - fight.check, 0), DICE), DICE)
    if fight.disrupted:
        return sum((p for h, p in chances.items() if h.defender), Fraction(0))
    red = charts.constants.red.hits
    return sum((p * fails for h, p in chances.items() if h.defender >= red), Fraction(0))


def share(p: Fraction) -> str:
    return str(round(100 * p))


def mean(p: Iterable[tuple[int, Fraction]]) -> str:
    return f"{float(sum(n * x for n, x in p)):.1f}"


HITS = (
    "attacker's hits",
    "defender's hits",
    "attacker 3+ %",
    "defender none %",
    "defender 3+ %",
    "defender 4+ %",
    "defender must go %",
)


def _figures(charts: Charts, fight: Fight) -> list[str]:
    c = outcomes(charts, fight)
    tails = (
        [p for h, p in c.items() if h.attacker >= 3],
        [p for h, p in c.items() if h.defender == 0],
        [p for h, p in c.items() if h.defender >= 3],
        [p for h, p in c.items() if h.defender >= 4],
    )
    return [
        mean((h.attacker, p) for h, p in c.items()),
        mean((h.defender, p) for h, p in c.items()),
        *(share(sum(tail, Fraction(0))) for tail in tails),
        share(leaves(charts, fight, c)),
    ]


def combat_by_terrain(charts: Charts) -> str:
    """A German battalion (8) on a rifle battalion (7): alone, with one support and half the HQ, with two and all."""
    rows = []
    for attack, modifier in (("hasty", 0), ("regular", 2), ("prepared", 7)):
        for terrain in TERRAINS:
            pillbox = -2 if terrain.startswith("pillbox") else 0
            fight = Fight("", attack, 8, (7,), (5,), terrain, modifier, pillbox)
            rows.append((attack, f"{modifier:+d}", terrain.replace("_", " "), *_figures(charts, fight)))
    return markdown(("attack", "modifier", "terrain", *HITS), rows)


def fights(charts: Charts) -> str:
    rows = [
        (f.what, f"{f.attacking} : {'+'.join(map(str, f.defending))}", f"{f.modifier:+d}", *_figures(charts, f))
        for f in FIGHTS
    ]
    return markdown(("attack", "strengths", "modifier", *HITS), rows)


def chits(charts: Charts) -> str:
    rows = []
    for name, columns in (("left", ("left", "right")), ("right", ("right", "right"))):
        ours = [getattr(c, name) for c in charts.chits]
        quotients = [getattr(a, columns[0]) / getattr(b, columns[1]) for a, b in permutations(charts.chits, 2)]
        n = len(quotients)
        rows.append(
            (
                name,
                f"{float(sum(ours) / len(ours)):.2f}",
                min(ours),
                max(ours),
                share(Fraction(sum(q <= Fraction(1, 2) for q in quotients), n)),
                share(Fraction(sum(q == 1 for q in quotients), n)),
                share(Fraction(sum(q >= 2 for q in quotients), n)),
            )
        )
    head = ("column", "mean", "least", "most", "1:2 or worse against the right %", "even %", "2:1 or better %")
    return markdown(head, rows)


def action_points(charts: Charts) -> str:
    rows = []
    for level in range(1, 8):
        cells = []
        for reading in charts.readings.switches["action_points"].values:
            points = [charts.points_of(level, die, reading) for die in range(1, DICE + 1)]
            cells += [f"{sum(p.normal for p in points) / DICE:.1f}", f"{sum(p.reaction for p in points) / DICE:.1f}"]
        rows.append((level, *cells))
    head = ("level", "even steps: activation", "Reaction", "double step: activation", "Reaction")
    return markdown(head, rows)


def _points_from(charts: Charts, level: int, spent: int) -> float:
    """Mean Action Points of so many activations from a level down."""
    steps = range(level, max(level - spent, 0), -1)
    return sum(charts.points_of(n, d, "even_steps").normal for n in steps for d in range(1, DICE + 1)) / DICE


def points_by_class(charts: Charts) -> str:
    """Action Points of a turn that starts at full level, and of one that has only what recovery gave."""
    rows = []
    for side, classes in ((SIDES[0], (7, 6)), (SIDES[1], (6, 5, 4))):
        for c in classes:
            regained = [charts.recovery_of(side, c, i) for i in range(3)]
            later = [f"{_points_from(charts, n, n):.0f}" for n in (regained[:1] if side == SIDES[0] else regained)]
            rows.append((side, c, f"{_points_from(charts, c, c):.0f}", " / ".join(later)))
    return markdown(("side", "class of HQ", "from full level", "from recovery (by interdiction)"), rows)


def initiative(charts: Charts) -> str:
    """The marked side is the one that did not act last: how often it takes over at each space."""
    rows = []
    going_on = Fraction(1)
    dice = [(a, b) for a in range(1, DICE + 1) for b in range(1, DICE + 1)]
    for space, modifier in enumerate(charts.track, start=1):
        wins = Fraction(sum(a + modifier >= b for a, b in dice), len(dice))
        rows.append((space, f"+{modifier}", share(wins), share(going_on * wins)))
        going_on *= 1 - wins
    return markdown(("space", "modifier", "marked side wins %", "runs of that many activations %"), rows)


def interdiction(charts: Charts) -> str:
    rows = []
    for turn in charts.turns:
        n = Counter(charts.interdiction_of(turn, die) for die in range(1, DICE + 1))
        rows.append((turn, *(share(Fraction(n[level], DICE)) for level in range(3))))
    return markdown(("turn", "level 0 %", "level 1 %", "level 2 %"), rows)


def forces(charts: Charts, f: Forces) -> str:
    rows = []
    for i, name in enumerate(f.commands):
        units = [u for u in range(len(f)) if f.command[u] == i and not f.hq[u]]
        hq = f.hq_of[i]
        worth = sum((f.strength[u] * charts.losses[charts.types[f.type[u]].losses] for u in units), Fraction(0))
        points = [sum(column[u] for u in units) for column in (f.strength, f.at, f.tank)]
        vp = f"{float(worth):.1f}" if f.side_of_command[i] == SOVIET else "-"
        rows.append((charts.formations[name].name, f.reaction[hq], len(units), *points, vp))
    return markdown(("formation", "class", "units", "strength", "AT", "Tank", "VP if all is lost"), rows)


def report(pack: Pack) -> str:
    charts = Charts(pack)
    parts: Sequence[tuple[str, str]] = (
        ("Combat by kind of attack and terrain", combat_by_terrain(charts)),
        ("Typical attacks", fights(charts)),
        ("Combat chits", chits(charts)),
        ("Action Points of one activation", action_points(charts)),
        ("Action Points of a turn", points_by_class(charts)),
        ("Initiative", initiative(charts)),
        ("Interdiction", interdiction(charts)),
        ("Forces", forces(charts, Forces(read_counters(pack, charts), charts))),
    )
    return sections(parts)


if __name__ == "__main__":
    write("bug41", report)
