"""9.24 Tiebreakers, 9.25 tactical preferences, 9.26 army objectives, 9.27 unsupplied units."""

from __future__ import annotations

import pytest

from kessel.core.breakdown import Refusal
from kessel.core.hexset import members
from kessel.games.kharkov43.supply.supply import field_without
from kessel.games.kharkov43.system.methods import methods_a as a
from kessel.games.kharkov43.system.methods import methods_army as army
from kessel.games.kharkov43.system.methods.methods import Check, Go, Stay, end_of, review_stay
from kessel.games.kharkov43.system.methods.methods_unsupplied import to_supply, why_not_move_unsupplied
from kessel.games.kharkov43.system.terms.choosing import those
from kessel.games.kharkov43.system.terms.preferences import distance_to, marker_of, tactical_preferences, tiebreakers
from kessel.games.kharkov43.system.terms.terminology import beside_germans, surrounded_hexes
from tests.games.kharkov43.soviet_helpers import EAST

from .helpers import german, hx, position, soviet, unit
from .soviet_helpers import (
    active,
    active_tanks,
    arena,
    hexset,
    march,
    objective,
    orders,
    prefers,
    shown,
    southwest,
    told_to_stay,
    traced,
    wanted,
)

rule = pytest.mark.rule
example = pytest.mark.example
OPEN = {"roads_on": ()}
HALF = " ".join(f"{r}06-{r}10" for r in range(15, 23))
LINES = {"east_support_zone": HALF, "west_support_zone": HALF, "far_limit_zone": HALF}


def kept(g, preferences, letter, among):
    found = [p for p in preferences if p.rule.endswith(letter)]
    return shown(g, found[0].keep(hexset(g, among))) if found else None


# --- 9.24 ------------------------------------------------------------------------------------------------------------


def breaking(letter, among, *units, turn=6, objectives=None, vp=30, army="6"):
    g = position(
        board=arena(**OPEN, areas=LINES),
        turn=turn,
        vp=vp,
        objectives=southwest("1913") if objectives is None else objectives,
        units=[active("A", "1907", army=army), *units],
    )
    return kept(g, tiebreakers(g, unit(g, "A")), letter, among)


@rule("kharkov43", "9.24a")
def test_tiebreak_a_closest_to_the_units_objective_marker_if_in_play():
    assert breaking("24a", "1909 1910") == "1910"
    assert breaking("24a", "1909 1910", objectives={}) is None
    assert (
        breaking("24a", "1909 1910", objectives=southwest("1913") | {"1G": objective("1908", "")}, army="1G") == "1909"
    )


@rule("kharkov43", "9.24a")
@rule("kharkov43", "9.24c")
@rule("kharkov43", "9.21.2a")
@pytest.mark.parametrize(("army", "front"), [("69", "Voronezh"), ("6", "Southwest")])
def test_the_markers_of_both_fronts_guide_their_units(army, front):
    ground = arena(**OPEN, terrain={"1912": "town"})
    marker = {front: {"hex": "1914", "facing": "south", "stage": 1}}
    g = position(
        board=ground, turn=2, objectives=marker, units=[active("A", "1908", army=army), german("G", "1912", "9-4")]
    )
    assert wanted(g, "A", a.near_objective, front) == "1811 1911 2011"
    breakers = {p.rule: p for p in tiebreakers(g, unit(g, "A"))}
    assert shown(g, breakers["9.24a"].keep(hexset(g, "1908 1909 1910"))) == "1910"
    assert shown(g, breakers["9.24c"].keep(hexset(g, "1810 1910 2010"))) == "2010"


@rule("kharkov43", "9.1b")
def test_an_army_marker_takes_priority_over_the_front_marker_for_its_army():
    both = southwest("1913") | {"1G": objective("1508", "")}
    g = position(board=arena(), objectives=both, units=[active("A", "1907", army="1G"), active("B", "1907", army="6")])
    assert g.objective[marker_of(g, unit(g, "A"))] == hx(g, "1508")
    assert g.objective[marker_of(g, unit(g, "B"))] == hx(g, "1913")


@rule("kharkov43", "9.24b")
def test_tiebreak_b_an_empty_hex():
    assert breaking("24b", "1909 1910", soviet("S", "1910")) == "1909"


