"""The answers of `kessel analyze` in their details: which fields they have, and when."""

from __future__ import annotations

import pytest

from kessel.games.kharkov43.combat.odds import preview
from tests.games.kharkov43.combat_helpers import field, full_cup, scene
from tests.games.kharkov43.helpers import ask, german, panzer, position, soviet, tanks
from tests.games.kharkov43.helpers import bad as refusal
from tests.games.kharkov43.soviet_helpers import arena
from tests.games.kharkov43.test_12_attack import reserves_example

RULE = "kharkov43"


UNITS = [german("G", "1912"), soviet("S", "1909"), soviet("T", "1908", status=["isolated"]), soviet("R", "reserve")]


# --- zoc, supply, stacking -------------------------------------------------------------------------------------------


@pytest.mark.rule(RULE, "11.0a")
def test_zones_of_one_side_or_of_both() -> None:
    g = position(board=arena(), turn=4, units=UNITS)
    assert set(ask(g, "zoc")) == {"question", "rule", "german", "soviet"}
    assert set(ask(g, "zoc", side="german")) == {"question", "rule", "german"}
    assert ask(g, "zoc", side="soviet")["soviet"]["from"] == ["1909"]
    marked = position(board=arena(features={"1910": "village"}), turn=4, units=[], garrisons="1910")
    assert "garrisons" in ask(marked, "zoc")
    assert "garrisons" not in ask(marked, "zoc", side="german")
    assert refusal(g, "zoc", side="red") == ("$.side", "there is no side 'red'; there are german, soviet")
    assert refusal(g, "zoc", hex="9999") == ("$.hex", "there is no hex 9999 on this board")


@pytest.mark.rule(RULE, "13.0d")
def test_supply_of_a_unit_a_hex_a_side_and_everybody() -> None:
    g = position(board=arena(), turn=4, units=UNITS)
    everybody = ask(g, "supply")
    assert everybody["units"] == {
        "G": {"traced": True, "state": "supplied"},
        "S": {"traced": True, "state": "supplied"},
        "T": {"traced": True, "state": "isolated"},
    }
    assert set(everybody["heads"]) == {"german", "soviet"}
    assert set(ask(g, "supply", side="soviet")["units"]) == {"S", "T"}
    assert set(ask(g, "supply", side="soviet")["heads"]) == {"soviet"}
    assert "reserve_supply" in ask(g, "supply", unit="S")
    assert "reserve_supply" not in ask(g, "supply", unit="G")
    assert ask(g, "supply", hex="1912", side="soviet")["supply"]["traced"] is True
    for other in ({"hex": "1909"}, {"side": "german"}):
        assert refusal(g, "supply", unit="S", **other) == ("$", "ask for a unit, or for a hex and a side")
    assert refusal(g, "supply", unit="R") == ("$.unit", "R is not on the map")
    assert refusal(g, "supply", unit="X") == ("$.unit", "there is no unit X")


@pytest.mark.rule(RULE, "10.4a")
def test_stacks_are_counted_with_those_that_would_join() -> None:
    full = [soviet(f"U{i}", "1910", "1-4") for i in range(3)]
    g = position(board=arena(), turn=4, units=[*UNITS, *full])
    assert ask(g, "stacking", hex="1910")["legal"] is True
    found = ask(g, "stacking", hex="1910", units=["S"])
    assert (found["legal"], found["refusal"]["rule"]) == (False, "10.4")
    assert "refusal" not in ask(g, "stacking", hex="1909", units=["R"])
    assert refusal(g, "stacking", hex="1910", units=["S", "X"]) == ("$.units[1]", "there is no unit X")


# --- attack ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule(RULE, "12.1b")
def test_who_attacks_if_nobody_is_named() -> None:
    units = [german("A", "1911"), german("B", "1911", status=["dispersed"]), german("C", "1810"), soviet("S", "1910")]
    assert ask(scene(units), "attack", hex="1910")["units"] == ["A", "C"]
    marked = [german("A", "1911", status=["active"]), *units[1:]]
    assert ask(scene(marked), "attack", hex="1910")["units"] == ["A"], "only active units where some are"
    found = ask(scene(marked), "attack", hex="1910", units=["C"])
    assert (found["legal"], found["refusal"]["reason"]) == (False, "C is not active")
    far = ask(scene([*units, german("D", "1913")]), "attack", hex="1910", units=["A", "D"])
    assert far["refusal"]["reason"] == "D is not adjacent to 1910"


