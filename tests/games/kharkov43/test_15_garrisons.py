"""15 Soviet garrisons."""

from __future__ import annotations

import pytest

from kessel.core.procedure import legal, run
from kessel.games.kharkov43.board import GARRISON, SUPPORT_LINES, WEST_LINE, WHOLE_MAP
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.movement.movement import move_unit
from kessel.games.kharkov43.movement.proximity import could_enter
from kessel.games.kharkov43.movement.zones import garrison_zoc, zoc
from kessel.games.kharkov43.sequence import SupplyPhase
from kessel.games.kharkov43.supply.garrisons import (
    check_at_turn_end,
    explain,
    place_garrisons,
    why_not_soviet_ground,
    why_not_town_garrison,
    why_not_village_garrison,
)
from kessel.games.kharkov43.supply.supply import can_trace

from .helpers import ask, board, german, hexes, hx, names, position, soviet, unit
from .soviet_helpers import arena, shown
from .test_06_german_activation import activation

rule = pytest.mark.rule
example = pytest.mark.example
ROW = range(6, 21)
VILLAGES = {"1908": "village", "1912": "village target_southwest", "1914": "village target_voronezh"}


def row(**more):
    """Row 19 from a Soviet edge in the east (1907) to a German one in the west (1919)."""
    more.setdefault("features", VILLAGES)
    more.setdefault("soviet_edge", "1907")
    more.setdefault("german_edge", "1919")
    return board((19, 19), ROW, **more)


def placed(front: str = "", **doc) -> set[str]:
    doc.setdefault("turn", 4)
    g = position(**doc)
    before = g.garrisons
    place_garrisons(g, front)
    return names(g, g.garrisons & ~before)


SOVIETS = [soviet("S", "1910", army="6")]


@rule("kharkov43", "15.0a")
def test_garrisons_stand_only_in_villages_and_vp_hexes():
    g = position(board=row(), turn=4, units=[*SOVIETS, german("G", "1918")])
    assert why_not_village_garrison(g, hx(g, "1911")).rule == "15.0"
    assert explain(g, hx(g, "1911"))["refusal"]["rule"] == "15.0"
    place_garrisons(g)
    assert names(g, g.garrisons) <= {"1908", "1912", "1914"}


@rule("kharkov43", "15.1b")
def test_first_every_empty_soviet_vp_hex_with_soviet_supply():
    b = row(terrain={"1909": "town", "1911": "city", "1913": "town", "1917": "town"}, features={})
    units = [soviet("S", "1911"), german("G", "1915")]
    every = "1909 1913 1917"
    assert placed(board=b, soviet_towns=every, units=units) == {"1909", "1913"}, "1911 is occupied, 1917 cut off"
    g = position(board=b, turn=4, soviet_towns=every, units=units)
    assert why_not_town_garrison(g, hx(g, "1917")).reason == "Soviet supply can't be traced from it"
    assert why_not_town_garrison(g, hx(g, "1910")).reason == "it is not a Soviet VP hex"


@rule("kharkov43", "15.1c")
@rule("kharkov43", "15.1d")
def test_a_village_needs_a_proximate_soviet_unit_or_from_turn_5_support():
    units = [soviet("S", "1910"), german("G", "1918")]
    assert placed(board=row(), units=units) == {"1914"}
    far = [soviet("S", "1907"), german("G", "1918")]
    g = position(board=row(), turn=4, units=far)
    assert "proximate" in why_not_village_garrison(g, hx(g, "1914")).reason
    zone = {"west_support_zone": " ".join(hexes(19, 19, range(6, 16)))}
    g = position(board=row(areas=zone), turn=5, units=far)
    assert why_not_village_garrison(g, hx(g, "1914")) is None, "in Soviet support on turn 5"
    g = position(board=row(areas=zone), turn=4, units=far)
    assert why_not_village_garrison(g, hx(g, "1914")) is not None, "on turn 4 support does not count"


@rule("kharkov43", "15.1e")
def test_a_village_needs_soviet_supply():
    units = [soviet("S", "1913"), german("G", "1909"), german("H", "1918")]
    g = position(board=row(), turn=4, units=units)
    assert why_not_village_garrison(g, hx(g, "1912")).reason == "Soviet supply can't be traced from it"


