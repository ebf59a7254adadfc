"""What is installed: games, and the programs that play them, found by entry points.

A package gives a game to Kessel by naming it in its pyproject.toml; Kessel's own games are found the same way:

    [project.entry-points."kessel.games"]
    don42 = "kessel.games.don42:TITLE"

    [project.entry-points."kessel.players"]
    don42 = "kessel.bots.don42:PLAYERS"
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from kessel.core.errors import BadInput

GAMES = "kessel.games"
PLAYERS = "kessel.players"


@cache
def installed(group: str) -> dict[str, EntryPoint]:
    """The entries of a group by name."""
    return {entry.name: entry for entry in entry_points(group=group)}


def load(group: str, name: str) -> Any:
    """What an entry names; BadInput says where it cannot be had."""
    entry = installed(group)[name]
    try:
        return entry.load()
    except (ImportError, AttributeError) as e:
        raise BadInput(f"{name} is installed but cannot be loaded from {entry.value}: {e}") from e


def package_of(game: str) -> str:
    """The package a game lives in; empty for one that is not installed."""
    entry = installed(GAMES).get(game)
    return entry.module if entry is not None else ""
