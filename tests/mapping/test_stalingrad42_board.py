"""The board of Stalingrad '42: all that the rulebook says of its hexes holds, and the rest hangs together."""

from __future__ import annotations

import itertools
from functools import cache

import pytest

from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import members
from kessel.core.terrain import Map
from kessel.mapping import checks
from kessel.mapping.build import Built, build, pack_folder
from kessel.mapping.grid import Side, hex_name, side_name
from kessel.mapping.report import agreement

FOLDER = pack_folder("stalingrad42")
WATER = ("sea", "lake", "unplayable")
RIVERS = ("minor_river", "major_river", "volga")
ROADS = ("primary_road", "secondary_road")
CITIES = ("minor_city", "major_city")
STATED = {
    "Taman": "1549", "Temryuk": "1949", "Kastornoye": "2002", "Valuyki": "2013", "Yeysk": "2338",
    "Starominskaya": "2839", "Krasnodar": "2850", "Tikhoretsk": "3443",
    "Voroshilovsk": "4549", "Mt. Elbrus": "4860", "Saratov": "5902",
    "Vladimirovka": "6523",
}  # fmt: skip
READ_CITIES = {
    "major_city": "1015 2029 2503 3134",
    "minor_city": "1003 1211 1823 1824 1926 1936 2025 2129 2603 2634 2708 2725 3331 4004",
}
READ_WOODS = """1114 1115 1217 1312 1313 1314 1315 1316 1411 1412 1416 1512 1521 1621 1721 1722 1723 1725 1822 1923 2012
2110 2112 2113 2122 2208 2322 2602 2701 2702 3106 3107 3108 3110 3205 3209 3805 3904 3905 4003 4010 4011"""
READ_MARSH = "2441 2538 3433 3534 3034 3334 3432 3532 3631 4131"
READ_VP = {
    "Voronezh": 2, "Rostov": 2, "Usman": 1, "Mordovo": 1, "Borisoglebsk": 1, "Stary Oskol": 1, "Svoboda": 1,
    "Valuyki": 1, "Millerovo": 1, "Voroshilovgrad": 1, "Morozovsk": 1, "Shakhty": 1, "Salsk": 1,
}  # fmt: skip
AXIS_START = """1300 1500 1501 1202 1401 1402 1303 1203 1003 1304 1204 1205 1517 1207 1209 1211 1412 1613 1714 1715
1716 1717 1515 1415 1518 1824 1719 1721 1620 1421 1621 1722 1523 1823 1923 2024 2225 1926 2027 2029
2331 2326 2327 2427 2529 2531 2533 2634 1936"""
SOVIET_START = """1600 1800 1502 1403 1305 1802 2002 1604 1307 1309 1311 1510 1512 1713 1813 2013 1611 1911 1815 1816
1818 1819 1821 2022 2017 2120 2023 2224 2425 2426 2528 2629 2828 2725 2631 2633 2734 2832 2503 3134
2936 2338 3139 3241 3434 3806 3322"""
RAILHEADS = "1303 1717 2126 2427 2431"


@cache
def board() -> Map:
    return Map.read((FOLDER / "board.json").read_text(encoding="utf-8"))


@cache
def built() -> Built:
    return build(FOLDER / "board-edits.toml")


def hex_of(name: str) -> Hex:
    return board().grid.hex(name)


def names(found: Bits) -> set[str]:
    return {board().grid.name(h) for h in members(found)}


def inside(area: str, name: str) -> bool:
    return bool(board().area(area) >> hex_of(name) & 1)


def sides_of(a: str, b: str) -> list[str]:
    return board().side_names(board().grid.parse_hexside(f"{a}|{b}"))


def terrain(name: str) -> str:
    return str(built().draft.hexes[pair(name)]["terrain"])


def pair(name: str) -> tuple[int, int]:
    return int(name[:2]), int(name[2:])


def edges(kind: str, feature: str = "", without: str = "") -> set[Side]:
    return {
        edge
        for link in built().draft.links
        if link.kind == kind
        and (not feature or feature in link.values.get("features", ()))
        and (not without or without not in link.values.get("features", ()))
        for edge in link.edges()
    }


