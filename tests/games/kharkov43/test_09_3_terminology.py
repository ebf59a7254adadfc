"""9.3 Soviet activation terminology. Proximity has its own file (test_09_proximity)."""

from __future__ import annotations

import pytest

from kessel.core.hexset import members
from kessel.games.kharkov43.board import ISOLATED
from kessel.games.kharkov43.combat.strengths import chit_maximum, chits_drawn
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.movement.zones import zoc
from kessel.games.kharkov43.system.soviet_formations import Activated, army_and_stacked
from kessel.games.kharkov43.system.terms.terminology import (
    caused_by,
    caused_from,
    cover_without,
    empty_hexes,
    is_large,
    is_nearly_surrounded,
    is_weak,
    other_soviets,
    surrounded_hexes,
    unoccupied_hexes,
    why_nearly_surrounded,
    why_overwhelming,
)

from .helpers import german, hx, panzer, position, soviet, tanks, unit
from .soviet_helpers import arena, hexset, shown, southwest

rule = pytest.mark.rule
example = pytest.mark.example
OPEN = {"roads_on": ()}


def field(*units, **doc):
    doc.setdefault("board", arena(**OPEN))
    return position(units=list(units), **doc)


@rule("kharkov43", "9.3a")
@rule("kharkov43", "9.3b")
def test_active_front_and_active_units():
    """Popov, activated by a front card: Southwest is the active front; reserve and stacked unit are active."""
    g = field(
        tanks("P", "1908"),
        tanks("R", "reserve"),
        soviet("S", "1908", army="6"),
        soviet("T", "1808", army="6"),
        soviet("V", "1908", "1-4", army="69"),
        turn=4,
    )
    found = army_and_stacked(g, "Popov")
    assert isinstance(found, Activated)
    assert found.front == "Southwest"
    assert {g.id(u) for u in found.units} == {"P", "R", "S"}


@rule("kharkov43", "9.3d")
@example("kharkov43", "X17")
def test_only_the_unit_whose_removal_breaks_it_causes_the_surround():
    units = [german("G", "1809"), soviet("06", "1909"), soviet("A", "1710"), soviet("B", "1708"), soviet("C", "1711")]
    g = field(*units)
    assert shown(g, surrounded_hexes(g, GERMAN)) == "1809"
    causing = {n: shown(g, caused_by(g, unit(g, n))) for n in ("06", "A", "B", "C")}
    assert causing == {"06": "1809", "A": "", "B": "", "C": ""}
    assert shown(g, caused_from(g, unit(g, "06"), hx(g, "1910"))) == "1809", "also from Lozovaya"
    g.put(unit(g, "06"), hx(g, "1910"))
    assert shown(g, surrounded_hexes(g, GERMAN)) == "1809"
    assert shown(g, caused_by(g, unit(g, "06"))) == "1809"


@rule("kharkov43", "9.3d")
def test_a_unit_in_a_stack_causes_nothing_alone():
    g = field(german("G", "1910"), soviet("S", "1911"), soviet("A", "1909"), soviet("B", "1909"))
    assert shown(g, surrounded_hexes(g, GERMAN)) == "1910"
    assert not caused_by(g, unit(g, "A"))
    g.set_status(unit(g, "B"), ISOLATED)
    assert shown(g, caused_by(g, unit(g, "A"))) == "1910", "B occupies, but controls nothing"


@rule("kharkov43", "9.3d")
@rule("kharkov43", "9.3f")
def test_a_unit_in_the_first_hex_of_a_board_is_left_out_like_any_other():
    g = position(board=CORNER, units=[soviet("A", "1506"), soviet("B", "1509")])
    u = unit(g, "A")
    assert g.place[u] == 0
    assert shown(g, other_soviets(g, u)) == "1509"
    assert shown(g, cover_without(g, u)) == "1508 1509 1510 1608 1609"
    both = position(board=CORNER, units=[soviet("A", "1506"), soviet("C", "1506", status=["isolated"])])
    assert shown(both, cover_without(both, unit(both, "A"))) == "1506", "C stands there but controls nothing"
    two = position(board=CORNER, units=[soviet("A", "1506"), soviet("C", "1506")])
    assert shown(two, cover_without(two, unit(two, "A"))) == "1506 1507 1606"
    off = position(board=CORNER, units=[soviet("A", "reserve"), soviet("B", "1509")])
    assert shown(off, other_soviets(off, unit(off, "A"))) == "1509"
    assert shown(off, cover_without(off, unit(off, "A"))) == "1508 1509 1510 1608 1609"


@rule("kharkov43", "9.3f")
@rule("kharkov43", "9.3k")
@rule("kharkov43", "9.3v")
def test_empty_occupied_unoccupied():
    g = field(
        soviet("S", "1908"),
        german("G", "1910"),
        soviet("A", "1911"),
        board=arena(features={"1909": "village"}),
        turn=4,
        garrisons="1909",
    )
    a = unit(g, "A")
    among = hexset(g, "1908 1909 1910 1911 1912")
    assert shown(g, empty_hexes(g, a) & among) == "1911 1912", "the unit itself does not count"
    assert shown(g, unoccupied_hexes(g, a) & among) == "1909 1911 1912", "a garrison does not occupy"


