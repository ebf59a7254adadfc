"""The map as SVG: complete, sound, the same every time, and legible."""

from __future__ import annotations

import itertools
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from kessel.core.errors import BadInput
from kessel.core.view import Marker, Piece, SideView
from kessel.render import LAYERS, Highlight, layout, map_svg, png, write_picture
from kessel.render.canvas import Canvas
from kessel.render.furniture import arrows_layer, edge_hexes, place_boxes
from kessel.render.labels import place_names, place_river_names
from kessel.render.land import numbers_layer
from kessel.render.links import links_layers
from kessel.render.signs import signs_layer
from kessel.render.style import FEATURE_SIGNS, HEXSIDES, LINKS, TERRAINS
from kessel.render.water import rivers_layer
from tests.render.boards import games_with_maps, printed, small

SVG = "{http://www.w3.org/2000/svg}"
GAMES = games_with_maps()


def layer(root: ET.Element, name: str) -> ET.Element:
    found = [g for g in root.findall(f"{SVG}g") if g.get("class") == name]
    assert len(found) == 1, f"layer {name} is there {len(found)} times"
    return found[0]


def test_every_hex_is_drawn_once_and_pointed_at_by_its_number() -> None:
    m = small()
    root = ET.fromstring(map_svg(m))
    hexes = [p.get("data-hex") for p in layer(root, "hexes")]
    assert sorted(hexes) == sorted(m.grid.names(m.grid.hexes))
    numbers = [t.text for t in layer(root, "numbers").iter(f"{SVG}text")]
    assert sorted(numbers) == sorted(hexes)


def test_layers_come_in_their_order_and_can_be_left_out() -> None:
    view = SideView(turn="1", pieces=[Piece("A", "axis", "1203")], control={"1203": "axis"})
    svg = map_svg(small(), view=view, areas=["west"], highlights=[Highlight("reach", ["1103"])])
    drawn = [g.get("class") for g in ET.fromstring(svg).findall(f"{SVG}g")]
    assert drawn == list(LAYERS)
    some = map_svg(small(), layers=("land", "names"))
    assert [g.get("class") for g in ET.fromstring(some).findall(f"{SVG}g")] == ["land", "names"]


@pytest.mark.parametrize("game", GAMES)
def test_printed_maps_are_whole_sound_small_and_the_same_every_time(game: str) -> None:
    m = printed(game)
    svg = map_svg(m, title=game)
    assert svg == map_svg(m, title=game)
    root = ET.fromstring(svg)
    hexes = [p.get("data-hex") for p in layer(root, "hexes")]
    assert sorted(hexes) == sorted(m.grid.names(m.grid.hexes))
    assert len(svg) < 400 * len(m.grid) + 200_000
    assert "nan" not in svg


@pytest.mark.parametrize("game", GAMES)
def test_every_word_of_a_printed_map_has_its_own_style(game: str) -> None:
    m = printed(game)
    assert m.terrains() <= set(TERRAINS)
    sides = {f for h in m.grid.hexes for d in range(6) for f in m.side_features(h, d)}
    assert sides <= set(HEXSIDES)
    assert {link.kind for link in m.doc.links if not link.special} <= set(LINKS)


def labels_of(canvas: Canvas) -> tuple[list, list]:  # type: ignore[type-arg]
    _, streams = rivers_layer(canvas)
    links_layers(canvas)
    arrows_layer(canvas)
    _, places = signs_layer(canvas)
    numbers_layer(canvas)
    names = place_names(canvas, places)
    return names, place_river_names(canvas, streams)


@pytest.mark.parametrize("game", [*GAMES, "small"])
def test_no_name_lies_on_a_hex_number_or_on_another_name(game: str) -> None:
    canvas = Canvas(small() if game == "small" else printed(game))
    names, rivers = labels_of(canvas)
    assert len(names) == len(canvas.map.name)
    numbers = [canvas.number_box(h) for h in canvas.shown]
    boxes = [(b, label.text) for label in [*names, *rivers] for b in label.boxes]
    for box, text in boxes:
        for h, number in zip(canvas.shown, numbers, strict=True):
            assert not box.overlaps(number), f"{text} lies on the number of {canvas.grid.name(h)}"
    for (a, first), (b, second) in itertools.combinations(boxes, 2):
        assert first is second or not a.overlaps(b), f"{first} lies on {second}"


@pytest.mark.parametrize("game", GAMES)
def test_off_map_boxes_overlap_neither_the_map_nor_each_other(game: str) -> None:
    canvas = Canvas(printed(game))
    boxes = place_boxes(canvas)
    edge = {b.id for b in canvas.map.boxes if not b.hexes or edge_hexes(canvas, b)}
    assert {p.box.id for p in boxes} == edge
    for p in boxes:
        assert not p.rect.overlaps(canvas.sheet.bounds)
    for a, b in itertools.combinations(boxes, 2):
        assert not a.rect.overlaps(b.rect), f"{a.box.id} lies on {b.box.id}"


