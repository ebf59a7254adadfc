"""Positions worked out by hand from the rule text, asked as `kessel analyze` asks them: chapters 3.1, 3.2, 6 and 10."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from kessel.core.analysis import analyze
from tests.games.don42.helpers import ask, board, ger, hq62, pos, sov


def row(last: int = 12, roads: Any = (), **more: Any) -> dict[str, Any]:
    """A board of one line of hexes, 0,0 to last,0: there is one way only."""
    b = board(0, roads=roads, sides=more.pop("sides", None))
    terrain, features = more.pop("terrain", {}), more.pop("features", {})
    b["hexes"] = {
        f"{q},0": {"terrain": terrain.get(q, "clear"), "features": features.get(q, [])} for q in range(last + 1)
    }
    return b


def road(kind: str, first: int, last: int) -> list[tuple[str, str]]:
    return [(kind, " ".join(f"{q},0" for q in range(first, last + 1)))]


def cost(b: dict[str, Any], to: str, unit: dict[str, Any] | None = None, **fields: Any) -> float | str:
    """What the way from 0,0 costs a unit with 40 MPs, or the rule that refuses it; the steps must add up."""
    g = pos(unit or ger("U", "0,0", "4-4-40"), on=b, **fields)
    found = ask(g, "moves", unit="U", to=to)
    if not found["legal"]:
        return str(found["refusal"]["rule"])
    assert sum(s["cost"] for s in found["steps"]) == found["cost"]
    assert [s["hex"] for s in found["steps"]] == found["path"]
    return float(found["cost"])


@pytest.mark.rule("don42", "6.1.a")
@pytest.mark.rule("don42", "6.1.b")
@pytest.mark.rule("don42", "6.1.c")
@pytest.mark.rule("don42", "6.2.a")
@pytest.mark.rule("don42", "6.2.b")
@pytest.mark.rule("don42", "6.2.c")
@pytest.mark.rule("don42", "10.1")
@pytest.mark.parametrize(
    ("what", "clear", "rain", "mud"),
    [
        ({}, 4, 8, 12),
        ({"terrain": {1: "hill", 2: "hill", 3: "hill", 4: "hill"}}, 8, 12, 16),
        ({"terrain": {1: "town", 2: "city", 3: "town", 4: "city"}}, 4, 8, 12),
        ({"roads": road("major_road", 0, 4)}, 2, 4, 4),
        ({"roads": road("minor_road", 0, 4)}, 4, 8, 12),
        ({"roads": road("railroad", 0, 4)}, 4, 8, 12),
        ({"roads": road("railroad", 0, 4), "terrain": {2: "hill"}}, 5, 9, 13),
        ({"roads": road("major_road", 0, 4), "terrain": {2: "hill", 3: "city"}}, 2, 4, 4),
        ({"roads": road("major_road", 0, 2)}, 3, 6, 8),  # two hexes of road, two beyond its end
        ({"roads": road("major_road", 1, 3)}, 3, 6, 8),  # entering a road hex off the road costs the hex
        ({"roads": [*road("minor_road", 0, 2), *road("major_road", 2, 4)]}, 3, 6, 8),
        ({"roads": [*road("minor_road", 0, 1), *road("minor_road", 2, 3)]}, 4, 8, 12),
        ({"roads": [*road("major_road", 0, 1), *road("major_road", 2, 4)]}, 2.5, 5, 6),  # a gap between two roads
    ],
)
def test_what_hexes_and_roads_cost_in_each_weather(what, clear, rain, mud):
    b = row(4, **what)
    assert [cost(b, "4,0", weather=w) for w in ("clear", "rain", "mud")] == [clear, rain, mud]


@pytest.mark.rule("don42", "10.1.1.b")
@pytest.mark.rule("don42", "10.1.2.b")
@pytest.mark.rule("don42", "10.1.2.c")
@pytest.mark.rule("don42", "10.1.2.e")
@pytest.mark.parametrize(
    ("side", "what", "clear", "rain", "mud"),
    [
        ("gorge", {}, 4, 5, 6),
        ("gorge", {"terrain": {1: "hill"}}, 5, 6, 7),
        ("minor_river", {}, 3, 4, 5),
        ("minor_river", {"terrain": {1: "hill"}}, 4, 5, 6),
        ("minor_river", {"terrain": {1: "city"}}, 3, 4, 5),
        ("gorge", {"roads": road("minor_road", 0, 1)}, 1, 2, 3),
        ("gorge", {"roads": road("major_road", 0, 1), "terrain": {1: "hill"}}, 0.5, 1, 1),
        ("minor_river", {"roads": road("minor_road", 0, 1)}, 1, 2, 3),
        ("minor_river", {"roads": road("railroad", 0, 1)}, 3, 4, 5),  # a bridge is where a road crosses
        ("major_river", {}, "10.1.2", "10.1.2", "10.1.2"),
    ],
)
def test_what_hexsides_add(side, what, clear, rain, mud):
    b = row(1, sides={"0,0|1,0": side}, **what)
    assert [cost(b, "1,0", weather=w) for w in ("clear", "rain", "mud")] == [clear, rain, mud]


@pytest.mark.rule("don42", "10.1.2.c")
def test_a_gorge_beside_the_don_adds_both():
    b = row(1)
    b["hexsides"] = {"0,0|1,0": ["minor_river", "gorge"]}
    assert cost(b, "1,0") == 6


@pytest.mark.rule("don42", "10.1.2.b")
@pytest.mark.rule("don42", "10.1.2.f")
def test_a_lost_bridge_costs_the_river_and_a_pontoon_saves_it():
    bridged = row(1, sides={"0,0|1,0": "minor_river"}, roads=road("minor_road", 0, 1))
    assert cost(bridged, "1,0", destroyed_bridges=["0,0|1,0"]) == 3
    assert cost(bridged, "1,0", destroyed_bridges=["0,0|1,0"], pontoons=[{"hexside": "0,0|1,0"}]) == 1
    bare = row(1, sides={"0,0|1,0": "minor_river"}, terrain={1: "hill"})
    states = [cost(bare, "1,0", pontoons=[{"hexside": "0,0|1,0", "state": s}]) for s in ("building", "destroyed")]
    assert states == [4, 4]
    assert cost(bare, "1,0", pontoons=[{"hexside": "0,0|1,0"}]) == 2  # no road there: the hill is still a hill


@pytest.mark.rule("don42", "10.0.a")
@pytest.mark.rule("don42", "10.1.1.c")
def test_half_points_are_counted_and_not_rounded():
    b = row(12, roads=road("major_road", 0, 9))
    five = ger("U", "0,0", "4-4-5")
    assert cost(b, "9,0", five) == 4.5
    assert cost(b, "10,0", five) == "10.0"  # 4 1/2 and 1 make 5 1/2
    assert cost(row(12, roads=road("major_road", 0, 8)), "9,0", five) == 5


@pytest.mark.rule("don42", "10.0.d")
def test_one_hex_is_always_allowed_but_never_a_second():
    b = row(2, terrain={1: "hill"}, sides={"0,0|1,0": "gorge"})
    slow = ger("U", "0,0", "4-4-1", type="infantry", motorized=False)
    g = pos(slow, on=b)
    assert ask(g, "moves", unit="U", to="1,0")["legal"]
    assert ask(g, "moves", unit="U", to="1,0")["stops"]
    assert cost(b, "2,0", slow) == "10.0"
    halved = ger("U", "0,0", "0-1-1", type="hq", supply="out of supply")  # 1 halved is 0
    assert ask(pos(halved, on=row(1)), "moves", unit="U", to="1,0")["legal"]
    assert cost(row(1, sides={"0,0|1,0": "major_river"}), "1,0", slow) == "10.1.2"
    assert not ask(pos(ger("U", "0,0", status=["DPT"]), on=row(1)), "moves", unit="U", to="1,0")["legal"]


# --- 10.5, 10.6, 4.2.3, 4.3.2 allowances -----------------------------------------------------------------------------

OUT = {"supply": "out of supply"}


def points(unit: dict[str, Any], **fields: Any) -> int | str:
    found = ask(pos(unit, on=row(1), **fields), "moves", unit="U")
    return found["allowance"]["total"] if "allowance" in found else found["refusal"]["rule"]


@pytest.mark.rule("don42", "4.2.3.c")
@pytest.mark.rule("don42", "4.2.3.d")
@pytest.mark.rule("don42", "4.2.d")
@pytest.mark.rule("don42", "3.6")
@pytest.mark.parametrize(
    ("kind", "motorized", "expected"),
    [
        ("infantry", False, 7),
        ("mortar", False, 7),
        ("anti_tank", False, 7),
        ("artillery", False, 3),
        ("hq", False, 3),
        ("t34", True, 3),
        ("t70", True, 3),
        ("trucked_infantry", True, 3),
        ("mech_anti_tank", True, 3),
        ("anti_tank", True, 3),  # named both ways in 4.2.3: motorized decides
    ],
)
def test_soviets_out_of_supply(kind, motorized, expected):
    one = sov("U", "0,0", "1-1-7", type=kind, motorized=motorized)
    assert points(one) == 7
    assert points({**one, "supply": "general"}) == 7
    assert points({**one, **OUT}) == expected


@pytest.mark.rule("don42", "4.3.2.b")
@pytest.mark.rule("don42", "4.3.2.c")
@pytest.mark.parametrize(
    ("kind", "motorized", "expected"),
    [
        ("infantry", False, 7),
        ("engineer", False, 7),
        ("machine_gun", False, 3),
        ("artillery", False, 3),
        ("hq", True, 3),
        ("pz3", True, 3),
        ("recon", True, 3),
        ("halftrack_infantry", True, 3),
        ("pzjg", True, 3),
    ],
)
def test_germans_out_of_supply(kind, motorized, expected):
    one = ger("U", "0,0", "1-1-7", type=kind, motorized=motorized)
    assert points(one) == 7
    assert points({**one, **OUT}) == expected


@pytest.mark.rule("don42", "10.5.a")
@pytest.mark.rule("don42", "10.6")
def test_markers_and_movement():
    assert points(ger("U", "0,0", "4-4-10", status=["DRG"])) == 2
    assert points(sov("U", "0,0", "3-4-5", status=["DRG"])) == 2
    assert points(ger("U", "0,0", "4-4-3", status=["DRG"], **OUT)) == 1  # the smaller of 2 and 3 halved
    assert points(ger("U", "0,0", "4-4-10", status=["DPT"])) == "10.6"
    assert points(ger("U", "0,0", "4-4-10", status=["RTD"])) == 10
    assert points(ger("U", "0,0", "4-4-10", status=["RTD"]), options={"rtd_moves": "never"}) != 10


@pytest.mark.rule("don42", "5.0.10.b")
@pytest.mark.rule("don42", "5.0.10.d")
@pytest.mark.rule("don42", "2.4.a")
def test_tanks_and_trucks_are_motorized_without_being_told():
    for kind, answer in (("pz4", 10), ("trucked_infantry", 10), ("recon", 10), ("infantry", "5.0.10")):
        one = ger("U", "0,0", "4-4-10", type=kind)
        one.pop("motorized")
        assert points(one, phase="german_motorized") == answer


# --- 9.2 far from the HQ ---------------------------------------------------------------------------------------------


def far_from_hq(distance: int, **more: Any) -> Any:
    """A brigade that many clear hexes east of HQ 62A, on a road that leads off the map."""
    b = row(20, roads=road("minor_road", 0, 20), features={0: ["soviet_source"]})
    options = more.pop("options", {})
    return pos(hq62("0,0"), sov("U", f"{distance},0", "3-4-5", **more), on=b, options=options, turn="Aug 25 AM")


@pytest.mark.rule("don42", "9.2.c")
@pytest.mark.rule("don42", "9.2.e")
def test_units_beyond_twelve_points_of_their_hq():
    near = ask(far_from_hq(12), "moves", unit="U")
    assert near["allowance"]["total"] == 5
    assert {"7,0", "17,0"} <= set(near["reach"])
    far = ask(far_from_hq(13), "moves", unit="U")
    assert far["allowance"]["total"] == 2
    assert set(far["reach"]) == {"12,0", "11,0"}
    back = ask(far_from_hq(13), "moves", unit="U", to="14,0")
    assert back["refusal"]["rule"] == "9.2"
    lost = ask(far_from_hq(13, supply="out of supply"), "moves", unit="U")
    assert (lost["legal"], lost["refusal"]["rule"]) == (False, "9.2")


@pytest.mark.rule("don42", "9.2.c")
def test_readings_of_radius_and_closer():
    units = [hq62("0,0"), sov("U", "13,0", "3-4-5")]
    open_field = board(14)
    late = {"turn": "Aug 25 AM"}
    at_end = ask(pos(*units, on=open_field, **late), "moves", unit="U")["reach"]
    assert set(at_end) == {"12,0", "11,0", "11,1", "12,-1"}  # the last two over 12,0: no nearer than it, but than 13,0
    every_hex = pos(*units, on=open_field, options={"closer": "every_hex"}, **late)
    assert set(ask(every_hex, "moves", unit="U")["reach"]) == {"12,0", "11,0"}


@pytest.mark.rule("don42", "9.2.c")
def test_the_radius_runs_along_a_line_free_of_enemies():
    b = row(12)
    b["hexes"]["5,-1"] = {}  # touches 5,0 and 4,0
    units = [hq62("0,0"), sov("U", "8,0", "3-4-5"), ger("X", "5,-1")]
    assert ask(pos(*units, on=b), "moves", unit="U")["allowance"]["total"] == 2
    straight = pos(*units, on=b, options={"radius": "terrain_only"})
    assert ask(straight, "moves", unit="U")["allowance"]["total"] == 5


# --- 10.3 guns and roads ---------------------------------------------------------------------------------------------


def gun_hexes(unit: dict[str, Any], terrain: dict[int, str], **fields: Any) -> set[str]:
    b = row(8, roads=road("minor_road", 0, 1), terrain=terrain)
    return set(ask(pos({**unit, "at": "1,0"}, on=b, **fields), "moves", unit="U")["reach"])


@pytest.mark.rule("don42", "10.3.a")
@pytest.mark.rule("don42", "10.3.b")
@pytest.mark.rule("don42", "10.4")
def test_guns_stay_within_three_points_of_a_road():
    soviet = sov("U", "1,0", "5-1-20", type="artillery")
    infantry = ger("U", "1,0", "4-1-20", type="artillery", division="76Div", corps="51C", motorized=False)
    for gun in (soviet, infantry):
        assert gun_hexes(gun, {}) == {"0,0", "2,0", "3,0", "4,0"}
        assert gun_hexes(gun, {4: "hill"}) == {"0,0", "2,0", "3,0", "4,0"}  # from 4,0: 1 and 1 and 1
        assert gun_hexes(gun, {2: "hill"}) == {"0,0", "2,0", "3,0"}  # from 4,0: 1 and 2 and 1
        assert gun_hexes(gun, {4: "hill"}, options={"road_limit": "road_to_hex"}) == {"0,0", "2,0", "3,0"}
        assert gun_hexes(gun, {}, weather="mud") == {"0,0", "2,0"}
        assert gun_hexes(gun, {}, weather="mud", options={"road_limit": "clear_costs"}) == {"0,0", "2,0", "3,0", "4,0"}
    free = {f"{q},0" for q in range(9)} - {"1,0"}
    assert gun_hexes(sov("U", "1,0", "3-1-20", type="mortar"), {}) == free
    assert gun_hexes(ger("U", "1,0", "5-1-20", type="artillery"), {}) == free  # 16 Panzer


# --- 3.2, 10.2 zones of control --------------------------------------------------------------------------------------

AROUND = {"1,0", "1,-1", "0,-1", "-1,0", "-1,1", "0,1"}


def zone(unit: dict[str, Any], **more: Any) -> set[str]:
    side = unit["side"]
    return set(ask(pos(unit, on=board(2, **more.pop("on", {})), **more), "zoc", side=side)[side]["hexes"])


@pytest.mark.rule("don42", "3.2.a")
@pytest.mark.rule("don42", "3.2.b")
@pytest.mark.rule("don42", "3.2.6")
@pytest.mark.rule("don42", "4.0.d")
@pytest.mark.parametrize("make", [ger, sov])
def test_who_has_a_zone(make):
    assert zone(make("U", "0,0")) == AROUND
    for status in ("DRG", "DPT"):
        assert zone(make("U", "0,0", status=[status])) == AROUND
    assert zone(make("U", "0,0", supply="out of supply")) == AROUND
    assert zone(make("U", "0,0", status=["RTD"])) == set()
    assert zone(make("U", "0,0", "0-1-8", type="hq")) == set()
    assert zone(make("U", "0,0", "5-1-5", type="artillery")) == AROUND


@pytest.mark.rule("don42", "3.2.2.a")
@pytest.mark.rule("don42", "3.2.2.b")
@pytest.mark.rule("don42", "3.2.2.c")
@pytest.mark.rule("don42", "3.2.2.d")
@pytest.mark.parametrize("make", [ger, sov])
def test_zones_and_terrain(make):
    one = make("U", "0,0")
    don = {"sides": {"0,0|1,0": "minor_river"}}
    assert zone(one, on=don) == AROUND - {"1,0"}
    bridged = {**don, "roads": [("minor_road", "0,0 1,0")]}
    assert zone(one, on=bridged) == AROUND
    assert zone(one, on=bridged, destroyed_bridges=["0,0|1,0"]) == AROUND - {"1,0"}
    assert zone(one, on=don, pontoons=[{"hexside": "0,0|1,0"}]) == AROUND
    assert zone(one, on={**don, "roads": [("railroad", "0,0 1,0")]}) == AROUND - {"1,0"}
    assert zone(one, on={"sides": {"0,0|1,0": "major_river"}}) == AROUND - {"1,0"}
    bridge = {"sides": {"0,0|1,0": "major_river"}, "roads": [("major_road", "0,0 1,0")]}
    assert zone(one, on=bridge) == AROUND  # "unbridged" is said of both rivers
    assert zone(one, on={"sides": {"0,0|1,0": "gorge"}}) == AROUND
    assert zone(one, on={"terrain": {"1,0": "city", "0,1": "town", "0,-1": "hill"}}) == AROUND - {"1,0"}
    assert zone(one, on={"terrain": {"0,0": "city", "1,0": "city"}}) == AROUND - {"1,0"}


@pytest.mark.rule("don42", "3.2.3.a")
@pytest.mark.rule("don42", "3.2.3.b")
@pytest.mark.rule("don42", "3.2.3.c")
@pytest.mark.rule("don42", "10.2.a")
@pytest.mark.rule("don42", "10.2.b")
@pytest.mark.rule("don42", "10.2.1.a")
@pytest.mark.rule("don42", "10.2.1.b")
@pytest.mark.rule("don42", "10.2.1.c")
@pytest.mark.rule("don42", "10.5.b")
def test_moving_past_enemies():
    # the enemy at 2,0 holds 1,0 1,1 2,-1 3,-1 3,0 2,1
    def reach(unit: dict[str, Any], foe: dict[str, Any], *others: dict[str, Any]) -> dict[str, Any]:
        return ask(pos(unit, foe, *others, on=board(3)), "moves", unit="U")["reach"]

    free = reach(ger("U", "0,0", "4-4-2"), sov("X", "2,0"))
    assert free["1,0"]["stops"]
    assert not free["0,1"]["stops"]
    assert free["2,-1"]["path"] == ["1,-1", "2,-1"]  # not through the zone at 1,0
    friend = reach(ger("U", "0,0", "4-4-3"), sov("X", "2,0"), ger("F", "1,0"))
    assert friend["1,0"]["stops"]
    # with 1 MP straight from one zone to another: Germans only, and not DRG
    for unit, answer in (
        (ger("U", "1,0", "4-4-1"), True),
        (ger("U", "1,0", "4-4-1", supply="out of supply"), True),
        (ger("U", "1,0", "4-4-1", status=["DRG"]), "10.5"),
        (sov("U", "1,0", "4-4-1"), "10.2"),
    ):
        foe = sov("X", "2,0") if unit["side"] == "german" else ger("X", "2,0")
        found = ask(pos(unit, foe, on=board(3)), "moves", unit="U", to="1,1")
        assert (found["legal"] or found["refusal"]["rule"]) == answer
        if answer is True:
            assert found["stops"]
        out = ask(pos(unit, foe, on=board(3)), "moves", unit="U", to="0,1")
        assert out["legal"]
    # with 2 MPs also a DRG unit gets there, through a hex free of zones
    around = ask(pos(ger("U", "1,0", status=["DRG"]), sov("X", "2,0"), on=board(3)), "moves", unit="U", to="1,1")
    assert around["path"] == ["0,1", "1,1"]


@pytest.mark.rule("don42", "3.2.3.a")
@pytest.mark.rule("don42", "3.2.2.a")
def test_zones_that_do_not_reach_do_not_stop():
    west = {"0,0|1,-1": "minor_river", "0,0|1,0": "minor_river", "0,1|1,0": "minor_river"}
    g = pos(ger("U", "0,2", "4-4-5"), sov("X", "1,0"), on=board(3, sides=west))
    assert ask(g, "moves", unit="U", to="0,-1")["path"] == ["0,1", "0,0", "0,-1"]
    city = board(3, terrain={"0,0": "city"})
    g = pos(ger("U", "-1,0", "4-4-9"), sov("X", "0,1"), on=city)
    found = ask(g, "moves", unit="U")["reach"]
    assert not found["0,0"]["stops"]
    assert found["-1,1"]["stops"]


# --- 3.1 stacking ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("don42", "3.1.3.a")
@pytest.mark.rule("don42", "3.1.3.b1")
@pytest.mark.rule("don42", "3.1.3.b2")
@pytest.mark.rule("don42", "3.1.3.b3")
@pytest.mark.parametrize(
    ("sizes", "legal"),
    [
        ("battalion battalion", True),
        ("battalion battalion hq", True),
        ("battalion battalion battalion", False),
        ("battalion company company company", True),
        ("battalion company company company hq", True),
        ("battalion company company company company", False),
        ("battalion battalion company", False),
        ("company company company", True),
        ("company company company company", False),
        ("regiment", True),
        ("regiment hq", True),
        ("regiment company", False),
        ("regiment battalion", False),
        ("regiment regiment", False),
        ("hq hq", False),
        ("battalion company hq", True),
    ],
)
def test_german_stacks(sizes, legal):
    units = []
    for i, size in enumerate(sizes.split()):
        kind = {"type": "hq", "size": "division"} if size == "hq" else {"type": "infantry", "size": size}
        units.append(ger(f"U{i}", "0,0", "1-1-6", **kind))
    found = ask(pos(*units, on=board(1)), "stacking", hex="0,0")
    assert found["legal"] is legal
    if not legal:
        assert found["refusal"]["rule"] == "3.1.3"
    last = units[-1] | {"at": "1,0"}  # the same asked of a unit that joins the others
    joined = ask(pos(*units[:-1], last, on=board(1)), "stacking", hex="0,0", units=[last["id"]])
    assert joined["legal"] is legal


@pytest.mark.rule("don42", "3.1.2.a")
@pytest.mark.rule("don42", "3.1.2.b")
@pytest.mark.rule("don42", "3.1.c")
def test_soviets_never_stack_and_enemies_never_share():
    two = pos(sov("A", "0,0"), sov("B", "0,0"), on=board(1))
    assert ask(two, "stacking", hex="0,0")["refusal"]["rule"] == "3.1.2"
    hq = pos(sov("A", "0,0"), hq62("1,0"), on=board(1))
    assert ask(hq, "stacking", hex="0,0")["legal"]
    assert ask(hq, "stacking", hex="0,0", units=["HQ62A"])["refusal"]["rule"] == "3.1.2"
    mixed = pos(sov("A", "0,0"), ger("G", "1,0"), on=board(1))
    assert ask(mixed, "stacking", hex="0,0", units=["G"])["refusal"]["rule"] == "3.1"


# --- boards written in a position ------------------------------------------------------------------------------------


def neighbours(at: str, **doc: Any) -> list[str]:
    units = [ger("U", at)]
    raw = msgspec.json.encode({"game": "don42", "units": units, "ask": [{"question": "zoc", "side": "german"}], **doc})
    return list(analyze(raw)["answers"][0]["german"]["hexes"])


def test_a_small_board_has_the_numbering_of_the_game_unless_it_says_otherwise():
    printed = neighbours("2140")
    small = {"hexes": "2035-2045 2135-2145 2235-2245"}
    assert neighbours("2140", board=small) == printed == ["2040", "2041", "2139", "2141", "2240", "2241"]
    other = {**small, "grid": {"shifted": "even", "first_runs": "S", "second_runs": "W"}}
    assert neighbours("2140", board=other) == ["2039", "2040", "2139", "2141", "2239", "2240"]
    axial = {"hexes": {"0,0": {}, "1,0": {}, "1,-1": {}}, "hexsides": {"1,0|0,0": ["minor_river"]}}
    assert neighbours("0,0", board=axial) == ["1,-1"]


LATE = {"turn": "Aug 25 AM"}


def rule_of(found: dict[str, Any]) -> str:
    return str(found["refusal"]["rule"])


@pytest.mark.rule("don42", "10.5.a", "4.3.2.c", "9.2.c", "10.0.a")
def test_the_rule_that_shortens_a_move_is_named():
    def to(at: int, *units: dict[str, Any]) -> str:
        return rule_of(ask(pos(*units, on=row(40), **LATE), "moves", unit="U", to=f"{at},0"))

    assert to(3, ger("U", "0,0", "4-4-6", status=["DRG"])) == "10.5"
    assert to(7, ger("U", "0,0", "4-4-6", status=["DRG"])) == "10.0", "too far for its printed MPs"
    assert to(4, ger("U", "0,0", "4-4-6", type="pz3", supply="OOS")) == "4.3.2"
    hq = sov("HQ62A", "0,0", "0-1-8", type="hq")
    assert to(10, hq, sov("U", "13,0", "4-4-5")) == "9.2"
