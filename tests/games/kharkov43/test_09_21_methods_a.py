"""9.21 Movement methods A. Hexes are those of the printed map on bare ground; numbers rise southward and westward."""

from __future__ import annotations

import itertools

import pytest

from kessel.games.kharkov43.board import MOVED, STAYED
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.system.methods import methods_a as a
from kessel.games.kharkov43.system.methods.methods import Stay
from kessel.games.kharkov43.system.soviet_movement import move_active_units
from kessel.games.kharkov43.system.terms.terminology import surrounded_hexes

from .helpers import german, position, soviet, tanks, unit
from .soviet_helpers import (
    active,
    active_tanks,
    arena,
    hexset,
    march,
    orders,
    prefers,
    shown,
    southwest,
    told_to_stay,
    traced,
    voronezh,
    wanted,
)

rule = pytest.mark.rule
OPEN = {"roads_on": ()}
"""No roads: every hex costs one movement point."""


def towns(*names: str, targets: str = "target_southwest", vp: int = 1):
    return {
        "terrain": dict.fromkeys(names, "town"),
        "features": dict.fromkeys(names, targets),
        "vp": dict.fromkeys(names, vp),
    }


def arrows(*paths: str, kind: str = "primary", only: str = ""):
    """Arrows along chains of hexes."""
    return [
        {"from": x, "to": y, "kind": kind, "only": only} for path in paths for x, y in itertools.pairwise(path.split())
    ]


# --- 1 take VP hex ---------------------------------------------------------------------------------------------------


@rule("kharkov43", "9.21.1a")
def test_the_highest_selector_takes_an_empty_german_town_and_it_is_soviet_at_once():
    g = position(
        board=arena(**towns("1910")),
        objectives=southwest("1917"),
        units=[active("A", "1907", "3-4-02"), active("B", "1907", "3-4-09")],
    )
    found = march(g)
    assert found["B"] == ("1910", "9.21.1")
    assert found["A"][1] == "9.21.11", "there is nothing left to take"
    assert g.towns_of(SOVIET) == hexset(g, "1910")


@rule("kharkov43", "9.21.1a-x")
@pytest.mark.parametrize(
    ("targets", "taken"),
    [
        ("target_voronezh", ""),
        ("target_voronezh target_southwest", "1910"),
        ("target_southwest", "1910"),
        ("", "1910"),
    ],
)
def test_a_town_targeted_only_for_the_other_front_is_left_alone(targets, taken):
    g = position(
        board=arena(**towns("1910", targets=targets)), objectives=southwest("1917"), units=[active("A", "1907")]
    )
    assert wanted(g, "A", a.take_vp_hex) == taken


@rule("kharkov43", "9.21.1a-u")
def test_urban_infiltration_ignores_zones_only_from_an_adjacent_hex():
    doc = {"board": arena(**towns("1910")), "objectives": southwest("1917")}
    g = position(**doc, units=[german("G", "1810"), active("A", "1911")])
    assert march(g)["A"] == ("1910", "9.21.1"), "from one hex in G's zone to another"
    g = position(**doc, units=[german("G", "1809"), active("A", "1908", "3-9")])
    assert wanted(g, "A", a.take_vp_hex) == "1910", "round about, outside the zone until the last step"
    ring = [german(f"G{n}", n) for n in ("1808", "2008", "1811", "2011")]
    g = position(**doc, units=[*ring, active("A", "1908", "3-9")])
    assert wanted(g, "A", a.take_vp_hex) == "", "A is not adjacent, and every way leads from zone to zone"
    g = position(**doc, units=[*ring, active("A", "1909", "3-9")])
    assert wanted(g, "A", a.take_vp_hex) == "1910"
    g = position(**doc, units=[german("G", "1910"), active("A", "1909")])
    assert wanted(g, "A", a.take_vp_hex) == "", "not an empty town"


@rule("kharkov43", "9.21.1a")
def test_the_first_hex_of_a_board_is_as_good_as_any():
    ground = arena((15, 16), range(6, 9), **OPEN, terrain={"1506": "town"}, soviet_edge="1608", german_edge="1508")
    g = position(board=ground, turn=2, objectives=southwest("1508"), units=[active("A", "1606")])
    assert unit(g, "A") == 0
    assert g.map.grid.hex("1506") == 0
    assert march(g) == {"A": ("1506", "9.21.1")}


