"""Calls at a table. Each one enters the room, is told by its token whose seat it sits in, and sees what that seat may.

What changes a table or shows its view is done at once; whatever may take longer is done in a thread, inside the room.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Annotated, Any

import msgspec
from fastapi import Depends, FastAPI, Header, Query, Response

from kessel.core.analysis import answer
from kessel.core.errors import BadInput, BadRecord, IllegalAction
from kessel.core.procedure import options
from kessel.core.view import LogEntry, SideView, View
from kessel.table.answers import (
    AnyDocument,
    Claimed,
    Done,
    Hint,
    Made,
    Previews,
    TableInfo,
    Why,
    answers,
    as_json,
    other,
)
from kessel.table.bodies import Act, Branch, Claim, Do, Dos, NewTable, Told, Undo
from kessel.table.guard import Refused
from kessel.table.notify import Notifier, Notify
from kessel.table.room import Room
from kessel.table.rooms import Accepted, Rooms
from kessel.table.seats import PERSON, WATCH
from kessel.table.settings import Settings
from kessel.table.store import Stale
from kessel.table.think import Thinkers, task_of
from kessel.table.worker import Task

HERE = "/api/v1/tables/{table_id}"
NOT_YOURS = "it is not your decision"


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


async def change(rooms: Rooms, room: Room, seat: str, body: Act | Undo) -> Accepted:
    """Carry out an action or an undo, or refuse it with the current view."""
    try:
        if isinstance(body, Act):
            return await rooms.act(room, seat, body.version, body.id, body.do)
        return await rooms.undo(room, seat, body.version, body.id)
    except IllegalAction as e:
        raise Refused(409, str(e), e.refusal.rule, room.view(seat)) from None
    except Stale as e:
        if not room.gone:
            raise Refused(409, str(e), "", room.view(seat)) from None
        raise


def add_tables(app: FastAPI, rooms: Rooms, thinkers: Thinkers, notifier: Notifier, config: Settings) -> None:
    _add_making(app, rooms, config)
    _add_playing(app, rooms)
    _add_looking_ahead(app, rooms)
    _add_thinking(app, rooms, thinkers)
    _add_looking_back(app, rooms)
    _add_seat(app, rooms, notifier, config)


def _add_making(app: FastAPI, rooms: Rooms, config: Settings) -> None:
    def made(room: Room, tokens: dict[str, str]) -> Response:
        return as_json(Made(room.id, {s: t for s, t in tokens.items() if s != WATCH}, tokens[WATCH]), 201)

    async def room_for_one_more() -> None:
        if await asyncio.to_thread(rooms.store.count) >= config.most_tables:
            raise Refused(429, f"this server keeps {config.most_tables} tables and has as many")

    @app.get("/api/v1/tables", **answers(list[TableInfo]))
    async def listing() -> Response:
        return as_json(await asyncio.to_thread(rooms.store.listing))

    @app.post("/api/v1/tables", **answers(Made, status=201))
    async def new_table(body: NewTable) -> Response:
        await room_for_one_more()
        if body.seed is not None and not config.one_person and "open" in body.seats.values():
            raise Refused(400, "whoever chooses the dice knows them: leave the seed out of a game with another person")
        return made(*await rooms.create(body.game, body.scenario, body.options, body.seats, body.seed))

    @app.post(f"{HERE}/branch", **answers(Made, 403, 404, status=201))
    async def branch(table_id: str, body: Branch, token: Token) -> Response:
        """A new table that goes on from an earlier point. Who asks gets all its links: there must be nothing to spy."""
        await room_for_one_more()
        async with seated(rooms, table_id, token) as (room, seat):
            others = [s for s in room.seats.values() if s.kind == PERSON and s.side != seat]
            if not config.one_person and not room.game.over and (seat == WATCH or others):
                raise Refused(403, "other persons play here; branch from this game when it is over")
            return made(*await rooms.branch(room, body.at))

    @app.delete(HERE, **answers(AnyDocument, 403, 404))
    async def delete(table_id: str) -> Response:
        """Only on a server for one person: throw a table away."""
        if not config.one_person:
            raise Refused(403, "tables of this server are kept")
        try:
            async with rooms.entered(table_id) as room:
                await rooms.delete(room)
        except BadRecord:  # a table made with other data cannot be opened any more, but must not stay for ever
            await rooms.delete_unread(table_id)
        return as_json({})


def _add_playing(app: FastAPI, rooms: Rooms) -> None:
    @app.get(f"{HERE}/view", **answers(View, 403, 404))
    async def view(table_id: str, token: Token) -> Response:
        async with seated(rooms, table_id, token) as (room, seat):
            return Response(room.view(seat), media_type="application/json")

    async def changed(table_id: str, body: Act | Undo, token: str) -> Response:
        async with seated(rooms, table_id, token) as (room, seat):
            done = await change(rooms, room, seat, body)
            different = room.difference(seat, body.version) if body.differences and not done.repeated else None
            if different is not None:
                return Response(different, media_type="application/json")
            repeated = {"repeated": True} if done.repeated else {}
            return as_json({"view": msgspec.Raw(room.view(seat)), "entry": done.entry} | repeated)

    @app.post(f"{HERE}/actions", **answers(Done, 403, 404, 409))
    async def actions(table_id: str, body: Act, token: Token) -> Response:
        return await changed(table_id, body, token)

    @app.post(f"{HERE}/undo", **answers(Done, 403, 404, 409))
    async def undo(table_id: str, body: Undo, token: Token) -> Response:
        return await changed(table_id, body, token)


def _add_looking_ahead(app: FastAPI, rooms: Rooms) -> None:
    @app.post(f"{HERE}/why", **answers(Why, 403, 404, 409))
    async def why(table_id: str, body: Do, token: Token) -> Response:
        """Why an action is not allowed; null if it is."""
        async with seated(rooms, table_id, token) as (room, seat):
            if seat == WATCH:
                raise Refused(409, "you are looking on")
            refusal = await asyncio.to_thread(room.game.why_not, body.do, room.side(seat))
            return as_json({"refusal": None if refusal is None else refusal.as_json()})

    @app.post(f"{HERE}/preview", **answers(AnyDocument, 403, 404, 409))
    async def preview(table_id: str, body: Do, token: Token) -> Response:
        """What an action would do: a document of the game's own, and whether it could be undone."""

        def work(room: Room, seat: str) -> dict[str, Any]:
            game = room.game
            action = game.parse(body.do)
            refusal = game.why_not(action, room.side(seat))
            if refusal is not None:
                raise Refused(409, refusal.reason, refusal.rule)
            return {"undoable": game.undoable(action), **game.title.preview(room.known(seat), action)}

        async with seated(rooms, table_id, token) as (room, seat):
            if seat != room.asked:
                raise Refused(409, NOT_YOURS)
            return as_json(await asyncio.to_thread(work, room, seat))

    @app.post(f"{HERE}/previews", **answers(Previews, 403, 404))
    async def previews(table_id: str, body: Dos, token: Token) -> Response:
        """What several actions would do; null for those that are not listed now."""

        def work(room: Room, seat: str) -> list[dict[str, Any] | None]:
            game, known = room.game, room.known(seat)
            listed = {game.text(a): a for a in options(game.board)}
            found = [listed.get(text) for text in body.do]
            return [None if a is None else game.title.preview(known, a) for a in found]

        async with seated(rooms, table_id, token) as (room, seat):
            mine = seat == room.asked and seat != WATCH
            done = await asyncio.to_thread(work, room, seat) if mine else [None] * len(body.do)
            return as_json({"previews": done})


