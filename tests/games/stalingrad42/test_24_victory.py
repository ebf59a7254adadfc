"""24.0 Victory Points and Automatic Victory, and the scenarios' own conditions."""

from __future__ import annotations

import dataclasses

import pytest

from kessel.core.procedure import run
from kessel.games.stalingrad42.columns import DISRUPTED, ISOLATED, MOVED, OOS
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET
from kessel.games.stalingrad42.data.scenario import Bonus, Gate, Scenario, Victory
from kessel.games.stalingrad42.turn.victory import (
    end_of_axis_turn,
    exit_towards_baku,
    outcome,
    start_of_axis_turn,
    victory_phase,
    victory_points,
)

from .helpers import area, ask, at, board, choices, do, example, h, has, position, read, rule, start, u

WEST = area("Z", "axis", "-4,0 -4,1 -4,2")
ROAD = [("primary", "-4,0 -3,0 -2,0 -1,0 0,0 1,0 2,0 3,0 4,0")]


def vp(units=None, scenario=None, **more):
    more = {"links": ROAD, "boxes": [WEST]} | more
    g = board(units or {}, **more)
    if scenario is not None:
        g.scenario = dataclasses.replace(g.scenario, **scenario)
    return g


def points(g) -> int:
    return victory_points(g).total


@rule("24.1.1a")
def test_the_axis_alone_scores_for_captured_objectives():
    hexes = {"0,0": 2, "2,0": 1}
    assert points(vp(vp=hexes, control={"0,0": "axis", "2,0": "soviet"})) == 2
    assert points(vp(vp=hexes, control={"0,0": "axis", "2,0": "axis"})) == 3
    assert points(vp(vp=hexes)) == 0


@rule("24.1.1b")
def test_surrounding_an_objective_scores_nothing():
    ring = {f"A{i}": f"axis 3-5-3 {p}" for i, p in enumerate(["1,0", "-1,0", "0,1", "0,-1", "1,-1", "-1,1"])}
    assert points(vp(ring, vp={"0,0": 2}, control={"0,0": "soviet"})) == 0


@rule("24.1.1c")
def test_an_objective_without_a_line_of_supply_does_not_count():
    cut = {"X": "soviet 3-5-3 -2,0", "Y": "soviet 3-5-3 -2,2", "V": "soviet 3-5-3 -2,-2", "W": "soviet 3-5-3 -2,4"}
    more = {"vp": {"3,0": 2}, "control": {"3,0": "axis"}}
    assert points(vp(**more)) == 2
    g = vp(cut, **more)
    assert points(g) == 0
    assert any("no Line of Supply" in i.what for i in victory_points(g))
    far = {"links": [], "vp": {"3,0": 2}, "control": {"3,0": "axis"}}
    assert points(vp(**far)) == 0
    assert points(vp(**far, options={"vp_test": "not_isolated"})) == 2


# --- 24.1.2 Baku ---------------------------------------------------------------------------------------------------

G = area("G", "soviet", "4,0 4,-1")
H = area("H", "soviet", "4,-2")
J = area("J", "soviet", "4,-3")
BAKU = {"boxes": [WEST, G, H, J]}


def baku(*texts: str, moved: bool = True, **more):
    units = {f"D{i}": f"axis {t}" for i, t in enumerate(texts)}
    g = vp(units, scenario={"exits": {"G": ("axis",)}}, **(BAKU | more))
    if moved:
        for i in range(len(texts)):
            g.set_status(u(g, f"D{i}"), MOVED)
    exit_towards_baku(g)
    return g


INF, PZ = "6-7-3;4-5-3;R G remnant=infantry", "10-8-6;7-6-6;R G tank remnant=panzer"
ROM = "2-5-3;1-2-3 G nation=romanian"


@rule("24.1.2a")
@rule("24.1.2b")
def test_five_divisions_one_of_them_a_panzer_division_in_one_phase():
    assert points(baku(PZ, INF, INF, INF, INF)) == 3
    assert points(baku(INF, INF, INF, INF, INF)) == 0, "no Panzer division"
    assert points(baku(PZ, INF, INF, INF)) == 0
    assert points(baku(PZ, INF, INF, INF, INF, moved=False)) == 0, "not in the same Movement Phase"


