"""Questions of the Combat Phase and of interception."""

from __future__ import annotations

from kessel.bots.korsun44.attacks import Attack, assignment, best_stacks
from kessel.bots.korsun44.fights import step_worth
from kessel.bots.korsun44.situation import Situation
from kessel.bots.korsun44.supplies import Supplies
from kessel.bots.program import on
from kessel.bots.purpose import Weighed, place_words
from kessel.bots.weights import Changes
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Hex
from kessel.core.procedure import PASS, Action, Options
from kessel.games.korsun44.combat.advance import Advance
from kessel.games.korsun44.combat.artillery import barrage_strength
from kessel.games.korsun44.combat.battle import BREAKTHROUGH_SEGMENT, declared
from kessel.games.korsun44.combat.combat import Combat
from kessel.games.korsun44.combat.losses import Loss
from kessel.games.korsun44.combat.odds import first_column
from kessel.games.korsun44.combat.phase import ArmorReaction, Breakthrough, Declaration, Resolution, SovietAir
from kessel.games.korsun44.combat.retreat import Retreat
from kessel.games.korsun44.combat.strengths import attack_strength, defence_strength
from kessel.games.korsun44.movement.interception import Interception, intercept_dots
from kessel.games.korsun44.movement.reserve import NightWithdrawal
from kessel.games.korsun44.movement.stacking import Overstacked
from kessel.games.korsun44.movement.zones import zone_of
from kessel.games.korsun44.units.strength import strength, white_dots

TOO_MUCH = 6
"""The column of the table from which nobody stands: 4:1 and more."""
GUNS_HELP = 9
"""From this column on guns are not wasted on an attack."""


