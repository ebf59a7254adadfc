"""9.21 Soviet movement methods A: game-turns 1-4, and later while the front's objective marker is in play."""

from __future__ import annotations

from functools import partial

from kessel.core.breakdown import Refusal
from kessel.core.forces import Unit
from kessel.core.hexes import NO_HEX, Bits, Hex
from kessel.core.hexset import bits, members
from kessel.games.kharkov43.board import Board
from kessel.games.kharkov43.combat.battle import rivers_between
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.movement.movement import INFILTRATION, reach_of
from kessel.games.kharkov43.movement.zones import scene_if
from kessel.games.kharkov43.supply.supply import field_if, field_of
from kessel.games.kharkov43.system.methods.methods import DOWN, UP, Check, Go, Method, Order, Stay, concerns
from kessel.games.kharkov43.system.methods.targets import (
    armor_only_hexes,
    beside_german_towns,
    german_strength,
    is_threatened,
    lone_approaches,
    near_cut_off,
    near_german_towns,
    near_germans,
    near_own_vp_hexes,
    near_surrounds,
    near_vp_hexes_to_take,
    newly_supplied,
    surround_orders,
    units_beside,
)
from kessel.games.kharkov43.system.terms.arrows import ArrowMove, arrow_moves
from kessel.games.kharkov43.system.terms.choosing import Preference, by_score, closest, farthest, least, most, those
from kessel.games.kharkov43.system.terms.preferences import marker_of
from kessel.games.kharkov43.system.terms.terminology import (
    beside,
    beside_germans,
    empty_hexes,
    germans_beside,
    is_spearhead,
    other_front,
    other_soviets,
    surrounded_hexes,
    unoccupied_hexes,
    westing,
)

OPEN_SUPPLY_FROM = 3
THREAT_BY_SUPPLY_FROM = 3
RELIEVE_FROM = 4
DNIEPR = ("dniepr", "blocked_dniepr")


def why_not_without_marker(g: Board, front: str) -> Refusal | None:
    """9.21.2, 9.21.11 Methods skipped once the front's objective marker has been removed from play."""
    if g.has_objective(front):
        return None
    return Refusal("9.12", f"the objective marker of the {front} Front has been removed from play")


def why_not_for_spearhead(g: Board, u: Unit) -> Refusal | None:
    """9.21 Methods 4-9 and Soviet spearheads."""
    if g.turn > 5 or not is_spearhead(g, u) or not g.is_supplied(u) or g.ground.towns >> g.place[u] & 1:
        return None
    if g.turn <= 2:
        return Refusal("9.21.Sa", "supplied spearhead units outside towns skip methods 4-9 on game-turns 1 and 2")
    if g.is_armor(u):
        return Refusal("9.21.Sb", "supplied armored spearheads outside towns skip methods 4-9 on game-turns 3-5")
    return None


# --- 1 -------------------------------------------------------------------------------------------------------------


@concerns(near_vp_hexes_to_take)
def take_vp_hex(c: Check) -> tuple[Order, ...]:
    """9.21.1, 9.22.1, 9.26.1 Enter an empty German town or city, by urban infiltration if need be; else a map edge."""
    g, u = c.g, c.unit
    ground = g.ground
    foreign = ground.targets[other_front(c.front)] & ~ground.targets[c.front]
    towns = g.towns_of(GERMAN) & ~foreign & reach_of(g, u, INFILTRATION).hexes
    edges = ground.edge_vps & c.ends
    if not towns and not edges:
        return ()
    empty = empty_hexes(g, u)
    towns &= empty
    edges = bits(h for h in members(edges & empty) if h in field_if(g, scene_if(g, u, h), SOVIET))
    shift = g.reads("take_vp_hex_shift") != "never"
    tactical = g.reads("vp_hex_by_tactics") != "never"
    orders: list[Order] = []
    if towns:
        orders.append(Go(towns, what="an empty German town or city", shift=shift, tactical=tactical))
    if edges:
        orders.append(Go(edges, what="an empty map-edge VP hex", shift=shift, tactical=tactical))
    return tuple(orders)


