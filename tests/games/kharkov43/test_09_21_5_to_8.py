"""9.21 Methods A 5 to 8: Soviet VP hexes, German VP hexes, logistics hexes, German units."""

from __future__ import annotations

import pytest

from kessel.games.kharkov43.system.methods import methods_a as a
from kessel.games.kharkov43.system.methods.methods import Check, Go, Stay, review_stay

from .helpers import german, position, soviet, tanks, unit
from .soviet_helpers import (
    active,
    active_tanks,
    arena,
    march,
    orders,
    prefers,
    shown,
    southwest,
    told_to_stay,
    wanted,
)
from .test_09_21_methods_a import OPEN, towns

rule = pytest.mark.rule


# --- 5 to Soviet VP hex ----------------------------------------------------------------------------------------------


@rule("kharkov43", "9.21.5a")
@rule("kharkov43", "9.21.5b")
def test_a_unit_goes_to_an_empty_or_garrisoned_soviet_target_town_under_threat():
    def run(turn, *units, targets="target_southwest", garrisons="", german_edge=""):
        g = position(
            board=arena(**towns("1910", targets=targets), **OPEN, german_edge=german_edge),
            turn=turn,
            objectives=southwest("1917"),
            soviet_towns="1910",
            garrisons=garrisons,
            units=[active("A", "1907"), *units],
        )
        return wanted(g, "A", a.to_soviet_vp_hex)

    assert run(3, german("G", "1914")) == "1910", "G is proximate"
    assert run(3, german("G", "1915")) == "", "G is not"
    assert run(4, german("G", "1915"), garrisons="1910") == "1910", "G could get beside the garrison"
    assert run(2, german_edge="1911") == "", "supply counts from turn 3"
    assert run(3, german_edge="1911") == "1910", "German supply is traceable to the town"
    assert run(3, german("G", "1914"), targets="target_voronezh") == "", "not a target of the front"
    assert run(3, german("G", "1914"), soviet("S", "1910")) == "", "occupied"


@rule("kharkov43", "9.21.5a")
def test_the_move_to_a_soviet_vp_hex_is_made_by_the_highest_selector():
    g = position(
        board=arena(**towns("1910"), **OPEN),
        turn=3,
        objectives=southwest("1917"),
        soviet_towns="1910",
        units=[active("A", "1907", "3-4-03"), active("B", "1907", "3-4-08"), german("G", "1914")],
    )
    assert march(g)["B"] == ("1910", "9.21.5")


@rule("kharkov43", "9.21.5c")
def test_preferences_german_adjacent_then_empty_then_value():
    g = position(
        board=arena(**towns("1710", "2010") | {"vp": {"1710": 3, "2010": 1}}, **OPEN),
        turn=4,
        objectives=southwest("1917"),
        soviet_towns="1710 2010",
        garrisons="1710",
        units=[active("A", "1808"), german("G", "1711")],
    )
    keep = [prefers(g, "A", a.to_soviet_vp_hex, f"5{x}", "1710 2010") for x in "abc"]
    assert keep == ["1710", "2010", "1710"]


@rule("kharkov43", "9.21.5c")
@rule("kharkov43", "9.22.3a-p")
@rule("kharkov43", "9.3c")
@pytest.mark.parametrize(("turn", "objective", "method"), [(4, southwest("1516"), "9.21.5"), (5, {}, "9.22.3")])
def test_a_german_unit_over_a_blocked_hexside_is_adjacent_to_a_vp_hex(turn, objective, method):
    """9.3: only between units the blocked Dniepr counts. Else 1912, the higher number, would be taken."""
    town = {"1712": "town", "1912": "town"}
    g = position(
        board=arena(
            terrain=town,
            features=dict.fromkeys(town, "target_southwest"),
            vp=dict.fromkeys(town, 1),
            rivers={"1712|1713": "blocked_dniepr"},
        ),
        turn=turn,
        objectives=objective,
        soviet_towns=list(town),
        units=[active("A", "1810"), german("G", "1713")],
    )
    assert march(g) == {"A": ("1712", method)}