@rule("24.1.2c")
def test_full_allied_and_reduced_german_divisions_count_half():
    assert points(baku(PZ, INF, INF, INF, ROM, ROM)) == 3
    assert points(baku(PZ, INF, INF, INF, ROM)) == 0
    assert points(baku(PZ, INF, INF, INF, INF + " steps=2", INF + " steps=2")) == 3
    assert points(baku(PZ, INF, INF, INF, ROM + " steps=1", ROM + " steps=1")) == 0, "reduced Allies count nothing"
    assert points(baku(PZ, INF, INF, INF, INF + " steps=1", INF + " steps=1")) == 0, "nor do Remnants"
    others = ["4-4-4 G size=brigade"] * 2
    assert points(baku(PZ, INF, INF, INF, *others)) == 0, "nor other units"
    assert points(baku(PZ + " steps=2", INF, INF, INF, INF, INF + " steps=2")) == 3


@rule("24.1.2d")
def test_the_points_are_kept_while_the_force_stays_and_is_road_supplied():
    g = baku(PZ, INF, INF, INF, INF)
    g.move(u(g, "D4"), h(g, "4,0"))
    assert points(g) == 0
    g.move(u(g, "D4"), h(g, "G"))
    assert points(g) == 3
    cut = baku(PZ, INF, INF, INF, INF, links=[("primary", "-4,0 -3,0")])
    assert points(cut) == 0


@rule("24.1.2d")
@rule("24.1.2a")
def test_points_once_lost_need_five_divisions_in_one_phase_again():
    g = baku(PZ, INF, INF, INF, INF)
    for x in range(5):
        g.set_status(u(g, f"D{x}"), MOVED, False)
    g.move(u(g, "D4"), h(g, "4,0"))
    exit_towards_baku(g)
    assert points(g) == 0
    g.move(u(g, "D4"), h(g, "G"))
    g.set_status(u(g, "D4"), MOVED)
    exit_towards_baku(g)
    assert points(g) == 0, "one division alone does not win them back"
    for x in range(5):
        g.set_status(u(g, f"D{x}"), MOVED)
    exit_towards_baku(g)
    assert points(g) == 3


@rule("24.1.2e")
@rule("22.4d")
def test_axis_units_enter_and_leave_area_g():
    g = start({"A": "axis 3-5-3 4,0"}, links=ROAD, **BAKU)
    g.scenario = dataclasses.replace(g.scenario, exits={"G": ("axis",)})
    do(g, "move A", "step G normal")
    assert at(g, "A") == "G"
    g = start({"A": "axis 3-5-3 G"}, links=ROAD, **BAKU)
    do(g, "move A")
    assert "to 4,0 normal" in choices(g)
    assert not any(c.startswith("transfer") for c in choices(g)), "only through G"


@rule("24.1.2f")
def test_isolated_units_in_g_roll_with_an_airfield():
    from kessel.games.stalingrad42.supply.isolation import attrition_modifiers, attrition_units, check_supply

    wall = {f"S{i}": f"soviet 3-5-3 0,{r}" for i, r in enumerate((-4, -2, 0, 2, 4))}

    def checked(enemies: dict[str, str], **more):
        g = vp({"D0": f"axis {PZ}", "D1": f"axis {INF}"} | enemies, **(BAKU | more))
        check_supply(g, AXIS)
        return g

    g = checked(wall)
    assert len(attrition_units(g, AXIS)) == 2
    assert attrition_modifiers(g, u(g, "D0")).total == 2
    assert ask(g, "supply", unit="D0")["state"] == "isolated"
    assert ask(g, "supply", unit="D0")["attrition"] is True
    assert ask(g, "supply", unit="D0")["attrition_modifier"]["total"] == 2
    g = checked({})
    assert attrition_units(g, AXIS) == []
    assert not has(g, "D0", OOS)
    g = checked({}, links=[])
    assert has(g, "D0", OOS), "no road-bound line"
    assert not has(g, "D0", ISOLATED), "but an Unlimited LOS (16.5.1)"
    assert attrition_units(g, AXIS) == []


@rule("24.1.3a")
def test_soviet_units_in_g_are_displaced_to_h_or_j_and_disrupted():
    g = start({"A": "axis 3-5-3 4,0", "S": "soviet 3-5-3 G", "T": "soviet 3-5-3 G"}, links=ROAD, **BAKU)
    g.scenario = dataclasses.replace(g.scenario, exits={"G": ("axis",)})
    do(g, "move A", "step G normal")
    assert choices(g) == {f"displace {s} {b}" for s in "ST" for b in "HJ"}
    do(g, "displace S H", "displace T J")
    assert (at(g, "S"), at(g, "T")) == ("H", "J")
    assert has(g, "S", DISRUPTED)