def _add_thinking(app: FastAPI, rooms: Rooms, thinkers: Thinkers) -> None:
    @app.post(f"{HERE}/hint", **answers(Hint, 403, 404, 409))
    async def hint(table_id: str, token: Token) -> Response:
        """What the best program would do in the seat's place, and what for."""
        async with seated(rooms, table_id, token) as (room, seat):
            if seat != room.asked or seat == WATCH:
                raise Refused(409, NOT_YOURS)
            task = task_of(room, seat)
        found = await thinkers.suggest(task)
        return as_json(Hint(found.do, found.reason))

    @app.get(f"{HERE}/known", **answers(Task, 403, 404))
    async def known(table_id: str, token: Token) -> Response:
        """All the seat may know, as a board to think on: for programs that play over the network."""
        async with seated(rooms, table_id, token) as (room, seat):
            if seat == WATCH:
                raise Refused(403, "you are looking on")
            return as_json(task_of(room, seat))

    @app.get(f"{HERE}/overlays", **answers(AnyDocument, 403, 404))
    async def overlays(table_id: str, token: Token) -> Response:
        async with seated(rooms, table_id, token) as (room, seat):
            board = room.public() if seat == WATCH else room.known(seat)
            return as_json(await asyncio.to_thread(room.game.title.overlays, board, room.side(seat)))

    @app.post(f"{HERE}/ask", **answers(AnyDocument, 403, 404))
    async def ask(table_id: str, body: dict[str, Any], token: Token) -> Response:
        """One question of `kessel analyze` about the position now."""
        async with seated(rooms, table_id, token) as (room, seat):
            question = msgspec.json.encode(body)
            return as_json(await asyncio.to_thread(answer, room.game.title, room.known(seat), question))


