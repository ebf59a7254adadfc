"""Chapters 8, 9, 18, 20 and 23.4 asked of hand-made positions: strengths, shifts, columns and refusals of attacks."""

from __future__ import annotations

from typing import Any

import pytest

from .asked import Fight, strip
from .helpers import area, rule

PZ = "axis 10-8-6 1,0 tank red"
INF = "axis 10-8-6 1,0"
TC = "soviet 7-5-5 {} tank black size=corps"
X = {"X": "soviet 3-5-3 0,0"}
MINOR = {"0,0|1,0": "minor_river"}
MAJOR = {"0,0|1,0": "major_river"}
SOV: dict[str, Any] = {"side": "soviet"}


def there(word: str, **more: Any) -> dict[str, Any]:
    return {"terrain": {"0,0": word}} | more


@rule("9.2.1a")
@rule("9.2.1b")
@rule("9.2.2a")
@rule("9.2.2b")
@rule("9.2.3a")
@rule("9.2.3b")
@rule("9.2.3c")
@rule("9.2.3d")
@rule("9.2.4a")
@rule("9.2.4b")
@rule("9.9a")
@rule("9.7.1a")
@rule("9.7.1b")
@rule("13.2.1d")
@pytest.mark.parametrize(
    ("units", "more", "shift"),
    [
        ({"A": PZ} | X, {}, 2),
        ({"A": PZ, "X": TC.format("0,0")}, {}, 1),
        ({"A": PZ, "X": TC.format("0,0") + " disrupted"}, {}, 1),
        ({"A": PZ, "X": TC.format("0,0") + " full_retreat", "Y": "soviet 3-5-3 0,0"}, {}, 2),
        ({"A": PZ, "X": TC.format("0,0") + " train"}, {}, 2),
        ({"A": PZ, "X": "soviet 3-5-3 0,0 white"}, {}, 1),
        ({"A": "axis 10-8-6 1,0 tank black", "X": "soviet 3-5-3 0,0 white"}, {}, 0),
        ({"A": "axis 10-8-6 1,0 white", "X": TC.format("0,0")}, {}, -1),
        ({"A": TC.format("1,0"), "X": "axis 3-4-3 0,0 white"}, SOV, 0),
        ({"A": TC.format("1,0"), "X": "axis 10-4-6 0,0 tank red"}, SOV, -1),
        ({"A": TC.format("1,0"), "X": "axis 10-2-6 0,0 tank red"}, SOV | {"hexsides": MINOR}, -1),
        ({"A": INF, "X": TC.format("0,0")}, {"hexsides": MINOR}, -1),
        ({"A": PZ, "X": TC.format("0,0")}, {"hexsides": MINOR}, 0),
        ({"A": PZ} | X, {"hexsides": MINOR}, 0),
        ({"A": PZ} | X, {"terrain": {"1,0": "marsh"}}, 0),
        ({"A": PZ, "B": "axis 5-5-5 -1,0 tank black"} | X, {"hexsides": MINOR, "names": "A B"}, 1),
        ({"A": PZ, "B": "axis 5-5-5 -1,0"} | X, {"hexsides": MINOR, "names": "A B"}, 0),
        ({"A": PZ} | X, there("rough"), 1),
        ({"A": PZ} | X, there("woods"), 0),
        ({"A": PZ} | X, there("wooded_rough"), -1),
        ({"A": PZ} | X, there("marsh"), 0),
        ({"A": PZ} | X, there("major_city"), 0),
        ({"A": PZ} | X, there("minor_city"), 0),
        ({"A": PZ} | X, there("mountain", links=[("primary", "1,0 0,0")]), 0),
        ({"A": PZ} | X, there("desert"), 2),
        ({"A": PZ} | X, {"features": {"0,0": ["town"]}}, 2),
        ({"A": PZ} | X, there("rough", forts={"0,0": "soviet"}), -2),
        ({"A": PZ} | X, {"forts": {"0,0": "soviet"}}, -1),
        ({"A": PZ} | X, {"forts": {"0,0": "soviet begun"}}, 2),
        ({"A": PZ} | X, {"features": {"0,0": ["fort"]}}, -1),
        ({"A": TC.format("1,0"), "X": "axis 4-6-3 0,0"}, SOV | {"features": {"0,0": ["fort"]}}, 1),
    ],
)
def test_shifts(units, more, shift):
    names = more.get("names", "A")
    assert Fight(units, names, **{k: v for k, v in more.items() if k != "names"}).shift == shift


