"""What the German player sees on the map: who could attack what, and what it is worth to stand somewhere.

All values are in steps: one step of a German regiment is worth 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from math import exp
from typing import NamedTuple

from kessel.bots.kharkov43.counterstroke import NEARER, Prize, boldness, prizes
from kessel.bots.kharkov43.estimates import TERRAIN
from kessel.bots.kharkov43.weights import WEIGHTS, Weights
from kessel.core.forces import Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import members, union, within
from kessel.games.kharkov43.board import ACTIVE, DISPERSED, ISOLATED, MOVED, UNSUPPLIED, Board
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.movement.proximity import could_enter
from kessel.games.kharkov43.movement.stacking import can_fit
from kessel.games.kharkov43.movement.zones import scene_without_stack, zoc
from kessel.games.kharkov43.supply.supply import field_if, field_of, obstacles_of, trace
from kessel.games.kharkov43.supply.support import is_in_support
from kessel.games.kharkov43.system.terms.preferences import distance_to
from kessel.games.kharkov43.turn.victory import is_kharkov

URGENCY = ((6, 0.9), (9, 0.6), (13, 0.15))
"""How much a town counts by its distance from the nearest Soviet unit."""
NOW = 0.9
FAR_AWAY = 0.01
SLIPS = 3
"""Hexes that Soviets go who slip through."""
NEAR = 9
"""From how far an army is expected at Kharkov: a march and a half."""
ALONG = 2
"""From how far units come along with one that moves."""
FARTHEST = 30


def worth(g: Board, u: Unit) -> float:
    """A unit in steps, the strength of each counted."""
    return 0.25 * g.strength(u) + 0.5 * g.steps[u]


class Defended(NamedTuple):
    """A Soviet stack as an attack finds it, whoever attacks."""

    units: int
    steps: int
    strength: int
    weak: bool
    """All its units are scattered or without supply."""
    armor: bool
    town: bool
    terrain: float
    spared: int
    """Hits that do not count (12.51)."""
    hold: int
    back: int
    """Hexes it may retreat."""
    value: float
    """What it is worth to drive it out, and each step it loses if it stays."""
    siege: float


class Situation:
    """One look at the board; nothing of it changes while it is used."""

    def __init__(self, g: Board, w: Weights = WEIGHTS) -> None:
        self.g, self.w = g, w
        self._pressure: dict[Hex, float] = {}
        self._expected: dict[Hex, float] = {}
        self._strength: dict[Hex, int] = {}
        self._ways: dict[tuple[Hex, int, int], float] = {}
        self._post_gains: dict[int, list[tuple[bytes, float]]] = {}
        self._drives: dict[Hex, float] = {}
        self._company: dict[Unit, float] = {}
        self._groups: dict[str, dict[Hex, float]] = {}
        self._reopened: dict[Hex, float] = {}
        self._relief: dict[Hex, float] = {}
        self._near_posts: dict[Hex, float] = {}
        self._stands: dict[tuple[Unit, Hex, float], float] = {}
        self._shields: dict[Hex, float] = {}
        self._defended: dict[Hex, Defended] = {}

    @cached_property
    def soviets(self) -> list[tuple[Bits, int, str]]:
        """Where each Soviet unit that can fight could stand after one move, its strength and its army."""
        g = self.g
        return [
            (could_enter(g, u), g.strength(u), g.forces.formation[u])
            for u in g.on_map_of(SOVIET)
            if not g.status[u] & (DISPERSED | ISOLATED)
        ]

    @cached_property
    def _armies(self) -> list[tuple[Bits, list[tuple[Bits, int]]]]:
        """Each Soviet army: where its units could stand, all together and one by one, and their strengths."""
        armies: dict[str, list[tuple[Bits, int]]] = {}
        for entered, strength, army in self.soviets:
            armies.setdefault(army, []).append((entered, strength))
        return [(union(entered for entered, _ in units), units) for units in armies.values()]

    @cached_property
    def soviets_could_enter(self) -> Bits:
        return union(entered for entered, _, _ in self.soviets)

    @cached_property
    def soviet_distance(self) -> bytes:
        """Hexes from everywhere to the nearest Soviet unit."""
        return distance_to(self.g, self.g.hexes_of(SOVIET))

    @cached_property
    def supplied(self) -> Bits:
        return field_of(self.g, GERMAN).hexes

    @cached_property
    def exposed(self) -> bytes:
        """Hexes from everywhere to the nearest one in supply that no Soviet unit can enter."""
        return distance_to(self.g, self.supplied & ~self.soviets_could_enter)

    @cached_property
    def firm(self) -> Bits:
        """Hexes in supply that stay so if the Soviets near by go where they can."""
        g = self.g
        near = within(g.map.grid, g.hexes_of(SOVIET), SLIPS) & self.soviets_could_enter
        o = obstacles_of(g, GERMAN)
        return trace(g, replace(o, zoc=o.zoc | near)).hexes

    @cached_property
    def soviet_zoc(self) -> Bits:
        return zoc(self.g, SOVIET)

    @cached_property
    def german_zoc(self) -> Bits:
        return zoc(self.g, GERMAN)

    def draws_card(self, target: Hex, weak: bool, chits: int) -> bool:
        """12.3 Whether the Soviets would spend a card on the defence of that hex."""
        return chits > 2 and not weak and is_in_support(self.g, target)

    def pressure(self, h: Hex) -> float:
        """The strength the Soviets could bring against h: the strongest army, and something of the others."""
        found = self._pressure.get(h)
        if found is None:
            beside, most, all_ = self.g.ground.adjacent_units(h) | 1 << h, 0, 0
            for entered, units in self._armies:
                if entered & beside:
                    army = sum(strength for could_enter, strength in units if could_enter & beside)
                    most, all_ = max(most, army), all_ + army
            found = self._pressure[h] = most + 0.35 * (all_ - most)
        return found

    def strength(self, h: Hex) -> int:
        found = self._strength.get(h)
        if found is None:
            found = self._strength[h] = self.g.strength_in(h, GERMAN)
        return found

    # --- towns -----------------------------------------------------------------------------------------------------

    def urgency(self, h: Hex) -> float:
        """How soon the Soviets can be there, 1 for now."""
        if self.soviets_could_enter >> h & 1:
            return 1.0
        away = self.soviet_distance[h]
        return next((value for most, value in URGENCY if away <= most), FAR_AWAY)

    @cached_property
    def posts(self) -> dict[Hex, float]:
        """Towns worth holding or taking, in steps: German ones by how soon the Soviets can be there."""
        g = self.g
        found = {}
        for h in members(g.ground.vp_hexes & ~g.hexes_of(SOVIET)):
            value = self.town_value(h)
            if g.towns_of(SOVIET) >> h & 1:
                found[h] = 0.8 * value
            else:
                urgency = self.urgency(h)
                if g.ground.edge_vps >> h & 1:
                    urgency *= self.w.edge if urgency >= NOW else self.w.quiet_edge
                found[h] = value * urgency
        return found

    def town_value(self, h: Hex) -> float:
        """What it is worth to hold or take a town."""
        g, dear = self.g, 1.0
        if is_kharkov(g, h):
            dear = (
                self.w.kharkov
                if g.towns_of(SOVIET) >> h & 1
                else self.w.stubborn
                if g.turn <= self.w.held_until
                else 1.0
            )
        return self.w.vp * g.ground.vp_value(h) * dear

    def held(self, h: Hex, strength: float) -> float:
        """How much of a town's worth a stack of that strength saves, 0 to 1."""
        if strength <= 0:
            return 0.0
        return 1 - exp(-1.3 * strength / max(self.w.least_need, self.expected(h) / self.w.overrun))

    def expected(self, h: Hex) -> float:
        """The strength a garrison must reckon with: what can attack now, at Kharkov also the army that comes near."""
        found = self._expected.get(h)
        if found is None:
            found = self.pressure(h)
            if is_kharkov(self.g, h):
                found = max(found, *self.armies_near(h).values(), 0)
            self._expected[h] = found
        return found

    def armies_near(self, h: Hex) -> dict[str, int]:
        """The strength of each Soviet army, as far as its units are NEAR a hex."""
        g = self.g
        found: dict[str, int] = {}
        for v in g.on_map_of(SOVIET):
            if g.map.grid.distance(g.place[v], h) <= NEAR and not g.status[v] & (DISPERSED | ISOLATED):
                army = g.forces.formation[v]
                found[army] = found.get(army, 0) + g.strength(v)
        return found

    def post_gain(self, h: Hex, before: float, more: float) -> float:
        """What more strength is worth in a town."""
        value = self.posts.get(h, 0.0)
        return value * (self.held(h, before + more) - self.held(h, before)) if value else 0.0

    # --- what is worth attacking -----------------------------------------------------------------------------------

    def hex_value(self, h: Hex) -> float:
        """What it is worth to drive the Soviets out of a hex."""
        g = self.g
        near = self._near_posts.get(h)
        if near is None:
            around = g.ground.around(h, 2) & ~g.towns_of(SOVIET)
            near = self._near_posts[h] = sum(v for t, v in self.posts.items() if around >> t & 1)
        return self.w.vacated + self.town_value(h) + 0.06 * near + self.reopened(h)

    def defended(self, h: Hex) -> Defended:
        found = self._defended.get(h)
        if found is None:
            g = self.g
            units, terrain, town = g.units_of(h, SOVIET), g.map.terrain[h], bool(g.ground.towns >> h & 1)
            found = self._defended[h] = Defended(
                len(units),
                sum(g.steps[v] for v in units),
                sum(g.strength(v) for v in units),
                all(g.status[v] & (UNSUPPLIED | DISPERSED) for v in units),
                any(g.is_armor(v) for v in units),
                town,
                TERRAIN.get(terrain, 1.0),
                int(town or bool(g.improved_positions >> h & 1)),
                2 * g.ground.vp_value(h) + (terrain in ("woods", "town", "city")),
                1 if any(g.status[v] & DISPERSED for v in units) else 2,
                self.hex_value(h),
                self.siege(h),
            )
        return found

    def siege(self, h: Hex) -> float:
        """What each step is worth that the Soviets lose in a town they do not give up."""
        steps = sum(self.g.steps[v] for v in self.g.units_of(h, SOVIET))
        return self.w.siege * self.town_value(h) / max(1, steps)

    @cached_property
    def cut_off(self) -> list[Unit]:
        """German units that no supply reaches now."""
        return [u for u in self.g.on_map_of(GERMAN) if not self.supplied >> self.g.place[u] & 1]

    def reopened(self, h: Hex) -> float:
        """What it is worth to the units cut off that the Soviets in this hex are gone."""
        if not self.cut_off:
            return 0.0
        found = self._reopened.get(h)
        if found is None:
            field = field_if(self.g, scene_without_stack(self.g, h), GERMAN)
            found = self._reopened[h] = self._relieved(field.hexes, self.g.place)
        return found

    def relief(self, u: Unit, h: Hex) -> float:
        """What it is worth to the units cut off that this one stands there."""
        if not self.cut_off or not self.soviet_zoc >> h & 1:
            return 0.0
        found = self._relief.get(h)
        if found is None:
            g, place = self.g, self.g.place[:]
            gone = 1 << place[u] if g.is_alone(u) else 0
            place[u] = h
            field = trace(g, replace(obstacles_of(g, GERMAN), friends=g.hexes_of(GERMAN) & ~gone | 1 << h))
            found = self._relief[h] = self._relieved(field.hexes, place)
        return found

    def _relieved(self, field: Bits, place: Sequence[Hex]) -> float:
        """What the units cut off are worth that stand in that field of supply."""
        return self.w.relief * sum(worth(self.g, u) for u in self.cut_off if field >> place[u] & 1)

    @cached_property
    def boldness(self) -> float:
        return boldness(self.g)

    @property
    def caution(self) -> float:
        """What a good position for defence is worth now."""
        return 1.0 + (self.w.bold - 1.0) * self.boldness

    @cached_property
    def prizes(self) -> list[Prize]:
        """What the counterstroke goes for."""
        return prizes(self.g, self.town_value) if self.boldness else []

    @cached_property
    def _pulls(self) -> list[tuple[float, bytes]]:
        """How much the prizes draw, those that draw most first, and how far it is to them."""
        return [(p.pull, self.g.ground.distances(p.hex)) for p in self.prizes]

    def drive(self, h: Hex) -> float:
        """What it is worth to be so near to the prizes."""
        found = self._drives.get(h)
        if found is None:
            found = 0.0
            for pull, away in self._pulls:
                if pull <= found:
                    break
                found = max(found, pull * NEARER ** max(0, away[h] - 1))
            self._drives[h] = found
        return found

    # --- a unit in a hex -------------------------------------------------------------------------------------------

    def danger(self, h: Hex, strength: float, u: Unit) -> float:
        """What the unit is likely to lose there if the Soviets attack: more where it can't give way."""
        g = self.g
        pressure = self.pressure(h)
        if not pressure:
            return 0.0
        odds = pressure / max(1.0, strength * TERRAIN.get(g.map.terrain[h], 1.0))
        risk = min(1.0, max(0.0, (odds - self.w.gives_way) / 4))
        if not risk:
            return 0.0
        near = g.map.grid.near[h]
        ways_out = (near & ~(g.hexes_of(SOVIET) | self.soviet_zoc)).bit_count()
        trapped = 1.0 if ways_out >= 3 else 1.8 if ways_out else 3.0
        if not self.supplied >> h & 1:
            trapped += 0.8
        return risk * trapped * 0.55 * worth(g, u)

    def shield(self, h: Hex, strength: float) -> float:
        """What standing in the open in front of towns is worth."""
        if not 1 <= self.soviet_distance[h] <= 5:
            return 0.0
        return self.covered(h) * min(1.0, strength / 4)

    def covered(self, h: Hex) -> float:
        """What the towns are worth that a unit there covers: no further from the Soviets than they are."""
        found = self._shields.get(h)
        if found is None:
            g, soviets, found = self.g, self.soviet_distance, 0.0
            around = [g.ground.around(h, away) for away in (1, 2, 3)]
            for t in members(around[2] & g.ground.vp_hexes & ~(1 << h | g.hexes_of(SOVIET) | g.towns_of(SOVIET))):
                if soviets[h] <= soviets[t]:
                    away = next(n for n, hexes in enumerate(around, 1) if hexes >> t & 1)
                    found += self.posts[t] * self.w.shield / (1 + away)
            self._shields[h] = found
        return found

    def stand(self, u: Unit, h: Hex, along: float = 0.0) -> float:
        """What it is worth to have the unit in that hex: others where they are, or along with it."""
        found = self._stands.get((u, h, along))
        if found is None:
            found = self._stands[u, h, along] = self._stand(u, h, along)
        return found

    def _stand(self, u: Unit, h: Hex, along: float) -> float:
        g = self.g
        mine, steps = g.strength(u), worth(g, u)
        others = self.strength(h) - (mine if g.place[u] == h else 0)
        if h in self.posts:
            value = self.post_gain(h, others, mine) * self.lasting(h)
        else:
            value = self.shield(h, mine) * self.caution
        if g.improved_positions >> h & 1:
            value += 0.3 * self.caution
        group = self.group(u, h)
        fear = self.w.fear * steps
        if not self.supplied >> h & 1:
            value = value * self.w.lost_cause - self.w.cut_off * fear
        alone = 1.0 - 0.7 * min(1.0, (group + mine) / self.w.strong_group)
        if not self.firm >> h & 1:
            value -= self.w.unsafe * fear
        value -= self.w.exposed * fear * alone * min(self.w.most_exposed, max(0, self.exposed[h] - 1))
        if self.is_mobile(u):
            value += self.w.mass * min(self.w.most_mass, group) * self.boldness
        more = max(along, self.company(u) - mine) * self.boldness if h != g.place[u] else 0.0
        return value - self.w.fear * self.danger(h, others + mine + more, u)

    def lasting(self, h: Hex) -> float:
        """How much of a town's worth is left if it is likely to be cut off."""
        return 1.0 - self.w.cut_off_risk * min(self.w.most_exposed, max(0, self.exposed[h] - 1))

    def is_mobile(self, u: Unit) -> bool:
        return self.g.is_mech(u) and self.g.strength(u) >= self.w.mobile

    def group(self, u: Unit, h: Hex) -> float:
        """The strength of the corps within two hexes, the unit left out; units that may still move count by half."""
        g = self.g
        corps = g.forces.formation[u]
        found = self._groups.get(corps)
        if found is None:
            found = self._groups[corps] = {}
            for v in g.on_map_of(GERMAN):
                if g.forces.formation[v] == corps:
                    for x in members(within(g.map.grid, 1 << g.place[v], 2)):
                        found[x] = found.get(x, 0.0) + self._steady(v)
        mine = self._steady(u) if g.on_map(u) and g.map.grid.distance(g.place[u], h) <= 2 else 0.0
        return found.get(h, 0.0) - mine

    def _steady(self, v: Unit) -> float:
        g = self.g
        moves_yet = g.status[v] & ACTIVE and not g.status[v] & MOVED
        return g.strength(v) * (0.5 if moves_yet else 1.0)

    def company(self, u: Unit) -> float:
        """The strength of the unit and of those that come along: of its corps, or active with it."""
        found = self._company.get(u)
        if found is None:
            g = self.g
            corps, here = g.forces.formation[u], g.place[u]
            others = [
                v
                for v in g.on_map_of(GERMAN)
                if v != u
                and not g.status[v] & (MOVED | DISPERSED)
                and (g.status[v] & ACTIVE if g.status[u] & ACTIVE else g.forces.formation[v] == corps)
                and g.on_map(u)
                and g.map.grid.distance(here, g.place[v]) <= ALONG
            ]
            units, steps, found = 1, g.steps[u], float(g.strength(u))
            for v in sorted(others, key=lambda v: (-g.strength(v), v)):
                if can_fit(g, units + 1, steps + g.steps[v]):
                    units, steps, found = units + 1, steps + g.steps[v], found + g.strength(v)
            self._company[u] = found
        return found

    def heading(self, u: Unit, h: Hex) -> float:
        """What the way from there is worth, to some post or to a prize."""
        g = self.g
        way = max(self._way_to_posts(h, g.strength(u), max(1, g.allowance(u))), self.drive(h))
        return way * (1.0 + (self.w.forward - 1.0) * self.boldness)

    def _way_to_posts(self, h: Hex, mine: int, speed: int) -> float:
        key = (h, mine, speed)
        found = self._ways.get(key)
        if found is None:
            found = 0.0
            for distances, gain in self._gains(mine):
                if gain <= found:
                    break
                away = distances[h]
                if 0 < away <= FARTHEST:
                    found = max(found, gain * self.w.half_a_turn_away ** (1 + away / speed))
            self._ways[key] = found = 0.6 * found
        return found

    def _gains(self, mine: int) -> list[tuple[bytes, float]]:
        """What a unit of that strength would be worth in each post, the best first, and how far it is to there."""
        found = self._post_gains.get(mine)
        if found is None:
            away = self.g.ground.distances
            found = [(away(t), self.post_gain(t, self.strength(t), mine)) for t in self.posts]
            found.sort(key=lambda x: -x[1])
            self._post_gains[mine] = found
        return found

    def score(self, u: Unit, h: Hex, along: float = 0.0) -> float:
        """What it is worth to go there, with so much strength besides what is known to come along."""
        found = self.stand(u, h, along) + self.heading(u, h) + self.relief(u, h)
        if self.w.focus >= 0:
            found -= self.w.pull * self.g.ground.distances(self.w.focus)[h]
        if self.g.place[u] == h:
            mine = self.g.strength(u)
            if self.supplied >> h & 1 and self.strength(h) == mine:
                found += self.w.last_one * self.posts.get(h, 0.0)
            if is_kharkov(self.g, h) and self.g.turn <= self.w.held_until:
                found += self.w.ordered * self.post_gain(h, self.strength(h) - mine, mine)
        return found
