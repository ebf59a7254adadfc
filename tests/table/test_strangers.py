"""A server strangers may reach: limits by address, expiry, the administrator, odd input, slow clients, its log."""

from __future__ import annotations

import gc
import json
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.types import Scope
from starlette.websockets import WebSocketDisconnect

from kessel.core.board import Board
from kessel.core.game import Game
from kessel.table.addresses import address_of, sender
from kessel.table.app import make_app
from kessel.table.guard import MOST_KNOWN, Pace
from kessel.table.notify import Notifying
from kessel.table.remote import Remote
from kessel.table.schema import TABLES
from kessel.table.store import open_store
from kessel.table.tidy import tidy_up
from tests.table.mischief import BODY, HALF, HEADERS, ODD_BYTES, ODD_VALUES, is_open
from tests.table.people import GAME, Seat, make, new_table, play, server, settings

FIRST, SECOND = (GAME.sides[i] for i in GAME.played)
KEY = "a key of the administrator"
HERE = Path(__file__).parents[2]


@contextmanager
def strangers(folder: Path, address: str = "203.0.113.1", **changes: Any) -> Iterator[TestClient]:
    """A shared server, and somebody elsewhere."""
    app = make_app(open_store(f"sqlite:///{folder}/tables.db"), settings(one_person=False, **changes))
    with TestClient(app, client=(address, 1234)) as found:
        yield found


def statuses(client: TestClient, n: int, **headers: str) -> list[int]:
    return [client.post("/api/v1/tables", json=BODY, headers=headers).status_code for _ in range(n)]


# --- limits by address ----------------------------------------------------------------------------------------------


def test_one_address_cannot_fill_the_server(tmp_path: Path) -> None:
    with strangers(tmp_path, tables_an_address=3, tables_a_minute=100) as client:
        assert statuses(client, 5) == [201, 201, 201, 429, 429]
        elsewhere = TestClient(client.app, client=("203.0.113.2", 1))
        assert statuses(elsewhere, 1) == [201], "others are not concerned"
    with strangers(tmp_path, tables_an_address=3, tables_a_minute=100) as client:
        assert statuses(client, 1) == [429], "also after the server was started anew"
    kept = b"".join(p.read_bytes() for p in tmp_path.iterdir())
    assert b"203.0.113" not in kept, "no address is kept"


def test_new_tables_of_one_address_are_counted_by_the_minute(tmp_path: Path) -> None:
    with strangers(tmp_path, tables_a_minute=2) as client:
        assert statuses(client, 4) == [201, 201, 429, 429]
        assert statuses(TestClient(client.app, client=("203.0.113.2", 1)), 1) == [201]


def scope(peer: str, *forwarded: str) -> Scope:
    return {"type": "http", "client": (peer, 1), "headers": [(b"x-forwarded-for", x.encode()) for x in forwarded]}


@pytest.mark.parametrize(
    ("peer", "told", "proxies", "found"),
    [
        ("10.0.0.1", ["198.51.100.7"], (), "10.0.0.1"),
        ("127.0.0.1", ["198.51.100.7"], (), "127.0.0.1"),
        ("10.0.0.1", ["198.51.100.7"], ("10.0.0.1",), "198.51.100.7"),
        ("10.0.0.2", ["198.51.100.7"], ("10.0.0.1",), "10.0.0.2"),
        ("10.0.0.1", ["1.1.1.1, 198.51.100.7"], ("10.0.0.1",), "198.51.100.7"),
        ("10.0.0.1", ["198.51.100.7, 10.0.0.9"], ("10.0.0.0/8",), "198.51.100.7"),
        ("10.0.0.1", ["1.1.1.1", "198.51.100.7"], ("10.0.0.1",), "198.51.100.7"),
        ("10.0.0.1", ["nonsense"], ("10.0.0.1",), "10.0.0.1"),
        ("10.0.0.1", [], ("10.0.0.1",), "10.0.0.1"),
        ("::1", ["2001:db8::7"], ("::1",), "2001:db8::7"),
    ],
)
def test_forwarded_addresses_count_only_from_a_proxy_that_is_named(
    peer: str, told: list[str], proxies: tuple[str, ...], found: str
) -> None:
    assert sender(scope(peer, *told), proxies) == found


