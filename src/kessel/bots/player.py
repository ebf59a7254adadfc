"""What a program that plays must do."""

from __future__ import annotations

from typing import Protocol

from kessel.core.board import Board
from kessel.core.procedure import Action
from kessel.core.title import Title


class Player(Protocol):
    reason: str
    """What the last choice was meant for, in one sentence."""

    def choose(self, t: Title, g: Board, side: int) -> Action:
        """One of the legal actions. `g` is the side's own copy (`Title.known_to`), to be used up at will."""
        ...
