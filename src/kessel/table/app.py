"""The web server: API, live connections, the page. See docs/table-api.md."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

import msgspec
import structlog
from fastapi import Depends, FastAPI, Header, Request, Response, WebSocket, WebSocketDisconnect
from fastapi.responses import FileResponse
from pydantic import BaseModel, ConfigDict, Field

from kessel.bots import levels
from kessel.core.analysis import answer
from kessel.core.errors import BadInput, IllegalAction, KesselError
from kessel.core.pack import Pack
from kessel.core.procedure import options
from kessel.core.provenance import provenance_of
from kessel.core.rules import find, statements
from kessel.core.title import title, titles
from kessel.core.view import LogEntry, Piece, View
from kessel.table.room import NoTable, Room, Rooms
from kessel.table.store import WATCH, Stale, Store, StoreFailed
from kessel.table.think import Thinkers

log = structlog.get_logger()
STATIC = Path(__file__).parent / "static"
CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)


@dataclass(slots=True)
class Settings:
    one_person: bool = True
    """A server on one's own machine: seats may be claimed again without their link."""
    most_body: int = 64_000
    requests_a_minute: int = 3000
    most_tables: int = 2000
    workers: int = 1
    turn_seconds: float = 60.0


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class NewTable(_Strict):
    game: str = Field(max_length=40)
    scenario: str = Field(max_length=80)
    options: dict[str, str] = {}
    seats: dict[str, str] = {}
    seed: int | None = Field(default=None, ge=0, le=2**63)


class Act(_Strict):
    version: int = Field(ge=0)
    id: str = Field(min_length=1, max_length=64)
    do: str = Field(min_length=1, max_length=2000)


class Undo(_Strict):
    version: int = Field(ge=0)
    id: str = Field(min_length=1, max_length=64)


class Do(_Strict):
    do: str = Field(min_length=1, max_length=2000)


class Dos(_Strict):
    do: list[Annotated[str, Field(min_length=1, max_length=2000)]] = Field(max_length=400)


class Claim(_Strict):
    side: str = Field(max_length=40)


class Branch(_Strict):
    at: int = Field(ge=0)


class Counters(_Strict):
    pieces: list[dict[str, Any]] = Field(max_length=1000)


class Refused(Exception):
    """A request that is answered with an error document."""

    def __init__(self, status: int, error: str, rule: str = "", view: View | None = None) -> None:
        self.status, self.error, self.rule, self.view = status, error, rule, view


def as_json(doc: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(doc), status, media_type="application/json")


def make_app(store: Store, settings: Settings | None = None) -> FastAPI:
    """The application over a store."""
    config = settings or Settings()
    rooms = Rooms(store)
    thinkers = Thinkers(rooms, workers=config.workers, turn_seconds=config.turn_seconds)

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        thinkers.start()
        yield
        await thinkers.stop()

    app = FastAPI(
        title="Kessel",
        version="1",
        lifespan=lifespan,
        openapi_url="/api/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
    )
    _guard(app, config)
    _games(app)
    _tables(app, rooms, thinkers, config)
    _live(app, rooms, thinkers)
    _page(app)
    app.state.rooms, app.state.thinkers = rooms, thinkers
    return app


# --- errors and limits ----------------------------------------------------------------------------------------------


def _guard(app: FastAPI, config: Settings) -> None:
    recent: dict[str, deque[float]] = defaultdict(deque)

    @app.middleware("http")
    async def limits(request: Request, go_on: Callable[[Request], Awaitable[Response]]) -> Response:
        who = request.client.host if request.client else ""
        now = time.monotonic()
        times = recent[who]
        while times and now - times[0] > 60:
            times.popleft()
        times.append(now)
        if len(times) > config.requests_a_minute:
            return as_json({"error": "too many requests; wait a little", "rule": ""}, 429)
        length = request.headers.get("content-length", "0")
        if not length.isdigit() or int(length) > config.most_body or "transfer-encoding" in request.headers:
            return as_json({"error": f"a request's body may have {config.most_body} bytes", "rule": ""}, 413)
        response = await go_on(request)
        response.headers["Content-Security-Policy"] = CONTENT_POLICY
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Referrer-Policy"] = "no-referrer"
        return response

    @app.exception_handler(Refused)
    async def refused(_: Request, e: Refused) -> Response:
        doc: dict[str, Any] = {"error": e.error, "rule": e.rule}
        return as_json(doc | ({"view": e.view} if e.view is not None else {}), e.status)

    @app.exception_handler(NoTable)
    async def no_table(_: Request, e: NoTable) -> Response:
        return as_json({"error": str(e), "rule": ""}, 404)

    @app.exception_handler(StoreFailed)
    async def store_failed(_: Request, e: StoreFailed) -> Response:
        log.error("store failed", error=str(e))
        return as_json({"error": str(e), "rule": ""}, 503)

    @app.exception_handler(KesselError)
    async def bad(_: Request, e: KesselError) -> Response:
        return as_json({"error": str(e), "rule": ""}, 409 if isinstance(e, IllegalAction | Stale) else 400)


