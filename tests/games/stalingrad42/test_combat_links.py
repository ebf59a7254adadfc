"""Statements of chapters 2-7 and 16-28 that show in combat, retreat and advance."""

from __future__ import annotations

import pytest

from kessel.games.stalingrad42.columns import FLIPPED, TRAIN, WAITING
from kessel.games.stalingrad42.combat.after.advance_paths import Trip, advance_allowance, in_weather, trips
from kessel.games.stalingrad42.combat.defense import leads
from kessel.games.stalingrad42.combat.strength.air import air_range
from kessel.games.stalingrad42.combat.strength.artillery import can_reach, offensive_guns, why_not_shift
from kessel.games.stalingrad42.combat.strength.eligibility import (
    why_not_attack,
    why_not_join_attack,
    why_not_mix,
    why_not_place,
)
from kessel.games.stalingrad42.combat.strength.leaders import CRT, DEFENSE, DISENGAGEMENT, why_not_reroll
from kessel.games.stalingrad42.combat.strength.offensives import why_not_use_offensive
from kessel.games.stalingrad42.combat.strength.strengths import defense_strength, unit_attack
from kessel.games.stalingrad42.data.forces import AXIS

from .fights import attack, combat, crt_roll, ends, fight, odds_of, run_away, start, strength
from .helpers import area, at, board, choices, do, example, h, has, names, refused, rule, u


def defends(text: str, **more) -> int:
    """The Defense Strength of a unit in 0,0 against an attack from 1,0."""
    g = board({"A": "axis 9-8-6 1,0", "B": "axis 9-8-6 0,1", "X": text}, **more)
    return defense_strength(g, combat(g, "0,0", "A", "B")).total


@rule("2.3.3c")
def test_infantry_type_units_double_in_city_and_mountain():
    for terrain in ("minor_city", "major_city", "mountain"):
        assert defends("soviet 3-5-3 0,0", terrain={"0,0": terrain}) == 10
    assert defends("soviet 7-5-5 0,0 tank size=corps", terrain={"0,0": "mountain"}) == 5
    assert defends("soviet 3-5-3 0,0") == 5


@rule("4.4c")
def test_the_stacking_limit_holds_before_an_automatic_ds():
    units = {f"A{i}": "axis 20-8-6 1,0 tank" for i in range(4)} | {"X": "soviet 1-1-3 0,0"}
    g = start(units)
    assert "auto_ds 0,0" in choices(g)
    do(g, "auto_ds 0,0", "add A0", "declare")
    assert {c for c in choices(g) if c.startswith("eliminate")} == {f"eliminate A{i}" for i in range(4)}


@rule("5.5.5e")
def test_pontoon_bridges_serve_retreats_and_advances():
    river = {"-1,0|0,0": "major_river", "-1,1|0,0": "major_river", "0,-1|0,0": "major_river", "-1,1|0,1": "major_river"}
    g = fight("DR2", defender="soviet 3-5-3 0,0", more={"F": "soviet 3-5-3 -1,0"}, hexsides=river)
    while not any(c.startswith("retreat") for c in choices(g)):
        do(g, "pass")
    assert any("by -1,0" in c for c in choices(g)), "a friend on the other bank makes a Pontoon Bridge"
    g = board({"A": "axis 9-8-6 -2,0 tank", "F": "axis 9-8-6 0,0 tank"}, hexsides=river)
    assert h(g, "0,0") in trips(g, u(g, "A"), Trip(h(g, "-2,0"), 4))


# --- 5.6.4 trains --------------------------------------------------------------------------------------------------


@rule("5.6.4b")
def test_an_entrained_unit_neither_attacks_nor_supports():
    g = board(
        {
            "A": "axis 9-8-6 1,0 train",
            "H": "axis S-(1)-5b 2,0 hq range=5 train",
            "B": "axis 9-8-6 0,1",
            "X": "soviet 3-5-3 0,0",
        }
    )
    assert why_not_join_attack(g, u(g, "A")).rule.startswith("5.6")
    assert why_not_shift(g, u(g, "H"), combat(g, "0,0", "B")) is not None


@rule("5.6.4c")
def test_an_entrained_unit_defends_with_one_never_doubled():
    assert defends("soviet 3-5-3 0,0 train") == 1
    assert defends("soviet 3-5-3 0,0 train", terrain={"0,0": "major_city"}) == 1


