"""9.0-9.4, 9.9, 9.10 Movement."""

from __future__ import annotations

import pytest

from kessel.core.breakdown import Refusal
from kessel.games.korsun44.board import (
    GERMAN,
    MOVED,
    NO_FIRE_1,
    NO_FIRE_2,
    ON_FOOT,
    OOS1,
    OOS2,
    REGROUP,
    SOVIET,
    Board,
)
from kessel.games.korsun44.data.charts import ARMOR, FOOT, MOTORIZED, POINT
from kessel.games.korsun44.movement.allowance import allowance
from kessel.games.korsun44.movement.costs import STRATEGIC, TACTICAL, WALKING, class_of, kind_of, prices
from kessel.games.korsun44.movement.movement import reach_of
from kessel.games.korsun44.turn.recovery import recovery_phase

from .helpers import board, choices, h, moving, play, position, refused, told, u, unit

REGIMENT, DIVISION, TANKS, MOT = "245.88ID", "180.27A", "II-2.16Pz", "79.16Pz"


RIVER = {f"{q},0|{q - n},1": "river" for q in range(-5, 6) for n in (0, 1) if q - n >= -5 and q - n + 1 <= 5}
"""A river between the rows 0 and 1."""


def cost(g: Board, name: str, to: str, mode: int = TACTICAL) -> float:
    return reach_of(g, u(g, name), mode).cost[h(g, to)] / POINT


def step(g: Board, name: str, a: str, b: str, mode: int = TACTICAL) -> int | Refusal:
    v = u(g, name)
    table = prices(g, g.forces.side[v], kind_of(g, v, mode), mode == STRATEGIC)
    return table.step(h(g, a), g.map.grid.direction(h(g, a), h(g, b)))


# --- 9.0, 9.1 classes and allowances -------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "9.1")
@pytest.mark.parametrize(
    ("name", "cls"),
    [(REGIMENT, FOOT), (MOT, MOTORIZED), (TANKS, ARMOR), ("Art188.88ID", FOOT), ("Flak.16Pz", MOTORIZED)],
)
def test_movement_classes(name: str, cls: int) -> None:
    assert class_of(position(), u(position(), name), TACTICAL) == cls


@pytest.mark.example("korsun44", "E08")
@pytest.mark.rule("korsun44", "9.1.1a", "9.1.1b")
def test_motorized_infantry_may_walk_if_it_says_so_before_it_moves() -> None:
    g = position(unit(MOT, "0,0"), phase="german_movement")
    assert allowance(g, u(g, MOT)).total == 10
    assert allowance(g, u(g, MOT), WALKING).total == 5
    play(moving(g), f"move {MOT}", "on_foot")
    assert refused(g, "strategic").reason == "the way of moving is chosen once"
    play(g, "to 0,1")
    assert refused(g, "strategic").rule == "9.4"
    assert refused(g, "to 4,-4").rule == "9.0"


@pytest.mark.rule("korsun44", "9.10.4")
@pytest.mark.parametrize(("at", "rule"), [("1,0", "9.10.4"), ("3,0", "9.10.4"), ("4,-4", "9.0")])
def test_a_refused_move_says_whether_the_enemy_or_the_distance_bars_it(at: str, rule: str) -> None:
    g = position(unit(REGIMENT, "0,0", status=["disorganized"]), unit(DIVISION, "1,0"), unit("206.27A", "3,0"),
                 phase="german_movement")  # fmt: skip
    play(moving(g), f"move {REGIMENT}")
    assert refused(g, f"to {at}").rule == rule


def test_the_log_tells_who_goes_where() -> None:
    g = position(unit(REGIMENT, "0,0"), phase="german_movement")
    play(moving(g), f"move {REGIMENT}", "to 0,2")
    assert f"{REGIMENT} moves to 0,2 (9.4)" in told(g)


@pytest.mark.rule("korsun44", "9.1.1a")
@pytest.mark.parametrize(
    ("name", "may"), [("Recon.16Pz", True), ("Pio.16Pz", True), (TANKS, False), ("Flak.16Pz", False)]
)
def test_who_may_walk(name: str, may: bool) -> None:
    g = position(unit(name, "0,0"), phase="german_movement")
    play(moving(g), f"move {name}")
    assert ("on_foot" in choices(g)) == may


