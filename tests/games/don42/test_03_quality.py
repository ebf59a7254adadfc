"""3.3 Troop Quality Rating, 3.4 Combined Arms, 3.6 rounding."""

from __future__ import annotations

import pytest

from kessel.games.don42.board import DPT, DRG, RTD
from kessel.games.don42.combat.combined_arms import why_not_attacker_bonus, why_not_defender_bonus
from kessel.games.don42.combat.odds import attack_total
from kessel.games.don42.combat.quality import quality_shift, rating
from kessel.games.don42.data.forces import GERMAN, SOVIET

from .helpers import PACK, ask, board, ger, h, pos, sov, u

SHIFTS = {"AA": 0, "AB": 1, "AC": 2, "BA": -1, "BB": 0, "BC": 1, "CA": -2, "CB": -1, "CC": 0}


def rated(g, side, *names):
    units = [u(g, n) for n in names]
    return "ABC"[rating(g, side, units, [1] * len(units))[0]]


def shift_for(found, what):
    return sum(i["value"] for i in found["shifts"]["items"] if what in i["what"] and i["value"] != "")


@pytest.mark.rule("don42", "3.3.a")
def test_every_ground_unit_has_a_rating():
    ground = [r for r in PACK.rows("counters.csv") if r["size"] != "air"]
    assert {r["quality"] for r in ground} == {"A", "B", "C"}


@pytest.mark.rule("don42", "3.3.b")
def test_disorder_never_changes_the_rating():
    for status in (DRG, DPT, RTD):
        g = pos(ger("A", "0,0", quality="A"))
        g.set_disorder(u(g, "A"), status)
        assert rated(g, GERMAN, "A") == "A"


@pytest.mark.rule("don42", "3.3.1.a", "3.3.1.b", "12.5.5")
@pytest.mark.parametrize("pair", SHIFTS)
def test_the_quality_table(pair):
    g = pos(ger("A", "0,0", quality=pair[0]), sov("X", "1,0", quality=pair[1]), phase="german_combat")
    assert quality_shift(g, "ABC".index(pair[0]), "ABC".index(pair[1])) == SHIFTS[pair]
    found = ask(g, "attack", hex="1,0", units=["A"])
    assert found["column"] - found["shifts"]["total"] == 0
    assert shift_for(found, "quality") == SHIFTS[pair]


@pytest.mark.rule("don42", "3.3.1.c")
def test_several_units_use_the_rating_most_of_them_share():
    g = pos(ger("A", "0,0", quality="A"), ger("B", "0,1", quality="B"), ger("C", "-1,1", quality="B"))
    assert rated(g, GERMAN, "A", "B", "C") == "B"


@pytest.mark.rule("don42", "3.3.1.d")
def test_tied_ratings_germans_take_the_highest_soviets_the_lowest():
    g = pos(ger("A", "0,0", quality="A"), ger("B", "0,1", quality="B"), sov("X", "3,0", quality="B"), sov("Y", "4,0"))
    assert rated(g, GERMAN, "A", "B") == "A"
    assert rated(g, SOVIET, "X", "Y") == "C"


@pytest.mark.rule("don42", "19.2", "RX-19.2")
def test_the_optional_average_is_weighted_by_strength():
    units = [ger("A", "0,0", quality="A"), ger("B", "0,1", quality="C"), sov("X", "3,0", quality="A"), sov("Y", "4,0")]
    g = pos(*units, options={"average_quality": "on"})

    def average(side, names, strengths):
        return "ABC"[rating(g, side, [u(g, n) for n in names], strengths)[0]]

    assert average(GERMAN, "AB", [1, 3]) == "B", "1.5 is rounded up for Germans"
    assert average(SOVIET, "XY", [1, 3]) == "C", "and down for Soviets"
    assert average(GERMAN, "AB", [6, 1]) == "A"
    assert average(SOVIET, "XY", [3, 1]) == "B", "2.5 is rounded down"
    assert average(SOVIET, "XY", [7, 1]) == "A"
    off = pos(*units)
    assert rated(off, GERMAN, "A", "B") == "A"


TANK = {"type": "pz3", "motorized": True}
ARMOR = {"type": "t34", "motorized": True, "corps": "2TkC", "army": ""}


def bonus(attackers, defenders, guns=(), **fields):
    g = pos(*attackers, *defenders, *guns, **fields)
    side = g.forces.side[0]
    units = range(len(attackers))
    n = len(attackers) + len(defenders)
    target = g.units(g.place[len(attackers)])
    return why_not_attacker_bonus(g, side, list(units), list(range(n, n + len(guns))), target)


@pytest.mark.rule("don42", "3.4.a", "12.5.4.a")
def test_armor_and_another_unit_in_attack_supply_give_the_attacker_a_column():
    tank, infantry, foe = ger("T", "0,0", **TANK), ger("A", "0,1"), sov("X", "1,0")
    assert bonus([tank, infantry], [foe]) is None
    assert bonus([tank], [foe]) is not None
    assert bonus([infantry], [foe]) is not None
    hungry = ger("A", "0,1", supply="out of supply")
    assert bonus([tank, hungry], [foe]).reason.endswith("not in Attack Supply")
    pair = bonus([tank, infantry, ger("B", "0,1", supply="out of supply")], [foe], options={"ca_supply": "pair"})
    assert pair is None
    g = pos(tank, infantry, foe, phase="german_combat")
    assert shift_for(ask(g, "attack", hex="1,0", units=["T", "A"]), "attacker's Combined Arms") == 1
    assert shift_for(ask(g, "attack", hex="1,0", units=["T"]), "attacker's Combined Arms") == 0


