"""What Stalingrad '42 gives to the rest of the system."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from kessel.core.board import Board as CoreBoard
from kessel.core.errors import BadInput
from kessel.core.pack import Pack
from kessel.core.title import BATTLE, PHASE, Chapter, Scenario
from kessel.games.stalingrad42.answers.coming import coming
from kessel.games.stalingrad42.answers.evaluate import evaluate
from kessel.games.stalingrad42.answers.luck import LUCK
from kessel.games.stalingrad42.answers.overlays import overlays
from kessel.games.stalingrad42.answers.position import PositionDoc, from_position
from kessel.games.stalingrad42.answers.preview import preview
from kessel.games.stalingrad42.answers.questions import QUESTIONS
from kessel.games.stalingrad42.answers.questions_combat import COMBAT_QUESTIONS
from kessel.games.stalingrad42.answers.questions_defense import DEFENSE_QUESTIONS
from kessel.games.stalingrad42.answers.view import PHRASES, side_view
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.combat.crt import cell_said
from kessel.games.stalingrad42.data.charts import charts
from kessel.games.stalingrad42.data.forces import AXIS, SIDES
from kessel.games.stalingrad42.movement.maskirovka import hide_markers
from kessel.games.stalingrad42.notation import NOTATION
from kessel.games.stalingrad42.turn.setup import new_board
from kessel.games.stalingrad42.turn.victory import outcome, standing
from kessel.wargame.title import Gives, WargameTitle

FIRST = "fall-blau"
"""The scenario to begin with."""

LENGTHS = {
    "fall-blau": "about five hours",
    "caucasus": "about ten hours",
    "uranus": "about seven hours",
    "campaign": "several weekends",
}

ALL_QUESTIONS = {**QUESTIONS, **COMBAT_QUESTIONS, **DEFENSE_QUESTIONS}

SHEETS = ("A", "B", "C1", "C2")
CONTESTED = "contested_cities"

TELLS = {
    "GameTurn": Chapter(PHASE, "A new turn"),
    "InitialPhase": Chapter(PHASE, "Reinforcements and replacements"),
    "AutomaticDS": Chapter(BATTLE, "{place} is overwhelmed"),
    "Disengage": Chapter(PHASE, "Disengagement"),
    "InterchangeTurn": Chapter(PHASE, "Interchange Turn"),
}
"""Chapters when the game is told, besides those a procedure's name gives."""


class Stalingrad42(WargameTitle):
    id = "stalingrad42"
    order = 1
    name = "Stalingrad '42"
    about = (
        "Southern Russia, June to December 1942: ZOC bonds, odds, determined defence, breakthrough, rail and weather."
    )
    sides = SIDES
    phrases = PHRASES
    aside = frozenset({"step"})
    helps = frozenset({"air", "artillery"})
    notation = NOTATION
    secret = frozenset({"assign", "join", "swap", "pretend", "into"})  # which Holding Box is whose (34.1.2)
    disguised: ClassVar[Mapping[str, str]] = {"pretend": "swap"}
    position_type = PositionDoc
    tells = TELLS
    luck = LUCK
    questions = ALL_QUESTIONS
    gives = Gives(
        new=new_board,
        outcome=outcome,
        view=side_view,
        from_position=from_position,
        coming=coming,
        preview=preview,
        overlays=overlays,
        evaluate=evaluate,
        standing=standing,
    )

    def listed(self, pack: Pack, doc: dict[str, Any], *, first: bool) -> Scenario:
        forced = {k for k, v in doc.get("options", {}).items() if v == "on"}
        return replace(
            super().listed(pack, doc, first=doc["id"] == FIRST),
            length=LENGTHS.get(doc["id"], ""),
            options=charts(pack).readings.listed(without=forced),
            part=" ".join(f"sheet_{m.lower()}" for m in doc["maps"]) if len(doc["maps"]) < len(SHEETS) else "",
        )

    def cell(self, pack: Pack, chart: str, cell: str) -> str:
        return cell_said(pack, chart, cell)

    def check_options(self, scenario: Scenario, options: Mapping[str, str]) -> dict[str, str]:
        """Rule 29 is not for choice in a scenario that demands it (S3.1); to ask for it there is no error."""
        if CONTESTED in {o.id for o in scenario.options}:
            return super().check_options(scenario, options)
        chosen = dict(options)
        if chosen.pop(CONTESTED, "on") != "on":
            raise BadInput(f"option {CONTESTED} is always on in {scenario.id} (29.0)")
        return super().check_options(scenario, chosen)

    def known_to(self, g: CoreBoard, side: int) -> CoreBoard:
        """34.1.2 The Axis player does not know which Holding Box is which Reserve Army's: any assignment will do."""
        h = super().known_to(g, side)
        assert isinstance(h, Board)
        if side == AXIS:
            hide_markers(h)
        return h


TITLE = Stalingrad42()
