"""9.22 Movement methods B: the front's objective marker has been removed. The limit lies where each test says."""

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
from kessel.games.kharkov43.system.terms.terminology import is_nearly_surrounded, suppose

from .helpers import german, hexes, hx, panzer, position, soviet, tanks, unit
from .soviet_helpers import (
    active,
    active_tanks,
    arena,
    march,
    orders,
    prefers,
    shown,
    told_to_stay,
    traced,
    wanted,
)

rule = pytest.mark.rule
OPEN = {"roads_on": ()}


def inside(last: int, rows=range(15, 23)) -> dict[str, str]:
    """All three lines run west of this column."""
    zone = " ".join(f"{r}06-{r}{last:02d}" for r in rows)
    return {"west_support_zone": zone, "far_limit_zone": zone, "east_support_zone": zone}


def towns(*names: str, targets: str = "target_southwest", vp: int = 1):
    return {
        "terrain": dict.fromkeys(names, "town"),
        "features": dict.fromkeys(names, targets),
        "vp": dict.fromkeys(names, vp),
    }


def late(*units, turn=8, vp=30, ground=None, **doc):
    """A position of game-turn 8 without objective markers."""
    return position(board=ground or arena(**OPEN), turn=turn, vp=vp, units=list(units), **doc)


# --- 1, 2 ------------------------------------------------------------------------------------------------------------


@rule("kharkov43", "9.22.1a")
def test_method_1_takes_an_empty_german_town_also_by_infiltration_and_also_beyond_the_limit():
    ground = arena(**towns("1910"), **OPEN, areas=inside(8))
    g = late(active("A", "1907", "3-4-02"), active("B", "1907", "3-4-09"), ground=ground)
    assert march(g)["B"] == ("1910", "9.22.1")
    g = late(active("A", "1911"), german("G", "1810"), ground=ground)
    assert march(g)["A"] == ("1910", "9.22.1")
    other = arena(**towns("1910", targets="target_voronezh"), **OPEN)
    assert march(late(active("A", "1907"), ground=other)).get("A", ("", ""))[1] != "9.22.1"


@rule("kharkov43", "9.22.1b")
def test_method_1_else_takes_a_map_edge_vp_hex_in_supply():
    edge = {"features": {"2210": "map_edge_vp"}, "vp": {"2210": 2}}
    assert march(late(active("A", "2109"), ground=arena(**edge)))["A"] == ("2210", "9.22.1")
    cut = arena(**edge, soviet_edge="", roads=[], exits="")
    assert wanted(late(active("A", "2109"), ground=cut), "A", b.take_vp_hex) == ""


@rule("kharkov43", "9.22.2a")
def test_method_2_opens_a_line_of_supply():
    ground = arena((17, 18), range(6, 16), roads_on=(), german_edge="1715 1815")
    units = [soviet("S", "1711", army="1G"), german("G", "1810", "1-4"), active_tanks("A", "1706", "3-6-01", army="6")]
    assert wanted(late(*units, ground=ground), "A", b.open_supply_line) == "1710"
    assert march(late(*units, ground=ground))["A"][1] == "9.22.2"


@rule("kharkov43", "9.22.2b")
def test_method_2_prefers_most_units_then_safety_then_support():
    ground = arena((15, 19), range(6, 15), roads_on=(), german_edge="1514", areas=inside(8, range(15, 20)))
    g = late(
        active_tanks("A", "1612", "5-6-01", army="6", status=["out_of_supply"]),
        german("G", "1910", "1-6"),
        german("H", "1711", "1-4"),
        ground=ground,
        vp=30,
    )
    letters = [p.rule for o in orders(g, "A", b.open_supply_line) for p in o.prefer]
    assert letters == ["9.22.2a", "9.22.2b", "9.22.2c", "9.22.2d"]
    assert prefers(g, "A", b.open_supply_line, "2c", "1508 1509") == "1508", "in support"
    assert prefers(g, "A", b.open_supply_line, "2d", "1509 1510") == "1509", "closest to support"


@rule("kharkov43", "9.22.2b")
def test_method_2_prefers_a_hex_in_which_the_unit_is_not_nearly_surrounded():
    """In 1909 A would stand between G and H, who could close the ring; 1707 is safe."""
    g = late(active("A", "1707"), german("G", "1910"), panzer("H", "1711"))
    assert is_nearly_surrounded(suppose(g, unit(g, "A"), hx(g, "1909")), unit(g, "A"))
    assert prefers(g, "A", b.open_supply_line, "2b", "1707 1909") == "1707"


