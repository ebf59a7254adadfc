"""Kharkov '43: a German player that looks one decision ahead.

`situation` says what threatens whom and which towns need troops, `moves` where units go, `fights` which attacks are
good and how to take hits, `cards` what a card is best played for.
"""

from __future__ import annotations

from collections.abc import Callable

from kessel.bots.kharkov43.greedy import Greedy
from kessel.bots.player import Player


def greedy(seed: int = 0) -> Greedy:
    return Greedy(seed)


PLAYERS: dict[str, Callable[[int], Player]] = {"greedy": greedy}
"""The programs by the names of their levels, weakest first; each is made with a seed."""
