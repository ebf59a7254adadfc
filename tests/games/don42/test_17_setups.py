"""17.1.4-17.1.7, 17.2.4-17.2.7, 17.3.4-17.3.6: every line of the set-ups and reinforcements.

The tables below are written from the rulebook, not from the scenario files. `=` in a hex, `~` within so many hexes of
one, `each` one unit in each hex, `city:n` within n hexes of Stalingrad, `with` stacked with the formation.
"""

from __future__ import annotations

import pytest

from kessel.core.hexes import hex_list
from kessel.core.hexset import bits, members, within
from kessel.games.don42.data.charts import turn_number
from kessel.games.don42.movement.reinforcements import entries
from kessel.games.don42.turn.setup import area_of, count_of

from .helpers import fresh, h, u

CROSSING = """
17.1.4.01 | HQ8C | = 1744
17.1.4.02 | 6 of 384Div | ~ 2041 1
17.1.4.03 | HQ51C | = 2444
17.1.4.04 | 6 of 76Div | ~ 2441 1
17.1.4.05 | 6 of 295Div | ~ 2743 1
17.1.6.01 | HQ62A | = 2921
17.1.6.02 | 1186AT | ~ 2627 1
17.1.6.03 | 87Div-1 87Div-2 | ~ 2627 1
17.1.6.03 | 87Div-3 | = 2633
17.1.6.04 | 2 of 98Div | each 1939 2537
17.1.6.05 | 228AT | = 2840
17.1.6.06 | 184Div | = 2136
17.1.6.07 | 35Gds-1 | = 1824
17.1.6.07 | 35Gds-2 35Gds-3 | ~ 1824 3
17.1.6.08 | 397AT | ~ 1824 3
17.1.6.09 | 40Mot | = 2034
17.1.6.10 | 651AT | = 2029
17.1.6.11 | 457Art | = 3042
17.1.6.12 | 181Div | ~ 3042 3
17.1.6.13 | 1251AT | ~ 2924 1
17.1.6.14 | 1103Art | ~ 2924 1
17.1.6.15 | 33Gds-1 | = 2621
17.1.6.15 | 33Gds-2 | ~ 2621 1
17.1.6.16 | 147Div | city 0
17.1.6.17 | 3 of NKVD | city 0
17.1.6.18 | 20Tk 38Tk 137Mot | city 0
17.1.6.19 | 41Bde 124Bde 149Bde | ~ 2408 2
17.1.6.20 | 1105Art 1158Art | ~ 2408 2
17.1.6.21 | 47Mtr 83Mtr 110Mtr 141Mtr | city 3
17.1.6.22 | 398AT 416AT 738AT | city 3
17.1.6.23 | 112Div | = 3027
17.1.6.24 | 192Div | = 3033
17.1.6.25 | HQ4TkA | = 1029
17.1.6.26 | 2 of 298Div | ~ 1029 2
17.1.6.27 | 18Div-1 | ~ 1824 1
17.1.6.27 | 18Div-2 | = 1738
17.1.6.28 | 648AT | ~ 1824 3
17.1.6.29 | 27Gds-1 | = 1636
17.1.6.29 | 27Gds-2 | ~ 1636 1
17.1.6.30 | 501AT | ~ 1824 1
17.1.6.31 | 5GdsArt | ~ 2029 1
17.1.6.32 | 338Art | = 2315
17.1.6.33 | 3 of 37Gds | ~ 1636 3
17.1.6.34 | 214Div 193Tk 22Mot 1253AT 342Art | ~ 1226 1
17.1.6.35 | 5 of 2TkC | city 0
17.1.6.36 | 5 of 22TkC | ~ 1136 2
17.1.6.37 | 4 of 23TkC | ~ 1906 2
17.1.6.38 | 5 of 28TkC | ~ 1814 2
"""

