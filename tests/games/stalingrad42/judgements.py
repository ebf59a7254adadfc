"""What the public functions of the rules say of units and places, kept beside the playthroughs.

    python -m tests.games.stalingrad42.judgements

writes `judgements.json` anew after a wanted change. A function is known by its name; new ones are taken up with the
next writing, and ones that are gone are passed over. Of functions that change the board the change is kept.
"""

from __future__ import annotations

import inspect
import json
import random
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from kessel.core.breakdown import Breakdown
from kessel.core.procedure import run
from kessel.games import stalingrad42
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.combat.defense import Effect
from kessel.lab.flips import NOT_RULES
from tests.judgements import public_functions
from tests.playthroughs import short

from .makers import TYPES, Stock
from .playthroughs import crowded_board
from .scattered import scattered_board

FILE = Path(__file__).with_name("judgements.json")
CROWDED, SCATTERED = (*range(30), *range(80, 96)), range(16)
BOARDS = [f"crowded {seed}" for seed in CROWDED] + [f"scattered {seed}" for seed in SCATTERED]
CALLS = {"crowded": 12, "scattered": 7}
CHANGING = {
    "city_battles.apply_partial",
    "combat.auto_ds_advance",
    "rail.ride",
    "railheads.split",
    "reinforcements.arrive",
    "resources.switch",
    "sea.sail",
    "setup.place_entrant",
}
"""Functions that change the board and return something all the same."""
FORMERLY = {
    "advance_paths.why_not_advance": "advance_paths.advance_refusal",
    "advance_paths.why_not_stack_there": "advance_paths.overstacks",
    "advance_paths.why_not_step": "advance_paths.step_refusal",
    "air.is_air_in_play": "air.air_in_play",
    "air.why_not_defensive": "air.defensive_refusal",
    "air.why_not_lead": "air.lead_refusal",
    "air.why_not_offensive": "air.offensive_refusal",
    "air.why_not_reach": "air.reach_refusal",
    "artillery.can_reach": "artillery.reaches",
    "artillery.why_not_fit": "artillery.fit_refusal",
    "artillery.why_not_lead_gun": "artillery.lead_gun_refusal",
    "artillery.why_not_shift": "artillery.shift_refusal",
    "auto_ds.why_not_auto_ds": "auto_ds.auto_ds_refusal",
    "auto_ds.why_not_contribute": "auto_ds.contributor_refusal",
    "auto_ds.why_not_declare": "auto_ds.declare_refusal",
    "board.is_in_good_order": "board.good_order",
    "breakthrough.why_not_ground": "breakthrough.ground_refusal",
    "city_battles.has_contested_cities": "city_battles.contested_rule",
    "combat.has_enough_odds": "combat.odds_suffice",
    "combat.why_not_hex": "combat.hex_refusal",
    "combat.why_not_odds": "combat.odds_refusal",
    "crossings.is_at_flotilla": "crossings.at_flotilla",
    "defense.is_counted_elite": "defense.counts_as_elite",
    "defense.is_port_lost": "defense.loses_port",
    "defense.why_not_attempt": "defense.attempt_refusal",
    "defense.why_not_lead": "defense.lead_refusal",
    "defense.why_not_result": "defense.result_refusal",
    "defense.why_not_step_back": "defense.step_back_refusal",
    "disengagement.has_able_units": "disengagement.any_able",
    "disengagement.why_not_disengage": "disengagement.unit_refusal",
    "eligibility.must_look": "eligibility.needs_a_look",
    "eligibility.why_not_attack": "eligibility.may_attack",
    "eligibility.why_not_join_attack": "eligibility.attacker_refusal",
    "eligibility.why_not_mix": "eligibility.mix_refusal",
    "eligibility.why_not_place": "eligibility.place_refusal",
    "eligibility.why_not_target": "eligibility.target_refusal",
    "eligibility.why_not_way": "eligibility.way_refusal",
    "entering.can_take_control": "entering.takes_control",
    "entry.why_not_transfer": "entry.transfer_refusal",
    "fortifications.is_barred_to_tanks": "fortifications.bars_tanks",
    "fortifications.is_under_construction": "fortifications.under_construction",
    "fortifications.why_not_build": "fortifications.build_refusal",
    "fortifications.why_not_raze": "fortifications.raze_refusal",
    "leaders.why_not_reroll": "leaders.reroll_refusal",
    "maskirovka.is_in_supply_via": "maskirovka.in_supply_via",
    "maskirovka.why_not_reinforce": "maskirovka.reinforcement_refusal",
    "maskirovka.why_not_room": "maskirovka.room_refusal",
    "maskirovka.why_not_strategic": "maskirovka.strategic_refusal",
    "maskirovka.why_not_swap": "maskirovka.swap_refusal",
    "maskirovka.why_not_transfer": "maskirovka.transfer_refusal",
    "maskirovka.why_not_unload": "maskirovka.unload_refusal",
    "modes.why_not_fight": "modes.fighting_refusal",
    "modes.why_not_leave": "modes.stuck_refusal",
    "modes.why_not_mode": "modes.mode_refusal",
    "moving.why_not_flip": "moving.flip_refusal",
    "moving.why_not_full_retreat": "moving.full_retreat_refusal",
    "moving.why_not_reserve": "moving.reserve_refusal",
    "moving.why_not_select": "moving.selection_refusal",
    "offensives.why_not_use_offensive": "offensives.offensive_marker_refusal",
    "rail.can_carry": "rail.carries",
    "rail.can_lead_anywhere": "rail.leads_anywhere",
    "rail.why_not_end": "rail.end_refusal",
    "rail.why_not_start": "rail.start_refusal",
    "railheads.is_threatened": "railheads.threatened",
    "railheads.why_not_railhead": "railheads.railhead_refusal",
    "reach.why_not_enter_area": "reach.area_refusal",
    "reinforcements.why_not_arrive": "reinforcements.arrival_refusal",
    "replacements.why_not_hq": "replacements.hq_refusal",
    "replacements.why_not_kind": "replacements.kind_refusal",
    "replacements.why_not_restore": "replacements.restore_refusal",
    "replacements.why_not_return": "replacements.return_refusal",
    "replacements.why_not_revive": "replacements.revive_refusal",
    "reserves.why_not_activate": "reserves.activation_refusal",
    "resources.why_not_flip": "resources.flip_refusal",
    "resources.why_not_offensive": "resources.offensive_refusal",
    "resources.why_not_pay": "resources.no_points",
    "resources.why_not_plan": "resources.planner_refusal",
    "resources.why_not_ready": "resources.ready_refusal",
    "resources.why_not_refit": "resources.spend_refusal",
    "resources.why_not_supply_area": "resources.supply_area_refusal",
    "resources.why_not_switch": "resources.switch_refusal",
    "results.why_not_loss": "results.loss_refusal",
    "retreat.is_facing_elimination": "retreat.facing_elimination",
    "retreat.is_stack_doomed": "retreat.doomed_stack",
    "retreat_paths.can_survive": "retreat_paths.survives",
    "retreat_paths.ends_of": "retreat_paths.find_ends",
    "retreat_paths.why_not_end": "retreat_paths.end_refusal",
    "retreat_paths.why_not_survive_step": "retreat_paths.step_death",
    "sea.why_not_end": "sea.end_refusal",
    "sea.why_not_flotilla": "sea.flotilla_refusal",
    "sea.why_not_start": "sea.start_refusal",
    "sea.why_not_strait": "sea.strait_refusal",
    "sequence.is_opening_turn": "sequence.opening_turn",
    "shifts.is_well_above": "shifts.well_above",
    "stacking.is_counted_for_stacking": "stacking.counts_for_stacking",
    "stacking.is_tank_or_mech_corps": "stacking.tank_or_mech_corps",
    "stacking.why_not_stack": "stacking.stacking_refusal",
    "strengths.has_winter_shelter": "strengths.winter_shelter",
    "strengths.is_doubled_in_city": "strengths.doubles_in_city",
    "strengths.is_in_winter": "strengths.in_winter",
    "supply.has_control_of_sea": "supply.controls_sea",
    "supply.is_area_in_supply": "supply.area_in_supply",
    "supply.is_baku_shut": "supply.baku_shut",
    "supply.is_supplied_via": "supply.supplied_via",
    "supply.why_not_use_area": "supply.area_closed",
    "victory.has_enough_for_baku": "victory.enough_for_baku",
    "why.why_not_end": "why.end_refusal",
    "why.why_not_extended": "why.extended_refusal",
    "why.why_not_pass": "why.closed_refusal",
    "why.why_not_step": "why.step_refusal",
    "winter_offensive.why_not_announce": "winter_offensive.announce_refusal",
    "zones.has_zoc": "zones.exerts_zoc",
    "zones.is_in_ezoc": "zones.in_ezoc",
    "zones.why_not_bond": "zones.explain_bond",
}
"""Functions that had another name when the judgements were written: their arguments are drawn as they were then."""


