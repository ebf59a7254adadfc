"""Figures of the reconstructed parts, for docs/reconstruction-korsun44.md.

`python -m kessel.lab.pack_statistics.korsun44` prints them; a test compares the page with the output. Everything is
counted exactly from the pack; nothing is simulated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import product

from kessel.core.hexset import members
from kessel.core.pack import Pack
from kessel.core.provenance import provenance_of
from kessel.core.rules import statements
from kessel.games.korsun44.data.charts import (
    CLASSES,
    CLEAR,
    FROZEN,
    GROUNDS,
    MUD,
    OVERCAST,
    POINT,
    VISIBILITIES,
    Charts,
    Part,
    charts_of,
)
from kessel.games.korsun44.data.forces import GERMAN, ROLES, SIDES, SOVIET, forces_of
from kessel.games.korsun44.data.scenario import read_scenario
from kessel.games.korsun44.data.terrain import ground_of
from kessel.lab.pack_statistics.pages import markdown, sections, write

DIE = range(1, 7)


def _mean(values: Iterable[int]) -> str:
    found = list(values)
    return f"{sum(found) / len(found):.2f}"


def combat(charts: Charts) -> str:
    """Steps and chances of one attack in each column, over the 36 throws of two dice."""
    throws = [a + b for a, b in product(DIE, DIE)]
    rows = []
    for odds in charts.odds:
        results = [charts.crt[t, odds] for t in throws]

        def share(of: Callable[[Part, Part], bool], results: list[tuple[Part, Part]]) -> str:
            return f"{100 * sum(of(a, d) for a, d in results) / 36:.0f} %"

        pairs = [(r.attacker, r.defender) for r in results]
        rows.append(
            (
                odds,
                _mean(a.steps for a, _ in pairs),
                share(lambda a, _: a.disorganized, pairs),
                share(lambda a, _: a.retreat > 0, pairs),
                _mean(d.steps for _, d in pairs),
                share(lambda _, d: d.disorganized, pairs),
                share(lambda _, d: d.retreat > 0, pairs),
                share(lambda _, d: d.breakthrough, pairs),
            )
        )
    head = ("odds", "attacker's steps", "D", "R", "defender's steps", "D", "R", "breakthrough")
    return markdown(head, rows)


def artillery(charts: Charts) -> str:
    rows = []
    for points in (1, 2, 3, 4, 5, 6, 7, 9, 11, 13):
        cells = [
            _mean(charts.shifts(s, points, die + more) for die in DIE) for s in (GERMAN, SOVIET) for more in (0, 2)
        ]
        rows.append((points, *cells))
    return markdown(("points", "German", "German, Storm", "Soviet", "Soviet, Storm"), rows)


def air(charts: Charts) -> str:
    rows = []
    for state in (CLEAR, OVERCAST):
        more = charts.visibility[state].air or 0
        for ground in (FROZEN, MUD):
            german = [charts.german_missions(ground, die + more) for die in DIE]
            wanda = [charts.german_missions(ground, die + more + charts.constants.wanda_modifier) for die in DIE]
            fronts = [
                _mean(charts.soviet_missions(f, ground, die + more) for die in DIE)
                for f in charts.game.formations.fronts
            ]
            rows.append((VISIBILITIES[state], GROUNDS[ground], _mean(german), _mean(wanda), *fronts))
    return markdown(("visibility", "ground", "German", "under Wanda", "1st Ukrainian", "2nd Ukrainian"), rows)


def weather(charts: Charts) -> str:
    """Turns with the same chance of frost."""
    spans: list[tuple[int, int, float]] = []
    for t in charts.turns:
        chance = sum(charts.ground_of(die + t.ground) == FROZEN for die in DIE) / 6
        if spans and spans[-1][2] == chance:
            spans[-1] = (spans[-1][0], t.number, chance)
        else:
            spans.append((t.number, t.number, chance))
    rows = []
    for first, last, chance in spans:
        a, b = charts.turn(first).date[5:], charts.turn(last).date[5:]
        rows.append((f"{first}-{last}" if first != last else first, a if a == b else f"{a} to {b}", f"{chance:.0%}"))
    return markdown(("turns", "dates", "chance of frost"), rows)


def air_supply(charts: Charts) -> str:
    loss, drop = charts.korsun_loss, charts.air_drop
    rows = [
        ("Korsun airlift, points lost", _mean(loss.number(loss.clamp_row(d), "lost") for d in DIE)),
        ("the same in mud with three guns in range", _mean(loss.number(loss.clamp_row(d - 3), "lost") for d in DIE)),
        ("air-drop to an SDM, points", _mean(drop.number(d, "sdm") for d in DIE)),
        ("air-drop to a hex, units", _mean(drop.number(d, "hex") for d in DIE)),
    ]
    return markdown(("mission", "average"), rows)


def reach(charts: Charts) -> str:
    """Hexes a unit goes in a day along each kind of road and over clear land."""
    allowances = (5, 10, 12)
    rows = []
    for word in ("clear", "trail", "secondary", "primary", "secondary_strategic", "primary_strategic"):
        cells = []
        for cls in range(len(CLASSES)):
            for ground in (FROZEN, MUD):
                mud = charts.constants.mud_vehicle if cls else charts.constants.mud_foot
                ma = allowances[cls] - (mud if ground == MUD else 0)
                cells.append(ma * POINT // charts.terrain[word].cost[cls][ground])
        rows.append((word.replace("_", ", "), *cells))
    head = ["over"] + [f"{c} {g.lower()}" for c in CLASSES for g in GROUNDS]
    return markdown(head, rows)


def board(pack: Pack) -> str:
    ground = ground_of(pack, charts_of(pack))
    terrain = Counter(pack.map.terrain[h] for h in pack.map.grid.hexes)
    sides = {w: sum(len(members(s)) for s in pack.map.sides(w)[:3]) for w in ("stream", "river", "swamp", "lake")}
    links = {
        k: sum(len(members(s)) for s in pack.map.links(k)[:3]) for k in ("primary", "secondary", "trail", "railroad")
    }
    rows = [
        ("hexes in play", len(members(ground.playable))),
        *((f"{w} hexes", terrain[w]) for w in ("clear", "woods", "forest", "town", "dnepr")),
        ("villages", len(members(ground.village))),
        ("hilltops", len(members(ground.hilltop))),
        ("rail terminals", len(members(ground.terminals))),
        *((f"{w} hexsides", n) for w, n in sides.items()),
        *((f"{w}, steps", n) for w, n in links.items()),
        ("bridges", len(ground.bridges)),
        ("fordable hexsides", len(ground.fordable)),
    ]
    return markdown(("map", "number"), rows)


def counters(pack: Pack) -> str:
    forces = forces_of(pack, charts_of(pack))
    rows = [(role, *(len(forces.of_role[s][i]) for s in (GERMAN, SOVIET))) for i, role in enumerate(ROLES)]
    return markdown(("counters", *SIDES), rows)


def scenarios(pack: Pack) -> str:
    forces = forces_of(pack, charts_of(pack))
    found = sorted((read_scenario(pack, name) for name in pack.scenarios()), key=lambda s: s.number)
    rows = []
    for s in found:
        placed = [[p for p in s.setup if forces.side[p.unit] == side] for side in (GERMAN, SOVIET)]
        cells = [f"{len(x)} ({sum(p.steps for p in x)})" for x in placed]
        pocket = sum(p.steps for p in s.setup if forces.corps[p.unit] in charts_of(pack).game.formations.pocket_korps)
        arriving = sum(len(a.units) for a in s.arrivals)
        rows.append((s.title, f"{s.first_turn}-{s.last_turn}", *cells, pocket, arriving))
    head = (
        "scenario",
        "turns",
        "German units (steps)",
        "Soviet units (steps)",
        "steps of 11th and 42nd Korps",
        "arriving",
    )
    return markdown(head, rows)


def readings(charts: Charts) -> str:
    """Every switch: what is played, and what else may be chosen."""
    rows = []
    numbers = charts.game.numbers
    for key, s in sorted(charts.readings.switches.items(), key=lambda x: (_order(numbers[x[0]]), x[0])):
        rows.append((numbers[key], s.rule, key, s.values[0], ", ".join(s.values[1:]), s.about))
    return markdown(("reading", "rule", "switch", "played", "other choices", "what it decides"), rows)


def _order(reading: str) -> tuple[int, str]:
    return (0 if reading.startswith("Q") else 1 if reading == "undecided" else 2, reading)


def origin(pack: Pack) -> str:
    found = provenance_of(pack)
    every = statements(pack)
    rows = [(word, found[word]) for word in ("stated", "public", "reconstructed")]
    rows += [("statements in rules.csv", len(every)), ("of them notes", sum(bool(s.note) for s in every))]
    return markdown(("values", "number"), rows)


def report(pack: Pack) -> str:
    charts = charts_of(pack)
    parts = (
        ("Combat Results Table: one attack", combat(charts)),
        ("Artillery: average shifts", artillery(charts)),
        ("Combat air support: average missions", air(charts)),
        ("Ground", weather(charts)),
        ("Air supply", air_supply(charts)),
        ("Movement: hexes a day", reach(charts)),
        ("The map", board(pack)),
        ("Counters", counters(pack)),
        ("Scenarios", scenarios(pack)),
        ("Where the values come from", origin(pack)),
        ("Readings", readings(charts)),
    )
    return sections(parts)


if __name__ == "__main__":
    write("korsun44", report)
