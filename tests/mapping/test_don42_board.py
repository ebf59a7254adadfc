"""The board of Strike of the Heron: all that the rulebook says of its hexes holds, and the rest hangs together."""

from __future__ import annotations

import itertools
import re

import pytest

from kessel.core.hexes import Bits
from kessel.core.hexset import flood, members
from kessel.mapping import checks
from tests.mapping.printed import Printed

PRINTED = Printed("don42")
FOLDER = PRINTED.folder
board, built, hexes, names = PRINTED.board, PRINTED.built, PRINTED.hexes, PRINTED.names
ROADS = ("major_road", "minor_road")
TOWNS = {
    "Fastov": "1029", "Kotluban": "1226", "Vinovka": "1402", "MTA": "1412", "Latoshinka": "1602", "Panshino": "1636",
    "Grachi": "1720", "Rynok": "1801", "Samofalovka": "1824", "Spartanovka": "1901", "Orlovka": "1906",
    "Kuzmichi": "1916", "Vodstroy": "2005", "Kotluban II": "2029", "Konny": "2315", "Gorodishche": "2408",
    "Nadezhda": "2516", "Vertyachii": "2537", "Gumrak": "2614", "Stepnoi": "2621", "Borodino": "2627",
    "Bolsehaja": "2921", "Rossoshka": "2924", "Zapadnovka": "3027", "Baburka": "3033", "Peskovatka": "3042",
}  # fmt: skip
HILLS = {
    "Hill 109": "1504", "Hill 129": "1505", "Hill 124": "1607", "Hill 139": "1611", "Hill 136": "1806",
    "Hill 145": "1807", "Hill 154": "2215", "Hill 142": "2222", "Hill 132": "2224", "Hill 184": "2423",
    "Hill 131": "2626",
}  # fmt: skip
VICTORY_POINTS = {
    5: "1402 1602 2005 2627 3033 1505 1806 2224 2626",
    10: "1611 1607 1807 2423 2222 1412 1906 1801 3042",
    25: "1916 2924 2621 2921",
}
FLANK_LINE = "1025 1226 1824 2621 2921 2924 3123"
FLANK_ROAD = """1025 1125 1226 1325 1425 1524 1624 1724 1824 1923 2023 2123 2223 2322 2422 2521 2621 2721 2821 2921
2922 2923 2924 3024 3123"""


def inside(area: str, name: str) -> bool:
    return bool(board().area(area) >> board().grid.hex(name) & 1)


def features(a: str, b: str) -> list[str]:
    return board().side_names(board().grid.parse_hexside(f"{a}|{b}"))


def linked(a: str, b: str, *kinds: str) -> bool:
    m = board()
    return m.linked(m.grid.hex(a), m.grid.direction(m.grid.hex(a), m.grid.hex(b)), *(kinds or ROADS))


def road_net(start: str, closed: Bits = 0) -> set[str]:
    """All hexes joined to the start by roads that never enter the closed hexes."""
    m = board()
    seen, frontier = {start}, [start]
    while frontier:
        h = m.grid.hex(frontier.pop())
        for d in range(6):
            n = m.grid.step(h, d)
            if m.linked(h, d, *ROADS) and not closed >> n & 1 and m.grid.name(n) not in seen:
                seen.add(m.grid.name(n))
                frontier.append(m.grid.name(n))
    return seen


# --- the file and the grid ------------------------------------------------------------------------------------------


def test_board_json_is_what_the_edits_build() -> None:
    assert (FOLDER / "board.json").read_text(encoding="utf-8") == built().draft.dumps()


def test_grid_as_the_set_ups_need_it() -> None:
    """Odd rows half a hex further west: the German lines 1302-1403 and 1506-1607 are unbroken, 2539 touches 2540."""
    grid = board().grid
    for a, b in (("1302", "1403"), ("1506", "1607"), ("2539", "2540")):
        assert grid.adjacent(*hexes(f"{a} {b}"))
    assert grid.direction_names[0] == "E"


