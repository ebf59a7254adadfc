"""16.5 Every man for himself: the Breakout Phase."""

from __future__ import annotations

from kessel.core.procedure import Procedure
from kessel.games.korsun44.board import Board


def breakout_phase(g: Board) -> Procedure | None:
    return None
