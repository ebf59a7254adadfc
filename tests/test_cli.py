"""The command line: exit codes, JSON interfaces, one-sentence errors."""

from __future__ import annotations

import contextlib
import functools
import io
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

import kessel as kessel_package
from kessel.cli import main
from kessel.core import rules as kessel_rules
from kessel.core.game import Game
from kessel.core.pack import Pack
from kessel.core.title import titles

NAMES = [f"{t.id}/{s.id}" for t in titles().values() for s in t.scenarios(Pack(t.id))[:1]]
FIRST = NAMES[0] if NAMES else ""


def kessel(*args: str, stdin: str = "", env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """What the command does; called in this process, unless the environment matters, so that it starts at once."""
    if env is not None:
        return kessel_alone(*args, stdin=stdin, env=env)
    told, errors, code = io.StringIO(), io.StringIO(), 0
    with contextlib.ExitStack() as stack:
        stack.enter_context(mock.patch.dict(os.environ))
        stack.enter_context(mock.patch.object(sys, "argv", ["kessel", *args]))
        stack.enter_context(mock.patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()))))
        stack.enter_context(contextlib.redirect_stdout(told))
        stack.enter_context(contextlib.redirect_stderr(errors))
        try:
            main()
        except SystemExit as e:
            code = int(e.code or 0)
    return subprocess.CompletedProcess(args, code, told.getvalue(), errors.getvalue())