@pytest.mark.rule("korsun44", "9.3b", "9.3c")
@pytest.mark.parametrize(("name", "frozen", "mud"), [(REGIMENT, 5, 4), (MOT, 10, 8), (TANKS, 12, 10)])
def test_mud_takes_points_off(name: str, frozen: int, mud: int) -> None:
    assert allowance(position(unit(name, "0,0")), u(position(), name)).total == frozen
    g = position(unit(name, "0,0"), ground="Mud")
    assert allowance(g, u(g, name)).total == mud


@pytest.mark.rule("korsun44", "12.17.2.1", "13.5.1h", "13.5.2h", "13.5.2i")
@pytest.mark.parametrize(
    ("name", "status", "points"),
    [
        (REGIMENT, "disorganized", 3),
        (REGIMENT, "OOS2", 5),
        (MOT, "OOS1", 5),
        (MOT, "OOS2", 3),
        (TANKS, "OOS2", 3),
        (MOT, ["OOS1", "regroup"], 3),
    ],
)
def test_disorder_and_want_of_supply_divide_the_allowance(name: str, status: object, points: int) -> None:
    g = position(unit(name, "0,0", status=status))
    assert allowance(g, u(g, name)).total == points


def test_by_q08_the_allowance_is_divided_before_mud_is_taken_off() -> None:
    g = position(unit(MOT, "0,0", status="OOS1"), ground="Mud")
    assert allowance(g, u(g, MOT)).total == 3  # 10 / 2 - 2
    g = position(unit(MOT, "0,0", status="OOS1"), ground="Mud", options={"allowance_order": "subtract_first"})
    assert allowance(g, u(g, MOT)).total == 4  # (10 - 2) / 2


# --- 9.2 terrain ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "9.2", "9.3a")
@pytest.mark.parametrize(
    ("name", "frozen", "mud"),
    [(REGIMENT, (1, 2, 1), (1, 2, 1)), (MOT, (2, 4, 2), (4, 6, 3)), (TANKS, (2, 3, 2), (3, 5, 3))],
)
def test_costs_by_class_and_ground(name: str, frozen: tuple[int, ...], mud: tuple[int, ...]) -> None:
    on = board(terrain={"0,1": "woods", "1,0": "town"})
    for ground, expected in (("Frozen", frozen), ("Mud", mud)):
        g = position(unit(name, "0,0"), on=on, ground=ground)
        found = tuple(cost(g, name, x) for x in ("-1,0", "0,1", "1,0"))
        assert found == expected


@pytest.mark.rule("korsun44", "9.2.2a")
def test_a_road_replaces_the_terrain() -> None:
    on = board(terrain={"0,1": "forest", "0,2": "woods"}, roads=[("secondary", "0,0 0,1 0,2")])
    g = position(unit(TANKS, "0,0"), on=on)
    assert cost(g, TANKS, "0,2") == 2
    assert cost(position(unit(MOT, "0,0"), on=on), MOT, "0,2") == 2


@pytest.mark.rule("korsun44", "9.2.3b", "9.9.1")
def test_armor_keeps_to_the_road_in_a_forest_and_leaves_it_only_so() -> None:
    on = board(terrain={"0,1": "forest"}, roads=[("secondary", "0,0 0,1 0,2")])
    g = position(unit(TANKS, "0,1"), on=on)
    found = step(g, TANKS, "1,0", "0,1")
    assert isinstance(found, Refusal)
    assert found.rule == "9.2.3"
    back = step(g, TANKS, "0,1", "1,0")  # out into the clear: it could not come back
    assert isinstance(back, Refusal)
    assert back.rule == "9.9.1"
    assert step(g, TANKS, "0,1", "0,2") == POINT
    assert step(g, REGIMENT, "0,1", "1,0") == POINT


