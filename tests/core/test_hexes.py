"""Grids: the adjacencies and distances that the rulebooks' examples prove."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kessel.core.errors import BadInput
from kessel.core.hexes import NO_HEX, Grid, bearing, hex_list


def full(first: tuple[int, int], second: tuple[int, int]) -> list[str]:
    return [f"{a:02d}{b:02d}" for a in range(first[0], first[1] + 1) for b in range(second[0], second[1] + 1)]


STALINGRAD = Grid.printed(full((10, 77), (0, 62)))
KHARKOV = Grid.printed(full((1, 33), (1, 23)), first_runs="S", second_runs="W")
DON = Grid.printed(full((10, 31), (1, 46)), shifted="odd", first_runs=204, second_runs=291)
KORSUN = Grid.printed(full((1, 45), (1, 30)))
BUG = Grid.printed(full((1, 30), (1, 20)))
GRIDS = [STALINGRAD, KHARKOV, DON, KORSUN, BUG]


def near(grid: Grid, name: str) -> set[str]:
    return set(grid.names(grid.around[grid.hex(name)]))


def distance(grid: Grid, a: str, b: str) -> int:
    return grid.distance(grid.hex(a), grid.hex(b))


@pytest.mark.parametrize(("a", "b"), [("2403", "2503"), ("3139", "3140"), ("2002", "2003")])
def test_stalingrad_neighbours(a: str, b: str) -> None:
    assert STALINGRAD.adjacent(STALINGRAD.hex(a), STALINGRAD.hex(b))


def test_stalingrad_even_columns_lie_lower() -> None:
    assert near(STALINGRAD, "2402") == {"2401", "2403", "2302", "2303", "2502", "2503"}
    assert near(STALINGRAD, "2502") == {"2501", "2503", "2401", "2402", "2601", "2602"}


def test_the_vladimirovka_ferry_does_not_join_adjacent_hexes() -> None:
    assert distance(STALINGRAD, "6424", "6523") == 2


def test_kharkov_rows_run_east_to_west() -> None:
    g = KHARKOV
    assert g.direction_names == ("E", "SE", "SW", "W", "NW", "NE")
    odd = {d: g.name(g.step(g.hex("1910"), g.toward(d))) for d in g.direction_names}
    assert odd == {"W": "1911", "E": "1909", "NW": "1810", "NE": "1809", "SW": "2010", "SE": "2009"}
    even = {d: g.name(g.step(g.hex("2010"), g.toward(d))) for d in g.direction_names}
    assert even == {"W": "2011", "E": "2009", "NW": "1911", "NE": "1910", "SW": "2111", "SE": "2110"}


@pytest.mark.parametrize(
    ("a", "b", "n"),
    [
        ("0903", "1009", 7),
        ("1002", "1009", 7),
        ("1103", "1009", 7),
        ("0504", "1009", 8),
        ("0802", "1009", 8),
        ("1811", "2412", 6),
        ("1812", "2412", 6),
        ("1711", "2412", 7),
        ("1610", "2412", 8),
        ("1108", "1407", 3),
        ("1108", "1507", 4),
        ("1407", "1507", 1),
        ("1919", "1913", 6),
        ("1919", "2013", 6),
        ("1416", "1721", 6),
    ],
)
def test_kharkov_distances_of_the_examples(a: str, b: str, n: int) -> None:
    assert distance(KHARKOV, a, b) == n


@pytest.mark.parametrize(
    ("hex_", "neighbours"),
    [
        ("1712", {"1612", "1811", "1812"}),
        ("1817", {"1717"}),
        ("1515", {"1414", "1415", "1514", "1516", "1614", "1615"}),
        ("2010", {"1911", "1910"}),
        ("1003", {"0903", "1002", "1103"}),
        ("0803", {"0802", "0903"}),
        ("0604", {"0504"}),
    ],
)
def test_kharkov_adjacencies_of_the_examples(hex_: str, neighbours: set[str]) -> None:
    assert neighbours <= near(KHARKOV, hex_)


@pytest.mark.parametrize(("a", "b"), [("1302", "1403"), ("1506", "1607"), ("2539", "2540")])
def test_don_unit_chains_are_unbroken(a: str, b: str) -> None:
    assert DON.adjacent(DON.hex(a), DON.hex(b))


def test_don_sheet_directions_are_named_as_on_the_sheet() -> None:
    assert DON.direction_names == ("E", "SE", "SW", "W", "NW", "NE")


@pytest.mark.parametrize("grid", GRIDS)
def test_stepping_there_and_back(grid: Grid) -> None:
    for h in grid.hexes[::7]:
        for d in range(6):
            n = grid.step(h, d)
            if n != NO_HEX:
                assert grid.step(n, d + 3) == h
                assert grid.distance(h, n) == 1
                assert grid.flip(grid.flip(h * 6 + d)) == h * 6 + d
                assert grid.parse_hexside(grid.hexside_name(h * 6 + d)) in (h * 6 + d, grid.flip(h * 6 + d))


@given(st.sampled_from(STALINGRAD.hexes), st.sampled_from(STALINGRAD.hexes))
def test_distance_is_a_breadth_first_search(a: int, b: int) -> None:
    seen, frontier, n = {a}, {a}, 0
    while b not in seen:
        frontier = {x for h in frontier for x in STALINGRAD.around[h]} - seen
        seen |= frontier
        n += 1
    assert STALINGRAD.distance(a, b) == n


def test_axial_names() -> None:
    g = Grid.axial(["0,0", "1,0", "0,1", "-1,1", "5,5"])
    assert near(g, "0,0") == {"1,0", "0,1", "-1,1"}
    assert near(g, "5,5") == set()
    assert distance(g, "-1,1", "1,0") == 2


def test_centres_of_neighbours_are_one_hex_apart() -> None:
    for grid in GRIDS:
        h = grid.hexes[len(grid) // 2]
        x, y = grid.centre(h)
        for n in grid.around[h]:
            nx, ny = grid.centre(n)
            assert (nx - x) ** 2 + (ny - y) ** 2 == pytest.approx(1)


def test_north_is_up_and_east_right() -> None:
    x0, y0 = STALINGRAD.centre(STALINGRAD.hex("2010"))
    x1, y1 = STALINGRAD.centre(STALINGRAD.hex("2211"))
    assert x1 > x0
    assert y1 > y0
    kx0, ky0 = KHARKOV.centre(KHARKOV.hex("1010"))
    kx1, ky1 = KHARKOV.centre(KHARKOV.hex("1012"))
    assert (kx1, ky1) == pytest.approx((kx0 - 2, ky0))
    assert KHARKOV.centre(KHARKOV.hex("1210"))[1] > ky0


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["12"], "four-digit"),
        (["1010", "1010"], "listed twice"),
        ([], "at least one hex"),
    ],
)
def test_bad_grids_are_refused(names: list[str], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        Grid.printed(names)


def test_bad_names_are_refused() -> None:
    with pytest.raises(BadInput, match="no hex 9999"):
        KHARKOV.hex("9999")
    with pytest.raises(BadInput, match="not adjacent"):
        KHARKOV.direction(KHARKOV.hex("1010"), KHARKOV.hex("1515"))
    with pytest.raises(BadInput, match="not a hexside"):
        KHARKOV.parse_hexside("1010")
    with pytest.raises(BadInput, match="not N"):
        KHARKOV.toward("N")
    with pytest.raises(BadInput, match="compass"):
        bearing("up")
    with pytest.raises(BadInput, match="axial"):
        Grid.axial(["a,b"])
    with pytest.raises(BadInput, match="even or odd"):
        Grid.printed(["1010"], shifted="all")


def test_hex_lists() -> None:
    assert hex_list("1000-1002 1105 0,-1") == ["1000", "1001", "1002", "1105", "0,-1"]
    with pytest.raises(BadInput, match="range"):
        hex_list("1000-1105")
