"""The server: seats, versions, repeated requests, live views, resuming, limits."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from kessel.core.game import Game
from kessel.core.pack import Pack
from kessel.core.record import parse_record
from kessel.core.title import titles
from kessel.render import counters
from kessel.table.room import Room
from kessel.table.store import Store, StoreFailed
from tests.table.people import GAME, SCENARIO, Seat, asked, forget, ids, new_table, play, server

FIRST, SECOND = (GAME.sides[i] for i in GAME.played)


def test_games_rules_and_counters(client: TestClient) -> None:
    games = client.get("/api/v1/games").json()
    assert {g["id"] for g in games} == set(titles())
    assert all(g["levels"][0] == "random" for g in games)
    number = Pack(GAME.id).rows("rules.csv")[5]["rule"]
    assert client.get(f"/api/v1/games/{GAME.id}/rules/{number}").json()["statements"]
    svg = client.get(f"/api/v1/games/{GAME.id}/map.svg")
    assert svg.status_code == 200
    assert "<svg" in svg.text
    same = client.get(f"/api/v1/games/{GAME.id}/map.svg", headers={"If-None-Match": svg.headers["ETag"]})
    assert same.status_code == 304
    _, seats = new_table(client)
    pieces = seats["watch"].view()["table"]["pieces"][:3]
    drawn = client.post("/api/v1/counters", json={"pieces": pieces}).json()["svgs"]
    assert len(drawn) == 3
    assert all("<" in s for s in drawn)


# --- seats ----------------------------------------------------------------------------------------------------------


def test_only_the_side_asked_gets_choices(client: TestClient) -> None:
    _, seats = new_table(client)
    seat, view = asked(seats)
    assert view["question"]["choices"]
    for other in seats.values():
        if other is not seat:
            assert not other.view()["question"].get("choices")


def test_a_token_gives_one_seat_at_one_table(client: TestClient) -> None:
    table, seats = new_table(client)
    other, _ = new_table(client, seed=6)
    headers = seats["watch"].headers
    assert client.get(f"/api/v1/tables/{other}/view", headers=headers).status_code == 403
    assert client.get(f"/api/v1/tables/{table}/view").status_code == 403
    assert client.get("/api/v1/tables/none/view", headers=headers).status_code == 404
    assert client.get("/api/v1/tables/..%00/view", headers=headers).status_code == 404


def test_no_token_is_kept_or_told_again(client: TestClient, tmp_path: Path) -> None:
    _, seats = new_table(client)
    play(seats, 3)
    told = client.get("/api/v1/tables").text
    kept = b"".join(p.read_bytes() for p in tmp_path.iterdir())
    for seat in seats.values():
        token = seat.headers["Authorization"].removeprefix("Bearer ")
        assert token not in told
        assert token.encode() not in kept


def test_a_seat_can_be_claimed_again_on_ones_own_machine(client: TestClient, tmp_path: Path) -> None:
    table, seats = new_table(client)
    token = client.post(f"/api/v1/tables/{table}/claim", json={"side": FIRST}).json()["token"]
    assert Seat(client, table, token).view()["seat"] == FIRST
    assert seats[FIRST].get("view").status_code == 403
    forget(client, table)
    assert Seat(client, table, token).view()["seat"] == FIRST
    assert client.post(f"/api/v1/tables/{table}/claim", json={"side": "nobody"}).status_code == 400
    with server(tmp_path, one_person=False) as shared:
        assert shared.post(f"/api/v1/tables/{table}/claim", json={"side": FIRST}).status_code == 403
        assert shared.delete(f"/api/v1/tables/{table}").status_code == 403


def test_a_table_can_be_thrown_away_on_ones_own_machine(client: TestClient) -> None:
    table, seats = new_table(client)
    assert client.delete(f"/api/v1/tables/{table}").status_code == 200
    assert seats["watch"].get("view").status_code == 404
    assert client.get("/api/v1/tables").json() == []


def test_a_table_made_with_other_data_says_so_and_can_be_thrown_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with server(tmp_path) as client:
        table, seats = new_table(client)
    corrections = tmp_path / "corrections" / GAME.id
    corrections.mkdir(parents=True)
    (corrections / "counters-overlay.csv").write_text("id,faces\nHQ8C,0-1-12\n")
    monkeypatch.setenv("KESSEL_PACKS", str(corrections.parent))
    with server(tmp_path) as client:
        seat = seats["watch"]
        seat.client = client
        answer = seat.get("view")
        assert answer.status_code == 400
        assert "made with other data of don42" in answer.json()["error"]
        assert client.delete(f"/api/v1/tables/{table}").status_code == 200
        assert client.get("/api/v1/tables").json() == []
        assert client.delete(f"/api/v1/tables/{table}").status_code == 404


# --- changes --------------------------------------------------------------------------------------------------------


def test_an_action_is_carried_out_once(client: TestClient) -> None:
    table, seats = new_table(client)
    seat, view = asked(seats)
    do = view["question"]["choices"][0]["text"]
    first = seat.act(do, view["version"], "same")
    assert first.status_code == 200
    assert first.json()["entry"]["text"] == do
    for _ in range(2):
        again = seat.act(do, view["version"], "same")
        assert again.status_code == 200
        assert again.json() == first.json() | {"repeated": True}
        forget(client, table)
    assert seat.view()["version"] == view["version"] + 1
    assert len(seat.get("log").json()) == 1


def test_an_id_serves_one_request_of_one_seat(client: TestClient) -> None:
    _, seats = new_table(client)
    seat, view = asked(seats)
    choices = [c["text"] for c in view["question"]["choices"]]
    assert seat.act(choices[0], view["version"], "same").status_code == 200
    assert seat.act(choices[1], view["version"], "same").status_code == 409
    assert seat.post("undo", version=view["version"] + 1, id="same").status_code == 409
    for other in seats.values():
        if other is not seat:
            assert other.act(choices[0], view["version"], "same").status_code == 409
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
    for do in ("juggle", "move nobody 9999", "pass pass"):
        answer = seat.act(do, view["version"])
        assert answer.status_code == 409, answer.text
        assert answer.json()["view"]["version"] == view["version"]
    assert seat.view()["version"] == view["version"]


def test_what_the_table_itself_forbids_names_no_rule(client: TestClient) -> None:
    """A client shows a rule's number as a button that opens the rule."""
    _, seats = new_table(client)
    seat, view = asked(seats)
    nothing = seat.post("undo", version=view["version"], id=next(ids)).json()
    assert (nothing["error"], nothing["rule"]) == ("undo: nothing has been done yet", "")
    looking = seats["watch"].act("pass", view["version"]).json()
    assert (looking["error"], looking["rule"]) == ("you are looking on", "")


