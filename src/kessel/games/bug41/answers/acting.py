"""Answers on command, supply, Action Points, Reactions and recovery."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from kessel.core.errors import BadInput
from kessel.core.forces import NO_UNIT, Unit
from kessel.core.title import Asked
from kessel.games.bug41.board import EMERGENCY, EXPENDED, Board, Formation
from kessel.games.bug41.combat.checks import chance_to_pass, check_modifiers, is_surprised
from kessel.games.bug41.data.forces import SIDES
from kessel.games.bug41.movement.displacement import tether_of
from kessel.games.bug41.movement.pillboxes import is_sheltered
from kessel.games.bug41.supply.command import (
    COMMAND_WORDS,
    IN_COMMAND,
    ISOLATED,
    command_distance,
    command_of,
    command_path,
)
from kessel.games.bug41.supply.supply import can_support, in_supply, supply_path
from kessel.games.bug41.turn.actions import cost_of
from kessel.games.bug41.turn.activation import Activation, triggers_of, why_not_act, why_not_react
from kessel.wargame.odds import by_dice, chances
from kessel.wargame.reading import index_of, named_hex, named_side, named_unit, no


class AskCommand(Asked, kw_only=True):
    """The command of a unit; of every unit of a formation or side, or of all, when none is named."""

    unit: str = ""
    formation: str = ""
    side: str = ""


class AskReaction(Asked, kw_only=True):
    """Which formations of a side may react to an enemy move that ends in a hex."""

    hex: str
    side: str


class AskPoints(Asked, kw_only=True):
    """The Action Points of a formation's next activation, or Reaction."""

    formation: str
    level: int | None = None


class AskRecovery(Asked, kw_only=True):
    """What becomes of a Disrupted unit, or of an HQ's level; of all that can recover when none is named."""

    unit: str = ""
    interdiction: int | None = None


# --- command and supply ----------------------------------------------------------------------------------------------


def command_state(g: Board, u: Unit) -> dict[str, Any]:
    """PA-command, PA-OOC, PA-isolation The state of a combat unit, its path and what Actions cost it."""
    state, hq = command_of(g, u), g.hq_of(g.command[u])
    rule = ("PA-command.2", "PA-OOC.2b", "PA-command.5")[state]
    found: dict[str, Any] = {"state": COMMAND_WORDS[state], "formation": g.forces.commands[g.command[u]], "rule": rule}
    if hq != NO_UNIT:
        path = [g.hex_name(h) for h in reversed(command_path(g, u))][1:]
        n = command_distance(g, u)
        found |= {"hq": g.id(hq), "range": g.forces.range[hq], "distance": n if n >= 0 else None, "path": path}
    found["move_costs"] = cost_of(g, "movement", (u,)).total
    found["attacks"] = ["hasty", "regular", "prepared"] if state == IN_COMMAND else ["hasty"]
    if state == ISOLATED:
        found["check_to_act"] = str(chance_to_pass(g, u))
    return found


def command(g: Board, q: AskCommand) -> dict[str, Any]:
    if q.unit:
        u = named_unit(g, q.unit)
        if g.forces.hq[u]:
            raise BadInput(f"{q.unit} is an HQ, which commands itself", "$.unit")
        return {"unit": q.unit, **command_state(g, u)}
    f = index_of(g.forces.commands, q.formation, "formation", "$.formation") if q.formation else -1
    side = named_side(SIDES, q.side) if q.side else -1
    units = [
        u
        for u in range(len(g.forces))
        if g.on_map(u) and not g.forces.hq[u] and f in (-1, g.command[u]) and side in (-1, g.forces.side[u])
    ]
    return {"units": {g.id(u): command_state(g, u) for u in units}}


def supply_of(g: Board, u: Unit) -> dict[str, Any]:
    """PA-supply, RX-5.9 The supply of an HQ; any other unit has its command instead."""
    if not g.forces.hq[u]:
        return command_state(g, u)
    fed, f = in_supply(g, u), g.forces.command[u]
    state = "emergency supply" if g.status[u] & EMERGENCY else "expended" if g.status[u] & EXPENDED else "front side"
    found: dict[str, Any] = {
        "supplied": fed,
        "path": [g.hex_name(h) for h in supply_path(g, u)],
        "marker": state,
        "attack_support": g.forces.support[u] if can_support(g, u) else 0,
        "recovers": fed or not g.status[u] & EXPENDED,
        "rule": "PA-supply.1" if fed else "RX-5.9",
    }
    if tether_of(g, f) != g.map.grid.all:
        found["tether"] = g.charts.tethers[g.forces.commands[f]].rule
    return found


# --- points and Reactions --------------------------------------------------------------------------------------------


def _points(g: Board, level: int, *, red: bool) -> list[dict[str, Any]]:
    reading = g.reads("action_points")

    def of(die: int) -> int:
        found = g.charts.points_of(level, die, reading)
        return found.reaction if red else found.normal

    return chances(dict(sorted(by_dice(of, g.numbers.die.sides).items())))


