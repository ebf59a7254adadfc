"""9.21 Methods A 9 to 12: garrisons, movement arrows, the objective, attacks to be strengthened."""

from __future__ import annotations

import pytest

from kessel.games.kharkov43.system.methods import methods_a as a
from kessel.games.kharkov43.system.terms.arrows import arrow_moves, arrows_at

from .helpers import german, hx, position, soviet, unit
from .soviet_helpers import (
    active,
    active_tanks,
    arena,
    march,
    prefers,
    southwest,
    traced,
    voronezh,
    wanted,
)
from .test_09_21_methods_a import OPEN, arrows, towns

rule = pytest.mark.rule


# --- 9 relieve garrison ----------------------------------------------------------------------------------------------

VILLAGES = {"features": {"1910": "village target_southwest", "1711": "village target_southwest"}}


def relieving(turn, *units, features=VILLAGES, garrisons="1910", german_edge="", **doc):
    return position(
        board=arena(**features, **OPEN, german_edge=german_edge),
        turn=turn,
        objectives=southwest("2206"),
        garrisons=garrisons,
        units=[active("A", "1907"), *units],
        **doc,
    )


@rule("kharkov43", "9.21.9a")
def test_from_turn_4_a_threatened_supplied_garrison_is_relieved():
    g = relieving(4, german_edge="1913")
    assert march(g)["A"] == ("1910", "9.21.9"), "German supply reaches it"
    assert not g.garrisons, "the garrison goes"
    assert wanted(relieving(4, german("G", "1915")), "A", a.relieve_garrison) == "1910", "G could get beside it"
    assert wanted(relieving(4, german("G", "1916")), "A", a.relieve_garrison) == "", "G could not"
    assert "9.21.9" in {c.rule for c in traced(relieving(3, german_edge="1913")) if c.skipped is not None}
    other = {"features": {"1910": "village target_voronezh"}}
    assert wanted(relieving(4, features=other, german_edge="1913"), "A", a.relieve_garrison) == "", "other front"
    cut = position(
        board=arena(**VILLAGES, **OPEN, german_edge="1913", soviet_edge="1506"),
        turn=4,
        objectives=southwest("2206"),
        garrisons="1910",
        units=[active("A", "1907"), german("G", "1707"), german("H", "1509")],
    )
    assert wanted(cut, "A", a.relieve_garrison) == "", "no Soviet supply"


@rule("kharkov43", "9.21.9b")
def test_a_garrison_beside_a_soviet_unit_is_not_eligible_unless_it_is_a_vp_hex():
    assert wanted(relieving(4, soviet("S", "1809"), german_edge="1913"), "A", a.relieve_garrison) == ""
    g = relieving(4, soviet("S", "1809"), features=towns("1910"), soviet_towns="1910", german_edge="1913")
    assert wanted(g, "A", a.relieve_garrison) == "1910"


@rule("kharkov43", "9.21.9c")
def test_a_garrison_beside_a_german_unit_is_preferred():
    g = relieving(4, german("G", "1712"), garrisons="1910 1711", german_edge="1913")
    assert prefers(g, "A", a.relieve_garrison, "9.21.9", "1711 1910") == "1711"


# --- 10 follow movement arrows ---------------------------------------------------------------------------------------

ROW_19 = "1907 1908 1909 1910 1911 1912 1913 1914 1915 1916"


def following(arrow_list, *units, faces="5-4-05", **ground):
    return position(
        board=arena(arrows=arrow_list, **OPEN, **ground),
        turn=3,
        objectives=southwest("1917"),
        units=[active_tanks("A", "1907", faces), *units],
    )


@rule("kharkov43", "9.21.10a")
def test_arrows_are_followed_only_if_the_whole_allowance_is_spent():
    def run(*units, **ground):
        return wanted(following(arrows(ROW_19), *units, **ground), "A", a.follow_arrows)

    assert run() == "1911"
    assert march(following(arrows(ROW_19)))["A"] == ("1911", "9.21.10")
    assert run(terrain={"1909": "broken"}) == "1910", "1 + 2 + 1"
    assert run(terrain={"1911": "broken"}) == "", "one point would be left in 1910"
    assert run(german("G", "1810")) == "", "stopped by a zone in 1910"
    assert run(german("G", "1812")) == "1911", "a zone in the last hex does no harm"


