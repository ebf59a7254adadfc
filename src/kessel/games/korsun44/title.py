"""The title: what The Jaws of Victory gives to the rest of the system."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from kessel.core.board import Board as CoreBoard
from kessel.core.dice import Dice
from kessel.core.pack import Pack
from kessel.core.procedure import Action
from kessel.core.title import BATTLE, PHASE, Chapter, Outcome
from kessel.core.view import SideView
from kessel.games.korsun44.answers.known import dealt_anew
from kessel.games.korsun44.answers.overlays import overlays
from kessel.games.korsun44.answers.position import PositionDoc, from_position
from kessel.games.korsun44.answers.questions import QUESTIONS
from kessel.games.korsun44.answers.view import side_view
from kessel.games.korsun44.board import SIDES, Board
from kessel.games.korsun44.data.charts import POINT
from kessel.games.korsun44.data.forces import GERMAN
from kessel.games.korsun44.movement.movement import Move
from kessel.games.korsun44.movement.search import ways_of
from kessel.games.korsun44.notation import NOTATION, PHRASES
from kessel.games.korsun44.sequence import Play
from kessel.games.korsun44.special.victory import outcome, score
from kessel.games.korsun44.turn.setup import new_board
from kessel.wargame.points import shown
from kessel.wargame.title import WargameTitle

TELLS = {
    "Turn": Chapter(PHASE, "A new turn"),
    "SupplyStage": Chapter(PHASE, "Supply"),
    "MarkerPhase": Chapter(PHASE, "Supply markers are placed"),
    "Interception": Chapter(BATTLE, "Armor fires at {place}"),
}
"""Chapters when the game is told, besides those a procedure's name gives."""


class Korsun44(WargameTitle):
    id = "korsun44"
    order = 4
    finished = False
    name = "The Jaws of Victory"
    about = "January and February 1944: the ring round Korsun; hidden strengths, mud, supply by marker and by air."
    sides = SIDES
    phrases = PHRASES
    notation = NOTATION
    position_type = PositionDoc
    marching = -2
    tells = TELLS
    questions = QUESTIONS

    def new(self, pack: Pack, scenario: str, options: Mapping[str, str], dice: Dice) -> CoreBoard:
        g = new_board(pack, scenario, options, dice)
        g.stack = [Play()]
        return g

    def outcome(self, g: CoreBoard) -> Outcome | None:
        return None if g.stack else outcome(cast(Board, g))

    def view(self, g: CoreBoard, side: int | None) -> SideView:
        return side_view(cast(Board, g), side)

    def from_position(self, doc: Any, pack: Pack) -> CoreBoard:
        return from_position(doc, pack)

    def standing(self, g: CoreBoard, side: int) -> float:
        points = float(score(cast(Board, g)).total)
        return points if side == GERMAN else -points

    def known_to(self, g: CoreBoard, side: int) -> CoreBoard:
        return dealt_anew(cast(Board, g), side)

    def preview(self, g: CoreBoard, action: Action) -> dict[str, Any]:
        """The way and cost of a move."""
        board = cast(Board, g)
        p = board.stack[-1] if board.stack else None
        if isinstance(p, Move) and action[0] == "to":
            party = p.party(board)
            way = ways_of(board, party)
            left = party.left - max(party.spent)
            return {
                "path": [board.hex_name(h) for h in way.path(action[1])],
                "cost": shown(way.cost[action[1]], POINT),
                "left": shown(max(left, 0), POINT),
            }
        return {}

    def overlays(self, g: CoreBoard, side: int | None) -> dict[str, Any]:
        return overlays(cast(Board, g))


TITLE = Korsun44()
