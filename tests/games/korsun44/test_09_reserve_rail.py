"""9.5-9.8 Rail, reserves, night withdrawal; 7.0 reinforcements."""

from __future__ import annotations

from typing import Any

import pytest

from kessel.core.dice import Dice
from kessel.core.hexset import members
from kessel.core.procedure import options
from kessel.games.korsun44.board import (
    BACK,
    BROKE_THROUGH,
    DESTROYED,
    DISORGANIZED,
    ENTERED,
    FACING,
    GERMAN,
    MINES,
    MOVED,
    NO_FIRE_1,
    RAIL_CUT,
    REGROUP,
    RESERVE,
    SOVIET,
    WAITING,
    Board,
)
from kessel.games.korsun44.combat.phase import CombatPhase
from kessel.games.korsun44.data.scenario import Arrival
from kessel.games.korsun44.movement.allowance import allowance
from kessel.games.korsun44.movement.phase import MovementPhase
from kessel.games.korsun44.movement.rail import go_by_rail, terminals_from, why_not_rail_to
from kessel.games.korsun44.movement.reserve import (
    NightWithdrawal,
    ReserveMovement,
    why_not_withdraw,
    why_not_withdraw_to,
)
from kessel.games.korsun44.movement.zones import zoc_of
from kessel.games.korsun44.turn.reinforcements import ReinforcementSegment, edge_hexes, entry_hexes

from .helpers import PACK, TITLE, board, choices, h, moving, names, play, position, refused, start, u, unit
from .supply_helpers import supply_board

REGIMENT, DIVISION, TANKS = "245.88ID", "180.27A", "II-2.16Pz"

# --- 9.6, 9.7 ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "9.6a", "9.6.1", "9.6.2", "3.2.E3A")
def test_who_may_be_placed_in_reserve() -> None:
    g = position(
        unit(REGIMENT, "0,0"), unit("246.88ID", "2,0", status="OOS1"), unit("248.88ID", "-3,0"), unit(DIVISION, "-4,0"),
        phase="german_movement",
    )  # fmt: skip
    assert "next to an enemy" in refused(g, "reserve 248.88ID").reason
    assert "out of supply" in refused(g, "reserve 246.88ID").reason
    play(g, f"reserve {REGIMENT}")
    assert refused(moving(g), f"move {REGIMENT}").rule == "9.6"


@pytest.mark.rule("korsun44", "9.7a", "9.7b", "9.6.3", "9.7c", "3.2.E4E")
def test_reserves_move_in_the_combat_phase_with_less_points() -> None:
    g = position(unit(REGIMENT, "0,0", status="reserve"), unit(TANKS, "3,0", status="reserve"), unit(DIVISION, "0,3"))
    assert allowance(g, u(g, REGIMENT), reserve=True).total == 4
    assert allowance(g, u(g, TANKS), reserve=True).total == 10
    start(g, CombatPhase(GERMAN))
    play(g, f"move {REGIMENT}")
    assert refused(g, "strategic").rule == "9.6"
    play(g, "to 0,2", "halt", "pass")
    assert not g.status[u(g, TANKS)] & RESERVE


@pytest.mark.rule("korsun44", "9.7c")
def test_the_marker_stays_on_those_that_come_next_to_the_enemy() -> None:
    g = position(unit(REGIMENT, "0,0", status="reserve"), unit(TANKS, "3,0", status="reserve"), unit(DIVISION, "0,2"))
    start(g, ReserveMovement(GERMAN))
    play(g, f"move {REGIMENT}", "to 0,1")
    while g.stack and "halt" in choices(g):
        play(g, "halt")
    if g.stack:
        play(g, "pass")
    assert g.status[u(g, REGIMENT)] & RESERVE
    assert not g.status[u(g, TANKS)] & RESERVE


