"""The questions a position can ask (docs/positions-stalingrad42.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from kessel.core.board import NOWHERE
from kessel.core.breakdown import Refusal
from kessel.core.errors import BadInput
from kessel.core.forces import Side, Unit
from kessel.core.hexes import NO_HEX
from kessel.core.hexset import members
from kessel.core.procedure import asked, legal, options, why_not
from kessel.core.title import Answerer, Asked
from kessel.core.zones import Bond
from kessel.games.stalingrad42.answers.preview import mps
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.data.forces import SIDES
from kessel.games.stalingrad42.movement import rail, sea
from kessel.games.stalingrad42.movement.entry import why_not_transfer
from kessel.games.stalingrad42.movement.moving import why_not_select
from kessel.games.stalingrad42.movement.ways.modes import (
    EXTENDED,
    MODE_WORDS,
    MODES,
    NORMAL,
    TACTICAL,
    allowance,
    why_not_mode,
)
from kessel.games.stalingrad42.movement.ways.reach import Group, areas_of, march_of, plan, short_of, way_to
from kessel.games.stalingrad42.movement.ways.stacking import stack_excess, stack_value, why_not_stack
from kessel.games.stalingrad42.movement.ways.why import explain_way, why_not_end, why_not_extended
from kessel.games.stalingrad42.movement.ways.zones import possible_bonds, why_not_bond, zoc
from kessel.games.stalingrad42.notation import NOTATION
from kessel.games.stalingrad42.sequence import movement_limit
from kessel.games.stalingrad42.supply.isolation import attrition_modifiers, exposed
from kessel.games.stalingrad42.supply.railroads import connecting_rail
from kessel.games.stalingrad42.supply.supply import UNLIMITED, is_isolated, line_of_supply, los
from kessel.games.stalingrad42.turn.victory import automatic_winner, benchmark, victory_points
from kessel.wargame.questions import AskLegal, AskVictory, parsed, played, told
from kessel.wargame.reading import hex_names, named_place, named_side, named_unit, one_of


def unit_of(g: Board, name: str, where: str = "$.unit") -> Unit:
    """A unit in a hex or an Entry Area."""
    u = named_unit(g, name, where, on_map=False)
    if g.place[u] == NOWHERE:
        raise BadInput(f"{name} is not on the board", where)
    return u


# --- moves ---------------------------------------------------------------------------------------------------------


class AskMoves(Asked):
    """Where a unit or stack can go; with `to`, one place with cost, path and breakdown, or the refusing rule."""

    unit: str = ""
    units: list[str] = msgspec.field(default_factory=list)
    mode: str = ""
    to: str = ""


def answer_moves(g: Board, a: AskMoves) -> dict[str, Any]:
    words = a.units or ([a.unit] if a.unit else [])
    if not words:
        raise BadInput("name a unit or units", "$.unit")
    units = tuple(sorted(unit_of(g, w, f"$.units[{i}]" if a.units else "$.unit") for i, w in enumerate(words)))
    one_of(("", *MODES), a.mode, "mode", "$.mode")
    if len({g.place[u] for u in units}) > 1 or len({g.forces.side[u] for u in units}) > 1:
        raise BadInput("units that move together stand in one place", "$.units")
    for u in units:
        if why := why_not_select(g, u, g.forces.side[u]):
            return {"units": words, "refusal": why.as_json()}
    group = Group(units, g.place[units[0]], limit=movement_limit(g, g.forces.side[units[0]]))
    if a.to:
        return {"units": words, "to": a.to, **_one_move(g, group, a)}
    return {
        "units": words,
        "allowance": mps(min(allowance(g, u) for u in units)),
        "moves": _all_moves(g, group, a.mode),
    }


def _one_move(g: Board, group: Group, a: AskMoves) -> dict[str, Any]:
    place = named_place(g, a.to, "$.to")
    if a.mode in OTHER_WAYS:
        return _other_way(g, group, place, a.mode)
    found = _by_land(g, group, place, MODES.get(a.mode, 0))
    if a.mode or "refusal" not in found:
        return found
    others = [_other_way(g, group, place, word) for word in OTHER_WAYS]
    for other in others:
        if "refusal" not in other:
            return other
    if not g.map.is_hex(group.place):  # between Entry Areas and over the Strait no land way is to be explained
        if not g.map.is_hex(place):
            return others[OTHER_WAYS.index("transfer")]
        if group.place in g.ground.kerch_boxes:
            return others[OTHER_WAYS.index("strait")]
    return found


def _by_land(g: Board, group: Group, place: int, mode: int) -> dict[str, Any]:
    far = group._replace(extended=True)
    if mode == EXTENDED or (not mode and not plan(g, group).mode_to(place) and plan(g, far).mode_to(place)):
        if why := why_not_extended(g, group):
            return {"refusal": why.as_json()}
        group = far
    if why := why_not_end(g, group, place, mode):
        return {"refusal": why.as_json()}
    used = mode or plan(g, group).mode_to(place)
    way = way_to(g, group, place, used)
    cost = explain_way(g, group, way, used)
    return {
        "mode": MODE_WORDS[used],
        "cost": cost.total if used == TACTICAL else mps(cost.total),
        "path": [g.place_name(p) for p in way],
        "breakdown": cost.as_json(),
    }


OTHER_WAYS = ("rail", "sea", "strait", "transfer")
"""Kinds of movement that cost no Movement Points by the hex: 5.6, 5.7.1, 5.7.2, 22.6."""


def _other_way(g: Board, group: Group, place: int, word: str) -> dict[str, Any]:
    u = group.units[0]
    why: Refusal | None
    if group.limit and (why := why_not_mode(g, u, MODES[word], group.limit)):
        return {"refusal": why.as_json()}
    if word == "transfer":
        why = why_not_transfer(g, group.units, place)
    elif len(group.units) > 1:
        why = Refusal("5.6.1", "units do this one by one")
    elif word == "sea" and (way := sea.landings(g, u).get(place)):
        return {"mode": word, "path": [g.place_name(p) for p in way]}
    elif word == "strait":
        why = sea.why_not_strait(g, u)
        if why is None and place != sea.taman(g):
            why = Refusal("5.7.2", "the Kerch Strait is crossed from Entry Area W to Taman")
    else:
        why = rail.why_not_end(g, u, place) if word == "rail" else sea.why_not_end(g, u, place)
    return {"refusal": why.as_json()} if why else {"mode": word}


def _all_moves(g: Board, group: Group, word: str) -> list[dict[str, Any]]:
    answer = _land_moves(g, group) if not word else _moves_by(g, group, MODES[word])
    u = group.units[0]
    places: dict[str, list[int]] = {}
    if len(group.units) == 1:
        strait = [sea.taman(g)] if sea.why_not_strait(g, u) is None else []
        places = {"rail": rail.ends(g, u), "sea": list(sea.landings(g, u)), "strait": strait}
    places["transfer"] = [p for p in g.ground.entry_boxes if why_not_transfer(g, group.units, p) is None]
    for kind, ends in places.items():
        if word in ("", kind) and not (group.limit and why_not_mode(g, u, MODES[kind], group.limit)):
            answer.extend({"to": g.place_name(p), "mode": kind} for p in ends)
    return answer


def _land_moves(g: Board, group: Group) -> list[dict[str, Any]]:
    """All places within reach by land, each with the first kind of movement that leads there."""
    moves: dict[int, dict[str, Any]] = {}
    for one in (group, group._replace(extended=True)):
        found = plan(g, one)
        for p in (*members(found.marched | found.tactical), *found.areas):
            if p not in moves:
                moves[p] = _move_json(g, one, p, found.mode_to(p), found.way(p))
    return list(moves.values())


def _moves_by(g: Board, group: Group, mode: int) -> list[dict[str, Any]]:
    """All places within reach by one kind of movement by land; by Extended Movement those that need it."""
    if mode not in (NORMAL, EXTENDED, TACTICAL):
        return []
    one = group._replace(extended=mode == EXTENDED)
    places = [p for p in _reached(g, one, mode) if mode != EXTENDED or p not in _reached(g, group, NORMAL)]
    return [_move_json(g, one, p, mode, way_to(g, one, p, mode)) for p in places]


def _reached(g: Board, group: Group, mode: int) -> list[int]:
    found = short_of(g, group) if mode == TACTICAL else march_of(g, group)
    return [*members(found.hexes), *areas_of(g, group, mode)] if found is not None else []


def _move_json(g: Board, group: Group, place: int, mode: int, way: tuple[int, ...]) -> dict[str, Any]:
    cost = explain_way(g, group, way, mode).total
    return {"to": g.place_name(place), "mode": MODE_WORDS[mode], "cost": cost if mode == TACTICAL else mps(cost)}


# --- zoc -----------------------------------------------------------------------------------------------------------


class AskZoc(Asked):
    """A side's Zones of Control and ZOC Bonds, and what keeps other pairs of units from a bond."""

    side: str


