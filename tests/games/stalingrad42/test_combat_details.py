"""Corners of combat: order of steps, what is refused, what happens when units die on the way."""

from __future__ import annotations

from typing import Any

import pytest

from kessel.core.procedure import asked
from kessel.games.stalingrad42.columns import (
    ADVANCED,
    AIR_READY,
    ATTACKED,
    AUTO_DS,
    DEFENDED,
    DISRUPTED,
    FULL_RETREAT,
    RETREATED,
)
from kessel.games.stalingrad42.combat.after.retreat import interruption
from kessel.games.stalingrad42.combat.after.retreat_paths import ends_of, unretreated
from kessel.games.stalingrad42.combat.combat import best_support, why_not_odds
from kessel.games.stalingrad42.combat.defense import why_not_lead
from kessel.games.stalingrad42.combat.strength.air import AIR_PLACED, why_not_defensive, why_not_offensive
from kessel.games.stalingrad42.combat.strength.artillery import (
    candidates,
    hosts,
    in_range,
    is_ready_point,
    why_not_lead_gun,
    why_not_shift,
)
from kessel.games.stalingrad42.combat.strength.eligibility import why_not_join_attack, why_not_mix, why_not_target
from kessel.games.stalingrad42.combat.strength.strengths import beyond_limit
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET

from .fights import AIR_BASE, attack, combat, crt_roll, dd_roll, ends, fight, odds_of, run_away, start, strength
from .helpers import area, at, board, choices, do, h, has, names, refused, rule, u
from .test_12_retreats import all_ends, corridor, flight
from .test_15_breakthrough import charge

TWO = "soviet 3-5-3;2-3-3 0,0"

# --- declaring -------------------------------------------------------------------------------------------------------


def test_attackers_are_added_and_removed():
    g = start({"A": "axis 9-8-6 1,0", "B": "axis 9-8-6 1,0", "X": TWO}, phase="combat")
    do(g, "attack 0,0", "add A", "add B", "remove A")
    assert choices(g) == {"cancel", "declare", "add A", "remove B"}
    assert refused(g, "remove A") == "8.3"
    assert refused(g, "add B") == "8.2"
    do(g, "remove B")
    assert choices(g) == {"cancel", "add A", "add B"}
    assert refused(g, "declare") == "8.1"


def test_marks_of_an_attack():
    units = {"A": "axis 9-8-6;5-5-6 1,0", "B": "axis 9-8-6 1,0", "X": TWO}
    g = start(units, dice=(6,), phase="combat", turn=10)
    attack(g, "0,0", "A")
    assert has(g, "A", ATTACKED)
    assert not has(g, "B", ATTACKED)
    assert has(g, "X", DEFENDED)
    g = start({"A": "axis 9-8-6 1,0 attacked", "X": TWO + " defended"}, phase="combat")
    assert "attack 0,0" not in choices(g), "the position stands in the middle of the phase"
    g = start({"A": "axis 9-8-6 1,0 attacked", "X": TWO + " defended"}, phase="movement")
    do(g, "pass")
    assert "attack 0,0" in choices(g), "marks of an earlier phase are gone"


def test_a_hex_of_units_that_retreated_elsewhere():
    g = board({"A": "axis 9-8-6 1,0", "X": TWO, "Y": "soviet 3-5-3 0,0"})
    g.set_status(u(g, "X"), int(DEFENDED))
    assert why_not_target(g, h(g, "0,0"), AXIS).rule == "8.1", "X held its hex"
    g.set_status(u(g, "X"), int(RETREATED))
    assert why_not_target(g, h(g, "0,0"), AXIS) is None, "X came from another combat, Y is fresh"
    g.set_status(u(g, "Y"), int(DEFENDED | RETREATED))
    assert why_not_target(g, h(g, "0,0"), AXIS).rule == "8.1", "both have been attacked"
    assert why_not_target(g, h(g, "0,0"), AXIS, again=True) is None


