"""What the arena found, as a page with plots and as the ladder in docs/opponents.md."""

from __future__ import annotations

import statistics
from collections import Counter
from dataclasses import dataclass
from html import escape
from pathlib import Path

from kessel.core.title import title
from kessel.lab.arena.matches import Match, Played
from kessel.lab.arena.plots import histogram, intervals
from kessel.lab.arena.ratings import Ratings, rate
from kessel.lab.arena.series import kept_games, kept_pairs, margins_by_side, margins_of_pairs, mean_and_error
from kessel.lab.arena.store import Store

BEGIN, END = "<!-- ladder -->", "<!-- end of ladder -->"


@dataclass(slots=True)
class Found:
    """All a report needs."""

    kept: list[tuple[Match, Played]]
    reference: str
    whole: Ratings
    by_scenario: dict[str, Ratings]
    faults: int


def find(store: Store, of: dict[str, str] | None, reference: str, draws: int = 200) -> Found:
    kept = kept_games(store, of)
    groups = kept_pairs(kept)
    by_scenario = {}
    for where in sorted({m.where for m, _ in kept}):
        some = kept_pairs([(m, p) for m, p in kept if m.where == where])
        by_scenario[where] = rate(some, reference, draws=draws)
    faults = sum(p.ended != "rules" for _, p in store.games(of))
    return Found(kept, reference, rate(groups, reference, draws=draws), by_scenario, faults)


def speeds(kept: list[tuple[Match, Played]]) -> dict[tuple[str, str], tuple[float, float, float]]:
    """By program and game: CPU seconds of a turn, median, 95th of a hundred, most."""
    found: dict[tuple[str, str], list[float]] = {}
    for m, p in kept:
        for who, turns in zip(m.players, p.cpu, strict=True):
            found.setdefault((who, m.game), []).extend(turns)
    return {k: (statistics.median(v), sorted(v)[int(0.95 * (len(v) - 1))], max(v)) for k, v in found.items() if v}


def tables(found: Found) -> list[tuple[str, list[str], list[list[str]]]]:
    """The figures: heading, columns, rows."""
    games = Counter(x for m, _ in found.kept for x in set(m.players))
    ladder = [
        [p, f"{r.elo:+.0f}", f"{r.low:+.0f} to {r.high:+.0f}", str(games[p])] for p, r in found.whole.players.items()
    ]
    sides = []
    for where, r in found.whole.advantages.items():
        t = title(where.partition("/")[0])
        sides.append([where, t.sides[t.played[0]], f"{r.elo:+.0f}", f"{r.low:+.0f} to {r.high:+.0f}"])
    margins = []
    for player in found.whole.players:
        for (where, side), values in sorted(margins_by_side(found.kept, player, found.reference).items()):
            mean, error = mean_and_error(values)
            name = title(where.partition("/")[0]).sides[side]
            margins.append([player, where, name, f"{mean:+.1f}", f"{error:.1f}", str(len(values))])
    pairs = []
    for (a, b, where), values in sorted(margins_of_pairs(found.kept).items()):
        mean, error = mean_and_error(values)
        pairs.append([a, b, where, f"{mean:+.1f}", f"{error:.1f}", str(len(values))])
    times = [[*key, *(f"{x:.2f}" for x in three)] for key, three in sorted(speeds(found.kept).items())]
    rest = [
        [a, b, where or "solitaire", f"{score:.2f}", f"{wanted:.2f}", str(n)]
        for (a, b, where), (score, wanted, n) in sorted(found.whole.residuals.items())
    ]
    return [
        ("Ladder", ["program", "Elo", "95 %", "games"], ladder),
        ("What the first side has in advance", ["scenario", "side", "Elo", "95 %"], sides),
        (
            "Victory Points better on the same side, same seeds",
            ["program", "against", "scenario", "mean", "error", "pairs"],
            pairs,
        ),
        (
            f"Victory Points better than {found.reference} in its place, same seeds",
            ["program", "scenario", "side", "mean", "error", "games"],
            margins,
        ),
        ("CPU seconds a turn", ["program", "game", "median", "95 of 100", "most"], times),
        ("Scores and what the ratings expect", ["program", "against", "scenario", "score", "expected", "games"], rest),
    ]


def markdown(found: Found) -> str:
    out = []
    for heading, columns, rows in tables(found):
        if rows:
            out += [f"### {heading}", "", f"| {' | '.join(columns)} |", f"| {' | '.join('---' for _ in columns)} |"]
            out += [f"| {' | '.join(row)} |" for row in rows]
            out.append("")
    return "\n".join(out)


def put_into(path: Path, text: str) -> None:
    """Put the ladder between its marks in a document; the rest stays."""
    old = path.read_text() if path.exists() else f"{BEGIN}\n{END}\n"
    head, _, rest = old.partition(BEGIN)
    _, _, tail = rest.partition(END)
    path.write_text(f"{head}{BEGIN}\n{text}\n{END}{tail}")


STYLE = (
    "body{font-family:sans-serif;max-width:60rem;margin:2rem auto;color:#22303c;padding:0 1rem}"
    "table{border-collapse:collapse;margin:.5rem 0 1.5rem}td,th{padding:.2rem .8rem .2rem 0;text-align:left}"
    "th{border-bottom:1px solid #888}svg{max-width:100%;height:auto}"
)


def page(found: Found) -> str:
    """The report as one page of HTML."""
    parts = [f"<p>{len(found.kept)} games; {found.faults} ended by a fault or the limit of steps and do not count.</p>"]
    parts += _plots(found)
    for heading, columns, rows in tables(found):
        if rows:
            head = "".join(f"<th>{escape(c)}</th>" for c in columns)
            body = "".join("<tr>" + "".join(f"<td>{escape(x)}</td>" for x in row) + "</tr>" for row in rows)
            parts.append(f"<h2>{escape(heading)}</h2><table><tr>{head}</tr>{body}</table>")
    head = f"<!doctype html><html lang='en'><meta charset='utf-8'><title>Arena</title><style>{STYLE}</style>"
    return f"{head}<h1>Arena</h1>{''.join(parts)}</html>\n"


def _plots(found: Found) -> list[str]:
    out = []
    if found.whole.players:
        rows = [(p, r.elo, r.low, r.high) for p, r in found.whole.players.items()]
        out.append(f"<h2>Ratings</h2>{intervals(rows, 'Ratings in Elo')}")
    for where, ratings in found.by_scenario.items():
        rows = [(p, r.elo, r.low, r.high) for p, r in ratings.players.items()]
        out.append(f"<h3>{escape(where)}</h3>{intervals(rows, f'Ratings in {where}')}")
    sides = [(w, r.elo, r.low, r.high) for w, r in found.whole.advantages.items()]
    if sides:
        out.append(f"<h2>What the first side has in advance</h2>{intervals(sides, 'Advantage of the first side')}")
    for where in found.by_scenario:
        t = title(where.partition("/")[0])
        margins = [p.margin for m, p in found.kept if m.where == where]
        name = f"Victory Points of {t.sides[t.played[0]]} beyond the other side's, {where}"
        out.append(f"<h3>{escape(name)}</h3>{histogram(margins, name)}")
    return out