def test_undo_over_the_wire(client: TestClient) -> None:
    _, seats = new_table(client)
    rng = random.Random(2)
    for _ in range(200):
        seat, view = asked(seats)
        after = seat.act(rng.choice(view["question"]["choices"])["text"], view["version"]).json()["view"]
        if after.get("can_undo"):
            done = seat.post("undo", version=after["version"], id="undo")
            assert done.status_code == 200
            assert done.json()["view"]["question"]["choices"] == view["question"]["choices"]
            again = seat.post("undo", version=after["version"], id="undo")
            assert again.json() == done.json() | {"repeated": True}
            assert seat.post("undo", version=after["version"], id=next(ids)).status_code == 409
            return
    pytest.fail("nothing could be undone in 200 actions")


def test_rules_that_break_down_change_nothing(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    _, seats = new_table(client)
    play(seats, 2)
    seat, view = asked(seats)

    def broken(self: Game, action: Any) -> None:
        self.board.tracks[0] = 9
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(Game, "_do", broken)
        answer = seat.act(view["question"]["choices"][0]["text"], view["version"])
    assert answer.status_code == 500
    assert "nothing was changed" in answer.json()["error"]
    assert seat.view() == view
    play(seats, 2)


# --- what may be seen -----------------------------------------------------------------------------------------------


def test_an_event_for_one_side_is_told_to_that_side_only() -> None:
    game = Game.new(GAME.id, SCENARIO, seed=1)
    game.play(game.legal()[0])
    secret = {"what": "a card is drawn", "rule": "1", "only": FIRST}
    game.entries[-1].events = [{"what": "all may know", "rule": "1"}, secret]
    room = Room("t", game, {})
    room.changed(game.entries[-1])
    assert secret in room.log(FIRST)[-1].events
    for seat in (SECOND, ""):
        assert [e["what"] for e in room.log(seat)[-1].events] == ["all may know"]
        last = room.last_entry(seat)
        assert last is not None
        assert secret not in last.events


def test_who_looks_on_gets_no_answers_about_the_position(client: TestClient) -> None:
    _, seats = new_table(client)
    _, view = asked(seats)
    do = view["question"]["choices"][0]["text"]
    watch = seats["watch"]
    assert watch.post("why", do=do).status_code == 409
    assert watch.post("preview", do=do).status_code == 409
    assert watch.get("known").status_code == 403
    assert watch.post("ask", question="legal").status_code == 400
    assert watch.post("notify", mail="a@example.org").status_code == 400


def test_what_a_seat_knows_carries_no_seed(client: TestClient) -> None:
    table, seats = new_table(client, seed=None)
    play(seats, 4)
    seat, view = asked(seats)
    known = seat.get("known").json()
    assert known["version"] == view["version"]
    rooms = client.app.state.rooms  # type: ignore[attr-defined]
    seed = rooms._open[table].game.record.header.seed
    for what in ("known", "view", "log", "record"):
        assert seed not in seat.get(what).text


def test_the_record_tells_its_seed_only_at_the_end(client: TestClient) -> None:
    _, seats = new_table(client)
    play(seats, 5)
    record = parse_record(seats["watch"].get("record").content)
    assert record.seed is None
    assert len(record.lines) == 5


def test_a_branch_does_not_tell_its_dice(client: TestClient) -> None:
    _, seats = new_table(client)
    play(seats, 5)
    made = seats["watch"].post("branch", at=3).json()
    room = client.app.state.rooms._open[made["id"]]  # type: ignore[attr-defined]
    seed = next(x.reseed for x in room.game.record.lines if x.reseed)
    seat = Seat(client, made["id"], made["watch"])
    assert seed not in seat.get("record").text
    record = parse_record(seat.get("record").content)
    assert record.seed is None
    assert len(Game.replay(record).entries) == 3


def test_who_plays_against_a_person_cannot_branch_to_look_into_their_hand(tmp_path: Path) -> None:
    with server(tmp_path, one_person=False) as client:
        _, seats = new_table(client, seed=None)
        play(seats, 3)
        assert {s.post("branch", at=1).status_code for s in seats.values()} == {403}
        _, alone = new_table(client, **{SECOND: "program:random"})
        assert alone[FIRST].post("branch", at=0).status_code == 201
        assert alone["watch"].post("branch", at=0).status_code == 403


# --- keeping --------------------------------------------------------------------------------------------------------


def test_a_table_survives_the_server(tmp_path: Path) -> None:
    with server(tmp_path) as first:
        table, seats = new_table(first)
        play(seats, 150)
        before = {n: s.view() for n, s in seats.items()}
        log = seats["watch"].get("log").json()
    with server(tmp_path) as second:
        for n, s in seats.items():
            s.client = second
            assert s.view() == before[n]
        assert seats["watch"].get("log").json() == log
        assert [t["id"] for t in second.get("/api/v1/tables").json()] == [table]
        play(seats, 20)


def test_few_rooms_are_kept_open(tmp_path: Path) -> None:
    with server(tmp_path, most_open=2) as client:
        tables = [new_table(client, seed=n) for n in range(4)]
        for _ in range(3):
            for _, seats in tables:
                play(seats, 1)
        assert len(client.app.state.rooms._open) == 2  # type: ignore[attr-defined]
        assert {t["version"] for t in client.get("/api/v1/tables").json()} == {3}


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
    log = branch["watch"].get("log").json()
    assert log[:5] == seats["watch"].get("log").json()[:5]
    forget(client, made.json()["id"])
    assert branch["watch"].get("log").json() == log
    play(branch, 5)
    assert seats["watch"].post("branch", at=99).status_code == 400


# --- live -----------------------------------------------------------------------------------------------------------


def test_live_views(client: TestClient) -> None:
    table, seats = new_table(client)
    seat, view = asked(seats)
    token = seats["watch"].headers["Authorization"].removeprefix("Bearer ")
    with client.websocket_connect(f"/api/v1/tables/{table}/live") as socket:
        socket.send_json({"token": token})
        assert socket.receive_json()["view"]["version"] == view["version"]
        do = view["question"]["choices"][0]["text"]
        seat.act(do, view["version"])
        news = socket.receive_json()
        assert news["version"] == view["version"] + 1
        assert news["entry"]["text"] == do
        assert socket.receive_json()["view"]["version"] == view["version"] + 1


def test_actions_over_the_live_connection(client: TestClient) -> None:
    table, seats = new_table(client)
    seat, view = asked(seats)
    token = seat.headers["Authorization"].removeprefix("Bearer ")
    with client.websocket_connect(f"/api/v1/tables/{table}/live") as socket:
        socket.send_json({"token": token})
        socket.receive_json()

        def send(message: Any, answer: str) -> Any:
            socket.send_json(message)
            while answer not in (doc := socket.receive_json()):
                assert "version" in doc.get("view", doc)
            return doc

        act = {"version": view["version"], "id": "w1", "do": view["question"]["choices"][0]["text"]}
        assert send({"act": act}, "done")["done"] == "w1"
        assert send({"act": act}, "done")["entry"]["text"] == act["do"]
        refused = send({"act": act | {"id": "w2"}}, "error")
        assert refused["id"] == "w2"
        assert refused["view"]["version"] == view["version"] + 1
        for nonsense in (
            {},
            [],
            1,
            {"act": 1},
            {"act": act, "undo": {"version": 1, "id": "x"}},
            {"act": act | {"x": 1}},
        ):
            assert send(nonsense, "error")["error"].startswith("a message is")
        assert send({"undo": {"version": 0, "id": "u"}}, "error")["error"]
    assert seat.view()["version"] == view["version"] + 1


@pytest.mark.parametrize("first", [{"token": "guess"}, {"token": None}, {}, [], "x"])
def test_a_wrong_token_gets_no_live_view(client: TestClient, first: Any) -> None:
    table, _ = new_table(client)
    with client.websocket_connect(f"/api/v1/tables/{table}/live") as socket:
        socket.send_json(first)
        closed = socket.receive()
        assert closed["type"] == "websocket.close"
        assert closed["code"] == 4403


def test_bytes_over_the_live_connection_are_refused_like_other_nonsense(client: TestClient) -> None:
    table, seats = new_table(client)
    with client.websocket_connect(f"/api/v1/tables/{table}/live") as socket:
        socket.send_bytes(b"\xff\xfe")
        closed = socket.receive()
        assert (closed["code"], closed["reason"]) == (4403, 'the first message is {"token": ...}')
    with client.websocket_connect(f"/api/v1/tables/{table}/live") as socket:
        socket.send_json({"token": seats["watch"].headers["Authorization"].split()[1]})
        assert "view" in socket.receive_json()
        socket.send_bytes(b"\x00\xff")
        assert "a message is" in socket.receive_json()["error"]
        socket.send_json({"whole": True})
        assert "view" in socket.receive_json(), "the connection stands"


def test_a_live_view_that_cannot_be_read_now_may_be_asked_for_again(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, seats = new_table(client)
    forget(client, table)

    def fails(*_: Any) -> None:
        raise StoreFailed("the table cannot be read: the disk is gone")

    with monkeypatch.context() as patch:
        patch.setattr(Store, "load", fails)
        with client.websocket_connect(f"/api/v1/tables/{table}/live") as socket:
            socket.send_json({"token": seats["watch"].headers["Authorization"].removeprefix("Bearer ")})
            assert socket.receive()["code"] == 1013
        assert seats["watch"].get("view").status_code == 503
    assert seats["watch"].get("view").status_code == 200


def test_who_loses_the_seat_loses_the_live_view(client: TestClient) -> None:
    table, seats = new_table(client)
    token = seats[FIRST].headers["Authorization"].removeprefix("Bearer ")
    with client.websocket_connect(f"/api/v1/tables/{table}/live") as socket:
        socket.send_json({"token": token})
        socket.receive_json()
        client.post(f"/api/v1/tables/{table}/claim", json={"side": FIRST})
        assert socket.receive()["code"] == 4403


# --- limits ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"game": "chess", "scenario": "x"}, 400),
        ({"game": GAME.id, "scenario": "x"}, 400),
        ({"game": GAME.id, "scenario": SCENARIO, "options": {"x": "y"}}, 400),
        ({"game": GAME.id, "scenario": SCENARIO, "seats": {"nobody": "me"}}, 400),
        ({"game": GAME.id, "scenario": SCENARIO, "seats": {FIRST: "program:genius"}}, 400),
        ({"game": GAME.id, "scenario": SCENARIO, "seed": -1}, 422),
        ({"game": GAME.id}, 400),
        ([], 422),
    ],
)
def test_a_bad_table_is_refused_with_a_sentence(client: TestClient, body: Any, status: int) -> None:
    answer = client.post("/api/v1/tables", json=body)
    assert answer.status_code == status
    assert set(answer.json()) == {"error", "rule"}
    assert answer.json()["error"]
    assert client.get("/api/v1/tables").json() == []