# --- games ----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=32)
def _map_svg(game: str, scenario: str) -> str:
    from kessel.render import LAYERS, map_svg

    t, pack = title(game), Pack(title(game).id)
    part = t.scenario(pack, scenario).part if scenario else ""
    return map_svg(pack.map, part=part, layers=[name for name in LAYERS if name != "legend"])


@lru_cache(maxsize=1)
def _games_doc() -> list[dict[str, Any]]:
    found = []
    for t in titles().values():
        pack = Pack(t.id)
        found.append(
            {
                "id": t.id,
                "name": t.name,
                "about": t.about,
                "sides": list(t.sides),
                "played": [t.sides[i] for i in t.played],
                "levels": levels(t.id),
                "scenarios": [msgspec.to_builtins(s) for s in t.scenarios(pack)],
                "provenance": dict(provenance_of(pack)),
            }
        )
    return found


def _games(app: FastAPI) -> None:
    @app.get("/api/v1/games")
    async def games() -> Response:
        return as_json(_games_doc())

    @app.get("/api/v1/games/{game}/map.svg")
    async def map_svg(game: str, scenario: str = "") -> Response:
        svg = _map_svg(game, scenario)
        return Response(svg, media_type="image/svg+xml", headers={"Cache-Control": "public, max-age=3600"})

    @app.get("/api/v1/games/{game}/rules/{number}")
    async def rule(game: str, number: str) -> Response:
        pack = Pack(title(game).id)
        found = find(pack, number)
        every = statements(pack)
        at = next(i for i, s in enumerate(every) if s.rule == found[0].rule)
        near = every[max(at - 4, 0) : at + len(found) + 4]
        return as_json(
            {
                "rule": number,
                "statements": [{"rule": s.rule, "title": s.title} for s in found],
                "near": [{"rule": s.rule, "title": s.title} for s in near if s not in found],
            }
        )

    @app.post("/api/v1/counters")
    async def counters(body: Counters) -> Response:
        from kessel.render.counters import counter_svg

        try:
            pieces = msgspec.convert(body.pieces, list[Piece])
        except msgspec.ValidationError as e:
            raise Refused(400, str(e)) from None
        return as_json({"svgs": [counter_svg(p) for p in pieces]})


# --- tables ---------------------------------------------------------------------------------------------------------


def _bearer(authorization: Annotated[str, Header()] = "") -> str:
    return authorization.removeprefix("Bearer ").strip()


Token = Annotated[str, Depends(_bearer)]


def _enter(rooms: Rooms, table_id: str, token: str) -> tuple[Room, str]:
    """The room and the seat of a token."""
    room = rooms.open(table_id)
    seat = rooms.store.seat_of(table_id, token) if token else None
    if seat is None:
        raise Refused(403, "this link gives no seat at this table")
    return room, seat


def act(rooms: Rooms, room: Room, seat: str, body: Act) -> dict[str, Any]:
    """Carry out an action, or refuse it with the current view."""
    try:
        entry = rooms.act(room, seat, body.version, body.id, body.do)
    except IllegalAction as e:
        raise Refused(409, str(e), e.refusal.rule, room.view(seat)) from None
    except Stale as e:
        raise Refused(409, str(e), "", rooms.open(room.id).view(seat)) from None
    except StoreFailed:
        raise
    except BadInput as e:
        raise Refused(400, str(e)) from None
    room = rooms.open(room.id)
    shown = None
    if entry is not None:
        n, dice = len(room.game.entries), [(r.sides, r.value) for r in entry.dice]
        shown = LogEntry(n, room.game.title.sides[entry.side], entry.text, dice, entry.events)
    return {"view": room.view(seat), "entry": shown}


