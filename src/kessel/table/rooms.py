"""All open rooms of this process. A change is acknowledged only after the store has kept it."""

from __future__ import annotations

import asyncio
import contextlib
import re
import secrets
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple, Protocol

import msgspec
import structlog

from kessel.core import snapshot
from kessel.core.breakdown import Refusal
from kessel.core.errors import BadInput, IllegalAction, KesselError
from kessel.core.game import Entry, Game, outcome_json
from kessel.core.pack import Pack
from kessel.core.record import Line
from kessel.core.title import title
from kessel.core.view import LogEntry
from kessel.table.room import Room
from kessel.table.seats import PERSON, WATCH, WATCHER, Seat, new_token, seat_for, token_hash
from kessel.table.store import Change, Kept, Stale, Store, StoreFailed
from kessel.table.writer import Writer

log = structlog.get_logger()
SNAPSHOT_EVERY = 24
"""Actions between two kept snapshots at the least; they are taken where undo is not possible anyway."""
TURN_LATER = 0.1
TABLE_ID = re.compile(r"[A-Za-z0-9_-]{1,32}")

Follower = Callable[[Room, str], None]
"""Is told after every change: the room, and the seat that made it."""


class Accepted(NamedTuple):
    """A request that was carried out, now or when it first came."""

    entry: LogEntry | None
    """The action as its seat may see it; None for an undo, or where it was undone since."""
    repeated: bool = False


class Listener(Protocol):
    """A live connection."""

    seat: str

    def changed(self, room: Room) -> None:
        """Is called inside the room after every change."""

    def look(self) -> None:
        """Something else is different: a seat has got another token, or the table is gone."""


class NoTable(BadInput):
    """There is no such table."""


class RulesFailed(KesselError):
    """The game's own code broke down; nothing was changed."""


