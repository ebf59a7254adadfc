"""9.1, 9.2, 9.5, 9.6, 9.8, 9.9 Strengths and Tank Shifts."""

from __future__ import annotations

import pytest

from kessel.games.stalingrad42.combat.crt import column_name
from kessel.games.stalingrad42.combat.strength.strengths import unit_attack, unit_defense

from .fights import attack, column_of, combat, fight, odds_of, rules_of, start
from .helpers import board, choices, do, example, h, refused, rule, u

# --- 9.1 halving and doubling ----------------------------------------------------------------------------------------


@rule("9.1b")
@example("E25")
def test_halving_is_by_unit_and_rounds_up():
    g = board(
        {"A": "axis 5-8-6 1,0", "B": "axis 5-8-6 1,0", "X": "soviet 3-5-3 0,0"}, hexsides={"0,0|1,0": "major_river"}
    )
    assert odds_of(g, "0,0", "A", "B").attack.total == 6


@rule("9.1a")
@example("E26")
def test_a_city_behind_a_river_doubles_once():
    g = board(
        {"A": "axis 9-8-6 1,0", "X": "soviet 3-5-3 0,0"},
        terrain={"0,0": "minor_city"},
        hexsides={"0,0|1,0": "minor_river"},
    )
    now = odds_of(g, "0,0", "A")
    assert now.defense.total == 10
    assert "9.1" in rules_of(now.defense)


@rule("9.1a")
@rule("9.1d")
@rule("9.5.2")
@example("E27")
def test_halved_twice():
    g = board({"A": "axis 9-8-6 1,0 oos", "X": "soviet 3-5-3 0,0"}, hexsides={"0,0|1,0": "major_river"})
    b = odds_of(g, "0,0", "A").attack
    assert b.total == 3
    assert [i.rule for i in b] == ["8.3", "16.4", "9.5.2"]


@rule("9.1d")
@example("E47")
def test_one_halved_is_one():
    g = board({"A": "axis 1-8-6 1,0 oos", "X": "soviet 3-1-3 0,0"})
    assert odds_of(g, "0,0", "A").attack.total == 1


@rule("9.1c")
@rule("9.1d")
@rule("13.2.1c")
def test_a_disrupted_unit_in_a_city_is_halved_then_doubled():
    g = board({"A": "axis 9-8-6 1,0", "X": "soviet 3-5-3 0,0 disrupted"}, terrain={"0,0": "major_city"})
    b = odds_of(g, "0,0", "A").defense
    assert b.total == 6, "5 / 2 = 3, 3 x 2 = 6"
    assert [i.rule for i in b] == ["8.3", "13.2.1", "9.6.3"]


@rule("9.1d")
@rule("9.9b")
@rule("13.2.1c")
def test_other_strengths_of_defenders():
    g = board(
        {
            "A": "axis 9-8-6 1,0",
            "D": "soviet 3-5-3 0,0 disrupted",
            "T": "soviet 3-6-3 0,0 train",
            "F": "soviet 3-7-3 0,0 full_retreat",
        }
    )
    b = odds_of(g, "0,0", "A").defense
    assert b.total == 3 + 1
    assert {"13.2.1", "5.6.4", "13.3.2"} <= rules_of(b)
    g = board({"A": "axis 9-8-6 1,0", "T": "soviet 3-6-3 0,0 train"}, terrain={"0,0": "major_city"})
    assert odds_of(g, "0,0", "A").defense.total == 1, "never doubled"


# --- 9.2 Tank Shifts -------------------------------------------------------------------------------------------------


def shift(units: dict[str, str], *attackers: str, **more: object) -> int:
    g = board(units, **more)
    return odds_of(g, "0,0", *(attackers or ("A",))).shifts.total


@rule("9.2.1a")
def test_a_black_dot_earns_a_shift():
    assert shift({"A": "axis 9-8-6 1,0 tank black", "X": "soviet 3-5-3 0,0"}) == 1
    assert shift({"A": "axis 9-8-6 1,0", "X": "soviet 3-5-3 0,0 tank black"}) == -1
    assert shift({"A": "soviet 7-5-5 1,0 tank black", "X": "axis 3-5-3 0,0"}) == 1
    assert shift({"A": "axis 9-8-6 1,0 tank", "X": "soviet 3-5-3 0,0 tank"}) == 0, "no dot, no Tank Unit"


