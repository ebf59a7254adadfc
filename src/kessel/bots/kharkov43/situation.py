"""What the German player sees on the map: who could attack what, and what it is worth to stand somewhere.

All values are in steps: one step of a German regiment is worth 1.
"""

from __future__ import annotations

from functools import cached_property
from math import exp

from kessel.core.forces import Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import members
from kessel.games.kharkov43.board import DISPERSED, ISOLATED, Board
from kessel.games.kharkov43.forces import GERMAN, SOVIET
from kessel.games.kharkov43.preferences import distance_to
from kessel.games.kharkov43.proximity import could_enter
from kessel.games.kharkov43.supply import field_of
from kessel.games.kharkov43.victory import is_kharkov
from kessel.games.kharkov43.zones import zoc

VP = 3.0
"""What a victory point is worth in steps."""
URGENCY = ((6, 0.9), (9, 0.6), (13, 0.15))
"""How much a town counts by its distance from the nearest Soviet unit."""
FAR_AWAY = 0.01
EDGE = 0.4
"""A map-edge hex counts only while the Soviets hold it and are supplied there."""
LEAST_NEED = 2.5
OVERRUN = 3.2
"""A stack in a town holds against about so many times its strength."""
CUT_OFF = 0.8
KHARKOV = 2.0
"""Without Kharkov there is no German victory (18.35)."""
VACATED = 0.4
"""What a hex is worth from which a Soviet stack is driven."""
DRIVE = 12
"""From how far a corps gathers for an attack."""
ENOUGH = 2.5
"""How many times the defenders' strength a corps must have near, and how much of all Soviets around."""
OUTNUMBERED = 1.0
INITIATIVE = 0.9
"""Corps gather for attacks once the Germans have that share of the Soviet strength on the map."""
TOGETHER = 0.5
"""How much of the danger is left for a unit that attacks with its corps."""
PULL, MOST_PULL = 0.8, 5.0
"""How much of an attack's worth draws each unit there."""
SHIELD = 0.25
"""How much of a town's worth a unit in front of it saves."""
GIVES_WAY = 1.6
"""A stack that is attacked at less than these odds stands."""
TERRAIN = {"town": 1.6, "city": 1.6, "woods": 1.35, "broken": 1.25, "marsh": 1.2}
FARTHEST = 30
HALF_A_TURN_AWAY = 0.82
"""What a post is worth to a unit that still needs a move to get there."""


def worth(g: Board, u: Unit) -> float:
    """A unit in steps, the strength of each counted."""
    return 0.25 * g.strength(u) + 0.5 * g.steps[u]