@rule("kharkov43", "15.1f")
def test_no_village_garrison_beside_a_german_unit():
    g = position(board=row(), turn=4, units=[soviet("S", "1910"), german("G", "1915")])
    assert why_not_village_garrison(g, hx(g, "1914")).reason == "a German unit is adjacent"


@rule("kharkov43", "15.1g")
def test_a_village_needs_a_german_who_would_be_proximate_or_german_supply():
    g = position(board=row(german_edge=""), turn=4, units=[soviet("S", "1910"), german("G", "1918")])
    assert why_not_village_garrison(g, hx(g, "1914")) is None, "G could get adjacent to it"
    g = position(board=row(), turn=4, units=[soviet("S", "1910")])
    assert why_not_village_garrison(g, hx(g, "1914")) is None, "German supply reaches it"
    g = position(board=row(german_edge=""), turn=4, units=[soviet("S", "1910")])
    assert "German" in why_not_village_garrison(g, hx(g, "1914")).reason


@rule("kharkov43", "15.1h")
def test_a_village_must_lie_within_the_operational_limit():
    zone = {"west_support_zone": " ".join(hexes(19, 19, range(6, 14)))}
    units = [soviet("S", "1911"), german("G", "1918")]
    g = position(board=row(areas=zone), turn=6, vp=10, units=units)
    assert why_not_village_garrison(g, hx(g, "1914")).reason == "it is beyond the operational limit"
    assert why_not_village_garrison(g, hx(g, "1912")) is None, "within it"
    just = {"west_support_zone": " ".join(hexes(19, 19, range(6, 13)))}
    g = position(board=row(areas=just), turn=6, vp=10, units=units)
    assert why_not_village_garrison(g, hx(g, "1912")) is None, "the last hex within it"
    marker = {"Voronezh": {"hex": "1908"}, "Southwest": {"hex": "1908"}}
    g = position(board=row(areas=zone), turn=6, vp=10, units=units, objectives=marker)
    assert why_not_village_garrison(g, hx(g, "1914")) is not None, (
        "the line in force by turn and VPs counts, not the markers"
    )


@rule("kharkov43", "15.1h")
@rule("kharkov43", "15.11a")
@pytest.mark.parametrize("column", range(8, 13))
def test_the_garrison_event_asks_for_the_limit_of_the_very_hex(column):
    zone = " ".join(f"{r}06-{r}10" for r in range(15, 23))
    areas = dict.fromkeys(("west_support_zone", "far_limit_zone", "east_support_zone"), zone)
    village = f"19{column:02d}"
    ground = arena(**OPEN, areas=areas, features={village: "village target_southwest"})
    g = position(board=ground, turn=6, vp=30, units=[soviet("S", "1909")])
    h = g.map.grid.hex(village)
    found = why_not_soviet_ground(g, h, "Southwest")
    beyond = found is not None and found.reason == "it is beyond the operational limit of the Southwest Front"
    assert beyond is (column > 10)


@rule("kharkov43", "15.1i")
@rule("kharkov43", "15.21a")
def test_while_garrisons_are_placed_those_away_from_germans_have_zones():
    two = board(
        (19, 20), ROW, soviet_edge="1906 2006", german_edge="1919 2019", features={"1914": "village", "2012": "village"}
    )
    g = position(board=two, turn=4, garrisons="1914", units=[soviet("S", "2008")])
    assert names(g, garrison_zoc(g)) == {"1913", "1915", "2013", "2014"}
    assert can_trace(g, hx(g, "2012"), GERMAN), "in play supply passes beside a garrison"
    assert not can_trace(g, hx(g, "2012"), GERMAN, placing_garrisons=True)
    assert not zoc(g, SOVIET) >> hx(g, "1915") & 1, "a garrison has no zone of control at other times"


