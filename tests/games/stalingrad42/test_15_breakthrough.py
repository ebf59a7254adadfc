"""15.0 Breakthrough Combat."""

from __future__ import annotations

from typing import Any

import pytest

from kessel.core.procedure import asked
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import ADVANCED, AUTO_DS, DEFENDED, FULL_RETREAT
from kessel.games.stalingrad42.combat.crt import column_name
from kessel.games.stalingrad42.combat.strength.strengths import beyond_limit
from kessel.games.stalingrad42.data.forces import SOVIET

from .fights import attack, combat, crt_roll, fight, go_to, odds_of, run_away, start, strength
from .helpers import area, at, board, choices, do, example, h, has, refused, rule, u


def charge(
    dice: tuple[int, ...] = (),
    *,
    mech: int = 3,
    more: dict[str, str] | None = None,
    defender: str = "soviet 3-2-3 0,0",
    **rest: Any,
) -> Board:
    """Units A1.. of 1,0 have shattered X in 0,0 automatically: Adv 4."""
    units = {f"A{i}": "axis 9-8-6 1,0 mech" for i in range(1, mech + 1)} | {"X": defender} | (more or {})
    g = start(units, dice=dice, phase="combat", turn=10, **({"radius": 7} | rest))
    attack(g, "0,0", *(f"A{i}" for i in range(1, mech + 1)))
    assert at(g, "X") == "nowhere"
    return g


# --- 15.1, 15.2.1, 15.2.2 the group ----------------------------------------------------------------------------------


@rule("15.1")
@pytest.mark.parametrize(("code", "colour"), [("DR2", "plain"), ("D1", "plain"), ("DR4", "noDD")])
def test_an_advance_of_two_to_four_allows_breakthrough_combat(code: str, colour: str):
    g = fight(code, colour=colour, defender="soviet 3-5-3;2-3-3 0,0", attacker="axis {}-8-6 1,0 mech")
    if "defend X" in choices(g):
        do(g, "pass")
    run_away(g, "X")
    assert {"form A", "decline 1,0", "pass"} <= choices(g)


@rule("15.1")
def test_an_advance_of_one_does_not():
    g = fight("DR2", attacker="axis {}-8-6 1,0 mech", weather="rain", turn=22)
    do(g, "pass")
    run_away(g, "X")
    assert choices(g) == {"pass", "advance A"}, "Adv 2 in the rain is Adv 1"
    g = fight("EX", attacker="axis {}-8-6;5-4-6 1,0 mech")
    assert choices(g) == {"pass", "advance A"}


@rule("15.1")
@rule("15.2.10")
def test_only_units_that_took_part_fight():
    g = charge(more={"S": "axis 9-8-6 1,0 mech", "T": "axis 0-0-6 1,0 army_hq", "Y": "soviet 3-2-3 -2,0"}, mech=2)
    assert refused(g, "form S") == "15.1", "it stood by"
    do(g, "form A1")
    assert choices(g) == {"pass", "form A2", "form T"}, "a Non-Combat Unit may ride along"
    do(g, "form A2", "form T", "go -1,0")
    from kessel.games.stalingrad42.combat.after.advance import Advance

    (group,) = [p for p in g.stack if isinstance(p, Advance)]
    assert group.strikers(g) == (u(g, "A1"), u(g, "A2"))
    assert at(g, "T") == "-1,0"


@rule("15.1")
def test_idle_stackmates_ride_along_where_the_reading_says_so():
    g = charge(more={"S": "axis 9-8-6 1,0 mech"}, mech=2, options={"idle_stackmates": "with_group"})
    do(g, "form A1")
    assert "form S" in choices(g)


