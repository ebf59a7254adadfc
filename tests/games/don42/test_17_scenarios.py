"""17.0 Scenarios: dates, special rules, restrictions; 17.4 Panzerwaffen Freestyle."""

from __future__ import annotations

from typing import Any

import pytest

from kessel.core.hexset import members
from kessel.core.procedure import asked, options, run
from kessel.games.don42.board import (
    ACTIVE,
    ANSWERS,
    ATTACK,
    C_ACTIVE,
    G_MOVEMENT,
    LEFT,
    OOS,
    PREPARED,
    RECOVERY,
    S_MOVEMENT,
)
from kessel.games.don42.combat.combat import CombatPhase, let_answer, why_not_attack
from kessel.games.don42.data.charts import turn_name, turn_number
from kessel.games.don42.data.forces import GERMAN, SOVIET
from kessel.games.don42.data.scenario import read_scenario
from kessel.games.don42.movement.defensive_positions import markers_left
from kessel.games.don42.movement.movement_phase import MovementPhase
from kessel.games.don42.movement.weather import WeatherPhase
from kessel.games.don42.sequence import Turn
from kessel.games.don42.supply.activation import ActivationPhase, allowed_armies, free_corps, note_attack
from kessel.games.don42.supply.supply import has_contact_supply, has_ground_line, note_contact, state_now
from kessel.games.don42.title import TITLE
from kessel.games.don42.turn.setup import entries_of, room_for

from .helpers import PACK, at, do, fresh, ger, h, pos, refusal, sov, start, texts, u
from .test_questions_movement import road, row


def span(name, **more):
    s = read_scenario(PACK, name, **more)
    return turn_name(s.first_turn), turn_name(s.last_turn), s.turns


@pytest.mark.rule("don42", "17.0")
def test_there_are_four_scenarios():
    assert [s.id for s in TITLE.scenarios(PACK)] == ["crossing-the-don", "kotluban", "short-game", "freestyle"]


@pytest.mark.rule("don42", "17.1", "17.2", "17.3")
def test_their_dates():
    assert span("crossing-the-don") == ("Aug 21 AM", "Aug 28 PM", 16)
    assert span("kotluban") == ("Sep 2 AM", "Sep 8 PM", 14)
    assert span("short-game") == ("Aug 26 AM", "Aug 29 PM", 8)


def superiority(name):
    return {turn_name(t): s for t, s in read_scenario(PACK, name).superiority.items()}


@pytest.mark.rule("don42", "17.1.1.a", "17.1.1.b", "17.2.1.a", "17.2.1.b", "17.3.1")
def test_automatic_air_superiority():
    assert superiority("crossing-the-don") == {
        "Aug 21 AM": GERMAN, "Aug 21 PM": GERMAN, "Aug 23 AM": GERMAN, "Aug 24 AM": SOVIET, "Aug 28 AM": SOVIET,
    }  # fmt: skip
    assert superiority("kotluban") == {
        "Sep 3 AM": SOVIET, "Sep 3 PM": GERMAN, "Sep 4 AM": GERMAN, "Sep 4 PM": SOVIET, "Sep 5 PM": GERMAN,
    }  # fmt: skip
    assert superiority("short-game") == {"Aug 28 AM": SOVIET}


@pytest.mark.rule("don42", "17.1.2", "17.3.2")
@pytest.mark.parametrize(
    ("scenario", "turns"),
    [("crossing-the-don", ["Aug 27 PM"]), ("short-game", ["Aug 27 AM", "Aug 29 AM", "Aug 29 PM"])],
)
def test_automatic_rain_never_mud(scenario, turns):
    assert [turn_name(t) for t in read_scenario(PACK, scenario).weather] == turns
    for turn in turns:
        for before in (0, 1, 2):
            g = fresh(scenario)
            g.set_track("turn", turn_number(turn))
            g.set_track("weather", before)
            start(g, WeatherPhase())
            assert g.weather_name == "rain"
            assert g.dice.count == 0