@pytest.mark.rule("korsun44", "9.2.3a")
def test_nobody_crosses_a_lake() -> None:
    g = position(unit(REGIMENT, "0,0"), on=board(sides={"0,0|0,1": "lake"}))
    found = step(g, REGIMENT, "0,0", "0,1")
    assert isinstance(found, Refusal)
    assert found.rule == "9.2.3"


@pytest.mark.rule("korsun44", "9.2.1", "9.2.2b")
def test_a_bridge_carries_everybody_until_it_is_blown() -> None:
    on = board(sides={"0,0|0,1": "river"}, roads=[("secondary", "0,0 0,1")])
    for name in (REGIMENT, MOT, TANKS, "Art188.88ID", "Flak.16Pz"):
        g = position(unit(name, "0,0"), on=on)
        assert step(g, name, "0,0", "0,1") == POINT
        g.set_bridge(0, 1)
        after = step(g, name, "0,0", "0,1")
        assert after != POINT
        assert isinstance(after, Refusal) == (name != REGIMENT)


@pytest.mark.rule("korsun44", "9.2.1.1a", "9.2.1.1b", "9.2.1.1c")
def test_infantry_crosses_a_river_for_its_whole_allowance_at_once() -> None:
    on = board(sides=RIVER)
    g = position(unit(REGIMENT, "0,0"), unit(DIVISION, "1,1"), on=on, phase="german_movement")
    play(moving(g), f"move {REGIMENT}", "to 0,1")  # into a ZOC: its cost does not matter
    assert g.place[u(g, REGIMENT)] == h(g, "0,1")
    assert g.status[u(g, REGIMENT)] & MOVED
    g = position(unit(REGIMENT, "0,-1"), on=on)
    assert h(g, "0,1") not in reach_of(g, u(g, REGIMENT))  # only from a hex next to it


@pytest.mark.rule("korsun44", "9.2.1.2")
def test_motorized_infantry_that_swims_leaves_its_vehicles() -> None:
    g = position(unit(MOT, "0,0"), on=board(sides=RIVER), phase="german_movement")
    play(moving(g), f"move {MOT}")
    assert refused(g, "to 0,1").rule == "9.2.3"
    play(g, "on_foot", "to 0,1")
    assert g.status[u(g, MOT)] & ON_FOOT
    assert allowance(g, u(g, MOT)).total == 5
    assert class_of(g, u(g, MOT), TACTICAL) == FOOT
    assert "leaves its vehicles" in told(g)


@pytest.mark.rule("korsun44", "9.2.1.3", "9.2.1.4")
@pytest.mark.parametrize("name", [TANKS, "Flak.16Pz", "Art188.88ID", "AT1.27A"])
def test_armor_and_guns_do_not_swim(name: str) -> None:
    g = position(unit(name, "0,0"), on=board(sides={"0,0|0,1": "river"}))
    assert isinstance(step(g, name, "0,0", "0,1"), Refusal)


# --- 9.4 ways of moving --------------------------------------------------------------------------------------------


@pytest.mark.example("korsun44", "E09")
@pytest.mark.rule("korsun44", "9.4.2a", "9.4a")
def test_strategic_movement_costs_a_third_along_a_road() -> None:
    g = position(unit(MOT, "0,0"), on=board(roads=[("secondary", "0,0 0,1 0,2 0,3")]))
    assert step(g, MOT, "0,0", "0,1", STRATEGIC) == POINT // 3
    assert cost(g, MOT, "0,3", STRATEGIC) == 1
    assert cost(g, MOT, "0,3") == 3


@pytest.mark.example("korsun44", "E10")
@pytest.mark.rule("korsun44", "9.4.2b")
def test_strategic_movement_keeps_three_hexes_from_the_enemy() -> None:
    g = position(unit(MOT, "0,0"), unit(DIVISION, "0,4"), phase="german_movement")
    play(moving(g), f"move {MOT}", "strategic", "to 0,1")
    assert refused(g, "to 0,2").rule == "9.4.2"
    g = position(unit(MOT, "0,2"), unit(DIVISION, "0,4"), phase="german_movement")
    play(moving(g), f"move {MOT}")
    assert refused(g, "strategic").rule == "9.4.2"


