"""Whole games carried on by the program, helped to what it never does by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from kessel.bots.kharkov43 import PLAYERS
from kessel.core.dice import Dice
from kessel.core.procedure import Action, apply, asked, legal
from kessel.games.kharkov43.board import Board

from .helpers import KIT

Helper = Callable[[Board, list[Action]], Action | None]
Done = tuple[Action, Board, Board, list[dict[str, Any]]]
"""An action, the board before and after it, and what was told."""


def carry_on(g: Board, helper: Helper, turns: int, seed: int) -> Iterator[Done]:
    """Play so many game-turns: as the helper says, else as the program does."""
    program = PLAYERS["greedy"](seed)
    g.dice, g.events = Dice(seed), []
    last = g.turn + turns
    while g.stack and g.turn < last:
        action = helper(g, legal(g)) or program.choose(KIT.title, g, asked(g))
        before, g.events = g.copy(), []
        apply(g, action)
        yield action, before, g, list(g.events)


def beginning(scenario: str) -> Board:
    g = KIT.fresh(scenario)
    assert isinstance(g, Board)
    return g
