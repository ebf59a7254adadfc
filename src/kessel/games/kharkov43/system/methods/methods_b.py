"""9.22 Soviet movement methods B: from game-turn 5 on, once the front's objective marker has been removed from play.

Methods marked so in the book end only within the operational limit (9.8), which is in force from game-turn 6 on.
"""

from __future__ import annotations

from collections.abc import Iterator

from kessel.core.breakdown import Refusal
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import members
from kessel.games.kharkov43.board import Board
from kessel.games.kharkov43.data.forces import FRONTS, GERMAN, SOVIET
from kessel.games.kharkov43.movement.movement import farthest
from kessel.games.kharkov43.movement.proximity import is_german_proximate
from kessel.games.kharkov43.supply.supply import field_of
from kessel.games.kharkov43.supply.support import limit_of, supported
from kessel.games.kharkov43.system.methods.approaches import starts_reaching
from kessel.games.kharkov43.system.methods.methods import DOWN, UP, Check, Go, Method, Order, Stay, Why, concerns
from kessel.games.kharkov43.system.methods.methods_a import (
    arrow_go,
    garrisons_to_relieve,
    is_infantry_with_armor,
    lone_go,
    take_vp_hex,
)
from kessel.games.kharkov43.system.methods.targets import (
    armor_only_hexes,
    german_strength,
    is_threatened,
    near_cut_off,
    near_german_towns,
    near_germans,
    near_own_vp_hexes,
    near_surrounds,
    newly_supplied,
    surround_orders,
    units_beside,
)
from kessel.games.kharkov43.system.terms.arrows import arrow_moves
from kessel.games.kharkov43.system.terms.choosing import Preference, by_score, highest_number, least, most, those
from kessel.games.kharkov43.system.terms.preferences import distance_to
from kessel.games.kharkov43.system.terms.terminology import (
    beside,
    beside_germans,
    germans_beside,
    is_nearly_surrounded,
    other_soviets,
    unoccupied_hexes,
    why_nearly_surrounded_in,
)
from kessel.games.kharkov43.turn.victory import is_kharkov


def _not_nearly_surrounded(c: Check, rule: str) -> Why:
    """A requirement of several methods: in the end hex the unit would not be nearly surrounded."""

    def why(h: Hex) -> Refusal | None:
        found = why_nearly_surrounded_in(c.g, c.unit, h)
        return None if found is None else Refusal(rule, f"the unit would be nearly surrounded: {found.reason}")

    return why


# --- 2 -------------------------------------------------------------------------------------------------------------


@concerns(near_cut_off)
def open_supply_line(c: Check) -> tuple[Order, ...]:
    """9.22.2"""
    g, u = c.g, c.unit
    found = newly_supplied(g, u, c.ends, c.front)
    hexes = 0
    for h in found:
        hexes |= 1 << h

    def safe(s: Bits) -> Bits:
        kept = 0
        for h in members(s):
            if why_nearly_surrounded_in(g, u, h) is None:
                kept |= 1 << h
        return kept

    prefer = (
        most("9.22.2a", "most units supplied", lambda h: found.get(h, 0)),
        Preference("9.22.2b", "not nearly surrounded", safe),
        those("9.22.2c", "in Soviet support", lambda: supported(g)),
        least("9.22.2d", "closest to Soviet support", lambda h: distance_to(g, supported(g))[h]),
    )
    return (Go(hexes, prefer, what="opens supply"),)


# --- 3 -------------------------------------------------------------------------------------------------------------


def _few_steps(g: Board, h: Hex) -> int:
    """9.22.3 How many steps leave a VP hex weakly held: one, in Kharkov two."""
    return 2 if is_kharkov(g, h) else 1


