"""4.4.4, 4.8.1, 6.2 What a side cannot know is dealt anew before a program of that side thinks."""

from __future__ import annotations

from itertools import product

from kessel.core.forces import NO_UNIT, Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import members
from kessel.games.korsun44.answers.view import sees
from kessel.games.korsun44.board import AIR_SPENT, ALERT, GERMAN, LEFT, SOVIET, Board
from kessel.games.korsun44.data.forces import AIR, ALARM
from kessel.games.korsun44.movement.zones import has_zoc, zoc_sources
from kessel.wargame.cups import mix_unseen


def dealt_anew(g: Board, side: Side) -> Board:
    """A copy whose dice are forked and whose hidden chits are others the side could not tell from the true ones.

    What is dealt depends on nothing that side does not know: two positions it cannot tell apart become the same.
    """
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
    """Steps of enemy units whose chit is hidden; whether a hex has a ZOC is open to all (11.3) and stays as it is."""
    zoc = zoc_sources(g, enemy)
    for hex_ in members(g.hexes_of(enemy)):
        hidden = [u for u in g.of_side(hex_, enemy) if not sees(g, side, u) and g.forces.counters[u].chit]
        if hidden:
            _deal(g, enemy, hidden, zoc)
    for u in g.forces.of_side(enemy):
        if g.box[u] == LEFT and not g.on_map(u) and g.forces.counters[u].chit and g.steps[u] > 1:
            g.steps[u] = 2 + g.dice.pick(g.forces.full_steps[u] - 1)


def _deal(g: Board, enemy: Side, hidden: list[Unit], zoc: Bits) -> None:
    """One of all ways to give the units steps with which their hexes have the ZOC that everybody sees."""
    hexes = _touched(g, hidden)
    ways = list(product(*(range(2, g.forces.full_steps[u] + 1) for u in hidden)))
    while ways:
        for u, steps in zip(hidden, ways.pop(g.dice.pick(len(ways))), strict=True):
            g.set_steps(u, steps)
        if all(has_zoc(g, enemy, h) == bool(zoc >> h & 1) for h in hexes):
            return
    raise AssertionError("the true steps are one of the ways")


def _touched(g: Board, hidden: list[Unit]) -> set[Hex]:
    """The hexes whose ZOC the steps of these units decide: extension markers share their division's (4.7.2)."""
    marks = [g.forces.extension[u] for u in hidden if g.forces.extension[u] != NO_UNIT]
    return {g.place[u] for u in (*hidden, *marks) if g.on_map(u)}