@rule("kharkov43", "15.1j")
@rule("kharkov43", "15.21a")
def test_while_garrisons_are_placed_those_beside_germans_count_as_absent():
    g = position(board=row(), turn=4, garrisons="1914", units=[soviet("S", "1909"), german("G", "1915")])
    assert not can_trace(g, hx(g, "1912"), GERMAN)
    assert can_trace(g, hx(g, "1912"), GERMAN, placing_garrisons=True)
    assert not garrison_zoc(g)


@rule("kharkov43", "15.1k")
def test_villages_are_checked_in_descending_order():
    g = position(board=row(), turn=4, units=[soviet("S", "1910"), german("G", "1918")])
    assert [g.hex_name(h) for h in g.ground.village_list] == ["1914", "1912", "1908"]
    place_garrisons(g)
    assert names(g, g.garrisons) == {"1914"}, "1914 first; it shields 1912 and 1908"


@example("kharkov43", "X45")
@rule("kharkov43", "15.1l")
def test_x45_a_later_garrison_removes_an_earlier_one_it_shields():
    """P in 1912 was placed when G could come near it; Q in 1914 is placed now and blocks the way."""
    g = position(board=row(), turn=4, garrisons="1912", units=[soviet("S", "1910"), german("G", "1919")])
    place_garrisons(g)
    assert names(g, g.garrisons) == {"1914"}
    lone = position(
        board=row(features={"1908": "village", "1914": "village"}, german_edge=""),
        turn=4,
        garrisons="1908",
        units=[soviet("S", "1910"), german("G", "1919")],
    )
    place_garrisons(lone)
    assert "1908" in names(lone, lone.garrisons), "it failed before: only the new marker's effect removes"


@rule("kharkov43", "15.1l")
def test_a_garrison_placed_in_a_town_also_removes_an_earlier_one_it_shields():
    """Germans pass 1913 and 1912 on their way to 1910; a garrison in the town 1812 stops them in 1913."""
    ground = board((18, 19), range(6, 23), terrain={"1812": "town"}, features={"1910": "village"})
    for n in list(ground["hexes"]):
        if n.startswith("18") and n != "1812":
            del ground["hexes"][n]
    ground["areas"] = {"german_edge": "1922", "soviet_edge": "1906"}
    units = [german("G", "1916", "3-8 2-8"), soviet("S", "1907")]

    def left(garrisons, towns):
        g = position(board=ground, turn=5, garrisons=garrisons, soviet_towns=towns, units=units)
        place_garrisons(g)
        return names(g, g.garrisons)

    assert left("1910", "1812") == {"1812"}
    assert left("1910", "") == {"1910"}, "no Soviet town, no garrison in it"
    assert left("1910 1812", "1812") == {"1910", "1812"}, "it stood shielded before; nothing new was placed"


@rule("kharkov43", "15.1l")
@pytest.mark.parametrize(("reading", "kept"), [("if_the_new_marker_made_it_fail", True), ("if_it_fails", False)])
def test_a_garrison_that_failed_before_goes_only_by_the_other_reading(reading, kept):
    """O8: 1908 is out of every German's reach and was before the marker in 1912 was placed."""
    ground = arena(
        **OPEN,
        features={"1908": "village", "1912": "village"},
        german_edge="",
        soviet_edge="1906",
    )
    units = [soviet("S", "1910"), german("G", "1915", "3-4")]
    g = position(board=ground, turn=4, units=units, garrisons="1908", options={"garrison_removed": reading})
    assert shown(g, sum(1 << h for h in place_garrisons(g))) == "1912"
    assert (g.garrisons >> g.map.grid.hex("1908") & 1 == 1) is kept


