"""11.0 Determined Defense: who may try, the roll, Desperate Defense."""

from __future__ import annotations

from dataclasses import dataclass

from kessel.core.board import NOWHERE
from kessel.core.breakdown import Breakdown, Refusal
from kessel.core.facts import NOW, fact
from kessel.core.forces import NO_UNIT, Side, Unit
from kessel.core.hexes import Hex
from kessel.core.procedure import Action, Call, Goto, Out, Procedure, Return, auto, into
from kessel.core.verbs import Choice
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import BAD_ORDER, IN_PLAY, TRAIN
from kessel.games.stalingrad42.combat.after.retreat import is_stack_doomed
from kessel.games.stalingrad42.combat.after.retreat_paths import Flight, ends_of
from kessel.games.stalingrad42.combat.battle import CITY, DELAYED, EJECTED, HELD, RETREATS, battle
from kessel.games.stalingrad42.combat.city_battles import apply_partial, partial_success
from kessel.games.stalingrad42.combat.crt import Outcome, Result, tables
from kessel.games.stalingrad42.combat.losses import lose_step
from kessel.games.stalingrad42.combat.results import StepLoss, attackers_to_lose
from kessel.games.stalingrad42.combat.strength.air import air_names, lead_air, no_such_air, use_air
from kessel.games.stalingrad42.combat.strength.air import why_not_lead as why_not_air
from kessel.games.stalingrad42.combat.strength.artillery import defend_with, in_a_box, lead_guns, why_not_lead_gun
from kessel.games.stalingrad42.combat.strength.fortifications import has_fort, is_barred_to_tanks
from kessel.games.stalingrad42.combat.strength.leaders import DEFENSE, Reroll, offer_reroll
from kessel.games.stalingrad42.combat.strength.shifts import ground_shift
from kessel.games.stalingrad42.combat.strength.strengths import Attack, defenders, retreated_into, sheet, was_doubled
from kessel.games.stalingrad42.data.forces import SOVIET
from kessel.games.stalingrad42.supply.supply import supply
from kessel.wargame.board import other

AGAIN = "again"
"""A Desperate Defense that goes on."""


# --- 11.1, 11.2 who may try ------------------------------------------------------------------------------------------


def why_not_lead(g: Board, u: Unit, a: Attack) -> Refusal | None:
    """11.2.3 Why a unit may not be the Lead Unit: Good Order Combat Units only, no entrained units, no ASUs."""
    f, name = g.forces, g.name(u)
    units = defenders(g, a)
    if u not in units:
        return Refusal("11.2.3", f"{name} is not a Combat Unit of the defending stack")
    if g.status[u] & BAD_ORDER:
        return Refusal("11.2.3", f"{name} is not in Good Order")
    if g.status[u] & TRAIN:
        return Refusal("11.2.3", f"{name} is under a Train marker")
    if f.is_asu[u]:
        return Refusal("11.2.3", f"{name} is an Artillery Support Unit")
    if u in a.excess:
        return Refusal("15.3.2", f"{name} is beyond the Stacking Limit")
    if u in retreated_into(g, a, units):
        return Refusal("12.4", f"{name} retreated into the hex in this phase")
    return None


def leads(g: Board, a: Attack) -> list[Unit]:
    return [u for u in defenders(g, a) if why_not_lead(g, u, a) is None]


def why_not_result(g: Board, a: Attack, result: Result) -> Refusal | None:
    """11.1.1, 11.2.2 Why a result may not be answered by a Determined Defense at all."""
    if not result.retreat:
        return Refusal("11.1.1", f"there is no retreat in {result.code}")
    if not result.determined:
        return Refusal("11.2.2", f"{result.code} does not allow a Determined Defense")
    if result.colour == "orange" and a.target not in g.ground.vp and not is_desperate(g, a, result):
        return Refusal("11.2.2", "this result is answered only in a VP hex or by a Desperate Defense")
    return None


