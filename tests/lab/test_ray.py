"""A series on a Ray cluster: the same games as on one machine, though a worker is lost."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kessel.core.errors import BadInput, KesselError
from kessel.lab.arena.matches import pairs
from kessel.lab.arena.series import play_pairs
from kessel.lab.arena.store import Store
from kessel.lab.on_ray import map_on_ray
from kessel.lab.simulate import Result, play, simulate

SMALL = ("bug41", "ustyluh", ("random", "random"))
HERE = Path(__file__).parents[2]


def noted(folder: Path, seed: int) -> Result:
    """Play a game, and write down which process does it; slowly, so that there is time to end that process."""
    (folder / f"{seed}-{os.getpid()}-{os.nice(0)}").touch()
    time.sleep(0.4)
    return play(*SMALL, seed, verify=False)


def end_one(folder: Path, ended: list[int]) -> None:
    """End the first worker that has begun a game."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        for path in folder.iterdir():
            pid = int(path.name.split("-")[1])
            os.kill(pid, signal.SIGKILL)
            ended.append(pid)
            return
        time.sleep(0.02)


@pytest.mark.filterwarnings("ignore")
def test_a_lost_workers_game_is_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ray", reason="Ray is not installed: pip install 'kessel[ray]'")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")]))
    ended: list[int] = []
    killer = threading.Thread(target=end_one, args=(tmp_path, ended))
    killer.start()
    found = sorted(map_on_ray(partial(noted, tmp_path), range(6), "local", 2), key=lambda r: r.seed)
    killer.join()
    assert ended
    begun, _, nice = zip(*(path.name.split("-", 2) for path in tmp_path.iterdir()), strict=True)
    assert set(nice) == {str(os.nice(0))}, "Ray's own workers would give way to everything else"
    assert len(begun) > len(set(begun)) == 6  # one game was begun twice
    alone = simulate(*SMALL, 6, verify=False)
    for one in (*found, *alone):
        one.cpu_s, one.thought = 0.0, {}
    assert found == alone


@pytest.mark.filterwarnings("ignore")
def test_a_game_that_cannot_be_played_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ray", reason="Ray is not installed: pip install 'kessel[ray]'")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")]))
    with pytest.raises(KesselError, match=r"seed 3: .*no scenario 'nowhere'"):
        list(map_on_ray(partial(play, "bug41", "nowhere", ("random", "random")), [3], "local", 1))


def test_without_ray_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    with pytest.raises(BadInput, match=r"pip install 'kessel\[ray\]'"):
        simulate(*SMALL, 1, ray="local")


def test_a_cluster_that_is_not_there_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", Cluster())
    with pytest.raises(BadInput, match=r"127.0.0.1:1: there is no Ray cluster to be reached: .*refused"):
        simulate(*SMALL, 1, ray="127.0.0.1:1")


class Lost(Exception):
    pass


class Cluster:
    """Stands in for Ray where it is not installed: tasks are done when they are fetched, and the first is lost."""

    class exceptions:
        WorkerCrashedError = NodeDiedError = OutOfMemoryError = Lost

    def __init__(self) -> None:
        self.address, self.fetched, self.most = "", 0, 0

    def init(self, address: str = "local", **_: object) -> None:
        self.address = address

    def shutdown(self) -> None:
        self.address = "left"

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 1.0}

    def remote(self, **_: object) -> Callable[[Callable[..., Any]], Any]:
        def make(one: Callable[..., Any]) -> Any:
            return SimpleNamespace(remote=lambda *args: partial(one, *args))

        return make

    def wait(self, refs: list[Any], num_returns: int) -> tuple[list[Any], list[Any]]:
        self.most = max(self.most, len(refs))
        return refs[-num_returns:], refs[:-num_returns]

    def get(self, ref: Callable[[], Any]) -> Any:
        self.fetched += 1
        if self.fetched == 1:
            raise Lost
        return ref()


def test_the_arena_plays_the_same_pairs_on_a_cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = Cluster()
    monkeypatch.setitem(sys.modules, "ray", cluster)
    wanted = list(pairs(["bug41/ustyluh"], "random", "recruit", range(2)))
    monkeypatch.setattr("socket.create_connection", lambda *_, **__: SimpleNamespace(close=lambda: None))
    there = list(play_pairs(Store(tmp_path / "there.sqlite"), wanted, ray="ray://far:10001"))
    assert cluster.address == "left"
    assert cluster.most == 2
    assert cluster.fetched == 3  # one of two was lost and played again
    assert there == list(play_pairs(Store(tmp_path / "here.sqlite"), wanted))
