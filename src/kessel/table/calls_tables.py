"""Calls at a table. Each one enters the room, is told by its token whose seat it sits in, and sees what that seat may.

What changes a table or shows its view is done at once; whatever may take longer is done in a thread, inside the room.
"""

from __future__ import annotations

import asyncio
import secrets
from typing import Annotated, Any

import msgspec
from fastapi import FastAPI, Query, Request, Response

from kessel.bots.advice import Advice, AskAdvice
from kessel.bots.wanted import Wanted
from kessel.core.analysis import answer, decode, kind_of
from kessel.core.errors import IllegalAction
from kessel.core.game import Game
from kessel.core.procedure import PASS, options
from kessel.core.record import parse_record
from kessel.core.telling import Recap
from kessel.core.title import Coming, Goal, title
from kessel.core.view import LogEntry, SideView, View
from kessel.table.addresses import address_hash, address_of
from kessel.table.answers import (
    AdminTable,
    AnyDocument,
    Done,
    Made,
    Marching,
    Previews,
    TableInfo,
    Why,
    answers,
    as_json,
    other,
)
from kessel.table.bodies import Act, Branch, Do, Dos, Import, Look, NewTable, Plan, Seen, Teach, Together, Undo
from kessel.table.calls_people import add_people
from kessel.table.calls_seats import HERE, Token, add_seats, seated
from kessel.table.guard import Pace, Refused
from kessel.table.kinds import Accepted, New
from kessel.table.notify import Notifier
from kessel.table.room import Room
from kessel.table.rooms import Rooms
from kessel.table.seats import OPEN, PERSON, WATCH
from kessel.table.settings import Settings
from kessel.table.store import Stale
from kessel.table.think import Thinkers, task_of
from kessel.table.worker import Task

Since = Annotated[int | None, Query(ge=0, lt=2**31)]
NOT_YOURS = "it is not your decision"


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
    _add_keeping(app, rooms, config)
    _add_playing(app, rooms)
    _add_looking_ahead(app, rooms)
    _add_thinking(app, rooms, thinkers)
    _add_looking_back(app, rooms)
    add_seats(app, rooms, notifier, config)
    add_people(app, rooms)


def _add_making(app: FastAPI, rooms: Rooms, config: Settings) -> None:
    newly = Pace(config.tables_a_minute)

    async def room_for_one_more(request: Request) -> str:
        """The address that makes a table, as it is kept; Refused where it or the server has too many."""
        made_by = address_hash(rooms.store.salt, address_of(request.scope))
        if not config.one_person:
            if not newly.allows(address_of(request.scope)):
                raise Refused(429, f"{config.tables_a_minute} new tables a minute from one address; wait a little")
            if await asyncio.to_thread(rooms.store.count, made_by) >= config.tables_an_address:
                raise Refused(429, f"this server keeps {config.tables_an_address} tables of one address")
        if await asyncio.to_thread(rooms.store.count) >= config.most_tables:
            raise Refused(429, f"this server keeps {config.most_tables} tables and has as many")
        return made_by

    @app.get("/api/v1/tables", **answers(list[TableInfo]))
    async def listing() -> Response:
        return as_json(await asyncio.to_thread(rooms.store.listing))

    @app.post("/api/v1/tables", **answers(Made, status=201))
    async def new_table(request: Request, body: NewTable) -> Response:
        made_by = await room_for_one_more(request)
        if body.lesson:
            return made(await rooms.begin_lesson(body.lesson, made_by=made_by))
        entropy = body.entropy or ""
        persons = sum(body.seats.get(side, "me") in ("me", "open") for side in sides_of(body.game))
        if body.seed is not None and not config.one_person and persons > 1:
            raise Refused(400, "whoever chooses the dice knows them: leave the seed out of a game with another person")
        what = (body.game, body.scenario, body.options, body.seats, body.seed)
        for_all = body.for_all and not config.one_person
        return made(await rooms.create(*what, entropy=entropy, made_by=made_by, name=body.name, for_all=for_all))

    @app.post("/api/v1/import", **answers(Made, status=201))
    async def take_in(request: Request, body: Import) -> Response:
        """A table for a game played elsewhere: its record is played again, and every line of it checked."""
        made_by = await room_for_one_more(request)
        record = parse_record(body.record.encode())
        if len(record.lines) > config.most_lines:
            raise Refused(400, f"a record may have {config.most_lines} lines")
        playing = await asyncio.to_thread(lambda: Game.replay(record, pack=rooms.pack(record.header.game)))
        return made(await rooms.take_in(playing, made_by=made_by))

    @app.post(f"{HERE}/branch", **answers(Made, 403, 404, status=201))
    async def branch(request: Request, table_id: str, body: Branch, token: Token) -> Response:
        """A new table that goes on from an earlier point. Who asks gets all its links: there must be nothing to spy."""
        async with seated(rooms, table_id, token) as (room, seat):
            persons = [s for s in room.seats.values() if s.kind in (PERSON, OPEN)]
            others = [s for s in persons if s.side != seat]
            spies = seat == WATCH or others if not config.one_person else any(s.invited for s in persons)
            if room.waiting or (spies and not room.game.over):
                raise Refused(403, "other persons play here; branch from this game when it is over")
            return made(await rooms.branch(room, body.at, made_by=await room_for_one_more(request)))


