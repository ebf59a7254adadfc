"""The server: seats, versions, repeated and forged requests, live views, resuming."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from kessel.core.pack import Pack
from kessel.core.record import parse_record
from kessel.core.title import titles
from kessel.table.app import Settings, make_app
from kessel.table.store import open_store

GAME = next(t for t in titles().values() if t.scenarios(Pack(t.id)) and len(t.played) == 2)
SCENARIO = GAME.scenarios(Pack(GAME.id))[0].id
ids = (f"r{n}" for n in itertools.count())


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(make_app(open_store(f"sqlite:///{tmp_path}/tables.db"), Settings(requests_a_minute=10**6))) as c:
        yield c


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


def new_table(client: TestClient, seed: int = 5, **seats: str) -> tuple[str, dict[str, Seat]]:
    made = client.post("/api/v1/tables", json={"game": GAME.id, "scenario": SCENARIO, "seed": seed, "seats": seats})
    assert made.status_code == 201, made.text
    doc = made.json()
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


def test_games_rules_and_counters(client: TestClient) -> None:
    games = client.get("/api/v1/games").json()
    assert {g["id"] for g in games} == set(titles())
    assert all(g["levels"][0] == "random" for g in games)
    number = Pack(GAME.id).rows("rules.csv")[5]["rule"]
    assert client.get(f"/api/v1/games/{GAME.id}/rules/{number}").json()["statements"]
    svg = client.get(f"/api/v1/games/{GAME.id}/map.svg")
    assert svg.status_code == 200
    assert "<svg" in svg.text
    _, seats = new_table(client)
    pieces = seats["watch"].view()["table"]["pieces"][:3]
    drawn = client.post("/api/v1/counters", json={"pieces": pieces}).json()["svgs"]
    assert len(drawn) == 3
    assert all("<" in s for s in drawn)


def test_only_the_side_asked_gets_choices(client: TestClient) -> None:
    _, seats = new_table(client)
    seat, view = asked(seats)
    assert view["question"]["choices"]
    for other in seats.values():
        if other is not seat:
            assert not other.view()["question"].get("choices")


def test_an_action_is_carried_out_once(client: TestClient) -> None:
    _, seats = new_table(client)
    seat, view = asked(seats)
    do = view["question"]["choices"][0]["text"]
    first = seat.act(do, view["version"], "same")
    assert first.status_code == 200
    again = seat.act(do, view["version"], "same")
    assert again.status_code == 200
    assert seat.view()["version"] == view["version"] + 1
    assert len(seat.get("log").json()) == 1


def test_stale_unlisted_and_foreign_actions_are_refused_with_the_view(client: TestClient) -> None:
    _, seats = new_table(client)
    play(seats, 3)
    seat, view = asked(seats)
    do = view["question"]["choices"][0]["text"]
    for answer in (
        seat.act(do, view["version"] - 1),
        seat.act(do, view["version"] + 1),
        next(s for n, s in seats.items() if s is not seat and n != "watch").act(do, view["version"]),
        seats["watch"].act(do, view["version"]),
    ):
        assert answer.status_code == 409, answer.text
        assert answer.json()["error"]
        assert answer.json()["view"]["version"] == view["version"]
    assert seat.act("juggle", view["version"]).status_code == 400
    assert seat.view()["version"] == view["version"]


def test_a_token_gives_one_seat_at_one_table(client: TestClient) -> None:
    table, seats = new_table(client)
    other, _ = new_table(client, seed=6)
    headers = seats["watch"].headers
    assert client.get(f"/api/v1/tables/{other}/view", headers=headers).status_code == 403
    assert client.get(f"/api/v1/tables/{table}/view").status_code == 403
    assert client.get("/api/v1/tables/none/view", headers=headers).status_code == 404


def test_undo_over_the_wire(client: TestClient) -> None:
    _, seats = new_table(client)
    rng = random.Random(2)
    for _ in range(200):
        seat, view = asked(seats)
        after = seat.act(rng.choice(view["question"]["choices"])["text"], view["version"]).json()["view"]
        if after.get("can_undo"):
            done = seat.post("undo", version=after["version"], id=next(ids))
            assert done.status_code == 200
            assert done.json()["view"]["question"]["choices"] == view["question"]["choices"]
            assert seat.post("undo", version=after["version"], id=next(ids)).status_code == 409
            return
    pytest.fail("nothing could be undone in 200 actions")


def test_a_table_survives_the_server(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/tables.db"
    with TestClient(make_app(open_store(url), Settings(requests_a_minute=10**6))) as first:
        table, seats = new_table(first)
        play(seats, 150)
        before = {n: s.view() for n, s in seats.items()}
        log = seats["watch"].get("log").json()
    with TestClient(make_app(open_store(url), Settings(requests_a_minute=10**6))) as second:
        for n, s in seats.items():
            s.client = second
            assert s.view() == before[n]
        assert seats["watch"].get("log").json() == log
        assert [t["id"] for t in second.get("/api/v1/tables").json()] == [table]
        play(seats, 20)


def test_the_past_and_a_branch(client: TestClient) -> None:
    _, seats = new_table(client)
    start = seats["watch"].view()["table"]
    play(seats, 12)
    assert seats["watch"].get("at/0").json() == start
    assert seats["watch"].get("at/99").status_code == 400
    made = seats["watch"].post("branch", at=5)
    assert made.status_code == 201
    branch = {n: Seat(client, made.json()["id"], t) for n, t in made.json()["tokens"].items()}
    branch["watch"] = Seat(client, made.json()["id"], made.json()["watch"])
    assert branch["watch"].get("at/5").json() == seats["watch"].get("at/5").json()
    play(branch, 5)
    client.app.state.rooms.forget(made.json()["id"])  # type: ignore[attr-defined]
    play(branch, 5)


def test_the_record_tells_its_seed_only_at_the_end(client: TestClient) -> None:
    _, seats = new_table(client)
    play(seats, 5)
    record = parse_record(seats["watch"].get("record").content)
    assert record.seed is None
    assert len(record.lines) == 5


def test_live_views(client: TestClient) -> None:
    table, seats = new_table(client)
    seat, view = asked(seats)
    token = seats["watch"].headers["Authorization"].removeprefix("Bearer ")
    with client.websocket_connect(f"/api/v1/tables/{table}/live") as socket:
        socket.send_json({"token": token})
        assert socket.receive_json()["view"]["version"] == view["version"]
        seat.act(view["question"]["choices"][0]["text"], view["version"])
        assert socket.receive_json()["view"]["version"] == view["version"] + 1
    mine = seat.headers["Authorization"].removeprefix("Bearer ")
    _, view = asked(seats)
    if seats["watch"].view()["question"]["side"] == seat.view()["seat"]:
        with client.websocket_connect(f"/api/v1/tables/{table}/live") as socket:
            socket.send_json({"token": mine})
            socket.receive_json()
            socket.send_json({"version": view["version"], "id": "w1", "do": view["question"]["choices"][0]["text"]})
            assert any("done" in socket.receive_json() for _ in range(2))


def test_a_wrong_token_gets_no_live_view(client: TestClient) -> None:
    table, _ = new_table(client)
    with client.websocket_connect(f"/api/v1/tables/{table}/live") as socket:
        socket.send_json({"token": "guess"})
        assert socket.receive()["type"] == "websocket.close"


def test_a_seat_can_be_claimed_again_on_ones_own_machine(client: TestClient, tmp_path: Path) -> None:
    table, seats = new_table(client)
    side = GAME.sides[GAME.played[0]]
    token = client.post(f"/api/v1/tables/{table}/claim", json={"side": side}).json()["token"]
    assert Seat(client, table, token).view()["seat"] == side
    assert seats[side].get("view").status_code == 403
    shared = make_app(open_store(f"sqlite:///{tmp_path}/tables.db"), Settings(one_person=False))
    with TestClient(shared) as other:
        assert other.post(f"/api/v1/tables/{table}/claim", json={"side": side}).status_code == 403


@pytest.mark.parametrize(
    "body",
    [
        {"game": "chess", "scenario": "x"},
        {"game": GAME.id, "scenario": "x"},
        {"game": GAME.id, "scenario": SCENARIO, "options": {"x": "y"}},
        {"game": GAME.id, "scenario": SCENARIO, "seats": {"nobody": "me"}},
        {"game": GAME.id, "scenario": SCENARIO, "seats": {GAME.sides[0]: "program:genius"}},
    ],
)
def test_a_bad_table_is_refused_with_a_sentence(client: TestClient, body: dict[str, Any]) -> None:
    answer = client.post("/api/v1/tables", json=body)
    assert answer.status_code == 400
    assert answer.json()["error"]
    assert client.get("/api/v1/tables").json() == []


def test_limits_and_headers(client: TestClient, tmp_path: Path) -> None:
    assert client.post("/api/v1/tables", content=b"x" * 100_000).status_code == 413
    answer = client.get("/api/v1/games")
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert client.get("/api/v1/nothing").status_code == 404
    few = make_app(open_store(f"sqlite:///{tmp_path}/few.db"), Settings(requests_a_minute=3))
    with TestClient(few) as other:
        assert [other.get("/api/v1/tables").status_code for _ in range(5)][-1] == 429
