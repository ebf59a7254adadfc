"""The live connection: what each change makes of the view, and actions without a request each.

The first message says who one is: `{"token": "..."}`. The answer is `{"view": View}`. After every change comes
`{"version": n, "asked": side, "entry": LogEntry or null}` at once, and then `{"view": View}`; several changes in quick
succession may be followed by one view. Who says `{"token": "...", "differences": true}` gets instead of both
`{"difference": Difference, "entry": LogEntry or null}` wherever that leads on from what was sent before, else the
whole view, and that again on `{"whole": true}`.

Who says `{"token": "...", "people": true}` also gets `{"people": People}` when somebody comes or goes, and
`{"talk": [Message]}` when somebody says something that seat may read; with `{"looks": "away"}` and `{"looks": "here"}`
one tells the others whether one looks at the page.

`{"act": {version, id, do}}` and `{"undo": {version, id}}` are answered by `{"done": id, "entry": ...}` or
`{"error": sentence, "rule": number, "id": id, "view": ...}`. A socket is closed with code 4403 when its token gives no
seat, or no longer.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Iterator
from typing import Any, Literal

import msgspec
import structlog
from fastapi import FastAPI, WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from kessel.core.errors import BadInput, KesselError
from kessel.table.bodies import Act, Body, Undo
from kessel.table.calls_seats import seated
from kessel.table.calls_tables import change
from kessel.table.guard import Pace, Refused
from kessel.table.kinds import NoTable
from kessel.table.people import HERE as PRESENT
from kessel.table.people import Message, may_read, people_of, tell_people
from kessel.table.room import Room
from kessel.table.rooms import Rooms
from kessel.table.settings import Settings
from kessel.table.store import StoreFailed

log = structlog.get_logger()
NO_SEAT = 4403
LATER = 1013
"""The standard's own code for `try again later`."""
TOO_MANY = 4429
MOST_MESSAGE = 4000
NOTHING = -1
MOST_NEWS = 100
"""Who is further behind gets the view only."""
ORDERS = 'a message is {"act": ...}, {"undo": ...}, {"looks": "here" or "away"} or {"whole": true}'


class Hello(Body):
    token: str
    differences: bool = False
    people: bool = False


class Order(Body):
    act: Act | None = None
    undo: Undo | None = None
    whole: bool = False
    looks: Literal["here", "away"] | None = None


def add_live(app: FastAPI, rooms: Rooms, config: Settings) -> None:
    @app.websocket("/api/v1/tables/{table_id}/live")
    async def live(socket: WebSocket, table_id: str) -> None:
        await socket.accept()
        try:
            hello = Hello.model_validate_json(await asyncio.wait_for(received(socket), 10))
            async with seated(rooms, table_id, hello.token) as (_, seat):
                pass
            if len(rooms.listeners.get(table_id, ())) >= config.most_listeners:
                await socket.close(TOO_MANY, "too many look at this table")
                return
        except WebSocketDisconnect:
            return
        except ValidationError:
            await socket.close(NO_SEAT, 'the first message is {"token": ...}')
            return
        except (Refused, KesselError, ValueError, KeyError, TimeoutError) as e:
            code = LATER if isinstance(e, StoreFailed | TimeoutError) else NO_SEAT
            with contextlib.suppress(RuntimeError):
                await socket.close(code, str(e)[:100])
            return
        await Connection(socket, rooms, table_id, hello, seat, Pace(config.requests_a_minute)).serve()


