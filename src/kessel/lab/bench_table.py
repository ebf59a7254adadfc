"""Benchmarks of the table's server: a whole action's round trip beside a bare WebSocket echo in the same run.

A round trip begins when a client sends an action over its live connection and ends when the sockets of both seats
have heard of it: what was done, the dice, the events. In between the action is checked, carried out and committed to
the database. The time until both can draw the view after it, from what differs, is told as well.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import uvicorn
from fastapi import FastAPI, WebSocket, WebSocketDisconnect
from websockets.asyncio.client import ClientConnection, connect

from kessel.core.pack import Pack
from kessel.core.title import titles
from kessel.lab.bench_page import page_benchmarks
from kessel.table.remote import Remote
from kessel.table.rooms import Rooms
from kessel.table.serve import Place, run
from kessel.table.settings import Settings
from kessel.table.store import open_store

Found = dict[str, dict[str, Any]]
PREFERRED = ("stalingrad42", "don42")
GAMES = 100
LONG = 2000
UNLIMITED = 10**9


class _Choice(msgspec.Struct):
    text: str


class _Question(msgspec.Struct):
    side: str
    choices: list[_Choice] = []


class _View(msgspec.Struct):
    version: int
    question: _Question | None = None


class _Message(msgspec.Struct):
    view: _View | None = None
    difference: _View | None = None


# --- the servers ----------------------------------------------------------------------------------------------------


def _echo(port: int) -> None:
    app = FastAPI()

    @app.websocket("/echo")
    async def echo(s: WebSocket) -> None:
        await s.accept()
        with contextlib.suppress(WebSocketDisconnect):
            while True:
                await s.send_text(await s.receive_text())

    uvicorn.run(app, host="127.0.0.1", port=port, log_config=None, ws_per_message_deflate=False)


def _table(port: int, data: Path) -> None:
    settings = Settings(requests_a_minute=UNLIMITED, most_open=4 * GAMES)
    run(Place(port=port, data=data, settings=settings), lambda _: None, log_level="error")


@contextlib.contextmanager
def _server(kind: str, *args: str) -> Iterator[int]:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port: int = s.getsockname()[1]
    command = [sys.executable, "-m", "kessel.lab.bench_table", kind, str(port), *args]
    process = subprocess.Popen(command)
    try:
        _wait_for(port)
        yield port
    finally:
        process.kill()
        process.wait()


def _wait_for(port: int) -> None:
    for _ in range(300):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.1)
    raise OSError("a benchmarked server does not start")


# --- round trips ----------------------------------------------------------------------------------------------------


class Echo:
    """One client of the echo."""

    def __init__(self, port: int) -> None:
        self.port = port

    @contextlib.asynccontextmanager
    async def playing(self) -> AsyncIterator[Echo]:
        async with connect(f"ws://127.0.0.1:{self.port}/echo", compression=None) as self.socket:
            yield self

    async def round_trip(self) -> tuple[float, float]:
        begun = time.perf_counter()
        await self.socket.send('{"act": {"version": 0, "id": "r0", "do": "pass"}}')
        await self.socket.recv()
        took = time.perf_counter() - begun
        return took, took


class Table:
    """One game, played at random by two clients; a new one is begun when it is over."""

    def __init__(self, port: int, game: str, scenario: str, seed: int) -> None:
        self.base, self.game, self.scenario = f"127.0.0.1:{port}", game, scenario
        self.random = random.Random(seed)
        self.sockets: dict[str, ClientConnection] = {}
        self.views: dict[str, _View] = {}

    @contextlib.asynccontextmanager
    async def playing(self) -> AsyncIterator[Table]:
        async with contextlib.AsyncExitStack() as self.stack:
            await self._begin()
            yield self

    async def _begin(self) -> None:
        body = {"game": self.game, "scenario": self.scenario, "seed": self.random.randrange(10**6)}
        made = await asyncio.to_thread(Remote(f"http://{self.base}").call, "/tables", body)
        await self.stack.aclose()
        for side, token in made["tokens"].items():
            at = f"ws://{self.base}/api/v1/tables/{made['id']}/live"
            s = await self.stack.enter_async_context(connect(at, compression=None, max_size=None))
            await s.send(msgspec.json.encode({"token": token, "differences": True}).decode())
            self.sockets[side] = s
            self.views[side] = _decode(await s.recv())

    async def round_trip(self) -> tuple[float, float]:
        question = next(iter(self.views.values())).question
        if question is None:
            await self._begin()
            return await self.round_trip()
        mine = self.views[question.side]
        assert mine.question is not None
        do = self.random.choice(mine.question.choices).text
        act = {"version": mine.version, "id": f"r{mine.version}", "do": do}
        order = msgspec.json.encode({"act": act}).decode()
        begun = time.perf_counter()
        await self.sockets[question.side].send(order)
        got = await asyncio.gather(*(self._hear(s) for s in self.sockets.values()))
        self.views = {side: _decode(view) for side, (_, _, view) in zip(self.sockets, got, strict=True)}
        if any(v.version != mine.version + 1 for v in self.views.values()):
            raise AssertionError(f"{do!r} was not carried out once")
        return max(heard for heard, _, _ in got) - begun, max(seen for _, seen, _ in got) - begun

    async def _hear(self, s: ClientConnection) -> tuple[float, float, str | bytes]:
        """When the news came, when the view came, and the view."""
        heard = 0.0
        while True:
            message = await s.recv()
            if str(message[:8]) in ('{"view":', '{"differ'):
                seen = time.perf_counter()
                return heard or seen, seen, message
            if str(message[:8]) == '{"error"':
                raise AssertionError(f"refused: {str(message)[:200]}")
            if str(message[:10]) == '{"version"':
                heard = time.perf_counter()


def _decode(message: str | bytes) -> _View:
    doc = msgspec.json.decode(message, type=_Message)
    found = doc.view or doc.difference
    assert found is not None
    return found


async def _times(clients: Sequence[Echo | Table], each: int, pause: float = 0.0) -> list[tuple[float, float]]:
    """Round trips of all clients at once, to the news and to the view; `pause` seconds between two of one client."""
    found: list[tuple[float, float]] = []

    async def one(client: Echo | Table, late: float) -> None:
        async with client.playing():
            await client.round_trip()
            ready.release()
            await begin.wait()
            await asyncio.sleep(late * pause)
            for _ in range(each):
                found.append(await client.round_trip())
                if pause:
                    await asyncio.sleep(pause)

    ready, begin = asyncio.Semaphore(0), asyncio.Event()
    tasks = [asyncio.create_task(one(c, n / len(clients))) for n, c in enumerate(clients)]
    for _ in tasks:
        await ready.acquire()
    begin.set()
    await asyncio.gather(*tasks)
    return found


def p95(times: list[tuple[float, float]], which: int = 0) -> float:
    return sorted(t[which] for t in times)[int(len(times) * 0.95)] * 1e3


def _entry(times: list[tuple[float, float]], echo: float, what: str) -> dict[str, Any]:
    ours, view = p95(times), p95(times, 1)
    return {
        "value": round(ours, 2),
        "unit": "ms p95",
        "reference": round(echo, 2),
        "ratio": round(ours / echo, 2),
        "against": f"{what}; {round(view / echo, 1)} until the view",
    }


def scenario() -> tuple[str, str]:
    """Two sides, and a scenario that can be played now."""
    known = titles()
    game = next(g for g in PREFERRED if g in known and known[g].scenarios(Pack(g)))
    found = known[game].scenarios(Pack(game))
    return game, next((s for s in found if s.first), found[0]).id


def action_benchmarks(rounds: int = 6) -> Found:
    game, name = scenario()
    found: Found = {}
    with tempfile.TemporaryDirectory() as data, _server("echo") as echo, _server("table", data) as table:
        bare: list[tuple[float, float]] = []
        alone: list[tuple[float, float]] = []
        for n in range(rounds):  # in turns, so that a busy machine is unfair to neither
            bare += asyncio.run(_times([Echo(echo)], 300))
            alone += asyncio.run(_times([Table(table, game, name, n)], 100))
        found["table-action-1"] = _entry(alone, p95(bare), f"{game}: ours / bare echo, one game")
        paced = asyncio.run(_times([Table(table, game, name, n) for n in range(GAMES)], 8, pause=1.0))
        what = "ours / bare echo alone, 100 games with an action a second each"
        found["table-action-100"] = _entry(paced, p95(bare), what)
        echoes = asyncio.run(_times([Echo(echo) for _ in range(GAMES)], 60))
        flood = asyncio.run(_times([Table(table, game, name, n) for n in range(GAMES)], 12))
        found["table-flood-100"] = _entry(flood, p95(echoes), "ours / echo, 100 clients each that never pause")
    return found


# --- opening --------------------------------------------------------------------------------------------------------


async def _long_game(data: Path) -> tuple[str, float, float]:
    """Play a long game, then open it anew: its id, how long that takes, and how long to set a new game up."""
    game, name = "don42", "short-game"
    rng = random.Random(1)
    url = f"sqlite:///{data / 'long.db'}"
    rooms = Rooms(open_store(url))
    room = (await rooms.create(game, name, {}, {}, 1)).room
    async with rooms.entered(room.id):
        while room.game.version < LONG and not room.game.over:
            version = room.game.version
            await rooms.act(room, room.asked, version, f"r{version}", rng.choice(room.game.legal_texts()))
    await rooms.close()
    times, fresh = [], []
    for _ in range(5):
        again = Rooms(open_store(url))
        again.pack(game)
        begun = time.perf_counter()
        await again.create(game, name, {}, {}, 2)
        fresh.append(time.perf_counter() - begun)
        begun = time.perf_counter()
        async with again.entered(room.id) as opened:
            opened.view(opened.asked)
            if opened.game.version != room.game.version:
                raise AssertionError("the long game was not opened as it was kept")
        times.append(time.perf_counter() - begun)
        await again.close()
    return f"{game}, {room.game.version} actions", min(times) * 1e3, min(fresh) * 1e3


def open_benchmark() -> Found:
    with tempfile.TemporaryDirectory() as data:
        name, opened, fresh = asyncio.run(_long_game(Path(data)))
    entry = {"value": round(opened, 1), "unit": "ms", "reference": round(fresh, 1), "ratio": round(opened / fresh, 2)}
    return {"table-open-2000": {**entry, "against": f"{name}: opening it / making a new table"}}


def table_benchmarks(only: str) -> Found:
    found: Found = {}
    if any(only in name for name in ("table-action-1", "table-action-100", "table-flood-100")):
        found.update(action_benchmarks())
    if only in "table-open-2000":
        found.update(open_benchmark())
    if any(only in name for name in ("page-link", "page-click", "page-pan")):
        with tempfile.TemporaryDirectory() as data, _server("table", data) as port:
            found.update(page_benchmarks(port))
    return found


if __name__ == "__main__":
    if sys.argv[1] == "echo":
        _echo(int(sys.argv[2]))
    else:
        _table(int(sys.argv[2]), Path(sys.argv[3]))
