"""9.4 Soviet attack checks: who leads against which hex, situational strength, tactical value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from kessel.core.breakdown import Breakdown, Refusal
from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.core.hexset import bits, members
from kessel.games.kharkov43.board import DISPERSED, IP, Board
from kessel.games.kharkov43.combat.attack_reserves import reserves_for
from kessel.games.kharkov43.combat.battle import (
    Battle,
    battle_of,
    possible_attackers,
    ratio_text,
    rounded,
    why_not_attacker,
)
from kessel.games.kharkov43.combat.joining import coordinated_units
from kessel.games.kharkov43.combat.strengths import (
    all_across_river,
    all_isolated,
    all_unsupplied,
    any_armor,
    attack_strength,
    defence_strength,
    defenders_of,
    is_flank_attack,
    is_in_barrage_zone,
    is_supported_attack,
)
from kessel.games.kharkov43.combat.tactics import standing_tactics, why_not_auxiliary
from kessel.games.kharkov43.data.cards import Turns
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.movement.zones import is_surrounded
from kessel.games.kharkov43.supply.supply import can_trace
from kessel.games.kharkov43.system.cards.soviet_deck import auxiliary_card, is_small_pile
from kessel.games.kharkov43.system.terms.choosing import Choice, choose, highest_number, most, those
from kessel.games.kharkov43.system.terms.terminology import beside_germans, germans_beside, westing
from kessel.games.kharkov43.system.trace import unit_text

ASSAULT_COORDINATION = "assault_coordination"
LEAST_STRENGTH = 1


@dataclass(slots=True)
class AttackCheck:
    """9.4 One check: the lead unit, the target, all who would attack, and what they count."""

    lead: Unit
    target: Hex
    attackers: tuple[Unit, ...]
    """Active units on the map: they attack if the check succeeds."""
    reserves: tuple[Unit, ...]
    """Active reserves that could be placed (12.2)."""
    coordinated: tuple[Unit, ...]
    """Inactive units, counted if the auxiliary card shows Assault Coordination."""
    defenders: tuple[Unit, ...]
    attack: Breakdown
    defence: Breakdown
    board: Board
    """The board with the reserves placed: what the rest of the check looks at."""
    battle: Battle
    value: Breakdown | None = None
    """The tactical value, where it decides."""
    succeeds: bool = False
    why: str = ""
    choice: Choice | None = None
    """9.41 How the target was chosen, and the ratios against all of them, if there were several."""
    ratios: dict[Hex, str] = field(default_factory=dict)

    @property
    def everybody(self) -> tuple[Unit, ...]:
        return (*self.attackers, *self.reserves, *self.coordinated)

    @property
    def ratio(self) -> Fraction:
        return Fraction(self.attack.total, self.defence.total)

    def short(self, g: Board) -> str:
        verdict = "attack" if self.succeeds else "no attack"
        return f"{unit_text(g, self.lead)} leads a check against {g.ground.name(self.target)}: {self.why}; {verdict}"

    def as_json(self, g: Board) -> dict[str, Any]:
        found: dict[str, Any] = {
            "lead": g.id(self.lead),
            "target": g.hex_name(self.target),
            "attackers": [g.id(u) for u in self.attackers],
            "defenders": [g.id(u) for u in self.defenders],
            "ratio": ratio_text(self.attack.total, self.defence.total),
            "attack": self.attack.as_json(),
            "defence": self.defence.as_json(),
        }
        if self.reserves:
            found["reserves"] = [g.id(u) for u in self.reserves]
        if self.coordinated:
            found["coordinated"] = [g.id(u) for u in self.coordinated]
        if self.choice is not None:
            ratios = {g.hex_name(h): ratio for h, ratio in self.ratios.items()}
            found["targets"] = {"rule": "9.41", "ratios": ratios, **self.choice.as_json(g)}
        if self.value is not None:
            found["tactical_value"] = {**self.value.as_json(), "needed": g.charts.constants.tactical_value}
        return {**found, "attacks": self.succeeds, "why": self.why, "rule": "9.4"}


# --- who leads --------------------------------------------------------------------------------------------------------


def why_not_lead(g: Board, u: Unit, target: Hex) -> Refusal | None:
    """9.4 Why an active unit can't be the lead unit of a check against that hex."""
    refusal = why_not_attacker(g, u)
    if refusal is not None:
        return Refusal("9.4", refusal.reason)
    if all_unsupplied(g, defenders_of(g, target, GERMAN)):
        return None
    if g.steps[u] == 1:
        return Refusal("9.4", f"{g.name(u)} has just one step and the target is supplied")
    here, few = g.place[u], g.charts.constants.lead_unit_vp_hex_steps
    if g.ground.vp_hexes >> here & 1 and g.steps_in(here) < few:
        return Refusal(
            "9.4", f"{g.ground.name(here)} is a VP hex with fewer than {few} steps and the target is supplied"
        )
    return None


