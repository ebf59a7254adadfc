"""5.1-5.5 Movement by land."""

from __future__ import annotations

import pytest

from kessel.core.procedure import legal, push
from kessel.games.stalingrad42.columns import DISRUPTED, EXTENDED, FULL_RETREAT
from kessel.games.stalingrad42.movement.movement import March
from kessel.games.stalingrad42.movement.ways.modes import MODES
from kessel.games.stalingrad42.movement.ways.reach import plan, way_to
from kessel.games.stalingrad42.movement.ways.why import explain_way

from .helpers import (
    RIVER,
    all_legal,
    area,
    ask,
    at,
    board,
    choices,
    do,
    example,
    h,
    has,
    how_to,
    refused,
    rule,
    start,
    u,
)


def ends(g, name: str, mode: str = "") -> set[str]:
    """Where a unit can go, by one kind of movement or any."""
    return {m["to"] for m in ask(g, "moves", unit=name, mode=mode)["moves"]}


def cost(g, name: str, to: str, mode: str = "") -> float:
    found = ask(g, "moves", unit=name, to=to, mode=mode)
    return found.get("cost", found.get("refusal"))


def why(g, name: str, to: str, mode: str = "") -> str:
    return ask(g, "moves", unit=name, to=to, mode=mode)["refusal"]["rule"]


LINE = [f"{i},0" for i in range(12)]


def line(units, **more):
    """A single row of hexes."""
    return start(units, hexes=" ".join(LINE), **more)


# --- 5.1 -----------------------------------------------------------------------------------------------------------


@rule("5.1a")
@rule("2.2.1b")
@example("E01")
def test_each_hex_costs_movement_points_up_to_the_allowance():
    g = line({"A": "axis 3-5-3 0,0"})
    assert cost(g, "A", "3,0") == 3
    assert ends(g, "A", "normal") == {"1,0", "2,0", "3,0"}
    do(g, "move A", "to 3,0 normal")
    assert at(g, "A") == "3,0"
    assert not has(g, "A", EXTENDED)


@rule("5.1a")
@rule("2.3.3a")
@pytest.mark.parametrize(
    ("terrain", "foot", "mech"),
    [("clear", 1, 1), ("rough", 1, 2), ("woods", 1, 2), ("wooded_rough", 2, 3), ("marsh", 2, 3), ("minor_city", 1, 1)],
)
def test_terrain_costs_by_class(terrain, foot, mech):
    g = line({"F": "axis 3-5-6 0,0", "M": "axis 10-8-6 0,0 tank"}, terrain={"1,0": terrain})
    assert cost(g, "F", "1,0", "normal") == foot
    assert cost(g, "M", "1,0", "normal") == mech


@rule("5.1a")
@rule("2.3.3a")
def test_mechanized_units_enter_mountains_only_by_road():
    g = line({"F": "axis 3-5-6 0,0", "M": "axis 10-8-6 0,0 tank"}, terrain={"1,0": "mountain"})
    assert cost(g, "F", "1,0") == 2
    assert why(g, "M", "1,0") == "5.1"
    g = line({"M": "axis 10-8-6 0,0 tank"}, terrain={"1,0": "mountain"}, links=[("secondary", "0,0 1,0")])
    assert cost(g, "M", "1,0") == 0.5


@rule("5.1b")
def test_a_stack_moves_at_the_rate_of_its_slowest_unit():
    g = line({"A": "axis 3-5-3 0,0", "B": "axis 3-5-4 0,0", "P": "axis 10-8-6 0,0 tank"})
    found = ask(g, "moves", units=["A", "P"], mode="normal")
    assert {m["to"] for m in found["moves"]} == {"1,0", "2,0", "3,0"}
    do(g, "move P", "with B", "with A")
    assert "to 4,0 normal" not in choices(g)
    do(g, "to 3,0 normal")
    assert {at(g, x) for x in "ABP"} == {"3,0"}


@rule("5.1b")
def test_a_mixed_stack_pays_by_class():
    g = line(
        {"A": "axis 3-5-4 0,0", "P": "axis 10-8-4 0,0 tank"},
        terrain={"1,0": "wooded_rough", "2,0": "clear"},
    )
    assert cost(g, "A", "3,0", "normal") == 4
    found = ask(g, "moves", units=["A", "P"], mode="normal")
    assert {m["to"] for m in found["moves"]} == {"1,0", "2,0"}, "three points and one for the Mechanized unit"


@rule("5.1c")
def test_a_stack_may_drop_units_on_its_way():
    g = line({"A": "axis 3-5-3 0,0", "B": "axis 3-5-4 0,0"})
    do(g, "move A", "with B", "step 1,0 normal", "drop A")
    assert at(g, "A") == "1,0"
    assert "to 4,0 normal" in choices(g), "the rest goes on with what it has left"
    do(g, "to 4,0 normal")
    assert (at(g, "A"), at(g, "B")) == ("1,0", "4,0")
    assert choices(g) == {"pass"}
    g = line({"A": "axis 3-5-3 0,0", "B": "axis 3-5-4 0,0"})
    do(g, "move A")
    assert refused(g, "drop A") == "5.1"


@rule("5.1d")
def test_one_move_is_completed_before_the_next():
    g = line({"A": "axis 3-5-3 0,0", "B": "axis 3-5-3 0,0"})
    do(g, "move A", "step 1,0 normal")
    assert refused(g, "move B") == "5.1"
    do(g, "halt")
    assert choices(g) == {"pass", "move B"}
    assert refused(g, "move A") == "5.1"
    do(g, "move B")
    assert refused(g, "with A") == "5.1"


@rule("5.1e")
def test_a_hex_with_an_enemy_combat_unit_cannot_be_entered():
    g = line({"A": "axis 10-8-6 0,0 tank", "X": "soviet 3-5-3 1,0"})
    assert why(g, "A", "1,0") == "5.1"
    assert ends(g, "A") == set()
    for state in ("full_retreat", "train", "disrupted"):
        g = line({"A": "axis 10-8-6 0,0 tank", "X": f"soviet 3-5-3 2,0 {state}"})
        assert why(g, "A", "2,0") == "5.1"


@rule("3.B2a")
def test_the_player_may_move_some_none_or_all():
    g = line({"A": "axis 3-5-3 0,0", "B": "axis 3-5-3 1,0", "X": "soviet 3-5-3 9,0"})
    assert choices(g) == {"pass", "move A", "move B"}
    assert refused(g, "move X") == "3.B2"
    do(g, "pass")
    assert (at(g, "A"), at(g, "B")) == ("0,0", "1,0")


# --- 5.2 roads -----------------------------------------------------------------------------------------------------


@rule("5.2a")
@rule("5.2b")
@example("E03")
@pytest.mark.parametrize("kind", ["primary", "secondary"])
def test_a_mechanized_unit_following_a_road_pays_half_a_point(kind):
    g = line({"C": "axis 10-8-6 0,0 tank", "F": "axis 3-5-3 0,0"}, links=[(kind, " ".join(LINE))])
    assert cost(g, "C", "1,0") == 0.5
    assert cost(g, "C", "11,0") == 5.5
    assert cost(g, "F", "3,0") == 3


