"""The board of Kharkov '43: all that the rulebook says of its hexes holds, and the rest of the map hangs together."""

from __future__ import annotations

import heapq
import itertools

import pytest

from kessel.core.hexes import Hex
from kessel.core.hexset import members
from kessel.core.terrain import Arrow
from kessel.mapping import checks
from kessel.mapping.grid import side_name
from tests.mapping.printed import Printed

PRINTED = Printed("kharkov43")
FOLDER = PRINTED.folder
board, built, hexes = PRINTED.board, PRINTED.built, PRINTED.hexes
RIVERS = ("minor_river", "donets", "dniepr", "blocked_dniepr")
FOOT = {"clear": 1, "broken": 1, "woods": 2, "marsh": 2, "town": 1, "city": 1, "minor_river": 1, "donets": 1}
MECH = {"clear": 1, "broken": 2, "woods": 3, "marsh": 3, "town": 1, "city": 1, "minor_river": 1, "donets": 2}
GAZETTEER = {
    "Akhtyrka": "0720", "Belgorod": "0311", "Chuguev": "1009", "Dnepropetrovsk": "2518", "Dniprodzerzhynsk": "2520",
    "Gotnya": "0215", "Izyum": "1604", "Kharkov": "0912", "Kramatorsk": "2102", "Krasnoarmiysk": "2404",
    "Krasnograd": "1615", "Kupiansk": "1103", "Lozovaya": "1910", "Pavlograd": "2412", "Poltava": "1421",
    "Pryadovka": "2120", "Sinelnikowo": "2615", "Slavyansk": "1802", "Sumy": "0322", "Valky": "1116",
    "Valuyki": "0302", "Volchansk": "0608", "Zaporozhe": "3116", "Zmiyev": "1311",
}  # fmt: skip
VILLAGES = "0817 0918 0921 1218 1419 1521 1613 1617 1619 1721 1813 1815 1912 1920 2014 2109 2119"
OBJECTIVES_VORONEZH = "1421 1221 1621 0821"
OBJECTIVES_SOUTHWEST = "2518 2120 2615 3116 3314"
EVERY_HEX = """0107 0114 0120 0202 0205 0215 0302 0311 0322 0504 0604 0608 0614 0720 0802 0803 0817 0821 0903 0912 0915
0918 0921 1002 1003 1008 1009 1012 1103 1108 1116 1203 1210 1215 1218 1221 1311 1315 1402 1403 1407 1410 1412 1413 1414
1415 1416 1419 1421 1502 1503 1504 1507 1512 1514 1515 1516 1521 1602 1603 1604 1608 1610 1611 1612 1613 1614 1615 1616
1617 1619 1621 1702 1709 1710 1711 1712 1713 1714 1717 1721 1802 1807 1808 1810 1811 1812 1813 1814 1815 1817 1818 1901
1906 1910 1911 1912 1913 1914 1919 1920 1923 2010 2011 2013 2014 2015 2018 2102 2109 2111 2118 2119 2120 2210 2212 2213
2214 2404 2405 2412 2501 2504 2518 2520 2615 2701 2804 2809 3107 3116 3314"""


def inside(area: str, name: str) -> bool:
    return bool(board().area(area) >> board().grid.hex(name) & 1)


def edge_of_map() -> set[str]:
    grid = board().grid
    return {grid.name(h) for h in grid.hexes if len(grid.around[h]) < 6}


def linked(a: str, b: str) -> bool:
    m = board()
    return m.linked(m.grid.hex(a), m.grid.direction(m.grid.hex(a), m.grid.hex(b)), "road")


def features(a: str, b: str) -> list[str]:
    return board().side_names(board().grid.parse_hexside(f"{a}|{b}"))


def road_net(start: str) -> set[str]:
    m = board()
    seen, frontier = {start}, [start]
    while frontier:
        h = m.grid.hex(frontier.pop())
        for d in range(6):
            if m.linked(h, d, "road") and (name := m.grid.name(m.grid.step(h, d))) not in seen:
                seen.add(name)
                frontier.append(name)
    return seen


