"""Positions worked out by hand from the rule text, as `kessel analyze` asks them: chapters 13 and 16, and refusals."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kessel.core.analysis import analyze
from kessel.core.errors import BadInput
from kessel.games.don42.answers.position import FEATURES, PHASES, PositionDoc, UnitDoc
from kessel.games.don42.answers.questions import QUESTIONS
from kessel.games.don42.board import FLAG_WORDS
from kessel.games.don42.data.charts import charts_of
from tests.games.don42.helpers import PACK, ask, board, document, ger, pos, sov
from tests.games.don42.test_questions_movement import road, row

# --- 13.3 which way --------------------------------------------------------------------------------------------------


def ways(g: Any, hexes: int = 1, at: str = "0,0", *attackers: str) -> set[tuple[str, ...]]:
    found = ask(g, "retreat", hex=at, hexes=hexes, attackers=list(attackers))
    assert [w["path"] for w in found["ways"]] == found["paths"]
    return {tuple(p) for p in found["paths"]}


@pytest.mark.rule("don42", "13.3.a")
@pytest.mark.rule("don42", "13.3.b")
@pytest.mark.rule("don42", "13.3.c")
@pytest.mark.parametrize(("mine", "theirs"), [(sov, ger), (ger, sov)])
def test_a_retreat_leads_away(mine, theirs):
    one = pos(mine("U", "0,0"), theirs("A", "1,0"), on=board(4))
    assert ways(one) == {("-1,0",), ("-1,1",), ("0,-1",)}  # two hexes from the attacker
    two = ways(one, 2)
    assert ("-1,0", "-2,0") in two
    assert ("0,-1", "-1,-1") in two
    assert ("-1,0", "0,-1") not in two  # no nearer, no further
    assert all(len(p) == 2 for p in two)
    pincer = pos(mine("U", "0,0"), theirs("A", "1,0"), theirs("B", "-1,0"), on=board(4))
    found = ask(pincer, "retreat", hex="0,0", hexes=1)
    assert (found["paths"], found["full_length"]) == ([], False)
    assert ways(pincer, 1, "0,0", "A") == {("-1,1",), ("0,-1",)}  # only A attacked; B stands in -1,0
    corner = pos(mine("U", "0,0"), theirs("A", "1,0"), theirs("B", "0,1"), on=board(4))
    assert ways(corner) == {("-1,0",), ("0,-1",)}


@pytest.mark.rule("don42", "13.3.b")
def test_avoiding_zones_comes_second():
    g = pos(sov("U", "0,0"), ger("A", "1,0"), ger("B", "-2,0"), on=board(4))
    assert ways(g, 1, "0,0", "A") == {("-1,1",), ("0,-1",)}  # -1,0 is in B's zone
    closed = pos(sov("U", "0,0"), ger("A", "1,0"), ger("B", "-2,0"), ger("C", "0,-2"), ger("D", "-1,2"), on=board(4))
    found = ask(closed, "retreat", hex="0,0", hexes=1, attackers=["A"])
    assert {w["becomes"]["U"] for w in found["ways"]} == {"eliminated"}
    assert {w["rule"] for w in found["ways"]} == {"3.2.5"}
    # beside the attacker 0,1 is free of zones because the Don lies between
    b = board(4, sides={"1,0|0,1": "minor_river"})
    units = [sov("U", "0,0"), ger("A", "1,0"), ger("B", "-2,0"), ger("C", "0,-2"), ger("D", "-2,2")]
    assert ways(pos(*units, on=b), 1, "0,0", "A") == {("-1,0",), ("-1,1",), ("0,-1",)}
    zones_first = pos(*units, on=b, options={"away_first": "after_zones"})
    assert ways(zones_first, 1, "0,0", "A") == {("0,1",)}


@pytest.mark.rule("don42", "13.3.b")
@pytest.mark.rule("don42", "10.1.2.a")
def test_other_readings_of_away_and_the_volga():
    units = [sov("U", "0,0"), ger("A", "1,0"), ger("B", "-1,0")]
    free = pos(*units, on=board(4), options={"away": "from_start"})
    assert ways(free, 1) == {("-1,1",), ("0,-1",), ("0,1",), ("1,-1",)}  # all in a zone, none nearer to the hex left
    straight = pos(sov("U", "0,0"), ger("A", "1,0"), on=board(4), options={"away": "straight"})
    assert ways(straight, 2) == {("-1,0", "-2,0"), ("-1,1", "-2,2"), ("0,-1", "0,-2")}
    sides = {"0,0|-1,0": "major_river", "0,0|-1,1": "major_river"}
    assert ways(pos(sov("U", "0,0"), ger("A", "1,0"), on=board(4, sides=sides))) == {("0,-1",)}
    short = pos(sov("U", "2,0"), ger("A", "3,0"), on=row(3))
    found = ask(short, "retreat", hex="2,0", hexes=3)
    assert (found["paths"], found["full_length"]) == ([["1,0", "0,0"]], False)


# --- 13.3.2 what it costs --------------------------------------------------------------------------------------------


def lane(
    unit: dict[str, Any], hexes: int, enemies: list[str], friends: list[dict[str, Any]] | None = None, **fields: Any
) -> Any:
    """A line of hexes; the unit at 7,0 is attacked from 8,0 and can only go west. Enemies stand beside the line."""
    if friends is None:
        friends = []
    b = row(9)
    make = sov if unit["side"] == "german" else ger
    b["hexes"].update({e: {} for e in enemies})
    beside = [make(f"X{i}", e) for i, e in enumerate(enemies)]
    g = pos({**unit, "at": "7,0"}, make("A", "8,0"), *beside, *friends, on=b, **fields)
    (only,) = ask(g, "retreat", hex="7,0", hexes=hexes, attackers=["A"])["ways"]
    return only


# 5,-1 touches 5,0 and 4,0; 5,1 touches 6,0 and 5,0; 3,1 touches 4,0 and 3,0
@pytest.mark.rule("don42", "13.3.2.e1")
@pytest.mark.rule("don42", "13.3.2.e2")
@pytest.mark.rule("don42", "13.3.2.e3")
@pytest.mark.rule("don42", "13.3.2.e4")
@pytest.mark.rule("don42", "13.3.2.d")
def test_germans_through_empty_zones():
    unit = ger("U", "")
    assert "becomes" not in lane(unit, 1, ["5,-1"])
    assert lane(unit, 2, ["5,-1"])["becomes"] == {"U": "DRG"}
    assert lane(unit, 3, ["5,-1"])["becomes"] == {"U": "DPT"}
    routed = lane(unit, 3, ["5,-1", "5,1"])
    assert (routed["empty_zone_hexes"], routed["becomes"]) == (3, {"U": "RTD"})
    assert "three" in routed["then"] or "3" in routed["then"]
    assert lane(unit, 4, ["5,-1", "5,1", "3,1"])["becomes"] == {"U": "eliminated"}
    friend = [ger("F", "5,0"), ger("E", "4,0")]
    assert lane(unit, 3, ["5,-1"], friend)["empty_zone_hexes"] == 0
    assert lane(unit, 3, ["5,-1"], friend[:1])["becomes"] == {"U": "DRG"}


@pytest.mark.rule("don42", "13.3.2.e1")
@pytest.mark.rule("don42", "13.3.2.f")
@pytest.mark.rule("don42", "13.3.2.ex")
def test_markers_already_there_and_stacks_joined():
    drg, dpt = ger("U", "", status=["DRG"]), ger("U", "", status=["DPT"])
    assert "becomes" not in lane(drg, 2, ["5,-1"])  # DRG is DRG
    assert lane(drg, 2, ["5,-1"], options={"on_status": "escalates"})["becomes"] == {"U": "DPT"}
    assert lane(drg, 3, ["5,-1"])["becomes"] == {"U": "DPT"}
    assert "becomes" not in lane(dpt, 2, ["5,-1"])
    host = [ger("F", "4,0", "1-1-6", type="infantry")]
    hit = lane(ger("U", ""), 3, ["5,-1"], host)
    assert hit["becomes"] == {"U": "DRG", "F": "DRG"}  # 5,0 was empty, 4,0 not
    assert "becomes" not in lane(ger("U", ""), 3, [], host)
    hurt = [ger("F", "4,0", status=["DPT"])]
    assert "F" not in lane(ger("U", ""), 3, ["5,-1"], hurt)["becomes"]  # never improved
    full = [ger("F", "5,0", type="infantry", size="regiment")]
    crowded = lane(ger("U", ""), 2, [], full)
    assert set(crowded["over_limit"]) == {"continue 4,0", "displace F 4,0", "displace F 6,0"}


@pytest.mark.rule("don42", "3.2.5.a")
@pytest.mark.rule("don42", "13.3.2.a")
@pytest.mark.rule("don42", "13.3.2.b")
@pytest.mark.rule("don42", "3.2.5.b")
def test_soviets_through_zones():
    two, one = sov("U", "", "3-4-5 1-2-5"), sov("U", "", "3-4-5")
    assert lane(two, 2, ["5,-1"])["becomes"] == {"U": "eliminated"}
    friends = [sov("F", "5,0"), sov("E", "4,0")]
    held = lane(two, 3, ["5,-1"], [friends[0], sov("E", "4,0")])
    assert held["becomes"]["U"] == "eliminated"  # a step for each of 5,0 and 4,0
    once = lane(two, 3, ["5,-1"], friends, options={"soviet_step": "once"})
    assert once["becomes"]["U"] == "loses 1 step"
    assert lane(one, 3, ["5,-1"], friends)["becomes"]["U"] == "eliminated"
    through = lane(two, 3, ["6,-1"], [sov("F", "6,0"), sov("E", "5,0")])  # 6,-1 touches 6,0 and 5,0
    assert through["becomes"]["U"] == "eliminated"
    free = lane(two, 2, [], [sov("F", "5,0")])
    assert set(free["over_limit"]) == {"continue 4,0", "displace F 4,0", "displace F 6,0"}
    further = lane(two, 2, [], [sov("F", "5,0")], options={"onward": "further"})
    assert "continue 6,0" not in further["over_limit"]


@pytest.mark.rule("don42", "13.3.3.a")
@pytest.mark.rule("don42", "13.3.3.b")
@pytest.mark.rule("don42", "13.3.3.d")
@pytest.mark.rule("don42", "13.5.1.a")
@pytest.mark.rule("don42", "13.5.1.b")
@pytest.mark.rule("don42", "13.5.1.c")
def test_a_step_instead_and_routs():
    stack = [ger("U", "0,0", "3-3-6 2-2-6"), ger("V", "0,0", quality="C"), ger("W", "2,0", "3-3-6 2-2-6", steps=1)]
    g = pos(*stack, sov("A", "1,0"), on=board(4))
    assert ask(g, "retreat", hex="0,0", hexes=2)["or_step_loss"] == {"U": "reduced", "V": "eliminated"}
    assert ask(g, "retreat", hex="2,0", hexes=2)["or_step_loss"] == {"W": "eliminated"}
    rout = ask(g, "retreat", hex="0,0", hexes=3, rout=True)
    assert "or_step_loss" not in rout
    assert rout["routs"] == {"U": {"DPT": "4/6", "RTD": "2/6"}, "V": {"RTD": "6/6"}}
    red = ask(pos(sov("U", "0,0", quality="A"), ger("A", "1,0"), on=board(4)), "retreat", hex="0,0", hexes=3, rout=True)
    assert red["routs"] == {"U": {"RTD": "6/6"}}


# --- 13.6 advance ----------------------------------------------------------------------------------------------------


def advance(unit: dict[str, Any], hexes: int, *others: dict[str, Any], **fields: Any) -> set[str]:
    """Where a unit at 1,0 may go when 0,0 is vacated; the defender is still shown there."""
    foe = (sov if unit["side"] == "german" else ger)("D", "0,0")
    g = pos({**unit, "at": "1,0"}, foe, *others, on=fields.pop("on", None) or board(4), **fields)
    found = ask(g, "advance", hex="0,0", units=["U"], hexes=hexes)["units"]["U"]
    assert bool(found["to"]) is ("refusal" not in found)
    return set(found["to"])


@pytest.mark.rule("don42", "13.6.a")
@pytest.mark.rule("don42", "13.6.b")
@pytest.mark.rule("don42", "13.6.1.a")
@pytest.mark.rule("don42", "13.6.1.b")
@pytest.mark.rule("don42", "13.6.1.c")
@pytest.mark.parametrize(
    ("unit", "far"),
    [
        (ger("U", "", type="infantry", motorized=False), False),
        (ger("U", "", type="machine_gun", motorized=False), False),
        (ger("U", "", type="anti_tank", motorized=False), False),
        (sov("U", "", type="mortar"), False),
        (sov("U", ""), False),
        (ger("U", "", type="pz4"), True),
        (ger("U", "", type="trucked_infantry"), True),
        (sov("U", "", type="t34", motorized=True), True),
        (sov("U", "", type="trucked_infantry", motorized=True), True),
        (ger("U", "", type="pz4", supply="out of supply"), False),
    ],
)
def test_how_far_units_advance(unit, far):
    assert advance(unit, 1) == {"0,0"}
    two = advance(unit, 2)
    assert two == ({"0,0", "-1,0", "-1,1", "0,-1", "0,1", "1,-1"} if far else {"0,0"})
    assert ("-2,0" in advance(unit, 3)) is far


@pytest.mark.rule("don42", "13.6.b")
@pytest.mark.rule("don42", "13.6.c")
def test_guns_stay_and_stacks_are_kept():
    assert advance(ger("U", "", type="artillery"), 3) == set()
    assert advance(sov("U", "", type="artillery"), 1) == set()
    red = sov("U", "", type="t34", motorized=True)
    assert advance(red, 2, sov("F", "0,1")) == {"0,0", "-1,0", "-1,1", "0,-1", "1,-1"}
    g = pos(ger("U", "2,0"), sov("D", "0,0"), on=board(3))
    assert ask(g, "advance", hex="0,0", units=["U"])["units"]["U"]["refusal"]["rule"] == "13.6.1"


@pytest.mark.rule("don42", "3.2.5.d")
@pytest.mark.rule("don42", "3.3.2.a")
@pytest.mark.rule("don42", "3.3.2.b")
@pytest.mark.rule("don42", "13.6.1.d")
@pytest.mark.rule("don42", "13.6.1.e")
def test_zones_of_a_rated_enemies_stop_an_advance():
    tank = ger("U", "", type="pz4")
    # an enemy at -2,0 holds -1,0 and -1,-1 and -2,1 ...: from -1,0 one would get to -2,1 with the third hex
    foe = sov("X", "-2,0", quality="A")
    beyond = "-2,1"
    assert beyond not in advance(tank, 3, foe, sov("Y", "-1,1"), sov("Z", "-1,2"))
    assert beyond in advance(tank, 3, {**foe, "quality": "B"}, sov("Y", "-1,1"), sov("Z", "-1,2"))
    for status in ("DRG", "DPT", "RTD"):
        assert beyond in advance(tank, 3, {**foe, "status": [status]}, sov("Y", "-1,1"), sov("Z", "-1,2"))
    hq = {**foe, "type": "hq", "faces": "0-1-8"}
    assert beyond in advance(tank, 3, hq, sov("Y", "-1,1"), sov("Z", "-1,2"))
    stopped = advance(tank, 3, sov("X", "-1,0", quality="A"))  # 0,0 itself is in its zone
    assert stopped == {"0,0"}


# --- 16 victory ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("don42", "16.1.a")
@pytest.mark.rule("don42", "16.1.b")
@pytest.mark.rule("don42", "16.1.c")
@pytest.mark.rule("don42", "16.1.d")
@pytest.mark.rule("don42", "16.1.e")
@pytest.mark.rule("don42", "16.2")
def test_points_of_hexes():
    control = {"1402": "german", "1801": "german", "1916": "soviet", "2621": "soviet"}
    g = pos(ger("U", "2924"), sov("S", "1505"), on="printed", control=control, victory_points={"soviet": 7})
    found = ask(g, "victory")
    assert found["german"]["held"] == {"1402": 5, "1801": 10, "2924": 25}
    assert (found["german"]["hexes"], found["german"]["total"]) == (40, 40)
    assert found["soviet"]["held"] == {"1505": 5, "1916": 25, "2621": 25}
    assert (found["soviet"]["awarded"], found["soviet"]["total"]) == (7, 62)  # a zone at 1504 controls nothing
    assert found["if_over_now"] == {"winner": "soviet", "level": "Soviet victory by 22 VP"}


@pytest.mark.rule("don42", "17.1.8.a")
@pytest.mark.rule("don42", "17.1.8.c")
@pytest.mark.parametrize(
    ("turn", "vp"),
    [
        ("Aug 23 PM", 0), ("Aug 24 PM", 3), ("Aug 25 AM", 3), ("Aug 25 PM", 6), ("Aug 26 AM", 6), ("Aug 26 PM", 9),
        ("Aug 27 AM", 9), ("Aug 27 PM", 12), ("Aug 28 AM", 12), ("Aug 28 PM", 12),
    ],
)  # fmt: skip
def test_points_for_the_volga_not_reached(turn, vp):
    g = pos(ger("U", "1801"), on="printed", scenario="crossing-the-don", turn=turn)
    assert ask(g, "victory")["soviet"]["at_turn_end"] == vp


@pytest.mark.rule("don42", "17.1.8.a")
@pytest.mark.rule("don42", "17.1.8.b")
@pytest.mark.rule("don42", "17.1.8.d")
@pytest.mark.rule("don42", "17.1.8.e")
def test_points_when_the_line_to_the_volga_is_cut():
    def points(*places: str, **fields: Any) -> int:
        units = [ger(f"U{i}", at) for i, at in enumerate(places)]
        g = pos(*units, on="printed", scenario="crossing-the-don", turn="Aug 26 PM", **fields)
        return int(ask(g, "victory")["soviet"]["at_turn_end"])

    assert points("1801", "1802") == 9  # they are there, but the line is not
    assert points("1801", "1802", volga_reached=True) == 1
    assert points("1801", volga_reached=True) == 0  # one unit alone: the schedule has stopped for good
    assert points("2140", volga_reached=True) == 0


@pytest.mark.rule("don42", "2.1.1")
@pytest.mark.rule("don42", "17.1.8.c")
@pytest.mark.example("don42", "D-E08")
def test_a_turn_has_a_number_too():
    for number, vp in ((7, 0), (8, 3), (16, 12)):  # Aug 24 AM, Aug 24 PM, Aug 28 PM
        g = pos(ger("U", "1801"), on="printed", scenario="crossing-the-don", turn=number)
        assert ask(g, "victory")["soviet"]["at_turn_end"] == vp


# --- 5.0 what may be done --------------------------------------------------------------------------------------------


@pytest.mark.rule("don42", "5.0.a")
@pytest.mark.parametrize(
    ("phase", "action", "rule"),
    [
        ("weather", "attack 3,0", "5.0"),
        ("recovery", "attack 3,0", "5.0"),
        ("soviet_bombardment", "shell 0,0", "11.0"),
        ("german_combat", "attack 3,0", "12.3"),
        ("positions", "entrench 0,0", "8.1.1"),
        ("activation", "activate 62A", "9.2"),
        ("soviet_movement", "move U", "5.0"),
    ],
)
def test_why_nothing_can_be_done(phase, action, rule):
    g = pos(ger("U", "0,0"), sov("S", "3,0"), sov("K", "4,0", "5-1-5", type="artillery"), on=board(4), phase=phase)
    found = ask(g, "legal")
    assert found["actions"] == [] or phase == "soviet_movement"
    assert ask(g, "legal", action=action)["refusal"]["rule"] == rule


@pytest.mark.rule("don42", "8.1.a")
@pytest.mark.rule("don42", "8.1.b")
@pytest.mark.rule("don42", "8.1.1.b")
@pytest.mark.rule("don42", "8.1.1.c")
@pytest.mark.rule("don42", "8.2.a")
@pytest.mark.rule("don42", "8.2.1.b")
@pytest.mark.rule("don42", "4.3.2.e")
def test_who_may_dig():
    def dig(at: int, *others: dict[str, Any], top: Any = None, **more: Any) -> str:
        fields = {k: more.pop(k) for k in ("weather", "positions", "on") if k in more}
        corps = ger("Top", "0,0", "0-1-10", type="hq", size="corps", division="", **(top or {}))
        b = fields.pop("on", None) or row(12)
        g = pos(corps, ger("U", f"{at},0", **more), *others, on=b, phase="positions", **fields)
        found = ask(g, "legal", action=f"entrench {at},0")
        return "yes" if found["legal"] else str(found["refusal"]["rule"])

    assert [dig(10), dig(11)] == ["yes", "8.1"]
    assert [dig(5, weather="rain"), dig(6, weather="rain")] == ["yes", "8.1"]
    assert dig(9, sov("S", "10,0")) == "yes"  # in a zone
    assert dig(10, on=row(12, terrain={0: "hill"})) == "8.1"
    assert dig(5, supply="out of supply") == "8.1.1"
    for status in ("DRG", "DPT", "RTD"):
        assert dig(5, status=[status]) == "8.1.1"
        assert dig(5, top={"status": [status]}) == "8.1.1"
    assert dig(5, positions={"5,0": "hasty"}) == "yes"
    assert dig(5, positions={"5,0": "prepared"}) == "8.3"


# --- refusals of what is written wrong -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "where", "word"),
    [
        ({"units": [{"id": "U", "at": "0,0"}]}, "$.units[0].side", "needs side, type and faces"),
        ({"units": [{**ger("U", "0,0"), "type": "tank"}]}, "$.units[0].type", "pz4"),
        ({"units": [{**ger("U", "0,0"), "side": "russian"}]}, "$.units[0].side", "soviet"),
        ({"units": [{**ger("U", "0,0"), "faces": "5-4"}]}, "$.units[0].faces", "5-6-6"),
        ({"units": [{**ger("U", "0,0"), "quality": "D"}]}, "$.units[0].quality", "A, B, C"),
        ({"units": [{**ger("U", "0,0"), "status": ["routed"]}]}, "$.units[0].status[0]", "RTD"),
        ({"units": [{**ger("U", "0,0"), "supply": "oos"}]}, "$.units[0].supply", "attack"),
        ({"units": [{**ger("U", "0,0"), "steps": 3}]}, "$.units[0].steps", "1 to 1"),
        ({"units": [{**sov("U", "0,0"), "army": "63A"}]}, "$.units[0].army", "62A"),
        ({"units": [ger("U", "9,9")]}, "$.units[0].at", "9,9"),
        ({"units": [{**ger("U", "0,0"), "hex": "0,0"}]}, "$.units[0]", "hex"),
        ({"units": [ger("U", "0,0"), ger("U", "1,0")]}, "$.units", "U"),
        ({"units": [ger("U", "0,0"), sov("V", "0,0")]}, "$", "both sides"),
        ({"weather": "snow"}, "$.weather", "mud"),
        ({"supply": "none"}, "$.supply", "traced"),
        ({"air": {"side": "allied"}}, "$.air.side", "soviet"),
        ({"turn": "Aug 20 AM"}, "$.turn", "Aug 21 AM"),
        ({"turn": 39}, "$.turn", "Sep 8 PM"),
        ({"turn": 0}, "$.turn", "Sep 8 PM"),
        ({"phase": "movement"}, "$.phase", "soviet_movement"),
        ({"options": {"radius": "wide"}}, "$.options.radius", "open_line"),
        ({"options": {"radios": "wide"}}, "$.options", "radius"),
        ({"scenario": "uranus"}, "$.scenario", "kotluban"),
        ({"positions": {"0,0": "trench"}}, "$.positions.0,0", "prepared"),
        ({"destroyed_bridges": ["0,0|1,0"]}, "$.destroyed_bridges[0]", "no bridge"),
        ({"pontoons": [{"hexside": "0,0|1,0"}]}, "$.pontoons[0].hexside", "Minor River"),
        ({"air": {"side": "german", "units": -1}}, "$.air.units", ">= 0"),
        ({"victory_points": {"german": -5}}, "$.victory_points", ">= 0"),
        ({"activated": ["63A"]}, "$.activated[0]", "62A"),
        ({"control": {"0,0": "german"}}, "$.control.0,0", "Victory Point"),
        ({"ask": [{"question": "odds"}]}, "$.ask[0].question", "attack"),
        ({"ask": [{"question": "moves", "unit": "Z"}]}, "$.ask[0].unit", "no unit Z"),
        ({"ask": [{"question": "moves"}]}, "$.ask[0]", "unit"),
        ({"ask": [{"question": "zoc", "side": "red"}]}, "$.ask[0].side", "soviet"),
        ({"ask": [{"question": "attack", "hex": "0,0", "units": []}]}, "$.ask[0].units", "at least one"),
        ({"ask": [{"question": "activation", "army": "63A"}]}, "$.ask[0].army", "62A"),
        ({"ask": [{"question": "legal"}]}, "$.ask[0]", "phase"),
    ],
)
def test_what_is_written_wrong_is_named_with_its_path(fields, where, word):
    with pytest.raises(BadInput) as e:
        analyze(document(fields.pop("units", ()), board(2), **fields))
    assert e.value.where.startswith(where)
    assert word in e.value.message


@pytest.mark.parametrize(
    ("field", "value", "word"),
    [
        ("status", ["DRG", "DPT"], "more than one"),
        ("supply", "general", "no General Supply"),
        ("supply_points", -1, ">= 0"),
        ("due", "Aug 26 AM", "only an HQ"),
        ("faces", "300-4-6", "99 at most"),
        ("faces", "4-4-6 3-3-6 2-2-6", "two sides"),
        ("bombard", 100, "<= 99"),
    ],
)
def test_what_a_unit_cannot_have_is_named_with_its_path(field, value, word):
    with pytest.raises(BadInput) as e:
        analyze(document(({**ger("A", "0,0"), field: value},), board(2)))
    assert e.value.where == f"$.units[0].{field}"
    assert word in e.value.message


@pytest.mark.parametrize(
    ("what", "where", "word"),
    [
        ({"hexes": {"0,0": {"terrain": "swamp"}}}, "$.board.hexes.0,0.terrain", "hill"),
        ({"hexes": {"0,0": {}, "1,0": {}}, "hexsides": {"0,0|1,0": ["river"]}}, "$.board.hexsides", "minor_river"),
        ({"hexes": "0,0 1,0", "links": [{"kind": "road", "path": "0,0 1,0"}]}, "$.board.links[0].kind", "major_road"),
        ({"hexes": {"0,0": {"features": ["source"]}}}, "$.board.hexes.0,0", "soviet_source"),
    ],
)
def test_words_of_an_inline_board_are_checked(what, where, word):
    doc = {"game": "don42", "board": {"grid": {"numbering": "axial"}, **what}}
    with pytest.raises(BadInput) as e:
        analyze(msgspec.json.encode(doc))
    assert e.value.where.startswith(where)
    assert word in e.value.message


# --- docs/positions-don42.md -----------------------------------------------------------------------------------------

DOCS = Path(__file__).parents[3] / "docs"


def test_the_examples_of_the_documentation_are_true():
    text = (DOCS / "positions-don42.md").read_text()
    blocks = [msgspec.json.decode(b) for b in re.findall(r"```json\n(.*?)```", text, re.DOTALL)]
    position = msgspec.json.decode((DOCS / "examples/don42.json").read_bytes())
    questions, answers = blocks[::2], blocks[1::2]
    found = analyze(msgspec.json.encode({**position, "ask": questions}))["answers"]
    assert [{k: v for k, v in a.items() if k != "question"} for a in found] == answers
    assert {q["question"] for q in questions} == set(QUESTIONS)


def test_the_options_of_the_documentation_are_those_of_the_game():
    text, charts = (DOCS / "positions-don42.md").read_text(), charts_of(PACK)
    for key, switch in charts.readings.switches.items():
        assert f"| `{key}` | {switch.rule} | {', '.join(f'`{c}`' for c in switch.values)} |" in text
    for key, option in charts.readings.optional.items():
        assert f"`{key}` ({option.rule}, {option.default})" in text


def test_the_words_of_the_documentation_are_those_of_the_game():
    text = (DOCS / "positions-don42.md").read_text()
    words = set(re.findall(r"`([a-z_0-9]+)`", text))
    fields = {f.name for form in (PositionDoc, UnitDoc) for f in msgspec.structs.fields(form)}
    asked = {f.name for q in QUESTIONS.values() for f in msgspec.structs.fields(q.form)}
    types = set(charts_of(PACK).types)
    fields -= {"game", "note", "ask"}
    for known in (fields, asked - {"question"}, types, set(FLAG_WORDS), set(PHASES), set(FEATURES) - {"vp"}):
        assert known <= words, known - words


LATE = {"turn": "Aug 25 AM"}


@pytest.mark.rule("don42", "13.3.2.b", "3.2.5.a")
def test_which_rule_eliminates_a_retreating_soviet_unit():
    b = row(9)
    b["hexes"]["4,-1"] = {}  # a German there has a zone in 3,0 and 4,0
    ours = [ger("A", "1,0"), ger("B", "4,-1")]

    def way(*friends: dict[str, Any]) -> tuple[Any, str]:
        g = pos(*ours, sov("X", "2,0", "4-4-5 2-2-5"), *friends, on=b, **LATE)
        (found,) = ask(g, "retreat", hex="2,0", hexes=3, attackers=["A"])["ways"]
        return found["becomes"]["X"], found["rule"]

    assert way(sov("F", "3,0"), sov("G", "4,0")) == ("eliminated", "13.3.2"), "a step for each hex, and it has two"
    assert way() == ("eliminated", "3.2.5")
    assert way(sov("F", "3,0")) == ("eliminated", "3.2.5"), "one step, then a zone hex without a friend"


@pytest.mark.rule("don42", "16.1.a", "16.1.b")
def test_who_stands_in_a_victory_point_hex_controls_it_whatever_was_before():
    def held(at: str) -> dict[str, int]:
        g = pos({"id": "I-79", "at": at}, on="printed", control={"1801": "soviet"}, **LATE)
        return dict(ask(g, "victory")["german"]["held"])

    assert held("1801") == {"1801": 10}
    assert held("1802") == {}, "a zone of control is not enough"


def lost_bridge(corps_at: int, **fields: Any) -> Any:
    """The Don between 2,0 and 3,0; its bridge is gone. The Corps HQ stands on the road east of it."""
    b = row(40, sides={"2,0|3,0": "minor_river"}, features={0: ["german_source"]}, roads=road("minor_road", 0, 30))
    top = ger("Top", f"{corps_at},0", "0-1-10", type="hq", size="corps", division="", supply_points=fields.pop("sp", 0))
    planes = [{"id": "Ju52-1"}] if "air" in fields else []
    more = fields.pop("units", [])
    return pos(top, *more, *planes, on=b, supply="traced", destroyed_bridges=["2,0|3,0"], **LATE, **fields)


@pytest.mark.rule("don42", "13.2.4.a", "13.2.4.b")
@pytest.mark.parametrize(("at", "back"), [(17, "Aug 25 PM"), (18, "Aug 26 AM")])
def test_an_hq_with_a_line_to_the_river_is_not_isolated_when_it_is_lost(at, back):
    g = lost_bridge(at, phase="soviet_combat", units=[sov("X", f"{at + 1},0", "9-9-5", quality="A", supply="attack")])
    after = [f"attack {at},0", "with X", "assault", "eliminate Top"]
    told = [t["what"] for t in ask(g, "legal", after=after, dice=[6])["told"]]
    assert f"Top is reconstituted on {back}" in told


def rule_of(found: dict[str, Any]) -> str:
    return str(found["refusal"]["rule"])


@pytest.mark.rule("don42", "13.3.b", "13.3.3.a")
def test_between_two_attackers_there_is_nowhere_to_retreat_to():
    g = pos(ger("A", "1,0"), ger("B", "3,0"), sov("X", "2,0", "4-4-5 2-2-5"), on=row(6), **LATE)
    found = ask(g, "retreat", hex="2,0", hexes=1, attackers=["A", "B"])
    assert (found["paths"], rule_of(found), found["or_step_loss"]) == ([], "13.3", {"X": "reduced"})
    one = pos(ger("A", "1,0"), sov("X", "2,0", "4-4-5 2-2-5"), on=row(6), **LATE)
    assert "refusal" not in ask(one, "retreat", hex="2,0", hexes=1, attackers=["A"])