def answer_zoc(g: Board, a: AskZoc) -> dict[str, Any]:
    side = named_side(SIDES, a.side)
    good, bad = [], []
    for b in possible_bonds(g, side):
        why = why_not_bond(g, side, b)
        if why is None:
            good.append(_bond_json(g, b))
        else:
            bad.append({**_bond_json(g, b), "refusal": why.as_json()})
    return {"side": a.side, "hexes": hex_names(g, zoc(g, side)), "bonds": good, "no_bonds": bad}


def _bond_json(g: Board, b: Bond) -> dict[str, Any]:
    def name(h: int) -> str:
        return "map edge" if h == NO_HEX else g.hex_name(h)

    return {"kind": "hex" if b.over_hex else "hexside", "from": name(b.a), "to": name(b.b), "over": [*map(name, b.via)]}


# --- supply --------------------------------------------------------------------------------------------------------


class AskSupply(Asked):
    """Whether a unit (or a side's units in a hex) has a Line of Supply, by which path; whether it is Isolated."""

    unit: str = ""
    hex: str = ""
    side: str = ""


def answer_supply(g: Board, a: AskSupply) -> dict[str, Any]:
    if a.unit:
        u = unit_of(g, a.unit)
        side, place = g.forces.side[u], g.place[u]
        if not g.map.is_hex(place):
            alone = is_isolated(g, u)
            state = "in supply" if los(g, u) else "isolated" if alone else "out of supply"
            return {"unit": a.unit, "state": state, "isolated": alone} | (_attrition(g, u) if alone else {})
    else:
        side, place = named_side(SIDES, a.side), named_place(g, a.hex, "$.hex")
        if not g.map.is_hex(place):
            raise BadInput("supply is asked for a unit or a hex", "$.hex")
    found = _line_json(g, place, side, 0)
    unlimited = _line_json(g, place, side, UNLIMITED)
    answer: dict[str, Any] = {"unit": a.unit} if a.unit else {"hex": a.hex, "side": a.side}
    state = "in supply" if found else "out of supply" if unlimited else "isolated"
    answer |= {
        "state": state,
        "line": found,
        "unlimited_line": unlimited,
        "connecting_rail": bool(connecting_rail(g, side) >> place & 1),
    }
    if a.unit and state == "isolated":
        answer |= _attrition(g, unit_of(g, a.unit))
    return answer


