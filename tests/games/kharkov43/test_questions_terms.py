"""`kessel analyze` on the terms of 9.3, garrisons (15) and the cards of a Soviet impulse (8.1)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.kharkov43.helpers import ask, board, german, panzer, position, soviet, tanks
from tests.games.kharkov43.helpers import bad as refusal
from tests.games.kharkov43.soviet_helpers import arena, southwest

RULE = "kharkov43"
rule = pytest.mark.rule


# --- 9.3 proximate ---------------------------------------------------------------------------------------------------


def near(units: list[Any], to: str, unit: str, **doc: Any) -> dict[str, Any]:
    doc.setdefault("board", arena(terrain={"1910": "town"}, features={"1912": "village", "2109": "village"}))
    return ask(position(turn=5, units=units, **doc), "proximity", to=to, unit=unit)


@rule(RULE, "9.3l")
@rule(RULE, "9.3o")
def test_proximate_to_an_empty_or_friendly_hex_is_to_be_able_to_enter_it() -> None:
    found = near([german("A", "1914")], "1910", "A")
    assert (found["proximate"], found["target"], found["entering"], found["cost"]) == (
        True,
        "an unoccupied hex: enter it",
        "1910",
        4.0,
    )
    assert near([german("A", "1915")], "1910", "A")["refusal"]["rule"] == "10.0", "one hex too far"
    beside = near([german("A", "1911"), soviet("S", "1810"), soviet("T", "2010")], "1910", "A")
    assert beside["refusal"]["rule"] == "10.1", "adjacent, but from one zone into another"
    full = [german("A", "1912"), german("B", "1910", "3-4 2-4 1-4"), german("C", "1910", "3-4 2-4 1-4")]
    assert near(full, "1910", "A")["refusal"]["rule"] == "10.4"
    assert near(full[:2], "1910", "A")["target"] == "a friendly-occupied hex: enter it"


@rule(RULE, "9.3m")
@rule(RULE, "9.3n")
@rule(RULE, "9.3q")
@rule(RULE, "9.3r")
def test_proximate_to_an_enemy_or_a_garrison_is_to_be_able_to_get_beside_it() -> None:
    found = near([german("A", "1915"), soviet("S", "1910")], "1910", "A")
    assert (found["proximate"], found["entering"], found["cost"]) == (True, "1911", 4.0)
    assert not near([german("A", "1916"), soviet("S", "1910")], "1910", "A")["proximate"]
    moved = near([german("A", "1911", status=["dispersed"]), soviet("S", "1910")], "1910", "A")
    assert (moved["proximate"], moved["cost"]) == (True, 0.0), "adjacent already: it need not move"
    towns = {"soviet_towns": "1910", "garrisons": "1910"}
    assert near([german("A", "1915")], "1910", "A", **towns)["entering"] == "1911"
    assert not near([german("A", "1916")], "1910", "A", **towns)["proximate"]
    shut = {"garrisons": "1912"}
    assert near([german("A", "1914", "3-5")], "1910", "A", **shut)["refusal"]["rule"] == "15.22"
    assert near([german("A", "1913")], "1910", "A", **shut)["proximate"], "a garrison it starts beside does not count"
    assert near([soviet("S", "1914")], "1910", "S", **shut)["proximate"], "nor does one for Soviet units"


@rule(RULE, "9.3o")
def test_all_units_of_a_side_or_of_both_are_asked() -> None:
    units = [german("A", "1914"), german("B", "1916"), soviet("S", "1908")]
    g = position(board=arena(), turn=5, units=units)
    found = ask(g, "proximity", to="1912")["units"]
    assert {n: x["proximate"] for n, x in found.items()} == {"A": True, "B": True, "S": True}
    assert set(ask(g, "proximity", to="1912", side="soviet")["units"]) == {"S"}
    assert refusal(g, "proximity", to="1912", unit="A", side="german") == ("$", "name a unit or a side")
    assert refusal(g, "proximity", to="9999", unit="A")[0] == "$.to"
    assert refusal(g, "proximity", to="1912", unit="X")[0] == "$.unit"
    assert refusal(g, "proximity", to="1912", side="red")[0] == "$.side"


# --- 9.3 surround ----------------------------------------------------------------------------------------------------


@rule(RULE, "9.3d")
@rule(RULE, "9.3t")
def test_surround_and_who_causes_it() -> None:
    """1812 has 1712, 1713, 1811, 1813, 1912 and 1913 around it; C in 1811 adds nothing that A and D lack."""
    units = [german("G", "1812"), soviet("A", "1712"), soviet("C", "1811"), soviet("D", "1913")]
    g = position(board=arena(), turn=5, units=units)
    found = ask(g, "surround", hex="1812")
    assert (found["surrounded"], found["caused_by"], found["open"]) == (True, ["A", "D"], [])
    assert (found["occupied"], found["controlled"]) == (["1712", "1811", "1913"], ["1713", "1813", "1912"])
    assert "nearly_surrounded" not in found, "a term of Soviet units"
    without = ask(position(board=arena(), turn=5, units=units[:3]), "surround", unit="G")
    assert (without["surrounded"], without["open"]) == (False, ["1813", "1913"])
    assert "caused_by" not in without


@rule(RULE, "9.3i")
@rule(RULE, "9.3j")
def test_nearly_surrounded_where_it_stands_or_would_stand() -> None:
    """S in 1910: G in 1911 controls two of the hexes around it, a second German in 1909 would close the other three."""
    g = position(board=arena(), turn=5, units=[soviet("S", "1910"), german("G", "1911"), panzer("H", "1812")])
    found = ask(g, "surround", unit="S")
    assert (found["surrounded"], found["nearly_surrounded"]) == (False, True)
    assert found["why"] == "H could surround 1910 by a move to 1909"
    far = position(board=arena(), turn=5, units=[soviet("S", "1910"), german("G", "1911"), panzer("H", "1813")])
    assert ask(far, "surround", unit="S")["nearly_surrounded"] is False, "one hex too far away"
    tired = [soviet("S", "1910"), german("G", "1911", status=["dispersed"]), panzer("H", "1812", status=["dispersed"])]
    assert ask(position(board=arena(), turn=5, units=tired), "surround", unit="S")["nearly_surrounded"] is False
    assert ask(g, "surround", unit="S", at="1907")["nearly_surrounded"] is False
    assert ask(g, "surround", unit="S", at="1907")["hex"] == "1907"
    edge = position(board=arena(), turn=5, units=[soviet("S", "1906"), german("G", "1806"), german("H", "2007")])
    assert ask(edge, "surround", unit="S")["nearly_surrounded"] is False, "in a friendly map-edge hex never"


def test_surround_asks_for_one_thing() -> None:
    g = position(board=arena(), turn=5, units=[soviet("S", "1910"), german("G", "1911")])
    assert refusal(g, "surround") == ("$", "ask for a unit or for a hex")
    assert refusal(g, "surround", unit="S", hex="1910")[0] == "$"
    assert refusal(g, "surround", hex="1909") == ("$.hex", "no unit is in 1909")
    assert refusal(g, "surround", hex="1910", at="1909")[0] == "$.unit"
    assert refusal(g, "surround", unit="G", at="1909") == ("$.at", "G is not a Soviet unit")
    assert refusal(g, "surround", unit="S", at="1911") == ("$.at", "German units are in 1911")


# --- 15 garrisons ----------------------------------------------------------------------------------------------------

ROW = {
    "features": {"1912": "village target_southwest", "1914": "village target_voronezh"},
    "soviet_edge": "1907",
    "german_edge": "1919",
}


@rule(RULE, "15.1k")
@rule(RULE, "15.1l")
@rule(RULE, "15.11a")
def test_garrisons_that_would_be_placed_and_removed() -> None:
    doc = {"board": board((19, 19), range(6, 21), **ROW), "units": [soviet("S", "1910"), german("G", "1919")]}
    g = position(turn=4, garrisons="1912", **doc)
    found = ask(g, "garrisons")
    assert (found["placed"], found["removed"], found["garrisons"]) == (["1914"], ["1912"], ["1914"])
    assert found == ask(g, "garrisons"), "asking changes nothing"
    empty = ask(position(turn=4, **doc), "garrisons")
    assert empty["not_placed"]["1912"]["reason"].startswith("no German unit would be proximate")
    front = ask(position(turn=4, **doc), "garrisons", front="Southwest")
    assert (front["placed"], front["not_placed"]["1914"]["rule"]) == (["1912"], "15.11")
    assert ask(position(turn=3, **doc), "garrisons")["refusal"]["rule"] == "15.1"
    assert ask(position(turn=8, ground="heavy_mud", **doc), "garrisons")["refusal"]["rule"] == "18.34"
    assert refusal(g, "garrisons", front="West")[0] == "$.front"


@rule(RULE, "15.3a")
def test_garrisons_that_go_at_the_end_of_the_turn() -> None:
    doc = {"board": board((19, 19), range(6, 21), **ROW), "turn": 4}
    units = [soviet("S", "1910"), german("G", "1919")]
    found = ask(position(garrisons="1912 1914", units=units, **doc), "garrisons", when="end_of_turn")
    assert (list(found["removed"]), found["garrisons"]) == (["1912"], ["1914"])
    assert found["removed"]["1912"]["reason"] == "German supply can't be traced to 1912"
    cut = [german("H", "1909"), german("G", "1919")]
    lost = ask(position(garrisons="1914", units=cut, **doc), "garrisons", when="end_of_turn")
    assert lost["removed"]["1914"]["reason"] == "Soviet supply can't be traced to 1914"


# --- 8.1 cards -------------------------------------------------------------------------------------------------------


@rule(RULE, "8.1a")
@pytest.mark.parametrize(
    ("cards", "command", "why"),
    [
        (["E11", "E17"], "E17", "primary"),
        (["E20", "E17"], "E17", "primary"),
        (["E20", "E11"], "E20", "command value 4 against 3"),
        (["E11", "E05"], "E05", "the lower id"),
        (["E03"], "E03", "the last card"),
    ],
)
def test_which_card_commands(cards: list[str], command: str, why: str) -> None:
    g = position(board=arena(), turn=3, units=[soviet("S", "1910")], objectives=southwest("1917"))
    found = ask(g, "command_cards", cards=cards)
    assert (found["command"], found["why"]) == (command, why)
    assert found.get("auxiliary", {}).get("card") == next((c for c in cards if c != command), None)


@rule(RULE, "8.1d")
def test_the_first_command_that_applies_and_the_auxiliary_event() -> None:
    """Game-turn 6: a one-step unit of 6th Army takes the replacement of E11; E02 would place Forward Support."""
    lines = {"west_support_zone": "1506-1509 1606-1609 1706-1709 1806-1809 1906-1909 2006-2009 2106-2109 2206-2209"}
    units = [soviet("S", "1908", steps=1), tanks("P", "1912")]
    g = position(board=arena(areas=lines), turn=6, units=units, objectives=southwest("1917"))
    found = ask(g, "command_cards", cards=["E11", "E02"])
    assert (found["command"], found["performs"]) == ("E11", "assign 1 replacement to 6")
    assert found["auxiliary"]["events"] == [{"event": "forward_support", "happens": True}]
    assert found["auxiliary"]["then"] == "discarded"
    whole = position(board=arena(), turn=6, units=[soviet("S", "1908"), tanks("P", "1912")])
    later = ask(whole, "command_cards", cards=["E11", "E02"])
    assert later["performs"] == "activate 6"
    assert later["passed_over"][0]["rule"] == "8.12"
    assert later["auxiliary"]["events"][0]["refusal"]["rule"] == "8.11"
    assert later["auxiliary"]["as_command"]["performs"] == "activate Popov"
    assert later["auxiliary"]["tactics"] == ["airpower", "partisans"]
    assert refusal(g, "command_cards", cards=["E11", "E11"])[0] == "$.cards"
    assert refusal(g, "command_cards", cards=["P41"]) == ("$.cards[0]", "P41 is a German card")
    assert refusal(g, "command_cards", cards=["E11", "E99"])[0] == "$.cards[1]"


@rule(RULE, "8.12a")
def test_the_system_tells_a_replacement_and_an_event() -> None:
    g = position(board=arena(), turn=6, units=[soviet("S", "1908", steps=1), soviet("T", "eliminated", "2-4 1-4")])
    found = ask(g, "system", card="E11")
    assert found["replacement"] == {"unit": "T", "priority": 1, "rule": "16.1"}
    row = {"board": board((19, 19), range(6, 21), **ROW), "turn": 6, "vp": 25}
    doc = {**row, "units": [soviet("S", "1910"), german("G", "1919")]}
    doc["board"]["areas"] |= {"far_limit_zone": "1906-1920"}
    event = ask(position(**doc), "system", card="E06")
    assert event["event"]["id"] == "garrison_southwest"
    assert "a garrison is placed in 1912" in event["log"]
    assert "movement" not in event


# --- the examples of 9.3, varied by one detail ------------------------------------------------------------------------

X19 = [german(n, h, "3-4") for n, h in (("A", "1906"), ("B", "2010"), ("C", "2212"), ("D", "2211"))]


def table(garrisons: str = "2109 1912", towns: str = "1910", units: list[Any] | None = None) -> dict[str, str]:
    """Who is proximate to Lozovaya, to B's hex, to the Soviet unit and to the two garrisons."""
    ground = arena((15, 25), range(3, 21), terrain={"1910": "town"}, features={"2109": "village", "1912": "village"})
    forces = units or [*X19, soviet("S", "1911")]
    g = position(board=ground, turn=5, units=forces, garrisons=garrisons, soviet_towns=towns)
    found = {}
    for to in ("1910", "2010", "1911", "2109", "1912"):
        asked_of = ask(g, "proximity", to=to, side="german")["units"]
        found[to] = "".join(n for n in "ABCD" if asked_of[n]["proximate"])
    return found


