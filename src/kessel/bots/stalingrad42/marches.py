"""Marches through open country: who goes to objectives that nobody holds, and off the map where that brings points.

A march is for turns: the way leads round the enemy's zones, and whoever is nearest goes on with it in the next turn.
"""

from __future__ import annotations

from kessel.bots.stalingrad42.errands import WARY, reach_of
from kessel.bots.stalingrad42.goals import FAR, distances
from kessel.bots.stalingrad42.situation import Situation, has_room, is_long, worth
from kessel.bots.stalingrad42.special import Errand
from kessel.core.forces import Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import members, spread
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import BAD_ORDER, COMBAT
from kessel.games.stalingrad42.data.forces import AXIS
from kessel.games.stalingrad42.movement.ways.reach import Group, plan
from kessel.games.stalingrad42.movement.ways.zones import enemy_zoc
from kessel.games.stalingrad42.supply.supply import supply

NOT_THERE = 99
PACE = (3, 8)
"""Hexes a turn on foot and on wheels."""
FRONT = 3
"""Whoever stands so near to the enemy is not called back to hold an objective."""
TEMPTED = 24
"""Nobody marches farther than that for an objective."""


def open_way(g: Board, side: int, to: Bits) -> list[int]:
    """By hex: how many hexes it is to the nearest of these, round enemy zones; NOT_THERE where no way is open."""
    found = [NOT_THERE] * g.map.grid.size
    shut = enemy_zoc(g, side) | g.sets[COMBAT + 1 - side]
    seen = edge = to
    for n in range(NOT_THERE):
        for h in members(edge):
            found[h] = n
        edge = spread(g.map.grid, edge & ~shut | (to if not n else 0)) & ~seen & g.ground.playable
        seen |= edge
        if not edge:
            break
    return found


class Marches:
    """Shares out marches among units that are free, the nearest first."""

    def __init__(self, g: Board, s: Situation, units: list[Unit], limit: str) -> None:
        self.g, self.s, self.limit = g, s, limit
        f = g.forces
        self.free = [
            u
            for u in units
            if f.combat[u] and not f.is_asu[u] and g.on_map(u) and not g.status[u] & BAD_ORDER and g.ma(u) > 0
        ]
        self.found: dict[Unit, Errand] = {}

    def run(self) -> dict[Unit, Errand]:
        if self.s.side == AXIS:
            self.leave()
        self.take()
        return self.found

    def leave(self) -> None:
        """S1.3 Mechanized units on the way to a road that leads off the map, as many as the points call for."""
        g, f = self.g, self.g.forces
        heads = supply(g, AXIS).heads
        left = g.scenario.last_turn - g.turn
        if not 0 < left <= self.s.w.depart:
            return
        for bonus in g.scenario.victory.bonus:
            areas = [p for p in g.ground.land_boxes if g.map.box(p).id in bonus.areas] if bonus.mech_steps else []
            edge = sum(g.map.box(p).hexes for p in areas) & heads
            gone = [u for p in areas for u in g.units(p) if f.side[u] == AXIS and f.mech[u] and f.combat[u]]
            need = bonus.mech_steps - sum(g.steps[u] for u in gone)
            if need <= 0 or not edge:
                continue
            way = open_way(g, AXIS, edge)
            able = [u for u in self.free if f.mech[u] and way[g.place[u]] <= PACE[1] * (left + 1) + 2]
            able.sort(key=lambda u: (way[g.place[u]] // 4, -g.steps[u], worth(g, u), u))
            force = []
            for u in able:
                if need > 0:
                    force.append(u)
                    need -= g.steps[u]
            if need > 0:
                continue
            for u in force:
                self.go(u, way, "marches to the edge of the map", areas)

    def take(self) -> None:
        """Objectives in which no enemy stands, those first that are soonest reached for their worth."""
        g, s = self.g, self.s
        ways = {}
        bare = self.bare()
        for h in (*s.their_vp, *bare):
            near = g.map.grid.near[h] | 1 << h
            if g.sets[COMBAT + s.enemy] & near or g.sets[COMBAT + s.side] >> h & 1 or not s.supplied & near:
                continue
            if any(distances(g, h)[g.place[u]] <= TEMPTED for u in self.free):
                ways[h] = open_way(g, s.side, 1 << h)
        most = min(4, g.scenario.last_turn - g.turn + 1)
        while ways:
            able = [
                (self.turns(u, way) / s.vp[h], worth(g, u), h, u)
                for h, way in ways.items()
                for u in self.free
                if way[g.place[u]] <= TEMPTED and self.turns(u, way) <= most
                if h not in bare or s.away[g.place[u]] > FRONT
            ]
            if not able:
                break
            _, _, h, u = min(able)
            self.go(u, ways.pop(h), f"marches {'to hold' if h in bare else 'on'} {g.place_name(h)}", [])

    def bare(self) -> list[Hex]:
        """Objectives of its own that nobody holds and the enemy could march to."""
        g, s = self.g, self.s
        own = g.sets[COMBAT + s.side]
        return [h for h in s.own_vp if is_long(g) and not own >> h & 1 and s.away[h] <= WARY]

    def turns(self, u: Unit, way: list[int]) -> int:
        f = self.g.forces
        return -(-way[self.g.place[u]] // PACE[bool(f.mech[u] or f.type[u] == "cavalry")])

    def go(self, u: Unit, way: list[int], words: str, areas: list[int]) -> None:
        """As far as it comes in this turn; off the map if it can."""
        g, s = self.g, self.s
        self.free.remove(u)
        out = plan(g, Group((u,), g.place[u], limit=self.limit)).areas
        for p in areas:
            if p in out:
                self.found[u] = Errand(p, "leaves the map for Victory Points")
                return
        here = g.place[u]
        hexes = [h for h in members(reach_of(g, u, self.limit)) if way[h] < way[here] and has_room(g, u, h, s.side)]
        if hexes:
            to = min(hexes, key=lambda h: (way[h], -min(s.away[h], FAR), h))
            self.found[u] = Errand(to, f"{words}, to {g.hex_name(to)} for now" if way[to] else words)