class Battles(Supplies):
    def __init__(self, seed: int = 0, changes: Changes | None = None) -> None:
        super().__init__(seed, changes)
        self._shares: tuple[object, list[Attack]] = (None, [])
        """Attacks shared out, and the position they were shared out in."""
        self._wall: set[Unit] = set()
        """Units that keep the ring closed, and stay where they are."""

    @property
    def shared(self) -> list[Attack]:
        """The attacks that stacks were shared out for last."""
        return self._shares[1]

    # --- 12.1.1 which attacks ----------------------------------------------------------------------------------------

    def shares(self, s: Situation, segment: int, targets: list[Hex]) -> list[Attack]:
        """The stacks shared out over attacks; kept while nobody moves and no combat is declared or over."""
        g = s.g
        now = (g.turn, s.side, segment, tuple(targets), bytes(g.combats), g.place.tobytes())
        if self._shares[0] != now:
            self._shares = now, assignment(s, segment, targets)
        return self._shares[1]

    @on(Declaration.pick)
    def declare(self, s: Situation, p: Declaration, found: Options) -> Action | None:
        """All attacks that are worth it; then once more, since some are better beside others."""
        g = s.g
        can, marked = [a[1] for a in found if a[0] == "attack"], declared(g)
        key = (g.turn, s.side, p.segment)
        known = self._shares[1] if self._shares[0] == key else assignment(s, p.segment, sorted({*can, *marked}))
        self.weighed = lambda: self._weighed(s, self._shares[1], can)
        for again in (False, True):
            for a in known:
                if a.target in can:
                    self._shares = key, known
                    return self.say(("attack", a.target), f"{g.place_words(a.target)} can be taken ({a.value:.1f})")
            if not again:
                known = assignment(s, p.segment, sorted({*can, *marked}))
        return self.say(PASS, "no attack is worth it")

    def _weighed(self, s: Situation, shared: list[Attack], can: list[Hex]) -> list[Weighed]:
        stop = Weighed(0.0, "declare no more", PASS)
        return [stop] + [
            Weighed(a.value, f"attack {place_words(s.g, a.target)} from {len(a.stacks)} hexes", ("attack", a.target))
            for a in shared
            if a.target in can
        ]

    @on(SovietAir.pick)
    def soviet_air(self, s: Situation, p: SovietAir, found: Options) -> Action | None:
        able = [a for a in found if a[0] == "fly"]
        if not able:
            return None
        best = max(able, key=lambda a: (s.prize(a[1]), s.enemy_at.get(a[1], 0.0), a))
        return self.say(best, "aircraft help there most")

    @on(ArmorReaction.pick)
    def react(self, s: Situation, p: ArmorReaction, found: Options) -> Action | None:
        """Into a hex that will be attacked and can be held with a little help."""
        g, marked = s.g, set(declared(s.g))
        able = [a for a in found if a[0] == "react" and a[2] in marked and g.of_side(a[2], s.side)]
        if not able:
            return PASS
        best = max(able, key=lambda a: (white_dots(g, a[1]), strength(g, a[1]), a))
        return self.say(best, "to help those who will be attacked")

    @on(Resolution.pick)
    def resolve(self, s: Situation, p: Resolution, found: Options) -> Action | None:
        can = [a[1] for a in found]
        best = self.shares(s, p.segment, declared(s.g))
        best = [a for a in best if a.target in can]
        target = best[0].target if best else can[0]
        return self.say(("combat", target), "the best attack first")

    @on(Combat.gather)
    def gather(self, s: Situation, p: Combat, found: Options) -> Action | None:
        if p.segment == BREAKTHROUGH_SEGMENT:
            more = [a for a in found if a[0] == "with"]
            return self.say(more[0], "all that have broken through") if more else ("engage",)
        target = p.targets[0]
        shared = self.shares(s, p.segment, declared(s.g))
        stacks = next((a.stacks for a in shared if a.target == target), ())
        here = set(p.origins(s.g))
        for h in stacks:
            if h not in here:
                return self.say(("from", h), "the attack needs them")
        if here:
            return ("engage",)
        able = [a for a in found if a[0] == "from"]
        return self.say(max(able, key=lambda a: (s.power(s.g.of_side(a[1], s.side)), -a[1])), "it was declared")

    # --- 12.1.3.A what helps -----------------------------------------------------------------------------------------

    @on(Combat.support)
    def support(self, s: Situation, p: Combat, found: Options) -> Action | None:
        able = [a for a in found if a[0] == "support"]
        return self.say(max(able, key=lambda a: (s.g.sdm_sp[a[2]], a)), "for full strength") if able else None

    @on(Combat.german_air)
    def air(self, s: Situation, p: Combat, found: Options) -> Action | None:
        return self.say(("air_support",), "aircraft are at hand")

    @on(Combat.fire, Combat.answer)
    def guns(self, s: Situation, p: Combat, found: Options) -> Action | None:
        g, attack = s.g, s.side == p.side
        able = [a for a in found if a[0] == "fire"]
        if not able or (attack and self._column(s, p) + p.points // 4 >= GUNS_HELP):
            return PASS
        return self.say(max(able, key=lambda a: (barrage_strength(g, a[1], attack), -a[1])), "guns shift the odds")

    def _column(self, s: Situation, p: Combat) -> int:
        b = p.battle()
        return first_column(s.g, attack_strength(s.g, b).total, defence_strength(s.g, b).total)

    @on(Combat.engineers)
    def engineers(self, s: Situation, p: Combat, found: Options) -> Action | None:
        able = [a for a in found if a[0] == "assault"]
        return self.say(able[0], "engineers lead the attack") if able else None

    @on(Combat.stand)
    def stand(self, s: Situation, p: Combat, found: Options) -> Action | None:
        """A place that matters is held while the odds are not hopeless."""
        column = self._column(s, p)
        for a in found:
            if a[0] == "no_retreat":
                worth = s.prize(a[1]) + s.w.clear * (not self._has_way_out(s, a[1])) * 3
                if worth >= s.w.stand and column < TOO_MUCH:
                    return self.say(a, f"{s.g.place_words(a[1])} is to be held")
        return self.say(PASS, "they may give ground")

    def _has_way_out(self, s: Situation, h: Hex) -> bool:
        bad = zone_of(s.g, s.enemy) | s.g.hexes_of(s.enemy)
        return any(s.g.playable >> n & 1 and not bad >> n & 1 for n in s.g.map.grid.around[h])

    @on(Combat.leave_out)
    def leave_out(self, s: Situation, p: Combat, found: Options) -> Action | None:
        return min(found, key=lambda a: (strength(s.g, a[1]), a[1]))

    @on(Combat.spread_d)
    def spread(self, s: Situation, p: Combat, found: Options) -> Action | None:
        return min(found, key=lambda a: (s.power(s.g.of_side(a[1], s.side)), a[1]))

    # --- 12.12 losses, retreats, advances ----------------------------------------------------------------------------

    @on(Loss.pick, Overstacked.lose)
    def lose(self, s: Situation, p: Loss | Overstacked, found: Options) -> Action | None:
        g = s.g

        def price(a: Action) -> tuple[float, int, Unit]:
            u = a[1]
            last = 0.6 if g.steps[u] <= 1 and g.forces.counters[u].chit else 0.0
            return step_worth(g, s.w, u) + last, -g.steps[u], u

        return self.say(min(found, key=price), "the cheapest step")

    @on(Retreat.where)
    def retreat(self, s: Situation, p: Retreat, found: Options) -> Action | None:
        mine = p.owner == s.side

        def value(a: Action) -> float:
            good = self._refuge(s, p.owner, a[1], a[2][-1])
            return good if mine else -good

        best = max(found, key=lambda a: (value(a), [-x for x in a[2]], -a[1]))
        return self.say(best, "back to friends" if mine else "where it hurts")

    def _refuge(self, s: Situation, owner: Side, u: Unit, h: Hex) -> float:
        """How good a hex is to retreat to."""
        g = s.g
        zone = zone_of(g, 1 - owner)
        found = -2.0 * (zone >> h & 1) - 0.5 * max(0, len(g.of_side(h, owner)) - 1)
        around = g.map.grid.around[h]
        found += 0.3 * sum(bool(g.of_side(n, owner)) for n in around) - 0.3 * sum(
            g.enemies_in(n, owner) for n in around
        )
        near = [g.map.grid.distance(h, g.sdm_at[x]) for x in g.sdms(owner)]
        return found - 0.1 * min(near, default=0)

    @on(Advance.pick)
    def advance(self, s: Situation, p: Advance, found: Options) -> Action | None:
        g = s.g
        best, most = PASS, 0.0
        for a in found:
            if a[0] != "advance" or a[1] in self._wall:
                continue
            u, h = a[1], a[2][-1]
            value = self._gain(s, u, h) + 0.2 * (strength(g, u) / 4)
            if value > most:
                best, most = a, value
        return self.say(best, "the ground is taken" if best != PASS else "they stay where they are")

    def _gain(self, s: Situation, u: Unit, h: Hex) -> float:
        """What it is worth that a unit goes into a hex after a fight."""
        g, w = s.g, s.w
        task = s.task(u)
        found = s.nearer(u, g.place[u], h) * w.progress if task.attack else -0.5
        found += s.prize(h) * 2 * (g.control[h] != s.side)
        mine = s.power([*g.of_side(h, s.side), u])
        careful = w.exposed_in_attack if task.attack else 1.0
        found -= w.exposed * careful * max(0.0, s.beside.get(h, 0.0) - 1.5 * mine)
        alone = not any(v != u for v in g.of_side(g.place[u], s.side))
        return found - (w.leave_place * s.places.get(g.place[u], 0) if alone else 0.0)

    @on(Breakthrough.pick)
    def exploit(self, s: Situation, p: Breakthrough, found: Options) -> Action | None:
        best, most = PASS, 0.1
        for a in found:
            if a[0] == "break" and a[1] not in self._wall:
                value = self._gain(s, a[1], a[2])
            elif a[0] == "attack":
                attack = best_stacks(s, BREAKTHROUGH_SEGMENT, a[1], set())
                value = attack.value if attack is not None else 0.0
            else:
                continue
            if value > most:
                best, most = a, value
        return self.say(best, "the breakthrough goes on" if best != PASS else "far enough")

    @on(NightWithdrawal.pick)
    def withdraw(self, s: Situation, p: NightWithdrawal, found: Options) -> Action | None:
        g = s.g
        for a in found:
            if a[0] == "withdraw":
                here = g.place[a[1]]
                others = [v for v in g.of_side(here, s.side) if v != a[1]]
                if others and s.beside.get(here, 0.0) > 3 * s.power(g.of_side(here, s.side)):
                    return self.say(a, "the tanks are too exposed")
        return self.say(PASS, "the tanks stay")

    # --- 9.11 interception -------------------------------------------------------------------------------------------

    @on(Interception.declare)
    def intercept(self, s: Situation, p: Interception, found: Options) -> Action | None:
        g = s.g
        able = [a for a in found if a[0] == "intercept"]
        if not able:
            return None
        best = max(able, key=lambda a: (intercept_dots(g, a[1]), -a[1]))
        theirs = max((white_dots(g, u) for u in p.armor(g)), default=0)
        if intercept_dots(g, best[1]) + 1 < theirs:
            return self.say(PASS, "their tanks are better")
        return self.say(best, "they show their flank")

    @on(Interception.answer)
    def return_fire(self, s: Situation, p: Interception, found: Options) -> Action | None:
        good = white_dots(s.g, p.aim) >= 3
        return self.say(("return_fire",), "our tanks are better") if good else self.say(PASS, "on, whatever comes")
