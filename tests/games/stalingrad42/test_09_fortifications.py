"""9.7 Fortifications."""

from __future__ import annotations

from typing import Any

from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import BEGUN, BUILT
from kessel.games.stalingrad42.combat.strength.fortifications import (
    complete_forts,
    deactivate_printed,
    forts_left,
    printed_forts,
    why_not_build,
)
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET
from kessel.games.stalingrad42.movement.movement_phase import MovementPhase
from kessel.games.stalingrad42.movement.ways.zones import bonds

from .fights import column_of, odds_of, start
from .helpers import area, ask, board, choices, do, example, h, names, read, refused, rule

SUPPLY: dict[str, Any] = {
    "boxes": [area("Z", "axis", "-4,0 -4,1 -4,2"), area("A", "soviet", "4,0 4,-1 4,-2")],
    "links": [("primary", "-4,0 -3,0 -2,0 -1,0 0,0 1,0 2,0 3,0 4,0")],
}


def fort(g: Board, place: str) -> tuple[int, int] | None:
    return g.fort_of(h(g, place))


def why(g: Board, place: str, side: int = AXIS) -> str:
    found = why_not_build(g, h(g, place), side)
    return "" if found is None else found.rule


# --- 9.7.1 combat effects --------------------------------------------------------------------------------------------


@rule("9.7.1a")
@rule("9.7.6b")
def test_one_column_left_for_the_owner_alone():
    units = {"A": "axis 10-8-6 1,0", "X": "soviet 3-5-3 0,0"}
    assert column_of(board(units), "0,0", "A") == "2-1"
    assert column_of(board(units, forts={"0,0": "soviet"}), "0,0", "A") == "1-1"
    assert column_of(board(units, features={"0,0": ["fort"]}), "0,0", "A") == "1-1"
    units = {"A": "soviet 10-8-6 1,0 tank black", "X": "axis 3-5-3 0,0"}
    g = board(units, features={"0,0": ["fort"]})
    assert odds_of(g, "0,0", "A").shifts.total == 1, "Axis units have no benefit of printed Fortifications"
    g = board(units, features={"0,0": ["fort"]}, options={"printed_fort_axis": "bars"})
    assert odds_of(g, "0,0", "A").shifts.total == 0


@rule("9.7.1b")
@example("E35")
def test_benefits_add_up_with_rough_and_rivers():
    units = {"A": "axis 10-8-6 1,0", "X": "soviet 3-5-3 0,0"}
    g = board(units, terrain={"0,0": "rough"}, forts={"0,0": "soviet"})
    assert odds_of(g, "0,0", "A").shifts.total == -2
    g = board(units, hexsides={"0,0|1,0": "minor_river"}, forts={"0,0": "soviet"})
    now = odds_of(g, "0,0", "A")
    assert (now.defense.total, now.shifts.total) == (10, -1)


# --- 9.7.2, 9.7.3 building -------------------------------------------------------------------------------------------


@rule("9.7.2a")
@rule("9.7.2d")
def test_a_fortification_takes_a_resource_point_and_two_initial_phases():
    g = start({"A": "axis 5-5-3 0,0"}, phase="initial", resource_points=2, **SUPPLY)
    before = g.resource_points
    do(g, "build", "fortify 0,0")
    assert g.resource_points == before - 1
    assert fort(g, "0,0") == (AXIS, BEGUN)
    complete_forts(g, SOVIET)
    assert fort(g, "0,0") == (AXIS, BEGUN), "not in the enemy's Initial Phase"
    units = {"A": "axis 5-5-3 0,0 oos"}
    g = start(units, phase="initial", forts={"0,0": "axis begun"})
    assert fort(g, "0,0") == (AXIS, BUILT), "supply is not needed any more"


