"""Rooms: tables that are open in this process. A room changes only after the store has kept the change."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from kessel.bots import levels
from kessel.core import snapshot
from kessel.core.breakdown import Refusal
from kessel.core.errors import BadInput, IllegalAction
from kessel.core.game import Entry, Game, outcome_json
from kessel.core.pack import Pack
from kessel.core.title import title
from kessel.core.view import View
from kessel.table.store import WATCH, Kept, Repeated, Seat, Stale, Store, new_token

SNAPSHOT_EVERY = 60
"""Actions between two kept snapshots at the least; they are taken where undo is not possible anyway."""

Listener = Callable[[], None]


class NoTable(BadInput):
    """There is no such table."""


@dataclass(slots=True)
class Room:
    id: str
    game: Game
    seats: dict[str, Seat]
    last_snapshot: int = 0
    listeners: set[Listener] = field(default_factory=set)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def asked(self) -> str:
        side = self.game.side
        return "" if side < 0 else self.game.title.sides[side]

    @property
    def program(self) -> Seat | None:
        """The program that must decide now, if one must."""
        seat = self.seats.get(self.asked)
        return seat if seat is not None and seat.kind == "program" else None

    def view(self, seat: str) -> View:
        return self.game.view(None if seat == WATCH else self.game.title.side(seat))

    def changed(self) -> None:
        for listener in list(self.listeners):
            listener()


class Rooms:
    """All open tables of this process."""

    def __init__(self, store: Store, *, most_open: int = 200) -> None:
        self.store = store
        self.most_open = most_open
        self._open: dict[str, Room] = {}
        self._packs: dict[str, Pack] = {}

    def pack(self, game: str) -> Pack:
        if game not in self._packs:
            self._packs[game] = Pack(title(game).id)
        return self._packs[game]

    # --- opening ---------------------------------------------------------------------------------------------------

    def create(
        self,
        game: str,
        scenario: str,
        options: Mapping[str, str],
        seats: Mapping[str, str],
        seed: int | None = None,
    ) -> tuple[Room, dict[str, str]]:
        """A new table. `seats`: side to `me`, `open` or `program:LEVEL`; returns the tokens of persons and watchers."""
        t = title(game)
        playing = Game.new(game, scenario, seed=seed, options=options, pack=self.pack(game))
        made: dict[str, Seat] = {}
        for side in (t.sides[i] for i in t.played):
            made[side] = _seat(game, side, seats.get(side, "me"))
        for side in seats:
            if side not in made:
                raise BadInput(f"{game} has no seat {side!r}; there are {', '.join(made)}")
        return self._keep(playing, made)

    def _keep(self, playing: Game, seats: dict[str, Seat]) -> tuple[Room, dict[str, str]]:
        tokens = {s.side: new_token() for s in seats.values() if s.kind == "person"} | {WATCH: new_token()}
        kept = {s.side: (s, tokens.get(s.side, "")) for s in seats.values()}
        kept[WATCH] = (Seat(WATCH, "watch", "", ""), tokens[WATCH])
        room = Room(secrets.token_urlsafe(9), playing, seats)
        first = (len(playing.entries), snapshot.save(playing.board))
        self.store.create(room.id, playing.record, kept, playing.view(None).table.turn, room.asked, first)
        self._remember(room)
        return room, tokens

    def open(self, table_id: str) -> Room:
        """The room of a table, opened from the store if it is not open yet."""
        room = self._open.pop(table_id, None)
        if room is None:
            kept = self.store.load(table_id)
            if kept is None:
                raise NoTable("there is no such table")
            room = self._restore(table_id, kept)
        self._remember(room)
        return room

    def _remember(self, room: Room) -> None:
        self._open[room.id] = room
        for table_id, other in list(self._open.items()):
            if len(self._open) <= self.most_open:
                break
            if not other.listeners and not other.lock.locked():
                del self._open[table_id]

    def _restore(self, table_id: str, kept: Kept) -> Room:
        pack = self.pack(kept.record.header.game)
        playing = Game.resume(kept.record, kept.snapshots, kept.events, pack=pack)
        last = max(kept.snapshots, default=0)
        return Room(table_id, playing, self.store.seats(table_id), last)

    def forget(self, table_id: str) -> None:
        """Throw the open room away; it is read from the store again when it is wanted."""
        room = self._open.pop(table_id, None)
        if room is not None:
            room.changed()

    # --- changing --------------------------------------------------------------------------------------------------

    def act(self, room: Room, seat: str, version: int, request_id: str, do: str) -> Entry | None:
        """Carry out an action of a seat. None if this very request was accepted before."""
        game = room.game
        if self._refuse_stale(room, seat, version, request_id):
            return None
        entry = game.play(do, game.title.side(seat))
        self._commit(room, version, request_id, entry.events)
        return entry

    def undo(self, room: Room, seat: str, version: int, request_id: str) -> None:
        game = room.game
        if self._refuse_stale(room, seat, version, request_id):
            return
        if room.asked != seat:
            raise IllegalAction("undo", Refusal("undo", "it is not your decision"))
        game.undo()
        self._commit(room, version, request_id, [])

    def _refuse_stale(self, room: Room, seat: str, version: int, request_id: str) -> bool:
        """True for a repeated request; Stale for an outdated one."""
        if seat == WATCH:
            raise IllegalAction("this", Refusal("seat", "you are looking on"))
        if version != room.game.version:
            if self.store.accepted(room.id, request_id):
                return True
            raise Stale("the table has changed since; look again")
        return False

    def _commit(self, room: Room, version: int, request_id: str, events: list[dict[str, Any]]) -> None:
        game = room.game
        result = game.outcome()
        kept = None
        if not game.can_undo and len(game.entries) >= room.last_snapshot + SNAPSHOT_EVERY:
            kept = (len(game.entries), snapshot.save(game.board))
        try:
            self.store.accept(
                room.id,
                version,
                game.record.lines[-1],
                events,
                request_id,
                turn=game.title.view(game.board, None).turn,
                asked=room.asked,
                outcome="" if result is None else msgspec.json.encode(outcome_json(game.title, result)).decode(),
                snapshot=kept,
            )
        except Repeated:
            self.forget(room.id)
            return
        except Exception:
            self.forget(room.id)
            raise
        if kept is not None:
            room.last_snapshot = kept[0]
        room.changed()

    def branch(self, room: Room, at: int) -> tuple[Room, dict[str, str]]:
        """A new table with the same seats that goes on from an earlier point."""
        return self._keep(room.game.branch(at), dict(room.seats))


def _seat(game: str, side: str, who: str) -> Seat:
    if who in ("me", "open"):
        return Seat(side, "person", "", "")
    kind, _, level = who.partition(":")
    if kind != "program" or level not in levels(game):
        raise BadInput(f"a seat is 'me', 'open' or 'program:' and one of {', '.join(levels(game))}, not {who!r}")
    return Seat(side, "program", level, "")
