"""The questions about combat: `attack`, `retreat` and `advance` (docs/positions-stalingrad42.md)."""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heappop, heappush
from itertools import count
from typing import Any

import msgspec

from kessel.core.board import NOWHERE
from kessel.core.breakdown import Item, Refusal
from kessel.core.errors import BadInput
from kessel.core.forces import Side, Unit
from kessel.core.hexes import NO_HEX, Hex
from kessel.core.title import Answerer, Asked
from kessel.games.stalingrad42.answers.questions import unit_of
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import AIR_PLACED, ATTACKED, AUTO_DS
from kessel.games.stalingrad42.combat.after.advance_paths import (
    Trip,
    advance_allowance,
    ends_at,
    in_weather,
    trips,
    vacated_hex,
    why_not_advance,
    why_not_stack_there,
    why_not_step,
)
from kessel.games.stalingrad42.combat.after.breakthrough import why_not_ground
from kessel.games.stalingrad42.combat.after.retreat import shared_ends
from kessel.games.stalingrad42.combat.after.retreat_paths import Flight, ends_of, explain_death, why_not_end
from kessel.games.stalingrad42.combat.combat import why_not_odds
from kessel.games.stalingrad42.combat.crt import tables
from kessel.games.stalingrad42.combat.defense import defense_column, defense_modifier, why_not_attempt
from kessel.games.stalingrad42.combat.odds import all_attackers, chances, outlook, with_support
from kessel.games.stalingrad42.combat.strength.air import (
    air_names,
    defensive_air,
    offensive_air,
    why_not_defensive,
    why_not_offensive,
)
from kessel.games.stalingrad42.combat.strength.artillery import offensive_guns, why_not_shift
from kessel.games.stalingrad42.combat.strength.eligibility import (
    attackers_of,
    why_not_attack,
    why_not_mix,
    why_not_target,
    why_not_way,
)
from kessel.games.stalingrad42.combat.strength.shifts import assess
from kessel.games.stalingrad42.combat.strength.strengths import Attack, attack_strength, defenders, in_excess
from kessel.games.stalingrad42.data.forces import SIDES
from kessel.games.stalingrad42.movement.ways.zones import is_contested
from kessel.wargame.reading import named_hex, named_place, named_side, one_of

# --- attack ----------------------------------------------------------------------------------------------------------


class AskAttack(Asked):
    """An attack on a hex: who may take part, strengths, column and exact chances. Without units: with all that may."""

    target: str
    units: list[str] = msgspec.field(default_factory=list)
    side: str = ""
    air: str = ""
    """An Air Unit committed by the attacker."""
    artillery: list[str] = msgspec.field(default_factory=list)
    defensive_air: str = ""
    breakthrough: bool = False
    dice: int = 1
    """One more for each Planned Offensive (26.2)."""


def answer_attack(g: Board, a: AskAttack) -> dict[str, Any]:
    target = named_hex(g, a.target, "$.target")
    units = tuple(unit_of(g, name, f"$.units[{i}]") for i, name in enumerate(a.units))
    side = g.forces.side[units[0]] if units else named_side(SIDES, a.side) if a.side else g.phasing
    if not 1 <= a.dice <= 3:
        raise BadInput(f"one to three dice are rolled, not {a.dice}", "$.dice")
    refusals = _attack_refusals(g, target, side, units, a)
    if not units:
        units = all_attackers(g, target, side)
        if not units and not refusals:
            refusals = _why_nobody(g, target, side)
    found: dict[str, Any] = {
        "target": a.target,
        "side": SIDES[side],
        "units": [g.id(u) for u in units],
        "may_attack": [g.id(u) for u in attackers_of(g, target, side)],
    }
    there = tuple(sorted(u for u in units if why_not_way(g, u, target) is None))
    attack = Attack(side, target, there, a.breakthrough)
    if why_not_target(g, target, side, again=True) is None and attack_strength(g, attack).total:
        attack = _committed(g, attack, a, refusals)
        low = why_not_odds(g, attack)
        if low:
            refusals.append({"what": "odds", **low.as_json()})
        found |= _odds(g, attack, a.dice)
    return found | {"legal": bool(units) and not refusals, "refusals": refusals}


