"""Seats: who sits where, and the tokens that prove it. Only a token's hash is ever kept."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass

from kessel.bots import has_level, levels
from kessel.core.errors import BadInput

WATCH = ""
"""The seat of those who only look on."""
KEEPER = "keeper"
"""Whoever made the table, who may invite others to it. No side of a game has that name, and it sees nothing."""
PERSON, PROGRAM, WATCHER, OPEN = "person", "program", "watch", "open"
"""An open seat is kept for whoever uses its invitation; then it is a person's."""
NO_SEATS = (WATCH, KEEPER)


@dataclass(frozen=True, slots=True)
class Seat:
    side: str
    kind: str
    level: str = ""
    """Which program."""
    token_hash: str = ""
    notify: str = ""
    """How its person wants to be told that it is their turn (JSON), if at all."""
    invite_hash: str = ""
    """Of the invitation to an open seat, unless it was withdrawn."""
    recovery_hash: str = ""
    """Of the code with which its person can have a new token."""
    invited: bool = False
    """Its person came by invitation: nobody else has ever held its token."""
    entropy: str = ""
    """What its person added to the dice."""
    seen: int = 0
    """So many actions its person has seen; what came after them is told. Below 0: it was never noted."""

    name: str = ""
    """What its person wants to be called."""

    def opened_by(self, token: str) -> bool:
        return matches(self.token_hash, token)


def matches(kept: str, secret: str) -> bool:
    return bool(kept) and secrets.compare_digest(kept, token_hash(secret))


def new_token() -> str:
    return secrets.token_urlsafe(24)


def token_hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def seat_for(game: str, side: str, who: str) -> Seat:
    """The seat that `me`, `open` or `program:LEVEL` asks for, not yet held by anybody."""
    if who in ("me", "open"):
        return Seat(side, PERSON if who == "me" else OPEN)
    kind, _, level = who.partition(":")
    if kind != PROGRAM or not has_level(game, level):
        raise BadInput(f"a seat is 'me', 'open' or 'program:' and one of {', '.join(levels(game))}, not {who!r}")
    return Seat(side, PROGRAM, level)