@rule("8.5.1")
@rule("8.5.2")
@rule("9.1a")
@rule("9.1b")
@rule("9.1c")
@rule("9.5.1a")
@rule("9.5.1b")
@rule("9.5.2")
@rule("9.5.4a")
@rule("9.6.1a")
@rule("9.6.1b")
@rule("9.6.2a")
@rule("9.6.3")
@rule("9.8a")
@rule("12.4a")
@rule("13.2.1c")
@rule("20.2b")
@rule("20.9a")
@rule("23.2.3b")
@pytest.mark.parametrize(
    ("units", "more", "ratio"),
    [
        ({"A": "axis 9-8-6 1,0 oos", "X": "soviet 1-1-3 0,0"}, {"hexsides": MAJOR}, (3, 2)),
        ({"A": INF, "X": "soviet 7-5-5 0,0 tank size=corps"}, there("major_city"), (10, 5)),
        ({"A": INF, "X": "soviet 7-5-5 0,0 mechanized size=corps"}, there("minor_city"), (10, 10)),
        ({"A": INF, "X": "soviet 2-2-5 0,0 tank size=brigade"}, there("minor_city"), (10, 4)),
        ({"A": "soviet 30-5-3 1,0", "X": "axis 10-8-6 0,0 tank"}, SOV | there("minor_city"), (30, 16)),
        ({"A": "soviet 30-5-3 1,0", "X": "axis 2-3-6 0,0 sturmgeschuetz"}, SOV | there("minor_city"), (30, 3)),
        ({"A": INF, "X": "soviet S-(2)-3 0,0 front"}, there("minor_city"), (10, 2)),
        ({"A": INF, "X": "soviet 3-5-3 0,0 disrupted"}, there("minor_city"), (10, 6)),
        ({"A": INF, "X": "soviet 4-6-3 0,0", "Y": "soviet 4-6-3 0,0"}, there("major_city"), (10, 20)),
        (dict.fromkeys("AB", PZ) | dict.fromkeys("CDE", "axis 10-8-6 0,1") | X, {"names": "A B C D E"}, (40, 5)),
        ({"A": INF, "B": "axis 9-8-6 0,1"} | X, {"hexsides": MINOR, "terrain": {"0,1": "marsh"}}, (19, 10)),
        ({"A": INF, "B": "axis 9-8-6 -1,0"} | X, {"hexsides": MINOR}, (19, 5)),
        ({"A": "axis 9-8-6 1,0"} | X, {"hexsides": {"0,0|1,0": ["volga", "ferry"]}}, (5, 10)),
        ({"A": INF} | X, there("marsh"), (10, 10)),
        ({"A": INF} | X, there("seasonal_marsh"), (10, 5)),
        ({"A": INF} | X, there("seasonal_marsh", seasonal_marsh="marsh"), (10, 10)),
        ({"A": INF} | X, there("seasonal_marsh", weather="rain"), (10, 10)),
        ({"A": INF, "X": "soviet 4-5-3 0,0", "Y": "soviet 7-6-5 0,0 tank"}, there("mountain"), (10, 16)),
        ({"A": "axis 5-5-4 1,0 mountain"} | X, there("mountain"), (10, 10)),
        ({"A": "axis 5-5-4 1,0 mountain"} | X, there("rough"), (5, 5)),
        ({"A": "axis 5-5-4 1,0 mountain"} | X, there("mountain", hexsides={"0,0|1,0": "alpine"}), (5, 10)),
        ({"A": "soviet 5-5-4 1,0 mountain", "X": "axis 3-5-3 0,0"}, SOV | there("mountain"), (5, 10)),
        ({"A": "axis 4[8]-4-3 1,0 engineer doubled=city"} | X, there("minor_city"), (8, 10)),
        ({"A": "axis 5-4-3 1,0 engineer doubled=city"} | X, there("minor_city", hexsides=MAJOR), (6, 10)),
        ({"A": "axis 5-4-3 1,0 engineer doubled=city"} | X, {}, (5, 5)),
        ({"A": INF, "H": "soviet S-(1)-3 0,0 front"} | X, {}, (10, 5)),
        ({"A": INF, "H": "soviet S-(1)-3 0,0 front", "D": "soviet S-(2)-3 0,0 artdiv"}, {}, (10, 2)),
        ({"A": INF, "X": "soviet 3-5-3 0,0 full_retreat", "D": "soviet S-(2)-3 0,0 artdiv"}, {}, (10, 2)),
        ({"A": INF, "X": "soviet 3-5-3 0,0 train"}, there("major_city"), (10, 1)),
        ({"A": INF, "Y": "soviet 7-5-5 0,0 disrupted retreated"} | X, {}, (10, 5)),
        ({"A": INF, "Y": "soviet 7-5-5 0,0 disrupted retreated"} | X, {"breakthrough": True}, (10, 8)),
    ],
)
def test_strengths(units, more, ratio):
    more = dict(more)
    names = more.pop("names", " ".join(k for k in "AB" if k in units))
    assert Fight(units, names, **more).ratio == ratio