@rule("kharkov43", "9.21.1b")
def test_else_an_empty_map_edge_vp_hex_in_soviet_supply_and_without_infiltration():
    edge = {"features": {"2210": "map_edge_vp"}, "vp": {"2210": 2}}
    both = {"features": {"2210": "map_edge_vp", "1910": ""}, "vp": {"2210": 2, "1910": 1}, "terrain": {"1910": "town"}}
    doc = {"turn": 3, "objectives": southwest("1917")}
    g = position(board=arena(**both), units=[active("A", "2109")], **doc)
    assert [shown(g, o.hexes) for o in orders(g, "A", a.take_vp_hex)] == ["1910", "2210"], "a town first"
    g = position(board=arena(**edge), units=[active("A", "2109")], **doc)
    assert march(g)["A"] == ("2210", "9.21.1")
    g = position(board=arena(**edge), units=[active("A", "2109"), soviet("B", "2210")], **doc)
    assert wanted(g, "A", a.take_vp_hex) == "", "not empty"
    g = position(board=arena(**edge), units=[active("A", "2209"), german("G", "2109"), german("H", "2111")], **doc)
    assert wanted(g, "A", a.take_vp_hex) == "", "adjacent, but no infiltration into a map-edge hex"
    cut = arena(**edge, soviet_edge="", roads=[], exits="")
    g = position(board=cut, units=[active("A", "2109")], **doc)
    assert wanted(g, "A", a.take_vp_hex) == "", "no Soviet supply"


@rule("kharkov43", "9.21.1b")
def test_a_map_edge_vp_hex_must_be_in_supply_once_the_unit_stands_there():
    """2209 and 2208 are in G's zone: supply reaches 2210 only as long as a unit is in each of them."""
    ground = arena((21, 22), features={"2210": "map_edge_vp"}, vp={"2210": 2}, roads_on=())
    for n in list(ground["hexes"]):
        if n.startswith("21") and n != "2109":
            del ground["hexes"][n]
    ground["areas"] = {"soviet_edge": "2206", "german_edge": "2217"}
    units = [active("A", "2209"), soviet("B", "2208"), german("G", "2109")]
    doc = {"board": ground, "turn": 3, "objectives": southwest("2217")}
    assert wanted(position(units=units, **doc), "A", a.take_vp_hex) == "", "A itself opened the way it leaves"
    assert wanted(position(units=[*units, soviet("C", "2209")], **doc), "A", a.take_vp_hex) == "2210"


# --- 2 adjacent to German VP hex and near objective ------------------------------------------------------------------


@rule("kharkov43", "9.21.2a")
def test_closer_to_the_objective_or_within_four_hexes_and_beside_a_german_vp_hex():
    def run(marker, start, town):
        g = position(
            board=arena(**towns(town), **OPEN),
            objectives=southwest(marker),
            units=[active_tanks("A", start), german("G", town)],
        )
        return wanted(g, "A", a.near_objective)

    assert run("1917", "1909", "1914") == "1813 1913 2013", "closer, and beside 1914"
    assert run("1917", "1907", "1911") == "1810 1811 1910 2010 2011", "closer, though six or seven hexes away"
    assert run("1917", "1912", "1908") == "", "farther away and more than four hexes from the marker"
    assert run("1914", "1916", "1912") == "1811 1812 1913 2011 2012", "within four hexes of the marker"
    assert run("1916", "1916", "1912") == "1812 1913 2012", "1812 and 2012 are four away, 1911 is five"


@rule("kharkov43", "9.21.2a")
def test_method_2_is_for_both_fronts():
    g = position(
        board=arena(**towns("1914"), **OPEN),
        objectives=voronezh("1917"),
        units=[active("A", "1910", army="69"), german("G", "1914")],
    )
    assert wanted(g, "A", a.near_objective, "Voronezh") == "1813 1913 2013"