@rule("15.2.1")
@rule("15.2.2a")
@rule("15.2.2b")
def test_the_group_goes_first_and_there_is_one():
    g = start(
        {"A": "axis 9-8-6 1,0 mech", "B": "axis 11-8-6 0,1 mech", "X": "soviet 3-2-3 0,0", "Y": "soviet 3-2-3 -2,0"},
        phase="combat",
        radius=7,
    )
    attack(g, "0,0", "A", "B")
    assert choices(g) == {"pass", "form A", "form B", "decline 1,0", "decline 0,1"}
    do(g, "decline 0,1")
    assert not any(c.startswith("advance") for c in choices(g)), "the others wait"
    do(g, "go -1,1", "halt")
    assert choices(g) == {"pass", "advance A"}
    do(g, "advance A")
    go_to(g, "-1,0")
    assert not any(c.startswith("strike") for c in choices(g)), "they may not conduct Breakthrough Combat"


@rule("15.2.2a")
def test_declining_takes_the_participants_of_one_hex():
    g = charge()
    do(g, "decline 1,0")
    assert {"drop A1", "drop A2", "drop A3", "halt"} <= choices(g)


# --- 15.2.3, 15.2.4 costs --------------------------------------------------------------------------------------------


@rule("15.2.3")
@rule("15.2.4a")
@rule("15.2.4c")
def test_forming_in_the_vacated_hex_costs_one():
    g = charge()
    do(g, "form A1", "form A2", "form A3")
    assert at(g, "A1") == at(g, "A3") == "0,0"
    for _ in range(3):
        assert any(c.startswith("go") for c in choices(g))
        do(g, sorted(c for c in choices(g) if c.startswith("go"))[0])
    assert not any(c.startswith("go") for c in choices(g)), "1 + 3 = 4 hexes"


@rule("15.2.3")
def test_the_stacking_limit_holds_for_the_group():
    units = {f"A{i}": "axis 9-8-6 1,0 mech" for i in range(3)} | {"B": "axis 9-8-6 0,1 mech", "X": "soviet 3-3-3 0,0"}
    g = start(units, phase="combat", radius=7)
    attack(g, "0,0", "A0", "A1", "A2", "B")
    do(g, "form A0", "form A1", "form A2")
    assert "form B" not in choices(g)
    assert {"halt"} <= choices(g)


@rule("15.2.4b")
@rule("15.2.4c")
@example("E43")
def test_turning_away_costs_one():
    g = fight("D1", attacker="axis {}-8-6 1,0 mech")
    assert at(g, "X") == "nowhere"
    do(g, "decline 1,0", "go 2,0", "go 3,0")
    assert has(g, "A", ADVANCED), "Adv 3: one for changing direction leaves two"
    assert not any(c.startswith("go") for c in choices(g))


@rule("15.2.4d")
@rule("15.2.5")
@example("E44")
def test_the_example_of_an_advance_with_a_combat_at_its_end():
    units = {
        "A1": "axis 10-8-6 1,0 mech tank red",
        "A2": "axis 9-8-6 1,0 mech",
        "A3": "axis 7-8-6 1,0 mech",
        "C": "axis 4-8-3 0,1",
        "X": "soviet 3-3-3 0,0",
        "Y": "soviet 3-5-3 -4,0",
    }
    g = start(units, dice=(1,), phase="combat", turn=10, radius=7)
    attack(g, "0,0", "A1", "A2", "A3", "C")
    do(g, "form A1", "form A2", "form A3", "go -1,0", "go -2,0")
    g.move(u(g, "Y"), h(g, "-3,0"))
    now = odds_of(g, "-3,0", "A1", "A2", "A3", breakthrough=True)
    assert (now.attack.total, now.defense.total, column_name(now.odds), now.name) == (26, 5, "5-1", "7-1")
    do(g, "strike -3,0")
    assert at(g, "Y") == "nowhere"
    assert choices(g) == {"enter", "stay"}
    do(g, "enter")
    assert at(g, "A1") == at(g, "A2") == at(g, "A3") == "-3,0", "free of charge"
    assert choices(g) == {"pass", "advance C"}
    do(g, "advance C")
    assert max(c.count(",") for c in choices(g) if c.startswith("go")) == 2
    assert not any(c.startswith("strike") for c in choices(g))


