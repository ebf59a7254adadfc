"""People at a table: who is here, what they say to each other, what they note for themselves, and taking back by
consent.

The players have one thread and those who look on have another; neither reads the other's before the game is over. A
note is read by the seat that made it alone. Nothing here is taken from the game but how many actions it has.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import func, insert, select, update

from kessel.core.breakdown import Refusal
from kessel.core.errors import BadInput, IllegalAction
from kessel.table.schema import TALK
from kessel.table.seats import NO_SEATS, PERSON, WATCH

if TYPE_CHECKING:
    from kessel.table.room import Room
    from kessel.table.rooms import Rooms
    from kessel.table.store import Store

SAY, NOTE, ASK, ALLOWED, REFUSED = "say", "note", "ask", "allowed", "refused"
MOST_SAID = 2000
"""Messages kept at one table."""
HERE, AWAY = "here", "away"


class Message(msgspec.Struct):
    """One message at a table."""

    n: int
    seat: str
    """The side that said it; empty for who looks on."""
    name: str
    kind: str
    """say, note (read by its own seat alone), ask (to take back), allowed, refused"""
    text: str
    made: float
    after: int
    """After so many actions."""
    version: int
    to: int
    """Of a wish to take back: so many actions would stand."""


class SeatPresence(msgspec.Struct):
    side: str
    kind: str
    level: str
    name: str
    here: str
    """here, away (the page is open, but not looked at), or empty"""


class People(msgspec.Struct):
    """Who sits at a table, and who is here."""

    seats: list[SeatPresence]
    watching: int


# --- presence ------------------------------------------------------------------------------------------------------


def people_of(rooms: Rooms, room: Room) -> People:
    there = [x for x in rooms.listeners.get(room.id, ()) if x.people]

    def state(side: str) -> str:
        looks = {x.looks for x in there if x.seat == side}
        return HERE if HERE in looks else AWAY if looks else ""

    seats = [
        SeatPresence(side, s.kind, s.level, s.name, state(side))
        for side, s in room.seats.items()
        if side not in NO_SEATS
    ]
    return People(seats, sum(x.seat == WATCH for x in there))


def tell_people(rooms: Rooms, table_id: str) -> None:
    """Somebody came, went, or has another name."""
    for listener in list(rooms.listeners.get(table_id, ())):
        listener.people_changed()


# --- talk ----------------------------------------------------------------------------------------------------------


def may_read(said: Message, seat: str, *, over: bool) -> bool:
    if said.kind == NOTE:
        return said.seat == seat and seat != WATCH
    return over or (said.seat == WATCH) == (seat == WATCH)


def talk_of(store: Store, table_id: str, since: int = 0) -> list[Message]:
    """Everything said at a table, whoever may read it."""
    wanted = select(*(TALK.c[f] for f in Message.__struct_fields__)).where(
        TALK.c.table_id == table_id, TALK.c.n > since
    )
    with store.reading("what was said cannot be read") as db:
        return [Message(**row) for row in db.execute(wanted.order_by(TALK.c.n)).mappings().all()]


def _keep(store: Store, table_id: str, said: dict[str, Any]) -> Message:
    with store.writing("it could not be kept, so it was not said") as db:
        last = int(db.execute(select(func.max(TALK.c.n)).where(TALK.c.table_id == table_id)).scalar() or 0)
        if last >= MOST_SAID:
            raise BadInput(f"{MOST_SAID} messages have been written at this table; there is no room for more")
        found = Message(n=last + 1, **said)
        db.execute(insert(TALK), {"table_id": table_id, **msgspec.structs.asdict(found)})
        return found


async def say(
    rooms: Rooms, room: Room, seat: str, text: str, kind: str = SAY, *, name: str = "", to: int = -1
) -> Message:
    """Somebody says or notes something."""
    if kind == NOTE and seat == WATCH:
        raise BadInput("who looks on keeps no notes here")
    said = {
        "seat": seat,
        "name": room.seats[seat].name if seat != WATCH else name,
        "kind": kind,
        "text": text,
        "made": time.time(),
        "after": len(room.game.entries),
        "version": room.game.version,
        "to": to,
    }
    found = await rooms.writer.run(lambda: _keep(rooms.store, room.id, said))
    for listener in list(rooms.listeners.get(room.id, ())):
        listener.talked(found)
    return found


# --- taking back ---------------------------------------------------------------------------------------------------


def _refused(why: str) -> IllegalAction:
    return IllegalAction("take back", Refusal("", why))


async def ask_back(rooms: Rooms, room: Room, seat: str, to: int) -> Message:
    """A player asks the others to go back to where so many actions had been done."""
    if seat == WATCH or room.seats[seat].kind != PERSON or room.waiting:
        raise _refused("only who plays can ask to take something back")
    if not any(s.kind == PERSON and s.side != seat for s in room.seats.values() if s.side not in NO_SEATS):
        raise _refused("there is nobody to ask; in the log you can play on from an earlier point at a table of its own")
    entries = room.game.entries
    if not 0 <= to < len(entries) or room.game.title.sides[entries[to].side] != seat:
        raise _refused("one takes back to a decision of one's own")
    back = len(entries) - to
    text = f"asks to take back the last {back} actions" if back > 1 else "asks to take back the last action"
    return await say(rooms, room, seat, text, ASK, to=to)


async def answer_back(rooms: Rooms, room: Room, seat: str, n: int, *, allow: bool) -> Message:
    """The other player allows it or not. What was rolled is spent; the dice go on from where they are."""
    said = talk_of(rooms.store, room.id, n - 1)
    wish = said[0] if said and said[0].n == n and said[0].kind == ASK else None
    if wish is None or any(x.kind in (ALLOWED, REFUSED) and x.to == n for x in said):
        raise _refused("nobody asks for that now")
    if seat in (WATCH, wish.seat) or room.seats[seat].kind != PERSON:
        raise _refused("the other player must allow it")
    if wish.version != room.game.version:
        raise _refused("the game has gone on since; ask again")
    if allow:
        await rooms.take_back(room, seat, f"back:{n}", wish.to)
    text = "allowed it: the dice that fell are spent, and new ones follow" if allow else "did not allow it"
    return await say(rooms, room, seat, text, ALLOWED if allow else REFUSED, to=n)


def rename_talk(store: Store, table_id: str, seat: str, name: str) -> None:
    """What a seat has said is shown under its new name."""
    with store.writing("the name could not be kept") as db:
        db.execute(update(TALK).where(TALK.c.table_id == table_id, TALK.c.seat == seat).values(name=name))
