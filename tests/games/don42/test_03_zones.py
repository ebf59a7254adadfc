"""3.2 Zones of control, 10.2 movement and zones."""

from __future__ import annotations

import pytest

from kessel.core.hexset import HexSet
from kessel.games.don42.board import DPT, DRG, OOS, RTD
from kessel.games.don42.combat.advance import advance_hexes
from kessel.games.don42.data.forces import GERMAN, SOVIET
from kessel.games.don42.movement.zones import enemy_zone, stopping_zone, zone_of
from kessel.games.don42.supply.supply import state_now

from .helpers import ask, board, do, ger, h, homeland, hq62, pos, refusal, sov, texts, u

AROUND = {"0,-1", "1,-1", "1,0", "0,1", "-1,1", "-1,0"}


def zone(g, side):
    return set(HexSet(g.map.grid, zone_of(g, side)))


@pytest.mark.rule("don42", "3.2.a", "3.2.c")
def test_a_ground_unit_exerts_a_zone_into_six_hexes_that_only_enemies_feel():
    g = pos(ger("A", "0,0"), ger("B", "-3,0"), phase="german_movement")
    assert zone(g, GERMAN) >= AROUND
    reach = ask(g, "moves", unit="B")["reach"]
    assert not reach["-1,0"]["stops"], "a friendly zone stops nobody"
    assert enemy_zone(g, SOVIET) == zone_of(g, GERMAN)


@pytest.mark.rule("don42", "3.2.b", "13.6.1.e")
def test_hqs_exert_no_zone_and_stop_no_advance():
    g = pos(
        sov("HQ62A", "0,0", "0-1-8", type="hq", size="army", quality="A"),
        ger("A", "-2,0"),
        sov("X", "5,0"),
    )
    assert not zone(g, SOVIET) & AROUND
    assert not stopping_zone(g, GERMAN) >> h(g, "-1,0") & 1
    assert "-1,1" in {g.hex_name(x) for x in advance_hexes(g, u(g, "A"), h(g, "-1,0"), 2)}


@pytest.mark.rule("don42", "3.2.1.a", "3.2.1.b")
def test_zones_of_both_sides_share_a_hex_and_several_add_nothing():
    g = pos(ger("A", "0,0"), ger("B", "0,1"), sov("X", "2,0"), phase="german_movement")
    assert "1,0" in zone(g, GERMAN)
    assert "1,0" in zone(g, SOVIET)
    one = pos(ger("A", "0,0"), ger("B", "0,1"), sov("X", "2,0"), sov("Y", "2,-1"), phase="german_movement")
    assert ask(g, "moves", unit="A")["reach"]["1,0"] == ask(one, "moves", unit="A")["reach"]["1,0"]


@pytest.mark.rule("don42", "3.2.2.a")
def test_zones_stop_at_the_volga_and_at_an_unbridged_don():
    on = board(
        sides={"0,0|1,0": "minor_river", "0,0|0,1": "major_river", "0,0|-1,0": "minor_river"},
        roads=[("minor_road", "0,0 -1,0")],
    )
    g = pos(ger("A", "0,0"), on=on)
    found = zone(g, GERMAN)
    assert "1,0" not in found
    assert "0,1" not in found
    assert "-1,0" in found, "over a bridge the zone goes on"
    broken = pos(ger("A", "0,0"), on=on, destroyed_bridges=["0,0|-1,0"])
    assert "-1,0" not in zone(broken, GERMAN)
    pontoon = pos(ger("A", "0,0"), on=on, pontoons=[{"hexside": "0,0|1,0"}])
    assert "1,0" in zone(pontoon, GERMAN)


@pytest.mark.rule("don42", "3.2.2.b", "3.2.2.d")
def test_no_zone_reaches_into_a_city_not_even_from_a_city():
    g = pos(ger("A", "0,0"), on=board(terrain={"0,0": "city", "1,0": "city"}))
    assert zone(g, GERMAN) == AROUND - {"1,0"}


@pytest.mark.rule("don42", "3.2.2.c")
def test_zones_reach_into_all_other_terrain():
    on = board(terrain={"1,0": "hill", "0,1": "town"}, sides={"0,0|-1,0": "gorge"})
    assert zone(pos(ger("A", "0,0"), on=on), GERMAN) == AROUND


@pytest.mark.rule("don42", "3.2.3.a", "10.2.a")
def test_entering_an_enemy_zone_ends_the_move():
    g = pos(ger("A", "-3,0"), sov("X", "0,0"), phase="german_movement")
    reach = ask(g, "moves", unit="A")["reach"]
    assert reach["-1,0"]["stops"]
    assert ask(g, "moves", unit="A", to="1,0")["cost"] > 4, "round the zone, not through it"
    do(g, "move A", "to -1,0")
    assert texts(g) == ["pass"], "the unit has moved"


@pytest.mark.rule("don42", "3.2.3.b")
def test_a_friend_does_not_cancel_an_enemy_zone_for_movement():
    g = pos(ger("A", "-3,0"), ger("B", "-1,0"), sov("X", "0,0"), phase="german_movement")
    assert ask(g, "moves", unit="A")["reach"]["-1,0"]["stops"]


