"""Chapters 12, 14 and 16 asked of hand-made positions: retreats, advances and supply."""

from __future__ import annotations

from typing import Any

import pytest

from .asked import advance, retreats, strip, supply, why_not_advance
from .helpers import area, rule

A = {"A": "axis 9-8-6 -1,0"}
X = {"X": "soviet 3-5-3 0,0"} | A
AROUND = ("0,0|1,0", "0,0|1,-1", "0,0|0,1", "0,0|0,-1", "0,0|-1,1")
RING = {key: ["major_river"] for key in AROUND}
VOLGA = {key: ["volga"] for key in AROUND}
ALPINE = {key: ["alpine"] for key in AROUND}
MOUNTAINS = dict.fromkeys(("1,0", "1,-1", "0,1", "0,-1", "-1,1"), "mountain")
SECOND = {"-2,2", "-1,2", "0,2", "1,1", "2,0", "2,-1", "2,-2", "1,-2", "0,-2"}
EAST = {"2,0", "2,-1", "1,1"}


@rule("12.1.3a")
@rule("12.2a")
@rule("12.2f")
@rule("12.2g")
@rule("12.2h")
@rule("12.2k")
@pytest.mark.parametrize(
    ("units", "more", "ends"),
    [
        (X, {}, SECOND),
        (X, {"hexsides": RING}, None),
        (X, {"hexsides": RING, "turn": 28}, SECOND),
        (X, {"hexsides": RING, "links": [("rail", "0,0 1,0")]}, EAST),
        (X, {"hexsides": RING, "links": [("secondary", "0,0 1,0")]}, EAST),
        (X | {"F": "soviet 3-5-3 1,0"}, {"hexsides": RING}, EAST),
        (X | {"F": "soviet 0-0-5 1,0 supply"}, {"hexsides": RING}, None),
        (X, {"hexsides": RING | {"0,0|1,0": ["major_river", "ferry"]}}, EAST),
        (X, {"hexsides": VOLGA | {"0,0|1,0": ["volga", "ferry"]}}, None),
        (X, {"hexsides": VOLGA, "links": [("rail", "0,0 1,0")]}, None),
        (X, {"hexsides": VOLGA, "flotilla": "0,0|1,0"}, None),
        (X, {"hexsides": ALPINE}, None),
        (X | {"X": "soviet 3-5-3 0,0 mountain"}, {"hexsides": ALPINE}, SECOND),
        (
            X | {"X": "soviet 7-5-5 0,0 tank"},
            {"terrain": dict.fromkeys(("1,0", "1,-1", "0,1", "0,-1", "-1,1"), "mountain")},
            None,
        ),
        (X | {"B": "axis 0-0-5 1,0 supply"}, {}, SECOND),
    ],
)
def test_two_hexes(units, more, ends):
    found = retreats(units, 2, **more)
    assert (None if found is None else set(found)) == ends


@rule("12.2b")
@rule("12.2c")
@rule("12.2d")
@rule("12.2l")
def test_zones_and_bonds_kill():
    pocket = X | {"B": "axis 9-8-6 1,-2", "C": "axis 9-8-6 1,1"}
    found = retreats(pocket, 2)
    assert found == {"-1,2": "full", "-2,2": "full", "2,-1": "full"}, "0,-1 lies in a bond; two EZOCs kill elsewhere"
    shut = X | {"B": "axis 9-8-6 1,1", "C": "axis 9-8-6 2,-1", "D": "axis 9-8-6 0,-2", "E": "axis 9-8-6 -1,2"}
    assert retreats(shut, 2) is None
    watched = X | {"B": "axis 9-8-6 3,-1"}
    assert "2,0" not in (retreats(watched, 2) or {})
    assert "2,0" in (retreats(watched | {"F": "soviet 3-5-3 2,0"}, 2) or {})
    assert "2,0" not in (retreats(watched | {"F": "soviet 3-5-3 2,0 retreated disrupted"}, 2) or {})


