"""Games shared out on a Ray cluster, or on one that is started here for it.

Each task depends on nothing but itself, so that it is done again elsewhere, to the same result, when the worker that
did it is lost. Kessel must be installed on all nodes, in the same version.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from kessel.core.errors import BadInput, KesselError
from kessel.lab.processes import Failed, shared_out

T = TypeVar("T")
R = TypeVar("R")
LOCAL = "local"
TRIES = 5
"""So often a task is begun before it is given up: a game that ends its worker every time must not go on for ever."""
HERE = {
    "RAY_worker_niceness": "0",
    "RAY_task_events_report_interval_ms": "0",
    "RAY_metrics_report_interval_ms": "600000",
}
"""For a cluster that is started here. Ray's workers give way to everything else on a machine (a niceness of 15), so
that games stand still beside other work; and what nobody looks at is reported rarely or never, a quarter of what Ray's
own processes do while games are played."""
AHEAD = 2
"""So many tasks wait for each processor."""


def shared(one: Callable[[T], R], tasks: Iterable[T], workers: int = 1, ray: str = "") -> Iterator[R]:
    """What comes of each task, as it comes: in processes here, or on the cluster at that address."""
    return map_on_ray(one, tasks, ray, workers) if ray else shared_out(one, tasks, workers)


def map_on_ray(one: Callable[[T], R], tasks: Iterable[T], address: str, workers: int = 1) -> Iterator[R]:
    """The results as they come. `workers` counts for a cluster that is started here."""
    ray = _ray()
    _look_for(address)
    try:
        if address == LOCAL:
            for name, value in HERE.items():
                os.environ.setdefault(name, value)
            ray.init(num_cpus=workers, include_dashboard=False, logging_level="error", log_to_driver=False)
        else:
            ray.init(address=address, logging_level="error", log_to_driver=False)
    except (ConnectionError, ValueError, RuntimeError) as e:
        raise BadInput(f"there is no Ray cluster to be reached: {e}", address) from None
    try:
        yield from _play(ray, one, iter(tasks))
    finally:
        ray.shutdown()


def _look_for(address: str) -> None:
    """Ray itself tries for a minute to reach a machine that does not answer."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdecimal():
        return
    try:
        socket.create_connection((host, int(port)), timeout=10).close()
    except (OSError, OverflowError) as e:
        raise BadInput(f"there is no Ray cluster to be reached: {e}", address) from None


def _play(ray: Any, one: Callable[[T], R], left: Iterator[T]) -> Iterator[R]:
    """Tasks are taken only as there is room for them: a test that knows enough asks for no more."""
    remote = ray.remote(num_cpus=1, max_retries=0)(_guarded)
    lost = (ray.exceptions.WorkerCrashedError, ray.exceptions.NodeDiedError, ray.exceptions.OutOfMemoryError)
    again: list[tuple[T, int]] = []
    begun: dict[Any, tuple[T, int]] = {}
    while True:
        room = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
        while len(begun) < room and (found := again.pop() if again else _next(left)) is not None:
            task, tries = found
            begun[remote.remote(one, task)] = task, tries + 1
        if not begun:
            return
        ready, _ = ray.wait(list(begun), num_returns=1)
        for ref in ready:
            task, tries = begun.pop(ref)
            try:
                result = ray.get(ref)
            except lost as e:
                if tries >= TRIES:
                    raise KesselError(f"{named(task)} was lost {TRIES} times: {type(e).__name__}") from None
                again.append((task, tries))
                continue
            if isinstance(result, Failed):
                raise KesselError(f"a game could not be played: {result.what}")
            yield result


def _next(left: Iterator[T]) -> tuple[T, int] | None:
    return next(((task, 0) for task in left), None)


def named(task: object) -> str:
    """A series has seeds for tasks."""
    return f"seed {task}" if isinstance(task, int) else str(task)


def _guarded(one: Callable[[T], R], task: T) -> R | Failed:
    """What comes of that task, or what is wrong with it."""
    try:
        return one(task)
    except (KesselError, ArithmeticError, LookupError, TypeError, ValueError, AttributeError) as e:
        return Failed(f"{named(task)}: {type(e).__name__}: {e}")


def _ray() -> Any:
    try:
        import ray
    except ModuleNotFoundError:
        raise BadInput("a cluster needs Ray: pip install 'kessel[ray]'; --workers needs nothing") from None
    return ray
