"""Paired games: two tables that differ only in what is hidden from one seat, played alike.

At one table lies what was played; at the other the board has been exchanged for one which that seat cannot tell from
it (`Title.known_to`). Every call of the server, made from that seat, must answer the same at both, until something
hidden is revealed by the rules.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import msgspec
from fastapi.testclient import TestClient

from kessel.core.dice import Dice
from kessel.core.game import Game
from kessel.core.procedure import asked, options
from kessel.core.title import Title, title
from tests.table.people import Seat

Prepare = Callable[[Game, random.Random], None]
"""Brings a game to where something is hidden."""
Alike = Callable[[Game, Game, str], str]
"""What the other side does at the second table where it does this at the first."""

SAMPLES = 4
"""Actions and questions tried at a time."""


LOOKS = ("view", "log", "record", "overlays", "goal", "coming", "names")
"""What a seat, and who looks on, gets without a question of their own."""
COMPARED = {
    *LOOKS,
    *("recap", "at/{n}", "known", "ask", "why", "preview", "previews", "march"),
    *("actions", "plan", "undo", "hint", "wanted", "live"),
}
"""All calls of a table that are made at both and must answer alike."""
APART = {
    "report": "of games that are over, in which nothing is hidden",
    "branch": "only where nobody else plays, or when the game is over",
    "lesson": "nothing is hidden from who learns",
    "seen": "answers nothing",
    **dict.fromkeys(("people", "name", "talk", "takeback", "takeback/answer"), "about persons"),
    **dict.fromkeys(
        ("invitation", "join", "withdraw", "recover", "claim", "notify"), "about seats, not about the game"
    ),
}
"""All others, and why they tell nothing."""


def same(one: Game, two: Game, do: str) -> str:
    return do


@dataclass
class Setting:
    """A game in which something is hidden from a side."""

    game: str
    scenario: str
    side: str
    prepare: Prepare = lambda game, rng: None
    alike: Alike = same
    likes: Callable[[Game], set[str]] = lambda game: set()
    """Words of actions that are tried and chosen more often: where something hidden is handled."""
    shows: Callable[[Game], Any] = lambda game: None
    """What hidden things show of themselves by the rules: when that differs, the games have been told apart fairly."""
    lead_in: int = 0
    """Up to so many actions are played before, none if it can be helped."""
    future: bool = False
    """What is hidden are the dice that have not been rolled yet."""


@dataclass
class Pair:
    """Two tables as one seat sees them."""

    setting: Setting
    seats: list[Seat]
    others: list[Seat]
    games: list[Game]
    rng: random.Random
    begun: int
    """How many actions were played before the boards were made different."""
    watchers: list[Seat] = field(default_factory=list)
    sockets: list[Any] = field(default_factory=list)

    @property
    def title(self) -> Title:
        return self.games[0].title

    def compare(self, what: str, answers: list[Any], seats: str = "seat") -> Any:
        """Both tables' answer; AssertionError names what tells them apart."""
        one, two = (_plain(a) for a in answers)
        where = f"{self.setting.game} after {len(self.games[0].entries)} actions, {what}, {seats}"
        failed = [a.text for a in answers if getattr(a, "status_code", 0) >= 500]
        assert not failed, f"{where}: {failed[0]:.300}"
        assert one == two, f"{where}: {_first_difference(one, two)}"
        return one

    def both(self, seats: list[Seat], call: str, what: str, *body: dict[str, Any]) -> Any:
        """One call at both tables; where two bodies are given, each table has its own."""
        bodies = body if len(body) == 2 else (*body, *body) if body else ({}, {})
        return self.compare(what, [getattr(s, call)(what, **b) for s, b in zip(seats, bodies, strict=True)])

    # --- every call --------------------------------------------------------------------------------------------------

    def look(self) -> None:
        """Everything the seat can call, except what changes the table."""
        for what in LOOKS:
            self.both(self.seats, "get", what)
            self.both(self.watchers, "get", what)
        n = len(self.games[0].entries)
        for seats in (self.seats, self.watchers):
            self.both(seats, "get", f"at/{self.rng.randint(max(self.begun, n - 5), n)}")
            self.both(seats, "get", "recap", {"since": self.begun})
        self.both(self.seats, "get", "log", {"since": max(0, n - 2)})
        for to in ("", self.word("to", str)):
            self.both(self.seats, "post", "march", {"units": self.word("units", list), "to": to})
        if not self.setting.future:
            self.both(self.seats, "get", "known")
            for question in self.questions():
                self.both(self.seats, "post", "ask", question)
        self.try_out()

    def advice(self) -> None:
        """What the best program would do in the seat's place, and which attacks it still wants."""
        for call in ("hint", "wanted"):
            self.both(self.seats, "post", call)

    def questions(self) -> Iterator[dict[str, Any]]:
        """Questions of `kessel analyze` about units and hexes, the hidden ones among them."""
        names = list(self.title.questions)
        for name in self.rng.sample(names, min(SAMPLES, len(names))):
            fields = msgspec.structs.fields(self.title.questions[name].form)
            question: dict[str, Any] = {"question": name}
            for f in fields:
                if f.required or (f.name in ("unit", "hex", "target", "side", "units") and self.rng.random() < 0.7):
                    question[f.name] = self.word(f.name, f.type)
            yield question

    def word(self, name: str, kind: Any) -> Any:
        g = self.games[0].board
        seen = [u for u in range(len(g.forces)) if g.place[u] >= 0]
        u = self.rng.choice(seen)
        found = {
            "side": lambda: self.rng.choice(self.title.sides),
            "hex": lambda: g.place_name(g.place[u]),
            "target": lambda: g.place_name(g.place[u]),
            "to": lambda: g.place_name(g.place[u]),
        }.get(name, lambda: g.forces.ids[u])()
        return [found] if name in ("units", "hexes") or "list" in str(kind) or "tuple" in str(kind) else found

    def try_out(self) -> None:
        """Refusals and previews of what is listed and of what is not."""
        board = self.games[0].board
        mine = asked(board) >= 0 and self.title.sides[asked(board)] == self.setting.side
        lists = [sorted(g.text(a) for a in options(g.board)) for g in self.games]
        if mine:
            self.compare("legal actions", lists)
        texts = self.rng.sample(lists[0], min(SAMPLES, len(lists[0])))
        likes = self.setting.likes(self.games[0])
        liked = [t for t in lists[0] if not likes.isdisjoint(t.split())]
        texts += self.rng.sample(liked, min(SAMPLES, len(liked)))
        texts += [self.garbled(t) for t in texts]
        for text in texts:
            self.both(self.seats, "post", "why", {"do": text})
            self.both(self.seats, "post", "preview", {"do": text, "decided": self.rng.random() < 0.5})
        self.both(self.seats, "post", "previews", {"do": texts})
        version = self.games[0].version
        self.both(self.seats, "post", "actions", {"version": version - 1, "id": "late", "do": texts[0]})
        if not mine:
            self.both(self.seats, "post", "actions", {"version": version, "id": "not-asked", "do": texts[0]})
            self.both(self.seats, "post", "undo", {"version": version, "id": "not-mine"})

    def garbled(self, text: str) -> str:
        """An action about another unit or hex, most often not allowed."""
        g = self.games[0].board
        words = text.split()
        seen = [u for u in range(len(g.forces)) if g.place[u] >= 0]
        for i in range(1, len(words)):
            u = self.rng.choice(seen)
            words[i] = g.forces.ids[u] if words[i] in g.forces.ids else g.place_name(g.place[u])
        return " ".join(words)

    # --- playing on --------------------------------------------------------------------------------------------------

    def step(self) -> bool:
        """Play one action alike at both tables; False when something hidden was revealed, or the game is over."""
        board = self.games[0].board
        mine = self.title.sides[asked(board)] == self.setting.side
        do = self.chosen()
        if do is None:
            assert not mine, f"{self.setting.game}: what this side may do differs"
            return False
        seats = self.seats if mine else self.others
        before = [g.board.reveals for g in self.games]
        version = self.games[0].version
        bodies: list[dict[str, Any]] = [{"version": version, "id": f"a{version}", "do": d} for d in do]
        call = "actions"
        if mine and self.rng.random() < 0.2:
            call, bodies = "plan", [{**b, "do": [b["do"]]} for b in bodies]
        done = [s.post(call, **b) for s, b in zip(seats, bodies, strict=True)]
        assert [d.status_code for d in done] == [200, 200], [d.text[:300] for d in done]
        if self.setting.future and any(g.entries[-1].dice for g in self.games):
            return False
        reveals = [g.board.reveals - b for g, b in zip(self.games, before, strict=True)]
        if mine:
            self.compare("whether something is revealed", [bool(r) for r in reveals])
        if any(reveals) and not self.alike(done):
            return False
        if self.setting.shows(self.games[0]) != self.setting.shows(self.games[1]):
            return False
        if mine:
            self.compare("what the action did", done)
            if self.rng.random() < 0.2:
                self.take_back()
        if any(g.over for g in self.games):
            self.compare("the end", [g.over for g in self.games])
            return False
        self.hear()
        return True

    def alike(self, done: list[Any]) -> bool:
        """Whether the tables still look the same after something was revealed, and told the same of it."""
        one, two = (s.get("view").json() for s in self.seats)
        told, too = (a.json()["entry"] for a in done)
        return bool(one == two and told == too)

    def chosen(self) -> tuple[str, str] | None:
        """What is done at each table: of this seat the same, of the other side what looks the same."""
        lists = [[g.text(a) for a in options(g.board)] for g in self.games]
        second = set(lists[1])
        texts = self.rng.sample(lists[0], len(lists[0]))
        mood = self.rng.random()
        if mood < 0.5:
            likes = self.setting.likes(self.games[0])
            texts.sort(key=lambda t: likes.isdisjoint(t.split()))
        elif mood < 0.7:
            texts.sort(key=lambda t: t != "pass")
        for do in texts:
            other = self.setting.alike(*self.games, do)
            if other in second:
                return do, other
        return None

    def take_back(self) -> None:
        version = self.games[0].version
        self.both(self.seats, "post", "undo", {"version": version, "id": f"u{version}"})

    def hear(self) -> None:
        """What the live connections of both tables have been told meanwhile."""
        if self.sockets:
            wanted = self.games[0].version
            heard = [[_until(socket, wanted)] for socket in self.sockets]
            self.compare("live", heard)