# --- 17.1.5 the 389 Division ---------------------------------------------------------------------------------------


def crossing(turn, *units):
    g = pos(*units, on="printed", scenario="crossing-the-don", turn=turn)
    g.set_track("phase", G_MOVEMENT)
    return start(g, MovementPhase(GERMAN, G_MOVEMENT))


@pytest.mark.rule("don42", "17.1.5.06")
def test_389_division_must_leave_on_aug_25_by_the_north_edge_or_west_of_the_don():
    units = [{"id": "544Rgt", "at": "1343"}, {"id": "545Rgt", "at": "1131"}, {"id": "546Rgt", "at": "1530"}]
    g = crossing("Aug 25 AM", *units)
    assert why_not_attack(g, u(g, "546Rgt")).rule == "17.1.5"
    do(g, "move 545Rgt", "to 1031", "halt", "move 546Rgt", "to 1029", "leave", "pass")
    assert g.status[u(g, "544Rgt")] & LEFT, "west of the Don"
    assert g.status[u(g, "545Rgt")] & LEFT, "on the north edge"
    assert g.status[u(g, "546Rgt")] & LEFT
    early = crossing("Aug 24 PM", *units)
    do(early, "pass")
    assert at(early, "544Rgt") == "1343"


@pytest.mark.rule("don42", "17.1.5.06")
def test_389_division_cannot_stay_or_go_anywhere_else():
    g = crossing("Aug 25 AM", {"id": "545Rgt", "at": "1431"}, {"id": "546Rgt", "at": "2030"})
    assert "389Div must leave the map (17.1.5): 545Rgt, 546Rgt." in options(g).prompt
    assert refusal(g, "pass").rule == "17.1.5"
    do(g, "move 545Rgt")
    north = {t for t in texts(g) if t.startswith("to ")}
    assert {t[:5] for t in north} == {"to 10"}, "it reaches the north edge, so there it goes"
    assert refusal(g, "halt").rule == "17.1.5"
    assert refusal(g, "to 1532").rule == "17.1.5"
    do(g, "to 1031", "halt")
    assert refusal(g, "pass").rule == "17.1.5", "the other one has not moved"
    do(g, "move 546Rgt")
    away = {t.split()[1] for t in texts(g) if t.startswith("to ")}
    assert "1530" in away, "too far to leave on this turn: it comes nearer all the same"
    assert not away & {"2031", "2130", "2129"}
    assert refusal(g, "halt").rule == "17.1.5"
    while "move 546Rgt" not in texts(g) and any(t.startswith("to ") for t in texts(g)):
        do(g, next(t for t in texts(g) if t.startswith("to ")))
    if "halt" in texts(g):
        do(g, "halt")
    do(g, "pass")
    assert g.on_map(u(g, "546Rgt"))
    assert not g.on_map(u(g, "545Rgt"))
    assert why_not_attack(g, u(g, "546Rgt")).rule == "17.1.5"


@pytest.mark.rule("don42", "17.1.5.06")
def test_a_disrupted_unit_of_389_division_holds_nobody_up():
    g = crossing("Aug 25 AM", {"id": "546Rgt", "at": "2030", "status": ["DPT"]})
    do(g, "pass")
    assert at(g, "546Rgt") == "2030"


@pytest.mark.rule("don42", "17.1.5.09")
def test_what_left_of_389_division_comes_back_on_aug_27_pm_at_1744():
    g = fresh("crossing-the-don")
    for name in ("544Rgt", "HQ389"):
        g.set_status(u(g, name), LEFT)
    g.entered[0] = 6
    g.steps[u(g, "546Rgt")] = 0
    g.set_track("turn", turn_number("Aug 27 PM"))
    g.set_track("phase", G_MOVEMENT)
    start(g, MovementPhase(GERMAN, G_MOVEMENT))
    assert {"enter 544Rgt", "enter HQ389"} <= set(texts(g))
    assert "enter 546Rgt" not in texts(g), "it was eliminated"
    do(g, "enter 544Rgt", "at 1744", "halt")
    assert at(g, "544Rgt") == "1744"
    assert not g.status[u(g, "544Rgt")] & LEFT


