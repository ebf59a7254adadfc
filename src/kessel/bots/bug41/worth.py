"""What a position of Across the Bug River is worth, by weights fitted on games of the arena (`worth.json`)."""

from __future__ import annotations

from pathlib import Path

from kessel.bots.bug41.parts import PARTS
from kessel.bots.search.worth import read_worth
from kessel.core.forces import Side
from kessel.games.bug41.board import Board
from kessel.games.bug41.data.forces import GERMAN

WORTH = read_worth(Path(__file__).with_name("worth.json"))


def worth(g: Board, side: Side) -> float:
    """The final margin in Victory Points that the position foretells for a side."""
    margin = WORTH.margin(PARTS.parts(g), PARTS.left(g))
    return margin if side == GERMAN else -margin
