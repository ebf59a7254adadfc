"""10.0 Movement."""

from __future__ import annotations

import pytest

from kessel.core.hexset import members
from kessel.games.don42.movement.movement import allowance, is_roadbound, near_roads

from .helpers import ask, at, board, do, fresh, ger, h, homeland, hq62, pos, refusal, sov, texts, u


def reach(g, unit):
    return ask(g, "moves", unit=unit)["reach"]


def cost(g, unit, to):
    return ask(g, "moves", unit=unit, to=to)["cost"]


@pytest.mark.rule("don42", "10.0.b")
def test_units_move_one_at_a_time_hex_by_hex():
    g = pos(ger("A", "0,0", "4-4-4"), ger("B", "0,3"), phase="german_movement")
    do(g, "move A")
    assert all(t.split()[0] in ("to", "halt") for t in texts(g)), "only this unit is asked for"
    do(g, "to 2,0")
    assert at(g, "A") == "2,0"
    assert "to 4,0" in texts(g), "two MPs are left"
    assert "to 5,0" not in texts(g)
    do(g, "halt")
    assert refusal(g, "move A").rule == "10.0"
    assert "move B" in texts(g)


@pytest.mark.rule("don42", "10.0.a")
def test_a_move_costs_no_more_than_the_allowance():
    g = pos(ger("A", "0,0", "4-4-3"), phase="german_movement")
    assert max(x["cost"] for x in reach(g, "A").values()) == 3
    assert refusal(do(g, "move A"), "to 4,0").rule == "10.0"


@pytest.mark.rule("don42", "10.0.d")
def test_a_unit_may_always_move_one_hex_with_all_its_mps():
    on = board(terrain={"1,0": "hill"}, sides={"0,0|1,0": "minor_river", "0,0|0,1": "major_river"})
    g = pos(ger("A", "0,0", "4-4-1"), sov("X", "-1,0"), on=on, phase="german_movement")
    assert "1,0" in reach(g, "A"), "four MPs"
    do(g, "move A")
    assert refusal(g, "to 0,1").rule == "10.1.2"
    assert refusal(g, "to -1,0").rule == "10.0"
    do(g, "to 1,0")
    assert texts(g) == ["pass"], "all MPs are spent"


@pytest.mark.rule("don42", "10.0.f")
def test_mps_are_neither_saved_nor_lent():
    g = pos(ger("A", "0,0", "4-4-6"), ger("B", "3,0", "4-4-6"), phase="german_movement")
    do(g, "move A", "to 2,0", "halt")
    assert ask(g, "moves", unit="B")["allowance"]["total"] == 6
    assert refusal(g, "move A").rule == "10.0"


@pytest.mark.rule("don42", "10.0.g")
def test_enemy_hexes_are_never_entered():
    g = pos(ger("A", "0,0"), sov("X", "2,0"), phase="german_movement")
    assert "2,0" not in reach(g, "A")
    assert refusal(do(g, "move A"), "to 2,0").rule == "10.0"


@pytest.mark.rule("don42", "10.1")
def test_the_most_expensive_terrain_of_a_hex_counts():
    on = board(terrain={"1,0": "town", "0,1": "hill"}, features={"1,0": ["hill"]})
    g = pos(ger("A", "0,0"), on=on, phase="german_movement")
    assert cost(g, "A", "1,0") == 2
    assert cost(g, "A", "0,1") == 2
    assert cost(g, "A", "-1,0") == 1


ROAD = [("major_road", "0,0 1,0 2,0"), ("minor_road", "2,0 3,0")]


@pytest.mark.rule("don42", "10.1.1.a", "10.1.1.b")
def test_along_a_road_only_the_road_counts():
    on = board(roads=ROAD, terrain={"1,0": "hill", "2,0": "hill"}, sides={"0,0|1,0": "gorge", "1,0|2,0": "minor_river"})
    g = pos(ger("A", "0,0"), on=on, phase="german_movement")
    assert cost(g, "A", "2,0") == 1.0
    assert cost(g, "A", "3,0") == 2.0
    crossing = pos(ger("A", "1,1"), on=on, phase="german_movement")
    assert cost(crossing, "A", "1,0") == 2.0, "not from one road hex to a connected one: the hill counts"


@pytest.mark.rule("don42", "10.1.1.c")
def test_road_and_other_rates_mix_in_one_move():
    g = pos(ger("A", "0,0"), on=board(roads=ROAD), phase="german_movement")
    assert cost(g, "A", "2,1") == 2.0


