"""`kessel play`, `serve` and `connect` as processes, and a log without secrets."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from kessel.cli import main
from kessel.core.errors import BadInput
from kessel.table import maps
from kessel.table.home import play_in_browser
from kessel.table.page import STATIC
from kessel.table.remote import Remote, Unreachable
from kessel.table.serve import data_folder, is_local
from tests.table.people import GAME, SCENARIO

FIRST, SECOND = (GAME.sides[i] for i in GAME.played)
MANY = ("--tables-a-minute", "1000")
KESSEL = [sys.executable, "-m", "kessel.cli"]


def kessel(*args: str, stdin: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*KESSEL, *args],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "COLUMNS": "200", **env},
        check=False,
    )


def refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *args: str) -> str:
    """The one sentence of a refusal, with exit code 2."""
    monkeypatch.setattr(sys, "argv", ["kessel", *args])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    return told.err


class Running:
    """A command that serves until it is ended."""

    def __init__(self, folder: Path, *args: str) -> None:
        self.log = folder / "log.jsonl"
        with self.log.open("wb") as err:
            self.process = subprocess.Popen([*KESSEL, *args], stdout=subprocess.PIPE, stderr=err, text=True)
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().strip()
        assert self.address.startswith("http://"), self.log.read_text()

    def end(self) -> int:
        assert self.process.stdout is not None
        self.process.terminate()
        status = self.process.wait(20)
        self.process.stdout.close()
        return status


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("served")
    found = Running(folder, "serve", "--port", "0", "--data", str(folder / "data"), "--share", *MANY)
    yield found
    found.end()


def new_table(at: str, seed: int | None = None, **seats: str) -> Any:
    return Remote(at).call("/tables", {"game": GAME.id, "scenario": SCENARIO, "seats": seats, "seed": seed})


def link(at: str, made: Any, side: str) -> str:
    return f"{at.rstrip('/')}/table/{made['id']}#{made['tokens'][side]}"


def asked_of(at: str, made: Any) -> tuple[str, int]:
    view = Remote(at, made["id"], made["watch"]).view()
    assert view.question is not None
    return view.question.side, view.version


def test_two_programs_play_over_the_network(served: Running) -> None:
    made = new_table(served.address)
    bots = [
        subprocess.Popen([*KESSEL, "connect", link(served.address, made, side), "--bot", "random"])
        for side in (FIRST, SECOND)
    ]
    try:
        until = time.monotonic() + 30
        while (version := asked_of(served.address, made)[1]) < 30:
            assert time.monotonic() < until, f"only {version} actions"
            assert all(b.poll() is None for b in bots)
            time.sleep(0.1)
    finally:
        for b in bots:
            b.kill()
            b.wait()
    log = Remote(served.address, made["id"], made["watch"]).log()
    assert {e.side for e in log} <= {FIRST, SECOND}


def test_a_person_plays_from_the_terminal(served: Running) -> None:
    side, _ = asked_of(served.address, new_table(served.address))
    made = new_table(served.address, seed=3, **{SECOND if side == FIRST else FIRST: "program:random"})
    done = kessel("connect", link(served.address, made, side), stdin="list\nwhy juggle\nboard\n1\nlog\n9999\nquit\n")
    assert done.returncode == 0, done.stderr
    assert f"{side} is asked" in done.stdout
    assert "there is no action 'juggle'" in done.stdout
    assert "choices, not 9999" in done.stdout
    log = Remote(served.address, made["id"], made["watch"]).log()
    assert len(log) == 1
    assert f"{side}: {log[0].text}" in done.stdout


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("nonsense", "a seat's link looks like"),
        ("http://[/table/x#y", "a seat's link looks like"),
        ("{at}/table/none#token", "there is no such table"),
        ("{at}/table/{id}#guess", "gives no seat"),
    ],
)
def test_a_bad_link_is_one_sentence(
    served: Running, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], url: str, says: str
) -> None:
    made = new_table(served.address)
    at = url.format(at=served.address.rstrip("/"), id=made["id"])
    assert says in refused(monkeypatch, capsys, "connect", at, "--bot", "random")


def test_a_server_that_is_not_there_is_told_within_five_seconds(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as silent, socket.socket() as nobody:
        for s in (silent, nobody):
            s.bind(("127.0.0.1", 0))
        silent.listen(1)  # takes connections and never answers
        for s in (silent, nobody):
            at = f"http://127.0.0.1:{s.getsockname()[1]}"
            for bot in ((), ("--bot", "random")):
                begun = time.monotonic()
                told = refused(monkeypatch, capsys, "connect", f"{at}/table/x#token", *bot)
                assert "the server does not answer" in told
                assert time.monotonic() - begun < 5


def test_an_invitation_is_accepted_from_the_terminal(served: Running) -> None:
    body = {"game": GAME.id, "scenario": SCENARIO, "seats": {SECOND: "open"}, "entropy": "ab" * 16}
    made = Remote(served.address).call("/tables", body)
    at = served.address.rstrip("/")
    invitation = f"{at}/join/{made['id']}#{made['invitations'][SECOND]}"
    with subprocess.Popen([*KESSEL, "connect", invitation], stdout=subprocess.PIPE, text=True) as person:
        assert person.stdout is not None
        said = [person.stdout.readline() for _ in range(3)]
        person.kill()
    assert said[0].startswith(f"You sit as {SECOND}")
    seat, lost = (line.split()[-1] for line in said[1:])
    assert Remote.by_link(seat).view().seat == SECOND
    remote, taken = Remote.sit_down(lost)
    assert taken is not None
    assert remote.view().seat == SECOND
    with pytest.raises(BadInput, match="gives no seat"):
        Remote.by_link(seat).view()


def test_the_administrator_at_the_command_line(tmp_path: Path) -> None:
    key = "the key of this server"
    args = ("serve", "--port", "0", "--data", str(tmp_path / "data"), "--share", "--admin-key", key)
    running = Running(tmp_path, *args)
    try:
        made = [new_table(running.address)["id"] for _ in range(2)]
        listed = kessel("tables", running.address, KESSEL_ADMIN=key)
        assert all(f"{x} " in listed.stdout for x in made), listed.stderr
        left = kessel("tables", running.address, "--delete", made[0], "--json", KESSEL_ADMIN=key)
        assert [t["id"] for t in json.loads(left.stdout)] == made[1:]
        refused = kessel("tables", running.address, KESSEL_ADMIN="another key altogether")
        assert (refused.returncode, refused.stderr) == (2, "kessel: this needs the administrator's key\n")
    finally:
        running.end()


def test_a_program_that_does_not_exist_is_refused(
    served: Running, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = new_table(served.address)
    side, _ = asked_of(served.address, made)
    at = link(served.address, made, side)
    assert "no program 'genius'" in refused(monkeypatch, capsys, "connect", at, "--bot", "genius")


def test_the_log_is_structured_and_tells_no_secrets(served: Running) -> None:
    made = new_table(served.address)
    side, version = asked_of(served.address, made)
    remote = Remote.by_link(link(served.address, made, side))
    view = remote.view()
    assert view.question is not None
    remote.act(view.question.choices[0].text, version)
    with pytest.raises(BadInput):
        remote.act("nonsense", version + 1)
    with pytest.raises(BadInput, match="gives no seat"):
        Remote(served.address, made["id"], "wrong-token").view()
    next(remote.views())
    text = served.log.read_text()
    lines = [json.loads(x) for x in text.splitlines()]
    assert {"event", "level", "timestamp", "path", "status", "method", "ms"} <= set(lines[-1])
    assert any(x["path"].endswith("/actions") and x["status"] == 200 for x in lines if "path" in x)
    for secret in (*made["tokens"].values(), made["watch"], "wrong-token", "Bearer"):
        assert secret not in text


def test_seats_of_a_shared_server_cannot_be_claimed(served: Running) -> None:
    made = new_table(served.address)
    with pytest.raises(BadInput, match="held by their links"):
        Remote(served.address).call(f"/tables/{made['id']}/claim", {"side": FIRST})


def test_play_opens_a_table_and_a_second_call_finds_the_server(tmp_path: Path) -> None:
    if not (STATIC / "index.html").is_file():
        pytest.skip("the page is not built: python web/build.py")
    data = tmp_path / "data"
    args = ("--seed", "3", "--port", "0", "--data", str(data), "--no-browser")
    running = Running(tmp_path, "play", f"{GAME.id}/{SCENARIO}", *args)
    try:
        remote = Remote.by_link(running.address)
        assert remote.view().seat == FIRST
        out = Console(file=StringIO())
        play_in_browser("", out, data=data, browser=False)
        play_in_browser(f"{GAME.id}/{SCENARIO}", out, side=SECOND, data=data, browser=False)
        second, third = out.file.getvalue().split()  # type: ignore[attr-defined]
        assert second == remote.base + "/"
        assert Remote.by_link(third).view().seat == SECOND
        assert len(Remote(remote.base).call("/tables")) == 2
    finally:
        assert running.end() in (0, -15)
    assert (tmp_path / "data" / "tables.db").is_file()


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("play", "chess/mate"), "no game 'chess'"),
        (("play", GAME.id), "name a scenario"),
        (("play", f"{GAME.id}/none"), "no scenario 'none'"),
        (("play", f"{GAME.id}/{SCENARIO}", "--opponent", "genius"), "genius"),
        (("play", f"{GAME.id}/{SCENARIO}", "--side", "nobody"), "no side 'nobody'"),
        (("serve", "--data", "/proc/nowhere"), "data folder cannot be made"),
        (("serve", "--host", "203.0.113.1", "--port", "1"), "cannot listen on"),
        (("serve", "--db", "nonsense"), "a database is named as"),
        (("serve", "--smtp", "nonsense"), "mail is set up as"),
        (("serve", "--smtp", "smtp://["), "mail is set up as"),
        (("serve", "--proxy", "nonsense"), "a proxy is named by its address"),
        (("serve", "--admin-key", "short"), "has 16 characters or more"),
        (("tables", "nonsense"), "the server does not answer"),
        (("serve", "--log-level", "loud"), "a log level is"),
    ],
)
def test_bad_calls_are_one_sentence(
    args: tuple[str, ...],
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("KESSEL_DATA", str(tmp_path))
    assert says in refused(monkeypatch, capsys, *args)


def test_where_things_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KESSEL_DATA", "/somewhere")
    assert data_folder() == Path("/somewhere")
    monkeypatch.delenv("KESSEL_DATA")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    monkeypatch.setattr(sys, "platform", "linux")
    assert data_folder() == Path("/data/kessel")
    assert [is_local(h) for h in ("127.0.0.1", "localhost", "::1", "0.0.0.0", "example.org")] == [True] * 3 + [
        False
    ] * 2
    with pytest.raises(Unreachable):
        Remote("http://127.0.0.1:1").call("/server")


def test_a_drawn_map_is_kept_and_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maps, "SHIPPED", tmp_path / "none")
    maps._drawing.cache_clear()
    first = maps.drawing("don42", "short-game", tmp_path)
    assert [p.suffix for p in tmp_path.iterdir()] == [".gz"]
    maps._drawing.cache_clear()
    monkeypatch.setattr("kessel.render.map_svg", lambda *_, **__: pytest.fail("it is drawn again"))
    assert maps.drawing("don42", "short-game", tmp_path) == first
    monkeypatch.undo()
    monkeypatch.setattr(maps, "SHIPPED", tmp_path / "none")
    maps._drawing.cache_clear()
    next(tmp_path.iterdir()).write_bytes(first.packed[:1000])
    assert maps.drawing("don42", "short-game", tmp_path) == first, "a broken file is drawn anew"


def test_a_map_is_drawn_where_nothing_can_be_kept() -> None:
    maps._drawing.cache_clear()
    assert maps.drawing("don42", "short-game", Path("/proc/no/such")).svg.startswith(b"<svg")
