"""10.4 to 10.7 Stacking, the limit of supply, strategic movement and what else bounds a move."""

from __future__ import annotations

import pytest

from kessel.games.kharkov43.board import MOVED
from kessel.games.kharkov43.data.forces import GERMAN
from kessel.games.kharkov43.movement.movement import (
    why_not_move,
)
from kessel.games.kharkov43.supply.supply import can_trace

from .helpers import ask, board, german, hexes, hx, panzer, position, reach, refusal, soviet, unit
from .test_10_movement import COLUMNS, ROWS, WEST, example, field

rule = pytest.mark.rule


# --- 10.4 ----------------------------------------------------------------------------------------------------------


@example("kharkov43", "X25")
@rule("kharkov43", "10.4a")
def test_x25_three_units_or_six_steps():
    g = position(
        board=field(),
        units=[
            *(german(f"T{i}", "1712", faces="4-4 3-4 2-4") for i in range(2)),
            *(german(f"O{i}", "1714", faces="1-4") for i in range(3)),
            german("A", "1710", faces="1-4"),
        ],
    )
    assert ask(g, "stacking", hex="1712")["legal"]
    assert ask(g, "stacking", hex="1712", units=["A"])["refusal"]["rule"] == "10.4"
    assert ask(g, "stacking", hex="1714")["legal"]
    assert not ask(g, "stacking", hex="1714", units=["A"])["legal"]
    assert refusal(g, "A", "1712") == "10.4"


@rule("kharkov43", "10.4b")
def test_units_pass_through_full_hexes_and_may_wait_for_others_to_leave():
    g = position(
        board=field(),
        units=[
            german("A", "1710", faces="1-4", status=["active"]),
            *(german(f"F{i}", "1712", faces="3-4 2-4", status=["active"] if i == 0 else []) for i in range(3)),
        ],
    )
    a = unit(g, "A")
    assert why_not_move(g, a, hx(g, "1714"), "regular") is None
    assert why_not_move(g, a, hx(g, "1712"), "regular") is None, "F0 may still leave"
    g.set_status(unit(g, "F0"), MOVED)
    assert why_not_move(g, a, hx(g, "1712"), "regular").rule == "10.4"


# --- 10.5 ----------------------------------------------------------------------------------------------------------


@rule("kharkov43", "10.5a")
@rule("kharkov43", "13.0c")
def test_a_german_never_ends_its_move_where_supply_cannot_be_traced():
    g = position(
        board=board(ROWS, COLUMNS, german_edge=WEST, soviet_edge="1708"),
        units=[german("A", "1713", status=["active"]), soviet("S", "1510"), soviet("T", "2010")],
    )
    assert reach(g, "A")["1714"] == 1
    assert "1711" not in reach(g, "A"), "nine hexes from the edge"
    assert refusal(g, "A", "1711") == "10.5"
    assert why_not_move(g, unit(g, "A"), hx(g, "1711"), "regular").rule == "10.5"


@rule("kharkov43", "10.5b")
def test_the_supply_limit_is_waived_only_if_no_traceable_hex_can_be_reached():
    far = position(board=board(ROWS, COLUMNS, german_edge=WEST), units=[german("A", "1708")])
    assert not can_trace(far, hx(far, "1708"), GERMAN)
    assert "1709" in reach(far, "A")
    assert "1710" in reach(far, "A")
    near = position(board=board(ROWS, COLUMNS, german_edge=WEST), units=[german("A", "1712")])
    assert not can_trace(near, hx(near, "1712"), GERMAN)
    assert "1713" in reach(near, "A")
    assert refusal(near, "A", "1711") == "10.5"


@rule("kharkov43", "10.5c")
def test_the_supply_limit_does_not_count_in_proximity():
    g = position(board=board(ROWS, COLUMNS, german_edge=WEST), units=[german("A", "1713")])
    assert "1711" not in reach(g, "A")
    assert "1711" in ask(g, "moves", unit="A", proximity=True)["reach"]


# --- 10.6 ----------------------------------------------------------------------------------------------------------