@pytest.mark.rule("don42", "10.1.2.a")
def test_the_volga_is_never_crossed():
    g = pos(ger("A", "0,0", "4-4-1"), on=board(sides={"0,0|1,0": "major_river"}), phase="german_movement")
    assert refusal(do(g, "move A"), "to 1,0").rule == "10.1.2"


@pytest.mark.rule("don42", "10.1.2.b", "10.1.2.c")
def test_the_don_costs_two_more_mps_and_a_gorge_three():
    sides = {"0,0|1,0": "minor_river", "0,0|-1,0": "gorge"}
    block = {f"{a}|{b}": "major_river" for a, b in (("0,-1", "1,-1"), ("0,0", "1,-1"), ("0,0", "0,1"), ("0,0", "-1,1"))}
    g = pos(
        ger("A", "0,0", "4-4-4"), on=board(sides=sides | block | {"0,0|0,-1": "major_river"}), phase="german_movement"
    )
    assert cost(g, "A", "1,0") == 3
    assert cost(g, "A", "-1,0") == 4
    bridged = board(sides=sides, roads=[("minor_road", "0,0 1,0")])
    assert cost(pos(ger("A", "0,0"), on=bridged, phase="german_movement"), "A", "1,0") == 1


ART = {"type": "artillery"}


@pytest.mark.rule("don42", "10.3.a")
def test_soviet_guns_and_those_of_infantry_divisions_stay_within_three_mps_of_a_road():
    g = pos(hq62(), sov("G", "2,0", "5-1-9", **ART), on=homeland(), phase="soviet_movement")
    ends = reach(g, "G")
    assert "3,0" in ends
    assert not any(abs(int(n.split(",")[0])) > 3 for n in ends), "at no moment further than 3 MPs"
    assert refusal(do(g, "move G"), "to 4,-1").rule == "10.3"
    foot = ger("G", "2,0", "4-2-9", division="76Div", corps="51C", motorized=False, **ART)
    german = pos(foot, on=homeland(), phase="german_movement")
    assert refusal(do(german, "move G"), "to 4,-1").rule == "10.3"


@pytest.mark.rule("don42", "10.3.b")
def test_guns_of_the_motorized_divisions_ignore_the_limit():
    for division in ("16Pz", "3Mot", "60Mot"):
        g = pos(ger("G", "2,0", "5-2-10", division=division, **ART), on=homeland(), phase="german_movement")
        assert "6,0" in reach(g, "G")


@pytest.mark.rule("don42", "10.4")
def test_soviet_mortars_ignore_the_limit():
    g = pos(hq62("0,0"), sov("M", "2,0", "3-1-5", type="mortar"), on=homeland(), phase="soviet_movement")
    assert not is_roadbound(g, u(g, "M"))
    assert "5,0" in reach(g, "M")


@pytest.mark.rule("don42", "10.3.a")
def test_readings_of_the_road_limit():
    hills = {f"{q},{r}": "hill" for q in range(1, 7) for r in range(-6, 7) if abs(q + r) <= 6}

    def limit(**options):
        g = pos(hq62(), on=homeland(terrain=hills), options=options, weather="clear")
        return {q for q in range(1, 7) if near_roads(g) >> h(g, f"{q},-1") & 1}

    assert limit() == {1, 2}, "two hills and the road: 2 + 1"
    assert limit(road_limit="road_to_hex") == {1}, "into the hill 2, the next one 4"
    mud = pos(hq62(), on=homeland(), options={"road_limit": "clear_costs"}, weather="mud")
    assert near_roads(mud) >> h(mud, "3,0") & 1


@pytest.mark.rule("don42", "10.5.a")
def test_drg_units_have_two_mps_at_most():
    g = pos(ger("A", "0,0", status=["DRG"]), phase="german_movement")
    assert allowance(g, u(g, "A")).total == 2
    hungry = pos(ger("A", "0,0", "4-4-3", status=["DRG"], supply="out of supply"))
    assert allowance(hungry, u(hungry, "A")).total == 1, "the smaller of the two"


@pytest.mark.rule("don42", "10.6")
def test_dpt_units_never_move():
    g = pos(ger("A", "0,0", status=["DPT"]), ger("B", "3,0"), phase="german_movement")
    assert refusal(g, "move A").rule == "10.6"
    assert allowance(g, u(g, "A")).total == 0


def test_rtd_units_move_freely_or_not_at_all():
    g = pos(ger("A", "0,0", status=["RTD"]), ger("B", "3,0"), phase="german_movement")
    assert "move A" in texts(g)
    other = pos(
        ger("A", "0,0", status=["RTD"]), ger("B", "3,0"), options={"rtd_moves": "never"}, phase="german_movement"
    )
    assert "move A" not in texts(other)


