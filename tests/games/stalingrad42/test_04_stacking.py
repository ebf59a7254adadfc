"""4.0 Stacking."""

from __future__ import annotations

import pytest

from kessel.core.procedure import PASS, options
from kessel.core.title import LOSS
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET
from kessel.games.stalingrad42.movement.ways.stacking import overstacked, stack_excess, stack_value, why_not_stack

from .helpers import TITLE, ask, at, board, choices, do, h, refused, rule, start, u


def here(side: str, n: int, words: str = "", first: int = 0) -> dict[str, str]:
    return {f"{side[0]}{first + i}{words[:1]}": f"{side} 3-5-3 0,0 {words}" for i in range(n)}


@rule("4.1a")
@pytest.mark.parametrize(("divisions", "brigades", "excess"), [(2, 1, 0), (3, 0, 1), (3, 1, 1), (2, 2, 1), (1, 2, 0)])
def test_a_soviet_hex_holds_two_combat_units_and_a_free_stacking_unit(divisions, brigades, excess):
    g = board(here("soviet", divisions) | here("soviet", brigades, "free", 5))
    assert stack_excess(g, h(g, "0,0"), SOVIET) == excess


@rule("4.1b")
@pytest.mark.parametrize(("divisions", "brigades", "excess"), [(3, 1, 0), (4, 0, 1), (4, 1, 1), (3, 2, 1), (2, 2, 0)])
def test_an_axis_hex_holds_three_combat_units_and_a_free_stacking_unit(divisions, brigades, excess):
    g = board(here("axis", divisions) | here("axis", brigades, "free", 5))
    assert stack_excess(g, h(g, "0,0"), AXIS) == excess


@rule("4.1c")
def test_non_combat_units_never_count():
    g = board(
        here("soviet", 2)
        | {
            "SP1": "soviet 0-0-5b 0,0 supply back=S-0-T",
            "SP2": "soviet 0-0-0 0,0 supply",
            "L": "soviet 0-0-6 0,0 leader",
        },
        forts={"0,0": "soviet"},
    )
    assert stack_excess(g, h(g, "0,0"), SOVIET) == 0


@rule("4.2a")
@rule("4.2b")
def test_one_free_stacking_unit_is_free_and_further_ones_count():
    g = board(here("axis", 2) | here("axis", 3, "free", 5))
    over = stack_value(g, g.units(h(g, "0,0")), AXIS)
    assert over.total == 1
    assert [(i.what, i.value) for i in over][:2] == [("Combat Units", 2), ("Free Stacking Units beyond the first", 2)]


@rule("4.2c")
@rule("18.2.3a")
def test_asus_have_no_stacking_value():
    g = board(here("axis", 3) | {f"HQ{i}": "axis S-(1)-5b 0,0 hq back=0-(1)-5" for i in range(3)})
    assert stack_excess(g, h(g, "0,0"), AXIS) == 0


@rule("4.3a")
@rule("20.1.1")
def test_a_soviet_army_hq_raises_the_limit_to_three_and_one():
    g = board(here("soviet", 3) | here("soviet", 1, "free", 5) | {"HQ": "soviet 0-0-6 0,0 army_hq"})
    assert stack_excess(g, h(g, "0,0"), SOVIET) == 0
    assert why_not_stack(g, g.units(h(g, "0,0"))[:4], SOVIET).rule == "4.1a"


@rule("4.3b")
def test_a_second_army_hq_adds_nothing():
    g = board(here("soviet", 4) | {"HQ": "soviet 0-0-6 0,0 army_hq", "HQ2": "soviet 0-0-3 0,0 army_hq"})
    assert stack_excess(g, h(g, "0,0"), SOVIET) == 1


@rule("4.3c")
def test_no_more_than_two_tank_or_mech_corps_with_the_guards_or_shock_army():
    corps = {f"{i}TC": "soviet 7-5-5 0,0 tank black size=corps" for i in range(2)}
    corps["5MC"] = "soviet 7-6-5 0,0 mechanized size=corps"
    guards = {"1Gds": "soviet 0-0-3 0,0 army_hq"}
    g = board(corps | guards)
    assert stack_excess(g, h(g, "0,0"), SOVIET) == 1
    assert why_not_stack(g, g.units(h(g, "0,0")), SOVIET).rule == "4.3"
    tank_army = {"5TkA": "soviet 0-0-6 0,0 army_hq"}
    assert stack_excess(board(corps | tank_army), h(g, "0,0"), SOVIET) == 0
    assert stack_excess(board(corps | guards | tank_army), h(g, "0,0"), SOVIET) == 0
    strict = board(corps | guards | tank_army, options={"army_hq_restriction": "always"})
    assert stack_excess(strict, h(g, "0,0"), SOVIET) == 1
    two = {k: v for k, v in corps.items() if k != "5MC"}
    assert stack_excess(board(two | guards | {"Rfl": "soviet 3-5-3 0,0"}), h(g, "0,0"), SOVIET) == 0


