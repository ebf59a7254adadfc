"""16.5 Every man for himself: the Breakout Phase."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.breakdown import Breakdown, Refusal
from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.core.hexset import bits, members
from kessel.core.procedure import AGAIN, DONE, Call, Goto, Out, Procedure, Return, auto, takes
from kessel.core.verbs import Choice
from kessel.games.korsun44.board import (
    DEAD,
    DISORDER,
    DISORGANIZED,
    GERMAN,
    MOVED,
    SAVED,
    SEEN,
    SOVIET,
    STEMMERMANN,
    Board,
)
from kessel.games.korsun44.combat.battle import BREAKTHROUGH_SEGMENT, Battle
from kessel.games.korsun44.combat.entering import why_not_cross
from kessel.games.korsun44.combat.losses import Loss, attacker_pool, defender_pool
from kessel.games.korsun44.combat.odds import final_column, first_column, result_at
from kessel.games.korsun44.combat.retreat import disorganize
from kessel.games.korsun44.combat.strengths import terrain_points
from kessel.games.korsun44.data.forces import PART, UNIT
from kessel.games.korsun44.engineering.bridges import bridge_holds, note_crossing
from kessel.games.korsun44.movement.stacking import why_not_stack
from kessel.games.korsun44.special.breakout import in_pocket, outside
from kessel.games.korsun44.units.breakdown import worst_of
from kessel.games.korsun44.units.strength import is_attack_capable, strength

WAVES = 4
SURPRISES = 2
"""16.5.3 How many attacks of the first wave surprise."""


@dataclass(slots=True)
class BreakoutPhase(Procedure):
    """16.5 Consolidation, a move of one hex, four waves."""

    side: int = GERMAN

    @auto("16.5.1")
    def begin(self, g: Board) -> Out:
        g.clear_flags(MOVED)
        return None

    join = Choice("side", "16.5.1", "Combine units of a division, or combine no more.", passing=None)

    @join.verb("merge", legal=lambda p, g: mergers(g), why_not=lambda p, g, u, into: why_not_merge(g, u, into))
    def merge(self, g: Board, u: Unit, into: Unit) -> Out:
        merge(g, u, into)
        return AGAIN

    move = Choice("side", "16.5.2", "Move a unit one hex, or end the movement.", passing=None)

    @move.verb(
        "one_hex",
        legal=lambda p, g: [(u, h) for u in in_pocket(g) for h in g.map.grid.around[g.place[u]]
                            if why_not_one_hex(g, u, h) is None],
        why_not=lambda p, g, u, h: why_not_one_hex(g, u, h),
    )  # fmt: skip
    def one_hex(self, g: Board, u: Unit, h: Hex) -> Out:
        a = g.place[u]
        if not bridge_holds(g, (u,), a, h):
            return AGAIN
        g.tell_way(u, "moves to", (h,), "16.5.2")
        g.put(u, h)
        note_crossing(g, GERMAN, a, h)
        g.set_status(u, MOVED)
        return AGAIN

    @auto("16.5.3")
    def waves(self, g: Board) -> Out:
        g.clear_flags(MOVED)
        return Waves(GERMAN)


# --- 16.5.1 consolidation ------------------------------------------------------------------------------------------


def steps_given(g: Board, u: Unit) -> int:
    """16.5.1, 8.6.2 The steps a unit is worth: an artillery regiment two, a battalion of guns one."""
    c = g.charts.constants
    if g.forces.artillery[u]:
        return c.regiment_conversion if g.forces.counters[u].gun_regiment else c.battalion_conversion
    return g.steps[u]


def why_not_merge(g: Board, u: Unit, into: Unit) -> Refusal | None:
    """16.5.1 Why a unit may not become part of an infantry regiment of its division."""
    f = g.forces
    if not g.on_map(u) or not g.status[u] & STEMMERMANN or u == into or f.role[u] not in (UNIT, PART):
        return Refusal("16.5.1", f"{g.name(u)} is no other unit of Gruppe Stemmermann on the map")
    if f.armor[u]:
        return Refusal("16.5.1", "armor units do not combine")
    if not f.division[u] or f.division[into] != f.division[u]:
        return Refusal("16.5.1", f"{g.name(into)} is not of the same division")
    if f.role[into] != UNIT or not f.infantry_type[into] or not f.counters[into].chit:
        return Refusal("16.5.1", f"{g.name(into)} is no infantry regiment")
    if g.on_map(into):
        if g.place[into] != g.place[u]:
            return Refusal("16.5.1", f"{g.name(into)} is not in the hex")
    elif g.box[into] != DEAD:
        return Refusal("16.5.1", f"{g.name(into)} is neither in the hex nor eliminated")
    elif g.status[into] & MOVED:
        return Refusal("16.5.1", f"{g.name(into)} was combined with others in this phase")
    most = min(g.charts.constants.breakout_regiment, f.full_steps[into])
    if g.steps[into] + steps_given(g, u) > most:
        return Refusal("16.5.1", f"{g.name(into)} would have more than {most} steps")
    return None


def mergers(g: Board) -> list[tuple[Unit, Unit]]:
    f = g.forces
    regiments = [r for r in f.of_side(GERMAN) if f.role[r] == UNIT and f.counters[r].chit and f.division[r]]
    able = [u for u in in_pocket(g) if f.division[u] and not f.armor[u] and f.role[u] in (UNIT, PART)]
    pairs = [(u, r) for u in able for r in regiments if f.division[r] == f.division[u]]
    return [(u, r) for u, r in pairs if why_not_merge(g, u, r) is None]


def merge(g: Board, u: Unit, into: Unit) -> None:
    """16.5.1, 4.6.5 The regiment has the steps of both, in the worse order; the other unit is gone, scoring nothing."""
    h, given, status = g.place[u], steps_given(g, u), g.status[u]
    g.tell(f"{g.name(u)} joins {g.name(into)}", "16.5.1", unit=g.id(u))
    g.steps[u] = 0
    g.take_off(u, DEAD)
    g.set_status(u, MOVED)
    g.set_steps(into, g.steps[into] + given)
    if not g.on_map(into):
        g.put(into, h)
        g.set_status(into, STEMMERMANN)
    g.become(into, worst_of(g.status[into] | status & DISORDER))


# --- 16.5.2 one hex ------------------------------------------------------------------------------------------------


def why_not_pass(g: Board, u: Unit, a: Hex, h: Hex) -> Refusal | None:
    """What terrain forbids: zones and costs do not matter."""
    if not g.map.grid.adjacent(a, h) or not g.playable >> h & 1:
        return Refusal("16.5.3", f"{g.hex_name(h)} is not next to the unit")
    return why_not_cross(g, u, a, h)


def why_not_crowd(g: Board, h: Hex, units: tuple[Unit, ...], rule: str) -> Refusal | None:
    """16.5.2 The usual limits, but divisions may mix."""
    why = why_not_stack(g, GERMAN, h, units, mixed=True)
    return Refusal(rule, why.reason) if why else None


def why_not_one_hex(g: Board, u: Unit, h: Hex) -> Refusal | None:
    """16.5.2 Why a unit may not make the move of one hex."""
    if u not in in_pocket(g) or g.status[u] & MOVED:
        return Refusal("16.5.2", f"{g.name(u)} is not of Gruppe Stemmermann, or has moved")
    if g.enemies_in(h, GERMAN):
        return Refusal("16.5.2", f"an enemy unit is in {g.hex_name(h)}")
    return why_not_pass(g, u, g.place[u], h) or why_not_crowd(g, h, (u,), "16.5.2")


# --- 16.5.3 waves --------------------------------------------------------------------------------------------------


def wave_of(g: Board, h: Hex) -> int:
    """16.5.3 The wave of a hex: by its distance to Germans outside the pocket."""
    near = [g.map.grid.distance(h, x) for x in members(outside(g))]
    distances = g.charts.game.breakout_waves
    return next((n for n, most in enumerate(distances, 1) if near and min(near) <= most), WAVES)


@dataclass(slots=True)
class StackMove(Procedure):
    """16.5.3 One stack goes up to four hexes and attacks whatever Soviets it meets."""

    side: int
    units: tuple[int, ...]
    before: tuple[int, ...]
    """The hexes attacked before, as far as they count for surprise."""
    first_wave: bool
    entered: int = 0
    fights: tuple[int, ...] = ()

    def has_surprise(self, g: Board, h: Hex) -> bool:
        """16.5.3, Q47 The first and the second stack that attack in the first wave, not in the same hex."""
        any_fight = g.reads("breakout_surprise") == "any_fight"
        known = (*self.before, *(self.fights if any_fight else ()))
        first = any_fight or not self.fights
        return self.first_wave and first and len(known) < SURPRISES and h not in known

    def why_not_to(self, g: Board, h: Hex) -> Refusal | None:
        if self.entered >= g.charts.constants.breakout_move:
            return Refusal("16.5.3", f"a stack goes {g.charts.constants.breakout_move} hexes at most")
        for u in self.units:
            if why := why_not_pass(g, u, g.place[u], h):
                return why
        if g.of_side(h, SOVIET) and not any(is_attack_capable(g, u) for u in self.units):
            return Refusal("16.5.3", "nobody in the stack can attack")
        last = self.entered + 1 >= g.charts.constants.breakout_move
        saved = outside(g) >> h & 1
        return why_not_crowd(g, h, self.units, "16.5.3") if last and not saved else None

    go = Choice("side", "16.5.3", "Move the stack on, or halt.", when=lambda p, g: bool(p.units))

    @go.verb("halt", why_not=lambda p, g: p.why_not_halt(g))
    def halt(self, g: Board) -> Out:
        return Goto("end")

    def why_not_halt(self, g: Board) -> Refusal | None:
        h = g.place[self.units[0]]
        if not self.entered:
            return None
        return why_not_crowd(g, h, self.units, "16.5.3") if self._can_go_on(g) else None

    def _can_go_on(self, g: Board) -> bool:
        return any(self.why_not_to(g, n) is None for n in g.map.grid.around[g.place[self.units[0]]])

    @go.verb(
        "to",
        legal=lambda p, g: bits(n for n in g.map.grid.around[g.place[p.units[0]]] if p.why_not_to(g, n) is None),
        why_not=why_not_to,
    )
    def to(self, g: Board, h: Hex) -> Out:
        a = g.place[self.units[0]]
        if not bridge_holds(g, self.units, a, h):
            return AGAIN
        note_crossing(g, GERMAN, a, h)
        saved = outside(g) >> h & 1
        for u in self.units:
            g.tell_way(u, "breaks out to", (h,), "16.5.3")
            g.put(u, h)
        self.entered += 1
        if saved:
            save(g, self.units)
            self.units = ()
            return Goto("end")
        if g.of_side(h, SOVIET):
            surprise = self.has_surprise(g, h)
            self.fights = (*self.fights, h)
            return Call(Fight(GERMAN, self.units, h, surprise))
        return Goto("after")

    @auto("16.5.3")
    def after(self, g: Board) -> Out:
        self.units = tuple(u for u in self.units if g.on_map(u))
        if not self.units:
            return None
        return Goto("go") if self.entered < g.charts.constants.breakout_move else None

    @auto("16.5.3")
    def end(self, g: Board) -> Out:
        for u in self.units:
            if g.on_map(u):
                g.set_status(u, MOVED)
        return Return(self.fights)


@dataclass(slots=True)
class Waves(Procedure):
    """16.5.3 Stacks break out wave by wave, each hex as one stack."""

    side: int
    wave: int = 1
    planned: tuple[int, ...] = ()
    """The hexes of this wave that have not moved yet."""
    fought: tuple[int, ...] = ()
    """16.5.3 The hexes attacked so far, as far as they count for surprise."""

    @auto("16.5.3")
    def next_wave(self, g: Board) -> Out:
        if self.wave > WAVES:
            return DONE
        hexes = sorted({g.place[u] for u in in_pocket(g) if not g.status[u] & MOVED})
        self.planned = tuple(h for h in hexes if wave_of(g, h) <= self.wave)
        return None

    pick = Choice("side", "16.5.3", "Choose the stack that breaks out, or end the wave.", passing=Goto("end_wave"))

    @pick.verb("break_out", legal=lambda p, g: p.planned, why_not=lambda p, g, h: p.why_not_go(g, h))
    def go(self, g: Board, h: Hex) -> Out:
        self.planned = tuple(x for x in self.planned if x != h)
        units = tuple(u for u in g.of_side(h, GERMAN) if g.status[u] & STEMMERMANN and not g.status[u] & MOVED)
        return Call(StackMove(GERMAN, units, self.fought, self.wave == 1), again=True)

    @takes(StackMove)
    def has_fought(self, g: Board, value: tuple[int, ...]) -> None:
        """Q47 The first fight of each stack counts, or every fight."""
        self.fought += value if g.reads("breakout_surprise") == "any_fight" else value[:1]

    def why_not_go(self, g: Board, h: Hex) -> Refusal | None:
        if h in self.planned:
            return None
        return Refusal("16.5.3", f"no stack of wave {self.wave} that has not moved is in {g.hex_name(h)}")

    @auto("16.5.3")
    def end_wave(self, g: Board) -> Out:
        for h in self.planned:
            for u in g.of_side(h, GERMAN):
                g.set_status(u, MOVED)
        self.wave += 1
        return Goto("next_wave")


def save(g: Board, units: tuple[Unit, ...]) -> None:
    """16.5.3 Units that reach Germans outside are out, and score."""
    for u in units:
        g.set_track("steps_saved", g.track("steps_saved") + g.steps[u])
        g.tell(f"{g.name(u)} is out of the pocket", "16.5.3", unit=g.id(u))
        g.take_off(u, SAVED)


# --- combat --------------------------------------------------------------------------------------------------------


def fight_strength(g: Board, name: str, units: tuple[Unit, ...]) -> Breakdown:
    """16.5.3 Strengths, halved for Disorganized and Regroup alone."""
    total = Breakdown(name)
    for u in units:
        one = Breakdown(g.name(u)).add(g.name(u), strength(g, u), "4.4")
        if g.status[u] & DISORDER:
            one.halve(f"{g.name(u)} is Disorganized or in Regroup", "16.5.3")
        total.join(one)
    return total


@dataclass(slots=True)
class Fight(Procedure):
    """16.5.3 A stack attacks the Soviets in its hex: steps and D alone count."""

    side: int
    units: tuple[int, ...]
    where: int
    surprise: bool
    mine: int = 0
    theirs: int = 0
    first: bool = True
    """The next loss is a side's first."""

    def battle(self, g: Board) -> Battle:
        attackers = tuple(u for u in self.units if g.on_map(u) and is_attack_capable(g, u))
        return Battle(GERMAN, BREAKTHROUGH_SEGMENT, (self.where,), attackers, tuple(g.of_side(self.where, SOVIET)))

    @auto("16.5.3")
    def resolve(self, g: Board) -> Out:
        c = g.charts.constants
        b = self.battle(g)
        attackers, defenders = b.attackers, b.defenders
        for u in (*attackers, *defenders):
            g.set_status(u, SEEN)
        g.reveal()
        attack, defence = fight_strength(g, "attack", attackers), fight_strength(g, "defence", defenders)
        if g.reads("breakout_terrain") == "points":
            defence.join(terrain_points(g, b, self.where))
        shifts = Breakdown("shifts")
        if any(g.forces.armor[u] for u in self.units):
            shifts.add("armor in the stack", c.breakout_armor, "16.5.3")
        if self.surprise:
            shifts.add("surprise", c.breakout_first, "16.5.3")
        column = final_column(g, first_column(g, attack.total, defence.total), shifts.total)
        dice = g.die() + g.die()
        result = result_at(g, column.at, dice)
        where = g.place_words(self.where)
        g.tell(f"breakout at {where}: {attack}; {defence}; {shifts}; dice {dice}: {result.text}", "16.5.3")
        self.mine, self.theirs = result.attacker.steps, result.defender.steps
        spared = all(g.status[u] & DISORGANIZED for u in defenders)  # 12.17.1
        if (result.attacker.disorganized or column.attacker_d) and not spared:
            for u in self.units:
                disorganize(g, u, "16.5.3", "the breakout")
        if result.defender.disorganized or column.defender_d:
            for u in defenders:
                disorganize(g, u, "16.5.3", "the breakout")
        return None

    @auto("12.12.3")
    def attackers_lose(self, g: Board) -> Out:
        """Steps are lost as in any combat: by the strongest infantry first."""
        for u in (*self.units, *g.of_side(self.where, SOVIET)):
            g.set_status(u, SEEN, on=False)
        b = self.battle(g)
        if not self.mine or not b.attackers:
            self.first = True
            return None
        pool = attacker_pool(g, b, (), self.first)
        self.mine, self.first = self.mine - 1, False
        return Call(Loss(GERMAN, pool, "12.12.3"), again=True)

    @auto("12.12.4")
    def defenders_lose(self, g: Board) -> Out:
        b = self.battle(g)
        if not self.theirs or not b.defenders:
            return None
        pool = defender_pool(g, b, self.first)
        self.theirs, self.first = self.theirs - 1, False
        return Call(Loss(SOVIET, pool, "12.12.4"), again=True)


def breakout_phase(g: Board) -> Procedure | None:
    return BreakoutPhase()