def joined(found: set[Side], start: str) -> set[str]:
    return {hex_name(h) for h in checks.connected(found, pair(start))}


# --- the board and its source ---------------------------------------------------------------------------------------


def test_building_again_gives_the_same_bytes() -> None:
    assert built().draft.dumps() == (FOLDER / "board.json").read_text(encoding="utf-8")


def test_the_fit_is_as_good_as_said() -> None:
    fit = built().fit
    assert len(fit.points) == 30
    assert fit.affine_rms() < 0.45
    assert fit.affine_left_out() < 0.52
    assert fit.sheet_left_out() < 0.50
    assert all(error.sheet_hex == error.stated for error in fit.point_errors()), "every named place in its own hex"
    assert all(fit.hex_at(check.lat, check.lon) == check.hex for check in fit.checks), "and the ones kept back, too"
    low, high = fit.km_per_hex()
    assert 15.5 < low < high < 16.3, "2.2.1: about ten miles"


def test_rivers_of_sheet_a_follow_the_public_reading() -> None:
    total, on_board, from_geography = agreement(built(), set(RIVERS))
    assert total == 604
    assert on_board / total > 0.96
    assert 0.5 < from_geography / total < 0.7
    major, on_board, from_geography = agreement(built(), {"major_river"})
    assert on_board / major > 0.96
    assert from_geography / major > 0.7


# --- what the rulebook names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("place", "name"), STATED.items())
def test_named_places_stand_in_their_hexes(place: str, name: str) -> None:
    values = built().draft.hexes[pair(name)]
    assert values["name"] == place
    assert values["provenance"] == "stated"


def test_the_don_at_voronezh_is_a_major_river() -> None:
    assert "major_river" in sides_of("2403", "2503")
    assert terrain("2503") == "major_city"


def test_izium_bend_has_the_river_on_four_hexsides() -> None:
    grid = board().grid
    around = [grid.name(n) for n in grid.around[hex_of("1521")]]
    assert sum("minor_river" in sides_of("1521", n) for n in around) == 4


def test_the_vladimirovka_ferry_joins_two_banks_of_the_volga() -> None:
    (ferry,) = [link for link in board().special_links if link.kind == "ferry_rail"]
    assert {board().grid.name(h) for h in ferry.path} == {"6424", "6523"}
    assert "6523" in {hex_name(h) for edge in edges("rail") for h in edge}
    draft = built().draft
    volga = checks.sides_with(draft, ["volga"])
    around = [n for h in ((64, 24), (65, 23)) for n in [h, *draft.grid.neighbours(h)]]
    near = {(a, b) for a, b in itertools.combinations(sorted(set(around)), 2) if draft.grid.adjacent(a, b)} - volga
    assert (65, 23) not in checks.connected(near, (64, 24)), "the river runs between"


def test_saratov_has_the_only_bridge_over_the_volga() -> None:
    volga = checks.sides_with(built().draft, ["volga"])
    crossing = {side_name(edge) for edge in edges("rail", without="caspian") & volga}
    assert crossing == {"5902|6002"}
    assert not (edges("primary_road") | edges("secondary_road")) & volga


def test_the_flotilla_may_cross_at_5622() -> None:
    assert any("volga" in sides_of("5622", n) for n in ("5522", "5523"))
    for city in ("5521", "5522", "5523"):
        around = [board().grid.name(n) for n in board().grid.around[hex_of(city)]]
        assert any("volga" in sides_of(city, n) for n in around), f"{city} stands on the Volga"


def test_volga_ferries_join_roads() -> None:
    on_road = board().on_link(*ROADS)
    ferries = checks.sides_with(built().draft, ["ferry"])
    assert sum("volga" in built().draft.hexsides[side]["features"] for side in ferries) >= 3
    for side in ferries:
        assert {"volga", "major_river"} & set(built().draft.hexsides[side]["features"]), side_name(side)
        assert all(on_road >> hex_of(hex_name(h)) & 1 for h in side), f"roads meet at the ferry {side_name(side)}"