@rule("5.6.4d")
def test_an_entrained_unit_neither_earns_nor_denies_a_tank_shift():
    tanks = {"A": "axis 10-8-6 1,0 tank black", "X": "soviet 7-5-5 0,0 tank black"}
    assert odds_of(board(tanks), "0,0", "A").name == "2-1"
    g = board(tanks | {"X": "soviet 7-5-5 0,0 tank black train"})
    assert any(i.rule == "9.2.1" and i.value == 1 for i in odds_of(g, "0,0", "A").shifts)


@rule("5.6.4e")
def test_an_entrained_unit_leads_no_determined_defense():
    g = board({"X": "soviet 3-5-3 0,0 train", "Y": "soviet 3-5-3 0,0", "A": "axis 9-8-6 1,0"}, turn=10)
    assert leads(g, combat(g, "0,0", "A")) == [u(g, "Y")]


@rule("5.6.4f")
@rule("28.1.5")
def test_a_railed_leader_has_no_ability_left():
    g = board({"M": "axis 0-0-6 0,0 leader range=6 back=0-0-6 flipped", "A": "axis 9-8-6 1,0"})
    assert why_not_reroll(g, u(g, "M"), CRT, AXIS, [u(g, "A")]).rule == "28.1.1"
    g = board({"M": "axis 0-0-6 0,0 leader range=6 back=0-0-6 train", "A": "axis 9-8-6 1,0"})
    assert why_not_reroll(g, u(g, "M"), CRT, AXIS, [u(g, "A")]).rule == "5.6.4"


@rule("5.6.5b")
def test_a_forced_retreat_strips_the_train_marker():
    from kessel.games.stalingrad42.combat.after.retreat import start_retreat

    g = board({"X": "soviet 3-5-3 0,0 train"})
    start_retreat(g, u(g, "X"), "disrupted")
    assert not has(g, "X", TRAIN)


# --- 7.2 bonds -----------------------------------------------------------------------------------------------------


@rule("7.2b")
def test_a_retreat_into_or_across_an_enemy_bond_kills():
    ring = {"A2": "axis 9-8-6 -1,-1", "A3": "axis 9-8-6 -1,1", "A4": "axis 9-8-6 1,-1", "A5": "axis 9-8-6 0,1"}
    g = fight("DR4", colour="noDD", defender="soviet 3-5-3 0,0", more=ring)
    assert at(g, "X") == "nowhere"


@rule("7.2c")
def test_an_advance_pierces_a_bond_only_into_the_vacated_hex():
    units = {"A": "axis 9-8-6 1,0 tank", "Y": "soviet 3-5-3 0,-1", "Z": "soviet 3-5-3 0,1"}
    g = board(units)
    assert h(g, "0,0") not in trips(g, u(g, "A"), Trip(h(g, "1,0"), 4))
    assert h(g, "0,0") in trips(g, u(g, "A"), Trip(h(g, "1,0"), 4, vacated=h(g, "0,0")))


# --- 16.4, 23 ------------------------------------------------------------------------------------------------------


@rule("16.4b")
@example("E47")
def test_out_of_supply_halves_the_attack_rounding_up():
    g = board({"A": "axis 7-8-6 1,0 oos", "B": "axis 1-8-6 1,0 oos", "X": "soviet 3-5-3 0,0"})
    assert unit_attack(g, u(g, "A"), h(g, "0,0")).total == 4
    assert unit_attack(g, u(g, "B"), h(g, "0,0")).total == 1


@rule("16.4c")
def test_out_of_supply_limits_the_advance_to_two_hexes():
    g = board({"A": "axis 7-8-6 1,0 tank oos", "B": "axis 7-8-6 1,0 tank"})
    assert advance_allowance(g, u(g, "A"), 4).total == 2
    assert advance_allowance(g, u(g, "B"), 4).total == 4


@rule("23.2.3e")
@example("E55")
@pytest.mark.parametrize("weather", ["rain", "mud"])
def test_rain_halves_the_advance_rounding_up(weather):
    g = board({}, weather=weather, turn=22)
    assert [in_weather(g, n) for n in (2, 3, 4)] == [1, 2, 2]


@rule("23.2.4d")
def test_snow_takes_a_hex_off_the_advance_but_leaves_one():
    g = board({}, weather="snow", turn=30)
    assert [in_weather(g, n) for n in (1, 2, 3, 4)] == [1, 1, 2, 3]


