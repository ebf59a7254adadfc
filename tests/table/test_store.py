"""The store: full disks, read-only databases, lost connections, PostgreSQL. Nothing that was acknowledged is lost."""

from __future__ import annotations

import asyncio
import contextlib
import os
import pwd
import shutil
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import event
from sqlalchemy.exc import OperationalError

from kessel.core.record import Header, Line, Record
from kessel.table.app import make_app
from kessel.table.rooms import Rooms
from kessel.table.schema import ABOUT, ADDED
from kessel.table.seats import PERSON, Seat
from kessel.table.store import Change, Stale, Store, StoreFailed, open_store
from tests.table.people import asked, ids, new_table, play, server, settings


def a_table(store: Store) -> str:
    record = Record(Header(1, "don42", "crossing-the-don", "pack", "commitment"))
    store.create("t", record, {"axis": Seat("axis", PERSON)}, turn="1", asked="axis", snapshot=(0, {}))
    return "t"


def change(version: int, request: str, **more: Any) -> Change:
    return Change("t", version, "axis", request, Line("axis", "pass"), [], "axis", "", **more)


@pytest.fixture(params=[False, True], ids=["quick", "fsync"])
def store(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Store]:
    found = open_store(f"sqlite:///{tmp_path}/tables.db", fsync=request.param)
    yield found
    found.close()


def check_changes(store: Store) -> None:
    """Versions are compared and set in one transaction, alone or together with others."""
    a_table(store)
    assert store.accept([change(0, "a")]) == [None]
    answers = store.accept([change(1, "b"), change(1, "c"), change(2, "d"), change(7, "e")])
    assert [type(a) for a in answers] == [type(None), Stale, type(None), Stale]
    again = store.accept([change(3, "d"), change(3, "f")])
    assert [type(a) for a in again] == [Stale, type(None)], "an id is accepted once"
    kept = store.load("t")
    assert kept is not None
    assert [r for r, _ in sorted(kept.requests.items(), key=lambda x: x[1])] == [
        ("axis", "a"),
        ("axis", "b"),
        ("axis", "d"),
        ("axis", "f"),
    ]
    assert len(kept.record.lines) == 4
    assert store.listing()[0]["version"] == 4
    store.delete("t")
    assert store.load("t") is None
    assert store.count() == 0


def test_changes(store: Store) -> None:
    check_changes(store)