def _until(socket: Any, version: int) -> list[Any]:
    """Messages up to the view of that version."""
    found = []
    while True:
        message = socket.receive_json()
        found.append(message)
        if message.get("view", {}).get("version") == version:
            return found


def play_pair(client: TestClient, setting: Setting, seed: int, steps: int, *, live: bool = False) -> int:
    """One pair; the number of positions in which both looked the same."""
    rng = random.Random(seed)
    with ExitStack() as stack:
        pair = make_pair(client, setting, rng)
        if live:
            pair.sockets = [_live(client, s, stack) for s in pair.seats]
            pair.hear()
        if pair.games[0].over:
            return 0
        for n in range(steps):
            if n % 3 == 0 or n == steps - 1:
                pair.look()
            if not pair.step():
                return n + 1
        if live and not setting.future and not pair.games[0].over:
            pair.advice()
        return steps


def _live(client: TestClient, seat: Seat, stack: ExitStack) -> Any:
    socket = stack.enter_context(client.websocket_connect(f"/api/v1/tables/{seat.table}/live"))
    socket.send_json({"token": seat.headers["Authorization"].removeprefix("Bearer ")})
    return socket


def make_pair(client: TestClient, setting: Setting, rng: random.Random) -> Pair:
    t = title(setting.game)
    seats, others, watchers, games = [], [], [], []
    seed, other = rng.randrange(10**6), next((t.sides[i] for i in t.played if t.sides[i] != setting.side), setting.side)
    once = rng.randrange(10**9)
    for _ in range(2):
        body = {"game": setting.game, "scenario": setting.scenario, "seed": seed, "seats": {}}
        made = client.post("/api/v1/tables", json=body)
        assert made.status_code == 201, made.text
        doc = made.json()
        seats.append(Seat(client, doc["id"], doc["tokens"][setting.side]))
        others.append(Seat(client, doc["id"], doc["tokens"].get(other, "")))
        watchers.append(Seat(client, doc["id"], doc["watch"]))
        room = client.app.state.rooms._open[doc["id"]]  # type: ignore[attr-defined]
        tokens = {t.side(side): Seat(client, doc["id"], token) for side, token in doc["tokens"].items()}
        lead_in(room.game, tokens, setting, random.Random(once))
        setting.prepare(room.game, random.Random(once))
        games.append(room.game)
        room.changed(None)
    hide(games[1], t.side(setting.side), future=setting.future, seed=once)
    for game, seat in zip(games, seats, strict=True):
        game._undo.clear()
        game._snapshots[len(game.entries)] = game.board.lean()
        client.app.state.rooms._open[seat.table].changed(None)  # type: ignore[attr-defined]
    return Pair(setting, seats, others, games, rng, len(games[0].entries), watchers)


