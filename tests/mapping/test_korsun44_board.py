"""The board of The Jaws of Victory: all that the rulebook says of the map holds, and the rest hangs together."""

from __future__ import annotations

from collections import deque
from functools import cache

import pytest

from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import flood, members, spread
from kessel.core.pack import Pack
from kessel.core.terrain import Map
from kessel.games.korsun44.data.charts import charts_of
from kessel.games.korsun44.data.terrain import LINKS, ROADS, Ground, ground_of
from kessel.mapping import checks
from kessel.mapping.build import Built, build, pack_folder

FOLDER = pack_folder("korsun44")
PACK = Pack("korsun44", overlays=())
ISOLATION = {"11K": "3821 4223 4114", "42K": "2310 1911 2713"}
TOWNS = {
    "Korsun": "2715", "Steblev": "2416", "Boguslav": "1615", "Mironovka": "1610", "Kanev": "2502", "Cherkassy": "4505",
    "Smela": "4513", "Gorodishche": "3416", "Olshana": "3021", "Shpola": "3825", "Zvenigorodka": "2728",
    "Lysyanka": "2124", "Tal'noye": "2537", "Novomirgorod": "4929", "Zhashkov": "0533", "Tarashcha": "0719",
}  # fmt: skip


@cache
def board() -> Map:
    return Map.read((FOLDER / "board.json").read_text(encoding="utf-8"))


@cache
def ground() -> Ground:
    return ground_of(PACK, charts_of(PACK))


@cache
def built() -> Built:
    return build(FOLDER / "board-edits.toml")


def hexes(text: str) -> list[Hex]:
    return [board().grid.hex(name) for name in text.split()]


def names(found: Bits) -> set[str]:
    return {board().grid.name(h) for h in members(found)}


def road_distances(start: Hex) -> dict[Hex, int]:
    grid = board().grid
    found, queue = {start: 0}, deque([start])
    while queue:
        h = queue.popleft()
        for d in range(6):
            n = grid.neighbours[h][d]
            if n not in found and board().linked(h, d, *ROADS):
                found[n] = found[h] + 1
                queue.append(n)
    return found


# --- the file and the grid ------------------------------------------------------------------------------------------


def test_board_json_is_what_the_edits_build() -> None:
    assert (FOLDER / "board.json").read_text(encoding="utf-8") == built().draft.dumps()


@pytest.mark.rule("korsun44", "2.2a")
def test_two_sheets_make_one_map() -> None:
    m = board()
    assert len(members(ground().playable)) == 2663
    assert m.area("map_a") | m.area("map_b") == ground().playable
    assert not m.area("map_a") & m.area("map_b")
    assert {n[:2] for n in names(m.area("map_b"))} == {f"{c:02d}" for c in range(1, 32)}
    assert {n[:2] for n in names(m.area("map_a"))} == {f"{c:02d}" for c in range(32, 63)}


def test_the_sheet_is_drawn_square_and_north_lies_thirty_degrees_to_the_left() -> None:
    assert set(board().grid.direction_names) == {"N", "NE", "SE", "S", "SW", "NW"}
    assert board().grid.first_runs % 30 == pytest.approx(29.9)


def test_even_columns_lie_half_a_hex_lower() -> None:
    grid = board().grid
    assert grid.adjacent(*hexes("2715 2714"))
    assert grid.adjacent(*hexes("2715 2815"))
    assert grid.adjacent(*hexes("2715 2814"))
    assert not grid.adjacent(*hexes("2715 2816"))


# --- places ---------------------------------------------------------------------------------------------------------


def test_towns_stand_where_the_fit_puts_them() -> None:
    m = board()
    for name, number in TOWNS.items():
        h = m.grid.hex(number)
        assert (m.name.get(h), m.terrain[h]) == (name, "town")


def test_no_name_stands_twice() -> None:
    found = list(board().name.values())
    assert len(found) == len(set(found))


def test_the_six_hexes_of_korps_isolation_are_road_hexes_behind_the_front() -> None:
    m = board()
    for korps, numbers in ISOLATION.items():
        assert charts_of(PACK).game.isolation[korps] == tuple(numbers.split())
        for h in hexes(numbers):
            assert ground().on_road >> h & 1
            assert ground().german_lines >> h & 1
            assert m.has(h, "isolation_sdm")
            assert m.facts[h]["isolation"] == korps


def test_korsun_is_a_town_with_a_terminal_and_its_airfield_can_be_taken_apart_from_it() -> None:
    m = board()
    korsun = m.grid.hex("2715")
    assert ground().korsun == korsun
    assert ground().terminals >> korsun & 1
    (field,) = members(ground().airfield)
    assert field != korsun
    assert m.grid.adjacent(field, korsun)
    assert ground().on_road >> field & 1


def test_the_example_of_talnoye_can_happen() -> None:
    """14.2: an SDM eight road hexes from the rail terminal at Tal'noye."""
    talnoye = board().grid.hex("2537")
    assert ground().terminals >> talnoye & 1
    assert 8 in road_distances(talnoye).values()


# --- edges and sources ----------------------------------------------------------------------------------------------