@rule("kharkov43", "9.21.10a")
@rule("kharkov43", "10.0e")
def test_along_arrows_too_a_unit_moves_at_least_one_hex():
    arrows = [{"kind": "primary", "from": "1909", "to": "1910"}, {"kind": "primary", "from": "1910", "to": "1911"}]
    ground = arena(**OPEN, arrows=arrows, terrain={"1910": "woods"})
    g = position(board=ground, turn=1, units=[active("A", "1909", "3-1-05")])
    assert [g.hex_name(h) for h in arrow_moves(g, unit(g, "A"), "Southwest")] == ["1910"], "two points, of one"
    two = position(board=ground, turn=1, units=[active("A", "1909", "3-2-05")])
    assert [two.hex_name(h) for h in arrow_moves(two, unit(two, "A"), "Southwest")] == ["1910"]
    four = position(board=ground, turn=1, units=[active("A", "1909", "3-4-05")])
    assert arrow_moves(four, unit(four, "A"), "Southwest") == {}, "one point is left in 1911"


@rule("kharkov43", "9.21.10b")
def test_primary_and_secondary_arrows_but_not_those_of_the_other_front():
    def run(*more):
        return wanted(following(list(more)), "A", a.follow_arrows)

    assert run(*arrows(ROW_19, kind="secondary")) == "1911"
    assert run(*arrows(ROW_19, only="S")) == "1911"
    assert run(*arrows(ROW_19, only="V")) == ""
    assert run(*arrows("1908 1909 1910 1911 1912")) == "", "no arrow in its own hex"


@rule("kharkov43", "9.21.10b")
def test_an_arrow_may_point_into_the_first_hex_of_a_board():
    ground = arena((15, 16), range(6, 12), **OPEN, arrows=[{"kind": "primary", "from": "1507", "to": "1506"}])
    g = position(board=ground, turn=2)
    assert arrows_at(g, g.map.grid.hex("1507"), "Southwest") == [(0, "primary")]


@rule("kharkov43", "9.21.10c")
def test_a_point_may_be_spent_to_leave_a_zone_at_the_start():
    g = following(arrows(ROW_19), german("G", "1906"))
    assert wanted(g, "A", a.follow_arrows) == "1910", "one point for the zone, three hexes"


@rule("kharkov43", "9.21.10d")
def test_preferences_unoccupied_farthest_nearest_objective_primary():
    three = "5-3-05"
    fork = [*arrows("1907 1908 1909 1910"), *arrows("1907 2007 2008 2009", kind="secondary")]
    g = following(fork, soviet("S", "1910"), faces=three)
    assert wanted(g, "A", a.follow_arrows) == "1910 2009"
    assert prefers(g, "A", a.follow_arrows, "10a", "1910 2009") == "2009"
    assert march(g)["A"] == ("2009", "9.21.10")
    g = following([*fork, *arrows("1908 1808 1708")], faces=three)
    assert prefers(g, "A", a.follow_arrows, "10b", "1910 1708") == "1910", "1708 is two hexes from the start"
    assert prefers(g, "A", a.follow_arrows, "10c", "1910 2009") == "1910", "nearer to 1917"
    assert prefers(g, "A", a.follow_arrows, "10d", "1910 2009") == "1910", "primary arrows all the way"
    level = [*arrows("1907 2007 2008 2009", kind="secondary"), *arrows("1907 1807 1808 1809")]
    assert march(following(level, faces=three))["A"] == ("1809", "9.21.10"), "though 2009 has the higher number"


@rule("kharkov43", "9.21.10d")
def test_arrows_lead_the_units_of_both_fronts_closest_to_their_objective():
    arrows = [
        {"kind": "primary", "from": "1907", "to": "1807"},
        {"kind": "secondary", "from": "1907", "to": "2007"},
    ]
    for army, front in (("3T", "Voronezh"), ("Popov", "Southwest")):
        g = position(
            board=arena(**OPEN, arrows=arrows),
            turn=1,
            objectives=southwest("2216") | voronezh("2216"),
            units=[active_tanks("A", "1907", "5-1-01", army=army)],
        )
        assert march(g, front) == {"A": ("2007", "9.21.10")}, front


@rule("kharkov43", "9.21.10e")
def test_the_secondary_direction_is_taken_where_the_primary_one_strands_points():
    fork = [*arrows("1907 1908 1909 1910"), *arrows("1907 2007 2008 2009", kind="secondary")]
    assert march(following(fork, faces="5-3-05", terrain={"1910": "broken"}))["A"] == ("2009", "9.21.10")
    assert march(following(fork, german("G", "1808"), faces="5-3-05"))["A"] == ("2009", "9.21.10"), "a zone in 1908"


# --- 11 closest to front objective -----------------------------------------------------------------------------------


@rule("kharkov43", "9.21.11a")
def test_strictly_closer_to_the_front_objective_or_not_at_all():
    g = position(board=arena(**OPEN), objectives=southwest("1917"), units=[active("A", "1907", "3-1-05")])
    assert wanted(g, "A", a.closest_to_front_objective) == "1908", "1807 and 2007 are as far away as 1907"
    g = position(board=arena(**OPEN), objectives=southwest("1917"), units=[active_tanks("A", "1907", "5-3-05")])
    assert march(g)["A"] == ("1910", "9.21.11")
    g = position(board=arena(**OPEN), objectives=southwest("1907"), units=[active_tanks("A", "1907", "5-3-05")])
    assert wanted(g, "A", a.closest_to_front_objective) == ""


