"""Programs think in worker processes. A worker gets what the program's side may know, and gives back one action."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import structlog

from kessel.bots import levels, player
from kessel.core import snapshot
from kessel.core.dice import Dice
from kessel.core.errors import BadInput, KesselError
from kessel.core.game import Game
from kessel.core.pack import Pack
from kessel.core.procedure import options
from kessel.core.title import title
from kessel.table.room import Room, Rooms
from kessel.table.store import StoreFailed

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Task:
    """One decision to be made by a program."""

    game: str
    scenario: str
    options: tuple[tuple[str, str], ...]
    board: dict[str, Any] = field(hash=False)
    side: int = 0
    level: str = "random"
    seed: int = 0


@lru_cache(maxsize=8)
def _fresh(game: str, scenario: str, opts: tuple[tuple[str, str], ...]) -> Game:
    return Game.new(game, scenario, seed=0, options=dict(opts), pack=Pack(game))


def decide(task: Task) -> tuple[str, str]:
    """The action's text and what it was meant for. Runs in a worker."""
    t = title(task.game)
    g = snapshot.load(task.board, _fresh(task.game, task.scenario, task.options).board, t.procedures)
    g.dice = Dice(task.seed)
    program = player(task.game, task.level, task.seed)
    action = program.choose(t, g.copy(), task.side)
    return t.notation.text(g, action), program.reason


def task_of(room: Room) -> Task:
    game, side = room.game, room.game.side
    known = game.title.known_to(game.board, side)
    seat = room.program
    return Task(
        game.title.id,
        game.scenario,
        tuple(sorted(game.options.items())),
        snapshot.save(known),
        side,
        seat.level if seat is not None else "random",
        game.version,
    )


class Thinkers:
    """Lets programs decide wherever one is asked, one table after the other in each worker."""

    def __init__(self, rooms: Rooms, *, workers: int = 1, turn_seconds: float = 60.0) -> None:
        self.rooms = rooms
        self.turn_seconds = turn_seconds
        self._pool: ProcessPoolExecutor | None = None
        self._workers = workers
        self._running: dict[str, asyncio.Task[None]] = {}

    def start(self) -> None:
        self._pool = ProcessPoolExecutor(self._workers, mp_context=multiprocessing.get_context("spawn"))
        for row in self.rooms.store.listing():
            seat = next((s for s in row["seats"] if s["side"] == row["asked"]), None)
            if seat is not None and seat["kind"] == "program" and not row["outcome"]:
                self.wake(row["id"])

    async def stop(self) -> None:
        for task in self._running.values():
            task.cancel()
        await asyncio.gather(*self._running.values(), return_exceptions=True)
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)

    def wake(self, table_id: str) -> None:
        """Call after every change: if a program must decide now, it begins to think."""
        if table_id not in self._running and self._pool is not None:
            task = asyncio.get_running_loop().create_task(self._think(table_id))
            self._running[table_id] = task
            task.add_done_callback(lambda _: self._running.pop(table_id, None))

    async def suggest(self, room: Room) -> tuple[str, str]:
        """What the best program would do now for the side that is asked, and what for."""
        task = replace(task_of(room), level=levels(room.game.title.id)[-1])
        try:
            return await asyncio.wait_for(asyncio.get_running_loop().run_in_executor(self._pool, decide, task), 20)
        except (TimeoutError, BrokenProcessPool):
            raise BadInput("the program found nothing to suggest in time") from None

    async def _think(self, table_id: str) -> None:
        begun, asked = time.monotonic(), ""
        while True:
            try:
                room = self.rooms.open(table_id)
                if room.program is None:
                    return
                if room.asked != asked:
                    begun, asked = time.monotonic(), room.asked
                await self._one(room, self.turn_seconds - (time.monotonic() - begun))
            except StoreFailed as e:
                log.warning("program waits for the store", table=table_id, error=str(e))
                await asyncio.sleep(2)
            except KesselError as e:
                log.error("program failed", table=table_id, error=str(e))
                return

    async def _one(self, room: Room, seconds: float) -> None:
        version, side = room.game.version, room.asked
        text = ""
        if seconds > 0:
            loop = asyncio.get_running_loop()
            with contextlib.suppress(TimeoutError):
                try:
                    text, _ = await asyncio.wait_for(loop.run_in_executor(self._pool, decide, task_of(room)), seconds)
                except BrokenProcessPool:
                    self._pool = ProcessPoolExecutor(self._workers, mp_context=multiprocessing.get_context("spawn"))
                    return
        async with room.lock:
            if room.game.version != version:
                return
            if not text:
                found = options(room.game.board)
                text = room.game.text(found.fixed[0] if found.fixed else next(iter(found)))
            self.rooms.act(room, side, version, f"program-{version}", text)
        await asyncio.sleep(0)