@rule("5.2a")
@rule("23.2.3c")
@rule("23.3.3")
@pytest.mark.parametrize("weather", ["rain", "mud"])
def test_secondary_roads_cost_a_point_in_rain_and_mud(weather):
    roads = [("primary", "0,0 1,0 2,0"), ("secondary", "2,0 3,0 4,0")]
    g = line({"C": "axis 10-8-6 0,0 tank"}, links=roads, weather=weather)
    found = ask(g, "moves", unit="C", to="4,0")
    assert found["cost"] == 3
    assert [i["value"] for i in found["breakdown"]["items"]] == [1, 1, 2, 2]
    assert cost(line({"C": "axis 10-8-6 0,0 tank"}, links=roads), "C", "4,0") == 2


@rule("5.2b")
def test_the_road_rate_counts_whatever_the_terrain_but_only_along_the_road():
    g = start(
        {"C": "axis 10-8-6 0,0 tank", "F": "axis 3-5-3 0,0"},
        terrain={"1,0": "wooded_rough"},
        links=[("primary", "0,0 1,0")],
    )
    assert cost(g, "C", "1,0") == 0.5
    assert cost(g, "F", "1,0") == 1
    g = start({"C": "axis 10-8-6 0,0 tank"}, terrain={"1,0": "wooded_rough"}, links=[("primary", "1,-1 1,0")])
    assert cost(g, "C", "1,0") == 1.5, "round by 1,-1, where the road begins"
    g = start(
        {"F": "axis 3-5-3 0,0"},
        terrain={"1,0": "wooded_rough"},
        links=[("primary", "0,0 1,0")],
        options={"road_ignores_terrain": "no"},
    )
    assert cost(g, "F", "1,0", "normal") == 2


@rule("5.2c")
@rule("5.5.4b")
def test_a_road_or_railroad_over_a_river_is_a_bridge():
    river = {"1,0|2,0": "major_river"}
    g = line({"C": "axis 10-8-6 0,0 tank"}, hexsides=river, links=[("primary", "0,0 1,0 2,0")])
    assert cost(g, "C", "2,0") == 1
    g = line({"C": "axis 10-8-6 0,0 tank"}, hexsides=river, links=[("rail", "0,0 1,0 2,0")])
    assert cost(g, "C", "2,0") == 4
    g = line(
        {"C": "axis 10-8-6 0,0 tank"},
        hexsides={"1,0|2,0": "minor_river"},
        links=[("rail", "0,0 1,0 2,0")],
        weather="rain",
    )
    assert cost(g, "C", "2,0") == 2, "a railroad bridge over a Minor River"


@rule("5.2d")
def test_the_road_rate_is_usable_into_and_out_of_ezocs():
    g = start({"C": "axis 10-8-6 -1,0 tank", "X": "soviet 3-5-3 0,0"}, links=[("primary", "-1,0 -2,0 -3,0 -4,0")])
    assert cost(g, "C", "-3,0") == 3
    g = start({"C": "axis 10-8-6 -3,0 tank", "X": "soviet 3-5-3 0,0"}, links=[("primary", "-1,0 -2,0 -3,0 -4,0")])
    assert cost(g, "C", "-1,0") == 1


@rule("5.2e")
def test_road_and_cross_country_steps_mix():
    g = line({"C": "axis 10-8-6 0,0 tank"}, links=[("primary", "1,0 2,0 3,0")])
    assert cost(g, "C", "4,0") == 3


# --- 5.3 Extended Movement -----------------------------------------------------------------------------------------


@rule("5.3a")
@example("E02")
def test_extended_movement_adds_three_points():
    g = line({"B": "axis 3-5-3 0,0"})
    assert cost(g, "B", "6,0") == 6
    assert ends(g, "B", "extended") == {"4,0", "5,0", "6,0"}
    assert why(g, "B", "7,0") == "5.1"


@rule("2.3.2c")
@rule("5.3a")
def test_a_unit_that_used_it_is_marked_and_may_not_attack():
    g = line({"B": "axis 3-5-3 0,0"})
    do(g, "move B", "extended", "to 4,0 extended")
    assert has(g, "B", EXTENDED)
    g = line({"B": "axis 3-5-3 0,0"})
    do(g, "move B", "step 1,0 normal", "extended", *(f"step {i},0 extended" for i in range(2, 5)), "halt")
    assert has(g, "B", EXTENDED), "hex by hex it may be declared on the way"
    g = line({"B": "axis 3-5-3 0,0"})
    do(g, "move B", "extended", "to 3,0 extended")
    assert not has(g, "B", EXTENDED), "within its Movement Allowance a unit may still attack"
    g = line({"B": "axis 3-5-3 0,0"})
    do(g, "move B")
    assert refused(g, "to 4,0 extended") == "5.3", "to be declared first"


@rule("5.3b")
@example("E02")
@pytest.mark.parametrize("state", ["", "full_retreat", "train"])
def test_an_extended_mover_may_not_come_next_to_an_enemy_unit(state):
    g = line({"B": "axis 3-5-3 0,0", "X": f"soviet 3-5-3 6,0 {state}"})
    assert ends(g, "B", "extended") == {"4,0"}
    assert why(g, "B", "5,0", "extended") == "5.3"
    do(g, "move B", "extended", *(f"step {i},0 extended" for i in range(1, 5)))
    assert refused(g, "step 5,0 extended") == "5.3"


@rule("5.3b")
def test_nor_pass_by_one_hex_by_hex():
    g = start({"B": "axis 3-5-3 -2,0", "X": "soviet 3-5-3 0,0 full_retreat"}, radius=5)
    assert "1,0" not in ends(g, "B")
    assert {m["mode"] for m in ask(g, "moves", unit="B")["moves"] if m["to"] == "-1,0"} == {"normal"}


@rule("5.3c")
def test_a_unit_that_starts_in_an_ezoc_must_leave_it_with_its_first_hex():
    g = start({"D": "axis 3-5-6 -1,0", "X": "soviet 3-5-3 0,0"}, radius=8)
    assert cost(g, "D", "-8,0") == 9
    assert ask(g, "moves", unit="D", to="-8,0")["mode"] == "extended"


@rule("5.3c")
@rule("6.2c")
@example("E04")
def test_a_unit_leaves_an_ezoc_and_uses_road_and_extended_movement():
    hexes = " ".join(f"{i},0" for i in range(-1, 14))
    g = start(
        {"D": "axis 10-8-6 0,0 tank", "X": "soviet 3-5-3 -1,0"},
        hexes=hexes,
        links=[("primary", "2,0 3,0 4,0 5,0 6,0 7,0 8,0")],
    )
    found = ask(g, "moves", unit="D", to="10,0")
    assert found["cost"] == 9
    assert found["mode"] == "extended"
    assert found["breakdown"]["items"][0] == {"what": "leaving the EZOC in 0,0", "rule": "6.2", "value": 4}
    assert why(g, "D", "11,0") == "5.1"


@rule("5.3d")
@rule("2.3.2d")
def test_a_boxed_allowance_bars_extended_movement():
    g = line({"S": "axis 1-4-2b 0,0 security"})
    assert ends(g, "S", "extended") == set()
    do(g, "move S", "to 2,0 normal")
    g = line({"S": "axis 1-4-2b 0,0 security"})
    do(g, "move S", "step 1,0 normal")
    assert refused(g, "extended") == "5.3"
    do(g, "step 2,0 normal")
    assert refused(g, "step 3,0 normal") == "5.1"


