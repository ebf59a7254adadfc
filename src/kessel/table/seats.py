"""Seats: who sits where, and the tokens that prove it. Only a token's hash is ever kept."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass

from kessel.bots import levels
from kessel.core.errors import BadInput

WATCH = ""
"""The seat of those who only look on."""
PERSON, PROGRAM, WATCHER = "person", "program", "watch"


@dataclass(frozen=True, slots=True)
class Seat:
    side: str
    kind: str
    level: str = ""
    """Which program."""
    token_hash: str = ""
    notify: str = ""
    """How its person wants to be told that it is their turn (JSON), if at all."""

    def opened_by(self, token: str) -> bool:
        return bool(self.token_hash) and secrets.compare_digest(self.token_hash, token_hash(token))


def new_token() -> str:
    return secrets.token_urlsafe(24)


def token_hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def seat_for(game: str, side: str, who: str) -> Seat:
    """The seat that `me`, `open` or `program:LEVEL` asks for, not yet held by anybody."""
    if who in ("me", "open"):
        return Seat(side, PERSON)
    kind, _, level = who.partition(":")
    if kind != PROGRAM or level not in levels(game):
        raise BadInput(f"a seat is 'me', 'open' or 'program:' and one of {', '.join(levels(game))}, not {who!r}")
    return Seat(side, PROGRAM, level)
