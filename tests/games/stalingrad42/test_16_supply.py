"""16.0 Supply and Isolation."""

from __future__ import annotations

import pytest

from kessel.core.dice import Scripted
from kessel.games.stalingrad42.columns import ISOLATED, OOS
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET
from kessel.games.stalingrad42.movement.ways.zones import bonds, zoc
from kessel.games.stalingrad42.supply.isolation import (
    attrition_modifiers,
    attrition_units,
    check_supply,
    roll_attrition,
)
from kessel.games.stalingrad42.supply.supply import (
    AZOV,
    BLACK_SEA,
    has_control_of_sea,
    has_los,
    in_supply_hexes,
    is_isolated,
    line_of_supply,
    los,
    source_ports,
)

from .helpers import area, ask, at, board, disc, do, example, h, has, names, rule, start, u

LINE = [f"{i},0" for i in range(14)]
WEST = area("Z", "axis", "0,0")


def row(units, road: str = "0,0 1,0 2,0", **more):
    """A single row of hexes; the Axis Entry Area lies west of 0,0, where a road begins."""
    links = [("primary", road)] if road else []
    links += more.pop("links", [])
    return board(units, hexes=" ".join(LINE), boxes=more.pop("boxes", [WEST]), links=links, **more)


def supplied(g, place: str, side: int = AXIS) -> bool:
    return has_los(g, h(g, place), side)


# --- 16.1 ----------------------------------------------------------------------------------------------------------


@rule("16.1a")
@rule("16.1b")
@rule("3.B5b")
def test_units_without_a_line_are_marked_and_others_lose_the_marker():
    g = row({"A": "axis 3-5-3 12,0", "B": "axis 3-5-3 3,0 oos", "X": "soviet 3-5-3 13,0"})
    check_supply(g, AXIS)
    assert has(g, "A", OOS)
    assert not has(g, "B", OOS)
    assert not has(g, "X", OOS), "tested in the owner's Supply Phase only"
    check_supply(g, SOVIET)
    assert has(g, "X", OOS)


@rule("16.1a")
@rule("3.B5b")
def test_supply_is_checked_in_the_supply_phase():
    g = start(
        {"A": "axis 3-5-3 12,0"}, hexes=" ".join(LINE), boxes=[WEST], links=[("primary", "0,0 1,0")], phase="supply"
    )
    assert has(g, "A", OOS)


@rule("16.1c")
@rule("16.4e")
def test_being_out_of_supply_again_adds_nothing():
    g = row({"A": "axis 3-5-3 12,0"})
    check_supply(g, AXIS)
    first = g.status[u(g, "A")]
    check_supply(g, AXIS)
    assert g.status[u(g, "A")] == first
    assert g.defense(u(g, "A")) == 5


# --- 16.2 sources --------------------------------------------------------------------------------------------------


@rule("16.2.1")
@rule("16.2.2")
@rule("22.2")
def test_supply_originates_at_friendly_entry_areas():
    g = row({}, boxes=[WEST, area("A", "soviet", "13,0")])
    assert supplied(g, "3,0", AXIS)
    assert not supplied(g, "3,0", SOVIET)
    assert supplied(g, "9,0", SOVIET)


@rule("22.2")
def test_a_scenario_may_give_an_entry_area_to_the_other_side():
    doc_boxes = [WEST]
    from .helpers import position, read

    doc = position({}, hexes=" ".join(LINE), boxes=doc_boxes, links=[("primary", "0,0 1,0")])
    doc["areas"] = {"Z": "soviet"}
    g = read(doc)
    assert supplied(g, "1,0", SOVIET)
    assert not supplied(g, "1,0", AXIS)


def coast(units=None, **more):
    """A coast road with two Azov ports (Temryuk is 1949), a Black Sea port and Taman (1549)."""
    hexes = {f"{c:02d}{r}": {} for c in range(15, 26) for r in range(47, 54)}
    hexes["1949"] = {"features": ["port"], "sea": "azov"}
    hexes["2349"] = {"features": ["port"], "sea": "azov"}
    hexes["2152"] = {"features": ["port"], "sea": "black"}
    hexes["1549"] = {"features": ["port"], "sea": "azov"}
    links = [("primary", "2349 2350"), ("primary", "2152 2151"), ("primary", "1549 1550"), ("primary", "1949 1950")]
    links += more.pop("links", [])
    return board(units or {}, hexes=hexes, links=links, **more)