@rule("12.2e")
def test_a_saving_hex():
    found = retreats(X | {"B": "axis 9-8-6 3,-1", "C": "axis 9-8-6 2,1", "D": "axis 9-8-6 1,-3"}, 2)
    assert found is not None
    assert found["-2,2"] == "full"
    assert found.get("0,-3") is None, "it would come through two EZOCs"
    found = retreats(X, 3)
    assert found is not None
    assert found["-3,1"] == found["-2,-1"] == "extra hex", "three hexes lead there only into an EZOC"
    assert found["3,0"] == "full"


@rule("12.1.3b")
def test_supply_comes_before_distance_and_after_life():
    road = {"boxes": [area("E", "soviet", "4,0")], "links": [("primary", "0,0 1,0 2,0 3,0 4,0")], "radius": 5}
    units = {"X": "soviet 3-5-3 -3,0", "A": "axis 9-8-6 -2,-1"}
    found = retreats(units, 2, "-3,0", weather="rain", **road)
    assert found == {"-1,0": "full", "-2,1": "full", "-3,2": "full"}
    assert len(retreats(units, 2, "-3,0", **road) or ()) > 3


@rule("12.1.3c")
def test_a_way_is_bent_only_where_nothing_else_is_left():
    assert retreats(X, 2, board_hexes="0,0 -1,0 1,0 1,-1") == {"1,-1": "bent", "1,0": "bent"}
    assert retreats(X, 2, board_hexes="0,0 -1,0 1,0") is None
    assert retreats(X, 2, board_hexes="0,0 -1,0 1,0 1,-1 2,-1") == {"2,-1": "full"}


@rule("12.1.3d")
@rule("12.1.3e")
def test_paying():
    two = X | {"X": "soviet 3-5-3;1-3-3 0,0"}
    for friend, kind in (
        ("soviet 3-5-3 1,0", "paid"),
        ("soviet 3-5-3 1,0 disrupted", "paid"),
        ("soviet 3-5-3 1,0 retreated", None),
        ("soviet 0-0-5 1,0 supply", None),
    ):
        assert (retreats(two | {"F": friend}, 2) or {}).get("1,0") == kind
    assert "1,0" not in (retreats(X | {"F": "soviet 3-5-3 1,0"}, 2) or {}), "the last step is not paid"
    three = X | {"X": "soviet 6-6-3;4-5-3;2-3-3 0,0", "F": "soviet 3-5-3 1,0", "G": "soviet 3-5-3 2,0"}
    found = retreats(three, 4)
    assert found is not None
    assert found["2,0"] == "paid"
    assert "1,0" not in found, "three hexes would cost three steps"


@rule("12.1.3f")
@pytest.mark.parametrize(
    ("others", "more", "kind"),
    [
        ({}, {"terrain": {"1,0": "minor_city"}, "control": {"1,0": "soviet"}}, "city or fort"),
        ({}, {"terrain": {"1,0": "minor_city"}, "control": {"1,0": "axis"}}, None),
        ({}, {"terrain": {"1,0": "minor_city"}}, None),
        ({"B": "axis 9-8-6 2,0"}, {"terrain": {"1,0": "minor_city"}, "control": {"1,0": "soviet"}}, None),
        (
            {"B": "axis 9-8-6 2,0", "F": "soviet 3-5-3 1,0"},
            {"terrain": {"1,0": "minor_city"}, "control": {"1,0": "soviet"}},
            "city or fort",
        ),
        ({}, {"forts": {"1,0": "soviet"}}, "city or fort"),
        ({}, {"forts": {"1,0": "soviet begun"}}, None),
        ({}, {"forts": {"1,0": "axis"}}, None),
        ({}, {"features": {"1,0": ["fort"]}}, "city or fort"),
        ({}, {"features": {"1,0": ["town"]}}, None),
    ],
)
def test_a_city_or_fort_stops_a_retreat(others, more, kind):
    assert (retreats(X | others, 3, **more) or {}).get("1,0") == kind


