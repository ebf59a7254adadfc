"""4.4 Supplying cut-off German units."""

from __future__ import annotations

import pytest

from kessel.games.don42.board import ATTACK, G_COMBAT, G_MOTORIZED, G_MOVEMENT, OOS, POSITION_PHASE
from kessel.games.don42.combat.combat import CombatPhase
from kessel.games.don42.data.forces import GERMAN
from kessel.games.don42.movement.defensive_positions import PositionPhase
from kessel.games.don42.movement.movement import allowance
from kessel.games.don42.movement.movement_phase import MovementPhase
from kessel.games.don42.supply import supply
from kessel.games.don42.supply.airlift import buyers, load

from .helpers import ask, board, do, ger, h, pos, refusal, sov, start, texts, u

# A pocket: no road, no river; the Corps HQ stands on the one road hex, which leads nowhere.
POCKET = board(roads=[("minor_road", "0,0 1,0")])
TANK = {"type": "pz3"}
FOOT = {"type": "infantry", "size": "regiment", "motorized": False}
AIR = {"side": "german", "units": "all"}
PLANES = [{"id": n} for n in ("Ju52-1", "Ju52-2", "Ju52-3", "He111-1", "He111-2", "Ju88-1", "Ju87-1", "Ju87-2")]


def hqs(**more):
    corps = ger("HQ14PzC", "0,0", "0-1-10", type="hq", size="corps", division="", **more)
    return [corps, ger("HQ16Pz", "1,0", "0-1-10", type="hq", size="division")]


def pocket(*units, sp=0, **fields):
    return pos(*hqs(supply_points=sp), *units, on=POCKET, supply="traced", **fields)


def begin(g, phase):
    g.set_track("phase", phase)
    if phase == G_COMBAT:
        return start(g, CombatPhase(GERMAN, phase))
    return start(g, MovementPhase(GERMAN, phase))


@pytest.mark.rule("don42", "4.3.d", "4.4.a", "7.0.b")
def test_supply_is_flown_to_a_corps_hq_that_cannot_reach_the_don():
    g = pocket(*PLANES, air=AIR, phase="air")
    assert "airlift HQ14PzC with Ju52-1" in texts(g)
    do(g, "airlift HQ14PzC with Ju52-1")
    assert g.sp[u(g, "HQ14PzC")] == 8
    linked = pos(*hqs(), *PLANES, on=board(roads=[("minor_road", "0,0 1,0")], features={"1,0": ["german_source"]}),
                 air=AIR, phase="air")  # fmt: skip
    assert not any(t.startswith("airlift") for t in texts(linked))


@pytest.mark.rule("don42", "4.4.a")
def test_the_refusal_to_fly_supply_to_a_corps_with_a_ground_line_says_so():
    linked = board(roads=[("minor_road", "0,0 1,0")], features={"1,0": ["german_source"]})
    g = pos(*hqs(), *PLANES, sov("X", "5,0"), on=linked, air=AIR, phase="air")
    found = refusal(g, "airlift HQ14PzC with Ju52-1")
    assert (found.rule, "has a ground line" in found.reason) == ("4.4", True)


@pytest.mark.rule("don42", "4.4.b")
def test_no_more_than_thirty_points_a_turn():
    g = pocket(*PLANES, sov("X", "5,0"), air=AIR, phase="air")
    for plane in ("Ju52-1", "Ju52-2", "Ju52-3"):
        do(g, f"airlift HQ14PzC with {plane}")
    assert load(g, u(g, "He111-1")) == 6
    do(g, "airlift HQ14PzC with He111-1")
    assert g.sp[u(g, "HQ14PzC")] == 30
    assert not any(t.startswith("airlift") for t in texts(g))
    assert refusal(g, "airlift HQ14PzC with He111-2").rule == "4.4"


@pytest.mark.rule("don42", "4.4.c")
def test_points_not_flown_in_this_turn_are_lost():
    from kessel.games.don42.combat.air import AirPhase

    g = pocket(*PLANES, air=AIR, phase="air")
    do(g, "airlift HQ14PzC with Ju52-1", "pass")
    assert g.track("flown_sp") == 8
    start(g, AirPhase(), dice=[1, 1])
    assert g.track("flown_sp") == 0, "the next turn starts with a ceiling of 30 again, nothing was kept"
    assert g.sp[u(g, "HQ14PzC")] == 8


@pytest.mark.rule("don42", "4.4.d", "4.4.e", "4.4.3.b")
def test_each_cut_off_unit_needs_one_point_for_attack_supply_in_a_phase():
    g = begin(pocket(ger("T", "0,1", **TANK), ger("S", "0,2", **TANK), sp=1), G_MOVEMENT)
    do(g, "supply T")
    assert g.sp[u(g, "HQ14PzC")] == 0
    assert g.supply[u(g, "T")] == ATTACK
    assert g.supply[u(g, "S")] == OOS
    assert (allowance(g, u(g, "T")).total, allowance(g, u(g, "S")).total) == (10, 5)