# --- 2, 6 ----------------------------------------------------------------------------------------------------------


@concerns(near_german_towns)
def near_objective(c: Check) -> tuple[Order, ...]:
    """9.21.2 Adjacent to a German VP hex and closer to, or within four hexes of, the unit's objective marker."""
    g = c.g
    marker = marker_of(g, c.unit)
    if marker < 0:
        return ()
    objective, most_away = g.objective[marker], g.charts.constants.objective_distance
    away = partial(g.ground.distance, objective)
    towns = g.towns_of(GERMAN)
    here = g.map.grid.near[c.start] & towns
    hexes = beside_german_towns(g) & c.ends & g.ground.closer(objective, max(away(c.start), most_away + 1))
    if not here and not hexes:
        return ()

    def score(h: Hex) -> tuple[float, ...] | None:
        """Of the VP hex preferred: exclusive target, least strength, not over the Dniepr, highest value."""
        found = (_vp_score(c, h, v) for v in members(g.map.grid.near[h] & towns))
        return min(found, default=None)

    if g.reads("stay_near_objective") == "vp_hex":
        kept = [v for v in members(here) if away(v) <= most_away]
    else:
        kept = members(here) if away(c.start) <= most_away else []
    prefer = by_score("9.21.2", ("exclusive target", "least German strength", "not across the Dniepr", "VPs"), score)
    if not kept:
        return (Go(hexes, prefer, what="beside a German VP hex near the objective"),)
    now = min(_vp_score(c, c.start, v) for v in kept)
    better = 0
    for h in members(hexes):
        if (s := score(h)) is not None and s < now:
            better |= 1 << h
    reason = "it is beside a German VP hex near the objective"
    stay = Stay("9.21.2", reason, review=True, germans=here, prefer=prefer)
    return (Go(better, prefer, what="beside a more preferred German VP hex near the objective"), stay)


def _vp_score(c: Check, h: Hex, v: Hex) -> tuple[float, ...]:
    g = c.g
    across = any(r in DNIEPR for r in rivers_between(g, h, v))
    return (not g.ground.is_only_target(v, c.front), german_strength(g, v), across, -g.ground.vp_value(v))


def near_target_towns(g: Board, front: str) -> Bits:
    return units_beside(g, g.towns_of(GERMAN) & g.ground.targets[front])


@concerns(near_target_towns)
def beside_german_vp_hex(c: Check) -> tuple[Order, ...]:
    """9.21.6 Adjacent to a German VP hex targeted for the active front."""
    g = c.g
    towns = g.towns_of(GERMAN) & g.ground.targets[c.front]
    hexes = beside_german_towns(g) & c.ends and units_beside(g, towns) & c.ends
    if not hexes and not g.map.grid.near[c.start] & towns:
        return ()

    def score(h: Hex) -> tuple[float, ...] | None:
        found = ((german_strength(g, v), -g.ground.vp_value(v)) for v in members(g.map.grid.near[h] & towns))
        return min(found, default=None)

    prefer = by_score("9.21.6", ("least German strength", "VPs"), score)
    now = score(c.start)
    if now is None:
        return (Go(hexes, prefer, what="beside a German VP hex"),)
    better = 0
    for h in members(hexes):
        if (s := score(h)) is not None and s < now:
            better |= 1 << h
    germans = g.map.grid.near[c.start] & towns
    reason = "it is beside the most qualified German VP hex"
    stay = Stay("9.21.6", reason, review=True, germans=germans, prefer=prefer)
    return (Go(better, prefer, what="beside a more qualified German VP hex"), stay)


# --- 3 -------------------------------------------------------------------------------------------------------------


def why_not_open_supply_yet(g: Board, front: str) -> Refusal | None:
    if g.turn >= OPEN_SUPPLY_FROM:
        return None
    return Refusal("9.21.3", f"it begins on game-turn {OPEN_SUPPLY_FROM}")


