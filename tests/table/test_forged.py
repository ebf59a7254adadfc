"""Requests that must not be accepted: forged, stale, duplicated, reordered, of foreign seats, malformed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from kessel.table.seats import new_token
from tests.table.people import Seat, ids, new_table, server

Attempt = tuple[str, Seat, str, Any]
"""What it is, who sends it, to which call, with which body."""


class Forger:
    """At one of two tables people play honestly; in between come requests that are not."""

    def __init__(self, client: TestClient, seed: int) -> None:
        self.client, self.random = client, random.Random(seed)
        self.table, self.seats = new_table(client)
        _, self.elsewhere = new_table(client, seed=6)
        self.sent: list[tuple[Seat, dict[str, Any]]] = []
        """Every honest request, accepted once."""
        self.kinds: list[Callable[[], Attempt]] = [
            self.stale,
            self.ahead,
            self.foreign_seat,
            self.foreign_table,
            self.watcher,
            self.guessed_token,
            self.duplicated,
            self.used_id,
            self.reordered,
            self.unlisted,
            self.malformed,
            self.dishonest_undo,
        ]

    # --- honest play -----------------------------------------------------------------------------------------------

    def look(self) -> None:
        side = self.seats["watch"].view()["question"]["side"]
        self.asked = self.seats[side]
        self.view = self.asked.view()
        self.choices = [c["text"] for c in self.view["question"]["choices"]]

    def act(self) -> None:
        self.look()
        body = {"version": self.view["version"], "id": next(ids), "do": self.random.choice(self.choices)}
        assert self.asked.post("actions", **body).status_code == 200
        self.sent.append((self.asked, body))
        self.look()

    def body(self, **changes: Any) -> dict[str, Any]:
        return {"version": self.view["version"], "id": next(ids), "do": self.random.choice(self.choices)} | changes

    def other(self) -> Seat:
        return next(s for n, s in self.seats.items() if n != "watch" and s is not self.asked)

    # --- the rest --------------------------------------------------------------------------------------------------

    def stale(self) -> Attempt:
        return "stale", self.asked, "actions", self.body(version=self.random.randrange(self.view["version"]))

    def ahead(self) -> Attempt:
        return "ahead", self.asked, "actions", self.body(version=self.view["version"] + self.random.randint(1, 9))

    def foreign_seat(self) -> Attempt:
        return "foreign seat", self.other(), "actions", self.body()

    def foreign_table(self) -> Attempt:
        seat = self.random.choice(list(self.elsewhere.values()))
        token = seat.headers["Authorization"].removeprefix("Bearer ")
        return "foreign table", Seat(self.client, self.table, token), "actions", self.body()

    def watcher(self) -> Attempt:
        return "watcher", self.seats["watch"], self.random.choice(["actions", "undo"]), self.body()

    def guessed_token(self) -> Attempt:
        token = self.asked.headers["Authorization"].removeprefix("Bearer ")
        guess = self.random.choice(
            [new_token(), "", token[:-1], token + "A", token.swapcase(), token[::-1], "program", "0" * 64, token[:16]]
        )
        return "guessed token", Seat(self.client, self.table, guess), "actions", self.body()

    def duplicated(self) -> Attempt:
        seat, body = self.sent[-1]
        return "duplicated", seat, "actions", body

    def used_id(self) -> Attempt:
        seat, body = self.random.choice(self.sent)
        do = self.random.choice([c for c in self.choices if c != body["do"]] or ["pass x"])
        return "used id", seat, "actions", {**body, "version": self.view["version"], "do": do}

    def reordered(self) -> Attempt:
        """An earlier request under an id of its own, as if it came late."""
        seat, body = self.random.choice(self.sent)
        return "reordered", seat, "actions", {**body, "id": next(ids)}

    def unlisted(self) -> Attempt:
        words = self.random.choice(self.choices).split()
        word = self.random.randrange(len(words))
        words[word] = self.random.choice(["", "0101", "9999", "nobody", "pass", "1Pz", "-1", "'; --", "\0", "x" * 900])
        do = " ".join(words).strip() or "x"
        if " ".join(do.split()) in self.choices:
            return self.malformed()
        return "unlisted", self.asked, "actions", self.body(do=do)

    def malformed(self) -> Attempt:
        good = self.body()
        bad = self.random.choice(
            [
                [],
                {},
                {"act": good},
                good | {"side": "axis"},
                good | {"version": str(good["version"])},
                good | {"version": None},
                good | {"version": -1},
                good | {"version": 2**40},
                good | {"id": ""},
                good | {"id": "x" * 65},
                good | {"id": "a b"},
                good | {"id": None},
                good | {"do": ["pass"]},
                good | {"do": ""},
                good | {"do": "x" * 3000},
                {k: v for k, v in good.items() if k != "id"},
            ]
        )
        return "malformed", self.asked, "actions", bad

    def dishonest_undo(self) -> Attempt:
        body = {"version": self.view["version"], "id": next(ids)}
        if self.view.get("can_undo"):
            return "foreign undo", self.other(), "undo", body
        return "undo", self.asked, "undo", body

    def attempts(self, n: int) -> Iterator[Attempt]:
        self.act()
        for i in range(n):
            yield self.kinds[i % len(self.kinds)]()


def raw(seat: Seat, call: str, body: Any) -> Any:
    return seat.client.post(f"/api/v1/tables/{seat.table}/{call}", headers=seat.headers, json=body)


def nothing_is_accepted(folder: Path, attempts: int) -> None:
    with server(folder) as client:
        forger = Forger(client, attempts)
        rooms = client.app.state.rooms  # type: ignore[attr-defined]
        game = rooms._open[forger.table].game
        counted: dict[str, int] = {}
        for n, (kind, seat, call, body) in enumerate(forger.attempts(attempts)):
            version, position = game.version, game.board.digest()
            answer = raw(seat, call, body)
            counted[kind] = counted.get(kind, 0) + 1
            if kind == "duplicated":
                assert answer.json()["repeated"], "the first answer again"
            else:
                assert 400 <= answer.status_code < 500, (kind, body, answer.text)
                assert answer.json()["error"]
            assert rooms._open[forger.table].game is game
            assert (game.version, game.board.digest()) == (version, position), (kind, body)
            if n % 25 == 24 and not game.over:
                forger.act()
        assert len(counted) >= len(forger.kinds)
        log = forger.seats["watch"].get("log").json()
        assert [e["text"] for e in log] == [body["do"] for _, body in forger.sent]
    with server(folder) as client:
        for seat in forger.seats.values():
            seat.client = client
        assert forger.seats["watch"].get("log").json() == log


def test_five_hundred_requests_that_must_not_be_accepted(tmp_path: Path) -> None:
    nothing_is_accepted(tmp_path, 500)


@pytest.mark.slow
def test_twenty_thousand_requests_that_must_not_be_accepted(tmp_path: Path) -> None:
    nothing_is_accepted(tmp_path, 20_000)


def test_the_same_over_the_live_connection(client: TestClient) -> None:
    forger = Forger(client, 7)
    game = client.app.state.rooms._open[forger.table].game  # type: ignore[attr-defined]
    token = forger.seats["watch"].headers["Authorization"].removeprefix("Bearer ")
    with client.websocket_connect(f"/api/v1/tables/{forger.table}/live") as socket:
        socket.send_json({"token": token})
        socket.receive_json()
        for n, (_, _, call, body) in enumerate(forger.attempts(60)):
            version = game.version
            socket.send_json({"act" if call == "actions" else "undo": body} if n % 3 else body)
            while "error" not in (doc := socket.receive_json()):
                assert "done" not in doc
            assert game.version == version