def cost(start: str, goal: str, chart: dict[str, int]) -> int:
    """Movement Points of the cheapest way over an empty map (10.2, 10.3)."""
    m = board()
    best = {m.grid.hex(start): 0}
    queue = [(0, m.grid.hex(start))]
    while queue:
        spent, h = heapq.heappop(queue)
        if m.grid.name(h) == goal:
            return spent
        for d in range(6):
            n = m.grid.step(h, d)
            if n < 0 or set(rivers := m.side_features(h, d)) & {"dniepr", "blocked_dniepr"}:
                continue
            step = 1 if m.linked(h, d, "road") else chart[m.terrain[n]] + sum(chart[r] for r in rivers)
            if spent + step < best.get(n, 1 << 30):
                best[n] = spent + step
                heapq.heappush(queue, (spent + step, n))
    raise AssertionError(f"no way from {start} to {goal}")


def arrows(h: Hex, front: str) -> list[Arrow]:
    """The arrows of a hex that exist for that front, primary first."""
    found = [a for a in board().arrows.get(h, []) if a.only in ("", front)]
    return sorted(found, key=lambda a: a.kind != "primary")


def follow(start: Hex, front: str) -> list[Hex]:
    """Along the first arrow of each hex until there is none; a circle fails."""
    path = [start]
    while here := arrows(path[-1], front):
        n = board().grid.step(path[-1], here[0].direction)
        assert n not in path, f"arrows run in a circle at {board().grid.name(n)}"
        path.append(n)
    return path


# --- the file -------------------------------------------------------------------------------------------------------


def test_board_json_is_what_the_edits_build() -> None:
    assert (FOLDER / "board.json").read_text(encoding="utf-8") == built().draft.dumps()


@pytest.mark.rule("kharkov43", "2.1a")
@pytest.mark.rule("kharkov43", "2.1c")
def test_all_words_of_the_terrain_key_are_on_the_map() -> None:
    m = board()
    assert m.terrains() == {"clear", "broken", "marsh", "woods", "town", "city"}
    for word in RIVERS:
        assert any(m.sides(word)), word


def test_every_hex_the_text_names_exists() -> None:
    assert len(hexes(EVERY_HEX)) == len(EVERY_HEX.split())


def test_extent_and_the_cut_corner() -> None:
    """Rows 01-33, columns 01-23; the Far limit's end 3107 lies on the edge, so nothing lies south of it."""
    grid = board().grid
    for name in ("0101", "0123", "3323", "3308", "3101", "3208"):
        assert name in grid
    for name in ("3207", "3201", "3307"):
        assert name not in grid
    assert {"0107", "1901", "0114", "2501", "0120", "3107", "2701", "3314", "1923"} <= edge_of_map()


# --- places ---------------------------------------------------------------------------------------------------------


def test_the_24_towns_and_cities_stand_in_the_gazetteers_hexes() -> None:
    m = board()
    found = {m.name[h]: m.grid.name(h) for h in members(m.of_terrain("town", "city"))}
    assert found == GAZETTEER
    assert m.terrain[m.grid.hex("0912")] == "city"
    for name in ("1910", "1615", "0302", "1103"):
        assert m.terrain[m.grid.hex(name)] == "town"


@pytest.mark.rule("kharkov43", "2.1e")
def test_vp_hexes_are_towns_cities_and_four_clear_edge_hexes() -> None:
    m = board()
    edge_vps = m.with_feature("map_edge_vp")
    assert m.with_feature("vp") == m.of_terrain("town", "city") | edge_vps
    assert set(m.vp) == set(members(m.with_feature("vp")))
    names = {m.grid.name(h) for h in members(edge_vps)}
    assert len(names) == 4
    assert {"2701", "3314"} <= names
    assert names <= edge_of_map()
    south_or_east = {n for n in names if n[2:] == "01" or n[:2] in ("31", "33")}
    assert names == south_or_east
    assert all(m.terrain[h] == "clear" for h in members(edge_vps))


