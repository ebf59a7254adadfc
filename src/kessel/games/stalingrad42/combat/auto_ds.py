"""8.6 Automatic DS: a shattering attack made during the Movement Phase."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.breakdown import Refusal
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import members, spread
from kessel.core.procedure import DONE, Action, Call, Goto, Out, auto
from kessel.core.verbs import Choice
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import AUTO_DS, COMBAT, DISRUPTED, FULL_RETREAT, IN_PLAY, SHATTERED, TRAIN
from kessel.games.stalingrad42.columns import DONE as HAS_MOVED
from kessel.games.stalingrad42.combat.after.retreat import Retreat, leave_behind
from kessel.games.stalingrad42.combat.battle import RETREATS, Battle, take_part
from kessel.games.stalingrad42.combat.crt import column_name, tables
from kessel.games.stalingrad42.combat.results import StepLoss, defenders_to_lose
from kessel.games.stalingrad42.combat.strength.air import release_air
from kessel.games.stalingrad42.combat.strength.eligibility import (
    attackers_of,
    exposed,
    must_look,
    why_not_attack,
    why_not_mix,
    why_not_target,
    why_not_way,
)
from kessel.games.stalingrad42.combat.strength.shifts import assess, ground_shift, tank_shift_bar
from kessel.games.stalingrad42.combat.strength.strengths import Attack, defenders, defense_strength, sheet
from kessel.games.stalingrad42.data.forces import AXIS, AXIS_ALLIES
from kessel.games.stalingrad42.movement.maskirovka import called_out
from kessel.games.stalingrad42.movement.ways.stacking import CorrectStacking, stack_excess
from kessel.wargame.board import other

DECLARE: Action = ("declare",)


def contributors(g: Board, h: Hex, side: Side) -> list[Unit]:
    """A38: who may add strength: adjacent units able to attack now (or all adjacent ones, switch auto_ds_who)."""
    if g.reads("auto_ds_who") == "able_to_attack":
        return [u for u in attackers_of(g, h, side) if g.map.is_hex(g.place[u])]
    found = []
    for n in g.map.grid.around[h]:
        for u in g.units(n):
            own = g.forces.side[u] == side and g.forces.combat[u] and g.face(u).attack
            if own and not g.status[u] & AUTO_DS and why_not_way(g, u, h) is None:
                found.append(u)
    return found


def why_not_contribute(g: Board, u: Unit, h: Hex, side: Side) -> Refusal | None:
    if u in contributors(g, h, side):
        return None
    if not g.map.is_hex(g.place[u]):
        return Refusal("22.4", f"{g.name(u)} is not adjacent to any enemy while it is off the map")
    return why_not_attack(g, u, h, side) or Refusal("8.6.1", f"{g.name(u)} cannot add to the Automatic DS")


def why_not_auto_ds(g: Board, a: Attack) -> Refusal | None:
    """8.6.1 10-1 odds must be ensured, with Tank Shifts but without Air and Artillery Shifts."""
    if not a.units:
        return Refusal("8.6.1", "no unit takes part yet")
    now = assess(g, a)
    if now.automatic:
        return None
    return Refusal("8.6.1", f"the odds are {column_name(now.at)}; an Automatic DS needs 10-1")


# --- what is possible ------------------------------------------------------------------------------------------------


def needed(g: Board, h: Hex, side: Side) -> int:
    """The least Attack Strength that could make an Automatic DS against a hex; beyond the cap if none does."""
    enemy = other(side)
    b = sheet("ground", quiet=True)
    ground_shift(g, h, enemy, b)
    tanks = 0 if tank_shift_bar(g, h, enemy) else 2 if side == AXIS else 1
    columns = tables(g.charts).automatic + 1 - tanks - b.total
    return columns * defense_strength(g, Attack(side, h, ())).total


def weakest(g: Board, h: Hex, side: Side) -> int:
    """A lower bound of the Defense Strength in a hex, at a glance: nothing doubled, everything that lowers it; of a
    crowd, in which some may be beyond the Stacking Limit, the two weakest units."""
    f, status, under = g.forces, g.status, g._under
    found: list[int] = []
    u = g._top[h]
    while u >= 0:
        s = status[u]
        if f.side[u] != side and not s & FULL_RETREAT:
            face = f.faces[u][g.steps[u]]
            if not face.parenthesized and face.defense:
                plain = face.defense if not s & DISRUPTED else -(-face.defense // 2)
                found.append(1 if s & TRAIN else plain - (face.defense > 2))
        u = under[u]
    return sum(found if len(found) < 3 else sorted(found)[:2])


def auto_ds_targets(g: Board, side: Side) -> list[Hex]:
    """The hexes against which an Automatic DS is possible at this instant."""
    grid, todo, found = g.map.grid, g.sets[COMBAT + other(side)] & exposed(g, side), 0
    key = (g.winter, g.marsh, g.deactivated, *g.fort_hexes, g.control_hexes[AXIS], g.flotilla)
    known: tuple[tuple[int, ...], Bits] | None = g.old.get(("auto ds", side))
    touched = g.take_touched(SHATTERED + side)
    if known is not None and known[0] == key and not must_look(g):
        near = touched | spread(grid, touched)
        todo &= near
        found = known[1] & ~near
    if todo:
        todo &= spread(grid, g.sets[COMBAT + side]) | g.sets[COMBAT + side]
    for h in members(todo):
        if _in_reach(g, h, side) and is_possible(g, h, side):
            found |= 1 << h
    g.old["auto ds", side] = (key, found)
    return members(found)


def _in_reach(g: Board, h: Hex, side: Side) -> bool:
    """Whether an Automatic DS is worth a closer look: by bounds of both strengths."""
    cap = g.charts.constant("attack_cap")
    least = weakest(g, h, side) * (tables(g.charts).automatic - 1)
    if least > cap:
        return False
    around = strength_around(g, h, side)
    return around >= least and min(around, cap) >= needed(g, h, side)


def strength_around(g: Board, h: Hex, side: Side) -> int:
    """The printed Attack Strengths of a side's units next to a hex or in it (29.1.3), doubled ones doubled: an upper
    bound."""
    total = 0
    f, top, under, steps = g.forces, g._top, g._under, g.steps
    for n in (*g.map.grid.around[h], h):
        u = top[n]
        while u >= 0:
            if f.side[u] == side:
                attack = f.faces[u][steps[u]].attack
                total += 2 * attack if f.mountain[u] or f.doubled[u] else attack
            u = under[u]
    return total


def shattering(g: Board, h: Hex, side: Side) -> tuple[Unit, ...]:
    """The units that together bring 10-1 against a hex, of the Axis allies one nation (20.5.1); () if none do."""
    units = contributors(g, h, side)
    allies = {g.forces.nation[u] for u in units} & set(AXIS_ALLIES)
    for nation in sorted(allies) or [""]:
        some = tuple(u for u in units if g.forces.nation[u] == nation or g.forces.nation[u] not in AXIS_ALLIES)
        if why_not_auto_ds(g, Attack(side, h, some)) is None:
            return some
    return ()


def is_possible(g: Board, h: Hex, side: Side) -> bool:
    return bool(shattering(g, h, side)) and why_not_target(g, h, side, again=True) is None


def why_not_declare(g: Board, h: Hex, side: Side) -> Refusal | None:
    """Why an Automatic DS against a hex cannot be declared now."""
    if why := why_not_target(g, h, side, again=True):
        return why
    if is_possible(g, h, side):
        return None
    units = tuple(contributors(g, h, side))
    return why_not_auto_ds(g, Attack(side, h, units)) or why_not_mix(g, units, h)


# --- the procedure ---------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class AutomaticDS(Battle):
    """8.6.1 Procedure."""

    def _preparations(self, g: Board) -> list[Action]:
        acts = [DECLARE] if why_not_auto_ds(g, self.attack()) is None else []
        for u in contributors(g, self.target, self.attacker):
            if u in self.units:
                acts.append(("remove", u))
            elif why_not_mix(g, (*self.units, u), self.target) is None:
                acts.append(("add", u))
        return acts

    prepare = Choice(
        "attacker",
        "8.6.1",
        "Add or remove units until the odds are 10-1, then declare the Automatic DS.",
        every=_preparations,
    )

    @prepare.verb("cancel")
    def cancel(self, g: Board) -> Out:
        return DONE

    @prepare.verb("declare", why_not=lambda p, g: why_not_auto_ds(g, p.attack()), plain=False)
    def declare(self, g: Board) -> Out:
        return None

    take_part(prepare, "8.6.1", why_not_contribute)

    @auto("34.6.2")
    def call_out(self, g: Board) -> Out:
        """Units may leave the Holding Box of a Reserve Army in the hex to defend it."""
        return called_out(g, self.target, self.defender)

    @auto("4.4")
    def in_order(self, g: Board) -> Out:
        """Stacking limits of the phasing player are enforced before each Auto DS."""
        self.units = tuple(u for u in self.units if g.pool[u] == IN_PLAY)
        for h in sorted({g.place[u] for u in self.units}):
            if stack_excess(g, h, self.attacker):
                return Call(CorrectStacking(self.attacker, h), again=True)
        if why_not_auto_ds(g, self.attack()):
            g.tell("the odds are no longer 10-1", "8.6.1")
            return DONE
        return None

    @auto("8.6.1")
    def shatter(self, g: Board) -> Out:
        """The units that made the 10-1 possible are marked; the defender loses a step of the attacker's choice."""
        places = g.map.places
        number = 1 + max((key // places for key in g.auto_ds), default=0)
        for u in self.units:
            g.set_status(u, AUTO_DS | HAS_MOVED)
            g.auto_ds[u] = self.target + places * number
        self.automatic, self.outcome = True, RETREATS
        with_ = ", ".join(g.name(u) for u in self.units)
        g.tell(f"Automatic DS against {g.hex_name(self.target)} by {with_}", "8.6.1", place=g.hex_name(self.target))
        can = defenders_to_lose(g, self.attack(), self.attacker)
        return StepLoss(self.attacker, self.defender, tuple(can), "10.1") if can else None

    @auto("8.6.1")
    def retreat(self, g: Board) -> Out:
        """Survivors are retreated four hexes by the defender."""
        r, units = self.result(g), tuple(defenders(g, self.attack()))
        leave_behind(g, self.target, self.defender)
        release_air(g)
        return Retreat(self.defender, self.target, units, (r.retreat,), r.state) if units else Goto("end")

    @auto("8.6.1")
    def end(self, g: Board) -> Out:
        release_air(g)
        return None
