"""17.1 The Soviet artillery barrage."""

from __future__ import annotations

from kessel.core.procedure import Procedure
from kessel.games.korsun44.board import Board


def redeployment_segment(g: Board) -> Procedure | None:
    """17.1.5 Barrage units come off the map and off the track. Not there yet: returns None."""
    return None


def creation_segment(g: Board) -> Procedure | None:
    """17.1.1 Barrage units are formed. Not there yet: returns None."""
    return None


def barrage_segment(g: Board) -> Procedure | None:
    """17.1.3 Barrage Effects markers are placed. Not there yet: returns None."""
    return None
