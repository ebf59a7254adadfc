"""The three long examples of movement methods, move by move, on positions rebuilt so that each printed statement holds.

The printed pictures may differ; that the printed outcome is reached is what counts.
"""

from __future__ import annotations

import pytest

from kessel.core.pack import Pack
from kessel.games.kharkov43.board import ACTIVE
from kessel.games.kharkov43.data.forces import GERMAN
from kessel.games.kharkov43.data.scenario import read_scenario
from kessel.games.kharkov43.supply.support import limit_of, supported
from kessel.games.kharkov43.system.objective_markers import place_objective
from kessel.games.kharkov43.system.soviet_movement import move_active_units
from kessel.games.kharkov43.system.soviet_positions import qualifying_hexes
from kessel.games.kharkov43.system.terms.terminology import (
    beside_germans,
    caused_by,
    surrounded_hexes,
    why_nearly_surrounded,
)
from kessel.games.kharkov43.system.trace import MovementTrace
from kessel.games.kharkov43.turn.setup import new_board

from .helpers import board, german, hx, panzer, position, soviet, unit
from .soviet_helpers import active, active_tanks, hexset, shown, southwest, voronezh

rule = pytest.mark.rule
example = pytest.mark.example


def story(g, front):
    """The checks by unit and method, and the moves in the order made."""
    trace = move_active_units(g, front, MovementTrace())
    checks = {(g.id(c.unit), c.rule): c for c in trace.checks}
    moves = [(c.rule, g.id(c.unit), g.hex_name(c.end)) for c in trace.checks if c.end >= 0]
    return checks, moves


def cuts(check, shift=True):
    choice = check.tried[-1].shift if shift else check.tried[-1].choice
    return [c.rule for c in choice.cuts]


# --- X13 -------------------------------------------------------------------------------------------------------------


def third_tank_army(facing="west", turn=1):
    units = [
        german("Fus", "0604", "5-6"),
        german("Gre", "0803", "5-6"),
        german("298", "1003", "5-4"),
        active_tanks("01", "0902", "5-6-01 2-6-12", army="3T"),
        active_tanks("04", "0902", "5-6-04 2-6-14", army="3T"),
        active_tanks("03", "0801", "4-6-03 2-6-18", army="3T"),
        active_tanks("06", "0801", "4-6-06 2-6-19", army="3T"),
        active("05", "0703", "3-4-05 1-4-21", army="3T"),
        active_tanks("24", "0703", "4-6-24 2-6-30", army="3T"),
        active("08", "1102", "5-5-08 4-5-02 2-5-23", army="3T"),
        active("09", "0901", "5-4-09 3-4-07 1-4-26", army="3T"),
        active("10", "1002", "4-4-10 3-4-16 1-4-28", army="3T"),
        active("15", "0903", "5-4-15 3-4-13 1-4-27", army="3T"),
        soviet("6", "1103", "3-4-02 1-4-15", army="6"),
        soviet("161", "0603", "3-4-03 1-4-13", army="69"),
        soviet("180", "0603", "3-4-05 1-4-15", army="69"),
        soviet("37", "0603", "2-4-21", army="69"),
    ]
    ground = board(
        (5, 11),
        range(1, 13),
        soviet_edge=" ".join(f"{r:02d}01" for r in range(5, 12)),
        terrain={"1103": "town", "1009": "town"},
        features={"1009": "target_voronezh"},
    )
    return position(board=ground, turn=turn, objectives=voronezh("1009", facing=facing), units=units)


