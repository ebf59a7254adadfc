"""9 Soviet activations in detail: what the log says, the first hex of a board, orders to stay and their exceptions."""

from __future__ import annotations

import pytest

from kessel.core.breakdown import Refusal
from kessel.games.kharkov43.board import STAYED
from kessel.games.kharkov43.movement.movement import INFILTRATION, reach_of
from kessel.games.kharkov43.system.methods import methods_a as a
from kessel.games.kharkov43.system.methods import methods_b as b
from kessel.games.kharkov43.system.methods.methods import Check, Go, Stay, end_of, review_stay
from kessel.games.kharkov43.system.methods.methods_a import METHODS_A
from kessel.games.kharkov43.system.methods.methods_army import METHODS_ARMY
from kessel.games.kharkov43.system.methods.methods_b import METHODS_B
from kessel.games.kharkov43.system.methods.methods_unsupplied import METHODS_UNSUPPLIED
from kessel.games.kharkov43.system.soviet_movement import move_active_units
from kessel.games.kharkov43.system.soviet_reserves import place_reserves
from kessel.games.kharkov43.system.terms.choosing import those

from .helpers import german, position, soviet, unit
from .soviet_helpers import (
    active,
    active_tanks,
    arena,
    hexset,
    march,
    orders,
    shown,
    southwest,
    told_to_stay,
    traced,
    voronezh,
    wanted,
)

rule = pytest.mark.rule
OPEN = {"roads_on": ()}


def log(g):
    return [e["what"] for e in g.events]


# --- 9.2 what is told ------------------------------------------------------------------------------------------------


@rule("kharkov43", "9.2g")
def test_the_log_tells_who_stays_and_who_does_not_move_but_says_nothing_of_reserves():
    g = position(
        board=arena(**OPEN),
        turn=2,
        objectives=southwest("1506"),
        units=[
            active("A", "1909", "3-4-05"),
            german("G", "1910", "9-4"),
            active("B", "1506", "3-4-06"),
            active("R", "reserve", "3-4-07"),
        ],
    )
    g.events = []
    move_active_units(g, "Southwest")
    assert g.status[unit(g, "A")] & STAYED
    assert log(g) == [
        "6 unit 05 (A) stays in 1909: 9.21 method 8, adjacent to German unit, it is beside a German unit by itself",
        "6 unit 06 (B) does not move: no method applies",
    ]


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


@rule("kharkov43", "9.21.1a")
def test_the_first_hex_of_a_board_is_as_good_as_any():
    ground = arena((15, 16), range(6, 9), **OPEN, terrain={"1506": "town"}, soviet_edge="1608", german_edge="1508")
    g = position(board=ground, turn=2, objectives=southwest("1508"), units=[active("A", "1606")])
    assert unit(g, "A") == 0
    assert g.map.grid.hex("1506") == 0
    assert march(g) == {"A": ("1506", "9.21.1")}


# --- 9.21 orders to stay ---------------------------------------------------------------------------------------------


@rule("kharkov43", "9.21.2c")
@pytest.mark.parametrize(("marker", "stays"), [("1914", True), ("1915", False)])
def test_a_vp_hex_four_hexes_from_the_marker_holds_a_unit_beside_it(marker, stays):
    ground = arena(**OPEN, terrain={"1910": "town"})
    units = [active("A", "1909"), german("G", "1910", "9-4")]
    g = position(board=ground, turn=2, objectives=southwest(marker), units=units)
    assert isinstance(orders(g, "A", a.near_objective)[-1], Stay) is stays


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


# --- 9.21.10, 9.21.12 -------------------------------------------------------------------------------------------------


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


