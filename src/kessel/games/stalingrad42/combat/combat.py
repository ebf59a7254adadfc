"""8.0 Combat: one combat from its declaration to the advance.

A player adds and removes attackers (`add`, `remove`), declares (`declare`) or calls it off (`cancel`). Then come the
attacker's support, the defender's air, the die, losses (10), a Determined Defense (11), the retreat (12), the advance
(14) and Breakthrough Combat (15).
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from kessel.core.board import NOWHERE
from kessel.core.breakdown import Refusal
from kessel.core.facts import NOW, fact
from kessel.core.forces import Side, Unit
from kessel.core.procedure import (
    AGAIN,
    DONE,
    NOTHING,
    Action,
    Call,
    Goto,
    Options,
    Out,
    ask,
    auto,
    hand_over,
    into,
)
from kessel.core.verbs import Choice
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import (
    ADVANCED,
    ATTACKED,
    AUTO_DS,
    DEFENDED,
    IN_PLAY,
    OF_COMBAT,
)
from kessel.games.stalingrad42.combat.after.advance import Advance
from kessel.games.stalingrad42.combat.after.advance_paths import (
    FULL,
    LIMITED,
    ONE_HEX,
    Trip,
    in_weather,
    why_not_stack_there,
    why_not_step,
)
from kessel.games.stalingrad42.combat.after.retreat import Retreat, interruption, leave_behind
from kessel.games.stalingrad42.combat.battle import CITY, DELAYED, EJECTED, HELD, RETREATS, Battle, take_part
from kessel.games.stalingrad42.combat.city_battles import has_contested_cities, settle_city_battles, take_over
from kessel.games.stalingrad42.combat.crt import column_name, tables
from kessel.games.stalingrad42.combat.defense import DeterminedDefense, leads, why_not_result
from kessel.games.stalingrad42.combat.losses import eliminate
from kessel.games.stalingrad42.combat.results import StepLoss, attackers_to_lose, defenders_to_lose
from kessel.games.stalingrad42.combat.strength.air import (
    air_names,
    commit_air,
    defensive_air,
    no_such_air,
    offensive_air,
    release_air,
    use_air,
    why_not_defensive,
    why_not_offensive,
)
from kessel.games.stalingrad42.combat.strength.artillery import fire, in_a_box, offensive_guns, why_not_shift
from kessel.games.stalingrad42.combat.strength.eligibility import (
    attackers_of,
    may_not_mix,
    why_not_attack,
    why_not_mix,
    why_not_target,
)
from kessel.games.stalingrad42.combat.strength.leaders import CRT, Reroll, offer_reroll
from kessel.games.stalingrad42.combat.strength.offensives import (
    offensive_markers,
    spend_offensive,
    why_not_use_offensive,
)
from kessel.games.stalingrad42.combat.strength.shifts import Assessment, assess, is_well_above
from kessel.games.stalingrad42.combat.strength.strengths import (
    Attack,
    beyond_limit,
    declared,
    defenders,
    retreated_into,
)
from kessel.games.stalingrad42.movement.entering import enter
from kessel.games.stalingrad42.movement.maskirovka import called_out
from kessel.games.stalingrad42.movement.ways.zones import is_contested

DECLARE: Action = ("declare",)
CANCEL: Action = ("cancel",)

COMBAT_VERBS = (
    *("auto_ds {hex}", "attack {hex}", "add {unit}", "remove {unit}", "declare", "cancel", "exploit {hex}"),
    *("exclude {unit}", "air {word}", "artillery {unit}", "take {number}", "reroll {unit}", "lose {unit}", "remnant"),
    *("defend {unit}", "desperate {unit}", "lead {unit}", "retreat {units} by {path}", "accompany {unit} {place}"),
    *("station {unit}", "form {unit}", "decline {hex}", "go {path}", "strike {hex}", "enter", "stay"),
    *("advance {unit}", "intrude {unit}", "keep {unit}", "raze {hex}"),
)
"""How the actions of chapters 8 to 15 and 29 are written."""


# --- the Combat Phase -----------------------------------------------------------------------------------------------


def begin_combat(g: Board) -> None:
    """What counts by Combat Phase starts anew."""
    g.clear_status(OF_COMBAT)


def why_not_hex(g: Board, h: int, side: Side) -> Refusal | None:
    """Why a hex may not be attacked now; None if some unit can."""
    if why := why_not_target(g, h, side):
        return why
    if attackers_of(g, h, side):
        return None
    areas = [p for p in g.ground.entry_boxes if g.map.box(p).hexes >> h & 1]  # 22.7
    near = [u for n in (*g.map.grid.around[h], *areas) for u in g.units(n) if g.forces.side[u] == side]
    reasons = [why_not_attack(g, u, h, side) for u in near]
    return next((r for r in reasons if r is not None), Refusal("8.1", f"no unit of yours is next to {g.hex_name(h)}"))


# --- 8.6.2 advance of units under Auto DS markers --------------------------------------------------------------------


def auto_ds_groups(g: Board, side: Side) -> list[tuple[int, tuple[Unit, ...]]]:
    """The units of each Automatic DS that have not advanced yet, by the hex they emptied."""
    found: dict[int, list[Unit]] = {}
    for u in g.marked_with(side, AUTO_DS):
        if g.auto_ds[u] != NOWHERE:
            found.setdefault(g.auto_ds[u], []).append(u)
    return [(key % g.map.places, tuple(units)) for key, units in sorted(found.items())]


def auto_ds_advance(g: Board, side: Side, h: int, units: tuple[Unit, ...]) -> Advance:
    """8.6.2 Marked units advance at their full rate; the markers are removed."""
    for u in units:
        g.set_status(u, AUTO_DS, False)
        g.auto_ds[u] = -1
        g.set_status(u, ATTACKED)
    hexes = in_weather(g, tables(g.charts).shattered.advance)
    return Advance(side, h, hexes, units, tuple(g.place[u] for u in units))


# --- one combat ------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Combat(Battle):
    """8.3 Combat procedure."""

    rolls: tuple[int, ...] = ()
    origins: tuple[int, ...] = ()
    mode: str = ""

    rolled_again = into("die", Reroll)
    defended = into("outcome", DeterminedDefense)

    # --- who attacks -------------------------------------------------------------------------------------------------

    def _preparations(self, g: Board) -> list[Action]:
        acts = [DECLARE] if self.units and has_enough_odds(g, self.attack()) else []
        able = attackers_of(g, self.target, self.attacker)
        mixed, add, remove = may_not_mix(g, able), g.forces.actions("add"), g.forces.actions("remove")
        for u in able:
            if u in self.units:
                acts.append(remove[u])
            elif not mixed or why_not_mix(g, (*self.units, u), self.target) is None:
                acts.append(add[u])
        return acts

    prepare = Choice(
        "attacker",
        "8.3",
        "Add or remove attackers, then declare the attack.",
        when=lambda p, g: not p.breakthrough,
        every=_preparations,
    )

    @prepare.verb("cancel")
    def cancel(self, g: Board) -> Out:
        return DONE

    def why_not_declare(self, g: Board) -> Refusal | None:
        return why_not_odds(g, self.attack()) if self.units else Refusal("8.1", "no unit attacks yet")

    @prepare.verb("declare", why_not=why_not_declare, plain=False)
    def declare(self, g: Board) -> Out:
        return None

    take_part(prepare, "8.3", why_not_attack)

    @auto("34.6.2")
    def call_out(self, g: Board) -> Out:
        """Units may leave the Holding Box of a Reserve Army in the hex to defend it."""
        return called_out(g, self.target, self.defender)

    @auto("8.1")
    def engage(self, g: Board) -> Out:
        """From here on the attack is declared."""
        self.origins = tuple(g.place[u] for u in self.units)
        a = declared(g, self.attack())
        self.declared, self.tired, self.doubled_by = True, a.tired or (), a.doubled_by or ""
        for u in self.units:
            g.set_status(u, ATTACKED)
        if not self.breakthrough:
            for u in defenders(g, self.attack()):
                g.set_status(u, DEFENDED)
        with_ = ", ".join(g.name(u) for u in self.units)
        kind = "Breakthrough Combat against" if self.breakthrough else "attack on"
        rule = "15.2.5" if self.breakthrough else "8.3"
        g.tell(f"{kind} {g.hex_name(self.target)} with {with_}", rule, place=g.hex_name(self.target))
        if not defenders(g, self.attack()):
            return self._overrun(g)
        return None

    def _overrun(self, g: Board) -> Out:
        """19.3, 8.4.1 Nobody came out of a Reserve Army's box: it has no defense and is removed."""
        leave_behind(g, self.target, self.defender)
        self.automatic, self.outcome = True, RETREATS
        return Goto("outcome_of_all")

    @ask("defender", "15.3.2")
    def exclude(self, g: Board) -> Generator[Options, Action, Out]:
        """Too many defenders: choose one that contributes nothing."""
        units = beyond_limit(g, self.attack())
        if not units:
            yield NOTHING
            return None
        action = yield Options([("exclude", u) for u in units])
        self.excess = (*self.excess, action[1])
        return AGAIN

    # --- 8.3 step 2: support -----------------------------------------------------------------------------------------

    def _supports(self, g: Board) -> list[Action]:
        return support_choices(g, self.attack())

    support = Choice(
        "attacker",
        "8.3",
        "Commit Air Support, artillery or a Planned Offensive, or roll the die.",
        when=lambda p, g: not p.breakthrough and bool(p._supports(g)),
        every=_supports,
    )

    def why_not_roll(self, g: Board) -> Refusal | None:
        now = assess(g, self.attack())
        return Refusal("8.4.1", f"without support the odds are {column_name(now.at)}") if now.too_low else None

    @support.verb("pass", why_not=why_not_roll)
    def roll_now(self, g: Board) -> Out:
        return None

    def why_not_air(self, g: Board, name: str) -> Refusal | None:
        known = name in air_names(g)
        return why_not_offensive(g, air_names(g).index(name), self.attack()) if known else no_such_air(name)

    @support.verb("air", why_not=why_not_air)
    def commit(self, g: Board, name: str) -> Out:
        self.air = air_names(g).index(name)
        commit_air(g, self.air, self.target)
        return AGAIN

    def why_not_artillery(self, g: Board, u: Unit) -> Refusal | None:
        return why_not_shift(g, u, self.attack()) or in_a_box(g, u)

    @support.verb("artillery", why_not=why_not_artillery)
    def bombard(self, g: Board, u: Unit) -> Out:
        self.guns = (*self.guns, u)
        fire(g, u)
        return AGAIN

    @support.verb("offensive", why_not=lambda p, g, u: why_not_use_offensive(g, u, p.attack()))
    def use_offensive(self, g: Board, u: Unit) -> Out:
        self.dice += 1
        spend_offensive(g, u)
        return AGAIN

    def _answers(self, g: Board) -> list[str]:
        a = self.attack()
        if g.reads("late_low_odds") == "forbid" and assess(g, a).at <= tables(g.charts).lowest:
            return []
        return [air_names(g)[i] for i in defensive_air(g, a)]

    answer = Choice("defender", "9.3.4", "Commit Defensive Air Support, or commit none.", passing=None)

    def why_not_answer(self, g: Board, name: str) -> Refusal | None:
        known = name in air_names(g)
        return why_not_defensive(g, air_names(g).index(name), self.attack()) if known else no_such_air(name)

    @answer.verb("air", legal=_answers, why_not=why_not_answer)
    def fly(self, g: Board, name: str) -> Out:
        self.defensive_air = air_names(g).index(name)
        use_air(g, self.defensive_air)
        g.tell(f"{name} supports the defense of {g.hex_name(self.target)}", "9.3.4")
        return None

    # --- 8.3 step 3: the die -----------------------------------------------------------------------------------------

    @auto("8.3")
    def roll(self, g: Board) -> Out:
        now = assess(g, self.attack(), quiet=g.events is None)
        self.column, self.automatic = now.column, now.automatic
        if g.events is not None:
            self._tell_odds(g, now)
        if self.automatic:
            return Goto("announce")
        self.rolls = tuple(g.die() for _ in range(self.dice))
        self.die = self.rolls[0]
        return None

    def _tell_odds(self, g: Board, now: Assessment) -> None:
        what = f"{now.attack.total} to {now.defense.total} is {column_name(now.odds)}"
        if now.shifts.total:
            what += f", shifted {now.shifts.total:+d} to {column_name(now.at)}"
        g.tell(what, "8.3", odds=now.as_json())

    @ask("attacker", "26.2")
    def choose_die(self, g: Board) -> Generator[Options, Action, Out]:
        """Planned Offensive: choose one of the dice."""
        if len(set(self.rolls)) < 2:
            yield NOTHING
            return None
        action = yield Options([("take", n) for n in sorted(set(self.rolls))])
        self.die = action[1]
        return None

    @auto("28.1.4")
    def rerolled(self, g: Board) -> Out:
        a = self.attack()
        return offer_reroll(g, CRT, self.attacker, (*a.units, *defenders(g, a)))

    @auto("10.1")
    def announce(self, g: Board) -> Out:
        r = self.result(g)
        how = "automatically" if self.automatic else f"die {self.die} on {column_name(self.column)}"
        g.tell(f"{how}: {r.code}, {r.said}", "8.4.1" if self.automatic else "10.1", result=r.code, die=self.die)
        return None

    # --- 10.0 losses -------------------------------------------------------------------------------------------------

    @auto("10.2.2")
    def attacker_loss(self, g: Board) -> Out:
        r = self.result(g)
        chooser = self.defender if r.by_opponent else self.attacker
        can = attackers_to_lose(g, self.attack(), chooser) if r.attacker_loss else []
        return StepLoss(chooser, self.attacker, tuple(can), "10.1") if can else None

    @auto("10.2.2")
    def defender_loss(self, g: Board) -> Out:
        r = self.result(g)
        chooser = self.attacker if r.by_opponent else self.defender
        can = defenders_to_lose(g, self.attack(), chooser) if r.defender_loss else []
        return StepLoss(chooser, self.defender, tuple(can), "10.1") if can else None

    # --- 11.0, 12.0 --------------------------------------------------------------------------------------------------

    @auto("11.1.1")
    def determined_defense(self, g: Board) -> Out:
        a, r = self.attack(), self.result(g)
        leave_behind(g, self.target, self.defender)
        release_air(g)
        if not r.retreat:
            self.outcome = HELD
        elif not leads(g, a) or why_not_result(g, a, r):
            self.outcome = RETREATS
        else:
            return DeterminedDefense(self.defender, self.attacker)
        return None

    @auto("12.1.1")
    def retreat(self, g: Board) -> Out:
        a, r = self.attack(), self.result(g)
        leave_behind(g, self.target, self.defender)
        if self.outcome not in (RETREATS, DELAYED, EJECTED):
            return None
        for u in retreated_into(g, a, defenders(g, a)):
            eliminate(g, u, "12.4")
        units = tuple(defenders(g, a))
        if not units:
            leave_behind(g, self.target, self.defender)
            return None
        if self.outcome == RETREATS:
            return Retreat(self.defender, self.target, units, (r.retreat,), r.state)
        lengths = tuple(g.charts.constants["delay_retreat"])
        return Retreat(self.defender, self.target, units, lengths, "disrupted")

    # --- 14.0 --------------------------------------------------------------------------------------------------------

    @auto("10.1")
    def outcome_of_all(self, g: Board) -> Out:
        """What the attacker may do now."""
        release_air(g)
        empty = not defenders(g, self.attack())
        if empty:
            take_over(g, self.target)  # by attackers inside a Contested City
        self.mode = advance_mode(self.outcome, empty)
        if self.breakthrough:
            self._report(g, empty)
        return None

    def _report(self, g: Board, empty: bool) -> None:
        """15.2.7, 15.2.8 Tell the Breakthrough Group that fights whether the hex is empty and whether it goes on."""
        adv = self.result(g).advance
        if g.reads("weather_breakthrough") == "reduced":
            adv = in_weather(g, adv)
        hand_over(g, self, (empty, self.mode == FULL and adv >= 3))

    def _intruders(self, g: Board) -> list[Unit]:
        if self.outcome != CITY or not has_contested_cities(g):
            return []
        return [u for u in self.units if self._why_not_intrude(g, u) is None]

    intrude = Choice(
        "attacker",
        "29.1.1",
        "Advance at least one unit into the Contested City.",
        says="Send in no more units",
        when=lambda p, g: bool(p._intruders(g)),
    )

    def why_not_stay(self, g: Board) -> Refusal | None:
        inside = is_contested(g, self.target)
        return None if inside else Refusal("29.1.1", "at least one unit must enter the City")

    @intrude.verb("pass", why_not=why_not_stay)
    def stay(self, g: Board) -> Out:
        return None

    def why_not_intrude(self, g: Board, u: Unit) -> Refusal | None:
        if u not in self.units:
            return Refusal("29.1.1", f"{g.name(u)} did not take part in the attack")
        return self._why_not_intrude(g, u)

    @intrude.verb("intrude", legal=_intruders, why_not=why_not_intrude)
    def enter_city(self, g: Board, u: Unit) -> Out:
        start = g.place[u]
        enter(g, (u,), self.target)
        g.set_status(u, ADVANCED)
        g.tell_move(u, "enters the City", "29.1.1", start, (self.target,))
        interrupt = interruption(g, self.attacker, self.target)
        return Call(interrupt, again=True) if interrupt else AGAIN

    def _why_not_intrude(self, g: Board, u: Unit) -> Refusal | None:
        if g.pool[u] != IN_PLAY or g.place[u] == self.target:
            return Refusal("29.1.1", "the unit is not outside the City")
        if not g.map.is_hex(g.place[u]):
            return None
        trip = Trip(g.place[u], 1, self.target)
        why = why_not_step(g, u, trip, self.target)
        return why_not_stack_there(g, u, self.target) if why is None or why.rule == "5.1" else why

    @auto("14.1")
    def advance(self, g: Board) -> Out:
        settle_city_battles(g)
        if self.breakthrough:
            return None
        hand_over(g, self, self.target if self.mode else NOWHERE)
        if not self.mode:
            if self.air >= 0:  # 9.3.7: with any unit that took part
                return Advance(self.attacker, -1, 0, self.units, self.origins, self.guns, self.air, LIMITED)
            return None
        hexes = in_weather(g, self.result(g).advance) if self.mode == FULL else 1
        return Advance(self.attacker, self.target, hexes, self.units, self.origins, self.guns, self.air, self.mode)


