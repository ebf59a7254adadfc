"""27.0 Disengagement."""

from __future__ import annotations

import pytest

from kessel.core.procedure import legal
from kessel.games.stalingrad42.columns import ATTACKED, DISRUPTED, FULL_RETREAT
from kessel.games.stalingrad42.combat.disengagement import modifiers

from .helpers import at, board, choices, do, example, has, refused, rule, start, u

PAIR = {"A": "axis 3-5-3;1-3-3 -1,0", "X": "soviet 3-5-3 0,0"}


def phase(units, dice=(), **more):
    return start(units, phase="combat", dice=dice, **more)


@rule("27.2a")
@rule("27.2.1a")
@rule("3.B3")
@pytest.mark.parametrize(
    ("roll", "goes", "steps"), [(1, False, 2), (2, False, 2), (3, True, 1), (4, True, 2), (6, True, 2)]
)
def test_the_table(roll, goes, steps):
    g = phase(PAIR, [roll])
    do(g, "disengage A")
    assert g.steps[u(g, "A")] == steps
    assert any(c.startswith("retreat") for c in choices(g)) is goes


@rule("27.2.1a")
def test_only_units_next_to_an_enemy_that_have_not_attacked():
    g = phase(PAIR | {"B": "axis 3-5-3 -3,0", "C": "axis 3-5-3 -1,1", "S": "axis 0-0-5b -1,0 supply"})
    g.set_status(u(g, "C"), ATTACKED)
    assert {c for c in choices(g) if c.startswith("disengage")} == {"disengage A"}
    assert refused(g, "disengage C") == "27.2.1"
    assert refused(g, "disengage B") == "27.2.1"
    assert refused(g, "disengage S") == "27.2.1"


@rule("27.2.1a")
def test_disrupted_units_may_and_full_retreat_units_only_with_others():
    g = phase({"A": "axis 3-5-3 -1,0 disrupted", "B": "axis 3-5-3 -1,0 full_retreat", "X": "soviet 3-5-3 0,0"})
    assert {"disengage A", "disengage B", "disengage A B"} <= choices(g)


@rule("27.2.1a")
def test_a_unit_either_attacks_or_disengages():
    g = phase(PAIR, [1])
    do(g, "disengage A")
    assert refused(g, "disengage A") == "27.2.1"
    assert not any(c.startswith("attack") for c in choices(g))


@rule("21.4b")
@rule("27.2.1a")
def test_units_under_a_replacement_marker_may_not():
    g = phase({"A": "axis 3-5-3 -1,0 replaced", "X": "soviet 3-5-3 0,0"})
    assert refused(g, "disengage A") == "21.4"


@rule("27.2.1b")
def test_one_roll_for_each_unit_or_for_the_stack():
    units = PAIR | {"B": "axis 3-5-3 -1,0"}
    g = phase(units, [6])
    do(g, "disengage A B")
    assert any(c.startswith("retreat A B by") for c in choices(g))
    g = phase(units, [6])
    do(g, "disengage B")
    assert not any("A" in c for c in choices(g) if c.startswith("retreat"))


@rule("27.2.1c")
def test_results_are_seen_one_at_a_time():
    g = phase(PAIR | {"B": "axis 3-5-3 -1,0"}, [1, 6])
    do(g, "disengage A")
    assert "disengage B" in choices(g)


@rule("27.2.2a")
@rule("27.2.2b")
def test_modifiers():
    units = {
        "C": "axis 3-3-5 -1,0 cavalry",
        "M": "axis 10-8-6 -1,0 tank",
        "I": "axis 3-5-3 -1,0",
        "D": "axis 3-3-5 -1,0 cavalry disrupted",
    }
    g = board(units)

    def drm(*names: str) -> int:
        return modifiers(g, tuple(u(g, x) for x in names)).total

    assert drm("C") == drm("M") == drm("C", "M") == 1
    assert drm("I") == drm("I", "M") == 0
    assert drm("D") == 0
    assert drm("I", "D") == -1