def test_rails_the_rules_speak_of() -> None:
    plain = edges("rail", without="green")
    dead_end = ["2338", "2438", "2539", "2638", "2739", "2839"]
    assert all((pair(a), pair(b)) in plain or (pair(b), pair(a)) in plain for a, b in itertools.pairwise(dead_end))
    assert sum(pair("2338") in edge for edge in edges("rail")) == 1, "17.1: the line ends at Yeysk"
    green = edges("rail", "green")
    for name in ("2002", "2013", "3140", "3443", "1549", "3327"):
        assert any(pair(name) in edge for edge in green), f"{name} lies on a line to be repaired"
    assert "2013" not in joined({e for e in plain if pair("2013") not in e}, "2002")
    assert "2013" in joined(plain, "2002"), "17.1: a plain line joins Kastornoye to Valuyki"
    assert {"3443", "1549", "3140"} <= joined(green, "3134"), "S2.2: one line from Rostov to Tikhoretsk and Taman"
    assert sum(pair("3327") in edge for edge in edges("rail")) >= 3, "9.3.5: several railroads in 3327"


def test_railheads_start_where_green_lines_begin() -> None:
    green, repaired = edges("rail", "green"), edges("rail", "start_repaired")
    for name in RAILHEADS.split():
        assert any(pair(name) in edge for edge in green)
        assert any(pair(name) in edge for edge in repaired)
    west = {pair(n) for n in names(board().area("west_of_start_line"))}
    beyond = [side_name(e) for e in repaired if not west & set(e) and pair("1821") not in e and pair("1922") not in e]
    assert beyond == [], "S4.1: what starts repaired lies west of the start line"


def test_every_railroad_belongs_to_one_net() -> None:
    found = edges("rail")
    assert {hex_name(h) for edge in found for h in edge} == joined(found, "3134")
    for box in ("A", "B", "C", "D", "E", "G", "X", "Y", "Z"):
        place = board().box_place(box)
        assert board().box(place).hexes & board().on_link("rail"), f"a railroad leads into Entry Area {box}"


def test_unfinished_and_caspian_railroads() -> None:
    unfinished = [link for link in board().drawn_links if "unfinished" in link.features]
    assert {link.opens for link in unfinished} == {0, 11, 19}
    (caspian,) = [link for link in board().drawn_links if "caspian" in link.features]
    ends = {board().grid.name(caspian.path[0]), board().grid.name(caspian.path[-1])}
    assert "7254" in ends
    assert any(board().box(board().box_place("E")).hexes >> hex_of(end) & 1 for end in ends), "22.6.4: towards E"


def test_ports_lie_on_their_seas() -> None:
    ports = {
        board().grid.name(h): board().doc.hexes[board().grid.name(h)] for h in members(board().with_feature("port"))
    }  # type: ignore[index]
    assert ports["1549"].sea == "kerch_strait"
    assert ports["1949"].sea == "azov"
    assert {doc.sea for doc in ports.values()} == {"azov", "black", "kerch_strait"}
    for name in ports:
        around = [board().grid.name(n) for n in board().grid.around[hex_of(name)]]
        assert any(terrain(n) == "sea" for n in around), f"{name} is on the coast"
    paths = [link for link in board().special_links if link.kind == "shipping_path"]
    for link in paths:
        ends = [ports.get(board().grid.name(h)) for h in link.path]
        assert all(end is None or end.sea == link.sea for end in ends), link
    assert {link.sea for link in paths} == {"azov", "black"}


def test_elbrus_is_an_alpine_hex() -> None:
    assert terrain("4860") == "alpine"
    around = [board().grid.name(n) for n in board().grid.around[hex_of("4860")]]
    assert all("alpine" in sides_of("4860", n) for n in around), "9.6.2"


# --- sheet A as read ------------------------------------------------------------------------------------------------


