"""Where tables are kept: SQLite by default, PostgreSQL by URL. The state is the record, one row a line.

Each accepted change is part of one transaction: the line, who asked for it under which id, the table's new version.
The version is compared and set in that transaction, so that two requests or two processes can never both be accepted.
Nothing here knows a rule. The calls block; `Writer` and threads keep them away from the event loop.
"""

from __future__ import annotations

import contextlib
import secrets
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import msgspec
from sqlalchemy import (
    Connection,
    Delete,
    Dialect,
    Engine,
    Insert,
    PoolProxiedConnection,
    Update,
    bindparam,
    create_engine,
    delete,
    event,
    func,
    insert,
    make_url,
    select,
    update,
)
from sqlalchemy.exc import ArgumentError, IntegrityError, SQLAlchemyError

from kessel.core.board import Event
from kessel.core.errors import KesselError
from kessel.core.record import Header, Line, Record
from kessel.table.schema import ABOUT, ADDED, FORMAT, LINES, OF_A_TABLE, SCHEMA, SEATS, SNAPSHOTS, TABLES
from kessel.table.seats import NO_SEATS, OPEN, Seat

LOOKING_BACK = 240
"""Of the older snapshots only every so many actions one is read when a table is opened."""


NOT_KEPT = "the change could not be kept, so it was not made"


class Stale(KesselError):
    """The table has changed since the request was made."""


class StoreFailed(KesselError):
    """The database cannot be written or read now; nothing was changed. `detail` is for the log alone: a driver's own
    words may say where the database is.
    """

    def __init__(self, said: str, detail: str = "") -> None:
        super().__init__(said)
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Change:
    """One more line of a table's record, and what the list of tables shows after it."""

    table_id: str
    version: int
    """The version it was made for."""
    seat: str
    request: str
    line: Line
    events: list[Event]
    asked: str
    outcome: str
    snapshot: tuple[int, dict[str, Any]] | None = None
    """The number of actions and the board after them, every now and then."""
    seen: int | None = None
    """How much the seat's person has seen, where that is different now."""
    back_to: int | None = None
    """So many actions are left, where others were taken back."""


@dataclass(slots=True)
class Kept:
    """A table as it is kept."""

    record: Record
    turn: str
    seats: dict[str, Seat]
    events: dict[int, list[Event]] = field(default_factory=dict)
    """By number of line."""
    requests: dict[tuple[str, str], int] = field(default_factory=dict)
    """Seat and id of every accepted request, with the number of its line."""
    snapshots: dict[int, dict[str, Any]] = field(default_factory=dict)


def open_store(url: str, *, fsync: bool = False) -> Store:
    """`fsync`: wait for the disk at every commit (SQLite), so that not even a power failure loses anything."""
    try:
        at = make_url(url)
        if at.drivername == "postgresql":
            at = at.set(drivername="postgresql+psycopg")
        if at.get_backend_name() not in ("sqlite", "postgresql"):
            raise ArgumentError(url)
        engine = create_engine(at, pool_pre_ping=at.get_backend_name() != "sqlite")
    except ArgumentError:
        raise StoreFailed("a database is named as sqlite:///FILE or postgresql://USER@HOST/NAME") from None
    except ModuleNotFoundError as e:
        raise StoreFailed(f"this kind of database needs the module {e.name}: pip install 'kessel[postgres]'") from None
    except SQLAlchemyError as e:
        raise _failed("the database cannot be opened", e) from None
    return Store(engine, fsync=fsync)