# --- 3 ---------------------------------------------------------------------------------------------------------------


def held(*units, garrisons="", german_edge="", name="1910", **doc):
    ground = arena(**towns(name), **OPEN, german_edge=german_edge)
    return late(active("A", "1907"), *units, ground=ground, soviet_towns=name, garrisons=garrisons, **doc)


@rule("kharkov43", "9.22.3a")
def test_method_3_goes_to_a_threatened_weakly_held_soviet_target_town():
    assert wanted(held(german("G", "1914")), "A", b.to_soviet_vp_hex) == "1910", "G is proximate"
    assert wanted(held(german_edge="1911"), "A", b.to_soviet_vp_hex) == "1910", "German supply"
    assert wanted(held(), "A", b.to_soviet_vp_hex) == "", "no threat"
    assert march(held(german("G", "1914")))["A"] == ("1910", "9.22.3")
    occupied = held(soviet("S", "1910", "1-4"), german("G", "1915"))
    assert wanted(occupied, "A", b.to_soviet_vp_hex) == "1910", "judged by proximity to the unit in it"
    ground = arena(**towns("1910", targets="target_voronezh"), **OPEN)
    other = late(active("A", "1907"), german("G", "1914"), ground=ground, soviet_towns="1910")
    assert wanted(other, "A", b.to_soviet_vp_hex) == ""


@rule("kharkov43", "9.22.3a-w")
def test_weakly_held_means_one_step_and_two_in_kharkov():
    g = late(
        active("A", "1907"), soviet("S", "1910", "2-4 1-4"), german("G", "1914"), ground=arena(**towns("1910"), **OPEN)
    )
    assert wanted(g, "A", b.to_soviet_vp_hex) == "", "two steps"
    voronezh = {"features": {"0912": "target_voronezh"}, "terrain": {"0912": "city"}}
    for faces, weak in (("1-4", True), ("2-4 1-4", True), ("3-4 2-4 1-4", False)):
        g = late(
            active_tanks("A", "0909", "5-6-05", army="3T"),
            soviet("S", "0912", faces, army="3T"),
            german("G", "0915"),
            ground=arena((7, 14), range(6, 18), roads_on=(), **voronezh),
        )
        assert (wanted(g, "A", b.to_soviet_vp_hex, "Voronezh") == "0912") is weak, faces


@rule("kharkov43", "9.22.3a-p")
def test_preferences_empty_or_garrisoned_value_german_adjacent_support():
    ground = arena(**towns("1710", "2010", "1909") | {"vp": {"1710": 3, "2010": 1, "1909": 3}}, **OPEN, areas=inside(9))
    g = late(
        active("A", "1808"),
        soviet("S", "1710", "1-4"),
        german("G", "1711"),
        ground=ground,
        soviet_towns="1909 2010",
        garrisons="1909",
    )
    keep = {x: prefers(g, "A", b.to_soviet_vp_hex, f"3{x}", "1710 1909 2010") for x in "abcd"}
    assert keep == {"a": "1909 2010", "b": "1710 1909", "c": "1710", "d": "1909"}


@rule("kharkov43", "9.22.3a-s")
def test_a_unit_with_few_other_steps_in_a_threatened_vp_hex_stays():
    def run(*others, threat=True, name="1910"):
        units = [active("A", name, "3-4-05 1-4-15"), *others]
        if threat:
            units.append(german("G", "1914"))
        return told_to_stay(late(*units, ground=arena(**towns(name), **OPEN))).get("A")

    assert run() == "9.22.3a"
    assert run(soviet("S", "1910", "1-4")) == "9.22.3a", "one other step"
    assert run(soviet("S", "1910", "2-4 1-4")) != "9.22.3a", "two other steps"
    ground = arena(**towns("1910"), **OPEN, german_edge="")
    assert told_to_stay(late(active("A", "1910"), ground=ground)).get("A") != "9.22.3a", "no threat"
    kharkov = arena((7, 14), range(6, 18), roads_on=(), terrain={"0912": "city"})
    g = late(
        active("A", "0912", army="3T"), soviet("S", "0912", "2-4 1-4", army="3T"), german("G", "0915"), ground=kharkov
    )
    assert told_to_stay(g, "Voronezh") == {"A": "9.22.3a"}, "two other steps in Kharkov"