@concerns(near_cut_off)
def open_supply_line(c: Check) -> tuple[Order, ...]:
    """9.21.3 To a hex that lets units trace supply that can't now, at least one of them of the active front."""
    found = newly_supplied(c.g, c.unit, c.ends, c.front)
    if not found:
        return ()
    hexes = 0
    for h in found:
        hexes |= 1 << h
    return (Go(hexes, (most("9.21.3", "most units supplied", lambda h: found.get(h, 0)),), what="opens supply"),)


# --- 4 -------------------------------------------------------------------------------------------------------------


@concerns(near_surrounds)
def cause_surround(c: Check) -> tuple[Order, ...]:
    """9.21.4 Cause the surround of a German unit; or, causing one already, move adjacent to it."""
    return surround_orders(c, "9.21.4")


# --- 5 -------------------------------------------------------------------------------------------------------------


@concerns(near_own_vp_hexes)
def to_soviet_vp_hex(c: Check) -> tuple[Order, ...]:
    """9.21.5 To a threatened empty or garrisoned Soviet VP hex; infantry also joins armor alone in a VP hex."""
    g, u = c.g, c.unit
    if is_infantry_with_armor(c):
        return (Stay("9.21.5", "infantry in a VP hex with only armor"),)
    by_supply = g.turn >= THREAT_BY_SUPPLY_FROM
    wanted = g.towns_of(SOVIET) & g.ground.targets[c.front] & c.ends
    hexes = 0
    for h in members(wanted and wanted & unoccupied_hexes(g, u)):
        if is_threatened(g, h, by_supply=by_supply):
            hexes |= 1 << h
    with_armor = 0 if g.is_mech(u) else armor_only_hexes(g) & c.ends
    if not hexes and not with_armor:
        return ()
    prefer = (
        those("9.21.5a", "a German unit adjacent", lambda: units_beside(g, g.hexes_of(GERMAN))),
        those("9.21.5b", "an empty hex", lambda: empty_hexes(g, u)),
        most("9.21.5c", "the highest VP value", g.ground.vp_value),
    )
    orders: list[Order] = [Go(hexes, prefer, what="a threatened Soviet VP hex")]
    if with_armor:
        orders.append(Go(with_armor, what="a VP hex held by armor alone"))
    return tuple(orders)


def is_infantry_with_armor(c: Check) -> bool:
    """9.21.5, 9.22.3 A non-mechanized unit that starts in a VP hex stacked with only armor units."""
    g, u = c.g, c.unit
    if not g.ground.vp_hexes >> c.start & 1 or g.is_mech(u) or g.is_alone(u):
        return False
    return all(g.is_armor(v) for v in g.units(c.start) if v != u)


# --- 7 -------------------------------------------------------------------------------------------------------------


def unsurrounded_in_logistics_hexes(g: Board, front: str) -> Bits:
    """The German units of 9.21.7."""
    wanted = g.hexes_of(GERMAN) & g.ground.logistics[front]
    return wanted and wanted & ~surrounded_hexes(g, GERMAN)


def near_logistics(g: Board, front: str) -> Bits:
    wanted = unsurrounded_in_logistics_hexes(g, front)
    return wanted and beside(g, wanted)


@concerns(near_logistics)
def beside_german_in_logistics_hex(c: Check) -> tuple[Order, ...]:
    """9.21.7 Adjacent to an unsurrounded German unit in a logistics hex of the active front."""
    g = c.g
    wanted = unsurrounded_in_logistics_hexes(g, c.front)
    here = germans_beside(g, c.start) & wanted
    hexes = wanted and beside(g, wanted) & c.ends
    if not here and not hexes:
        return ()

    def score(h: Hex) -> tuple[float, ...] | None:
        found = ((german_strength(g, x), westing(g, x)) for x in members(_around(g, h) & wanted))
        return min(found, default=None)

    prefer = by_score("9.21.7", ("lowest strength", "easternmost"), score)
    if g.reads("easternmost") != "german_hex":
        prefer = (prefer[0], least("9.21.7b", "easternmost", lambda h: westing(g, h)))
    if here:
        reason = "it is beside a German unit in a logistics hex"
        return (Stay("9.21.7", reason, review=True, germans=here, prefer=prefer),)
    return (Go(hexes, prefer, what="beside a German unit in a logistics hex"),)