@rule("12.4a")
def test_units_that_all_retreated_defend_with_what_they_have():
    g = board({"A": "axis 9-8-6 1,0", "X": "soviet 3-5-3 0,0 retreated", "Y": "soviet 3-4-3 0,0 retreated"})
    assert odds_of(g, "0,0", "A").defense.total == 9, "the hex was not friendly occupied"


def test_axis_allies_and_the_edge_of_an_entry_area():
    g = board({"R": "axis 3-3-3 1,0 nation=romanian", "H": "axis 3-3-3 1,0 nation=hungarian", "G": "axis 3-3-3 1,0"})
    a, b, c = (u(g, n) for n in ("R", "H", "G"))
    assert why_not_mix(g, (a, b), h(g, "0,0")).rule == "20.5.1"
    assert why_not_mix(g, (a, c), h(g, "0,0")) is None
    units = {f"E{i}": "axis 3-3-3 Z" for i in range(8)} | {"X": "soviet 3-5-3 -3,0"}
    g = board(units, boxes=[area("Z", "axis", "-3,0")], radius=3)
    every = tuple(u(g, f"E{i}") for i in range(8))
    open_sides = sum(1 for n in g.map.grid.neighbours[h(g, "-3,0")] if n < 0)
    assert why_not_mix(g, every[: min(8, 3 * open_sides)], h(g, "-3,0")) is None
    units = {f"E{i}": "axis 3-3-3 Z" for i in range(12)} | {"X": "soviet 3-5-3 -3,0"}
    g = board(units, boxes=[area("Z", "axis", "-3,0")], radius=3)
    every = tuple(u(g, f"E{i}") for i in range(3 * open_sides + 1))
    assert why_not_mix(g, every, h(g, "-3,0")).rule == "22.7"


def test_units_of_an_entry_area_that_moved_do_not_attack():
    units = {"E": "axis 9-3-3 Z moved", "F": "axis 9-3-3 Z", "X": "soviet 3-5-3 -3,0"}
    g = board(units, boxes=[area("Z", "axis", "-3,0")], radius=3)
    assert why_not_join_attack(g, u(g, "E")).rule == "22.7"
    assert why_not_join_attack(g, u(g, "F")) is None


def test_best_support_counts_air_and_both_kinds_of_barrage():
    units = {"A": "soviet 2-8-6 1,0", "X": "axis 3-9-3 0,0", "D": "soviet S-(1)-4b 2,0 artdiv range=5"}
    g = board(units, radius=5)
    assert best_support(g, combat(g, "0,0", "A")) == 1
    assert why_not_odds(g, combat(g, "0,0", "A")).rule == "8.4.1", "1-5 and one shift is 1-4"
    g = board(units | {"E": "soviet S-(1)-4b 2,0 artdiv range=5"}, radius=5)
    assert best_support(g, combat(g, "0,0", "A")) == 2
    assert why_not_odds(g, combat(g, "0,0", "A")) is None


def test_who_is_beyond_the_stacking_limit():
    units = {"A": "axis 9-8-6 1,0"} | {f"X{i}": "soviet 3-3-3 0,0" for i in range(3)}
    g = board(units)
    assert len(beyond_limit(g, combat(g, "0,0", "A"))) == 3
    for change in (
        {"X2": "soviet 3-3-3 0,0 full_retreat"},
        {"X2": "soviet 3-3-3 0,0 free"},
        {"X2": "soviet S-(1)-5b 0,0 front"},
        {"Q": "soviet 0-0-6 0,0 army_hq"},
        {"X2": "soviet 3-3-3 0,0 retreated"},
    ):
        g = board(units | change)
        assert beyond_limit(g, combat(g, "0,0", "A")) == [], change


# --- Automatic DS ----------------------------------------------------------------------------------------------------


