"""The hexsides around a hex as combat, retreat and advance see them: what bars them, what halves, what doubles.

All of it is made once per map, season and kind of unit from the price list of movement (5.1, 5.5), because no unit may
attack (8.1), retreat (12.2) or advance (14.5) where it may not move.
"""

from __future__ import annotations

from typing import NamedTuple

from kessel.core.facts import FOREVER, GAME, fact
from kessel.core.forces import Side, Unit
from kessel.core.hexes import Bits, Direction, Hex
from kessel.core.hexset import shift
from kessel.games.stalingrad42.board import Board
from kessel.games.stalingrad42.data.charts import Charts
from kessel.games.stalingrad42.data.forces import SOVIET
from kessel.games.stalingrad42.movement.ways.costs import footing, ways


class Passable(NamedTuple):
    """Where one kind of unit may step from hex to hex, as six hex sets by direction left."""

    land: tuple[Bits, ...]
    """Without getting its feet wet: everything but the two below."""
    river: tuple[Bits, ...]
    """Over unbridged, unfrozen Major Rivers (5.5.2)."""
    volga: tuple[Bits, ...]
    """Over the Volga at Ferries and the Saratov bridge (5.5.3)."""
    all: tuple[Bits, ...]
    """All three."""


class Wet(NamedTuple):
    """River hexsides in combat (9.5), as six hex sets."""

    halved: tuple[Bits, ...]
    """9.5.2 Attackers are halved: Major Rivers frozen or not, the Volga, frozen Lakes."""
    river: tuple[Bits, ...]
    """9.5.1 Count for doubling the defender: these and Minor Rivers."""


def passable(g: Board, u: Unit) -> Passable:
    """Where units like this one may step, in this season."""
    f = g.forces
    turn = g.tracks[0]
    kind = f.mech[u] + 2 * f.mountain[u] + 4 * f.side[u] + (8 if turn >= g.winter_turn else 0)
    kind += 16 * g.ground.rail_stage[turn]
    known = _memo_of_passable(g, g.charts)
    found = known.get(kind)
    if found is None:
        found = known[kind] = _make_passable(g, u)
    return found


@fact(FOREVER)
def _memo_of_passable(g: Board, charts: Charts) -> dict[int, Passable]:
    """By class of unit, season and the railroads there are."""
    return {}


def _make_passable(g: Board, u: Unit) -> Passable:
    w = ways(g, footing(g, u))
    land, river, volga = [0] * 6, [0] * 6, [0] * 6
    for h in g.map.grid.hexes:
        for _, _, side in w.normal.edges[h]:
            d = side % 6
            if g.ground.volga[d] >> h & 1:
                volga[d] |= 1 << h
            else:
                land[d] |= 1 << h
        for _, _, side in w.normal.first.get(h, ()):
            river[side % 6] |= 1 << h
    every = tuple(a | b | c for a, b, c in zip(land, river, volga, strict=True))
    return Passable(tuple(land), tuple(river), tuple(volga), every)


def may_step(g: Board, u: Unit, h: Hex, d: Direction) -> bool:
    """8.1 Whether a unit may at all go from a hex over that hexside in the Movement Phase, enemies apart."""
    return bool(passable(g, u).all[d] >> h & 1) or is_at_flotilla(g, g.forces.side[u], h, d)


def is_at_flotilla(g: Board, side: Side, h: Hex, d: Direction) -> bool:
    """5.5.3 The Volga Flotilla acts as a Ferry for the Soviets."""
    if not g.flotilla or side != SOVIET:
        return False
    here = g.flotilla - 1
    return h * 6 + d in (here, g.map.grid.flip(here))


def wet(g: Board) -> Wet:
    """9.5 The river hexsides as they are in this season."""
    return _wet(g, g.winter, g.ground.rail_stage[g.turn])


@fact(GAME)
def _wet(g: Board, winter: bool, stage: int) -> Wet:
    dry_bridges = g.reads("bridge_keeps_benefit") == "no"
    ground, season, rows = g.ground, g.season, g.charts.crossings
    lake = g.map.sides("lake")
    kinds = [
        ("minor_river", ground.minor),
        ("major_river", season.major),
        ("major_river_frozen", tuple(f & ~x for f, x in zip(season.frozen, lake, strict=True))),
        ("lake_frozen", tuple(f & x for f, x in zip(season.frozen, lake, strict=True))),
        ("volga_ferry", ground.volga),
    ]
    rail = ground.rail(g.turn)
    halved, river = [0] * 6, [0] * 6
    for key, sides in kinds:
        for d in range(6):
            s = sides[d]
            if dry_bridges:
                s &= 0 if key.endswith("frozen") else ~(ground.any_road[d] | rail[d])
            if rows[key].attackers_halved:
                halved[d] |= s
            if rows[key].river:
                river[d] |= s
    return Wet(tuple(halved), tuple(river))


def next_to(g: Board, s: Bits, d: Direction) -> Bits:
    """The hexes whose neighbour in direction d is in s."""
    return shift(g.map.grid, s, (d + 3) % 6)
