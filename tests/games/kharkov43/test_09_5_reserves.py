"""9.5 Placing reserves, 9.6 removing units, 9.7 improved positions, 9.8 the operational limit."""

from __future__ import annotations

import pytest

from kessel.games.kharkov43.board import ATTACKED, MOVED, PLACED, RESERVE
from kessel.games.kharkov43.supply.supply import field_of
from kessel.games.kharkov43.supply.support import limit_in_force, limit_of, supported
from kessel.games.kharkov43.system.objective_markers import remove_objective
from kessel.games.kharkov43.system.removal import remove_units, why_not_removed, why_removed
from kessel.games.kharkov43.system.soviet_positions import place_position, position_preferences, qualifying_hexes
from kessel.games.kharkov43.system.soviet_reserves import eligible_hexes, place_reserves, placing, placing_preferences
from kessel.games.kharkov43.system.terms.terminology import is_nearly_surrounded, suppose

from .helpers import german, hx, panzer, position, soviet, tanks, unit
from .soviet_helpers import active, active_tanks, arena, hexset, shown, southwest

rule = pytest.mark.rule
example = pytest.mark.example
OPEN = {"roads_on": ()}
VILLAGE = "village target_southwest"


def inside(last: int) -> dict[str, str]:
    zone = " ".join(f"{r}06-{r}{last:02d}" for r in range(15, 23))
    return {"west_support_zone": zone, "far_limit_zone": zone, "east_support_zone": zone}


def reserves(*units, features=None, turn=4, marker=True, ground=None, **doc):
    board = ground or arena(**OPEN, features=features or {"1908": VILLAGE, "1711": VILLAGE})
    return position(
        board=board,
        turn=turn,
        objectives=southwest("1917") if marker else {},
        units=[active("R", "reserve", "3-4-05"), *units],
        **doc,
    )


def eligible(g):
    return shown(g, eligible_hexes(g, unit(g, "R"), "Southwest"))


# --- 9.5 -------------------------------------------------------------------------------------------------------------


@rule("kharkov43", "9.5a")
@rule("kharkov43", "9.5b")
def test_all_active_reserves_are_placed_highest_selector_first_from_turn_4():
    g = reserves(active("Q", "reserve", "3-4-09"), soviet("N", "reserve", "3-4-20"), features={"1908": VILLAGE})
    place_reserves(g, "Southwest")
    assert [g.box[unit(g, n)] == RESERVE for n in "RQN"] == [True, False, True], "Q takes the only hex; N is not active"
    assert g.status[unit(g, "Q")] & PLACED
    g = reserves(turn=3)
    place_reserves(g, "Southwest")
    assert not g.on_map(unit(g, "R"))


@rule("kharkov43", "9.5b")
def test_the_log_tells_where_a_reserve_is_placed_and_that_one_stays_in_its_box():
    ground = arena(**OPEN, features={"1909": "village target_southwest"})
    units = [active("A", "reserve", "3-4-05"), active("B", "reserve", "3-4-04"), soviet("S", "1706")]
    g = position(board=ground, turn=4, objectives=southwest("1917"), units=units)
    g.events = []
    place_reserves(g, "Southwest")
    assert log(g) == [
        "6 unit 05 (A) is placed in 1909 from reserve",
        "6 unit 04 (B) stays in reserve: no hex is eligible",
    ]
    assert g.events[0]["to"] == "1909"
    assert "to" not in g.events[1]


@rule("kharkov43", "9.5c")
def test_a_village_or_soviet_town_targeted_by_the_active_front():
    features = {
        "1908": VILLAGE,
        "1708": "village target_voronezh",
        "1710": "village",
        "2008": "target_southwest",
        "2010": "target_southwest",
        "1510": "target_southwest",
    }
    ground = arena(**OPEN, features=features, terrain={"2008": "town", "2010": "town"})
    g = reserves(ground=ground, soviet_towns="2008")
    assert eligible(g) == "1908 2008", "2010 is a German town, 1510 neither village nor town"


