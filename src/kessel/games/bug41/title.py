"""The title: what Across the Bug River gives to the rest of the system."""

from __future__ import annotations

from typing import cast

from kessel.core.board import Board as CoreBoard
from kessel.core.pack import Pack
from kessel.core.procedure import Action
from kessel.core.title import PHASE, Chapter, Way
from kessel.games.bug41.answers.coming import coming
from kessel.games.bug41.answers.evaluate import evaluate
from kessel.games.bug41.answers.faults import faults
from kessel.games.bug41.answers.luck import LUCK
from kessel.games.bug41.answers.overlays import overlays
from kessel.games.bug41.answers.position import PositionDoc, from_position
from kessel.games.bug41.answers.preview import preview
from kessel.games.bug41.answers.questions import QUESTIONS
from kessel.games.bug41.answers.view import side_view
from kessel.games.bug41.answers.ways import KINDS, ways
from kessel.games.bug41.board import Board
from kessel.games.bug41.data.charts import Charts
from kessel.games.bug41.data.forces import SIDES
from kessel.games.bug41.data.scenario import faults_of, read_scenario
from kessel.games.bug41.data.terrain import Ground
from kessel.games.bug41.notation import ASIDE, NOTATION, PHRASES
from kessel.games.bug41.setup import all_forces, board_of
from kessel.games.bug41.turn.victory import result, standing
from kessel.wargame.title import Gives, WargameTitle

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
    opens = frozenset(KINDS)
    position_type = PositionDoc
    tells = TELLS
    luck = LUCK
    questions = QUESTIONS
    gives = Gives(
        new=lambda pack, scenario, options, dice: board_of(pack, scenario, options),
        outcome=lambda g: None if g.stack else result(g),
        view=lambda g, side: side_view(g),
        from_position=from_position,
        faults=faults,
        coming=coming,
        preview=preview,
        overlays=overlays,
        evaluate=evaluate,
        standing=standing,
    )

    def cell(self, pack: Pack, chart: str, cell: str) -> str:
        """PA-CRT Hits on both sides."""
        if chart not in ("crt", "crt-as-read") or "/" not in cell:
            return ""
        hits = zip(("the attacker", "the defender"), map(int, cell.split("/")), strict=True)
        told = [f"{n} {'hit' if n == 1 else 'hits'} on {who}" for who, n in hits if n]
        return " and ".join(told) or "no effect"

    def ways(self, g: CoreBoard, action: Action) -> list[Way]:
        return ways(cast(Board, g), action)

    def check_pack(self, pack: Pack) -> list[str]:
        charts, forces = pack.once(Charts), pack.once(all_forces)
        ground = Ground(pack.map, charts)
        found = [read_scenario(pack, name) for name in pack.scenarios()]
        own = [f for s in found for f in faults_of(s, pack, charts, forces, ground)]
        return super().check_pack(pack) + own


TITLE = Bug41()