class Store:
    def __init__(self, engine: Engine, *, fsync: bool = False) -> None:
        self.engine = engine
        self.quick = engine.dialect.name == "sqlite" and not fsync
        """A commit does not wait for any disk."""
        self._straight: PoolProxiedConnection | None = None
        if engine.dialect.name == "sqlite":
            event.listen(engine, "connect", _sqlite_settings("FULL" if fsync else "NORMAL"))
        with self.writing("the database cannot be opened") as db:
            self.salt = _prepared(db)
            """Addresses are kept only as hashes with it."""

    def close(self) -> None:
        self._hang_up()
        with contextlib.suppress(StoreFailed):
            self.tidy()
        self.engine.dispose()

    def tidy(self) -> None:
        """Bring what was committed lately from the write-ahead log into the database itself, and both to the disk."""
        if self.engine.dialect.name == "sqlite":
            with self.reading("the database cannot be tidied") as db:
                db.exec_driver_sql("PRAGMA wal_checkpoint(PASSIVE)")

    @contextlib.contextmanager
    def writing(self, trouble: str) -> Iterator[Connection]:
        try:
            with self.engine.begin() as db:
                yield db
        except IntegrityError:
            raise
        except SQLAlchemyError as e:
            raise _failed(trouble, e) from None

    @contextlib.contextmanager
    def reading(self, trouble: str) -> Iterator[Connection]:
        try:
            with self.engine.connect() as db:
                yield db
        except SQLAlchemyError as e:
            raise _failed(trouble, e) from None

    # --- tables ----------------------------------------------------------------------------------------------------

    def create(
        self,
        table_id: str,
        record: Record,
        seats: Mapping[str, Seat],
        *,
        turn: str,
        asked: str,
        snapshot: tuple[int, dict[str, Any]],
        events: Mapping[int, list[Event]] | None = None,
        made_by: str = "",
        open_to_all: str = "",
        outcome: str = "",
    ) -> None:
        """Keep a new table. `events` are what was told at each line of the record, if it has any."""
        now, head = time.time(), record.header
        row = {
            "id": table_id,
            "game": head.game,
            "scenario": head.scenario,
            "header": _text(head),
            "version": len(record.lines),
            "turn": turn,
            "asked": asked,
            "outcome": outcome,
            "created": now,
            "updated": now,
            "begun": len(record.lines),
            "made_by": made_by,
            "open_to_all": open_to_all,
        }
        with self.writing("the table could not be kept") as db:
            db.execute(insert(TABLES), row)
            db.execute(insert(SEATS), [_seat_row(table_id, s) for s in seats.values()])
            if record.lines:
                told = events or {}
                lines = [
                    {"n": n, "line": _text(x), "events": _text(told.get(n, []))} for n, x in enumerate(record.lines)
                ]
                db.execute(insert(LINES), [{"table_id": table_id, **x} for x in lines])
            db.execute(insert(SNAPSHOTS), _snapshot_row(table_id, snapshot))

    def count(self, made_by: str = "") -> int:
        """All tables, or those made from one address."""
        wanted = select(func.count()).select_from(TABLES)
        with self.reading("the tables cannot be read") as db:
            return int(db.execute(wanted.where(TABLES.c.made_by == made_by) if made_by else wanted).scalar() or 0)

    def listing(self, *more: str) -> list[dict[str, Any]]:
        """All tables, the last touched first, without anything secret; `more` names further columns."""
        with self.reading("the tables cannot be read") as db:
            tables = db.execute(select(TABLES).order_by(TABLES.c.updated.desc(), TABLES.c.id)).mappings().all()
            seats = db.execute(select(*(SEATS.c[c] for c in ("table_id", *SEAT_SHOWN)))).mappings().all()
        by_table: dict[str, list[dict[str, str]]] = {}
        for seat in seats:
            if seat["side"] not in NO_SEATS:
                by_table.setdefault(seat["table_id"], []).append({c: seat[c] for c in SEAT_SHOWN})
        shown = ("id", "game", "scenario", "version", "turn", "asked", "created", "updated", *more)
        return [
            {k: t[k] for k in shown}
            | {"outcome": msgspec.json.decode(t["outcome"]) if t["outcome"] else None}
            | {"seats": by_table.get(t["id"], [])}
            | {"open": _still_open(t["open_to_all"], by_table.get(t["id"], []))}
            | {"lesson": msgspec.json.decode(t["header"], type=Header).options.get("lesson", "")}
            for t in tables
        ]

    def load(self, table_id: str) -> Kept | None:
        with self.reading("the table cannot be read") as db:
            row = db.execute(select(TABLES.c.header, TABLES.c.turn).where(TABLES.c.id == table_id)).one_or_none()
            if row is None:
                return None
            seats = db.execute(select(SEATS).where(SEATS.c.table_id == table_id)).all()
            lines = db.execute(select(LINES).where(LINES.c.table_id == table_id).order_by(LINES.c.n)).all()
            docs = db.execute(
                select(SNAPSHOTS.c.doc).where(
                    SNAPSHOTS.c.table_id == table_id, SNAPSHOTS.c.actions.in_(self._wanted(db, table_id))
                )
            ).scalars()
            snapshots = [msgspec.json.decode(doc) for doc in docs]
        record = Record(
            msgspec.json.decode(row.header, type=Header), [msgspec.json.decode(r.line, type=Line) for r in lines]
        )
        return Kept(
            record,
            row.turn,
            {r.side: _seat(r) for r in seats},
            {r.n: msgspec.json.decode(r.events) for r in lines},
            {(r.seat, r.request): r.n for r in lines if r.request is not None},
            {doc["actions"]: doc["board"] for doc in snapshots},
        )

    def _wanted(self, db: Connection, table_id: str) -> list[int]:
        """The last snapshot, to go on from, and some older ones, to look back from."""
        rows = db.execute(select(SNAPSHOTS.c.actions).where(SNAPSHOTS.c.table_id == table_id)).scalars()
        wanted: list[int] = []
        for n in sorted(rows, reverse=True):
            if not wanted or n <= wanted[-1] - LOOKING_BACK:
                wanted.append(n)
        return wanted

    def delete(self, table_id: str) -> bool:
        """Whether there was such a table."""
        with self.writing("the table could not be removed") as db:
            for t in OF_A_TABLE:
                db.execute(t.delete().where(t.c.table_id == table_id))
            return db.execute(TABLES.delete().where(TABLES.c.id == table_id)).rowcount == 1

    def expire(self, before: float) -> list[str]:
        """Throw away the tables that nobody has touched since then and nobody ever played at."""
        idle = (TABLES.c.version == TABLES.c.begun, TABLES.c.updated < before)
        with self.reading("the tables cannot be read") as db:
            found = db.execute(select(TABLES.c.id).where(*idle)).scalars().all()
        gone = []
        for table_id in found:
            with self.writing("the table could not be removed") as db:
                if db.execute(TABLES.delete().where(TABLES.c.id == table_id, *idle)).rowcount == 1:
                    for t in OF_A_TABLE:
                        db.execute(t.delete().where(t.c.table_id == table_id))
                    gone.append(table_id)
        return gone

    # --- changes ---------------------------------------------------------------------------------------------------

    def accept(self, changes: Sequence[Change]) -> list[KesselError | None]:
        """Keep several changes in one transaction. Each answer is None if it is kept now, else why it is not."""
        try:
            return self._keep_at_once(changes) if self.quick else self._keep(changes)
        except (IntegrityError, sqlite3.IntegrityError):
            if len(changes) == 1:
                return [Stale("the table has changed since; look again")]
            return [answer for c in changes for answer in self.accept([c])]
        except StoreFailed as e:
            return [e] * len(changes)

    def _keep(self, changes: Sequence[Change]) -> list[KesselError | None]:
        with self.writing(NOT_KEPT) as db:

            def run(statement: Insert | Update | Delete, values: dict[str, Any]) -> int:
                sql, order = _written(statement, db.dialect)
                return db.exec_driver_sql(sql, tuple(values[name] for name in order) if order else values).rowcount

            return [_accept(run, c) for c in changes]

    def _keep_at_once(self, changes: Sequence[Change]) -> list[KesselError | None]:
        """The same straight through SQLite's driver, over a connection kept for it: what is otherwise done around a
        change takes as long as the change. Called by one thread only.
        """
        try:
            if self._straight is None:
                self._straight = self.engine.raw_connection()
            db: sqlite3.Connection = self._straight.driver_connection  # type: ignore[assignment]

            def run(statement: Insert | Update | Delete, values: dict[str, Any]) -> int:
                sql, order = _written(statement, self.engine.dialect)
                return db.execute(sql, [values[name] for name in order]).rowcount

            with db:  # commits, or takes everything back
                return [_accept(run, c) for c in changes]
        except sqlite3.IntegrityError:
            raise
        except (sqlite3.Error, SQLAlchemyError) as e:
            self._hang_up()
            raise _failed(NOT_KEPT, e) from None

    def _hang_up(self) -> None:
        straight, self._straight = self._straight, None
        if straight is not None:
            straight.invalidate()
            straight.close()

    def set_open(self, table_id: str, side: str, code: str) -> None:
        """The invitation for whoever likes to come, where the table has such; empty: there is none."""
        with self.writing("the invitation could not be kept") as db:
            here = TABLES.c.id == table_id
            codes = msgspec.json.decode(db.execute(select(TABLES.c.open_to_all).where(here)).scalar() or "{}")
            if side in codes:
                db.execute(update(TABLES).where(here).values(open_to_all=_text({**codes, side: code})))

    def set_turn(self, table_id: str, turn: str) -> None:
        with self.writing("the turn could not be kept") as db:
            db.execute(update(TABLES).where(TABLES.c.id == table_id).values(turn=turn))

    # --- seats -----------------------------------------------------------------------------------------------------

    def set_seen(self, table_id: str, side: str, seen: int) -> None:
        with self.writing("what was seen could not be kept") as db:
            db.execute(_SEEN, {"of_table": table_id, "of_side": side, "new_seen": seen})

    def change_seat(self, table_id: str, old: Seat, new: Seat) -> None:
        """Give a seat another token, another invitation or another way to be told; Stale if it is not as it was."""
        with self.writing("the seat could not be changed") as db:
            _change_seat(db, table_id, old, new)

    def join(self, table_id: str, old: Seat, new: Seat, begins: tuple[Record, str, str, dict[str, Any]] | None) -> None:
        """Somebody takes an open seat; if it was the last, the game begins with this record, turn, side and board."""
        with self.writing("the seat could not be taken") as db:
            _change_seat(db, table_id, old, new)
            values: dict[str, Any] = {"updated": time.time()}
            if begins is not None:
                record, turn, asked, board = begins
                values |= {"header": _text(record.header), "turn": turn, "asked": asked}
                db.execute(SNAPSHOTS.delete().where(SNAPSHOTS.c.table_id == table_id))
                db.execute(insert(SNAPSHOTS), _snapshot_row(table_id, (0, board)))
            here = (TABLES.c.id == table_id, TABLES.c.version == 0)
            if db.execute(update(TABLES).where(*here).values(values)).rowcount != 1:
                raise Stale("the table has changed since; look again")


