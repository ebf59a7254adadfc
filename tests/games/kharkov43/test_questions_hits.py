"""`kessel analyze` on how hits are applied (12.52-12.55, 12.6): the examples of 12.52, each varied by one detail."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.kharkov43.helpers import ask, german, panzer, position, soviet, tanks
from tests.games.kharkov43.helpers import bad as refusal
from tests.games.kharkov43.soviet_helpers import arena

RULE = "kharkov43"
rule = pytest.mark.rule
FIVE = [
    *(german(f"G{i}", h) for i, h in enumerate(("1813", "1813", "1713", "1713"))),
    german("G4", "1913", "4-4 3-4 2-4"),
]
G = german("G", "1813", "9-4 5-4")
S = soviet("S", "1812", "3-4-05 2-4-06 1-4-07")
CARDS = "E01 E02 E03 E05 E08"


def hits(forces: list[Any], cards: str = CARDS, ground: dict[str, Any] | None = None, **q: Any) -> dict[str, Any]:
    g = position(board=arena(**(ground or {})), turn=4, units=forces, cards={"draw": cards})
    return ask(g, "hits", hex="1812", **q)


def steps(answer: dict[str, Any]) -> list[tuple[str, str]]:
    return [(x["priority"], x["result"]) for x in answer["defenders"]["hits"]]


def hold(answer: dict[str, Any]) -> list[int]:
    """The items of the first hold chance."""
    return [i["value"] for i in answer["defenders"]["hits"][0]["hold_chance"]["items"]]


@pytest.mark.example(RULE, "X35")
@rule(RULE, "12.53b")
@rule(RULE, "12.53c")
@rule(RULE, "12.53i")
@rule(RULE, "12.53j")
@rule(RULE, "12.53k")
def test_two_hits_on_two_one_step_units() -> None:
    both = [soviet("S", "1812", "2-4-05"), soviet("T", "1812", "2-4-06")]
    held = hits([*FIVE, *both], attacker=2, defender=2, rolls=[3])
    assert steps(held) == [("B", "retreat"), ("C", "step loss")]
    assert held["defenders"]["hits"][1]["hold_chance"]["total"] == 4
    assert (held["defenders"]["eliminated"], held["defenders"]["dispersed"]) == (["T"], [])
    assert held["attackers"] == {
        "hits": 2,
        "first_step_from": ["G4"],
        "dispersal_satisfies": 1,
        "rule": "12.52",
    }
    ran = hits([*FIVE, *both], attacker=2, defender=2, rolls=[5])
    assert steps(ran) == [("B", "retreat"), ("C", "retreat")], "5 is more than 4"
    assert ran["defenders"]["dispersed"] == ["S", "T"], "two hexes"
    assert "rolls" in hits([*FIVE, *both], defender=2)["defenders"]["stopped"]
    third = [*both, soviet("U", "1812", "2-4-07")]
    assert steps(hits([*FIVE, *third], defender=2))[0] == ("C", "hold check"), "three steps: fewer hits than steps"


@rule(RULE, "12.53d")
@rule(RULE, "12.53e")
@rule(RULE, "12.53f")
@rule(RULE, "12.53g")
@rule(RULE, "12.53h")
def test_the_hold_chance_item_by_item() -> None:
    assert hold(hits([G, S], defender=1)) == [3]
    assert hold(hits([G, S], ground={"terrain": {"1812": "woods"}}, defender=1)) == [3, 1]
    town = {"terrain": {"1812": "town"}, "vp": {"1812": 2}}
    assert hold(hits([G, S], ground=town, defender=1)) == [3, 4, 1]
    river = {"rivers": {"1812|1813": "donets"}}
    assert hold(hits([G, S], ground=river, defender=1)) == [3, 1]
    assert hold(hits([G, german("H", "1713"), S], ground=river, defender=1)) == [3], "not all attackers across"
    assert hold(hits([G, S], ground={"rivers": {"1812|1813": "minor_river"}}, defender=1)) == [3]
    assert hold(hits([G, S], ground={"soviet_edge": ""}, defender=1)) == [3, -2]
    ring = [G, german("R", "1711", "1-4"), german("Q", "1911", "1-4"), S]
    assert hold(hits(ring, units=["G"], defender=1)) == [3, -2, 2], "cut off, and every retreat costs a step"
    friend = soviet("F", "1712", "1-4-30")
    assert hold(hits([*ring, friend], units=["G"], defender=1)) == [3], "a supplied friend opens both"


@rule(RULE, "12.53a")
@rule(RULE, "12.52c")
@rule(RULE, "12.7c")
@rule(RULE, "12.7d")
def test_how_far_soviet_defenders_retreat() -> None:
    assert steps(hits([G, S], defender=3, rolls=[10])) == [("B", "retreat"), ("C", "retreat"), ("A", "step loss")]
    tired = soviet("S", "1812", "3-4-05 2-4-06 1-4-07", status=["dispersed"])
    assert steps(hits([G, tired], defender=3)) == [("B", "retreat"), ("A", "step loss"), ("A", "step loss")]
    assert steps(hits([G, S], defender=2, counter=["nkvd"])) == [("A", "step loss"), ("A", "step loss")]
    lost = tanks("S", "1812", "3-4-05 2-4-06 1-4-07", army="6", status=["isolated"])
    assert hits([G, lost], defender=4)["defenders"]["eliminated"] == ["S"], "isolated and mechanized: no retreat"
    assert refusal_of_rolls([1, 1]) == ("$.rolls", "no more than 1 hold check can be rolled")


def refusal_of_rolls(rolls: list[int]) -> tuple[str, str]:
    g = position(board=arena(), turn=4, units=[G, S])
    return refusal(g, "hits", hex="1812", defender=1, rolls=rolls)


@rule(RULE, "12.6b")
@rule(RULE, "12.6c")
@rule(RULE, "12.61a")
def test_who_loses_soviet_steps() -> None:
    pair = [S, soviet("T", "1812", "3-4-09 2-4-10")]
    found = hits([G, *pair], defender=3, counter=["nkvd"])["defenders"]["hits"]
    assert [x["steps_lost"] for x in found] == [["S"], ["T"], ["S"]], "most steps; then T, not yet hit; then most again"
    even = [soviet("S", "1812", "3-4-05 2-4-06"), soviet("T", "1812", "3-4-09 2-4-10")]
    assert hits([G, *even], defender=1, counter=["nkvd"])["defenders"]["hits"][0]["steps_lost"] == ["T"]
    alike = [soviet("S", "1812", "3-4-05 2-4-06"), soviet("T", "1812", "3-4-05 2-4-06", army="1G")]
    assert "chooses" in hits([G, *alike], defender=1, counter=["nkvd"])["defenders"]["stopped"]


ATTACK = [
    soviet("A", "1811", "3-4-05 2-4-15"),
    soviet("B", "1811", "3-4-08 2-4-18"),
    soviet("C", "1712", "1-4-01"),
    soviet("D", "1912", "1-4-02"),
    german("G", "1812"),
    german("H", "1812"),
]


@pytest.mark.example(RULE, "X36")
@rule(RULE, "12.54a")
@rule(RULE, "12.54b")
@rule(RULE, "12.54c")
@rule(RULE, "12.54e")
def test_three_hits_on_six_soviet_steps() -> None:
    found = hits(ATTACK, attacker=3, defender=2)
    a = found["attackers"]
    assert (a["first_step_from"], a["table"]) == (["B"], {"steps": 5, "hits": 2, "result": "D", "parenthesis": False})
    assert a["dispersed"] == ["A", "B", "C", "D"]
    d = found["defenders"]
    assert (d["step_from"], {r["satisfies"] for r in d["retreats"]}) == (["G", "H"], {1, 2})
    assert {r["disperses"] for r in d["retreats"] if r["satisfies"] == 2} == {True}
    four = hits(ATTACK, attacker=4)["attackers"]
    assert (four["table"]["result"], four["steps_lost"]) == ("1D", ["A"]), "one hit more"
    most, beyond = (hits(ATTACK, attacker=n)["attackers"] for n in (7, 9))
    assert (most["table"]["result"], beyond["table"]["result"]) == ("4D", "4D"), "six hits and more are alike"
    assert most["steps_lost"] == beyond["steps_lost"] == ["A", "D", "C", "B"], "none twice until all have lost one"


@rule(RULE, "12.54d")
def test_the_parenthesis_needs_few_cards_and_no_vacated_vp_hex() -> None:
    town = {"terrain": {"1812": "town"}, "vp": {"1812": 1}}

    def result(cards: str, **more: Any) -> str:
        return str(hits(ATTACK, cards, attacker=2, **more)["attackers"]["table"]["result"])

    assert result(CARDS) == result("E01 E02 E03 E05") == "1"
    assert result("E01 E02 E03") == "0D"
    assert result("E01 E02 E03", vacated=True) == "0D", "vacated, but no VP hex"
    assert result("E01 E02 E03", ground=town) == "0D", "a VP hex, but not vacated"
    assert result("E01 E02 E03", ground=town, vacated=True) == "1"


@rule(RULE, "12.55a")
@rule(RULE, "12.55b")
def test_hits_that_eliminated_germans_leave_over_spare_the_soviets() -> None:
    attacker = soviet("A", "1811", "3-4-05 2-4-15")
    found = hits([attacker, german("G", "1812", "1-4")], attacker=3, defender=5)
    assert found["defenders"]["spares_if_eliminated"] == {"soviet_hits": 2, "rule": "12.55"}, "two hexes and a step"
    tired = german("G", "1812", "1-4", status=["dispersed"])
    assert hits([attacker, tired], attacker=3, defender=5)["defenders"]["spares_if_eliminated"]["soviet_hits"] == 3
    assert "spares_if_eliminated" not in hits([attacker, german("G", "1812", "1-4")], defender=3)["defenders"]


@rule(RULE, "12.6a")
def test_the_first_german_step_comes_from_three_steps_or_armor() -> None:
    pair = [german("F", "1813"), panzer("T", "1813", "3-6"), S]
    found = hits(pair, attacker=4)["attackers"]
    assert (found["first_step_from"], found["dispersal_satisfies"]) == (["T"], 2)
    foot = hits([german("F", "1813"), german("E", "1813", "3-4"), S], attacker=1)["attackers"]
    assert (foot["first_step_from"], foot["dispersal_satisfies"]) == (["F", "E"], 0)


def test_bad_hits_are_refused() -> None:
    g = position(board=arena(), turn=4, units=[G, S])
    assert refusal(g, "hits", hex="1812", attacker=-1)[0] == "$.attacker"
    assert refusal(g, "hits", hex="1812", defender=100)[0] == "$.defender"
    assert refusal(g, "hits", hex="1812", rolls=[11])[0] == "$.rolls[0]"
    assert refusal(g, "hits", hex="1812", counter=["luck"])[0] == "$.counter[0]"
    assert refusal(g, "hits", hex="1810")[0] == "$.hex"
    assert ask(g, "hits", hex="1812", units=["S"])["refusal"]["rule"] == "12.1"
