"""Views made from differences are the whole views, whatever is played, taken back, missed or looked back at."""

from __future__ import annotations

import json
import random
from typing import Any

import msgspec
import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st

from kessel.core.game import Game
from kessel.core.pack import Pack
from kessel.core.title import titles
from kessel.core.view import Marker, Piece, SideView, View
from kessel.games.stalingrad42.answers.view import side_view
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET
from kessel.table.differences import Difference, difference, patched
from tests.games.stalingrad42.test_34_maskirovka import ARMY, INSIDE, phase
from tests.table.people import forget

GAMES = {"stalingrad42": "fall-blau", "kharkov43": "initial-assault", "don42": "short-game"}
STEPS = {"stalingrad42": 220, "kharkov43": 90, "don42": 160}


def sent(d: Difference) -> Difference:
    """As it comes out of the wire."""
    return msgspec.json.decode(msgspec.json.encode(d), type=Difference)


# --- two tables of any kind ------------------------------------------------------------------------------------------

units = st.builds(Piece, st.sampled_from("ABCDEFGH"), st.just("red"), st.sampled_from(["0101", "0102"]))
lists = st.lists(units, max_size=8, unique_by=lambda p: p.id)
owners = st.dictionaries(st.sampled_from(["0101", "0102", "0103"]), st.sampled_from(["red", "blue"]))
markers = st.lists(st.builds(Marker, st.sampled_from(["fort", "bridge"]), st.just("0101")), max_size=2)
tables = st.builds(SideView, st.sampled_from(["1", "2"]), pieces=lists, markers=markers, control=owners)


def view_of(table: SideView, version: int) -> View:
    return View("g", "s", version, ["red", "blue"], "red", table)


@given(tables, tables)
def test_any_two_tables(a: SideView, b: SideView) -> None:
    old, new = view_of(a, 3), view_of(b, 5)
    d = sent(difference(old, new))
    assert patched(old, d) == new
    told = [p for p in d.pieces or [] if isinstance(p, Piece)]
    assert all(p in b.pieces for p in told)
    if a.pieces == b.pieces:
        assert d.pieces is None
    if {p.id for p in a.pieces} == {p.id for p in b.pieces} and len(a.pieces) == 1:
        assert told == ([] if a.pieces == b.pieces else b.pieces)


def test_a_counter_that_stays_is_not_told_again() -> None:
    many = [Piece(str(n), "red", "0101") for n in range(300)]
    moved = [*many]
    moved[120] = Piece("120", "red", "0102")
    del moved[200]
    d = difference(view_of(SideView("1", pieces=many), 1), view_of(SideView("1", pieces=moved), 2))
    assert d.pieces == [120, -1, moved[120], 79, -1, 99]


def test_a_difference_leads_on_from_one_version_alone() -> None:
    old = view_of(SideView("1"), 3)
    d = difference(old, view_of(SideView("2"), 4))
    with pytest.raises(ValueError, match="from version 3"):
        patched(view_of(SideView("1"), 2), d)


# --- real games ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_random_play_with_undo(name: str) -> None:
    """Every seat and who looks on; nothing is told that is not in the seat's own view."""
    game = Game.new(name, GAMES[name], seed=4, pack=Pack(name))
    rng = random.Random(7)
    seats: list[int | None] = [*range(len(titles()[name].sides)), None]
    views = {seat: game.view(seat) for seat in seats}
    undone = 0
    sizes = []
    for _ in range(STEPS[name]):
        if game.over:
            break
        if game.can_undo and rng.random() < 0.15:
            game.undo()
            undone += 1
        else:
            game.play(rng.choice(game.legal()))
        for seat in seats:
            whole = game.view(seat)
            d = sent(difference(views[seat], whole))
            views[seat] = patched(views[seat], d)
            assert views[seat] == whole
            assert all(p in whole.table.pieces for p in d.pieces or [] if isinstance(p, Piece))
            sizes.append(len(msgspec.json.encode(d)) / len(msgspec.json.encode(whole)))
    assert undone > 3
    assert sum(sizes) / len(sizes) < 0.35, "a difference is small"


def test_a_secret_that_changes_makes_no_difference_to_who_may_not_know_it() -> None:
    """34.1.2 Which Holding Box is which Reserve Army's is known to the Soviet player alone."""
    g = phase(ARMY | INSIDE)
    swapped = g.copy()
    swapped.assigned[0], swapped.assigned[1] = swapped.assigned[1], swapped.assigned[0]

    def told(side: int | None) -> list[int | Piece] | None:
        return difference(view_of(side_view(g, side), 1), view_of(side_view(swapped, side), 2)).pieces

    assert told(AXIS) is None
    assert told(None) is None
    assert {p.note for p in told(SOVIET) or [] if isinstance(p, Piece)} == {"holding box 3", "holding box 5"}