def kessel_alone(*args: str, stdin: str = "", env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """The same in a process of its own."""
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
    done = kessel_alone("games", "--json")
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


def test_the_tests_of_the_checkout_it_is_called_in_are_found(tmp_path: Path) -> None:
    game = FIRST.split("/")[0]
    folder = tmp_path / "elsewhere"
    (folder / "src/kessel").mkdir(parents=True)
    (folder / "tests/games" / game).mkdir(parents=True)
    (folder / "tests/__init__.py").write_text("")
    number = kessel_rules.statements(Pack(game))[10].rule
    (folder / "tests/helper.py").write_text(f"NUMBER = {number!r}\n")
    marks = f"import pytest\nfrom tests.helper import NUMBER\n@pytest.mark.rule({game!r}, NUMBER)\ndef test_it(): ...\n"
    (folder / "tests/games" / game / "test_one.py").write_text(marks)
    (folder / "deep/inside").mkdir(parents=True)
    for at in (folder, folder / "deep/inside"):
        env = {**os.environ, "PYTHONPATH": str(Path(kessel_package.__file__).parents[1])}
        command = [sys.executable, "-m", "kessel.cli", "rules", game, "--coverage", "--json"]
        done = subprocess.run(command, cwd=at, env=env, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["covered"] == 1


SERIES, GAMES = "don42/crossing-the-don", 10


def series(file: Path, *more: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "kessel.cli", "sim", SERIES, "--games", str(GAMES), "--json", *more]
    return subprocess.Popen(
        [*command, "--resume", str(file)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # who tests in the background may ignore it
    )


def killed(file: Path, how: signal.Signals, workers: int) -> tuple[subprocess.Popen[str], str]:
    """A series ended after a few games, and what it said."""
    run = series(file, "--workers", str(workers))
    until = time.monotonic() + 60
    while (not file.exists() or file.read_bytes().count(b"\n") < 3) and time.monotonic() < until:
        time.sleep(0.01)
    if how == signal.SIGINT:
        os.killpg(run.pid, how)  # Ctrl+C is for all processes of a terminal
    else:
        run.send_signal(how)
    _, said = run.communicate(timeout=30)  # the workers have ended too: nobody holds the pipe open
    return run, said


@functools.cache
def unbroken() -> dict[str, Any]:
    """The same series played in one go."""
    found: dict[str, Any] = json.loads(kessel("sim", SERIES, "--games", str(GAMES), "--json").stdout)
    return found


@pytest.mark.parametrize(
    ("how", "workers"), [(signal.SIGKILL, 2), (signal.SIGTERM, 2), (signal.SIGINT, 2), (signal.SIGTERM, 1)]
)
def test_a_killed_sim_says_nothing_and_goes_on(how: signal.Signals, workers: int, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    for _ in range(4):  # on a busy machine a series may be over before it is seen to have begun
        run, said = killed(file, how, workers)
        if run.returncode != 0:
            break
        file.unlink()
    assert said in ("", "kessel: stopped\n")
    assert run.returncode != 0
    kept = file.read_bytes()
    done = kept.count(b"\n") - 1
    assert 0 < done < GAMES
    file.write_bytes(kept + b'{"seed":')  # as if it had been writing
    again = series(file)
    told, _ = again.communicate(timeout=120)
    assert again.returncode == 0
    whole = json.loads(told)
    assert file.read_bytes().startswith(kept)
    assert (whole["games"], whole["replayed"]) == (GAMES, GAMES)
    assert whole | {"cpu_s": 0} == unbroken() | {"cpu_s": 0}
    other = kessel("sim", SERIES, "--bots", "greedy:random", "--resume", str(file))
    assert (other.returncode, other.stdout) == (2, "")
    assert "another series" in other.stderr


def test_versions_are_locked_without_naming_a_host() -> None:
    root = Path(__file__).parents[1]
    lines = [x for x in (root / "constraints.txt").read_text().splitlines() if not x.startswith("#")]
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!]+", x) for x in lines), lines
    locked = {re.sub(r"[._-]+", "-", x.partition("==")[0]).lower() for x in lines}
    doc = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    wanted = [*doc["dependencies"], *(x for extra in doc["optional-dependencies"].values() for x in extra)]
    named = {re.split(r"[\[>=<~! ;]", x)[0] for x in wanted} - {"kessel"}
    assert {re.sub(r"[._-]+", "-", x).lower() for x in named} <= locked
    assert "--constraint constraints.txt" in (root / "Makefile").read_text()


PLAIN = """
import sys
class Gone:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {gone!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Gone())
sys.argv = ["kessel", *sys.argv[1:]]
from kessel.__main__ import main
main()
"""
LAB = {"chess", "networkx", "numpy", "scipy", "pytest", "playwright", "hypothesis", "resvg_py"}
TABLE = {"fastapi", "starlette", "uvicorn", "websockets", "sqlalchemy", "structlog", "psycopg", "h11"}


@pytest.mark.parametrize(
    ("gone", "args", "says"),
    [
        (LAB | TABLE, ("bench",), "kessel[lab]"),
        (LAB, ("bench",), "kessel[lab]"),
        (LAB | TABLE, ("rules", "don42", "--coverage"), "pytest is needed"),
        (LAB | TABLE, ("play",), "kessel[table]"),
        (LAB | TABLE, ("serve",), "kessel[table]"),
        (LAB | TABLE, ("connect", "http://127.0.0.1:1/table/x#y"), "kessel[table]"),
        (LAB | TABLE, ("tables", "http://127.0.0.1:1"), "kessel[table]"),
        (TABLE & {"psycopg"}, ("serve", "--db", "postgresql://x/y"), "kessel[postgres]"),
        (LAB | TABLE, ("map", "don42", "-o", "{tmp}/x.png"), "kessel[render]"),
        (LAB | TABLE, ("map", "don42", "-o", "{tmp}/x.svg"), ""),
        (LAB | TABLE, ("sim", "don42/crossing-the-don", "--games", "1"), ""),
        (LAB | TABLE, ("play", "don42/short-game", "--terminal"), ""),
        (LAB | TABLE, ("pack", "check", "don42"), ""),
        (LAB | TABLE, ("games",), ""),
    ],
)
def test_without_extras_a_command_works_or_says_what_to_install(
    gone: set[str], args: tuple[str, ...], says: str, tmp_path: Path
) -> None:
    words = [a.replace("{tmp}", str(tmp_path)) for a in args]
    code = PLAIN.format(gone=gone)
    env = {**os.environ, "PATH": ""} if "{tmp}/x.png" in args else None
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        input="quit\n",
        capture_output=True,
        text=True,
        timeout=120,
        env=env,
        check=False,
    )
    assert "Traceback" not in done.stderr
    if says:
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
        assert says in done.stderr
    else:
        assert done.returncode == 0, done.stderr


def test_a_report_is_one_page(tmp_path: Path) -> None:
    record, page = Path(__file__).parent / "records/bug41-voinitsa.kessel", tmp_path / "game.html"
    assert kessel("report", str(record), "-o", str(page)).returncode == 0
    assert page.read_text().rstrip().endswith("</html>")
    wrong = kessel("report", str(record), "-o", str(tmp_path / "game.pdf"))
    assert (wrong.returncode, wrong.stderr.count("\n")) == (2, 1)
    assert "written as .html" in wrong.stderr


def test_a_series_is_kept_as_tables(tmp_path: Path) -> None:
    file = tmp_path / "series.sqlite"
    done = kessel("sim", "bug41/voinitsa", "--games", "2", "--no-verify", "--json", "--out", str(file))
    assert done.returncode == 0, done.stderr
    with contextlib.closing(sqlite3.connect(file)) as db:
        assert db.execute("SELECT count(*) FROM games").fetchone() == (2,)
        assert db.execute("SELECT sum(actions) FROM games").fetchone() == (json.loads(done.stdout)["steps"],)
    wrong = kessel("sim", "bug41/voinitsa", "--out", str(tmp_path / "series.csv"))
    assert (wrong.returncode, wrong.stdout) == (2, "")