@rule("24.1.3b")
def test_no_soviet_unit_enters_or_uses_g_while_axis_units_are_there():
    g = start({"A": "axis 3-5-3 G", "S": "soviet 3-5-3 H", "T": "soviet 3-5-3 4,-1"}, links=ROAD, side="soviet", **BAKU)
    do(g, "move S")
    assert "transfer G" not in choices(g)
    assert "transfer J" in choices(g)
    do(g, "halt", "move T")
    assert not any(c.startswith(("to G", "step G")) for c in choices(g))


@rule("24.1.3b")
@rule("22.5")
def test_soviet_units_neither_retreat_nor_move_into_g_while_axis_units_are_there():
    units = {"S": "soviet 3-5-3 4,0", "B": "axis 3-5-3 3,0"}
    for place, rule_ in (("G", "24.1.3"), ("-3,0", "")):
        g = start(units | {"A": f"axis 3-5-3 {place}"}, links=ROAD, side="soviet", **BAKU)
        found = ask(g, "moves", unit="S", to="G")
        assert found.get("refusal", {"rule": ""})["rule"] == rule_
        (found,) = ask(g, "retreat", hex="4,0", hexes=2)["units"]
        assert ("G" in {e["to"] for e in found["ends"]}) is (rule_ == "")


@rule("24.1.2a")
@rule("22.4d")
def test_on_the_printed_map_axis_units_may_enter_area_g_alone():
    units = [{"id": "24Pz", "at": "7358"}, {"id": "23Pz", "at": "7261"}]
    g = read({"game": "stalingrad42", "turn": 18, "units": units})
    assert ask(g, "moves", unit="24Pz", to="G")["mode"] == "normal"
    assert ask(g, "moves", unit="23Pz", to="H")["refusal"]["rule"] == "22.4"


@rule("24.1.3c")
def test_axis_presence_does_not_make_g_an_axis_area():
    from kessel.games.stalingrad42.supply.supply import source_areas

    g = baku(PZ)
    assert g.box_side(h(g, "G")) == SOVIET
    assert h(g, "G") not in source_areas(g, AXIS)


# --- 24.1.4 --------------------------------------------------------------------------------------------------------


def penalty_box(name: str, hexes: str) -> dict:
    return area(name, "axis", hexes) | {"facts": {"vp_penalty": 3}}


@rule("24.1.4a")
@example("E57")
def test_minus_three_for_each_axis_edge_touched():
    boxes = [penalty_box("X", "-4,0"), penalty_box("Y", "-4,2"), penalty_box("Z", "-4,4")]
    units = {f"S{i}": f"soviet 3-5-3 {p}" for i, p in enumerate(["-4,0", "-4,2", "-4,4"])}
    assert points(vp(units, boxes=boxes)) == -9
    assert points(vp({"S": "soviet 3-5-3 -4,0"}, boxes=boxes)) == -3
    assert points(vp({"S": "soviet 3-5-3 -3,0"}, boxes=boxes)) == 0
    assert points(vp({"S": "soviet 0-0-5b -4,0 supply"}, boxes=boxes)) == 0
    assert points(vp({"S": "soviet 0-0-5b -4,0 supply"}, boxes=boxes, options={"soviet_edge_units": "any"})) == -3


@rule("24.1.4b")
@rule("24.1.4c")
@rule("24.1.4d")
def test_minus_three_and_one_for_western_cities_while_they_are_occupied():
    more = {
        "terrain": {"-2,0": "major_city", "-1,0": "minor_city", "2,0": "major_city"},
        "areas": {"west_of_start_line": "-2,0 -1,0"},
        "boxes": [],
    }
    doc = {k: v for k, v in more.items() if k != "areas"}

    def west(units):
        p = position(units, links=ROAD, **doc)
        p["board"]["areas"] = more["areas"]
        return read(p)

    g = west({"S": "soviet 3-5-3 -2,0", "T": "soviet 3-5-3 -1,0", "V": "soviet 3-5-3 2,0"})
    assert points(g) == -4
    g.move(u(g, "S"), h(g, "0,0"))
    assert points(g) == -1


# --- 24.2, 24.3 ----------------------------------------------------------------------------------------------------