def test_vp_values_the_text_implies() -> None:
    m = board()
    vp = {m.name[h]: v for h, v in m.vp.items()}
    assert vp["Valuyki"] + vp["Kupiansk"] == 2
    assert vp["Slavyansk"] == 2
    assert vp["Lozovaya"] < 2
    assert vp["Kharkov"] == max(vp.values())


def test_vp_levels_are_meaningful() -> None:
    """18.1, 18.2, 9.8: nine by GT2 is possible but hard; what the Soviets took in history lies between the levels."""
    m = board()
    vp = {m.name[h]: v for h, v in m.vp.items()}
    near_the_front = ["Valuyki", "Kupiansk", "Volchansk", "Belgorod", "Izyum", "Slavyansk", "Chuguev"]
    assert sum(vp[n] for n in near_the_front) >= 9
    assert sum(vp[n] for n in near_the_front[:-2]) < 9
    history = [*near_the_front[:5], "Chuguev", "Kharkov", "Zmiyev", "Lozovaya", "Pavlograd", "Gotnya", "Krasnograd"]
    assert 15 <= sum(vp[n] for n in history) <= 20
    more = [*history, "Slavyansk", "Krasnoarmiysk", "Valky", "Akhtyrka"]
    assert 21 <= sum(vp[n] for n in more) < 26
    assert sum(vp[n] for n in [*more, "Poltava"]) >= 24


@pytest.mark.rule("kharkov43", "2.1b")
@pytest.mark.rule("kharkov43", "2.1s")
def test_villages_the_examples_name() -> None:
    m = board()
    for h in hexes(VILLAGES):
        assert m.has(h, "village"), m.grid.name(h)
    assert not m.with_feature("village") & m.with_feature("vp")


def test_no_other_village_in_the_picture_of_the_garrison_example() -> None:
    """15.1 example: west of the West Support Line in rows 08-21 only the villages it lists."""
    m = board()
    found = {
        name
        for h in members(m.with_feature("village") & ~m.area("west_support_zone"))
        if 8 <= int((name := m.grid.name(h))[:2]) <= 21 and 13 <= int(name[2:]) <= 22
    }
    assert found <= set(VILLAGES.split())


@pytest.mark.rule("kharkov43", "2.1t")
def test_targets() -> None:
    m = board()
    voronezh, southwest = m.with_feature("target_voronezh"), m.with_feature("target_southwest")
    for name in ("Chuguev", "Volchansk", "Zmiyev", "Valky", "Kharkov", "Krasnograd", "Poltava"):
        assert voronezh >> m.grid.hex(GAZETTEER[name]) & 1, name
    for name in ("Pavlograd", "Krasnoarmiysk", "Lozovaya", "Dnepropetrovsk", "Pryadovka", "Sinelnikowo", "Zaporozhe"):
        assert southwest >> m.grid.hex(GAZETTEER[name]) & 1, name
    assert southwest >> m.grid.hex("1813") & 1
    places = m.of_terrain("town", "city") | m.with_feature("village")
    assert not (voronezh | southwest) & ~places
    for kind in (m.of_terrain("town", "city"), m.with_feature("village")):
        targets = kind & (voronezh | southwest)
        assert len(members(targets)) * 2 > len(members(kind)), "most are targets"
        assert targets != kind, "not all are"


@pytest.mark.rule("kharkov43", "2.1u")
def test_logistics_hexes_are_two_areas_apart() -> None:
    m = board()
    for front in ("voronezh", "southwest"):
        area = m.with_feature(f"logistics_{front}")
        assert area == m.area(f"logistics_{front}") != 0
        seen = frontier = area & -area
        while frontier:
            near = 0
            for h in members(frontier):
                near |= m.grid.near[h]
            frontier = near & area & ~seen
            seen |= frontier
        assert seen == area, "one connected area"
    assert not m.with_feature("logistics_voronezh") & m.with_feature("logistics_southwest")