@rule("16.2.3")
def test_ports_need_control_of_their_sea_and_the_black_sea_is_soviet():
    g = coast(control={"2152": "soviet"})
    assert has_control_of_sea(g, SOVIET, BLACK_SEA)
    assert not has_control_of_sea(g, AXIS, BLACK_SEA)
    assert names(g, source_ports(g, SOVIET)) == {"2152"}
    g = coast(control={"2152": "axis"})
    assert source_ports(g, AXIS) == source_ports(g, SOVIET) == 0


@rule("16.2.3")
def test_a_port_supplies_only_along_a_road():
    g = coast(control={"2152": "soviet"})
    assert supplied(g, "2151", SOVIET)
    hexes = {f"{c:02d}{r}": {} for c in range(15, 26) for r in range(47, 54)}
    hexes["2152"] = {"features": ["port"], "sea": "black"}
    g = board({}, hexes=hexes, control={"2152": "soviet"})
    assert not supplied(g, "2151", SOVIET)


@rule("16.3.1")
@rule("16.3.2f")
@rule("16.3.3c")
def test_a_port_in_an_ezoc_supplies_who_reaches_it_overland():
    hexes = {f"{c:02d}{r}": {} for c in range(15, 26) for r in range(47, 54)}
    hexes["2152"] = {"features": ["port"], "sea": "black"}
    road = [("primary", "2152 2251 2250 2249")]
    g = board({"X": "axis 3-5-3 1953"}, hexes=hexes, control={"2152": "soviet"}, links=road)
    assert not zoc(g, AXIS) >> h(g, "2152") & 1
    assert supplied(g, "2247", SOVIET)
    assert supplied(g, "2350", SOVIET)
    g.move(u(g, "X"), h(g, "2052"))
    assert zoc(g, AXIS) >> h(g, "2152") & 1
    assert line_of_supply(g, h(g, "2351"), SOVIET) == ([h(g, "2251"), h(g, "2152")], [])
    assert supplied(g, "2350", SOVIET), "overland, with the one hex in an EZOC"
    assert supplied(g, "2147", SOVIET), "five hexes overland"
    assert not supplied(g, "2447", SOVIET), "no road helps"
    assert supplied(g, "2151", SOVIET), "the first hex may be in an EZOC too"
    g = board({"X": "axis 3-5-3 2052"}, hexes=hexes, control={"2152": "soviet"})
    assert not supplied(g, "2350", SOVIET), "without a road it supplies nobody"


@rule("16.2.4")
def test_temryuk_with_a_line_of_supply_controls_the_sea_of_azov():
    home = {"boxes": [area("A", "soviet", "1953")], "links": [("primary", "1953 1952 1951 1950")]}
    g = coast(control={"1949": "soviet"}, **home)
    assert has_control_of_sea(g, SOVIET, AZOV)
    assert "2349" in names(g, source_ports(g, SOVIET))
    g = coast(control={"1949": "soviet", "2152": "axis"})
    assert not has_control_of_sea(g, SOVIET, AZOV), "no line of supply that does not end in an Azov port itself"
    g = coast(control={"1949": "axis"}, **home)
    assert not has_control_of_sea(g, SOVIET, AZOV)
    assert not has_control_of_sea(g, AXIS, AZOV)
    g = coast(control={"1949": "soviet"}, options={"azov_ports": "any"})
    assert has_control_of_sea(g, SOVIET, AZOV)


@rule("16.2.5")
def test_taman_is_a_source_for_the_axis_alone():
    g = coast(control={"1549": "axis"})
    assert names(g, source_ports(g, AXIS)) == {"1549"}
    g = coast(
        control={"1549": "soviet"}, boxes=[area("A", "soviet", "1953")], links=[("primary", "1953 1952 1951 1950")]
    )
    assert "1549" not in names(g, source_ports(g, SOVIET))
    assert source_ports(g, AXIS) == 0


# --- 16.3 lines ----------------------------------------------------------------------------------------------------


@rule("16.3.1")
@rule("16.3.2a")
def test_the_overland_portion_is_at_most_five_hexes_and_comes_first():
    g = row({})
    assert supplied(g, "7,0")
    assert not supplied(g, "8,0")
    overland, road = line_of_supply(g, h(g, "7,0"), AXIS)
    assert g.map.grid.names(overland) == ["6,0", "5,0", "4,0", "3,0", "2,0"]
    assert g.map.grid.names(road) == ["1,0", "0,0"]
    g = row({}, road="0,0 1,0 2,0 3,0 4,0")
    assert supplied(g, "9,0")
    g = row({}, road="5,0 6,0 7,0 8,0", boxes=[area("Z", "axis", "0,0")])
    assert supplied(g, "5,0")
    assert not supplied(g, "6,0"), "no overland stretch after the road"