def test_an_automatic_ds_takes_its_units_one_by_one():
    units = {"A": "axis 20-8-6 1,0", "B": "axis 20-8-6 0,1", "X": "soviet 3-3-3 0,0", "Y": "soviet 3-2-3 2,0"}
    g = start(units, radius=6)
    do(g, "auto_ds 0,0", "add A", "add B")
    assert "declare" in choices(g)
    do(g, "remove A")
    assert refused(g, "declare") == "8.6.1"
    assert refused(g, "remove A") == "8.6.1"
    assert refused(g, "add B") == "8.2"
    do(g, "add A", "declare")
    assert at(g, "X") == "nowhere"
    assert refused(g, "auto_ds 2,0") == "8.6.1", "A has made its Automatic DS"


def test_two_automatic_ds_make_two_groups():
    units = {
        "A": "axis 30-8-6 1,0 mech",
        "B": "axis 30-8-6 -3,0 mech",
        "X": "soviet 3-3-3 0,0",
        "Y": "soviet 3-3-3 -2,0",
    }
    g = start(units, radius=6)
    do(g, "auto_ds 0,0", "add A", "declare", "auto_ds -2,0", "add B", "declare", "pass", "pass")
    assert choices(g) == {"pass", "exploit 0,0", "exploit -2,0"}
    do(g, "exploit 0,0")
    assert {"form A", "decline 1,0"} <= choices(g)
    do(g, "pass", "pass")
    assert choices(g) == {"pass", "exploit -2,0"}
    assert not has(g, "A", AUTO_DS)
    assert has(g, "B", AUTO_DS)
    do(g, "pass")
    assert not has(g, "B", AUTO_DS), "the markers are removed"


def test_a_stack_survives_an_automatic_ds_in_part():
    units = {
        "A": "axis 40-8-6 1,0",
        "X": "soviet 3-2-3;1-1-3 0,0",
        "Y": "soviet 3-2-3 0,0",
        "L": "soviet 0-0-6 0,0 army_hq",
    }
    g = start(units, radius=6)
    do(g, "auto_ds 0,0", "add A", "declare")
    assert asked(g) == AXIS
    assert choices(g) == {"lose X", "lose Y"}
    do(g, "lose Y")
    assert asked(g) == SOVIET
    run_away(g, "X")
    assert has(g, "X", FULL_RETREAT)
    assert "accompany L" in "".join(choices(g))


# --- retreats in play ------------------------------------------------------------------------------------------------


def test_three_units_retreat_one_by_one_or_all_together():
    more = {"Y": "soviet 1-1-3 0,0", "Z": "soviet 1-1-3 0,0 free"}
    g = fight("DR2", defender="soviet 3-3-3 0,0", more=more)
    do(g, "pass")
    assert refused(g, "retreat X Y by -1,0--2,0") == "12.1.2"
    assert refused(g, "retreat A by -1,0--2,0") == "12.1.2"
    run_away(g, "Z", "-2,0")
    run_away(g, "X Y", "0,-2")
    assert (at(g, "X"), at(g, "Y"), at(g, "Z")) == ("0,-2", "0,-2", "-2,0")


def test_foot_and_wheels_do_not_retreat_as_one():
    g = fight("DR2", defender="soviet 3-4-3 0,0", more={"Y": "soviet 1-1-3 0,0 tank"})
    do(g, "pass")
    assert not any(c.startswith("retreat X Y") for c in choices(g))
    assert refused(g, "retreat X Y by -1,0--2,0") == "12.1.2"


def test_two_steps_for_two_hexes():
    g = fight("D1", defender="soviet 3-5-3;2-3-3;1-2-3 0,0", more={"F": "soviet 3-5-3 -1,0"}, column="1")
    do(g, "pass")
    assert "-1,0" not in ends(g, "X"), "two steps left, one can be paid"
    more = {"F": "soviet 3-5-3 -1,0", "Y": "soviet 1-1-3;1-1-3 0,0"}
    g = fight("D1", defender="soviet 3-4-3;2-3-3;1-2-3 0,0", more=more, column="1")
    do(g, "lose Y", "pass")
    run_away(g, "X Y", "-1,0")
    assert choices(g) == {"lose X", "lose Y"}
    do(g, "lose X")
    assert choices(g) == {"lose X", "lose Y"}
    do(g, "lose X")
    assert (g.steps[u(g, "X")], g.steps[u(g, "Y")]) == (1, 1)