@rule("kharkov43", "10.6a")
def test_strategic_movement_is_for_supplied_germans_from_turn_2():
    def refused(side="german", turn=2, **more):
        make = german if side == "german" else soviet
        g = position(board=field(), turn=turn, units=[make("A", "1712", **more)])
        found = ask(g, "moves", unit="A", mode="strategic")
        return found.get("refusal", {}).get("rule")

    assert refused() is None
    assert refused(turn=1) == "10.6"
    assert refused(side="soviet") == "10.6"
    assert refused(status=["out_of_supply"]) == "10.6"


@rule("kharkov43", "10.6b")
@rule("kharkov43", "10.6c")
def test_strategic_movement_keeps_away_from_enemy_units_and_garrisons():
    g = position(
        board=field(features={"1609": "village"}),
        turn=4,
        units=[german("A", "1714"), german("B", "1711"), german("C", "1510"), soviet("S", "1710")],
        garrisons="1609",
    )
    assert ask(g, "moves", unit="B", mode="strategic")["refusal"]["rule"] == "10.6", "starts beside S"
    assert ask(g, "moves", unit="C", mode="strategic")["refusal"]["rule"] == "10.6", "starts beside the garrison"
    assert "1712" in reach(g, "A", "strategic")
    assert refusal(g, "A", "1711", "strategic") == "10.6"
    assert refusal(g, "A", "1610", "strategic") == "10.6"


@rule("kharkov43", "10.6d")
def test_strategic_movement_does_not_enter_soviet_towns():
    g = position(board=field(terrain={"1712": "town"}), turn=2, soviet_towns="1712", units=[german("A", "1714")])
    assert refusal(g, "A", "1712", "strategic") == "10.6"
    assert "1712" in reach(g, "A")


@rule("kharkov43", "10.6e")
@rule("kharkov43", "18.34c")
def test_no_strategic_movement_in_light_mud():
    g = position(board=field(), turn=8, ground="light_mud", units=[german("A", "1714")])
    assert ask(g, "moves", unit="A", mode="strategic")["refusal"]["rule"] == "18.34"


@rule("kharkov43", "10.6g")
def test_strategic_infantry_has_two_more_points():
    g = position(board=field(), turn=2, units=[german("A", "1714")])
    found = ask(g, "moves", unit="A", mode="strategic")
    assert found["allowance"] == 6
    assert reach(g, "A", "strategic")["1708"] == 6


@example("kharkov43", "X23")
@rule("kharkov43", "10.6c")
@rule("kharkov43", "10.6g")
def test_x23_strategic_movement():
    everywhere = " ".join(hexes(15, 22))
    g = position(
        board=board((15, 22), german_edge=everywhere), turn=2, units=[german("A", "1919"), soviet("S", "1713")]
    )
    found = reach(g, "A", "strategic")
    assert found["1913"] == 6
    assert found["2013"] == 6
    assert refusal(g, "A", "1714", "strategic") == "10.6"
    assert refusal(g, "A", "1813", "strategic") == "10.6"
    roads = ["1623 1622 1621 1620 1619 1618 1617 1616 1615"]
    with_road = board((15, 22), german_edge=everywhere, roads=roads, terrain={"1615": "town"})
    g = position(board=with_road, turn=2, soviet_towns="1615", units=[panzer("C", "1623", faces="5-3")])
    found = reach(g, "C", "strategic")
    assert found["1617"] == 3, "six road hexes at half a point"
    g = position(board=with_road, turn=2, soviet_towns="1615", units=[panzer("C", "1623", faces="5-6")])
    assert reach(g, "C", "strategic")["1616"] == 3.5
    assert refusal(g, "C", "1615", "strategic") == "10.6"


# --- 10.7 ----------------------------------------------------------------------------------------------------------


@example("kharkov43", "X24")
@rule("kharkov43", "10.7a")
@rule("kharkov43", "10.7b")
def test_x24_along_the_german_map_edge_from_zone_to_zone():
    edge = board(ROWS, COLUMNS, german_edge=WEST)
    g = position(board=edge, units=[german("A", "1720"), soviet("S", "1719"), soviet("T", "1619")])
    found = ask(g, "moves", unit="A")["reach"]
    assert found["1620"]["stops"]
    assert "1520" not in found
    off = position(
        board=board(ROWS, COLUMNS, german_edge="1520"),
        units=[german("A", "1720"), soviet("S", "1719"), soviet("T", "1619")],
    )
    assert refusal(off, "A", "1620") == "10.1"