# --- 5.4 Tactical Movement -----------------------------------------------------------------------------------------


@rule("5.4a")
@example("E05")
def test_tactical_movement_is_one_or_two_hexes_without_points():
    g = line({"E": "axis 3-5-2 0,0"}, terrain={"1,0": "wooded_rough", "2,0": "marsh"})
    assert cost(g, "E", "2,0") == 2
    assert ask(g, "moves", unit="E", to="2,0")["mode"] == "tactical"
    do(g, "move E", "step 1,0 tactical", "step 2,0 tactical")
    assert refused(g, "step 3,0 tactical") == "5.4"
    assert refused(g, "step 3,0 normal") == "5.4"


@rule("5.4b")
def test_a_tactical_mover_is_not_barred_from_attacking():
    g = line({"E": "axis 3-5-1 0,0"})
    do(g, "move E", "to 2,0 tactical")
    assert not has(g, "E", EXTENDED)


@rule("5.4c")
def test_a_tactical_mover_stops_on_entering_an_ezoc():
    g = start({"E": "axis 3-5-3 -2,0 disrupted", "X": "soviet 3-5-3 0,0"})
    do(g, "move E", "step -1,0 tactical")
    assert at(g, "E") == "-1,0"
    assert choices(g) == {"pass"}
    g = start({"E": "axis 3-5-3 -1,0 disrupted", "X": "soviet 3-5-3 0,0"})
    assert {"-3,0", "-2,0"} <= ends(g, "E"), "leaving an EZOC costs no hexes"


@rule("5.4d")
def test_a_tactical_mover_neither_enters_nor_crosses_an_enemy_bond():
    g = start({"E": "axis 3-5-3 0,-1 disrupted", "X": "soviet 3-5-3 -1,0", "Y": "soviet 3-5-3 1,0"})
    assert why(g, "E", "0,0") == "7.2"
    g = start({"E": "axis 3-5-3 0,0 disrupted", "X": "soviet 3-5-3 1,0", "Y": "soviet 3-5-3 -1,1"})
    assert "0,1" not in ends(g, "E")


@rule("5.4e")
def test_a_tactical_mover_must_start_next_to_an_unbridged_major_river():
    river = {"1,0|2,0": "major_river"}
    g = line({"E": "axis 3-5-3 0,0 disrupted", "F": "axis 3-5-3 1,0 disrupted"}, hexsides=river)
    assert why(g, "E", "2,0") in ("5.5.2", "5.1")
    do(g, "move E", "step 1,0 tactical")
    assert "step 2,0 tactical" not in choices(g)
    do(g, "halt", "move F")
    assert "to 2,0 tactical" in choices(g)
    frozen = line({"E": "axis 3-5-3 0,0 disrupted"}, hexsides=river, turn=28)
    assert "2,0" in ends(frozen, "E")


@rule("5.4f")
def test_a_tactical_mover_cannot_cross_a_prohibited_hexside():
    for feature in ("lake", "sea", "volga", "impassable", "alpine"):
        g = line({"E": "axis 3-5-3 0,0 disrupted"}, hexsides={"0,0|1,0": feature})
        assert ends(g, "E") == set(), feature


# --- 5.5 rivers ----------------------------------------------------------------------------------------------------


@rule("5.5.1a")
@pytest.mark.parametrize("weather", ["clear", "overcast", "snow"])
def test_minor_rivers_are_free_when_dry(weather):
    g = line({"A": "axis 3-5-4 0,0"}, hexsides={"0,0|1,0": "minor_river"}, weather=weather)
    assert cost(g, "A", "1,0") == 1


@rule("5.5.1b")
@rule("23.2.3d")
@rule("23.3.3")
@pytest.mark.parametrize("weather", ["rain", "mud"])
def test_unbridged_minor_rivers_cost_one_more_in_rain_and_mud(weather):
    river = {"0,0|1,0": "minor_river"}
    for values in ("3-5-4 0,0", "10-8-6 0,0 tank"):
        g = line({"A": f"axis {values}"}, hexsides=river, weather=weather)
        assert cost(g, "A", "1,0") == 2
    g = line({"A": "axis 3-5-4 0,0"}, hexsides=river, weather=weather, links=[("primary", "0,0 1,0")])
    assert cost(g, "A", "1,0") == 1


@rule("5.5.2a")
@example("E06")
def test_an_unbridged_major_river_is_crossed_only_by_units_that_start_next_to_it():
    g = line({"F": "axis 3-5-6 0,0"}, hexsides={"1,0|2,0": "major_river"})
    assert why(g, "F", "2,0") == "5.5.2"
    do(g, "move F", "step 1,0 normal")
    assert refused(g, "step 2,0 normal") == "5.5.2"


@rule("5.5.2b")
@rule("5.5.2c")
def test_crossing_costs_two_or_three_more_and_the_move_goes_on():
    river = {"0,0|1,0": "major_river"}
    g = line({"F": "axis 3-5-4 0,0", "M": "axis 10-8-6 0,0 tank"}, hexsides=river)
    assert cost(g, "F", "1,0", "normal") == 3
    assert cost(g, "M", "1,0", "normal") == 4
    assert cost(g, "F", "2,0", "normal") == 4
    assert cost(g, "M", "3,0", "normal") == 6


@rule("5.5.4a")
@rule("5.5.4c")
def test_railroad_bridges_cost_one_or_two_and_need_no_start_next_to_the_river():
    river = {"1,0|2,0": "major_river"}
    g = line({"F": "axis 3-5-4 0,0", "M": "axis 10-8-6 0,0 tank"}, hexsides=river, links=[("rail", "1,0 2,0")])
    assert cost(g, "F", "2,0", "normal") == 3
    assert cost(g, "M", "2,0", "normal") == 4


@rule("5.5.4d")
def test_the_road_bridge_prevails_where_both_exist():
    g = line(
        {"M": "axis 10-8-6 0,0 tank", "F": "axis 3-5-3 0,0"},
        hexsides={"0,0|1,0": "major_river"},
        links=[("rail", "0,0 1,0"), ("secondary", "0,0 1,0")],
    )
    assert cost(g, "M", "1,0") == 0.5
    assert cost(g, "F", "1,0") == 1


@rule("5.5.5a")
@rule("5.5.5b")
@rule("5.5.5d")
@rule("5.5.5g")
@example("E07")
def test_a_unit_on_the_far_bank_and_the_mover_make_a_pontoon():
    g = line({"A": "axis 3-5-4 1,0", "B": "axis 3-5-3 0,0 disrupted"}, hexsides={"1,0|2,0": "major_river"})
    assert "2,0" not in ends(g, "B"), "no unit on the far bank yet"
    do(g, "move A", "to 2,0 normal", "move B")
    assert "to 2,0 tactical" in choices(g)
    do(g, "step 1,0 tactical", "step 2,0 tactical")
    assert at(g, "B") == "2,0"


@rule("5.5.5d")
def test_a_pontoon_vanishes_with_its_condition():
    g = line({"A": "axis 3-5-4 2,0", "B": "axis 3-5-6 0,0"}, hexsides={"1,0|2,0": "major_river"})
    assert "2,0" in ends(g, "B")
    do(g, "move A", "to 3,0 normal")
    assert "2,0" not in ends(g, "B")