@pytest.mark.example(RULE, "X19")
@rule(RULE, "9.3l")
@rule(RULE, "9.3m")
@rule(RULE, "9.3n")
@rule(RULE, "9.3q")
def test_the_table_of_proximity_and_what_one_garrison_changes() -> None:
    assert table() == {"1910": "A", "2010": "BCD", "1911": "ABCD", "2109": "ABCD", "1912": "BCD"}
    open_way = table(garrisons="1912")
    assert open_way["1910"] == "ABD", "without the garrison in 2109 B and D come by 2009"
    asleep = table(units=[*X19, soviet("S", "1911", status=["isolated"])])
    assert asleep["1910"] == "ABCD", "an isolated unit has no zone: B steps straight in, C and D come through 2010"
    slow = [german("A", "1906", "3-3"), *X19[1:], soviet("S", "1911")]
    assert table(units=slow)["1910"] == "", "one movement point less"
    held = [*X19, german("E", "1910", "3-4 2-4 1-4"), german("F", "1910", "3-4 2-4 1-4"), soviet("S", "1911")]
    assert table(units=held, towns="")["1910"] == "", "a friendly hex without room"


@pytest.mark.example(RULE, "X17")
@rule(RULE, "9.3d")
def test_only_one_of_four_units_causes_the_surround() -> None:
    ring = [soviet(n, h) for n, h in (("06", "1909"), ("a", "1710"), ("b", "1708"), ("c", "1711"))]
    g = position(board=arena(), turn=5, units=[german("G", "1809"), *ring])
    assert ask(g, "surround", hex="1809")["caused_by"] == ["06"]
    moved = position(board=arena(), turn=5, units=[german("G", "1809"), soviet("06", "1910"), *ring[1:]])
    assert ask(moved, "surround", hex="1809")["caused_by"] == ["06", "b"], "from Lozovaya; 1808 now hangs on b alone"
    away = position(board=arena(), turn=5, units=[german("G", "1809"), soviet("06", "1911"), *ring[1:]])
    assert ask(away, "surround", hex="1809")["surrounded"] is False
    fewer = position(board=arena(), turn=5, units=[german("G", "1809"), ring[0], ring[2], ring[3]])
    assert ask(fewer, "surround", hex="1809")["caused_by"] == ["06", "b", "c"], "without a the others are all needed"
