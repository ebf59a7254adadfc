"""Decisions within a combat: attackers, support, losses, Determined Defense, retreats, advances, breakthroughs."""

from __future__ import annotations

from typing import NamedTuple

from kessel.bots.program import Program, on
from kessel.bots.stalingrad42.attacks import best_group, value
from kessel.bots.stalingrad42.situation import Situation, fits, score_of, step_worth, worth
from kessel.bots.stalingrad42.special import reroll
from kessel.core.forces import Unit
from kessel.core.procedure import PASS, Action, Options
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import COMBAT
from kessel.games.stalingrad42.combat.after.advance import Advance
from kessel.games.stalingrad42.combat.after.breakthrough import Breakthrough
from kessel.games.stalingrad42.combat.after.retreat import Retreat
from kessel.games.stalingrad42.combat.auto_ds import AutomaticDS, shattering
from kessel.games.stalingrad42.combat.battle import RETREATS, battle
from kessel.games.stalingrad42.combat.chances import attempt
from kessel.games.stalingrad42.combat.combat import CANCEL, DECLARE, Combat
from kessel.games.stalingrad42.combat.defense import DeterminedDefense
from kessel.games.stalingrad42.combat.reserves import ReserveAdvance
from kessel.games.stalingrad42.combat.results import StepLoss
from kessel.games.stalingrad42.combat.strength.air import air_names
from kessel.games.stalingrad42.combat.strength.leaders import Reroll
from kessel.games.stalingrad42.combat.strength.strengths import defenders
from kessel.games.stalingrad42.movement.movement import HALT

Reasoned = tuple[Action, str]


class Seat(NamedTuple):
    """The board, and what the program makes of it."""

    g: Board
    s: Situation


BREAKTHROUGH = (
    *(Breakthrough.station, Breakthrough.declare, Breakthrough.gather, Breakthrough.act, Breakthrough.occupy),
    *(Advance.choose, Advance.where),
)


