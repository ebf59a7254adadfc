"""Packs: files, overlays, tables, provenance; every error says where."""

from __future__ import annotations

from pathlib import Path

import pytest

from kessel.core.errors import BadInput, BadPack
from kessel.core.pack import MOST_PACKS, Pack, pack_of
from kessel.core.provenance import provenance_of
from kessel.core.rules import coverage, find, statements
from kessel.core.tables import read_table

TABLE = """# provenance: reconstructed
# note: a note
# stated: 3/Other 11.5.2
die,Clear,Other
1,F,F
2,P,F
3,S,F -/-
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    r = tmp_path / "ours"
    (r / "tables").mkdir(parents=True)
    (r / "scenarios").mkdir()
    (r / "tables" / "defence.csv").write_text(TABLE)
    (r / "scenarios" / "one.toml").write_text('turns = 3\nprovenance = "stated"\n[setup]\nplace = "1001"\n')
    (r / "counters.csv").write_text(
        "id,strength,provenance,stated,note\nA,3,public,,\nB,4,reconstructed,strength,10.6\n"
    )
    (r / "rules.csv").write_text(
        "rule,title,kind,note\n1.1,One,rule,\n1.1.1,Below,rule,\n1.10,Ten,rule,\n2.1,Two,rule,\n"
    )
    (r / "board.json").write_text(
        '{"hexes": {"1001": {"provenance": "stated"}, "1002": {}}, "hexsides": {"1001|1002": ["river"]},'
        ' "links": [{"kind": "road", "path": "1001 1002"}]}'
    )
    return r


def test_files_are_read(root: Path) -> None:
    pack = Pack("toy", (), root)
    assert [r["id"] for r in pack.rows("counters.csv")] == ["A", "B"]
    assert pack.rows("counters.csv")[1].number("strength") == 4
    assert pack.table("defence").at(3, "Other") == "F -/-"
    assert pack.toml("scenarios/one.toml")["turns"] == 3
    assert pack.scenarios() == ["one"]
    assert pack.map.linked(pack.map.grid.hex("1001"), 3, "road")


def test_tables_clamp_and_shift(root: Path) -> None:
    t = Pack("toy", (), root).table("defence")
    assert t.clamp_row(9) == "3"
    assert t.clamp_row(-2) == "1"
    assert t.shift("Clear", 1) == t.shift("Clear", 5) == "Other"
    assert t.shift("Other", -9) == "Clear"
    assert t.row(2) == {"Clear": "P", "Other": "F"}
    with pytest.raises(BadPack, match="no cell 4/Clear"):
        t.at(4, "Clear")
    with pytest.raises(BadPack, match="not a whole number"):
        t.number(1, "Clear")


def test_an_owner_replaces_a_file_or_single_rows(root: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine" / "toy"
    (mine / "tables").mkdir(parents=True)
    (mine / "tables" / "defence.csv").write_text("die,Clear,Other\n1,S,S\n")
    (mine / "counters-overlay.csv").write_text("id,strength\nA,9\nC,1\n")
    (mine / "board-overlay.json").write_text('{"hexes": {"1002": {"terrain": "woods"}}}')
    plain, laid = Pack("toy", (), root), Pack("toy", (tmp_path / "mine",), root)
    assert laid.table("defence").at(1, "Clear") == "S"
    assert [(r["id"], r["strength"]) for r in laid.rows("counters.csv")] == [("A", "9"), ("B", "4"), ("C", "1")]
    assert laid.map.terrain[laid.map.grid.hex("1002")] == "woods"
    assert laid.digest != plain.digest


def test_the_digest_ignores_words_that_play_does_not_depend_on(root: Path) -> None:
    before = Pack("toy", (), root).digest
    (root / "rules.csv").write_text("rule,title,kind,note\n1.1,Uno,rule,\n")
    assert Pack("toy", (), root).digest == before
    (root / "counters.csv").write_text("id,strength,provenance,stated,note\nA,4,public,,\n")
    assert Pack("toy", (), root).digest != before


def test_provenance_is_counted_value_by_value(root: Path) -> None:
    counts = provenance_of(Pack("toy", (), root))
    # tables 5 + 1 stated; counters: A strength public, B strength stated; scenario: turns and place stated;
    # board: one hex stated, one hex, one hexside and one road reconstructed
    assert counts == {"reconstructed": 5 + 3, "stated": 1 + 1 + 2 + 1, "public": 1}


def test_single_values_may_differ_from_their_row_table_or_file(root: Path) -> None:
    before = provenance_of(Pack("toy", (), root))
    (root / "counters.csv").write_text(
        "id,strength,quality,provenance,stated,ours,note\nA,3,low,public,,quality,\nB,4,elite,reconstructed,strength,,\n"
    )
    (root / "scenarios" / "one.toml").write_text('turns = 3\nprovenance = "stated"\nours = "turns"\n')
    (root / "scenarios" / "two.toml").write_text('[card]\nvalue = 3\ntactics = ["a", "b"]\nstated = "tactics"\n')
    (root / "tables" / "limits.csv").write_text(
        "# provenance: stated\n# ours: mud/north why\nmarker,north,south,rule,provenance,stated\n"
        "mud,1,2,9.1,stated,\nfort,3,4,9.2,reconstructed,south\n"
    )
    counts = provenance_of(Pack("toy", (), root))
    # counters: A strength public and quality ours, B strength stated and quality ours; one.toml: turns ours, no place;
    # two.toml: value ours, tactics stated; limits: mud 1 ours, 2 stated, fort 3 ours, 4 stated
    assert counts["reconstructed"] - before["reconstructed"] == 2 + 1 + 1 + 2
    assert counts["stated"] - before["stated"] == -2 + 1 + 2
    assert counts["public"] == before["public"] == 1


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("tables/defence.csv", "", "empty"),
        ("tables/defence.csv", "die,a\n1,x,y\n", r"defence.csv:2: 3 fields"),
        ("tables/defence.csv", "die,a\n1,x\n1,y\n", r":3: row '1' is listed twice"),
        ("tables/defence.csv", "die,a,a\n1,x,y\n", "same name"),
        ("counters.csv", "id,strength\nA\n", r"counters.csv:2: 1 fields"),
        ("counters.csv", 'id,strength\nA,"x\n', r"counters.csv:\d"),
        ("scenarios/one.toml", "\nturns = \n", r"scenarios/one.toml:2: Invalid value"),
        (
            "board.json",
            '{"hexes": {"1001": {"terain": "x"}}}',
            r"board.json:1: .*unknown field `terain` \(hexes.1001\)",
        ),
        ("board.json", '{"hexes": {"1001": {}}, "links": [{"kind": "road", "path": "1001 1009"}]}', r"links\[0\]"),
        ("board.json", '{"hexes": "1001 1003", "links": [{"kind": "road", "path": "1001 1003"}]}', "not adjacent"),
        ("board.json", "{", "board.json"),
    ],
)
def test_errors_name_the_file_and_line(root: Path, file: str, text: str, message: str) -> None:
    (root / file).write_text(text)
    pack = Pack("toy", (), root)
    with pytest.raises(BadPack, match=message):
        pack.rows("counters.csv"), pack.table("defence"), pack.toml("scenarios/one.toml"), pack.map


def test_a_missing_file_or_pack_is_named(root: Path) -> None:
    with pytest.raises(BadPack, match=r"toy/none.csv: there is no such file"):
        Pack("toy", (), root).rows("none.csv")
    with pytest.raises(BadPack, match="there is no pack"):
        Pack("nothing")


def test_a_wrong_provenance_is_found(root: Path) -> None:
    (root / "counters.csv").write_text("id,strength,provenance\nA,3,guessed\n")
    with pytest.raises(BadPack, match=r"counters.csv:2: provenance is 'guessed'"):
        provenance_of(Pack("toy", (), root))


def test_a_rule_is_found_with_those_below_it(root: Path) -> None:
    pack = Pack("toy", (), root)
    assert [s.rule for s in find(pack, "1.1")] == ["1.1", "1.1.1"]
    assert [s.chapter for s in statements(pack)] == ["1", "1", "1", "2"]
    with pytest.raises(BadInput, match=r"no rule 9\.9"):
        find(pack, "9.9")


def test_coverage_counts_statements_by_chapter(root: Path) -> None:
    doc = coverage(Pack("toy", (), root), {"1.1", "2.1", "7.7"})
    assert doc["statements"] == 4
    assert doc["covered"] == 2
    assert doc["chapters"]["1"] == {"statements": 3, "covered": 1}
    assert doc["uncovered"] == ["1.1.1", "1.10"]
    assert doc["unknown"] == ["7.7"]
    (root / "rules.csv").write_text("rule,title,kind,note\n1.1,One,rule,only words\n")
    with pytest.raises(BadInput, match="8 %"):
        coverage(Pack("toy", (), root), set())


def test_a_statement_says_where_it_comes_from(root: Path) -> None:
    (root / "rules.csv").write_text(
        "rule,title,kind,note,provenance,why\nPA-AP.move,Move,rule,,stated,\nPA-TEC.c2,Pillbox,rule,,stated,garbled\n"
        "RX-6.1,Roll,rule,,reconstructed,the marker\nRX-6.1.track,Track,rule,,reconstructed,\n"
    )
    every = statements(Pack("toy", (), root))
    assert [s.source for s in every] == ["", "garbled", "reconstructed: the marker", "reconstructed"]
    assert [s.chapter for s in every] == ["PA-AP", "PA-TEC", "RX-6", "RX-6"]


def test_meta_lines_of_a_table() -> None:
    t = read_table(TABLE, "x")
    assert (t.provenance, t.note, t.stated) == ("reconstructed", "a note", {"3/Other": "11.5.2"})
    assert read_table(f"# ours: 1/Clear a guess\n{TABLE}", "x").ours == {"1/Clear": "a guess"}


def test_a_pack_is_shared_until_a_file_of_it_changes(tmp_path: Path) -> None:
    folder = tmp_path / "own" / "stalingrad42" / "tables"
    folder.mkdir(parents=True)
    overlays = (tmp_path / "own",)
    first = pack_of("stalingrad42", overlays)
    was = first.digest
    assert pack_of("stalingrad42", overlays) is first
    assert pack_of("stalingrad42", ()) is not first
    (folder / "victory.csv").write_text("a,b\n1,2\n")
    second = pack_of("stalingrad42", overlays)
    assert second is not first
    assert second.digest != was
    (folder / "victory.csv").unlink()
    assert pack_of("stalingrad42", overlays).digest == was
    for n in range(MOST_PACKS + 3):
        pack_of("stalingrad42", (tmp_path / str(n),))
    assert pack_of("stalingrad42", (tmp_path / "0",)).digest == pack_of("stalingrad42", ()).digest