# --- 17.2.2 activation in scenario 2 -------------------------------------------------------------------------------


def kotluban(turn):
    g = fresh("kotluban")
    g.set_track("turn", turn_number(turn))
    g.set_track("phase", 4)
    return g


@pytest.mark.rule("don42", "17.2.2.b1")
@pytest.mark.parametrize("turn", ["Sep 2 AM", "Sep 2 PM", "Sep 3 AM", "Sep 3 PM"])
def test_on_sep_2_and_3_only_1_guards_army_and_three_tank_corps(turn):
    g = kotluban(turn)
    assert allowed_armies(g) == ["1GdA"]
    assert free_corps(g) == ["4TkC", "7TkC", "16TkC"]
    start(g, ActivationPhase(), dice=[1, 6, 6, *[1] * 20])
    assert {t for t in texts(g) if t != "pass"} == {"activate 1GdA", "activate 4TkC", "activate 7TkC", "activate 16TkC"}
    assert refusal(g, "activate 24A").rule == "17.2.2"


@pytest.mark.rule("don42", "17.2.2.b2")
@pytest.mark.parametrize("turn", ["Sep 4 AM", "Sep 4 PM"])
def test_on_sep_4_three_tank_corps_act_by_themselves(turn):
    g = start(kotluban(turn), ActivationPhase(), dice=[1])
    for corps in ("4TkC", "7TkC", "16TkC"):
        assert g.commands[g.command_index(corps)] & C_ACTIVE
        assert all(g.status[x] & ACTIVE for x in g.forces.of(corps) if g.on_map(x))
    assert not g.commands[g.command_index("22TkC")] & C_ACTIVE


@pytest.mark.rule("don42", "17.2.2.b3", "17.2.2.b4", "17.2.2.b5")
def test_which_armies_may_try_when():
    def who(turn):
        return set(allowed_armies(kotluban(turn)))

    assert who("Sep 4 AM") == who("Sep 4 PM") == {"1GdA", "4TkA"}
    assert who("Sep 5 AM") == who("Sep 5 PM") == {"1GdA", "24A", "66A", "62A", "4TkA"}
    assert who("Sep 6 AM") == who("Sep 8 PM") == {"1GdA", "24A", "66A", "62A"}, "4 Tank Army only Sep 4 AM to Sep 5 PM"
    assert "22TkC" in free_corps(kotluban("Sep 6 AM"))


@pytest.mark.rule("don42", "17.2.2.b6")
def test_an_attacked_tank_corps_activates():
    g = kotluban("Sep 3 AM")
    note_attack(g, [u(g, "99Tk")])
    start(g, ActivationPhase(), dice=[1])
    assert g.commands[g.command_index("23TkC")] & C_ACTIVE
    assert g.status[u(g, "189Tk")] & ACTIVE
    assert not g.commands[g.command_index("2TkC")] & C_ACTIVE


LIMITS = {"1GdA": 5, "4TkA": 3, "24A": 2, "62A": 2}


@pytest.mark.rule("don42", "17.2.2.c", "17.2.2.c1", "17.2.2.c2", "17.2.2.c3", "17.2.2.c4")
@pytest.mark.parametrize("army", LIMITS)
def test_each_division_or_unit_of_an_activated_army_rolls(army):
    from kessel.core.dice import Scripted
    from kessel.games.don42.supply.activation import activate_units

    for die, acts in ((LIMITS[army], True), (LIMITS[army] + 1, False)):
        g = kotluban("Sep 5 AM")
        index = g.command_index(army)
        subunits = {
            g.forces.subunit(x)
            for x in g.forces.ground[SOVIET]
            if g.command[x] == index and g.on_map(x) and not g.forces.hq[x]
        }
        g.dice = Scripted([die] * len(subunits))
        activate_units(g, index, "9.3")
        assert g.dice.count == len(subunits), "one die for a whole division"
        awake = [
            bool(g.status[x] & ACTIVE)
            for x in g.forces.ground[SOVIET]
            if g.command[x] == index and g.on_map(x) and not g.forces.hq[x]
        ]
        assert set(awake) == {acts}


