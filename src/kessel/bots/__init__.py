"""Players that are programs. They see what their side may see and choose among the listed actions."""

from __future__ import annotations

from collections.abc import Callable

from kessel.bots.levels import Level
from kessel.bots.player import Planner, Player, decide
from kessel.bots.random_player import RandomPlayer
from kessel.bots.weights import read_changes
from kessel.core.errors import BadInput
from kessel.core.registry import PLAYERS, installed, load

__all__ = ["Planner", "Player", "RandomPlayer", "decide", "has_level", "levels", "player", "what_levels_do"]


RANDOM = Level(RandomPlayer, "Takes any of the legal actions, without a plan. For trying out the rules.")


def levels(game: str) -> list[str]:
    """The programs offered for this game, weakest first."""
    return list(what_levels_do(game))


def what_levels_do(game: str) -> dict[str, str]:
    """What each of them does, and what it leaves out, in words for whoever chooses an opponent."""
    return {
        name: made.about if isinstance(made, Level) else (made.__doc__ or "").strip().partition("\n")[0]
        for name, made in _players(game).items()
        if not isinstance(made, Level) or made.offered
    }


def has_level(game: str, level: str) -> bool:
    """Whether a game has a program of that name, offered or not."""
    return level in _players(game)


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
    return {"random": RANDOM, **(load(PLAYERS, game) if game in installed(PLAYERS) else {})}