@rule("9.2.1b")
def test_tank_shifts_of_both_sides_cancel():
    g = board({"A": "axis 9-8-6 1,0 tank black", "X": "soviet 3-5-3 0,0 tank black"})
    now = odds_of(g, "0,0", "A")
    assert now.shifts.total == 0
    assert "9.2.1" in rules_of(now.shifts)


@rule("9.2.1c")
def test_one_black_shift_a_side_whatever_the_number():
    units = {"A": "axis 9-8-6 1,0 tank black", "B": "axis 9-8-6 0,1 tank black", "X": "soviet 3-5-3 0,0"}
    assert shift(units, "A", "B") == 1
    units |= {"Y": "soviet 3-5-3 0,0 tank black", "Z": "soviet 3-5-3 0,0 t34 black free"}
    assert shift(units, "A", "B") == 0
    assert shift({"A": "axis 9-8-6 1,0", "X": "soviet 3-5-3 0,0 tank black", "Y": "soviet 3-5-3 0,0 tank black"}) == -1


@rule("9.2.2a")
@example("E28")
def test_an_elite_panzer_division_earns_two_shifts():
    g = board({"A": "axis 10-8-6 1,0 tank red", "X": "soviet 3-5-3 0,0"})
    now = odds_of(g, "0,0", "A")
    assert (column_name(now.odds), now.shifts.total, now.name) == ("2-1", 2, "4-1")
    assert rules_of(now.shifts) == {"9.2.1", "9.2.2"}
    assert shift({"A": "soviet 9-8-6 1,0", "X": "axis 10-8-6 0,0 tank red"}) == -2, "and in defense"


@rule("9.2.2b")
@example("E29")
def test_the_elite_shift_is_not_cancelled():
    g = board({"A": "axis 10-8-6 1,0 tank red", "X": "soviet 7-5-5 0,0 tank black"})
    now = odds_of(g, "0,0", "A")
    assert (column_name(now.odds), now.shifts.total, now.name) == ("2-1", 1, "3-1")
    assert shift({"A": "soviet 7-5-5 1,0 tank black", "X": "axis 10-8-6 0,0 tank red"}) == -1


@rule("9.2.3a")
@rule("9.5.4b")
@pytest.mark.parametrize("word", ["woods", "wooded_rough", "marsh", "mountain", "minor_city", "major_city"])
def test_terrain_that_bars_tank_shifts(word: str):
    ground = -1 if word == "wooded_rough" else 0
    for units in (
        {"A": "axis 10-8-6 1,0 tank red", "X": "soviet 3-5-3 0,0"},
        {"A": "axis 10-8-6 1,0", "X": "soviet 3-5-3 0,0 tank black"},
        {"A": "soviet 10-8-6 1,0", "X": "axis 3-5-3 0,0 tank red"},
    ):
        g = board(units, terrain={"0,0": word})
        now = odds_of(g, "0,0", "A")
        assert now.shifts.total == ground
        assert "9.2.3" in rules_of(now.shifts)


@rule("9.2.3a")
@pytest.mark.parametrize(("word", "total"), [("clear", 2), ("desert", 2), ("rough", 1)])
def test_terrain_that_does_not(word: str, total: int):
    units = {"A": "axis 10-8-6 1,0 tank red", "X": "soviet 3-5-3 0,0"}
    assert shift(units, terrain={"0,0": word}) == total
    assert shift(units, features={"0,0": ["town"]}) == 2


@rule("9.2.3b")
@rule("9.7.1a")
def test_a_completed_fortification_bars_tank_shifts_and_gives_one_left():
    units = {"A": "axis 10-8-6 1,0 tank red", "X": "soviet 3-5-3 0,0 tank black"}
    g = board(units, forts={"0,0": "soviet"})
    now = odds_of(g, "0,0", "A")
    assert now.shifts.total == -1
    assert rules_of(now.shifts) == {"9.7.1"}
    assert shift(units, forts={"0,0": "soviet begun"}) == 1, "one being built does nothing (reading A12)"
    assert shift(units, forts={"0,0": "soviet begun"}, options={"construction_effects": "full"}) == -1


@rule("9.2.3c")
def test_tanks_over_a_river_or_out_of_marsh_earn_nothing():
    units = {"A": "axis 10-8-6 1,0 tank red", "X": "soviet 3-5-3 0,0"}
    assert shift(units, hexsides={"0,0|1,0": "minor_river"}) == 0
    assert shift(units, hexsides={"0,0|1,0": "major_river"}) == 0
    assert shift(units, terrain={"1,0": "marsh"}) == 0
    units["B"] = "axis 2-8-6 0,1 tank black"
    assert shift(units, "A", "B", hexsides={"0,0|1,0": "minor_river"}) == 1, "B earns the basic shift, A nothing"


