"""Questions a position can ask (docs/positions-don42.md). Each answer is made by the rules' own functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from kessel.core.breakdown import Refusal
from kessel.core.errors import BadInput
from kessel.core.forces import Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import members
from kessel.core.procedure import asked, options, why_not
from kessel.core.title import Answerer, Asked
from kessel.games.don42 import activation as act
from kessel.games.don42 import supply
from kessel.games.don42.advance import advance_hexes, advance_length
from kessel.games.don42.air import bombardment_chances, bombardment_factors
from kessel.games.don42.board import SUPPLY_WORDS, Board
from kessel.games.don42.bombardment import can_bombard, can_target
from kessel.games.don42.charts import HALF
from kessel.games.don42.combat import why_no_support, why_not_attack, why_not_target
from kessel.games.don42.forces import GERMAN, SIDES, SOVIET
from kessel.games.don42.movement import allowance, ends_of, reach_of, why_not_there, why_stays
from kessel.games.don42.notation import NOTATION
from kessel.games.don42.odds import work_out
from kessel.games.don42.recovery import recovery_path
from kessel.games.don42.retreat import nearest_enemies, retreat_paths
from kessel.games.don42.stacking import fits, over_limit
from kessel.games.don42.victory import hex_points, total
from kessel.games.don42.zones import exerts_zone, zone_of


class AskMoves(Asked, kw_only=True):
    """Where a unit can move, with cost and path, or why it can't move to a hex."""

    unit: str
    to: str = ""


class AskAttack(Asked, kw_only=True):
    """The odds of an attack."""

    hex: str
    units: tuple[str, ...]
    guns: tuple[str, ...] = ()
    planes: tuple[str, ...] = ()
    defence_guns: tuple[str, ...] = ()


class AskBombardment(Asked, kw_only=True):
    """The chances of a bombardment by guns or air units."""

    hex: str
    units: tuple[str, ...]


class AskZoc(Asked, kw_only=True):
    """The zones of control of a side, or of both."""

    side: str = ""


class AskSupply(Asked, kw_only=True):
    """The supply of a unit with all its lines; of every unit when none is named."""

    unit: str = ""
    side: str = ""


class AskStacking(Asked, kw_only=True):
    """Whether the units of a hex, with others that join, keep the limits."""

    hex: str
    units: tuple[str, ...] = ()


class AskRetreat(Asked, kw_only=True):
    """The ways of a retreat of the units in a hex."""

    hex: str
    hexes: int
    attackers: tuple[str, ...] = ()
    """Units or hexes the retreat leads away from; left out: the nearest enemies."""


class AskAdvance(Asked, kw_only=True):
    """Where units may advance after combat."""

    units: tuple[str, ...]
    hex: str
    """The vacated hex."""
    hexes: int = 1


class AskActivation(Asked, kw_only=True):
    """Whether an Army may try to activate, its line, and its chance; all Armies when none is named."""

    army: str = ""


class AskRecovery(Asked, kw_only=True):
    unit: str


class AskVictory(Asked, kw_only=True):
    """Victory Points as the position stands."""


class AskLegal(Asked, kw_only=True):
    """The legal actions at the position's phase, or why one is not legal."""

    action: str = ""


# --- reading the questions -----------------------------------------------------------------------------------------


def _unit(g: Board, name: str, where: str = "$.unit", *, on_map: bool = True) -> Unit:
    u = g.forces.find(name)
    if u < 0:
        raise BadInput(f"there is no unit {name}", where)
    if on_map and not g.on_map(u):
        raise BadInput(f"{name} is not on the map", where)
    return u


def _units(g: Board, names: Sequence[str], where: str, *, on_map: bool = True) -> list[Unit]:
    found = [_unit(g, n, f"{where}[{i}]", on_map=on_map) for i, n in enumerate(names)]
    if len(set(found)) != len(found):
        raise BadInput("a unit is named twice", where)
    return found


def _hex(g: Board, name: str, where: str = "$.hex") -> Hex:
    h = g.map.grid.find(name)
    if h < 0:
        raise BadInput(f"there is no hex {name} on this board", where)
    return h


def _side(name: str) -> int:
    if name not in SIDES:
        raise BadInput(f"there is no side {name!r}; there are {', '.join(SIDES)}", "$.side")
    return SIDES.index(name)


def _names(g: Board, s: Bits) -> list[str]:
    return sorted(g.map.grid.names(members(s)))


def _no(refusal: Refusal) -> dict[str, Any]:
    return {"legal": False, "refusal": refusal.as_json()}


# --- answers -------------------------------------------------------------------------------------------------------