@rule("9.7.2b")
def test_the_hex_must_be_in_supply_and_not_enemy_controlled():
    g = board({}, **SUPPLY)
    assert why(g, "0,0") == ""
    assert why(board({}), "0,0") == "9.7.2"
    g = board({}, vp={"0,0": 1}, control={"0,0": "soviet"}, **SUPPLY)
    assert why(g, "0,0") == "9.7.2"
    assert why(board({}, vp={"0,0": 1}, control={"0,0": "axis"}, **SUPPLY), "0,0") == ""
    assert why(board({"X": "soviet 3-5-3 0,0"}, **SUPPLY), "0,0") == "9.7.2"


@rule("9.7.2c")
@rule("9.7.3c")
def test_a_combat_unit_is_needed_only_in_an_ezoc():
    enemy = {"X": "soviet 3-5-3 -1,1"}
    assert why(board(enemy, **SUPPLY), "0,0") == "9.7.3"
    assert why(board(enemy | {"A": "axis 5-5-3 0,0"}, **SUPPLY), "0,0") == ""
    assert why(board(enemy | {"A": "axis 0-0-6 0,0 leader"}, **SUPPLY), "0,0") == "9.7.3"
    assert why(board({}, **SUPPLY), "0,0") == ""


@rule("9.7.2e")
def test_no_attack_out_of_a_hex_under_construction():
    units = {"A": "axis 10-8-6 1,0", "X": "soviet 3-5-3 0,0"}
    g = start(units, forts={"1,0": "axis begun"}, phase="combat")
    assert refused(g, "attack 0,0") == "9.7.2"
    g = start(units, forts={"1,0": "axis"}, phase="combat")
    assert "attack 0,0" in choices(g)


@rule("9.7.3a")
def test_one_fortification_in_a_hex():
    g = board({}, forts={"0,0": "axis", "1,0": "axis begun"}, features={"2,0": ["fort"]}, **SUPPLY)
    assert why(g, "0,0") == "9.7.3"
    assert why(g, "1,0") == "9.7.3"
    assert why(g, "2,0", SOVIET) == "9.7.3"
    assert why(g, "2,0", AXIS) == "", "the printed one is no use to the Axis"


@rule("9.7.3b")
def test_terrain_without_fortifications():
    bad = ("minor_city", "major_city", "mountain", "marsh", "wooded_rough")
    for word in (*bad, "clear", "desert", "rough", "woods"):
        g = board({}, terrain={"0,0": word}, control={"0,0": "axis"} if "city" in word else {}, **SUPPLY)
        assert (why(g, "0,0") == "9.7.3") is (word in bad), word


@rule("9.7.3d")
def test_markers_are_limited_and_reused():
    rows = {f"{q},{r}": "axis" for q in range(-3, 1) for r in range(3)}
    g = board({}, forts=rows, **SUPPLY)
    assert forts_left(g, AXIS) == 0
    assert forts_left(g, SOVIET) == 24
    assert why(g, "2,0") == "9.7.3"
    g.set_fort(h(g, "-3,0"), AXIS, 0)
    assert forts_left(g, AXIS) == 1
    assert why(g, "2,0") == ""


# --- 9.7.4, 9.7.5 vacant and removed ---------------------------------------------------------------------------------


@rule("9.7.4")
def test_a_vacant_fortification_does_nothing():
    units = {"A": "axis 10-8-6 1,0"}
    g = start(units, forts={"0,0": "soviet"}, phase="combat")
    assert refused(g, "attack 0,0") == "8.1"
    g = start(units, forts={"0,0": "soviet"})
    do(g, "move A")
    assert "to -1,0 normal" in choices(g), "it does not impede movement"
    g = board(units, forts={"0,0": "soviet"})
    assert bonds(g, SOVIET).hexes == 0
    with_, without = (ask(board(units, forts=f, **SUPPLY), "supply", unit="A") for f in ({"-1,0": "soviet"}, {}))
    assert with_ == without


@rule("9.7.5a")
def test_the_owner_removes_his_markers_in_his_own_turn():
    for phase in ("movement", "combat"):
        g = start({"A": "axis 5-5-3 3,0"}, forts={"0,0": "axis", "1,0": "soviet"}, phase=phase)
        assert "raze 0,0" in choices(g)
        assert refused(g, "raze 1,0") == "9.7.5"
        do(g, "raze 0,0")
        assert fort(g, "0,0") is None
    assert MovementPhase.index