@rule("9.2.3d")
@example("E30")
def test_tanks_over_a_river_still_deny():
    units = {"A": "axis 10-8-6 1,0 tank black", "X": "soviet 3-5-3 0,0 tank black"}
    assert shift(units, hexsides={"0,0|1,0": "minor_river"}) == 0
    assert shift(units | {"A": "axis 10-8-6 1,0"}, hexsides={"0,0|1,0": "minor_river"}) == -1


@rule("9.2.3d")
@rule("9.2.2b")
def test_soviet_tanks_over_a_river_against_a_red_dot():
    units = {"A": "soviet 10-8-6 1,0 tank black", "X": "axis 3-5-3 0,0 tank red"}
    river = {"0,0|1,0": "minor_river"}
    assert shift(units, hexsides=river) == -1, "the basic shift is denied, the Elite one stays (reading A10)"
    assert shift(units, hexsides=river, options={"elite_left_shift_over_river": "denied"}) == 0


@rule("9.2.4a")
def test_anti_tank_units_deny_in_defense_and_earn_nothing():
    assert shift({"A": "axis 10-8-6 1,0 tank black", "X": "soviet 3-5-3 0,0 tank_destroyer white"}) == 0
    assert shift({"A": "axis 10-8-6 1,0", "X": "soviet 3-5-3 0,0 tank_destroyer white"}) == 0
    assert shift({"A": "axis 10-8-6 1,0 tank_destroyer white", "X": "soviet 3-5-3 0,0"}) == 0


@rule("9.2.4b")
def test_anti_tank_units_do_not_touch_the_elite_shift_and_cancel_nothing_in_attack():
    assert shift({"A": "axis 10-8-6 1,0 tank red", "X": "soviet 3-5-3 0,0 tank_destroyer white"}) == 1
    assert shift({"A": "axis 10-8-6 1,0 tank_destroyer white", "X": "soviet 3-5-3 0,0 tank black"}) == -1


@rule("9.2.1a")
@rule("13.2.1d")
@rule("13.3.2d")
def test_who_counts_as_participating():
    axis = {"A": "axis 10-8-6 1,0 tank black"}
    assert shift(axis | {"X": "soviet 3-5-3 0,0 tank black disrupted"}) == 0, "Disrupted tanks still deny"
    assert shift({"A": "axis 9-8-6 1,0", "X": "soviet 3-5-3 0,0 tank black disrupted"}) == -1, "and earn"
    full = {"X": "soviet 3-5-3 0,0", "Y": "soviet 3-5-3 0,0 tank black full_retreat"}
    assert shift(axis | full) == 1, "Full Retreat: no shifts"
    assert shift(axis | {"X": "soviet 3-5-3 0,0", "Y": "soviet 3-5-3 0,0 tank black train"}) == 1, "5.6.4"


@rule("9.2.1a")
def test_a_remnant_has_its_own_dot():
    units = {"A": "axis 10-8-6;7-6-6;R 1,0 tank red remnant=panzer", "X": "soviet 3-5-3 0,0"}
    assert shift(units) == 2
    assert shift({"A": units["A"] + " steps=1", "X": units["X"]}) == 1, "the panzer Remnant's dot is black"


# --- 9.5 rivers and marsh --------------------------------------------------------------------------------------------

RIVERS = {"0,0|1,0": "major_river", "0,0|0,1": "major_river", "-1,1|0,0": "minor_river"}


@rule("9.5.1a")
@rule("9.5.2")
@example("E32")
def test_all_attackers_over_rivers():
    units = {"A": "axis 6-8-6 1,0", "B": "axis 7-8-6 0,1", "C": "axis 4-8-6 -1,1", "X": "soviet 3-5-3 0,0"}
    g = board(units, hexsides=RIVERS)
    now = odds_of(g, "0,0", "A", "B", "C")
    assert (now.attack.total, now.defense.total, now.name) == (11, 10, "1-1")
    assert "9.5.1" in rules_of(now.defense)