@rule("16.3.2a")
@rule("23.2.3f")
@rule("23.3.3")
@pytest.mark.parametrize(("weather", "far"), [("clear", 7), ("snow", 7), ("rain", 5), ("mud", 5)])
def test_rain_and_mud_shorten_it_to_three(weather, far):
    g = row({}, weather=weather)
    assert supplied(g, f"{far},0")
    assert not supplied(g, f"{far + 1},0")


@rule("16.3.2b")
@pytest.mark.parametrize("terrain", ["mountain", "marsh"])
def test_mountain_and_marsh_count_two_off_road_and_one_along_it(terrain):
    g = row({}, terrain={"4,0": terrain})
    assert supplied(g, "6,0")
    assert not supplied(g, "7,0")
    g = row({}, terrain={"4,0": terrain}, links=[("secondary", "4,0 5,0")])
    assert supplied(g, "7,0"), "entered along a road"
    g = row({}, terrain={"7,0": terrain})
    assert supplied(g, "7,0"), "the unit's own hex does not count"


@rule("16.3.2b")
@rule("23.2.3b")
def test_seasonal_marsh_counts_two_once_it_has_rained():
    assert supplied(row({}, terrain={"4,0": "seasonal_marsh"}), "7,0")
    assert not supplied(row({}, terrain={"4,0": "seasonal_marsh"}, seasonal_marsh="marsh"), "7,0")


@rule("16.3.2c")
def test_overland_may_follow_a_road_or_go_straight_to_an_entry_area():
    g = row({}, road="")
    assert supplied(g, "5,0")
    assert not supplied(g, "6,0")
    g = row({}, road="", options={"entry_counts": "yes"})
    assert supplied(g, "4,0")
    assert not supplied(g, "5,0")
    lines = {h: ask(g, "supply", hex=h, side="axis")["line"] for h in ("0,0", "2,0")}
    assert lines == {"0,0": {"overland": [], "road": []}, "2,0": {"overland": ["1,0", "0,0"], "road": []}}
    g = row({}, road="3,0 4,0 5,0")
    assert supplied(g, "5,0")


@rule("16.3.2d")
def test_overland_crosses_neither_impassable_nor_alpine_hexsides_off_road():
    for feature in ("lake", "sea", "impassable", "alpine"):
        g = row({}, hexsides={"3,0|4,0": feature})
        assert not supplied(g, "5,0"), feature
    g = row({}, hexsides={"3,0|4,0": "alpine"}, links=[("secondary", "3,0 4,0")])
    assert supplied(g, "5,0")
    g = row({}, hexsides={"3,0|4,0": "alpine"}, links=[("secondary", "3,0 4,0")], turn=28)
    assert not supplied(g, "5,0"), "closed in Winter even along a road"
    g = row({}, hexsides={"3,0|4,0": "volga"})
    assert supplied(g, "5,0"), "the Volga is no bar"
    assert not supplied(row({}, hexsides={"3,0|4,0": "volga"}, options={"los_over_volga": "no"}), "5,0")


@rule("16.3.2e")
def test_overland_enters_neither_an_enemy_hex_nor_an_enemy_bond():
    assert not supplied(row({"X": "soviet 3-5-3 4,0"}), "6,0")
    g = board(
        {"X": "soviet 3-5-3 0,-1", "Y": "soviet 3-5-3 0,1"},
        boxes=[area("Z", "axis", "-4,0")],
        links=[("primary", "-4,0 -3,0 -2,0")],
        radius=4,
        hexes={n: {} for n in ("-4,0", "-3,0", "-2,0", "-1,0", "0,0", "1,0", "0,-1", "0,1")},
    )
    assert not supplied(g, "1,0"), "0,0 lies in a Hex Bond"


