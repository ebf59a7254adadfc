"""The title: what Strike of the Heron gives to the rest of the system."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kessel.core.breakdown import Item
from kessel.core.dice import Dice
from kessel.core.pack import Pack
from kessel.core.procedure import Action
from kessel.core.title import PHASE, Chapter, Option
from kessel.core.title import Scenario as ListedScenario
from kessel.games.don42.answers.coming import coming
from kessel.games.don42.answers.evaluate import evaluate
from kessel.games.don42.answers.faults import faults
from kessel.games.don42.answers.luck import LUCK
from kessel.games.don42.answers.overlays import overlays
from kessel.games.don42.answers.position import PositionDoc, from_position
from kessel.games.don42.answers.questions import QUESTIONS
from kessel.games.don42.answers.view import PHRASES, side_view
from kessel.games.don42.board import Board
from kessel.games.don42.combat.air import EFFECTS, effects
from kessel.games.don42.combat.combat import Combat
from kessel.games.don42.combat.odds import Odds, work_out
from kessel.games.don42.combat.results import MEANINGS
from kessel.games.don42.data.charts import POINT, WEATHERS, Charts, charts_of, turn_number
from kessel.games.don42.data.forces import SIDES, Forces, read_counters
from kessel.games.don42.data.scenario import Scenario, read_scenario
from kessel.games.don42.movement.movement import Move, reach_of
from kessel.games.don42.notation import NOTATION
from kessel.games.don42.sequence import Play
from kessel.games.don42.turn.victory import outcome, standing
from kessel.wargame.title import Gives, WargameTitle

LENGTHS = {
    "short-game": "about three hours",
    "crossing-the-don": "about six hours",
    "kotluban": "about six hours",
    "freestyle": "about six hours, ten with the option long",
}

TELLS = {"Turn": Chapter(PHASE, "A new turn"), "ActivationPhase": Chapter(PHASE, "Armies wake up")}
"""Chapters when the game is told, besides those a procedure's name gives."""


def _new(pack: Pack, scenario: str, options: Mapping[str, str], dice: Dice) -> Board:
    charts = charts_of(pack)
    s = read_scenario(pack, scenario, long=options.get("long") == "on")
    g = Board(pack.map, Forces(pack.once(read_counters), charts), charts, s, dict(options))
    g.set_track("turn", s.first_turn)
    g.set_track("weather", WEATHERS.index(s.weather_before))
    g.stack = [Play()]
    return g


def _preview(g: Board, action: Action) -> dict[str, Any]:
    """The way and cost of a move; the odds of an attack as it stands with this choice."""
    p = g.stack[-1] if g.stack else None
    if isinstance(p, Move) and action[0] == "to":
        found = reach_of(g, p.unit, p.left, p.first)
        path = [g.hex_name(h) for h in found.path(action[1])]
        return {"path": path, "cost": found.cost[action[1]] / POINT, "left": p.left / POINT}
    return _preview_attack(g, p, action) if isinstance(p, Combat) else {}


def _preview_attack(g: Board, p: Combat, action: Action) -> dict[str, Any]:
    attackers, guns, planes, defence = p.attackers, p.guns, p.planes, p.defence_guns
    if action[0] == "with":
        attackers = (*attackers, action[1])
    elif action[0] == "plane":
        planes = (*planes, action[1])
    elif action[0] == "gun" and p.step is not None and p.step.name == "artillery":
        guns = (*guns, action[1])
    elif action[0] == "gun":
        defence = (*defence, action[1])
    if not attackers:
        return {}
    odds = work_out(g, p.side, attackers, p.target, guns, planes, defence)
    return {**odds.as_json(), "meaning": _meanings(odds)}


def _meanings(odds: Odds) -> list[dict[str, Any]]:
    """What each result that may come up does, and on which dice."""
    found = []
    for code in dict.fromkeys(odds.results):
        words, rule = MEANINGS[code]
        dice = [str(die) for die, result in enumerate(odds.results, start=1) if result == code]
        found.append(Item(f"{code}: {words}", rule, f"die {', '.join(dice)}").as_json())
    return found


def _options(charts: Charts, s: Scenario) -> tuple[Option, ...]:
    """The optional rules with the scenario's defaults, then the readings."""
    offered = charts.readings.listed(s.options, without=() if s.number == 4 else ("long",))
    return tuple(replace(o, name=o.name.lower()) for o in offered)


CHARTS = ("crt", "bombardment", "german-rout", "zone-retreat")


class Don42(WargameTitle):
    id = "don42"
    order = 3
    name = "Strike of the Heron"
    about = "August 1942: the XIV Panzer Corps drives from the Don to the Volga; HQ activation, air supply."
    sides = SIDES
    phrases = PHRASES
    helps = frozenset({"gun", "plane"})
    notation = NOTATION
    position_type = PositionDoc
    tells = TELLS
    luck = LUCK
    questions = QUESTIONS
    gives = Gives(
        new=_new,
        outcome=lambda g: None if g.stack else outcome(g),
        view=lambda g, side: side_view(g),
        from_position=from_position,
        faults=faults,
        coming=coming,
        preview=_preview,
        overlays=overlays,
        evaluate=evaluate,
        standing=standing,
        turn_number=turn_number,
    )

    def cell(self, pack: Pack, chart: str, cell: str) -> str:
        if not chart.startswith(CHARTS):
            return ""
        return MEANINGS[cell][0] if cell in MEANINGS else effects(cell) if cell.rstrip("*") in EFFECTS else ""

    def scenarios(self, pack: Pack) -> list[ListedScenario]:
        charts = charts_of(pack)
        found = [read_scenario(pack, name) for name in pack.scenarios()]
        return [
            ListedScenario(
                s.id, s.title, s.turns, s.summary, LENGTHS.get(s.id, ""), s.id == "short-game", _options(charts, s)
            )
            for s in sorted(found, key=lambda s: s.number)
        ]


TITLE = Don42()