@rule("9.5.1b")
@example("E33")
def test_one_attacker_on_dry_land_ends_the_doubling():
    units = {"D": "axis 6-8-6 1,0", "E": "axis 7-8-6 0,1", "F": "axis 4-8-6 1,-1", "Y": "soviet 3-5-3 0,0"}
    g = board(units, hexsides=RIVERS)
    now = odds_of(g, "0,0", "D", "E", "F")
    assert (now.attack.total, now.defense.total, now.name) == (11, 5, "2-1")


@rule("9.5.4a")
@rule("9.5.4b")
@rule("9.5.1a")
@example("E34")
def test_one_over_a_major_river_and_one_out_of_marsh():
    units = {"A": "axis 10-8-6 1,0 tank red", "B": "axis 8-8-6 0,1 tank red", "X": "soviet 3-5-3 0,0"}
    g = board(units, hexsides={"0,0|1,0": "major_river"}, terrain={"0,1": "marsh"})
    now = odds_of(g, "0,0", "A", "B")
    assert (now.attack.total, now.defense.total, now.name) == (13, 10, "1-1")
    assert now.shifts.total == 0


@rule("9.5.4a")
def test_defenders_in_a_marsh_are_doubled():
    g = board({"A": "axis 9-8-6 1,0", "X": "soviet 3-5-3 0,0 tank"}, terrain={"0,0": "marsh"})
    assert odds_of(g, "0,0", "A").defense.total == 10
    seasonal = {"0,0": "seasonal_marsh"}
    assert (
        odds_of(board({"A": "axis 9-8-6 1,0", "X": "soviet 3-5-3 0,0"}, terrain=seasonal), "0,0", "A").defense.total
        == 5
    )
    g = board({"A": "axis 9-8-6 1,0", "X": "soviet 3-5-3 0,0"}, terrain=seasonal, seasonal_marsh="marsh")
    assert odds_of(g, "0,0", "A").defense.total == 10


@rule("9.5.1a")
@rule("9.5.2")
def test_bridges_and_ice_change_nothing_in_combat():
    units = {"A": "axis 10-8-6 1,0", "X": "soviet 3-5-3 0,0"}
    bridge = {"hexsides": {"0,0|1,0": "major_river"}, "links": [("primary", "0,0 1,0")]}
    now = odds_of(board(units, **bridge), "0,0", "A")
    assert (now.attack.total, now.defense.total) == (5, 10)
    now = odds_of(board(units, hexsides={"0,0|1,0": "major_river"}, turn=28, options={}), "0,0", "A")
    assert (now.attack.total, now.defense.total) == (5, 10), "frozen (and Winter: 10 - 1 = 9, halved 5)"
    now = odds_of(board(units, **bridge, options={"bridge_keeps_benefit": "no"}), "0,0", "A")
    assert (now.attack.total, now.defense.total) == (10, 5)


@rule("9.5.3a")
@rule("9.5.3c")
def test_the_volga_is_attacked_across_only_at_crossings():
    units = {"A": "soviet 9-8-6 1,0", "X": "axis 3-5-3 0,0"}
    volga = {"0,0|1,0": ["volga"]}
    g = start(units, hexsides=volga, phase="combat", side="soviet")
    assert refused(g, "attack 0,0") == "9.5.3"
    for more in (
        {"hexsides": {"0,0|1,0": ["volga", "ferry"]}},
        {"hexsides": volga, "flotilla": "0,0|1,0"},
        {"hexsides": volga, "links": [("rail", "0,0 1,0")]},
    ):
        g = start(units, phase="combat", side="soviet", **more)
        do(g, "attack 0,0", "add A")
        now = odds_of(g, "0,0", "A")
        assert (now.attack.total, now.defense.total) == (5, 10), "as a Major River"
    axis = {"A": "axis 9-8-6 1,0", "X": "soviet 3-5-3 0,0"}
    for more in ({"flotilla": "0,0|1,0"}, {"links": [("rail", "0,0 1,0")]}):
        g = start(axis, hexsides=volga, phase="combat", **more)
        assert refused(g, "attack 0,0") == "9.5.3", "the Axis may cross neither (5.5.3)"


@rule("9.5.3b")
def test_the_vladimirovka_ferry_is_no_way_to_attack():
    g = start(
        {"A": "soviet 9-8-6 1,0", "X": "axis 3-5-3 0,0"},
        hexsides={"0,0|1,0": ["volga"]},
        links=[("ferry_rail", "0,0 1,0")],
        phase="combat",
        side="soviet",
    )
    assert refused(g, "attack 0,0") == "9.5.3"


