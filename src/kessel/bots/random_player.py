"""A player without plans: uniform over the legal actions, and now and then it ends a phase, so that games finish."""

from __future__ import annotations

import random

from kessel.core.board import Board
from kessel.core.procedure import Action, options
from kessel.core.title import Title

END_SOONER = 0.1
"""How often one of the plain choices (pass, end the phase) is taken outright."""


class RandomPlayer:
    reason = "chosen at random"

    def __init__(self, seed: int = 0) -> None:
        self.random = random.Random(seed)

    def choose(self, t: Title, g: Board, side: int) -> Action:
        found = options(g)
        plain = found.plain()
        if plain and self.random.random() < END_SOONER:
            return self.random.choice(plain)
        return self.random.choice(found.all())
