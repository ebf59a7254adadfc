"""Questions a position can ask (docs/positions-don42.md). Each answer is made by the rules' own functions."""

from __future__ import annotations

from typing import Any

from kessel.core.breakdown import Item, Refusal
from kessel.core.dice import NeedRoll, Scripted
from kessel.core.errors import BadInput
from kessel.core.forces import NO_UNIT, Unit
from kessel.core.hexes import Hex
from kessel.core.hexset import members
from kessel.core.paths import Reach
from kessel.core.procedure import PASS, asked, options, push, run, why_not
from kessel.core.title import Answerer, Asked
from kessel.games.don42.answers.position import phase_at_hand
from kessel.games.don42.answers.questions_combat import (
    AskAdvance,
    AskAttack,
    AskBombardment,
    AskRetreat,
    advance,
    attack,
    bombard,
    retreat,
)
from kessel.games.don42.board import G_COMBAT, G_MOTORIZED, G_MOVEMENT, PHASES, S_COMBAT, SUPPLY_WORDS, Board
from kessel.games.don42.combat.combat import CombatPhase
from kessel.games.don42.data.charts import POINT
from kessel.games.don42.data.forces import GERMAN, SIDES, SOVIET
from kessel.games.don42.movement.movement import Move, allowance, ends_of, reach_of, why_not_move, why_not_there
from kessel.games.don42.movement.stacking import why_not_fit, why_not_together
from kessel.games.don42.movement.zones import has_zone, zone_from, zone_of
from kessel.games.don42.notation import NOTATION
from kessel.games.don42.supply import activation as act
from kessel.games.don42.supply import supply
from kessel.games.don42.supply.airlift import can_use_point, payer
from kessel.games.don42.supply.explanation import explain
from kessel.games.don42.turn.recovery import recovery_path
from kessel.games.don42.turn.victory import hex_points, outcome, relief_points, score_turn, total
from kessel.wargame.questions import AskLegal, AskMoves, AskStacking, AskSupply, AskVictory, AskZoc, parsed, way
from kessel.wargame.questions import told as what_happened
from kessel.wargame.reading import (
    at_path,
    check_dice,
    hex_names,
    judged,
    named_hex,
    named_sides,
    named_unit,
    named_units,
    no,
    one_of,
    one_side,
)

GERMAN_PHASES = {"german_movement": G_MOVEMENT, "german_combat": G_COMBAT, "german_motorized": G_MOTORIZED}


class AskActivation(Asked, kw_only=True):
    """Whether an Army may try to activate, its line, and its chance; all Armies when none is named."""

    army: str = ""


class AskRecovery(Asked, kw_only=True):
    unit: str


# --- answers -------------------------------------------------------------------------------------------------------


def moves(g: Board, q: AskMoves) -> dict[str, Any]:
    u = named_unit(g, q.unit)
    found: dict[str, Any] = {"unit": q.unit, "from": g.hex_name(g.place[u])}
    stays = why_not_move(g, u)
    if stays is not None:
        return {**found, **({"to": q.to} if q.to else {"reach": {}}), **no(stays)}
    points = allowance(g, u)
    found["allowance"] = points.as_json()
    left = points.total * POINT
    reached = reach_of(g, u, left, True)
    ends = ends_of(g, u, left, True)
    if q.to:
        h = named_hex(g, q.to, "$.to")
        refusal = why_not_there(g, u, h, left, True)
        if refusal is not None:
            return {**found, "to": q.to, **no(refusal)}
        return {**found, "to": q.to, "legal": True, **_way(g, u, reached, h), "steps": _steps(g, u, reached, h)}
    only_passed = {g.hex_name(h): reached.cost[h] / POINT for h in members(reached.hexes & ~ends)}
    return {
        **found,
        "reach": {g.hex_name(h): _way(g, u, reached, h) for h in sorted(members(ends), key=lambda h: reached.cost[h])},
        "passed_only": only_passed,
    }


def _way(g: Board, u: Unit, reached: Any, h: Hex) -> dict[str, Any]:
    found = way(g, reached, h, POINT)
    if why := why_not_fit(g, g.forces.side[u], h, [u]):
        found["over_limit"] = f"{why}; friends there must move on before the phase ends (3.1.4)"
    return found