def test_a_non_combat_unit_may_stay():
    g = fight("DR2", defender=TWO, more={"L": "soviet 0-0-6 0,0 army_hq"})
    do(g, "pass")
    run_away(g, "X")
    do(g, "pass")
    assert at(g, "L") == "0,0"
    do(g, "pass", "advance A", "go 0,0")
    assert at(g, "L") == "nowhere"


def test_a_retreat_takes_control_on_its_way_unless_in_full_retreat():
    city = {"vp": {"-1,0": 1}, "control": {"-1,0": "axis"}}
    g = fight("DR2", defender=TWO, **city)
    do(g, "pass")
    ways = {c for c in choices(g) if c.startswith("retreat X") and c.endswith("-2,0")}
    assert ways == {"retreat X by -1,0--2,0"}
    both = {c for c in choices(g) if c.startswith("retreat X") and c.endswith("--2,1")}
    assert len(both) == 2, "through the VP hex or past it"
    do(g, "retreat X by -1,0--2,0")
    assert g.controller(h(g, "-1,0")) == SOVIET
    g = fight("DR4", colour="noDD", defender=TWO, **city)
    run_away(g, "X", "-4,0")
    assert g.controller(h(g, "-1,0")) == AXIS


def test_an_extra_hex_past_a_vp_hex():
    land = ("0,0", "1,0", "-1,0", "-2,0", "-2,-1", "-3,1", "-3,0")
    more = corridor(*land) | {"vp": {"-2,0": 1}, "control": {"-2,0": "axis"}}
    g = board({"X": TWO, "A": "axis 5-5-3 -3,1"}, **more)
    assert all_ends(g, "X") == {"-2,-1": "extra hex"}
    (end,) = ends_of(g, u(g, "X"), flight(g, "X"), 0)
    assert [g.hex_name(p) for p in end.path] == ["-1,0", "-2,0", "-2,-1"]


def test_hexes_with_friends_that_did_not_retreat():
    units = {"A": "soviet 1-1-3 0,0 retreated", "B": "soviet 1-1-3 0,0", "C": "soviet 1-1-3 1,0 retreated"}
    g = board(units | {"D": "soviet 1-1-3 2,0"})
    assert names(g, unretreated(g, SOVIET)) == {"0,0", "2,0"}


def test_who_interrupts_whom():
    units = {"A": "axis 5-5-3 1,0", "F": "soviet 3-5-3 0,0 full_retreat", "L": "axis 0-0-6 0,1 leader"}
    g = board(units)
    assert interruption(g, AXIS, h(g, "1,0")) is not None
    assert interruption(g, AXIS, h(g, "0,1")) is None, "a leader alone"
    assert interruption(g, SOVIET, h(g, "0,0")) is None
    assert interruption(g, AXIS, h(g, "3,0")) is None
    g = board(units, hexsides={"0,0|1,0": "volga"})
    assert interruption(g, AXIS, h(g, "1,0")) is None, "not adjacent across the Volga"


# --- Breakthrough ----------------------------------------------------------------------------------------------------


@rule("14.5e")
def test_a_vacated_marsh_ends_the_advance_of_the_group():
    g = charge(terrain={"0,0": "marsh"}, defender="soviet 3-1-3 0,0")
    do(g, "form A1", "form A2", "form A3")
    assert not any(c.startswith(("go", "strike")) for c in choices(g))
    assert has(g, "A1", ADVANCED)
    road = {"terrain": {"0,0": "marsh"}, "links": [("primary", "1,0 0,0 -1,0")]}
    g = charge(defender="soviet 3-1-3 0,0", **road)
    do(g, "form A1", "pass")
    assert any(c.startswith("go") for c in choices(g))


