"""25.0 Reserves."""

from __future__ import annotations

import pytest

from kessel.games.stalingrad42.columns import ADVANCED, RESERVE

from .helpers import at, choices, do, has, refused, rule, start


def reserve(units, **more):
    """A Combat Phase with the first unit in Reserve."""
    return start(units, phase="combat", **more)


@rule("25.2.1a")
def test_good_order_units_that_did_not_move_or_moved_one_hex_outside_ezocs():
    g = start({"A": "axis 3-5-3 -3,0", "X": "soviet 3-5-3 0,0"})
    do(g, "move A", "reserve")
    assert has(g, "A", RESERVE)
    g = start({"A": "axis 3-5-3 -3,0", "X": "soviet 3-5-3 0,0"})
    do(g, "move A", "step -2,0 normal", "reserve")
    assert (at(g, "A"), has(g, "A", RESERVE)) == ("-2,0", True)
    g = start({"A": "axis 3-5-3 -4,0", "X": "soviet 3-5-3 0,0"})
    do(g, "move A", "step -3,0 normal", "step -2,0 normal")
    assert refused(g, "reserve") == "25.2.1"
    for state in ("disrupted", "full_retreat"):
        g = start({"A": f"axis 3-5-3 -3,0 {state}"})
        do(g, "move A")
        assert refused(g, "reserve") == "25.2.1"


@rule("25.2.1a")
def test_a_stack_that_walks_on_step_by_step_leaves_the_chance_behind():
    """Each step may be a quiet one: two of them are more than one hex, in the same move and after it."""
    g = start({"A": "axis 3-5-3 -4,0", "B": "axis 3-5-3 -4,0", "C": "axis 3-5-3 -2,0", "X": "soviet 3-5-3 4,0"})
    do(g, "move A", "with B", "step -3,0 normal")
    assert "reserve" in choices(g)
    do(g, "step -2,0 normal")
    assert refused(g, "reserve") == "25.2.1"
    do(g, "drop B")
    assert refused(g, "reserve") == "25.2.1"
    do(g, "halt")
    assert {refused(g, "move A"), refused(g, "move B")} == {"5.1"}, "they have had their move"
    do(g, "move C")
    assert refused(g, "with A") == "5.1"
    do(g, "reserve")
    assert [has(g, name, RESERVE) for name in "ABC"] == [False, False, True]


@rule("25.2.1b")
def test_replaced_units_cannot_be_reserve():
    g = start({"A": "axis 3-5-3 -3,0 replaced"})
    do(g, "move A")
    assert refused(g, "reserve") == "25.2.1"


@rule("25.2.1c")
def test_marked_units_stay_where_they_are():
    g = start({"A": "axis 3-5-3 -3,0"})
    do(g, "move A", "reserve")
    assert refused(g, "move A") == "25.2.1"


@rule("25.2.2")
def test_three_markers_a_side_but_a_stack_needs_one():
    g = start(
        {
            "A": "axis 3-5-3 0,0",
            "B": "axis 3-5-3 0,0",
            "C": "axis 3-5-3 1,0",
            "D": "axis 3-5-3 2,0",
            "E": "axis 3-5-3 3,0",
        }
    )
    do(g, "move A", "with B", "reserve", "move C", "reserve", "move D", "reserve", "move E")
    assert refused(g, "reserve") == "25.2.2"


@rule("25.2.3a")
@rule("25.2.3f")
def test_an_activated_stack_advances_up_to_two_hexes_at_any_time():
    g = reserve({"A": "axis 10-8-6 -3,0 tank reserve", "B": "axis 3-5-3 -3,0", "X": "soviet 3-5-3 3,0"})
    do(g, "activate -3,0", "advance A")
    lengths = {c.removeprefix("go ").count(",") for c in choices(g) if c.startswith("go ")}
    assert lengths == {1, 2}
    assert refused(g, "go -2,0--1,0-0,0").startswith("14")
    way = next(c for c in choices(g) if c.endswith("-1,0"))
    do(g, way)
    assert at(g, "A") == "-1,0"
    assert has(g, "A", ADVANCED)
    assert at(g, "B") == "-3,0", "only the marked unit"


@rule("25.2.3c")
def test_reserves_do_not_fight():
    g = reserve({"A": "axis 10-8-6 -1,0 tank reserve", "X": "soviet 3-5-3 0,0"})
    assert not any(c.startswith("attack") for c in choices(g))


@rule("25.2.3d")
@pytest.mark.parametrize(("turn", "crosses"), [(1, False), (28, True)])
def test_reserves_cross_no_unbridged_unfrozen_major_river(turn, crosses):
    river = {"-3,0|-2,0": "major_river", "-3,0|-2,-1": "major_river"}
    g = reserve({"A": "axis 3-5-3 -3,0 reserve"}, hexsides=river, turn=turn)
    do(g, "activate -3,0", "advance A")
    assert ("go -2,0" in choices(g)) is crosses
    g = reserve({"A": "axis 3-5-3 -3,0 reserve"}, hexsides=river, links=[("rail", "-3,0 -2,0")])
    do(g, "activate -3,0", "advance A")
    assert "go -2,0" in choices(g)


@rule("25.2.3e")
def test_markers_go_at_the_end_of_the_combat_phase():
    g = reserve({"A": "axis 3-5-3 -3,0 reserve", "X": "soviet 3-5-3 3,0"})
    do(g, "pass")
    assert not has(g, "A", RESERVE)


@rule("25.2.3a")
def test_without_the_rule_there_are_no_reserves():
    g = start({"A": "axis 3-5-3 -3,0"}, options={"reserves": "off"})
    do(g, "move A")
    assert refused(g, "reserve") == "25.0"


@rule("18.2.2b")
def test_an_asu_that_uses_reserve_movement_is_disrupted():
    from kessel.games.stalingrad42.columns import DISRUPTED

    g = reserve({"H": "axis S-(1)-5b -3,0 hq reserve"})
    do(g, "activate -3,0", "advance H", "go -2,0", "halt")
    assert has(g, "H", DISRUPTED)


@rule("25.2.3b")
def test_after_a_combat_reserves_ignore_the_ezoc_in_the_vacated_hex():
    units = {
        "A": "axis 20-8-6 -1,0 tank",
        "B": "axis 20-8-6 -1,1 tank",
        "R": "axis 10-8-6 -1,0 tank reserve",
        "X": "soviet 1-1-3 0,0",
        "Y": "soviet 3-5-3 1,-1",
    }
    g = start(units, phase="combat", dice=[1] * 20)
    do(g, "attack 0,0", "add A") if "add A" in _after(g, "attack 0,0") else do(g, "attack 0,0")
    while g.stack and not any(c.startswith("activate") for c in choices(g)):
        found = choices(g)
        do(g, "declare" if "declare" in found else "pass" if "pass" in found else sorted(found)[0])
    do(g, "activate -1,0", "advance R")
    ways = {c for c in choices(g) if c.startswith("go ")}
    assert any(c.startswith("go 0,0-") for c in ways), "through the vacated hex and on"


def _after(g, action: str) -> set[str]:
    t = g.copy()
    do(t, action)
    return choices(t)