@rule("kharkov43", "9.21.5d")
def test_infantry_joins_armor_alone_in_a_vp_hex_whatever_the_threat():
    def run(mover, *holders):
        g = position(
            board=arena(**towns("1910", targets="target_voronezh"), **OPEN, german_edge=""),
            turn=3,
            objectives=southwest("1917"),
            units=[mover, *holders],
        )
        return march(g).get(mover["id"], ("", ""))

    assert run(active("A", "1907"), tanks("T", "1910")) == ("1910", "9.21.5")
    cavalry = soviet("C", "1907", "4-5-05", "cavalry", status=["active"])
    assert run(cavalry, tanks("T", "1910")) == ("1910", "9.21.5"), "cavalry is non-mechanized"
    assert run(active("A", "1907"), tanks("T", "1910"), soviet("I", "1910"))[1] == "9.21.11", "not only armor"
    mechanized = soviet("M", "1907", "4-6-05", "mechanized", status=["active"])
    assert run(mechanized, tanks("T", "1910"))[1] == "9.21.11", "mechanized units do not"
    assert run(active("A", "1906", "3-3-05"), tanks("T", "1910"))[1] == "9.21.11", "out of reach"


@rule("kharkov43", "9.21.5d")
def test_infantry_prefers_an_unoccupied_threatened_town_to_joining_armor():
    g = position(
        board=arena(**towns("1910", "1709"), **OPEN),
        turn=3,
        objectives=southwest("1917"),
        soviet_towns="1709",
        units=[active("A", "1808"), tanks("T", "1910"), german("G", "1713")],
    )
    assert [shown(g, o.hexes) for o in orders(g, "A", a.to_soviet_vp_hex)] == ["1709", "1910"]


@rule("kharkov43", "9.21.5e")
def test_infantry_that_starts_with_only_armor_in_a_vp_hex_stays():
    def run(*others, at="1910"):
        g = position(
            board=arena(**towns("1910"), **OPEN),
            turn=3,
            objectives=southwest("1917"),
            units=[active("A", at), *others],
        )
        return told_to_stay(g).get("A")

    assert run(tanks("T", "1910")) == "9.21.5"
    assert run() is None, "alone"
    assert run(tanks("T", "1910"), soviet("I", "1910", "2-4")) is None, "other infantry is there"
    assert run(tanks("T", "1908"), at="1908") is None, "no VP hex"


@rule("kharkov43", "9.21.5e")
def test_infantry_holding_a_vp_hex_with_armor_is_not_shifted_by_tactical_preferences():
    """2009 is beside G, empty and away from T; but 9.25 moves only units whose order to stay allows it."""
    ground = arena(**OPEN, terrain={"1809": "town"})
    units = [
        active("A", "1809", "3-5-05"),
        soviet("T", "1809", "3-6-09", "armor", army="40"),
        german("G", "1910", "9-4"),
    ]
    g = position(board=ground, turn=6, vp=30, objectives=southwest("1517"), units=units)
    assert told_to_stay(g) == {"A": "9.21.5"}
    c = Check(g, unit(g, "A"), "Southwest")
    assert review_stay(c, Stay("9.21.8", "", review=True)) is not None, "another order would let it go"


# --- 6 adjacent to German VP hex -------------------------------------------------------------------------------------


@rule("kharkov43", "9.21.6a")
def test_beside_a_german_vp_hex_targeted_for_the_front():
    def run(targets):
        g = position(
            board=arena(**towns("1911", targets=targets), **OPEN),
            turn=4,
            objectives=southwest("1507"),
            units=[active("A", "1907"), german("G", "1911")],
        )
        return wanted(g, "A", a.beside_german_vp_hex), march(g)["A"]

    assert run("target_southwest") == ("1810 1910 2010", ("1810", "9.21.6"))
    assert run("target_southwest target_voronezh")[1][1] == "9.21.6"
    assert run("target_voronezh")[0] == ""


@rule("kharkov43", "9.21.6b")
def test_least_strength_then_value():
    def keep(letter, strengths, vp):
        g = position(
            board=arena(**towns("1712", "2012") | {"vp": vp}, **OPEN),
            turn=6,
            objectives=southwest("1506"),
            units=[
                active("A", "1808"),
                german("G", "1712", f"{strengths[0]}-4"),
                german("H", "2012", f"{strengths[1]}-4"),
            ],
        )
        return prefers(g, "A", a.beside_german_vp_hex, letter, "1711 2011")

    assert keep("6a", (1, 2), {"1712": 1, "2012": 5}) == "1711"
    assert keep("6a", (2, 1), {"1712": 5, "2012": 1}) == "2011"
    assert keep("6b", (2, 2), {"1712": 1, "2012": 5}) == "2011"