@rule("kharkov43", "9.5d")
def test_the_hex_is_empty_or_garrisoned():
    assert eligible(reserves()) == "1711 1908"
    assert eligible(reserves(garrisons="1908")) == "1711 1908"
    assert eligible(reserves(german("G", "1908"))) == "1711"
    town = arena(**OPEN, features={"1908": "target_southwest"}, terrain={"1908": "town"})
    assert eligible(reserves(soviet("S", "1908"), ground=town)) == ""


@rule("kharkov43", "9.5e")
def test_the_hex_traces_reserve_supply():
    ground = arena(**OPEN, features={"1908": VILLAGE, "1711": VILLAGE}, soviet_edge="1906")
    assert eligible(reserves(ground=ground)) == "1711 1908"
    ring = [german("G", "1907"), soviet("S", "1808"), soviet("T", "2008"), soviet("U", "1807")]
    g = reserves(*ring, ground=ground)
    assert not field_of(g, 1, reserve=True).hexes >> hx(g, "1711") & 1
    assert eligible(g) == ""


@rule("kharkov43", "9.5f")
def test_not_beside_a_soviet_unit_unless_a_vp_hex():
    assert eligible(reserves(soviet("S", "1909"))) == "1711"
    town = arena(**OPEN, features={"1908": "target_southwest"}, terrain={"1908": "town"})
    assert eligible(reserves(soviet("S", "1909"), ground=town, soviet_towns="1908")) == "1908"


@rule("kharkov43", "9.5g")
def test_in_a_village_the_unit_must_not_be_nearly_surrounded():
    units = [german("G", "1911"), panzer("H", "1712")]
    g = reserves(*units, features={"1910": VILLAGE})
    assert is_nearly_surrounded(suppose(g, unit(g, "R"), hx(g, "1910")), unit(g, "R"))
    found = placing(g, unit(g, "R"), "Southwest")
    assert found.hex < 0
    assert found.refused[0][1].rule == "9.5"
    town = arena(**OPEN, features={"1910": "target_southwest"}, terrain={"1910": "town"})
    g = reserves(*units, ground=town, soviet_towns="1910")
    assert g.hex_name(placing(g, unit(g, "R"), "Southwest").hex) == "1910", "a town may be"


@rule("kharkov43", "9.5h")
def test_the_hex_is_inside_the_operational_limit():
    ground = arena(**OPEN, features={"1908": VILLAGE, "1711": VILLAGE}, areas=inside(9))
    assert eligible(reserves(ground=ground, turn=6, marker=False, vp=30)) == "1908"
    assert eligible(reserves(ground=ground, turn=6, vp=30)) == "1711 1908", "no limit while the marker is in play"


@rule("kharkov43", "9.5i")
def test_preferences_threatened_garrisoned_german_adjacent_support_city_vp():
    features = {"1908": VILLAGE, "1711": VILLAGE, "2009": "target_southwest", "1508": "target_southwest"}
    ground = arena(
        **OPEN, features=features, terrain={"2009": "city", "1508": "town"}, areas=inside(9), german_edge="1517"
    )
    g = reserves(
        german("G", "1712"), ground=ground, turn=6, vp=30, garrisons="1908", soviet_towns="2009 1508", marker=True
    )
    prefer = {p.rule: p for p in placing_preferences(g, unit(g, "R"), "Southwest")}
    among = hexset(g, "1508 1711 1908 2009")
    keep = {x: shown(g, prefer[f"9.5{x}"].keep(among)) for x in "bcdef"}
    assert keep == {"b": "1908", "c": "1711", "d": "1508 1908 2009", "e": "2009", "f": "1508 2009"}
    assert shown(g, prefer["9.5a"].keep(hexset(g, "1711"))) == "1711", "G could enter it"
    quiet = reserves(ground=arena(**OPEN, features=features, german_edge=""))
    first = placing_preferences(quiet, unit(quiet, "R"), "Southwest")[0]
    assert not first.keep(hexset(quiet, "1711 1908")), "no German unit or supply near"