_STEP = (
    update(TABLES)
    .where(TABLES.c.id == bindparam("table_id"), TABLES.c.version == bindparam("made_for"))
    .values({c: bindparam(f"new_{c}") for c in ("version", "asked", "outcome", "updated")})
)
_LINE = insert(LINES).values({c: bindparam(c) for c in ("table_id", "n", "line", "events", "seat", "request")})
_SEEN = (
    update(SEATS)
    .where(SEATS.c.table_id == bindparam("of_table"), SEATS.c.side == bindparam("of_side"))
    .values(seen=bindparam("new_seen"))
)
_LATER = delete(SNAPSHOTS).where(SNAPSHOTS.c.table_id == bindparam("of_table"), SNAPSHOTS.c.actions > bindparam("last"))
_SNAPSHOT = insert(SNAPSHOTS).values({c: bindparam(c) for c in ("table_id", "actions", "doc")})


@lru_cache(maxsize=8)
def _written(statement: Insert | Update | Delete, dialect: Dialect) -> tuple[str, tuple[str, ...]]:
    """A statement as its driver takes it, and the order of its values if they have no names. Written once: writing a
    statement takes longer than carrying it out.
    """
    found = statement.compile(dialect=dialect)
    return str(found), tuple(found.positiontup or ())


Run = Callable[[Insert | Update | Delete, dict[str, Any]], int]
"""Carries a statement out with these values, and says how many rows it touched."""