def test_a_client_cannot_choose_its_address(tmp_path: Path) -> None:
    with strangers(tmp_path, tables_a_minute=2, tables_an_address=2) as client:
        many = [statuses(client, 1, **{"X-Forwarded-For": f"198.51.100.{n}"})[0] for n in range(4)]
        assert many == [201, 201, 429, 429]
    with strangers(tmp_path, "10.0.0.1", tables_a_minute=2, proxies=("10.0.0.1",)) as client:
        many = [statuses(client, 1, **{"X-Forwarded-For": f"198.51.100.{n}"})[0] for n in range(4)]
        assert many == [201] * 4


def test_a_network_of_ipv6_is_one_address() -> None:
    assert address_of(scope("2001:db8::1")) == address_of(scope("2001:db8::ffff")) != address_of(scope("2001:db9::1"))


def test_very_many_addresses_are_not_all_remembered() -> None:
    pace = Pace(2)
    for n in range(MOST_KNOWN + 500):
        assert pace.allows(str(n))
    assert len(pace._left) == MOST_KNOWN


# --- tidying --------------------------------------------------------------------------------------------------------


def test_tables_nobody_played_are_thrown_away(tmp_path: Path) -> None:
    with strangers(tmp_path, tables_a_minute=100, unplayed_hours=1) as client:
        rooms, config = client.app.state.rooms, settings(one_person=False, unplayed_hours=1)  # type: ignore[attr-defined]
        _, played = new_table(client, seed=None)
        play(played, 1)
        branch = played["watch"]  # a table that goes on from an earlier one is not played by that
        idle, waiting = new_table(client, seed=None)[0], make(client, entropy="ab" * 16, **{SECOND: "open"})["id"]
        with rooms.store.engine.begin() as db:
            db.execute(TABLES.update().values(updated=time.time() - 7200))
        fresh = new_table(client, seed=None)[0]
        assert client.portal is not None
        client.portal.call(tidy_up, rooms, config)
        assert {t["id"] for t in client.get("/api/v1/tables").json()} == {branch.table, fresh}
        for gone in (idle, waiting):
            assert Seat(client, gone, "x").get("view").status_code == 404
        play(played, 1)
    with server(tmp_path) as own:
        rooms = own.app.state.rooms  # type: ignore[attr-defined]
        with rooms.store.engine.begin() as db:
            db.execute(TABLES.update().values(updated=0))
        assert own.portal is not None
        own.portal.call(tidy_up, rooms, settings(unplayed_hours=1))
        assert len(own.get("/api/v1/tables").json()) == 2, "on one's own machine nothing is thrown away"


def test_boards_of_idle_tables_leave_the_memory(client: TestClient) -> None:
    rooms = client.app.state.rooms  # type: ignore[attr-defined]
    tables = [new_table(client) for _ in range(3)]
    token = tables[0][1]["watch"].headers["Authorization"].removeprefix("Bearer ")
    with client.websocket_connect(f"/api/v1/tables/{tables[0][0]}/live") as socket:
        socket.send_json({"token": token})
        socket.receive_json()
        assert rooms.release(60) == 0
        assert rooms.release(-1) == 2
        assert [rooms.is_open(t) for t, _ in tables] == [True, False, False], "one is looked at"
    for _, seats in tables:
        play(seats, 2)


def boards() -> int:
    """How many games and boards are in memory."""
    gc.collect()
    return sum(isinstance(x, Game | Board) for x in gc.get_objects())