def test_what_the_driver_says_is_for_the_log_alone(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    told = 'connection to server at "10.1.2.3", port 5432 failed: Connection refused'

    def fails(*_: Any) -> None:
        raise OperationalError("select", {}, Exception(told))

    monkeypatch.setattr(store.engine, "connect", fails)
    with pytest.raises(StoreFailed) as failed:
        store.listing()
    assert str(failed.value) == "the tables cannot be read: the database does not answer as it should"
    assert failed.value.detail == told
    with pytest.raises(StoreFailed) as failed:
        open_store("postgresql://kessel:secret@127.0.0.1:1/none")
    for word in ("127.0.0.1", "port", "secret", " 1 "):
        assert word not in str(failed.value)


@pytest.mark.parametrize("older", [1, 2])
def test_a_database_of_an_older_format_is_brought_up_to_date(tmp_path: Path, older: int) -> None:
    with server(tmp_path) as client:
        table, seats = new_table(client)
        play(seats, 3)
    with contextlib.closing(sqlite3.connect(tmp_path / "tables.db")) as db, db:
        if older == 1:
            db.execute("DROP INDEX ix_tables_made_by")
            db.execute("DELETE FROM seats WHERE side = 'keeper'")
        for column in (c for n, columns in ADDED.items() if n > older for c in columns):
            db.execute(f"ALTER TABLE {column.table.name} DROP COLUMN {column.name}")
        db.execute(f"UPDATE about SET format = {older}")
    for _ in range(2):
        with server(tmp_path, one_person=False) as client:
            for seat in seats.values():
                seat.client = client
            recap = seats["soviet"].get("recap").json()
            assert recap["since"] == recap["until"], "what was never noted counts as seen"
            play(seats, 1)
            assert seats["watch"].table == table
            new_table(client, seed=None)


def test_many_tables_change_at_once(store: Store) -> None:
    """All changes are kept, each at its table, whether they wait for a disk together or not."""
    batches: list[int] = []
    accept = store.accept

    def counted(changes: Sequence[Change]) -> Any:
        batches.append(len(changes))
        return accept(changes)

    store.accept = counted  # type: ignore[method-assign]

    async def play_all() -> list[str]:
        rooms = Rooms(store)
        tables = [(await rooms.create("don42", "crossing-the-don", {}, {}, n))[0].id for n in range(6)]

        async def play_one(table: str) -> None:
            for n in range(8):
                async with rooms.entered(table) as room:
                    await rooms.act(room, room.asked, n, f"r{n}", room.game.legal_texts()[0])

        await asyncio.gather(*map(play_one, tables))
        await asyncio.gather(*rooms._tasks)
        rooms.writer.stop()
        return tables

    tables = asyncio.run(play_all())
    assert sum(batches) == 48
    assert (max(batches) > 1) == (not store.quick)
    for table in tables:
        kept = store.load(table)
        assert kept is not None
        assert len(kept.record.lines) == 8
    assert {row["version"] for row in store.listing()} == {8}


def test_old_snapshots_are_read_far_apart(store: Store) -> None:
    a_table(store)
    for n in range(40):
        assert store.accept([change(n, f"r{n}", snapshot=((n + 1) * 60, {"n": n}))]) == [None]
    kept = store.load("t")
    assert kept is not None
    assert max(kept.snapshots) == 2400
    assert len(kept.snapshots) == 11
    assert kept.snapshots[2400] == {"n": 39}


def test_a_database_of_another_format_is_refused(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/tables.db"
    store = open_store(url)
    with store.engine.begin() as db:
        db.execute(ABOUT.update().values(format=99))
    store.close()
    with pytest.raises(StoreFailed, match="format 99"):
        open_store(url)


@pytest.mark.parametrize("url", ["nonsense", "sqlite:////nowhere/at/all.db", "postgresql://127.0.0.1:1/none"])
def test_a_database_that_cannot_be_opened_is_one_sentence(url: str) -> None:
    pytest.importorskip("psycopg")
    with pytest.raises(StoreFailed) as e:
        open_store(url)
    assert "\n" not in str(e.value)


# --- no room, no right to write -------------------------------------------------------------------------------------


def check_refusal(client: TestClient, refuse: Callable[[], None], allow: Callable[[], None]) -> None:
    """While nothing can be written the game stands still, says why and shows itself; then it goes on."""
    table, seats = new_table(client)
    play(seats, 3)
    refuse()
    for _ in range(400):  # the last pages may have room for some more
        seat, view = asked(seats)
        log = seat.get("log").json()
        action = {"version": view["version"], "id": next(ids), "do": view["question"]["choices"][0]["text"]}
        answer = seat.post("actions", **action)
        if answer.status_code != 200:
            break
    for _ in range(3):
        assert answer.status_code == 503, answer.text
        assert "so it was not made" in answer.json()["error"]
        assert seat.view() == view
        assert seat.get("log").json() == log
        answer = seat.post("actions", **action)
    assert client.post("/api/v1/tables", json={"game": view["game"], "scenario": view["scenario"]}).status_code == 503
    with client.websocket_connect(f"/api/v1/tables/{table}/live") as socket:
        socket.send_json({"token": seat.headers["Authorization"].removeprefix("Bearer ")})
        assert socket.receive_json()["view"] == view
        socket.send_json({"act": action})
        assert "so it was not made" in socket.receive_json()["error"]
        allow()
        socket.send_json({"act": action})
        assert socket.receive_json().get("done", action["id"]) == action["id"]
    assert seat.post("actions", **action).status_code == 200
    assert len(seat.get("log").json()) == len(log) + 1
    play(seats, 3)


@pytest.mark.parametrize(
    ("refusing", "allowing"),
    [("max_page_count = 1", "max_page_count = 1000000"), ("query_only = ON", "query_only = OFF")],
    ids=["full", "read-only"],
)
def test_a_full_disk_and_a_read_only_database(tmp_path: Path, refusing: str, allowing: str) -> None:
    store = open_store(f"sqlite:///{tmp_path}/tables.db")
    now = allowing

    @event.listens_for(store.engine, "checkout")
    def limit(connection: Any, *_: Any) -> None:
        connection.execute(f"PRAGMA {now}").close()

    def become(pragma: str) -> None:
        nonlocal now
        now = pragma
        store._hang_up()  # the connection kept open for changes is checked out anew

    with TestClient(make_app(store, settings())) as client:
        check_refusal(client, lambda: become(refusing), lambda: become(allowing))


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)]
    if sys.platform != "linux" or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("a small disk can be made only by root on Linux")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_disk_that_is_really_full(small_disk: Path) -> None:
    filler = small_disk / "filler"

    def fill() -> None:
        with filler.open("wb", buffering=0) as f:
            for size in (4096, 1):
                with contextlib.suppress(OSError):
                    while f.write(b"x" * size):
                        pass

    with server(small_disk) as client:
        check_refusal(client, fill, filler.unlink)