@concerns(near_own_vp_hexes)
def to_soviet_vp_hex(c: Check) -> tuple[Order, ...]:
    """9.22.3 To a threatened, weakly held Soviet VP hex; infantry also joins armor alone in a VP hex."""
    g, u = c.g, c.unit
    on_vp = g.ground.vp_hexes >> c.start & 1
    if (
        on_vp
        and g.steps_in(c.start) - g.steps[u] <= _few_steps(g, c.start)
        and is_threatened(g, c.start, by_supply=True)
    ):
        return (Stay("9.22.3a", "it holds a threatened VP hex with few other steps"),)
    if is_infantry_with_armor(c):
        return (Stay("9.22.3b", "infantry in a VP hex with only armor"),)
    hexes = 0
    for h in members(g.towns_of(SOVIET) & g.ground.targets[c.front] & c.ends):
        if g.steps_in(h) <= _few_steps(g, h) and is_threatened(g, h, by_supply=True):
            hexes |= 1 << h
    prefer = (
        those("9.22.3a", "an empty or garrisoned hex", lambda: unoccupied_hexes(g, u)),
        most("9.22.3b", "the highest VP value", g.ground.vp_value),
        those("9.22.3c", "a German unit adjacent", lambda: units_beside(g, g.hexes_of(GERMAN))),
        those("9.22.3d", "in Soviet support", lambda: supported(g)),
    )
    orders: list[Order] = [Go(hexes, prefer, what="a threatened Soviet VP hex")]
    if not g.is_mech(u):
        orders.append(Go(armor_only_hexes(g) & c.ends, what="a VP hex held by armor alone"))
    return tuple(orders)


# --- 4 -------------------------------------------------------------------------------------------------------------


def avoid_surround(c: Check) -> tuple[Order, ...]:
    """9.22.4 Out of a hex, no VP hex, in which the unit is nearly surrounded."""
    g, u = c.g, c.unit
    if g.ground.vp_hexes >> c.start & 1 or not is_nearly_surrounded(g, u):
        return ()
    away = g.ground.distances(c.start)

    def closer_to_support(s: Bits) -> Bits:
        to_support = distance_to(g, supported(g))
        kept = 0
        for h in members(s):
            if to_support[h] < to_support[c.start]:
                kept |= 1 << h
        return kept

    prefer = (
        those("9.22.4a", "in Soviet support", lambda: supported(g)),
        those("9.22.4b", "within the operational limit", lambda: limit_of(g, c.front)),
        Preference("9.22.4c", "closer to Soviet support", closer_to_support),
        those("9.22.4d", "an unoccupied hex", lambda: unoccupied_hexes(g, u)),
        those("9.22.4e", "not adjacent to a Soviet unit", lambda: g.ground.all & ~beside(g, other_soviets(g, u))),
        least("9.22.4f", "closest to its start", lambda h: away[h]),
    )
    return (Go(c.ends, prefer, _not_nearly_surrounded(c, "9.22.4"), "out of being nearly surrounded"),)


# --- 5 -------------------------------------------------------------------------------------------------------------


def eligible_vp_hexes(c: Check) -> Bits:
    """9.22.5, 9.22.11 German VP hexes targeted for the active front; beyond the limit only with one step or none."""
    return _within_limit_or_weak(c, c.g.towns_of(GERMAN) & c.g.ground.targets[c.front])


def _within_limit_or_weak(c: Check, towns: Bits) -> Bits:
    g = c.g
    found = towns & limit_of(g, c.front)
    for v in members(towns & ~found):
        if g.steps_in(v) <= 1:
            found |= 1 << v
    return found


@concerns(near_german_towns)
def beside_german_vp_hex(c: Check) -> tuple[Order, ...]:
    """9.22.5"""
    g = c.g
    towns = eligible_vp_hexes(c)
    here, hexes = g.map.grid.near[c.start] & towns, units_beside(g, towns) & c.ends
    if not here and not hexes:
        return ()

    def score(h: Hex) -> tuple[float, ...] | None:
        found = ((german_strength(g, v), -g.ground.vp_value(v)) for v in members(g.map.grid.near[h] & towns))
        return min(found, default=None)

    prefer = by_score("9.22.5", ("least German strength", "VPs"), score)
    if here and not is_nearly_surrounded(g, c.unit):
        reason = "it is beside a qualified German VP hex"
        return (Stay("9.22.5", reason, review=True, germans=here, prefer=prefer),)
    return (Go(hexes, prefer, _not_nearly_surrounded(c, "9.22.5"), "beside a German VP hex"),)


