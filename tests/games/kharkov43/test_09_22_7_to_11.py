"""9.22 Methods B 7 to 11: within the limit, and the rest."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kessel.core.hexset import members
from kessel.games.kharkov43.movement.movement import REGULAR, reach_of
from kessel.games.kharkov43.movement.stacking import why_not_fit
from kessel.games.kharkov43.system.methods import methods_b as b
from kessel.games.kharkov43.system.methods.approaches import starts_reaching
from kessel.games.kharkov43.system.methods.methods import Check
from kessel.games.kharkov43.system.terms.terminology import suppose

from .helpers import german, hexes, hx, panzer, position, soviet, unit
from .soviet_helpers import (
    active,
    arena,
    march,
    orders,
    prefers,
    shown,
    wanted,
)
from .test_09_22_methods_b import OPEN, inside, late, towns

rule = pytest.mark.rule


# --- 7, 8, 9, 10: within the limit -----------------------------------------------------------------------------------


RING = [german("G", "1910"), soviet("S", "1911")]


@rule("kharkov43", "9.22.7a")
@rule("kharkov43", "9.22.0a")
def test_cause_surround_only_within_the_limit_and_not_at_the_price_of_being_surrounded():
    def run(last, turn=8, *more):
        g = late(*RING, active("A", "1906", "3-4-05"), *more, ground=arena(**OPEN, areas=inside(last)), turn=turn)
        return wanted(g, "A", b.cause_surround)

    assert run(9) == "1909"
    assert run(8) == "", "1909 is beyond the limit"
    assert run(8, 5) == "1909", "the limit begins on turn 6"
    g = late(*RING, active("A", "1906", "3-4-05"), panzer("H", "1711"))
    (go,) = orders(g, "A", b.cause_surround)
    assert go.require(hx(g, "1909")).rule == "9.22.7"
    g = late(*RING, active("A", "1906", "3-4-05"))
    (go,) = orders(g, "A", b.cause_surround)
    assert go.require(hx(g, "1909")) is None
    assert march(g)["A"] == ("1909", "9.22.7")


@rule("kharkov43", "9.22.7b")
def test_preferences_and_moving_adjacent_as_in_9_21_4():
    near = [german("G", "1910"), soviet("S", "1911"), soviet("T", "1810"), soviet("U", "2109"), active("A", "1906")]
    g = late(*near)
    assert [p.rule[-1] for p in orders(g, "A", b.cause_surround)[0].prefer] == ["a", "b", "c", "d"]
    assert prefers(g, "A", b.cause_surround, "7b", "1808 1809 1908 1909") == "1809 1909"
    assert prefers(g, "A", b.cause_surround, "7d", "1809 1909 2009") == "1909"
    g = late(*near[:4], active("A", "1908"))
    assert wanted(g, "A", b.cause_surround) == "1809 1909 2009", "moves adjacent"


@rule("kharkov43", "9.22.8a")
@rule("kharkov43", "9.22.0a")
def test_beside_a_german_unit_within_the_limit_apart_and_safe():
    def run(last, *units):
        g = late(active("A", "1907"), german("G", "1911"), *units, ground=arena(**OPEN, areas=inside(last)))
        return wanted(g, "A", b.beside_german_unit)

    assert run(17) == "1810 1910 2010"
    assert run(9) == "", "all beyond the limit"
    assert run(17, soviet("S", "1811")) == "1910 2010", "1810 is beside S"
    g = late(active("A", "1907"), german("G", "1911"))
    assert march(g)["A"][1] == "9.22.8"
    g = late(active("A", "1907"), german("G", "1911"), panzer("H", "1712"))
    (go,) = orders(g, "A", b.beside_german_unit)
    assert go.require(hx(g, "1910")).rule == "9.22.8", "H could close the ring"


@rule("kharkov43", "9.22.8b")
def test_most_germans_untouched_closest_highest_number():
    units = [german("G", "1711"), german("H", "2011"), german("I", "2011"), soviet("S", "1712")]
    g = late(active("A", "1907"), *units)
    assert prefers(g, "A", b.beside_german_unit, "8a", "1710 2010") == "2010"
    assert prefers(g, "A", b.beside_german_unit, "8b", "1710 2010") == "2010", "S is beside G"
    assert prefers(g, "A", b.beside_german_unit, "8d", "1710 2010 1910") == "2010"
    g = late(active("A", "1907"), german("G", "1911"), german("H", "1612"))
    assert prefers(g, "A", b.beside_german_unit, "8c", "1910 1611") == "1910"


@rule("kharkov43", "9.22.8c")
def test_the_only_unit_beside_a_german_inside_the_limit_and_safe_stays():
    def run(last, *units):
        g = late(active("A", "1910"), german("G", "1911"), *units, ground=arena(**OPEN, areas=inside(last)))
        return wanted(g, "A", b.beside_german_unit)

    assert run(17) == "stay"
    assert run(9) != "stay", "beyond the limit"
    assert run(17, soviet("S", "1912")) != "stay", "S is beside G too"
    assert run(17, soviet("S", "1910", "2-4")) != "stay", "S is in the same hex"
    assert run(17, panzer("H", "1712")) != "stay", "nearly surrounded"


VILLAGES = {"features": {"1910": "village target_southwest", "1711": "village target_southwest"}}


@rule("kharkov43", "9.22.9a")
def test_a_threatened_supplied_garrison_within_the_limit_is_relieved():
    def ground(last):
        return arena(**VILLAGES, **OPEN, german_edge="1913", areas=inside(last))

    g = late(active("A", "1907"), ground=ground(10), garrisons="1910")
    assert wanted(g, "A", b.relieve_garrison) == "1910"
    assert march(g)["A"] == ("1910", "9.22.9")
    assert not g.garrisons
    assert wanted(late(active("A", "1907"), ground=ground(9), garrisons="1910"), "A", b.relieve_garrison) == ""
    beside = late(active("A", "1907"), soviet("S", "1809"), ground=ground(10), garrisons="1910")
    assert wanted(beside, "A", b.relieve_garrison) == "1910", "here a Soviet unit beside it does not matter"


@rule("kharkov43", "9.22.9b")
def test_a_garrison_beside_a_german_then_one_with_a_german_proximate():
    ground = arena(**VILLAGES, **OPEN, german_edge="1917")
    g = late(active("A", "1907"), german("G", "1712"), ground=ground, garrisons="1910 1711")
    assert prefers(g, "A", b.relieve_garrison, "9a", "1711 1910") == "1711"
    g = late(active("A", "1907"), german("G", "1714", "1-3"), ground=ground, garrisons="1910 1711")
    assert prefers(g, "A", b.relieve_garrison, "9b", "1711 1910") == "1711"


@rule("kharkov43", "9.22.9c")
def test_a_unit_in_a_target_village_with_a_german_proximate_stays():
    def run(*units, features=VILLAGES):
        return wanted(late(active("A", "1910"), *units, ground=arena(**features, **OPEN)), "A", b.relieve_garrison)

    assert run(german("G", "1915")) == "stay", "G could get beside A"
    assert run(german("G", "1916")) == ""
    assert run(german("G", "1915"), features={"features": {"1711": "village target_southwest"}}) == "", "elsewhere"
    assert run(german("G", "1915"), features={"features": {"1910": "village target_voronezh"}}) == ""
    assert run(german("G", "1915"), features={"features": {"1910": "village"}}) == ""


def arrows(path, kind="primary"):
    return [{"from": x, "to": y, "kind": kind} for x, y in itertools.pairwise(path.split())]


@rule("kharkov43", "9.22.10a")
@rule("kharkov43", "9.22.0a")
def test_arrows_with_the_full_allowance_end_inside_the_limit():
    def run(last):
        ground = arena(**OPEN, arrows=arrows("1907 1908 1909 1910 1911 1912"), areas=inside(last))
        return wanted(late(active("A", "1907"), ground=ground), "A", b.follow_arrows)

    assert run(17) == "1911"
    assert run(10) == ""
    ground = arena(**OPEN, arrows=arrows("1907 1908 1909 1910 1911"))
    assert march(late(active("A", "1907"), ground=ground))["A"] == ("1911", "9.22.10")


@rule("kharkov43", "9.22.10b")
@rule("kharkov43", "9.22.10c")
def test_unoccupied_farthest_primary_and_secondary_to_stay_inside():
    fork = [*arrows("1907 1908 1909 1910"), *arrows("1907 2007 2008 2009", "secondary"), *arrows("1908 1808 1708")]
    g = late(active("A", "1907", "3-3-05"), soviet("S", "1910"), ground=arena(**OPEN, arrows=fork))
    assert wanted(g, "A", b.follow_arrows) == "1708 1910 2009"
    assert prefers(g, "A", b.follow_arrows, "10a", "1910 2009") == "2009"
    assert prefers(g, "A", b.follow_arrows, "10b", "1708 2009") == "2009"
    assert prefers(g, "A", b.follow_arrows, "10c", "1910 2009") == "1910"
    assert [p.rule for p in orders(g, "A", b.follow_arrows)[0].prefer] == ["9.22.10a", "9.22.10b", "9.22.10c"]
    limit = inside(9)
    g = late(active("A", "1907", "3-3-05"), ground=arena(**OPEN, arrows=fork[:6], areas=limit))
    assert march(g)["A"] == ("2009", "9.22.10"), "1910 lies outside the limit"


# --- 11 --------------------------------------------------------------------------------------------------------------


@rule("kharkov43", "9.22.11a")
def test_a_unit_moves_to_where_it_becomes_proximate_to_a_german_vp_hex():
    """With four points 1911 can be reached from 1907; from 1906 it is proximate only to hexes up to 1910."""
    ground = arena(**towns("1914"), **OPEN)
    g = late(active("A", "1907", "3-4"), ground=ground, vp=19)
    found = wanted(g, "A", b.proximate_to_german_vp_hex).split()
    assert "1910" in found, "four hexes from the empty town"
    assert "1909" not in found
    end, method = march(g)["A"]
    assert method == "9.22.11"
    assert g.ground.distance(hx(g, end), hx(g, "1914")) == 3
    g = late(active("A", "1907", "3-4"), german("G", "1914"), ground=ground, vp=19)
    assert "1909" in wanted(g, "A", b.proximate_to_german_vp_hex).split(), "from 1909 it could get beside the unit"
    near = late(active("A", "1910", "3-4"), ground=ground, vp=19)
    assert wanted(near, "A", b.proximate_to_german_vp_hex) == "", "proximate before (O5)"
    now = late(active("A", "1910", "3-4"), ground=ground, vp=19, options={"becomes_proximate": "now"})
    assert "1913" in wanted(now, "A", b.proximate_to_german_vp_hex).split()
    assert "1910" not in wanted(now, "A", b.proximate_to_german_vp_hex).split(), "where it stands is no move"


@rule("kharkov43", "9.22.11b")
def test_adjacent_then_supplied_then_closest():
    ground = arena(**towns("1913"), **OPEN, soviet_edge="1506 1606 1706 1806")
    g = late(active("A", "1907", "3-5"), german("G", "2016", "3-4"), ground=ground, vp=19)
    assert prefers(g, "A", b.proximate_to_german_vp_hex, "11a", "1912 1910") == "1912"
    assert prefers(g, "A", b.proximate_to_german_vp_hex, "11c", "1910 1911") == "1911"
    cut = arena(**towns("1913"), **OPEN, soviet_edge="1906")
    g = late(active("A", "1908", "3-7"), ground=cut, vp=19, options={"becomes_proximate": "now"})
    assert prefers(g, "A", b.proximate_to_german_vp_hex, "11b", "1912 1914") == "1912", (
        "1914 is eight hexes from the edge"
    )


@rule("kharkov43", "9.22.11c")
@rule("kharkov43", "9.22.11d")
def test_untargeted_vp_hexes_count_only_if_no_target_of_the_front_is_german():
    def run(features, soviet_towns=""):
        ground = arena(terrain={"1912": "town", "1516": "town"}, features=features, **OPEN)
        g = late(active("A", "1907", "3-4"), ground=ground, vp=19, soviet_towns=soviet_towns)
        return shown(g, b.vp_hexes_to_approach(Check(g, unit(g, "A"), "Southwest")))

    assert run({"1516": "target_southwest"}) == "1516"
    assert run({"1516": "target_southwest"}, "1516") == "1912", "all targets of the front are Soviet"
    assert run({"1516": "target_southwest", "1912": "target_voronezh"}, "1516") == "", "never one of the other front"
    assert run({"1912": "target_southwest target_voronezh"}) == "1912"


@rule("kharkov43", "9.22.11e")
def test_a_vp_hex_beyond_the_limit_is_approached_only_if_weakly_held():
    def run(*units):
        ground = arena(**towns("1912"), **OPEN, areas=inside(9))
        g = late(active("A", "1907", "3-4"), *units, ground=ground, vp=18)
        return shown(g, b.vp_hexes_to_approach(Check(g, unit(g, "A"), "Southwest")))

    assert run() == "1912"
    assert run(german("G", "1912", "3-4")) == "1912"
    assert run(german("G", "1912", "3-4 1-4")) == ""


@st.composite
def standing(draw):
    """A board with some terrain and units, and a goal."""
    names = hexes(15, 19, range(6, 13))
    terrain = draw(st.dictionaries(st.sampled_from(names), st.sampled_from(["woods", "broken", "town"]), max_size=8))
    places = draw(st.lists(st.sampled_from(names), min_size=3, max_size=7, unique=True))
    rivers = draw(st.sets(st.sampled_from(["1708|1709", "1709|1710", "1808|1809", "1609|1709"]), max_size=3))
    mover = draw(st.sampled_from(["3-4-05", "5-6-05"]))
    kind = "infantry" if mover.startswith("3") else "armor"
    units = [soviet("A", places[0], mover, kind, status=["active"]), soviet("S", places[1], "3-4 2-4 1-4")]
    units += [german(f"G{i}", h, "2-4") for i, h in enumerate(places[3:])]
    ground = arena(
        (15, 19),
        range(6, 13),
        roads_on=(17,),
        terrain=terrain,
        rivers=dict.fromkeys(rivers, draw(st.sampled_from(["donets", "dniepr"]))),
    )
    return {"board": ground, "units": units, "turn": 8, "vp": 30}, places[2]


@settings(max_examples=60)
@given(standing())
def test_the_search_backwards_agrees_with_the_search_forwards(case):
    doc, goal_name = case
    g = position(**doc)
    u = unit(g, "A")
    goal = 1 << hx(g, goal_name)
    free = g.ground.all & ~g.hexes_of(0)
    fast = starts_reaching(g, u, goal, free)
    slow = 0
    for h in members(free):
        x = suppose(g, u, h)
        if why_not_fit(g, hx(g, goal_name), [u]) is None and (goal >> h & 1 or reach_of(x, u, REGULAR).hexes & goal):
            slow |= 1 << h
    assert shown(g, fast) == shown(g, slow)
