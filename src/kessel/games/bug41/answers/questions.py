"""The questions a position can ask: the standard ones by this game's rules, and attacks by their kind."""

from __future__ import annotations

from typing import Any, cast

from kessel.core.breakdown import Breakdown, Refusal
from kessel.core.forces import NO_UNIT, Unit
from kessel.core.hexes import Hex
from kessel.core.paths import Reach
from kessel.core.title import Answerer
from kessel.games.bug41.board import Board
from kessel.games.bug41.combat.attack import why_not_attack
from kessel.games.bug41.combat.odds import odds_of
from kessel.games.bug41.data.charts import ATTACKS, HALF
from kessel.games.bug41.data.forces import SIDES
from kessel.games.bug41.movement.move import why_not_end, why_stays
from kessel.games.bug41.movement.reach import Group, allowance, ways_of
from kessel.games.bug41.movement.stacking import why_not_stack
from kessel.games.bug41.movement.zones import near_units, zone_of
from kessel.games.bug41.notation import NOTATION
from kessel.games.bug41.supply.command import COMMAND_WORDS, command_distance, command_of, command_path
from kessel.games.bug41.supply.supply import in_supply, supply_path
from kessel.games.bug41.turn.actions import cost_of
from kessel.games.bug41.turn.victory import result, victory_points
from kessel.wargame.board import other
from kessel.wargame.questions import Answers, AskAttack
from kessel.wargame.reading import named_hex, named_units, no, one_of


class AskAttackOfKind(AskAttack, kw_only=True):
    """An attack: hasty, regular or prepared."""

    kind: str = "regular"


def _group(g: Board, u: Unit) -> Group:
    return Group((u,), boats=g.numbers.movement.boats_per_activation)


def why_not_move_alone(g: Board, u: Unit) -> Refusal | None:
    return why_stays(g, g.command[u], u)


def allowance_of(g: Board, u: Unit) -> Breakdown:
    """With the bonus of leg units where the start does not forbid it."""
    near = near_units(g, other(g.forces.side[u])) >> g.place[u] & 1
    return allowance(g, u, bonus=not near)


def reach_of(g: Board, u: Unit) -> Reach:
    return cast(Reach, ways_of(g, _group(g, u)))


def why_not_end_alone(g: Board, u: Unit, h: Hex) -> Refusal | None:
    return why_not_end(g, _group(g, u), h)


def supply(g: Board, u: Unit) -> dict[str, Any]:
    """Supply of an HQ; command of any other unit."""
    if g.forces.hq[u]:
        path = [g.hex_name(h) for h in supply_path(g, u)]
        return {"supplied": in_supply(g, u), "path": path, "rule": "PA-supply.1"}
    hq, path = g.hq_of(g.command[u]), [g.hex_name(h) for h in command_path(g, u)]
    found: dict[str, Any] = {"state": COMMAND_WORDS[command_of(g, u)], "path": path, "rule": "PA-command.2"}
    if hq != NO_UNIT:
        found |= {"hq": g.name(hq), "range": g.forces.range[hq], "distance": command_distance(g, u)}
    return found


def attack(g: Board, q: AskAttackOfKind) -> dict[str, Any]:
    """The odds of an attack, whatever Action Points are left."""
    target, units = named_hex(g, q.target, "$.target"), named_units(g, q.units, "$.units")
    kind = one_of(ATTACKS, q.kind, "kind of attack", "$.kind")
    f = g.command[units[0]] if units else 0
    found: dict[str, Any] = {"target": q.target, "units": list(q.units), "kind": kind}
    cost = cost_of(g, f"{kind}_attack", units)
    if refusal := why_not_attack(g, f, kind, target, units, cost.total):
        return {**found, **no(refusal)}
    return {**found, "legal": True, "cost": cost.as_json(), **odds_of(g, f, kind, target, units).as_json(g)}


def victory(g: Board) -> dict[str, Any]:
    found = result(g)
    winner = None if found.winner is None else SIDES[found.winner]
    return {"points": victory_points(g).as_json(), "level": found.level, "winner": winner, "rule": found.rule}


QUESTIONS = {
    **Answers(
        *(SIDES, NOTATION, HALF, why_not_move_alone, allowance_of, reach_of, why_not_end_alone),
        *(zone_of, "RX-5.3", supply, why_not_stack, victory),
    ).questions(),
    "attack": Answerer(AskAttackOfKind, attack, "strengths, modifiers and exact chances of an attack"),
}