def benchmark(vps: int, turn: int = 8, **more):
    """Turn 8 has the benchmark 8 on the Campaign track."""
    g = vp(
        vp={"0,0": vps},
        control={"0,0": "axis"},
        scenario={"victory": Victory(axis_vp=99, automatic=True)} | more,
        turn=turn,
    )
    assert g.charts.table("turns").number(8, "benchmark") == 8
    victory_phase(g)
    return g


@rule("24.2a")
@rule("24.2b")
@rule("3.D")
@example("E58")
def test_six_above_the_benchmark_wins_and_six_below_loses():
    assert outcome(benchmark(14)).winner == AXIS
    assert outcome(benchmark(13)) is None
    assert outcome(benchmark(3)) is None
    assert outcome(benchmark(2)).winner == SOVIET


@rule("24.3a")
@rule("24.3b")
def test_mt_elbrus_is_worth_a_lasting_point_but_not_on_the_last_turn():
    hexes = {f"48{r}": {} for r in range(57, 62)} | {"4860": {"terrain": "mountain"}}
    g = start({"M": "axis 5-5-4 4859 mountain", "S": "soviet 3-5-3 4858"}, hexes=hexes)
    do(g, "move M", "to 4860 normal")
    assert g.elbrus == 1
    assert points(g) == 1
    g.move(u(g, "M"), h(g, "4861"))
    assert points(g) == 1
    g.set_track("turn", 36)
    assert points(g) == 0
    g.scenario = dataclasses.replace(g.scenario, victory=Victory(elbrus="permanent"))
    assert points(g) == 1
    g = start({"F": "axis 3-5-4 4859"}, hexes=hexes)
    do(g, "move F", "to 4860 normal")
    assert points(g) == 0, "a Mountain unit it must be"


# --- scenarios -----------------------------------------------------------------------------------------------------


@rule("S1.3a")
@rule("S2.5a")
def test_the_scenarios_own_numbers():
    fall_blau = Victory(axis_vp=8, tested="every_turn")
    for vps, turn, winner in ((8, 3, AXIS), (7, 3, None), (7, 8, SOVIET)):
        g = vp(vp={"0,0": vps}, control={"0,0": "axis"}, turn=turn, scenario={"victory": fall_blau, "last_turn": 8})
        victory_phase(g)
        found = outcome(g)
        assert (found.winner if found else None) == winner
    caucasus = Victory(axis_vp=12)
    for vps, turn, winner in ((12, 26, None), (12, 27, AXIS), (11, 27, SOVIET)):
        g = vp(vp={"0,0": vps}, control={"0,0": "axis"}, turn=turn, scenario={"victory": caucasus, "last_turn": 27})
        victory_phase(g)
        found = outcome(g)
        assert (found.winner if found else None) == winner


@rule("S1.3b")
def test_objectives_cut_off_from_all_soviet_sources_count_in_fall_blau():
    boxes = [WEST, area("A", "soviet", "4,0")]
    ring = {f"A{i}": f"axis 3-5-3 {p}" for i, p in enumerate(["1,0", "-1,0", "0,1", "0,-1", "1,-1", "-1,1"])}
    more = {"vp": {"0,0": 2}, "control": {"0,0": "soviet"}, "boxes": boxes}
    fall_blau = {"victory": Victory(isolated_count=True)}
    assert points(vp(ring, **more)) == 0
    assert points(vp(ring, scenario=fall_blau, **more)) == 2
    assert points(vp(scenario=fall_blau, **more)) == 0


@rule("S1.3c")
@rule("S1.3e")
def test_five_mechanized_steps_off_an_edge_need_road_supply():
    bonus = Bonus("east_exit", 2, "S1.3c", 5, ("M",), 0, "", 0)
    scenario = {"victory": Victory(bonus=(bonus,))}
    m = area("M", "soviet", "4,0 4,-1")
    mech = {"P": "axis 10-8-6;7-6-6;4-3-6 M tank", "Q": "axis 6-7-6;4-5-6 M mechanized"}
    assert points(vp(mech, scenario=scenario, boxes=[WEST, m])) == 2
    foot = {"P": "axis 10-8-6;7-6-6;4-3-6 M tank", "Q": "axis 6-7-3;4-5-3 M"}
    assert points(vp(foot, scenario=scenario, boxes=[WEST, m])) == 0
    assert points(vp(mech, scenario=scenario, boxes=[WEST, m], links=[])) == 0