@pytest.mark.rule("don42", "17.2.2.c5", "17.2.2.c6", "17.2.2.c7")
def test_the_divisions_of_66_army():
    from kessel.core.dice import Scripted
    from kessel.games.don42.supply.activation import activate_units

    for die in range(1, 7):
        units = [
            {"id": n, "at": f"11{i + 10}"}
            for i, n in enumerate(("120Div", "231Div", "299Div", "49Div", "316Div", "10Tk"))
        ]
        g = pos(*units, on="printed", scenario="kotluban", turn="Sep 6 AM", activated=[])
        g.dice = Scripted([die] * 6)
        activate_units(g, g.command_index("66A"), "9.3")
        awake = {n["id"] for n in units if g.status[u(g, n["id"])] & ACTIVE}
        expected = set()
        if die <= 4:
            expected |= {"120Div", "231Div", "299Div"}
        if die <= 3:
            expected |= {"49Div"}
        if die <= 2:
            expected |= {"316Div", "10Tk"}
        assert awake == expected


@pytest.mark.rule("don42", "17.2.2.a")
def test_35_guards_acts_on_sep_2_pm_and_leaves_by_the_south_edge():
    g = kotluban("Sep 2 PM")
    start(g, ActivationPhase(), dice=[1])
    assert all(g.status[x] & ACTIVE for x in g.forces.of("35Gds"))
    g.set_track("phase", S_MOVEMENT)
    g.move(u(g, "35Gds-1"), h(g, "3019"))
    start(g, MovementPhase(SOVIET, S_MOVEMENT))
    do(g, "move 35Gds-1", "to 3119")
    assert "leave" in texts(g)
    do(g, "leave")
    assert g.status[u(g, "35Gds-1")] & LEFT
    assert not g.on_map(u(g, "35Gds-1"))
    assert "35Gds must leave the map (17.2.2): 35Gds-2, 35Gds-3." in options(g).prompt
    assert refusal(g, "pass").rule == "17.2.2"
    do(g, "move 35Gds-2")
    assert "leave" not in texts(g), "only from the south edge"
    assert refusal(g, "halt").rule == "17.2.2"
    here = int(at(g, "35Gds-2")[:2])
    assert all(int(t.split()[1][:2]) > here for t in texts(g) if t.startswith("to "))


@pytest.mark.rule("don42", "17.2.2.a")
def test_35_guards_on_the_south_edge_may_not_stay_there():
    g = pos({"id": "35Gds-1", "at": "3119", "status": ["active"]}, on="printed", scenario="kotluban", turn="Sep 2 PM")
    g.set_track("phase", S_MOVEMENT)
    start(g, MovementPhase(SOVIET, S_MOVEMENT))
    assert refusal(g, "pass").rule == "17.2.2"
    do(g, "move 35Gds-1")
    assert texts(g) == ["leave"]
    do(g, "leave", "pass")
    assert g.status[u(g, "35Gds-1")] & LEFT


# --- 17.2.3 --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("don42", "17.2.3.a", "17.3.3.a")
@pytest.mark.parametrize(
    ("scenario", "full", "after"),
    [("kotluban", ["Sep 2 AM", "Sep 2 PM"], "Sep 3 AM"), ("short-game", ["Aug 26 AM"], "Aug 26 PM")],
)
def test_everybody_is_in_supply_at_first(scenario, full, after):
    g = fresh(scenario)
    for turn in full:
        g.set_track("turn", turn_number(turn))
        assert {state_now(g, x) for s in (0, 1) for x in g.units_on_map(s)} == {ATTACK}
    g.set_track("turn", turn_number(after))
    assert {state_now(g, x) for x in g.units_on_map(GERMAN)} != {ATTACK}


