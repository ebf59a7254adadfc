"""12.83 Soviet advance after combat: the route of an advance, its chance, and what forbids it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from kessel.core.breakdown import Breakdown, Refusal
from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.core.hexset import members
from kessel.games.kharkov43.board import Board
from kessel.games.kharkov43.combat.battle import Battle, rivers_between
from kessel.games.kharkov43.combat.results.advance import (
    retreat_hexes,
    why_not_advance,
    why_not_second,
    why_not_two_hexes,
)
from kessel.games.kharkov43.data.forces import SOVIET
from kessel.games.kharkov43.movement.stacking import why_not_fit
from kessel.games.kharkov43.movement.zones import is_surrounded, scene_if
from kessel.games.kharkov43.supply.supply import field_if, field_of
from kessel.games.kharkov43.system.terms.arrows import arrows_at
from kessel.games.kharkov43.system.terms.preferences import marker_of
from kessel.games.kharkov43.system.terms.restrictions import why_not_expose, why_not_leave_edge
from kessel.games.kharkov43.system.terms.terminology import caused_from, suppose, why_nearly_surrounded

CUTS_SUPPLY_FROM, SURROUND_FROM = 3, 6
"""12.83 Restrictions with a turn tag: no advance that cuts supply, none into a nearly surrounded hex."""

# --- routes ----------------------------------------------------------------------------------------------------------


class Step(NamedTuple):
    """One hex of an advance that is checked."""

    b: Battle
    unit: Unit
    hex: Hex

    @property
    def is_second(self) -> bool:
        return self.hex != self.b.target


def _arrow(g: Board, s: Step, kind: str) -> bool:
    return (s.hex, kind) in arrows_at(g, g.place[s.unit], g.forces.higher[s.unit])


def is_closer(g: Board, s: Step) -> bool:
    """9.3 Closer to the unit's objective marker than the hex it comes from."""
    marker = marker_of(g, s.unit)
    if marker < 0:
        return False
    away = g.ground.distances(g.objective[marker])
    return away[s.hex] < away[g.place[s.unit]]


def can_enable_supply(g: Board, s: Step) -> bool:
    """12.83 A Soviet unit that can't trace supply could do so after the advance."""
    before = field_of(g, SOVIET)
    if not g.hexes_of(SOVIET) & ~before.hexes:
        return False
    after = field_if(g, scene_if(g, s.unit, s.hex), SOVIET)
    unable = [v for v in g.on_map_of(SOVIET) if g.place[v] not in before]
    return any((s.hex if v == s.unit else g.place[v]) in after for v in unable)


ROUTES: dict[str, Callable[[Board, Step], bool]] = {
    "vp_hex": lambda g, s: bool(g.ground.vp_hexes >> s.hex & 1),
    "primary_direction": lambda g, s: _arrow(g, s, "primary"),
    "enables_supply": can_enable_supply,
    "across_river_closer_to_objective": lambda g, s: (
        bool(rivers_between(g, g.place[s.unit], s.hex)) and is_closer(g, s)
    ),
    "secondary_direction": lambda g, s: _arrow(g, s, "secondary"),
    "second_hex_along_retreat": lambda g, s: s.is_second and bool(retreat_hexes(s.b) >> s.hex & 1),
    "causes_surround": lambda g, s: bool(caused_from(g, s.unit, s.hex)),
    "closer_to_objective": is_closer,
    "attacked_hex": lambda g, s: not s.is_second,
    "other": lambda g, s: True,
}
"""12.83 The rows of the table; the first one that applies counts, in the order of the table."""


def route_of(g: Board, s: Step) -> str:
    return next(row for row in g.charts.table("soviet_advance").rows if ROUTES[row](g, s))


class AdvanceCheck(NamedTuple):
    """12.83 One unit and one hex: the route, the units already there, and the highest die that advances."""

    unit: Unit
    hex: Hex
    route: str
    chance: Breakdown
    refusal: Refusal | None = None

    def as_json(self, g: Board) -> dict[str, Any]:
        found: dict[str, Any] = {"unit": g.id(self.unit), "hex": g.hex_name(self.hex)}
        if self.refusal is not None:
            return {**found, "advances": "no", "refusal": self.refusal.as_json()}
        words = {0: "no", g.charts.constants.die: "yes"}
        total = self.chance.total
        return {
            **found,
            "advances": words.get(total, f"1-{total}"),
            "route": self.route,
            "chance": self.chance.as_json(),
        }