async def received(socket: WebSocket) -> str:
    """The next message as text; one of bytes is read as text too, and refused like any that is no order."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message["code"], message.get("reason"))
    text = message.get("text")
    return text if text is not None else (message.get("bytes") or b"").decode(errors="replace")


class Connection:
    def __init__(self, socket: WebSocket, rooms: Rooms, table_id: str, hello: Hello, seat: str, pace: Pace) -> None:
        self.socket, self.rooms, self.table_id = socket, rooms, table_id
        self.token, self.differences, self.seat, self.pace = hello.token, hello.differences, seat, pace
        self._sent = NOTHING
        """The version of the view that was sent last."""
        self._news: deque[bytes] = deque(maxlen=MOST_NEWS)
        self._changed = asyncio.Event()
        self.people, self.looks = hello.people, PRESENT
        self._people_due = False
        self._view_due = True
        self._said: deque[Message] = deque(maxlen=MOST_NEWS)

    def people_changed(self) -> None:
        if self.people:
            self._people_due = True
            self._changed.set()

    def talked(self, said: Message) -> None:
        if self.people:
            self._said.append(said)
            self._changed.set()

    def changed(self, room: Room) -> None:
        if not self.differences and room.seats[self.seat].opened_by(self.token):
            self._news.append(room.news(self.seat))
        self.look()

    def look(self) -> None:
        self._view_due = True
        self._changed.set()

    async def serve(self) -> None:
        self._changed.set()
        with self.rooms.listening(self.table_id, self), self._present():
            sender = asyncio.create_task(self._send_changes())
            sender.add_done_callback(self._sender_ended)
            try:
                await self._obey_orders()
            except (WebSocketDisconnect, RuntimeError):
                pass
            finally:
                sender.cancel()

    @contextlib.contextmanager
    def _present(self) -> Iterator[None]:
        """The others are told that somebody is here, and when they have gone."""
        tell_people(self.rooms, self.table_id)
        try:
            yield
        finally:
            self.rooms.listeners[self.table_id].discard(self)
            tell_people(self.rooms, self.table_id)

    def _sender_ended(self, task: asyncio.Task[None]) -> None:
        e = None if task.cancelled() else task.exception()
        if e is not None and not isinstance(e, WebSocketDisconnect | RuntimeError):
            log.error("live connection failed", table=self.table_id, error=repr(e), exc_info=e)

    async def _send_changes(self) -> None:
        """The news one by one; then the view, once for all of them."""
        while True:
            await self._changed.wait()
            while self._news:
                await self.socket.send_text(self._news.popleft().decode())
            self._changed.clear()
            if not self.differences:
                await asyncio.sleep(0)  # let all hear the news before the first view is made
            try:
                async with seated(self.rooms, self.table_id, self.token) as (room, seat):
                    due, self._view_due = self._view_due, False
                    message, version = self._shown(room, seat) if due else "", room.game.version
                    social = self._social(room, seat)
            except (Refused, NoTable) as e:
                await self.socket.close(NO_SEAT, str(e)[:100])
                return
            except StoreFailed as e:
                await self._send({"error": str(e), "rule": ""})
                await asyncio.sleep(1)
                self.look()
                continue
            if due and not self._news:
                self._sent = version
                await self.socket.send_text(message)
            for doc in social:
                await self._send(doc)

    def _social(self, room: Room, seat: str) -> list[dict[str, Any]]:
        """Who is here and what was said, as far as it is news to this seat."""
        found: list[dict[str, Any]] = []
        if self._people_due:
            self._people_due = False
            found.append({"people": people_of(self.rooms, room)})
        said = [x for x in self._said if may_read(x, seat, over=room.game.over)]
        self._said.clear()
        return [*found, {"talk": said}] if said else found

    def _shown(self, room: Room, seat: str) -> str:
        """The view, or how it differs from the one sent before."""
        found = room.difference(seat, self._sent) if self.differences else None
        if found is not None:
            return found.decode()
        return f'{{"view":{room.view(seat).decode()}}}'

    async def _obey_orders(self) -> None:
        while True:
            text = await received(self.socket)
            if not self.pace.allows(""):
                await self.socket.close(TOO_MANY, "too many messages; wait a little")
                return
            answer = await self._answer(text)
            if answer is not None:
                await self._send(answer)

    async def _answer(self, text: str) -> dict[str, Any] | None:
        body: Act | Undo | None = None
        try:
            if len(text) > MOST_MESSAGE:
                raise BadInput("the message is too long")
            order = Order.model_validate_json(text)
            body = order.act or order.undo
            if (order.act is not None) + (order.undo is not None) + order.whole + (order.looks is not None) != 1:
                raise BadInput(ORDERS)
            if order.looks is not None:
                self.looks = order.looks
                tell_people(self.rooms, self.table_id)
                return None
            if body is None:
                self._sent = NOTHING
                self.look()
                return None
            async with seated(self.rooms, self.table_id, self.token) as (room, seat):
                done = await change(self.rooms, room, seat, body)
            return {"done": body.id, "entry": done.entry} | ({"repeated": True} if done.repeated else {})
        except ValidationError:
            error: dict[str, Any] = {"error": ORDERS, "rule": ""}
        except Refused as e:
            error = e.doc
        except KesselError as e:
            error = {"error": str(e), "rule": ""}
        return error | ({"id": body.id} if body is not None else {})

    async def _send(self, doc: dict[str, Any]) -> None:
        await self.socket.send_text(msgspec.json.encode(doc).decode())
