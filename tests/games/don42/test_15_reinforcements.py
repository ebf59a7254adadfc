"""15.0 Reinforcements."""

from __future__ import annotations

import pytest

from kessel.games.don42.board import ACTIVE, ATTACK, C_ACTIVE, ENTERED, G_MOTORIZED, G_MOVEMENT, S_MOVEMENT
from kessel.games.don42.data.charts import turn_number
from kessel.games.don42.data.forces import GERMAN, SOVIET
from kessel.games.don42.movement.movement_phase import MovementPhase
from kessel.games.don42.supply.supply import state_now

from .helpers import at, do, fresh, h, refusal, start, texts, u


def on_turn(scenario, turn, side, **options):
    g = fresh(scenario, **options)
    g.set_track("turn", turn_number(turn))
    phase = G_MOVEMENT if side == GERMAN else S_MOVEMENT
    g.set_track("phase", phase)
    return start(g, MovementPhase(side, phase))


def entering(g):
    return {t.split()[1] for t in texts(g) if t.startswith("enter ")}


def hexes(g, unit):
    do(g, f"enter {unit}")
    found = {t.split()[1] for t in texts(g) if t.startswith("at ")}
    do(g, "halt")
    return found


@pytest.mark.rule("don42", "15.0.a", "5.0.5.c", "5.0.8.c")
def test_reinforcements_enter_named_hexes_in_the_movement_phase_of_their_side():
    g = on_turn("crossing-the-don", "Aug 22 AM", GERMAN)
    assert entering(g) == {"HQ389", "389Art", "389AT", "544Rgt", "545Rgt", "546Rgt"}
    assert refusal(g, "enter I-2Pz").rule == "15.0", "16 Pz comes later"
    s = on_turn("crossing-the-don", "Aug 23 AM", SOVIET)
    assert entering(s) == {"HQ1GdA", "315Div-1", "315Div-2"}
    early = on_turn("crossing-the-don", "Aug 21 AM", GERMAN)
    assert entering(early) == set()
    late = fresh("crossing-the-don")
    late.set_track("turn", turn_number("Aug 22 AM"))
    late.set_track("phase", G_MOTORIZED)
    start(late, MovementPhase(GERMAN, G_MOTORIZED))
    assert refusal(late, "enter 544Rgt").rule == "15.0", "not in the Motorized Movement Phase"


@pytest.mark.rule("don42", "15.0.b")
def test_arriving_units_are_in_attack_supply_all_turn():
    g = on_turn("crossing-the-don", "Aug 24 AM", SOVIET)
    do(g, "enter 116Div", "at 1033", "halt")
    unit = u(g, "116Div")
    assert g.status[unit] & ENTERED
    assert g.supply[unit] == ATTACK
    g.move(unit, h(g, "2743"))
    assert state_now(g, unit) == ATTACK, "wherever it stands, until the turn is over"


@pytest.mark.rule("don42", "15.0.c", "17.2.2.b")
def test_an_arriving_soviet_hq_activates_its_army():
    g = on_turn("crossing-the-don", "Aug 23 AM", SOVIET)
    do(g, "enter 315Div-1", "at 1020", "halt", "enter HQ1GdA", "at 1013", "halt")
    assert g.commands[g.command_index("1GdA")] & C_ACTIVE
    assert g.status[u(g, "HQ1GdA")] & ACTIVE
    assert g.status[u(g, "315Div-1")] & ACTIVE
    s2 = on_turn("kotluban", "Sep 5 AM", SOVIET)
    do(s2, "enter 24Div", "at 1020", "halt")
    assert s2.status[u(s2, "24Div")] & ACTIVE, "units entering the map act on that turn"


@pytest.mark.rule("don42", "15.1.a", "15.1.b", "15.2.ex")
@pytest.mark.example("don42", "D-E07")
def test_example_units_of_a_road_column_pay_one_two_and_three_mps():
    g = on_turn("kotluban", "Sep 7 PM", SOVIET)
    g.position[h(g, "1004")] = 0
    minor = {"1009": 1.0}
    del minor
    left = []
    for unit in ("316Div", "99Div", "64Mot"):
        do(g, f"enter {unit}")
        assert [t for t in texts(g) if t.startswith("at ")] == ["at 1004"], "the named road hex"
        do(g, "at 1004")
        left.append((g.allowance(u(g, unit)) * 2 - g.stack[-1].left) / 2)
        do(g, "halt")
    assert left == [0.5, 1.0, 1.5], "1004 is a major road: half a point per place in the column"
    m = on_turn("crossing-the-don", "Aug 22 AM", GERMAN)
    spent = []
    for unit in ("544Rgt", "545Rgt", "546Rgt"):
        do(m, f"enter {unit}", "at 1044")
        spent.append((m.allowance(u(m, unit)) * 2 - m.stack[-1].left) / 2)
        do(m, "halt")
    assert spent == [1.0, 2.0, 3.0], "1044 is a minor road"


@pytest.mark.rule("don42", "15.1.b")
def test_a_unit_too_far_back_in_the_column_waits_for_the_next_turn():
    g = on_turn("crossing-the-don", "Aug 22 PM", GERMAN)
    order = [g.id(x) for x in g.forces.of("16Pz") if "MG" not in g.id(x)]
    came = []
    for name in order:
        if name in entering(g):
            do(g, f"enter {name}")
            if "at 1744" in texts(g):
                do(g, "at 1744")
                if "halt" in texts(g) and g.stack[-1].__class__.__name__ == "Move":
                    do(g, "halt")
                came.append(name)
            else:
                do(g, "halt")
    assert 10 <= len(came) < 18
    assert "16MG-1" not in entering(g), "six MPs are not enough any more"
    assert refusal(g, "enter 16MG-1").rule == "15.1"


@pytest.mark.rule("don42", "15.2.a", "15.2.b")
def test_a_blocked_entry_moves_to_the_nearest_hex_of_the_edge():
    g = on_turn("crossing-the-don", "Aug 24 AM", SOVIET)
    g.move(u(g, "I-2Pz"), h(g, "1125"))
    g.steps[u(g, "I-2Pz")] = 2
    do(g, "enter 84Div-1")
    offered = {t.split()[1] for t in texts(g) if t.startswith("at ")}
    assert offered == {"1024", "1027"} or (offered and "1025" not in offered)
    zone = {"1024", "1025"}
    assert not offered & (zone & {"1025"})
    assert refusal(g, "at 1025").rule == "15.2"


def test_an_entering_unit_goes_on_moving_with_what_is_left():
    g = on_turn("crossing-the-don", "Aug 22 AM", GERMAN)
    do(g, "enter 544Rgt", "at 1044")
    assert "to 1243" in texts(g)
    do(g, "to 1243", "halt")
    assert at(g, "544Rgt") == "1243"


@pytest.mark.rule("don42", "15.1.b")
@pytest.mark.parametrize(("before", "goes_on"), [(8, True), (9, False)])
def test_a_unit_that_entered_goes_on_with_the_half_mp_it_has_left(before, goes_on):
    g = on_turn("crossing-the-don", "Aug 24 AM", SOVIET)
    g.queue[h(g, "1025")] = before
    g.changed()
    do(g, "enter 84Div-1", "at 1025")
    assert any(t.startswith("to ") for t in texts(g)) is goes_on, "a major road costs half an MP for each place in line"
    assert ("halt" in texts(g)) is goes_on
