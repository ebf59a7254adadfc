"""25.0 Reserves: a few units behind the front close, after the fights, what the fights have opened."""

from __future__ import annotations

from kessel.bots.stalingrad42.screens import FIRM, how_far, risk_now, risk_without
from kessel.bots.stalingrad42.situation import Situation
from kessel.core.forces import Unit
from kessel.core.hexes import Hex
from kessel.core.hexset import members, within
from kessel.core.procedure import Action
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import COMBAT, MOVED, RESERVE
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET
from kessel.games.stalingrad42.movement.moving import why_not_reserve

CLOSE = (2, 5)
"""Hexes from the enemy at which a Reserve stands well."""
WORTH_IT = 0.5
"""A Reserve comes out to stop so much, in Victory Points."""
STEP = 2
"""Hexes a Reserve goes (25.2.3)."""


def reserve_of(g: Board, s: Situation, movable: list[Unit]) -> Unit:
    """A unit with nothing to do that should be put in Reserve; -1: none."""
    f = g.forces
    taken = {g.place[u] for u in g.reserves(AXIS)}
    able = [
        u
        for u in movable
        if g.on_map(u) and f.combat[u] and not f.is_asu[u] and g.face(u).defense >= FIRM
        if not g.status[u] & MOVED and g.place[u] not in taken and g.place[u] not in s.vp
        if CLOSE[0] <= s.away[g.place[u]] <= CLOSE[1] and why_not_reserve(g, (u,), 0) is None
    ]
    return min(able, key=lambda u: (how_far(g)[g.place[u]], f.mech[u], -g.face(u).defense, u), default=-1)


def called(g: Board, acts: list[Action]) -> Hex:
    """The Reserve that should come out now; -1: none is needed."""
    now = risk_now(g, {})
    if now < WORTH_IT:
        return -1
    top, chosen = now - WORTH_IT, -1
    for h in [a[1] for a in acts if a[0] == "activate"]:
        units = [u for u in g.units(h) if g.status[u] & RESERVE]
        near = within(g.map.grid, 1 << h, STEP) & g.ground.playable & ~(1 << h)
        for to in members(near & ~g.sets[COMBAT + SOVIET]):
            risk = risk_without(g, units[:1], to, {})
            if risk < top:
                top, chosen = risk, h
    return chosen


def where_to(g: Board, u: Unit, acts: list[Action]) -> Action | None:
    """The way that leaves raiders least; None: it stays."""
    best = min(((risk_without(g, [u], a[1][-1], {}), a[1]) for a in acts if a[0] == "go"), default=None)
    return ("go", best[1]) if best is not None and best[0] < risk_now(g, {}) else None