@rule("kharkov43", "9.3g")
def test_a_vp_hex_belongs_to_its_owner_whoever_stands_there():
    ground = arena(terrain={"1908": "town", "1910": "city"}, vp={"1908": 1, "1910": 2})
    g = field(board=ground, soviet_towns="1908")
    assert (shown(g, g.towns_of(SOVIET)), shown(g, g.towns_of(GERMAN))) == ("1908", "1910")
    g = field(soviet("S", "1910"), board=ground)
    assert (shown(g, g.towns_of(SOVIET)), shown(g, g.towns_of(GERMAN))) == ("1910", "1908")


@rule("kharkov43", "9.3h")
def test_a_large_attack_draws_seven_soviet_or_six_german_chits():
    g = field()
    assert [is_large(g, n, SOVIET) for n in (6, 7)] == [False, True]
    assert [is_large(g, n, GERMAN) for n in (5, 6)] == [False, True]


@rule("kharkov43", "9.3h")
def test_chits_drawn_are_never_fewer_than_the_defenders_steps():
    g = field(german("G", "1910", "3-4 2-4 1-4"), soviet("S", "1911", "3-4"))
    maximum = chit_maximum(g, [unit(g, "S")], [unit(g, "G")])
    assert maximum.total == 1
    assert chits_drawn(g, maximum, [unit(g, "G")]) == 3


@rule("kharkov43", "9.3w")
def test_a_weak_attack_may_draw_one_or_two_chits():
    g = field()
    assert [is_weak(g, n) for n in (1, 2, 3)] == [True, True, False]


# --- nearly surrounded -----------------------------------------------------------------------------------------------


@rule("kharkov43", "9.3i")
def test_one_german_move_that_would_surround_the_unit():
    """G to the west; H could drive to 1909, the east side."""
    g = field(soviet("S", "1910"), german("G", "1911"), panzer("H", "1712"))
    assert why_nearly_surrounded(g, hx(g, "1910")).reason == "H could surround 1910 by a move to 1909"
    slow = field(soviet("S", "1910"), german("G", "1911"), german("H", "1712"))
    assert not is_nearly_surrounded(slow, unit(slow, "S")), "H has too few points"
    dispersed = field(soviet("S", "1910"), german("G", "1911"), panzer("H", "1712", status=["dispersed"]))
    assert not is_nearly_surrounded(dispersed, unit(dispersed, "S"))
    alone = field(soviet("S", "1910"), german("G", "1911"))
    assert not is_nearly_surrounded(alone, unit(alone, "S"))


@rule("kharkov43", "9.3i")
def test_the_moving_german_unit_leaves_its_old_place():
    """G alone holds the west side; if it moves to the east, the west is open."""
    g = field(soviet("S", "1910"), panzer("G", "1911", "5-9"))
    assert not is_nearly_surrounded(g, unit(g, "S"))
    two = field(soviet("S", "1910"), panzer("G", "1911", "5-9"), german("H", "1911"))
    assert is_nearly_surrounded(two, unit(two, "S")), "H stays behind"


@rule("kharkov43", "9.3i")
def test_an_isolated_german_unit_closes_only_the_hex_it_enters():
    ring = [german("G", "1911", status=["dispersed"]), german("I", "1809", status=["dispersed"])]
    for start, status, closes in (
        ("2109", ["isolated"], True),
        ("2008", ["isolated"], True),
        ("2008", [], True),
    ):
        g = field(soviet("S", "1910"), *ring, german("H", start, status=status))
        assert is_nearly_surrounded(g, unit(g, "S")) is closes, (start, status)
    open_two = [german("G", "1911", status=["dispersed"]), german("I", "1810", status=["dispersed"])]
    g = field(soviet("S", "1910"), *open_two, german("H", "2008"))
    assert is_nearly_surrounded(g, unit(g, "S")), "1909 and 2009 are open; H covers both"
    g = field(soviet("S", "1910"), *open_two, german("H", "2008", status=["isolated"]))
    assert not is_nearly_surrounded(g, unit(g, "S")), "isolated, it closes one of them"


@rule("kharkov43", "9.3i")
@pytest.mark.parametrize(("option", "counts"), [("yes", True), ("no", False)])
def test_whether_a_surrounded_unit_is_nearly_surrounded_is_a_switch(option, counts):
    g = field(soviet("S", "1910"), german("G", "1911"), german("H", "1909"), options={"surrounded_is_nearly": option})
    assert is_nearly_surrounded(g, unit(g, "S")) is counts