@rule("15.2.4d")
@rule("15.2.8b")
@rule("15.2.10")
@example("E45")
def test_the_example_of_three_combats():
    more = {"X1": "soviet 3-5-3 0,-1", "Y1": "soviet 3-5-3 -1,0", "Z1": "soviet 3-5-3 -2,0"}
    g = charge((1, 1, 1), more=more)
    do(g, "form A1", "form A2", "form A3")
    do(g, "strike 0,-1", "stay")
    assert at(g, "A1") == "0,0"
    do(g, "strike -1,0", "enter")
    assert at(g, "A1") == "-1,0"
    do(g, "strike -2,0", "enter")
    assert at(g, "A1") == at(g, "A2") == at(g, "A3") == "-2,0"
    assert not any(c.startswith(("go", "strike")) for c in choices(g)), "1 + 1 + 1 + 1"
    assert all(at(g, n) == "nowhere" for n in ("X1", "Y1", "Z1"))


@rule("15.2.4d")
def test_a_unit_whose_rate_is_spent_must_be_dropped():
    units = {"A": "axis 9-8-6 1,0 mech", "I": "axis 9-8-3 1,0", "X": "soviet 3-1-3 0,0", "Y": "soviet 3-2-3 -2,0"}
    g = start(units, dice=(1,), phase="combat", turn=10, radius=7)
    attack(g, "0,0", "A", "I")
    do(g, "form A", "form I", "go -1,0")
    assert refused(g, "strike -2,0") == "15.2.4", "the infantry has used its two hexes"
    do(g, "drop I", "strike -2,0")
    assert at(g, "I") == "-1,0"


# --- 15.2.5 targets, 15.2.6 zones ------------------------------------------------------------------------------------


@rule("15.2.5")
def test_targets_are_next_to_the_group():
    g = charge(more={"Y": "soviet 3-2-3 -3,0"})
    do(g, "form A1", "pass")
    assert refused(g, "strike -3,0") == "15.2.5"
    assert refused(g, "strike 1,-1") == "8.1", "nobody there"
    do(g, "go -1,0")
    assert refused(g, "strike -3,0") == "15.2.5"


@rule("15.2.5")
@rule("15.3.2a")
def test_units_that_retreated_in_the_initial_combat_are_targets():
    g = fight(
        "D1",
        attacker="axis {}-8-6 1,0 mech",
        defender="soviet 3-5-3;2-3-3;1-1-3 0,0",
        forts={"-1,0": "soviet"},
        then=(1,),
    )
    do(g, "pass")
    run_away(g, "X", "-1,0")
    do(g, "form A")
    assert "strike -1,0" in choices(g)
    do(g, "strike -1,0")
    assert [e["odds"] for e in g.events if "odds" in e][-1]["defense"]["total"] == 2, "Disrupted, but it defends"


@rule("15.2.5")
def test_a_group_may_fight_from_its_own_hex_after_declining():
    more = {"Y": "soviet 3-5-3 2,0"}
    g = charge((1,), more=more)
    do(g, "decline 1,0")
    assert "strike 2,0" in choices(g), "1 + 1 (reading A26)"
    g = charge((1,), more=more, options={"decline_without_moving": "no"})
    do(g, "decline 1,0")
    assert refused(g, "strike 2,0") == "15.2.5"


@rule("15.2.6")
def test_an_ezoc_stops_the_group_unless_it_fights_free():
    more = {"Y": "soviet 3-5-3 -2,0"}
    g = charge((1,), more=more)
    do(g, "form A1", "form A2", "form A3", "go -1,0")
    assert refused(g, "go -1,1") == "15.2.6"
    do(g, "strike -2,0", "stay")
    assert at(g, "Y") == "nowhere"
    assert any(c.startswith("go") for c in choices(g)), "the EZOC is gone"
    g = charge((1,), more=more | {"Z": "soviet 3-5-3 -1,-1"})
    do(g, "form A1", "form A2", "form A3", "go -1,0", "strike -2,0", "stay")
    assert not any(c.startswith("go") for c in choices(g)), "Z's ZOC still holds it"
    assert "strike -1,-1" in choices(g)


