"""Where units go in the Movement Phase: attacks first, then everybody to the objective or to where he is needed."""

from __future__ import annotations

from dataclasses import dataclass, field

from kessel.bots.korsun44.attacks import Attack, Group, Planner
from kessel.bots.korsun44.ring import road_out, way_out
from kessel.bots.korsun44.situation import Situation, is_mobile
from kessel.bots.korsun44.wall import Builder
from kessel.core.forces import Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import bits, members, within
from kessel.games.korsun44.board import OUT, POINT, RESERVE, SIDES, SOVIET, Board
from kessel.games.korsun44.data.forces import EXTENSION
from kessel.games.korsun44.data.scenario import PointRule
from kessel.games.korsun44.movement.costs import STRATEGIC, TACTICAL
from kessel.games.korsun44.movement.groups import group_of
from kessel.games.korsun44.movement.movement import reach_of, why_not_end, why_not_move, why_not_strategic
from kessel.games.korsun44.movement.stacking import why_not_stack
from kessel.games.korsun44.special.boundary import is_beyond
from kessel.games.korsun44.special.victory import is_brigade
from kessel.games.korsun44.supply.paths import supply_range
from kessel.games.korsun44.units.strength import is_attack_capable, is_extended, strength

FOLLOW = 5
"""Hexes from an attack within which tanks wait in Reserve."""
LIKELY = 14
"""Hexes looked at for a march."""
FAR = 8
"""Hexes to the objective from which strategic movement is thought of."""
WIDE = 9
"""Hexes from the enemy within which a place wants a garrison."""
LOOK = 5
"""Hexes within which enemies make units of a holding formation move."""
WEST, EAST = LINES = ("brigades_west", "brigades_east")
"""The rules of victory that count brigades beyond a column."""


def counts_at(g: Board, rule: PointRule, h: Hex) -> bool:
    """Whether a brigade in a hex counts for such a rule."""
    column = g.ground.column(h)
    return column <= rule.column if rule.kind == WEST else column >= rule.column


@dataclass(slots=True)
class Marching:
    """What is planned for a Movement Phase."""

    moves: dict[Unit, tuple[int, Hex]] = field(default_factory=dict)
    """The first unit of each group that moves: how, and where to; in the order of the moves."""
    reserve: set[Unit] = field(default_factory=set)
    reasons: dict[Unit, str] = field(default_factory=dict)
    wall: set[Unit] = field(default_factory=set)
    """Those without whom the ring would open."""
    attacks: list[Attack] = field(default_factory=list)
    """For which the moves are made."""