@rule("16.3.2f")
@example("E46")
def test_overland_does_not_enter_two_ezoc_hexes_running_unless_friends_negate():
    hexes = " ".join([*LINE, "4,-1", "5,-1"])
    more = {"hexes": hexes, "boxes": [WEST], "links": [("primary", "0,0 1,0 2,0")]}
    g = board({"X": "soviet 3-5-3 4,-1"}, **more)
    assert names(g, zoc(g, SOVIET)) >= {"3,0", "4,0"}
    assert not supplied(g, "5,0"), "4,0 and 3,0 are two EZOC hexes running"
    assert supplied(g, "4,0"), "the unit's own hex is not entered"
    g = board({"X": "soviet 3-5-3 4,-1", "F": "axis 3-5-3 3,0"}, **more)
    assert supplied(g, "5,0"), "a friendly unit negates the EZOC in its hex"
    g = board({"X": "soviet 3-5-3 4,-1", "F": "axis 3-5-3 3,0 full_retreat"}, **more)
    assert supplied(g, "5,0")
    g = board({"X": "soviet 3-5-3 4,-1", "F": "axis 3-5-3 3,0 full_retreat"}, **more, options={"fr_negates": "no"})
    assert not supplied(g, "5,0")
    g = board({"X": "soviet 3-5-3 4,-1", "S": "axis 0-0-5b 3,0 supply"}, **more)
    assert not supplied(g, "5,0"), "a Supply Point does not"


@rule("16.3.3a")
def test_the_road_portion_may_be_of_any_length_but_not_broken():
    road = " ".join(LINE)
    g = row({}, road=road)
    assert supplied(g, "13,0")
    assert g.map.grid.names(line_of_supply(g, h(g, "13,0"), AXIS)[1]) == LINE[12::-1]
    g = row({}, road="0,0 1,0 2,0 3,0", links=[("primary", "9,0 10,0 11,0 12,0 13,0")])
    assert supplied(g, "8,0")
    assert not supplied(g, "13,0")


@rule("16.3.3b")
def test_roads_meeting_at_a_ferry_are_contiguous():
    links = [("primary", "6,0 7,0 8,0 9,0 10,0 11,0 12,0 13,0")]
    g = row({}, road="0,0 1,0 2,0 3,0 4,0 5,0", links=links)
    assert not supplied(g, "13,0")
    g = row({}, road="0,0 1,0 2,0 3,0 4,0 5,0", links=links, hexsides={"5,0|6,0": ["major_river", "ferry"]})
    assert supplied(g, "13,0")


@rule("16.3.3c")
def test_the_road_portion_avoids_enemies_and_unnegated_ezocs():
    hexes = " ".join([*LINE, "6,-1"])
    more = {"hexes": hexes, "boxes": [WEST], "links": [("primary", " ".join(LINE))]}
    assert supplied(board({}, **more), "13,0")
    g = board({"X": "soviet 3-5-3 6,-1"}, **more)
    assert not supplied(g, "13,0")
    g = board({"X": "soviet 3-5-3 6,-1", "F": "axis 3-5-3 5,0", "E": "axis 3-5-3 6,0"}, **more)
    assert supplied(g, "13,0"), "friendly units negate EZOCs in their hexes"
    g = board({"X": "soviet 3-5-3 6,0"}, **more)
    assert not supplied(g, "13,0")


@rule("16.3.3c")
def test_the_road_portion_may_start_in_an_ezoc_entered_overland():
    hexes = " ".join([*LINE, "4,-1"])
    g = board({"X": "soviet 3-5-3 4,-1"}, hexes=hexes, boxes=[WEST], links=[("primary", "0,0 1,0 2,0 3,0")])
    assert supplied(g, "4,0")


@rule("16.3.3d")
@rule("16.3.4b")
def test_no_line_through_a_vacant_city_or_vp_hex_of_the_enemy():
    road = " ".join(LINE)
    for terrain, vp in (("minor_city", None), ("major_city", None), ("clear", {"6,0": 1})):
        more = {"terrain": {"6,0": terrain}, "vp": vp, "road": road}
        assert not supplied(row({}, control={"6,0": "soviet"}, **more), "13,0")
        assert supplied(row({}, control={"6,0": "axis"}, **more), "13,0")
        assert supplied(row({"A": "axis 3-5-3 6,0"}, **more), "13,0")
    g = row({}, control={"4,0": "soviet"}, terrain={"4,0": "minor_city"})
    assert not supplied(g, "6,0"), "nor overland"
    g = row({}, control={"4,0": "soviet"}, terrain={"4,0": "minor_city"}, options={"los_control": "road_leg"})
    assert supplied(g, "6,0")


@rule("16.3.4a")
@pytest.mark.parametrize("words", ["", "free", "disrupted"])
def test_the_last_combat_unit_to_enter_or_pass_a_city_or_vp_hex_controls_it(words):
    g = start(
        {"A": f"axis 3-5-3 -2,0 {words}"},
        terrain={"-1,0": "minor_city"},
        vp={"0,0": 1},
        control={"-1,0": "soviet", "0,0": "soviet"},
    )
    do(g, "move A")
    do(g, "step -1,0 tactical", "step 0,0 tactical", "halt")
    assert g.controller(h(g, "-1,0")) == AXIS
    assert g.controller(h(g, "0,0")) == AXIS