def test_terrain_of_sheet_a_is_the_reading() -> None:
    listed = set()
    for word, text in [*READ_CITIES.items(), ("woods", READ_WOODS), ("marsh", READ_MARSH)]:
        for name in text.split():
            assert terrain(name) == word, name
            listed.add(name)
    unresolved = {"1625", "2022", "2222", "1819", "1821"}
    for h, values in built().draft.hexes.items():
        name = hex_name(h)
        if h[0] <= 41 and h[1] <= 39 and name not in listed | unresolved:
            assert values["terrain"] in ("clear", "sea"), name


def test_objectives_of_sheet_a_are_the_reading() -> None:
    found = {
        values["name"]: values["vp"]
        for h, values in built().draft.hexes.items()
        if values.get("vp") and h[0] <= 41 and h[1] <= 42
    }
    assert found == READ_VP


def test_the_start_line_parts_the_armies() -> None:
    for name in AXIS_START.split():
        assert inside("west_of_start_line", name), name
        assert terrain(name) not in WATER
    for name in SOVIET_START.split():
        assert inside("east_of_start_line", name), name
        assert terrain(name) not in WATER
    assert not board().area("west_of_start_line") & board().area("east_of_start_line")
    cities = {n for word in CITIES for n in READ_CITIES[word].split() if inside("west_of_start_line", n)}
    assert {n for n in cities if terrain(n) == "major_city"} == {"1015", "2029"}, "24.1.4: Kharkov and Stalino"


def test_printed_fortifications_stand_at_the_front_and_round_rostov() -> None:
    forts = names(board().with_feature("fort"))
    groups = {key: names(board().area(f"fort_group_{key}")) for key in ("north", "south", "rostov")}
    assert forts == set.union(*groups.values())
    assert len(groups["rostov"]) == 4, "9.7.7"
    rostov = hex_of("3134")
    assert all(board().grid.near[rostov] >> hex_of(n) & 1 for n in groups["rostov"])
    west = board().area("west_of_start_line")
    for name in groups["north"] | groups["south"]:
        assert board().grid.near[hex_of(name)] & west or name == "1310", f"{name} faces the start line"
    assert all(int(n[2:]) <= 15 for n in groups["north"])
    assert all(int(n[2:]) > 15 for n in groups["south"])


# --- victory points -------------------------------------------------------------------------------------------------


def points(area: str) -> int:
    return sum(values.get("vp", 0) for h, values in built().draft.hexes.items() if inside(area, hex_name(h)))


def test_victory_points_allow_every_scenario() -> None:
    caucasus = points("maps_c")
    assert caucasus + 1 + 3 >= 12, "S2.5, with Elbrus and Baku"
    assert points("sheet_a") + 5 >= 8, "S1.3"
    north = sum(values.get("vp", 0) for h, values in built().draft.hexes.items() if h[1] <= 39)
    assert north >= 15, "S3.5"
    assert north + caucasus > 24 + 6, "S4.4: well above the gate of Turn 28"
    for name in ("2850", "4549", "3134"):
        assert terrain(name) in CITIES or built().draft.hexes[pair(name)].get("vp"), f"{name} can be controlled"


# --- the map hangs together -----------------------------------------------------------------------------------------


def test_rivers_end_at_sea_lake_bigger_river_or_edge() -> None:
    stranded = checks.stranded_rivers(built().draft, RIVERS, WATER, ("marsh", *CITIES), ["lake"])
    assert [sorted(map(side_name, piece)) for piece in stranded] == []


@pytest.mark.parametrize(
    "name", ["Volga", "Kuban", "Terek", "Oskol", "Khoper", "Medveditsa", "Ilovlya", "Sal", "Kuma", "Chir"]
)
def test_a_river_runs_unbroken(name: str) -> None:
    assert checks.river_gaps(built().draft, name) == 1


def test_major_rivers_run_unbroken_from_where_they_begin() -> None:
    pieces = checks.river_pieces(
        built().draft, checks.sides_with(built().draft, ["major_river", "lake"]), ("marsh", *CITIES)
    )
    don = next(p for p in pieces if (pair("2403"), pair("2503")) in p)
    for a, b in [("1821", "1822"), ("3730", "3830"), ("5120", "5121"), ("4116", "4117"), ("3134", "3135")]:
        assert (pair(a), pair(b)) in don, f"{a}|{b} belongs to Don and Donets"


