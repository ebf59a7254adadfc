"""Combats played through: what one rule leaves behind for the next."""

from __future__ import annotations

import re
from typing import Any

import pytest

from kessel.core.errors import BadInput
from kessel.games.stalingrad42.columns import AIR_PLACED, DISRUPTED, FULL_RETREAT, TRAIN
from kessel.games.stalingrad42.combat.crt import column_name
from kessel.games.stalingrad42.combat.odds import chances

from .fights import AIR_BASE, attack, combat, crt_roll, dd_roll, run_away, start, strength
from .helpers import area, ask, at, board, choices, disc, do, has, refused, rule, u

LAND = ("0,0", "1,0", "-1,0")
CORRIDOR: dict[str, Any] = {"terrain": {n: "sea" for n in disc(5) if n not in LAND}, "radius": 5}
"""An attacker in 1,0, a defender in 0,0 and one hex behind him."""


# --- 12.4 ------------------------------------------------------------------------------------------------------------


@rule("12.4b")
@pytest.mark.parametrize(("code", "colour"), [("D1", "plain"), ("DS", "noDD")])
def test_retreated_units_are_eliminated_even_if_their_host_dies_first(code: str, colour: str):
    first, second = crt_roll("DR2"), crt_roll(code, colour)
    units = {
        "A": f"axis {strength(first[0])}-8-6 3,0",
        "B": f"axis {strength(second[0])}-8-6 -1,0",
        "X": "soviet 3-5-3;2-3-3 2,0",
        "Y": "soviet 3-5-3 0,0",
    }
    g = start(units, dice=(first[1], second[1]), phase="combat", turn=10, radius=6)
    attack(g, "2,0", "A")
    do(g, "pass")
    run_away(g, "X", "0,0")
    do(g, "pass", "pass")
    attack(g, "0,0", "B")
    assert at(g, "Y") == "nowhere", "its only step"
    assert at(g, "X") == "nowhere", "it would have to retreat again"
    assert "form B" in choices(g)


@rule("12.4b")
def test_the_chances_know_that_they_are_eliminated():
    column, _ = crt_roll("D1")
    units = {"A": f"axis {strength(column)}-8-6 1,0", "X": "soviet 3-5-3;2-3-3 0,0 disrupted retreated defended"}
    g = board(units | {"Y": "soviet 3-5-3 0,0"}, turn=10)
    ends = chances(g, combat(g, "0,0", "A"))["no_defense"]["ends"]
    assert all(e["defender_steps"] == 3 and e["outcome"] == "eliminated" for e in ends if e["retreat"] == 3)
    assert not any(e["outcome"] == "retreats" and e["retreat"] == 3 for e in ends)


# --- 11.1.2 ----------------------------------------------------------------------------------------------------------


@rule("11.1.2d")
@pytest.mark.parametrize(("river", "legal"), [("0,0|1,0", True), ("0,0|0,1", False)])
def test_a_defender_was_doubled_though_the_attacker_died(river: str, legal: bool):
    """The river counts as the attack was made, whoever of the attackers is left."""
    column, die = crt_roll("A1/DR2")
    units = {"A": f"axis {strength(column, 10 if legal else 5)}-8-6 1,0", "X": "soviet 3-5-3 0,0"}
    g = start(units, dice=(die,), phase="combat", turn=3, hexsides={river: "minor_river"})
    attack(g, "0,0", "A")
    assert at(g, "A") == "nowhere"
    assert ("defend X" in choices(g)) is legal


@rule("11.1.2d")
def test_nor_is_he_doubled_because_the_one_not_over_the_river_died():
    column, die = crt_roll("A1/DR2")
    units = {"A": "axis 1-1-3 1,0", "B": f"axis {strength(column) - 1}-8-6;3-3-6 0,1", "X": "soviet 3-5-3 0,0"}
    g = start(units, dice=(die,), phase="combat", turn=3, hexsides={"0,0|0,1": "minor_river"})
    attack(g, "0,0", "A", "B")
    do(g, "lose A")
    assert not any(c.startswith("defend") for c in choices(g))


# --- 11.5.1, 12.1.3 #4 -----------------------------------------------------------------------------------------------