def winter(text: str, turn: int = 30, **more) -> tuple[int, int]:
    """Attack and defense of an Axis unit in hex 3040 against one in 3041 in Winter."""
    hexes = {f"{c}{r}": {} for c in (30, 31, 29) for r in range(38, 48)} | more.pop("cells", {})
    g = board({"A": f"axis {text}", "X": "soviet 9-5-3 3041", "Y": "soviet 9-5-3 3141"}, hexes=hexes, turn=turn, **more)
    place = g.place_name(g.place[u(g, "A")])
    strength_ = unit_attack(g, u(g, "A"), h(g, "3041")).total
    return strength_, defense_strength(g, combat(g, place, "X")).total


@rule("23.4a")
@rule("23.4b")
def test_winter_takes_one_off_axis_strengths_in_the_north():
    assert winter("6-7-3 3040") == (5, 6)
    assert winter("6-7-3 3040", turn=27) == (6, 7)
    assert winter("1-2-3 3040") == (1, 2)
    hexes = {"3044": {}, "3045": {}, "3043": {}}
    g = board({"A": "axis 6-7-3 3044", "B": "axis 6-7-3 3043", "X": "soviet 9-5-3 3045"}, hexes=hexes, turn=30)
    assert unit_attack(g, u(g, "A"), h(g, "3045")).total == 6, "south of row xx43"
    g = board({"S": "soviet 6-7-3 3043", "A": "axis 6-7-3 3044"}, hexes=hexes, turn=30)
    assert unit_attack(g, u(g, "S"), h(g, "3044")).total == 6, "Soviets do not freeze"


@rule("23.4c")
def test_shelter_keeps_the_defense():
    assert winter("6-7-3 3040", cells={"3040": {"features": ["town"]}})[1] == 7
    assert winter("6-7-3 3040", cells={"3040": {"terrain": "minor_city"}})[1] == 14
    assert winter("6-7-3 3040", forts={"3040": "axis"})[1] == 7
    city = {"3039": {"terrain": "major_city"}}
    assert winter("6-7-3 3040", cells=city, control={"3039": "axis"})[1] == 7
    assert winter("6-7-3 3040", cells=city, control={"3039": "soviet"})[1] == 6


@rule("23.4d")
def test_the_minus_one_comes_before_halving_and_doubling():
    river = {"3040|3041": "major_river", "3040|3140": "minor_river"}
    attack_, defense = winter("6-7-3 3040", hexsides=river)
    assert attack_ == 3, "6 - 1 = 5, halved"
    assert defense == 12, "7 - 1 = 6, doubled behind the river"


@rule("23.4h")
def test_a_frozen_river_keeps_its_combat_effects():
    river = {"0,0|1,0": "major_river"}
    for turn in (1, 28):
        g = board({"A": "soviet 8-8-6 1,0", "X": "axis 3-5-3 0,0"}, hexsides=river, turn=turn, terrain={"0,0": "clear"})
        assert unit_attack(g, u(g, "A"), h(g, "0,0")).total == 4


@rule("23.4j")
def test_winter_and_other_penalties_are_not_added():
    assert winter("9-7-3 3040 oos")[0] == 5, "half of nine, not of eight"
    assert winter("2-7-3 3040 oos")[0] == 1
    assert winter("6-7-3 3040 disrupted")[1] == 4, "half of seven"


# --- 18, 19 --------------------------------------------------------------------------------------------------------


@rule("18.3.1b")
@example("E51")
def test_an_hq_with_ready_supply_points_supports_two_combats():
    units = {
        "H": "axis S-(1)-5b 1,-1 hq range=5 back=0-(1)-5",
        "S": "axis 0-0-5b 1,-1 supply back=S-0-T flipped",
        "A": "axis 9-8-6 1,0",
        "B": "axis 9-8-6 1,-2",
        "X": "soviet 3-5-3 0,0",
        "Y": "soviet 3-5-3 0,-2",
    }
    g = start(units, phase="combat", dice=[6, 6])
    attack(g, "0,0", "A")
    do(g, "artillery H")
    assert has(g, "H", FLIPPED)
    while not any(c.startswith("attack") for c in choices(g)):
        found = sorted(choices(g))
        do(g, "pass" if "pass" in found else found[0])
    attack(g, "0,-2", "B")
    assert "artillery S" in choices(g)
    do(g, "artillery S")
    assert g.pool[u(g, "S")] == WAITING


@rule("18.3.3c")
def test_an_asu_in_an_entry_area_supports_only_at_the_map_edge():
    boxes = [area("Z", "axis", "-4,0")]
    units = {
        "H": "axis S-(1)-5b Z hq range=5",
        "A": "axis 9-8-6 -3,0",
        "X": "soviet 3-5-3 -4,0",
        "Y": "soviet 3-5-3 -2,0",
    }
    g = board(units, boxes=boxes)
    assert why_not_shift(g, u(g, "H"), combat(g, "-4,0", "A")) is None
    assert why_not_shift(g, u(g, "H"), combat(g, "-2,0", "A")).rule == "18.3.3"