@pytest.mark.rule("kharkov43", "2.1x")
def test_boxes() -> None:
    found = {(b.side, b.kind) for b in board().boxes}
    assert found == {(s, k) for s in ("soviet", "german") for k in ("reserve", "eliminated")}


# --- edges, lines, areas --------------------------------------------------------------------------------------------


@pytest.mark.rule("kharkov43", "2.1f")
@pytest.mark.rule("kharkov43", "2.1g")
def test_every_edge_hex_is_soviet_or_german() -> None:
    m = board()
    soviet, german = ({m.grid.name(h) for h in members(m.area(a))} for a in ("soviet_edge", "german_edge"))
    assert soviet | german == edge_of_map()
    assert not soviet & german
    assert all(name[:2] == "01" or name[2:] == "01" for name in soviet)
    assert any(name[:2] == "01" for name in soviet)
    assert any(name[2:] == "01" for name in soviet)


@pytest.mark.parametrize(
    ("line", "ends"),
    [("east_support", ("0107", "1901")), ("west_support", ("0114", "2501")), ("far_limit", ("0120", "3107"))],
)
@pytest.mark.rule("kharkov43", "2.1h")
@pytest.mark.rule("kharkov43", "2.1l")
@pytest.mark.rule("kharkov43", "2.1o")
def test_lines_run_along_the_hexes_named(line: str, ends: tuple[str, str]) -> None:
    """The named end hex lies beyond the line and touches a hex inside it; inside is one piece, and so is outside."""
    m = board()
    doc = m.doc.lines[line]
    assert (doc.from_, doc.to) == ends
    zone = m.area(doc.inside)
    for name in ends:
        assert not inside(doc.inside, name)
        assert m.grid.near[m.grid.hex(name)] & zone
    for part in (zone, m.grid.all & ~zone):
        seen = frontier = part & -part
        while frontier:
            near = 0
            for h in members(frontier):
                near |= m.grid.near[h]
            frontier = near & part & ~seen
            seen |= frontier
        assert seen == part


@pytest.mark.rule("kharkov43", "2.1p")
def test_sides_of_the_lines() -> None:
    barrage = "0205 0604 0803 1003 1203 1402 1403 1503 1604 1802"
    assert all(inside("east_support_zone", name) for name in barrage.split())
    west_inside = "0914 1413 1414 1712 1713 1812 1813 1910"
    west_outside = "1315 1514 1613 1714 1717 1814 1815 1817 1818 1912 1920 1721 1619 1419 1218 2013 2212"
    assert all(inside("west_support_zone", name) for name in west_inside.split())
    assert not any(inside("west_support_zone", name) for name in west_outside.split())
    m = board()
    assert not m.area("east_support_zone") & ~m.area("west_support_zone")
    assert not m.area("west_support_zone") & ~m.area("far_limit_zone")


def test_near_limit_lets_unit_08_choose_between_1713_and_1812() -> None:
    """9.22 example, method 6e: both are as near to Soviet support, and 1813 is further away."""
    m = board()
    zone = members(m.area("east_support_zone"))

    def to_support(name: str) -> int:
        return min(m.grid.distance(m.grid.hex(name), z) for z in zone)

    assert to_support("1713") == to_support("1812")
    assert to_support("1813") > to_support("1812")
    assert all(to_support(name) > 6 for name in ("1711", "1713", "1812", "1815", "1817")), "none can reach support"


@pytest.mark.rule("kharkov43", "2.1d")
def test_deployment_areas_are_bands_from_east_to_west() -> None:
    m = board()
    areas = [m.area(a) for a in ("deploy_raus", "deploy_4pz", "deploy_1pz")]
    assert areas[0] | areas[1] | areas[2] == m.grid.all
    assert sum(len(members(a)) for a in areas) == len(m.grid)
    for name in ("1108", "1407", "1507"):
        assert inside("deploy_4pz", name)
    for c in range(1, 24):
        column = [
            next(i for i, a in enumerate(areas) if a >> h & 1) for h in m.grid.hexes if int(m.grid.name(h)[2:]) == c
        ]
        assert column == sorted(column), f"column {c} runs through the bands from north to south"
        assert set(column) == {0, 1, 2}
    assert all(a & m.area("german_edge") for a in areas)