def chance_of(g: Board, s: Step, route: str) -> Breakdown:
    """12.83 By the route and the units that already came into the hex by advance."""
    table = g.charts.table("soviet_advance")
    already = sum(g.place[v] == s.hex for v in s.b.advanced if v != s.unit)
    value = table.number(route, min(already, len(table.columns) - 1))
    what = f"{route.replace('_', ' ')}, {already} Soviet units in the hex by advance"
    return Breakdown("advance").add(what, value, "12.83")


# --- restrictions ----------------------------------------------------------------------------------------------------


def why_not_willing(g: Board, s: Step, start: Board) -> Refusal | None:
    """12.83 Restrictions. `start`: the board before the unit began to advance."""
    u, h = s.unit, s.hex
    if g.map.terrain[h] == "marsh" and g.is_mech(u):
        return Refusal("12.83", "a mechanized unit does not advance into marsh")
    if (
        refusal := why_not_fit(g, h, [u])
        or why_not_leave_edge(start, u)
        or why_not_expose(start, u, h)
        or _why_not_cut_supply(start, u, h)
    ):
        return Refusal("12.83", refusal.reason)
    return _why_not_into_surround(g, s)


def _why_not_cut_supply(g: Board, u: Unit, h: Hex) -> Refusal | None:
    if g.turn < CUTS_SUPPLY_FROM:
        return None
    before, after = field_of(g, SOVIET), field_if(g, scene_if(g, u, h), SOVIET)
    if not before.hexes & ~after.hexes:
        return None
    for v in g.on_map_of(SOVIET):
        if v != u and g.place[v] in before and g.place[v] not in after:
            return Refusal("12.83", f"{g.name(v)} would be unable to trace supply")
    return None


def _why_not_into_surround(g: Board, s: Step) -> Refusal | None:
    """12.83 From game-turn 6: into a surrounded or nearly surrounded hex only for a VP hex or to open supply."""
    if g.turn < SURROUND_FROM or g.ground.vp_hexes >> s.hex & 1:
        return None
    x = suppose(g, s.unit, s.hex)
    why = why_nearly_surrounded(x, s.hex)
    if why is None and is_surrounded(x, s.hex, SOVIET):
        why = Refusal("9.3", f"a unit in {g.hex_name(s.hex)} is surrounded")
    if why is None or can_enable_supply(g, s):
        return None
    return Refusal("12.83", f"{g.hex_name(s.hex)} is nearly surrounded: {why.reason}")


# --- checks ----------------------------------------------------------------------------------------------------------


def check(g: Board, s: Step, start: Board) -> AdvanceCheck:
    refusal = why_not_willing(g, s, start)
    if refusal is not None:
        return AdvanceCheck(s.unit, s.hex, "", Breakdown("advance"), refusal)
    route = route_of(g, s)
    return AdvanceCheck(s.unit, s.hex, route, chance_of(g, s, route))


def first_check(g: Board, b: Battle, u: Unit) -> AdvanceCheck:
    """12.83 Into the attacked hex."""
    if refusal := why_not_advance(g, b, u):
        return AdvanceCheck(u, b.target, "", Breakdown("advance"), refusal)
    return check(g, Step(b, u, b.target), g)


def may_go_on(g: Board, b: Battle, u: Unit) -> bool:
    """12.81 Asked before the unit leaves its hex: whether it may advance a second hex."""
    return why_not_two_hexes(g, b, u) is None


def second_check(g: Board, b: Battle, u: Unit, start: Board) -> AdvanceCheck | None:
    """12.83 From the attacked hex on: the one hex with the highest chance, the earlier route, the higher number."""
    rows = g.charts.table("soviet_advance").rows
    checks = []
    for h in members(g.map.grid.near[b.target]):
        if h != start.place[u] and why_not_second(g, b, u, h) is None:
            found = check(g, Step(b, u, h), start)
            if found.refusal is None and found.chance.total:
                checks.append(found)
    if not checks:
        return None
    return max(checks, key=lambda c: (c.chance.total, -rows.index(c.route), g.hex_name(c.hex)))