@rule("kharkov43", "9.5j")
def test_then_closest_to_a_supplied_unit_of_the_army_then_of_the_front():
    g = reserves(
        soviet("A", "1512"),
        soviet("P", "1512", status=["placed"]),
        soviet("U", "2206", status=["out_of_supply"]),
        tanks("F", "2008"),
    )
    g.put(unit(g, "P"), hx(g, "2207"))
    g.set_status(unit(g, "P"), PLACED)
    prefer = {p.rule: p for p in placing_preferences(g, unit(g, "R"), "Southwest")}
    among = hexset(g, "1711 1908")
    assert shown(g, prefer["9.5g"].keep(among)) == "1711", "A; P was placed in this activation, U is unsupplied"
    assert shown(g, prefer["9.5h"].keep(among)) == "1908", "F of Popov is of the front"


@rule("kharkov43", "9.5k")
def test_placing_in_a_garrisoned_hex_removes_the_garrison():
    g = reserves(features={"1908": VILLAGE}, garrisons="1908")
    place_reserves(g, "Southwest")
    assert g.hex_name(g.place[unit(g, "R")]) == "1908"
    assert not g.garrisons


# --- 9.6 -------------------------------------------------------------------------------------------------------------


def standing(*units, turn=8, vp=30, ground=None, **doc):
    """A stands with B beside G: removed, unless something forbids it."""
    return position(
        board=ground or arena(**OPEN),
        turn=turn,
        vp=vp,
        units=[active("A", "1909", "3-4-09"), soviet("B", "1909", "3-4-01"), german("G", "1910", "9-4"), *units],
        **doc,
    )


def refused(g, name="A"):
    found = why_not_removed(g, unit(g, name))
    return found and found.reason


@rule("kharkov43", "9.6a")
def test_removals_are_checked_highest_selector_first_from_turn_2():
    g = position(
        board=arena(**OPEN),
        turn=2,
        units=[active("A", "1909", "3-4-09"), active("B", "1909", "3-4-01"), german("G", "1910", "9-4")],
    )
    assert [(g.id(r.unit), r.removed) for r in remove_units(g)] == [("A", True), ("B", False)], "B is alone then"
    assert g.box[unit(g, "A")] == RESERVE
    g = standing(turn=1)
    assert remove_units(g) == []


@rule("kharkov43", "9.6b")
def test_not_a_unit_that_moved_or_attacked():
    for status in (MOVED, ATTACKED):
        g = standing()
        g.set_status(unit(g, "A"), status)
        assert "in this activation" in refused(g)
        assert not any(r.removed for r in remove_units(g))
    assert refused(standing()) is None


@rule("kharkov43", "9.6c")
def test_it_must_be_adjacent_to_a_german_unit():
    g = position(
        board=arena(**OPEN), turn=8, vp=30, units=[active("A", "1908"), soviet("B", "1908"), german("G", "1910")]
    )
    assert refused(g) == "it is not adjacent to a German unit"


@rule("kharkov43", "9.6d")
def test_its_hex_must_trace_ordinary_supply_whatever_its_state():
    g = standing()
    for status in ("dispersed", "out_of_supply", "isolated"):
        g = position(
            board=arena(**OPEN),
            turn=8,
            vp=30,
            units=[active("A", "1909", status=[status]), soviet("B", "1909"), german("G", "1910")],
        )
        assert refused(g) is None, status
    cut = standing(ground=arena(**OPEN, soviet_edge="1506"), turn=8)
    far = [german("H", "1807"), german("I", "2007"), german("J", "1708"), german("K", "2108")]
    assert refused(standing(*far)) == "it can't trace supply"
    assert refused(cut) is None


@rule("kharkov43", "9.6e")
def test_not_a_reserve_placed_in_this_activation():
    g = standing()
    g.set_status(unit(g, "A"), PLACED)
    assert refused(g) == "it was placed from reserve in this activation"


