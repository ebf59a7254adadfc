"""A screen against raids: units that no attack needs close the ways by which the enemy could slip through (24.1.4).

What the enemy can reach in his next turn is worked out as the rules have it, ZOC Bonds included; then a unit at a time
is put where it stops most.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple

from kessel.bots.stalingrad42.attacks import Order, Planner
from kessel.bots.stalingrad42.errands import reach_of
from kessel.bots.stalingrad42.situation import has_room, is_long, worth
from kessel.bots.stalingrad42.special import Errand
from kessel.core.facts import FOREVER, fact
from kessel.core.forces import Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import members, spread
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import BAD_ORDER, COMBAT, ELIMINATED, FROZEN, FULL_RETREAT, IN_PLAY, TRAIN
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET
from kessel.games.stalingrad42.movement.ways.modes import EXTENDED
from kessel.games.stalingrad42.movement.ways.reach import Group, group_modes, march_of, plan, short_of
from kessel.games.stalingrad42.turn.victory import benchmark, victory_points

MOST = 12
"""So many units at most are put into the screen in a turn."""
TRIALS = 40
"""Hexes tried for each of them."""
DEAR, SHORT = 2.0, 18.0
"""What a Victory Point that raiders could take counts against what an attack promises; where too few points end the
game at once (24.2), the second by the points that are left until then."""
FIRM = 3
"""Weaker units are no use in it."""
FASTEST, MORE = (1, 2), 3
"""Hexes for a Movement Point on foot and on wheels; Movement Points that Extended Movement adds (5.2, 5.3)."""
RUN_OVER, RUNNERS = 9, 4
"""An Automatic DS needs about nine to one, by so many units at most (8.6, 9.2)."""
SUSPECTS = 5
"""So many raiders' ways are looked at for it."""
LEAST = 0.03
"""A unit must stop so much, in Victory Points."""


class Place(NamedTuple):
    hexes: Bits
    cost: float
    """Victory Points that an enemy there takes."""


def at_stake(g: Board) -> list[Place]:
    """24.1.4 The Axis map edge and western Cities, and objectives that nobody holds."""
    found = [
        Place(box.hexes, float(g.charts.constant("edge_penalty")))
        for box in map(g.map.box, g.ground.land_boxes)
        if box.facts.get("vp_penalty")
    ]
    west = g.map.area("west_of_start_line")
    for h in members(g.ground.city & west):
        kind = "major_city" if g.ground.major_city >> h & 1 else "minor_city"
        found.append(Place(1 << h, float(g.charts.constant(f"{kind}_penalty"))))
    found += [Place(1 << h, float(vp)) for h, vp in g.ground.vp.items() if g.controller(h) == AXIS]
    return found


def raiders(g: Board) -> list[Unit]:
    """Soviet units that will be able to move; those in Full Retreat beside the Axis will be gone by then (13.3.2)."""
    f = g.forces
    beside = spread(g.map.grid, g.sets[COMBAT + AXIS])
    return [
        u
        for u in f.units_of[SOVIET]
        if g.pool[u] == IN_PLAY and f.combat[u] and not f.is_asu[u] and g.ma(u) > 0
        if not g.status[u] & (TRAIN | FROZEN) and (g.on_map(u) or g.is_in_entry_area(u))
        if not (g.status[u] & FULL_RETREAT and g.on_map(u) and beside >> g.place[u] & 1)
    ]


def risk(places: list[Place], reach: dict[Unit, Bits]) -> float:
    """Victory Points that raiders could take, more the more of them there are and the more ways they have."""
    found = 0.0
    for p in places:
        ways = [(r & p.hexes).bit_count() for r in reach.values() if r & p.hexes]
        if ways:
            found += p.cost * (0.5 + 0.5 * (1 - 0.8 ** len(ways))) + 0.01 * sum(ways)
    return found


