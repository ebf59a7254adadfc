"""Grid, projection, fit and rasterizing: the parts a board is drawn with."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kessel.mapping import geodata
from kessel.mapping.errors import EditError
from kessel.mapping.fit import Affine, ControlPoint, Fit, Sheet, leave_one_out, rms
from kessel.mapping.grid import Grid, Hex, corner_point, hex_name, ranges
from kessel.mapping.projection import LambertConic
from kessel.mapping.raster import covered, join_lines, line_to_corners, line_to_hexes, sides_along
from kessel.mapping.routes import chains, cheapest

SOUTH = Grid((10, 30), (0, 25), "even", "E", "S")
WEST = Grid((1, 33), (1, 23), "even", "S", "W")
TURNED = Grid((10, 31), (1, 46), "odd", 204, 291)
GRIDS = (SOUTH, WEST, TURNED)


def hexes_of(grid: Grid) -> st.SearchStrategy[Hex]:
    return st.tuples(st.integers(*grid.first), st.integers(*grid.second))


# --- grid ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("grid", GRIDS)
def test_neighbours_are_one_hex_away_and_mutual(grid: Grid) -> None:
    for h in grid.hexes():
        around = grid.neighbours(h)
        assert len(set(around)) == 6
        for n in around:
            assert grid.distance(h, n) == 1
            assert h in grid.neighbours(n)
            u, v = np.subtract(grid.center(h), grid.center(n))
            assert np.hypot(u, v) == pytest.approx(1.0)


@given(hexes_of(SOUTH), hexes_of(SOUTH))
def test_a_straight_line_is_a_shortest_way(a: Hex, b: Hex) -> None:
    line = SOUTH.straight(a, b)
    assert line[0] == a
    assert line[-1] == b
    assert len(line) == SOUTH.distance(a, b) + 1 or a == b
    assert all(SOUTH.adjacent(x, y) for x, y in itertools.pairwise(line) if x != y)


@given(hexes_of(SOUTH), st.floats(0, 6.28), st.floats(0, 0.49))
def test_the_nearest_hex_of_a_point_is_the_hex_it_lies_in(h: Hex, angle: float, far: float) -> None:
    u, v = SOUTH.center(h)
    assert SOUTH.nearest(u + far * float(np.cos(angle)), v + far * float(np.sin(angle))) == h


def test_sides_have_compass_words_as_on_the_sheet() -> None:
    assert SOUTH.side_words() == ["n", "ne", "se", "s", "sw", "nw"]
    assert WEST.side_words() == ["e", "se", "sw", "w", "nw", "ne"]
    assert TURNED.side_words() == ["e", "se", "sw", "w", "nw", "ne"]
    assert SOUTH.parse_side("2403ne") == SOUTH.parse_side("2403|2503")
    assert SOUTH.parse_side("2403se") == SOUTH.parse_side("2504|2403")
    assert SOUTH.parse_side("2503se") == SOUTH.parse_side("2503|2603")


def test_a_hexside_has_two_corners_and_each_corner_three_hexsides() -> None:
    graph = SOUTH.corner_graph()
    for corner, onward in graph.items():
        assert 1 <= len(onward) <= 3
        for other, side in onward:
            assert {corner, other} == set(SOUTH.side_corners(side))


@given(st.sets(hexes_of(SOUTH), max_size=60))
def test_hex_lists_are_written_short_and_read_back(found: set[Hex]) -> None:
    assert set(SOUTH.parse_hexes(ranges(found))) == found


def test_paths_may_be_abbreviated() -> None:
    assert [hex_name(h) for h in SOUTH.parse_path("1210 .. 1214 1314")] == [
        "1210",
        "1211",
        "1212",
        "1213",
        "1214",
        "1314",
    ]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("9900", "not on the map"),
        ("12", "not a hex number"),
        ("1203-1305", "does not run up one line"),
        ("12a4", "not a hex"),
    ],
)
def test_bad_hex_lists_get_a_sentence(text: str, what: str) -> None:
    with pytest.raises(EditError, match=what):
        SOUTH.parse_hexes(text)


@pytest.mark.parametrize(
    ("text", "what"), [("1203|1403", "not adjacent"), ("1203x", "not a hexside"), ("1203e", "has the sides n ne se")]
)
def test_bad_hexsides_get_a_sentence(text: str, what: str) -> None:
    with pytest.raises(EditError, match=what):
        SOUTH.parse_side(text)


# --- projection and fit --------------------------------------------------------------------------------------------


@given(st.floats(33, 51), st.floats(41, 53.5))
def test_projection_runs_both_ways(lon: float, lat: float) -> None:
    conic = LambertConic(45, 51, 47.5, 42)
    assert conic.inverse(conic.forward([(lon, lat)]))[0] == pytest.approx((lon, lat), abs=1e-9)


def test_a_degree_of_latitude_is_111_km() -> None:
    conic = LambertConic(45, 51, 47.5, 42)
    south, north = conic.forward([(42, 47), (42, 48)])
    assert north[1] - south[1] == pytest.approx(111.2, rel=0.002)


def test_an_affine_map_is_found_again() -> None:
    rng = np.random.default_rng(1)
    ground = rng.uniform(-300, 300, (12, 2))
    matrix = np.array([[0.06, -0.005], [-0.007, -0.063], [37.0, 32.0]])
    target = np.concatenate([ground, np.ones((12, 1))], axis=1) @ matrix
    assert Affine(ground, target).matrix == pytest.approx(matrix)
    assert rms(leave_one_out(Affine, ground, target)) == pytest.approx(0, abs=1e-9)
    sheet = Sheet(ground, target + rng.normal(0, 0.3, target.shape), stiffness=100)
    assert sheet(sheet.inverse(target)) == pytest.approx(target, abs=1e-3), "and the way back"


def test_a_soft_sheet_meets_every_point_and_a_stiff_one_is_the_affine() -> None:
    rng = np.random.default_rng(2)
    ground = rng.uniform(-300, 300, (15, 2))
    target = ground @ np.array([[0.06, 0], [0, -0.06]]) + rng.normal(0, 0.4, (15, 2))
    assert rms(Sheet(ground, target, 1e-9)(ground) - target) < 1e-6
    stiff, affine = Sheet(ground, target, 1e9), Affine(ground, target)
    assert stiff(ground) == pytest.approx(affine(ground), abs=1e-4)


def test_a_fit_puts_its_points_into_their_hexes() -> None:
    conic = LambertConic(48, 50.5, 49.3, 36.2)
    places = [("a", 50.0, 35.0), ("b", 50.5, 36.0), ("c", 49.0, 35.2), ("d", 49.2, 36.8), ("e", 48.7, 36.0)]
    probe = Affine(conic.forward([(35, 50), (36, 50), (35, 49)]), np.array([[15.0, 5.0], [21.0, 5.0], [15.0, 12.0]]))
    points = []
    for name, lat, lon in places:
        u, v = probe(conic.forward([(lon, lat)]))[0]
        points.append(ControlPoint(name, SOUTH.nearest(float(u), float(v)), lat, lon))
    fit = Fit(SOUTH, conic, points, 1e-6)
    assert [error.sheet_hex for error in fit.point_errors()] == [hex_name(p.hex) for p in points]
    assert all(low < 20 for low in fit.km_per_hex())


# --- rasterizing ---------------------------------------------------------------------------------------------------


def test_a_river_becomes_one_unbroken_chain_of_hexsides() -> None:
    graph = SOUTH.corner_graph()
    line = np.array([[10.0, 3.0], [14.0, 8.0], [20.0, 9.5], [24.0, 20.0]])
    (path,) = line_to_corners(line, SOUTH, graph)
    sides = sides_along(path, graph)
    assert len(sides) == len(path) - 1
    assert len(set(sides)) == len(sides), "no hexside twice"
    ends = np.array([corner_point(path[0]), corner_point(path[-1])])
    assert np.hypot(*(ends - line[[0, -1]]).T).max() < 1
    for corner in path:
        u, v = corner_point(corner)
        near = min(np.hypot(u - p[0], v - p[1]) for p in np.linspace(line[:-1], line[1:], 200).reshape(-1, 2))
        assert near < 1


def test_a_railroad_becomes_adjacent_hexes_from_end_to_end() -> None:
    line = np.array([[10.0, 3.0], [15.0, 9.0], [22.0, 9.0]])
    (path,) = line_to_hexes(line, SOUTH)
    assert path[0] == SOUTH.nearest(10.0, 3.0)
    assert path[-1] == SOUTH.nearest(22.0, 9.0)
    assert all(SOUTH.adjacent(a, b) for a, b in itertools.pairwise(path))


def test_a_polygon_covers_the_hexes_inside_it_but_not_its_hole() -> None:
    square = np.array([[12.0, 4.0], [20.0, 4.0], [20.0, 14.0], [12.0, 14.0]])
    hole = np.array([[15.0, 8.0], [17.0, 8.0], [17.0, 10.0], [15.0, 10.0]])
    shares = covered([[square, hole]], SOUTH)
    assert shares[SOUTH.nearest(13.5, 6.0)] == 1
    assert shares.get(SOUTH.nearest(16.0, 9.0), 0) < 0.1
    assert SOUTH.nearest(22.0, 9.0) not in shares
    assert sum(shares.values()) == pytest.approx((8 * 10 - 4) / (3**0.5 / 2), rel=0.03)


def test_lines_are_joined_where_two_ends_meet() -> None:
    joined = join_lines([[[0, 0], [1, 0]], [[2, 0], [1.001, 0]], [[2, 0], [3, 1]], [[2, 0], [3, -1]]], tolerance=0.01)
    assert sorted(len(line) for line in joined) == [2, 2, 3]


def test_edges_are_chained_up_to_junctions() -> None:
    path = SOUTH.parse_path("1210 1211 1212 1213")
    branch = SOUTH.parse_path("1212 1313 1314")
    edges = {(min(a, b), max(a, b)) for line in (path, branch) for a, b in itertools.pairwise(line)}
    found = chains(edges, lambda edge: 0)
    assert sorted(len(chain) for chain in found) == [2, 3, 3]
    assert {(min(a, b), max(a, b)) for line in found for a, b in itertools.pairwise(line)} == edges


def test_a_route_goes_round_what_is_forbidden() -> None:
    lake = set(SOUTH.parse_hexes("1508-1512"))
    way = cheapest(SOUTH, (13, 10), (17, 10), lambda a, b: None if b in lake or not SOUTH.has(b) else 100)
    assert way is not None
    assert not lake & set(way)
    assert len(way) > 5


# --- geodata -------------------------------------------------------------------------------------------------------


def test_the_geodata_is_there_and_small() -> None:
    from importlib.resources import files

    folder = files("kessel.mapping").joinpath("data")
    assert sum(len(item.read_bytes()) for item in folder.iterdir()) < 4_000_000
    assert {"Don", "Donets", "Volga", "Kuban", "Terek", "Dnieper"} <= {river.name for river in geodata.rivers()}
    assert not any(lake.existed for lake in geodata.lakes() if lake.name == "Tsimlyansk Reservoir")
    heights = geodata.elevation().at(np.array([[42.44, 43.35], [44.5, 48.7]]))
    assert heights[0] > 2500
    assert heights[1] < 200
