"""A quick, sensible opponent for Stalingrad '42.

It drives on Victory Point hexes and weak points, masses for good odds by the exact chances, keeps a line, guards what
it holds, and says in one sentence what it wanted. All it remembers between decisions is a small memory of plans, which
is made anew where it is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, ClassVar

from kessel.bots.program import Memory, on
from kessel.bots.purpose import Weighed, listed, place_words
from kessel.bots.stalingrad42.advice import StalingradAdviser
from kessel.bots.stalingrad42.attacks import Order, Planner, best_group
from kessel.bots.stalingrad42.fights import Fighter, Seat
from kessel.bots.stalingrad42.goals import FAR
from kessel.bots.stalingrad42.situation import Situation, has_room, score_of, situation, step_worth
from kessel.bots.stalingrad42.special import Errand, disengage, disengagement, exits, flees
from kessel.bots.stalingrad42.weights import WEIGHTS, Weights
from kessel.bots.weights import Changes
from kessel.core.board import Board as CoreBoard
from kessel.core.board import Place
from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.core.hexset import members
from kessel.core.procedure import PASS, Action, Options, Procedure
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import COMBAT, FLIPPED
from kessel.games.stalingrad42.combat.combat_phase import CombatPhase
from kessel.games.stalingrad42.combat.disengagement import Disengage
from kessel.games.stalingrad42.data.forces import AXIS
from kessel.games.stalingrad42.movement import rail
from kessel.games.stalingrad42.movement.movement import BY_RAIL, BY_TACTICAL, HALT, March
from kessel.games.stalingrad42.movement.movement_phase import MovementPhase
from kessel.games.stalingrad42.movement.sea import why_not_strait
from kessel.games.stalingrad42.movement.ways.modes import EXTENDED, MODE_WORDS, RAIL, modes
from kessel.games.stalingrad42.movement.ways.reach import Group, group_modes, plan
from kessel.games.stalingrad42.movement.ways.stacking import CorrectStacking
from kessel.games.stalingrad42.movement.ways.zones import enemy_zoc
from kessel.games.stalingrad42.supply.railheads import RailroadRepair
from kessel.games.stalingrad42.turn.initial import BuildFortification, InitialPhase, Revive
from kessel.games.stalingrad42.turn.recovery import RecoveryPhase

MEMORY = 24
"""So many plans and fields are remembered."""


class Greedy(Fighter):
    numbers = Weights
    adviser = StalingradAdviser()
    base: ClassVar[tuple[Weights, Weights]] = WEIGHTS

    def __init__(self, seed: int = 0, changes: Changes | None = None) -> None:
        super().__init__(seed, changes)
        self.memory = Memory(MEMORY)

    def forget(self) -> None:
        self.memory.kept.clear()

    def look(self, g: Any, side: int) -> Seat:
        return Seat(g, situation(g, side, self.tuned(self.base[side]), self.memory))

    def wanted(self, g: CoreBoard, side: int, found: Options) -> Action | None:
        acts = found.all()
        return self.say(acts[0], "there is no other choice") if len(acts) == 1 else super().wanted(g, side, found)

    def ordered(self, seat: Seat) -> dict[Unit, Order]:
        """Who goes where to attack in this Movement Phase."""
        p = seat.g.stack[-1]
        return self.plan_of(*seat, p.limit).attacks if isinstance(p, MovementPhase | March) else {}

    def plan_of(self, g: Board, s: Situation, limit: str) -> Orders:
        """What the units do in this Movement Phase; thought over again when the enemy has changed."""
        key = ("orders", g.scenario.id, g.turn, s.side, limit, g.sets[COMBAT + s.enemy])
        return s.memory.keep(key, lambda: self.give_orders(g, s, limit))

    def give_orders(self, g: Board, s: Situation, limit: str) -> Orders:
        found = Orders(Planner(g, s, limit).run())
        if s.side == AXIS:
            found.errands = exits(g, members(g.movers(AXIS)), limit)
            found.attacks = {u: order for u, order in found.attacks.items() if u not in found.errands}
        return found

    def is_tied(self, g: Board, s: Situation, u: Unit, to: Place) -> bool:
        """Whether a unit must stay although another place would suit it better."""
        return False

    def regret(self, g: Board, s: Situation, target: Hex, units: tuple[Unit, ...]) -> float:
        """What speaks against an attack beside what it promises."""
        return 0.0

    def fall_back(self, found: Options, wanted: Action | None) -> Action:
        if wanted is not None and found.allows(door := door_to(wanted)):
            return door
        self.reason = "nothing more is wanted" if wanted is None else "nothing better is allowed"
        enough = (PASS,) if wanted is None else (PASS, HALT)
        return next((a for a in enough if found.allows(a)), None) or next(iter(found))

    @on(MovementPhase.choose)
    def choose_mover(self, seat: Seat, p: MovementPhase, found: Options) -> Action:
        g, s = seat
        acts = found.all()
        for a in acts:
            if a[0] == "auto_ds":
                return self.say(a, f"the enemy in {g.hex_name(a[1])} can be shattered at once")
        orders = self.plan_of(g, s, p.limit)
        movable = [a[1] for a in acts if a[0] == "move"]
        for u in movable:
            if g.place[u] in g.ground.kerch_boxes and why_not_strait(g, u) is None:
                return self.say(("move", u), f"{g.name(u)} crosses the Kerch Strait")
            if u in orders.errands and can_come(g, u, orders.errands[u].place, p.limit):
                return self.say(("move", u), f"{g.name(u)} {orders.errands[u].words}")
            order = orders.attacks.get(u)
            if order is None or u in orders.settled:
                continue
            if order.place == g.place[u]:
                orders.settled.add(u)
            elif can_reach(g, u, order.place, p.limit) and has_room(g, u, order.place, s.side):
                return self.say(("move", u), f"{g.name(u)} goes to attack {g.hex_name(order.target)}")
            else:
                del orders.attacks[u]
        rest = [u for u in movable if u not in orders.settled and u not in orders.attacks]
        for u in sorted(rest, key=lambda u: (s.away[g.place[u]] if g.on_map(u) else FAR, u)):
            if flees(g, s, u, p.limit):
                return self.say(("move", u), f"{g.name(u)} must get out of the pocket")
            place, word = destination(g, s, u, p.limit)
            if place == g.place[u] or self.is_tied(g, s, u, place):
                orders.settled.add(u)
                continue
            self.weighed = partial(places_weighed, g, s, u, p.limit)
            return self.say(("move", u), f"{g.name(u)} {word} {g.place_name(place)}")
        return self.say(PASS, "all units stand as they should")

    @on(March.where)
    def march(self, seat: Seat, p: March, found: Options) -> Action:
        g, s = seat
        acts = found.all()
        u = p.units[0]
        name = g.name(u)
        if p.hexes:
            return self.say(HALT, f"{name} has come far enough")
        if ("strait",) in acts:
            return self.say(("strait",), f"{name} crosses the Kerch Strait")
        orders = self.plan_of(g, s, p.limit)
        errand = orders.errands.get(u)
        if errand is not None and (mode := plan(g, p.group(g)).mode_to(errand.place)):
            return self.say(("to", errand.place, MODE_WORDS[mode]), f"{name} {errand.words}")
        if errand is not None and ("extended",) in acts:
            return self.say(("extended",), f"{name} {errand.words}")
        order = orders.attacks.get(u)
        if order is None and flees(g, s, u, p.limit):
            return self.say(("full_retreat",), f"{name} gives up the fight to get out of the pocket")
        if order is not None:
            mode = plan(g, p.group(g)).mode_to(order.place)
            if mode:
                return self.say(
                    ("to", order.place, MODE_WORDS[mode]), f"{name} goes to attack {g.hex_name(order.target)}"
                )
        if p.extended:
            ways = [a for a in acts if a[0] == "to" and (not g.map.is_hex(a[1]) or has_room(g, u, a[1], s.side))]
            if not ways:
                return self.say(HALT, f"{name} finds no room")
            to = best(ways, lambda a: (score_of(g, s, u, a[1]), -a[1]))
            return self.say(to, f"{name} marches up to {g.place_name(to[1])}")
        place, action = weigh(g, s, u, p.limit)
        if action[0] == "extended":
            return self.say(("extended",), f"{name} has a long way to go")
        return self.say(action, f"{name} {destination(g, s, u, p.limit)[1]} {g.place_name(place)}")

    @on(CombatPhase.choose, CombatPhase.exploit)
    def choose_target(self, seat: Seat, p: CombatPhase, found: Options) -> Action:
        g, s = seat
        acts = found.all()
        exploits = [a for a in acts if a[0] == "exploit"]
        if exploits:
            return self.say(exploits[0], "the units of the Automatic DS advance")
        top, chosen, with_ = 0.0, PASS, 0
        weighed = [Weighed(0.0, "stop attacking", PASS)]
        self.weighed = lambda: weighed
        for a in acts:
            if a[0] == "attack":
                got, units = best_group(g, s, a[1])
                got -= self.regret(g, s, a[1], units) if units and got > top else 0.0
                who = f" with {listed([g.name(u) for u in units])}" if units else ""
                why = "" if units else f"below the {s.w.least:.1f} it must promise"
                weighed.append(Weighed(got, f"attack {place_words(g, a[1])}{who}", a, why))
                if units and got > top:
                    top, chosen, with_ = got, a, len(units)
        if chosen is PASS and ("disengagement",) in acts and disengagement(g, s):
            return self.say(("disengagement",), "units in a pocket try to get out of it")
        if chosen is not PASS:
            return self.say(
                chosen, f"an attack on {g.hex_name(chosen[1])} with {with_} units promises {top:.1f} steps' worth"
            )
        return self.say(PASS, "no attack promises enough")

    @on(InitialPhase.act, BuildFortification.where, Revive.where)
    def begin_turn(self, seat: Seat, p: Procedure, found: Options) -> Action:
        g, s = seat
        acts = found.all()
        by: dict[str, list[Action]] = {}
        for a in acts:
            by.setdefault(a[0], []).append(a)
        for verb in ("arrive", "return", "enlist"):
            if verb in by:
                a = best(by[verb], lambda a: (step_worth(g, a[1]), pull_of(g, s, a[2]), -a[2]))
                return self.say(a, f"{g.name(a[1])} arrives where it is needed")
        if "place" in by:
            return self.say(best(by["place"], lambda a: (pull_of(g, s, a[1]), -a[1])), "it returns where it is needed")
        if "fortify" in by:
            a = best(by["fortify"], lambda a: (fort_score(g, s, a[1]), -a[1]))
            return self.say(a, f"{g.hex_name(a[1])} must be held")
        if "winter_offensive" in by:
            return self.say(by["winter_offensive"][0], "the hour of the counter-offensive has come")
        if "release" in by:
            return self.say(by["release"][0], "the reserves are needed")
        for verb, why in (("ready", "artillery for the next attack"), ("offensive", "an offensive is prepared")):
            if verb in by:
                return self.say(
                    best(by[verb], lambda a: (-s.away[g.place[a[1]]] if g.on_map(a[1]) else -FAR, -a[1])), why
                )
        if "build" in by and s.side != AXIS:
            return self.say(by["build"][0], "a Fortification strengthens the defence")
        fit = [a for a in by.get("restore", ()) if restore_score(g, s, a[1]) > -1]
        if fit:
            a = best(fit, lambda a: restore_score(g, s, a[1]))
            return self.say(a, f"{g.name(a[1])} is brought up to strength")
        if "revive" in by:
            a = best(by["revive"], lambda a: (step_worth(g, a[1]), -a[1]))
            return self.say(a, f"{g.name(a[1])} is raised again")
        if "spend" in by:
            return self.say(by["spend"][0], "the supplies are there to be used")
        return self.say(PASS, "nothing is left to do before the move")

    @on(RailroadRepair.advance)
    def repair(self, seat: Seat, p: RailroadRepair, found: Options) -> Action:
        s = seat.s
        acts = found.all()
        ways = [a for a in acts if a[0] == "repair"]
        a = best(ways, lambda a: (s.lure[a[2]] + s.guard[a[2]] - 0.01 * s.away[a[2]], -a[2]))
        return self.say(a, "the railway follows the advance")

    @on(Disengage.who)
    def disengage(self, seat: Seat, p: Disengage, found: Options) -> Action:
        return self.say(*disengage(*seat, found.all()))

    @on(CorrectStacking.eliminate_excess)
    def unstack(self, seat: Seat, p: CorrectStacking, found: Options) -> Action:
        g = seat.g
        return self.say(best(found.all(), lambda a: -step_worth(g, a[1]) * g.steps[a[1]]), "the least unit goes")

    @on(RecoveryPhase.keep)
    def recover(self, seat: Seat, p: RecoveryPhase, found: Options) -> Action:
        return self.say(PASS, "all units recover")


def door_to(action: Action) -> Action:
    """The action that asks for the kind of movement a wanted action belongs to."""
    if action[0] == "rail":
        return BY_RAIL
    return BY_TACTICAL if action[0] == "to" and action[2] == "tactical" else action


def best(acts: Sequence[Action], score: Callable[[Action], Any]) -> Action:
    return max(acts, key=score)


# --- movement --------------------------------------------------------------------------------------------------------


class Orders:
    """What the units do in this Movement Phase."""

    def __init__(self, attacks: dict[Unit, Order]) -> None:
        self.attacks = attacks
        self.settled: set[Unit] = set()
        """Units that stay where they are."""
        self.errands: dict[Unit, Errand] = {}
        """Units that have something to do before anybody attacks."""
        self.reserves: set[Unit] = set()
        """25.2.1 Units that were to be put in Reserve."""


def can_reach(g: Board, u: Unit, place: Place, limit: str) -> bool:
    return bool(plan(g, Group((u,), g.place[u], limit=limit)).mode_to(place))


def can_come(g: Board, u: Unit, place: Place, limit: str) -> bool:
    """The same by Extended Movement as well."""
    group = Group((u,), g.place[u], limit=limit)
    far = group_modes(g, group) & EXTENDED and plan(g, group._replace(extended=True)).mode_to(place)
    return can_reach(g, u, place, limit) or bool(far)


def candidates(g: Board, s: Situation, u: Unit, limit: str) -> list[tuple[Place, Action, float]]:
    """Where a unit can go, by which action, and what that kind of movement costs in comfort."""
    group = Group((u,), g.place[u], limit=limit)
    found: list[tuple[Place, Action, float]] = []
    p = plan(g, group)
    away = s.away[g.place[u]] if g.on_map(u) else FAR
    armed = g.forces.is_asu[u] and (not g.status[u] & FLIPPED or g.offensives[u])
    if armed and away < s.w.rouse:  # 18.2.2, 26.2 it must not move far
        hexes = p.short.hexes if p.short is not None else 0
        return [(h, ("to", h, MODE_WORDS[p.mode_to(h)]), 0.0) for h in members(hexes)]
    word = MODE_WORDS[p.mode]
    found += [(h, ("to", h, word), 0.0) for h in members(p.marched)]
    found += [(h, ("to", h, "tactical"), 0.0) for h in members(p.tactical)]
    if away >= s.w.rouse and group_modes(g, group) & EXTENDED:
        far = plan(g, group._replace(extended=True))
        found += [(h, ("extended", h), 0.1) for h in members(far.marched & ~p.marched)]
    if away >= s.w.rouse and modes(g, u, limit) & RAIL:
        found += [(h, ("rail", h), 0.5) for h in rail.ends(g, u) if g.map.is_hex(h) and s.away[h] > 4]
    return found


def weigh(g: Board, s: Situation, u: Unit, limit: str) -> tuple[Place, Action]:
    """The best place for a unit, and the action that leads there."""
    here = g.place[u]
    top, chosen = score_of(g, s, u, here) + 0.05, (here, HALT)
    if g.on_map(u) and not has_room(g, u, here, s.side):
        top -= 5.0
    for place, action, cost in candidates(g, s, u, limit):
        score = score_of(g, s, u, place) - cost
        if score > top and (not g.map.is_hex(place) or has_room(g, u, place, s.side)):
            top, chosen = score, (place, action)
    return chosen


def places_weighed(g: Board, s: Situation, u: Unit, limit: str) -> list[Weighed]:
    """What the places a unit can go to seemed worth; the best stands for the move."""
    best_place, _ = weigh(g, s, u, limit)
    worth = {g.place[u]: score_of(g, s, u, g.place[u]) + 0.05}
    for place, _, cost in candidates(g, s, u, limit):
        if not g.map.is_hex(place) or has_room(g, u, place, s.side):
            worth[place] = max(worth.get(place, -FAR), score_of(g, s, u, place) - cost)
    return [
        Weighed(
            v,
            f"{g.name(u)} {'stays in' if h == g.place[u] else 'to'} {place_words(g, h)}",
            ("move", u) if h == best_place else ("place", h),
        )
        for h, v in worth.items()
    ]


def destination(g: Board, s: Situation, u: Unit, limit: str) -> tuple[Place, str]:
    place, action = weigh(g, s, u, limit)
    if place in s.vp:
        word = "goes for the Victory Points of" if place in s.their_vp else "guards"
    elif action[0] == "rail":
        word = "is brought up by rail to"
    elif not g.forces.combat[u] or g.forces.is_asu[u]:
        word = "follows to"
    else:
        word = "advances to" if s.side == AXIS else "takes up the line at"
    return place, word


# --- the rest of the turn --------------------------------------------------------------------------------------------


def pull_of(g: Board, s: Situation, place: Place) -> float:
    if g.map.is_hex(place):
        return s.lure[place] * s.temper.lure + s.guard[place] * s.temper.guard - 0.1 * s.away[place]
    hexes = members(g.map.box(place).hexes & g.map.grid.all)
    return max((pull_of(g, s, h) for h in hexes), default=-9.0)


def fort_score(g: Board, s: Situation, h: int) -> float:
    force = sum(s.threat.get(h, ())[:9])
    held = bool(g.sets[COMBAT + s.side] >> h & 1)
    return (3.0 * s.vp.get(h, 0) + s.guard[h] * 0.2 + held) * (1 if force or s.away[h] < 8 else 0.1)


def restore_score(g: Board, s: Situation, u: Unit) -> float:
    """21.4 Units of its hex may not attack: better behind the front, or where nobody would attack."""
    here = g.place[u]
    front = g.map.is_hex(here) and enemy_zoc(g, s.side) >> here & 1
    waits = not g.map.is_hex(here) and here in g.ground.kerch_boxes
    return step_worth(g, u) - (2.0 if front and s.side == AXIS else 0.0) - (0.9 if waits else 0.0)