@rule("12.2i")
@rule("12.2j")
def test_entry_areas():
    units = {"X": "soviet 3-5-3 4,-2", "A": "axis 9-8-6 3,-2"}
    found = retreats(units, 4, "4,-2", boxes=[area("E", "soviet", "4,-2")])
    assert found is not None
    assert found["E"] == "entry area"
    shut = units | {"B": "axis 9-8-6 3,-1", "C": "axis 9-8-6 4,-3", "D": "axis 9-8-6 4,-1"}
    assert retreats(shut, 2, "4,-2", boxes=[area("E", "axis", "4,-2")]) is None
    assert retreats(shut, 2, "4,-2", boxes=[area("E", "soviet", "4,-2")]) == {"E": "entry area"}


# --- 14 --------------------------------------------------------------------------------------------------------------

TANK = {"A": "axis 9-8-6 -1,0 tank"}


@rule("14.2.1")
@rule("14.2.2a")
@rule("14.2.2b")
@rule("14.2.2c")
@rule("16.4c")
@rule("23.2.3e")
@rule("23.2.4d")
@pytest.mark.parametrize(
    ("unit", "hexes", "more", "allowed"),
    [
        ("axis 9-8-6 -1,0 tank", 4, {}, 4),
        ("axis 9-8-6 -1,0 tank", 2, {}, 2),
        ("axis 9-8-6 -1,0 cavalry", 4, {}, 3),
        ("axis 9-8-6 -1,0 bicycle", 4, {}, 2),
        ("axis 9-8-6 -1,0", 4, {}, 2),
        ("soviet 0-0-3 -1,0 army_hq", 4, {"side": "soviet"}, 2),
        ("soviet 0-0-6 -1,0 army_hq", 4, {"side": "soviet"}, 4),
        ("axis 9-8-6 -1,0 tank oos", 4, {}, 2),
        ("axis 9-8-6 -1,0 tank", 4, {"weather": "snow", "turn": 28}, 3),
        ("axis 9-8-6 -1,0", 2, {"weather": "snow", "turn": 28}, 1),
        ("axis 9-8-6 -1,0", 1, {"weather": "snow", "turn": 28}, 1),
        ("axis 9-8-6 -1,0 tank", 4, {"weather": "rain"}, 2),
        ("axis 9-8-6 -1,0 tank", 3, {"weather": "rain"}, 2),
        ("axis 9-8-6 -1,0 tank", 2, {"weather": "mud"}, 1),
        ("axis 9-8-6 -1,0 tank", 4, {"limited": True, "weather": "rain"}, 1),
    ],
)
def test_allowance(unit, hexes, more, allowed):
    found = advance({"A": unit}, hexes, **more)
    assert found["allowance"]["total"] == allowed
    weather = {"snow": ["23.2.4"], "rain": ["23.2.3"], "mud": ["23.2.3"]}.get(more.get("weather", ""), [])
    told = [i["rule"] for i in found["allowance"]["items"] if i["rule"].startswith("23")]
    assert told == ([] if more.get("limited") or hexes == 1 else weather)


RIVERS = {"-1,0|0,0": "major_river", "0,0|1,0": "major_river", "-1,0|0,-1": "major_river"}
LINE = strip(begin=-2, end=4)
BOND = {"A": "axis 9-8-6 0,-1", "X": "soviet 3-5-3 -1,0", "Y": "soviet 3-5-3 1,0"}