@rule("kharkov43", "9.21.6c")
def test_a_unit_beside_the_most_qualified_vp_hex_stays():
    def run(at_1710, at_1713):
        return position(
            board=arena(**towns("1710", "1713"), **OPEN),
            turn=6,
            objectives=southwest("2206"),
            units=[
                active_tanks("A", "1709", "5-8-05", army="6"),
                german("G", "1710", f"{at_1710}-4"),
                german("H", "1713", f"{at_1713}-4"),
            ],
        )

    assert told_to_stay(run(1, 3)) == {"A": "9.21.6"}
    assert told_to_stay(run(2, 2)) == {"A": "9.21.6"}
    assert march(run(3, 1))["A"] == ("1812", "9.21.6"), "beside the weaker H"


@rule("kharkov43", "9.21.6c")
def test_a_unit_beside_the_most_qualified_vp_hex_is_sent_nowhere_else():
    ground = arena(**OPEN, terrain={"1910": "town"}, features={"1910": "target_southwest"})
    g = position(
        board=ground,
        turn=6,
        vp=30,
        objectives=southwest("1517"),
        units=[active("A", "1909"), german("G", "1910", "9-4")],
    )
    go, stay = orders(g, "A", a.beside_german_vp_hex)
    assert isinstance(go, Go)
    assert go.hexes == 0
    assert isinstance(stay, Stay)


# --- 7 logistics hexes -----------------------------------------------------------------------------------------------

LOGISTICS = {"features": {"1711": "logistics_southwest", "2011": "logistics_southwest", "1911": "logistics_voronezh"}}


@rule("kharkov43", "9.21.7a")
def test_beside_an_unsurrounded_german_in_a_logistics_hex_of_the_front():
    def run(*units):
        g = position(
            board=arena(**LOGISTICS, **OPEN),
            turn=4,
            objectives=southwest("2206"),
            units=[active("A", "1808"), *units],
        )
        return wanted(g, "A", a.beside_german_in_logistics_hex)

    assert run(german("G", "1711")) == "1610 1710 1810 1811"
    assert run(german("G", "1911")) == "", "a logistics hex of the other front"
    assert run(german("G", "1710")) == "", "no logistics hex"
    assert run(german("G", "1711"), soviet("S", "1710"), soviet("T", "1712")) == "", "surrounded"


@rule("kharkov43", "9.21.7a")
@rule("kharkov43", "9.21.7b")
def test_the_weakest_stack_then_the_easternmost_hex():
    def run(letter, among, *units):
        g = position(
            board=arena(**LOGISTICS, **OPEN), turn=6, objectives=southwest("1506"), units=[active("A", "1808"), *units]
        )
        return prefers(g, "A", a.beside_german_in_logistics_hex, letter, among)

    two = [german("G", "1711", "2-4"), german("H", "2011", "3-4")]
    assert run("7a", "1710 2010", *two) == "1710"
    assert run("7a", "1710 2010", *two, german("I", "1711", "2-4")) == "2010", "the whole stack counts"
    assert run("7b", "1611 1710 1810", german("G", "1711", "2-4")) == "1710", "half a hex further east"
    g = position(
        board=arena(**LOGISTICS, **OPEN), turn=4, objectives=southwest("2206"), units=[active("A", "1808"), two[0]]
    )
    assert march(g)["A"] == ("1710", "9.21.7")


@rule("kharkov43", "9.21.7b")
@pytest.mark.parametrize(("option", "kept"), [("hex_to_move_to", "1910"), ("german_hex", "1711")])
def test_which_hex_is_the_easternmost_is_a_switch(option, kept):
    """O6: 1711 is beside the German in 1710, 1910 beside the one in 1911."""
    g = position(
        board=arena(features={"1710": "logistics_southwest", "1911": "logistics_southwest"}, **OPEN),
        turn=6,
        objectives=southwest("1506"),
        options={"easternmost": option},
        units=[active("A", "1907"), german("G", "1710", "1-4"), german("H", "1911", "1-4")],
    )
    assert prefers(g, "A", a.beside_german_in_logistics_hex, "7b", "1711 1910") == kept


@rule("kharkov43", "9.21.7b")
@rule("kharkov43", "9.25.1")
def test_what_the_tactical_preferences_leave_open_the_method_decides_for_a_unit_told_to_stay():
    """A stays beside L in its logistics hex but shares its hex with B: 1812 and 1912 are empty and away from B and C.

    The method wants the easternmost, 1912; the tiebreaker would take 1812, closer to the objective.
    """
    g = position(
        board=arena(features={"1811": "logistics_southwest"}, roads_on=()),
        turn=6,
        objectives=southwest("1516"),
        units=[
            active("A", "1810", "3-7-05"),
            soviet("B", "1810", army="1G"),
            soviet("C", "1612", army="1G", status=["isolated"]),
            german("L", "1811"),
        ],
    )
    assert march(g) == {"A": ("1912", "9.21.7")}


