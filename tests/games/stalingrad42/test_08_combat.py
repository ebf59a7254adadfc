"""8.0 Combat."""

from __future__ import annotations

import pytest

from kessel.core.dice import NeedRoll, Scripted
from kessel.core.procedure import asked
from kessel.games.stalingrad42.columns import ATTACKED, AUTO_DS, DEFENDED, FULL_RETREAT, RETREATED
from kessel.games.stalingrad42.combat.combat import best_support, why_not_odds
from kessel.games.stalingrad42.combat.crt import column_name, odds
from kessel.games.stalingrad42.combat.strength.eligibility import why_not_target
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET

from .fights import TWO, attack, column_of, combat, crt_roll, fight, odds_of, run_away, start, strength
from .helpers import area, at, board, choices, do, example, h, has, refused, rule, u

# --- 8.1 the basics --------------------------------------------------------------------------------------------------


@rule("8.1a")
def test_units_attack_adjacent_enemy_combat_units_in_the_combat_phase():
    g = start({"A": "axis 10-8-6 1,0", "B": "axis 10-8-6 3,0", "X": "soviet 3-5-3 0,0"}, phase="combat")
    assert {c for c in choices(g) if not c.startswith("disengage")} == {"pass", "attack 0,0"}
    do(g, "attack 0,0")
    assert "add A" in choices(g)
    assert refused(g, "add B") == "8.1"
    assert refused(g, "add X") == "8.1"
    assert refused(g, "declare") == "8.1", "somebody must attack"


@rule("8.1a")
def test_non_combat_units_are_neither_attacked_nor_attack():
    g = start({"A": "axis 10-8-6 1,0", "X": "soviet 0-0-6 0,0 leader", "L": "axis 0-0-6 1,0 leader"}, phase="combat")
    assert {c for c in choices(g) if not c.startswith("disengage")} == {"pass"}
    assert refused(g, "attack 0,0") == "8.1"
    g = start({"A": "axis 0-0-6 1,0 leader", "X": "soviet 3-5-3 0,0"}, phase="combat")
    assert refused(g, "attack 0,0") == "19.3"


@rule("8.1b")
def test_attacking_is_voluntary():
    g = start({"A": "axis 10-8-6 1,0", "X": "soviet 3-5-3 0,0"}, phase="combat")
    do(g, "attack 0,0", "add A", "cancel")
    assert "attack 0,0" in choices(g)
    do(g, "pass")
    assert at(g, "X") == "0,0"


@rule("8.1c")
def test_no_unit_attacks_or_is_attacked_twice():
    column, die = crt_roll("A1", None)
    units = {
        "A": f"axis {strength(column)}-4-3;1-2-3 1,0",
        "B": "axis 9-4-3 -1,0",
        "X": "soviet 3-5-3 0,0",
        "Y": "soviet 3-5-3 2,-1",
    }
    g = start(units, dice=(die,), phase="combat")
    assert {"attack 0,0", "attack 2,-1"} <= choices(g)
    attack(g, "0,0", "A")
    assert g.steps[u(g, "A")] == 1
    assert refused(g, "attack 0,0") == "8.1", "X has been attacked, B may not attack it again"
    assert refused(g, "attack 2,-1") == "8.1", "A, the only unit next to Y, has attacked"


@rule("8.1d")
@rule("8.2c")
@rule("8.2d")
def test_units_of_a_stack_attack_different_hexes_or_not_at_all():
    units = {
        "A": "axis 5-5-3 0,0",
        "B": "axis 5-5-3 0,0",
        "C": "axis 5-5-3 0,0",
        "X": "soviet 3-5-3 1,0",
        "Y": "soviet 3-5-3 -1,0",
    }
    g = start(units, dice=(6, 6), phase="combat")
    attack(g, "1,0", "A")
    assert "attack -1,0" in choices(g)
    do(g, "attack -1,0")
    assert choices(g) == {"cancel", "add B", "add C"}, "A's strength is not split"
    assert refused(g, "add A") == "8.1"
    do(g, "add B", "declare")
    assert at(g, "C") == "0,0"


@rule("8.1e")
def test_all_defenders_of_a_hex_are_one_strength():
    g = board({"A": "axis 9-8-6 1,0", "X": "soviet 3-5-3 0,0", "Y": "soviet 2-4-3 0,0"})
    now = odds_of(g, "0,0", "A")
    assert now.defense.total == 9
    assert now.name == "1-1"