@rule("5.5.5f")
@example("E08")
def test_the_pontoon_crossing_pays_the_full_surcharge():
    g = line(
        {"C": "axis 3-5-3 4,0", "D": "axis 10-8-6 0,0 tank"},
        hexsides={"2,0|3,0": "major_river"},
    )
    do(g, "move C", "to 3,0 normal")
    found = ask(g, "moves", unit="D", to="3,0")
    assert found["cost"] == 6
    assert found["mode"] == "normal"
    assert sum(i["value"] for i in found["breakdown"]["items"] if i["what"].startswith("3,0")) == 8, "1 + 3 MPs"


@rule("5.5.5c")
@pytest.mark.parametrize("words", ["disrupted", "oos", "full_retreat", "security", "free"])
def test_the_state_and_type_of_the_builders_do_not_matter(words):
    g = line({"A": f"axis 3-5-4 2,0 {words}", "B": "axis 3-5-6 0,0"}, hexsides={"1,0|2,0": "major_river"})
    assert "2,0" in ends(g, "B")


@rule("5.5.5a")
def test_non_combat_units_build_none_but_may_use_one():
    river = {"1,0|2,0": "major_river"}
    g = line({"A": "axis 0-0-5b 2,0 supply", "B": "axis 3-5-6 0,0"}, hexsides=river)
    assert "2,0" not in ends(g, "B")
    g = line({"S": "axis 0-0-5b 0,0 supply", "B": "axis 3-5-6 2,0"}, hexsides=river)
    assert "2,0" not in ends(g, "S"), "only one bank is held"
    g = line({"S": "axis 0-0-5b 0,0 supply", "B": "axis 3-5-6 2,0", "C": "axis 3-5-6 1,0"}, hexsides=river)
    assert cost(g, "S", "2,0") == 5


@rule("5.5.6")
def test_a_ferry_is_a_permanent_pontoon_bridge():
    g = line(
        {"F": "axis 3-5-4 0,0", "M": "axis 10-8-6 0,0 tank"},
        hexsides={"1,0|2,0": ["major_river", "ferry"]},
        links=[("secondary", "0,0 1,0 2,0")],
    )
    assert cost(g, "F", "2,0", "normal") == 4
    assert cost(g, "M", "2,0", "normal") == 4.5, "the ferry gives no road rate"


# --- 5.5.3 the Volga -----------------------------------------------------------------------------------------------

VOLGA = {"1,0|2,0": "volga"}


@rule("5.5.3a")
@rule("5.5.3b")
def test_the_volga_is_crossed_at_ferries_at_the_price_of_a_major_river():
    g = line({"A": "axis 3-5-4 0,0"}, hexsides=VOLGA)
    assert "2,0" not in ends(g, "A")
    do(g, "move A", "step 1,0 normal")
    assert refused(g, "step 2,0 normal") == "5.5.3"
    for side in ("axis", "soviet"):
        g = line({"A": f"{side} 3-5-4 0,0"}, hexsides={"1,0|2,0": ["volga", "ferry"]}, side=side)
        assert cost(g, "A", "2,0", "normal") == 4


@rule("5.5.3c")
def test_the_soviets_also_use_the_rail_bridge():
    for side, allowed in (("axis", False), ("soviet", True)):
        g = line({"A": f"{side} 3-5-4 0,0"}, hexsides=VOLGA, links=[("rail", "1,0 2,0")], side=side)
        assert ("2,0" in ends(g, "A")) is allowed
    assert cost(g, "A", "2,0", "normal") == 3


NUMBERS = [f"{c:02d}{r:02d}" for c in range(54, 60) for r in range(18, 28)]
BANK = {f"56{r}|57{r}": "volga" for r in range(18, 28)} | {f"57{r + 1}|56{r}": "volga" for r in range(18, 27)}


@rule("5.5.3d")
@rule("5.5.3e")
def test_the_flotilla_opens_one_hexside_in_or_north_of_row_22_each_phase():
    g = start({"S": "soviet 3-5-4 5620"}, hexes=" ".join(NUMBERS), hexsides=BANK, side="soviet")
    assert "flotilla 5620|5720" in choices(g)
    assert "flotilla 5622|5723" in choices(g)
    assert refused(g, "flotilla 5625|5725") == "5.5.3"
    assert refused(g, "flotilla 5520|5620") == "5.5.3"
    assert not {"5720", "5721"} & ends(g, "S")
    do(g, "flotilla 5620|5720")
    assert cost(g, "S", "5720", "normal") == 3
    assert refused(g, "flotilla 5619|5719") == "5.5.3", "once a phase"
    do(g, "move S", "to 5720 normal")
    assert at(g, "S") == "5720"
    g = start({"A": "axis 3-5-4 5620"}, hexes=" ".join(NUMBERS), hexsides=BANK, flotilla="5620|5720")
    assert "5720" not in ends(g, "A"), "the Flotilla serves the Soviets"
    assert refused(g, "flotilla 5620|5720") == "5.5.3"


@rule("5.5.3d")
def test_the_flotilla_does_as_a_ferry_without_starting_next_to_it():
    g = start({"S": "soviet 3-5-4 5520"}, hexes=" ".join(NUMBERS), hexsides=BANK, side="soviet", flotilla="5620|5720")
    assert cost(g, "S", "5720", "normal") == 4


@rule("5.5.3f")
def test_pontoon_bridges_never_span_the_volga():
    g = line({"S": "soviet 3-5-4 1,0", "T": "soviet 3-5-4 2,0"}, hexsides=VOLGA, side="soviet")
    assert "2,0" not in ends(g, "S")


@rule("5.5.7c")
def test_the_vladimirovka_ferry_is_closed_to_ordinary_movement():
    g = line(
        {"S": "soviet 3-5-6 0,0"}, hexsides=VOLGA, side="soviet", links=[("rail", "0,0 1,0"), ("ferry_rail", "1,0 2,0")]
    )
    for mode in ("normal", "extended", "tactical"):
        assert "2,0" not in ends(g, "S", mode)
    assert "2,0" in ends(g, "S", "rail"), "the Ferry is a rail line, so its far hex is a rail hex"


# --- Winter and Alpine hexsides ------------------------------------------------------------------------------------


@rule("23.4g")
def test_frozen_major_rivers_cost_one_or_two_and_are_crossed_from_afar():
    g = line({"F": "axis 3-5-4 0,0", "M": "axis 10-8-6 0,0 tank"}, hexsides={"1,0|2,0": "major_river"}, turn=28)
    assert cost(g, "F", "2,0", "normal") == 3
    assert cost(g, "M", "2,0", "normal") == 4


@rule("23.4g")
def test_only_maps_a_and_b_freeze():
    areas = {"sheet_a": "0,0 1,0 2,0", "sheet_c1": "3,0 4,0 5,0"}
    more = {"hexsides": {"1,0|2,0": "major_river", "2,0|3,0": "major_river", "4,0|5,0": "major_river"}, "areas": areas}
    g = line({"F": "axis 3-5-6 0,0"}, **more, turn=28)
    assert "2,0" in ends(g, "F")
    assert "3,0" not in ends(g, "F"), "a hexside between the sheets does not freeze"
    g = line({"F": "axis 3-5-6 3,0"}, **more, turn=28)
    assert "5,0" not in ends(g, "F")