@rule("15.2.6")
def test_the_initial_vacated_hex_does_not_stop_it_a_later_one_does():
    more = {"Z": "soviet 3-5-3 0,-1", "Y": "soviet 3-5-3 -1,0", "W": "soviet 3-5-3 -1,-1"}
    g = charge((1,), more=more)
    do(g, "form A1", "form A2", "form A3")
    assert any(c.startswith("go") for c in choices(g)), "in the ZOC of Z, yet it goes on"
    do(g, "strike -1,0", "enter")
    assert at(g, "A1") == "-1,0"
    assert not any(c.startswith("go") for c in choices(g)), "this one is not exempt (reading A77)"
    g = charge((1,), more=more, options={"breakthrough_exempt_hexes": "all"})
    do(g, "form A1", "form A2", "form A3", "strike -1,0", "enter")
    assert any(c.startswith("go") for c in choices(g))


# --- 15.2.7, 15.2.8 results ------------------------------------------------------------------------------------------


def second_combat(
    code: str, colour: str | None = "plain", defender: str = "soviet 3-5-3;2-3-3 -1,0", **rest: Any
) -> Board:
    """A group of one unit in 0,0 fights Y in -1,0 with that result."""
    column, die = crt_roll(code, colour)
    units = {
        "A": f"axis {strength(column)}-8-6;5-4-6 1,0 mech",
        "X": "soviet 3-1-3 0,0",
        "Y": defender,
        "H": "axis 20-8-6 0,1",
    }
    g = start(units, dice=(die,), phase="combat", **({"radius": 7, "turn": 10} | rest))
    attack(g, "0,0", "A", "H")
    do(g, "form A", "pass", "strike -1,0")
    return g


@rule("15.2.7")
@pytest.mark.parametrize("code", ["DR2", "A1/DR2"])
def test_without_adv_3_or_4_the_advance_ends(code: str):
    for word, place in (("enter", "-1,0"), ("stay", "0,0")):
        g = second_combat(code)
        do(g, "pass")
        run_away(g, "Y")
        assert choices(g) == {"enter", "stay"}
        do(g, word)
        assert at(g, "A") == place
        assert choices(g) == {"pass", "advance H"}


@rule("15.2.7")
@pytest.mark.parametrize("code", ["A1", "EX"])
def test_a_defender_who_holds_ends_the_advance(code: str):
    g = second_combat(code, None)
    assert at(g, "A") == "0,0"
    assert choices(g) == {"pass", "advance H"}


@rule("15.2.8a")
@rule("15.2.8b")
@rule("15.2.8c")
def test_with_adv_3_or_4_it_goes_on_with_what_it_has_left():
    for code, colour in (("D1", "plain"), ("DR4", "noDD")):
        for word in ("enter", "stay"):
            g = second_combat(code, colour)
            if "defend Y" in choices(g):
                do(g, "pass")
            run_away(g, "Y")
            do(g, word)
            hexes = 0
            while any(c.startswith("go") for c in choices(g)):
                do(g, sorted(c for c in choices(g) if c.startswith("go"))[-1])
                hexes += 1
            assert hexes == 2, "4 less forming and one combat: no hexes are earned"


@rule("15.2.8a")
@rule("15.2.7")
def test_weather_decides_which_results_go_on():
    g = second_combat("D1", weather="snow")
    do(g, "pass")
    run_away(g, "Y")
    do(g, "stay")
    assert not any(c.startswith("go") for c in choices(g)), "Adv 3 in Snow is Adv 2 (reading A25)"
    g = second_combat("D1", weather="snow", options={"weather_breakthrough": "printed"})
    do(g, "pass")
    run_away(g, "Y")
    do(g, "stay")
    assert any(c.startswith("go") for c in choices(g))


# --- 15.2.9, 15.2.10 -------------------------------------------------------------------------------------------------