@rule("8.1f")
def test_attacks_are_made_in_any_order_without_predesignation():
    units = {"A": "axis 9-8-6 1,0", "B": "axis 9-8-6 3,0", "X": "soviet 3-5-3 0,0", "Y": "soviet 3-5-3 4,0"}
    for first, second in (("0,0", "4,0"), ("4,0", "0,0")):
        g = start(units, dice=(6, 6), phase="combat")
        assert {f"attack {first}", f"attack {second}"} <= choices(g)
        attack(g, first, "A" if first == "0,0" else "B")
        while "attack " + second not in choices(g):
            do(g, "pass")
        do(g, f"attack {second}")


@rule("8.1g")
@rule("9.5.6")
@rule("9.6.2a")
def test_no_attack_where_the_unit_may_not_move():
    sides = {"0,0|1,0": "lake", "0,0|0,1": "sea", "-1,0|0,0": "alpine"}
    units = {"L": "axis 9-8-6 1,0", "S": "axis 9-8-6 0,1", "P": "axis 9-8-6 -1,0", "X": "soviet 3-5-3 0,0"}
    g = start(units, hexsides=sides, phase="combat")
    assert {c for c in choices(g) if not c.startswith("disengage")} == {"pass"}
    g = start(units | {"M": "axis 9-8-3 -1,0 mountain", "C": "axis 3-3-3 1,-1"}, hexsides=sides, phase="combat")
    do(g, "attack 0,0")
    assert refused(g, "add L") == "9.5.6"
    assert refused(g, "add S") == "8.1"
    assert refused(g, "add P") == "9.6.2"
    do(g, "add M")
    g = start({"T": "axis 9-8-6 1,0 tank", "X": "soviet 3-5-3 0,0"}, terrain={"0,0": "mountain"}, phase="combat")
    assert refused(g, "attack 0,0") == "8.1"
    g = start(
        {"T": "axis 9-8-6 1,0 tank", "X": "soviet 3-5-3 0,0"},
        terrain={"0,0": "mountain"},
        links=[("primary", "0,0 1,0")],
        phase="combat",
    )
    do(g, "attack 0,0", "add T")


@rule("9.5.6")
@rule("9.6.2a")
def test_lakes_in_the_desert_freeze_and_alpine_hexsides_close_in_winter():
    units = {"L": "axis 9-8-6 1,0", "X": "soviet 3-5-3 0,0"}
    g = start(units, hexsides={"0,0|1,0": "lake"}, terrain={"0,0": "desert"}, phase="combat", turn=28)
    do(g, "attack 0,0", "add L")
    g = start(units, hexsides={"0,0|1,0": "lake"}, phase="combat", turn=28)
    assert refused(g, "attack 0,0") == "9.5.6", "no desert, no ice"
    units = {"M": "axis 9-8-3 1,0 mountain", "X": "soviet 3-5-3 0,0"}
    g = start(units, hexsides={"0,0|1,0": "alpine"}, phase="combat", turn=28)
    assert refused(g, "attack 0,0") == "9.6.2"


@rule("8.1a")
@rule("13.2.1c")
@rule("13.3.2d")
@pytest.mark.parametrize(
    ("word", "number"),
    [
        ("disrupted", "13.2.1"),
        ("full_retreat", "13.3.2"),
        ("train", "5.6.4"),
        ("replaced", "21.4"),
        ("arrived", "20.8"),
        ("auto_ds", "8.6.1"),
        ("extended", "2.3.2"),
        ("reserve", "25.2.3"),
    ],
)
def test_states_in_which_a_unit_does_not_attack(word: str, number: str):
    units = {"A": f"axis 9-8-6 1,0 {word}", "B": "axis 9-8-6 0,1", "X": "soviet 3-5-3 0,0"}
    g = start(units, phase="combat")
    do(g, "attack 0,0")
    if word == "full_retreat":
        assert "add A" not in choices(g)  # eliminated as the phase began (13.3.2)
    else:
        assert refused(g, "add A") == number
    assert "add B" in choices(g)


# --- 8.2 multi-hex combat --------------------------------------------------------------------------------------------


