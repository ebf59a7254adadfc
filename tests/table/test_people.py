"""People at a table: names, talk, notes, presence, taking back by consent; a record brought from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from kessel.core.game import Game
from kessel.core.record import parse_record
from tests.table.people import GAME, SCENARIO, Seat, asked, forget, make, play, server
from tests.table.test_invitations import FIRST, MINE, SECOND, THEIRS, call, join, sat_down


@pytest.fixture
def shared(tmp_path: Path) -> Iterator[TestClient]:
    with server(tmp_path, one_person=False, tables_a_minute=1000) as found:
        yield found


def texts(seat: Seat) -> list[str]:
    return [x["text"] for x in seat.get("talk").json()]


def test_players_and_those_who_look_on_have_threads_of_their_own_and_notes_are_private(shared: TestClient) -> None:
    made, seats = sat_down(shared)
    assert seats[FIRST].post("talk", text="Good luck").status_code == 200
    assert seats[SECOND].post("talk", text="hold 2537", note=True).status_code == 200
    assert seats["watch"].post("talk", text="He will lose", name="Olga").json()["name"] == "Olga"
    assert texts(seats[FIRST]) == ["Good luck"]
    assert texts(seats[SECOND]) == ["Good luck", "hold 2537"]
    assert texts(seats["watch"]) == ["He will lose"]
    assert seats["watch"].post("talk", text="mine", note=True).status_code == 400
    stranger = Seat(shared, made["id"], "nobody")
    assert stranger.get("talk").status_code == stranger.post("talk", text="x").status_code == 403
    forget(shared, made["id"])
    assert texts(seats[SECOND]) == ["Good luck", "hold 2537"], "also after a restart"


def test_names_stand_in_the_list_and_beside_what_was_said(shared: TestClient) -> None:
    made, seats = sat_down(shared)
    seats[FIRST].post("talk", text="Hello")
    assert seats[FIRST].post("name", name="Anna").status_code == 200
    assert seats["watch"].post("name", name="Spy").status_code == 400
    row = next(r for r in shared.get("/api/v1/tables").json() if r["id"] == made["id"])
    assert [s["name"] for s in row["seats"] if s["side"] == FIRST] == ["Anna"]
    assert seats[SECOND].get("talk").json()[0]["name"] == "Anna"
    assert {s["side"]: s["name"] for s in seats[SECOND].get("people").json()["seats"]}[FIRST] == "Anna"


def until(socket: Any, key: str) -> Any:
    while True:
        message = socket.receive_json()
        if key in message:
            return message[key]


def test_one_is_told_who_comes_goes_looks_away_and_speaks(shared: TestClient) -> None:
    made, seats = sat_down(shared)
    live = f"/api/v1/tables/{made['id']}/live"
    tokens = {side: seats[side].headers["Authorization"].removeprefix("Bearer ") for side in (FIRST, SECOND, "watch")}

    def here(people: Any) -> dict[str, str]:
        return {s["side"]: s["here"] for s in people["seats"]}

    with shared.websocket_connect(live) as first:
        first.send_json({"token": tokens[FIRST], "differences": True, "people": True})
        assert here(until(first, "people")) == {FIRST: "here", SECOND: ""}
        with shared.websocket_connect(live) as second:
            second.send_json({"token": tokens[SECOND], "differences": True, "people": True})
            assert here(until(first, "people")) == {FIRST: "here", SECOND: "here"}
            second.send_json({"looks": "away"})
            assert here(until(first, "people"))[SECOND] == "away"
            seats[SECOND].post("talk", text="secret", note=True)
            seats["watch"].post("talk", text="from the gallery")
            seats[SECOND].post("talk", text="Back soon")
            assert [x["text"] for x in until(first, "talk")] == ["Back soon"]
        assert here(until(first, "people"))[SECOND] == ""


def dice_of(game: Game) -> list[tuple[int, int]]:
    return [d for line in game.record.lines for d in line.dice]


def test_what_was_rolled_is_taken_back_by_consent_and_the_dice_go_on(shared: TestClient) -> None:
    made, seats = sat_down(shared)
    for n in range(400):
        _seat, view = asked(seats)
        log = seats[FIRST].get("log").json()
        if log and log[-1].get("dice") and log[-1]["side"] == view["question"]["side"]:
            break
        play(seats, 1, seed=n)
    side = log[-1]["side"]
    mine, other = seats[side], seats[SECOND if side == FIRST else FIRST]
    before, pledge = view["version"], view["commitment"]
    assert mine.post("undo", version=before, id="u").status_code == 409, "not past a die alone"
    assert mine.post("takeback", to=len(log)).status_code == 409
    wish = mine.post("takeback", to=len(log) - 1).json()
    assert wish["text"] == "asks to take back the last action"
    for nobody in (mine, seats["watch"]):
        assert nobody.post("takeback/answer", n=wish["n"], allow=True).status_code == 409
    assert mine.view()["version"] == before
    assert other.post("takeback/answer", n=wish["n"], allow=True).status_code == 200
    assert other.post("takeback/answer", n=wish["n"], allow=True).status_code == 409, "once"
    after = mine.view()
    assert (after["version"], after["commitment"]) == (before + 1, pledge)
    assert len(mine.get("log").json()) == len(log) - 1
    assert mine.act(log[-1]["text"], after["version"]).status_code == 200
    forget(shared, made["id"])
    assert mine.view()["version"] == before + 2, "also after a restart"
    room = shared.app.state.rooms._open[made["id"]]  # type: ignore[attr-defined]
    again = Game.replay(parse_record(room.game.record.text().encode()))
    assert again.board.digest() == room.game.board.digest()
    assert again.board.dice.count == len(room.game.record.header.dice) + len(dice_of(room.game)), "none is rolled twice"


def test_a_wish_is_void_when_the_game_has_gone_on_or_nobody_is_there_to_ask(shared: TestClient, tmp_path: Path) -> None:
    _, seats = sat_down(shared)
    play(seats, 12)
    log = seats[FIRST].get("log").json()
    to, entry = next((i, e) for i, e in reversed(list(enumerate(log))))
    mine, other = seats[entry["side"]], seats[SECOND if entry["side"] == FIRST else FIRST]
    wish = mine.post("takeback", to=to).json()
    play(seats, 1, seed=9)
    assert "gone on" in other.post("takeback/answer", n=wish["n"], allow=True).json()["error"]
    made = make(shared, **{SECOND: "program:random"})
    alone = Seat(shared, made["id"], made["tokens"][FIRST])
    assert alone.post("takeback", to=0).status_code == 409


def test_a_seat_for_whoever_likes_stands_in_the_list_until_it_is_taken(shared: TestClient) -> None:
    body = {"game": GAME.id, "scenario": SCENARIO, "seats": {SECOND: "open"}, "entropy": MINE, "for_all": True}
    made = shared.post("/api/v1/tables", json=body | {"name": "Anna"}).json()
    quiet = shared.post("/api/v1/tables", json=body | {"for_all": False}).json()

    def listed(table: str) -> dict[str, str]:
        found: dict[str, str] = next(r for r in shared.get("/api/v1/tables").json() if r["id"] == table)["open"]
        return found

    assert listed(quiet["id"]) == {}
    assert listed(made["id"]) == made["invitations"]
    anew = call(shared, made["id"], "invitation", made["keeper"], side=SECOND).json()["invitation"]
    assert listed(made["id"]) == {SECOND: anew}
    assert join(shared, made, anew, THEIRS).status_code == 200
    assert listed(made["id"]) == {}


@pytest.mark.parametrize("finished", [False, True])
def test_a_record_is_taken_in_when_it_can_be_played_again(shared: TestClient, *, finished: bool) -> None:
    playing = Game.new(GAME.id, SCENARIO, seed=4)
    while not playing.over and (finished or len(playing.entries) < 30):
        listed = playing.legal()
        playing.play(("pass",) if ("pass",) in listed else listed[0])
    made = shared.post("/api/v1/import", json={"record": playing.record.text()})
    assert made.status_code == 201, made.text
    doc = made.json()
    seat = Seat(shared, doc["id"], doc["tokens"][FIRST])
    assert [e["text"] for e in seat.get("log").json()] == [e.text for e in playing.entries]
    assert (seat.view().get("outcome") is not None) == finished
    if not finished:
        assert seat.view()["commitment"] != playing.pledge, "it goes on with other dice"
    row = next(r for r in shared.get("/api/v1/tables").json() if r["id"] == doc["id"])
    assert (row["outcome"] is not None) == finished
    lines = playing.record.text().splitlines()
    wrong = "\n".join([*lines[:3], f'{{"side":"{FIRST}","do":"fly 0000"}}', *lines[3:]])
    assert shared.post("/api/v1/import", json={"record": wrong}).status_code == 400
    assert shared.post("/api/v1/import", json={"record": "nonsense"}).status_code == 400