@rule("kharkov43", "9.3j")
def test_not_in_a_friendly_map_edge_hex():
    ground = arena(**OPEN, soviet_edge="1910")
    g = field(soviet("S", "1910"), german("G", "1911"), panzer("H", "1712"), board=ground)
    assert not is_nearly_surrounded(g, unit(g, "S"))


@rule("kharkov43", "9.3i")
def test_garrisons_stop_the_german_move_that_would_surround():
    ground = arena(**OPEN, features={"1709": "village"})
    doc = {"board": ground, "turn": 4}
    units = [soviet("S", "1910"), german("G", "1911"), panzer("H", "1712")]
    assert is_nearly_surrounded(field(*units, **doc), 0)
    assert not is_nearly_surrounded(field(*units, **doc, garrisons="1709"), 0)


@rule("kharkov43", "9.3i")
@example("kharkov43", "X18")
def test_nearly_surrounded_example():
    """07: German 05 by 1814. 06: German 01 or German 07. 08: it would take two moves."""
    units = [
        soviet("S07", "1813", "3-4-07"),
        german("G02", "1712", status=["dispersed"]),
        german("G03", "1912", status=["dispersed"]),
        german("G05", "1816", "3-4-05"),
        soviet("S06", "1609", "3-4-06"),
        german("G04", "1610", status=["dispersed"]),
        german("G01", "1506", "3-4-01"),
        german("G07", "1806", "3-4-07"),
        soviet("S08", "2108", "3-4-08"),
        german("G09", "2209", "3-4-09"),
    ]
    g = field(*units, board=arena(columns=range(5, 19), roads_on=(), soviet_edge="", german_edge=""))
    assert why_nearly_surrounded(g, hx(g, "1813")).reason == "G05 could surround 1813 by a move to 1814"
    assert is_nearly_surrounded(g, unit(g, "S06"))
    for name, other in (("G01", "G07"), ("G07", "G01")):
        x = g.copy()
        x.take_off(unit(g, other), 2)
        assert why_nearly_surrounded(x, hx(g, "1609")).reason == f"{name} could surround 1609 by a move to 1608"
    assert not is_nearly_surrounded(g, unit(g, "S08"))


@rule("kharkov43", "9.3i")
@pytest.mark.parametrize(("at", "nearly"), [("1914", True), ("1915", False)])
def test_a_german_unit_surrounds_from_two_hexes_away_with_its_last_movement_point(at, nearly):
    """Only 1909 beside A is open; from 1910, two hexes from A, a unit of four points would close it."""
    units = [
        soviet("A", "1908"),
        german("N", "1708", "3-1", status=["dispersed"]),
        german("E", "1906", "3-1", status=["dispersed"]),
        german("S", "2108", "3-1", status=["dispersed"]),
        german("G", at, "3-4"),
    ]
    g = position(board=arena(**OPEN, soviet_edge="1506"), turn=8, units=units)
    assert shown(g, g.map.grid.near[g.map.grid.hex("1908")] & ~zoc(g, GERMAN)) == "1909"
    assert is_nearly_surrounded(g, unit(g, "A")) is nearly


# --- overwhelming ----------------------------------------------------------------------------------------------------


@rule("kharkov43", "9.3h")
def test_what_makes_an_attack_overwhelming():
    g = field(
        german("G", "1910"), german("D", "1908", status=["dispersed"]), german("O", "1909", status=["out_of_supply"])
    )
    g.set_status(unit(g, "G"), 0)
    fresh, dispersed, unsupplied = ([unit(g, n)] for n in "GDO")

    def over(attack, defence, chits, defenders, target="1910"):
        return why_overwhelming(g, attack, defence, chits, defenders, hx(g, target)) is not None

    assert [over(a, 3, 4, fresh) for a in (23, 24)] == [False, True], "8:1"
    assert [over(18, 3, c, fresh) for c in (6, 7)] == [False, True], "6:1 and seven chits"
    assert [over(a, 3, 7, fresh) for a in (17, 18)] == [False, True]
    assert [over(a, 3, 4, dispersed) for a in (14, 15)] == [False, True], "5:1 against dispersed units"
    assert over(15, 3, 4, unsupplied)
    assert not over(15, 3, 4, [*dispersed, *fresh]), "not all of them"


@rule("kharkov43", "9.3h")
def test_isolated_defenders_outside_vp_hexes_are_always_overwhelmed():
    ground = arena(terrain={"1908": "town"})
    g = field(german("G", "1910", status=["isolated"]), german("H", "1908", status=["isolated"]), board=ground)
    assert why_overwhelming(g, 1, 9, 1, [unit(g, "G")], hx(g, "1910")) is not None
    assert why_overwhelming(g, 1, 9, 1, [unit(g, "H")], hx(g, "1908")) is None, "in a VP hex"


def test_hexes_of_the_map_have_no_more_than_six_neighbours():
    g = field(objectives=southwest("1910"))
    assert all(len(members(g.map.grid.near[h])) <= 6 for h in g.map.grid.hexes)


CORNER = arena((15, 16), range(6, 12), **OPEN)
