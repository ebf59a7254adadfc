"""12 Combat in detail: what the log tells of rolls and tables."""

from __future__ import annotations

import pytest

from kessel.core.dice import Scripted
from kessel.games.kharkov43.combat.combat_soviet import passes
from kessel.games.kharkov43.combat.results.advance_checks import AdvanceCheck, chance_of
from kessel.games.kharkov43.combat.results.advance_checks import Step as AdvanceStep
from kessel.games.kharkov43.combat.results.step_losses import must_eliminate
from kessel.games.kharkov43.combat.tactics import why_not_benefit
from tests.games.kharkov43.combat_helpers import battle, field, hit_germans, hx, log, scene, unit
from tests.games.kharkov43.helpers import german, panzer, soviet, tanks

RULE = "kharkov43"


@pytest.mark.rule(RULE, "12.83c")
@pytest.mark.parametrize(("roll", "told"), [(6, "advances"), (7, "advances"), (8, "does not advance")])
def test_the_highest_roll_that_advances_is_told_as_an_advance(roll: int, told: str) -> None:
    g = scene([soviet("a.6", "1909"), german("d.XL", "1912")])
    b = battle(g, "a.6", "1910")
    step = AdvanceStep(b, unit(g, "a.6"), hx(g, "1910"))
    g.dice = Scripted((roll,))
    check = AdvanceCheck(step.unit, step.hex, "attacked_hex", chance_of(g, step, "attacked_hex"))
    assert passes(g, check) is (told == "advances")
    assert f"a.6 {told} to 1910: attacked hex, rolls {roll} with 1-7" in log(g)


@pytest.mark.rule(RULE, "12.54d")
@pytest.mark.parametrize(("cards", "told"), [("E01 E02 E03", True), ("E01 E02 E03 E05", False)])
def test_the_log_says_why_the_result_in_parentheses_is_used(cards: str, told: bool) -> None:
    attackers = [soviet(f"{i}.6", "1909", faces=f"3-4-0{i} 2-4-1{i}") for i in range(3)]
    g = scene([*attackers, german("d.XL", "1910", faces="3-4 2-4")], cards={"draw": cards})
    hit_germans(g, "0.6 1.6 2.6", "1910", 0, 2)
    line = "5 steps, 1 hit left: 0D, fewer than four cards are left and no VP hex was vacated"
    assert (line in log(g)) is told
    assert ("5 steps, 1 hit left: 1 " in log(g)) is not told


@pytest.mark.rule(RULE, "12.54b")
def test_a_result_without_parentheses_is_told_without_a_reason() -> None:
    attackers = [soviet(f"{i}.6", "1909", faces=f"3-4-0{i} 2-4-1{i} 1-4-2{i}") for i in range(3)]
    g = scene([*attackers, german("d.XL", "1910", faces="3-4 2-4")], cards={"draw": "E01"})
    hit_germans(g, "0.6 1.6 2.6", "1910", 0, 2)
    assert "8 steps, 1 hit left: 1 (12.54)" in log(g)


@pytest.mark.rule(RULE, "12.54c")
def test_a_dispersal_without_parentheses_is_told_without_a_reason_too() -> None:
    attackers = [soviet(f"{i}.6", "1909", faces=f"3-4-0{i} 2-4-1{i}") for i in range(3)]
    g = scene([*attackers, german("d.XL", "1910", faces="3-4 2-4")], cards={"draw": "E01"})
    hit_germans(g, "0.6 1.6 2.6", "1910", 0, 4)
    assert "5 steps, 3 hits left: 1D (12.54)" in log(g)


@pytest.mark.rule(RULE, "12.83b")
@pytest.mark.rule(RULE, "12.83d")
def test_no_die_is_rolled_where_it_decides_nothing() -> None:
    g = scene([soviet("a.6", "1909"), german("d.XL", "1912")])
    g.dice = Scripted(())
    step = AdvanceStep(battle(g, "a.6", "1910"), unit(g, "a.6"), hx(g, "1910"))
    never = AdvanceCheck(step.unit, step.hex, "other", chance_of(g, step, "other"))
    assert not passes(g, never)
    assert log(g).endswith("a.6 does not advance to 1910: other, 0 Soviet units in the hex by advance (12.83)")
    always = AdvanceCheck(step.unit, step.hex, "vp_hex", chance_of(g, step, "vp_hex"))
    assert passes(g, always)
    assert log(g).endswith("a.6 advances to 1910: vp hex, 0 Soviet units in the hex by advance (12.83)")


