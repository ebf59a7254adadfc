"""9.22 Movement methods B: the front's objective marker has been removed. The limit lies where each test says."""

from __future__ import annotations

import pytest

from kessel.games.kharkov43.system.methods import methods_b as b
from kessel.games.kharkov43.system.methods.methods import Stay
from kessel.games.kharkov43.system.terms.terminology import is_nearly_surrounded, suppose

from .helpers import german, hx, panzer, position, soviet, tanks, unit
from .soviet_helpers import (
    active,
    active_tanks,
    arena,
    march,
    orders,
    prefers,
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
    rules = [c.rule for c in traced(g) if g.id(c.unit) == "A"]
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


@rule("kharkov43", "9.22.6a")
@pytest.mark.parametrize("column", range(7, 15))
def test_the_limit_is_asked_of_the_very_hex_of_the_unit(column):
    zone = " ".join(f"{r}06-{r}10" for r in range(15, 23))
    areas = dict.fromkeys(("west_support_zone", "far_limit_zone", "east_support_zone"), zone)
    at = f"19{column:02d}"
    g = position(board=arena(**OPEN, areas=areas), turn=8, vp=25, units=[active("A", at)])
    beyond = column > 10
    assert (b.why_not_beyond_limit(g, "Southwest") is None) is beyond
    assert bool(orders(g, "A", b.toward_operational_limit)) is beyond
    held = position(
        board=arena(**OPEN, areas=areas), turn=8, vp=25, units=[active("A", at), german("G", f"19{column + 1:02d}")]
    )
    stays = isinstance(orders(held, "A", b.beside_german_unit)[0], Stay)
    assert stays is (not beyond), "9.22.8 holds a unit only within the limit"


@rule("kharkov43", "9.22.6a")
def test_a_unit_far_beyond_the_limit_moves_closer_to_it_and_nowhere_else():
    zone = " ".join(f"{r}06-{r}07" for r in range(15, 23))
    areas = dict.fromkeys(("west_support_zone", "far_limit_zone", "east_support_zone"), zone)
    g = position(board=arena(**OPEN, areas=areas), turn=8, vp=25, units=[active("A", "1915", "3-1-05")])
    assert wanted(g, "A", b.toward_operational_limit) == "1814 1914 2014"


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