@rule("23.4i")
@rule("9.5.6")
def test_lakes_in_or_touching_desert_freeze_in_winter():
    more = {"hexsides": {"0,0|1,0": "lake", "1,0|2,0": "lake"}, "terrain": {"0,0": "desert"}}
    assert "1,0" not in ends(line({"F": "axis 3-5-3 0,0"}, **more), "F")
    g = line({"F": "axis 3-5-3 0,0"}, **more, turn=28)
    assert cost(g, "F", "1,0", "normal") == 2
    assert "2,0" not in ends(g, "F"), "that lake touches no desert"


@rule("20.2a")
@rule("23.4e")
def test_only_mountain_units_cross_alpine_hexsides_off_road_and_none_in_winter():
    side = {"0,0|1,0": "alpine"}
    g = line({"F": "axis 3-5-4 0,0", "G": "axis 5-5-4 0,0 mountain"}, hexsides=side)
    assert why(g, "F", "1,0") in ("20.2", "5.1")
    assert cost(g, "G", "1,0") == 1
    road = line({"F": "axis 3-5-4 0,0"}, hexsides=side, links=[("secondary", "0,0 1,0")])
    assert cost(road, "F", "1,0") == 1
    for links in ([], [("secondary", "0,0 1,0")]):
        g = line({"G": "axis 5-5-4 0,0 mountain"}, hexsides=side, links=links, turn=28)
        assert ends(g, "G") == set()


@rule("9.6.2b")
@rule("20.2a")
def test_a_full_alpine_hex_is_ringed_by_alpine_hexsides():
    g = line({"F": "axis 3-5-4 0,0", "G": "axis 5-5-4 0,0 mountain"}, terrain={"1,0": "alpine"})
    assert "1,0" not in ends(g, "F")
    assert cost(g, "G", "1,0") == 3


@rule("2.2.2")
@rule("9.5.5")
def test_only_rivers_on_hexsides_exist():
    g = line(
        {"F": "axis 3-5-3 0,0"}, terrain={"1,0": "marsh", "2,0": "minor_city"}, hexsides={"2,0|3,0": "minor_river"}
    )
    assert cost(g, "F", "2,0") == 3, "a river inside a Marsh or City hex is not on the board at all"


# --- states --------------------------------------------------------------------------------------------------------


@rule("13.2.1a")
def test_disrupted_units_use_only_tactical_movement():
    g = line({"A": "axis 3-5-6 0,0 disrupted"})
    assert ends(g, "A") == {"1,0", "2,0"}
    assert {m["mode"] for m in ask(g, "moves", unit="A")["moves"]} == {"tactical"}
    assert why(g, "A", "3,0") == why(g, "A", "3,0", "normal") == "13.2.1"


@rule("13.3.1a")
def test_full_retreat_units_move_their_full_allowance_and_extended():
    g = line({"A": "axis 10-8-6 0,0 tank full_retreat"}, links=[("primary", "0,0 1,0 2,0")])
    assert cost(g, "A", "9,0") == 8
    assert cost(g, "A", "2,0") == 1


@rule("13.1.3c")
@rule("13.3.1b")
@rule("3.B2b")
def test_voluntary_full_retreat_comes_before_the_move_and_skips_the_exit_cost():
    g = start({"A": "axis 3-5-3 -1,0", "X": "soviet 3-5-3 0,0"})
    do(g, "move A")
    assert "to -4,0 normal" not in choices(g)
    do(g, "full_retreat")
    assert has(g, "A", FULL_RETREAT)
    assert "to -4,0 normal" in choices(g)
    g = start({"A": "axis 3-5-3 -1,0 full_retreat", "B": "axis 3-5-3 -1,0", "X": "soviet 3-5-3 0,0"})
    assert cost(g, "A", "-2,0") == 3, "a unit put into Full Retreat before pays"
    g = start({"A": "axis 3-5-3 -2,0"})
    do(g, "move A", "step -1,0 normal")
    assert refused(g, "full_retreat") == "13.1.3"


@rule("13.3.2b")
@rule("13.3.2c")
def test_full_retreat_units_enter_no_ezoc_alone_and_no_enemy_city():
    units = {"A": "axis 3-5-3 -2,0 full_retreat", "X": "soviet 3-5-3 0,0"}
    g = start(units)
    assert why(g, "A", "-1,0") == "13.3.2"
    g = start(units | {"B": "axis 3-5-3 -1,0"})
    assert "-1,0" in ends(g, "A")
    g = board(units | {"B": "axis 3-5-3 -1,0 full_retreat"})
    assert "-1,0" not in ends(g, "A")
    g = start(units, terrain={"-3,0": "minor_city"}, control={"-3,0": "soviet"})
    assert why(g, "A", "-3,0") == "13.3.2"


@rule("16.4a")
def test_out_of_supply_mechanized_units_use_only_tactical_movement():
    g = line({"M": "axis 10-8-6 0,0 tank oos", "F": "axis 3-5-3 0,0 oos", "R": "axis 10-8-6 0,0 tank oos full_retreat"})
    assert ends(g, "M") == {"1,0", "2,0"}
    assert "6,0" in ends(g, "F")
    assert ends(g, "R") == {"1,0", "2,0"}
    g = line({"R": "axis 10-8-6 0,0 tank oos full_retreat"}, options={"oos_mech_fr": "full"})
    assert "9,0" in ends(g, "R")


@rule("23.2.4c")
def test_snow_takes_one_point_off_the_allowance_but_not_off_the_rest():
    g = line({"A": "axis 3-5-3 0,0"}, weather="snow", turn=30)
    assert ends(g, "A", "normal") == {"1,0", "2,0"}
    assert ends(g, "A", "extended") == {"3,0", "4,0", "5,0"}
    g = line({"A": "axis 3-5-1 0,0 disrupted"}, weather="snow", turn=30)
    assert ends(g, "A") == {"1,0", "2,0"}


@rule("21.4a")
def test_a_unit_under_a_replacement_marker_moves_one_hex():
    g = line({"A": "axis 3-5-3 0,0 replaced", "B": "axis 3-5-3 0,0"}, links=[("rail", " ".join(LINE))], repaired="all")
    assert ends(g, "A") == {"1,0"}
    assert ask(g, "moves", unit="A", to="5,0", mode="rail")["refusal"]["rule"] == "21.4"


@rule("18.2.2a")
def test_asus_are_mechanized_and_extend_only_on_an_unboxed_used_side():
    g = line({"H": "axis S-(1)-5 0,0 hq back=0-(1)-5"})
    assert ends(g, "H", "extended") == set()
    g = line({"H": "axis S-(1)-5 0,0 hq back=0-(1)-5 flipped"}, links=[("primary", "0,0 1,0")])
    assert "8,0" in ends(g, "H", "extended")
    assert cost(g, "H", "1,0") == 0.5
    g = line({"H": "axis S-(1)-5b 0,0 hq back=0-(1)-4b flipped"})
    assert ends(g, "H", "extended") == set()