def test_start_line_parts_the_positions_the_reports_name() -> None:
    german = "0205 0604 0803 1003 1203 1402 1503 1604 1802"
    soviet = "0903 1002 1103 0302 1502 1602 1702"
    m = board()
    assert not any(inside("soviet_start", name) for name in german.split())
    assert all(inside("soviet_start", name) for name in soviet.split())
    for name in german.replace("1604", "").split():
        assert m.grid.near[m.grid.hex(name)] & m.area("soviet_start"), f"{name} stands at the front"


# --- rivers and roads -----------------------------------------------------------------------------------------------


def test_rivers_are_chains_that_end_at_a_bigger_river_or_the_edge() -> None:
    draft = built().draft
    assert checks.stranded_rivers(draft, RIVERS, ()) == []
    for name in ("Donets", "Dniepr", "Oskol", "Vorskla", "Psel", "Orel", "Samara", "Volchya", "Kazenny Torets"):
        assert checks.river_gaps(draft, name) == 1, name
    named = {v.get("name") for v in draft.hexsides.values()}
    for name in named - {None}:
        own = {side for side, v in draft.hexsides.items() if v.get("name") == name}
        at_edge = checks.ends_in_water_or_edge(draft, own, ())
        corners = {c for side in own for c in draft.grid.side_corners(side)}
        meets = any(corners & set(draft.grid.side_corners(s)) for s in draft.hexsides if s not in own)
        assert at_edge or meets, name


def test_no_river_splits_without_a_name() -> None:
    """Where three river hexsides meet, two rivers meet; a loop or a fork of one river is a slip of the pen."""
    draft = built().draft
    at: dict[object, list[str | None]] = {}
    for side, values in draft.hexsides.items():
        for corner in draft.grid.side_corners(side):
            at.setdefault(corner, []).append(values.get("name"))
    for corner, names in at.items():
        if len(names) == 3:
            around = [side_name(s) for s in draft.hexsides if corner in draft.grid.side_corners(s)]
            assert len(set(names)) > 1, f"{names[0]} forks at {around}"


def test_towns_on_their_rivers() -> None:
    assert "donets" in {f for n in ("1504", "1505", "1603") for f in features("1604", n)}
    for town, bank in (("1009", "1109"), ("1311", "1310"), ("0608", "0609"), ("0311", "0310")):
        assert features(town, bank) == ["donets"]
    assert features("2518", "2417") == ["dniepr"]
    assert features("3116", "3117") == ["dniepr"]


def test_blocked_dniepr_has_no_bridge_and_leaves_the_cities_open() -> None:
    m = board()
    for d in range(6):
        assert not m.sides("blocked_dniepr")[d] & m.links("road")[d]
    for name in ("2518", "2520", "3116"):
        assert not any(m.side_has(m.grid.hex(name), d, "blocked_dniepr") for d in range(6))


def test_izyum_bridge_and_the_stream_beyond() -> None:
    """10.2 example B: four hexes and the Donets are 6 MPs; over the bridge of Izyum only a stream is to pay."""
    bridges = [n for n in ("1505", "1504", "1603") if linked("1604", n) and features("1604", n) == ["donets"]]
    assert len(bridges) == 1
    start = bridges[0]
    assert cost(start, "1904", MECH) == 5
    assert features("1804", "1904") == ["minor_river"]
    assert not linked("1804", "1904")
    m = board()
    unbridged = [
        (a, n)
        for a in m.grid.hexes
        for d in range(6)
        if m.side_has(a, d, "donets") and not m.linked(a, d, "road") and m.terrain[n := m.grid.step(a, d)] == "clear"
    ]
    assert unbridged, "an unbridged Donets hexside into a clear hex: 1 + 2 MPs"