@rule("8.2a")
@rule("8.2b")
def test_one_hex_is_attacked_at_a_time_from_up_to_six():
    ring = ("1,0", "0,1", "-1,1", "-1,0", "0,-1", "1,-1")
    units = {f"A{i}": f"axis 2-2-3 {place}" for i, place in enumerate(ring)} | {"X": "soviet 3-5-3 0,0"}
    g = start(units | {"Y": "soviet 3-5-3 2,0"}, phase="combat")
    do(g, "attack 0,0", *(f"add A{i}" for i in range(6)))
    assert odds_of(g, "0,0", *(f"A{i}" for i in range(6))).attack.total == 12
    assert "attack 2,0" not in choices(g), "no second hex in the same attack"


# --- 8.3, 8.4 odds and columns ---------------------------------------------------------------------------------------


@rule("8.3a")
@example("E19")
@pytest.mark.parametrize(
    ("attacker", "defender", "column"), [(7, 2, "3-1"), (9, 4, "2-1"), (6, 4, "1-1"), (5, 6, "1-2"), (2, 6, "1-3")]
)
def test_odds_are_rounded_in_the_defenders_favour(attacker: int, defender: int, column: str):
    g = board({"A": f"axis {attacker}-8-6 1,0", "X": f"soviet 3-{defender}-3 0,0"})
    assert column_of(g, "0,0", "A") == column
    assert column_name(odds(attacker, defender)) == column


@rule("8.3b")
def test_the_attacker_declares_support_before_the_defender():
    units = {
        "A": "soviet 15-8-6 1,0",
        "F": "soviet S-(1)-5b 2,0 front range=3",
        "X": "axis 3-5-3 0,0",
        "T": "axis 0-0-3 -5,0 leader",
    }
    g = start(
        units,
        dice=(1,),
        side="soviet",
        phase="combat",
        features={"0,-2": ["town"]},
        links=[("rail", "0,-2 -1,-2")],
        boxes=[area("Z", "axis", "-1,-2")],
        repaired="all",
        air={"VIII-FK": "ready"},
        radius=5,
    )
    attack(g, "0,0", "A")
    assert asked(g) == SOVIET
    assert choices(g) == {"pass", "artillery F"}
    do(g, "artillery F")
    assert asked(g) == AXIS
    assert choices(g) == {"pass", "air VIII-FK"}


@rule("8.3c")
def test_one_die_on_the_shifted_column_is_applied_at_once():
    g = fight("DR2")
    assert g.dice.count == 1
    assert "retreat" in str(choices(g)) or "defend X" in choices(g)
    g = start({"A": "axis 15-8-6 1,0", "X": "soviet 3-5-3 0,0"}, phase="combat")
    do(g, "attack 0,0", "add A")
    g.dice = Scripted(())
    with pytest.raises(NeedRoll):
        do(g, "declare")


@rule("8.4.1a")
def test_less_than_one_to_three_is_not_allowed():
    units = {"A": "axis 1-8-6 1,0", "B": "axis 1-8-6 1,0", "X": "soviet 3-5-3 0,0"}
    g = start(units, dice=(6,), phase="combat")
    do(g, "attack 0,0", "add A")
    assert column_name(odds(1, 5)) == "1-5"
    assert refused(g, "declare") == "8.4.1"
    do(g, "add B")
    assert "declare" in choices(g), "2 to 5 is 1-3"
    g = start(units, terrain={"0,0": "rough"}, phase="combat")
    do(g, "attack 0,0", "add A", "add B")
    assert refused(g, "declare") == "8.4.1", "known shifts count"


@rule("8.4.1a")
def test_support_may_lift_an_attack_to_one_to_three_and_must_then_be_given():
    units = {"A": "axis 2-8-6 1,0", "H": "axis S-(1)-5b 2,0 hq range=5", "X": "soviet 3-7-3 0,0"}
    g = start(units, dice=(1,), phase="combat")
    attack(g, "0,0", "A")
    assert choices(g) == {"artillery H"}
    assert refused(g, "pass") == "8.4.1"
    do(g, "artillery H")
    assert g.dice.count == 1


@rule("8.4.1a")
def test_defensive_air_that_pushes_an_attack_under_one_to_three_resolves_it_there():
    def play(**options: str):
        g = start(
            {"A": "soviet 2-8-6 1,0", "X": "axis 3-5-3 0,0"},
            dice=(6,),
            side="soviet",
            phase="combat",
            features={"0,-2": ["town"]},
            links=[("rail", "0,-2 -1,-2")],
            boxes=[area("Z", "axis", "-1,-2")],
            repaired="all",
            air={"VIII-FK": "ready"},
            options=options,
        )
        attack(g, "0,0", "A")
        return g

    g = play()
    do(g, "air VIII-FK")
    assert any(e.get("odds", {}).get("shifted") == "1-4" for e in g.events)
    assert any("on 1-3" in e["what"] for e in g.events)
    g = play(late_low_odds="forbid")
    assert "air VIII-FK" not in choices(g)


