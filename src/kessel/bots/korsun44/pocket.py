"""Questions of the ring: declarations, the isolated korps, the Breakout; barrages of the Soviet artillery."""

from __future__ import annotations

from kessel.bots.korsun44.battles import Battles
from kessel.bots.korsun44.situation import Situation
from kessel.bots.program import on
from kessel.core.hexes import Hex
from kessel.core.hexset import members
from kessel.core.procedure import PASS, Action, Options
from kessel.games.korsun44.board import GERMAN, OUT, SOVIET
from kessel.games.korsun44.special.barrage import BarrageSegment, Creation
from kessel.games.korsun44.special.boundary import BoundarySegment, is_beyond
from kessel.games.korsun44.special.breakout import in_pocket, outside
from kessel.games.korsun44.special.declarations import SpecialDeclarations
from kessel.games.korsun44.special.isolation import KorpsIsolation
from kessel.games.korsun44.special.waves import BreakoutPhase, StackMove, Waves, fight_strength
from kessel.games.korsun44.supply.korsun import Abandonment, cut_off, isolated_units
from kessel.games.korsun44.units.strength import is_attack_capable

NEAR = 5
"""Hexes to Germans outside from which a stack may come out: a move of one, and four more."""
MANY = 10
"""Units cut off that make it worth declaring Korsun isolated."""


def distance_out(s: Situation, h: Hex) -> int:
    """Hexes from here to the nearest Germans outside the pocket."""
    grid = s.g.map.grid
    return min((grid.distance(h, x) for x in members(outside(s.g))), default=99)