@rule("kharkov43", "9.21.2a")
def test_a_unit_moves_by_method_2():
    g = position(
        board=arena(**towns("1914"), **OPEN),
        objectives=southwest("1917"),
        units=[active_tanks("A", "1909"), german("G", "1914")],
    )
    assert march(g)["A"] == ("2013", "9.21.2"), "of 1813, 1913 and 2013, all four hexes away: furthest west, highest"


@rule("kharkov43", "9.21.2b")
def test_preferences_exclusive_target_least_strength_not_over_the_dniepr_highest_value():
    """1711 and 1711's neighbours: 1711 touches the town 1712, 2011 touches the town 2012."""
    doc = {"terrain": {"1712": "town", "2012": "town"}}

    def keep(letter, features=None, strengths=(3, 3), vp=None, rivers=None):
        g = position(
            board=arena(**doc, features=features or {}, vp=vp or {}, rivers=rivers or {}, **OPEN),
            objectives=southwest("1912"),
            units=[
                active("A", "1909"),
                german("G", "1712", f"{strengths[0]}-4"),
                german("H", "2012", f"{strengths[1]}-4"),
            ],
        )
        return prefers(g, "A", a.near_objective, letter, "1711 2011")

    both = {"1712": "target_southwest", "2012": "target_southwest"}
    assert keep("2a", both | {"1712": "target_southwest target_voronezh"}) == "2011"
    assert keep("2a", {"1712": "target_southwest"}) == "1711"
    assert keep("2a", both) == "1711 2011"
    assert keep("2b", both, (1, 2)) == "1711"
    assert keep("2b", both, (4, 2)) == "2011"
    assert keep("2c", both, rivers={"1711|1712": "dniepr"}) == "2011"
    assert keep("2c", both, rivers={"1711|1712": "blocked_dniepr"}) == "2011", "a blocked hexside is a Dniepr hexside"
    assert keep("2c", both, rivers={"1711|1712": "donets"}) == "1711 2011"
    assert keep("2d", both, vp={"1712": 3, "2012": 1}) == "1711"
    assert keep("2d", both, vp={"1712": 1, "2012": 2}) == "2011"


@rule("kharkov43", "9.21.2c")
def test_a_unit_beside_a_german_vp_hex_near_the_objective_stays_unless_a_better_one_is_in_reach():
    ground = arena(**towns("1912", "2111"), **OPEN)

    def run(second):
        return position(
            board=ground,
            objectives=southwest("1914"),
            units=[active_tanks("A", "1911", "5-8-01"), german("G", "1912", "3-4"), german("H", "2111", f"{second}-4")],
        )

    assert told_to_stay(run(3)) == {"A": "9.21.2"}, "2111 is no better"
    assert march(run(1))["A"] == ("2010", "9.21.2"), "2111 is held by less strength"


@rule("kharkov43", "9.21.2c")
@pytest.mark.parametrize(("option", "stays"), [("vp_hex", False), ("unit", True)])
def test_what_must_be_within_four_hexes_is_a_switch(option, stays):
    """O2: the unit in 1911 is four hexes from the marker, the VP hex beside it five."""
    g = position(
        board=arena(**towns("1910"), **OPEN),
        objectives=southwest("1915"),
        units=[active_tanks("A", "1911"), german("G", "1910", "3-4")],
        options={"stay_near_objective": option},
    )
    assert ("A" in told_to_stay(g)) is stays


@rule("kharkov43", "9.21.2c")
@pytest.mark.parametrize(("marker", "stays"), [("1914", True), ("1915", False)])
def test_a_vp_hex_four_hexes_from_the_marker_holds_a_unit_beside_it(marker, stays):
    ground = arena(**OPEN, terrain={"1910": "town"})
    units = [active("A", "1909"), german("G", "1910", "9-4")]
    g = position(board=ground, turn=2, objectives=southwest(marker), units=units)
    assert isinstance(orders(g, "A", a.near_objective)[-1], Stay) is stays


@rule("kharkov43", "9.21.2d")
@rule("kharkov43", "9.21.11d")
def test_methods_2_and_11_are_skipped_once_the_marker_is_removed():
    def run(objectives):
        g = position(board=arena(**OPEN), turn=4, objectives=objectives, units=[active("A", "1907")])
        return {c.rule for c in traced(g) if c.skipped is not None}

    assert run({}) == {"9.21.2", "9.21.11"}
    assert run(southwest("1907")) == set()


