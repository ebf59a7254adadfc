"""4.4.4, 4.8.1, 6.2 What a side cannot know is dealt anew before a program of that side thinks."""

from __future__ import annotations

from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits
from kessel.core.hexset import members
from kessel.games.korsun44.answers.view import sees
from kessel.games.korsun44.board import AIR_SPENT, ALERT, GERMAN, SOVIET, Board
from kessel.games.korsun44.data.forces import AIR, ALARM
from kessel.games.korsun44.movement.zones import zoc_sources
from kessel.wargame.cups import mix_unseen

TRIES = 20
"""How often steps are dealt for a stack until its ZOC is as everybody sees it (11.3)."""


def dealt_anew(g: Board, side: Side) -> Board:
    """A copy whose dice are forked and whose hidden chits are others the side could not tell from the true ones."""
    h = g.copy()
    h.dice = g.dice.fork(g.dice.count)
    enemy = 1 - side
    _air(h)
    if side == SOVIET:
        _alarms(h)
    _chits(h, side, enemy)
    h.changed()
    return h


def _air(g: Board) -> None:
    """6.2 Nobody has seen the counters that lie on combats; those turned over are known."""
    for s in (GERMAN, SOVIET):
        mix_unseen(g, g.air, [c for c in g.forces.of_role[s][AIR] if g.air[c] != AIR_SPENT])


def _alarms(g: Board) -> None:
    chits = g.forces.of_role[GERMAN][ALARM]
    unseen = [c for c in chits if not g.alarm[c] or g.status[g.alarm[c] - 1] & ALERT]
    mix_unseen(g, g.alarm, unseen)


def _chits(g: Board, side: Side, enemy: Side) -> None:
    """Steps of enemy units whose chit is hidden; whether a hex has a ZOC is open to all and stays as it is."""
    zoc = zoc_sources(g, enemy)
    for hex_ in members(g.hexes_of(enemy)):
        hidden = [u for u in g.of_side(hex_, enemy) if not sees(g, side, u) and g.forces.counters[u].chit]
        if hidden:
            _deal(g, enemy, hidden, zoc)


def _deal(g: Board, enemy: Side, hidden: list[Unit], zoc: Bits) -> None:
    for _ in range(TRIES):
        for u in hidden:
            g.set_steps(u, 2 + g.dice.pick(g.forces.full_steps[u] - 1))
        if zoc_sources(g, enemy) == zoc:
            return
    for u in hidden:  # never what they are: the most where the stack has a ZOC, the least where it has none
        g.set_steps(u, g.forces.full_steps[u] if zoc >> g.place[u] & 1 else 2)