@rule("kharkov43", "9.21.12a")
def test_only_another_active_unit_makes_an_attack_to_be_strengthened():
    ground = arena((15, 16), range(6, 12), **OPEN)
    units = [active("A", "1510"), german("G", "1507", "9-4"), soviet("S", "1606")]
    g = position(board=ground, turn=1, objectives=southwest("1506"), units=units)
    assert g.map.grid.hex("1506") == 0
    assert wanted(g, "A", a.strengthen_attack) == "", "S is beside G but not active"
    g = position(board=ground, turn=1, objectives=southwest("1506"), units=[*units[:2], active("S", "1606")])
    assert wanted(g, "A", a.strengthen_attack) != ""


# --- 9.27 ------------------------------------------------------------------------------------------------------------


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


@rule("kharkov43", "9.27b")
@rule("kharkov43", "9.21.2d")
def test_an_unsupplied_unit_that_traces_supply_skips_the_methods_its_front_skips():
    """Game-turn 4, no marker: the methods are those of 9.21 without 2 and 11."""
    g = position(board=arena(), turn=4, units=[active("A", "1907", status=["out_of_supply"])])
    skipped = {c.rule: c.skipped.rule for c in traced(g) if c.skipped is not None}
    assert skipped == {"9.21.2": "9.12", "9.21.11": "9.12"}


# --- 9.2 what the methods ask for ------------------------------------------------------------------------------------


def crowded(turn, *, inside_to, **doc):
    """Units of both sides about a line west of which the operational limit ends; a bit of everything."""
    zone = " ".join(f"{r}06-{r}{inside_to:02d}" for r in range(15, 23))
    ground = arena(
        roads_on=(16, 20),
        terrain={"1911": "town", "1609": "town", "2108": "town", "1712": "woods"},
        vp={"1911": 2, "1609": 1, "2108": 1},
        features={
            "1911": "target_southwest",
            "1609": "target_southwest",
            "2108": "target_southwest",
            "2010": "village target_southwest",
            "1713": "logistics_southwest",
        },
        areas=dict.fromkeys(("west_support_zone", "far_limit_zone", "east_support_zone"), zone),
        arrows=[{"kind": "primary", "from": f"18{c:02d}", "to": f"18{c + 1:02d}"} for c in range(6, 16)],
    )
    units = [
        active("A", "1809", "3-4-05"),
        active_tanks("B", "1812", "5-6-02", army="6"),
        active("C", "2008", "2-4-09"),
        active("D", "2112", "2-4-12", status=["out_of_supply"]),
        active("E", "1608", "1-4-14", army="1G"),
        soviet("T", "2108", "3-6-20", "armor"),
        soviet("S", "1714", army="40"),
        german("G", "1911", "2-4", status=["out_of_supply"]),
        german("H", "1713", "3-4"),
        german("K", "1710", "3-4"),
    ]
    return position(board=ground, turn=turn, vp=15, units=units, soviet_towns="1609", garrisons="2010", **doc)


MARKERS = southwest("1915") | {"1G": {"hex": "1713", "facing": "west"}}
EVERY_METHOD = [
    *((m, "A") for m in METHODS_A),
    *((m, "B") for m in METHODS_B),
    *((m, "A") for m in METHODS_ARMY),
    *((m, "B") for m in METHODS_UNSUPPLIED),
]


@rule("kharkov43", "9.2d")
@pytest.mark.parametrize(("method", "chapter"), EVERY_METHOD, ids=lambda x: getattr(x, "number", x))
def test_a_method_sends_units_only_where_they_can_go(method, chapter):
    for inside_to in (7, 10, 17):
        doc = {"objectives": MARKERS} if chapter == "A" else {}
        g = crowded(4 if chapter == "A" else 8, inside_to=inside_to, **doc)
        for name in "ABCDE":
            if method.skip is not None and method.skip(g, "Southwest"):
                continue
            if method in METHODS_ARMY and name != "E":
                continue
            c = Check(g, unit(g, name), "Southwest")
            reach = c.ends | reach_of(g, c.unit, INFILTRATION).hexes
            for order in method.orders(c):
                if isinstance(order, Go):
                    assert shown(g, order.hexes & ~reach) == "", (method.number, name, inside_to)
                    assert shown(g, order.hexes & 1 << c.start) == ""


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
