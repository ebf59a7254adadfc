"""The questions where units can move, and which hexes are in zones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from kessel.core.breakdown import Refusal
from kessel.core.errors import BadInput
from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.core.hexset import members
from kessel.core.title import Asked
from kessel.games.korsun44.board import GERMAN, OOS1, SIDES, Board
from kessel.games.korsun44.combat.phase import why_not_break, why_not_react_to
from kessel.games.korsun44.data.charts import FOOT, POINT
from kessel.games.korsun44.movement.alarm import alarm_step
from kessel.games.korsun44.movement.allowance import allowance
from kessel.games.korsun44.movement.costs import STRATEGIC, TACTICAL, WALKING, class_of, crosses_river
from kessel.games.korsun44.movement.extension import ExtendedMove
from kessel.games.korsun44.movement.groups import group_of
from kessel.games.korsun44.movement.interception import intercept_dots, interceptors
from kessel.games.korsun44.movement.movement import why_not_mode, why_not_move, why_not_to
from kessel.games.korsun44.movement.rail import rail_moves, why_not_rail_to
from kessel.games.korsun44.movement.reserve import why_not_withdraw_to
from kessel.games.korsun44.movement.search import Party, Step, charged, needs_regroup, rules_of, step_of, ways_of
from kessel.games.korsun44.movement.stacking import why_not_stack
from kessel.games.korsun44.movement.zones import zoc_of, zoc_sources, zoi_of, zone_sources, zone_word
from kessel.games.korsun44.units.strength import is_extended, whole_of
from kessel.wargame.points import shown
from kessel.wargame.questions import AskZoc
from kessel.wargame.reading import hex_names, judged, named_hex, named_sides, named_units, no, one_of, one_side

MODES = {"tactical": TACTICAL, "strategic": STRATEGIC, "on_foot": WALKING, "reserve": TACTICAL}
"""9.4, 9.1.1, 9.7 Ways of moving by Movement Points."""


class AskMoves(Asked, kw_only=True):
    """Where units can move together, with cost, path and interception, or why they cannot move to a hex."""

    unit: str = ""
    units: tuple[str, ...] = ()
    """Several that begin in one hex and move as a stack."""
    to: str = ""
    mode: str = "tactical"


def moves(g: Board, q: AskMoves) -> dict[str, Any]:
    names = q.units or ((q.unit,) if q.unit else ())
    if not names or (q.unit and q.units):
        raise BadInput("name a unit, or the units of a stack", "$.unit")
    units = named_units(g, names, "$.units" if q.units else "$.unit")
    one_side(g, units, "$.units", "the units")
    if len({g.place[u] for u in units}) > 1:
        raise BadInput("a stack moves from one hex", "$.units")
    one_of((*MODES, *OTHER), q.mode, "way of moving", "$.mode")
    about = {"unit": q.unit} if q.unit else {"units": list(q.units)}
    found: dict[str, Any] = {**about, "from": g.hex_name(g.place[units[0]]), "mode": q.mode}
    if q.mode in OTHER:
        return {**found, **_one_hex(g, units, q)}
    if len(units) == 1 and is_extended(g, units[0]):
        return {**found, **_extended(g, units[0], q)}
    group = tuple(sorted({v for u in units for v in group_of(g, u)}))
    return {**found, **_by_points(g, group, q)}


# --- by Movement Points ----------------------------------------------------------------------------------------------


def _by_points(g: Board, units: tuple[Unit, ...], q: AskMoves) -> dict[str, Any]:
    mode, reserve = MODES[q.mode], q.mode == "reserve"
    reasons = [why for u in units if (why := why_not_move(g, u, reserve))]
    why = reasons[0] if reasons else why_not_mode(g, units, mode, reserve)
    if why:
        return {**({"to": q.to} if q.to else {"reach": {}}), **no(why)}
    allowed = [allowance(g, u, mode, reserve) for u in units]
    least = min(allowed, key=lambda b: b.total)
    party = Party(g.forces.side[units[0]], units, mode, least.total * POINT, (0,) * len(units), True)
    found: dict[str, Any] = {"group": [g.id(u) for u in units], "allowance": least.as_json()}
    if q.to:
        h = named_hex(g, q.to, "$.to")
        refusal = why_not_to(g, party, h)
        return {
            **found,
            "to": q.to,
            **(no(refusal) if refusal else {"legal": True, **_way(g, party, h, reserve, True)}),
        }
    reached = ways_of(g, party)
    ends, passed = {}, {}
    for h in sorted(members(reached.hexes), key=lambda h: (reached.cost[h], h)):
        if refusal := why_not_to(g, party, h):
            passed[g.hex_name(h)] = {
                "cost": shown(charged(party, reached.cost[h]), POINT),
                "refusal": refusal.as_json(),
            }
        else:
            ends[g.hex_name(h)] = _way(g, party, h, reserve, False)
    alarms = {g.hex_name(h): cost for h, cost in _alarm_attacks(g, party)}
    return {**found, "reach": ends, "passed_only": passed, **({"alarm_attacks": alarms} if alarms else {})}


def _way(g: Board, party: Party, h: Hex, reserve: bool, steps: bool) -> dict[str, Any]:
    """The cheapest way to a hex and what it does to the units."""
    reached = ways_of(g, party)
    path = reached.path(h)
    found: dict[str, Any] = {
        "cost": shown(charged(party, reached.cost[h]), POINT),
        "path": [g.hex_name(x) for x in path],
        "stops": bool(reached.ends >> h & 1),
    }
    taken = list(_steps(g, party, path))
    if steps:
        found["steps"] = [_step_words(g, party, a, b, step, b != h) for a, b, step in taken]
    if any(step.from_zoc_to_zoc for _, _, step in taken):
        marked = [g.id(u) for u in party.units if needs_regroup(g, u, party.units)]
        found["regroup"] = marked
    tired = [u for u in party.units if g.status[u] & OOS1 and class_of(g, u, party.mode) != FOOT and len(path) > 1]
    if tired:
        found["becomes_OOS2"] = [g.id(u) for u in tired]
    if fire := risks(g, party, path, reserve):
        found["interception"] = fire
    if why := why_not_stack(g, party.side, h, party.units):
        found["overstacked"] = why.as_json()
    return found


def _steps(g: Board, party: Party, path: tuple[Hex, ...]) -> Iterator[tuple[Hex, Hex, Step]]:
    r, first = rules_of(g, party), True
    for a, b in pairwise((g.place[party.units[0]], *path)):
        step = step_of(g, party, r, a, g.map.grid.direction(a, b), b, first=first)
        if isinstance(step, Refusal):
            raise AssertionError(step)
        yield a, b, step
        first = False


def _step_words(g: Board, party: Party, a: Hex, b: Hex, step: Step, goes_on: bool) -> dict[str, Any]:
    """What a step costs the unit that pays most, and why."""
    r = rules_of(g, party)
    dear = max(range(len(step.cost)), key=lambda i: step.cost[i])
    enemy, d = 1 - party.side, g.map.grid.direction(a, b)
    if step.whole:
        return {"hex": g.hex_name(b), "cost": shown(party.left, POINT), "whole_allowance": True, "rule": "9.2.1"}
    ground = r.tables[dear].step(a, d)
    leave = "ZOC" if crosses_river(g, a, d) and r.river_zoc >> a & 1 else zone_word(g, enemy, a)
    items = [{"what": "ground", "rule": "9.2", "value": shown(int(ground), POINT)}]  # type: ignore[arg-type]
    enter_zoc, leave_zoc, enter_zoi, leave_zoi = r.zone_costs[dear]
    costs = {"leave ZOC": leave_zoc, "leave ZOI": leave_zoi, "enter ZOC": enter_zoc, "enter ZOI": enter_zoi}
    for word in (f"leave {leave}" if leave else "", f"enter {zone_word(g, enemy, b)}".strip()):
        if costs.get(word) and r.zone:
            items.append({"what": word, "rule": "10.2", "value": shown(costs[word], POINT)})
    cost = step.cost[dear]
    if step.onward and goes_on:
        cost += step.onward
        items.append({"what": "minefield", "rule": "15.3.2", "value": shown(step.onward, POINT)})
    words: dict[str, Any] = {"hex": g.hex_name(b), "cost": shown(charged(party, cost), POINT), "items": items}
    return {**words, "whole_allowance": True, "rule": "9.9.2"} if cost > party.left else words


def risks(g: Board, party: Party, path: tuple[Hex, ...], reserve: bool = False) -> dict[str, Any]:
    """9.11 Who may fire at the armor on this way: each hex once, with its best unit, at the first chance it has."""
    armor = any(g.forces.armor[u] for u in party.units)
    if not armor or (reserve and g.reads("intercept_reserve") == "no"):
        return {}
    fired: list[Hex] = []
    shots: list[dict[str, Any]] = []
    spared = Fraction(1)
    for a, b in pairwise((g.place[party.units[0]], *path)):
        able = interceptors(g, 1 - party.side, a, b, fired)
        for e in dict.fromkeys(g.place[v] for v in able):
            there = [v for v in able if g.place[v] == e]
            best = max(there, key=lambda v: (intercept_dots(g, v), -v))
            dots = min(intercept_dots(g, best), 6)
            shots.append({"from": g.hex_name(e), "at": g.hex_name(b), "units": [g.id(v) for v in there],
                          "dots": dots, "chance": f"{dots}/6"})  # fmt: skip
            spared *= 1 - Fraction(dots, 6)
            fired.append(e)
    hit = 1 - spared
    return {"shots": shots, "hit": f"{hit.numerator}/{hit.denominator}", "rule": "9.11"} if shots else {}


def _alarm_attacks(g: Board, party: Party) -> list[tuple[Hex, float]]:
    """9.12 Lone alarm units that can be attacked from where the units stand, with the cost for the dearest."""
    found = []
    for h in g.map.grid.around[g.place[party.units[0]]]:
        step = alarm_step(g, party, h) if g.of_side(h, GERMAN) else None
        if isinstance(step, Step):
            found.append((h, shown(max(step.cost), POINT)))
    return found


# --- extended divisions ----------------------------------------------------------------------------------------------


def _extended(g: Board, u: Unit, q: AskMoves) -> dict[str, Any]:
    """4.7.1 Where one counter of an extended division can go while the other stays: on or next to it all the way."""
    reserve = q.mode == "reserve"
    why = why_not_move(g, u, reserve)
    if why is None and MODES[q.mode] != TACTICAL:
        why = Refusal("4.7.1", "an extended division moves hex by hex")
    if why:
        return {**({"to": q.to} if q.to else {"reach": {}}), **no(why)}
    whole = whole_of(g, u)
    start, i = ExtendedMove(g.forces.side[u], whole, reserve=reserve), int(u != whole)
    party = start.party(g, i)
    found: dict[str, Any] = {"group": [g.id(v) for v in party.units],
                             "allowance": allowance(g, whole, TACTICAL, reserve).as_json()}  # fmt: skip
    ways = {h: _hex_by_hex(g, party, path, cost, stops) for h, (cost, path, stops) in _beside(g, start, i).items()}
    if not q.to:
        return {**found, "reach": {g.hex_name(h): way for h, way in ways.items()}, "passed_only": {}}
    h = named_hex(g, q.to, "$.to")
    refusal = start.why_not(g, i, h) or Refusal("9.0", f"{g.hex_name(h)} is out of reach")
    return {**found, "to": q.to, **({"legal": True, **ways[h]} if h in ways else no(refusal))}


def _hex_by_hex(g: Board, party: Party, path: tuple[Hex, ...], cost: int, stops: bool) -> dict[str, Any]:
    way = {"cost": shown(charged(party, cost), POINT), "path": [g.hex_name(x) for x in path], "stops": stops}
    why = why_not_stack(g, party.side, path[-1], party.units)
    return {**way, "overstacked": why.as_json()} if why else way


def _beside(g: Board, start: ExtendedMove, i: int) -> dict[Hex, tuple[int, tuple[Hex, ...], bool]]:
    """The cheapest way to each hex: cost, path, and whether the move ends there."""
    mover = start.movers(g, i)[0] if i else start.unit
    best: dict[Hex, tuple[int, tuple[Hex, ...], bool]] = {g.place[mover]: (0, (), False)}
    work = [g.place[mover]]
    while work:
        here = work.pop()
        spent, path, stopped = best[here]
        after = g.copy()
        for v in start.movers(g, i):
            after.move(v, here)
        now = replace(start, spent=_nth(i, spent), entered=_nth(i, len(path)), stopped=_nth(i, int(stopped)))
        for h in now.hexes(after, i):
            step = now.step_for(after, i, h)
            if isinstance(step, Refusal):
                continue
            left = now.party(after, i).left
            cost = left if step.whole else spent + max(step.cost)
            if h not in best or cost < best[h][0]:
                best[h] = cost, (*path, h), step.ends or cost >= left
                work.append(h)
    del best[g.place[mover]]
    return dict(sorted(best.items(), key=lambda one: (one[1][0], one[0])))


def _nth(i: int, value: int) -> tuple[int, int]:
    return (value, 0) if not i else (0, value)


# --- moves of one hex, and by rail -----------------------------------------------------------------------------------


class Other(NamedTuple):
    rule: str
    why_not: Callable[[Board, Unit, Hex], Refusal | None]


OTHER = {
    "rail": Other("9.5", why_not_rail_to),
    "withdrawal": Other("9.8", why_not_withdraw_to),
    "reaction": Other("12.1.2", why_not_react_to),
    "breakthrough": Other("12.1.4", why_not_break),
}


def _one_hex(g: Board, units: list[Unit], q: AskMoves) -> dict[str, Any]:
    if len(units) > 1:
        raise BadInput("these moves are made unit by unit", "$.units")
    u, other = units[0], OTHER[q.mode]
    if q.to:
        return {"to": q.to, "rule": other.rule, **judged(other.why_not(g, u, named_hex(g, q.to, "$.to")))}
    near = [h for v, h in rail_moves(g) if v == u] if q.mode == "rail" else list(g.map.grid.around[g.place[u]])
    ends = sorted(g.hex_name(h) for h in near if other.why_not(g, u, h) is None)
    found: dict[str, Any] = {"rule": other.rule, "hexes": ends}
    if not ends and near:
        why = other.why_not(g, u, near[0])
        found |= no(why) if why else {}
    return found


# --- zones -----------------------------------------------------------------------------------------------------------


def zones(g: Board, q: AskZoc) -> dict[str, Any]:
    """10.1, 10.6 The hexes in ZOC and in ZOI alone, and whose they are."""
    found: dict[str, Any] = {"rule": "10.1"}
    for side in named_sides(SIDES, q.side):
        sources = zoc_sources(g, side)
        found[SIDES[side]] = {
            "zoc": hex_names(g, zoc_of(g, side)),
            "zoi": hex_names(g, zoi_of(g, side)),
            "zoc_from": hex_names(g, sources),
            "zoi_from": hex_names(g, zone_sources(g, side) & ~sources),
        }
    return found


__all__ = ["AskMoves", "moves", "risks", "zones"]