@rule("16.3.4a")
def test_neither_non_combat_nor_full_retreat_units_take_control():
    for text in ("axis 0-0-5b -2,0 supply", "axis 3-5-3 -2,0 full_retreat"):
        g = start({"A": text}, vp={"-1,0": 1}, control={"-1,0": "soviet"})
        do(g, "move A", "step -1,0 normal", "halt")
        assert at(g, "A") == "-1,0"
        assert g.controller(h(g, "-1,0")) == SOVIET


@rule("16.3.4c")
def test_other_vacant_hexes_free_of_zocs_serve_both_sides():
    boxes = [WEST, area("A", "soviet", "13,0")]
    g = row({}, road=" ".join(LINE), boxes=boxes)
    for place in LINE:
        assert supplied(g, place, AXIS)
        assert supplied(g, place, SOVIET)


@rule("16.3.1")
@pytest.mark.parametrize("seed", range(25))
def test_the_path_found_obeys_the_rules_and_exists_exactly_where_supply_is(seed):
    """The layers and the walked path agree with a plain search over states."""
    import random
    from heapq import heappop, heappush

    from kessel.games.stalingrad42.supply.supply import supply

    r = random.Random(seed)
    hexes = disc(4)
    terrain = {x: r.choice(["clear", "clear", "clear", "marsh", "mountain", "woods"]) for x in hexes}
    roads = []
    for _ in range(3):
        path = [r.choice(hexes)]
        for _ in range(5):
            q, s = (int(x) for x in path[-1].split(","))
            near = [f"{q + a},{s + b}" for a, b in ((1, 0), (0, 1), (1, -1), (-1, 0), (0, -1), (-1, 1))]
            path.append(r.choice([n for n in near if n in hexes]))
        roads.append(("secondary", " ".join(path)))
    places = r.sample(hexes, 9)
    units = {f"A{i}": f"axis 3-5-3 {p}" for i, p in enumerate(places[:3])}
    units |= {f"X{i}": f"soviet 3-5-3 {p}" for i, p in enumerate(places[3:])}
    sides = {}
    for _ in range(20):
        q, s = (int(x) for x in r.choice(hexes).split(","))
        if f"{q + 1},{s}" in hexes:
            sides[f"{q},{s}|{q + 1},{s}"] = r.choice(["lake", "alpine", "major_river"])
    g = board(
        units, terrain=terrain, links=roads, hexsides=sides, boxes=[area("Z", "axis", "-4,0 -4,1 -4,2 -4,3 -4,4")]
    )
    s = supply(g, AXIS)
    t, grid = s.trace, g.map.grid
    goal = s.layers[0]
    for start_ in grid.hexes:
        best: dict[tuple[int, bool], int] = {}
        queue = [(0, start_, False)]
        found = bool(goal >> start_ & 1)
        while queue and not found:
            cost, x, was = heappop(queue)
            for d, n in enumerate(grid.neighbours[x]):
                if n < 0 or t.walls[d] >> x & 1 or not t.enter >> n & 1 or (was and t.zone >> n & 1):
                    continue
                c = cost + (2 if t.heavy >> n & 1 and not t.roads[d] >> x & 1 else 1)
                key = (n, bool(t.zone >> n & 1))
                if c <= 5 and c < best.get(key, 99):
                    best[key] = c
                    heappush(queue, (c, *key))
                    found = found or bool(goal >> n & 1)
        assert found == bool(s.starts >> start_ & 1), grid.name(start_)
        line = line_of_supply(g, start_, AXIS)
        assert (line is not None) == found
        if line:
            total, x, was = 0, start_, False
            for n in line[0]:
                d = grid.direction(x, n)
                total += 2 if t.heavy >> n & 1 and not t.roads[d] >> x & 1 else 1
                assert not t.walls[d] >> x & 1
                assert t.enter >> n & 1
                assert not (was and t.zone >> n & 1)
                x, was = n, bool(t.zone >> n & 1)
            assert total <= 5


# --- 16.4 penalties ------------------------------------------------------------------------------------------------


@rule("16.4e")
def test_out_of_supply_units_keep_defense_zoc_and_quality():
    g = board({"A": "axis 3-5-3 0,0 oos elite", "B": "axis 3-5-3 2,0 oos"})
    assert g.defense(u(g, "A")) == 5
    assert zoc(g, AXIS)
    assert bonds(g, AXIS).hexes
    assert g.forces.quality[u(g, "A")] == 1


