"""What a choice would do, before it is made: the way and cost of a move, how a combat stands."""

from __future__ import annotations

from typing import Any

from kessel.core.dice import NeedRoll, Scripted
from kessel.core.procedure import Action, push
from kessel.games.korsun44.answers.attack import described
from kessel.games.korsun44.answers.view import sees
from kessel.games.korsun44.board import Board
from kessel.games.korsun44.combat.battle import Battle, defenders_in
from kessel.games.korsun44.combat.declarations import Declarations
from kessel.games.korsun44.data.charts import POINT
from kessel.games.korsun44.movement.movement import Move
from kessel.games.korsun44.movement.search import charged, ways_of
from kessel.wargame.points import shown

FEWEST = 2
"""4.4.4 A unit whose chit is hidden has so many steps at least: on its last one it has no chit."""


def preview(g: Board, action: Action) -> dict[str, Any]:
    p = g.stack[-1] if g.stack else None
    if isinstance(p, Move) and action[0] == "to":
        return _way(g, p, action)
    return _combat(g, p, action) if isinstance(p, Declarations) else {}


def _way(g: Board, p: Move, action: Action) -> dict[str, Any]:
    party = p.party(g)
    way = ways_of(g, party)
    return {
        "path": [g.hex_name(h) for h in way.path(action[1])],
        "cost": shown(charged(party, way.cost[action[1]]), POINT),
        "left": shown(max(party.left - max(party.spent), 0), POINT),
    }


def _combat(g: Board, p: Declarations, action: Action) -> dict[str, Any]:
    """12.1.3 The combat as it stands with this choice. Hidden defenders are counted at their weakest and at their
    strongest, so that nothing is told that the attacker may not know."""
    h = g.copy()
    h.dice = Scripted(())
    try:
        push(h, action)
        after = h.stack[-1] if h.stack else None
    except NeedRoll:
        h, after = g, p
    if not isinstance(after, Declarations) or after.targets[0] != p.targets[0]:
        h, after = g, p
    b = _battle(h, after)
    if not b.attackers or not b.defenders:
        return {}
    hidden = [u for u in b.defenders if not sees(h, b.side, u) and h.forces.counters[u].chit]
    if not hidden:
        return _told(h, b)
    weak, strong = (_told(_with_steps(h, hidden, most=most), b) for most in (False, True))
    same = weak["column"] == strong["column"]
    return {
        "column": weak["column"] if same else f"{strong['column']} to {weak['column']}",
        "hidden": [g.id(u) for u in hidden],
        "attack": weak["attack"],
        "at_their_weakest": {k: weak[k] for k in ("defence", "column", "shifts", "chances")},
        "at_their_strongest": {k: strong[k] for k in ("defence", "column", "shifts", "chances")},
    }


def _battle(g: Board, p: Declarations) -> Battle:
    b = p.battle()
    if b.defenders:
        return b
    return b._replace(defenders=tuple(sorted(u for h in b.targets for u in defenders_in(g, h, b.enemy))))


def _with_steps(g: Board, hidden: list[int], *, most: bool) -> Board:
    h = g.copy()
    for u in hidden:
        h.set_steps(u, h.forces.full_steps[u] if most else min(FEWEST, h.forces.full_steps[u]))
    return h


def _told(g: Board, b: Battle) -> dict[str, Any]:
    """Strengths, shifts and exact chances; the column is the likeliest where guns or aircraft are still to fire."""
    found = described(g, b, worded=True)
    columns = {doc["result"]: doc["probability"] for doc in found["columns"]}
    wanted = ("attack", "defence", "odds", "shifts", "armor", "artillery", "chances", "expected")
    return {"column": max(columns, key=columns.__getitem__), **{k: found[k] for k in wanted}}
