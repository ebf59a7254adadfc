"""Interruptions: the other side reacts in the middle of a move.

A move walks hex by hex until somebody may react. The procedure that moves calls the reaction and repeats its step; the
reaction hands back whether the mover may go on.

    found = first_reaction(g, path, lambda g, h: interceptors(g, h))
    if found is not None:
        at, who = found
        walk(g, path[: at + 1])
        return Call(Interception(enemy, who, self.unit), again=True)

    stopped = into("stopped", Interception)

Undo stops there by itself: the side that decides changes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from kessel.core.board import Board
from kessel.core.hexes import Hex

T = TypeVar("T")


def first_reaction(
    g: Board, path: Sequence[Hex], reactions: Callable[[Any, Hex], Sequence[T]]
) -> tuple[int, Sequence[T]] | None:
    """The first hex of a way (its number in it) in which somebody may react, and who; None where nobody may."""
    for at, h in enumerate(path):
        who = reactions(g, h)
        if who:
            return at, who
    return None
