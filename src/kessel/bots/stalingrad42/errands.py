"""What units are sent to do before anybody attacks: raids, and garrisons.

The points are counted after the Soviet Player Turn (3.D). So the Soviets may work out what each of their moves would
take from the Axis at once.
"""

from __future__ import annotations

from typing import NamedTuple

from kessel.bots.stalingrad42.situation import Situation, has_room, is_last_word, is_long, worth
from kessel.bots.stalingrad42.special import Errand
from kessel.core.forces import Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import members
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import COMBAT
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET
from kessel.games.stalingrad42.movement.ways.modes import EXTENDED
from kessel.games.stalingrad42.movement.ways.reach import Group, group_modes, plan
from kessel.games.stalingrad42.supply.supply import supply
from kessel.games.stalingrad42.turn.victory import benchmark, victory_points

MOST_RAIDS = 8
SWING = 10
"""So many points at most are thought to change hands in one turn."""


WARY = 20
"""So near may the enemy come before an objective wants a garrison in a game in which points end it (24.2)."""


def reach_of(g: Board, u: Unit, limit: str) -> Bits:
    """Where a unit gets in this phase, by Extended Movement too."""
    group = Group((u,), g.place[u], limit=limit)
    p = plan(g, group)
    found = p.marched | p.tactical
    if group_modes(g, group) & EXTENDED:
        found |= plan(g, group._replace(extended=True)).marched
    return found


def sought(g: Board) -> int | None:
    """How low the Soviets must bring the Axis' points in this turn for it to matter; None: as low as they can."""
    if is_last_word(g):
        return None
    mark = benchmark(g) if g.scenario.victory.automatic else None
    return -99 if mark is None else mark - g.charts.constant("automatic_victory_margin")


def raids(g: Board, s: Situation, units: list[Unit], limit: str) -> dict[Unit, Errand]:
    """Moves that take points from the Axis at once: to its map edge (24.1.4), into Cities and objectives nobody holds,
    onto the roads its objectives are supplied by (24.1.1)."""
    goal, now = sought(g), victory_points(g).total
    if goal is not None and now - SWING > goal:
        return {}
    t = g.copy()
    free = {u: reach_of(g, u, limit) for u in units if g.forces.combat[u] and not g.forces.is_asu[u]}
    cheap = sorted(free, key=lambda u: (g.place[u] in s.vp, worth(g, u), u))
    found: dict[Unit, Errand] = {}
    places = _where_it_hurts(g)
    while len(found) < MOST_RAIDS:
        top: tuple[int, Unit, Hex] = (now, -1, -1)
        seen: Bits = 0
        for u in cheap:
            for h in members(free[u] & places & ~seen):
                if has_room(t, u, h, SOVIET):
                    seen |= 1 << h
                    left = _points_with(t, u, h)
                    if left < top[0]:
                        top = (left, u, h)
        now, u, h = top
        if u < 0:
            break
        found[u] = Errand(h, f"takes Victory Points from the Axis at {g.hex_name(h)}")
        cheap.remove(u)
        _put(t, u, h)
    return found if goal is None or now <= goal else {}


def _where_it_hurts(g: Board) -> Bits:
    found = supply(g, AXIS).heads | g.ground.city | sum(1 << h for h in g.ground.vp)
    for p in g.ground.land_boxes:
        if g.map.box(p).facts.get("vp_penalty"):
            found |= g.map.box(p).hexes
    return found & ~g.sets[COMBAT + AXIS] & ~g.sets[COMBAT + SOVIET]


def _put(t: Board, u: Unit, h: Hex) -> None:
    t.move(u, h)
    if h in t.ground.vp or t.ground.city >> h & 1:
        t.set_control(h, SOVIET)


def _points_with(t: Board, u: Unit, h: Hex) -> int:
    """The Axis' points if a unit stood in a hex."""
    here, owner = t.place[u], t.controller(h)
    _put(t, u, h)
    found = victory_points(t).total
    t.move(u, here)
    if owner is not None and t.controller(h) != owner:
        t.set_control(h, owner)
    return found


# --- garrisons -------------------------------------------------------------------------------------------------------


class Posts(NamedTuple):
    stay: set[Unit]
    """Units that hold an objective where they stand."""
    go: dict[Unit, Errand]
    """Units that are sent to one nobody holds."""


def western(g: Board) -> dict[Hex, int]:
    """24.1.4 Cities behind the start line, by what an enemy in them takes."""
    west = g.map.area("west_of_start_line") & g.ground.city & g.control_hexes[AXIS]
    kinds = (g.ground.minor_city, "minor_city_penalty"), (g.ground.major_city, "major_city_penalty")
    return {h: g.charts.constant(name) for cities, name in kinds for h in members(cities & west)}


def posts(g: Board, s: Situation, units: list[Unit], limit: str) -> Posts:
    """A garrison for each objective of the side that the enemy could come to in his next turn, the richest first."""
    found = Posts(set(), {})
    f = g.forces
    able = [u for u in units if f.combat[u] and not f.is_asu[u]]
    open_: list[Hex] = []
    held = {h: s.vp[h] for h in s.own_vp} | (western(g) if s.side == AXIS and is_long(g) else {})
    for h in sorted(held, key=lambda h: (-held[h], h)):
        if not s.threat.get(h) and not (is_long(g) and s.away[h] <= WARY):
            continue
        there = [u for u in g.units(h) if f.side[u] == s.side and f.combat[u]]
        there.sort(key=lambda u: (f.mech[u], -g.face(u).defense, u))
        most = held[h] if not is_long(g) else min(2, held[h]) if s.threat.get(h) else 1
        found.stay.update(there[:most])
        if not there:
            open_.append(h)
    free = [u for u in able if u not in found.stay and g.on_map(u) and g.face(u).defense > 1]
    reach = dict.fromkeys(free, 0)
    for u in free if open_ else ():
        reach[u] = reach_of(g, u, limit)
    for h in open_:
        near = [u for u in free if u not in found.go and reach[u] >> h & 1]
        if near:
            u = min(near, key=lambda u: (f.mech[u], worth(g, u), u))
            found.go[u] = Errand(h, f"goes to hold {g.place_name(h)}")
    return found
