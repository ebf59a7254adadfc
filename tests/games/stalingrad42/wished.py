"""Whole games in which a wish comes before everything: what it does not want is decided by the program, or let be."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from kessel.bots.stalingrad42 import PLAYERS
from kessel.core.game import Game
from kessel.core.procedure import PASS, Action, asked, options
from kessel.games.stalingrad42.board import Board
from kessel.lab.census import Census, count_action, counting

from .helped import to_the_end

Wish = Callable[[Board, dict[str, list[Action]]], Action | None]
"""Of the legal actions, by verb, the one that is wanted; or None."""


class Done(NamedTuple):
    """An action of a game, the board it was done on and the one it led to, and what was told."""

    action: Action
    before: Board
    after: Board
    events: list[dict[str, Any]]

    def told(self, rule: str) -> list[str]:
        return [e["what"] for e in self.events if e["rule"] == rule]


class Wished(NamedTuple):
    game: Game
    census: Census
    kept: list[Done]

    def with_verb(self, *verbs: str) -> list[Done]:
        return [d for d in self.kept if d.action[0] in verbs]


class Able:
    """The program, on either side."""

    def __init__(self, seed: int) -> None:
        self.sides = [PLAYERS["greedy"](seed), PLAYERS["greedy"](seed + 1)]

    def choose(self, playing: Game) -> Action:
        side = asked(playing.board)
        return self.sides[side].choose(playing.title, playing.title.known_to(playing.board, side), side)


class Idle:
    """Ends whatever can be ended, and else does the first thing."""

    def choose(self, playing: Game) -> Action:
        found = options(playing.board)
        return next((a for a in (PASS, ("halt",)) if a in found), None) or next(iter(found))


def wished_game(
    folder: Path,
    scenario: str,
    wish: Wish,
    seed: int = 1,
    *,
    until: int = 99,
    who: str,
    keep: Callable[[Board, Action], bool] = lambda g, action: False,
) -> Wished:
    """Play to the beginning of that turn or to the end; boards are kept around the actions to be read."""
    game = Game.new("stalingrad42", scenario, seed=seed, pack=to_the_end(folder, scenario))
    others = Able(seed) if who == "able" else Idle()
    found = Wished(game, Census(game.title), [])
    with counting(found.census):
        while not game.over and game.board.turn < until:  # type: ignore[attr-defined]
            g: Any = game.board
            found.census.now = ""
            by_verb: dict[str, list[Action]] = {}
            for a in options(g):
                by_verb.setdefault(a[0], []).append(a)
            action = wish(g, by_verb) or others.choose(game)
            before = g.copy() if keep(g, action) else None
            found.census.now = f"{scenario} {seed}"
            side = asked(g)
            count_action(found.census, game, lambda action=action, side=side: game.play(action, side))  # type: ignore[misc]
            if before is not None:
                found.kept.append(Done(action, before, g.copy(), list(game.entries[-1].events)))
    found.census.now = ""
    return found