def test_strategic_movement_examples() -> None:
    """10.6: infantry at 1919 has 6 MPs for 1913, 2013, 1714 or 1813; 1617-1616-1615 is a road."""
    for goal in ("1913", "2013", "1714", "1813"):
        assert cost("1919", goal, FOOT) == 6
    assert linked("1617", "1616")
    assert linked("1616", "1615")


def test_the_soviet_unit_in_1416_reaches_village_1721() -> None:
    assert board().grid.distance(*hexes("1416 1721")) == 6
    assert cost("1416", "1721", MECH) == 6


def test_hexes_of_the_first_ss_units() -> None:
    """7.1 example: 1108, 1407 and 1507 are road hexes or clear hexes next to one."""
    m = board()
    for h in hexes("1108 1407 1507"):
        on_road = bool(m.on_link("road") >> h & 1)
        beside = m.terrain[h] == "clear" and m.grid.near[h] & m.on_link("road")
        assert on_road or beside


def test_supply_heads_of_the_supply_example() -> None:
    """13.1: 2404-2405 is road; 2405 and 2804 are joined by road to a German edge hex whose road leaves the map."""
    m = board()
    assert linked("2404", "2405")
    german_exits = {m.grid.name(h) for h in members(m.with_feature("road_exit") & m.area("german_edge"))}
    for name in ("2405", "2804"):
        assert road_net(name) & german_exits


def test_terrain_of_the_popov_example() -> None:
    m = board()
    for h in hexes("1607 1707 1806"):
        assert m.terrain[h] == "woods"
    way = hexes("1609 1510 1511 1611 1712 1812")
    for a, b in itertools.pairwise(way):
        assert m.terrain[b] == "clear", "with one MP to leave the ZOC unit 01 gets to 1812 for six"
        assert m.side_features(a, m.grid.direction(a, b)) == []
    for h in hexes("1911 2010"):
        assert m.terrain[h] != "woods"


def test_every_town_is_on_a_road_net_that_leaves_the_map_on_both_sides() -> None:
    m = board()
    exits = m.with_feature("road_exit")
    assert {m.grid.name(h) for h in members(exits)} <= edge_of_map()
    assert not exits & ~m.on_link("road")
    net = road_net("0912")
    for name in GAZETTEER.values():
        assert name in net, name
    for area in ("soviet_edge", "german_edge"):
        assert {m.grid.name(h) for h in members(exits & m.area(area))} & net
    assert {m.grid.name(h) for h in members(m.on_link("road"))} == net, "one net"


def test_roads_end_in_towns_villages_or_at_the_edge() -> None:
    m = board()
    for h in members(m.on_link("road")):
        if sum(m.linked(h, d, "road") for d in range(6)) == 1:
            assert m.has(h, "road_exit") or m.has(h, "vp") or m.has(h, "village"), m.grid.name(h)


def test_every_hex_can_be_reached() -> None:
    assert checks.cut_off(built().draft, (9, 12), (), ["blocked_dniepr"]) == []


# --- arrows ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("kharkov43", "2.1q")
@pytest.mark.rule("kharkov43", "2.1r")
def test_a_hex_has_at_most_one_arrow_of_a_kind_for_each_front() -> None:
    m = board()
    for h, found in m.arrows.items():
        for front in ("V", "S"):
            kinds = [a.kind for a in found if a.only in ("", front)]
            assert len(kinds) == len(set(kinds)), m.grid.name(h)
        assert len({a.direction for a in found}) == len(found)
        assert len(found) <= 2
    assert {a.only for found in m.arrows.values() for a in found} == {"", "V", "S"}