# --- 16.5 isolation ------------------------------------------------------------------------------------------------


@rule("16.5.1a")
def test_a_unit_is_isolated_without_even_an_unlimited_line():
    g = row({"A": "axis 3-5-3 12,0", "B": "axis 3-5-3 9,0"})
    check_supply(g, AXIS)
    assert has(g, "A", OOS)
    assert not has(g, "A", ISOLATED)
    g = row({"A": "axis 3-5-3 12,0", "X": "soviet 3-5-3 6,0"})
    check_supply(g, AXIS)
    assert has(g, "A", ISOLATED)
    assert is_isolated(g, u(g, "A"))
    g.move(u(g, "X"), -1)
    g.pool[u(g, "X")] = 2
    check_supply(g, AXIS)
    assert not has(g, "A", ISOLATED)


def pocket(units, **more):
    """The Axis units sit east of a Soviet unit in 6,0: Isolated."""
    terrain = dict.fromkeys(LINE, "woods") | more.pop("terrain", {})
    return row({"W": "soviet 3-5-3 6,0"} | units, terrain=terrain, **more)


@rule("16.5.1b")
@rule("16.5.3a")
@rule("3.B5c")
def test_each_isolated_combat_unit_beside_an_enemy_rolls():
    units = {"A": "axis 3-5-3 12,0", "B": "axis 3-5-3 12,0", "C": "axis 3-5-3 9,0", "X": "soviet 3-5-3 13,0"}
    g = pocket(units)
    check_supply(g, AXIS)
    assert [g.id(x) for x in attrition_units(g, AXIS)] == ["A", "B"]
    g = pocket(units | {"X": "soviet 0-0-6 13,0 leader"})
    check_supply(g, AXIS)
    assert attrition_units(g, AXIS) == [], "only Combat Units count"


@rule("16.5.1c")
@rule("19.2b")
@rule("3.B5c")
def test_non_combat_units_and_asus_are_immune():
    g = pocket({"S": "axis 0-0-5b 12,0 supply", "H": "axis S-(1)-5b 12,0 hq", "X": "soviet 3-5-3 13,0"})
    check_supply(g, AXIS)
    assert has(g, "S", ISOLATED)
    assert has(g, "H", ISOLATED)
    assert attrition_units(g, AXIS) == []


@rule("16.5.2")
@pytest.mark.parametrize(("roll", "lost"), [(1, 1), (2, 1), (3, 1), (4, 1), (5, 0), (6, 0)])
def test_one_to_four_loses_a_step(roll, lost):
    g = pocket({"A": "axis 3-5-3;1-3-3 12,0", "X": "soviet 3-5-3 13,0"})
    check_supply(g, AXIS)
    g.dice = Scripted([roll])
    assert attrition_modifiers(g, u(g, "A")).total == 0
    roll_attrition(g, u(g, "A"))
    assert g.steps[u(g, "A")] == 2 - lost


@rule("16.5.3b")
def test_attrition_can_take_the_last_step():
    g = pocket({"A": "axis 3-5-3 12,0", "X": "soviet 3-5-3 13,0"})
    check_supply(g, AXIS)
    g.dice = Scripted([1])
    roll_attrition(g, u(g, "A"))
    assert at(g, "A") == "nowhere"


@rule("16.5.3a")
def test_the_supply_phase_rolls_for_each_unit_of_a_stack():
    g = start(
        {"W": "soviet 3-5-3 6,0", "A": "axis 3-5-3;1-3-3 12,0", "B": "axis 3-5-3;1-3-3 12,0", "X": "soviet 3-5-3 13,0"},
        dice=[1, 6],
        hexes=" ".join(LINE),
        boxes=[WEST],
        terrain=dict.fromkeys(LINE, "woods"),
        phase="supply",
    )
    assert [g.steps[u(g, "A")], g.steps[u(g, "B")]] == [1, 2]


def modifiers(g, name: str = "A") -> dict[str, int]:
    return {i.what: i.value for i in attrition_modifiers(g, u(g, name)) if isinstance(i.value, int)}