@rule("kharkov43", "9.24b")
def test_a_garrisoned_hex_is_not_empty():
    g = position(
        board=arena(features={"1910": "village"}),
        turn=4,
        garrisons="1910",
        objectives=southwest("1917"),
        units=[active("A", "1907")],
    )
    assert kept(g, tiebreakers(g, unit(g, "A")), "24b", "1909 1910") == "1909"


@rule("kharkov43", "9.24c")
@rule("kharkov43", "9.11g")
def test_tiebreak_c_furthest_in_the_direction_on_the_marker():
    assert breaking("24c", "1910 1810 2009") == "1810", "half a hex further west than 1910"
    assert breaking("24c", "1510 1609 1710") == "1510 1710"
    assert breaking("24c", "1910 2009 2106", objectives=southwest("1913", facing="south")) == "2106"
    assert breaking("24c", "1910 2009", objectives=southwest("1913", facing="")) is None
    assert breaking("24c", "1910 2009", objectives={}) is None


@rule("kharkov43", "9.24d")
def test_tiebreak_d_in_or_closest_to_support():
    assert breaking("24d", "1909 1912") == "1909"
    assert breaking("24d", "1912 1913") == "1912"
    assert breaking("24d", "1909 1912", turn=4) is None, "everything is in support"


@rule("kharkov43", "9.24e")
def test_tiebreak_e_the_highest_number():
    assert breaking("24e", "1909 1912 2006 1517") == "2006"


@rule("kharkov43", "8.3a")
@rule("kharkov43", "8.3b")
def test_preferences_are_applied_in_order_and_one_that_fits_none_is_skipped():
    from kessel.games.kharkov43.system.terms.choosing import choose, highest_number, those

    g = position(board=arena(), units=[])
    everything = hexset(g, "1909 1910 1911")
    prefer = (
        those("a", "in the west", lambda: hexset(g, "1910 1911")),
        those("b", "nowhere", lambda: hexset(g, "1515")),
        those("c", "just here", lambda: hexset(g, "1909 1910")),
        highest_number(g, "d"),
    )
    found = choose(everything, prefer)
    assert g.hex_name(found.hex) == "1910"
    assert [c.rule for c in found.cuts] == ["a", "c"], "b applies to none and is skipped, d is not needed"


# --- 9.25 ------------------------------------------------------------------------------------------------------------


def tactical(letter, among, *units, **doc):
    doc = {"turn": 6, "vp": 30, "board": arena(**OPEN, areas=LINES), **doc}
    g = position(**doc, units=[active("A", "1907"), *units])
    return kept(g, tactical_preferences(g, unit(g, "A")), letter, among)


@rule("kharkov43", "9.25a")
def test_tactical_a_within_the_operational_limit():
    assert tactical("25a", "1910 1911") == "1910"
    assert tactical("25a", "1910 1911", objectives=southwest("1917")) == "1910 1911", (
        "no limit while the marker is in play"
    )
    assert tactical("25a", "1910 1911", turn=5) == "1910 1911"


@rule("kharkov43", "9.25b")
def test_tactical_b_surrounds_the_german_unit():
    assert tactical("25b", "1809 1909 1908", german("G", "1910"), soviet("S", "1911")) == "1909"


@rule("kharkov43", "9.25c")
def test_tactical_c_in_support():
    assert tactical("25c", "1910 1911", objectives=southwest("1917")) == "1910"


@rule("kharkov43", "9.25d")
def test_tactical_d_not_beside_a_soviet_unit():
    assert tactical("25d", "1908 1909 1910", soviet("S", "1911")) == "1908 1909", "1908 is beside A itself"


@rule("kharkov43", "9.25e")
def test_tactical_e_empty_or_garrisoned():
    g = {"board": arena(**OPEN, features={"1909": "village"}), "garrisons": "1909"}
    assert tactical("25e", "1908 1909 1910", soviet("S", "1910"), **g) == "1908 1909"


@rule("kharkov43", "9.25f")
def test_tactical_f_without_an_active_unit():
    assert tactical("25f", "1908 1909 1910", active("B", "1908"), soviet("S", "1909")) == "1909 1910"


