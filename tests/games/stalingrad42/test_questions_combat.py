"""The questions attack, retreat and advance."""

from __future__ import annotations

import pytest

from kessel.core.errors import BadInput

from .helpers import area, ask, board, rule
from .test_12_retreats import corridor

UNITS = {
    "A": "axis 10-8-6 1,0 tank red",
    "B": "axis 5-5-3 0,1",
    "D": "axis 5-5-3 0,1 disrupted",
    "X": "soviet 3-5-3;2-3-3 0,0",
}


def test_attack_explains_itself():
    g = board(UNITS, turn=10, radius=5)
    found = ask(g, "attack", target="0,0", units=["A", "B"])
    assert found["legal"]
    assert (found["attack"]["total"], found["defense"]["total"]) == (15, 5)
    assert (found["odds"], found["shifts"]["total"], found["column"]) == ("3-1", 2, "5-1")
    assert found["may_attack"] == ["A", "B"]
    for part in ("attack", "defense", "shifts"):
        assert all(item["rule"] for item in found[part]["items"])
    ends = found["chances"]["determined_defense"]["ends"]
    assert sum(e["chance"] for e in ends) == pytest.approx(1, abs=1e-5)
    assert {"outcome", "retreat", "attacker_steps", "defender_steps", "advance", "chance", "exact"} == set(ends[0])


def test_attack_names_what_is_wrong():
    g = board(UNITS | {"F": "axis 3-3-3 4,0"}, turn=10, radius=5)
    found = ask(g, "attack", target="0,0", units=["A", "D", "F"])
    assert not found["legal"]
    assert {(r["what"], r["rule"]) for r in found["refusals"]} == {("D", "13.2.1"), ("F", "8.1")}
    found = ask(g, "attack", target="2,0", units=["A"])
    assert not found["legal"]
    assert found["refusals"][-1] == {
        "what": "2,0",
        "rule": "8.1",
        "reason": "there is no enemy Combat Unit in that hex",
    }
    found = ask(board({"A": "axis 1-8-6 1,0", "X": "soviet 3-9-3 0,0"}), "attack", target="0,0", units=["A"])
    assert found["refusals"] == [{"what": "odds", "rule": "8.4.1", "reason": "the odds are 1-9, less than 1-3"}]
    assert found["column"] is None


def test_attack_with_support():
    g = board(UNITS | {"H": "axis S-(1)-5b 2,0 hq range=5"}, turn=10, radius=5, air={"VIII-FK": "ready"})
    found = ask(g, "attack", target="0,0", units=["A"], artillery=["H"], air="VIII-FK")
    assert [r["rule"] for r in found["refusals"]] == ["9.3.5"], "the air is out of range"
    assert found["shifts"]["total"] == 3, "support that is refused does not count"
    found = ask(g, "attack", target="0,0", units=["A"], breakthrough=True, artillery=["H"])
    assert [r["rule"] for r in found["refusals"]] == ["15.2.9"]


def test_retreat_lists_ends_and_prices():
    units = {"X": "soviet 3-5-3;2-3-3 0,0", "F": "soviet 3-5-3 -1,0", "A": "axis 5-5-3 1,0"}
    g = board(units, radius=5)
    (one,) = ask(g, "retreat", hex="0,0", hexes=2)["units"]
    assert not one["eliminated"]
    paid = [e for e in one["ends"] if e["kind"] == "paid"]
    assert paid == [
        {"to": "-1,0", "kind": "paid", "path": ["-1,0"], "pay": 1, "line_of_supply": False, "rule": "12.1.3"}
    ]
    (one,) = ask(g, "retreat", hex="0,0", hexes=2, by="-1,0 -2,0")["units"]
    assert one["by"] == {"legal": True, "refusal": None}
    (one,) = ask(g, "retreat", units=["X"], hexes=2, by="1,0 2,0")["units"]
    assert one["by"]["refusal"]["rule"] == "12.2"