@rule("9.5.3c")
@rule("14.5c")
def test_an_advance_over_the_volga_at_a_ferry():
    g = start(
        {"A": "soviet 40-8-6 1,0 mech", "X": "axis 3-1-3 0,0"},
        hexsides={"0,0|1,0": ["volga", "ferry"]},
        phase="combat",
        side="soviet",
    )
    attack(g, "0,0", "A")
    do(g, "pass", "advance A")
    assert "go 0,0" in choices(g)


@rule("9.5.5")
def test_the_izium_bend_on_the_printed_map():
    from kessel.games.stalingrad42.data.terrain import ground

    from .helpers import PACK

    m = PACK.map
    bend = m.grid.hex("1521")
    rivers = [d for d in range(6) if m.sides("major_river")[d] >> bend & 1 or m.sides("minor_river")[d] >> bend & 1]
    assert len(rivers) == 4, "four hexsides count, the river inside does not"
    assert not ground(m).marsh >> bend & 1
    n = m.grid.neighbours[bend]
    wet, dry = n[rivers[0]], next(n[d] for d in range(6) if d not in rivers)
    for place, doubled in ((wet, True), (dry, False)):
        doc = {
            "game": "stalingrad42",
            "units": [
                {"id": "A", "side": "axis", "values": "9-8-6", "at": m.grid.name(place)},
                {"id": "X", "side": "soviet", "values": "3-5-3", "at": "1521"},
            ],
        }
        from .helpers import read

        g = read(doc)
        from kessel.games.stalingrad42.combat.strength.strengths import way_doubles

        assert bool(way_doubles(g, combat(g, "1521", "A"))) is doubled


# --- 9.6 mountain, alpine, city --------------------------------------------------------------------------------------


@rule("9.6.1a")
def test_infantry_types_are_doubled_in_mountains():
    for words, total in (("infantry", 10), ("cavalry", 10), ("mechanized", 10), ("tank", 5), ("tank_destroyer", 5)):
        g = board({"A": "axis 9-8-6 1,0", "X": f"soviet 3-5-3 0,0 {words}"}, terrain={"0,0": "mountain"})
        assert odds_of(g, "0,0", "A").defense.total == total, words


@rule("9.6.1b")
def test_axis_mountain_units_attack_doubled_into_mountains():
    for text, total in (("axis 5-5-4 1,0 mountain", 10), ("soviet 5-5-4 1,0 mountain", 5), ("axis 5-5-4 1,0", 5)):
        enemy = "soviet" if text.startswith("axis") else "axis"
        g = board({"A": text, "X": f"{enemy} 3-5-3 0,0"}, terrain={"0,0": "mountain"})
        assert odds_of(g, "0,0", "A").attack.total == total, text
    g = board({"A": "axis 5-5-4 1,0 mountain oos", "X": "soviet 3-5-3 0,0"}, terrain={"0,0": "mountain"})
    assert odds_of(g, "0,0", "A").attack.total == 6, "halved first: 3, then doubled"


@rule("9.6.2a")
def test_no_doubling_across_alpine_hexsides():
    units = {"A": "axis 5-5-4 1,0 mountain", "X": "soviet 3-5-3 0,0"}
    g = board(units, terrain={"0,0": "mountain"}, hexsides={"0,0|1,0": "alpine"})
    assert odds_of(g, "0,0", "A").attack.total == 5
    g = board(units, terrain={"0,0": "mountain"}, hexsides={"0,0|1,0": "alpine"}, links=[("secondary", "0,0 1,0")])
    assert odds_of(g, "0,0", "A").attack.total == 10, "along a road they are"


@rule("9.6.2b")
def test_an_alpine_hex_is_a_mountain_ringed_by_alpine_hexsides():
    units = {"A": "axis 5-5-4 1,0 mountain", "B": "axis 9-8-3 0,1", "X": "soviet 3-5-3 0,0"}
    g = start(units, terrain={"0,0": "alpine"}, phase="combat")
    do(g, "attack 0,0", "add A")
    assert refused(g, "add B") == "9.6.2"
    now = odds_of(g, "0,0", "A")
    assert (now.attack.total, now.defense.total) == (5, 10)