def moves(g: Board, q: AskMoves) -> dict[str, Any]:
    u = _unit(g, q.unit)
    found: dict[str, Any] = {"unit": q.unit, "from": g.hex_name(g.place[u])}
    stays = why_stays(g, u)
    if stays is not None:
        return {**found, **({"to": q.to} if q.to else {"reach": {}}), **_no(stays)}
    points = allowance(g, u)
    found["allowance"] = points.as_json()
    left = points.total * HALF
    reached = reach_of(g, u, left, True)
    ends = ends_of(g, u, left, True)
    if q.to:
        h = _hex(g, q.to, "$.to")
        refusal = why_not_there(g, u, h, left, True)
        if refusal is not None:
            return {**found, "to": q.to, **_no(refusal)}
        return {**found, "to": q.to, "legal": True, **_way(g, reached, h)}
    only_passed = {g.hex_name(h): reached.cost[h] / HALF for h in members(reached.hexes & ~ends)}
    return {
        **found,
        "reach": {g.hex_name(h): _way(g, reached, h) for h in sorted(members(ends), key=lambda h: reached.cost[h])},
        "passed_only": only_passed,
    }


def _way(g: Board, reached: Any, h: Hex) -> dict[str, Any]:
    path = [g.hex_name(x) for x in reached.path(h)]
    return {"cost": reached.cost[h] / HALF, "path": path, "stops": reached.stops(h)}


def attack(g: Board, q: AskAttack) -> dict[str, Any]:
    target = _hex(g, q.hex)
    attackers = _units(g, q.units, "$.units")
    if not attackers:
        raise BadInput("an attack needs at least one unit", "$.units")
    side = g.forces.side[attackers[0]]
    if any(g.forces.side[u] != side for u in attackers):
        raise BadInput("the attackers are of both sides", "$.units")
    guns = _units(g, q.guns, "$.guns")
    planes = _units(g, q.planes, "$.planes", on_map=False)
    defence = _units(g, q.defence_guns, "$.defence_guns")
    why = None if g.enemies_in(target, side) else Refusal("12.0", "there is no enemy unit to attack")
    for u in attackers:
        if not g.map.grid.adjacent(g.place[u], target):
            why = why or Refusal("12.3", f"{g.name(u)} is not adjacent to {q.hex}")
        why = why or why_not_attack(g, u)
    why = why or why_not_target(g, side, target)
    for group, attacking in ((guns, True), (defence, False)):
        for u in group:
            why = why or why_no_support(g, u, target, attacking=attacking)
    if len(planes) > g.charts.constants.air_support:
        why = why or Refusal("7.5", f"no more than {g.charts.constants.air_support} air units support an attack")
    for p in planes:
        if not g.forces.air[p] or g.forces.type[p] == "transport" or g.forces.side[p] != side:
            why = why or Refusal("7.5", f"{g.name(p)} gives no ground support to this attack")
    found: dict[str, Any] = {"hex": q.hex, "side": SIDES[side], "legal": why is None}
    if why is not None:
        found["refusal"] = why.as_json()
        if not g.enemies_in(target, side) or any(not g.map.grid.adjacent(g.place[u], target) for u in attackers):
            return found
    return {**found, **work_out(g, side, attackers, target, guns, planes, defence).as_json()}


def bombard(g: Board, q: AskBombardment) -> dict[str, Any]:
    target = _hex(g, q.hex)
    units = _units(g, q.units, "$.units", on_map=False)
    if not units:
        raise BadInput("a bombardment needs at least one unit", "$.units")
    why: Refusal | None = None
    for u in units:
        if not g.forces.air[u]:
            why = why or can_bombard(g, u) or can_target(g, u, target)
        elif g.forces.type[u] == "transport":
            why = why or Refusal("7.3", "TR units never bombard")
    factors = bombardment_factors(g, units)
    results = bombardment_chances(g, factors.total)
    return {
        "hex": q.hex,
        "legal": why is None,
        **({"refusal": why.as_json()} if why else {}),
        "factors": factors.as_json(),
        "column": g.charts.bombardment_column(factors.total),
        "results": {str(i): r for i, r in enumerate(results, start=1)},
        "chances": {r: f"{n}/6" for r, n in Counter(results).items()},
    }


def zones(g: Board, q: AskZoc) -> dict[str, Any]:
    wanted = [_side(q.side)] if q.side else [GERMAN, SOVIET]
    found: dict[str, Any] = {"rule": "3.2"}
    for side in wanted:
        from_ = sorted({g.hex_name(g.place[u]) for u in g.units_on_map(side) if exerts_zone(g, u)})
        found[SIDES[side]] = {"from": from_, "hexes": _names(g, zone_of(g, side))}
    return found


