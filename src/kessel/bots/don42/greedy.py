"""The player: for every question of the game one way to answer it."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

from kessel.bots.don42 import fights
from kessel.bots.don42.advice import HeronAdviser
from kessel.bots.don42.moves import Mover, entering_order, guards, leading, moving_order
from kessel.bots.don42.plans import (
    distances,
    enemies_near,
    goals_of,
    objective_value,
    to_the_volga,
    worth,
)
from kessel.bots.don42.weights import SPEARHEAD, WEIGHTS, Weights
from kessel.bots.program import Program, on
from kessel.bots.purpose import Weighed, listed, place_words
from kessel.bots.weights import Changes
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Hex
from kessel.core.procedure import PASS, Action, Options
from kessel.games.don42.board import G_MOTORIZED, G_MOVEMENT, Board
from kessel.games.don42.combat.advance import Advance
from kessel.games.don42.combat.air import AirPhase, AirStrike
from kessel.games.don42.combat.bombardment import Barrage, BombardmentPhase
from kessel.games.don42.combat.combat import Combat, CombatPhase
from kessel.games.don42.combat.results import Results
from kessel.games.don42.combat.retreat import Settle, Withdraw, retreat_paths
from kessel.games.don42.data.forces import GERMAN
from kessel.games.don42.movement.defensive_positions import PositionPhase
from kessel.games.don42.movement.movement import Move, reach_of
from kessel.games.don42.movement.movement_phase import MovementPhase
from kessel.games.don42.movement.reinforcements import Enter
from kessel.games.don42.movement.stacking import Overstacked
from kessel.games.don42.movement.withdrawal import must_leave, nearest_exit, way_out
from kessel.games.don42.supply.activation import ActivationPhase
from kessel.games.don42.supply.airlift import SpendPoints, takers
from kessel.games.don42.supply.headquarters import AssignOrphans
from kessel.games.don42.turn.setup import SetUp

AUTOMATIC: Action = ("automatic",)
HALT: Action = ("halt",)
GIVE_WAY: Action = ("give_way",)
ENOUGH_POINTS = 16
"""Supply Points a cut-off HQ should have in store."""


class Seat(NamedTuple):
    """The board as the program sees it, and the side it plays."""

    g: Board
    side: Side


class Greedy(Program[Seat]):
    numbers = Weights
    adviser = HeronAdviser()
    base: ClassVar[tuple[Weights, Weights]] = WEIGHTS
    """The numbers of the German and of the Soviet before any change."""
    moves: ClassVar[type[Mover]] = Mover
    """Where units go."""

    def __init__(self, seed: int = 0, changes: Changes | None = None) -> None:
        super().__init__(seed, changes)
        self.random = random.Random(seed)
        self.mover = self.moves(self.weights)
        self._phase = (0, 0)
        self._attack: fights.Plan | None = None

    def look(self, g: Any, side: int) -> Seat:
        if (g.turn, g.phase) != self._phase:
            self._phase, self.mover = (g.turn, g.phase), self.moves(self.weights)
        return Seat(g, side)

    def weights(self, g: Board, u: Unit) -> Weights:
        """Those of the corps or army a unit belongs to."""
        return self.tuned(self.base[g.forces.side[u]], g.command_name(u))

    # --- set-up, air, positions, activation ---------------------------------------------------------------------------

    @on(SetUp.german_units, SetUp.soviet_units, SetUp.pontoon_sites, SetUp.fortifications)
    def set_up(self, seat: Seat, p: Any, found: Options) -> Action:
        return AUTOMATIC

    @on(AirPhase.missions)
    def fly(self, seat: Seat, p: Any, found: Options) -> Action:
        g, side = seat
        if side == GERMAN:
            poor = [hq for hq in takers(g) if g.sp[hq] + g.fuel[hq] + g.ammo[hq] < ENOUGH_POINTS]
            lifts = [a for a in found if a[0].startswith("airlift") and a[1] in poor]
            lifts = [a for a in lifts if g.forces.type[a[2][0]] == "transport"] or lifts
            if lifts:
                return self.say(self.random.choice(lifts), "the corps is cut off")
            return PASS
        bridges = [a for a in found if a[0] == "bomb_bridge"]
        if bridges and g.track("air_left") >= 3 and not self._anything_to_support(g, side):
            return self.say(self.random.choice(bridges), "a bridge over the Don carries all their supply")
        return PASS

    def _anything_to_support(self, g: Board, side: int) -> bool:
        return any(
            g.forces.side[u] == side and g.attack_value(u) >= 3
            for h in g.map.grid.hexes
            if g.enemies_in(h, side)
            for n in g.map.grid.around[h]
            for u in g.units(n)
        )

    @on(AirStrike.send)
    def send_planes(self, seat: Seat, p: Any, found: Options) -> Action:
        planes = [a for a in found if a[0] == "plane"]
        return planes[0] if planes and len(p.planes) < 3 else ("strike",)

    @on(PositionPhase.build)
    def build(self, seat: Seat, p: Any, found: Options) -> Action:
        g, side = seat
        for a in found:
            if a[0] == "repair":
                return a
        joining = [a for a in found if a[0] == "pontoon" and self._joins(g, a[1])]
        if joining:
            return self.say(joining[0], "a bridge where roads meet")
        near = [a for a in found if a[0] == "entrench" and enemies_near(g, side, a[1], 2)]
        if near:
            return self.say(
                max(near, key=lambda a: (sum(worth(g, u) for u in g.units(a[1])), -a[1])), "the enemy is near"
            )
        return PASS

    def _joins(self, g: Board, side: int) -> bool:
        h, d = divmod(side, 6)
        return bool(g.ground.on_road >> h & g.ground.on_road >> g.map.grid.neighbours[h][d] & 1)

    @on(ActivationPhase.choose)
    def activate(self, seat: Seat, p: Any, found: Options) -> Action:
        g, side = seat
        names = [a for a in found if a[0] == "activate"]
        if not names:
            return PASS

        def use(a: Action) -> float:
            index = g.command_index(a[1])
            near = 0.0
            for u in g.forces.ground[side]:
                if g.command[u] == index and g.on_map(u):
                    near += worth(g, u) if enemies_near(g, side, g.place[u], 4) else 0.2
            return near

        best = max(names, key=lambda a: (use(a), a[1]))
        return self.say(best, "its units are nearest to the enemy")

    @on(AssignOrphans.choose_army)
    def assign(self, seat: Seat, p: Any, found: Options) -> Action:
        return next(iter(found))

    # --- movement -----------------------------------------------------------------------------------------------------

    @on(MovementPhase.move)
    def choose_mover(self, seat: Seat, p: Any, found: Options) -> Action:
        g = seat.g
        entering: list[Unit] = [a[1] for a in found if a[0] == "enter"]
        if entering:
            return ("enter", entering_order(g, entering)[0])
        moving: list[Unit] = [a[1] for a in found if a[0] == "move"]
        return ("move", moving_order(g, moving)[0]) if moving else PASS

    @on(Move.go)
    def move(self, seat: Seat, p: Any, found: Options) -> Action:
        g = seat.g
        if found.allows(("leave",)):
            return self.say(("leave",), "it is under orders to leave the map")
        if must_leave(g, p.unit) and not found.allows(HALT):
            way = way_out(g, p.unit, reach_of(g, p.unit, p.left, p.first), p.left)
            return self.say(("to", nearest_exit(g, p.unit, way or 0)), "it is under orders to leave the map")
        going = dict(self.mover.going)
        h = self.mover.destination(g, p.unit, p.left, p.first)
        action = HALT if h is None else ("to", h)
        self.weighed = lambda: self._goals_weighed(g, p.unit, action, going)
        if h is None:
            return self.say(HALT, f"{g.name(p.unit)} is needed where it is")
        return self.say(action, f"{g.name(p.unit)} goes where it is needed")

    def _goals_weighed(self, g: Board, u: Unit, action: Action, going: Mapping[Hex, int]) -> list[Weighed]:
        """What a fighting unit could go for; the action stands for the goal it was chosen for."""
        w = self.weights(g, u)
        if g.forces.hq[u] or g.forces.gun[u] or guards(g, u, w):
            return []
        here, goals = g.place[u], goals_of(g, u, w)
        worth = {h: self.mover.promise(g, here, h, vp, w, going) for h, vp in goals.items()}
        best = max(worth, key=lambda h: (worth[h], h), default=None)
        return [
            Weighed(v, f"go for {place_words(g, h)}", action if h == best else ("goal", h)) for h, v in worth.items()
        ]

    @on(Enter.enter)
    def enter(self, seat: Seat, p: Any, found: Options) -> Action:
        g = seat.g
        at = [a for a in found if a[0] == "at"]
        goals = goals_of(g, p.unit, self.weights(g, p.unit))
        if not at or not goals:
            return at[0] if at else HALT

        def score(a: Action) -> float:
            near = max(v / (6 + distances(g, goal)[a[1]]) for goal, v in goals.items())
            return near - 0.01 * g.queue[a[1]]

        return max(at, key=lambda a: (score(a), -a[1]))

    @on(Overstacked.eliminate_excess)
    def eliminate(self, seat: Seat, p: Any, found: Options) -> Action:
        g = seat.g
        return ("eliminate", fights.least_worth(g, [a[1] for a in found]))

    @on(SpendPoints.supply_unit)
    def spend(self, seat: Seat, p: Any, found: Options) -> Action:
        g, side = seat
        units = [a[1] for a in found if a[0] == "supply"]
        if g.phase in (G_MOVEMENT, G_MOTORIZED):
            van = [u for u in units if g.forces.division[u] == SPEARHEAD and not g.forces.hq[u]]
            ahead = leading(g, van) if to_the_volga(g) else []
            return self.say(("supply", ahead[0]) if ahead else PASS, "fuel for the drive to the Volga")
        ready = [u for u in units if g.attack_value(u) >= 3 and enemies_near(g, side, g.place[u], 1)]
        return ("supply", max(ready, key=lambda u: (g.attack_value(u), -u))) if ready else PASS

    # --- bombardment and combat ---------------------------------------------------------------------------------------

    @on(BombardmentPhase.choose_target)
    def choose_target(self, seat: Seat, p: Any, found: Options) -> Action:
        g, side = seat
        hexes = [a for a in found if a[0] == "shell"]
        if not hexes:
            return PASS

        def score(a: Action) -> float:
            beside = sum(
                g.attack_value(u) for n in g.map.grid.around[a[1]] for u in g.units(n) if g.forces.side[u] == side
            )
            return beside + objective_value(g, a[1], side)

        return max(hexes, key=lambda a: (score(a), -a[1]))

    @on(Barrage.add_gun)
    def add_gun(self, seat: Seat, p: Any, found: Options) -> Action:
        guns = [a for a in found if a[0] == "gun"]
        return guns[0] if guns else ("fire",)

    @on(CombatPhase.attack)
    def attack(self, seat: Seat, p: Any, found: Options) -> Action:
        g, side = seat
        return self.carry_out(g, fights.attacks_on(g, self.weights, side, [a[1] for a in found if a[0] == "attack"]))

    def carry_out(self, g: Board, plans: list[fights.Plan]) -> Action:
        """Make the best of these attacks, or stop."""
        self._attack = fights.best_attack(plans)
        self.weighed = lambda: self._attacks_weighed(g, plans)
        if self._attack is None:
            return self.say(PASS, "no attack promises enough" if plans else "there is nobody to attack")
        return self.say(("attack", self._attack.target), f"an expected gain of {self._attack.gain:.1f}")

    def _attacks_weighed(self, g: Board, plans: list[fights.Plan]) -> list[Weighed]:
        stop = Weighed(0.0, "stop attacking", PASS)
        return [stop] + [
            Weighed(
                p.gain,
                f"attack {place_words(g, p.target)} with {listed([g.name(u) for u in p.attackers])}",
                ("attack", p.target),
                f"below the {p.enough:.1f} it must promise" if p.gain < p.enough else "",
            )
            for p in plans
        ]

    def _plan(self, g: Board, p: Any) -> fights.Plan | None:
        if self._attack is None or self._attack.target != p.target:
            self._attack = fights.plan_attack(g, self.weights, p.side, p.target)
        return self._attack

    @on(Combat.choose_attackers)
    def choose_attackers(self, seat: Seat, p: Any, found: Options) -> Action | None:
        g = seat.g
        plan = self._plan(g, p)
        missing = [u for u in plan.attackers if u not in p.attackers] if plan else []
        return ("with", missing[0]) if missing else ("assault",) if found.allows(("assault",)) else None

    @on(Combat.artillery)
    def add_artillery(self, seat: Seat, p: Any, found: Options) -> Action:
        g = seat.g
        plan = self._plan(g, p)
        missing = [u for u in plan.guns if u not in p.guns and found.allows(("gun", u))] if plan else []
        return ("gun", missing[0]) if missing else PASS

    @on(Combat.air_support)
    def add_planes(self, seat: Seat, p: Any, found: Options) -> Action:
        g = seat.g
        plan = self._plan(g, p)
        planes = [a for a in found if a[0] == "plane"]
        return planes[0] if plan and planes and len(p.planes) < plan.planes else PASS

    @on(Combat.defensive_artillery)
    def defend(self, seat: Seat, p: Any, found: Options) -> Action:
        guns = [a for a in found if a[0] == "gun"]
        return guns[0] if guns and len(p.defence_guns) < 2 else PASS

    @on(Results.attacker_loses, Results.defender_loses)
    def lose(self, seat: Seat, p: Any, found: Options) -> Action:
        g = seat.g
        return ("eliminate", fights.least_worth(g, [a[1] for a in found]))

    @on(Results.defender_answers)
    def answer(self, seat: Seat, p: Any, found: Options) -> Action:
        g, side = seat
        units = [a[1] for a in found if a[0] == "step_loss"]
        threats = sorted({g.place[u] for u in p.attackers if g.on_map(u)})
        paths = retreat_paths(g, side, p.target, p.advance, tuple(threats))
        if found.allows(GIVE_WAY) and fights.gives_way(g, side, p.target, units, paths):
            return GIVE_WAY
        spare = [u for u in units if g.steps[u] > 1]
        return ("step_loss", fights.least_worth(g, spare or units))

    @on(Results.attacker_answers)
    def give_way(self, seat: Seat, p: Any, found: Options) -> Action:
        return GIVE_WAY

    @on(Withdraw.retreat)
    def retreat(self, seat: Seat, p: Any, found: Options) -> Action:
        g, side = seat
        return ("retreat", fights.best_retreat(g, side, p.units, [a[1] for a in found]))

    @on(Settle.go_on_or_displace)
    def settle(self, seat: Seat, p: Any, found: Options) -> Action:
        onward = [a for a in found if a[0] == "continue"]
        return onward[0] if onward else next(iter(found))

    @on(Advance.advance)
    def advance(self, seat: Seat, p: Any, found: Options) -> Action:
        g, side = seat
        steps = [a for a in found if a[0] == "advance"]

        def score(a: Action) -> float:
            goals = goals_of(g, a[1], self.weights(g, a[1]))
            near = max((v / (6 + distances(g, goal)[a[2]]) for goal, v in goals.items()), default=0.0)
            stay = max((v / (6 + distances(g, goal)[g.place[a[1]]]) for goal, v in goals.items()), default=0.0)
            return near - stay + objective_value(g, a[2], side) + 0.05 * g.defence_value(a[1])

        best = max(steps, key=lambda a: (score(a), a[1]), default=None)
        return best if best is not None and score(best) > 0 else PASS