def _accept(run: Run, c: Change) -> Stale | None:
    new = {"version": c.version + 1, "asked": c.asked, "outcome": c.outcome, "updated": time.time()}
    where = {"table_id": c.table_id, "made_for": c.version}
    if run(_STEP, where | {f"new_{k}": v for k, v in new.items()}) != 1:
        return Stale("the table has changed since; look again")
    line = {"n": c.version, "line": _text(c.line), "events": _text(c.events), "seat": c.seat, "request": c.request}
    run(_LINE, {"table_id": c.table_id, **line})
    if c.seen is not None:
        run(_SEEN, {"of_table": c.table_id, "of_side": c.seat, "new_seen": c.seen})
    if c.back_to is not None:
        run(_LATER, {"of_table": c.table_id, "last": c.back_to})
    if c.snapshot is not None:
        run(_SNAPSHOT, _snapshot_row(c.table_id, c.snapshot))
    return None


SEAT_SHOWN = ("side", "kind", "level", "name")
"""What everybody may know of a seat."""


def _still_open(codes: str, seats: list[dict[str, str]]) -> dict[str, str]:
    """Invitations for whoever likes to come, to the seats that nobody has taken."""
    left = {s["side"] for s in seats if s["kind"] == OPEN}
    return {side: code for side, code in msgspec.json.decode(codes or "{}").items() if side in left and code}


