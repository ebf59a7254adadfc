"""10 Movement. Boards carry the numbers of the printed map; a German edge in the west keeps Germans in supply."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kessel.core.breakdown import Refusal
from kessel.games.kharkov43.board import ACTIVE, MOVED
from kessel.games.kharkov43.data.charts import POINT
from kessel.games.kharkov43.data.forces import GERMAN
from kessel.games.kharkov43.movement.movement import (
    MODES,
    explain_path,
    german_ends,
    move_unit,
    reach_of,
    why_not_mobile,
    why_not_move,
    why_not_reach,
)
from kessel.games.kharkov43.movement.zones import zoc
from kessel.games.kharkov43.supply.supply import can_trace, field_without

from .helpers import ask, board, german, hexes, hx, panzer, position, reach, refusal, soviet, tanks, unit

rule = pytest.mark.rule
example = pytest.mark.example

ROWS = (15, 20)
COLUMNS = range(8, 21)
WEST = " ".join(f"{r}20" for r in range(15, 21))
HOME = " ".join(hexes(*ROWS, COLUMNS))
"""Every hex a German map edge: supply never matters."""


FAR_EDGE = "1515 1516 2015 2016"
"""In supply range, but not where the units are: no movement along the map edge (10.7)."""
LINE = " ".join(hexes(17, 17, COLUMNS))


def field(**more):
    more.setdefault("german_edge", HOME)
    return board(ROWS, COLUMNS, **more)


def line(**more):
    """A single row: no way round."""
    more.setdefault("german_edge", LINE)
    return board((17, 17), COLUMNS, **more)


# --- 10.0 ----------------------------------------------------------------------------------------------------------


@rule("kharkov43", "10.0a")
def test_any_active_undispersed_unit_may_move_and_no_other():
    g = position(
        board=field(),
        units=[
            german("A", "1712", status=["active"]),
            german("B", "1712", status=["active", "dispersed"]),
            german("C", "1712"),
        ],
    )
    assert why_not_move(g, unit(g, "A"), hx(g, "1713"), "regular") is None
    assert why_not_move(g, unit(g, "B"), hx(g, "1713"), "regular").rule == "12.9"
    assert why_not_move(g, unit(g, "C"), hx(g, "1713"), "regular").rule == "10.0"


@rule("kharkov43", "10.0b")
def test_a_path_is_contiguous_and_a_unit_moves_once():
    g = position(board=field(), units=[german("A", "1712", status=["active"])])
    path = ask(g, "moves", unit="A", to="1716")["path"]
    assert path[0] in ("1713", "1612", "1813", "1812")
    assert path[-1] == "1716"
    whole = ["1712", *path]
    assert all(g.map.grid.adjacent(hx(g, a), hx(g, b)) for a, b in itertools.pairwise(whole))
    g.set_status(unit(g, "A"), MOVED)
    assert why_not_move(g, unit(g, "A"), hx(g, "1713"), "regular") == Refusal("10.0", "A has moved already")


@rule("kharkov43", "10.0c")
def test_cost_depends_on_unit_type_terrain_and_river():
    g = position(
        board=line(terrain={"1713": "woods"}, rivers={"1711|1712": "donets", "1710|1711": "minor_river"}),
        units=[german("inf", "1712"), panzer("pz", "1712")],
    )
    charts = g.charts
    for name, mech in (("inf", False), ("pz", True)):
        found = reach(g, name)
        assert found["1713"] == charts.enter_cost("woods", mech) / POINT
        assert found["1711"] == 1 + charts.cross_cost("donets", mech, False) / POINT
        assert found["1710"] == found["1711"] + 1 + charts.cross_cost("minor_river", mech, False) / POINT
    assert reach(g, "inf")["1713"] == 2
    assert reach(g, "pz")["1713"] > 2


@rule("kharkov43", "10.0d")
@rule("kharkov43", "2.21h")
def test_a_unit_never_spends_more_than_its_allowance():
    g = position(board=field(), units=[german("A", "1714")])
    found = reach(g, "A")
    assert max(found.values()) == 4
    assert "1710" in found
    assert "1709" not in found
    answer = ask(g, "moves", unit="A", to="1709")
    assert answer["refusal"] == {"rule": "10.0", "reason": "it costs 5 of 4 movement points"}


@rule("kharkov43", "10.0e")
def test_a_unit_may_always_move_one_hex_if_the_move_is_otherwise_allowed():
    g = position(
        board=field(terrain={"1713": "marsh"}, rivers={"1712|1713": "donets"}, german_edge=FAR_EDGE),
        units=[panzer("A", "1712", faces="5-2"), soviet("S", "1711")],
    )
    found = reach(g, "A")
    assert found["1713"] == 2, "one hex, whatever it costs, for the whole allowance"
    assert "1714" not in found, "and no farther"
    assert refusal(g, "A", "1811") == "10.1", "otherwise forbidden moves stay forbidden"


@rule("kharkov43", "10.0f")
def test_unused_points_are_lost():
    g = position(board=field(), units=[german("A", "1712", status=["active"]), german("B", "1712", status=["active"])])
    g.move(unit(g, "A"), hx(g, "1713"))
    g.set_status(unit(g, "A"), MOVED)
    assert why_not_move(g, unit(g, "A"), hx(g, "1714"), "regular").rule == "10.0"
    assert max(reach(g, "B").values()) == 4, "not transferred to another unit"


# --- 10.1 ----------------------------------------------------------------------------------------------------------


@rule("kharkov43", "10.1a")
@rule("kharkov43", "10.1b")
def test_leaving_an_enemy_zone_costs_one_more_and_never_leads_into_another():
    g = position(board=field(german_edge=FAR_EDGE), units=[german("A", "1712"), soviet("S", "1711")])
    found = reach(g, "A")
    assert found["1713"] == 2
    g = position(board=field(german_edge=FAR_EDGE), units=[german("A", "1712", faces="3-2"), soviet("S", "1711")])
    # 1712 and 1711 share the neighbours 1611 and 1811: both are in the zone of S.
    assert refusal(g, "A", "1611") == "10.1"
    assert refusal(g, "A", "1811") == "10.1"
    assert max(found.values()) == 4
    assert found["1715"] == 4
    assert "1716" not in found


@rule("kharkov43", "10.1c")
def test_entering_an_enemy_zone_costs_nothing_extra_and_ends_the_move():
    g = position(board=field(), units=[german("A", "1715"), soviet("S", "1712")])
    found = ask(g, "moves", unit="A")["reach"]
    assert found["1713"] == {"cost": 2.0, "path": ["1714", "1713"], "stops": True}
    two = board((17, 18), COLUMNS, german_edge="1720")
    past = position(board=two, units=[german("A", "1716"), soviet("S", "1814")])
    answer = ask(past, "moves", unit="A", to="1713")
    assert answer["refusal"] == {"rule": "10.1", "reason": "a unit stops on entering an enemy-controlled hex"}
    g2 = position(board=line(), units=[german("A", "1715"), soviet("S", "1712")])
    assert set(reach(g2, "A")) == {"1714", "1713", "1716", "1717", "1718", "1719"}


@rule("kharkov43", "10.1d")
def test_an_enemy_occupied_hex_is_never_entered():
    g = position(board=field(), units=[german("A", "1714"), soviet("S", "1713", status=["isolated"])])
    assert refusal(g, "A", "1713") == "10.1"
    assert "1712" in reach(g, "A"), "an isolated unit has no zone, but its hex stays closed"


@rule("kharkov43", "10.1e")
def test_a_unit_stops_on_entering_an_enemy_town():
    row = line(terrain={"1713": "town"})
    g = position(board=row, units=[german("A", "1714")], soviet_towns="1713")
    assert "1713" in reach(g, "A")
    assert "1712" not in reach(g, "A")
    assert ask(g, "moves", unit="A", to="1712")["refusal"]["reason"] == "a unit stops on entering an enemy town or city"
    g = position(board=row, units=[german("A", "1714")])
    assert "1712" in reach(g, "A"), "a friendly town stops nobody (10.1f)"


@rule("kharkov43", "10.1f")
def test_friendly_units_and_towns_never_hinder():
    row = line(terrain={"1713": "town"})
    g = position(board=row, units=[german("A", "1714"), *(german(f"F{i}", "1713", faces="3-4 2-4") for i in range(3))])
    found = ask(g, "moves", unit="A")
    assert "1712" in found["reach"], "through a full stack in a friendly town"
    assert found["passed_only"]["1713"]["refusal"]["rule"] == "10.4", "but not to stay in it"


@rule("kharkov43", "10.1g")
@rule("kharkov43", "10.1h")
@rule("kharkov43", "15.22a")
def test_germans_stop_beside_garrisons_and_never_enter_them():
    row = line(features={"1712": "village"})
    g = position(board=row, units=[german("A", "1715"), soviet("S", "1719", faces="1-9")], garrisons="1712", turn=4)
    assert refusal(g, "A", "1712") == "10.1"
    found = ask(g, "moves", unit="A")["reach"]
    assert found["1713"]["stops"]
    reason = ask(g, "moves", unit="A", to="1711")["refusal"]["reason"]
    assert reason == "enemy units and their zones of control close every way"


@rule("kharkov43", "15.2b")
def test_garrisons_do_not_affect_soviet_movement():
    row = line(features={"1712": "village"})
    g = position(board=row, units=[soviet("S", "1714")], garrisons="1712", turn=4)
    assert reach(g, "S") == {"1713": 1, "1712": 2, "1711": 3, "1710": 4, "1715": 1, "1716": 2, "1717": 3, "1718": 4}


# --- 10.2, 10.3 ----------------------------------------------------------------------------------------------------


@rule("kharkov43", "10.2a")
@rule("kharkov43", "10.32a")
@rule("kharkov43", "2.1b")
def test_a_road_hexside_costs_one_whatever_the_terrain_and_bridges_the_river():
    g = position(
        board=field(terrain={"1713": "marsh"}, rivers={"1712|1713": "donets"}, roads=["1712 1713 1714"]),
        units=[panzer("A", "1712")],
    )
    assert reach(g, "A")["1713"] == 1
    assert reach(g, "A")["1714"] == 2


@rule("kharkov43", "10.2b")
@rule("kharkov43", "10.6f")
def test_strategic_mechanized_units_pay_half_along_roads_and_full_off_them():
    row = line(roads=["1708 1709 1710 1711 1712"])
    g = position(board=row, turn=2, units=[panzer("A", "1708", faces="5-4 3-4")])
    assert set(reach(g, "A")) == {"1709", "1710", "1711", "1712"}
    found = reach(g, "A", "strategic")
    assert found["1709"] == 0.5
    assert found["1712"] == 2
    assert found["1714"] == 4
    assert "1715" not in found


@rule("kharkov43", "10.31a")
@rule("kharkov43", "2.1c")
def test_unbridged_rivers_add_points_by_river_and_unit_type():
    g = position(
        board=line(rivers={"1712|1713": "donets", "1711|1712": "minor_river"}),
        units=[german("inf", "1712"), panzer("pz", "1712")],
    )
    assert reach(g, "inf")["1713"] == 2, "infantry +1 over the Donets"
    assert reach(g, "pz")["1713"] == 3, "mechanized +2 over the Donets"
    assert reach(g, "pz")["1711"] == 2, "mechanized +1 over a minor river"


@rule("kharkov43", "10.31b")
@rule("kharkov43", "18.34b")
def test_light_mud_makes_rivers_dearer():
    def costs(ground):
        g = position(
            board=line(rivers={"1712|1713": "donets", "1711|1712": "minor_river"}),
            units=[german("inf", "1712", faces="3-9"), panzer("pz", "1712", faces="5-9")],
            turn=8,
            ground=ground,
        )
        return [reach(g, u)[h] for u in ("inf", "pz") for h in ("1713", "1711")]

    assert all(mud > frost for mud, frost in zip(costs("light_mud"), costs("frozen"), strict=True))


@rule("kharkov43", "10.31c")
def test_the_unbridged_dniepr_takes_the_whole_allowance_from_the_bank():
    row = line(rivers={"1712|1713": "dniepr"})
    g = position(board=row, units=[panzer("A", "1712"), panzer("B", "1711")])
    found = ask(g, "moves", unit="A", to="1713")
    assert found["cost"] == 6
    assert found["path"] == ["1713"]
    assert found["items"][-1]["value"] == "all"
    assert "1713" in reach(g, "A")
    assert "1714" not in reach(g, "A")
    assert "1713" not in reach(g, "B")
    assert refusal(g, "B", "1713") == "10.31"


@rule("kharkov43", "10.31c")
def test_who_goes_round_the_dniepr_hexside_does_not_pay_for_it():
    """1712 and 1713 lie on both sides of the river, which ends at 1812; behind 1713 there is only 1714."""
    ground = board((17, 18), range(12, 15), rivers={"1712|1713": "dniepr"}, german_edge="1714")
    for n in ("1813", "1814"):
        del ground["hexes"][n]
    g = position(board=ground, units=[panzer("A", "1712")])
    assert reach(g, "A") == {"1812": 1, "1713": 2, "1714": 3}


@rule("kharkov43", "10.31d")
@rule("kharkov43", "13.1f")
def test_a_road_does_not_lead_over_a_blocked_dniepr_hexside():
    row = line(rivers={"1712|1713": "blocked_dniepr"}, roads=["1711 1712 1713 1714"], german_edge="1714", exits="1714")
    g = position(board=row, units=[panzer("A", "1712"), panzer("B", "1713")])
    assert refusal(g, "A", "1713") == "10.31"
    traced = {n: ask(g, "supply", unit=n)["supply"]["traced"] for n in "AB"}
    assert traced == {"A": False, "B": True}


@rule("kharkov43", "10.31d")
def test_a_blocked_dniepr_hexside_is_never_crossed():
    row = line(rivers={"1712|1713": "blocked_dniepr"})
    g = position(board=row, units=[panzer("A", "1712")])
    assert "1713" not in reach(g, "A")
    assert refusal(g, "A", "1713") == "10.31"


@example("kharkov43", "X22")
@rule("kharkov43", "10.2a")
@rule("kharkov43", "10.31a")
def test_x22_movement_costs():
    road = line(
        terrain={f"17{c:02d}": "woods" for c in range(9, 16)}, roads=["1708 1709 1710 1711 1712 1713 1714 1715"]
    )
    g = position(board=road, units=[panzer("A", "1708")])
    assert reach(g, "A")["1714"] == 6
    assert "1715" not in reach(g, "A")
    river = line(rivers={"1710|1711": "donets"})
    g = position(board=river, units=[panzer("B", "1709")])
    assert reach(g, "B")["1713"] == 6, "four hexes and the Donets"
    bridge = line(rivers={"1710|1711": "donets", "1711|1712": "minor_river"}, roads=["1709 1710 1711"])
    g = position(board=bridge, units=[panzer("B", "1709")])
    assert reach(g, "B")["1712"] == 4, "the bridge is free, the stream costs one"
    foot = line(terrain={"1709": "woods", "1711": "marsh"})
    g = position(board=foot, units=[german("C", "1710")])
    assert reach(g, "C")["1709"] == 2
    assert reach(g, "C")["1711"] == 2


# --- 13.2 and the agreement of search and answer -------------------------------------------------------------------


@rule("kharkov43", "13.21c")
def test_an_out_of_supply_mechanized_unit_moves_at_most_two_hexes():
    g = position(
        board=field(roads=["1714 1713 1712 1711"]),
        units=[panzer("A", "1714", status=["out_of_supply"]), german("B", "1714", status=["out_of_supply"])],
    )
    assert "1712" in reach(g, "A")
    assert "1711" not in reach(g, "A")
    assert refusal(g, "A", "1711") == "13.21"
    assert "1710" in reach(g, "B"), "infantry keeps its allowance"


@rule("kharkov43", "13.22c")
@rule("kharkov43", "13.22e")
def test_isolated_units_hardly_move():
    towns = field(terrain={"1713": "town"})
    g = position(
        board=towns,
        soviet_towns="1713",
        units=[
            panzer("A", "1714", status=["isolated"]),
            german("B", "1714", status=["isolated"]),
            german("C", "1710", status=["isolated"]),
            soviet("S", "1709"),
        ],
    )
    assert ask(g, "moves", unit="A")["refusal"]["rule"] == "13.22"
    assert set(reach(g, "B")) == {"1715", "1613", "1614", "1813", "1814"} & set(reach(g, "B")) | {"1715"}
    assert max(reach(g, "B").values()) == 1
    assert refusal(g, "B", "1713") == "13.22"
    assert refusal(g, "B", "1716") == "13.22"
    assert ask(g, "moves", unit="C")["refusal"]["rule"] == "13.22", "not out of an enemy zone"


@rule("kharkov43", "10.5a")
def test_a_unit_that_leaves_may_break_the_path_it_counts_on():
    """B's way home leads through A's hex, which lies in a Soviet zone: when A goes, supply behind it goes too."""
    two = board((17, 18), COLUMNS, german_edge="1720")
    units = [german("A", "1717"), german("C", "1716"), soviet("S", "1816")]
    g = position(board=two, units=units)
    assert can_trace(g, hx(g, "1715"), GERMAN)
    assert not field_without(g, unit(g, "A")).hexes >> hx(g, "1715") & 1
    mates = position(board=two, units=[*units, german("B", "1717")])
    assert field_without(mates, unit(mates, "A")).hexes >> hx(mates, "1715") & 1, "B still holds 1717"


@rule("kharkov43", "10.0a")
def test_a_unit_off_the_map_does_not_move():
    g = position(board=field(), units=[german("A", "reserve")])
    assert why_not_mobile(g, unit(g, "A")).rule == "10.0"
    assert why_not_move(g, unit(g, "A"), hx(g, "1712"), "regular").rule == "10.0"


@rule("kharkov43", "10.1b")
def test_urban_infiltration_is_the_soviet_exception():
    towns = field(terrain={"1712": "town", "1710": "town"}, german_edge="")
    g = position(board=towns, units=[soviet("S", "1711", faces="3-1"), german("A", "1811"), german("B", "1613")])
    assert zoc(g, GERMAN) >> hx(g, "1711") & 1
    assert zoc(g, GERMAN) >> hx(g, "1712") & 1
    assert refusal(g, "S", "1712") == "10.1"
    assert "1712" in reach(g, "S", "infiltration"), "adjacent to the empty German town at the start"
    held = position(board=towns, units=[soviet("S", "1711"), german("A", "1811"), german("B", "1712")])
    assert refusal(held, "S", "1712", "infiltration") == "10.1", "occupied"
    units = [soviet("S", "1711", faces="3-1"), german("A", "1811"), german("B", "1613")]
    own = position(board=towns, soviet_towns="1712", units=units)
    assert refusal(own, "S", "1712", "infiltration") == "10.1", "not a German town"


@rule("kharkov43", "10.0c")
def test_a_path_is_priced_step_by_step():
    g = position(
        board=line(terrain={"1713": "woods"}, rivers={"1713|1714": "donets"}),
        units=[german("A", "1712", faces="3-9"), soviet("S", "1711", faces="1-1")],
    )
    answer = ask(g, "moves", unit="A", to="1714")
    assert answer["items"] == [
        {"what": "woods", "rule": "10.0", "hex": "1713", "value": 2.0},
        {"what": "leaving an enemy-controlled hex", "rule": "10.1", "hex": "1713", "value": 1.0},
        {"what": "clear", "rule": "10.0", "hex": "1714", "value": 1.0},
        {"what": "unbridged donets", "rule": "10.31", "hex": "1714", "value": 1.0},
    ]
    assert answer["cost"] == 5
    assert answer["stops"] == []
    into = position(board=line(), units=[german("A", "1715"), soviet("S", "1712")])
    assert [b["rule"] for b in ask(into, "moves", unit="A", to="1713")["stops"]] == ["10.1"]


HEXES = hexes(15, 18, range(8, 15))
spots = st.sampled_from(HEXES)


@st.composite
def positions(draw):
    terrain = draw(st.dictionaries(spots, st.sampled_from(["woods", "marsh", "broken", "town"]), max_size=8))
    places = draw(st.lists(spots, min_size=2, max_size=7, unique=True))
    units = [draw(st.sampled_from([german, panzer]))("A", places[0])]
    if draw(st.booleans()):
        units[0]["status"] = [draw(st.sampled_from(["out_of_supply", "isolated"]))]
    for i, h in enumerate(places[1:]):
        units.append(draw(st.sampled_from([german, soviet, tanks]))(f"U{i}", h))
    free = [h for h in HEXES if h not in places and terrain.get(h, "clear") == "clear"]
    villages = draw(st.lists(st.sampled_from(free), max_size=2, unique=True))
    pairs = draw(st.lists(st.sampled_from(range(8, 14)), max_size=4))
    kinds = st.sampled_from(["donets", "minor_river", "dniepr", "blocked_dniepr"])
    rivers = {f"16{c:02d}|16{c + 1:02d}": draw(kinds) for c in pairs}
    b = board(
        (15, 18),
        range(8, 15),
        terrain=terrain,
        rivers=rivers,
        features=dict.fromkeys(villages, "village"),
        roads=draw(st.sampled_from([[], ["1708 1709 1710 1711 1712"]])),
        german_edge=draw(st.sampled_from(["1514 1614", " ".join(HEXES)])),
    )
    soviet_towns = " ".join(h for h, t in terrain.items() if t == "town" and h not in places and draw(st.booleans()))
    return position(
        board=b, units=units, turn=draw(st.integers(1, 8)), garrisons=" ".join(villages), soviet_towns=soviet_towns
    )


@settings(max_examples=60)
@given(positions())
def test_search_and_explanation_agree(g):
    """Every hex is either reached, with a path priced step by step to the same cost, or refused by a rule."""
    a = unit(g, "A")
    for mode in MODES:
        found = reach_of(g, a, mode)
        for h in g.map.grid.hexes:
            why = why_not_reach(g, a, h, mode)
            if h in found and h != g.place[a]:
                assert why is None
                assert explain_path(g, a, h, mode)["cost"] * POINT == found.cost[h]
            elif h != g.place[a]:
                assert why is not None
                assert why.rule
    g.set_status(a, ACTIVE)
    for mode in ("regular", "strategic"):
        ends = set(german_ends(g, a, mode))
        for h in g.map.grid.hexes:
            assert (why_not_move(g, a, h, mode) is None) == (h in ends)


@pytest.mark.rule("kharkov43", "14.1a")
def test_a_move_is_told_before_the_town_it_takes() -> None:
    g = position(
        board=board((19, 19), range(8, 16), terrain={"1911": "town"}), soviet_towns="1911", units=[german("G", "1912")]
    )
    g.events = []
    move_unit(g, unit(g, "G"), hx(g, "1911"))
    assert [e["what"] for e in g.events][:2] == ["G moves from 1912 to 1911", "1911 becomes German-owned"]
