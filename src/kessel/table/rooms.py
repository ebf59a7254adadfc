"""All open rooms of this process. A change is acknowledged only after the store has kept it."""

from __future__ import annotations

import asyncio
import contextlib
import re
import secrets
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import msgspec
import structlog

from kessel.core import snapshot
from kessel.core.breakdown import Refusal
from kessel.core.errors import BadInput, IllegalAction
from kessel.core.game import Entry, Game, outcome_json
from kessel.core.learning import LessonGame, NotHere
from kessel.core.pack import Pack
from kessel.core.record import Line
from kessel.core.title import Outcome, title
from kessel.table.kinds import Accepted, Listener, New, NoTable, NotYours, RulesFailed, Taken
from kessel.table.room import Room
from kessel.table.seats import (
    KEEPER,
    NO_SEATS,
    OPEN,
    PERSON,
    WATCH,
    WATCHER,
    Seat,
    matches,
    new_token,
    seat_for,
    token_hash,
)
from kessel.table.store import Change, Kept, Stale, Store, StoreFailed
from kessel.table.writer import Writer

log = structlog.get_logger()
SNAPSHOT_EVERY = 24
"""Actions between two kept snapshots at the least; they are taken where undo is not possible anyway."""
TURN_LATER = 0.1
TABLE_ID = re.compile(r"[A-Za-z0-9_-]{1,32}")