@rule("23.4a")
@rule("23.4b")
@rule("23.4c")
@rule("23.4d")
@rule("23.4h")
@rule("23.4j")
@pytest.mark.parametrize(
    ("units", "more", "ratio"),
    [
        ({"A": "axis 9-8-6 1,0"} | X, {"hexsides": MAJOR}, (4, 10)),
        ({"A": "axis 1-8-6 1,0", "B": "axis 9-8-6 1,0"} | X, {}, (9, 5)),
        ({"A": "axis 9-8-6 1,0 oos"} | X, {}, (5, 5)),
        ({"A": "axis 2-8-6 1,0 oos", "B": "axis 9-8-6 1,0"} | X, {}, (9, 5)),
        ({"A": "axis 5-5-4 1,0 mountain"} | X, there("mountain"), (8, 10)),
        ({"A": "soviet 9-5-3 1,0", "X": "axis 4-5-3 0,0"}, SOV, (9, 4)),
        ({"A": "soviet 9-5-3 1,0", "X": "axis 4-3-3 0,0"}, SOV, (9, 2)),
        ({"A": "soviet 9-5-3 1,0", "X": "axis 4-2-3 0,0"}, SOV, (9, 2)),
        ({"A": "soviet 9-5-3 1,0", "X": "axis 4-1-3 0,0"}, SOV, (9, 1)),
        ({"A": "soviet 9-5-3 1,0", "X": "axis 4-5-3 0,0 disrupted"}, SOV, (9, 3)),
        ({"A": "soviet 9-5-3 1,0", "X": "axis 4-5-3 0,0"}, SOV | there("minor_city"), (9, 10)),
        ({"A": "soviet 9-5-3 1,0", "X": "axis 4-5-3 0,0"}, SOV | {"features": {"0,0": ["town"]}}, (9, 5)),
        ({"A": "soviet 9-5-3 1,0", "X": "axis 4-5-3 0,0"}, SOV | {"forts": {"0,0": "axis"}}, (9, 5)),
        ({"A": "soviet 9-5-3 1,0", "X": "axis 4-5-3 0,0"}, SOV | {"forts": {"0,0": "axis begun"}}, (9, 4)),
        ({"A": "soviet 9-5-3 1,0", "X": "axis 4-5-3 0,0"}, SOV | {"turn": 27}, (9, 5)),
    ],
)
def test_winter(units, more, ratio):
    names = " ".join(k for k in "AB" if k in units)
    assert Fight(units, names, **({"turn": 28} | more)).ratio == ratio


@rule("23.4c")
def test_winter_next_to_a_friendly_major_city():
    units = {"A": "soviet 9-5-3 1,0", "X": "axis 4-5-3 0,0"}
    for city, owner, defense in (("major_city", "axis", 5), ("major_city", "soviet", 4), ("minor_city", "axis", 4)):
        found = Fight(units, side="soviet", turn=28, terrain={"-1,0": city}, control={"-1,0": owner})
        assert found.defense == defense


