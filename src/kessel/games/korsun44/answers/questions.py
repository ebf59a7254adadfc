"""Questions a position answers (docs/positions-korsun44.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kessel.core.breakdown import Breakdown, Refusal
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.paths import Reach
from kessel.core.title import Answerer
from kessel.games.korsun44.answers.after import AskAdvance, AskRetreat, advance, retreat
from kessel.games.korsun44.answers.attack import AskCombat, attack
from kessel.games.korsun44.answers.moving import AskMoves, moves, zones
from kessel.games.korsun44.answers.supplying import AskSupply, supply
from kessel.games.korsun44.answers.works import AskBridges, AskReplacements, bridges, replaced
from kessel.games.korsun44.board import SIDES, Board
from kessel.games.korsun44.data.charts import POINT
from kessel.games.korsun44.movement.allowance import allowance
from kessel.games.korsun44.movement.movement import reach_of, why_not_move
from kessel.games.korsun44.movement.stacking import why_not_stack
from kessel.games.korsun44.movement.zones import zoc_of
from kessel.games.korsun44.notation import NOTATION
from kessel.games.korsun44.special.victory import outcome, score
from kessel.wargame.questions import Answers, AskZoc


def _allowance(g: Board, u: Unit) -> Breakdown:
    return allowance(g, u)


def _reach(g: Board, u: Unit) -> Reach:
    return reach_of(g, u)


def _why_not_end(g: Board, u: Unit, h: Hex) -> Refusal | None:
    raise AssertionError("moves has an answer of its own")


def _zone(g: Board, side: Side) -> Bits:
    return zoc_of(g, side)


def _supply(g: Board, u: Unit) -> dict[str, Any]:
    return supply(g, AskSupply(question="supply", unit=g.id(u)))


def _stack(g: Board, side: Side, h: Hex, units: Sequence[Unit]) -> Refusal | None:
    return why_not_stack(g, side, h, units)


def _victory(g: Board) -> dict[str, Any]:
    out = outcome(g)
    winner = None if out.winner is None else SIDES[out.winner]
    return {"score": score(g).as_json(), "level": out.level, "winner": winner, "rule": out.rule}


QUESTIONS = {
    **Answers(
        SIDES, NOTATION, POINT, why_not_move, _allowance, _reach, _why_not_end, _zone, "10.1", _supply, _stack, _victory
    ).questions(),
    "moves": Answerer(AskMoves, moves, "where units can move, at what cost, and who may intercept them"),
    "zoc": Answerer(AskZoc, zones, "Zones of Control and Zones of Influence"),
    "supply": Answerer(AskSupply, supply, "states, paths and points of units and SDMs"),
    "attack": Answerer(AskCombat, attack, "support, strengths, shifts, odds and chances of an attack"),
    "retreat": Answerer(AskRetreat, retreat, "the ways units may retreat, and what each does to them"),
    "advance": Answerer(AskAdvance, advance, "where units may advance after combat"),
    "replacements": Answerer(AskReplacements, replaced, "what replacements can be given, or why not"),
    "bridges": Answerer(AskBridges, bridges, "the state of bridges, and who may destroy, repair or build them"),
}