def ways_in(g: Board, places: list[Place], who: Iterable[Unit]) -> dict[Unit, Bits]:
    """By raider: what of the places at stake it can reach in its next turn; only those that reach anything."""
    wanted = 0
    for p in places:
        wanted |= p.hexes
    far = how_far(g)
    found: dict[Unit, Bits] = {}
    for u in who:
        here = g.place[u]
        if not g.map.is_hex(here) or far[here] <= FASTEST[bool(g.forces.mech[u])] * (g.ma(u) + MORE):
            reached = (raid_of(g, u, far[here] if g.map.is_hex(here) else 0)) & wanted
            if reached:
                found[u] = reached
    return found


def raid_of(g: Board, u: Unit, far: int) -> Bits:
    """Where a raider gets in its next turn; two hexes by Tactical Movement matter only close by."""
    group = Group((u,), g.place[u])
    found: Bits = 1 << group.place if g.map.is_hex(group.place) else 0
    ways = [march_of(g, group), short_of(g, group) if far <= 2 else None]
    if group_modes(g, group) & EXTENDED:
        ways.append(march_of(g, group._replace(extended=True)))
    for way in ways:
        found |= way.hexes if way is not None else 0
    return found


@fact(FOREVER)
def how_far(g: Board) -> list[int]:
    """By hex: how far it is to anything that may be at stake."""
    edge = sum(1 << h for h in g.ground.vp) | g.ground.city & g.map.area("west_of_start_line")
    for box in map(g.map.box, g.ground.land_boxes):
        if box.facts.get("vp_penalty"):
            edge |= box.hexes
    found = [0] * g.map.grid.size
    seen, n = edge, 0
    while edge:
        for h in members(edge):
            found[h] = n
        edge, n = spread(g.map.grid, edge) & ~seen, n + 1
        seen |= edge
    return found


Threat = Mapping[Hex, Sequence[int]]


def is_held(g: Board, h: Hex, without: Container[Unit]) -> bool:
    """Whether a hex is held firmly without some units."""
    f = g.forces
    left = [u for u in g.units(h) if f.side[u] == AXIS and f.combat[u] and not f.is_asu[u] and u not in without]
    return sum(map(g.defense, left)) >= FIRM


def without_weak(g: Board, threat: Threat) -> Board:
    """A copy of the board without Axis units that could be run over before the raiders move (8.6)."""
    t = g.copy()
    for h in members(g.sets[COMBAT + AXIS]):
        units = [u for u in g.units(h) if g.forces.side[u] == AXIS and g.forces.combat[u]]
        force = sum(threat.get(h, ())[:RUNNERS])
        firm = sum(g.defense(u) for u in units if not g.forces.is_asu[u])
        if firm < FIRM or force >= RUN_OVER * firm:
            for u in units:
                t.take(u, ELIMINATED)
    return t


def risk_now(g: Board, threat: Threat) -> float:
    """What raiders could take from the Axis if the Soviets moved now."""
    t = without_weak(g, threat)
    places = [p for p in at_stake(t) if not p.hexes & t.sets[COMBAT + AXIS] or p.hexes.bit_count() > 1]
    return risk(places, ways_in(t, places, raiders(t)))


def risk_without(g: Board, units: Iterable[Unit], to: Hex, threat: Threat) -> float:
    """The same if units went there."""
    t = g.copy()
    for u in units:
        t.move(u, to)
    return risk_now(t, threat)


def dear(g: Board) -> float:
    """24.2 What a Victory Point that raiders could take counts, the more the nearer the end is."""
    mark = benchmark(g) if is_long(g) else None
    if mark is None:
        return DEAR
    left = victory_points(g).total - mark + g.charts.constant("automatic_victory_margin")
    return SHORT / max(2, left)