@rule("8.4.1b")
@pytest.mark.parametrize("attacker", [40, 45])
def test_eight_and_nine_to_one_use_the_seven_to_one_column(attacker: int):
    g = board(
        {"A": f"axis {attacker // 2}-8-6 1,0", "B": f"axis {attacker - attacker // 2}-8-6 1,0"}
        | {"X": "soviet 3-5-3 0,0"}
    )
    now = odds_of(g, "0,0", "A", "B")
    assert column_name(now.at) in ("8-1", "9-1") or now.attack.total == 40
    assert now.name == "7-1"
    assert not now.automatic


@rule("8.4.1c")
def test_ten_to_one_is_a_ds_without_a_roll():
    g = start({"A": "axis 30-8-6 1,0", "X": "soviet 3-3-3;1-1-3 0,0"}, phase="combat", radius=5)
    attack(g, "0,0", "A")
    assert g.dice.count == 0
    assert g.steps[u(g, "X")] == 1
    assert all(c.startswith("retreat X") for c in choices(g)), "no Determined Defense"
    do(g, "retreat X by -1,0--2,0--3,0--4,0")
    assert has(g, "X", FULL_RETREAT)


@rule("8.4.2a")
@rule("8.4.2b")
@example("E20")
def test_shifts_run_beyond_the_table_before_the_maximum_applies():
    g = board({"A": "axis 32-8-6 1,0", "X": "soviet 3-4-3 0,0"}, forts={"0,0": "soviet"})
    now = odds_of(g, "0,0", "A")
    assert (column_name(now.odds), now.shifts.total, now.name) == ("8-1", -1, "7-1")
    g = board({"A": "axis 28-8-6 1,0 tank black", "X": "soviet 3-4-3 0,0"})
    now = odds_of(g, "0,0", "A")
    assert (column_name(now.odds), now.shifts.total, now.name) == ("7-1", 1, "7-1")
    g = board({"A": "axis 2-8-6 1,0 tank black", "X": "soviet 3-8-3 0,0"})
    now = odds_of(g, "0,0", "A")
    assert (column_name(now.odds), now.name, now.too_low) == ("1-4", "1-3", False)


# --- 8.5 maximum factors ---------------------------------------------------------------------------------------------


@rule("8.5.1")
@example("E21")
def test_six_panzer_divisions_attack_with_forty():
    ring = ("1,0", "0,1", "-1,1", "-1,0", "0,-1", "1,-1")
    units = {f"P{i}": f"axis 10-8-6 {p} tank red" for i, p in enumerate(ring)} | {"X": "soviet 4-6-3 0,0"}
    g = board(units, terrain={"0,0": "major_city"})
    now = odds_of(g, "0,0", *(f"P{i}" for i in range(6)))
    assert now.attack.total == 40
    assert [i.rule for i in now.attack][-1] == "8.5.1"


@rule("8.5.1")
def test_the_cap_applies_after_halving():
    units = {f"P{i}": "axis 20-8-6 1,0" for i in range(3)} | {"X": "soviet 4-6-3 0,0"}
    g = board(units, hexsides={"0,0|1,0": "major_river"})
    assert odds_of(g, "0,0", "P0", "P1", "P2").attack.total == 30


@rule("8.5.2")
@example("E22")
def test_two_divisions_in_a_city_defend_with_twenty():
    g = board({"A": "axis 20-8-6 1,0", "X": "soviet 4-6-3 0,0", "Y": "soviet 4-6-3 0,0"}, terrain={"0,0": "major_city"})
    now = odds_of(g, "0,0", "A")
    assert now.defense.total == 20
    assert [i.rule for i in now.defense][-1] == "8.5.2"


# --- 8.6 Automatic DS ------------------------------------------------------------------------------------------------

EXAMPLE = {
    "A1": "axis 10-8-6 1,0 tank red",
    "A2": "axis 8-8-3 0,1",
    "A3": "axis 7-8-3 1,-1",
    "B": "axis 10-8-6 3,0 tank red",
    "X": "soviet 2-3-3 0,0",
    "Y": "soviet 2-3-3 -2,0",
}


