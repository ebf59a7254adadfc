"""A series of games on a Ray cluster, or on one that is started here for it.

Each game is a task of its own and depends on nothing but its seed, so that it is played again elsewhere, to the same
result, when the worker that played it is lost. Kessel must be installed on all nodes, in the same version.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from kessel.core.errors import BadInput, KesselError

if TYPE_CHECKING:
    from kessel.lab.simulate import Result

LOCAL = "local"
TRIES = 5
"""So often a game is begun before it is given up: a game that ends its worker every time must not go on for ever."""
AHEAD = 2
"""So many games wait for each processor."""


def map_on_ray(one: Callable[[int], Result], seeds: Sequence[int], address: str, workers: int = 1) -> Iterator[Result]:
    """The results as they come. `workers` counts for a cluster that is started here."""
    ray = _ray()
    try:
        if address == LOCAL:
            ray.init(num_cpus=workers, include_dashboard=False, logging_level="error", log_to_driver=False)
        else:
            ray.init(address=address, logging_level="error", log_to_driver=False)
    except (ConnectionError, ValueError, RuntimeError) as e:
        raise BadInput(f"there is no Ray cluster to be reached: {e}", address) from None
    try:
        yield from _play(ray, one, list(seeds))
    finally:
        ray.shutdown()


def _play(ray: Any, one: Callable[[int], Result], seeds: list[int]) -> Iterator[Result]:
    task = ray.remote(num_cpus=1, max_retries=0)(_guarded)
    lost = (ray.exceptions.WorkerCrashedError, ray.exceptions.NodeDiedError, ray.exceptions.OutOfMemoryError)
    waiting, tries = list(reversed(seeds)), dict.fromkeys(seeds, 0)
    begun: dict[Any, int] = {}
    while waiting or begun:
        room = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
        while waiting and len(begun) < room:
            seed = waiting.pop()
            tries[seed] += 1
            begun[task.remote(one, seed)] = seed
        ready, _ = ray.wait(list(begun), num_returns=1)
        for ref in ready:
            seed = begun.pop(ref)
            try:
                found = ray.get(ref)
            except lost as e:
                if tries[seed] >= TRIES:
                    raise KesselError(f"the game of seed {seed} was lost {TRIES} times: {type(e).__name__}") from None
                waiting.append(seed)
                continue
            if isinstance(found, str):
                raise KesselError(f"a game could not be played: {found}")
            yield found


def _guarded(one: Callable[[int], Result], seed: int) -> Result | str:
    """The game of that seed, or what is wrong with it."""
    try:
        return one(seed)
    except (KesselError, ArithmeticError, LookupError, TypeError, ValueError, AttributeError) as e:
        return f"seed {seed}: {type(e).__name__}: {e}"


def _ray() -> Any:
    try:
        import ray
    except ModuleNotFoundError:
        raise BadInput("a cluster needs Ray: pip install 'kessel[ray]'; --workers needs nothing") from None
    return ray