def test_attacks_that_make_no_sense_are_refused() -> None:
    g = scene([german("A", "1911"), soviet("S", "1910"), soviet("R", "reserve")])
    assert refusal(g, "attack", hex="1912") == ("$.hex", "no unit is in 1912")
    assert refusal(g, "attack", hex="1910", units=["A", "A"]) == ("$.units", "a unit is named twice")
    assert refusal(g, "attack", hex="1910", units=["A", "S"]) == ("$.units", "the units are of both sides")
    assert refusal(g, "attack", hex="1910", units=["R"]) == ("$.units[0]", "R is not on the map")
    assert refusal(g, "attack", hex="1910", units=["X"]) == ("$.units[0]", "there is no unit X")
    assert refusal(g, "attack", hex="1910", card="P99") == ("$.card", "there is no card P99")
    assert refusal(g, "attack", hex="1910", counter=["luck"])[0] == "$.counter[0]"


@pytest.mark.rule(RULE, "12.2a")
def test_reserves_that_would_join_a_soviet_attack_are_told() -> None:
    units = [soviet("A", "1911", "3-4-05"), soviet("R", "reserve", "3-4-06", status=["active"]), german("G", "1910")]
    found = ask(scene([*units[:1], *units[2:]]), "attack", hex="1910")
    assert "reserves" not in found
    g = scene([soviet("A", "1909", "3-4-05", status=["active"]), *units[1:]], objectives={"Southwest": {"hex": "1606"}})
    assert [r["unit"] for r in ask(g, "attack", hex="1910")["reserves"]] == ["R"]


@pytest.mark.rule(RULE, "12.2h")
@pytest.mark.rule(RULE, "12.38f")
@pytest.mark.example(RULE, "X27")
def test_a_soviet_attack_is_answered_with_the_reserves_that_join_it() -> None:
    """The 12.2 example: two reserves make it 22:3 with seven chits, the third stays in its box; one detail varied."""
    a = ask(reserves_example(), "attack", hex="1515")
    assert [(r["unit"], r["hex"]) for r in a["reserves"]] == [("02.3T", "1614"), ("09.3T", "1415"), ("30.3T", "")]
    assert a["reserves"][2]["refusal"]["rule"] == "12.2"
    assert (a["ratio"], a["chits"], a["overwhelming"]["rule"]) == ("22:3, that is 7:1", 7, "12.38")
    assert "flank_attack" in {s["situation"] for s in a["situations"]}
    stronger = reserves_example(improved_positions="1515")
    stronger.steps[stronger.forces.unit("09.3T")] = 2
    b = ask(stronger, "attack", hex="1515")
    assert [r["hex"] for r in b["reserves"]] == ["1614", "1415", "1614"], "20:3 with six chits is not overwhelming yet"
    assert (b["attack"]["total"], b["chits"], b["overwhelming"]["rule"]) == (23, 7, "12.38")


def test_chances_are_not_rounded_and_add_up_to_one() -> None:
    g = scene([panzer("P", "1911"), german("Q", "1810"), german("R", "1810"), soviet("S", "1910", "2-4-05 1-4-06")])
    full_cup(g)
    found = ask(g, "attack", hex="1910")["prospects"]
    assert [p["chits"] for p in found] == [2, 3]
    for p in found:
        assert abs(sum(p["hits"].values()) - 1) < 1e-12
        assert abs(sum(v for k, v in p["defender"].items() if k != "steps_lost") - 1) < 1e-12


# --- retreat ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule(RULE, "12.71b")
@pytest.mark.rule(RULE, "12.71c")
@pytest.mark.rule(RULE, "12.7i")
def test_the_hexes_around_a_retreating_stack_are_explained() -> None:
    units = [
        german("A", "1910", "3-4 2-4 1-4"),
        german("F", "1911", "3-4 2-4 1-4"),
        german("H", "1911", "1-4"),
        soviet("S", "1909"),
    ]
    board = field(rivers={"1910|2010": "dniepr", "1810|1910": "blocked_dniepr"}, bare=True)
    found = ask(scene(units, board=board), "retreat", hex="1910")
    assert found["hexes"]["1911"]["room"] == "not for all units (12.71)"
    assert found["hexes"]["2010"]["dniepr"] == "only if no other hex has this priority (12.7)"
    assert found["hexes"]["1810"]["refusal"]["rule"] == "12.71"
    assert found["hexes"]["1909"]["refusal"]["reason"] == "enemy units are in 1909"
    assert "room" not in found["hexes"]["2010"]
    assert "apart" not in found
    assert "limit" not in found


@pytest.mark.rule(RULE, "12.73a")
def test_a_stack_that_finds_no_room_together_is_told_how_to_go_apart() -> None:
    room = [german(f"F{i}", "1911", "1-4") for i in range(2)] + [german(f"H{i}", "2010", "1-4") for i in range(2)]
    ring = [soviet(f"S{i}", at) for i, at in enumerate(("1809", "1810", "1909", "2009"))]
    units = [german("A", "1910", "3-4"), german("B", "1910", "2-4"), *room, *ring]
    found = ask(scene(units), "retreat", hex="1910")
    assert found["routes"] == []
    assert set(found["apart"]) == {"A", "B"}
    alone = ask(scene([units[0], *room, *ring]), "retreat", hex="1910")
    assert {r["path"][0] for r in alone["routes"]} == {"1911", "2010"}
    assert "apart" not in alone