@rule("15.2.9a")
def test_no_breakthrough_combat_where_the_group_could_not_advance():
    more = {"Y": "soviet 3-2-3 -1,0"}
    for rest in (
        {"hexsides": {"-1,0|0,0": "major_river"}},
        {"hexsides": {"-1,0|0,0": "lake"}},
        {"terrain": {"-1,0": "mountain"}},
    ):
        g = charge((1,), more=more, **rest)
        do(g, "form A1", "pass")
        assert refused(g, "strike -1,0") == "15.2.9"
    g = charge((1,), more=more, hexsides={"-1,0|0,0": "major_river"}, links=[("primary", "0,0 -1,0")])
    do(g, "form A1", "pass")
    assert "strike -1,0" in choices(g), "over a bridge"


@rule("15.2.9a")
def test_enemy_bonds_do_not_bar_breakthrough_combat():
    more = {"Y": "soviet 3-2-3 -1,0", "P": "soviet 3-5-3 0,-1", "Q": "soviet 3-5-3 -1,1"}
    g = charge((1,), more=more)
    do(g, "form A1", "form A2", "form A3")
    assert "strike -1,0" in choices(g)


@rule("15.2.9c")
@rule("8.4.1a")
def test_all_other_modifiers_apply_and_odds_have_their_minimum():
    g = board({"A": "axis 10-8-6 0,0 tank red", "Y": "soviet 3-5-3 -1,0"}, forts={"-1,0": "soviet"})
    assert odds_of(g, "-1,0", "A", breakthrough=True).shifts.total == -1
    g = charge(more={"Y": "soviet 3-10-3 -1,0", "Z": "soviet 3-10-3 -1,0"}, mech=3, terrain={"-1,0": "wooded_rough"})
    do(g, "form A1", "pass")
    assert "strike -1,0" not in choices(g)
    assert refused(g, "strike -1,0") == "8.4.1"


@rule("15.2.10")
def test_the_group_drops_units_which_may_go_their_own_way():
    g = charge(more={"Y": "soviet 3-5-3 -3,0"})
    do(g, "form A1", "form A2", "form A3", "drop A3", "go -1,0")
    assert at(g, "A3") == "0,0"
    do(g, "go -2,0")
    assert "strike -3,0" in choices(g)
    do(g, "halt")
    assert choices(g) == {"pass", "advance A3"}
    do(g, "advance A3")
    assert max(c.count(",") for c in choices(g) if c.startswith("go")) == 3, "three hexes are left"
    assert not any(c.startswith("strike") for c in choices(g)), "one stack keeps fighting"


@rule("15.2.10")
def test_a_dropped_unit_that_an_ezoc_stopped_stays():
    g = charge(more={"Y": "soviet 3-5-3 -2,0"})
    do(g, "form A1", "form A2", "form A3", "go -1,0", "drop A3", "halt")
    assert choices(g) == {"pass"}


@rule("15.2.3")
@rule("4.4b")
def test_stacking_is_corrected_before_a_breakthrough_combat():
    more = {"F1": "axis 2-2-3 -1,0", "F2": "axis 2-2-3 -1,0", "Y": "soviet 3-2-3 -2,0"}
    g = charge((1,), more=more)
    do(g, "form A1", "form A2", "pass", "go -1,0", "strike -2,0")
    assert {c.split()[0] for c in choices(g)} == {"eliminate"}


# --- 15.3 the same stack again ---------------------------------------------------------------------------------------


@rule("15.3.1")
def test_different_groups_may_attack_the_same_stack():
    units = {
        "A": "axis 20-8-6;9-4-6 1,0 mech",
        "B": "axis 20-8-6 -3,0 mech",
        "X": "soviet 3-2-3 0,0",
        "W": "soviet 3-2-3 -2,0",
        "Y": "soviet 9-20-3 -1,0",
    }
    g = start(units, dice=(6, 6), phase="combat", turn=10, radius=7)
    attack(g, "0,0", "A")
    do(g, "form A", "strike -1,0")
    while "pass" in choices(g) and "attack -2,0" not in choices(g):
        do(g, "pass")
    assert not has(g, "Y", DEFENDED)
    attack(g, "-2,0", "B")
    do(g, "form B")
    assert "strike -1,0" in choices(g), "again, by another group"


