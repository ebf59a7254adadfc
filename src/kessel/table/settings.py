"""What can be set about a server."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from kessel.table.notify import Notifying


@dataclass(slots=True)
class Settings:
    one_person: bool = True
    """A server on one's own machine: seats may be claimed again without their link."""
    hosts: tuple[str, ...] = ()
    """The names under which requests are taken; all if empty."""
    most_body: int = 256_000
    requests_a_minute: int = 6000
    most_tables: int = 2000
    most_open: int = 200
    """Tables kept in memory."""
    most_listeners: int = 60
    """Live connections at one table."""
    workers: int = 1
    turn_seconds: float = 60.0
    """How long a program may think about one player turn."""
    maps: Path | None = None
    """Where drawn maps are kept."""
    notify: Notifying = field(default_factory=Notifying)