@rule("12.1.3d")
@rule("11.5.1a")
@pytest.mark.parametrize("word", ["", "tank"])
def test_a_stack_pays_together(word: str):
    """Neither unit could pay by itself; one of them lives, so this is no Desperate Defense."""
    column, die = crt_roll("DR2")
    units = {
        "A": f"axis {strength(column)}-8-6 1,0",
        "X": f"soviet 1-3-3 0,0 {word}",
        "Y": "soviet 1-2-3 0,0",
        "F": "soviet 3-3-3 -1,0",
    }
    g = start(units, dice=(die,), phase="combat", turn=10, **CORRIDOR)
    attack(g, "0,0", "A")
    assert choices(g) == {"defend X", "defend Y", "pass"}
    do(g, "pass")
    while any(c.startswith("retreat") for c in choices(g)):
        run_away(g)
    assert choices(g) == {"lose X", "lose Y"}
    do(g, "lose X")
    assert (at(g, "X"), at(g, "Y")) == ("nowhere", "-1,0")


# --- 13.3.2 ----------------------------------------------------------------------------------------------------------


@rule("13.3.2f")
def test_they_run_from_a_train():
    units = {"A": "axis 3-5-3 -3,0", "X": "soviet 3-5-3 0,1 full_retreat"}
    line = {"links": [("rail", "-3,0 -2,0 -1,0 0,0 1,0 2,0")], "repaired": "all", "boxes": [area("Z", "axis", "-5,0")]}
    g = start(units, turn=10, radius=5, **line)
    do(g, "move A", "rail 0,0")
    assert all(c.startswith("retreat X") for c in choices(g))
    run_away(g, "X")
    assert at(g, "A") == "0,0"
    assert has(g, "A", TRAIN)
    assert has(g, "X", FULL_RETREAT)
    assert refused(g, "move A") == "5.6.5"


@rule("13.3.2f")
@pytest.mark.parametrize("word", ["", "naval size=brigade"])
def test_they_run_from_a_landing(word: str):
    units = {"N": f"soviet 3-5-3 -3,0 {word}", "A": "axis 3-5-3 1,0 full_retreat"}
    ports = {
        "features": {"-3,0": ["port"], "0,0": ["port"]},
        "links": [("shipping_path", "-3,0 0,0", {"sea": "azov"})],
        "control": {"-3,0": "soviet", "0,0": "soviet"},
    }
    g = start(units, turn=10, radius=5, side="soviet", **ports)
    do(g, "move N", "sail 0,0")
    assert all(c.startswith("retreat A") for c in choices(g))
    run_away(g, "A")
    assert at(g, "N") == "0,0"
    assert has(g, "N", DISRUPTED) is (not word)
    assert ("step 0,1 tactical" in choices(g)) is bool(word), "a brigade has a hex left"


# --- 9.3.7, 14.1, 18.2.2 ---------------------------------------------------------------------------------------------


@rule("9.3.7b")
@rule("9.3.7d")
def test_air_stays_with_a_group_that_lost_a_unit():
    column, die = crt_roll("A1/D1")
    units = {
        "A": "axis 1-8-6 1,0 mech",
        "C": f"axis {strength(column - 1, 6) - 1}-8-6;3-3-6 1,0 mech",
        "B": "axis 38-8-3 0,1",
        "X": "soviet 3-4-3 0,0",
        "Y": "soviet 3-6-3;1-1-3 -1,0",
    }
    g = start(units, dice=(die,), phase="combat", turn=10, **AIR_BASE)
    attack(g, "0,0", "A", "B", "C")
    do(g, "air VIII-FK", "station A", "form A", "form C", "pass", "strike -1,0", "lose A", "pass")
    run_away(g, "Y")
    do(g, "enter")
    assert g.air[0] == AIR_PLACED
    assert g.place_name(g.air_place[0]) == at(g, "C") == "-1,0"


@rule("14.1d")
def test_a_group_that_ends_among_too_many_friends_corrects_it_at_once():
    units = {f"A{i}": "axis 9-8-6 1,0 mech" for i in (1, 2, 3)} | {"X": "soviet 3-2-3 0,0", "Z": "soviet 3-5-3 5,0"}
    g = start(units | {"F": "axis 2-2-3 -1,0", "B": "axis 5-5-3 4,0"}, phase="combat", turn=10, radius=7)
    attack(g, "0,0", "A1", "A2", "A3")
    do(g, "form A1", "form A2", "form A3", "go -1,0", "halt")
    assert choices(g) == {"eliminate A1", "eliminate A2", "eliminate A3", "eliminate F"}
    do(g, "eliminate F")
    assert "attack 5,0" in choices(g), "the phase goes on"