@pytest.mark.rule("korsun44", "10.6.3b")
def test_the_dnieper_is_the_edge_of_the_map() -> None:
    """Its hexes touch the top of the map from Kanev on; no link leads into them, no zone of land lies behind them."""
    m = board()
    water = ground().dnepr
    assert len(members(water)) == 38
    assert {n for n in names(water) if int(n[:2]) < 25} == set()
    for six in (m.links(*LINKS)[d] for d in range(6)):
        assert not six & water
    beyond = spread(m.grid, water) & ~water
    assert not beyond & ~ground().playable
    shore = spread(m.grid, water)
    assert shore >> m.grid.hex("2502") & 1, "Kanev"
    assert spread(m.grid, shore) >> m.grid.hex("4505") & 1, "Cherkassy"


@pytest.mark.rule("korsun44", "13.1b", "13.1d")
def test_every_army_has_its_sources_on_the_edge_at_a_road() -> None:
    count = {who: len(members(s)) for who, s in ground().sources.items()}
    assert count == {
        "27A": 3, "40A": 1, "6TkA": 1, "2TkA": 1, "52A": 1, "4GA": 1, "53A": 1, "5GTkA": 1, "8A": 3, "1PzA": 2,
    }  # fmt: skip
    grid = board().grid
    for who, s in ground().sources.items():
        for h in members(s):
            assert ground().on_road >> h & 1, who
            assert any(n < 0 for n in grid.neighbours[h]), who
            assert bool(ground().german_lines >> h & 1) == (who in ("8A", "1PzA"))


def test_the_sources_the_text_puts_on_map_a_are_there() -> None:
    for who in ("4GA", "5GTkA"):
        assert ground().sources[who] & board().area("map_a")


def test_all_sources_share_one_road_net() -> None:
    net = ground().road_net(1 << ground().korsun)
    for who, s in ground().sources.items():
        assert s & ~net == 0, who


def test_every_rail_terminal_can_be_reached_from_both_german_railway_sources() -> None:
    for number in ("5445", "1145"):
        start = 1 << board().grid.hex(number)
        assert start & (ground().sources["8A"] | ground().sources["1PzA"])
        assert ground().terminals & ~ground().rail_net(start) == 0
    assert len(members(ground().terminals)) == 9


# --- rivers ---------------------------------------------------------------------------------------------------------


def test_rivers_and_streams_run_into_each_other_the_dnieper_or_off_the_map() -> None:
    assert checks.stranded_rivers(built().draft, ["stream", "river", "lake"], ["dnepr"]) == []


def test_the_ros_goes_to_the_dnieper_by_mezhirich() -> None:
    m = board()
    ros = {n for n, s in m.doc.hexsides.items() if getattr(s, "name", "") == "Ros"}
    touched = {h for side in ros for h in side.split("|")}
    assert "2707" in touched, "Mezhirich"
    assert {"1615", "2416", "2715"} <= touched, "Boguslav, Steblev, Korsun"
    assert spread(m.grid, ground().dnepr) & sum(1 << m.grid.hex(n) for n in touched)


def test_no_road_crosses_a_lake() -> None:
    for d in range(6):
        assert not ground().lake[d] & ground().links[d]


def test_every_hexside_of_the_two_rivers_is_fordable() -> None:
    assert {ground().river_name(s) for s in ground().fordable} == {"Gniloy Tikich", "Shpolka"}
    assert ground().fordable & set(ground().bridges), "where a bridge is down a ford may be, too"


def test_a_hexside_has_one_water_and_swamps_lie_beside_streams() -> None:
    for d in range(6):
        assert not ground().stream[d] & ground().river[d]
        assert not ground().stream[d] & ground().lake[d]
    assert any(ground().swamp)


@pytest.mark.rule("korsun44", "15.2a")
def test_every_crossing_of_road_and_water_is_a_bridge() -> None:
    m = board()
    bridges = set(ground().bridges)
    for d in range(6):
        for h in members(m.links(*LINKS)[d] & (ground().stream[d] | ground().river[d])):
            assert m.grid.canonical(h * 6 + d) in bridges
    assert ground().railroad_bridges <= bridges
    assert ground().primary_bridges <= bridges


# --- roads and land -------------------------------------------------------------------------------------------------


def test_every_town_and_village_hangs_on_the_road_net() -> None:
    net = ground().road_net(1 << ground().korsun)
    assert names((ground().town | ground().village) & ~net) == set()


def test_all_land_is_one_piece_even_with_unbridged_rivers_closed() -> None:
    m = board()
    assert ground().land(ground().korsun) == ground().playable
    walls = tuple(r & ~link for r, link in zip(ground().river, ground().links, strict=True))
    cut = ground().playable & ~flood(m.grid, 1 << ground().korsun, ground().playable, walls)
    assert len(members(cut)) < 20


def test_partisan_country_lies_in_the_north_of_map_a() -> None:
    """18.1"""
    north = {n for n in names(ground().forest & board().area("map_a")) if int(n[2:]) <= 16}
    assert len(north) >= 30


def test_hill_239_stands_beside_lysyanka() -> None:
    m = board()
    (hill,) = hexes("2222")
    assert ground().hilltop >> hill & 1
    assert m.grid.distance(hill, m.grid.hex("2124")) == 2
    assert m.name[hill] == "Dzhurzhentsy"


def test_the_front_of_24_january_leaves_both_breakthrough_places_their_sides() -> None:
    for number in ("4824", "3825", "2728", "2124", "2502", "1615", "4513", "2715"):
        assert ground().german_lines >> board().grid.hex(number) & 1, number
    for number in ("5422", "4505", "0719", "0427", "5416"):
        assert not ground().german_lines >> board().grid.hex(number) & 1, number