@rule("8.6.1a")
@rule("8.6.1c")
@rule("8.6.1e")
@rule("8.6.1f")
@example("E23")
def test_an_automatic_ds_in_the_movement_phase():
    g = start(EXAMPLE, radius=5)
    assert "auto_ds 0,0" in choices(g)
    do(g, "auto_ds 0,0", "add A1", "add A2")
    assert refused(g, "declare") == "8.6.1", "18 to 3 and two shifts is 8-1"
    do(g, "add A3", "declare")
    assert at(g, "X") == "nowhere", "one step, eliminated at once"
    for name in ("A1", "A2", "A3"):
        assert has(g, name, AUTO_DS)
        assert refused(g, f"move {name}") == "8.6.1"
    assert g.dice.count == 0


@rule("8.6.1f")
@rule("9.2.2a")
@example("E24")
def test_another_unit_goes_through_the_hole_and_attacks():
    g = start(EXAMPLE, radius=5, dice=(1,))
    do(g, "auto_ds 0,0", "add A1", "add A2", "add A3", "declare", "move B", "to -1,0 normal", "pass")
    do(g, "attack -2,0", "add B")
    now = odds_of(g, "-2,0", "B")
    assert (column_name(now.odds), now.shifts.total, now.name) == ("3-1", 2, "5-1")


@rule("8.6.1d")
def test_declaring_an_automatic_ds_is_optional():
    g = start(EXAMPLE, radius=5)
    do(g, "auto_ds 0,0", "add A1", "cancel", "pass")
    assert at(g, "X") == "0,0"
    assert not has(g, "A1", AUTO_DS)


@rule("8.6.1b")
def test_stacking_is_enforced_before_an_automatic_ds():
    units = {f"A{i}": "axis 10-8-6 1,0" for i in range(4)} | {"X": "soviet 2-3-3 0,0"}
    g = start(units, radius=5)
    do(g, "auto_ds 0,0", *(f"add A{i}" for i in range(4)), "declare")
    assert choices(g) == {f"eliminate A{i}" for i in range(4)}
    do(g, "eliminate A3")
    assert at(g, "X") == "nowhere", "30 to 3 is still 10-1"
    units["A0"] = "axis 1-8-6 1,0"
    g = start(units | {"A3": "axis 9-8-6 1,0"}, radius=5)
    do(g, "auto_ds 0,0", *(f"add A{i}" for i in range(4)), "declare", "eliminate A1")
    assert at(g, "X") == "0,0", "20 to 3 is not"
    assert not has(g, "A2", AUTO_DS)


@rule("8.6.1c")
def test_air_and_artillery_do_not_count_for_an_automatic_ds():
    units = {"A": "axis 27-8-6 1,0", "H": "axis S-(1)-5b 1,0 hq range=5", "X": "soviet 2-3-3 0,0"}
    g = start(units, radius=5, air={"VIII-FK": "ready"})
    assert refused(g, "auto_ds 0,0") == "8.6.1"
    units["A"] += " tank black"
    g = start(units, radius=5)
    assert "auto_ds 0,0" in choices(g), "Tank Shifts do"


@rule("8.6.1a")
@pytest.mark.parametrize("word", ["disrupted", "train", "replaced", "extended"])
def test_only_units_able_to_attack_add_to_an_automatic_ds(word: str):
    units = {"A": "axis 20-8-6 1,0", "B": f"axis 20-8-6 0,1 {word}", "X": "soviet 2-3-3 0,0"}
    g = board(units, radius=5)
    from kessel.games.stalingrad42.combat.auto_ds import auto_ds_targets

    assert auto_ds_targets(g, AXIS) == []
    g = board(units | {"B": "axis 20-8-6 0,1"}, radius=5)
    assert len(auto_ds_targets(g, AXIS)) == 1


@rule("8.6.1e")
def test_the_owner_retreats_the_survivors_four_hexes():
    units = EXAMPLE | {"X": "soviet 2-3-3;1-2-3 0,0", "Y": "soviet 2-3-3 5,-5"}
    g = start(units, radius=5)
    do(g, "auto_ds 0,0", "add A1", "add A2", "add A3", "declare")
    assert g.steps[u(g, "X")] == 1
    assert asked(g) == SOVIET
    assert {c.split()[-1].count(",") for c in choices(g)} == {4}
    do(g, "retreat X by -1,0--2,0--3,0--4,0")
    assert has(g, "X", FULL_RETREAT)
    assert has(g, "X", RETREATED)
    assert asked(g) == AXIS