@rule("18.2.2b")
def test_an_asu_that_moves_more_than_two_hexes_is_disrupted():
    for hexes, disrupted in ((2, False), (3, True)):
        g = line({"H": "axis S-(1)-5b 0,0 hq back=0-(1)-5"})
        do(g, "move H", f"to {hexes},0 normal")
        assert has(g, "H", DISRUPTED) is disrupted
    g = line({"H": "axis S-(1)-5b 0,0 hq back=0-(1)-5 flipped"})
    do(g, "move H", "to 3,0 normal")
    assert has(g, "H", DISRUPTED)
    g = line({"H": "axis S-(1)-5b 0,0 hq back=0-(1)-5 flipped"}, options={"used_asu_disrupts": "no"})
    do(g, "move H", "to 3,0 normal")
    assert not has(g, "H", DISRUPTED)


@rule("26.2e")
def test_an_hq_that_moves_more_than_two_hexes_loses_its_planned_offensive():
    for hexes, left in ((2, 16), (3, 0)):
        g = line({"H": "axis S-(1)-5b 0,0 hq offensives=1"})
        do(g, "move H", f"to {hexes},0 normal")
        assert g.offensives[u(g, "H")] == left


@rule("18.6.2")
@rule("18.6.3a")
@rule("18.6.3b")
def test_supply_points_flip_before_they_move():
    g = line({"S": "axis 0-0-5 0,0 supply back=S-0-T"}, links=[("primary", "0,0 1,0")])
    assert cost(g, "S", "1,0") == 0.5
    assert ends(g, "S", "extended") == set()
    do(g, "move S", "flip")
    assert {c.split()[2] for c in choices(g) if c.startswith("to ")} == {"tactical"}
    assert "flip" not in choices(g)
    do(g, "step 1,0 tactical")
    assert refused(g, "flip") == "18.6.2"
    g = line({"S": "axis 0-0-5 0,0 supply back=S-0-T flipped"})
    assert ends(g, "S") == {"1,0", "2,0"}


@rule("18.6.8c")
def test_a_non_mobile_supply_point_does_not_move_by_land():
    g = line({"S": "axis 0-0-0 0,0 supply"})
    assert ends(g, "S") == set()
    assert why(g, "S", "1,0") == "18.6.8"


@rule("20.1.3a")
def test_a_mechanized_hq_does_not_make_its_stackmates_mechanized():
    g = line(
        {"H": "soviet 0-0-6 0,0 army_hq", "R": "soviet 3-5-3 0,0"}, side="soviet", links=[("primary", " ".join(LINE))]
    )
    assert cost(g, "H", "11,0") == 5.5
    found = ask(g, "moves", units=["H", "R"], mode="normal")
    assert {m["to"] for m in found["moves"]} == {"1,0", "2,0", "3,0"}


@rule("19.2c")
@rule("19.3b")
def test_non_combat_units_never_block_and_are_removed_when_entered():
    g = start({"A": "axis 3-5-3 -2,0", "S": "soviet 0-0-5b 0,0 supply", "L": "soviet 0-0-6 1,0 leader"})
    do(g, "move A", "to 1,0 normal")
    assert at(g, "A") == "1,0"
    assert at(g, "L") == "nowhere"
    assert at(g, "S") == "nowhere", "passed on the way"


@rule("9.7.4")
@rule("9.7.5b")
def test_a_vacant_fortification_does_not_impede_and_falls_when_entered():
    g = start({"A": "axis 3-5-3 -2,0"}, forts={"-1,0": "soviet", "0,0": "axis"})
    do(g, "move A", "step -1,0 normal", "step 0,0 normal", "halt")
    assert g.fort_of(h(g, "-1,0")) is None
    assert g.fort_of(h(g, "0,0")) is not None


# --- Entry Areas ---------------------------------------------------------------------------------------------------

EDGE = area("Z", "axis", "-4,0 -4,1 -4,2 -4,3 -4,4")


@rule("22.3.1a")
def test_entering_a_friendly_entry_area_costs_a_point_and_ends_the_move():
    g = start({"A": "axis 3-5-3 -2,1"}, boxes=[EDGE])
    assert cost(g, "A", "Z") == 3
    do(g, "move A", "to Z normal")
    assert at(g, "A") == "Z"
    assert choices(g) == {"pass"}
    g = start({"A": "axis 3-5-3 -4,1"}, boxes=[EDGE])
    do(g, "move A", "step Z normal")
    assert at(g, "A") == "Z"
    g = start({"A": "axis 3-5-2b -2,1"}, boxes=[EDGE])
    assert why(g, "A", "Z") == "5.1"
    assert "Z" in ends(start({"A": "axis 3-5-2b -3,1"}, boxes=[EDGE]), "A")


@rule("22.3.1b")
@rule("22.1.2a")
def test_leaving_one_costs_the_first_hex_with_the_road_rate_if_there_is_a_road():
    roads = [("primary", "-4,2 -3,2 -2,2")]
    g = start({"A": "axis 3-5-3 Z", "M": "axis 10-8-6 Z tank"}, boxes=[EDGE], links=roads, terrain={"-4,1": "woods"})
    assert cost(g, "A", "-4,1") == 1
    assert cost(g, "M", "-4,2") == 0.5
    assert cost(g, "M", "-4,1") == 2
    assert cost(g, "M", "-2,2") == 1.5
    do(g, "move A", "to -3,0 normal")
    assert at(g, "A") == "-3,0"


@rule("22.3.1c")
def test_only_good_order_units_leave_an_entry_area():
    for state in ("disrupted", "full_retreat"):
        g = start({"A": f"axis 3-5-3 Z {state}"}, boxes=[EDGE])
        assert ends(g, "A") == set()
        assert why(g, "A", "-4,1") == "22.3.1"


@rule("22.3.2a")
def test_a_unit_may_enter_the_map_into_an_ezoc():
    g = start({"A": "axis 3-5-3 Z", "X": "soviet 3-5-3 -3,1"}, boxes=[EDGE])
    assert "-4,1" in ends(g, "A")
    do(g, "move A", "to -4,1 normal")
    assert choices(g) == {"pass"}


@rule("22.4d")
def test_enemy_entry_areas_are_closed():
    g = start({"X": "soviet 3-5-3 -4,1"}, boxes=[EDGE], side="soviet")
    assert "Z" not in ends(g, "X")
    assert why(g, "X", "Z") == "22.4"


@rule("22.6.1a")
@rule("22.6.2")
@rule("22.1.2b")
def test_units_transfer_between_friendly_entry_areas_for_their_whole_allowance():
    boxes = [EDGE, area("Y", "axis", "4,0"), area("A", "soviet", "4,-4")]
    g = start({f"U{i}": "axis 3-5-3 Z" for i in range(6)}, boxes=boxes)
    for i in range(6):
        do(g, f"move U{i}", "transfer Y")
        assert at(g, f"U{i}") == "Y"
    assert g.rail_used == 0
    assert choices(g) == {"pass"}
    g = start({"U": "axis 3-5-3 Z"}, boxes=boxes)
    do(g, "move U")
    assert refused(g, "transfer A") == "22.6.1"


CASPIAN = [
    area("A", "soviet", "-4,0"),
    area("E", "soviet", "-4,1"),
    area("F", "soviet", "", "transit"),
    area("G", "soviet", "4,0"),
    area("L", "soviet", "4,-1"),
]