class Rooms:
    def __init__(self, store: Store, *, most_open: int = 200) -> None:
        self.store = store
        self.writer = Writer(store)
        self.most_open = most_open
        self.followers: list[Follower] = []
        self.listeners: dict[str, set[Listener]] = defaultdict(set)
        """By table."""
        self._open: dict[str, Room] = {}
        self._opening: dict[str, asyncio.Task[Room]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._packs: dict[str, Pack] = {}

    def pack(self, game: str) -> Pack:
        if game not in self._packs:
            self._packs[game] = Pack(title(game).id)
        return self._packs[game]

    # --- opening ---------------------------------------------------------------------------------------------------

    @contextlib.asynccontextmanager
    async def entered(self, table_id: str) -> AsyncIterator[Room]:
        """The table's room with its lock held. Opened from the store if it is not open."""
        while True:
            room = await self._opened(table_id)
            room.users += 1
            try:
                async with room.lock:
                    if not room.gone:
                        yield room
                        return
            finally:
                room.users -= 1

    async def _opened(self, table_id: str) -> Room:
        room = self._open.pop(table_id, None)
        if room is not None:
            self._open[table_id] = room
            return room
        task = self._opening.get(table_id)
        if task is None:
            task = self._opening[table_id] = asyncio.create_task(self._open_from_store(table_id))
            task.add_done_callback(lambda _: self._opening.pop(table_id, None))
        return await asyncio.shield(task)

    async def _open_from_store(self, table_id: str) -> Room:
        room = await asyncio.to_thread(self._restored, table_id)
        self._remember(room)
        return room

    def _restored(self, table_id: str) -> Room:
        kept = self.store.load(table_id) if TABLE_ID.fullmatch(table_id) else None
        if kept is None:
            raise NoTable("there is no such table")
        last = max(kept.snapshots, default=0)
        return Room(table_id, self._resumed(kept), kept.seats, kept.requests, last, kept.turn)

    def _resumed(self, kept: Kept) -> Game:
        pack = self.pack(kept.record.header.game)
        return Game.resume(kept.record, kept.snapshots, kept.events, pack=pack)

    def _remember(self, room: Room) -> None:
        """Keep it open, and close those that were not used for the longest time if there are too many."""
        self._open[room.id] = room
        for table_id, other in list(self._open.items()):
            if len(self._open) <= self.most_open:
                break
            if not other.users and not self.listeners.get(table_id) and other is not room:
                self._drop(other)

    def _drop(self, room: Room) -> None:
        """Throw an open room away; its table is read from the store again when it is wanted."""
        room.gone = True
        if self._open.get(room.id) is room:
            del self._open[room.id]

    # --- making ----------------------------------------------------------------------------------------------------

    async def create(
        self, game: str, scenario: str, options: Mapping[str, str], seats: Mapping[str, str], seed: int | None = None
    ) -> tuple[Room, dict[str, str]]:
        """A new table. `seats`: side to `me`, `open` or `program:LEVEL`; gives the tokens of persons and watchers."""
        t = title(game)
        sides = [t.sides[i] for i in t.played]
        for side in seats:
            if side not in sides:
                raise BadInput(f"{game} has no seat {side!r}; there are {', '.join(sides)}")
        made = {side: seat_for(game, side, seats.get(side, "me")) for side in sides}
        playing = await asyncio.to_thread(
            lambda: Game.new(game, scenario, seed=seed, options=options, pack=self.pack(game))
        )
        return await self._keep(playing, made)

    async def branch(self, room: Room, at: int) -> tuple[Room, dict[str, str]]:
        """A new table with the same seats that goes on from an earlier point, with other dice."""
        if at > len(room.game.entries):
            raise BadInput(f"the game has {len(room.game.entries)} actions, not {at}")
        playing = await asyncio.to_thread(room.game.branch, at)
        return await self._keep(playing, {side: s for side, s in room.seats.items() if side != WATCH})

    async def _keep(self, playing: Game, seats: dict[str, Seat]) -> tuple[Room, dict[str, str]]:
        seats = {**seats, WATCH: Seat(WATCH, WATCHER)}
        tokens = {side: new_token() for side, s in seats.items() if s.kind in (PERSON, WATCHER)}
        held = {
            side: replace(s, token_hash=token_hash(tokens[side]) if side in tokens else "", notify="")
            for side, s in seats.items()
        }
        room = Room(secrets.token_urlsafe(9), playing, held, last_snapshot=len(playing.entries))
        room.kept_turn = room.turn(WATCH)
        first = (len(playing.entries), snapshot.save(playing.board))
        told = {n: e.events for n, e in enumerate(playing.entries)}
        turn, asked = room.kept_turn, room.asked
        await self.writer.run(
            lambda: self.store.create(
                room.id, playing.record, held, turn=turn, asked=asked, snapshot=first, events=told
            )
        )
        self._remember(room)
        self._tell(room, WATCH)
        return room, tokens

    async def delete_unread(self, table_id: str) -> None:
        """Throw away a table that cannot be opened."""
        await self.writer.run(lambda: self.store.delete(table_id))

    async def delete(self, room: Room) -> None:
        await self.writer.run(lambda: self.store.delete(room.id))
        self._drop(room)
        for listener in list(self.listeners.get(room.id, ())):
            listener.look()

    # --- changing; the caller is inside the room -------------------------------------------------------------------

    async def act(self, room: Room, seat: str, version: int, request: str, do: str) -> Accepted:
        """Carry out an action of a seat, once: the same request again gives the first answer and changes nothing."""
        line = self._accepted(room, seat, request, " ".join(do.split()))
        if line is not None:
            return Accepted(room.entry_of_line(line, seat), True)
        self._check(room, seat, version)
        try:
            entry = room.game.play(do, room.side(seat))
        except IllegalAction:
            raise
        except BadInput as e:  # a word that means nothing is no listed action either
            raise IllegalAction("", Refusal("", str(e))) from None
        except Exception:
            log.exception("rules failed", table=room.id, version=version, do=do)
            self._drop(room)
            raise RulesFailed("this action cannot be carried out: the rules broke down; nothing was changed") from None
        await self._commit(room, seat, version, request, entry)
        return Accepted(room.last_entry(seat))

    async def undo(self, room: Room, seat: str, version: int, request: str) -> Accepted:
        """Take a seat's last action back, once."""
        if self._accepted(room, seat, request, "") is not None:
            return Accepted(None, True)
        self._check(room, seat, version)
        if room.asked != seat:
            raise IllegalAction("undo", Refusal("", "it is not your decision"))
        room.game.undo()
        await self._commit(room, seat, version, request, None)
        return Accepted(None)

    def _accepted(self, room: Room, seat: str, request: str, do: str) -> int | None:
        """The line of this very request, if it was accepted before. `do` is empty for an undo."""
        n = room.requests.get((seat, request))
        if n is None:
            return None
        line: Line = room.game.record.lines[n]
        if line.do != do:
            raise Stale("this id was used before for another request")
        return n

    def _check(self, room: Room, seat: str, version: int) -> None:
        if seat == WATCH:
            raise IllegalAction("", Refusal("", "you are looking on"))
        if version != room.game.version:
            raise Stale("the table has changed since; look again")

    async def _commit(self, room: Room, seat: str, version: int, request: str, entry: Entry | None) -> None:
        game = room.game
        room.changed(entry)
        outcome = game.outcome()
        saved = None
        if not game.can_undo and len(game.entries) >= room.last_snapshot + SNAPSHOT_EVERY:
            saved = (len(game.entries), snapshot.save(game.board))
        change = Change(
            table_id=room.id,
            version=version,
            seat=seat,
            request=request,
            line=game.record.lines[-1],
            events=entry.events if entry is not None else [],
            asked=room.asked,
            outcome="" if outcome is None else msgspec.json.encode(outcome_json(game.title, outcome)).decode(),
            snapshot=saved,
        )
        try:
            await self.writer.keep(change)
        except BaseException:  # also when this task is cancelled: nobody knows then whether it was kept
            self._drop(room)
            raise
        room.requests[seat, request] = version
        if saved is not None:
            room.last_snapshot = saved[0]
        self._tell(room, seat)
        if not room.turn_due:
            room.turn_due = True
            task = asyncio.create_task(self._keep_turn(room, seat))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _keep_turn(self, room: Room, seat: str) -> None:
        """The list of tables names the turn, a moment later: it must not hold up the changes themselves."""
        await asyncio.sleep(TURN_LATER)
        async with room.lock:
            room.turn_due = False
            if room.gone or room.turn(seat) == room.kept_turn:
                return
            turn = room.turn(seat)
            with contextlib.suppress(StoreFailed):
                await self.writer.run(lambda: self.store.set_turn(room.id, turn))
                room.kept_turn = turn

    def _tell(self, room: Room, seat: str) -> None:
        for listener in list(self.listeners.get(room.id, ())):
            listener.changed(room)
        for follower in self.followers:
            follower(room, seat)

    # --- seats; the caller is inside the room ----------------------------------------------------------------------

    async def claim(self, room: Room, side: str) -> str:
        """A new token for a person's seat; the old one stops working."""
        token = new_token()
        await self._change_seat(room, replace(self._person(room, side), token_hash=token_hash(token)))
        return token

    async def set_notify(self, room: Room, side: str, notify: str) -> None:
        await self._change_seat(room, replace(self._person(room, side), notify=notify))

    def _person(self, room: Room, side: str) -> Seat:
        seat = room.seats.get(side)
        if seat is None or seat.kind != PERSON:
            raise BadInput(f"there is no seat {side!r} for a person at this table")
        return seat

    async def _change_seat(self, room: Room, seat: Seat) -> None:
        await self.writer.run(lambda: self.store.change_seat(room.id, seat))
        room.seats[seat.side] = seat
        for listener in list(self.listeners.get(room.id, ())):
            listener.look()

    # --- listening -------------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def listening(self, table_id: str, listener: Listener) -> Iterator[None]:
        self.listeners[table_id].add(listener)
        try:
            yield
        finally:
            self.listeners[table_id].discard(listener)
            if not self.listeners[table_id]:
                del self.listeners[table_id]

    def present(self, table_id: str, seat: str) -> bool:
        """Whether somebody of that seat is looking at the table now."""
        return any(x.seat == seat for x in self.listeners.get(table_id, ()))

    async def close(self) -> None:
        """Keep what is still to be kept, then end."""
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.writer.stop()
        self.store.close()