class Pocket(Battles):
    # --- 3.2.F1B declarations ----------------------------------------------------------------------------------------

    @on(SpecialDeclarations.pick)
    def announce(self, s: Situation, p: SpecialDeclarations, found: Options) -> Action | None:
        g = s.g
        can = {a[0]: a for a in found}
        if "declare_korsun" in can and (g.track("korsun_declared") or self._is_cut_off(s)):
            return self.say(can["declare_korsun"], "the pocket is to be supplied by air")
        for a in found:
            if a[0] == "isolate_korps" and len(isolated_units(g, a[1])) >= MANY:
                return self.say(a, "the korps is cut off and must be free to move")
        if "declare_wanda" in can and self._relief_is_ready(s):
            return self.say(can["declare_wanda"], "the relief attack begins")
        if "declare_breakout" in can and self.should_break_out(s):
            return self.say(can["declare_breakout"], "now or never")
        return self.say(PASS, "nothing to declare")

    def _is_cut_off(self, s: Situation) -> bool:
        """Whether many of those round Korsun have no path, or none in range: Korsun is a source of their own."""
        g, korps = s.g, s.g.charts.game.formations.pocket_korps
        lost = {*cut_off(g), *(u for u in g.on_the_map(GERMAN) if g.status[u] & OUT)}
        return sum(g.forces.corps[u] in korps for u in lost) >= MANY

    def _relief_is_ready(self, s: Situation) -> bool:
        """Panzers of the relief korps are near the enemy."""
        g, korps = s.g, s.g.charts.game.formations.relief_korps
        tanks = [u for u in g.on_the_map(GERMAN) if g.forces.armor[u] and g.forces.corps[u] in korps]
        return sum(bool(s.near.get(g.place[u], 0.0)) for u in tanks) >= 3

    def should_break_out(self, s: Situation) -> bool:
        """Most of the pocket can come out, or it is late."""
        g, w = s.g, s.w
        units = [u for u in in_pocket(g) if g.steps[u]]
        total = sum(g.steps[u] for u in units)
        near = sum(g.steps[u] for u in units if distance_out(s, g.place[u]) <= NEAR)
        left = g.scenario.last_turn - g.turn
        last = left <= 0 or (left <= w.last_days and near >= w.last_share * total)
        ready = g.turn >= w.break_out_from and near >= w.break_out_share * total
        return bool(total) and (last or ready)

    # --- 16.2 isolated korps -----------------------------------------------------------------------------------------

    @on(KorpsIsolation.sdms)
    def relocate(self, s: Situation, p: KorpsIsolation, found: Options) -> Action | None:
        able = [a for a in found if a[0] == "relocate" and a[3]]
        return self.say(max(able, key=lambda a: (a[3], -a[2])), "points for the korps") if able else None

    @on(KorpsIsolation.moves)
    def draw_in(self, s: Situation, p: KorpsIsolation, found: Options) -> Action | None:
        """Units in danger of being overrun draw back."""
        g = s.g
        for a in found:
            if a[0] == "withdraw_to":
                u = a[1]
                here, there = s.beside.get(g.place[u], 0.0), s.beside.get(a[2], 0.0)
                if here > 2 * s.power(g.of_side(g.place[u], s.side)) and there < here / 2:
                    return self.say(a, "back from the enemy")
        return self.say(PASS, "the line is kept")

    @on(Abandonment.pick)
    def store(self, s: Situation, p: Abandonment, found: Options) -> Action | None:
        able = [a for a in found if a[0] == "store"]
        return self.say(max(able, key=lambda a: (a[2], -a[1])), "what can be carried") if able else None

    # --- 16.5 the Breakout -------------------------------------------------------------------------------------------

    @on(BreakoutPhase.join)
    def merge(self, s: Situation, p: BreakoutPhase, found: Options) -> Action | None:
        """Guns and engineers that cannot fight strengthen their regiments: they come out with them."""
        g = s.g
        for a in found:
            if a[0] == "merge" and not is_attack_capable(g, a[1]) and g.on_map(a[2]):
                return self.say(a, "the men march with the infantry")
        return self.say(PASS, "all others go as they are")

    @on(BreakoutPhase.move)
    def one_hex(self, s: Situation, p: BreakoutPhase, found: Options) -> Action | None:
        g = s.g
        best, most = PASS, 0
        for a in found:
            if a[0] == "one_hex":
                gain = distance_out(s, g.place[a[1]]) - distance_out(s, a[2])
                if gain > most:
                    best, most = a, gain
        return self.say(best, "towards the relief" if best != PASS else "all stand ready")

    @on(Waves.pick)
    def wave(self, s: Situation, p: Waves, found: Options) -> Action | None:
        able = [a for a in found if a[0] == "break_out"]
        if not able:
            return None
        best = min(able, key=lambda a: (distance_out(s, a[1]), -s.power(s.g.of_side(a[1], s.side)), a[1]))
        return self.say(best, "those in front first")

    @on(StackMove.go)
    def break_out(self, s: Situation, p: StackMove, found: Options) -> Action | None:
        """Nearer to the Germans outside, round the Soviets where there is a way."""
        g = s.g
        here = g.place[p.units[0]]
        mine = fight_strength(g, "attack", p.units).total
        best, least = ("halt",), 1.5 * distance_out(s, here)
        left = g.charts.constants.breakout_move - p.entered
        for a in found:
            if a[0] != "to":
                continue
            away = distance_out(s, a[1])
            cost = 1.5 * away
            enemies = g.of_side(a[1], SOVIET)
            if enemies:
                theirs = fight_strength(g, "defence", tuple(enemies)).total
                cost += min(4.0, 1.5 * theirs / max(mine, 1))
            cost += 3.0 * (away > left - 1)
            if cost < least + 0.1:
                best, least = a, cost
        return self.say(best, "out of the pocket")

    # --- 22.11 the boundary ------------------------------------------------------------------------------------------

    @on(BoundarySegment.move)
    def boundary(self, s: Situation, p: BoundarySegment, found: Options) -> Action | None:
        """Where fewest units are on the wrong side of it."""
        g, line = s.g, s.g.track("boundary")

        def beyond(column: int) -> int:
            g.set_track("boundary", column)
            return sum(is_beyond(g, u, g.place[u]) for u in g.on_the_map(s.side))

        counted = {a: beyond(a[1]) for a in found if a != PASS}
        now = beyond(line)
        best = min(counted, key=lambda a: (counted[a], a[1]), default=PASS)
        if best == PASS or counted[best] >= now:
            return self.say(PASS, "the boundary lies well")
        return self.say(best, "units have gone beyond it")

    # --- 17.1 barrages -----------------------------------------------------------------------------------------------

    @on(Creation.pick)
    def form(self, s: Situation, p: Creation, found: Options) -> Action | None:
        """Where a barrage can reach most of the enemy."""
        g = s.g
        able = [a for a in found if a[0] == "form_barrage"]
        reach = g.charts.constants.barrage_range
        best, most = PASS, 1.0
        for a in able:
            value = sum(p for h, p in s.enemy_at.items() if 1 < g.map.grid.distance(h, a[2]) <= reach)
            if value > most:
                best, most = a, value
        return self.say(best, "the guns are massed" if best != PASS else "the guns stay with the armies")

    @on(BarrageSegment.pick)
    def shell(self, s: Situation, p: BarrageSegment, found: Options) -> Action | None:
        """Hexes beside own divisions, those that bar the way first."""
        g = s.g
        best, most = PASS, 0.5
        for a in found:
            if a[0] != "shell":
                continue
            own = [u for n in g.map.grid.around[a[2]] for u in g.of_side(n, s.side) if is_attack_capable(g, u)]
            way = max((s.nearer(u, g.place[u], a[2]) for u in own), default=0.0)
            value = min(s.power(own), 30.0) / 10 + s.prize(a[2]) + max(0.0, way)
            if own and value > most:
                best, most = a, value
        return self.say(best, "before the attack" if best != PASS else "nobody is there to use it")