@rule("kharkov43", "9.22.3b")
def test_infantry_joins_armor_alone_in_a_vp_hex_and_stays_there():
    ground = arena(**towns("1910", targets=""), **OPEN, german_edge="")
    g = late(active("A", "1907"), tanks("T", "1910"), ground=ground)
    assert march(g)["A"] == ("1910", "9.22.3")
    g = late(active("A", "1910"), tanks("T", "1910"), ground=ground)
    assert told_to_stay(g) == {"A": "9.22.3b"}
    mechanized = soviet("M", "1907", "4-6-05", "mechanized", status=["active"])
    assert len(orders(late(mechanized, tanks("T", "1910"), ground=ground), "M", b.to_soviet_vp_hex)) == 1


# --- 4 ---------------------------------------------------------------------------------------------------------------


@rule("kharkov43", "9.22.4a")
def test_a_nearly_surrounded_unit_outside_vp_hexes_moves_to_a_safe_hex():
    """G to the west of A; H can drive round to its east side."""
    units = [active("A", "1909"), german("G", "1910"), panzer("H", "1711")]
    g = late(*units)
    a = unit(g, "A")
    assert is_nearly_surrounded(g, a)
    end, method = march(g)["A"]
    assert method == "9.22.4"
    assert not is_nearly_surrounded(g, a), end
    g = late(*units, ground=arena(**towns("1909"), **OPEN), soviet_towns="1909")
    assert wanted(g, "A", b.avoid_surround) == "", "not out of a VP hex"
    g = late(active("A", "1909"), german("G", "1910"))
    assert wanted(g, "A", b.avoid_surround) == "", "G alone can't surround it"


@rule("kharkov43", "9.22.4b")
def test_preferences_of_avoid_surround():
    g = late(
        active("A", "1911"),
        german("G", "1912"),
        panzer("H", "1713"),
        soviet("S", "2209"),
        ground=arena(**OPEN, areas=inside(9)),
    )
    assert is_nearly_surrounded(g, unit(g, "A"))

    def keep(letter, among):
        return prefers(g, "A", b.avoid_surround, f"4{letter}", among)

    assert keep("a", "1909 1910") == "1909"
    assert keep("b", "1909 1910") == "1909"
    assert keep("c", "1810 2011 1811") == "1810", "closer to support than 1911 is"
    assert keep("d", "2209 1909") == "1909"
    assert keep("e", "2109 2110 1910") == "1910", "2109 and 2110 are beside S"
    assert keep("f", "1909 1910") == "1910"


# --- 5 ---------------------------------------------------------------------------------------------------------------


@rule("kharkov43", "9.22.5a")
def test_beside_a_german_target_vp_hex_without_being_nearly_surrounded_there():
    g = late(active("A", "1907"), german("G", "1911"), ground=arena(**towns("1911"), **OPEN))
    assert wanted(g, "A", b.beside_german_vp_hex) == "1810 1910 2010"
    assert march(g)["A"][1] == "9.22.5"
    g = late(active("A", "1907"), german("G", "1911"), panzer("H", "1712"), ground=arena(**towns("1911"), **OPEN))
    (go,) = orders(g, "A", b.beside_german_vp_hex)
    assert go.require(hx(g, "1910")).rule == "9.22.5", "H could close the ring by a move to 1909"
    assert go.require(hx(g, "2010")) is None
    other = late(active("A", "1907"), german("G", "1911"), ground=arena(**towns("1911", targets=""), **OPEN))
    assert wanted(other, "A", b.beside_german_vp_hex) == ""


@rule("kharkov43", "9.22.5b")
def test_a_vp_hex_beyond_the_limit_needs_no_defender_or_one_step():
    ground = arena(**towns("1911"), **OPEN, areas=inside(9))

    def run(*units, **doc):
        return wanted(late(active("A", "1907"), *units, ground=ground, **doc), "A", b.beside_german_vp_hex)

    assert run(german("G", "1911", "3-4 1-4")) == "", "two steps"
    assert run(german("G", "1911", "3-4")) == "1810 1910 2010"
    assert run() == "1810 1910 2010", "empty"
    assert run(german("G", "1911", "3-4 1-4"), turn=5) == "1810 1910 2010", "no limit before turn 6"


@rule("kharkov43", "9.22.5c")
def test_least_strength_then_value_for_vp_hexes():
    ground = arena(**towns("1712", "2012") | {"vp": {"1712": 1, "2012": 4}}, **OPEN)
    g = late(active("A", "1808"), german("G", "1712", "2-4"), german("H", "2012", "3-4"), ground=ground)
    assert prefers(g, "A", b.beside_german_vp_hex, "5a", "1711 2011") == "1711"
    assert prefers(g, "A", b.beside_german_vp_hex, "5b", "1711 2011") == "2011"