SEAT_COLUMNS = tuple(c.name for c in SEATS.c if c.name != "table_id")


def _seat_row(table_id: str, s: Seat) -> dict[str, Any]:
    return {"table_id": table_id, **{c: getattr(s, c) for c in SEAT_COLUMNS}, "invited": int(s.invited)}


def _seat(row: Any) -> Seat:
    found = {c: getattr(row, c) for c in SEAT_COLUMNS}
    return Seat(**found | {"invited": bool(row.invited)})


def _change_seat(db: Connection, table_id: str, old: Seat, new: Seat) -> None:
    held = ("kind", "token_hash", "invite_hash", "recovery_hash")
    same = [SEATS.c[c] == getattr(old, c) for c in held]
    where = (SEATS.c.table_id == table_id, SEATS.c.side == old.side, *same)
    if db.execute(update(SEATS).where(*where).values(_seat_row(table_id, new))).rowcount != 1:
        raise Stale("the seat has changed since; look again")


def _prepared(db: Connection) -> str:
    """Make the schema, or bring an older one up to date. The database's own salt."""
    SCHEMA.create_all(db, tables=[ABOUT])
    found = db.execute(select(ABOUT.c.format)).scalar()
    if found is not None and not 1 <= found <= FORMAT:
        raise StoreFailed(f"the database is of format {found}, this version knows {FORMAT}")
    if found is not None and found < FORMAT:
        for column in (c for n in range(found + 1, FORMAT + 1) for c in ADDED[n]):
            kind, default = column.type.compile(db.dialect), column.server_default.arg  # type: ignore[union-attr]
            db.exec_driver_sql(f"ALTER TABLE {column.table.name} ADD COLUMN {column.name} {kind} DEFAULT '{default}'")
        db.execute(update(ABOUT).values(format=FORMAT))
    SCHEMA.create_all(db)
    if found is None:
        db.execute(insert(ABOUT).values(format=FORMAT, salt=""))
    salt = db.execute(select(ABOUT.c.salt)).scalar()
    if not salt:
        salt = secrets.token_hex(16)
        db.execute(update(ABOUT).values(salt=salt))
    return str(salt)


def _snapshot_row(table_id: str, snapshot: tuple[int, dict[str, Any]]) -> dict[str, Any]:
    actions, board = snapshot
    return {"table_id": table_id, "actions": actions, "doc": _text({"actions": actions, "board": board})}


def _text(thing: Any) -> str:
    return msgspec.json.encode(thing).decode()


TROUBLES = {"25006": "it is read-only", "53100": "the disk is full", "53300": "it has too many connections"}
"""What PostgreSQL means by its codes."""


def _failed(trouble: str, e: Exception) -> StoreFailed:
    cause = getattr(e, "orig", None) or e
    told = str(cause).strip().splitlines()[0] if str(cause).strip() else type(cause).__name__
    if isinstance(cause, sqlite3.Error):
        return StoreFailed(f"{trouble}: {told}")
    code = str(getattr(cause, "sqlstate", None) or "")
    return StoreFailed(f"{trouble}: {TROUBLES.get(code, 'the database does not answer as it should')}", told)


def _sqlite_settings(synchronous: str) -> Any:
    """A write-ahead log: whoever reads is not in the way, and a killed process loses nothing that was committed."""
    pragmas = (
        "journal_mode = WAL",
        f"synchronous = {synchronous}",
        "busy_timeout = 5000",
        "wal_autocheckpoint = 20000",  # far later than `tidy`, which holds nobody up
    )

    def connected(connection: Any, _: Any) -> None:
        cursor = connection.cursor()
        for pragma in pragmas:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    return connected
