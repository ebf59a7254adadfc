"""Chapters 4 to 7 asked of hand-made positions."""

from __future__ import annotations

import pytest

from .asked import asked, bonds, excess, move, strip, zoc
from .helpers import RIVER, area, rule

S = "soviet 3-5-3 0,0"
FREE = "soviet 1-2-3 0,0 free"
CORPS = "soviet 7-5-5 0,0 tank black size=corps"


@rule("4.1a")
@rule("4.1b")
@rule("4.2b")
@rule("4.2c")
@rule("4.3a")
@rule("4.3c")
@pytest.mark.parametrize(
    ("units", "side", "over"),
    [
        ({"a": S, "b": S, "f": FREE}, "soviet", 0),
        ({"a": S, "b": S, "f": FREE, "g": FREE}, "soviet", 1),
        ({"a": S, "f": FREE, "g": FREE}, "soviet", 0),
        ({"a": S, "b": S, "c": S}, "soviet", 1),
        ({"a": S, "b": S, "c": S, "f": FREE, "H": "soviet 0-0-3 0,0 army_hq"}, "soviet", 0),
        ({"a": CORPS, "b": CORPS, "c": CORPS, "H": "soviet 0-0-3 0,0 army_hq"}, "soviet", 1),
        ({"a": CORPS, "b": CORPS, "c": S, "H": "soviet 0-0-3 0,0 army_hq"}, "soviet", 0),
        ({"a": CORPS, "b": CORPS, "c": CORPS, "H": "soviet 0-0-6 0,0 army_hq"}, "soviet", 0),
        ({"a": S, "b": S, "c": "soviet S-(1)-3 0,0 front", "d": "soviet S-(1)-3 0,0 artdiv"}, "soviet", 0),
        ({"a": S, "b": S, "c": "soviet 0-0-5 0,0 supply"}, "soviet", 0),
        (dict.fromkeys("abc", "axis 3-5-3 0,0"), "axis", 0),
        (dict.fromkeys("abcd", "axis 3-5-3 0,0"), "axis", 1),
        (dict.fromkeys("abc", "axis 3-5-3 0,0") | {"t": "axis 3-5-3 0,0 train"}, "axis", 1),
    ],
)
def test_stacking(units, side, over):
    assert excess(units, side) == over


X = {"X": "soviet 3-5-3 0,0"}


@rule("5.3b")
@rule("5.3c")
@rule("5.3d")
@rule("6.2a")
@rule("6.2d")
@pytest.mark.parametrize(
    ("unit", "others", "to", "mode", "found"),
    [
        ("axis 3-5-3 -4,0", {}, "-1,0", "", ("normal", 3)),
        ("axis 3-5-3 -4,0", {}, "2,0", "", ("extended", 6)),
        ("axis 3-5-3b -4,0", {}, "0,0", "", "5.3"),
        ("axis 3-5-3 -4,0", {"X": "soviet 3-5-3 1,0"}, "0,0", "", "5.3"),
        ("axis 3-5-3 -4,0", {"X": "soviet 3-5-3 1,0"}, "0,0", "extended", "5.3"),
        ("axis 3-5-3 -4,0", X | {"X": "soviet 3-5-3 0,0 full_retreat"}, "-1,0", "extended", "5.3"),
        ("axis 3-5-3 -4,0", {"X": "soviet 0-0-5 1,0 supply"}, "0,0", "", ("extended", 4)),
        ("axis 3-5-4 -1,0", X, "-4,0", "extended", ("extended", 5)),
        ("axis 3-5-6 -1,0", X, "-1,1", "extended", "5.3"),
        ("axis 3-5-3 -1,0", X, "-1,1", "", ("normal", 3)),
        ("axis 3-5-2 -1,0", X, "-1,1", "", ("tactical", 1)),
        ("axis 3-5-3 -1,0", X, "-2,2", "", ("tactical", 2)),
        ("axis 3-5-3 -1,0", {"X": "soviet 3-5-3 0,0", "Y": "soviet 3-5-3 0,1"}, "-1,2", "tactical", "6.2"),
        ("axis 3-5-6 -2,0", {"B": "axis 3-5-3 0,0", "X": "soviet 3-5-3 1,0"}, "0,0", "", ("normal", 2)),
    ],
)
def test_zones_and_kinds_of_movement(unit, others, to, mode, found):
    assert move({"A": unit} | others, to, mode) == found