def points(g: Board, q: AskPoints) -> dict[str, Any]:
    f = index_of(g.forces.commands, q.formation, "formation", "$.formation")
    level = g.levels[f] if q.level is None else q.level
    found: dict[str, Any] = {"formation": q.formation, "level": level, "rule": "PA-APT"}
    if q.level is None and (refusal := why_not_act(g, f)):
        return {**found, **no(refusal)}
    if not 1 <= level <= 7:
        raise BadInput(f"a level is 1 to 7, not {level}", "$.level")
    table = [g.charts.points_of(level, die, g.reads("action_points")) for die in range(1, g.numbers.die.sides + 1)]
    return {
        **found,
        "normal": {str(die): p.normal for die, p in enumerate(table, 1)},
        "reaction": {str(die): p.reaction for die, p in enumerate(table, 1)},
        "chances": _points(g, level, red=False),
        "chances_of_reaction": _points(g, level, red=True),
    }


def reaction(g: Board, q: AskReaction) -> dict[str, Any]:
    """RX-6.4 By formation: why it may not react, or its chance and the red Action Points."""
    h, side = named_hex(g, q.hex), named_side(SIDES, q.side)
    acting = next((p for p in reversed(g.stack) if isinstance(p, Activation) and p.side != side), None)
    by = {g.forces.commands[f]: _reaction(g, side, f, h, acting) for f in g.formations_of(side)}
    return {"hex": q.hex, "side": q.side, "formations": by, "rule": "RX-6.4.1"}


def _reaction(g: Board, side: int, f: Formation, h: int, acting: Activation | None) -> dict[str, Any]:
    """Of a formation, to a move of the enemy formation that is acting, or of one that begins to."""
    refusal = None if acting is None else acting.why_no_reaction(g)
    if refusal := refusal or why_not_react(g, side, f, h, () if acting is None else acting.tried):
        return no(refusal)
    added = g.numbers.checks.surprise if is_surprised(g, side) else 0
    rating, sides = g.forces.reaction[g.hq_of(f)], g.numbers.die.sides
    chance = Fraction(min(max(rating - added, 0), sides), sides)
    return {
        "legal": True,
        "triggers": [g.id(u) for u in triggers_of(g, f, h)],
        "rating": rating,
        "modifier": added,
        "chance": str(chance),
        "level": g.levels[f],
        "points": _points(g, g.levels[f], red=True),
    }


# --- recovery --------------------------------------------------------------------------------------------------------


def recovery(g: Board, q: AskRecovery) -> dict[str, Any]:
    level = g.track("interdiction") if q.interdiction is None else q.interdiction
    if not 0 <= level <= 2:
        raise BadInput(f"a level of interdiction is 0 to 2, not {level}", "$.interdiction")
    if q.unit:
        u = named_unit(g, q.unit)
        return {"unit": q.unit, **(_levels(g, u, level) if g.forces.hq[u] else _unit(g, u))}
    units = [u for u in range(len(g.forces)) if g.on_map(u) and (g.forces.hq[u] or g.is_disrupted(u))]
    return {"units": {g.id(u): _levels(g, u, level) if g.forces.hq[u] else _unit(g, u) for u in units}}


def _levels(g: Board, hq: Unit, interdiction: int) -> dict[str, Any]:
    """RX-8.2, RX-5.9 The level after the next Recovery segment."""
    f, fed = g.forces.command[hq], in_supply(g, hq)
    recovers = fed or not g.status[hq] & EXPENDED
    most, gain = g.forces.reaction[hq], 0
    if recovers:
        gain = g.charts.recovery_of(SIDES[g.forces.side[hq]], most, interdiction)
    after = max(g.levels[f], min(most, g.levels[f] + gain))
    found = {"level": g.levels[f], "gain": gain, "after": after, "most": most, "supplied": fed, "rule": "RX-8.2"}
    return found if fed else {**found, "uses_emergency_supply": recovers, "rule": "RX-5.9"}


def _unit(g: Board, u: Unit) -> dict[str, Any]:
    """RX-7.6, RX-8.1, PA-attrition What a Refit Action and the Recovery segment do to a unit."""
    state = command_of(g, u)
    found: dict[str, Any] = {"disrupted": g.is_disrupted(u), "command": COMMAND_WORDS[state]}
    if not g.is_disrupted(u):
        return found
    passes = chance_to_pass(g, u, shelter=True)
    first = Fraction(1)
    if state == ISOLATED and g.reads("isolated_refit") == "checks_first":
        first = chance_to_pass(g, u)
        found["check_to_act"] = str(first)
    found["refit"] = {
        "cost": cost_of(g, "refit", (u,)).as_json(),
        "effectiveness": g.forces.effectiveness[u],
        "modifier": check_modifiers(g, u, shelter=True).as_json(),
        "chance": str(first * passes),
        "rule": "RX-7.6",
    }
    by_check = g.reads("recovery_from_disruption") == "by_check"
    chance = (passes if by_check else Fraction(1)) if state == IN_COMMAND else Fraction(0)
    found["recovery_segment"] = {"chance": str(chance), "rule": "RX-8.1" if state == IN_COMMAND else "PA-OOC.4"}
    if state == ISOLATED:
        shelter = g.numbers.checks.pillbox if is_sheltered(g, u) else 0
        rating = g.forces.effectiveness[u] - shelter
        lost = by_dice(lambda die: min(g.steps[u], g.charts.attrition_of(die - rating)), g.numbers.die.sides)
        found["attrition"] = {"strength_lost": chances(dict(sorted(lost.items()))), "rule": "PA-attrition.1"}
    return found
