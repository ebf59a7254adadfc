"""17.1, 17.4 Railroads: which are in use, which are repaired, which connect with a Supply Source."""

from __future__ import annotations

from kessel.core.board import NOWHERE
from kessel.core.forces import Side
from kessel.core.hexes import NO_HEX, Bits, Hex
from kessel.core.hexset import Sides, bits, flood_links
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.columns import COMBAT
from kessel.games.stalingrad42.forces import AXIS, SOVIET
from kessel.games.stalingrad42.supply import negators, source_edges, source_ports
from kessel.games.stalingrad42.zones import enemy_zoc


def rails(g: Board) -> Sides:
    """The railroads in use on this turn: not the Caspian line (5.6.6), unfinished ones when completed (17.5), in Winter
    none over Alpine hexsides (23.4)."""
    if not g.winter:
        return g.ground.rail(g.turn)
    key = ("winter rails", g.turn)
    found: Sides | None = g.map.cache.get(key)
    if found is None:
        alpine = g.ground.seasons[0].alpine
        found = g.map.cache[key] = tuple(r & ~a for r, a in zip(g.ground.rail(g.turn), alpine, strict=True))
    return found


def rail_hexes(g: Board) -> Bits:
    """The hexes railroads run through; the Vladimirovka Ferry joins its two hexes like one (5.5.7)."""
    key = ("rail hexes", g.turn)
    found: Bits | None = g.map.cache.get(key)
    if found is None:
        found = bits(h for h in ferry_ends(g) if h != NO_HEX)
        for six in rails(g):
            found |= six
        g.map.cache[key] = found
    return found


def repaired_hexes(g: Board) -> Bits:
    """The rail hexes the Axis may use (17.1)."""
    return g.repaired_hexes & rail_hexes(g)


def railhead_hexes(g: Board) -> Bits:
    s = 0
    for h in g.railheads:
        if h != NOWHERE:
            s |= 1 << h
    return s


def connecting_rail(g: Board, side: Side) -> Bits:
    """17.4 Rail hexes joined to a Supply Source by an open line, repaired for the Axis; friends negate EZOCs."""
    found: Bits | None = g.cache.get(("connecting rail", side))
    if found is not None:
        return found
    shut = enemy_zoc(g, side) & ~negators(g, side) | g.sets[COMBAT + 1 - side]
    through = (repaired_hexes(g) if side == AXIS else rail_hexes(g)) & ~shut
    sources = (source_edges(g, side) | source_ports(g, side)) & through
    made_of = (sources, rails(g), through)
    known = g.memo.get(("connecting rail", side))
    if known is None or known[0] != made_of:
        line = flood_links(g.map.grid, *made_of)
        for end in _over_the_ferry(g, line) if side == SOVIET else ():
            line |= flood_links(g.map.grid, end & through, made_of[1], through)
        known = g.memo["connecting rail", side] = (made_of, line)
    found = g.cache["connecting rail", side] = known[1]
    return found


def ferry_ends(g: Board) -> tuple[Hex, Hex]:
    """5.5.7 The Vladimirovka Ferry: its two rail hexes, NO_HEX where the board has none."""
    found: tuple[Hex, Hex] | None = g.map.cache.get("ferry ends")
    if found is None:
        ferries = [link.path for link in g.map.special_links if link.kind == "ferry_rail"]
        found = g.map.cache["ferry ends"] = (ferries[0][0], ferries[0][-1]) if ferries else (NO_HEX, NO_HEX)
    return found


def _over_the_ferry(g: Board, line: Bits) -> list[Bits]:
    """5.5.7 The Ferry counts as a rail line between its two hexes: the end that a line has not reached."""
    one, two = ferry_ends(g)
    if one == NO_HEX or (line >> one & 1) == (line >> two & 1):
        return []
    return [1 << (two if line >> one & 1 else one)]