def _attrition(g: Board, u: Unit) -> dict[str, Any]:
    return {"attrition": exposed(g, u), "attrition_modifier": attrition_modifiers(g, u).as_json()}


def _line_json(g: Board, h: int, side: Side, limit: int) -> dict[str, list[str]] | None:
    line = line_of_supply(g, h, side, limit=limit)
    if line is None:
        return None
    return {"overland": g.map.grid.names(line[0]), "road": g.map.grid.names(line[1])}


# --- stacking ------------------------------------------------------------------------------------------------------


class AskStacking(Asked):
    """Whether a side's units in a hex keep the stacking limit; `units` asks for other units instead."""

    side: str
    hex: str = ""
    units: list[str] = msgspec.field(default_factory=list)


def answer_stacking(g: Board, a: AskStacking) -> dict[str, Any]:
    side = named_side(SIDES, a.side)
    if a.units:
        units = [unit_of(g, w, f"$.units[{i}]") for i, w in enumerate(a.units)]
        excess = max(0, stack_value(g, units, side).total)
    else:
        place = named_place(g, a.hex, "$.hex")
        units = [u for u in g.units(place) if g.forces.side[u] == side]
        excess = stack_excess(g, place, side)
    why = why_not_stack(g, units, side)
    return {
        "side": a.side,
        "units": [g.id(u) for u in units],
        "excess": max(0, excess),
        "refusal": why.as_json() if why else None,
        "breakdown": stack_value(g, units, side).as_json(),
    }


# --- legal ---------------------------------------------------------------------------------------------------------


def answer_legal(g: Board, a: AskLegal) -> dict[str, Any]:
    h = played(g, NOTATION, a.after, a.dice)
    found: dict[str, Any] = {"side": SIDES[asked(h)] if h.stack else None}
    if a.after or a.dice or h.events:
        found["told"] = told(h)
    if a.action:
        action = parsed(h, NOTATION, a.action, "$.action")
        why = why_not(h, action) if h.stack else Refusal("3.B", "the phase is over")
        return found | {"action": a.action, "legal": why is None, "refusal": why.as_json() if why else None}
    if h.stack:
        found["prompt"] = options(h).prompt
    return found | {"actions": [NOTATION.text(h, x) for x in legal(h)] if h.stack else []}


# --- victory -------------------------------------------------------------------------------------------------------


def answer_victory(g: Board, a: AskVictory) -> dict[str, Any]:
    points = victory_points(g)
    winner = automatic_winner(g, points.total)
    return {
        "points": points.as_json(),
        "benchmark": benchmark(g),
        "automatic_victory": None if winner is None else SIDES[winner],
    }


QUESTIONS: Mapping[str, Answerer] = {
    "moves": Answerer(AskMoves, answer_moves, "where a unit or stack can go, by what kind of movement, at what cost"),
    "zoc": Answerer(AskZoc, answer_zoc, "Zones of Control and ZOC Bonds of a side, and what negates the others"),
    "supply": Answerer(AskSupply, answer_supply, "Line of Supply, unlimited line, connecting rail, isolation"),
    "stacking": Answerer(AskStacking, answer_stacking, "whether units may stack in a hex"),
    "legal": Answerer(AskLegal, answer_legal, "all legal actions now"),
    "victory": Answerer(AskVictory, answer_victory, "the Axis' Victory Points, the benchmark and who wins by it"),
}