def _around(g: Board, h: Hex) -> Bits:
    return g.ground.adjacent_units(h)


# --- 8 -------------------------------------------------------------------------------------------------------------


@concerns(near_germans)
def beside_german_unit(c: Check) -> tuple[Order, ...]:
    """9.21.8, 9.26.2 To an unoccupied hex beside a German unit, away from Soviet units beside the same unit."""
    g, u = c.g, c.unit
    if not beside_germans(g) & (c.ends | 1 << c.start):
        return ()
    alone = lone_approaches(g, u)
    go = lone_go(c, "9.21.8", unoccupied_hexes(g, u))
    if c.start in alone and unoccupied_hexes(g, u) >> c.start & 1:
        here = germans_beside(g, c.start)
        reason = "it is beside a German unit by itself"
        return (Stay("9.21.8", reason, review=True, germans=here, prefer=go.prefer),)
    return (go,)


def lone_go(c: Check, rule: str, within: Bits, more: tuple[Preference, ...] = ()) -> Go:
    """9.21.8, 9.22.8 The preferences of both."""
    g, u = c.g, c.unit
    alone = lone_approaches(g, u)
    untouched = g.hexes_of(GERMAN) & ~beside(g, other_soviets(g, u))
    away = g.ground.distance

    def score(h: Hex) -> tuple[int, ...] | None:
        """Of the German hexes approached: one no Soviet unit is beside, the closest."""
        return min(((not untouched >> x & 1, away(c.start, x)) for x in members(alone.get(h, 0))), default=None)

    hexes = 0
    for h in alone:
        hexes |= 1 << h
    by_german = by_score(rule, ("untouched", "closest"), score)
    prefer = (
        most(f"{rule}a", "beside the most German units", lambda h: german_units(g, _around(g, h))),
        Preference(f"{rule}b", "a German unit no Soviet unit is beside", by_german[0].keep),
        Preference(f"{rule}c", "the closest German unit", by_german[1].keep),
        *more,
    )
    return Go(hexes & within & c.ends, prefer, what="beside a German unit")


def german_units(g: Board, hexes: Bits) -> int:
    return sum(len(g.units(x)) for x in members(hexes & g.hexes_of(GERMAN)))


# --- 9 -------------------------------------------------------------------------------------------------------------


def why_not_relieve_yet(g: Board, front: str) -> Refusal | None:
    return Refusal("9.21.9", f"it begins on game-turn {RELIEVE_FROM}") if g.turn < RELIEVE_FROM else None


def near_garrisons(g: Board, front: str) -> Bits:
    return g.garrisons & g.ground.targets[front]


def garrisons_to_relieve(c: Check) -> Bits:
    """9.21.9, 9.22.9 Threatened garrisoned hexes of the active front's targets in Soviet supply."""
    g = c.g
    found = 0
    near = g.garrisons & g.ground.targets[c.front] & c.ends
    for h in members(near and near & field_of(g, SOVIET).hexes):
        if is_threatened(g, h, by_supply=True):
            found |= 1 << h
    return found


@concerns(near_garrisons)
def relieve_garrison(c: Check) -> tuple[Order, ...]:
    """9.21.9 A hex beside a Soviet unit is not eligible unless it is a VP hex."""
    g, u = c.g, c.unit
    hexes = garrisons_to_relieve(c)
    if not hexes:
        return ()
    hexes &= g.ground.vp_hexes | ~beside(g, other_soviets(g, u))
    prefer = those("9.21.9", "beside a German unit", lambda: units_beside(g, g.hexes_of(GERMAN)))
    return (Go(hexes, (prefer,), what="a threatened garrison"),)


# --- 10 ------------------------------------------------------------------------------------------------------------


def follow_arrows(c: Check) -> tuple[Order, ...]:
    """9.21.10 Along movement arrows, spending the whole movement allowance."""
    moves = arrow_moves(c.g, c.unit, c.front)
    if not moves:
        return ()
    marker = marker_of(c.g, c.unit)
    objective = c.g.objective[marker] if marker >= 0 else NO_HEX
    return (arrow_go(c, moves, "9.21.10", objective),)


