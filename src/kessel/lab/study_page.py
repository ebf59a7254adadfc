"""The report of a study: a page with plots, and the same figures as Markdown for a page of the documentation."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from html import escape

from kessel.core.game import Game
from kessel.core.pack import Pack
from kessel.core.title import title
from kessel.lab.pack_statistics.pages import markdown
from kessel.lab.simulate import Result
from kessel.lab.study import BEGUN, Series, Study, counts, share
from kessel.render.fonts import font_faces
from kessel.render.style import side_ink
from kessel.report.charts import Curve, bars, curves
from kessel.report.course import Turn
from kessel.report.maps import SOLID, Front, Land, front_of
from kessel.report.page import CSS, short
from kessel.report.words import adjective, capital, people

INKS = ("#2b5a86", "#a8430f", "#3f7d3a", "#7a4b8c", "#8a6d1f", "#444444")
DASHES = ("", "9 4", "2 4", "12 4 2 4", "5 3")
"""Of the losses of each variant; their inks are those of the sides."""
MAPS = 6
"""So many maps of the front are drawn at most."""
FRONTS = """
.fronts { display: flex; flex-wrap: wrap; gap: 14px; } .fronts figure { margin: 0; flex: 0 1 calc(50% - 7px); }
.fronts svg.map { margin: 0; } figcaption { font-size: 15px; }
"""


def page_of_study(study: Study, series: Sequence[Series]) -> str:
    t = title(study.game)
    scenarios = {s.id: s.name for s in t.scenarios(Pack(study.game))}
    body = [f"<h1>{escape(study.title)}</h1>", f'<p class="under">{escape(t.name)}: a study</p>']
    body += [f'<p class="lead">{escape(x)}</p>' for x in study.about.strip().split("\n\n") if x]
    body.append(f"<p>{escape(_how(study, series))}</p>")
    shared = []
    for scenario in study.scenarios:
        some = [s for s in series if s.scenario == scenario]
        land = _land(study, scenario, some)
        shared.append(land.shared())
        body.append(f"<h2>{escape(scenarios[scenario])}</h2>")
        body += [_wins(study, some), _points(study, some), _losses(study, some), _events(study, some)]
        body += [_front(study, s, land, len(some) > 1) for s in some]
        body.append(_counts(study, some))
    main = "\n".join(x for x in body if x)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(study.title)}</title>'
        f"<style>{font_faces()}{CSS}{FRONTS}</style></head>\n<body>{''.join(shared)}<main>\n{main}\n</main></body></html>\n"
    )


def _how(study: Study, series: Sequence[Series]) -> str:
    games = sum(len(s.results) for s in series)
    sides = [title(study.game).sides[i] for i in title(study.game).played]
    who = " and ".join(f"{level} for {people(x)}" for level, x in zip(study.programs, sides, strict=True))
    ends = {study.seed + study.games_of(x) - 1 for x in study.scenarios}
    last = f"to {ends.pop()} of each series" if len(ends) == 1 else "on in each series"
    bad = [r for s in series for r in s.results if r.faults or r.mismatch or not r.finished]
    sound = "all were finished without a fault, and their records play the same" if not bad else _bad(bad)
    return f"{games} games were played by programs: {who}; seeds from {study.seed} {last}; {sound}."


def _bad(bad: Sequence[Result]) -> str:
    seeds = ", ".join(str(r.seed) for r in bad)
    return f"{len(bad)} had a fault, did not end or did not play the same again (seeds {seeds})"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    top = "".join(f"<th>{escape(h)}</th>" for h in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(c)}</td>" for c in row) + "</tr>" for row in rows)
    return f"<table><tr>{top}</tr>{body}</table>"


# --- who wins --------------------------------------------------------------------------------------------------------


def _winners(study: Study, s: Series) -> list[tuple[str, int]]:
    wins = Counter(r.winner or "draw" for r in s.results)
    return [(side, wins[side]) for side in (*title(study.game).sides, "draw") if side != "draw" or wins["draw"]]


def _wins(study: Study, some: Sequence[Series]) -> str:
    first = title(study.game).sides[0]
    shares = [share(dict(_winners(study, s)).get(first, 0), len(s.results)) for s in some]
    plot = bars(
        [s.variant.name for s in some],
        [(f"games won by {people(first)}, per cent", side_ink(first), [x[0] for x in shares])],
        title="Share of games won, with its 95 % interval",
        spans=[(x[1], x[2]) for x in shares],
        most=100.0,
        width=220 + 130 * len(some),
        height=230,
    )
    rows = []
    for s in some:
        won = ", ".join(f"{adjective(side)} {n}" for side, n in _winners(study, s))
        often = Counter(r.level for r in s.results).most_common()
        levels = ", ".join(f"{capital(k.replace('_', ' '))} {n}" for k, n in often)
        rows.append([s.variant.name, str(len(s.results)), won, levels])
    said = f"<p class='small'>The bar is the share of {people(first)}, in per cent; the line its 95 % interval.</p>"
    return "<h3>Who wins</h3>" + plot + said + _table(["variant", "games", "won", "levels"], rows)


# --- by turn ---------------------------------------------------------------------------------------------------------


def _by_turn(results: Sequence[Result], value: Callable[[Turn], float]) -> dict[int, list[float]]:
    found: dict[int, list[float]] = {}
    for r in results:
        for t in r.turns:
            found.setdefault(t.turn, []).append(value(t))
    return dict(sorted(found.items()))


def quartiles(values: Sequence[float]) -> tuple[float, float, float]:
    if len(values) < 2:
        return values[0], values[0], values[0]
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, middle, high


def _ticks(some: Sequence[Series]) -> tuple[list[int], list[str]]:
    names = {t.turn: short(t.name) for s in some for r in s.results for t in r.turns}
    turns = sorted(names)
    return turns, [names[n] for n in turns]


def _points(study: Study, some: Sequence[Series]) -> str:
    sides = title(study.game).sides
    turns, ticks = _ticks(some)
    lines = []
    for i, s in enumerate(some):
        found = _by_turn(s.results, lambda t: t.points)
        q = [quartiles(found[n]) if n in found else None for n in turns]
        low, middle, high = ([x[k] if x else None for x in q] for k in range(3))
        lines.append(Curve(s.variant.name, INKS[i % len(INKS)], middle, low, high))
    said = (
        f"points of {people(sides[0])}, less those of {people(sides[1])}: the median, and the middle half of all games"
    )
    return f"<h3>Victory points by turn</h3><p class='small'>{said}</p>" + curves(ticks, lines, title="Points by turn")


def _losses(study: Study, some: Sequence[Series]) -> str:
    turns, ticks = _ticks(some)
    lines = []
    for i, s in enumerate(some):
        for k, side in enumerate(title(study.game).sides):
            found = _by_turn(s.results, lambda t, k=k: float(t.lost[k]))  # type: ignore[misc]
            mean = [statistics.fmean(found[n]) if n in found else None for n in turns]
            name = adjective(side) if len(some) == 1 else f"{adjective(side)}, {s.variant.name}"
            lines.append(Curve(name, side_ink(side), mean, dash=DASHES[min(i, len(DASHES) - 1)]))
    plot = curves(ticks, lines, title="Steps lost")
    return "<h3>Losses</h3><p class='small'>Steps lost since the beginning, the mean of all games.</p>" + plot


# --- events ----------------------------------------------------------------------------------------------------------


def _events(study: Study, some: Sequence[Series]) -> str:
    if not study.event:
        return ""
    parts = ["<h3>Dates</h3><p class='small'>In per cent of the games, by turn; the date of history in brackets.</p>"]
    turns, ticks = _ticks(some)
    for e in study.event:
        rows = [
            (s.variant.name, INKS[i % len(INKS)], [100 * s.dates[e.name].count(n) / len(s.results) for n in turns])
            for i, s in enumerate(some)
        ]
        history = f" In history: {ticks[turns.index(e.history)]}." if e.history in turns else ""
        often = [(s.variant.name, sum(n > 0 for n in s.dates[e.name]), len(s.results)) for s in some]
        seen = "; ".join(f"{name + ': ' if len(some) > 1 else ''}in {n} of {of} games" for name, n, of in often)
        parts.append(f"<p><b>{escape(e.name)}</b>, {escape(seen)}.{escape(history)}</p>")
        if any(n for _, n, _ in often):
            marked = [f"({x})" if n == e.history else x for n, x in zip(turns, ticks, strict=True)]
            parts.append(bars(marked, rows, title=e.name, height=190))
    return "".join(parts)


# --- the front -------------------------------------------------------------------------------------------------------


def _front_of(s: Series, turn: int) -> Front:
    """The hexes that are nearer to a side in half of the games and more."""
    fronts = [front_of(t) for r in s.results for t in r.turns if t.turn == turn]
    often = [Counter(h for f in fronts for h in f[i]) for i in (0, 1)]
    ours, theirs = (frozenset(h for h, n in some.items() if 2 * n >= len(fronts)) for some in often)
    return ours, theirs - ours


def _land(study: Study, scenario: str, some: Sequence[Series]) -> Land:
    """What is fought over: the hexes that change sides, with what is around. A scenario may have its own map."""
    map = Game.new(study.game, scenario, seed=0).board.map
    fronts = [front_of(t) for s in some for r in s.results for t in r.turns]
    both = frozenset().union(*(f[0] for f in fronts)) & frozenset().union(*(f[1] for f in fronts))
    return Land(map, map.grid.names(sorted(both)) or map.grid.names(list(map.grid.hexes)), f"land-{scenario}")


def _front(study: Study, s: Series, land: Land, several: bool) -> str:
    """The front at the end of some turns, the last among them: a small map each, with the land of both sides."""
    turns, ticks = _ticks([s])
    step = max(1, -(-len(turns) // MAPS))
    inks = [side_ink(x) for x in title(study.game).sides]
    pictures = []
    for turn in turns[::-1][::step][::-1]:
        front, name = _front_of(s, turn), ticks[turns.index(turn)]
        body = [*(land.tint(*x) for x in zip(front, inks, strict=True)), land.front(front, SOLID)]
        pictures.append(f"<figure>{land.picture(body, name)}<figcaption>{escape(name)}</figcaption></figure>")
    head = f"The front by turn{': ' + s.variant.name if several else ''}"
    said = "Which side was nearer in half of the games and more, when the turn was over."
    return f"<h3>{escape(head)}</h3><p class='small'>{said}</p><div class='fronts'>{''.join(pictures)}</div>"


def _counts(study: Study, some: Sequence[Series]) -> str:
    if not study.count:
        return ""
    found = [counts(study, s.results) for s in some]
    rows = [[c.name, *(f"{x[c.name]:.1f}" for x in found)] for c in study.count]
    return "<h3>What a game sees on average</h3>" + _table(["", *(s.variant.name for s in some)], rows)


# --- the same as Markdown --------------------------------------------------------------------------------------------


def figures(study: Study, series: Sequence[Series]) -> str:
    """For a page of the documentation, between its marks."""
    t = title(study.game)
    said = [_how(study, series)]
    many = len(study.variants) > 1
    rows = []
    for s in series:
        won = dict(_winners(study, s))
        first = share(won.get(t.sides[0], 0), len(s.results))
        name = f"{s.scenario}, {s.variant.name}" if many else s.scenario
        cells = [str(won.get(side, 0)) for side in (*t.sides, "draw")]
        ends = [r.turns[-1].points for r in s.results]
        spread = ", ".join(f"{x:g}" for x in (min(ends), *quartiles(ends), max(ends)))
        rows.append([name, len(s.results), *cells, f"{first[1]:.0f} to {first[2]:.0f} %", spread, _last_turns(s)])
    head = ["scenario", "games", *(adjective(x) for x in t.sides), "draw", f"{adjective(t.sides[0])} share, 95 %"]
    said.append(markdown([*head, "points at the end: least, quartiles, most", "ended"], rows))
    for s in series:
        name = f"{s.scenario}, {s.variant.name}" if many else s.scenario
        ahead = f"points of {people(t.sides[0])} less those of {people(t.sides[1])}"
        said.append(f"{name}: {ahead}, and steps lost on average, when a turn was over.")
        said.append(_turn_table(study, s))
    turns = {t.turn: short(t.name) for s in series for r in s.results for t in r.turns}
    dated = [
        [e.name, turns.get(e.history, e.history or ""), *(_dates(s.dates[e.name], turns) for s in series)]
        for e in study.event
    ]
    if dated:
        said.append(markdown(["event", "in history", *(s.scenario for s in series)], dated))
    if study.count:
        found = [counts(study, s.results) for s in series]
        names = [f"{s.scenario}, a game" for s in series]
        said.append(markdown(["what", *names], [[c.name, *(f"{x[c.name]:.1f}" for x in found)] for c in study.count]))
    return "\n\n".join(said) + "\n"


def _last_turns(s: Series) -> str:
    often = Counter((r.turns[-1].turn, r.turns[-1].name) for r in s.results)
    if len(often) == 1:
        return f"always {short(next(iter(often))[1])}"
    return ", ".join(f"{short(name)} {n}" for (_, name), n in sorted(often.items()))


def _turn_table(study: Study, s: Series) -> str:
    points = _by_turn(s.results, lambda t: t.points)
    lost = [_by_turn(s.results, lambda t, k=k: float(t.lost[k])) for k in (0, 1)]  # type: ignore[misc]
    names = {t.turn: t.name for r in s.results for t in r.turns}
    rows = []
    for turn, values in points.items():
        low, middle, high = quartiles(values)
        spread = [f"{x:g}" for x in (min(values), low, middle, high, max(values))]
        rows.append([names[turn], len(values), *spread, *(f"{statistics.fmean(x[turn]):.1f}" for x in lost)])
    sides = [f"{adjective(x)} steps lost" for x in title(study.game).sides]
    return markdown(["turn", "games", "least", "lower quarter", "median", "upper quarter", "most", *sides], rows)


def _dates(found: Sequence[int], names: Mapping[int, str]) -> str:
    """
    >>> _dates([5, 5, 6, 0], {5: "Sep 2 AM", 6: "Sep 2 PM"})
    'Sep 2 AM in 2, Sep 2 PM in 1, never in 1 of 4'
    """
    often = Counter(found)
    if often[BEGUN] == len(found):
        return "so from the beginning"
    said = [f"{names.get(n, 'from the beginning')} in {often[n]}" for n in sorted(often) if n]
    never = [f"never in {often[0]}"] if often[0] else []
    return ", ".join([*said, *never]) + f" of {len(found)}"
