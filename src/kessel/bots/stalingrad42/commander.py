"""A stronger opponent for Stalingrad '42: `greedy` with a plan for the turn before the attacks.

What brings or costs Victory Points at once comes first: raids, garrisons, marches into open country; then the attacks;
then a screen of the units that are left, so that nobody slips through behind the front.
"""

from __future__ import annotations

from typing import Any, ClassVar

from kessel.bots.program import on
from kessel.bots.stalingrad42.aftermath import opened_by
from kessel.bots.stalingrad42.attacks import Planner
from kessel.bots.stalingrad42.errands import posts, raids
from kessel.bots.stalingrad42.fights import BREAKTHROUGH, Seat, moves_alone
from kessel.bots.stalingrad42.greedy import Greedy, Orders, can_come
from kessel.bots.stalingrad42.marches import Marches
from kessel.bots.stalingrad42.reserves import called, reserve_of, where_to
from kessel.bots.stalingrad42.screens import CarefulPlanner, Screen, dear, is_held, risk_now, risk_without
from kessel.bots.stalingrad42.situation import Situation, is_last_word, is_long, situation
from kessel.bots.stalingrad42.special import exits
from kessel.bots.stalingrad42.weights import CAMPAIGN, COMMANDER, Weights
from kessel.core.board import Place
from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.core.hexset import members
from kessel.core.procedure import PASS, Action, Options
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import ADVANCED, COMBAT
from kessel.games.stalingrad42.combat.after.advance import Advance
from kessel.games.stalingrad42.combat.after.breakthrough import Breakthrough
from kessel.games.stalingrad42.combat.combat_phase import CombatPhase
from kessel.games.stalingrad42.combat.reserves import ReserveAdvance
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET
from kessel.games.stalingrad42.movement.movement import HALT, March
from kessel.games.stalingrad42.movement.movement_phase import MovementPhase

TIED = 0.5
"""A unit stays if raiders could take so many Victory Points more without it."""

NEAR = 9
"""Farther from the enemy nobody is in the way of raiders."""

ABOUT = (
    "Plans its turn: garrisons, marches into open country and raids on whatever counts come before its attacks, and "
    "the units left over screen the rear or wait in Reserve. It does not play the turn through in its head."
)


