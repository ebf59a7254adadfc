"""9.27 Movement methods for unsupplied units that can't trace supply. Those that can use the methods of their front."""

from __future__ import annotations

from kessel.core.breakdown import Refusal
from kessel.core.hexes import Bits
from kessel.core.hexset import bits, members
from kessel.games.kharkov43.board import Board
from kessel.games.kharkov43.data.forces import GERMAN, SOVIET
from kessel.games.kharkov43.movement.zones import is_surrounded
from kessel.games.kharkov43.supply.supply import can_trace, field_without
from kessel.games.kharkov43.supply.support import supported
from kessel.games.kharkov43.system.methods.methods import UP, Check, Go, Method, Order
from kessel.games.kharkov43.system.terms.choosing import least, those
from kessel.games.kharkov43.system.terms.preferences import distance_to
from kessel.games.kharkov43.system.terms.terminology import beside_germans


def why_not_move_unsupplied(g: Board, u: int) -> Refusal | None:
    """9.27 A surrounded unit, and an isolated one beside a German unit, does not move."""
    if is_surrounded(g, g.place[u], SOVIET):
        return Refusal("9.27", "it is surrounded")
    if g.is_isolated(u) and beside_germans(g) >> g.place[u] & 1:
        return Refusal("9.27", "it is isolated and beside a German unit")
    return None


def to_supply(c: Check) -> tuple[Order, ...]:
    """9.27 To a hex in Soviet supply; if there is none, away from German units and as close to supply as possible.

    A unit that is not beside a German and finds no closer hex stays (O10).
    """
    g = c.g
    supply = field_without(g, c.unit).hexes
    away = g.ground.distances(c.start)
    prefer = (
        those("9.27a", "in Soviet support", lambda: supported(g)),
        least("9.27b", "the closest hex", lambda h: away[h]),
    )
    to_go = distance_to(g, _in_supply(g, supply))
    free = c.ends & ~beside_germans(g)
    if not beside_germans(g) >> c.start & 1 and g.reads("unsupplied_without_closer_hex") == "stays":
        for h in members(free):
            if to_go[h] >= to_go[c.start]:
                free &= ~(1 << h)
    closer = least("9.27", "as close as possible to Soviet supply", lambda h: to_go[h])
    return (
        Go(supply & c.ends, prefer, what="into supply"),
        Go(free, (closer,), what="away from German units, toward supply"),
    )


def _in_supply(g: Board, supply: Bits) -> Bits:
    """13.0 Hexes held by German units count as if a Soviet unit stood there instead."""
    held = g.hexes_of(GERMAN)
    return supply & ~held | bits(h for h in members(held) if can_trace(g, h, SOVIET))


METHODS_UNSUPPLIED = (Method("9.27", "unsupplied", UP, to_supply),)