@pytest.mark.rule("korsun44", "9.7a", "4.7.1.6a")
def test_an_extended_division_goes_into_reserve_and_moves_with_both_counters() -> None:
    g = position(unit(DIVISION, "0,0"), unit("180x.27A", "0,1"), phase="soviet_movement")
    play(g, f"reserve {DIVISION}")
    assert g.status[u(g, "180x.27A")] & RESERVE
    start(g, ReserveMovement(SOVIET))
    play(g, f"move {DIVISION}", "to 1,0", "to 1,1", "to 0,2", "to -1,2")  # round its marker
    assert not [c for c in choices(g) if c.startswith("to ")]  # four points of five in reserve


# --- 9.8 -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "9.8a", "9.8b", "9.8c", "3.2.F4A")
def test_german_armor_steps_back_one_hex_whatever_it_costs() -> None:
    g = position(unit(TANKS, "0,0"), unit(REGIMENT, "2,2"), unit(DIVISION, "0,-1"), ground="Mud")
    start(g, NightWithdrawal(GERMAN))
    assert all(c.startswith(f"withdraw {TANKS}") for c in choices(g)[1:])
    assert "ZOC or ZOI" in refused(g, f"withdraw {TANKS} 1,-1").reason
    play(g, f"withdraw {TANKS} 0,1")
    assert g.place[u(g, TANKS)] == h(g, "0,1")


@pytest.mark.rule("korsun44", "9.8a", "13.2.4a", "15.2b")
def test_a_withdrawal_is_a_move_for_sdms_and_bridges() -> None:
    on = board(sides={"0,0|0,1": "stream"}, roads=[("secondary", "0,0 0,1"), ("secondary", "1,1 2,1 3,1 4,1")])
    on["hexes"]["4,1"] |= {"features": ["soviet_source"], "facts": {"source": "27A"}}
    g = position(unit(TANKS, "0,0"), unit("SDM1.27A", "1,1", sp=2), on=on, bridges={"0,0|0,1": {"owner": "soviet"}})
    start(g, NightWithdrawal(GERMAN))
    play(g, f"withdraw {TANKS} 0,1")
    assert g.bridge_owner[0] == GERMAN
    assert {"displace SDM1.27A 2,1", "displace SDM1.27A 3,1"} == set(choices(g))


@pytest.mark.rule("korsun44", "9.8d", "9.8e", "9.8f", "12.17.2.10")
def test_what_a_withdrawal_may_not_do() -> None:
    on = board(terrain={"0,1": "forest"})
    full = [unit(n, "1,0") for n in (REGIMENT, "246.88ID", "Fus.88ID")]
    g = position(unit("StuG239.42K", "0,0"), *full, on=on)
    stug = u(g, "StuG239.42K")
    for to, rule in (("0,1", "9.2.3"), ("1,0", "11.0"), ("0,2", "9.8")):
        found = why_not_withdraw_to(g, stug, h(g, to))
        assert found is not None
        assert found.rule == rule
    for flag, rule in ((BROKE_THROUGH, "9.8"), (DISORGANIZED, "12.17.2")):
        g.set_status(stug, flag)
        found = why_not_withdraw(g, stug)
        assert found is not None
        assert found.rule == rule
        g.set_status(stug, flag, on=False)
    assert why_not_withdraw(g, u(g, REGIMENT)) is not None


def by_the_bridge(*units: dict[str, Any], **fields: Any) -> Board:
    """A bridge of the Soviets at 0,0|1,0, and an engineer of theirs behind it."""
    on = board(sides={"0,0|1,0": "river"}, roads=[("primary", "-1,0 0,0 1,0 2,0")])
    g = position(unit("Eng.27A", "3,0"), *units, on=on, phase="german_combat", **fields)
    for i in g.bridge_of(g.map.grid.hexside(h(g, "0,0"), h(g, "1,0"))):
        g.bridge_owner[i] = SOVIET
    return start(g, NightWithdrawal(GERMAN))


