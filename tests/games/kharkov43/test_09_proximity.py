"""9.3 Proximity (the rest of 9.3 is tested with the Soviet system)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from kessel.games.kharkov43.data.charts import POINT
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.movement.movement import MOVING, PROXIMITY, REGULAR, reach_of
from kessel.games.kharkov43.movement.proximity import (
    could_enter,
    is_anyone_proximate,
    is_proximate,
    proximate_hexes,
)
from tests.games.kharkov43.soviet_helpers import arena, shown

from .helpers import board, german, hexes, hx, names, panzer, position, soviet, unit
from .test_10_movement import positions

rule = pytest.mark.rule
example = pytest.mark.example


@example("kharkov43", "X19")
@rule("kharkov43", "9.3l")
@rule("kharkov43", "9.3m")
@rule("kharkov43", "9.3n")
@rule("kharkov43", "9.3q")
@rule("kharkov43", "15.22d")
def test_x19_proximity():
    area = board((17, 24), range(3, 18), terrain={"1910": "town"}, features={"2109": "village", "1912": "village"})
    units = [german("A", "1906"), german("B", "2010"), german("C", "2212"), german("D", "2211"), soviet("S", "1911")]
    g = position(board=area, turn=5, soviet_towns="1910", garrisons="2109 1912", units=units)
    table = {
        "1910": "A",
        "2010": "BCD",
        "1911": "ABCD",
        "2109": "ABCD",
        "1912": "BCD",
    }
    for h, expected in table.items():
        near = "".join(n for n in "ABCD" if is_proximate(g, unit(g, n), hx(g, h)))
        assert near == expected, h
    assert is_anyone_proximate(g, GERMAN, hx(g, "1910"))
    assert not is_anyone_proximate(g, GERMAN, hx(g, "1910"), [unit(g, "B"), unit(g, "C")])


@rule("kharkov43", "9.3l")
@rule("kharkov43", "10.0a")
def test_a_german_unit_leaves_the_first_hex_of_a_board_as_it_leaves_any_other():
    g = position(board=CORNER, turn=5, units=[german("G", "1506", "3-2")])
    u = unit(g, "G")
    assert g.place[u] == 0
    assert shown(g, could_enter(g, u)) == "1506 1507 1508 1606 1607"
    for purpose in (MOVING, PROXIMITY):
        found = reach_of(g, u, REGULAR, purpose)
        assert {g.hex_name(h): c // POINT for h, c in found.cost.items()} == {
            "1506": 0,
            "1507": 1,
            "1606": 1,
            "1508": 2,
            "1607": 2,
        }
    enters = position(board=CORNER, turn=5, units=[german("G", "1508", "3-3")])
    assert not reach_of(enters, unit(enters, "G"), REGULAR, PROXIMITY).stops(0), "nothing stops a unit there"


@rule("kharkov43", "9.3o")
def test_proximity_respects_terrain_zones_supply_state_and_stacking():
    row = board((19, 19), range(6, 18))
    g = position(board=row, units=[german("A", "1910"), *(german(f"F{i}", "1912", faces="3-4 2-4") for i in range(3))])
    assert names(g, could_enter(g, unit(g, "A"))) == {"1906", "1907", "1908", "1909", "1910", "1911", "1913", "1914"}
    g = position(board=row, units=[german("A", "1910"), soviet("S", "1914")])
    assert not is_proximate(g, unit(g, "A"), hx(g, "1916"))
    assert is_proximate(g, unit(g, "A"), hx(g, "1914"))
    g = position(
        board=row, units=[panzer("A", "1910", status=["out_of_supply"]), panzer("B", "1910", status=["isolated"])]
    )
    assert names(g, could_enter(g, unit(g, "A"))) == {"1908", "1909", "1910", "1911", "1912"}
    assert names(g, could_enter(g, unit(g, "B"))) == {"1910"}
    woods = board((19, 19), range(6, 18), terrain=dict.fromkeys(hexes(19, 19, range(11, 18)), "woods"))
    g = position(board=woods, units=[german("A", "1910")])
    assert "1912" in names(g, could_enter(g, unit(g, "A")))
    assert "1913" not in names(g, could_enter(g, unit(g, "A")))


@rule("kharkov43", "9.3p")
def test_proximity_uses_regular_movement():
    row = board((19, 19), range(6, 18), german_edge=" ".join(hexes(19, 19, range(6, 18))))
    g = position(board=row, turn=4, units=[german("A", "1910")])
    assert not is_proximate(g, unit(g, "A"), hx(g, "1915"))


@rule("kharkov43", "9.3q")
@rule("kharkov43", "9.3r")
@rule("kharkov43", "15.22d")
def test_a_garrison_blocks_proximity_unless_the_unit_is_adjacent_to_it():
    row = board((19, 19), range(6, 18), features={"1912": "village"})
    g = position(board=row, turn=4, garrisons="1912", units=[german("A", "1909"), german("B", "1911")])
    assert not is_proximate(g, unit(g, "A"), hx(g, "1913"))
    assert is_proximate(g, unit(g, "A"), hx(g, "1912")), "it gets adjacent to the garrison"
    assert is_proximate(g, unit(g, "B"), hx(g, "1913")), "B starts adjacent: the garrison does not count for it"
    assert is_proximate(g, unit(g, "B"), hx(g, "1912"))


@rule("kharkov43", "9.3c")
def test_units_are_not_adjacent_across_a_blocked_dniepr_hexside():
    row = board((19, 19), range(6, 18), rivers={"1910|1911": "blocked_dniepr"})
    g = position(board=row, units=[german("A", "1910"), soviet("S", "1911")])
    assert not is_proximate(g, unit(g, "A"), hx(g, "1911"))
    assert not is_proximate(g, unit(g, "S"), hx(g, "1910"))


@settings(max_examples=40)
@given(positions())
def test_the_set_of_proximate_hexes_is_what_single_questions_find(g):
    for side in (GERMAN, SOVIET):
        found = proximate_hexes(g, side)
        units = g.on_map_of(side)
        for h in g.map.grid.hexes:
            one_by_one = any(is_proximate(g, u, h) for u in units)
            assert is_anyone_proximate(g, side, h) == one_by_one
            if g.occupied(h) or not g.garrisons >> h & 1 or side == SOVIET:
                assert bool(found >> h & 1) == one_by_one


OPEN = {"roads_on": ()}


CORNER = arena((15, 16), range(6, 12), **OPEN)