@pytest.mark.rule("don42", "17.2.3.b", "17.2.3.c", "8.3.a")
def test_three_divisions_begin_in_prepared_positions_beyond_the_countermix():
    g = fresh("kotluban")
    hexes = {g.place[x] for d in ("16Pz", "3Mot", "60Mot") for x in g.forces.of(d)}
    assert all(g.position[x] == PREPARED for x in hexes)
    assert len(hexes) > g.charts.position_markers
    assert markers_left(g) > 0
    assert not g.position[g.place[u(g, "HQ51C")]]


@pytest.mark.rule("don42", "17.2.3.e", "17.3.3.h")
@pytest.mark.parametrize("scenario", ["kotluban", "short-game"])
def test_the_pontoon_rules_are_in_effect(scenario):
    g = fresh(scenario)
    assert g.plays("pontoons")
    assert g.plays("pontoon_repair")


# --- 17.3.3 --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("don42", "17.3.3.b", "17.3.3.c", "17.3.3.d")
def test_16_pz_and_3_mot_attack_only_after_an_attack_on_them_or_a_neighbour():
    g = fresh("short-game")
    g.move(u(g, "98Div-1"), h(g, "1908"))
    assert why_not_attack(g, u(g, "II-79")).rule == "17.3.3"
    assert why_not_attack(g, u(g, "III-92")) is None, "60 Mot may attack"
    let_answer(g, h(g, "1806"))
    assert why_not_attack(g, u(g, "II-64")) is None, "it was attacked"
    assert why_not_attack(g, u(g, "II-79")) is None, "its neighbour"
    assert why_not_attack(g, u(g, "I-8")).rule == "17.3.3", "far away"
    assert g.status[u(g, "II-64")] & ANSWERS
    g.set_track("phase", RECOVERY)
    start(g, Turn(), dice=[1] * 9)
    assert why_not_attack(g, u(g, "II-64")).rule == "17.3.3", "a new turn"


@pytest.mark.rule("don42", "17.3.3.c")
def test_an_attack_in_the_combat_phase_gives_the_right_to_answer():
    units = [{"id": "HQ62A", "at": "2105"}, {"id": "41Bde", "at": "1905"}, {"id": "I-2Pz", "at": "1805"},
             {"id": "16Pi", "at": "1804"}]  # fmt: skip
    g = pos(*units, on="printed", scenario="short-game", turn="Aug 26 PM")
    g.set_track("phase", 7)
    for name in ("HQ62A", "41Bde"):
        g.set_status(u(g, name), ACTIVE)
    start(g, CombatPhase(SOVIET, 7), dice=[3])
    do(g, "attack 1805", "with 41Bde", "assault")
    while g.stack:
        do(g, texts(g)[0])
    assert g.status[u(g, "16Pi")] & ANSWERS


LINK = [
    {"id": "HQ14PzC", "at": "2627"}, {"id": "HQ60Mot", "at": "2322"}, {"id": "I-92", "at": "2116"},
    {"id": "HQ3Mot", "at": "1812"}, {"id": "I-8", "at": "2016"}, {"id": "II-8", "at": "1302"},
    {"id": "HQ16Pz", "at": "1705"}, {"id": "I-64", "at": "1806"},
]  # fmt: skip


@pytest.mark.rule("don42", "17.3.3.e", "17.3.3.f", "17.3.3.g")
@pytest.mark.parametrize(("division", "unit", "far"), [("3Mot", "I-8", "II-8"), ("16Pz", "I-64", "I-2Pz")])
def test_contact_with_60_mot_lets_a_division_trace_through_it_next_turn(division, unit, far):
    units = [dict(x) for x in LINK]
    units.append({"id": "I-2Pz", "at": "1402"})
    for x in units:
        if x["id"] == unit:
            x["at"] = "2016"
        elif x["id"] == "I-8":
            x["at"] = "1706"
    g = pos(*units, on="printed", scenario="short-game", turn="Aug 27 AM")
    target, away = u(g, unit), u(g, far)
    hq = g.forces.division_hq[target]
    g.move(hq, h(g, "1004"))
    assert state_now(g, target) != ATTACK, "its own Division HQ is out of reach"
    note_contact(g)
    assert state_now(g, target) != ATTACK, "not before the next turn"
    g.set_track("contact", g.track("contact") >> 8)
    assert has_contact_supply(g, target)
    assert state_now(g, target) == ATTACK
    assert state_now(g, away) != ATTACK, "no line to the 60 Mot unit"
    assert has_ground_line(g, g.command_index("14PzC"))


