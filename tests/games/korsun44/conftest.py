"""Boards that are slow to make, once for all tests of a module."""

from __future__ import annotations

import pytest

from kessel.core.dice import Dice
from kessel.games.korsun44.board import Board
from kessel.games.korsun44.turn.setup import new_board

from .helpers import PACK


@pytest.fixture(scope="module")
def _campaign() -> Board:
    return new_board(PACK, "campaign", {}, Dice(1)).by_ids()


@pytest.fixture
def campaign(_campaign: Board) -> Board:
    """The campaign at its start."""
    return _campaign.copy()
