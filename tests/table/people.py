"""People at tables, for the tests of the server."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from kessel.core.title import titles
from kessel.table.app import Settings, make_app
from kessel.table.store import open_store

GAME = titles()["don42"]
SCENARIO = "crossing-the-don"
ids = (f"r{n}" for n in itertools.count())


def settings(**changes: Any) -> Settings:
    return Settings(**{"requests_a_minute": 10**6, **changes})


@contextmanager
def server(folder: Path, **changes: Any) -> Iterator[TestClient]:
    """A server over the database of that folder."""
    with TestClient(make_app(open_store(f"sqlite:///{folder}/tables.db"), settings(**changes))) as client:
        yield client


def forget(client: TestClient, table: str) -> None:
    """Close the room, so that the table is read from the store again."""
    rooms = client.app.state.rooms  # type: ignore[attr-defined]
    room = rooms._open.get(table)
    if room is not None:
        rooms._drop(room)


class Seat:
    """A person at a table."""

    def __init__(self, client: TestClient, table: str, token: str) -> None:
        self.client, self.table = client, table
        self.headers = {"Authorization": f"Bearer {token}"}

    def get(self, what: str, **params: Any) -> Any:
        return self.client.get(f"/api/v1/tables/{self.table}/{what}", headers=self.headers, params=params)

    def post(self, what: str, **body: Any) -> Any:
        return self.client.post(f"/api/v1/tables/{self.table}/{what}", headers=self.headers, json=body)

    def view(self) -> Any:
        answer = self.get("view")
        assert answer.status_code == 200, answer.text
        return answer.json()

    def act(self, do: str, version: int, request: str | None = None) -> Any:
        return self.post("actions", version=version, id=request or next(ids), do=do)


def make(client: TestClient, seed: int | None = None, entropy: str | None = None, **seats: str) -> Any:
    """A new table with all its secrets."""
    body = {"game": GAME.id, "scenario": SCENARIO, "seed": seed, "seats": seats, "entropy": entropy}
    made = client.post("/api/v1/tables", json=body)
    assert made.status_code == 201, made.text
    return made.json()


def new_table(client: TestClient, seed: int | None = 5, **seats: str) -> tuple[str, dict[str, Seat]]:
    doc = make(client, seed, **seats)
    seats_ = {side: Seat(client, doc["id"], token) for side, token in doc["tokens"].items()}
    seats_["watch"] = Seat(client, doc["id"], doc["watch"])
    return doc["id"], seats_


def asked(seats: dict[str, Seat]) -> tuple[Seat, Any]:
    side = seats["watch"].view()["question"]["side"]
    return seats[side], seats[side].view()


def play(seats: dict[str, Seat], steps: int, seed: int = 1) -> None:
    rng = random.Random(seed)
    for _ in range(steps):
        seat, view = asked(seats)
        answer = seat.act(rng.choice(view["question"]["choices"])["text"], view["version"])
        assert answer.status_code == 200, answer.text