@rule("kharkov43", "9.6f")
def test_removal_may_not_leave_others_nearly_surrounded_or_cut_off():
    """Without A, H could drive through 1909 to the east side of S."""
    units = [
        active("A", "1809", "3-4-09"),
        german("G", "1810", "9-4"),
        soviet("S", "1910"),
        german("K", "1911"),
        panzer("H", "1710"),
    ]
    g = position(board=arena(**OPEN), turn=8, vp=30, units=units)
    assert not is_nearly_surrounded(g, unit(g, "S"))
    assert refused(g).startswith("a unit would become nearly surrounded")
    before = position(
        board=arena(**OPEN),
        turn=8,
        vp=30,
        units=[
            active("A", "2209", "3-4-09"),
            german("G", "2210", "9-4"),
            soviet("S", "1910"),
            german("K", "1911"),
            panzer("H", "1712"),
        ],
    )
    assert is_nearly_surrounded(before, unit(before, "S"))
    assert refused(before) is None, "S is nearly surrounded with or without A"
    road = position(
        board=arena(roads_on=(18,)),
        turn=8,
        vp=30,
        units=[active("A", "1810"), soviet("F", "1809"), soviet("S", "1816"), german("G", "1710")],
    )
    assert refused(road) == "S would be unable to trace supply"


@rule("kharkov43", "9.6g")
def test_inside_the_limit_a_surround_is_kept():
    ring = [active("A", "1909", "3-4-09"), german("G", "1910", "9-4"), soviet("S", "1911")]
    g = position(board=arena(**OPEN), turn=8, vp=30, units=ring)
    assert refused(g) == "a German unit would no longer be surrounded"
    g = position(board=arena(**OPEN, areas=inside(8)), turn=8, vp=30, units=ring)
    assert refused(g) is None, "outside the limit"


@rule("kharkov43", "9.6g")
@pytest.mark.parametrize("last", range(7, 13))
def test_a_unit_within_the_limit_is_not_removed_from_a_ring(last):
    zone = " ".join(f"{r}06-{r}{last:02d}" for r in range(15, 23))
    areas = dict.fromkeys(("far_limit_zone", "west_support_zone", "east_support_zone"), zone)
    ring = [active("A", "1909", "3-4-09"), german("G", "1910", "9-4"), soviet("S", "1911")]
    g = position(board=arena(**OPEN, areas=areas), turn=8, vp=30, units=ring)
    found = why_not_removed(g, unit(g, "A"))
    kept = found is not None and found.reason == "a German unit would no longer be surrounded"
    assert kept is (last >= 9)


@rule("kharkov43", "9.6h")
def test_never_from_kharkov():
    ground = arena((7, 14), range(6, 18), roads_on=(), terrain={"0912": "city"})
    g = position(
        board=ground,
        turn=8,
        vp=30,
        units=[active("A", "0912", army="3T"), soviet("B", "0912", "3-4 2-4", army="3T"), german("G", "0913")],
    )
    assert refused(g) == "it is in Kharkov"
    assert why_removed(g, unit(g, "A")) is not None


def situation(g, name="A"):
    found = why_removed(g, unit(g, name))
    return found and found.reason


@rule("kharkov43", "9.6i")
def test_case_in_or_beside_a_village_of_the_other_front_alone():
    def run(features):
        g = position(
            board=arena(**OPEN, features=features), turn=8, vp=30, units=[active("A", "1909"), german("G", "1910")]
        )
        return situation(g)

    text = "in or beside a village of the other front alone"
    assert run({"1909": "village target_voronezh"}) == text
    assert run({"1908": "village target_voronezh"}) == text
    assert run({"1908": "village target_voronezh target_southwest"}) is None
    assert run({"1907": "village target_voronezh"}) is None
    assert run({}) is None


