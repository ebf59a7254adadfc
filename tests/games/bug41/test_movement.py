"""RX-7.3, PA-TEC movement, PA-road, PA-infil."""

from __future__ import annotations

import pytest

from kessel.core.terrain import Map
from kessel.games.bug41.board import Board
from kessel.games.bug41.movement.move import Move
from kessel.games.bug41.movement.reach import Group, ways_of

from .helpers import Placed, act, at, board, do, ger, h, hq, points, pos, refusal, sov, texts, told, u

FAR = sov("FAR", "6,-6")
"""An enemy far away: leg units have their bonus."""


def cost(unit: Placed, on: Map, to: str = "1,0", boats: int = 0, *more: Placed) -> float | None:
    """Movement points to the next hex, or None."""
    g = pos(unit, *more, on=on)
    found = ways_of(g, Group((u(g, unit.counter.id),), boats=boats)).cost.get(h(g, to))
    return None if found is None else found / 2


LEG, MOT = ger("L", "0,0", ma=12), ger("M", "0,0", "motorized_infantry", ma=12)

TERRAIN = (
    ("clear", "clear", 1, 1),
    ("marsh", "marsh", 1.5, 3),
    ("village", "village", 1, 1),
    ("town", "town", 1, 1),
    ("light_forest", "lforest", 1, 3),
    ("dense_forest", "dforest", 1.5, 4),
)


@pytest.mark.parametrize(
    ("terrain", "leg", "mot"),
    [pytest.param(t, a, b, marks=pytest.mark.rule("bug41", f"PA-TEC.{r}.move")) for t, r, a, b in TERRAIN],
)
def test_cost_of_terrain(terrain: str, leg: float, mot: float) -> None:
    ring = {"1,0": terrain, "1,-1": "dense_forest", "0,1": "dense_forest"}
    assert cost(LEG, board(terrain=ring)) == leg
    assert cost(MOT, board(terrain=ring)) == mot


@pytest.mark.parametrize(
    ("ground", "mot"),
    [
        pytest.param("clear", 2, marks=pytest.mark.rule("bug41", "PA-TEC.pillc.move")),
        pytest.param("light_forest", 3, marks=pytest.mark.rule("bug41", "PA-TEC.pillf.move")),
    ],
)
def test_cost_of_a_pillbox_hex_until_germans_stand_in_it(ground: str, mot: float) -> None:
    on = board(terrain={"1,0": ground}, pillboxes=["1,0"])
    assert (cost(LEG, on), cost(MOT, on)) == (1, mot)
    alone = ger("F", "1,0", "afv")
    assert cost(MOT, on, "1,0", 0, alone) == (1 if ground == "clear" else 3)
    g = pos(MOT, alone, on=on, pillbox_cost="always")
    assert ways_of(g, Group((u(g, "M"),))).cost[h(g, "1,0")] == mot * 2


@pytest.mark.parametrize(
    ("kind", "mot"),
    [
        pytest.param("road", 0.5, marks=pytest.mark.rule("bug41", "PA-TEC.road.move", "PA-road.1")),
        pytest.param("railway", 1, marks=pytest.mark.rule("bug41", "PA-TEC.rail.move", "PA-road.4")),
    ],
)
def test_cost_of_a_road(kind: str, mot: float) -> None:
    on = board(terrain={"1,0": "dense_forest"}, roads=[(kind, "0,0 1,0")])
    assert (cost(LEG, on), cost(MOT, on)) == (1, mot)


@pytest.mark.rule("bug41", "PA-road.2")
def test_a_road_ignores_hex_and_hexside() -> None:
    on = board(terrain={"1,0": "marsh"}, sides={"0,0|1,0": "stream"}, roads=[("road", "0,0 1,0")])
    assert (cost(LEG, on), cost(MOT, on)) == (1, 0.5)


@pytest.mark.rule("bug41", "PA-road.3", "PA-TEC.g")
def test_no_road_rate_into_or_out_of_a_zone() -> None:
    on = board(terrain={"1,0": "light_forest"}, roads=[("road", "-1,0 0,0 1,0 2,0")])
    assert cost(MOT, on, "1,0", 0, sov("S", "2,-1")) == 3, "into the zone"
    assert cost(MOT, on, "-1,0", 0, sov("S", "1,-1")) == 1, "out of it, clear ground"
    assert cost(ger("M", "-1,0", "motorized_infantry"), on, "0,0", 0, sov("S", "2,-1")) == 0.5, "not yet in it"