@rule("kharkov43", "9.25.0")
@rule("kharkov43", "9.25.2")
def test_tactical_preferences_outrank_those_of_the_method():
    """By method 11 alone A would go to 1811; that is not beside S either, but 1810 and 1910 are."""
    units = [active_tanks("A", "1907"), german("G", "1911"), soviet("S", "1809", army="6")]
    g = position(board=arena(**OPEN), turn=2, objectives=southwest("1917"), units=units)
    go = orders(g, "A", a.closest_to_front_objective)[0]
    plain = end_of(Check(g, unit(g, "A"), "Southwest"), Go(go.hexes, go.prefer, shift=False))
    shifted = end_of(Check(g, unit(g, "A"), "Southwest"), go)
    assert beside_germans(g) >> plain.end & 1
    assert shifted.shift is not None
    assert shifted.shift.cuts[0].rule == "9.25d"
    assert g.hex_name(shifted.end) == "2011"
    assert march(g)["A"] == ("2011", "9.21.11")


@rule("kharkov43", "9.25.0")
@rule("kharkov43", "9.25.2")
@example("kharkov43", "X16")
def test_a_unit_that_follows_arrows_leaves_them_to_surround_the_german_unit():
    """Example 1: along the arrows A would end in 1809, beside G; from 1909 it would surround G."""
    path = [{"from": x, "to": y} for x, y in (("1806", "1807"), ("1807", "1808"), ("1808", "1809"))]
    units = [active_tanks("A", "1806", "5-3-05"), german("G", "1910"), soviet("S", "1911")]
    doc = {"board": arena(**OPEN, arrows=path), "turn": 3, "objectives": southwest("1917")}
    g = position(**doc, units=units[:2])
    assert march(g)["A"] == ("1809", "9.21.10"), "without S no hex surrounds G"
    g = position(**doc, units=units)
    assert wanted(g, "A", a.follow_arrows) == "1809"
    assert march(g)["A"] == ("1909", "9.21.10"), "off the arrows"
    assert surrounded_hexes(g, 0) == hexset(g, "1910")


@rule("kharkov43", "9.25.2")
def test_a_shift_round_a_german_unit_need_not_meet_the_method():
    """A may go to 1809 or 2109 and not to 1909 or 2109; 1909 surrounds G, 2109 surrounds K."""
    units = [
        active("A", "1907", "3-5-05"),
        german("G", "1910", "9-4"),
        soviet("S", "1911", "9-4"),
        german("K", "2110", "9-4"),
        soviet("T", "2111", "9-4"),
        soviet("U", "2011", "9-4"),
    ]
    g = position(board=arena(**OPEN), turn=8, vp=30, units=units)
    c = Check(g, unit(g, "A"), "Southwest")
    barred = hexset(g, "1909 2109")

    def require(h):
        return Refusal("9.22.8", "not by this method") if barred >> h & 1 else None

    near = end_of(c, Go(hexset(g, "1809"), require=require))
    assert g.hex_name(near.end) == "1909", "beside the same German unit the method no longer matters"
    far = end_of(c, Go(hexset(g, "1809 2109"), (those("x", "1809", lambda: hexset(g, "1809")),), require))
    assert g.hex_name(far.end) == "1909"
    assert g.map.grid.hex("2109") in [h for h, _ in far.shift.refused], "beside another one it does"


@rule("kharkov43", "9.25.0")
@example("kharkov43", "X16")
def test_a_tiebreak_beside_a_german_unit_is_reviewed_too():
    """Example 2: the method lists 1910 only; beside G 2011 is free of Soviet neighbours."""
    g = position(
        board=arena(**OPEN),
        turn=2,
        objectives=southwest("1917"),
        units=[active_tanks("A", "1907"), german("G", "1911"), soviet("S", "1809", army="6")],
    )
    check = Check(g, unit(g, "A"), "Southwest")
    tried = end_of(check, Go(hexset(g, "1910"), what="just one hex"))
    assert g.hex_name(tried.choice.hex) == "1910"
    assert g.hex_name(tried.end) == "2011"


@rule("kharkov43", "9.25.1")
@example("kharkov43", "X16")
def test_a_unit_told_to_stay_beside_a_german_is_shifted_round_it():
    """Example 3: method 7 orders A to stay beside G; from 1909 it would surround G."""
    ground = arena(**OPEN, features={"1910": "logistics_southwest"})
    units = [active_tanks("A", "1809", "5-6-05", army="6"), german("G", "1910"), soviet("S", "1911")]
    g = position(board=ground, turn=6, vp=30, objectives=southwest("2217"), units=units)
    assert wanted(g, "A", a.beside_german_in_logistics_hex) == "stay"
    order = orders(g, "A", a.beside_german_in_logistics_hex)[0]
    assert isinstance(order, Stay)
    found = review_stay(Check(g, unit(g, "A"), "Southwest"), order)
    assert found is not None
    assert g.hex_name(found.hex) == "1909"
    alone = position(board=ground, turn=6, objectives=southwest("2217"), units=units[:2])
    order = orders(alone, "A", a.beside_german_in_logistics_hex)[0]
    assert review_stay(Check(alone, unit(alone, "A"), "Southwest"), order) is None, "no hex is preferred to its own"


