"""Calls about seats: sitting down by invitation, getting a lost seat back, being told of one's turn."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from typing import Annotated

import msgspec
from fastapi import Depends, FastAPI, Header, Response

from kessel.core.errors import BadInput
from kessel.table.answers import AnyDocument, Invitation, Invited, Taken, answers, as_json
from kessel.table.bodies import Join, Recover, Side, Told
from kessel.table.guard import Refused
from kessel.table.notify import Notifier, Notify
from kessel.table.room import Room
from kessel.table.rooms import Rooms
from kessel.table.seats import WATCH
from kessel.table.settings import Settings

HERE = "/api/v1/tables/{table_id}"


def _bearer(authorization: Annotated[str, Header()] = "") -> str:
    scheme, _, token = authorization.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


Token = Annotated[str, Depends(_bearer)]


@contextlib.asynccontextmanager
async def seated(rooms: Rooms, table_id: str, token: str) -> AsyncIterator[tuple[Room, str]]:
    """Inside the room, with the seat of the token."""
    async with rooms.entered(table_id) as room:
        seat = room.seat_of(token) if token else None
        if seat is None:
            raise Refused(403, "this link gives no seat at this table")
        yield room, seat


@contextlib.asynccontextmanager
async def kept(rooms: Rooms, table_id: str, token: str) -> AsyncIterator[Room]:
    """Inside the room, for whoever made the table."""
    async with rooms.entered(table_id) as room:
        if not room.kept_by(token):
            raise Refused(403, "only who made the table may invite to it")
        yield room


def add_seats(app: FastAPI, rooms: Rooms, notifier: Notifier, config: Settings) -> None:
    _add_inviting(app, rooms)
    _add_recovering(app, rooms, config)
    _add_notices(app, rooms, notifier)


def _add_inviting(app: FastAPI, rooms: Rooms) -> None:
    @app.get(f"{HERE}/invitation", **answers(Invitation, 403, 404))
    async def invitation(table_id: str, token: Token) -> Response:
        """What an invitation (sent as the token) is to. Looking does not use it up."""
        async with rooms.entered(table_id) as room:
            seat, head = rooms.invited_by(room, token), room.game.record.header
            return as_json(Invitation(room.id, head.game, head.scenario, head.options, seat.side, room.game.pledge))

    @app.post(f"{HERE}/join", **answers(Taken, 403, 404, 409))
    async def join(table_id: str, body: Join, token: Token) -> Response:
        """Take the seat of an invitation (sent as the token), which is used up by it."""
        async with rooms.entered(table_id) as room:
            return as_json(Taken(*await rooms.join(room, token, body.entropy, body.name)))

    @app.post(f"{HERE}/invitation", **answers(Invited, 403, 404, 409))
    async def invite(table_id: str, body: Side, token: Token) -> Response:
        """A new invitation to an open seat, by the table's keeper; the one before stops working."""
        async with kept(rooms, table_id, token) as room:
            return as_json(Invited(await rooms.invite(room, body.side)))

    @app.post(f"{HERE}/withdraw", **answers(AnyDocument, 403, 404, 409))
    async def withdraw(table_id: str, body: Side, token: Token) -> Response:
        """Withdraw the invitation to an open seat, by the table's keeper."""
        async with kept(rooms, table_id, token) as room:
            await rooms.withdraw(room, body.side)
            return as_json({})


def _add_recovering(app: FastAPI, rooms: Rooms, config: Settings) -> None:
    @app.post(f"{HERE}/recover", **answers(Taken, 403, 404, 409))
    async def recover(table_id: str, body: Recover) -> Response:
        """A new token for the seat whose recovery code this is; the old token and the old code stop working."""
        async with rooms.entered(table_id) as room:
            return as_json(Taken(*await rooms.recover(room, body.recovery)))

    @app.post(f"{HERE}/claim", **answers(Taken, 403, 404, 409))
    async def claim(table_id: str, body: Side) -> Response:
        """The same without the code: only on a server for one person, at tables to which nobody was invited."""
        if not config.one_person:
            raise Refused(403, "seats of this server are held by their links")
        async with rooms.entered(table_id) as room:
            return as_json(Taken(*await rooms.claim(room, body.side)))


def _add_notices(app: FastAPI, rooms: Rooms, notifier: Notifier) -> None:
    @app.get(f"{HERE}/notify", **answers(Notify, 403, 404))
    async def notified(table_id: str, token: Token) -> Response:
        """How this seat's person is told that it is their turn."""
        async with seated(rooms, table_id, token) as (room, seat):
            return Response(room.seats[seat].notify or "{}", media_type="application/json")

    @app.post(f"{HERE}/notify", **answers(Notify, 403, 404, 409))
    async def notify(table_id: str, body: Told, token: Token) -> Response:
        async with seated(rooms, table_id, token) as (room, seat):
            wanted = Notify(body.webhook, body.mail)
            if seat == WATCH:
                raise BadInput("who looks on has no turn")
            notifier.check(wanted)
            told = msgspec.json.encode(wanted) if wanted != Notify() else b""
            await rooms.set_notify(room, seat, told.decode())
            return as_json(wanted)