def resident() -> int:
    """What the whole process has in memory now, or, where that cannot be read, has ever had."""
    gc.collect()
    if (told := Path("/proc/self/statm")).exists():
        return int(told.read_text().split()[1]) * resource.getpagesize()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def creations(folder: Path, warm: int, many: int, memory: Callable[[], int]) -> int:
    """Make tables; how much more is in memory after them."""
    changes = {"tables_an_address": 10**6, "tables_a_minute": 10**9, "most_tables": 10**6, "most_open": 8}
    with strangers(folder, **changes) as client:
        assert set(statuses(client, warm)) == {201}
        before = memory()
        assert set(statuses(client, many)) == {201}
        grown = memory() - before
        rooms = client.app.state.rooms  # type: ignore[attr-defined]
        assert len(rooms._open) == 8
        assert (len(rooms._opening), len(rooms.listeners), len(rooms._tasks)) == (0, 0, 0)
    return grown


def test_twenty_creations_leave_nothing_in_memory(tmp_path: Path) -> None:
    assert creations(tmp_path, 9, 20, boards) <= 0


@pytest.mark.slow
def test_ten_thousand_creations_leave_nothing_in_memory(tmp_path: Path) -> None:
    grown = creations(tmp_path, 300, 10_000, resident)
    print(f"\n{grown / 1e6:.1f} MB more after 10,000 tables")
    assert grown < 60_000_000


# --- the administrator ----------------------------------------------------------------------------------------------


def test_the_administrator_lists_and_removes_tables(tmp_path: Path) -> None:
    with strangers(tmp_path, admin=KEY) as client:
        table, seats = new_table(client, seed=None)
        play(seats, 1)
        other = new_table(TestClient(client.app, client=("203.0.113.2", 1)), seed=None)[0]
        headers = {"Authorization": f"Bearer {KEY}"}
        rows = {r["id"]: r for r in client.get("/api/v1/admin/tables", headers=headers).json()}
        assert [rows[x]["played"] for x in (table, other)] == [True, False]
        assert rows[table]["made_by"] != rows[other]["made_by"]
        assert all(r["in_memory"] for r in rows.values())
        wrong: list[dict[str, str]] = [{}, {"Authorization": "Bearer guess"}, seats[FIRST].headers]
        for attempt in wrong:
            assert client.get("/api/v1/admin/tables", headers=attempt).status_code == 403
            assert client.delete(f"/api/v1/tables/{table}", headers=attempt).status_code == 403
        assert client.delete(f"/api/v1/tables/{table}", headers=headers).status_code == 200
        assert client.delete(f"/api/v1/tables/{table}", headers=headers).status_code == 404
        assert seats["watch"].get("view").status_code == 404
    with strangers(tmp_path) as client:
        for attempt in ({}, {"Authorization": "Bearer "}, headers):
            assert client.get("/api/v1/admin/tables", headers=attempt).status_code == 403, "nobody is administrator"


# --- odd input ------------------------------------------------------------------------------------------------------

