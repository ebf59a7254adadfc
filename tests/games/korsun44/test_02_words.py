"""2.2, 2.8 What the words mean; statements of other chapters that come down to them."""

from __future__ import annotations

import pytest

from kessel.core.board import NOWHERE
from kessel.games.korsun44.board import (
    DISORGANIZED,
    GERMAN,
    GUEST,
    OUT,
    SOVIET,
    STEMMERMANN,
    Board,
)
from kessel.games.korsun44.combat.odds import armor_fire
from kessel.games.korsun44.combat.phase import end_of_combat
from kessel.games.korsun44.combat.retreat import retreat_paths, retreated
from kessel.games.korsun44.combat.shifts import standing_shifts
from kessel.games.korsun44.combat.support import is_supported
from kessel.games.korsun44.data.forces import ALARM
from kessel.games.korsun44.movement.allowance import allowance
from kessel.games.korsun44.movement.movement import reach_of, why_not_strategic
from kessel.games.korsun44.movement.phase import MovementPhase
from kessel.games.korsun44.movement.stacking import is_regiment
from kessel.games.korsun44.movement.zones import zone_of
from kessel.games.korsun44.supply.determination import determine, judged, length_to, supply_of
from kessel.games.korsun44.supply.korsun import cut_off, declare_korsun
from kessel.games.korsun44.supply.phases import Resupply

from .fights import D1, D2, FLAK, MECH, PZ4, R1, R2, T1, applied, battle, phase
from .helpers import board, choices, h, moving, play, position, start, told, u, unit
from .supply_helpers import row, supplied_by, supply_board, with_points

BRIGADE, SHERMAN = "2mech.5MC", "2M4.5MC"


@pytest.mark.rule("korsun44", "2.2a")
def test_two_sheets_are_one_map(campaign: Board) -> None:
    a, b = campaign.ground.sheet["map_a"], campaign.ground.sheet["map_b"]
    assert a.bit_count() > 500 < b.bit_count()
    assert not a & b
    assert campaign.playable == a | b
    joined = [x for x in campaign.map.grid.hexes if a >> x & 1 and campaign.map.grid.near[x] & b]
    assert len(joined) > 20, "units cross from one sheet to the other"


@pytest.mark.rule("korsun44", "2.8c", "2.8h")
def test_white_dots_attack_and_defend_black_ones_defend() -> None:
    g = position(unit(PZ4, "0,0"), unit(T1, "1,0"), unit(FLAK, "0,1"), unit(D1, "1,1"))
    assert armor_fire(g, battle(g, PZ4, on=("1,0",))).attack == 3
    assert armor_fire(g, battle(g, T1)).defence == 3
    assert armor_fire(g, battle(g, FLAK, on=("1,0",))).attack == 0, "black dots do not attack"
    assert armor_fire(g, battle(g, T1, on=("0,1",))).defence == 3, "they defend"
    assert "superiority" not in str(standing_shifts(g, battle(g, FLAK, on=("1,1",))))


@pytest.mark.rule("korsun44", "2.8g", "2.8l", "14.5.1b")
def test_gruppe_stemmermann_is_who_is_cut_off_when_korsun_is_declared() -> None:
    on = supply_board(8, sources={"-8,0": "1PzA"}, korsun="2,0", roads=(("secondary", row(-8, 4)),))
    ring = [unit(x, at) for x, at in zip((D1, D2, "337.27A"), ("4,0", "6,-1", "5,1"), strict=True)]
    g = position(unit(R1, "-3,0"), unit(R2, "5,0"), *ring, on=on, turn=5)
    declare_korsun(g)
    assert cut_off(g) == [u(g, R2)], "no path of any length leads from it to the edge"
    assert g.status[u(g, R2)] & STEMMERMANN
    assert not g.status[u(g, R1)] & STEMMERMANN


@pytest.mark.rule("korsun44", "2.8m", "9.9.4a")
def test_a_stack_is_several_units_in_a_hex() -> None:
    g = position(unit(R1, "0,0"), unit(R2, "0,0"), unit("248.88ID", "1,0"), phase="german_movement")
    play(moving(g), f"move {R1}")
    assert f"join {R2}" in choices(g)
    assert "join 248.88ID" not in choices(g)


@pytest.mark.rule("korsun44", "2.8n", "4.4a")
def test_a_step_is_a_loss_a_unit_can_take() -> None:
    g = position(unit(R1, "0,0", steps=2))
    g.lose_step(u(g, R1), "x")
    assert g.on_map(u(g, R1))
    g.lose_step(u(g, R1), "x")
    assert not g.on_map(u(g, R1))


