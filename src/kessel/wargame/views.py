"""Pieces for the view: what every game does to show its counters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from kessel.core.board import Board
from kessel.core.forces import Unit
from kessel.core.view import Piece

SIZE_SIGNS = {
    "company": "I",
    "battalion": "II",
    "regiment": "III",
    "brigade": "X",
    "division": "XX",
    "corps": "XXX",
    "army": "XXXX",
    "front": "XXXXX",
}
"""The sign of a size on a counter."""

MOST_KEPT = 8192
"""So many pieces are kept with an order of battle: from one view to the next hardly any counter changes."""


def status_words(status: int, words: Mapping[int, str]) -> list[str]:
    """The words for the flags a unit has."""
    return [word for flag, word in words.items() if status & flag]


def pieces(
    g: Board, units: Iterable[Unit], key: Callable[[Any, Unit], tuple[Any, ...]], make: Callable[[Any, Unit], Piece]
) -> list[Piece]:
    """The counters of these units. `key` is all a counter shows that can change; one seen before is not made anew."""
    kept: dict[Any, Piece] = g.forces.shown
    if len(kept) > MOST_KEPT:
        kept.clear()
    found = []
    for u in units:
        seen = (u, g.map, *key(g, u))
        piece = kept.get(seen)
        if piece is None:
            piece = kept[seen] = make(g, u)
        found.append(piece)
    return found