@rule("S1.3d")
def test_a_german_unit_south_of_the_don():
    bonus = Bonus("south", 1, "S1.3d", 0, (), 1, "south_of_rostov", 32)
    hexes = " ".join(f"30{r}" for r in range(29, 36))
    for text, worth in (("axis 3-5-3 3032", 1), ("axis 3-5-3 3031", 0), ("axis 2-4-3 3033 nation=italian", 0)):
        p = position({"A": text}, hexes=hexes)
        p["board"]["areas"] = {"south_of_rostov": "3030-3035"}
        g = read(p)
        g.scenario = dataclasses.replace(g.scenario, victory=Victory(bonus=(bonus,)))
        assert points(g) == worth


@rule("S3.5a")
@pytest.mark.parametrize(("owner", "turn", "over"), [("axis", 34, False), ("soviet", 34, True), ("soviet", 33, False)])
def test_a_hex_of_stalingrad_must_be_held_until_turn_34(owner, turn, over):
    hexes = {
        "5521": {"terrain": "major_city", "city": "Stalingrad"},
        "5522": {"terrain": "major_city", "city": "Stalingrad"},
    }
    g = board({}, hexes=hexes, control={"5521": owner, "5522": "soviet"}, turn=turn)
    g.scenario = dataclasses.replace(
        g.scenario, victory=Victory(axis_vp=11, stalingrad_needed=1), special={"stalingrad_until": 34}
    )
    start_of_axis_turn(g)
    assert bool(g.result) is over
    if over:
        assert outcome(g).winner == SOVIET


@rule("S3.5b")
@example("E62")
def test_fifteen_less_four_is_still_enough_in_uranus():
    for vps, winner in ((11, AXIS), (10, SOVIET)):
        g = vp(
            vp={"0,0": vps}, control={"0,0": "axis"}, turn=36, scenario={"victory": Victory(axis_vp=11, start_vp=15)}
        )
        victory_phase(g)
        assert outcome(g).winner == winner


@rule("S4.4b")
@rule("S4.4a")
def test_turn_28_wants_24_points_at_the_end_of_the_axis_player_turn():
    for vps, turn, over in ((23, 28, True), (24, 28, False), (10, 27, False)):
        g = vp(
            vp={"0,0": vps},
            control={"0,0": "axis"},
            turn=turn,
            scenario={"victory": Victory(axis_vp=21, gate=Gate(28, 24))},
        )
        end_of_axis_turn(g)
        assert bool(g.result) is over
    for vps, winner in ((21, AXIS), (20, SOVIET)):
        g = vp(vp={"0,0": vps}, control={"0,0": "axis"}, turn=36, scenario={"victory": Victory(axis_vp=21)})
        victory_phase(g)
        assert outcome(g).winner == winner


def test_a_finished_game_has_an_empty_stack():
    g = vp(vp={"0,0": 20}, control={"0,0": "axis"}, turn=35)
    from kessel.games.stalingrad42.sequence import Play

    g.scenario = dataclasses.replace(g.scenario, last_turn=35)
    g.stack = [Play()]
    run(g)
    assert not g.stack
    assert isinstance(g.scenario, Scenario)


@rule("24.1.1a")
@rule("24.1.1c")
@rule("24.1.2d")
@rule("24.2a")
@rule("24.2b")
@rule("24.3a")
def test_a_position_tells_its_victory_points():
    doc = {"game": "stalingrad42", "turn": 10, "elbrus": True, "baku": True}
    doc["units"] = [{"id": "24Pz", "at": "G"}, {"id": "16TC", "at": "2029"}]
    found = ask(read(doc), "victory")
    assert found["points"]["total"] == 1 - 3, "Mt. Elbrus, and the Soviets in Stalino"
    assert any("fewer than five" in i["what"] for i in found["points"]["items"])
    mark = found["benchmark"]
    assert found["automatic_victory"] == ("soviet" if mark - 6 >= -2 else None)
    g = vp({}, turn=20)
    mark = ask(g, "victory")["benchmark"]
    for value, side in ((mark + 5, None), (mark + 6, "axis"), (mark - 5, None), (mark - 6, "soviet")):
        doc = position({}, links=ROAD, boxes=[WEST], vp={"0,0": value}, control={"0,0": "axis"}, turn=20)
        assert ask(read(doc), "victory")["automatic_victory"] == side