@rule("kharkov43", "9.25.1")
@pytest.mark.parametrize(("option", "end"), [("any_adjacent_german", "2109"), ("that_german", "1809")])
def test_round_which_german_units_a_unit_may_be_shifted_is_a_switch(option, end):
    """O4: A is told to stay beside G in a logistics hex; H beside it too could be surrounded from 2109, G from 1809.

    X beside 1809 makes 2109 the better hex (9.25d).
    """
    ground = arena(**OPEN, features={"1910": "logistics_southwest"})
    units = [
        active_tanks("A", "2009", "5-6-05", army="6"),
        german("G", "1910"),
        german("H", "2110"),
        soviet("S", "2111"),
        soviet("T", "2010", "2-4"),
        soviet("X", "1709", status=["isolated"]),
    ]
    g = position(board=ground, turn=3, objectives=southwest("2217"), units=units, options={"stay_then_shift": option})
    order = orders(g, "A", a.beside_german_in_logistics_hex)[0]
    found = review_stay(Check(g, unit(g, "A"), "Southwest"), order)
    assert found is not None
    assert g.hex_name(found.hex) == end


@rule("kharkov43", "9.25.4")
def test_a_shifted_move_obeys_movement_and_restrictions():
    """1912 is marsh: mechanized units do not end there, so A goes to the next hex away from S."""
    g = position(
        board=arena(**OPEN, terrain={"1912": "marsh"}),
        turn=2,
        objectives=southwest("1917"),
        units=[active_tanks("A", "1907", "5-10-01"), german("G", "1911"), soviet("S", "1809", army="6")],
    )
    tried = end_of(Check(g, unit(g, "A"), "Southwest"), Go(hexset(g, "1910")))
    assert [(g.hex_name(h), r.rule) for h, r in tried.shift.refused] == [("1912", "9.23e")]
    assert g.hex_name(tried.end) == "2011"
    slow = position(board=arena(**OPEN), turn=2, units=[active_tanks("A", "1907", "5-6-01"), german("G", "1911")])
    tried = end_of(Check(slow, unit(slow, "A"), "Southwest"), Go(hexset(slow, "1910")))
    assert shown(slow, tried.shift.candidates) == "1810 1811 1910 2010 2011", "1912 is out of reach"


@rule("kharkov43", "9.25.4")
def test_a_unit_told_to_stay_is_not_shifted_into_a_forbidden_hex():
    """1909 is preferred to 1809: from there A would surround G. In marsh no mechanized unit ends its move."""
    units = [active_tanks("A", "1809", "5-6-05", army="6"), german("G", "1910"), soviet("S", "1911")]
    for terrain, end in (("clear", "1909"), ("marsh", None)):
        ground = arena(**OPEN, features={"1910": "logistics_southwest"}, terrain={"1909": terrain})
        g = position(board=ground, turn=6, vp=30, objectives=southwest("2217"), units=units)
        order = orders(g, "A", a.beside_german_in_logistics_hex)[0]
        found = review_stay(Check(g, unit(g, "A"), "Southwest"), order)
        assert (found and g.hex_name(found.hex)) == end


@rule("kharkov43", "9.25.5")
def test_across_a_blocked_dniepr_hexside_a_unit_is_not_beside_a_german():
    sides = dict.fromkeys(("1910|1911", "1810|1911", "1911|2010"), "blocked_dniepr")
    g = position(board=arena(**OPEN, rivers=sides), units=[german("G", "1911")])
    assert shown(g, beside_germans(g)) == "1811 1912 2011"
    g = position(board=arena(**OPEN, rivers=sides), turn=2, units=[active("A", "1910"), german("G", "1911")])
    assert told_to_stay(g) == {}, "method 8 does not hold it there"