def why_not_step_back(g: Board, u: Unit, a: Attack, result: Result) -> Refusal | None:
    """11.1.2 Not One Step Back: what Soviet Lead Units need before Turn 8 (reading A15)."""
    if g.forces.side[u] != SOVIET or g.turn >= g.charts.constant("not_one_step_back_turn"):
        return None
    group = [u] if g.reads("stack_eligibility") == "lead" else defenders(g, a)
    if any(is_nkvd(g, v) or was_doubled(g, v, a) for v in group) or shift_of_ground(g, a) < 0:
        return None
    if is_desperate(g, a, result):
        return None
    return Refusal("11.1.2", f"before Turn 8 {g.name(u)} needs NKVD, a doubled defense, a shift or no way out")


def is_nkvd(g: Board, u: Unit) -> bool:
    return g.forces.branch[u] == "nkvd" or g.forces.type[u] == "nkvd"


def shift_of_ground(g: Board, a: Attack) -> int:
    b = sheet("ground", quiet=True)
    ground_shift(g, a.target, other(a.side), b)
    return b.total


def why_not_attempt(g: Board, u: Unit, a: Attack, result: Result) -> Refusal | None:
    """Everything that keeps a unit from leading a Determined Defense against this result."""
    return why_not_lead(g, u, a) or why_not_result(g, a, result) or why_not_step_back(g, u, a, result)


# --- 11.5 Desperate Defense ------------------------------------------------------------------------------------------


def flight_of(g: Board, a: Attack, result: Result) -> Flight:
    """The retreat a result demands of the defenders."""
    full = result.state == "full_retreat"
    return Flight(other(a.side), a.target, (result.retreat,), tuple(defenders(g, a)), False, full)


@fact(NOW)
def is_desperate(g: Board, a: Attack, result: Result) -> bool:
    """11.5.1 All units of the stack die if they retreat, or lose the port that supplies them."""
    units = defenders(g, a)
    flight = flight_of(g, a, result)
    tired = retreated_into(g, a, units)
    return is_stack_doomed(g, [u for u in units if u not in tired], flight) or is_port_lost(g, a, flight)


def is_port_lost(g: Board, a: Attack, flight: Flight) -> bool:
    """11.5.1 They hold a port, and without it none of them would have a LOS at the end of its retreat."""
    if not g.ground.port >> a.target & 1 or g.controller(a.target) != flight.side:
        return False
    if not supply(g, flight.side).starts >> a.target & 1:
        return False
    h = g.copy()
    for u in flight.leaving:
        h.move(u, NOWHERE)
    h.set_control(a.target, other(flight.side))
    after = supply(h, flight.side).starts
    ends = {e.place for u in flight.leaving for e in ends_of(g, u, flight, g.steps[u] - 1)}
    return not any(not g.map.is_hex(p) or after >> p & 1 for p in ends)


# --- 11.2 the roll ---------------------------------------------------------------------------------------------------


def defense_column(g: Board, h: Hex, side: Side) -> str:
    """11.2.1 City, Clear/Desert without Town or Fortification, or Other."""
    column = g.chart(h).dd_column
    if column == "clear_desert" and (g.ground.town >> h & 1 or is_barred_to_tanks(g, h, side)):
        return "other"
    return column


def is_counted_elite(g: Board, u: Unit, h: Hex) -> bool:
    """11.2.4 Elite units; all German units in Fortifications or City hexes."""
    if g.forces.quality[u] > 0:
        return True
    return g.forces.is_german(u) and (g.is_city(h) or has_fort(g, h, g.forces.side[u]))


