"""The live connection: what each change makes of the view, and actions without a request each.

The first message says who one is: `{"token": "..."}`. The answer is `{"view": View}`. After every change comes
`{"version": n, "asked": side, "entry": LogEntry or null}` at once, and then `{"view": View}`; several changes in quick
succession may be followed by one view. Who says `{"token": "...", "differences": true}` gets instead of both
`{"difference": Difference, "entry": LogEntry or null}` wherever that leads on from what was sent before, else the
whole view, and that again on `{"whole": true}`.

`{"act": {version, id, do}}` and `{"undo": {version, id}}` are answered by `{"done": id, "entry": ...}` or
`{"error": sentence, "rule": number, "id": id, "view": ...}`. A socket is closed with code 4403 when its token gives no
seat, or no longer.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from typing import Any

import msgspec
import structlog
from fastapi import FastAPI, WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from kessel.core.errors import BadInput, KesselError
from kessel.table.bodies import Act, Body, Undo
from kessel.table.calls_seats import seated
from kessel.table.calls_tables import change
from kessel.table.guard import Pace, Refused
from kessel.table.room import Room
from kessel.table.rooms import NoTable, Rooms
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
ORDERS = 'a message is {"act": ...}, {"undo": ...} or {"whole": true}'


class Hello(Body):
    token: str
    differences: bool = False


class Order(Body):
    act: Act | None = None
    undo: Undo | None = None
    whole: bool = False


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

    def changed(self, room: Room) -> None:
        if not self.differences and room.seats[self.seat].opened_by(self.token):
            self._news.append(room.news(self.seat))
        self._changed.set()

    def look(self) -> None:
        self._changed.set()

    async def serve(self) -> None:
        self._changed.set()
        with self.rooms.listening(self.table_id, self):
            sender = asyncio.create_task(self._send_changes())
            sender.add_done_callback(self._sender_ended)
            try:
                await self._obey_orders()
            except (WebSocketDisconnect, RuntimeError):
                pass
            finally:
                sender.cancel()

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
                    message, version = self._shown(room, seat), room.game.version
            except (Refused, NoTable) as e:
                await self.socket.close(NO_SEAT, str(e)[:100])
                return
            except StoreFailed as e:
                await self._send({"error": str(e), "rule": ""})
                await asyncio.sleep(1)
                self._changed.set()
                continue
            if not self._news:
                self._sent = version
                await self.socket.send_text(message)

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
            if (order.act is not None) + (order.undo is not None) + order.whole != 1:
                raise BadInput(ORDERS)
            if body is None:
                self._sent = NOTHING
                self._changed.set()
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
