"""A Reaction in the middle of the other side's activation, both sides at their own connections."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import pytest
from fastapi.testclient import TestClient

from kessel.core.hexset import members
from kessel.games.bug41.board import Board
from kessel.games.bug41.data.forces import GERMAN, SOVIET
from kessel.games.bug41.movement.move import Move
from kessel.games.bug41.turn.activation import reacting
from tests.table.people import ids

SEED = 1
"""With these dice the Reaction Check succeeds."""


class Player:
    """A side at a live connection: acts, and knows the table by what it is told."""

    version = 0
    """That of the table, as whoever acted last knows."""

    def __init__(self, client: TestClient, stack: ExitStack, table: str, token: str) -> None:
        self.socket = stack.enter_context(client.websocket_connect(f"/api/v1/tables/{table}/live"))
        self.socket.send_json({"token": token})
        self.view: Any = self.socket.receive_json()["view"]

    def question(self) -> Any:
        """What is asked now, once this connection has been told of all that was done."""
        while self.view["version"] < Player.version:
            self._take(self.socket.receive_json())
        return self.view["question"]

    def asked(self) -> tuple[str, str]:
        return self.question()["side"], self.question()["rule"]

    def choices(self) -> list[str]:
        return [c["text"] for c in self.question().get("choices") or ()]

    def act(self, do: str) -> str:
        """Nothing, or why it was refused."""
        self.question()
        self.socket.send_json({"act": {"version": Player.version, "id": next(ids), "do": do}})
        while not {"done", "error"} & set(answer := self.socket.receive_json()):
            self._take(answer)
        Player.version += "done" in answer
        return str(answer.get("error", ""))

    def _take(self, message: Any) -> None:
        if "view" in message:
            self.view = message["view"]


def into_a_zone(g: Board) -> str:
    """The way of a German move that Soviet formations may react to."""
    p = g.stack[-1]
    assert isinstance(p, Move)
    hexes = [h for h in members(p.ways(g).ends) if reacting(g, SOVIET, h, ())]
    return f"to {g.hex_name(hexes[0])}" if hexes else "stay"


@pytest.mark.rule("bug41", "RX-6.4.1", "RX-6.4.2", "RX-6.4.3")
def test_the_other_seat_reacts_in_the_middle_of_an_activation(client: TestClient) -> None:
    body = {"game": "bug41", "scenario": "voinitsa", "seed": SEED, "seats": {}}
    made = client.post("/api/v1/tables", json=body).json()
    Player.version = 0
    with ExitStack() as stack:
        german, soviet = (Player(client, stack, made["id"], made["tokens"][side]) for side in ("german", "soviet"))
        g = client.app.state.rooms._open[made["id"]].game.board  # type: ignore[attr-defined]
        while "activate 14Pz" not in german.choices():
            assert not (german if german.choices() else soviet).act("pass")
        assert not german.act("activate 14Pz")
        way = "stay"
        for move in [c for c in german.choices() if c.startswith("move") and "," not in c]:
            assert not german.act(move)
            way = into_a_zone(g)
            assert not german.act(way)
            if way != "stay":
                break
        points = g.stack[-2].points

        # the German has moved, and the Soviet is asked before the German goes on
        assert soviet.asked() == german.asked() == ("soviet", "RX-6.4.2")
        react = [c for c in soviet.choices() if c.startswith("react")]
        assert react
        assert "pass" in soviet.choices()
        assert german.choices() == []
        assert "not your decision" in german.act("pass")

        # he reacts with the red points, while the German looks on
        assert not soviet.act(react[0])
        assert soviet.asked() == german.asked() == ("soviet", "RX-6.3")
        assert [type(p).__name__ for p in g.stack[-3:]] == ["Activation", "Reaction", "Activation"]
        assert (g.stack[-1].side, g.stack[-1].reaction) == (SOVIET, True)
        assert german.choices() == []
        assert any(c.startswith("move") for c in soviet.choices())
        assert not soviet.act("pass")

        # and the German goes on where he was
        assert soviet.asked() == german.asked() == ("german", "RX-6.3")
        assert (g.stack[-1].side, g.stack[-1].points) == (GERMAN, points)
        assert soviet.choices() == []
        assert not german.act("pass")
