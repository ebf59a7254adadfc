"""Questions about the terms of 9.3, about garrisons (15) and about the cards of a Soviet impulse (8.1)."""

from __future__ import annotations

from typing import Any, Literal

from kessel.core.breakdown import Refusal
from kessel.core.errors import BadInput
from kessel.core.forces import Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import bits, members
from kessel.core.title import Answerer, Asked
from kessel.games.kharkov43.answers.names import named_card
from kessel.games.kharkov43.board import Board
from kessel.games.kharkov43.data.cards import Card
from kessel.games.kharkov43.data.charts import POINT
from kessel.games.kharkov43.data.forces import FRONTS, GERMAN, SIDES, SOVIET
from kessel.games.kharkov43.movement.movement import (
    PROXIMITY,
    REGULAR,
    reach_of,
    why_not_end,
    why_not_mobile,
    why_not_reach,
)
from kessel.games.kharkov43.movement.proximity import could_enter, is_proximate
from kessel.games.kharkov43.movement.zones import enemy_of, is_garrisoned, is_surrounded, zoc
from kessel.games.kharkov43.supply import garrisons
from kessel.games.kharkov43.supply.supply import can_trace
from kessel.games.kharkov43.system.cards.soviet_cards import command_text, first_command, why_not_performed
from kessel.games.kharkov43.system.cards.soviet_deck import command_order, why_first
from kessel.games.kharkov43.system.terms.terminology import caused_by, suppose, why_nearly_surrounded
from kessel.games.kharkov43.turn.ground_conditions import is_heavy_mud, why_not_in_mud
from kessel.wargame.reading import hex_names, named_hex, named_sides, named_stack, named_unit, no, one_of


class AskProximity(Asked, kw_only=True):
    """9.3 Whether a unit is proximate to a hex and what is in it; without a unit, who is."""

    to: str
    unit: str = ""
    side: str = ""
    """Whose units, where no unit is named; left out: those of both sides."""


class AskSurround(Asked, kw_only=True):
    """9.3 Surround, cause surround and nearly surrounded."""

    unit: str = ""
    hex: str = ""
    at: str = ""
    """With a Soviet unit: as if it stood there."""


class AskGarrisons(Asked, kw_only=True):
    """15 Where garrisons are placed, or which of them go at the end of the game-turn."""

    front: str = ""
    """15.11 The Garrison Front event of that front; left out: the Supply Phase."""
    when: Literal["placement", "end_of_turn"] = "placement"


class AskCommandCards(Asked, kw_only=True):
    """8.1 What becomes of the one or two cards drawn at the start of a Soviet impulse."""

    cards: tuple[str, ...]


# --- 9.3 proximate ---------------------------------------------------------------------------------------------------


def _goal(g: Board, side: int, h: Hex) -> tuple[str, Bits]:
    """9.3 What the hex holds for that side, and the hexes one of which must be entered."""
    if g.hexes_of(enemy_of(side)) >> h & 1:
        return "an enemy unit: get adjacent to it", g.ground.adjacent_units(h)
    if side == GERMAN and is_garrisoned(g, h):
        return "a garrisoned hex: get adjacent to it", g.map.grid.near[h]
    if g.hexes_of(side) >> h & 1:
        return "a friendly-occupied hex: enter it", 1 << h
    return "an unoccupied hex: enter it", 1 << h


def _proximate(g: Board, u: Unit, h: Hex) -> dict[str, Any]:
    what, goal = _goal(g, g.forces.side[u], h)
    found: dict[str, Any] = {"proximate": is_proximate(g, u, h), "target": what, "rule": "9.3"}
    if found["proximate"]:
        reached = reach_of(g, u, REGULAR, PROXIMITY)
        entered = min(members(could_enter(g, u) & goal), key=lambda x: (reached.cost[x], g.hex_name(x)))
        return {**found, "entering": g.hex_name(entered), "cost": reached.cost[entered] / POINT}
    return {**found, "refusal": _why_not_proximate(g, u, h, goal).as_json()}


def _why_not_proximate(g: Board, u: Unit, h: Hex, goal: Bits) -> Refusal:
    if refusal := why_not_mobile(g, u):
        return refusal
    if goal == 1 << h and (refusal := why_not_reach(g, u, h, REGULAR, PROXIMITY) or why_not_end(g, u, h)):
        return refusal
    return Refusal("9.3", f"{g.name(u)} can't get adjacent to {g.hex_name(h)} in one move")


def proximity(g: Board, q: AskProximity) -> dict[str, Any]:
    h = named_hex(g, q.to, "$.to")
    if q.unit:
        if q.side:
            raise BadInput("name a unit or a side", "$")
        return {"unit": q.unit, "to": q.to, **_proximate(g, named_unit(g, q.unit), h)}
    units = [u for side in named_sides(SIDES, q.side) for u in g.on_map_of(side)]
    return {"to": q.to, "units": {g.id(u): _proximate(g, u, h) for u in units}, "rule": "9.3"}


# --- 9.3 surround ----------------------------------------------------------------------------------------------------


def surround(g: Board, q: AskSurround) -> dict[str, Any]:
    if bool(q.unit) == bool(q.hex):
        raise BadInput("ask for a unit or for a hex", "$")
    if q.unit:
        u = named_unit(g, q.unit)
        h = g.place[u]
        if q.at:
            h = named_hex(g, q.at, "$.at")
            g = _as_if(g, u, h)
    elif q.at:
        raise BadInput("name the Soviet unit that would stand there", "$.unit")
    else:
        h, _ = named_stack(g, q.hex)
    return _surround(g, h)