@rule("9.7.5b")
def test_an_enemy_combat_unit_that_enters_removes_it():
    for unit, stays in (("axis 5-5-3 1,0", False), ("axis 0-0-6 1,0 leader", True)):
        g = start({"A": unit}, forts={"0,0": "soviet"})
        do(g, "move A", "to 0,0 normal")
        assert (fort(g, "0,0") is not None) is stays
    g = start({"X": "soviet 3-5-3 1,0"}, forts={"0,0": "soviet"}, side="soviet")
    do(g, "move X", "to 0,0 normal")
    assert fort(g, "0,0") is not None


# --- 9.7.6, 9.7.7 printed Fortifications -----------------------------------------------------------------------------

GROUPS: dict[str, Any] = {
    "features": {"0,0": ["fort"], "1,0": ["fort"], "2,0": ["fort"]},
    "areas": {"fort_group_north": "0,0", "fort_group_south": "1,0", "fort_group_rostov": "2,0"},
}


@rule("9.7.6a")
def test_printed_fortifications_are_soviet_markers_that_stay():
    units = {"A": "axis 10-8-6 1,0", "X": "soviet 3-5-3 0,0"}
    g = board(units, features={"0,0": ["fort"]})
    now = odds_of(g, "0,0", "A")
    assert now.shifts.total == -1
    g = start({"A": "axis 10-8-6 1,0"}, features={"0,0": ["fort"]})
    do(g, "move A", "to 0,0 normal")
    assert names(g, printed_forts(g)) == {"0,0"}, "never removed"
    assert "raze 0,0" not in choices(g)


@rule("9.7.7a")
@rule("9.7.7b")
@rule("9.7.7c")
def test_groups_are_deactivated_together_at_the_end_of_a_soviet_turn():
    g = board({"X": "soviet 3-5-3 0,0"}, **GROUPS)
    deactivate_printed(g)
    assert names(g, printed_forts(g)) == {"0,0", "2,0"}, "the south is empty, the north is not"
    g = board({"X": "soviet 3-5-3 1,0"}, **GROUPS)
    deactivate_printed(g)
    assert names(g, printed_forts(g)) == {"1,0", "2,0"}
    for side, left in (("soviet", {"2,0"}), ("axis", {"0,0", "1,0", "2,0"})):
        g = start({"X": "soviet 3-5-3 3,0", "A": "axis 5-5-3 -3,0"}, side=side, phase="supply", dice=(6,) * 9, **GROUPS)
        assert names(g, printed_forts(g)) == left, "only when a Soviet Player Turn ends"


@rule("9.7.7d")
def test_the_rostov_group_also_needs_rostov():
    cells = {f"{q},0": {} for q in range(5)}
    cells["4,0"] = {"terrain": "major_city", "name": "Rostov"}
    for owner, left in (("soviet", {"2,0"}), ("axis", set())):
        g = board({}, hexes=dict(cells), control={"4,0": owner}, **GROUPS)
        deactivate_printed(g)
        assert names(g, printed_forts(g)) == left


@rule("9.7.7e")
def test_deactivation_is_permanent():
    g = board({"X": "soviet 3-5-3 1,0", "A": "axis 10-8-6 1,-1"}, deactivated=["fort_group_south"], **GROUPS)
    deactivate_printed(g)
    assert "1,0" not in names(g, printed_forts(g)), "Soviet units that come back do not activate it"
    assert odds_of(g, "1,0", "A").shifts.total == 0


@rule("9.7.7a")
def test_the_printed_map_has_three_groups():
    g = read({"game": "stalingrad42"})
    total = printed_forts(g)
    counts = []
    for i in range(3):
        g.deactivated = 1 << i
        counts.append((total & ~printed_forts(g)).bit_count())
    assert counts[2] == 4, "four hexes around Rostov"
    assert sum(counts) == total.bit_count()