def _attack_refusals(g: Board, target: int, side: Side, units: tuple[Unit, ...], a: AskAttack) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    if why := why_not_target(g, target, side, again=a.breakthrough):
        found.append({"what": a.target, **why.as_json()})
    for u in units:
        if why := _why_not_strike(g, u, target, side) if a.breakthrough else why_not_attack(g, u, target, side):
            found.append({"what": g.name(u), **why.as_json()})
    if units and (why := why_not_mix(g, units, target)):
        found.append({"what": "together", **why.as_json()})
    return found


def _why_nobody(g: Board, target: Hex, side: Side) -> list[dict[str, Any]]:
    """Why no unit may attack a hex: what keeps each Combat Unit next to it."""
    near = [
        u
        for n in g.map.grid.neighbours[target]
        if n != NO_HEX
        for u in g.units(n)
        if g.forces.side[u] == side and g.forces.combat[u]
    ]
    told = [{"what": g.name(u), **why.as_json()} for u in near if (why := why_not_attack(g, u, target, side))]
    none = Refusal("8.1", f"no Combat Unit of that side is next to {g.hex_name(target)}")
    return told or [{"what": g.hex_name(target), **none.as_json()}]


def _why_not_strike(g: Board, u: Unit, target: Hex, side: Side) -> Refusal | None:
    """15.2.5 The same in Breakthrough Combat: who has attacked attacks again, into hexes he could advance to."""
    later = g.copy()
    later.set_status(u, ATTACKED | AUTO_DS, on=False)
    if why := why_not_attack(later, u, target, side):
        return why
    if not g.map.is_hex(g.place[u]):
        return Refusal("22.7", "Breakthrough Combat is not made from an Entry Area")
    if g.place[u] == target:
        return Refusal("15.2.5", f"{g.name(u)} is in {g.hex_name(target)} itself")
    return why_not_ground(g, u, target)


def _committed(g: Board, attack: Attack, a: AskAttack, refusals: list[dict[str, Any]]) -> Attack:
    """The attack with the support the question names, as far as it is allowed."""
    rows = air_names(g)
    for field in ("air", "defensive_air"):
        name = getattr(a, field)
        one_of(("", *rows), name, "air unit", f"$.{field}")

    def granted(name: str, why: Refusal | None) -> bool:
        if why:
            refusals.append({"what": name, **why.as_json()})
        return why is None

    if a.air and granted(a.air, _why_not_air(g, rows.index(a.air), attack)):
        attack = attack._replace(air=rows.index(a.air))
    for i, name in enumerate(a.artillery):
        u = unit_of(g, name, f"$.artillery[{i}]")
        if granted(name, why_not_shift(g, u, attack)):
            attack = attack._replace(guns=(*attack.guns, u))
    if a.defensive_air and granted(a.defensive_air, why_not_defensive(g, rows.index(a.defensive_air), attack)):
        attack = attack._replace(defensive_air=rows.index(a.defensive_air))
    return attack


def _why_not_air(g: Board, air: int, attack: Attack) -> Refusal | None:
    """9.3.7, 15.2.9 In Breakthrough Combat only a German Air Unit helps that has come with the group."""
    with_group = g.air[air] == AIR_PLACED and g.air_place[air] in {g.place[u] for u in attack.units}
    return None if attack.breakthrough and with_group else why_not_offensive(g, air, attack)


def _odds(g: Board, attack: Attack, dice: int) -> dict[str, Any]:
    now = assess(g, attack, quiet=False)
    found: dict[str, Any] = now.as_json()
    if not now.too_low:
        found |= outlook(g, attack, dice, ends=True)
        found["determined_defense"] = _stand(g, attack._replace(excess=in_excess(g, attack)))
    if not attack.breakthrough:
        found["support"] = {
            "air": [air_names(g)[i] for i in offensive_air(g, attack)],
            "artillery": [g.id(u) for u in offensive_guns(g, attack)],
            "defensive_air": [air_names(g)[i] for i in defensive_air(g, attack)],
        }
        best = with_support(g, attack)
        if best != attack:
            found["best_case"] = assess(g, best, quiet=False).as_json()
            if not assess(g, best).too_low:
                found["best_case"]["chances"] = chances(g, best, dice)
    return found