@example("kharkov43", "X13")
@rule("kharkov43", "9.21.11a")
@rule("kharkov43", "9.21.11b")
@rule("kharkov43", "9.25f")
@rule("kharkov43", "9.24c")
@rule("kharkov43", "9.24e")
def test_3rd_tank_army_on_turn_1():
    g = third_tank_army()
    away = {n: g.ground.distance(g.place[unit(g, n)], hx(g, "1009")) for n in ("01", "03", "05", "06", "08", "09")}
    assert away == {"01": 8, "03": 9, "05": 8, "06": 9, "08": 8, "09": 9}
    for name in ("05", "10", "15", "24"):
        assert beside_germans(g) >> g.place[unit(g, name)] & 1
    checks, moves = story(g, "Voronezh")
    assert moves == [
        ("9.21.11", "01", "1103"),
        ("9.21.11", "03", "0504"),
        ("9.21.11", "04", "1103"),
        ("9.21.11", "06", "0802"),
        ("9.21.11", "08", "0903"),
        ("9.21.11", "09", "1002"),
    ]
    ten = ("01", "03", "04", "05", "06", "08", "09", "10", "15", "24")
    for name in ten:
        for n in (1, 2, 10):
            assert not any(t.choice.candidates for t in checks[name, f"9.21.{n}"].tried), (name, n)
        assert checks[name, "9.21.3"].skipped.rule == "9.21.3"
        for n in range(4, 9):
            assert checks[name, f"9.21.{n}"].skipped.rule == "9.21.Sa"
    first = checks["01", "9.21.11"].tried[0]
    assert shown(g, first.choice.candidates) == "0903 1002 1103"
    assert cuts(checks["01", "9.21.11"]) == ["9.25f"], "only 1103 lacks an active unit"
    assert cuts(checks["03", "9.21.11"])[-1] == "9.24c"
    narrowed = next(c for c in checks["03", "9.21.11"].tried[0].shift.cuts if c.rule == "9.25e")
    assert shown(g, narrowed.left) == "0504 0802"
    fourth = checks["04", "9.21.11"].tried[0].shift
    assert [(c.rule, shown(g, c.left)) for c in fourth.cuts] == [("9.24c", "0903 1103"), ("9.24e", "1103")]
    assert ("1103", "10.4") in [(g.hex_name(h), r.rule) for h, r in checks["08", "9.21.11"].tried[0].shift.refused]
    ninth = checks["09", "9.21.11"].tried[0].choice
    assert ninth.cuts[0].rule == "9.21.11a"
    for name in ("05", "10", "15", "24"):
        assert checks[name, "9.21.12"].end < 0


@example("kharkov43", "X13")
def test_3rd_tank_army_in_the_set_up_of_the_pack():
    """On the printed map: the same moves, but for 04, which finds 1202 beside the German regiment in 1203."""
    pack = Pack("kharkov43", overlays=())
    g = new_board(pack, read_scenario(pack, "campaign"), {})
    place_objective(g, "Voronezh", "1009 W")
    for u in g.forces.in_formation("3T"):
        if g.on_map(u):
            g.set_status(u, ACTIVE)
    trace = move_active_units(g, "Voronezh", MovementTrace())
    moves = {g.selector(c.unit): g.hex_name(c.end) for c in trace.checks if c.end >= 0}
    assert moves == {1: "1103", 3: "0504", 4: "1202", 6: "0802", 8: "0903", 9: "1002"}


# --- X14 -------------------------------------------------------------------------------------------------------------


ARROWS = (
    ("1609", "1610", "primary"),
    ("1610", "1611", "primary"),
    ("1611", "1712", "primary"),
    ("1611", "1612", "secondary"),
    ("1612", "1713", "primary"),
    ("1712", "1812", "primary"),
    ("1713", "1813", "primary"),
    ("1812", "1912", "primary"),
    ("1813", "1914", "primary"),
    ("1912", "2012", "primary"),
)


