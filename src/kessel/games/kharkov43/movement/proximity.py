"""9.3 Proximity: could a unit get there in one move?

Terrain, enemy units and their zones, supply state, stacking and garrisons all count; strategic movement (9.3) and the
supply limit on German moves (10.5) do not.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from kessel.core.facts import GAME, fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import spread, spread_through
from kessel.core.paths import Reach
from kessel.games.kharkov43.board import OF_POSITION, POSITION, UNITS, Board
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.movement.kept import Kept, known, starts_of
from kessel.games.kharkov43.movement.movement import (
    PLACING_GARRISONS,
    PROXIMITY,
    REGULAR,
    farthest,
    reach_of,
    search,
    while_placing_garrisons,
)
from kessel.games.kharkov43.movement.stacking import full_hexes
from kessel.games.kharkov43.movement.zones import Scene, enemy_of, is_garrisoned, scene_of

MOST_KEPT = 5_000
"""German units in some place and state, as the Soviets fear them, kept for a game."""


def could_enter(g: Board, u: Unit, purpose: str = PROXIMITY) -> Bits:
    """The hexes that u could move to and enter, its own among them."""
    return _could_enter(g, u, purpose)


@fact(POSITION)
def _could_enter(g: Board, u: Unit, purpose: str) -> Bits:
    reached = reach_of(g, u, REGULAR, purpose).hexes
    return reached & ~full_hexes(g, g.forces.side[u], g.steps[u]) | 1 << g.place[u]


def could_enter_against(g: Board, v: Stalker, soviets: Scene) -> Bits:
    """The hexes that the German unit could move to and enter if the Soviets stood so."""
    return _entered(g, v, reach_of_stalker(g, v, soviets))


def _entered(g: Board, v: Stalker, reached: Reach) -> Bits:
    return reached.hexes & ~full_hexes(g, GERMAN, v.steps) | v.here


class Stalker(NamedTuple):
    """A German unit as the Soviets fear it: what of its reach is the same while only they move."""

    unit: Unit
    steps: int
    close: Bits
    """No hex outside can be one that the unit is proximate to."""
    here: Bits
    """Its hex."""
    beside: Bits
    """Its hex and those next to it."""
    minds: Bits
    """What of a scene it minds: no garrison next to it."""
    starts: list[Kept]
    """The reaches kept for units like it there."""


def stalkers(g: Board) -> tuple[Stalker, ...]:
    return _stalkers(g, GERMAN, g.ground_condition)


@fact(UNITS)
def _stalkers(g: Board, german: Side, ground_condition: int) -> tuple[Stalker, ...]:
    kept, place, steps, status = _memo_of_stalkers(g), g.place, g.steps, g.status
    found = []
    for u in g.on_map_of(german):
        key = u, place[u], steps[u], status[u] & OF_POSITION, ground_condition
        v = kept.get(key)
        if v is None:
            if len(kept) >= MOST_KEPT:
                kept.clear()
            v = kept[key] = _stalker(g, u)
        found.append(v)
    return tuple(found)


@fact(GAME)
def _memo_of_stalkers(g: Board) -> dict[tuple[int, ...], Stalker]:
    return {}


def _stalker(g: Board, u: Unit) -> Stalker:
    here = g.place[u]
    near, it = g.map.grid.near[here], 1 << here
    minds = ~(near << 3 * g.map.grid.size)
    close = g.ground.around(here, g.allowance(u) + 1)
    return Stalker(u, g.steps[u], close, it, near | it, minds, starts_of(g, u, REGULAR, early=False))


def stalkers_near(g: Board, hexes: Bits) -> tuple[Stalker, ...]:
    """Those that can be proximate to one of these hexes at all."""
    return _stalkers_near(g, GERMAN, g.tracks[2], hexes)


@fact(UNITS)
def _stalkers_near(g: Board, german: Side, ground_condition: int, hexes: Bits) -> tuple[Stalker, ...]:
    return tuple(v for v in stalkers(g) if v.close & hexes)


def reach_of_stalker(g: Board, v: Stalker, soviets: Scene) -> Reach:
    """Where it could get to if the Soviets stood so."""
    minded = soviets.all & v.minds
    kept = known(v.starts, minded) or search(g, v.unit, soviets, REGULAR, PROXIMITY, v.starts, minded)
    return kept.reach


def anyone_could_enter(g: Board, side: Side, purpose: str = PROXIMITY) -> Bits:
    """The hexes that some unit of that side could move to and enter."""
    return _anyone_could_enter(g, side, purpose)


@fact(POSITION)
def _anyone_could_enter(g: Board, side: Side, purpose: str) -> Bits:
    s = 0
    for u in g.on_map_of(side):
        s |= _could_enter(g, u, purpose)
    return s


def is_proximate(g: Board, u: Unit, h: Hex) -> bool:
    """9.3 to a hex: to an empty or friendly one by entering it, to an enemy unit or a garrison by getting adjacent."""
    side = g.forces.side[u]
    if not g.ground.around(h, farthest(g, u) + 1) >> g.place[u] & 1:
        return False
    return _meets(g, could_enter(g, u), h, side)


def is_anyone_proximate(g: Board, side: Side, h: Hex, units: Iterable[Unit] | None = None) -> bool:
    """Whether any unit of that side, or any of these units, is proximate to the hex; those nearby are asked first."""
    if units is None:
        return _meets(g, anyone_could_enter(g, side), h, side)
    nearby, place = g.ground.around(h, 2), g.place
    return any(is_proximate(g, u, h) for u in sorted(units, key=lambda u: not nearby >> place[u] & 1))


def _meets(g: Board, entered: Bits, h: Hex, side: Side) -> bool:
    if g.hexes_of(enemy_of(side)) >> h & 1:
        return bool(entered & g.ground.adjacent_units(h))
    if side == GERMAN and is_garrisoned(g, h):
        return bool(entered & g.map.grid.near[h])
    return bool(entered >> h & 1)


def is_german_proximate(g: Board, h: Hex, *, supplied_only: bool = False) -> bool:
    """9.3 Whether a German unit is proximate to the hex: to the Soviet unit or garrison in it, or to the empty hex."""
    return _is_german_proximate(g, h, supplied_only)


@fact(POSITION)
def _is_german_proximate(g: Board, h: Hex, supplied_only: bool) -> bool:
    if g.hexes_of(SOVIET) >> h & 1:
        goal = g.ground.adjacent_units(h)
    elif is_garrisoned(g, h):
        goal = g.map.grid.near[h]
    else:
        goal = 1 << h
    soviets = scene_of(g, SOVIET)
    return any(
        could_enter_against(g, v, soviets) & goal
        for v in stalkers_near(g, 1 << h)
        if not supplied_only or g.is_supplied(v.unit)
    )


def can_meet_garrison(g: Board, h: Hex, soviets: Scene | None = None) -> bool:
    """15.1 Would a German unit be proximate to a garrison in h? Only those near enough are asked."""
    near, against = g.map.grid.near[h], soviets or scene_of(g, SOVIET)
    minded = minded_by_garrisons(g) if soviets is None else while_placing_garrisons(g, soviets)
    for v in stalkers_near(g, 1 << h):
        kept = known(v.starts, minded) or search(g, v.unit, against, REGULAR, PLACING_GARRISONS, v.starts, minded)
        if _entered(g, v, kept.reach) & near:
            return True
    return False


@fact(POSITION)
def minded_by_garrisons(g: Board) -> Bits:
    return while_placing_garrisons(g, scene_of(g, SOVIET))


def proximate_hexes(g: Board, side: Side) -> Bits:
    """All hexes to which some unit of that side is proximate, as `is_anyone_proximate` finds them one by one."""
    entered = anyone_could_enter(g, side)
    enemies = g.hexes_of(enemy_of(side))
    found = entered | spread_through(g.map.grid, entered, g.ground.blocked) & enemies
    if side == GERMAN:
        found |= spread(g.map.grid, entered) & g.garrisons
    return found