def test_retreat_explains_deaths():
    g = board({"X": "soviet 3-5-3 0,0", "A": "axis 5-5-3 1,0"}, **corridor("0,0", "1,0"))
    (one,) = ask(g, "retreat", hex="0,0", hexes=4)["units"]
    assert one["eliminated"]
    assert len(one["deaths"]) == 6
    assert all(d["rule"] == "12.2" for d in one["deaths"])


def test_advance_lists_places():
    units = {"A": "axis 9-8-6 1,0 mech", "Y": "soviet 3-5-3 -3,0", "F": "axis 2-2-3 0,1"}
    g = board(units, radius=5, boxes=[area("Z", "axis", "5,0")])
    found = ask(g, "advance", unit="A", hexes=4, vacated="0,0")
    assert found["allowance"]["total"] == 4
    by = {p["to"]: p for p in found["places"]}
    assert by["-2,0"]["ends"] == "14.4.2"
    assert by["0,0"]["ends"] == ""
    found = ask(g, "advance", unit="A", hexes=4, vacated="0,0", to="-3,0")
    assert found["to"]["refusal"]["rule"] == "5.1"
    found = ask(g, "advance", unit="A", vacated="0,0", limited=True)
    assert [p["to"] for p in found["places"]] == ["0,0"]
    wet = board(units, radius=5, weather="rain", turn=22)
    assert ask(wet, "advance", unit="A", hexes=4)["allowance"]["total"] == 2


@rule("14.5b")
def test_advance_explains_a_major_river_that_is_not_the_first_hex():
    banks = {f"0,0|{n}": "major_river" for n in ("1,0", "0,1", "-1,1", "-1,0", "0,-1", "1,-1")}
    for place, reached in (("1,0", True), ("2,0", False)):
        g = board({"A": f"axis 9-8-6 {place} mech"}, radius=5, hexsides=banks)
        found = ask(g, "advance", unit="A", hexes=3, vacated="0,0", to="0,0")["to"]
        assert found["reached"] == reached
        assert (found["refusal"] or {}).get("rule") == (None if reached else "14.5")


@pytest.mark.parametrize(
    ("question", "fields", "where"),
    [
        ("attack", {"target": "9,9"}, "$.target"),
        ("attack", {"target": "0,0", "units": ["Q"]}, "$.units[0]"),
        ("attack", {"target": "0,0", "units": ["A"], "air": "Q"}, "$.air"),
        ("attack", {"target": "0,0", "dice": 7}, "$.dice"),
        ("attack", {"target": "0,0", "side": "blue"}, "$.side"),
        ("retreat", {}, "$.units"),
        ("retreat", {"hex": "0,0", "hexes": 5}, "$.hexes"),
        ("retreat", {"hex": "0,0", "hexes": 0}, "$.hexes"),
        ("retreat", {"units": ["A", "B"]}, "$.units"),
        ("advance", {"unit": "Q"}, "$.unit"),
        ("advance", {"unit": "A", "hexes": 0}, "$.hexes"),
        ("advance", {"unit": "A", "limited": True}, "$.vacated"),
    ],
)
def test_bad_questions(question: str, fields: dict, where: str):
    with pytest.raises(BadInput) as caught:
        ask(board(UNITS, radius=5), question, **fields)
    assert caught.value.where == where


@rule("11.1.2a")
@rule("11.2.4a")
def test_attack_tells_who_may_lead_a_determined_defense():
    units = {"A": "axis 16-8-4 1,0", "X": "soviet 3-3-3;1-2-3 0,0 elite", "N": "soviet 3-1-3 0,0 nkvd"}
    g = board(units, phase="combat", turn=7)
    found = ask(g, "attack", target="0,0")["determined_defense"]
    assert found["column"] == "clear_desert"
    x, n = found["leads"]
    assert x["modifier"]["total"] == 1
    assert x["refused"]["6"]["rule"] == "11.1.2"
    assert "6" not in n["refused"]
    assert n["refused"]["1"]["rule"] == "11.2.2"


