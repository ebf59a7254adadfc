"""What a program does now and then: leave the map for Victory Points, get out of a pocket, have a die rolled again."""

from __future__ import annotations

from typing import NamedTuple

from kessel.bots.stalingrad42.situation import Situation, score_of, step_worth
from kessel.core.board import Place
from kessel.core.forces import Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import members
from kessel.core.procedure import PASS, Action
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import CHOSE_RETREAT, COMBAT, FULL_RETREAT
from kessel.games.stalingrad42.combat.battle import battle
from kessel.games.stalingrad42.combat.combat import CANCEL
from kessel.games.stalingrad42.combat.disengagement import able
from kessel.games.stalingrad42.combat.strength.leaders import CRT, Reroll
from kessel.games.stalingrad42.data.forces import AXIS
from kessel.games.stalingrad42.movement.ways.reach import Group, plan
from kessel.games.stalingrad42.movement.ways.zones import enemy_zoc
from kessel.games.stalingrad42.supply.supply import supply

Reasoned = tuple[Action, str]
AWAY_AT_ONCE = 2.0
"""So much better must the ground behind be before a unit in a pocket tries to get there."""


class Errand(NamedTuple):
    """Where a unit goes whatever else draws it."""

    place: Place
    words: str


# --- S1.3 off the map ------------------------------------------------------------------------------------------------


def exits(g: Board, units: list[Unit], limit: str) -> dict[Unit, Errand]:
    """The Mechanized units that leave the map on the last turn, and where: just enough of them for the points."""
    found: dict[Unit, Errand] = {}
    if g.turn < g.scenario.last_turn:
        return found
    for bonus in g.scenario.victory.bonus:
        areas = [p for p in g.ground.land_boxes if g.map.box(p).id in bonus.areas] if bonus.mech_steps else []
        if not any(supply(g, AXIS).heads & g.map.box(p).hexes for p in areas):
            continue  # S1.3e
        gone = [u for p in areas for u in g.units(p) if g.forces.side[u] == AXIS and g.forces.mech[u]]
        left = bonus.mech_steps - sum(g.steps[u] for u in gone if g.forces.combat[u])
        ways = {u: way for u in units if u not in found and (way := _way_out(g, u, areas, limit)) >= 0}
        chosen: dict[Unit, Errand] = {}
        for u in sorted(ways, key=lambda u: (-g.steps[u], step_worth(g, u), u)):
            if left > 0:
                chosen[u] = Errand(ways[u], "leaves the map for Victory Points")
                left -= g.steps[u]
        if left <= 0:
            found |= chosen
    return found


def _way_out(g: Board, u: Unit, areas: list[Place], limit: str) -> Place:
    if not (g.forces.mech[u] and g.forces.combat[u] and g.on_map(u)):
        return -1
    reached = plan(g, Group((u,), g.place[u], limit=limit)).areas
    return next((p for p in areas if p in reached), -1)


# --- 13.1.3, 27.0 out of a pocket ------------------------------------------------------------------------------------


def flees(g: Board, s: Situation, u: Unit, limit: str) -> bool:
    """13.3.1 Whether a unit out of supply comes home only in Full Retreat, which leaves EZOCs without extra cost."""
    here = g.place[u]
    if not g.on_map(u) or s.supplied >> here & 1 or not enemy_zoc(g, s.side) >> here & 1:
        return False
    if not g.forces.combat[u] or g.status[u] & FULL_RETREAT or limit:
        return False
    group = Group((u,), here)
    now = plan(g, group)
    if (now.marched | now.tactical) & s.supplied:
        return False
    t = g.copy()
    t.set_status(u, FULL_RETREAT | CHOSE_RETREAT)
    return bool(plan(t, group).marched & s.supplied)


def disengagement(g: Board, s: Situation) -> tuple[Unit, ...]:
    """27.0 The units most in need of a way out that have one; none: ()."""
    best: tuple[float, tuple[Unit, ...]] = (AWAY_AT_ONCE, ())
    for h, units in able(g, s.side).items():
        if s.supplied >> h & 1 or s.vp.get(h, 0):
            continue
        behind = _behind(g, s, h)
        for u in units if behind else ():
            gain = max(score_of(g, s, u, n) for n in behind) - score_of(g, s, u, h)
            if gain > best[0]:
                best = (gain, (u,))
    return best[1]


def _behind(g: Board, s: Situation, h: Hex) -> list[Hex]:
    """Hexes in supply and out of the enemy's reach, one or two hexes away."""
    near: Bits = g.map.grid.near[h]
    for n in g.map.grid.around[h]:
        near |= g.map.grid.near[n]
    shut = enemy_zoc(g, s.side) | g.sets[COMBAT + s.enemy] | 1 << h
    return members(near & s.supplied & g.ground.playable & ~shut)


def disengage(g: Board, s: Situation, acts: list[Action]) -> Reasoned:
    units = disengagement(g, s)
    if ("disengage", units) in acts:
        return ("disengage", units), f"{g.name(units[0])} must get out of the pocket"
    return CANCEL, "nobody needs a way out"


# --- 28.1 leaders ----------------------------------------------------------------------------------------------------


def reroll(g: Board, s: Situation, p: Reroll, acts: list[Action]) -> Reasoned:
    """Again if an attack of ours came to nothing, or one of theirs throws us far back."""
    again = [a for a in acts if a[0] == "reroll"]
    if p.kind == CRT and again:
        result = battle(g).result(g)
        if p.roller == s.side and not result.retreat:
            return again[0], "the attack must not come to nothing"
        if p.roller != s.side and result.retreat > 2:
            return again[0], "the line must not break here"
    return PASS, "the roll stands"