@rule("4.4a")
def test_a_unit_may_pass_through_and_end_in_a_full_hex_during_the_phase():
    g = start(here("axis", 3) | {"M": "axis 3-5-3 -1,0"})
    do(g, "move M", "to 0,0 normal")
    assert at(g, "M") == "0,0"
    assert stack_excess(g, h(g, "0,0"), AXIS) == 1


@rule("4.4b")
@rule("4.4d")
def test_at_the_end_of_the_movement_phase_the_excess_is_eliminated_by_its_owner():
    g = start(here("axis", 3) | {"M": "axis 3-5-3 -1,0", "HQ": "axis S-(1)-5b 0,0 hq"})
    do(g, "move M", "to 0,0 normal", "pass")
    assert choices(g) == {"eliminate a0", "eliminate a1", "eliminate a2", "eliminate M"}
    do(g, "eliminate a1")
    assert at(g, "a1") == "nowhere"
    assert overstacked(g, AXIS) == []


@rule("4.4b")
def test_who_stands_over_the_limit_is_told_at_once_and_before_the_phase_ends():
    g = start(here("axis", 3) | {"M": "axis 3-5-3 -1,0", "HQ": "axis S-(1)-5b 0,0 hq"})
    assert "limit" not in options(g).prompt
    do(g, "move M", "to 0,0 normal")
    told = options(g).prompt
    assert "0,0 is over the stacking limit (4.1b: the limit is 3 Combat Units and 1 Free Stacking Unit)" in told
    assert told.endswith("1 of a0, a1, a2, M will be eliminated at the end of the Movement Phase.")
    (first, *_) = TITLE.warnings(g, PASS)
    assert (first.level, first.rule, first.hexes) == (LOSS, "4.4", ["0,0"])
    do(g, "move a0", "to 1,0 normal")
    assert "limit" not in options(g).prompt
    assert not [c for c in TITLE.warnings(g, PASS) if c.level == LOSS]


@rule("4.4b")
@rule("12.1.4")
def test_in_the_combat_phase_units_that_retreated_need_not_be_told_of():
    four = here("axis", 4)
    g = start(four, phase="combat")
    assert "1 of a0, a1, a2, a3 will be eliminated at the end of the Combat Phase" in options(g).prompt
    four["a3"] += " retreated"
    later = start(four, phase="combat", options={"overstack_after_disengagement": "next_movement"})
    assert "limit" not in options(later).prompt
    do(later, "pass")
    assert at(later, "a0") == at(later, "a3") == "0,0"


@rule("4.4d")
def test_only_a_corps_helps_where_there_are_too_many_corps():
    units = {f"{i}TC": "soviet 7-5-5 0,0 tank size=corps" for i in range(3)}
    g = start(units | {"Gds": "soviet 0-0-3 0,0 army_hq", "B": "soviet 2-2-6 0,0 t34 free"}, side="soviet")
    do(g, "pass")
    assert choices(g) == {"eliminate 0TC", "eliminate 1TC", "eliminate 2TC"}


@rule("4.4b")
def test_the_other_side_is_not_corrected():
    g = start(here("soviet", 3) | {"A": "axis 3-5-3 3,0"}, side="axis")
    do(g, "pass")
    assert at(g, "s0") == "0,0"
    assert not any(c.startswith("eliminate") for c in choices(g))


@rule("31.0d")
def test_a_frozen_reserve_army_ignores_stacking():
    units = {f"R{i}": "soviet 3-5-3 0,0 groups=reserve_army_6 frozen" for i in range(4)}
    g = board(units)
    assert stack_excess(g, h(g, "0,0"), SOVIET) == 0
    g.set_status(u(g, "R0"), 1 << 7, False)
    g.set_status(u(g, "R1"), 1 << 7, False)
    g.set_status(u(g, "R2"), 1 << 7, False)
    assert stack_excess(g, h(g, "0,0"), SOVIET) == 1


def test_the_question_stacking_names_limit_and_excess():
    g = board(here("soviet", 3))
    found = ask(g, "stacking", hex="0,0", side="soviet")
    assert found["excess"] == 1
    assert found["refusal"]["rule"] == "4.1a"
    assert refused(start(here("axis", 4)), "eliminate a0") == "5.1"
