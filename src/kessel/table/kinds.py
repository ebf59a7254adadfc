"""What rooms hand out and refuse with: accepted requests, new tables with their secrets, seats that were taken."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from kessel.core.errors import BadInput, KesselError
from kessel.core.view import LogEntry
from kessel.table.people import Message
from kessel.table.room import Room


class Accepted(NamedTuple):
    """A request that was carried out, now or when it first came."""

    entry: LogEntry | None
    """The action as its seat may see it; None for an undo, or where it was undone since."""
    repeated: bool = False


class New(NamedTuple):
    """A table that was made, with its secrets: only their hashes are kept."""

    room: Room
    tokens: dict[str, str]
    """Of the seats of whoever made it, and of who looks on."""
    recovery: dict[str, str]
    """With this a seat's owner can have a new token."""
    invitations: dict[str, str]
    """To the open seats; each can be used once."""
    keeper: str
    """With this invitations can be withdrawn and made anew."""


class Taken(NamedTuple):
    """A seat that somebody has taken, or has got back."""

    side: str
    token: str
    recovery: str


class Listener(Protocol):
    """A live connection."""

    seat: str
    people: bool
    """It is told who comes and goes."""
    looks: str
    """Whether its person looks at the page."""

    def changed(self, room: Room) -> None:
        """Is called inside the room after every change."""

    def people_changed(self) -> None:
        """Somebody came or went."""

    def talked(self, said: Message) -> None:
        """Somebody said something."""

    def look(self) -> None:
        """Something else is different: a seat has got another token, or the table is gone."""


class NoTable(BadInput):
    """There is no such table."""


class NotYours(KesselError):
    """A secret that gives no right to it."""


class RulesFailed(KesselError):
    """The game's own code broke down; nothing was changed."""
