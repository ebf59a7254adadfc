"""Programs at the table: they think elsewhere, may be slow, wrong or killed, and go on after a restart."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from fastapi.testclient import TestClient

from kessel.bots.program import Program
from kessel.core.game import Game
from kessel.core.procedure import options
from kessel.table import think
from kessel.table import worker as worker_of_tables
from kessel.table.room import Room
from kessel.table.think import task_of
from kessel.table.worker import Decision, Task, decide
from tests.table.people import GAME, SCENARIO, new_table, play, server

FIRST, SECOND = (GAME.sides[i] for i in GAME.played)


def wait_until(client: TestClient, table: str, version: int, seconds: float = 20) -> int:
    """The table's version once it has reached that one."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        row = next(t for t in client.get("/api/v1/tables").json() if t["id"] == table)
        if row["version"] >= version or not row["asked"]:
            return int(row["version"])
        time.sleep(0.02)
    pytest.fail(f"the table does not get to version {version}")


def worker(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    """Let this be the worker's program; `line` is the task it reads."""
    text = f"import sys, time, json\nfor line in sys.stdin:\n    {program}\n"
    monkeypatch.setattr(think, "COMMAND", (sys.executable, "-c", text))


def a_task() -> Task:
    game = Game.new(GAME.id, SCENARIO, seed=3)
    room = Room("t", game, {})
    return task_of(room, room.asked)


def test_two_programs_play_without_anybody(client: TestClient) -> None:
    table, seats = new_table(client, **{FIRST: "program:random", SECOND: "program:random"})
    assert set(seats) == {"watch"}
    assert wait_until(client, table, 25) >= 25
    sides = {e["side"] for e in seats["watch"].get("log").json()}
    assert sides <= {FIRST, SECOND}


def test_programs_go_on_after_a_restart(tmp_path: Path) -> None:
    with server(tmp_path) as first:
        table, _ = new_table(first, **{FIRST: "program:random", SECOND: "program:random"})
        before = wait_until(first, table, 5)
    with server(tmp_path) as second:
        wait_until(second, table, before + 10)


def test_what_a_program_decides_does_not_depend_on_restarts() -> None:
    task = a_task()
    assert task.seed != a_task().seed or task == a_task()
    assert decide(task, "random") == decide(msgspec.json.decode(msgspec.json.encode(task), type=Task), "random")


class Planner(Program[None]):
    """Says how often it was asked."""

    asked = 0

    def choose(self, t: Any, g: Any, side: int) -> Any:
        self.asked += 1
        self.reason = f"asked {self.asked} times"
        return next(iter(options(g)))


def test_a_program_remembers_its_plans_at_a_table_and_nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_of_tables, "player", lambda game, level, seed: Planner(seed))
    monkeypatch.setattr(worker_of_tables, "_seated", {})
    task = a_task()
    assert [decide(task, "planner").reason for _ in range(2)] == ["asked 1 times"] * 2
    at = [msgspec.structs.replace(task, table=name) for name in ("one", "two", "one")]
    assert [decide(one, "planner").reason[6] for one in at] == ["1", "1", "2"]
    for n in range(worker_of_tables.SEATS):
        decide(msgspec.structs.replace(task, table=f"another {n}"), "planner")
    assert decide(at[0], "planner").reason == "asked 1 times", "it was forgotten for others"


def test_a_worker_answers_line_by_line() -> None:
    task = a_task()
    lines = b"".join(msgspec.json.encode(("random", t, "choice")) + b"\n" for t in (task, task))
    bad = msgspec.json.encode(("genius", task, "choice")) + b"\n"
    done = subprocess.run([*think.COMMAND], input=lines + bad, capture_output=True, timeout=60, check=True)
    first, second, third = (msgspec.json.decode(x, type=Decision) for x in done.stdout.splitlines())
    assert first == second == decide(task, "random")
    assert "genius" in third.error


@pytest.mark.parametrize(
    "program",
    [
        "time.sleep(100)",
        "sys.exit(1)",
        'print(\'{"do": "juggle"}\', flush=True)',
        'print(\'{"do": "pass the salt"}\', flush=True)',
        'print(\'{"error": "no idea"}\', flush=True)',
        "print('', flush=True)",
        "print('x' * 5000000, flush=True)",
    ],
)
def test_a_program_that_is_slow_wrong_or_broken_does_not_stop_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    worker(monkeypatch, program)
    with server(tmp_path, turn_seconds=0.3) as client:
        table, _ = new_table(client, **{FIRST: "program:random", SECOND: "program:random"})
        wait_until(client, table, 3)


def test_the_time_limit_is_for_the_whole_player_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow program thinks once; what is left of its turn is decided for it without more waiting."""
    worker(monkeypatch, "time.sleep(100)")
    with server(tmp_path, turn_seconds=1.0) as client:
        begun = time.monotonic()
        table, seats = new_table(client, **{FIRST: "program:random", SECOND: "program:random"})
        wait_until(client, table, 4)
        sides = [e["side"] for e in seats["watch"].get("log").json()[:4]]
        turns = 1 + sum(a != b for a, b in pairwise(sides))
        assert time.monotonic() - begun < turns + 3


def test_people_play_on_while_a_program_thinks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    worker(monkeypatch, "time.sleep(100)")
    with server(tmp_path, turn_seconds=60) as client:
        new_table(client, **{FIRST: "program:random", SECOND: "program:random"})
        _, seats = new_table(client)
        begun = time.monotonic()
        play(seats, 5)
        assert time.monotonic() - begun < 5


def test_workers_end_with_the_server(tmp_path: Path) -> None:
    def workers() -> list[str]:
        found = subprocess.run(["ps", "-ax", "-o", "ppid=,args="], capture_output=True, text=True, check=True).stdout
        mine = [x for x in found.splitlines() if x.split()[0] == str(os.getpid())]
        return [x for x in mine if "kessel.table.worker" in x]

    before = workers()
    with server(tmp_path) as client:
        table, _ = new_table(client, **{FIRST: "program:random", SECOND: "program:random"})
        wait_until(client, table, 2)
        assert len(workers()) > len(before)
    assert len(workers()) == len(before)
