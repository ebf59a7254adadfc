"""What Stalingrad '42 gives to the rest of the system."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kessel.core.action import Notation
from kessel.core.board import Board as CoreBoard
from kessel.core.dice import Dice
from kessel.core.errors import BadInput
from kessel.core.pack import Pack
from kessel.core.title import Outcome, Scenario, Title
from kessel.core.view import SideView
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.forces import SIDES
from kessel.games.stalingrad42.position import PositionDoc, read_board
from kessel.games.stalingrad42.questions import QUESTIONS
from kessel.games.stalingrad42.view import side_view

NOTATION = Notation(
    [
        "move {unit}",
        "with {unit}",
        "to {place} {word}",
        "step {place} {word}",
        "drop {unit}",
        "halt",
        "full_retreat",
        "flip",
        "rail {place}",
        "sail {place}",
        "strait",
        "transfer {place}",
        "flotilla {hexside}",
        "eliminate {unit}",
        "repair {place} {place}",
    ]
)


class Stalingrad42(Title):
    id = "stalingrad42"
    name = "Stalingrad '42"
    about = (
        "Southern Russia, June to December 1942: ZOC bonds, odds, determined defence, breakthrough, rail and weather."
    )
    sides = SIDES
    notation = NOTATION
    position_type = PositionDoc
    questions = QUESTIONS

    def scenarios(self, pack: Pack) -> list[Scenario]:
        return []

    def new(self, pack: Pack, scenario: str, options: Mapping[str, str], dice: Dice) -> CoreBoard:
        raise BadInput(f"{self.id} has no scenario {scenario!r}")

    def outcome(self, g: CoreBoard) -> Outcome | None:
        return None

    def view(self, g: CoreBoard, side: int | None) -> SideView:
        assert isinstance(g, Board)
        return side_view(g, side)

    def from_position(self, doc: Any, pack: Pack) -> CoreBoard:
        return read_board(doc, pack)


TITLE = Stalingrad42()