def _add_keeping(app: FastAPI, rooms: Rooms, config: Settings) -> None:
    @app.delete(HERE, **answers(AnyDocument, 403, 404))
    async def delete(table_id: str, token: Token) -> Response:
        """Throw a table away: on a server for one person, or with the administrator's key."""
        if not config.one_person and not is_admin(config, token):
            raise Refused(403, "tables of this server are kept")
        await rooms.delete(table_id)
        return as_json({})

    @app.get("/api/v1/admin/tables", **answers(list[AdminTable], 403))
    async def all_tables(token: Token) -> Response:
        """With the administrator's key: all tables, and which were made from one address."""
        if not is_admin(config, token):
            raise Refused(403, "this needs the administrator's key")
        rows = await asyncio.to_thread(rooms.store.listing, "made_by", "begun")
        for row in rows:
            row |= {"played": row["version"] > row.pop("begun"), "in_memory": rooms.is_open(row["id"])}
        return as_json(rows)


def made(new: New) -> Response:
    tokens = {s: t for s, t in new.tokens.items() if s != WATCH}
    pledge = new.room.game.pledge
    doc = Made(new.room.id, tokens, new.tokens[WATCH], new.recovery, new.invitations, new.keeper, pledge)
    return as_json(doc, 201)


def sides_of(game: str) -> list[str]:
    t = title(game)
    return [t.sides[i] for i in t.played]


def is_admin(config: Settings, token: str) -> bool:
    return bool(config.admin) and secrets.compare_digest(config.admin.encode(), token.encode())


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

    @app.post(f"{HERE}/plan", **answers(Done, 403, 404, 409))
    async def plan(table_id: str, body: Plan, token: Token) -> Response:
        """Carry out several actions, each as if it had been sent alone; it ends before the first that is not listed,
        and after the first that cannot be undone."""
        async with seated(rooms, table_id, token) as (room, seat):
            done: Accepted | None = None
            for i, do in enumerate(body.do):
                one = Act(version=body.version + i, id=f"{body.id}.{i}", do=do)
                try:
                    done = await change(rooms, room, seat, one)
                except Refused:
                    if done is None:
                        raise
                    break
                if not room.game.can_undo or room.asked != seat:
                    break
            entry = None if done is None else done.entry
            return as_json({"view": msgspec.Raw(room.view(seat)), "entry": entry})

    @app.post(f"{HERE}/lesson", **answers(View, 403, 404, 409))
    async def lesson(table_id: str, body: Teach, token: Token) -> Response:
        """Begin a lesson's step again, go back to the one before, or try what it forbids. Its next step is the action
        `next`."""
        async with seated(rooms, table_id, token) as (room, seat):
            try:
                if body.do == "try":
                    rooms.show_refusal(room)
                else:
                    await rooms.begin_step(room, seat, body.version, before=body.do == "back")
            except (IllegalAction, Stale) as e:
                raise Refused(409, str(e), "", room.view(seat)) from None
            return Response(room.view(seat), media_type="application/json")

    @app.post(f"{HERE}/undo", **answers(Done, 403, 404, 409))
    async def undo(table_id: str, body: Undo, token: Token) -> Response:
        return await changed(table_id, body, token)