@pytest.mark.rule("don42", "4.4.f", "7.0.c")
def test_the_soviets_never_fly_supply():
    g = pocket({"id": "Il2-1"}, *PLANES, sov("X", "5,0"), air={"side": "soviet"}, phase="air")
    assert not any(t.startswith("airlift") for t in texts(g))
    assert refusal(g, "airlift HQ14PzC with Ju52-1").rule == "7.0"


@pytest.mark.rule("don42", "4.4.1.a")
def test_transport_needs_german_air_initiative():
    from kessel.games.don42.combat.air import AirPhase

    g = pocket(*PLANES, {"id": "Il2-1"})
    start(g, AirPhase(), dice=[5, 6])
    assert not any(t.startswith("airlift") for t in texts(g))
    start(g, AirPhase(), dice=[4, 1])
    assert "airlift HQ14PzC with Ju52-3" in texts(g)


@pytest.mark.rule("don42", "4.4.1.b")
def test_transports_and_bombers_carry_up_to_their_number():
    g = pocket(*PLANES, air=AIR, phase="air")
    assert {n: g.forces.sp[u(g, n)] for n in ("Ju52-1", "He111-1", "Ju88-1")} == {
        "Ju52-1": 8,
        "He111-1": 8,
        "Ju88-1": 6,
    }
    do(g, "airlift HQ14PzC with Ju88-1")
    assert g.sp[u(g, "HQ14PzC")] == 6


@pytest.mark.rule("don42", "4.4.1.c")
def test_dive_bombers_never_carry_points():
    g = pocket(*PLANES, air=AIR, phase="air")
    assert refusal(g, "airlift HQ14PzC with Ju87-1").rule == "4.4.1"


@pytest.mark.rule("don42", "4.4.1.d")
def test_a_bomber_flies_either_transport_or_combat():
    g = pocket(*PLANES, sov("X", "5,0"), air=AIR, phase="air")
    do(g, "airlift HQ14PzC with He111-1", "bombard 5,0")
    assert "plane He111-1" not in texts(g)
    assert refusal(g, "plane He111-1").rule == "7.3"
    do(g, "plane He111-2", "strike", dice=[1])
    assert refusal(g, "airlift HQ14PzC with He111-2").rule == "7.3"


@pytest.mark.rule("don42", "4.4.2.a", "4.4.2.b")
def test_a_load_goes_whole_to_one_corps_hq_and_never_to_another_unit():
    other = ger("HQ8C", "3,0", "0-1-10", type="hq", size="corps", division="", corps="8C")
    g = pocket(*PLANES, other, ger("A", "0,1"), air=AIR, phase="air")
    assert refusal(g, "airlift A with Ju52-1").rule == "4.4.2"
    assert refusal(g, "airlift HQ16Pz with Ju52-1").rule == "4.4.2"
    do(g, "airlift HQ8C with Ju52-1")
    assert (g.sp[u(g, "HQ8C")], g.sp[u(g, "HQ14PzC")]) == (8, 0)
    assert refusal(g, "airlift HQ14PzC with Ju52-1").rule == "7.3", "no second drop"


@pytest.mark.rule("don42", "4.4.2.c")
def test_points_at_an_hq_are_carried_over():
    g = begin(pocket(ger("T", "0,1", **TANK), sp=5), G_MOVEMENT)
    do(g, "pass", "pass")
    assert g.sp[u(g, "HQ14PzC")] == 5


@pytest.mark.rule("don42", "4.4.2.d")
def test_stored_points_vanish_when_the_ground_line_is_restored():
    on = board(roads=[("minor_road", "0,0 1,0 2,0")], features={"2,0": ["german_source"]})
    g = pos(*hqs(supply_points=5), sov("X", "3,0"), on=on)
    supply.check(g, GERMAN, "4.0")
    assert g.sp[u(g, "HQ14PzC")] == 5
    g.move(u(g, "X"), h(g, "6,0"))
    supply.check(g, GERMAN, "4.0")
    assert g.sp[u(g, "HQ14PzC")] == 0


@pytest.mark.rule("don42", "4.4.2.e", "19.1", "RX-19.1")
def test_with_the_option_a_load_may_be_split_between_hqs_of_one_corps():
    other = ger("HQ8C", "3,0", "0-1-10", type="hq", size="corps", division="", corps="8C")
    g = pocket(*PLANES, other, air=AIR, phase="air", options={"split_loads": "on"})
    do(g, "airlift HQ14PzC with Ju52-1", "drop HQ14PzC 3")
    assert "drop HQ16Pz 5" in texts(g)
    assert not any("HQ8C" in t for t in texts(g))
    do(g, "drop HQ16Pz 5")
    assert (g.sp[u(g, "HQ14PzC")], g.sp[u(g, "HQ16Pz")]) == (3, 5)