def _steps(g: Board, u: Unit, reached: Reach, to: Hex) -> list[dict[str, Any]]:
    """The price of each hex entered, item by item."""
    found = []
    here = g.place[u]
    for h in reached.path(to):
        items = g.crossings.explain(g.weather, here, g.map.grid.direction(here, h), h)
        if h in reached.over:
            rest = reached.over[h] / POINT - sum(float(x.value) for x in items)
            items.append(Item("one hex may always be entered for all MPs", "10.0", rest))
        found.append(
            {"hex": g.hex_name(h), "cost": sum(float(x.value) for x in items), "items": [x.as_json() for x in items]}
        )
        here = h
    return found


def zones(g: Board, q: AskZoc) -> dict[str, Any]:
    found: dict[str, Any] = {"rule": "3.2"}
    for side in named_sides(SIDES, q.side):
        units = [u for u in g.units_on_map(side) if has_zone(g, u)]
        from_ = sorted({g.hex_name(g.place[u]) for u in units})
        by = {g.id(u): hex_names(g, zone_from(g, 1 << g.place[u])) for u in units}
        found[SIDES[side]] = {"from": from_, "hexes": hex_names(g, zone_of(g, side)), "by_unit": by}
    return found


def supply_of(g: Board, q: AskSupply) -> dict[str, Any]:
    if q.unit:
        u = named_unit(g, q.unit)
        found = {"unit": q.unit, "in_force": SUPPLY_WORDS[g.supply[u]], **explain(g, u).as_json()}
        if g.forces.side[u] == GERMAN and supply.is_isolated(g, u):
            found["supply_points"] = _points(g, u)
        return found
    wanted = named_sides(SIDES, q.side)
    units = {g.id(u): SUPPLY_WORDS[supply.state_now(g, u)] for s in wanted for u in g.units_on_map(s)}
    corps = {
        c: supply.has_ground_line(g, g.command_index(c))
        for c in g.charts.german_corps
        if g.forces.command_hq[g.command_index(c)] != NO_UNIT and GERMAN in wanted
    }
    return {"units": units, "ground_line": corps}


def _points(g: Board, u: Unit) -> dict[str, Any]:
    """4.4 What Supply Points can do for a cut-off unit, and which HQ would give one."""
    hq = payer(g, u)
    then, needs = g.copy(), {}
    for name, phase in GERMAN_PHASES.items():
        then.set_track("phase", phase)
        needs[name] = int(can_use_point(then, u))
    return {"from": None if hq is None else g.id(hq), "needs": needs, "rule": "4.4.3"}


def stack(g: Board, q: AskStacking) -> dict[str, Any]:
    h = named_hex(g, q.hex)
    joining = named_units(g, q.units, "$.units", on_map=False)
    there = g.units(h)
    if not there and not joining:
        return {"hex": q.hex, "units": [], "legal": True}
    side = one_side(g, joining or there, "$.units", "the units")
    why = why_not_fit(g, side, h, joining) if joining else why_not_together(g, side, there)
    return {"hex": q.hex, "units": [g.id(u) for u in sorted({*there, *joining})], **judged(why)}


def activation(g: Board, q: AskActivation) -> dict[str, Any]:
    found = {}
    for army in [one_of(g.charts.armies, q.army, "Army", "$.army")] if q.army else g.charts.armies:
        why = act.why_not_try(g, army)
        if why is None and army not in act.allowed_armies(g):
            why = Refusal("17.2.2", f"{army} may not try to activate this turn")
        if why is not None:
            found[army] = {"eligible": False, "refusal": why.as_json()}
            continue
        roll = act.activation_roll(g, army)
        good = sum(a + b + roll["modifier"] >= roll["needs"] for a in range(1, 7) for b in range(1, 7))
        found[army] = {"eligible": True, **roll, "chance": f"{good}/36"}
    return {"armies": found, "rule": "9.3"}


def recovery(g: Board, q: AskRecovery) -> dict[str, Any]:
    u = named_unit(g, q.unit)
    if not g.disorder(u):
        raise BadInput(f"{q.unit} carries no DRG, DPT or RTD marker", "$.unit")
    return {"unit": q.unit, **recovery_path(g, u)}


def victory(g: Board, q: AskVictory) -> dict[str, Any]:
    found: dict[str, Any] = {"rule": "16.0"}
    end = g.copy()
    score_turn(end)
    for side in (GERMAN, SOVIET):
        held = {g.hex_name(h): vp for (h, vp), owner in zip(g.objectives, g.control, strict=True) if owner == side}
        found[SIDES[side]] = {
            "awarded": g.points(side),
            "hexes": hex_points(g, side),
            "held": held,
            **({"relief": relief_points(g)} if side == GERMAN and g.scenario.victory.get("relief") else {}),
            "total": total(g, side),
            "at_turn_end": end.points(side) - g.points(side),
        }
    now = outcome(g)
    return {**found, "if_over_now": {"winner": None if now.winner is None else SIDES[now.winner], "level": now.level}}