# --- over the live connection ----------------------------------------------------------------------------------------


class Follower:
    """A client of the live connection that keeps its view by differences."""

    def __init__(self, client: TestClient, table: str, token: str) -> None:
        self.client, self.table, self.token = client, table, token
        self.wholes = self.parts = 0
        self.view: View | None = None

    def __enter__(self) -> Follower:
        self.session = self.client.websocket_connect(f"/api/v1/tables/{self.table}/live")
        self.socket = self.session.__enter__()
        self.socket.send_json({"token": self.token, "differences": True})
        self.view = None
        return self

    def __exit__(self, *_: Any) -> None:
        self.session.__exit__(None, None, None)

    def follow(self, version: int) -> View:
        """Take what comes until the view of that version is there."""
        while self.view is None or self.view.version < version:
            doc = json.loads(self.socket.receive_text())
            if "difference" in doc:
                assert self.view is not None
                self.view = patched(self.view, msgspec.convert(doc["difference"], Difference))
                self.parts += 1
            elif "view" in doc:
                self.view = msgspec.convert(doc["view"], View)
                self.wholes += 1
            else:
                assert set(doc) in ({"done", "entry"},), doc
        return self.view


class Table:
    def __init__(self, client: TestClient, name: str) -> None:
        self.client, self.rng = client, random.Random(3)
        made = client.post("/api/v1/tables", json={"game": name, "scenario": GAMES[name], "seed": 2}).json()
        self.id, self.tokens = made["id"], {**made["tokens"], "watch": made["watch"]}
        self.version = 0

    def call(self, seat: str, what: str, body: dict[str, Any] | None = None) -> Any:
        headers = {"Authorization": f"Bearer {self.tokens[seat]}"}
        at = f"/api/v1/tables/{self.id}/{what}"
        found = (
            self.client.get(at, headers=headers) if body is None else self.client.post(at, headers=headers, json=body)
        )
        assert found.status_code == 200, found.text
        return found

    def whole(self, seat: str) -> View:
        return msgspec.json.decode(self.call(seat, "view").content, type=View)

    def change(self) -> bool:
        """A random action, now and then an undo; whether there was anything to do."""
        question = self.whole("watch").question
        if question is None:
            return False
        mine = self.whole(question.side)
        assert mine.question is not None
        body: dict[str, Any] = {"version": mine.version, "id": f"r{mine.version}"}
        if mine.can_undo and self.rng.random() < 0.2:
            self.call(question.side, "undo", body)
        else:
            self.call(question.side, "actions", body | {"do": self.rng.choice(mine.question.choices).text})
        self.version = mine.version + 1
        return True


@pytest.mark.parametrize("name", GAMES)
def test_clients_that_follow_by_differences(client: TestClient, name: str) -> None:
    table = Table(client, name)
    followers = {seat: Follower(client, table.id, token) for seat, token in table.tokens.items()}
    for f in followers.values():
        f.__enter__()
        f.follow(0)
    for n in range(25):
        if not table.change():
            break
        if n == 9:
            forget(client, table.id)  # the room is opened anew and knows no version before
        if n == 14:
            table.call("watch", "at/2")
        for seat, f in followers.items():
            assert f.follow(table.version) == table.whole(seat)
        if n == 18:
            last = followers["watch"]
            last.__exit__()
            last.__enter__()
            assert last.follow(table.version) == table.whole("watch")
    for f in followers.values():
        f.__exit__()
        assert f.parts >= 15
        assert f.wholes <= 4


def test_who_missed_something_asks_for_the_whole(client: TestClient) -> None:
    table = Table(client, "don42")
    with Follower(client, table.id, table.tokens["watch"]) as f:
        f.follow(0)
        table.change()
        json.loads(f.socket.receive_text())  # lost
        table.change()
        lost = json.loads(f.socket.receive_text())
        assert lost["difference"]["since"] == 1
        with pytest.raises(ValueError, match="not from 0"):
            patched(f.view, msgspec.convert(lost["difference"], Difference))  # type: ignore[arg-type]
        f.socket.send_json({"whole": True})
        assert f.follow(2) == table.whole("watch")
        table.change()
        assert f.follow(3) == table.whole("watch")
        assert (f.parts, f.wholes) == (1, 2)


def test_a_request_is_answered_with_the_difference_if_wanted(client: TestClient) -> None:
    table = Table(client, "don42")
    side = table.whole("watch").question.side  # type: ignore[union-attr]
    before = table.whole(side)
    assert before.question is not None
    body = {"version": 0, "id": "a", "do": before.question.choices[0].text, "differences": True}
    first = table.call(side, "actions", body).json()
    assert set(first) == {"difference", "entry"}
    assert patched(before, msgspec.convert(first["difference"], Difference)) == table.whole(side)
    again = table.call(side, "actions", body).json()
    assert again["repeated"]
    assert again["view"]["version"] == 1
