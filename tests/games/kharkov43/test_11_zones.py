"""11 Zones of control."""

from __future__ import annotations

import pytest

from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.movement.zones import is_in_enemy_zoc, is_surrounded, zoc
from kessel.games.kharkov43.supply.supply import can_trace, field_of
from kessel.games.kharkov43.system.terms.terminology import completing_hexes
from tests.games.kharkov43.helpers import unit
from tests.games.kharkov43.soviet_helpers import active, arena, hexset, shown

from .helpers import ask, board, german, hx, names, position, refusal, soviet

rule = pytest.mark.rule
AROUND_1910 = {"1909", "1911", "1809", "1810", "2009", "2010"}


@rule("kharkov43", "11.0a")
@rule("kharkov43", "13.22b")
def test_every_non_isolated_unit_controls_the_six_hexes_around_it():
    g = position(
        units=[german("A", "1910", status=["dispersed", "out_of_supply"]), german("B", "1704", status=["isolated"])]
    )
    assert names(g, zoc(g, GERMAN)) == AROUND_1910
    answer = ask(g, "zoc", side="german")
    assert set(answer["german"]["hexes"]) == AROUND_1910
    assert answer["german"]["from"] == ["1910"]
    village = position(board=board(features={"1706": "village"}), turn=4, units=[german("A", "1910")], garrisons="1706")
    assert "garrisons" not in ask(village, "zoc", side="german")
    assert len(ask(village, "zoc", side="soviet")["garrisons"]["hexes"]) == 6


@rule("kharkov43", "11.0a")
def test_a_stack_controls_through_any_non_isolated_unit():
    g = position(units=[german("A", "1910", status=["isolated"]), german("B", "1910")])
    assert names(g, zoc(g, GERMAN)) == AROUND_1910


@rule("kharkov43", "11.0b")
def test_control_crosses_all_terrain_and_hexsides():
    terrain = {"1909": "marsh", "1911": "woods", "1809": "city", "1810": "town", "2009": "broken"}
    rivers = {"1910|1911": "dniepr", "1909|1910": "donets", "1810|1910": "blocked_dniepr", "1910|2010": "minor_river"}
    g = position(board=board(terrain=terrain, rivers=rivers), units=[soviet("S", "1910")])
    assert names(g, zoc(g, SOVIET)) == AROUND_1910


@rule("kharkov43", "11.1a")
@rule("kharkov43", "10.1b")
def test_friendly_units_do_not_cancel_control_for_movement():
    g = position(
        board=board(german_edge="1823 1923"),
        units=[german("A", "1911", faces="3-2"), german("F", "1911"), german("G", "1810"), soviet("S", "1910")],
    )
    assert refusal(g, "A", "1810") == "10.1", "1810 holds a friend, but is still controlled by S"


@rule("kharkov43", "11.1b")
@rule("kharkov43", "11.1c")
def test_supply_is_traced_from_but_not_through_control_unless_a_friend_stands_there():
    """A row of hexes from the unit to the edge; the Soviet unit below controls two of them."""
    row = board((17, 18), range(8, 16), german_edge="1715")

    def traced(*units):
        g = position(board=row, units=[german("A", "1709"), soviet("S", "1810"), *units])
        return can_trace(g, hx(g, "1709"), GERMAN)

    alone = position(board=row, units=[german("A", "1711"), soviet("S", "1810")])
    assert names(alone, zoc(alone, SOVIET)) == {"1710", "1711", "1809", "1811"}
    assert can_trace(alone, hx(alone, "1711"), GERMAN), "traced from a controlled hex"
    assert not traced(), "not through the controlled hexes 1710 and 1711"
    assert not traced(german("F", "1710")), "1711 is still open to the enemy"
    assert traced(german("F", "1710"), german("G", "1711"))


@rule("kharkov43", "11.1h")
def test_opposing_zones_coexist_and_do_not_add_up():
    g = position(
        units=[german("A", "1909"), soviet("S", "1911"), soviet("T", "1911", faces="5-4"), german("B", "1909")]
    )
    assert zoc(g, GERMAN) >> hx(g, "1910") & 1
    assert zoc(g, SOVIET) >> hx(g, "1910") & 1
    assert is_in_enemy_zoc(g, hx(g, "1910"), GERMAN)
    assert not is_in_enemy_zoc(g, hx(g, "1908"), GERMAN)
    answer = ask(g, "zoc", hex="1910")
    assert answer["controlled_from"] == {"german": ["1909"], "soviet": ["1911"]}
    one = position(units=[german("M", "1907"), soviet("S", "1911")])
    two = position(units=[german("M", "1907"), soviet("S", "1911"), soviet("T", "1911")])
    path = [ask(x, "moves", unit="M", to="1910")["cost"] for x in (one, two)]
    assert path == [3, 3]


@rule("kharkov43", "9.3t")
@rule("kharkov43", "9.3u")
def test_surrounded_means_every_adjacent_hex_is_occupied_or_controlled():
    ring = [german("A", "1909"), german("B", "1911")]
    g = position(units=[soviet("S", "1910"), *ring])
    assert is_surrounded(g, hx(g, "1910"), SOVIET), "1909 and 1911 control the other four"
    g = position(units=[soviet("S", "1910"), soviet("F", "1810"), *ring])
    assert is_surrounded(g, hx(g, "1910"), SOVIET), "friends do not help"
    g = position(units=[soviet("S", "1910"), german("A", "1909"), german("B", "1911", status=["isolated"])])
    assert not is_surrounded(g, hx(g, "1910"), SOVIET)
    assert ask(position(units=[soviet("S", "1910"), *ring]), "zoc")["soviet"]["surrounded"] == ["1910"]


@rule("kharkov43", "9.3t")
def test_an_isolated_unit_closes_only_the_hex_it_stands_in():
    units = [active("A", "1507", status=["isolated"]), active("B", "1507")]
    g = position(board=arena(**OPEN), turn=5, units=units)
    assert shown(g, completing_hexes(g, unit(g, "A"), hexset(g, "1910"))) == "1910"
    assert completing_hexes(g, unit(g, "A"), hexset(g, "1910 1911")) == 0
    assert shown(g, completing_hexes(g, unit(g, "B"), hexset(g, "1910 1911"))) == "1810 1910 1911 2010"


def test_zones_are_recomputed_after_every_change():
    g = position(units=[german("A", "1910")])
    before = zoc(g, GERMAN)
    g.move(0, hx(g, "1912"))
    assert zoc(g, GERMAN) != before
    assert field_of(g, GERMAN) is field_of(g, GERMAN)


OPEN = {"roads_on": ()}