@pytest.mark.rule("bug41", "PA-TEC.bstream.move", "PA-TEC.bbug.move")
@pytest.mark.parametrize("water", ["stream", "bug"])
def test_bridges_cost_what_the_hex_costs(water: str) -> None:
    on = board(terrain={"1,0": "town"}, sides={"0,0|1,0": water})
    assert (cost(LEG, on), cost(MOT, on)) == (1, 1)


@pytest.mark.rule("bug41", "PA-TEC.stream.move", "RX-7.3.7")
def test_streams() -> None:
    around = {"0,0|1,0": "stream", "0,0|1,-1": "stream", "0,0|0,1": "stream", "1,-1|1,0": "stream", "0,1|1,0": "stream"}
    on = board(sides={**around, "2,-1|1,0": "stream", "2,0|1,0": "stream", "1,1|1,0": "stream"})
    assert cost(LEG, on) == 2
    g = pos(MOT, on=on)
    ways = ways_of(g, Group((u(g, "M"),)))
    assert ways.cost[h(g, "1,0")] == 24, "all points"
    assert ways.stops(h(g, "1,0"))
    g = pos(ger("M", "-1,0", "motorized_infantry", ma=12), on=on)
    assert h(g, "1,0") not in ways_of(g, Group((u(g, "M"),))).spent, "only from a start beside it"


@pytest.mark.rule("bug41", "PA-TEC.lake.move")
def test_lakes_stop_everybody() -> None:
    ring = {f"{a}|1,0": "lake" for a in ("0,0", "1,-1", "2,-1", "2,0", "1,1", "0,1")}
    assert cost(LEG, board(sides=ring), boats=2) is None
    assert cost(MOT, board(sides=ring)) is None


# --- boats -----------------------------------------------------------------------------------------------------------

BANK = {"0,0|1,0": "bug", "0,0|1,-1": "bug", "0,1|1,0": "bug", "-1,1|0,1": "bug", "0,-1|1,-1": "bug"}


@pytest.mark.rule("bug41", "PA-TEC.bug.move", "PA-TEC.e1")
def test_german_leg_units_cross_the_bug_by_boat() -> None:
    on = board(sides={f"{a}|1,0": "bug" for a in ("0,0", "1,-1", "2,-1", "2,0", "1,1", "0,1")})
    assert cost(LEG, on) is None, "without boats"
    assert cost(LEG, on, boats=1) == 2
    assert cost(MOT, on, boats=2) is None
    assert cost(sov("S", "0,0"), on, boats=2) is None


@pytest.mark.rule("bug41", "PA-TEC.e2")
def test_two_boats_in_an_activation() -> None:
    grid = board().grid
    islands = ("3,0", "3,-3", "0,-3")
    shores = {"|".join((n, i)): "bug" for i in islands for n in grid.names(grid.around[grid.hex(i)])}
    g = act(pos(ger("A", "2,0"), ger("B", "2,-2"), ger("C", "-1,-2"), FAR, on=board(sides=shores)))
    do(g, "move A", "to 3,0", "move B", "to 3,-3", "move C")
    assert refusal(g, "to 0,-3").rule == "PA-TEC.bug.move"
    assert g.stack[-2].boats == 0  # type: ignore[attr-defined]


@pytest.mark.rule("bug41", "PA-TEC.e3")
def test_a_boat_must_be_reached_before_the_move() -> None:
    on = board(sides={f"{a}|1,0": "bug" for a in ("0,0", "1,-1", "2,-1", "2,0", "1,1", "0,1")})
    assert cost(ger("L", "-1,0", ma=12), on, boats=2) is None


@pytest.mark.rule("bug41", "RX-7.3.8")
def test_after_the_crossing_the_move_goes_on() -> None:
    on = board(sides=BANK)
    g = act(pos(LEG, FAR, on=on))
    do(g, "move L", "to 3,0")
    assert at(g, "L") == "3,0"
    assert any("by boat" in t for t in told(g))


