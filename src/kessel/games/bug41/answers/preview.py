"""What a choice would do, before it is made: the way and its cost, the odds of an attack."""

from __future__ import annotations

from typing import Any

from kessel.core.procedure import Action
from kessel.games.bug41.board import Board
from kessel.games.bug41.combat.checks import chance_to_pass, is_surprised
from kessel.games.bug41.combat.odds import odds_of
from kessel.games.bug41.combat.retreat import Retreat, is_costly
from kessel.games.bug41.combat.strength import HASTY, PREPARED, REGULAR
from kessel.games.bug41.data.charts import HALF
from kessel.games.bug41.movement.move import Move
from kessel.games.bug41.movement.relocation import relocation_path, relocation_price
from kessel.games.bug41.turn.actions import cost_of
from kessel.games.bug41.turn.activation import Activation, Reaction
from kessel.wargame.points import shown


def preview(g: Board, action: Action) -> dict[str, Any]:
    p = g.stack[-1] if g.stack else None
    if isinstance(p, Move) and action[0] in ("to", "step"):
        return _way(g, p, action)
    if isinstance(p, Move) and action[0] == "infiltrate":
        return {"chances": {g.id(u): str(chance_to_pass(g, u)) for u in p.units}, "rule": "PA-infil.3"}
    if isinstance(p, Activation):
        return _action(g, p, action)
    if isinstance(p, Reaction) and action[0] == "react":
        return _reaction(g, p, action[1])
    if isinstance(p, Retreat) and action[0] == "retreat":
        costly = [g.hex_name(h) for h in action[1] if is_costly(g, p.side, h)]
        return {"path": [g.hex_name(h) for h in action[1]], "costly": costly, "rule": "RX-7.5.ret"}
    return {}


def _way(g: Board, p: Move, action: Action) -> dict[str, Any]:
    ways, h = p.ways(g), action[1]
    price = p.paid or cost_of(g, "movement", p.units).total
    return {
        "path": [g.hex_name(x) for x in ways.path(h)],
        "cost": shown(ways.cost[h], HALF),
        "action_points": price,
        "stops": ways.stops(h),
        "leg_bonus": ways.has_bonus(h),
    }


def _action(g: Board, p: Activation, action: Action) -> dict[str, Any]:
    verb = action[0]
    if verb in (HASTY, REGULAR, PREPARED):
        odds = odds_of(g, p.formation, verb, action[1], action[2])
        return {**odds.as_json(g), "cost": cost_of(g, f"{verb}_attack", action[2]).as_json()}
    if verb == "move":
        return {"cost": cost_of(g, "movement", action[1]).as_json()}
    if verb == "relocate":
        hq = g.hq_of(p.formation)
        way = [g.hex_name(h) for h in relocation_path(g, hq, action[1])]
        return {"path": way, "action_points": relocation_price(g, hq, action[1])}
    if verb == "refit":
        units = [u for u in g.of_formation(p.formation, action[1]) if g.is_disrupted(u)]
        chances = {g.id(u): str(chance_to_pass(g, u, shelter=True)) for u in units}
        return {"chances": chances, "cost": cost_of(g, "refit", units).as_json()}
    if verb == "improve":
        return {"cost": cost_of(g, "improved_defense", g.of_formation(p.formation, action[1])).as_json()}
    return {}


def _reaction(g: Board, p: Reaction, word: str) -> dict[str, Any]:
    f = g.forces.commands.index(word)
    rating = g.forces.reaction[g.hq_of(f)] - g.numbers.checks.surprise * is_surprised(g, p.side)
    sides = g.numbers.die.sides
    return {"rating": rating, "probability": min(max(rating, 0), sides) / sides, "level": g.levels[f]}
