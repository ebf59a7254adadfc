"""Small boards and positions for rule tests: axial hexes around 0,0, clear but for what is said."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from kessel.core.breakdown import Refusal
from kessel.core.dice import Scripted
from kessel.core.game import Game
from kessel.core.pack import Pack
from kessel.core.procedure import Procedure, apply, legal, run, why_not
from kessel.core.terrain import BoardDoc, Map
from kessel.games.bug41.board import STATUS, Board
from kessel.games.bug41.data.charts import Charts
from kessel.games.bug41.data.forces import GERMAN, SIDES, SOVIET, Counter, Forces
from kessel.games.bug41.data.scenario import read_scenario
from kessel.games.bug41.notation import NOTATION
from kessel.games.bug41.turn.activation import Activation

PACK = Pack("bug41")
CHARTS = PACK.once(Charts)
RADIUS = 6
CORNERS = (f"{-RADIUS},0", f"{RADIUS},0")
"""Where the HQs of both sides stand unless told otherwise, beside their supply."""
ON_WHEELS = ("motorized_infantry", "motorized_engineer", "anti_tank", "afv")
PLAIN = {GERMAN: {"effectiveness": 6, "ma": 6, "strength": 8}, SOVIET: {"effectiveness": 5, "ma": 5, "strength": 7}}


class Placed(NamedTuple):
    counter: Counter
    at: str
    status: str = ""
    steps: int = 0
    under: str = ""


def board(
    *,
    terrain: dict[str, str] | None = None,
    pillboxes: Sequence[str] = (),
    sides: dict[str, str] | None = None,
    roads: Sequence[tuple[str, ...]] = (),
    areas: dict[str, str] | None = None,
    radius: int = RADIUS,
) -> Map:
    """`roads` are (kind, path) or (kind, path, feature)."""
    span = range(-radius, radius + 1)
    hexes: dict[str, dict[str, Any]] = {f"{q},{r}": {} for q in span for r in span if abs(q + r) <= radius}
    for name, word in (terrain or {}).items():
        hexes[name]["terrain"] = word
    for name in pillboxes:
        hexes[name]["features"] = ["pillbox"]
    doc = {
        "grid": {"numbering": "axial"},
        "hexes": hexes,
        "hexsides": {k: [v] for k, v in (sides or {}).items()},
        "links": [{"kind": kind, "path": path, "features": list(more)} for kind, path, *more in roads],
        "areas": {"german_supply": f"{-radius},0", "north_soviet_supply": f"{radius},0", **(areas or {})},
    }
    return Map(msgspec.convert(doc, BoardDoc))


def unit(side: int, id: str, at: str, formation: str, type: str, **more: Any) -> Placed:
    """`guns` are its AT Points, or Tank Points like `tank`."""
    state = {key: more.pop(key) for key in ("status", "steps", "under") if key in more}
    size = "company" if type == "afv" else "battalion"
    numbers = {**PLAIN[side], "tank" if type == "afv" else "at": more.pop("guns", 1), **more}
    return Placed(Counter(id, side, formation, type, size, type in ON_WHEELS, id, **numbers), at, **state)


def ger(id: str, at: str, type: str = "infantry", formation: str = "298ID", **more: Any) -> Placed:
    return unit(GERMAN, id, at, formation, type, **more)


def sov(id: str, at: str, type: str = "infantry", formation: str = "215MD", **more: Any) -> Placed:
    return unit(SOVIET, id, at, formation, type, **more)


def hq(id: str, at: str, formation: str, status: str = "", **more: Any) -> Placed:
    side = SIDES.index(CHARTS.formations[formation].side)
    numbers = {"reaction": 6 if side == GERMAN else 5, "relocation": 4, "range": 20, "support": 3, **more}
    return Placed(Counter(id, side, formation, "hq", "division", False, id, **numbers), at, status)


def pos(
    *units: Placed,
    on: Map | None = None,
    turn: int = 2,
    scenario: str = "campaign",
    levels: dict[str, int] | None = None,
    **options: str,
) -> Board:
    """A board with these units; a formation without an HQ among them gets one in the corner of its side."""
    placed = list(units)
    for f in dict.fromkeys(p.counter.formation for p in units):
        if not any(p.counter.formation == f and p.counter.type == "hq" for p in units):
            placed.append(hq(f"HQ-{f}", CORNERS[SIDES.index(CHARTS.formations[f].side)], f))
    forces = Forces([p.counter for p in placed], CHARTS)
    g = Board(on or board(), forces, CHARTS, read_scenario(PACK, scenario), options)
    g.set_track("turn", turn)
    for n, p in enumerate(placed):
        g.steps[n] = p.steps or p.counter.strength
        if p.at:
            g.enter(n, g.map.grid.hex(p.at))
        for word in p.status.split():
            g.set_status(n, STATUS[word])
        if p.under:
            g.assign(n, forces.commands.index(p.under))
    for f, name in enumerate(forces.commands):
        g.levels[f] = (levels or {}).get(name, 4)
    g.events = []
    return g


def f(g: Board, formation: str) -> int:
    return g.forces.commands.index(formation)


def act(g: Board, formation: str = "298ID", points: int = 7, **more: Any) -> Board:
    """In the middle of an activation, with so many Action Points."""
    side, n = g.forces.side_of_command[f(g, formation)], f(g, formation)
    p = Activation(side, n, points=points, boats=more.pop("boats", 2), **more)
    p.at = Activation.index["act"]
    return start(g, p)


def start(g: Board, procedure: Procedure, dice: Sequence[int] = ()) -> Board:
    """Let a procedure run until somebody is asked."""
    g.stack = [procedure]
    g.dice = Scripted(dice)
    run(g)
    return g


def do(g: Board, *actions: str, dice: Sequence[int] = ()) -> Board:
    """Carry out actions, each checked; the dice fall as told."""
    if dice:
        g.dice = Scripted(dice)
    for text in actions:
        apply(g, NOTATION.parse(g, text))
    return g


def u(g: Board, name: str) -> int:
    return g.forces.unit(name)


def h(g: Board, name: str) -> int:
    return g.map.grid.hex(name)


def at(g: Board, name: str) -> str:
    return g.place_name(g.place[u(g, name)])


def texts(g: Board) -> list[str]:
    return [NOTATION.text(g, a) for a in legal(g)]


def refusal(g: Board, text: str) -> Refusal:
    found = why_not(g, NOTATION.parse(g, text))
    assert found is not None, f"{text} is legal"
    return found


def told(g: Board) -> list[str]:
    return [e["what"] for e in g.events or ()]


def points(g: Board) -> int:
    """Action Points left in the activation that is going on."""
    return next(p.points for p in reversed(g.stack) if isinstance(p, Activation))


_FRESH: dict[tuple[Any, ...], Board] = {}


def fresh(scenario: str, seed: int = 1, **options: str) -> Board:
    """The board of a scenario at its first decision."""
    key = (scenario, seed, *sorted(options.items()))
    if key not in _FRESH:
        g = Game.new("bug41", scenario, seed=seed, options=options, pack=PACK).board.by_ids()
        assert isinstance(g, Board)
        _FRESH[key] = g
    return _FRESH[key].copy()