@rule("14.2.3")
@rule("14.3")
@rule("14.4.1")
@rule("14.4.2a")
@rule("14.4.2b")
@rule("14.5a")
@rule("14.5b")
@rule("14.5c")
@rule("14.5d")
@rule("14.5e")
@rule("14.5f")
@pytest.mark.parametrize(
    ("units", "hexes", "to", "more", "refused"),
    [
        (TANK, 4, "-3,0", {}, None),
        (TANK, 4, "4,0", {"radius": 5}, "14.2.1"),
        (TANK, 4, "1,0", {"limited": True}, "14.2.1"),
        (TANK, 4, "-1,1", {"limited": True}, "14.2.3"),
        (TANK, 2, "0,0", {"hexsides": RIVERS}, None),
        (TANK, 1, "0,0", {"hexsides": RIVERS, "first": False}, "14.5"),
        (TANK, 1, "0,-1", {"hexsides": RIVERS}, "14.5"),
        (TANK, 2, "1,0", {"hexsides": RIVERS}, "14.5"),
        (TANK, 2, "1,0", {"hexsides": RIVERS, "turn": 28}, None),
        (TANK, 2, "1,0", {"hexsides": RIVERS, "links": [("rail", "0,0 1,0")]}, None),
        (TANK | {"F": "axis 3-3-3 1,0"}, 2, "1,0", {"hexsides": RIVERS}, None),
        (TANK, 3, "1,0", {"hexsides": {"-1,0|0,0": "minor_river"}}, None),
        (TANK, 2, "1,0", {"terrain": {"0,0": "marsh"}}, "14.5"),
        (TANK, 2, "1,0", {"terrain": {"0,0": "marsh"}, "links": [("primary", "-1,0 0,0")]}, None),
        (TANK, 2, "0,0", {"terrain": {"0,0": "mountain"}}, "14.5"),
        (TANK, 2, "1,0", {"terrain": {"0,0": "mountain"}, "links": [("primary", "-1,0 0,0")]}, None),
        (A, 2, "0,0", {"terrain": {"0,0": "mountain"}}, None),
        (A, 2, "1,0", {"terrain": {"0,0": "mountain"}}, "14.5"),
        (A, 2, "1,0", {"terrain": {"0,0": "wooded_rough"}}, None),
        (A, 2, "1,0", {"terrain": {"0,0": "major_city"}}, None),
        (A | {"X": "soviet 3-5-3 0,-1"}, 2, "1,0", {"board_hexes": "-1,0 0,0 1,0 0,-1"}, None),
        (A | {"X": "soviet 3-5-3 0,-1"}, 2, "1,0", {"board_hexes": "-1,0 0,0 1,0 0,-1", "vacated": "-1,0"}, "14.4.2"),
        (BOND, 2, "0,0", {}, None),
        (BOND, 2, "0,0", {"vacated": "1,-1"}, "14.4.1"),
        (A | {"X": "soviet 3-5-3 1,0"}, 4, "1,0", {}, "5.1"),
        ({"A": "axis 9-8-6 -1,0 tank"} | dict.fromkeys("BCD", "axis 3-3-3 1,0"), 2, "1,0", {}, "14.1"),
        ({"A": "axis 9-8-6 4,-1 tank"}, 2, "E", {"vacated": "4,-2", "boxes": [area("E", "soviet", "4,-1")]}, "22.4"),
        ({"A": "axis 9-8-6 4,-1 tank"}, 2, "E", {"vacated": "4,-2", "boxes": [area("E", "axis", "4,-1")]}, None),
    ],
)
def test_where_an_advance_leads(units, hexes, to, more, refused):
    assert why_not_advance(units, hexes, to, **more) == refused


@rule("14.1b")
def test_who_may_come_along():
    for state, rule_ in (("disrupted", "14.1"), ("full_retreat", "14.1"), ("replaced", "21.4"), ("attacked", "14.1")):
        found = advance({"A": f"axis 9-8-6 -1,0 {state}"}, 2)["idle"]
        assert not found["may_advance"]
        assert found["refusal"]["rule"] == rule_
    assert advance(A, 2)["idle"]["may_advance"]


# --- 16 --------------------------------------------------------------------------------------------------------------

AREA = {"boxes": [area("Z", "axis", "-4,0")]}
ROAD = "4,0 3,0 2,0 1,0 0,0 -1,0 -2,0 -3,0 -4,0"
ON_ROAD: dict[str, Any] = AREA | {"links": [("secondary", ROAD)], "hexes": strip("0,1", "-1,1", "1,1")}


def at(place: str) -> dict[str, str]:
    return {"A": f"axis 3-5-3 {place}"}


BONDED = {"X": "soviet 3-5-3 -2,-1", "Y": "soviet 3-5-3 -2,1"}


