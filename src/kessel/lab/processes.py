"""Work shared out among processes."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any, TypeVar

from kessel.core.errors import KesselError

T = TypeVar("T")
R = TypeVar("R")


def shared_out(one: Callable[[T], R], tasks: Iterable[T], workers: int) -> Iterator[R]:
    """What comes of each task, in processes that end, without a word, when this one is ended in whatever way."""
    if workers <= 1:
        yield from map(one, tasks)
        return
    left = iter(tasks)
    lines: list[Connection] = []
    with _uninterrupted():
        for _ in range(workers):
            ours, theirs = SPAWN.Pipe()
            SPAWN.Process(target=_work, args=(theirs, one), daemon=True).start()
            theirs.close()
            lines.append(ours)
    for line in lines:
        line.send(next(left, None))
    while lines:
        ready = wait(lines)
        for line in [x for x in lines if x in ready]:
            try:
                result = line.recv()
                line.send(next(left, None))
            except (EOFError, OSError):
                lines.remove(line)
                continue
            if isinstance(result, Failed):
                raise KesselError(f"a game could not be played: {result.what}")
            yield result


@dataclass(frozen=True, slots=True)
class Failed:
    """Why a task could not be done."""

    what: str


SPAWN = multiprocessing.get_context("spawn")


def _work(line: Connection, one: Callable[[Any], Any]) -> None:
    """Do the tasks that are asked for until there are no more, or nobody asks any more."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def end_with_parent() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=end_with_parent, daemon=True).start()
    try:
        while (task := line.recv()) is not None:
            try:
                line.send(one(task))
            except (KesselError, ArithmeticError, LookupError, TypeError, ValueError, AttributeError) as e:
                line.send(Failed(f"{task}: {type(e).__name__}: {e}"))
    except (EOFError, OSError):
        return


@contextlib.contextmanager
def _uninterrupted() -> Iterator[None]:
    """Processes started here do not hear of Ctrl+C: who started them ends them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