def test_every_town_is_on_the_road_net() -> None:
    off = checks.off_the_net(built().draft, ["town", "port", "airfield", *CITIES], ROADS)
    assert off == []


def test_the_road_net_reaches_an_edge_of_each_side() -> None:
    net = edges("primary_road") | edges("secondary_road")
    for ferry in checks.sides_with(built().draft, ["ferry"]):
        net.add(ferry)
    whole = joined(net, "3134")
    assert {hex_name(h) for edge in net for h in edge} == whole, "one net, ferries included"
    for box in ("A", "B", "C", "D", "E", "G", "H", "J", "K", "L", "X", "Y", "Z", "M", "N", "O", "P", "Q", "R"):
        place = board().box_place(box)
        assert names(board().box(place).hexes) & whole, f"a road leads into Entry Area {box}"


def test_links_run_over_land_from_hex_to_hex() -> None:
    assert checks.links_over_water(built().draft, WATER) == []
    for link in built().draft.links:
        if not link.values.get("special"):
            assert all(built().draft.grid.adjacent(a, b) for a, b in itertools.pairwise(link.path))
            assert len(set(link.path)) == len(link.path), f"{link.kind} {hex_name(link.path[0])} doubles back"


def test_no_hex_is_cut_off_by_accident() -> None:
    assert checks.cut_off(built().draft, pair("3134"), WATER, ["lake", "impassable"]) == []
    alpine = checks.cut_off(built().draft, pair("3134"), WATER, ["lake", "impassable", "alpine"])
    assert set(alpine) <= names(board().of_terrain("alpine")), "9.6.2: only full Alpine Hexes are shut in"


# --- entry areas ----------------------------------------------------------------------------------------------------


def test_entry_areas_lie_where_the_rules_put_them() -> None:
    hexes = {box.id: names(box.hexes) for box in board().boxes}
    sides = {box.id: box.side for box in board().boxes}
    assert {i for i, side in sides.items() if side == "axis"} == {"W", "X", "Y", "Z", "NORTH_EDGE"}
    assert set("ABCDEFGHJKL") <= {i for i, side in sides.items() if side == "soviet"}
    assert hexes["M"] == {f"41{row:02d}" for row in range(12)}, "S1.2"
    assert hexes["W"] == set(), "5.7.2: left over the Strait only"
    assert hexes["F"] == set()
    assert {"2140", "4740", "3140"} <= hexes["NORTH_EDGE"], "S2.2"
    facts = {box.id: box.facts for box in board().boxes}
    assert facts["G"]["adjacent"] == ["H", "J"], "24.1.3"
    edge = {board().grid.name(h) for h in board().grid.hexes if len(board().grid.around[h]) < 6}
    for box in "ABCDEGHJKLXYZ":
        assert hexes[box] <= edge, f"Entry Area {box} touches the edge of the map"
    for a, b in itertools.combinations("ABCDEGHJKLXYZ", 2):
        assert not hexes[a] & hexes[b], (a, b)
    for name in set().union(*(hexes[i] for i in "XYZ")):
        assert inside("west_of_start_line", name)
    for box, last in (("M", 41), ("N", 41), ("O", 41), ("P", 41)):
        assert all(int(n[:2]) == last for n in hexes[box])
    assert all(n[2:] == "42" for n in hexes["Q"] | hexes["R"]), "south edge of maps A and B"


def test_every_land_hex_of_the_edge_leads_somewhere() -> None:
    """A unit at the edge east of the start line faces an Entry Area, unless sea or mountains lie beyond."""
    covered = set().union(*(names(box.hexes) for box in board().boxes))
    edge = [board().grid.name(h) for h in board().grid.hexes if len(board().grid.around[h]) < 6]
    open_edge = {n for n in edge if terrain(n) not in WATER and n not in covered}
    assert open_edge <= {"7347", "7351", "7352", "7353", "7354", "7355", "7356", "2035", "2135", "2235"} | {
        n for n in open_edge if int(n[:2]) < 20
    }