def supply_of(g: Board, q: AskSupply) -> dict[str, Any]:
    if q.unit:
        u = _unit(g, q.unit)
        return {"unit": q.unit, "in_force": SUPPLY_WORDS[g.supply[u]], **supply.explain(g, u).as_json()}
    wanted = [_side(q.side)] if q.side else [GERMAN, SOVIET]
    units = {g.name(u): SUPPLY_WORDS[supply.state_now(g, u)] for s in wanted for u in g.units_on_map(s)}
    corps = {
        c: supply.has_ground_line(g, g.command_index(c))
        for c in g.charts.german_corps
        if g.forces.command_hq[g.command_index(c)] >= 0 and GERMAN in wanted
    }
    return {"units": units, "ground_line": corps}


def stack(g: Board, q: AskStacking) -> dict[str, Any]:
    h = _hex(g, q.hex)
    joining = _units(g, q.units, "$.units", on_map=False)
    there = g.units(h)
    if not there and not joining:
        return {"hex": q.hex, "units": [], "legal": True}
    side = g.forces.side[(joining or there)[0]]
    why = fits(g, side, h, joining) if joining else over_limit(g, side, there)
    together = sorted({*there, *joining})
    found = {"hex": q.hex, "units": [g.name(u) for u in together], "legal": why is None}
    return found if why is None else {**found, "refusal": why.as_json()}


def retreat(g: Board, q: AskRetreat) -> dict[str, Any]:
    h = _hex(g, q.hex)
    units = g.units(h)
    if not units:
        raise BadInput(f"no unit is in {q.hex}", "$.hex")
    if not 1 <= q.hexes <= 6:
        raise BadInput("a retreat is of 1 to 6 hexes", "$.hexes")
    side = g.forces.side[units[0]]
    threats = [_threat(g, name, i) for i, name in enumerate(q.attackers)] or list(nearest_enemies(g, side, h))
    paths = retreat_paths(g, side, h, q.hexes, threats)
    return {
        "hex": q.hex,
        "units": [g.name(u) for u in units],
        "away_from": [g.hex_name(t) for t in threats],
        "paths": sorted([g.hex_name(x) for x in p] for p in paths),
        "full_length": bool(paths) and len(paths[0]) == q.hexes,
        "rule": "13.3",
    }


def _threat(g: Board, name: str, i: int) -> Hex:
    u = g.forces.find(name)
    if u >= 0 and g.on_map(u):
        return g.place[u]
    return _hex(g, name, f"$.attackers[{i}]")


def advance(g: Board, q: AskAdvance) -> dict[str, Any]:
    h = _hex(g, q.hex)
    found = {}
    for u in _units(g, q.units, "$.units"):
        ways = advance_hexes(g, u, h, q.hexes)
        found[g.name(u)] = {
            "hexes": advance_length(g, u, q.hexes),
            "to": {g.hex_name(x): [g.hex_name(s) for s in way] for x, way in sorted(ways.items())},
        }
    return {"hex": q.hex, "units": found, "rule": "13.6"}


def activation(g: Board, q: AskActivation) -> dict[str, Any]:
    if q.army and q.army not in g.charts.armies:
        raise BadInput(f"there is no Army {q.army!r}; there are {', '.join(g.charts.armies)}", "$.army")
    found = {}
    for army in [q.army] if q.army else g.charts.armies:
        why = act.why_ineligible(g, army)
        if why is not None:
            found[army] = {"eligible": False, "refusal": why.as_json()}
            continue
        roll = act.activation_roll(g, army)
        good = sum(a + b + roll["modifier"] >= roll["needs"] for a in range(1, 7) for b in range(1, 7))
        found[army] = {"eligible": True, **roll, "chance": f"{good}/36"}
    return {"armies": found, "rule": "9.3"}


def recovery(g: Board, q: AskRecovery) -> dict[str, Any]:
    u = _unit(g, q.unit)
    if not g.disorder(u):
        raise BadInput(f"{q.unit} carries no DRG, DPT or RTD marker", "$.unit")
    return {"unit": q.unit, **recovery_path(g, u)}


def victory(g: Board, q: AskVictory) -> dict[str, Any]:
    return {
        SIDES[s]: {"awarded": g.points(s), "hexes": hex_points(g, s), "total": total(g, s)} for s in (GERMAN, SOVIET)
    }


def legal(g: Board, q: AskLegal) -> dict[str, Any]:
    if not g.stack:
        raise BadInput("the position names no phase, so no action is legal", "$")
    if q.action:
        try:
            action = NOTATION.parse(g, q.action)
        except BadInput as e:
            raise BadInput(e.message, "$.action") from None
        refusal = why_not(g, action)
        return {"action": q.action, "legal": True} if refusal is None else {"action": q.action, **_no(refusal)}
    found = options(g)
    return {
        "side": SIDES[asked(g)],
        "prompt": found.prompt,
        "actions": [NOTATION.text(g, a) for a in found],
    }


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
