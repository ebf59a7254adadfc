"""A lesson at a table: begun by one call, kept like any table, and answered where somebody tries something else."""

from __future__ import annotations

from typing import Any

from fastapi.testclient import TestClient

from tests.table.people import Seat, forget, ids


def begun(client: TestClient, lesson: str = "stalingrad42/voronezh") -> tuple[Seat, Seat]:
    made = client.post("/api/v1/tables", json={"lesson": lesson})
    assert made.status_code == 201, made.text
    doc = made.json()
    return Seat(client, doc["id"], doc["tokens"]["axis"]), Seat(client, doc["id"], doc["tokens"]["soviet"])


def do(seat: Seat, text: str) -> Any:
    answer = seat.act(text, seat.view()["version"], next(ids))
    assert answer.status_code == 200, answer.text
    return seat.view()["lesson"]


def test_a_lesson_is_listed_with_its_game_and_not_as_a_game(client: TestClient) -> None:
    games = {g["id"]: g for g in client.get("/api/v1/games").json()}
    assert [x["id"] for x in games["stalingrad42"]["lessons"]] == ["voronezh"]
    begun(client)
    assert [t["lesson"] for t in client.get("/api/v1/tables").json()] == ["voronezh"]


def test_steps_follow_each_other_and_are_kept(client: TestClient) -> None:
    axis, _ = begun(client)
    march = axis.view()["lesson"]
    assert (march["step"], march["heading"], march.get("ready", False)) == (1, "Send the tanks round", False)
    assert march["fits"] == ["move 24Pz"]
    assert march["units"] == ["24Pz"]
    do(axis, "move 24Pz")
    done = do(axis, "to 2402 normal")
    assert done["then"]
    assert done["ready"]
    forget(client, axis.table)
    assert axis.view()["lesson"] == done, "it was kept, and stands after the room was closed as before"


def test_a_legal_action_that_does_not_serve_is_answered_and_not_played(client: TestClient) -> None:
    axis, _ = begun(client)
    before = axis.view()
    refused = axis.act("move GD", before["version"], next(ids))
    assert refused.status_code == 409
    view = refused.json()["view"]
    assert view["version"] == before["version"]
    assert '"Move GD" would be allowed' in view["lesson"]["said"]
    assert view["table"] == before["table"]
    assert "said" not in do(axis, "move 24Pz")


def test_steps_can_be_begun_again_and_left_backwards(client: TestClient) -> None:
    axis, _ = begun(client)
    start = axis.view()["table"]
    do(axis, "move 24Pz")
    do(axis, "to 2402 normal")
    again = axis.post("lesson", version=axis.view()["version"], do="again").json()
    assert (again["lesson"]["step"], again["table"]) == (1, start)
    do(axis, "move 24Pz")
    do(axis, "to 2402 normal")
    do(axis, "next")
    third = do(axis, "next")
    assert third["step"] == 3
    back = axis.post("lesson", version=axis.view()["version"], do="back").json()
    assert back["lesson"]["step"] == 2
    stale = axis.post("lesson", version=again["version"], do="back")
    assert stale.status_code == 409
    forget(client, axis.table)
    assert axis.view()["lesson"]["step"] == 2


def test_the_other_side_answers_in_the_same_request_and_a_step_may_change_sides(client: TestClient) -> None:
    axis, soviet = begun(client)
    for _ in range(40):
        view = axis.view()
        lesson = view["lesson"]
        if lesson["heading"] == "Stand or go":
            break
        if lesson.get("forbid"):
            tried = axis.post("lesson", version=view["version"], do="try").json()["lesson"]
            assert (tried["reason_rule"], "Hex Bond" in tried["reason"]) == ("7.2", True)
        do(axis, "next" if lesson.get("ready") else lesson["fits"][0])
        assert axis.view()["question"]["side"] == "axis" or axis.view()["lesson"]["heading"] == "Stand or go"
    asked = soviet.view()
    assert asked["question"]["side"] == "soviet"
    assert asked["lesson"]["fits"] == ["defend 121Rfl"]
    held = do(soviet, "defend 121Rfl")
    assert "loses a step" in " ".join(held["happened"])


def test_a_table_that_is_no_lesson_has_no_steps(client: TestClient) -> None:
    body = {"game": "stalingrad42", "scenario": "fall-blau", "seed": 1, "seats": {}}
    made = client.post("/api/v1/tables", json=body).json()
    axis = Seat(client, made["id"], made["tokens"]["axis"])
    assert "lesson" not in axis.view()
    assert axis.post("lesson", version=0, do="again").status_code == 400
    assert client.post("/api/v1/tables", json={"lesson": "stalingrad42/nowhere"}).status_code == 400
    assert client.post("/api/v1/tables", json={"lesson": "nowhere"}).status_code == 400
