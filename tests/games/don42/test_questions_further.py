"""Positions at the borders between rules, asked as `kessel analyze` asks them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.don42.helpers import ask, ger, pos, sov
from tests.games.don42.test_questions_movement import road, row

LATE = {"turn": "Aug 25 AM"}


def rule_of(found: dict[str, Any]) -> str:
    return str(found["refusal"]["rule"])


# --- 7.2, 7.3 air units ----------------------------------------------------------------------------------------------

PLANES = [{"id": name} for name in ("Ju87-1", "Ju87-2", "He111-1")]


@pytest.mark.rule("don42", "7.2.a", "7.2.b", "7.2.c")
@pytest.mark.parametrize(("units", "flying", "legal"), [(2, 2, True), (2, 3, False), (3, 3, True), ("all", 3, True)])
def test_no_more_air_units_fly_than_are_available(units, flying, legal):
    g = pos(sov("X", "3,0"), *PLANES, on=row(6), air={"side": "german", "units": units}, **LATE)
    found = ask(g, "bombardment", hex="3,0", units=[p["id"] for p in PLANES[:flying]])
    assert found["legal"] is legal
    assert legal or rule_of(found) == "7.2"


@pytest.mark.rule("don42", "7.2.a", "7.5.a")
def test_one_air_unit_left_supports_alone():
    def two(units: int) -> dict[str, Any]:
        g = pos(ger("A", "2,0"), sov("X", "3,0"), *PLANES, on=row(6), air={"side": "german", "units": units}, **LATE)
        return ask(g, "attack", hex="3,0", units=["A"], planes=["Ju87-1", "Ju87-2"])

    assert two(2)["legal"]
    assert rule_of(two(1)) == "7.2"


@pytest.mark.rule("don42", "7.3.c")
def test_an_air_unit_that_has_flown_neither_bombards_nor_supports():
    flown = {"id": "Ju87-1", "status": ["flown"]}
    g = pos(ger("A", "2,0"), sov("X", "3,0"), flown, on=row(6), **LATE)
    assert rule_of(ask(g, "attack", hex="3,0", units=["A"], planes=["Ju87-1"])) == "7.3"
    assert rule_of(ask(g, "bombardment", hex="3,0", units=["Ju87-1"])) == "7.3"


# --- 9.0, 9.1 the phase that is over ---------------------------------------------------------------------------------


def staffs(*armies: str, corps: tuple[str, ...] = ()) -> Any:
    b = row(40, features={0: ["soviet_source"]}, roads=road("minor_road", 0, 30))
    units = [sov(f"HQ{a}", f"{i},0", "0-1-8", type="hq", army=a) for i, a in enumerate(armies)]
    units += [sov(f"HQ{c}", f"{10 + i},0", "0-1-8", type="hq", army="", corps=c) for i, c in enumerate(corps)]
    return pos(*units, on=b, phase="activation", **LATE)


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


@pytest.mark.rule("don42", "5.0.a")
def test_a_phase_that_was_passed_is_over():
    g = staffs("62A", "4TkA")
    found = ask(g, "legal", after=["pass"])
    assert (found["actions"], found["prompt"]) == ([], "the Soviet HQ Activation Phase is over")
    assert rule_of(ask(g, "legal", after=["pass"], action="activate 62A")) == "5.0"


@pytest.mark.rule("don42", "12.0.f", "3.1.5.c")
def test_after_the_only_attack_nobody_is_left_who_may():
    g = pos(ger("A", "2,0", "4-4-6", quality="C"), sov("X", "3,0", "4-4-5"), on=row(6), phase="german_combat", **LATE)
    fought = {"after": ["attack 3,0", "with A", "assault"], "dice": [3]}
    found = ask(g, "legal", **fought)
    assert (found["told"][-1]["what"][-2:], found["actions"]) == ("NE", [])
    assert rule_of(ask(g, "legal", action="attack 3,0", **fought)) == "12.0"
    passed = ask(g, "legal", after=["pass"], action="attack 3,0")
    assert rule_of(passed) == "5.0"


# --- 10.0 what keeps a unit from a hex -------------------------------------------------------------------------------


@pytest.mark.rule("don42", "10.5.a", "4.3.2.c", "9.2.c", "10.0.a")
def test_the_rule_that_shortens_a_move_is_named():
    def to(at: int, *units: dict[str, Any]) -> str:
        return rule_of(ask(pos(*units, on=row(40), **LATE), "moves", unit="U", to=f"{at},0"))

    assert to(3, ger("U", "0,0", "4-4-6", status=["DRG"])) == "10.5"
    assert to(7, ger("U", "0,0", "4-4-6", status=["DRG"])) == "10.0", "too far for its printed MPs"
    assert to(4, ger("U", "0,0", "4-4-6", type="pz3", supply="OOS")) == "4.3.2"
    hq = sov("HQ62A", "0,0", "0-1-8", type="hq")
    assert to(10, hq, sov("U", "13,0", "4-4-5")) == "9.2"


@pytest.mark.rule("don42", "4.2.3.e")
def test_a_soviet_unit_may_not_move_out_of_supply_though_no_hq_is_in_the_position():
    b = row(20, features={0: ["soviet_source"]}, roads=road("minor_road", 0, 1))
    g = pos(sov("U", "8,0"), on=b, supply="traced", **LATE)
    assert rule_of(ask(g, "moves", unit="U", to="9,0")) == "4.2.3"
    assert ask(g, "moves", unit="U", to="7,0")["legal"]
    out = pos(sov("U", "9,0"), on=b, supply="traced", **LATE)
    assert ask(out, "moves", unit="U", to="10,0")["legal"], "already out: it does not move into that state"


# --- 12.2, 13.3.2 ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("don42", "12.2")
def test_a_gun_in_the_defended_hex_is_counted_once():
    gun = ger("Gun", "2,0", "3-2-6", type="artillery")
    g = pos(ger("A", "2,0", "4-4-6"), gun, sov("X", "3,0"), on=row(6), **LATE)
    found = ask(g, "attack", hex="2,0", units=["X"], defence_guns=["Gun"])
    assert (rule_of(found), found["defence"]["total"]) == ("12.2", 6)


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


# --- 16.1, 17.2.6 what a position says -------------------------------------------------------------------------------


@pytest.mark.rule("don42", "16.1.a", "16.1.b")
def test_who_stands_in_a_victory_point_hex_controls_it_whatever_was_before():
    def held(at: str) -> dict[str, int]:
        g = pos({"id": "I-79", "at": at}, on="printed", control={"1801": "soviet"}, **LATE)
        return dict(ask(g, "victory")["german"]["held"])

    assert held("1801") == {"1801": 10}
    assert held("1802") == {}, "a zone of control is not enough"


@pytest.mark.rule("don42", "17.2.6.13")
def test_a_brigade_that_changed_its_army_is_activated_with_the_new_one():
    def moves(army: str) -> bool:
        units = [{"id": "648AT", "at": "2806"}]
        g = pos(*units, on="printed", scenario="kotluban", turn="Sep 5 AM", activated=[army])
        return "refusal" not in ask(g, "moves", unit="648AT")

    assert moves("62A")
    assert not moves("4TkA")


# --- 9.6, 15.0, 17.1.3, 17.3.3 scenarios -----------------------------------------------------------------------------


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


# --- 12.0, 19.4 ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("don42", "12.0.g")
def test_a_unit_that_defended_shields_its_hex_from_a_second_attack():
    def legal(*status: str, joined: tuple[str, ...] = ()) -> bool:
        units = [ger("A", "2,0", status=list(status)), ger("B", "2,0", status=list(joined))]
        g = pos(*units, sov("X", "3,0"), on=row(6), **LATE)
        return bool(ask(g, "attack", hex="2,0", units=["X"])["legal"])

    assert legal()
    assert not legal("defended"), "B was displaced into a hex whose defender has been attacked"
    assert not legal("defended", joined=("defended",))
    assert legal("defended", "guest"), "A retreated onto B, which may still be attacked (13.3.4)"
    assert not legal("defended", "guest", joined=("defended", "guest"))


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


# --- 4.3.3 and the HQs: a line of 14 MPs to the river is a line ------------------------------------------------------


def lost_bridge(corps_at: int, **fields: Any) -> Any:
    """The Don between 2,0 and 3,0; its bridge is gone. The Corps HQ stands on the road east of it."""
    b = row(40, sides={"2,0|3,0": "minor_river"}, features={0: ["german_source"]}, roads=road("minor_road", 0, 30))
    top = ger("Top", f"{corps_at},0", "0-1-10", type="hq", size="corps", division="", supply_points=fields.pop("sp", 0))
    planes = [{"id": "Ju52-1"}] if "air" in fields else []
    more = fields.pop("units", [])
    return pos(top, *more, *planes, on=b, supply="traced", destroyed_bridges=["2,0|3,0"], **LATE, **fields)


@pytest.mark.rule("don42", "4.4.a", "4.3.3.b")
@pytest.mark.parametrize(("at", "takes"), [(17, False), (18, True)])
def test_points_are_flown_to_an_hq_beyond_fourteen_mps_of_the_river(at, takes):
    g = lost_bridge(at, phase="air", air={"side": "german", "units": 2})
    found = ask(g, "legal", action="airlift Top with Ju52-1")
    assert found["legal"] is takes
    assert takes or rule_of(found) == "4.4"


@pytest.mark.rule("don42", "13.2.4.a", "13.2.4.b")
@pytest.mark.parametrize(("at", "back"), [(17, "Aug 25 PM"), (18, "Aug 26 AM")])
def test_an_hq_with_a_line_to_the_river_is_not_isolated_when_it_is_lost(at, back):
    g = lost_bridge(at, phase="soviet_combat", units=[sov("X", f"{at + 1},0", "9-9-5", quality="A", supply="attack")])
    after = [f"attack {at},0", "with X", "assault", "eliminate Top"]
    told = [t["what"] for t in ask(g, "legal", after=after, dice=[6])["told"]]
    assert f"Top is reconstituted on {back}" in told


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


@pytest.mark.rule("don42", "13.3.b", "13.3.3.a")
def test_between_two_attackers_there_is_nowhere_to_retreat_to():
    g = pos(ger("A", "1,0"), ger("B", "3,0"), sov("X", "2,0", "4-4-5 2-2-5"), on=row(6), **LATE)
    found = ask(g, "retreat", hex="2,0", hexes=1, attackers=["A", "B"])
    assert (found["paths"], rule_of(found), found["or_step_loss"]) == ([], "13.3", {"X": "reduced"})
    one = pos(ger("A", "1,0"), sov("X", "2,0", "4-4-5 2-2-5"), on=row(6), **LATE)
    assert "refusal" not in ask(one, "retreat", hex="2,0", hexes=1, attackers=["A"])


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