KOTLUBAN = """
17.2.4.01 | HQ14PzC | = 1611
17.2.4.03 | HQ51C | ~ 2626 1
17.2.4.04 | 6 of 295Div | ~ 1226 3
17.2.4.05 | 6 of 76Div | ~ 2333 3
17.2.4.06 | HQ8C | ~ 2537 3
17.2.4.07 | 6 of 384Div | ~ 2029 3
17.2.4.08 | 6 of 389Div | ~ 2537 4
17.2.4.09 | HQ71 | = 2525
17.2.4.09 | any 5 of 71Div | each 2924 2921 2721 2623 2425
17.2.4.10 | HQ16Pz | = 1604
17.2.4.11 | 16MG-1 16MG-2 | with 16Pz
17.2.4.11 | any 1 of 16Pz artillery | with 16Pz
17.2.4.12 | any 5 of 16Pz | each 1402 1607 1801 1806 1807
17.2.4.13 | any 5 of 16Pz | each 1403 1404 1504 1505 1606
17.2.4.14 | any 4 of 16Pz | each 1802 1803 1804 1805
17.2.4.15 | HQ3Mot 3MG-1 3MG-2 3MG-3 | ~ 1911 3
17.2.4.16 | any 6 of 3Mot | ~ 1709 2
17.2.4.17 | any 5 of 3Mot | ~ 2110 2
17.2.4.18 | any 3 of 3Mot | ~ 2112 2
17.2.4.19 | HQ60Mot | = 1720
17.2.4.19 | 60MG-1 60MG-2 | with 60Mot
17.2.4.20 | any 10 of 60Mot | each 1613 1617 1717 1718 1719 1720 1721 1722 1723 2215
17.2.4.21 | any 2 of 60Mot | ~ 1914 2
17.2.4.22 | any 2 of 60Mot | ~ 1815 2
17.2.6.01 | HQ62A | = 2614
17.2.6.02 | 1186AT | = 1903
17.2.6.03 | 3 of 87Div | ~ 2117 1
17.2.6.04 | 3 of NKVD | each 2102 1901 2408
17.2.6.05 | 2 of 399Div | ~ 2521 1
17.2.6.06 | 2 of 98Div | ~ 1907 1
17.2.6.07 | 112Div | = 2416
17.2.6.08 | 3 of 35Gds | ~ 2719 1
17.2.6.09 | 40Mot | ~ 1824 1
17.2.6.10 | 41Bde | = 1905
17.2.6.10 | 124Bde | = 1902
17.2.6.10 | 149Bde | = 1904
17.2.6.11 | 651AT | = 2516
17.2.6.12 | 1103Art | ~ 2408 1
17.2.6.13 | 648AT 1251AT | ~ 2806 1
17.2.6.14 | 738AT | = 2307
17.2.6.15 | 20Tk 38Tk | ~ 2605 1
17.2.6.16 | 147Div | = 3017
17.2.6.17 | HQ4TkA | = 1220
17.2.6.18 | 3 of 27Gds | ~ 1437 3
17.2.6.19 | 214Div | ~ 1733 1
17.2.6.20 | 2 of 39Gds | ~ 1323 1
17.2.6.21 | 2 of 298Div | ~ 1530 2
17.2.6.22 | 3 of 37Gds | ~ 1220 3
17.2.6.23 | 148Tk | = 1103
17.2.6.24 | HQKvch | ~ 1112 1
17.2.6.25 | 41Gds-1 41Gds-2 41Gds-3 38Gds-1 38Gds-2 | ~ 1112 1
17.2.6.26 | 2 of 315Div | ~ 1418 1
17.2.6.27 | 1158AT | = 1512
17.2.6.28 | 116Div | = 1412
17.2.6.29 | 3 of 84Div | ~ 1309 1
17.2.6.30 | 2 of 64Div | ~ 1204 1
17.2.6.31 | 671Art | = 1513
17.2.6.32 | 23Mtr 87Mtr | ~ 1311 1
17.2.6.33 | HQ24A | = 1020
17.2.6.34 | 136Mtr 383AT 207Div | ~ 1320 2
17.2.6.35 | any 3 of 24A | ~ 1120 2
17.2.6.36 | any 3 of 24A | ~ 1022 2
17.2.6.37 | 5 of 2TkC | ~ 2105 1
17.2.6.38 | 5 of 4TkC | ~ 1306 2
17.2.6.39 | 5 of 7TkC | ~ 1207 2
17.2.6.40 | 5 of 16TkC | ~ 1215 3
17.2.6.41 | 5 of 22TkC | ~ 1204 2
17.2.6.42 | 4 of 23TkC | ~ 2612 3
17.2.6.43 | 5 of 28TkC | ~ 1309 2
"""

