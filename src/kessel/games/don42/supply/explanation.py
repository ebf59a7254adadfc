"""4.0 The supply of one unit, explained: every line with its path and rule, found or not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from kessel.core.forces import Unit
from kessel.games.don42.board import ENTERED, SUPPLY_WORDS, Board
from kessel.games.don42.data.charts import POINT
from kessel.games.don42.data.forces import GERMAN, NO_COMMAND, SOVIET
from kessel.games.don42.data.lines import Lines
from kessel.games.don42.supply.supply import (
    army_above,
    corps_hqs,
    general_lines,
    halved,
    has_contact_supply,
    has_road,
    is_bridge_lost,
    is_fully_supplied,
    is_present,
    lines_to,
    river_lines,
    road_home,
    state_now,
    supply_hqs,
)


@dataclass(slots=True)
class Supply:
    """The state of one unit with the lines that give it."""

    state: int
    lines: list[dict[str, Any]] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        return {"state": SUPPLY_WORDS[self.state], "lines": self.lines}


def explain(g: Board, u: Unit) -> Supply:
    """Every line of the unit, found or not, with its rule."""
    found = Supply(state_now(g, u))
    if is_fully_supplied(g):
        found.lines.append({"what": "all units are in supply this turn", "rule": g.scenario.rule + ".3", "holds": True})
    if g.status[u] & ENTERED:
        found.lines.append({"what": "a reinforcement of this turn", "rule": "15.0", "holds": True})
    found.lines.extend(_soviet_lines(g, u) if g.forces.side[u] == SOVIET else _german_lines(g, u))
    return found


def _line(g: Board, u: Unit, what: str, rule: str, lines: Lines, points: int) -> dict[str, Any]:
    limit = halved(g, u, points)
    cost, path = lines.cost(g.place[u]), lines.path(g.place[u])
    return {
        "what": what,
        "rule": rule,
        "limit": limit / POINT,
        "cost": None if cost is None else cost / POINT,
        "path": None if path is None else [g.hex_name(h) for h in path],
        "holds": cost is not None and cost <= limit,
    }


def _no_line(what: str, rule: str, why: str) -> dict[str, Any]:
    return {"what": what, "rule": rule, "holds": False, "why_not": why}


def _soviet_lines(g: Board, u: Unit) -> Iterator[dict[str, Any]]:
    points = g.charts.constants.soviet_trace
    yield _line(g, u, "to a road off the north or east edge", "4.2.1", general_lines(g), points)
    hqs = supply_hqs(g, u)
    if not hqs:
        yield _no_line("to its Corps or Army HQ", "4.2.2", "it has none on the map")
    for hq in hqs:
        lines = lines_to(g, SOVIET, 1 << g.place[hq], points)
        entry = _line(g, u, f"to {g.name(hq)}", "4.2.2", lines, points)
        if above := [] if has_road(g, hq) else army_above(g, hq):
            entry["through"] = f"{g.name(hq)} to {g.name(above[0])}, which is near a road home (9.5)"
        elif not has_road(g, hq):
            entry["holds"] = False
            entry["why_not"] = f"{g.name(hq)} is not within one hex of a road that leads off the map"
        yield entry


def _german_lines(g: Board, u: Unit) -> Iterator[dict[str, Any]]:
    forces, points = g.forces, g.charts.constants.german_trace
    if g.command[u] == NO_COMMAND:
        yield _no_line("to its Division HQ", "4.3.1", "it belongs to no Corps")
        return
    division_hq = forces.division_hq[u]
    hqs = corps_hqs(g, g.command[u])
    if not forces.is_command_hq(u):
        if not is_present(g, division_hq):
            yield _no_line("to its Division HQ", "4.3.1", "it is not on the map")
        else:
            if u != division_hq:
                lines = lines_to(g, GERMAN, 1 << g.place[division_hq], points)
                yield _line(g, u, f"to {g.name(division_hq)}", "4.3.1", lines, points)
            for hq in hqs:
                lines = lines_to(g, GERMAN, 1 << g.place[hq], points)
                yield _line(g, division_hq, f"{g.name(division_hq)} to {g.name(hq)}", "4.3.1", lines, points)
    if not hqs:
        yield _no_line("to its Corps HQ", "4.3.1", "it is not on the map")
    for hq in hqs:
        way = road_home(g, hq)
        yield {
            "what": f"{g.name(hq)} by road to a Don bridge",
            "rule": "4.3.1",
            "holds": way is not None,
            "path": None if way is None else [g.hex_name(h) for h in way],
        }
    if is_bridge_lost(g, g.command[u]):
        river = g.charts.constants.german_river_trace
        yield _line(g, u, "to the Don, its bridge lost or road blocked", "4.3.3", river_lines(g), river)
    if has_contact_supply(g, u):
        yield {"what": "through a unit of 60 Mot", "rule": "17.3.3", "holds": True}