@rule("18.4b")
@example("E50")
def test_range_follows_a_path_that_terrain_and_zones_may_block():
    line = " ".join(f"{i},0" for i in range(8))
    units = {"H": "axis S-(1)-5b 0,0 hq range=5", "A": "axis 9-8-6 5,0"}
    g = board(units, hexes=line)
    assert can_reach(g, u(g, "H"), [u(g, "A")])
    g = board(units | {"A": "axis 9-8-6 6,0"}, hexes=line)
    assert not can_reach(g, u(g, "H"), [u(g, "A")])
    for feature in ("lake", "alpine", "impassable"):
        g = board(units, hexes=line, hexsides={"2,0|3,0": feature})
        assert not can_reach(g, u(g, "H"), [u(g, "A")]), feature
    g = board(units, hexes=line, hexsides={"2,0|3,0": "alpine"}, links=[("secondary", "2,0 3,0")])
    assert can_reach(g, u(g, "H"), [u(g, "A")])
    g = board(units | {"X": "soviet 3-5-3 2,-1"}, hexes=line + " 2,-1")
    assert not can_reach(g, u(g, "H"), [u(g, "A")]), "1,0 and 2,0 are two EZOC hexes running"
    g = board(units | {"X": "soviet 3-5-3 2,-1", "F": "axis 3-5-3 1,0"}, hexes=line + " 2,-1")
    assert can_reach(g, u(g, "H"), [u(g, "A")]), "one unnegated EZOC"
    assert offensive_guns(g, combat(g, "2,-1", "F")) == [u(g, "H")]


@rule("18.6.6")
def test_supply_points_never_retreat():
    g = fight("DR4", colour="noDD", defender="soviet 3-5-3 0,0", more={"S": "soviet 0-0-5b 0,0 supply"})
    run_away(g, "X")
    assert at(g, "S") == "0,0"


@rule("19.3a")
def test_non_combat_units_take_no_part_in_combat():
    g = board(
        {"A": "axis 9-8-6 1,0", "L": "axis 0-0-6 1,0 leader", "X": "soviet 3-5-3 0,0", "HQ": "soviet 0-0-6 0,0 army_hq"}
    )
    assert why_not_attack(g, u(g, "L"), h(g, "0,0"), AXIS) is not None
    assert defense_strength(g, combat(g, "0,0", "A")).total == 5


@rule("19.3c")
def test_non_combat_units_retreat_with_survivors_and_are_lost_without_any():
    more = {"HQ": "soviet 0-0-6 0,0 army_hq"}
    g = fight("DR4", colour="noDD", defender="soviet 3-5-3 0,0", more=more)
    run_away(g, "X")
    assert any(c.startswith("accompany HQ") for c in choices(g))
    do(g, next(c for c in sorted(choices(g)) if c.startswith("accompany HQ")))
    assert at(g, "HQ") == at(g, "X")
    g = fight("DS", colour="noDD", defender="soviet 3-5-3 0,0", more=more)
    assert at(g, "X") == "nowhere"
    assert at(g, "HQ") == "nowhere"


@rule("19.3d")
def test_non_combat_units_may_accompany_an_automatic_retreat():
    g = start(
        {"A": "axis 9-8-6 3,0 tank", "X": "soviet 3-5-3 0,0 full_retreat", "HQ": "soviet 0-0-6 0,0 army_hq"}, radius=6
    )
    do(g, "move A", "to 1,0 normal")
    run_away(g, "X")
    do(g, next(c for c in sorted(choices(g)) if c.startswith("accompany HQ")))
    assert at(g, "HQ") == at(g, "X")


# --- 20, 21, 22 ----------------------------------------------------------------------------------------------------


@rule("20.2b")
def test_axis_mountain_units_double_attacking_into_mountains_and_soviet_ones_do_not():
    for side, enemy, total in (("axis", "soviet", 10), ("soviet", "axis", 5)):
        units = {"A": f"{side} 5[10]-5-4 1,0 mountain doubled=mountain", "X": f"{enemy} 3-5-3 0,0"}
        if side == "soviet":
            units["A"] = "soviet 5-5-4 1,0 mountain"
        g = board(units, terrain={"0,0": "mountain"})
        assert unit_attack(g, u(g, "A"), h(g, "0,0")).total == total
    g = board({"A": "axis 5[10]-5-4 1,0 mountain doubled=mountain", "X": "soviet 3-5-3 0,0"})
    assert unit_attack(g, u(g, "A"), h(g, "0,0")).total == 5