@rule("8.4.1a")
@rule("8.4.1b")
@rule("8.4.1c")
@rule("8.4.2a")
@rule("8.4.2b")
@pytest.mark.parametrize(
    ("attacker", "defense", "more", "column", "automatic"),
    [
        ("axis 1-8-6 1,0", 3, {}, "1-3", False),
        ("axis 1-8-6 1,0", 4, {}, None, False),
        ("axis 1-8-6 1,0 tank black", 4, {}, "1-3", False),
        ("axis 1-8-6 1,0", 3, {"forts": {"0,0": "soviet"}}, None, False),
        ("axis 24-8-6 1,0", 3, {"forts": {"0,0": "soviet"}}, "7-1", False),
        ("axis 27-8-6 1,0", 3, {}, "7-1", False),
        ("axis 27-8-6 1,0 tank black", 3, {}, "10-1", True),
        ("axis 33-8-6 1,0", 3, {"forts": {"0,0": "soviet"}}, "10-1", True),
        ("axis 30-8-6 1,0", 3, {"forts": {"0,0": "soviet"}}, "7-1", False),
        ("axis 29-8-6 1,0", 3, {}, "7-1", False),
        ("axis 30-8-6 1,0", 3, {}, "10-1", True),
    ],
)
def test_columns(attacker, defense, more, column, automatic):
    found = Fight({"A": attacker, "X": f"soviet 3-{defense}-3 0,0"}, **more)
    assert (found.column, found.automatic) == (column, automatic)
    assert found.refused == ([] if column else ["8.4.1"])


@rule("8.1a")
@rule("8.1c")
@rule("8.1g")
@rule("9.5.3a")
@rule("9.5.6")
@rule("9.7.2e")
@rule("20.5.1a")
@rule("20.5.1b")
@rule("21.4b")
@rule("21.4c")
@pytest.mark.parametrize(
    ("units", "more", "refused"),
    [
        ({"A": INF} | X, {}, []),
        ({"A": "axis 9-8-6 2,0"} | X, {}, ["8.1"]),
        ({"A": "axis 9-8-6 1,0", "X": "soviet 0-0-5 0,0 supply"}, {}, ["8.1"]),
        ({"A": "axis 0-8-6 1,0"} | X, {}, ["8.1"]),
        ({"A": "axis S-(1)-5 1,0 hq"} | X, {}, ["18.2.1"]),
        ({"A": "axis 9-8-6 1,0 disrupted"} | X, {}, ["13.2.1"]),
        ({"A": "axis 9-8-6 1,0 full_retreat"} | X, {}, ["13.3.2"]),
        ({"A": "axis 9-8-6 1,0 train"} | X, {}, ["5.6.4"]),
        ({"A": "axis 9-8-6 1,0 extended"} | X, {}, ["2.3.2"]),
        ({"A": "axis 9-8-6 1,0 attacked"} | X, {}, ["8.1"]),
        ({"A": "axis 9-8-6 1,0 auto_ds"} | X, {}, ["8.6.1"]),
        ({"A": "axis 9-8-6 1,0 reserve"} | X, {}, ["25.2.3"]),
        ({"A": "axis 9-8-6 1,0 disengaged"} | X, {}, ["27.2.1"]),
        ({"A": "axis 9-8-6 1,0 replaced"} | X, {}, ["21.4"]),
        ({"A": INF, "C": "axis 9-8-6 1,0 replaced"} | X, {}, ["21.4"]),
        ({"A": INF} | X, {"forts": {"1,0": "axis begun"}}, ["9.7.2"]),
        ({"A": INF} | X, {"forts": {"1,0": "axis"}}, []),
        ({"A": INF, "X": "soviet 3-5-3 0,0 defended"}, {}, ["8.1"]),
        ({"A": INF, "X": "soviet 3-5-3 0,0 defended"}, {"breakthrough": True}, []),
        ({"A": "axis 9-8-6 1,0 attacked"} | X, {"breakthrough": True}, []),
        ({"A": "axis 9-8-6 1,0 disrupted"} | X, {"breakthrough": True}, ["13.2.1"]),
        ({"A": INF} | X, {"breakthrough": True, "hexsides": MAJOR}, ["15.2.9"]),
        ({"A": INF} | X, {"breakthrough": True, "hexsides": MAJOR, "turn": 28}, []),
        ({"A": INF} | X, {"breakthrough": True, "hexsides": MINOR}, []),
        ({"A": INF} | X, {"hexsides": {"0,0|1,0": "alpine"}}, ["9.6.2"]),
        ({"A": "axis 9-8-6 1,0 mountain"} | X, {"hexsides": {"0,0|1,0": "alpine"}}, []),
        ({"A": "axis 9-8-6 1,0 mountain"} | X, {"hexsides": {"0,0|1,0": "alpine"}, "turn": 28}, ["9.6.2"]),
        ({"A": INF} | X, {"hexsides": {"0,0|1,0": "lake"}}, ["9.5.6"]),
        ({"A": INF} | X, {"hexsides": {"0,0|1,0": "lake"}, "turn": 28, "terrain": {"1,0": "desert"}}, []),
        ({"A": INF} | X, {"hexsides": {"0,0|1,0": "volga"}}, ["9.5.3"]),
        ({"A": PZ} | X, there("mountain"), ["8.1"]),
        ({"A": PZ} | X, there("mountain", links=[("secondary", "1,0 0,0")]), []),
        ({"A": INF + " nation=romanian", "B": INF + " nation=italian"} | X, {}, ["20.5.1"]),
        ({"A": INF + " nation=romanian", "B": INF + " nation=german"} | X, {}, []),
        ({"A": INF + " nation=romanian", "B": INF + " nation=romanian"} | X, {}, []),
        ({"A": INF, "E": "soviet 3-5-3 0,1"} | X, {"names": "A E"}, ["8.1"]),
    ],
)
def test_who_may_attack(units, more, refused):
    more = dict(more)
    names = more.pop("names", " ".join(k for k in "AB" if k in units))
    found = Fight(units, names, **more)
    assert found.refused == refused
    assert found.legal == (not refused)


