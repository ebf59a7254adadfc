"""Whole games carried on by the program, helped to what it never does by itself; and what their records say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from kessel.bots.don42 import PLAYERS
from kessel.core.game import Game
from kessel.core.procedure import Action, asked, legal
from kessel.games.don42.board import Board
from kessel.games.don42.data.charts import turn_number

from .helpers import PACK

Helper = Callable[[Board, list[Action]], Action | None]
"""Of the legal actions one that the program would not take; or None."""


class Played:
    """A game helped along, with its board before every action."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.done: list[tuple[str, Board, list[dict[str, Any]]]] = []
        """Each action, the board it was done on, and what was told."""

    @property
    def verbs(self) -> Counter[str]:
        return Counter(text.split()[0] for text, _, _ in self.done)

    def with_verb(self, verb: str) -> list[tuple[str, Board, list[dict[str, Any]]]]:
        return [one for one in self.done if one[0].split()[0] == verb]

    def told(self, rule: str) -> list[str]:
        return [e["what"] for _, _, events in self.done for e in events if e["rule"] == rule]


def play(
    scenario: str, helper: Helper, until: str = "", seed: int = 1, keep: tuple[str, ...] = (), **options: str
) -> Played:
    """Play to that turn or to the end; boards are kept only before actions with the verbs to be read."""
    game = Game.new("don42", scenario, seed=seed, options=options, pack=PACK)
    players = [PLAYERS["greedy"](seed), PLAYERS["greedy"](seed + 1)]
    last = turn_number(until) if until else 999
    found = Played(game)
    while not game.over and game.board.turn < last:
        g = game.board
        assert isinstance(g, Board)
        side = asked(g)
        action = helper(g, legal(g)) or players[side].choose(game.title, g, side)
        before = g.copy() if action[0] in keep else g
        entry = game.play(action, side)
        found.done.append((entry.text, before, list(entry.events)))
    return found