@rule("kharkov43", "9.21.7b")
@rule("kharkov43", "9.25.1")
def test_the_easternmost_hex_is_preferred_even_of_hexes_round_another_german_unit():
    """A stays beside L; round H 1709, 1808 and 1909 are away from B. 1709 is closest to the objective, 1808 east."""
    g = position(
        board=arena(features={"1811": "logistics_southwest"}, roads_on=()),
        turn=6,
        objectives=southwest("1516"),
        units=[
            active("A", "1810", "3-4-05"),
            soviet("B", "1810", army="1G", status=["isolated"]),
            german("L", "1811"),
            german("H", "1809", status=["isolated"]),
        ],
    )
    assert march(g) == {"A": ("1808", "9.21.7")}


@rule("kharkov43", "9.21.7c")
def test_a_unit_beside_a_german_in_a_logistics_hex_stays():
    g = position(
        board=arena(**LOGISTICS, **OPEN),
        turn=4,
        objectives=southwest("2206"),
        units=[active("A", "1710"), german("G", "1711", "5-4"), german("H", "2011", "1-4")],
    )
    assert told_to_stay(g) == {"A": "9.21.7"}, "although a weaker one is in reach"


# --- 8 adjacent to German unit ---------------------------------------------------------------------------------------


@rule("kharkov43", "9.21.8a")
def test_an_unoccupied_hex_beside_a_german_unit_away_from_soviets_beside_it():
    def run(*units):
        g = position(
            board=arena(**OPEN), turn=4, objectives=southwest("2206"), units=[active("A", "1907", "3-9"), *units]
        )
        return wanted(g, "A", a.beside_german_unit)

    assert run(german("G", "1911")) == "1810 1811 1910 1912 2010 2011"
    assert run(german("G", "1911"), soviet("S", "1912")) == "1810 1910 2010", "the others are beside S"
    assert run(german("G", "1911"), soviet("S", "1910")) == "1811 1912 2011"
    beside_other = run(german("G", "1911"), german("H", "1909"), soviet("S", "1912"))
    assert "1811" not in beside_other.split()
    assert "1810" in beside_other.split(), "1810 is beside G only by itself"


@rule("kharkov43", "9.21.8a")
def test_the_move_beside_a_german_unit():
    g = position(
        board=arena(**OPEN), turn=4, objectives=southwest("2206"), units=[active("A", "1907"), german("G", "1911")]
    )
    assert march(g)["A"] == ("2010", "9.21.8"), "closest to the marker"


@rule("kharkov43", "9.21.8b")
def test_most_german_units_then_an_untouched_one_then_the_closest():
    def run(letter, among, *units):
        g = position(board=arena(**OPEN), turn=6, objectives=southwest("1506"), units=[active("A", "1907"), *units])
        return prefers(g, "A", a.beside_german_unit, letter, among)

    g, h, i = german("G", "1711"), german("H", "2011"), german("I", "2011")
    assert run("8a", "1710 2010", g, h, i) == "2010", "two units in 2011"
    assert run("8a", "1710 2010", g, h) == "1710 2010"
    assert run("8b", "1710 2010", g, h, soviet("S", "2012")) == "1710", "S is beside H"
    assert run("8a", "1710 2010", g) == "1710", "2010 is beside none"


@rule("kharkov43", "9.21.8b")
def test_the_closest_german_unit_is_the_one_closest_to_the_start():
    g = position(
        board=arena(**OPEN),
        turn=6,
        objectives=southwest("1506"),
        units=[active("A", "1907"), german("G", "1911"), german("H", "1612")],
    )
    assert prefers(g, "A", a.beside_german_unit, "8c", "1910 1611") == "1910", "G is four hexes away, H is more"


@rule("kharkov43", "9.21.8c")
def test_a_unit_that_starts_so_stays():
    def run(*units):
        g = position(board=arena(**OPEN), turn=4, objectives=southwest("1917"), units=[active("A", "1910"), *units])
        return told_to_stay(g).get("A")

    assert run(german("G", "1911")) == "9.21.8"
    assert run(german("G", "1911"), soviet("S", "1810")) is None, "beside a Soviet unit that is beside G"
    assert run(german("G", "1911"), soviet("S", "1910", "2-4")) is None, "the hex is occupied by another unit"