@rule("kharkov43", "9.21.11b")
def test_closest_then_beside_the_weakest_german_then_an_empty_hex():
    g = position(
        board=arena(**OPEN),
        objectives=southwest("1917"),
        units=[active("A", "1907"), german("G", "1713", "5-4"), german("H", "2113", "2-4"), soviet("S", "1911")],
    )
    method = a.closest_to_front_objective
    assert prefers(g, "A", method, "11a", "1910 1911 1812") == "1812"
    assert prefers(g, "A", method, "11b", "1712 2112") == "2112", "H is weaker than G"
    assert prefers(g, "A", method, "11b", "1812 1911") == "1812", "beside any before beside none"
    assert prefers(g, "A", method, "11c", "1811 1911") == "1811"


@rule("kharkov43", "9.21.11c")
@rule("kharkov43", "9.3e")
def test_distance_ignores_units_and_terrain_but_not_blocked_dniepr_hexsides():
    plain = position(board=arena(**OPEN, terrain={"1908": "marsh"}), units=[german("G", "1909")])
    assert plain.ground.distance(hx(plain, "1907"), hx(plain, "1911")) == 4
    sides = ["1908|1909", "1808|1909", "1908|1909", "1909|2008", "1808|1809", "2008|2009"]
    blocked = position(board=arena(**OPEN, rivers=dict.fromkeys(sides, "blocked_dniepr")), units=[])
    assert blocked.ground.distance(hx(blocked, "1908"), hx(blocked, "1909")) > 2
    wall = dict.fromkeys([f"{r}08|{r}09" for r in range(15, 23)] + _diagonals(), "blocked_dniepr")
    g = position(board=arena(**OPEN, rivers=wall), objectives=southwest("1917"), units=[active("A", "1907", "3-9-05")])
    assert wanted(g, "A", a.closest_to_front_objective) == "", "no way at all: nothing is closer"


def _diagonals():
    """The slanting hexsides between columns 08 and 09."""
    found = []
    for r in range(15, 22):
        odd, even = (r, r + 1) if r % 2 else (r + 1, r)
        pair = sorted((f"{even}08", f"{odd}09"))
        found.append("|".join(pair))
    return found


# --- 12 strengthen potential attack ----------------------------------------------------------------------------------


@rule("kharkov43", "9.21.12a")
@rule("kharkov43", "9.21.12b")
def test_a_unit_joins_another_active_unit_beside_a_german_and_only_from_afar():
    def run(status, at="1907", other="1910"):
        g = position(
            board=arena(**OPEN),
            turn=2,
            objectives=southwest("1917"),
            units=[
                active("A", at, "3-4-09", army="Popov"),
                soviet("S", other, "3-4-01", army="Popov", status=status),
                german("G", "1911"),
            ],
        )
        return wanted(g, "A", a.strengthen_attack)

    assert run(["active"]) == "1810 1910 2010"
    assert run([]) == "", "S is not active"
    assert run(["active"], other="1908") == "", "S is not beside a German unit"
    assert run(["active"], at="1811") == "", "A is beside G already"


@rule("kharkov43", "9.21.12a")
def test_the_last_method_moves_a_unit_that_cannot_get_closer_to_the_objective():
    g = position(
        board=arena(**OPEN),
        turn=2,
        objectives=southwest("1907"),
        units=[
            active("A", "1907", "3-4-09", army="Popov"),
            active("S", "1910", "3-4-01", army="Popov"),
            german("G", "1911"),
            german("H", "1909", status=["isolated"]),
            german("I", "1809", status=["isolated"]),
            german("J", "2009", status=["isolated"]),
        ],
    )
    found = march(g)
    assert "S" not in found, "no hex closer to the marker is open to it"
    assert found["A"][1] == "9.21.12"


@rule("kharkov43", "9.21.12a")
def test_only_another_active_unit_makes_an_attack_to_be_strengthened():
    ground = arena((15, 16), range(6, 12), **OPEN)
    units = [active("A", "1510"), german("G", "1507", "9-4"), soviet("S", "1606")]
    g = position(board=ground, turn=1, objectives=southwest("1506"), units=units)
    assert g.map.grid.hex("1506") == 0
    assert wanted(g, "A", a.strengthen_attack) == "", "S is beside G but not active"
    g = position(board=ground, turn=1, objectives=southwest("1506"), units=[*units[:2], active("S", "1606")])
    assert wanted(g, "A", a.strengthen_attack) != ""