@rule("22.6.3")
@rule("22.6.4a")
def test_soviets_transfer_on_their_shore_or_through_the_transit_box():
    g = start({"N": "soviet 3-5-3 A", "S": "soviet 3-5-3 G", "T": "soviet 3-5-3 F"}, boxes=CASPIAN, side="soviet")
    do(g, "move N")
    assert {c for c in choices(g) if c.startswith("transfer")} == {"transfer E", "transfer F"}
    assert refused(g, "transfer G") == "22.6.3"
    do(g, "halt", "move S")
    assert {c for c in choices(g) if c.startswith("transfer")} == {"transfer L", "transfer F"}
    do(g, "halt", "move T")
    assert {c for c in choices(g) if c.startswith("transfer")} == {f"transfer {x}" for x in "AEGL"}


@rule("22.6.4b")
@example("E54")
def test_the_transit_box_holds_two_combat_units():
    units = {"P": "soviet 3-5-3 F", "Q": "soviet 3-5-3 F", "R": "soviet 3-5-3 A", "S": "soviet 3-5-3 A"}
    g = start(units | {"SP": "soviet 0-0-5b A supply"}, boxes=CASPIAN, side="soviet")
    do(g, "move R")
    assert refused(g, "transfer F") == "22.6.4"
    do(g, "halt", "move SP", "transfer F")
    g = start(units, boxes=CASPIAN, side="soviet")
    do(g, "move P", "transfer G", "move Q", "transfer G", "move R", "transfer F", "move S", "transfer F")
    assert [at(g, x) for x in "PQRS"] == ["G", "G", "F", "F"]


# --- the listed moves are the explained moves ----------------------------------------------------------------------


def random_country(seed: int):
    import random

    from .helpers import disc

    r = random.Random(seed)
    hexes = disc(4)
    land = ["clear"] * 6 + ["rough", "woods", "marsh", "mountain", "minor_city", "seasonal_marsh", "desert", "sea"]
    terrain = {x: r.choice(land) for x in hexes}
    terrain["0,0"] = "clear"
    sides = {}
    for _ in range(50):
        q, s = (int(x) for x in r.choice(hexes).split(","))
        dq, ds = r.choice([(1, 0), (0, 1), (1, -1)])
        if f"{q + dq},{s + ds}" in hexes:
            what = r.choice(["major_river", "major_river", "minor_river", "minor_river", "volga", "lake", "alpine"])
            sides[f"{q},{s}|{q + dq},{s + ds}"] = [what, "ferry"] if r.random() < 0.1 and what != "lake" else what
    links = []
    for kind in ("primary", "secondary", "rail"):
        path = ["0,0"]
        for _ in range(6):
            q, s = (int(x) for x in path[-1].split(","))
            near = [f"{q + a},{s + b}" for a, b in ((1, 0), (0, 1), (1, -1), (-1, 0), (0, -1), (-1, 1))]
            near = [n for n in near if n in hexes and terrain[n] != "sea"]
            if not near:
                break
            path.append(r.choice(near))
        links.append((kind, " ".join(path)))
    free = [x for x in hexes if terrain[x] != "sea" and x != "0,0"]
    r.shuffle(free)
    kinds = ["3-5-3 {}", "10-8-6 {} tank", "5-5-4 {} mountain", "2-2-6 {} t34 free", "0-0-5b {} supply"]
    states = ["", "", "", "disrupted", "oos"]
    units = {f"A{i}": f"axis {r.choice(kinds).format(r.choice(['0,0', free[i]]))} {r.choice(states)}" for i in range(4)}
    for name, text in units.items():
        if "supply" in text:
            units[name] = text.replace("disrupted", "")
    units |= {f"X{i}": f"soviet 3-5-3 {free[5 + i]} {r.choice(['', '', 'train'])}" for i in range(4)}
    return start(
        units,
        terrain=terrain,
        hexsides=sides,
        links=links,
        weather=r.choice(["clear", "rain", "snow"]),
        turn=r.choice([1, 22, 30]),
        phase="movement",
    )


@rule("5.1a")
@pytest.mark.parametrize("seed", range(40))
def test_the_searched_cost_of_every_move_is_its_explained_cost(seed):
    g = random_country(seed)
    for a in legal(g):
        if a[0] != "move":
            continue
        t = g.copy()
        push(t, a)
        march = t.stack[-1]
        assert isinstance(march, March)
        boards = [t]
        if ("extended",) in legal(t):
            far = t.copy()
            push(far, ("extended",))
            boards.append(far)
        for x in boards:
            check_listed_moves(x, seed)


def check_listed_moves(t, seed: int) -> None:
    march = t.stack[-1]
    group = march.group(t)
    found = plan(t, group)
    for place, word in {x[1:] for x in all_legal(t) if x[0] == "to"}:
        mode = MODES[word]
        way = way_to(t, group, place, mode)
        reach = found.short if word == "tactical" else found.march
        if t.map.is_hex(place):
            level = next(k for k, here in enumerate(reach.at) if here >> place & 1)
            assert explain_way(t, group, way, mode).total == level, (seed, group, place, word)
        w = t.copy()
        for n in way[:-1]:
            push(w, ("step", n, word))
        assert ("step", way[-1], word) in all_legal(w), (seed, group, [t.place_name(x) for x in way], word)


@rule("5.1a")
@pytest.mark.parametrize("seed", range(16))
def test_what_single_steps_reach_is_what_is_listed(seed):
    """Every hex that can be reached hex by hex is listed, and nothing else."""
    g = random_country(seed)
    for a in legal(g):
        if a[0] != "move":
            continue
        t = g.copy()
        push(t, a)
        listed = {x[1] for x in all_legal(t) if x[0] == "to"}
        if ("extended",) in legal(t):
            far = t.copy()
            push(far, ("extended",))
            listed |= {x[1] for x in legal(far) if x[0] == "to"}
        best: dict[tuple, int] = {}
        todo, reached = [t], set()
        here = t.place[a[1]]
        while todo:
            w = todo.pop()
            if not isinstance(w.stack[-1], March):
                continue
            for x in all_legal(w):
                if x[0] != "step" and (x[0] != "extended" or w.stack[-1].hexes):
                    continue
                v = w.copy()
                push(v, x)
                m = v.stack[-1]
                reached.add(v.place[a[1]])
                if isinstance(m, March):
                    key = (v.place[a[1]], m.mode, m.extended, m.exposed, m.hexes if m.mode == 4 else 1)
                    if sum(m.spent) < best.get(key, 999):
                        best[key] = sum(m.spent)
                        todo.append(v)
        assert reached - {here} == listed - {here}, (seed, t.id(a[1]))


# --- the kinds of movement are asked for ---


@rule("5.4a")
def test_tactical_movement_is_a_question_of_its_own():
    g = line({"A": "axis 3-5-4 0,0"})
    do(g, "move A")
    words = {a[2] for a in legal(g) if a[0] in ("to", "step")}
    assert words == {"normal"}
    assert refused(g, "to 1,0 tactical") == "5.4"
    do(g, "by tactical")
    assert {a[2] for a in legal(g) if a[0] in ("to", "step")} == {"tactical"}
    assert refused(g, "to 1,0 normal") == "5.1"
    assert refused(g, "by rail") == "5.1"
    do(g, "by land")
    assert ("to", h(g, "1,0"), "normal") in legal(g)
    assert refused(g, "by sea") == "5.1"