def targets_of(g: Board, u: Unit, checked: Sequence[Hex]) -> list[Hex]:
    """9.4, 9.42 The German-occupied hexes beside the unit that have not been a target in this activation."""
    return [
        x
        for x in members(germans_beside(g, g.place[u]))
        if x not in checked and defenders_of(g, x, GERMAN) and why_not_lead(g, u, x) is None
    ]


def next_lead(g: Board, checked: Sequence[Hex], led: Sequence[Unit]) -> tuple[Unit, list[Hex]] | None:
    """9.4 The next active unit in ascending order that can lead a check, and its possible targets."""
    for u in g.ascending(u for u in g.active_units() if g.on_map(u) and u not in led):
        if beside_germans(g) >> g.place[u] & 1 and (found := targets_of(g, u, checked)):
            return u, found
    return None


def why_not_lead_to(g: Board, u: Unit, checked: Sequence[Hex]) -> dict[Hex, Refusal]:
    """9.4, 9.42 For each German-occupied hex beside the unit why it leads no check against it; {} if it could."""
    found: dict[Hex, Refusal] = {}
    for x in members(germans_beside(g, g.place[u])):
        refusal = why_not_lead(g, u, x)
        if x in checked:
            refusal = Refusal("9.42", f"{g.ground.name(x)} has been the target of a check in this activation")
        elif not defenders_of(g, x, GERMAN):
            refusal = Refusal("12.74", f"the units in {g.ground.name(x)} have been attacked in this activation")
        if refusal is None:
            return {}
        found[x] = refusal
    return found


# --- what they count --------------------------------------------------------------------------------------------------


def consider(g: Board, lead: Unit, target: Hex, card: int) -> AttackCheck:
    """9.4 The group that would attack and the situational strength ratio, before the check itself."""
    attackers = tuple(g.ascending(possible_attackers(g, SOVIET, target)))
    planned = reserves_for(g, target, attackers, card)
    x = planned.board
    auxiliary = auxiliary_card(g)
    coordinated: tuple[Unit, ...] = ()
    if auxiliary is not None and ASSAULT_COORDINATION in auxiliary.tactics_on(g.turn):
        coordinated = tuple(coordinated_units(x, planned.battle))
    everybody = (*attackers, *planned.units, *coordinated)
    defenders = tuple(defenders_of(g, target, GERMAN))
    return AttackCheck(
        lead,
        target,
        attackers,
        planned.units,
        coordinated,
        defenders,
        attack_strength(x, everybody, target),
        situational_defence(x, everybody, defenders, target),
        x,
        battle_of(x, SOVIET, target, (*attackers, *planned.units), card),
    )


def situational_defence(g: Board, attackers: Sequence[Unit], defenders: Sequence[Unit], target: Hex) -> Breakdown:
    """9.4 The defenders' strength with what their situation adds or takes away; at least 1."""
    table = g.charts.table("situational_strength")
    german_neighbours = germans_beside(g, target)
    cases = (
        ("improved_position", "in an improved position", g.has_mark(target, IP)),
        (
            "adjacent_to_supplied_german",
            "adjacent to a supplied German unit",
            any(g.is_supplied(v) for x in members(german_neighbours) for v in g.units(x)),
        ),
        (
            "all_attackers_across_donets_or_dniepr",
            "all attackers across the Donets or Dniepr",
            all_across_river(g, attackers, target),
        ),
        (
            "everybody_outside_support",
            "everybody outside Soviet support",
            not is_supported_attack(g, attackers, target),
        ),
        ("all_dispersed", "all dispersed", all(g.status[v] & DISPERSED for v in defenders)),
        ("all_out_of_supply", "all out of supply", all_unsupplied(g, defenders)),
    )
    b = defence_strength(g, defenders)
    b.name = "situational strength"
    for row, what, applies in cases:
        if applies and g.turn in Turns(table.at(row, "turns")):
            b.add(what, table.number(row, "value"), "9.4")
    if b.total < LEAST_STRENGTH:
        b.add("at least 1", LEAST_STRENGTH - b.total, "9.4")
    return b