@pytest.mark.rule("korsun44", "9.8a", "15.2b", "15.2.1.1b")
def test_a_withdrawal_over_a_bridge_takes_it_and_the_other_side_may_blow_what_it_holds() -> None:
    g = by_the_bridge(unit(TANKS, "1,0"))
    (bridge,) = g.bridge_of(g.map.grid.hexside(h(g, "0,0"), h(g, "1,0")))
    play(g, f"withdraw {TANKS} 0,0")
    assert g.bridge_owner[bridge] == GERMAN
    g = by_the_bridge(unit(TANKS, "0,1"))
    play(g, f"withdraw {TANKS} 0,0")
    assert choices(g) == ["pass", "destroy 0,0|1,0"], "they came to a Soviet bridge"
    play(g, "destroy 0,0|1,0", dice=[5])
    assert g.bridge_state[bridge] == DESTROYED


@pytest.mark.rule("korsun44", "9.8a", "15.3.2.m1a", "13.2.4a")
@pytest.mark.parametrize(("die", "lost"), [(3, 1), (4, 0)])
def test_a_withdrawal_over_mines_may_cost_a_step_and_drives_sdms_away(die: int, lost: int) -> None:
    on = supply_board(5, sources={"0,5": "27A"}, roads=(("secondary", "0,1 0,2 0,3 0,4 0,5"),))
    g = position(unit(TANKS, "0,-1"), unit("SDM1.27A", "0,1"), on=on, phase="german_combat")
    g.set_works(h(g, "0,0"), MINES | 5 << FACING)
    full = g.steps[u(g, TANKS)]
    play(start(g, NightWithdrawal(GERMAN)), f"withdraw {TANKS} 0,0", dice=[die])
    assert g.steps[u(g, TANKS)] == full - lost
    assert {c for c in choices(g) if c.startswith("displace")} == {"displace SDM1.27A 0,2", "displace SDM1.27A 0,3"}


@pytest.mark.rule("korsun44", "11.1.2a", "9.7c")
def test_reserves_that_would_be_overstacked_are_told_in_time() -> None:
    there = [unit(n, "2,0") for n in (REGIMENT, "246.88ID", "Fus.88ID")]
    g = position(unit("248.88ID", "0,0", status="reserve"), *there, phase="german_combat")
    start(g, ReserveMovement(GERMAN))
    assert "overstacked" not in options(g).prompt
    g = position(
        unit("248.88ID", "0,0", status="reserve"), unit("Pio.88ID", "1,0", status="reserve"), *there,
        phase="german_combat",
    )  # fmt: skip
    play(start(g, ReserveMovement(GERMAN)), "move 248.88ID", "to 2,0", "halt")
    assert "2,0 is overstacked (11.0: 4 units would be in 2,0; 3 may)" in options(g).prompt


# --- 7.0 reinforcements --------------------------------------------------------------------------------------------


def campaign(turn: int) -> Board:
    g = TITLE.new(PACK, "campaign", {}, Dice(1))
    assert isinstance(g, Board)
    g.set_track("turn", turn)
    return g


def first_arrival(g: Board, side: int, *, rail: bool = False) -> Arrival:
    return next(a for a in g.scenario.arrivals if a.side == side and not a.option and a.rail == rail and a.units)


@pytest.mark.rule("korsun44", "7.0", "7.0b", "7.1a", "7.1.c2", "7.1.c3", "7.1.c7", "3.2.F2B")
def test_reinforcements_are_placed_on_the_edge_near_their_hex_on_their_turn_or_later() -> None:
    a = first_arrival(campaign(1), GERMAN)
    for turn, may in ((a.turn - 1, False), (a.turn, True), (a.turn + 2, True)):
        g = campaign(turn)
        start(g, ReinforcementSegment(GERMAN))
        found = [c for c in choices(g) if c.startswith(f"enter {g.id(a.units[0][0])} ")]
        assert bool(found) == may
    g = campaign(a.turn)
    unit_, steps = a.units[0]
    assert g.box[unit_] == WAITING
    start(g, ReinforcementSegment(GERMAN))
    hexes = {c.split()[2] for c in choices(g) if c.startswith(f"enter {g.id(unit_)} ")}
    assert all(g.map.grid.distance(g.map.grid.hex(x), a.hex) <= 2 for x in hexes)
    assert all(edge_hexes(g) >> g.map.grid.hex(x) & 1 for x in hexes)
    play(g, f"enter {g.id(unit_)} {g.hex_name(a.hex)}")
    assert g.place[unit_] == a.hex
    assert g.steps[unit_] == steps
    assert g.status[unit_] & ENTERED
    assert not g.status[unit_] & BACK


