"""13.0 Combat results: losses, HQs, advances."""

from __future__ import annotations

import pytest

from kessel.core.procedure import run
from kessel.games.don42.board import C_MOTHERLESS, G_MOVEMENT, S_MOVEMENT
from kessel.games.don42.combat.results import Results
from kessel.games.don42.data.forces import GERMAN, SOVIET
from kessel.games.don42.movement.movement_phase import MovementPhase
from kessel.games.don42.supply.activation import ActivationPhase
from kessel.games.don42.supply.headquarters import eliminate
from kessel.games.don42.supply.supply import corps_hqs, has_ground_supply

from .helpers import ask, at, board, do, fresh, ger, h, homeland, hq62, pos, refusal, sov, start, texts, u, word


def result(g, code, *, attackers, target, dice=()):
    """Apply one result of the table."""
    side = g.forces.side[u(g, attackers[0])]
    units = tuple(u(g, n) for n in attackers)
    there = tuple(g.units(h(g, target)))
    return start(g, Results(side, 1 - side, h(g, target), units, there, code), dice)


def fight(*more, **fields):
    return pos(ger("A", "0,0"), sov("X", "1,0", "3-4-5 2-2-5"), *more, **fields)


@pytest.mark.rule("don42", "13.1")
def test_no_effect_touches_nobody():
    g = fight()
    before = g.digest()
    result(g, "NE", attackers=["A"], target="1,0")
    assert not g.stack
    g.dice = fight().dice
    assert g.digest() == before


@pytest.mark.rule("don42", "13.2.a")
def test_de1_removes_one_defender_of_its_owners_choice():
    g = pos(sov("X", "0,0"), ger("A", "1,0"), ger("B", "1,0"))
    result(g, "DE1", attackers=["X"], target="1,0")
    assert sorted(texts(g)) == ["eliminate A", "eliminate B"]
    do(g, "eliminate B")
    assert g.steps[u(g, "B")] == 0
    assert at(g, "A") == "1,0"
    assert not g.stack, "the hex is not vacant, nobody advances"


@pytest.mark.rule("don42", "13.2.b", "3.1.5.e")
def test_ae1_removes_one_attacker_of_its_owners_choice():
    g = pos(ger("A", "0,0"), ger("B", "0,1"), ger("C", "0,0"), sov("X", "1,0"))
    result(g, "AE1", attackers=["A", "B"], target="1,0")
    assert sorted(texts(g)) == ["eliminate A", "eliminate B"], "C of the same stack did not take part"


@pytest.mark.rule("don42", "13.2.c")
def test_a_hex_emptied_by_de1_lets_attackers_advance_up_to_three_hexes():
    foot = ger("F", "0,1", type="infantry", size="regiment", motorized=False)
    g = pos(ger("A", "0,0"), foot, sov("X", "1,0"))
    result(g, "DE1", attackers=["A", "F"], target="1,0")
    do(g, "eliminate X")
    ends = {t.split()[2] for t in texts(g) if t.startswith("advance A")}
    assert {"1,0", "2,0", "3,0"} <= ends
    assert "4,0" not in ends
    assert {t for t in texts(g) if t.startswith("advance F")} == {"advance F 1,0"}


@pytest.mark.rule("don42", "13.7", "3.1.5.e")
def test_a_drg_disorganizes_all_attackers_and_only_them():
    g = pos(ger("A", "0,0"), ger("B", "0,1"), ger("C", "0,0"), sov("X", "1,0"))
    result(g, "ADRG", attackers=["A", "B"], target="1,0")
    assert [word(g, n) for n in "ABCX"] == ["DRG", "DRG", "", ""]


@pytest.mark.rule("don42", "13.8")
def test_a_dpt_disrupts_all_attackers():
    g = fight(ger("B", "0,1"))
    result(g, "ADPT", attackers=["A", "B"], target="1,0")
    assert [word(g, n) for n in "ABX"] == ["DPT", "DPT", ""]


# --- 13.2.1-13.2.4 HQs ---------------------------------------------------------------------------------------------


@pytest.mark.rule("don42", "13.2.1.a", "13.2.1.b")
def test_a_lost_tank_corps_hq_is_gone_and_its_units_join_an_army_of_choice():
    units = [
        hq62(), sov("HQ4TkA", "1,-4", "0-1-8", type="hq", size="army", army="4TkA"),
        sov("HQ2TkC", "0,0", "0-1-8", type="hq", size="corps", army="", corps="2TkC"),
        sov("T", "0,1", "5-4-10", type="t34", army="", corps="2TkC"),
    ]  # fmt: skip
    g = pos(*units, on=homeland(), turn="Aug 26 AM")
    eliminate(g, u(g, "HQ2TkC"), "13.2", "test")
    assert g.due[u(g, "HQ2TkC")] == 0, "it never comes back"
    assert g.commands[g.command_index("2TkC")] & C_MOTHERLESS
    start(g, ActivationPhase(), dice=[6, 6, 6, 6])
    assert sorted(texts(g)) == ["assign 2TkC 4TkA", "assign 2TkC 62A"]
    do(g, "assign 2TkC 4TkA")
    assert g.command_name(u(g, "T")) == "4TkA"
    do(g, "activate 4TkA")
    assert g.status[u(g, "T")] & 8, "it activates with its new Army"