@rule("5.4a")
def test_tactical_movement_is_offered_at_once_where_no_other_leads_anywhere():
    g = start({"A": "axis 3-5-1 0,0", "X": "soviet 3-5-3 1,-1"}, phase="movement")
    do(g, "move A")
    assert {a[2] for a in legal(g) if a[0] == "to"} == {"tactical"}, "leaving the EZOC costs more MPs than it has"
    assert refused(g, "by tactical") == "5.4"


def test_rail_movement_is_a_question_of_its_own():
    units = {"A": "axis 3-5-4 0,0", "B": "axis 3-5-4 0,0", "C": "axis 3-5-4 0,1"}
    g = start(units, phase="movement", links=[("rail", "0,0 1,0 2,0 3,0")], repaired="all")
    do(g, "move A")
    assert refused(g, "rail 3,0") == "5.6.1"
    do(g, "by rail")
    assert {a[0] for a in legal(g)} == {"halt", "by", "rail"}
    do(g, "by land", "with B")
    assert refused(g, "by rail") == "5.6.1", "one by one"
    do(g, "halt", "move C")
    assert refused(g, "by rail") == "5.6.3", "no rail hex"


@rule("3.B2a")
@rule("5.1c")
def test_a_stack_takes_no_enemy_along_and_drops_nobody_before_it_moves():
    g = start({"A": "axis 3-5-3 0,0", "B": "axis 3-5-3 0,0", "X": "soviet 3-5-3 2,0"})
    do(g, "move A")
    assert refused(g, "with X") == "3.B2"
    do(g, "with B")
    assert refused(g, "drop B") == "5.1"


@rule("5.4a")
@rule("5.1b")
def test_a_mixed_stack_goes_two_hexes_by_any_way_open_to_all_of_it():
    for barred in ("1,-1", "1,0", "0,1"):
        g = board({"T": "axis 10-8-6 0,0 tank", "I": "axis 3-5-3 0,0"}, terrain={barred: "mountain"}, radius=3)
        found = {m["to"]: m for m in ask(g, "moves", units=["T", "I"], mode="tactical")["moves"]}
        assert "2,-1" in found
        assert "1,1" in found
        assert barred not in found
        assert len(found) == 16, "all but the mountain and the hex behind it"


@rule("5.1b")
def test_a_mixed_stack_takes_a_way_between_the_cheapest_of_its_classes():
    g = board(
        {"T": "axis 10-8-4 0,0 tank", "I": "axis 3-5-4 0,0"},
        hexes="0,0 1,0 2,0 3,0 0,1 1,1 2,1 0,2 1,2 2,2",
        terrain={"1,0": "mountain", "2,0": "mountain"},
        links=[("primary", "0,0 0,1 0,2 1,2 2,2 2,1 3,0")],
    )
    assert ask(g, "moves", unit="T", to="3,0")["cost"] <= 4
    assert ask(g, "moves", units=["T", "I"], to="3,0", mode="normal")["path"] == ["0,1", "1,1", "2,1", "3,0"]


@rule("5.5.3b")
def test_a_road_alone_is_no_way_over_the_volga():
    volga = {side: ["volga"] for side in RIVER}
    g = board({"A": "axis 10-8-6 0,0 tank"}, hexsides=volga, links=[("primary", "-1,0 0,0 1,0")])
    assert how_to(g, "1,0") == ("no", "5.5.3")
    g = board(
        {"A": "axis 10-8-6 0,0 tank"},
        hexsides=volga | {"0,0|1,0": ["volga", "ferry"]},
        links=[("primary", "-1,0 0,0 1,0")],
    )
    assert how_to(g, "1,0") == ("normal", 4)


@rule("5.5.2a")
@example("E06")
def test_a_foot_unit_one_hex_short_of_the_river_is_told_of_the_river():
    assert how_to(board({"A": "axis 6-7-3 -1,0"}, hexsides=RIVER), "1,0") == ("no", "5.5.2")


@rule("5.3b")
@rule("5.3d")
def test_a_hex_that_needs_extended_movement_names_what_forbids_it():
    assert how_to(board({"A": "axis 4-5-3b 0,0"}), "4,0") == ("no", "5.3")
    assert how_to(board({"A": "axis 4-5-3 0,0", "X": "soviet 3-5-3 4,-1"}, radius=5), "4,0") == ("no", "5.3")
    assert how_to(board({"A": "axis 4-5-3 0,0"}, radius=8), "7,0") == ("no", "5.1"), "too far even so"


@rule("2.2.3a")
@rule("20.2a")
@pytest.mark.parametrize(
    ("kind", "turn", "why"),
    [("alpine", 1, "20.2"), ("alpine", 28, "2.2.3"), ("lake", 28, "2.2.3"), ("sea", 1, "2.2.3"), ("volga", 1, "5.5.3")],
)
def test_ground_that_bars_the_way_is_named(kind, turn, why):
    g = board({"A": "axis 6-7-3 0,0"}, hexes="0,0 1,0 2,0", hexsides={"0,0|1,0": [kind]}, turn=turn)
    assert how_to(g, "1,0") == ("no", why)
    assert how_to(g, "2,0") == ("no", why), "also for what lies behind"


@rule("5.4a")
def test_the_kind_of_movement_asked_for_is_the_one_answered():
    g = board({"A": "axis 10-8-6 0,0 tank"}, links=[("primary", "0,0 1,0 2,0")])
    assert how_to(g, "2,0") == ("normal", 1)
    assert how_to(g, "2,0", mode="tactical") == ("tactical", 2)
    assert how_to(g, "3,0", mode="tactical") == ("no", "5.4")


@rule("5.4a")
@rule("13.2.1a")
@rule("16.4a")
@rule("21.4a")
@pytest.mark.parametrize(
    ("text", "mode", "why"),
    [
        ("disrupted", "normal", "13.2.1"),
        ("disrupted", "extended", "13.2.1"),
        ("tank oos", "normal", "16.4"),
        ("replaced", "normal", "21.4"),
        ("", "normal", ""),
        ("disrupted", "tactical", ""),
    ],
)
def test_a_kind_of_movement_that_is_forbidden_says_why_though_another_leads_there(text, mode, why):
    g = board({"A": f"axis 10-8-6 0,0 {text}"})
    found = ask(g, "moves", unit="A", to="1,0", mode=mode)
    assert found.get("refusal", {"rule": ""})["rule"] == why


@rule("5.4a")
def test_asked_for_one_kind_of_movement_all_its_places_are_told():
    g = board({"A": "axis 10-8-3 0,0"}, radius=7)

    def count(mode: str) -> int:
        return len(ask(g, "moves", unit="A", mode=mode)["moves"])

    assert [count(mode) for mode in ("tactical", "normal", "extended", "")] == [18, 36, 90, 126]


@rule("5.5.3d")
@rule("5.1b")
@pytest.mark.parametrize(("tank", "works"), [("7-5-3", False), ("7-5-4", True)])
def test_each_class_of_a_stack_pays_for_the_flotilla_as_it_must(tank, works):
    volga = {name: ["volga"] for name in RIVER}
    units = {"A": "soviet 3-5-3 0,0", "T": f"soviet {tank} 0,0 tank"}
    g = board(units, hexsides=volga, side="soviet", flotilla="0,0|1,0")
    found = ask(g, "moves", units=["A", "T"], to="1,0", mode="normal")
    assert ("refusal" not in found) is works
    assert "cost" in ask(g, "moves", unit="A", to="1,0", mode="normal")