@rule("5.1b")
def test_a_stack_moves_at_the_rate_of_its_slowest_unit():
    units = {"A": "axis 8-8-6 -4,0 tank", "B": "axis 3-5-3 -4,0"}
    found = asked(units, "moves", {"units": ["A", "B"], "to": "0,0", "mode": "normal"})
    assert found["refusal"]["rule"] == "5.1"
    assert "B: it has 3 MPs left, but Extended Movement leads there" in found["refusal"]["reason"]


@rule("5.5.2a")
@rule("5.5.2b")
@rule("5.5.4a")
@rule("5.5.4b")
@rule("5.5.4c")
@rule("5.5.5a")
@rule("5.5.5b")
@rule("5.5.5c")
@rule("5.5.5f")
@rule("5.5.6")
@pytest.mark.parametrize(
    ("unit", "others", "more", "to", "found"),
    [
        ("axis 3-5-6 -1,0", {}, {}, "1,0", "5.5.2"),
        ("axis 3-5-3 0,0", {}, {}, "1,0", ("normal", 3)),
        ("axis 8-8-6 0,0 tank", {}, {}, "1,0", ("normal", 4)),
        ("axis 8-8-6 0,0 tank", {}, {}, "3,0", ("normal", 6)),
        ("axis 3-5-1 0,0", {}, {}, "1,0", ("tactical", 1)),
        ("axis 3-5-6 -2,0", {"B": "axis 3-5-3 0,0", "C": "axis 3-5-3 1,0"}, {}, "1,0", ("normal", 5)),
        ("axis 3-5-6 -2,0", {"C": "axis 3-5-3 1,0 disrupted oos"}, {}, "1,0", ("normal", 5)),
        ("axis 3-5-6 -2,0", {"C": "axis 0-0-5 1,0 supply"}, {}, "1,0", "5.5.2"),
        ("axis 0-0-5 -1,0 supply", {"C": "axis 3-5-3 1,0"}, {}, "1,0", "5.5.2"),
        ("axis 0-0-5 -1,0 supply", {"B": "axis 3-5-3 0,0", "C": "axis 3-5-3 1,0"}, {}, "1,0", ("normal", 5)),
        ("axis 3-5-6 -1,0", {}, {"links": [("rail", "-1,0 0,0 1,0")]}, "1,0", ("normal", 3)),
        ("axis 3-5-6 -1,0 tank", {}, {"links": [("rail", "-1,0 0,0 1,0")]}, "1,0", ("normal", 4)),
        ("axis 3-5-6 -1,0 tank", {}, {"links": [("secondary", "-1,0 0,0 1,0")]}, "1,0", ("normal", 1)),
        ("axis 3-5-6 -1,0", {}, {"hexsides": RIVER | {"0,0|1,0": ["major_river", "ferry"]}}, "1,0", ("normal", 4)),
        ("axis 3-5-6 -1,0", {}, {"turn": 28}, "1,0", ("normal", 3)),
        ("axis 8-8-6 -1,0 tank", {}, {"turn": 28}, "1,0", ("normal", 4)),
    ],
)
def test_major_rivers(unit, others, more, to, found):
    assert move({"A": unit} | others, to, **({"hexsides": RIVER} | more)) == found


@rule("5.5.1a")
@rule("5.5.1b")
@rule("23.2.3c")
@pytest.mark.parametrize(
    ("weather", "minor", "secondary", "primary"),
    [("clear", 1, 0.5, 0.5), ("overcast", 1, 0.5, 0.5), ("rain", 2, 1, 0.5), ("mud", 2, 1, 0.5)],
)
def test_wet_weather(weather, minor, secondary, primary):
    far = {"hexes": "0,0 1,0", "weather": weather}
    assert move({"A": "axis 3-5-3 0,0"}, "1,0", hexsides={"0,0|1,0": "minor_river"}, **far) == ("normal", minor)
    tank = {"A": "axis 8-8-6 0,0 tank"}
    assert move(tank, "1,0", links=[("secondary", "0,0 1,0")], **far) == ("normal", secondary)
    assert move(tank, "1,0", links=[("primary", "0,0 1,0")], **far) == ("normal", primary)