class Marches:
    """Plans a Movement Phase on a board of its own."""

    def __init__(self, s: Situation) -> None:
        self.s, self.g, self.w = s, s.g, s.w
        self.plan = Marching()
        self.cut = self.way_out()
        self.reach: dict[Group, Bits] = {}
        self.sdms = [g_at for v in self.g.sdms(s.side) if (g_at := self.g.sdm_at[v]) >= 0]
        self.range = supply_range(self.g, s.side)
        self.wide = within(self.g.map.grid, self.g.hexes_of(s.enemy), WIDE)
        self.front = within(self.g.map.grid, self.g.hexes_of(s.enemy), 1)

    def groups(self) -> list[Group]:
        """Those that may move, each once."""
        g, found = self.g, []
        for u in g.on_the_map(self.s.side):
            if is_extended(g, u) or g.forces.role[u] == EXTENSION:
                continue
            group = group_of(g, u)
            if u == group[0] and all(why_not_move(g, v) is None for v in group):
                found.append(group)
        return found

    def make(self) -> Marching:
        g = self.g
        for group in self.groups():
            if self.concerns(group):
                way = reach_of(g, group[0])
                self.reach[group] = way.hexes | 1 << g.place[group[0]]
        self.close_ring()
        self.cross_line()
        self.drive()
        planner = Planner(self.s, {k: v for k, v in self.reach.items() if k[0] not in self.plan.moves})
        attacks = self.plan.attacks = planner.plan()
        self.order_attacks(attacks)
        busy = {group for a in attacks for group in a.moves}
        self.hold_back(attacks, busy)
        done = {*self.plan.reserve, *self.plan.moves}
        rest = [group for group in self.reach if group not in busy and group[0] not in done]
        for group in sorted(rest, key=self.priority):
            self.march(group)
        return self.plan

    def close_ring(self) -> None:
        """Soviets that can close the ring round Korsun do so first of all, and those who keep it closed stay."""
        walls = Builder(self.s, self.reach, self.gain).build() if self.s.side == SOVIET else None
        if walls is None:
            return
        for group, (mode, h) in walls.moves.items():
            self.plan.moves[group[0]] = (mode, h)
            self.plan.reasons[group[0]] = "to close the ring"
        for group in {*walls.moves, *walls.stays}:
            del self.reach[group]
        self.plan.wall = {u for group in walls.stays for u in group}
        self.cut = self.way_out()

    def gain(self, group: Group, h: Hex) -> float:
        """How much better it is for a group to stand in another hex."""
        return self.value(group, h) - self.value(group, self.g.place[group[0]]) - self.loss(group)

    def cross_line(self) -> None:
        """On the last turn brigades in supply that count beyond a line (3.2.G) go over it if they can."""
        g, s = self.g, self.s
        lines = [r for r in g.scenario.points if r.kind in LINES and r.side == SIDES[s.side]]
        if not lines or g.turn < g.scenario.last_turn:
            return
        over = bits(h for h in members(g.playable) if any(counts_at(g, r, h) for r in lines))
        for group in sorted(self.reach, key=self.priority):
            here = g.place[group[0]]
            if over >> here & 1 or not any(is_brigade(g, v) and not g.status[v] & OUT for v in group):
                continue
            ways = [(h, TACTICAL) for h in members(self.reach[group] & over)]
            if not ways and all(why_not_strategic(g, v) is None for v in group):
                ways = [(h, STRATEGIC) for h in members(reach_of(g, group[0], STRATEGIC).hexes & over)]
            free = [w for w in ways if not why_not_end(g, group, w[0]) and not why_not_stack(g, s.side, w[0], group)]
            if free:
                h, mode = max(free, key=lambda w: (self.value(group, w[0]), -w[0]))
                for v in group:
                    g.move(v, h)
                self.plan.moves[group[0]] = (mode, h)
                self.plan.reasons[group[0]] = "over the line that counts"
                del self.reach[group]

    def drive(self) -> None:
        """Tanks, cavalry and motorized infantry for which the way to the objective is open go there at once."""
        g, s = self.g, self.s
        for group in sorted(self.reach, key=self.priority):
            u = group[0]
            far = s.field_of(u)
            if far is None or not s.task(u).attack or not is_mobile(g, u) or not is_attack_capable(g, u):
                continue
            best = min(members(self.reach[group]), key=lambda h: (far[h], h))
            if far[g.place[u]] - far[best] >= self.w.drive * POINT and s.delay(u, best) <= self.w.open_way:
                self.march(group)

    def concerns(self, group: Group) -> bool:
        """Whether a group has any reason to move: a goal, or enemies not far away."""
        task = self.s.task(group[0])
        if task.goal >= 0:
            return True
        here = self.g.place[group[0]]
        return bool(within(self.g.map.grid, 1 << here, LOOK) & self.g.hexes_of(self.s.enemy))

    def order_attacks(self, attacks: list[Attack]) -> None:
        for a in attacks:
            for group, h in a.moves.items():
                self.plan.moves[group[0]] = (TACTICAL, h)
                self.plan.reasons[group[0]] = f"to attack {self.g.place_words(a.target)}"

    def hold_back(self, attacks: list[Attack], busy: set[Group]) -> None:
        """9.6 Tanks of an attacking formation that the first attacks do not need follow them in Reserve."""
        g, s = self.g, self.s
        hexes = bits(a.target for a in attacks)
        if not hexes or self.plan.reserve:
            return
        near = within(g.map.grid, hexes, FOLLOW)
        for group in self.reach:
            u = group[0]
            if group in busy or u in self.plan.moves or not s.task(u).attack:
                continue
            if not (g.forces.armor[u] or g.forces.star[u]):
                continue
            if near >> g.place[u] & 1 and not self.front >> g.place[u] & 1 and not g.status[u] & (OUT | RESERVE):
                self.plan.reserve.add(u)

    def priority(self, group: Group) -> tuple[float, Unit]:
        """Those in front first, guns and engineers last."""
        g = self.g
        able = is_attack_capable(g, group[0])
        far = self.s.field_of(group[0])
        return (0 if able else 1e6) + (far[g.place[group[0]]] if far else 0.0), group[0]

    # --- one march ---------------------------------------------------------------------------------------------------

    def march(self, group: Group) -> None:
        g, u = self.g, group[0]
        here = g.place[u]
        best, most, mode = here, self.value(group, here) + self.w.least_march + self.loss(group), TACTICAL
        hexes = self.likely(group, self.reach[group])
        way = [(h, TACTICAL) for h in hexes]
        far = self.s.field_of(u)
        if far is not None and far[here] > FAR * POINT and all(why_not_strategic(g, v) is None for v in group):
            way += [(h, STRATEGIC) for h in self.likely(group, reach_of(g, u, STRATEGIC).hexes)]
        for h, how in way:
            if h == here or why_not_end(g, group, h) or why_not_stack(g, self.s.side, h, group):
                continue
            value = self.value(group, h)
            if value > most:
                best, most, mode = h, value, how
        if best != here and self.keeps_ring(group, best):
            for v in group:
                g.move(v, best)
            self.cut = self.way_out()
            self.plan.moves[u] = (mode, best)
            self.plan.reasons[u] = self.s.task(u).words

    def way_out(self) -> Bits:
        """The way out of the pocket that Soviets are to close."""
        return way_out(self.g) | road_out(self.g) if self.s.side == SOVIET else 0

    def keeps_ring(self, group: Group, h: Hex) -> bool:
        """Whether a closed ring stays closed when a group goes there."""
        g, here = self.g, self.g.place[group[0]]
        if self.s.side != SOVIET or self.cut or self.s.task(group[0]).attack:
            return True
        for v in group:
            g.move(v, h)
        opens = way_out(g)
        for v in group:
            g.move(v, here)
        return not opens

    def likely(self, group: Group, reach: Bits) -> list[Hex]:
        """The hexes nearest to the goal, or where most enemies are near."""
        s, u = self.s, group[0]
        found = members(reach)
        far = s.field_of(u)
        wanted = members(self.cut & reach) + [h for h in s.roads.holes if reach >> h & 1]
        if s.task(u).attack and far is not None:
            return sorted(found, key=lambda h: (far[h], h))[:LIKELY] + wanted
        near = s.near
        some = sorted((h for h in found if h in near), key=lambda h: (-near[h], h))[:LIKELY]
        some += [h for h in s.places if reach >> h & 1] + wanted
        if far is not None:
            some += sorted(found, key=lambda h: (far[h], h))[: LIKELY // 2]
        return some

    def value(self, group: Group, h: Hex) -> float:
        """How good it is for a group to stand in a hex at the end of the phase."""
        g, s, w, u = self.g, self.s, self.w, group[0]
        task, far = s.task(u), s.field_of(u)
        found = -w.crowd * sum(v not in group for v in g.of_side(h, s.side))
        if not is_attack_capable(g, u):
            return found + self._behind(group, h)
        threat = s.beside.get(h, 0.0)
        mine = sum(strength(g, v) for v in group) + s.power([v for v in g.of_side(h, s.side) if v not in group])
        if threat:
            careful = w.exposed_in_attack if task.attack else 1.0
            found -= w.exposed * careful * max(0.0, threat - 1.5 * mine)
            found += w.cover * bool((g.ground.village | g.ground.town | g.ground.woods | g.ground.forest) >> h & 1)
        if far is not None:
            weight = w.progress if task.attack else w.progress / 4
            found -= weight * min(far[h] / POINT, 60)
        if not task.attack:
            found += w.needed * min(s.near.get(h, 0.0), w.needed_most) - w.enough * s.friends(h, group)
        found += w.cut * (self.cut >> h & 1) + self._guards(group, h)
        if h in s.places and g.control[h] != s.side:
            found += s.prize(h) * 2
        elif h in s.places and not task.attack:
            lacks = s.power([v for v in g.of_side(h, s.side) if v not in group]) < w.garrison_power
            found += w.garrison * s.places[h] * (lacks and bool(self.wide >> h & 1))
        return found - self._out_of_range(h) - w.beyond * is_beyond(g, u, h)

    def _guards(self, group: Group, h: Hex) -> float:
        """What it is worth to stand on a road that is cut where nobody does; tanks on their way do not stop for it."""
        g, s, road = self.g, self.s, self.s.roads.holes.get(h, 0.0)
        if not road or (s.task(group[0]).attack and is_mobile(g, group[0])):
            return 0.0
        return 0.0 if any(v not in group for v in g.of_side(h, s.side)) else self.w.guard * road

    def _behind(self, group: Group, h: Hex) -> float:
        """Guns and other unarmed units: near the front but not in it."""
        g, s, w = self.g, self.s, self.w
        far = s.field_of(group[0])
        found = -w.danger * 2 * (self.front >> h & 1)
        if s.near.get(h, 0.0):
            found += 1.0
        if far is not None:
            found -= w.progress / 2 * min(far[h] / POINT, 60)
        if g.forces.artillery[group[0]] and h != g.place[group[0]] and s.near.get(g.place[group[0]], 0.0):
            found -= 1.0  # a gun that moves does not fire
        return found - self._out_of_range(h)

    def _out_of_range(self, h: Hex) -> float:
        if not self.sdms:
            return 0.0
        near = min(self.g.map.grid.distance(h, x) for x in self.sdms)
        return self.w.far_from_supply * max(0, near - self.range - 3)

    def loss(self, group: Group) -> float:
        """What leaving the hex gives away."""
        g, s, here = self.g, self.s, self.g.place[group[0]]
        if any(v not in group and is_attack_capable(g, v) for v in g.of_side(here, s.side)):
            return 0.0
        found = 0.0
        if here in s.places and s.near.get(here, 0.0):
            found += self.w.leave_place * s.places[here]
        if here in s.beside and not s.task(group[0]).attack:
            found += self.w.leave_front
        return found