@example("kharkov43", "X44")
@rule("kharkov43", "15.1b")
@rule("kharkov43", "15.1c")
@rule("kharkov43", "15.1f")
@rule("kharkov43", "15.1k")
def test_x44_garrisons_on_turn_5_on_the_printed_map():
    """Units placed so that every statement of the example holds on our map; its picture covers rows 08-21."""
    foot = "1012 1214 1712 2012 2116 2114 2414"
    units = [
        *(soviet(f"S{h}", h, army="3T") for h in foot.split()),
        soviet("S1416", "1416", faces="5-6", type="armor", army="3T"),
        soviet("S1013", "1013", faces="5-6", type="armor", army="3T"),
        *(german(f"G{h}", h, corps="IISS") for h in ("0818", "2218", "1522", "1717")),
    ]
    towns = "0302 1103 1615 0912 1116 1009 1311 0608 0311"
    g = position(board="", turn=5, units=units, soviet_towns=towns, vp=12)

    def why(h: str) -> str:
        return explain(g, hx(g, h)).get("refusal", {}).get("reason", "")

    assert all(why(h) == "a German unit is adjacent" for h in ("2119", "1521", "0918", "0817"))
    assert all(why(h).startswith("no Soviet unit is proximate") for h in ("1920", "0921"))
    place_garrisons(g)
    shown = {h for h in names(g, g.garrisons) if "08" <= h[:2] <= "21" and h[2:] >= "13"}
    assert shown == {"1615", "1116", "1815", "1721", "1619", "1419", "1218"}, (
        "Krasnograd and Valki are empty Soviet towns"
    )
    assert all(why(h).startswith("no German unit would be proximate") for h in ("1813", "1613", "2014"))


@rule("kharkov43", "15.1c")
def test_a_garrison_is_explained():
    ground = arena(**OPEN, features={"1909": "village", "1912": "village"}, terrain={"1910": "town"})
    units = [soviet("S", "1907"), german("G", "1914")]
    g = position(board=ground, turn=4, units=units, garrisons="1909", soviet_towns="1910")
    hex_ = g.map.grid.hex
    assert explain(g, hex_("1909"))["refusal"]["reason"] == "the hex is not empty"
    assert explain(g, hex_("1910")) == {"placed": True}
    assert explain(g, hex_("1907"))["refusal"]["reason"] == "the hex is not empty"
    no = explain(g, hex_("1912"))
    assert no["placed"] is False
    assert no["refusal"]["rule"] == "15.1"


# --- 15.11 ---------------------------------------------------------------------------------------------------------


@rule("kharkov43", "15.11a")
def test_the_garrison_front_event_takes_targets_of_its_front_only():
    units = [soviet("S", "1910", army="6"), german("G", "1918")]
    assert placed("Southwest", board=row(), units=units) == {"1912"}
    assert placed("Voronezh", board=row(), units=[soviet("S", "1910", army="3T"), german("G", "1918")]) == {"1914"}
    b = row(terrain={"1909": "town"}, features={"1909": "target_voronezh"})
    assert placed("Southwest", board=b, soviet_towns="1909", units=units) == set()
    assert placed("Voronezh", board=b, soviet_towns="1909", units=units) == {"1909"}
    zone = {"west_support_zone": "1906 1907"}
    g = position(board=row(areas=zone), turn=6, vp=10, units=units)
    assert why_not_village_garrison(g, hx(g, "1912"), "Southwest").rule == "15.11"
    marker = {"Southwest": {"hex": "1908"}}
    assert placed("Southwest", board=row(areas=zone), turn=6, vp=10, units=units, objectives=marker) == {"1912"}, (
        "a front whose marker is in play has no limit (9.8)"
    )
    assert placed("", board=row(areas=zone), turn=6, vp=10, units=units, objectives=marker) == set()


@rule("kharkov43", "15.11b")
def test_an_unsupported_village_needs_a_unit_of_that_front():
    assert placed("Voronezh", board=row(), units=[soviet("S", "1910", army="6"), german("G", "1918")]) == set()
    g = position(board=row(), turn=4, units=[soviet("S", "1910", army="6"), german("G", "1918")])
    assert why_not_village_garrison(g, hx(g, "1914"), "Voronezh").rule == "15.11"


# --- 15.2, 15.3 ------------------------------------------------------------------------------------------------------


@rule("kharkov43", "15.2a")
@rule("kharkov43", "15.22b")
def test_garrisons_are_no_units():
    g = position(board=row(), turn=4, garrisons="1914", units=[german("G", "1915")])
    assert not g.occupied(hx(g, "1914"))
    assert not g.hexes_of(SOVIET)
    assert not zoc(g, SOVIET)
    act = activation([german("G", "1915", status=["active"])], board=row(), turn=4, garrisons="1912")
    assert {a[0] for a in legal(act)} <= {"pass", "move", "strategic", "dig"}, "there is nothing to attack"


