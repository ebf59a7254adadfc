"""Names in positions and questions that only this game has: cards and tactics."""

from __future__ import annotations

from collections.abc import Sequence

from kessel.core.errors import BadInput
from kessel.core.forces import Side
from kessel.games.kharkov43.board import Board
from kessel.games.kharkov43.data.cards import Card
from kessel.games.kharkov43.data.forces import GERMAN
from kessel.wargame.reading import at_path, one_of


def named_card(g: Board, name: str, side: Side, where: str = "$.card") -> Card:
    """The card of that id, which must be one of the side's."""
    card = at_path(where, g.charts.card, name)
    if card.is_german != (side == GERMAN):
        raise BadInput(f"{name} is a {'German' if card.is_german else 'Soviet'} card", where)
    return card


def check_tactics(g: Board, names: Sequence[str], where: str) -> None:
    for i, name in enumerate(names):
        one_of(g.charts.tactics, name, "tactic", f"{where}[{i}]")
