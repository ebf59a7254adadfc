"""The title: what The Jaws of Victory gives to the rest of the system."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from kessel.core.board import Board as CoreBoard
from kessel.core.dice import Dice
from kessel.core.pack import Pack
from kessel.core.procedure import PASS, Action
from kessel.core.title import BATTLE, PHASE, Chapter, Way
from kessel.games.korsun44.answers.coming import coming
from kessel.games.korsun44.answers.known import dealt_anew
from kessel.games.korsun44.answers.luck import LUCK
from kessel.games.korsun44.answers.milestones import milestones
from kessel.games.korsun44.answers.overlays import overlays
from kessel.games.korsun44.answers.position import PositionDoc, from_position
from kessel.games.korsun44.answers.preview import preview
from kessel.games.korsun44.answers.questions import QUESTIONS
from kessel.games.korsun44.answers.view import side_view
from kessel.games.korsun44.board import SIDES, Board
from kessel.games.korsun44.combat.battle import declared
from kessel.games.korsun44.combat.phase import Declaration
from kessel.games.korsun44.data.charts import cell_said
from kessel.games.korsun44.notation import NOTATION, PHRASES
from kessel.games.korsun44.sequence import Play
from kessel.games.korsun44.special.victory import outcome, standing
from kessel.games.korsun44.turn.setup import new_board
from kessel.wargame.plans import ways_to_the_only_fight
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


class Korsun44(WargameTitle):
    id = "korsun44"
    order = 4
    name = "The Jaws of Victory"
    about = "January and February 1944: the ring round Korsun; hidden strengths, mud, supply by marker and by air."
    sides = SIDES
    phrases = PHRASES
    opens = frozenset({"combat", "break", "attack_alarm"})
    joins = frozenset({"from", "with"})
    helps = frozenset({"support", "air_support", "fire", "assault"})
    notation = NOTATION
    position_type = PositionDoc
    marching = -2
    tells = TELLS
    luck = LUCK
    questions = QUESTIONS
    gives = Gives(
        new=_new,
        outcome=lambda g: None if g.stack else outcome(g),
        view=side_view,
        from_position=from_position,
        coming=coming,
        milestones=milestones,
        preview=preview,
        overlays=lambda g, side: overlays(g),
        standing=standing,
    )

    def cell(self, pack: Pack, chart: str, cell: str) -> str:
        return cell_said(chart, cell)

    def ways(self, g: CoreBoard, action: Action) -> list[Way]:
        """12.1.1 All attacks are declared before the first is fought; a single one is carried on from there."""
        if action == PASS and g.stack and isinstance(g.stack[-1], Declaration):
            return ways_to_the_only_fight(self, g) if len(declared(cast(Board, g))) == 1 else []
        return super().ways(g, action)

    def known_to(self, g: CoreBoard, side: int) -> CoreBoard:
        return dealt_anew(cast(Board, g), side)


TITLE = Korsun44()