class Fighter(Program[Seat]):
    """All that is decided in a combat and after it."""

    @on(AutomaticDS.prepare)
    def shatter(self, seat: Seat, p: AutomaticDS, found: Options) -> Action:
        g = seat.g
        acts = found.all()
        if DECLARE in acts:
            return self.say(DECLARE, "10-1 is reached")
        able = shattering(g, p.target, p.attacker)
        more = [a for a in acts if a[0] == "add" and a[1] in able]
        if more:
            return self.say(max(more, key=lambda a: (g.attack(a[1]), -a[1])), "for odds of 10-1")
        return self.say(CANCEL, "10-1 cannot be reached")

    @on(Combat.prepare)
    def choose_attackers(self, seat: Seat, p: Combat, found: Options) -> Action:
        g, s = seat
        acts = found.all()
        where = g.hex_name(p.target)
        _, units = best_group(g, s, p.target)
        for u in units:
            if u not in p.units and ("add", u) in acts:
                return self.say(("add", u), f"{g.name(u)} joins the attack on {where}")
        for u in p.units:
            if u not in units and units and ("remove", u) in acts:
                return self.say(("remove", u), f"{g.name(u)} is not needed against {where}")
        if DECLARE in acts and units:
            return self.say(DECLARE, f"the attack on {where} stands as it was planned")
        return self.say(CANCEL, f"the attack on {where} promises too little")

    @on(Combat.support)
    def support(self, seat: Seat, p: Combat, found: Options) -> Action:
        """Support where it brings more than it is worth elsewhere."""
        g, s = seat
        acts = found.all()
        a = p.attack()
        top, chosen = value(g, s, a, p.dice), PASS
        for action in acts:
            if action == PASS:
                continue
            if action[0] == "air":
                got = value(g, s, a._replace(air=air_names(g).index(action[1])), p.dice) - 0.2
            elif action[0] == "artillery":
                got = value(g, s, a._replace(guns=(*a.guns, action[1])), p.dice) - 0.3
            else:
                got = value(g, s, a, p.dice + 1) - 0.4
            if got > top or (chosen is PASS and PASS not in acts):
                top, chosen = got, action
        if chosen is PASS:
            return self.say(PASS, "more support would be wasted here")
        return self.say(chosen, f"support raises what the attack on {g.hex_name(p.target)} promises to {top:.1f}")

    @on(Combat.answer)
    def help_defence(self, seat: Seat, p: Combat, found: Options) -> Action:
        g, s = seat
        acts = found.all()
        stake = sum(step_worth(g, u) for u in defenders(g, p.attack())) + s.w.point * s.vp.get(p.target, 0)
        air = [a for a in acts if a[0] == "air"]
        if air and stake > 1.5:
            return self.say(air[0], f"the air force helps to hold {g.hex_name(p.target)}")
        return self.say(PASS, "the air force is kept for better use")

    @on(DeterminedDefense.decide, DeterminedDefense.support, DeterminedDefense.next_lead)
    def stand(self, seat: Seat, p: DeterminedDefense, found: Options) -> Action:
        """Hold where the ground or the units are worth the steps it may cost."""
        g, s = seat
        acts = found.all()
        b = battle(g)
        a, result, h = b.attack(), b.result(g), b.target
        if p.lead >= 0 and any(x[0] in ("air", "artillery") for x in acts):
            help_ = [x for x in acts if x[0] in ("air", "artillery")]
            stake = s.w.point * s.vp.get(h, 0) + s.guard[h] * 0.1 + sum(worth(g, u) for u in defenders(g, a)) * 0.3
            if stake > 1.0:
                return self.say(help_[0], "support for the defence")
            return self.say(PASS, "no support for this")
        leads = [x for x in acts if x[0] == "lead"]
        if leads:
            return self.say(max(leads, key=lambda x: (g.forces.quality[x[1]], g.steps[x[1]])), "the fittest unit leads")
        stake = 0.8 + s.w.point * s.vp.get(h, 0) * (h in s.own_vp) + 0.1 * s.guard[h] + 0.3 * len(defenders(g, a))
        top, chosen, odds = 0.0, PASS, 0.0
        for x in acts:
            if x == PASS:
                continue
            desperate = x[0] == "desperate"
            chances = attempt(g, a, result, x[1], desperate=desperate)
            hold = 1 - float(chances.get(RETREATS, 0))
            doom = sum(worth(g, u) for u in defenders(g, a)) if desperate else 0.0
            got = hold * (stake + doom) - (0.45 if not desperate else 0.0) * step_worth(g, x[1])
            if got > top:
                top, chosen, odds = got, x, hold
        if chosen is PASS:
            return self.say(PASS, "the ground is not worth the loss")
        return self.say(chosen, f"{g.name(chosen[1])} can hold {g.hex_name(h)} with a chance of {odds:.0%}")

    @on(StepLoss.choose, StepLoss.remnant)
    def lose(self, seat: Seat, p: StepLoss, found: Options) -> Action:
        g, s = seat
        acts = found.all()
        if ("remnant",) in acts:
            return self.say(("remnant",), "what is left fights on")
        units = [a for a in acts if a[0] == "lose"]
        if not units:
            return self.say(acts[0], "a loss must be taken")
        if p.owner != s.side:
            a = max(units, key=lambda a: (step_worth(g, a[1]) + (0.8 if g.steps[a[1]] == 1 else 0), -a[1]))
            return self.say(a, f"{g.name(a[1])} is the loss that hurts most")
        a = min(units, key=lambda a: (step_worth(g, a[1]) + (0.6 if g.steps[a[1]] == 1 else 0), a[1]))
        return self.say(a, f"{g.name(a[1])} can bear the loss best")

    @on(Retreat.choose, Retreat.accompany)
    def retreat(self, seat: Seat, p: Retreat, found: Options) -> Action:
        """Alive, in supply, in good company, away from the enemy."""
        g, s = seat
        acts = found.all()
        ways = [a for a in acts if a[0] == "retreat"]
        if not ways:
            who = [a for a in acts if a[0] == "accompany"]
            return self.say(who[0], "it goes along") if who else self.say(acts[0], "nothing else is left")
        pay = {(e.path, units): e.pay for units in {a[1] for a in ways} for e in p._ends(g, units)}

        def score(a: Action) -> tuple[float, int]:
            _, units, path = a
            end = path[-1]
            good = -2.0 * pay.get((path, units), 0)
            if g.map.is_hex(end):
                good += sum(score_of(g, s, u, end) for u in units) / len(units)
                good += 0.3 * min(s.away[end], 4) + (1.0 if g.sets[COMBAT + s.side] >> end & 1 else 0.0)
                if not fits(g, units, end, s.side):
                    good -= 6.0
            return good, -end

        a = max(ways, key=score)
        return self.say(a, f"{g.place_name(a[2][-1])} is the safest way back")

    @on(*BREAKTHROUGH)
    def break_through(self, seat: Seat, p: Breakthrough, found: Options) -> Action:
        g, s = seat
        acts = self.spared(seat, p, found.all())
        kinds = {a[0] for a in acts}
        if "station" in kinds:
            a = max((a for a in acts if a[0] == "station"), key=lambda a: (g.forces.mech[a[1]], g.attack(a[1]), -a[1]))
            return self.say(a, f"the air force goes on with {g.name(a[1])}")
        if "form" in kinds or "decline" in kinds:
            return self.say(*form(g, s, p, acts))
        if "strike" in kinds or (p.group and "go" in kinds and not moves_alone(p)):
            return self.say(*lead_on(g, s, p, acts))
        if "enter" in kinds:
            if fits(g, p.group, p.struck, s.side):
                return self.say(("enter",), "the ground gained is taken")
            return self.say(("stay",), "there is no room ahead")
        if "advance" in kinds:
            return self.say(*choose_advance(g, s, p, acts))
        mover = p.mover if isinstance(p, Advance) else -1
        if mover >= 0:
            return self.say(*advance(g, s, mover, acts))
        return self.say(HALT if HALT in acts else PASS if PASS in acts else acts[0], "far enough")

    def spared(self, seat: Seat, p: Breakthrough, acts: list[Action]) -> list[Action]:
        """The actions of units that may leave the place where they stand."""
        return acts

    @on(Combat.exclude)
    def exclude(self, seat: Seat, p: Combat, found: Options) -> Action:
        return self.say(min(found.all(), key=lambda a: seat.g.defense(a[1])), "it adds least to the defence")

    @on(Combat.choose_die)
    def choose_die(self, seat: Seat, p: Combat, found: Options) -> Action:
        return self.say(min(found.all(), key=lambda a: a[1]), "the better die")

    @on(Combat.intrude)
    def intrude(self, seat: Seat, p: Combat, found: Options) -> Action:
        acts = found.all()
        return self.say(acts[0] if acts[0] != PASS else acts[-1], "into the City")

    @on(ReserveAdvance.choose, ReserveAdvance.where)
    def follow(self, seat: Seat, p: ReserveAdvance, found: Options) -> Action:
        return self.say(*advance(*seat, p.mover, found.all()))

    @on(Reroll.decide)
    def reroll(self, seat: Seat, p: Reroll, found: Options) -> Action:
        return self.say(*reroll(*seat, p, found.all()))