@rule("15.3.2b")
def test_overstacked_defenders_contribute_nothing_in_excess():
    more = {f"Y{i}": "soviet 3-3-3 -1,0" for i in range(3)}
    g = charge((1,), more=more)
    do(g, "form A1", "form A2", "form A3", "strike -1,0")
    assert asked(g) == SOVIET
    assert choices(g) == {"exclude Y0", "exclude Y1", "exclude Y2"}
    do(g, "exclude Y2")
    told = [e["odds"] for e in g.events if "odds" in e][-1]
    assert told["defense"]["total"] == 6
    assert {"what": "Y2 is beyond the Stacking Limit", "rule": "15.3.2", "value": 0} in told["defense"]["items"]


@rule("15.3.2a")
@rule("12.4c")
def test_retreated_units_are_not_eliminated_by_a_second_retreat():
    units = {"A": "axis 20-8-6 0,0 mech", "Y": "soviet 3-5-3;2-3-3 -1,0 disrupted retreated", "Z": "soviet 1-1-3 -1,0"}
    g = board(units, radius=7)
    now = odds_of(g, "-1,0", "A", breakthrough=True)
    assert now.defense.total == 4
    column, die = crt_roll("DR2")
    units = {
        "A": f"axis {strength(column)}-8-6;5-4-6 1,0 mech",
        "H": "axis 20-8-6 0,1",
        "X": "soviet 3-1-3 0,0",
        "Y": "soviet 3-5-3 -1,0",
        "Z": "soviet 0-0-3 -1,0 army_hq",
    }
    g = start(units, dice=(die,), phase="combat", turn=10, radius=7)
    g.set_status(u(g, "Y"), 1 << 17)
    attack(g, "0,0", "A", "H")
    do(g, "form A", "pass", "strike -1,0", "pass")
    run_away(g, "Y")
    assert at(g, "Y") != "nowhere"


@rule("15.4")
def test_marked_units_of_one_automatic_ds_make_one_group():
    units = {
        "A": "axis 20-8-6 1,0 mech",
        "B": "axis 20-8-6 0,1 mech",
        "X": "soviet 3-3-3 0,0",
        "Y": "soviet 9-9-9 -5,0",
    }
    g = start(units, radius=7)
    do(g, "auto_ds 0,0", "add A", "add B", "declare", "pass", "pass")
    assert has(g, "A", AUTO_DS)
    assert has(g, "B", AUTO_DS)
    do(g, "exploit 0,0", "form A", "pass", "halt")
    assert choices(g) == {"pass", "advance B"}, "B is not asked to form a second group"


@rule("8.6.2b")
@rule("15.4")
def test_an_emptied_hex_that_was_entered_again_is_no_vacated_hex():
    units = {"A": "axis 30-8-6 1,0 mech", "X": "soviet 3-3-3 0,0", "Y": "soviet 9-9-9 -5,0"}
    g = start(units, radius=7)
    do(g, "auto_ds 0,0", "add A", "declare", "pass")
    g.move(u(g, "Y"), h(g, "0,0"))
    do(g, "pass", "exploit 0,0")
    assert "form A" not in choices(g), "an enemy Combat Unit is in it again (reading A39)"
    assert "decline 1,0" in choices(g)


@rule("22.7c")
def test_a_group_from_an_entry_area_must_enter_the_map_first():
    units = {"A": "axis 20-8-6 Z mech", "X": "soviet 3-2-3 -3,0", "Y": "soviet 3-2-3 -1,0"}
    g = start(units, phase="combat", boxes=[area("Z", "axis", "-3,0 -3,1")], radius=3, dice=(1,))
    attack(g, "-3,0", "A")
    assert choices(g) == {"pass", "form A"}
    assert refused(g, "decline -2,0") == "15.2.2", "nobody who attacked is there"
    do(g, "form A", "go -2,0", "strike -1,0")
    assert at(g, "A") in ("-2,0", "-1,0")
    assert not has(g, "A", FULL_RETREAT)


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