@rule("5.5.3a")
@rule("5.5.3b")
@rule("5.5.3d")
def test_the_volga():
    two = {"hexes": "0,0 1,0"}
    soviet, axis = {"A": "soviet 3-5-3 0,0"}, {"A": "axis 3-5-3 0,0"}
    volga, ferry = {"0,0|1,0": ["volga"]}, {"0,0|1,0": ["volga", "ferry"]}
    assert move(soviet, "1,0", side="soviet", hexsides=volga, **two) == "5.5.3"
    assert move(soviet, "1,0", side="soviet", hexsides=ferry, **two) == ("normal", 3)
    assert move(axis, "1,0", hexsides=ferry, **two) == ("normal", 3)
    assert move(soviet, "1,0", side="soviet", hexsides=volga, flotilla="0,0|1,0", **two) == ("normal", 3)
    assert move(axis, "1,0", hexsides=volga, flotilla="0,0|1,0", **two) == "5.5.3"


@rule("6.1a")
@rule("6.1b")
@rule("6.1c")
def test_where_zones_reach():
    around = {"1,0", "1,-1", "0,-1", "-1,0", "-1,1", "0,1"}
    assert zoc(X, radius=2) == around
    closed = {"0,0|1,0": "volga", "0,0|-1,0": "impassable", "0,0|0,1": "lake", "0,0|0,-1": "major_river"}
    assert zoc(X, radius=2, hexsides=closed) == around - {"1,0", "-1,0", "0,1"}
    assert zoc(X, radius=2, hexsides={"0,0|1,0": ["volga", "ferry"]}) == around - {"1,0"}
    alpine = {"0,0|1,0": "alpine"}
    assert zoc(X, radius=2, hexsides=alpine, turn=27) == around
    assert zoc(X, radius=2, hexsides=alpine, turn=28) == around - {"1,0"}
    lake = {"0,0|1,0": "lake"}
    assert zoc(X, radius=2, hexsides=lake, turn=28) == around - {"1,0"}, "only lakes that touch desert freeze"
    assert zoc(X, radius=2, hexsides=lake, turn=28, terrain={"1,0": "desert"}) == around
    assert zoc(X, radius=2, hexsides=lake, turn=27, terrain={"1,0": "desert"}) == around - {"1,0"}
    for state in ("disrupted", "oos", "free"):
        assert zoc({"X": f"soviet 3-5-3 0,0 {state}"}, radius=2) == around
    assert zoc({"X": "soviet S-(1)-5 0,0 front"}, radius=2) == around
    for text in ("soviet 3-5-3 0,0 train", "soviet 3-5-3 0,0 full_retreat", "soviet 0-0-5 0,0 supply"):
        assert zoc({"X": text}, radius=2) == set()


W, E = "soviet 3-5-3 -1,0", "soviet 3-5-3 1,0"
HEX = [("hex", "-1,0", "1,0")]
SIDE = [("hexside", "0,0", "1,1")]
DIAGONAL = {"X": "soviet 3-5-3 0,0", "Y": "soviet 3-5-3 1,1"}
TWO_RIVERS = {"-1,0|0,0": "major_river", "0,0|1,0": "major_river"}