@rule("kharkov43", "9.6j")
def test_case_in_a_vp_hex_with_two_other_steps():
    ground = arena(**OPEN, terrain={"1909": "town"})

    def run(*others):
        units = [active("A", "1909"), german("G", "1910"), *others]
        return situation(position(board=ground, turn=8, vp=30, units=units))

    assert run(soviet("B", "1909", "3-4")) is None
    assert run(soviet("B", "1909", "3-4 2-4")) == "in a VP hex with at least two other steps"
    assert run(soviet("B", "1908"), soviet("C", "2008")) is None, "neighbours do not matter in a VP hex"


@rule("kharkov43", "9.6k")
@rule("kharkov43", "9.6l")
def test_cases_outside_vp_hexes():
    def run(last, *others):
        ground = arena(**OPEN, areas=inside(last))
        units = [active("A", "1909"), german("G", "1910"), *others]
        return situation(position(board=ground, turn=8, vp=30, units=units))

    b, c = soviet("B", "1908"), soviet("C", "2008")
    assert run(17, soviet("B", "1909")) == "stacked with another unit"
    assert run(8, soviet("B", "1909")) == "stacked with another unit"
    assert run(17, b) is None, "one Soviet hex is not enough inside"
    assert run(17, b, c) == "within the operational limit and beside 2 Soviet-occupied hexes"
    assert run(8, b) == "outside the operational limit and beside 1 Soviet-occupied hexes"
    assert run(8) is None


@rule("kharkov43", "9.6a")
@rule("kharkov43", "9.6k")
@example("kharkov43", "X21")
def test_popov_on_turn_8():
    """14 and 06 stand together in 1711; 07 in 1811 is beside 1712, where 21 stands; 1612 is Soviet too."""
    units = [
        active("21", "1712", "2-6-21", army="Popov"),
        active_tanks("14", "1913", "3-6-14 2-6-29"),
        active_tanks("06", "1913", "4-6-06 2-6-19"),
        active("07", "1811", "4-6-07", army="Popov"),
        soviet("N1", "1612", army="6"),
        german("G", "1812", "9-4"),
    ]
    g = position(board=arena(**OPEN), turn=8, vp=18, units=units)
    found = [(g.id(r.unit), r.removed) for r in remove_units(g)]
    assert found == [("21", True), ("14", True), ("07", False), ("06", False)]
    assert not g.occupied(hx(g, "1712"))


def test_each_removal_check_tells_its_situation_and_the_prerequisite_that_fails():
    g = standing()
    g.set_status(unit(g, "A"), MOVED)
    (line,) = (r.as_json(g) for r in remove_units(g))
    assert line["situation"] == "stacked with another unit"
    assert line["prerequisite"] == "it moved in this activation"
    g = position(board=arena(**OPEN), turn=8, vp=30, units=[active("A", "1909"), german("G", "1910", "9-4")])
    (line,) = (r.as_json(g) for r in remove_units(g))
    assert (line["removed"], line["situation"]) == (False, "none of the four")
    g = standing()
    g.events = []
    remove_units(g)
    assert g.events[0]["what"] == "6 unit 09 (A) returns to reserve from 1909: stacked with another unit"


# --- 9.7 -------------------------------------------------------------------------------------------------------------


def digging(*units, turn=5, ground=None, **doc):
    return position(
        board=ground or arena(**OPEN),
        turn=turn,
        vp=30,
        objectives=southwest("1917"),
        units=list(units),
        **doc,
    )


@rule("kharkov43", "9.7a")
def test_one_hex_in_support_with_an_idle_active_unit():
    g = digging(active("A", "1908"), active("B", "1708"), soviet("N", "2008"))
    assert shown(g, qualifying_hexes(g)) == "1708 1908", "N is not active"
    place_position(g)
    assert shown(g, g.improved_positions) == "1708", "one only, the lowest number"
    for status in (MOVED, ATTACKED, PLACED):
        g = digging(active("A", "1908"))
        g.set_status(unit(g, "A"), status)
        assert not qualifying_hexes(g)
    g = digging(active("A", "1911"), ground=arena(**OPEN, areas=inside(10)))
    assert not qualifying_hexes(g), "outside support"
    g = digging(active("A", "1908"), turn=3)
    place_position(g)
    assert not g.improved_positions


