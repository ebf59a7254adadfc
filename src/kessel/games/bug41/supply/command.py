"""PA-command, PA-OOC, PA-isolation: which units their HQ commands."""

from __future__ import annotations

from kessel.core.facts import fact
from kessel.core.forces import NO_UNIT, Unit
from kessel.core.hexes import Bits, Hex
from kessel.games.bug41.board import POSITION, Board, Formation
from kessel.games.bug41.supply.paths import is_dry, open_hexes, reach_of, rings_of, way_back

IN_COMMAND, OUT_OF_COMMAND, ISOLATED = range(3)
COMMAND_WORDS = ("in command", "out of command", "isolated")


@fact(POSITION)
def command_ways(g: Board, f: Formation) -> tuple[int, ...]:
    """PA-command.2, .3 The hexes by their distance from the HQ, its hex at 0; nothing without an HQ on the map."""
    hq = g.hq_of(f)
    if hq == NO_UNIT:
        return ()
    side, h = g.forces.side[hq], g.place[hq]
    return rings_of(g, h, side, False) if open_hexes(g, side) >> h & 1 else ()


def command_distance(g: Board, u: Unit) -> int:
    """The length of the shortest Command Path; -1 if there is none."""
    h = g.place[u]
    return next((n for n, ring in enumerate(command_ways(g, g.command[u])) if ring >> h & 1), -1)


def command_path(g: Board, u: Unit) -> tuple[Hex, ...]:
    """The hexes of a shortest Command Path from the HQ to the unit."""
    if command_distance(g, u) < 0:
        return ()
    return way_back(g, command_ways(g, g.command[u]), g.place[u])


@fact(POSITION)
def commanded_hexes(g: Board, f: Formation) -> Bits:
    """The hexes within the range of an HQ along Command Paths."""
    hq = g.hq_of(f)
    if hq == NO_UNIT:
        return 0
    through, h, most = open_hexes(g, g.forces.side[hq]), g.place[hq], g.forces.range[hq]
    if not through >> h & 1:
        return 0
    return reach_of(g, f, h, through, dry=is_dry(g, g.ground, h, most)).within(most)


def is_connected(g: Board, u: Unit) -> bool:
    """Whether a Command Path of any length leads to a unit."""
    f = g.command[u]
    hq = g.hq_of(f)
    if hq == NO_UNIT:
        return False
    through, h = open_hexes(g, g.forces.side[hq]), g.place[hq]
    return bool(through >> h & 1) and reach_of(g, f, h, through, dry=False).leads_to(g.place[u])


def command_of(g: Board, u: Unit) -> int:
    """PA-command.1 The state of a unit on the map, looked at before every Action; HQs command themselves."""
    if is_commanded(g, u):
        return IN_COMMAND
    return OUT_OF_COMMAND if is_connected(g, u) else ISOLATED


def is_commanded(g: Board, u: Unit) -> bool:
    return bool(g.forces.hq[u] or commanded_hexes(g, g.command[u]) >> g.place[u] & 1)


def is_isolated(g: Board, u: Unit) -> bool:
    return command_of(g, u) == ISOLATED