ODD_PATHS = (
    "/" + "a" * 300,
    "/" + "a/" * 3000,
    "/%ff",
    "/%00",
    "/assets/%2e%2e/x",
    "/api/v1/games/%ff/map.svg",
    "/api/v1/games/don42/map.svg?scenario=%00",
    "/api/v1/games/don42/rules/%ed%a0%80",
    "/api/v1/tables/TABLE/at/" + "9" * 5000,
    "/api/v1/tables/TABLE/log?since=" + "9" * 5000,
    "/api/v1/tables/%ff/view",
)
ODD_BODIES = (
    b"",
    b"\xff",
    b"[" * 100_000,
    b'{"a":' * 3000 + b"1" + b"}" * 3000,
    b'{"\\ud800":1}',
    b'{"question":"\\ud800"}',
    b'{"question":"moves","unit":"\\ud800"}',
    b'{"question": NaN}',
    b'{"question": ' + b"9" * 4000 + b"}",
    b'{"question": ' + b"9" * 5000 + b"}",
    b'{"do":"\\ud800"}',
    b'{"webhook":"http://["}',
    b'{"webhook":"http://a:b"}',
    b'{"webhook":"http://a\\nb"}',
    b'{"mail":"\\ud800@x"}',
    b'{"recovery":"\\ud800"}',
    b'{"entropy":"\\ud800"}',
    b'{"at":99999999999999999999}',
    b'{"version":0,"id":"x","do":"\\u0000"}',
    b'{"pieces":[{"id":"\\ud800","side":"a","place":"b"}]}',
    b'{"pieces":[{"id":"a","side":"a","place":"b","full_steps":1000000000,"steps":99999999999999999999}]}',
    b'{"game":"../..","scenario":"\\u0000"}',
    b'{"lesson":"\\ud800"}',
    b'{"lesson":"../../x"}',
    b'{"record":"\\ud800"}',
    b'{"record":"{\\"kessel\\":1}"}',
    b'{"units":["\\ud800"],"to":"\\ud800"}',
    b'{"units":["x","x"],"to":"\\u0000"}',
    b'{"version":0,"id":"x","do":["\\ud800","pass"]}',
    b'{"version":99999999999999999999,"id":"x","do":["pass"]}',
    b'{"version":0,"do":"try"}',
    b'{"version":-1,"do":"back"}',
    b'{"number":99999999999999999999}',
    b'{"number":-5}',
    b'{"name":"\\ud800"}',
    b'{"name":"\\u202e\\u0000"}',
    b'{"text":"\\ud800"}',
    b'{"text":"\\u0000\\u202e","note":true}',
    b'{"to":0}',
    b'{"to":2147483647}',
    b'{"n":1,"allow":true}',
)