@rule("16.5.4a")
@pytest.mark.parametrize(("where", "what"), [("10,0", "town"), ("10,0", "landmark"), ("10,0", "clear")])
def test_an_airfield_gives_two_to_the_axis_and_one_to_the_soviets(where, what):
    features = {where: [what]} if what != "clear" else {}
    terrain = {where: "clear"} if what == "clear" else {}
    rail = [("rail", "0,0 1,0")]
    g = pocket(
        {"A": "axis 3-5-3 12,0", "X": "soviet 3-5-3 13,0"},
        features=features,
        terrain=terrain,
        links=rail,
        repaired="all",
    )
    assert modifiers(g) == {"airfield": 2}
    soviet = {"A": "soviet 3-5-3 12,0", "X": "axis 3-5-3 13,0", "W": "axis 3-5-3 6,0"}
    g = row(
        soviet,
        terrain=dict.fromkeys(LINE, "woods") | terrain,
        features=features,
        boxes=[area("A", "soviet", "0,0")],
        links=rail,
    )
    assert modifiers(g) == {"airfield": 1}
    g = pocket(
        {"A": "axis 3-5-3 12,0", "X": "soviet 3-5-3 13,0", "Y": "soviet 3-5-3 9,0"},
        features=features,
        terrain=terrain,
        links=rail,
        repaired="all",
    )
    assert modifiers(g) == {}, "adjacent to an enemy Combat Unit"


@rule("16.5.4a")
def test_a_city_hex_is_no_clear_airfield():
    g = pocket(
        {"A": "axis 3-5-3 12,0", "X": "soviet 3-5-3 13,0"}, terrain={"10,0": "minor_city"}, control={"10,0": "axis"}
    )
    assert modifiers(g) == {"City": 1}


@rule("16.5.4b")
@rule("23.2.4b")
def test_snow_and_distance_from_rail_reduce_the_airfield():
    rail = [("rail", "0,0 1,0")]
    more = {"terrain": {"10,0": "clear"}, "links": rail, "repaired": "all"}
    units = {"A": "axis 3-5-3 12,0", "X": "soviet 3-5-3 13,0"}
    assert modifiers(pocket(units, **more, weather="snow", turn=30)) == {"airfield": 1}
    far = " ".join(f"{i},0" for i in range(26))
    terrain = {f"{i},0": "woods" for i in range(26)} | {"20,0": "clear"}
    g = board(
        {"W": "soviet 3-5-3 6,0", "A": "axis 3-5-3 24,0", "X": "soviet 3-5-3 25,0"},
        hexes=far,
        terrain=terrain,
        boxes=[WEST],
        links=rail,
        repaired="all",
    )
    found = attrition_modifiers(g, u(g, "A"))
    assert found.total == 1
    assert [i.rule for i in found] == ["16.5.4a", "16.5.4b"]
    g = pocket(units, terrain={"10,0": "clear"})
    assert attrition_modifiers(g, u(g, "A")).total == 1, "no connecting rail at all"


@rule("16.5.4c")
def test_a_city_within_reach_gives_one():
    units = {"A": "axis 3-5-3 12,0", "X": "soviet 3-5-3 13,0"}
    for terrain in ("minor_city", "major_city"):
        g = pocket(units, terrain={"10,0": terrain}, control={"10,0": "axis"})
        assert modifiers(g) == {"City": 1}
    g = pocket(units, terrain={"10,0": "minor_city"}, control={"10,0": "soviet"})
    assert modifiers(g) == {}
    g = pocket(
        units | {"B": "axis 3-5-3 10,0 full_retreat"}, terrain={"10,0": "minor_city"}, control={"10,0": "soviet"}
    )
    assert modifiers(g) == {"City": 1}, "occupied is enough"


@rule("16.5.4d")
def test_an_army_or_front_hq_within_reach_gives_one():
    units = {"A": "axis 3-5-3 12,0", "X": "soviet 3-5-3 13,0"}
    assert modifiers(pocket(units | {"H": "axis S-(1)-5b 9,0 hq"})) == {"HQ": 1}
    assert modifiers(pocket(units | {"H": "axis S-(1)-5b 3,0 hq"})) == {}, "outside the pocket"
    assert modifiers(pocket(units | {"H": "axis S-(1)-5b 9,0 artdiv"})) == {}


@rule("16.5.4e")
def test_a_desert_hex_costs_one():
    g = pocket({"A": "axis 3-5-3 12,0", "X": "soviet 3-5-3 13,0"}, terrain={"12,0": "desert"})
    assert modifiers(g) == {"Desert hex": -1}


@rule("16.5.4f")
def test_modifiers_add_up_to_four_at_most():
    more = {
        "terrain": {"9,0": "clear", "10,0": "minor_city"},
        "control": {"10,0": "axis"},
        "links": [("rail", "0,0 1,0")],
        "repaired": "all",
    }
    units = {"A": "axis 3-5-3 12,0", "X": "soviet 3-5-3 13,0", "H": "axis S-(1)-5b 10,0 hq"}
    g = pocket(units, **more)
    assert attrition_modifiers(g, u(g, "A")).total == 4
    g.dice = Scripted([1])
    roll_attrition(g, u(g, "A"))
    assert at(g, "A") == "12,0", "1 + 4 = 5: no loss"
    table = g.charts.table("attrition_modifiers")
    without_limit = g.effects.airfield_axis + table.number("city", "drm") + table.number("hq", "drm")
    assert without_limit == table.number("maximum", "drm")


