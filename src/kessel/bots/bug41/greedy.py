"""The player: for every question of the game one way to answer it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from kessel.bots.bug41.advice import BugAdviser
from kessel.bots.bug41.goals import Goals, places
from kessel.bots.bug41.lending import gain
from kessel.bots.bug41.marches import Marches
from kessel.bots.bug41.plans import Plan, Planner
from kessel.bots.bug41.weights import BY_PLACES, WEIGHTS, Weights
from kessel.bots.program import Program, on
from kessel.bots.purpose import Weighed, listed, place_words
from kessel.bots.weights import Changes
from kessel.core.forces import NO_UNIT, Side, Unit
from kessel.core.hexes import Hex
from kessel.core.procedure import PASS, Action, Options
from kessel.games.bug41.board import Board, Formation
from kessel.games.bug41.combat.attack import Attack, Losses
from kessel.games.bug41.combat.checks import chance_to_pass, is_surprised
from kessel.games.bug41.combat.retreat import Retreat, is_costly
from kessel.games.bug41.data.forces import SIDES
from kessel.games.bug41.movement.displacement import Displacement
from kessel.games.bug41.movement.move import Move
from kessel.games.bug41.movement.relocation import relocation_price
from kessel.games.bug41.movement.zones import is_in_zone_of, near_units
from kessel.games.bug41.supply.command import command_of
from kessel.games.bug41.supply.paths import rings_of
from kessel.games.bug41.turn.actions import Preparation, price_of
from kessel.games.bug41.turn.activation import Activation, Reaction
from kessel.games.bug41.turn.initiative import Operations, SurpriseAttack
from kessel.games.bug41.turn.reinforcements import Arrivals, Reassignment, Reorganization, Replacements
from kessel.wargame.board import other

LIKELY_VILLAGES = 5
"""Places an HQ thinks of, those nearest to its units."""
LIKELY_POINTS = 4
"""Action Points an activation may hope for."""
THROUGH = "through the enemy's lines"
RED_POINTS = 2
"""Action Points a Reaction may hope for."""


@dataclass(slots=True)
class Situation:
    g: Board
    side: Side
    w: Weights


class Greedy(Program[Situation]):
    numbers = Weights
    adviser = BugAdviser()
    planner = Planner

    def __init__(self, seed: int = 0, changes: Changes | None = None) -> None:
        super().__init__(seed, changes)
        self._goals: dict[Side, Goals] = {}
        self._plan: Plan | None = None
        self.planned: Plan | None = None
        """The whole plan, of which `_plan` is what is left to do."""
        self._going: Hex = -1
        self._through: dict[tuple[Unit, ...], Hex] = {}
        """Hexes stacks may infiltrate to."""
        self._is_through = False
        """Whether the move just chosen is to infiltrate."""
        self._stayed: set[tuple[int, int, tuple[Unit, ...], Hex]] = set()
        """Stacks that were to move and found no good way: turn, level, units, hex."""
        self._idle: dict[Formation, int] = {}
        """Formations that had nothing to do, and where the enemy stood then."""

    def look(self, g: Any, side: int) -> Situation:
        w = self.tuned((WEIGHTS if g.scenario.victory.losses else BY_PLACES)[side])
        if side not in self._goals:
            self._goals[side] = Goals(side, w)
        return Situation(g, side, w)

    def goals(self, s: Situation) -> Goals:
        return self._goals[s.side]

    def marches(self, s: Situation, f: Formation) -> Marches:
        return Marches(s.g, s.w, self._goals[s.side], f)

    # --- which formation ---------------------------------------------------------------------------------------------

    def _seen(self, s: Situation) -> int:
        """What makes an idle formation look again: where the enemy stands, and the turn."""
        return hash((s.g.turn, s.g.hexes_with_combat_units(other(s.side))))

    @on(SurpriseAttack.choose)
    def surprise(self, s: Situation, p: SurpriseAttack, found: Options) -> Action | None:
        words = [a for a in found if a[0] == "activate"]
        return self.say(words[0], "by surprise") if words else PASS

    @on(Operations.choose)
    def activate(self, s: Situation, p: Operations, found: Options) -> Action | None:
        g = s.g
        best, most = PASS, 0.0
        weighed = [Weighed(0.0, "keep the levels for the next turn", PASS)]
        self.weighed = lambda: weighed
        for a in found:
            if a[0] != "activate":
                continue
            f = g.forces.commands.index(a[1])
            if self._idle.get(f) == self._seen(s):
                continue
            spare = g.levels[f] - self._reserve(s, f)
            if spare <= 0:
                continue
            plan = self.planner(g, s.w, f, LIKELY_POINTS, 0, self.marches(s, f)).best(moving=False)
            value = s.w.spare_level * spare + plan.rate
            weighed.append(Weighed(value, f"activate {a[1]}", a))
            if value > most:
                best, most = a, value
        if best != PASS:
            goal = self._goals[s.side].of(g, g.forces.commands.index(best[1]))
            return self.say(best, f"{g.formation_name(g.forces.commands.index(best[1]))} {goal.words}")
        return self.say(PASS, "levels are kept for the next turn")

    def _reserve(self, s: Situation, f: Formation) -> float:
        """Levels that recovery would not give back; on the last turn nothing is kept."""
        g = s.g
        if g.turn >= g.scenario.last_turn:
            return 0
        most = g.forces.reaction[g.hq_of(f)]
        gain = g.charts.recovery_of(SIDES[s.side], most, g.track("interdiction"))
        guards = self._goals[s.side].of(g, f).guard
        return min(most - gain - s.w.ahead, s.w.kept_by_guards if guards else s.w.kept_in_attack)

    # --- Actions -----------------------------------------------------------------------------------------------------

    @on(Activation.act)
    def act(self, s: Situation, p: Activation, found: Options) -> Action | None:
        g, self._is_through = s.g, False
        if not p.points:
            return self.say(PASS, "no Action Points are left")
        marches = self.marches(s, p.formation)
        if (action := self._go_on(s, p, found)) is not None:
            return action
        stayed = {units for units in self._stacks(s, p.formation) if self._key(s, units) in self._stayed}
        plan = self.planner(g, s.w, p.formation, p.points, p.boats, marches, stayed).best()
        best, action, reason = s.w.least_march, PASS, "nothing better to do"
        others = self._others(s, p, marches, found)
        for value, a, why in others:
            if value > best:
                best, action, reason = value, a, why
        whole = replace(plan)
        self.weighed = lambda: self._weighed(s, whole, others)
        if plan.rate > max(s.w.least_attack, best):
            self._plan, self.planned = plan, whole
            if (first := self._go_on(s, p, found)) is not None:
                return first
        self._plan = self.planned = None
        self._is_through = reason == THROUGH
        if action == PASS:
            self._idle[p.formation] = self._seen(s)
        return self.say(action, reason)

    def _weighed(self, s: Situation, plan: Plan, others: list[tuple[float, Action, str]]) -> list[Weighed]:
        g = s.g
        found = [Weighed(0.0, "end the activation", PASS)]
        if plan.units:
            first = ("move", plan.moves[0][0]) if plan.moves else (plan.kind, plan.target, plan.units)
            found.append(Weighed(plan.rate, f"a {plan.kind} attack on {place_words(g, plan.target)}", first))
        for value, a, why in others:
            about = listed([g.name(u) for u in a[1]]) if a[0] == "move" else place_words(g, a[1])
            found.append(Weighed(value, f"{a[0]} {about}" if a[0] == "move" else f"{a[0]} {about}, {why}", a))
        best = {w.action: w for w in sorted(found)}
        return list(best.values())

    def _key(self, s: Situation, units: tuple[Unit, ...]) -> tuple[int, int, tuple[Unit, ...], Hex]:
        g = s.g
        return g.turn, g.levels[g.command[units[0]]], units, g.place[units[0]]

    def _stacks(self, s: Situation, f: Formation) -> list[tuple[Unit, ...]]:
        """The stacks that have stayed in this activation, as they stand."""
        return [units for _, _, units, _ in self._stayed if s.g.command[units[0]] == f]

    def _go_on(self, s: Situation, p: Activation, found: Options) -> Action | None:
        """The next step of the plan."""
        plan, g = self._plan, s.g
        if plan is None or any(not g.on_map(u) or g.command[u] != p.formation for u in plan.units):
            self._plan = None
            return None
        if plan.moves:
            (units, h), plan.moves = plan.moves[0], plan.moves[1:]
            action: Action = ("move", units)
            if found.allows(action):
                self._going = h
                return self.say(action, f"to attack {g.hex_name(plan.target)}")
            self._plan = None
            return None
        self._plan = None
        action = (plan.kind, plan.target, plan.units)
        return self.say(action, f"a gain of {plan.rate:.1f} for each AP") if found.allows(action) else None

    def _others(self, s: Situation, p: Activation, marches: Marches, found: Options) -> list[tuple[float, Action, str]]:
        """Everything but attacks: what it is worth for each Action Point."""
        g, f = s.g, p.formation
        values: list[tuple[float, Action, str]] = []
        whole: dict[Hex, tuple[Unit, ...]] = {}
        villages: list[Action] = []
        for a in found:
            if a[0] == "move":
                h = g.place[a[1][0]]
                if len(a[1]) > len(whole.get(h, ())):
                    whole[h] = a[1]
            elif a[0] == "refit":
                values.append((self._refit(s, f, a[1]), a, "to fight again"))
            elif a[0] == "improve":
                values.append((self._improve(s, f, a[1]), a, "the enemy is near"))
            elif a[0] == "relocate":
                villages.append(a)
        mine = [g.place[u] for u in g.of_formation(f)]
        villages.sort(key=lambda a: sum(g.map.grid.distance(a[1], h) for h in mine))
        for a in villages[:LIKELY_VILLAGES]:
            price = relocation_price(g, g.hq_of(f), a[1])
            values.append((self._relocate(s, f, a[1]) / price, a, "the HQ follows its units"))
        for units in (some for stack in whole.values() for some in self.parts(s, stack)):
            if self._key(s, units) in self._stayed:
                continue
            value, h = marches.quick(units, p.boats)
            price = price_of(g, "movement", units)
            if h >= 0:
                values.append((value / price, ("move", units), f"{g.formation_name(f)} {marches.words(units)}"))
            value, h = marches.through(units)
            if h >= 0:
                values.append((value / price, ("move", units), THROUGH))
                self._through[units] = h
        return values

    def parts(self, s: Situation, stack: tuple[Unit, ...]) -> list[tuple[Unit, ...]]:
        """How a stack may be split for a march."""
        return parts_of(s.g, stack)

    def _refit(self, s: Situation, f: Formation, h: Hex) -> float:
        g = s.g
        units = [u for u in g.of_formation(f, h) if g.is_disrupted(u)]
        gain = sum(float(chance_to_pass(g, u, shelter=True)) * (s.w.refit_unit + s.w.refit * g.steps[u]) for u in units)
        return gain / price_of(g, "refit", units)

    def _improve(self, s: Situation, f: Formation, h: Hex) -> float:
        g, enemy = s.g, other(s.side)
        if not near_units(g, enemy) >> h & 1:
            return 0.0
        fronts = [n for n in g.map.grid.around[h] if g.enemies_in(n, s.side)]
        most = 0
        for n in fronts:
            near = [x for x in g.map.grid.around[n] if x != h]
            most = max(most, sum(any(is_in_zone_of(g, u, n) for u in g.combat_units(x)) for x in near))
        keen = 1.0 if self._goals[s.side].of(g, f).guard else s.w.improve_in_attack
        return s.w.improve * keen * most / price_of(g, "improved_defense", g.of_formation(f, h))

    def _relocate(self, s: Situation, f: Formation, h: Hex) -> float:
        """Units brought into command and hexes nearer to them, less the danger there."""
        g, hq = s.g, g_hq(s.g, f)
        here, most = g.place[hq], g.forces.range[hq]
        rings = rings_of(g, h, s.side, False)
        reach = 0
        for ring in rings[: most + 1]:
            reach |= ring
        gain = 0.0
        for u in g.of_formation(f):
            now, then = command_of(g, u) == 0, bool(reach >> g.place[u] & 1)
            gain += s.w.command * (then - now)
            gain += 0.05 * (g.map.grid.distance(here, g.place[u]) - g.map.grid.distance(h, g.place[u]))
        enemy = near_units(g, other(s.side))
        gain -= s.w.danger * (enemy >> h & 1) * (1 if g.combat_units(h) else 3)
        return gain + s.w.danger * (enemy >> here & 1) * (1 if g.combat_units(here) else 3)

    # --- moves -------------------------------------------------------------------------------------------------------

    @on(Move.choose)
    def go(self, s: Situation, p: Move, found: Options) -> Action | None:
        through = self._through.pop(p.units, -1) if self._is_through else -1
        if through >= 0 and found.allows(("infiltrate", through)):
            return self.say(("infiltrate", through), THROUGH)
        going, self._going = self._going, -1
        if going >= 0 and found.allows(("to", going)):
            return self.say(("to", going), "to attack from there")
        hexes = [a[1] for a in found if a[0] == "to"]
        h = self.marches(s, p.formation).best(p.units, hexes)[1]
        if h >= 0:
            return self.say(("to", h), "nearer to the objective")
        self._plan = None
        self._stayed.add(self._key(s, p.units))
        for word in ("halt", "stay"):
            if found.allows((word,)):
                return self.say((word,), "no good way on")
        return None

    @on(Preparation.decide)
    def decide(self, s: Situation, p: Preparation, found: Options) -> Action | None:
        return ("go_on",)

    # --- Reactions ---------------------------------------------------------------------------------------------------

    @on(Reaction.choose)
    def react(self, s: Situation, p: Reaction, found: Options) -> Action | None:
        g = s.g
        best, most = PASS, s.w.least_reaction
        for a in found:
            if a[0] != "react":
                continue
            f = g.forces.commands.index(a[1])
            added = g.numbers.checks.surprise if is_surprised(g, s.side) else 0
            chance = min(max(g.forces.reaction[g.hq_of(f)] - added, 0), 10) / 10
            plan = self.planner(g, s.w, f, RED_POINTS, 0, self.marches(s, f)).best(moving=False)
            spare = g.levels[f] > self._reserve(s, f) + 1
            if chance and plan.rate + 0.3 * spare > most:
                best, most = a, plan.rate + 0.3 * spare
        return self.say(best, "a good attack offers itself" if best != PASS else "no good attack offers itself")

    # --- combat ------------------------------------------------------------------------------------------------------

    @on(Losses.choose)
    def lose(self, s: Situation, p: Losses, found: Options) -> Action | None:
        g = s.g
        units: list[Unit] = [a[1] for a in found]
        return ("lose", max(units, key=lambda u: (g.steps[u] > 1, not g.forces.afv[u], g.steps[u], -u)))

    @on(Retreat.choose)
    def retreat(self, s: Situation, p: Retreat, found: Options) -> Action | None:
        g = s.g
        attack = next(q for q in reversed(g.stack) if isinstance(q, Attack))
        stands = 0.0 if p.forced else self._stand(s, attack)
        best, most = PASS, stands
        for a in found:
            if a[0] != "retreat":
                continue
            path: tuple[Hex, ...] = a[1]
            saved = min(len(path), attack.hits_on_defender) * s.w.own_strength
            lost = sum(is_costly(g, s.side, h) for h in path) * len(p.units) * s.w.own_strength
            end = path[-1]
            cover = s.w.cover * (g.ground.rows[end].name not in ("clear", "marsh"))
            near = 0.5 * (near_units(g, other(s.side)) >> end & 1)
            value = saved - lost + cover - near - s.w.retreat * len(path) + (1000 if p.forced else 0)
            if value > most:
                best, most = a, value
        return self.say(best, "to save strength" if best != PASS else "the hex is worth it")

    def _stand(self, s: Situation, attack: Attack) -> float:
        """What it is worth to stay in the hex attacked, hits or no hits."""
        g, h = s.g, attack.target
        left = sum(g.steps[u] for u in g.combat_units(h))
        if left <= attack.hits_on_defender:
            return -5.0
        strong = g.ground.rows[h].name not in ("clear", "marsh") or g.ground.pillboxes >> h & 1
        return places(g).get(h, 0) * s.w.victory_point + (1.5 if strong else 0.7)

    @on(Attack.advance)
    def advance(self, s: Situation, p: Attack, found: Options) -> Action | None:
        marches = self.marches(s, p.formation)
        best, most = PASS, -0.5
        for a in found:
            if a[0] == "advance":
                value = marches.value(a[1], p.target) + 0.01 * len(a[1])
                if value > most:
                    best, most = a, value
        return self.say(best, "into the hex won" if best != PASS else "better to stay")

    @on(Displacement.choose)
    def displace(self, s: Situation, p: Displacement, found: Options) -> Action | None:
        enemy = near_units(s.g, other(s.side))
        return min(found, key=lambda a: (enemy >> a[2] & 1, a[1:]))

    # --- reinforcement -----------------------------------------------------------------------------------------------

    @on(Arrivals.choose)
    def arrive(self, s: Situation, p: Arrivals, found: Options) -> Action | None:
        g = s.g

        def score(a: Action) -> tuple[float, int, int]:
            u, h = a[1], a[2]
            m = self.marches(s, g.command[u])
            return m.far((u,), h) + 2 * len(g.combat_units(h)), u, h

        return self.say(min(found, key=score), "to the front")

    @on(Replacements.choose)
    def rebuild(self, s: Situation, p: Replacements, found: Options) -> Action | None:
        g = s.g
        units = [a[1] for a in found if a[0] == "rebuild"]
        if not units:
            return PASS
        return ("rebuild", min(units, key=lambda u: (not g.forces.afv[u], g.steps[u], u)))

    @on(Reorganization.choose)
    def fill(self, s: Situation, p: Reorganization, found: Options) -> Action | None:
        """Remnants that would only die are used up."""
        g = s.g
        for a in found:
            if a[0] == "fill":
                u, v = a[1], a[2][0]
                if g.steps[v] <= 2 and g.steps[u] + g.steps[v] <= g.forces.full_steps[u] and g.steps[u] >= g.steps[v]:
                    return self.say(a, f"{g.name(v)} is a remnant")
        return PASS

    @on(Reassignment.choose)
    def attach(self, s: Situation, p: Reassignment, found: Options) -> Action | None:
        """Units go to whoever commands them and stands around them."""
        g, best, most = s.g, PASS, s.w.least_lending
        for a in found:
            if a[0] == "attach":
                value = gain(g, s.w, a[1], g.forces.commands.index(a[2]))
                if value > most:
                    best, most = a, value
        return self.say(best, "it stands among them" if best != PASS else "all are where they belong")


def g_hq(g: Board, f: Formation) -> Unit:
    hq = g.hq_of(f)
    assert hq != NO_UNIT
    return hq


def parts_of(g: Board, stack: tuple[Unit, ...]) -> list[tuple[Unit, ...]]:
    """A stack as a whole, and its leg and motorized units by themselves: guns do not cross a river in boats."""
    leg = tuple(u for u in stack if not g.forces.motorized[u])
    wheels = tuple(u for u in stack if g.forces.motorized[u])
    return [stack, leg, wheels] if leg and wheels else [stack]