@pytest.mark.rule("don42", "2.1.a")
@pytest.mark.rule("don42", "2.1.b")
def test_extent() -> None:
    """Rows 10-31, columns 01-46; beside the tracks the map ends at 1445 and 1744, one straight line."""
    grid = board().grid
    assert {name[:2] for name in map(grid.name, grid.hexes)} == {f"{r}" for r in range(10, 32)}
    for name in ("1001", "1044", "1445", "1744", "3101", "3146"):
        assert name in grid
    for name in ("1446", "1745", "3147", "0901"):
        assert name not in grid
    west = names(board().area("west_edge"))
    for row in range(10, 32):
        columns = [int(name[2:]) for name in map(grid.name, grid.hexes) if name[:2] == f"{row}"]
        assert sorted(columns) == list(range(1, max(columns) + 1))
        assert f"{row}{max(columns):02d}" in west
    beside_the_tracks = {grid.centre(grid.hex(n))[0] for n in west if int(n[:2]) <= 25}
    assert max(beside_the_tracks) - min(beside_the_tracks) == pytest.approx(0.5), "one straight edge"


def test_edges() -> None:
    m = board()
    for edge, pattern in (("north", "10.."), ("south", "31.."), ("east", "..01")):
        every = {name for name in map(m.grid.name, m.grid.hexes) if re.fullmatch(pattern, name)}
        assert names(m.area(f"{edge}_edge")) == every


def test_every_hex_the_scenarios_name_exists() -> None:
    grid = board().grid
    for path in sorted((FOLDER / "scenarios").glob("*.toml")):
        for line in path.read_text(encoding="utf-8").splitlines():
            key, _, value = line.partition("=")
            if key.strip() in ("in", "near", "each", "enter", "flank_line", "pontoon"):
                for name in re.findall(r"\b\d{4}\b", value):
                    assert name in grid, f"{path.name}: {line}"


# --- places ---------------------------------------------------------------------------------------------------------


def test_every_named_place_is_in_its_hex() -> None:
    m = board()
    for terrain, places in (("town", TOWNS), ("hill", HILLS)):
        for name, number in places.items():
            h = m.grid.hex(number)
            assert (m.name.get(h), m.terrain[h]) == (name, terrain)
    assert m.name[m.grid.hex("2806")] == "Gumrak Airfield"


@pytest.mark.rule("don42", "16.1.c")
@pytest.mark.rule("don42", "16.1.d")
@pytest.mark.rule("don42", "16.1.e")
def test_victory_points() -> None:
    m = board()
    stated = {h: vp for vp, places in VICTORY_POINTS.items() for h in hexes(places)}
    assert m.vp == stated
    assert sum(stated.values()) == 235
    assert set(stated) == set(members(m.with_feature("vp")))


def test_stalingrad_has_room_for_those_who_set_up_there() -> None:
    """17.1.6: twelve units in Stalingrad hexes, none stacked; 2102 is one of them (17.2.6)."""
    m = board()
    city = m.area("stalingrad")
    assert city == m.of_terrain("city")
    assert len(members(city)) >= 12
    assert inside("stalingrad", "2102")
    one = city & -city
    assert flood(m.grid, one, city, m.sides("major_river")) == city, "one connected city"


# --- rivers ---------------------------------------------------------------------------------------------------------


def test_the_volga_parts_its_banks_for_good() -> None:
    m = board()
    reach = flood(m.grid, 1 << m.grid.hex("1801"), m.grid.all, m.sides("major_river"))
    assert m.grid.all & ~reach == m.area("volga_east_bank")
    for d in range(6):
        assert not m.sides("major_river")[d] & m.links(*ROADS, "railroad")[d], "no bridge over the Volga"
    for name in ("1402", "1602"):
        h = m.grid.hex(name)
        assert any(m.side_has(h, d, "major_river") for d in range(6)), f"{name} stands on the Volga"
    for name in ("1801", "1901"):
        assert name in names(m.area("east_edge"))