def test_a_database_that_may_only_be_read(tmp_path: Path) -> None:
    with server(tmp_path) as writing:
        _, seats = new_table(writing)
        play(seats, 2)
        before = seats["watch"].view()
        read_only = open_store(f"sqlite:///file:{tmp_path}/tables.db?mode=ro&uri=true")
        with TestClient(make_app(read_only, settings())) as client:
            for s in seats.values():
                s.client = client
            assert seats["watch"].view() == before
            seat, view = asked(seats)
            answer = seat.act(view["question"]["choices"][0]["text"], view["version"])
            assert answer.status_code == 503
            assert "readonly" in answer.json()["error"]
            assert seats["watch"].view() == before


def test_another_process_on_the_same_database(tmp_path: Path) -> None:
    """Whoever comes late is refused with the newer view, and goes on from there."""
    with server(tmp_path) as one, server(tmp_path) as two:
        _, seats = new_table(one)
        play(seats, 2)
        seat, view = asked(seats)
        other = type(seat)(two, seat.table, seat.headers["Authorization"].removeprefix("Bearer "))
        assert other.view() == view
        choices = [c["text"] for c in view["question"]["choices"]]
        assert seat.act(choices[0], view["version"]).status_code == 200
        late = other.act(choices[-1], view["version"])
        assert late.status_code == 409
        assert other.view() == seat.view()
        assert len(other.get("log").json()) == 3


# --- PostgreSQL -----------------------------------------------------------------------------------------------------


class Postgres:
    """A server of the test's own, under a user that may run one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "data"
        self.user = "postgres" if os.geteuid() == 0 else None
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            self.port = s.getsockname()[1]
        if self.user is not None:
            for part in (folder, *folder.parents[:3]):
                part.chmod(0o755)
            shutil.chown(folder, self.user)
        self.run("initdb", "-D", str(self.folder), "-U", "kessel", "-A", "trust", "--no-sync")
        self.start()
        self.url = f"postgresql://kessel@127.0.0.1:{self.port}/postgres"

    def run(self, *command: str) -> None:
        done = subprocess.run(
            command, user=self.user, cwd="/", stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr

    def start(self) -> None:
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off"
        log = str(self.folder / "log.txt")
        self.run("pg_ctl", "-D", str(self.folder), "-w", "-l", log, "-o", options, "start")

    def stop(self) -> None:
        self.run("pg_ctl", "-D", str(self.folder), "-m", "immediate", "stop")


@pytest.fixture(scope="module")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    pytest.importorskip("psycopg")
    for command in ("initdb", "pg_ctl"):
        if shutil.which(command) is None:
            pytest.skip(f"PostgreSQL is not installed: there is no {command} on the path")
    if os.geteuid() == 0 and "postgres" not in {u.pw_name for u in pwd.getpwall()}:
        pytest.skip("PostgreSQL does not run as root, and there is no user postgres")
    found = Postgres(tmp_path_factory.mktemp("postgres"))
    yield found
    found.stop()


def test_postgres(postgres: Postgres) -> None:
    store = open_store(postgres.url)
    check_changes(store)
    store.close()


def test_a_table_in_postgres_survives_both_servers(postgres: Postgres) -> None:
    with TestClient(make_app(open_store(postgres.url), settings())) as client:
        table, seats = new_table(client)
        play(seats, 40)
        seat, view = asked(seats)
        postgres.stop()
        action = {"version": view["version"], "id": "over", "do": view["question"]["choices"][0]["text"]}
        refused = seat.post("actions", **action)
        assert refused.status_code == 503
        assert "\n" not in refused.json()["error"]
        postgres.start()
        assert seat.view() == view
        assert seat.post("actions", **action).status_code == 200
        before = {n: s.view() for n, s in seats.items()}
    with TestClient(make_app(open_store(postgres.url), settings())) as client:
        for n, s in seats.items():
            s.client = client
            assert s.view() == before[n]
        play(seats, 5)
        client.delete(f"/api/v1/tables/{table}")