def test_a_stack_with_wheels_has_no_boat_and_each_leg_unit_takes_one() -> None:
    ring = {f"{a}|1,0": "bug" for a in ("0,0", "1,-1", "2,-1", "2,0", "1,1", "0,1")}
    g = pos(LEG, MOT, ger("G", "0,0", "engineer"), on=board(sides=ring))
    for names, boats, expected in ((("L", "M"), 2, False), (("L", "G"), 2, True), (("L", "G"), 1, False)):
        ways = ways_of(g, Group(tuple(u(g, n) for n in names), boats=boats))
        assert (h(g, "1,0") in ways.spent) == expected


# --- allowances ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("bug41", "PA-TEC.leg2")
def test_leg_units_away_from_enemies_have_two_points_more() -> None:
    g = pos(ger("L", "-3,0", ma=4), ger("M", "-3,1", "motorized_infantry", ma=4), FAR)
    reach = {n: max(c for c in ways_of(g, Group((u(g, n),))).cost.values()) for n in "LM"}
    assert reach == {"L": 12, "M": 8}
    g = pos(ger("L", "-3,0", ma=4), hq("HQ", "3,0", "215MD"), sov("S", "6,-6"))
    assert h(g, "2,0") not in ways_of(g, Group((u(g, "L"),))).spent, "five hexes, the last next to an HQ"
    assert h(g, "2,-2") in ways_of(g, Group((u(g, "L"),))).spent, "five hexes, never next to it"
    g = pos(ger("L", "-3,0", ma=4), hq("HQ", "-2,0", "215MD"))
    assert max(ways_of(g, Group((u(g, "L"),))).cost.values()) == 8, "next to an enemy at the start"
    g = pos(ger("L", "-3,0", ma=4), hq("HQ", "-2,0", "215MD"), leg_bonus_hq="hq_ignored")
    assert max(ways_of(g, Group((u(g, "L"),))).cost.values()) == 12


@pytest.mark.rule("bug41", "RX-7.3.1")
def test_a_stack_pays_its_own_costs_on_one_way() -> None:
    """A leg unit with 3 points and a motorized one with 5 reach what both can pay for: a road through the forest."""
    wood = {f"{q},{r}": "dense_forest" for q in range(1, 5) for r in range(-4, 4) if abs(q + r) < 6}
    on = board(terrain=wood, roads=[("road", "0,0 1,0 2,0 3,0 4,0")])
    both = (ger("L", "0,0", ma=3), ger("M", "0,0", "motorized_infantry", ma=5))
    g = pos(*both, sov("S", "-2,3"), on=on, mixed_stacks="slowest")
    assert len(ways_of(g, Group((u(g, "L"), u(g, "M")))).spent[h(g, "1,0")]) == 1
    g = pos(*both, sov("S", "-6,6"), on=on)
    spent = ways_of(g, Group((u(g, "L"), u(g, "M")))).spent
    assert spent[h(g, "4,0")] == (8, 4), "four points on foot with the bonus, two on wheels"
    assert h(g, "3,-2") not in spent, "eight points of dense forest are too many for the wheels"


@pytest.mark.rule("bug41", "RX-7.3.1")
def test_a_move_leads_to_another_hex() -> None:
    g = do(act(pos(ger("A", "0,0"), FAR)), "move A")
    assert refusal(g, "to 0,0").rule == "RX-7.3.1"
    assert refusal(g, "to 0,0").reason == "A stands in 0,0"


@pytest.mark.rule("bug41", "RX-7.3.2")
def test_one_hex_can_always_be_entered() -> None:
    g = pos(ger("M", "0,0", "motorized_infantry", ma=2), FAR, on=board(terrain={"1,0": "dense_forest"}))
    ways = ways_of(g, Group((u(g, "M"),)))
    assert ways.cost[h(g, "1,0")] == 4
    assert ways.stops(h(g, "1,0"))
    act(g)
    do(g, "move M", "to 1,0")
    assert at(g, "M") == "1,0"
    assert refusal(g, "move M").rule == "RX-6.3"


