"""Calls about the games themselves: what there is, the drawn map, rules, counters."""

from __future__ import annotations

import asyncio
import gzip
from functools import lru_cache
from importlib.metadata import version
from typing import Any

import msgspec
from fastapi import FastAPI, Request, Response
from pydantic import Field

from kessel.bots import levels, what_levels_do
from kessel.core.lessons import lesson_names, read_lesson
from kessel.core.library import Library, Sign, library_of
from kessel.core.pack import Pack
from kessel.core.provenance import provenance_of
from kessel.core.rules import find, statements
from kessel.core.title import titles
from kessel.core.view import Piece
from kessel.core.words import Word, words_of
from kessel.table.answers import GameInfo, LessonInfo, Rule, Server, Statement, Svgs, answers, as_json, other
from kessel.table.bodies import Body
from kessel.table.guard import Refused
from kessel.table.maps import drawing
from kessel.table.rooms import Rooms
from kessel.table.settings import Settings

GZIP = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}


class Counters(Body):
    pieces: list[dict[str, Any]] = Field(max_length=1000)
    near: bool = True
    """Whole counters, or those for a map seen from farther away."""


@lru_cache(maxsize=1)
def _games_doc() -> list[GameInfo]:
    found = []
    for t in titles().values():
        pack = Pack(t.id)
        played = [t.sides[i] for i in t.played]
        counts = {k: int(n) for k, n in provenance_of(pack).items()}
        scenarios = t.scenarios(pack)
        about = (t.id, t.name, t.about, list(t.sides), played, levels(t.id), what_levels_do(t.id), scenarios, counts)
        lessons = [_lesson_info(pack, name) for name in lesson_names(pack)]
        found.append(GameInfo(*about, dict(t.phrases), sorted(t.aside), sorted(t.opens), lessons))
    return found


def _lesson_info(pack: Pack, name: str) -> LessonInfo:
    lesson = read_lesson(pack, name)
    return LessonInfo(name, lesson.title, lesson.about, lesson.minutes, len(lesson.step))


@lru_cache(maxsize=1)
def packed_games() -> tuple[bytes, bytes]:
    plain = msgspec.json.encode(_games_doc())
    return plain, gzip.compress(plain, 6, mtime=0)


def _packed_library(pack: Pack) -> tuple[bytes, bytes]:
    from kessel.render import map_signs

    found = library_of(pack)
    for chart in found.charts:
        cells = dict.fromkeys(cell for row in chart.rows for cell in row[1:])
        chart.words = {cell: said for cell in cells if (said := titles()[pack.game].cell(pack, chart.id, cell))}
    steps = [step for name in lesson_names(pack) for step in read_lesson(pack, name).step]
    found.counter = next((step.text for step in steps if step.title == "Read a counter"), "")
    found.signs = [Sign(name, svg) for svg, name in map_signs(pack.map)]
    plain = msgspec.json.encode(found)
    return plain, gzip.compress(plain, 6, mtime=0)


def _gzipped(request: Request) -> bool:
    return "gzip" in request.headers.get("accept-encoding", "")


FACES = 20_000
"""So many drawn counters are kept; one is about two thousand characters."""
_faces: dict[tuple[object, ...], str] = {}


def _counter_svgs(pieces: list[Piece], *, near: bool) -> bytes:
    """Each counter is drawn once, whoever asks for it and how often."""
    from kessel.render.counters import CounterStyle, counter_svg, face_key

    if len(_faces) > FACES:
        _faces.clear()
    svgs = []
    for p in pieces:
        key = (near, p.name, face_key(p))
        if key not in _faces:
            _faces[key] = counter_svg(p, CounterStyle(near=near))
        svgs.append(_faces[key])
    return msgspec.json.encode(Svgs(svgs))


def add_games(app: FastAPI, rooms: Rooms, config: Settings) -> None:
    @app.get("/api/v1/server", **answers(Server))
    async def server() -> Response:
        mail = config.notify.smtp is not None
        return as_json(Server(version("kessel"), 1, config.one_person, config.notify.webhooks, mail))

    @app.get("/api/v1/games", **answers(list[GameInfo]))
    async def games(request: Request) -> Response:
        plain, packed = await asyncio.to_thread(packed_games)
        if _gzipped(request):
            return Response(packed, media_type="application/json", headers=GZIP)
        return Response(plain, media_type="application/json", headers={"Vary": "Accept-Encoding"})

    @app.get("/api/v1/games/{game}/map.svg", **other("image/svg+xml"))
    async def map_svg(request: Request, game: str, scenario: str = "") -> Response:
        found = await asyncio.to_thread(drawing, game, scenario, config.maps)
        headers = {"Cache-Control": "no-cache", "ETag": found.tag, "Vary": "Accept-Encoding"}
        if request.headers.get("if-none-match") == found.tag:
            return Response(status_code=304, headers=headers)
        if _gzipped(request):
            return Response(found.packed, media_type="image/svg+xml", headers=headers | GZIP)
        return Response(found.svg, media_type="image/svg+xml", headers=headers)

    @app.get("/api/v1/games/{game}/rules/{number}", **answers(Rule))
    async def rule(game: str, number: str) -> Response:
        pack = rooms.pack(game)
        found, every = find(pack, number), statements(pack)
        at = next(i for i, s in enumerate(every) if s.rule == found[0].rule)
        near = [s for s in every[max(at - 4, 0) : at + len(found) + 4] if s not in found]
        told = [[Statement(s.rule, s.title) for s in part] for part in (found, near)]
        return as_json(Rule(number, *told))

    @app.get("/api/v1/games/{game}/library", **answers(Library))
    async def library(request: Request, game: str) -> Response:
        """The game's charts and rules and the signs of its map, to look something up."""
        plain, packed = await asyncio.to_thread(rooms.pack(game).once, _packed_library)
        headers = {"Cache-Control": "max-age=600", "Vary": "Accept-Encoding"}
        body, more = (packed, GZIP) if _gzipped(request) else (plain, {})
        return Response(body, media_type="application/json", headers=headers | more)

    @app.get("/api/v1/games/{game}/words", **answers(list[Word]))
    async def words(game: str) -> Response:
        """The game's glossary: the page marks these words wherever they stand."""
        found = await asyncio.to_thread(words_of, rooms.pack(game))
        return Response(
            msgspec.json.encode(found), media_type="application/json", headers={"Cache-Control": "max-age=600"}
        )

    @app.post("/api/v1/counters", **answers(Svgs))
    async def counters(request: Request, body: Counters) -> Response:
        try:
            pieces = msgspec.convert(body.pieces, list[Piece])
        except msgspec.ValidationError as e:
            raise Refused(400, str(e)) from None
        plain = await asyncio.to_thread(lambda: _counter_svgs(pieces, near=body.near))
        if _gzipped(request):
            packed = await asyncio.to_thread(gzip.compress, plain, 3)
            return Response(packed, media_type="application/json", headers=GZIP)
        return Response(plain, media_type="application/json")