def mobile_group_popov(turn=3, lozovaya="target_southwest", isolated=False):
    units = [
        german("G1710", "1710", "3-4", status=["isolated"] if isolated else []),
        german("G1808", "1808", "3-4"),
        active_tanks("01", "1609", "5-6-01 3-6-14"),
        active_tanks("03", "1610", "6-6-03 4-6-17"),
        active_tanks("06", "1610", "4-6-06 2-6-19"),
        soviet("07", "1612", "4-6-07 2-6-23", "mechanized", army="Popov", status=["active"]),
        active("05", "1606", "3-4-05 1-4-26", army="Popov"),
        active("08", "1608", "4-4-08 2-4-24", army="Popov"),
    ]
    ground = board(
        (15, 24),
        range(5, 17),
        soviet_edge="1505 1605 1705 1805",
        german_edge="2416",
        terrain={"1910": "town", "2412": "town", "1607": "woods", "1707": "woods", "1806": "woods"},
        features={"1910": lozovaya, "2412": "target_southwest"},
        vp={"1910": 1, "2412": 1},
        arrows=[{"from": a, "to": b, "kind": k} for a, b, k in ARROWS],
    )
    return position(board=ground, turn=turn, objectives=southwest("2412"), units=units)


@example("kharkov43", "X14")
@rule("kharkov43", "9.21.1a")
@rule("kharkov43", "9.21.4a")
@rule("kharkov43", "9.21.8a")
@rule("kharkov43", "9.21.10a")
@rule("kharkov43", "9.21.10c")
@rule("kharkov43", "9.23a")
@rule("kharkov43", "9.24c")
def test_mobile_group_popov_on_turn_3():
    g = mobile_group_popov()
    checks, moves = story(g, "Southwest")
    assert moves == [
        ("9.21.1", "07", "1910"),
        ("9.21.4", "05", "1807"),
        ("9.21.8", "08", "1709"),
        ("9.21.10", "03", "1914"),
        ("9.21.11", "01", "1812"),
        ("9.21.11", "06", "1711"),
    ]
    assert not checks["08", "9.21.1"].tried, "08 is checked first and cannot reach Lozovaya"
    assert all(not t.choice.candidates for n in ("01", "03", "05", "06", "08") for t in checks[n, "9.21.2"].tried)
    for name in ("01", "03", "06"):
        assert checks[name, "9.21.4"].skipped.rule == "9.21.Sb"
    assert not checks["08", "9.21.4"].tried, "08 cannot surround anything new"
    assert not any(t.choice.candidates for t in checks["01", "9.21.10"].tried), "01 would be stopped by zones"
    barred = checks["06", "9.21.10"].tried[0].choice
    assert ("1914", "9.23a") in [(g.hex_name(h), r.rule) for h, r in barred.refused]
    first = checks["01", "9.21.11"].tried[0].choice
    assert [(c.rule, shown(g, c.left)) for c in first.cuts] == [("9.21.11a", "1811 1812"), ("9.24c", "1812")]
    assert surrounded_hexes(g, GERMAN) == hexset(g, "1710 1808")
    assert caused_by(g, unit(g, "06")) == hexset(g, "1710"), "06 still causes the surround"
    distance = g.ground.distance
    assert [distance(hx(g, n), hx(g, "2412")) for n in ("1811", "1812", "1711", "1610")] == [6, 6, 7, 8]


@example("kharkov43", "X14")
def test_after_the_first_move_the_german_unit_in_1710_is_surrounded():
    g = mobile_group_popov()
    assert not surrounded_hexes(g, GERMAN)
    g.put(unit(g, "07"), hx(g, "1910"))
    assert surrounded_hexes(g, GERMAN) == hexset(g, "1710")


# --- X15 -------------------------------------------------------------------------------------------------------------