@pytest.mark.rule("don42", "13.2.2")
def test_a_lost_army_hq_returns_next_turn_at_any_supply_source():
    g = fresh("crossing-the-don")
    eliminate(g, u(g, "HQ62A"), "13.2", "test")
    assert g.due[u(g, "HQ62A")] == 2
    g.set_track("turn", 2)
    g.set_track("phase", S_MOVEMENT)
    start(g, MovementPhase(SOVIET, S_MOVEMENT))
    assert "enter HQ62A" in texts(g)
    do(g, "enter HQ62A")
    sources = {"at 1004", "at 1009", "at 1013", "at 1020", "at 1025", "at 1036", "at 2301", "at 2501"}
    assert sources <= set(texts(g))
    do(g, "at 2301")
    assert at(g, "HQ62A") == "2301"
    assert g.steps[u(g, "HQ62A")] == 1
    assert g.due[u(g, "HQ62A")] == 0


@pytest.mark.rule("don42", "13.2.3.a")
@pytest.mark.parametrize("corps", ["8C", "51C"])
def test_a_lost_corps_hq_in_supply_returns_next_turn_in_the_west(corps):
    g = fresh("crossing-the-don")
    hq = u(g, f"HQ{corps}")
    eliminate(g, hq, "13.2", "test")
    assert g.due[hq] == 2
    g.set_track("turn", 2)
    g.set_track("phase", G_MOVEMENT)
    start(g, MovementPhase(GERMAN, G_MOVEMENT))
    do(g, f"enter HQ{corps}")
    assert set(texts(g)) == {"halt", "at 1445", "at 1744", "at 2445"}
    do(g, "at 2445")
    assert at(g, f"HQ{corps}") == "2445"


POCKET = board(roads=[("minor_road", "0,0 1,0")])


def pocket(corps, division):
    hq = ger(f"HQ{corps}", "0,0", "0-1-10", type="hq", size="corps", division="", corps=corps, supply_points=9)
    return pos(hq, ger("A", "0,1", corps=corps, division=division), on=POCKET, turn="Aug 26 AM")


@pytest.mark.rule("don42", "13.2.3.b")
@pytest.mark.parametrize("corps", ["8C", "51C"])
def test_a_lost_corps_hq_that_was_cut_off_loses_its_points_and_returns_after_two_turns(corps):
    g = pocket(corps, "384Div")
    hq = u(g, f"HQ{corps}")
    eliminate(g, hq, "13.2", "test")
    assert g.sp[hq] == 0
    assert g.due[hq] == g.turn + 2


@pytest.mark.rule("don42", "13.2.4.a", "13.2.4.b")
def test_the_same_holds_for_14_panzer_corps():
    g = pocket("14PzC", "16Pz")
    hq = u(g, "HQ14PzC")
    eliminate(g, hq, "13.2", "test")
    assert (g.sp[hq], g.due[hq]) == (0, g.turn + 2)
    linked = board(roads=[("minor_road", "0,0 1,0")], features={"1,0": ["german_source"]})
    supplied = pos(ger("HQ14PzC", "0,0", "0-1-10", type="hq", size="corps", division=""), on=linked, turn="Aug 26 AM")
    eliminate(supplied, 0, "13.2", "test")
    assert supplied.due[0] == supplied.turn + 1


@pytest.mark.rule("don42", "13.2.3.c", "13.2.4.c")
@pytest.mark.parametrize(("lost", "other"), [("8C", "51C"), ("51C", "14PzC"), ("14PzC", "8C")])
def test_meanwhile_its_units_may_trace_to_another_corps_hq(lost, other):
    linked = board(roads=[("minor_road", "0,0 1,0")], features={"1,0": ["german_source"]})
    units = [
        ger(f"HQ{lost}", "-6,0", "0-1-10", type="hq", size="corps", division="", corps=lost),
        ger(f"HQ{other}", "0,0", "0-1-10", type="hq", size="corps", division="", corps=other),
        ger("HD", "0,1", "0-1-10", type="hq", size="division", corps=lost, division="D"),
        ger("A", "0,2", corps=lost, division="D"),
    ]
    g = pos(*units, on=linked)
    assert not has_ground_supply(g, u(g, "A")), "its own HQ is off the road"
    eliminate(g, u(g, f"HQ{lost}"), "13.2", "test")
    assert corps_hqs(g, g.command[u(g, "A")]) == [u(g, f"HQ{other}")]
    assert has_ground_supply(g, u(g, "A"))