# --- 6 -------------------------------------------------------------------------------------------------------------


def why_not_beyond_limit(g: Board, front: str) -> Refusal | None:
    within = limit_of(g, front)
    if any(g.on_map(u) and not within >> g.place[u] & 1 for u in g.active_units()):
        return None
    return Refusal("9.22.6", "no active unit is beyond the operational limit")


def map_edge(g: Board) -> Bits:
    return g.ground.edge(GERMAN) | g.ground.edge(SOVIET)


def toward_operational_limit(c: Check) -> tuple[Order, ...]:
    """9.22.6 From beyond the limit into it, or at least closer to it."""
    g, u = c.g, c.unit
    within = limit_of(g, c.front)
    if within >> c.start & 1:
        return ()
    to_limit = distance_to(g, within)
    hexes = 0
    for h in members(c.ends):
        if to_limit[h] < to_limit[c.start]:
            hexes |= 1 << h
    others = other_soviets(g, u)
    prefer = (
        those("9.22.6a", "within the operational limit", lambda: within),
        those("9.22.6b", "not on a map edge", lambda: g.ground.all & ~map_edge(g)),
        those("9.22.6c", "not with or beside a Soviet unit", lambda: g.ground.all & ~(others | beside(g, others))),
        those("9.22.6d", "in Soviet support", lambda: supported(g)),
        least("9.22.6e", "closest to Soviet support", lambda h: distance_to(g, supported(g))[h]),
        those("9.22.6f", "a target village", lambda: g.ground.villages & g.ground.targets[g.forces.higher[u]]),
    )
    return (Go(hexes, prefer, what="toward the operational limit"),)


# --- 7, 8, 9, 10: the operational limit applies --------------------------------------------------------------------


@concerns(near_surrounds)
def cause_surround(c: Check) -> tuple[Order, ...]:
    """9.22.7 As 9.21.4, but the unit must not become nearly surrounded."""
    return surround_orders(c, "9.22.7", limit_of(c.g, c.front), _not_nearly_surrounded(c, "9.22.7"))


@concerns(near_germans)
def beside_german_unit(c: Check) -> tuple[Order, ...]:
    """9.22.8"""
    g, u = c.g, c.unit
    if not beside_germans(g) & (c.ends | 1 << c.start):
        return ()
    limit = limit_of(g, c.front)
    mine = germans_beside(g, c.start) & ~beside(g, other_soviets(g, u))
    go = lone_go(c, "9.22.8", unoccupied_hexes(g, u) & limit, (highest_number(g, "9.22.8d"),))
    if mine and g.units(c.start) == [u] and limit >> c.start & 1 and not is_nearly_surrounded(g, u):
        reason = "it is the only Soviet unit beside a German unit"
        return (Stay("9.22.8", reason, review=True, germans=mine, prefer=go.prefer),)
    return (Go(go.hexes, go.prefer, _not_nearly_surrounded(c, "9.22.8"), go.what),)


def near_garrisons_or_villages(g: Board, front: str) -> Bits:
    return (g.garrisons | g.ground.villages & g.hexes_of(SOVIET)) & g.ground.targets[front]


@concerns(near_garrisons_or_villages)
def relieve_garrison(c: Check) -> tuple[Order, ...]:
    """9.22.9"""
    g = c.g
    if g.ground.villages & g.ground.targets[c.front] & 1 << c.start and is_german_proximate(g, c.start):
        return (Stay("9.22.9", "it holds a target village to which a German unit is proximate"),)
    hexes = garrisons_to_relieve(c) & limit_of(g, c.front)
    if not hexes:
        return ()

    def proximate(s: Bits) -> Bits:
        kept = 0
        for h in members(s):
            if is_german_proximate(g, h):
                kept |= 1 << h
        return kept

    prefer = (
        those("9.22.9a", "beside a German unit", lambda: units_beside(g, g.hexes_of(GERMAN))),
        Preference("9.22.9b", "a German unit proximate", proximate),
    )
    return (Go(hexes, prefer, what="a threatened garrison"),)