def sixth_army(turn=8, vp=18, garrisons="1813", tired=""):
    limits = ((13, 14), (14, 14), (15, 13), (16, 12), (17, 13), (18, 13), (19, 11), (20, 11), (21, 11), (22, 11))
    near = " ".join(f"{r}01-{r}{c:02d}" for r, c in limits)
    east = " ".join(f"{r}01-{r}{c:02d}" for r, c in ((13, 5), (14, 4), (15, 5), (16, 4), (17, 4), (18, 3)))
    units = [
        active("02", "1513", "3-4-02 1-4-15"),
        active("04", "1817", "3-4-04 1-4-17"),
        active("08", "1815", "3-4-08 1-4-19"),
        active("13", "1711", "3-4-13 1-4-23"),
        panzer("G", "1818", "5-6 3-6"),
        german("H", "1918", "3-4 2-4"),
    ]
    ground = board(
        (13, 22),
        range(1, 21),
        soviet_edge=" ".join(f"{r}01" for r in range(13, 19)),
        german_edge=" ".join(f"{r}20" for r in range(13, 23)),
        exits="1801 1820",
        roads=[" ".join(f"18{c:02d}" for c in range(1, 21))],
        features={"1813": "village target_southwest"},
        areas={"west_support_zone": near, "east_support_zone": east, "far_limit_zone": near},
    )
    for u in units:
        if u["id"] == tired:
            u["status"] = [*u.get("status", []), "dispersed"]
    return position(board=ground, turn=turn, vp=vp, units=units, garrisons=garrisons)


@example("kharkov43", "X15")
@rule("kharkov43", "9.22.4a")
@rule("kharkov43", "9.22.4b")
@rule("kharkov43", "9.22.Da")
@rule("kharkov43", "9.22.6a")
@rule("kharkov43", "9.22.6b")
@rule("kharkov43", "9.22.9a")
@rule("kharkov43", "9.7a")
def test_6th_army_on_turn_8():
    g = sixth_army()
    assert limit_of(g, "Southwest") == g.ground.west_zone
    assert not supported(g) & g.hexes_of(1)
    assert why_nearly_surrounded(g, hx(g, "1817")).reason == "G could surround 1817 by a move to 1717"
    checks, moves = story(g, "Southwest")
    assert moves == [("9.22.4", "04", "1717"), ("9.22.6", "08", "1812"), ("9.22.9", "13", "1813")]
    assert not g.garrisons
    fourth = [c.rule for c in checks["04", "9.22.4"].tried[0].choice.cuts]
    assert fourth[-3:] == ["9.22.4d", "9.22.4e", "9.22.4f"]
    sixth = checks["08", "9.22.6"].tried[0].choice
    last = [(c.rule, shown(g, c.left)) for c in sixth.cuts][-2:]
    assert last == [("9.22.6e", "1713 1812"), ("9.24e", "1812")]
    for name in ("08", "13", "02"):
        assert (name, "9.22.11") in checks, "desperation: method 11 was processed, and applies to none"
        assert not any(t.choice.candidates for t in checks[name, "9.22.11"].tried)
    order = list(dict.fromkeys(r for _, r in checks))
    assert order.index("9.22.11") == order.index("9.22.6") - 1
    assert not any(t.choice.candidates for t in checks["02", "9.22.8"].tried), "all such hexes are beyond the limit"
    assert checks["02", "9.22.10"].end < 0
    assert not qualifying_hexes(g) & 1 << g.place[unit(g, "02")], "outside support: no improved position"


# --- the same, varied by one detail ----------------------------------------------------------------------------------


@example("kharkov43", "X13")
@rule("kharkov43", "9.24c")
def test_3rd_tank_army_with_a_marker_that_points_south():
    """9.24c: 0802 lies south of 0504, 1103 of 1002 and that of 0903; what is taken changes what is left."""
    _, moves = story(third_tank_army(facing="south"), "Voronezh")
    assert moves == [
        ("9.21.11", "01", "1103"),
        ("9.21.11", "03", "0802"),
        ("9.21.11", "04", "1103"),
        ("9.21.11", "06", "0504"),
        ("9.21.11", "08", "1002"),
        ("9.21.11", "09", "0903"),
    ]


@example("kharkov43", "X13")
@rule("kharkov43", "9.21.Sa")
@rule("kharkov43", "9.21.Sb")
def test_3rd_tank_army_two_turns_later():
    """On game-turn 3 infantry uses methods 4-9: 05, 10 and 15 stand beside Germans."""
    checks, moves = story(third_tank_army(turn=3), "Voronezh")
    skipped = {n: checks[n, "9.21.4"].skipped for n in ("01", "03", "05", "08", "10", "24")}
    assert {n: bool(x) for n, x in skipped.items()} == {
        "01": True,
        "03": True,
        "05": False,
        "08": False,
        "10": False,
        "24": True,
    }
    assert {r for r, n, _ in moves if n in ("01", "03", "04", "06")} == {"9.21.11"}, "tanks as before"


