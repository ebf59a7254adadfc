"""Calls of people to people: names, talk, notes, taking back by consent."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import FastAPI, Query, Response

from kessel.table.answers import AnyDocument, answers, as_json
from kessel.table.bodies import Answer, Back, Name, Say
from kessel.table.calls_seats import HERE, Token, seated
from kessel.table.people import (
    NOTE,
    SAY,
    Message,
    People,
    answer_back,
    ask_back,
    may_read,
    people_of,
    rename_talk,
    say,
    talk_of,
    tell_people,
)
from kessel.table.rooms import Rooms


def add_people(app: FastAPI, rooms: Rooms) -> None:
    @app.get(f"{HERE}/people", **answers(People, 403, 404))
    async def people(table_id: str, token: Token) -> Response:
        """Who sits at the table, and who is here."""
        async with seated(rooms, table_id, token) as (room, _):
            return as_json(people_of(rooms, room))

    @app.post(f"{HERE}/name", **answers(AnyDocument, 403, 404, 409))
    async def name(table_id: str, body: Name, token: Token) -> Response:
        """What the seat's person wants to be called."""
        async with seated(rooms, table_id, token) as (room, seat):
            await rooms.set_name(room, seat, body.name)
            await rooms.writer.run(lambda: rename_talk(rooms.store, room.id, seat, body.name))
            tell_people(rooms, table_id)
            return as_json({})

    @app.get(f"{HERE}/talk", **answers(list[Message], 403, 404))
    async def talk(table_id: str, token: Token, since: Annotated[int, Query(ge=0, lt=2**31)] = 0) -> Response:
        """What the seat may read of what was said, with its own notes."""
        async with seated(rooms, table_id, token) as (room, seat):
            found = await asyncio.to_thread(talk_of, rooms.store, table_id, since)
            return as_json([x for x in found if may_read(x, seat, over=room.game.over)])

    @app.post(f"{HERE}/talk", **answers(Message, 403, 404))
    async def says(table_id: str, body: Say, token: Token) -> Response:
        """Say something to the others, or note it for oneself."""
        async with seated(rooms, table_id, token) as (room, seat):
            kind = NOTE if body.note else SAY
            return as_json(await say(rooms, room, seat, body.text, kind, name=body.name))

    @app.post(f"{HERE}/takeback", **answers(Message, 403, 404, 409))
    async def takeback(table_id: str, body: Back, token: Token) -> Response:
        """Ask the other player to go back to a decision of one's own, past dice and all."""
        async with seated(rooms, table_id, token) as (room, seat):
            return as_json(await ask_back(rooms, room, seat, body.to))

    @app.post(f"{HERE}/takeback/answer", **answers(Message, 403, 404, 409))
    async def answered(table_id: str, body: Answer, token: Token) -> Response:
        """Allow it or not."""
        async with seated(rooms, table_id, token) as (room, seat):
            return as_json(await answer_back(rooms, room, seat, body.n, allow=body.allow))