def follow_arrows(c: Check) -> tuple[Order, ...]:
    """9.22.10"""
    limit = limit_of(c.g, c.front)
    moves = {h: m for h, m in arrow_moves(c.g, c.unit, c.front).items() if limit >> h & 1}
    if not moves:
        return ()
    return (arrow_go(c, moves, "9.22.10"),)


# --- 11 ------------------------------------------------------------------------------------------------------------


def vp_hexes_to_approach(c: Check) -> Bits:
    """9.22.11 Those of 9.22.5; if all targets of the front are Soviet-owned, German VP hexes targeted for no front."""
    g = c.g
    own = g.towns_of(GERMAN) & g.ground.targets[c.front]
    if own:
        return eligible_vp_hexes(c)
    nobodys = g.towns_of(GERMAN)
    for front in FRONTS:
        nobodys &= ~g.ground.targets[front]
    return _within_limit_or_weak(c, nobodys)


def proximate_from(c: Check, v: Hex, among: Bits) -> Bits:
    """9.3 Those hexes in which the unit would be proximate to the German VP hex v, entering it or getting beside it."""
    g = c.g
    goal = g.ground.adjacent_units(v) if g.hexes_of(GERMAN) >> v & 1 else 1 << v
    return starts_reaching(g, c.unit, goal, among)


def proximate_to_german_vp_hex(c: Check) -> tuple[Order, ...]:
    """9.22.11 To a hex in which the unit becomes proximate to a German VP hex."""
    g = c.g
    grid, too_far = g.map.grid, 2 * farthest(g, c.unit)
    new_only = g.reads("becomes_proximate") == "not_before"
    met: dict[Hex, list[Hex]] = {}
    for v in members(vp_hexes_to_approach(c)):
        if grid.distance(c.start, v) > too_far:
            continue
        found = proximate_from(c, v, c.ends | 1 << c.start)
        if new_only and found >> c.start & 1:
            continue
        for h in members(found & c.ends):
            met.setdefault(h, []).append(v)
    hexes = 0
    for h in met:
        hexes |= 1 << h
    in_supply = field_of(g, SOVIET)

    def score(h: Hex) -> tuple[float, ...] | None:
        found = ((not grid.near[h] >> v & 1, h not in in_supply, g.ground.distances(v)[h]) for v in met.get(h, ()))
        return min(found, default=None)

    prefer = by_score("9.22.11", ("adjacent to the VP hex", "in Soviet supply", "closest to the VP hex"), score)
    return (Go(hexes, prefer, what="proximate to a German VP hex"),)


def is_desperate(g: Board) -> bool:
    """9.22 Soviet desperation: fewer than 19 VPs."""
    return g.vp < g.charts.constants.desperation_vp


METHODS_B = (
    Method("9.22.1", "take VP hex", DOWN, take_vp_hex),
    Method("9.22.2", "open supply line", DOWN, open_supply_line),
    Method("9.22.3", "to Soviet VP hex", UP, to_soviet_vp_hex),
    Method("9.22.4", "avoid surround", UP, avoid_surround),
    Method("9.22.5", "adjacent to German VP hex", UP, beside_german_vp_hex),
    Method("9.22.6", "move into or toward operational limit", UP, toward_operational_limit, why_not_beyond_limit),
    Method("9.22.7", "cause surround", DOWN, cause_surround),
    Method("9.22.8", "adjacent to German unit", DOWN, beside_german_unit),
    Method("9.22.9", "relieve garrison", DOWN, relieve_garrison),
    Method("9.22.10", "follow movement arrows", UP, follow_arrows),
    Method("9.22.11", "proximate to German VP hex", UP, proximate_to_german_vp_hex),
)


def methods_b(g: Board) -> Iterator[Method]:
    """9.22 In numerical order; in desperation method 11 comes before method 6 and is skipped at its own place.

    Whether the Soviets are desperate is asked when method 5 is over.
    """
    yield from METHODS_B[:5]
    desperate = is_desperate(g)
    if desperate:
        yield METHODS_B[10]
    yield from METHODS_B[5:10]
    if not desperate:
        yield METHODS_B[10]
