"""The player: for every question of the game one way to answer it."""

from __future__ import annotations

import random
from typing import Any, cast

from kessel.bots.don42 import fights
from kessel.bots.don42.moves import Mover, entering_order, leading, moving_order
from kessel.bots.don42.plans import (
    SPEARHEAD,
    distances,
    enemies_near,
    goals_of,
    objective_value,
    to_the_volga,
    worth,
)
from kessel.core.board import Board as CoreBoard
from kessel.core.forces import Unit
from kessel.core.procedure import PASS, Action, options
from kessel.core.title import Title
from kessel.games.don42.board import G_MOTORIZED, G_MOVEMENT, Board
from kessel.games.don42.combat.retreat import retreat_paths
from kessel.games.don42.data.forces import GERMAN
from kessel.games.don42.supply.airlift import takers

AUTOMATIC: Action = ("automatic",)
HALT: Action = ("halt",)
GIVE_WAY: Action = ("give_way",)
ENOUGH_POINTS = 16
"""Supply Points a cut-off HQ should have in store."""


class Greedy:
    def __init__(self, seed: int = 0) -> None:
        self.random = random.Random(seed)
        self.reason = ""
        self._mover = Mover()
        self._phase = (0, 0)
        self._attack: fights.Plan | None = None

    def choose(self, t: Title, g: CoreBoard, side: int) -> Action:
        board = cast(Board, g)
        p = board.stack[-1]
        step = p.step
        assert step is not None
        if (board.turn, board.phase) != self._phase:
            self._phase, self._mover = (board.turn, board.phase), Mover()
        found = options(board)
        answer = getattr(self, f"_{type(p).__name__}_{step.name}", None)
        actions = list(found)
        chosen: Action | None = answer(board, side, p, actions) if answer is not None else None
        if chosen is None or chosen not in actions:
            self.reason = "nothing better to do"
            chosen = plain[0] if (plain := found.plain()) else actions[0]
        return chosen

    # --- set-up, air, positions, activation ---------------------------------------------------------------------------

    def _SetUp_german_units(self, g: Board, side: int, p: Any, actions: list[Action]) -> Action:
        return AUTOMATIC

    _SetUp_soviet_units = _SetUp_pontoon_sites = _SetUp_fortifications = _SetUp_german_units

    def _AirPhase_missions(self, g: Board, side: int, p: Any, actions: list[Action]) -> Action:
        if side == GERMAN:
            poor = [hq for hq in takers(g) if g.sp[hq] + g.fuel[hq] + g.ammo[hq] < ENOUGH_POINTS]
            lifts = [a for a in actions if a[0].startswith("airlift") and a[1] in poor]
            lifts = [a for a in lifts if g.forces.type[a[2][0]] == "transport"] or lifts
            if lifts:
                self.reason = "the corps is cut off"
                return self.random.choice(lifts)
            return PASS
        bridges = [a for a in actions if a[0] == "bomb_bridge"]
        if bridges and g.track("air_left") >= 3 and not self._anything_to_support(g, side):
            self.reason = "a bridge over the Don carries all their supply"
            return self.random.choice(bridges)
        return PASS

    def _anything_to_support(self, g: Board, side: int) -> bool:
        return any(
            g.forces.side[u] == side and g.attack_value(u) >= 3
            for h in g.map.grid.hexes
            if g.enemies_in(h, side)
            for n in g.map.grid.around[h]
            for u in g.units(n)
        )

    def _AirStrike_send(self, g: Board, side: int, p: Any, actions: list[Action]) -> Action:
        planes = [a for a in actions if a[0] == "plane"]
        return planes[0] if planes and len(p.planes) < 3 else ("strike",)

    def _PositionPhase_build(self, g: Board, side: int, p: Any, actions: list[Action]) -> Action:
        for a in actions:
            if a[0] == "repair":
                return a
        joining = [a for a in actions if a[0] == "pontoon" and self._joins(g, a[1])]
        if joining:
            self.reason = "a bridge where roads meet"
            return joining[0]
        near = [a for a in actions if a[0] == "entrench" and enemies_near(g, side, a[1], 2)]
        if near:
            self.reason = "the enemy is near"
            return max(near, key=lambda a: (sum(worth(g, u) for u in g.units(a[1])), -a[1]))
        return PASS

    def _joins(self, g: Board, side: int) -> bool:
        h, d = divmod(side, 6)
        return bool(g.ground.on_road >> h & g.ground.on_road >> g.map.grid.neighbours[h][d] & 1)

    def _ActivationPhase_choose(self, g: Board, side: int, p: Any, actions: list[Action]) -> Action:
        names = [a for a in actions if a[0] == "activate"]
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
        self.reason = "its units are nearest to the enemy"
        return best

    def _AssignOrphans_choose_army(self, g: Board, side: int, p: Any, actions: list[Action]) -> Action:
        return actions[0]

    # --- movement -----------------------------------------------------------------------------------------------------

    def _MovementPhase_move(self, g: Board, side: int, p: Any, actions: list[Action]) -> Action:
        entering: list[Unit] = [a[1] for a in actions if a[0] == "enter"]
        if entering:
            return ("enter", entering_order(g, entering)[0])
        moving: list[Unit] = [a[1] for a in actions if a[0] == "move"]
        return ("move", moving_order(g, moving)[0]) if moving else PASS

    def _Move_go(self, g: Board, side: int, p: Any, actions: list[Action]) -> Action:
        if ("leave",) in actions:
            return ("leave",)
        h = self._mover.destination(g, p.unit, p.left, p.first)
        if h is None:
            return HALT
        self.reason = f"{g.name(p.unit)} goes where it is needed"
        return ("to", h)

    def _Enter_enter(self, g: Board, side: int, p: Any, actions: list[Action]) -> Action:
        at = [a for a in actions if a[0] == "at"]
        goals = goals_of(g, p.unit)
        if not at or not goals:
            return at[0] if at else HALT

        def score(a: Action) -> float:
            near = max(v / (6 + distances(g, goal)[a[1]]) for goal, v in goals.items())
            return near - 0.01 * g.queue[a[1]]

        return max(at, key=lambda a: (score(a), -a[1]))

    def _Overstacked_eliminate_excess(self, g: Board, side: int, p: Any, actions: list[Action]) -> Action:
        return ("eliminate", fights.least_worth(g, [a[1] for a in actions]))

    def _SpendPoints_supply_unit(self, g: Board, side: int, p: Any, actions: list[Action]) -> Action:
        units = [a[1] for a in actions if a[0] == "supply"]
        if g.phase in (G_MOVEMENT, G_MOTORIZED):
            van = [u for u in units if g.forces.division[u] == SPEARHEAD and not g.forces.hq[u]]
            ahead = leading(g, van) if to_the_volga(g) else []
            self.reason = "fuel for the drive to the Volga"
            return ("supply", ahead[0]) if ahead else PASS
        ready = [u for u in units if g.attack_value(u) >= 3 and enemies_near(g, side, g.place[u], 1)]
        return ("supply", max(ready, key=lambda u: (g.attack_value(u), -u))) if ready else PASS

    # --- bombardment and combat ---------------------------------------------------------------------------------------

    def _BombardmentPhase_choose_target(self, g: Board, side: int, p: Any, actions: list[Action]) -> Action:
        hexes = [a for a in actions if a[0] == "shell"]
        if not hexes:
            return PASS

        def score(a: Action) -> float:
            beside = sum(
                g.attack_value(u) for n in g.map.grid.around[a[1]] for u in g.units(n) if g.forces.side[u] == side
            )
            return beside + objective_value(g, a[1], side)

        return max(hexes, key=lambda a: (score(a), -a[1]))

    def _Barrage_add_gun(self, g: Board, side: int, p: Any, actions: list[Action]) -> Action:
        guns = [a for a in actions if a[0] == "gun"]
        return guns[0] if guns else ("fire",)

    def _CombatPhase_attack(self, g: Board, side: int, p: Any, actions: list[Action]) -> Action:
        self._attack = fights.best_attack(g, side, [a[1] for a in actions if a[0] == "attack"])
        if self._attack is None:
            return PASS
        self.reason = f"an expected gain of {self._attack.gain:.1f}"
        return ("attack", self._attack.target)

    def _plan(self, g: Board, p: Any) -> fights.Plan | None:
        if self._attack is None or self._attack.target != p.target:
            self._attack = fights.plan_attack(g, p.side, p.target)
        return self._attack

    def _Combat_choose_attackers(self, g: Board, side: int, p: Any, actions: list[Action]) -> Action | None:
        plan = self._plan(g, p)
        missing = [u for u in plan.attackers if u not in p.attackers] if plan else []
        return ("with", missing[0]) if missing else ("assault",) if ("assault",) in actions else None

    def _Combat_artillery(self, g: Board, side: int, p: Any, actions: list[Action]) -> Action:
        plan = self._plan(g, p)
        missing = [u for u in plan.guns if u not in p.guns and ("gun", u) in actions] if plan else []
        return ("gun", missing[0]) if missing else PASS

    def _Combat_air_support(self, g: Board, side: int, p: Any, actions: list[Action]) -> Action:
        plan = self._plan(g, p)
        planes = [a for a in actions if a[0] == "plane"]
        return planes[0] if plan and planes and len(p.planes) < plan.planes else PASS

    def _Combat_defensive_artillery(self, g: Board, side: int, p: Any, actions: list[Action]) -> Action:
        guns = [a for a in actions if a[0] == "gun"]
        return guns[0] if guns and len(p.defence_guns) < 2 else PASS

    def _Results_attacker_loses(self, g: Board, side: int, p: Any, actions: list[Action]) -> Action:
        return ("eliminate", fights.least_worth(g, [a[1] for a in actions]))

    _Results_defender_loses = _Results_attacker_loses

    def _Results_defender_answers(self, g: Board, side: int, p: Any, actions: list[Action]) -> Action:
        units = [a[1] for a in actions if a[0] == "step_loss"]
        threats = sorted({g.place[u] for u in p.attackers if g.on_map(u)})
        paths = retreat_paths(g, side, p.target, p.advance, tuple(threats))
        if GIVE_WAY in actions and fights.gives_way(g, side, p.target, units, paths):
            return GIVE_WAY
        spare = [u for u in units if g.steps[u] > 1]
        return ("step_loss", fights.least_worth(g, spare or units))

    def _Results_attacker_answers(self, g: Board, side: int, p: Any, actions: list[Action]) -> Action:
        return GIVE_WAY

    def _Withdraw_retreat(self, g: Board, side: int, p: Any, actions: list[Action]) -> Action:
        return ("retreat", fights.best_retreat(g, side, p.units, [a[1] for a in actions]))

    def _Settle_go_on_or_displace(self, g: Board, side: int, p: Any, actions: list[Action]) -> Action:
        onward = [a for a in actions if a[0] == "continue"]
        return onward[0] if onward else actions[0]

    def _Advance_advance(self, g: Board, side: int, p: Any, actions: list[Action]) -> Action:
        steps = [a for a in actions if a[0] == "advance"]

        def score(a: Action) -> float:
            goals = goals_of(g, a[1])
            near = max((v / (6 + distances(g, goal)[a[2]]) for goal, v in goals.items()), default=0.0)
            stay = max((v / (6 + distances(g, goal)[g.place[a[1]]]) for goal, v in goals.items()), default=0.0)
            return near - stay + objective_value(g, a[2], side) + 0.05 * g.defence_value(a[1])

        best = max(steps, key=lambda a: (score(a), a[1]), default=None)
        return best if best is not None and score(best) > 0 else PASS