def _stand(g: Board, attack: Attack) -> dict[str, Any]:
    """11.1, 11.2 Who could lead a Determined Defense: the column of its table, the modifier against a plain result, and
    for each die of the CRT why it may not be tried."""
    now, t = assess(g, attack), tables(g.charts)
    cells = [t.shattered] * 6 if now.automatic else t.columns[now.column]
    found = []
    for u in defenders(g, attack):
        whys = {str(die): why_not_attempt(g, u, attack, x) for die, x in enumerate(cells, start=1)}
        plain = next((x for x in cells if x.determined and x.colour != "orange"), cells[0])
        modifier = defense_modifier(g, u, attack.target, plain, supported=False, quiet=False)
        found.append(
            {
                "unit": g.id(u),
                "modifier": modifier.as_json(),
                "refused": {die: why.as_json() for die, why in whys.items() if why},
            }
        )
    return {"column": defense_column(g, attack.target, 1 - attack.side), "leads": found}


# --- retreat ---------------------------------------------------------------------------------------------------------


class AskRetreat(Asked):
    """Where the units of a hex can retreat to: all ends, what they cost, and what kills those that have none."""

    hex: str = ""
    units: list[str] = msgspec.field(default_factory=list)
    hexes: int = 2
    delay: bool = False
    """One or two hexes (11.6.1)."""
    shun: bool = False
    """As in a Disengagement: no EZOC without friends (27.2.3)."""
    by: str = ""
    """A way to be judged: hexes with blanks between."""


def answer_retreat(g: Board, a: AskRetreat) -> dict[str, Any]:
    units = [unit_of(g, name, f"$.units[{i}]") for i, name in enumerate(a.units)]
    if a.hex:
        h = named_hex(g, a.hex, "$.hex")
        there = [u for u in g.units(h) if g.forces.combat[u]]
        if is_contested(g, h):  # 29.1.1: those who are attacked now
            there = [u for u in there if g.forces.side[u] != g.phasing]
        units = units or there
    if not units:
        raise BadInput("name a hex with Combat Units, or units", "$.units")
    if len({g.place[u] for u in units}) > 1 or not g.on_map(units[0]):
        raise BadInput("units that retreat together stand in one hex of the map", "$.units")
    if not 1 <= a.hexes <= 4:
        raise BadInput(f"a retreat is one to four hexes long, not {a.hexes}", "$.hexes")
    lengths = tuple(g.charts.constants["delay_retreat"]) if a.delay else (a.hexes,)
    flight = Flight(g.forces.side[units[0]], g.place[units[0]], lengths, tuple(units), a.shun, a.hexes == 4)
    return {
        "from": g.hex_name(flight.battle),
        "hexes": list(lengths),
        "units": [_retreat_of(g, u, flight, a) for u in units],
    }


def _retreat_of(g: Board, u: Unit, flight: Flight, a: AskRetreat) -> dict[str, Any]:
    purse = g.steps[u] - 1
    ends = list(ends_of(g, u, flight, purse))
    known = {(e.place, e.pay) for e in ends}
    ends += [e for e in shared_ends(g, u, flight.leaving, flight) if (e.place, e.pay) not in known]
    found: dict[str, Any] = {
        "unit": g.id(u),
        "eliminated": not ends,
        "ends": [
            {
                "to": g.place_name(e.place),
                "kind": e.kind,
                "path": [g.place_name(p) for p in e.path],
                "pay": e.pay,
                "line_of_supply": e.los,
                "rule": "12.2" if e.kind == "extra hex" else "12.1.3",
            }
            for e in ends
        ],
    }
    if not ends:
        found["deaths"] = explain_death(g, u, flight)
    if a.by:
        path = tuple(named_place(g, word, "$.by") for word in a.by.split(" "))
        why = why_not_end(g, u, flight, purse, path) if not any(e.path == path for e in ends) else None
        found["by"] = {"legal": why is None, "refusal": why.as_json() if why else None}
    return found


# --- advance ---------------------------------------------------------------------------------------------------------


class AskAdvance(Asked):
    """Where a unit can Advance After Combat: all places with their ways; with `to`, one place or the refusing rule."""

    unit: str
    hexes: int = 4
    """The Adv number of the result, before weather."""
    vacated: str = ""
    limited: bool = False
    first: bool = True
    to: str = ""