@rule("20.5.1a")
@rule("20.5.1b")
def test_different_allies_never_share_an_attack_but_one_nation_may_join_germans():
    units = {
        "R": "axis 2-5-3 1,0 nation=romanian",
        "H": "axis 2-5-3 1,0 nation=hungarian",
        "G": "axis 9-5-3 1,0",
        "X": "soviet 3-5-3 0,0",
    }
    g = board(units)
    target = h(g, "0,0")
    assert why_not_mix(g, [u(g, "R"), u(g, "H")], target).rule == "20.5.1"
    assert why_not_mix(g, [u(g, "R"), u(g, "G")], target) is None
    g = start(units, phase="combat")
    do(g, "attack 0,0", "add R")
    assert refused(g, "add H") == "20.5.1"
    do(g, "add G")


@rule("20.9a")
def test_linden_doubles_against_cities():
    linden = {"L": "axis 3[6]-2-3 1,0 engineer doubled=city", "X": "soviet 3-5-3 0,0"}
    for terrain, total in (("minor_city", 6), ("major_city", 6), ("clear", 3)):
        g = board(linden, terrain={"0,0": terrain})
        assert unit_attack(g, u(g, "L"), h(g, "0,0")).total == total


@rule("21.4b")
@rule("21.4c")
def test_a_replacement_marker_bars_every_attack_out_of_its_hex():
    g = board({"A": "axis 9-8-6 1,0", "R": "axis 3-5-3 1,0 replaced", "X": "soviet 3-5-3 0,0"})
    assert why_not_place(g, h(g, "1,0"), u(g, "A")).rule == "21.4"
    g = start({"A": "axis 9-8-6 1,0", "R": "axis 3-5-3 1,0 replaced", "X": "soviet 3-5-3 0,0"}, phase="combat")
    assert "attack 0,0" not in choices(g)


@rule("22.5")
def test_a_retreat_into_a_friendly_entry_area_keeps_the_state():
    boxes = [area("S", "soviet", "-1,0")]
    hexes = {"0,0": {}, "1,0": {}, "-1,0": {}}
    g = fight("DR4", colour="noDD", defender="soviet 3-5-3 0,0", boxes=boxes, hexes=hexes)
    assert ends(g, "X") == {"S"}
    run_away(g, "X")
    assert at(g, "X") == "S"
    from kessel.games.stalingrad42.columns import FULL_RETREAT

    assert has(g, "X", FULL_RETREAT)
    g = fight(
        "DR4",
        colour="noDD",
        defender="soviet 3-5-3 0,0",
        boxes=[area("S", "axis", "-1,0")],
        hexes={k: {} for k in hexes},
    )
    assert at(g, "X") == "nowhere"


@rule("22.7b")
def test_attackers_at_the_edge_obey_the_stacking_limit():
    boxes = [area("Z", "axis", "-4,2")]
    g = start({**{f"A{i}": "axis 5-8-6 Z" for i in range(7)}, "X": "soviet 3-5-3 -4,2"}, phase="combat", boxes=boxes)
    do(g, "attack -4,2", *(f"add A{i}" for i in range(6)))
    assert refused(g, "add A6") == "22.7", "two imagined hexes of three units each"


@rule("22.4c")
@rule("8.6.1a")
def test_units_in_an_entry_area_have_no_part_in_an_automatic_ds():
    units = {**{f"A{i}": "axis 9-8-6 Z" for i in range(3)}, "B": "axis 9-8-6 -3,2", "X": "soviet 1-1-3 -4,2"}
    g = start(units, boxes=[area("Z", "axis", "-4,2")])
    assert refused(g, "auto_ds -4,2") == "8.6.1", "9-1 with those on the map"
    g = start(units | {"C": "axis 3-8-6 -3,1"}, boxes=[area("Z", "axis", "-4,2")])
    do(g, "auto_ds -4,2")
    assert {c for c in choices(g) if c.startswith("add")} == {"add B", "add C"}
    assert refused(g, "add A0") == "22.4"


# --- 26, 28 --------------------------------------------------------------------------------------------------------

PLAN = {
    "H": "axis S-(1)-5b 2,0 hq range=3 offensives=1",
    "A": "axis 10-8-6 1,0",
    "R": "axis 10-8-6 1,-1 nation=romanian",
    "X": "soviet 3-5-3 0,0",
}