@rule("14.1d")
def test_a_group_may_pass_them():
    units = {f"A{i}": "axis 9-8-6 1,0 mech" for i in (1, 2, 3)} | {"X": "soviet 3-2-3 0,0", "F": "axis 2-2-3 -1,0"}
    g = start(units, phase="combat", turn=10, radius=7)
    attack(g, "0,0", "A1", "A2", "A3")
    do(g, "form A1", "form A2", "form A3", "go -1,0", "go -2,0", "halt")
    assert not any(c.startswith("eliminate") for c in choices(g))


@rule("18.2.2b")
@pytest.mark.parametrize("goes", [False, True])
def test_an_asu_that_stays_where_it_is_has_not_advanced(goes: bool):
    column, die = crt_roll("DR2")
    units = {"A": f"axis {strength(column)}-8-6 1,0", "H": "axis S-(1)-5;0-(1)-5 1,0 hq", "X": "soviet 3-5-3 0,0"}
    g = start(units, dice=(die,), phase="combat", turn=10, radius=6)
    attack(g, "0,0", "A")
    do(g, "pass", "pass")
    run_away(g, "X")
    do(g, "pass", "advance H", *(["go 0,0"] if goes else []), "halt")
    assert has(g, "H", DISRUPTED) is goes


# --- 25.2.3 ----------------------------------------------------------------------------------------------------------


@rule("25.2.3c")
@pytest.mark.parametrize("goes", [False, True])
def test_units_out_of_reserve_do_not_fight(goes: bool):
    g = start({"A": f"axis 10-8-6 {'-2,0' if goes else '-1,0'} tank reserve", "X": "soviet 3-5-3 0,0"}, phase="combat")
    do(g, "activate -2,0", "advance A", "go -1,0") if goes else do(g, "activate -1,0", "pass")
    assert at(g, "A") == "-1,0"
    assert refused(g, "attack 0,0") == "25.2.3"
    assert "disengage A" in choices(g)


# --- what is told beforehand -----------------------------------------------------------------------------------------


@rule("12.1.3d")
@pytest.mark.parametrize(
    ("units", "lost"),
    [
        ({"X": "soviet 1-5-3;1-1-3 0,0"}, 1),
        ({"X": "soviet 1-3-3 0,0", "Y": "soviet 1-2-3 0,0"}, 1),
        ({"X": "soviet 1-3-3 0,0", "Y": "soviet 1-2-3 0,0 tank"}, 1),
        ({"X": "soviet 1-5-3 0,0"}, 1),
    ],
    ids=["alone", "together", "foot and wheels", "its last step"],
)
def test_the_chances_count_what_a_retreat_costs(units: dict[str, str], lost: int):
    """Two hexes are demanded and there is one, with a friend in it."""
    column, _ = crt_roll("DR2")
    friends = {"A": f"axis {strength(column)}-8-6 1,0", "F": "soviet 3-3-3 -1,0"}
    g = board(friends | units, turn=10, **CORRIDOR)
    found = chances(g, combat(g, "0,0", "A"))["no_defense"]["ends"]
    ends = {e["outcome"]: e["defender_steps"] for e in found if not e["attacker_steps"]}
    lives = len(units) > 1 or ";" in units["X"]
    assert ends == {"retreats" if lives else "eliminated": lost}


@rule("12.1.3d")
def test_the_question_knows_that_a_stack_pays_together():
    units = {"A": "axis 9-8-6 1,0", "X": "soviet 1-3-3 0,0 tank", "Y": "soviet 1-2-3 0,0", "F": "soviet 3-3-3 -1,0"}
    g = board(units, turn=10, **CORRIDOR)
    told = ask(g, "retreat", hex="0,0", hexes=2, by="-1,0")["units"]
    assert [(x["unit"], x["eliminated"], x["by"]["legal"]) for x in told] == [("X", False, True), ("Y", False, True)]
    assert [[(e["to"], e["pay"]) for e in x["ends"]] for x in told] == [[("-1,0", 1)]] * 2
    alone = ask(g, "retreat", units=["X"], hexes=2)["units"][0]
    assert alone["eliminated"]


@rule("29.1.1a")
def test_of_a_contested_city_those_retreat_who_are_attacked():
    city = {"terrain": {"0,0": "major_city"}, "control": {"0,0": "soviet"}, "city_battles": {"0,0": 1}}
    units = {"A": "axis 9-8-6 0,0", "X": "soviet 1-3-3 0,0"}
    for side, retreats in (("axis", "X"), ("soviet", "A")):
        g = board(units, side=side, phase="combat", options={"contested_cities": "on"}, **city)
        assert [x["unit"] for x in ask(g, "retreat", hex="0,0")["units"]] == [retreats]