@rule("kharkov43", "9.25.0")
@pytest.mark.parametrize(("option", "end"), [("never", "1910"), ("by_tactical_preferences", "2110")])
def test_a_move_that_takes_a_vp_hex_is_not_shifted(option, end):
    """O1: the town 1910 is beside G and S; 2110 is beside G and not beside S."""
    ground = arena(**OPEN, terrain={"1910": "town"}, features={"1910": "target_southwest"})
    g = position(
        board=ground,
        turn=3,
        objectives=southwest("1917"),
        units=[active("A", "1907"), german("G", "2010"), soviet("S", "1810")],
        options={"take_vp_hex_shift": option},
    )
    assert march(g)["A"] == (end, "9.21.1")


# --- 9.26 ------------------------------------------------------------------------------------------------------------


def guards(*units, front="1917", marker="1516", turn=3, **doc):
    doc.setdefault("board", arena(**OPEN))
    return position(turn=turn, objectives=southwest(front) | {"1G": objective(marker, "")}, units=list(units), **doc)


@rule("kharkov43", "9.26a")
def test_units_with_an_army_objective_are_checked_one_by_one_highest_selector_first():
    g = guards(active("A", "1907", "3-4-02", army="1G"), active("B", "1908", "3-4-09", army="1G"), german("G", "1514"))
    checks = [(g.id(c.unit), c.rule) for c in traced(g)]
    assert checks == [(n, f"9.26.{i}") for n in "BA" for i in (1, 2, 3)], "all methods of one before the next unit"


@rule("kharkov43", "9.26b")
def test_army_method_1_takes_a_vp_hex_as_9_21_1():
    ground = arena(**OPEN, terrain={"1910": "town"}, features={"1910": "target_southwest"})
    g = guards(active("A", "1907", army="1G"), german("G", "1514"), board=ground)
    assert march(g)["A"] == ("1910", "9.26.1")
    g = guards(active("A", "1911", army="1G"), german("G", "1810"), board=ground)
    assert march(g)["A"] == ("1910", "9.26.1"), "urban infiltration"


@rule("kharkov43", "9.26c")
def test_army_method_2_goes_beside_a_german_unit_as_9_21_8():
    g = guards(active("A", "1907", army="1G"), german("G", "1911"))
    assert march(g)["A"][1] == "9.26.2"
    g = guards(active("A", "1910", army="1G"), german("G", "1911"))
    assert told_to_stay(g) == {"A": "9.21.8"}


@rule("kharkov43", "9.26d")
@rule("kharkov43", "9.26e")
def test_army_method_3_approaches_the_german_unit_nearest_to_the_army_objective():
    def nearest(*units, marker="1912"):
        g = guards(active("A", "1907", army="1G"), *units, marker=marker)
        found = army.german_near_objective(Check(g, unit(g, "A"), "Southwest"))
        return g.hex_name(found)

    assert nearest(german("G", "1914"), german("H", "1617")) == "1914"
    assert nearest(german("G", "1912"), german("H", "1911")) == "1912", "in the hex"
    assert nearest(german("G", "1914"), german("H", "1910")) == "1910", "both two away: the one closest to A"
    assert nearest(german("G", "1713"), german("H", "2113"), marker="1913") == "2113", "then the highest number"
    g = guards(active("A", "1907", army="1G"), german("G", "1915"), marker="1916")
    assert march(g)["A"] == ("1911", "9.26.3"), "as close as possible"
    g = guards(active("A", "1907", army="1G", faces="3-9-05"), german("G", "1912"), soviet("S", "1911"), marker="1916")
    end, method = march(g)["A"]
    assert method in ("9.26.2", "9.26.3")
    assert g.map.grid.adjacent(hx(g, end), hx(g, "1912")), "adjacent if able"


@rule("kharkov43", "9.26d")
def test_army_method_3_moves_only_closer():
    g = guards(active("A", "1906", "3-1-05", army="1G"), german("G", "1516"))
    away = g.ground.distances(hx(g, "1516"))
    found = wanted(g, "A", army.closer_to_german_unit)
    assert found
    assert all(away[hx(g, n)] < away[hx(g, "1906")] for n in found.split())
    assert wanted(guards(active("A", "1907", army="1G")), "A", army.closer_to_german_unit) == "", "no German unit"


@rule("kharkov43", "9.26f")
def test_a_unit_beside_that_german_unit_stays():
    g = guards(active("A", "1910", army="1G"), german("G", "1911"), soviet("S", "1811"), marker="1911")
    assert wanted(g, "A", army.closer_to_german_unit) == "stay"
    assert orders(g, "A", army.closer_to_german_unit)[0].review
    g = guards(active("A", "1910", army="1G"), german("G", "1911"), german("H", "1515"), marker="1516")
    assert wanted(g, "A", army.closer_to_german_unit) != "stay", "H is nearer to the objective"


