"""Players that are programs. They see what their side may see and choose among the listed actions."""

from __future__ import annotations

from collections.abc import Callable

from kessel.bots.player import Player
from kessel.bots.random_player import RandomPlayer
from kessel.core.errors import BadInput
from kessel.core.registry import PLAYERS, installed, load

__all__ = ["Player", "RandomPlayer", "levels", "player"]


def levels(game: str) -> list[str]:
    """The programs that play this game, weakest first."""
    return list(_players(game))


def player(game: str, level: str, seed: int = 0) -> Player:
    """The program of that name; BadInput where the game has none."""
    known = _players(game)
    if level not in known:
        raise BadInput(f"{game} has no program {level!r}; there are {', '.join(known)}")
    return known[level](seed)


def _players(game: str) -> dict[str, Callable[[int], Player]]:
    return {"random": RandomPlayer, **(load(PLAYERS, game) if game in installed(PLAYERS) else {})}