# --- 9.7.5, 9.8 ------------------------------------------------------------------------------------------------------


@rule("9.8b")
@rule("10.2.3a")
@pytest.mark.parametrize(("code", "spared"), [("A1", False), ("EX", True)])
def test_parenthesized_attackers_are_spared_by_the_enemy_only(code: str, spared: bool):
    """9.8 is about defending units: the owner may give a step of any attacker."""
    column, die = crt_roll(code, None, "0")
    units = {"P": "axis 2-(2)-3 1,0", "A": f"axis {strength(column) - 2}-5-3;1-1-3 1,0", "X": "soviet 3-5-3;1-1-3 0,0"}
    g = start(units, dice=(die,), phase="combat", turn=10)
    attack(g, "0,0", "A", "P")
    if spared:
        assert g.steps[u(g, "A")] == 1, "nothing to choose"
    else:
        assert choices(g) == {"lose A", "lose P"}


@rule("9.7.5a")
@rule("9.7.3d")
def test_a_fortification_removed_in_the_initial_phase_is_built_elsewhere_at_once():
    forts = {f"{q},{r}": "axis" for q in range(-4, 0) for r in range(3)}
    units = {"A": "axis 3-5-3 1,0", "X": "soviet 3-5-3 5,0"}
    g = start(units, phase="initial", turn=10, radius=6, forts=forts, boxes=[area("Z", "axis", "-6,0")])
    assert "build" not in choices(g), "all twelve are on the map"
    assert refused(g, "raze 3,0") == "9.7.5"
    do(g, "raze -1,0", "build")
    assert {"fortify -1,0", "fortify -1,-1"} <= choices(g)


# --- sequences asked of a position -----------------------------------------------------------------------------------


@rule("8.3c")
def test_a_sequence_is_asked_with_its_dice():
    column, die = crt_roll("DR2")
    g = board({"A": f"axis {strength(column)}-8-6 1,0", "X": "soviet 3-5-3 0,0"}, phase="combat", turn=10)
    declared = ["attack 0,0", "add A", "declare"]
    told = ask(g, "legal", after=declared, dice=[die])
    assert (told["side"], set(told["actions"])) == ("soviet", {"defend X", "pass"})
    retreats = "DR2, the defender retreats 2 hexes; advance 2"
    assert told["told"][-1] == {"what": f"die {die} on {column_name(column)}: {retreats}", "rule": "10.1"}
    no = ask(g, "legal", after=[*declared, "pass"], dice=[die], action="retreat X by -1,0")
    assert (no["legal"], no["refusal"]["rule"]) == (False, "12.1.3")
    yes = ask(g, "legal", after=[*declared, "pass"], dice=[die], action="retreat X by -1,0--2,0")
    assert (yes["legal"], yes["refusal"]) == (True, None)
    assert ask(g, "legal", action="attack 0,0")["legal"]
    for dice, what in (([0], "$.dice: a die shows 1 or more"), ([die], "$.dice: more dice are rolled")):
        with pytest.raises(BadInput, match=re.escape(what)):
            ask(g, "legal", after=[*declared, "defend X"], dice=dice)
    with pytest.raises(BadInput, match=r"\$\.action: "):
        ask(g, "legal", action="attack nowhere")


@rule("13.3.2f")
@rule("29.1.1a")
def test_they_run_from_units_that_enter_a_city_battle():
    column, die = crt_roll("DR2")
    units = {
        "A": f"axis {strength(column, 10)}-8-6 1,0",
        "X": "soviet 3-5-3 0,0",
        "Z": "soviet 3-5-3 -1,0 full_retreat",
    }
    city = {"terrain": {"0,0": "major_city"}, "control": {"0,0": "soviet"}, "options": {"contested_cities": "on"}}
    g = start(units, dice=(die, dd_roll("city", "P", losses="-/-")), phase="combat", turn=10, **city)
    attack(g, "0,0", "A")
    do(g, "defend X", "intrude A")
    assert all(c.startswith("retreat Z") for c in choices(g))
    run_away(g, "Z")
    assert at(g, "A") == "0,0"
    assert "attack 0,0" not in choices(g)


