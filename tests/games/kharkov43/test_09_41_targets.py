"""9.41 Which of several targets is attacked, and the example of 9.4."""

from __future__ import annotations

from fractions import Fraction

import pytest

from kessel.games.kharkov43.board import ATTACKED, DEFENDED
from kessel.games.kharkov43.combat.battle import rounded
from kessel.games.kharkov43.system.attack_check import (
    best_target,
    check_lead,
    consider,
    targets_of,
)
from kessel.games.kharkov43.system.soviet_activation import SovietActivation

from .helpers import german, panzer, soviet, unit
from .soviet_helpers import active, active_tanks, arena
from .test_09_4_attack_checks import OPEN, check, example, field

rule = pytest.mark.rule


# --- 9.41 ------------------------------------------------------------------------------------------------------------


@rule("kharkov43", "9.41a")
def test_of_several_targets_the_one_with_the_highest_rounded_ratio_is_checked():
    g = field(active("A", "1909", "6-4 3-4"), german("G", "1910", "4-4"), german("H", "1908", "2-4"))
    targets = targets_of(g, unit(g, "A"), ())
    assert sorted(g.hex_name(h) for h in targets) == ["1908", "1910"]
    assert g.hex_name(check_lead(g, unit(g, "A"), targets, -1).target) == "1908"
    assert [rounded(*x) for x in ((6, 4), (8, 3), (22, 3), (7, 4))] == [Fraction(3, 2), 2, 7, Fraction(3, 2)]


@rule("kharkov43", "9.41b")
def test_a_tie_goes_to_a_vp_hex_then_the_westernmost_then_the_highest_number():
    def target(*germans, **ground):
        g = field(active("A", "1909", "6-4 3-4"), *germans, board=arena(**OPEN, **ground))
        checks = [consider(g, unit(g, "A"), x, -1) for x in targets_of(g, unit(g, "A"), ())]
        return g.hex_name(best_target(g, checks).target)

    two = [german("G", "1910", "2-4"), german("H", "1908", "2-4")]
    assert target(*two, terrain={"1908": "town"}) == "1908"
    assert target(*two) == "1910", "westernmost"
    assert target(german("G", "1809", "2-4"), german("H", "2009", "2-4")) == "2009", "highest number"
    close = [german("G", "1910", "4-4"), german("H", "1908", "3-4")]
    assert target(*close) == "1908", "6:4 is 1.5, 6:3 is 2"
    rough = [german("G", "1910", "5-4"), german("H", "1908", "6-4")]
    assert target(*rough) == "1910", "6:5 and 6:6 both round to 1:1"


@rule("kharkov43", "9.42a")
def test_units_attacked_in_this_activation_are_no_target_again():
    g = field(active("A", "1909"), german("G", "1910"))
    g.set_status(unit(g, "G"), DEFENDED)
    assert targets_of(g, unit(g, "A"), ()) == []
    g = field(active("A", "1909"), german("G", "1910"), german("H", "1910"))
    g.set_status(unit(g, "G"), DEFENDED)
    c = check(g, "A", "1910")
    assert [g.id(v) for v in c.defenders] == ["H"], "G retreated there and does not count"


# --- the example -----------------------------------------------------------------------------------------------------


@rule("kharkov43", "9.4t")
@rule("kharkov43", "9.41a")
@example("kharkov43", "X20")
def test_popov_on_turn_5():
    """Around Lozovaya. 02 touches the armor in 1813 (outside support) and the infantry in 1913."""
    west = " ".join(f"{r}06-{r}{12 if r > 18 else 11:02d}" for r in range(15, 23))
    units = [
        active_tanks("02", "1812", "6-6-02 4-6-12"),
        active("08", "1912", "4-4-08 2-4-24", army="Popov"),
        active_tanks("21", "2012", "2-6-21 1-6-31"),
        panzer("Pz", "1813", "2-6"),
        german("Inf", "1913", "3-4"),
        active_tanks("06", "1909", "4-6-06 2-6-19"),
        soviet("07", "2009", "4-6-07 2-6-23", "mechanized", army="Popov", status=["active"]),
        german("Loz", "1910", "3-4"),
        active_tanks("14", "1608", "3-6-14 2-6-29"),
        german("04", "1609", "5-4-04"),
        active("17", "1507", "4-6-17", army="Popov"),
        soviet("106", "1811", "3-4-08 1-4-19", army="6"),
        soviet("E1", "1809", "1-4", army="6"),
        german("R1", "1807", "3-4"),
        german("R2", "2007", "3-4"),
    ]
    g = field(
        *units,
        turn=5,
        vp=18,
        cards={"draw": "E01 E02 E03 E05", "command": "E17"},
        board=arena(
            **OPEN,
            terrain={"1910": "town"},
            vp={"1910": 1},
            areas={"west_support_zone": west},
            german_edge="1517",
        ),
    )
    card = g.charts.card_index("E17")
    assert g.charts.cards[card].command_value == 3
    both = {g.hex_name(x): consider(g, unit(g, "02"), x, card) for x in targets_of(g, unit(g, "02"), ())}
    assert {n: (c.attack.total, c.defence.total) for n, c in both.items()} == {"1813": (6, 4), "1913": (12, 4)}
    assert {i.what: i.value for i in both["1813"].defence.items} == {
        "Pz": 2,
        "adjacent to a supplied German unit": 1,
        "everybody outside Soviet support": 1,
    }
    run = SovietActivation(card, "Southwest")
    first = run.next_check(g)
    assert (g.id(first.lead), g.hex_name(first.target), first.succeeds, first.value) == ("02", "1913", True, None)
    assert [g.id(u) for u in first.attackers] == ["02", "08", "21"]
    for u in first.attackers:
        g.set_status(u, ATTACKED)
    for v in first.defenders:
        g.set_status(v, DEFENDED)
    second = run.next_check(g)
    assert (g.id(second.lead), g.hex_name(second.target)) == ("06", "1910")
    assert (second.attack.total, second.defence.total) == (8, 3)
    assert {i.what: i.value for i in second.value.items} == {
        "command value of E17": 3,
        "situational ratio of 2:1 or more": 2,
        "the attack is supported": 1,
        "only the Soviets have armor": 1,
        "an attacking unit is surrounded": 1,
        "the defender is surrounded and can't trace supply": 1,
    }
    assert second.value.total == 9
    assert [g.id(u) for u in second.attackers] == ["06", "07"]
    for u in second.attackers:
        g.set_status(u, ATTACKED)
    third = run.next_check(g)
    assert (g.id(third.lead), g.hex_name(third.target), third.succeeds) == ("14", "1609", False)
    assert (third.attack.total, third.defence.total) == (3, 5)
    assert run.next_check(g) is None
