"""17.1.5, 17.2.2 Formations under orders to leave the map: 389 Division, 35 Guards.

Where its orders say so a unit leaves as soon as it can; until then each of its moves brings it nearer to where it may,
as far as its MPs go, and no Movement Phase of its side ends before it has moved. Units that cannot get there on the
turn named stay under orders.
"""

from __future__ import annotations

from kessel.core.board import NOWHERE
from kessel.core.facts import fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import bits, members, union
from kessel.core.paths import Reach
from kessel.games.don42.board import LEFT, POSITION, Board
from kessel.games.don42.data.charts import POINT
from kessel.games.don42.data.forces import GERMAN
from kessel.games.don42.data.lines import Lines
from kessel.games.don42.movement.stacking import why_not_fit

FAR = 90 * POINT
"""Half MPs beyond which no hex of the map is from where a unit may leave."""
RULES = {GERMAN: "17.1.5"}


def rule_of(side: Side) -> str:
    return RULES.get(side, "17.2.2")


def must_leave(g: Board, u: Unit) -> bool:
    """Whether a unit is under orders to leave the map now (17.1.5, 17.2.2)."""
    return u in g.schedule.leaving(g.turn)


def exit_cost(g: Board) -> int:
    """Leaving costs what a clear hex costs."""
    return g.charts.terrain["clear"].cost[g.weather]


def exit_ground(g: Board, edges: tuple[str, ...]) -> Bits:
    return union(g.ground.west_bank if e == "west_of_don" else g.ground.edges[e] for e in edges)


def exits_of(g: Board, u: Unit) -> Bits:
    """The hexes where a unit under orders may leave."""
    return union(exit_ground(g, e.edges) for e in g.schedule.leaving(g.turn).get(u, ()))


def can_leave(g: Board, u: Unit) -> bool:
    return bool(exits_of(g, u) >> g.place[u] & 1)


def leave_map(g: Board, u: Unit, rule: str) -> None:
    g.tell(f"{g.name(u)} leaves the map", rule, unit=g.id(u))
    g.move(u, NOWHERE)
    g.set_status(u, LEFT)


@fact(POSITION)
def _ways_out(g: Board, side: Side, exits: Bits) -> Lines:
    """How far every hex is from where a unit may leave, as the ground lies; only enemy units are in the way."""
    open_ = g.map.grid.all & ~g.hexes_of(1 - side)
    return g.crossings.lines("soviet", g.weather, exits & open_, FAR, open_)


def way_out(g: Board, u: Unit, found: Reach, left: int) -> Bits | None:
    """The hexes a unit under orders may end a move in; None where no way out is left, and it may go anywhere.

    The hexes where it may leave, if it reaches one; otherwise those with room for it that are nearer to one.
    """
    side, exits = g.forces.side[u], exits_of(g, u)
    if exits >> g.place[u] & 1:
        return 0
    there = found.hexes & exits
    if there and side != GERMAN:  # it must still pay for leaving; Germans are taken off at the end of the phase
        there = bits(h for h in members(there) if found.cost[h] + exit_cost(g) <= left)
    if there:
        return there
    lines = _ways_out(g, side, exits)
    far = lines.cost(g.place[u])
    if far is None:
        return None
    nearer = found.hexes & lines.within(far - 1)
    return bits(h for h in members(nearer) if why_not_fit(g, side, h, [u]) is None)


def in_time(g: Board, u: Unit) -> Bits | None:
    """The hexes from which a unit whose orders to leave are still to come is surely out in time; None if it has none.

    At half its MPs, which are left to it out of supply or with zones of control on the way.
    """
    found = None
    for e in g.scenario.exits:
        if e.turn > g.turn and e.side == g.forces.side[u] and u in g.forces.of(e.formation):
            lines = _ways_out(g, e.side, exit_ground(g, e.edges))
            far = lines.within(g.allowance(u) * (e.turn - g.turn) * POINT // 2)
            found = far if found is None else found | far
    return found


def nearest_exit(g: Board, u: Unit, among: Bits) -> Hex:
    """The hex of these that is nearest to where a unit under orders may leave."""
    lines = _ways_out(g, g.forces.side[u], exits_of(g, u))
    return min(members(among), key=lambda h: (lines.cost(h) or 0, h))


def notice(g: Board, side: Side) -> str:
    """What the side must be told while units of it are under orders to leave the map."""
    waiting: dict[str, list[str]] = {}
    for u, orders in g.schedule.leaving(g.turn).items():
        if g.forces.side[u] == side and g.on_map(u):
            waiting.setdefault(orders[0].formation, []).append(g.name(u))
    return " ".join(
        f"{g.formation(formation)} must leave the map ({rule_of(side)}): {', '.join(units)}."
        for formation, units in waiting.items()
    )


def take_off(g: Board) -> None:
    """17.1.5 At the end of a German Movement Phase: Germans under orders that stand where they may leave."""
    for u in g.schedule.leaving(g.turn):
        if g.forces.side[u] == GERMAN and g.on_map(u) and can_leave(g, u):
            leave_map(g, u, rule_of(GERMAN))
