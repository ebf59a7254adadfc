"""What a listed action would do, before it is done: for the client that shows it and the person who wonders."""

from __future__ import annotations

from typing import Any

from kessel.core.board import Place
from kessel.core.breakdown import Refusal
from kessel.core.forces import NO_UNIT, Side, Unit
from kessel.core.procedure import Action, Procedure
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.combat.after.advance import Advance
from kessel.games.stalingrad42.combat.after.advance_paths import ends_at, vacated_hex
from kessel.games.stalingrad42.combat.after.breakthrough import Breakthrough
from kessel.games.stalingrad42.combat.after.retreat import Retreat
from kessel.games.stalingrad42.combat.auto_ds import AutomaticDS
from kessel.games.stalingrad42.combat.auto_ds import contributors as auto_ds_units
from kessel.games.stalingrad42.combat.battle import battle
from kessel.games.stalingrad42.combat.chances import WORDS, attempt
from kessel.games.stalingrad42.combat.combat import Combat, why_not_odds
from kessel.games.stalingrad42.combat.combat_phase import CombatPhase
from kessel.games.stalingrad42.combat.crt import column_name, tables
from kessel.games.stalingrad42.combat.defense import DeterminedDefense, defense_column, defense_modifier
from kessel.games.stalingrad42.combat.odds import outlook
from kessel.games.stalingrad42.combat.results import StepLoss
from kessel.games.stalingrad42.combat.strength.air import air_names
from kessel.games.stalingrad42.combat.strength.eligibility import attackers_of, why_not_mix
from kessel.games.stalingrad42.combat.strength.shifts import assess
from kessel.games.stalingrad42.combat.strength.strengths import Attack
from kessel.games.stalingrad42.data.charts import POINT
from kessel.games.stalingrad42.movement.movement import March
from kessel.games.stalingrad42.movement.movement_phase import MovementPhase
from kessel.games.stalingrad42.movement.ways.modes import MODES, TACTICAL, allowance
from kessel.games.stalingrad42.movement.ways.reach import Group, field, plan
from kessel.games.stalingrad42.movement.ways.why import explain_way
from kessel.games.stalingrad42.supply.supply import is_area_in_supply, supply

COLUMNS = {"clear_desert": "clear or desert", "other": "other ground", "city": "city"}
"""11.2.1 The columns of the Determined Defense Table in words."""


def preview(g: Board, action: Action) -> dict[str, Any]:
    """Cost and way of a move, strengths and chances of an attack, the price of a retreat. Changes nothing."""
    p = g.stack[-1] if g.stack else None
    if isinstance(p, March):
        return _march(g, p, action)
    if isinstance(p, MovementPhase):
        return _pick(g, p, action)
    if isinstance(p, CombatPhase):
        return _target(g, p.side, action) if action[0] == "attack" else {}
    if isinstance(p, Combat | AutomaticDS):
        return _battle(g, p, action)
    if isinstance(p, Breakthrough) and action[0] == "strike":
        return odds(g, p.attack(g, action[1]))
    if isinstance(p, Breakthrough) and action[0] == "go":
        return _advance(g, p, action)
    return _after_combat(g, p, action)


def mps(halves: int) -> float | int:
    return halves // POINT if halves % POINT == 0 else halves / POINT


def names(g: Board, places: tuple[Place, ...]) -> list[str]:
    return [g.place_name(p) for p in places]


def supply_word(g: Board, place: Place, side: Side) -> str:
    good = supply(g, side).starts >> place & 1 if g.map.is_hex(place) else is_area_in_supply(g, place, side)
    return "in supply" if good else "out of supply"


# --- movement --------------------------------------------------------------------------------------------------------


def _pick(g: Board, p: MovementPhase, action: Action) -> dict[str, Any]:
    if action[0] == "move":
        u = action[1]
        return {"allowance": mps(allowance(g, u)), "supply": supply_word(g, g.place[u], p.side)}
    if action[0] == "auto_ds":
        return odds(g, Attack(p.side, action[1], tuple(auto_ds_units(g, action[1], p.side))))
    return {}


def _march(g: Board, p: March, action: Action) -> dict[str, Any]:
    group = p.group(g)
    if action[0] in ("to", "step"):
        return _move(g, group, action[1], MODES[action[2]], whole=action[0] == "to")
    if action[0] in ("rail", "sail", "transfer"):
        place = action[1]
        way = [g.place_name(group.place), g.place_name(place)]
        return {"mode": action[0], "path": way, "must_stop": True, "supply": supply_word(g, place, p.side)}
    if action[0] == "extended":
        far = plan(g, group._replace(extended=True)).marched
        more = g.charts.constant("extended_movement")
        return {"allowance": mps(allowance(g, p.units[0])) + more, "hexes": far.bit_count()}
    return {}


def _move(g: Board, group: Group, place: Place, mode: int, *, whole: bool) -> dict[str, Any]:
    """5.1 The way, what it costs in MPs (in hexes for Tactical Movement), and how the unit stands at its end."""
    side = g.forces.side[group.units[0]]
    way = plan(g, group).way(place) if whole else (place,)
    cost = explain_way(g, group, way, mode)
    on_map = g.map.is_hex(place)
    zone = bool(on_map and field(g, side).zone >> place & 1)
    spent = max(group.spent, default=0)
    left = min(allowance(g, u) for u in group.units) - spent - cost.total
    found: dict[str, Any] = {
        "path": names(g, way),
        "cost": cost.total if mode == TACTICAL else mps(cost.total),
        "unit_of_cost": "hexes" if mode == TACTICAL else "MP",
    }
    if mode != TACTICAL and not group.extended:
        found["left"] = mps(max(0, left))
    found["must_stop"] = zone or not on_map
    found["enemy_zone"] = zone
    found["supply"] = supply_word(g, place, side)
    found["breakdown"] = cost.as_json()
    return found