@rule("kharkov43", "15.22a")
@rule("kharkov43", "15.22d")
def test_germans_stop_beside_garrisons():
    g = position(
        board=row(german_edge=" ".join(hexes(19, 19, range(8, 21)))),
        turn=4,
        garrisons="1912",
        units=[german("G", "1915")],
    )
    found = ask(g, "moves", unit="G")["reach"]
    assert found["1913"]["stops"]
    assert "1912" not in names(g, could_enter(g, unit(g, "G")))


@rule("kharkov43", "15.3a")
@rule("kharkov43", "15.21a")
def test_at_the_end_of_a_turn_a_village_garrison_needs_both_supplies():
    def left(**doc):
        g = position(turn=4, **doc)
        check_at_turn_end(g)
        return names(g, g.garrisons)

    assert left(board=row(), garrisons="1912") == {"1912"}
    assert left(board=row(), garrisons="1912", units=[soviet("S", "1916")]) == set(), "no German supply"
    assert left(board=row(), garrisons="1912", units=[german("G", "1909")]) == set(), "no Soviet supply"
    assert left(board=row(), garrisons="1912 1914") == {"1914"}, "1914 and its zone shield 1912"


@rule("kharkov43", "15.3b")
def test_garrisons_in_vp_hexes_stay():
    b = row(terrain={"1912": "town"}, features={})
    g = position(board=b, turn=4, soviet_towns="1912", garrisons="1912", units=[german("G", "1909")])
    check_at_turn_end(g)
    assert names(g, g.garrisons) == {"1912"}


@rule("kharkov43", "15.3d")
def test_a_soviet_unit_that_ends_its_move_there_relieves_the_garrison():
    g = position(board=row(), turn=4, garrisons="1912 1914", units=[soviet("S", "1910")])
    move_unit(g, unit(g, "S"), hx(g, "1912"))
    assert names(g, g.garrisons) == {"1914"}


@rule("kharkov43", "15.3d")
def test_passing_through_a_garrison_leaves_it():
    g = position(board=row(), turn=4, garrisons="1912", units=[soviet("S", "1910")])
    move_unit(g, unit(g, "S"), hx(g, "1914"))
    assert g.has_mark(hx(g, "1912"), GARRISON)


@rule("kharkov43", "13.51b")
@rule("kharkov43", "13.51c")
@rule("kharkov43", "15.1d")
@pytest.mark.parametrize(("turn", "vp", "line"), [(5, 9, "west"), (7, 9, "west"), (8, 21, "west"), (8, 20, "east")])
def test_garrisons_are_placed_by_the_support_line_of_the_game_turn(turn, vp, line):
    """1913 lies east of the west line, 1915 beyond it; no Soviet unit is near. The line before was another one."""
    zones = {"west_support_zone": "1906-1914", "east_support_zone": "1906-1908"}
    ground = arena(features={"1913": "village", "1915": "village"}, areas=zones)
    g = position(board=ground, turn=turn, vp=vp, units=[german("G", "1517"), soviet("S", "2206")])
    g.set_track("support_line", WHOLE_MAP)
    g.stack = [SupplyPhase()]
    run(g)
    assert SUPPORT_LINES[g.track("support_line")] == line
    assert shown(g, g.garrisons) == ("1913" if line == "west" else "")


@rule("kharkov43", "13.51c")
def test_in_heavy_mud_the_support_line_follows_the_vps_as_well():
    """The line is that of the VPs the game-turn starts with; the replacements of heavy mud need support (16.2)."""
    zones = {"west_support_zone": "1906-1914", "east_support_zone": "1906-1908"}
    g = position(board=arena(areas=zones), turn=8, vp=20, ground="heavy_mud", units=[soviet("S", "1911")])
    g.set_track("support_line", WEST_LINE)
    g.stack = [SupplyPhase()]
    run(g)
    assert SUPPORT_LINES[g.track("support_line")] == "east"


OPEN = {"roads_on": ()}
