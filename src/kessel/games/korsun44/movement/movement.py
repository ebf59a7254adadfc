"""9.0 Movement: who may move, how, where a move may end, and the move itself."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import compress

from kessel.core.breakdown import Refusal
from kessel.core.facts import NOW, fact
from kessel.core.forces import NO_UNIT, Side, Unit
from kessel.core.hexes import Bits, Hex, Hexside
from kessel.core.hexset import bits, spread, within
from kessel.core.procedure import Call, Goto, Out, Procedure, auto, takes
from kessel.core.verbs import Choice
from kessel.games.korsun44.board import (
    ALERT,
    DAY,
    DISORDER,
    GERMAN,
    MOVED,
    NO_FIRE_1,
    NO_FIRE_2,
    ON_FOOT,
    OOS1,
    OOS2,
    OUT,
    REGROUP,
    REPLACED,
    RESERVE,
    RULES,
    SOVIET,
    STANDING,
    STAYS,
    TRUCK,
    Board,
)
from kessel.games.korsun44.combat.alarm import AlarmCombat
from kessel.games.korsun44.data.charts import FOOT, POINT
from kessel.games.korsun44.data.forces import BARRAGE, FIXED
from kessel.games.korsun44.engineering.bridges import bridge_holds
from kessel.games.korsun44.movement.alarm import alarm_step, why_not_attack_alarm
from kessel.games.korsun44.movement.allowance import points
from kessel.games.korsun44.movement.arrival import Arrival, is_quiet
from kessel.games.korsun44.movement.costs import (
    STRATEGIC,
    TACTICAL,
    WALKING,
    class_of,
    kind_of,
    may_walk,
)
from kessel.games.korsun44.movement.fords import fordable_around, seek, why_not_seek
from kessel.games.korsun44.movement.groups import group_of, held_back, releases
from kessel.games.korsun44.movement.search import (
    Party,
    Rules,
    Step,
    Way,
    budgets_of,
    needs_regroup,
    rules_of,
    step_of,
    ways_of,
)
from kessel.games.korsun44.movement.zones import zone_of
from kessel.games.korsun44.special.boundary import may_be_bound, why_not_cross
from kessel.games.korsun44.special.stand_fast import covered_alone, why_not_leave
from kessel.games.korsun44.turn.replacements import spend_at_once
from kessel.games.korsun44.units.alarms import (
    alarm_in,
    convert,
    lone_alarms_beside,
    turn_over,
    why_not_convert,
    why_not_turn_over,
)
from kessel.games.korsun44.units.strength import is_attack_capable, is_extended

HELD = MOVED | ALERT | RESERVE | STAYS
"""Flags with which nobody moves in the Movement Phase."""

# --- who may move --------------------------------------------------------------------------------------------------


def why_not_move(g: Board, u: Unit, reserve: bool = False) -> Refusal | None:
    """Why a unit may not move in this phase (`reserve`: in the Reserve Movement Segment)."""
    f, status = g.forces, g.status[u]
    if not g.on_map(u):
        return Refusal("9.0", f"{g.name(u)} is not on the map")
    if f.move[u] == FIXED:
        return Refusal("17.1.2", f"{g.name(u)} does not move")
    if status & MOVED:
        return Refusal("9.0", f"{g.name(u)} has moved")
    if status & ALERT:
        return Refusal("4.8.2", "an alarm unit does not move while on its alarm side")
    if bool(status & RESERVE) != reserve:
        rule, word = ("9.7", "not in Reserve") if reserve else ("9.6", "in Reserve")
        return Refusal(rule, f"{g.name(u)} is {word}")
    if status & STAYS or (status & REPLACED and f.side[u] == SOVIET):
        return Refusal("8.4", f"{g.name(u)} may not move this turn")
    if held := held_back(g, u):
        return held
    return _why_not_uncover(g, u)


def _why_not_uncover(g: Board, u: Unit) -> Refusal | None:
    """9.10.2 A unit that covers artillery which moved next to the enemy this phase must stay with it."""
    h = g.place[u]
    if u == g._top[h] and g._under[u] == NO_UNIT:
        return None  # alone
    if not is_attack_capable(g, u) or not beside_enemy(g, g.forces.side[u]) >> h & 1:
        return None
    others = [v for v in g.of_side(h, g.forces.side[u]) if v != u]
    if any(is_attack_capable(g, v) for v in others):
        return None
    for v in others:
        if g.status[v] & MOVED and needs_cover(g, v):
            return Refusal("9.10.2", f"{g.name(u)} must stay with {g.name(v)} next to the enemy")
    return None


def needs_cover(g: Board, u: Unit) -> bool:
    """9.10.2 Artillery and engineers that cannot attack."""
    return bool(g.forces.needs_cover[u])


@fact(DAY)
def _movable(g: Board, side: Side) -> list[Unit]:
    """Those that may move at all, and whose formation is not held back."""
    mine = g.on_the_map(side)
    found, turn = compress(mine, map(g.forces.mobile.__getitem__, mine)), g.turn
    first = releases(g) if g.scenario.release else ()
    return [u for u in found if turn >= first[u]] if first else list(found)


@fact(STANDING)
def _guns(g: Board, side: Side) -> list[Unit]:
    mine = g.on_the_map(side)
    return list(compress(mine, map(g.forces.needs_cover.__getitem__, mine)))


@fact(NOW)
def free_to_move(g: Board, side: Side) -> list[Unit]:
    """All units of a side that may move in this phase (`why_not_move`)."""
    status, held = g.status, HELD | REPLACED if side == SOVIET else HELD
    found = [u for u in _movable(g, side) if not status[u] & held]
    covering = _covering(g, side)
    return [u for u in found if u not in covering] if covering else found


def _covering(g: Board, side: Side) -> set[Unit]:
    """9.10.2 The units that must stay with artillery which moved next to the enemy in this phase."""
    moved, found = [v for v in _guns(g, side) if g.status[v] & MOVED], set()
    beside = beside_enemy(g, side) if moved else 0
    for v in moved:
        if beside >> g.place[v] & 1:
            able = [u for u in g.of_side(g.place[v], side) if is_attack_capable(g, u)]
            if len(able) == 1 and able[0] != v:
                found.add(able[0])
    return found


def beside_enemy(g: Board, side: Side) -> Bits:
    """Hexes next to an enemy unit; only those in his zones with that reading of 9.10.2 (Q54)."""
    return zone_of(g, 1 - side) if g.reads("unarmed_stop") == "zones" else next_to(g, 1 - side)


@fact(RULES)
def next_to(g: Board, side: Side) -> Bits:
    """The hexes next to units of a side."""
    return spread(g.map.grid, g.hexes_of(side)) if g.hexes_of(side) else 0


@fact(RULES)
def near_to(g: Board, side: Side) -> Bits:
    """9.4.2 The hexes too near to units of a side for strategic movement of the other."""
    return within(g.map.grid, g.hexes_of(side), g.charts.constants.strategic_distance - 1)


def why_not_strategic(g: Board, u: Unit) -> Refusal | None:
    """9.4.2, 13.5.1, 12.17.2 Why a unit may not use strategic movement."""
    if g.status[u] & DISORDER:
        return Refusal("9.4.2", f"{g.name(u)} is Disorganized or in Regroup")
    if g.status[u] & OUT:
        return Refusal("13.5.1", f"{g.name(u)} is out of supply")
    n = g.charts.constants.strategic_distance
    if near_to(g, 1 - g.forces.side[u]) >> g.place[u] & 1:
        return Refusal("9.4.2", f"{g.name(u)} is less than {n} hexes from an enemy unit")
    return None


def why_not_mode(g: Board, units: tuple[Unit, ...], mode: int, reserve: bool) -> Refusal | None:
    """9.4, 9.1.1 Why these units may not move in that way."""
    if mode == STRATEGIC:
        if reserve:
            return Refusal("9.6", "units in Reserve use tactical movement")
        return next((why for u in units if (why := why_not_strategic(g, u))), None)
    if mode == WALKING:
        if not any(may_walk(g, u) and not g.status[u] & ON_FOOT for u in units):
            return Refusal("9.1.1", "only motorized and mechanized infantry and reconnaissance choose the foot rate")
        for u in units:
            if g.forces.move[u] != FOOT and not may_walk(g, u):
                return Refusal("9.1.1", f"{g.name(u)} cannot move on foot")
    return None


# --- where a move may end ------------------------------------------------------------------------------------------


def why_not_end(g: Board, units: tuple[Unit, ...], h: Hex) -> Refusal | None:
    """Why these units may not end a move in a hex they can get to."""
    side = g.forces.side[units[0]]
    there = [v for v in g.of_side(h, side) if v not in units]
    if any(g.forces.role[v] == BARRAGE for v in there):
        return Refusal("17.1.2", f"a barrage unit is in {g.hex_name(h)}; nobody may stay with it")
    if beside_enemy(g, side) >> h & 1 and not any(is_attack_capable(g, v) for v in (*there, *units)):
        for u in units:
            if needs_cover(g, u):
                return Refusal("9.10.2", f"{g.name(u)} may not end its move next to the enemy without cover")
    for u in units:
        if why := why_not_cross(g, u, h) or why_not_leave(g, u, h):
            return why
    return None


def ends_of(g: Board, party: Party) -> list[Hex]:
    """The hexes a party may end a move in, in ascending order: only those are looked at one by one where something
    could forbid it."""
    found, doubtful = sorted(ways_of(g, party).spent_at), _doubtful(g, party)
    if not doubtful:
        return found
    return [h for h in found if not doubtful >> h & 1 or why_not_end(g, party.units, h) is None]


def _doubtful(g: Board, party: Party) -> Bits:
    """The hexes a party might not be allowed to end a move in; it may hold others, or (-1) all there are."""
    f, units = g.forces, party.units
    doubtful = bits(g.place[v] for v in f.of_role[party.side][BARRAGE] if g.on_map(v))
    if not any(is_attack_capable(g, u) for u in units) and any(needs_cover(g, u) for u in units):
        doubtful |= beside_enemy(g, party.side)
    if may_be_bound(g, party.side) or (party.side == GERMAN and any(covered_alone(g, u) for u in units)):
        return -1
    return doubtful


def why_not_to(g: Board, party: Party, h: Hex) -> Refusal | None:
    """Why a party may not move to a hex; None if it may."""
    way = ways_of(g, party)
    if way.hexes >> h & 1:
        return why_not_end(g, party.units, h)
    here = g.place[party.units[0]]
    if h == here:
        return Refusal("9.0", "the units are there already")
    r = rules_of(g, party)
    if g.map.grid.adjacent(here, h):
        step = step_of(g, party, r, here, g.map.grid.direction(here, h), h, first=party.first)
        if isinstance(step, Refusal):
            return step
    elif not r.open >> h & 1 and g.enemies_in(h, party.side):
        return Refusal("9.10.4", f"an enemy unit is in {g.hex_name(h)}")
    left = (party.left - max(party.spent)) / POINT
    return Refusal("9.0", f"{g.hex_name(h)} is out of reach with {left:g} Movement Points")


# --- one move ------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Move(Procedure):
    """9.0 One unit, or a stack, moves until it halts or can go no further."""

    about_units = ("units",)
    side: int
    units: tuple[int, ...]
    reserve: bool = False
    mode: int = TACTICAL
    spent: tuple[int, ...] = ()
    first: bool = True
    stopped: bool = False
    path: tuple[int, ...] = ()
    """What is left of the way chosen."""
    entered: int = 0
    """Hexes entered."""
    zoc_to_zoc: bool = False
    swam: bool = False
    fired: tuple[int, ...] = ()
    """9.11 Hexes that have intercepted this move."""
    target: int = -1
    """9.12 The hex of the alarm unit that was attacked."""

    def party(self, g: Board) -> Party:
        left = min([points(g, u, self.mode, self.reserve) for u in self.units]) * POINT
        spent = self.spent or (0,) * len(self.units)
        return Party(self.side, self.units, self.mode, left, spent, self.first)

    def why_not_to(self, g: Board, h: Hex) -> Refusal | None:
        return why_not_to(g, self.party(g), h)

    def why_not_join(self, g: Board, u: Unit) -> Refusal | None:
        if not self.first:
            return Refusal("9.9.4", "a stack moves together from its first hex on")
        if u in self.units:
            return Refusal("9.9.4", f"{g.name(u)} moves already")
        if g.forces.side[u] != self.side or g.place[u] != g.place[self.units[0]]:
            return Refusal("9.9.4", f"{g.name(u)} is not in the hex")
        if is_extended(g, u):
            return Refusal("4.7.1", f"{g.name(u)} is extended and moves with its marker")
        group = group_of(g, u)
        return next((why for v in group if (why := why_not_move(g, v, self.reserve))), None) or why_not_mode(
            g, group, self.mode, self.reserve
        )

    def why_not_mode(self, g: Board, mode: int) -> Refusal | None:
        if not self.first:
            return Refusal("9.4", "the way of moving is chosen before the first hex")
        if self.mode != TACTICAL:
            return Refusal("9.4", "the way of moving is chosen once")
        return why_not_mode(g, self.units, mode, self.reserve)

    go = Choice("side", "9.0", "Move the units, or halt.")

    @go.verb("halt")
    def halt(self, g: Board) -> Out:
        return Goto("finish")

    def may_change(self, g: Board, mode: int) -> bool:
        chosen = not self.first or self.mode != TACTICAL
        return not chosen and why_not_mode(g, self.units, mode, self.reserve) is None

    @go.verb(
        "strategic", legal=lambda p, g: p.may_change(g, STRATEGIC), why_not=lambda p, g: p.why_not_mode(g, STRATEGIC)
    )
    def strategic(self, g: Board) -> Out:
        return self._change(STRATEGIC)

    @go.verb("on_foot", legal=lambda p, g: p.may_change(g, WALKING), why_not=lambda p, g: p.why_not_mode(g, WALKING))
    def on_foot(self, g: Board) -> Out:
        return self._change(WALKING)

    def _change(self, mode: int) -> Out:
        self.mode = mode
        return Goto("go")

    def others(self, g: Board) -> list[Unit]:
        """The units that stand with it before it goes."""
        here = g.of_side(g.place[self.units[0]], self.side) if self.first else []
        return [u for u in here if u not in self.units]

    @go.verb("join", among=lambda p, g: p.others(g), why_not=why_not_join)
    def join(self, g: Board, u: Unit) -> Out:
        self.units = tuple(sorted({*self.units, *group_of(g, u)}))
        return Goto("go")

    @go.verb("to", legal=lambda p, g: ends_of(g, p.party(g)), why_not=why_not_to)
    def to(self, g: Board, h: Hex) -> Out:
        self.path = ways_of(g, self.party(g)).path(h)
        if g.events is not None:
            for u in self.units:
                g.tell_way(u, "moves to", self.path, "9.4")
        return None

    def why_not_here(self, g: Board, h: Hex) -> Refusal | None:
        """4.8.2, 8.6.3 Germans deal with the alarm unit of the hex they move through."""
        if self.side != GERMAN or h != g.place[self.units[0]]:
            return Refusal("4.8.2", "only the alarm unit in the hex of moving Germans is meant")
        return None

    def alarm_here(self, g: Board) -> tuple[Hex, ...]:
        """The hex of moving Germans, if an alarm unit is in it."""
        h = g.place[self.units[0]]
        return (h,) if self.side == GERMAN and alarm_in(g, h) != NO_UNIT else ()

    @go.verb(
        "turn_over",
        among=lambda p, g: p.alarm_here(g),
        why_not=lambda p, g, h: p.why_not_here(g, h) or why_not_turn_over(g, h),
    )
    def turn_over(self, g: Board, h: Hex) -> Out:
        turn_over(g, alarm_in(g, h), "4.8.2")
        return Goto("go")

    @go.verb(
        "convert_alarm",
        among=lambda p, g: [(h, k) for h in p.alarm_here(g) for k in g.charts.game.formations.german_korps],
        why_not=lambda p, g, h, korps: p.why_not_here(g, h) or why_not_convert(g, h, korps),
    )
    def convert_alarm(self, g: Board, h: Hex, korps: str) -> Out:
        convert(g, h, korps)
        now = spend_at_once(g, korps)
        return Goto("go") if now is None else Call(now, again=True)

    @go.verb(
        "seek_ford",
        among=lambda p, g: fordable_around(g, g.place[p.units[0]]) if g.plays("fords") else (),
        why_not=lambda p, g, s: why_not_seek(g, p.side, p.units, s, p.entered),
    )
    def seek_ford(self, g: Board, hexside: Hexside) -> Out:
        """18.6 Look for a ford."""
        seek(g, self.side, hexside)
        return Goto("go")

    @go.verb(
        "attack_alarm",
        among=lambda p, g: lone_alarms_beside(g, g.place[p.units[0]]) if p.side == SOVIET else (),
        why_not=lambda p, g, h: why_not_attack_alarm(g, p.party(g), h),
    )
    def attack_alarm(self, g: Board, h: Hex) -> Out:
        """9.12 Pay, turn the alarm unit over, and fight; who wins must enter the hex."""
        party = self.party(g)
        step = alarm_step(g, party, h)
        if isinstance(step, Refusal):
            raise AssertionError(step)
        self._pay(g, party, rules_of(g, party), step)
        self.first, self.target = False, h
        turn_over(g, alarm_in(g, h), "9.12")
        able = tuple(u for u in self.units if is_attack_capable(g, u))
        return Call(AlarmCombat(self.side, able, h))

    @takes(AlarmCombat)
    def fought(self, g: Board, value: bool) -> None:
        """9.12 Whether the units may go on."""
        kept = [(u, s) for u, s in zip(self.units, self.spent, strict=True) if g.on_map(u)]
        self.units, self.spent = tuple(u for u, _ in kept), tuple(s for _, s in kept)
        self.stopped |= not value

    @auto("9.12")
    def enter(self, g: Board) -> Out:
        """9.12 The attackers must enter the hex the alarm unit has left."""
        h, self.target = self.target, -1
        if h < 0 or not self.units or g.units(h):
            return None
        a = g.place[self.units[0]]
        if not g.map.grid.adjacent(a, h):
            return None
        for u in self.units:
            g.put(u, h)
        self.entered += 1
        return Call(Arrival(self.side, self.units, a, h, self.fired, self.reserve))

    @auto("9.0")
    def walk(self, g: Board) -> Out:
        """Go hex by hex: others may react in each."""
        if not self.units or self.stopped:
            return None
        party = self.party(g)
        rules = rules_of(g, party)
        while self.path and not self.stopped:
            a, b = g.place[self.units[0]], self.path[0]
            if not self._step(g, party, rules, a, b):
                self.path = ()
            elif not is_quiet(g, self.side, b):
                return Call(Arrival(self.side, self.units, a, b, self.fired, self.reserve), again=True)
            else:
                party = self.party(g)
        return None if self.stopped else Goto("go")

    def _step(self, g: Board, party: Party, rules: Rules, a: Hex, b: Hex) -> bool:
        """Enter the next hex, unless what happened meanwhile has made it impossible."""
        step = self._next_step(g, party, rules, a, b)
        if step is None or not bridge_holds(g, self.units, a, b):
            return False
        self._pay(g, party, rules, step)
        for u in self.units:
            g.put(u, b)
        self.path, self.first = self.path[1:], False
        self.entered += 1
        if g.reads("oos2_when") == "at_once":
            for u in self.units:
                tire(g, u, self.mode, self.entered)
        return True

    def _next_step(self, g: Board, party: Party, rules: Rules, a: Hex, b: Hex) -> Step | None:
        """The next step, unless what happened meanwhile has made it impossible."""
        step = step_of(g, party, rules, a, g.map.grid.direction(a, b), b, first=self.first)
        if isinstance(step, Refusal):
            return None
        if self.first or _can_pay(g, party, rules, step) or b in ways_of(g, party).spent_at:
            return step
        return None

    def _pay(self, g: Board, party: Party, rules: Rules, step: Step) -> None:
        kinds, cost = rules.kinds, step.cost * len(self.units)
        if len(kinds) > 1:
            cost = tuple(step.cost[kinds.index(kind_of(g, u, self.mode))] for u in self.units)
        left = party.left
        spent = [left if step.whole else s + c + step.onward for s, c in zip(party.spent, cost, strict=True)]
        self.spent, self.stopped = tuple(spent), step.ends or max(spent) > left
        self.zoc_to_zoc |= step.from_zoc_to_zoc
        self.swam |= step.whole

    @takes(Arrival)
    def after(self, g: Board, value: tuple[tuple[int, ...], tuple[int, ...], bool]) -> None:
        """Some may have been lost or halted on the way, with those that stay with them (4.5.4)."""
        self.fired, halted, stop = value
        held = {v for u in halted if g.on_map(u) for v in group_of(g, u)}
        gone = [u for u in self.units if u in held or not g.on_map(u)]
        for u in gone:
            if g.on_map(u):
                end_move(g, u, self)
        kept = [(u, s) for u, s in zip(self.units, self.spent, strict=True) if u not in gone]
        self.units = tuple(u for u, _ in kept)
        self.spent = tuple(s for _, s in kept)
        self.stopped |= stop

    @auto("9.0")
    def finish(self, g: Board) -> Out:
        for u in self.units:
            end_move(g, u, self)
        return None


def _can_pay(g: Board, party: Party, rules: Rules, step: Step) -> bool:
    if len(step.cost) == 1:
        return not step.whole and max(party.spent) + step.cost[0] <= party.left
    left = budgets_of(g, party, rules.kinds)
    return not step.whole and all(c <= b for c, b in zip(step.cost, left, strict=True))


def end_move(g: Board, u: Unit, p: Move) -> None:
    """What the end of a move puts on a unit: 9.4.2, 9.10.3, 10.3.2, 9.2.1.2, 13.5."""
    f = g.forces
    g.set_status(u, MOVED)
    g.set_status(u, TRUCK, on=False)
    if not p.entered:
        return
    if p.zoc_to_zoc and needs_regroup(g, u, p.units) and not g.status[u] & DISORDER:
        g.set_status(u, REGROUP)
        g.tell(f"{g.name(u)} went from ZOC to ZOC and is in Regroup", "10.3.2", unit=g.id(u))
    if p.mode == STRATEGIC and (f.artillery[u] or f.engineer[u]):
        g.set_status(u, REGROUP)
        g.tell(f"{g.name(u)} is in Regroup after strategic movement", "9.4.2", unit=g.id(u))
    silence(g, u)
    if p.swam and f.move[u] != FOOT:
        g.set_status(u, ON_FOOT)
        g.tell(f"{g.name(u)} leaves its vehicles behind the river", "9.2.1", unit=g.id(u))
    tire(g, u, p.mode, p.entered)


def silence(g: Board, u: Unit) -> None:
    """9.10.3 Some guns that have moved, in whatever way, get a No Fire marker."""
    if level := g.forces.counters[u].no_fire:
        g.set_status(u, NO_FIRE_2 if level == 2 else NO_FIRE_1)


def tire(g: Board, u: Unit, mode: int, entered: int) -> None:
    """13.4.1, 13.5.1 A vehicle out of supply that moves more than a hex is OOS2 (Q18: when its move ends)."""
    if g.status[u] & OOS1 and class_of(g, u, mode) != FOOT and entered > 1:
        g.set_status(u, OOS1, on=False)
        g.set_status(u, OOS2)
        g.tell(f"{g.name(u)} moved out of supply and is OOS2", "13.4.1", unit=g.id(u))


def reach_of(g: Board, u: Unit, mode: int = TACTICAL) -> Way:
    """Where a unit could go by itself from where it stands, for questions and programs."""
    units = group_of(g, u)
    left = min(points(g, v, mode) for v in units) * POINT
    return ways_of(g, Party(g.forces.side[u], units, mode, left, (0,) * len(units), True))