SHORT = """
17.3.4.01 | HQ14PzC | = 1814
17.3.4.03 | HQ51C | = 2537
17.3.4.04 | 6 of 295Div | ~ 3033 3
17.3.4.05 | HQ76 76Art | = 2630
17.3.4.05 | 76AT | = 2528
17.3.4.05 | 178Rgt 203Rgt 230Rgt | each 2528 2229 2131
17.3.4.06 | HQ8C | = 2537
17.3.4.07 | HQ384 384Art | = 2537
17.3.4.07 | 384AT | with 384Div
17.3.4.07 | 534Rgt 535Rgt 536Rgt | each 2132 2134 2136
17.3.4.08 | 6 of 389Div | ~ 1340 3
17.3.4.09 | HQ16Pz | = 1705
17.3.4.09 | 16MG-1 | = 1705
17.3.4.09 | any 1 of 16Pz artillery | = 1705
17.3.4.10 | any 13 of 16Pz | each 1302 1403 1404 1504 1505 1506 1801 1802 1803 1804 1805 1806 1807
17.3.4.11 | any 2 of 16Pz | with 16Pz
17.3.4.12 | HQ3Mot | = 1611
17.3.4.12 | any 1 of 3Mot artillery | = 1611
17.3.4.13 | 3MG-1 3MG-2 3MG-3 | each 1607 1609 1809
17.3.4.13 | any 2 of 3Mot artillery | each 1708 1714
17.3.4.14 | any 9 of 3Mot | each 1613 1707 1817 1911 1916 1918 2014 2115 2117
17.3.4.15 | any 2 of 3Mot | with 3Mot
17.3.4.16 | HQ60Mot | = 2322
17.3.4.16 | 60MG-1 60MG-2 | each 2019 2215
17.3.4.17 | 60PzJg 60Rcn | = 2627
17.3.4.18 | any 12 of 60Mot | each 2116 2118 2121 2124 2216 2219 2226 2320 2421 2522 2623 2625
17.3.6.01 | HQ1GdA | beside 1GdA
17.3.6.02 | 2 of 64Div | ~ 1203 1
17.3.6.03 | 3 of 84Div | ~ 1412 1
"""

TABLES = {"crossing-the-don": CROSSING, "kotluban": KOTLUBAN, "short-game": SHORT}


def rows():
    for scenario, text in TABLES.items():
        seen: dict[str, int] = {}
        for line in text.strip().splitlines():
            rule, units, where = (x.strip() for x in line.split("|"))
            n = seen[rule] = seen.get(rule, -1) + 1
            yield pytest.param(scenario, n, rule, units, where, marks=pytest.mark.rule("don42", rule), id=f"{rule}-{n}")


def allowed(g, where):
    kind, *words = where.split()
    grid = g.map.grid
    if kind == "=":
        return bits([h(g, words[0])])
    if kind == "each":
        return bits(h(g, w) for w in words)
    if kind == "city":
        return within(grid, g.map.area("stalingrad"), int(words[0]))
    if kind == "~":
        return bits(x for x in grid.hexes if grid.distance(x, h(g, words[0])) <= int(words[1]))
    theirs = bits(g.place[x] for x in g.forces.of(words[0]) if g.on_map(x) and (kind == "with" or not g.forces.hq[x]))
    return theirs if kind == "with" else within(grid, theirs, 1) & ~theirs


def wanted(g, units):
    """The named units, or a formation with a number; for `any`, its number and its pool."""
    words = units.split()
    if words[0] == "any":
        pool = [x for x in g.forces.of(words[3]) if len(words) < 5 or g.forces.type[x] == words[4]]
        return int(words[1]), pool
    if len(words) > 1 and words[1] == "of":
        found = g.forces.of(words[2])
        assert len(found) == int(words[0])
        return len(found), found
    return len(words), [u(g, n) for n in words]


@pytest.mark.parametrize(("scenario", "n", "rule", "units", "where"), list(rows()))
def test_a_line_of_the_set_up(scenario, n, rule, units, where):
    g = fresh(scenario)
    entry = [e for e in g.scenario.setup if e.rule == rule][n]
    east_of_volga = g.map.area("volga_east_bank")
    count, pool = wanted(g, units)
    assert count_of(g, entry) == count
    if not where.startswith(("with", "beside")):
        assert area_of(g, entry) == allowed(g, where) & ~east_of_volga
    inside = [x for x in pool if g.on_map(x) and allowed(g, where) >> g.place[x] & 1]
    assert len(inside) >= count
    if not units.startswith("any"):
        assert sorted(inside) == sorted(pool), "the automatic set-up obeys the line"
    if where.startswith("each") and not units.startswith("any"):
        assert {g.place[x] for x in pool} == set(members(allowed(g, where)))


@pytest.mark.rule("don42", "17.1.4.06")
@pytest.mark.parametrize("scenario", TABLES)
def test_germans_set_up_first_and_soviets_observe_stacking(scenario):
    from kessel.core.procedure import asked
    from kessel.games.don42.data.forces import GERMAN, SOVIET
    from kessel.games.don42.movement.stacking import overstacked

    g = fresh(scenario, free_setup="on")
    assert asked(g) == GERMAN
    done = fresh(scenario)
    assert overstacked(done, SOVIET) == []
    printed = {"short-game": {"2537", "2528"}}.get(scenario, set())
    assert {done.hex_name(x) for x in overstacked(done, GERMAN)} == printed, "only stacks printed that way"


