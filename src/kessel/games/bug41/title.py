"""The title: what Across the Bug River gives to the rest of the system."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from kessel.core.board import Board as CoreBoard
from kessel.core.dice import Dice
from kessel.core.pack import Pack
from kessel.core.procedure import Action
from kessel.core.title import PHASE, Chapter, Outcome
from kessel.core.view import SideView
from kessel.games.bug41.answers.evaluate import evaluate
from kessel.games.bug41.answers.faults import faults
from kessel.games.bug41.answers.overlays import overlays
from kessel.games.bug41.answers.position import PositionDoc, from_position
from kessel.games.bug41.answers.preview import preview
from kessel.games.bug41.answers.questions import QUESTIONS
from kessel.games.bug41.answers.view import side_view
from kessel.games.bug41.board import Board
from kessel.games.bug41.data.charts import Charts
from kessel.games.bug41.data.forces import GERMAN, SIDES
from kessel.games.bug41.data.scenario import faults_of, read_scenario
from kessel.games.bug41.data.terrain import Ground
from kessel.games.bug41.notation import ASIDE, NOTATION, PHRASES
from kessel.games.bug41.setup import all_forces, board_of
from kessel.games.bug41.turn.victory import result, victory_points
from kessel.wargame.title import WargameTitle

TELLS = {
    "Operations": Chapter(PHASE, "Who goes next"),
    "SurpriseAttack": Chapter(PHASE, "The surprise attack"),
    "Activation": Chapter(PHASE, "{first}"),
    "Reaction": Chapter(PHASE, "A reaction"),
    "Reinforcement": Chapter(PHASE, "Reinforcements"),
    "Recovery": Chapter(PHASE, "Recovery"),
}
"""Chapters when the game is told, besides those a procedure's name gives."""


class Bug41(WargameTitle):
    id = "bug41"
    order = 5
    name = "Across the Bug River"
    about = "22-26 June 1941: the Germans cross the Bug; activation by formation, reactions, combat chits."
    sides = SIDES
    notation = NOTATION
    phrases = PHRASES
    aside = ASIDE
    position_type = PositionDoc
    tells = TELLS
    questions = QUESTIONS

    def new(self, pack: Pack, scenario: str, options: Mapping[str, str], dice: Dice) -> CoreBoard:
        return board_of(pack, scenario, options)

    def outcome(self, g: CoreBoard) -> Outcome | None:
        return None if g.stack else result(cast(Board, g))

    def view(self, g: CoreBoard, side: int | None) -> SideView:
        return side_view(cast(Board, g))

    def from_position(self, doc: Any, pack: Pack) -> CoreBoard:
        return from_position(doc, pack)

    def faults(self, g: CoreBoard) -> list[str]:
        return faults(cast(Board, g))

    def check_pack(self, pack: Pack) -> list[str]:
        charts, forces = pack.once(Charts), pack.once(all_forces)
        ground = Ground(pack.map, charts)
        found = [read_scenario(pack, name) for name in pack.scenarios()]
        return [f for s in found for f in faults_of(s, pack, charts, forces, ground)]

    def standing(self, g: CoreBoard, side: int) -> float:
        points = float(victory_points(cast(Board, g)).total)
        return points if side == GERMAN else -points

    def evaluate(self, g: CoreBoard, side: int) -> float:
        return evaluate(cast(Board, g), side)

    def preview(self, g: CoreBoard, action: Action) -> dict[str, Any]:
        return preview(cast(Board, g), action)

    def overlays(self, g: CoreBoard, side: int | None) -> dict[str, Any]:
        return overlays(cast(Board, g), side)


TITLE = Bug41()
