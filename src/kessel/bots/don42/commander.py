"""A program that knows what its side must do: the Germans open the corridor to the Volga, the Soviets keep their Tank
Corps awake, and both throw in what they have on the last turn. Everything else it does as greedy.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kessel.bots.don42 import fights
from kessel.bots.don42.advice import CommanderAdviser
from kessel.bots.don42.attacks import AttackPlanner, Order
from kessel.bots.don42.barrage import shared_out
from kessel.bots.don42.corridor import VAN, Corridor, corps_hq, find_corridor, held_hexes, marching, van_of
from kessel.bots.don42.garrisons import Garrisons
from kessel.bots.don42.greedy import HALT, Greedy, Seat
from kessel.bots.don42.moves import entering_order, guards
from kessel.bots.don42.plans import FAR, distances, enemies_near, held_value
from kessel.bots.don42.roads import Roads, find_roads
from kessel.bots.don42.staff import Staff
from kessel.bots.don42.waiting import keeps_off, lies_low, where_to_wait
from kessel.bots.don42.weights import WEIGHTS, Weights
from kessel.bots.program import on
from kessel.bots.weights import Changes
from kessel.core.forces import NO_UNIT, Unit
from kessel.core.hexes import Bits, Hex, Hexside
from kessel.core.hexset import bits, members, within
from kessel.core.procedure import PASS, Action, Options
from kessel.games.don42.board import G_MOTORIZED, G_MOVEMENT, Board
from kessel.games.don42.combat.advance import Advance
from kessel.games.don42.combat.air import AirPhase
from kessel.games.don42.combat.bombardment import Barrage, BombardmentPhase
from kessel.games.don42.combat.combat import CombatPhase
from kessel.games.don42.combat.results import Results
from kessel.games.don42.data.charts import POINT, turn_number
from kessel.games.don42.data.forces import GERMAN, SOVIET
from kessel.games.don42.movement.movement import Move, allowance, ends_of, movers
from kessel.games.don42.movement.movement_phase import MovementPhase
from kessel.games.don42.movement.stacking import why_not_together
from kessel.games.don42.movement.withdrawal import must_leave
from kessel.games.don42.supply.activation import ActivationPhase
from kessel.games.don42.supply.supply import home_net

CLEAR = 5.0
"""What throwing Soviets out of the corridor adds to a promising attack."""
STAY = 8
"""Hexes within which enemies make Germans stay on a Victory Point hex they alone hold."""
SPARED = 4
"""Units of the spearhead that are for the Volga and hold no posts."""
LAST_TURN = {
    GERMAN: {"blood": 0.0, "ground": 3.0, "good_enough": 0.05, "attacker": 0.0, "plane": 0.0, "risk": 0.0, "take": 5.0},
    SOVIET: {"blood": 0.3, "ground": 2.0, "good_enough": 0.2, "risk": 0.1, "take": 4.0},
}
"""Numbers for the last turn: nothing is saved for later."""
COMMANDERS = (
    WEIGHTS[GERMAN],
    replace(WEIGHTS[SOVIET], hold=25, screen=1.6, held=0.8, cut=25.0, leash=10.0, good_enough=1.0, hq=3.0),
)
STORM = replace(WEIGHTS[GERMAN], good_enough=0.2, blood=0.6)
"""Of Germans who have no corridor to open: they attack at almost any odds."""
OFFENSIVE = replace(WEIGHTS[SOVIET], hq=3.0)
"""Of Soviets in September, who have nothing left to hold."""
LAST = tuple(replace(COMMANDERS[side], **LAST_TURN[side]) for side in (GERMAN, SOVIET))  # type: ignore[arg-type]


class Commander(Greedy):
    adviser = CommanderAdviser()
    base = COMMANDERS
    moves = Staff

    def __init__(self, seed: int = 0, changes: Changes | None = None) -> None:
        super().__init__(seed, changes)
        self.corridor: Corridor | None = None
        self._sought = (0, 0)
        self._posts: dict[Unit, Hex] = {}
        self._hunt: dict[Unit, Order] = {}
        self._posted = (0, 0)
        self._garrisons: dict[Unit, Hex] = {}
        self._manned = (0, 0)
        self._roads = Roads(frozenset(), frozenset())
        self._driven = (0, 0)

    def forget(self) -> None:
        self._sought = self._posted = self._manned = self._driven = (0, 0)

    def weights(self, g: Board, u: Unit) -> Weights:
        side = g.forces.side[u]
        if g.turn >= g.scenario.last_turn:
            return self.tuned(LAST[side], g.command_name(u))
        if side == GERMAN and "volga" not in g.scenario.victory:
            return self.tuned(STORM, g.command_name(u))
        if side == SOVIET and g.turn >= turn_number(g.charts.constants.priority_from):
            return self.tuned(OFFENSIVE, g.command_name(u))
        return super().weights(g, u)

    # --- the corridor ------------------------------------------------------------------------------------------------

    def way(self, g: Board) -> Corridor | None:
        """The corridor of this phase."""
        if self._sought != (g.turn, g.phase):
            self._sought, self.corridor = (g.turn, g.phase), find_corridor(g)
        return self.corridor

    def roads(self, g: Board) -> Roads:
        """The roads home of the HQs for which each turn without one costs a point."""
        if self._driven != (g.turn, g.phase):
            self._driven, self._roads = (g.turn, g.phase), find_roads(g)
        return self._roads

    def posts(self, g: Board) -> dict[Unit, Hex]:
        """Who goes where in this phase to open the corridor, or stays to keep it open."""
        if self._posted != (g.turn, g.phase):
            corridor = self.way(g)
            self._posted, self._posts = (g.turn, g.phase), Posting(g, corridor).run() if corridor else {}
        return self._posts

    @on(MovementPhase.move)
    def choose_mover(self, seat: Seat, p: Any, found: Options) -> Action:
        g, side = seat
        entering: list[Unit] = [a[1] for a in found if a[0] == "enter"]
        if side == SOVIET:
            entering = [u for u in entering if not is_held_back(g, u)]
        if entering:
            return ("enter", entering_order(g, entering)[0])
        moving = [a for a in found if a[0] == "move"]
        if side == SOVIET and (found_first := self._first_to_move(seat, [a[1] for a in moving])):
            return ("move", found_first)
        hunt = {} if side == GERMAN else {u: order.place for u, order in self.hunt(seat).items()}
        bound = {**self.garrisons(g), **self.posts(g)} if side == GERMAN else hunt
        first = [a for a in moving if a[1] in bound]
        if first:
            ready = [a for a in first if self.mover._fits(g, a[1], bound[a[1]])]
            wanted = {bound[a[1]] for a in first}
            in_the_way = [a for a in moving if a[1] not in bound and g.place[a[1]] in wanted]
            return (ready or in_the_way or first)[0]
        return super().choose_mover(seat, p, Options(moving)) if moving else PASS

    @on(ActivationPhase.choose)
    def activate(self, seat: Seat, p: Any, found: Options) -> Action:
        """In September whoever has most units that can act, be they near the enemy or not."""
        g = seat.g
        names = [a for a in found if a[0] == "activate"]
        if not g.scenario.activation or not names:
            return super().activate(seat, p, found)

        def use(name: str) -> float:
            index = g.command_index(name)
            units = [u for u in g.units_on_map(SOVIET) if g.command[u] == index and not g.disorder(u)]
            fit = [u for u in units if not g.forces.hq[u] and not g.forces.gun[u] and g.supply[u]]
            return sum(g.allowance(u) * (1.0 + 0.5 * (g.steps[u] > 1)) for u in fit)

        best = max(names, key=lambda a: (use(a[1]), a[1]))
        return self.say(best, "it has most units that can act")

    def garrisons(self, g: Board) -> dict[Unit, Hex]:
        """Who goes to Victory Point hexes, or stays there: Soviets, or in their phases Germans."""
        if self._manned != (g.turn, g.phase):
            self._manned, self._garrisons = (g.turn, g.phase), self._man(g)
        if isinstance(self.mover, Staff) and g.phase < G_MOVEMENT:
            self.mover.kept = self._garrisons
        return self._garrisons

    def _man(self, g: Board) -> dict[Unit, Hex]:
        """No Soviet turn follows the last German one: then only the roads home count."""
        if g.phase < G_MOVEMENT:
            return Garrisons(g, SOVIET).run(lies_low(g))
        last = g.turn >= g.scenario.last_turn
        return Garrisons(g, GERMAN, self.posts(g)).run(posts=self.roads(g).posts, prizes=not last)

    def _first_to_move(self, seat: Seat, moving: list[Unit]) -> Unit | None:
        """Whoever is to be relieved makes room, then garrisons go."""
        g = seat.g
        kept = self.garrisons(g)
        goals = set(kept.values())
        relieved = [u for u in moving if g.place[u] in goals and kept.get(u) != g.place[u]]
        going = [u for u in moving if u in kept]
        free = [u for u in going if g.place[u] == kept[u] or not g.occupied(kept[u])]
        for several in (relieved, free, going):
            if several:
                return several[0]
        return None

    @on(Move.go)
    def move(self, seat: Seat, p: Any, found: Options) -> Action:
        g, u = seat.g, p.unit
        if seat.side == SOVIET and not must_leave(g, u) and (manning := self._to_its_post(g, u, found)):
            return manning
        if seat.side == SOVIET and u in self.hunt(seat) and not must_leave(g, u):
            order = self.hunt(seat)[u]
            if order.place == g.place[u] or (found.allows(("to", order.place)) and self.mover._fits(g, u, order.place)):
                action: Action = HALT if order.place == g.place[u] else ("to", order.place)
                return self.say(action, f"{g.name(u)} hunts the HQ in {g.ground.name(order.target)}")
        if seat.side == SOVIET and keeps_off(g, u):
            return self._wait(g, u, found)
        if seat.side == GERMAN and not must_leave(g, u):
            to = self.posts(g).get(u, self._headquarters(g, u, found))
            if to == g.place[u]:
                return self.say(HALT, f"{g.name(u)} keeps the corridor to the Volga open")
            if to is not None and found.allows(("to", to)) and self.mover._fits(g, u, to):
                return self.say(("to", to), f"{g.name(u)} opens the corridor to the Volga")
            if manning := self._to_its_post(g, u, found):
                return manning
        return super().move(seat, p, found)

    def _to_its_post(self, g: Board, u: Unit, found: Options) -> Action | None:
        """For a unit of a garrison."""
        post = self.garrisons(g).get(u)
        if post is None:
            return None
        what = "" if post in g.objective_index else "the road home at "
        if post == g.place[u]:
            return self.say(HALT, f"{g.name(u)} holds {what}{g.ground.name(post)}")
        if found.allows(("to", post)) and self.mover._fits(g, u, post):
            return self.say(("to", post), f"{g.name(u)} is to hold {what}{g.ground.name(post)}")
        return None

    def _wait(self, g: Board, u: Unit, found: Options) -> Action:
        here = g.place[u]
        ends = [a[1] for a in found if a[0] == "to" and self.mover._fits(g, u, a[1])]
        if self.mover._fits(g, u, here):
            ends.append(here)
        best = where_to_wait(g, u, ends, self.mover._leash(g, u)) if ends else here
        return self.say(HALT if best == here else ("to", best), f"{g.name(u)} waits for the last blow")

    # --- Soviet raids ------------------------------------------------------------------------------------------------

    @on(AirPhase.missions)
    def fly(self, seat: Seat, p: Any, found: Options) -> Action:
        """Soviet planes go for the bridges of the Don, first for one that the Germans cannot mend (19.4.5)."""
        g, side = seat
        bridges = [a for a in found if a[0] == "bomb_bridge"] if side == SOVIET else []
        if not bridges:
            return super().fly(seat, p, found)
        best = max(bridges, key=lambda a: (not can_mend(g, a[1]), -a[1]))
        return self.say(best, "a bridge over the Don carries all their supply")

    def hunt(self, seat: Seat) -> dict[Unit, Order]:
        """Who goes where to attack German HQs that stand alone: without its HQ a division is out of supply (4.3.1)."""
        g = seat.g
        if self._posted != (g.turn, g.phase):
            self._posted, self._hunt = (g.turn, g.phase), {}
            kept = self.garrisons(g)
            alone = bits(h for h in members(g.hexes_of(GERMAN)) if all(g.forces.hq[u] for u in g.units(h)))
            planner = AttackPlanner(g, self.weights, SOVIET)
            for u in [u for u in planner.reach if u in kept or guards(g, u, self.weights(g, u))]:
                del planner.reach[u]
            self._hunt = planner.run(alone)
        return self._hunt

    @on(BombardmentPhase.choose_target)
    def choose_target(self, seat: Seat, p: Any, found: Options) -> Action:
        g = seat.g
        target = next((h for h in shared_out(g) if found.allows(("shell", h))), None)
        if target is None:
            return PASS
        return self.say(("shell", target), f"Germans in disorder do not attack: {g.ground.name(target)}")

    @on(Barrage.add_gun)
    def add_gun(self, seat: Seat, p: Any, found: Options) -> Action:
        guns = shared_out(seat.g).get(p.target, [])
        missing = [u for u in guns if u not in p.guns and found.allows(("gun", u))]
        return ("gun", missing[0]) if missing else ("fire",) if found.allows(("fire",)) else next(iter(found))

    @on(CombatPhase.attack)
    def attack(self, seat: Seat, p: Any, found: Options) -> Action:
        """Attacks on Soviets who stand in the way of the corridor count for more."""
        g, side = seat
        plans = fights.attacks_on(g, self.weights, side, [a[1] for a in found if a[0] == "attack"])
        corridor = self.way(g) if side == GERMAN else None
        blocks = {*(corridor.blocks if corridor else ()), *(self.roads(g).blocks if side == GERMAN else ())}
        for plan in plans:
            if plan.target in blocks and plan.gain > 0:
                plan.gain += CLEAR
        return self.carry_out(g, plans)

    @on(Advance.advance)
    def advance(self, seat: Seat, p: Any, found: Options) -> Action:
        """Germans who alone hold a Victory Point hex stay there, but on the last turn."""
        g, side = seat
        if side == GERMAN and g.turn < g.scenario.last_turn:
            found = Options([a for a in found if a[0] != "advance" or not self._is_needed(g, a[1])])
        return super().advance(seat, p, found)

    def _is_needed(self, g: Board, u: Unit) -> bool:
        here = g.place[u]
        fighters = [v for v in g.units(here) if not g.forces.hq[v] and not g.forces.gun[v]]
        return fighters == [u] and bool(held_value(g, here, GERMAN)) and enemies_near(g, GERMAN, here, STAY)

    @on(Results.defender_answers)
    def answer(self, seat: Seat, p: Any, found: Options) -> Action:
        """Soviets give up no Victory Point hex as long as they have a step to lose instead (13.3.3)."""
        g, side = seat
        spare = [a[1] for a in found if a[0] == "step_loss" and g.steps[a[1]] > 1]
        if side == SOVIET and spare and held_value(g, p.target, side):
            return self.say(("step_loss", fights.least_worth(g, spare)), f"{g.ground.name(p.target)} is held")
        return super().answer(seat, p, found)

    def _headquarters(self, g: Board, u: Unit, found: Options) -> Hex | None:
        """Where an HQ of the chain goes: nearest to its place in it that is safe; None for all others."""
        c = self.way(g)
        if c is None or not g.forces.hq[u]:
            return None
        here = g.place[u]
        ends = [here, *(a[1] for a in found if a[0] == "to" and self.mover._fits(g, u, a[1]))]
        if u == corps_hq(g):
            goal, may = c.corps, home_net(g)
        elif u == c.hq:
            goal, may = c.division, ~within(g.map.grid, g.hexes_of(SOVIET), 3) | _held_without(g, u)
            if g.phase == G_MOTORIZED and not c.blocks:
                may |= 1 << c.division
        else:
            return None
        away = distances(g, goal)
        return min((h for h in ends if may >> h & 1), key=lambda h: (away[h], h), default=None)


class Posting:
    """Binds units to the posts of the corridor."""

    def __init__(self, g: Board, corridor: Corridor) -> None:
        self.g, self.corridor = g, corridor
        self.away = marching(g, corridor.van)
        self.van = sorted(van_of(g, corridor.hq), key=lambda u: (self.away.get(g.place[u], FAR), u))[:SPARED]
        self.posts: dict[Unit, Hex] = {}
        self.reach: dict[Unit, Bits] = {}

    def run(self) -> dict[Unit, Hex]:
        g, c, f = self.g, self.corridor, self.g.forces
        for h in held_hexes(g, c):
            there = [u for u in g.units(h) if not f.hq[u]]
            if there and h != c.van:
                self.posts[min(there, key=lambda u: (u in self.van, g.attack_value(u), u))] = h
        free = [u for u in movers(g, GERMAN) if not f.hq[u] and u not in self.posts and not must_leave(g, u)]
        self.reach = {u: ends_of(g, u, allowance(g, u).total * POINT, True) for u in free}
        there = [u for u in self.van if (self.reach.get(u, 0) | 1 << g.place[u]) >> c.van & 1]
        self.posts.update(dict.fromkeys(there[:VAN], c.van))
        for u in self.van:
            if u in self.reach and u not in self.posts:
                ends = self.reach[u] | 1 << g.place[u]
                self.posts[u] = min(members(ends), key=lambda x: (self.away.get(x, FAR), x))
        left = {*c.posts, *self._bare()} - {c.van}
        for h in c.blocks:
            self._close_in(h)
        while left:
            can = {h: [u for u in self._spare() if self.reach[u] >> h & 1] for h in left}
            h = min(can, key=lambda h: (len(can[h]) or len(self.reach) + 1, h))
            left.remove(h)
            self._send(h, can[h])
        return self.posts

    def _bare(self) -> list[Hex]:
        """The places of HQs where nobody would stand with them though Soviets are near."""
        g, c = self.g, self.corridor
        held = set(self.posts.values())
        near = [h for h in (c.corps, c.division) if h not in held and enemies_near(g, GERMAN, h, 4)]
        return [h for h in near if all(g.forces.hq[u] for u in g.units(h))]

    def _close_in(self, target: Hex) -> None:
        """The strongest that can get beside Soviets in the way do so, as many as there is room for."""
        g = self.g
        around = [n for n in g.map.grid.around[target] if not g.enemies_in(n, GERMAN)]
        near = sorted(self._spare(), key=lambda u: (-g.attack_value(u), u))
        room = {n: [u for u in g.units(n) if not g.forces.hq[u]] for n in around}
        for u in near:
            if g.attack_value(u) < 3 or g.forces.gun[u]:
                continue
            if any(u in there for there in room.values()):
                self.posts[u] = g.place[u]
                continue
            spots = [n for n in around if self.reach[u] >> n & 1 and why_not_together(g, GERMAN, [*room[n], u]) is None]
            if spots:
                best = max(spots, key=lambda n: (-len(room[n]), g.ground.hex_shift(n)[0], -n))
                room[best].append(u)
                self.posts[u] = best

    def _spare(self) -> list[Unit]:
        return [u for u in self.reach if u not in self.posts and u not in self.van]

    def _send(self, h: Hex, can: list[Unit]) -> None:
        """The one that is missed least; if nobody can get there, the nearest of the corps comes nearer."""
        g, f = self.g, self.g.forces
        if can:
            best = min(can, key=lambda u: (f.gun[u], g.attack_value(u), -g.defence_value(u), u))
            self.posts[best] = h
            return
        away = distances(g, h)
        of_corps = [u for u in self._spare() if g.command_name(u) == "14PzC" and not f.gun[u]]
        nearest = min(of_corps, key=lambda u: (away[g.place[u]], u), default=NO_UNIT)
        if nearest != NO_UNIT:
            ends = self.reach[nearest] | 1 << g.place[nearest]
            self.posts[nearest] = min(members(ends), key=lambda x: (away[x], x))


def _held_without(g: Board, hq: Unit) -> Bits:
    """The hexes where a fighting unit stands beside which an HQ is safe."""
    found = 0
    for u in g.units_on_map(GERMAN):
        if u != hq and not g.forces.hq[u]:
            found |= 1 << g.place[u]
    return found


def _is_on_map(g: Board, command: str) -> bool:
    if command not in g.forces.commands:
        return False
    hq = g.forces.command_hq[g.command_index(command)]
    return hq != NO_UNIT and g.on_map(hq)


def can_mend(g: Board, side: Hexside) -> bool:
    """19.4.5 Whether Germans stand beside a bridge, and no Soviets."""
    near = within(g.map.grid, bits((side // 6, g.map.grid.neighbours[side // 6][side % 6])), 1)
    return bool(near & g.hexes_of(GERMAN)) and not near & g.hexes_of(SOVIET)


# --- Soviet activation -----------------------------------------------------------------------------------------------


def is_held_back(g: Board, hq: Unit) -> bool:
    """9.1 Two Armies try to activate in a turn; with a third one in reach of orders no Tank Corps ever does. So the HQ
    of a third Army stays away until the last turn, when it brings its Army a free activation (15.0).
    """
    if g.turn >= min(g.scenario.last_turn, turn_number(g.charts.constants.priority_from)):
        return False
    armies = [a for a in g.charts.armies if a in g.forces.commands]
    if hq not in {g.forces.command_hq[g.command_index(a)] for a in armies}:
        return False
    there = sum(_is_on_map(g, a) for a in armies)
    return there >= g.charts.constants.army_attempts and any(_is_on_map(g, c) for c in g.charts.tank_corps)
