"""Players that are programs. They see what their side may see and choose among the listed actions."""

from __future__ import annotations

from collections.abc import Callable

from kessel.bots.player import Player, decide
from kessel.bots.random_player import RandomPlayer
from kessel.bots.weights import read_changes
from kessel.core.errors import BadInput
from kessel.core.registry import PLAYERS, installed, load

__all__ = ["Player", "RandomPlayer", "decide", "levels", "player"]


def levels(game: str) -> list[str]:
    """The programs that play this game, weakest first."""
    return list(_players(game))


def player(game: str, level: str, seed: int = 0) -> Player:
    """The program of that name; BadInput where the game has none. `greedy?risk=0.1,cut=20` is a copy of a program with
    other numbers.
    """
    name, _, numbers = level.partition("?")
    known = _players(game)
    if name not in known:
        raise BadInput(f"{game} has no program {name!r}; there are {', '.join(known)}")
    return known[name](seed, read_changes(numbers)) if numbers else known[name](seed)


def _players(game: str) -> dict[str, Callable[..., Player]]:
    return {"random": RandomPlayer, **(load(PLAYERS, game) if game in installed(PLAYERS) else {})}