# --- 3 open supply line ----------------------------------------------------------------------------------------------


@rule("kharkov43", "9.21.3a")
def test_from_turn_3_a_unit_goes_where_it_opens_supply_for_a_unit_of_the_front():
    ground = arena((17, 18), range(6, 16), roads_on=(), german_edge="1715 1815")
    units = [soviet("S", "1711", army="1G"), german("G", "1810", "1-4"), active_tanks("A", "1706", "3-6-01", army="6")]
    doc = {"board": ground, "objectives": southwest("1715")}
    g = position(**doc, turn=3, units=units)
    assert wanted(g, "A", a.open_supply_line) == "1710", "standing in the zone negates it"
    assert march(g)["A"][1] == "9.21.3"
    g = position(**doc, turn=2, units=units)
    assert "9.21.3" in {c.rule for c in traced(g) if c.skipped is not None}
    g = position(**doc, turn=3, units=[soviet("S", "1711", army="3T"), *units[1:]])
    assert wanted(g, "A", a.open_supply_line) == "", "S is not of the active front"
    g = position(**doc, turn=3, units=[soviet("S", "1711", army="1G"), units[2]])
    assert wanted(g, "A", a.open_supply_line) == "", "nobody is cut off"


@rule("kharkov43", "9.21.3a")
def test_a_unit_that_is_cut_off_itself_goes_where_supply_is():
    g = position(
        board=arena((17, 18), range(6, 16), roads_on=(), german_edge="1715 1815", soviet_edge="1706"),
        turn=3,
        objectives=southwest("1715"),
        units=[active("A", "1714", "3-2-01")],
    )
    assert wanted(g, "A", a.open_supply_line) == "1712 1713 1812", "within seven hexes of the edge, 1714 is eight away"


@rule("kharkov43", "9.21.3b")
def test_it_prefers_the_hex_that_supplies_most_units():
    """G blocks the upper row, H the lower one; behind G stands one unit, behind H stand two."""
    ground = arena((15, 19), range(6, 15), roads_on=(), german_edge="1514", rivers=wall())
    units = [
        soviet("S", "1511", army="1G"),
        soviet("T", "1911", army="1G"),
        soviet("U", "1911", army="1G"),
        german("G", "1610", "1-4"),
        german("H", "1810", "1-4"),
        active_tanks("A", "1708", "5-6-01", army="6"),
    ]
    g = position(board=ground, turn=3, objectives=southwest("1514"), units=units)
    found = wanted(g, "A", a.open_supply_line).split()
    up, down = "1510", "1910"
    assert up in found
    assert down in found
    assert prefers(g, "A", a.open_supply_line, "9.21.3", f"{up} {down}") == down


def wall():
    """Rows 16 to 18 are closed west of column 10."""
    closed = {}
    for r in (16, 17, 18):
        closed[f"{r}10|{r}11"] = "blocked_dniepr"
    for pair in (
        "1511|1611",
        "1511|1610",
        "1512|1611",
        "1512|1612",
        "1513|1612",
        "1513|1613",
        "1514|1613",
        "1514|1614",
    ):
        closed[pair] = "blocked_dniepr"
    for pair in (
        "1811|1911",
        "1810|1911",
        "1811|1912",
        "1812|1912",
        "1812|1913",
        "1813|1913",
        "1813|1914",
        "1814|1914",
    ):
        closed[pair] = "blocked_dniepr"
    return closed


# --- spearheads ------------------------------------------------------------------------------------------------------


def spearhead_skips(turn, unit_, *, town=False, status=(), marker=True):
    g = position(
        board=arena(terrain={"1908": "town"} if town else {}),
        turn=turn,
        objectives=southwest("1908") if marker else {},
        units=[{**unit_, "status": ["active", *status]}],
    )
    return {c.rule for c in traced(g) if c.skipped is not None and c.skipped.rule.startswith("9.21.S")}