@rule("26.2b")
def test_a_ready_marker_serves_one_combat_in_range_with_a_unit_of_the_hqs_nation():
    g = board(PLAN)
    assert why_not_use_offensive(g, u(g, "H"), combat(g, "0,0", "A")) is None
    assert why_not_use_offensive(g, u(g, "H"), combat(g, "0,0", "R")).rule == "26.2"
    far = board(PLAN | {"H": "axis S-(1)-5b 4,0 hq range=2 offensives=1"})
    assert why_not_use_offensive(far, u(far, "H"), combat(far, "0,0", "A")).rule.startswith(("26.2", "18.4"))


@rule("26.2f")
def test_two_dice_are_rolled_and_one_is_chosen_three_with_both_markers():
    for markers, dice in ((1, [1, 5]), (2, [1, 3, 5])):
        g = start(PLAN | {"H": f"axis S-(1)-5b 2,0 hq range=3 offensives={markers}"}, dice=dice, phase="combat")
        attack(g, "0,0", "A")
        for _ in range(markers):
            do(g, "offensive H")
        if not any(c.startswith("take") for c in choices(g)):
            do(g, "pass")
        assert {c for c in choices(g) if c.startswith("take")} == {f"take {n}" for n in dice}
        assert g.offensives[u(g, "H")] == 0, "once used it is removed"


@rule("26.2c")
def test_not_in_breakthrough_combat():
    g = board(PLAN)
    assert why_not_use_offensive(g, u(g, "H"), combat(g, "0,0", "A", breakthrough=True)).rule == "26.2"


LEADERS = {
    "M": "axis 0-0-6 2,0 leader range=3 back=0-0-6",
    "C": "soviet 0-0-6 -2,0 leader range=3 back=0-0-6",
    "A": "axis 10-8-6 1,0",
    "X": "soviet 3-5-3 0,0",
}


@rule("28.1.3")
@rule("28.1.4")
def test_what_each_leader_may_have_rolled_again():
    g = board(LEADERS)
    m, c, a, x = (u(g, n) for n in "MCAX")
    both = [a, x]
    for kind, roller, manstein, chuikov in (
        (CRT, 0, True, False),
        (CRT, 1, True, False),
        (DEFENSE, 0, True, False),
        (DEFENSE, 1, False, True),
        (DISENGAGEMENT, 0, True, False),
        (DISENGAGEMENT, 1, False, False),
    ):
        assert (why_not_reroll(g, m, kind, roller, both) is None) is manstein, (kind, roller)
        assert (why_not_reroll(g, c, kind, roller, both) is None) is chuikov, (kind, roller)


@rule("28.1.2")
def test_a_leaders_range_is_traced_like_an_asus():
    g = board(LEADERS | {"M": "axis 0-0-6 4,0 leader range=2"}, radius=5)
    assert why_not_reroll(g, u(g, "M"), CRT, AXIS, [u(g, "A")]).rule == "28.1.2"


@rule("28.1.1a")
@rule("28.1.1b")
def test_a_reroll_is_binding_and_once_a_turn():
    column, die = crt_roll("A1", None)
    g = start(LEADERS | {"A": f"axis {strength(column)}-8-6;1-8-6 1,0"}, dice=[die, die], phase="combat")
    attack(g, "0,0", "A")
    assert choices(g) == {"pass", "reroll M"}
    do(g, "reroll M")
    assert has(g, "M", FLIPPED)
    assert not any(c.startswith("reroll") for c in choices(g))
    assert why_not_reroll(g, u(g, "M"), CRT, AXIS, [u(g, "A")]).rule == "28.1.1"


@rule("S2.2b")
def test_air_range_from_the_imaginary_hex_3139():
    from .test_scenarios import opened

    g = opened("caucasus")
    found = names(g, air_range(g))
    assert {"3140", "3147", "3153"} <= found
    assert "3160" not in found
    assert g.scenario.has("S2.2b")


@example("E31")
@rule("17.4")
def test_all_railroads_of_a_repaired_hex_are_usable():
    from .test_scenarios import opened

    g = opened("campaign")
    k = h(g, "3327")
    six = g.ground.rail(g.turn)
    assert sum(s >> k & 1 for s in six) >= 3, "several railroads meet there"
    from kessel.games.stalingrad42.supply.railroads import repaired_hexes

    g.set_repaired(k)
    assert repaired_hexes(g) >> k & 1
