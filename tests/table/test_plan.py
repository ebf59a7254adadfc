"""Several actions as one request, and what is told before one that is decided on."""

from __future__ import annotations

from typing import Any

from fastapi.testclient import TestClient

from tests.table.people import Seat, ids


def at_attacks(client: TestClient) -> tuple[Seat, Any]:
    """Fall Blau in the first Combat Phase."""
    body = {"game": "stalingrad42", "scenario": "fall-blau", "seed": 1, "seats": {}}
    made = client.post("/api/v1/tables", json=body).json()
    axis = Seat(client, made["id"], made["tokens"]["axis"])
    while "Choose a hex to attack" not in (view := axis.view())["question"]["prompt"]:
        assert axis.act("pass", view["version"]).status_code == 200
    return axis, view


def test_an_attack_that_is_decided_on_comes_with_its_group(client: TestClient) -> None:
    axis, view = at_attacks(client)
    assert "plan" not in axis.post("preview", do="attack 1403").json()
    plan = axis.post("preview", do="attack 1403", decided=True).json()["plan"]
    assert plan[0] == "attack 1403"
    assert len(plan) > 2
    request = next(ids)
    done = axis.post("plan", version=view["version"], id=request, do=plan)
    assert done.status_code == 200, done.text
    now = done.json()["view"]
    assert now["version"] == view["version"] + len(plan)
    assert {f"add {u}" for u in now["question"]["units"]} == set(plan[1:])
    again = axis.post("plan", version=view["version"], id=request, do=plan)
    assert again.json()["view"]["version"] == now["version"], "sent again it is carried out once"


def test_a_plan_ends_where_an_action_is_not_listed_or_cannot_be_undone(client: TestClient) -> None:
    axis, view = at_attacks(client)
    plan = axis.post("preview", do="attack 1403", decided=True).json()["plan"]
    wrong = [*plan, "add nobody", "declare"]
    now = axis.post("plan", version=view["version"], id=next(ids), do=wrong).json()["view"]
    assert now["version"] == view["version"] + len(plan)
    more = ["declare", "pass", "pass", "pass"]
    after = axis.post("plan", version=now["version"], id=next(ids), do=more).json()
    log = axis.get("log", since=now["version"]).json()
    assert [e["text"] for e in log] == ["declare", "pass"], "the die is the end of it"
    assert after["entry"]["dice"]
    refused = axis.post("plan", version=0, id=next(ids), do=["declare"])
    assert refused.status_code == 409


def test_the_end_of_a_phase_that_is_decided_on_comes_with_what_is_left(client: TestClient) -> None:
    axis, _ = at_attacks(client)
    assert "warnings" not in axis.post("preview", do="pass").json()
    told = axis.post("preview", do="pass", decided=True).json()["warnings"]
    assert any(w["level"] == "idle" and "can still be attacked" in w["what"] for w in told)
    assert all(set(w) <= {"level", "what", "rule", "units", "hexes"} for w in told)
