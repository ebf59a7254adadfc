"""What a program that plays must do, and the one way it is asked."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from kessel.bots.random_player import RandomPlayer
from kessel.core.board import Board
from kessel.core.procedure import Action
from kessel.core.title import Title


class Player(Protocol):
    reason: str
    """What the last choice was meant for, in one sentence."""

    def choose(self, t: Title, g: Board, side: int) -> Action:
        """One of the legal actions. `g` is the side's own copy (`Title.known_to`); it is left as it is."""
        ...


@runtime_checkable
class Planner(Protocol):
    """A program whose plan outlives the decision, and the player: another goes on where this one stopped."""

    words: str
    """What it wants in this turn, and why: the side's own secret."""

    def remember(self) -> dict[str, Any] | None:
        """What the next player in this seat must know to go on."""
        ...

    def recall(self, doc: dict[str, Any]) -> None: ...


def decide(program: Player, t: Title, g: Board, side: int) -> Action:
    """What a program does in a game: it is given what its side may know, with other dice, and nothing else.

    One that picks from the list alone needs no copy to look at.
    """
    return program.choose(t, g if isinstance(program, RandomPlayer) else t.known_to(g, side), side)
