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
    most_record: int = 5_000_000
    """Bytes of a request that brings a record, and"""
    most_lines: int = 40_000
    """lines of one."""
    requests_a_minute: int = 6000
    most_tables: int = 2000
    tables_an_address: int = 50
    """Tables kept of those made from one address, and"""
    tables_a_minute: int = 10
    """new ones of it, on a server for others."""
    unplayed_hours: float = 48.0
    """After so long a table at which nobody has played is thrown away, on a server for others."""
    idle_seconds: float = 600.0
    """After so long a table nobody looks at leaves the memory."""
    proxies: tuple[str, ...] = ()
    """Addresses of proxies whose `X-Forwarded-For` counts."""
    admin: str = ""
    """The administrator's key; nobody has it if it is empty."""
    head_seconds: float = 10.0
    """In that time a request's head must have come,"""
    body_seconds: float = 30.0
    """and in that all of it."""
    connections_an_address: int = 200
    """So many requests may be under way from one address at a time; from a proxy any number."""
    most_open: int = 64
    """Tables kept in memory besides those that are looked at."""
    most_listeners: int = 60
    """Live connections at one table."""
    workers: int = 1
    turn_seconds: float = 60.0
    """How long a program may think about one player turn."""
    maps: Path | None = None
    """Where drawn maps are kept."""
    notify: Notifying = field(default_factory=Notifying)