def _previewed(room: Room, seat: str, body: Look) -> dict[str, Any]:
    """What an action would do to what the seat knows; Refused where it is not allowed."""
    game = room.game
    action = game.parse(body.do)
    refusal = game.why_not(action, room.side(seat))
    if refusal is not None:
        raise Refused(409, refusal.reason, refusal.rule)
    known = room.known(seat)
    found: dict[str, Any] = {"undoable": game.undoable(action)}
    if body.decided and (told := game.title.warnings(known, action)):
        found["warnings"] = told
    if body.decided and (plan := game.title.plan(known, action)):
        found["plan"] = [game.text(a) for a in plan]
    if body.decided or action == PASS or action[0] in game.title.closes:
        told_ways = [
            {"says": w.says, "do": [game.text(a) for a in w.do], "at": w.at} for w in game.title.ways(known, action)
        ]
        found |= {"ways": told_ways} if told_ways else {}
    return found | game.title.preview(known, action)


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
    async def preview(table_id: str, body: Look, token: Token) -> Response:
        """What an action would do: a document of the game's own, and whether it could be undone."""

        async with seated(rooms, table_id, token) as (room, seat):
            if seat != room.asked:
                raise Refused(409, NOT_YOURS)
            return as_json(await asyncio.to_thread(_previewed, room, seat, body))

    @app.post(f"{HERE}/march", **answers(Marching, 403, 404, 409))
    async def march(table_id: str, body: Together, token: Token) -> Response:
        """How units go to a place together, or where they could go."""

        def work(room: Room, seat: str) -> Marching:
            game = room.game
            found = game.title.march(room.known(seat), body.units, body.to)
            return Marching([game.text(a) for a in found.do], found.left, found.places, found.way)

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
    async def to_decide(table_id: str, token: str) -> Task:
        """Only the side that must decide gets advice: anybody else would learn what a program there will do."""
        async with seated(rooms, table_id, token) as (room, seat):
            if seat != room.asked or seat == WATCH:
                raise Refused(409, NOT_YOURS)
            return task_of(room, seat)

    async def advised(table_id: str, token: str, level: str = "") -> Advice:
        return await thinkers.advise(await to_decide(table_id, token), level)

    @app.post(f"{HERE}/wanted", **answers(list[Wanted], 403, 404, 409))
    async def attacks(table_id: str, token: Token) -> Response:
        """Attacks a program would still make: to be named before the phase is ended without them."""
        return as_json(await thinkers.wanted(await to_decide(table_id, token)))

    @app.post(f"{HERE}/hint", **answers(Advice, 403, 404, 409))
    async def hint(table_id: str, token: Token) -> Response:
        """What the best program would do in the seat's place, why, and what it rejected."""
        return as_json(await advised(table_id, token))

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

    @app.get(f"{HERE}/goal", **answers(Goal, 403, 404))
    async def goal(table_id: str, token: Token) -> Response:
        """How the seat's side wins, how that stands, and what matters now."""
        async with seated(rooms, table_id, token) as (room, seat):
            game, side = room.game, room.side(seat)
            board = room.public() if seat == WATCH else room.known(seat)
            who = game.title.played[0] if side is None else side
            return as_json(await asyncio.to_thread(game.title.goal, board, who, game.pack, game.scenario))

    @app.get(f"{HERE}/coming", **answers(list[Coming], 403, 404))
    async def coming(table_id: str, token: Token) -> Response:
        """Reinforcements and events the schedule holds for this turn and later ones: everybody knows it."""
        async with seated(rooms, table_id, token) as (room, _):
            return as_json(await asyncio.to_thread(room.game.title.coming, room.public()))

    @app.get(f"{HERE}/names", **answers(dict[str, str], 403, 404))
    async def names(table_id: str, token: Token) -> Response:
        """How sentences call the units, formations and boxes that the notation writes by a short name."""
        async with seated(rooms, table_id, token) as (room, _):
            return as_json(room.game.board.words())

    @app.post(f"{HERE}/ask", **answers(AnyDocument, 403, 404, 409))
    async def ask(request: Request, table_id: str, body: dict[str, Any], token: Token) -> Response:
        """One question of `kessel analyze` about the position now."""
        question = await request.body()
        if kind_of(question) == "advice":
            found = await advised(table_id, token, decode(question, AskAdvice).level)
            return as_json({"question": "advice", **msgspec.to_builtins(found)})
        async with seated(rooms, table_id, token) as (room, seat):
            return as_json(await asyncio.to_thread(answer, room.game.title, room.known(seat), question))


def _add_looking_back(app: FastAPI, rooms: Rooms) -> None:
    @app.get(f"{HERE}/log", **answers(list[LogEntry], 403, 404))
    async def entries(table_id: str, token: Token, since: Annotated[int, Query(ge=0, lt=2**31)] = 0) -> Response:
        async with seated(rooms, table_id, token) as (room, seat):
            return as_json(room.log(seat, since))

    @app.get(f"{HERE}/recap", **answers(Recap, 403, 404))
    async def recap(table_id: str, token: Token, since: Since = None) -> Response:
        """What happened since so many actions, in chapters; without `since`: since what the seat's person has seen."""
        async with seated(rooms, table_id, token) as (room, seat):
            return as_json(await asyncio.to_thread(room.recap, seat, since))

    @app.post(f"{HERE}/seen", **answers(AnyDocument, 403, 404))
    async def seen(table_id: str, body: Seen, token: Token) -> Response:
        """The seat's person has seen so many actions."""
        async with seated(rooms, table_id, token) as (room, seat):
            await rooms.set_seen(room, seat, body.number)
            return as_json({})

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

    @app.get(f"{HERE}/report", **other("text/html", 403, 404, 409))
    async def report(table_id: str, token: Token) -> Response:
        """The after-action report of a game that is over, as a page that needs nothing but itself."""
        async with seated(rooms, table_id, token) as (room, seat):
            if not room.game.over:
                raise Refused(409, "a report tells everything: there is one when the game is over", "", room.view(seat))
            return Response(await asyncio.to_thread(room.report), media_type="text/html")