@pytest.mark.rule("don42", "3.4.b")
def test_the_attackers_bonus_works_against_infantry_and_hqs_only():
    attackers = [ger("T", "0,0", **TANK), ger("A", "0,1")]
    assert bonus(attackers, [sov("X", "1,0", type="trucked_infantry")]) is None
    assert bonus(attackers, [sov("HQ62A", "1,0", type="hq", size="army")]) is None
    for kind in ("anti_tank", "artillery", "mortar", "t70"):
        assert bonus(attackers, [sov("X", "1,0", type=kind)]) is not None
    soviets = [sov("T", "0,0", **ARMOR), sov("M", "0,1", type="trucked_infantry", corps="2TkC", army="")]
    mg = ger("MG", "1,0", "0-2-6", type="machine_gun", size="company")
    assert bonus(soviets, [mg]) is None
    assert bonus(soviets, [mg], options={"mg_infantry": "other"}) is not None


@pytest.mark.rule("don42", "3.4.c", "12.5.4.b")
def test_a_tank_or_anti_tank_unit_gives_the_defender_a_column():
    for kind, yes in (("t34", True), ("anti_tank", True), ("infantry", False), ("artillery", False)):
        g = pos(ger("A", "0,0"), sov("X", "1,0", type=kind), phase="german_combat")
        assert (why_not_defender_bonus(g, g.units(h(g, "1,0"))) is None) is yes
        found = ask(g, "attack", hex="1,0", units=["A"])
        assert shift_for(found, "defender's Combined Arms") == (-1 if yes else 0)
    for kind, yes in (("pzjg", True), ("mech_anti_tank", True), ("recon", False)):
        g = pos(ger("A", "0,0", type=kind))
        assert (why_not_defender_bonus(g, g.units(h(g, "0,0"))) is None) is yes


@pytest.mark.rule("don42", "3.4.d")
def test_the_defender_needs_no_supply_for_it():
    g = pos(sov("X", "1,0", type="anti_tank", supply="out of supply"))
    assert why_not_defender_bonus(g, g.units(h(g, "1,0"))) is None


@pytest.mark.rule("don42", "3.4.e")
def test_combined_arms_works_in_every_terrain_and_in_positions():
    for terrain in ("city", "town", "hill"):
        on = board(terrain={"1,0": terrain}, sides={"0,0|1,0": "minor_river"})
        attackers = [sov("T", "0,0", **ARMOR), sov("M", "0,1", type="trucked_infantry", corps="2TkC", army="")]
        g = pos(*attackers, ger("A", "1,0"), on=on, positions={"1,0": "prepared"}, phase="soviet_combat")
        found = ask(g, "attack", hex="1,0", units=["T", "M"])
        assert shift_for(found, "attacker's Combined Arms") == 1
        assert shift_for(found, "Prepared Position") == -2


@pytest.mark.rule("don42", "3.4.f")
def test_disordered_units_never_claim_combined_arms():
    for status in ("DRG", "DPT", "RTD"):
        tank = ger("T", "0,0", status=[status], **TANK)
        assert bonus([tank, ger("A", "0,1")], [sov("X", "1,0")]) is not None
        g = pos(sov("X", "1,0", type="anti_tank", status=[status]))
        assert why_not_defender_bonus(g, g.units(h(g, "1,0"))) is not None


@pytest.mark.rule("don42", "3.4.g")
def test_soviet_attackers_must_be_of_one_army_or_tank_corps():
    tank = sov("T", "0,0", **ARMOR)
    own = sov("M", "0,1", type="trucked_infantry", corps="2TkC", army="")
    other = sov("Y", "0,1")
    foe = ger("A", "1,0")
    assert bonus([tank, own], [foe]) is None
    assert bonus([tank, other], [foe]).reason.startswith("Soviet attackers come from more than one")
    gun = sov("G", "-1,0", type="artillery")
    assert bonus([tank, own], [foe], [gun]) is not None, "a supporting gun of another Army counts"
    assert bonus([tank, own], [foe], [gun], options={"ca_army": "guns_ignored"}) is None


@pytest.mark.rule("don42", "3.4.h")
def test_german_attackers_may_mix_divisions():
    tank = ger("T", "0,0", **TANK)
    assert bonus([tank, ger("A", "0,1", division="3Mot")], [sov("X", "1,0")]) is None


@pytest.mark.rule("don42", "3.4.a")
def test_readings_of_combined_arms():
    gun = ger("G", "-1,0", type="artillery")
    tank, foe = ger("T", "0,0", **TANK), sov("X", "1,0")
    assert bonus([tank], [foe], [gun]) is not None
    assert bonus([tank], [foe], [gun], options={"ca_support": "non_armor"}) is None
    recon = ger("R", "0,0", type="recon")
    assert bonus([recon, ger("A", "0,1")], [foe]) is None
    assert bonus([recon, ger("A", "0,1")], [foe], options={"recon_armor": "other"}) is not None


@pytest.mark.rule("don42", "3.6")
def test_halved_factors_round_down():
    g = pos(ger("A", "0,0", "5-4-10", supply="out of supply"), ger("B", "0,1", "3-4-10", supply="out of supply"))
    assert attack_total(g, [u(g, "A"), u(g, "B")], []).total == 2 + 1
    assert ask(pos(sov("X", "1,0", "3-5-5", supply="out of supply"), ger("A", "0,0"), phase="german_combat"),
               "attack", hex="1,0", units=["A"])["defence"]["total"] == 2  # fmt: skip