@rule("10.2.1b")
@rule("15.3.2b")
@pytest.mark.parametrize("breakthrough", [False, True])
def test_defenders_beyond_the_stacking_limit_count_for_nothing(breakthrough):
    units = {"A": INF, "Z": "soviet 3-4-3 0,0", "X": "soviet 3-5-3 0,0", "Y": "soviet 3-6-3 0,0"}
    assert Fight(units, breakthrough=breakthrough).defense == 11
    hq = {"H": "soviet 0-0-3 0,0 army_hq"}
    assert Fight(units | hq, breakthrough=breakthrough).defense == 15
    axis = dict.fromkeys("XYZW", "axis 3-4-3 0,0") | {"A": "soviet 10-5-3 1,0"}
    assert Fight(axis, side="soviet", breakthrough=breakthrough).defense == 12


HQ = "axis S-(1)-5b {} hq range=5"
FRONT = "soviet S-(1)-5b 2,0 front range=4"
GUNS = "soviet S-(1)-5b 2,0 artdiv range=3"


@rule("18.2.1b")
@rule("18.2.3c")
@rule("18.3.1a")
@rule("18.3.1c")
@rule("18.3.3a")
@rule("18.3.3b")
@rule("18.4a")
@rule("18.4b")
@rule("18.4c")
@rule("18.6.5")
@pytest.mark.parametrize(
    ("others", "more", "guns", "refused"),
    [
        ({"H": HQ.format("6,0")}, {}, "H", []),
        ({"H": HQ.format("7,0")}, {}, "H", ["18.4"]),
        ({"H": HQ.format("6,0") + " flipped"}, {}, "H", ["18.2.1"]),
        ({"H": HQ.format("6,0") + " disrupted"}, {}, "H", ["18.2.3"]),
        ({"H": HQ.format("6,0") + " train"}, {}, "H", ["18.2.3"]),
        ({"H": HQ.format("6,0") + " replaced"}, {}, "H", ["18.2.3"]),
        ({"H": HQ.format("6,0"), "I": HQ.format("5,0")}, {}, "H I", ["18.3.1"]),
        ({"H": HQ.format("3,0") + " nation=romanian"}, {}, "H", ["18.3.3"]),
        ({"H": HQ.format("3,0")}, {"breakthrough": True}, "H", ["15.2.9"]),
        ({"H": HQ.format("3,0") + " flipped", "S": "axis S-0-T 3,0 supply"}, {}, "S", []),
        ({"H": HQ.format("3,0") + " disrupted", "S": "axis S-0-T 3,0 supply"}, {}, "S", ["18.6.5"]),
        ({"H": HQ.format("3,0") + " flipped", "S": "axis 0-0-5b 3,0 supply"}, {}, "S", ["18.6.2"]),
        ({"S": "axis S-0-T 3,0 supply"}, {}, "S", ["18.6.5"]),
        ({"H": HQ.format("3,0")}, {"hexes": strip(), "hexsides": {"1,0|2,0": "alpine"}}, "H", ["18.4"]),
        ({"H": HQ.format("3,0")}, {"hexes": strip(), "hexsides": {"1,0|2,0": "lake"}}, "H", ["18.4"]),
        ({"H": HQ.format("3,0")}, {"hexes": strip(), "hexsides": {"1,0|2,0": "volga"}}, "H", []),
        ({"H": HQ.format("4,0"), "Y": "soviet 3-5-3 2,1"}, {"hexes": strip("2,1")}, "H", ["18.4"]),
        ({"H": HQ.format("4,0"), "Y": "soviet 3-5-3 2,1", "F": "axis 3-5-3 3,0"}, {"hexes": strip("2,1")}, "H", []),
    ],
)
def test_artillery(others, more, guns, refused):
    found = Fight({"A": INF} | X | others, artillery=guns.split(), **({"radius": 8} | more))
    assert found.refused == refused
    assert found.shift == (1 if not refused or len(guns.split()) > 1 else 0), "what is refused does not count"