@pytest.mark.rule("don42", "17.2.4.02", "17.3.4.02")
@pytest.mark.parametrize("scenario", ["kotluban", "short-game"])
def test_a_pontoon_bridge_stands_at_2539_2540(scenario):
    g = fresh(scenario)
    side = g.map.grid.parse_hexside("2539|2540")
    assert side in g.pontoon_at
    assert side in g.crossings.pontoons


@pytest.mark.rule("don42", "17.2.6.33", "17.2.6.35", "17.2.6.36", "17.2.6.39", "17.2.4.13")
def test_the_printed_hexes_can_be_chosen():
    g = fresh("kotluban", doubtful_hexes="printed")
    assert g.hex_name(g.place[u(g, "HQ24A")]) == "2020"
    where = {e.rule: e.printed for e in g.scenario.setup if e.printed}
    assert where["17.2.6.35"] == ("1920",)
    assert where["17.2.6.36"] == ("2022",)
    assert where["17.2.6.39"] == ("2207",)
    assert "1605" in where["17.2.4.13"]
    distance = g.map.grid.distance
    assert all(distance(g.place[x], h(g, "2207")) <= 4 for x in g.forces.of("7TkC"))


@pytest.mark.rule("don42", "17.3.6.rest", "RX-17.3")
def test_the_rest_of_scenario_3_is_set_up():
    g = fresh("short-game")
    for name, where in (
        ("HQ4TkA", "1029"),
        ("HQ62A", "2614"),
        ("116Div", "1422"),
        ("112Div", "2720"),
        ("338Art", "2415"),
    ):
        assert g.hex_name(g.place[u(g, name)]) == where
    assert sum(g.on_map(x) for x in g.forces.ground[1]) == 101
    assert not g.on_map(u(g, "228AT"))


# --- reinforcements ------------------------------------------------------------------------------------------------

ARRIVALS = """
17.1.5.01 | crossing-the-don | Aug 22 AM | 6 of 389Div | 1044
17.1.5.02 | crossing-the-don | Aug 22 PM | HQ14PzC | 1445 1744
17.1.5.03 | crossing-the-don | Aug 22 PM | 18 of 3Mot | 1445
17.1.5.04 | crossing-the-don | Aug 22 PM | 18 of 16Pz | 1744
17.1.5.05 | crossing-the-don | Aug 24 AM | 17 of 60Mot | 1445 1744
17.1.5.07 | crossing-the-don | Aug 26 AM | 191Rgt 194Rgt 211Rgt | 3142-3146
17.1.5.08 | crossing-the-don | Aug 27 AM | HQ71 71Art 71AT | 3133-3142
17.1.7.01 | crossing-the-don | Aug 23 AM | HQ1GdA | 1013-1025
17.1.7.02 | crossing-the-don | Aug 23 AM | 2 of 315Div | 1013-1025
17.1.7.03 | crossing-the-don | Aug 24 AM | 3 of 84Div | 1025
17.1.7.04 | crossing-the-don | Aug 24 AM | 5 of 4TkC | 1025
17.1.7.05 | crossing-the-don | Aug 24 AM | 116Div | 1033-1038
17.1.7.06 | crossing-the-don | Aug 25 AM | 2 of 64Div | 1025
17.1.7.07 | crossing-the-don | Aug 25 AM | 107Tk 109Tk 164Tk 15Mot | 1025 1029-1033
17.1.7.07 | crossing-the-don | Aug 25 AM | HQ16TkC | 1029-1033
17.1.7.08 | crossing-the-don | Aug 25 AM | 27Gds-3 | 1027-1033
17.1.7.09 | crossing-the-don | Aug 25 AM | 2 of 39Gds | 1027-1033
17.1.7.10 | crossing-the-don | Aug 25 AM | 2 of 399Div | 3142
17.1.7.11 | crossing-the-don | Aug 27 PM | HQKvch 38Gds-1 38Gds-2 41Gds-1 41Gds-2 41Gds-3 671Art 1259AT | 1004-1013
17.1.7.12 | crossing-the-don | Aug 28 AM | 24Div | 1004-1013
17.2.7.01 | kotluban | Sep 5 AM | 24Div | 1016-1020
17.2.7.03 | kotluban | Sep 5 PM | 246Tk 272Art 299Div | 1021-1023
17.2.7.04 | kotluban | Sep 5 PM | 231Div 10Tk | 1004-1007
17.2.7.05 | kotluban | Sep 5 PM | 120Div 88Mtr | 1008-1009
17.2.7.06 | kotluban | Sep 5 PM | 49Div | 1010-1011
17.2.7.07 | kotluban | Sep 7 PM | 316Div 99Div 69Tk 64Mot 381AT 425AT 426AT 86Mtr | 1004
17.3.5.01 | short-game | Aug 26 AM | 191Rgt 194Rgt 211Rgt | 3142-3146
17.3.5.02 | short-game | Aug 27 AM | HQ71 71Art 71AT | 3133-3142
17.3.7ff | short-game | Aug 27 PM | HQKvch 41Gds-2 671Art | 1004-1013
17.3.7ff | short-game | Aug 28 AM | 24Div | 1004-1013
"""