@pytest.mark.rule("don42", "17.1.3.a", "17.1.3.b")
def test_the_infantry_corps_may_not_pass_the_flank_line_but_may_stand_on_it():
    line = pos({"id": "203Rgt", "at": "2526"}, {"id": "I-8", "at": "2426"}, on="printed", scenario="crossing-the-don",
               phase="german_movement")  # fmt: skip
    ends = reach(line, "203Rgt")
    assert "2521" in ends, "a hex of the line"
    assert refusal(do(line, "move 203Rgt"), "to 2520").rule == "17.1.3"
    do(line, "halt")
    assert any(n.endswith("19") for n in reach(line, "I-8")), "the panzer corps goes where it likes"
    free = pos({"id": "203Rgt", "at": "2526"}, on="printed", scenario="freestyle", phase="german_movement")
    assert "2520" in reach(free, "203Rgt")


@pytest.mark.rule("don42", "17.2.3.d")
def test_in_scenario_2_the_soviets_may_not_cross_the_don():
    units = [{"id": "HQ4TkA", "at": "1636"}, {"id": "27Gds-1", "at": "1738"}]
    g = pos(*units, on="printed", scenario="kotluban", turn="Sep 5 AM", phase="soviet_movement")
    west = {n for n in reach(g, "27Gds-1") if g.ground.west_bank >> h(g, n) & 1}
    assert west == set()
    other = pos(*units, on="printed", turn="Aug 26 AM", phase="soviet_movement")
    assert any(other.ground.west_bank >> h(other, n) & 1 for n in reach(other, "27Gds-1"))


@pytest.mark.rule("don42", "RX-MAP")
def test_the_printed_map_keeps_the_stated_edges():
    g = fresh("crossing-the-don")
    edges = {e: {g.hex_name(x) for x in g.map.grid.hexes if g.ground.edges[e] >> x & 1} for e in g.ground.edges}
    assert {"1004", "1025", "1038"} <= edges["north"]
    assert {"3123", "3133", "3146"} <= edges["south"]
    assert {"1445", "1744"} <= edges["west"]
    assert g.map.grid.adjacent(h(g, "2539"), h(g, "2540"))
    assert g.map.side_has(h(g, "2539"), g.map.grid.direction(h(g, "2539"), h(g, "2540")), "minor_river")


@pytest.mark.rule("don42", "17.2.3.d")
def test_the_refusal_to_cross_the_don_names_its_rule():
    units = [{"id": "HQ4TkA", "at": "1636"}, {"id": "27Gds-1", "at": "1740"}]
    g = pos(*units, on="printed", scenario="kotluban", turn="Sep 5 AM", phase="soviet_movement")
    do(g, "move 27Gds-1")
    assert refusal(g, "to 1741").rule == "17.2.3"


def test_edges_and_banks_of_a_board_that_does_not_name_them():
    numbers = [f"{r}{c:02d}" for r in range(10, 14) for c in range(1, 6)]
    sides = {}
    grid = fresh("crossing-the-don").map.grid
    for a in numbers:
        for b in numbers:
            if a < b and grid.adjacent(grid.hex(a), grid.hex(b)) and (a[2:] <= "03") != (b[2:] <= "03"):
                sides[f"{a}|{b}"] = ["minor_river"]
    on = {
        "grid": {"shifted": "odd"},
        "hexes": " ".join(numbers),
        "hexsides": sides,
        "links": [{"kind": "minor_road", "path": "1001 1002 1003 1004 1005"}],
    }
    g = pos(ger("A", "1105"), on=on)
    names = {e: set(g.map.grid.names(members(s))) for e, s in g.ground.edges.items()}
    assert names["north"] == {f"10{c:02d}" for c in range(1, 6)}
    assert names["south"] == {f"13{c:02d}" for c in range(1, 6)}
    assert names["east"] == {"1001", "1101", "1201", "1301"}
    assert names["west"] == {"1005", "1105", "1205", "1305"}
    assert set(g.map.grid.names(members(g.ground.west_bank))) == {n for n in numbers if n[2:] > "03"}
    assert set(g.map.grid.names(members(g.ground.soviet_sources))) == {f"100{c}" for c in range(1, 6)}
    assert g.map.grid.names(members(g.ground.german_sources)) == ["1005"]
    assert [g.map.grid.hexside_name(s) for s in g.ground.bridges] == ["1003|1004"]
    dry = pos(ger("A", "1105"), on={k: v for k, v in on.items() if k != "hexsides"})
    assert dry.ground.west_bank == 0
