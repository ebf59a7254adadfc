"""`board-edits.toml`: what a hand may write, and the sentence it gets for a slip."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kessel.mapping import checks
from kessel.mapping.__main__ import main
from kessel.mapping.build import Built, build, find_place
from kessel.mapping.errors import EditError

HEAD = """
[board]
game = "toy"
grid = { first = [10, 20], second = [0, 12], shifted = "even", first_runs = "E", second_runs = "S" }
terrains = ["clear", "woods", "town_hex", "sea"]
water = ["sea"]
features = ["town", "port", "fort"]
river_features = ["minor_river", "major_river"]
hexside_features = ["minor_river", "major_river", "ferry"]
link_kinds = ["rail", "road", "jump"]
no_hex = "1000"

[fit]
projection = { lat1 = 48, lat2 = 50.5, lat0 = 49.3, lon0 = 36.2 }
points = [
  { name = "Poltava", hex = "1106", lat = 49.59, lon = 34.55 },
  { name = "Kharkov", hex = "1803", lat = 49.98, lon = 36.25 },
  { name = "Krasnograd", hex = "1508", lat = 49.38, lon = 35.44 },
  { name = "Valki", hex = "1503", lat = 49.84, lon = 35.62 },
  { name = "Lozovaya", hex = "1812", lat = 48.89, lon = 36.31 },
]
"""


def toy(tmp_path: Path, text: str = "", head: str = HEAD) -> Built:
    path = tmp_path / "board-edits.toml"
    path.write_text(head + text, encoding="utf-8")
    return build(path)


def test_a_board_is_drawn_section_by_section(tmp_path: Path) -> None:
    built = toy(
        tmp_path,
        """
[[areas]]
id = "west"
rect = { first = [10, 14] }

[[terrain]]
terrain = "woods"
in = ["west"]
but = "1205 1206"
provenance = "public"

[[terrain]]
terrain = "sea"
hexes = "2000-2003"

[[features]]
feature = "fort"
hexes = "1205"
strength = 2

[[places]]
name = "Kharkov"
hex = "1803"
kind = "town_hex"
features = ["port"]
vp = 3
provenance = "stated"
note = "1.2"

[[places]]
name = "Krasnograd"
at = [49.38, 35.44]
kind = "town"

[[places]]
name = "Merefa"
gazetteer = "Merefa"
kind = "town"

[[rivers]]
feature = "major_river"
name = "Vorskla"
between = ["1204 1205 1206", "1305 1306"]
sides = "1207ne"

[[rivers]]
feature = "minor_river"
remove = "1207ne"
sides = "1204|1305"

[[links]]
kind = "road"
path = "1205 .. 1209"

[[links]]
kind = "rail"
via = ["Kharkov", "Krasnograd"]

[[links]]
kind = "jump"
path = "1205 1805"
special = true

[[boxes]]
id = "E"
hexes = "2004-2006"

[[labels]]
text = "Ukraine"
hex = "1606"
""",
    )
    doc = json.loads(built.draft.dumps())
    assert "1000" not in doc["hexes"]
    assert doc["hexes"]["1100"] == {"terrain": "woods", "provenance": "public"}
    assert doc["hexes"]["1205"] == {"terrain": "clear", "features": ["fort"], "facts": {"strength": 2}}
    assert doc["hexes"]["1803"] == {
        "terrain": "town_hex",
        "features": ["port"],
        "name": "Kharkov",
        "vp": 3,
        "provenance": "stated",
        "note": "1.2",
    }
    assert [h for h, v in doc["hexes"].items() if v.get("name") == "Krasnograd"] == ["1508"]
    (merefa,) = [h for h, v in doc["hexes"].items() if v.get("name") == "Merefa"]
    assert built.draft.grid.distance((18, 3), (int(merefa[:2]), int(merefa[2:]))) <= 3, "a suburb of Kharkov"
    rivers = {side: values["features"] for side, values in doc["hexsides"].items() if values.get("name") == "Vorskla"}
    assert rivers == {
        "1204|1305": ["minor_river"],
        "1205|1305": ["major_river"],
        "1205|1306": ["major_river"],
        "1206|1306": ["major_river"],
    }
    road, rail, jump = doc["links"]
    assert road["path"] == "1205 1206 1207 1208 1209"
    assert rail["path"].split()[0] == "1803"
    assert rail["path"].split()[-1] == "1508"
    assert jump == {"kind": "jump", "path": "1205 1805", "special": True}
    assert doc["areas"]["west"]["hexes"].startswith("1001-1012 1100-1112")


def test_the_same_file_gives_the_same_bytes(tmp_path: Path) -> None:
    text = '[take]\nrivers_default = "minor_river"\nrails = "rail"\n'
    assert toy(tmp_path, text).draft.dumps() == toy(tmp_path, text).draft.dumps()


def test_generated_rivers_and_rails_are_taken_as_asked(tmp_path: Path) -> None:
    taken = toy(tmp_path, '[take]\nrails = "rail"\nrivers = { Vorskla = "major_river" }\n').draft
    assert {v["name"] for v in taken.hexsides.values()} == {"Vorskla"}
    assert all(taken.grid.adjacent(*edge) for edge in taken.edges(["rail"]))
    with pytest.raises(EditError, match="has no river 'Mississippi'"):
        toy(tmp_path, '[take]\nrivers = { Mississippi = "major_river" }\n')


def test_rivers_may_be_renamed_and_closed_areas_are_left_to_the_hand(tmp_path: Path) -> None:
    head = '[take]\nrivers = { Vorskla = "major_river" }\nriver_names = { Vorskla = "Worskla" }\n'
    everywhere = toy(tmp_path, head).draft.hexsides
    assert {v["name"] for v in everywhere.values()} == {"Worskla"}
    closed = 'rivers_not_in = ["west"]\n\n[[areas]]\nid = "west"\nrect = { second = [0, 6] }\n'
    left = toy(tmp_path, head + closed).draft.hexsides
    assert left
    assert left.keys() < everywhere.keys()
    assert not any(a[1] <= 6 and b[1] <= 6 for a, b in left)


def test_a_course_and_a_polygon_are_laid_by_coordinates(tmp_path: Path) -> None:
    text = """