def _add_looking_back(app: FastAPI, rooms: Rooms) -> None:
    @app.get(f"{HERE}/log", **answers(list[LogEntry], 403, 404))
    async def entries(table_id: str, token: Token, since: Annotated[int, Query(ge=0, lt=2**31)] = 0) -> Response:
        async with seated(rooms, table_id, token) as (room, seat):
            return as_json(room.log(seat, since))

    @app.get(f"{HERE}/at/{{n}}", **answers(SideView, 403, 404))
    async def at(table_id: str, n: int, token: Token) -> Response:
        """What the seat saw after n actions."""
        async with seated(rooms, table_id, token) as (room, seat):
            t, side = room.game.title, room.side(seat)
            return as_json(await asyncio.to_thread(lambda: t.view(room.game.at(n), side)))

    @app.get(f"{HERE}/record", **other("application/jsonl", 403, 404))
    async def record(table_id: str, token: Token) -> Response:
        async with seated(rooms, table_id, token) as (room, seat):
            game = room.game
            text = await asyncio.to_thread(room.record, seat)
        headers = {"Content-Disposition": f'attachment; filename="{game.title.id}-{game.scenario}.kessel"'}
        return Response(text, media_type="application/jsonl", headers=headers)


def _add_seat(app: FastAPI, rooms: Rooms, notifier: Notifier, config: Settings) -> None:
    @app.post(f"{HERE}/claim", **answers(Claimed, 403, 404))
    async def claim(table_id: str, body: Claim) -> Response:
        """Only on a server for one person: a new token for a person's seat."""
        if not config.one_person:
            raise Refused(403, "seats of this server are held by their links")
        async with rooms.entered(table_id) as room:
            return as_json(Claimed(await rooms.claim(room, body.side)))

    @app.get(f"{HERE}/notify", **answers(Notify, 403, 404))
    async def notified(table_id: str, token: Token) -> Response:
        """How this seat's person is told that it is their turn."""
        async with seated(rooms, table_id, token) as (room, seat):
            return Response(room.seats[seat].notify or "{}", media_type="application/json")

    @app.post(f"{HERE}/notify", **answers(Notify, 403, 404))
    async def notify(table_id: str, body: Told, token: Token) -> Response:
        async with seated(rooms, table_id, token) as (room, seat):
            wanted = Notify(body.webhook, body.mail)
            if seat == WATCH:
                raise BadInput("who looks on has no turn")
            notifier.check(wanted)
            told = msgspec.json.encode(wanted) if wanted != Notify() else b""
            await rooms.set_notify(room, seat, told.decode())
            return as_json(wanted)