def _tables(app: FastAPI, rooms: Rooms, thinkers: Thinkers, config: Settings) -> None:
    store = rooms.store

    def made(room: Room, tokens: dict[str, str]) -> Response:
        thinkers.wake(room.id)
        watch = tokens.pop(WATCH)
        return as_json({"id": room.id, "tokens": tokens, "watch": watch}, 201)

    @app.get("/api/v1/tables")
    async def listing() -> Response:
        return as_json(store.listing())

    @app.post("/api/v1/tables", status_code=201)
    async def new_table(body: NewTable) -> Response:
        if len(store.listing()) >= config.most_tables:
            raise Refused(429, "there are too many tables here; remove some first")
        return made(*rooms.create(body.game, body.scenario, body.options, body.seats, body.seed))

    @app.post("/api/v1/tables/{table_id}/claim")
    async def claim(table_id: str, body: Claim) -> Response:
        if not config.one_person:
            raise Refused(403, "seats of this server are held by their links")
        rooms.open(table_id)
        return as_json({"token": store.claim(table_id, body.side)})

    @app.get("/api/v1/tables/{table_id}/view")
    async def view(table_id: str, token: Token) -> Response:
        room, seat = _enter(rooms, table_id, token)
        return as_json(room.view(seat))

    @app.post("/api/v1/tables/{table_id}/actions")
    async def actions(table_id: str, body: Act, token: Token) -> Response:
        room, seat = _enter(rooms, table_id, token)
        async with room.lock:
            done = act(rooms, room, seat, body)
        thinkers.wake(table_id)
        return as_json(done)

    @app.post("/api/v1/tables/{table_id}/undo")
    async def undo(table_id: str, body: Undo, token: Token) -> Response:
        room, seat = _enter(rooms, table_id, token)
        async with room.lock:
            try:
                rooms.undo(room, seat, body.version, body.id)
            except (IllegalAction, Stale) as e:
                raise Refused(409, str(e), "", rooms.open(table_id).view(seat)) from None
        return as_json({"view": rooms.open(table_id).view(seat), "entry": None})

    @app.post("/api/v1/tables/{table_id}/why")
    async def why(table_id: str, body: Do, token: Token) -> Response:
        room, seat = _enter(rooms, table_id, token)
        side = None if seat == WATCH else room.game.title.side(seat)
        refusal = room.game.why_not(body.do, side)
        return as_json({"refusal": None if refusal is None else refusal.as_json()})

    @app.post("/api/v1/tables/{table_id}/preview")
    async def preview(table_id: str, body: Do, token: Token) -> Response:
        room, seat = _enter(rooms, table_id, token)
        game = room.game
        action = game.parse(body.do)
        if seat != room.asked or (refusal := game.why_not(action)) is not None:
            reason = "it is not your decision" if seat != room.asked else str(refusal)
            raise Refused(409, reason)
        return as_json({"undoable": game.undoable(action), **game.title.preview(game.board, action)})

    @app.post("/api/v1/tables/{table_id}/previews")
    async def previews(table_id: str, body: Dos, token: Token) -> Response:
        """What several actions would do; null for those that are not listed now."""
        room, seat = _enter(rooms, table_id, token)
        game = room.game
        listed = {game.text(a): a for a in options(game.board)} if seat == room.asked else {}
        found = [listed.get(text) for text in body.do]
        return as_json({"previews": [None if a is None else game.title.preview(game.board, a) for a in found]})

    @app.post("/api/v1/tables/{table_id}/hint")
    async def hint(table_id: str, token: Token) -> Response:
        """What the best program would do in the seat's place, and what for."""
        room, seat = _enter(rooms, table_id, token)
        if seat != room.asked:
            raise Refused(409, "it is not your decision")
        text, reason = await thinkers.suggest(room)
        return as_json({"do": text, "reason": reason})

    @app.get("/api/v1/tables/{table_id}/log")
    async def entries(table_id: str, token: Token, since: int = 0) -> Response:
        room, _ = _enter(rooms, table_id, token)
        return as_json(room.game.log(max(since, 0)))

    @app.get("/api/v1/tables/{table_id}/at/{n}")
    async def at(table_id: str, n: int, token: Token) -> Response:
        room, seat = _enter(rooms, table_id, token)
        t = room.game.title
        side = None if seat == WATCH else t.side(seat)
        return as_json(t.view(room.game.at(n), side))

    @app.post("/api/v1/tables/{table_id}/branch", status_code=201)
    async def branch(table_id: str, body: Branch, token: Token) -> Response:
        room, _ = _enter(rooms, table_id, token)
        return made(*rooms.branch(room, body.at))

    @app.get("/api/v1/tables/{table_id}/overlays")
    async def overlays(table_id: str, token: Token) -> Response:
        room, seat = _enter(rooms, table_id, token)
        t = room.game.title
        return as_json(t.overlays(room.game.board, None if seat == WATCH else t.side(seat)))

    @app.post("/api/v1/tables/{table_id}/ask")
    async def ask(table_id: str, request: Request, token: Token) -> Response:
        room, seat = _enter(rooms, table_id, token)
        t = room.game.title
        board = room.game.board if seat == WATCH else t.known_to(room.game.board, t.side(seat))
        return as_json(answer(t, board, await request.body()))

    @app.get("/api/v1/tables/{table_id}/record")
    async def record(table_id: str, token: Token) -> Response:
        room, _ = _enter(rooms, table_id, token)
        text = room.game.record.text(with_seed=room.game.over)
        name = f"{room.game.title.id}-{room.game.scenario}.kessel"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(text, media_type="application/jsonl", headers=headers)


