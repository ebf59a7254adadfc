"""Programs think in worker processes. A worker gets what the program's side may know, and gives back one action."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from typing import Any

import msgspec
import structlog

from kessel.bots import has_level, levels
from kessel.bots.advice import Advice
from kessel.bots.wanted import Wanted
from kessel.core import snapshot
from kessel.core.errors import BadInput, IllegalAction, KesselError
from kessel.core.procedure import options
from kessel.table.kinds import NoTable
from kessel.table.room import Room
from kessel.table.rooms import Rooms
from kessel.table.seats import PROGRAM
from kessel.table.store import StoreFailed
from kessel.table.worker import Decision, Task, Want

log = structlog.get_logger()
COMMAND = (sys.executable, "-m", "kessel.table.worker")
MOST_TASK = 4 << 20
HINT_SECONDS = 20.0
NOTHING = "the program found nothing to suggest"
MOST_PLANS = 500


def task_of(room: Room, seat: str) -> Task:
    """What the seat may know, as a board to think on."""
    game = room.game
    chances = game.board.dice.fork(game.version).seed
    return Task(
        game=game.title.id,
        scenario=game.scenario,
        options=game.options,
        pack=game.pack.digest,
        version=game.version,
        side=seat,
        board=snapshot.save(room.known(seat)),
        seed=int.from_bytes(chances[:6], "big"),
    )


class Worker:
    """One process that thinks. It is started when it is first needed and killed when it takes too long."""

    def __init__(self) -> None:
        self._process: Process | None = None
        self._listening: asyncio.Task[None] | None = None

    async def decide(self, task: Task, level: str, seconds: float, want: Want = "choice") -> Decision:
        """TimeoutError when it takes too long; KesselError when it breaks down."""
        process = self._process or await self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(msgspec.json.encode((level, task, want)) + b"\n")
            async with asyncio.timeout(seconds):
                await process.stdin.drain()
                line = await process.stdout.readline()
        except (ConnectionError, ValueError):
            line = b""
        except BaseException:
            await self.stop()
            raise
        try:
            return msgspec.json.decode(line, type=Decision)
        except msgspec.MsgspecError:
            await self.stop()
            raise KesselError(f"the worker {'ended' if not line else 'gave no answer that can be read'}") from None

    async def _start(self) -> Process:
        made = await asyncio.create_subprocess_exec(*COMMAND, stdin=PIPE, stdout=PIPE, stderr=PIPE, limit=MOST_TASK)
        self._process = made
        self._listening = asyncio.create_task(_log_all(made))
        return made

    async def stop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            assert process.stdin is not None
            process.stdin.close()
            with contextlib.suppress(ConnectionError):
                await process.stdin.wait_closed()
            await process.wait()


async def _log_all(process: Process) -> None:
    """Whatever a program prints stands in the log as a document like the rest."""
    assert process.stderr is not None
    with contextlib.suppress(ValueError, ConnectionError):
        while said := await process.stderr.readline():
            log.warning("worker said", text=said.decode(errors="replace").rstrip())


class Thinkers:
    """Lets programs decide wherever one is asked, also after the server was started anew."""

    def __init__(self, rooms: Rooms, *, workers: int = 1, turn_seconds: float = 60.0) -> None:
        self.rooms = rooms
        self.turn_seconds = turn_seconds
        """How long a program may think in all from when it is asked until another side is asked."""
        self._workers = [Worker() for _ in range(workers)]
        self._free: asyncio.Queue[Worker] = asyncio.Queue()
        self._running: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()
        """Tables that changed while their program was thinking, or about to stop."""
        self._plans: dict[tuple[str, str], dict[str, Any]] = {}
        """What programs remember of their turn, by table and side. Lost with the server, and then made anew."""
        self._stopped = True
        rooms.followers.append(lambda room, _: self.wake(room.id) if room.program is not None else None)

    async def start(self) -> None:
        self._stopped = False
        for worker in self._workers:
            self._free.put_nowait(worker)
        for row in await asyncio.to_thread(self.rooms.store.listing):
            if any(s["side"] == row["asked"] and s["kind"] == PROGRAM for s in row["seats"]):
                self.wake(row["id"])

    async def stop(self) -> None:
        self._stopped = True
        running = list(self._running.values())
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        for worker in self._workers:
            await worker.stop()

    def wake(self, table_id: str) -> None:
        """If a program must decide at that table, it begins to think."""
        if self._stopped:
            return
        if table_id in self._running:
            self._again.add(table_id)
            return
        task = asyncio.get_running_loop().create_task(self._think(table_id))
        self._running[table_id] = task
        task.add_done_callback(lambda _: self._ended(table_id))

    def _ended(self, table_id: str) -> None:
        self._running.pop(table_id, None)
        if table_id in self._again:
            self.wake(table_id)

    async def advise(self, task: Task, level: str = "") -> Advice:
        """What the best program, or that one, would do, and why."""
        level = level or levels(task.game)[-1]
        if not has_level(task.game, level):
            raise BadInput(f"{task.game} has no program {level!r}; there are {', '.join(levels(task.game))}", "$.level")
        found = await self._asked(task, level, "advice")
        if found.advice is None:
            raise BadInput(NOTHING)
        return found.advice

    async def wanted(self, task: Task) -> list[Wanted]:
        """The attacks a program would still make."""
        return (await self._asked(task, "", "attacks")).wanted

    async def _asked(self, task: Task, level: str, want: Want) -> Decision:
        try:
            async with asyncio.timeout(HINT_SECONDS), self._worker() as worker:
                found = await worker.decide(task, level, HINT_SECONDS, want)
        except (TimeoutError, KesselError):
            raise BadInput(f"{NOTHING} in time") from None
        if found.error:
            log.error("program failed", game=task.game, level=level, error=found.error)
            raise BadInput(NOTHING)
        return found

    @contextlib.asynccontextmanager
    async def _worker(self) -> AsyncIterator[Worker]:
        worker = await self._free.get()
        try:
            yield worker
        finally:
            self._free.put_nowait(worker)

    async def _think(self, table_id: str) -> None:
        """Decide again and again while a program is asked. One table after the other gets a free worker."""
        asked, left = "", self.turn_seconds
        while True:
            self._again.discard(table_id)
            try:
                async with self._worker() as worker:
                    async with self.rooms.entered(table_id) as room:
                        seat = room.program
                        if seat is None:
                            return
                        task = task_of(room, seat.side)
                        task.memory = self._plans.get((table_id, seat.side))
                        task.table = table_id
                    if seat.side != asked:
                        asked, left = seat.side, self.turn_seconds
                    begun = time.monotonic()
                    found = await self._decision(table_id, worker, task, seat.level, left)
                    self._keep_plan(table_id, seat.side, found)
                    left -= time.monotonic() - begun
                await self._act(table_id, task, found.do)
            except StoreFailed as e:
                log.warning("program waits for the store", table=table_id, error=str(e))
                await asyncio.sleep(2)
            except NoTable:
                return
            except KesselError as e:
                log.error("program stopped", table=table_id, error=str(e))
                return
            except Exception:
                log.exception("program stopped", table=table_id)
                return

    def _keep_plan(self, table_id: str, side: str, found: Decision) -> None:
        if found.memory is not None:
            self._plans.pop((table_id, side), None)
            self._plans[table_id, side] = found.memory
            while len(self._plans) > MOST_PLANS:
                del self._plans[next(iter(self._plans))]

    async def _decision(self, table_id: str, worker: Worker, task: Task, level: str, seconds: float) -> Decision:
        """The program's choice; an empty one when its time is up or it breaks down."""
        if seconds <= 0:
            return Decision()
        try:
            found = await worker.decide(task, level, seconds)
        except (TimeoutError, KesselError) as e:
            found = Decision(error=f"{type(e).__name__}: {e}")
        if found.error:
            log.warning("program gave no answer", table=table_id, level=level, version=task.version, error=found.error)
        return found

    async def _act(self, table_id: str, task: Task, do: str) -> None:
        async with self.rooms.entered(table_id) as room:
            if room.game.version != task.version:
                return
            request = f"program-{task.version}"
            try:
                if do:
                    await self.rooms.act(room, task.side, task.version, request, do)
                    return
            except (IllegalAction, BadInput) as e:
                log.error("program broke a rule", table=table_id, version=task.version, do=do, error=str(e))
            await self.rooms.act(room, task.side, task.version, request, _first_choice(room))


def _first_choice(room: Room) -> str:
    """What is done for a program that does not decide: the first of the fixed choices, which end or decline."""
    found = options(room.game.board)
    return room.game.text(plain[0] if (plain := found.plain()) else next(iter(found)))