@pytest.mark.parametrize(
    ("unit", "why"), [("axis 5-5-3 1,0 disrupted", "13.2.1"), ("axis 5-5-3 2,0", "8.1"), ("axis 5-5-3 1,0", "9.6.2")]
)
def test_an_attack_nobody_can_make_says_why(unit, why):
    g = board({"A": unit, "X": "soviet 3-2-3 0,0"}, hexsides={"1,0|0,0": ["alpine"]}, phase="combat")
    found = ask(g, "attack", target="0,0")
    assert not found["legal"]
    assert [x["rule"] for x in found["refusals"]] == [why]


@rule("15.2.5")
def test_no_breakthrough_combat_against_the_hex_a_unit_is_in():
    g = board({"A": "axis 5-5-3 0,0", "X": "soviet 3-2-3 3,0"}, phase="combat")
    found = ask(g, "attack", target="0,0", units=["A"], breakthrough=True)
    assert [x["rule"] for x in found["refusals"]] == ["8.1", "15.2.5"]


@rule("8.4.1a")
def test_an_attack_that_defensive_air_pushes_under_one_to_three_is_resolved_there():
    where = {"features": {"0,-2": ["town"]}, "links": [("rail", "0,-2 -1,-2")], "boxes": [area("Z", "axis", "-1,-2")]}
    more = {**where, "repaired": "all", "air": {"VIII-FK": "ready"}, "side": "soviet", "phase": "combat"}
    g = board({"A": "soviet 2-8-6 1,0", "X": "axis 3-5-3 0,0"}, **more)
    found = ask(g, "attack", target="0,0", units=["A"], defensive_air="VIII-FK")
    assert found["legal"]
    assert not found["refusals"]
    assert (found["shifted"], found["column"], found["rule"]) == ("1-4", "1-3", "8.4.1")
    assert set(found["on_the_die"]) == set("123456")
    g = board({"A": "soviet 1-8-6 1,0", "X": "axis 3-5-3 0,0"}, **more)
    found = ask(g, "attack", target="0,0", units=["A"], defensive_air="VIII-FK")
    assert [x["rule"] for x in found["refusals"]] == ["8.4.1"], "too low before the defender says anything"


@rule("11.2.2b")
@rule("11.2.4d")
@rule("11.3a")
def test_a_determined_defense_can_be_asked_for_any_colour_and_with_support():
    units = {
        "A": "axis 16-8-4 1,0",
        "X": "soviet 3-3-3;1-2-3 0,0 elite",
        "Y": "soviet 3-3-3;1-2-3 0,0 low",
        "F": "soviet S-(1)-5b -2,0 front range=5",
    }
    g = board(units, phase="combat", turn=10, radius=5, vp={"0,0": 1})

    def modifier(**more: str) -> dict[str, int]:
        found = ask(g, "defense", target="0,0", result="D1", **more)
        assert all(lead["legal"] for lead in found["leads"])
        assert all(sum(lead["chances"].values()) == pytest.approx(1) for lead in found["leads"])
        return {lead["unit"]: lead["modifier"]["total"] for lead in found["leads"]}

    assert modifier(colour="plain") == {"X": 1, "Y": -1}
    assert modifier(colour="orange") == {"X": 0, "Y": -2}
    assert modifier(colour="orange", support="F") == {"X": 1, "Y": -1}
    assert modifier(colour="plain", support="F", lead="Y") == {"Y": 0}
    held = [ask(g, "defense", target="0,0", result="D1", colour=c)["leads"][0]["chances"] for c in ("plain", "orange")]
    assert held[0]["retreats"] < held[1]["retreats"]
    (x, _) = ask(g, "defense", target="0,0", result="D1", colour="noDD")["leads"]
    assert [r["rule"] for r in x["refusals"]] == ["11.2.2"]
    assert "chances" not in x
    (x, _) = ask(g, "defense", target="0,0", result="D1", support="A")["leads"]
    assert not x["legal"]
    assert x["support"] == ["F"]
    g = board(units, phase="combat", turn=10, radius=5)
    (x, _) = ask(g, "defense", target="0,0", result="D1", colour="orange")["leads"]
    assert [r["rule"] for r in x["refusals"]] == ["11.2.2"], "only in a VP hex"
