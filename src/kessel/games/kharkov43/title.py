"""The title: what Kharkov '43 gives to the rest of the system."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kessel.core.board import Board as CoreBoard
from kessel.core.dice import Dice
from kessel.core.pack import Pack
from kessel.core.procedure import Action
from kessel.core.title import PHASE, SYSTEM, Chapter, Option, Scenario
from kessel.games.kharkov43.answers.cards import in_words, played
from kessel.games.kharkov43.answers.coming import coming
from kessel.games.kharkov43.answers.luck import LUCK
from kessel.games.kharkov43.answers.overlays import overlays
from kessel.games.kharkov43.answers.position import PositionDoc, from_position
from kessel.games.kharkov43.answers.questions import QUESTIONS
from kessel.games.kharkov43.answers.questions_combat import COMBAT_QUESTIONS
from kessel.games.kharkov43.answers.questions_german import GERMAN_QUESTIONS
from kessel.games.kharkov43.answers.questions_hits import HIT_QUESTIONS
from kessel.games.kharkov43.answers.questions_points import POINT_QUESTIONS
from kessel.games.kharkov43.answers.questions_system import SYSTEM_QUESTIONS
from kessel.games.kharkov43.answers.questions_terms import TERM_QUESTIONS
from kessel.games.kharkov43.answers.view import PHRASES, side_view, unseen_german_cards
from kessel.games.kharkov43.board import AVAILABLE, DRAW, Board
from kessel.games.kharkov43.combat.odds import preview
from kessel.games.kharkov43.data.forces import GERMAN, SIDES, SOVIET
from kessel.games.kharkov43.data.scenario import read_scenario
from kessel.games.kharkov43.movement.movement import REGULAR, STRATEGIC, explain_path
from kessel.games.kharkov43.notation import NOTATION
from kessel.games.kharkov43.sequence import Campaign
from kessel.games.kharkov43.system.cards.soviet_cards import SovietImpulse
from kessel.games.kharkov43.turn.setup import new_board
from kessel.games.kharkov43.turn.victory import outcome, standing
from kessel.wargame.readings import Readings
from kessel.wargame.title import Gives, WargameTitle

ALL_QUESTIONS = {
    **QUESTIONS,
    **COMBAT_QUESTIONS,
    **HIT_QUESTIONS,
    **SYSTEM_QUESTIONS,
    **TERM_QUESTIONS,
    **GERMAN_QUESTIONS,
    **POINT_QUESTIONS,
}
LENGTHS = {"initial-assault": "about 90 minutes", "star-and-gallop": "about five hours", "campaign": "about nine hours"}

TELLS = {
    "GameTurn": Chapter(PHASE, "A new game-turn"),
    "CommandPhase": Chapter(PHASE, "Command Phase"),
    "SovietImpulse": Chapter(SYSTEM, "Soviet impulse: {then}"),
    "GermanImpulse": Chapter(PHASE, "German impulse"),
}
"""Chapters when the game is told, besides those a procedure's name gives."""


def _new(pack: Pack, scenario: str, options: Mapping[str, str], dice: Dice) -> Board:
    g = new_board(pack, read_scenario(pack, scenario), dict(options))
    g.stack = [Campaign()]
    return g


def _preview(g: Board, action: Action) -> dict[str, Any]:
    if action[0] in ("move", "strategic"):
        return explain_path(g, action[1], action[2], REGULAR if action[0] == "move" else STRATEGIC)
    return played(g, action) if action[0] == "play" else in_words(g, preview(g, action))


class Kharkov43(WargameTitle):
    id = "kharkov43"
    order = 2
    name = "Enemy Action: Kharkov"
    about = "February 1943: you lead the Germans against a written Soviet system, with command cards and combat chits."
    sides = SIDES
    played = (GERMAN,)
    phrases = PHRASES
    notation = NOTATION
    position_type = PositionDoc
    tells = TELLS
    luck = LUCK
    questions = ALL_QUESTIONS
    gives = Gives(
        new=_new,
        outcome=outcome,
        view=side_view,
        from_position=from_position,
        coming=coming,
        preview=_preview,
        overlays=lambda g, side: overlays(g),
        standing=standing,
    )

    def scenarios(self, pack: Pack) -> list[Scenario]:
        found = [read_scenario(pack, name) for name in pack.scenarios()]
        readings = tuple(replace(o, name=o.name.lower()) for o in pack.once(Readings).listed())
        return [
            Scenario(
                s.id,
                s.title,
                s.last_turn,
                s.summary,
                LENGTHS.get(s.id, ""),
                s.id == "initial-assault",
                (Option("adjustment", "Set-up adjustment", "3.0", s.options["adjustment"], "roll"), *readings),
            )
            for s in sorted(found, key=lambda s: s.last_turn)
        ]

    def turn_of(self, g: CoreBoard) -> int:
        return SOVIET if any(isinstance(p, SovietImpulse) for p in g.stack) else GERMAN

    def known_to(self, g: Any, side: int) -> Any:
        """A copy to think on: the supplementals dealt unseen are dealt again."""
        h: Any = super().known_to(g, side)
        mixed, in_draw = unseen_german_cards(h)
        for i in mixed:
            h.cards[i] = AVAILABLE
        for _ in range(in_draw):
            rest = [i for i in mixed if h.cards[i] == AVAILABLE]
            h.cards[rest[h.dice.pick(len(rest))]] = DRAW
        h.dice.take()
        return h


TITLE = Kharkov43()