def test_no_input_gives_a_server_error(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with server(tmp_path, notify=Notifying(webhooks=True, anywhere=True)) as client:
        table, seats = new_table(client)
        seat = seats[FIRST]
        answers = [client.get(p.replace("TABLE", table), headers=seat.headers) for p in ODD_PATHS]
        for name in HEADERS:
            for value in (*(v.encode() for v in ODD_VALUES), *ODD_BYTES):
                odd = [(name.encode(), value)]
                answers.append(client.get("/api/v1/tables", headers=odd))
                why = f"/api/v1/tables/{table}/why"
                answers.append(client.post(why, headers=[*odd, *as_bytes(seat.headers)], content=b'{"do":"x"}'))
        routes = [r for r in client.app.routes if "POST" in getattr(r, "methods", ())]  # type: ignore[attr-defined]
        posted = [r.path.replace("{table_id}", table) for r in routes if not r.path.endswith("/hint")]
        assert len(posted) > 20, "every call that takes a body"
        for body in ODD_BODIES:
            answers += [client.post(path, headers=seat.headers, content=body) for path in posted]
        assert [(a.request.url, a.text) for a in answers if a.status_code >= 500] == []
        for a in answers:
            if a.status_code >= 400 and a.request.url.path.startswith("/api"):
                assert set(a.json()) >= {"error", "rule"}
        assert client.get("/api/v1/tables", headers={"Origin": "http://["}).status_code == 403
        assert client.get("/api/v1/tables", headers={"Origin": "http://testserver"}).status_code == 200
        with (
            pytest.raises(WebSocketDisconnect),
            client.websocket_connect(f"/api/v1/tables/{table}/live", headers={"Origin": "http://["}) as socket,
        ):
            socket.receive_json()


def as_bytes(headers: dict[str, str]) -> list[tuple[bytes, bytes]]:
    return [(k.encode(), v.encode()) for k, v in headers.items()]


def test_what_nobody_thought_of_is_one_sentence_and_one_line_of_the_log(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: Any) -> None:
        raise ZeroDivisionError("two\nlines")

    monkeypatch.setattr("kessel.table.store.Store.listing", broken)
    answer = client.get("/api/v1/tables")
    assert answer.status_code == 500
    assert answer.json()["error"] == "something went wrong on the server; it has been logged"
    assert "default-src" in answer.headers["Content-Security-Policy"]


def test_counters_cannot_break_out_of_their_quotes(client: TestClient) -> None:
    sharp = 'x" onload="alert(1)"><script>\x01'
    piece = {"id": sharp, "side": sharp, "place": "1010", "name": sharp, "kind": sharp, "size": sharp, "values": sharp}
    piece |= {"nation": sharp, "dot": sharp, "formation": sharp}
    svg = client.post("/api/v1/counters", json={"pieces": [piece | {"status": [sharp]}]}).json()["svgs"][0]
    assert "<script" not in svg
    from xml.etree import ElementTree

    drawn = ElementTree.fromstring(svg)
    assert drawn.attrib == {"class": "counter", "data-piece": sharp.removesuffix("\x01")}
    assert not any("onload" in e.attrib for e in drawn.iter())


# --- the log --------------------------------------------------------------------------------------------------------

NOISE = """
import logging, threading, warnings
from kessel.table.serve import set_up_log
set_up_log("info")
import structlog
logging.getLogger("uvicorn.error").error('a "quoted" word\\nand a second line')
try:
    1 / 0
except ZeroDivisionError:
    logging.getLogger("asyncio").exception("failed")
    structlog.get_logger().exception("failed too")
warnings.warn("careful")
thread = threading.Thread(target=lambda: 1 / 0)
thread.start()
thread.join()

class Odd:
    def __del__(self):
        raise ValueError("while cleaning up")

Odd()
"""


def test_every_line_of_the_log_is_json() -> None:
    done = subprocess.run([sys.executable, "-c", NOISE], capture_output=True, text=True, check=True, timeout=60)
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    assert len(lines) == 6
    assert lines[0]["event"] == 'a "quoted" word\nand a second line'
    assert sum("ZeroDivisionError" in x.get("exception", "") for x in lines) == 3
    assert all({"event", "level", "timestamp"} <= set(x) for x in lines)


# --- a server on a real port ----------------------------------------------------------------------------------------

SERVE = """
import sys
from pathlib import Path
from kessel.table.serve import Place, run
from kessel.table.settings import Settings
more = {"one_person": False, **eval(sys.argv[2])}
run(Place(port=0, data=Path(sys.argv[1]), settings=Settings(**more)), lambda at: print(at, flush=True))
"""


class Running:
    def __init__(self, folder: Path, **changes: Any) -> None:
        self.log = folder / "log.jsonl"
        with self.log.open("wb") as err:
            command = [sys.executable, "-c", SERVE, str(folder / "data"), repr(changes)]
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=err, text=True)
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().strip()
        assert self.address, self.log.read_text()
        self.port = int(self.address.rpartition(":")[2])

    def connected(self, source: str = "127.0.0.1") -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=10, source_address=(source, 0))

    def end(self) -> None:
        assert self.process.stdout is not None
        self.process.terminate()
        self.process.wait(20)
        self.process.stdout.close()


@contextmanager
def running(folder: Path, **changes: Any) -> Iterator[Running]:
    found = Running(folder, **changes)
    try:
        yield found
    finally:
        found.end()


def closed_after(s: socket.socket, drip: bytes, most: float) -> float:
    """How long the server keeps a connection over which hardly anything comes."""
    begun = time.monotonic()
    s.settimeout(0.1)
    while time.monotonic() - begun < most:
        try:
            if drip:
                s.sendall(drip)
            if s.recv(65536) == b"":
                return time.monotonic() - begun
        except TimeoutError:
            continue
        except OSError:
            return time.monotonic() - begun
    return most


