"""The board of Across the Bug River: what the player aid says of it holds, and the rest hangs together."""

from __future__ import annotations

from functools import cache

from kessel.core.hexes import Bits
from kessel.core.hexset import flood, members
from kessel.core.terrain import Map
from kessel.mapping import checks, geodata
from kessel.mapping.build import Built, build, pack_folder
from kessel.mapping.grid import hex_name

FOLDER = pack_folder("bug41")
LINKS = ("road", "railway")
TOWNS = {
    "Ustyluh": "1212", "Volodymyr-Volynskyi": "1813", "Volodymyr East": "1913", "Hrubieszow": "0215",
    "Turiisk": "2601", "Lokachi": "3018", "Poritsk": "2324", "Torchyn": "4317",
}  # fmt: skip
HIGHWAY = ("Ustyluh", "Piatydni", "Volodymyr-Volynskyi", "Mykulychi", "Voinitsa", "Mankiv", "Zaturtsi", "Torchyn")
OTHER_NAMES = {"Poritsk": "Pavlivka"}


@cache
def board() -> Map:
    return Map.read((FOLDER / "board.json").read_text(encoding="utf-8"))


@cache
def built() -> Built:
    return build(FOLDER / "board-edits.toml")


def names(found: Bits) -> set[str]:
    return {board().grid.name(h) for h in members(found)}


def place(name: str) -> str:
    (found,) = [h for h, n in board().name.items() if n == name]
    return board().grid.name(found)


def net(start: str, *kinds: str) -> set[str]:
    """All hexes joined to the start by links of these kinds."""
    m = board()
    seen, frontier = {start}, [start]
    while frontier:
        h = m.grid.hex(frontier.pop())
        for d in range(6):
            n = m.grid.step(h, d)
            if m.linked(h, d, *kinds) and m.grid.name(n) not in seen:
                seen.add(m.grid.name(n))
                frontier.append(m.grid.name(n))
    return seen


def test_board_json_is_what_the_edits_build() -> None:
    assert (FOLDER / "board.json").read_text(encoding="utf-8") == built().draft.dumps()


def test_grid() -> None:
    """44 columns of 27 hexes, even ones half a hex lower, 2.2 km to the hex, north up."""
    grid = board().grid
    assert len(grid.hexes) == 44 * 27
    assert "0101" in grid
    assert "4427" in grid
    assert grid.adjacent(grid.hex("1212"), grid.hex("1313"))
    assert not grid.adjacent(grid.hex("1212"), grid.hex("1311"))


def test_towns() -> None:
    m = board()
    found = {m.name[h]: m.grid.name(h) for h in members(m.of_terrain("town"))}
    assert found == TOWNS
    assert {m.group[m.grid.hex(h)] for h in ("1813", "1913")} == {"Volodymyr-Volynskyi"}
    assert names(m.area("volodymyr")) == {"1813", "1913"}
    assert m.grid.adjacent(m.grid.hex("1813"), m.grid.hex("1913"))


def test_every_village_has_a_name_and_every_name_a_village_or_town() -> None:
    m = board()
    assert set(members(m.of_terrain("village", "town"))) == set(m.name)
    assert len(m.name) == 173


def test_places_lie_where_the_gazetteer_has_them() -> None:
    """Within one hex; those west of the Bug that are too small for it, Vygodanka and Voinitsa are ours."""
    b = built()
    known: dict[str, list[geodata.Place]] = {}
    for p in geodata.places():
        if 23.6 < p.lon < 25.3 and 50.4 < p.lat < 51.3:
            for name in {p.name, *p.also}:
                known.setdefault(name, []).append(p)
    met = 0
    for name, hexes in b.draft.places().items():
        found = known.get(OTHER_NAMES.get(name, name), [])
        if found:
            met += 1
            near = min(b.draft.grid.distance(hexes[0], b.fit.hex_at(p.lat, p.lon)) for p in found)
            assert near <= 1, f"{name} {hex_name(hexes[0])}"
    assert met >= 150


# --- water ----------------------------------------------------------------------------------------------------------


def test_the_bug_parts_its_banks_from_edge_to_edge() -> None:
    m = board()
    west = flood(m.grid, 1 << m.grid.hex("0101"), m.grid.all, m.sides("bug"))
    assert west == m.area("west_bank")
    assert not west >> m.grid.hex("1212") & 1
    for name in ("0215", "1113", "0416"):
        assert west >> m.grid.hex(name) & 1
    draft = built().draft
    corners: dict[object, int] = {}
    for side, values in draft.hexsides.items():
        if "bug" in values["features"]:
            for corner in draft.grid.side_corners(side):
                corners[corner] = corners.get(corner, 0) + 1
    assert max(corners.values()) == 2, "it never forks"
    assert sum(n == 1 for n in corners.values()) == 2, "it has two ends, at the edges"