def moves_alone(p: Breakthrough) -> bool:
    """14.1 A single unit is on its way, not the Breakthrough Group."""
    return isinstance(p, Advance) and p.mover >= 0


def form(g: Board, s: Situation, p: Breakthrough, acts: list[Action]) -> Reasoned:
    """Mechanized units go through the gap together."""
    fast = [a for a in acts if a[0] == "form" and (g.forces.mech[a[1]] or g.forces.type[a[1]] == "cavalry")]
    if p.hexes >= 2 and fast:
        a = max(fast, key=lambda a: (dict(p.open).get(a[1], 0), g.attack(a[1]), -a[1]))
        left = dict(p.open).get(a[1], 0)
        if not p.group or left >= min(dict(p.open)[u] for u in p.group):
            return a, f"{g.name(a[1])} breaks through"
    return PASS, "the group is complete" if p.group else "no Breakthrough Group is formed"


def lead_on(g: Board, s: Situation, p: Breakthrough, acts: list[Action]) -> Reasoned:
    here = g.place[p.group[0]]
    base = group_score(g, s, p.group, here) + 0.1
    top, chosen, why = base, HALT, "the group has done enough"
    for a in acts:
        if a[0] == "strike":
            got = base + value(g, s, p.attack(g, a[1])) - s.w.strike
            if got > top:
                top, chosen, why = got, a, f"{g.hex_name(a[1])} can be overrun"
        elif a[0] == "go":
            got = group_score(g, s, p.group, a[1][-1])
            if got > top:
                top, chosen, why = got, a, f"the group drives on to {g.place_name(a[1][-1])}"
    return chosen, why


def group_score(g: Board, s: Situation, units: tuple[Unit, ...], place: int) -> float:
    found = sum(score_of(g, s, u, place) for u in units) / len(units)
    return found if fits(g, units, place, s.side) else found - 8.0


def choose_advance(g: Board, s: Situation, p: Breakthrough, acts: list[Action]) -> Reasoned:
    """The vacated hex is taken; then whoever stands better ahead."""
    who = [a[1] for a in acts if a[0] == "advance"]
    who = [u for u in who if g.forces.combat[u] and not g.forces.is_asu[u]]
    empty = p.target >= 0 and not g.sets[COMBAT + s.side] >> p.target & 1
    for u in sorted(who, key=lambda u: (-score_of(g, s, u, p.target) if p.target >= 0 else 0.0, u)):
        if p.target < 0:
            break
        gain = score_of(g, s, u, p.target) - score_of(g, s, u, g.place[u])
        if gain > 0 or (empty and gain > -0.8):
            return ("advance", u), f"{g.name(u)} follows up"
    return PASS, "nobody else needs to advance"


def advance(g: Board, s: Situation, u: Unit, acts: list[Action]) -> Reasoned:
    ways = [a for a in acts if a[0] == "go"]
    if not ways or u < 0:
        return (HALT if HALT in acts else PASS), "it stays"
    a = max(ways, key=lambda a: (score_of(g, s, u, a[1][-1]), -a[1][-1]))
    return a, f"{g.name(u)} advances to {g.place_name(a[1][-1])}"
