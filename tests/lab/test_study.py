"""Studies: what they vary, what they count, and the page and the data that come of them."""

from __future__ import annotations

import sqlite3
import tomllib
from contextlib import closing
from pathlib import Path

import pytest

from kessel.core.errors import BadInput
from kessel.core.pack import Pack
from kessel.core.title import titles
from kessel.lab.overlay import Change, write_overlay
from kessel.lab.study import BEGUN, Count, Dated, counts, date, read_study, run_study
from kessel.lab.study_files import make_study, marks
from kessel.lab.study_page import figures
from kessel.report.course import Turn
from tests.report.test_report import Page

STUDY = """
title = "Two ways over the Bug"
about = "A trial."
game = "bug41"
scenarios = ["ustyluh"]
programs = ["random", "random"]
games = 3

[[variant]]
name = "as it is"

[[variant]]
name = "only two turns"
set = [
    {file = "scenarios/ustyluh.toml", key = "last_turn", value = 2},
    {file = "tables/crt.csv", row = "1", column = "c1", value = "5/0"},
]

[[event]]
name = "Ustyluh falls"
place = "Ustyluh"
side = "german"
history = 1

[[event]]
name = "Ustyluh is taken back"
place = "Ustyluh"
side = "soviet"
after = "Ustyluh falls"

[[count]]
name = "activations"
rules = ["RX-6.2"]
verbs = ["german activate"]
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "trial.toml"
    path.write_text(STUDY)
    return path


def test_a_study_makes_a_page_and_data(file: Path, tmp_path: Path) -> None:
    study, folder, page = read_study(file), tmp_path / "out", tmp_path / "page.md"
    (begin, end), (other, _) = marks("trial"), marks("trial-of-others")
    page.write_text(f"before {other} kept\n\n{begin}\nold\n{end}\nafter\n")
    report, data, _ = make_study(study, folder, page=page)
    found = Page()
    found.feed(report.read_text())
    assert found.open == []
    assert all(x[1:] in found.ids for x in found.links)
    text = " ".join(found.text)
    for said in ("Who wins", "Victory points by turn", "Losses", "Ustyluh falls", "The front by turn", "activations"):
        assert said in text
    with closing(sqlite3.connect(data)) as db:
        rows = db.execute("SELECT variant, count(*), max(turn) FROM turns GROUP BY variant ORDER BY variant").fetchall()
        assert [(name, last) for name, _, last in rows] == [("as it is", 3), ("only two turns", 2)]
        assert db.execute("SELECT count(*) FROM games").fetchone() == (6,)
        assert db.execute("SELECT count(*) FROM events").fetchone() == (12,)
    written = page.read_text()
    assert written.startswith(f"before {other} kept\n\n{begin}\n\n6 games")
    assert written.endswith("after\n")
    assert "old" not in written
    assert "| ustyluh, only two turns | 3 |" in written
    assert "all were finished without a fault, and their records play the same." in written
    assert [row.split(" | ")[-1] for row in written.splitlines() if "two turns | 3" in row] == ["always Turn 2 |"]


def test_a_game_that_went_wrong_is_named(file: Path, tmp_path: Path) -> None:
    study = read_study(file)
    series = run_study(study, tmp_path / "out")
    series[0].results[1].faults.append("step 3: two units where one may stand")
    series[1].results[2].mismatch = "the last position differs"
    assert "2 had a fault, did not end or did not play the same again (seeds 1, 2)" in figures(study, series)


def test_what_was_played_is_not_played_again(file: Path, tmp_path: Path) -> None:
    study, played = read_study(file), []
    study.variant = study.variant[:1]
    first = run_study(study, tmp_path / "out")
    kept = (tmp_path / "out/ustyluh-as-it-is.jsonl").read_bytes()
    study.games = 4
    again = run_study(study, tmp_path / "out", each=played.append)
    assert (tmp_path / "out/ustyluh-as-it-is.jsonl").read_bytes().startswith(kept)
    assert [r.seed for r in again[0].results] == [0, 1, 2, 3]
    assert again[0].results[:3] == first[0].results
    assert "4" in figures(study, again)


def test_a_long_scenario_may_have_fewer_games(file: Path, tmp_path: Path) -> None:
    file.write_text(
        STUDY.replace("games = 3", "games = {ustyluh = 2, voinitsa = 1}").replace(
            '["ustyluh"]', '["ustyluh", "voinitsa"]'
        )
    )
    study = read_study(file)
    study.variant = study.variant[:1]
    series = run_study(study, tmp_path / "out")
    assert [(s.scenario, len(s.results)) for s in series] == [("ustyluh", 2), ("voinitsa", 1)]
    assert "3 games were played" in figures(study, series)
    assert "seeds from 0 on in each series" in figures(study, series)


def test_only_what_is_named_changes(tmp_path: Path) -> None:
    changes = [Change("tables/crt.csv", "9/9", row="7", column="c7"), Change("pack.toml", "X", key="title")]
    write_overlay("bug41", changes, tmp_path)
    ours, theirs = Pack("bug41", ()), Pack("bug41", (tmp_path,))
    for name, column in (("tables/crt.csv", "c7"), ("tables/crt.csv", "c6")):
        for a, b in zip(ours.rows(name), theirs.rows(name), strict=True):
            assert (a != b) == (a["roll"] == "7")
            assert (a[column] != b[column]) == (a["roll"] == "7" and column == "c7")
    was = tomllib.loads(ours.text("pack.toml"))
    assert theirs.toml("pack.toml") == was | {"title": "X"}
    assert ours.digest != theirs.digest


@pytest.mark.parametrize("game", ["bug41", "don42", "kharkov43", "korsun44", "stalingrad42"])
def test_every_toml_file_of_a_pack_can_be_written_again(game: str, tmp_path: Path) -> None:
    pack = Pack(game, ())
    names = ["pack.toml", *(f"scenarios/{s}.toml" for s in pack.scenarios())]
    for name in names:
        doc = pack.toml(name)
        key, value = next((k, v) for k, v in doc.items() if isinstance(v, str))
        write_overlay(game, [Change(name, value, key=key)], tmp_path)
        assert Pack(game, (tmp_path,)).toml(name) == doc


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('place = "Ustyluh"', 'place = "Atlantis"', "no place 'Atlantis'"),
        ('side = "german"', 'side = "french"', "no side 'french'"),
        ('place = "Ustyluh"\nside = "soviet"', 'side = "soviet"', "needs either places and the side, or rules"),
        ('side = "soviet"', 'side = "soviet"\nrules = ["1"]', "needs either places and the side, or rules"),
        ('after = "Ustyluh falls"', 'after = "Rome falls"', "no event before it"),
        ('scenarios = ["ustyluh"]', 'scenarios = ["waterloo"]', "no scenario 'waterloo'"),
        ('["random", "random"]', '["random"]', "needs 2 program"),
        ('["random", "random"]', '["random", "deep"]', "no program 'deep'"),
        ('"only two turns"', '"As it is"', "same name"),
        ("games = 3", "gmaes = 3", "no study"),
        ("games = 3", "games = {voinitsa = 3}", "a game of each at least"),
        ("games = 3", "games = ", "no study"),
    ],
)
def test_a_wrong_study_is_refused_in_a_sentence(old: str, new: str, says: str, file: Path) -> None:
    file.write_text(STUDY.replace(old, new))
    with pytest.raises(BadInput, match=says):
        read_study(file)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (Change("tables/nothing.csv", 1), "no file"),
        (Change("../kharkov43/pack.toml", 1), "no file"),
        (Change("board.json", 1), "cannot be varied"),
        (Change("tables/crt.csv", 1, row="99", column="c1"), "no row"),
        (Change("tables/crt.csv", 1, row="1", column="c99"), "no column"),
        (Change("tables/crt.csv", ["1/1", "2/2"], column="c1"), "c1 has 20 cells for 2 values"),
        (Change("tables/crt.csv", ["1/1", "2/2"], row="1", column="c1"), "c1 has 1 cells for 2 values"),
        (Change("pack.toml", 1, key="no.such.key"), "no value"),
        (Change("pack.toml", 1, key="title"), "cannot stand in its place"),
    ],
)
def test_a_wrong_change_is_refused_in_a_sentence(change: Change, says: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=says):
        write_overlay("bug41", [change], tmp_path)


def test_dates_are_those_of_the_turn_that_was_over(file: Path) -> None:
    study = read_study(file)
    from kessel.lab.simulate import Result

    def row(turn: int, owner: str) -> Turn:
        return Turn(turn, "", 0, 0, [0, 0], [0, 0], [0, 0], [0, 0], [0, 0], owners={"Ustyluh": owner})

    falls, back = study.event
    r = Result(1, turns=[row(1, "soviet"), row(2, "german"), row(3, "soviet")])
    assert (date(study, falls, r, {}), date(study, back, r, {})) == (2, 3)
    held = {"Ustyluh": "german"}
    assert (date(study, falls, r, held), date(study, back, r, held)) == (2, 3), "lost on turn 1, taken on turn 2"
    r = Result(1, turns=[row(1, "german"), row(2, "german")])
    assert (date(study, falls, r, {}), date(study, falls, r, held)) == (1, BEGUN), "who has a place does not take it"
    r = Result(1, turns=[row(1, "german"), row(2, "soviet")])
    assert date(study, back, r, held) == 2, "what fell before the game may be taken back in it"
    r = Result(1, turns=[row(1, "soviet")])
    assert (date(study, falls, r, {}), date(study, back, r, {})) == (0, 0)


def test_a_date_may_be_that_of_a_milestone(file: Path) -> None:
    from kessel.lab.simulate import Result

    def row(turn: int, *milestones: str) -> Turn:
        return Turn(turn, "", 0, 0, [0, 0], [0, 0], [0, 0], [0, 0], [0, 0], milestones=list(milestones))

    r = Result(1, turns=[row(1), row(2, "other"), row(3, "closed", "other"), row(4)])
    for asked, turn in (("closed", 3), ("other", 2), ("never", 0)):
        assert date(read_study(file), Dated("told", milestone=asked), r, {}) == turn
    assert date(read_study(file), Dated("told", milestone="other", after="Ustyluh falls"), r, {}) == 0


def test_a_date_may_be_that_of_a_rule(file: Path) -> None:
    from kessel.lab.simulate import Result

    r = Result(1, first={"RX-6.4": 3, "RX-7.5": 2})
    for rules, turn in ((["RX-6.4"], 3), (["RX-6.4", "RX-7.5"], 2), (["RX-9"], 0)):
        assert date(read_study(file), Dated("told", rules=rules), r, {}) == turn


def test_units_are_followed_to_places(file: Path) -> None:
    study = read_study(file)
    from kessel.lab.simulate import play

    r = play("bug41", "ustyluh", ("greedy", "random"), 3, wide=True, verify=False)
    crossed = {who: places["Ustyluh"] for who, places in r.been.items() if "Ustyluh" in places}
    assert {who.split()[0] for who in crossed} == {"german"}, "who is in a place at the start has not come to it"
    event = Dated("in Ustyluh", ["Ustyluh", "Piatydni"], "german", units=["*-525"])
    came = [turn for who, turn in crossed.items() if who.endswith("-525")]
    assert came
    assert 0 < date(study, event, r, {}) <= min(came)
    first_of_all, second = (Dated("in Ustyluh", "Ustyluh", "german", units=["*"], least=n) for n in (1, 2))
    assert [date(study, e, r, {}) for e in (first_of_all, second)] == sorted(crossed.values())[:2]
    assert date(study, Dated("in Ustyluh", "Ustyluh", "german", units=["*"], least=len(crossed) + 1), r, {}) == 0
    assert date(study, Dated("in Ustyluh", "Ustyluh", "german", units=["nobody"]), r, {}) == 0
    assert date(study, Dated("in Ustyluh", "Ustyluh", "soviet", units=["*-525"]), r, {}) == 0
    study.count = [Count("moves", verbs=["german move"], units=["*"]), Count("of one", [], ["german move"], ["I-525"])]
    found = counts(study, [r])
    assert found["moves"] >= r.seen["german move"], "a stack moves as one"
    assert found["of one"] == r.seen.get("german move I-525", 0) > 0


def test_the_studies_of_the_documentation_can_be_read() -> None:
    docs = Path(__file__).parents[2] / "docs"
    found: dict[str, list[str]] = {}
    for path in (docs / "studies").glob("*.toml"):
        study = read_study(path)
        found.setdefault(study.game, []).extend(study.scenarios)
        page = (docs / f"reconstruction-{study.game}.md").read_text()
        assert f"kessel study docs/studies/{path.name} --write docs/reconstruction-{study.game}.md" in page
        assert [page.count(mark) for mark in marks(path.stem)] == [1, 1]
    every = {t.id: sorted(s.id for s in t.scenarios(Pack(t.id))) for t in titles().values()}
    assert {game: sorted(scenarios) for game, scenarios in found.items()} == every
