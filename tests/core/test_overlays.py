"""An owner's corrections: what they change, and what is told of those that cannot be used."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from kessel.core.errors import BadPack
from kessel.core.overlaycheck import strange_folders
from kessel.core.pack import Pack
from kessel.core.packcheck import check_pack
from kessel.core.places import json_line, json_path, toml_line
from kessel.core.title import title

GAME = "stalingrad42"
CRT = Pack(GAME, ()).text("tables/crt.csv")


def laid(folder: Path, files: dict[str, str | bytes], game: str = GAME) -> Pack:
    for name, text in files.items():
        path = folder / game / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return Pack(game, (folder,))


def test_only_what_is_written_of_a_hex_changes(tmp_path: Path) -> None:
    plain = Pack(GAME, ()).map
    name = next(plain.grid.name(h) for h in plain.vp)
    new = laid(tmp_path, {"board-overlay.json": json.dumps({"hexes": {name: {"terrain": "woods"}}})}).map
    h = new.grid.hex(name)
    assert new.terrain[h] == "woods"
    assert (new.vp[h], new.name.get(h)) == (plain.vp[h], plain.name.get(h))


def test_hexsides_can_be_corrected_alone(tmp_path: Path) -> None:
    plain = Pack(GAME, ()).map
    side = next(k for k, s in plain.doc.hexsides.items() if "minor_river" in getattr(s, "features", []))
    new = laid(tmp_path, {"board-overlay.json": json.dumps({"hexsides": {side: {"features": []}}})})
    assert "minor_river" not in new.map.side_names(new.map.grid.parse_hexside(side))
    assert check_pack(title(GAME), new) == []


def test_several_folders_are_laid_over_each_other(tmp_path: Path) -> None:
    for folder, value in (("a", "6"), ("b", "7")):
        (tmp_path / folder / GAME).mkdir(parents=True)
        text = f"id,range\n{'2A-HQ' if folder == 'a' else '6A-HQ'},{value}\n"
        (tmp_path / folder / GAME / "counters-overlay.csv").write_text(text)
    pack = Pack(GAME, (tmp_path / "a", tmp_path / "b"))
    ranges = {r["id"]: r["range"] for r in pack.rows("counters.csv")}
    assert (ranges["2A-HQ"], ranges["6A-HQ"]) == ("6", "7")
    assert len({pack.digest, Pack(GAME, (tmp_path / "a",)).digest, Pack(GAME, (tmp_path / "b",)).digest}) == 3


def test_what_systems_leave_about_is_no_part_of_a_pack(tmp_path: Path) -> None:
    pack = laid(tmp_path, {".DS_Store": b"\xff\x00", "tables/crt.csv~": b"\xff"})
    assert pack.digest == Pack(GAME, ()).digest
    assert check_pack(title(GAME), pack) == []


@pytest.mark.parametrize(
    ("file", "text", "line", "message"),
    [
        (
            "tables/crt.csv",
            CRT.replace("6,A1,A1,A1,EX", "6,A1,A1,A1,ZZ"),
            ":9",
            "6/2-1 says 'ZZ', a word that no table",
        ),
        ("tables/crt.csv", CRT.replace(",7-1", ",8-1"), ":3", "the column '7-1' of ours is missing"),
        ("tables/crt.csv", CRT[: CRT.rindex("6,A1")], ":3", "the row '6' of ours is missing"),
        (
            "tables/roads.csv",
            "road,mech_halves\nprimary,two\n",
            ":2",
            "primary/mech_halves is 'two', not a whole number",
        ),
        ("tables/ctr.csv", CRT, "", "no such file; it changes nothing"),
        ("counters-overlay.csv", "id,range\n2A-HQ,six\n", ":2", "range is 'six', not a whole number"),
        ("counters-overlay.csv", "id,faces\n2A-HQ,six\n", ":2", "faces: 'six' is not a counter face"),
        ("counters-overlay.csv", "id,range\n2A-QH,6\n", ":2", "has no '2A-QH' to change"),
        ("counters-overlay.csv", "id,rnage\n2A-HQ,6\n", ":2", "has no column 'rnage'"),
        ("counters-overlay.csv", "name,range\n2A-HQ,6\n", ":2", "the column 'id' must say"),
        ("counters-overlay.csv", "id,range\n2A-HQ,6\n2A-HQ,7\n", ":3", "'2A-HQ' stands also at"),
        ("board-overlay.json", '{\n"hexes": {\n"2403": {"terrain": "lava"}}}', ":3", "there is no terrain 'lava'"),
        ("board-overlay.json", '{\n"hexes": {\n"2403": {"terain": "lava"}}}', ":3", "unknown field `terain`"),
        ("board-overlay.json", '{\n"hexes": {\n"9999": {}}}', ":3", "hex 9999 lies apart from the map"),
        ("board-overlay.json", '{\n"hexes": {\n"99": {}}}', ":3", "'99' is not a four-digit hex number"),
        ("board-overlay.json", '{\n"hexes": {},}', ":2", "malformed"),
        ("board-overlay.json", '{"hexsides":\n{"2403|2703": {"features": []}}}', ":2", "are not adjacent"),
        ("board-overlay.json", '{"hexsides":\n{"2403|2503": "brook"}}', ":2", "there is no hexside 'brook'"),
        ("board-overlay.json", '{"links": [\n{"kind": "rail", "path": "2403 2803"}]}', ":2", "are not adjacent"),
        ("board-overlay.json", '{"links": [\n{"kind": "canal", "path": "2403 2503"}]}', ":2", "kind of link 'canal'"),
        ("pack.toml", "\na = \n", ":2", "Invalid value"),
        ("pack.toml", "", ":1", "constants is missing"),
        ("scenarios/fall-blau.toml", "", ":1", "first_turn is missing"),
        (
            "scenarios/fall-blau.toml",
            'id = "fall-blau"\nlast_turn = "eight"\n',
            ":2",
            "last_turn is 'eight'; ours is 8",
        ),
    ],
)
def test_a_correction_that_cannot_be_used_is_told_by_file_and_line(
    tmp_path: Path, file: str, text: str, line: str, message: str
) -> None:
    faults = check_pack(title(GAME), laid(tmp_path, {file: text}))
    assert faults
    assert any(f.startswith(f"{tmp_path / GAME / file}{line}: ") and message in f for f in faults), faults


@pytest.mark.parametrize(
    ("game", "file", "text"),
    [
        ("kharkov43", "counters-overlay.csv", "id,faces\nA.12.3T,6-6-01 3-6-12\n"),
        ("don42", "counters-overlay.csv", "id,faces\nHQ8C,0-1-12\n"),
        ("kharkov43", "board-overlay.json", '{"hexes": {"0510": {"terrain": "woods"}}}'),
        ("don42", "board-overlay.json", '{"hexes": {"1210": {"terrain": "hill"}}}'),
        (GAME, "tables/crt.csv", CRT.replace("6,A1,A1,A1,EX", "6,A1,A1,A1,A1")),
    ],
)
def test_a_sound_correction_is_found_sound(tmp_path: Path, game: str, file: str, text: str) -> None:
    pack = laid(tmp_path, {file: text}, game)
    assert check_pack(title(game), pack) == []
    assert pack.digest != Pack(game, ()).digest


def test_folders_of_no_game_are_named(tmp_path: Path) -> None:
    (tmp_path / "stalingrad").mkdir()
    (tmp_path / GAME).mkdir()
    assert strange_folders(tmp_path, [GAME]) == [
        f"{tmp_path / 'stalingrad'}: there is no game 'stalingrad'; there are {GAME}"
    ]


def test_lines_of_paths() -> None:
    text = '{\n "a": [1,\n  {"b.c": 2}],\n "d": {"e": []}}'
    assert json_line(text, "a", 1, "b.c") == 3
    assert json_line(text, "d", "e") == 4
    assert json_line(text, "a", 7) == 2
    assert json_path("$.links[3].kind") == ["links", 3, "kind"]
    assert toml_line('x = 1\n[a.b]\ny = 2\n[[c]]\n"d e" = 3\n', ["a", "b", "y"]) == 3
    assert toml_line('x = 1\n[[c]]\n"d e" = 3\n', ["c", "d e"]) == 3
    assert toml_line("x = 1\n", ["nowhere"]) == 1
    cards = "[[card]]\nid = 1\n[[card.line]]\nx = 1\n[[card]]\nid = 2\n[[card.line]]\nx = 2\n[[card.line]]\nx = 3\n"
    assert toml_line(cards, ["card", 1, "id"]) == 6
    assert toml_line(cards, ["card", 1, "line", 1, "x"]) == 10
    assert toml_line(cards, ["card", 0, "line", 0, "y"]) == 3


DEEP = {
    "lists": "a = " + "[" * 5000 + "]" * 5000,
    "tables": "a = " + "{b = " * 5000 + "1" + "}" * 5000,
    "keys": ".".join("a" * 3_000) + " = 1",
}


@pytest.mark.parametrize("kind", DEEP)
def test_toml_that_is_nested_too_deeply_is_one_sentence(kind: str, tmp_path: Path) -> None:
    pack = laid(tmp_path, {"pack.toml": DEEP[kind]})
    with pytest.raises(BadPack, match="too deep"):
        pack.toml("pack.toml")
    assert any("too deep" in fault for fault in check_pack(title(GAME), pack))


def test_json_that_is_nested_too_deeply_is_one_sentence(tmp_path: Path) -> None:
    pack = laid(tmp_path, {"board-overlay.json": '{"hexes": ' + '{"a": ' * 50_000 + "1" + "}" * 50_000 + "}"})
    with pytest.raises(BadPack):
        _ = pack.map
    assert check_pack(title(GAME), pack)


def unusable(path: Path, kind: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if kind == "a folder":
        path.mkdir()
    elif kind == "a circle":
        path.symlink_to(path.with_name("b"))
        path.with_name("b").symlink_to(path)
    elif kind == "nowhere":
        path.symlink_to("none")
    else:
        os.mkfifo(path)


@pytest.mark.parametrize("kind", ["a folder", "a circle", "nowhere", "a pipe"])
@pytest.mark.parametrize("name", ["pack.toml", "tables/crt.csv", "board-overlay.json"])
def test_what_has_a_files_name_and_is_none_is_told(kind: str, name: str, tmp_path: Path) -> None:
    unusable(tmp_path / GAME / name, kind)
    pack = Pack(GAME, (tmp_path,))
    with pytest.raises(BadPack, match=r"this is a (link that leads (nowhere|in a circle)|folder or something else)"):
        pack.path(name)
    faults = check_pack(title(GAME), Pack(GAME, (tmp_path,)))
    assert any(str(tmp_path / GAME / name) in fault for fault in faults), faults


@pytest.mark.parametrize("kind", ["a circle", "nowhere", "a pipe"])
def test_a_folder_of_corrections_that_is_none_is_told(kind: str, tmp_path: Path) -> None:
    unusable(tmp_path / GAME, kind)
    faults = check_pack(title(GAME), Pack(GAME, (tmp_path,)))
    assert any("this is no folder" in fault for fault in faults)