def test_arrows_the_examples_need() -> None:
    m = board()

    def points(a: str, b: str, kind: str) -> bool:
        here, there = hexes(f"{a} {b}")
        return Arrow(m.grid.direction(here, there), kind, "") in m.arrows[here]

    assert points("1412", "1413", "primary")
    assert points("1313", "1413", "primary"), "the other attacker of 12.8 A"
    assert points("1610", "1611", "secondary"), "unit 04 of 12.8 B"
    assert points("1611", "1612", "secondary")
    assert points("1711", "1810", "primary")
    assert points("1712", "1812", "primary")
    assert points("1812", "1813", "primary") or points("1713", "1813", "primary")
    assert points("2011", "2012", "primary") or points("2011", "2112", "primary")


def test_unit_03_of_popov_ends_in_1914() -> None:
    """9.21 method 10 from 1610, out of the ZOC of 1710: farthest from the start, then closest to 2412."""
    m, grid = board(), board().grid
    start, german, objective = hexes("1610 1710 2412")
    zoc = grid.near[german] | grid.near[grid.hex("1808")]
    ends: set[Hex] = set()

    def walk(h: Hex, left: int) -> None:
        if not left:
            ends.add(h)
            return
        for a in arrows(h, "S"):
            n = grid.step(h, a.direction)
            if m.terrain[n] in ("clear", "town") and not zoc >> n & 1 and not m.side_features(h, a.direction):
                walk(n, left - 1)

    walk(start, 5)
    farthest = max(grid.distance(start, h) for h in ends)
    best = [h for h in ends if grid.distance(start, h) == farthest]
    closest = min(grid.distance(h, objective) for h in best)
    assert [grid.name(h) for h in best if grid.distance(h, objective) == closest] == ["1914"]


@pytest.mark.parametrize("front", ["V", "S"])
def test_arrows_never_run_in_a_circle_or_over_the_blocked_dniepr(front: str) -> None:
    m = board()
    done: set[Hex] = set()

    def visit(h: Hex, above: tuple[Hex, ...]) -> None:
        assert h not in above, f"circle at {m.grid.name(h)}"
        if h in done:
            return
        for a in arrows(h, front):
            assert not m.side_has(h, a.direction, "blocked_dniepr"), m.grid.name(h)
            visit(m.grid.step(h, a.direction), (*above, h))
        done.add(h)

    for h in m.arrows:
        visit(h, ())


@pytest.mark.parametrize("front", ["V", "S"])
def test_arrows_lead_from_every_hex_to_an_objective(front: str) -> None:
    """Third objectives of either front, Sumy, or the map-edge VP hexes."""
    m = board()
    goals = set(hexes(f"{OBJECTIVES_VORONEZH} {OBJECTIVES_SOUTHWEST} 0322")) | set(
        members(m.with_feature("map_edge_vp"))
    )
    for h in m.arrows:
        if arrows(h, front):
            end = follow(h, front)[-1]
            assert end in goals, f"{m.grid.name(h)} ends in {m.grid.name(end)}"


def test_every_start_hex_has_arrows_toward_its_fronts_objectives() -> None:
    m = board()
    for h in members(m.area("soviet_start")):
        row = int(m.grid.name(h)[:2])
        if row <= 11:
            assert follow(h, "V")[-1] in hexes(OBJECTIVES_VORONEZH), m.grid.name(h)
        if row >= 11:
            edge = members(m.with_feature("map_edge_vp"))
            assert follow(h, "S")[-1] in [*hexes(OBJECTIVES_SOUTHWEST), *edge], m.grid.name(h)


def test_arrows_pass_the_great_objectives() -> None:
    """The lanes go through Kharkov, Krasnoarmiysk, Lozovaya and Pavlograd."""
    m = board()
    north = [h for h in members(m.area("soviet_start")) if int(m.grid.name(h)[:2]) <= 11]
    south = [h for h in members(m.area("soviet_start")) if int(m.grid.name(h)[:2]) > 11]
    voronezh = {h for start in north for h in follow(start, "V")}
    southwest = {h for start in south for h in follow(start, "S")}
    assert set(hexes("0311 0608 1009 0912 1116 1421")) <= voronezh
    assert set(hexes("1604 1802 1910 2412 2404")) <= southwest