Follower = Callable[[Room, str], None]
"""Is told after every change: the room, and the seat that made it."""


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
        self._making = asyncio.Lock()
        """New games are made one at a time, so that many who want some do not take the time of those who play."""
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
            room.used = time.monotonic()
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
        if "lesson" in kept.record.header.options:
            return LessonGame.reopened(kept.record, pack)
        return Game.resume(kept.record, kept.snapshots, kept.events, pack=pack)

    def _remember(self, room: Room) -> None:
        """Keep it open, and close those that were not used for the longest time if there are too many."""
        self._open[room.id] = room
        for table_id, other in list(self._open.items()):
            if len(self._open) <= self.most_open:
                break
            if not other.users and not self.listeners.get(table_id) and other is not room:
                self._drop(other)

    def is_open(self, table_id: str) -> bool:
        return table_id in self._open

    def release(self, idle: float) -> int:
        """Close the rooms nobody has entered for so many seconds and nobody looks at; how many those were."""
        before = time.monotonic() - idle
        idlers = [r for r in self._open.values() if r.used < before and not r.users and not self.listeners.get(r.id)]
        for room in idlers:
            self._drop(room)
        return len(idlers)

    async def expire(self, unplayed: float) -> list[str]:
        """Throw away tables nobody has played at and nobody has touched for so many seconds."""
        gone = await self.writer.run(lambda: self.store.expire(time.time() - unplayed))
        for table_id in gone:
            self._forget(table_id)
        return gone

    def _forget(self, table_id: str) -> None:
        """The table is gone from the store."""
        if table_id in self._open:
            self._drop(self._open[table_id])
        for listener in list(self.listeners.get(table_id, ())):
            listener.look()

    def _drop(self, room: Room) -> None:
        """Throw an open room away; its table is read from the store again when it is wanted."""
        room.gone = True
        if self._open.get(room.id) is room:
            del self._open[room.id]

    # --- making ----------------------------------------------------------------------------------------------------

    async def create(
        self,
        game: str,
        scenario: str,
        options: Mapping[str, str],
        seats: Mapping[str, str],
        seed: int | None = None,
        *,
        entropy: str = "",
        made_by: str = "",
        name: str = "",
        for_all: bool = False,
    ) -> New:
        """A new table. `seats`: side to `me`, `open` or `program:LEVEL`. Where others are invited the dice are those
        of nobody's choice: whoever makes the table adds `entropy` to them, and so does everybody who comes. `for_all`:
        whoever finds it in the list of tables may come.
        """
        t = title(game)
        sides = [t.sides[i] for i in t.played]
        for side in seats:
            if side not in sides:
                raise BadInput(f"{game} has no seat {side!r}; there are {', '.join(sides)}")
        made = {side: seat_for(game, side, seats.get(side, "me")) for side in sides}
        mine = [side for side, s in made.items() if s.kind == PERSON]
        invites = any(s.kind == OPEN for s in made.values())
        if invites and seed is not None:
            raise BadInput("whoever chooses the dice knows them: leave the seed out of a game with another person")
        if invites and mine and not entropy:
            raise BadInput("where another person plays, the dice need entropy of yours: 32 hexadecimal digits or more")
        made |= {side: replace(made[side], entropy=entropy, name=name) for side in mine}
        added = {side: entropy for side in mine if entropy and not invites}
        async with self._making:
            playing = await asyncio.to_thread(
                lambda: Game.new(game, scenario, seed=seed, options=options, pack=self.pack(game), entropy=added)
            )
        return await self._keep(playing, made, made_by, for_all=for_all)

    async def take_in(self, playing: Game, *, made_by: str = "") -> New:
        """A table for a game that was played elsewhere; who brings it plays all seats. It goes on with other dice: the
        record has told its own.
        """
        going = playing if playing.over else await asyncio.to_thread(playing.branch, len(playing.entries))
        sides = [playing.title.sides[i] for i in playing.title.played]
        return await self._keep(going, {side: Seat(side, PERSON) for side in sides}, made_by)

    async def begin_lesson(self, lesson: str, *, made_by: str = "") -> New:
        """A table at which one person learns a game: `stalingrad42/voronezh`."""
        game, _, name = lesson.partition("/")
        playing = await asyncio.to_thread(lambda: LessonGame.begin(game, name, self.pack(title(game).id)))
        t = playing.title
        played = {t.sides[i] for i in t.played} | {playing.lesson.seat_at(n) for n in range(len(playing.lesson.step))}
        return await self._keep(playing, {side: Seat(side, PERSON) for side in t.sides if side in played}, made_by)

    async def branch(self, room: Room, at: int, *, made_by: str = "") -> New:
        """A new table that goes on from an earlier point, with other dice. Who asks plays all the persons' seats."""
        if at > len(room.game.entries):
            raise BadInput(f"the game has {len(room.game.entries)} actions, not {at}")
        if isinstance(room.game, LessonGame):
            raise BadInput("a lesson goes its own way; begin it anew instead")
        playing = await asyncio.to_thread(room.game.branch, at)
        seats = {side: Seat(side, s.kind, s.level) for side, s in room.seats.items() if side not in NO_SEATS}
        return await self._keep(playing, seats, made_by)

    async def _keep(self, playing: Game, seats: dict[str, Seat], made_by: str, *, for_all: bool = False) -> New:
        seats = {**seats, WATCH: Seat(WATCH, WATCHER), KEEPER: Seat(KEEPER, KEEPER)}
        tokens = {side: new_token() for side, s in seats.items() if s.kind in (PERSON, WATCHER, KEEPER)}
        recovery = {side: new_token() for side, s in seats.items() if s.kind == PERSON}
        invitations = {side: new_token() for side, s in seats.items() if s.kind == OPEN}
        held = {
            side: replace(
                s,
                token_hash=_hashed(tokens.get(side)),
                recovery_hash=_hashed(recovery.get(side)),
                invite_hash=_hashed(invitations.get(side)),
                seen=len(playing.entries),
            )
            for side, s in seats.items()
        }
        room = Room(secrets.token_urlsafe(9), playing, held, last_snapshot=len(playing.entries))
        room.kept_turn = room.turn(WATCH)
        first = (len(playing.entries), snapshot.save(playing.board))
        told = dict(zip(playing.standing(), (e.events for e in playing.entries), strict=True))
        turn, asked, over = room.kept_turn, room.asked, playing.outcome()
        about = {
            "made_by": made_by,
            "open_to_all": msgspec.json.encode(invitations).decode() if for_all else "",
            "outcome": _outcome_text(playing, over),
        }
        await self.writer.run(
            lambda: self.store.create(
                room.id, playing.record, held, turn=turn, asked=asked, snapshot=first, events=told, **about
            )
        )
        self._remember(room)
        self._tell(room, WATCH)
        keeper = tokens.pop(KEEPER)
        return New(room, tokens, recovery, invitations, keeper)

    async def delete(self, table_id: str) -> None:
        """Throw a table away, also one that cannot be opened."""
        if not TABLE_ID.fullmatch(table_id) or not await self.writer.run(lambda: self.store.delete(table_id)):
            raise NoTable("there is no such table")
        self._forget(table_id)

    # --- changing; the caller is inside the room -------------------------------------------------------------------

    async def act(self, room: Room, seat: str, version: int, request: str, do: str) -> Accepted:
        """Carry out an action of a seat, once: the same request again gives the first answer and changes nothing."""
        line = self._accepted(room, seat, request, " ".join(do.split()))
        if line is not None:
            return Accepted(room.entry_of_line(line, seat), True)
        self._check(room, seat, version)
        in_turn = room.game.in_turn
        try:
            entry = room.game.play(do, room.side(seat))
        except NotHere:
            room.changed(None)
            raise
        except IllegalAction:
            raise
        except BadInput as e:  # a word that means nothing is no listed action either
            raise IllegalAction("", Refusal("", str(e))) from None
        except Exception:
            log.exception("rules failed", table=room.id, version=version, do=do)
            self._drop(room)
            raise RulesFailed("this action cannot be carried out: the rules broke down; nothing was changed") from None
        replies = room.game.replies()
        seen = in_turn and room.seats[seat].kind == PERSON
        await self._commit(room, seat, version, request, entry, seen=seen, tell=not replies)
        await self._commit_more(room, seat, version + 1, replies)
        return Accepted(room.last_entry(seat))

    async def undo(self, room: Room, seat: str, version: int, request: str) -> Accepted:
        """Take a seat's last action back, once."""
        if self._accepted(room, seat, request, "") is not None:
            return Accepted(None, True)
        self._check(room, seat, version)
        if room.asked != seat:
            raise IllegalAction("undo", Refusal("", "it is not your decision"))
        if not room.game.can_undo and isinstance(room.game, LessonGame):
            raise IllegalAction("undo", Refusal("", "this step has only begun; Back leads to the one before"))
        room.game.undo()
        await self._commit(room, seat, version, request, None)
        return Accepted(None)

    async def take_back(self, room: Room, seat: str, request: str, to: int) -> None:
        """Go back to the board after so many actions, past dice and all. Who calls has made sure that all want it."""
        version = room.game.version
        await asyncio.to_thread(room.game.take_back, to)
        room.last_snapshot = min(room.last_snapshot, to)
        await self._commit(room, seat, version, request, None, back_to=to)

    async def begin_step(self, room: Room, seat: str, version: int, *, before: bool) -> None:
        """Begin a lesson's step again, or the one before it."""
        self._check(room, seat, version)
        game = self.lesson_of(room)
        back = game.back_to(before=before)
        for _ in range(back):
            game.undo()
        await self._commit_more(room, seat, version, [*[None] * back, *game.replies()])

    def show_refusal(self, room: Room) -> None:
        """Try what a lesson's step says is forbidden."""
        self.lesson_of(room).show_refusal()
        room.changed(None)

    def lesson_of(self, room: Room) -> LessonGame:
        if not isinstance(room.game, LessonGame):
            raise BadInput("this table is no lesson")
        return room.game

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
        if room.waiting:
            names = " and ".join(room.waiting)
            raise IllegalAction("", Refusal("", f"the game begins when all have come; {names} is still open"))
        if version != room.game.version:
            raise Stale("the table has changed since; look again")

    async def _commit_more(self, room: Room, seat: str, version: int, entries: Sequence[Entry | None]) -> None:
        """Keep what a lesson did besides, and tell of it when all of it is kept."""
        for i, entry in enumerate(entries):
            request, last = secrets.token_hex(8), i == len(entries) - 1
            await self._commit(room, seat, version + i, request, entry, tell=last)

    async def _commit(
        self,
        room: Room,
        seat: str,
        version: int,
        request: str,
        entry: Entry | None,
        *,
        seen: bool = False,
        back_to: int | None = None,
        tell: bool = True,
    ) -> None:
        """`seen`: whoever acts in their own turn has seen all that came before. `tell`: it is the last of its kind."""
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
            line=game.record.lines[version],
            events=entry.events if entry is not None else [],
            asked=room.asked,
            outcome=_outcome_text(game, outcome),
            snapshot=saved,
            seen=len(game.entries) - 1 if seen else None,
            back_to=back_to,
        )
        try:
            await self.writer.keep(change)
        except BaseException:  # also when this task is cancelled: nobody knows then whether it was kept
            self._drop(room)
            raise
        room.requests[seat, request] = version
        if change.seen is not None:
            room.seats[seat] = replace(room.seats[seat], seen=change.seen)
        if saved is not None:
            room.last_snapshot = saved[0]
        if not tell:
            return
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

    def invited_by(self, room: Room, invitation: str) -> Seat:
        """The open seat an invitation is for."""
        for seat in room.seats.values():
            if seat.kind == OPEN and matches(seat.invite_hash, invitation):
                return seat
        raise NotYours("this invitation was used or withdrawn; ask for another")

    async def join(self, room: Room, invitation: str, entropy: str, name: str = "") -> Taken:
        """Take an open seat, once. When the last is taken the game begins, with dice all have added to."""
        old = self.invited_by(room, invitation)
        token, recovery = new_token(), new_token()
        new = Seat(
            old.side,
            PERSON,
            token_hash=token_hash(token),
            recovery_hash=token_hash(recovery),
            invited=True,
            entropy=entropy,
            name=name,
        )
        seats = {**room.seats, old.side: new}
        fresh = Room(room.id, room.game, seats)
        begins = None
        if not fresh.waiting:
            fresh.game = await asyncio.to_thread(self._begun, room.game, seats)
            begins = (fresh.game.record, fresh.turn(WATCH), fresh.asked, snapshot.save(fresh.game.board))
        fresh.kept_turn = fresh.turn(WATCH)
        try:
            await self.writer.run(lambda: self.store.join(room.id, old, new, begins))
        except BaseException:
            self._drop(room)
            raise
        self._drop(room)
        self._remember(fresh)
        self._tell(fresh, WATCH)
        return Taken(old.side, token, recovery)

    def _begun(self, waiting: Game, seats: Mapping[str, Seat]) -> Game:
        """The game from its beginning: the seed that was committed to, and what everybody added since."""
        head = waiting.record.header
        added = {side: s.entropy for side, s in seats.items() if s.kind == PERSON}
        seed = bytes.fromhex(head.seed)
        return Game.new(
            head.game, head.scenario, seed=seed, options=head.options, pack=self.pack(head.game), entropy=added
        )

    async def invite(self, room: Room, side: str) -> str:
        """A new invitation to an open seat; the one before stops working."""
        invitation = new_token()
        await self._change_seat(room, replace(self._open_seat(room, side), invite_hash=token_hash(invitation)))
        await self.writer.run(lambda: self.store.set_open(room.id, side, invitation))
        return invitation

    async def withdraw(self, room: Room, side: str) -> None:
        await self._change_seat(room, replace(self._open_seat(room, side), invite_hash=""))
        await self.writer.run(lambda: self.store.set_open(room.id, side, ""))

    def _open_seat(self, room: Room, side: str) -> Seat:
        seat = room.seats.get(side)
        if seat is None or seat.kind != OPEN:
            raise Stale(f"there is no open seat {side!r} at this table")
        return seat

    async def recover(self, room: Room, code: str) -> Taken:
        """A new token and a new code for the seat whose code this is; the old ones stop working."""
        seat = next((s for s in room.seats.values() if matches(s.recovery_hash, code)), None)
        if seat is None:
            raise NotYours("this code recovers no seat at this table")
        return await self._give(room, seat)

    async def claim(self, room: Room, side: str) -> Taken:
        """The same without its code, where nobody was invited to the table."""
        if any(s.kind == OPEN or s.invited for s in room.seats.values()):
            raise NotYours("another person was invited to this table; a seat is recovered by its own code")
        return await self._give(room, self._person(room, side))

    async def _give(self, room: Room, seat: Seat) -> Taken:
        token, recovery = new_token(), new_token()
        given = replace(seat, token_hash=token_hash(token), recovery_hash=token_hash(recovery))
        await self._change_seat(room, given)
        return Taken(seat.side, token, recovery)

    async def set_seen(self, room: Room, side: str, seen: int) -> None:
        """A seat's person has seen so many actions."""
        seat = self._person(room, side)
        if seen > len(room.game.entries):
            raise BadInput(f"the game has {len(room.game.entries)} actions, not {seen}")
        await self.writer.run(lambda: self.store.set_seen(room.id, side, seen))
        room.seats[side] = replace(seat, seen=seen)

    async def set_name(self, room: Room, side: str, name: str) -> None:
        await self._change_seat(room, replace(self._person(room, side), name=name))

    async def set_notify(self, room: Room, side: str, notify: str) -> None:
        await self._change_seat(room, replace(self._person(room, side), notify=notify))

    def _person(self, room: Room, side: str) -> Seat:
        seat = room.seats.get(side)
        if seat is None or seat.kind != PERSON:
            raise BadInput(f"there is no seat {side!r} for a person at this table")
        return seat

    async def _change_seat(self, room: Room, seat: Seat) -> None:
        old = room.seats[seat.side]
        try:
            await self.writer.run(lambda: self.store.change_seat(room.id, old, seat))
        except BaseException:
            self._drop(room)
            raise
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


def _outcome_text(game: Game, outcome: Outcome | None) -> str:
    return "" if outcome is None else msgspec.json.encode(outcome_json(game.title, outcome)).decode()


def _hashed(secret: str | None) -> str:
    return "" if secret is None else token_hash(secret)