def test_the_don_lies_between_the_set_ups() -> None:
    m = board()
    west = flood(m.grid, 1 << m.grid.hex("1744"), m.grid.all, m.sides("minor_river"))
    assert west == m.area("west_bank")
    for h in hexes("1744 2041 2441 2444 2743 1340 2540 1044 1445"):
        assert west >> h & 1, m.grid.name(h)
    for h in hexes("1636 1738 1939 2034 2136 2537 2633 2840 3042 2539 1136 1437 3142 3146"):
        assert not west >> h & 1, m.grid.name(h)


def test_the_pontoon_site() -> None:
    """17.2.4: the hexside 2539-2540 is Don without a bridge; roads end on both banks, so a pontoon joins them."""
    m = board()
    assert features("2539", "2540") == ["minor_river", "don"]
    assert not linked("2539", "2540")
    assert m.on_link(*ROADS) >> m.grid.hex("2539") & 1
    assert m.on_link(*ROADS) >> m.grid.hex("2540") & 1
    assert names(m.with_feature("pontoon_site")) == {"2539", "2540"}


def test_rivers_are_whole() -> None:
    draft = built().draft
    assert checks.stranded_rivers(draft, ["minor_river", "major_river"], ()) == []
    assert checks.river_gaps(draft, "Don") == 1
    assert checks.river_gaps(draft, "Volga") == 2, "beyond the edge of the map at Rynok"
    for name in ("Don", "Volga"):
        corners: dict[object, int] = {}
        for side, values in draft.hexsides.items():
            if values.get("name") == name:
                for corner in draft.grid.side_corners(side):
                    corners[corner] = corners.get(corner, 0) + 1
        assert max(corners.values()) == 2, f"{name} forks"


def test_the_hand_drawn_don_keeps_to_the_ground() -> None:
    """Every Don hexside lies within two hexes of the fitted river."""
    b = built()
    fitted = [h for side, found in b.geography.river_sides.items() if "Don" in found for h in side]
    for side, values in b.draft.hexsides.items():
        if values.get("name") == "Don":
            assert min(b.draft.grid.distance(side[0], h) for h in fitted) <= 2, side


def test_gorges_are_on_the_map() -> None:
    m = board()
    assert any(m.sides("gorge"))
    for d in range(6):
        assert not m.sides("gorge")[d] & (m.sides("minor_river")[d] | m.sides("major_river")[d])


# --- roads ----------------------------------------------------------------------------------------------------------


def test_the_flank_line_is_a_road() -> None:
    """From 1025 over Kotluban, Samofalovka, Stepnoi, Bolsehaja, Rossoshka to 3123 along major and minor roads."""
    m = board()
    way = FLANK_ROAD.split()
    assert [n for n in way if n in FLANK_LINE] == FLANK_LINE.split()
    for a, b in itertools.pairwise(way):
        assert linked(a, b), f"{a}-{b}"
    kinds = {k for a, b in itertools.pairwise(way) for k in ROADS if linked(a, b, k)}
    assert kinds == set(ROADS)
    assert not any(inside("east_of_line", name) for name in way)
    assert {f"{row}" for row in range(10, 32)} == {name[:2] for name in way}
    assert (way[0], way[-1]) == (m.doc.lines["flank_line"].from_, m.doc.lines["flank_line"].to)


def test_east_of_the_line_means_smaller_columns() -> None:
    m = board()
    east = names(m.area("east_of_line"))
    for name in FLANK_LINE.split():
        assert name not in east
    for row in range(10, 32):
        columns = {int(n[2:]) for n in east if n[:2] == f"{row}"}
        assert columns == set(range(1, max(columns) + 1))
        last = f"{row}{max(columns) + 1:02d}"
        assert last in FLANK_ROAD.split(), f"{last} is the line's road hex of its row"


