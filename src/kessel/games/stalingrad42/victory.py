"""24.0 Victory Points and Automatic Victory."""

from __future__ import annotations

from kessel.games.stalingrad42.board import Board


def victory_phase(g: Board) -> None:
    """3.D"""


def end_of_axis_turn(g: Board) -> None:
    """S4.4"""
