"""Players that are programs. They see what their side may see and choose among the listed actions."""

from __future__ import annotations

import importlib
import importlib.util

from kessel.bots.player import Player
from kessel.bots.random_player import RandomPlayer
from kessel.core.errors import BadInput

__all__ = ["Player", "RandomPlayer", "levels", "player"]


def levels(game: str) -> list[str]:
    """The programs that play this game, weakest first."""
    return ["random", *(["greedy"] if importlib.util.find_spec(f"kessel.bots.{game}") else [])]


def player(game: str, level: str, seed: int = 0) -> Player:
    """The program of that name; BadInput where the game has none."""
    if level not in levels(game):
        raise BadInput(f"{game} has no program {level!r}; there are {', '.join(levels(game))}")
    if level == "random":
        return RandomPlayer(seed)
    module = importlib.import_module(f"kessel.bots.{game}")
    made: Player = module.greedy(seed)
    return made