def test_a_group_that_declined_takes_an_hq_along():
    g = charge(more={"Q": "axis 0-0-6 1,0 army_hq", "S": "axis 9-8-6 1,0 mech"}, mech=2)
    do(g, "decline 1,0")
    assert choices(g) == {"pass", "form Q"}
    do(g, "form Q", "go 2,0")
    assert at(g, "Q") == at(g, "A1") == "2,0"
    assert at(g, "S") == "1,0"


def test_the_last_unit_is_not_dropped():
    g = charge()
    do(g, "form A1", "pass")
    assert refused(g, "drop A1") == "15.2.10"
    assert not any(c.startswith("drop") for c in choices(g))


@rule("9.3.7d")
def test_air_goes_home_if_its_stack_dies_in_a_breakthrough_combat():
    column, die = crt_roll("A1", None)
    units = {
        "A": f"axis {strength(column - 1, 8)}-8-6 1,0 mech",
        "B": "axis 36-8-3 0,1",
        "X": "soviet 3-4-3 0,0",
        "Y": "soviet 3-8-3 -1,0",
    }
    g = start(units, dice=(die,), phase="combat", turn=10, **AIR_BASE)
    attack(g, "0,0", "A", "B")
    do(g, "air VIII-FK", "station A")
    assert g.air[0] == AIR_PLACED
    do(g, "form A", "pass", "strike -1,0")
    assert at(g, "A") == "nowhere"
    assert g.air[0] == AIR_READY
    assert choices(g) == {"pass", "advance B"}


@rule("13.3.2g")
def test_full_retreat_units_run_from_a_breakthrough_group():
    g = charge(more={"F": "soviet 3-5-3 -2,0 full_retreat"})
    do(g, "form A1", "form A2", "form A3", "go -1,0")
    assert asked(g) == SOVIET
    run_away(g, "F")
    assert asked(g) == AXIS
    assert any(c.startswith("go") for c in choices(g)), "the group goes on"


def test_an_exchange_in_breakthrough_combat_opens_the_hex():
    column, die = crt_roll("EX", None)
    units = {
        "A": f"axis {strength(column)}-8-6;2-2-6 1,0 mech",
        "H": "axis 38-8-3 0,1",
        "X": "soviet 3-1-3 0,0",
        "Y": "soviet 3-5-3 -1,0",
    }
    g = start(units, dice=(die,), phase="combat", turn=10, radius=6)
    attack(g, "0,0", "A", "H")
    do(g, "form A", "pass", "strike -1,0")
    assert choices(g) == {"enter", "stay"}
    do(g, "enter")
    assert at(g, "A") == "-1,0"
    assert choices(g) == {"pass", "advance H"}, "but the advance is over (15.2.7)"


# --- advance in play -------------------------------------------------------------------------------------------------


def test_an_advance_may_be_made_hex_by_hex():
    g = fight("DR4", colour="noDD", attacker="axis {}-8-6 1,0 mech", radius=6)
    run_away(g, "X")
    do(g, "pass", "advance A", "go 0,0", "go -1,0")
    assert at(g, "A") == "-1,0"
    assert max(c.count(",") for c in choices(g) if c.startswith("go")) == 2
    assert refused(g, "go -2,0--3,0--4,0") == "14.2.1"
    do(g, "halt")
    assert has(g, "A", ADVANCED)
    assert choices(g) == {"pass"}


def test_refused_ways_of_an_advance():
    more = {"Y": "soviet 3-5-3 -3,0", "F1": "axis 1-1-1 0,1", "F2": "axis 1-1-1 0,1", "F3": "axis 1-1-1 0,1"}
    g = fight("DR4", colour="noDD", attacker="axis {}-8-6 1,0 mech", more=more, radius=6, terrain={"2,-1": "marsh"})
    run_away(g, "X")
    do(g, "pass", "advance A")
    assert refused(g, "go 0,0--1,0--2,0--2,1") == "14.4.2", "it stops in the EZOC of Y"
    assert refused(g, "go 2,-1-3,-1") == "14.5", "and in the Marsh"
    assert refused(g, "go 0,1") == "14.1", "and does not overstack"
    assert refused(g, "go 3,0") == "14.1", "nor jumps"


