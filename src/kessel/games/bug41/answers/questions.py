"""The questions a position can ask. `moving`, `fighting` and `acting` answer those this game has of its own."""

from __future__ import annotations

from typing import Any, cast

from kessel.core.breakdown import Breakdown, Refusal
from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.core.hexset import bits
from kessel.core.paths import Reach
from kessel.core.title import Answerer
from kessel.games.bug41.answers.acting import (
    AskCommand,
    AskPoints,
    AskReaction,
    AskRecovery,
    command,
    points,
    reaction,
    recovery,
    supply_of,
)
from kessel.games.bug41.answers.fighting import AskAttackOfKind, AskRetreat, attack, retreat
from kessel.games.bug41.answers.moving import AskMarch, allowance_of, boats_of, moves
from kessel.games.bug41.board import Board
from kessel.games.bug41.data.charts import HALF
from kessel.games.bug41.data.forces import SIDES
from kessel.games.bug41.movement.move import why_not_end, why_stays
from kessel.games.bug41.movement.reach import Group, ways_of
from kessel.games.bug41.movement.stacking import why_not_stack
from kessel.games.bug41.movement.zones import has_zone, is_in_zone_of, zone_of
from kessel.games.bug41.notation import NOTATION
from kessel.games.bug41.turn.victory import loss_points, result, victory_points
from kessel.wargame.questions import Answers, AskSupply, AskZoc
from kessel.wargame.reading import hex_names, named_side, named_unit


def _group(g: Board, u: Unit) -> Group:
    return Group((u,), boats=boats_of(g, g.command[u]))


def why_not_move_alone(g: Board, u: Unit) -> Refusal | None:
    return why_stays(g, g.command[u], u)


def allowance_alone(g: Board, u: Unit) -> Breakdown:
    return allowance_of(g, u)


def reach_of(g: Board, u: Unit) -> Reach:
    return cast(Reach, ways_of(g, _group(g, u)))


def why_not_end_alone(g: Board, u: Unit, h: Hex) -> Refusal | None:
    return why_not_end(g, _group(g, u), h)


def zones(g: Board, q: AskZoc) -> dict[str, Any]:
    """The zones of a side, and of each of its units."""
    found: dict[str, Any] = {"rule": "RX-5.3"}
    for side in [named_side(SIDES, q.side)] if q.side else range(len(SIDES)):
        units = [u for u in g.forces.of_side(side) if has_zone(g, u)]
        of = {u: bits(h for h in g.map.grid.around[g.place[u]] if is_in_zone_of(g, u, h)) for u in units}
        found[SIDES[side]] = {
            "from": hex_names(g, bits(g.place[u] for u in units)),
            "hexes": hex_names(g, zone_of(g, side)),
            "by_unit": {g.id(u): hex_names(g, s) for u, s in of.items()},
        }
    return found


def supplied(g: Board, q: AskSupply) -> dict[str, Any]:
    """The supply of HQs; other units have none of their own and are told their command."""
    if q.unit:
        return {"unit": q.unit, **supply_of(g, named_unit(g, q.unit))}
    wanted = [named_side(SIDES, q.side)] if q.side else range(len(SIDES))
    hqs = [u for side in wanted for u in g.forces.hqs(side) if g.on_map(u)]
    return {"units": {g.id(u): supply_of(g, u) for u in hqs}}


def victory(g: Board) -> dict[str, Any]:
    found, exact = result(g), loss_points(g)
    winner = None if found.winner is None else SIDES[found.winner]
    places = [v.hex for v in g.scenario.victory.hexes]
    places += [h for line in g.scenario.victory.holds for h in (*line.german, *line.soviet)]
    held = {name: SIDES[g.owner[g.map.grid.hex(name)]] for name in dict.fromkeys(places) if name in g.map.grid}
    return {
        "points": victory_points(g).as_json(),
        "losses": str(exact),
        "places": held,
        "level": found.level,
        "winner": winner,
        "rule": found.rule,
    }


ANSWERS = Answers(
    *(SIDES, NOTATION, HALF, why_not_move_alone, allowance_alone, reach_of, why_not_end_alone),
    *(zone_of, "RX-5.3", supply_of, why_not_stack, victory),
)
QUESTIONS = {
    **ANSWERS.questions(),
    "moves": Answerer(AskMarch, moves, "where units or an HQ can go, at what cost and risk, or which rule forbids it"),
    "zoc": Answerer(AskZoc, zones, "zones of control, of sides and of units"),
    "supply": Answerer(AskSupply, supplied, "the supply of HQs, by which path, and what it gives them"),
    "command": Answerer(
        AskCommand, command, "whether units are in command, out of it or isolated, and what Actions cost"
    ),
    "attack": Answerer(AskAttackOfKind, attack, "strengths, modifiers and exact chances of an attack"),
    "retreat": Answerer(AskRetreat, retreat, "the ways defenders can retreat, and what they cost"),
    "reaction": Answerer(AskReaction, reaction, "which formations can react to a move, with what chance and points"),
    "points": Answerer(AskPoints, points, "the Action Points of an activation, by the die"),
    "recovery": Answerer(AskRecovery, recovery, "what Refit, Recovery and attrition do to a unit, or to an HQ's level"),
}
