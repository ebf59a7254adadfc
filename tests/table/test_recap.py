"""What happened since a seat's person looked last: kept by the server, told to each seat as it may see it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from kessel.core.telling import Telling
from tests.table.people import Seat, forget, new_table, play, server


def turns(seats: dict[str, Seat], most: int = 400) -> tuple[Seat, Seat, int]:
    """Play until the other side has had its turn after the first one's: who went first, who then, and when."""
    first = ""
    for _ in range(most):
        q = seats["watch"].view()["question"]
        if not q.get("answer"):
            first = first or q["side"]
            if q["side"] != first:
                break
        play(seats, 1, seed=len(q["prompt"]))
    number = seats["watch"].view()["version"]
    other = next(s for s in ("german", "soviet") if s != first)
    return seats[first], seats[other], number


def waits(seats: dict[str, Seat], chapters: int = 2) -> Seat:
    """Play until somebody whose decision it is not has so many chapters to be told."""
    for n in range(700):
        side = seats["watch"].view()["question"]["side"]
        other = seats["german" if side == "soviet" else "soviet"]
        if len(recap(other)["chapters"]) >= chapters:
            return other
        play(seats, 1, seed=n)
    raise AssertionError("nothing was to be told")


def recap(seat: Seat, **since: int) -> Any:
    answer = seat.get("recap", **since)
    assert answer.status_code == 200, answer.text
    return answer.json()


def act(seat: Seat) -> Any:
    view = seat.view()
    answer = seat.act(view["question"]["choices"][0]["text"], view["version"])
    assert answer.status_code == 200, answer.text
    return view["question"]


def test_it_begins_where_the_seat_acted_last_in_its_own_turn(client: TestClient) -> None:
    _, seats = new_table(client)
    first, second, number = turns(seats)
    mine = recap(first)
    assert mine["since"] == number - 1
    assert recap(second)["since"] == 0
    act(second)
    assert recap(second)["since"] == number
    assert recap(first)["since"] == number - 1
    assert recap(first)["until"] == number + 1


def test_to_answer_does_not_count_as_having_seen(client: TestClient) -> None:
    _, seats = new_table(client, seed=2)
    for n in range(700):
        view = seats["watch"].view()
        q = view["question"]
        seat = seats[q["side"]]
        before = recap(seat)["since"]
        play(seats, 1, seed=n)
        now = recap(seat)["since"]
        if q.get("answer"):
            assert now == before
            return
        assert now == view["version"]
    raise AssertionError("nobody had to answer")


def test_seen_is_kept_and_nothing_is_told_twice(tmp_path: Path) -> None:
    with server(tmp_path) as client:
        table, seats = new_table(client)
        first = waits(seats)
        told = recap(first)
        forget(client, table)
        assert recap(first) == told, "the same when the table is opened anew"
    with server(tmp_path) as client:
        first.client = client
        assert recap(first) == told, "the same when the server was started anew"
        assert first.post("seen", number=told["until"]).status_code == 200
        assert recap(first)["chapters"] == []
    with server(tmp_path) as client:
        first.client = client
        assert recap(first)["since"] == told["until"]
        assert recap(first, since=told["since"]) == told, "it can be told again"


def test_it_goes_on_from_what_was_told(client: TestClient) -> None:
    table, seats = new_table(client)
    first = waits(seats)
    side = next(s for s, x in seats.items() if x is first)
    room = client.app.state.rooms._open[table]  # type: ignore[attr-defined]
    telling: Telling = room._tellings[side]
    until = recap(first)["until"]
    play(seats, 1)
    assert recap(first)["until"] == until + 1
    assert room._tellings[side] is telling
    undone = 0
    while not undone:
        view = seats["watch"].view()
        seat = seats[view["question"]["side"]]
        if seat.view().get("can_undo"):
            assert seat.post("undo", version=view["version"], id=f"undo-{view['version']}").status_code == 200
            undone = view["version"]
        else:
            play(seats, 1)
    assert recap(first)["until"] < undone, "what was taken back is not told"


def test_who_looks_on_is_told_but_nothing_is_kept_for_him(client: TestClient) -> None:
    _, seats = new_table(client)
    play(seats, 12)
    assert recap(seats["watch"])["chapters"] == []
    assert recap(seats["watch"], since=0)["chapters"]
    assert seats["watch"].post("seen", number=1).status_code == 400
    assert seats["german"].post("seen", number=99).status_code == 400
    assert seats["german"].get("recap", since=99).status_code == 400


def test_a_report_is_there_when_the_game_is_over(client: TestClient) -> None:
    table, seats = new_table(client)
    play(seats, 5)
    early = seats["german"].get("report")
    assert early.status_code == 409
    assert "when the game is over" in early.json()["error"]
    room = client.app.state.rooms._open[table]  # type: ignore[attr-defined]
    room.game.board.stack.clear()
    pages = [seats[s].get("report") for s in ("german", "watch")]
    assert [p.status_code for p in pages] == [200, 200]
    assert pages[0].headers["content-type"].startswith("text/html")
    assert pages[0].text == pages[1].text
    assert "after-action report" in pages[0].text
