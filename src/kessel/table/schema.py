"""The tables of the database, and how an older one is brought up to date."""

from __future__ import annotations

from sqlalchemy import Column, Float, Integer, MetaData, String, Table, Text, UniqueConstraint

FORMAT = 4
"""Counts changes of the schema."""

SCHEMA = MetaData()
ABOUT = Table(
    "about", SCHEMA, Column("format", Integer, primary_key=True), Column("salt", String(32), server_default="")
)
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
    Column("updated", Float, nullable=False, index=True),
    Column("begun", Integer, nullable=False, server_default="0"),
    Column("made_by", String(32), nullable=False, server_default="", index=True),
    Column("open_to_all", Text, nullable=False, server_default=""),
)
SEATS = Table(
    "seats",
    SCHEMA,
    Column("table_id", String(32), primary_key=True),
    Column("side", String(32), primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("level", String(32), nullable=False),
    Column("token_hash", String(64), nullable=False),
    Column("notify", Text, nullable=False),
    Column("invite_hash", String(64), nullable=False, server_default=""),
    Column("recovery_hash", String(64), nullable=False, server_default=""),
    Column("invited", Integer, nullable=False, server_default="0"),
    Column("entropy", String(128), nullable=False, server_default=""),
    Column("seen", Integer, nullable=False, server_default="-1"),
    Column("name", String(40), nullable=False, server_default=""),
)
LINES = Table(
    "lines",
    SCHEMA,
    Column("table_id", String(32), primary_key=True),
    Column("n", Integer, primary_key=True),
    Column("line", Text, nullable=False),
    Column("events", Text, nullable=False),
    Column("seat", String(32)),
    Column("request", String(64)),
    UniqueConstraint("table_id", "seat", "request"),
)
SNAPSHOTS = Table(
    "snapshots",
    SCHEMA,
    Column("table_id", String(32), primary_key=True),
    Column("actions", Integer, primary_key=True),
    Column("doc", Text, nullable=False),
)
TALK = Table(
    "talk",
    SCHEMA,
    Column("table_id", String(32), primary_key=True),
    Column("n", Integer, primary_key=True),
    Column("seat", String(32), nullable=False),
    Column("name", String(40), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("text", Text, nullable=False),
    Column("made", Float, nullable=False),
    Column("after", Integer, nullable=False),
    Column("version", Integer, nullable=False),
    Column("to", Integer, nullable=False),
)
OF_A_TABLE = (LINES, SNAPSHOTS, SEATS, TALK)
"""What is thrown away with a table."""
ADDED = {
    2: (
        ABOUT.c.salt,
        TABLES.c.begun,
        TABLES.c.made_by,
        SEATS.c.invite_hash,
        SEATS.c.recovery_hash,
        SEATS.c.invited,
        SEATS.c.entropy,
    ),
    3: (SEATS.c.seen,),
    4: (SEATS.c.name, TABLES.c.open_to_all),
}
"""Columns that each format added to the one before."""