class Situation:
    """One look at the board; nothing of it changes while it is used."""

    def __init__(self, g: Board) -> None:
        self.g = g
        self._pressure: dict[Hex, float] = {}
        self._strength: dict[Hex, int] = {}
        self._ways: dict[tuple[Hex, int, int], float] = {}
        self._post_gains: dict[int, list[tuple[Hex, float]]] = {}

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
    def soviets_could_enter(self) -> Bits:
        s = 0
        for entered, _, _ in self.soviets:
            s |= entered
        return s

    @cached_property
    def soviet_distance(self) -> bytes:
        """Hexes from everywhere to the nearest Soviet unit."""
        return distance_to(self.g, self.g.hexes_of(SOVIET))

    @cached_property
    def supplied(self) -> Bits:
        return field_of(self.g, GERMAN).hexes

    @cached_property
    def soviet_zoc(self) -> Bits:
        return zoc(self.g, SOVIET)

    def pressure(self, h: Hex) -> float:
        """The strength the Soviets could bring against h: the strongest army, and something of the others."""
        found = self._pressure.get(h)
        if found is None:
            beside = self.g.ground.adjacent_units(h) | 1 << h
            by_army: dict[str, int] = {}
            for entered, strength, army in self.soviets:
                if entered & beside:
                    by_army[army] = by_army.get(army, 0) + strength
            most = max(by_army.values(), default=0)
            found = self._pressure[h] = most + 0.35 * (sum(by_army.values()) - most)
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
            value = VP * g.ground.vp_value(h)
            if is_kharkov(g, h):
                value *= KHARKOV
            if g.towns_of(SOVIET) >> h & 1:
                found[h] = 0.8 * value
            else:
                found[h] = value * self.urgency(h) * (EDGE if g.ground.edge_vps >> h & 1 else 1.0)
        return found

    def held(self, h: Hex, strength: float) -> float:
        """How much of a town's worth a stack of that strength saves, 0 to 1."""
        if strength <= 0:
            return 0.0
        return 1 - exp(-1.3 * strength / max(LEAST_NEED, self.pressure(h) / OVERRUN))

    def post_gain(self, h: Hex, before: float, more: float) -> float:
        """What more strength is worth in a town."""
        value = self.posts.get(h, 0.0)
        return value * (self.held(h, before + more) - self.held(h, before)) if value else 0.0

    # --- what is worth attacking -----------------------------------------------------------------------------------

    def hex_value(self, h: Hex) -> float:
        """What it is worth to drive the Soviets out of a hex."""
        g = self.g
        near = sum(
            v for t, v in self.posts.items() if g.map.grid.distance(t, h) <= 2 and not g.towns_of(SOVIET) >> t & 1
        )
        return VACATED + VP * g.ground.vp_value(h) + 0.06 * near

    @cached_property
    def drives(self) -> dict[str, tuple[Hex, float]]:
        """By corps: the Soviet stack it should go for together, and what that is worth to each of its units."""
        found: dict[str, tuple[Hex, float]] = {}
        g = self.g
        units: dict[str, list[Unit]] = {}
        for u in g.on_map_of(GERMAN):
            if not g.status[u] & ISOLATED:
                units.setdefault(g.forces.formation[u], []).append(u)
        stacks = {h: g.strength_in(h, SOVIET) for h in members(g.hexes_of(SOVIET))}
        if sum(g.strength(u) for u in g.on_map_of(GERMAN)) < INITIATIVE * sum(stacks.values()):
            return found
        for corps, mine in units.items():
            best = max(((self._drive(mine, h, stacks), h) for h in stacks), default=(0.0, -1))
            if best[0] > 0:
                found[corps] = (best[1], min(MOST_PULL, PULL * best[0]))
        return found

    def _drive(self, mine: list[Unit], target: Hex, stacks: dict[Hex, int]) -> float:
        g = self.g
        distance = g.map.grid.distance
        near = [u for u in mine if distance(g.place[u], target) <= DRIVE]
        force = sum(g.strength(u) * (0.5 if g.status[u] & DISPERSED else 1.0) for u in near)
        defence = stacks[target] * TERRAIN.get(g.map.terrain[target], 1.0)
        if force < ENOUGH * defence:
            return 0.0
        around = sum(s for h, s in stacks.items() if distance(h, target) <= 3)
        if force < OUTNUMBERED * around:
            return 0.0
        value = self.hex_value(target) + 0.4 * sum(worth(g, v) for v in g.units_of(target, SOVIET))
        away = sum(distance(g.place[u], target) for u in near) / len(near)
        return value * min(1.5, force / (3 * defence)) / (1 + away / 6)

    # --- a unit in a hex -------------------------------------------------------------------------------------------

    def danger(self, h: Hex, strength: float, u: Unit) -> float:
        """What the unit is likely to lose there if the Soviets attack: more where it can't give way."""
        g = self.g
        pressure = self.pressure(h)
        if not pressure:
            return 0.0
        odds = pressure / max(1.0, strength * TERRAIN.get(g.map.terrain[h], 1.0))
        risk = min(1.0, max(0.0, (odds - GIVES_WAY) / 4))
        if not risk:
            return 0.0
        near = g.map.grid.near[h]
        ways_out = (near & ~(g.hexes_of(SOVIET) | self.soviet_zoc)).bit_count()
        trapped = 1.0 if ways_out >= 3 else 1.5 if ways_out else 2.2
        if not self.supplied >> h & 1:
            trapped += 0.8
        return risk * trapped * 0.55 * worth(g, u)

    def shield(self, h: Hex, strength: float) -> float:
        """What standing in the open in front of towns is worth."""
        g = self.g
        if not 1 <= self.soviet_distance[h] <= 5:
            return 0.0
        found = 0.0
        for t, value in self.posts.items():
            if g.towns_of(SOVIET) >> t & 1:
                continue
            away = g.map.grid.distance(h, t)
            if 0 < away <= 3 and self.soviet_distance[h] <= self.soviet_distance[t]:
                found += value * SHIELD / (1 + away)
        return found * min(1.0, strength / 4)

    def stand(self, u: Unit, h: Hex) -> float:
        """What it is worth to have the unit in that hex, everybody else where they are."""
        g = self.g
        mine = g.strength(u)
        others = self.strength(h) - (mine if g.place[u] == h else 0)
        value = self.post_gain(h, others, mine) if h in self.posts else self.shield(h, mine)
        if g.improved_positions >> h & 1:
            value += 0.3
        if not self.supplied >> h & 1:
            value -= CUT_OFF * worth(g, u)
        return value - self.danger(h, others + mine, u) * (TOGETHER if self.attacks_from(u, h) else 1.0)

    def attacks_from(self, u: Unit, h: Hex) -> bool:
        """Whether the unit's corps is to gather there for an attack: it will not be alone."""
        drive = self.drives.get(self.g.forces.formation[u])
        return drive is not None and self.g.map.grid.distance(drive[0], h) <= 2

    def heading(self, u: Unit, h: Hex) -> float:
        """What the way to some post is worth from there."""
        g = self.g
        mine, speed = g.strength(u), max(1, g.allowance(u))
        best = self._way_to_posts(h, mine, speed)
        drive = self.drives.get(g.forces.formation[u])
        if drive is not None:
            away = max(0, g.ground.distance(drive[0], h) - 1)
            best = max(best, drive[1] * max(0.0, 1 - away / DRIVE))
        return best

    def _way_to_posts(self, h: Hex, mine: int, speed: int) -> float:
        key = (h, mine, speed)
        found = self._ways.get(key)
        if found is None:
            found = 0.0
            for t, gain in self._gains(mine):
                if gain <= found:
                    break
                away = self.g.ground.distance(t, h)
                if 0 < away <= FARTHEST:
                    found = max(found, gain * HALF_A_TURN_AWAY ** (1 + away / speed))
            self._ways[key] = found = 0.6 * found
        return found

    def _gains(self, mine: int) -> list[tuple[Hex, float]]:
        """What a unit of that strength would be worth in each post, the best first."""
        found = self._post_gains.get(mine)
        if found is None:
            found = [(t, self.post_gain(t, self.strength(t), mine)) for t in self.posts]
            found.sort(key=lambda x: -x[1])
            self._post_gains[mine] = found
        return found

    def score(self, u: Unit, h: Hex) -> float:
        return self.stand(u, h) + self.heading(u, h)
