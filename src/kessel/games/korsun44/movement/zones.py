"""10.0 Zones of Control and Zones of Influence."""

from __future__ import annotations

from kessel.core.facts import FOREVER, fact, nearby
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Hex
from kessel.core.hexset import bits, both_ways, mask, spread_along, spread_through
from kessel.games.korsun44.board import NEAREST, ZONED, Board
from kessel.games.korsun44.data.forces import ALARM, BARRAGE
from kessel.games.korsun44.units.strength import zone_steps

NO_ZONE = (ALARM, BARRAGE)


def has_zone(g: Board, u: Unit) -> bool:
    """10.1.3 Alarm units and markers, the barrage unit among them (17.1), have none."""
    return g.forces.role[u] not in NO_ZONE


@fact(ZONED)
def zoc_sources(g: Board, side: Side) -> Bits:
    """10.1.1 Hexes with three or more attack-capable infantry type steps."""
    return bits(_strong(g, side))


@nearby(NEAREST, 1, hexes=True)
def _strong(g: Board, side: Side, h: Hex) -> bool:
    return has_zoc(g, side, h)


def has_zoc(g: Board, side: Side, h: Hex) -> bool:
    """10.1.1 Whether the units of a side in a hex project a ZOC."""
    able = g.forces.zone_steps
    return sum([zone_steps(g, u) for u in g.of_side(h, side) if able[u]]) >= g.charts.constants.zoc_steps


@fact(ZONED)
def zone_sources(g: Board, side: Side) -> Bits:
    """10.1 Hexes with any unit that has a zone."""
    others = {g.place[u] for role in NO_ZONE for u in g.forces.of_role[side][role] if g.on_map(u)}
    bare = (h for h in others if not any(has_zone(g, u) for u in g.of_side(h, side)))
    return g.hexes_of(side) & ~bits(bare)


@fact(FOREVER)
def _blocked(g: Board) -> tuple[Bits, ...]:
    """10.6.2, 10.6.3 Hexsides zones do not cross: rivers and lakes."""
    return tuple(r | k for r, k in zip(both_ways(g.map.grid, g.ground.river), g.ground.lake, strict=True))


def _open(g: Board) -> Bits:
    """10.6.1 Zones do not go into towns and forests."""
    return g.ground.playable & ~g.ground.town & ~g.ground.forest


@fact(ZONED)
def zoc_of(g: Board, side: Side) -> Bits:
    """10.1.1, 10.6 The hexes in a side's ZOC."""
    return spread_through(g.map.grid, zoc_sources(g, side), _blocked(g)) & _open(g)


@fact(ZONED)
def zone_of(g: Board, side: Side) -> Bits:
    """10.1, 10.6 The hexes in a side's ZOC or ZOI."""
    return zone_around(g, zone_sources(g, side))


def zone_around(g: Board, sources: Bits) -> Bits:
    """10.1, 10.6 The hexes that units with a zone in these hexes would have in it."""
    return spread_through(g.map.grid, sources, _blocked(g)) & _open(g)


@fact(ZONED)
def zone_classes(g: Board, side: Side) -> bytes:
    """By hex: 2 in a side's ZOC, 1 in its ZOI alone, 0 else."""
    both = (int.from_bytes(mask(g.map.grid, s), "little") for s in (zoc_of(g, side), zone_of(g, side)))
    return sum(both).to_bytes(g.map.grid.size, "little")


@fact(ZONED)
def zoi_of(g: Board, side: Side) -> Bits:
    """10.1.2, 10.5.1 The hexes in a side's ZOI alone: a ZOC has precedence."""
    return zone_of(g, side) & ~zoc_of(g, side)


@fact(ZONED)
def river_zoc_of(g: Board, side: Side) -> Bits:
    """10.6.2 Hexes with a unit of that side across a river: a ZOC for whoever moves over the river out of them."""
    return spread_along(g.map.grid, zone_sources(g, side), g.ground.river) & _open(g)


def zone_word(g: Board, side: Side, h: Hex) -> str:
    """ZOC, ZOI or nothing: what a side has in a hex."""
    return "ZOC" if zoc_of(g, side) >> h & 1 else "ZOI" if zone_of(g, side) >> h & 1 else ""