class CarefulPlanner(Planner):
    """Plans attacks that let no more raiders through than they are worth."""

    risk: float | None = None
    dear = DEAR

    def admits(self, promised: float, orders: dict[Unit, Order]) -> bool:
        g = self.g
        if not any(self.is_left(u, orders) for u in orders):
            return True
        if self.risk is None:
            self.risk, self.dear = risk_now(g, self.s.threat), dear(g)
        for u, order in orders.items():
            g.move(u, order.place)
        now = risk_now(g, self.s.threat)
        good = (now - self.risk) * self.dear <= promised
        if good:
            self.risk = now
        else:
            for u in orders:
                g.move(u, self.home[u])
        return good

    def is_left(self, u: Unit, orders: dict[Unit, Order]) -> bool:
        """Whether a unit that goes to attack leaves its hex to nobody."""
        g, here = self.g, self.home[u]
        if not g.map.is_hex(here) or orders[u].place == here:
            return False
        return not is_held(g, here, orders)


class Screen:
    """Plans on a copy of the board on which the attackers stand where they will attack from."""

    def __init__(self, g: Board, free: list[Unit], limit: str, threat: Threat) -> None:
        self.g = without_weak(g, threat)
        g = self.g
        self.places = [p for p in at_stake(g) if not p.hexes & g.sets[COMBAT + AXIS] or p.hexes.bit_count() > 1]
        firm = [u for u in free if g.on_map(u) and g.face(u).defense >= FIRM and not g.status[u] & BAD_ORDER]
        self.reach = {u: reach_of(g, u, limit) for u in firm}
        self.found: dict[Unit, Errand] = {}
        self.open: dict[Unit, Bits] = {}

    def run(self) -> dict[Unit, Errand]:
        self.open = ways_in(self.g, self.places, raiders(self.g))
        now = risk(self.places, self.open)
        for _ in range(MOST):
            if not self.open or not self.reach:
                break
            best = min(self.tries(), default=None)
            if best is None or best[0] > now - LEAST:
                break
            _, _, u, h = best
            self.g.move(u, h)
            del self.reach[u]
            self.found[u] = Errand(h, f"closes the way at {self.g.hex_name(h)}")
            self.open = ways_in(self.g, self.places, raiders(self.g))
            now = risk(self.places, self.open)
        return self.found

    def tries(self) -> list[tuple[float, float, Unit, Hex]]:
        """Hexes on and beside the ways of the raiders that can do most harm, with the unit most easily spared."""
        g = self.g
        harm = {u: sum(p.cost for p in self.places if p.hexes & w) for u, w in self.open.items()}
        worst = sorted(self.open, key=lambda u: (-harm[u], u))[:SUSPECTS]
        near = dict.fromkeys(h for some in zip_longest(*map(self.way_of, worst)) for h in some if h is not None)
        found = []
        tried = 0
        for h in near:
            able = [u for u in self.reach if self.reach[u] >> h & 1 and has_room(g, u, h, AXIS) and g.place[u] != h]
            if not able:
                continue
            u = min(able, key=lambda u: (g.forces.mech[u], worth(g, u), u))
            home = g.place[u]
            g.move(u, h)
            found.append((risk(self.places, ways_in(g, self.places, self.open)), worth(g, u), u, h))
            g.move(u, home)
            tried += 1
            if tried >= TRIALS:
                break
        return found

    def way_of(self, u: Unit) -> list[Hex]:
        """The hexes of its way to the dearest place, then those beside them."""
        g = self.g
        dearest = max((p for p in self.places if p.hexes & self.open[u]), key=lambda p: (p.cost, -p.hexes))
        group = Group((u,), g.place[u])
        p = plan(g, group)
        to = members(dearest.hexes & self.open[u])[0]
        if not p.mode_to(to) and group_modes(g, group) & EXTENDED:
            p = plan(g, group._replace(extended=True))
        way = [x for x in (p.way(to) if p.mode_to(to) else ()) if g.map.is_hex(x)]
        begin = [g.place[u]] if g.on_map(u) else []
        beside = [n for x in (*begin, *way) for n in g.map.grid.around[x]]
        enemies = g.sets[COMBAT + SOVIET]
        return [h for h in dict.fromkeys([*way, *beside]) if not enemies >> h & 1 and g.ground.playable >> h & 1]