@rule("kharkov43", "9.26g")
def test_army_method_4_approaches_the_front_objective_then_the_army_objective():
    g = guards(active("A", "1907", army="1G"), front="1917", marker="2210")
    assert march(g)["A"][1] == "9.26.4"
    assert prefers(g, "A", army.closer_to_front_objective, "26.4", "1910 1911") == "1911"
    second = orders(g, "A", army.closer_to_front_objective)[0].prefer[1]
    assert shown(g, second.keep(hexset(g, "1811 2011"))) == "2011", "closer to 2210"
    assert g.hex_name(g.place[unit(g, "A")]) == "1911"


@rule("kharkov43", "9.13f")
def test_without_the_army_marker_the_army_uses_the_methods_of_its_front():
    units = [active("A", "1907", army="1G"), german("G", "1917")]
    g = position(board=arena(**OPEN), turn=2, objectives=southwest("1917"), units=units)
    assert {c.rule[:4] for c in traced(g)} == {"9.21"}
    g = guards(*units)
    assert {c.rule[:4] for c in traced(g)} == {"9.26"}


# --- 9.27 ------------------------------------------------------------------------------------------------------------


@rule("kharkov43", "9.27a")
def test_unsupplied_units_move_last_lowest_selector_first():
    g = position(
        board=arena(),
        turn=5,
        objectives=southwest("1917") | {"1G": objective("1516", "")},
        units=[
            active("A", "1907", "3-4-09", status=["out_of_supply"]),
            active("B", "1908", "3-4-01", status=["out_of_supply"]),
            active("C", "1909", "3-4-05"),
            active("D", "2009", "3-4-06", army="1G"),
        ],
    )
    order = list(dict.fromkeys(g.id(c.unit) for c in traced(g)))
    assert order == ["C", "D", "B", "A"]


@rule("kharkov43", "9.27b")
def test_an_unsupplied_unit_that_can_trace_supply_uses_the_normal_methods():
    g = position(
        board=arena(), turn=5, objectives=southwest("1917"), units=[active("A", "1907", status=["out_of_supply"])]
    )
    assert march(g)["A"][1] == "9.21.11"
    g = position(board=arena(**OPEN, areas=LINES), turn=8, vp=30, units=[active("A", "1912", status=["isolated"])])
    assert {c.rule[:4] for c in traced(g)} == {"9.22"}, "without the marker"
    g = position(
        board=arena(),
        turn=5,
        objectives=southwest("1917") | {"1G": objective("1516", "")},
        units=[active("A", "1907", army="1G", status=["out_of_supply"])],
    )
    assert {c.rule[:4] for c in traced(g)} == {"9.26"}


@rule("kharkov43", "9.27b")
@rule("kharkov43", "9.21.2d")
def test_an_unsupplied_unit_that_traces_supply_skips_the_methods_its_front_skips():
    """Game-turn 4, no marker: the methods are those of 9.21 without 2 and 11."""
    g = position(board=arena(), turn=4, units=[active("A", "1907", status=["out_of_supply"])])
    skipped = {c.rule: c.skipped.rule for c in traced(g) if c.skipped is not None}
    assert skipped == {"9.21.2": "9.12", "9.21.11": "9.12"}


FAR = arena(**OPEN, soviet_edge="1906", areas=LINES)
"""Supply reaches seven hexes from 1906."""


@rule("kharkov43", "9.27c")
def test_one_that_cannot_goes_to_a_hex_in_supply_preferring_support_then_the_closest():
    g = position(board=FAR, turn=5, vp=30, units=[active("A", "1915", status=["out_of_supply"])])
    assert march(g)["A"] == ("1913", "9.27"), "the closest hex in supply"
    both = position(board=FAR, turn=5, vp=30, units=[active("A", "1914", "3-9", status=["out_of_supply"])])
    assert wanted(both, "A", to_supply)
    go = orders(both, "A", to_supply)[0]
    assert shown(both, go.prefer[0].keep(hexset(both, "1910 1912"))) == "1910", "in support"
    assert shown(both, go.prefer[1].keep(hexset(both, "1910 1912"))) == "1912", "closest"
    assert march(both)["A"] == ("2010", "9.27"), "in support, as close as 1910, with the higher number"


