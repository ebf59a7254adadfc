"""The title: what The Jaws of Victory gives to the rest of the system."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from kessel.core.board import Board as CoreBoard
from kessel.core.dice import Dice
from kessel.core.pack import Pack
from kessel.core.procedure import Action
from kessel.core.title import BATTLE, PHASE, Chapter
from kessel.games.korsun44.answers.known import dealt_anew
from kessel.games.korsun44.answers.overlays import overlays
from kessel.games.korsun44.answers.position import PositionDoc, from_position
from kessel.games.korsun44.answers.questions import QUESTIONS
from kessel.games.korsun44.answers.view import side_view
from kessel.games.korsun44.board import SIDES, Board
from kessel.games.korsun44.data.charts import POINT
from kessel.games.korsun44.movement.movement import Move
from kessel.games.korsun44.movement.search import charged, ways_of
from kessel.games.korsun44.notation import NOTATION, PHRASES
from kessel.games.korsun44.sequence import Play
from kessel.games.korsun44.special.victory import outcome, standing
from kessel.games.korsun44.turn.setup import new_board
from kessel.wargame.points import shown
from kessel.wargame.title import Gives, WargameTitle

TELLS = {
    "Turn": Chapter(PHASE, "A new turn"),
    "SupplyStage": Chapter(PHASE, "Supply"),
    "MarkerPhase": Chapter(PHASE, "Supply markers are placed"),
    "Interception": Chapter(BATTLE, "Armor fires at {place}"),
}
"""Chapters when the game is told, besides those a procedure's name gives."""


def _new(pack: Pack, scenario: str, options: Mapping[str, str], dice: Dice) -> Board:
    g = new_board(pack, scenario, options, dice)
    g.stack = [Play()]
    return g


def _preview(g: Board, action: Action) -> dict[str, Any]:
    """The way and cost of a move."""
    p = g.stack[-1] if g.stack else None
    if not isinstance(p, Move) or action[0] != "to":
        return {}
    party = p.party(g)
    way = ways_of(g, party)
    return {
        "path": [g.hex_name(h) for h in way.path(action[1])],
        "cost": shown(charged(party, way.cost[action[1]]), POINT),
        "left": shown(max(party.left - max(party.spent), 0), POINT),
    }


class Korsun44(WargameTitle):
    id = "korsun44"
    order = 4
    name = "The Jaws of Victory"
    about = "January and February 1944: the ring round Korsun; hidden strengths, mud, supply by marker and by air."
    sides = SIDES
    phrases = PHRASES
    notation = NOTATION
    position_type = PositionDoc
    marching = -2
    tells = TELLS
    questions = QUESTIONS
    gives = Gives(
        new=_new,
        outcome=lambda g: None if g.stack else outcome(g),
        view=side_view,
        from_position=from_position,
        preview=_preview,
        overlays=lambda g, side: overlays(g),
        standing=standing,
    )

    def known_to(self, g: CoreBoard, side: int) -> CoreBoard:
        return dealt_anew(cast(Board, g), side)


TITLE = Korsun44()