def lead_in(game: Game, seats: dict[int, Seat], setting: Setting, rng: random.Random) -> None:
    """Go on in the game before anything is made different."""
    for _ in range(rng.randint(0, setting.lead_in)):
        if game.over:
            return
        found = [game.text(a) for a in options(game.board)]
        do = "pass" if "pass" in found and rng.random() < 0.9 else rng.choice(found)
        done = seats[game.side].post("actions", version=game.version, id=f"l{game.version}", do=do)
        assert done.status_code == 200, done.text


def hide(game: Game, side: int, *, future: bool, seed: int) -> None:
    """Exchange the board for another that the side cannot tell from it: hidden things, or dice that still lie ahead."""
    dice = game.board.dice
    if future:
        game.board.dice = Dice(b"another future %d" % seed, dice.count)
        return
    shaken = game.board.copy()
    shaken.dice = Dice(b"another hand %d" % seed)
    board = game.title.known_to(shaken, side)
    board.dice, board.events = dice, []
    game.board = board


def _plain(answer: Any) -> Any:
    """An answer without what must differ between two tables."""
    if not hasattr(answer, "status_code"):
        return answer
    try:
        doc = answer.json()
    except ValueError:
        doc = answer.text
    return {"status": answer.status_code, "said": doc} if answer.status_code >= 300 else doc


def _first_difference(one: Any, two: Any, where: str = "$") -> str:
    if isinstance(one, dict) and isinstance(two, dict):
        for key in sorted({*one, *two}, key=str):
            if one.get(key) != two.get(key):
                return _first_difference(one.get(key), two.get(key), f"{where}.{key}")
    if isinstance(one, list) and isinstance(two, list):
        if len(one) != len(two):
            return f"{where}: {len(one)} and {len(two)} things: {one!r:.300} / {two!r:.300}"
        for i, (a, b) in enumerate(zip(one, two, strict=True)):
            if a != b:
                return _first_difference(a, b, f"{where}[{i}]")
    return f"{where}: {one!r:.300} / {two!r:.300}"