@rule("kharkov43", "9.27d")
def test_if_none_is_in_reach_it_moves_away_from_germans_toward_supply():
    units = [active("A", "1916", "3-2", status=["out_of_supply"]), german("G", "1917")]
    g = position(board=arena(**OPEN, soviet_edge="1906", german_edge="1517"), turn=5, units=units)
    assert march(g)["A"] == ("1915", "9.27"), "one point to leave the zone, one hex"
    free = position(board=FAR, turn=5, vp=30, units=[active("A", "1917", "3-2", status=["out_of_supply"])])
    assert march(free)["A"] == ("1915", "9.27")
    held = [active("A", "1917", "3-1", status=["out_of_supply"]), german("G", "1915"), german("H", "1714")]
    g = position(board=arena(**OPEN, soviet_edge="1906", german_edge="2217"), turn=5, units=held)
    assert not any(beside_germans(g) >> hx(g, n) & 1 for n in [shown(g, orders(g, "A", to_supply)[1].hexes)] if n)


@rule("kharkov43", "9.27d")
@pytest.mark.parametrize(("at", "beside"), [("1913", False), ("1914", True), ("1916", True), ("1917", False)])
def test_an_unsupplied_unit_away_from_germans_moves_only_closer_to_supply(at, beside):
    ground = arena(**OPEN, soviet_edge="1906", german_edge="1517")
    units = [active("A", at, "3-3-05", status=["out_of_supply"]), german("G", "1915", "9-4")]
    g = position(board=ground, turn=5, vp=30, units=units)
    free = orders(g, "A", to_supply)[1].hexes
    away = distance_to(g, field_without(g, unit(g, "A")).hexes)
    start = away[g.place[unit(g, "A")]]
    if start:
        assert any(away[h] >= start for h in members(free)) is beside
    assert not free & beside_germans(g)


@rule("kharkov43", "9.27d")
@rule("kharkov43", "13.0d")
def test_a_german_held_hex_in_which_a_soviet_unit_could_trace_supply_draws_a_cut_off_unit():
    """1810 is nearer than every other hex in supply; the unit goes straight for it, one hex, being isolated."""
    line = [german(f"G{r}", f"{r}10") for r in (16, 18, 20, 22)]
    g = position(
        board=arena(roads_on=(), german_edge="", soviet_edge=EAST),
        turn=5,
        units=[active("A", "1813", status=["isolated"]), *line],
    )
    assert march(g) == {"A": ("1812", "9.27")}


@rule("kharkov43", "9.27e")
def test_a_surrounded_unit_and_an_isolated_one_beside_a_german_do_not_move():
    ring = [german("G", "1909"), german("H", "1911")]

    def run(*units):
        g = position(board=arena(), turn=5, objectives=southwest("1917"), units=list(units))
        return why_not_move_unsupplied(g, unit(g, "A")), march(g)

    why, moves = run(active("A", "1910", status=["out_of_supply"]), *ring)
    assert why.reason == "it is surrounded"
    assert moves == {}
    why, moves = run(active("A", "1910", status=["isolated"]), ring[0])
    assert why.rule == "9.27"
    assert moves == {}
    why, moves = run(active("A", "1910", status=["out_of_supply"]), ring[0])
    assert why is None


@rule("kharkov43", "9.27e")
def test_a_surrounded_unsupplied_unit_does_not_infiltrate_a_town():
    ground = arena(terrain={"1810": "town"})
    units = [
        active("A", "1910", status=["out_of_supply"]),
        german("G", "1909", "9-4"),
        german("H", "1911", "9-4"),
        soviet("S", "1809"),
    ]
    g = position(board=ground, turn=5, objectives=southwest("1917"), units=units)
    assert wanted(g, "A", a.take_vp_hex) == "1810", "it could"
    assert march(g) == {}
    (only,) = traced(g)
    assert only.skipped is not None
    assert only.skipped.reason == "it is surrounded"


@rule("kharkov43", "9.27e")
def test_an_isolated_unit_beside_an_isolated_german_unit_does_not_move_though_nothing_holds_it():
    units = [active("A", "1910", status=["isolated"]), german("G", "1911", status=["isolated"]), active("B", "1506")]
    g = position(board=arena(), turn=5, objectives=southwest("1917"), units=units)
    assert "A" not in march(g)