def best_target(g: Board, checks: Sequence[AttackCheck]) -> AttackCheck:
    """9.41 The target with the highest rounded ratio; a tie goes to a VP hex, the westernmost, the highest number."""
    by_hex = {c.target: c for c in checks}

    def ratio(h: Hex) -> Fraction | float:
        c = by_hex[h]
        isolated = all_isolated(g, c.defenders)
        return float("inf") if isolated else rounded(c.attack.total, c.defence.total)

    prefer = (
        most("9.41", "highest ratio", lambda h: float(ratio(h))),
        those("9.41a", "a VP hex", lambda: g.ground.vp_hexes),
        most("9.41b", "westernmost", lambda h: westing(g, h)),
        highest_number(g, "9.41c"),
    )
    choice = choose(bits(by_hex), prefer)
    best = by_hex[choice.hex]
    if len(by_hex) > 1:
        best.choice = choice
        best.ratios = {h: _ratio_text(g, c) for h, c in by_hex.items()}
    return best


def _ratio_text(g: Board, c: AttackCheck) -> str:
    isolated = all_isolated(g, c.defenders)
    return "all defending units are isolated" if isolated else ratio_text(c.attack.total, c.defence.total)


# --- the check --------------------------------------------------------------------------------------------------------


def tactical_value(c: AttackCheck, card: int) -> Breakdown:
    """9.4 The tactical value of an attack between 1:1 and 3:1."""
    g, everybody, target = c.board, c.everybody, c.target
    table = g.charts.table("tactical_value")
    b = Breakdown("tactical value")
    if card >= 0:
        b.add(f"command value of {g.charts.cards[card].id}", g.charts.cards[card].command_value, "9.4")
    value = g.ground.vp_value(target)
    counts_vps = g.vp < g.charts.constants.vp_value_vp and g.turn in Turns(table.at("vp_value_of_target", "turns"))
    cases = (
        ("ratio_two_to_one", "situational ratio of 2:1 or more", c.ratio >= 2),
        ("artillery_barrage", "artillery barrage", is_in_barrage_zone(g, target)),
        ("attack_supported", "the attack is supported", is_supported_attack(g, everybody, target)),
        ("only_soviet_armor", "only the Soviets have armor", any_armor(g, everybody) and not any_armor(g, c.defenders)),
        (
            "an_attacker_surrounded",
            "an attacking unit is surrounded",
            any(is_surrounded(g, g.place[u], SOVIET) for u in everybody),
        ),
        ("flank_or_defender_surrounded_and_cut", _flank_or_cut(c), bool(_flank_or_cut(c))),
        ("target_vp_two_or_more", f"target of {value} VPs", value >= 2 and not counts_vps),
        ("all_auxiliary_tactics_apply", "all tactics of the auxiliary card apply", may_apply_auxiliary(c)),
        ("fewer_than_four_cards", "fewer than four cards in the draw pile", is_small_pile(g)),
    )
    for row, what, applies in cases:
        if applies and g.turn in Turns(table.at(row, "turns")):
            b.add(what, table.number(row, "value"), "9.4")
        if row == "target_vp_two_or_more" and counts_vps and value:
            b.add("VP value of the target", value * table.number("vp_value_of_target", "value"), "9.4")
    return b


def _flank_or_cut(c: AttackCheck) -> str:
    """The reason for that point, once all attacking units are in place; "" if there is none."""
    g, target = c.board, c.target
    if is_flank_attack(g, c.everybody, target):
        return "flank attack"
    if not is_surrounded(g, target, GERMAN):
        return ""
    if g.reads("surrounded_for_tactical_value") == "surrounded":
        return "the defender is surrounded"
    return "" if can_trace(g, target, GERMAN) else "the defender is surrounded and can't trace supply"


def may_apply_auxiliary(c: AttackCheck) -> bool:
    """9.4, 12.31 The attack is supported and all tactics of the auxiliary card would help it."""
    b = c.battle
    b.tactics = tuple(source.tactic for source in standing_tactics(c.board, b))
    return why_not_auxiliary(c.board, b) is None


def conduct(g: Board, c: AttackCheck, card: int) -> AttackCheck:
    """9.4 Carry the check out: does the attack take place?"""
    constants = g.charts.constants
    ratio = ratio_text(c.attack.total, c.defence.total)
    if all_isolated(g, c.defenders):
        c.succeeds, c.why = True, "all defending units are isolated"
    elif c.ratio >= constants.attack_ratio:
        c.succeeds, c.why = True, ratio
    elif c.ratio < constants.no_attack_ratio:
        c.succeeds, c.why = False, ratio
    else:
        c.value = tactical_value(c, card)
        c.succeeds = c.value.total >= constants.tactical_value
        c.why = f"{ratio}, tactical value {c.value.total} of {constants.tactical_value}"
    return c


def check_lead(g: Board, lead: Unit, targets: Sequence[Hex], card: int) -> AttackCheck:
    """9.4, 9.41 The one check of a lead unit."""
    return conduct(g, best_target(g, [consider(g, lead, x, card) for x in targets]), card)