@pytest.mark.rule("korsun44", "7.1b", "7.1.c1")
def test_entrants_may_be_piled_up_and_move_as_they_like() -> None:
    a = first_arrival(campaign(1), GERMAN)
    g = campaign(a.turn)
    start(g, ReinforcementSegment(GERMAN))
    for v, _ in a.units[:4]:
        play(g, f"enter {g.id(v)} {g.hex_name(a.hex)}")  # four in a hex: it counts when they have moved
    start(g, MovementPhase(GERMAN))
    play(moving(g), f"move {g.id(a.units[0][0])}")
    assert "strategic" in choices(g)
    assert [c for c in choices(g) if c.startswith("to ")]


@pytest.mark.rule("korsun44", "7.1.c4")
def test_nobody_enters_in_an_enemy_zoc() -> None:
    a = first_arrival(campaign(1), GERMAN)
    g = campaign(a.turn)
    before = entry_hexes(g, GERMAN, a.hex)
    inside = next(x for x in g.map.grid.around[a.hex] if not edge_hexes(g) >> x & 1 and g.playable >> x & 1)
    division = next(v for v in g.on_the_map(SOVIET) if g.forces.full_steps[v] == 6)
    g.put(division, inside)
    after = entry_hexes(g, GERMAN, a.hex)
    assert after == before & ~zoc_of(g, SOVIET)
    assert after != before


@pytest.mark.rule("korsun44", "7.1.c4")
def test_a_blocked_entry_is_left_for_the_next_road_hex_of_the_edge() -> None:
    a = first_arrival(campaign(1), GERMAN)
    g = campaign(a.turn)
    blockers = [v for v in g.on_the_map(SOVIET) if g.forces.infantry_type[v]][:5]
    for v, x in zip(blockers, sorted(names(g, entry_hexes(g, GERMAN, a.hex))), strict=False):
        g.put(v, g.map.grid.hex(x))
    after = entry_hexes(g, GERMAN, a.hex)
    assert after
    for x in names(g, after):
        far = g.map.grid.hex(x)
        assert g.map.grid.distance(far, a.hex) > 2
        assert edge_hexes(g) & g.ground.on_road & 1 << far
        assert not g.hexes_of(SOVIET) >> far & 1


@pytest.mark.rule("korsun44", "9.5a", "9.5b", "9.5c", "9.5.2", "9.5.4")
def test_rail_movement_goes_to_any_terminal_on_the_open_line() -> None:
    a = first_arrival(campaign(1), GERMAN, rail=True)
    g = campaign(a.turn)
    tanks = a.units[0][0]
    g.put(tanks, a.hex)
    g.set_status(tanks, ENTERED)
    ends = terminals_from(g, a.hex)
    assert ends
    start(g, MovementPhase(GERMAN))
    moving(g)
    end = next(iter(sorted(names(g, ends))))
    assert f"rail {g.id(tanks)} {end}" in choices(g)
    assert f"move {g.id(tanks)}" in choices(g)
    play(g, f"rail {g.id(tanks)} {end}")
    assert g.status[tanks] & MOVED
    assert g.track("rail_used") == 1
    other = next(v for v in g.on_the_map(GERMAN) if not g.status[v] & ENTERED)
    assert refused(g, f"rail {g.id(other)} {end}").rule == "9.5"