@rule("18.5a")
@rule("18.5b")
@pytest.mark.parametrize(
    ("guns", "shift", "refused"),
    [
        ({"F": FRONT, "D": GUNS}, 2, []),
        ({"D": GUNS, "E": GUNS}, 2, []),
        ({"F": FRONT, "G": FRONT}, 1, ["18.3.1"]),
        ({"D": GUNS, "E": GUNS, "F": FRONT}, 2, ["18.5"]),
        ({"D": GUNS, "S": "soviet S-0-T 2,0 supply"}, 1, ["18.5"]),
        ({"S": "soviet S-0-T 2,0 supply", "T": "soviet S-0-T 2,0 supply"}, 1, ["18.3.1"]),
        ({"F": FRONT, "S": "soviet S-0-T 2,0 supply"}, 1, ["18.3.1"]),
    ],
)
def test_massive_barrage(guns, shift, refused):
    units = {"A": "soviet 10-5-3 1,0", "X": "axis 3-5-3 0,0", "Q": FRONT + " flipped"}
    found = Fight(units | guns, artillery=list(guns), side="soviet")
    assert (found.shift, found.refused) == (shift, refused)


BASE: dict[str, Any] = {
    "boxes": [area("Z", "axis", "4,0")],
    "links": [("rail", "4,0 3,0 2,0")],
    "features": {"3,0": ["town"]},
    "repaired": "all",
}
GERMANS = {"A": INF} | X
MIXED = {"A": "axis 10-3-6 1,0", "R": "axis 3-4-3 1,0 nation=romanian"} | X
READY, ROMANIAN = {"VIII-FK": "ready"}, {"Rom-Air": "ready"}