@pytest.mark.rule(RULE, "12.55a")
@pytest.mark.rule(RULE, "12.55b")
def test_hits_that_eliminated_germans_could_have_satisfied() -> None:
    """Two hexes of retreat and all steps; one hex if they are dispersed or find no second one."""

    def could(*more, **doc) -> int:
        g = scene([*more, soviet("0.6", "1909")], **doc)
        return hit_germans(g, "0.6", "1910", 0).assumed

    assert could(german("d.XL", "1910", faces="3-4 2-4")) == 2 + 2
    assert could(german("d.XL", "1910", faces="3-4 2-4", status=["dispersed"])) == 1 + 2
    assert could(panzer("d.XL", "1910", faces="3-6 2-6", status=["isolated"])) == 2
    dead_end = [soviet(f"s{i}.6", at) for i, at in enumerate(("1712", "2112", "1914"))]
    closed = dict.fromkeys(("1911|1912", "1811|1911", "1911|2011"), "blocked_dniepr")
    only_one = field(
        rivers=closed | dict.fromkeys(("1910|2009", "1910|2010", "1810|1910", "1809|1910"), "blocked_dniepr")
    )
    assert could(german("d.XL", "1910", faces="3-4 2-4"), *dead_end, board=only_one) == 1 + 2


@pytest.mark.rule(RULE, "12.31a")
@pytest.mark.rule(RULE, "9.25.4")
@pytest.mark.parametrize(("terrain", "joins"), [("clear", True), ("marsh", False)])
def test_reinforce_battle_helps_no_soviet_attack_if_9_23_keeps_every_unit_away(terrain: str, joins: bool) -> None:
    """T could reach hexes beside the defender, but on game-turn 3 no mechanized unit ends its move in marsh."""
    around = dict.fromkeys(("1810", "1809", "1911", "2010", "2009"), terrain)
    full = [soviet(f"{i}.6", "1909", faces=f"1-4-0{i}") for i in range(3)]
    units = [*full, tanks("T", "1906", "5-9-10", army="6"), german("d.XL", "1910")]
    g = scene(units, board=field(terrain=around), turn=3)
    b = battle(g, "0.6 1.6 2.6", "1910")
    found = why_not_benefit(g, b, "reinforce_battle", True)
    assert (found is None) is joins
    if found is not None:
        assert (found.rule, found.reason) == ("12.31", "no unit can join by Reinforce Battle")


@pytest.mark.rule(RULE, "12.31a")
def test_assault_coordination_needs_an_inactive_unit_beside_the_defender() -> None:
    units = [soviet("a.6", "1909", status=["active"]), german("d.XL", "1910")]
    alone = scene(units)
    found = why_not_benefit(alone, battle(alone, "a.6", "1910"), "assault_coordination", True)
    assert found is not None
    assert found.reason == "no unit can join by Assault Coordination"
    g = scene([*units, soviet("b.6", "1809")])
    assert why_not_benefit(g, battle(g, "a.6", "1910"), "assault_coordination", True) is None


@pytest.mark.rule(RULE, "12.72a")
@pytest.mark.rule(RULE, "12.6a")
def test_whether_a_loss_must_eliminate_a_german_unit() -> None:
    """The first loss falls on armor, here of one step; once a unit has lost one, the infantry may take the next."""
    g = scene([panzer("x", "1910", "3-6"), german("y", "1910", "3-4 2-4"), german("z", "1910", "3-4 2-4", steps=1)])
    x, y, z = (unit(g, n) for n in "xyz")
    assert must_eliminate(g, [x, y], (), 1)
    assert not must_eliminate(g, [y], (), 1)
    assert must_eliminate(g, [y], (), 2)
    assert not must_eliminate(g, [x, y, z], (z,), 1)
    assert must_eliminate(g, [x, y, z], (z,), 2), "y, then x: no unit loses a second step before"
    assert not must_eliminate(g, [x, y], (), 0)


@pytest.mark.rule(RULE, "14.1a")
@pytest.mark.rule(RULE, "12.83b")
def test_an_advance_is_told_once_and_before_what_comes_of_it() -> None:
    town = field(terrain={"1910": "town"}, vp={"1910": 2})
    g = scene(
        [soviet("a.6", "1909", faces="9-4-05"), panzer("d.XL", "1910", faces="1-6", status=["isolated"])], board=town
    )
    hit_germans(g, "a.6", "1910", 9)
    told = [e["what"] for e in g.events or () if "advance" in e["what"] or "Soviet-owned" in e["what"]]
    assert told == [
        "a.6 advances to 1910: vp hex, 0 Soviet units in the hex by advance",
        "1910 becomes Soviet-owned",
    ]
    (event,) = [e for e in g.events or () if e["what"].startswith("a.6 advances")]
    assert (event["unit"], event["from"], event["to"], event["trace"]["route"]) == ("a.6", "1909", "1910", "vp_hex")
