"""Where tables are kept: SQLite by default, PostgreSQL by URL. The state is the record, one row a line.

Each accepted change is one transaction: the line, the request's id, the table's new version. The version is compared
and set in that transaction, so that two processes or a repeated request can never both be accepted.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import (
    Column,
    Engine,
    Float,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    create_engine,
    event,
    insert,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from kessel.core.errors import KesselError
from kessel.core.record import Header, Line, Record

SCHEMA = MetaData()
TABLES = Table(
    "tables",
    SCHEMA,
    Column("id", String(32), primary_key=True),
    Column("game", String(32), nullable=False),
    Column("scenario", String(64), nullable=False),
    Column("header", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("turn", Text, nullable=False),
    Column("asked", String(32), nullable=False),
    Column("outcome", Text, nullable=False),
    Column("created", Float, nullable=False),
    Column("updated", Float, nullable=False),
)
SEATS = Table(
    "seats",
    SCHEMA,
    Column("table_id", String(32), primary_key=True),
    Column("side", String(32), primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("level", String(32), nullable=False),
    Column("token_hash", String(64), nullable=False),
    Column("notify", Text, nullable=False, default=""),
)
LINES = Table(
    "lines",
    SCHEMA,
    Column("table_id", String(32), primary_key=True),
    Column("n", Integer, primary_key=True),
    Column("line", Text, nullable=False),
    Column("events", Text, nullable=False),
)
SNAPSHOTS = Table(
    "snapshots",
    SCHEMA,
    Column("table_id", String(32), primary_key=True),
    Column("actions", Integer, primary_key=True),
    Column("doc", Text, nullable=False),
)
REQUESTS = Table(
    "requests",
    SCHEMA,
    Column("table_id", String(32), primary_key=True),
    Column("request_id", String(64), primary_key=True),
    Column("version", Integer, nullable=False),
)
WATCH = ""
"""The seat of those who only look on."""


class Stale(KesselError):
    """The table has changed since the request was made."""


class Repeated(KesselError):
    """The request was accepted before."""


class StoreFailed(KesselError):
    """The database cannot be written or read now; nothing was changed."""


@dataclass(frozen=True, slots=True)
class Seat:
    side: str
    kind: str
    """person or program"""
    level: str
    notify: str


@dataclass(slots=True)
class Kept:
    """A table as it is kept."""

    record: Record
    events: dict[int, list[dict[str, Any]]]
    snapshots: dict[int, dict[str, Any]]


def new_token() -> str:
    return secrets.token_urlsafe(24)


def token_hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def open_store(url: str) -> Store:
    try:
        return Store(create_engine(url, pool_pre_ping=not url.startswith("sqlite")))
    except SQLAlchemyError as e:
        raise StoreFailed(f"the database cannot be opened: {_cause(e)}") from None


class Store:
    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        if engine.dialect.name == "sqlite":
            event.listen(engine, "connect", _sqlite_settings)
        SCHEMA.create_all(engine)

    # --- tables ----------------------------------------------------------------------------------------------------

    def create(
        self,
        table_id: str,
        record: Record,
        seats: Mapping[str, tuple[Seat, str]],
        turn: str,
        asked: str,
        snapshot: tuple[int, dict[str, Any]],
    ) -> None:
        """Keep a new table; `seats` gives each side's seat and token."""
        now = time.time()
        head = record.header
        row = {
            "id": table_id,
            "game": head.game,
            "scenario": head.scenario,
            "header": _text(head),
            "version": len(record.lines),
            "turn": turn,
            "asked": asked,
            "outcome": "",
            "created": now,
            "updated": now,
        }
        try:
            with self.engine.begin() as db:
                db.execute(insert(TABLES).values(row))
                for seat, token in seats.values():
                    db.execute(insert(SEATS).values(_seat_row(table_id, seat, token)))
                for n, line in enumerate(record.lines):
                    db.execute(insert(LINES).values(table_id=table_id, n=n, line=_text(line), events="[]"))
                db.execute(insert(SNAPSHOTS).values(table_id=table_id, actions=snapshot[0], doc=_text(snapshot[1])))
        except SQLAlchemyError as e:
            raise StoreFailed(f"the table could not be kept: {_cause(e)}") from None

    def listing(self) -> list[dict[str, Any]]:
        try:
            with self.engine.connect() as db:
                tables = [dict(r._mapping) for r in db.execute(select(TABLES).order_by(TABLES.c.updated.desc()))]
                seats = [dict(r._mapping) for r in db.execute(select(SEATS))]
        except SQLAlchemyError as e:
            raise StoreFailed(f"the tables cannot be read: {_cause(e)}") from None
        by_table: dict[str, list[dict[str, str]]] = {}
        for s in seats:
            if s["side"] != WATCH:
                one = {"side": s["side"], "kind": s["kind"], "level": s["level"]}
                by_table.setdefault(s["table_id"], []).append(one)
        shown = ("id", "game", "scenario", "version", "turn", "asked", "outcome", "created", "updated")
        return [{k: t[k] for k in shown} | {"seats": by_table.get(t["id"], [])} for t in tables]

    def load(self, table_id: str) -> Kept | None:
        try:
            with self.engine.connect() as db:
                head = db.execute(select(TABLES.c.header).where(TABLES.c.id == table_id)).scalar()
                if head is None:
                    return None
                lines = db.execute(select(LINES).where(LINES.c.table_id == table_id).order_by(LINES.c.n)).all()
                saved = db.execute(select(SNAPSHOTS).where(SNAPSHOTS.c.table_id == table_id)).all()
        except SQLAlchemyError as e:
            raise StoreFailed(f"the table cannot be read: {_cause(e)}") from None
        record = Record(msgspec.json.decode(head, type=Header), [msgspec.json.decode(r.line, type=Line) for r in lines])
        events = {r.n: msgspec.json.decode(r.events) for r in lines}
        return Kept(record, events, {r.actions: msgspec.json.decode(r.doc) for r in saved})

    def accept(
        self,
        table_id: str,
        version: int,
        line: Line,
        events: list[dict[str, Any]],
        request_id: str,
        *,
        turn: str,
        asked: str,
        outcome: str,
        snapshot: tuple[int, dict[str, Any]] | None = None,
    ) -> None:
        """Keep one more line, made for that version; Stale or Repeated and no change otherwise."""
        try:
            with self.engine.begin() as db:
                repeated = select(REQUESTS.c.version).where(
                    REQUESTS.c.table_id == table_id, REQUESTS.c.request_id == request_id
                )
                if db.execute(repeated).scalar() is not None:
                    raise Repeated("this request was accepted before")
                changed = db.execute(
                    update(TABLES)
                    .where(TABLES.c.id == table_id, TABLES.c.version == version)
                    .values(version=version + 1, turn=turn, asked=asked, outcome=outcome, updated=time.time())
                )
                if changed.rowcount != 1:
                    raise Stale("the table has changed since")
                db.execute(
                    insert(LINES).values(
                        table_id=table_id, n=version, line=_text(line), events=msgspec.json.encode(events).decode()
                    )
                )
                db.execute(insert(REQUESTS).values(table_id=table_id, request_id=request_id, version=version + 1))
                if snapshot is not None:
                    db.execute(insert(SNAPSHOTS).values(table_id=table_id, actions=snapshot[0], doc=_text(snapshot[1])))
        except IntegrityError:
            raise Stale("the table has changed since") from None
        except SQLAlchemyError as e:
            raise StoreFailed(f"the change could not be kept, so it was not made: {_cause(e)}") from None

    def accepted(self, table_id: str, request_id: str) -> bool:
        """Whether a request of that id was accepted before."""
        wanted = select(REQUESTS.c.version).where(REQUESTS.c.table_id == table_id, REQUESTS.c.request_id == request_id)
        try:
            with self.engine.connect() as db:
                return db.execute(wanted).scalar() is not None
        except SQLAlchemyError as e:
            raise StoreFailed(f"the table cannot be read: {_cause(e)}") from None

    # --- seats -----------------------------------------------------------------------------------------------------

    def seat_of(self, table_id: str, token: str) -> str | None:
        """The side whose token this is (WATCH for a spectator); None for a token of nobody here."""
        given = token_hash(token)
        for row in self._seats(table_id):
            if row.token_hash and secrets.compare_digest(row.token_hash, given):
                return str(row.side)
        return None

    def seats(self, table_id: str) -> dict[str, Seat]:
        return {r.side: Seat(r.side, r.kind, r.level, r.notify) for r in self._seats(table_id) if r.side != WATCH}

    def _seats(self, table_id: str) -> list[Any]:
        try:
            with self.engine.connect() as db:
                return list(db.execute(select(SEATS).where(SEATS.c.table_id == table_id)).all())
        except SQLAlchemyError as e:
            raise StoreFailed(f"the seats cannot be read: {_cause(e)}") from None

    def claim(self, table_id: str, side: str) -> str:
        """A new token for a person's seat; the old one stops working."""
        token = new_token()
        try:
            with self.engine.begin() as db:
                where = (SEATS.c.table_id == table_id, SEATS.c.side == side, SEATS.c.kind == "person")
                if db.execute(update(SEATS).where(*where).values(token_hash=token_hash(token))).rowcount != 1:
                    raise Stale("there is no such seat for a person")
        except SQLAlchemyError as e:
            raise StoreFailed(f"the seat could not be changed: {_cause(e)}") from None
        return token

    def delete(self, table_id: str) -> None:
        try:
            with self.engine.begin() as db:
                for t in (LINES, SNAPSHOTS, REQUESTS, SEATS):
                    db.execute(t.delete().where(t.c.table_id == table_id))
                db.execute(TABLES.delete().where(TABLES.c.id == table_id))
        except SQLAlchemyError as e:
            raise StoreFailed(f"the table could not be removed: {_cause(e)}") from None


def _seat_row(table_id: str, seat: Seat, token: str) -> dict[str, str]:
    return {
        "table_id": table_id,
        "side": seat.side,
        "kind": seat.kind,
        "level": seat.level,
        "notify": seat.notify,
        "token_hash": token_hash(token) if token else "",
    }


def _text(thing: Any) -> str:
    return msgspec.json.encode(thing).decode()


def _cause(e: SQLAlchemyError) -> str:
    return str(getattr(e, "orig", None) or e).splitlines()[0]


def _sqlite_settings(connection: Any, _: Any) -> None:
    """WAL with a checkpoint's fsync: a killed process loses nothing that was committed."""
    cursor = connection.cursor()
    for pragma in ("journal_mode = WAL", "synchronous = NORMAL", "busy_timeout = 5000", "foreign_keys = ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