@pytest.mark.rule("korsun44", "2.8o", "13.4.1b")
def test_range_is_counted_in_hexes_from_the_unit_to_its_sdm() -> None:
    on = supply_board(8, sources={"-8,0": "1PzA"}, roads=(("secondary", row(-8, 0)),))
    g = position(unit(R1, "6,0"), unit(R2, "7,0"), unit("SDM1.42K", "0,0"), on=on)
    assert length_to(g, u(g, R1), u(g, "SDM1.42K"), 99) == 6
    assert supply_of(g, u(g, R1))
    assert not supply_of(g, u(g, R2)), "German range on frozen ground is six"


@pytest.mark.rule("korsun44", "4.3.1b")
def test_icon_units_are_of_regiment_or_battalion_size(campaign: Board) -> None:
    f = campaign.forces
    icons = [v for v in range(len(f)) if (f.armor[v] or f.anti_armor[v]) and f.role[v] == 0]
    sizes = {f.counters[v].size for v in icons if not f.star[v]}
    assert sizes <= {"regiment", "battalion", "company", "brigade"}
    assert all(f.counters[v].size == "brigade" for v in icons if f.star[v])
    assert not any(is_regiment(campaign, v) for v in icons), "none is an infantry regiment of 11.0"


@pytest.mark.rule("korsun44", "4.5.5c")
def test_the_mechanized_brigades_have_superiority_but_no_combined_arms() -> None:
    g = position(unit(BRIGADE, "0,0"), unit(SHERMAN, "0,0"), unit(R1, "1,0"))
    shifts = str(standing_shifts(g, battle(g, BRIGADE, SHERMAN, on=("1,0",))))
    assert "combined arms" not in shifts
    assert "armor superiority, 1 to 0 white dots" in shifts


@pytest.mark.rule("korsun44", "4.8.2c")
def test_an_alarm_unit_is_always_in_supply() -> None:
    g = position(unit("Alarm1", "0,0"), unit(R1, "0,1"))
    determine(g, GERMAN)
    assert g.status[u(g, R1)] & OUT
    assert not g.status[u(g, "Alarm1")] & OUT
    assert all(g.forces.role[v] != ALARM for v in judged(g, GERMAN))


@pytest.mark.rule("korsun44", "9.4b")
def test_special_moves_of_the_combat_phase() -> None:
    """Reaction and night withdrawal of armor, breakthrough, reserves; each asked for in its segment."""
    g = position(unit(PZ4, "0,0", status=["reserve"]), unit(MECH, "0,1", status=["breakthrough"]), unit(D1, "-5,5"))
    phase(g, GERMAN)
    seen = []
    while g.stack:
        seen.append((type(g.stack[-1]).__name__, {c.split()[0] for c in choices(g)} - {"pass"}))
        play(g, "pass")
    assert ("Breakthrough", {"break"}) in seen
    assert ("ReserveMovement", {"move"}) in seen
    assert ("NightWithdrawal", {"withdraw"}) in seen
    phase(g, SOVIET)
    assert {c.split()[0] for c in choices(g)} == {"pass", "react"}


@pytest.mark.rule("korsun44", "9.9.5a")
def test_retreat_and_advance_cost_no_points() -> None:
    """A unit that has moved its whole allowance, or cannot move at all, still goes back and forward."""
    g = position(unit(R1, "0,0"), unit(D1, "1,0", status=["moved"]), unit(D2, "2,-1"), ground="Mud")
    applied(g, "-/1R", R1, on=("1,0",))
    while not any(c.startswith("retreat") for c in choices(g)):
        play(g, choices(g)[0])
    before = allowance(g, u(g, D1)).total
    play(g, next(c for c in choices(g) if c.startswith("retreat")))
    assert allowance(g, u(g, D1)).total == before
    play(g, f"advance {R1} 1,0")
    assert g.place[u(g, R1)] == h(g, "1,0")


@pytest.mark.rule("korsun44", "9.9.5b")
def test_no_combat_in_the_movement_phase_but_interception_and_alarm_units() -> None:
    g = position(unit(D1, "0,0"), unit(R1, "2,0"), unit("Alarm1", "0,2", status="alarm"), phase="soviet_movement")
    moving(g)
    assert not any(c.startswith(("attack", "combat")) for c in choices(g))
    play(g, f"move {D1}", "to 0,1")
    assert {c.split()[0] for c in choices(g)} == {"halt", "to", "attack_alarm"}
    assert isinstance(g.stack[0], MovementPhase)


@pytest.mark.rule("korsun44", "10.6.2.3")
def test_zones_do_not_cross_rivers_for_retreat() -> None:
    """The hex across the river from a division is as good as any, and costs no order."""
    on = board(sides={"0,1|1,1": "river", "0,1|0,2": "river"})
    g = position(unit(R1, "0,0"), unit(D1, "1,1"), on=on)
    assert not zone_of(g, SOVIET) >> h(g, "0,1") & 1
    paths = retreat_paths(g, u(g, R1), h(g, "0,0"), 1)
    assert (h(g, "0,1"),) in paths
    g.put(u(g, R1), h(g, "0,1"))
    retreated(g, u(g, R1), h(g, "0,0"), (h(g, "0,1"),))
    assert not g.status[u(g, R1)]