@rule("7.1a")
@rule("7.1b")
@rule("7.3a")
@rule("7.3b")
@rule("7.6.1a")
@rule("7.6.1b")
@rule("7.6.1c")
@rule("7.6.1d")
@pytest.mark.parametrize(
    ("units", "more", "found"),
    [
        ({"X": W, "Y": E}, {}, HEX),
        (DIAGONAL, {}, SIDE),
        ({"X": W, "Y": "soviet 3-5-3 0,0"}, {}, []),
        ({"X": W + " oos", "Y": E}, {}, HEX),
        ({"X": W + " disrupted", "Y": E}, {}, []),
        ({"X": W + " free", "Y": E}, {}, []),
        ({"X": W + " free", "Z": W + " free", "Y": E}, {}, HEX),
        ({"X": W + " free", "Z": W + " free disrupted", "Y": E}, {}, []),
        ({"X": W + " free", "Z": "soviet S-(1)-3 -1,0 front", "Y": E}, {}, HEX),
        ({"X": W, "Y": E, "A": "axis 3-5-3 0,0"}, {}, []),
        ({"X": W, "Y": E, "A": "axis 3-5-3 0,0 full_retreat"}, {}, []),
        ({"X": W, "Y": E, "A": "axis 0-0-5 0,0 supply"}, {}, HEX),
        (DIAGONAL | {"A": "axis 3-5-3 1,0"}, {}, SIDE),
        (DIAGONAL | {"A": "axis 3-5-3 1,0", "B": "axis 3-5-3 0,1"}, {}, []),
        (DIAGONAL | {"A": "axis 3-5-3 1,0", "B": "axis 0-0-5 0,1 supply"}, {}, SIDE),
        ({"X": W, "Y": E}, {"hexsides": TWO_RIVERS}, []),
        ({"X": W, "Y": E}, {"hexsides": TWO_RIVERS, "links": [("primary", "-1,0 0,0 1,0")]}, []),
        ({"X": W, "Y": E}, {"hexsides": TWO_RIVERS, "turn": 28}, HEX),
        ({"X": W, "Y": E}, {"hexsides": TWO_RIVERS | {"0,0|1,0": "minor_river"}}, HEX),
        ({"X": W, "Y": E}, {"hexsides": {"-1,0|0,0": "volga"}}, []),
        ({"X": W, "Y": E}, {"hexsides": {"-1,0|0,0": ["volga", "ferry"]}}, []),
        ({"X": W, "Y": E}, {"hexsides": {"-1,0|0,0": "lake"}}, []),
        ({"X": W, "Y": E}, {"hexsides": {"-1,0|0,0": "alpine"}}, HEX),
        ({"X": W, "Y": E}, {"hexsides": {"-1,0|0,0": "alpine"}, "turn": 28}, []),
        (DIAGONAL, {"hexsides": {"0,0|1,0": "lake"}}, SIDE),
        (DIAGONAL, {"hexsides": {"0,0|1,0": "lake", "0,1|1,1": "volga"}}, []),
        (DIAGONAL, {"hexsides": {"0,0|1,0": "major_river", "1,0|1,1": "major_river"}}, SIDE),
        (
            DIAGONAL | {"A": "axis 3-5-3 0,1"},
            {"hexsides": {"0,0|1,0": "major_river", "1,0|1,1": "major_river"}},
            [],
        ),
        (DIAGONAL | {"A": "axis 3-5-3 0,1"}, {"hexsides": {"0,0|1,0": "major_river"}}, SIDE),
    ],
)
def test_bonds(units, more, found):
    assert bonds(units, **more) == found


@rule("7.5a")
@rule("7.5b")
@rule("7.6.2")
def test_bonds_with_the_map_edge():
    edge = area("E", "soviet", "4,-4 4,-3 4,-2 4,-1 4,0")
    units = {"X": "soviet 3-5-3 3,-1"}
    assert bonds(units, boxes=[edge]) == [("hexside", "3,-1", "map edge")]
    assert bonds({"X": "soviet 3-5-3 4,-2"}, boxes=[edge]) == []
    assert bonds({"X": "soviet 3-5-3 3,-1 disrupted"}, boxes=[edge]) == []
    assert bonds({"X": "soviet 3-5-3 3,-1 free"}, boxes=[edge]) == []
    assert bonds(units, boxes=[edge | {"side": "axis"}]) == []
    assert bonds(units) == []


@rule("7.2a")
@rule("7.3c")
@pytest.mark.parametrize(
    ("units", "to", "mode", "found"),
    [
        ({"X": W, "Y": E, "A": "axis 3-5-6 0,-1"}, "0,0", "", "7.2"),
        (DIAGONAL | {"A": "axis 3-5-6 1,0"}, "0,1", "", "7.2"),
        ({"X": W, "Y": E, "A": "axis 3-5-6 0,0"}, "0,1", "", ("normal", 3)),
        ({"X": W, "Y": E, "A": "axis 3-5-6 0,-1", "B": "axis 3-5-3 0,0"}, "0,0", "", ("normal", 3)),
        ({"X": W, "Y": E, "A": "axis 3-5-6 0,-1", "B": "axis 3-5-3 0,0"}, "0,1", "tactical", "6.2"),
        ({"X": W, "Y": E, "A": "axis 3-5-6 0,-1", "B": "axis 3-5-3 0,1"}, "0,0", "", "7.2"),
    ],
)
def test_bonds_close_the_way(units, to, mode, found):
    assert move(units, to, mode) == found


@rule("6.2c")
def test_leaving_a_zone_by_road():
    units = {"A": "axis 8-8-6 0,0 tank", "X": "soviet 3-5-3 1,0"}
    assert move(units, "-1,0", links=[("primary", "-1,0 0,0")]) == ("normal", 2.5)
    assert move(units, "-1,0", hexes=strip()) == ("normal", 3)