def test_limits_and_headers(client: TestClient, tmp_path: Path) -> None:
    assert client.post("/api/v1/tables", content=b"x" * 300_000).status_code == 413
    assert client.post("/api/v1/tables", content=iter([b"{}"])).status_code == 413
    answer = client.get("/api/v1/games")
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert client.get("/api/v1/nothing").status_code == 404
    assert client.get("/api/v1/tables", headers={"Origin": "http://evil.example"}).status_code == 403
    with server(tmp_path, requests_a_minute=3) as other:
        assert [other.get("/api/v1/tables").status_code for _ in range(5)] == [200, 200, 200, 429, 429]
    with server(tmp_path, hosts=("127.0.0.1",)) as other:
        assert other.get("/api/v1/tables").status_code == 403
        assert other.get("/api/v1/tables", headers={"Host": "127.0.0.1:8642"}).status_code == 200
    with server(tmp_path, most_tables=1) as other:
        new_table(other)
        body = {"game": GAME.id, "scenario": SCENARIO}
        assert other.post("/api/v1/tables", json=body).status_code == 429


def test_the_list_of_games_and_maps_are_sent_compressed(tmp_path: Path) -> None:
    with server(tmp_path) as client:
        for path in ("/api/v1/games", "/api/v1/games/don42/map.svg?scenario=short-game"):
            plain = client.get(path, headers={"Accept-Encoding": "identity"})
            packed = client.get(path, headers={"Accept-Encoding": "gzip"})
            assert "content-encoding" not in plain.headers
            assert packed.headers["content-encoding"] == "gzip"
            assert packed.content == plain.content
            assert packed.headers["vary"] == "Accept-Encoding"