@rule("16.5.5")
def test_isolation_is_kept_unit_by_unit():
    g = pocket({"A": "axis 3-5-3 12,0", "B": "axis 3-5-3 10,0"})
    check_supply(g, AXIS)
    assert has(g, "A", ISOLATED)
    assert has(g, "B", ISOLATED)


def test_the_question_supply_gives_path_and_modifiers():
    g = row({"A": "axis 3-5-3 5,0"})
    found = ask(g, "supply", unit="A")
    assert found["state"] == "in supply"
    assert found["line"] == {"overland": ["4,0", "3,0", "2,0"], "road": ["1,0", "0,0"]}
    g = pocket({"A": "axis 3-5-3 12,0", "X": "soviet 3-5-3 13,0"})
    found = ask(g, "supply", unit="A")
    assert (found["state"], found["line"], found["attrition"]) == ("isolated", None, True)
    assert los(g, u(g, "A")) is False
    assert in_supply_hexes(g, AXIS)


EDGE = {
    "hexes": " ".join(f"{column}{r}" for column in range(18, 28) for r in range(10, 16)),
    "boxes": [area("A", "soviet", "2110 2210 2310")],
    "side": "soviet",
}


@rule("7.2d")
@rule("16.3.2e")
@rule("22.3.2a")
@pytest.mark.parametrize("road", [(), [("primary", "2212 2211 2210")]])
@pytest.mark.parametrize(("state", "supplied"), [("", False), ("disrupted", True)])
def test_no_line_crosses_an_enemy_bond_at_the_map_edge(road, state, supplied):
    units = {"X": "soviet 3-5-3 2212", "P": f"axis 3-5-3 2110 {state}", "Q": "axis 3-5-3 2310"}
    found = ask(board(units, links=road, **EDGE), "supply", unit="X")
    assert found["state"] == ("in supply" if supplied else "isolated")
    assert (found["line"] is not None) is supplied


@rule("7.2d")
@rule("7.3b")
def test_a_unit_in_the_gap_breaks_the_bond_at_the_map_edge():
    units = {"X": "soviet 3-5-3 2210", "P": "axis 3-5-3 2110", "Q": "axis 3-5-3 2310"}
    assert ask(board(units, **EDGE), "supply", unit="X")["state"] == "in supply"


@rule("S1.2d")
@rule("16.5.1b")
def test_units_that_left_the_map_by_other_areas_than_g_are_not_worn_down():
    exit_ = [area("M", "soviet", "4,0"), area("Z", "axis", "-4,0")]
    wall = {f"S{i}": f"soviet 3-5-3 0,{r}" for i, r in enumerate((-4, -2, 0, 2, 4))}
    g = board({"A": "axis 10-8-6 M tank"} | wall, boxes=exit_)
    check_supply(g, AXIS)
    assert attrition_units(g, AXIS) == []
    assert not has(g, "A", OOS)


@rule("16.3.3b")
@rule("5.5.3d")
@pytest.mark.parametrize(
    ("side", "flotilla", "state"),
    [
        ("soviet", {}, "out of supply"),
        ("soviet", {"flotilla": "0,0|1,0"}, "in supply"),
        ("soviet", {"flotilla": "0,1|1,0"}, "out of supply"),
        ("axis", {"flotilla": "0,0|1,0"}, "out of supply"),
    ],
)
def test_roads_that_meet_at_the_volga_flotilla_are_contiguous_for_the_soviets(side, flotilla, state):
    hexes = disc(7)
    volga = [f"0,{r}|1,{r}" for r in range(-7, 7)] + [f"0,{r}|1,{r - 1}" for r in range(-6, 8)]
    volga = {name: ["volga"] for name in volga if set(name.split("|")) <= set(hexes)}
    roads = [("primary", " ".join(f"{q},0" for q in span)) for span in (range(-7, 1), range(1, 8))]
    east = [area("E", side, "7,0")]
    g = board({"U": f"{side} 3-5-3 -7,0"}, radius=7, hexsides=volga, links=roads, boxes=east, side=side, **flotilla)
    assert ask(g, "supply", unit="U")["state"] == state