@pytest.mark.rule("korsun44", "9.4.2.1", "13.5.1j", "13.5.2j")
@pytest.mark.parametrize(
    ("status", "rule"), [("disorganized", "9.4.2"), ("regroup", "9.4.2"), ("OOS1", "13.5.1"), ("OOS2", "13.5.1")]
)
def test_who_may_not_move_strategically(status: str, rule: str) -> None:
    g = position(unit(MOT, "0,0", status=status), phase="german_movement")
    play(moving(g), f"move {MOT}")
    assert refused(g, "strategic").rule == rule


@pytest.mark.rule("korsun44", "9.4.2.2", "9.4.2.3")
@pytest.mark.parametrize(("name", "regroups"), [("Art16.16Pz", True), ("Pio.16Pz", True), (MOT, False)])
def test_guns_and_engineers_regroup_after_strategic_movement(name: str, regroups: bool) -> None:
    g = position(unit(name, "0,0"), phase="german_movement")
    play(moving(g), f"move {name}", "strategic", "to 0,1", "halt")
    assert bool(g.status[u(g, name)] & REGROUP) == regroups


# --- 9.9 general cases ---------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "9.9.2")
def test_a_unit_may_always_move_one_hex() -> None:
    on = board(terrain={"0,1": "woods"})
    g = position(unit(MOT, "0,0", status=["OOS2", "disorganized"]), on=on, ground="Mud", phase="german_movement")
    assert allowance(g, u(g, MOT)).total == 0
    play(moving(g), f"move {MOT}", "to 0,1")
    assert g.place[u(g, MOT)] == h(g, "0,1")
    assert g.status[u(g, MOT)] & MOVED


@pytest.mark.rule("korsun44", "9.9.4a", "9.9.4b", "10.2b")
def test_a_stack_has_the_lowest_allowance_and_each_pays_by_its_own_class() -> None:
    g = position(unit(REGIMENT, "0,0"), unit("StuG239.42K", "0,0"), phase="german_movement")
    play(moving(g), f"move {REGIMENT}", "join StuG239.42K", "to 0,2")
    p = g.stack[-1]
    assert p.spent == (2 * POINT, 4 * POINT)  # type: ignore[attr-defined]
    assert refused(g, "to 0,3").rule == "9.0"  # the guns would have spent six of five
    assert refused(g, f"join {REGIMENT}").rule == "9.9.4"


@pytest.mark.rule("korsun44", "9.0b", "9.0e")
def test_a_unit_moves_once_and_completes_its_move() -> None:
    g = position(unit(REGIMENT, "0,0"), unit("246.88ID", "3,0"), phase="german_movement")
    play(moving(g), f"move {REGIMENT}", "to 0,1")
    assert refused(g, "move 246.88ID").rule == "9.0"
    play(g, "halt")
    assert refused(g, f"move {REGIMENT}").rule == "9.0"


@pytest.mark.rule("korsun44", "9.0a", "9.0c", "9.0d", "9.4.1")
def test_units_move_in_any_order_alone_or_together_and_points_are_not_saved() -> None:
    g = position(unit(REGIMENT, "0,0"), unit("246.88ID", "0,0"), unit(DIVISION, "0,3"), phase="german_movement")
    moving(g)
    assert {f"move {REGIMENT}", "move 246.88ID"} <= set(choices(g))
    play(g, "move 246.88ID", "to 0,1", "halt")  # one of five points
    play(g, f"move {REGIMENT}", "to 0,2")  # next to the enemy; 0,1 was left behind
    assert (g.place[u(g, REGIMENT)], g.place[u(g, "246.88ID")]) == (h(g, "0,2"), h(g, "0,1"))
    assert allowance(g, u(g, REGIMENT)).total == 5


@pytest.mark.rule("korsun44", "9.10.4", "9.10.5")
def test_no_move_into_the_enemy() -> None:
    g = position(unit(REGIMENT, "0,0"), unit(DIVISION, "0,1"), phase="german_movement")
    play(moving(g), f"move {REGIMENT}")
    assert refused(g, "to 0,1").rule == "9.10.4"


