"""Draws that nobody may know yet are in no log and no record before the end, and are checked after it."""

from __future__ import annotations

import random
from typing import Any

import pytest
from fastapi.testclient import TestClient

from kessel.core.dice import UNTOLD, Roll
from kessel.core.errors import KesselError
from kessel.core.game import Entry, Game
from kessel.core.record import parse_record
from tests.table.people import GAME, Seat, asked, forget, new_table


def kharkov(client: TestClient) -> Seat:
    body = {"game": "kharkov43", "scenario": "initial-assault", "seed": 1, "seats": {"german": "me"}}
    made = client.post("/api/v1/tables", json=body).json()
    return Seat(client, made["id"], made["tokens"]["german"])


def test_cards_dealt_unseen_are_told_to_nobody(client: TestClient) -> None:
    seat = kharkov(client)
    rng = random.Random(1)
    game: Any = client.app.state.rooms._open[seat.table].game  # type: ignore[attr-defined]
    for _ in range(60):
        view = seat.view()
        if view.get("question") is None or any(x.secret for x in game.record.lines):
            break
        choices = view["question"]["choices"]
        assert seat.act(rng.choice(choices)["text"], view["version"]).status_code == 200
    head = game.record.header
    assert head.secret, "the first cards are dealt unseen"
    drawing = [n for n, e in enumerate(game.entries) if any(r.secret for r in e.dice)]
    assert drawing, "more cards are drawn while the game goes on"
    for _ in range(2):
        log = seat.get("log").json()
        for n in drawing:
            open_dice = [[r.sides, r.value] for r in game.entries[n].dice if not r.secret]
            assert log[n].get("dice", []) == open_dice
        told = parse_record(seat.get("record").content)
        assert [v for i, (_, v) in enumerate(told.header.dice) if i in told.header.secret] == [UNTOLD] * len(
            head.secret
        )
        assert all(line.dice[i][1] == UNTOLD for line in told.lines for i in line.secret)
        with pytest.raises(KesselError, match="when the game is over"):
            Game.replay(told)
        forget(client, seat.table)
    assert len(Game.replay(parse_record(game.record.text().encode())).entries) == len(game.entries)


def test_secret_draws_are_told_at_the_end() -> None:
    game = Game.new("kharkov43", "initial-assault", seed=1)
    entry = Entry(0, ("pass",), "pass", (Roll(6, 3), Roll(12, 7, secret=True)), [])
    assert game.told(entry) == [(6, 3)]
    game.board.stack.clear()
    assert game.over
    assert game.told(entry) == [(6, 3), (12, 7)]


def test_of_a_secret_action_others_read_only_the_verb(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    table, seats = new_table(client)
    seat, view = asked(seats)
    do = next(c["text"] for c in view["question"]["choices"] if " " in c["text"])
    monkeypatch.setattr(type(GAME), "secret", frozenset({do.split()[0]}))
    with client.websocket_connect(f"/api/v1/tables/{table}/live") as socket:
        socket.send_json({"token": seats["watch"].headers["Authorization"].removeprefix("Bearer ")})
        socket.receive_json()
        assert seat.act(do, view["version"]).json()["entry"]["text"] == do
        assert socket.receive_json()["entry"]["text"] == do.split()[0]
    for s in seats.values():
        shown = do if s is seat else do.split()[0]
        assert s.get("log").json()[0]["text"] == shown
        assert parse_record(s.get("record").content).lines[0].do == shown