class NotWritten(Exception):
    """A result that has no written form."""


@cache
def functions() -> dict[str, Callable[..., Any]]:
    """The public functions of the rules whose arguments can be made."""
    found = public_functions(stalingrad42, NOT_RULES)
    return {
        name: f
        for name, f in found.items()
        if all(p.annotation in TYPES for p in inspect.signature(f).parameters.values())
    }


def written(x: Any) -> Any:
    """A result as plain values, sets in order."""
    if x is None or isinstance(x, str | int | float | Fraction):
        return str(x)
    if isinstance(x, Breakdown):
        return [x.name, x.total, [list(map(str, item)) for item in x.items]]
    if isinstance(x, Board):
        return x.digest()
    if isinstance(x, Mapping):
        return sorted([written(k), written(v)] for k, v in x.items())
    if isinstance(x, Set):
        return sorted(map(written, x))
    if isinstance(x, list | tuple | Iterator):
        return [written(each) for each in x]
    if is_dataclass(x):
        return [type(x).__name__, *(written(getattr(x, f.name)) for f in fields(x))]
    if isinstance(x, Effect):
        return [getattr(x, name) for name in x.__slots__]
    if hasattr(x, "hexes") and hasattr(x, "first"):  # a Reach
        return [str(x.hexes), written(x.first)]
    raise NotWritten(type(x).__name__)