def test_half_sent_requests_do_not_stay(tmp_path: Path) -> None:
    with running(tmp_path, head_seconds=1.0, body_seconds=1.5) as found:
        took: dict[tuple[str, bytes], float] = {}

        def wait(what: str, drip: bytes) -> None:
            with found.connected() as s:
                s.sendall(HALF[what])
                took[what, drip] = closed_after(s, drip, 12)

        threads = [threading.Thread(target=wait, args=(what, drip)) for what in HALF for drip in (b"", b"x")]
        for t in threads:
            t.start()
        remote = Remote(found.address)
        while any(t.is_alive() for t in threads):
            remote.call("/tables")
            time.sleep(0.1)
        assert len(took) == len(threads)
        assert max(took.values()) < 9, took
        made = remote.call("/tables", {**BODY, "seats": {SECOND: "program:random"}})
        views = Remote(found.address, made["id"], made["watch"]).views()
        next(views)
        time.sleep(2)  # who is seated is not cut off
        assert next(iter(Remote(found.address, made["id"], made["watch"]).views())).game == GAME.id


def test_one_address_has_so_many_connections_and_no_more(tmp_path: Path) -> None:
    with running(tmp_path, connections_an_address=20) as found:
        mine = [found.connected("127.0.9.1") for _ in range(30)]
        time.sleep(0.5)
        assert sum(is_open(s) for s in mine) == 20
        assert Remote(found.address).call("/server")["api"] == 1, "others are answered"
        for s in mine:
            s.close()
        time.sleep(0.5)
        with found.connected("127.0.9.1") as s:
            s.sendall(b"GET /api/v1/server HTTP/1.1\r\nHost: x\r\n\r\n")
            assert s.recv(100).startswith(b"HTTP/1.1 200"), "who has closed some may open others"
        made = Remote(found.address).call("/tables", BODY)
        live = [Remote(found.address, made["id"], made["watch"]).views() for _ in range(25)]
        assert {next(views).game for views in live} == {GAME.id}, "live connections have a limit of their own"
    with running(tmp_path, connections_an_address=20, proxies=("127.0.0.0/24",)) as found:
        mine = [found.connected() for _ in range(30)]
        time.sleep(0.5)
        assert sum(is_open(s) for s in mine) == 30, "a proxy speaks for many"
        for s in mine:
            s.close()