# --- 9.10 special restrictions -------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "9.10.2a", "9.10.2b")
def test_guns_and_unarmed_engineers_end_next_to_the_enemy_only_with_cover() -> None:
    units = [unit("Art188.88ID", "0,2"), unit(REGIMENT, "0,1"), unit(DIVISION, "0,0")]
    g = position(*units, phase="german_movement")
    play(moving(g), "move Art188.88ID")
    assert refused(g, "to 1,0").rule == "9.10.2"
    play(g, "to 0,1")
    if type(g.stack[-1]).__name__ == "Move":
        play(g, "halt")
    assert refused(g, f"move {REGIMENT}").rule == "9.10.2"


@pytest.mark.rule("korsun44", "9.10.3a", "9.10.3b", "9.10.3c")
@pytest.mark.parametrize(
    ("name", "side", "flag"),
    [("gun.27A", "soviet", NO_FIRE_2), ("1528how.27A", "soviet", NO_FIRE_1), ("I-108.42K", "german", NO_FIRE_1)],
)
def test_some_guns_may_not_fire_when_they_have_moved(name: str, side: str, flag: int) -> None:
    g = position(unit(name, "0,0"), phase=f"{side}_movement")
    play(moving(g), f"move {name}", "halt")
    assert not g.status[u(g, name)] & flag
    g = position(unit(name, "0,0"), phase=f"{side}_movement")
    play(moving(g), f"move {name}", "to 0,1", "halt")
    assert g.status[u(g, name)] & flag


@pytest.mark.example("korsun44", "E26")
@pytest.mark.rule("korsun44", "9.10.3d", "3.2.E6b")
def test_no_fire_markers_go_down_in_the_soviet_phase() -> None:
    g = position(unit("gun.27A", "0,0", status="no_fire_2"), unit("I-108.42K", "3,0", status="no_fire_1"))
    recovery_phase(g, GERMAN)
    assert g.status[u(g, "gun.27A")] & NO_FIRE_2
    recovery_phase(g, SOVIET)
    assert g.status[u(g, "gun.27A")] & (NO_FIRE_1 | NO_FIRE_2) == NO_FIRE_1
    assert not g.status[u(g, "I-108.42K")] & NO_FIRE_1
    recovery_phase(g, SOVIET)
    assert not g.status[u(g, "gun.27A")] & (NO_FIRE_1 | NO_FIRE_2)


@pytest.mark.rule("korsun44", "13.5.1g", "13.5.1i", "13.4.1h")
@pytest.mark.parametrize(("name", "hexes", "after"), [(MOT, 1, OOS1), (MOT, 2, OOS2), (REGIMENT, 2, OOS1)])
def test_vehicles_that_move_out_of_supply_become_oos2(name: str, hexes: int, after: int) -> None:
    g = position(unit(name, "0,0", status="OOS1"), phase="german_movement")
    play(moving(g), f"move {name}", f"to 0,{hexes}", "halt")
    assert g.status[u(g, name)] & (OOS1 | OOS2) == after


def test_by_the_other_reading_of_q18_the_vehicles_tire_on_the_way() -> None:
    for reading, far in (("end_of_move", True), ("at_once", False)):
        g = position(unit(TANKS, "0,0", status="OOS1"), phase="german_movement", options={"oos2_when": reading})
        play(moving(g), f"move {TANKS}", "to 0,2")  # four of six points; by a quarter there are three
        assert ("to 0,3" in choices(g) if g.stack else False) == far


@pytest.mark.rule("korsun44", "12.17.4.1", "12.17.4.2", "3.2.E6a", "3.2.F6")
def test_recovery() -> None:
    g = position(unit(REGIMENT, "0,0", status="disorganized"), unit(DIVISION, "3,0", status="disorganized"))
    recovery_phase(g, SOVIET)  # the Germans' markers are flipped
    assert g.status[u(g, REGIMENT)] & REGROUP
    recovery_phase(g, GERMAN)
    assert not g.status[u(g, REGIMENT)] & REGROUP
    assert g.status[u(g, DIVISION)] & REGROUP
    recovery_phase(g, SOVIET)
    assert not g.status[u(g, DIVISION)] & REGROUP
