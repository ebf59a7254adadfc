"""The after-action report: one HTML page that needs nothing but itself.

Path("game.html").write_text(report(game))
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from kessel.core.game import Game
from kessel.core.view import Piece
from kessel.render.fonts import font_faces
from kessel.render.style import side_ink
from kessel.report.charts import Curve, bars, curves
from kessel.report.maps import Maps
from kessel.report.story import Fight, Part, Story, story
from kessel.report.words import Writer, adjective, capital, counted, formation, number, people

DECISIVE = 6

LEGEND = (
    "Arrows are marches of two hexes and more in the turn, stars the hexes fought over. The line is where both sides "
    "come equally near when the turn is over, the dashed one where they did when it began. A number on a counter says "
    "how many lie there."
)
HOW_LUCK_IS_COUNTED = (
    "Luck is what came of the dice, less what comes of them on average: each throw was compared with everything that "
    "could have come of it. It is counted in steps; a check, or a position lost, counts for half a step. What is good "
    "luck for one side is bad luck for the other."
)
FIGHTS = "The small maps show who stood there when the turn was over, and with a star the hex that was attacked."
CSS = """
body { margin: 0; background: #efe8d6; color: #2f2a24; font: 17px/1.55 Georgia, 'Times New Roman', serif; }
main { max-width: 1060px; margin: 0 auto; padding: 34px 26px 80px; background: #fbf8f0; box-shadow: 0 0 24px #0002; }
h1 { font-size: 38px; line-height: 1.15; margin: 0 0 4px; } h2 { font-size: 25px; margin: 44px 0 10px; }
h3 { font-size: 19px; margin: 24px 0 4px; } p { margin: 8px 0; max-width: 46em; }
.under { color: #6b6350; margin: 0 0 18px; } .lead { font-size: 20px; line-height: 1.5; }
svg.map { display: block; width: 100%; height: auto; max-height: 1500px; }
svg.map { background: #f6f1e3; border: 1px solid #c9bfa6; margin: 12px 0; }
svg.close { width: 300px; height: 300px; flex: none; border: 1px solid #c9bfa6; background: #f6f1e3; }
svg.plot { display: block; width: 100%; max-width: 820px; height: auto; margin: 8px 0 18px; }
@media (max-width: 600px) { main { overflow-x: auto; } svg.plot { min-width: 560px; } }
svg.shared { position: absolute; } .fight { display: flex; gap: 20px; align-items: flex-start; margin: 18px 0; }
.fight h3 { margin-top: 0; } .small { font-size: 14.5px; color: #57503f; }
table { border-collapse: collapse; font-size: 15px; margin: 10px 0 18px; }
th, td { text-align: left; padding: 4px 16px 4px 0; border-bottom: 1px solid #ded5bf; vertical-align: top; }
th { font-weight: 600; color: #57503f; } td.n, th.n { text-align: right; }
.sides { display: flex; gap: 40px; flex-wrap: wrap; } .sides > div { flex: 1 1 420px; }
nav { font-size: 15px; } nav a { margin-right: 14px; color: #6b3d12; }
@media print { body { background: #fff } main { box-shadow: none } .turn { break-inside: avoid } }
"""


def report(game: Game) -> str:
    return page_of(story(game))


def page_of(s: Story) -> str:
    game = s.game
    w, maps = Writer(s), Maps(s)
    scenario = game.title.scenario(game.pack, game.scenario)
    turns = _turns(s, w, maps)
    body = [
        f"<h1>{escape(scenario.name)}</h1>",
        f'<p class="under">{escape(game.title.name)}: an after-action report</p>',
        f'<p class="lead">{" ".join(map(escape, w.lead(game.outcome())))}</p>',
        _contents(s),
        _points(s),
        _decisive(s, w, maps),
        '<h2 id="turns">Turn by turn</h2>',
        f'<p class="small">{LEGEND}</p>',
        *turns,
        _luck(s, w),
        _forces(s),
        f'<p class="small">{_made_of(game)}</p>',
    ]
    head = f"<title>{escape(scenario.name)}: after-action report</title>"
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">{head}'
        f'<meta name="viewport" content="width=device-width"><style>{font_faces()}{CSS}</style></head>\n'
        f"<body>{maps.shared()}<main>\n" + "\n".join(body) + "\n</main></body></html>\n"
    )


def _contents(s: Story) -> str:
    links = [("points", "The score"), ("decisive", "Decisive fights"), ("turns", "Turn by turn"), ("luck", "Luck")]
    links.append(("forces", "Order of battle"))
    return "<nav>" + "".join(f'<a href="#{a}">{b}</a>' for a, b in links) + "</nav>"


def short(name: str) -> str:
    """The name of a turn, short enough for an axis."""
    name = name.partition(" (")[0]
    return name.rpartition(", ")[2] if len(name) > 12 else name


def _points(s: Story) -> str:
    t = s.game.title
    ticks = ["begin", *(short(p.row.name) for p in s.parts)]
    values = [s.first.points, *(p.row.points for p in s.parts)]
    lost = [
        (f"{adjective(x)} steps lost in the turn", side_ink(x), [0.0, *(float(p.lost[i]) for p in s.parts)])
        for i, x in enumerate(t.sides)
    ]
    ahead = f"points of {people(t.sides[0])}, less those of {people(t.sides[1])}"
    return (
        '<h2 id="points">The score</h2>'
        + curves(ticks, [Curve(ahead, side_ink(t.sides[0]), values)], title="Victory points by turn")
        + bars(ticks[1:], [(n, ink, row[1:]) for n, ink, row in lost], title="Steps lost by turn")
    )


def _decisive(s: Story, w: Writer, maps: Maps) -> str:
    of = {id(f): part for part in s.parts for f in part.fights}
    some = s.decisive(DECISIVE)
    if not some:
        return '<h2 id="decisive">Decisive fights</h2><p>There was none.</p>'
    parts = [_fight(f, of[id(f)], w, maps) for f in some]
    return f'<h2 id="decisive">Decisive fights</h2><p class="small">{FIGHTS}</p>' + "".join(parts)


def _fight(f: Fight, part: Part, w: Writer, maps: Maps) -> str:
    return (
        f'<div class="fight">{maps.fight(f, part)}<div><h3>{escape(capital(w.where(f)))}, {escape(w.when(part))}</h3>'
        f"<p>{escape(w.fight(f))}</p>{_falls(f)}</div></div>"
    )


def _falls(f: Fight) -> str:
    """What could have come of the attack's throw, and how likely that was; not where chits by the dozen are drawn."""
    own = [(x, x.fell) for x in f.throws if x.fell is not None and x.fell.side == f.side]
    if len(own) != 1:
        return ""
    throw, fell = own[0]
    best = sorted(throw.falls, key=lambda x: -x[1].worth)
    said = []
    for p, fall in best[:9]:
        text = f"{round(100 * p) or 'under 1'} %: {fall.result}"
        said.append(f"<b>{escape(text)}</b>" if fall.result == fell.result else escape(text))
    if len(best) > 9:
        said.append("and others, worse for the attackers")
    return (
        f'<p class="small">{"What could come" if len(f.throws) == 1 else "What the attack could bring"}'
        ", the best for the attackers first:</p>"
        f'<ul class="small">{"".join(f"<li>{text}</li>" for text in said)}</ul>'
    )


def _turns(s: Story, w: Writer, maps: Maps) -> list[str]:
    found = []
    before: Part | None = None
    front = s.first
    for part in s.parts:
        said = " ".join(w.turn(part, before))
        picture = maps.turn(part, front, part.row.name)
        others = [f for f in sorted(part.fights, key=lambda f: -f.weight)[:3] if f.weight > 1]
        fights = "".join(f'<li class="small">{escape(w.fight(f, brief=True))}</li>' for f in others)
        found.append(
            f'<section class="turn"><h3>{escape(part.row.name)}</h3><p>{_safe(said)}</p>{picture}'
            + (f"<ul>{fights}</ul>" if fights else "")
            + "</section>"
        )
        before, front = part, part.row
    return found


def _safe(said: str) -> str:
    return escape(said).replace("&lt;b&gt;", "<b>").replace("&lt;/b&gt;", "</b>")


# --- luck ------------------------------------------------------------------------------------------------------------


def _luck(s: Story, w: Writer) -> str:
    head = '<h2 id="luck">Luck</h2>'
    if not s.luck.counted:
        return f"{head}<p>{escape(w.luck_said())}</p>"
    plain = len(s.luck) - len(s.luck.counted)
    unread = f" {capital(counted(plain, 'throw'))} (weather, cards and the like) belong to nobody." if plain else ""
    return (
        f"{head}<p>{escape(w.luck_said())}</p><p>{HOW_LUCK_IS_COUNTED}{unread}</p>"
        + _luck_table(s)
        + _luck_curve(s)
        + "<h3>The throws that mattered most</h3>"
        + _extremes(s)
    )


def _luck_table(s: Story) -> str:
    """What could be expected, what came, and what the difference was worth to the first side."""
    sides, sums = s.game.title.sides, s.luck.sums()
    mine = sums[0]
    rows: list[tuple[str, Sequence[str]]] = []
    for i, (side, x) in enumerate(zip(sides, sums, strict=True)):
        better = float(x.expected_hits - x.hits) * (1 if i == 0 else -1)
        rows.append((f"Hits on {people(side)}", [f"{float(x.expected_hits):.1f}", str(x.hits), f"{better:+.1f}"]))
    for i, (side, x) in enumerate(zip(sides, sums, strict=True)):
        if not x.checks:
            continue
        better = float(x.good_checks - x.expected_checks) * (1 if i == 0 else -1)
        worth = [f"{float(v):.1f}" for v in (x.expected_checks, x.good_checks)]
        rows.append((f"{capital(counted(x.checks, 'check'))} of {people(side)}, in steps", [*worth, f"{better:+.1f}"]))
    named = sum(float(cells[-1]) for _, cells in rows)
    rest = float(mine.luck) - named
    if abs(rest) > 0.25:
        rows.append(("Ground, retreats and order, in steps", ["", "", f"{rest:+.1f}"]))
    rows.append(("Together", ["", "", f"{float(mine.luck):+.1f}"]))
    fights = " and ".join(f"{people(side)} {x.fights}" for side, x in zip(sides, sums, strict=True))
    head = ["", "expected", "came", f"luck of {people(sides[0])}"]
    return f'<p class="small">Throws for fights: {escape(fights)}.</p>' + _table(head, rows)


def _table(head: Sequence[str], rows: Iterable[tuple[str, Sequence[str]]], words: int = 1) -> str:
    """The first columns have words, the others numbers."""

    def row(tag: str, cells: Sequence[str]) -> str:
        kind = ["" if i < words else ' class="n"' for i in range(len(cells))]
        return "<tr>" + "".join(f"<{tag}{k}>{escape(c)}</{tag}>" for k, c in zip(kind, cells, strict=True)) + "</tr>"

    return f"<table>{row('th', head)}{''.join(row('td', [name, *cells]) for name, cells in rows)}</table>"


def _luck_curve(s: Story) -> str:
    """The luck of the first side as it added up, by turn."""
    t = s.game.title
    ends = [p.row.actions for p in s.parts]
    sums = [0.0] * (len(ends) + 1)
    for throw in s.luck.counted:
        at = next((i for i, n in enumerate(ends) if throw.entry <= n), len(ends) - 1)
        mine = throw.fell is not None and throw.fell.side == 0
        sums[at + 1] += float(throw.luck if mine else -throw.luck)
    added = [sum(sums[: i + 1]) for i in range(len(sums))]
    name = f"luck of {people(t.sides[0])} so far, in steps"
    ticks = ["begin", *(short(p.row.name) for p in s.parts)]
    return curves(ticks, [Curve(name, side_ink(t.sides[0]), added)], title="Luck by turn", height=210)


def _extremes(s: Story) -> str:
    t = s.game.title
    some = sorted(s.luck.counted, key=lambda x: -abs(x.luck))[:8]
    rows = []
    for throw in some:
        fell = throw.fell
        assert fell is not None
        part = next((p for p in s.parts if throw.entry <= p.row.actions), s.parts[-1])
        cells = [
            adjective(t.sides[fell.side]),
            fell.result,
            f"{float(100 * throw.chance):.0f} %",
            f"{float(throw.luck):+.1f}",
        ]
        rows.append((f"{short(part.row.name)}: {fell.about}", cells))
    return _table(["throw", "of", "result", "chance", "luck"], rows, words=3)


# --- order of battle -------------------------------------------------------------------------------------------------


def _forces(s: Story) -> str:
    sides = "".join(_forces_of(s, side) for side in s.game.title.sides)
    return f'<h2 id="forces">Order of battle and losses</h2><div class="sides">{sides}</div>'


def _forces_of(s: Story, side: str) -> str:
    """The formations of a side, those that lost most first."""
    begun = [p for p in s.begun if p.side == side]
    came = {p.id: p for part in s.parts for p in part.arrived if p.side == side}
    rows = _by_formation((came | {p.id: p for p in begun}).values())
    lost = {name: sum(s.lost.get(p.id, 0) for p in some) for name, some in rows.items()}
    body = []
    for name, some in sorted(rows.items(), key=lambda x: -lost[x[0]]):
        if not lost[name]:
            continue
        whose = f", {_formation(name, some)}"
        dead = "; ".join((p.name or p.id).removesuffix(whose) for p in some if p.id in s.dead)
        cells = f'<td class="n">{len(some)}</td><td class="n">{lost[name]}</td><td>{escape(dead)}</td>'
        body.append(f"<tr><td>{escape(_formation(name, some))}</td>{cells}</tr>")
    whole = [f"{_formation(name, some)} ({len(some)})" for name, some in rows.items() if not lost[name]]
    unhurt = f'<p class="small">Without losses (units): {escape("; ".join(whole))}.</p>' if whole else ""
    later = len(came.keys() - {p.id for p in begun})
    fresh = f"; {number(later)} more came later" if later else ""
    strength = (
        f"{capital(counted(len(begun), 'unit'))} with {sum(p.steps for p in begun)} steps at the beginning{fresh}."
    )
    heads = '<th>formation</th><th class="n">units</th><th class="n">steps lost</th><th>destroyed</th>'
    return (
        f'<div><h3>{escape(capital(people(side)))}</h3><p class="small">{strength}</p>'
        + (f"<table><tr>{heads}</tr>{''.join(body)}</table>" if body else "")
        + f"{unhurt}</div>"
    )


def _by_formation(pieces: Iterable[Piece]) -> dict[str, list[Piece]]:
    """Who belongs together: where all names of a formation end with that of a larger one, they are part of it."""
    rows: dict[str, list[Piece]] = {}
    for p in pieces:
        if p.kind != "supply":
            rows.setdefault(p.formation.split()[0] if p.formation else "others", []).append(p)
    named = {formation(code): code for code in rows}
    for code, some in list(rows.items()):
        ends = {p.name.partition(", ")[2] for p in some}
        above = ends.pop() if len(ends) == 1 else ""
        if above and named.get(above, above) != code:
            del rows[code]
            rows.setdefault(named.get(above, above), []).extend(some)
    return rows


def _formation(code: str, units: Sequence[Piece]) -> str:
    """Spelled out; one of a single unit has its name."""
    return (units[0].name or code) if len(units) == 1 else formation(code)


def _made_of(game: Game) -> str:
    head = game.record.header
    return escape(
        f"Made from the record of {head.game}/{head.scenario}: {len(game.entries)} actions, data {head.pack}, dice "
        f"committed to {head.commitment[:16]}."
    )