FOUR_TO_NINE = {f"9.21.{n}" for n in range(4, 10)}
INFANTRY = soviet("I", "1908", "3-4-05", army="Popov")
MECHANIZED = soviet("M", "1908", "4-6-05", "mechanized", army="3T")
ARMOR = tanks("T", "1908", "5-6-05")
SIXTH = tanks("T", "1908", "5-6-05", army="6")


@rule("kharkov43", "9.21.Sa")
@pytest.mark.parametrize("turn", [1, 2])
def test_on_turns_1_and_2_all_supplied_spearheads_outside_towns_skip_methods_4_to_9(turn):
    for u in (INFANTRY, ARMOR):
        assert spearhead_skips(turn, u) == FOUR_TO_NINE - {"9.21.9"}, "9 has not begun at all"
        assert not spearhead_skips(turn, u, town=True)
        assert not spearhead_skips(turn, u, status=("out_of_supply",))
    assert not spearhead_skips(turn, SIXTH), "6th Army is no spearhead"


@rule("kharkov43", "9.21.Sb")
@pytest.mark.parametrize("turn", [3, 4, 5])
def test_on_turns_3_to_5_only_armored_spearheads_skip_them(turn):
    begun = FOUR_TO_NINE if turn > 3 else FOUR_TO_NINE - {"9.21.9"}
    assert spearhead_skips(turn, ARMOR) == begun
    assert not spearhead_skips(turn, ARMOR, town=True)
    assert not spearhead_skips(turn, ARMOR, status=("out_of_supply",))
    assert not spearhead_skips(turn, INFANTRY)
    assert not spearhead_skips(turn, MECHANIZED), "mechanized infantry is no armor"


@rule("kharkov43", "9.21.Sc")
@pytest.mark.parametrize("turn", [6, 7])
def test_on_turns_6_and_7_methods_4_to_9_apply_to_all(turn):
    assert not spearhead_skips(turn, INFANTRY)
    assert not spearhead_skips(turn, ARMOR)


@rule("kharkov43", "9.21.Sd")
@rule("kharkov43", "9.3s")
def test_without_the_marker_of_their_front_there_are_no_spearheads():
    assert not spearhead_skips(2, ARMOR, marker=False)
    assert not spearhead_skips(2, MECHANIZED), "3rd Tank Army belongs to the other front, whose marker is not in play"
    assert spearhead_skips(2, ARMOR)


# --- 4 cause surround ------------------------------------------------------------------------------------------------


@rule("kharkov43", "9.21.4a")
def test_a_unit_goes_where_it_newly_surrounds_a_german_unit():
    """S in 1911 covers the western half of the ring round 1910; 1909, 1809 and 2009 are open."""
    units = [german("G", "1910"), soviet("S", "1911"), active("A", "1906", "3-4-05")]
    doc = {"board": arena(**OPEN), "turn": 6, "objectives": southwest("1917")}
    g = position(**doc, units=units)
    assert wanted(g, "A", a.cause_surround) == "1909", "the only hex from which all three are covered"
    assert march(g)["A"] == ("1909", "9.21.4")
    assert surrounded_hexes(g, GERMAN) == hexset(g, "1910")
    g = position(**doc, units=[*units[:2], soviet("T", "1909"), units[2]])
    assert wanted(g, "A", a.cause_surround) == "", "it is surrounded already"
    isolated = {**units[2], "status": ["active", "isolated"]}
    g = position(**doc, units=[*units[:2], isolated])
    assert wanted(g, "A", a.cause_surround) == "", "an isolated unit controls nothing"


