"""Where units go: each picks a goal that is not crowded yet and the hex that brings it nearest in good order."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from kessel.bots.don42.plans import (
    centre_of,
    distances,
    enemies_near,
    far_from,
    goals_of,
    held_value,
    objective_value,
    threat,
    to_enemy,
    to_the_volga,
)
from kessel.bots.don42.weights import SPEARHEAD, Weights
from kessel.core.forces import NO_UNIT, Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import members
from kessel.games.don42.board import ACTIVE, OTHER, Board
from kessel.games.don42.data.charts import POINT
from kessel.games.don42.data.forces import GERMAN, SOVIET
from kessel.games.don42.data.lines import Lines
from kessel.games.don42.movement.movement import ends_of, is_roadbound
from kessel.games.don42.movement.stacking import why_not_together
from kessel.games.don42.movement.withdrawal import in_time
from kessel.games.don42.movement.zones import enemy_zone, open_hexes
from kessel.games.don42.supply.supply import corps_hqs, home_net, lines_to, parent_hqs

VAN = 8
"""Units of the spearhead that its HQ follows."""
COMFORT = 7
"""Hexes at which a unit is surely in reach of a German HQ."""


class Mover:
    """One phase of movement: remembers how many units are on their way to each goal."""

    def __init__(self, weights: Callable[[Board, Unit], Weights]) -> None:
        self.weights = weights
        self.going: dict[Hex, int] = {}
        self._enemies: Bits = 0
        self._far = b""

    def destination(self, g: Board, u: Unit, left: int, first: bool) -> Hex | None:
        """The best hex to end in; None to stay."""
        ends = ends_of(g, u, left, first)
        room = [h for h in members(ends) if self._fits(g, u, h)]
        here = g.place[u]
        if not self._fits(g, u, here):
            candidates = room
        else:
            candidates = [*room, here]
        if not candidates:
            return None
        back = in_time(g, u)
        if back is not None:
            candidates = [h for h in candidates if back >> h & 1] or candidates
        if g.forces.hq[u]:
            best = self._headquarters(g, u, candidates, here)
        elif g.forces.gun[u]:
            best = max(candidates, key=lambda h: (self._gun_score(g, u, h), h == here))
        else:
            best = self._fighter(g, u, candidates, here)
        return None if best == here else best

    def _fits(self, g: Board, u: Unit, h: Hex) -> bool:
        there = [v for v in g.units(h) if v != u]
        return not there or why_not_together(g, g.forces.side[u], [*there, u]) is None

    # --- fighting units ---------------------------------------------------------------------------------------------

    def _fighter(self, g: Board, u: Unit, candidates: list[Hex], here: Hex) -> Hex:
        side, w = g.forces.side[u], self.weights(g, u)
        driving = is_driving(g, u)
        if here in candidates and guards(g, u, w):
            return here
        goals = goals_of(g, u, w)
        if not goals:
            return here if here in candidates else candidates[0]
        goal = self.pick_goal(g, here, goals, w)
        self.going[goal] = self.going.get(goal, 0) + 1
        away = distances(g, goal)
        zone = enemy_zone(g, side)
        lines = self._leash(g, u)

        def score(h: Hex) -> tuple[float, bool]:
            value = -away[h] / POINT
            value += (w.by_the_way if driving else w.take) * objective_value(g, h, side)
            if zone >> h & 1:
                value -= self._risk(g, u, h, w)
            if lines is not None and not lines.reached >> h & 1:
                value -= w.leash
            shift, _ = g.ground.hex_shift(h)
            return value + w.cover * shift, h == here

        return max(candidates, key=score)

    def pick_goal(self, g: Board, here: Hex, goals: dict[Hex, float], w: Weights) -> Hex:
        """The goal worth most for its distance, those that many go for already less."""
        return max(goals, key=lambda x: (self.promise(g, here, x, goals[x], w, self.going), x))

    def promise(self, g: Board, here: Hex, goal: Hex, worth: float, w: Weights, going: Mapping[Hex, int]) -> float:
        """What a goal is worth from a hex when so many are on their way to it."""
        far = distances(g, goal)[here] / POINT
        crowd = w.crowd if worth < w.volga else w.crowd / 6
        return worth / (1 + far / w.slow) / (1 + crowd * going.get(goal, 0))

    def _risk(self, g: Board, u: Unit, h: Hex, w: Weights) -> float:
        """Entering a zone costs more the stronger the enemies beside it; it pays where a good attack comes together."""
        side = g.forces.side[u]
        foes = threat(g, side, h)
        own = g.defence_value(u) + sum(g.defence_value(v) for v in g.units(h) if v != u)
        attack = g.attack_value(u)
        weak = max(0.0, foes - 1.5 * own)
        haste = w.haste if g.forces.division[u] == SPEARHEAD else 1.0
        return w.risk * weak + (2.0 if attack == 0 else 0.0) - haste * self._chance(g, u, h, w)

    def _chance(self, g: Board, u: Unit, h: Hex, w: Weights) -> float:
        """How well the unit would join in an attack from there."""
        side = g.forces.side[u]
        if not g.attack_value(u) or (side == SOVIET and not self._commanded(g, u, h)):
            return 0.0
        best = 0.0
        for n in g.map.grid.around[h]:
            if not g.enemies_in(n, side):
                continue
            defence = max(1, sum(g.defence_value(v) for v in g.units(n)))
            beside = {v for x in g.map.grid.around[n] for v in g.units(x) if g.forces.side[v] == side and v != u}
            strength = g.attack_value(u) + sum(g.attack_value(v) for v in beside if not g.disorder(v))
            odds = strength / defence
            best = max(best, w.chance * min(2.0, odds - 0.8) + objective_value(g, n, side) / 6)
        return best

    def _commanded(self, g: Board, u: Unit, h: Hex) -> bool:
        """Whether a Soviet unit there is likely to be in Attack Supply."""
        return any(g.map.grid.distance(h, g.place[hq]) <= 7 for hq in parent_hqs(g, u))

    def _leash(self, g: Board, u: Unit) -> Lines | None:
        """Lines to the HQ a unit should not outrun: the division's for Germans, the Army's for Soviets in attack."""
        if g.forces.side[u] == GERMAN:
            hq = g.forces.division_hq[u]
            if hq == NO_UNIT or not g.on_map(hq):
                return None
            ahead = 14 if g.forces.division[u] == SPEARHEAD else 5 if g.forces.motorized[u] else 2
            reach = g.charts.constants.german_trace + ahead
            return g.crossings.lines("german", g.weather, 1 << g.place[hq], reach * POINT, g.map.grid.all)
        return None

    # --- guns and HQs ----------------------------------------------------------------------------------------------

    def _gun_score(self, g: Board, u: Unit, h: Hex) -> float:
        """Near the front but not in it."""
        side = g.forces.side[u]
        if enemy_zone(g, side) >> h & 1:
            return -50.0
        if not g.hexes_of(OTHER[side]):
            return 0.0
        far = self._to_enemy(g, side)[h]
        want = 2 if g.forces.mortar[u] else 3
        score = -abs(far - want) * 1.0
        if is_roadbound(g, u) and g.ground.on_road >> h & 1:
            score += 0.3
        return score

    def _to_enemy(self, g: Board, side: Side) -> bytes:
        enemies = g.hexes_of(OTHER[side])
        if self._enemies != enemies:
            self._enemies, self._far = enemies, to_enemy(g, side)
        return self._far

    def _headquarters(self, g: Board, u: Unit, candidates: list[Hex], here: Hex) -> Hex:
        """The best few hexes by the look of them; of those a German HQ takes the one that supplies most."""
        units = followers(g, u)
        looks = self.looks(g, u, candidates, units)
        likely = sorted(candidates, key=lambda h: (looks[h], h == here), reverse=True)
        if g.forces.side[u] != GERMAN:
            return likely[0]
        wanted = 0
        for v in units:
            wanted |= 1 << g.place[v]
        limit = g.charts.constants.german_trace * POINT
        above = 0
        if not g.forces.is_command_hq(u):
            for hq in corps_hqs(g, g.command[u]):
                above |= lines_to(g, GERMAN, 1 << g.place[hq], g.charts.constants.german_trace).reached

        def supplies(h: Hex) -> float:
            found = g.crossings.reaching("german", g.weather, 1 << h, limit, open_hexes(g, GERMAN), wanted)
            each = 8.0 if g.forces.is_command_hq(u) else 1.5
            return looks[h] + each * found.bit_count() + (10.0 if above >> h & 1 else 0.0)

        return max(likely[:12], key=lambda h: (supplies(h), h == here))

    def looks(self, g: Board, u: Unit, candidates: list[Hex], units: list[Unit]) -> dict[Hex, float]:
        """How good the hexes look for an HQ of those units."""
        middle = distances(g, centre_of(g, units)) if units and g.forces.side[u] != GERMAN else None
        return {h: self._hq_score(g, u, h, units, middle) for h in candidates}

    def _hq_score(self, g: Board, u: Unit, h: Hex, units: list[Unit], middle: list[int] | None) -> float:
        """With its units, on a road, away from enemies."""
        side = g.forces.side[u]
        score = 0.0
        if enemy_zone(g, side) >> h & 1:
            score -= 30.0
        elif enemies_near(g, side, h, 2):
            score -= 6.0
        on_road = bool(g.ground.on_road >> h & 1)
        if not g.forces.is_command_hq(u):
            score += 1.0 if on_road else 0.0
        elif side == GERMAN:
            score += 20.0 if home_net(g) >> h & 1 else 6.0 if on_road else 0.0
        else:
            score += 20.0 if on_road else 0.0
        far = far_from(g, h)
        if side == GERMAN:
            for v in units:
                if far[g.place[v]] > COMFORT:
                    weight = 1.0 if not g.forces.hq[v] else 8.0 if g.forces.division[v] == SPEARHEAD else 3.0
                    score -= (far[g.place[v]] - COMFORT) * weight
            if not g.forces.is_command_hq(u):
                for hq in corps_hqs(g, g.command[u]):
                    score -= max(0, far[g.place[hq]] - 2 * COMFORT) * 2.0
        elif middle is not None:
            score -= middle[h] / POINT * 0.5
        if any(v != u and not g.forces.hq[v] and g.defence_value(v) >= 3 for v in g.units(h)):
            score += 8.0
        elif enemies_near(g, side, h, 4):
            score -= 8.0
        return score


def is_driving(g: Board, u: Unit) -> bool:
    """Whether a unit is of the spearhead that is still on its way to the Volga."""
    return g.forces.division[u] == SPEARHEAD and bool(to_the_volga(g))


def guards(g: Board, u: Unit, w: Weights) -> bool:
    """Whether a unit stays because it alone holds a Victory Point hex that enemies are near."""
    here, side = g.place[u], g.forces.side[u]
    alone = len(g.units(here)) == 1 and not is_driving(g, u)
    return alone and bool(held_value(g, here, side)) and enemies_near(g, side, here, w.hold)


def followers(g: Board, hq: Unit) -> list[Unit]:
    """The units an HQ should be near: its division, or the HQs (Germans) or active units (Soviets) of its command."""
    forces = g.forces
    if forces.side[hq] == GERMAN:
        if not forces.is_command_hq(hq):
            units = [u for u in forces.of(forces.division[hq]) if g.on_map(u) and not forces.hq[u]]
            return leading(g, units) if forces.division[hq] == SPEARHEAD else units
        return [u for u in forces.of(forces.corps[hq]) if g.on_map(u) and forces.hq[u] and u != hq]
    command = g.command[hq]
    mine = [u for u in forces.ground[SOVIET] if g.command[u] == command and g.on_map(u) and u != hq]
    return [u for u in mine if g.status[u] & ACTIVE] or mine


def leading(g: Board, units: list[Unit]) -> list[Unit]:
    """The units nearest to the Volga: while it is not reached their HQ goes with them."""
    if not to_the_volga(g):
        return units
    away = [distances(g, h) for h in to_the_volga(g)]
    return sorted(units, key=lambda u: (min(d[g.place[u]] for d in away), u))[:VAN]


def moving_order(g: Board, units: list[Unit]) -> list[Unit]:
    """Fighters first, the fastest and strongest ahead; then guns; HQs follow."""
    f = g.forces

    def key(u: Unit) -> tuple[int, int, int, int]:
        role = 3 if f.is_command_hq(u) else 2 if f.hq[u] else 1 if f.gun[u] else 0
        return role, -g.allowance(u), -g.attack_value(u), u

    return sorted(units, key=key)


def entering_order(g: Board, units: list[Unit]) -> list[Unit]:
    """Off-map columns: HQs and tanks at the head."""
    f = g.forces

    def key(u: Unit) -> tuple[int, int, int]:
        move = f.value[u][g.steps[u] or f.full_steps[u]][2]
        return 0 if f.is_command_hq(u) else 1 if f.hq[u] else 2, -move, u

    return sorted(units, key=key)