@pytest.mark.rule("bug41", "PA-AP.move", "RX-6.3")
def test_a_movement_action_costs_one_point_for_a_whole_stack_once() -> None:
    g = act(pos(ger("A", "0,0"), ger("B", "0,0", "afv"), ger("C", "2,0"), FAR))
    do(g, "move A B", "to 0,2")
    assert points(g) == 6
    assert (at(g, "A"), at(g, "B")) == ("0,2", "0,2")
    assert refusal(g, "move A").reason == "A has moved in this activation"
    assert refusal(g, "move A C").reason.startswith("an Action is")
    do(g, "move C", "stay")
    assert points(g) == 6, "nothing is spent on a move that was not made"


def test_a_move_in_steps_is_one_action() -> None:
    g = act(pos(ger("A", "0,0"), FAR))
    do(g, "move A", "step 1,0", "step 1,1")
    assert "stay" not in texts(g)
    assert "step 1,2" in texts(g)
    do(g, "halt")
    assert at(g, "A") == "1,1"
    assert points(g) == 6


def test_bonus_points_of_steps_are_lost_next_to_an_enemy() -> None:
    g = act(pos(ger("A", "0,0", ma=2), sov("S", "4,0"), levels={"215MD": 0}))
    do(g, "move A", "step 1,0", "step 2,0")
    assert "to 3,0" not in texts(g), "three points: only with the bonus, and next to the enemy there is none"
    assert "to 2,1" in texts(g)


# --- zones -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("bug41", "RX-5.3")
def test_a_zone_stops_and_is_left_for_free_ground() -> None:
    g = pos(ger("A", "0,0", "afv", ma=10), sov("S", "2,0"))
    ways = ways_of(g, Group((u(g, "A"),)))
    assert ways.stops(h(g, "1,0"))
    assert h(g, "3,0") in ways.spent, "round it, not through it"
    assert len(ways.path(h(g, "3,0"))) == 6
    g = pos(ger("A", "1,0", "afv", ma=10), sov("S", "2,0"))
    ways = ways_of(g, Group((u(g, "A"),)))
    assert ways.spent[h(g, "0,0")] == (2,)
    assert ways.path(h(g, "1,1"))[0] not in (h(g, "1,1"),), "from zone to zone only by free hexes"
    act(g)
    do(g, "move A")
    assert refusal(g, "step 1,1").rule == "PA-infil.1"


@pytest.mark.rule("bug41", "RX-7.3.6")
def test_enemy_units_bar_the_way_and_an_hq_alone_does_not() -> None:
    villages = {"2,0": "village", "4,0": "village", "4,-2": "village", "-5,5": "village"}
    g = act(pos(ger("A", "0,0"), sov("S", "5,-5", steps=1), hq("HQ", "2,0", "215MD"), on=board(terrain=villages)))
    do(g, "move A", "to 2,0")
    assert "displace HQ 4,0" in texts(g)
    assert "displace HQ 4,-2" in texts(g), "the nearest are chosen among by the owner"
    assert len(texts(g)) == 2
    do(g, "displace HQ 4,-2")
    assert (at(g, "A"), at(g, "HQ")) == ("2,0", "4,-2")
    assert g.levels[g.forces.commands.index("215MD")] == 3
    g = do(act(pos(ger("A", "0,0"), sov("S", "2,0"))), "move A")
    assert refusal(g, "to 2,0").rule == "RX-7.3.6"


@pytest.mark.rule("bug41", "PA-disruption.1")
def test_disrupted_units_stay() -> None:
    g = act(pos(ger("A", "0,0", status="disrupted"), FAR))
    assert refusal(g, "move A").rule == "PA-disruption.1"


# --- marsh -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("bug41", "PA-TEC.a")
def test_armor_checks_in_marsh_off_the_road() -> None:
    marsh = board(terrain={"1,0": "marsh"})
    units = (ger("T", "0,0", "afv", effectiveness=6), FAR)
    g = do(act(pos(*units, on=marsh)), "move T", "to 1,0", dice=[7])
    assert g.is_disrupted(u(g, "T"))
    assert at(g, "T") == "1,0"
    g = do(act(pos(*units, on=marsh)), "move T", "to 1,0", dice=[6])
    assert not g.is_disrupted(u(g, "T"))
    g = do(act(pos(*units, on=board(terrain={"1,0": "marsh"}, roads=[("railway", "0,0 1,0")]))), "move T", "to 1,0")
    assert at(g, "T") == "1,0", "along the railway nobody checks"
    g = do(act(pos(ger("M", "0,0", "motorized_infantry"), FAR, on=marsh)), "move M", "to 1,0")
    assert at(g, "M") == "1,0", "only AFV units check"


