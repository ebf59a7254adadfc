"""How a side wins, how that stands today, and what matters now: at most three sentences, found from the board.

goals.toml says of each scenario in words how it is won; everything else is computed from what the side may see.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from kessel.core.board import Board
from kessel.core.errors import BadInput
from kessel.core.hexes import NO_HEX, Hex
from kessel.core.pack import Pack
from kessel.core.title import Goal, Matter, Objective, Title
from kessel.core.view import SideView

FILE = "goals.toml"
OVERLAYS = ("Victory hexes", "Objectives")
BEHIND = ("headquarters", "supply", "artillery", "mortar", "rocket", "hq", "sdm", "air")
"""Kinds of counters that take no place by themselves."""
NEAR = 2
"""An enemy within so many hexes threatens a place."""
MOST = 3
COMING = ("reinforcements", "reinforcement", "arrival")


def goal_of(t: Title, g: Board, side: int, pack: Pack, scenario: str, number_of: Callable[[Any], int]) -> Goal:
    view = t.view(g, side)
    found = objectives(t, g, side, view)
    listed = t.scenario(pack, scenario)
    told = pack.toml(FILE) if pack.has(FILE) else {}
    how = str(told.get(scenario, {}).get("wins", listed.about))
    now = [
        *_time(view),
        *_nearest(t, g, side, view, found),
        *_threatened(t, g, side, view, found),
        *_coming(t, g, pack, side, scenario, view, number_of),
    ]
    known = t.questions.get("victory")
    stands = known.answer(g, known.form(question="victory")) if known is not None else {}
    return Goal(t.sides[side], how, stands, found, now[:MOST])


def objectives(t: Title, g: Board, side: int, view: SideView) -> list[Objective]:
    layers = t.overlays(g, side)
    doc: Any = next((layers[name] for name in OVERLAYS if name in layers), {})
    hexes: Mapping[str, str] | Iterable[str] = doc.get("hexes", {}) if isinstance(doc, dict) else doc
    held = hexes if isinstance(hexes, Mapping) else dict.fromkeys(hexes, "")
    worth = _worth(g)
    found = []
    for name, who in held.items():
        h = g.map.grid.find(name)
        place = g.map.name.get(h, "") if h != NO_HEX else ""
        found.append(Objective(name, place, worth.get(name, ""), who if who in t.sides else ""))
    return sorted(found, key=lambda o: (o.held == t.sides[side], o.name or o.hex))


def _worth(g: Board) -> dict[str, str]:
    """What the map itself says a place counts."""
    hexes = g.map.doc.hexes
    if not isinstance(hexes, dict):
        return {}
    return {name: f"{n} point{'s' if n != 1 else ''}" for name, cell in hexes.items() if (n := cell.vp)}


def _time(view: SideView) -> list[Matter]:
    """How long there is."""
    track = next((x for x in view.tracks if "turn" in x.name.lower() and x.high), None)
    if track is None:
        return []
    left = track.high - track.value
    if left > MOST - 1:
        return []
    last = {0: "This is the last turn", 1: "The game ends with the next turn"}
    return [Matter(f"{last.get(left, f'The game ends in {left} turns')}.")]


def _places(g: Board, view: SideView, side: str) -> set[Hex]:
    """Where that side has counters that can take a place."""
    fighting = (p for p in view.pieces if p.side == side and p.kind not in BEHIND)
    return {h for p in fighting if (h := g.map.grid.find(p.place)) != NO_HEX}


def _nearest(t: Title, g: Board, side: int, view: SideView, found: list[Objective]) -> list[Matter]:
    mine = _places(g, view, t.sides[side])
    wanted = [o for o in found if o.held != t.sides[side]]
    if not mine or not wanted:
        return []
    far = sorted((_distance(g, g.map.grid.find(o.hex), mine), o.name or o.hex, o.hex) for o in wanted)
    first = far[:2]
    told = " and ".join(f"{name}, {_hexes(n)} away" for n, name, _ in first)
    return [Matter(f"The nearest you do not hold: {told}.", [h for _, _, h in first])]


def _threatened(t: Title, g: Board, side: int, view: SideView, found: list[Objective]) -> list[Matter]:
    theirs = [h for s in t.sides if s != t.sides[side] for h in _places(g, view, s)]
    held = [o for o in found if o.held == t.sides[side]]
    near = [o for o in held if theirs and _distance(g, g.map.grid.find(o.hex), theirs) <= NEAR]
    if not near:
        return []
    names = [o.name or o.hex for o in near]
    more = f" and {len(names) - 2} more" if len(names) > 2 else ""
    told = (", " if more else " and ").join(names[:2])
    return [Matter(f"The enemy is within {_hexes(NEAR)} of {told}{more}, which you hold.", [o.hex for o in near])]


def _coming(
    t: Title, g: Board, pack: Pack, side: int, scenario: str, view: SideView, number_of: Callable[[Any], int]
) -> list[Matter]:
    """What the schedule of the scenario brings to the side on the next turn."""
    track = next((x for x in view.tracks if "turn" in x.name.lower() and x.high), None)
    file = f"scenarios/{scenario}.toml"
    if track is None or not pack.has(file):
        return []
    doc, units = pack.toml(file), list[str]()
    for row in (r for key in COMING for r in doc.get(key, []) if isinstance(r, dict)):
        if row.get("side") == t.sides[side] and _number(row.get("turn"), number_of) == track.value + 1:
            given: Any = row.get("units") or row.get("formation") or ""
            names = given.split() if isinstance(given, str) else map(str, given)
            units += [re.split("[/:]", name)[0] for name in names]  # how many steps it has does not matter here
    if not units:
        return []
    more = f" and {len(units) - MOST} more" if len(units) > MOST else ""
    words = g.forces.words()
    named = ", ".join(words.get(unit, unit) for unit in units[:MOST])
    return [Matter(f"By the schedule the next turn brings you {named}{more}.")]


def _number(turn: Any, number_of: Callable[[Any], int]) -> int:
    try:
        return number_of(turn)
    except (BadInput, ValueError, TypeError):
        return -1


def _distance(g: Board, h: Hex, others: Iterable[Hex]) -> int:
    return min(g.map.grid.distance(h, x) for x in others)


def _hexes(n: int) -> str:
    return f"{n} hex" if n == 1 else f"{n} hexes"


def goal_faults(t: Title, pack: Pack) -> list[str]:
    """Every scenario says how it is won, and nothing else is said."""
    where, listed = pack.where(FILE), {s.id for s in t.scenarios(pack)}
    if not pack.has(FILE):
        return []
    told = pack.toml(FILE)
    found = [f"{where}: {name} is no scenario" for name in told if name not in listed]
    return found + [
        f"{where}: {name} does not say how it is won" for name in listed if not told.get(name, {}).get("wins")
    ]