# --- 13.6 advance --------------------------------------------------------------------------------------------------


def vacated(code, *attackers, dice=(), **fields):
    """The defenders give way eastward; what may the attackers do?"""
    g = pos(*attackers, sov("X", "1,0", "3-4-5"), **fields)
    names = [a["id"] for a in attackers]
    result(g, code, attackers=names, target="1,0", dice=dice)
    if "give_way" in texts(g):
        do(g, "give_way")
    way = next(t for t in texts(g) if t.startswith("retreat"))
    return do(g, way)


@pytest.mark.rule("don42", "13.6.a")
def test_infantry_and_mortars_advance_only_into_the_vacated_hex():
    foot = ger("A", "0,0", type="infantry", size="regiment", motorized=False)
    g = vacated("DRE3", foot)
    assert texts(g) == ["pass", "advance A 1,0"]
    mortar = [sov("M", "0,0", type="mortar"), ger("Y", "1,0", quality="C")]
    g = pos(*mortar)
    result(g, "DRE2", attackers=["M"], target="1,0")
    do(g, "give_way")
    do(g, texts(g)[0])
    assert texts(g) == ["pass", "advance M 1,0"]
    assert refusal(g, "advance M 2,0") == ("13.6", "M advances 1 hexes at most")


@pytest.mark.rule("don42", "13.6.b")
def test_artillery_never_advances():
    g = vacated("DRE2", ger("A", "0,0", type="artillery"))
    assert not g.stack
    assert (
        ask(pos(ger("A", "0,0", type="artillery")), "advance", units=["A"], hex="1,0", hexes=3)["units"]["A"]["to"]
        == {}
    )


@pytest.mark.rule("don42", "13.6.c")
def test_stacking_holds_after_an_advance():
    g = vacated("DRE1", ger("A", "0,0"), ger("B", "0,0"), ger("C", "0,1"))
    do(g, "advance A 1,0", "advance B 1,0")
    assert not g.stack, "a third battalion does not fit, and nowhere else to go"
    soviet = pos(
        sov("T", "0,0", type="t34", motorized=True), sov("S", "0,1", type="t34", motorized=True), ger("Y", "1,0")
    )
    result(soviet, "DRE1", attackers=["T", "S"], target="1,0")
    do(soviet, "give_way")
    do(soviet, texts(soviet)[0], "advance T 1,0")
    assert not soviet.stack


@pytest.mark.rule("don42", "13.6.1.a", "13.6.1.b")
def test_tanks_and_motorized_units_advance_as_far_as_the_retreat_first_into_the_vacated_hex():
    for code, most in (("DRE1", 1), ("DRE2", 2), ("DRE3", 3)):
        g = vacated(code, ger("A", "0,0", type="pz3"))
        ways = ask(g, "advance", units=["A"], hex="1,0", hexes=most)["units"]["A"]["to"]
        listed = {t.split()[2] for t in texts(g) if t.startswith("advance")}
        assert set(ways) == listed
        assert max(len(w) for w in ways.values()) == most
        assert all(w[0] == "1,0" for w in ways.values())


@pytest.mark.rule("don42", "13.6.1.c")
def test_unsupplied_tanks_and_motorized_units_advance_one_hex():
    g = vacated("DRE3", ger("A", "0,0", supply="out of supply"))
    assert texts(g) == ["pass", "advance A 1,0"]


@pytest.mark.rule("don42", "3.1.5.d")
def test_only_units_that_took_part_advance():
    g = pos(ger("A", "0,0"), ger("B", "0,0"), sov("X", "1,0"))
    result(g, "DE1", attackers=["A"], target="1,0")
    do(g, "eliminate X")
    assert not any("advance B" in t for t in texts(g))
    assert refusal(g, "advance B 1,0").rule == "3.1.5"


@pytest.mark.rule("don42", "13.3.3.c")
def test_a_hex_emptied_by_a_step_loss_may_be_advanced_into():
    g = pos(ger("A", "0,0"), sov("X", "1,0", "3-4-5"))
    result(g, "DRE3", attackers=["A"], target="1,0")
    do(g, "step_loss X")
    assert texts(g) == ["pass", "advance A 1,0"], "into the vacated hex only"
    do(g, "advance A 1,0")
    assert at(g, "A") == "1,0"
    run(g)