@pytest.mark.rule("don42", "19.1", "RX-19.1")
def test_with_the_option_points_are_fuel_or_ammo():
    g = pocket(*PLANES, ger("T", "0,1", **TANK), sov("X", "0,2"), air=AIR, phase="air", options={"fuel_and_ammo": "on"})
    do(g, "airlift_fuel HQ14PzC with Ju52-1", "airlift_ammo HQ14PzC with Ju88-1", "pass")
    assert (g.fuel[u(g, "HQ14PzC")], g.ammo[u(g, "HQ14PzC")]) == (8, 6)
    begin(g, G_MOVEMENT)
    do(g, "supply T")
    assert (g.fuel[u(g, "HQ14PzC")], g.ammo[u(g, "HQ14PzC")]) == (7, 6)
    begin(g, G_COMBAT)
    do(g, "supply T")
    assert (g.fuel[u(g, "HQ14PzC")], g.ammo[u(g, "HQ14PzC")]) == (7, 5)


@pytest.mark.rule("don42", "4.4.3.a")
def test_points_are_spent_when_a_phase_begins():
    g = begin(pocket(ger("T", "0,1", **TANK), sp=2), G_MOVEMENT)
    assert texts(g) == ["pass", "supply HQ14PzC", "supply HQ16Pz", "supply T"]
    do(g, "pass")
    assert not any(t.startswith("supply") for t in texts(g)), "later in the phase it is too late"


@pytest.mark.rule("don42", "4.4.3.c", "8.1.1.a", "8.2.1.a")
def test_one_point_builds_a_hasty_position_and_another_upgrades_it():
    g = pocket(ger("T", "0,1", **TANK), sp=2)
    g.set_track("phase", POSITION_PHASE)
    start(g, PositionPhase())
    do(g, "entrench 0,1")
    assert (g.position[h(g, "0,1")], g.sp[u(g, "HQ14PzC")]) == (1, 1)
    start(g, PositionPhase())
    do(g, "entrench 0,1")
    assert (g.position[h(g, "0,1")], g.sp[u(g, "HQ14PzC")]) == (2, 0)


@pytest.mark.rule("don42", "4.4.3.ex1", "5.0.8.d", "5.0.9.c", "5.0.10.c", "5.0.10.a")
@pytest.mark.example("don42", "D-E01")
def test_example_a_cut_off_tank_unit_needs_three_points_in_a_turn():
    g = pocket(ger("T", "0,1", "5-4-12", **TANK), sov("X", "0,2"), sp=3)
    for left, phase in ((2, G_MOVEMENT), (1, G_COMBAT), (0, G_MOTORIZED)):
        begin(g, phase)
        assert g.supply[u(g, "T")] == OOS, "the point of the phase before is used up"
        if phase == G_COMBAT:
            assert ask(g, "attack", hex="0,2", units=["T"])["attack"]["total"] == 2
        else:
            assert allowance(g, u(g, "T")).total == 6
        do(g, "supply T")
        assert g.sp[u(g, "HQ14PzC")] == left
        if phase == G_COMBAT:
            assert ask(g, "attack", hex="0,2", units=["T"])["attack"]["total"] == 5
        else:
            assert allowance(g, u(g, "T")).total == 12


@pytest.mark.rule("don42", "4.4.3.ex2", "5.0.8.e", "5.0.10.d")
@pytest.mark.example("don42", "D-E02")
def test_example_cut_off_infantry_needs_a_point_only_to_attack():
    g = pocket(ger("F", "0,1", "5-6-6", **FOOT), sov("X", "0,2"), sp=3)
    begin(g, G_MOVEMENT)
    assert allowance(g, u(g, "F")).total == 6
    assert u(g, "F") not in list(buyers(g))
    begin(g, G_COMBAT)
    assert ask(g, "attack", hex="0,2", units=["F"])["attack"]["total"] == 2
    do(g, "supply F")
    assert ask(g, "attack", hex="0,2", units=["F"])["attack"]["total"] == 5
    begin(g, G_MOTORIZED)
    do(g, "pass")
    assert refusal(g, "move F").rule == "5.0.10"


def test_a_unit_out_of_touch_with_its_hq_gets_no_point():
    far = ger("T", "5,0", **TANK)
    wall = [sov(f"X{r}", f"3,{r}") for r in (-5, -3, -1, 1, 3)]
    g = begin(pocket(far, *wall, sp=5), G_MOVEMENT)
    assert "supply T" not in texts(g)
    assert refusal(g, "supply T").rule == "4.4.3"