@pytest.mark.rule("don42", "17.3.3.e", "17.3.3.f", "4.3.3.b")
def test_60_mot_relieves_a_division_though_the_corps_hq_sits_in_the_pocket():
    """The road of HQ 14PzC is blocked at 21,0; 60 Mot has its own line of 14 MPs to the Don between 2,0 and 3,0."""
    b = row(40, sides={"2,0|3,0": "minor_river"}, roads=road("minor_road", 0, 2) + road("minor_road", 4, 35))
    b["hexes"]["22,-1"] = {}
    units = [
        ger("Top", "30,0", "0-1-10", type="hq", size="corps", division=""),
        ger("Sixty", "17,0", division="60Mot"),
        ger("Third", "18,0", division="3Mot"),
        ger("Cut", "25,0", division="3Mot"),
        sov("X", "22,-1"),
    ]

    def states(sixty: str, **fields: Any) -> tuple[int, int]:
        units[1]["at"] = sixty
        g = pos(*units, on=b, scenario="short-game", turn="Aug 27 AM", **fields)
        return state_now(g, u(g, "Third")), state_now(g, u(g, "Cut"))

    assert states("17,0") == (OOS, OOS), "15 MPs to the river, and no contact last turn"
    assert states("17,0", contact=["3Mot"]) == (ATTACK, OOS)
    assert states("17,0", contact=["16Pz"]) == (OOS, OOS)
    assert states("16,0", contact=["3Mot"]) == (OOS, OOS), "60 Mot has moved away"
    assert states("19,0", contact=["3Mot"]) == (OOS, OOS), "60 Mot itself is 16 MPs from the river"


@pytest.mark.rule("don42", "17.3.4.19")
def test_three_units_each_of_16_pz_and_3_mot_begin_in_prepared_positions():
    g = fresh("short-game")
    for division in ("16Pz", "3Mot"):
        hexes = {g.place[x] for x in g.forces.of(division)}
        assert sum(g.position[x] == PREPARED for x in hexes) == 3
    free = fresh("short-game", free_setup="on")
    do(free, "automatic", "automatic")
    assert free.stack[-1].steps[free.stack[-1].at].name == "fortifications"
    do(free, "entrench 1403", "entrench 1404", "entrench 1505")
    assert "entrench 1506" not in texts(free)
    assert "entrench 1613" in texts(free)


# --- 17.4 ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("don42", "17.4", "RX-17.4")
def test_freestyle_has_the_forces_of_scenario_1_and_no_strings():
    one, four = fresh("crossing-the-don"), fresh("freestyle", free_setup="off")
    assert [one.name(x) for x in range(len(one.forces)) if one.on_map(x)] == [
        four.name(x) for x in range(len(four.forces)) if four.on_map(x)
    ]
    s = four.scenario
    assert not s.superiority
    assert not s.weather
    assert "flank_line_corps" not in s.special
    assert set(s.victory) == {"rule", "geographic"}
    assert span("freestyle") == ("Aug 21 AM", "Aug 28 PM", 16)
    assert span("freestyle", long=True) == ("Aug 21 AM", "Sep 8 PM", 38)
    assert len(read_scenario(PACK, "freestyle", long=True).reinforcements) > len(s.reinforcements)