@rule("27.2.3a")
def test_yes_is_a_retreat_of_one_or_two_hexes_that_disrupts():
    g = phase(PAIR, [6])
    do(g, "disengage A")
    found = choices(g)
    assert "retreat A by -2,0" in found
    assert any(c.startswith("retreat A by") and c.count(",") == 2 for c in found)
    do(g, "retreat A by -2,0")
    assert at(g, "A") == "-2,0"
    assert has(g, "A", DISRUPTED)
    g = phase({"A": "axis 3-5-3 -1,0 disrupted", "X": "soviet 3-5-3 0,0"}, [6])
    do(g, "disengage A", "retreat A by -2,0")
    assert has(g, "A", FULL_RETREAT)


@rule("27.2.3b")
def test_not_into_an_ezoc_unless_a_friend_is_there():
    g = phase(PAIR, [6])
    do(g, "disengage A")
    assert "retreat A by -1,1" not in choices(g)
    g = phase(PAIR | {"F": "axis 3-5-3 -1,1"}, [6])
    do(g, "disengage A")
    assert "retreat A by -1,1" in choices(g)


@rule("27.2.3c")
def test_the_step_is_lost_before_the_retreat():
    g = phase({"A": "axis 3-5-3 -1,0", "X": "soviet 3-5-3 0,0"}, [3])
    do(g, "disengage A")
    assert at(g, "A") == "nowhere"


@rule("27.2.1a")
@example("E59")
def test_a_unit_shut_in_may_not_try():
    ring = {f"X{i}": f"soviet 3-5-3 {p}" for i, p in enumerate(["2,0", "-2,0", "0,2", "0,-2", "2,-2", "-2,2", "1,0"])}
    g = phase({"D": "axis 3-5-3 0,0"} | ring)
    assert refused(g, "disengage D") == "27.2.1"


@rule("33.2.3d")
def test_in_the_interchange_turn_disengagement_is_the_only_combat():
    from kessel.core.procedure import run
    from kessel.games.stalingrad42.combat.combat_phase import CombatPhase
    from kessel.games.stalingrad42.data.forces import AXIS

    g = board(PAIR)
    g.stack = [CombatPhase(AXIS, attacks=False)]
    run(g)
    assert "disengage A" in choices(g)
    assert not any(c.startswith("attack") for c in choices(g))
    assert refused(g, "attack 0,0") == "33.2.3"


@rule("27.2.1a")
@pytest.mark.parametrize("seed", range(12))
def test_the_listed_units_are_those_not_refused(seed):
    from kessel.games.stalingrad42.combat.disengagement import able, why_not_disengage
    from kessel.games.stalingrad42.data.forces import AXIS, SOVIET

    from .test_07_bonds import random_board

    g = random_board(seed)
    for side in (AXIS, SOVIET):
        listed = {x for units in able(g, side).values() for x in units}
        assert listed == {x for x in g.forces.units_of[side] if why_not_disengage(g, x, side) is None}


def test_without_the_rule_there_is_none():
    g = phase(PAIR, options={"disengagement": "off"})
    assert not any(c.startswith("disengage") for c in choices(g))


@rule("27.2.1a")
def test_a_disengagement_is_announced_then_units_are_named():
    g = phase(PAIR | {"B": "axis 3-5-3 -3,0"}, [1])
    assert ("disengagement",) in legal(g)
    assert refused(g, "disengage A") == "27.2.1"
    do(g, "disengagement")
    assert {a[0] for a in legal(g)} == {"cancel", "disengage"}
    assert refused(g, "disengage B") == "27.2.1"
    do(g, "cancel")
    assert any(c.startswith("attack") for c in choices(g))
    do(g, "disengagement", "disengage A")
    assert refused(g, "disengagement") == "27.2.1", "nobody else may try"


def test_no_disengagement_without_the_rule():
    g = phase(PAIR, options={"disengagement": "off"})
    assert refused(g, "disengagement") == "27.0"