@rule("9.6.3")
@pytest.mark.parametrize("city", ["minor_city", "major_city"])
def test_who_is_doubled_in_a_city(city: str):
    for text, total in (
        ("soviet 3-5-3 0,0", 10),
        ("soviet 7-5-5 0,0 tank size=corps black", 5),
        ("soviet 7-5-5 0,0 mechanized size=corps black", 10),
        ("soviet 2-2-5 0,0 tank size=brigade black", 4),
        ("soviet 2-2-5 0,0 t34 free black", 2),
        ("soviet 2-2-5 0,0 kv1 free black", 2),
        ("soviet S-(1)-5b 0,0 front", 1),
    ):
        g = board({"A": "axis 9-8-6 1,0", "X": text}, terrain={"0,0": city})
        assert odds_of(g, "0,0", "A").defense.total == total, text
    g = board({"A": "soviet 9-8-6 1,0", "X": "axis 10-8-6 0,0 tank red"}, terrain={"0,0": city})
    assert odds_of(g, "0,0", "A").defense.total == 16, "Panzer divisions are doubled"
    g = board(
        {"A": "soviet 9-8-6 1,0", "X": "axis 10-8-6 0,0 tank red"},
        terrain={"0,0": city},
        options={"city_doubling": "infantry_type"},
    )
    assert odds_of(g, "0,0", "A").defense.total == 8


# --- 9.8 parenthesized units -----------------------------------------------------------------------------------------


@rule("9.8a")
def test_parentheses_count_only_alone_and_once():
    axis = {"A": "axis 9-8-6 1,0"}
    g = board(axis | {"X": "soviet 3-5-3 0,0", "F": "soviet S-(1)-5b 0,0 front"})
    assert odds_of(g, "0,0", "A").defense.total == 5
    g = board(axis | {"F": "soviet S-(1)-5b 0,0 front", "G": "soviet S-(2)-5b 0,0 artdiv"})
    assert odds_of(g, "0,0", "A").defense.total == 2, "the strongest of them"
    g = board(
        axis | {"F": "soviet S-(1)-5b 0,0 front", "X": "soviet 3-5-3 0,0 full_retreat", "L": "soviet 0-0-6 0,0 leader"}
    )
    assert odds_of(g, "0,0", "A").defense.total == 1, "stackmates that do not contribute do not count (A13)"


@rule("9.8b")
def test_parenthesized_units_lose_their_step_last():
    g = fight("DS", colour="noDD", more={"F": "soviet S-(1)-5b 0,0 front"}, defender="soviet 3-5-3;2-3-3 0,0")
    assert g.steps[u(g, "X")] == 1, "the attacker could pick X alone"
    assert g.steps[u(g, "F")] == 1


# --- 9.9 other modifiers ---------------------------------------------------------------------------------------------


@rule("9.9a")
def test_rough_gives_one_left():
    units = {"A": "axis 10-8-6 1,0", "X": "soviet 3-5-3 0,0"}
    assert column_of(board(units), "0,0", "A") == "2-1"
    for word in ("rough", "wooded_rough"):
        g = board(units, terrain={"0,0": word})
        assert column_of(g, "0,0", "A") == "1-1"
        assert "9.9" in rules_of(odds_of(g, "0,0", "A").shifts)
    for word in ("woods", "desert", "mountain", "marsh", "major_city"):
        assert odds_of(board(units, terrain={"0,0": word}), "0,0", "A").shifts.total == 0


@rule("9.9b")
@rule("23.4b")
def test_winter_takes_one_from_axis_units():
    units = {"A": "axis 5-8-6 1,0", "X": "soviet 3-5-3 0,0"}
    g = board(units, turn=28)
    assert unit_attack(g, u(g, "A"), h(g, "0,0")).total == 4
    assert unit_defense(g, u(g, "A"), h(g, "1,0"), doubled_by="").total == 7
    assert unit_attack(g, u(g, "X"), h(g, "1,0")).total == 3
    g = board(units, turn=27)
    assert unit_attack(g, u(g, "A"), h(g, "0,0")).total == 5


# --- the procedure keeps them ----------------------------------------------------------------------------------------


@rule("9.2.3d")
def test_the_log_explains_the_column():
    g = start({"A": "axis 10-8-6 1,0 tank red", "X": "soviet 3-5-3 0,0"}, dice=(1,), phase="combat")
    attack(g, "0,0", "A")
    (told,) = [e for e in g.events if "odds" in e]
    assert told["odds"]["column"] == "4-1"
    assert {i["rule"] for i in told["odds"]["shifts"]["items"]} == {"9.2.1", "9.2.2"}