# --- support ---------------------------------------------------------------------------------------------------------


def test_supply_points_and_their_hosts():
    units = {
        "H": "axis S-(1)-5 0,0 hq range=3 back=0-(1)-5 flipped",
        "S": "axis 0-0-5 0,0 supply back=S-0-T flipped",
        "M": "axis 0-0-5 0,0 supply back=S-0-T",
        "N": "axis 0-0-0 0,0 supply",
        "U": "axis 0-0-0 0,0 supply unusable",
        "W": "axis 0-0-5 0,0 supply back=S-0-T flipped train",
        "E": "soviet S-(1)-5 3,0 front range=3",
    }
    g = board(units)
    assert [is_ready_point(g, u(g, n)) for n in "SMNUW"] == [True, False, True, False, False]
    assert hosts(g, u(g, "S")) == [u(g, "H")]
    assert candidates(g, AXIS) == [u(g, "S"), u(g, "N")], "the HQ is Used"
    assert candidates(g, SOVIET) == [u(g, "E")]


@rule("18.3.3c")
def test_an_asu_in_an_entry_area_supports_the_edge():
    units = {
        "A": "axis 9-8-6 -2,0",
        "X": "soviet 3-5-3 -3,0",
        "Y": "soviet 3-5-3 -1,0",
        "H": "axis S-(1)-5 Z hq range=5",
    }
    g = board(units, boxes=[area("Z", "axis", "-3,0 -3,1")], radius=3)
    assert why_not_shift(g, u(g, "H"), combat(g, "-3,0", "A")) is None
    assert why_not_shift(g, u(g, "H"), combat(g, "-1,0", "A")).rule == "18.3.3"
    units = {"L": "axis 3-5-3 -3,0", "M": "axis 3-5-3 -1,0", "H": "axis S-(1)-5 Z hq range=5"}
    g = board(units, boxes=[area("Z", "axis", "-3,0 -3,1")], radius=3)
    assert why_not_lead_gun(g, u(g, "H"), u(g, "L")) is None
    assert why_not_lead_gun(g, u(g, "H"), u(g, "M")).rule == "18.3.3"


@rule("18.4b")
@rule("18.4c")
def test_what_a_range_path_may_cross():
    goal = "0,0"

    def reaches_from(place: str, hexes: int, units: dict[str, str] | None = None, **more: Any) -> bool:
        g = board({"A": "axis 3-3-3 0,0"} | (units or {}), **more)
        return bool(in_range(g, AXIS, 1 << h(g, goal), hexes) >> h(g, place) & 1)

    line = corridor("0,0", "1,0", "2,0", "3,0", "2,-1", "3,-1", "1,-1")
    assert reaches_from("3,0", 3, **line)
    assert not reaches_from("3,0", 2, **line)
    only = corridor("0,0", "1,0", "2,0", "3,0")
    assert reaches_from("3,0", 3, **only)
    for sides in ({"1,0|2,0": "lake"}, {"1,0|2,0": "alpine"}):
        assert not reaches_from("3,0", 3, hexsides=sides, **only), sides
    assert reaches_from("3,0", 3, hexsides={"1,0|2,0": "alpine"}, links=[("primary", "1,0 2,0")], **only)
    assert reaches_from("3,0", 3, hexsides={"1,0|2,0": "volga"}, **only)
    assert not reaches_from("3,0", 3, hexsides={"1,0|2,0": "volga"}, options={"los_over_volga": "no"}, **only)


def test_a_path_through_two_ezocs():
    line = corridor("0,0", "1,0", "2,0", "3,0", "2,-1")
    g = board({"A": "axis 3-3-3 0,0", "X": "soviet 3-3-3 2,-1"}, **line)
    assert not in_range(g, AXIS, 1 << h(g, "0,0"), 3) >> h(g, "3,0") & 1, "1,0 and 2,0 are EZOCs"
    g = board({"A": "axis 3-3-3 0,0", "B": "axis 3-3-3 1,0", "X": "soviet 3-3-3 2,-1"}, **line)
    assert in_range(g, AXIS, 1 << h(g, "0,0"), 3) >> h(g, "3,0") & 1, "B negates one of them"


