"""Answers on movement: ways and their cost, marsh, boats, infiltration, relocation, and who may react."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kessel.core.breakdown import Breakdown
from kessel.core.errors import BadInput
from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.core.hexset import members
from kessel.core.title import Asked
from kessel.games.bug41.board import Board, Formation
from kessel.games.bug41.combat.checks import chance_to_pass
from kessel.games.bug41.data.charts import HALF
from kessel.games.bug41.data.forces import CLASSES
from kessel.games.bug41.movement.move import why_not_end, why_not_infiltrate, why_not_move
from kessel.games.bug41.movement.reach import Group, Ways, allowance, has_marsh_check, is_boat_step, payers_of, ways_of
from kessel.games.bug41.movement.relocation import relocation_path, relocation_price, relocations, why_not_relocate
from kessel.games.bug41.movement.zones import near_units, zone_of
from kessel.games.bug41.supply.command import is_isolated
from kessel.games.bug41.turn.actions import cost_of
from kessel.games.bug41.turn.activation import Activation, reacting
from kessel.wargame.board import other
from kessel.wargame.points import shown
from kessel.wargame.reading import named_hex, named_unit, named_units, no

ENOUGH = 99
"""Action Points, where a question asks what could be done with any number of them."""


class AskMarch(Asked, kw_only=True):
    """Where a unit, a stack (`units`) or an HQ can go, or why it can't go to a hex."""

    unit: str = ""
    units: tuple[str, ...] = ()
    to: str = ""
    boats: int | None = None
    """Boats left; left out: as the position says."""


def activation_of(g: Board, f: Formation) -> Activation | None:
    """The activation or Reaction of a formation that is going on; others are answered as if they began one."""
    return next((p for p in reversed(g.stack) if isinstance(p, Activation) and p.formation == f), None)


def boats_of(g: Board, f: Formation) -> int:
    """The boats left, if the formation is active; else those of a new activation."""
    acting = activation_of(g, f)
    return acting.boats if acting is not None else g.numbers.movement.boats_per_activation


def points_of(g: Board, f: Formation) -> int:
    """The points left, if the formation is active; else enough."""
    acting = activation_of(g, f)
    return acting.points if acting is not None else ENOUGH


def allowance_of(g: Board, u: Unit) -> Breakdown:
    """With the bonus of leg units where the start does not forbid it."""
    near = near_units(g, other(g.forces.side[u])) >> g.place[u] & 1
    return allowance(g, u, bonus=not near)


def moves(g: Board, q: AskMarch) -> dict[str, Any]:
    if bool(q.unit) == bool(q.units):
        raise BadInput("name either a unit or the units of a stack", "$.unit")
    units = [named_unit(g, q.unit)] if q.unit else named_units(g, q.units, "$.units")
    found: dict[str, Any] = {"unit": q.unit} if q.unit else {"units": list(q.units)}
    found["from"] = g.hex_name(g.place[units[0]])
    if len(units) == 1 and g.forces.hq[units[0]]:
        return {**found, **_relocation(g, q, units[0])}
    if stays := why_not_move(g, g.command[units[0]], units, points_of(g, g.command[units[0]])):
        return {**found, **({"to": q.to} if q.to else {"reach": {}}), **no(stays)}
    boats = boats_of(g, g.command[units[0]]) if q.boats is None else q.boats
    found["action_points"] = cost_of(g, "movement", units).as_json()
    found["allowance"] = allowance_of(g, units[0]).as_json()
    if len(units) > 1:
        found["allowance"] = {g.id(u): allowance_of(g, u).as_json() for u in units}
    if isolated := [u for u in units if is_isolated(g, u)]:
        found["isolation_checks"] = {g.id(u): str(chance_to_pass(g, u)) for u in isolated}
    if q.to:
        return {**found, "to": q.to, **_to(g, units, named_hex(g, q.to, "$.to"), boats)}
    return {**found, **_everywhere(g, units, boats)}


def _to(g: Board, units: Sequence[Unit], h: Hex, boats: int) -> dict[str, Any]:
    group = Group(tuple(units), boats=boats)
    ways, crossing = ways_of(g, group), why_not_infiltrate(g, units, h, boats)
    refusal = why_not_end(g, group, h, ways)
    found = no(refusal) if refusal else {"legal": True, **_way(g, units, ways, h)}
    return found if crossing else {**found, "infiltration": _infiltration(g, units, h)}


