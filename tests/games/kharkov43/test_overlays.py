"""Layers of the map: what the Soviets can reach, and which Germans they can attack."""

from __future__ import annotations

from kessel.games.kharkov43.title import TITLE
from tests.games.kharkov43.helpers import board, german, position, reach, soviet, tanks

EAST = " ".join(f"{r:02d}01" for r in range(15, 23))
WEST = " ".join(f"{r:02d}23" for r in range(15, 23))


def field(*units: object):
    return position(board=board(vp={"1808": 2}, german_edge=WEST, soviet_edge=EAST), turn=3, units=[*units])


def test_soviet_reach_is_where_they_may_move_and_where_they_stand():
    g = field(german("G", "1810"), soviet("S", "1806"))
    found = TITLE.overlays(g, 0)["Soviet reach"]["hexes"]
    assert set(found) == {"1806", *reach(g, "S")}


def test_the_threat_is_the_best_ratio_of_one_formation():
    near = (soviet("S1", "1806"), soviet("S2", "1906"))
    g = field(german("G", "1809"), german("far", "1822"), *near)
    assert TITLE.overlays(g, 0)["Threatened German units"]["hexes"] == {"1809": "2:1"}
    g = field(german("G", "1809"), *near, tanks("T", "1806", army="Popov"))
    assert TITLE.overlays(g, 0)["Threatened German units"]["hexes"] == {"1809": "2:1"}, "another formation"
    g = field(german("G", "1809"), *near, soviet("S3", "1906"))
    assert TITLE.overlays(g, 0)["Threatened German units"]["hexes"] == {"1809": "3:1"}


def test_what_cannot_attack_is_no_threat_and_what_has_moved_will_move_again():
    g = field(german("G", "1809"), soviet("S", "1806", status=["dispersed"]))
    assert TITLE.overlays(g, 0)["Threatened German units"]["hexes"] == {}
    g = field(german("G", "1809"), soviet("S", "1806", status=["moved"]))
    assert TITLE.overlays(g, 0)["Threatened German units"]["hexes"] == {"1809": "1:1"}


def test_victory_hexes_tell_their_owner():
    town = board(terrain={"1808": "town", "1708": "town"}, vp={"1808": 2, "1708": 1})
    g = position(board=town, turn=3, units=[german("G", "1808")], soviet_towns="1708")
    assert TITLE.overlays(g, 0)["Victory hexes"]["hexes"] == {"1708": "soviet", "1808": "german"}