def defense_modifier(g: Board, lead: Unit, h: Hex, result: Result, *, supported: bool, quiet: bool = True) -> Breakdown:
    """11.2.4 The die roll modifiers."""
    b, drm = sheet("modifier", quiet), tables(g.charts).drm
    if is_counted_elite(g, lead, h):
        b.add(f"{g.name(lead)} is Elite", drm["elite_lead"], "11.2.4")
    elif g.forces.quality[lead] < 0:
        b.add(f"{g.name(lead)} is of Low Quality", drm["low_lead"], "11.2.4")
    if supported:
        b.add("Defensive Support", drm["defensive_support"], "11.3")
    if result.colour == "orange":
        b.add("light-orange result", drm["orange_result"], "11.2.2")
    return b


class Effect:
    """What a roll on the Determined Defense Table does, in a Desperate Defense or not."""

    __slots__ = ("attacker_loss", "defender_picks", "delays", "lead_loss", "outcome")

    def __init__(self, cell: Outcome, outcome: str, lead_loss: int, attacker_loss: int, delays: int) -> None:
        self.outcome, self.lead_loss, self.attacker_loss, self.delays = outcome, lead_loss, attacker_loss, delays
        self.defender_picks = cell.defender_picks


def effect_of(g: Board, cell: Outcome, h: Hex, defender: Side, *, desperate: bool, delays: int) -> Effect:
    """11.4.1, 11.5.2, 11.6 The effect of one cell. In a Desperate Defense a Fail, and the first Delay, cost the Lead a
    step and are rolled again; the second Delay counts as S -/1; losses printed on them are ignored (reading A18)."""
    if cell.code == "S":
        outcome = HELD
    elif cell.code == "F":
        outcome = RETREATS
    else:
        outcome = partial_success(g, h, defender)
    if not desperate or outcome not in (RETREATS, DELAYED):
        return Effect(cell, outcome, cell.defender_loss, cell.attacker_loss, delays)
    if outcome == DELAYED and delays:
        return Effect(cell, HELD, 1, 0, delays)
    more = cell.defender_loss if g.reads("desperate_printed_loss") == "added" else 0
    hit = cell.attacker_loss if more else 0
    return Effect(cell, AGAIN, 1 + more, hit, delays + (outcome == DELAYED))