def test_a_part_of_the_map_is_drawn_as_a_board_of_its_own() -> None:
    m = small()
    root = ET.fromstring(map_svg(m, part="rest"))
    assert {p.get("data-hex") for p in layer(root, "hexes")} == {f"{a}{b:02d}" for a in (11, 12) for b in range(1, 7)}
    assert {g.get("data-place") for g in layer(root, "boxes")} == {"dead"}
    assert set(layout(m, part="rest").hexes) == {f"{a}{b:02d}" for a in (11, 12) for b in range(1, 7)}
    with pytest.raises(BadInput, match="no area 'east'; it has west, rest"):
        map_svg(m, part="east")


def test_text_of_a_board_is_escaped() -> None:
    root = ET.fromstring(map_svg(small()))
    words = " ".join(t.text or "" for t in layer(root, "names").iter(f"{SVG}text"))
    assert "& Co" in words


def test_an_area_shows_that_part_and_its_surroundings_alone() -> None:
    m = small()
    root = ET.fromstring(map_svg(m, area="1203"))
    shown = {p.get("data-hex") for p in layer(root, "hexes")}
    assert {"1203", "1103", "1202"} <= shown
    assert "1001" not in shown
    width, height = (float(root.get(k, "0")) for k in ("width", "height"))
    assert width < 140
    assert height < 140
    rectangle = ET.fromstring(map_svg(m, area="1001-1303"))
    assert float(rectangle.get("width", "0")) > 3 * 84
    assert map_svg(m, area="west") == map_svg(m, area=["1001", "1006"])
    with pytest.raises(BadInput, match="no hex and no area '9999'"):
        map_svg(m, area="9999")
    with pytest.raises(BadInput, match="at least one hex"):
        map_svg(m, area="")


def test_pieces_markers_control_and_highlights_are_drawn_where_they_are() -> None:
    view = SideView(
        turn="1",
        pieces=[Piece("16Pz", "axis", "1203"), Piece("24Pz", "axis", "1203"), Piece("62A", "soviet", "dead")],
        markers=[Marker("railhead", "1103"), Marker("bridge", "1102", hexside="1102|1103")],
        control={"1203": "axis"},
    )
    lights = [Highlight("reach", ["1103", "1203"], {"1103": "2½"}), Highlight("path", path=["1003", "1103", "1203"])]
    root = ET.fromstring(map_svg(small(), view=view, highlights=lights))
    pieces = layer(root, "pieces")
    places = {g.get("data-place"): g for g in pieces if g.get("data-place")}
    assert set(places) == {"1203", "dead", "1103"}
    stacked = [g.get("data-piece") for g in places["1203"].iter(f"{SVG}g") if g.get("data-piece")]
    assert stacked == ["16Pz", "24Pz"]
    assert [g.get("data-hexside") for g in pieces if g.get("data-hexside")] == ["1102|1103"]
    assert [p.get("data-side") for p in layer(root, "control")] == ["axis"]
    assert "2½" in [t.text for t in layer(root, "highlights").iter(f"{SVG}text")]
    with pytest.raises(BadInput, match="no hex 4711"):
        map_svg(small(), highlights=[Highlight("reach", ["4711"])])


def test_layout_and_drawing_agree_on_where_hexes_lie() -> None:
    m = small()
    found = layout(m)
    root = ET.fromstring(map_svg(m, layers=[n for n in LAYERS if n != "legend"]))
    assert root.get("viewBox") == f"{found.left:g} {found.top:g} {found.width:g} {found.height:g}"
    for path in layer(root, "hexes"):
        numbers = [int(n) for n in re.findall(r"-?\d+", (path.get("d") or "").split("l")[0].split("h")[0])]
        x, y = found.hexes[path.get("data-hex") or ""]
        assert abs(numbers[0] - x - found.corners[0][0]) <= 1
        assert abs(numbers[1] - y - found.corners[0][1]) <= 1
    assert set(found.boxes) == {"A", "B", "dead"}


def test_a_river_is_one_stroke_and_its_tributary_ends_on_it() -> None:
    _, streams = rivers_layer(Canvas(small()))
    don = [s for s in streams if s.name == "Don"]
    assert len(don) == 1
    chir = next(s for s in streams if s.name == "Chir")
    ends = {chir.knots[0].p, chir.knots[-1].p}
    from kessel.render.geometry import along

    assert any(min(abs(x - ex) + abs(y - ey) for x, y in along(don[0].knots)) < 1 for ex, ey in ends)


def test_features_have_signs_that_exist() -> None:
    from kessel.render.signs import CENTRAL, SHAPES

    assert set(FEATURE_SIGNS.values()) <= {*CENTRAL, *SHAPES, "vp"}


def test_pictures_are_written_as_svg_and_png(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    svg = map_svg(small(), embed_fonts=True)
    write_picture(svg, tmp_path / "map.svg")
    assert (tmp_path / "map.svg").read_text(encoding="utf-8") == svg
    write_picture(svg, tmp_path / "map.png", zoom=0.5)
    assert (tmp_path / "map.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    with pytest.raises(BadInput, match=r"\.svg or \.png, not \.gif"):
        write_picture(svg, tmp_path / "map.gif")
    with pytest.raises(BadInput, match="too large"):
        png(svg, zoom=100)
    monkeypatch.setitem(__import__("sys").modules, "resvg_py", None)
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(BadInput, match="resvg-py"):
        png(svg)