@pytest.mark.rule("don42", "17.4", "RX-17.4")
def test_freestyle_lets_players_set_up_on_their_own_bank_and_choose_pontoons_and_entries():
    g = fresh("freestyle")
    assert asked(g) == GERMAN
    assert all(g.ground.west_bank >> h(g, t.split()[2]) & 1 for t in texts(g) if t.startswith("place"))
    do(g, "place HQ8C 1744", "automatic")
    assert at(g, "HQ8C") == "1744"
    assert asked(g) == SOVIET
    assert all(g.ground.east_bank >> h(g, t.split()[2]) & 1 for t in texts(g) if t.startswith("place"))
    do(g, "automatic")
    assert "pontoon 1939|2040" in texts(g) or any(t.startswith("pontoon") for t in texts(g))
    do(g, "automatic")
    assert g.map.grid.parse_hexside("2539|2540") in g.pontoon_at
    late = fresh("freestyle", free_setup="off")
    late.set_track("turn", turn_number("Aug 22 PM"))
    from kessel.games.don42.movement.reinforcements import entries

    assert {late.hex_name(e) for e, _, _ in entries(late, u(late, "I-2Pz"))} == {"1044", "1445", "1744"}
    run(g)


def test_a_free_set_up_of_scenario_1_keeps_to_the_stated_areas():
    g = fresh("crossing-the-don", free_setup="on")
    assert [t for t in texts(g) if t.startswith("place")] == ["place HQ8C 1744"]
    do(g, "place HQ8C 1744")
    spots = {t.split()[2] for t in texts(g) if t.startswith("place")}
    assert spots == {"2041", "2040", "2042", "1940", "1941", "2140", "2141"}
    assert refusal(g, "place HQ384 2045").rule == "17.1.4.02"
    for outside in ("2039", "2043", "1939", "1942", "2139", "2142"):
        assert refusal(g, f"place HQ384 {outside}").reason == f"HQ384 may not be set up in {outside}"
    do(g, "place HQ384 2042", "automatic", "automatic")
    assert at(g, "HQ384") == "2042"
    assert TITLE.faults(g) == []


def test_a_whole_line_is_placed_unit_by_unit_and_the_next_follows():
    g = fresh("crossing-the-don", free_setup="on")
    do(g, "place HQ8C 1744")
    for name, where in (
        ("HQ384", "2041"),
        ("384Art", "2041"),
        ("384AT", "2041"),
        ("534Rgt", "1940"),
        ("535Rgt", "2040"),
    ):
        assert {t.split()[1] for t in texts(g) if t.startswith("place")} == {name}
        do(g, f"place {name} {where}")
    assert "place 536Rgt 2041" not in texts(g), "a regiment fills the hex"
    assert "place 536Rgt 1940" not in texts(g)
    assert refusal(g, "place 536Rgt 1940").rule == "3.1.3"
    do(g, "place 536Rgt 2140")
    assert [t for t in texts(g) if t.startswith("place")] == ["place HQ51C 2444"]


def test_units_placed_one_in_each_hex():
    g = fresh("kotluban", free_setup="on")
    while not any(t.startswith("place") and "2924" in t for t in texts(g)):
        do(g, next(t for t in texts(g) if t.startswith("place")))
    do(g, "place 71AT 2924")
    assert not any("2924" in t for t in texts(g)), "the hex is taken"
    do(g, "place 71Art 2921", "place 191Rgt 2721", "place 194Rgt 2623")
    assert {t for t in texts(g) if t.startswith("place")} == {"place 211Rgt 2425"}
    do(g, "automatic")
    assert at(g, "71AT") == "2924"
    assert at(g, "211Rgt") == "2425"


@pytest.mark.rule("don42", "3.1.2.a", "3.1.2.b")
def test_a_soviet_unit_whose_hex_is_taken_is_set_up_in_the_nearest_one():
    g = fresh("crossing-the-don", free_setup="on")
    hq = entries_of(g, SOVIET)[0]
    taken = h(g, "2921")
    assert (hq.kind, hq.hexes) == ("in", ("2921",))
    assert members(room_for(g, hq, u(g, "HQ62A"), 0)) == [taken]
    g.move(u(g, "1186AT"), taken)
    assert members(room_for(g, hq, u(g, "HQ62A"), 0)) == sorted(g.map.grid.around[taken])
