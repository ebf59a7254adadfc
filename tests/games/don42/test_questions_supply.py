"""Positions worked out by hand from the rule text, asked as `kessel analyze` asks them: chapters 4, 9 and 14."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.don42.helpers import ask, ger, pos, sov
from tests.games.don42.test_questions_movement import road, row

SOURCE = {0: ["soviet_source"]}
LATE = {"turn": "Aug 25 AM", "supply": "traced"}


def state(g: Any, unit: str = "U") -> str:
    """The traced state; it must be the one in force too, and one line at least must hold unless it is out."""
    found = ask(g, "supply", unit=unit)
    assert found["state"] == found["in_force"]
    return str(found["state"])


# --- 4.2 Soviets -----------------------------------------------------------------------------------------------------


def general(at: int, b: dict[str, Any] | None = None, *others: dict[str, Any], **more: Any) -> str:
    """A lone brigade that many hexes from the only road hex, which is a source."""
    fields = {**LATE, **{k: more.pop(k) for k in ("weather", "options") if k in more}}
    b = b or row(20, features=SOURCE, roads=road("minor_road", 0, 1))
    return state(pos(sov("U", f"{at},0", **more), *others, on=b, **fields))


@pytest.mark.rule("don42", "4.2.1.a")
@pytest.mark.rule("don42", "4.1.g")
@pytest.mark.rule("don42", "4.1.h")
def test_general_supply_is_seven_points_to_a_road():
    assert general(8) == "general"  # 7 hexes to the road hex 1,0
    assert general(9) == "out of supply"
    assert general(4, status=["RTD"]) == "general"  # 7 halved is 3
    assert general(5, status=["RTD"]) == "out of supply"
    assert general(8, status=["DPT"]) == "general"
    rails = row(20, features=SOURCE, roads=[*road("minor_road", 0, 1), *road("railroad", 1, 9)])
    assert general(9, rails) == "out of supply"


@pytest.mark.rule("don42", "4.2.1.a")
def test_a_line_pays_for_the_hexes_it_enters_not_for_the_one_it_leaves():
    roads = road("minor_road", 0, 1)
    assert general(8, row(20, features=SOURCE, roads=roads, terrain={8: "hill"})) == "general"
    assert general(8, row(20, features=SOURCE, roads=roads, terrain={5: "hill"})) == "out of supply"
    assert general(7, row(20, features=SOURCE, roads=roads, terrain={5: "hill"})) == "general"
    # the road hex itself is a hill: entering it off the road costs 2
    assert general(8, row(20, features=SOURCE, roads=roads, terrain={1: "hill"})) == "out of supply"
    assert general(7, row(20, features=SOURCE, roads=roads, terrain={1: "hill"})) == "general"


@pytest.mark.rule("don42", "4.2.1.a")
@pytest.mark.rule("don42", "4.1.e")
@pytest.mark.rule("don42", "4.1.d")
def test_soviet_lines_cross_the_don_and_gorges_at_their_price_and_never_the_volga():
    for side, last in (("minor_river", 6), ("gorge", 5)):
        b = row(20, features=SOURCE, roads=road("minor_road", 0, 1), sides={"3,0|4,0": side})
        assert [general(last, b), general(last + 1, b)] == ["general", "out of supply"]
    b = row(20, features=SOURCE, roads=road("minor_road", 0, 1), sides={"3,0|4,0": "major_river"})
    assert [general(3, b), general(4, b)] == ["general", "out of supply"]
    roads = [*road("minor_road", 0, 1), *road("minor_road", 3, 4)]
    bridged = row(20, features=SOURCE, roads=roads, sides={"3,0|4,0": "major_river"})
    assert general(4, bridged) == "general"  # a road over it is a bridge


@pytest.mark.rule("don42", "4.2.1.a")
@pytest.mark.rule("don42", "6.1.c")
@pytest.mark.rule("don42", "6.2.c")
def test_rain_and_mud_shorten_soviet_lines():
    assert [general(q, weather="rain") for q in (4, 5)] == ["general", "out of supply"]  # 3 hexes of 2 MPs
    assert [general(q, weather="mud") for q in (3, 4)] == ["general", "out of supply"]  # 2 hexes of 3 MPs


@pytest.mark.rule("don42", "4.1.a")
@pytest.mark.rule("don42", "4.1.b")
@pytest.mark.rule("don42", "3.2.4")
@pytest.mark.rule("don42", "4.2.1.b")
def test_enemy_zones_close_hexes_unless_a_friend_stands_there():
    def wide(*more: dict[str, Any], **fields: Any) -> str:
        b = row(8, features=SOURCE, roads=road("minor_road", 0, 1))
        b["hexes"]["4,-1"] = {}  # touches 4,0 and 3,0
        return state(pos(sov("U", "6,0"), *more, on=b, **{**LATE, **fields}))

    foe = ger("X", "4,-1")
    assert wide() == "general"
    assert wide(foe) == "out of supply"
    assert wide({**foe, "status": ["RTD"]}) == "general"
    assert wide({**foe, "type": "hq", "faces": "0-1-8"}) == "general"
    assert wide(foe, sov("F", "4,0")) == "out of supply"  # 3,0 is still closed
    assert wide(foe, sov("F", "4,0"), sov("E", "3,0")) == "general"
    hqs = [sov("HQ4TkA", "4,0", "0-1-8", type="hq", army="4TkA"), sov("E", "3,0")]
    assert wide(foe, *hqs) == "general"  # an HQ is a unit too
    assert wide(ger("X", "4,0", "0-1-8", type="hq")) == "out of supply"  # an enemy HQ stands in the way


@pytest.mark.rule("don42", "4.2.1.b")
@pytest.mark.rule("don42", "4.1.a")
def test_the_exit_itself_must_be_open():
    b = row(8, features=SOURCE, roads=road("minor_road", 0, 8))
    b["hexes"]["0,-1"] = {}  # touches 0,0 only
    foe = ger("X", "0,-1")
    assert state(pos(sov("U", "5,0"), foe, on=b, **LATE)) == "out of supply"
    assert state(pos(sov("U", "5,0"), foe, sov("F", "0,0"), on=b, **LATE)) == "general"


def with_hq(unit: int, hq: int, b: dict[str, Any] | None = None, *others: dict[str, Any], **more: Any) -> str:
    """A brigade of 62 Army and its HQ; the road ends at 6,0."""
    b = b or row(20, features=SOURCE, roads=road("minor_road", 0, 6))
    my_hq = sov("HQ62A", f"{hq},0", "0-1-8", type="hq")
    return state(pos(sov("U", f"{unit},0", **more), my_hq, *others, on=b, **LATE))


@pytest.mark.rule("don42", "4.2.2.a")
@pytest.mark.rule("don42", "4.2.2.b")
@pytest.mark.rule("don42", "4.2.2.c")
@pytest.mark.rule("don42", "4.2.3.a")
def test_attack_supply_is_seven_points_to_a_parent_hq_near_a_road():
    assert with_hq(13, 6) == "attack"
    assert with_hq(14, 6) == "out of supply"
    assert with_hq(14, 7) == "attack"  # HQ one hex from the road
    assert with_hq(13, 8) == "general"  # HQ two hexes from it; the road is 7 MPs from the unit
    assert with_hq(9, 6, status=["RTD"]) == "attack"
    assert with_hq(10, 6, status=["RTD"]) == "out of supply"
    assert with_hq(10, 6, army="4TkA") == "general"  # not its Army
    assert with_hq(13, 6, row(20, features=SOURCE, roads=road("minor_road", 0, 6), terrain={6: "hill"})) != "attack"
    assert with_hq(13, 6, row(20, features=SOURCE, roads=road("minor_road", 0, 6), terrain={13: "hill"})) == "attack"


@pytest.mark.rule("don42", "4.2.2.a")
def test_hqs_supply_themselves_and_tank_corps_have_their_own():
    b = row(20, features=SOURCE, roads=road("minor_road", 0, 6))
    for at, expected in ((6, "attack"), (7, "attack"), (8, "general"), (13, "general"), (14, "out of supply")):
        assert state(pos(sov("HQ62A", f"{at},0", "0-1-8", type="hq"), on=b, **LATE), "HQ62A") == expected
    tank = sov("U", "12,0", "5-4-10", type="t34", army="", corps="2TkC")
    corps = sov("Corps", "6,0", "0-1-8", type="hq", army="", corps="2TkC")
    army = sov("HQ62A", "7,0", "0-1-8", type="hq")
    assert state(pos(tank, corps, on=b, **LATE)) == "attack"
    assert state(pos(tank, army, on=b, **LATE)) == "general"


@pytest.mark.rule("don42", "9.5.c")
def test_the_nine_formations_trace_to_either_hq_of_the_guards():
    b = row(20, features=SOURCE, roads=road("minor_road", 0, 6))
    kvch = sov("HQKvch", "6,0", "0-1-8", type="hq", size="corps", corps="Kvch", army="1GdA")
    guards = sov("HQ1GdA", "0,0", "0-1-8", type="hq", army="1GdA")
    for division in ("38Gds", "41Gds", "24Div", "64Div", "84Div", "116Div", "315Div"):
        assert state(pos(sov("U", "12,0", army="1GdA", division=division), kvch, guards, on=b, **LATE)) == "attack"
    assert state(pos(sov("U", "12,0", army="1GdA", division="99Div"), kvch, guards, on=b, **LATE)) == "general"
    for corps in ("4TkC", "16TkC"):
        tank = sov("U", "12,0", type="t34", army="", corps=corps)
        assert state(pos(tank, kvch, on=b, **LATE)) == "attack"
    assert state(pos(sov("U", "12,0", type="t34", army="", corps="2TkC"), kvch, on=b, **LATE)) == "general"


# --- 4.3 Germans -----------------------------------------------------------------------------------------------------

DON = {"4,0|5,0": "minor_river"}


def bridgehead(last: int = 60, **more: Any) -> dict[str, Any]:
    """The Don between 4,0 and 5,0, a road from the west edge over a bridge to 10,0."""
    roads = more.pop("roads", road("minor_road", 0, 10))
    return row(last, roads=roads, sides={**DON, **more.pop("sides", {})}, features={0: ["german_source"]}, **more)


def chain(unit: int, division: int, corps: int, b: dict[str, Any] | None = None, **more: Any) -> str:
    hq, top = more.pop("hq", {}), more.pop("top", {})
    others = more.pop("others", ())
    fields = {k: more.pop(k) for k in ("weather", "options", "destroyed_bridges", "pontoons") if k in more}
    units = [
        ger("U", f"{unit},0", **more),
        ger("Div", f"{division},0", "0-1-10", type="hq", **hq),
        ger("HQ14PzC", f"{corps},0", "0-1-10", type="hq", size="corps", division="", **top),
    ]
    return state(pos(*units, *others, on=b or bridgehead(), **LATE, **fields))


@pytest.mark.rule("don42", "4.3.b")
@pytest.mark.rule("don42", "4.3.1.a")
@pytest.mark.rule("don42", "4.3.1.b")
@pytest.mark.rule("don42", "4.3.1.c")
@pytest.mark.rule("don42", "4.3.2.a")
@pytest.mark.rule("don42", "4.1.g")
def test_the_german_chain():
    assert chain(34, 22, 10) == "attack"  # 12 and 12 MPs and a road
    assert chain(35, 22, 10) == "out of supply"
    assert chain(30, 23, 10) == "out of supply"
    assert chain(30, 22, 11) == "out of supply"  # the Corps HQ is beside the road
    assert chain(28, 22, 10, status=["RTD"]) == "attack"  # 6 MPs
    assert chain(29, 22, 10, status=["RTD"]) == "out of supply"
    assert chain(20, 16, 10, hq={"status": ["RTD"]}) == "attack"  # its own link is halved
    assert chain(20, 17, 10, hq={"status": ["RTD"]}) == "out of supply"
    assert chain(34, 22, 10, hq={"status": ["DPT"]}, top={"status": ["RTD"]}) == "attack"
    hills = bridgehead(terrain={22: "hill"})
    assert chain(34, 22, 10, hills) == "out of supply"  # entering the HQ's hill costs 2
    assert chain(33, 22, 10, hills) == "attack"
    assert chain(34, 22, 10, bridgehead(terrain={34: "hill"})) == "attack"


@pytest.mark.rule("don42", "4.3.c")
@pytest.mark.rule("don42", "6.2.c")
def test_german_lines_in_rain_and_mud():
    assert chain(16, 10, 10, weather="rain") == "attack"  # 6 hexes of 1 + 1
    assert chain(17, 10, 10, weather="rain") == "out of supply"
    major = bridgehead(roads=road("major_road", 0, 40))
    assert chain(18, 10, 10, major, weather="rain") == "attack"  # 8 hexes of 1/2 + 1
    assert chain(19, 10, 10, major, weather="rain") == "out of supply"
    assert chain(34, 10, 10, major) == "attack"  # 24 hexes of 1/2 in clear weather
    assert chain(35, 10, 10, major) == "out of supply"
    assert chain(14, 10, 10, weather="mud") == "attack"  # 4 hexes of 3
    assert chain(15, 10, 10, weather="mud") == "out of supply"
    assert chain(22, 10, 10, major, weather="mud") == "attack"  # 12 hexes of 1
    assert chain(23, 10, 10, major, weather="mud") == "out of supply"


@pytest.mark.rule("don42", "4.3.3.a")
@pytest.mark.rule("don42", "4.3.3.b")
@pytest.mark.rule("don42", "4.3.3.c")
@pytest.mark.rule("don42", "10.1.2.d")
def test_fourteen_points_to_the_river_when_the_bridge_is_gone():
    gone = {"destroyed_bridges": ["4,0|5,0"]}
    assert chain(20, 15, 10) == "attack"
    assert chain(19, 40, 10, **gone) == "attack"  # 14 MPs to 5,0; no Division HQ is asked for
    assert chain(20, 15, 10, **gone) == "out of supply"
    assert chain(12, 15, 10, status=["RTD"], **gone) == "attack"
    assert chain(13, 15, 10, status=["RTD"], **gone) == "out of supply"
    assert chain(13, 15, 10, status=["RTD"], options={"limit_14": "full"}, **gone) == "attack"
    assert chain(20, 15, 10, pontoons=[{"hexside": "4,0|5,0"}], **gone) == "attack"
    assert chain(20, 15, 10, pontoons=[{"hexside": "4,0|5,0", "state": "building"}], **gone) == "out of supply"
    assert chain(12, 15, 10, weather="rain", **gone) == "attack"  # 7 hexes of 2
    assert chain(13, 15, 10, weather="rain", **gone) == "out of supply"
    # while the Corps has its road line the 14 MPs do not help a unit without Division HQ in reach
    assert chain(8, 40, 10) == "out of supply"


@pytest.mark.rule("don42", "4.3.1.c")
@pytest.mark.rule("don42", "4.3.3.b")
def test_the_river_helps_only_where_the_bridge_is_lost_or_the_road_blocked():
    assert chain(12, 12, 10) == "attack"
    assert chain(12, 12, 11) == "out of supply", "the Corps HQ is off the road; bridge and road are open"
    assert chain(12, 12, 11, destroyed_bridges=["4,0|5,0"]) == "attack"
    b = bridgehead(sides={"14,0|15,0": "minor_river"})  # another arm of the river
    b["hexes"]["8,-1"] = {}  # touches 7,0 and 8,0, road hexes
    assert chain(12, 12, 10, b, others=(sov("X", "8,-1"),)) == "attack", "the road is blocked"
    assert chain(12, 12, 11, b, others=(sov("X", "8,-1"),)) == "out of supply"


@pytest.mark.rule("don42", "4.3.3.b")
def test_over_the_don_without_a_bridge_a_unit_traces_to_the_river():
    """The Corps HQ on the west bank has its road to the west edge, but nothing carries the line over the river."""
    dry = bridgehead(roads=road("minor_road", 0, 3))
    assert chain(5, 3, 2, dry) == "attack"
    assert [chain(19, 3, 2, dry), chain(20, 3, 2, dry)] == ["attack", "out of supply"]
    assert chain(18, 3, 2) == "out of supply", "15 MPs to the Division HQ by a bridge that stands open"


@pytest.mark.rule("don42", "4.3.3.a")
@pytest.mark.rule("don42", "4.1.a")
def test_a_bridge_whose_end_is_closed_is_none():
    b = bridgehead()
    b["hexes"]["4,-1"] = {}  # touches 4,0 and 3,0, the west end of the bridge
    foe = {"others": (sov("X", "4,-1"),)}
    assert chain(20, 15, 10, b) == "attack"
    assert chain(20, 15, 10, b, **foe) == "out of supply"
    assert chain(20, 15, 10, b, options={"german_source": "to_bridge"}, **foe) == "attack"
    assert chain(20, 15, 10, b, options={"german_source": "west_edge"}) == "attack"
    held = {"others": (sov("X", "4,-1"), ger("F", "4,0"))}
    assert chain(20, 15, 10, b, **held) == "attack"  # the bridge is crossed; what lies west of it is not asked
    assert chain(20, 15, 10, b, options={"german_source": "west_edge"}, **held) == "out of supply"


@pytest.mark.rule("don42", "4.3.3.a")
def test_a_pontoon_away_from_roads_joins_no_road_network():
    here = [{"hexside": "4,0|5,0"}]
    roads = road("minor_road", 6, 10)  # the road ends one hex short of the river
    assert chain(20, 15, 10, bridgehead(roads=roads), pontoons=here) == "out of supply"
    both = [*road("minor_road", 0, 4), *road("minor_road", 5, 10)]
    assert chain(20, 15, 10, bridgehead(roads=both), pontoons=here) == "attack"


@pytest.mark.rule("don42", "4.3.3.a")
@pytest.mark.rule("don42", "4.1.e")
def test_no_german_line_crosses_an_unbridged_don():
    b = bridgehead(sides={"14,0|15,0": "minor_river"})  # a second arm without bridge
    assert chain(14, 12, 10, b) == "attack"
    assert chain(15, 12, 10, b) == "out of supply"
    assert chain(15, 12, 10, b, pontoons=[{"hexside": "14,0|15,0"}]) == "attack"
    gorge = bridgehead(sides={"14,0|15,0": "gorge"})
    assert chain(15, 12, 10, gorge) == "attack"
    assert [chain(21, 12, 10, gorge), chain(22, 12, 10, gorge)] == ["attack", "out of supply"]  # 9 + 3, 10 + 3


@pytest.mark.rule("don42", "13.2.3.c")
@pytest.mark.rule("don42", "13.2.4.c")
@pytest.mark.rule("don42", "4.3.1.d")
def test_while_a_corps_hq_is_gone_another_serves():
    unit, hq = ger("U", "20,0"), ger("Div", "15,0", "0-1-10", type="hq")
    other = ger("HQ8C", "10,0", "0-1-10", type="hq", size="corps", division="", corps="8C")
    own = ger("HQ14PzC", "40,0", "0-1-10", type="hq", size="corps", division="")
    lost = {**own, "due": "Aug 25 PM"}
    del lost["at"]
    assert state(pos(unit, hq, other, lost, on=bridgehead(), **LATE)) == "attack"
    assert state(pos(unit, hq, other, own, on=bridgehead(), **LATE)) == "out of supply"
    assert state(pos(unit, hq, other, on=bridgehead(), **LATE)) == "out of supply", "the HQ of another Corps"


@pytest.mark.rule("don42", "4.3.1.d")
def test_a_division_knows_its_corps_and_an_hq_its_formation():
    unit, hq = ger("U", "20,0", division="76Div"), ger("Staff", "15,0", "0-1-10", type="hq", division="76Div")
    top = ger("Top", "10,0", "0-1-10", type="hq", corps="51C")
    for one in (unit, hq):
        del one["corps"]
    for one in (hq, top):
        del one["size"]
    del top["division"]
    assert state(pos(unit, hq, top, on=bridgehead(), **LATE)) == "attack"
    assert ask(pos(unit, hq, top, on=bridgehead(), **LATE), "supply")["ground_line"] == {"51C": True}


# --- 4.4 Supply Points -----------------------------------------------------------------------------------------------


@pytest.mark.rule("don42", "4.4.d")
@pytest.mark.rule("don42", "4.4.e")
@pytest.mark.rule("don42", "4.4.3.a")
@pytest.mark.rule("don42", "4.4.3.b")
@pytest.mark.rule("don42", "4.4.3.ex1")
@pytest.mark.rule("don42", "4.4.3.ex2")
@pytest.mark.example("don42", "D-E01")
@pytest.mark.example("don42", "D-E02")
def test_points_for_cut_off_units():
    def pocket(unit: dict[str, Any], points: int = 3, **fields: Any) -> Any:
        corps = ger("Top", "42,0", "0-1-10", type="hq", size="corps", division="", supply_points=points)
        units = [{**unit, "at": "40,0"}, ger("Div", "41,0", "0-1-10", type="hq"), corps]
        return pos(*units, on=bridgehead(), **LATE, **fields)

    tank = ger("U", "", "5-4-12", type="pz4")
    found = ask(pocket(tank), "supply", unit="U")
    assert (found["state"], found["supply_points"]["from"]) == ("out of supply", "Top")
    assert found["supply_points"]["needs"] == {"german_movement": 1, "german_combat": 1, "german_motorized": 1}
    foot = ger("U", "", "5-4-6", type="infantry", motorized=False)
    needs = ask(pocket(foot), "supply", unit="U")["supply_points"]["needs"]
    assert needs == {"german_movement": 0, "german_combat": 1, "german_motorized": 0}
    assert ask(pocket(tank, 0), "supply", unit="U")["supply_points"]["from"] is None
    assert "supply U" in ask(pocket(tank, phase="german_combat"), "legal")["actions"]
    assert "supply U" not in ask(pocket(foot, phase="german_movement"), "legal")["actions"]
    gone = {"destroyed_bridges": ["4,0|5,0"]}
    linked = pos(ger("U", "12,0"), ger("Div", "11,0", type="hq"), on=bridgehead(), **gone, **LATE)
    assert "supply_points" not in ask(linked, "supply", unit="U")  # 14 MPs to the river


# --- 9.2, 9.3 activation ---------------------------------------------------------------------------------------------


def army(at: int, b: dict[str, Any], name: str = "4TkA", **more: Any) -> dict[str, Any]:
    fields = {k: more.pop(k) for k in ("weather", "options") if k in more}
    g = pos(sov("Staff", f"{at},0", "0-1-8", type="hq", army=name, **more), on=b, **LATE, **fields)
    return ask(g, "activation", army=name)["armies"][name]


@pytest.mark.rule("don42", "9.3.a")
@pytest.mark.rule("don42", "9.3.b")
@pytest.mark.rule("don42", "5.0.4.b")
@pytest.mark.parametrize(
    ("hexes", "column", "needs", "chance"),
    [
        (0, "0-5", 4, "33/36"),
        (5, "0-5", 4, "33/36"),
        (6, "6-12", 6, "26/36"),
        (12, "6-12", 6, "26/36"),
        (13, "13-20", 7, "21/36"),
        (20, "13-20", 7, "21/36"),
        (21, "21-30", 8, "15/36"),
        (30, "21-30", 8, "15/36"),
        (31, "31+", 9, "10/36"),
    ],
)
def test_columns_of_the_activation_table(hexes, column, needs, chance):
    found = army(hexes, row(40, features=SOURCE, roads=road("minor_road", 0, 40)))
    assert (found["eligible"], found["length"], found["column"]) == (True, hexes, column)
    assert (found["needs"], found["chance"]) == (needs, chance)


@pytest.mark.rule("don42", "9.3.a")
@pytest.mark.rule("don42", "9.4")
def test_half_points_rain_and_the_option_of_62_army():
    major = row(40, features=SOURCE, roads=road("major_road", 0, 40))
    assert (army(11, major)["length"], army(11, major)["column"]) == (5.5, "6-12")
    assert army(11, major, options={"act_column": "shorter"})["column"] == "0-5"
    assert army(25, major)["column"] == "13-20"  # 12 1/2
    assert army(11, major, weather="rain")["length"] == 11
    minor = row(40, features=SOURCE, roads=road("minor_road", 0, 40))
    assert army(6, minor, weather="mud")["length"] == 18
    hard = army(5, minor, "62A", options={"limit_62": "on"})
    assert (hard["modifier"], hard["chance"]) == (-2, "26/36")
    assert army(5, minor, "62A")["chance"] == "33/36"


@pytest.mark.rule("don42", "9.2.b1")
@pytest.mark.rule("don42", "9.2.b2")
@pytest.mark.rule("don42", "9.2.b3")
def test_who_may_try():
    b = row(40, features=SOURCE, roads=road("minor_road", 0, 3))
    assert army(7, b)["length"] == 7  # 4 MPs overland, 3 by road
    assert army(8, b)["refusal"]["rule"] == "9.2"
    for status in ("DRG", "DPT", "RTD"):
        assert not army(2, b, status=[status])["eligible"]
    apart = row(40, features=SOURCE, roads=[*road("minor_road", 0, 3), *road("minor_road", 8, 10)])
    assert not army(8, apart)["eligible"]
    assert not army(10, apart)["eligible"]
    assert army(7, apart)["eligible"]
    assert army(8, apart, options={"act_road": "any_road"})["length"] == 8
    hill = row(40, features=SOURCE, roads=road("minor_road", 0, 3), terrain={6: "hill"})
    assert army(6, hill)["eligible"]  # it leaves the hill
    assert not army(7, hill)["eligible"]  # 2 + 1 + 1 + 1


# --- 9.7 Operational Reserve -----------------------------------------------------------------------------------------


@pytest.mark.rule("don42", "9.7.a")
@pytest.mark.rule("don42", "9.7.b")
@pytest.mark.rule("don42", "9.7.c")
@pytest.mark.rule("don42", "9.7.d")
def test_operational_reserve():
    def move(at: int, **fields: Any) -> str:
        b = row(30, sides={"0,0|1,0": "minor_river"})
        found = ask(pos(sov("U", f"{at},0", **fields.pop("unit", {})), on=b, **fields), "moves", unit="U")
        return str(found.get("refusal", {}).get("rule", "moves"))

    early = {"turn": "Aug 24 PM"}
    assert move(15, **early) == "moves"  # 14 MPs to 1,0
    assert move(16, **early) == "9.7"
    assert move(16, turn=1) == "9.7"
    assert move(16, turn="Aug 25 AM") == "moves"
    assert move(16) == "moves"  # a position without a turn has no rule of a date
    assert move(16, scenario="crossing-the-don") == "9.7"  # its first turn
    assert move(16, released=["62A"], **early) == "moves"
    assert move(16, unit={"status": ["released"]}, **early) == "moves"
    assert move(8, weather="rain", **early) == "moves"
    assert move(9, weather="rain", **early) == "9.7"


# --- 14 recovery -----------------------------------------------------------------------------------------------------


def recovers(status: str, distance: int, b: dict[str, Any] | None = None, *others: dict[str, Any], **more: Any) -> bool:
    hq = sov("HQ62A", "0,0", "0-1-8", type="hq")
    unit = sov("U", f"{distance},0", status=[status], supply="out of supply")
    return bool(ask(pos(unit, hq, *others, on=b or row(12), **more), "recovery", unit="U")["recovers"])


@pytest.mark.rule("don42", "14.1")
@pytest.mark.rule("don42", "14.2.a")
@pytest.mark.rule("don42", "14.2.c")
@pytest.mark.rule("don42", "14.3.a")
@pytest.mark.rule("don42", "14.3.c")
def test_recovery_paths():
    assert recovers("DRG", 12)
    assert [recovers("DPT", d) for d in (6, 7)] == [True, False]
    assert [recovers("RTD", d) for d in (3, 4)] == [True, False]
    assert [recovers("DPT", d, weather="rain") for d in (3, 4)] == [True, False]
    roads = row(12, roads=road("major_road", 0, 12))
    assert [recovers("RTD", d, roads) for d in (6, 7)] == [True, False]
    assert not recovers("RTD", 3, row(12, terrain={0: "hill"}))
    assert recovers("RTD", 3, row(12, terrain={3: "hill"}))
    assert [recovers("DPT", d, row(12, sides={"1,0|2,0": "minor_river"})) for d in (4, 5)] == [True, False]


@pytest.mark.rule("don42", "14.2.b")
@pytest.mark.rule("don42", "14.3.b")
def test_recovery_and_enemy_zones():
    b = row(12)
    b["hexes"]["3,-1"] = {}  # touches 3,0 and 2,0
    foe = ger("X", "3,-1")
    assert not recovers("DPT", 5, b, foe)
    assert recovers("DPT", 5, b, foe, sov("F", "3,0"), sov("E", "2,0"))
    assert not recovers("RTD", 3, b, foe)
    assert recovers("RTD", 3, b, foe, sov("E", "2,0"))


@pytest.mark.rule("don42", "14.2.a")
def test_germans_rally_to_their_corps_hq_across_the_don():
    def german(at: int, sides: dict[str, str], **fields: Any) -> bool:
        staff = ger("Div", "0,0", "0-1-10", type="hq")
        corps = ger("Top", "1,0", "0-1-10", type="hq", size="corps", division="")
        unit = ger("U", f"{at},0", status=["DPT"])
        g = pos(unit, staff, corps, on=row(12, sides=sides), **fields)
        return bool(ask(g, "recovery", unit="U")["recovers"])

    assert [german(at, {}) for at in (7, 8)] == [True, False]  # not to the Division HQ
    river = {"3,0|4,0": "minor_river"}
    assert [german(at, river) for at in (5, 6)] == [True, False]
    assert not german(5, river, options={"recovery_line": "supply"})
    hq = pos(ger("Top", "1,0", "0-1-10", type="hq", size="corps", division="", status=["RTD"]), on=row(2))
    assert ask(hq, "recovery", unit="Top")["recovers"]
    never = {"options": {"hq_self": "never"}}
    hq = pos(ger("Top", "1,0", "0-1-10", type="hq", size="corps", division="", status=["RTD"]), on=row(2), **never)
    assert not ask(hq, "recovery", unit="Top")["recovers"]


@pytest.mark.rule("don42", "4.1.c")
def test_a_line_that_cannot_be_tried_says_why():
    def reasons(unit: dict[str, Any]) -> list[str]:
        return [x["why_not"] for x in ask(pos(unit, on=row(3), **LATE), "supply", unit="U")["lines"] if "why_not" in x]

    assert reasons(sov("U", "0,0")) == ["it has none on the map"]
    assert reasons(ger("U", "0,0", corps="", division="")) == ["it belongs to no Corps"]
    assert reasons(ger("U", "0,0")) == ["it is not on the map", "it is not on the map"]


@pytest.mark.rule("don42", "4.2.3.e")
@pytest.mark.rule("don42", "4.2.2.b")
def test_an_hq_may_move_to_any_hex_beside_a_road_home():
    b = row(6, features=SOURCE, roads=road("minor_road", 0, 1), sides={"1,0|2,0": "gorge"})
    for status in ([], ["RTD"]):  # routed it traces 3 MPs only, and entering 1,0 costs 4: but it is its own parent HQ
        g = pos(sov("HQ62A", "1,0", "0-1-8", type="hq", status=status), on=b, **LATE)
        assert ask(g, "moves", unit="HQ62A", to="2,0")["legal"]
        gone = ask(g, "moves", unit="HQ62A", to="3,0")
        assert gone["legal"] is (not status)


@pytest.mark.rule("don42", "9.6.a", "9.6.b")
@pytest.mark.parametrize(("die", "army"), [(1, "66A"), (2, "66A"), (3, "1GdA"), (4, "24A"), (5, "24A"), (6, "4TkA")])
def test_the_priority_die_falls_as_the_question_says(die, army):
    b = row(40, features={0: ["soviet_source"]}, roads=road("minor_road", 0, 30))
    armies = ("62A", "4TkA", "1GdA", "24A", "66A")
    units = [sov(f"HQ{a}", f"{i},0", "0-1-8", type="hq", army=a) for i, a in enumerate(armies)]
    g = pos(*units, on=b, phase="activation", turn="Sep 2 AM")
    assert ask(g, "legal", dice=[die])["actions"] == [f"activate {army}"]
    done = ask(g, "legal", after=[f"activate {army}"], dice=[die, 6, 6])
    assert {"activate 62A", "pass"} <= set(done["actions"]), "once one has activated the player chooses"
    assert f"activate {army}" not in done["actions"]


def rule_of(found: dict[str, Any]) -> str:
    return str(found["refusal"]["rule"])


@pytest.mark.rule("don42", "9.7.a", "9.7.c", "9.7.d")
def test_a_unit_in_operational_reserve_does_not_attack_before_it_is_attacked():
    b = row(30, sides={"2,0|3,0": "minor_river"})

    def attack(at: int, **fields: Any) -> dict[str, Any]:
        status = fields.pop("status", [])
        units = [sov("X", f"{at},0", status=status), ger("A", f"{at + 1},0")]
        return ask(pos(*units, on=b, **fields), "attack", hex=f"{at + 1},0", units=["X"])

    assert attack(17, turn="Aug 24 PM")["legal"], "14 MPs to the Don"
    assert rule_of(attack(18, turn="Aug 24 PM")) == "9.7"
    assert attack(18, turn="Aug 25 AM")["legal"]
    assert attack(18, turn="Aug 24 PM", status=["released"])["legal"]
    assert attack(18, turn="Aug 24 PM", released=["62A"])["legal"]
    assert attack(18, turn="Aug 24 PM", status=["entered"])["legal"]


LATE_AUGUST = {"turn": "Aug 25 AM"}


def staffs(*armies: str, corps: tuple[str, ...] = ()) -> Any:
    b = row(40, features={0: ["soviet_source"]}, roads=road("minor_road", 0, 30))
    units = [sov(f"HQ{a}", f"{i},0", "0-1-8", type="hq", army=a) for i, a in enumerate(armies)]
    units += [sov(f"HQ{c}", f"{10 + i},0", "0-1-8", type="hq", army="", corps=c) for i, c in enumerate(corps)]
    return pos(*units, on=b, phase="activation", **LATE_AUGUST)


@pytest.mark.rule("don42", "9.0.d", "9.1.c", "5.0.4.d")
@pytest.mark.parametrize("dice", [[1, 1, 1, 1], [6, 6, 6, 6], [6, 6, 1, 1]])
def test_after_two_attempts_no_third_army_tries(dice):
    g = staffs("62A", "4TkA", "1GdA")
    asked = {"after": ["activate 62A", "activate 4TkA"], "dice": dice}
    assert ask(g, "legal", **asked)["actions"] == []
    assert rule_of(ask(g, "legal", action="activate 1GdA", **asked)) == "9.0"


@pytest.mark.rule("don42", "9.1.d")
def test_three_tank_corps_and_no_fourth():
    g = staffs("62A", corps=("2TkC", "4TkC", "7TkC", "16TkC"))
    three = {"after": ["activate 62A", "activate 2TkC", "activate 4TkC", "activate 7TkC"], "dice": [1, 1]}
    assert ask(g, "legal", **three)["actions"] == []
    assert rule_of(ask(g, "legal", action="activate 16TkC", **three)) == "9.1"


@pytest.mark.rule("don42", "4.2.3.e")
def test_a_soviet_unit_may_not_move_out_of_supply_though_no_hq_is_in_the_position():
    b = row(20, features={0: ["soviet_source"]}, roads=road("minor_road", 0, 1))
    g = pos(sov("U", "8,0"), on=b, supply="traced", **LATE_AUGUST)
    assert rule_of(ask(g, "moves", unit="U", to="9,0")) == "4.2.3"
    assert ask(g, "moves", unit="U", to="7,0")["legal"]
    out = pos(sov("U", "9,0"), on=b, supply="traced", **LATE_AUGUST)
    assert ask(out, "moves", unit="U", to="10,0")["legal"], "already out: it does not move into that state"


def lost_bridge(corps_at: int, **fields: Any) -> Any:
    """The Don between 2,0 and 3,0; its bridge is gone. The Corps HQ stands on the road east of it."""
    b = row(40, sides={"2,0|3,0": "minor_river"}, features={0: ["german_source"]}, roads=road("minor_road", 0, 30))
    top = ger("Top", f"{corps_at},0", "0-1-10", type="hq", size="corps", division="", supply_points=fields.pop("sp", 0))
    planes = [{"id": "Ju52-1"}] if "air" in fields else []
    more = fields.pop("units", [])
    return pos(top, *more, *planes, on=b, supply="traced", destroyed_bridges=["2,0|3,0"], **LATE_AUGUST, **fields)


@pytest.mark.rule("don42", "4.4.a", "4.3.3.b")
@pytest.mark.parametrize(("at", "takes"), [(17, False), (18, True)])
def test_points_are_flown_to_an_hq_beyond_fourteen_mps_of_the_river(at, takes):
    g = lost_bridge(at, phase="air", air={"side": "german", "units": 2})
    found = ask(g, "legal", action="airlift Top with Ju52-1")
    assert found["legal"] is takes
    assert takes or rule_of(found) == "4.4"