def arrow_go(c: Check, moves: dict[Hex, ArrowMove], rule: str, objective: Hex = NO_HEX) -> Go:
    """9.21.10, 9.22.10 The preferences of both; only 9.21 looks at the objective."""
    g, u = c.g, c.unit
    hexes = 0
    for h in moves:
        hexes |= 1 << h
    prefer = [
        those(f"{rule}a", "ends in an unoccupied hex", lambda: unoccupied_hexes(g, u)),
        farthest(f"{rule}b", "ends farthest from its start", g, c.start),
    ]
    if objective != NO_HEX:
        prefer.append(closest(f"{rule}c", "ends closest to the objective", g, objective))

    def secondary(h: Hex) -> int | None:
        return moves[h].secondary if h in moves else None

    letter = "d" if rule == "9.21.10" else "c"
    prefer.append(least(f"{rule}{letter}", "follows primary arrows", secondary))
    return Go(hexes, tuple(prefer), what="along the arrows")


# --- 11 ------------------------------------------------------------------------------------------------------------


def closest_to_front_objective(c: Check) -> tuple[Order, ...]:
    """9.21.11 Strictly closer to the front's objective."""
    g, u = c.g, c.unit
    objective = g.objective_of(c.front)
    hexes = c.ends & g.ground.closer(objective, g.ground.distance(objective, c.start))
    if not hexes:
        return ()

    def weakest(h: Hex) -> int | None:
        return min((german_strength(g, x) for x in members(germans_beside(g, h))), default=None)

    prefer = (
        closest("9.21.11a", f"closest to {g.ground.name(objective)}", g, objective),
        least("9.21.11b", "beside the weakest German-occupied hex", weakest),
        those("9.21.11c", "an empty hex", lambda: empty_hexes(g, u)),
    )
    return (Go(hexes, prefer, what=f"closer to {g.ground.name(objective)}"),)


# --- 12 ------------------------------------------------------------------------------------------------------------


@concerns(near_germans)
def strengthen_attack(c: Check) -> tuple[Order, ...]:
    """9.21.12 Beside a German unit to which another active unit is adjacent; not for a unit beside one already."""
    g, u = c.g, c.unit
    if beside_germans(g) >> c.start & 1 or not beside_germans(g) & c.ends:
        return ()
    active = 0
    for v in g.active_units():
        if v != u and g.on_map(v):
            active |= 1 << g.place[v]
    met = g.hexes_of(GERMAN) & beside(g, active)
    return (Go(beside(g, met) & c.ends, what="strengthens an attack"),)


METHODS_A = (
    Method("9.21.1", "take VP hex", DOWN, take_vp_hex),
    Method("9.21.2", "adjacent to German VP hex and near objective", UP, near_objective, why_not_without_marker),
    Method("9.21.3", "open supply line", DOWN, open_supply_line, why_not_open_supply_yet),
    Method("9.21.4", "cause surround", DOWN, cause_surround, spearheads_skip=True),
    Method("9.21.5", "to Soviet VP hex", DOWN, to_soviet_vp_hex, spearheads_skip=True),
    Method("9.21.6", "adjacent to German VP hex", UP, beside_german_vp_hex, spearheads_skip=True),
    Method(
        "9.21.7",
        "adjacent to German unit in logistics hex",
        DOWN,
        beside_german_in_logistics_hex,
        spearheads_skip=True,
    ),
    Method("9.21.8", "adjacent to German unit", DOWN, beside_german_unit, spearheads_skip=True),
    Method("9.21.9", "relieve garrison", DOWN, relieve_garrison, why_not_relieve_yet, spearheads_skip=True),
    Method("9.21.10", "follow movement arrows", UP, follow_arrows),
    Method("9.21.11", "move closest to front objective", UP, closest_to_front_objective, why_not_without_marker),
    Method("9.21.12", "strengthen potential attack", UP, strengthen_attack),
)
