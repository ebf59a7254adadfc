"""Layers of the map: what the enemy can reach, and which units it can attack at what odds."""

from __future__ import annotations

from kessel.games.don42.title import TITLE
from tests.games.don42.helpers import ask, ger, homeland, hq62, pos, sov


def threats(g, side: int) -> dict[str, str]:
    name = ("German", "Soviet")[side]
    return TITLE.overlays(g, side)[f"Threatened {name} units"]["hexes"]


def test_a_side_sees_the_reach_of_the_other():
    g = pos(ger("G", "3,0", "4-4-2"), sov("S", "-3,0"), hq62(), on=homeland())
    found = TITLE.overlays(g, 1)
    assert "Soviet reach" not in found
    moves = ask(g, "moves", unit="G")["reach"]
    assert set(found["German reach"]["hexes"]) == {"3,0", *moves}


def test_the_best_odds_of_all_who_can_come():
    one = (sov("S", "0,0"), hq62("0,-6"))
    g = pos(ger("A", "3,0", "4-4-10", motorized=True), *one, on=homeland())
    assert threats(g, 1)["0,0"].startswith("1:1")
    g = pos(ger("A", "3,0", "4-4-10"), ger("B", "3,-1", "4-4-10"), *one, on=homeland())
    assert threats(g, 1)["0,0"].startswith("2:1")


def test_who_cannot_come_or_attack_is_no_threat():
    one = (sov("S", "-3,0"), hq62("-3,-3"))
    assert threats(pos(ger("A", "3,0", "4-4-2"), *one, on=homeland()), 1) == {}
    assert threats(pos(ger("A", "-2,0", "4-4-2", status=["DRG"]), *one, on=homeland()), 1) == {}