def test_entry_hexes_are_road_hexes_at_the_edge() -> None:
    """15.1: a reinforcement enters at that specific road hex."""
    m = board()
    edge = m.area("north_edge") | m.area("south_edge") | m.area("west_edge")
    for h in hexes("1025 1044 1445 1744 3142 1004"):
        assert m.on_link(*ROADS) >> h & 1
        assert edge >> h & 1
        assert m.has(h, "road_exit")
    for name in ("1013", "1029"):
        assert m.on_link(*ROADS) >> m.grid.hex(name) & 1


def test_headquarters_start_on_or_beside_roads() -> None:
    """4.3.1: a German Corps HQ stands on a road; 4.2.2: a Soviet HQ within one hex of one."""
    m = board()
    roads = m.on_link(*ROADS)
    for h in hexes("1744 2444 2537 2626 1611 1814"):
        assert roads >> h & 1
    for h in hexes("2921 2614 1029 1220 1112"):
        assert (roads >> h & 1) or m.grid.near[h] & roads


def test_bridges_over_the_don_join_both_road_nets() -> None:
    m = board()
    bridges = [
        (m.grid.name(h), m.grid.name(m.grid.step(h, d)))
        for d in range(3)
        for h in members(m.sides("minor_river")[d] & m.links(*ROADS)[d])
    ]
    assert len(bridges) == 2
    net = road_net("1801")
    assert {"1445", "1744", "2445"} <= net
    west = m.area("west_bank")
    east_only = road_net("1801", closed=west)
    assert {b for pair in bridges for b in pair} - names(west) <= east_only


def test_supply_sources() -> None:
    """4.2.1: Soviet road exits of the north and east edges; 4.3, 13.2.3: German ones of the west edge."""
    m = board()
    soviet, german = m.with_feature("soviet_source"), m.with_feature("german_source")
    exits = m.with_feature("road_exit")
    west = m.area("west_bank")
    assert soviet == exits & (m.area("north_edge") | m.area("east_edge")) & ~west
    assert german == exits & m.area("west_edge") & west
    assert not exits & ~m.on_link(*ROADS)
    assert soviet & m.area("east_edge") & m.area("stalingrad"), "the 62 Army has the ferries when the north is cut"


def test_every_town_is_on_the_road_net_of_both_sides() -> None:
    m = board()
    net = road_net("1801")
    places = names(m.of_terrain("town", "city") & ~m.area("volga_east_bank"))
    off = {n for n in places if n not in net and not inside("stalingrad", n)}
    assert off == set()
    assert net & names(m.with_feature("soviet_source"))
    assert net & names(m.with_feature("german_source"))
    every = names(m.on_link(*ROADS) & ~m.area("volga_east_bank"))
    pontoon_approach = road_net("2540") | road_net("2539")
    assert every <= net | pontoon_approach


def test_no_road_hex_lies_on_an_edge_without_leaving_the_map() -> None:
    """A road on the north or west edge leads off it; at the east edge only Rynok and Spartanovka do not."""
    m = board()
    on_edge = m.on_link(*ROADS) & (m.area("north_edge") | m.area("west_edge"))
    assert on_edge == m.with_feature("road_exit") & (m.area("north_edge") | m.area("west_edge"))
    assert names(m.on_link(*ROADS) & m.area("east_edge") & ~m.with_feature("road_exit")) == {"1801", "1901"}


def test_railroad_from_kotluban_to_the_city() -> None:
    m = board()
    rail = m.on_link("railroad")
    for name in ("2315", "2614", "2703"):
        assert rail >> m.grid.hex(name) & 1
    assert rail & m.area("north_edge")
    assert rail & m.area("stalingrad")


def test_every_hex_can_be_reached() -> None:
    """All but the far bank of the Volga, also when the Don were closed except at its bridges."""
    cut = checks.cut_off(built().draft, (18, 1), (), ["major_river", "minor_river"])
    assert set(cut) == names(board().area("volga_east_bank"))