[[terrain]]
terrain = "woods"
polygon = [[49.7, 34.9], [49.7, 35.9], [49.2, 35.9], [49.2, 34.9]]

[[rivers]]
feature = "minor_river"
course = [[49.9, 35.0], [49.3, 35.2], [49.1, 36.0]]
"""
    draft = toy(tmp_path, text).draft
    assert draft.hexes[(15, 8)]["terrain"] == "woods"
    assert draft.hexes[(11, 6)]["terrain"] == "clear"
    assert len(checks.river_pieces(draft, set(draft.hexsides))) == 1


def test_a_route_does_not_cross_a_barrier(tmp_path: Path) -> None:
    text = """
[[rivers]]
feature = "major_river"
between = ["1500-1512", "1400-1412 1600-1612"]

[[links]]
kind = "road"
via = ["1505", "1805"]
"""
    assert len(toy(tmp_path, text).draft.links[0].path) == 4
    with pytest.raises(EditError, match="there is no way over land from 1505 to 1805"):
        toy(tmp_path, text, HEAD.replace("[fit]", 'route_barriers = ["major_river"]\n[fit]'))


def test_a_flood_keeps_to_land_on_this_side_of_its_wall(tmp_path: Path) -> None:
    text = """
[[areas]]
id = "west"
flood = { from = "1105", wall = "1500 .. 1512" }
[[areas]]
id = "east"
rect = {}
but = "west"
[[terrain]]
terrain = "sea"
hexes = "1200-1203"
"""
    areas = toy(tmp_path, text).draft.areas
    assert "1204-1212" in areas["west"]["hexes"]
    assert "15" not in {token[:2] for token in areas["west"]["hexes"].split()}
    assert "1500-1512" in areas["east"]["hexes"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[[towns]]\n", "unknown section 'towns'"),
        ("[[terrain]]\nterrain = 'swamp'\nhexes = '1205'\n", "terrain 1: 'swamp' is not a terrain of this board"),
        ("[[terrain]]\nterrain = 'woods'\nhexes = '1299'\n", "terrain 1: hex 1299 is not on the map"),
        ("[[terrain]]\nterrain = 'woods'\nhexes = '1000'\n", "terrain 1: hex 1000 does not exist"),
        ("[[terrain]]\nterrain = 'woods'\nin = ['east']\n", "terrain 1: there is no area 'east' above"),
        ("[[places]]\nname = 'Atlantis'\nkind = 'town'\n", r"places 1 \(Atlantis\): the gazetteer has no place"),
        ("[[places]]\nname = 'X'\nhex = '1205'\nkind = 'castle'\n", r"places 1 \(X\): 'castle' is not a feature"),
        ("[[rivers]]\nfeature = 'creek'\nsides = '1205n'\n", r"rivers 1 \(creek\): 'creek' is not a hexside_feature"),
        ("[[rivers]]\nremove = '1205n'\n", "rivers 1: there is nothing on hexside 1204|1205 to remove"),
        ("[[rivers]]\nfeature = 'minor_river'\nsides = '1205|1405'\n", "1205|1405: the two hexes are not adjacent"),
        ("[[links]]\nkind = 'road'\npath = '1205 1405'\n", r"links 1 \(road\): 1205 and 1405 are not adjacent"),
        ("[[links]]\nkind = 'canal'\npath = '1205 1206'\n", "'canal' is not a link_kind"),
        ("[[links]]\nkind = 'road'\nvia = ['1205', 'Nowhere']\n", "'Nowhere' names 0 hexes"),
        ("[[links]]\nkind = 'road'\nvia = ['1205']\n", "via needs at least two places"),
        ("[[lines]]\nid = 'front'\ninside = 'west'\n", r"lines 1 \(front\): there is no area 'west'"),
        ("[[boxes]]\nid = 'A'\nhexes = '1000'\n", r"boxes 1 \(A\): hex 1000 does not exist"),
        ("[[terrain]]\nterrain = 'woods'\nhexes = '1205'\nprovenance = 'guessed'\n", "must be one of stated"),
        ("[[places]]\n", "places 1: name is missing"),
    ],
)  # fmt: skip
def test_a_slip_gets_one_sentence_with_its_place(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(EditError, match=sentence.replace("|", r"\|")):
        toy(tmp_path, text)


def test_a_list_section_must_be_a_list(tmp_path: Path) -> None:
    with pytest.raises(EditError, match="terrain must be a list"):
        toy(tmp_path, HEAD, head="terrain = 3\n")


def test_a_file_that_is_no_toml_says_where(tmp_path: Path) -> None:
    with pytest.raises(EditError, match=r"board-edits\.toml: .*line 1"):
        toy(tmp_path, head="[board\n")


def test_the_command_answers_2_for_bad_input(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "no_such_game"]) == 2
    assert "no_such_game" in capsys.readouterr().err


def test_of_two_places_of_one_name_the_gazetteer_gives_the_bigger() -> None:
    assert find_place("Voronezh").population > 500_000
