"""Questions a position can ask (`kessel analyze`). Each answer is made by the rules' own functions."""

from __future__ import annotations

from typing import Any

from kessel.core.breakdown import Refusal
from kessel.core.errors import BadInput
from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.core.hexset import members
from kessel.core.procedure import asked, options, why_not
from kessel.core.title import Answerer, Asked
from kessel.games.kharkov43.board import ACTIVE, DISPERSED, GARRISON, UNSUPPLIED, Board
from kessel.games.kharkov43.data.charts import POINT
from kessel.games.kharkov43.data.forces import GERMAN, SIDES, SOVIET
from kessel.games.kharkov43.movement import stacking
from kessel.games.kharkov43.movement.movement import (
    INFILTRATION,
    MODES,
    MOVING,
    PROXIMITY,
    REGULAR,
    Going,
    explain_path,
    going,
    reach_of,
    why_not_end,
    why_not_german_end,
    why_not_reach,
)
from kessel.games.kharkov43.movement.zones import garrison_zoc, is_surrounded, sources, zoc
from kessel.games.kharkov43.notation import NOTATION
from kessel.games.kharkov43.supply import supply
from kessel.games.kharkov43.supply.support import explain_support, supported
from kessel.games.kharkov43.turn.ground_conditions import why_not_in_mud
from kessel.wargame import questions as wargame
from kessel.wargame.questions import ends_of, parsed
from kessel.wargame.reading import (
    hex_names,
    judged,
    named_hex,
    named_side,
    named_sides,
    named_unit,
    named_units,
    no,
    one_of,
)

OF_COMMAND_PHASE = ("german_impulse", "german_activation")


class AskMoves(wargame.AskMoves, kw_only=True):
    """Where a unit can move now, or why it can't move to a hex."""

    mode: str = REGULAR
    proximity: bool = False
    """As proximity is judged (9.3): without the supply limit on German moves (10.5)."""


class AskZoc(wargame.AskZoc, kw_only=True):
    """The zones of control of both sides, or of one; with a hex, where its zones come from."""

    hex: str = ""


class AskSupply(wargame.AskSupply, kw_only=True):
    """Supply (and reserve supply, and support) of a unit or a hex; of every unit when neither is named."""

    hex: str = ""


class AskLegal(Asked, kw_only=True):
    """The legal actions at the position's phase."""

    action: str = ""


def _end(g: Board, u: Unit, h: Hex, proximity: bool) -> Refusal | None:
    if g.forces.side[u] == GERMAN and not proximity:
        return why_not_german_end(g, u, h)
    return why_not_end(g, u, h)


def _as_activated(g: Board, u: Unit) -> tuple[Board, list[str]]:
    """6.0, 15.3 The board once the unit's activation has begun, and the garrisons beside it that are gone then."""
    near = g.map.grid.near[g.place[u]] & g.garrisons
    if g.forces.side[u] != GERMAN or g.status[u] & (UNSUPPLIED | DISPERSED | ACTIVE) or not near:
        return g, []
    x = g.copy()
    for h in members(near):
        x.mark(h, GARRISON, False)
    return x, hex_names(g, near)


def moves(g: Board, q: AskMoves) -> dict[str, Any]:
    u = named_unit(g, q.unit)
    one_of(MODES, q.mode, "mode", "$.mode")
    found: dict[str, Any] = {"unit": q.unit, "mode": q.mode, "from": g.hex_name(g.place[u])}
    purpose = PROXIMITY if q.proximity else MOVING
    if q.mode == REGULAR and not q.proximity:
        g, gone = _as_activated(g, u)
        if gone:
            found["garrisons_removed"] = {"hexes": gone, "rule": "15.3"}
    still = None if q.proximity else why_not_in_mud(g)
    way: Going | Refusal = still or going(g, u, q.mode, purpose)
    if q.mode == INFILTRATION and g.forces.side[u] == GERMAN:
        way = Refusal("9.3", "urban infiltration is a move of Soviet units")
    if isinstance(way, Refusal):
        return {**found, "refusal": way.as_json(), "reach": {}} if not q.to else {**found, "to": q.to, **no(way)}
    found["allowance"] = way.allowance / POINT
    if q.to:
        h = named_hex(g, q.to, "$.to")
        refusal = why_not_reach(g, u, h, q.mode, purpose) or _end(g, u, h, q.proximity)
        if refusal is not None:
            return {**found, "to": q.to, **no(refusal)}
        return {**found, "legal": True, **explain_path(g, u, h, q.mode, purpose)}
    reached = reach_of(g, u, q.mode, purpose)
    nearest = sorted(reached.cost.keys() - {reached.start}, key=lambda h: (reached.cost[h], g.hex_name(h)))
    return {**found, **ends_of(g, nearest, reached, lambda h: _end(g, u, h, q.proximity), POINT)}