def some_board(name: str) -> Board:
    kind, seed = name.split(" ")
    if kind == "scattered":
        return scattered_board(int(seed))
    g = crowded_board(int(seed))
    g.events = []
    run(g)
    return g


@cache
def parameters(f: Callable[..., Any]) -> tuple[list[inspect.Parameter], bool]:
    """What a function wants, and whether it says nothing and so must do something."""
    signature = inspect.signature(f)
    return list(signature.parameters.values()), signature.return_annotation in ("None", "Out")


def said(f: Callable[..., Any], name: str, g: Board, stock: Stock, r: random.Random) -> Any:
    """What a function says of arguments made at random, and what it does to the board."""
    wanted, acts = parameters(f)
    changes = acts or name in CHANGING
    board = g.copy() if changes else g
    board.events = []
    m = stock.maker(r, board, name.split(".")[0])
    try:
        made = {p.name: m.make(p) for p in wanted}
    except (IndexError, KeyError, ValueError) as e:  # there is none on this board
        return type(e).__name__
    ordered = [made[p.name] for p in wanted if p.kind is p.POSITIONAL_OR_KEYWORD]
    by_name = {p.name: made[p.name] for p in wanted if p.kind is p.KEYWORD_ONLY}
    try:
        found = written(f(*ordered, **by_name))
    except NotWritten:
        raise
    except Exception as e:  # arguments that make no sense together
        return type(e).__name__
    told = [written(x) for x in made.values() if isinstance(x, Breakdown)]
    return [found, told, [sorted(e.items()) for e in board.events], board.digest()] if changes else [found, told]


def judge(name: str) -> dict[str, str]:
    """A digest for each function of what it says on one board."""
    g = some_board(name)
    before, stock, calls = g.digest(), Stock(g), CALLS[name.split(" ")[0]]
    found = {}
    for function, f in functions().items():
        r = random.Random(f"{FORMERLY.get(function, function)} {name}")
        try:
            found[function] = short([said(f, function, g, stock, r) for _ in range(calls)])[:4]
        except NotWritten:
            continue
    assert g.digest() == before, "a function changes the board that is not in CHANGING"
    return found


if __name__ == "__main__":
    judged = {name: judge(name) for name in BOARDS}
    kept = {f: " ".join(judged[name].get(f, "-") for name in BOARDS) for f in functions()}
    FILE.write_text(json.dumps(kept, indent=0, sort_keys=True) + "\n")