# --- attacks ---------------------------------------------------------------------------------------------------------


def odds(g: Board, a: Attack, dice: int = 1) -> dict[str, Any]:
    """8.3 Strengths, shifts and column of an attack as it stands, and the exact chances of its ends."""
    now = assess(g, a, quiet=False)
    found = now.as_json()
    if dice > 1:
        found["dice"] = dice
    if now.too_low:
        hope = f"support must raise the odds to {column_name(tables(g.charts).lowest)} at the least"
        found["too_low"] = (why_not_odds(g, a) or Refusal("8.4.1", hope)).as_json()
    return found | outlook(g, a, dice)


def _target(g: Board, side: Side, action: Action) -> dict[str, Any]:
    """The attack with all units that may take part."""
    units: tuple[Unit, ...] = ()
    for u in attackers_of(g, action[1], side):
        if why_not_mix(g, (*units, u), action[1]) is None:
            units = (*units, u)
    return {"with": [g.id(u) for u in units], **odds(g, Attack(side, action[1], tuple(sorted(units))))}


def _battle(g: Board, p: Combat | AutomaticDS, action: Action) -> dict[str, Any]:
    a, dice = p.attack(), p.dice
    verb = action[0]
    if verb == "add":
        a = a._replace(units=tuple(sorted((*a.units, action[1]))))
    elif verb == "remove":
        a = a._replace(units=tuple(u for u in a.units if u != action[1]))
    elif verb == "air" and p.step is not None and p.step.name == "support":
        a = a._replace(air=air_names(g).index(action[1]))
    elif verb == "air":
        a = a._replace(defensive_air=air_names(g).index(action[1]))
    elif verb == "artillery":
        a = a._replace(guns=(*a.guns, action[1]))
    elif verb == "offensive":
        dice += 1
    elif verb == "exclude":
        a = a._replace(excess=(*a.excess, action[1]))
    elif verb not in ("declare", "pass"):
        return {}
    return odds(g, a, dice) if a.units else {}


# --- after the die ---------------------------------------------------------------------------------------------------


def _after_combat(g: Board, p: Procedure | None, action: Action) -> dict[str, Any]:
    if isinstance(p, DeterminedDefense):
        return _defense(g, p, action)
    if isinstance(p, Retreat) and action[0] == "retreat":
        return _retreat(g, p, action)
    if isinstance(p, StepLoss) and action[0] == "lose":
        u = action[1]
        left = g.steps[u] - 1
        return {"unit": g.id(u), "from": str(g.face(u)), "to": str(g.forces.faces[u][left]) if left else "eliminated"}
    return {}


def _defense(g: Board, p: DeterminedDefense, action: Action) -> dict[str, Any]:
    """11.2.4 The modifiers and the exact chances of a Determined Defense."""
    b = battle(g)
    a, result, lead, desperate, supported = b.attack(), b.result(g), p.lead, p.desperate, p.supported
    if action[0] in ("defend", "desperate", "lead"):
        lead, desperate = action[1], desperate or action[0] == "desperate"
    elif action[0] in ("air", "artillery"):
        supported = True
    elif lead == NO_UNIT:
        return {"result": str(result), "retreat": result.retreat, "becomes": result.state.replace("_", " ")}
    found = attempt(g, a, result, lead, desperate=desperate, supported=supported, delays=p.delays)
    drm = defense_modifier(g, lead, a.target, result, supported=supported, quiet=False)
    return {
        "column": COLUMNS[defense_column(g, a.target, p.side)],
        "modifier": drm.as_json(),
        "chances": {WORDS.get(o, o): float(c) for o, c in found.items()},
    }


def _retreat(g: Board, p: Retreat, action: Action) -> dict[str, Any]:
    """12.1.3 How the end satisfies the guidelines, and what it costs."""
    _, units, path = action
    end = next((e for e in p._ends(g, units) if e.path == tuple(path)), None)
    if end is None:
        return {}
    found: dict[str, Any] = {"path": names(g, end.path), "kind": end.kind, "cost": end.pay}
    found["supply"] = "in supply" if end.los else "out of supply"
    if end.pay:
        found["price"] = [{"what": "steps for a shortened retreat", "rule": "12.1.3", "value": end.pay}]
    if p.state:
        found["becomes"] = p.state.replace("_", " ")
    return found


def _advance(g: Board, p: Breakthrough, action: Action) -> dict[str, Any]:
    """14.2, 15.2.4 What an advance takes of the hexes left, and whether it ends there."""
    way: tuple[Place, ...] = tuple(action[1])
    if isinstance(p, Advance) and p.mover != NO_UNIT:
        u, have = p.mover, p.left
    else:
        u = p.group[0]
        have = min(dict(p.open)[v] for v in p.group) - p.spent
    here = way[-2] if len(way) > 1 else g.place[u]
    end = ends_at(g, u, here, way[-1], vacated_hex(g, p.side, p.target))
    return {
        "path": names(g, way),
        "cost": len(way),
        "left": 0 if end else max(0, have - len(way)),
        "must_stop": bool(end),
        "enemy_zone": end == "ezoc",
        "supply": supply_word(g, way[-1], p.side),
    }
