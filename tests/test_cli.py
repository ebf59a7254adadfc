"""The command line: exit codes, JSON interfaces, one-sentence errors."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kessel.core.game import Game
from kessel.core.pack import Pack
from kessel.core.title import titles

NAMES = [f"{t.id}/{s.id}" for t in titles().values() for s in t.scenarios(Pack(t.id))[:1]]
FIRST = NAMES[0] if NAMES else ""


def kessel(*args: str, stdin: str = "", env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "kessel.cli", *args],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "COLUMNS": "200", **(env or {})},
        check=False,
    )


def refused(*args: str, stdin: str = "") -> str:
    """The one sentence of a refusal; exit code 2, nothing on standard output, no traceback."""
    done = kessel(*args, stdin=stdin)
    assert done.returncode == 2, done
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    return done.stderr


def test_games_as_json() -> None:
    done = kessel("games", "--json")
    assert done.returncode == 0, done.stderr
    found = {g["id"]: g for g in json.loads(done.stdout)}
    assert set(found) == set(titles())
    for g in found.values():
        assert {"sides", "scenarios", "provenance"} <= set(g)
        assert {"stated", "public", "reconstructed"} == set(g["provenance"])
        for s in g["scenarios"]:
            assert s["turns"] > 0


@pytest.mark.parametrize("name", NAMES)
def test_new_show_replay(name: str, tmp_path: Path) -> None:
    path = tmp_path / "game.kessel"
    assert kessel("new", name, "--seed", "4", "-o", str(path)).returncode == 0
    shown = kessel("show", str(path), "--json")
    assert shown.returncode == 0, shown.stderr
    view = json.loads(shown.stdout)
    assert view["game"] + "/" + view["scenario"] == name
    assert view["question"]["choices"]
    assert kessel("replay", str(path), "--verify").returncode == 0
    assert json.loads(kessel("replay", str(path), "--json").stdout)["actions"] == 0
    assert "never overwritten" in refused("new", name, "-o", str(path))


def test_sim_as_json() -> None:
    game = FIRST.split("/")[0]
    bots = ":".join("random" for _ in titles()[game].played)
    done = kessel("sim", FIRST, "--bots", bots, "--games", "2", "--seed", "3", "--json")
    doc = json.loads(done.stdout)
    wanted = {"games", "finished", "faults", "steps", "wins", "vp", "replayed", "replay_mismatches", "cpu_s"}
    assert wanted <= set(doc)
    assert doc["games"] == doc["finished"] == doc["replayed"] == 2
    assert doc["faults"] == []
    assert doc["replay_mismatches"] == 0
    assert done.returncode == 0


def test_rules() -> None:
    game = FIRST.split("/")[0]
    found = json.loads(kessel("rules", game, "--json").stdout)
    number = found[10]["rule"]
    assert number in kessel("rules", game, number).stdout
    assert "has no rule 99.99" in refused("rules", game, "99.99")


def test_coverage_of_one_number() -> None:
    game = FIRST.split("/")[0]
    doc = json.loads(kessel("rules", game, "7", "--coverage", "--json").stdout)
    assert list(doc["chapters"]) == ["7"]
    assert doc["statements"] == doc["chapters"]["7"]["statements"]


def test_sim_needs_no_programs_named() -> None:
    """Where one side is run by the rules, too."""
    done = kessel("sim", "kharkov43/initial-assault", "--games", "1", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["finished"] == 1


def test_lines_are_whole_where_no_person_reads_them() -> None:
    long = {"COLUMNS": "40"}
    whole = kessel("rules", "stalingrad42", env=long).stdout.splitlines()
    assert len(whole) == len(json.loads(kessel("rules", "stalingrad42", "--json").stdout))
    listed = kessel("games", env={"COLUMNS": "80"}).stdout
    assert all(name in listed for name in NAMES)


def test_pack_check() -> None:
    done = kessel("pack", "check")
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("new", "chess/mate", "-o", "x"), "there is no game 'chess'"),
        (("new", FIRST.split("/")[0] + "/none", "-o", "x"), "no scenario 'none'"),
        (("new", FIRST.split("/")[0], "-o", "x"), "name a scenario"),
        (("new", FIRST, "-o", "x", "--option", "fog"), "name=value"),
        (("new", FIRST, "-o", "x", "--option", "fog=on"), "no option 'fog'"),
        (("show", "nowhere.kessel"), "cannot be read"),
        (("replay", "nowhere.kessel"), "cannot be read"),
        (("analyze", "nowhere.json"), "cannot be read"),
        (("sim", FIRST, "--bots", "genius"), "genius"),
        (("sim", FIRST, "--bots", "a:b:c:d"), "program(s)"),
        (("--packs", "nowhere", "games"), "no such folder"),
        (("rules", "chess"), "no game"),
        (("map", "chess", "-o", "x.svg"), "no game"),
        (("map", FIRST.split("/")[0], "-o", "x.svg", "--area", "moon"), "no hex and no area 'moon'; its areas are"),
        (("map", FIRST.split("/")[0], "-o", "x.jpg"), "x.jpg: a picture is written as .svg or .png"),
        (("map", FIRST.split("/")[0], "-o", "x.png", "--zoom", "9"), "map: invalid value for '--zoom'"),
        (("play", FIRST, "--terminal", "--side", "martian"), "has no side 'martian'"),
        (("serve", "--db", "mysql://x"), "a database is named as sqlite:///FILE or postgresql://"),
        (("dance",), "no such command 'dance'"),
        (("new",), "new: missing argument 'GAME/SCENARIO'"),
        (("games", "--fast"), "games: no such option: --fast"),
        (("sim", FIRST, "--games", "0"), "sim: invalid value for '--games'"),
        (("new", FIRST, "-o", "x", "--seed", "six"), "new: invalid value for '--seed'"),
        (("bench", "--only", "nothing"), "--only: no benchmark has 'nothing'"),
        (("rules", FIRST.split("/")[0], "99.99", "--coverage"), "has no rule 99.99"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(args: tuple[str, ...], message: str) -> None:
    said = refused(*args)
    assert message in said
    assert said.startswith("kessel: ")
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "standard input:1:1: Input data was truncated"),
        ("[]", "$"),
        ('{"game": "don42",\n "units": [}', "standard input:2:12: JSON is malformed"),
        ('{"game": "don42", "units": [], "units": []}', "the field `units` stands twice"),
        ('{"game": "don42", "turn": ' + "9" * 5000 + "}", "$.turn"),
        ('{"game": "chess"}', "$.game: there is no game 'chess'"),
        ('{"game": 3}', "$.game"),
        (json.dumps({"game": FIRST.split("/")[0], "ask": [{"question": "why"}]}), "$.ask[0].question"),
        (json.dumps({"game": FIRST.split("/")[0], "weapons": []}), "unknown field `weapons`"),
        (json.dumps({"game": FIRST.split("/")[0], "board": "moon"}), "$.board"),
        ("[" * 5000, "$"),
        ("\x00", "standard input:1:1"),
    ],
)
def test_a_bad_position_is_refused_with_its_path(text: str, message: str) -> None:
    assert message in refused("analyze", "-", stdin=text)


def test_a_record_of_another_pack_says_so(tmp_path: Path) -> None:
    path = tmp_path / "game.kessel"
    kessel("new", FIRST, "--seed", "4", "-o", str(path))
    text = path.read_text()
    head = json.loads(text.splitlines()[0])
    path.write_text(text.replace(head["pack"], "0123456789abcdef"))
    assert "other data" in refused("show", str(path))


def test_a_record_that_does_not_hold_is_a_failed_check(tmp_path: Path) -> None:
    """Exit code 1: it can be read, but is not what happened. 2: it cannot be read at all."""
    path = tmp_path / "game[1].kessel"
    game = Game.new(*FIRST.split("/"), seed=4)
    for _ in range(3):
        game.play(game.legal()[0])
    game.save(path)
    done = kessel("replay", str(path), "--verify")
    assert done.stdout == f"{path}: 3 actions, all as recorded\n"
    text = path.read_text()
    path.write_text(text + text.splitlines()[1].replace('"do":"', '"do":"un') + "\n")
    done = kessel("replay", str(path), "--verify")
    assert (done.returncode, done.stdout) == (1, "")
    assert f"{path}:5: the line cannot be played" in done.stderr
    path.write_text(text[:-20])
    assert f"{path}:4: " in refused("replay", str(path), "--verify")
    path.write_text(text.replace(f'"seed":"{b"4".hex()}"', '"seed":""'))
    assert "it tells no seed" in kessel("replay", str(path), "--verify").stdout


def test_a_record_is_checked_against_the_commitment_a_player_noted(tmp_path: Path) -> None:
    path = tmp_path / "game.kessel"
    mine = "ab" * 16
    game = Game.new(*FIRST.split("/"), seed=b"secret", entropy={"axis": mine, "soviet": "cd" * 16})
    game.play(game.legal()[0])
    game.save(path)
    committed = game.record.header.commitment
    for noted in (committed, game.pledge):
        done = kessel("replay", str(path), "--verify", "--commitment", noted, "--entropy", mine)
        assert done.returncode == 0, done.stderr
    for wrong in (("--commitment", "0" * 32), ("--commitment", game.pledge, "--entropy", "ef" * 16)):
        done = kessel("replay", str(path), "--verify", *wrong)
        assert (done.returncode, done.stdout) == (1, "")
    other = Game.new(*FIRST.split("/"), seed=b"another")
    other.save(path)
    assert kessel("replay", str(path), "--verify").returncode == 0
    done = kessel("replay", str(path), "--verify", "--commitment", committed)
    assert (done.returncode, done.stdout) == (1, "")
    assert "committed to by" in done.stderr


@pytest.mark.parametrize("name", ["NOWHERE", "a file", "strange"])
def test_an_overlay_that_would_change_nothing_is_refused(name: str, tmp_path: Path) -> None:
    folder = tmp_path / name
    if name == "a file":
        folder.write_text("")
    elif name == "strange":
        (folder / "tables").mkdir(parents=True)
    wanted = "no folder of a game" if name == "strange" else "no such folder"
    assert wanted in refused("--packs", str(folder), "games")
    done = kessel("games", env={"KESSEL_PACKS": str(folder)})
    assert done.returncode == 2
    assert wanted in done.stderr