@example("kharkov43", "X14")
@rule("kharkov43", "9.21.1a-x")
def test_mobile_group_popov_leaves_a_town_of_the_other_front_alone():
    g = mobile_group_popov(lozovaya="target_voronezh")
    _, moves = story(g, "Southwest")
    assert "9.21.1" not in [r for r, _, _ in moves]
    assert g.owner[hx(g, "1910")] == GERMAN + 1
    both = mobile_group_popov(lozovaya="target_voronezh target_southwest")
    assert story(both, "Southwest")[1][0] == ("9.21.1", "07", "1910")


@example("kharkov43", "X14")
@rule("kharkov43", "9.21.Sa")
@rule("kharkov43", "9.21.Sc")
@pytest.mark.parametrize(
    ("turn", "foot", "tanks"), [(2, True, True), (3, False, True), (5, False, True), (6, False, False)]
)
def test_who_of_mobile_group_popov_skips_methods_4_to_9(turn, foot, tanks):
    checks, _ = story(mobile_group_popov(turn=turn), "Southwest")
    assert {n: checks[n, "9.21.4"].skipped is not None for n in ("05", "01")} == {"05": foot, "01": tanks}


@example("kharkov43", "X14")
@rule("kharkov43", "9.23a")
def test_nobody_minds_the_surround_of_an_isolated_unit():
    checks, _ = story(mobile_group_popov(isolated=True), "Southwest")
    refused = [r.rule for c in checks.values() for t in c.tried for _, r in t.choice.refused]
    assert "9.23a" not in refused


@example("kharkov43", "X15")
@rule("kharkov43", "9.22.Da")
def test_6th_army_with_19_vps_is_not_desperate():
    checks, moves = story(sixth_army(vp=19), "Southwest")
    assert moves == [("9.22.4", "04", "1717"), ("9.22.6", "08", "1812"), ("9.22.9", "13", "1813")]
    order = list(dict.fromkeys(r for _, r in checks))
    assert order[-2:] == ["9.22.10", "9.22.11"], "method 11 at its own place"
    assert ("08", "9.22.11") not in checks


@example("kharkov43", "X15")
@rule("kharkov43", "9.22.6a")
def test_6th_army_on_turn_5_knows_no_limit():
    checks, moves = story(sixth_army(turn=5), "Southwest")
    assert "9.22.6" not in [r for r, _, _ in moves]
    assert checks["08", "9.22.6"].skipped.rule == "9.22.6"


@example("kharkov43", "X15")
@rule("kharkov43", "9.22.9a")
def test_6th_army_without_a_garrison_to_relieve():
    _, moves = story(sixth_army(garrisons=""), "Southwest")
    assert moves == [("9.22.4", "04", "1717"), ("9.22.6", "08", "1812")]


@example("kharkov43", "X15")
@rule("kharkov43", "9.3i")
def test_a_dispersed_german_unit_surrounds_nobody_by_a_move():
    g = sixth_army(tired="G")
    assert why_nearly_surrounded(g, hx(g, "1817")) is None
    _, moves = story(g, "Southwest")
    assert [(r, n) for r, n, _ in moves] == [("9.22.6", "04"), ("9.22.6", "08"), ("9.22.9", "13")]


@example("kharkov43", "X15")
@rule("kharkov43", "9.2a")
def test_a_dispersed_unit_of_6th_army_stays():
    _, moves = story(sixth_army(tired="13"), "Southwest")
    assert moves == [("9.22.4", "04", "1717"), ("9.22.6", "08", "1812"), ("9.22.9", "02", "1813")], (
        "02 goes in its stead"
    )