def test_air_refusals():
    g = board({"A": "soviet 9-8-6 1,0", "X": "axis 3-5-3 0,0"}, air={"VIII-FK": "ready", "IV-FK": "used"})
    a = combat(g, "0,0", "A")
    assert why_not_offensive(g, 0, a).rule == "9.3.1", "Soviet attackers"
    assert why_not_defensive(g, 1, a).rule == "9.3.6", "used"
    assert why_not_defensive(g, 2, a).rule == "9.3.1", "the Romanian unit is not there"
    assert why_not_defensive(g, 0, a).rule == "9.3.5", "out of range"
    g = board({"A": "axis 9-8-6 1,0", "X": "soviet 3-5-3 0,0"}, air={"VIII-FK": "1,0"})
    a = combat(g, "0,0", "A")
    assert why_not_offensive(g, 0, a).rule == "9.3.7"
    assert why_not_defensive(g, 0, a).rule == "9.3.1", "the defender is Soviet"
    assert why_not_offensive(g, 0, a._replace(breakthrough=True)).rule == "15.2.9"


# --- Determined Defense in play --------------------------------------------------------------------------------------


def test_excluded_units_do_not_lead():
    g = board({"A": "axis 9-8-6 1,0", "X": TWO, "Y": "soviet 3-5-3 0,0"}, turn=10)
    a = combat(g, "0,0", "A", excess=(u(g, "Y"),))
    assert why_not_lead(g, u(g, "Y"), a).rule == "15.3.2"
    assert why_not_lead(g, u(g, "X"), a) is None


@rule("29.1.3c")
def test_a_lowered_marker_leaves_everybody_in_place():
    from .test_29_contested_cities import counterattack

    g = counterattack(2)
    assert asked(g) == SOVIET
    assert not any(c.startswith("retreat") for c in choices(g))
    assert not has(g, "A", DISRUPTED)


def test_a_partial_success_that_kills_the_last_defender_of_a_city():
    from .fights import TABLES

    cell = next(c for c in TABLES.defense["city"] if c.code == "P" and c.defender_loss)
    column, die = crt_roll("DR2")
    units = {"A": f"axis {strength(column, 10)}-8-6 1,0 mech", "X": "soviet 3-5-3 0,0"}
    more = {"terrain": {"0,0": "major_city"}, "control": {"0,0": "soviet"}, "turn": 10, "radius": 5}
    g = start(units, dice=(die, dd_roll("city", "P", losses=str(cell).split()[1])), phase="combat", **more)
    attack(g, "0,0", "A")
    do(g, "defend X")
    assert at(g, "X") == "nowhere"
    assert g.city_battle[h(g, "0,0")] == 0, "nobody is left to battle"
    do(g, "advance A")
    assert all(c.count(",") <= 1 for c in choices(g) if c.startswith("go")), "one hex, as after a Delay"


@pytest.mark.parametrize("word", ["defend", "desperate"])
def test_both_kinds_of_defense_are_offered_where_retreat_is_death(word: str):
    from .test_11_determined_defense import POCKET

    g = fight("DR2", defender="soviet 3-5-3;2-3-3;1-1-3 0,0", more=POCKET, then=(dd_roll("clear_desert", "F"), 6))
    assert {"defend X", "desperate X", "pass"} == choices(g)
    do(g, f"{word} X")
    if word == "defend":
        assert at(g, "X") == "nowhere", "a plain Determined Defense that fails must retreat, and dies"
    else:
        assert at(g, "X") == "0,0"


def test_the_phase_remembers_the_vacated_hex():
    from kessel.games.stalingrad42.combat.combat_phase import CombatPhase

    def vacated(g) -> int:
        (phase,) = [p for p in g.stack if isinstance(p, CombatPhase)]
        return phase.vacated

    g = fight("DS", colour="noDD")
    assert vacated(g) == h(g, "0,0")
    g = fight("A1", colour=None, attacker="axis {}-8-6;5-5-6 1,0")
    assert vacated(g) == -1


