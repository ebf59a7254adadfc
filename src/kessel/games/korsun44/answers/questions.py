"""Questions a position answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kessel.core.breakdown import Breakdown, Refusal
from kessel.core.forces import NO_UNIT, Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.paths import Reach
from kessel.core.title import Answerer
from kessel.games.korsun44.answers.attack import AskCombat, attack
from kessel.games.korsun44.board import OOS1, OOS2, SIDES, Board
from kessel.games.korsun44.data.charts import POINT
from kessel.games.korsun44.movement.allowance import allowance
from kessel.games.korsun44.movement.costs import TACTICAL
from kessel.games.korsun44.movement.groups import group_of
from kessel.games.korsun44.movement.movement import reach_of, why_not_move, why_not_to
from kessel.games.korsun44.movement.search import Party
from kessel.games.korsun44.movement.stacking import why_not_stack
from kessel.games.korsun44.movement.zones import zoc_of
from kessel.games.korsun44.notation import NOTATION
from kessel.games.korsun44.special.victory import outcome, score
from kessel.games.korsun44.supply.determination import supply_of
from kessel.wargame.questions import Answers


def _allowance(g: Board, u: Unit) -> Breakdown:
    return allowance(g, u)


def _reach(g: Board, u: Unit) -> Reach:
    return reach_of(g, u)


def _why_not_end(g: Board, u: Unit, h: Hex) -> Refusal | None:
    units = group_of(g, u)
    left = min(allowance(g, v).total for v in units) * POINT
    return why_not_to(g, Party(g.forces.side[u], units, TACTICAL, left, (0,) * len(units), True), h)


def _zone(g: Board, side: Side) -> Bits:
    return zoc_of(g, side)


def _supply(g: Board, u: Unit) -> dict[str, Any]:
    state = "OOS2" if g.status[u] & OOS2 else "OOS1" if g.status[u] & OOS1 else "in supply"
    now = supply_of(g, u)
    by = {"supplied_by": g.name(g.supplier[u])} if g.supplier[u] != NO_UNIT else {}
    return {"supply": state, "rule": "13.4", "can_trace": bool(now), "line": now.words(g), **by}


def _stack(g: Board, side: Side, h: Hex, units: Sequence[Unit]) -> Refusal | None:
    return why_not_stack(g, side, h, units)


def _victory(g: Board) -> dict[str, Any]:
    out = outcome(g)
    return {"score": score(g).as_json(), "level": out.level, "rule": out.rule}


QUESTIONS = {
    **Answers(
        SIDES, NOTATION, POINT, why_not_move, _allowance, _reach, _why_not_end, _zone, "10.1", _supply, _stack, _victory
    ).questions(),
    "attack": Answerer(AskCombat, attack, "strengths, shifts, odds and chances of an attack"),
}