def arrivals():
    for i, line in enumerate(ARRIVALS.strip().splitlines()):
        rule, scenario, turn, units, where = (x.strip() for x in line.split("|"))
        yield pytest.param(scenario, turn, units, where, marks=pytest.mark.rule("don42", rule), id=f"{rule}-{i}")


@pytest.mark.parametrize(("scenario", "turn", "units", "where"), list(arrivals()))
def test_a_line_of_the_reinforcements(scenario, turn, units, where):
    g = fresh(scenario)
    _, pool = wanted(g, units)
    g.set_track("turn", turn_number(turn) - 1)
    assert all(not any(True for _ in entries(g, x)) for x in pool), "not a turn earlier"
    g.set_track("turn", turn_number(turn))
    for x in pool:
        found = {g.hex_name(e) for e, _, _ in entries(g, x)}
        assert found == set(hex_list(where)) - _occupied(g, x)


def _occupied(g, unit):
    """15.2: hexes with Germans or in their zones are no entry as long as another is free."""
    from kessel.games.don42.movement.zones import enemy_zone

    side = g.forces.side[unit]
    closed = enemy_zone(g, side) | g.hexes_of(1 - side)
    return {g.hex_name(x) for x in members(closed)}


@pytest.mark.rule("don42", "17.2.5")
def test_scenario_2_has_no_german_reinforcements():
    g = fresh("kotluban")
    assert [r for r in g.scenario.reinforcements if r.side == 0] == []


@pytest.mark.rule("don42", "17.2.7.02")
def test_hq_66a_enters_where_a_unit_of_its_army_has_entered():
    from kessel.games.don42.board import S_MOVEMENT
    from kessel.games.don42.movement.movement_phase import MovementPhase

    from .helpers import do, start, texts

    g = fresh("kotluban")
    g.set_track("turn", turn_number("Sep 5 PM"))
    g.set_track("phase", S_MOVEMENT)
    start(g, MovementPhase(1, S_MOVEMENT))
    assert "enter HQ66A" not in texts(g)
    do(g, "enter 49Div", "at 1011", "halt")
    do(g, "enter HQ66A")
    assert [t for t in texts(g) if t.startswith("at ")] == ["at 1011"]


@pytest.mark.rule("don42", "17.1.5.07", "17.3.5.01")
@pytest.mark.parametrize("scenario", ["crossing-the-don", "short-game"])
def test_only_one_regiment_of_71_division_comes_first(scenario):
    from kessel.games.don42.board import G_MOVEMENT
    from kessel.games.don42.movement.movement_phase import MovementPhase

    from .helpers import do, refusal, start, texts

    g = fresh(scenario)
    g.set_track("turn", turn_number("Aug 26 AM"))
    g.set_track("phase", G_MOVEMENT)
    start(g, MovementPhase(0, G_MOVEMENT))
    assert "enter HQ71" not in texts(g)
    do(g, "enter 194Rgt", "at 3143", "halt")
    assert "enter 191Rgt" not in texts(g)
    assert refusal(g, "enter 191Rgt")


@pytest.mark.rule("don42", "17.1.7.07")
def test_one_brigade_of_16_tank_corps_enters_at_1025_the_rest_further_west():
    from kessel.games.don42.board import S_MOVEMENT
    from kessel.games.don42.movement.movement_phase import MovementPhase

    from .helpers import do, start, texts

    g = fresh("crossing-the-don")
    g.set_track("turn", turn_number("Aug 25 AM"))
    g.set_track("phase", S_MOVEMENT)
    start(g, MovementPhase(1, S_MOVEMENT))
    do(g, "enter 107Tk", "at 1025", "halt", "enter 109Tk")
    assert "at 1025" not in texts(g)
    assert "at 1031" in texts(g)