def _everywhere(g: Board, units: Sequence[Unit], boats: int) -> dict[str, Any]:
    group = Group(tuple(units), boats=boats)
    ways = ways_of(g, group)
    ends, passed = {}, {}
    for h in sorted(members(ways.hexes), key=lambda h: (ways.cost[h], h)):
        refusal = why_not_end(g, group, h, ways)
        if refusal is None:
            ends[g.hex_name(h)] = _way(g, units, ways, h)
        else:
            passed[g.hex_name(h)] = {"cost": shown(ways.cost[h], HALF), "refusal": refusal.as_json()}
    around = g.map.grid.around[g.place[units[0]]]
    by_check = {
        g.hex_name(h): _infiltration(g, units, h) for h in around if why_not_infiltrate(g, units, h, boats) is None
    }
    return {"reach": ends, "passed_only": passed, "infiltration": by_check}


def _way(g: Board, units: Sequence[Unit], ways: Ways, h: Hex) -> dict[str, Any]:
    """A way with all that may happen on it; each class of a mixed stack pays for itself."""
    path = ways.path(h)
    found: dict[str, Any] = {
        "cost": shown(ways.cost[h], HALF),
        "path": [g.hex_name(x) for x in path],
        "stops": ways.stops(h),
    }
    if len(ways.spent[h]) > 1:
        by = zip(payers_of(g, units), ways.spent[h], strict=True)
        found["cost_by_class"] = {CLASSES[kind]: shown(spent, HALF) for kind, spent in by}
    if ways.has_bonus(h):
        found["leg_bonus"] = True
    start = g.place[units[0]]
    checks: dict[str, Any] = {}
    for a, b in zip((start, *path), path, strict=False):
        d = g.map.grid.direction(a, b)
        if is_boat_step(g, a, d):
            found["boats"] = len(units)
        if some := [u for u in units if has_marsh_check(g, u, a, d)]:
            checks[g.hex_name(b)] = {g.id(u): str(chance_to_pass(g, u)) for u in some}
    if checks:
        found["marsh_checks"] = checks
    if displaced := [hq for x in path for hq in g.hqs_in(x) if g.forces.side[hq] != g.forces.side[units[0]]]:
        found["displaces"] = [g.id(hq) for hq in displaced]
    if who := may_react(g, units, h):
        found["may_react"] = who
    return found


def may_react(g: Board, units: Sequence[Unit], h: Hex) -> list[str]:
    """RX-6.4.1 The enemy formations that may try to react to a move that ends there."""
    side = other(g.forces.side[units[0]])
    if not zone_of(g, side) >> h & 1:
        return []
    acting = activation_of(g, g.command[units[0]])
    if acting is not None and acting.why_no_reaction(g):
        return []
    return [g.forces.commands[f] for f in reacting(g, side, h, acting.tried if acting is not None else ())]


def _infiltration(g: Board, units: Sequence[Unit], h: Hex) -> dict[str, Any]:
    """PA-infil Who gets there with what chance; who fails is Disrupted and stays."""
    found: dict[str, Any] = {"rule": "PA-infil.1", "chances": {g.id(u): str(chance_to_pass(g, u)) for u in units}}
    if who := may_react(g, units, h):
        found["may_react"] = who
    return found


def _relocation(g: Board, q: AskMarch, hq: Unit) -> dict[str, Any]:
    """RX-7.4 Where an HQ can relocate for how many Action Points."""
    f = g.forces.command[hq]
    points = points_of(g, f)

    def told(h: Hex) -> dict[str, Any]:
        way = [g.hex_name(x) for x in relocation_path(g, hq, h)[1:]]
        return {"action_points": relocation_price(g, hq, h), "path": way}

    if q.to:
        h = named_hex(g, q.to, "$.to")
        refusal = why_not_relocate(g, f, h, points)
        return {"to": q.to, **(no(refusal) if refusal else {"legal": True, **told(h)})}
    return {"reach": {g.hex_name(h): told(h) for h in members(relocations(g, f, points))}}