def test_counters_are_sent_compressed_and_drawn_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    draw = counters.counter_svg
    monkeypatch.setattr(counters, "counter_svg", lambda p, style: drawn.append(p.id) or draw(p, style))
    with server(tmp_path) as client:
        piece = {"id": "drawn-once", "side": "german", "place": "0101", "name": "Once", "kind": "infantry"}
        told = [
            client.post("/api/v1/counters", json={"pieces": [{**piece, "place": at}], "near": True}, headers=headers)
            for at, headers in (("0101", {"Accept-Encoding": "gzip"}), ("0202", {"Accept-Encoding": "identity"}))
        ]
        assert [answer.headers.get("content-encoding") for answer in told] == ["gzip", None]
        assert told[0].json() == told[1].json()
    assert drawn == ["drawn-once"]


def test_the_library_has_the_signs_of_the_map(tmp_path: Path) -> None:
    with server(tmp_path) as client:
        for game in ("stalingrad42", "bug41"):
            shelf = client.get(f"/api/v1/games/{game}/library").json()
            assert "movement" in shelf["counter"], "how a counter is read"
            signs = shelf["signs"]
            names = {sign["name"].lower() for sign in signs}
            assert any("woods" in name or "forest" in name for name in names), names
            assert len(names) >= 8
            assert all(sign["svg"].startswith("<") for sign in signs)