@rule("16.3.1")
@rule("16.3.2a")
@rule("16.3.2b")
@rule("16.3.2c")
@rule("16.3.2d")
@rule("16.3.2e")
@rule("16.3.2f")
@rule("16.3.3a")
@rule("16.3.3c")
@rule("16.3.3d")
@rule("16.3.4b")
@rule("23.2.3f")
@rule("16.5.1a")
@pytest.mark.parametrize(
    ("units", "more", "state"),
    [
        (at("1,0"), {}, "in supply"),
        (at("2,0"), {}, "out of supply"),
        (at("-1,0"), {"weather": "rain"}, "in supply"),
        (at("0,0"), {"weather": "rain"}, "out of supply"),
        (at("9,0"), ON_ROAD, "in supply"),
        (at("10,0"), ON_ROAD, "out of supply"),
        (at("7,0"), ON_ROAD | {"weather": "mud"}, "in supply"),
        (at("8,0"), ON_ROAD | {"weather": "mud"}, "out of supply"),
        (at("8,0") | {"X": "soviet 3-5-3 0,1"}, ON_ROAD, "isolated"),
        (at("8,0") | {"X": "soviet 3-5-3 0,1", "F": "axis 3-5-3 0,0"}, ON_ROAD, "out of supply"),
        (at("8,0") | {"X": "soviet 3-5-3 0,1", "F": "axis 3-5-3 0,0", "G": "axis 3-5-3 1,0"}, ON_ROAD, "in supply"),
        (at("8,0") | {"X": "soviet 3-5-3 0,1 train"}, ON_ROAD, "in supply"),
        (at("8,0") | {"X": "soviet 3-5-3 0,0 train"}, ON_ROAD, "out of supply"),
        (at("8,0") | {"X": "soviet 0-0-5 0,0 supply"}, ON_ROAD, "in supply"),
        (at("0,0") | {"X": "soviet 3-5-3 0,-1"}, {"hexes": strip("0,-1")}, "in supply"),
        (at("1,0") | {"X": "soviet 3-5-3 -1,-1"}, {"hexes": strip("-1,-1")}, "isolated"),
        (at("1,0") | {"X": "soviet 3-5-3 -1,-1", "F": "axis 3-5-3 -1,0"}, {"hexes": strip("-1,-1")}, "in supply"),
        (at("0,0"), {"terrain": {"-1,0": "marsh"}}, "in supply"),
        (at("0,0"), {"terrain": {"-1,0": "marsh", "-2,0": "mountain"}}, "out of supply"),
        (at("1,0"), {"terrain": {"-1,0": "marsh"}}, "out of supply"),
        (at("1,0"), {"terrain": {"-1,0": "marsh"}, "links": [("secondary", "0,0 -1,0")]}, "in supply"),
        (at("0,0"), {"hexsides": {"-1,0|0,0": "volga"}}, "in supply"),
        (at("0,0"), {"hexsides": {"-1,0|0,0": "major_river"}}, "in supply"),
        (at("0,0"), {"hexsides": {"-1,0|0,0": "impassable"}}, "isolated"),
        (at("0,0"), {"hexsides": {"-1,0|0,0": "lake"}}, "isolated"),
        (at("0,0"), {"hexsides": {"-1,0|0,0": "alpine"}}, "isolated"),
        (at("0,0"), {"hexsides": {"-1,0|0,0": "alpine"}, "links": [("secondary", "0,0 -1,0")]}, "in supply"),
        (
            at("0,0") | {"X": "soviet 3-5-3 -2,-1", "Y": "soviet 3-5-3 -2,1"},
            {"hexes": strip("-2,-1", "-2,1")},
            "isolated",
        ),
        (at("0,0") | {"X": "soviet 3-5-3 -2,0 full_retreat"}, {}, "isolated"),
        (at("0,0"), {"terrain": {"-2,0": "minor_city"}, "control": {"-2,0": "soviet"}}, "isolated"),
        (at("0,0"), {"terrain": {"-2,0": "minor_city"}, "control": {"-2,0": "axis"}}, "in supply"),
        (at("0,0"), {"vp": {"-2,0": 1}, "control": {"-2,0": "soviet"}}, "isolated"),
        (at("0,0"), {"features": {"-2,0": ["town"]}}, "in supply"),
        (at("0,0"), {"boxes": [area("E", "soviet", "-4,0")]}, "isolated"),
    ],
)
def test_lines_of_supply(units, more, state):
    board = {name: dict(value) for name, value in more.get("hexes", strip()).items()}
    assert supply(units, **(AREA | more | {"hexes": board}))["state"] == state


