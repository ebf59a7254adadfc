"""9.12 Soviet movement next to lone alarm units: what an attack on one costs."""

from __future__ import annotations

from kessel.core.breakdown import Refusal
from kessel.core.hexes import Hex
from kessel.games.korsun44.board import GERMAN, SOVIET, Board
from kessel.games.korsun44.movement.costs import STRATEGIC, may_enter_terrain
from kessel.games.korsun44.movement.labels import Spent
from kessel.games.korsun44.movement.search import Party, Step, budgets_of, rules_of, step_of
from kessel.games.korsun44.units.alarms import is_lone_alarm
from kessel.games.korsun44.units.strength import is_attack_capable


def why_not_attack_alarm(g: Board, party: Party, h: Hex) -> Refusal | None:
    """9.12 Why moving units may not attack the alarm unit in a hex."""
    found = alarm_step(g, party, h)
    return found if isinstance(found, Refusal) else None


def alarm_step(g: Board, party: Party, h: Hex) -> Step | Refusal:
    """9.12 The attack costs what entering the hex would, and one point more."""
    if party.side != SOVIET:
        return Refusal("9.12", "only Soviet units attack alarm units in movement")
    here, grid = g.place[party.units[0]], g.map.grid
    if not grid.adjacent(here, h) or not g.of_side(h, GERMAN) or not is_lone_alarm(g, h):
        return Refusal("9.12", f"no lone alarm unit is in {g.hex_name(h)} next to the moving units")
    if party.mode == STRATEGIC:
        return Refusal("9.4.2", "units in strategic movement keep away from the enemy")
    if not all(may_enter_terrain(g, u, h) for u in party.units):
        return Refusal("18.1.2", "partisans move into woods and forests only")
    if not any(is_attack_capable(g, u) for u in party.units):
        return Refusal("9.12", "units that cannot attack cannot attack an alarm unit")
    rules = rules_of(g, party)
    rules = rules._replace(open=rules.open | 1 << h)
    found = step_of(g, party, rules, here, grid.direction(here, h), h, first=party.first)
    if isinstance(found, Refusal):
        return found
    if found.whole:
        return Refusal("9.12", "an unbridged river takes the whole allowance")
    more = g.charts.constants.alarm_attack_cost * g.charts.constants.sixths
    cost: Spent = tuple(c + more for c in found.cost)
    if any(c > b for c, b in zip(cost, budgets_of(g, party, rules.kinds), strict=True)):
        return Refusal("9.12", "the attack costs the entry of the hex and one Movement Point more than are left")
    return found._replace(cost=cost)
