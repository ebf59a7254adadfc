"""Calls a client makes before it acts: previews of many actions, a program's suggestion, the drawn map."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

KHARKOV = {"game": "kharkov43", "scenario": "initial-assault", "seed": 1, "seats": {"german": "me"}}


def test_previews_answer_for_each_listed_action_and_for_nobody_else(client: TestClient) -> None:
    made = client.post("/api/v1/tables", json=KHARKOV).json()
    seat = {"Authorization": f"Bearer {made['tokens']['german']}"}
    path = f"/api/v1/tables/{made['id']}"
    view = client.get(f"{path}/view", headers=seat).json()
    listed = [c["text"] for c in view["question"]["choices"]]
    found = client.post(f"{path}/previews", headers=seat, json={"do": [*listed, "move nobody 0101"]}).json()["previews"]
    assert len(found) == len(listed) + 1
    assert all(p is not None for p in found[:-1])
    assert found[-1] is None
    watching = {"Authorization": f"Bearer {made['watch']}"}
    assert client.post(f"{path}/previews", headers=watching, json={"do": listed}).json()["previews"] == [None] * len(
        listed
    )
    assert client.get(f"{path}/view", headers=seat).json() == view


def test_a_hint_is_one_of_the_listed_actions_and_changes_nothing(client: TestClient) -> None:
    made = client.post("/api/v1/tables", json=KHARKOV).json()
    seat = {"Authorization": f"Bearer {made['tokens']['german']}"}
    path = f"/api/v1/tables/{made['id']}"
    view = client.get(f"{path}/view", headers=seat).json()
    hint = client.post(f"{path}/hint", headers=seat).json()
    assert hint["do"] in [c["text"] for c in view["question"]["choices"]]
    assert client.get(f"{path}/view", headers=seat).json() == view
    assert hint["says"]
    asked = client.post(f"{path}/ask", headers=seat, json={"question": "advice"}).json()
    assert asked == {"question": "advice", **hint}
    refused = client.post(f"{path}/ask", headers=seat, json={"question": "advice", "level": "genius"})
    assert refused.status_code == 400
    assert "no program 'genius'" in refused.json()["error"]


DON = {"game": "don42", "scenario": "short-game", "seed": 1, "seats": {}}


@pytest.mark.parametrize("call", [("hint", {}), ("ask", {"question": "advice"})])
def test_advice_is_for_the_side_that_must_decide_alone(client: TestClient, call: tuple[str, dict[str, str]]) -> None:
    """The other side would learn what is going to be done, who looks on could tell it."""
    made = client.post("/api/v1/tables", json=DON).json()
    path, (what, body) = f"/api/v1/tables/{made['id']}", call
    seats = {**made["tokens"], "watch": made["watch"]}
    view = client.get(f"{path}/view", headers={"Authorization": f"Bearer {made['watch']}"}).json()
    for seat, token in seats.items():
        answer = client.post(f"{path}/{what}", headers={"Authorization": f"Bearer {token}"}, json=body)
        assert answer.status_code == (200 if seat == view["question"]["side"] else 409), seat


def test_the_map_is_drawn_for_a_scenario(client: TestClient) -> None:
    whole = client.get("/api/v1/games/kharkov43/map.svg")
    assert whole.text.startswith("<svg")
    assert 'data-hex="0912"' in whole.text
    assert client.get("/api/v1/games/kharkov43/map.svg?scenario=campaign").text == whole.text
    assert client.get("/api/v1/games/kharkov43/map.svg?scenario=nonsense").status_code == 400
