"""The server killed at random while people play: what was acknowledged stays, and nothing is done twice."""

from __future__ import annotations

import http.client
import json
import multiprocessing
import random
import socket
import threading
import time
from collections.abc import Iterator
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import pytest

from kessel.core.game import Game
from kessel.core.record import parse_record
from tests.table.people import GAME, SCENARIO

FIRST, SECOND = (GAME.sides[i] for i in GAME.played)
FORKS = multiprocessing.get_context("forkserver")


def run_server(port: int, folder: str) -> None:
    from kessel.table.serve import Place, run
    from kessel.table.settings import Settings

    place = Place(port=port, data=Path(folder), settings=Settings(requests_a_minute=10**9))
    run(place, lambda _: None, log_level="error")


class Victim:
    """The real server in a process of its own, on a port that stays the same."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            self.port = s.getsockname()[1]
        self.folder = folder
        self.process: BaseProcess | None = None
        self.kills = 0

    def start(self) -> None:
        self.process = FORKS.Process(target=run_server, args=(self.port, str(self.folder)), daemon=True)
        self.process.start()
        until = time.monotonic() + 300  # a busy machine may take its time
        while time.monotonic() < until:
            try:
                assert self.call("GET", "/api/v1/server")[0] == 200
                return
            except OSError:
                assert self.process.is_alive(), "the server does not start"
                time.sleep(0.02)
        raise AssertionError("the server does not answer")

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.join()
        self.kills += 1

    def call(self, method: str, path: str, body: Any = None, token: str = "") -> tuple[int, Any]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        try:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            raw = answer.read()
        finally:
            connection.close()
        return answer.status, json.loads(raw) if path[-6:] != "record" else raw


class Player(threading.Thread):
    """Plays all persons' seats of one table at random, and notes what was acknowledged."""

    def __init__(self, victim: Victim, seed: int, seats: dict[str, str]) -> None:
        super().__init__(daemon=True)
        self.victim, self.random = victim, random.Random(seed)
        body = {"game": GAME.id, "scenario": SCENARIO, "seed": seed, "seats": seats}
        status, made = victim.call("POST", "/api/v1/tables", body)
        assert status == 201, made
        self.path, self.tokens, self.watch = f"/api/v1/tables/{made['id']}", made["tokens"], made["watch"]
        self.acknowledged: list[tuple[int, str, str]] = []
        """Version it was made for, side, action."""
        self.stopped = threading.Event()
        self.trouble: list[str] = []

    def run(self) -> None:
        try:
            n = 0
            while not self.stopped.is_set():
                _, view = self.insist("GET", "view", token=self.watch)
                question = view.get("question")
                if question is None:
                    return
                if question["side"] not in self.tokens:
                    time.sleep(0.01)
                    continue
                n += 1
                self.act(question["side"], f"r{n}")
        except Exception as e:
            self.trouble.append(repr(e))

    def act(self, side: str, request: str) -> None:
        _, view = self.insist("GET", "view", token=self.tokens[side])
        choices = view["question"].get("choices")
        if not choices:
            return
        do = self.random.choice(choices)["text"]
        body = {"version": view["version"], "id": request, "do": do}
        status, answer = self.insist("POST", "actions", body, self.tokens[side])
        if status != 200:
            self.trouble.append(f"{body} was answered by {answer['error']}")
            return
        if answer["view"]["version"] <= view["version"]:
            self.trouble.append(f"{body} was acknowledged at version {answer['view']['version']}")
        self.acknowledged.append((view["version"], side, do))

    def insist(self, method: str, what: str, body: Any = None, token: str = "") -> tuple[int, Any]:
        """The same request again and again until it is answered; a busy machine may take its time."""
        until = time.monotonic() + 3600
        while True:
            try:
                return self.victim.call(method, f"{self.path}/{what}", body, token)
            except (OSError, http.client.HTTPException):
                if time.monotonic() > until:
                    raise
                time.sleep(0.01)

    def check(self) -> int:
        """Everything acknowledged is there once, at its place; nobody did anything else. The number of actions."""
        assert self.trouble == []
        _, raw = self.insist("GET", "record", token=self.watch)
        log = Game.replay(parse_record(raw)).entries
        sides = [GAME.sides[e.side] for e in log]
        mine = [(n, side, e.text) for n, (side, e) in enumerate(zip(sides, log, strict=True)) if side in self.tokens]
        assert mine == self.acknowledged
        _, view = self.insist("GET", "view", token=self.watch)
        assert view["version"] == len(log) or len(self.tokens) < len(GAME.played), "programs go on meanwhile"
        return len(log)


@pytest.fixture
def victim(tmp_path: Path) -> Iterator[Victim]:
    FORKS.set_forkserver_preload(["kessel.table.serve", "kessel.games.don42"])
    found = Victim(tmp_path)
    found.start()
    yield found
    found.kill()


def await_an_action(players: list[Player]) -> None:
    def acted() -> int:
        return sum(len(p.acknowledged) for p in players)

    before, until = acted(), time.monotonic() + 60
    while acted() == before and any(p.is_alive() for p in players) and time.monotonic() < until:
        time.sleep(0.005)


def kill_again_and_again(victim: Victim, kills: int, most: float) -> None:
    rng = random.Random(kills)
    players = [Player(victim, n, {}) for n in range(2)]
    players.append(Player(victim, 9, {SECOND: "program:random"}))
    for p in players:
        p.start()
    for n in range(kills):
        if n % 2:  # every other time it lives long enough for somebody to act, however busy the machine is
            await_an_action(players)
        time.sleep(rng.uniform(0, most))
        victim.kill()
        victim.start()
        if n % 20 == 19:  # games do not last for ever
            fresh = Player(victim, 100 + n, {})
            fresh.start()
            players.append(fresh)
    before = {p: len(p.acknowledged) for p in players}
    await_an_action(players)
    for p in players:
        p.stopped.set()
    for p in players:
        p.join(900)
        assert not p.is_alive()
    total = sum(p.check() for p in players)
    assert total > kills
    assert sum(len(p.acknowledged) for p in players) > sum(before.values()), "after the last kill the games go on"


def test_six_kills(victim: Victim) -> None:
    kill_again_and_again(victim, 6, 0.4)


@pytest.mark.slow
def test_two_hundred_kills(victim: Victim) -> None:
    kill_again_and_again(victim, 200, 0.6)
