"""One thread that writes. Changes that wait while it is busy go into one transaction together.

A commit that need not wait for any disk is over sooner than a thread is woken, and is done at once.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, TypeVar

from kessel.core.errors import KesselError
from kessel.table.store import Change, Store

T = TypeVar("T")
MOST_AT_ONCE = 200
TIDY_EVERY = 500


class _Job:
    __slots__ = ("future", "loop", "what")

    def __init__(self, what: Change | Callable[[], Any]) -> None:
        self.what = what
        self.loop = asyncio.get_running_loop()
        self.future: asyncio.Future[Any] = self.loop.create_future()

    def done(self, value: Any, error: BaseException | None) -> None:
        """Called by the writing thread."""
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self.loop.call_soon_threadsafe(self._settle, value, error)

    def _settle(self, value: Any, error: BaseException | None) -> None:
        if self.future.cancelled():
            return
        if error is None:
            self.future.set_result(value)
        else:
            self.future.set_exception(error)


class Writer:
    def __init__(self, store: Store) -> None:
        self.store = store
        self._queue: SimpleQueue[_Job | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._kept = 0

    async def keep(self, change: Change) -> None:
        """Returns when the change is committed; raises Stale or StoreFailed when it is not, and will not be."""
        if not self.store.quick:
            await self._hand_over(_Job(change))
            return
        error = self.store.accept([change])[0]
        if error is not None:
            raise error
        self._kept += 1
        if self._kept % TIDY_EVERY == 0:
            self._hand_over(_Job(self.store.tidy))

    async def run(self, work: Callable[[], T]) -> T:
        """Any other work that writes."""
        done: T = await self._hand_over(_Job(work))
        return done

    def _hand_over(self, job: _Job) -> asyncio.Future[Any]:
        if self._thread is None:
            self._thread = threading.Thread(target=self._write, name="writer", daemon=True)
            self._thread.start()
        self._queue.put(job)
        return job.future

    def stop(self) -> None:
        """Write what is waiting, then end."""
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join()
            self._thread = None

    def _write(self) -> None:
        while (job := self._queue.get()) is not None:
            batch = [job]
            stop = False
            while len(batch) < MOST_AT_ONCE and not self._queue.empty():
                more = self._queue.get()
                if more is None:
                    stop = True
                    break
                batch.append(more)
            self._settle(batch)
            if stop:
                return

    def _settle(self, batch: list[_Job]) -> None:
        changes = [j for j in batch if isinstance(j.what, Change)]
        if changes:
            answers: list[KesselError | None] | list[Exception]
            try:
                answers = self.store.accept([j.what for j in changes if isinstance(j.what, Change)])
            except Exception as e:  # the waiting requests must hear of it, whatever it is
                answers = [e] * len(changes)
            for j, answer in zip(changes, answers, strict=True):
                j.done(None, answer)
        for j in batch:
            if not isinstance(j.what, Change):
                try:
                    j.done(j.what(), None)
                except Exception as e:
                    j.done(None, e)
