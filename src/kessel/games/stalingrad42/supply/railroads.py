"""17.1, 17.4 Railroads: which are in use, which are repaired, which connect with a Supply Source."""

from __future__ import annotations

from kessel.core.board import NOWHERE
from kessel.core.facts import FOREVER, LAST, fact
from kessel.core.forces import Side
from kessel.core.hexes import NO_HEX, Bits, Hex
from kessel.core.hexset import Sides, bits, flood_links
from kessel.games.stalingrad42.board import RAILS, TURN, Board
from kessel.games.stalingrad42.columns import COMBAT
from kessel.games.stalingrad42.data.forces import AXIS, SOVIET
from kessel.games.stalingrad42.movement.ways.zones import enemy_zoc
from kessel.games.stalingrad42.supply.supply import negators, source_edges, source_ports


def rails(g: Board) -> Sides:
    """The railroads in use on this turn: not the Caspian line (5.6.6), unfinished ones when completed (17.5), in Winter
    none over Alpine hexsides (23.4)."""
    return _winter_rails(g, g.turn) if g.winter else g.ground.rail(g.turn)


@fact(FOREVER)
def _winter_rails(g: Board, turn: int) -> Sides:
    return tuple(r & ~a for r, a in zip(g.ground.rail(turn), g.ground.seasons[0].alpine, strict=True))


@fact(TURN)
def rail_hexes(g: Board) -> Bits:
    """The hexes railroads run through; the Vladimirovka Ferry joins its two hexes like one (5.5.7)."""
    found = bits(h for h in ferry_ends(g) if h != NO_HEX)
    for six in rails(g):
        found |= six
    return found


def repaired_hexes(g: Board) -> Bits:
    """The rail hexes the Axis may use (17.1)."""
    return g.repaired_hexes() & rail_hexes(g)


def railhead_hexes(g: Board) -> Bits:
    s = 0
    for h in g.railheads:
        if h != NOWHERE:
            s |= 1 << h
    return s


@fact(RAILS)
def connecting_rail(g: Board, side: Side) -> Bits:
    """17.4 Rail hexes joined to a Supply Source by an open line, repaired for the Axis; friends negate EZOCs."""
    shut = enemy_zoc(g, side) & ~negators(g, side) | g.sets[COMBAT + 1 - side]
    through = (repaired_hexes(g) if side == AXIS else rail_hexes(g)) & ~shut
    sources = (source_edges(g, side) | source_ports(g, side)) & through
    return _connected(g, side, sources, rails(g), through)


@fact(LAST)
def _connected(g: Board, side: Side, sources: Bits, roads: Sides, through: Bits) -> Bits:
    line = flood_links(g.map.grid, sources, roads, through)
    for end in _over_the_ferry(g, line) if side == SOVIET else ():
        line |= flood_links(g.map.grid, end & through, roads, through)
    return line


@fact(FOREVER)
def ferry_ends(g: Board) -> tuple[Hex, Hex]:
    """5.5.7 The Vladimirovka Ferry: its two rail hexes, NO_HEX where the board has none."""
    ferries = [link.path for link in g.map.special_links if link.kind == "ferry_rail"]
    return (ferries[0][0], ferries[0][-1]) if ferries else (NO_HEX, NO_HEX)


def _over_the_ferry(g: Board, line: Bits) -> list[Bits]:
    """5.5.7 The Ferry counts as a rail line between its two hexes: the end that a line has not reached."""
    one, two = ferry_ends(g)
    if one == NO_HEX or (line >> one & 1) == (line >> two & 1):
        return []
    return [1 << (two if line >> one & 1 else one)]