@rule("8.6.2a")
@rule("8.6.2b")
@rule("8.6.2d")
def test_marked_units_advance_after_everything_else_at_their_full_rate():
    units = EXAMPLE | {"Y": "soviet 2-3-3 4,0", "C": "axis 9-8-3 3,0"}
    del units["B"]
    g = start(units, radius=5, dice=(1,))
    do(g, "auto_ds 0,0", "add A1", "add A2", "add A3", "declare", "pass")
    assert "attack 4,0" in choices(g)
    assert not any(c.startswith("exploit") for c in choices(g)), "first all combats"
    do(g, "attack 4,0")
    assert refused(g, "add A1") in ("8.1", "8.6.1")
    do(g, "cancel", "pass")
    assert choices(g) == {"pass", "exploit 0,0"}
    do(g, "exploit 0,0")
    assert not has(g, "A1", AUTO_DS)
    assert choices(g) >= {"form A1", "form A2", "pass"}
    do(g, "pass", "advance A1")
    assert "go 0,0--1,0--2,0--3,0" in choices(g), "Mechanized: four hexes"
    do(g, "go 0,0--1,0--2,0--3,0")
    do(g, "advance A2")
    assert max(c.count(",") for c in choices(g) if c.startswith("go")) == 2, "others: two"


@rule("8.6.2d")
def test_no_auto_ds_marker_is_placed_in_the_combat_phase():
    g = start({"A": "axis 30-8-6 1,0", "X": "soviet 3-3-3 0,0"}, phase="combat", radius=5)
    attack(g, "0,0", "A")
    assert at(g, "X") == "nowhere"
    assert not has(g, "A", AUTO_DS)
    g = start(EXAMPLE, phase="combat", radius=5)
    assert not any("auto_ds" in c for c in choices(g))


@rule("8.6.2c")
@rule("15.4")
@example("E64")
def test_one_breakthrough_group_for_each_automatic_ds():
    units = EXAMPLE | {"Y": "soviet 2-3-3 -2,0", "A2": "axis 8-8-6 0,1 tank", "A3": "axis 7-8-6 1,-1 tank"}
    del units["B"]
    g = start(units, radius=5, dice=(1,))
    do(g, "auto_ds 0,0", "add A1", "add A2", "add A3", "declare", "pass", "pass", "exploit 0,0")
    do(g, "decline 1,0", "halt")
    assert "form A2" not in choices(g), "the one group has had its turn"
    assert {"advance A2", "advance A3"} <= choices(g)
    do(g, "advance A2", "go -1,1" if "go -1,1" in choices(g) else "halt")
    assert not any(c.startswith("strike") for c in choices(g))


@rule("8.6.1a")
def test_the_sum_of_an_automatic_ds_keeps_axis_allies_apart():
    units = {
        "R": "axis 15-8-6 1,0 nation=romanian",
        "I": "axis 15-8-6 0,1 nation=italian",
        "X": "soviet 2-3-3 0,0",
    }
    g = start(units, radius=5)
    assert refused(g, "auto_ds 0,0") == "20.5.1"
    g = start(units | {"I": "axis 15-8-6 0,1 nation=romanian"}, radius=5)
    assert "auto_ds 0,0" in choices(g)


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


def test_best_support_counts_air_and_both_kinds_of_barrage():
    units = {"A": "soviet 2-8-6 1,0", "X": "axis 3-9-3 0,0", "D": "soviet S-(1)-4b 2,0 artdiv range=5"}
    g = board(units, radius=5)
    assert best_support(g, combat(g, "0,0", "A")) == 1
    assert why_not_odds(g, combat(g, "0,0", "A")).rule == "8.4.1", "1-5 and one shift is 1-4"
    g = board(units | {"E": "soviet S-(1)-4b 2,0 artdiv range=5"}, radius=5)
    assert best_support(g, combat(g, "0,0", "A")) == 2
    assert why_not_odds(g, combat(g, "0,0", "A")) is None


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


def test_a_hex_of_a_beaten_unit_and_a_leader():
    g = board({"A": "axis 9-8-6 1,0", "X": TWO, "L": "soviet 0-0-6 0,0 leader"}, phase="combat")
    from kessel.games.stalingrad42.combat.strength.eligibility import targets

    assert targets(g, AXIS) == [h(g, "0,0")]
    g.set_status(u(g, "X"), int(DEFENDED | RETREATED))
    assert targets(g, AXIS) == []
