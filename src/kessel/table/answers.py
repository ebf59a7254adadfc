"""What the API answers, as data; the OpenAPI document is made from it."""

from __future__ import annotations

from typing import Any

import msgspec
from fastapi import FastAPI, Response
from fastapi.openapi.utils import get_openapi

from kessel.bots.advice import Advice
from kessel.bots.wanted import Wanted
from kessel.core.library import Library
from kessel.core.telling import Recap
from kessel.core.title import Coming, Goal, Scenario
from kessel.core.view import LogEntry, SideView, View
from kessel.core.words import Word
from kessel.table.differences import Difference
from kessel.table.notify import Notify
from kessel.table.people import Message, People
from kessel.table.worker import Task

REFS = "#/components/schemas/{name}"


class Server(msgspec.Struct):
    """What this server is and does."""

    kessel: str
    api: int
    one_person: bool
    """Seats may be claimed without their link."""
    webhooks: bool
    mail: bool


class GameInfo(msgspec.Struct):
    id: str
    name: str
    about: str
    sides: list[str]
    played: list[str]
    levels: list[str]
    """The programs there are to play against, weakest first."""
    programs: dict[str, str]
    """What each of them does, and what it leaves out."""
    scenarios: list[Scenario]
    provenance: dict[str, int]
    phrases: dict[str, str]
    """How a verb reads on a button."""
    aside: list[str]
    """Verbs a click on the map means only with Shift, or where nothing else is meant."""
    opens: list[str]
    """Verbs that begin an attack on a hex."""
    lessons: list[LessonInfo]
    """First battles to learn it by."""


class LessonInfo(msgspec.Struct):
    id: str
    title: str
    about: str
    minutes: int
    steps: int


class Statement(msgspec.Struct):
    rule: str
    title: str


class Rule(msgspec.Struct):
    rule: str
    statements: list[Statement]
    near: list[Statement]


class Svgs(msgspec.Struct):
    svgs: list[str]


class SeatInfo(msgspec.Struct):
    side: str
    kind: str
    level: str
    name: str
    """Of its person."""


class Outcome(msgspec.Struct):
    winner: str | None
    level: str
    rule: str
    points: dict[str, int]


class TableInfo(msgspec.Struct):
    id: str
    game: str
    scenario: str
    version: int
    turn: str
    asked: str
    """The side that must decide; empty when the game is over."""
    created: float
    updated: float
    outcome: Outcome | None
    seats: list[SeatInfo]
    open: dict[str, str]
    """Invitations to seats that whoever likes may take, by side."""
    lesson: str
    """The lesson that is played there; empty: a game."""


class AdminTable(TableInfo):
    """A table as the server's administrator sees it."""

    made_by: str
    """The same for tables made from one address."""
    played: bool
    in_memory: bool


class Made(msgspec.Struct):
    """A new table with its secrets: told this once and never again."""

    id: str
    tokens: dict[str, str]
    """Of the seats of whoever made it."""
    watch: str
    recovery: dict[str, str]
    """With its code the owner of a seat can have a new token."""
    invitations: dict[str, str]
    """To the open seats; each can be used once, and only who uses it gets the seat's token."""
    keeper: str
    """With this invitations can be withdrawn and made anew."""
    commitment: str
    """What the dice are committed to."""


class Taken(msgspec.Struct):
    """A seat's token, for whoever has taken it or got it back: told this once and never again."""

    side: str
    token: str
    recovery: str
    """With this code the seat's owner can have a new token."""


class Invitation(msgspec.Struct):
    """What somebody is invited to."""

    id: str
    game: str
    scenario: str
    options: dict[str, str]
    side: str
    commitment: str
    """What the dice are committed to, before the guest adds to them."""


class Invited(msgspec.Struct):
    invitation: str


class Done(msgspec.Struct, omit_defaults=True):
    """After a change: what the seat sees now, or how that differs from the version the change was made for, if that
    was asked for; and the action as the log shows it (null after an undo).
    """

    entry: LogEntry | None
    view: View | None = None
    difference: Difference | None = None
    repeated: bool = False
    """The request was carried out before; nothing was changed now."""


class Reason(msgspec.Struct):
    rule: str
    reason: str


class Why(msgspec.Struct):
    refusal: Reason | None


class Previews(msgspec.Struct):
    previews: list[dict[str, Any] | None]


class Marching(msgspec.Struct):
    """Units that go together."""

    do: list[str]
    """The actions that bring them there, for `plan`."""
    left: list[str]
    """Units that cannot come along."""
    places: list[str]
    """Where all of them could go, if no place was named."""
    way: dict[str, Any]
    """Path and cost of the first."""


class Problem(msgspec.Struct):
    """Why a request was refused; nothing was changed by it."""

    error: str
    rule: str
    view: View | None = None


AnyDocument = dict[str, Any]
ANSWERS = (
    Server,
    list[GameInfo],
    Rule,
    Library,
    Goal,
    list[Word],
    Svgs,
    list[TableInfo],
    list[AdminTable],
    Made,
    Taken,
    Invitation,
    Invited,
    View,
    SideView,
    list[LogEntry],
    Recap,
    Done,
    Why,
    Previews,
    Marching,
    Advice,
    list[Coming],
    list[Wanted],
    dict[str, str],
    People,
    Message,
    list[Message],
    Notify,
    Task,
    Problem,
    AnyDocument,
)
_SCHEMAS, COMPONENTS = msgspec.json.schema_components(ANSWERS, ref_template=REFS)
_SCHEMA_OF = dict(zip(map(repr, ANSWERS), _SCHEMAS, strict=True))
WORDS = {
    400: "The request cannot be understood",
    403: "The token gives no such right",
    404: "There is no such thing",
    408: "The request did not come in time",
    409: "Refused: stale, not allowed now, or not this seat's decision; with the current view",
    413: "The body is too long",
    422: "The body is not of the right form",
    429: "Too much",
    503: "The database cannot be used now; nothing was changed",
}


def answers(form: Any, *refusals: int, status: int = 200) -> dict[str, Any]:
    """For a route: what it answers, and with which status it refuses."""
    content = {"application/json": {"schema": _SCHEMA_OF[repr(form)]}}
    responses: dict[int, Any] = {status: {"description": "Done", "content": content}}
    problem = {"application/json": {"schema": {"$ref": REFS.format(name="Problem")}}}
    for code in sorted({*refusals, 400, 413, 422, 429, 503}):
        responses[code] = {"description": WORDS[code], "content": problem}
    return {"responses": responses, "status_code": status}


def other(media_type: str, *refusals: int) -> dict[str, Any]:
    """The same for an answer that is not JSON."""
    found = answers(AnyDocument, *refusals)
    found["responses"][200]["content"] = {media_type: {"schema": {"type": "string"}}}
    return found | {"response_class": Response}


def as_json(doc: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(doc), status, media_type="application/json")


def describe(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document, with the schemas of all answers."""
    if app.openapi_schema is None:
        doc = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
        schemas = doc.setdefault("components", {}).setdefault("schemas", {})
        for name in ("HTTPValidationError", "ValidationError"):
            schemas.pop(name, None)
        schemas.update(COMPONENTS)
        app.openapi_schema = doc
    return app.openapi_schema