def test_who_comes_while_the_server_is_busy_waits_in_line(tmp_path: Path) -> None:
    """New connections are taken a few at a time, so that those that are open have their turn; no more than the line
    of those who wait is long have to come again."""
    with running(tmp_path) as found:
        found.process.send_signal(signal.SIGSTOP)
        waiting = [found.connected() for _ in range(300)]
        for s in waiting:
            s.sendall(b"GET /api/v1/server HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        found.process.send_signal(signal.SIGCONT)
        for s in waiting:
            with s:
                s.settimeout(60)
                assert s.recv(100).startswith(b"HTTP/1.1 200")


def test_who_does_not_take_the_answer_is_cut_off(tmp_path: Path) -> None:
    ask = b"GET /api/v1/games/stalingrad42/map.svg HTTP/1.1\r\nHost: x\r\n\r\n"
    with running(tmp_path, body_seconds=1.0) as found, socket.socket() as s:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        s.settimeout(60)
        s.connect(("127.0.0.1", found.port))
        s.sendall(ask)
        first = s.recv(1000)
        length = int(first.lower().partition(b"content-length: ")[2].split()[0])
        s.sendall(ask * 20)  # more than the system itself holds for somebody
        time.sleep(4)
        got = len(first)
        try:
            while more := s.recv(1 << 20):
                got += len(more)
        except OSError:
            pass
        assert got < 20 * length


def test_garbage_on_the_wire_leaves_a_log_of_json(tmp_path: Path) -> None:
    with running(tmp_path, head_seconds=1.0) as found:
        garbage = [
            b"\x00\xff\r\n\r\n",
            b"GET / HTTP/9.9\r\n\r\n",
            b"GET /%ff\xff HTTP/1.1\r\nHost: x\r\n\r\n",
            b"GET / HTTP/1.1\r\nHost: x\r\nOrigin: http://[\r\nConnection: close\r\n\r\n",
            b"POST /api/v1/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999999999\r\n\r\n",
            b"POST /api/v1/tables HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
            b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 40_000 + b"\r\n",
            b"GET /api/v1/tables/x/live HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
        ]
        for raw in garbage:
            with found.connected() as s:
                try:
                    s.sendall(raw)
                    s.shutdown(socket.SHUT_WR)
                    answer = s.recv(1000)
                except OSError:
                    answer = b""
                assert not answer.startswith(b"HTTP/1.1 5"), (raw[:60], answer)
        assert Remote(found.address).call("/server")["api"] == 1
    lines = [json.loads(line) for line in found.log.read_text().splitlines()]
    assert not any("exception" in x for x in lines), [x for x in lines if "exception" in x]


def a_table(at: str) -> tuple[Remote, dict[str, Remote]]:
    made = Remote(at).call("/tables", BODY)
    seats = {side: Remote(at, made["id"], token) for side, token in made["tokens"].items()}
    return Remote(at, made["id"], made["watch"]), seats


def answered(at: str, seconds: float) -> list[tuple[float, float]]:
    """When the requests of two honest players are sent, and how long they take: they look, and they act."""
    watch, seats = a_table(at)
    took: list[tuple[float, float]] = []
    started = time.monotonic()

    def timed(call: Callable[[], Any]) -> Any:
        begun = time.monotonic()
        found = call()
        took.append((begun - started, time.monotonic() - begun))
        return found

    while time.monotonic() < started + seconds:
        question = timed(watch.view).question
        if question is None:
            watch, seats = a_table(at)
            continue
        seat = seats[question.side]
        now = timed(seat.view)
        timed(partial(seat.act, now.question.choices[0].text, now.version))
        time.sleep(0.05)
    return took


def p95(took: list[tuple[float, float]], since: float = 0.0, until: float = 1e9) -> float:
    some = sorted(t for at, t in took if since <= at < until)
    return some[int(len(some) * 0.95)] if some else 0.0


@pytest.mark.slow
def test_others_are_answered_at_once_while_strangers_misbehave(tmp_path: Path) -> None:
    """Two floods of creations, 1,500 half-sent requests at once and more after them, odd headers: in every ten seconds
    95 of 100 answers to others come within 200 ms; or, on a machine that is busy otherwise, within twice what a server
    takes that is let alone meanwhile."""
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    with running(tmp_path / "one") as found, running(tmp_path / "two") as alone, ThreadPoolExecutor(2) as pool:
        command = [sys.executable, "-m", "tests.table.mischief", str(found.port), "60"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=HERE) as others:
            both = [pool.submit(answered, x.address, 60) for x in (found, alone)]
            took, quiet = (x.result() for x in both)
            counted = json.loads(others.communicate()[0])
    worst, usual = (max(p95(x, t, t + 10) for t in range(0, 60, 10)) for x in (took, quiet))
    print(f"\n{counted}; {len(took)} requests, the longest {max(t for _, t in took) * 1e3:.0f} ms")
    print(f"p95 {p95(took) * 1e3:.0f} ms, of the worst ten seconds {worst * 1e3:.0f}")
    print(f"of the server let alone {p95(quiet) * 1e3:.0f} and {usual * 1e3:.0f} ms in {len(quiet)} requests")
    assert worst < max(0.2, 2 * usual)
    assert counted["half sent"] >= 1500
    assert counted["created"] > 0
    assert counted["refused"] > 0
    assert counted["odd"] > 0
    assert counted["errors"] == 0


def test_the_server_tidies_by_itself(tmp_path: Path) -> None:
    with server(tmp_path, idle_seconds=0.05) as client:
        table, seats = new_table(client)
        rooms = client.app.state.rooms  # type: ignore[attr-defined]
        until = time.monotonic() + 10
        while rooms.is_open(table):
            assert time.monotonic() < until
            time.sleep(0.02)
        play(seats, 1)