def test_two_bridges_over_the_bug() -> None:
    """At Ustyluh and Vygodanka; nothing else crosses."""
    m = board()
    crossed = {
        frozenset((m.grid.name(h), m.grid.name(m.grid.step(h, d))))
        for d in range(6)
        for h in members(m.sides("bug")[d] & m.links(*LINKS)[d])
    }
    assert crossed == {frozenset(("1113", "1212")), frozenset(("0416", "0516"))}
    assert place("Ustyluh") == "1212"
    assert place("Vygodanka") == "0516"
    seized = m.links_with("road", "brandenburg")
    assert {
        frozenset((m.grid.name(h), m.grid.name(m.grid.step(h, d)))) for d in range(6) for h in members(seized[d])
    } == crossed


def test_rivers_are_whole_and_end_in_the_bug_or_at_an_edge() -> None:
    draft = built().draft
    assert checks.stranded_rivers(draft, ["stream", "bug"], ()) == []
    for name in {values["name"] for values in draft.hexsides.values()}:
        assert checks.river_gaps(draft, name) == 1, name
    assert {"Bug", "Luga", "Turia", "Stokhid"} <= {values["name"] for values in draft.hexsides.values()}


def test_the_luga_runs_south_of_the_highway() -> None:
    m = board()
    for a, b in (("1212", "1213"), ("1412", "1413"), ("1612", "1613"), ("1813", "1814"), ("1913", "1914")):
        assert m.side_names(m.grid.parse_hexside(f"{a}|{b}")) == ["stream"]


def test_marsh_lies_along_water() -> None:
    m = board()
    water = m.sides("bug", "stream")
    for h in members(m.of_terrain("marsh")):
        near = [h, *(n for n in (m.grid.step(h, d) for d in range(6)) if n >= 0)]
        assert any(water[d] >> x & 1 for x in near for d in range(6)), m.grid.name(h)


# --- the fortified region, supply, victory --------------------------------------------------------------------------


def test_the_pillbox_belt_lies_close_behind_the_bug() -> None:
    m = board()
    belt = members(m.with_feature("pillbox"))
    assert len(belt) == 18
    west = members(m.area("west_bank"))
    for h in belt:
        assert not m.area("west_bank") >> h & 1
        assert min(m.grid.distance(h, w) for w in west) <= 3, m.grid.name(h)


def test_supply_areas_touch_the_edge() -> None:
    m = board()
    edges = {"german_supply": ("01", ""), "east_soviet_supply": ("44", "")}
    edges |= {"north_soviet_supply": ("", "01"), "south_soviet_supply": ("", "27")}
    for area, (first, second) in edges.items():
        found = names(m.area(area))
        assert found
        assert all(n.startswith(first) and n.endswith(second) for n in found)
    assert {b.id: b.side for b in m.boxes} == {"G": "german", "N": "soviet", "S": "soviet", "E": "soviet"}
    assert m.area("german_supply") & ~m.area("west_bank") == 0


def test_victory_points() -> None:
    m = board()
    assert {m.name[h]: vp for h, vp in m.vp.items()} == {
        "Ustyluh": 1, "Volodymyr-Volynskyi": 2, "Volodymyr East": 2, "Torchyn": 2, "Voinitsa": 1, "Lokachi": 1,
        "Zaturtsi": 1, "Turiisk": 1, "Poritsk": 1,
    }  # fmt: skip


# --- roads ----------------------------------------------------------------------------------------------------------


def test_the_highway_joins_ustyluh_to_torchyn() -> None:
    m = board()
    (first, last) = [link for link in m.drawn_links if link.name == "Lutsk highway"]
    way = [m.name.get(h, "") for h in (*first.path, *last.path)]
    assert [n for n in way if n in HIGHWAY][:8] == list(HIGHWAY)
    assert m.grid.name(last.path[-1]) == "4417"


def test_one_road_net_joins_every_victory_hex_and_both_banks() -> None:
    found = net("1212", "road")
    assert {board().grid.name(h) for h in board().vp} <= found
    for start in ("0215", "0416", "4417", "4406", "1827"):
        assert start in found


def test_railways() -> None:
    found = net("1813", "railway")
    assert {"2601", "0215", "0516", "1927"} <= found


def test_every_hex_can_be_reached() -> None:
    assert checks.cut_off(built().draft, (12, 12), (), ["bug"]) == []