@rule("kharkov43", "9.7b")
def test_no_position_in_towns_where_one_is_or_on_unable_stacks():
    g = digging(active("A", "1908"), ground=arena(**OPEN, terrain={"1908": "town"}))
    assert not qualifying_hexes(g)
    g = digging(active("A", "1908"), improved_positions="1908")
    assert not qualifying_hexes(g)
    for status in ("dispersed", "out_of_supply", "isolated"):
        g = digging(active("A", "1908", status=[status]))
        assert not qualifying_hexes(g), status
        g = digging(active("A", "1908", status=[status]), soviet("B", "1908"))
        assert shown(g, qualifying_hexes(g)) == "1908", "not all units of the hex are unable"


@rule("kharkov43", "9.7c")
def test_preferences_german_adjacent_proximate_weakest_lowest():
    g = digging(
        active("A", "1908", "5-4"),
        active("B", "1710", "3-4"),
        active("C", "2008", "3-4"),
        german("G", "1711"),
        german("U", "1907", status=["out_of_supply"]),
    )
    prefer = {p.rule: p for p in position_preferences(g, "9.7")}
    among = hexset(g, "1710 1908 2008")
    assert shown(g, prefer["9.7a"].keep(among)) == "1710", "U is unsupplied"
    assert shown(g, prefer["9.7c"].keep(among)) == "1710 2008"
    assert shown(g, prefer["9.7d"].keep(among)) == "1710"
    near = digging(active("A", "1906"), active("B", "1711"), german("G", "1715"))
    prefer = {p.rule: p for p in position_preferences(near, "9.7")}
    assert shown(near, prefer["9.7b"].keep(hexset(near, "1711 1906"))) == "1711"
    place_position(near)
    assert shown(near, near.improved_positions) == "1711"


@rule("kharkov43", "9.7c")
@rule("kharkov43", "9.3c")
def test_an_improved_position_goes_beside_a_german_held_hex_even_over_a_blocked_hexside():
    g = position(
        board=arena(rivers={"1912|1913": "blocked_dniepr"}),
        turn=4,
        units=[active("A", "1912"), active("B", "1712"), german("G", "1913", "9-4 2-4")],
    )
    place_position(g)
    assert shown(g, g.improved_positions) == "1912"


# --- 9.8 -------------------------------------------------------------------------------------------------------------


@rule("kharkov43", "9.8a")
@rule("kharkov43", "9.8b")
@rule("kharkov43", "9.8c")
def test_the_limit_by_turn_marker_and_vps():
    near = " ".join(f"{r}06-{r}08" for r in range(15, 23))
    far = " ".join(f"{r}06-{r}12" for r in range(15, 23))
    ground = arena(**OPEN, areas={"west_support_zone": near, "far_limit_zone": far})
    g = position(board=ground, turn=6, vp=21, objectives=southwest("1917"))
    assert limit_of(g, "Southwest") == g.ground.all, "the marker is in play"
    assert limit_of(g, "Voronezh") == g.ground.far_zone
    remove_objective(g, "Southwest", "test", "9.12")
    assert limit_of(g, "Southwest") == g.ground.far_zone
    g.set_track("vp", 20)
    assert limit_of(g, "Southwest") == g.ground.west_zone, "at once"
    early = position(board=ground, turn=5, vp=10)
    assert limit_of(early, "Southwest") == early.ground.all


@rule("kharkov43", "9.8d")
def test_the_limit_does_not_touch_supply_or_support():
    near = " ".join(f"{r}06-{r}08" for r in range(15, 23))
    units = [soviet("S", "1912")]
    wide = position(board=arena(areas={"far_limit_zone": near}), turn=6, vp=21, units=units)
    other = position(board=arena(), turn=6, vp=21, units=units)
    assert limit_in_force(wide) != limit_in_force(other)
    assert field_of(wide, 1).hexes == field_of(other, 1).hexes
    assert supported(wide) == supported(other)


def log(g):
    return [e["what"] for e in g.events]