@rule("12.1.3b")
def test_a_unit_has_a_line_of_supply_in_an_enemy_city_next_to_its_entry_area():
    """Once the unit is there the City is not vacant (16.3.4)."""
    units = {"A": "axis 9-8-6 1,0", "X": "soviet 3-5-3 0,0"}
    city = {"terrain": {"-2,0": "minor_city"}, "control": {"-2,0": "axis"}, "boxes": [area("E", "soviet", "-2,0")]}
    g = board(units, radius=2, turn=10, **city)
    told = ask(g, "retreat", units=["X"], hexes=2)["units"][0]["ends"]
    assert ("-2,0", True) in {(e["to"], e["line_of_supply"]) for e in told}


@rule("8.6.1a")
@rule("9.6.1b")
@pytest.mark.parametrize("values", ["12[24]-5-4", "12-5-4"], ids=["superscript", "none printed"])
@pytest.mark.parametrize(("ground", "possible"), [("mountain", True), ("clear", False)])
def test_mountain_units_shatter_into_the_mountains(values: str, ground: str, possible: bool):
    units = {"A": f"axis {values} 1,0 mountain", "X": f"soviet 3-{1 if possible else 2}-3 0,0"}
    g = start(units, turn=10, terrain={"0,0": ground})
    assert ("auto_ds 0,0" in choices(g)) is possible


@rule("8.6.1a")
@rule("15.3.2b")
def test_an_overstacked_hex_is_shattered_by_what_its_limit_lets_count():
    units = {"A": "axis 40-8-6 1,0", **{f"X{i}": "soviet 1-2-3 0,0" for i in range(3)}}
    g = start(units, turn=10)
    assert "auto_ds 0,0" in choices(g), "40 to 4: the third unit is beyond the limit"
    g = start(units | {"X0": "soviet 1-2-3 0,0 free"}, turn=10)
    assert "auto_ds 0,0" not in choices(g), "40 to 6"


@rule("8.6.1a")
@rule("29.1.3a")
@pytest.mark.parametrize("place", ["0,0", "1,0"])
def test_the_defenders_of_a_contested_city_are_shattered_from_inside_too(place: str):
    city = {"terrain": {"0,0": "major_city"}, "control": {"0,0": "soviet"}, "city_battles": {"0,0": 1}}
    units = {"A": f"axis 20-8-6 {place}", "B": "axis 1-1-3 0,0", "X": "soviet 1-1-3 0,0"}
    g = start(units, turn=10, options={"contested_cities": "on"}, **city)
    do(g, "auto_ds 0,0", "add A", "declare")
    assert at(g, "X") == "nowhere"


# --- refusals --------------------------------------------------------------------------------------------------------


@rule("10.2.1b")
@rule("10.2.3a")
def test_who_may_not_be_picked_and_why():
    column, die = crt_roll("DS", "noDD")
    units = {
        "A": f"soviet {strength(column, 5)}-8-6 1,0",
        "G": "axis 3-2-3 0,0",
        "H": "axis 3-1-3;1-1-3 0,0",
        "R": "axis 4-5-3;1-2-3 0,0 nation=romanian steps=1",
        "P": "axis 2-(2)-3 0,0 free",
        "F": "axis 3-3-3 0,0 full_retreat",
        "L": "axis 0-0-6 0,0 leader flipped",
    }
    g = start(units, dice=(die,), phase="combat", side="soviet", turn=10)
    attack(g, "0,0", "A")
    assert choices(g) == {"lose G", "lose H"}
    rules = {name: refused(g, f"lose {name}") for name in "RPFLA"}
    assert rules == {"R": "20.5.2", "P": "9.8", "F": "10.2.1", "L": "10.2.3", "A": "10.2.1"}


@rule("29.1.1a")
@rule("8.6.2a")
def test_what_else_is_refused_and_why():
    column, die = crt_roll("DR2")
    units = {"A": f"axis {strength(column, 10)}-8-6 1,0", "B": "axis 1-1-3 1,0", "X": "soviet 3-5-3 0,0"}
    city = {"terrain": {"0,0": "major_city"}, "control": {"0,0": "soviet"}, "options": {"contested_cities": "on"}}
    g = start(units, dice=(die, dd_roll("city", "P", losses="-/-")), phase="combat", turn=10, **city)
    attack(g, "0,0", "A")
    do(g, "defend X")
    assert refused(g, "pass") == refused(g, "intrude B") == "29.1.1"
    g = start({"A": "axis 40-8-6 1,0", "X": "soviet 1-1-3 0,0", "Y": "soviet 1-1-3 3,0"}, turn=10)
    do(g, "auto_ds 0,0", "add A", "declare", "pass", "pass")
    assert refused(g, "exploit 3,0") == "8.6.2"
    assert "exploit 0,0" in choices(g)