@rule("kharkov43", "9.21.4b")
def test_preferences_of_cause_surround():
    """G and H are open on their eastern sides, I stands with H. 1810 would be beside S and T."""
    units = [
        german("G", "1910"),
        soviet("S", "1911"),
        german("H", "1710"),
        german("I", "1710"),
        soviet("T", "1711"),
        active_tanks("A", "1807", "5-6-05", "6"),
    ]
    g = position(board=arena(**OPEN), turn=6, objectives=southwest("1917"), units=units)
    assert wanted(g, "A", a.cause_surround) == "1709 1909"
    assert prefers(g, "A", a.cause_surround, "4a", "1709 1909") == "1709", "two units against one"
    assert march(g)["A"] == ("1709", "9.21.4")
    near = [german("G", "1910"), soviet("S", "1911"), soviet("T", "1809"), soviet("U", "2109"), active("A", "1906")]
    g = position(board=arena(**OPEN), turn=6, objectives=southwest("1917"), units=near)
    assert wanted(g, "A", a.cause_surround) == "", "T covers 1909 already"
    near[2] = soviet("T", "1810")
    g = position(board=arena(**OPEN), turn=6, objectives=southwest("1917"), units=near)
    assert wanted(g, "A", a.cause_surround) == "1808 1809 1908 1909 2008 2009", "only 1909 is open"
    assert prefers(g, "A", a.cause_surround, "4b", "1808 1809 1908 1909") == "1809 1909", "beside G"
    assert prefers(g, "A", a.cause_surround, "4d", "1809 1909 2009") == "1909", "1809 is beside T, 2009 beside U"


@rule("kharkov43", "9.21.4b")
def test_cause_surround_prefers_to_cut_german_supply():
    ground = arena((16, 21), range(8, 13), roads_on=(), german_edge="1908", soviet_edge="1812")
    units = [german("G", "1910"), soviet("S", "1911"), active_tanks("A", "1812", "5-9-05", "6")]
    g = position(board=ground, turn=6, objectives=southwest("1912"), units=units)
    assert prefers(g, "A", a.cause_surround, "4c", "1809 1909 2009") == "1909", "the way by 1809 or 2009 stays open"


@rule("kharkov43", "9.21.4c")
def test_a_unit_that_surrounds_from_afar_moves_adjacent_and_keeps_the_surround():
    """Only A, in 1908, covers 1909."""
    units = [german("G", "1910"), soviet("S", "1911"), soviet("T", "1810"), soviet("U", "2109"), active("A", "1908")]
    g = position(board=arena(**OPEN), turn=6, objectives=southwest("1917"), units=units)
    assert surrounded_hexes(g, GERMAN) == hexset(g, "1910")
    assert wanted(g, "A", a.cause_surround) == "1809 1909 2009"
    assert march(g)["A"] == ("1909", "9.21.4")
    assert surrounded_hexes(g, GERMAN) == hexset(g, "1910")
    g = position(board=arena(**OPEN), turn=6, objectives=southwest("1917"), units=[*units[:4], active("A", "1909")])
    assert wanted(g, "A", a.cause_surround) == "", "adjacent already"


# --- order and status ------------------------------------------------------------------------------------------------


@rule("kharkov43", "9.2f")
@rule("kharkov43", "9.2g")
def test_a_unit_that_moved_or_was_told_to_stay_is_not_checked_again():
    g = position(
        board=arena(**towns("1910"), **OPEN),
        turn=3,
        objectives=southwest("1917"),
        units=[active("A", "1907", "3-4-05"), active("B", "2109", "3-4-04"), german("G", "2110")],
    )
    checks = [(g.id(c.unit), c.rule) for c in traced(g)]
    assert [r for n, r in checks if n == "A"] == ["9.21.1"], "moved by method 1"
    assert [r for n, r in checks if n == "B"][-1] == "9.21.8", "told to stay by method 8"
    assert g.status[unit(g, "A")] & (MOVED | STAYED) == MOVED
    assert g.status[unit(g, "B")] & (MOVED | STAYED) == STAYED


@rule("kharkov43", "9.2g")
def test_the_log_tells_who_stays_and_who_does_not_move_but_says_nothing_of_reserves():
    g = position(
        board=arena(**OPEN),
        turn=2,
        objectives=southwest("1506"),
        units=[
            active("A", "1909", "3-4-05"),
            german("G", "1910", "9-4"),
            active("B", "1506", "3-4-06"),
            active("R", "reserve", "3-4-07"),
        ],
    )
    g.events = []
    move_active_units(g, "Southwest")
    assert g.status[unit(g, "A")] & STAYED
    assert log(g) == [
        "6 unit 05 (A) stays in 1909: 9.21 method 8, adjacent to German unit, it is beside a German unit by itself",
        "6 unit 06 (B) does not move: no method applies",
    ]


def log(g):
    return [e["what"] for e in g.events]