class Commander(Greedy):
    base: ClassVar[tuple[Weights, Weights]] = COMMANDER

    def look(self, g: Any, side: int) -> Seat:
        base = CAMPAIGN if is_long(g) else self.base
        return Seat(g, situation(g, side, self.tuned(base[side]), self.memory))

    def give_orders(self, g: Board, s: Situation, limit: str) -> Orders:
        units = members(g.movers(s.side))
        errands = exits(g, units, limit) if s.side == AXIS else raids(g, s, units, limit)
        stay: set[Unit] = set()
        if s.side == AXIS or not is_last_word(g):
            kept = posts(g, s, [u for u in units if u not in errands], limit)
            stay, errands = kept.stay, errands | kept.go
            if tight(g, s):
                taken = {*errands, *stay}
                first = Screen(g.copy(), [u for u in units if u not in taken and fights(g, u)], limit, s.threat).run()
                errands |= first
            errands |= Marches(g, s, [u for u in units if u not in errands and u not in stay], limit).run()
        planner = (CarefulPlanner if s.side == AXIS else Planner)(g, s, limit, errands, stay)
        for u, errand in errands.items():
            planner.g.move(u, errand.place)
        found = Orders(planner.run())
        if s.side == AXIS:
            taken = {*errands, *stay, *found.attacks}
            errands |= Screen(planner.g, [u for u in units if u not in taken and fights(g, u)], limit, s.threat).run()
        found.errands = errands
        found.settled |= stay
        return found

    def regret(self, g: Board, s: Situation, target: Hex, units: tuple[Unit, ...]) -> float:
        """Where the beaten would go, and what they leave open."""
        return dear(g) * max(0.0, opened_by(g, AXIS, target, units)) if tight(g, s) else 0.0

    @on(MovementPhase.choose)
    def choose_mover(self, seat: Seat, p: MovementPhase, found: Options) -> Action:
        """Errands first: an Automatic DS makes it think over everything else again."""
        g, s = seat
        errands = self.plan_of(g, s, p.limit).errands
        for u, errand in errands.items():
            if found.allows(("move", u)) and can_come(g, u, errand.place, p.limit):
                return self.say(("move", u), f"{g.name(u)} {errand.words}")
        action = super().choose_mover(seat, p, found)
        if action == PASS and s.side == AXIS and not p.limit:
            orders = self.plan_of(g, s, p.limit)
            u = reserve_of(g, s, [a[1] for a in found.all() if a[0] == "move"])
            if u >= 0:
                orders.reserves.add(u)
                return self.say(("move", u), f"{g.name(u)} stays in Reserve")
        return action

    @on(March.where)
    def march(self, seat: Seat, p: March, found: Options) -> Action:
        """Whoever would stay where he is after all is put in Reserve: so a player that has forgotten what it meant does
        not choose the unit again."""
        g, s = seat
        kept = p.units[0] in self.plan_of(g, s, p.limit).reserves
        action = HALT if kept else super().march(seat, p, found)
        if action == HALT and s.side == AXIS and not p.hexes and found.allows(("reserve",)):
            return self.say(("reserve",), f"{g.name(p.units[0])} stays in Reserve")
        return action

    @on(CombatPhase.choose, CombatPhase.exploit)
    def choose_target(self, seat: Seat, p: CombatPhase, found: Options) -> Action:
        g, s = seat
        action = super().choose_target(seat, p, found)
        if action == PASS and s.side == AXIS:
            h = called(g, found.all())
            if h >= 0:
                return self.say(("activate", h), f"the Reserve in {g.hex_name(h)} must close a gap")
        return action

    @on(ReserveAdvance.choose, ReserveAdvance.where)
    def follow(self, seat: Seat, p: ReserveAdvance, found: Options) -> Action:
        g, acts = seat.g, found.all()
        if p.mover >= 0:
            return self.say(where_to(g, p.mover, acts) or HALT, f"{g.name(p.mover)} closes the gap")
        fresh = [a for a in acts if a[0] == "advance"]
        if fresh and not any(g.status[u] & ADVANCED for u in p.units):
            return self.say(fresh[0], f"{g.name(fresh[0][1])} is to close the gap")
        return self.say(PASS, "one is enough")

    @on(*BREAKTHROUGH)
    def break_through(self, seat: Seat, p: Breakthrough, found: Options) -> Action:
        """As far as leaves no gap behind."""
        action = super().break_through(seat, p, found)
        if action[0] == "go" and found.allows(HALT):
            who = p.group if not moves_alone(p) else (p.mover,) if isinstance(p, Advance) else ()
            if who and self.is_tied(*seat, who[0], action[1][-1], who):
                return self.say(HALT, "it must not leave a gap behind it")
        return action

    def spared(self, seat: Seat, p: Breakthrough, acts: list[Action]) -> list[Action]:
        g, s = seat
        if s.side != AXIS or p.target < 0:
            return acts
        free = [a for a in acts if a[0] not in ("advance", "form") or not self.is_tied(g, s, a[1], p.target, p.group)]
        return free or acts

    def is_tied(self, g: Board, s: Situation, u: Unit, to: Place, others: tuple[Unit, ...] = ()) -> bool:
        """Whoever alone keeps raiders from the map edge stays where he is; `others` go with him."""
        here = g.place[u]
        if s.side != AXIS or not fights(g, u) or here == to or s.away[here] > NEAR:
            return False
        if is_held(g, here, {u, *others}):
            return False
        now = ("risk", g.turn, g.sets[COMBAT + AXIS], g.sets[COMBAT + SOVIET])
        if now not in s.known:
            s.known[now] = risk_now(g, {})
        then = (*now, u, here, to, others)
        if then not in s.known:
            s.known[then] = risk_without(g, {u, *others}, to, {})
        return bool(s.known[then] - s.known[now] > TIED)


def tight(g: Board, s: Situation) -> bool:
    """24.2 Whether too few points would end the game at once: then the Axis closes its rear before it attacks."""
    return s.side == AXIS and is_long(g)


def fights(g: Board, u: Unit) -> bool:
    return g.on_map(u) and bool(g.forces.combat[u]) and not g.forces.is_asu[u]