@pytest.mark.rule(RULE, "12.7c")
@pytest.mark.rule(RULE, "12.7d")
def test_why_a_stack_can_not_retreat_so_far() -> None:
    g = scene([panzer("A", "1910", status=["isolated"]), soviet("S", "1909")], turn=4)
    found = ask(g, "retreat", hex="1910")
    assert (found["most_hexes"], found["routes"], found["limit"]["rule"]) == (0, [], "12.7")
    soviets = scene([soviet("S", "1910"), german("A", "1911")])
    assert ask(soviets, "retreat", hex="1910", nkvd=True)["most_hexes"] == 0
    two = ask(soviets, "retreat", hex="1910", hexes=2)
    assert (two["retreated"], len(two["steps"])) == (2, 2)
    assert ask(soviets, "retreat", hex="1910")["retreated"] == 1
    assert refusal(soviets, "retreat", hex="1910", hexes=0) == ("$.hexes", "a retreat is of one or two hexes")
    assert refusal(soviets, "retreat", hex="1913") == ("$.hex", "no unit is in 1913")


# --- advance ---------------------------------------------------------------------------------------------------------


def test_advances_that_make_no_sense_are_refused() -> None:
    g = scene([german("A", "1911"), soviet("S", "1909"), soviet("T", "1912")])
    assert refusal(g, "advance", hex="1910", units=[]) == ("$.units", "name the units that attacked")
    assert refusal(g, "advance", hex="1909", units=["A"]) == ("$.hex", "enemy units hold 1909")
    assert refusal(g, "advance", hex="1910", units=["A"], retreat=["1810"]) == (
        "$.retreat",
        "no defender stands at the end of the path of retreat",
    )
    assert refusal(g, "advance", hex="1914", units=["A"]) == ("$.units[0]", "A is not adjacent to 1914")
    assert refusal(g, "advance", hex="1910", units=["A"], retreat=["9999"])[0] == "$.retreat[0]"


@pytest.mark.rule(RULE, "12.81a")
@pytest.mark.rule(RULE, "12.83e")
def test_a_second_hex_is_answered_for_mechanized_units() -> None:
    g = scene([tanks("A", "1911", army="6"), soviet("B", "1911", "3-4"), german("G", "1714")])
    found = ask(g, "advance", hex="1910", units=["A", "B"])["units"]
    assert found["B"]["second"]["refusal"]["rule"] == "12.81"
    assert "advances" in found["A"]["second"]
    there = scene([tanks("A", "1911", army="6"), soviet("B", "1910", "3-4"), german("G", "1714")])
    after = ask(there, "advance", hex="1910", units=["A", "B"])["units"]
    assert (list(after), after["A"]["first"]["advances"]) == (["A"], "1-3"), "B has advanced already"
    none = ask(g, "advance", hex="1910", units=["A"], joined=["A"])["units"]["A"]
    assert "second" not in none
    german_side = scene([panzer("P", "1911"), german("Q", "1911"), soviet("S", "1506")])
    ways = ask(german_side, "advance", hex="1910", units=["P", "Q"])["units"]
    assert ways["Q"]["advances"] == ["1910"]
    assert len(ways["P"]["advances"]) == 6, "the attacked hex and five beyond it"
    assert ways["Q"]["refused"]["1910-1909"]["reason"] == "Q is not mechanized"


# --- system ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule(RULE, "8.1h")
def test_a_card_without_a_feasible_command_is_told() -> None:
    g = position(board=arena(), turn=3, units=[soviet("A", "1907", army="40")])
    found = ask(g, "system", card="E12")
    assert found["refusal"]["reason"] == "no command of E12 can be conducted"
    assert [p["rule"] for p in found["passed_over"]]
    assert "active" not in found
    assert refusal(g, "system", card="P26") == ("$.card", "P26 is a German card")
    assert refusal(g, "system", card="E99") == ("$.card", "there is no card E99")
    assert refusal(g, "system") == ("$", "name a formation or a card, or mark the active units")
    nobody = ask(g, "system", formation="6")
    assert nobody["refusal"]["rule"] == "8.13"


@pytest.mark.rule(RULE, "12.41r")
def test_the_preview_of_an_attack_knows_the_card_of_the_activation() -> None:
    units = [german("A", "1911", status=["active"]), soviet("S", "1910")]
    g = scene(units, phase="german_activation", card="P26")
    found = preview(g, ("attack", g.map.grid.hex("1910")))
    words = {s["situation"]: s["why"] for s in found["situations"]}
    assert words[f"command_value_{g.charts.card('P26').command_value}"] == "activated by P26"
    g.stack = []
    assert not [s for s in preview(g, ("attack", g.map.grid.hex("1910")))["situations"] if "command" in s["situation"]]