@pytest.mark.rule("korsun44", "10.6.3b", "10.6.3a")
def test_the_dnepr_is_the_edge(campaign: Board) -> None:
    water = [x for x in campaign.map.grid.hexes if campaign.ground.dnepr >> x & 1]
    assert water
    assert not campaign.playable & campaign.ground.dnepr
    shore = next(x for x in water if campaign.map.grid.near[x] & campaign.playable)
    land = next(n for n in campaign.map.grid.around[shore] if campaign.playable >> n & 1)
    v = next(v for v in campaign.on_the_map(GERMAN) if campaign.forces.infantry_type[v])
    campaign.put(v, land)
    assert not reach_of(campaign, v).hexes & campaign.ground.dnepr


@pytest.mark.rule("korsun44", "13.5.1e")
def test_oos1_takes_neither_superiority_nor_combined_arms() -> None:
    for status, dots in ((["OOS1"], 3), (["OOS2"], 2)):
        g = position(unit(PZ4, "0,0", status=status), unit(MECH, "0,0", status=status), unit(D1, "1,0"))
        shifts = str(standing_shifts(g, battle(g, PZ4, MECH, on=("1,0",), paid=())))
        assert "combined arms in 0,0" in shifts
        assert f"armor superiority, {dots} to 0" in shifts


@pytest.mark.rule("korsun44", "13.5.2a", "13.5.1a")
@pytest.mark.parametrize("status", ["OOS1", "OOS2"])
def test_oos2_is_no_better_than_oos1(status: str) -> None:
    g = position(
        unit(PZ4, "0,0", status=[status]), unit(D1, "1,0"), unit("Art188.88ID", "3,0", status=[status, "back"])
    )
    b = battle(g, PZ4, on=("1,0",))
    assert not is_supported(g, b, u(g, PZ4)), "no point helps it"
    why = why_not_strategic(g, u(g, PZ4))
    assert why is not None
    g = supplied_by(with_points(g, SDM1_42K=4), "SDM1.42K", "Art188.88ID")
    g.place_sdm(u(g, "SDM1.42K"), h(g, "3,0"))
    start(g, Resupply(GERMAN))
    assert not g.stack, "nor is its artillery resupplied"


@pytest.mark.rule("korsun44", "14.0", "14.3e")
def test_points_are_spent_only_where_their_owner_wants() -> None:
    """Artillery, combat, bridges, positions, mines: each question can be passed, and then nothing is spent."""
    g = position(unit("Art188.88ID", "0,0", status=["back"]), unit("SDM1.42K", "0,1"), unit(R1, "1,0"), unit(D1, "2,0"))
    supplied_by(with_points(g, SDM1_42K=4), "SDM1.42K", "Art188.88ID", R1)
    start(g, Resupply(GERMAN))
    assert choices(g) == ["pass", "resupply Art188.88ID 1"]
    play(g, "pass")
    assert g.sdm_sp[u(g, "SDM1.42K")] == 4
    phase(g, GERMAN)
    play(g, "attack 2,0", "combat 2,0", "from 1,0", "engage")
    assert choices(g)[0] == "pass"
    assert any(c.startswith("support") for c in choices(g))
    play(g, "pass", dice=[3, 3])
    assert g.sdm_sp[u(g, "SDM1.42K")] == 4


@pytest.mark.rule("korsun44", "17.1.3.9")
def test_units_that_retreat_under_a_barrage_are_spared() -> None:
    g = position(unit(R1, "0,0"), unit(R2, "0,0"))
    g.barrage_at[0], g.barrage_shift[0] = h(g, "0,0"), 3
    g.set_status(u(g, R2), GUEST)
    end_of_combat(g, SOVIET)
    assert g.status[u(g, R1)] & DISORGANIZED
    assert not g.status[u(g, R2)] & DISORGANIZED
    assert g.barrage_at[0] == NOWHERE


@pytest.mark.rule("korsun44", "17.1.5.2")
def test_components_may_crowd_until_the_movement_phase_ends() -> None:
    parts = ("61gun.16Art", "52how.16Art", "90hvhow.16Art", "109BMhow.16Art")
    g = position(*(unit(n, "0,0") for n in parts), unit(R1, "5,0"))
    g.events = []
    start(g, MovementPhase(SOVIET))
    assert not any(g.status[u(g, n)] & DISORGANIZED for n in parts), "not before"
    while g.stack and "step_loss" not in choices(g)[0]:
        play(g, "pass")
    assert all(g.status[u(g, n)] & DISORGANIZED for n in parts)
    assert "overstacked" in told(g)