@rule("kharkov43", "9.22.5d")
def test_a_unit_beside_a_qualified_vp_hex_and_not_nearly_surrounded_stays():
    ground = arena(**towns("1911"), **OPEN)
    assert told_to_stay(late(active("A", "1910"), german("G", "1911"), ground=ground)) == {"A": "9.22.5"}
    g = late(active("A", "1910"), german("G", "1911"), panzer("H", "1712"), ground=ground)
    assert is_nearly_surrounded(g, unit(g, "A"))
    assert wanted(g, "A", b.beside_german_vp_hex) != "stay"


# --- desperation -----------------------------------------------------------------------------------------------------


@rule("kharkov43", "9.22.Da")
@rule("kharkov43", "9.22.11f")
def test_below_19_vps_method_11_comes_before_method_6_and_only_once():
    def order(vp):
        g = late(active("A", "1907"), vp=vp, ground=arena(**OPEN, areas=inside(6)))
        return [c.rule for c in traced(g)]

    numbers = [f"9.22.{n}" for n in range(1, 12)]
    assert order(19) == [*numbers[:6]], "A moves into the limit by method 6"
    assert order(18) == [*numbers[:5], "9.22.11", "9.22.6"]
    still = [c.rule for c in traced(late(active("A", "1906", "3-4"), vp=18, ground=arena(**OPEN, areas=inside(7))))]
    assert still == [*numbers[:5], "9.22.11", *numbers[5:10]]
    still = [c.rule for c in traced(late(active("A", "1906", "3-4"), vp=19, ground=arena(**OPEN, areas=inside(7))))]
    assert still == numbers


@rule("kharkov43", "9.22.Da")
def test_desperation_is_judged_when_method_5_is_over():
    """Taking the town by method 1 brings the Soviets to 19 VPs."""
    ground = arena(**towns("1910"), **OPEN, areas=inside(6))
    g = late(active("A", "1907", "3-4-02"), active("B", "1909", "3-4-09 2-4-19"), vp=18, ground=ground)
    rules = [c.rule for c in traced(g) if g.name(c.unit) == "A"]
    assert g.vp == 19
    assert rules[5] == "9.22.6"


# --- 6 ---------------------------------------------------------------------------------------------------------------


@rule("kharkov43", "9.22.6a")
def test_from_beyond_the_limit_into_it_or_at_least_closer():
    ground = arena(**OPEN, areas=inside(8))
    g = late(active("A", "1911"), ground=ground)
    assert march(g)["A"][1] == "9.22.6"
    assert g.hex_name(g.place[unit(g, "A")]) in {f"{r}{c:02d}" for r in range(15, 23) for c in (7, 8)}
    far = late(active("A", "1916"), ground=ground)
    found = wanted(far, "A", b.toward_operational_limit).split()
    assert "1912" in found
    assert "1917" not in found
    assert not any(n.endswith("08") for n in found), "the limit itself is out of reach"
    assert wanted(late(active("A", "1907"), ground=ground), "A", b.toward_operational_limit) == "", "inside"


@rule("kharkov43", "9.22.6b")
def test_preferences_of_moving_into_the_limit():
    ground = arena(
        **OPEN,
        areas=inside(8) | {"east_support_zone": "1506-1507 1606-1607"},
        features={"1808": "village target_southwest", "1908": "village target_voronezh"},
    )
    g = late(active("A", "1911"), soviet("S", "2008"), ground=ground, vp=10)

    def keep(letter, among):
        return prefers(g, "A", b.toward_operational_limit, f"6{letter}", among)

    assert keep("a", "1908 1909") == "1908"
    assert keep("b", "1906 1908 1917") == "1908"
    assert keep("c", "1808 1908 2008 2007") == "1808", "1908 and 2007 are beside S, 2008 holds it"
    assert keep("d", "1607 1608") == "1607"
    assert keep("e", "1708 1808") == "1708"
    assert keep("f", "1808 1908") == "1808"


@rule("kharkov43", "9.22.6c")
def test_method_6_is_skipped_if_no_active_unit_is_beyond_the_limit():
    ground = arena(**OPEN, areas=inside(8))
    skipped = {c.rule for c in traced(late(active("A", "1907", "3-4"), ground=ground)) if c.skipped is not None}
    assert skipped == {"9.22.6"}
    g = late(active("A", "1907", "3-4-09"), active("B", "1911", "3-4-02"), ground=ground)
    assert not {c.rule for c in traced(g) if c.skipped is not None}


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