@pytest.mark.rule("don42", "3.2.3.c", "10.2.b")
def test_a_soviet_unit_leaves_a_zone_only_into_a_free_hex():
    g = pos(hq62(), sov("X", "0,0"), ger("A", "1,0"), on=homeland(), phase="soviet_movement")
    reach = ask(g, "moves", unit="X")["reach"]
    assert reach["-1,0"]["path"] == ["-1,0"]
    assert reach["1,-1"]["path"] == ["0,-1", "1,-1"], "round by a free hex, never from zone to zone"
    shut = pos(hq62(), sov("X", "0,0"), ger("A", "1,0"), ger("B", "-1,0"), on=homeland(), phase="soviet_movement")
    do(shut, "move X")
    assert texts(shut) == ["halt"]
    assert refusal(shut, "to 0,-1").rule == "10.2"


@pytest.mark.rule("don42", "3.2.3.d", "10.2.1.a", "10.2.1.b")
def test_a_german_that_starts_in_a_zone_may_infiltrate_into_another_and_stops():
    g = pos(ger("A", "0,0"), sov("X", "1,0"), phase="german_movement")
    reach = ask(g, "moves", unit="A")["reach"]
    assert reach["1,-1"]["stops"]
    assert reach["1,-1"]["path"] == ["1,-1"]
    do(g, "move A", "to 1,-1")
    assert texts(g) == ["pass"]


@pytest.mark.rule("don42", "10.2.1.c")
def test_infiltration_needs_no_supply():
    g = pos(ger("A", "0,0", supply="out of supply"), sov("X", "1,0"), phase="german_movement")
    assert "1,-1" in ask(g, "moves", unit="A")["reach"]


@pytest.mark.rule("don42", "10.5.b")
def test_a_disorganized_german_never_infiltrates():
    around = [sov("X", "1,0"), sov("Y", "-1,0")]
    assert ask(pos(ger("A", "0,0"), *around, phase="german_movement"), "moves", unit="A")["reach"]
    g = pos(ger("A", "0,0", status=["DRG"]), *around, phase="german_movement")
    assert not ask(g, "moves", unit="A")["reach"]
    do(g, "move A")
    assert refusal(g, "to 1,-1").rule == "10.5"


@pytest.mark.rule("don42", "3.2.4", "4.1.b")
def test_supply_passes_an_enemy_zone_where_a_friend_stands():
    germans = [ger(f"A{q}", f"{q},1") for q in (-5, -3, -1, 1, 3, 5)]
    row = [sov(f"Y{q}", f"{q},0") for q in (0,)]
    cut = pos(hq62(), sov("X", "0,3"), *germans, on=homeland())
    assert state_now(cut, u(cut, "X")) == OOS
    held = pos(hq62(), sov("X", "0,3"), *germans, *row, sov("Z", "0,1"), sov("W", "0,2"), on=homeland())
    assert zone_of(held, GERMAN) >> h(held, "0,1") & 1
    assert state_now(held, u(held, "X")) != OOS


@pytest.mark.rule("don42", "3.2.6")
def test_routed_units_have_no_zone():
    g = pos(ger("A", "0,0", status=["RTD"]))
    assert zone(g, GERMAN) == set()


@pytest.mark.rule("don42", "10.2.c", "4.0.d")
def test_drg_dpt_and_unsupplied_units_keep_their_zone_but_hqs_have_none():
    for status in ("DRG", "DPT"):
        assert zone(pos(ger("A", "0,0", status=[status])), GERMAN) == AROUND
    assert zone(pos(ger("A", "0,0", supply="out of supply")), GERMAN) == AROUND
    hq = ger("H", "0,0", "0-1-10", type="hq", size="division", supply="out of supply")
    assert zone(pos(hq), GERMAN) == set()


@pytest.mark.rule("don42", "3.2.5.d", "3.3.2.a", "13.6.1.d")
def test_an_advance_stops_in_the_zone_of_an_a_rated_enemy_and_ignores_b_and_c():
    def ends(quality):
        g = pos(ger("A", "-1,0"), sov("X", "2,-1", quality=quality))
        return {g.hex_name(x) for x in advance_hexes(g, u(g, "A"), h(g, "0,0"), 3)}

    assert "2,0" in ends("B")
    assert "2,0" in ends("C")
    assert "1,0" in ends("A")
    assert "2,0" not in ends("A"), "both ways to 2,0 enter the zone one hex earlier"


@pytest.mark.rule("don42", "3.3.2.b")
def test_the_zone_of_a_disordered_a_rated_enemy_is_ignored():
    for status in (DRG, DPT, RTD):
        g = pos(ger("A", "-1,0"), sov("X", "2,-1", quality="A"))
        before = stopping_zone(g, GERMAN)
        g.set_disorder(u(g, "X"), status)
        assert before
        assert not stopping_zone(g, GERMAN)