def _as_if(g: Board, u: Unit, h: Hex) -> Board:
    if g.forces.side[u] != SOVIET:
        raise BadInput(f"{g.name(u)} is not a Soviet unit", "$.at")
    if g.hexes_of(GERMAN) >> h & 1:
        raise BadInput(f"German units are in {g.hex_name(h)}", "$.at")
    return suppose(g, u, h)


def _surround(g: Board, h: Hex) -> dict[str, Any]:
    side = g.forces.side[g.units(h)[0]]
    enemy = enemy_of(side)
    near = g.map.grid.near[h]
    held = g.hexes_of(enemy)
    found: dict[str, Any] = {
        "hex": g.hex_name(h),
        "side": SIDES[side],
        "units": [g.id(u) for u in g.units(h)],
        "surrounded": is_surrounded(g, h, side),
        "occupied": hex_names(g, near & held),
        "controlled": hex_names(g, near & zoc(g, enemy) & ~held),
        "open": hex_names(g, near & ~(held | zoc(g, enemy))),
        "rule": "9.3",
    }
    if found["surrounded"]:
        found["caused_by"] = [g.id(u) for u in g.on_map_of(enemy) if caused_by(g, u) >> h & 1]
    if side == SOVIET:
        why = why_nearly_surrounded(g, h)
        found["nearly_surrounded"] = why is not None
        if why is not None:
            found["why"] = why.reason
    return found


# --- 15 garrisons ----------------------------------------------------------------------------------------------------


def garrison_question(g: Board, q: AskGarrisons) -> dict[str, Any]:
    if q.front:
        one_of(FRONTS, q.front, "front", "$.front")
    if g.turn < g.charts.constants.garrisons_from:
        return no(Refusal("15.1", "garrisons begin on game-turn 4"))
    x = g.copy()
    x.stack = []
    if q.when == "end_of_turn":
        garrisons.check_at_turn_end(x)
        gone = g.garrisons & ~x.garrisons
        return {
            "removed": {g.hex_name(h): _why_removed(g, h).as_json() for h in members(gone)},
            "garrisons": hex_names(x, x.garrisons),
            "rule": "15.3",
        }
    if is_heavy_mud(g):
        return no(Refusal("18.34", "heavy mud: the Supply Phase is skipped"))
    placed = garrisons.place_garrisons(x, q.front)
    empty = [*members(g.towns_of(SOVIET)), *g.ground.village_list]
    others = [h for h in empty if garrisons.is_empty(x, h) and not g.garrisons >> h & 1 and h not in placed]
    shielded = Refusal("15.1", "a garrison that has gone since shielded it when it was checked").as_json()
    return {
        "placed": [g.hex_name(h) for h in placed],
        "removed": hex_names(g, (g.garrisons | bits(placed)) & ~x.garrisons),
        "garrisons": hex_names(x, x.garrisons),
        "not_placed": {g.hex_name(h): garrisons.explain(x, h, q.front).get("refusal", shielded) for h in others},
        "rule": "15.11" if q.front else "15.1",
    }


def _why_removed(g: Board, h: Hex) -> Refusal:
    side = "German" if can_trace(g, h, SOVIET) else "Soviet"
    return Refusal("15.3", f"{side} supply can't be traced to {g.hex_name(h)}")


# --- 8.1 command card and auxiliary card -----------------------------------------------------------------------------


def command_cards(g: Board, q: AskCommandCards) -> dict[str, Any]:
    cards = [named_card(g, name, SOVIET, f"$.cards[{i}]") for i, name in enumerate(q.cards)]
    if not 1 <= len(cards) <= 2 or len({c.id for c in cards}) < len(cards):
        raise BadInput("one card or two different ones are drawn for an impulse", "$.cards")
    if still := why_not_in_mud(g):
        return no(still)
    cards.sort(key=command_order)
    command, auxiliary = cards[0], cards[1] if len(cards) > 1 else None
    found: dict[str, Any] = {"command": command.id, "why": why_first(cards), "rule": "8.1", **_commands(g, command)}
    if auxiliary is None:
        return found
    found["auxiliary"] = {"card": auxiliary.id, "events": []}
    for line in auxiliary.commands:
        if line.command == "event":
            refusal = why_not_performed(g, auxiliary, line)
            event = {"event": line.event, "happens": refusal is None}
            found["auxiliary"]["events"].append(event if refusal is None else {**event, "refusal": refusal.as_json()})
            if refusal is None:
                found["auxiliary"]["then"] = "discarded"
                return found
    found["auxiliary"] |= {
        "then": "stays in its box; unless a combat of this command uses its tactics it takes command next",
        "tactics": list(auxiliary.tactics_on(g.turn)),
        "as_command": _commands(g, auxiliary),
    }
    return found


def _commands(g: Board, card: Card) -> dict[str, Any]:
    """8.1 The first command of the card that can be carried out as the position stands."""
    chosen, passed = first_command(g, card)
    return {
        "performs": command_text(g, chosen) if chosen is not None else "",
        "passed_over": [{"command": command_text(g, c), **r.as_json()} for c, r in passed],
    }


TERM_QUESTIONS = {
    "proximity": Answerer(AskProximity, proximity, "whether units are proximate to a hex, and how"),
    "surround": Answerer(AskSurround, surround, "surround, who causes it, nearly surrounded"),
    "garrisons": Answerer(AskGarrisons, garrison_question, "where garrisons are placed or removed, and why"),
    "command_cards": Answerer(AskCommandCards, command_cards, "which Soviet card commands and what it does first"),
}