def zones(g: Board, q: AskZoc) -> dict[str, Any]:
    if q.hex:
        h = named_hex(g, q.hex)
        by = {s: [g.hex_name(n) for n in sources(g, h, i)] for i, s in enumerate(SIDES)}
        return {"hex": q.hex, "controlled_from": by, "rule": "11.0"}
    wanted = named_sides(SIDES, q.side)
    found: dict[str, Any] = {"rule": "11.0"}
    for side in wanted:
        surrounded = [g.hex_name(h) for h in members(g.hexes_of(side)) if is_surrounded(g, h, side)]
        found[SIDES[side]] = {
            "from": hex_names(g, g.controllers(side)),
            "hexes": hex_names(g, zoc(g, side)),
            "surrounded": sorted(surrounded),
        }
    if SOVIET in wanted and g.garrisons:
        found["garrisons"] = {"hexes": hex_names(g, garrison_zoc(g)), "rule": "15.21"}
    return found


def supply_of(g: Board, q: AskSupply) -> dict[str, Any]:
    if q.unit and (q.hex or q.side):
        raise BadInput("ask for a unit, or for a hex and a side", "$")
    if q.unit:
        u = named_unit(g, q.unit)
        return {"unit": q.unit, **_supply(g, g.place[u], g.forces.side[u]), "state": _state(g, u)}
    if q.hex:
        if not q.side:
            raise BadInput(f"say whose supply: {' or '.join(SIDES)}", "$.side")
        return {"hex": q.hex, "side": q.side, **_supply(g, named_hex(g, q.hex), named_side(SIDES, q.side))}
    wanted = named_sides(SIDES, q.side)
    units = [u for side in wanted for u in g.on_map_of(side)]
    return {
        "units": {g.name(u): {"traced": supply.can_unit_trace(g, u), "state": _state(g, u)} for u in units},
        "heads": {SIDES[side]: hex_names(g, supply.supply_heads(g, side)) for side in wanted},
    }


def _supply(g: Board, h: Hex, side: int) -> dict[str, Any]:
    found: dict[str, Any] = {"supply": supply.explain(g, h, side)}
    if side == SOVIET:
        found["reserve_supply"] = supply.explain(g, h, side, reserve=True)
        found["support"] = {"supported": bool(supported(g) >> h & 1), **explain_support(g, h).as_json()}
    return found


def _state(g: Board, u: Unit) -> str:
    return "isolated" if g.is_isolated(u) else "supplied" if g.is_supplied(u) else "out_of_supply"


def stack(g: Board, q: wargame.AskStacking) -> dict[str, Any]:
    h = named_hex(g, q.hex)
    joining = named_units(g, q.units, "$.units", on_map=False)
    refusal = stacking.why_not_fit(g, h, joining)
    if len({g.forces.side[u] for u in (*joining, *g.units(h))}) > 1:
        refusal = Refusal("10.1", f"a unit can't enter {g.hex_name(h)}: units of the other side are there")
    found = {"hex": q.hex, "legal": refusal is None, **stacking.explain(g, h).as_json(), "rule": "10.4"}
    if refusal is not None:
        found["refusal"] = refusal.as_json()
    return found


def legal(g: Board, q: AskLegal) -> dict[str, Any]:
    if not g.stack:
        return _nothing_to_decide(g, q)
    found = options(g)
    rule = g.stack[-1].steps[g.stack[-1].at].rule
    head = {"side": SIDES[asked(g)], "rule": rule, "prompt": found.prompt}
    if not q.action:
        return {**head, "actions": [NOTATION.text(g, a) for a in found]}
    return {**head, "action": q.action, **judged(why_not(g, parsed(g, NOTATION, q.action, "$.action")))}


def _nothing_to_decide(g: Board, q: AskLegal) -> dict[str, Any]:
    if not g.phase_over:
        raise BadInput("the position names no phase, so no action is legal", "$")
    found: dict[str, Any] = {"side": "", "rule": "", "prompt": ""}
    if not q.action:
        return {**found, "actions": []}
    over = Refusal("4.0", f"the {g.phase_over.replace('_', ' ')} ended without a choice")
    if g.phase_over in OF_COMMAND_PHASE:
        over = why_not_in_mud(g) or over
    return {**found, "action": q.action, **no(over)}


QUESTIONS = {
    "moves": Answerer(AskMoves, moves, "where a unit can move, at what cost, or which rule forbids it"),
    "zoc": Answerer(AskZoc, zones, "zones of control"),
    "supply": Answerer(AskSupply, supply_of, "supply, reserve supply and support"),
    "stacking": Answerer(wargame.AskStacking, stack, "the stack of a hex"),
    "legal": Answerer(AskLegal, legal, "the legal actions at the position's phase, or why one is not legal"),
}