# --- live -----------------------------------------------------------------------------------------------------------


def _live(app: FastAPI, rooms: Rooms, thinkers: Thinkers) -> None:
    @app.websocket("/api/v1/tables/{table_id}/live")
    async def live(socket: WebSocket, table_id: str) -> None:
        await socket.accept()
        try:
            first = await asyncio.wait_for(socket.receive_json(), 10)
            room, seat = _enter(rooms, table_id, str(first.get("token", "")) if isinstance(first, dict) else "")
        except (Refused, KesselError, ValueError, KeyError, TimeoutError, WebSocketDisconnect) as e:
            with contextlib.suppress(RuntimeError):
                await socket.close(4403, getattr(e, "error", str(e))[:100])
            return
        await _serve(socket, rooms, thinkers, room, seat)


async def _serve(socket: WebSocket, rooms: Rooms, thinkers: Thinkers, room: Room, seat: str) -> None:
    """Send the view after every change; take actions."""
    changed = asyncio.Event()
    table_id = room.id
    room.listeners.add(changed.set)
    changed.set()

    async def send_changes() -> None:
        nonlocal room
        while True:
            await changed.wait()
            changed.clear()
            current = rooms.open(table_id)
            if current is not room:
                room.listeners.discard(changed.set)
                room = current
                room.listeners.add(changed.set)
            await socket.send_text(msgspec.json.encode({"view": room.view(seat)}).decode())

    sender = asyncio.create_task(send_changes())
    try:
        while True:
            await _obey(socket, rooms, thinkers, table_id, seat, await socket.receive_text())
    except (WebSocketDisconnect, RuntimeError):
        pass
    finally:
        sender.cancel()
        room.listeners.discard(changed.set)


async def _obey(socket: WebSocket, rooms: Rooms, thinkers: Thinkers, table_id: str, seat: str, text: str) -> None:
    room = rooms.open(table_id)
    try:
        body = Act.model_validate_json(text) if len(text) <= 4000 else None
        if body is None:
            raise Refused(413, "the message is too long")
        async with room.lock:
            done = act(rooms, room, seat, body)
        thinkers.wake(table_id)
        await socket.send_text(msgspec.json.encode({"done": body.id, "entry": done["entry"]}).decode())
    except Refused as e:
        await socket.send_text(msgspec.json.encode({"error": e.error, "rule": e.rule, "view": e.view}).decode())
    except (KesselError, ValueError) as e:
        await socket.send_text(msgspec.json.encode({"error": str(e).splitlines()[0], "rule": ""}).decode())


# --- the page -------------------------------------------------------------------------------------------------------


def _page(app: FastAPI) -> None:
    @app.get("/{path:path}", include_in_schema=False)
    async def page(path: str) -> Response:
        if path.startswith("api/"):
            return as_json({"error": "there is no such call", "rule": ""}, 404)
        wanted = (STATIC / path).resolve()
        if path and wanted.is_file() and wanted.is_relative_to(STATIC.resolve()):
            headers = {"Cache-Control": "public, max-age=31536000, immutable"} if path.startswith("assets/") else {}
            return FileResponse(wanted, headers=headers)
        if not (STATIC / "index.html").is_file():
            return Response("The page is not built; run `make play`.", 503, media_type="text/plain")
        return FileResponse(STATIC / "index.html", headers={"Cache-Control": "no-cache"})