PORT = {"features": {"4,0": ["port"]}}


@rule("16.2.1")
@rule("16.2.3")
def test_ports_supply_along_a_road():
    def state(side: str, sea: str, *, road: bool = True) -> str:
        board = strip(begin=4, end=8) | {"4,0": {"features": ["port"], "sea": sea}}
        links = [("secondary", "6,0 5,0 4,0")] if road else []
        return str(supply({"A": f"{side} 3-5-3 7,0"}, hexes=board, links=links, control={"4,0": side})["state"])

    assert state("soviet", "black") == "in supply"
    assert state("soviet", "black", road=False) == "isolated"
    assert state("axis", "black") == "isolated"
    assert state("soviet", "azov") == state("axis", "azov") == "isolated", "nobody holds Temryuk"


POCKET: dict[str, Any] = {"hexes": "7,0 8,0 9,0 10,0"}
RAIL = {"hexes": "7,0 8,0 9,0 10,0 4,0 5,0", "links": [("rail", "4,0 5,0")], "boxes": [area("Z", "axis", "4,0")]}
X7 = {"X": "soviet 3-5-3 7,0"}


@rule("16.5.1b")
@rule("16.5.1c")
@rule("16.5.4a")
@rule("16.5.4b")
@rule("16.5.4c")
@rule("16.5.4d")
@rule("16.5.4e")
@rule("23.2.4b")
@pytest.mark.parametrize(
    ("units", "more", "suffers", "modifier"),
    [
        (at("8,0") | X7, {}, True, 1),
        (at("8,0") | X7, RAIL | {"repaired": "all"}, True, 2),
        (at("8,0") | X7, RAIL | {"repaired": "all", "weather": "snow", "turn": 28}, True, 1),
        (at("8,0") | X7, {"hexes": "7,0 8,0 9,0"}, True, 1),
        (at("8,0") | X7, {"hexes": "7,0 8,0"}, True, 0),
        (at("8,0") | {"X": "soviet 3-5-3 7,0", "Y": "soviet 3-5-3 10,0"}, {}, True, 0),
        (at("8,0") | X7, {"terrain": {"9,0": "rough", "10,0": "woods"}}, True, 0),
        (at("8,0") | X7, {"terrain": {"9,0": "rough", "10,0": "woods"}, "features": {"9,0": ["landmark"]}}, True, 1),
        (at("8,0") | X7 | {"H": "axis S-(1)-5 9,0 hq"}, {}, True, 2),
        (at("8,0") | X7, {"terrain": {"9,0": "minor_city"}, "control": {"9,0": "axis"}}, True, 2),
        (at("8,0") | X7, {"terrain": {"8,0": "desert"}}, True, 0),
        ({"A": "soviet 3-5-3 8,0", "X": "axis 3-5-3 7,0"}, {}, True, 0),
        (at("9,0") | X7, {}, False, 1),
        (at("8,0") | {"X": "soviet 3-5-3 7,0 full_retreat"}, {}, True, 1),
        (at("8,0") | {"X": "soviet 0-0-5 7,0 supply"}, {}, False, 1),
        (at("8,0") | X7, {"hexsides": {"7,0|8,0": "volga"}}, False, 1),
        ({"A": "axis S-(1)-5 8,0 hq"} | X7, {}, False, 2),
    ],
)
def test_isolation(units, more, suffers, modifier):
    found = supply(units, **(POCKET | more))
    assert found["state"] == "isolated"
    assert found["attrition"] == suffers
    assert found["attrition_modifier"]["total"] == modifier