def test_a_failed_marsh_check_ends_the_move_of_the_stack() -> None:
    wet = board(terrain={f"1,{r}": "marsh" for r in range(-6, 6)})
    units = (ger("T", "0,0", "afv"), ger("V", "0,0", "afv"), FAR)
    g = do(act(pos(*units, on=wet)), "move T V", "to 2,0", dice=[10, 1])
    assert (at(g, "T"), at(g, "V")) == ("1,0", "1,0")
    assert [g.is_disrupted(u(g, n)) for n in "TV"] == [True, False]
    g = do(act(pos(*units, on=wet)), "move T V", "to 2,0", dice=[2, 1])
    assert (at(g, "T"), at(g, "V")) == ("2,0", "2,0")


def test_marsh_along_a_road_whose_rate_a_zone_bars() -> None:
    on = board(terrain={"1,0": "marsh"}, roads=[("road", "0,0 1,0")])
    units = (ger("T", "0,0", "afv"), sov("S", "2,0"))
    g = do(act(pos(*units, on=on, levels={"215MD": 0})), "move T", "to 1,0")
    assert not g.is_disrupted(u(g, "T"))
    g = act(pos(*units, on=on, levels={"215MD": 0}, marsh_on_road="check"))
    do(g, "move T", "to 1,0", dice=[10])
    assert g.is_disrupted(u(g, "T"))


# --- infiltration ----------------------------------------------------------------------------------------------------


def front(**options: str) -> Board:
    units = (ger("A", "0,0"), ger("B", "0,0", "afv"), sov("S", "1,-1"), sov("T", "1,1"))
    return act(pos(*units, levels={"215MD": 0}, **options))


@pytest.mark.rule("bug41", "PA-infil.1", "PA-infil.2", "PA-infil.3", "PA-infil.4", "PA-infil.5")
def test_infiltration() -> None:
    g = do(front(), "move A B")
    assert isinstance(g.stack[-1], Move)
    assert refusal(g, "to 1,0").rule == "PA-infil.1"
    assert "infiltrate 1,0" in texts(g)
    assert "infiltrate -1,0" not in texts(g)
    do(g, "infiltrate 1,0", dice=[7, 6])
    assert (at(g, "A"), at(g, "B")) == ("0,0", "1,0")
    assert g.is_disrupted(u(g, "A"))
    assert points(g) == 6
    assert refusal(g, "move B").reason.endswith("has moved in this activation"), "the whole allowance is spent"
    g = do(front(), "move A", "infiltrate 1,0", dice=[10])
    assert at(g, "A") == "0,0"
    assert points(g) == 6


def test_infiltration_does_not_cross_the_bug() -> None:
    river = {f"{a}|1,0": "bug" for a in ("0,0", "0,1")}
    for reading, ok in (("no", False), ("yes", True)):
        units = (ger("A", "0,0"), sov("S", "1,-1"), sov("T", "2,0"))
        g = do(act(pos(*units, on=board(sides=river), boats_in_infiltration=reading)), "move A")
        assert ("infiltrate 1,0" in texts(g)) == ok


@pytest.mark.rule("bug41", "PA-TEC.a")
@pytest.mark.parametrize("road", [True, False])
def test_marsh_without_room_is_passed_along_a_road_only(road: bool) -> None:
    """Whoever needs no check does not have to stop there; whoever might fail does, and finds no room."""
    on = board(terrain={"1,0": "marsh"}, roads=[("road", "0,0 1,0 2,0")] if road else [])
    full = [ger("A", "1,0"), ger("B", "1,0", "anti_tank"), ger("C", "1,0", "anti_tank")]
    g = pos(ger("T", "0,0", "afv"), *full, on=on)
    ways = ways_of(g, Group((u(g, "T"),)))
    assert (h(g, "1,0") in ways.spent) == road
    assert (len(ways.path(h(g, "2,0"))) == 2) == road