def test_which_enemy_keeps_a_city_battle_going():
    from kessel.games.stalingrad42.combat.city_battles import level, settle_city_battles

    more: dict[str, Any] = {
        "terrain": {"0,0": "major_city"},
        "control": {"0,0": "soviet"},
        "city_battles": {"0,0": 1},
    }
    for options, left in (({}, 0), ({"city_battle_marker": "any_adjacent"}, 1)):
        g = board({"L": "axis 0-0-6 1,0 leader", "X": TWO}, options=options, **more)
        settle_city_battles(g)
        assert level(g, h(g, "0,0")) == left
    g = board({"A": "axis 3-3-3 1,0", "X": TWO}, hexsides={"0,0|1,0": "volga"}, **more)
    settle_city_battles(g)
    assert level(g, h(g, "0,0")) == 0, "not adjacent across the Volga"


def test_nobody_attacks_out_of_an_enemy_entry_area():
    units = {"A": "axis 9-3-3 G", "X": "soviet 3-5-3 -3,0"}
    g = board(units, boxes=[area("G", "soviet", "-3,0")], radius=3)
    assert why_not_join_attack(g, u(g, "A")).rule == "22.7"


@rule("12.2e")
def test_every_extra_hex_follows_one_in_an_ezoc():
    g = board({"X": TWO, "A": "axis 5-5-3 -3,1", "B": "axis 5-5-3 2,-3"}, radius=6)
    from kessel.games.stalingrad42.movement.ways.zones import enemy_zoc

    zone = enemy_zoc(g, SOVIET)
    for n in (2, 3, 4):
        extra = [e for e in ends_of(g, u(g, "X"), flight(g, "X", n), 0) if e.kind == "extra hex"]
        assert extra
        for e in extra:
            assert len(e.path) == n + 1
            assert zone >> e.path[n - 1] & 1
            assert not zone >> e.path[n] & 1
            assert len(set(e.path)) == n + 1
        for e in ends_of(g, u(g, "X"), flight(g, "X", n), 0):
            assert not any(zone >> a & zone >> b & 1 for a, b in zip(e.path, e.path[1:], strict=False))


def test_ways_that_are_none():
    from .test_12_retreats import way

    g = board({"X": TWO, "A": "axis 5-5-3 1,0"}, radius=5, boxes=[area("S", "soviet", "-5,0")])
    assert way(g, "X").startswith("12.1.1")
    assert way(g, "X", "-2,0").startswith("12.1.1"), "a jump"
    assert way(g, "X", "S").startswith("12.1.1"), "the Entry Area is far away"


def test_a_hex_of_a_beaten_unit_and_a_leader():
    g = board({"A": "axis 9-8-6 1,0", "X": TWO, "L": "soviet 0-0-6 0,0 leader"}, phase="combat")
    from kessel.games.stalingrad42.combat.strength.eligibility import targets

    assert targets(g, AXIS) == [h(g, "0,0")]
    g.set_status(u(g, "X"), int(DEFENDED | RETREATED))
    assert targets(g, AXIS) == []


@rule("22.7a")
def test_an_advance_from_an_entry_area_into_an_enemy_hex_or_bond():
    from kessel.games.stalingrad42.combat.after.advance_paths import Trip, why_not_step

    units = {"A": "axis 9-8-6 Z", "Y": "soviet 3-5-3 -3,1"}
    g = board(units, boxes=[area("Z", "axis", "-3,0 -3,1 -3,2")], radius=3)
    trip = Trip(g.place[u(g, "A")], 2)
    assert why_not_step(g, u(g, "A"), trip, h(g, "-3,1")).rule == "5.1"
    assert why_not_step(g, u(g, "A"), trip, h(g, "-3,2")) is None
    assert why_not_step(g, u(g, "A"), trip, h(g, "0,0")).rule == "22.7"