def _played(g: Board, q: AskLegal) -> Board:
    """The position after some actions, on a copy that tells what happens."""
    after = g.copy()
    after.events = []
    check_dice(q.dice, 6)
    after.dice = Scripted(q.dice)
    if q.dice:
        at_path("$.dice", _draw_anew, after)
    for i, text in enumerate(q.after):
        action = parsed(after, NOTATION, text, f"$.after[{i}]")
        if refusal := _why_not_go_on(after, *q.after[i - 1 : i]) or why_not(after, action):
            raise BadInput(f"{text} is not legal: {refusal}", f"$.after[{i}]")
        phase, at = after.stack[0], after.stack[0].at
        try:
            push(after, action)
        except NeedRoll:
            raise BadInput(f"{text} rolls more dice than are given", "$.dice") from None
        if not after.stack and action != PASS and not isinstance(phase, CombatPhase):
            phase.at = at  # it ended because nothing is left to do in it; it knows why
            after.stack = [phase]
    return after


def _draw_anew(g: Board) -> None:
    """9.6 The priority die that names the first Army falls as the question says."""
    p = g.stack[-1] if g.stack else None
    if isinstance(p, act.ActivationPhase) and p.drawn:
        p.drawn, p.at = "", p.index["priority"]
        g.touched()
        run(g)


def _why_not_go_on(g: Board, last: str = "") -> Refusal | None:
    """The phase has been passed, or after its last action nobody is left who may attack."""
    if g.stack:
        return None
    if g.phase in (S_COMBAT, G_COMBAT) and last != "pass":
        return Refusal("12.0", f"nobody is left who may attack; the {PHASES[g.phase]} is over")
    return Refusal("5.0", f"the {PHASES[g.phase]} is over")


def legal(g: Board, q: AskLegal) -> dict[str, Any]:
    if not g.phase:
        raise BadInput("the position names no phase, so no action is legal", "$")
    told: dict[str, Any] = {}
    if q.after or q.dice:
        g = _played(g, q)
        told = {"after": list(q.after), "told": what_happened(g)}
    action = parsed(g, NOTATION, q.action, "$.action") if q.action else None
    over = _why_not_go_on(g, q.after[-1]) if q.after else None
    if not g.stack:
        g = g.copy()
        g.stack = [p := phase_at_hand(g)]  # nothing can be done in it; the phase knows why
        p.at = next((i for i in range(p.at, len(p.steps)) if p.steps[i].who), p.at)
    refusal = over
    if asked(g) < 0:
        refusal = Refusal("5.0", f"nobody is asked anything in the {PHASES[g.phase]}")
    if action is not None:
        refusal = refusal or why_not(g, action)
        return {"action": q.action, **told, **judged(refusal)}
    if refusal is not None:
        return {**told, "side": None, "prompt": refusal.reason, "actions": []}
    found = options(g)
    actions = [NOTATION.text(g, a) for a in found]
    moving = g.stack[-1]
    if isinstance(moving, Move):
        told |= {"unit": g.id(moving.unit), "points_left": moving.left / POINT}
    return {**told, "side": SIDES[asked(g)], "prompt": found.prompt, "actions": actions}


QUESTIONS = {
    "moves": Answerer(AskMoves, moves, "where a unit can move, or why not to a hex"),
    "attack": Answerer(AskAttack, attack, "strengths, odds, shifts, column and chances of an attack"),
    "bombardment": Answerer(AskBombardment, bombard, "factors, column and chances of a bombardment"),
    "zoc": Answerer(AskZoc, zones, "zones of control"),
    "supply": Answerer(AskSupply, supply_of, "supply state with its lines"),
    "stacking": Answerer(AskStacking, stack, "stacking limits of a hex"),
    "retreat": Answerer(AskRetreat, retreat, "ways of a retreat"),
    "advance": Answerer(AskAdvance, advance, "advances after combat"),
    "activation": Answerer(AskActivation, activation, "eligibility and chance of Armies"),
    "recovery": Answerer(AskRecovery, recovery, "whether a unit recovers"),
    "victory": Answerer(AskVictory, victory, "Victory Points as they stand"),
    "legal": Answerer(AskLegal, legal, "the legal actions, or why one is not"),
}
