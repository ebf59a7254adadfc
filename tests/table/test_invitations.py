"""Open seats: an invitation is used once, nobody but who uses it holds the seat, and both add to the dice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from kessel.core.dice import commitment
from kessel.core.errors import WrongRecord
from kessel.core.game import Game
from kessel.core.record import parse_record
from kessel.table.room import Room
from tests.table.people import GAME, SCENARIO, Seat, asked, forget, make, play, server

FIRST, SECOND = (GAME.sides[i] for i in GAME.played)
MINE, THEIRS = "a1" * 16, "b2" * 16


@pytest.fixture
def shared(tmp_path: Path) -> Iterator[TestClient]:
    with server(tmp_path, one_person=False, tables_a_minute=1000) as found:
        yield found


def invited(client: TestClient) -> Any:
    return make(client, entropy=MINE, **{SECOND: "open"})


def call(client: TestClient, table: str, what: str, token: str = "", **body: Any) -> Any:
    headers = {"Authorization": f"Bearer {token}"}
    return client.post(f"/api/v1/tables/{table}/{what}", headers=headers, json=body)


def join(client: TestClient, made: Any, code: str = "", entropy: str = THEIRS) -> Any:
    return call(client, made["id"], "join", code or made["invitations"][SECOND], entropy=entropy)


def sat_down(client: TestClient) -> tuple[Any, dict[str, Seat]]:
    """A table at which two persons sit."""
    made = invited(client)
    taken = join(client, made)
    assert taken.status_code == 200, taken.text
    tokens = made["tokens"] | {SECOND: taken.json()["token"], "watch": made["watch"]}
    made["recovery"][SECOND] = taken.json()["recovery"]
    return made, {side: Seat(client, made["id"], token) for side, token in tokens.items()}


def room_of(client: TestClient, made: Any) -> Room:
    room: Room = client.app.state.rooms._open[made["id"]]  # type: ignore[attr-defined]
    return room


# --- inviting -------------------------------------------------------------------------------------------------------


def test_who_makes_a_table_never_holds_the_other_seats_token(shared: TestClient, tmp_path: Path) -> None:
    made = invited(shared)
    assert set(made["tokens"]) == set(made["recovery"]) == {FIRST}
    assert set(made["invitations"]) == {SECOND}
    known = [*made["tokens"].values(), *made["invitations"].values(), *made["recovery"].values(), made["watch"]]
    known.append(made["keeper"])
    taken = join(shared, made).json()
    assert taken["side"] == SECOND
    assert not {taken["token"], taken["recovery"]} & set(known)
    assert Seat(shared, made["id"], taken["token"]).view()["seat"] == SECOND
    for secret in known:  # whatever they hold, the other seat's view is closed to them
        answer = Seat(shared, made["id"], secret).get("view")
        assert answer.status_code == 403 or answer.json()["seat"] != SECOND
    kept = b"".join(p.read_bytes() for p in tmp_path.iterdir() if p.is_file())
    for secret in (*known, taken["token"], taken["recovery"]):
        assert secret.encode() not in kept


def test_an_invitation_is_used_once(shared: TestClient) -> None:
    made = invited(shared)
    headers = {"Authorization": f"Bearer {made['invitations'][SECOND]}"}
    path = f"/api/v1/tables/{made['id']}/invitation"
    for _ in range(2):
        told = shared.get(path, headers=headers).json()
        assert told == {
            "id": made["id"],
            "game": GAME.id,
            "scenario": SCENARIO,
            "options": told["options"],
            "side": SECOND,
            "commitment": made["commitment"],
        }
    first = join(shared, made).json()["token"]
    for _ in range(2):
        assert join(shared, made, entropy="c3" * 16).status_code == 403
        assert shared.get(path, headers=headers).status_code == 403
        assert Seat(shared, made["id"], first).view()["seat"] == SECOND
        forget(shared, made["id"])


def test_an_invitation_can_be_withdrawn_and_made_anew(shared: TestClient) -> None:
    made = invited(shared)
    table, keeper, old = made["id"], made["keeper"], made["invitations"][SECOND]
    assert call(shared, table, "withdraw", keeper, side=SECOND).status_code == 200
    assert join(shared, made).status_code == 403
    forget(shared, table)
    assert join(shared, made).status_code == 403
    codes = [call(shared, table, "invitation", keeper, side=SECOND).json()["invitation"] for _ in range(2)]
    assert join(shared, made, old).status_code == 403
    assert join(shared, made, codes[0]).status_code == 403
    assert join(shared, made, codes[1]).status_code == 200
    for what in ("invitation", "withdraw"):
        assert call(shared, table, what, keeper, side=SECOND).status_code == 409, "somebody sits there"
        assert call(shared, table, what, keeper, side=FIRST).status_code == 409


def test_only_who_made_the_table_invites(shared: TestClient) -> None:
    made = invited(shared)
    others = ("", "guess", made["watch"], made["tokens"][FIRST], made["invitations"][SECOND], made["recovery"][FIRST])
    for what in ("invitation", "withdraw"):
        assert {call(shared, made["id"], what, token, side=SECOND).status_code for token in others} == {403}
    assert Seat(shared, made["id"], made["keeper"]).get("view").status_code == 403, "the keeper has no seat"
    assert join(shared, made).status_code == 200


def test_all_seats_may_be_open_and_are_still_kept(shared: TestClient) -> None:
    made = make(shared, **{FIRST: "open", SECOND: "open"})
    assert made["tokens"] == {}
    code = call(shared, made["id"], "invitation", made["keeper"], side=FIRST).json()["invitation"]
    one = call(shared, made["id"], "join", code, entropy=MINE).json()
    assert Seat(shared, made["id"], one["token"]).view()["waiting"] == [SECOND]
    two = join(shared, made).json()
    seats = {x["side"]: Seat(shared, made["id"], x["token"]) for x in (one, two)}
    play(seats | {"watch": Seat(shared, made["id"], made["watch"])}, 3)
    assert room_of(shared, made).game.record.header.entropy == {FIRST: MINE, SECOND: THEIRS}


def test_nobody_acts_before_all_have_come(shared: TestClient) -> None:
    made = invited(shared)
    seat = Seat(shared, made["id"], made["tokens"][FIRST])
    assert [s["kind"] for s in shared.get("/api/v1/tables").json()[0]["seats"]] == ["person", "open"]
    do = room_of(shared, made).game.legal_texts()[0]
    view = seat.view()
    assert view["waiting"] == [SECOND]
    assert not view["question"].get("choices")
    answer = seat.act(do, 0)
    assert answer.status_code == 409
    assert "begins when all have come" in answer.json()["error"]
    with shared.websocket_connect(f"/api/v1/tables/{made['id']}/live") as socket:
        socket.send_json({"token": made["tokens"][FIRST], "differences": True})
        assert socket.receive_json()["view"]["waiting"] == [SECOND]
        join(shared, made)
        now = socket.receive_json()["view"]
        assert "waiting" not in now
        assert now["commitment"].startswith(made["commitment"] + ".")


def test_a_program_waits_for_the_others_too(tmp_path: Path) -> None:
    with server(tmp_path, one_person=False) as client:
        made = make(client, **{FIRST: "program:random", SECOND: "open"})
        assert client.app.state.thinkers._running == {}  # type: ignore[attr-defined]
        assert room_of(client, made).program is None
        assert join(client, made).status_code == 200


# --- getting a seat back --------------------------------------------------------------------------------------------


def test_a_lost_seat_is_recovered_by_its_owner_and_by_nobody_else(shared: TestClient) -> None:
    made, seats = sat_down(shared)
    for side in (FIRST, SECOND):
        code = made["recovery"][side]
        got = call(shared, made["id"], "recover", recovery=code).json()
        assert got["side"] == side
        forget(shared, made["id"])
        assert seats[side].get("view").status_code == 403, "the lost token stops working"
        assert Seat(shared, made["id"], got["token"]).view()["seat"] == side
        assert call(shared, made["id"], "recover", recovery=code).status_code == 403, "a code is used once"
        assert call(shared, made["id"], "recover", recovery=got["recovery"]).status_code == 200
    secrets = (made["keeper"], made["watch"], made["tokens"][FIRST], made["invitations"][SECOND], "guess")
    for secret in secrets:
        assert call(shared, made["id"], "recover", recovery=secret).status_code == 403
        assert call(shared, made["id"], "claim", secret, side=SECOND).status_code == 403


def test_on_ones_own_machine_no_seat_of_a_table_with_a_guest_is_claimed(client: TestClient) -> None:
    made = invited(client)
    for side in (FIRST, SECOND):
        assert call(client, made["id"], "claim", side=side).status_code == 403
    join(client, made)
    forget(client, made["id"])
    for side in (FIRST, SECOND):
        assert call(client, made["id"], "claim", side=side).status_code == 403


# --- dice -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [{}, {SECOND: "open"}, {FIRST: "open", SECOND: "open"}, {FIRST: "me", SECOND: "me"}])
def test_nobody_chooses_the_dice_where_a_second_person_may_sit(shared: TestClient, seats: dict[str, str]) -> None:
    body = {"game": GAME.id, "scenario": SCENARIO, "seats": seats, "entropy": MINE}
    answer = shared.post("/api/v1/tables", json=body | {"seed": 5})
    assert answer.status_code == 400
    assert "leave the seed out" in answer.json()["error"]
    assert shared.post("/api/v1/tables", json=body).status_code == 201


def test_also_on_ones_own_machine(client: TestClient) -> None:
    body = {"game": GAME.id, "scenario": SCENARIO, "seats": {SECOND: "open"}, "entropy": MINE, "seed": 5}
    assert client.post("/api/v1/tables", json=body).status_code == 400
    body["seats"] = {SECOND: "program:random"}
    assert client.post("/api/v1/tables", json=body).status_code == 201


def test_both_persons_add_to_the_dice_after_the_commitment(shared: TestClient, tmp_path: Path) -> None:
    made = invited(shared)
    seed = bytes.fromhex(room_of(shared, made).game.record.header.seed)
    assert made["commitment"] == commitment(seed)
    assert Seat(shared, made["id"], made["watch"]).view()["commitment"] == made["commitment"]
    token = join(shared, made).json()["token"]
    seat = Seat(shared, made["id"], token)
    game = room_of(shared, made).game
    head = game.record.header
    assert (head.commitment, head.entropy) == (made["commitment"], {FIRST: MINE, SECOND: THEIRS})
    for entropy in ({FIRST: MINE, SECOND: MINE}, {FIRST: THEIRS, SECOND: THEIRS}, {}):
        other = Game.new(GAME.id, SCENARIO, seed=seed, options=head.options, entropy=entropy)
        assert other.board.dice.seed != game.board.dice.seed
    noted = seat.view()["commitment"]
    assert noted.startswith(made["commitment"] + ".")
    seats = {FIRST: Seat(shared, made["id"], made["tokens"][FIRST]), SECOND: seat}
    seats["watch"] = Seat(shared, made["id"], made["watch"])
    play(seats, 25)
    assert {s.view()["commitment"] for s in seats.values()} == {noted}
    told = parse_record(seat.get("record").content)
    assert told.header.commitment == made["commitment"]
    forget(shared, made["id"])
    assert seat.view()["commitment"] == noted
    played = room_of(shared, made).game
    assert played.board.dice.seed == game.board.dice.seed
    whole = Game.replay(parse_record(played.record.text().encode())).record
    whole.check_pledge(noted, THEIRS)
    whole.check_pledge(made["commitment"], MINE)
    with pytest.raises(WrongRecord):
        whole.check_pledge(commitment(b"another"))


@pytest.mark.parametrize("entropy", [None, "", "xy" * 16, "ab" * 15, "AB" * 16, "ab" * 65])
def test_who_sits_down_must_add_to_the_dice(shared: TestClient, entropy: str | None) -> None:
    body = {"game": GAME.id, "scenario": SCENARIO, "seats": {SECOND: "open"}, "entropy": entropy}
    assert shared.post("/api/v1/tables", json=body).status_code in (400, 422)
    made = invited(shared)
    assert call(shared, made["id"], "join", made["invitations"][SECOND], entropy=entropy).status_code == 422
    assert join(shared, made).status_code == 200


def test_a_branch_is_committed_to_and_looks_into_nobodys_hand(shared: TestClient, client: TestClient) -> None:
    made, seats = sat_down(shared)
    play(seats, 4)
    assert {s.post("branch", at=2).status_code for s in seats.values()} == {403}
    on_ones_own, mine = sat_down(client)
    play(mine, 4)
    assert {s.post("branch", at=2).status_code for s in mine.values()} == {403}, "a guest sits here too"
    alone = make(shared, **{SECOND: "program:random"})
    first = Seat(shared, alone["id"], alone["tokens"][FIRST])
    branch = first.post("branch", at=0).json()
    assert branch["commitment"] != alone["commitment"]
    assert Seat(shared, branch["id"], branch["watch"]).view()["commitment"] == branch["commitment"]
    lines = room_of(shared, branch).game.record.lines
    assert branch["commitment"] == commitment(bytes.fromhex(lines[0].reseed)) == lines[0].commitment
    assert on_ones_own["id"] != made["id"]


def test_the_commitment_stands_in_every_view(client: TestClient) -> None:
    made = make(client, seed=5)
    seats = {s: Seat(client, made["id"], t) for s, t in made["tokens"].items()} | {
        "watch": Seat(client, made["id"], made["watch"])
    }
    for _ in range(3):
        seat, view = asked(seats)
        done = seat.act(view["question"]["choices"][0]["text"], view["version"]).json()
        assert {done["view"]["commitment"], view["commitment"]} == {made["commitment"]}
        stale = seat.act("pass", 0).json()
        assert stale["view"]["commitment"] == made["commitment"]