@rule("9.3.1a")
@rule("9.3.3")
@rule("9.3.5a")
@rule("9.3.8a")
@rule("15.2.9b")
@pytest.mark.parametrize(
    ("units", "more", "refused"),
    [
        (GERMANS, {"air": READY}, []),
        (GERMANS, {}, ["9.3.1"]),
        (GERMANS, {"air": {"VIII-FK": "used"}}, ["9.3.6"]),
        (GERMANS, {"air": {"VIII-FK": "1,0"}}, ["9.3.7"]),
        (GERMANS, {"air": READY, "features": {}}, ["9.3.5"]),
        (GERMANS, {"air": READY, "repaired": ""}, ["9.3.5"]),
        (GERMANS, {"air": READY, "features": {"3,0": ["landmark"]}}, []),
        (GERMANS, {"air": READY, "features": {"-1,0": ["town"]}}, ["9.3.5"]),
        (GERMANS, {"air": READY, "features": {}, "terrain": {"3,0": "minor_city"}}, ["9.3.5"]),
        (GERMANS, {"air": READY, "features": {}, "terrain": {"3,0": "minor_city"}, "control": {"3,0": "axis"}}, []),
        (GERMANS, {"air": ROMANIAN}, ["9.3.8"]),
        (MIXED, {"air": ROMANIAN}, []),
        ({"A": INF, "R": "axis 20-8-3 1,0 nation=romanian"} | X, {"air": ROMANIAN}, ["9.3.8"]),
        (GERMANS, {"air": READY, "breakthrough": True}, ["15.2.9"]),
        (GERMANS, {"air": {"VIII-FK": "1,0"}, "breakthrough": True}, []),
        (GERMANS, {"air": {"VIII-FK": "2,0"}, "breakthrough": True}, ["15.2.9"]),
    ],
)
def test_air_support(units, more, refused):
    name = "Rom-Air" if more.get("air") == ROMANIAN else "VIII-FK"
    found = Fight(units, " ".join(k for k in "AR" if k in units), air_unit=name, **(BASE | more))
    assert found.refused == refused
    assert found.shift == (0 if refused else 1)


@rule("9.3.4a")
@rule("9.3.7c")
@pytest.mark.parametrize(
    ("air", "refused"),
    [("ready", []), ("-1,0", []), ("-2,0", ["9.3.7"]), ("used", ["9.3.6"]), ("away", ["9.3.1"])],
)
def test_defensive_air(air, refused):
    units = {"A": "soviet 10-5-3 1,0", "X": "axis 3-5-3 0,0", "Y": "axis 3-5-3 -1,0", "Z": "axis 3-5-3 -2,0"}
    found = Fight(units, defensive_air="VIII-FK", side="soviet", air={"VIII-FK": air}, **BASE)
    assert found.refused == refused
    assert found.shift == (0 if refused else -1)


def test_chances_add_up():
    for units in (GERMANS, MIXED, {"A": PZ, "X": "soviet 3-5-3;1-2-3 0,0"}):
        for found in Fight(units).answer["chances"].values():
            assert sum(e["chance"] for e in found["ends"]) == pytest.approx(1, abs=1e-5)


@rule("22.7a")
@pytest.mark.parametrize(
    ("unit", "box", "refused"),
    [
        ("axis 9-8-6 Z", area("Z", "axis", "0,0"), []),
        ("axis 9-8-6 Z", area("Z", "axis", "3,0"), ["22.7"]),
        ("axis 9-8-6 Z moved", area("Z", "axis", "0,0"), ["22.7"]),
        ("axis 9-8-6 Z disrupted", area("Z", "axis", "0,0"), ["13.2.1"]),
    ],
)
def test_attacking_onto_the_map(unit, box, refused):
    assert Fight({"A": unit} | X, boxes=[box], hexes=strip(begin=0, end=4)).refused == refused


@rule("22.7b")
def test_as_many_attack_onto_the_map_as_could_stand_beyond_its_edge():
    for number, refused in ((3, []), (7, ["22.7"])):
        units = {f"A{i}": "axis 9-8-6 Z" for i in range(number)} | X
        board = {name: {} for name in ("0,0", "1,0", "0,1", "1,-1", "-1,1", "0,-1")}
        found = Fight(units, " ".join(f"A{i}" for i in range(number)), boxes=[area("Z", "axis", "0,0")], hexes=board)
        assert found.refused == refused