# --- the procedure ---------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class DeterminedDefense(Procedure):
    """11.2.1 The defender may try to cancel the retreat of a combat, which is told what becomes of it."""

    side: int
    attacker: int
    lead: int = NO_UNIT
    desperate: bool = False
    supported: bool = False
    die: int = 0
    delays: int = 0
    effect: str = ""
    loss: int = 0
    defender_picks: bool = False

    rolled_again = into("die", Reroll)

    def _attempts(self, g: Board) -> list[Action]:
        b = battle(g)
        a, result, acts = b.attack(), b.result(g), list[Action]()
        for u in leads(g, a):
            if why_not_attempt(g, u, a, result) is None:
                acts.append(("defend", u))
                if is_desperate(g, a, result):
                    acts.append(("desperate", u))
        return acts

    decide = Choice(
        "side", "11.1.1", "Try a Determined Defense with a Lead Unit, or retreat.", passing=None, every=_attempts
    )

    def why_not_defend(self, g: Board, u: Unit) -> Refusal | None:
        b = battle(g)
        return why_not_attempt(g, u, b.attack(), b.result(g))

    @decide.verb("defend", why_not=why_not_defend)
    def defend(self, g: Board, u: Unit) -> Out:
        self.lead = u
        return None

    def why_not_desperate(self, g: Board, u: Unit) -> Refusal | None:
        b = battle(g)
        if why := why_not_attempt(g, u, b.attack(), b.result(g)):
            return why
        if is_desperate(g, b.attack(), b.result(g)):
            return None
        return Refusal("11.5.1", "not all units of the stack would be eliminated by the retreat")

    @decide.verb("desperate", why_not=why_not_desperate)
    def defend_desperately(self, g: Board, u: Unit) -> Out:
        self.desperate, self.lead = True, u
        return None

    @auto("11.1.1")
    def declined(self, g: Board) -> Out:
        return Return(RETREATS) if self.lead == NO_UNIT else None

    support = Choice("side", "11.3", "Give Defensive Support with an Air Unit or an ASU, or go without.", passing=None)

    def why_not_air(self, g: Board, name: str) -> Refusal | None:
        return why_not_air(g, air_names(g).index(name), self.lead) if name in air_names(g) else no_such_air(name)

    @support.verb("air", legal=lambda p, g: [air_names(g)[i] for i in lead_air(g, p.lead)], why_not=why_not_air)
    def fly(self, g: Board, name: str) -> Out:
        self.supported = True
        use_air(g, air_names(g).index(name))
        g.tell(f"{name} gives Defensive Support", "11.3")
        return None

    def why_not_artillery(self, g: Board, u: Unit) -> Refusal | None:
        return why_not_lead_gun(g, u, self.lead) or in_a_box(g, u)

    @support.verb("artillery", legal=lambda p, g: lead_guns(g, p.lead), why_not=why_not_artillery)
    def bombard(self, g: Board, u: Unit) -> Out:
        self.supported = True
        defend_with(g, u)
        return None

    @auto("11.2.1")
    def roll(self, g: Board) -> Out:
        self.die = g.die()
        return offer_reroll(g, DEFENSE, self.side, (self.lead,))

    @auto("11.4.1")
    def resolve(self, g: Board) -> Out:
        b = battle(g)
        h, result, t = b.target, b.result(g), tables(g.charts)
        drm = defense_modifier(g, self.lead, h, result, supported=self.supported)
        cell = t.roll_defense(defense_column(g, h, self.side), self.die + drm.total)
        kind = "Desperate" if self.desperate else "Determined"
        what = f"{kind} Defense of {g.name(self.lead)}: die {self.die}{drm.total:+d} is {cell.said}"
        g.tell(what, "11.4.1", unit=g.id(self.lead), die=self.die, modifier=drm.total, result=str(cell))
        e = effect_of(g, cell, h, self.side, desperate=self.desperate, delays=self.delays)
        self.effect, self.loss, self.delays, self.defender_picks = (
            e.outcome,
            e.attacker_loss,
            e.delays,
            e.defender_picks,
        )
        for _ in range(e.lead_loss):
            if g.pool[self.lead] == IN_PLAY:
                lose_step(g, self.lead, "11.2.3")
        return None

    @auto("11.4.1")
    def attacker_loss(self, g: Board) -> Out:
        """#/-: the attacker picks his loss, with an asterisk the defender does."""
        chooser = self.side if self.defender_picks else self.attacker
        can = attackers_to_lose(g, battle(g).attack(), chooser) if self.loss else []
        if not can:
            return None
        self.loss -= 1
        return Call(StepLoss(chooser, self.attacker, tuple(can), "11.4.1"), again=True)

    @auto("11.4.1")
    def conclude(self, g: Board) -> Out:
        b = battle(g)
        left = defenders(g, b.attack())
        if self.effect == AGAIN:
            if not leads(g, b.attack()):
                return Return(RETREATS)  # 11.5.1: nobody is left who could lead; whoever is left has no way out
            return None
        if self.effect in (CITY, EJECTED):
            self.effect = apply_partial(g, b.target, self.side) if left else DELAYED
        return Return(self.effect)

    next_lead = Choice(
        "side",
        "11.5.2",
        "Choose the Lead Unit of the next attempt.",
        when=lambda p, g: len(leads(g, battle(g).attack())) > 1,
    )

    @next_lead.verb(
        "lead",
        legal=lambda p, g: leads(g, battle(g).attack()),
        why_not=lambda p, g, u: why_not_lead(g, u, battle(g).attack()),
    )
    def choose_lead(self, g: Board, u: Unit) -> Out:
        self.lead = u
        return Goto("roll")

    @auto("11.5.2")
    def only_lead(self, g: Board) -> Out:
        self.lead = leads(g, battle(g).attack())[0]
        return Goto("roll")