def advance_mode(outcome: str, empty: bool) -> str:
    """10.1, 11.4.2, 11.6.1, 12.3 Which advance an outcome allows: full, one hex, limited, or "" for none."""
    if outcome == RETREATS:
        return FULL if empty else ""
    if outcome == DELAYED:
        return ONE_HEX
    return LIMITED if outcome == HELD and empty else ""


def why_not_odds(g: Board, a: Attack) -> Refusal | None:
    """8.4.1 Combat at odds less than 1-3 is not allowed, known shifts included (reading A09)."""
    if has_enough_odds(g, a):
        return None
    best = assess(g, a).at + best_support(g, a)
    return Refusal("8.4.1", f"the odds are {column_name(best)}, less than {column_name(tables(g.charts).lowest)}")


def has_enough_odds(g: Board, a: Attack) -> bool:
    """Whether `why_not_odds` has nothing against an attack; support is counted only where it could decide."""
    if is_well_above(g, a):
        return True
    now = assess(g, a)
    missing = tables(g.charts).lowest - now.at
    return not now.too_low or (missing <= MOST_SUPPORT and best_support(g, a, missing) >= missing)


MOST_SUPPORT = 3
"""An Air Unit and a Massive Barrage."""


@fact(NOW)
def support_choices(g: Board, a: Attack) -> list[Action]:
    """8.3 The Air Support, artillery and Planned Offensives that may be committed to an attack."""
    found: list[Action] = [("air", air_names(g)[i]) for i in offensive_air(g, a)]
    found += [("artillery", u) for u in offensive_guns(g, a)]
    found += [("offensive", u) for u in offensive_markers(g, a)]
    return found


def best_support(g: Board, a: Attack, enough: int = MOST_SUPPORT) -> int:
    """The shifts the attacker could still add with Air Units and artillery; no more is looked for than enough."""
    shifts = 1 if a.air < 0 and offensive_air(g, a) else 0
    if shifts >= enough:
        return shifts
    guns = offensive_guns(g, a)
    if guns:
        shifts += 1
        if any(g.forces.asu[u] == "artillery_division" for u in guns):  # 18.5: no Massive Barrage without one
            shifts += any(offensive_guns(g, a._replace(guns=(*a.guns, u))) for u in guns)
    return shifts