def answer_advance(g: Board, a: AskAdvance) -> dict[str, Any]:
    u = unit_of(g, a.unit)
    if not 1 <= a.hexes <= 4:
        raise BadInput(f"an advance is one to four hexes long, not {a.hexes}", "$.hexes")
    side = g.forces.side[u]
    v = vacated_hex(g, side, named_hex(g, a.vacated, "$.vacated")) if a.vacated else NOWHERE
    if a.limited and v == NO_HEX:
        raise BadInput("a Limited Advance needs the vacated hex", "$.vacated")
    hexes = 1 if a.limited else in_weather(g, a.hexes)
    allowance = advance_allowance(g, u, hexes, quiet=False)
    if not a.limited and hexes != a.hexes:
        rule = "23.2.4" if g.effects.advance == "minus_1" else "23.2.3"
        allowance.items[:1] = [Item("result", "14.2.1", a.hexes), Item("weather", rule, hexes - a.hexes)]
    trip = Trip(g.place[u], allowance.total, v, a.limited, a.first)
    found: dict[str, Any] = {"unit": a.unit, "allowance": allowance.as_json()}
    why = why_not_advance(g, u, took_part=False)
    found["idle"] = {"may_advance": why is None, "refusal": why.as_json() if why else None}
    ways = trips(g, u, trip)
    found["places"] = [_advance_to(g, u, trip, p, way) for p, way in sorted(ways.items())]
    if a.to:
        place = named_place(g, a.to, "$.to")
        refusal = None if place in ways else _why_not_far(g, u, trip, place)
        stack = why_not_stack_there(g, u, place) if place in ways else None
        bad = refusal or stack
        found["to"] = {"place": a.to, "reached": place in ways, "refusal": bad.as_json() if bad else None}
    return found


def _why_not_far(g: Board, u: Unit, trip: Trip, place: int) -> Refusal | None:
    """What stops an advance on the way on which least does: the first rule a unit going there would break."""
    if not (g.map.is_hex(place) and g.map.is_hex(trip.place)) or g.map.grid.near[trip.place] >> place & 1:
        return why_not_step(g, u, trip, place)
    if why_not_target(g, place, g.forces.side[u], again=True) is None:
        return Refusal("5.1", f"an enemy Combat Unit is in {g.hex_name(place)}")
    if g.map.grid.distance(trip.place, place) > trip.left:
        return Refusal("14.2.1", f"{g.hex_name(place)} is farther away than the {trip.left} hexes {g.name(u)} may go")
    order = count()
    open_: list[tuple[int, int, int, int, Refusal | None]] = [(0, 0, next(order), trip.place, None)]
    done: set[tuple[int, int]] = set()
    while open_:
        broken, steps, _, here, first = heappop(open_)
        if here == place:
            return first
        if steps == trip.left or (steps, here) in done:
            continue
        done.add((steps, here))
        for n in g.map.grid.neighbours[here]:
            if n != NO_HEX:
                now = trip._replace(place=here, left=trip.left - steps, first=trip.first and not steps)
                why = why_not_step(g, u, now, n) or (_why_not_end(g, u, here, n, trip) if n != place else None)
                heappush(open_, (broken + (why is not None), steps + 1, next(order), n, first or why))
    return None


def _why_not_end(g: Board, u: Unit, here: int, n: int, trip: Trip) -> Refusal | None:
    """Why an advance goes no farther than a hex it may enter."""
    end = ends_at(g, u, here, n, trip.vacated)
    if end == "ezoc":
        return Refusal("14.4.2", f"the advance ends in the EZOC at {g.hex_name(n)}")
    return Refusal("14.5", f"the advance ends in the Marsh or Mountain hex {g.hex_name(n)}") if end else None


def _advance_to(g: Board, u: Unit, trip: Trip, place: int, way: tuple[int, ...]) -> dict[str, Any]:
    here = way[-2] if len(way) > 1 else trip.place
    end = ends_at(g, u, here, place, trip.vacated)
    why = why_not_stack_there(g, u, place)
    return {
        "to": g.place_name(place),
        "path": [g.place_name(p) for p in way],
        "hexes": len(way),
        "ends": {"ezoc": "14.4.2", "terrain": "14.5", "area": "22.3.1"}.get(end, ""),
        "overstacked": why.as_json() if why else None,
    }


COMBAT_QUESTIONS: Mapping[str, Answerer] = {
    "attack": Answerer(AskAttack, answer_attack, "strengths, column, support and exact chances of an attack"),
    "retreat": Answerer(AskRetreat, answer_retreat, "all ends of a retreat, their price, and what kills"),
    "advance": Answerer(AskAdvance, answer_advance, "where a unit can Advance After Combat"),
}