@pytest.mark.rule("korsun44", "9.5.1a", "9.5.3")
def test_five_units_a_turn_and_one_hex_beside_the_terminal() -> None:
    a = first_arrival(campaign(1), GERMAN, rail=True)
    g = campaign(a.turn)
    units = [v for v, _ in a.units]
    for v in units:
        g.put(v, a.hex)
        g.set_status(v, ENTERED)
    start(g, MovementPhase(GERMAN))
    moving(g)
    beside = [c for c in choices(g) if c.startswith("rail") and not g.ground.terminals >> h(g, c.split()[2]) & 1]
    assert beside
    for n in range(5):
        play(g, next(c for c in choices(g) if c.startswith(f"rail {g.id(units[n])} ")))
    assert not [c for c in choices(g) if c.startswith("rail")]
    guns = [v for v in units[:5] if g.forces.artillery[v] or g.forces.engineer[v]]
    assert all(g.status[v] & REGROUP for v in guns)


@pytest.mark.rule("korsun44", "9.5.1b", "7.1.c6")
def test_an_sdm_enters_by_road_or_into_a_terminal_and_counts_for_nothing() -> None:
    g = campaign(1)
    a = next(x for x in g.scenario.arrivals if x.sdms and x.rail)
    g = campaign(a.turn)
    sdm = a.sdms[0]
    start(g, ReinforcementSegment(GERMAN))
    hexes = {c.split()[2] for c in choices(g) if c.startswith(f"enter {g.id(sdm)} ")}
    assert names(g, terminals_from(g, a.hex)) <= hexes
    assert all(g.ground.on_road >> h(g, x) & 1 or g.ground.terminals >> h(g, x) & 1 for x in hexes)
    end = next(iter(sorted(names(g, terminals_from(g, a.hex)))))
    play(g, f"enter {g.id(sdm)} {end}")
    assert g.hex_name(g.sdm_at[sdm]) == end
    assert g.track("rail_used") == 0


@pytest.mark.rule("korsun44", "9.5c", "9.2.2b")
def test_a_cut_or_a_blown_bridge_closes_the_line() -> None:
    a = first_arrival(campaign(1), GERMAN, rail=True)
    g = campaign(a.turn)
    before = terminals_from(g, a.hex)
    next_hex = next(x for d, x in enumerate(g.map.grid.neighbours[a.hex]) if g.ground.railroad[d] >> a.hex & 1)
    g.set_works(next_hex, RAIL_CUT)
    assert terminals_from(g, a.hex) & before != before


@pytest.mark.rule("korsun44", "9.10.3b", "9.5a")
def test_a_gun_that_came_by_rail_may_not_fire() -> None:
    g = position(unit("I-62.7K", "0,0"), unit("Art188.88ID", "0,1"))
    for name, silent in (("I-62.7K", True), ("Art188.88ID", False)):
        go_by_rail(g, u(g, name), h(g, "3,0"))
        assert bool(g.status[u(g, name)] & NO_FIRE_1) == silent
        assert g.status[u(g, name)] & REGROUP


@pytest.mark.rule("korsun44", "9.5.3", "9.5.4")
def test_beside_a_terminal_the_enemy_must_be_three_hexes_away() -> None:
    a = first_arrival(campaign(1), GERMAN, rail=True)
    g = campaign(a.turn)
    tanks = a.units[0][0]
    g.put(tanks, a.hex)
    g.set_status(tanks, ENTERED)
    end = next(t for t in members(terminals_from(g, a.hex)) if len(g.map.grid.around[t]) == 6)
    soviet = next(v for v in g.on_the_map(SOVIET) if g.forces.infantry_type[v])
    far = next(
        x for x in g.map.grid.hexes if g.map.grid.distance(x, end) == 3 and g.playable >> x & 1 and not g.units(x)
    )
    g.put(soviet, far)
    assert terminals_from(g, a.hex) >> end & 1
    for x in g.map.grid.around[end]:
        why = why_not_rail_to(g, tanks, x)
        if g.map.grid.distance(x, far) < 3:
            assert why is not None
            assert why.rule == "9.4.2"
