"""Positions of scenarios, as `kessel analyze` asks them: chapters 5, 17 and 19."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.don42.helpers import ask, ger, pos, sov
from tests.games.don42.test_questions_movement import road, row


def rule_of(found: dict[str, Any]) -> str:
    return str(found["refusal"]["rule"])


LATE = {"turn": "Aug 25 AM"}


def staffs(*armies: str, corps: tuple[str, ...] = ()) -> Any:
    b = row(40, features={0: ["soviet_source"]}, roads=road("minor_road", 0, 30))
    units = [sov(f"HQ{a}", f"{i},0", "0-1-8", type="hq", army=a) for i, a in enumerate(armies)]
    units += [sov(f"HQ{c}", f"{10 + i},0", "0-1-8", type="hq", army="", corps=c) for i, c in enumerate(corps)]
    return pos(*units, on=b, phase="activation", **LATE)


@pytest.mark.rule("don42", "5.0.a")
def test_a_phase_that_was_passed_is_over():
    g = staffs("62A", "4TkA")
    found = ask(g, "legal", after=["pass"])
    assert (found["actions"], found["prompt"]) == ([], "the Soviet HQ Activation Phase is over")
    assert rule_of(ask(g, "legal", after=["pass"], action="activate 62A")) == "5.0"


@pytest.mark.rule("don42", "17.2.6.13")
def test_a_brigade_that_changed_its_army_is_activated_with_the_new_one():
    def moves(army: str) -> bool:
        units = [{"id": "648AT", "at": "2806"}]
        g = pos(*units, on="printed", scenario="kotluban", turn="Sep 5 AM", activated=[army])
        return "refusal" not in ask(g, "moves", unit="648AT")

    assert moves("62A")
    assert not moves("4TkA")


@pytest.mark.rule("don42", "17.1.5.07", "17.1.5.08")
def test_the_regiment_that_came_first_has_used_its_line():
    rest = [{"id": i} for i in ("HQ71", "194Rgt", "211Rgt", "71Art", "71AT")]
    fields = {"scenario": "crossing-the-don", "phase": "german_movement"}
    first = pos({"id": "191Rgt"}, *rest, on="printed", turn="Aug 26 AM", **fields)
    assert set(ask(first, "legal")["actions"]) == {"pass", "enter 191Rgt", "enter 194Rgt", "enter 211Rgt"}
    g = pos({"id": "191Rgt", "at": "3144"}, *rest, on="printed", turn="Aug 27 AM", **fields)
    hexes = set(ask(g, "legal", after=["enter 194Rgt"])["actions"]) - {"halt"}
    assert hexes == {f"at {h}" for h in range(3133, 3143)}


@pytest.mark.rule("don42", "17.2.7.02")
def test_hq_66_army_comes_behind_a_unit_of_its_army():
    fields = {"scenario": "kotluban", "turn": "Sep 5 PM", "phase": "soviet_movement"}
    g = pos({"id": "HQ66A"}, {"id": "49Div"}, on="printed", **fields)
    assert rule_of(ask(g, "legal", action="enter HQ66A")) == "17.2.7"
    before = ["enter 49Div", "at 1010", "to 1110", "halt", "enter HQ66A"]
    assert set(ask(g, "legal", after=before)["actions"]) == {"halt", "at 1010"}


@pytest.mark.rule("don42", "17.1.3.a", "17.1.3.b")
def test_the_flank_line_stops_an_advance_too():
    def advance(unit: str, at: str, to: str) -> dict[str, Any]:
        units = [{"id": unit, "at": at}, {"id": "192Div", "at": to}]
        g = pos(*units, on="printed", scenario="crossing-the-don", **LATE)
        return dict(ask(g, "advance", hex=to, units=[unit])["units"][unit])

    assert rule_of(advance("191Rgt", "1824", "1823")) == "17.1.3"
    assert "1824" in advance("191Rgt", "1825", "1824")["to"]
    assert "1823" in advance("I-79", "1824", "1823")["to"]


@pytest.mark.rule("don42", "17.3.3.b", "17.3.3.c")
def test_attacked_units_and_their_neighbours_attack_back():
    def legal(*attacked: str) -> bool:
        status = {"status": ["defended"]}
        units = [
            {"id": n, "at": h, **(status if n in attacked else {})} for n, h in (("I-79", "1403"), ("II-79", "1404"))
        ]
        far = {"id": "I-64", "at": "1801", **(status if "I-64" in attacked else {})}
        g = pos(*units, far, {"id": "192Div", "at": "1303"}, on="printed", scenario="short-game", turn="Aug 27 AM")
        return bool(ask(g, "attack", hex="1303", units=["I-79"])["legal"])

    assert not legal()
    assert legal("I-79")
    assert legal("II-79"), "next to it"
    assert not legal("I-64")


@pytest.mark.rule("don42", "19.4", "RX-19.4")
def test_the_west_bank_of_an_axial_board_is_where_the_german_source_is():
    b = row(8, sides={"3,0|4,0": "minor_river"}, features={0: ["german_source"]})

    def actions(at: str) -> list[str]:
        g = pos(ger("A", at, supply="attack"), on=b, phase="positions", **LATE)
        return [a for a in ask(g, "legal")["actions"] if a.startswith("pontoon")]

    assert actions("3,0") == ["pontoon 3,0|4,0"]
    assert actions("2,0") == ["pontoon 3,0|4,0"]
    assert actions("1,0") == []
    assert actions("5,0") == []


@pytest.mark.rule("don42", "5.0.10.b")
def test_a_german_hq_of_your_own_is_motorized_like_the_printed_ones():
    g = pos(ger("H", "0,0", "0-1-10", type="hq", motorized=None), on=row(4), phase="german_motorized", **LATE)
    assert ask(g, "moves", unit="H", to="1,0")["legal"]
    foot = pos(ger("H", "0,0", "0-1-10", type="hq", motorized=False), on=row(4), phase="german_motorized", **LATE)
    assert rule_of(ask(foot, "moves", unit="H", to="1,0")) == "5.0.10"


@pytest.mark.rule("don42", "17.2.8.b")
def test_an_interruption_is_an_hq_without_any_line():
    def points(at: str) -> int:
        g = pos({"id": "HQ8C", "at": at}, on="printed", scenario="kotluban", turn="Sep 4 AM")
        return int(ask(g, "victory")["soviet"]["at_turn_end"])

    assert points("2537") == 0
    assert points("1401") == 1, "off the road, far from the river"
